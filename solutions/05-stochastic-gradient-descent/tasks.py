"""One hinge step, step sizes, stochastic descent, the slope of a mini-batch, averaged workers, a run by hand."""

import re

import numpy as np

from coursekit.grading.draws import labels, quarters
from coursekit.grading.tasks import slips, solution, task, then

sgd, average = solution("sgd"), solution("average")

# What an example does to theta, as hinge_step writes it, and what people write instead.
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


def edited(edits):
    """TEST, PULL and SCORE, with these edits."""
    return (dict(zip(edits[::2], edits[1::2], strict=True)).get(text, text) for text in (TEST, PULL, SCORE))


def step_cases(rng):
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
    # pulls, with its offset or without it, but not if the label leaves the offset out
    yield np.array([1.5, rng.integers(4, 9) / 4]), np.array([-0.5]), -1.0, 0.25, 0.5


task(
    "hinge_step",
    returns="theta",
    cases=step_cases,
    mistakes=[
        *RULES,
        BELOW_0,
        *NEVER,
        (PULL, f"-{PULL}", UPHILL),
        ("np.append(theta[:-1], 0)", "theta", "Your offset shrinks too: the penalty is on the weights alone."),
        ("eta * lam", "0", "The penalty is missing: in every step the weights shrink by the factor 1 - eta lam."),
        ("eta * lam", "2 * eta * lam", "The weights shrink by 1 - 2 eta lam: the slope of lam/2 ||w||^2 is lam w."),
        ("eta * lam", "eta * lam / 2", "The weights shrink by 1 - eta lam / 2: the slope of lam/2 ||w||^2 is lam w."),
        ("eta * lam", "-eta * lam", "The weights grow: the penalty shrinks them, by the factor 1 - eta lam."),
        ("np.append(theta[:-1], 0)", "np.sign(np.append(theta[:-1], 0))",
         "Your penalty pulls all weights equally hard: the slope of lam/2 ||w||^2 is lam w."),
        ("eta * lam", "lam",
         "The weights shrink by 1 - lam: the penalty is a slope too, so its step is multiplied by eta."),
        ("eta * y", "y", "The pull has no step size: add eta y (x, 1)."),
        ("eta * lam", "lam", "eta * y", "y", "There is no step size: both slopes are multiplied by eta."),
        (SCORE, "(1 - eta * lam) * theta[:-1] @ x + theta[-1]",
         "You shrink theta before the agreement is computed: it belongs to theta as it came."),
        (PULL, "y * np.append((1 - eta * lam) * x, 1)",
         "You shrink what was just added as well: both slopes are taken at theta as it came."),
        ("return after", "return after if y * f <= 1 else theta",
         "A silent example changes nothing in your answer: the weights shrink in every step."),
        ("eta * lam", "(y * f > 1) * eta * lam",
         "The weights shrink only where the example is silent: they do so in every step."),
        (then(lambda after, theta: after - theta), "You return the change alone: add it to theta."),
        (then(lambda after, theta: 2 * theta - after),
         "You step along the slope, uphill: theta - eta times slope leads down."),
    ],
    hints=[
        "Two slopes add up: that of the hinge loss of this example, and that of the penalty. Both are taken at theta "
        "as it came.",
        "With y f > 1 the slope of the loss is 0. The slope of the penalty is there in every step, and leaves the "
        "offset alone.",
        "The example pulls along np.append(x, 1), the penalty along np.append(theta[:-1], 0). Which sign and which "
        "factors does each of them get?",
    ],
)


def size_cases(rng):
    yield 0.5, 1, 2  # the example in the text, whole numbers and all
    yield 3, 2, 4
    for power, steps in ((0.0, 3), (1.0, 2), (0.5, 4), (2.0, 5), (0.75, 7), (1.5, 6), (1.0, 20)):
        yield float(rng.choice([0.1, 0.3, 0.5, 0.7, 2.0, 3.0])), power, steps


RATES = "eta0 / (np.arange(steps) + 1) ** power"

task(
    "step_sizes",
    returns=("rates", "reach", "noise"),
    cases=size_cases,
    mistakes=[
        *((RATES, rates.replace("k", "np.arange(steps)"), sentence) for rates, sentence in (
            ("eta0 / (k + 2) ** power",
             "Your rates begin with k = 1: k counts from 0, so that the first step is eta0."),
            ("eta0 / k ** power", "Your first rate divides by 0: it is eta0 / (k + 1)^power, with k from 0."),
            ("(eta0 / (k + 1)) ** power",
             "Here eta0 stays outside the power: eta0 / (k + 1)^power, not (eta0 / (k + 1))^power."),
            ("eta0 / (power * (k + 1))", "The power is a power: (k + 1)^power, not power times (k + 1)."),
            ("eta0 / (k + 1) * power", "You multiply by the power: it is an exponent, (k + 1)^power."),
            ("eta0 / (k ** power + 1)", "The power goes with k + 1 as a whole: (k + 1)^power, not k^power + 1."),
            ("eta0 / (k + 1)", "The power is ignored: eta0 / (k + 1)^power."),
            ("eta0 * (k + 1.0) ** power", "Your rates grow: divide by (k + 1)^power."),
            ("1 / (k + 1) ** power", "The factor eta0 is missing: it multiplies every rate."),
            ("eta0 + 0 * k", "Your rates do not shrink: divide by (k + 1)^power."),
            ("eta0 // (k + 1) ** power", "You divide with //, which cuts fractions off: use / instead."),
            ("eta0 / np.cumprod((k + 1.0) ** power)",
             "Each of your rates divides the one before: eta0 / (k + 1)^power is computed from eta0."),
        )),
        ("np.arange(steps)", "np.arange(steps - 1)", "The last rate is missing: k runs from 0 to steps - 1."),
        ("np.arange(steps)", "np.arange(steps + 1)", "There is one rate too many: k runs from 0 to steps - 1."),
        *((then(reach=change), sentence) for change, sentence in (
            (lambda _, rates: np.mean(rates), "Your `reach` is the mean of the rates: their sum is asked for."),
            (lambda _, rates: np.cumsum(rates), "Your `reach` holds the sums so far: one number is asked for, the sum "
             "of all rates."),
            (lambda _, rates: rates[-1], "Your `reach` is the last rate: the sum of all is asked for."),
            (lambda _, noise: noise, "Your `reach` is the sum of the squares: the plain sum is asked for."),
        )),
        *((then(noise=change), sentence) for change, sentence in (
            (lambda _, reach: reach**2, "Your `noise` squares the sum: square each rate first, then add up."),
            (lambda _, rates: np.mean(rates**2), "Your `noise` is the mean of the squares: their sum is asked for."),
            (np.sqrt, "Your `noise` is the root of the sum of squares: the sum itself is asked for."),
            (lambda noise, rates: noise / rates[0],
             "In your `noise` eta0 is not squared: the square of the whole rate is asked for."),
            (lambda _, reach: reach, "Your `noise` adds up the rates themselves: square each first."),
            (lambda _, rates: rates**2, "Your `noise` holds the squares one by one: add them up."),
        )),
    ],
    hints=[
        "np.arange(steps) gives k = 0, 1, ..., steps - 1. What must the first rate be?",
        "The whole array of rates comes in one line: eta0 divided by a power of another array. Mind the brackets.",
        "An array adds itself up with .sum(). For noise every rate is squared before that, eta0 included.",
    ],
)

RISK = "np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1])).mean()"
WRONG_RISKS = [
    (RISK, RISK.replace("mean", "sum"), "Your risks are sums: the risk is the mean hinge loss."),
    (RISK, "np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0)",
     "Your risks are training errors: the mean hinge loss is asked for."),
    (RISK, RISK.replace("1 -", "-"), "Your risks are means of the perceptron loss: the hinge loss is max(0, 1 - z)."),
    (RISK, "(1 - y * (X @ theta[:-1] + theta[-1])).mean()",
     "Your risks lack the max of each example: max(0, 1 - z) comes first, the mean after it."),
    (RISK, "max(0, (1 - y * (X @ theta[:-1] + theta[-1])).mean())",
     "Your risks take the max of the mean: max(0, 1 - z) of each example comes first, the mean after it."),
    (RISK, RISK.replace(" + theta[-1]", ""), "Your risks lack the offset: f = theta . (x, 1)."),
    (RISK, RISK.replace("y * ", ""), "Your risks lack the labels: the agreement is y f."),
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


SAME_ARRAY = ("the list holds the same array again and again; theta = theta + ... makes a new one, theta += ... does "
              "not.")
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
        (then(risks=np.minimum.accumulate),
         "Your risks are the best so far: the risk of each theta itself is asked for, best comes after it."),
        (then(risks=lambda r: r[1:]),
         "The risk of the start is missing: risks has as many entries as thetas has rows."),
        *((then(best=change), sentence) for change, sentence in (
            (lambda _, risks: 1 + np.argmin(risks[1:]),
             "The start counts too: if no later theta has a lower risk, best is 0."),
            (lambda _, risks: len(risks) - 1,
             "Your `best` is the last row: stochastic descent goes up and down, so look for the lowest risk."),
            (lambda _, risks: np.argmax(risks),
             "Your `best` is the row with the highest risk: the lowest is asked for."),
            (lambda _, risks: len(risks) - 1 - np.argmin(risks[::-1]),
             "Of several rows with the same lowest risk the first is best."),
            (lambda _, risks: min(risks), "Your `best` is the lowest risk itself: return the number of its row."),
            (lambda best, thetas: thetas[best], "Your `best` is the theta itself: return the number of its row."),
            (lambda best: best + 1, "Your `best` counts from 1: rows count from 0, and the start is row 0."),
        )),
    ],
    hints=[
        "for k, i in enumerate(examples): gives the number k of the step and the row i that it visits. The rest of a "
        "step is hinge_step without the penalty.",
        "Put theta into a list before the loop, and append it after every visit, also after a silent one.",
        "Only then come the risks: for every theta in the list the mean of max(0, 1 - z) over all rows of X; "
        "np.maximum takes it entry by entry. numpy also tells where a list is lowest.",
    ],
)


def batch_cases(rng):
    for n, d, b, lam in (
        (3, 1, 1, 0.5), (4, 2, 2, 0.0), (5, 2, 5, 0.5), (6, 3, 5, 0.25), (7, 1, 6, 0.75), (6, 2, 8, 0.5)
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
            without = z - y[batch] * theta[-1]
            kinds = ((z > 0) & (z < 1), z > 1, f > 1, (y[batch] < 0) & (np.abs(f) > 1),
                     (without <= 1) != (without + theta[-1] <= 1))
            if theta.all() and (b < 4 or all(map(np.any, kinds))):
                break
        yield X, y, theta, lam, batch


def in_batch(rule):
    """A rule applied to the examples of a batch, one by one."""
    test, pull, score = edited(rule[:-1])
    each = f"for x, y, f in zip(X[batch], y[batch], [{score} for x in X[batch]])"
    return ("y[batch, None] * np.column_stack([X[batch], np.ones(len(batch))])", f"np.array([{pull} {each}])",
            "Z @ theta <= 1", f"np.array([{test} {each}])", rule[-1])


ROWS, PENALTY = "    Z = y[batch", "lam * np.append(theta[:-1], 0)"

task(
    "batch_slope",
    returns="slope",
    cases=batch_cases,
    mistakes=[
        *map(in_batch, [*RULES, *NEVER]),
        (then(np.negative),
         "You return the way down: the slope itself is asked for, -y (x, 1) for an example that pulls."),
        ("-Z[pulls]", "Z[pulls]",
         "The slope of the loss has the wrong sign: an example that pulls has the slope -y (x, 1)."),
        (" / len(batch)", "", "You add up: the slope of a mini-batch is a mean."),
        ("/ len(batch)", "/ len(X)", "You divide by n: the mean is over the examples of the batch."),
        ("/ len(batch)", "/ max(1, pulls.sum())",
         "You divide by the number of examples that pull: the mean is over the whole batch."),
        (ROWS, f"    batch = np.unique(batch)\n{ROWS}",
         "An example that was drawn several times counts several times: keep repeated numbers."),
        (ROWS, f"    b, batch = len(batch), np.unique(batch)\n{ROWS}", "/ len(batch)", "/ b",
         "An example that was drawn several times counts several times: keep repeated numbers in the sum too."),
        (then(lambda slope, batch: len(batch) * slope),
         "Everything is added up: the slope of a mini-batch is a mean, and the penalty comes once."),
        (ROWS, f"    batch = np.arange(len(X))\n{ROWS}", "You use all examples: only the rows in batch count."),
        (ROWS, f"    batch = np.arange(min(len(X), len(batch)))\n{ROWS}",
         "You use the first rows of X: batch holds the numbers of the rows to use."),
        (ROWS, f"    batch = batch - 1\n{ROWS}",
         "You use the rows before: batch holds row numbers that count from 0."),
        *((PENALTY, wrong, sentence) for wrong, sentence in (
            ("lam * theta",
             "The offset is penalised: the penalty adds lam w to the weights and nothing to the offset."),
            ("0", "The penalty is missing: add lam w to the weights."),
            (f"2 * {PENALTY}", "The slope of lam/2 ||w||^2 is lam w: yours is twice that."),
            (f"{PENALTY} / 2", "The slope of lam/2 ||w||^2 is lam w: yours is half of that."),
            (f"-{PENALTY}", "The slope of the penalty is added, not taken away."),
            (f"{PENALTY} * len(batch) / len(X)", "The penalty is scaled by b/n: every step gets it in full, lam w."),
            (f"{PENALTY} / len(batch)", "The penalty is divided by the size of the batch: it is no mean, add lam w."),
            (f"{PENALTY} / len(X)", "The penalty is divided by n: it is no mean, add lam w."),
            (f"{PENALTY} * len(batch)", "The penalty is added once for each example: add it once."),
        )),
        (then(lambda slope, theta: theta - slope), "You make a step: the slope itself is asked for."),
    ],
    hints=[
        "X[batch] and y[batch] are the examples of the batch, repeated ones repeated. From there on it is a mean.",
        "An example with y f <= 1 has the slope -y (x, 1), the others 0. The penalty comes on top, once.",
        "Z = y[batch, None] * np.column_stack([X[batch], np.ones(len(batch))]) holds y (x, 1) for each example of the "
        "batch. Which of its rows count, with which sign, and by what is their sum divided?",
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
            ("thetas.sum(axis=0) / thetas.shape[1]",
             "You divide by the number of entries: divide by the number of workers."),
            ("thetas.sum(axis=0) / len(X)", "You divide by the number of examples: divide by the number of workers."),
            ("np.median(thetas, axis=0)", "You take the median: the mean is asked for."),
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
             "Your `alone` is the lowest of the workers' risks: their mean is asked for."),
            ("max(risk(theta) for theta in thetas)",
             "Your `alone` is the highest of the workers' risks: their mean is asked for."),
            ("sum(risk(theta) for theta in thetas)",
             "Your `alone` is the sum of the workers' risks: their mean is asked for."),
            ("[risk(theta) for theta in thetas]",
             "Your `alone` holds the risk of each worker: one number is asked for, their mean."),
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

# The run by hand: step k visits example k mod 3.
TRACE_X, TRACE_Y = np.array([[2.0], [1.0], [-2.0]]), np.array([1.0, -1.0, -1.0])


def trace(*edits, eta=lambda k: 0.5):
    """The run with another rule or other step sizes."""
    test, pull, score = edited(edits)

    def run():
        theta, rows = np.zeros(2), []
        for k in range(6):
            here = {"np": np, "theta": theta, "x": TRACE_X[k % 3], "y": TRACE_Y[k % 3]}
            here["f"] = eval(score, here)
            pulls = eval(test, here)
            theta = theta + eta(k) * pulls * eval(pull, here)
            rows.append((here["y"] * here["f"], pulls, *theta))
        return *rows, 3, 3

    return run


def in_rows(change):
    return then(lambda answer: (*change(np.array(answer[:6])), *answer[6:]))


task(
    "sgd_trace",
    returns=(*(f"step {k}" for k in range(6)), "schedule", "cost"),
    mistakes=[
        *((trace(*edits), sentence) for *edits, sentence in RULES[:-1]),
        *((trace(*edits), STILL) for *edits, _ in (BELOW_0, *NEVER)),
        (trace(PULL, f"-{PULL}"), UPHILL),
        (trace(eta=lambda k: 1.0), "Your steps have no step size: add 0.5 y (x, 1)."),
        (trace(eta=lambda k: 0.5 / (k + 1)), "Your step size shrinks: here it is 0.5 in every step."),
        (in_rows(lambda rows: rows * np.column_stack([np.tile(TRACE_Y, 2), np.ones((6, 3))])),
         "Your first column is the score f: write down the agreement y f."),
        (in_rows(lambda rows: np.column_stack([np.tile(TRACE_Y, 2) * (
            np.tile(TRACE_X[:, 0], 2) * rows[:, 2] + rows[:, 3]), rows[:, 1:]])),
         "Your first column is the agreement after the step: write down the one that the step finds."),
        (in_rows(lambda rows: np.column_stack([rows[:, 0], 1 - rows[:, 1], rows[:, 2:]])),
         "Your second column is upside down: 1 if the example pulls, 0 if it is silent."),
        (in_rows(lambda rows: np.column_stack([rows[:, :2], np.vstack([np.zeros(2), rows[:-1, 2:]])])),
         "Your theta is the one before each step: write down theta as the step leaves it."),
        (in_rows(lambda rows: rows[:, [0, 1, 3, 2]]), "Your offset comes first: write w, then the offset."),
        *slips(
            "schedule",
            (1, "Constant steps: their squares add up to infinity, so the noise never dies out."),
            (2, "The squares of 1/(k+1)^0.4 are 1/(k+1)^0.8, which add up to infinity."),
            (4, "The steps 1/(k+1)^1.2 themselves add up to something finite, so theta may never arrive."),
        ),
        *slips(
            "cost",
            (30, "You count steps: one step of gradient descent computes 200 slopes, a mini-batch only 20."),
            (600, "Thirty batches are 600 slopes: how many steps over 200 examples is that?"),
            *((wrong, "Thirty batches of 20 are 600 slopes, and a step of gradient descent costs 200 of them.")
              for wrong in (300, 1.5, 10)),
        ),
    ],
    hints=[
        "For each step: f = w x + offset with theta as the step before left it, then z = y f. Mind z = 1.",
        "An example with z <= 1 pulls: add 0.5 y x to w and 0.5 y to the offset. Otherwise theta stays.",
        "Two of the six are silent, and theta ends at (1, -1). The sum of 1/(k+1)^q is finite just where q > 1: ask "
        "that of the steps, and of their squares.",
    ],
)
