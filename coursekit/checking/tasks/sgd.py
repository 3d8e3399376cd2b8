"""Chapter 5: a hinge step, schedules, stochastic descent, mini-batches, averaging, a trace by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import labels, quarters
from coursekit.checking.tasks.judge import Case, Mistake, Task, slips
from coursekit.core.validate import Floats


@dataclass(frozen=True)
class Rule:
    """What an example does to theta, in three parts that can each be got wrong."""

    score: Callable[[Floats, Floats], float] = lambda theta, x: float(theta[:-1] @ x + theta[-1])
    pulls: Callable[[float, float], bool] = lambda y, f: y * f <= 1
    pull: Callable[[Floats, float, float], Floats] = lambda x, y, f: y * np.append(x, 1.0)

    def __call__(self, theta: Floats, x: Floats, y: float) -> Floats:
        """Minus the slope of the example's hinge loss."""
        f = self.score(theta, x)
        return self.pull(x, y, f) if self.pulls(y, f) else np.zeros(len(theta))


RULE = Rule()

_WRONG_RULES: tuple[tuple[str, Rule], ...] = (
    (
        "At the kink, y f = 1, the example still pulls: test y f <= 1, not y f < 1.",
        replace(RULE, pulls=lambda y, f: y * f < 1),
    ),
    (
        "Only wrong examples pull in your answer, as in the perceptron: the hinge loss pulls up to y f = 1.",
        replace(RULE, pulls=lambda y, f: y * f <= 0),
    ),
    (
        "Only wrong examples pull in your answer, and not even those with f = 0: the hinge loss pulls up to y f = 1.",
        replace(RULE, pulls=lambda y, f: y * f < 0),
    ),
    (
        "The test is the wrong way round: an example pulls while y f <= 1, and beyond it is silent.",
        replace(RULE, pulls=lambda y, f: y * f > 1),
    ),
    (
        "The test is the wrong way round: an example pulls while y f <= 1, and beyond it is silent (yours has >=).",
        replace(RULE, pulls=lambda y, f: y * f >= 1),
    ),
    ("Every example pulls in your answer: with y f > 1 it is silent.", replace(RULE, pulls=lambda y, f: True)),
    ("Your test looks at the score f alone: the agreement is y f.", replace(RULE, pulls=lambda y, f: f <= 1)),
    ("The pull lost its label: it is y (x, 1).", replace(RULE, pull=lambda x, y, f: np.append(x, 1.0))),
    (
        "The pull has the wrong sign: a step against the slope -y (x, 1) adds y (x, 1).",
        replace(RULE, pull=lambda x, y, f: -y * np.append(x, 1.0)),
    ),
    (
        "The pull is y (x, 1), however large the loss: y - f, which is y (1 - y f), belongs to least squares.",
        replace(RULE, pull=lambda x, y, f: (y - f) * np.append(x, 1.0)),
    ),
    (
        "The offset is never pulled: it is the weight of the constant attribute 1, so it gets y.",
        replace(RULE, pull=lambda x, y, f: y * np.append(x, 0.0)),
    ),
    (
        "The offset is pulled by 1: it must be y, which is -1 for a negative example.",
        replace(RULE, pull=lambda x, y, f: np.append(y * x, 1.0)),
    ),
    ("The score misses the offset: f = theta . (x, 1).", replace(RULE, score=lambda theta, x: float(theta[:-1] @ x))),
    (
        "Your offset comes first: here it is the last entry of theta.",
        replace(
            RULE,
            score=lambda theta, x: float(theta[1:] @ x + theta[0]),
            pull=lambda x, y, f: y * np.append(1.0, x),
        ),
    ),
)


# hinge_step


def _weights(theta: Floats) -> Floats:
    return np.append(theta[:-1], 0.0)


def _hinge_step(
    theta: Floats,
    x: Floats,
    y: float,
    eta: float,
    lam: float,
    rule: Rule = RULE,
    slope: Callable[[Floats, float], Floats] = lambda theta, lam: lam * _weights(theta),
) -> Floats:
    return theta + eta * (rule(theta, x, y) - slope(theta, lam))


def _hinge_step_cases(rng: np.random.Generator) -> Iterator[Case]:
    for y in (1.0, -1.0):
        for d, agreement in ((1, 0.0), (2, 1.0), (1, -1.5), (2, 0.5), (3, 2.5), (2, 1.125)):
            while True:
                w, x = quarters(rng, d), quarters(rng, d)
                theta = np.append(w, y * agreement - w @ x)
                # at 1.125 the weights carry the score, so that shrinking them first would matter
                if w.any() and x.any() and abs(theta[-1]) > 0.2 and (agreement != 1.125 or y * (w @ x) > 1.5):
                    break
            yield theta, x, y, float(rng.choice([0.25, 0.5])), 0.5
    yield quarters(rng, 3), quarters(rng, 2), 1.0, 0.125, 0.0


def _shrunk_first(theta: Floats, x: Floats, y: float, eta: float, lam: float) -> Floats:
    theta = theta - eta * lam * _weights(theta)
    return theta + eta * RULE(theta, x, y)


def _shrunk_last(theta: Floats, x: Floats, y: float, eta: float, lam: float) -> Floats:
    theta = theta + eta * RULE(theta, x, y)
    return theta - eta * lam * _weights(theta)


def _shrunk_by_pull(theta: Floats, x: Floats, y: float, eta: float, lam: float) -> Floats:
    return _hinge_step(theta, x, y, eta, lam) if RULE(theta, x, y).any() else theta


def _shrunk_if_silent(theta: Floats, x: Floats, y: float, eta: float, lam: float) -> Floats:
    return _hinge_step(theta, x, y, eta, 0.0 if RULE(theta, x, y).any() else lam)


HINGE_STEP = Task(
    name="hinge_step",
    points=2,
    arguments=("theta", "x", "y", "eta", "lam"),
    returns=("theta",),
    cases=_hinge_step_cases,
    answer=_hinge_step,
    mistakes=(
        *(Mistake(partial(_hinge_step, rule=rule), sentence) for sentence, rule in _WRONG_RULES),
        Mistake(
            partial(_hinge_step, slope=lambda theta, lam: lam * theta),
            "Your offset shrinks too: the penalty is on the weights alone.",
        ),
        Mistake(
            partial(_hinge_step, slope=lambda theta, lam: 0 * theta),
            "The penalty is missing: in every step the weights shrink by the factor 1 - eta lam.",
        ),
        Mistake(
            partial(_hinge_step, slope=lambda theta, lam: 2 * lam * _weights(theta)),
            "The weights shrink by 1 - 2 eta lam: the slope of lam/2 ||w||^2 is lam w.",
        ),
        Mistake(
            partial(_hinge_step, slope=lambda theta, lam: lam / 2 * _weights(theta)),
            "The weights shrink by 1 - eta lam / 2: the slope of lam/2 ||w||^2 is lam w.",
        ),
        Mistake(
            partial(_hinge_step, slope=lambda theta, lam: -lam * _weights(theta)),
            "The weights grow: the penalty shrinks them, by the factor 1 - eta lam.",
        ),
        Mistake(
            partial(_hinge_step, slope=lambda theta, lam: lam * np.sign(_weights(theta))),
            "Your penalty pulls all weights equally hard: the slope of lam/2 ||w||^2 is lam w.",
        ),
        Mistake(
            lambda theta, x, y, eta, lam: theta + eta * RULE(theta, x, y) - lam * _weights(theta),
            "The weights shrink by 1 - lam: the penalty is a slope too, so its step is multiplied by eta.",
        ),
        Mistake(
            lambda theta, x, y, eta, lam: theta + RULE(theta, x, y) - eta * lam * _weights(theta),
            "The pull has no step size: add eta y (x, 1).",
        ),
        Mistake(
            lambda theta, x, y, eta, lam: _hinge_step(theta, x, y, 1.0, lam),
            "There is no step size: both slopes are multiplied by eta.",
        ),
        Mistake(_shrunk_first, "You shrink theta before the agreement is computed: it belongs to theta as it came."),
        Mistake(_shrunk_last, "You shrink what was just added as well: both slopes are taken at theta as it came."),
        Mistake(_shrunk_by_pull, "A silent example changes nothing in your answer: the weights shrink in every step."),
        Mistake(_shrunk_if_silent, "The weights shrink only where the example is silent: they do so in every step."),
        Mistake(
            lambda *case: _hinge_step(*case) - case[0],
            "You return the change alone: add it to theta.",
        ),
        Mistake(
            lambda theta, x, y, eta, lam: 2 * theta - _hinge_step(theta, x, y, eta, lam),
            "You step along the slope, uphill: theta - eta times slope leads down.",
        ),
    ),
    hints=(
        "Two slopes add up: that of the hinge loss of this example, and that of the penalty. Both are taken at theta.",
        "If y f <= 1 the example adds eta y x to the weights and eta y to the offset. In any case the weights lose "
        "eta lam w.",
        "after = theta - eta * lam * np.append(theta[:-1], 0), and where y * f <= 1 plus eta * y * np.append(x, 1).",
    ),
)


# step_sizes


def _step_sizes(
    eta0: float,
    power: float,
    steps: int,
    rates: Callable[..., Floats] = lambda eta0, power, k: eta0 / (k + 1) ** power,
    reach: Callable[[Floats], Any] = np.sum,
    noise: Callable[[Floats], Any] = lambda rates: (rates**2).sum(),
    more: int = 0,
) -> tuple[Any, Any, Any]:
    etas = rates(eta0, power, np.arange(steps + more, dtype=float)) * np.ones(steps + more)
    return etas, reach(etas), noise(etas)


def _step_sizes_cases(rng: np.random.Generator) -> Iterator[Case]:
    for power, steps in ((0.0, 3), (1.0, 2), (0.5, 4), (2.0, 5), (0.75, 7), (1.0, 20)):
        yield float(rng.choice([0.1, 0.3, 0.5, 2.0, 3.0])), power, steps
    yield 0.7, 1.5, 6


STEP_SIZES = Task(
    name="step_sizes",
    points=2,
    arguments=("eta0", "power", "steps"),
    returns=("rates", "reach", "noise"),
    cases=_step_sizes_cases,
    answer=_step_sizes,
    mistakes=(
        *(
            Mistake(partial(_step_sizes, rates=rates), sentence)
            for sentence, rates in (
                (
                    "Your rates begin with k = 1: k counts from 0, so that the first step is eta0.",
                    lambda eta0, power, k: eta0 / (k + 2) ** power,
                ),
                (
                    "Your first rate divides by 0: it is eta0 / (k + 1)^power, with k from 0.",
                    lambda eta0, power, k: eta0 / k**power,
                ),
                (
                    "eta0 stands outside the power: eta0 / (k + 1)^power, not (eta0 / (k + 1))^power.",
                    lambda eta0, power, k: (eta0 / (k + 1)) ** power,
                ),
                (
                    "The power is a power: (k + 1)^power, not power times (k + 1).",
                    lambda eta0, power, k: eta0 / (power * (k + 1)),
                ),
                (
                    "The power goes with k + 1 as a whole: (k + 1)^power, not k^power + 1.",
                    lambda eta0, power, k: eta0 / (k**power + 1),
                ),
                ("The power is ignored: eta0 / (k + 1)^power.", lambda eta0, power, k: eta0 / (k + 1)),
                ("Your rates grow: divide by (k + 1)^power.", lambda eta0, power, k: eta0 * (k + 1) ** power),
                ("eta0 is missing: it multiplies every rate.", lambda eta0, power, k: 1 / (k + 1) ** power),
                ("Your rates do not shrink: divide by (k + 1)^power.", lambda eta0, power, k: eta0 + 0 * k),
                (
                    "You divide with //, which cuts fractions off: use / instead.",
                    lambda eta0, power, k: eta0 // (k + 1) ** power,
                ),
                (
                    "Each of your rates divides the one before: eta0 / (k + 1)^power is computed from eta0.",
                    lambda eta0, power, k: eta0 / np.cumprod((k + 1) ** power),
                ),
            )
        ),
        Mistake(partial(_step_sizes, more=-1), "The last rate is missing: k runs from 0 to steps - 1."),
        Mistake(partial(_step_sizes, more=1), "There is one rate too many: k runs from 0 to steps - 1."),
        Mistake(
            lambda eta0, power, steps: (*[eta0 / steps**power] * 2, (eta0 / steps**power) ** 2),
            "rates is only the last rate: all of them are asked for.",
        ),
        Mistake(partial(_step_sizes, reach=np.mean), "reach is the sum of the rates: yours is their mean."),
        Mistake(partial(_step_sizes, reach=np.cumsum), "reach is one number, the sum of all rates."),
        Mistake(partial(_step_sizes, reach=lambda etas: etas[-1]), "reach is the sum of the rates, not the last one."),
        Mistake(partial(_step_sizes, reach=lambda etas: (etas**2).sum()), "reach is the plain sum, without squares."),
        Mistake(
            partial(_step_sizes, noise=lambda etas: etas.sum() ** 2),
            "noise squares the sum: square each rate first, then add up.",
        ),
        Mistake(
            partial(_step_sizes, noise=lambda etas: (etas**2).mean()), "noise is the sum of the squares, not the mean."
        ),
        Mistake(
            partial(_step_sizes, noise=lambda etas: np.sqrt((etas**2).sum())),
            "noise is the sum of the squares itself: leave the root out.",
        ),
        Mistake(
            partial(_step_sizes, noise=lambda etas: (etas**2).sum() / etas[0]),
            "noise: square the whole rate, eta0 included.",
        ),
        Mistake(partial(_step_sizes, noise=np.sum), "noise is the sum of the squared rates: square each first."),
    ),
    hints=(
        "np.arange(steps) gives k = 0, 1, ..., steps - 1. What is the first rate?",
        "rates = eta0 / (k + 1) ** power, for the whole array k at once. The brackets matter.",
        "reach is rates.sum(), noise is (rates ** 2).sum().",
    ),
)


# sgd


def _hinge_risk(X: Floats, y: Floats, theta: Floats) -> float:
    return float(np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1])).mean())


def _sgd(
    X: Floats,
    y: Floats,
    examples: Any,
    eta0: float,
    rule: Rule = RULE,
    rate: Callable[[int, int], float] = lambda k, pulls: 1 / (k + 1),
    visit: Callable[[int, Any, int], int] = lambda k, examples, n: int(examples[k]),
    risk: Callable[[Floats, Floats, Floats], float] = _hinge_risk,
    change: Callable[[Floats], Floats] = lambda thetas: thetas,
    choose: Callable[[Floats], Any] = lambda risks: int(risks.argmin()),
    keep: Callable[[Floats], Any] = lambda risks: risks,
) -> tuple[Any, ...]:
    thetas, pulls = [np.zeros(X.shape[1] + 1)], 0
    for k in range(len(examples)):
        i = visit(k, examples, len(X))
        pull = rule(thetas[-1], X[i], y[i])
        thetas.append(thetas[-1] + eta0 * rate(k, pulls) * pull)
        pulls += bool(pull.any())
    risks = np.array([risk(X, y, theta) for theta in thetas])
    return change(np.array(thetas)), keep(risks), choose(risks)


def _all_at_once(X: Floats, y: Floats, examples: Any, eta0: float) -> tuple[Any, ...]:
    thetas = [np.zeros(X.shape[1] + 1)]
    for k in range(len(examples)):
        pull = np.mean([RULE(thetas[-1], x, label) for x, label in zip(X, y, strict=True)], axis=0)
        thetas.append(thetas[-1] + eta0 / (k + 1) * pull)
    risks = np.array([_hinge_risk(X, y, theta) for theta in thetas])
    return np.array(thetas), risks, int(risks.argmin())


def _moved(thetas: Floats) -> Floats:
    """Only the rows that differ from the one before, and the start."""
    return thetas[np.append(True, (thetas[1:] != thetas[:-1]).any(axis=1))]


def _clear(X: Floats, y: Floats, examples: Any, eta0: float) -> bool:
    """Whether rounding decides nothing: no visit near its kink, no two risks nearly alike."""
    thetas, risks, best = _sgd(X, y, examples, eta0)
    z = y[examples] * ((X[examples] * thetas[:-1, :-1]).sum(axis=1) + thetas[:-1, -1])
    others = risks[(thetas != thetas[best]).any(axis=1)]
    kinds = (z > 1).any() and ((z > 0) & (z < 1)).any()
    return bool(kinds and np.abs(z - 1).min() > 0.02 and np.all(others > risks[best] + 0.01))


def _sgd_cases(rng: np.random.Generator) -> Iterator[Case]:
    # exactly on the kink at the second visit, silent at the third
    yield np.array([[2.0], [0.0]]), np.array([1.0, 1.0]), np.array([0, 1, 0]), 1.0
    for n, d, steps, wanted in (
        (3, 1, 4, "start"),
        (4, 2, 6, "middle"),
        (5, 2, 8, "any"),
        (5, 1, 7, "any"),
        (6, 3, 9, "any"),
    ):
        while True:
            X, y, eta0 = quarters(rng, n, d), labels(rng, n), float(rng.choice([0.5, 2.0]))
            examples = rng.integers(n, size=steps)
            if not _clear(X, y, examples, eta0):
                continue
            best = _sgd(X, y, examples, eta0)[2]
            if wanted == "any" or (best == 0 if wanted == "start" else 0 < best < steps - 1):
                break
        yield X, y, examples, eta0


SGD = Task(
    name="sgd",
    points=4,
    arguments=("X", "y", "examples", "eta0"),
    returns=("thetas", "risks", "best"),
    cases=_sgd_cases,
    answer=_sgd,
    mistakes=(
        *(
            Mistake(partial(_sgd, rule=rule), sentence)
            for sentence, rule in _WRONG_RULES
            if "yours has >=" not in sentence and "with f = 0" not in sentence and "other way" not in sentence
        ),
        Mistake(
            partial(_sgd, rate=lambda k, pulls: 1.0),
            "Your step size does not shrink: eta_k = eta0 / (k + 1).",
        ),
        Mistake(
            partial(_sgd, rate=lambda k, pulls: 1 / (k + 2)),
            "Your first step is eta0 / 2: k counts from 0, so eta_0 = eta0.",
        ),
        Mistake(
            partial(_sgd, rate=lambda k, pulls: 1 / (pulls + 1)),
            "Your k counts the pulls: it counts every visit, silent ones as well.",
        ),
        Mistake(
            partial(_sgd, rate=lambda k, pulls: 1 / (k + 1) ** 0.5),
            "Your steps shrink like 1/sqrt(k + 1): here it is eta0 / (k + 1).",
        ),
        Mistake(
            lambda X, y, examples, eta0: _sgd(X, y, examples, 1.0),
            "eta0 is ignored: eta_k = eta0 / (k + 1).",
        ),
        Mistake(
            partial(_sgd, visit=lambda k, examples, n: k % n),
            "You visit the rows in their order: step k visits row examples[k].",
        ),
        Mistake(
            partial(_sgd, visit=lambda k, examples, n: int(examples[k]) - 1),
            "You visit the row before: examples holds row numbers that count from 0.",
        ),
        Mistake(
            lambda X, y, examples, eta0: _sgd(
                X, y, examples, 1.0, replace(RULE, pulls=lambda y, f: y * f <= 0), lambda k, pulls: 1.0
            ),
            "That is the perceptron: here an example pulls up to y f = 1, with the step size eta0 / (k + 1).",
        ),
        Mistake(_all_at_once, "Every step looks at all examples: step k looks at row examples[k] alone."),
        Mistake(
            partial(_sgd, change=lambda thetas: thetas[1:]),
            "The start is missing: row 0 of thetas is the start, so there is one row more than there are steps.",
        ),
        Mistake(
            partial(_sgd, change=lambda thetas: thetas[:-1]),
            "The last theta is missing: there is one row more than there are steps.",
        ),
        Mistake(partial(_sgd, change=_moved), "Silent visits have a row too: theta as it was, once more."),
        Mistake(
            partial(_sgd, change=lambda thetas: np.vstack([thetas[:1], 0 * thetas[1:] + thetas[-1]])),
            "All rows behind the start are the last theta: the list holds the same array again and again; "
            "theta = theta + ... makes a new one, theta += ... does not.",
        ),
        Mistake(
            partial(_sgd, change=lambda thetas: 0 * thetas + thetas[-1]),
            "All rows are the last theta: the list holds the same array again and again; theta = theta + ... makes a "
            "new one, theta += ... does not.",
        ),
        Mistake(
            partial(_sgd, change=lambda thetas: thetas[-1]),
            "thetas is only the last theta: note theta after every visit, with the start as row 0.",
        ),
        Mistake(
            partial(_sgd, risk=lambda X, y, theta: len(X) * _hinge_risk(X, y, theta)),
            "risks are sums: the risk is the mean hinge loss.",
        ),
        Mistake(
            partial(_sgd, risk=lambda X, y, theta: float(np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0))),
            "risks are training errors: the mean hinge loss is asked for.",
        ),
        Mistake(
            partial(_sgd, risk=lambda X, y, theta: float(np.maximum(0, -y * (X @ theta[:-1] + theta[-1])).mean())),
            "risks are means of the perceptron loss: the hinge loss is max(0, 1 - z).",
        ),
        Mistake(
            partial(_sgd, risk=lambda X, y, theta: float((1 - y * (X @ theta[:-1] + theta[-1])).mean())),
            "risks lack the max of each example: max(0, 1 - z) comes first, the mean after it.",
        ),
        Mistake(
            partial(_sgd, risk=lambda X, y, theta: float(np.maximum(0, 1 - y * (X @ theta[:-1])).mean())),
            "risks lack the offset: f = theta . (x, 1).",
        ),
        Mistake(
            partial(_sgd, keep=lambda risks: np.minimum.accumulate(risks)),
            "risks are the best so far: the risk of each theta itself is asked for, best comes after it.",
        ),
        Mistake(
            partial(_sgd, keep=lambda risks: risks[1:]),
            "The risk of the start is missing: risks has as many entries as thetas has rows.",
        ),
        Mistake(
            partial(_sgd, choose=lambda risks: 1 + int(risks[1:].argmin())),
            "The start counts too: if no later theta has a lower risk, best is 0.",
        ),
        Mistake(
            partial(_sgd, choose=lambda risks: len(risks) - 1),
            "best is not always the last: stochastic descent goes up and down.",
        ),
        Mistake(
            partial(_sgd, choose=lambda risks: int(risks.argmax())),
            "best is the row with the highest risk: the lowest is asked for.",
        ),
        Mistake(
            partial(_sgd, choose=lambda risks: len(risks) - 1 - int(risks[::-1].argmin())),
            "Of several rows with the same lowest risk the first is best.",
        ),
        Mistake(
            partial(_sgd, choose=lambda risks: float(risks.min())),
            "best is the lowest risk itself: the row of thetas where it is reached is asked for.",
        ),
        Mistake(
            partial(_sgd, choose=lambda risks: 1 + int(risks.argmin())),
            "best counts from 1: rows count from 0, and the start is row 0.",
        ),
    ),
    hints=(
        "for k, i in enumerate(examples): row i of X and of y, and eta0 / (k + 1). The rest of a step is hinge_step "
        "with lam = 0.",
        "Put theta into a list before the loop, and append it after every visit, also after a silent one.",
        "risks: for every theta in the list np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1])).mean(); best is their "
        "np.argmin.",
    ),
)


# batch_slope


def _batch_slope(
    X: Floats,
    y: Floats,
    theta: Floats,
    lam: float,
    batch: Any,
    rule: Rule = RULE,
    rows: Callable[[Any, int], Any] = lambda batch, n: batch,
    total: Callable[..., Any] = lambda pulls, n: pulls.mean(axis=0),
    penalty: Callable[..., Any] = lambda theta, lam, b, n: lam * _weights(theta),
) -> Any:
    chosen = rows(batch, len(X))
    pulls = np.array([rule(theta, X[i], y[i]) for i in chosen])
    return penalty(theta, lam, len(batch), len(X)) - total(pulls, len(X))


def _batch_slope_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d, b, lam in (
        (3, 1, 1, 0.5),
        (4, 2, 2, 0.0),
        (5, 2, 5, 0.5),
        (6, 3, 5, 0.25),
        (7, 1, 6, 0.75),
        (6, 2, 8, 0.5),
    ):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), quarters(rng, d + 1)
            theta[0] = rng.choice([-1.0, 1.0])
            X[-1, 0] -= theta[0] * (X[-1] @ theta[:-1] + theta[-1] - y[-1])  # agreement 1: on the kink
            batch = np.append(rng.integers(1, n, b - 1), n - 1)
            if b > 3:
                batch[0] = batch[1]  # one example twice
            f = X[batch] @ theta[:-1] + theta[-1]
            z = y[batch] * f
            kinds = (z > 0) & (z < 1), z > 1, f > 1, (y[batch] < 0) & (np.abs(f) > 1)
            if theta.all() and (b < 4 or all(map(np.any, kinds))):
                break
        yield X, y, theta, lam, batch


BATCH_SLOPE = Task(
    name="batch_slope",
    points=3,
    arguments=("X", "y", "theta", "lam", "batch"),
    returns=("slope",),
    cases=_batch_slope_cases,
    answer=_batch_slope,
    mistakes=(
        *(
            Mistake(partial(_batch_slope, rule=rule), sentence)
            for sentence, rule in _WRONG_RULES
            if "pull has the wrong sign" not in sentence and "with f = 0" not in sentence
        ),
        Mistake(
            lambda *case: -_batch_slope(*case),
            "You return the way down: the slope itself is asked for, -y (x, 1) for an example that pulls.",
        ),
        Mistake(
            partial(_batch_slope, total=lambda pulls, n: -pulls.mean(axis=0)),
            "The slope of the loss has the wrong sign: an example that pulls has the slope -y (x, 1).",
        ),
        Mistake(
            partial(_batch_slope, total=lambda pulls, n: pulls.sum(axis=0)),
            "You add up: the slope of a mini-batch is a mean.",
        ),
        Mistake(
            partial(_batch_slope, total=lambda pulls, n: pulls.sum(axis=0) / n),
            "You divide by n: the mean is over the examples of the batch.",
        ),
        Mistake(
            partial(_batch_slope, total=lambda pulls, n: pulls.sum(axis=0) / max(1, pulls.any(axis=1).sum())),
            "You divide by the number of examples that pull: the mean is over the whole batch.",
        ),
        Mistake(
            partial(_batch_slope, rows=lambda batch, n: np.unique(batch)),
            "An example that was drawn several times counts several times: keep repeated numbers.",
        ),
        Mistake(
            lambda X, y, theta, lam, batch: (
                lam * _weights(theta)
                - np.sum([RULE(theta, X[i], y[i]) for i in set(batch.tolist())], axis=0) / len(batch)
            ),
            "An example that was drawn several times counts several times: keep repeated numbers in the sum too.",
        ),
        Mistake(
            lambda *case: len(case[-1]) * _batch_slope(*case),
            "Everything is added up: the slope of a mini-batch is a mean, and the penalty comes once.",
        ),
        Mistake(
            partial(_batch_slope, rows=lambda batch, n: range(n)),
            "You use all examples: only the rows in batch count.",
        ),
        Mistake(
            partial(_batch_slope, rows=lambda batch, n: range(min(n, len(batch)))),
            "You use the first rows of X: batch holds the numbers of the rows to use.",
        ),
        Mistake(
            partial(_batch_slope, rows=lambda batch, n: batch - 1),
            "You use the rows before: batch holds row numbers that count from 0.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: lam * theta),
            "The offset is penalised: the penalty adds lam w to the weights and nothing to the offset.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: 0 * theta),
            "The penalty is missing: add lam w to the weights.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: 2 * lam * _weights(theta)),
            "The slope of lam/2 ||w||^2 is lam w: yours is twice that.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: lam / 2 * _weights(theta)),
            "The slope of lam/2 ||w||^2 is lam w: yours is half of that.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: -lam * _weights(theta)),
            "The slope of the penalty is added, not taken away.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: lam * _weights(theta) * b / n),
            "The penalty is scaled by b/n: every step gets it in full, lam w.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: lam * _weights(theta) / b),
            "The penalty is divided by the size of the batch: it is no mean, add lam w.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: lam * _weights(theta) / n),
            "The penalty is divided by n: it is no mean, add lam w.",
        ),
        Mistake(
            partial(_batch_slope, penalty=lambda theta, lam, b, n: lam * _weights(theta) * b),
            "The penalty is added once for each example: add it once.",
        ),
        Mistake(
            lambda X, y, theta, lam, batch: theta - _batch_slope(X, y, theta, lam, batch),
            "You make a step: the slope itself is asked for.",
        ),
    ),
    hints=(
        "X[batch] and y[batch] are the examples of the batch, repeated ones repeated. From there on it is a mean.",
        "An example with y f <= 1 has the slope -y (x, 1), the others 0. The penalty comes on top, once.",
        "Z = y[batch, None] * np.column_stack([X[batch], np.ones(len(batch))]); pulls = Z @ theta <= 1; the slope is "
        "-Z[pulls].sum(axis=0) / len(batch) + lam * np.append(theta[:-1], 0).",
    ),
)


# average


def _average(
    thetas: Floats,
    X: Floats,
    y: Floats,
    mean: Callable[..., Any] = lambda thetas, risks: thetas.mean(axis=0),
    risk: Callable[..., float] = _hinge_risk,
    judge: Callable[..., Any] = lambda risk, average, risks: risk(average),
    alone: Callable[[Floats], Any] = np.mean,
) -> tuple[Any, Any, Any]:
    def value(theta: Floats) -> float:
        return risk(X, y, theta)

    risks = np.array([value(theta) for theta in thetas])
    average = mean(thetas, risks)
    return average, judge(value, average, risks) if np.shape(average) == thetas[0].shape else 0.0, alone(risks)


def _average_cases(rng: np.random.Generator) -> Iterator[Case]:
    for workers, n, d in ((2, 3, 1), (3, 4, 2), (4, 5, 2), (5, 6, 3), (3, 8, 1)):
        while True:
            thetas, X, y = 2 * quarters(rng, workers, d + 1), quarters(rng, n, d), labels(rng, n)
            _, risk, alone = _average(thetas, X, y)
            if alone > risk + 0.1 and thetas.any(axis=1).all():
                break
        yield thetas, X, y


AVERAGE = Task(
    name="average",
    points=2,
    arguments=("thetas", "X", "y"),
    returns=("average", "risk", "alone"),
    cases=_average_cases,
    answer=_average,
    mistakes=(
        Mistake(
            partial(_average, mean=lambda thetas, risks: thetas.mean(axis=1)),
            "You take the mean over the entries of each theta: a worker is a row, so average along axis=0.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: thetas.mean()),
            "You take the mean over everything: average the workers alone (axis=0), entry by entry.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: thetas.sum(axis=0)),
            "You add the workers up: divide by their number.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: thetas.sum(axis=0) / thetas.shape[1]),
            "You divide by the number of entries: divide by the number of workers.",
        ),
        Mistake(
            lambda thetas, X, y: _average(thetas, X, y, mean=lambda t, risks: t.sum(axis=0) / len(X)),
            "You divide by the number of examples: divide by the number of workers.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: np.median(thetas, axis=0)),
            "You take the median: the mean is asked for.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: thetas[risks.argmin()]),
            "You take the best worker: all of them are averaged.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: thetas[-1]),
            "You take the last worker: all of them are averaged.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: np.append(thetas.mean(axis=0)[:-1], 0.0)),
            "The offset is lost: it is averaged like the weights.",
        ),
        Mistake(
            partial(_average, mean=lambda thetas, risks: thetas.mean(axis=0)[:-1]),
            "The offset is lost: it is averaged like the weights.",
        ),
        Mistake(
            partial(
                _average,
                mean=lambda thetas, risks: (thetas / np.linalg.norm(thetas, axis=1, keepdims=True)).mean(axis=0),
            ),
            "You give all workers the same length first: average them as they are.",
        ),
        Mistake(
            partial(_average, judge=lambda risk, average, risks: risks.mean()),
            "risk is the mean of the workers' risks: take the risk of the average, which is something else.",
        ),
        Mistake(
            partial(_average, judge=lambda risk, average, risks: risks.min()),
            "risk is that of the best worker: take the risk of the average.",
        ),
        Mistake(
            lambda thetas, X, y: (a := _average(thetas, X, y)) and (a[0], a[2], a[1]),
            "risk and alone are swapped: first the risk of the average, then the mean of the workers' risks.",
        ),
        Mistake(
            partial(_average, risk=lambda X, y, theta: len(X) * _hinge_risk(X, y, theta)),
            "Your risks are sums: the risk is the mean hinge loss.",
        ),
        Mistake(
            partial(_average, risk=lambda X, y, theta: float(np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0))),
            "Your risks are training errors: the mean hinge loss is asked for.",
        ),
        Mistake(
            partial(_average, risk=lambda X, y, theta: float(np.maximum(0, -y * (X @ theta[:-1] + theta[-1])).mean())),
            "Your risks are means of the perceptron loss: the hinge loss is max(0, 1 - z).",
        ),
        Mistake(
            partial(_average, risk=lambda X, y, theta: float((1 - y * (X @ theta[:-1] + theta[-1])).mean())),
            "Your risks lack the max of each example: max(0, 1 - z) comes first, the mean after it.",
        ),
        Mistake(
            partial(_average, risk=lambda X, y, theta: float(np.maximum(0, 1 - y * (X @ theta[:-1])).mean())),
            "Your risks lack the offset: f = theta . (x, 1).",
        ),
        Mistake(
            partial(_average, risk=lambda X, y, theta: float(np.maximum(0, 1 - X @ theta[:-1] - theta[-1]).mean())),
            "Your risks lack the labels: the agreement is y f.",
        ),
        Mistake(partial(_average, alone=np.min), "alone is the lowest of the workers' risks: their mean is asked for."),
        Mistake(partial(_average, alone=np.max), "alone is the highest of the workers' risks: take their mean."),
        Mistake(partial(_average, alone=np.sum), "alone is the sum of the workers' risks: their mean is asked for."),
        Mistake(
            partial(_average, alone=lambda risks: risks),
            "alone is one number, the mean of the workers' risks.",
        ),
    ),
    hints=(
        "Each row of thetas is one worker. Average entry by entry: which axis is that?",
        "Write a function for the hinge risk of one theta. Use it once on the average, and once on every row.",
        "average = thetas.mean(axis=0); the risk is np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1])).mean().",
    ),
)


# sgd_trace

TRACE_X = np.array([[2.0], [1.0], [-2.0]])
TRACE_Y = np.array([1.0, -1.0, -1.0])
TRACE_ETA = 0.5


def _trace(rule: Rule = RULE, eta: Callable[[int], float] = lambda k: TRACE_ETA) -> tuple[Any, ...]:
    theta, rows = np.zeros(2), []
    for k in range(6):
        x, y = TRACE_X[k % 3], TRACE_Y[k % 3]
        f = rule.score(theta, x)
        theta = theta + eta(k) * rule(theta, x, y)
        rows.append(np.array([y * f, rule.pulls(y, f), *theta]))
    return (*rows, 3, 3)


def _traced(change: Callable[[Floats], Floats]) -> Callable[[], tuple[Any, ...]]:
    def mistake() -> tuple[Any, ...]:
        *rows, schedule, cost = _trace()
        return (*change(np.array(rows)), schedule, cost)

    return mistake


SGD_TRACE = Task(
    name="sgd_trace",
    points=3,
    arguments=(),
    returns=(*(f"step {k}" for k in range(6)), "schedule", "cost"),
    cases=lambda rng: [()],
    answer=_trace,
    mistakes=(
        *(
            Mistake(partial(_trace, rule), sentence)
            for sentence, rule in _WRONG_RULES
            if not any(same in sentence for same in ("with f = 0", "yours has >=", "offset comes"))
        ),
        Mistake(partial(_trace, eta=lambda k: 1.0), "Your steps have no step size: add 0.5 y (x, 1)."),
        Mistake(
            partial(_trace, eta=lambda k: TRACE_ETA / (k + 1)),
            "Your step size shrinks: here it is 0.5 in every step.",
        ),
        Mistake(
            _traced(lambda rows: rows * np.column_stack([np.tile(TRACE_Y, 2), np.ones((6, 3))])),
            "Your first column is the score f: write down the agreement y f.",
        ),
        Mistake(
            _traced(lambda rows: np.column_stack([rows[:, 0], 1 - rows[:, 1], rows[:, 2:]])),
            "Your second column is upside down: 1 if the example pulls, 0 if it is silent.",
        ),
        Mistake(
            _traced(lambda rows: np.column_stack([rows[:, :2], np.vstack([np.zeros(2), rows[:-1, 2:]])])),
            "Your theta is the one before each step: write down theta as the step leaves it.",
        ),
        Mistake(_traced(lambda rows: rows[:, [0, 1, 3, 2]]), "Your offset comes first: write w, then the offset."),
        *slips(
            _trace(),
            (6, 1, "Constant steps: their squares add up to infinity, so the noise never dies out."),
            (6, 2, "1/(k+1)^0.4: its squares are 1/(k+1)^0.8, which add up to infinity."),
            (6, 4, "1/(k+1)^1.2: the steps themselves add up to something finite, so theta may never arrive."),
            (7, 30, "You count steps: one step of gradient descent computes 200 slopes, a mini-batch only 20."),
            (7, 600, "600 is the number of slopes: how many passes over 200 examples is that."),
            (7, 300, "30 batches of 20 are 600 slopes, and a step of gradient descent costs 200 of them."),
            (7, 1.5, "30 batches of 20 are 600 slopes, and a step of gradient descent costs 200 of them."),
            (7, 10, "30 batches of 20 are 600 slopes, and a step of gradient descent costs 200 of them."),
        ),
    ),
    hints=(
        "For each step: f = w x + offset with theta as the step before left it, then z = y f. Mind z = 1.",
        "An example with z <= 1 pulls: add 0.5 y x to w and 0.5 y to the offset. Otherwise theta stays.",
        "Two of the six are silent, and theta ends at (1, -1). For 1/(k+1)^p both conditions hold where p is above 1/2 "
        "and at most 1.",
    ),
)

TASKS = (HINGE_STEP, STEP_SIZES, SGD, BATCH_SLOPE, AVERAGE, SGD_TRACE)
