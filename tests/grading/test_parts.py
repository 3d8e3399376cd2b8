"""Tasks whose parts count by themselves: each gives its points, whatever the others are."""

import json
from itertools import combinations

import numpy as np
import pytest

from coursekit.checking import NotYet, check, checks
from coursekit.checking.judge import judged
from coursekit.core.validate import Floats
from coursekit.grading import mark as marking
from coursekit.grading.course import Assignment, Course
from coursekit.grading.mark import grade_notebook
from tests.grading.shared import COURSE, ROOT, answered, in_json

PARTED = [(a, t.name) for a in COURSE.assignments.values() for t in a.told if t.parts]
WRONG = {
    "nothing": lambda right: None, "NaN": lambda right: np.full_like(right, np.nan),
    "zeros": np.zeros_like, "another shape": lambda right: np.append(right, 0.0), "a text": lambda right: "0",
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(("assignment", "name"), PARTED, ids=[name for _, name in PARTED])
def test_each_part_gives_its_own_points(assignment: Assignment, name: str, wrong: str):
    exercise = assignment.exercises[name]
    for task in (exercise.public(), exercise.fresh(5)):
        for size in range(len(task.returns)):
            for kept in combinations(range(len(task.returns)), size):
                answers = [tuple(part if p in kept else WRONG[wrong](np.asarray(part)) for p, part in enumerate(row))
                           for row in task.right]
                verdict = judged(task, answers, tell=False)
                assert verdict.sentence
                assert verdict.right == tuple(task.returns[p] for p in kept)
                assert task.earned(verdict.right) == pytest.approx(sum(task.parts[p] for p in kept), abs=0)


@pytest.mark.parametrize(("assignment", "name"), PARTED, ids=[name for _, name in PARTED])
def test_a_part_that_is_wrong_in_one_case_gives_nothing(assignment: Assignment, name: str):
    task = assignment.exercises[name].fresh(6)
    for k, row in enumerate(task.right):
        spoilt: Floats = np.array(row[0], float)
        spoilt.flat[0] += 1
        answers = [(spoilt, *r[1:]) if j == k else r for j, r in enumerate(task.right)]
        assert task.returns[0] not in judged(task, answers).right


def test_no_other_task_gives_a_part():
    for assignment in COURSE.assignments.values():
        for task in checks.read(ROOT / "exercises" / assignment.name / checks.FILE).values():
            assert bool(task.parts) == ((assignment, task.name) in PARTED)
            assert not task.parts or sum(task.parts) == task.points
    task = checks.read(ROOT / "exercises" / "03-losses" / checks.FILE)["losses"]
    verdict = judged(task, [(*row[:-1], row[-1] + 1) for row in task.right])
    assert (bool(verdict.sentence), verdict.right) == (True, ())


ONE_WRONG = "def slopes(z):\n    return -2 * np.maximum(0, 1 - z), np.exp(-z), -1 / ((1 + np.exp(z)) * np.log(2))"


def test_a_part_after_a_cell_that_waited_is_left_ungraded_like_the_rest(monkeypatch):
    monkeypatch.setattr(marking, "WAIT_SECONDS", 1.0)
    notebook = answered(in_json("exercises/03-losses/losses.ipynb"), {"slopes": ONE_WRONG})
    waits = {"cell_type": "code", "id": "waits", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].insert(2, waits | {"source": "import time; time.sleep(99)"})
    mark = grade_notebook(json.dumps(notebook).encode(), COURSE.drawn("03-losses", 7), sandbox=False)
    (slopes,) = [t for t in mark.tasks if t.name == "slopes"]
    assert (slopes.points, slopes.right, bool(slopes.ungraded)) == (0, "", True)


def test_check_says_what_is_right_already(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space = {"np": np}
    exec(ONE_WRONG, space)
    with pytest.raises(NotYet, match=r"Right already: squared_hinge, logistic_2 \(2 of 3 points\)\.$"):
        check("slopes", space["slopes"])


@pytest.mark.parametrize("parts", ['{"a": 0.3}', '{"b": 0.1, "a": 0.2}', '{"a": 0.3, "b": 0}', '{"a": 0.1, "b": 0.1}'])
def test_parts_must_be_all_that_is_returned_and_add_up(tmp_path, parts):
    folder = tmp_path / "solutions" / "01-two"
    folder.mkdir(parents=True)
    cells = [
        {"cell_type": "code", "execution_count": None, "outputs": [], "id": "two", "source":
         "def two(x):\n    ### BEGIN SOLUTION\n    return x, -x\n    ### END SOLUTION",
         "metadata": {"nbgrader": {"grade_id": "two", "solution": True, "grade": False}}},
        {"cell_type": "code", "execution_count": None, "outputs": [], "id": "two-check", "source": 'check("two", two)',
         "metadata": {"nbgrader": {"grade_id": "two-check", "solution": False, "grade": True, "points": 0.3}}},
    ]
    (folder / "two.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    text = ("from coursekit.grading.tasks import task\n"
            f'task("two", returns=("a", "b"), parts={parts}, cases=lambda rng: [(1.0,)], mistakes=[], hints=[])\n')
    (folder / "tasks.py").write_text(text)
    with pytest.raises(ValueError, match="line 2, task two: parts must give a, b, in this order, points above 0 that"):
        Course(tmp_path).assignments["01-two"].public()
    (folder / "tasks.py").write_text(text.replace(parts, '{"a": 0.1, "b": 0.2}'))  # in binary they make more than 0.3
    (task,) = Course(tmp_path).assignments["01-two"].public()
    assert task.parts == (0.1, 0.2)
