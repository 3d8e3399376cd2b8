"""Seconds a notebook, beside nbgrader: python -m tests.benchmarks.grading [NOTEBOOKS]

Both grade the same notebooks, whole commands in one run, one at a time and two at a time. Then a class of NOTEBOOKS
(200) is graded two at a time, and the memory of the grader is watched.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAME, FILE = "02-perceptron", "perceptron.ipynb"
BOTH = 60  # notebooks that both grade, a small class: what the commands take to start counts on both sides
BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
CONFIG = 'c = get_config()\nc.CourseDirectory.source_directory = "solutions"\nc.Execute.iopub_timeout = 60\n'


def hand_in(course: Path, students: range) -> None:
    """Solutions in nbgrader's submitted/, no two the same; every third trace by hand is missing."""
    notebook = json.loads((ROOT / "solutions" / NAME / FILE).read_text())
    (cell,) = (c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == "hand_trace")
    answer = "".join(cell["source"])
    for k in students:
        cell["source"] = f"# student {k}" if k % 3 == 0 else f"{answer}\n# student {k}"
        path = course / "submitted" / f"student{k:04d}" / NAME / FILE
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook))


def start(*command: str | Path, folder: Path) -> subprocess.Popen:
    with open(folder / "log", "ab") as log:
        return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log)


def ended(process: subprocess.Popen, folder: Path) -> None:
    if process.wait():
        raise RuntimeError((folder / "log").read_text()[-2000:])


def coursekit(course: Path, jobs: int) -> subprocess.Popen:
    options = "--out", f"results-{jobs}", "--jobs", str(jobs)
    return start(BIN / "coursekit", "grade", "submitted", *options, folder=course)


def nbgrader(course: Path) -> subprocess.Popen:
    return start(BIN / "nbgrader", "autograde", NAME, "--force", folder=course)


def memory(process: int) -> float:
    """MB of the grader and of all that it has started, what they share counted once."""
    try:
        lists = [path.read_text().split() for path in Path(f"/proc/{process}/task").glob("*/children")]
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    own = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
    return own + sum(memory(int(child)) for children in lists for child in children)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        # nbgrader grades one after another, and its database has one writer: two at a time are two courses.
        courses = [Path(folder, name) for name in ("all", "half", "other-half")]
        for course, students in zip(courses, (range(BOTH), range(0, BOTH, 2), range(1, BOTH, 2)), strict=True):
            hand_in(course, students)
            shutil.copytree(ROOT / "solutions" / NAME, course / "solutions" / NAME)
            (course / "nbgrader_config.py").write_text(CONFIG)
            ended(start(BIN / "nbgrader", "generate_assignment", NAME, folder=course), course)
        for jobs, theirs in ((1, courses[:1]), (2, courses[1:])):
            begin = time.perf_counter()
            ended(coursekit(courses[0], jobs), courses[0])
            middle = time.perf_counter()
            for process, course in [(nbgrader(course), course) for course in theirs]:
                ended(process, course)
            end = time.perf_counter()
            ours, nbgraders = (middle - begin) / BOTH, (end - middle) / BOTH
            print(
                f"{jobs} at a time: coursekit {ours:.2f} s a notebook, nbgrader {nbgraders:.2f} s: "
                f"{nbgraders / ours:.1f} times as long", flush=True
            )

        many, seen = Path(folder, "many"), []
        notebooks = int(sys.argv[1]) if len(sys.argv) > 1 else 200
        hand_in(many, range(notebooks))
        begin = time.perf_counter()
        process = coursekit(many, 2)
        while process.poll() is None:
            seen.append(memory(process.pid))
            time.sleep(0.2)
        ended(process, many)
        quarter = len(seen) // 4
        print(
            f"{notebooks} notebooks, 2 at a time: {time.perf_counter() - begin:.0f} s. Memory of all its processes: "
            f"at most {max(seen):.0f} MB; {max(seen[quarter : 2 * quarter]):.0f} MB in the second quarter of the time, "
            f"{max(seen[-quarter:]):.0f} MB in the last"
        )


if __name__ == "__main__":
    main()
