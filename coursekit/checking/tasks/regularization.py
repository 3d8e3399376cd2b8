"""Chapter 6: penalties, the regularised objective, the elastic net's threshold, lambda, Bolasso, a path by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import labels, quarters, variations
from coursekit.checking.tasks.judge import Case, Mistake, Task
from coursekit.core.validate import Floats

# penalties


def _penalties(
    w: Floats,
    l0: Callable[[Floats], Any] = np.count_nonzero,
    l1: Callable[[Floats], Any] = lambda w: np.abs(w).sum(),
    l2: Callable[[Floats], Any] = lambda w: w @ w / 2,
    slope1: Callable[[Floats], Any] = np.sign,
    slope2: Callable[[Floats], Any] = np.positive,
) -> tuple[Any, ...]:
    return float(l0(w)), l1(w), l2(w), slope1(w), slope2(w)


def _penalty_cases(rng: np.random.Generator) -> Iterator[Case]:
    for d in (2, 3, 4, 6, 9):
        w = quarters(rng, d)
        w[:2] = rng.permutation([rng.integers(3, 8) / 4, -rng.integers(9, 15) / 8])
        if d > 2:
            w[2] = 0.0
        yield (rng.permutation(w),)


PENALTIES = Task(
    name="penalties",
    points=2,
    arguments=("w",),
    returns=("l0", "l1", "l2", "l1_slope", "l2_slope"),
    cases=_penalty_cases,
    answer=_penalties,
    mistakes=variations(
        _penalties,
        ({"l0": lambda w: np.sum(w == 0)}, "l0 counts the weights that are NOT 0."),
        ({"l0": lambda w: np.sum(w > 0)}, "l0 counts negative weights too: all that are not 0."),
        ({"l0": len}, "l0 counts only the weights that are not 0, not all of them."),
        ({"l0": lambda w: np.any(w)}, "l0 is how many weights are not 0, not whether there is one."),
        ({"l1": np.sum}, "l1 adds up absolute values: otherwise a negative weight would be a gain."),
        ({"l1": lambda w: np.abs(w.sum())}, "l1 takes |w| of every weight first, and adds up afterwards."),
        ({"l1": lambda w: np.abs(w).mean()}, "l1 is the sum of the |w|, not their mean: only losses are averaged."),
        ({"l1": lambda w: np.abs(w).max()}, "l1 is the sum of the |w|, not the largest."),
        ({"l1": np.abs}, "l1 is one number: add up the |w|."),
        ({"slope1": lambda w: w / np.abs(w)}, "w / |w| is 0/0 at a weight of exactly 0: the slope there is 0."),
        ({"l2": lambda w: w @ w}, "l2 has a half in this course: 1/2 ||w||^2, so that its slope is w."),
        ({"l2": np.linalg.norm}, "l2 is 1/2 ||w||^2: no root is taken."),
        ({"l2": lambda w: np.linalg.norm(w) / 2}, "l2 is 1/2 ||w||^2: the length is squared."),
        ({"l2": lambda w: (w**2).mean() / 2}, "l2 is half the SUM of the squares, not half their mean."),
        ({"l2": lambda w: (w**2).mean()}, "l2 is half the sum of the squares, not their mean."),
        ({"l2": lambda w: w.sum() ** 2 / 2}, "l2 squares every weight first, and adds up afterwards."),
        ({"l2": lambda w: w**2 / 2}, "l2 is one number: add up the squares."),
        (
            {"slope1": lambda w: np.where(w >= 0, 1, -1)},
            "At 0 the slope of l1 is 0 by convention: a weight that is 0 is left in peace; yours is +1 there.",
        ),
        (
            {"slope1": lambda w: np.where(w > 0, 1, -1)},
            "At 0 the slope of l1 is 0 by convention: a weight that is 0 is left in peace; yours is -1 there.",
        ),
        ({"slope1": lambda w: np.where(w == 0, 0, 1)}, "The slope of l1 is -1 for a negative weight."),
        ({"slope1": lambda w: -np.sign(w)}, "The slope of l1 has the wrong sign: the penalty grows away from 0."),
        ({"slope1": np.abs}, "The slope of l1 has the same size for all weights that are not 0: their sign."),
        ({"slope1": lambda w: np.sign(w).sum()}, "The slope of l1 has an entry for each weight: do not add them up."),
        ({"slope2": lambda w: 2 * w}, "The slope of 1/2 ||w||^2 is w, not 2 w."),
        ({"slope2": lambda w: w / 2}, "The slope of 1/2 ||w||^2 is w, not w / 2."),
        ({"slope2": lambda w: -w}, "The slope of l2 has the wrong sign: the penalty grows away from 0."),
        ({"slope2": np.sum}, "The slope of l2 has an entry for each weight: do not add them up."),
        (
            {"l2": lambda w: w @ w, "slope2": lambda w: 2 * w},
            "You take ||w||^2: here l2 is 1/2 ||w||^2, and its slope is w.",
        ),
    ),
    hints=(
        "Three numbers and two arrays. For l0 count the entries with w != 0.",
        "l1 is the sum of np.abs(w), l2 half the sum of w**2. A slope has an entry for every weight.",
        "The slope of |w| is np.sign(w), which is 0 at 0; the slope of w**2 / 2 is w.",
    ),
)


# regularised


def _regularised(
    X: Floats,
    y: Floats,
    theta: Floats,
    lam: float,
    mix: float,
    score: Callable[[Floats, Floats], Floats] = lambda X, theta: X @ theta[:-1] + theta[-1],
    loss: Callable[[Floats], Any] = lambda r: (r**2).mean(),
    pull: Callable[[Floats, Floats], Floats] = lambda r, Z: -2 * r @ Z / len(Z),
    penalty: Callable[[Floats, float], Any] = lambda theta, mix: (
        mix * np.abs(theta[:-1]).sum() + (1 - mix) / 2 * theta[:-1] @ theta[:-1]
    ),
    back: Callable[[Floats, float], Floats] = lambda theta, mix: np.append(
        mix * np.sign(theta[:-1]) + (1 - mix) * theta[:-1], 0.0
    ),
) -> tuple[Any, Any]:
    r = y - score(X, theta)
    Z = np.column_stack([X, np.ones(len(X))])
    return loss(r) + lam * penalty(theta, mix), pull(r, Z) + lam * back(theta, mix)


def _net(w: Floats, mix: float) -> Any:
    return mix * np.abs(w).sum() + (1 - mix) / 2 * w @ w


def _net_slope(w: Floats, mix: float) -> Floats:
    return mix * np.sign(w) + (1 - mix) * w


def _regularised_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d, lam, mix in (
        (2, 1, 0.5, 0.25), (3, 2, 0.25, 0.75), (4, 3, 2.0, 0.25), (6, 2, 1.0, 0.0), (7, 4, 0.5, 1.0)
    ):
        theta = quarters(rng, d + 1)
        theta[-1] = rng.choice([-1.75, -1.25, 0.75, 1.5])
        theta[0] = rng.choice([-1.75, -1.5, 1.25, 1.75])
        if d > 1:
            theta[1] = 0.0  # the kink counts
        yield quarters(rng, n, d), labels(rng, n), theta, lam, mix


REGULARISED = Task(
    name="regularised",
    points=3,
    arguments=("X", "y", "theta", "lam", "mix"),
    returns=("value", "slope"),
    cases=_regularised_cases,
    answer=_regularised,
    mistakes=(
        *variations(
            _regularised,
            ({"score": lambda X, t: X @ t[:-1]}, "The score misses the offset: f = X @ theta[:-1] + theta[-1]."),
            (
                {"loss": lambda r: (r**2).sum(), "pull": lambda r, Z: -2 * r @ Z},
                "You sum the losses: here they are averaged, in the value and in the slope.",
            ),
            ({"loss": lambda r: (r**2).sum()}, "The value sums the losses: take their mean."),
            ({"pull": lambda r, Z: -2 * r @ Z}, "The slope sums over the examples: divide by n, as the value does."),
            (
                {"loss": lambda r: (r**2).mean() / 2, "pull": lambda r, Z: -r @ Z / len(Z)},
                "You take half the squares: here the loss is (y - f)^2, and its slope has a 2.",
            ),
            ({"loss": lambda r: (r**2).mean() / 2}, "The value takes half the squares: the loss is (y - f)^2."),
            ({"pull": lambda r, Z: -r @ Z / len(Z)}, "The slope of (y - f)^2 has a factor 2: -2 (y - f) (x, 1)."),
            (
                {"pull": lambda r, Z: 2 * r @ Z / len(Z)},
                "The loss part of the slope has the wrong sign: f enters y - f with a minus, so it is -2 (y - f) (x, "
                "1).",
            ),
            (
                {"pull": lambda r, Z: np.append(-2 * r @ Z[:, :-1], 0.0) / len(Z)},
                "The slope of the offset is missing: it is free of the penalty, but not of the loss.",
            ),
            (
                {"penalty": _net, "back": _net_slope},
                "You penalise the offset, in the value and in the slope: Omega takes the weights theta[:-1] alone.",
            ),
            ({"penalty": _net}, "The value penalises the offset: Omega takes the weights theta[:-1] alone."),
            ({"back": _net_slope}, "The slope penalises the offset: its last entry has no lambda in it."),
            (
                {
                    "penalty": lambda t, mix: _net(t[1:], mix),
                    "back": lambda t, mix: np.append(0.0, _net_slope(t[1:], mix)),
                },
                "You leave out theta[0]: the offset is the LAST entry.",
            ),
            (
                {
                    "penalty": lambda t, mix: _net(t[:-1], 1 - mix),
                    "back": lambda t, mix: np.append(_net_slope(t[:-1], 1 - mix), 0.0),
                },
                "mix is exchanged: mix belongs to the L1 part, 1 - mix to the L2 part.",
            ),
            (
                {
                    "penalty": lambda t, mix: mix * np.abs(t[:-1]).sum() + (1 - mix) * t[:-1] @ t[:-1],
                    "back": lambda t, mix: np.append(mix * np.sign(t[:-1]) + 2 * (1 - mix) * t[:-1], 0.0),
                },
                "The L2 part is 1/2 ||w||^2 with slope w: yours is twice that.",
            ),
            (
                {"penalty": lambda t, mix: mix * np.abs(t[:-1]).sum() + (1 - mix) * t[:-1] @ t[:-1]},
                "The value misses the half of the L2 part: (1 - mix)/2 ||w||^2.",
            ),
            (
                {"back": lambda t, mix: np.append(mix * np.sign(t[:-1]) + (1 - mix) / 2 * t[:-1], 0.0)},
                "The slope of 1/2 ||w||^2 is w, not w / 2.",
            ),
            (
                {"back": lambda t, mix: np.append(mix * np.sign(t[:-1]) + 2 * (1 - mix) * t[:-1], 0.0)},
                "The slope of 1/2 ||w||^2 is w, not 2 w.",
            ),
            (
                {"back": lambda t, mix: np.append(mix * np.where(t[:-1] >= 0, 1, -1) + (1 - mix) * t[:-1], 0.0)},
                "At a weight of exactly 0 the slope of |w| is 0 by convention: np.sign does that.",
            ),
            (
                {"back": lambda t, mix: np.append(mix * np.where(t[:-1] > 0, 1, -1) + (1 - mix) * t[:-1], 0.0)},
                "At a weight of exactly 0 the slope of |w| is 0 by convention, not -1: np.sign does that.",
            ),
            (
                {"back": lambda t, mix: np.append(mix + (1 - mix) * t[:-1], 0.0)},
                "The slope of |w| is the sign of w: -1 for a negative weight, 0 at 0.",
            ),
            ({"penalty": lambda t, mix: 0.0}, "The value has no penalty: add lambda times Omega."),
            ({"back": lambda t, mix: 0 * t}, "The slope has no penalty: add lambda times the slope of Omega."),
            (
                {"back": lambda t, mix: -np.append(_net_slope(t[:-1], mix), 0.0)},
                "The penalty's slope has the wrong sign: it is added.",
            ),
        ),
        Mistake(
            lambda X, y, theta, lam, mix: (
                (r := _regularised(X, y, theta, lam, mix))[0] + (1 - lam) * (1 - mix) / 2 * theta[:-1] @ theta[:-1],
                r[1],
            ),
            "In the value lambda multiplies the L1 part alone: put brackets around both parts of the penalty.",
        ),
        Mistake(
            lambda X, y, theta, lam, mix: _regularised(X, y, theta, lam / len(X), mix),
            "The penalty is not divided by n: only the losses are averaged.",
        ),
        Mistake(
            lambda X, y, theta, lam, mix: ((r := _regularised(X, y, theta, lam, mix))[0], r[1][:-1]),
            "The slope has as many entries as theta: that of the offset is the last one.",
        ),
        Mistake(
            lambda X, y, theta, lam, mix: ((r := _regularised(X, y, theta, lam, mix))[0], -r[1]),
            "Your slope points downhill: return the slope itself; the minus comes with the step.",
        ),
    ),
    hints=(
        "Take the value first: r = y - f, its mean square, plus lam times the penalty of w = theta[:-1].",
        "The loss adds -2 r (x, 1) / n to the slope for each example. The penalty adds lam * (mix * sign(w) + (1 - "
        "mix) * "
        "w) to the weights and nothing to the offset.",
        "slope = np.append(-2 * r @ X / len(X) + lam * (mix * np.sign(w) + (1 - mix) * w), -2 * r.mean()).",
    ),
)


# soft_threshold


def _soft(w: Floats, t: float) -> Floats:
    return np.sign(w) * np.maximum(np.abs(w) - t, 0)


def _soft_threshold(
    theta: Floats,
    eta: float,
    lam: float,
    mix: float,
    rate: Callable[[float, float], float] = lambda eta, lam: eta * lam,
    soft: Callable[[Floats, float], Floats] = _soft,
    shrink: Callable[[Floats, float], Floats] = lambda w, t: w / (1 + t),
    mixed: Callable[[float], float] = lambda mix: mix,
) -> Floats:
    t, m = rate(eta, lam), mixed(mix)
    return np.append(shrink(soft(theta[:-1], t * m), t * (1 - m)), theta[-1])


def _threshold_cases(rng: np.random.Generator) -> Iterator[Case]:
    for d, eta, lam, mix in (
        (3, 0.5, 2.0, 0.5), (4, 0.25, 2.0, 0.25), (4, 0.5, 1.0, 1.0), (4, 2.0, 0.5, 0.0), (5, 1.5, 0.5, 0.75)
    ):
        t = eta * lam * mix
        small = rng.uniform(0.2, 0.8) * t
        w = np.concatenate([[-small, 1.2 * t + 0.4, -1.5 * t - 0.6, small / 2], rng.normal(size=1)])[:d]
        yield np.append(rng.permutation(w), rng.choice([-1, 1]) * rng.uniform(1.5, 2.0)), eta, lam, mix


SOFT_THRESHOLD = Task(
    name="soft_threshold",
    points=3,
    arguments=("theta", "eta", "lam", "mix"),
    returns=("theta",),
    cases=_threshold_cases,
    answer=_soft_threshold,
    mistakes=(
        Mistake(
            lambda theta, eta, lam, mix: _soft_threshold(np.append(theta, 0.0), eta, lam, mix)[:-1],
            "The offset moves: it is not penalised, so it must come back as it went in.",
        ),
        Mistake(
            lambda theta, eta, lam, mix: _soft_threshold(theta, eta, lam, mix)[:-1],
            "The offset is missing from what you return: theta has d + 1 entries, the offset last.",
        ),
        *variations(
            _soft_threshold,
            (
                {"soft": lambda w, t: w - t * np.sign(w)},
                "Weights jump over 0: one that is nearer to 0 than the threshold must stop there.",
            ),
            (
                {"soft": lambda w, t: np.where(np.abs(w) > t, w, 0)},
                "That is the hard threshold: a weight that survives must still move towards 0 by the threshold.",
            ),
            (
                {"soft": lambda w, t: np.where(np.abs(w) <= t, 0, w - t)},
                "Negative weights move away from 0: towards 0 means w + threshold for them.",
            ),
            (
                {"soft": lambda w, t: np.maximum(w - t, 0)},
                "Negative weights vanish: they move towards 0 from below, and large ones do not get there.",
            ),
            (
                {"soft": lambda w, t: np.maximum(np.abs(w) - t, 0)},
                "The sign is lost: a negative weight stays negative on its way to 0.",
            ),
            (
                {"soft": lambda w, t: np.sign(w) * (np.abs(w) + t)},
                "The weights move away from 0: take the threshold off |w|.",
            ),
            (
                {"soft": lambda w, t: np.clip(w, -t, t)},
                "You cut off what is to stay: np.clip(w, -t, t) is what the threshold takes AWAY from w.",
            ),
            ({"soft": lambda w, t: w}, "The L1 part is missing: no weight gets to exactly 0."),
            ({"shrink": lambda w, t: w}, "The L2 part is missing: what the threshold leaves is divided by 1 + eta lam "
             "(1 - mix)."),
            (
                {"shrink": lambda w, t: w * (1 - t)},
                "You take a slope step for the L2 part, w (1 - t): the exact minimum divides by 1 + t.",
            ),
            (
                {"shrink": lambda w, t: w / (1 + 2 * t)},
                "The L2 part is 1/2 v^2 with slope v: divide by 1 + eta lam (1 - mix), without a 2.",
            ),
            ({"shrink": lambda w, t: w / (1 + t / 2)}, "The slope of 1/2 v^2 is v: divide by 1 + eta lam (1 - mix), "
             "without a half."),
            ({"shrink": lambda w, t: w * (1 + t)}, "The L2 part makes your weights larger: divide, do not multiply."),
            ({"shrink": lambda w, t: w / t if t else w}, "Divide by 1 + eta lam (1 - mix): the 1 comes from "
             "1/2 (v - w)^2."),
            ({"mixed": lambda mix: 1 - mix}, "mix is exchanged: mix belongs to the L1 part, 1 - mix to the L2 part."),
            ({"rate": lambda eta, lam: lam}, "The step size is missing: penalty and threshold are multiplied by eta."),
            ({"rate": lambda eta, lam: eta}, "lambda is missing: penalty and threshold are multiplied by eta lam."),
            ({"rate": lambda eta, lam: eta * lam / 2}, "Your threshold is half of what it should be: eta lam mix."),
            ({"rate": lambda eta, lam: 2 * eta * lam}, "Your threshold is twice what it should be: eta lam mix."),
        ),
        Mistake(
            lambda theta, eta, lam, mix: np.append(
                _soft(theta[:-1] / (1 + eta * lam * (1 - mix)), eta * lam * mix), theta[-1]
            ),
            "The order is exchanged: first take the threshold off, then divide.",
        ),
        Mistake(
            lambda theta, eta, lam, mix: np.append(
                theta[:-1] - eta * lam * (mix * np.sign(theta[:-1]) + (1 - mix) * theta[:-1]), theta[-1]
            ),
            "That is a step along the slope: it jumps over 0 and never makes a zero. Find the v that minimises.",
        ),
    ),
    hints=(
        "Each weight by itself. For v > 0 set the derivative of 1/2 (v - w)^2 + eta lam (mix v + (1 - mix)/2 v^2) to 0 "
        "and solve for v.",
        "For v > 0 this gives v = (w - eta lam mix) / (1 + eta lam (1 - mix)), if that is positive. The other side is "
        "the mirror image. In between v = 0.",
        "w = theta[:-1]; v = np.sign(w) * np.maximum(np.abs(w) - eta * lam * mix, 0) / (1 + eta * lam * (1 - mix)); "
        "put "
        "theta[-1] behind it unchanged.",
    ),
)


# choose_lambda


def _choose_lambda(
    lams: Floats,
    thetas: Floats,
    X: Floats,
    y: Floats,
    wrong: Callable[[Floats], Floats] = lambda z: z <= 0,
    score: Callable[[Floats, Floats], Floats] = lambda X, thetas: thetas[:, :-1] @ X.T + thetas[:, -1:],
    total: Callable[[Floats], Floats] = lambda w: w.mean(axis=1),
    tie: Callable[[Floats, Floats], Any] = lambda lams, among: among[lams[among].argmax()],
    reported: Callable[[Floats, int, Floats], Any] = lambda errors, k, lams: k,
) -> tuple[Any, Any]:
    errors = total(wrong(y * score(X, thetas)))
    k = int(tie(lams, np.flatnonzero(errors == errors.min())))
    return reported(errors, k, lams), errors[k]


def _best_loss(lams: Floats, thetas: Floats, X: Floats, y: Floats) -> int:
    z = y * (thetas[:, :-1] @ X.T + thetas[:, -1:])
    return int(np.maximum(0, 1 - z).mean(axis=1).argmin())


def _lambda_cases(rng: np.random.Generator) -> Iterator[Case]:
    sizes = (5, 4, 1), (6, 6, 1), (6, 6, 2), (7, 8, 2), (7, 9, 2), (8, 8, 3), (8, 10, 2), (9, 12, 2), (9, 10, 3)
    for k, n, d in sizes:
        best = np.zeros(0)
        # Several with the lowest error, one of them apart, and scores of exactly 0 among their errors.
        while len(best) < 3 or best[-1] == best[-2] + 1:
            X, y, thetas = quarters(rng, n, d), labels(rng, n), quarters(rng, k, d + 1)
            chosen = rng.integers(n, size=k)
            thetas[:, -1] = -(thetas[:, :-1] * X[chosen]).sum(axis=1)  # each theta has a score of 0
            z = y * (thetas[:, :-1] @ X.T + thetas[:, -1:])
            errors = (z <= 0).mean(axis=1)
            best = np.flatnonzero(errors == errors.min())
            if not 0 < errors.min() < 0.5:
                best = best[:0]
        # Neither the first nor the last of them has the largest lambda, and another one has a larger one.
        lams = 2.0 ** np.arange(-k, 0)
        right = best[0]
        while right in (best[0], best[-1], lams.argmax()):
            lams = rng.permutation(lams)
            right = best[lams[best].argmax()]
        yield lams, thetas, X, y


CHOOSE_LAMBDA = Task(
    name="choose_lambda",
    points=3,
    arguments=("lams", "thetas", "X", "y"),
    returns=("index", "error"),
    cases=_lambda_cases,
    answer=_choose_lambda,
    mistakes=(
        *variations(
            _choose_lambda,
            (
                {"tie": lambda lams, among: among[0]},
                "Several lambdas have the lowest error: argmin takes the first of them, the largest lambda is asked "
                "for.",
            ),
            (
                {"tie": lambda lams, among: among[-1]},
                "Several lambdas have the lowest error: yours is the last of them in the list, but lams is in no "
                "order.",
            ),
            (
                {"tie": lambda lams, among: among[lams[among].argmin()]},
                "Among equal errors take the LARGEST lambda, which is the simplest answer: yours is the smallest.",
            ),
            (
                {"tie": lambda lams, among: lams.argmax()},
                "The largest lambda of all is not asked for: only among those with the lowest error.",
            ),
            (
                {"tie": lambda lams, among: lams[among].argmax()},
                "Your index counts within the list of the best: it must be the row number in lams and thetas.",
            ),
            ({"wrong": lambda z: z < 0}, "A score of exactly 0 is an error too: y f <= 0, not y f < 0."),
            ({"wrong": lambda z: z > 0}, "You count the right ones: an error is y f <= 0."),
            ({"wrong": lambda z: np.sign(z) <= 0, "total": lambda w: w.sum(axis=1)}, "error is a count: the fraction "
             "of the examples is asked for, so divide by n."),
            (
                {"score": lambda X, thetas: thetas[:, :-1] @ X.T},
                "The score misses the offset: the last entry of each theta.",
            ),
            (
                {"score": lambda X, thetas: thetas[:, 1:] @ X.T + thetas[:, :1]},
                "Your offset comes first: here it is the last entry of each theta.",
            ),
            (
                {"reported": lambda errors, k, lams: lams[k]},
                "You return lambda itself: its index is asked for.",
            ),
            ({"reported": lambda errors, k, lams: k + 1}, "Your index counts from 1: the first lambda is number 0."),
        ),
        Mistake(
            lambda lams, thetas, X, y: _choose_lambda(
                lams, thetas, X, y, wrong=lambda z: np.where(y > 0, z < 0, z <= 0)
            ),
            "You take a score of exactly 0 for +1: it is an error for both labels, y f <= 0.",
        ),
        Mistake(
            lambda lams, thetas, X, y: _choose_lambda(
                lams, thetas, X, y, wrong=lambda z: np.where(y < 0, z < 0, z <= 0)
            ),
            "You take a score of exactly 0 for -1: it is an error for both labels, y f <= 0.",
        ),
        Mistake(
            lambda lams, thetas, X, y: (
                int(np.flatnonzero(np.argsort(-lams) == (r := _choose_lambda(lams, thetas, X, y))[0])[0]), r[1]
            ),
            "Your index counts in the sorted list: it must be the row number in lams as it came.",
        ),
        Mistake(
            lambda lams, thetas, X, y: ((k := _best_loss(lams, thetas, X, y)),
                                        (y * (X @ thetas[k, :-1] + thetas[k, -1]) <= 0).mean()),
            "You compare hinge losses: it is the fraction of errors, y f <= 0, that decides here.",
        ),
        Mistake(
            lambda lams, thetas, X, y: (_choose_lambda(lams, thetas, X, y)[0],
                                        1 - _choose_lambda(lams, thetas, X, y)[1]),
            "error is the fraction of wrong answers: yours is that of the right ones.",
        ),
        Mistake(
            lambda lams, thetas, X, y: (_choose_lambda(lams, thetas, X, y)[0],
                                        100 * _choose_lambda(lams, thetas, X, y)[1]),
            "error is in per cent: a fraction between 0 and 1 is asked for.",
        ),
    ),
    hints=(
        "For each theta in thetas: the fraction of the examples with y f <= 0. That gives one error for each lambda.",
        "Find the lowest error. All lambdas with exactly this error are equally good; the largest of them wins.",
        "low = min(errors); best = [k for k in range(len(lams)) if errors[k] == low]; index = max(best, key=lambda k: "
        "lams[k]).",
    ),
)


# bolasso


def _bolasso(
    weights: Floats,
    share: float,
    inside: Callable[[Floats], Floats] = lambda w: w != 0,
    frequency: Callable[[Floats], Floats] = lambda chosen: chosen.mean(axis=0),
    enough: Callable[[Floats, float], Floats] = lambda f, share: f >= share,
    listed: Callable[[Floats], Any] = np.flatnonzero,
) -> tuple[Any, Any]:
    f = frequency(inside(weights))
    return f, listed(enough(f, share))


def _bolasso_cases(rng: np.random.Generator) -> Iterator[Case]:
    for resamples, share in ((4, 0.5), (4, 1.0), (8, 0.75), (8, 1.0), (16, 0.25)):
        times = rng.permutation(
            [resamples, int(share * resamples), int(share * resamples) - 1, 0, resamples // 2, 1]
        )
        weights = np.zeros((resamples, 6))
        for j, m in enumerate(times):
            rows = rng.permutation(resamples)[:m]
            weights[rows, j] = rng.choice([-1.0, 1.0], m) * rng.integers(1, 9, m) / 8
        full = int(np.argmax(times))
        weights[:2, full] = [0.5, -0.5]  # both signs: their sum is not what counts
        yield weights, share


BOLASSO = Task(
    name="bolasso",
    points=2,
    arguments=("weights", "share"),
    returns=("frequencies", "selected"),
    cases=_bolasso_cases,
    answer=_bolasso,
    mistakes=variations(
        _bolasso,
        ({"enough": lambda f, share: f > share}, "A feature that is selected in exactly this share counts: >=, not >."),
        (
            {"listed": np.where},
            "np.where(condition) is a tuple around the list: np.where(condition)[0] is the list, or np.flatnonzero.",
        ),
        ({"enough": lambda f, share: f > 0}, "That is the union, whatever was selected in any resample: share counts."),
        ({"enough": lambda f, share: f >= 1}, "share is ignored: yours is the intersection of all, share = 1."),
        ({"enough": lambda f, share: f >= 0.5}, "share is ignored: yours keeps what half of the resamples selected."),
        ({"enough": lambda f, share: f <= share}, "Your selection is the wrong way round: keep frequent features."),
        ({"inside": lambda w: w > 0}, "A negative weight is a selected feature too: w != 0, not w > 0."),
        ({"inside": lambda w: w == 0}, "You count the zeros: a feature is selected where its weight is not 0."),
        ({"inside": lambda w: w}, "You average the weights: count in how many resamples they are not 0."),
        ({"inside": np.abs}, "You average the sizes of the weights: count in how many resamples they are not 0."),
        (
            {"inside": lambda w: np.abs(w) > 0.2},
            "Small weights count as well: selected is whatever is not exactly 0.",
        ),
        (
            {"frequency": lambda c: c.mean(axis=1)},
            "You average along the wrong axis: a row is a resample, a column a feature (axis=0).",
        ),
        (
            {"frequency": lambda c: c.sum(axis=0)},
            "frequencies are counts: divide by the number of resamples.",
        ),
        (
            {"frequency": lambda c: c.sum(axis=0) / c.shape[1]},
            "You divide by the number of features: divide by the number of resamples.",
        ),
        ({"listed": lambda mask: mask * 1}, "selected is a list of feature numbers: np.flatnonzero of the condition."),
        ({"listed": lambda mask: np.flatnonzero(mask) + 1}, "Your numbers begin at 1: the first column is feature 0."),
        ({"listed": np.count_nonzero}, "You return how many are selected: return which, as column numbers."),
    ),
    hints=(
        "weights != 0 is a table of True and False: a row for each resample, a column for each feature.",
        "The mean of each column of that table (axis=0) is the frequency of the feature.",
        "selected = np.flatnonzero(frequencies >= share).",
    ),
)


# read_path

PATH_LAMS = np.array([4.0, 2.0, 1.0, 0.0])
PATH_WEIGHTS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, -1.0, 0.0], [1.0, -3.0, 2.0]])


def _read_path(**change: Any) -> tuple[Any, ...]:
    def at(lam: float) -> Floats:
        return np.array([np.interp(lam, PATH_LAMS[::-1], w[::-1]) for w in PATH_WEIGHTS.T])

    right = {
        "weights": at(1.5),
        "counts": np.array([np.count_nonzero(at(lam)) for lam in (5.0, 3.0, 1.5, 0.5)], float),
        "soft": _soft(np.array([3.0, -0.5, -2.0]), 1.0),
        "changes": np.array([1.0, -1.0, 0.0, 0.0]),
    }
    return tuple({**right, **change}.values())


READ_PATH = Task(
    name="read_path",
    points=3,
    arguments=(),
    returns=("weights", "counts", "soft", "changes"),
    cases=lambda rng: [()],
    answer=_read_path,
    mistakes=variations(
        _read_path,
        ({"weights": PATH_WEIGHTS[1]}, "Those are the weights at the knot 2: between knots each moves on a straight "
         "line."),
        ({"weights": PATH_WEIGHTS[2]}, "Those are the weights at the knot 1: between knots each moves on a straight "
         "line."),
        ({"weights": np.array([1.5, 0.5, 0.0])}, "Feature 2 goes down, from 0 to -1: mind the sign."),
        ({"counts": np.array([0, 1, 1, 2.0])}, "A feature comes in AT its knot: just below it, its weight is not 0 "
         "any more."),
        ({"counts": np.array([0, 0, 1, 2.0])}, "Each feature leaves 0 at the knot ABOVE the first weight that is not "
         "0."),
        ({"counts": np.array([0, 1, 2, 2.0])}, "Between the knots 1 and 0 feature 3 is on its way to 2: it is not 0 "
         "there."),
        ({"counts": np.array([1, 1, 2, 3.0])}, "Above the first knot all weights are 0."),
        ({"counts": np.array([3, 2, 1, 0.0])}, "The larger lambda, the fewer features: read the table from its first "
         "row."),
        ({"soft": np.array([2.0, 0.5, -1.0])}, "A weight nearer to 0 than the threshold stops at 0: it does not jump "
         "over."),
        ({"soft": np.array([2.0, -0.5, -1.0])}, "A weight nearer to 0 than the threshold becomes 0."),
        ({"soft": np.array([3.0, 0.0, -2.0])}, "That is the hard threshold: the soft one also moves what survives."),
        ({"soft": np.array([2.0, 0.0, -3.0])}, "The threshold moves towards 0: -2 goes up."),
        ({"soft": np.array([2.0, 0.0, 1.0])}, "The sign stays: -2 comes nearer to 0 from below."),
        ({"soft": np.array([2.0, 0.0, 0.0])}, "Negative weights are not cut off: -2 is further from 0 than the "
         "threshold."),
        ({"soft": np.array([2.0, -1.5, -3.0])}, "The threshold moves towards 0 from both sides: subtracting 1 is not "
         "it."),
        *(
            (
                {"changes": np.where(np.arange(4) == k, other, [1.0, -1.0, 0.0, 0.0])},
                sentence,
            )
            for k, others, sentence in (
                (
                    0, (-1.0, 0.0),
                    "First change: without a penalty the training loss is as low as it gets. What can a penalty do "
                    "to it?",
                ),
                (1, (1.0, 0.0), "Second change: lambda is the price of long weights. What does a higher price do?"),
                (2, (1.0, -1.0), "Third change: an offset that is free moves along with the data; what else changes?"),
                (3, (1.0, -1.0), "Fourth change: how many features are selected beyond the first knot?"),
            )
            for other in others
        ),
    ),
    hints=(
        "Between two knots go in proportion: 1.5 lies in the middle of 2 and 1, so the weights are the mean of two "
        "rows.",
        "Count the weights that are not 0 in the middle of a piece, not at its ends. Soft threshold: move every "
        "weight 1 "
        "towards 0, and stop there.",
        "At lambda = 3 only feature 1 is in; at 0.5 all three. For the changes: what is minimised, and what is free?",
    ),
)

TASKS = (PENALTIES, REGULARISED, SOFT_THRESHOLD, CHOOSE_LAMBDA, BOLASSO, READ_PATH)
