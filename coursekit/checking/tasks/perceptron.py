"""Chapter 2: one update, the whole algorithm, the bound, a trace by hand, a cycle.

All numbers in the cases are small multiples of 1/4, so that every score is exact in float32 too and a
score of 0 is 0 for everyone, in whatever order it was added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import quarters
from coursekit.checking.tasks.judge import Case, Mistake, Task
from coursekit.core.validate import Floats


@dataclass(frozen=True)
class Rule:
    """One visit, in three parts that can each be got wrong."""

    score: Callable[[Floats, Floats], float] = lambda theta, x: float(theta[:-1] @ x + theta[-1])
    wrong: Callable[[float, float], bool] = lambda y, f: y * f <= 0
    change: Callable[[Floats, float, float], Floats] = lambda x, y, f: y * np.append(x, 1.0)


RULE = Rule()

_RULE_MISTAKES = {
    "strict": (
        "A score of exactly 0 is a mistake too: test y f <= 0, not y f < 0, or nothing ever starts from theta = 0.",
        replace(RULE, wrong=lambda y, f: y * f < 0),
    ),
    "sign_plus": (
        "A score of exactly 0 is a mistake whatever the label: test y f <= 0 instead of comparing y with a sign "
        "that takes 0 for +1.",
        replace(RULE, wrong=lambda y, f: (1 if f >= 0 else -1) != y),
    ),
    "sign_minus": (
        "A score of exactly 0 is a mistake whatever the label: test y f <= 0 instead of comparing y with a sign "
        "that takes 0 for -1.",
        replace(RULE, wrong=lambda y, f: (1 if f > 0 else -1) != y),
    ),
    "hinge": (
        "You also correct examples that are on the right side with a small score: the perceptron leaves them alone "
        "(y f <= 0, not y f <= 1).",
        replace(RULE, wrong=lambda y, f: y * f <= 1),
    ),
    "hinge_open": (
        "You also correct examples that are on the right side with a small score: the perceptron leaves them alone "
        "(y f <= 0, not y f < 1).",
        replace(RULE, wrong=lambda y, f: y * f < 1),
    ),
    "always": (
        "You correct at every visit: theta may change only after a mistake, y f <= 0.",
        replace(RULE, wrong=lambda y, f: True),
    ),
    "right_ones": (
        "The test is the wrong way round: correct the examples that are wrong (y f <= 0), not those that are right.",
        replace(RULE, wrong=lambda y, f: y * f > 0),
    ),
    "right_or_zero": (
        "The test is the wrong way round: correct the examples that are wrong (y f <= 0), not those with y f >= 0.",
        replace(RULE, wrong=lambda y, f: y * f >= 0),
    ),
    "no_label_in_test": (
        "Your test looks at f alone: whether a score is a mistake depends on the label, y f <= 0.",
        replace(RULE, wrong=lambda y, f: f <= 0),
    ),
    "no_label": (
        "The correction lost its label: add y (x, 1), so that negative examples push theta the other way.",
        replace(RULE, change=lambda x, y, f: np.append(x, 1.0)),
    ),
    "minus": (
        "The correction has the wrong sign: y (x, 1) is added, so that the agreement y f of this example grows.",
        replace(RULE, change=lambda x, y, f: -y * np.append(x, 1.0)),
    ),
    "score": (
        "The correction is y (x, 1): it takes the label y, not the score f.",
        replace(RULE, change=lambda x, y, f: f * np.append(x, 1.0)),
    ),
    "minus_score": (
        "The correction is y (x, 1): it takes the label y, not minus the score f.",
        replace(RULE, change=lambda x, y, f: -f * np.append(x, 1.0)),
    ),
    "difference": (
        "The correction is y (x, 1), whatever the size of the score; y - f belongs to least squares.",
        replace(RULE, change=lambda x, y, f: (y - f) * np.append(x, 1.0)),
    ),
    "sign_difference": (
        "Your correction is twice too long where the sign was wrong: y - sign(f) is 2y there; add y (x, 1).",
        replace(RULE, change=lambda x, y, f: (y - np.sign(f)) * np.append(x, 1.0)),
    ),
    "twice": (
        "Your correction is twice too long: y minus the predicted label is 2y; add y (x, 1).",
        replace(RULE, change=lambda x, y, f: 2 * y * np.append(x, 1.0)),
    ),
    "tenth": (
        "Your correction is scaled down: the step size here is 1, so add y (x, 1) as it is.",
        replace(RULE, change=lambda x, y, f: 0.1 * y * np.append(x, 1.0)),
    ),
    "half": (
        "Your correction is halved: the step size here is 1, so add y (x, 1) as it is.",
        replace(RULE, change=lambda x, y, f: 0.5 * y * np.append(x, 1.0)),
    ),
    "no_offset_in_score": (
        "The score misses the offset: f = theta[:-1] . x + theta[-1].",
        replace(RULE, score=lambda theta, x: float(theta[:-1] @ x)),
    ),
    "offset_fixed": (
        "The offset never changes: it is the weight of the constant attribute 1, so a mistake adds y to it.",
        replace(RULE, change=lambda x, y, f: y * np.append(x, 0.0)),
    ),
    "no_offset": (
        "The offset is left out altogether: it is part of the score, and a mistake adds y to it.",
        Rule(
            lambda theta, x: float(theta[:-1] @ x), RULE.wrong, lambda x, y, f: y * np.append(x, 0.0)
        ),
    ),
    "offset_plus_one": (
        "The offset grows by 1 at every mistake: it must grow by y, which is -1 for a negative example.",
        replace(RULE, change=lambda x, y, f: np.append(y * x, 1.0)),
    ),
    "offset_minus": (
        "The offset moves the wrong way: a mistake adds y to it, as it adds y x to the weights.",
        replace(RULE, change=lambda x, y, f: np.append(y * x, -y)),
    ),
    "weights_fixed": (
        "Only the offset changes: a mistake also adds y x to the weights.",
        replace(RULE, change=lambda x, y, f: y * np.append(0 * x, 1.0)),
    ),
    "offset_first": (
        "Your offset comes first: here it is the last entry of theta, and the constant 1 is appended after x.",
        Rule(
            lambda theta, x: float(theta[1:] @ x + theta[0]),
            RULE.wrong,
            lambda x, y, f: y * np.append(1.0, x),
        ),
    ),
}


def _update(theta: Floats, x: Floats, y: float, rule: Rule = RULE) -> Floats:
    f = rule.score(theta, x)
    return theta + rule.change(x, y, f) if rule.wrong(y, f) else theta


def _passes(
    X: Floats, y: Floats, passes: int, rule: Rule = RULE
) -> Iterator[tuple[list[int], list[Floats]]]:
    """For each pass the mistakes and theta after each of them; ends after a pass without any."""
    theta = np.zeros(X.shape[1] + 1)
    for _ in range(passes):
        made, thetas = [], []
        for i in range(len(X)):
            f = rule.score(theta, X[i])
            if rule.wrong(y[i], f):
                theta = theta + rule.change(X[i], y[i], f)
                made.append(i)
                thetas.append(theta)
        yield made, thetas
        if not made:
            return


def _with(run: Callable[..., Any], same: tuple[str, ...] = ()) -> tuple[Mistake, ...]:
    """The mistakes of the rule as mistakes of a task, run(*case, rule), less those that look the `same`."""

    def mistake(rule: Rule) -> Callable[..., Any]:
        return lambda *case: run(*case, rule)

    return tuple(
        Mistake(mistake(rule), sentence) for name, (sentence, rule) in _RULE_MISTAKES.items() if name not in same
    )


def _separable(rng: np.random.Generator, n: int, d: int) -> tuple[Floats, Floats]:
    while True:
        X, theta = quarters(rng, n, d), quarters(rng, d + 1)
        f = X @ theta[:-1] + theta[-1]
        if (np.abs(f) >= 0.5).all() and len(np.unique(f > 0)) == 2:
            return X, np.where(f > 0, 1.0, -1.0)


# update


def _update_cases(rng: np.random.Generator) -> Iterator[Case]:
    for y in (1.0, -1.0):
        for d in (1, 2, 3):
            yield np.zeros(d + 1), quarters(rng, d), y
            for agreement in (0, 0.25, 1, 3.5, -0.25, -3.5):
                w, x = quarters(rng, d), quarters(rng, d)
                yield np.append(w, y * agreement - w @ x), x, y


UPDATE = Task(
    name="update",
    points=2,
    arguments=("theta", "x", "y"),
    returns=("theta",),
    cases=_update_cases,
    answer=_update,
    mistakes=(
        *_with(_update),
        Mistake(
            lambda theta, x, y: theta,
            "theta never changes: after a mistake (y f <= 0) return theta + y (x, 1).",
        ),
        Mistake(
            lambda theta, x, y: _update(theta, x, y) - theta,
            "You return the correction alone: add it to theta.",
        ),
        Mistake(
            lambda theta, x, y: np.trunc(_update(np.trunc(theta), x, y)),
            "Fractions get lost: an array of integers cuts them off, so use floats.",
        ),
        Mistake(
            lambda theta, x, y: _update(np.trunc(theta), x, y),
            "Fractions get lost: an array of integers cuts them off, so use floats.",
        ),
        Mistake(
            lambda theta, x, y: np.trunc(_update(theta, x, y)),
            "Fractions get lost: an array of integers cuts them off, so use floats.",
        ),
        Mistake(
            lambda theta, x, y: _update(theta, x, y)[:-1],
            "The offset is missing from what you return: theta has d + 1 entries, the offset last.",
        ),
    ),
    hints=(
        "First the score: f = theta[:-1] @ x + theta[-1]. Then ask whether it is a mistake.",
        "A mistake is y * f <= 0. If it is none, return theta as it came.",
        "After a mistake return theta + y * np.append(x, 1): the constant attribute 1 takes the offset along.",
    ),
)


# perceptron


def _perceptron(X: Floats, y: Floats, passes: int, rule: Rule = RULE) -> tuple[Floats, Any, int]:
    runs = list(_passes(X, y, passes, rule))
    made = [i for mistakes, _ in runs for i in mistakes]
    thetas = [theta for _, after in runs for theta in after]
    return np.array(thetas).reshape(len(made), X.shape[1] + 1), np.array(made), len(runs)


def _perceptron_cases(rng: np.random.Generator) -> Iterator[Case]:
    yield np.array([[0.0], [1.0], [2.0]]), np.array([1.0, -1.0, 1.0]), 5
    for n, d in ((3, 1), (4, 2), (5, 2), (6, 3)):
        made = 0
        while not 4 <= made < 40:
            X, y = _separable(rng, n, d)
            made = _perceptron(X, y, 40)[2]
        yield X, y, 40
        yield X, -y, made
        yield X, y, made - 2


def _each_until_right(X: Floats, y: Floats, passes: int) -> tuple[Floats, Any, int]:
    theta = np.zeros(X.shape[1] + 1)
    thetas: list[Floats] = []
    made: list[int] = []
    for p in range(1, passes + 1):
        before = len(made)
        for i in range(len(X)):
            while y[i] * RULE.score(theta, X[i]) <= 0:
                theta = theta + y[i] * np.append(X[i], 1.0)
                thetas.append(theta)
                made.append(i)
        if len(made) == before:
            return np.array(thetas), np.array(made), p
    return np.array(thetas), np.array(made), passes


def _whole_pass_at_once(X: Floats, y: Floats, passes: int, most: int | None = None) -> tuple[Floats, Any, int]:
    """All examples are scored first, then (`most` of) the mistakes are corrected."""
    theta = np.zeros(X.shape[1] + 1)
    thetas: list[Floats] = []
    made: list[int] = []
    for p in range(1, passes + 1):
        wrong = [i for i in range(len(X)) if y[i] * RULE.score(theta, X[i]) <= 0]
        if not wrong:
            return np.array(thetas), np.array(made), p
        for i in wrong[:most]:
            theta = theta + y[i] * np.append(X[i], 1.0)
            thetas.append(theta)
            made.append(i)
    return np.array(thetas), np.array(made), passes


def _forgetting(X: Floats, y: Floats, passes: int) -> tuple[Floats, Any, int]:
    thetas, made, _ = _perceptron(X, y, 1)
    return np.tile(thetas, (passes, 1)), np.tile(made, passes), passes


def _every_visit(X: Floats, y: Floats, passes: int) -> tuple[Floats, Any, int]:
    theta, thetas = np.zeros(X.shape[1] + 1), []
    done = _perceptron(X, y, passes)[2]
    for _ in range(done):
        for i in range(len(X)):
            theta = _update(theta, X[i], y[i])
            thetas.append(theta)
    return np.array(thetas), np.tile(np.arange(len(X)), done), done


def _mistaken_visits(X: Floats, y: Floats, passes: int) -> Any:
    return np.array([p * len(X) + i for p, (made, _) in enumerate(_passes(X, y, passes)) for i in made])


def _without_offset(X: Floats, y: Floats, passes: int) -> tuple[Floats, Any, int]:
    thetas, made, n = _perceptron(X, y, passes, _RULE_MISTAKES["offset_fixed"][1])
    return thetas[:, :-1], made, n


def _shared(n: int) -> Callable[..., Floats]:
    return lambda x, y, f: y * np.append(x, 1.0) / n


def _changed(change: Callable[..., Any]) -> Callable[..., Any]:
    """A mistake that runs the right algorithm and hands in something else."""
    return lambda X, y, passes: change(X, y, passes, *_perceptron(X, y, passes))


def _clean(X: Floats, y: Floats, passes: int) -> bool:
    return not list(_passes(X, y, passes))[-1][0]


PERCEPTRON = Task(
    name="perceptron",
    points=4,
    arguments=("X", "y", "passes"),
    returns=("thetas", "mistakes", "passes_made"),
    cases=_perceptron_cases,
    answer=_perceptron,
    mistakes=(
        *_with(_perceptron, same=("right_ones", "minus_score", "no_offset")),
        Mistake(
            lambda X, y, passes: _perceptron(X, y, 1),
            "Your run ends after the first pass: return only when a whole pass made no mistake, or passes are used up.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, made, n - _clean(X, y, p))),
            "The last pass is not counted: the pass without a mistake was made too.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, made, p)),
            "The run does not end early: stop as soon as a whole pass made no mistake.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, made, n - 1)),
            "passes_made is one too small: range(passes) counts from 0, the number of passes from 1.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, made, n + 1)),
            "passes_made is one too large: count a pass once, when it is made.",
        ),
        Mistake(
            lambda X, y, passes: _perceptron(X, y, passes - 1),
            "You make one pass too few: passes is the number of passes that may be made.",
        ),
        Mistake(
            lambda X, y, passes: _perceptron(X, y, passes + 1),
            "You make one pass too many: passes is the most that may be made.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (np.vstack([0 * thetas[:1], thetas]), made, n)),
            "thetas begins with the start: it has one row for each mistake, theta after it, and no row for theta = 0.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (np.vstack([0 * thetas[:1], thetas[:-1]]), made, n)),
            "You note theta before the correction: thetas holds it as it is after each mistake.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (0 * thetas + thetas[-1], made, n)),
            "All rows of thetas are the last theta: the list holds the same array again and again; "
            "append a copy, or make a new array with theta = theta + ...",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas[-1], made, n)),
            "thetas is only the last theta: collect theta after each mistake, one row for each.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas[:, :-1], made, n)),
            "thetas lacks the offset: its rows have d + 1 entries, the offset last.",
        ),
        Mistake(
            _without_offset,
            "There is no offset: theta has d + 1 entries, and a mistake adds y to the last.",
        ),
        Mistake(
            lambda X, y, passes: _perceptron(X, y, passes, replace(RULE, change=_shared(len(X)))),
            "Your correction is divided by n: the perceptron corrects by one example at a time, add y (x, 1) as it is.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, made, len(made))),
            "passes_made is the number of mistakes: count whole passes over the examples.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, made, n * len(X))),
            "passes_made is the number of visits: count whole passes over the examples.",
        ),
        Mistake(
            lambda X, y, p: (_perceptron(X, y, p)[0], _mistaken_visits(X, y, p), _perceptron(X, y, p)[2]),
            "Your mistakes are numbers of visits: they hold rows of X, which start from 0 again in each pass.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, made + 1, n)),
            "Your examples are numbered from 1: mistakes holds rows of X, which count from 0.",
        ),
        Mistake(
            _changed(lambda X, y, p, thetas, made, n: (thetas, len(made), n)),
            "mistakes is only their number: collect which example each mistake was made on, in order.",
        ),
        Mistake(
            _every_visit,
            "You note every visit: thetas and mistakes have an entry for each mistake only.",
        ),
        Mistake(
            lambda X, y, p: (_every_visit(X, y, p)[0], *_perceptron(X, y, p)[1:]),
            "thetas has a row for every visit: it has one for each mistake only.",
        ),
        Mistake(
            lambda X, y, p: (_perceptron(X, y, p)[0], *_every_visit(X, y, p)[1:]),
            "mistakes has an entry for every visit: it has one for each mistake only.",
        ),
        Mistake(
            _each_until_right,
            "You stay with an example until it is right: correct it once (if, not while) and go on to the next.",
        ),
        Mistake(
            lambda X, y, passes: _whole_pass_at_once(X, y, passes, most=1),
            "You begin again at the first example after each mistake: go on to the next, a pass visits them all.",
        ),
        Mistake(
            _whole_pass_at_once,
            "The mistakes of a pass are found with an old theta: correct at once, before the next example is scored.",
        ),
        Mistake(
            _forgetting,
            "theta begins at 0 in every pass: set it to 0 once, before the first.",
        ),
        Mistake(
            lambda X, y, passes: _order(X, y, passes, np.arange(len(X))[::-1]),
            "You visit the examples from the last to the first: the order here is 0, 1, ..., n-1.",
        ),
    ),
    hints=(
        "Two loops, one inside the other: passes outside, the examples 0, 1, ..., n-1 inside. theta starts at 0 "
        "once, before both.",
        "At each mistake append the example's number to one list and the new theta to another. A pass was clean if "
        "neither list grew during it: then stop.",
        "for p in range(passes): before = len(mistakes); then for i in range(len(X)): correct and append if "
        "y[i] * f <= 0; then if len(mistakes) == before: break. Return thetas, mistakes, p + 1.",
    ),
)


def _order(X: Floats, y: Floats, passes: int, order: Any) -> tuple[Floats, Any, int]:
    thetas, made, n = _perceptron(X[order], y[order], passes)
    return thetas, order[made.astype(int)], n


# bound


def _bound(
    X: Floats,
    y: Floats,
    theta: Floats,
    R: Callable[..., float] = lambda Z: float(np.sqrt((Z**2).sum(axis=1)).max()),
    length: Callable[..., float] = lambda theta: float(np.linalg.norm(theta)),
    score: Callable[..., Floats] = lambda Z, y, theta: y * (Z @ theta),
    least: Callable[..., float] = lambda z: float(z.min()),
    limit: Callable[[float, float], float] = lambda R, gamma: (R / gamma) ** 2 if gamma > 0 else np.inf,
) -> tuple[float, float, float]:
    Z = np.column_stack([X, np.ones(len(X))])
    big, gamma = float(R(Z)), float(least(score(Z, y, theta)) / length(theta))
    return big, gamma, float(limit(big, gamma))


def _bound_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d in ((2, 1), (3, 2), (4, 1), (5, 2), (5, 3), (6, 2), (8, 3)):
        while True:
            X, theta = quarters(rng, n, d), quarters(rng, d + 1)
            f = X @ theta[:-1] + theta[-1]
            norms, norm = np.linalg.norm(X, axis=1), np.linalg.norm(theta)
            # Far enough from every tie that only a different formula gives a different answer.
            if (
                (np.abs(f) >= 0.25).all()
                and len(np.unique(f > 0)) == 2
                and abs(norm - 1) > 0.2
                and norms.argmax() != np.abs(f).argmin()
                and theta[:-1].any()
                and theta[-1]
            ):
                break
        y = np.where(f > 0, 1.0, -1.0)
        yield X, y, theta
        if n > 4:
            y = y.copy()
            y[int(np.abs(f).argmax())] *= -1
            yield X, y, theta


def _bound_mistake(sentence: str, **parts: Callable[..., Any]) -> Mistake:
    return Mistake(lambda X, y, theta: _bound(X, y, theta, **parts), sentence)


def _rows(Z: Floats) -> Floats:
    return np.sqrt((Z**2).sum(axis=1))


_LIMITED = "where gamma <= 0 the bound is inf: this theta separates nothing, so it promises nothing."

BOUND = Task(
    name="bound",
    points=3,
    arguments=("X", "y", "theta"),
    returns=("R", "gamma", "limit"),
    cases=_bound_cases,
    answer=_bound,
    mistakes=(
        _bound_mistake(
            "R misses the constant attribute: it is the length of the longest (x, 1), not of the longest x.",
            R=lambda Z: _rows(Z[:, :-1]).max(),
        ),
        _bound_mistake(
            "R is squared already: take the root, the square comes last in (R/gamma)^2.",
            R=lambda Z: (Z**2).sum(axis=1).max(),
        ),
        _bound_mistake("R is the length of the longest example, not of the shortest.", R=lambda Z: _rows(Z).min()),
        _bound_mistake("R is the length of the longest example, not the mean length.", R=lambda Z: _rows(Z).mean()),
        _bound_mistake(
            "R is the norm of the whole matrix: measure each row (axis=1) and take the longest.",
            R=lambda Z: np.sqrt((Z**2).sum()),
        ),
        _bound_mistake(
            "R is the norm of the whole matrix X: measure each row of (x, 1) (axis=1) and take the longest.",
            R=lambda Z: np.sqrt((Z[:, :-1] ** 2).sum()),
        ),
        _bound_mistake(
            "R measures columns: an example is a row, so take norms along axis=1.",
            R=lambda Z: np.sqrt((Z**2).sum(axis=0)).max(),
        ),
        _bound_mistake("R is the length of the longest example, not its largest entry.", R=lambda Z: np.abs(Z).max()),
        _bound_mistake("R is the length of the longest example, not the largest entry of X.", R=np.max),
        _bound_mistake(
            "The constant attribute is added to the length of x: it belongs under the root, ||(x, 1)||.",
            R=lambda Z: _rows(Z[:, :-1]).max() + 1,
        ),
        _bound_mistake(
            "R adds up entries: a length is the root of the sum of squares.", R=lambda Z: np.abs(Z).sum(axis=1).max()
        ),
        _bound_mistake(
            "gamma is not divided by ||theta||: doubling theta must not double the margin.", length=lambda theta: 1.0
        ),
        _bound_mistake(
            "gamma is divided by the length of the weights alone: here theta is measured whole, with its offset.",
            length=lambda theta: np.linalg.norm(theta[:-1]),
        ),
        _bound_mistake(
            "gamma is divided by ||theta||^2: divide by the length, not by its square.",
            length=lambda theta: theta @ theta,
        ),
        _bound_mistake(
            "gamma misses the offset: the score is f = theta[:-1] . x + theta[-1].",
            score=lambda Z, y, theta: y * (Z[:, :-1] @ theta[:-1]),
        ),
        _bound_mistake(
            "gamma lost the labels: it is the smallest y f / ||theta||, not the smallest f.",
            score=lambda Z, y, theta: Z @ theta,
        ),
        _bound_mistake(
            "gamma takes |f|: with y f an example on the wrong side counts as negative.",
            score=lambda Z, y, theta: np.abs(Z @ theta),
        ),
        _bound_mistake("gamma is the smallest margin, that of the worst example, not the largest.", least=np.max),
        _bound_mistake("gamma is the smallest margin, that of the worst example, not the mean.", least=np.mean),
        _bound_mistake("gamma is the smallest margin, that of the worst example, not their sum.", least=np.sum),
        _bound_mistake(
            "gamma may be negative: leave it as it is, only the bound becomes inf.", least=lambda z: max(z.min(), 0.0)
        ),
        _bound_mistake(
            "The bound is (R/gamma)^2: yours is not squared.", limit=lambda R, gamma: R / gamma if gamma > 0 else np.inf
        ),
        _bound_mistake(
            "The bound is (R/gamma)^2: yours squares R alone.", limit=lambda R, g: R**2 / g if g > 0 else np.inf
        ),
        _bound_mistake("The bound is upside down: (R/gamma)^2.", limit=lambda R, g: (g / R) ** 2 if g > 0 else np.inf),
        _bound_mistake(
            "Leave the bound as it is, (R/gamma)^2: do not round it.",
            limit=lambda R, g: np.floor((R / g) ** 2) if g > 0 else np.inf,
        ),
        _bound_mistake(
            "Leave the bound as it is, (R/gamma)^2: do not round it to the nearest whole number.",
            limit=lambda R, g: np.rint((R / g) ** 2) if g > 0 else np.inf,
        ),
        _bound_mistake(
            "Leave the bound as it is, (R/gamma)^2: do not round it up.",
            limit=lambda R, g: np.ceil((R / g) ** 2) if g > 0 else np.inf,
        ),
        _bound_mistake(f"Mind the case without a margin: {_LIMITED}", limit=lambda R, g: (R / g) ** 2),
        *(
            Mistake(
                lambda X, y, theta, instead=instead: (*(b := _bound(X, y, theta))[:2], b[2] if b[1] > 0 else instead),
                f"Without a margin the bound is not {instead}: {_LIMITED}",
            )
            for instead in (0, -1, None)
        ),
    ),
    hints=(
        "Append the constant 1 to every x first (np.column_stack): R, theta and the bound live in that space.",
        "R = the largest np.linalg.norm(row). gamma = the smallest y f, divided by np.linalg.norm(theta), offset "
        "included.",
        "Z = np.column_stack([X, np.ones(len(X))]); R = np.linalg.norm(Z, axis=1).max(); gamma = "
        "(y * (Z @ theta)).min() / np.linalg.norm(theta); the bound is (R / gamma) ** 2, or np.inf if gamma <= 0.",
    ),
)


# hand_trace

HAND_X = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 2.0]])
HAND_Y = np.array([1.0, -1.0, 1.0])


def _hand_trace(rule: Rule = RULE) -> tuple[Floats, ...]:
    theta, rows = np.zeros(3), []
    for x, y in [*zip(HAND_X, HAND_Y, strict=True)] * 2:
        f = rule.score(theta, x)
        after = _update(theta, x, y, rule)
        rows.append(np.array([f, rule.wrong(y, f), *after]))
        theta = after
    return tuple(rows)


def _hand(change: Callable[[Floats], Floats]) -> Callable[[], tuple[Floats, ...]]:
    return lambda: tuple(change(np.array(_hand_trace())))


def _before(rows: Floats) -> Floats:
    rows[1:, 2:] = rows[:-1, 2:].copy()
    rows[0, 2:] = 0
    return rows


def _scored_after(rows: Floats) -> Floats:
    rows[:, 0] = [theta[:-1] @ x + theta[-1] for theta, x in zip(rows[:, 2:], [*HAND_X, *HAND_X], strict=True)]
    return rows


HAND_TRACE = Task(
    name="hand_trace",
    points=2,
    arguments=(),
    returns=tuple(f"visit {v}" for v in range(1, 7)),
    cases=lambda rng: [()],
    answer=_hand_trace,
    mistakes=(
        *_with(
            _hand_trace,
            same=("sign_minus", "hinge", "hinge_open", "right_ones", "minus_score", "no_offset", "offset_first"),
        ),
        Mistake(
            _hand(_before),
            "Your theta is the one before each visit: write down theta as the visit leaves it.",
        ),
        Mistake(
            _hand(_scored_after),
            "Your f is the score after the correction: take it with theta as it is before the visit.",
        ),
        Mistake(
            _hand(lambda rows: rows * np.column_stack([np.tile(HAND_Y, 2), np.ones((6, 4))])),
            "Your first column is y f: write down the score f itself, whatever the label.",
        ),
        Mistake(
            _hand(lambda rows: np.column_stack([rows[:, 0], 1 - rows[:, 1], rows[:, 2:]])),
            "Your second column is upside down: 1 for a mistake, 0 for none.",
        ),
        Mistake(
            _hand(lambda rows: rows[:, [0, 1, 4, 2, 3]]),
            "Your offset comes first: write theta as w1, w2, offset.",
        ),
    ),
    hints=(
        "Before the first visit theta is (0, 0, 0). For each visit write f = w1 x1 + w2 x2 + offset, with theta as "
        "the visit before left it.",
        "A visit with y f <= 0 is a mistake: add y (x1, x2, 1) to theta. Without a mistake theta is the same as in "
        "the row above. Mind a score of exactly 0.",
        "There are four mistakes in the six visits, and the offset ends at 0.",
    ),
)


# cycle


def _ends(X: Floats, y: Floats, passes: int, rule: Rule = RULE) -> tuple[list[Floats], bool]:
    """theta at the start and after each pass that made a mistake; whether the last pass was clean."""
    ends, clean = [np.zeros(X.shape[1] + 1)], False
    for made, thetas in _passes(X, y, passes, rule):
        clean = not made
        if made:
            ends.append(thetas[-1])
    return ends, clean


def _repeat(ends: list[Floats]) -> tuple[int, int] | None:
    """(earlier, later): the first end that equals an earlier one."""
    for later in range(1, len(ends)):
        for earlier in range(later):
            if np.array_equal(ends[earlier], ends[later]):
                return earlier, later
    return None


def _cycle(X: Floats, y: Floats, passes: int, rule: Rule = RULE) -> int | None:
    repeat = _repeat(_ends(X, y, passes, rule)[0])
    return repeat[1] - repeat[0] if repeat else None


def _cycle_cases(rng: np.random.Generator) -> Iterator[Case]:
    X, y = _separable(rng, 4, 2)
    while not _ends(X, y, 1)[0][-1].all():
        X, y = _separable(rng, 4, 2)
    yield X, y, 1
    wanted = {"one": 1, "longer": 2, "late": 2, "separable": 2}
    while any(wanted.values()):
        n, d = int(rng.integers(2, 6)), int(rng.integers(1, 3))
        X, y = rng.integers(-2, 3, (n, d)).astype(float), rng.choice([-1.0, 1.0], n)
        ends, clean = _ends(X, y, 30)
        repeat = _repeat(ends)
        if clean and len(ends) > 3:
            kind = "separable"
        elif repeat is None:
            continue
        elif repeat[1] - repeat[0] == 1:
            kind = "one"
        else:
            kind = "late" if repeat[0] else "longer"
        if not wanted[kind]:
            continue
        wanted[kind] -= 1
        yield X, y, 30
        if repeat and kind != "one":
            yield X, y, repeat[1]  # just long enough to see it
            yield X, y, repeat[1] - 1
        if repeat and kind == "late":
            yield X, y, repeat[1] - 2


def _cycled(change: Callable[..., Any]) -> Callable[..., Any]:
    """A mistake that finds the repeat and answers with something else."""

    def mistake(X: Floats, y: Floats, passes: int) -> Any:
        repeat = _repeat(_ends(X, y, passes)[0])
        return change(*repeat, X, y) if repeat else None

    return mistake


def _clean_is_cycle(X: Floats, y: Floats, passes: int) -> int | None:
    return 1 if _ends(X, y, passes)[1] else _cycle(X, y, passes)


def _start_forgotten(X: Floats, y: Floats, passes: int) -> int | None:
    repeat = _repeat(_ends(X, y, passes)[0][1:])
    return repeat[1] - repeat[0] if repeat else None


def _only_start(X: Floats, y: Floats, passes: int) -> int | None:
    ends = _ends(X, y, passes)[0]
    return next((k for k, theta in enumerate(ends) if k and not theta.any()), None)


def _only_previous(X: Floats, y: Floats, passes: int) -> int | None:
    ends = _ends(X, y, passes)[0]
    return next((1 for a, b in pairwise(ends) if np.array_equal(a, b)), None)


def _any_entry(X: Floats, y: Floats, passes: int) -> int | None:
    ends = _ends(X, y, passes)[0]
    for later in range(1, len(ends)):
        for earlier in range(later):
            if (ends[earlier] == ends[later]).any():
                return later - earlier
    return None


def _same_array(X: Floats, y: Floats, passes: int) -> int | None:
    return 1 if len(_ends(X, y, passes)[0]) > 1 else None


CYCLE = Task(
    name="cycle",
    points=3,
    arguments=("X", "y", "passes"),
    returns=("length",),
    cases=_cycle_cases,
    answer=_cycle,
    mistakes=(
        Mistake(
            lambda X, y, passes: None,
            "You never find a repeat: correct when y f <= 0 (0 included), and compare theta after each pass with all "
            "earlier ones.",
        ),
        Mistake(
            _clean_is_cycle,
            "A pass without a mistake leaves theta as it was, but that is success, not a cycle: return None there.",
        ),
        Mistake(
            _start_forgotten,
            "The start counts: theta = 0 belongs to the values that may come back.",
        ),
        Mistake(_only_start, "You compare with the start alone: theta may come back to any earlier value."),
        Mistake(
            _only_previous,
            "You compare with the pass before alone: a cycle may take several passes, so keep all earlier thetas.",
        ),
        Mistake(
            _cycled(lambda first, again, X, y: again),
            "You return the pass at which theta came back: the length is that pass minus the one where it was first.",
        ),
        Mistake(
            _cycled(lambda first, again, X, y: again - 1),
            "You return the pass, counted from 0, at which theta came back: the length is how many passes lie between.",
        ),
        Mistake(
            _cycled(lambda first, again, X, y: first),
            "You return the pass where the repeated theta was first: the length is how many passes later it came back.",
        ),
        Mistake(
            _cycled(lambda first, again, X, y: True),
            "You return whether theta comes back: the length of the cycle in passes is asked for.",
        ),
        Mistake(
            lambda X, y, passes: _cycle(X, y, passes) is not None,
            "You return whether theta comes back: the length of the cycle in passes is asked for, or None.",
        ),
        Mistake(
            lambda X, y, passes: _cycle(X, y, passes) or 0,
            "Where no theta comes back return None, not 0 or False.",
        ),
        Mistake(
            lambda X, y, passes: 0 if _ends(X, y, passes)[1] else _cycle(X, y, passes),
            "After a pass without a mistake return None, not 0 or False.",
        ),
        Mistake(
            lambda X, y, passes: None if _ends(X, y, passes)[1] else _cycle(X, y, passes) or 0,
            "When the passes are used up without a repeat return None, not 0 or False.",
        ),
        Mistake(lambda X, y, passes: _cycle(X, y, passes) or -1, "Where no theta comes back return None, not -1."),
        Mistake(
            _cycled(lambda first, again, X, y: again - first - 1),
            "The length is one too small: a theta that comes back after the very next pass has length 1.",
        ),
        Mistake(
            _cycled(lambda first, again, X, y: again - first + 1),
            "The length is one too large: a theta that comes back after the very next pass has length 1.",
        ),
        Mistake(
            _cycled(lambda first, again, X, y: (again - first) * len(X)),
            "You count visits: the length is asked for in whole passes.",
        ),
        Mistake(
            lambda X, y, passes: _cycle(X, y, passes - 1),
            "You make one pass too few: passes is the number of passes that may be made.",
        ),
        Mistake(
            lambda X, y, passes: _cycle(X, y, passes + 1),
            "You make one pass too many: passes is the most that may be made.",
        ),
        Mistake(
            lambda X, y, passes: _cycle(X, y, 100),
            "The limit is ignored: after `passes` passes without a repeat return None.",
        ),
        Mistake(
            _any_entry,
            "One equal entry is not enough: theta has come back when all its entries are equal (np.array_equal).",
        ),
        Mistake(
            _same_array,
            "Every run seems to have a cycle of length 1: a list that holds the same array again and again does that; "
            "append a copy.",
        ),
    ),
    hints=(
        "Keep a list of theta at the end of every pass, and put the start (all zeros) in first.",
        "After each pass: if it made no mistake, return None. Else look for an equal theta in the list; only then "
        "append the new one.",
        "tuple(theta) can be compared with == as a whole. If it is in the list at position k and the list has m "
        "entries, the length is m - k.",
    ),
)

TASKS = (UPDATE, PERCEPTRON, BOUND, HAND_TRACE, CYCLE)
