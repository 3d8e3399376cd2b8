"""An instructor who keeps nbgrader: it takes our folders as they are, our sandbox for its kernel, our marks."""

import copy
import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("nbgrader", reason='needs the extra: pip install "linear-classification-course[nbgrader]"')
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config

from coursekit_grade import command, nbgrader_plugin, protocol
from coursekit_grade.graded import Graded
from coursekit_grade.intake import Submission
from coursekit_grade.mark import Mark, TaskMark
from coursekit_grade.newtask import new_task
from coursekit_grade.release import WORDS, release
from coursekit_grade.solutions import Course
from tests.grading.shared import FULL, NAME, ROOT, SOLUTION, TASKS, grade_id, rows

pytestmark = pytest.mark.filterwarnings("ignore:Object of type:Warning")  # nbgrader's own, about its database
HIDDEN = shutil.ignore_patterns(".*")


def nbgrader(root, ours, monkeypatch):
    """Its API for a course; ours: with our preprocessors."""
    # It runs `alembic` from PATH, which an activated environment has.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    config = Config({
        "CourseDirectory": {"root": str(root), "source_directory": "solutions", "ignore": ["tasks.py", ".*"]},
        "GenerateAssignment": {"preprocessors": nbgrader_plugin.GENERATE},
        "Execute": {"iopub_timeout": 60},  # seconds; the default of 4 fails on a busy machine
    })
    if ours:
        config.Autograde.sanitize_preprocessors = nbgrader_plugin.SANITIZE
        config.Autograde.autograde_preprocessors = nbgrader_plugin.AUTOGRADE
        config.SafeExecute.seed = 5
    return NbGraderAPI(config=config)


def marks_of(gradebook, assignment, student):
    marks = gradebook.find_submission(assignment, student)
    return marks.score, marks.max_score, marks.needs_manual_grade


def done(*steps):
    for step in steps:
        assert step["success"], step.get("error") or step.get("log")


MEANS, SECRET = "01-means", "Because the sum is divided by the number of values."


@pytest.fixture
def course(tmp_path):
    """A course with a task and a question to be answered in words, handed in by two."""
    source, _ = new_task(tmp_path, MEANS, "center", 2)
    notebook = nbformat.read(source, 4)
    told = {"grade": True, "solution": True, "locked": False, "task": False, "schema_version": 3, "grade_id": "explain",
            "points": 3, "cell_type": "markdown"}
    notebook.cells.append(nbformat.v4.new_markdown_cell(SECRET, id="explain", metadata={"nbgrader": told}))
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(f"<!-- BEGIN SOLUTION -->\n{SECRET}", id="why"))
    nbformat.write(notebook, source)
    release(tmp_path)
    for student in ("ann", "bo"):
        path = tmp_path / "submitted" / student / MEANS / source.name
        path.parent.mkdir(parents=True)
        notebook.cells[-1].source = f"In the words of {student}."
        nbformat.write(notebook, path)
    return tmp_path


@pytest.mark.slow
def test_nbgrader_gives_all_marks_to_the_solution_and_none_to_the_untouched_exercise(course, monkeypatch):
    shutil.copytree(course / "exercises" / MEANS, course / "submitted" / "new" / MEANS, ignore=HIDDEN)
    api = nbgrader(course, False, monkeypatch)
    done(api.generate_assignment(MEANS), api.autograde(MEANS, "ann"), api.autograde(MEANS, "new"),
         api.generate_feedback(MEANS, "ann"))
    assert SECRET not in next((course / "release" / MEANS).glob("*.ipynb")).read_text("utf-8")
    with api.gradebook as gradebook:
        assert {s: gradebook.find_submission(MEANS, s).score for s in ("ann", "new")} == {"ann": 2, "new": 0}
    assert list((course / "feedback" / "ann" / MEANS).glob("*.html"))


def changed(notebook, cells, student):
    if student == "forged":
        notebook["cells"].insert(4, {**copy.deepcopy(cells["update"]), "id": "again"})
        cells["update"]["source"] = "def update(theta, x, y):\n    return theta"
        notebook["cells"].append({**copy.deepcopy(cells["update"]), "id": "last"})
        for cell in cells.values():
            cell["metadata"]["nbgrader"].update(points=99, schema_version=7, grade=False, locked=False)
        cells["setup"]["metadata"]["nbgrader"] = ["no", "object"]
    else:
        stderr = ["import helpers, own.part, sys\n", "print('careful', file=sys.stderr)\n"]
        cells["bound"]["source"] = [*stderr, *cells["bound"]["source"]]
        cells["cycle"]["source"] = "def cycle(X, y, passes):\n    while True: pass"
        notebook["cells"] = [c for c in notebook["cells"] if not c["metadata"].get("nbgrader", {}).get("grade")]


@pytest.mark.slow
def test_nbgrader_gets_our_marks(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "solutions" / NAME, tmp_path / "solutions" / NAME, ignore=HIDDEN)
    for student in ("forged", "noisy"):
        notebook = copy.deepcopy(SOLUTION)
        changed(notebook, {grade_id(c): c for c in notebook["cells"] if grade_id(c)}, student)
        (folder := tmp_path / "submitted" / student / NAME).mkdir(parents=True)
        (folder / "perceptron.ipynb").write_text(json.dumps(notebook))
        (folder / "own").mkdir()
        for name in ("helpers.py", "own/part.py"):
            (folder / name).write_text("import numpy")
    monkeypatch.setattr(protocol, "TASK_SECONDS", 2.0)
    api = nbgrader(tmp_path, True, monkeypatch)
    done(api.generate_assignment(NAME), api.autograde(NAME, "forged"), api.autograde(NAME, "noisy"),
         api.generate_feedback(NAME, "noisy"))
    with api.gradebook as gradebook:
        for student, lost in (("forged", "update"), ("noisy", "cycle")):
            assert marks_of(gradebook, NAME, student) == (FULL - TASKS[lost], FULL, False)
    assert "was still running" in (tmp_path / "feedback" / "noisy" / NAME / "perceptron.html").read_text()
    # What cannot be graded gets no mark.
    busy = Mark(NAME, (), "no process could be started")
    monkeypatch.setattr(nbgrader_plugin, "grade_notebook", lambda *_: busy)
    step = api.autograde(NAME, "noisy", force=True)
    assert not step["success"]
    assert "cannot be graded: no process could be started" in step["log"]


def test_an_unknown_assignment_is_named():
    with pytest.raises(RuntimeError, match=rf"must be one of 01-linear-classifiers, {NAME}, .*; got '99-none'"):
        nbgrader_plugin.SafeExecute().preprocess(nbformat.v4.new_notebook(), {"nbgrader": {"assignment": "99-none"}})


@pytest.mark.slow
def test_marks_by_hand_stay_and_open_tasks_wait_for_a_hand(tmp_path, monkeypatch):
    """In a new gradebook, and in an environment that is not activated."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    database, before = tmp_path / "gradebook.db", dict(os.environ)
    tasks = TaskMark("update", 2, 2), TaskMark("bound", 0, 3, ungraded="no process could be started")
    graded = [Graded(Submission("Ann Lee", "1012", "a.ipynb", NAME), Mark(NAME, tasks))]
    graded += [Graded(Submission("Bo", "", "b.ipynb", NAME), Mark(NAME, (), "it is not a notebook"))]
    nbgrader_plugin.Words(database).save(graded)
    with Gradebook(f"sqlite:///{database}") as gradebook:
        assert [student.id for student in gradebook.students] == ["1012"]
        update, bound = (gradebook.find_grade(f"{n}-check", "perceptron", NAME, "1012") for n in ("update", "bound"))
        assert (update.auto_score, update.needs_manual_grade) == (2, False)
        assert (bound.auto_score, bound.needs_manual_grade) == (None, True)
        bound.manual_score = 1.5
        gradebook.db.commit()
    nbgrader_plugin.Words(database).save(graded)
    with Gradebook(f"sqlite:///{database}") as gradebook:
        assert gradebook.find_submission(NAME, "1012").score == 3.5
    assert dict(os.environ) == before  # what is started after it is still found


def test_a_file_that_is_no_gradebook(tmp_path):
    (tmp_path / "no.db").write_bytes(b"precious" * 100)
    for name in ("missing/gradebook.db", "no.db"):
        with pytest.raises(ValueError, match="cannot be used: "):
            nbgrader_plugin.Words(tmp_path / name).save([])
    assert (tmp_path / "no.db").read_bytes() == b"precious" * 100


def grade(course, **options):
    command.grade(command.Options(course / "submitted", course / "out", course, seed=1, jobs=1, **options))
    return {row["student"]: row for row in rows(course / "out" / "grades.csv")}


def test_an_answer_in_words_is_not_released(course):
    released = nbformat.read(course / "exercises" / MEANS / "means.ipynb", 4).cells[-1]
    assert released.source == WORDS
    assert SECRET not in (course / "exercises" / MEANS / "means.ipynb").read_text()
    assert released.metadata.nbgrader.points == 3
    assert (Course(course).points, Course(course).words) == ({MEANS: {"center": 2}}, {MEANS: {"explain": 3}})


@pytest.mark.slow
def test_what_a_person_gave_in_nbgrader_meets_our_marks(course, monkeypatch):
    monkeypatch.chdir(course)
    ann = grade(course)["ann"]
    assert (ann["total"], ann["max"], "explain" in ann) == ("2", "2", False)
    api = nbgrader(course, True, monkeypatch)
    done(api.generate_assignment(MEANS), api.autograde(MEANS, "ann"), api.autograde(MEANS, "bo"))
    database = course / "gradebook.db"
    table = grade(course, gradebook=database)
    assert [table[s]["total"] for s in ("ann", "bo")] == ["", ""]
    assert table["ann"]["status"] == "ungraded: explain: a person has to read it first"
    with api.gradebook as gradebook:  # what the formgrader does when a mark and a comment are typed in
        assert gradebook.find_submission(MEANS, "ann").needs_manual_grade
        explain = gradebook.find_grade("explain", "means", MEANS, "ann")
        explain.manual_score, explain.needs_manual_grade = 2.5, False
        gradebook.find_comment("explain", "means", MEANS, "ann").manual_comment = "Say <what> is summed."
        gradebook.db.commit()
    (course / "adjust.csv").write_text("student,task,points\nann,center,1\nbo,total,4\n")
    table = grade(course, gradebook=database, adjust=course / "adjust.csv", nbgrader_csv=True)
    assert [table["ann"][c] for c in ("center", "explain", "total", "max")] == ["1", "2.5", "3.5", "5"]
    assert (table["bo"]["total"], table["bo"]["explain"]) == ("4", "")
    page = (course / "out" / "feedback" / "ann.html").read_text()
    assert "Say &lt;what&gt; is summed." in page
    assert "2.5 of 3" in page
    with zipfile.ZipFile(course / "out" / "nbgrader-feedback.zip") as archive:
        assert archive.read(f"ann/{MEANS}/means.html").decode() == page
    with Gradebook(f"sqlite:///{database}") as gradebook:
        assert marks_of(gradebook, MEANS, "ann") == (3.5, 5, False)
        assert gradebook.find_grade("explain", "means", MEANS, "ann").manual_score == 2.5
