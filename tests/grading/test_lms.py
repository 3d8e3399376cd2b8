"""What goes back to Canvas and nbgrader, read as their own import code reads it. (Moodle: test_grade.)"""

import csv
import io
import re
import zipfile
from decimal import Decimal

import pytest

from coursekit.grading import intake, lms
from coursekit.grading.adjust import Adjustments
from coursekit.grading.classroom import Graded, Late
from coursekit.grading.intake import Submission, lms_name
from coursekit.grading.mark import Mark, TaskMark
from tests.grading.shared import COURSE, EXERCISE, NAME, zipped

HANDED_IN = {  # and the points for it
    "leezoe_1012_77001_perceptron.ipynb": 2, "bo_LATE_1013_77002_my_own_7_perceptron.ipynb": None,
    "cy_1014_77003_perceptron-1.ipynb": 1,
}


MARKS = {"1012": "2", "1014": "0.75"}  # adjusted, late


@pytest.fixture(scope="module")
def given_back(tmp_path_factory):
    folder = tmp_path_factory.mktemp("canvas")
    found = intake.collect(zipped(folder / "in.zip", dict.fromkeys(HANDED_IN, EXERCISE)), COURSE.points)
    (folder / "adjust.csv").write_text("student,task,points\n1014,total,+0.25\n")
    adjustments = Adjustments(folder / "adjust.csv", found, COURSE.points)
    graded = [
        adjustments.applied(Graded(s, Mark(NAME, (TaskMark("update", points or 0, 2, "busy" * (points is None)),)), 22))
        for s in found for points in [HANDED_IN[s.file]]
    ]
    graded[1] = graded[1]._replace(late=Late(1, "day", Decimal("0.5")))
    graded.append(Graded(Submission("nobody", "", "x.ipynb", NAME), graded[0].mark, 22))  # has no id
    pages = {g.submission.student: f"{g.total} of 22" for g in graded}
    assert found.lms == "Canvas"
    return {system: lms.files(graded, pages, system) for system in ("Canvas", "Moodle")}


def test_the_table_is_what_canvas_reads(given_back):
    header, points, *rows = csv.reader(io.StringIO(given_back["Canvas"][f"canvas-{NAME}.csv"]))
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert re.search(r"SIS\s+User\s+ID", header[2])
    assert re.search(r"SIS\s+Login\s+ID", header[3])
    assert "Section" in header[4]
    assert header[5:] == [NAME]
    assert "Points Possible" in points[0]
    assert points[5] == "22"
    assert {row[1]: row[5] for row in rows} == MARKS  # what has no mark keeps what it has there
    table = list(csv.DictReader(io.StringIO(given_back["Moodle"][f"moodle-{NAME}.csv"])))
    assert {row["Identifier"]: row["Grade"] for row in table} == {f"Participant {k}": mark for k, mark in MARKS.items()}
    assert {row["Maximum grade"] for row in table} == {"22"}


def test_the_zip_of_feedback_finds_its_students(given_back):
    with zipfile.ZipFile(io.BytesIO(given_back["Canvas"][f"canvas-{NAME}-feedback.zip"])) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    users = {}
    for name, page in pages.items():
        user, attachment = [part for part in name.split("_") if re.fullmatch(r"\d+", part)][:2]
        assert any(f"_{user}_{attachment}_" in given for given in HANDED_IN)
        assert name.endswith("_feedback.html")
        users[user] = page
    assert users == {k: f"{mark} of 22" for k, mark in {**MARKS, "1013": "0"}.items()}


def test_an_unchanged_class_gets_the_same_bytes():
    texts = {"b/x.html": "é", "a.html": "1"}
    assert lms.zipped(texts) == lms.zipped(dict(reversed(texts.items())))


@pytest.mark.parametrize(("file", "name"), [
    ("lee_1012_77001_a_1_2.ipynb", "lee_1012_77001_"),
    ("lee_LATE_1012_77001_x.zip/y_1012_3_z.ipynb", "lee_LATE_1012_77001_"),
    ("week 2/lee_1012_77001_x.ipynb", "lee_1012_77001_"), ("elsewhere.ipynb", "lee_1012_"),
])
def test_canvas_knows_a_page_by_the_name_of_what_was_handed_in(file, name):
    assert lms_name(Submission("lee", "1012", file, NAME)) == name


def test_nbgrader_gets_its_folders():
    mark = Mark(NAME, (TaskMark("update", 1, 2),))
    g = Graded(Submission("ann", "", f"ann/{NAME}/perceptron.ipynb", NAME), mark)
    with zipfile.ZipFile(io.BytesIO(lms.nbgrader_feedback([g], {"ann": "page"}))) as archive:
        assert archive.namelist() == [f"ann/{NAME}/perceptron.html"]
    assert g.total == Decimal(1)
    assert lms.files([g], {"ann": "page"}, "") == {}
