"""Find the notebooks of a class in what an instructor collected. Nothing is unpacked, nothing is run.

    collected -> files -> Layout -> the files of each student -> Submission
"""

import codecs
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath

from coursekit_grade.collected import MODULE_BYTES, File, files_in, reason, unzipped
from coursekit_grade.layout import CANVAS, Known, Layout, Person, parts_of
from coursekit_grade.mark import GRADE_ID
from coursekit_grade.printable import printable

MODULES, DEEP = 20, 3  # beside a notebook, and the folders of packages they may lie in
_COPY = re.compile(r"(-\d+|\s*\(\d+\))(?=\.py$)", re.I)  # a second helpers.py, as Canvas and browsers name it
NOTHING = "it holds nothing of this exercise, no cell of it and none of its functions"
_MARKS = tuple(mark[:1] for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


@dataclass(frozen=True)
class Submission:
    """A student's notebook for one assignment, or the reason why there is none to grade."""

    student: str  # "" where nothing tells
    id: str  # what Moodle or Canvas knows the student by, else ""
    file: str  # where it lies below what was collected
    assignment: str
    problem: str = ""  # why it cannot be graded
    digest: str = ""  # of all that decides on its mark
    # The bytes of the notebook, and the student's own modules next to it; OSError or ValueError if they cannot be had.
    read: Callable[[], bytes] = field(default=bytes, repr=False, compare=False)
    beside: Callable[[], dict[str, bytes]] = field(default=dict, repr=False, compare=False)


class Found(list[Submission]):
    """Submissions. layout: how they were told apart. lms: "Moodle", "Canvas" or "". hidden: what was passed over."""

    layout, lms, hidden = "", "", frozenset[str]()


def collect(collected: Path, points: Mapping[str, Mapping[str, float]], assignment: str | None = None,
            layout: str = "") -> Found:
    """The submissions in a folder or an LMS zip, by assignment and student. points: `Course.points`.

    All of them share one layout: `layout`, one of LAYOUTS, or else that of most outermost names. What does not fit, and
    what two people could own, is listed and graded for nobody. An assignment is known by its folder, by the grade_ids
    in the notebook or by the file name; `assignment` is for notebooks that do not tell, and leaves out the folders of
    all others. Of two notebooks for one assignment neither is graded: which one counts is for people to say.

    Raises ValueError if `assignment` is unknown, OSError if there is nothing at `collected`.
    """
    known = Known(points)
    if assignment is not None and assignment not in known.assignments:
        raise ValueError(f"the assignment must be one of {', '.join(known.assignments)}; got {assignment!r}")
    if not collected.exists():
        raise FileNotFoundError(f"there is no folder or zip {collected}")
    if not (collected.is_dir() or collected.suffix.lower() in (".zip", ".ipynb")):
        raise ValueError(f"SUBMISSIONS must be a folder, a zip or a notebook; got {collected}")
    collected = collected.resolve()
    asked, hidden = assignment or "", set[str]()
    try:
        files = list(files_in(collected, hidden))
    except ValueError as error:
        return Found([Submission("", "", printable(collected.name), asked, str(error))])
    told = Layout([f.path for f in files], collected, known, layout)
    people: defaultdict[Person, list[File]] = defaultdict(list)
    for file in files:
        people[told.person(file.path)].append(file)
    found = [s for person, theirs in people.items() for s in _of_one(person, theirs, told, asked, hidden)]
    found = found or [Submission("", "", printable(collected.name), asked, "it holds no notebook")]
    found = list(_each_id_once(_one_each(_told_apart(_one_name_an_id(found)), told.above)))
    all_of_them = Found(sorted(found, key=lambda s: (s.assignment, s.student.casefold(), s.student, s.file)))
    all_of_them.layout, all_of_them.lms, all_of_them.hidden = str(told), told.lms, frozenset(hidden)
    return all_of_them


def lms_name(submission: Submission) -> str:
    """How Canvas names everything of this submission, up to what the student named."""
    for part in parts_of(submission.file):
        if (told := CANVAS.fullmatch(part)) and told["id"] == submission.id:
            return part[: told.start("own")] if told["own"] else f"{told['name']}_{told['id']}_"
    return f"{submission.student}_{submission.id}_"


def _of_one(person: Person, files: list[File], layout: Layout, asked: str, hidden: set[str]) -> Iterator[Submission]:
    """What the files of one student amount to."""
    student, id, owns, unclear, top = person
    if unclear:
        yield Submission("", "", printable(top), asked, f"{unclear}: graded for nobody")
        return
    first = printable(files[0].path)
    try:
        files = unzipped(files, hidden)
    except ValueError as error:
        yield Submission(student, id, first, asked, str(error))
        return
    if owns and not files:
        yield Submission(student, id, first, asked, "no notebook was handed in: the zip is empty")
    homes: defaultdict[str, list[File]] = defaultdict(list)
    for file in files:
        homes[layout.assignment(file.path)].append(file)
    nobody = "" if student else "there is no telling whose it is"
    something = False
    # What lies in no assignment's folder comes last: notes beside these folders are no missing notebook.
    for home, theirs in sorted(homes.items(), reverse=True):
        if asked and home not in ("", asked) and not layout.lms:
            something = True
            continue
        modules = _modules(theirs, layout)
        looked = [
            _look(Submission(
                student, id, printable(f.path), asked or home, f.problem or nobody, read=f.read,
                beside=partial(modules_beside, modules[parts_of(f.path)[:-1]]),
            ), layout.known)
            for f in theirs if f.problem or f.kind == ".ipynb"
        ]
        if not looked and owns and (home or not something):
            yield Submission(student, id, printable(theirs[0].path), asked or home, "no notebook was handed in")
        something = True
        exercises = {s.assignment for s, is_exercise in looked if is_exercise}
        for s, is_exercise in looked:
            if not is_exercise and s.problem in ("", NOTHING) and s.assignment in exercises:
                yield replace(s, assignment="", problem="it has no cell of the exercise; another notebook here has")
            else:
                yield s


def _modules(files: list[File], layout: Layout) -> dict[tuple[str, ...], list[tuple[str, File]]]:
    """By folder the modules that a notebook in it can import, named as it does: b.py, and a/b.py of a package a."""
    modules: defaultdict[tuple[str, ...], list[tuple[str, File]]] = defaultdict(list)
    own = {(*parts_of(f.path)[:-1], layout.own_name(f.path)): f for f in files}
    for (*folders, name), f in own.items():
        first = _COPY.sub("", name)
        name = name if (*folders, first) in own else first
        if f.kind == ".py" and not f.problem and name[:-3].isidentifier():
            for k in range(len(folders), max(-1, len(folders) - DEEP - 1), -1):
                modules[tuple(folders[:k])].append(("/".join([*folders[k:], name]), f))
                if not (k and folders[k - 1].isidentifier()):
                    break
    return modules


def _look(s: Submission, known: Known) -> tuple[Submission, bool]:
    """The submission with its assignment and digest, and whether it holds cells of that exercise."""
    if s.problem:
        return s, False
    try:
        data, beside = s.read(), s.beside()
    except (OSError, ValueError) as error:
        return replace(s, problem=reason(error)), False
    if not data.strip():
        return replace(s, problem="the file is empty"), False
    if data.lstrip()[:1] not in (b"{", *_MARKS):
        return replace(s, problem="it is not a notebook"), False
    ids = {match.decode() for match in GRADE_ID.findall(data)}
    homes = Counter(known.home[name] for name in ids if name in known.home).most_common(2)
    holds = homes[0][0] if len(homes) == 1 or (homes and homes[0][1] > homes[1][1]) else ""
    if holds and s.assignment not in ("", holds):
        return replace(s, problem=f"it holds {holds}, but was handed in for {s.assignment}"), False
    stem = PurePosixPath(s.file).stem
    assignment = s.assignment or holds or next((a for a, topic in known.topic.items() if topic.search(stem)), "")
    if not assignment:
        return replace(s, problem="it belongs to no assignment of the course"), False
    # Of half a file, and in UTF-16, this could not be said.
    whole = data.rstrip().endswith(b"}") and b"\0" not in data[:9]
    problem = NOTHING if whole and not holds and not known.functions[assignment].search(data) else ""
    return replace(s, assignment=assignment, problem=problem, digest=digest(data, beside)), bool(holds)


def modules_beside(files: list[tuple[str, File]]) -> dict[str, bytes]:
    """The student's own modules in the folder of the notebook, by their names. ValueError for more than is taken.

    Of packages, which may be a whole course, no more are taken than find room.
    """
    modules: dict[str, bytes] = {}
    for name, file in sorted(files, key=lambda module: module[0].count("/")):
        if "/" in name and (len(modules) == MODULES or sum(map(len, modules.values())) + file.size > MODULE_BYTES):
            break
        if name in modules:
            raise ValueError(f"two files {name} lie beside it")
        if len(modules) == MODULES:
            raise ValueError(f"more than {MODULES} modules lie beside it")
        try:
            modules[name] = file.read()
        except (OSError, ValueError) as error:
            raise ValueError(f"{name} beside it: {reason(error)}") from None
        if sum(map(len, modules.values())) > MODULE_BYTES:
            raise ValueError(f"the modules beside it are larger than {MODULE_BYTES >> 20} MB")
    return modules


def digest(notebook: bytes, beside: Mapping[str, bytes] = {}) -> str:
    """sha256 of a notebook, or of it and what lies beside it."""
    whole = hashlib.sha256(notebook)
    for name in sorted(beside):
        whole.update(f"\n{name} {hashlib.sha256(beside[name]).hexdigest()}".encode())
    return whole.hexdigest()


def _one_name_an_id(found: list[Submission]) -> list[Submission]:
    names = defaultdict(set)
    for s in found:
        names[s.id.lstrip("0")].add(s.student)
    return [
        replace(s, id="", problem=f"{' and '.join(sorted(same))} have one id, {s.id}: graded for nobody")
        if s.id and len(same := names[s.id.lstrip("0")]) > 1 else s
        for s in found
    ]


def _told_apart(found: list[Submission]) -> list[Submission]:
    """Two people of one name get their numbers behind it."""
    ids = defaultdict(set)
    for s in found:
        ids[s.student].add(s.id)
    if all(len(of) == 1 for of in ids.values()):
        return found
    apart = [replace(s, student=f"{s.student} ({s.id})") if s.id and len(ids[s.student]) > 1 else s for s in found]
    return apart if apart == found else _told_apart(apart)  # somebody's name may be "Ann Lee (7)"


def _one_each(found: list[Submission], above: int) -> Iterator[Submission]:
    ready = defaultdict(list)
    for s in found:
        if s.problem:
            yield s
        else:
            ready[s.student, s.assignment].append(s)
    for same in ready.values():
        if len(same) > 1:
            files = "; ".join(s.file for s in same)
            why = f"{len(same)} notebooks for one assignment; keep one of them"
            folders = [parts_of(s.file)[:-1] for s in same]
            tops, below = ({folder[k:above + 1 + k] for folder in folders} for k in (0, 1))
            if not same[0].id and len(tops) == 1 < len(below) and all(len(folder) > above + 1 for folder in folders):
                top = "/".join(folders[0][: above + 1])
                why += f" (or grade {top} by itself, if several students have their folders in it)"
            yield replace(same[0], file=files, problem=why)
        else:
            yield same[0]


def _each_id_once(found: Iterable[Submission]) -> Iterator[Submission]:
    """Marks are looked up by id: what else a student handed in keeps the name only."""
    taken: defaultdict[str, set[str]] = defaultdict(set)
    for s in sorted(found, key=lambda s: (bool(s.problem), not s.assignment)):
        again = s.assignment in taken[s.id] or not s.assignment
        yield replace(s, id="") if again and taken[s.id] else s
        taken[s.id].add(s.assignment)
