"""Chapter 9: standardise, the way back to raw units, a confusion table, a project on real data, a report read by "
"hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import quarters, variations
from coursekit.checking.tasks.judge import Case, Mistake, Task, shown
from coursekit.core import datasets
from coursekit.core.validate import Floats

# standardise


def _spread(train: Floats) -> Floats:
    s = train.std(axis=0)
    return np.where(s > 0, s, 1.0)


def _standardise(
    train: Floats,
    test: Floats,
    by: Callable[[Floats, Floats], Floats] = lambda train, test: train,
    own: bool = False,
    mean: Callable[[Floats], Any] = lambda X: X.mean(axis=0),
    spread: Callable[[Floats], Any] = _spread,
) -> tuple[Floats, Floats]:
    first = by(train, test)
    second = test if own else first
    return (train - mean(first)) / spread(first), (test - mean(second)) / spread(second)


def _standardise_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, m, d in ((3, 2, 1), (4, 3, 2), (5, 3, 3), (6, 4, 3), (8, 5, 4)):
        train, test = rng.normal(size=(n, d)), rng.normal(size=(m, d)) + 1.0
        # Powers of 2, so that a constant feature has a spread of exactly 0 for everyone.
        scale, shift = np.append(8.0, rng.permutation([0.25, 2.0, 0.5, 4.0]))[:d], rng.integers(2, 5, d)
        if d > 2:
            train[:, rng.integers(d)] = 0.5  # the same for everybody in training, not in the test part
        yield train * scale + shift, test * scale + shift


def _bare(spread: Callable[[Floats], Any]) -> Callable[[Floats], Any]:
    return lambda X: np.where(X.std(axis=0) > 0, spread(X), 1.0)


STANDARDISE = Task(
    name="standardise",
    points=2,
    arguments=("train", "test"),
    returns=("train", "test"),
    cases=_standardise_cases,
    answer=_standardise,
    mistakes=(
        *variations(
            _standardise,
            (
                {"by": lambda train, test: np.vstack([train, test])},
                "You measure mean and spread on both parts together: that is a leak; the training part alone counts.",
            ),
            (
                {"own": True},
                "You standardise the test part by itself: it takes the mean and the spread of the training part.",
            ),
            (
                {"by": lambda train, test: test},
                "You measure on the test part: the training part alone counts.",
            ),
            (
                {"spread": _bare(lambda X: X.std(axis=0, ddof=1))},
                "Your spread divides by n - 1: here the standard deviation divides by n, as X.std(axis=0) does.",
            ),
            (
                {"spread": _bare(lambda X: X.var(axis=0))},
                "You divide by the variance: divide by the standard deviation, its root.",
            ),
            (
                {"spread": _bare(lambda X: X.max(axis=0) - X.min(axis=0))},
                "You divide by the range: divide by the standard deviation.",
            ),
            (
                {"spread": lambda X: X.std(axis=0)},
                "A feature that is constant in training has the spread 0, and you divide by it: take 1 instead.",
            ),
            ({"spread": lambda X: 1.0}, "You only shift: divide by the standard deviation as well."),
            ({"mean": lambda X: 0.0}, "You only scale: take the mean away as well."),
            ({"mean": lambda X: np.median(X, axis=0)}, "You take the median away: it is the mean that is asked for."),
            (
                {"mean": np.mean, "spread": np.std},
                "You take one mean and one spread of all numbers: each feature has its own (axis=0).",
            ),
            ({"mean": np.mean}, "You take one mean of all numbers away: each feature has its own (axis=0)."),
            (
                {"spread": lambda X: np.where(X.std(axis=0) > 0, X.std(axis=0), np.inf)},
                "A feature that is constant in training is only shifted: its spread of 0 is replaced by 1.",
            ),
            (
                {"spread": lambda X: X.std(axis=0) + 1e-8},
                "Adding a little to the spread makes a constant feature explode in the test part: use 1 where it is 0.",
            ),
            (
                {"spread": lambda X: np.maximum(X.std(axis=0), 1.0)},
                "Only a spread of exactly 0 is replaced by 1: yours replaces all small ones.",
            ),
        ),
        Mistake(
            lambda train, test: (_standardise(train, test)[0], test),
            "The test part comes back as it was: shift and scale it too, by the mean and spread that train had at "
            "first.",
        ),
    ),
    hints=(
        "mean = train.mean(axis=0) and spread = train.std(axis=0): one number for each feature, from training alone.",
        "Both parts: (part - mean) / spread. First put 1 in the place of every spread that is 0.",
        "spread = np.where(spread == 0, 1, spread).",
    ),
)


# raw_weights


def _raw_weights(
    theta: Floats,
    mean: Floats,
    spread: Floats,
    weights: Callable[[Floats, Floats, Floats], Floats] = lambda w, m, s: w / s,
    offset: Callable[[float, Floats, Floats, Floats], Any] = lambda b, w, m, s: b - (w / s) @ m,
) -> Floats:
    w, b = theta[:-1], theta[-1]
    return np.append(weights(w, mean, spread), offset(b, w, mean, spread))


def _raw_cases(rng: np.random.Generator) -> Iterator[Case]:
    for d in (1, 2, 2, 3, 5):
        theta, mean = quarters(rng, d + 1), rng.integers(2, 9, d) / 2
        theta[0], theta[-1] = rng.choice([-1.5, 1.25]), rng.choice([-0.75, 1.75])
        yield theta, mean, rng.choice([0.25, 0.5, 3.0, 4.0], d)


RAW_WEIGHTS = Task(
    name="raw_weights",
    points=2,
    arguments=("theta", "mean", "spread"),
    returns=("theta",),
    cases=_raw_cases,
    answer=_raw_weights,
    mistakes=(
        *variations(
            _raw_weights,
            (
                {"weights": lambda w, m, s: w * s, "offset": lambda b, w, m, s: b - (w * s) @ m},
                "You multiply the weights by the spread: a feature that was divided by it has a weight divided by it.",
            ),
            (
                {"weights": lambda w, m, s: w * s, "offset": lambda b, w, m, s: b + m.sum()},
                "Weights are divided by the spread, and the offset loses (w / spread) @ mean: write out f to see it.",
            ),
            ({"weights": lambda w, m, s: w * s}, "The weights are divided by the spread, not multiplied."),
            ({"weights": lambda w, m, s: w, "offset": lambda b, w, m, s: b - w @ m}, "The spread is forgotten: w / "
             "spread."),
            ({"weights": lambda w, m, s: w}, "The weights are unchanged: each is divided by the spread of its "
             "feature."),
            ({"weights": lambda w, m, s: (w - m) / s}, "The mean belongs to the features: the weights are only "
             "divided."),
            ({"offset": lambda b, w, m, s: b}, "The offset must move: take the new weights times the means away from "
             "it."),
            ({"offset": lambda b, w, m, s: b + (w / s) @ m}, "The offset moves the wrong way: x - mean has a minus, so "
             "take new weights times means away."),
            ({"offset": lambda b, w, m, s: b - w @ m}, "The offset takes the NEW weights, w / spread, times the "
             "means."),
            ({"offset": lambda b, w, m, s: b - m.sum()}, "The means count with their weights: take (w / spread) @ mean "
             "away."),
            ({"offset": lambda b, w, m, s: b - (m / s).sum()}, "The means count with their weights: (w / spread) @ "
             "mean."),
            ({"offset": lambda b, w, m, s: -(w / s) @ m}, "The old offset is lost: it stays, and (w / spread) @ mean "
             "is "
             "taken away from it."),
            ({"offset": lambda b, w, m, s: b - (w * s) @ m}, "In the offset you multiply by the spread: it takes "
             "(w / spread) @ mean away."),
        ),
        Mistake(
            lambda theta, mean, spread: theta,
            "theta comes back as it was: on raw features it would mean something else.",
        ),
        Mistake(
            lambda theta, mean, spread: np.append(theta[1:], theta[0]),
            "Your offset comes first: here it is the last entry of theta.",
        ),
    ),
    hints=(
        "Write f = sum_j w_j (x_j - m_j) / s_j + b, and collect what belongs to each x_j.",
        "The factor of x_j is w_j / s_j. What is left has no x in it: that is the new offset.",
        "w = theta[:-1] / spread; offset = theta[-1] - w @ mean.",
    ),
)


# confusion


def _confusion(
    true: Any,
    predicted: Any,
    k: int,
    cell: Callable[[Any, Any], tuple[Any, Any]] = lambda t, p: (t, p),
    rate: Callable[[Floats], Any] = lambda T: np.diag(T) / T.sum(axis=1),
    weight: Callable[[Floats], Floats] = lambda T: T,
) -> tuple[Floats, Any]:
    table = np.zeros((k, k))
    np.add.at(table, cell(true, predicted), 1)
    right = np.zeros((k, k))
    np.add.at(right, (true, predicted), 1)
    return weight(table), rate(right)


def _confusion_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, n in ((2, 5), (3, 8), (4, 12), (4, 15), (5, 20)):
        while True:
            true = rng.permutation(np.append(np.arange(k), rng.integers(k - 1, size=n - k)))
            predicted = np.where(rng.random(n) < 0.5, true, rng.integers(k, size=n))
            table = _confusion(true, predicted, k)[0]
            if (
                table.sum(axis=0).all() and not np.array_equal(table, table.T) and np.diag(table).any()
                and not np.allclose(np.diag(table) / table.sum(axis=1), np.diag(table) / table.sum(axis=0))
            ):
                break
        yield true, predicted, k
    yield rng.permutation([0, 1, 2, 2, 1]), np.array([1, 0, 1, 0, 1]), 3  # a class that nobody was predicted to be


CONFUSION = Task(
    name="confusion",
    points=2,
    arguments=("true", "predicted", "k"),
    returns=("table", "found"),
    cases=_confusion_cases,
    answer=_confusion,
    mistakes=variations(
        _confusion,
        (
            {"cell": lambda t, p: (p, t)},
            "The table is turned over: the row is the true class, the column what was predicted.",
        ),
        (
            {"weight": lambda T: T - np.diag(np.diag(T))},
            "The diagonal is missing: examples that were predicted right are counted too.",
        ),
        ({"weight": lambda T: np.diag(np.diag(T))}, "Only the diagonal is filled: the mistakes belong in the table."),
        ({"weight": lambda T: (T > 0) * 1}, "Each pair is counted once: table[true, predicted] += 1 with whole arrays "
         "does that; go through the examples."),
        ({"weight": lambda T: T / T.sum()}, "The table holds shares: counts are asked for."),
        ({"weight": lambda T: T / T.sum(axis=1)[:, None]}, "The table holds shares of its rows: counts are asked for."),
        (
            {"rate": lambda T: np.diag(T) / T.sum(axis=0)},
            "You divide by the columns, all that were predicted so: divide by the rows, all that are of this class.",
        ),
        ({"rate": lambda T: np.diag(T) / T.sum()}, "You divide by all examples: divide by those of this class, its "
         "row."),
        ({"rate": lambda T: 1 - np.diag(T) / T.sum(axis=1)}, "found is the share of right answers: yours is that of "
         "the "
         "wrong ones."),
        ({"rate": np.diag}, "found is a share: divide by the number of examples of this class."),
        ({"rate": lambda T: np.trace(T) / T.sum()}, "found has an entry for each class, shape (k,): yours is one "
         "number "
         "for all."),
        ({"rate": lambda T: (np.diag(T) / T.sum(axis=1)).mean()}, "found has an entry for each class: do not average "
         "them."),
    ),
    hints=(
        "Start with np.zeros((k, k)). Each example adds 1 to one cell.",
        "for t, p in zip(true, predicted): table[t, p] += 1. The right ones are on the diagonal.",
        "found = np.diag(table) / table.sum(axis=1): the sum of a row is how many examples the class has.",
    ),
)


# project

ALLOWED = 0.15
_PAIRS = ("iris", ("versicolor", "virginica")), ("breast-cancer", None), ("digits", (3, 8)), ("digits", (1, 7))


def _study(seed: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Real data in units of its own, a training part and a part that is held out: X, y, X_new, y_new."""
    rng = np.random.default_rng(seed)
    name, classes = _PAIRS[seed % len(_PAIRS)]
    data = datasets.load(name, classes=classes)
    columns = rng.permutation(data.X.shape[1])[: max(4, data.X.shape[1] * 2 // 3)] if name == "breast-cancer" else (
        rng.permutation(data.X.shape[1])
    )
    units = 10.0 ** rng.integers(0, 3, len(columns))  # whole: a constant pixel has a spread of exactly 0
    X = (data.X[:, columns] + rng.integers(1, 6, len(columns))) * units
    y = data.y * rng.choice([-1.0, 1.0])
    order = rng.permutation(len(y))
    train, new = order[: len(y) // 2], order[len(y) // 2 :]
    return X[train], y[train], X[new], y[new]


def _ridge(X: Floats, y: Floats) -> Floats:
    """Least squares with a little L2, on standardised features: (w, b) for these."""
    S = (X - X.mean(axis=0)) / _spread(X)
    w = np.linalg.solve(S.T @ S / len(y) + 0.1 * np.eye(S.shape[1]), S.T @ y / len(y))
    return np.append(w, y.mean())


def _project(X: Floats, y: Floats, seed: int) -> Floats:
    return _raw_weights(_ridge(X, y), X.mean(axis=0), _spread(X))


def _logistic(X: Floats, y: Floats) -> Floats:
    """Gradient descent on the logistic loss with a little L2, on standardised features: (w, b) for these."""
    S, w, b = (X - X.mean(axis=0)) / _spread(X), np.zeros(X.shape[1]), 0.0
    for _ in range(300):
        pull = y / (1 + np.exp(y * (S @ w + b)))
        w, b = w + 0.1 * (S.T @ pull / len(y) - 0.1 * w), b + 0.1 * pull.mean()
    return np.append(w, b)


def _project_cases(rng: np.random.Generator) -> Iterator[Case]:
    """Data on which two honest answers stay far below what is allowed, so that others pass as well."""
    for kind in range(len(_PAIRS)):
        while True:
            seed = int(rng.integers(10**6)) * len(_PAIRS) + kind
            X, y, X_new, y_new = _study(seed)
            case = X, y, seed
            honest = (_raw_weights(fit(X, y), X.mean(axis=0), _spread(X)) for fit in (_ridge, _logistic))
            if all(_wrong(theta, X_new, y_new) < 0.5 * ALLOWED for theta in honest) and all(
                _judge(case, mistake.answer(*case)) == mistake.sentence for mistake in PROJECT.mistakes
            ):
                break
        yield case


def _wrong(theta: Floats, X: Floats, y: Floats) -> float:
    return float(np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0))


_TURNED = "Your classes are turned round: with the opposite sign, -theta, the new examples would be right."
_SCALED = (
    "Your theta is right for standardised features, but not for the raw ones in X: after you have standardised, carry "
    "theta back, as in raw_weights."
)
_UNMOVED = "Your weights are carried back to raw features, the offset is not: take w @ mean away from it."
_FIRST = "Your offset comes first: it is the last entry of theta."
_SAME = (
    "Your theta says the same class for every new example; if you descend on raw features, their units are the "
    "trouble: "
    "standardise."
)
_SHORT = "The offset is missing: theta has d + 1 entries, the offset last."
_HEART = (
    "You have learned the training part by heart: it is right, but too many of the new examples are wrong; use a "
    "penalty."
)


def _judge(case: Case, answer: Any) -> str:
    X, y, seed = case
    if answer is None:
        return "project came back as None: end project with return and the answer."
    try:
        theta = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        return f"project came back as {shown(answer)}, which is not made of numbers in a regular grid."
    d = X.shape[1]
    if theta.shape == (d,):
        return _SHORT
    if theta.shape != (d + 1,):
        return f"project must return theta, shape ({d + 1},) for {d} features; yours has shape {theta.shape}."
    if not np.isfinite(theta).all():
        return "theta contains NaN or infinity: did the steps become too long, or was something divided by 0?"
    _, _, X_new, y_new = _study(seed)
    wrong = _wrong(theta, X_new, y_new)
    if wrong <= ALLOWED:
        return ""
    mean, spread = X.mean(axis=0), _spread(X)
    repairs = (
        (-theta, _TURNED),
        (np.append(theta[:-1], theta[-1] - theta[:-1] @ mean), _UNMOVED),
        (np.roll(theta, -1), _FIRST),
        (_raw_weights(theta, mean, spread), _SCALED),
    )
    errors = [_wrong(repaired, X_new, y_new) for repaired, _ in repairs]
    if min(errors) <= ALLOWED:
        return repairs[int(np.argmin(errors))][1]
    if len(np.unique(X_new @ theta[:-1] + theta[-1] > 0)) == 1:
        return _SAME
    if _wrong(theta, X, y) <= 0.02:
        return _HEART
    return f"Your theta misclassifies {wrong:.0%} of the new examples: at most {ALLOWED:.0%} are asked for."


PROJECT = Task(
    name="project",
    points=5,
    arguments=("X", "y", "seed"),
    returns=("theta",),
    cases=_project_cases,
    answer=_project,
    judge=_judge,
    mistakes=(
        Mistake(lambda X, y, seed: -_project(X, y, seed), _TURNED),
        Mistake(lambda X, y, seed: _ridge(X, y), _SCALED),
        Mistake(
            lambda X, y, seed: np.append(_project(X, y, seed)[:-1], _ridge(X, y)[-1]),
            _UNMOVED,
        ),
        Mistake(lambda X, y, seed: np.roll(_project(X, y, seed), 1), _FIRST),
        Mistake(lambda X, y, seed: _project(X, y, seed)[:-1], _SHORT),
        Mistake(lambda X, y, seed: np.append(0 * X[0], 1.0), _SAME),
        Mistake(lambda X, y, seed: np.zeros(X.shape[1] + 1), _SAME),
    ),
    hints=(
        "Standardise X by its own mean and spread, find a good theta there with any method of the course, and carry it "
        "back to raw features.",
        "Two that do: gradient descent on the logistic or hinge loss with a small L2 penalty (a few hundred steps, "
        "eta = 0.3), or least squares with an L2 penalty.",
        "For least squares solve (S.T @ S / n + 0.1 I) w = S.T @ y / n for the standardised S, with offset y.mean(). "
        "Then "
        "w / spread, and offset - (w / spread) @ mean.",
    ),
)


# read_report


def _read_report(**change: Any) -> tuple[Any, ...]:
    right = {
        "lam": 0.1,
        "error": 0.09,
        "give": (0.09 * 0.91 / 100) ** 0.5,
        "C": 1 / 30,
        "found": 0.9,
        "leaks": np.array([1.0, 0.0, 1.0, 0.0]),
    }
    return tuple({**right, **change}.values())


READ_REPORT = Task(
    name="read_report",
    points=3,
    arguments=(),
    returns=("lam", "error", "give", "C", "found", "leaks"),
    cases=lambda rng: [()],
    answer=_read_report,
    mistakes=variations(
        _read_report,
        ({"lam": 0.01}, "Two lambdas have the fewest validation errors: among equals the LARGEST is taken, the "
         "simpler one."),
        ({"lam": 0.001}, "You chose by the training errors: lambda is chosen on the validation part."),
        ({"lam": 1.0}, "The largest lambda of all has more validation errors than others: first the errors, then "
         "ties."),
        ({"error": 9.0}, "error is a fraction: divide by the number of test examples."),
        ({"error": 0.05}, "That is the validation error, which is flattered: report the test error."),
        ({"error": 0.91}, "That is the share of right answers."),
        ({"give": 0.09 * 0.91 / 100}, "The root is missing: sqrt(p (1 - p) / n)."),
        ({"give": (0.09 * 0.91) ** 0.5}, "Divide by n under the root: more examples measure better."),
        ({"give": (0.09 * 0.91 / 300) ** 0.5}, "n is the number of TEST examples: they are what is counted."),
        ({"give": (0.09 * 0.91) ** 0.5 / 100}, "n belongs under the root: sqrt(p (1 - p) / n)."),
        ({"give": (0.09 / 100) ** 0.5}, "The factor 1 - p is missing: sqrt(p (1 - p) / n)."),
        ({"C": 0.1}, "C is not lambda: SVC sums the losses and puts the price on them, C = 1 / (n lambda)."),
        ({"C": 10.0}, "SVC SUMS the losses: C = 1 / (n lambda), with n training examples."),
        ({"C": 30.0}, "C is upside down: 1 / (n lambda)."),
        ({"C": 1 / 50}, "n is the number of training examples alone: the others have no loss in the objective."),
        ({"found": 45 / 49}, "You divided by the column, all that were called ill: divide by the row, all that are "
         "ill."),
        ({"found": 0.45}, "You divided by all examples: of those who ARE ill, how many were found?"),
        ({"found": 0.92}, "That is the row of the healthy: the ill are the first row."),
        ({"found": 0.1}, "That is the share of the ill who were missed."),
        *(
            ({"leaks": np.where(np.arange(4) == k, 1 - right, [1.0, 0.0, 1.0, 0.0])}, sentence)
            for k, right, sentence in (
                (0, 1.0, "Statement 1: the labels of the test part helped to choose the features."),
                (1, 0.0, "Statement 2: choosing is what the validation part is for; the test part is not touched."),
                (2, 1.0, "Statement 3: the lowest of twenty test errors is lower than they are on average."),
                (3, 0.0, "Statement 4: the training part's mean and spread tell nothing about the test part."),
            )
        ),
    ),
    hints=(
        "Choose on the validation column; of equals the largest lambda. Report on the test part.",
        "give is sqrt(p (1 - p) / n) with the test error p and the number n of test examples. C = 1 / (n lambda) "
        "with the "
        "number of training examples.",
        "Ask of every statement: did a label or a number of the test part influence what was tested?",
    ),
)

TASKS = (STANDARDISE, RAW_WEIGHTS, CONFUSION, PROJECT, READ_REPORT)
