"""Five losses, their slopes, the hinge bound, convexity by chords, least squares, a table by hand."""

import numpy as np

from coursekit.grading.draws import labels, quarters
from coursekit.grading.tasks import slips, solution, task, then

losses = solution("losses")


def agreements(rng):
    """Quarters, with both kinks among them."""
    yield (quarters(rng, 1) - 4,)
    for n in (3, 4, 6, 8):
        z = 3 * quarters(rng, n)
        z[:3] = 0.0, 1.0, -0.25 - rng.integers(0, 8) / 4
        yield (rng.permutation(z),)
    yield (rng.permutation(np.array([0.25, 0.5, 0.75, 1.25, 2.0, -0.5])),)


ZERO_ONE, PERCEPTRON, HINGE, LOGISTIC, SQUARED = (
    "np.where(z <= 0, 1, 0)", "np.maximum(0, -z)", "np.maximum(0, 1 - z)", "np.log(1 + np.exp(-z))", "(1 - z) ** 2"
)
IN_TABLE = [  # mistakes that also show in the table by hand
    (ZERO_ONE, "np.where(z < 0, 1, 0)",
     "Your `zero_one` misses z = 0: an agreement of exactly 0 is an error, z <= 0."),
    (PERCEPTRON, "-z", "Your `perceptron` lacks the max: for right examples, z > 0, it is 0 and not negative."),
    (PERCEPTRON, HINGE, "Your `perceptron` has its kink at 1: max(0, 1 - z) is the hinge loss."),
    (HINGE, "1 - z", "Your `hinge` lacks the max: beyond z = 1 it is 0 and not negative."),
    (HINGE, PERCEPTRON,
     "Your `hinge` has its kink at 0, which is the perceptron loss: the hinge loss asks for room, up to z = 1."),
    (SQUARED, "(1 + z) ** 2", "Your `squared` has the wrong sign inside: it is 0 at z = 1."),
    (SQUARED, "z ** 2", "Your `squared` is smallest at 0: (1 - z)^2 is smallest at z = 1."),
    (SQUARED, "(1 - z) ** 2 / 2", "Your `squared` has a factor 1/2, which it has not in this course: (1 - z)^2."),
    (SQUARED, "np.maximum(0, 1 - z) ** 2",
     "Your `squared` stops at z = 1: it also punishes what is too right, and grows again for z > 1."),
]

task(
    "losses",
    returns=("zero_one", "perceptron", "hinge", "logistic", "squared"),
    cases=agreements,
    mistakes=[
        *IN_TABLE,
        *((ZERO_ONE, wrong, sentence) for wrong, sentence in (
            ("np.where(z > 0, 1, 0)", "Your `zero_one` is upside down: it is 1 for an error, z <= 0, and 0 otherwise."),
            ("np.where(z >= 0, 1, 0)", "Your `zero_one` is upside down: it is 1 for an error, z <= 0, else 0."),
            ("np.where(z <= 1, 1, 0)", "Your `zero_one` jumps at 1: it jumps at 0, and an agreement of 0.5 is right."),
            ("np.where(z < 1, 1, 0)", "Your `zero_one` jumps at 1: it jumps at 0, and an agreement of 0.5 is right."),
            ("np.sign(z)", "Your `zero_one` is the sign of z: it is 1 for an error and 0 otherwise."),
            ("-np.sign(z)", "Your `zero_one` is a sign: it is 1 for an error and 0 otherwise."),
            ("np.abs(1 - np.sign(z))",
             "Your `zero_one` is 2 for an error: halve |1 - sign(z)|, and mind z = 0."),
            ("np.abs(1 - np.sign(z)) / 2", "Your `zero_one` is 1/2 at z = 0, where |1 - sign(z)| is 1: it is 1 there."),
        )),
        *((PERCEPTRON, wrong, sentence) for wrong, sentence in (
            ("np.maximum(0, z)", "Your `perceptron` has the wrong sign inside: it is max(0, -z), a price of errors."),
            ("np.minimum(0, z)", "Your `perceptron` is negative for errors: it is never negative, max(0, -z)."),
            ("np.minimum(0, -z)", "Your `perceptron` takes the smaller of 0 and -z: take the larger."),
            ("np.abs(z)", "Your `perceptron` punishes right examples too: for z > 0 it is 0."),
            (ZERO_ONE, "Your `perceptron` is 1 for every error: it measures by how much it is wrong, -z."),
        )),
        *((HINGE, wrong, sentence) for wrong, sentence in (
            ("np.maximum(0, 1 + z)", "Your `hinge` has the wrong sign inside: it is max(0, 1 - z)."),
            ("np.maximum(0, z - 1)", "Your `hinge` is turned round: it is max(0, 1 - z), 0 for large agreements."),
            ("np.minimum(0, 1 - z)", "Your `hinge` takes the smaller of 0 and 1 - z: take the larger."),
            ("1 + np.maximum(0, -z)", "Your `hinge` has the 1 outside the max: it belongs inside, max(0, 1 - z)."),
            ("1 - np.maximum(0, z)", "Your `hinge` has the 1 outside the max: it belongs inside, max(0, 1 - z)."),
            ("np.maximum(0, 1 - z) ** 2", "Your `hinge` is squared: it is max(0, 1 - z)."),
            ("np.where(z <= 0, 1 - z, 0)",
             "Your `hinge` stops too early: an agreement between 0 and 1 still costs 1 - z."),
            ("np.abs(1 - z)", "Your `hinge` punishes agreements above 1: it is 0 there."),
        )),
        *((LOGISTIC, wrong, sentence) for wrong, sentence in (
            ("np.log(1 + np.exp(z))",
             "Your `logistic` has the wrong sign in the exponent: log(1 + exp(-z)) falls with z."),
            ("np.log2(1 + np.exp(-z))", "Your `logistic` has base 2: take the natural logarithm, np.log."),
            ("np.log10(1 + np.exp(-z))", "Your `logistic` has base 10: take the natural logarithm, np.log."),
            ("1 + np.exp(-z)", "Your `logistic` lacks the logarithm: log(1 + exp(-z))."),
            ("np.log(np.exp(-z))", "Your `logistic` lacks the 1: log(exp(-z)) is only -z."),
            *((f"1 / (1 + np.exp({sign}z))", "Your `logistic` is the logistic function: the loss is log(1 + exp(-z)).")
              for sign in ("-", "")),
            ("-np.log(1 + np.exp(-z))",
             "Your `logistic` is negative: it is log(1 + exp(-z)), without a minus in front."),
            ("np.exp(-z)", "Your `logistic` is the exponential loss exp(-z): log(1 + exp(-z)) is asked for."),
        )),
        *((SQUARED, wrong, sentence) for wrong, sentence in (
            ("1 - z ** 2", "Your `squared` is 1 - z^2: take the square of the difference, (1 - z)^2."),
            ("np.abs(1 - z)", "Your `squared` is the size of 1 - z: it is its square."),
            ("1 - z", "Your `squared` is not squared: it is the square of 1 - z."),
            ("(1 - np.sign(z)) ** 2", "Your `squared` takes the sign of z: it takes z itself, (1 - z)^2."),
        )),
        (then(lambda parts: [np.mean(p) for p in parts]),
         "You take means: a loss is a number for each agreement, so each part has the shape of z."),
    ],
    hints=[
        "Three of the five are bent: np.where(condition, this, that) and np.maximum(0, ...) work entry by entry.",
        "z <= 0 is an error. perceptron measures -z where it is positive, hinge does the same with 1 - z.",
        "np.exp, np.log and ** work entry by entry too: no loop is needed. np.max and max look for one largest number; "
        "np.maximum compares entry by entry.",
    ],
)

SLOPES = "np.where(z <= 0, -1, 0)", "np.where(z <= 1, -1, 0)", "-1 / (1 + np.exp(z))", "-2 * (1 - z)"


def kinked(name, kink, loss):
    """What goes wrong with a slope that is -1 up to a kink and 0 beyond it."""
    other, your = 1 - kink, f"Your `{name}`"
    for wrong, sentence in (
        (f"np.where(z < {kink}, -1, 0)",
         f"{your} is 0 at its kink, z = {kink}: the slope of the left side counts, -1."),
        (f"np.where(z <= {kink}, 1, 0)", f"{your} has the wrong sign: the loss falls, so its slope is not +1."),
        (f"np.where(z < {kink}, 1, 0)",
         f"{your} has the wrong sign: the loss falls, so its slope is not +1; and mind the kink."),
        (f"np.where(z <= {other}, -1, 0)",
         f"{your} has its kink at {other}: it is at z = {kink}. Or is one array used for two of the slopes?"),
        (f"np.where(z < {other}, -1, 0)", f"{your} has its kink at {other}: it is at z = {kink}."),
        *((f"np.where(z {beyond} {kink}, -1, 0)",
           f"{your} is -1 on the right of its kink: there the loss is flat, on the left it falls.")
          for beyond in (">", ">=")),
        (f"np.where(z < {kink}, -1, np.where(z > {kink}, 0, -0.5))",
         f"{your} is -1/2 at its kink: a subgradient too, but here the slope of the left side counts, -1."),
        ("-np.ones(len(z))", f"{your} is -1 everywhere: for z > {kink} the loss is flat, and its slope is 0."),
        (loss, f"{your} is the loss itself: its slope is asked for."),
    ):
        yield SLOPES[kink], wrong, sentence


task(
    "slopes",
    returns=("perceptron", "hinge", "logistic", "squared"),
    cases=agreements,
    mistakes=[
        *kinked("perceptron", 0, PERCEPTRON),
        *kinked("hinge", 1, HINGE),
        *((SLOPES[2], wrong, sentence) for wrong, sentence in (
            ("1 / (1 + np.exp(z))",
             "Your `logistic` is positive: the loss falls, and the inner derivative, -exp(-z), brings a minus."),
            ("-1 / (1 + np.exp(-z))",
             "Your `logistic` has the wrong sign in the exponent: the slope goes to 0 for large z."),
            ("1 / (1 + np.exp(-z))",
             "Your `logistic` is the logistic function of z: by the chain rule -exp(-z) comes in as well."),
            ("-np.exp(-z)",
             "Your `logistic` is the inner derivative alone: the chain rule also divides by 1 + exp(-z)."),
            ("-np.exp(z) / (1 + np.exp(-z))",
             "Your `logistic` has exponents that do not agree: the inner derivative is -exp(-z)."),
            ("np.exp(-z) / (1 + np.exp(-z)) ** 2",
             "Your `logistic` is the slope of the logistic function: the slope of the loss is asked for."),
            (LOGISTIC, "Your `logistic` is the loss itself: its slope is asked for."),
        )),
        *((SLOPES[3], wrong, sentence) for wrong, sentence in (
            ("2 * (1 - z)",
             "Your `squared` has the wrong sign: by the chain rule (1 - z)^2 has the slope -2 (1 - z)."),
            ("z - 1", "Your `squared` lacks the factor 2: there is no 1/2 in front of (1 - z)^2."),
            ("1 - z", "Your `squared` lacks the factor -2: by the chain rule (1 - z)^2 has the slope -2 (1 - z)."),
            ("2 * z", "Your `squared` is 0 at z = 0: the loss is smallest at z = 1, so its slope is 0 there."),
            ("np.where(z <= 1, -2 * (1 - z), 0)",
             "Your `squared` stops at z = 1: beyond it the loss grows again, and the slope is positive."),
            ("np.minimum(0, z - 1)",
             "Your `squared` stops at z = 1: beyond it the slope is positive. The factor 2 is missing too."),
            *((f"{factor} * (1 + z)",
               "Your `squared` has the wrong sign inside: the loss is smallest at z = 1, so its slope is 0 there.")
              for factor in ("-2", "2")),
            (SQUARED, "Your `squared` is the loss itself: its slope is asked for."),
        )),
        (then(lambda parts: [parts[3]] * 4),
         "All four parts are the slopes of `squared`: one array was used for all of them, so make a new one for each."),
        (then(lambda parts: [np.mean(p) for p in parts]),
         "You take means: each part holds one slope for each agreement, in the shape of z."),
    ],
    hints=[
        "The bent losses are straight lines on both sides of their kink: what is the slope of -z, of 1 - z, of 0?",
        "At the kink itself the left side counts: use <=. For the two others use the chain rule.",
        "Chain rule: the derivative outside times that inside. Inside (1 - z)^2 is 1 - z, whose slope is -1; inside "
        "the logarithm is 1 + exp(-z), whose slope is -exp(-z). Draw the loss: where it falls, the slope is negative.",
    ],
)


def bound_cases(rng):
    for k, (n, d) in enumerate(((3, 1), (3, 2), (4, 2), (5, 3), (6, 2), (7, 1), (8, 2))):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), rng.choice([-1.0, 1.0], d)
            X[:2] = 0
            X[1, 0] = y[1] * theta[0]  # agreements of 0 and of 1
            total = np.maximum(0, 1 - y * (X @ theta)).sum()
            # whole totals, and fractions below and above one half
            if total > 1 and (total % 1 == 0, 0 < total % 1 < 0.5, total % 1 > 0.5)[k % 3]:
                break
        yield X, y, theta
    y = labels(rng, 3)
    yield -4.25 * y[:, None], y, np.ones(1)
    yield np.array([[2.0, 0.0], [0.0, -1.5], [0.75, 0.0]]), np.array([1.0, -1.0, 1.0]), np.array([1.0, 1.0])


AGREEMENT, ERRORS, TOTAL, MOST = "y * (X @ theta)", "np.sum(z <= 0)", "np.maximum(0, 1 - z).sum()", "int(total)"

task(
    "error_bound",
    returns=("mistakes", "total", "at_most"),
    cases=bound_cases,
    mistakes=[
        *((ERRORS, wrong, sentence) for wrong, sentence in (
            ("np.sum(z < 0)", "An agreement of exactly 0 is a mistake too: count z <= 0."),
            *((f"np.sum(z {right} 0)", "You count the right examples: count those with z <= 0.")
              for right in (">", ">=")),
            ("np.sum(z <= 1)", "You count examples that pay, z <= 1: a mistake is z <= 0."),
            ("np.sum(z < 1)", "You count examples that pay, z < 1: a mistake is z <= 0."),
            ("np.mean(z <= 0)", "Your `mistakes` is a fraction: the number of examples is asked for."),
            ("len(z <= 0)",
             "Your `mistakes` counts all examples: len() counts True and False alike, np.sum counts the True ones."),
            ("1 * (z <= 0)", "Your `mistakes` has an entry for each example: count them, np.sum(z <= 0)."),
        )),
        *((AGREEMENT, wrong, sentence) for wrong, sentence in (
            ("X @ theta", "The labels are missing: the agreement is y times the score."),
            ("-y * (X @ theta)", "The agreement has the wrong sign: it is y times the score."),
            ("y * np.sign(X @ theta)", "The agreement takes the score itself, not its sign."),
            ("y * (X[:, :-1] @ theta[:-1] + theta[-1])", "There is no offset here: the score is X @ theta."),
        )),
        *((TOTAL, wrong, sentence) for wrong, sentence in (
            ("np.maximum(0, 1 - z).mean()",
             "Your `total` is the mean of the hinge losses, which bounds the fraction of mistakes: take their sum."),
            (PERCEPTRON + ".sum()",
             "Your `total` adds up perceptron losses, which bound nothing: the hinge loss is max(0, 1 - z)."),
            ("(1 - z).sum()",
             "Your `total` lacks the max: examples beyond z = 1 must not make up for others."),
            ("max(0, (1 - z).sum())",
             "Your `total` takes the max once, of the sum: take it for each example, then add up."),
            ("((1 - z) ** 2).sum()", "Your `total` adds up squared losses: the hinge loss is max(0, 1 - z)."),
            ("(np.maximum(0, 1 - z) ** 2).sum()",
             "Your `total` adds up squares: the hinge loss is max(0, 1 - z), not squared."),
            ("(np.maximum(0, 1 - z) * (z <= 0)).sum()",
             "Your `total` leaves out right examples with z < 1: they have a hinge loss too."),
        )),
        (".sum()", "", MOST, "np.floor(total)",
         "Your `total` has an entry for each example: add up the hinge losses of all examples."),
        *((MOST, wrong, sentence) for wrong, sentence in (
            ("np.ceil(total)", "Your `at_most` is rounded up: with a total of 2.3 there cannot be 3 mistakes."),
            ("np.rint(total)",
             "Your `at_most` is rounded to the nearest: with a total of 2.7 there cannot be 3 mistakes."),
            ("total", "Your `at_most` is the total: a count is a whole number, so cut off what is behind the point."),
            ("np.ceil(total) - 1",
             "Your `at_most` is one too small where the total is a whole number: a total of exactly 2 allows 2 "
             "mistakes."),
            ("min(len(y), int(total))",
             "Your `at_most` stops at n: it comes from the total alone, leave it even above n."),
            ("int(total / len(y))", "Your `at_most` comes from the mean: it comes from the sum."),
            ("np.sum(z <= 0)",
             "Your `at_most` is the number of mistakes that were made: how many does the total allow, if it is all you "
             "know?"),
        )),
    ],
    hints=[
        "First the agreements, z = y * (X @ theta), one for each example. Everything else comes from z.",
        "A mistake is z <= 0. The hinge loss of one example is max(0, 1 - z): np.maximum works entry by entry.",
        "Every mistake costs at least 1. So how many can be paid with a total of 2.7, and how many with exactly 3?",
    ],
)


def dip_cases(rng):
    yield np.array([0.0, 1.0]), quarters(rng, 2)
    yield np.array([-1.0, 0.0, 2.0]), np.array([1.0, 0.0, 4.0]) * rng.integers(1, 4)
    for curve in (*(lambda z, k=k: losses(z)[k] for k in (2, 4, 0)), lambda z: np.sin(z).round(3)):
        z = np.sort(rng.choice(np.arange(-12, 13), 5, replace=False)) / 4
        yield z, 1.0 * curve(z)
    for n in (3, 4, 6, 7):
        z = np.cumsum(rng.choice([0.25, 0.5, 1.0, 1.5], n))
        yield z, 2 * quarters(rng, n)
    lopsided = np.array([0, 3, 0, 1, 1]) * rng.integers(1.0, 4)
    yield np.arange(5.0), lopsided
    yield np.arange(5.0), lopsided[::-1]
    # a long hump away from both ends: no three neighbours show its whole height
    yield np.arange(9) / 2 + rng.integers(3), np.array([6, 0, 0.5, 1, 1.25, 1, 0.5, 0, 6]) * rng.integers(2, 5)


LEFT, RIGHT, BETWEEN = "range(len(z))", "range(i + 2, len(z))", "range(i + 1, j)"
WEIGHT, KEEP = "(z[j] - z[k]) / (z[j] - z[i])", "worst = max(worst, g[k] - chord)"

task(
    "worst_dip",
    returns="depth",
    cases=dip_cases,
    mistakes=[
        ("g[k] - chord", "chord - g[k]",
         "You measure how far a chord lies above the curve: the curve minus the chord is asked for."),
        (WEIGHT, "(z[k] - z[i]) / (z[j] - z[i])",
         "The two ends of the chord are swapped: near z[i] the chord is near g[i]."),
        (WEIGHT, "0.5",
         "You take the middle of the chord, (g[i] + g[j]) / 2: take it at z[k], which need not be in the middle."),
        (WEIGHT, "(j - k) / (j - i)",
         "You go along the chord by counting entries: the z are not evenly spaced, so measure with z itself."),
        (RIGHT, "range(i + 2, min(i + 3, len(z)))",
         "You try chords between next but one neighbours alone: longer chords may dip deeper."),
        (LEFT, "range(1)", RIGHT, "range(max(2, len(z) - 1), len(z))",
         "You try one chord alone, from the first point to the last: try them between all pairs."),
        (LEFT, "range(1)", "All your chords begin at the first point: try them between all pairs."),
        (RIGHT, "range(max(i + 2, len(z) - 1), len(z))",
         "All your chords end at the last point: try them between all pairs."),
        (RIGHT, "range(i + 2, len(z) - 1)",
         "The last point is never an end of a chord: some range stops one too early."),
        (LEFT, "range(1, len(z))", "The first point is never an end of a chord: entries count from 0."),
        (BETWEEN, "range(i + 1, i + 2)",
         "You look at the first point behind the left end alone: look at all points between the two ends."),
        ("return worst", "return worst if len(z) > 2 else 0", "worst = 0.0", "worst = -np.inf",
         "Where no chord lies below the curve the answer is 0, not a negative number."),
        ("worst = 0.0", "worst = -np.inf",
         "Where no chord lies below the curve the answer is 0, also with fewer than three points: begin with 0."),
        (then(lambda depth: depth > 1e-9), "You return whether some chord dips below: the depth is asked for."),
        (then(lambda depth: depth <= 1e-9),
         "You return whether the table looks convex: the depth of the worst chord is asked for."),
        (KEEP, "worst += max(0, g[k] - chord)", "You add up the depths of all chords: the largest is asked for."),
        (KEEP, "worst = max(worst, abs(g[k] - chord))",
         "You also count chords above the curve, which is as it should be: leave the |...| out."),
        (KEEP, "worst = g[k] - chord", "You keep the last chord alone: keep the largest, max(worst, ...)."),
        ("g[k] - chord", "(g[k] - chord) / np.hypot(1, (g[j] - g[i]) / (z[j] - z[i]))",
         "You measure at a right angle to the chord: the depth is measured straight up."),
        (then(np.negative), "The depth is positive where a chord lies below the curve: your sign is wrong."),
    ],
    hints=[
        "Three loops: the left end i, the right end j behind it, and every point k between the two.",
        "At z[k] the chord is t g[i] + (1 - t) g[j], with t = 1 at z[i] and t = 0 at z[j]. Which t belongs to z[k]?",
        "t is the part of the way that is still left: from z[k] to the right end, divided by the whole way, both in z. "
        "Of all depths keep the largest, beginning with 0.",
    ],
)


def fit_cases(rng):
    for n, d in ((4, 1), (5, 2), (6, 1), (8, 3), (9, 2), (12, 2)):
        while True:
            y = labels(rng, n)
            X = (rng.normal(size=(n, d)) + 0.6 * y[:, None] + rng.normal(size=d)).round(1)
            Z = np.column_stack([X, np.ones(n)])
            if np.linalg.cond(Z) > 20:
                continue
            theta = np.linalg.lstsq(Z, y, rcond=None)[0]
            f = Z @ theta
            if 0 < np.sum(y * f <= 0) < n / 2 and np.abs(f).min() > 0.01 and np.abs(theta).min() > 0.05:
                break
        yield X, y


FOLDED, FIT, COUNT = (
    "np.column_stack([X, np.ones(len(X))])", "np.linalg.solve(Z.T @ Z, Z.T @ y)", "np.sum(y * (Z @ theta) <= 0)"
)
WEIGHTS = "np.linalg.solve(X.T @ X, X.T @ y)"

task(
    "least_squares",
    returns=("theta", "mistakes"),
    cases=fit_cases,
    mistakes=[
        (FOLDED, "X",
         "There is no offset: append the constant 1 to every x before you fit, so that theta has d + 1 entries."),
        (FIT, f"np.append({WEIGHTS}, 0)",
         "Your offset is 0: append the constant 1 to every x before you fit, so that it is fitted too."),
        (FIT, f"np.append({WEIGHTS}, y.mean())",
         "Your offset is only the mean label: append the constant 1 to every x and fit everything together."),
        (FOLDED, "np.column_stack([np.ones(len(X)), X])",
         "Your offset comes first: append the constant as the last column, so that the offset is last in theta."),
        *((FIT, wrong, sentence) for wrong, sentence in (
            ("np.linalg.solve(Z.T @ Z, Z.T @ (y + 1)) / 2", "You fit 0 and 1: the labels are -1 and +1, fit those."),
            ("Z.T @ y",
             "Your `theta` is Z'y alone: it still has to be divided, as a matrix, by Z'Z; np.linalg.solve does that."),
            ("(Z.T @ Z) @ (Z.T @ y)",
             "You multiply by Z'Z: solve Z'Z theta = Z'y, with np.linalg.solve or the inverse."),
            ("Z.T @ y / len(y)",
             "Your `theta` is Z'y divided by n: it has to be divided, as a matrix, by Z'Z; np.linalg.solve does that."),
            ("-np.linalg.solve(Z.T @ Z, Z.T @ y)",
             "Your `theta` has the wrong sign: the scores should be near y, not near -y."),
            ("np.linalg.solve(Z.T @ Z + np.eye(len(Z.T)), Z.T @ y)",
             "You add the identity to Z'Z, which penalises theta: no penalty is asked for."),
        )),
        *((COUNT, wrong, sentence) for wrong, sentence in (
            ("np.mean(y * (Z @ theta) <= 0)", "Your `mistakes` is a fraction: the number of examples is asked for."),
            ("np.sum(y * (Z @ theta) > 0)", "Your `mistakes` counts the right ones: count y f <= 0."),
            ("np.sum(np.abs(y - np.sign(Z @ theta)))", "|y - sign(f)| is 2 for a mistake: count each once."),
            ("np.sum((y - np.sign(Z @ theta)) ** 2)", "(y - sign(f))^2 is 4 for a mistake: count each once."),
            ("np.sum((y - Z @ theta) ** 2)", "You return the sum of squares: count the examples with y f <= 0."),
            ("np.mean((y - Z @ theta) ** 2)",
             "You return the mean squared loss: count the examples with y f <= 0."),
            ("len(y)",
             "Your `mistakes` is n: y never equals the score exactly, and len() counts True and False alike; count the "
             "examples with y f <= 0."),
            ("np.sum(Z @ theta <= 0)", "You count negative scores: a mistake depends on the label, y f <= 0."),
            ("np.sum(y * (X @ theta[:-1]) <= 0)", "The scores that you judge lack the offset: f = theta . (x, 1)."),
            ("1 * (y * (Z @ theta) <= 0)", "Your `mistakes` has an entry for each example: count them with np.sum."),
        )),
    ],
    hints=[
        "Append the constant 1 to every x, as in exercise 1, and call the matrix Z. Then there is no offset any more.",
        "The minimum is where Z'Z theta = Z'y (Z' is Z.T). np.linalg.solve and np.linalg.lstsq both find it.",
        "np.linalg.solve(A, b) finds the v with A v = b: here A has shape (d + 1, d + 1). The scores are Z @ theta.",
    ],
)


def table(z, wrong):
    """The table by hand with something wrong in it."""
    y, f = np.array([1, -1, -1, -1]), np.array([4, 0.2, 0, -1.5])
    space = {"np": np, "z": eval(z, {"np": np, "y": y, "f": f})}
    columns = (eval(wrong.get(curve, curve), space) for curve in (ZERO_ONE, PERCEPTRON, HINGE, SQUARED))
    rows = np.column_stack([space["z"], *columns])
    return lambda: (*rows, 7, 3)


task(
    "loss_table",
    returns=("row a", "row b", "row c", "row d", "at most", "grows"),
    mistakes=[
        *((table("y * f", {right: wrong}), sentence) for right, wrong, sentence in IN_TABLE),
        (table("f", {}),
         "Your first column is the score: the agreement is y f, and all losses are losses of the agreement."),
        (table("-y * f", {}),
         "Your agreements have the wrong sign: z = y f, positive when the prediction is right."),
        (table("y * np.sign(f)", {}),
         "Your agreements are those of the predictions: multiply y by the score itself."),
        *slips(
            "at most",
            (8, "At most: 50 times 0.15 is 7.5, and 8 mistakes would cost at least 8."),
            (7.5, "At most: a number of mistakes is a whole number."),
            (0, "At most: the mean is below 1, but the bound counts with the sum of the losses, n times the mean."),
            (0.15, "At most: 0.15 bounds the fraction of mistakes, and the number among 50 examples is asked for."),
            (50, "At most: the hinge losses say more, every mistake costs at least 1."),
        ),
        *slips(
            "grows",
            (1, "Half of theta gives the same predictions: the zero-one loss stays 0."),
            (2, "The agreement falls from 4 to 2, still above 1: the hinge loss stays 0."),
            (4, "The agreement falls from 4 to 2, nearer to 1: the squared loss falls, from 9 to 1."),
            (0, "One of them grows: look at log(1 + exp(-z)) at z = 4 and at z = 2."),
        ),
    ],
    hints=[
        "First the agreement z = y f. After that the label plays no part any more.",
        "zero_one: 1 where z <= 0. perceptron: -z where that is positive. hinge: 1 - z where that is positive. "
        "squared: (1 - z)^2, also beyond 1.",
        "In row b z is below 0, in row d above 1. Question 5: what is the sum of the 50 losses, and what does one "
        "mistake cost at least? Question 6: the agreement falls from 4 to 2.",
    ],
)
