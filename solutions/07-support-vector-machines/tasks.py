"""The margin, slacks, support vectors, the soft margin objective, Pegasos, a street read by hand.

Apart from Pegasos, all cases are made from the agreements that they should have.
"""

from itertools import product

import numpy as np

from coursekit.grading.draws import labels, scene
from coursekit.grading.tasks import slips, task, then


def street(rng, z, d):
    """X, y and theta with the agreements z: exactly, as one weight is 1 or -1 and all else a multiple of 1/4."""
    (X, theta), y = scene(rng, len(z), d), labels(rng, len(z))
    one = np.abs(theta[:-1]).argmin()
    X[:, one] += (y * z - X @ theta[:-1] - theta[-1]) / theta[one]
    return X, y, theta


AGREEMENTS = "y * (X @ theta[:-1] + theta[-1])"


def wrong_agreements(text=AGREEMENTS):
    """Mistakes in the agreements, which the solution computes in this text."""
    return [(text, wrong, sentence) for wrong, sentence in (
        (AGREEMENTS.replace("y * ", ""),
         "The labels are missing: an agreement is y f, so that a negative example wants a negative score."),
        (AGREEMENTS.replace("y * ", "abs"),
         "You take |f|, which forgets on which side of the line an example lies: use the agreement y f."),
        (AGREEMENTS.replace(" + theta[-1]", ""), "Your score misses the offset: f = X @ theta[:-1] + theta[-1]."),
        ("y * (X @ theta[1:] + theta[0])", "Your offset comes first: here it is the last entry of theta."),
        ("-" + AGREEMENTS, "Your agreements have the wrong sign: y f is positive for an example on its own side."),
    )]


LENGTH = "np.linalg.norm(theta[:-1])"
NONE = "Where an example is on the wrong side, no positive number turns its agreement into 1: return None for `scaled`."


def margin_cases(rng):
    for least, n, d in (
        (1.5, 2, 1), (0.5, 4, 2), (0.75, 5, 3), (2, 6, 2), (0, 4, 1), (-1, 3, 1), (-0.5, 5, 2), (-2, 6, 3)
    ):
        yield street(rng, rng.permutation(np.append(least, rng.choice([2.25, 2.5, 3, 3.5], n - 1))), d)


task(
    "margin",
    returns=("claimed", "actual", "scaled"),
    cases=margin_cases,
    mistakes=[
        ("return 1 /", "return 2 /",
         "Your `claimed` is the whole width of the street, 2/||w||: the margin is half of it, 1/||w||."),
        ("return 1 / length", "return length",
         "Your `claimed` is upside down: long weights claim a narrow street, 1/||w||."),
        ("return 1 / length", "return 1 / length**2", "Your `claimed` is divided by ||w||^2: take the root."),
        ("return 1", "return 0.5",
         "Your `claimed` is half of what it should be: 1/||w|| is the distance from the line to one edge already."),
        (LENGTH, "np.linalg.norm(theta)", "You measure all of theta: ||w|| is the length of the weights alone, "
         "without the offset."),
        (LENGTH, "np.linalg.norm(theta[1:])",
         "You measure theta[1:]: the offset is the last entry of theta, so the weights are theta[:-1]."),
        (LENGTH, "np.abs(theta[:-1]).sum()",
         "You add up the weights: a length is the root of the sum of their squares."),
        (LENGTH, "(theta[:-1] @ theta[:-1])", "You divide by ||w||^2: take the root of the sum of the squares."),
        *wrong_agreements(),
        ("z.min() / length", "z.min()", "Your `actual` is an agreement: divided by ||w|| it becomes a distance."),
        ("z.min() / length", "z.max() / length", "The closest example has the smallest y f, not the largest."),
        ("z.min() / length", "z.mean() / length",
         "Your `actual` is the mean distance of all examples: that of the closest one is asked for."),
        ("z.min() / length", "np.abs(z).min() / length",
         "When an example is on the wrong side, `actual` is negative: leave the sign as it is."),
        ("z.min() / length", "z[z > 0].min() / length",
         "You leave out the examples on the wrong side: they count too, and then `actual` is negative."),
        ("z.min() / length", "max(0, z.min()) / length",
         "When an example is on the wrong side, `actual` is negative: do not cut it off at 0."),
        ("z.min() > 0", "z.min() >= 0",
         "A smallest agreement of exactly 0 is not positive, and no number turns it into 1: return None for `scaled`."),
        ("theta / z.min()", "theta * z.min()",
         "Your `scaled` is multiplied by the smallest agreement: divide, so that it becomes 1."),
        ("theta / z.min()", "np.append(theta[:-1] / z.min(), theta[-1])",
         "Your `scaled` keeps the old offset: divide all of theta, or the line moves."),
        ("theta / z.min()", "theta[:-1] / z.min()",
         "Your `scaled` has lost its offset: return all of theta, divided."),
        ("theta / z.min()", "theta / length",
         "Your `scaled` has weights of length 1: it is the smallest agreement that should become 1."),
        ("theta / z.min()", "theta * length / z.min()",
         "You divide theta by the distance of the closest example: divide by its agreement y f."),
        ("theta / z.min() if z.min() > 0 else None", "theta / z.min()", NONE),
        ("theta / z.min() if z.min() > 0 else None", "theta / np.abs(z).min()", NONE),
        *(("else None", f"else {other}", NONE) for other in ("theta", "0 * theta", "0", "[]")),
    ],
    hints=[
        "First all agreements, z = y * (X @ theta[:-1] + theta[-1]), and the length of the weights, which "
        "np.linalg.norm measures.",
        "The claimed margin is 1 over that length; the actual one is the smallest agreement over that length, "
        "whatever its sign.",
        "If theta is multiplied by a number, every agreement is multiplied by it too. Which number turns "
        "the smallest into 1? It exists only if the smallest is positive.",
    ],
)


SLACK, KIND = "np.maximum(0, 1 - z)", "np.where(z <= 0, 2, np.where(z < 1, 1, 0))"

task(
    "slacks",
    returns=("slack", "kind"),
    cases=lambda rng: [
        street(rng, rng.permutation(np.append([0, 1, 0.5, -0.5, -3], rng.choice([0.25, 0.75, 1.5, 2], n - 5))), d)
        for n, d in ((6, 1), (6, 2), (8, 2), (9, 3))
    ],
    mistakes=[
        *wrong_agreements(),
        (AGREEMENTS, f"{AGREEMENTS} / np.linalg.norm(theta[:-1])",
         "You take distances: slack is 1 - y f with the agreement itself, which is not divided by ||w||."),
        *((SLACK, wrong, sentence) for wrong, sentence in (
            ("np.maximum(0, -z)",
             "That is the perceptron's loss: slack begins at the edge of the street, where y f = 1."),
            ("1 - z", "Slack is never negative: an example beyond its edge has none, so cut it off at 0."),
            ("np.abs(1 - z)", "|1 - y f| grows for examples beyond their edge as well: slack is max(0, 1 - y f)."),
            ("np.maximum(0, 1 - z) ** 2", "Slack is not squared: max(0, 1 - y f)."),
            ("np.maximum(0, 1 + z)", "1 + y f grows where the example is right: slack is max(0, 1 - y f)."),
            ("np.maximum(0, z - 1)",
             "That is how far an example lies beyond its edge: slack is how much it falls short, max(0, 1 - y f)."),
            ("np.clip(1 - z, 0, 1)",
             "Slack has no upper limit: an example far on the wrong side has much more than 1."),
            ("np.where(z <= 0, 1 - z, 0)",
             "An example on the right side but inside the street has slack too: 1 - y f wherever y f < 1."),
            ("1 * (z < 1)", "You return whether there is slack: return how much, 1 - y f."),
        )),
        (then(slack=lambda slack, theta: slack / np.linalg.norm(theta[:-1])),
         "You measure how far an example lies from its edge: slack is counted in agreements, so do not divide by "
         "||w||."),
        (then(slack=np.mean), "You return the mean slack: that of each example is asked for, shape (n,)."),
        ("z <= 0", "z < 0",
         "An example exactly on the line, y f = 0, counts as misclassified: kind 2 where y f <= 0."),
        ("z < 1", "z <= 1", "An example exactly on its edge, y f = 1, has no slack: kind 0 where y f >= 1."),
        ("z <= 0", "z < 0", "z < 1", "z <= 1",
         "Mind both borders: y f = 1 is kind 0 (no slack) and y f = 0 is kind 2 (misclassified)."),
        ("z <= 0", "z < 1",
         "Slack alone is no misclassification: kind 2 only where y f <= 0, kind 1 between 0 and 1."),
        ("z <= 0", "z <= -1",
         "A slack of 1 or more is enough to be misclassified: kind 2 where y f <= 0, not y f <= -1."),
        (KIND, "np.where(z < 1, 1, np.where(z <= 0, 2, 0))",
         "You ask for y f < 1 first, so that the misclassified never become kind 2: ask for y f <= 0 first."),
        (then(kind=lambda kind: 2 - kind),
         "Your kinds are upside down: 0 without slack, 1 inside the street, 2 misclassified."),
        (then(kind=lambda kind: kind + 1), "Your kinds are 1, 2, 3: they are numbered 0, 1, 2."),
        (then(kind=lambda kind: np.bincount(kind, minlength=3)),
         "You count how many there are of each kind: return the kind of each example, shape (n,)."),
    ],
    hints=[
        "z = y * (X @ theta[:-1] + theta[-1]) gives all agreements at once. Both answers depend on z alone.",
        "Slack is what is missing from z to 1, and 0 where nothing is missing. np.maximum compares entry by entry.",
        "The kinds change at z = 0 and at z = 1; look at which side z = 0 and z = 1 themselves belong to. np.where "
        "inside np.where, or if, elif, else in a loop, tells three kinds apart.",
    ],
)


def support_cases(rng):
    near = 1e-6 * rng.uniform(0.2, 0.8)  # as rounding may make it
    late, beyond = [1 - 3e-6, 1 - 2e-3, 0.5, 1e-9, 0, -1, -2.5], [1 + 3e-6, 1 + 2e-3, 1.5]
    both = [1, 1 + near, *late, *beyond]
    for d, first, rest in ((1, 1 - near, both), (2, 1 - near, both), (3, 1 - near, [*both, 3, 2, 0.25]),
                           (2, 0.75, late), (2, 1 - near, [1 + near, *beyond])):
        yield street(rng, np.append(first, rng.permutation(rest)), d)


ON_EDGE, WITH_SLACK = "np.abs(z - 1) <= 1e-6", "z < 1 - 1e-6"
LISTS = "np.flatnonzero(on_edge), np.flatnonzero(with_slack)"
WIDE = "Your tolerance is wider than 1e-6, which is for rounding alone (that of np.isclose is 1e-5 unless you say so)."

task(
    "support_vectors",
    returns=("on_edge", "with_slack"),
    cases=support_cases,
    mistakes=[
        *wrong_agreements(),
        (AGREEMENTS, f"{AGREEMENTS} / np.linalg.norm(theta[:-1])",
         "You compare distances with 1: the edges are where the agreement y f is 1, at distance 1/||w||."),
        (ON_EDGE, "z == 1",
         "Rounding: an agreement of 1.0000001 is on the edge as well, so test |y f - 1| <= 1e-6, not equality."),
        *((ON_EDGE, f"np.abs(z - 1) <= {wide}", WIDE) for wide in (1e-5, 1e-2)),
        *((WITH_SLACK, f"z < 1 - {wide}", WIDE) for wide in (1e-5, 1e-2)),
        (ON_EDGE, "np.abs(z) <= 1e-6", "The edges are where y f = 1; y f = 0 is the line itself."),
        (ON_EDGE, "np.abs(np.abs(z) - 1) <= 1e-6",
         "An example on the edge of the other class, y f = -1, is misclassified: your first list wants y f = 1."),
        (ON_EDGE, "np.isclose(z, z.min())",
         "The edge is not where the smallest agreement is: it is where y f = 1."),
        (ON_EDGE, "z <= 1 + 1e-6",
         "Your first list has all support vectors: only those with |y f - 1| <= 1e-6 belong there."),
        (WITH_SLACK, "z < 1",
         "An example on the edge within the tolerance is in both your lists: slack begins below 1 - 1e-6."),
        (WITH_SLACK, "z <= 1 + 1e-6",
         "Those on the edge belong to your first list alone: slack begins below 1 - 1e-6."),
        (WITH_SLACK, "(z < 1 - 1e-6) & (z > 0)",
         "The misclassified examples have slack too: they belong to your second list."),
        (WITH_SLACK, "z <= 0",
         "Your second list has the misclassified alone: an example inside the street, 0 < y f < 1, has slack too."),
        (WITH_SLACK, "z < -1 - 1e-6", "Slack begins below y f = 1: y f < -1 is beyond the opposite edge."),
        (WITH_SLACK, "z > 1 + 1e-6",
         "Your second list has the examples beyond their edge: those are no support vectors."),
        (LISTS, "1 * on_edge, 1 * with_slack",
         "You return 1 and 0, or True and False, for every example: return row numbers, as np.flatnonzero gives "
         "them."),
        (LISTS, LISTS.replace("flatnonzero", "where"),
         "np.where(condition) is a tuple around the list: np.where(condition)[0] is the list, or np.flatnonzero."),
        (then(lambda lists: [rows + 1 for rows in lists]),
         "Your numbers begin at 1: the first row of X is example 0."),
        (then(lambda lists: [rows[::-1] for rows in lists]), "Your numbers go down: list them in increasing order."),
        (then(lambda lists: [len(rows) for rows in lists]),
         "You return how many there are: return which, as row numbers."),
    ],
    hints=[
        "Both lists come from the agreements z = y * (X @ theta[:-1] + theta[-1]).",
        "On the edge means: z differs from 1 by at most 1e-6, up or down. With slack means: z is below that, "
        "however far.",
        "np.flatnonzero(condition) gives the row numbers where a condition holds, in increasing order.",
    ],
)


LOSS, PENALTY, PULL = "np.maximum(0, 1 - z).mean()", "lam / 2 * w @ w", "-((z <= 1) @ Z) / len(X)"

task(
    "soft_margin",
    returns=("value", "slope"),
    cases=lambda rng: [
        (*street(rng, rng.permutation(np.append([1, 0.5, -0.75, 2], rng.choice([-2, 0, 0.25, 1.75], n - 4))), d), lam)
        for n, d, lam in ((4, 1, 0.5), (5, 2, 0.25), (6, 2, 2.0), (7, 3, 0.75), (8, 2, 0.0))
    ],
    mistakes=[
        *wrong_agreements("Z @ theta"),
        (LOSS, "np.maximum(0, 1 - z).sum()", " / len(X)", "",
         "You sum over the examples: here the loss is their mean, in the value and in the slope."),
        (LOSS, "np.maximum(0, 1 - z).sum()", "Your `value` sums the slacks: take their mean."),
        (" / len(X)", "", "Your `slope` sums over the examples: divide by n, as the value does."),
        ("len(X)\n", "max(1, (z <= 1).sum())\n",
         "Your `slope` divides by the number of examples that pull: divide by n, as those that do not pull count too."),
        (LOSS, "np.maximum(0, -z).mean()", "z <= 1", "z <= 0",
         "That is the perceptron's loss: the hinge loss is max(0, 1 - y f), and its examples pull up to y f = 1."),
        (LOSS, "(1 - z).mean()", "z <= 1", "z < np.inf",
         "Examples beyond their edge have no loss and no pull: cut 1 - y f off at 0."),
        (LOSS, "(1 - z).mean()", "Examples beyond their edge have no loss: cut 1 - y f off at 0."),
        (LOSS, "(np.maximum(0, 1 - z) ** 2).mean()", "The hinge loss is not squared."),
        ("z <= 1", "z < 1",
         "An example exactly on its edge pulls too: the slope of the hinge loss is -1 where y f <= 1."),
        ("z <= 1", "z <= 0", "In your `slope` only the misclassified pull: every example with y f <= 1 must."),
        ("z <= 1", "z > 1",
         "In your `slope` the wrong examples pull: those with y f <= 1 must, those beyond their edge must not."),
        ("z <= 1", "z < np.inf",
         "In your `slope` all examples pull: those beyond their edge, y f > 1, have slope 0."),
        ("(z <= 1)", "np.maximum(0, 1 - z)",
         "You multiply by the slack: an example with slack pulls with force 1, however large its slack."),
        (PULL, PULL[1:], "The loss has the wrong sign in your `slope`: an example that pulls adds -y (x, 1) / n."),
        (PULL, "-(((z <= 1) * y) @ Z) / len(X)",
         "Your `slope` lost the labels: an example that pulls adds -y (x, 1) / n."),
        ("slope[:-1] +", "slope[-1] = 0\n    slope[:-1] +",
         "The slope of the offset is missing: each example that pulls adds -y / n to it."),
        (then(slope=lambda slope: slope[:-1]),
         "Your `slope` has as many entries as there are weights: that of the offset comes last."),
        (PENALTY, "lam / 2 * theta @ theta", "slope[:-1] += lam * w", "slope += lam * theta",
         "You penalise the offset: ||w||^2 has the weights alone, and the last entry of the slope no lambda."),
        (PENALTY, "lam / 2 * theta @ theta", "Your `value` penalises the offset: ||w||^2 has the weights alone."),
        ("slope[:-1] += lam * w", "slope += lam * theta",
         "Your `slope` penalises the offset: its last entry has no lambda in it."),
        (PENALTY, "lam * w @ w", "slope[:-1] += lam * w", "slope[:-1] += 2 * lam * w",
         "You use lambda ||w||^2: here the penalty is lambda/2 ||w||^2, with slope lambda w."),
        (PENALTY, "lam * w @ w", "Your `value` uses lambda ||w||^2: here the penalty is lambda/2 ||w||^2."),
        (PENALTY, "lam / 2 * np.linalg.norm(w)", "Your penalty is not squared: it is lambda/2 ||w||^2."),
        (PENALTY, "lam * np.abs(w).sum()", "That is the L1 penalty: here it is lambda/2 ||w||^2."),
        (f" + {PENALTY}", "", "Your `value` has no penalty: add lambda/2 ||w||^2."),
        ("+= lam * w", "+= 2 * lam * w", "The slope of lambda/2 ||w||^2 is lambda w: yours is twice that."),
        ("+= lam * w", "+= lam / 2 * w", "The slope of lambda/2 ||w||^2 is lambda w: yours is half of that."),
        ("+= lam * w", "+= 0", "Your `slope` has no penalty: add lambda w to the weights' part."),
        ("+= lam * w", "-= lam * w", "The penalty's slope has the wrong sign: it is +lambda w."),
        (PENALTY, f"{PENALTY} / len(X)", "+= lam * w", "+= lam * w / len(X)",
         "The penalty is not divided by n, neither in the value nor in the slope: only the losses are averaged."),
        (PENALTY, f"{PENALTY} / len(X)", "In your `value` the penalty is divided by n: only the losses are averaged."),
        ("+= lam * w", "+= lam * w / len(X)",
         "In your `slope` the penalty is divided by n: only the losses are averaged."),
        (then(slope=np.negative),
         "Your `slope` points downhill: return the slope itself; the minus comes with the step."),
    ],
    hints=[
        "Take the two halves one by one: the mean of the slacks max(0, 1 - y f), and lam / 2 times the squared length "
        "of the weights.",
        "In the slope each example with y f <= 1 adds -y (x, 1) / n, the others nothing. The penalty adds lam * w to "
        "the weights and nothing to the offset.",
        "A loop over the examples does: start with slope = np.zeros(len(theta)), and build (x, 1) with "
        "np.append(X[i], 1). Without a loop: a matrix with the rows y (x, 1), multiplied by the condition y f <= 1.",
    ],
)


def pegasos_cases(rng):
    for n, d, lam, steps in ((4, 1, 0.5, 6), (4, 2, 0.25, 8), (5, 2, 0.125, 10), (6, 3, 0.0625, 12), (8, 2, 0.375, 16)):
        y = labels(rng, n)
        # Clouds that reach into each other: some examples pull, others do not.
        yield 0.8 * rng.normal(size=(n, d)) + y[:, None], y, lam, rng.integers(n, size=steps)
    # Step 2 finds an agreement of exactly 1: x . x / lambda, without rounding.
    x, sign = rng.choice([0.25, 0.5]), rng.choice([-1.0, 1.0])
    yield sign * np.array([[x], [-1.5]]), np.array([1.0, -1.0]), float(x * x), np.array([0, 0, 1])


SHRINK, ADD, MEAN = "(1 - eta * lam) * w", "w + eta * y[i] * X[i]", "total / len(order)"
BALL, BACK = "length > 1 / np.sqrt(lam)", "w / (length * np.sqrt(lam))"
ALL = "total = np.zeros(X.shape[1])", "total = []", "total + w", "total + [w]", MEAN

task(
    "pegasos",
    returns=("w", "average"),
    cases=pegasos_cases,
    mistakes=[
        ("start=1", "start=2", "Your t starts at 2: the first step has t = 1 and eta = 1/lambda."),
        ("1 / (lam * t)", "1 / t", "Your step size is 1/t: it must be 1/(lambda t)."),
        ("1 / (lam * t)", "1 / t", SHRINK, "(1 - eta) * w",
         "You add y x / t: the step size is 1/(lambda t), and the example takes all of it."),
        ("1 / (lam * t)", "1 / lam", "Your step size stays 1/lambda: it must fall, 1/(lambda t)."),
        ("lam * t", "lam * np.sqrt(t)", "Your step size falls with the root of t: it must be 1/(lambda t)."),
        ("1 / (lam * t)", "lam / t", "Your step size is lambda/t: lambda belongs below, 1/(lambda t)."),
        ("<= 1", "< 1", "At y f = 1 exactly an example still pulls: the question is y f <= 1."),
        ("<= 1", "<= 0",
         "An example pulls when y f <= 1: inside the street too, not only when it is misclassified."),
        ("<= 1", "> 1",
         "Your w stays 0: at w = 0 every agreement is 0, which is at most 1, so the first example must pull."),
        ("<= 1", "< np.inf", "Every example pulls: those with y f > 1 only let w shrink."),
        ("eta * y[i]", "eta", "The pull lost its label: add eta y x."),
        ("w + eta", "w - eta",
         "The pull has the wrong sign: add eta y x, so that the agreement of this example grows."),
        ("w = (1", "(1", "Your w never shrinks: every step multiplies it by 1 - eta lambda first."),
        (SHRINK, "(1 - pulls * eta * lam) * w",
         "Your w shrinks only when the example pulls: it must shrink in every step, outside the if."),
        (SHRINK, "(1 - (not pulls) * eta * lam) * w",
         "Your w shrinks only when the example does not pull: it must shrink in every step."),
        (SHRINK, "(1 - lam) * w", "Your w shrinks by 1 - lambda: the factor is 1 - eta lambda, which is 1 - 1/t."),
        *((SHRINK, f"(1 - {factor}eta * lam) * w",
           f"Your w shrinks {word}: the slope of lambda/2 ||w||^2 is lambda w, so the factor is 1 - eta lambda.")
          for factor, word in (("0.5 * ", "half as much as it should"), ("2 * ", "twice as much as it should"))),
        (SHRINK, "(1 + eta * lam) * w", "Your w grows: the factor is 1 - eta lambda."),
        (SHRINK, "w", "length = ", "w = (1 - eta * lam) * w\n        length = ",
         "You shrink w after the pull, and so the pull too: first (1 - eta lambda) w, then add eta y x."),
        ("pulls = y[i] * (w @ X[i])", f"pulls = y[i] * ({SHRINK} @ X[i])",
         "You shrink w before you look at the example: take y f with w as the step finds it."),
        (BALL, "False",
         "The last part of the step is missing: where ||w|| is above 1/sqrt(lambda), scale w back to that length."),
        (BALL, "length > 1 / lam", BACK, "w / (length * lam)",
         "Your ball has the radius 1/lambda: it is 1/sqrt(lambda)."),
        (BALL, "length > np.sqrt(lam)", BACK, "w / length * np.sqrt(lam)",
         "Your ball has the radius sqrt(lambda): it is 1/sqrt(lambda)."),
        (BALL, "length > 1", BACK, "w / length", "Your ball has the radius 1: it is 1/sqrt(lambda)."),
        (BALL, "length > 0",
         "You scale w to the length 1/sqrt(lambda) in every step: do so only where it is longer."),
        (BALL, "True", BACK, "np.clip(w, -1 / np.sqrt(lam), 1 / np.sqrt(lam))",
         "You cut off each weight by itself: scale w as a whole, so that it keeps its direction."),
        ("        total = total + w\n", "", "length = ", "total = total + w\n        length = ",
         "Your average takes each w before it is scaled back into the ball: add it up at the end of the step."),
        (MEAN, "total / (len(order) + 1)",
         "The start counts in your average: take the mean of w after step 1, 2, ..., T."),
        ("        total = total + w\n", "", "eta = ", "total = total + w\n        eta = ",
         "Your average takes each w before its step: take the mean of w after step 1, 2, ..., T."),
        (MEAN, "total", "You return the sum of all w: divide by the number of steps."),
        (MEAN, "total / len(X)", "Your average is divided by n: divide by the number of steps, len(order)."),
        (*ALL, "np.mean(total[len(order) // 2 :], axis=0)",
         "You average over the second half alone: take the mean over all steps."),
        (MEAN, "w", "Your average is the last w: a list that holds the same array again and again does that; append a "
         "copy."),
        (*ALL, "np.array(total)", "You return all w: `average` is their mean, shape (d,)."),
        ("enumerate(order,", "enumerate(np.arange(len(order)) % len(X),",
         "You take the examples one after the other: step t uses the example order[t - 1]."),
    ],
    hints=[
        "One step for each i in order, with t = 1, 2, ...; enumerate(order, start=1) counts. There is no offset: the "
        "score of X[i] is w @ X[i].",
        "Keep the three parts in their order: first ask whether the example pulls, then shrink w in every case and add "
        "the pull if it was so, then look at the length of w.",
        "If np.linalg.norm(w) is above the radius r of the ball, w times r over that length has the length r. For the "
        "average add up w at the end of every step, and divide by the number of steps.",
    ],
)


CHANGES = [1, 1, 0, -1]
WRONG_CHANGES = {
    (0, -1): "First change: a larger lambda makes long weights dearer. What happens to ||w||, and so to 1/||w||?",
    (0, 0): "First change: lambda is the price of long weights; the margin follows it.",
    (1, -1): "Second change: all distances double. The line that fits has weights half as long; and 1/||w||?",
    (1, 0): "Second change: distances are measured in the units of the data, and so is the margin.",
    (2, 1): "Third change: does an example beyond its edge pull at all? What is its slack before and after?",
    (2, -1): "Third change: an example beyond its edge has no slack, and it still has none after the move.",
    (3, 1): "Fourth change: a hard margin has to respect the new example as well. Can the street become wider?",
    (3, 0): "Fourth change: the example is inside the street, where none may be. Something has to give way.",
}

task(  # A to F have the scores 2, 0, -1, -5, -0.4, 1 and the agreements 2, 0, 1, 5, 0.4, -1
    "read_street",
    returns=("margin", "slack", "support", "wrong", "changes"),
    mistakes=[
        *slips(
            "margin",
            (0.4, "0.4 is the width of the whole street: the margin is half of it, 1/||w||."),
            (5, "5 is the length of the weights: the margin is 1 over it."),
            (1 / 7, "You added the weights up: the length of (3, 4) is the root of 9 + 16."),
            (50**-0.5, "The offset is no part of the normal vector: measure (3, 4) alone."),
            (0.04, "You divided by ||w||^2: take the root."),
        ),
        *slips(
            "slack",
            ([0, 1, 2, 6, 1.4, 0],
             "You took the scores f: an agreement is y f, so change the sign for the negative examples."),
            ([-1, 1, 0, -4, 0.6, 2], "Slack is never negative: examples beyond their edge have 0."),
            ([0, 0, 0, 0, 0, 1], "Slack begins at the edge, y f = 1, not at the line: max(0, 1 - y f)."),
            ([0, 0.2, 0, 0, 0.12, 0.4], "Slack is counted in agreements: do not divide by ||w||."),
            ([2, 0, 1, 5, 0.4, -1], "These are the agreements: slack is what each is short of 1, max(0, 1 - y f)."),
        ),
        *slips(
            "support",
            (3, "Your `support` is 3, one short: the example exactly on its edge, the one on the line and the "
             "misclassified ones all count, y f <= 1."),
            (1, "Those with slack are support vectors too, not only those on the edge: y f <= 1."),
            (2, "Support vectors are all with y f <= 1, on the right side and on the wrong one."),
        ),
        *slips(
            "wrong",
            (1, "A score of exactly 0 counts as misclassified, whatever the label."),
            (3, "Slack does not make an example misclassified: count y f <= 0."),
        ),
        *((then(changes=lambda _, wrong=wrong: wrong),
           WRONG_CHANGES[next((k, v) for k, v in enumerate(wrong) if v != CHANGES[k])])
          for wrong in product((1, 0, -1), repeat=4) if list(wrong) != CHANGES),
    ],
    hints=[
        "The scores first: f = 3 x1 + 4 x2 - 5 for each of the six examples, then y f. The length of (3, 4) is a whole "
        "number.",
        "All but the first and the last answer come from the six agreements alone. One example has y f = 0 and one has "
        "y f = 1, exactly: see on which side the conventions above put them.",
        "For the changes ask each time: which examples hold the street, does the change touch them, and what do long "
        "weights cost?",
    ],
)
