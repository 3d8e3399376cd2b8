"""A task that is added to a course: by the command, and as CONTRIBUTING.md tells it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from coursekit_grade.newtask import new_task
from coursekit_grade.release import release
from coursekit_grade.solutions import Course
from tests.grading.shared import ROOT, folder

RUN = """
import sys, nbformat
from coursekit.grading import NotYet
space = {}
try:
    for cell in nbformat.read(sys.argv[1], 4).cells:
        if cell.cell_type == "code":
            exec(cell.source, space)
except NotYet as error:
    print(error)
"""


def ran(arguments, folder):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(arguments, env={**os.environ, "PATH": path}, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_page_is_followed_step_by_step(tmp_path):
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Add a task")[1].split("\n## ")[0]
    here, path, out, compared = tmp_path, None, "", 0
    for before, kind, block in re.findall(r"(.*?)```(\w+)\n(.*?)```", page, re.S):
        named = re.findall(r"`(\w+/[^`]+\.(?:py|ipynb))`", before)
        path = here / named[-1] if named else path  # a block of Python goes into the file that was named last
        if kind == "sh":
            out = ran(["bash", "-e", "-c", f"{block}\npwd > {tmp_path}/where"], here)
            here = Path((tmp_path / "where").read_text().strip())
        elif kind == "python" and path.suffix == ".py":
            assert path.exists()
            path.write_text(block)
        elif kind == "python":
            notebook, head = nbformat.read(path, 4), block.split("(")[0]
            (cell,) = [c for c in notebook.cells if c.cell_type == "code" and c.source.startswith(head + "(")]
            cell.source = block
            nbformat.write(notebook, path)
            if "exercises" in path.parts:
                out = ran([sys.executable, "-P", "-c", RUN, str(path)], path.parent)
        else:
            assert kind == "text"
            assert out == block
            compared += 1
    assert compared == 3


def test_what_it_writes_is_a_task_that_releases_and_grows(tmp_path):
    new_task(tmp_path, "01-means", "center")
    release(tmp_path)
    before = [path.read_text() for path in new_task(tmp_path, "01-means", "spread", 2)]
    new_task(tmp_path, "02-more-means", "middle")
    source, tasks = new_task(tmp_path, "01-means", "third")
    assert tasks.read_text().startswith(before[1])
    cells = [c.id for c in nbformat.read(source, 4).cells]
    assert cells[-3:] == ["third-text", "third", "third-check"]
    assert [c.id for c in nbformat.reads(before[0], 4).cells] == cells[:-3]
    assert len(release(tmp_path)) == 4
    points = Course(tmp_path).points
    assert points == {"01-means": {"center": 1, "spread": 2, "third": 1}, "02-more-means": {"middle": 1}}


def test_a_notebook_without_tasks_and_tasks_without_a_notebook_are_kept(tmp_path):
    lecture = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Mine.", id="mine")])
    folder(tmp_path / "solutions" / "01-means", {"lecture.ipynb": nbformat.writes(lecture).encode(),
                                                 "tasks.py": b"from coursekit_grade.tasks import task  # mine"})
    source, tasks = new_task(tmp_path, "01-means", "center")
    assert source.name == "lecture.ipynb"
    assert nbformat.read(source, 4).cells[0].source == "Mine."
    assert tasks.read_text().startswith("from coursekit_grade.tasks import task  # mine\n")
    new_task(tmp_path, "01-means", "spread")
    cells = nbformat.read(release(tmp_path)[0], 4).cells
    assert [c.id for c in cells if "import hint" in c.source] == ["import-check"]
    assert [c.id for c in cells][1:3] == ["import-check", "center-text"]


BAD = {"03-two": dict.fromkeys(("a.ipynb", "b.ipynb"), nbformat.writes(nbformat.v4.new_notebook()).encode()),
       "04-broken": {"broken.ipynb": b"{"}}
REFUSED = [
    *[(assignment, "spread", "two digits and a topic") for assignment in ("means", "01-Means", "../01-means")],
    *[("01-means", name, f"got '{name}'") for name in ("two words", "sum", "lambda", "check")],
    ("02-more", "center", r"means.ipynb has a cell for center already"),
    ("03-two", "spread", "must hold one notebook; it holds 2"),
    ("04-broken", "spread", "broken.ipynb is not a valid notebook"),
]


def test_what_it_refuses_changes_nothing(tmp_path):
    with pytest.raises(ValueError, match="the course must be a folder"):
        new_task(tmp_path / "nowhere", "01-means", "center")
    new_task(tmp_path, "01-means", "center")
    for assignment, name, told in REFUSED:
        folder(tmp_path / "solutions" / assignment, BAD.get(assignment, {}))
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        with pytest.raises(ValueError, match=told):
            new_task(tmp_path, assignment, name)
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
