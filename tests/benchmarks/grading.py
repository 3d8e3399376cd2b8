"""Seconds a notebook, beside nbgrader: python -m tests.benchmarks.grading [NOTEBOOKS]

Both grade the same notebooks, whole commands in one run, one at a time. Then a class of NOTEBOOKS (200) is graded two
at a time, and the memory of the grader is watched.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
NAME, FILE = "02-perceptron", "perceptron.ipynb"
BOTH = 60  # notebooks that both grade, a small class: what the commands take to start counts on both sides
BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
CONFIG = """from coursekit_grade import nbgrader_plugin
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.GenerateAssignment.preprocessors = nbgrader_plugin.GENERATE  # all else is nbgrader's own
c.Execute.iopub_timeout = 60
"""


def hand_in(course: Path, students: int) -> None:
    """Solutions in nbgrader's submitted/, no two the same; every third trace by hand is missing."""
    notebook = json.loads((ROOT / "solutions" / NAME / FILE).read_text())
    (cell,) = (c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == "hand_trace")
    answer = "".join(cell["source"])
    for k in range(students):
        cell["source"] = f"# student {k}" if k % 3 == 0 else f"{answer}\n# student {k}"
        path = course / "submitted" / f"student{k:04d}" / NAME / FILE
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook))


def seconds(course: Path, *command: str, seen: list[float] | None = None) -> float:
    """How long a command takes. seen: gets the memory of its processes, five times a second."""
    begin = time.perf_counter()
    with open(course / "log", "ab") as log:
        to = {"cwd": course, "env": ENVIRONMENT, "stdout": log, "stderr": log}
        process = subprocess.Popen([BIN / command[0], *command[1:]], **to)
    while seen is not None and process.poll() is None:
        seen.append(memory(process.pid))
        time.sleep(0.2)
    if process.wait():
        raise RuntimeError((course / "log").read_text()[-2000:])
    return time.perf_counter() - begin


def memory(process: int) -> float:
    """MB of the grader and of all that it has started, what they share counted once."""
    try:
        own = psutil.Process(process)
        return own.memory_full_info().pss / 1e6 + sum(memory(child.pid) for child in own.children())
    except psutil.Error:  # it has ended
        return 0.0


def main(notebooks: str = "200") -> None:
    grade = "coursekit", "grade", "submitted", "--course", str(ROOT), "--out", "results", "--jobs"
    with tempfile.TemporaryDirectory() as folder:
        hand_in(few := Path(folder, "few"), BOTH)
        shutil.copytree(ROOT / "solutions" / NAME, few / "solutions" / NAME)
        (few / "nbgrader_config.py").write_text(CONFIG)
        seconds(few, "nbgrader", "generate_assignment", NAME)
        ours, theirs = (seconds(few, *command) for command in ((*grade, "1"), ("nbgrader", "autograde", NAME)))
        print(f"coursekit {ours / BOTH:.2f} s a notebook, nbgrader {theirs / BOTH:.2f} s: "
              f"{theirs / ours:.1f} times as long", flush=True)

        hand_in(many := Path(folder, "many"), int(notebooks))
        took = seconds(many, *grade, "2", seen=(seen := []))
        quarter = len(seen) // 4
        print(f"{notebooks} notebooks, 2 at a time: {took:.0f} s. Memory of all its processes: at most {max(seen):.0f} "
              f"MB; {max(seen[quarter : 2 * quarter]):.0f} MB in the second quarter of the time, "
              f"{max(seen[-quarter:]):.0f} MB in the last")


if __name__ == "__main__":
    main(*sys.argv[1:])
