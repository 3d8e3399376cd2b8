"""Chapter 4: two gradients, descent with the best so far, halving, Barzilai-Borwein, momentum, when to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import labels, quarters
from coursekit.checking.tasks.judge import Case, Mistake, Task, slips
from coursekit.core.validate import Floats

# gradients


def _constant(X: Floats, value: float = 1.0) -> Floats:
    return np.column_stack([X, np.full(len(X), value)])


def _gradients(
    X: Floats,
    y: Floats,
    theta: Floats,
    lam: float,
    score: Callable[..., Floats] = lambda X, theta: _constant(X) @ theta,
    squared: Callable[..., Floats] = lambda y, f: -2 * (y - f),
    hinge: Callable[..., Floats] = lambda y, f: np.where(y * f <= 1, -y, 0),
    features: Callable[[Floats], Floats] = _constant,
    total: Callable[[Floats], Any] = lambda pulls: pulls.mean(axis=0),
    penalty: Callable[..., Any] = lambda w, lam, n: np.append(lam * w, 0.0),
) -> tuple[Any, ...]:
    f = score(X, theta)
    return tuple(
        total(pull(y, f)[:, None] * features(X)) + penalty(theta[:-1], lam, len(X)) for pull in (squared, hinge)
    )


def _gradients_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d, lam in ((2, 1, 0.0), (3, 2, 0.5), (4, 2, 0.25), (5, 3, 1.5), (6, 1, 0.75), (8, 2, 0.5)):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), quarters(rng, d + 1)
            theta[0] = rng.choice([-1.0, 1.0])
            X[0, 0] -= theta[0] * (X[0] @ theta[:-1] + theta[-1] - y[0])  # agreement 1: on the kink
            z = y * (_constant(X) @ theta)
            kinds = np.any((z > 0) & (z < 1)), n < 4 or np.any(z > 1), n < 4 or np.any(z < 0)
            if X[0].any() and theta.all() and all(kinds):
                break
        yield X, y, theta, lam


_PENALTIES: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("The penalty is missing: it adds lam * w to the weights.", lambda w, lam, n: 0.0),
    (
        "The penalty is lam/2 ||w||^2, so its slope is lam * w: yours is twice that.",
        lambda w, lam, n: np.append(2 * lam * w, 0.0),
    ),
    (
        "The penalty is lam/2 ||w||^2, so its slope is lam * w: yours is half of that.",
        lambda w, lam, n: np.append(lam / 2 * w, 0.0),
    ),
    ("The penalty is divided by n: only the losses are a mean.", lambda w, lam, n: np.append(lam * w / n, 0.0)),
    (
        "The penalty is multiplied by n: with the mean loss it is lam * w.",
        lambda w, lam, n: np.append(n * lam * w, 0.0),
    ),
    ("The slope of the penalty is added, not taken away: + lam * w.", lambda w, lam, n: np.append(-lam * w, 0.0)),
    (
        "Your penalty pulls all weights equally hard, as |w| does: the slope of lam/2 ||w||^2 is lam * w.",
        lambda w, lam, n: np.append(lam * np.sign(w), 0.0),
    ),
    ("You add the value of the penalty: its slope, lam * w, belongs in a gradient.", lambda w, lam, n: lam / 2 * w @ w),
    (
        "You add lam to every weight: the slope of the penalty is lam times w.",
        lambda w, lam, n: np.append(0 * w + lam, 0.0),
    ),
)


def _on_offset(X: Floats, y: Floats, theta: Floats, lam: float) -> tuple[Any, ...]:
    return tuple(g + np.append(0 * theta[:-1], lam * theta[-1]) for g in _gradients(X, y, theta, lam))


GRADIENTS = Task(
    name="gradients",
    points=3,
    arguments=("X", "y", "theta", "lam"),
    returns=("squared", "hinge"),
    cases=_gradients_cases,
    answer=_gradients,
    mistakes=(
        Mistake(
            _on_offset, "The offset is penalised: the penalty adds lam * w to the weights and nothing to the offset."
        ),
        *(Mistake(partial(_gradients, penalty=penalty), sentence) for sentence, penalty in _PENALTIES),
        Mistake(
            partial(_gradients, total=lambda pulls: pulls.sum(axis=0)),
            "You add the pulls of the examples up: the risk is a mean, so divide by n.",
        ),
        Mistake(
            lambda *case: tuple(g * len(case[0]) for g in _gradients(*case)),
            "Everything is n times too large: the risk is a mean.",
        ),
        Mistake(
            lambda *case: tuple(g / len(case[0]) for g in _gradients(*case)),
            "You divide by n twice, or the penalty as well: only the mean of the losses has a 1/n.",
        ),
        Mistake(
            lambda *case: tuple(-g for g in _gradients(*case)),
            "You return minus the gradient, the way down: the gradient itself is asked for.",
        ),
        Mistake(
            lambda X, y, theta, lam: tuple(
                lam * np.append(theta[:-1], 0) - g for g in _gradients(X, y, theta, 0.0)
            ),
            "The slopes of the losses have the wrong sign: derive (y - f)^2 and 1 - y f with respect to theta.",
        ),
        Mistake(
            partial(_gradients, total=lambda pulls: pulls.mean()),
            "You take the mean over everything: it is over the examples alone (axis=0), one entry for each of theta.",
        ),
        Mistake(
            partial(_gradients, score=lambda X, theta: X @ theta[:-1]),
            "The score misses the offset: f = theta . (x, 1).",
        ),
        Mistake(
            partial(_gradients, features=lambda X: _constant(X, 0.0)),
            "The slope in the offset is not 0: the offset is the weight of the constant attribute 1.",
        ),
        Mistake(
            lambda X, y, theta, lam: tuple(g[:-1] for g in _gradients(X, y, theta, lam)),
            "The last entry is missing: theta has an offset, and so has the gradient.",
        ),
        Mistake(
            lambda X, y, theta, lam: tuple(np.roll(g, 1) for g in _gradients(X, y, theta, lam)),
            "Your offset comes first: it is the last entry of theta, and of the gradient.",
        ),
        *(
            Mistake(lambda *case, wrong=wrong: (_gradients(*case)[0], wrong(*case)[1]), f"hinge: {sentence}")
            for wrong, sentence in (
                (_on_offset, "the offset is penalised here, as it is not in squared."),
                (partial(_gradients, penalty=lambda w, lam, n: 0.0), "the penalty is missing here."),
                (partial(_gradients, total=lambda pulls: pulls.sum(axis=0)), "the mean is missing here, divide by n."),
            )
        ),
        Mistake(
            partial(_gradients, squared=lambda y, f: -(y - f)),
            "squared lacks the factor 2: there is no 1/2 in front of (y - f)^2.",
        ),
        Mistake(
            partial(_gradients, squared=lambda y, f: 2 * (y - f)),
            "squared has the wrong sign: the inner derivative of y - f is -x.",
        ),
        Mistake(
            partial(_gradients, squared=lambda y, f: -2 * (1 - y * f)),
            "squared lacks a y: the slope of (1 - y f)^2 in f is -2 (1 - y f) y.",
        ),
        Mistake(
            partial(_gradients, squared=lambda y, f: np.where(y * f < 1, -2 * (y - f), 0)),
            "squared also pulls examples that are too right: there is no condition.",
        ),
        Mistake(
            partial(_gradients, squared=lambda y, f: (y - f) ** 2),
            "squared: you multiply x by the loss itself; multiply it by the slope of the loss, -2 (y - f).",
        ),
        Mistake(
            partial(_gradients, squared=lambda y, f: -2 * (y - np.sign(f))),
            "squared takes the score f itself, not its sign.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f < 1, -y, 0)),
            "hinge: at the kink, y f = 1, the slope of the left side counts, so the example still pulls (<=).",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f <= 0, -y, 0)),
            "hinge: an example pulls up to y f = 1, not only while it is wrong.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f < 0, -y, 0)),
            "hinge: an example pulls up to y f = 1, not only while it is wrong.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f > 1, -y, 0)),
            "hinge: the condition is the wrong way round, y f <= 1 pulls.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f >= 1, -y, 0)),
            "hinge: the condition is the wrong way round, y f <= 1 pulls.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f <= 1, y, 0)),
            "hinge has the wrong sign: the slope of 1 - y f is -y x.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f <= 1, -1, 0)),
            "hinge lacks the label: the slope of 1 - y f is -y x.",
        ),
        Mistake(partial(_gradients, hinge=lambda y, f: -y), "hinge has no condition: beyond y f = 1 the slope is 0."),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(f <= 1, -y, 0)),
            "hinge: the condition is on the agreement y f, not on the score f.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: -y * np.maximum(0, 1 - y * f)),
            "hinge: every example that pulls does so equally hard, by -y x, whatever its loss.",
        ),
        Mistake(
            partial(_gradients, hinge=lambda y, f: np.where(y * f <= 1, -y * len(y) / np.sum(y * f <= 1), 0)),
            "hinge: the mean is over all n examples, not over those that pull.",
        ),
    ),
    hints=(
        "Both gradients are means of (a number for each example) times (x, 1); the penalty comes on top.",
        "The number is -2 (y - f) for the squared loss. For the hinge loss it is -y where y f <= 1 and 0 elsewhere.",
        "Z = np.column_stack([X, np.ones(len(X))]); f = Z @ theta; the mean is Z.T @ number / len(X). Add "
        "np.append(lam * theta[:-1], 0).",
    ),
)


# descend and momentum: the squared risk without offset


def _slope(X: Floats, y: Floats, theta: Floats) -> Floats:
    return -2 * (y - X @ theta) @ X / len(X)


def _value(X: Floats, y: Floats, theta: Floats) -> float:
    return float(np.mean((y - X @ theta) ** 2))


def _path(
    X: Floats,
    y: Floats,
    start: Floats,
    eta: float,
    steps: int,
    m: float = 0.0,
    slope: Callable[..., Floats] = _slope,
    velocity: Callable[..., Floats] = lambda V, down, m: m * V + down,
    move: Callable[..., Floats] = lambda theta, V, old: theta + V,
    rate: Callable[[int], float] = lambda k: 1.0,
) -> Floats:
    thetas, V = [start], 0 * start
    for k in range(steps):
        old, V = V, velocity(V, -eta * rate(k) * slope(X, y, thetas[-1]), m)
        thetas.append(move(thetas[-1], V, old))
    return np.array(thetas)


_WRONG_SLOPES: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "You go uphill: theta - eta * gradient leads down.",
        {"slope": lambda X, y, theta: -_slope(X, y, theta)},
    ),
    (
        "Your gradient lacks the factor 2: the loss is (y - f)^2, without a 1/2.",
        {"slope": lambda X, y, theta: _slope(X, y, theta) / 2},
    ),
    (
        "Your gradient is that of the sum of the losses: the risk is their mean, so divide by n.",
        {"slope": lambda X, y, theta: len(X) * _slope(X, y, theta)},
    ),
    (
        "Your gradient lacks the factor 2, and it is that of a sum: the risk is the mean of (y - f)^2.",
        {"slope": lambda X, y, theta: len(X) / 2 * _slope(X, y, theta)},
    ),
    (
        "Your steps all have the length eta: step by eta times the gradient, long on steep ground.",
        {"slope": lambda X, y, theta: (g := _slope(X, y, theta)) / np.linalg.norm(g)},
    ),
    ("Your step size shrinks: eta is constant here.", {"rate": lambda k: 1 / (k + 1)}),
)


def _wrong_paths(path: Callable[..., Any]) -> tuple[Mistake, ...]:
    """Mistakes of any descent; `path` makes it with what is changed."""
    return (
        *(Mistake(partial(path, **wrong), sentence) for sentence, wrong in _WRONG_SLOPES),
        Mistake(
            partial(path, change=lambda thetas: thetas[1:]),
            "The start is missing: row 0 of thetas is the start, so there are steps + 1 rows.",
        ),
        Mistake(
            partial(path, change=lambda thetas: thetas[:-1]),
            "The last theta is missing: after `steps` steps there are steps + 1 rows, with the start.",
        ),
        Mistake(
            partial(path, change=lambda thetas: thetas[-1]),
            "You return the last theta alone: collect theta after each step, with the start as row 0.",
        ),
        Mistake(
            partial(path, change=lambda thetas: np.vstack([thetas[:1], 0 * thetas[1:] + thetas[-1]])),
            "All rows behind the start are the last theta: the list holds the same array again and again; "
            "theta = theta - ... makes a new one, theta -= ... does not.",
        ),
        Mistake(
            partial(path, change=lambda thetas: 0 * thetas + thetas[-1]),
            "All rows are the last theta: the list holds the same array again and again; theta = theta - ... makes a "
            "new one, theta -= ... does not.",
        ),
        Mistake(
            partial(path, more=1),
            "You make one step too many: `steps` steps, so steps + 1 rows with the start.",
        ),
        Mistake(
            partial(path, from_zero=True),
            "You begin at 0: begin at the start that is given.",
        ),
    )


def _descend(
    X: Floats,
    y: Floats,
    start: Floats,
    eta: float,
    steps: int,
    change: Callable[[Floats], Floats] = lambda thetas: thetas,
    choose: Callable[[Floats, Floats], Any] = lambda values, thetas: int(values.argmin()),
    more: int = 0,
    from_zero: bool = False,
    **wrong: Any,
) -> tuple[Any, Any]:
    thetas = _path(X, y, 0 * start if from_zero else start, eta, steps + more, **wrong)
    values = np.array([_value(X, y, theta) for theta in thetas])
    return change(thetas), choose(values, thetas)


def _at_start(X: Floats, y: Floats, start: Floats, eta: float, steps: int) -> tuple[Any, Any]:
    return _descend(X, y, start, eta, steps, slope=lambda X, y, theta: _slope(X, y, start))


def _one_by_one(X: Floats, y: Floats, start: Floats, eta: float, steps: int) -> tuple[Any, Any]:
    k = iter(range(steps))

    def slope(X: Floats, y: Floats, theta: Floats) -> Floats:
        i = next(k) % len(X)
        return _slope(X[i : i + 1], y[i : i + 1], theta)

    return _descend(X, y, start, eta, steps, slope=slope)


def _descend_cases(rng: np.random.Generator) -> Iterator[Case]:
    for wanted, n, d, steps in (
        ("last", 3, 1, 3),
        ("last", 4, 2, 5),
        ("last", 6, 3, 7),
        ("start", 3, 1, 4),
        ("start", 5, 2, 4),
        ("middle", 4, 2, 6),
    ):
        while True:
            X, y, start = rng.normal(size=(n, d)).round(2), labels(rng, n), (2 * rng.normal(size=d)).round(2)
            bend = np.linalg.eigvalsh(2 * X.T @ X / n)[-1]
            eta = round(float(rng.uniform(0.2, 0.9) if wanted == "last" else rng.uniform(2.05, 2.6)) / bend, 3)
            path = _path(X, y, start, eta, steps)
            if np.abs(path).max() > 20:
                continue
            values = np.array([_value(X, y, theta) for theta in path])
            best, gap = int(values.argmin()), np.diff(np.sort(values)[:2])[0]
            flat = int(np.linalg.norm([_slope(X, y, theta) for theta in path], axis=1).argmin())
            if (
                gap > 1e-3 and best == {"last": steps, "start": 0}.get(wanted, min(max(best, 1), steps - 1))
                and (wanted != "middle" or flat != best)
            ):
                break
        yield X, y, start, eta, steps


DESCEND = Task(
    name="descend",
    points=3,
    arguments=("X", "y", "start", "eta", "steps"),
    returns=("thetas", "best"),
    cases=_descend_cases,
    answer=_descend,
    mistakes=(
        *_wrong_paths(_descend),
        Mistake(_at_start, "Every step uses the gradient at the start: compute it anew where theta is now."),
        Mistake(_one_by_one, "Every step looks at one example alone: the gradient is the mean over all of them."),
        Mistake(
            partial(_descend, choose=lambda values, thetas: 1 + int(values[1:].argmin())),
            "The start counts too: where the run diverges, best is 0.",
        ),
        Mistake(
            partial(_descend, choose=lambda values, thetas: int(values[1:].argmin())),
            "best is a row of thetas, in which the start is row 0: yours looks at the rows behind it.",
        ),
        Mistake(
            partial(_descend, choose=lambda values, thetas: len(values) - 1),
            "best is not always the last: where steps are too long, an earlier theta has the lower risk.",
        ),
        Mistake(
            lambda X, y, start, eta, steps: _descend(
                X, y, start, eta, steps,
                choose=lambda values, thetas: int(np.argmin([np.linalg.norm(_slope(X, y, t)) for t in thetas])),
            ),
            "best is where the gradient is shortest: the row with the lowest risk is asked for.",
        ),
        Mistake(
            partial(_descend, choose=lambda values, thetas: int(values.argmax())),
            "best is the row with the highest risk: the lowest is asked for.",
        ),
        Mistake(
            partial(_descend, choose=lambda values, thetas: 1 + int(values.argmin())),
            "best counts from 1: rows count from 0, and the start is row 0.",
        ),
        Mistake(
            partial(_descend, choose=lambda values, thetas: float(values.min())),
            "best is the lowest risk itself: the row of thetas where it is reached is asked for.",
        ),
        Mistake(
            partial(_descend, choose=lambda values, thetas: thetas[values.argmin()]),
            "best is the best theta itself: its row in thetas is asked for.",
        ),
        Mistake(
            partial(_descend, choose=lambda values, thetas: int(values[:-1].argmin())),
            "The last theta is never looked at: measure the risk of all steps + 1 rows.",
        ),
    ),
    hints=(
        "Write a function for the gradient of the mean squared loss; a step is theta - eta * gradient(theta).",
        "The gradient is -2 X.T @ (y - X @ theta) / n. Put the start into a list before the loop, and append in it.",
        "best: compute np.mean((y - X @ theta) ** 2) for every theta in the list, with the start, and take np.argmin.",
    ),
)


def _momentum(
    X: Floats,
    y: Floats,
    start: Floats,
    eta: float,
    m: float,
    steps: int,
    change: Callable[[Floats], Floats] = lambda thetas: thetas,
    more: int = 0,
    from_zero: bool = False,
    **wrong: Any,
) -> Any:
    return change(_path(X, y, 0 * start if from_zero else start, eta, steps + more, m, **wrong))


def _ahead(X: Floats, y: Floats, start: Floats, eta: float, m: float, steps: int) -> Floats:
    thetas, V = [start], 0 * start
    for _ in range(steps):
        V = m * V - eta * _slope(X, y, thetas[-1] + m * V)
        thetas.append(thetas[-1] + V)
    return np.array(thetas)


def _running_start(X: Floats, y: Floats, start: Floats, eta: float, m: float, steps: int) -> Floats:
    thetas, V = [start], -eta * _slope(X, y, start)
    for _ in range(steps):
        V = m * V - eta * _slope(X, y, thetas[-1])
        thetas.append(thetas[-1] + V)
    return np.array(thetas)


def _momentum_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d, m, steps in ((3, 1, 0.5, 2), (3, 1, 0.0, 3), (4, 2, 0.9, 4), (5, 2, 0.8, 6), (5, 3, 0.3, 5)):
        X, y, start = rng.normal(size=(n, d)).round(2), labels(rng, n), (1 + rng.uniform(size=d)).round(2)
        bend = np.linalg.eigvalsh(2 * X.T @ X / n)[-1]
        yield X, y, start * rng.choice([-1.0, 1.0], d), round(float(rng.uniform(0.3, 0.8) / bend), 3), m, steps


MOMENTUM = Task(
    name="momentum",
    points=2,
    arguments=("X", "y", "start", "eta", "m", "steps"),
    returns=("thetas",),
    cases=_momentum_cases,
    answer=_momentum,
    mistakes=(
        *_wrong_paths(_momentum),
        Mistake(
            partial(_momentum, velocity=lambda V, down, m: down),
            "There is no momentum: V keeps m times its old value in every step, so set it to 0 once, before the loop.",
        ),
        Mistake(
            partial(_momentum, velocity=lambda V, down, m: V + down),
            "V never slows down: it keeps m times its old value, not all of it.",
        ),
        Mistake(
            partial(_momentum, velocity=lambda V, down, m: m * V + (1 - m) * down),
            "The slope is weighted by 1 - m: here it enters V in full, V = m V - eta * gradient.",
        ),
        Mistake(
            partial(_momentum, velocity=lambda V, down, m: m * (V + down)),
            "m multiplies the new slope too: it belongs to the old V alone.",
        ),
        Mistake(
            partial(_momentum, velocity=lambda V, down, m: V + m * down),
            "m multiplies the new slope: it belongs to the old V.",
        ),
        Mistake(
            partial(_momentum, velocity=lambda V, down, m: (1 - m) * V + down),
            "V keeps 1 - m of its old value: it keeps m.",
        ),
        Mistake(
            partial(_momentum, velocity=lambda V, down, m: -m * V + down),
            "The old V is taken away: it is added, m V - eta * gradient.",
        ),
        Mistake(
            partial(_momentum, move=lambda theta, V, old: theta + old),
            "theta moves by the old V: first the new V, then theta + V.",
        ),
        Mistake(
            partial(_momentum, move=lambda theta, V, old: V),
            "theta is replaced by V: it moves by V, theta + V.",
        ),
        Mistake(_ahead, "The gradient is taken at theta + m V, where theta will be: here it is taken at theta."),
        Mistake(
            _running_start, "V begins with a first slope: it begins with 0, or the first step counts the slope twice."
        ),
    ),
    hints=(
        "It is the loop of descend with one more vector V, which is all zeros before the first step.",
        "In each step: V = m * V - eta * gradient(theta), and after it theta = theta + V.",
        "V = np.zeros(len(start)); thetas = [start]; then the two lines in a loop over range(steps), and append theta.",
    ),
)


# halving


def _halving(
    X: Floats,
    y: Floats,
    theta: Floats,
    refused: Callable[..., bool] = lambda new, old, eta, size: new >= old,
    first: float = 1.0,
    shrink: float = 0.5,
    scale: float = 1.0,
) -> tuple[float, Floats]:
    slope, eta = scale * _slope(X, y, theta), first
    size = slope @ slope
    while eta > 1e-9 and refused(_value(X, y, theta - eta * slope), _value(X, y, theta), eta, size):
        eta = eta * shrink
    return eta, theta - eta * slope


def _halving_cases(rng: np.random.Generator) -> Iterator[Case]:
    x, y, w = 2.0 ** rng.integers(0, 2), rng.choice([-1.0, 1.0]), quarters(rng, 1) + 3.25  # never on the line
    yield np.array([[x]]), np.array([y]), w  # eta = 1 / x^2 gives the same loss exactly
    yield np.array([[3 / 4]]), np.array([y]), w  # eta = 1 is accepted, and best
    yield np.array([[15 / 16]]), np.array([y]), w  # eta = 1 is accepted, 1/2 would be better
    for n, d, large in ((2, 1, 0.25), (4, 2, 0.25), (2, 2, 1), (4, 1, 1), (4, 2, 1), (4, 3, 2), (2, 1, 2)):
        while True:
            X, y, w = large * quarters(rng, n, d), labels(rng, n), quarters(rng, d)
            if np.linalg.norm(_slope(X, y, w)) > 0.2:
                break
        yield X, y, w


def _moving(X: Floats, y: Floats, theta: Floats) -> tuple[float, Floats]:
    slope, eta, here = _slope(X, y, theta), 1.0, _value(X, y, theta)
    after = theta - eta * slope
    while eta > 1e-9 and _value(X, y, after) >= here:
        eta /= 2
        after = after - eta * slope
    return eta, after


def _greedy(X: Floats, y: Floats, theta: Floats) -> tuple[float, Floats]:
    slope, (eta, _) = _slope(X, y, theta), _halving(X, y, theta)
    while _value(X, y, theta - eta / 2 * slope) < _value(X, y, theta - eta * slope):
        eta /= 2
    return eta, theta - eta * slope


def _unit_step(X: Floats, y: Floats, theta: Floats) -> tuple[float, Floats]:
    return _halving(X, y, theta, scale=1 / float(np.linalg.norm(_slope(X, y, theta))))


def _halved(change: Callable[[float, Floats, Floats], Any]) -> Callable[..., Any]:
    """A mistake in what is made of the eta that was found."""
    return lambda X, y, theta: change(_halving(X, y, theta)[0], theta, _slope(X, y, theta))


HALVING = Task(
    name="halving",
    points=2,
    arguments=("X", "y", "theta"),
    returns=("eta", "after"),
    cases=_halving_cases,
    answer=_halving,
    mistakes=(
        Mistake(
            partial(_halving, refused=lambda new, old, eta, size: new > old),
            "An eta that leaves the risk exactly as it was is refused too: it must become smaller (halve while >=).",
        ),
        Mistake(_unit_step, "Your gradient is scaled to length 1: the step is eta times the gradient as it is."),
        Mistake(partial(_halving, first=0.5), "Your first try is eta = 1/2: begin with 1."),
        Mistake(partial(_halving, first=2.0), "Your first try is eta = 2: begin with 1."),
        Mistake(partial(_halving, shrink=0.1), "You divide eta by 10: halve it."),
        Mistake(
            partial(_halving, refused=lambda new, old, eta, size: False),
            "You always take eta = 1: halve it until the risk becomes smaller.",
        ),
        Mistake(
            partial(_halving, refused=lambda new, old, eta, size: new > old - eta * size / 2),
            "You ask for more than a decrease: any eta that makes the risk smaller is taken.",
        ),
        Mistake(
            partial(_halving, refused=lambda new, old, eta, size: new < old),
            "The test is the wrong way round: halve while the risk has not become smaller.",
        ),
        Mistake(_greedy, "You go on halving while the risk falls further: the first eta that lowers it is taken."),
        Mistake(_moving, "A refused try still moves theta: every try begins at the same theta."),
        Mistake(
            _halved(lambda eta, theta, slope: (eta / 2, theta - eta / 2 * slope)),
            "You halve once too often: keep the eta that was accepted.",
        ),
        Mistake(
            _halved(lambda eta, theta, slope: (eta if eta == 1 else eta / 2, theta - eta * slope)),
            "eta is halved once more after the try that was accepted: return the eta that makes this step.",
        ),
        Mistake(
            _halved(lambda eta, theta, slope: (min(1.0, 2 * eta), theta - min(1.0, 2 * eta) * slope)),
            "You return the last eta that was refused: the one after it is accepted.",
        ),
        Mistake(
            partial(_halving, scale=0.5),
            "Your gradient lacks the factor 2: the loss is (y - f)^2, without a 1/2.",
        ),
        Mistake(
            lambda X, y, theta: _halving(X, y, theta, scale=len(X)),
            "Your gradient is that of the sum of the losses: the risk is their mean, so divide by n.",
        ),
        Mistake(
            _halved(lambda eta, theta, slope: (eta, -eta * slope)),
            "after is the step alone: add it to theta.",
        ),
        Mistake(_halved(lambda eta, theta, slope: (eta, theta)), "after is theta as it came: make the step with eta."),
        Mistake(
            _halved(lambda eta, theta, slope: (eta, theta + eta * slope)),
            "after lies uphill: theta - eta * gradient leads down.",
        ),
        Mistake(
            _halved(lambda eta, theta, slope: (eta, theta - slope)),
            "after is the step with eta = 1: make it with the eta that was accepted.",
        ),
        Mistake(
            _halved(lambda eta, theta, slope: (theta - eta * slope, eta)),
            "The two parts are swapped: eta first, then theta after the step.",
        ),
    ),
    hints=(
        "You need the risk and its gradient as two functions. The gradient is computed once; only eta changes.",
        "while risk(theta - eta * slope) >= risk(theta): halve eta. Then return eta and theta - eta * slope.",
        "The risk is np.mean((y - X @ theta) ** 2), its gradient -2 * X.T @ (y - X @ theta) / len(X).",
    ),
)


# barzilai_borwein


def _barzilai_borwein(
    before: Floats,
    theta: Floats,
    slope_before: Floats,
    slope: Floats,
    rate: Callable[[Floats, Floats], Any] = lambda s, r: s @ s / (s @ r),
    curved: Callable[[float], bool] = lambda sr: sr > 0,
    otherwise: float = 1.0,
    after: Callable[..., Any] = lambda eta, theta, slope, before, slope_before: theta - eta * slope,
) -> tuple[Any, Any]:
    s, r = theta - before, slope - slope_before
    eta = rate(s, r) if curved(s @ r) else otherwise
    return eta, after(eta, theta, slope, before, slope_before)


def _barzilai_borwein_cases(rng: np.random.Generator) -> Iterator[Case]:
    for d, sign in ((1, 1), (2, 0), (2, 1), (3, -1), (3, 1), (2, -1), (4, 1), (4, 0)):
        while True:
            before, theta, slope_before, slope = quarters(rng, 4, d)
            s, r = theta - before, slope - slope_before
            # s not parallel to r, so that other quotients are other numbers
            if np.sign(s @ r) == sign and slope.any() and (d == 1 or (s @ r) ** 2 < 0.95 * (s @ s) * (r @ r)):
                break
        yield before, theta, slope_before, slope


BARZILAI_BORWEIN = Task(
    name="barzilai_borwein",
    points=2,
    arguments=("before", "theta", "slope_before", "slope"),
    returns=("eta", "after"),
    cases=_barzilai_borwein_cases,
    answer=_barzilai_borwein,
    mistakes=(
        Mistake(
            partial(_barzilai_borwein, rate=lambda s, r: s @ r / (s @ s)),
            "eta is upside down: s . r / s . s is the bend, and eta is one over it.",
        ),
        Mistake(
            partial(_barzilai_borwein, rate=lambda s, r: s @ r / (r @ r)),
            "That is the other quotient of Barzilai and Borwein, s . r / r . r: here it is s . s / s . r.",
        ),
        Mistake(
            partial(_barzilai_borwein, rate=lambda s, r: np.linalg.norm(s) / np.linalg.norm(r)),
            "You divide lengths: the dot product s . r stands below, which also knows the directions.",
        ),
        Mistake(
            partial(_barzilai_borwein, rate=lambda s, r: np.sqrt(s @ s) / (s @ r)),
            "Above stands s . s, the square of the length of s, not the length.",
        ),
        Mistake(
            partial(_barzilai_borwein, rate=lambda s, r: -(s @ s) / (s @ r)),
            "eta has the wrong sign: take both differences in the same order, now minus before.",
        ),
        Mistake(
            lambda before, theta, slope_before, slope: _barzilai_borwein(before, theta, slope, slope_before),
            "One of your differences is before minus now: take both in the same order, now minus before.",
        ),
        Mistake(
            lambda before, theta, slope_before, slope: _barzilai_borwein(before, theta, 0 * slope, slope),
            "r is the change of the slope, slope - slope_before, not the slope itself.",
        ),
        Mistake(
            lambda before, theta, slope_before, slope: _barzilai_borwein(0 * theta, theta, slope_before, slope),
            "s is the change of theta, theta - before, not theta itself.",
        ),
        Mistake(
            partial(_barzilai_borwein, curved=lambda sr: sr != 0),
            "Where s . r is negative eta is 1: a negative eta would lead uphill.",
        ),
        Mistake(
            partial(_barzilai_borwein, curved=lambda sr: sr >= 0),
            "Where s . r is 0 eta is 1: you divide by 0 there (test s . r > 0).",
        ),
        Mistake(
            partial(_barzilai_borwein, curved=lambda sr: True),
            "Where s . r is 0 or negative eta is 1: you divide all the same.",
        ),
        Mistake(
            partial(_barzilai_borwein, rate=lambda s, r: s @ s / abs(s @ r), curved=lambda sr: sr != 0),
            "You take s . r without its sign: where it is negative eta is 1.",
        ),
        Mistake(
            partial(_barzilai_borwein, otherwise=0.0),
            "Where s . r is not positive eta is 1: with 0 the descent would stand still.",
        ),
        Mistake(
            partial(_barzilai_borwein, after=lambda eta, theta, slope, before, slope_before: theta + eta * slope),
            "after lies uphill: theta - eta * slope leads down.",
        ),
        Mistake(
            partial(_barzilai_borwein, after=lambda eta, theta, slope, before, slope_before: before - eta * slope),
            "The step begins at theta, where you are now, not at before.",
        ),
        Mistake(
            partial(
                _barzilai_borwein,
                after=lambda eta, theta, slope, before, slope_before: theta - eta * slope_before,
            ),
            "The step goes along the slope where you are now, not along the one before.",
        ),
        Mistake(
            partial(
                _barzilai_borwein,
                after=lambda eta, theta, slope, before, slope_before: theta - eta * (slope - slope_before),
            ),
            "The step goes along the slope itself, not along its change r.",
        ),
        Mistake(
            partial(_barzilai_borwein, after=lambda eta, theta, slope, before, slope_before: -eta * slope),
            "after is the step alone: add it to theta.",
        ),
    ),
    hints=(
        "s is how much theta changed, r how much the slope changed; both are vectors of the same length as theta.",
        "s @ s and s @ r are numbers. Look at s @ r first: only if it is positive is there a quotient to take.",
        "eta = s @ s / (s @ r) if s @ r > 0 else 1; after = theta - eta * slope.",
    ),
)


# stop


def _stop(
    slopes: Floats,
    validation: Floats,
    tolerance: float,
    size: Callable[[Floats], Any] = np.linalg.norm,
    flat: Callable[[Any, float], bool] = lambda size, tolerance: size <= tolerance,
    rises: Callable[[float, float], bool] = lambda now, before: now >= before,
    either: Callable[[bool, bool], bool] = lambda flat, rises: flat or rises,
    first: int = 0,
    rises_from: int = 1,
    late: int = 0,
    never: int = 0,
    choose: Callable[[Floats, int], int] = lambda validation, k: int(validation[: k + 1].argmin()),
) -> tuple[int, int]:
    K = len(slopes) - 1
    for k in range(first, K + 1):
        if either(flat(size(slopes[k]), tolerance), k >= rises_from and rises(validation[k], validation[k - 1])):
            stopped = min(K, max(0, k + late))
            return stopped, choose(validation, stopped)
    return K + never, choose(validation, K)


def _stop_cases(rng: np.random.Generator) -> Iterator[Case]:
    def falling(n: int) -> Floats:
        return 4 - np.cumsum(rng.integers(1, 4, n)) / 16

    def steep(n: int) -> Floats:  # 5 long or longer
        return rng.choice([-1.0, 1.0], (n, 2)) * np.array([3.0, 4.0]) * (1 + rng.integers(0, 3, (n, 1)))

    yield steep(4), falling(4), 2.0  # never
    yield steep(1), falling(1), 2.0
    for n, k in ((4, 2), (6, 0), (7, 4)):  # flat at k: a slope of length 1.25
        slopes, validation = steep(n), falling(n)
        slopes[k] = rng.permutation([0.75, -1.0])
        for tolerance in (0.875, 1.125, 1.25, 1.5, 1.625, 2.0):
            yield slopes, validation, tolerance
    for n, k, equal in ((4, 2, True), (5, 1, False), (6, 3, False), (7, 3, True), (8, 2, False)):  # rises at k
        validation = falling(n)
        validation[k:] = validation[k - 1] + (0.0 if equal else 0.25) - np.arange(n - k) / 2
        yield steep(n), validation, 2.0
    slopes, validation = steep(6), falling(6)  # rises at 2, flat at 4
    validation[2] = validation[1] + 1
    slopes[4] = 0.0
    yield slopes, validation, 0.5
    slopes, validation = steep(6), falling(6)  # both at 3
    slopes[3], validation[3] = 0.25, validation[2]
    yield slopes, validation, 0.5


def _looks_ahead(slopes: Floats, validation: Floats, tolerance: float) -> tuple[int, int]:
    stopped, best = _stop(slopes, validation, tolerance)
    flat = np.linalg.norm(slopes[stopped]) <= tolerance
    rises = stopped > 0 and validation[stopped] >= validation[stopped - 1]
    return (stopped - 1 if rises and not flat else stopped), best


STOP = Task(
    name="stop",
    points=3,
    arguments=("slopes", "validation", "tolerance"),
    returns=("stopped", "best"),
    cases=_stop_cases,
    answer=_stop,
    mistakes=(
        Mistake(
            partial(_stop, flat=lambda size, tolerance: size < tolerance),
            "A slope exactly as long as the tolerance stops the run too: <=.",
        ),
        Mistake(
            partial(_stop, rises=lambda now, before: now > before),
            "A validation loss that stays exactly as it was has stopped falling: test >=.",
        ),
        Mistake(
            partial(_stop, rises_from=0),
            "At k = 0 there is no iterate before: validation[k - 1] is the last entry there. Compare from k = 1 on.",
        ),
        Mistake(
            partial(_stop, size=lambda slope: slope @ slope),
            "You compare the square of the length with the tolerance: take the root.",
        ),
        Mistake(
            partial(_stop, size=lambda slope: np.abs(slope).max()),
            "You compare the largest entry of the slope: its length is the root of the sum of squares.",
        ),
        Mistake(
            partial(_stop, size=lambda slope: np.abs(slope).sum()),
            "You compare the sum of the entries: the length is the root of the sum of squares.",
        ),
        Mistake(
            partial(_stop, size=np.sum),
            "You compare the plain sum of the entries, in which plus and minus cancel: take the length.",
        ),
        Mistake(
            partial(_stop, size=np.max),
            "You compare the largest entry, and a large negative one looks small: take the length of the slope.",
        ),
        Mistake(
            partial(_stop, size=lambda slope: np.abs(slope).min()),
            "One small entry is not enough: the length of the whole slope counts.",
        ),
        Mistake(
            partial(_stop, either=lambda flat, rises: flat and rises),
            "You wait until both happen: one of the two is enough.",
        ),
        Mistake(
            partial(_stop, either=lambda flat, rises: flat),
            "You never look at the validation loss: the run also stops where it no longer falls.",
        ),
        Mistake(
            partial(_stop, either=lambda flat, rises: rises),
            "You never look at the slope: the run also stops where it is short enough.",
        ),
        Mistake(
            partial(_stop, first=1),
            "The start is never tested: if its slope is short enough, the run stops at 0.",
        ),
        Mistake(
            _looks_ahead,
            "Where the validation loss stops falling, stopped is the iterate that did not fall, not the one before it.",
        ),
        Mistake(
            partial(_stop, late=-1),
            "stopped is one too small: it is the iterate at which the condition holds.",
        ),
        Mistake(
            partial(_stop, late=1),
            "stopped is one too large: it is the iterate at which the condition holds, and the start is 0.",
        ),
        Mistake(
            partial(_stop, never=1),
            "Where nothing stops the run, stopped is the last iterate: with K + 1 rows that is K.",
        ),
        Mistake(
            partial(_stop, never=-1),
            "Where nothing stops the run, stopped is the last iterate: yours is the one before it.",
        ),
        Mistake(
            partial(_stop, choose=lambda validation, k: k),
            "best is not where the run stops: if the validation loss has risen there, the one before is better.",
        ),
        Mistake(
            partial(_stop, choose=lambda validation, k: int(validation.argmin())),
            "best looks beyond the end of the run: only the iterates up to stopped have been made.",
        ),
        Mistake(
            partial(_stop, choose=lambda validation, k: max(0, k - 1)),
            "best is not always the one before: where the slope was short enough, the last one can be the best.",
        ),
        Mistake(
            partial(_stop, choose=lambda validation, k: k - int(validation[: k + 1][::-1].argmin())),
            "Of two iterates with the same validation loss the earlier is best.",
        ),
        Mistake(
            partial(_stop, choose=lambda validation, k: 1 + int(validation[1 : k + 1].argmin()) if k else 0),
            "best leaves out the start: it counts too.",
        ),
        Mistake(
            partial(_stop, choose=lambda validation, k: int(validation[: k + 1].argmax())),
            "best is where the validation loss is highest: the lowest is asked for.",
        ),
    ),
    hints=(
        "Go through the iterates k = 0, 1, 2, ... and return at the first one where one of the two conditions holds.",
        "np.linalg.norm(slopes[k]) is the length of a slope. The other condition needs k - 1, so it starts at k = 1.",
        "best is np.argmin(validation[: k + 1]), which takes the first of equals; after the loop k is the last.",
    ),
)


# parabola: L = 2 theta^2, from theta = 1

_PARABOLA = (4.0, 0.6, 0.25, 0.5, 2, 0.25, 5.0)

PARABOLA = Task(
    name="parabola",
    points=2,
    arguments=(),
    returns=("slope", "after", "one step", "limit", "eta 0.4", "halving", "momentum"),
    cases=lambda rng: [()],
    answer=lambda: _PARABOLA,
    mistakes=slips(
        _PARABOLA,
        (0, 2, "Your slope is the value: the derivative of 2 theta^2 is 4 theta."),
        (0, -4, "Your slope points down: that of 2 theta^2 at 1 is positive, the way up."),
        (0, 1, "Your slope lacks the factor: the derivative of 2 theta^2 is 4 theta."),
        (1, 1.4, "Your step goes uphill: theta - eta times slope."),
        (1, 0.9, "Your step has the length eta: it is eta times the slope, 0.1 times 4."),
        (1, 0.4, "You give the step: theta after it is asked for, 1 minus that."),
        (1, 0.8, "Your step uses the value 2 in place of the slope 4."),
        (2, 0.5, "With eta = 0.5 the step leads from 1 to -1: one step to the minimum needs 1 - 4 eta = 0."),
        (2, 4, "4 is the bend: eta is one over it."),
        (2, 1, "With eta = 1 the step leads from 1 to -3: one step to the minimum needs 1 - 4 eta = 0."),
        (3, 0.25, "At 0.25 the step lands on the minimum; longer steps overshoot and still come nearer."),
        (3, 2, "2 has to be divided by the bend, 4."),
        (3, 1, "At eta = 1 the factor is 1 - 4 = -3: far beyond the limit, where it is -1."),
        (3, 4, "4 is the bend: the limit is 2 over it."),
        (4, 1, "The factor 1 - 4 times 0.4 is negative: every step lands on the other side."),
        (4, 3, "The factor is -0.6: back and forth for ever would need -1."),
        (4, 4, "The factor is -0.6, shorter than 1: the distance shrinks."),
        (5, 0.5, "With eta = 0.5 the step leads from 1 to -1, where L is the same: not smaller, so it is refused."),
        (5, 1, "With eta = 1 the step leads to -3, where L is 18: refused."),
        (5, 0.125, "Halving stops at the first eta that lowers L: try 1, 1/2, 1/4."),
        (5, 0, "Halving stops at the first eta that lowers L: try 1, 1/2, 1/4."),
        (6, 0.8, "Steps grow: each keeps 0.8 of the last and adds a new one, 1 + 0.8 + 0.64 + ..."),
        (6, 1.8, "That is the second step: the growth goes on, 1 + 0.8 + 0.64 + ..."),
        (6, 1.25, "One over 0.8 is not the sum of 1 + 0.8 + 0.64 + ..."),
        (6, 10, "10 belongs to m = 0.9: for 0.8 it is one over 0.2."),
        (6, 0.2, "Upside down: the steps grow, to one over 1 - m."),
        (6, 8, "1 + 0.8 + 0.64 + ... adds up to one over 1 - m."),
    ),
    hints=(
        "A step multiplies theta by 1 - 4 eta. Most questions are about this factor.",
        "Factor 0: at the minimum at once. Between 0 and -1: across, and nearer. -1: back and forth. For halving "
        "compute L at 1 - 4 eta for eta = 1, 1/2, 1/4, ...",
        "Momentum on an even slope: the steps approach V = m V + step, so V = step / (1 - m).",
    ),
)

TASKS = (GRADIENTS, DESCEND, HALVING, BARZILAI_BORWEIN, MOMENTUM, STOP, PARABOLA)
