"""A fan of gradients, stochastic descent, step sizes judged, nearer or not, mini-batches to mend, averaged workers, the
worst order, one pass over mails."""

import itertools
import re

import numpy as np

from coursekit.core import datasets
from coursekit_grade.draws import labels, quarters
from coursekit_grade.tasks import solution, task, then

sgd, average, epochs = solution("sgd"), solution("average"), solution("epochs")

# What an example does to theta, in the letters of one step, and what people write instead.
TEST, PULL, SCORE = "y * f <= 1", "y * np.append(x, 1)", "theta[:-1] @ x + theta[-1]"
PERCEPTRON = "Only wrong examples pull in your answer, as in the perceptron: the hinge loss pulls up to y f = 1."
TURNED = "Your test is the wrong way round: an example pulls while y f <= 1, and beyond that it is silent."
UPHILL = "The pull has the wrong sign: a step against the slope -y (x, 1) adds y (x, 1)."
NEVER = [(TEST, "y * f > 1", TURNED), (TEST, "y * f >= 1", TURNED)]
BELOW_0 = (TEST, "y * f < 0", "Only wrong examples pull in your answer, and not even those with f = 0: the hinge loss "
           "pulls up to y f = 1.")
RULES = [
    (TEST, "y * f < 1", "At the kink, y f = 1, the example still pulls: test y f <= 1, not y f < 1."),
    (TEST, "y * f <= 0", PERCEPTRON),
    (TEST, "True", "Every example pulls in your answer: with y f > 1 it is silent."),
    (TEST, "f <= 1", "Your test looks at the score f alone: the agreement is y f."),
    (TEST, "y * (f - theta[-1]) + theta[-1] <= 1",
     "The label multiplies the whole score, its offset included: y * (w . x + offset), with brackets."),
    (PULL, "np.append(x, 1)", "The pull lost its label: it is y (x, 1)."),
    (PULL, "(y - f) * np.append(x, 1)",
     "The pull is y (x, 1), however large the loss: y - f, which is y (1 - y f), belongs to least squares."),
    (PULL, "y * np.append(x, 0)",
     "The offset is never pulled: it is the weight of the constant attribute 1, so it gets y."),
    (PULL, "np.append(y * x, 1)", "The offset is pulled by 1: it must be y, which is -1 for a negative example."),
    (PULL, "y * np.append(1, x)",
     "Your pull has the constant first: the offset is the last entry of theta, so the 1 comes behind x."),
    (SCORE, "theta[:-1] @ x", "The score misses the offset: f = theta . (x, 1)."),
    (SCORE, "theta[1:] @ x + theta[0]", PULL, "y * np.append(1, x)",
     "Your offset comes first: here it is the last entry of theta."),
]



def fans(rng):
    for n, d, b in ((2, 1, 1), (3, 1, 2), (4, 2, 3), (5, 2, 1), (6, 3, 4), (5, 1, 10)):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), quarters(rng, d + 1)
            theta[0] = rng.choice([-1.0, 1.0])
            X[0, 0] -= theta[0] * (X[0] @ theta[:-1] + theta[-1] - y[0])  # agreement 1: on the kink
            f = X @ theta[:-1] + theta[-1]
            z, without = y * f, y * (f - theta[-1])
            kinds = n < 4 or all(map(np.any, ((z > 0) & (z < 1), z > 1, z < 0, (f <= 1) != (z <= 1),
                                              (without <= 1) != (z <= 1))))
            if X[0].any() and theta.all() and kinds and np.sum(z <= 1) > 1:
                break
        yield rng.permutation(n), X, y, theta, b


def shuffled(cases):
    """The example on the kink is not always the first."""
    for order, X, y, *more in cases:
        yield X[order], y[order], *more


PULLS, EACH, NOISE = "Z @ theta <= 1, -1, 0", "slopes.mean(axis=0)", "spread / b"
SPREAD = "np.sum((slopes - mean) ** 2, axis=1).mean()"

task(
    "fan",
    returns=("slopes", "mean", "noise"),
    cases=lambda rng: shuffled(fans(rng)),
    mistakes=[
        *((PULLS, wrong, sentence) for wrong, sentence in (
            ("Z @ theta < 1, -1, 0", "At the kink, z = 1, the example still pulls: z <= 1."),
            ("Z @ theta <= 0, -1, 0",
             "Only wrong examples pull in yours, as in the perceptron: the hinge loss pulls up to z = 1."),
            ("Z @ theta <= 99, -1, 0", "All examples pull in yours: with z > 1 the gradient is 0."),
            ("Z @ theta <= 1, 1, 0", "Your gradients point down: that of an example that pulls is -y (x, 1)."),
            ("Z @ theta > 1, -1, 0", "Your test is the wrong way round: examples with z <= 1 pull."),
            ("y * (Z @ theta) <= 1, -1, 0", "Your test looks at the score: the agreement is y f."),
            ("Z[:, :-1] @ theta[:-1] <= 1, -1, 0", "The score misses the offset: f = theta . (x, 1)."),
            ("Z @ theta <= 1, Z @ theta - 1, 0",
             "Your gradients are multiplied by the loss: an example that pulls does so by -y (x, 1), whatever its "
             "loss."),
        )),
        ("y[:, None] * np.column_stack([X, np.ones(len(X))])",
         "np.column_stack([X, np.ones(len(X))])", PULLS, "y * (Z @ theta) <= 1, -1, 0",
         "Your gradients lack the label: an example that pulls has -y (x, 1)."),
        ("np.ones(len(X))", "np.zeros(len(X))", PULLS, "Z @ theta + y * theta[-1] <= 1, -1, 0",
         "The offset has no gradient in yours: it is the weight of the constant attribute 1."),
        ("np.ones(len(X))", "y", PULLS, "Z @ theta + (y - 1) * theta[-1] <= 1, -1, 0",
         "The gradient of the offset is -y in an example that pulls, not -1: the label multiplies the 1 as well."),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]",
         "Your constant comes first: the offset is the last entry of theta, so the column of ones comes last."),
        (then(slopes=lambda slopes: slopes[:, :-1], mean=lambda mean: mean[:-1]),
         "The offset's entries are missing: a gradient has d + 1 entries, like theta."),
        ("    mean = ", "    slopes = slopes[Z @ theta <= 1]\n    mean = ",
         "Your `slopes` leave the silent examples out: each has a row too, of zeros, and counts in the mean."),
        (then(mean=lambda _, slopes: np.mean(slopes, axis=1)),
         "Your `mean` is over the entries of each gradient: it is over the examples, axis=0."),
        *((EACH, wrong, sentence) for wrong, sentence in (
            ("slopes.sum(axis=0)", "Your `mean` is a sum: the risk is the mean loss, so divide by n."),
            ("slopes.mean()", "Your `mean` is one number: take the mean over the examples alone, axis=0."),
            ("slopes.sum(axis=0) / b", "Your `mean` divides by b: the gradient of the risk is over all n."),
            ("slopes.sum(axis=0) / max(1, slopes.any(axis=1).sum())",
             "Your `mean` is over the examples that pull: it is over all n."),
        )),
        *((NOISE, wrong, sentence) for wrong, sentence in (
            ("spread", "Your `noise` is that of a single example: what does the mean of b draws make of it?"),
            ("spread / b**2", "Your `noise` divides by b squared: so does each term, but there are b of them."),
            ("spread / np.sqrt(b)", "Your `noise` divides by the root of b: that is right for distances, not for their "
             "squares."),
            ("spread * b", "Your `noise` grows with b: the mean of more draws strays less."),
            ("np.sum((slopes[:b].mean(axis=0) - mean) ** 2)",
             "Your `noise` is that of one batch, the first b rows: take the mean over all draws."),
            ("spread / len(X)", "Your `noise` divides by n: b examples are drawn."),
            ("spread / b * len(X) / max(1, len(X) - 1)",
             "Your `noise` divides by n - 1: the draws come from these n examples, so the plain mean is exact."),
            ("spread / b * (len(X) - b) / max(1, len(X) - 1)",
             "Your `noise` is that of draws without repetition: here the same example may come twice."),
        )),
        *((SPREAD, wrong, sentence) for wrong, sentence in (
            ("np.linalg.norm(slopes - mean, axis=1).mean() ** 2",
             "Your `noise` squares the mean distance: take the mean of the squared distances."),
            ("np.sum((slopes - mean) ** 2, axis=1).sum()",
             "Your `noise` adds up over the examples: each is drawn with probability 1/n, so take the mean."),
            ("np.sum(slopes**2, axis=1).mean()",
             "Your `noise` measures from 0: the distance is that from the gradient of the risk."),
            ("np.mean((slopes - mean) ** 2)",
             "Your `noise` takes the mean over the entries too: a squared length is a sum of squares."),
            ("np.linalg.norm(slopes - mean, axis=1).mean()",
             "Your `noise` takes distances: square them before the mean is taken."),
            ("np.sum((slopes - mean) ** 2, axis=1).max()",
             "Your `noise` is that of the example furthest off: take the mean over all of them."),
            ("(np.sum(slopes**2) / len(X) - mean @ mean / b)",
             "In your `noise` the square of the mean is divided by b once more: only the spread around it shrinks."),
        )),
    ],
    hints=[
        "The gradient of an example is -y (x, 1) if it pulls, else 0. The gradient of the risk is their mean.",
        "b = 1: each example is drawn with probability 1/n. How far, squared, is its gradient from the mean? For more "
        "draws: errors of independent draws multiply to 0 on average.",
        "So the squared error of a sum of b draws is b times that of one. The mean is the sum divided by b: what "
        "happens to the square?",
    ],
)

RISK = "np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1])).mean()"
WRONG_RISKS = [
    (RISK, RISK.replace("mean", "sum"), "Your risks are sums: the risk is the mean hinge loss."),
    (RISK, "np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0)",
     "Your risks are training errors: take the mean hinge loss."),
    (RISK, RISK.replace("1 -", "-"), "Your risks are means of the perceptron loss: the hinge loss is max(0, 1 - z)."),
    (RISK, "(1 - y * (X @ theta[:-1] + theta[-1])).mean()",
     "Your risks lack the max of each example: max(0, 1 - z) comes first, the mean after it."),
    (RISK, "max(0, (1 - y * (X @ theta[:-1] + theta[-1])).mean())",
     "Your risks take the max of the mean: max(0, 1 - z) of each example comes first, the mean after it."),
    (RISK, RISK.replace(" + theta[-1]", ""), "Your risks lack the offset: f = theta . (x, 1)."),
    (RISK, RISK.replace("y * ", ""), "Your risks lack the labels: the agreement is y f."),
    (RISK, RISK.replace("theta[:-1] + theta[-1]", "theta[1:] + theta[0]"),
     "Your risks take the first entry of theta for the offset: it is the last."),
    (RISK, "((y - (X @ theta[:-1] + theta[-1])) ** 2).mean()",
     "Your risks are means of the squared loss: the hinge loss is max(0, 1 - z)."),
    (RISK, f"({RISK.removesuffix('.mean()')} ** 2).mean()",
     "Your risks have squares: the hinge loss is max(0, 1 - z)."),
    (RISK, "np.log(1 + np.exp(-y * (X @ theta[:-1] + theta[-1]))).mean()",
     "Your risks are means of the logistic loss: the hinge loss is max(0, 1 - z)."),
]


def sgd_cases(rng):
    # exactly on the kink at the second visit, silent at the third
    yield np.array([[2.0], [0.0]]), np.array([1.0, 1.0]), np.array([0, 1, 0]), 1.0
    for n, d, steps, wanted in ((3, 1, 4, "start"), (4, 2, 5, "middle"), (5, 2, 5, "any"), (5, 3, 5, "any")):
        while True:
            case = quarters(rng, n, d), labels(rng, n), rng.integers(n, size=steps), float(rng.choice([0.5, 2.0]))
            best, rules = clear(*case)
            if rules == 4 if wanted == "any" else rules and (best == 0) == (wanted == "start") and best < steps - 1:
                break
        yield case


def clear(X, y, examples, eta0):
    """The best row, and how many rules for a pull can be told apart: 0 if rounding decides anything."""
    thetas, risks, best = map(np.array, sgd(X, y, examples, eta0))
    y, offset = y[examples], thetas[:-1, -1]
    z = y * ((X[examples] * thetas[:-1, :-1]).sum(axis=1) + offset)
    others = risks[(thetas != thetas[best]).any(axis=1)]
    kinds = ((z[:-1] > 1) & (z[1:] < 1)).any() and ((z > 0) & (z < 1)).any()
    if not kinds or np.abs(z - 1).min() < 0.02 or np.any(others < risks[best] + 0.01):
        return best, 0
    without = z - y * offset
    return best, len({tuple(agreement <= 1) for agreement in (z, y * z, without, without + offset)})


def in_sgd(rule):
    """A rule as the loop of sgd writes it."""
    names = {"x": "X[i]", "y": "y[i]", "f": "(theta[:-1] @ X[i] + theta[-1])"}
    return (*(re.sub(r"\b[xyf]\b", lambda found: names[found[0]], text) for text in rule[:-1]), rule[-1])


SAME_ARRAY = (
 "the list holds the same array again and again; theta = theta + ... makes a new one, theta += ... does not.")
STILL = "Your theta never moves: at the start every agreement is 0, and an example pulls up to y f = 1."

task(
    "sgd",
    returns=("thetas", "risks", "best"),
    cases=sgd_cases,
    mistakes=[
        *map(in_sgd, RULES),
        *(in_sgd((*rule[:-1], STILL)) for rule in (BELOW_0, *NEVER)),
        in_sgd((PULL, f"-{PULL}", UPHILL)),
        ("eta0 / (k + 1)", "eta0", "Your step size does not shrink: eta_k = eta0 / (k + 1)."),
        ("eta0 / (k + 1)", "eta0 / (k + 2)", "Your first step is eta0 / 2: k counts from 0, so eta_0 = eta0."),
        ("= [theta]", "= [theta]; count = 0", "theta = theta + eta0 / (k + 1)",
         "count += 1; theta = theta + eta0 / count",
         "Your k counts the pulls: it counts every visit, silent ones as well."),
        ("eta0 / (k + 1)", "eta0 / (k + 1) ** 0.5",
         "Your steps shrink like 1/sqrt(k + 1): here it is eta0 / (k + 1)."),
        ("eta0 / (k + 1) * y", "eta0 * y", "    if y[i]", "    eta0 = eta0 / (k + 1)\n        if y[i]",
         "Each of your step sizes divides the one before: eta0 / (k + 1) is computed from eta0."),
        ("eta0 / (k + 1)", "1 / (k + 1)", "You ignore eta0: eta_k = eta0 / (k + 1)."),
        ("eta0 / (k + 1)", "eta0 / max(k, 1)", "Your first two steps are alike: divide by k + 1, with k from 0."),
        ("eta0 / (k + 1)", "eta0 / (i + 1)", "You divide by the row number: k counts the steps."),
        ("eta0 / (k + 1)", "eta0 / len(examples)",
         "You divide by the number of steps: step k has the size eta0 / (k + 1)."),
        ("eta0 / (k + 1) * y", "eta0 / (k + 1) / len(X) * y",
         "You divide the gradient of the example by n: a step goes against it as it is."),
        ("theta = theta + eta0 / (k + 1)", "eta0 = eta0 / (k + 1)\n            theta = theta + eta0",
         "Each of your step sizes divides the one before: eta0 / (k + 1) is computed from eta0."),
        ("enumerate(examples)", "enumerate(np.arange(len(examples)) % len(X))",
         "You visit the rows in their order: step k visits row examples[k]."),
        ("enumerate(examples)", "enumerate(examples - 1)",
         "You visit the row before: examples holds row numbers that count from 0."),
        (*in_sgd((TEST, "y * f <= 0", ""))[:2], "eta0 / (k + 1) * ", "",
         "That is the perceptron: here an example pulls up to y f = 1, with the step size eta0 / (k + 1)."),
        (*in_sgd((TEST, "True", ""))[:2], "y[i] * np.append(X[i], 1)",
         "(y * (y * (X @ theta[:-1] + theta[-1]) <= 1)) @ np.column_stack([X, np.ones(len(X))]) / len(X)",
         "Every step looks at all examples: step k looks at row examples[k] alone."),
        (then(thetas=lambda t: t[1:]),
         "The start is missing: row 0 of thetas is the start, so there is one row more than there are steps."),
        (then(thetas=lambda t: t[:-1]), "The last theta is missing: there is one row more than there are steps."),
        ("        thetas.append(theta)", "            thetas.append(theta)",
         "Silent visits have a row too: theta as it was, once more."),
        ("theta = theta + eta0", "theta += eta0", "thetas = [theta]", "thetas = [theta.copy()]",
         f"All rows behind the start are the last theta: {SAME_ARRAY}"),
        ("theta = theta + eta0", "theta += eta0", f"All rows are the last theta: {SAME_ARRAY}"),
        *WRONG_RISKS,
        (RISK, RISK.replace("y * (X", "y[examples] * (X[examples]"),
         "Your risks are means over the visits: the risk is over all examples, each of them once."),
        (then(risks=lambda _, thetas, X, y, examples: np.append(1, [
            max(0, 1 - y[i] * (t[:-1] @ X[i] + t[-1])) for t, i in zip(thetas[1:], examples, strict=True)])),
         "Your risks are losses of the example that was visited: the risk is the mean over all examples."),
        (then(risks=lambda _, thetas, X, y: np.mean(
            [np.maximum(0, 1 - y * (X @ t[:-1] + t[-1])) for t in thetas], axis=0)),
         "Your risks are means over the thetas: that of each theta is the mean over the examples."),
        (then(risks=np.minimum.accumulate),
         "Your risks are the best so far: return the risk of each theta itself, best comes after it."),
        (then(risks=lambda r: r[1:]),
         "The risk of the start is missing: risks has as many entries as thetas has rows."),
        *((then(best=change), sentence) for change, sentence in (
            (lambda _, risks: 1 + np.argmin(risks[1:]),
             "The start counts too: if no later theta has a lower risk, best is 0."),
            (lambda _, risks: len(risks) - 1,
             "Your `best` is the last row: stochastic descent goes up and down, so look for the lowest risk."),
            (lambda _, risks: np.argmax(risks),
             "Your `best` is the row with the highest risk: take the lowest."),
            (lambda _, risks: len(risks) - 1 - np.argmin(risks[::-1]),
             "Of several rows with the same lowest risk the first is best."),
            (lambda _, risks: min(risks), "Your `best` is the lowest risk itself: return the number of its row."),
            (lambda best, thetas: thetas[best], "Your `best` is the theta itself: return the number of its row."),
        )),
        ("enumerate(examples)", "enumerate(range(len(X)))",
         "Your steps go through the rows of X: step k uses the example examples[k]."),
        ("np.zeros(", "np.ones(", "You begin at 1: begin with a theta of zeros."),
        ("np.argmin(risks)", "np.argmin(risks[1:])",
         "Your `best` counts the rows behind the start: the start is row 0, and it counts too."),
    ],
    hints=[
        "for k, i in enumerate(examples): gives the number k of the step and the row i that it visits. An example "
        "that pulls adds its share of y (x, 1).",
        "Put theta into a list before the loop, and append it after every visit, also after a silent one.",
        "Only then come the risks: for every theta in the list the mean of max(0, 1 - z) over all rows of X; "
        "np.maximum takes it entry by entry. numpy also tells where a list is lowest.",
    ],
)


def size_cases(rng):
    yield 0.5, 1, 2  # the example in the text, whole numbers and all
    yield 3, 2, 4
    for power, steps in (
        (0.0, 3), (1.0, 2), (0.5, 4), (2.0, 5), (0.75, 7), (1.5, 6), (1.0, 20), (0.4, 2), (1.1, 3), (0.6, 4)
    ):
        yield float(rng.choice([0.1, 0.3, 0.5, 0.7, 2.0, 3.0])), power, steps


VERDICT = "2 if power > 1 else 1 if 2 * power > 1 else 3"
RATES = "eta0 / (np.arange(steps) + 1) ** power"

task(
    "step_sizes",
    returns=("rates", "reach", "noise", "verdict"),
    cases=size_cases,
    mistakes=[
        *((RATES, rates.replace("k", "np.arange(steps)"), sentence) for rates, sentence in (
            ("eta0 / (k + 2) ** power",
             "Your rates begin with k = 1: k counts from 0, so that the first step is eta0."),
            ("eta0 / k ** power", "Your first rate divides by 0: it is eta0 / (k + 1)^power, with k from 0."),
            ("eta0 / np.maximum(k, 1) ** power",
             "Your first two rates are alike: divide by (k + 1)^power, with k from 0."),
            ("eta0 * power ** k", "You take a power of `power`: here it is the exponent, (k + 1)^power."),
            ("eta0 / (k + 1) ** int(power)", "You cut the power to a whole number: it may be 0.5."),
            ("eta0 / steps ** power + 0 * k", "You divide by the number of steps: step k is divided by (k + 1)^power."),
            ("(eta0 / (k + 1)) ** power",
             "Here eta0 stays outside the power: eta0 / (k + 1)^power, not (eta0 / (k + 1))^power."),
            ("eta0 / (power * (k + 1))", "The power is a power: (k + 1)^power, not power times (k + 1)."),
            ("eta0 / (k + 1) * power", "You multiply by the power: it is an exponent, (k + 1)^power."),
            ("eta0 / (k ** power + 1)", "The power goes with k + 1 as a whole: (k + 1)^power, not k^power + 1."),
            ("eta0 / (k + 1)", "The power is ignored: eta0 / (k + 1)^power."),
            ("eta0 * (k + 1.0) ** power", "Your rates grow: divide by (k + 1)^power."),
            ("1 / (k + 1) ** power", "The factor eta0 is missing: it multiplies every rate."),
            ("eta0 + 0 * k", "Your rates do not shrink: divide by (k + 1)^power."),
            ("eta0 / np.cumprod((k + 1.0) ** power)",
             "Each of your rates divides the one before: eta0 / (k + 1)^power is computed from eta0."),
        )),
        (RATES, "(eta0 - np.arange(steps) * power)",
         "You take the power away again and again: divide by (k + 1)^power."),
        (RATES, "eta0 * (np.arange(steps) + 1) * power", "Your rates grow: divide by (k + 1)^power."),
        ("np.arange(steps)", "np.arange(steps - 1)", "The last rate is missing: k runs from 0 to steps - 1."),
        ("np.arange(steps)", "np.arange(steps + 1)", "There is one rate too many: k runs from 0 to steps - 1."),
        *((then(reach=change), sentence) for change, sentence in (
            (lambda _, rates: np.mean(rates), "Your `reach` is the mean of the rates: take their sum."),
            (lambda _, rates: rates[-1], "Your `reach` is the last rate: take the sum of all."),
            (lambda _, noise: noise, "Your `reach` is the sum of the squares: take the plain sum."),
        )),
        *((then(noise=change), sentence) for change, sentence in (
            (lambda _, reach: reach**2, "Your `noise` squares the sum: square each rate first, then add up."),
            (lambda _, rates: np.mean(rates**2), "Your `noise` is the mean of the squares: take their sum."),
            (lambda noise, rates: noise / rates[0],
             "In your `noise` eta0 is not squared: square the whole rate."),
            (lambda _, reach: reach, "Your `noise` adds up the rates themselves: square each first."),
        )),
        *((VERDICT, wrong, sentence) for wrong, sentence in (
            ("2 if power > 1 or power == 0 else 1 if 2 * power > 1 else 3",
             "Your `verdict` calls the sums of a constant step finite: with power 0 they grow without end."),
            ("2 if power >= 1 else 1 if 2 * power > 1 else 3",
             "Your `verdict` calls 1 + 1/2 + 1/3 + ... finite: it grows without end, slowly, like the logarithm."),
            ("2 if power > 1 else 1 if 2 * power >= 1 else 3",
             "Your `verdict` forgets that with power 1/2 the squares are 1 + 1/2 + 1/3 + ..., which has no limit."),
            ("2 if power >= 1 else 1 if 2 * power >= 1 else 3",
             "Your `verdict` takes 1 + 1/2 + 1/3 + ... for finite, in steps and in their squares: it has no limit."),
            ("3 if power > 1 else 1 if 2 * power > 1 else 2",
             "Your `verdict` is turned round: steps that shrink too fast have a finite sum, 2."),
            ("2 if power > 1 else 1 if power == 1 else 3",
             "Your `verdict` lets 1/(k + 1) alone pass: with power 0.75 the squares are 1/(k + 1)^1.5, a finite sum."),
            ("2 if power > 1 else 1 if power else 3",
             "Your `verdict` is 3 for a constant step alone: up to power 1/2 the squares add up to infinity."),
            ("2 if power > 1 else 1", "Your `verdict` never looks at the squares: their sum must be finite."),
            ("1 if power > 0.5 else 3",
             "Your `verdict` lets powers above 1 pass: there the sum of the steps is finite."),
            ("1", "Your `verdict` is always 1: with power 0 the steps never shrink, and with 2 they end too soon."),
            ("2 if rates.sum() < 3 else 1 if (rates**2).sum() < 3 else 3",
             "Your `verdict` looks at the sums so far: what do they do when the schedule goes on for ever?"),
        )),
    ],
    hints=[
        "np.arange(steps) gives k = 0, 1, ..., steps - 1. What must the first rate be?",
        "The whole array of rates comes in one line: eta0 divided by a power of another array. Mind the brackets.",
        "An array adds itself up with .sum(). For noise every rate is squared before that, eta0 included. The sum of "
        "1/k^q over all k is finite just where q > 1: ask that of the steps, and of their squares.",
    ],
)


def goals(rng):
    """A step that comes nearer and one that does not, a goal that the example does not like, an agreement of 1."""
    for d, wanted in (
        (1, "nearer"), (2, "farther"), (2, "nearer"), (3, "against"), (2, "kink"), (2, "poor"), (3, "nearer")
    ):
        while True:
            theta, x, star, y = quarters(rng, d + 1), quarters(rng, d), quarters(rng, d + 1), float(rng.choice([-1, 1]))
            eta, point = float(rng.choice([0.25, 0.5, 0.125])), np.append(x, 1)
            z, there = y * (theta @ point), y * (star @ point)
            if z > 1 or (z == 1) != (wanted == "kink") or there == z or not x.any() or z == 0:
                continue
            change, *_ = nearer(theta, x, y, eta, star)
            kind = "against" if there < z else "poor" if there < 1 else "nearer" if change < 0 else "farther"
            if wanted in (kind, "kink") and change and (there > 1.2 or kind in ("poor", "against")):
                break
        yield theta, x, y, eta, star


nearer = solution("nearer")
TOWARDS, CHANGE = "g @ (theta - star)", "-2 * eta * towards + eta**2 * (g @ g)"
NEAREST, SAFE = "max(0, towards / (g @ g))", "max(0, 2 * gain / (g @ g))"
GAIN = "max(0, 1 - y * (theta @ point)) - max(0, 1 - y * (star @ point))"

task(
    "nearer",
    returns=("change", "best", "promised"),
    cases=goals,
    mistakes=[
        *((CHANGE, wrong, sentence) for wrong, sentence in (
            ("-2 * eta * towards", "Your `change` lacks the last term: the step itself has the squared length "
             "eta^2 g . g."),
            ("-eta * towards + eta**2 * (g @ g)", "Your `change` lacks the 2 of the square of a sum."),
            ("-2 * eta * towards + eta * (g @ g)", "Your `change` has eta g . g at the end: eta is squared there."),
            ("2 * eta * towards + eta**2 * (g @ g)",
             "Your `change` is that of a step uphill: theta - eta g, so the middle term has a minus."),
            ("-2 * eta * towards - eta**2 * (g @ g)", "Your `change` subtracts the squared step: a square is added."),
            ("eta**2 * (g @ g)",
             "Your `change` is the square of the step's length: how much nearer to star does it come?"),
            ("max(0, 1 - y * ((theta - eta * g) @ point)) - max(0, 1 - y * (theta @ point))",
             "Your `change` is that of the loss: take that of the squared distance to star."),
            ("np.linalg.norm(theta - eta * g - star) - np.linalg.norm(theta - star)",
             "Your `change` is that of the distance: take that of its square."),
            ("np.sum((theta - eta * g - star) ** 2)",
             "Your `change` is the squared distance after the step: subtract that before."),
            ("-2 * eta * towards + eta**2 * np.linalg.norm(g)",
             "Your `change` ends with the length of g: its square, g . g, belongs there."),
        )),
        *(("-y * point", wrong, sentence) for wrong, sentence in (
            ("y * point", "Your g points down: the gradient of an example that pulls is -y (x, 1)."),
            ("-point", "Your g lacks the label: the gradient of an example that pulls is -y (x, 1)."),
            ("-y * np.append(x, 0)", "Your g leaves the offset out: the gradient is -y (x, 1)."),
            ("-y * point * max(0, 1 - y * (theta @ point))",
             "Your g is multiplied by the loss: the gradient of the hinge loss is -y (x, 1), however large the loss."),
        )),
        (TOWARDS, "g @ theta", "Your g is multiplied by theta: multiply it by theta minus star."),
        *((NEAREST, wrong, sentence) for wrong, sentence in (
            ("max(0, 2 * towards / (g @ g))",
             "Your `best` is where the step stops helping: the lowest point of the parabola is halfway."),
            ("max(0, towards)", "Your `best` lacks the division by g . g."),
            ("min(eta, max(0, towards / (g @ g)))",
             "Your `best` is cut off at eta: it may be longer than the step made."),
            ("max(0, -towards / (g @ g))", "Your `best` has star - theta: it is g . (theta - star) over g . g."),
            ("max(0, towards / (x @ x))", "Your `best` divides by x . x: g has an entry for the offset, too."),
            ("max(0, 1 - y * (theta @ point)) / (g @ g)",
             "Your `best` makes the loss 0: it is to come as near to star as possible, wherever that is."),
            ("max(0, towards / np.linalg.norm(g))", "Your `best` divides by the length of g: divide by g . g."),
            ("abs(towards) / (g @ g)",
             "Your `best` takes the size of g . (theta - star): where it is negative, the best step is 0."),
            ("eta", "Your `best` is the eta that was given: find the lowest point of the parabola in eta."),
            ("max(0, gain / (g @ g))",
             "Your `best` comes from the losses: here star is known, so use g . (theta - star)."),
        )),
        *((SAFE, wrong, sentence) for wrong, sentence in (
            ("max(0, gain / (g @ g))",
             "Your `promised` lacks the 2: the middle term is 2 eta times the difference of the losses."),
            ("max(0, 2 * towards / (g @ g))",
             "Your `promised` is made of g . (theta - star), or of 1 - z without max(0, ...): it may use the two "
             "losses alone, each max(0, 1 - z)."),
            ("max(0, 2 * gain / np.linalg.norm(g))", "Your `promised` divides by the length of g: divide by g . g."),
            ("max(0, 2 * gain)", "Your `promised` lacks the division by g . g."),
            ("max(0, 2 * gain / (x @ x))", "Your `promised` divides by x . x: g has an entry for the offset, too."),
            ("max(0, 2 * gain / (g @ g)) * eta", "Your `promised` is multiplied by eta: it is a step size itself."),
            ("max(0, gain)", "Your `promised` is the difference of the losses: what must eta g . g stay below?"),
        )),
        *((GAIN, wrong, sentence) for wrong, sentence in (
            ("max(0, 1 - y * (theta @ point))",
             "Your `promised` takes the loss at star for 0: subtract it, it need not be."),
            ("max(0, -y * (theta @ point)) - max(0, -y * (star @ point))",
             "Your `promised` has perceptron losses: the hinge loss is max(0, 1 - z)."),
            ("float(y * (theta @ point) <= 0) - float(y * (star @ point) <= 0)",
             "Your `promised` counts errors: the loss is the hinge loss, max(0, 1 - z)."),
            ("max(0, 1 - y * (star @ point)) - max(0, 1 - y * (theta @ point))",
             "Your `promised` has the losses the wrong way round: that at theta minus that at star."),
        )),
    ],
    hints=[
        "||a - b||^2 = ||a||^2 - 2 a . b + ||b||^2, with a = theta - star and b = eta g. What is left beside ||a||^2?",
        "The change is a parabola in eta: -2 eta g . (theta - star) + eta^2 g . g. Where is its lowest point, and up "
        "to where is it negative?",
        "For promised put the difference of the losses in place of g . (theta - star), and ask up to which eta the "
        "parabola is negative. A negative answer means 0, in both.",
    ],
)


def batches(rng):
    """The last batch is smaller, some agreements are exactly 1, and every fault of the colleague shows."""
    yield np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, 1.0, -1.0]), np.array([[2, 0, 1]]), 2, 0.5
    for n, d, passes, b in ((3, 1, 2, 2), (5, 2, 2, 2), (5, 1, 3, 3), (7, 2, 2, 3), (4, 2, 2, 1), (6, 3, 2, 6)):
        while True:
            X, y = quarters(rng, n, d), labels(rng, n)
            orders = np.array([rng.permutation(n) for _ in range(passes)])
            eta0 = float(rng.choice([0.5, 1.5, 3.0]))
            if is_clear(X, y, orders, b, eta0):
                break
        yield X, y, orders, b, eta0


def is_clear(X, y, orders, b, eta0):
    """Whether rounding decides nothing, and a batch meets agreements between 0 and 1 and beyond."""
    Z, seen = y[:, None] * np.column_stack([X, np.ones(len(X))]), []
    for e, order in enumerate(orders):
        for start in range(0, len(order), b):
            done = [*orders[:e], order[:start]]
            theta = made(Z, done, b, eta0)
            seen.append(Z[order[start : start + b]] @ theta)
    z = np.concatenate(seen)
    return np.abs(z - 1).min() > 0.01 and ((z > 0.02) & (z < 1)).any() and (z > 1).any()


def made(Z, orders, b, eta0):
    return epochs(Z[:, :-1] * Z[:, -1:], Z[:, -1], orders, b, eta0)


ROWS, BENT = "Z[order[start : start + b]]", "batch @ theta <= 1"
COUNT, SHARE = "        for start in", "/ len(batch)"
FAULTS = (
    ("y[start : start + b, None] * (y[:, None] * Z)[order[start : start + b]]",
     "Your labels stay behind: the rows are taken in another order, and y must be taken in the same."),
    ("batch @ theta <= 0",
     "Only wrong examples pull in yours, as in the perceptron: the hinge loss pulls up to z = 1."),
    ("        k = 0\n        for start in", "Your k begins again with every epoch, so the steps become long again: it "
     "counts through all epochs."),
    ("/ b", "Your last batch is divided by b: it may be smaller, so divide by the number of its own rows."),
)

task(
    "epochs",
    returns="theta",
    cases=batches,
    mistakes=[
        *((*itertools.chain.from_iterable(pair for pair, _ in left), left[0][1])
          for size in (1, 2, 3, 4)
          for left in itertools.combinations([((old, new), said) for old, (new, said) in zip(
              (ROWS, BENT, COUNT, SHARE), FAULTS, strict=True)], size)),
        *((COUNT, "        Z = Z[order]\n" + COUNT, ROWS, "Z[start : start + b]", *more, said)
          for more, said in (((), "You shuffle what is shuffled already: each order counts the rows as they came."),)),
        *((SHARE, "/ max(1, pulls.sum())", *more, said) for more, said in (
            ((COUNT, FAULTS[2][0]), FAULTS[2][1]), ((BENT, FAULTS[1][0]), FAULTS[1][1]),
            ((ROWS, FAULTS[0][0]), FAULTS[0][1]),
        )),
        ("            k = k + 1", "            k = k + 1\n        k = k - len(order) % b // max(1, len(order) % b)",
         "Your k forgets the smaller batch at the end of an epoch: it makes a step, and counts."),
        *((ROWS, wrong, sentence) for wrong, sentence in (
            ("Z[start : start + b]", "You ignore the orders: the batch is order[start : start + b]."),
            ("Z[order[start : start + 1]]", "Your batches hold one row: they hold b."),
            ("Z[order[start : start + b] - 1]", "You take the rows before: orders count from 0."),
        )),
        *((BENT, wrong, sentence) for wrong, sentence in (
            ("batch @ theta <= 99", "All examples pull in yours: with z > 1 they are silent."),
            ("batch @ theta > 1", "Your test is the wrong way round: an example pulls while z <= 1."),
            ("batch[:, -1] * (batch @ theta) <= 1", "Your test looks at the score f alone: the agreement is y f."),
            ("batch @ theta < 1", "At the kink, z = 1, an example still pulls: z <= 1."),
            ("batch[:, :-1] @ theta[:-1] <= 1", "The score misses the offset: f = theta . (x, 1)."),
        )),
        *((SHARE, wrong, sentence) for wrong, sentence in (
            ("", "You add up the gradients of a batch: take their mean."),
            ("/ max(1, pulls.sum())",
             "You divide by the number of examples that pull: the mean is over the whole batch."),
            ("/ len(Z)", "You divide by n: the mean is over the batch."),
        )),
        ("batch[pulls].sum(axis=0) / len(batch)", "(batch[pulls].mean(axis=0) if pulls.any() else np.nan)",
         "You divide by the number of examples that pull: the mean is over the whole batch."),
        ("len(order), b)", "len(order))", "Your batches overlap: the next one begins b rows further on."),
        (COUNT, "        theta = np.zeros(Z.shape[1])\n" + COUNT,
         "Every epoch of yours begins at 0 again: theta goes on through all of them."),
        ("            theta = theta + eta0 / (k + 1) * batch[pulls].sum(axis=0) / len(batch)",
         "            for z in batch:\n"
         "                theta = theta + eta0 / (k + 1) * (z @ theta <= 1) * z / len(batch)",
         "Within a batch theta moves already: all gradients of a batch are taken at the same theta."),
        ("    return theta", "    return total / k", "    k = 0\n", "    k = 0\n    total = 0 * theta\n",
         "            k = k + 1", "            k = k + 1\n            total = total + theta",
         "You return the mean of all thetas: return the last one."),
        ("range(0, len(order), b)", "range(0, len(order) - b + 1, b)",
         "You leave out the last batch when it is smaller: it makes a step, too."),
        ("eta0 / (k + 1)", "eta0", "Your step size does not shrink: eta0 / (k + 1)."),
        ("eta0 / (k + 1)", "eta0 / (k + 2)", "Your first step is eta0 / 2: k counts from 0."),
        ("eta0 / (k + 1)", "eta0 / np.sqrt(k + 1)",
         "Your steps shrink like 1/sqrt(k + 1): here it is eta0 / (k + 1)."),
        ("eta0 / (k + 1)", "1 / (k + 1)", "You ignore eta0: a step has the size eta0 / (k + 1)."),
        ("            k = k + 1", "        k = k + 1", "Your k counts the epochs: it counts the steps."),
        *(("            k = k + 1", "            k = k + len(batch)", *first,
           "Your k counts the examples: it counts the steps.")
          for first in ((), ("eta0 / (k + 1)", "eta0 / (k + len(batch))"))),
        ("            k = k + 1", "            k = k + pulls.any()",
         "Your k counts the batches that pull: it counts every step, silent ones as well."),
        ("theta + eta0", "theta - eta0", "You go uphill: against the gradient -y (x, 1) means plus y (x, 1)."),
        ("in orders", "in orders[:1]", "You make one epoch alone: orders has a row for each."),
        ("np.ones(len(X))", "np.zeros(len(X))", "Your offset never moves: the constant attribute is 1."),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]", "Your offset comes first: it is last in theta."),
        ("y[:, None] * np", "np", "The labels are missing: the agreement is y f, and the pull y (x, 1)."),
    ],
    hints=[
        "Run the colleague's version on paper for the three rows of the example. Which label does the first row of the "
        "batch get? Then give it a second epoch, and follow k.",
        "Ask four things. Does each row keep its label? Up to which z does the hinge loss pull? Does k go on counting? "
        "Is the sum divided by the number of rows that are in it?",
        "Put the labels into the rows once, before the loops: Z = y[:, None] * np.column_stack([X, np.ones(len(X))]). "
        "Then Z[order[start : start + b]] is a batch; k = 0 belongs before both loops.",
    ],
)


def average_cases(rng):
    for workers, n, d in ((2, 3, 1), (3, 4, 2), (4, 5, 2), (5, 6, 3), (3, 8, 1)):
        while True:
            thetas, X, y = 2 * quarters(rng, workers, d + 1), quarters(rng, n, d), labels(rng, n)
            _, risk, alone = average(thetas, X, y)
            if alone > risk + 0.1 and thetas.any(axis=1).all():
                break
        yield thetas, X, y


MEAN, BEST = "np.mean(thetas, axis=0)", "Your risk is that of the best worker: take the risk of the average."

task(
    "average",
    returns=("average", "risk", "alone"),
    cases=average_cases,
    mistakes=[
        (then(average=lambda _, thetas: thetas.mean(axis=1)),
         "You take the mean over the entries of each theta: a worker is a row, so average along axis=0."),
        (then(average=lambda _, thetas: thetas.mean()),
         "You take the mean over everything: average the workers alone (axis=0), entry by entry."),
        (then(average=lambda average: average[:-1]), "The offset is lost: it is averaged like the weights."),
        *((MEAN, wrong, sentence) for wrong, sentence in (
            ("thetas.sum(axis=0)", "You add the workers up: divide by their number."),
            ("thetas.sum(axis=0) / (len(thetas) - 1)",
             "You divide by one less than the number of workers: divide by it."),
            ("thetas.sum(axis=0) / thetas.shape[1]",
             "You divide by the number of entries: divide by the number of workers."),
            ("thetas.sum(axis=0) / len(X)", "You divide by the number of examples: divide by the number of workers."),
            ("np.median(thetas, axis=0)", "You take the median: take the mean."),
            ("np.mean(thetas[1:], axis=0)", "You leave out the first worker: all of them are averaged."),
            ("min(thetas, key=risk)", "You take the best worker: all of them are averaged."),
            ("thetas[-1]", "You take the last worker: all of them are averaged."),
            ("thetas[0]", "You take the first worker: all of them are averaged."),
            ("np.append(thetas[:, :-1].mean(axis=0), 0)", "The offset is lost: it is averaged like the weights."),
            ("np.mean(thetas / np.linalg.norm(thetas, axis=1, keepdims=True), axis=0)",
             "You give all workers the same length first: average them as they are."),
        )),
        (then(risk=lambda _, alone: alone),
         "Your risk is the mean of the workers' risks: take the risk of the average, which is something else."),
        (", risk(average),", ", min(risk(theta) for theta in thetas),", BEST),
        *WRONG_RISKS,
        *(("np.mean([risk(theta) for theta in thetas])", wrong, sentence) for wrong, sentence in (
            ("min(risk(theta) for theta in thetas)",
             "Your `alone` is the lowest of the workers' risks: take their mean."),
            ("max(risk(theta) for theta in thetas)",
             "Your `alone` is the highest of the workers' risks: take their mean."),
            ("sum(risk(theta) for theta in thetas)",
             "Your `alone` is the sum of the workers' risks: take their mean."),
            ("sum(risk(theta) for theta in thetas) / len(X)",
             "Your `alone` divides by the number of examples: its mean is over the workers."),
            ("risk(average)",
             "Your `alone` is the risk of the average once more: take the mean of the workers' risks."),
        )),
    ],
    hints=[
        "Each row of thetas is one worker. Average entry by entry: which axis is that?",
        "Write a function for the risk of one theta. Use it once on the average, and once on every row.",
        "The risk takes max(0, 1 - z) of each example first, which np.maximum does entry by entry, and the mean of "
        "these afterwards.",
    ],
)

def cycles(rng):
    """One order, and no other, ends worst, neither the first nor the last of them."""
    for n, d, passes in ((3, 1, 1), (3, 2, 2), (4, 1, 2), (4, 2, 1), (4, 2, 3)):
        while True:
            X, y, eta = quarters(rng, n, d), labels(rng, n), float(rng.choice([0.5, 1.0, 2.0]))
            orders = list(itertools.permutations(range(n)))
            risks = ends(X, y, eta, passes, orders)
            worst = int(np.argmax(risks))
            alone = np.sum(risks > risks[worst] - 0.02) == 1 and worst not in (0, len(orders) - 1)
            kink = abs(ends(X, y, eta, passes, orders, 0.99).max() - risks[worst]) > 0.01  # it matters at agreement 1
            if alone and (kink or n == 3 or d > 1):
                break
        yield X, y, eta, passes


def ends(X, y, eta, passes, orders, kink=1.0):
    """The risk at the end, for all orders at once."""
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    thetas = np.zeros((len(orders), Z.shape[1]))
    for rows in np.tile(orders, passes).T:
        thetas = thetas + eta * (np.sum(thetas * Z[rows], axis=1) <= kink)[:, None] * Z[rows]
    return np.maximum(0, 1 - thetas @ Z.T).mean(axis=1)


MOST, REACH = "max(itertools.permutations(range(len(Z))), key=risk)", "Z[i] @ theta <= 1"
LAST = "np.maximum(0, 1 - Z @ theta).mean()"


def highest_on_the_way(X, y, eta, passes):
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])

    def highest(order):
        theta, risks = np.zeros(Z.shape[1]), [1.0]
        for i in order * passes:
            theta = theta + eta * (Z[i] @ theta <= 1) * Z[i]
            risks.append(np.maximum(0, 1 - Z @ theta).mean())
        return max(risks)

    order = max(itertools.permutations(range(len(Z))), key=highest)
    return order, highest(order)


task(
    "bad_order",
    returns=("order", "risk"),
    cases=cycles,
    mistakes=[
        *((MOST, wrong, sentence) for wrong, sentence in (
            ("min(itertools.permutations(range(len(Z))), key=risk)",
             "Your `order` ends with the lowest risk: look for the highest, the worst."),
            ("list(range(len(Z)))", "Your `order` is that in which the examples come: try all of them."),
            ("sorted(range(len(Z)), key=lambda i: y[i])",
             "Your `order` is sorted by class, often bad, but not always worst: try all orders."),
            ("sorted(range(len(Z)), key=lambda i: -y[i])",
             "Your `order` has one class first, often bad, but not always worst: try all orders."),
            *((f"max((tuple((k {sign} s) % len(Z) for k in range(len(Z))) for s in range(len(Z))), key=risk)",
               "You try orders that begin elsewhere and go on as before: try all orders, itertools.permutations.")
              for sign in "+-"),
            ("max(itertools.product(range(len(Z)), repeat=len(Z)), key=risk)",
             "Your orders leave examples out and repeat others: itertools.permutations has each row once."),
        )),
        *((LAST, wrong, sentence) for wrong, sentence in (
            ("np.maximum(0, 1 - Z @ theta).sum()", "Your `risk` is a sum: the risk is the mean hinge loss."),
            ("np.mean(Z @ theta <= 0)", "You compare training errors: the risk is the mean hinge loss."),
            ("np.maximum(0, 1 - Z @ theta).max()",
             "Your `risk` is the largest loss of a single example: it is the mean over all."),
            ("np.maximum(0, -Z @ theta).mean()", "Your risk is made of perceptron losses: the hinge loss is "
             "max(0, 1 - z)."),
            ("(1 - Z @ theta).mean()", "Your risk lacks the max: a hinge loss is never negative."),
            ("max(0, 1 - Z[order[-1]] @ theta)", "Your risk is the loss of the last example: it is over all."),
            ("(np.maximum(0, 1 - Z @ theta) ** 2).mean()", "Your risk has squares: the hinge loss is max(0, 1 - z)."),
        )),
        (highest_on_the_way, "You take the highest risk on the way: take the risk of the last theta."),
        *((REACH, wrong, sentence) for wrong, sentence in (
            ("Z[i] @ theta <= 0", "Your run is the perceptron: the hinge loss pulls up to z = 1."),
            ("Z[i] @ theta < 1", "At the kink, z = 1, the example still pulls: z <= 1."),
            ("y[i] * (Z[i] @ theta) <= 1", "Your test looks at the score f alone: the agreement is y f."),
            ("True", "Every example pulls in your run: with z > 1 it is silent."),
            ("Z[i] @ theta > 1", "Your test is the wrong way round: an example pulls while z <= 1."),
        )),
        ("        for _ in range(passes)", "        k = 0\n        for _ in range(passes)",
         "                if Z[i]", "                k = k + 1\n                if Z[i]",
         "theta + eta *", "theta + eta / k *", "Your steps shrink: here the step size is eta all the time."),
        ("theta + eta * Z[i]", "theta + Z[i]", "Your steps have no size: add eta y (x, 1)."),
        ("theta + eta * Z[i]", "theta + eta / len(Z) * Z[i]",
         "You divide the gradient of the example by n: a step goes against it as it is."),
        ("theta + eta * Z[i]", "theta + eta * y[i] * Z[i]", "Your pull lacks the label: it is eta y (x, 1)."),
        ("for _ in range(passes)", "for k in range(passes)", "theta + eta *", "theta + eta / (k + 1) *",
         "Your steps shrink: here the step size is eta all the time."),
        ("range(passes)", "range(passes + 1)", "You make one pass too many."),
        ("theta + eta * Z[i]", "theta - eta * Z[i]", "You go uphill: against the gradient means plus eta y (x, 1)."),
        ("range(passes)", "range(1)", "Your risk is that after one pass: go on from there, `passes` times over."),
        ("    def risk(order):\n        theta = np.zeros(Z.shape[1])", "    theta = np.zeros(Z.shape[1])\n\n"
         "    def risk(order):\n        nonlocal theta",
         "Your runs go on from where the last one ended: each begins at theta = 0."),
        ("np.ones(len(X))", "np.zeros(len(X))", "Your offset never moves: the constant attribute is 1."),
        ("y[:, None] * np", "np", "The labels are missing: the agreement is y f, and the pull y (x, 1)."),
        (then(order=np.argsort),
         "Your `order` says when each row is visited: it is to say which row comes first, which second, ..."),
        (then(order=lambda order, passes: np.tile(order, passes)),
         "Your `order` is repeated: it is that of one pass, each row once."),
        ("risk(worst)", "risk(list(range(len(Z)))[::-1])",
         "Your `risk` is that of the last order that you try: keep that of the worst."),
    ],
    hints=[
        "Write a function that takes an order, makes the run, and returns the risk of the last theta.",
        "for order in itertools.permutations(range(n)) tries them all. Every run begins with a new theta of zeros.",
        "max(orders, key=your_function) finds the worst. Inside: passes times over the order; an example with z <= 1 "
        "adds eta y (x, 1).",
    ],
)


NUMBERS = "charExclamation", "charDollar", "capitalLong", "remove", "free", "your", "num000", "hp"


def inboxes(rng):
    """Real mails in raw numbers, one class after the other; new ones behind, that nothing handed over tells.

    The numbers are in another order in each, and one label or the other is spam: no theta fits all inboxes.
    """
    data = datasets.load("mail", features=NUMBERS)
    for sign in rng.permutation([-1.0, 1.0, 1.0]):
        kinds = [rng.choice(np.flatnonzero(data.y == label), 250, replace=False) for label in (-1, 1)]
        known, new = (np.concatenate([kind[part] for kind in kinds]) for part in (slice(150), slice(150, 250)))
        columns = rng.permutation(len(NUMBERS))
        yield (data.X[known][:, columns], sign * data.y[known]), (data.X[new][:, columns], sign * data.y[new])


task(
    "one_pass",
    returns="theta",
    cases=inboxes,
    accuracy=0.82,
    mistakes=[],  # judged by what theta does: checking/accuracy.py has the sentences
    hints=[
        "One pass in the order in which the mails come ends with 150 steps on one class, and forgets the other. What "
        "is the remedy? And whose number decides the agreement when one is a hundred times larger than the others?",
        "Standardise by mean and spread, go through the rows in the order of np.random.default_rng(0).permutation(n), "
        "and let the steps shrink. Which schedule? Try several on a part of the mails that you keep aside.",
        "0.5 / sqrt(k + 1) is a good schedule here; a small constant one with the mean of all thetas as answer is "
        "another. In the end carry theta back to raw numbers: divide the weights by the spread, and move the offset.",
    ],
)
