"""What holds for every task of the course, on the cases of students and on those of a grader.

The answers to a chapter's tasks are in answers/NN-topic.toml, a table for each task: `own` holds right answers in full,
`right` edits that keep an answer right, and `wrong` edits that make it wrong with, as the last, what the sentence must
mention. Edits are old text, new text, ...: of the first own answer that has all the old texts, or else of the solution.
Listed mistakes need no line there: each is tried here, and so is each type that numbers may come in.
"""

import json
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from coursekit.checking import call, checks
from coursekit.checking.judge import judge
from coursekit_grade.edges import called
from coursekit_grade.exercise import DRAWS, Exercise
from tests.checking import judging
from tests.checking.judging import COURSE, EXERCISES, HOME, PUBLIC, RIGHT, SEEDS, WRONG, defined, drawn, sentence
from tests.checking.test_wire import sent
from tests.luck import unlucky


def test_every_task_has_four_right_answers_and_three_wrong_ones():
    right, wrong = (Counter(name for name, *_ in rows) for rows in (RIGHT, WRONG))
    assert {name for told in judging.TOLD.values() for name in told} - {"also"} == set(HOME)
    for name in HOME:
        assert right[name] >= 3  # beside the solution
        assert wrong[name] + len(EXERCISES[name].spec.mistakes) >= (1 if EXERCISES[name].spec.accuracy else 3)
    assert all(mention.strip() for *_, mention in WRONG)


@pytest.mark.parametrize(("name", "source"), RIGHT, ids=[name for name, _ in RIGHT])
@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_pass(name, source, seed):
    assert sentence(name, defined(name, source), seed) == ""


@pytest.mark.parametrize(("name", "source", "mention"), WRONG, ids=[name for name, *_ in WRONG])
def test_wrong_answers_of_a_student_get_the_sentence_of_their_mistake(name, source, mention, monkeypatch):
    monkeypatch.setattr(call, "SECONDS", 0.5)  # the endless ones
    said = sentence(name, defined(name, source))
    assert mention.lower() in said.lower()
    assert "\n" not in said


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, exercise in EXERCISES.items() if exercise.spec.accuracy])
def test_luck_does_not_decide_at_a_bar(name):
    """All tasks on thousands of seeds: python -m tests.luck."""
    assert list(unlucky(name, range(20))) == []


@cache
def answered(name, seed):
    """What the solution returns for each case."""
    return called(EXERCISES[name].right, drawn(name, seed).cases)


def each_part(task, answers, change):
    """Answers to a task, each part changed, but for those that are None."""
    several = len(task.returns) > 1
    rows = [[None if p is None else change(p) for p in (answer if several else [answer])] for answer in answers]
    return rows if several else [row[0] for row in rows]


def made_of(kind, value):
    return kind(made_of(kind, v) for v in value) if np.ndim(value) or isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("name", EXERCISES)
def test_numbers_come_right_in_any_type(name):
    """Lists, tuples, single precision, objects, and numpy's scalars and arrays without an axis."""
    task = drawn(name)
    for change in (
        lambda part: made_of(list, part), lambda part: made_of(tuple, part), np.asarray,
        lambda part: np.asarray(made_of(list, part), object), *[np.float32] * (task.tolerance > 1e-6),
    ):
        assert judge(task, each_part(task, answered(name, PUBLIC), change)).sentence == ""


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_passes_and_every_mistake_gets_its_own_sentence(name, seed):
    """A grader's also after they were written as text and read again, as between it and what it runs."""
    task, exercise = drawn(name, seed), EXERCISES[name]
    for case in task.cases:
        assert all(type(a) is type(b) and np.array_equal(a, b) for a, b in zip(case, map(sent, case), strict=True))
    told = [said for *_, said in exercise.spec.mistakes]
    wrong = (called(function, task.cases) for function in exercise.wrong)
    for answers, said in zip([answered(name, seed), *wrong], ["", *told], strict=True):
        assert judge(task, answers).sentence == said
        if seed is not PUBLIC:
            assert judge(task, list(map(sent, answers))).sentence == said


@pytest.mark.slow(keep=8)
@pytest.mark.parametrize("name", EXERCISES)
def test_what_only_looks_right_is_refused(name):
    task, public, right = drawn(name, 0), drawn(name), answered(name, 0)
    fakes = [[None] * len(right), [[[[0.5]]]] * len(right)]
    fakes += [each_part(task, right, lambda p, v=value: np.full(np.shape(p), v)) for value in (np.nan, 0.5)]
    if task.arguments:
        known = list(zip(public.cases, answered(name, PUBLIC), strict=True))
        by_heart = [next((r for c, r in known if all(map(np.array_equal, c, case))), known[-1][1])
                    for case in task.cases]
        fakes += [[right[0]] * len(right), by_heart]
    assert all(judge(task, fake).sentence for fake in fakes)


def test_cases_are_added_while_a_known_mistake_would_pass_or_get_the_sentence_of_another():
    """At a right angle the product is 0, and twice that as well; where the total is 6, twice it is 5.5 more."""
    home = EXERCISES["product"]
    twice = (lambda a, b, total: total**2 - a**2 - b**2, "Twice too large.")
    more = (lambda a, b, total: (total**2 - a**2 - b**2) / 2 + 5.5, "5.5 too large.")

    def cases(totals, *mistakes):
        rare = replace(home.spec, cases=lambda rng: [(3.0, 4.0, rng.choice(totals))], mistakes=mistakes)
        return [[total for *_, total in sorted(Exercise(home.assignment, rare).fresh(seed)[0].cases)]
                for seed in range(8)]

    for *before, last in cases([5.0, 6.0], twice):
        assert last == 6.0
        assert set(before) <= {5.0}
    found = cases([6.0, 7.0], twice, more)
    assert all(7.0 in totals for totals in found)
    assert any(len(totals) > 1 for totals in found)


@pytest.mark.parametrize("name", EXERCISES)
def test_stored_checks_are_those_of_the_tasks(name):
    """Nobody has forgotten `coursekit release`. Numbers may be rounded otherwise on another machine."""
    exercise, stored = EXERCISES[name], drawn(name)
    asked, spec = exercise.answer, exercise.spec
    assert (stored.arguments, stored.points, stored.hints) == (asked.arguments, asked.points, spec.hints)
    assert len(set(stored.hints)) == 3
    sentences = [m.sentence for m in stored.mistakes]
    assert sentences == [m[-1] for m in spec.mistakes if not spec.accuracy]
    assert len({m.id for m in stored.mistakes}) == len(set(sentences))
    assert all(said.endswith((".", "?")) and "\n" not in said for said in sentences)
    missing = list(stored.cases)
    for seed in range(1 if spec.accuracy else DRAWS):
        cases = exercise.draw(np.random.default_rng(seed)) if missing else []
        cases = [case[0] if spec.accuracy else case for case in cases]
        missing = [known for known in missing if not any(all(map(close, case, known)) for case in cases)]
    assert not missing


def close(one, other):
    return np.shape(one) == np.shape(other) and np.allclose(one, other)


@pytest.mark.parametrize("assignment", COURSE)
def test_stored_checks_are_json_that_a_browser_may_write_again(assignment, tmp_path):
    """JavaScript knows no infinity in JSON, and writes 2.0 as 2."""
    def rewritten(number):
        return int(float(number)) if float(number).is_integer() else float(number)

    text = (judging.ROOT / "exercises" / assignment / checks.FILE).read_text("utf-8")
    assert len(text) < 310_000
    again = json.dumps(json.loads(text, parse_float=rewritten), allow_nan=False)
    (tmp_path / checks.FILE).write_text(again, "utf-8")
    after = checks.read(tmp_path / checks.FILE)
    for name, task in judging.released(assignment).items():
        for one, other in zip(task.cases, after[name].cases, strict=True):
            assert [type(a) for a in one] == [type(a) for a in other]
            assert [getattr(a, "dtype", a) for a in one] == [getattr(a, "dtype", a) for a in other]
