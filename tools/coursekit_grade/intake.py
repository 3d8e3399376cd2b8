"""Find the notebooks of a class in what an instructor collected. Nothing is unpacked, nothing is run.

A student is identified by the outermost name that was collected, which the learning platform or the instructor
gave, and never by a name inside, which the student chose.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import io
import os
import re
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

from coursekit.core.text import printable
from coursekit_grade.mark import LARGEST, check_cell

# Of one student. Nobody can use up what is meant for the class.
ZIP_BYTES = 20 << 20  # of a zip, which is held in memory
ZIP_ENTRIES = 10_000  # of all zips together
ZIP_DEPTH = 2  # a zip in a zip is opened, what is in there is not
NOTEBOOKS = 100
TOTAL_BYTES = 100 << 20  # of notebooks, modules and zips in zips
MODULES = 20  # beside a notebook
NAME, PATH = 255, 1000  # letters, as on any disk; a zip may have longer ones
MODULE_BYTES = 1 << 20  # of all of them together

NOTHING = "it holds nothing of this exercise, no cell of it and none of its functions"
_LARGEST = {".ipynb": LARGEST, ".zip": ZIP_BYTES, ".py": MODULE_BYTES}
_DAY = r"(?:0?[1-9]|1[0-2])[-_. ]?(?:0?[1-9]|[12]\d|3[01])"
_DATE = re.compile(rf"(?<!\d)(?:19|20)\d\d[-_. ]?{_DAY}$|^(?:19|20)\d\d[-_. ]?{_DAY}(?!\d)")
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_(?:file_|onlinetext_)?(?P<own>.*)", re.S)
# Not a date where the id should be: 2024_01_..., 20240105_1030_...
_CANVAS = re.compile(
    r"(?:LATE_)?(?P<name>anon(?=_)|.+?)_(?:LATE_)?(?!(?:19|20)[0-9]{2}_[0-9]{1,2}_)(?!(?:19|20)[0-9]{6}_[0-9]{1,6}_)"
    r"(?P<id>[0-9]{3,}|(?<=anon_)\w{5})_(?:[0-9]+_(?P<own>.+)|text\.html|link\.html)", re.S,
)
_LMS = {"Moodle": _MOODLE, "Canvas": _CANVAS}
_AROUND = ("submitted", "submissions")  # folders, where they lie around everything else
# What somebody handed in, also where it lies beside files of the instructor.
_WORK = re.compile(r"(?!index\.html$).*(\.ipynb.*|\.(zip|rar|7z|tar|gz|tgz|xz|bz2|py|pdf|html?|docx))", re.S | re.I)
_MARKS = tuple(mark[:1] for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
_GRADE_ID = re.compile(rb'"grade_id"\s*:\s*"([\w-]{1,100})"')


class Known:
    """How the assignments of a course are recognised. home: task or grade_id -> assignment. topic: in file names."""

    def __init__(self, points: Mapping[str, Mapping[str, float]]) -> None:
        self.assignments = tuple(points)
        self.home = {name: a for a, tasks in points.items() for t in tasks for name in (t, check_cell(t))}
        self.functions = {a: _defines(tasks) for a, tasks in points.items()}
        # "stochastic gradient descent" before "gradient descent"
        self.topic = {name: _topic(name) for name in sorted(points, key=len, reverse=True)}


def _defines(tasks: Iterable[str]) -> re.Pattern[bytes]:
    """Whether one of these functions is defined, or comes from a module, in the bytes of a notebook."""
    names = "|".join(map(re.escape, tasks))
    return re.compile(rf'\b(def|class|import)\b[^"]{{0,200}}?\b({names})\b|\b({names}) {{0,9}}='.encode())


def _topic(assignment: str) -> re.Pattern[str]:
    """02-perceptron, perceptron, Perceptron 2 ... as a word of its own."""
    number, topic = re.fullmatch(r"(?:(\d+)[-_ ])?(.+)", assignment).groups("")  # type: ignore[union-attr]
    words = "[-_ ]".join(map(re.escape, re.split("[-_ ]", topic)))
    return re.compile(rf"(?<![^\W\d_])(?:{number}[-_ ])?{words}(?![^\W\d_])", re.I)


@dataclass(frozen=True)
class Submission:
    """A student's notebook for one assignment, or the reason why there is none to grade.

    student: "" where nothing tells. id: what Moodle or Canvas knows the student by, else "".
    file: where it lies below what was collected. problem: "" if it can be graded.
    digest: of all that decides on its mark; for a notebook with no modules beside it the sha256 of its bytes.
    read: the bytes of the notebook. beside: the student's own modules next to it, by file name. Both raise
    OSError or ValueError where they cannot be had.
    """

    student: str
    id: str
    file: str
    assignment: str
    problem: str = ""
    digest: str = ""
    read: Callable[[], bytes] = field(default=bytes, repr=False, compare=False)
    beside: Callable[[], dict[str, bytes]] = field(default=dict, repr=False, compare=False)


class Found(list[Submission]):
    """Submissions, and how they were told apart: in words. lms: "Moodle" or "Canvas" where it was by its names."""

    layout = ""
    lms = ""


def collect(collected: Path, points: Mapping[str, Mapping[str, float]], assignment: str | None = None) -> Found:
    """The submissions in a folder or an LMS zip, by assignment and student. points: `Course.points`.

    All of them share one layout, recognised from the outermost names: Moodle's or Canvas's names, or a folder, a zip
    or a file for each student (nbgrader's submitted/ is one of these); each also inside folders named after the
    assignments. What does not fit, and what two people could own, is listed and graded for nobody.

    An assignment is known by its folder, by the grade_ids in the notebook or by the file name. `assignment` is
    for notebooks that do not tell, and leaves out the folders of all others. Of two notebooks for one assignment
    neither is graded: which one counts is for people to say.

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
    asked = assignment or ""
    try:
        files = list(_files(collected))
    except ValueError as error:
        return Found([Submission("", "", printable(collected.name), asked, str(error))])
    layout = _Layout([f.path for f in files], collected, known)
    people: defaultdict[_Person, list[_File]] = defaultdict(list)
    for file in files:
        people[layout.person(file.path)].append(file)
    found = [s for person, theirs in people.items() for s in _of_one(person, theirs, layout, asked)]
    if not found:
        found = [Submission("", "", printable(collected.name), asked, "it holds no notebook")]
    found = list(_each_id_once(_one_each(_told_apart(_one_name_an_id(found)), layout.above)))
    all_of_them = Found(sorted(found, key=lambda s: (s.assignment, s.student.casefold(), s.student, s.file)))
    all_of_them.layout, all_of_them.lms = str(layout), layout.lms
    return all_of_them


def lms_name(submission: Submission) -> str:
    """How Canvas names everything of this submission, up to what the student named."""
    for part in _parts(submission.file):
        if (told := _CANVAS.fullmatch(part)) and told["id"] == submission.id:
            return part[: told.start("own")] if told["own"] else f"{told['name']}_{told['id']}_"
    return f"{submission.student}_{submission.id}_"


class _File(NamedTuple):
    path: str
    problem: str = ""
    read: Callable[[], bytes] = bytes
    size: int = 0

    @property
    def kind(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


class _Person(NamedTuple):
    student: str = ""
    id: str = ""
    owns: bool = False  # a file of any kind here shows that something was handed in
    unclear: str = ""  # why nobody can be named
    top: str = ""  # the outermost file or folder, where that is unclear


class _Layout:
    """How the outermost names identify students.

    around: folders that hold everything. by_assignment: inside these there is a folder for each assignment.
    lms: "Moodle" or "Canvas" where most of the outermost names have its form, else "".
    """

    def __init__(self, paths: Iterable[str], collected: Path, known: Known) -> None:
        self.known = known
        self.around: tuple[str, ...] = ()
        split = _telling({_parts(path) for path in paths})
        while top := _wrapping(split, collected, known):
            self.around += (top,)
            split = _telling({parts[1:] for parts in split})
        kinds = _kinds(split, known)
        self.by_assignment = 2 * kinds["assignment"] > kinds.total()
        if self.by_assignment:
            split = _telling({parts[1:] for parts in split if parts[0] in known.assignments})
            kinds = _kinds(split, known)
        self.kinds = kinds
        told = [match for parts in split if (match := _CANVAS.fullmatch(parts[0]))]
        if len({match["id"] for match in told}) == 1 < len({match["name"] for match in told}):
            kinds["file"] += kinds.pop("Canvas")  # alice_101_2_final.ipynb, bob_101_2_final.ipynb: that is no id
        self.lms = next((lms for lms in _LMS if 2 * kinds[lms] > kinds.total()), "")
        self.in_each = any(name in known.assignments for parts in split for name in parts[1:-1])

    @property
    def above(self) -> int:
        """How many folders lie above the student's own."""
        return len(self.around) + self.by_assignment

    def __str__(self) -> str:
        if self.lms:
            text = f"{self.lms}'s file and folder names"
        else:
            of = [kind for kind in ("folder", "zip", "file") if self.kinds[kind]]
            text = f"a {' or '.join(of)} for each student" if of else "nothing, as the names are of several kinds"
            text += ", with folders for the assignments in it" if of and self.in_each else ""
        text += ", in a folder for each assignment" if self.by_assignment else ""
        return printable(text + (f", all in {'/'.join(self.around)}" if self.around else ""))

    def person(self, path: str) -> _Person:
        """Whose file this is. Nothing below the outermost name is looked at."""
        parts = _parts(path)
        if not _telling({parts}):
            return _Person()
        above = self.above
        top = "/".join(parts[: above + 1]) + ("/" if len(parts) > above + 1 else "")
        unclear = partial(_Person, owns=True, top=top)
        if self.by_assignment and parts[: len(self.around)] == self.around:
            home = parts[len(self.around) :]
            if home and home[0] not in self.known.assignments:
                top = "/".join(parts[:above]) + ("/" if len(parts) > above else "")
                return unclear(unclear="it lies beside the assignment folders", top=top)
        if len(parts) <= above or parts[: len(self.around)] != self.around or not _telling({parts[above:]}):
            return _Person()
        name = parts[above]
        kind = _kind(parts[above:], self.known)
        if self.lms and (told := _LMS[self.lms].fullmatch(name)):
            return _Person(printable(told["name"]).strip(), told["id"], True)
        if self.lms:
            return unclear(unclear=f"its name does not have {self.lms}'s form, as the others do")
        if kind in _LMS and self.kinds[kind]:
            return unclear(unclear=f"its name has {kind}'s form, unlike the others")
        if kind == "assignment":
            return unclear(unclear="it is named after an assignment, where the others are named after students")
        if kind == "folder":
            return _Person(printable(name).strip(), "", True)
        student = _named(name, self.known)
        if not student and self.kinds["folder"]:
            return unclear(unclear="its name does not say whose it is")
        return _Person(printable(student or _stem(name)).strip(), "", True)

    def assignment(self, path: str) -> str:
        """The first folder of the path that is named after an assignment, "" if there is none."""
        return next((part for part in _parts(path)[:-1] if part in self.known.assignments), "")

    def own_name(self, path: str) -> str:
        """The file name that the student gave."""
        parts = _parts(path)
        told = self.lms and len(parts) == self.above + 1 and _LMS[self.lms].fullmatch(parts[-1])
        return (told["own"] or "") if told else parts[-1]


def _parts(path: str) -> tuple[str, ...]:
    """Of a folder the last one is "". Windows and some of its zips write \\ for /."""
    path = path.replace("\\", "/")
    return PurePosixPath(path).parts + (("",) if path.endswith("/") else ())


def _telling(split: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The paths that say something about students: folders, and what may have been handed in."""
    return {
        parts for parts in split
        if parts and parts[0] not in ("", "/") and ".." not in parts and (parts[1:] or _WORK.fullmatch(parts[0]))
    }


def _told(name: str) -> tuple[str, str]:
    """The LMS whose form a name has, and the id in it. What stands first is the LMS's; what follows, the student's."""
    found = [(match.start("id"), lms, match["id"]) for lms, p in _LMS.items() if (match := p.fullmatch(name))]
    return min(found)[1:] if found else ("", "")


def _kind(parts: tuple[str, ...], known: Known) -> str:
    if lms := _told(parts[0])[0]:
        return lms
    if len(parts) > 1:
        return "assignment" if parts[0] in known.assignments else "folder"
    return "zip" if parts[0].lower().endswith(".zip") else "file"


def _kinds(split: set[tuple[str, ...]], known: Known) -> Counter[str]:
    """How many people have outermost names of each kind, however many files they have; a lone rubric.pdf has no say."""
    tops = {parts[:1] + ("",) * (len(parts) > 1) for parts in split}
    votes = {(_kind(top, known), _told(top[0])[1] or top[0]) for top in tops}
    return Counter(kind for kind, who in votes if kind != "file" or who.lower().endswith(".ipynb"))


def _wrapping(split: set[tuple[str, ...]], collected: Path, known: Known) -> str:
    """The one folder that holds everything and is not a student's, "" if there is none.

    It has the name of what was collected or one of nbgrader's. A zip packed again may have another, around the
    names of an LMS; a folder that looks like this could be a student's, who can give any names below it.
    """
    tops = {parts[0] for parts in split}
    top = min(tops, default="")
    if len(tops) != 1 or any(len(parts) == 1 for parts in split) or any(p.fullmatch(top) for p in _LMS.values()):
        return ""
    below = _telling({parts[1:] for parts in split})
    kinds = _kinds(below, known)
    own = {collected.name, collected.stem, re.sub(r"\s*\(\d+\)$", "", collected.stem), *_AROUND}
    if top.casefold() in {name.casefold() for name in own}:
        return top if kinds.total() > kinds["file"] or any(_named(parts[0], known) for parts in below) else ""
    for lms, pattern in _LMS.items():
        told = {match["id"] for parts in below if (match := pattern.fullmatch(parts[0]))}
        if not collected.is_dir() and len(told) > 1 and kinds[lms] == kinds.total():
            return top
    return ""


def _stem(name: str) -> str:
    """alice.ipynb.txt, as some browsers save it, is no notebook, but it is by alice."""
    return re.sub(r"(\.ipynb|\.tar)$", "", PurePosixPath(name).stem, flags=re.I)


def _named(name: str, known: Known) -> str:
    """The student in a file name such as alice-perceptron.ipynb, "" where it is all topic and date."""
    stem = _stem(name)
    topic = next((t for t in known.topic.values() if t.search(stem)), None)
    if topic:  # its copy alice-perceptron (1).ipynb, and alice-perceptron-1.ipynb
        stem = re.sub(r"\s*\(\d+\)$|(?<=\s)-\d+$", "", topic.sub(" ", stem))
    stem = _DATE.sub("", stem.strip(" -_.")).strip(" -_.")
    return stem if any(map(str.isalnum, stem)) and (not topic or any(map(str.isalpha, stem))) else ""


def _of_one(person: _Person, files: list[_File], layout: _Layout, asked: str) -> Iterator[Submission]:
    """What the files of one student amount to."""
    student, id, owns, unclear, top = person
    if unclear:
        yield Submission("", "", printable(top), asked, f"{unclear}: graded for nobody")
        return
    first = printable(files[0].path)
    try:
        files = _unzipped(files)
    except ValueError as error:
        yield Submission(student, id, first, asked, str(error))
        return
    if owns and not files:
        yield Submission(student, id, first, asked, "no notebook was handed in: the zip is empty")
    homes: defaultdict[str, list[_File]] = defaultdict(list)
    for file in files:
        homes[layout.assignment(file.path)].append(file)
    nobody = "" if student else "there is no telling whose it is"
    something = False
    # What lies in no assignment's folder comes last: notes beside these folders are no missing notebook.
    for home, theirs in sorted(homes.items(), reverse=True):
        if asked and home not in ("", asked) and not layout.lms:
            something = True
            continue
        looked = [
            _look(Submission(
                student, id, printable(f.path), asked or home, f.problem or nobody, read=f.read,
                beside=partial(_modules, f, theirs, layout),
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


def _look(s: Submission, known: Known) -> tuple[Submission, bool]:
    """The submission with its assignment and digest, and whether it holds cells of that exercise."""
    if s.problem:
        return s, False
    try:
        data, beside = s.read(), s.beside()
    except (OSError, ValueError) as error:
        return replace(s, problem=_reason(error)), False
    if not data.strip():
        return replace(s, problem="the file is empty"), False
    if data.lstrip()[:1] not in (b"{", *_MARKS):
        return replace(s, problem="it is not a notebook"), False
    ids = {match.decode() for match in _GRADE_ID.findall(data)}
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


def _modules(notebook: _File, files: list[_File], layout: _Layout) -> dict[str, bytes]:
    """The student's own modules in the folder of the notebook."""
    folder = _parts(notebook.path)[:-1]
    modules: dict[str, bytes] = {}
    for file in files:
        name = layout.own_name(file.path)
        if file.kind != ".py" or file.problem or _parts(file.path)[:-1] != folder or not name[:-3].isidentifier():
            continue
        if name in modules:
            raise ValueError(f"two files {name} lie beside it")
        if len(modules) == MODULES:
            raise ValueError(f"more than {MODULES} modules lie beside it")
        try:
            modules[name] = file.read()
        except (OSError, ValueError) as error:
            raise ValueError(f"{name} beside it: {_reason(error)}") from None
        if sum(map(len, modules.values())) > MODULE_BYTES:
            raise ValueError(f"the modules beside it are larger than {MODULE_BYTES >> 20} MB")
    return modules


def digest(notebook: bytes, beside: dict[str, bytes]) -> str:
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
            folders = [_parts(s.file)[:-1] for s in same]
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


def _files(root: Path) -> Iterator[_File]:
    """What was collected. Zips in it are students', and not opened here. Raises ValueError for a broken zip."""
    if not root.is_dir():
        yield from _members(partial(ZipFile, root), "") if root.suffix.lower() == ".zip" else [_file(root, root.name)]
        return
    failed: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=failed.append):
        below = Path(folder).relative_to(root).as_posix() + "/" if Path(folder) != root else ""
        folders[:] = sorted(name for name in folders if not _hidden(name))
        names = sorted(name for name in names if not _hidden(name))
        if below and not (folders or names):
            yield _File(below)
        for name in folders:
            if os.path.islink(Path(folder, name)):
                yield _File(f"{below}{name}/", "it is a symbolic link")
        for name in names:
            yield _file(Path(folder, name), below + name)
    for error in failed:
        yield _File(Path(error.filename).relative_to(root).as_posix() + "/", _reason(error))


def _file(path: Path, name: str) -> _File:
    file = _File(name)
    if file.kind not in _LARGEST:
        return file
    try:
        status = os.lstat(path)
    except OSError as error:
        return _File(name, _reason(error))
    if not stat.S_ISREG(status.st_mode):
        return _File(name, "it is a symbolic link" if stat.S_ISLNK(status.st_mode) else "it is not a file")
    return _File(name, read=partial(_whole, path, _LARGEST[file.kind]), size=status.st_size)


def _whole(path: Path, limit: int) -> bytes:
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"it is larger than {limit >> 20} MB")
    return data


def _unzipped(files: list[_File]) -> list[_File]:
    """The files of one student with what their zips hold. Raises ValueError where they are more than is read."""
    found: list[_File] = []
    waiting = [(file, 0) for file in reversed(files)]
    size = entries = looked = 0
    while waiting:
        file, depth = waiting.pop()
        size += file.size if file.kind in _LARGEST else 0
        if size > TOTAL_BYTES:
            raise ValueError(f"more than {TOTAL_BYTES >> 20} MB of notebooks and zips, too much for one student")
        if file.kind == ".zip" and not file.problem:
            try:
                if depth == ZIP_DEPTH:
                    raise ValueError("a zip in a zip in a zip is not opened")
                inside = list(_members(partial(_zip, file.read), f"{file.path}/"))
            except ValueError as error:
                file = file._replace(problem=str(error))
            else:
                entries += len(inside)
                if entries > ZIP_ENTRIES:
                    raise ValueError(f"more than {ZIP_ENTRIES} files in zips, too many for one student")
                waiting += [(member, depth + 1) for member in reversed(inside)]
                continue
        found.append(file)
        looked += file.kind == ".ipynb" or bool(file.problem)
        if looked > NOTEBOOKS:
            raise ValueError(f"more than {NOTEBOOKS} notebooks or broken files, too many for one student")
    return found


def _zip(read: Callable[[], bytes]) -> ZipFile:
    data = read()
    if data.count(b"PK\x01\x02") > ZIP_ENTRIES:  # before a list of them is made
        raise ValueError(f"it holds more than {ZIP_ENTRIES} files")
    return ZipFile(io.BytesIO(data))


@lru_cache(maxsize=4)
def _archive(opened: Callable[[], ZipFile]) -> ZipFile:
    """A zip, kept open while it is read: opening it reads the whole list of what it holds."""
    return opened()


def _members(opened: Callable[[], ZipFile], inside: str) -> Iterator[_File]:
    """What a zip holds, with paths that begin with `inside`. Raises ValueError for bytes that are no zip."""
    try:
        infos = _archive(opened).infolist()
    except Exception as error:  # of any kind, for bytes that are no zip
        raise ValueError(f"it cannot be read as a zip: {_reason(error)}") from None
    for k, info in enumerate(infos):
        name = _name(info)
        if len(name) > PATH or len(max(name.split("/"), key=len)) > NAME:
            cut = "/".join(part[:NAME] for part in name[:PATH].split("/"))
            yield _File(inside + cut, f"its name is longer than {NAME} letters, or its path than {PATH}")
            continue
        parts, file = PurePosixPath(name).parts, _File(inside + name, size=info.file_size)
        if any(map(_hidden, parts)):
            continue
        if name.startswith("/") or re.match("[A-Za-z]:", name) or ".." in parts:
            yield file._replace(problem="its path leads out of the zip")
        elif stat.S_ISLNK(info.external_attr >> 16):
            yield file._replace(problem="it is a symbolic link")
        elif info.flag_bits & 0x1:
            yield file._replace(problem="it is encrypted")
        else:
            yield file._replace(read=partial(_member, opened, k, _LARGEST.get(file.kind, 0)))


def _member(opened: Callable[[], ZipFile], k: int, limit: int) -> bytes:
    try:
        archive = _archive(opened)
        info = archive.infolist()[k]
        if info.file_size <= limit:
            with archive.open(info) as file:
                return file.read(limit)  # no more, whatever the size in the header
    except Exception as error:  # of any kind, for bytes that are no zip
        raise ValueError(f"it cannot be read from the zip: {_reason(error)}") from None
    raise ValueError(f"it is larger than {limit >> 20} MB")


def _name(info: ZipInfo) -> str:
    """The path in a zip. Without the mark for UTF-8 it often is UTF-8 all the same."""
    name = info.orig_filename.replace("\\", "/")
    if not info.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name


def _hidden(name: str) -> bool:
    return name == "__MACOSX" or (name.startswith(".") and name != "..")


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return printable(text) or type(error).__name__
