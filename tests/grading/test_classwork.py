"""What a class did: outcomes, mistakes with their students, how a task separates, and pictures."""

import re
import statistics as stdlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.grading.classroom import Graded
from coursekit.grading.classwork import OUTCOMES, outcome, separation, statistics
from coursekit.grading.course import Course
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark, TaskMark, grade_notebook
from coursekit.grading.report import reports
from tests.grading.test_grade import notebook
from tests.grading.test_lms import NAME, ROOT

COURSE = Course(ROOT)
UPDATES = {  # what stands in the cell of update -> what becomes of it
    None: "solved",
    "def update(theta, x, y):\n    raise NotImplementedError": "not written",
    "pass": "not written",
    "def update(theta, x, y):\n    while True: pass": "too slow",
    "def update(theta, x, y):\n    return theta + 'x'": "error",
    "def update(theta, x):\n    return theta": "error",
    "def update(theta, x, y):\n    import os\n    os._exit(0)": "error",
    "def update(theta, x, y):\n    return np.full(3, 0.123)": "another answer",
    "def update(theta, x, y):\n    theta = np.array(theta, float)\n"
    "    return theta + y * np.append(x, 1) if y * (theta[:-1] @ x + theta[-1]) < 0 else theta": "named mistake",
}


def test_what_becomes_of_a_task_is_told_from_real_notebooks():
    drawn = COURSE.drawn(NAME, 3)
    for source, expected in UPDATES.items():
        mark = grade_notebook(notebook(**({"update": source} if source else {})), drawn, sandbox=False)
        (update,) = [t for t in mark.tasks if t.name == "update"]
        assert outcome(update) == expected, (source, update)


def test_part_of_the_points_is_an_outcome_of_its_own():
    assert outcome(TaskMark("slopes", 2, 3, message="lacks the minus", mistake="lacks", right="a, b")) == "in part"


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
    graded = []
    for k in range(n):
        update = TaskMark("update", *((2, 2) if k < n // 2 else (0, 2, "", "You take the sign of y.", "sign-of-y")))
        cycle = TaskMark("cycle", *((3, 3) if k % 2 else (0, 3, "", "cycle is not written yet: put your answer in.")))
        rest = TaskMark("perceptron", 4 if k < n // 2 else 0, 4, message="" if k < n // 2 else "In f() raised E.")
        graded.append(Graded(Submission(f"Stud{k:02d}ent", "", "x.ipynb", NAME), Mark(NAME, (update, cycle, rest)), 9))
    return graded


def test_the_summary_counts_outcomes_and_names_who_made_a_mistake():
    told, pictures = statistics(NAME, ["update", "cycle", "perceptron"], a_class())
    assert {t.name: dict(zip(OUTCOMES, t.outcomes, strict=True)) for t in told["tasks"]} == {
        "update": {**dict.fromkeys(OUTCOMES, 0), "solved": 10, "named mistake": 10},
        "cycle": {**dict.fromkeys(OUTCOMES, 0), "solved": 10, "not written": 10},
        "perceptron": {**dict.fromkeys(OUTCOMES, 0), "solved": 10, "error": 10},
    }
    assert told["mistakes"][0].students == tuple(f"Stud{k}ent" for k in range(10, 20))
    separates = {t.name: t.separates for t in told["tasks"]}
    assert separates["update"] > 0.7
    assert abs(separates["cycle"]) < 0.2
    assert set(pictures) == {f"summary-{NAME}.svg", f"lecture-{NAME}.svg"}
    pages = reports(a_class(), {NAME: {"update": 2, "cycle": 3, "perceptron": 4}}, 1)
    assert "Stud10ent, Stud11ent" in pages["summary.html"]


def test_the_picture_for_the_lecture_has_large_type_and_no_names():
    _, pictures = statistics(NAME, ["update", "cycle", "perceptron"], a_class())
    picture = pictures[f"lecture-{NAME}.svg"]
    assert "<!-- cycle -->" in picture
    assert "Stud" not in picture
    (width,) = re.findall(r'<svg [^>]*?\bwidth="([\d.]+)pt"', picture.replace("\n", " "))
    assert 9 / float(width) >= 24 / 960  # as 24 points on a slide of 960


def test_assignments_stand_beside_one_another():
    other = [g._replace(submission=Submission("a", "", "y.ipynb", "x"), mark=Mark("x", g.mark.tasks[:1]))
             for g in a_class(2)]
    pages = reports([*a_class(), *other], {NAME: {"update": 2, "cycle": 3, "perceptron": 4}, "x": {"update": 2}}, 1)
    text = " ".join(pages["summary.html"].split())
    assert "The assignments beside one another" in text
    assert '<td class="number">20</td> <td class="number">50%</td>' in text
