"""What a class did: outcomes, mistakes with their students, how a task separates, and pictures."""

import re
import statistics as stdlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.grading.classroom import Graded
from coursekit.grading.classwork import OUTCOMES, outcome, separation, statistics
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark, TaskMark
from coursekit.grading.report import reports
from tests.grading.shared import NAME


@pytest.mark.parametrize("failed", ["too slow", "error", "not written", "another answer"])
def test_points_and_a_named_mistake_come_before_what_the_run_said(failed):
    assert outcome(TaskMark("update", 0, 2, outcome=failed)) == failed
    assert outcome(TaskMark("update", 0, 2, mistake="m", outcome=failed)) == "named mistake"
    assert outcome(TaskMark("update", 1, 2, mistake="m", outcome=failed)) == "in part"
    assert outcome(TaskMark("update", 2, 2, outcome=failed)) == "solved"


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
        cycle = TaskMark("cycle", *((3, 3) if k % 2 else (0, 3, "", "Put your answer in.")), outcome="not written")
        rest = TaskMark("perceptron", 4 if k < n // 2 else 0, 4, outcome="error")
        graded.append(Graded(Submission(f"Stud{k:02d}ent", "", "x.ipynb", NAME), Mark(NAME, (update, cycle, rest)), 9))
    return graded


def test_the_summary_counts_outcomes_and_names_who_made_a_mistake():
    tasks = TaskMark("bound", 0, 1, "", "R is wrong.", "r"), TaskMark("update", 2, 2), TaskMark("cycle", 3, 3)
    rare = Graded(Submission("A", "", "x.ipynb", NAME), Mark(NAME, tasks), 9)
    told, pictures = statistics(NAME, ["update", "cycle", "perceptron"], [rare, *a_class()])
    assert told["tasks"][0].name == "perceptron"  # the hardest
    assert [m.sentence for m in told["mistakes"]] == ["You take the sign of y.", "R is wrong."]
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
