"""The course whose classes are graded in these tests, and what students hand in."""

import contextlib
import csv
import io
import json
import os
import select
import zipfile
from copy import deepcopy
from pathlib import Path

from coursekit_grade.solutions import Course

ROOT = Path(__file__).parents[2]
COURSE = Course(ROOT)
NAME = "02-perceptron"
TASKS = COURSE.points[NAME]
FULL = sum(TASKS.values())


def in_json(path):
    return json.loads((ROOT / path).read_text("utf-8"))


SOLUTION = in_json(f"solutions/{NAME}/perceptron.ipynb")
EXERCISE = (ROOT / "exercises" / NAME / "perceptron.ipynb").read_bytes()


def grade_id(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade_id")


def answered(notebook, answers):
    """A notebook with other sources for some answers."""
    changed = deepcopy(notebook)
    for cell in changed["cells"]:
        cell["source"] = answers.get(grade_id(cell), cell["source"])
    return changed


def notebook(**answers):
    """The solution of NAME with other answers, as bytes."""
    return json.dumps(answered(SOLUTION, answers)).encode()


def folder(root, files):
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))


def processes(belongs):
    """Those that live and for which belongs(their folder in /proc) is true, by their numbers."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found += [int(folder.name)] * bool((folder / "cmdline").read_bytes() and belongs(folder))
    return found


def await_end(belongs):
    """What is told to end takes a moment."""
    while left := processes(belongs):
        for process in left:
            with contextlib.suppress(ProcessLookupError), open(os.pidfd_open(process)) as end:
                assert select.select([end], [], [], 60)[0], f"{process} lives on"


def in_a_child(function):
    """What a function says that is called in a process of its own, "" if it fails there."""
    reads, writes = os.pipe()
    if not (child := os.fork()):
        try:
            os.write(writes, function().encode())
        finally:  # whatever happens, it must not go on as a second runner of these tests
            os._exit(0)
    os.close(writes)
    with open(reads) as said:
        text = said.read()
    os.waitpid(child, 0)
    return text
