"""Standardising, the way back to raw units, a confusion table, a project on real data, a report read by hand."""

from itertools import product

import numpy as np

from coursekit.core import datasets
from coursekit.grading.draws import quarters
from coursekit.grading.tasks import slips, task, then


def standardise_cases(rng):
    for n, m, d in ((3, 2, 1), (4, 3, 2), (5, 3, 3), (6, 4, 3), (8, 5, 4)):
        train, test = rng.normal(size=(n, d)), rng.normal(size=(m, d)) + 1
        # Powers of 2, so that a constant feature has a spread of exactly 0 for everyone.
        scale, shift = np.append(8.0, rng.permutation([0.25, 2.0, 0.5, 4.0]))[:d], rng.integers(2, 5, d)
        if d > 2:
            train[:, rng.integers(d)] = 0.5  # the same in all of training, not in the test part
        yield train * scale + shift, test * scale + shift


MEAN, SPREAD, INSTEAD = "train.mean(axis=0)", "train.std(axis=0)", "np.where(spread == 0, 1, spread)"
TEST = "(test - mean) / spread"

task(
    "standardise",
    returns=("train", "test"),
    cases=standardise_cases,
    mistakes=[
        (MEAN, "np.vstack([train, test]).mean(axis=0)", SPREAD, "np.vstack([train, test]).std(axis=0)",
         "You measure mean and spread on both parts together: that is a leak; the training part alone counts."),
        (TEST, "(test - test.mean(axis=0)) / test.std(axis=0)",
         "You standardise the test part by itself: it takes the mean and the spread of the training part."),
        (TEST, "(test - test.mean(axis=0)) / spread",
         "You take the test part's own mean away from it: it takes that of the training part."),
        (TEST, "(test - mean) / test.std(axis=0)",
         "You divide the test part by its own spread: it takes that of the training part."),
        (MEAN, "test.mean(axis=0)", SPREAD, "test.std(axis=0)",
         "You measure on the test part: the training part alone counts."),
        (TEST, "test",
         "The test part comes back as it was: shift and scale it too, by the mean and spread that train had at first."),
        ("std(axis=0)", "std(axis=0, ddof=1)",
         "Your spread divides by n - 1: here the standard deviation divides by n, as X.std(axis=0) does."),
        ("std(axis=0)", "var(axis=0)",
         "You divide by the variance: divide by the standard deviation, its root."),
        (SPREAD, "np.ptp(train, axis=0)", "You divide by the range: divide by the standard deviation."),
        (MEAN, "train.min(axis=0)", SPREAD, "np.ptp(train, axis=0)",
         "You bring each feature to the range from 0 to 1: here the mean is taken away, and the standard deviation "
         "divides."),
        (INSTEAD, "spread",
         "A feature that is constant in training has the spread 0, and you divide by it: take 1 instead."),
        (INSTEAD, "np.where(spread == 0, np.inf, spread)",
         "A feature that is constant in training is only shifted: its spread of 0 is replaced by 1."),
        (f"spread = {INSTEAD}", f"mean = np.where(spread == 0, 0, mean)\n    spread = {INSTEAD}",
         "You leave a feature that is constant in training as it was: it is not scaled, but its mean is taken away."),
        *((INSTEAD, f"spread + {tiny}",
           "Adding a little to the spread makes a constant feature explode in the test part: use 1 where it is 0.")
          for tiny in (1e-8, 1e-9, 1e-12)),
        (INSTEAD, "np.maximum(spread, 1)",
         "Only a spread of exactly 0 is replaced by 1: yours replaces all small ones."),
        (SPREAD, "1", "You only shift: divide by the standard deviation as well."),
        (MEAN, "0", "You only scale: take the mean away as well."),
        (MEAN, "np.median(train, axis=0)", "You take the median away: it is the mean that is asked for."),
        (MEAN, "train.mean()", SPREAD, "train.std()",
         "You take one mean and one spread of all numbers: each feature has its own (axis=0)."),
        (MEAN, "train.mean()", "You take one mean of all numbers away: each feature has its own (axis=0)."),
    ],
    hints=[
        "Two things are measured, one number each for every feature: the mean and the standard deviation, from the "
        "training part alone.",
        "Then both parts are shifted and scaled by the same numbers; keep them before you change train.",
        "A spread of 0 has to become 1 before you divide; np.where(condition, a, b) chooses entry by entry.",
    ],
)


def raw_cases(rng):
    for d in (1, 2, 2, 3, 5):
        theta, mean = quarters(rng, d + 1), rng.integers(2, 9, d) / 2
        theta[0], theta[-1] = rng.choice([-1.5, 1.25]), rng.choice([-0.75, 1.75])
        yield theta, mean, rng.choice([0.25, 0.5, 3.0, 4.0], d)


WEIGHTS, OFFSET = "theta[:-1] / spread", "theta[-1] - w @ mean"

task(
    "raw_weights",
    returns="theta",
    cases=raw_cases,
    mistakes=[
        ("] / spread", "] * spread",
         "You multiply the weights by the spread: a feature that was divided by it has a weight divided by it."),
        ("] / spread", "] * spread", OFFSET, "theta[-1] + theta[:-1] @ mean",
         "That is the way from raw to standardised features: here theta goes back, to raw ones."),
        ("] / spread", "] * spread", "w @ mean", "-mean.sum()",
         "Weights are divided by the spread, and the offset loses (w / spread) @ mean: write out f to see it."),
        (WEIGHTS, "theta[:-1] * spread", "w @", "(theta[:-1] / spread) @",
         "The weights are divided by the spread, not multiplied."),
        (WEIGHTS, "theta[:-1]", "The spread is forgotten: w / spread."),
        ("append(w", "append(theta[:-1]", "The weights are unchanged: each is divided by the spread of its feature."),
        ("append(w", "append((theta[:-1] - mean) / spread",
         "The mean belongs to the features: the weights are only divided."),
        (OFFSET, "theta[-1]", "The offset must move: take the new weights times the means away from it."),
        (OFFSET, "theta[-1] + w @ mean",
         "The offset moves the wrong way: x - mean has a minus, so take new weights times means away."),
        ("w @", "theta[:-1] @", "The offset takes the new weights, w / spread, times the means."),
        ("w @ mean", "mean.sum()", "The means count with their weights: take (w / spread) @ mean away."),
        ("w @ mean", "(mean / spread).sum()",
         "The means count with their weights: it is (w / spread) @ mean that is taken away."),
        ("w @ mean", "w * mean",
         "You take the products w_j mean_j away one by one: the offset is one number, so add them up first."),
        (OFFSET, "-w @ mean",
         "The old offset is lost: it stays, and (w / spread) @ mean is taken away from it."),
        ("w @", "(theta[:-1] * spread) @",
         "In the offset you multiply by the spread: it takes (w / spread) @ mean away."),
        (then(lambda new, theta: theta), "You return theta as it came: on raw features it would mean something else."),
        (then(lambda new, theta: np.roll(theta, -1)), "Your offset comes first: here it is the last entry of theta."),
        (then(lambda new: np.roll(new, 1)), "Your offset comes first: here it is the last entry of theta."),
    ],
    hints=[
        "Write f = sum_j w_j (x_j - m_j) / s_j + b, and collect what belongs to each x_j.",
        "The factor of x_j is the new weight. What is left has no x in it: that is the new offset.",
        "Try it with numbers: for any x the new theta on x gives the same score as the old theta on (x - mean) / "
        "spread. At x = 0 the score is the new offset alone.",
    ],
)


def confusion_cases(rng):
    for k, n in ((2, 5), (3, 8), (4, 12), (4, 15), (5, 20)):
        true = rng.permutation(np.append(np.arange(k), rng.integers(k - 1, size=n - k)))
        yield true, np.where(rng.random(n) < 0.5, true, rng.integers(k, size=n)), k
    yield rng.permutation([0, 1, 2, 2, 1]), np.array([1, 0, 1, 0, 1]), 3  # nobody was predicted to be of class 2


FOUND = "np.diag(table) / table.sum(axis=1)"

task(
    "confusion",
    returns=("table", "found"),
    cases=confusion_cases,
    mistakes=[
        (then(table=np.transpose), "Your rows and columns are exchanged: the row is the true class, the column "
         "what was predicted."),
        (then(table=lambda table: table - np.diag(np.diag(table))),
         "The diagonal is missing: examples that were predicted right are counted too."),
        (then(table=lambda table: np.diag(np.diag(table))),
         "Only the diagonal is filled: the errors belong in the table too."),
        (then(table=lambda table: 1 * (table > 0)),
         "Each pair is counted once, as by table[true, predicted] += 1 with whole arrays: go through the examples."),
        ("table[t, p]", "table[:, p]",
         "All your rows are alike: [[0] * k] * k is the same row k times; np.zeros((k, k)) has rows of their own."),
        (then(table=lambda table: table / table.sum()), "Your `table` holds shares: counts are asked for."),
        (then(table=lambda table: table / table.sum(axis=1)[:, None]),
         "Your `table` holds shares of its rows: counts are asked for."),
        *((FOUND, f"np.diag(table) / {columns}",
           "You divide by the columns, all that were predicted so: divide by the rows, all that are of this class.")
          for columns in ("table.sum(axis=0)", "np.maximum(table.sum(axis=0), 1)")),
        (FOUND, "np.diag(table) / table.sum()", "You divide by all examples: divide by those of this class, its row."),
        (FOUND, f"1 - {FOUND}", "You return the share of wrong answers: `found` is that of the right ones."),
        (FOUND, "np.diag(table)", "You count the right ones: divide by the number of examples of this class."),
        (FOUND, "np.trace(table) / table.sum()",
         "You return one share for all: `found` has an entry for each class, shape (k,)."),
        (FOUND, f"({FOUND}).mean()",
         "You return the mean over the classes: `found` has an entry for each, shape (k,)."),
    ],
    hints=[
        "Start with np.zeros((k, k)). Each example adds 1 to one cell.",
        "zip(true, predicted) gives the pairs one by one: the first number is the row, the second the column. The "
        "right ones lie on the diagonal.",
        "The sum of a row is how many examples the class has; the entry on the diagonal (np.diag) says how many of "
        "these were found.",
    ],
)


def studies(rng):
    """Real data in units of its own: a part to learn from, and new examples that nothing handed over tells."""
    iris, tumours = ("iris", ("versicolor", "virginica"), 4, 50, 50), ("breast-cancer", None, 20, 80, 80)
    digits = [("digits", pair, 64, 100, 80) for pair in ((3, 8), (1, 7))]
    for name, classes, d, n, new in (iris, iris, tumours, tumours, *digits):
        data = datasets.load(name, classes=classes)
        X = data.X[:, rng.permutation(data.X.shape[1])[:d]] + rng.integers(1, 6, d)
        units = rng.permutation(np.resize([1.0, 10.0, 100.0], d))
        X, y = np.round(X * units, 6), data.y * rng.choice([-1.0, 1.0])
        order = rng.permutation(len(y))
        known, unknown = order[:n], order[n : n + new]
        yield (X[known], y[known], int(rng.integers(10**6))), (X[unknown], y[unknown])


task(
    "project",
    returns="theta",
    cases=studies,
    accuracy=0.85,
    mistakes=[],  # judged by what theta does: checking/accuracy.py has the sentences
    hints=[
        "Standardise X by its own mean and spread, find a good theta there with any method of the course, and carry it "
        "back to raw features.",
        "Two methods that do: gradient descent on the logistic or hinge loss with a small L2 penalty (a few hundred "
        "steps, eta = 0.3), or least squares with an L2 penalty, which one call of np.linalg.solve finds.",
        "You have all the parts: standardise (give it X for both), the steps of your method with an offset of its own, "
        "and raw_weights. Mind features that are constant: a pixel that is always empty has a spread of 0.",
    ],
)

LEAKS = [1, 0, 1, 0]
STATEMENTS = (
    "Statement 1: the labels of the test part helped to choose the features.",
    "Statement 2: choosing is what the validation part is for; the test part is not touched.",
    "Statement 3: the lowest of twenty test errors is lower than they are on average.",
    "Statement 4: the training part's mean and spread tell nothing about the test part.",
)

task(
    "read_report",
    returns=("lam", "error", "give", "C", "found", "leaks"),
    mistakes=[
        *slips(
            "lam",
            (0.01, "Two lambdas have the fewest validation errors: among equals the largest is taken, the simpler "
             "model."),
            (0.001, "You chose by the training errors: lambda is chosen on the validation part."),
            (1, "The largest lambda of all has more validation errors than others: first the errors, then ties."),
        ),
        *slips(
            "error",
            (9, "Your `error` is a count or per cent: it should be a fraction of the test examples."),
            (0.05, "That is the validation error, which is flattered by the choice: report the test error."),
            (0.04, "That is the training error: report the test error."),
            (0.91, "That is the share of right answers: report that of the wrong ones."),
        ),
        *slips(
            "give",
            (0.09 * 0.91 / 100, "The root is missing: sqrt(p (1 - p) / n)."),
            ((0.09 * 0.91) ** 0.5, "Divide by n under the root: more examples measure better."),
            ((0.09 * 0.91 / 300) ** 0.5, "Your n is that of the training part: the test examples are what is counted."),
            ((0.09 * 0.91 / 500) ** 0.5, "Your n is that of all 500: the test examples are what is counted."),
            ((0.09 * 0.91) ** 0.5 / 100, "The n belongs under the root: sqrt(p (1 - p) / n)."),
            (0.03, "0.03 is too rough, or the factor 1 - p is missing: sqrt(p (1 - p) / n), with three digits right."),
            (0.029, "Your `give` has two digits: three should be right."),
            (0.0287, "Your `give` is close, but its third digit is wrong: did you round on the way?"),
        ),
        *slips(
            "C",
            (0.1, "Your `C` is lambda, or n is the number of the test part: SVC sums the losses over the training "
             "part, and C = 1 / (n lambda)."),
            (10, "SVC sums the losses: C = 1 / (n lambda), with n training examples."),
            (30, "Your `C` is upside down: 1 / (n lambda)."),
            (1 / 50, "Your n is that of all 500: only the training examples have a loss in the objective."),
            (1 / 40, "Your n has the validation part in it: only the training examples have a loss in the objective."),
            (1 / 300, "Your `C` is 1 / n: lambda is missing, 1 / (n lambda)."),
            (1 / 3, "With lambda = 0.01 that would be right: use the lambda that you chose."),
            (0.033, "Your `C` has two digits: three should be right."),
            (0.0334, "Your `C` is close, but its third digit is wrong: did you round on the way?"),
        ),
        *slips(
            "found",
            (45 / 49, "You divided by the column, all that were called ill: divide by the row, all that are ill."),
            (0.45, "You divided by all examples: of those who are ill, how many were found?"),
            (0.92, "That is the row of the healthy: the ill are in the first row."),
            (0.91, "That is the share of all that were called right: look at the ill alone, the first row."),
            (0.1, "That is the share of the ill who were missed."),
            (45, "Your `found` is a count: divide by how many are ill."),
        ),
        *((then(leaks=lambda _, wrong=wrong: wrong), STATEMENTS[next(k for k in range(4) if wrong[k] != LEAKS[k])])
          for wrong in product((1, 0), repeat=4) if list(wrong) != LEAKS),
    ],
    hints=[
        "Choose on the validation column; among equals, the largest lambda. Report on the test part.",
        "Both `give` and `C` have an n in them, and these differ: ask each time which examples are counted, or summed "
        "over. Compute with more digits than you write down.",
        "Ask of every statement: did a label or a number of the test part influence what was tested?",
    ],
)
