"""Answers in words: nbgrader's manually graded cells, in one table and on one page with our marks."""

import csv
import json
import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config

from coursekit.grading import command, nbgrader_plugin
from coursekit.grading.course import Course
from coursekit.grading.newtask import new_task
from coursekit.grading.release import WORDS, release

pytestmark = pytest.mark.filterwarnings("ignore:Object of type:Warning")  # nbgrader's own, about its database
NAME, SECRET = "01-means", "Because the sum is divided by the number of values."


@pytest.fixture
def course(tmp_path):
    """A course with a task and a question to be answered in words, handed in by two."""
    source, _ = new_task(tmp_path, NAME, "centre", 2)
    notebook = nbformat.read(source, 4)
    told = {"grade": True, "solution": True, "locked": False, "task": False, "schema_version": 3, "grade_id": "explain",
            "points": 3, "cell_type": "markdown"}
    notebook.cells.append(nbformat.v4.new_markdown_cell(SECRET, id="explain", metadata={"nbgrader": told}))
    nbformat.write(notebook, source)
    release(tmp_path)
    for student in ("ann", "bo"):
        path = tmp_path / "submitted" / student / NAME / source.name
        path.parent.mkdir(parents=True)
        notebook.cells[-1].source = f"In the words of {student}."
        nbformat.write(notebook, path)
    return tmp_path


def grade(course, **options):
    command.grade(course / "submitted", course / "out", course, seed=1, jobs=1, **options)
    with open(course / "out" / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_the_answer_is_not_released_and_our_marks_leave_it_alone(course):
    released = nbformat.read(course / "exercises" / NAME / "means.ipynb", 4).cells[-1]
    assert released.source == WORDS
    assert SECRET not in (course / "exercises" / NAME / "means.ipynb").read_text()
    assert released.metadata.nbgrader.points == 3
    assert (Course(course).points, Course(course).words) == ({NAME: {"centre": 2}}, {NAME: {"explain": 3}})
    ann = grade(course)["ann"]
    assert (ann["total"], ann["max"], "explain" in ann) == ("2", "2", False)


@pytest.mark.slow
def test_what_a_person_gave_in_nbgrader_meets_our_marks(course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    config = Config()
    config.CourseDirectory.root = str(course)
    config.CourseDirectory.source_directory = "solutions"
    config.CourseDirectory.ignore = ["tasks.py"]
    config.Autograde.sanitize_preprocessors = nbgrader_plugin.SANITIZE
    config.Autograde.autograde_preprocessors = nbgrader_plugin.AUTOGRADE
    api = NbGraderAPI(config=config)
    for step in (api.generate_assignment(NAME), api.autograde(NAME, "ann"), api.autograde(NAME, "bo")):
        assert step["success"], step["log"]
    database = course / "gradebook.db"
    table = grade(course, gradebook=database)
    assert [table[s]["total"] for s in ("ann", "bo")] == ["", ""]
    assert table["ann"]["status"] == "ungraded: explain: a person has to read it first"
    with api.gradebook as gradebook:  # what the formgrader does when a mark and a comment are typed in
        assert gradebook.find_submission(NAME, "ann").needs_manual_grade
        explain = gradebook.find_grade("explain", "means", NAME, "ann")
        explain.manual_score, explain.needs_manual_grade = 2.5, False
        gradebook.find_comment("explain", "means", NAME, "ann").manual_comment = "Say <what> is summed."
        gradebook.db.commit()
    (course / "adjust.csv").write_text("student,task,points\nann,centre,1\nbo,total,4\n")
    table = grade(course, gradebook=database)
    assert [table["ann"][c] for c in ("centre", "explain", "total", "max")] == ["1", "2.5", "3.5", "5"]
    assert (table["bo"]["total"], table["bo"]["explain"]) == ("4", "")
    page = (course / "out" / "feedback" / "ann.html").read_text()
    assert "Say &lt;what&gt; is summed." in page
    assert "2.5 of 3" in page
    with Gradebook(f"sqlite:///{database}") as gradebook:
        ann = gradebook.find_submission(NAME, "ann")
        assert (ann.score, ann.max_score, ann.needs_manual_grade) == (3.5, 5, False)
        assert gradebook.find_grade("explain", "means", NAME, "ann").manual_score == 2.5
    assert json.loads((course / "submitted" / "ann" / NAME / "means.ipynb").read_text())["cells"]
