"""Chapter 3: five losses, their slopes, the hinge bound, convexity by chords, least squares, a table by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import labels, quarters
from coursekit.checking.tasks.judge import Case, Mistake, Task, slips
from coursekit.core.validate import Floats

Curve = Callable[[Floats], Any]


def _agreements(rng: np.random.Generator) -> Iterator[Case]:
    """Quarters, with both kinks among them."""
    yield (quarters(rng, 1) - 4,)
    for n in (3, 4, 6, 8):
        z = 3 * quarters(rng, n)
        z[:3] = 0.0, 1.0, -0.25 - rng.integers(0, 8) / 4
        yield (rng.permutation(z),)
    yield (rng.permutation(np.array([0.25, 0.5, 0.75, 1.25, 2.0, -0.5])),)


# losses

_LOSSES: dict[str, Curve] = {
    "zero_one": lambda z: np.where(z <= 0, 1.0, 0.0),
    "perceptron": lambda z: np.maximum(0, -z),
    "hinge": lambda z: np.maximum(0, 1 - z),
    "logistic": lambda z: np.log(1 + np.exp(-z)),
    "squared": lambda z: (1 - z) ** 2,
}


def _losses(z: Floats, **wrong: Curve) -> tuple[Any, ...]:
    return tuple(loss(z) for loss in (_LOSSES | wrong).values())


_WRONG_LOSSES: tuple[tuple[str, Curve, str], ...] = (
    ("zero_one", lambda z: np.where(z < 0, 1, 0),
     "zero_one misses z = 0: an agreement of exactly 0 is an error, z <= 0."),
    ("zero_one", lambda z: np.where(z > 0, 1, 0),
     "zero_one is upside down: it is 1 for an error, z <= 0, and 0 otherwise."),
    ("zero_one", lambda z: np.where(z >= 0, 1, 0), "zero_one is upside down: it is 1 for an error, z <= 0, else 0."),
    ("zero_one", lambda z: np.where(z <= 1, 1, 0), "zero_one jumps at 0, not at 1: an agreement of 0.5 is right."),
    ("zero_one", lambda z: np.where(z < 1, 1, 0), "zero_one jumps at 0, not at 1: an agreement of 0.5 is right."),
    ("zero_one", np.sign, "zero_one is 1 for an error and 0 otherwise: yours is the sign of z."),
    ("zero_one", lambda z: -np.sign(z), "zero_one is 1 for an error and 0 otherwise: yours is a sign."),
    ("zero_one", lambda z: np.abs(1 - np.sign(z)),
     "zero_one is 1 for an error, not 2: halve |1 - sign(z)|, and mind z = 0."),
    ("zero_one", lambda z: np.abs(1 - np.sign(z)) / 2, "zero_one is 1 at z = 0: half of |1 - sign(z)| is 1/2 there."),
    ("perceptron", lambda z: np.maximum(0, z),
     "perceptron has the wrong sign inside: it is max(0, -z), a price of errors."),
    ("perceptron", lambda z: -z, "perceptron lacks the max: for right examples, z > 0, it is 0 and not negative."),
    ("perceptron", lambda z: np.minimum(0, z), "perceptron is never negative: it is max(0, -z)."),
    ("perceptron", lambda z: np.minimum(0, -z), "perceptron takes the smaller of 0 and -z: take the larger."),
    ("perceptron", np.abs, "perceptron punishes right examples too: for z > 0 it is 0."),
    ("perceptron", _LOSSES["hinge"], "perceptron has its kink at 0: max(0, 1 - z) is the hinge loss."),
    ("perceptron", _LOSSES["zero_one"], "perceptron measures by how much an example is wrong: it is -z there, not 1."),
    ("hinge", lambda z: 1 - z, "hinge lacks the max: beyond z = 1 it is 0 and not negative."),
    ("hinge", lambda z: np.maximum(0, 1 + z), "hinge has the wrong sign inside: it is max(0, 1 - z)."),
    ("hinge", lambda z: np.maximum(0, z - 1), "hinge is turned round: it is max(0, 1 - z), 0 for large agreements."),
    ("hinge", lambda z: np.minimum(0, 1 - z), "hinge takes the smaller of 0 and 1 - z: take the larger."),
    ("hinge", lambda z: np.maximum(0, -z),
     "hinge asks for room: its kink is at z = 1; with the kink at 0 it is the perceptron loss."),
    ("hinge", lambda z: 1 + np.maximum(0, -z), "hinge has the 1 inside the max: max(0, 1 - z)."),
    ("hinge", lambda z: 1 - np.maximum(0, z), "hinge has the 1 inside the max: max(0, 1 - z)."),
    ("hinge", lambda z: np.maximum(0, 1 - z) ** 2, "hinge is not squared: max(0, 1 - z)."),
    ("hinge", lambda z: np.where(z <= 0, 1 - z, 0),
     "hinge stops too early: an agreement between 0 and 1 still costs 1 - z."),
    ("hinge", lambda z: np.abs(1 - z), "hinge does not punish agreements above 1: it is 0 there."),
    ("logistic", lambda z: np.log(1 + np.exp(z)),
     "logistic has the wrong sign in the exponent: log(1 + exp(-z)) falls with z."),
    ("logistic", lambda z: np.log2(1 + np.exp(-z)), "logistic takes the natural logarithm, np.log: yours has base 2."),
    ("logistic", lambda z: np.log10(1 + np.exp(-z)),
     "logistic takes the natural logarithm, np.log: yours has base 10."),
    ("logistic", lambda z: 1 + np.exp(-z), "logistic lacks the logarithm: log(1 + exp(-z))."),
    ("logistic", lambda z: np.log(np.exp(-z)), "logistic lacks the 1: log(exp(-z)) is only -z."),
    ("logistic", lambda z: 1 / (1 + np.exp(-z)), "logistic is a loss, not the logistic function: log(1 + exp(-z))."),
    ("logistic", lambda z: 1 / (1 + np.exp(z)), "logistic is a loss, not the logistic function: log(1 + exp(-z))."),
    ("logistic", lambda z: -np.log(1 + np.exp(-z)),
     "logistic is never negative: log(1 + exp(-z)), without a minus in front."),
    ("logistic", lambda z: np.exp(-z), "logistic is log(1 + exp(-z)): yours is the exponential loss exp(-z)."),
    ("squared", lambda z: (1 + z) ** 2, "squared has the wrong sign inside: it is 0 at z = 1."),
    ("squared", lambda z: z**2, "squared is smallest at z = 1, not at 0: (1 - z)^2."),
    ("squared", lambda z: 1 - z**2, "squared takes the square of the difference, (1 - z)^2, not 1 - z^2."),
    ("squared", lambda z: (1 - z) ** 2 / 2, "squared has no factor 1/2 in this course: (1 - z)^2."),
    ("squared", lambda z: np.abs(1 - z), "squared is the square of 1 - z, not its size."),
    ("squared", lambda z: 1 - z, "squared is the square of 1 - z."),
    ("squared", lambda z: np.maximum(0, 1 - z) ** 2,
     "squared also punishes what is too right: it grows again for z > 1."),
    ("squared", lambda z: (1 - np.sign(z)) ** 2, "squared takes z itself, before any sign."),
)

LOSSES = Task(
    name="losses",
    points=3,
    arguments=("z",),
    returns=tuple(_LOSSES),
    cases=_agreements,
    answer=_losses,
    mistakes=(
        *(Mistake(partial(_losses, **{name: curve}), sentence) for name, curve, sentence in _WRONG_LOSSES),
        Mistake(
            lambda z: tuple(loss.mean() for loss in _losses(z)),
            "You take means: a loss is a number for each agreement, so each part has the shape of z.",
        ),
        Mistake(
            lambda z: tuple(loss.sum() for loss in _losses(z)),
            "You add up: a loss is a number for each agreement, so each part has the shape of z.",
        ),
        Mistake(
            lambda z: tuple(np.trunc(loss) for loss in _losses(z)),
            "Fractions get lost: an array of integers cuts them off, so use floats.",
        ),
        Mistake(
            lambda z: _losses(z)[::-1],
            "The order is zero_one, perceptron, hinge, logistic, squared: yours is the other way round.",
        ),
    ),
    hints=(
        "Three of the five are bent: np.where(condition, this, that) and np.maximum(0, ...) work entry by entry.",
        "z <= 0 is an error. perceptron measures -z where it is positive, hinge does the same with 1 - z.",
        "logistic is np.log(1 + np.exp(-z)), squared is (1 - z) ** 2, perceptron is np.maximum(0, -z).",
    ),
)


# slopes

_SLOPES: dict[str, Curve] = {
    "perceptron": lambda z: np.where(z <= 0, -1.0, 0.0),
    "hinge": lambda z: np.where(z <= 1, -1.0, 0.0),
    "logistic": lambda z: -1 / (1 + np.exp(z)),
    "squared": lambda z: 2 * (z - 1),
}


def _slopes(z: Floats, **wrong: Curve) -> tuple[Any, ...]:
    return tuple(slope(z) for slope in (_SLOPES | wrong).values())


def _kinked(name: str, kink: int) -> tuple[tuple[str, Curve, str], ...]:
    """What goes wrong with a slope that is -1 up to a kink and 0 beyond it."""
    other = 1 - kink
    return (
        (name, lambda z: np.where(z < kink, -1, 0),
         f"{name} at its kink, z = {kink}: the slope of the left side counts, -1."),
        (name, lambda z: np.where(z <= kink, 1, 0), f"{name} falls, so its slope is not +1: the sign is wrong."),
        (name, lambda z: np.where(z < kink, 1, 0),
         f"{name} falls, so its slope is not +1: the sign is wrong, and mind the kink."),
        (name, lambda z: np.where(z <= other, -1, 0), f"{name} has its kink at z = {kink}, not at {other}."),
        (name, lambda z: np.where(z < other, -1, 0), f"{name} has its kink at z = {kink}, not at {other}."),
        (name, lambda z: np.where(z > kink, -1, 0), f"{name} is flat on the right of its kink, and falls on the left."),
        (name, lambda z: np.where(z >= kink, -1, 0),
         f"{name} is flat on the right of its kink, and falls on the left."),
        (name, lambda z: np.where(z < kink, -1, np.where(z > kink, 0, -0.5)),
         f"{name} at its kink: -1/2 is a subgradient too, but here the slope of the left side counts, -1."),
        (name, lambda z: -np.ones(len(z)), f"{name} is flat beyond its kink, z > {kink}: the slope is 0 there."),
        (name, _LOSSES[name], f"{name}: you return the loss itself, its slope is asked for."),
    )


_WRONG_SLOPES: tuple[tuple[str, Curve, str], ...] = (
    *_kinked("perceptron", 0),
    *_kinked("hinge", 1),
    ("logistic", lambda z: 1 / (1 + np.exp(z)), "logistic falls, so its slope is negative."),
    ("logistic", lambda z: -1 / (1 + np.exp(-z)),
     "logistic has the wrong sign in the exponent: its slope goes to 0 for large z."),
    ("logistic", lambda z: 1 / (1 + np.exp(-z)),
     "logistic: that is the logistic function of z; the slope of the loss is -1 / (1 + exp(z))."),
    ("logistic", lambda z: -np.exp(-z),
     "logistic: the chain rule also divides by what is inside the logarithm, 1 + exp(-z)."),
    ("logistic", lambda z: 1 / (1 + np.exp(-z)) * -np.exp(z),
     "logistic: the exponents do not agree, the inner derivative is -exp(-z)."),
    ("logistic", lambda z: 1 / (1 + np.exp(-z)) ** 1 * (1 - 1 / (1 + np.exp(-z))),
     "logistic: that is the slope of the logistic function; the slope of the loss is asked for."),
    ("logistic", _LOSSES["logistic"], "logistic: you return the loss itself, its slope is asked for."),
    ("squared", lambda z: 2 * (1 - z),
     "squared has the wrong sign: by the chain rule (1 - z)^2 has the slope -2 (1 - z)."),
    ("squared", lambda z: z - 1, "squared lacks the factor 2: there is no 1/2 in front of (1 - z)^2."),
    ("squared", lambda z: 1 - z, "squared lacks the factor -2: by the chain rule (1 - z)^2 has the slope -2 (1 - z)."),
    ("squared", lambda z: 2 * z, "squared is smallest at z = 1: its slope is 0 there, not at z = 0."),
    ("squared", lambda z: np.where(z <= 1, 2 * (z - 1), 0),
     "squared does not stop at z = 1: beyond it the slope is positive."),
    ("squared", lambda z: np.minimum(0, z - 1),
     "squared does not stop at z = 1: beyond it the slope is positive. The factor 2 is missing too."),
    ("squared", lambda z: -2 * (1 + z), "squared has the wrong sign inside: it is 0 at z = 1, and so is its slope."),
    ("squared", lambda z: 2 * (1 + z), "squared has the wrong sign inside: it is 0 at z = 1, and so is its slope."),
    ("squared", _LOSSES["squared"], "squared: you return the loss itself, its slope is asked for."),
)

SLOPES = Task(
    name="slopes",
    points=3,
    arguments=("z",),
    returns=tuple(_SLOPES),
    cases=_agreements,
    answer=_slopes,
    mistakes=(
        *(Mistake(partial(_slopes, **{name: curve}), sentence) for name, curve, sentence in _WRONG_SLOPES),
        Mistake(
            lambda z: tuple(slope.mean() for slope in _slopes(z)),
            "You take means: each part holds one slope for each agreement, in the shape of z.",
        ),
        Mistake(
            lambda z: tuple(slope.sum() for slope in _slopes(z)),
            "You add up: each part holds one slope for each agreement, in the shape of z.",
        ),
    ),
    hints=(
        "The bent losses are straight lines on both sides of their kink: what is the slope of -z, of 1 - z, of 0?",
        "At the kink itself the left side counts: use <=. For the two others use the chain rule.",
        "logistic: -1 / (1 + np.exp(z)). squared: the derivative of (1 - z)^2 is 2 (1 - z) times -1.",
    ),
)


# error_bound


def _error_bound(
    X: Floats,
    y: Floats,
    theta: Floats,
    agreement: Callable[..., Floats] = lambda X, y, theta: y * (X @ theta),
    wrong: Curve = lambda z: np.sum(z <= 0),
    total: Curve = lambda z: np.maximum(0, 1 - z).sum(),
    most: Callable[[Any, int], Any] = lambda total, n: np.floor(total),
) -> tuple[Any, ...]:
    z = agreement(X, y, theta)
    return wrong(z), total(z), most(total(z), len(z))


def _error_bound_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, (n, d) in enumerate(((3, 1), (3, 2), (4, 2), (5, 3), (6, 2), (7, 1), (8, 2))):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), rng.choice([-1.0, 1.0], d)
            X[:2] = 0
            X[1, 0] = y[1] * theta[0]  # agreements of 0 and of 1
            total = _error_bound(X, y, theta)[1]
            # whole totals, and fractions below and above one half
            if total > 1 and (total % 1 == 0, 0 < total % 1 < 0.5, total % 1 > 0.5)[k % 3]:
                break
        yield X, y, theta
    y = labels(rng, 3)
    yield -4.25 * y[:, None], y, np.ones(1)
    yield np.array([[2.0, 0.0], [0.0, -1.5], [0.75, 0.0]]), np.array([1.0, -1.0, 1.0]), np.array([1.0, 1.0])


ERROR_BOUND = Task(
    name="error_bound",
    points=2,
    arguments=("X", "y", "theta"),
    returns=("mistakes", "total", "at_most"),
    cases=_error_bound_cases,
    answer=_error_bound,
    mistakes=(
        Mistake(
            partial(_error_bound, wrong=lambda z: np.sum(z < 0)),
            "An agreement of exactly 0 is a mistake too: count z <= 0.",
        ),
        Mistake(
            partial(_error_bound, wrong=lambda z: np.sum(z > 0)),
            "You count the right examples: count those with z <= 0.",
        ),
        Mistake(
            partial(_error_bound, wrong=lambda z: np.sum(z >= 0)),
            "You count the right examples: count those with z <= 0.",
        ),
        Mistake(
            partial(_error_bound, wrong=lambda z: np.sum(z <= 1)),
            "You count examples that pay, z <= 1: a mistake is z <= 0.",
        ),
        Mistake(
            partial(_error_bound, wrong=lambda z: np.sum(z < 1)),
            "You count examples that pay, z < 1: a mistake is z <= 0.",
        ),
        Mistake(
            partial(_error_bound, wrong=lambda z: np.mean(z <= 0)),
            "mistakes is a number of examples: yours is a fraction.",
        ),
        Mistake(
            partial(_error_bound, agreement=lambda X, y, theta: X @ theta),
            "The labels are missing: the agreement is y times the score.",
        ),
        Mistake(
            partial(_error_bound, agreement=lambda X, y, theta: -y * (X @ theta)),
            "The agreement has the wrong sign: it is y times the score.",
        ),
        Mistake(
            partial(_error_bound, agreement=lambda X, y, theta: y * np.sign(X @ theta)),
            "The agreement takes the score itself, not its sign.",
        ),
        Mistake(
            partial(_error_bound, agreement=lambda X, y, theta: y * (X[:, :-1] @ theta[:-1] + theta[-1])),
            "There is no offset here: the score is X @ theta.",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: np.maximum(0, 1 - z).mean()),
            "total is the sum of the hinge losses: yours is their mean, which bounds the fraction of mistakes.",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: np.maximum(0, -z).sum()),
            "total adds up perceptron losses, which bound nothing: the hinge loss is max(0, 1 - z).",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: (1 - z).sum()),
            "total lacks the max: examples beyond z = 1 must not make up for others.",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: max(0, (1 - z).sum())),
            "total takes the max once, of the sum: take it for each example, then add up.",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: ((1 - z) ** 2).sum()),
            "total adds up squared losses: the hinge loss is max(0, 1 - z).",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: (np.maximum(0, 1 - z) ** 2).sum()),
            "total adds up squares: the hinge loss is max(0, 1 - z), not squared.",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: (np.maximum(0, 1 - z) * (z <= 0)).sum()),
            "total leaves out right examples with z < 1: they have a hinge loss too.",
        ),
        Mistake(
            partial(_error_bound, total=lambda z: np.maximum(0, 1 - z)),
            "total is one number: add up the hinge losses of all examples.",
        ),
        Mistake(
            partial(_error_bound, most=lambda total, n: np.ceil(total)),
            "at_most is rounded up: with a total of 2.3 there cannot be 3 mistakes.",
        ),
        Mistake(
            partial(_error_bound, most=lambda total, n: np.rint(total)),
            "at_most is rounded to the nearest: with a total of 2.7 there cannot be 3 mistakes.",
        ),
        Mistake(
            partial(_error_bound, most=lambda total, n: total),
            "at_most is a count, so a whole number: cut off what is behind the point.",
        ),
        Mistake(
            partial(_error_bound, most=lambda total, n: np.ceil(total) - 1),
            "at_most is one too small where the total is a whole number: a total of exactly 2 allows 2 mistakes.",
        ),
        Mistake(
            partial(_error_bound, most=lambda total, n: min(n, np.floor(total))),
            "at_most comes from the total alone: leave it as it is, even above n.",
        ),
        Mistake(
            partial(_error_bound, most=lambda total, n: np.floor(total / n)),
            "at_most comes from the sum, not from the mean.",
        ),
    ),
    hints=(
        "First the agreements, z = y * (X @ theta), one for each example. Everything else comes from z.",
        "A mistake is z <= 0. The hinge loss of one example is max(0, 1 - z): np.maximum works entry by entry.",
        "total = np.maximum(0, 1 - z).sum(). Every mistake pays at least 1, so there are at most int(total).",
    ),
)


# worst_dip


def _dips(
    z: Floats,
    g: Floats,
    weight: Callable[..., float] = lambda z, i, k, j: (z[j] - z[k]) / (z[j] - z[i]),
    chords: Callable[[int, int, int, int], bool] = lambda i, k, j, n: True,
) -> Floats:
    """How far the curve lies above each chord, at each point of the table in between."""
    dips = []
    for i, k, j in combinations(range(len(z)), 3):
        if chords(i, k, j, len(z)):
            t = weight(z, i, k, j)
            dips.append(g[k] - (t * g[i] + (1 - t) * g[j]))
    return np.array(dips)


def _worst_dip(z: Floats, g: Floats, **wrong: Any) -> float:
    return float(_dips(z, g, **wrong).max(initial=0.0))


def _worst_dip_cases(rng: np.random.Generator) -> Iterator[Case]:
    yield np.array([0.0, 1.0]), quarters(rng, 2)
    yield np.array([-1.0, 0.0, 2.0]), np.array([1.0, 0.0, 4.0]) * rng.integers(1, 4)
    for curve in (_LOSSES["hinge"], _LOSSES["squared"], _LOSSES["zero_one"], np.sin):
        z = np.sort(rng.choice(np.arange(-12, 13), 5, replace=False)) / 4
        yield z, curve(z)
    for n in (3, 4, 6, 7):
        z = np.cumsum(rng.choice([0.25, 0.5, 1.0, 1.5], n))
        yield z, 2 * quarters(rng, n)
    lopsided = np.array([0, 3, 0, 1, 1]) * rng.integers(1, 4)
    yield np.arange(5.0), lopsided
    yield np.arange(5.0), lopsided[::-1]
    # a long hump away from both ends: no three neighbours show its whole height
    yield np.arange(9) / 2 + rng.integers(3), np.array([6, 0, 0.5, 1, 1.25, 1, 0.5, 0, 6]) * rng.integers(2, 5)


WORST_DIP = Task(
    name="worst_dip",
    points=3,
    arguments=("z", "g"),
    returns=("depth",),
    cases=_worst_dip_cases,
    answer=_worst_dip,
    mistakes=(
        Mistake(
            lambda z, g: float((-_dips(z, g)).max(initial=0.0)),
            "You measure how far a chord lies above the curve: the curve minus the chord is asked for.",
        ),
        Mistake(
            partial(_worst_dip, weight=lambda z, i, k, j: (z[k] - z[i]) / (z[j] - z[i])),
            "The two ends of the chord are swapped: near z[i] the chord is near g[i].",
        ),
        Mistake(
            partial(_worst_dip, weight=lambda z, i, k, j: 0.5),
            "You take the middle of the chord, (g[i] + g[j]) / 2: take it at z[k], which need not be in the middle.",
        ),
        Mistake(
            partial(_worst_dip, weight=lambda z, i, k, j: (j - k) / (j - i)),
            "You go along the chord by counting entries: the z are not evenly spaced, so measure with z itself.",
        ),
        Mistake(
            partial(_worst_dip, chords=lambda i, k, j, n: j == i + 2),
            "You try chords between next but one neighbours alone: longer chords may dip deeper.",
        ),
        Mistake(
            partial(_worst_dip, chords=lambda i, k, j, n: i == 0 and j == n - 1),
            "You try one chord alone, from the first point to the last: try them between all pairs.",
        ),
        Mistake(
            partial(_worst_dip, chords=lambda i, k, j, n: i == 0),
            "All your chords begin at the first point: try them between all pairs.",
        ),
        Mistake(
            partial(_worst_dip, chords=lambda i, k, j, n: j == n - 1),
            "All your chords end at the last point: try them between all pairs.",
        ),
        Mistake(
            partial(_worst_dip, chords=lambda i, k, j, n: j < n - 1),
            "The last point is never an end of a chord: some range stops one too early.",
        ),
        Mistake(
            partial(_worst_dip, chords=lambda i, k, j, n: i > 0),
            "The first point is never an end of a chord: entries count from 0.",
        ),
        Mistake(
            partial(_worst_dip, chords=lambda i, k, j, n: k == i + 1),
            "You look at the first point behind the left end alone: look at all points between the two ends.",
        ),
        Mistake(
            lambda z, g: float(_dips(z, g).max()) if len(z) > 2 else 0.0,
            "Where no chord lies below the curve the answer is 0, not a negative number.",
        ),
        Mistake(
            lambda z, g: bool(_worst_dip(z, g) > 1e-9),
            "You return whether some chord dips below: the depth is asked for.",
        ),
        Mistake(
            lambda z, g: bool(_worst_dip(z, g) <= 1e-9),
            "You return whether the table looks convex: the depth of the worst chord is asked for.",
        ),
        Mistake(
            lambda z, g: float(np.maximum(0, _dips(z, g)).sum()),
            "You add up the depths of all chords: the largest is asked for.",
        ),
        Mistake(
            lambda z, g: float(np.abs(_dips(z, g)).max(initial=0.0)),
            "You also count chords above the curve, which is as it should be: leave the |...| out.",
        ),
        Mistake(
            lambda z, g: -_worst_dip(z, g),
            "The depth is positive where a chord lies below the curve: your sign is wrong.",
        ),
    ),
    hints=(
        "Three loops: the left end i, the right end j behind it, and every point k between the two.",
        "At z[k] the chord is t g[i] + (1 - t) g[j], with t = 1 at z[i] and t = 0 at z[j]. Which t belongs to z[k]?",
        "t = (z[j] - z[k]) / (z[j] - z[i]). The depth is g[k] minus the chord; keep the largest, beginning with 0.",
    ),
)


# least_squares


def _folded(X: Floats) -> Floats:
    return np.column_stack([X, np.ones(len(X))])


def _fit(Z: Floats, y: Floats) -> Floats:
    return np.linalg.solve(Z.T @ Z, Z.T @ y)


def _judged(X: Floats, y: Floats, theta: Floats) -> int:
    return int(np.sum(y * (_folded(X) @ theta) <= 0))


def _least_squares(
    X: Floats,
    y: Floats,
    fit: Callable[[Floats, Floats], Floats] = lambda X, y: _fit(_folded(X), y),
    judge: Callable[..., Any] = _judged,
) -> tuple[Any, Any]:
    theta = fit(X, y)
    return theta, judge(X, y, theta) if len(theta) == X.shape[1] + 1 else _judged(X, y, np.append(theta, 0.0))


def _least_squares_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d in ((4, 1), (5, 2), (6, 1), (8, 3), (9, 2), (12, 2)):
        while True:
            y = labels(rng, n)
            X = (rng.normal(size=(n, d)) + 0.6 * y[:, None] + rng.normal(size=d)).round(1)
            if np.linalg.cond(_folded(X)) > 20:
                continue
            theta, wrong = _least_squares(X, y)
            if 0 < wrong < n / 2 and np.abs(_folded(X) @ theta).min() > 0.01 and np.abs(theta).min() > 0.05:
                break
        yield X, y


LEAST_SQUARES = Task(
    name="least_squares",
    points=2,
    arguments=("X", "y"),
    returns=("theta", "mistakes"),
    cases=_least_squares_cases,
    answer=_least_squares,
    mistakes=(
        Mistake(
            partial(_least_squares, fit=_fit),
            "There is no offset: append the constant 1 to every x before you fit, so that theta has d + 1 entries.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: np.append(_fit(X, y), 0.0)),
            "Your offset is 0: append the constant 1 to every x before you fit, so that it is fitted too.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: np.append(_fit(X, y), y.mean())),
            "Your offset is only the mean label: append the constant 1 to every x and fit everything together.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: np.roll(_fit(_folded(X), y), 1)),
            "Your offset comes first: append the constant as the last column, so that the offset is last in theta.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: _fit(_folded(X), (y + 1) / 2)),
            "You fit 0 and 1: the labels are -1 and +1, fit those.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: _folded(X).T @ y),
            "theta is Z'y alone: it still has to be divided, as a matrix, by Z'Z; np.linalg.solve does that.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: (_folded(X).T @ _folded(X)) @ (_folded(X).T @ y)),
            "You multiply by Z'Z: solve Z'Z theta = Z'y, with np.linalg.solve or the inverse.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: _folded(X).T @ y / len(y)),
            "theta is Z'y divided by n: it has to be divided, as a matrix, by Z'Z; np.linalg.solve does that.",
        ),
        Mistake(
            partial(_least_squares, fit=lambda X, y: -_fit(_folded(X), y)),
            "theta has the wrong sign: the scores should be near y, not near -y.",
        ),
        Mistake(
            partial(
                _least_squares,
                fit=lambda X, y: np.linalg.solve(_folded(X).T @ _folded(X) + np.eye(X.shape[1] + 1), _folded(X).T @ y),
            ),
            "You add the identity to Z'Z, which penalises theta: no penalty is asked for.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: _judged(X, y, theta) / len(y)),
            "mistakes is a number of examples: yours is a fraction.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: len(y) - _judged(X, y, theta)),
            "mistakes counts the right ones: count y f <= 0.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: 2 * _judged(X, y, theta)),
            "|y - sign(f)| is 2 for a mistake: count each once.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: 4 * _judged(X, y, theta)),
            "(y - sign(f))^2 is 4 for a mistake: count each once.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: ((y - _folded(X) @ theta) ** 2).sum()),
            "You return the sum of squares: count the examples with y f <= 0.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: ((y - _folded(X) @ theta) ** 2).mean()),
            "You return the mean squared loss: count the examples with y f <= 0.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: len(y)),
            "You compare y with the score itself, which it never equals exactly: count the examples with y f <= 0.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: int(np.sum(_folded(X) @ theta <= 0))),
            "You count negative scores: a mistake depends on the label, y f <= 0.",
        ),
        Mistake(
            partial(_least_squares, judge=lambda X, y, theta: int(np.sum(y * (X @ theta[:-1]) <= 0))),
            "The scores that you judge lack the offset: f = theta . (x, 1).",
        ),
    ),
    hints=(
        "Append the constant 1 to every x, as in exercise 1, and call the matrix Z. Then there is no offset any more.",
        "The minimum is where Z'Z theta = Z'y (Z' is Z.T). np.linalg.solve and np.linalg.lstsq both find it.",
        "theta = np.linalg.solve(Z.T @ Z, Z.T @ y); the scores are Z @ theta, and a mistake is y * score <= 0.",
    ),
)


# loss_table

_EXAMPLES = ((1.0, 4.0), (-1.0, 0.2), (-1.0, 0.0), (-1.0, -1.5))
_HAND = ("zero_one", "perceptron", "hinge", "squared")


def _loss_table(
    agreement: Callable[[float, float], float] = lambda y, f: y * f, most: float = 7, grows: float = 3, **wrong: Curve
) -> tuple[Any, ...]:
    curves = _LOSSES | wrong
    z = np.array([agreement(y, f) for y, f in _EXAMPLES])
    return (*np.column_stack([z, *(curves[name](z) for name in _HAND)]), most, grows)


_IN_TABLE = {
    "zero_one misses z = 0: an agreement of exactly 0 is an error, z <= 0.",
    "hinge lacks the max: beyond z = 1 it is 0 and not negative.",
    "hinge stops too early: an agreement between 0 and 1 still costs 1 - z.",
    "perceptron lacks the max: for right examples, z > 0, it is 0 and not negative.",
    "perceptron has its kink at 0: max(0, 1 - z) is the hinge loss.",
    "squared is smallest at z = 1, not at 0: (1 - z)^2.",
    "squared has the wrong sign inside: it is 0 at z = 1.",
    "squared has no factor 1/2 in this course: (1 - z)^2.",
    "squared also punishes what is too right: it grows again for z > 1.",
}

LOSS_TABLE = Task(
    name="loss_table",
    points=2,
    arguments=(),
    returns=("row a", "row b", "row c", "row d", "at most", "grows"),
    cases=lambda rng: [()],
    answer=_loss_table,
    mistakes=(
        *(
            Mistake(partial(_loss_table, **{name: curve}), sentence)
            for name, curve, sentence in _WRONG_LOSSES
            if name in _HAND and sentence in _IN_TABLE and not (name == "hinge" and "too early" in sentence)
        ),
        Mistake(
            partial(_loss_table, agreement=lambda y, f: f),
            "Your first column is the score: the agreement is y f, and all losses are losses of the agreement.",
        ),
        Mistake(
            partial(_loss_table, agreement=lambda y, f: -y * f),
            "Your agreements have the wrong sign: z = y f, positive when the prediction is right.",
        ),
        Mistake(
            partial(_loss_table, agreement=lambda y, f: y * np.sign(f)),
            "Your agreements are those of the predictions: multiply y by the score itself.",
        ),
        *slips(
            _loss_table(),
            (4, 8, "At most: 50 times 0.15 is 7.5, and 8 mistakes would cost at least 8."),
            (4, 7.5, "At most: a number of mistakes is a whole number."),
            (4, 0, "At most: the mean is below 1, but the bound counts with the sum of the losses, n times the mean."),
            (4, 0.15, "At most: 0.15 bounds the fraction of mistakes, and the number among 50 examples is asked for."),
            (4, 50, "At most: the hinge losses say more, every mistake costs at least 1."),
            (5, 1, "Half of theta gives the same predictions: the zero-one loss stays 0."),
            (5, 2, "The agreement falls from 4 to 2, still above 1: the hinge loss stays 0."),
            (5, 4, "The agreement falls from 4 to 2, nearer to 1: the squared loss falls, from 9 to 1."),
            (5, 0, "One of them grows: look at log(1 + exp(-z)) at z = 4 and at z = 2."),
        ),
    ),
    hints=(
        "First the agreement z = y f. After that the label plays no part any more.",
        "zero_one: 1 where z <= 0. perceptron: -z where that is positive. hinge: 1 - z where that is positive. "
        "squared: (1 - z)^2, also beyond 1.",
        "Row b has z = -0.2, row c has z = 0, row d has z = 1.5. Question 5: the sum of the losses is 7.5. Question 6: "
        "the agreement falls from 4 to 2.",
    ),
)

TASKS = (LOSSES, SLOPES, ERROR_BOUND, WORST_DIP, LEAST_SQUARES, LOSS_TABLE)
