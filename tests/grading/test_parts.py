"""Tasks whose parts count by themselves: each gives its points, whatever the others are."""

import json
from itertools import chain, combinations

import numpy as np
import pytest

from coursekit.checking import NotYet, check
from coursekit.checking.judge import judge
from coursekit_grade import protocol
from coursekit_grade.mark import grade_notebook
from coursekit_grade.release import public
from coursekit_grade.solutions import Course
from tests.grading.shared import COURSE
from tests.grading.small import TASKS, course, solved

WRONG = [lambda _: None, lambda right: np.full_like(right, np.nan), np.zeros_like, lambda right: np.append(right, 0.0),
         lambda _: "0"]


def test_each_part_gives_its_own_points_where_it_is_right_in_all_cases():
    for assignment, name in (("03-losses", "slopes"), ("04-gradient-descent", "gradients")):
        task = COURSE.assignments[assignment].exercises[name].fresh(5)[0]
        parts = range(len(task.returns))
        some = chain.from_iterable(combinations(parts, size) for size in parts)  # all but all of them
        for k, kept in enumerate(some):
            answers = [tuple(part if p in kept else WRONG[(k + p) % len(WRONG)](np.asarray(part))
                             for p, part in enumerate(row)) for row in task.right]
            verdict = judge(task, answers, tell=False)
            assert verdict.sentence
            assert verdict.right == tuple(task.returns[p] for p in kept)
            assert task.earned(verdict.right) == pytest.approx(sum(task.parts[p] for p in kept), abs=0)
        for k, (first, *others) in enumerate(task.right):
            spoilt = np.asarray(first) + (np.arange(np.size(first)).reshape(np.shape(first)) == 0)
            answers = [*task.right[:k], (spoilt, *others), *task.right[k + 1:]]
            assert judge(task, answers).right == task.returns[1:]


def test_check_says_what_is_right_already(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def slopes(z):
        return -2 * np.maximum(0, 1 - z), np.exp(-z), -1 / ((1 + np.exp(z)) * np.log(2))

    with pytest.raises(NotYet, match=r"Right already: squared_hinge, logistic_2 \(2 of 3 points\)\.$"):
        check("slopes", slopes)


def parted(root, parts='{"a": 0.1, "b": 0.2}'):
    tasks = TASKS.replace('"number"', f'("a", "b"), parts={parts}').replace("lambda number:", "b=lambda number:")
    course(root, solved("return x, 1 + x"), tasks=tasks, points=0.3)
    return Course(root)


def released(root, *parts):
    return public(parted(root, *parts).assignments["01-topic"].exercises["f"])


def test_parts_must_be_all_that_is_returned_and_add_up(tmp_path):
    for parts in ('{"a": 0.3}', '{"b": 0.1, "a": 0.2}', '{"a": 0.3, "b": 0}', '{"a": 0.1, "b": 0.1}'):
        sentence = "line 3, task f: parts must give a, b, in this order, points above 0 that"
        with pytest.raises(ValueError, match=sentence):
            released(tmp_path, parts)
    assert released(tmp_path).parts == (0.1, 0.2)  # which make more than 0.3 in binary


def test_a_part_after_a_cell_that_waited_is_left_ungraded_like_the_rest(tmp_path, monkeypatch):
    drawn = parted(tmp_path).drawn("01-topic", 7)

    def marked(*sources):
        cells = [{"cell_type": "code", "source": source} for source in sources]
        (task,) = grade_notebook(json.dumps({"cells": cells}).encode(), drawn, sandbox=False).tasks
        return task.points, task.right, bool(task.ungraded)

    assert marked("def f(x): return x, 0 * x") == (0.1, "a", False)
    monkeypatch.setattr(protocol, "WAIT_SECONDS", 1.0)
    assert marked("import time; time.sleep(99)", "def f(x): return x, 0 * x") == (0, "", True)
