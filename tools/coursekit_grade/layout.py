"""Whose a file is, from the outermost names that were collected.

These the learning platform or the instructor gave; never from a name inside, which the student chose.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from coursekit_grade.mark import check_cell
from coursekit_grade.printable import printable

_DAY = r"(?:19|20)\d\d(?P<{0}>[-_. ]?)(?:1[0-2]|0?[1-9])(?P={0})(?:3[01]|[12]\d|0?[1-9])"
_DATE = re.compile(rf"(?<!\d){_DAY.format('a')}$|^{_DAY.format('b')}(?!\d)")
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_(?:file_|onlinetext_)?(?P<own>.*)", re.S)
# Not a date where the id should be: 2024_01_..., 20240105_1030_...
CANVAS = re.compile(
    r"(?:LATE_)?(?P<name>anon(?=_)|.+?)_(?:LATE_)?(?!(?:19|20)[0-9]{2}_[0-9]{1,2}_)(?!(?:19|20)[0-9]{6}_[0-9]{1,6}_)"
    r"(?P<id>[0-9]{3,}|(?<=anon_)\w{5})_(?:[0-9]+_(?P<own>.+)|text\.html|link\.html)", re.S,
)
_LMS = {"Moodle": _MOODLE, "Canvas": CANVAS}
LAYOUTS = {"moodle": "Moodle", "canvas": "Canvas", "folders": "folder", "files": "file"}  # as the instructor names them
_AROUND = ("submitted", "submissions")  # folders, where they lie around everything else
# What somebody handed in, also where it lies beside files of the instructor.
_WORK = re.compile(r"(?!index\.html$).*(\.ipynb.*|\.(zip|rar|7z|tar|gz|tgz|xz|bz2|py|pdf|html?|docx))", re.S | re.I)


class Known:
    """How the assignments of a course are recognized. home: task or grade_id -> assignment. topic: in file names."""

    def __init__(self, points: Mapping[str, Mapping[str, float]]) -> None:
        self.assignments = tuple(points)
        self.home = {name: a for a, tasks in points.items() for t in tasks for name in (t, check_cell(t))}
        self.functions = {a: _defines(tasks) for a, tasks in points.items()}
        # "stochastic gradient descent" before "gradient descent"
        self.topic = {name: _topic(name) for name in sorted(points, key=len, reverse=True)}


def _defines(tasks: Iterable[str]) -> re.Pattern[bytes]:
    """Whether one of these functions is defined, or comes from a module, in the bytes of a notebook.

    No byte is looked at again from another keyword: a small zip may hold millions of them.
    """
    names = "|".join(map(re.escape, tasks))
    imports = rf'\bimport\b(?:(?!\bimport\b)[^"]){{0,200}}?\b(?:{names})\b'
    return re.compile(rf'\b(?:def|class) {{1,9}}(?:{names})\b|{imports}|["n] {{0,9}}(?:{names}) {{0,9}}='.encode())


def _topic(assignment: str) -> re.Pattern[str]:
    """02-perceptron, perceptron, Perceptron 2 ... as a word of its own."""
    number, topic = re.fullmatch(r"(?:(\d+)[-_ ])?(.+)", assignment).groups("")  # type: ignore[union-attr]
    words = "[-_ ]".join(map(re.escape, re.split("[-_ ]", topic)))
    return re.compile(rf"(?<![^\W\d_])(?:{number}[-_ ])?{words}(?![^\W\d_])", re.I)


class Person(NamedTuple):
    student: str = ""
    id: str = ""
    owns: bool = False  # a file of any kind here shows that something was handed in
    unclear: str = ""  # why nobody can be named
    top: str = ""  # the outermost file or folder then


class Layout:
    """How the outermost names identify students. said: one of LAYOUTS, by the instructor; else each has one vote.

    around: folders that hold everything. by_assignment: inside these there is a folder for each assignment. lms:
    "Moodle" or "Canvas" where the names have its form, else "".
    """

    def __init__(self, paths: Iterable[str], collected: Path, known: Known, said: str = "") -> None:
        self.known, self.said = known, LAYOUTS[said] if said else ""
        self.around: tuple[str, ...] = ()
        split = _telling({parts_of(path) for path in paths})
        while top := _wrapping(split, collected, known):
            self.around += (top,)
            split = _telling({parts[1:] for parts in split})
        kinds = _kinds(split, known)
        self.by_assignment = 2 * kinds["assignment"] > kinds.total()
        if self.by_assignment:
            split = _telling({parts[1:] for parts in split if parts[0] in known.assignments})
            kinds = _kinds(split, known)
        self.kinds = kinds
        told = [match for parts in split if (match := CANVAS.fullmatch(parts[0]))]
        if len({match["id"] for match in told}) == 1 < len({match["name"] for match in told}):
            kinds["file"] += kinds.pop("Canvas")  # alice_101_2_final.ipynb, bob_101_2_final.ipynb: that is no id
        if self.said:
            self.kinds = kinds = Counter([self.said])
        self.above = len(self.around) + self.by_assignment  # folders above the student's own
        self.lms = next((lms for lms in _LMS if 2 * kinds[lms] > kinds.total()), "")
        self.in_each = any(name in known.assignments for parts in split for name in parts[1:-1])

    def __str__(self) -> str:
        if self.lms:
            text = f"{self.lms}'s file and folder names"
        else:
            of = [kind for kind in ("folder", "zip", "file") if self.kinds[kind]]
            text = f"a {' or '.join(of)} for each student" if of else "nothing, as the names are of several kinds"
            text += ", with folders for the assignments in it" if of and self.in_each else ""
        text += ", in a folder for each assignment" if self.by_assignment else ""
        text += ", as --layout says" if self.said else ""
        return printable(text + (f", all in {'/'.join(self.around)}" if self.around else ""))

    def person(self, path: str) -> Person:
        """Whose file this is. Nothing below the outermost name is looked at."""
        parts = parts_of(path)
        if not _telling({parts}):
            return Person()
        above = self.above
        top = "/".join(parts[: above + 1]) + ("/" if len(parts) > above + 1 else "")
        unclear = partial(Person, owns=True, top=top)
        around = len(self.around)
        if self.by_assignment and parts[:around] == self.around and parts[around:] and (
                parts[around] not in self.known.assignments):
            top = "/".join(parts[:above]) + ("/" if len(parts) > above else "")
            return unclear(unclear="it lies beside the assignment folders", top=top)
        if len(parts) <= above or parts[:around] != self.around or not _telling({parts[above:]}):
            return Person()
        name, others = parts[above], "as --layout says" if self.said else "as the others do"
        kind = _kind(parts[above:], self.known)
        if self.lms and (told := _LMS[self.lms].fullmatch(name)):
            return Person(printable(told["name"]).strip(), told["id"], True)
        if self.lms:
            return unclear(unclear=f"its name does not have {self.lms}'s form, {others}")
        if self.said:
            kind = "folder" if len(parts) > above + 1 else "file"
            if kind != self.said:
                return unclear(unclear=f"it is a {kind}, and --layout says that each student has a {self.said}")
        elif kind in _LMS and self.kinds[kind]:
            return unclear(unclear=f"its name has {kind}'s form, unlike the others")
        elif kind == "assignment":
            return unclear(unclear="it is named after an assignment, where the others are named after students")
        if kind == "folder":
            return Person(printable(name).strip(), "", True)
        student = _named(name, self.known)
        if not student and self.kinds["folder"]:
            return unclear(unclear="its name does not say whose it is")
        return Person(printable(student or _stem(name)).strip(), "", True)

    def assignment(self, path: str) -> str:
        """The first folder of the path that is named after an assignment, "" if there is none."""
        return next((part for part in parts_of(path)[:-1] if part in self.known.assignments), "")

    def own_name(self, path: str) -> str:
        """The file name that the student gave."""
        parts = parts_of(path)
        told = self.lms and len(parts) == self.above + 1 and _LMS[self.lms].fullmatch(parts[-1])
        return (told["own"] or "") if told else parts[-1]


def parts_of(path: str) -> tuple[str, ...]:
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

    It has the name of what was collected or one of nbgrader's: any other could be a student's, who can give any names
    below it.
    """
    tops = {parts[0] for parts in split}
    top = min(tops, default="")
    if len(tops) != 1 or any(len(parts) == 1 for parts in split) or any(p.fullmatch(top) for p in _LMS.values()):
        return ""
    own = {collected.name, collected.stem, re.sub(r"\s*\(\d+\)$", "", collected.stem), *_AROUND}
    if top.casefold() not in {name.casefold() for name in own}:
        return ""
    below = _telling({parts[1:] for parts in split})
    kinds = _kinds(below, known)
    return top if kinds.total() > kinds["file"] or any(_named(parts[0], known) for parts in below) else ""


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
