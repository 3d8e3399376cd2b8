"""What a class did and what students wrote, on pages and in the tables that Canvas, Moodle and nbgrader import."""

import csv
import io
import json
import re
import statistics as stdlib
import zipfile
from decimal import Decimal

import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.checking.signature import Outcome
from coursekit_grade import intake, lms, worker
from coursekit_grade import printable as text
from coursekit_grade.adjust import Adjustments
from coursekit_grade.answers import LONGEST, answers
from coursekit_grade.classwork import outcome, separation, statistics
from coursekit_grade.graded import Graded, Late
from coursekit_grade.intake import Submission, lms_name
from coursekit_grade.mark import Mark, TaskMark
from coursekit_grade.report import reports
from tests.grading.shared import COURSE, EXERCISE, NAME, zipped

HANDED_IN = {  # in Canvas, and the points for it
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
    assert lms.files(graded, pages, "") == {}
    return {system: lms.files(graded, pages, system) for system in ("Canvas", "Moodle")}


def test_the_tables_are_what_canvas_and_moodle_read(given_back):
    header, points, *rows = csv.reader(io.StringIO(given_back["Canvas"][f"canvas-{NAME}.csv"]))
    patterns = "Student", "ID", r"SIS\s+User\s+ID", r"SIS\s+Login\s+ID", "Section", f"^{NAME}$"
    assert all(re.search(pattern, cell) for pattern, cell in zip(patterns, header, strict=True))
    assert ("Points Possible" in points[0], points[5]) == (True, "22")
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
    for file, known in {
        "lee_1012_77001_a_1_2.ipynb": "lee_1012_77001_", "week 2/lee_1012_77001_x.ipynb": "lee_1012_77001_",
        "lee_LATE_1012_77001_x.zip/y_1012_3_z.ipynb": "lee_LATE_1012_77001_", "elsewhere.ipynb": "lee_1012_",
    }.items():
        assert lms_name(Submission("lee", "1012", file, NAME)) == known
    texts = {"b/x.html": "é", "a.html": "1"}
    assert lms.zipped(texts) == lms.zipped(dict(reversed(texts.items())))  # the same bytes


def test_points_and_a_named_mistake_come_before_what_the_run_said():
    for failed in ("too slow", "error", "not written", "another answer"):
        assert [outcome(TaskMark("update", points, 2, mistake=mistake, outcome=failed))
                for points, mistake in ((0, ""), (0, "m"), (1, "m"), (2, ""))] == [
            failed, "named mistake", "in part", "solved"]


@given(st.lists(st.tuples(st.sampled_from([0, 2]), st.integers(0, 12)), max_size=40))
def test_separation_is_the_correlation_with_all_other_tasks(drawn):
    task, rest = np.array([[a, b] for a, b in drawn], float).reshape(-1, 2).T
    found = separation(task, task + rest)
    if len(drawn) < 10 or len(set(task)) == 1 or len(set(rest)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(stdlib.correlation(list(task), list(rest)), abs=1e-5)


def a_class(n=20):
    """The best half solves update; cycle is solved by every other one, whoever it is."""
    for k in range(n):
        best = k < n // 2
        update = TaskMark("update", 2, 2) if best else TaskMark("update", 0, 2, "", "You take the sign of y.", "sign")
        cycle = TaskMark("cycle", 3 * (k % 2), 3, outcome="not written")
        rest = TaskMark("perceptron", 4 * best, 4, outcome="error")
        yield Graded(Submission(f"Stud{k:02d}ent", "", "x.ipynb", NAME), Mark(NAME, (update, cycle, rest)), 9)


def test_the_summary_counts_outcomes_and_names_who_made_a_mistake():
    graded, names = list(a_class()), ["update", "cycle", "perceptron"]
    told, pictures = statistics(NAME, names, graded)
    expected = {"update": "named mistake", "cycle": "not written", "perceptron": "error"}
    for task in told["tasks"]:
        assert dict(zip(Outcome, task.outcomes, strict=True)) == {
            **dict.fromkeys(Outcome, 0), "solved": 10, expected[task.name]: 10}
    students = tuple(f"Stud{k}ent" for k in range(10, 20))
    assert [(m.sentence, m.students) for m in told["mistakes"]] == [("You take the sign of y.", students)]
    separates = {t.name: t.separates for t in told["tasks"]}
    assert separates["update"] > 0.7
    assert abs(separates["cycle"]) < 0.2
    assert "Stud10ent, Stud11ent" in reports(graded, {NAME: dict.fromkeys(names, 3)}, 1)["summary.html"]
    lecture = pictures[f"lecture-{NAME}.svg"]
    assert ("<!-- cycle -->" in lecture, "Stud" in lecture) == (True, False)
    (width,) = re.findall(r'<svg [^>]*?\bwidth="([\d.]+)pt"', lecture.replace("\n", " "))
    assert 9 / float(width) >= 24 / 960  # as 24 points on a slide of 960
    tasks = TaskMark("bound", 0, 1, "", "R is wrong.", "r"), TaskMark("update", 2, 2), TaskMark("cycle", 3, 3)
    told, _ = statistics(NAME, names, [graded[0]._replace(mark=Mark(NAME, tasks)), *graded])
    assert told["tasks"][0].name == "perceptron"  # the hardest
    assert [m.sentence for m in told["mistakes"]] == ["You take the sign of y.", "R is wrong."]


def test_a_class_that_is_large_enough_sees_what_it_found_hard():
    mark = Mark(NAME, (TaskMark("update", 2, 2), TaskMark("bound", 1, 3, message="No."), TaskMark("cycle", 3, 3)))
    ten = [Graded(Submission(f"Ann {k}", "", "a.ipynb", NAME), mark, 22) for k in range(10)]
    pages = [reports(theirs, COURSE.points, 3, changed=None)["feedback/Ann 1.html"] for theirs in (ten, ten[:9])]
    assert [(page.count(">100%</td>"), page.count(">0%</td>")) for page in pages] == [(2, 1), (0, 0)]


def cell(source, name=None, kind="code"):
    return {"cell_type": kind, "source": source, "metadata": {"nbgrader": {"grade_id": name}} if name else {}}


def answer(*cells, **beside):
    return answers(json.dumps({"cells": cells}).encode(), ["f"], **beside).get("f")


def test_the_cell_of_a_task_is_known_by_its_id_else_by_what_it_defines():
    assert answer(cell("def f(): 0", "f"), cell("def f(): 1")) == "def f(): 0"
    beside = {"h.py": b"def f():\n    3", "g.py": b"def g(): 2"}
    assert answer(cell("from h import f", "f"), cell("def f(): 1"), beside=beside) == (
        "from h import f\ndef f(): 1\n# h.py\ndef f():\n    3")
    helped = [cell("def a(): b()"), cell("def b(): 1"), cell("def c(): 2"), cell("import m\ndef f(): m.g(a())", "f")]
    assert answer(*helped, beside={"m.py": b"def g(): 3", "n.py": b"def k(): 4"}) == (
        "import m\ndef f(): m.g(a())\ndef a(): b()\n# m.py\ndef g(): 3\ndef b(): 1")
    assert answer(cell("def f(): g()", "f"), beside={"m.py": b"def g(): 3"}) == "def f(): g()\n# m.py\ndef g(): 3"
    assert answer(cell("def f(): 1"), cell(["def f():\n", "\t2"]), cell("def f(): 3", kind="raw")) == "def f():\n    2"
    assert answer(cell("def far(): 1")) is None
    assert len(answer(cell("é" * 10**6, "f"))) == LONGEST
    assert answer(cell("a\x1b[2Jb\n\u202ec", "f")) == "a\ufffd[2Jb\n\ufffdc"


json_values = st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda s: st.lists(s) | st.dictionaries(
    st.sampled_from(["cells", "cell_type", "source", "metadata", "nbgrader", "grade_id", "code"]), s), max_leaves=12)


@given(json_values)
def test_whatever_is_handed_in_has_answers_or_none(value):
    first = {"cell_type": "code", **(value if isinstance(value, dict) else {})}
    assert isinstance(answer(first, value), str | None)


def test_a_notebook_that_cannot_be_read_costs_the_grader_nothing():
    for data in (b"", b"[]", b"\xff", b'{"cells": ' + b"[" * 10**6, b'{"cells": 1}'):
        assert worker.ask(answers, data, ["f"]) == {}
    chain = [cell(f"def f{k}(): return f{k + 1}()") for k in range(8000)]  # which ends in time, or it has no answer
    data = json.dumps({"cells": [cell("def f(): return f0()", "f"), *chain]}).encode()
    assert worker.ask(answers, data, ["f"])["f"].startswith("def f(): return f0()\ndef f0(): return f1()\ndef f1()")


def test_what_to_read_again_is_a_section_of_the_tasks_chapter():
    for name, tasks in COURSE.sections.items():
        cells = nbformat.read(COURSE.assignments[name].notebook.parents[2] / "notebooks" / f"{name}.ipynb", 4).cells
        headings = {number for cell in cells for number in re.findall(r"^## (\d+\.\d+) ", cell.source, re.M)}
        assert [*tasks] == [*COURSE.points[name]]
        assert all(sections and set(sections.split(" and ")) <= headings for sections in tasks.values())


def test_text_of_anybodys_making_and_what_an_error_says_can_be_printed():
    joined = "\U0001f469\u200d\U0001f4bb \u0645\u06cc\u200c\u062e"  # an emoji of three parts, and Persian
    assert text.printable(joined) == joined
    assert text.printable("e\u0301\x1b[31m\ud800") == "\u00e9\ufffd[31m\ufffd"
    for long, line in ((" a\n\tb ", "a b"), ("x" * 300, "x" * 300), ("x" * 301, "x" * 297 + "...")):
        assert text.one_line(long) == line

    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    for error, said in ((KeyError("a\nb"), "KeyError: 'a\\nb'"), (KeyError(), "KeyError"),
                        (SyntaxError("bad", ("file.py", 3, 1, "x")), "SyntaxError: bad"),
                        (Mute(), "an error without a text"), (OSError("x" * 500), "OSError: " + "x" * 191)):
        assert text.said(error) == said
    assert [text.cause(error) for error in (ValueError("n must be > 0"), ValueError(), TypeError("no"), Mute())] == [
        "n must be > 0", "ValueError", "TypeError: no", "an error without a text"]
