"""nbgrader with our sandbox in place of its kernel, and our marks in its gradebook."""

import copy
import json
import os
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config

from coursekit.cli import main
from coursekit.grading import nbgrader_plugin
from coursekit.grading.classroom import Graded
from coursekit.grading.course import Course
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark, TaskMark

pytestmark = pytest.mark.filterwarnings("ignore:Object of type:Warning")  # nbgrader's own, about its database

ROOT = Path(__file__).parents[2]
NAME = "02-perceptron"
TASKS = Course(ROOT).points[NAME]
FULL = sum(TASKS.values())
SOLUTION = json.loads((ROOT / "solutions" / NAME / "perceptron.ipynb").read_text())


def changed(change):
    notebook = copy.deepcopy(SOLUTION)
    cells = {c["metadata"]["nbgrader"]["grade_id"]: c for c in notebook["cells"] if "nbgrader" in c["metadata"]}
    change(notebook, cells)
    return notebook


def twice(notebook, cells):
    notebook["cells"].insert(4, {**copy.deepcopy(cells["update"]), "id": "again"})


def without_checks(notebook, cells):
    notebook["cells"] = [c for c in notebook["cells"] if not c["metadata"].get("nbgrader", {}).get("grade")]


def forged(notebook, cells):
    cells["update"]["source"] = "def update(theta, x, y):\n    return theta"
    for cell in cells.values():
        cell["metadata"]["nbgrader"].update(points=99, schema_version=7, grade=False, locked=False)
    cells["setup"]["metadata"]["nbgrader"] = ["no", "object"]


def noisy(notebook, cells):
    cells["bound"]["source"] = "import sys\nprint('careful', file=sys.stderr)\n" + "".join(cells["bound"]["source"])
    cells["cycle"]["source"] = "def cycle(X, y, passes):\n    while True: pass"


STUDENTS = {"twice": (twice, FULL), "without-checks": (without_checks, FULL),
            "forged": (forged, FULL - TASKS["update"]), "noisy": (noisy, FULL - TASKS["cycle"])}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("nbgrader")
    shutil.copytree(ROOT / "solutions" / NAME, root / "solutions" / NAME, ignore=shutil.ignore_patterns(".*"))
    for student, (change, _) in STUDENTS.items():
        path = root / "submitted" / student / NAME / "perceptron.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(changed(change)))
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.source_directory = "solutions"
    config.Autograde.sanitize_preprocessors = nbgrader_plugin.SANITIZE
    config.Autograde.autograde_preprocessors = nbgrader_plugin.AUTOGRADE
    config.SafeExecute.seed = 5
    with pytest.MonkeyPatch.context() as patch:
        # nbgrader runs `alembic` from PATH, which an activated environment has.
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        api = NbGraderAPI(config=config)
        step = api.generate_assignment(NAME)
        assert step["success"], step["log"]
        yield root, api


@pytest.mark.slow
@pytest.mark.parametrize("student", STUDENTS)
def test_nbgrader_gets_our_marks(course, student):
    root, api = course
    for step in (api.autograde(NAME, student), api.generate_feedback(NAME, student)):
        assert step["success"], step.get("error") or step.get("log")
    with api.gradebook as gradebook:
        marks = gradebook.find_submission(NAME, student)
        assert (marks.score, marks.max_score, marks.needs_manual_grade) == (STUDENTS[student][1], FULL, False)
    page = (root / "feedback" / student / NAME / "perceptron.html").read_text()
    assert ("was still running" in page) == (student == "noisy")


@pytest.mark.slow
def test_what_cannot_be_graded_gets_no_mark(course, monkeypatch):
    _, api = course
    busy = Mark(NAME, (), "no process could be started")
    monkeypatch.setattr(nbgrader_plugin, "grade_notebook", lambda *_, **__: busy)
    step = api.autograde(NAME, "twice", force=True)
    assert not step["success"]
    assert "cannot be graded: no process could be started" in step["log"]


def test_an_unknown_assignment_is_named():
    notebook = nbformat.v4.new_notebook()
    with pytest.raises(RuntimeError, match=rf"must be one of 01-linear-classifiers, {NAME}, .*; got '99-none'"):
        nbgrader_plugin.SafeExecute().preprocess(notebook, {"nbgrader": {"assignment": "99-none"}})


@pytest.mark.slow
def test_marks_go_into_the_gradebook_of_a_course(course, tmp_path, monkeypatch):
    root, _ = course
    shutil.copy(root / "gradebook.db", tmp_path / "gradebook.db")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "submitted" / "ann" / NAME).mkdir(parents=True)
    (tmp_path / "submitted" / "ann" / NAME / "perceptron.ipynb").write_text(json.dumps(SOLUTION))
    for database in ("gradebook.db", "new.db"):
        main(["grade", "submitted", "--out", "out", "--gradebook", *([database] if database == "new.db" else [])])
        with Gradebook(f"sqlite:///{database}") as gradebook:
            marks = gradebook.find_submission(NAME, "ann")
            assert (marks.score, marks.max_score, marks.needs_manual_grade) == (FULL, FULL, False)
            assert (len(gradebook.students) > 1) == (database == "gradebook.db")


def test_marks_by_hand_stay_and_open_tasks_wait_for_a_hand(tmp_path, monkeypatch):
    database, before = tmp_path / "gradebook.db", dict(os.environ)
    tasks = TaskMark("update", 2, 2), TaskMark("bound", 0, 3, ungraded="no process could be started")
    graded = [Graded(Submission("Ann Lee", "1012", "a.ipynb", NAME), Mark(NAME, tasks))]
    graded += [Graded(Submission("Bo", "", "b.ipynb", NAME), Mark(NAME, (), "it is not a notebook"))]
    nbgrader_plugin.save(graded, database)
    with Gradebook(f"sqlite:///{database}") as gradebook:
        assert [student.id for student in gradebook.students] == ["1012"]
        update, bound = (gradebook.find_grade(f"{n}-check", "perceptron", NAME, "1012") for n in ("update", "bound"))
        assert (update.auto_score, update.needs_manual_grade) == (2, False)
        assert (bound.auto_score, bound.needs_manual_grade) == (None, True)
        bound.manual_score = 1.5
        gradebook.db.commit()
    nbgrader_plugin.save(graded, database)
    with Gradebook(f"sqlite:///{database}") as gradebook:
        assert gradebook.find_submission(NAME, "1012").score == 3.5
    assert dict(os.environ) == before  # what is started after it is still found


@pytest.mark.parametrize("name", ["missing/gradebook.db", "no.db"])
def test_a_file_that_is_no_gradebook(tmp_path, name):
    (tmp_path / "no.db").write_bytes(b"precious" * 100)
    with pytest.raises(ValueError, match="cannot be used: "):
        nbgrader_plugin.save([], tmp_path / name)
    assert (tmp_path / "no.db").read_bytes() == b"precious" * 100
