"""The files that were collected, in folders and zips: read where they lie, whatever they are. Nothing is unpacked."""

import contextlib
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

from coursekit_grade.printable import printable
from coursekit_grade.protocol import NOTEBOOK

# Of one student. Nobody can use up what is meant for the class.
ZIP_BYTES = 20 << 20  # of a zip, which is held in memory
ZIP_ENTRIES = 10_000  # of all zips together
ZIP_DEPTH = 2  # a zip in a zip is opened, what is in there is not
NOTEBOOKS = 100
TOTAL_BYTES = 100 << 20  # of notebooks, modules and zips in zips
PACKED = 200  # times what was handed in, if that is more than a zip: no notebooks are packed so well
MODULE_BYTES = 1 << 20  # of all modules beside a notebook
NAME, PATH = 255, 1000  # letters, as on any disk; a zip may have longer ones
_LARGEST = {".ipynb": NOTEBOOK, ".zip": ZIP_BYTES, ".py": MODULE_BYTES}


class File(NamedTuple):
    path: str
    problem: str = ""
    read: Callable[[], bytes] = bytes
    size: int = 0

    @property
    def kind(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


def files_in(root: Path, hidden: set[str]) -> Iterator[File]:
    """What was collected, and what is passed over in it. Students' zips are not opened. ValueError for a broken one."""
    if not root.is_dir():
        is_zip = root.suffix.lower() == ".zip"
        yield from _members(partial(ZipFile, root), "", hidden) if is_zip else [file_at(root, root.name)]
        return
    failed: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=failed.append):
        below = Path(folder).relative_to(root).as_posix() + "/" if Path(folder) != root else ""
        hidden.update(below + name for name in [*folders, *names] if _hidden(name))
        folders[:] = sorted(name for name in folders if not _hidden(name))
        names = sorted(name for name in names if not _hidden(name))
        if below and not (folders or names):
            yield File(below)
        for name in folders:
            if os.path.islink(Path(folder, name)):
                yield File(f"{below}{name}/", "it is a symbolic link")
        for name in names:
            yield file_at(Path(folder, name), below + name)
    for error in failed:
        yield File(Path(error.filename).relative_to(root).as_posix() + "/", reason(error))


def file_at(path: Path, name: str) -> File:
    file = File(name)
    if file.kind not in _LARGEST:
        return file
    try:
        status = os.lstat(path)
    except OSError as error:
        return File(name, reason(error))
    if not stat.S_ISREG(status.st_mode):
        return File(name, "it is a symbolic link" if stat.S_ISLNK(status.st_mode) else "it is not a file")
    return File(name, read=partial(_whole, path, _LARGEST[file.kind]), size=status.st_size)


def _whole(path: Path, limit: int) -> bytes:
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"it is larger than {limit >> 20} MB")
    return data


def unzipped(files: list[File], hidden: set[str]) -> list[File]:
    """The files of one student with what their zips hold, as above. ValueError where they are more than is read."""
    found: list[File] = []
    waiting = [(file, 0) for file in reversed(files)]
    most = min(TOTAL_BYTES, max(ZIP_BYTES, PACKED * sum(file.size for file in files if file.kind in _LARGEST)))
    size = entries = looked = 0
    while waiting:
        file, depth = waiting.pop()
        size += file.size if file.kind in _LARGEST else 0
        if size > most:
            raise ValueError(f"more than {most >> 20} MB of notebooks and zips, too much for one student")
        if file.kind == ".zip" and not file.problem:
            try:
                if depth == ZIP_DEPTH:
                    raise ValueError("a zip in a zip in a zip is not opened")
                inside = list(_members(partial(_zip, file.read), f"{file.path}/", hidden))
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


def _members(opened: Callable[[], ZipFile], inside: str, hidden: set[str]) -> Iterator[File]:
    """What a zip holds, with paths that begin with `inside`. Raises ValueError for bytes that are no zip."""
    try:
        infos = _archive(opened).infolist()
    except Exception as error:  # of any kind, for bytes that are no zip
        raise ValueError(f"it cannot be read as a zip: {reason(error)}") from None
    for k, info in enumerate(infos):
        name = _name(info)
        parts, file = PurePosixPath(name).parts, File(inside + name, size=info.file_size)
        if len(name) > PATH or len(max(name.split("/"), key=len)) > NAME:
            cut = "/".join(part[:NAME] for part in name[:PATH].split("/"))
            yield File(inside + cut, f"its name is longer than {NAME} letters, or its path than {PATH}")
        elif dots := [k for k, part in enumerate(parts, 1) if _hidden(part)]:
            passed_over = inside + "/".join(parts[: dots[0]])
            if dots[0] > 1 and passed_over not in hidden:  # there may be nothing else in this folder
                yield File(passed_over.rpartition("/")[0] + "/")
            hidden.add(passed_over)
        elif name.startswith("/") or re.match("[A-Za-z]:", name) or ".." in parts:
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
        raise ValueError(f"it cannot be read from the zip: {reason(error)}") from None
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


def reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return printable(text) or type(error).__name__
