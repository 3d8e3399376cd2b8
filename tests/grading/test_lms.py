"""What goes back to Moodle, Canvas and nbgrader, read as their own import code reads it."""

import csv
import io
import re
import zipfile
from decimal import Decimal

import pytest

from coursekit.grading import classroom, command, lms
from coursekit.grading.adjust import FILE
from coursekit.grading.classroom import Graded
from coursekit.grading.intake import Submission, lms_name
from coursekit.grading.mark import Mark, TaskMark
from tests.grading.stand_in import stand_in
from tests.grading.test_adjust import ROOT

NAME = "02-perceptron"
FULL = sum(command.Course(ROOT).points[NAME].values())
# The header of a worksheet that Moodle 4 gives out: its import looks for three of these names.
WORKSHEET = (
    "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum grade", "Grade can be changed",
    "Last modified (submission)", "Last modified (grade)", "Feedback comments",
)
HANDED_IN = {
    "Moodle": {
        "Zoë =Lee_1012_assignsubmission_file_/perceptron.ipynb": b"{2}",
        "Bo_1013_assignsubmission_file_/my own perceptron.ipynb": b"{busy machine}",
        "Cy-Dee_1014_assignsubmission_file_/perceptron.ipynb": b"{1}",
    },
    "Canvas": {
        "leezoe_1012_77001_perceptron.ipynb": b"{2}", "bo_LATE_1013_77002_my_own_7_perceptron.ipynb": b"{busy machine}",
        "cy_1014_77003_perceptron-1.ipynb": b"{1}",
    },
}


@pytest.fixture(params=HANDED_IN)
def given_back(request, tmp_path, monkeypatch):
    """The LMS, and what a run left for it."""
    monkeypatch.setattr(classroom, "grade_notebook", stand_in)
    monkeypatch.setattr(command, "sandbox_missing", lambda: "")
    collected = tmp_path / "handed in.zip"
    with zipfile.ZipFile(collected, "w") as archive:
        for name, data in HANDED_IN[request.param].items():
            archive.writestr(name, data)
    (tmp_path / FILE).write_text("student,task,points\n1014,total,+0.25\n")
    command.grade(collected, tmp_path / "out", ROOT, seed=1, jobs=1)
    return request.param, tmp_path / "out", list(HANDED_IN[request.param])


def test_the_table_is_what_the_import_reads(given_back):
    system, out, _ = given_back
    data = (out / f"{system.lower()}-{NAME}.csv").read_bytes()
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    header = rows[0]
    assert data.startswith(b"\xef\xbb\xbf") == (system == "Moodle")  # for Zoë, in Excel
    if system == "Moodle":
        assert set(header) <= set(WORKSHEET)
        identifier, grade, modified = (header.index(n) for n in ("Identifier", "Grade", "Last modified (grade)"))
        # The import cuts "Participant " off; an id that is not a participant's is passed over.
        marks = {row[identifier][len("Participant "):]: row[grade] for row in rows[1:]}
        assert all(row[modified] == "" for row in rows[1:])
        assert all(re.fullmatch(r"Participant \d+", row[identifier]) for row in rows[1:])
        assert [row[header.index("Maximum grade")] for row in rows[1:]] == [str(FULL)] * 2
    else:
        assert "Student" in header[0]
        assert "ID" in header[1]
        assert re.search(r"SIS\s+User\s+ID", header[2])
        assert re.search(r"SIS\s+Login\s+ID", header[3])
        assert "Section" in header[4]
        assert header[5:] == [NAME]
        assert "Points Possible" in rows[1][0]
        assert rows[1][5] == str(FULL)
        marks = {row[1]: row[5] for row in rows[2:]}
    assert marks == {"1012": "2", "1014": "1.25"}  # what has no mark keeps what it has there


def test_the_zip_of_feedback_finds_its_students(given_back):
    system, out, handed_in = given_back
    with zipfile.ZipFile(out / f"{system.lower()}-{NAME}-feedback.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    whose = {}
    for name, page in pages.items():
        if system == "Moodle":
            folder = name.split("/")[0].split("_", 4)
            assert len(folder) >= 4
            assert folder[2:4] == ["assignsubmission", "file"]
            whose[folder[1]] = page
        else:
            user, attachment = [part for part in name.split("_") if re.fullmatch(r"\d+", part)][:2]
            assert any(f"_{user}_{attachment}_" in given for given in handed_in)
            assert name.endswith("_feedback.html")
            whose[user] = page
    assert whose.keys() == {"1012", "1013", "1014"}
    assert "1.25 of" in whose["1014"]
    assert "Not graded yet" in whose["1013"]


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
