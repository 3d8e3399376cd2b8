"""What a check says to an answer, for the tests of every chapter's tasks."""

import numpy as np

from coursekit.checking import NotYet, call, student
from coursekit.checking.judge import diagnose
from coursekit.checking.tasks import ASSIGNMENTS

TASKS = {t.name: t for tasks in ASSIGNMENTS.values() for t in tasks}
SEEDS = (student.PUBLIC_SEED, 1, 2, 3)


def sentence(name, answer, seed=student.PUBLIC_SEED):
    """"" for a right answer; `answer` may also be the source of a function f."""
    if isinstance(answer, str):
        space = {"np": np}
        exec(answer, space)
        answer = space["f"]
    task = TASKS[name]
    cases = task.draw(np.random.default_rng(seed))
    try:
        return diagnose(task, cases, call.answers(task, answer, cases))
    except NotYet as error:
        return str(error)


def pairs(assignment, variants):
    """(task, answer) for every right answer; each task of the assignment needs three."""
    assert {t.name for t in ASSIGNMENTS[assignment]} == set(variants)
    assert all(len(answers) >= 3 for answers in variants.values())
    return [(name, answer) for name, answers in variants.items() for answer in answers]
