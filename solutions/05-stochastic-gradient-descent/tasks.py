"""A fan of gradients, stochastic descent, step sizes judged, nearer or not, mini-batches to fix, averaged workers, the
worst order, one pass over emails."""

import itertools
import re

import numpy as np

from coursekit.core import datasets
from coursekit_grade.draws import labels, quarters
from coursekit_grade.tasks import solution, task, then

sgd, average, epochs = solution("sgd"), solution("average"), solution("epochs")

# What an example does to theta, in the letters of one step, and what people write instead.
TEST, PULL, SCORE = "y * f <= 1", "y * np.append(x, 1)", "theta[:-1] @ x + theta[-1]"
PERCEPTRON = "Let an example pull up to y f = 1. Yours pull only when they are wrong, as in the perceptron."
TURNED = "Turn your test around. An example pulls while y f <= 1 and is silent beyond that."
UPHILL = "Flip the sign of the pull. A step against the gradient -y (x, 1) adds y (x, 1)."
NEVER = [(TEST, "y * f > 1", TURNED), (TEST, "y * f >= 1", TURNED)]
BELOW_0 = (TEST, "y * f < 0",
           "Let an example pull up to y f = 1. Yours pull only when they are wrong, and not even then if f = 0.")
RULES = [
    (TEST, "y * f < 1", "Test y f <= 1, not y f < 1. At the kink, y f = 1, an example still pulls."),
    (TEST, "y * f <= 0", PERCEPTRON),
    (TEST, "True", "Let an example pull only while y f <= 1. All of yours pull, all the time."),
    (TEST, "f <= 1", "Test the agreement y f. You test the score f alone."),
    (TEST, "y * (f - theta[-1]) + theta[-1] <= 1",
     "Put parentheses around the score: y * (w . x + bias). The label multiplies the bias, too."),
    (PULL, "np.append(x, 1)", "Multiply the pull by the label: y (x, 1)."),
    (PULL, "(y - f) * np.append(x, 1)",
     "Use the pull y (x, 1), however large the loss. The factor y - f, which is y (1 - y f), belongs to least "
     "squares."),
    (PULL, "y * np.append(x, 0)",
     "Add y to the bias when an example pulls, because it is the weight of the constant feature 1."),
    (PULL, "np.append(y * x, 1)", "Pull the bias by y, not by 1. For a negative example that is -1."),
    (PULL, "y * np.append(1, x)",
     "Put the 1 behind x in the pull. The bias is the last entry of theta."),
    (SCORE, "theta[:-1] @ x", "Add the bias to the score: f = theta . (x, 1)."),
    (SCORE, "theta[1:] @ x + theta[0]", PULL, "y * np.append(1, x)",
     "Put the bias last in theta. Yours comes first."),
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
            ("Z @ theta < 1, -1, 0", "Test z <= 1, not z < 1. At the kink, z = 1, an example still pulls."),
            ("Z @ theta <= 0, -1, 0",
             "Let an example pull up to z = 1. Yours pull only when they are wrong, as in the perceptron."),
            ("Z @ theta <= 99, -1, 0", "Set the gradient to 0 where z > 1. All of your examples pull."),
            ("Z @ theta <= 1, 1, 0",
             "Flip the sign of your gradients. An example that pulls has gradient -y (x, 1); yours point downhill."),
            ("Z @ theta > 1, -1, 0", "Turn your test around. Examples with z <= 1 pull."),
            ("y * (Z @ theta) <= 1, -1, 0", "Test the agreement y f. You test the score."),
            ("Z[:, :-1] @ theta[:-1] <= 1, -1, 0", "Add the bias to the score: f = theta . (x, 1)."),
            ("Z @ theta <= 1, Z @ theta - 1, 0",
             "Don't multiply the gradients by the loss. An example that pulls has -y (x, 1), whatever its loss."),
        )),
        ("y[:, None] * np.column_stack([X, np.ones(len(X))])",
         "np.column_stack([X, np.ones(len(X))])", PULLS, "y * (Z @ theta) <= 1, -1, 0",
         "Multiply the gradients by the label. An example that pulls has the gradient -y (x, 1)."),
        ("np.ones(len(X))", "np.zeros(len(X))", PULLS, "Z @ theta + y * theta[-1] <= 1, -1, 0",
         "Give the bias a gradient, too. It is the weight of the constant feature 1."),
        ("np.ones(len(X))", "y", PULLS, "Z @ theta + (y - 1) * theta[-1] <= 1, -1, 0",
         "Give the bias the gradient -y where an example pulls, not -1. The label multiplies the 1 as well."),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]",
         "Put the column of ones last. The bias is the last entry of theta."),
        (then(slopes=lambda slopes: slopes[:, :-1], mean=lambda mean: mean[:-1]),
         "Keep the bias. A gradient has d + 1 entries, like theta."),
        ("    mean = ", "    slopes = slopes[Z @ theta <= 1]\n    mean = ",
         "Give silent examples a row of zeros in `slopes`. They count in the mean as well."),
        (then(mean=lambda _, slopes: np.mean(slopes, axis=1)),
         "Average over the examples, axis=0. Your `mean` is over the entries of each gradient."),
        *((EACH, wrong, sentence) for wrong, sentence in (
            ("slopes.sum(axis=0)", "Divide `mean` by n, because the risk is the mean loss. Yours is a sum."),
            ("slopes.mean()", "Average over the examples alone, axis=0. Your `mean` is a single number."),
            ("slopes.sum(axis=0) / b", "Divide `mean` by n, not by b. It is the gradient of the whole risk."),
            ("slopes.sum(axis=0) / max(1, slopes.any(axis=1).sum())",
             "Average over all n examples. Your `mean` counts only those that pull."),
        )),
        *((NOISE, wrong, sentence) for wrong, sentence in (
            ("spread", "Average b draws. Your `noise` is that of a single example."),
            ("spread / b**2", "Divide the spread by b. Each squared error shrinks by b**2, but you add up b of them."),
            ("spread / np.sqrt(b)",
             "Divide `noise` by b. The square root of b is right for distances, not for their squares."),
            ("spread * b", "Divide `noise` by b. Yours grows with b, but the mean of more draws strays less."),
            ("np.sum((slopes[:b].mean(axis=0) - mean) ** 2)",
             "Average over all possible draws. Your `noise` belongs to one batch, the first b rows."),
            ("spread / len(X)", "Divide `noise` by b, the number of draws, not by n."),
            ("spread / b * len(X) / max(1, len(X) - 1)",
             "Divide by n, not by n - 1. All the examples that can be drawn are here, so the plain mean is exact."),
            ("spread / b * (len(X) - b) / max(1, len(X) - 1)",
             "Let the same example come twice. Your `noise` is that of draws without replacement."),
        )),
        *((SPREAD, wrong, sentence) for wrong, sentence in (
            ("np.linalg.norm(slopes - mean, axis=1).mean() ** 2",
             "Average the squared distances. Your `noise` squares the average distance."),
            ("np.sum((slopes - mean) ** 2, axis=1).sum()",
             "Take the mean over the examples, because each is drawn with probability 1/n. Your `noise` adds them up."),
            ("np.sum(slopes**2, axis=1).mean()",
             "Measure the distance from the gradient of the risk. Your `noise` measures from 0."),
            ("np.mean((slopes - mean) ** 2)",
             "Add up the squares of the entries to get a squared length. Your `noise` averages over them."),
            ("np.linalg.norm(slopes - mean, axis=1).mean()",
             "Square the distances before you average. Your `noise` averages the distances themselves."),
            ("np.sum((slopes - mean) ** 2, axis=1).max()",
             "Average over all the examples. Your `noise` is that of the one farthest off."),
            ("(np.sum(slopes**2) / len(X) - mean @ mean / b)",
             "Divide only the spread around the mean by b. Your `noise` divides the square of the mean once more."),
        )),
        (NOISE, "spread / b * (1 - b / len(X))",
         "Let the same example come twice. Your `noise` is that of draws without replacement."),
    ],
    hints=[
        "The gradient of an example is -y (x, 1) if it pulls, and 0 if not. The gradient of the risk is their mean.",
        "Begin with b = 1. Each example is drawn with probability 1/n, so how far, squared, is its gradient from the"
        " mean? For more draws, remember that the product of two independent errors is 0 on average.",
        "So the squared error of a sum of b draws is b times that of one. The mean is the sum divided by b. What "
        "does that do to the square?",
    ],
)

RISK = "np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1])).mean()"
WRONG_RISKS = [
    (RISK, RISK.replace("mean", "sum"), "Divide your risks by n. The risk is the mean hinge loss."),
    (RISK, "np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0)",
     "Take the mean hinge loss. Your risks are training errors."),
    (RISK, RISK.replace("1 -", "-"),
     "Take the hinge loss, max(0, 1 - z). Your risks are means of the perceptron loss."),
    (RISK, "(1 - y * (X @ theta[:-1] + theta[-1])).mean()",
     "Apply max(0, 1 - z) to each example, then average. Your risks have no max."),
    (RISK, "max(0, (1 - y * (X @ theta[:-1] + theta[-1])).mean())",
     "Apply max(0, 1 - z) to each example first, then average. You average first."),
    (RISK, RISK.replace(" + theta[-1]", ""), "Add the bias to the scores of your risks: f = theta . (x, 1)."),
    (RISK, RISK.replace("y * ", ""), "Multiply by the labels in your risks. The agreement is y f."),
    (RISK, RISK.replace("theta[:-1] + theta[-1]", "theta[1:] + theta[0]"),
     "Take the last entry of theta as the bias in your risks. You take the first."),
    (RISK, "((y - (X @ theta[:-1] + theta[-1])) ** 2).mean()",
     "Take the hinge loss, max(0, 1 - z). Your risks are means of the squared loss."),
    (RISK, f"({RISK.removesuffix('.mean()')} ** 2).mean()",
     "Take the hinge loss, max(0, 1 - z). Your risks square it."),
    (RISK, "np.log(1 + np.exp(-y * (X @ theta[:-1] + theta[-1]))).mean()",
     "Take the hinge loss, max(0, 1 - z). Your risks are means of the logistic loss."),
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


SAME_ARRAY = "Write theta = theta + ..., because += changes the rows that you stored earlier."
STILL = "Let an example pull up to y f = 1. At the start every agreement is 0, and your theta never moves."

task(
    "sgd",
    returns=("thetas", "risks", "best"),
    cases=sgd_cases,
    mistakes=[
        *map(in_sgd, RULES),
        *(in_sgd((*rule[:-1], STILL)) for rule in (BELOW_0, *NEVER)),
        in_sgd((PULL, f"-{PULL}", UPHILL)),
        ("eta0 / (k + 1)", "eta0", "Shrink the step size: eta_k = eta0 / (k + 1)."),
        ("eta0 / (k + 1)", "eta0 / (k + 2)",
         "Count k from 0, so that the first step has the size eta0. Yours has eta0 / 2."),
        ("= [theta]", "= [theta]; count = 0", "theta = theta + eta0 / (k + 1)",
         "count += 1; theta = theta + eta0 / count",
         "Count every visit in k, including silent ones. Yours counts the pulls."),
        ("eta0 / (k + 1)", "eta0 / (k + 1) ** 0.5",
         "Divide by k + 1. Your steps shrink like 1/sqrt(k + 1)."),
        ("eta0 / (k + 1) * y", "eta0 * y", "    if y[i]", "    eta0 = eta0 / (k + 1)\n        if y[i]",
         "Compute each step size from eta0: eta0 / (k + 1). Yours divides the one before."),
        ("eta0 / (k + 1)", "1 / (k + 1)", "Multiply by eta0: eta_k = eta0 / (k + 1)."),
        ("eta0 / (k + 1)", "eta0 / max(k, 1)", "Divide by k + 1, with k from 0. Your first two steps are alike."),
        ("eta0 / (k + 1)", "eta0 / (i + 1)",
         "Divide by k + 1, where k is the number of the step. You divide by the row number."),
        ("eta0 / (k + 1)", "eta0 / len(examples)",
         "Give step k the size eta0 / (k + 1). You divide by the number of steps."),
        ("eta0 / (k + 1) * y", "eta0 / (k + 1) / len(X) * y",
         "Don't divide the gradient of the example by n. A step uses it as it is."),
        ("theta = theta + eta0 / (k + 1)", "eta0 = eta0 / (k + 1)\n            theta = theta + eta0",
         "Compute each step size from eta0: eta0 / (k + 1). Yours divides the one before."),
        ("enumerate(examples)", "enumerate(np.arange(len(examples)) % len(X))",
         "Visit row examples[k] in step k. You visit the rows in their order."),
        ("enumerate(examples)", "enumerate(examples - 1)",
         "Visit row examples[k] itself. Row numbers count from 0, and you visit the row before."),
        (*in_sgd((TEST, "y * f <= 0", ""))[:2], "eta0 / (k + 1) * ", "",
         "Let an example pull up to y f = 1, with the step size eta0 / (k + 1). Yours is the perceptron."),
        (*in_sgd((TEST, "True", ""))[:2], "y[i] * np.append(X[i], 1)",
         "(y * (y * (X @ theta[:-1] + theta[-1]) <= 1)) @ np.column_stack([X, np.ones(len(X))]) / len(X)",
         "Look at row examples[k] alone in step k. Each of your steps looks at all examples."),
        (then(thetas=lambda t: t[1:]),
         "Keep the start as row 0 of thetas. There is one row more than there are steps."),
        (then(thetas=lambda t: t[:-1]), "Keep the last theta. There is one row more than there are steps."),
        ("        thetas.append(theta)", "            thetas.append(theta)",
         "Give silent visits a row, too. It holds theta as it was."),
        ("theta = theta + eta0", "theta += eta0", "thetas = [theta]", "thetas = [theta.copy()]",
         f"{SAME_ARRAY} All rows after the start are the last theta."),
        ("theta = theta + eta0", "theta += eta0", f"{SAME_ARRAY} All of your rows are the last theta."),
        *WRONG_RISKS,
        (RISK, RISK.replace("y * (X", "y[examples] * (X[examples]"),
         "Average over all examples, each of them once. Your risks are means over the visits."),
        (then(risks=lambda _, thetas, X, y, examples: np.append(1, [
            max(0, 1 - y[i] * (t[:-1] @ X[i] + t[-1])) for t, i in zip(thetas[1:], examples, strict=True)])),
         "Average the loss over all examples. Your risks are losses of the example that was visited."),
        (then(risks=lambda _, thetas, X, y: np.mean(
            [np.maximum(0, 1 - y * (X @ t[:-1] + t[-1])) for t in thetas], axis=0)),
         "Average over the examples, for each theta. Your risks are means over the thetas."),
        (then(risks=np.minimum.accumulate),
         "Return the risk of each theta itself. Yours are the best so far, which come only after that."),
        (then(risks=lambda r: r[1:]),
         "Keep the risk of the start. risks has as many entries as thetas has rows."),
        *((then(best=change), sentence) for change, sentence in (
            (lambda _, risks: 1 + np.argmin(risks[1:]),
             "Count the start, too. If no later theta has a lower risk, best is 0."),
            (lambda _, risks: len(risks) - 1,
             "Look for the lowest risk, because SGD goes up and down. Your `best` is the last row."),
            (lambda _, risks: np.argmax(risks),
             "Take the lowest risk. Your `best` is the row with the highest."),
            (lambda _, risks: len(risks) - 1 - np.argmin(risks[::-1]),
             "Take the first row if several have the same lowest risk."),
            (lambda _, risks: min(risks), "Return the number of the row. Your `best` is the lowest risk itself."),
            (lambda best, thetas: thetas[best], "Return the number of the row. Your `best` is the theta itself."),
        )),
        ("enumerate(examples)", "enumerate(range(len(X)))",
         "Use row examples[k] in step k. Your steps go through the rows of X."),
        ("np.zeros(", "np.ones(", "Begin with a theta of zeros. Yours begins at 1."),
        ("np.argmin(risks)", "np.argmin(risks[1:])",
         "Count the start as row 0. Your `best` counts the rows behind it."),
        (then(risks=lambda risks, thetas, X, y, examples: [
            max(0, 1 - y[i] * (t[:-1] @ X[i] + t[-1]))
            for i, t in zip([*examples, examples[-1]], thetas, strict=True)]),
         "Average over all examples. Each of your risks is the loss of the one that is visited."),
    ],
    hints=[
        "for k, i in enumerate(examples): gives the number k of the step and the row i that it visits. What does an "
        "example that pulls add to theta?",
        "Put theta into a list before the loop, and append it after every visit, also after a silent one.",
        "Only then compute the risks: for every theta in the list, the mean of max(0, 1 - z) over all rows of X. "
        "np.maximum works entry by entry, and numpy can also tell you where a list is lowest.",
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
             "Count k from 0, so that the first step is eta0."),
            ("eta0 / k ** power", "Divide by (k + 1)^power, with k from 0. Your first rate divides by 0."),
            ("eta0 / np.maximum(k, 1) ** power",
             "Divide by (k + 1)^power, with k from 0. Your first two rates are alike."),
            ("eta0 * power ** k", "Use `power` as the exponent: (k + 1)^power. You take a power of `power`."),
            ("eta0 / (k + 1) ** int(power)",
             "Keep `power` as it is, because it may be 0.5. You cut it to a whole number."),
            ("eta0 / steps ** power + 0 * k", "Divide step k by (k + 1)^power. You divide by the number of steps."),
            ("(eta0 / (k + 1)) ** power",
             "Keep eta0 outside the power: eta0 / (k + 1)^power, not (eta0 / (k + 1))^power."),
            ("eta0 / (power * (k + 1))", "Raise to the power: (k + 1)^power, not power times (k + 1)."),
            ("eta0 / (k + 1) * power", "Use the power as an exponent: (k + 1)^power. You multiply by it."),
            ("eta0 / (k ** power + 1)", "Raise k + 1 as a whole: (k + 1)^power, not k^power + 1."),
            ("eta0 / (k + 1)", "Use the power: eta0 / (k + 1)^power."),
            ("eta0 * (k + 1.0) ** power", "Divide by (k + 1)^power. Your rates grow."),
            ("1 / (k + 1) ** power", "Multiply every rate by eta0."),
            ("eta0 + 0 * k", "Shrink the rates: divide by (k + 1)^power."),
            ("eta0 / np.cumprod((k + 1.0) ** power)",
             "Compute each rate from eta0: eta0 / (k + 1)^power. Yours divides the one before."),
        )),
        (RATES, "(eta0 - np.arange(steps) * power)",
         "Divide by (k + 1)^power. You subtract the power again and again."),
        (RATES, "eta0 * (np.arange(steps) + 1) * power", "Divide by (k + 1)^power. Your rates grow."),
        ("np.arange(steps)", "np.arange(steps - 1)", "Keep the last rate. k runs from 0 to steps - 1."),
        ("np.arange(steps)", "np.arange(steps + 1)", "Stop one rate earlier. k runs from 0 to steps - 1."),
        *((then(reach=change), sentence) for change, sentence in (
            (lambda _, rates: np.mean(rates), "Add the rates up. Your `reach` is their mean."),
            (lambda _, rates: rates[-1], "Add all the rates up. Your `reach` is the last of them."),
            (lambda _, noise: noise, "Add the rates up as they are. Your `reach` is the sum of their squares."),
        )),
        *((then(noise=change), sentence) for change, sentence in (
            (lambda _, reach: reach**2, "Square each rate first, then add up. Your `noise` squares the sum."),
            (lambda _, rates: np.mean(rates**2), "Add the squares up. Your `noise` is their mean."),
            (lambda noise, rates: noise / rates[0],
             "Square the whole rate, eta0 included, in `noise`."),
            (lambda _, reach: reach, "Square each rate before you add it. Your `noise` adds up the rates themselves."),
        )),
        *((VERDICT, wrong, sentence) for wrong, sentence in (
            ("2 if power > 1 or power == 0 else 1 if 2 * power > 1 else 3",
             "Give a constant step the verdict 3. With power 0 both sums grow without end."),
            ("2 if power >= 1 else 1 if 2 * power > 1 else 3",
             "Call the sum 1 + 1/2 + 1/3 + ... infinite. It grows without end, slowly, like the logarithm."),
            ("2 if power > 1 else 1 if 2 * power >= 1 else 3",
             "Give power 1/2 the verdict 3. Its squares are 1 + 1/2 + 1/3 + ..., whose sum is infinite."),
            ("2 if power >= 1 else 1 if 2 * power >= 1 else 3",
             "Call the sum 1 + 1/2 + 1/3 + ... infinite, in the steps and in their squares. Your `verdict` treats it "
             "as finite."),
            ("3 if power > 1 else 1 if 2 * power > 1 else 2",
             "Swap 2 and 3 in your `verdict`. Steps that shrink too fast have a finite sum, which is 2."),
            ("2 if power > 1 else 1 if power == 1 else 3",
             "Let powers below 1 pass as well. With power 0.75 the squares are 1/(k + 1)^1.5, whose sum is finite."),
            ("2 if power > 1 else 1 if power else 3",
             "Give the verdict 3 up to power 1/2, where the squares add up to infinity."),
            ("2 if power > 1 else 1", "Look at the squares, too, in your `verdict`. For 1, their sum must be finite."),
            ("1 if power > 0.5 else 3",
             "Give powers above 1 the verdict 2. There the sum of the steps is finite."),
            ("1", "Let the verdict depend on the power. With power 0 the steps never shrink, and with 2 they end too"
                  " soon."),
            ("2 if rates.sum() < 3 else 1 if (rates**2).sum() < 3 else 3",
             "Ask what the sums do if the schedule goes on forever. Your `verdict` looks at the sums so far."),
        )),
    ],
    hints=[
        "np.arange(steps) gives k = 0, 1, ..., steps - 1. What must the first rate be?",
        "The whole array of rates takes one line: eta0 divided by a power of another array. Watch the parentheses.",
        "An array adds itself up with .sum(). For noise, square every rate before that, eta0 included. The sum of "
        "1/k^q over all k is finite exactly when q > 1. Ask that of the steps, and then of their squares.",
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
TOWARD, CHANGE = "g @ (theta - star)", "-2 * eta * toward + eta**2 * (g @ g)"
NEAREST, SAFE = "max(0, toward / (g @ g))", "max(0, 2 * gain / (g @ g))"
GAIN = "max(0, 1 - y * (theta @ point)) - max(0, 1 - y * (star @ point))"

task(
    "nearer",
    returns=("change", "best", "promised"),
    cases=goals,
    mistakes=[
        *((CHANGE, wrong, sentence) for wrong, sentence in (
            ("-2 * eta * toward",
             "Add the last term to `change`. The step itself has the squared length eta^2 g . g."),
            ("-eta * toward + eta**2 * (g @ g)",
             "Put a 2 into `change`: the square of a difference has a double product."),
            ("-2 * eta * toward + eta * (g @ g)", "Square eta in the last term of `change`: eta^2 g . g."),
            ("2 * eta * toward + eta**2 * (g @ g)",
             "Put a minus before the middle term of `change`. The step is theta - eta g; yours goes uphill."),
            ("-2 * eta * toward - eta**2 * (g @ g)",
             "Add the squared step in `change`. You subtract it, but a square is added."),
            ("eta**2 * (g @ g)",
             "Compute how much nearer to star the step comes. Your `change` is the square of the step's length."),
            ("max(0, 1 - y * ((theta - eta * g) @ point)) - max(0, 1 - y * (theta @ point))",
             "Compute the change of the squared distance to star. Yours is that of the loss."),
            ("np.linalg.norm(theta - eta * g - star) - np.linalg.norm(theta - star)",
             "Compute the change of the squared distance. Yours is that of the distance."),
            ("np.sum((theta - eta * g - star) ** 2)",
             "Subtract the squared distance before the step. Your `change` is the squared distance after it."),
            ("-2 * eta * toward + eta**2 * np.linalg.norm(g)",
             "End `change` with the square of the length of g, g . g. You use the length."),
        )),
        *(("-y * point", wrong, sentence) for wrong, sentence in (
            ("y * point",
             "Flip the sign of g. The gradient of an example that pulls is -y (x, 1); yours points downhill."),
            ("-point", "Multiply g by the label. The gradient of an example that pulls is -y (x, 1)."),
            ("-y * np.append(x, 0)", "Keep the bias in g. The gradient is -y (x, 1)."),
            ("-y * point * max(0, 1 - y * (theta @ point))",
             "Don't multiply g by the loss. The gradient of the hinge loss is -y (x, 1), however large the loss."),
        )),
        (TOWARD, "g @ theta", "Multiply g by theta minus star. You multiply it by theta."),
        *((NEAREST, wrong, sentence) for wrong, sentence in (
            ("max(0, 2 * toward / (g @ g))",
             "Go to the lowest point of the parabola, which is halfway. Your `best` is where the step stops helping."),
            ("max(0, toward)", "Divide `best` by g . g."),
            ("min(eta, max(0, toward / (g @ g)))",
             "Don't cut `best` off at eta. It may be longer than the step that was made."),
            ("max(0, -toward / (g @ g))", "Use g . (theta - star) over g . g. Your `best` has star - theta."),
            ("max(0, toward / (x @ x))", "Divide `best` by g . g, not by x . x. g has an entry for the bias, too."),
            ("max(0, 1 - y * (theta @ point)) / (g @ g)",
             "Come as near to star as possible, wherever it is. Your `best` makes the loss 0."),
            ("max(0, toward / np.linalg.norm(g))", "Divide `best` by g . g. You divide by the length of g."),
            ("abs(toward) / (g @ g)",
             "Return 0 where g . (theta - star) is negative. Your `best` takes its size."),
            ("eta", "Find the lowest point of the parabola in eta. Your `best` is the eta that was given."),
            ("max(0, gain / (g @ g))",
             "Use g . (theta - star), because here star is known. Your `best` comes from the losses."),
        )),
        *((SAFE, wrong, sentence) for wrong, sentence in (
            ("max(0, gain / (g @ g))",
             "Multiply `promised` by 2. The middle term is 2 eta times the difference of the losses."),
            ("max(0, 2 * toward / (g @ g))",
             "Use only the two losses in `promised`, each max(0, 1 - z). Yours contains g . (theta - star), or 1 - z"
             " without its max."),
            ("max(0, 2 * gain / np.linalg.norm(g))", "Divide `promised` by g . g. You divide by the length of g."),
            ("max(0, 2 * gain)", "Divide `promised` by g . g."),
            ("max(0, 2 * gain / (x @ x))",
             "Divide `promised` by g . g, not by x . x. g has an entry for the bias, too."),
            ("max(0, 2 * gain / (g @ g)) * eta", "Don't multiply `promised` by eta. It is a step size itself."),
            ("max(0, gain)",
             "Ask what eta g . g must stay below. Your `promised` is just the difference of the losses."),
        )),
        *((GAIN, wrong, sentence) for wrong, sentence in (
            ("max(0, 1 - y * (theta @ point))",
             "Subtract the loss at star in `promised`. It need not be 0."),
            ("max(0, -y * (theta @ point)) - max(0, -y * (star @ point))",
             "Take hinge losses, max(0, 1 - z), in `promised`. Yours are perceptron losses."),
            ("float(y * (theta @ point) <= 0) - float(y * (star @ point) <= 0)",
             "Take hinge losses, max(0, 1 - z), in `promised`. Yours counts errors."),
            ("max(0, 1 - y * (star @ point)) - max(0, 1 - y * (theta @ point))",
             "Swap the losses in `promised`: that at theta minus that at star."),
        )),
    ],
    hints=[
        "||a - b||^2 = ||a||^2 - 2 a . b + ||b||^2, with a = theta - star and b = eta g. What is left beside ||a||^2?",
        "The change is a parabola in eta: -2 eta g . (theta - star) + eta^2 g . g. Where is its lowest point, and "
        "how far is it negative?",
        "For promised, put the difference of the losses in place of g . (theta - star), and ask up to which eta the "
        "parabola is negative. In both, a negative answer means 0.",
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
     "Reorder the labels with the rows. You take the rows in the new order and y in the old."),
    ("batch @ theta <= 0",
     "Let an example pull up to z = 1. Yours pull only when they are wrong, as in the perceptron."),
    ("        k = 0\n        for start in",
     "Count k through all epochs. Yours begins again with every epoch, so the steps become long again."),
    ("/ b", "Divide the last batch by the number of its own rows. It may be smaller than b."),
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
          for more, said in (((),
              "Don't shuffle what is shuffled already. Each order counts the rows of X as they came."),)),
        *((SHARE, "/ max(1, pulls.sum())", *more, said) for more, said in (
            ((COUNT, FAULTS[2][0]), FAULTS[2][1]), ((BENT, FAULTS[1][0]), FAULTS[1][1]),
            ((ROWS, FAULTS[0][0]), FAULTS[0][1]),
        )),
        ("            k = k + 1", "            k = k + 1\n        k = k - len(order) % b // max(1, len(order) % b)",
         "Count the smaller batch at the end of an epoch in k. It makes a step, too."),
        *((ROWS, wrong, sentence) for wrong, sentence in (
            ("Z[start : start + b]",
             "Take the rows of the batch from order[start : start + b]. You ignore the orders."),
            ("Z[order[start : start + 1]]", "Put b rows into each batch. Yours hold one."),
            ("Z[order[start : start + b] - 1]",
             "Take the rows that order names. It counts from 0, and you take the rows before."),
        )),
        *((BENT, wrong, sentence) for wrong, sentence in (
            ("batch @ theta <= 99", "Let an example pull only while z <= 1. All of yours pull."),
            ("batch @ theta > 1",
             "Your theta never leaves 0. At the start every z is 0, and an example pulls while z <= 1."),
            ("batch[:, -1] * (batch @ theta) <= 1", "Test the agreement y f. You test the score f alone."),
            ("batch @ theta < 1", "Test z <= 1, not z < 1. At the kink, z = 1, an example still pulls."),
            ("batch[:, :-1] @ theta[:-1] <= 1", "Add the bias to the score: f = theta . (x, 1)."),
        )),
        *((SHARE, wrong, sentence) for wrong, sentence in (
            ("", "Take the mean of the gradients of a batch. You add them up."),
            ("/ max(1, pulls.sum())",
             "Divide by the size of the whole batch. You divide by the number of examples that pull."),
            ("/ len(Z)", "Divide by the size of the batch. You divide by n."),
        )),
        ("batch[pulls].sum(axis=0) / len(batch)", "(batch[pulls].mean(axis=0) if pulls.any() else np.nan)",
         "Divide by the size of the whole batch. You divide by the number of examples that pull."),
        ("len(order), b)", "len(order))", "Begin the next batch b rows farther on. Yours overlap."),
        (COUNT, "        theta = np.zeros(Z.shape[1])\n" + COUNT,
         "Carry theta through all epochs. Each of yours begins at 0 again."),
        ("            theta = theta + eta0 / (k + 1) * batch[pulls].sum(axis=0) / len(batch)",
         "            for z in batch:\n"
         "                theta = theta + eta0 / (k + 1) * (z @ theta <= 1) * z / len(batch)",
         "Take all gradients of a batch at the same theta. Yours moves within the batch."),
        ("    return theta", "    return total / k", "    k = 0\n", "    k = 0\n    total = 0 * theta\n",
         "            k = k + 1", "            k = k + 1\n            total = total + theta",
         "Return the last theta. You return the mean of all of them."),
        ("range(0, len(order), b)", "range(0, len(order) - b + 1, b)",
         "Keep the last batch when it is smaller. It makes a step, too."),
        ("eta0 / (k + 1)", "eta0", "Shrink the step size: eta0 / (k + 1)."),
        ("eta0 / (k + 1)", "eta0 / (k + 2)", "Count k from 0. Your first step is eta0 / 2."),
        ("eta0 / (k + 1)", "eta0 / np.sqrt(k + 1)",
         "Divide by k + 1. Your steps shrink like 1/sqrt(k + 1)."),
        ("eta0 / (k + 1)", "1 / (k + 1)", "Multiply by eta0. A step has the size eta0 / (k + 1)."),
        ("            k = k + 1", "        k = k + 1", "Count the steps in k. Yours counts the epochs."),
        *(("            k = k + 1", "            k = k + len(batch)", *first,
           "Count the steps in k. Yours counts the examples.")
          for first in ((), ("eta0 / (k + 1)", "eta0 / (k + len(batch))"))),
        ("            k = k + 1", "            k = k + pulls.any()",
         "Count every step in k, including silent ones. Yours counts the batches that pull."),
        ("theta + eta0", "theta - eta0",
         "Flip the sign of your steps. Against the gradient -y (x, 1) means plus y (x, 1)."),
        ("in orders", "in orders[:1]", "Go through all the epochs. orders has a row for each, and you use one."),
        ("np.ones(len(X))", "np.zeros(len(X))", "Let the bias move. The constant feature is 1."),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]", "Put the bias last in theta. Yours comes first."),
        ("y[:, None] * np", "np", "Multiply by the labels. The agreement is y f, and the pull is y (x, 1)."),
        ("order[start : start + b]", "np.argsort(order)[start : start + b]",
         "Take the rows order[start : start + b] as they stand there. You sort the order, which turns it around."),
    ],
    hints=[
        "Run the colleague's version on paper for the three rows of the example. Which label does the first row of "
        "the batch get? Then give it a second epoch, and follow k.",
        "Ask four questions. Does each row keep its label? Up to which z does the hinge loss pull? Does k go on "
        "counting? Is the sum divided by the number of rows that are in it?",
        "Put the labels into the rows once, before the loops: Z = y[:, None] * np.column_stack([X, "
        "np.ones(len(X))]). Then Z[order[start : start + b]] is a batch, and k = 0 belongs before both loops.",
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


MEAN, BEST = "np.mean(thetas, axis=0)", "Take the risk of the average. Yours is that of the best worker."

task(
    "average",
    returns=("average", "risk", "alone"),
    cases=average_cases,
    mistakes=[
        (then(average=lambda _, thetas: thetas.mean(axis=1)),
         "Average along axis=0, because each row is a worker. You average the entries of each theta."),
        (then(average=lambda _, thetas: thetas.mean()),
         "Average over the workers alone (axis=0), entry by entry. You average over everything."),
        (then(average=lambda average: average[:-1]), "Average the bias like the weights. Yours is lost."),
        *((MEAN, wrong, sentence) for wrong, sentence in (
            ("thetas.sum(axis=0)", "Divide the sum of the workers by their number."),
            ("thetas.sum(axis=0) / (len(thetas) - 1)",
             "Divide by the number of workers. You divide by one less."),
            ("thetas.sum(axis=0) / thetas.shape[1]",
             "Divide by the number of workers. You divide by the number of entries."),
            ("thetas.sum(axis=0) / len(X)", "Divide by the number of workers. You divide by the number of examples."),
            ("np.median(thetas, axis=0)", "Take the mean. You take the median."),
            ("np.mean(thetas[1:], axis=0)", "Average all of the workers. You leave out the first."),
            ("min(thetas, key=risk)", "Average all of the workers. You take the best."),
            ("thetas[-1]", "Average all of the workers. You take the last."),
            ("thetas[0]", "Average all of the workers. You take the first."),
            ("np.append(thetas[:, :-1].mean(axis=0), 0)", "Average the bias like the weights. Yours is lost."),
            ("np.mean(thetas / np.linalg.norm(thetas, axis=1, keepdims=True), axis=0)",
             "Average the workers as they are. You give all of them the same length first."),
        )),
        (then(risk=lambda _, alone: alone),
         "Take the risk of the average. Yours is the mean of the workers' risks, which is something else."),
        (", risk(average),", ", min(risk(theta) for theta in thetas),", BEST),
        *WRONG_RISKS,
        *(("np.mean([risk(theta) for theta in thetas])", wrong, sentence) for wrong, sentence in (
            ("min(risk(theta) for theta in thetas)",
             "Take the mean of the workers' risks. Your `alone` is the lowest of them."),
            ("max(risk(theta) for theta in thetas)",
             "Take the mean of the workers' risks. Your `alone` is the highest of them."),
            ("sum(risk(theta) for theta in thetas)",
             "Take the mean of the workers' risks. Your `alone` is their sum."),
            ("sum(risk(theta) for theta in thetas) / len(X)",
             "Divide `alone` by the number of workers. You divide by the number of examples."),
            ("risk(average)",
             "Take the mean of the workers' risks. Your `alone` is the risk of the average once more."),
        )),
        (then(average=lambda average, thetas: [*average[:-1], thetas[0][-1]]),
         "Average the biases, too. Yours is that of the first worker."),
    ],
    hints=[
        "Each row of thetas is one worker. Average entry by entry: which axis is that?",
        "Write a function for the risk of one theta. Use it once on the average, and once on every row.",
        "The risk takes max(0, 1 - z) of each example first, which np.maximum does entry by entry, and only then the"
        " mean.",
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
             "Look for the highest risk, the worst. Your `order` ends with the lowest."),
            ("list(range(len(Z)))", "Try all orders. Your `order` is the one in which the examples come."),
            ("sorted(range(len(Z)), key=lambda i: y[i])",
             "Try all orders. Yours is sorted by class, which may be bad but need not be the worst."),
            ("sorted(range(len(Z)), key=lambda i: -y[i])",
             "Try all orders. Yours has one class first, which may be bad but need not be the worst."),
            *((f"max((tuple((k {sign} s) % len(Z) for k in range(len(Z))) for s in range(len(Z))), key=risk)",
               "Try all orders, with itertools.permutations. You only begin the given order at another place.")
              for sign in "+-"),
            ("max(itertools.product(range(len(Z)), repeat=len(Z)), key=risk)",
             "Use itertools.permutations, which has each row once. Your orders leave examples out and repeat others."),
        )),
        *((LAST, wrong, sentence) for wrong, sentence in (
            ("np.maximum(0, 1 - Z @ theta).sum()",
             "Divide `risk` by n. It is the mean hinge loss, and yours is a sum."),
            ("np.mean(Z @ theta <= 0)", "Compare mean hinge losses. You compare training errors."),
            ("np.maximum(0, 1 - Z @ theta).max()",
             "Take the mean over all examples. Your `risk` is the largest loss of a single one."),
            ("np.maximum(0, -Z @ theta).mean()",
             "Take the hinge loss, max(0, 1 - z). Your risk is made of perceptron losses."),
            ("(1 - Z @ theta).mean()", "Use max(0, 1 - z). A hinge loss is never negative, and your risk has no max."),
            ("max(0, 1 - Z[order[-1]] @ theta)",
             "Take the mean over all examples. Your risk is the loss of the last one."),
            ("(np.maximum(0, 1 - Z @ theta) ** 2).mean()", "Take the hinge loss, max(0, 1 - z). Your risk squares it."),
        )),
        (highest_on_the_way, "Take the risk of the last theta. You take the highest risk on the way."),
        *((REACH, wrong, sentence) for wrong, sentence in (
            ("Z[i] @ theta <= 0", "Let an example pull up to z = 1. Your run is the perceptron."),
            ("Z[i] @ theta < 1", "Test z <= 1, not z < 1. At the kink, z = 1, an example still pulls."),
            ("y[i] * (Z[i] @ theta) <= 1", "Test the agreement y f. You test the score f alone."),
            ("True", "Let an example pull only while z <= 1. Every one of yours pulls."),
            ("Z[i] @ theta > 1",
             "Your theta never leaves 0. At the start every z is 0, and an example pulls while z <= 1."),
        )),
        ("        for _ in range(passes)", "        k = 0\n        for _ in range(passes)",
         "                if Z[i]", "                k = k + 1\n                if Z[i]",
         "theta + eta *", "theta + eta / k *", "Use the step size eta all the time. Your steps shrink."),
        ("theta + eta * Z[i]", "theta + Z[i]", "Multiply the step by eta: add eta y (x, 1)."),
        ("theta + eta * Z[i]", "theta + eta / len(Z) * Z[i]",
         "Don't divide the gradient of the example by n. A step uses it as it is."),
        ("theta + eta * Z[i]", "theta + eta * y[i] * Z[i]", "Multiply the pull by the label: add eta y (x, 1)."),
        ("for _ in range(passes)", "for k in range(passes)", "theta + eta *", "theta + eta / (k + 1) *",
         "Use the step size eta all the time. Your steps shrink."),
        ("range(passes)", "range(passes + 1)", "Stop one pass earlier."),
        ("theta + eta * Z[i]", "theta - eta * Z[i]",
         "Flip the sign of your steps. Against the gradient means plus eta y (x, 1)."),
        ("range(passes)", "range(1)", "Go on from there, `passes` times over. Your risk is that after one pass."),
        ("    def risk(order):\n        theta = np.zeros(Z.shape[1])", "    theta = np.zeros(Z.shape[1])\n\n"
         "    def risk(order):\n        nonlocal theta",
         "Begin each run at theta = 0. Yours go on from where the last one ended."),
        ("np.ones(len(X))", "np.zeros(len(X))", "Let the bias move. The constant feature is 1."),
        ("y[:, None] * np", "np", "Multiply by the labels. The agreement is y f, and the pull is y (x, 1)."),
        (then(order=np.argsort),
         "Say which row comes first, which second, and so on. Your `order` says when each row is visited."),
        (then(order=lambda order, passes: np.tile(order, passes)),
         "Return the order of one pass, each row once. Yours is repeated."),
        ("risk(worst)", "risk(list(range(len(Z)))[::-1])",
         "Keep the risk of the worst order. Yours is that of the last order you tried."),
        ("for _ in range(passes):\n            for i in order:", "for i in order:\n            for _ in range(passes):",
         "Go through the whole order, then begin again. You visit each example `passes` times in a row."),
    ],
    hints=[
        "Write a function that takes an order, makes the run, and returns the risk of the last theta.",
        "for order in itertools.permutations(range(n)) tries them all. Begin every run with a new theta of zeros.",
        "max(orders, key=your_function) finds the worst. Inside, go through the order `passes` times; an example "
        "with z <= 1 adds eta y (x, 1).",
    ],
)


NUMBERS = "charExclamation", "charDollar", "capitalLong", "remove", "free", "your", "num000", "hp"


def inboxes(rng):
    """Real emails in raw numbers, one class after the other; new ones behind, that nothing handed over tells.

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
        "A pass in the order in which the emails come ends with 150 steps on one class, and forgets the other. What "
        "is the remedy? And whose number decides the agreement when one is a hundred times larger than the others?",
        "Standardize by mean and spread, go through the rows in the order of "
        "np.random.default_rng(0).permutation(n), and let the steps shrink. Which schedule? Try several on a part of"
        " the emails that you keep aside.",
        "0.5 / sqrt(k + 1) is a good schedule here. A small constant step, with the mean of all thetas as the "
        "answer, is another. At the end carry theta back to raw numbers: divide the weights by the spread, and move "
        "the bias.",
    ],
)
