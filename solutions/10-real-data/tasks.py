"""Standardizing, a threshold, lambda by folds, a study with four leaks, pairs, probabilities, a filter for emails."""

from itertools import pairwise

import numpy as np

from coursekit.core import datasets
from coursekit_grade.draws import labels
from coursekit_grade.tasks import solution, task, then


def standardize_cases(rng):
    for n, m, d in ((3, 2, 1), (4, 3, 2), (4, 2, 3), (5, 3, 3), (7, 4, 3)):
        train, test = rng.normal(size=(n, d)).round(2), rng.normal(size=(m, d)).round(2) + 1
        # Powers of 2, so that a constant feature has a spread of exactly 0 for everyone.
        scale, shift = np.append(8.0, rng.permutation([0.25, 2.0, 0.5, 4.0]))[:d], rng.integers(2, 5, d)
        if n > 4:
            # The same in all of training, not in the test part. The feature with the smallest spread keeps it.
            train[:, rng.choice(np.flatnonzero(scale > scale.min()))] = 0.5
        yield train * scale + shift, test * scale + shift


MEAN, SPREAD, INSTEAD = "train.mean(axis=0)", "train.std(axis=0)", "np.where(spread == 0, 1, spread)"
TEST = "(test - mean) / spread"

task(
    "standardize",
    returns=("train", "test"),
    cases=standardize_cases,
    mistakes=[
        *((MEAN, "np.vstack([train, test]).mean(axis=0)", SPREAD, "np.vstack([train, test]).std(axis=0)", *constant,
           "Measure mean and spread only on the training part. You measure on both parts together, which is a leak.")
          for constant in ((), (INSTEAD, "np.where(np.ptp(train, axis=0) == 0, 1, spread)"))),
        (TEST, "(test - test.mean(axis=0)) / test.std(axis=0)",
         "Use the mean and spread of the training part. You standardize the test part by itself."),
        (TEST, "(test - test.mean(axis=0)) / spread",
         "Subtract the mean of the training part from both parts. You subtract the test part's own mean from it."),
        (TEST, "(test - mean) / test.std(axis=0)",
         "Divide both parts by the spread of the training part. You divide the test part by its own spread."),
        (MEAN, "test.mean(axis=0)", SPREAD, "test.std(axis=0)",
         "Measure on the training part. You measure on the test part."),
        (TEST, "test / spread", "Subtract the mean of the training part from the test part, too. You do not shift it."),
        (TEST, "test - mean / spread", "Put test - mean in parentheses. In your test part only the mean is divided."),
        (TEST, "test - mean", "Divide the test part by the spread of the training part as well. You only shift it."),
        (TEST, "test",
         "Shift and scale the test part too, by the mean and spread that train had at first. It comes back as it was."),
        ("std(axis=0)", "std(axis=0, ddof=1)",
         "Divide by n in the spread, as X.std(axis=0) does. Yours divides by n - 1."),
        ("std(axis=0)", "var(axis=0)",
         "Divide by the standard deviation, its square root. You divide by the variance."),
        (SPREAD, "np.ptp(train, axis=0)", "Divide by the standard deviation. You divide by the range."),
        (MEAN, "train.min(axis=0)", SPREAD, "np.ptp(train, axis=0)",
         "Subtract the mean, then divide by the standard deviation. You scale each feature to the range from 0 to 1."),
        (INSTEAD, "spread",
         "Take 1 in place of a spread of 0. A feature that is constant in training has it, and you divide by it."),
        (INSTEAD, "np.where(spread == 0, np.inf, spread)",
         "Replace a spread of 0 by 1. A feature that is constant in training is only shifted."),
        (f"spread = {INSTEAD}", f"mean = np.where(spread == 0, 0, mean)\n    spread = {INSTEAD}",
         "Subtract the mean of a feature that is constant in training, too. You leave it as it was."),
        *((INSTEAD, f"spread + {tiny}",
           "Use 1 where the spread is 0. If you add a tiny number instead, a constant feature explodes in the test "
           "part.")
          for tiny in (1e-3, 1e-8, 1e-9, 1e-12)),
        (INSTEAD, "np.maximum(spread, 1)",
         "Replace a spread by 1 only if it is exactly 0. You replace all small ones."),
        ("return (train - mean) / spread, (test - mean) / spread", "return train / spread - mean, test / spread - mean",
         "Subtract the mean first, because it is in the units of the raw feature. You divide first."),
        ("return (train - mean) / spread, (test - mean) / spread",
         "return (train - mean) * spread, (test - mean) * spread", "Divide by the spread. You multiply by it."),
        (SPREAD, "1", "Divide by the standard deviation as well. You only shift."),
        (MEAN, "0", "Subtract the mean as well. You only scale."),
        (MEAN, "np.median(train, axis=0)", "Subtract the mean. You subtract the median."),
        (MEAN, "train.mean()", SPREAD, "train.std()",
         "Give each feature its own mean and spread (axis=0). You take one of each of all numbers."),
        (MEAN, "train.mean()", "Give each feature its own mean (axis=0). You subtract one mean of all numbers."),
        ("train.std(axis=0)", "train.std()",
         "Give each feature its own spread (axis=0). You divide by one of all numbers."),
        ("np.where(spread == 0, 1, spread)", "spread + 1",
         "Use 1 only in place of a spread of 0. You add 1 to every spread."),
    ],
    hints=[
        "Two things are measured, one number each for every feature: the mean and the standard deviation, only "
        "from the training part.",
        "Then shift and scale both parts by the same numbers. Keep these numbers in variables before you change train.",
        "A spread of 0 has to become 1 before you divide; np.where(condition, a, b) chooses entry by entry.",
    ],
)


def priced(t, f, y, price):
    return price * np.sum((f > t) & (y < 0)) + np.sum((f <= t) & (y > 0))


def mails(rng):
    # Right is to let one spam through, and so it is where errors are counted, but not where the two prices are swapped.
    yield np.array([-4.0, -3, -2, -1, -0.5, 1, 2]), np.array([-1.0, 1, -1, -1, -1, 1, 1]), 5
    # The threshold is the score of a spam, which is let through.
    yield np.array([0.5, -1.5, 3, -0.5, 1.25]), np.array([1.0, 1, -1, 1, 1]), 1
    for n, price in ((4, 5), (6, 1), (7, 10), (8, 3), (9, 5), (6, 100), (12, 2), (9, 4), (10, 8), (11, 1), (12, 1)):
        while True:
            y, f = labels(rng, n), rng.choice(np.r_[-12:0, 1:13], n, replace=False) / 4
            f = np.where((f * y < 0) & (rng.random(n) < 0.5), -f, f)
            t, cost, precision, _ = threshold(f, y, price)
            first = next((c for c in f if priced(c, f, y, price) == cost), t)
            # The last ones lose letters; in the very last one, the first threshold that is best is not the largest.
            if len(set(f)) == n and (t != 0 or n == 8) and (n < 11 or precision not in (0, 1)) and (
                (n, price) != (12, 1) or first != t
            ):
                break
        yield f, y, price


threshold = solution("threshold")
COST = "price * np.sum((f > t) & (y < 0)) + np.sum((f <= t) & (y > 0))"

task(
    "threshold",
    returns=("t", "cost", "precision", "recall"),
    cases=mails,
    mistakes=[
        (COST, "np.sum((f > t) & (y < 0)) + price * np.sum((f <= t) & (y > 0))",
         "Swap your costs. A lost email, ham that is held back, costs `price`."),
        (COST, "np.sum((f > t) & (y < 0)) + np.sum((f <= t) & (y > 0))",
         "Count a lost email `price` times. You count every error once."),
        (COST, "price * np.sum((f >= t) & (y < 0)) + np.sum((f < t) & (y > 0))",
         "Ask f > t. A score equal to the threshold is not held back."),
        (COST, "price * np.sum((f > t) & (y > 0)) + np.sum((f <= t) & (y < 0))",
         "Take +1 for spam, not for ham."),
        (COST, "price * np.sum((f > t) & (y < 0))",
         "Your `t` holds nothing back in any case. Add 1 to the cost for each spam that gets through."),
        (COST, "price * np.sum((f > t) & (y > 0)) + np.sum((f <= t) & (y > 0))",
         "Charge `price` for each ham that is held back, y < 0. You charge it for spam."),
        (COST, "price * np.sum((f > t) & (y < 0)) + ((f <= t) @ (y > 0))",
         "Count with np.sum(... & ...). @ of two boolean arrays says whether, not how many."),
        (COST, "price * np.sum((f < t) & (y < 0)) + np.sum((f >= t) & (y > 0))", "called = f > t", "called = f < t",
         "Hold back what scores above the threshold. You hold back what is below it."),
        ("np.append(f, 0)", "f", "Try 0 as well as the scores."),
        ("np.append(f, 0)", "np.append((np.sort(f)[1:] + np.sort(f)[:-1]) / 2, 0)",
         "Try 0 and the scores themselves. Your thresholds lie between the scores."),
        ("called = f > t", "called = f > max(tried)", "np.mean(f[y > 0] > t)", "np.mean(called[y > 0])",
         "Your `precision` is 1 and your `recall` 0 in every case. Take both at the best `t`, not at the last one "
         "that you tried."),
        ("np.append(f, 0)", "np.zeros(1)", "Try the scores as thresholds, too. You stay at 0."),
        *(("max(tried[np.array(costs) == cost])", first, "Take the largest threshold, whatever the order. If "
            "several cost the same, you keep the first that you meet.") for first in (
            "tried[np.argmin(costs)]", "np.roll(tried, 1)[np.argmin(np.roll(costs, 1))]")),
        ("min(costs)", "max(costs)", "Take the lowest cost. You take the highest."),
        (then(t=lambda t, f: int(np.argmax(np.append(f, 0) == t))), "Return the threshold. Your `t` is a position in "
            "the list."),
        (then(cost=lambda _, f, y, t: np.sum((f > t) != (y > 0))),
         "Count a lost email `price` times. Your `cost` is the number of errors."),
        ("called = f > t", "called = f >= t", "np.mean(f[y > 0] > t)", "np.mean(f[y > 0] >= t)",
         "Ask f > t in the precision and the recall, too. You hold back an email with score `t` itself."),
        ("called = f > t", "called = f >= t",
         "Ask f > t in the precision, too. Yours holds back an email with score `t` itself."),
        ("np.mean(f[y > 0] > t)", "np.mean(f[y > 0] >= t)",
         "Ask f > t in the recall, too. You count spam with the score `t` as held back."),
        ("t = max(", "t = min(",
         "If several thresholds cost the same, take the largest, because it loses the fewest emails."),
        ("np.mean(y[called] > 0)", "np.mean(called[y > 0])",
         "Take the share of spam among the emails that are held back. Your `precision` is the recall."),
        ("np.mean(y[called] > 0) if called.any() else 1", "np.mean(called & (y > 0))",
         "Divide by the emails that are held back. Your `precision` divides by all of them."),
        ("np.mean(y[called] > 0) if called.any() else 1", "np.mean((f > t) == (y > 0))",
         "Look at the emails that are held back. Your `precision` is the share of right answers."),
        ("np.mean(y[called] > 0) if called.any() else 1", "np.sum(y[called] > 0)", "np.mean(f[y > 0] > t)",
         "np.sum(f[y > 0] > t)", "Return a share. Your `precision` is a count."),
        ("np.mean(y[called] > 0) if called.any() else 1", "np.mean(y[f > 0] > 0) if (f > 0).any() else 1",
         "Use `t`. Your `precision` is that of the threshold 0."),
        ("np.mean(f[y > 0] > t)", "np.mean(f[y < 0] <= t)",
         "Look at the spam. Your `recall` is the share of ham that is spared."),
        ("np.mean(f[y > 0] > t)", "np.sum(f[y > 0] > t) / len(f)",
         "Divide by all spam. Your `recall` divides by all emails."),
        ("np.mean(f[y > 0] > t)", "np.mean((f > t) == (y > 0))", "Look only at the spam. Your `recall` is the share "
                                                                 "of right answers."),
        ("np.mean(f[y > 0] > t)", "np.mean(f[y > 0] > 0)", "Use `t`. Your `recall` is that of the threshold 0."),
        *(("if called.any() else 1", wrong, "Return 1 as the precision where nothing is held back.")
          for wrong in ("if called.any() else 0", "")),
        (then(recall=lambda recall, f, y, t: np.mean(f[y < 0] > t)),
         "Take the fraction of the spam that is held back. Your `recall` looks at the ham."),
        (then(recall=lambda recall, f, y, t: np.sum(f[y > 0] > t)), "Divide by the number of all spam. Your `recall` "
                                                                    "is a count."),
    ],
    hints=[
        "For one threshold, which emails are lost, and which spam gets through?",
        "Write a loop over np.append(f, 0) with the cost of each, and look for the lowest.",
        "Lost: (f > t) & (y < 0). Through: (f <= t) & (y > 0). Of all thresholds with the lowest cost take max.",
    ],
)


def fold_cases(rng):
    """Of many lambdas four, so that whoever has another limit, or takes another within it, chooses another one."""
    pool = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0])
    for n, d, k, wanted in ((12, 1, 3, "spread"), (12, 2, 3, "within"), (16, 2, 4, "more"), (16, 2, 4, "own"),
                            (20, 3, 5, "least"), (20, 3, 5, "two")):
        found = False
        while not found:
            rest = np.arange(n - 2 * k) if wanted == "spread" else rng.integers(k, size=n - 2 * k)
            y, fold = labels(rng, n), rng.permutation(np.append(np.repeat(np.arange(k), 2), rest % k))
            X = (rng.normal(size=(n, d)) + 0.6 * y[:, None] * (np.arange(d) < 1)).round(2) * 2 + 1
            errors, give, *_ = folds(X, y, fold, pool)
            differ = np.ones(len(pool), dtype=bool)
            if wanted == "spread":  # with n - 1 in it, and equal folds, it does what larger lambdas do
                differ = folds(X, y, fold, pool * 8 / 7)[0] != errors
            elif not np.ptp(np.bincount(fold)):
                continue
            for _ in range(40):
                four = rng.permutation(len(pool))[:4]
                lams = pool[four]
                if found := differ[four].any() and _tells(wanted, lams, errors[four], give[four]):
                    break
        yield X, y, fold, lams


def _tells(wanted, lams, errors, give):
    """Whether these lambdas tell the right choice from others."""
    best, (lowest, second) = errors.argmin(), np.sort(errors)[:2]
    within = errors <= lowest + give[best]
    lam = max(lams[within])
    unclear = second - lowest < 0.01 or np.abs(errors - lowest - give[best]).min() < 0.001  # rounding decides
    if unclear or lam <= lams[best] or not give.min() > 0:
        return False
    own, least, mean, two, more = (
        max(lams[errors <= lowest + e]) for e in (give, min(give), np.mean(give), 2 * give[best], give[best] + 0.01))
    following, highest = min(lams[lams > lams[best]]), lams[np.argmax(errors * within)]
    return {
        "spread": True,
        "within": lam not in (lams[within][0], lams[within][-1], highest, following),
        "more": lam < more and lam < mean,
        "own": lam < own != mean,
        "least": min(lams[within]) < lams[best] and least < lam,
        "two": lam < two < max(lams) and two not in (own, mean),
    }[wanted]


folds = solution("folds")
RULE = "max(np.array(lams)[errors <= errors[best] + give[best]])"

task(
    "folds",
    returns=("errors", "give", "lam", "C"),
    cases=fold_cases,
    mistakes=[
        ("X[~new].mean(axis=0), X[~new].std(axis=0)", "X.mean(axis=0), X.std(axis=0)",
         "Take mean and spread from the examples outside the fold. You let the fold itself help to measure them."),
        ("X[~new].mean(axis=0), X[~new].std(axis=0)", "0, 1",
         "Standardize before you fit, because lambda penalizes all weights alike, whatever the units of their "
         "features."),
        ("theta = fit((X[~new] - mean) / spread, y[~new], lam)", "theta = fit((X - mean) / spread, y, lam)",
         "Leave the fold out. You train on all examples."),
        ("f = (X[new] - mean) / spread", "own = X[new].std(axis=0)\n            f = (X[new] - X[new].mean(axis=0)) / "
         "np.where(own > 0, own, 1)", "Take the mean and spread of the others. You standardize the fold by itself."),
        ("f = (X[new] -", "f = (X[~new] -", "y[new] * f", "y[~new] * f",
         "Count the errors in the fold. You count those on the examples that you learned from."),
        *((*roles, "Train on the other folds and validate on this one. You do it the other way around.") for roles in (
            ("fold == k", "fold != k"), ("fit((X[~new]", "fit((X[new]", "y[~new], lam", "y[new], lam",
                                         "f = (X[new]", "f = (X[~new]", "y[new] * f", "y[~new] * f"))),
        ("fit((X[~new]", "fit((X[new]", "y[~new], lam", "y[new], lam",
         "Train on the other folds. You train on this one and validate on it, too."),
        ("np.unique(fold)", "range(fold.max())", "Hold out each fold once. Your last one always trains."),
        (" @ theta[:-1] + theta[-1]", " @ theta[:-1]", "Add the bias to your scores."),
        ("y[new] * f <= 0", "y[new] * f > 0", "Count the errors, y f <= 0. You count the right ones."),
        ("np.mean(y[new] * f <= 0)", "np.sum(y[new] * f <= 0)", "Divide by the size of the fold. You return a count "
                                                                "of errors."),
        ("errors = np.mean(table", "errors = np.sum(table", "Average over the folds. Your `errors` are sums."),
        ("y[new] * f <= 0", "(y[new] - f) ** 2", "Take the fraction of errors, y f <= 0. You measure squares."),
        ("y[~new], lam)", "y[~new], lam * np.sum(~new))",
         "Hand lambda to fit as it is. You multiply it first."),
        ("f = (X[new] - mean)", "f = (X[new] - X[new].mean(axis=0))",
         "Subtract the mean of the others from the fold. You subtract its own."),
        ("errors = np.mean(table, axis=0)", "errors = np.average(table, axis=0, weights=np.bincount(fold))",
         "Take the plain mean of the folds' fractions. You weight the folds by their size."),
        ("ddof=1) / np.sqrt(len(table))", "ddof=1) / len(table)",
         "Divide by the square root of k. Your `give` divides by k."),
        ("ddof=1) / np.sqrt(len(table))", "ddof=1)", "Divide by the square root of k. Your `give` is the spread of the "
                                                     "folds."),
        ("ddof=1) / np.sqrt(len(table))", "ddof=0) / np.sqrt(len(table))",
         "Divide by k - 1 in the spread. Yours divides by k."),
        ("ddof=1) / np.sqrt(len(table))", "ddof=1) / np.sqrt(len(X))",
         "Divide by the square root of k, because you average k folds. Your `give` divides by the square root of n."),
        ("np.std(table", "np.var(table", "Use the standard deviation. Your `give` has the variance in its place."),
        (RULE, "np.array(lams)[best]",
         "Take the largest lambda within one standard error of the lowest error. You take the lambda of the lowest "
         "error."),
        (RULE, RULE.replace("give[best]", "give"),
         "Add the standard error of the lowest error, for every lambda. You add each lambda's own."),
        *((RULE, RULE.replace("give[best]", f"{some}(give)"),
           f"Add the standard error that belongs to the lowest error. You add {what}.")
          for some, what in (("min", "the smallest one"), ("max", "the largest one"), ("np.mean", "their mean"))),
        ("X[~new].std(axis=0)", "X[~new].std(axis=0, ddof=1)", "Standardize with the spread that divides by "
                                                               "n, as np.std does. Yours divides by n - 1."),
        (RULE, RULE.replace("give[best]", "2 * give[best]"), "Allow one standard error. You allow two."),
        (RULE, RULE[3:] + "[-1]", "Take the largest lambda, because lams come in any order. You take the last one in "
                                  "the list."),
        ("1 / (len(X) * lam)", "1 / (np.sum(~new) * lam)",
         "Count all n examples in `C`. You count one training part."),
        (RULE, RULE.replace("max(", "min("),
         "Take the largest lambda, which gives the simplest filter. You take the smallest."),
        (RULE, "max(lams)", "Take the largest lambda within one standard error of the lowest error. You take the "
                            "largest of all."),
        ("1 / (len(X) * lam)", "1 / len(X) * lam", "Put n * lam in parentheses. In Python, 1 / n * lam is lam / n."),
        ("1 / (len(X) * lam)", "1 / (len(table) * lam)", "Multiply lambda by n, the number of examples. Your `C` has "
                                                         "the number of folds."),
        ("1 / (len(X) * lam)", "len(X) / lam", "Divide by n. You multiply by it."),
    ],
    hints=[
        "Two loops: folds outside, lambdas inside. With new = (fold == j), everything that is "
        "learned comes from X[~new].",
        "Keep a table with a row for each fold. errors are the means of its columns, and give is their standard "
        "deviation, with k - 1, divided by the square root of k, the number of folds.",
        "best = np.argmin(errors); then the largest of those lams with errors <= errors[best] + give[best].",
    ],
)


def studies(rng):
    for n, d in ((14, 2), (18, 2), (24, 3), (20, 2), (22, 3), (18, 2), (20, 3), (16, 3), (24, 2), (22, 2)):
        while True:
            part = rng.permutation(np.resize([0, 0, 1, 2, 2], 2 * n))
            y = labels(rng, 2 * n)
            X = (rng.normal(size=(2 * n, 5)) * [1, 2, 3, 1, 2] + np.outer(y, [0.7, 1.0, 0, 0.5, 0])).round(1)
            again = rng.choice(np.flatnonzero(part == 2), n // 4, replace=False)
            first = rng.choice(np.flatnonzero(part < 2), n // 4)
            X[part == 2] = (4 * X[part == 2]).round(1)  # what the spread of all would know
            X[again], y[again] = X[first], y[first]
            fresh = np.setdiff1d(np.flatnonzero(part == 2), again)
            X[fresh[0]], y[fresh[0]] = X[fresh[-1]], y[fresh[-1]]  # twice in the test part is no leak
            T, t = X[part == 0], y[part == 0]
            chosen = np.argsort(np.abs((T - T.mean(axis=0)).T @ t) / T.std(axis=0))[-d:]
            X[np.ix_(fresh[1:3], chosen)] = T[:2, chosen]  # nor is it to be alike in some features
            if len(np.unique(X[part < 2], axis=0)) < np.sum(part < 2):
                continue
            lams = np.array([0.1, 30.0, 3.0])
            case = X, y, part, lams, d
            if 0 < study(*case)[1] < 0.5 and np.bincount(part).min() > 1:
                break
        yield case


study = solution("study")
CLOSE, SCALE = "np.abs((T - T.mean(axis=0)).T @ y[train]) / T.std(axis=0)", \
    "T[:, chosen].mean(axis=0)) / T[:, chosen].std(axis=0)"
GIVE = "np.sqrt(error * (1 - error) / np.sum(new))"
CHOICE, TESTED = "np.mean(y[val] * (A[val]", "np.mean(y[new] * (A[new] @ thetas[k][:-1] + thetas[k][-1]) <= 0)"

task(
    "study",
    returns=("lam", "error", "give"),
    cases=studies,
    mistakes=[
        *((CLOSE, f"np.abs((X - {whose}.mean(axis=0)).T @ y) / {whose}.std(axis=0)",
           "Let only the training part choose the features. You let the labels of the test part help.")
          for whose in ("X", "T")),
        ("T = X[train]", "T = X[part < 2]", ".T @ y[train]", ".T @ y[part < 2]",
         "Take features, mean, and spread only from the training part. You let the validation part help."),
        (SCALE, "X[:, chosen].mean(axis=0)) / X[:, chosen].std(axis=0)",
         "Take mean and spread only from the training part. You let the test part help."),
        (CLOSE, "np.abs((T - X.mean(axis=0)).T @ y[train]) / X.std(axis=0)", SCALE,
         "X[:, chosen].mean(axis=0)) / X[:, chosen].std(axis=0)",
         "Take mean and spread only from the training part. You let the test part help."),
        (CLOSE, "np.abs((X[part < 2] - X[part < 2].mean(axis=0)).T @ y[part < 2]) / X[part < 2].std(axis=0)",
         "Let only the training part choose the features. You let the validation part help."),
        *((CLOSE, wrong, sentence) for wrong, sentence in (
            (CLOSE.removeprefix("np.abs"), "Take the size of the closeness. You choose only features that rise with "
                                           "y, and none that fall."),
            (CLOSE.removesuffix(" / T.std(axis=0)"), "Divide by the spread. Your closeness depends on the units."),
            ("np.abs(T.T @ y[train]) / T.std(axis=0)", "Subtract the mean before you multiply by y. Your closeness "
                                                       "doesn't."),
        )),
        (SCALE, "X[part < 2][:, chosen].mean(axis=0)) / X[part < 2][:, chosen].std(axis=0)",
         "Take mean and spread only from the training part. You let the validation part help."),
        *((CHOICE, f"np.mean(y[{part}] * (A[{part}]", sentence) for part, sentence in (
            ("train", "Let part 1 choose lambda. You let the training part choose, and it always likes the smallest."),
            ("new & ~np.array([(X[part < 2] == x).all(axis=1).any() for x in X])",
             "Let part 1 choose. The test part chose lambda."))),
        ("[-d:]", "[:d]", "Take the last d of argsort. You take the first, which agree worst with y."),
        ("[-d:]", "", "Keep the d features that agree best with y. You keep all."),
        (CHOICE, "np.mean(y[new] * (A[new]", "Let part 1 choose. The test part chose lambda."),
        (CLOSE, "np.abs((X - X.mean(axis=0)).T @ y) / X.std(axis=0)", SCALE,
         "X[:, chosen].mean(axis=0)) / X[:, chosen].std(axis=0)", "part == 0, part == 1,", "part < 2, part == 2,",
         "(-errors[k], lams[k])", "-errors[k]", "new = new & ~known", "pass",
         "Stop the colleague's leaks. You return the study as it was, with all four."),
        ("    new = new", "    thetas[k] = fit(A[part < 2], y[part < 2], lams[k])\n    new = new",
         "Test the theta that was chosen. You train again before the test."),
        (TESTED, TESTED.replace(" + thetas[k][-1]", ""), "Add the bias in the test, too. Your scores leave it out."),
        (TESTED, TESTED.replace("thetas[k]", "thetas[-1]"),
         "Test the theta of the chosen lambda. You test the last theta that you trained."),
        ("X[part < 2] == x", "X[part == 1] == x",
         "Look in part 0 and in part 1. Emails of the training part are known, too."),
        (TESTED, "errors[k]", "Test on part 2. Your `error` is that of the part that chose lambda."),
        (TESTED, "min(np.mean(y[new] * (A[new] @ t[:-1] + t[-1]) <= 0) for t in thetas)",
         "Test once, with the one that was chosen. You test every lambda and report the lowest error."),
        (TESTED, TESTED.replace("mean", "sum"), "Divide by the number of test emails. Your `error` is a count."),
        ("    train, val", "    first = np.sort(np.unique(X, axis=0, return_index=True)[1])\n    "
         "X, y, part = X[first], y[first], part[first]\n    train, val",
         "Leave out only test emails that occur in part 0 or 1. You drop every row that comes again."),
        ("    new = new", "    first = np.unique(X, axis=0, return_index=True)[1]\n    "
         "known = known | ~np.isin(np.arange(len(X)), first)\n    new = new",
         "Leave out only those that occur in part 0 or 1. You leave out test emails that repeat each other."),
        ("(X[part < 2] == x).all(axis=1).any() for x in X", "(A[part < 2] == x).all(axis=1).any() for x in A",
         "Compare whole rows. You compare only the chosen features."),
        ("new = new & ~known", "pass",
         "Leave out the test emails that were seen in training. You still test on them."),
        ("[fit(A[train], y[train], lam) for lam in lams]", "[fit(A[part < 2], y[part < 2], lam) for lam in lams]",
         "Train on part 0 alone. You train on the validation part, too, and then it cannot choose."),
        ("X[part < 2] == x", "X[part == 0] == x",
         "Look in part 0 and in part 1. Emails of the validation part are known, too."),
        ("new = new & ~known", "new = new & known", "Leave out the emails that came twice. You test on nothing else."),
        ("(-errors[k], lams[k])", "-errors[k]", "Of lambdas with equally few errors, take the largest."),
        ("(-errors[k], lams[k])", "(-errors[k], -lams[k])", "Of lambdas with equally few errors, take the largest."),
        ("(-errors[k], lams[k])", "(errors[k], lams[k])",
         "Take the lambda with the fewest errors in part 1. Yours has the most."),
        *((GIVE, wrong, sentence) for wrong, sentence in (
            ("np.sqrt(error * (1 - error))",
             "Divide by m under the square root. Your `give` is the spread of one email."),
            ("np.sqrt(error * (1 - error)) / np.sum(new)", "Put m under the square root. Your `give` divides by m "
                                                           "outside it."),
            ("np.sqrt(error / np.sum(new))", "Put the factor 1 - e under the square root. Your `give` lacks it."),
            ("np.sqrt(error * (1 - error) / np.sum(part == 2))",
             "Let m be how many emails are left. Your `give` counts those that came twice, too."),
            ("np.sqrt(error * (1 - error) / (np.sum(new) - 1))", "Divide by m. Your `give` divides by m - 1."),
            ("np.sqrt(error * (1 - error) / len(y))", "Count those that were tested. Your `give` counts all emails."),
            ("np.sqrt(errors[k] * (1 - errors[k]) / np.sum(val))",
             "Take e from the test. Your `give` takes it from the validation part."),
        )),
        ("new = new & ~known", "new = new & ~known & np.array([(X == x).all(axis=1).sum() == 1 for x in X])",
         "Keep an email that comes twice in part 2 alone. You leave it out."),
    ],
    hints=[
        "For every line, ask which rows it uses, and whether it may.",
        "T = X[part == 0] gives features, mean and spread. part == 1 chooses lambda, part == 2 is used once.",
        "A test email x is not new if (X[part < 2] == x).all(axis=1).any().",
    ],
)


def pairs(rng):
    for m in (4, 6, 9, 12, 30):
        a, b = rng.integers(5, 15, (2, m)) / 64
        b[0] = a[0] if np.sum(a[1:] == b[1:]) % 2 == 0 else a[0] + 1 / 64  # half a win is left over
        yield a, b


task(
    "paired",
    returns=("mean", "spread", "wins"),
    cases=pairs,
    mistakes=[
        ("diff = a - b", "diff = b - a", "Subtract b from a. You subtract a from b."),
        *(("diff.mean()", wrong, sentence) for wrong, sentence in (
            ("np.median(diff)", "Take the mean of the differences. Your `mean` is the median."),
            ("a.mean()", "Take the mean of the differences. Your `mean` is that of a alone."),
        )),
        ("diff.std(ddof=1)", "a.std(ddof=1)", "Take the spread of the differences. Your `spread` is that of a alone."),
        ("diff.std(ddof=1)", "np.array([a.std(ddof=1), b.std(ddof=1)])",
         "Take the spread of the differences. Yours has one of a and one of b."),
        ("diff.std(ddof=1)", "(a.std(ddof=1) - b.std(ddof=1))",
         "Take the spread of the differences. Your `spread` is the difference of two spreads."),
        ("diff = a - b", "diff = np.abs(a - b)", "Keep the sign of each difference. You drop it."),
        ("ddof=1", "ddof=0", "Divide by m - 1. Your `spread` divides by m."),
        ("diff.std(ddof=1)", "np.sqrt(np.sum(diff**2) / (len(a) - 1))",
         "Measure from the mean difference. Your `spread` is measured from 0."),
        *(("diff.std(ddof=1)", f"np.hypot(a.std(ddof={less}), b.std(ddof={less}))",
           "Take the spread of the differences, because both methods saw the same splits. Yours "
           "treats them as independent.") for less in (0, 1)),
        ("np.sum(diff < 0) +", "np.sum(diff > 0) +", "Count where a has fewer errors. Your `wins` are those of b."),
        ("+ np.sum(diff == 0) / 2", "- np.sum(diff == 0) / 2", "Add half a win for a tie. Your `wins` subtracts it."),
        *(("+ np.sum(diff == 0) / 2", f"{ties} - np.sum(diff > 0)", "Count the wins. Your `wins` are wins minus "
            "losses.") for ties in ("", "+ np.sum(diff == 0) / 2")),
        ("np.sum(diff < 0) + np.sum(diff == 0) / 2", "1 * (a.mean() < b.mean())",
         "Count the splits one by one. Your `wins` compares the two means."),
        ("np.sum(diff < 0) + np.sum(diff == 0) / 2", "(diff < 0)",
         "Return a count. Your `wins` says on which splits."),
        (" + np.sum(diff == 0) / 2", "", "Add one half for each tie. Your `wins` leaves ties out."),
        ("np.sum(diff == 0)", "np.any(diff == 0)", "Add one half for each tie. Your `wins` counts one tie at most."),
        ("np.sum(diff == 0) / 2", "np.sum(diff == 0)", "Add one half for each tie. Your `wins` counts a tie as a "
                                                       "whole win."),
    ],
    hints=["Everything comes from a - b.", "A negative difference is a win of a; 0 is half of one.",
           "diff.std(ddof=1) divides by m - 1."],
)


def claims(rng):
    for n, edges in ((6, [0, 0.5, 1]), (9, [0, 0.25, 0.75, 1]), (12, [0, 0.25, 0.5, 1]), (15, [0, 0.5, 0.75, 1])):
        p = np.concatenate([rng.uniform(low, high, n // 3).round(2) for low, high in pairwise(edges)])
        p = np.minimum(p, 0.99)
        p[: len(edges) - 1] = edges[:-1]
        order = rng.permutation(len(p))
        yield p[order], labels(rng, len(p)), np.array(edges)
    # Which way the claims are off, and in which bin the most, is certain here: too high in one, too low in the other.
    for low, high, y in ((0.4, 0.6, [-1] * 4 + [1] * 8), (0.1, 0.35, [1] * 6 + [-1] * 2 + [1] * 4)):
        p = np.concatenate([rng.uniform(*bounds, 4) for bounds in ((low, high), (0.7, 0.9), (0.92, 1))]).round(2)
        yield p, np.array(y, float), np.array([0, 0.65, 0.91, 1.01])


task(
    "reliable",
    returns=("claimed", "true", "gap"),
    cases=claims,
    mistakes=[
        ("(low <= p) & (p < high)", "(low < p) & (p <= high)",
         "Ask low <= p < high. Your bins include the upper edge and not the lower one."),
        ("p < high", "p <= high", "Ask low <= p < high. You put a claim on an edge into two bins."),
        ("low <= p", "low < p", "Ask low <= p < high. You put a claim on the lower edge into no bin."),
        ("(low <= p) & ", "", "Ask low <= p < high. Your bins have no lower edge."),
        ("np.array([p[b].mean() for b in bins])", "(edges[:-1] + edges[1:]) / 2",
         "Take the mean of the claims in each bin. Your `claimed` is the middle of the bin."),
        ("p[b].mean()", "np.median(p[b])", "Take the mean of the claims. Your `claimed` is a median."),
        ("np.mean(y[b] > 0)", "np.mean(y[b])", "Take the fraction of labels +1. Your `true` is the mean label."),
        ("np.mean(y[b] > 0)", "np.mean(p[b] > 0.5)",
         "Look at y, which says what is spam. Your `true` looks at the claims."),
        *(("np.mean(y[b] > 0)", f"np.sum(y[b] > 0) / {wrong}",
           "Divide by the number of emails in the bin. Your `true` divides by that of all bins.")
          for wrong in ("len(y)", "np.sum(y > 0)")),
        ("np.mean(y[b] > 0)", "np.sum(y[b] > 0)", "Return a fraction. Your `true` is a count."),
        ("np.mean(y[b] > 0)", "np.mean(y[b] < 0)",
         "Take the fraction of spam, y > 0. Your `true` is the fraction of ham."),
        ("np.max(np.abs(claimed - true))", "np.mean(np.abs(claimed - true))",
         "Take the largest difference. Your `gap` is a mean."),
        *(("np.max(np.abs(claimed - true))", wrong, "Take the size of each difference. Your `gap` looks only one way.")
          for wrong in ("np.max(claimed - true)", "np.max(true - claimed)")),
        ("p[b].mean()", "p[b].sum()", "Take the mean of the claims. Your `claimed` adds them up."),
        *(("np.mean(y[b] > 0)", f"np.mean((p[b] {above} 0.5) == (y[b] > 0))",
           "Take the fraction of spam. Your `true` is the fraction of right answers.") for above in (">", ">=")),
        ("np.max(np.abs(claimed - true))", "abs(np.max(claimed) - np.max(true))",
         "Take the differences first, then the largest in size. Your `gap` compares the largest of each."),
        ("np.max(np.abs(claimed - true))", "np.sum(np.abs(claimed - true) * [np.mean(b) for b in bins])",
         "Take the largest difference. Your `gap` is a weighted mean over the bins."),
        ("np.max(np.abs(claimed - true))", "np.abs(claimed - true)[-1]",
         "Take the largest difference. Your `gap` is that of the last bin."),
        ("np.max(np.abs(claimed - true))", "np.argmax(np.abs(claimed - true))",
         "Return how far the two are apart there. Your `gap` is the number of a bin."),
        ("np.max(np.abs(claimed - true))", "abs(np.mean(p) - np.mean(y > 0))",
         "Take the largest difference of all bins. Your `gap` is that of all emails together, where bins cancel."),
    ],
    hints=["A bin is a mask: (low <= p) & (p < high).", "With such a mask b, p[b].mean() is the mean claim, and "
                                                        "np.mean(y[b] > 0) the fraction of spam.",
           "np.max(np.abs(...)) of the differences is the gap."],
)


def strokes(rng):
    for d, kinds, alone in ((3, 2, False), (4, 2, True), (5, 2, False), (6, 3, False), (7, 3, True)):
        while True:
            stroke = rng.permutation(np.append(np.arange(kinds), rng.integers(kinds, size=d - kinds)))
            w, ink = rng.choice([-3, -2, -1, 1, 2, 4], d) / 2, rng.permutation([0.5, 1, 1.5, 2, 3, 4, 2.5])[:d]
            gone, size = int(rng.integers(d)), np.bincount(stroke)
            if (size[stroke[gone]] == 1) == alone and size.max() > 1 and (
                    np.abs(np.bincount(stroke, ink * w)).min() > 0.4 and not np.array_equal(stroke, np.sort(stroke))):
                break
        yield w, ink, stroke, gone


TOTAL, SMOOTH, SPARED, ROUGH = "total = np.bincount(stroke, ink * w)", \
    "smooth = ink * (total / np.bincount(stroke, ink**2))[stroke]", \
    "left * (total / squares)[stroke] if squares.all() else None", "np.sum((w - smooth) ** 2) / np.sum(w**2)"

task(
    "redraw",
    returns=("smooth", "spared", "rough"),
    cases=strokes,
    mistakes=[
        *((SMOOTH, f"smooth = {wrong}", sentence) for wrong, sentence in (
            ("(np.bincount(stroke, w) / np.bincount(stroke))[stroke]",
             "Keep the sum of ink times weight. You take the mean weight of a stroke."),
            ("(total / np.bincount(stroke, ink))[stroke]",
             "Give more weight where there is more ink, which does more for its weight. Your scores are right, but "
             "your weights are not the shortest."),
            ("(total / np.bincount(stroke))[stroke] / ink",
             "Let the weights grow with the ink. Your pixels contribute equally to the score, which makes the weights "
             "longer."),
            ("(total / np.bincount(stroke))[stroke]",
             "Take the ink into account when you divide the sum among the pixels. Your scores change."),
            ("ink * (total / np.bincount(stroke, ink))[stroke]",
             "Divide by the sum of the squared inks. With ink_j times c as weights, the sum is c times that of the "
             "squares."),
            ("ink * np.sum(total) / np.sum(ink**2)",
             "Keep the sum of each stroke. You share out one sum among all pixels."),
            ("(total / np.bincount(stroke, ink**2))[stroke]",
             "Make the weights ink_j times one number for each stroke. Yours lack the ink."),
            ("np.where(ink == np.array([ink[stroke == s].max() for s in range(len(total))])[stroke], "
             "total[stroke] / ink, 0)", "Divide the sum among the pixels, which makes the weights shorter. You put "
                                        "all of it on the pixel with the most ink."),
            ("w / np.sqrt(np.bincount(stroke, w**2))[stroke]",
             "Keep the scores. You scale the weights to the length 1, which changes them."),
        )),
        (SMOOTH, "smooth = ink * total[stroke]",
         "Divide by the sum of the squared inks of the stroke. You give the whole sum to every pixel."),
        ("return smooth,", "return smooth if squares.all() else None,",
         "Return `smooth` where no pixel can be spared, too. Yours is None there."),
        (TOTAL, "total = np.bincount(stroke, w)", "Multiply by the ink. A score is the sum of ink times weight, and "
                                                  "your sum lacks the ink."),
        *((SPARED, wrong, sentence) for wrong, sentence in (
            ("np.where(np.arange(len(w)) == gone, 0, smooth) if squares.all() else None",
             "Let the rest of the stroke make up for the pixel. Your `spared` gives other scores."),
            ("left * (np.bincount(stroke, left * w) / squares)[stroke] if squares.all() else None",
             "Let the others make up for what the pixel gave to its stroke's sum. Your `spared` has lost it."),
            ("np.where(np.arange(len(w)) == gone, 0, w) if squares.all() else None",
             "Let the rest of the stroke make up for the pixel. Your `spared` gives other scores."),
            ("(np.where(np.arange(len(w)) == gone, 0, w) + left * (stroke == stroke[gone]) * ink[gone] * w[gone] "
             "/ squares[stroke[gone]]) if squares.all() else None",
             "Take the shortest of all, in every stroke. Your `spared` changes w as little as can be."),
            ("np.where(left > 0, (total / np.bincount(stroke, left > 0))[stroke] / ink, 0) if squares.all() else None",
             "Let the weights grow with the ink. The pixels of your `spared` contribute equally, and that is not the "
             "shortest."),
            ("np.where(stroke == stroke[gone], left * (total / squares)[stroke], w) if squares.all() else None",
             "Take the shortest weights in all strokes. Your `spared` has them only in the stroke of `gone`."),
            ("np.delete(left * (total / squares)[stroke], gone) if squares.all() else None",
             "Keep the pixel in the list, with the weight 0. You leave it out."),
            *((f"left * (total / squares)[stroke]{more}",
              "Return None where the stroke of `gone` has no other pixel, because then it can't be spared.")
              for more in ("", " if squares.all() else smooth", " if squares.all() else 0 * w",
                                     " if squares.all() else left * (total / np.where(squares, squares, 1))[stroke]")),
        )),
        *((ROUGH, wrong, sentence) for wrong, sentence in (
            ("np.sum((w - smooth) ** 2)", "Divide by the squared length of w. Your `rough` is a squared length "
                                          "itself."),
            ("1 - np.linalg.norm(smooth) / np.linalg.norm(w)",
             "Compare squared lengths. Your `rough` compares lengths."),
            ("np.mean((w - smooth) ** 2)", "Divide one squared length by the other. Your `rough` is a mean."),
            ("np.sum((w - smooth) ** 2) / np.sum(smooth**2)",
             "Divide by the squared length of w. You divide by that of `smooth`."),
            ("np.sum((w - (smooth if spared is None else spared)) ** 2) / np.sum(w**2)",
             "Compare with `smooth`. Your `rough` compares with `spared`."),
            ("np.sum(np.abs(w - smooth)) / np.sum(np.abs(w))", "Add up squares. Your `rough` adds up sizes."),
        )),
        (SPARED, "np.where(np.arange(len(w)) == gone, 0, smooth)",
         "Let the rest of the stroke make up for the pixel. Your `spared` gives other scores."),
    ],
    hints=[
        "A score is the sum over the strokes of z_s times the sum of ink_j w_j in it, so this inner sum must stay. "
        "Take two pixels: of all pairs with the same ink_1 w_1 + ink_2 w_2, which is closest to (0, 0)?",
        "The closest one points along (ink_1, ink_2): w_j = c ink_j in each stroke. Which c keeps the sum?",
        "c is the sum of ink w over the sum of ink^2. For `spared` do the same with the ink at `gone` set to 0: "
        "np.bincount(stroke, values) adds up stroke by stroke.",
    ],
)

NUMBERS = (
    "capitalLong", "your", "charExclamation", "capitalAve", "charDollar", "remove", "capitalTotal", "free", "num000",
    "hp", "money", "you", "our", "george", "edu", "meeting",
)  # fmt: skip


def inboxes(rng):
    """Real emails: a part to learn from, and new ones that nothing handed over tells.

    Each inbox has its own units and zeros, so that a theta that is not carried back, or half, does not do by chance:
    the largest and the smallest numbers tell least, and there is as much spam as ham.
    """
    data = datasets.load("mail", features=NUMBERS)
    columns = data.X / data.X.std(axis=0)
    place = np.argsort(np.argsort(np.abs(data.y @ (columns - columns.mean(axis=0)))))
    for sign in (1.0, -1.0, 1.0, -1.0, 1.0):
        spam, ham = (rng.permutation(np.flatnonzero(data.y == label)) for label in (1, -1))
        first, new = (rng.permutation(np.append(spam[part], ham[part])) for part in (slice(75), slice(75, 153)))
        unit = np.where(place < 4, rng.permutation([-2, -2, 3, 3])[place % 4], rng.integers(0, 2, len(NUMBERS)))
        X = ((columns + rng.integers(2, 6, len(NUMBERS))).round(1) * 10.0**unit).round(3)
        X = X[:, rng.permutation(len(NUMBERS))]
        yield (X[first], sign * data.y[first], int(rng.integers(10**6))), (X[new], sign * data.y[new])


task(
    "project",
    returns="theta",
    cases=inboxes,
    accuracy=0.80,
    mistakes=[],  # judged by what theta does: checking/accuracy.py has the sentences
    hints=[
        "Standardize X by its own mean and spread, find a good theta there with any method of the course, and carry "
        "it back to raw features.",
        "Two methods work well: gradient descent on the logistic or hinge loss with a small L2 penalty (a few hundred "
        "steps, eta = 0.3), or least squares with an L2 penalty, which one call of np.linalg.solve finds.",
        "Put three parts together. Standardize X, run the steps of your method with a separate bias, and carry the "
        "result back: divide the weights by the spreads, and subtract w @ mean from the bias, with these new weights. "
        "A word that never occurs has the spread 0, so use 1 there.",
    ],
)
