"""A ravine foreseen, three gradients, momentum, two line searches, Barzilai-Borwein, a study to mend, starts that never
arrive, a search that stalls."""

import numpy as np

from coursekit.core import datasets
from coursekit_grade.draws import labels, quarters
from coursekit_grade.tasks import solution, task, then

line_search, momentum, early_stop = solution("line_search"), solution("momentum"), solution("early_stop")


def ravines(rng):
    """Powers of two times small whole numbers, so that a factor of -1 is -1 for everyone."""
    for steep, t in ((1.25, 3), (2.0, 4), (2.5, 3), (2.0, 3), (1.75, 2), (0.75, 5)):
        d = int(rng.integers(2, 4))
        eta = 2.0 ** -rng.integers(1, 4)
        a = np.append(steep, rng.choice([0.125, 0.25, 0.375, 0.5], d - 1, replace=False)) / eta
        if t == 2:  # all four kinds but the third
            a = np.array([1.75, 0.5, 2.25]) / eta
        yield rng.permutation(a), rng.choice([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0], len(a)), eta, t
    # so many steps that no loop makes them
    yield rng.permutation([1.0, 2.0, 6.0]) * rng.integers(1, 3), rng.choice([-2.0, 2.0], 3), 2.0**-31, 10**9


AFTER, FACTOR = "factor**t * start", "1 - eta * a"
LIMIT, CONDITION = "2 / np.max(a)", "np.max(a) / np.min(a)"
TURN = "np.degrees(np.arccos(cosine))"

task(
    "ravine",
    returns=("after", "kinds", "limit", "condition", "angle"),
    cases=ravines,
    mistakes=[
        *((AFTER, wrong, sentence) for wrong, sentence in (
            ("factor * start", "Your `after` is one step: t steps multiply t times by the factor."),
            ("factor * t * start", "Your `after` multiplies by t: t steps are the factor to the power t."),
            ("(1 - t * eta * a) * start",
             "Your `after` takes all steps with the gradient at the start: it changes with every step."),
            ("factor**t", "Your `after` has lost the start: the factors multiply it."),
            ("np.abs(factor) ** t * start",
             "Your `after` never changes sides: a negative factor jumps across 0 in every step."),
            ("factor ** (t - 1) * start", "Your `after` is one step short."),
            ("factor ** (t + 1) * start", "Your `after` makes one step too many."),
            ("np.linalg.norm(factor**t * start)", "Your `after` is a length: return the vector itself."),
            ("np.exp(-eta * a * t) * start",
             "Your `after` is that of endlessly small steps: t steps of length eta multiply t times by 1 - eta a."),
            ("(1 - eta * np.max(a)) ** t * start",
             "Your `after` shrinks all axes alike: each has its own factor, 1 - eta a_j."),
        )),
        *((FACTOR, wrong, sentence) for wrong, sentence in (
            ("1 + eta * a", "You go uphill: a step is theta minus eta times the gradient."),
            ("1 - 2 * eta * a", "Your gradient is twice too long: that of a theta^2 / 2 is a theta."),
            ("1 - eta * a / 2", "Your gradient is half too short: that of a theta^2 / 2 is a theta."),
            ("1 - eta", "Your factor leaves out a: along axis j the gradient is a_j theta_j."),
            ("1 - a", "Your factor leaves out eta: a step is eta times the gradient."),
            ("1 - eta * a**2", "Your factor has a^2 in it: along axis j the gradient is a_j theta_j."),
        )),
        *((test, wrong, sentence) for test, wrong, sentence in (
            ("factor == -1, 3, 4", "factor == -1, 2, 4",
             "Your `kinds` call a factor of -1 nearer: it keeps the distance for ever."),
            ("factor == -1, 3, 4", "factor == -1, 4, 4",
             "Your `kinds` call a factor of -1 running away: it keeps the distance for ever."),
            ("factor >= 0, 1,", "factor > -1, 1,",
             "Your `kinds` miss the jumps: with a negative factor every step ends on the other side of 0."),
            ("factor > -1, 2,", "factor > -9, 2,",
             "Your `kinds` call all jumps nearer: below -1 the factor makes the distance grow."),
            ("factor >= 0, 1,", "factor < 0, 1,", "Your `kinds` are turned round: a negative factor jumps across 0."),
            ("factor >= 0, 1, np.where(factor > -1, 2", "factor >= 0, 2, np.where(factor > -1, 1",
             "Your `kinds` 1 and 2 are exchanged: a negative factor jumps across 0, and that is 2."),
            ("np.where(factor >= 0, 1, np.where(factor > -1, 2, np.where(factor == -1, 3, 4)))",
             "np.select([abs(factor**t) > 1, abs(factor**t) == 1, factor**t < 0], [4, 3, 2], 1)",
             "Your `kinds` compare `after` with the start: an even number of jumps is not seen; look at the factor."),
            ("factor >= 0, 1,", "start > 0, 1,",
             "Your `kinds` look at the start: only the factor 1 - eta a_j tells what happens along an axis."),
        )),
        (then(kinds=lambda kinds: np.max(kinds)),
         "Your `kinds` is the worst axis alone: return one number for each axis."),
        (then(kinds=lambda kinds: np.full(len(kinds), np.max(kinds))),
         "Your `kinds` give all axes what the steepest one does: each has its own factor."),
        *((LIMIT, wrong, sentence) for wrong, sentence in (
            ("1 / np.max(a)", "Your `limit` is where the steep axis arrives at once: it may still jump, up to 2/max."),
            ("2 / np.min(a)", "Your `limit` is that of the flattest axis: the steepest one runs away first."),
            ("np.max(a) / 2", "Your `limit` is upside down: the steeper the ravine, the smaller the steps."),
            ("2 / (np.max(a) + np.min(a))", "Your `limit` is the step size that serves both axes best: "
             "steps may be longer before one of them fails to arrive."),
            ("2 / np.mean(a)", "Your `limit` takes the mean of the axes: the steepest one decides."),
            ("2 / np.sum(a)", "Your `limit` adds the axes up: the steepest one alone decides."),
            ("2 / a", "Your `limit` has an entry for each axis: one number, that all axes bear."),
            ("np.max(a)", "Your `limit` is the largest curvature: which number must eta times it not reach?"),
        )),
        *((CONDITION, wrong, sentence) for wrong, sentence in (
            ("a[0] / a[-1]", "Your `condition` divides the first a by the last: which are the largest and smallest?"),
            ("np.max(a) - np.min(a)", "Your `condition` is a difference: divide."),
            ("np.max(a)", "Your `condition` is the largest a: divide it by the smallest."),
        )),
        *((TURN, wrong, sentence) for wrong, sentence in (
            ("np.arccos(cosine)", "Your `angle` is in radians: return degrees, np.degrees."),
            ("cosine", "Your `angle` is the cosine: return the angle itself, in degrees."),
            ("np.degrees(np.arccos(-cosine))",
             "Your `angle` is taken with the wrong sign of one of the two: downhill is minus the gradient, and the "
             "minimum lies in the direction minus theta."),
            ("90 - np.degrees(np.arccos(cosine))", "Your `angle` is 90 degrees minus what it should be."),
            ("np.degrees(np.arccos(gradient @ start / (gradient @ gradient) / (start @ start)))",
             "Your `angle` divides by the squares of the lengths: divide by the lengths."),
            ("np.degrees(np.arccos(a @ start / np.linalg.norm(a) / np.linalg.norm(start)))",
             "Your `angle` takes a for the gradient: that is a times theta, entry by entry."),
        )),
        (then(angle=lambda _, a, after: np.degrees(np.arccos((a * after) @ after / np.linalg.norm(a * after)
                                                             / np.linalg.norm(after)))),
         "Your `angle` is measured after t steps: return that at the start."),
    ],
    hints=[
        "Each axis goes its own way, as if it were alone: the gradient along it is a_j theta_j. What does a step do to "
        "theta_j?",
        "A step multiplies theta_j by 1 - eta a_j. What do t steps do? When is that factor positive, between -1 and 0, "
        "exactly -1, below?",
        "factor**t works entry by entry. The axis with the largest a is the first to fail. For the angle divide "
        "the dot product of gradient and theta by both lengths, then np.arccos and np.degrees.",
    ],
)

# Gradients of the mean loss


def gradients_cases(rng):
    for n, d in ((2, 1), (3, 2), (4, 2), (5, 3), (6, 1), (8, 2)):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), quarters(rng, d + 1)
            theta[0] = rng.choice([-1.0, 1.0])
            X[0, 0] -= theta[0] * (X[0] @ theta[:-1] + theta[-1] - y[0])  # agreement 1: on the kink
            z = y * (X @ theta[:-1] + theta[-1])
            kinds = np.any((z > 0) & (z < 1)), n < 4 or np.any(z > 1), n < 4 or np.any(z < 0), n < 4 or np.any(
                (z <= 1) != (y * z <= 1))  # the condition is on the agreement z, not on the score y z
            if X[0].any() and theta.all() and all(kinds):
                break
        yield X, y, theta


RETURN = "return squared, hinge, logistic"
SQUARED, HINGE, LOGISTIC = (
    "(-2 * (y - f)) / len(X)", "np.where(y * f <= 1, -y, 0) / len(X)", "(-y / (1 + np.exp(y * f))) / len(X)"
)
SLOPE, PULL, PULLS, CURVE = "-2 * (y - f)", "-y, 0", "y * f <= 1", "-y / (1 + np.exp(y * f))"

task(
    "gradients",
    returns=("squared", "hinge", "logistic"),
    parts={"squared": 1, "hinge": 1, "logistic": 1},
    cases=gradients_cases,
    mistakes=[
        *((RETURN, wrong, sentence) for wrong, sentence in (
            ("return len(X) * squared, len(X) * hinge, len(X) * logistic",
             "You add up over the examples: the risk is a mean, so divide by n."),
            ("return tuple(part * len(X) / X.shape[1] for part in (squared, hinge, logistic))",
             "You divide by the number of features: the mean is over the examples, len(X)."),
            ("return np.mean((y - f) ** 2), np.mean(np.maximum(0, 1 - y * f)), np.mean(np.log(1 + np.exp(-y * f)))",
             "You return the three risks: return their gradients, a vector each."),
            ("return squared / len(X), hinge / len(X), logistic / len(X)", "You divide by n twice."),
            ("return -squared, -hinge, -logistic",
             "You return minus the gradient, the way down: return the gradient itself."),
            ("return squared[:-1], hinge[:-1], logistic[:-1]",
             "The last entry is missing: theta has an offset, and so has the gradient."),
            ("return np.roll(squared, 1), np.roll(hinge, 1), np.roll(logistic, 1)",
             "Your offset comes first: it is the last entry of theta, and of the gradient."),
        )),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]",
         "Your constant comes first: the offset is the last entry of theta, so the column of ones comes last."),
        ("Z.T @ " + SQUARED, "np.mean(-2 * (y - f) * Z.T)",
         "Z.T @ " + HINGE, "np.mean(np.where(y * f <= 1, -y, 0) * Z.T)",
         "Z.T @ " + LOGISTIC, "np.mean(-y / (1 + np.exp(y * f)) * Z.T)",
         "You take the mean over everything: it is over the examples alone, one entry for each entry of theta."),
        *(("Z.T @ " + part, part.replace(" / len(X)", ""), "Your slopes are those of each example by itself: the chain "
           "rule multiplies each by (x, 1), then their mean is taken.") for part in (SQUARED, HINGE, LOGISTIC)),
        ("Z.T @ " + SQUARED, "np.mean(-2 * (y - f)) * Z.mean(axis=0)",
         "Z.T @ " + HINGE, "np.mean(np.where(y * f <= 1, -y, 0)) * Z.mean(axis=0)",
         "Z.T @ " + LOGISTIC, "np.mean(-y / (1 + np.exp(y * f))) * Z.mean(axis=0)",
         "You multiply two means: in each example multiply its number by (x, 1) first, then take the mean."),
        ("Z @ theta", "X @ theta[:-1]", "The score misses the offset: f = theta . (x, 1)."),
        ("Z @ theta", "Z @ theta; Z[:, -1] = 0",
         "The gradient with respect to the offset is not 0: the offset is the weight of the constant attribute 1."),
        *((SLOPE, wrong, sentence) for wrong, sentence in (
            ("-(y - f)", "Your `squared` lacks the factor 2: there is no 1/2 in front of (y - f)^2."),
            ("2 * (y - f)", "Your `squared` has the wrong sign: the inner derivative of y - f is -x."),
            ("-2 * (1 - y * f)", "Your `squared` lacks a y: the derivative of (1 - y f)^2 in f is -2 (1 - y f) y."),
            ("np.where(y * f < 1, -2 * (y - f), 0)",
             "Your `squared` leaves out examples with y f > 1: the squared loss has no condition, they pull back."),
            ("(y - f) ** 2",
             "Your `squared` multiplies x by the loss itself: multiply it by the derivative of the loss in f."),
            ("-2 * (y - np.sign(f))", "Your `squared` takes the sign of the score: it needs the score f itself."),
            ("-2 * y * (1 - f)",
             "Your `squared` has y (1 - f): the derivative of (1 - y f)^2 is -2 y (1 - y f), which is -2 (y - f)."),
            ("-2 * abs(y - f)",
             "Your `squared` takes |y - f|: the sign of y - f says to which side the example pulls."),
        )),
        *((PULLS, wrong, sentence) for wrong, sentence in (
            ("y * f < 1",
             "At the kink of the hinge loss, y f = 1, the slope of the left side counts: the example pulls "
             "(<=)."),
            ("y * f <= 0", "In the hinge loss an example pulls up to y f = 1, not only while it is wrong."),
            ("y * f < 0", "In the hinge loss an example pulls up to y f = 1, not only while it is wrong."),
            ("y * f > 1", "The condition of your `hinge` is the wrong way round: examples with y f <= 1 pull."),
            ("y * f >= 1", "The condition of your `hinge` is the wrong way round: examples with y f <= 1 pull."),
            ("f <= 1", "The condition of your `hinge` looks at the score f: it is on the agreement y f."),
        )),
        *((PULL, wrong, sentence) for wrong, sentence in (
            ("y, 0", "Your `hinge` has the wrong sign: the gradient of 1 - y f is -y x."),
            ("-1, 0", "Your `hinge` lacks the label: the gradient of 1 - y f is -y x."),
            ("-y, y", "In your `hinge` examples beyond y f = 1 pull back: there the loss is flat, and its slope 0."),
            ("-y * f, 0",
             "Your `hinge` multiplies by the score: the derivative of 1 - y f with respect to f is -y."),
            ("1 - y * f, 0", "Your `hinge` multiplies x by the loss itself: multiply it by its derivative, -y."),
        )),
        *((HINGE, wrong, sentence) for wrong, sentence in (
            ("-y / len(X)", "Your `hinge` has no condition: beyond y f = 1 the loss is flat, and nothing pulls."),
            ("(-y * np.maximum(0, 1 - y * f)) / len(X)",
             "In the hinge loss every example that pulls does so equally hard, by -y x, whatever its loss."),
            (HINGE.replace("len(X)", "np.sum(y * f <= 1)"),
             "The mean of your `hinge` is over the examples that pull: it is over all n."),
            (HINGE.replace(" / len(X)", ""), "Your `hinge` is a sum, your `squared` a mean: divide by n in both."),
            ("np.where(y * f == 1, -y / 2, np.where(y * f < 1, -y, 0)) / len(X)",
             "At the kink of the hinge loss you take the middle of both slopes, as differences to both sides do: that "
             "of the left side counts."),
        )),
        *((CURVE, wrong, sentence) for wrong, sentence in (
            ("y / (1 + np.exp(y * f))", "Your `logistic` has the wrong sign: the loss falls as y f grows."),
            ("-y / (1 + np.exp(-y * f))",
             "Your `logistic` has the wrong sign in the exponent: right examples, with a large y f, hardly pull."),
            ("-1 / (1 + np.exp(y * f))", "Your `logistic` lacks the label: the inner derivative of y f is y x."),
            ("-y * np.exp(-y * f)",
             "Your `logistic` is the inner derivative alone: that of log(u) also divides by u, here 1 + exp(-y f)."),
            ("-y / (1 + np.exp(f))", "Your `logistic` has the score in the exponent: it is the agreement y f."),
            ("np.log(1 + np.exp(-y * f))",
             "Your `logistic` multiplies x by the loss itself: multiply it by the derivative of the loss in f."),
            ("-1 / (1 + np.exp(-y * f))",
             "Your `logistic` has lost the label in front, and its exponent has the wrong sign."),
            ("1 / (1 + np.exp(-f)) - y",
             "Your `logistic` is that for labels 0 and 1: here they are -1 and +1, start from log(1 + exp(-y f))."),
        )),
        (LOGISTIC, LOGISTIC.replace(" / len(X)", ""),
         "Your `logistic` is a sum, the other two are means: divide by n in all three."),
    ],
    hints=[
        "All three gradients are means of (a number for each example) times (x, 1).",
        "The number is the derivative of the loss with respect to f: of (y - f)^2, of max(0, 1 - y f), of "
        "log(1 + exp(-y f)). In the last one multiply above and below by exp(y f).",
        "With a column of ones in Z, Z.T @ numbers adds up over the examples, for all entries of theta at once. Then "
        "divide by n.",
    ],
)

# The mean squared loss without offset

SHORT = [
    ("-2 * X.T", "-X.T", "Your gradient lacks the factor 2: the loss is (y - f)^2, without a 1/2."),
    ("/ len(X)", "", "Your gradient is that of the sum of the losses: the risk is their mean, so divide by n."),
    ("-2 * X.T", "-X.T", "/ len(X)", "",
     "Your gradient lacks the factor 2, and it is that of a sum: the risk is the mean of (y - f)^2."),
]
PATHS = [  # of any descent
    ("-2 * X.T", "2 * X.T", "You go uphill: theta - eta * gradient leads down."),
    *SHORT,
    ("/ len(X)", "/ np.linalg.norm(2 * X.T @ (y - X @ thetas[-1]))",
     "Your steps all have the length eta: a step is eta times the gradient, long where it is steep."),
    ("/ len(X)", "/ len(X) / len(thetas)", "Your step size shrinks: eta is constant here."),
    ("/ len(X)", "/ X.shape[1]", "You divide by the number of features: the mean is over the examples, len(X)."),
    ("eta * gradient", "gradient", "Your step size is missing: a step is eta times the gradient."),
    ("range(steps)", "range(steps - 1)",
     "The last theta is missing: after `steps` steps there are steps + 1 rows, with the start."),
    ("range(steps)", "range(steps + 1)", "You make one step too many: after `steps` steps there are steps + 1 rows."),
    ("[start]", "[0 * start]", "You begin at 0: begin at the start that is given."),
]
ROWS = [
    (lambda thetas: thetas[1:], "The start is missing: row 0 of thetas is the start, so there are steps + 1 rows."),
    (lambda thetas: np.vstack([thetas[:1], np.diff(thetas, axis=0)]),
     "Your rows are the steps, V: return the thetas that they lead to."),
    (lambda thetas, X, y: [np.mean((y - X @ theta) ** 2) for theta in thetas],
     "You return the loss of each theta: return the thetas themselves."),
    (lambda thetas: [thetas[0]] + [thetas[-1]] * (len(thetas) - 1),
     "All rows behind the start are the last theta: the list holds the same array again and again; theta = theta - ... "
     "makes a new one, theta -= ... does not."),
    (lambda thetas: [thetas[-1]] * len(thetas),
     "All rows are the last theta: the list holds the same array again and again; theta = theta - ... makes a new one, "
     "theta -= ... does not."),
]


def momentum_cases(rng):
    for n, d, m, steps in ((3, 1, 0.5, 2), (3, 1, 0.0, 3), (4, 2, 0.9, 4), (5, 2, 0.8, 5), (5, 3, 0.3, 4)):
        X, y, start = rng.normal(size=(n, d)).round(2), labels(rng, n), (1 + rng.uniform(size=d)).round(2)
        bend = np.linalg.eigvalsh(2 * X.T @ X / n)[-1]
        yield X, y, start * rng.choice([-1.0, 1.0], d), round(float(rng.uniform(0.3, 0.8) / bend), 3), m, steps


VELOCITY, OLD = "m * V - eta * gradient", "You move theta by the old V: compute the new V first, then theta + V."

task(
    "momentum",
    returns="thetas",
    cases=momentum_cases,
    mistakes=[
        *PATHS,
        *((then(wrong), sentence) for wrong, sentence in ROWS),
        ("X @ thetas[-1]", "X @ start",
         "Every step uses the gradient at the start: compute it again where theta is now."),
        *((VELOCITY, wrong, sentence) for wrong, sentence in (
            ("-eta * gradient",
             "There is no momentum: V keeps m times its old value in every step, so it is 0 only before the loop."),
            ("V - eta * gradient", "V never slows down: it keeps m times its old value, not all of it."),
            ("m * V - (1 - m) * eta * gradient",
             "The gradient is weighted by 1 - m: here it enters V in full, as eta * gradient."),
            ("m * (V - eta * gradient)", "m multiplies the new gradient too: it belongs to the old V alone."),
            ("V - m * eta * gradient", "m multiplies the new gradient: it belongs to the old V."),
            ("(1 - m) * V - eta * gradient", "V keeps 1 - m of its old value: it keeps m."),
            ("-m * V - eta * gradient", "The old V is subtracted: m V is added."),
            ("eta * (m * V - gradient)", "eta multiplies the old V too: it belongs to the gradient alone."),
            ("m ** (len(thetas) - 1) * V - eta * gradient", "m is raised to a power: it is the same in every step."),
        )),
        ("V = " + VELOCITY, "old, V = V, " + VELOCITY, "thetas[-1] + V", "thetas[-1] + old",
         OLD),
        ("gradient = -2", "thetas.append(thetas[-1] + V)\n        gradient = -2",
         f"{VELOCITY}\n        thetas.append(thetas[-1] + V)", VELOCITY, OLD),
        ("thetas[-1] + V", "V", "You replace theta by V: it moves by V, theta + V."),
        ("X @ thetas[-1]", "X @ (thetas[-1] + m * V)",
         "The gradient is taken at theta + m V, where theta will be: here it is taken at theta."),
        ("np.zeros(len(start))", "2 * eta * X.T @ (y - X @ start) / len(X)",
         "V begins with a first step: it begins with 0, or the first step counts the gradient twice."),
        ("np.zeros(len(start))", "2 * X.T @ (y - X @ start) / len(X)",
         "V begins as minus the gradient: it begins with 0, as nothing moves yet."),
        ("thetas[-1] + V", "m * thetas[-1] - eta * gradient",
         "m multiplies theta: it multiplies the old V, and theta is kept whole."),
        ("V = " + VELOCITY + "\n        thetas.append(thetas[-1] + V)",
         "thetas.append(thetas[-1] - eta * gradient + m * V)\n        V = -eta * gradient",
         "You remember the last gradient alone: the old V holds all of them, each m times weaker than the next."),
        ("-2 * X.T @ (y - X @ thetas[-1])", "-X.T @ (y * (y * (X @ thetas[-1]) <= 1))",
         "Your gradient is that of the hinge loss: here the loss is the squared one."),
        (lambda X, y, start, eta, m, steps: momentum(np.column_stack([X, np.ones(len(X))]), y, np.append(start, 0.0),
                                                     eta, m, steps),
         "You add an offset: in this task there is none, theta has an entry for each column of X."),
        ("thetas[-1] + V", "start + V", "Every step begins at the start: it begins where the last one ended."),
        ("np.zeros(len(start))", "start", "V begins as the start: it begins with 0, as nothing moves yet."),
    ],
    hints=[
        "It is the loop of descend with one more vector V, which is all zeros before the first step.",
        "Each pass does two things in this order: a new V from the old one and the gradient, then theta moves by it.",
        "Collect theta after each step as in descend. V lives through all steps, so it is made before the loop.",
    ],
)


# Step sizes


def halving_cases(rng):
    y, theta = rng.choice([-1.0, 1.0], 1), quarters(rng, 1) + 3.25  # never on the line
    yield np.array([[2.0 ** rng.integers(0, 2)]]), y, theta  # eta = 1 / x^2 gives the same risk exactly
    for x in (3 / 4, 15 / 16, 0.99998):  # eta = 1 is best; 1/2 would be better; it makes the risk hardly smaller
        yield np.array([[x]]), y, theta
    for x in (40.0, 1280.0, 10240.0):  # eta is 2^-11, 2^-21, 2^-27
        yield np.array([[x]]), y, theta
    yield np.array([[4.0]]), y, y / 4 + 1 / 8  # steep, and near the minimum: a step of length 1 is refused, too
    for n, d, large, longer in (
        (2, 1, 0.25, False), (4, 2, 0.25, False), (2, 2, 1, True), (4, 1, 1, False), (4, 2, 1, True), (4, 3, 2, True),
    ):
        while True:
            X, y, theta = large * quarters(rng, n, d), labels(rng, n), quarters(rng, d)
            slope = 2 * X.T @ (y - X @ theta) / n
            if np.linalg.norm(slope) > 0.2:
                after = theta + line_search(X, y, theta)[1] * slope
                # Longer: a gradient that grows though the risk falls.
                if not longer or np.linalg.norm(2 * X.T @ (y - X @ after) / n) > np.linalg.norm(slope) + 0.1:
                    break
        yield X, y, theta


EXACT, TEST, END = (
    "len(X) * (g @ g) / (2 * change @ change)", "risk(theta - halved * g) >= risk(theta)", "return exact, halved"
)
ERRORS = "(y - X @ theta) @ -change / (change @ change)"  # another way to say EXACT, in which g may not be scaled
GRADIENT = "-2 * X.T @ (y - X @ theta) / len(X)"
LOOP = "    halved = 1.0\n    while"

task(
    "line_search",
    returns=("exact", "halved"),
    cases=halving_cases,
    tolerance=1e-9,
    mistakes=[
        *((EXACT, wrong, sentence) for wrong, sentence in (
            ("(g @ g) / (2 * change @ change)",
             "Your `exact` lacks n: the risk is a mean, so the square of X g is divided by n."),
            ("len(X) * (g @ g) / (change @ change)",
             "Your `exact` is twice too long: the derivative of eta^2 brings down a 2."),
            ("(g @ g) / (change @ change)",
             "Your `exact` lacks n and the 2: the curvature is 2/n times the square of X g."),
            ("(2 * change @ change) / (len(X) * (g @ g))",
             "Your `exact` is upside down: a more curved parabola has its lowest point nearer."),
            ("-len(X) * (g @ g) / (2 * change @ change)",
             "Your `exact` is negative, which leads uphill: the lowest point of the parabola is at a positive eta."),
            ("1 / np.linalg.eigvalsh(2 * X.T @ X / len(X))[-1]",
             "Your `exact` is one over the largest curvature: that along g itself counts."),
            ("len(X) / (2 * change @ change)",
             "Your `exact` takes g for a direction of length 1: how fast does the risk fall at eta = 0?"),
            ("len(X) * (g @ g) / (2 * (X @ X.T @ (y - X @ theta)) @ (X @ X.T @ (y - X @ theta)))",
             "Your `exact` has another vector above than below: g is -2/n X.T (y - X theta) in both."),
            ("np.linalg.norm(g) / np.linalg.norm(change)",
             "Your `exact` divides the lengths of g and X g: both are squared, and there are n and a 2."),
            (ERRORS.replace("change @ change", "g @ g"), "Your `exact` divides by g . g: below is the square of X g."),
            ("y @ -change / (change @ change)", "Your `exact` has y where the errors y - X theta belong."),
            *((f"{grid}[np.argmin([risk(theta - e * g) for e in {grid}])]",
               "Your `exact` comes from a grid: derive the formula, it is exact and needs no search.") for grid in (
                "np.linspace(0, 1, 101)", "np.linspace(0, 1, 1001)", "np.linspace(0, 2, 201)",
                "np.linspace(0, 2, 2001)", "np.linspace(0, 1, 1000)", "np.linspace(0, 1, 100)")),
            ("next(e for e in np.arange(1, 10**4) / 1000 if e > 9 or risk(theta - (e + 0.001) * g) >= "
             "risk(theta - e * g))",
             "Your `exact` comes from a grid: derive the formula, it is exact and needs no search."),
        )),
        *((TEST, wrong, sentence) for wrong, sentence in (
            (TEST.replace(">=", ">"), "An eta that leaves the risk exactly as it was is refused too: it must become "
             "smaller (halve while >=)."),
            ("False", "You always take eta = 1: halve it until the risk becomes smaller."),
            *((TEST.replace(">=", test) + f" - {share} * halved * g @ g",
               "You ask for more than a decrease: any eta that makes the risk smaller is taken.")
              for share in (0.5, 0.1, 1e-4) for test in (">", ">=")),
            ("np.mean(y * (X @ (theta - halved * g)) <= 0) > np.mean(y * (X @ theta) <= 0)",
             "You count errors: an eta is accepted as soon as the risk, the mean of the squares, is smaller."),
            (TEST.replace(">=", "<") + " and halved > 1e-9",
             "The test is the wrong way round: halve while the risk has not become smaller."),
            ("np.linalg.norm(X.T @ (y - X @ (theta - halved * g))) >= np.linalg.norm(X.T @ (y - X @ theta))",
             "You wait for a shorter gradient: an eta is accepted as soon as the risk is smaller."),
            *((f"halved > 1 / 2**{most} and {TEST}", "You give up after a number of halvings: halve until the risk is "
               "smaller, however small eta becomes.") for most in (3, 5, 10, 14, 20)),
        )),
        *((GRADIENT, wrong, *way, sentence) for way in ((), (EXACT, ERRORS)) for wrong, sentence in (
            ("-X.T @ (y - X @ theta) / len(X)",
             "Your gradient lacks the factor 2: the loss is (y - f)^2, without a 1/2."),
            ("-2 * X.T @ (y - X @ theta)",
             "Your gradient is that of the sum of the losses: the risk is their mean, so divide by n."),
            ("-X.T @ (y - X @ theta)",
             "Your gradient lacks the factor 2, and it is that of a sum: the risk is the mean of (y - f)^2."),
        )),
        *((*edits, "Your gradient is scaled to length 1: the step is eta times the gradient as it is.") for edits in (
            (LOOP, "    g = g / np.linalg.norm(g)\n" + LOOP),
            ("change = X @ g", "g = g / np.linalg.norm(g)\n    change = X @ g", EXACT, ERRORS),
        )),
        (END, "return theta - exact * g, theta - halved * g",
         "You return where the two steps lead: return the two step sizes."),
        (then(halved=lambda halved: -np.log2(halved)),
         "Your `halved` counts the halvings: return the step size that they end with."),
        ("halved = 1.0", "halved = 0.5", "Your first try is eta = 1/2: begin with 1."),
        ("halved = 1.0", "halved = 2.0", "Your first try is eta = 2: begin with 1."),
        ("halved = 1.0", "halved = exact", "You begin to halve at the exact step size: begin with 1."),
        ("halved / 2", "halved / 10", "You divide eta by 10: halve it."),
        ("halved / 2", "halved / 4", "You divide eta by 4: halve it."),
        (END, f"while risk(theta - halved / 2 * g) < risk(theta - halved * g): halved = halved / 2\n    {END}",
         "You go on halving while the risk falls further: the first eta that lowers it is taken."),
        (LOOP, "    here = theta\n" + LOOP, "risk(theta - halved * g) >= risk(theta)",
         "risk(here := here - halved * g) >= risk(theta) and halved > 1e-9",
         "A refused try still moves theta: every try begins at the same theta."),
        (then(halved=lambda halved: halved / 2), "You halve once too often: keep the eta that was accepted."),
        ("while", "if", "You halve once at most: go on as long as the risk is not below that at theta (while, "
         "not if)."),
    ],
    hints=[
        "With the errors e = y - X theta, the errors after the step are e + eta X g. Square, take the mean, and sort "
        "by powers of eta.",
        "The derivative at eta = 0 is -g . g. The factor of eta^2 is the mean square of X g. Where is the derivative "
        "of the parabola 0?",
        "exact is g . g divided by twice that factor. For halved, a while loop: as long as the risk at "
        "theta - eta g is not smaller than at theta, halve eta; every try begins at theta.",
    ],
)


def barzilai_borwein_cases(rng):
    for d, sign in ((1, 1), (2, 0), (2, 1), (3, -1), (3, 1), (2, -1), (4, 1), (4, 0)):
        while True:
            before, theta, slope_before, slope = quarters(rng, 4, d)
            s, r = theta - before, slope - slope_before
            # s not parallel to r, so that other quotients are other numbers
            if np.sign(s @ r) == sign and slope.any() and (d == 1 or (s @ r) ** 2 < 0.95 * (s @ s) * (r @ r)):
                break
        yield before, theta, slope_before, slope


RATE, CURVED, AFTER = "s @ s / (s @ r)", "s @ r > 0", "theta - eta * slope"
LENGTHS = "You divide lengths: below is the dot product s . r, which also knows the directions."

task(
    "barzilai_borwein",
    returns=("eta", "after"),
    cases=barzilai_borwein_cases,
    mistakes=[
        *((RATE, wrong, sentence) for wrong, sentence in (
            ("s @ r / (s @ s)", "Your `eta` is upside down: s . r / s . s is the bend, and eta is one over it."),
            ("s @ r / (r @ r)",
             "That is the other quotient of Barzilai and Borwein, s . r / r . r: here it is s . s / s . r."),
            ("s @ s / s @ r", "s @ s / s @ r is read from the left, as ((s @ s) / s) @ r: put s @ r in brackets."),
            ("np.linalg.norm(s) / np.linalg.norm(r)", LENGTHS),
            ("np.sqrt(s @ s) / (s @ r)", "Above is s . s, the square of the length of s, not the length."),
            ("r @ r / (s @ r)", "Above is s . s, the square of the change of theta, not r . r."),
            ("s @ s / (s @ slope)", "Below is s . r with the change of the gradient, not with the gradient itself."),
            ("-(s @ s) / (s @ r)",
             "Your `eta` has the wrong sign: take both differences in the same order, now minus before."),
        )),
        ("slope - slope_before", "slope_before - slope",
         "One of your differences is before minus now: take both in the same order, now minus before."),
        ("slope - slope_before", "slope", "r is the change of the gradient, slope - slope_before, not slope itself."),
        ("theta - before", "theta", "s is the change of theta, theta - before, not theta itself."),
        (RATE, "np.linalg.norm(s) / np.linalg.norm(r)", CURVED, "r.any()", LENGTHS),
        (CURVED, "s @ r != 0", "Where s . r is negative, eta is 1: a negative eta would lead uphill."),
        (CURVED, "s @ r >= 0", "Where s . r is 0, eta is 1: you divide by 0 there (test s . r > 0)."),
        (CURVED, "True", "Where s . r is 0 or negative, eta is 1: you divide all the same."),
        (RATE, "s @ s / abs(s @ r)", CURVED, "s @ r != 0",
         "You take s . r without its sign: where it is negative, eta is 1."),
        (CURVED, "slope @ slope_before > 0",
         "You ask whether the two gradients agree: ask whether s . r is positive, the number below."),
        ("1.0", "0.5", "Where s . r is not positive, eta is 1."),
        ("1.0", "0.0", "Where s . r is not positive, eta is 1: with 0 the descent would not move."),
        *((AFTER, wrong, sentence) for wrong, sentence in (
            ("theta - (s @ r > 0) * eta * slope",
             "Where s . r is not positive, your `after` stays at theta: it makes a step there too, with eta = 1."),
            ("theta + eta * slope", "Your `after` lies uphill: theta - eta * slope leads down."),
            ("before - eta * slope", "The step begins at theta, where you are now, not at before."),
            ("before - eta * slope_before",
             "Your `after` is a step from `before`: it begins at theta, with the slope there."),
            ("theta - eta * slope_before", "The step goes along the gradient where you are now, not the one before."),
            ("theta - eta * r", "The step goes along the gradient itself, not along its change r."),
            *((f"theta {sign} eta * s", "The step goes down the gradient, not along the change s.") for sign in "+-"),
            ("theta - slope", "Your `after` leaves out eta: it is theta - eta * slope."),
            ("-eta * slope", "Your `after` is the step alone: add it to theta."),
        )),
    ],
    hints=[
        "s is how much theta changed, r how much the gradient changed; both are vectors of the same length as theta.",
        "s @ s and s @ r are numbers. Look at s @ r first: only if it is positive is there a quotient to take.",
        "Mind the brackets: @ and / are read from the left. The step is that of any descent, from theta down the slope "
        "there.",
    ],
)

# A study of mails

RAW = "charExclamation", "charDollar", "capitalLong", "your"


def studies(rng):
    """Real mails in raw numbers. The validation loss is lowest at the start, in between, at the end, after a rise."""
    data = datasets.load("mail", features=RAW)
    for wanted, n, d, steps in (("middle", 6, 1, 6), ("last", 8, 2, 3), ("middle", 8, 2, 8), ("start", 6, 2, 5),
                                ("middle", 8, 3, 9), ("last", 10, 3, 4), ("again", 6, 3, 8)):
        eta = float(rng.choice([0.1, 0.15, 0.2]))
        while True:
            columns = rng.choice(len(RAW), d, replace=False)
            X, y = data.X[:, columns][rows := rng.choice(len(data.y), 2 * n, replace=False)], data.y[rows]
            if len(np.unique(y[:n])) < 2 or min(X[:n].std(axis=0).min(), X[n:].std(axis=0).min()) < 0.1:
                continue
            losses, of_all = watched(X, y, eta, steps)
            best = int(np.argmin(losses))
            if wanted == "start" and np.argmin(of_all) == 0:
                continue
            kind = "start" if best == 0 else "last" if best == steps else "middle"
            if wanted == "again" and (np.diff(losses[: best + 1]) > 0.001).any():
                kind = "again"
            if kind == wanted and np.diff(np.sort(losses))[0] > 1e-4:
                break
        yield X, y, eta, steps


def watched(X, y, eta, steps):
    """The loss on the validation half and on all rows, after 0, ..., steps steps."""
    n, errors = len(X) // 2, []
    Z = np.column_stack([(X - X[:n].mean(axis=0)) / X[:n].std(axis=0), np.ones(len(X))])
    theta = np.zeros(Z.shape[1])
    for _ in range(steps + 1):
        errors.append(y - Z @ theta)
        theta = theta + 2 * eta * Z[:n].T @ errors[-1][:n] / n
    squares = np.square(errors)
    return squares[:, n:].mean(axis=1), squares.mean(axis=1)


LEAK = "X[:n].mean(axis=0), X[:n].std(axis=0)", "X.mean(axis=0), X.std(axis=0)"
STEP = "        theta = theta + 2 * eta * Z[:n].T @ (y[:n] - Z[:n] @ theta) / n\n"
SAME = "theta = theta + 2", "theta += 2"
SEEN = "(y[n:] - Z[n:] @ theta) ** 2", "(y[:n] - Z[:n] @ theta) ** 2"
BACK = "np.append(w, found[-1] - w @ mean)"
STAYS = BACK, "found"
LEAKS = "Your mean and spread know the validation half: take those of the training half, X[:n]."
ALIAS = (
 "Your `theta` is the one after the last step: return what was found, and mind that theta += ... changes the very "
 "array that `found` names.")
TIMES = "You multiply the weights by the spread: x was divided by it, so w is, too."
CARRY = "Your `theta` is for standardised numbers: carry it back to raw ones, weights and offset."

task(
    "early_stop",
    returns=("best", "theta"),
    cases=studies,
    tolerance=1e-6,
    mistakes=[
        (*SEEN, "Your loss is that of the training half, which falls with every step: judge by the validation half."),
        (then(best=lambda best, steps: steps), "Your `best` is `steps`: return where the validation loss was lowest."),
        (*LEAK, LEAKS),
        (*SAME, ALIAS),
        (*STAYS, CARRY),
        (*LEAK, *SAME, LEAKS),
        (*LEAK, *STAYS, LEAKS),
        (*LEAK, *SAME, *STAYS, LEAKS),
        (*SAME, *STAYS, ALIAS),
        *((LEAK[0], wrong, sentence) for wrong, sentence in (
            ("X[:n].mean(axis=0), X.std(axis=0)", "Your spread still knows the validation half: X[:n].std(axis=0)."),
            ("X.mean(axis=0), X[:n].std(axis=0)", "Your mean still knows the validation half: X[:n].mean(axis=0)."),
            ("X[n:].mean(axis=0), X[n:].std(axis=0)",
             "Your mean and spread are those of the validation half: take those of the training half, X[:n]."),
            ("X[:n].mean() + 0 * X[0], X[:n].std() + 0 * X[0]",
             "You take one mean and one spread for all numbers: each column has its own (axis=0)."),
            ("X[:n].mean(axis=0), X[:n].std(axis=0, ddof=1)",
             "Your spread divides by n - 1: np.std without ddof, as everywhere here."),
            ("X[:n].mean(axis=0), X[:n].var(axis=0)", "You divide by the variance: the spread is its root."),
            ("0 * X[0], 1 + 0 * X[0]", "You descend on raw numbers: in that ravine the steps run away. Standardise."),
        )),
        ("(X - mean) / spread", "np.vstack([(H - H.mean(axis=0)) / H.std(axis=0) for H in (X[:n], X[n:])])",
         "You standardise each half by itself: the validation half gets the mean and spread of the training half."),
        *((BACK, wrong, sentence) for wrong, sentence in (
            ("np.append(w, found[-1])",
             "Your offset is not carried back: the mean that was subtracted moves it too, by -w . mean."),
            ("np.append(w, found[-1] + w @ mean)", "Your offset moves the wrong way: w . mean is subtracted."),
            ("np.append(w, found[-1] - np.sum(mean / spread))",
             "Your offset moves by mean / spread without the weights: subtract w . mean."),
            ("np.append(found[:-1], found[-1] - w @ mean)",
             "Your weights are for standardised numbers: divide them by the spread."),
            ("np.append(w, found[-1] - found[:-1] @ mean)",
             "Your offset is moved by the standardised weights: take those in raw units, w . mean."),
            ("w", "The offset is missing from your `theta`: it has d + 1 entries."),
            ("np.append(found[-1] - w @ mean, w)", "Your offset comes first: it is the last entry of theta."),
        )),
        ("found[:-1] / spread", "found[:-1] * spread",
         TIMES),
        (BACK, "np.append(found[:-1] * spread, found[-1] - w @ mean)", TIMES),
        (lambda X, y, eta, steps: early_stop(*(np.roll(a, len(a) // 2, axis=0) for a in (X, y)), eta, steps),
         "Your halves are exchanged: the first is for training, the second for validation."),
        ("lowest, best, found = loss, k, theta\n", "lowest, best = loss, k\n        found = theta\n",
         "Your `theta` is that after all steps: return the one with the lowest validation loss."),
        ("found[:-1] / spread", "found[:-1]", "Your weights are for standardised numbers: divide them by the spread."),
        *((*edits, sentence) for *edits, sentence in (
            ("Z[:n].T @ (y[:n] - Z[:n] @ theta) / n", "Z.T @ (y - Z @ theta) / len(X)",
             "Your descent sees all rows: it may see the training half alone."),
            ("Z[:n].T @ (y[:n] - Z[:n] @ theta) / n", "Z[n:].T @ (y[n:] - Z[n:] @ theta) / n",
             "You train on the validation half: the first half of the rows is for training."),
            ("[:n] @ theta) / n", "[:n] @ theta)", "Your gradient is a sum: the loss is a mean, so divide by n."),
            ("2 * eta", "-2 * eta", "Your descent goes uphill."),
            ("2 * eta", "eta", "Your steps are half as long as they should be: the gradient is -2/n times a sum, and n "
             "counts the training half."),
            ("theta = theta", "continue\n        theta = theta", "        loss = ", STEP + "        loss = ",
             "You look at theta after the step, so `best` is one too small, and the start is never looked at."),
            ("        theta = theta", "        if loss > lowest: break\n        theta = theta",
             "You stop where the loss first rises: it may fall again, and lower, so go on to the end."),
            ("return best,", "return lowest,", "Your `best` is the lowest loss: return after how many steps it came."),
            ("range(steps + 1)", "range(steps)",
             "You never look at the last step: `best` may be any number from 0 to steps."),
            ("loss < lowest", "k > 0 and loss < lowest or steps == 0",
             "You leave out the start: `best` may be 0."),
            ("np.mean((y[n:] - Z[n:] @ theta) ** 2)", "np.mean((y - Z @ theta) ** 2)",
             "Your loss is that of all rows: judge by the validation half alone."),
            ("np.mean((y[n:] - Z[n:] @ theta) ** 2)", "np.mean(y[n:] * (Z[n:] @ theta) <= 0)",
             "You count validation errors: the mean squared loss on the validation half decides."),
            ("np.mean((y[n:] - Z[n:] @ theta) ** 2)", "np.mean(np.maximum(0, 1 - y[n:] * (Z[n:] @ theta)))",
             "You judge by the hinge loss: the mean squared loss on the validation half decides."),
        )),
    ],
    hints=[
        "Ask of every line: which rows does it look at, and may it? Then look at what += does to an array that has two "
        "names.",
        "Mean and spread come from X[:n], the loss that decides from the rows n:, and the step makes a new array. The "
        "fourth fault is in the last line: in which units is theta?",
        "The score is w . (x - mean) / spread + offset. Write that as (some weights) . x + (some number).",
    ],
)


def lying_across(rng):
    """Ravines along directions that are no axes; in half of them the entries of the steep one have unlike signs."""
    curvatures = ((1, 3), (1, 9), (2, 3), (0.5, 8), (3, 20), (0.25, 1))
    for (small, large), like in zip(curvatures, rng.permutation([True, False] * 3), strict=True):
        a, b = [(3, 4), (5, 12), (8, 15), (1, 1), (2, 1), (4, 3), (1, 3)][rng.integers(7)]
        turn = np.array([[a, b], [-b, a]]) / np.hypot(a, b)
        scale = rng.integers(1, 4)
        A = scale * turn.T @ np.diag([large, small] if like else [small, large]) @ turn
        yield (A.round(9),)  # its last bits depend on the processor


ETA, NEVER, ALWAYS = "2 / curvatures[1]", "forever * np.sign(forever[0])", "lucky * np.sign(lucky[0])"

task(
    "starts",
    returns=("eta", "forever", "lucky"),
    cases=lying_across,
    mistakes=[
        *((ETA, wrong, sentence) for wrong, sentence in (
            ("1 / curvatures[1]",
             "Your `eta` leads from the steep direction to 0 in one step: twice as far is the other side."),
            ("curvatures[1]", "Your `eta` is the curvature a itself: 1 - eta a = -1 asks for eta = 2 / a."),
            ("curvatures[1] / 2", "Your `eta` is upside down: 1 - eta a = -1 asks for eta = 2 / a."),
            ("2 * curvatures[1]", "Your `eta` multiplies: 1 - eta a = -1 asks for eta = 2 / a."),
            ("2 / curvatures[1] ** 2",
             "Your `eta` has the eigenvalue squared: it is 2 / a, a the larger eigenvalue of A."),
            ("curvatures[1] / curvatures[0]",
             "Your `eta` is the condition number: 1 - eta a = -1 asks for eta = 2 / a."),
            ("2 / np.max(A)", "Your `eta` takes the largest entry of A: the largest eigenvalue is the curvature of the "
             "steepest direction."),
            ("2 / np.trace(A)", "Your `eta` takes the sum of the diagonal: the largest eigenvalue alone counts."),
            ("2 / np.linalg.norm(A)",
             "Your `eta` divides by the root of the sum of squares of A: divide by its largest eigenvalue."),
            ("2 / np.linalg.det(A)", "Your `eta` takes the determinant: take the largest eigenvalue."),
        )),
        (then(lambda parts, A: (2 / np.linalg.eigvalsh(A)[0], parts[2], parts[1])),
         "Your pair jumps for ever, but with the larger of the two step sizes: the steep direction needs a smaller "
         "one."),
        (ETA, "2 / curvatures[0]",
         "Your `eta` is that of the flat direction: with it the steep direction runs away."),
        ("np.linalg.eigh", "np.linalg.eig",
         "np.linalg.eig returns the eigenvalues in no order: np.linalg.eigh sorts them, from small to large."),
        (NEVER, "forever * np.sign(forever[1])", ALWAYS, "lucky * np.sign(lucky[1])",
         "You make the last entries positive: the first ones should be."),
        ("lucky, forever = ", "forever, lucky = ",
         "Your two starts are exchanged: along the steep direction it jumps, along the flat one it arrives."),
        (NEVER, "np.array([abs(forever[0]), abs(forever[1])])", ALWAYS, "np.array([abs(lucky[0]), abs(lucky[1])])",
         "You make both entries positive: turn a start round as a whole, so that its first entry is positive."),
        (NEVER, "-forever * np.sign(forever[0])", ALWAYS, "-lucky * np.sign(lucky[0])",
         "Your first entries are negative: turn both starts round."),
        *((*edits, "Your starts have whatever sign numpy gave them: where the first entry is negative, turn the start "
           "round.") for edits in ((NEVER, "forever"), (ALWAYS, "lucky"), (NEVER, "forever", ALWAYS, "lucky"))),
        *((NEVER, wrong, sentence) for wrong, sentence in (
            ("forever / forever[0]", "Your `forever` has a first entry of 1: its length is to be 1."),
            ("np.ones(2) / np.sqrt(2)",
             "Your `forever` lies on the diagonal whatever A is: look for the v with A v = a v, the larger a."),
            ("np.array([1.0, 0.0])",
             "Your `forever` lies on an axis, and the ravine does not: look for the v with A v = a v, the larger a."),
            ("np.eye(2)[np.argmax(np.diag(A))]",
             "Your `forever` lies on an axis, and the ravine does not: look for the v with A v = a v, the larger a."),
            ("A[0] / np.linalg.norm(A[0])", "Your `forever` is a row of A: look for the v with A v = a v."),
        )),
        *((ALWAYS, wrong, sentence) for wrong, sentence in (
            ("lucky / lucky[0]", "Your `lucky` has a first entry of 1: its length is to be 1."),
            ("np.zeros(2)", "Your `lucky` is the minimum itself: its length is to be 1."),
            ("-forever * np.sign(forever[0])", "Your `lucky` is the opposite of `forever`, which runs away as well."),
            ("np.array([-forever[1], forever[0]]) * np.sign(forever[0])",
             "Your `lucky` may point to the other side: its first entry is to be positive."),
            ("forever * np.sign(forever[0])",
             "Your `lucky` runs away: take a start without any part in the steep direction."),
        )),
    ],
    hints=[
        "A step turns theta into theta - eta A theta. For which starts is that a multiple of theta?",
        "For an eigenvector, A v = a v, a step multiplies by 1 - eta a. When is that -1? And which eigenvector still "
        "shrinks then?",
        "np.linalg.eigh(A) returns the eigenvalues, from small to large, and the eigenvectors as columns of length 1. "
        "Multiply each by the sign of its first entry.",
    ],
)


def stalls(rng):
    """Agreements of exactly 1; the search moves, stalls at the minimum, stalls above it."""
    for n, wanted in ((3, 0), (4, 0), (5, 0), (6, 0), (4, 1), (5, 1), (4, 2), (5, 2)):
        while True:
            X, y, theta = quarters(rng, n, 2), labels(rng, n), rng.choice([-1.0, 1.0], 2)
            for i in range(2 if wanted else 1):
                X[i, 0] -= theta[0] * (X[i] @ theta - y[i])
            other = theta + quarters(rng, 2)
            z = y * (X @ theta)
            g = -(y[z <= 1] @ X[z <= 1]) / n
            rates = -y * (X @ g)
            between = ((z > 0) & (z < 1)).any() and (z < 0).any() and (z > 1).any() and len(np.unique(y[z <= 1])) == 2
            if np.abs(rates).min() < 1e-9 or not (between or wanted or n < 5):
                continue
            pulled = y[z <= 0] @ X[z <= 0]  # by wrong examples alone, as in the perceptron
            if pulled.any() and not (X @ pulled).all():
                continue  # divided by n, a rate of 0 is 0 on some processors
            if (n, wanted) == (4, 0) and rates.mean() > -0.01:
                continue  # a risk without its max rises here, and its search does not move
            kinks = (1 - z) / rates
            etas = np.append(0, kinks[kinks > 0])
            risks, (here, there) = at(etas, X, y, theta, g), at(np.array([0.0, 1.0]), X, y, theta, theta - other)
            eta = etas[np.argmin(risks)]
            beyond = at(etas.max(keepdims=True) + 1, X, y, theta, g)
            alone = np.sum(np.append(risks, beyond) < risks.min() + 0.01) == 1
            known = there < here - 0.01 if wanted == 2 or (n, wanted) == (4, 0) else there > here + 0.01
            if not alone or not known or (eta > 0) != (wanted == 0):
                continue
            if n < 5 or wanted or telling(X, y, theta, g, kinks, eta):
                break
        yield X, y, theta, theta if n == 5 and wanted == 1 else other


def telling(X, y, theta, g, kinks, eta):
    """Whether this search tells wrong ones apart. It ends between two kinks, at one that is ahead or (n > 5) behind."""
    n, z = len(y), y * (X @ theta)
    if not kinks[kinks > 0].min() < eta < kinks.max() or eta not in kinks[(z > 1) == (n > 5)]:
        return False
    # a search among kinks with the wrong sign moves, too, and so does one where all pull, or without labels
    turned, near, here = -kinks[kinks < 0], np.array([0.05]), at(np.zeros(1), X, y, theta, g)[0]
    ways = (turned, g), (near, -(y @ X) / n), (near, -((z <= 1) @ X) / n)
    return all(at(etas, X, y, theta, way).min(initial=9) < here - 0.001 for etas, way in ways)


def at(etas, X, y, theta, g):
    return np.maximum(0, 1 - y * ((theta - etas[:, None] * g) @ X.T)).mean(axis=1)


Z, BENT, MINUS = "z = y * (X @ theta)", "z <= 1, -y, 0", "X.T @ np.where(z <= 1, -y, 0) / len(X)"
KINKS, TRIED, LEAST = "(1 - z) / rates", "etas = etas[etas >= 0]", "np.argmin([risk(theta - e * g) for e in etas])"
SAID = "2 if risk(other) < risk(theta) else 1"
MOVES = "Your `verdict` looks at `other` where eta is larger than 0 too: there it is 0, whatever `other` is."
NOT_0 = "You never try eta = 0: where every step costs more than it gains, it is the best."
FIRST = "You stop at the first kink: the risk may go on falling behind it."

task(
    "kink_search",
    returns=("eta", "verdict"),
    cases=stalls,
    mistakes=[
        *((BENT, wrong, sentence) for wrong, sentence in (
            ("z < 1, -y, 0", "At an agreement of exactly 1 the example still pulls here: test z <= 1."),
            ("z <= 0, -y, 0", "Your gradient is that of the perceptron loss: in the hinge loss, z <= 1 pulls."),
            ("z <= 9, -y, 0", "Your gradient lets all examples pull: beyond z = 1 the hinge loss is flat."),
            ("z <= 1, -1, 0", "Your gradient lacks the label: an example that pulls does so by -y x."),
        )),
        *((TRIED, f"etas = {grid}", "Your `eta` comes from a grid: the risk bends where an agreement becomes 1, so try "
           "these places alone.") for grid in ("np.linspace(0, 1, 101)", "np.linspace(0, 1, 1001)",
                                               "np.linspace(0, 2, 201)", "np.linspace(0, 5, 501)")),
        (MINUS, "-" + MINUS, "Your search goes uphill: look along theta - eta g."),
        (MINUS, MINUS.replace(" / len(X)", ""),
         "Your gradient is that of the sum of the losses, so your step sizes are n times too small: divide by n."),
        (MINUS, "-2 * X.T @ (y - X @ theta) / len(X)",
         "Your gradient is that of the squared loss: in the hinge loss an example with z <= 1 pulls by -y x."),
        ("-y * (X @ g)", "-X @ g", "Your rates lack the label: an agreement grows by -y (x . g) a unit of eta."),
        ("np.maximum(0, 1 - y * (X @ theta))", "np.maximum(0, -y * (X @ theta))",
         "Your risk is that of the perceptron loss: the hinge loss is max(0, 1 - z)."),
        ("np.maximum(0, 1 - y * (X @ theta))", "(1 - y * (X @ theta)) ** 2",
         "Your risk is that of the squared loss: the hinge loss is max(0, 1 - z)."),
        (MINUS, MINUS.replace("len(X)", "np.linalg.norm(X.T @ np.where(z <= 1, -y, 0))"),
         "Your direction has length 1: the step is eta times the gradient as it is."),
        (MINUS, MINUS.replace("len(X)", "np.sum(z <= 1)"),
         "Your gradient is a mean over the examples that pull: it is over all n."),
        *((KINKS, wrong, sentence) for wrong, sentence in (
            ("-z / rates", "Your kinks are where an agreement is 0: the hinge loss has its kink at 1."),
            ("((1 - z) / rates)[z < 1]",
             "You leave out examples beyond 1: going on, they may fall back to 1 and pull again."),
            ("((1 - z) / rates)[z > 1]",
             "You leave out examples that pull now: where they reach 1, the risk has a kink."),
            ("(z - 1) / rates", "Your kinks have the wrong sign: z + eta rate = 1."),
        )),
        ("np.append(0, (1 - z) / rates)", "(1 - z) / rates", TRIED, "etas = etas[etas > 1e-12]",
         LEAST, LEAST.replace("np.argmin(", "len(etas) and np.argmin("),
         "eta = etas[", "eta = np.append(etas, [1e-3] * (len(etas) == 0))[",
         NOT_0),
        (TRIED, "etas = etas[etas > 1e-12] if (etas > 1e-12).any() else np.zeros(1)", NOT_0),
        *((LEAST, wrong, sentence) for wrong, sentence in (
            ("etas.tolist().index(min(etas[etas > 0], default=0))", FIRST),
            ("etas.tolist().index(min((e for e in etas if e > 0 and risk(theta - e * g) < risk(theta)), default=0))",
             FIRST),
            ("np.argmax([risk(theta - e * g) for e in etas])", "You take the highest risk: take the lowest."),
            ("np.argmax(etas)", "You take the last kink: take the one with the lowest risk."),
            ("np.argmax([e * (risk(theta - e * g) <= risk(theta)) for e in etas])",
             "You go as far as the risk is no higher than at theta: stop where it is lowest."),
            ("np.argmin([np.mean(1 - y * (X @ (theta - e * g))) for e in etas])",
             "Your risk lacks the max: beyond 1 an example pays nothing and earns nothing."),
        )),
        ("eta = etas[np.arg", "eta = etas[0] if False else 1.0\n    while eta > 1e-9 and risk(theta - eta * g) >= risk("
         "theta): eta /= 2\n    if eta < 1e-9: eta = 0\n    etas[np.arg",
         "You halve, which finds some lower place: the lowest one is at a kink, so try all kinks."),
        *((SAID, wrong, sentence) for wrong, sentence in (
            ("1 if risk(other) < risk(theta) else 2",
             "Your `verdict` is turned round: 2 if `other` is lower, 1 if it is not."),
            ("1", "Your `verdict` takes every stall for the minimum: compare with the risk of `other`."),
            ("2", "Your `verdict` is 2 at every stall: only if `other` is lower is theta stuck above the minimum."),
            ("2 if risk(other) < risk(theta) else 0",
             "Your `verdict` is 0 where the search stalls and `other` is not lower: it is 1 there."),
            ("2 if np.mean(y * (X @ other) <= 0) < np.mean(z <= 0) else 1",
             "Your `verdict` counts errors: compare the risks."),
            ("2 if risk(other) <= risk(theta) else 1",
             "Your `verdict` is 2 though `other` is only as low: it must be lower."),
        )),
        ("return eta, 0", f"return eta, {SAID}",
         MOVES),
        ("return eta, 0", "return eta, 2 if risk(other) < risk(theta) else 0", MOVES),
        ("return eta, 0", "return risk(theta - eta * g), 0",
         "Your `eta` is the lowest risk itself: return the step size that leads there."),
        ("return eta, 0", "return eta, 1", "Your `verdict` is never 0: it is where the search moves."),
    ],
    hints=[
        "At theta - eta g each agreement is z + eta times a number of its own. When is that 1?",
        "With rates = -y * (X @ g) it is at eta = (1 - z) / rates. Keep those that are not negative, add 0, and "
        "measure the risk at each.",
        "np.argmin finds the best of them. If it is 0, no step along this gradient helps: then ask whether `other` has "
        "a lower risk than theta.",
    ],
)
