"""Find the notebooks of a class in what an instructor collected. Nothing is unpacked, nothing is run."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import stat
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

from coursekit.checking.tasks import ASSIGNMENTS
from coursekit.grading.mark import LARGEST

ZIP_BYTES = 20 << 20  # of a zip inside a zip, which is held in memory
ZIP_TOTAL_BYTES = 2_000_000_000
ZIP_ENTRIES = 100_000

_MOODLE = re.compile(r"(.+?)_(\d+)_assignsubmission_(?:file|onlinetext)_?.*", re.S)
_CANVAS = re.compile(r"(.+?)_(?:LATE_)?(\d+)_(?:\d+_.+|text\.html|link\.html)", re.S)
# What somebody handed in, also where it lies beside files of the instructor.
_WORK = re.compile(r".*(\.ipynb.*|\.(rar|7z|tar|gz|tgz|xz|bz2|py|pdf|html?|docx))", re.S | re.I)
_GRADE_ID = re.compile(rb'"grade_id"\s*:\s*"([\w-]{1,100})"')
_HOME = {name: a for a, tasks in ASSIGNMENTS.items() for t in tasks for name in (t.name, f"{t.name}-check")}
_TOPIC = {
    a: re.compile(rf"(?<![^\W\d_])(?:{number}[-_ ])?{topic.replace('-', '[-_ ]')}(?![^\W\d_])", re.I)
    # "stochastic gradient descent" before "gradient descent"
    for a in sorted(ASSIGNMENTS, key=len, reverse=True)
    for number, topic in [a.split("-", 1)]
}


@dataclass(frozen=True)
class Submission:
    """A student's notebook for one assignment, or the reason why there is none to grade.

    student: "" where nothing tells. id: the number that Moodle or Canvas knows the student by, else "".
    file: where it lies below what was collected. digest: sha256 of its bytes. problem: "" if it can be graded.
    read: the bytes of the notebook; raises OSError or ValueError where they cannot be had.
    """

    student: str
    id: str
    file: str
    assignment: str
    problem: str = ""
    digest: str = ""
    read: Callable[[], bytes] = field(default=bytes, repr=False, compare=False)


def collect(collected: Path, assignment: str | None = None) -> list[Submission]:
    """The submissions in a folder or an LMS zip, by assignment and student.

    Students are known by the names that Moodle, Canvas and nbgrader give to files and folders, else by the
    outermost folder, else by the file name. An assignment is known by its folder, by the grade_ids in the
    notebook or by the file name. `assignment` is for notebooks that do not tell, and leaves out the folders
    of all others. Of two notebooks for one assignment neither is graded: which one counts is for people to say.

    Raises ValueError if `assignment` is unknown, OSError if there is nothing at `collected`.
    """
    if assignment is not None and assignment not in ASSIGNMENTS:
        raise ValueError(f"the assignment must be one of {', '.join(ASSIGNMENTS)}; got {assignment!r}")
    if not collected.exists():
        raise FileNotFoundError(f"there is no folder or zip {collected}")
    if not (collected.is_dir() or collected.suffix.lower() in (".zip", ".ipynb")):
        raise ValueError(f"SUBMISSIONS must be a folder, a zip or a notebook; got {collected}")
    collected = collected.resolve()
    groups: defaultdict[tuple[str, str, str], list[_File]] = defaultdict(list)
    for file in _files(collected):
        whose = _whose(file.path, collected.stem)
        left_out = assignment and whose.assignment not in ("", assignment)
        if not left_out and (file.problem or file.is_notebook or whose.owned):
            groups[whose[:3]].append(file)
    found = [s for whose, files in groups.items() for s in _handed_in(*whose, files, assignment or "")]
    if not found:
        found = [Submission("", "", printable(collected.name), assignment or "", "it holds no notebook")]
    return sorted(_one_each(_told_apart(found)), key=lambda s: (s.assignment, s.student.casefold(), s.student, s.file))


class _File(NamedTuple):
    path: str
    problem: str = ""
    read: Callable[[], bytes] = bytes
    size: int = 0  # of a notebook in a zip

    @property
    def is_notebook(self) -> bool:
        return self.path.lower().endswith(".ipynb")


class _Whose(NamedTuple):
    student: str
    id: str
    assignment: str
    owned: bool  # a file of any kind here shows that the student handed something in


def _whose(path: str, collected: str) -> _Whose:
    """Whose file this is, and for which assignment, as far as its path tells."""
    parts = PurePosixPath(path).parts
    if len(parts) > 1 and parts[0] in (collected, "submitted", "submissions"):
        parts = parts[1:]
    folders = parts if path.endswith("/") else parts[:-1]
    named = next((k for k, part in enumerate(folders) if part in ASSIGNMENTS), None)
    assignment = "" if named is None else folders[named]
    for part in parts:
        is_file = part is parts[-1] or part.lower().endswith(".zip")
        if lms := _MOODLE.fullmatch(part) or (is_file and _CANVAS.fullmatch(part)):
            return _Whose(printable(lms[1]), lms[2], assignment, True)
    if not parts or ".." in parts or path.startswith("/") or path == f"{collected}.zip":
        return _Whose("", "", assignment, False)
    if named:  # STUDENT/ASSIGNMENT/x.ipynb
        return _Whose(printable(folders[named - 1]), "", assignment, True)
    if named == 0:  # ASSIGNMENT/STUDENT/x.ipynb
        parts, folders = parts[1:], folders[1:]
    if folders:
        return _Whose(printable(re.sub(r"\.zip$", "", folders[0], flags=re.I)), "", assignment, True)
    # alice.ipynb.txt, as some browsers save it, is no notebook, but it is by alice.
    stem = re.sub(r"(\.ipynb|\.tar)$", "", PurePosixPath(*parts).stem, flags=re.I)
    return _Whose(printable(stem), "", assignment, bool(_WORK.fullmatch(path)))


def _handed_in(student: str, id: str, folder: str, files: list[_File], asked: str) -> Iterator[Submission]:
    """What these files of one student for one assignment (or for no named one) amount to."""
    looked = [_look(Submission(student, id, printable(f.path), folder or asked, f.problem, read=f.read))
              for f in files if f.problem or f.is_notebook]
    if not looked:
        yield Submission(student, id, printable(files[0].path), folder or asked, "no notebook was handed in")
    exercises = {s.assignment for s, is_exercise in looked if is_exercise}
    for s, is_exercise in looked:
        if not (s.problem or is_exercise) and s.assignment in exercises:
            yield replace(s, assignment="", problem="it has no cell of the exercise; another notebook here has")
        else:
            yield s


def _look(s: Submission) -> tuple[Submission, bool]:
    """The submission with its assignment and digest, and whether it holds cells of that exercise."""
    if s.problem:
        return s, False
    try:
        data = s.read()
    except (OSError, ValueError) as error:
        return replace(s, problem=_reason(error)), False
    ids = {match.decode() for match in _GRADE_ID.findall(data)}
    homes = Counter(_HOME[name] for name in ids if name in _HOME).most_common(2)
    holds = homes[0][0] if len(homes) == 1 or (homes and homes[0][1] > homes[1][1]) else ""
    if holds and s.assignment not in ("", holds):
        return replace(s, problem=f"it holds {holds}, but was handed in for {s.assignment}"), False
    stem = PurePosixPath(s.file).stem
    assignment = s.assignment or holds or next((a for a, topic in _TOPIC.items() if topic.search(stem)), "")
    if not assignment:
        what = "it belongs to no assignment of the course" if data.lstrip()[:1] == b"{" else "it is not a notebook"
        return replace(s, problem=what), False
    if s.student == stem:  # alice-perceptron.ipynb, its copy alice-perceptron (1).ipynb, and alice-perceptron-1.ipynb
        short = re.sub(r"\s*\(\d+\)$|(?<=\s)-\d+$", "", _TOPIC[assignment].sub(" ", stem)).strip(" -_.")
        s = replace(s, student=short if any(map(str.isalpha, short)) else stem)
    return replace(s, assignment=assignment, digest=hashlib.sha256(data).hexdigest()), bool(holds)


def _told_apart(found: list[Submission]) -> list[Submission]:
    """Two people of one name get their numbers behind it."""
    ids = defaultdict(set)
    for s in found:
        ids[s.student].add(s.id)
    return [replace(s, student=f"{s.student} ({s.id})") if s.id and len(ids[s.student]) > 1 else s for s in found]


def _one_each(found: list[Submission]) -> Iterator[Submission]:
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
            folders = [PurePosixPath(s.file).parts[:-1] for s in same]
            below = {folder[1:2] for folder in folders}
            if not same[0].id and len({folder[:1] for folder in folders}) == 1 < len(below) and () not in below:
                why += f" (or grade {folders[0][0]} by itself, if several students have their folders in it)"
            yield replace(same[0], file=files, problem=why)
        else:
            yield same[0]


def _files(root: Path) -> Iterator[_File]:
    if not root.is_dir():
        yield from _file(root, root.name, "")
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
            yield from _file(Path(folder, name), below + name, f"{below}{name}/")
    for error in failed:
        yield _File(Path(error.filename).relative_to(root).as_posix() + "/", _reason(error))


def _file(path: Path, name: str, inside: str) -> Iterator[_File]:
    """One file, or all that a zip holds, whose paths then begin with `inside`."""
    if path.suffix.lower() not in (".ipynb", ".zip"):
        yield _File(name)
    elif not stat.S_ISREG(os.lstat(path).st_mode):
        yield _File(name, "it is a symbolic link" if path.is_symlink() else "it is not a file")
    elif path.suffix.lower() == ".zip":
        size = 0
        for found in _zipped(name, inside, partial(ZipFile, path)):
            size += found.size
            yield found if size <= ZIP_TOTAL_BYTES else _File(found.path, "the zip holds more than is read")
    else:
        yield _File(name, read=partial(_whole, path))


def _whole(path: Path) -> bytes:
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST >> 20} MB")
    return data


@lru_cache(maxsize=4)
def _archive(opened: Callable[[], ZipFile]) -> ZipFile:
    """A zip, kept open while it is read: opening it reads the whole list of what it holds."""
    return opened()


def _zipped(zip_name: str, inside: str, opened: Callable[[], ZipFile], nested: bool = False) -> Iterator[_File]:
    try:
        infos = _archive(opened).infolist()
    except Exception as error:  # of any kind, for bytes that are no zip
        yield _File(zip_name, f"it cannot be read as a zip: {_reason(error)}")
        return
    names = [_name(info) for info in infos]
    size = sum(i.file_size for i, n in zip(infos, names, strict=True) if n.lower().endswith((".ipynb", ".zip")))
    if len(infos) > ZIP_ENTRIES or size > ZIP_TOTAL_BYTES:
        yield _File(zip_name, f"it holds {len(infos)} files, {size / 1e9:.3g} GB of notebooks: more than is read")
        return
    for k, (info, name) in enumerate(zip(infos, names, strict=True)):
        is_zip = name.lower().endswith(".zip") and not nested
        read = partial(_member, opened, k, ZIP_BYTES if is_zip else LARGEST)
        if any(map(_hidden, PurePosixPath(name).parts)):
            continue
        if name.startswith("/") or re.match("[A-Za-z]:", name) or ".." in PurePosixPath(name).parts:
            yield _File(inside + name, "its path leads out of the zip")
        elif stat.S_ISLNK(info.external_attr >> 16):
            yield _File(inside + name, "it is a symbolic link")
        elif info.flag_bits & 0x1:
            yield _File(inside + name, "it is encrypted")
        elif is_zip:
            yield from _zipped(inside + name, f"{inside}{name}/", partial(_zip_inside, read), nested=True)
        else:
            yield _File(inside + name, read=read, size=info.file_size if name.lower().endswith(".ipynb") else 0)


def _zip_inside(read: Callable[[], bytes]) -> ZipFile:
    return ZipFile(io.BytesIO(read()))


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


def printable(text: str) -> str:
    """Text that can be printed and stored: no control characters, no halves of characters."""
    text = unicodedata.normalize("NFC", text)
    return "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text)
