"""A ravine foreseen, three gradients, momentum, two line searches, Barzilai-Borwein, a study to fix, starts that never
arrive, a search that stalls."""

import numpy as np

from coursekit.core import datasets
from coursekit_grade.draws import labels, quarters
from coursekit_grade.tasks import solution, task, then

line_search, momentum, early_stop = solution("line_search"), solution("momentum"), solution("early_stop")


def ravines(rng):
    """Powers of two times small whole numbers, so that a factor of -1 is -1 for everyone."""
    for steep, t in ((1.25, 3), (2.0, 4), (2.5, 3), (2.0, 3), (1.75, 2), (1.0, 5)):
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
            ("factor * start", "Raise the factor to the power t. Your `after` makes one step only."),
            ("factor * t * start", "Raise the factor to the power t instead of multiplying by t."),
            ("(1 - t * eta * a) * start",
             "Take a new gradient in every step, because theta has moved. Your `after` uses the gradient at the start "
             "t times."),
            ("factor**t", "Multiply by the start. Your `after` is the factors alone."),
            ("np.abs(factor) ** t * start",
             "Keep the sign of the factor. A negative factor jumps across 0 in every step."),
            ("factor ** (t - 1) * start", "Take one more step. Your `after` stops at t - 1."),
            ("factor ** (t + 1) * start", "Take one step fewer. Your `after` goes on to t + 1."),
            ("np.linalg.norm(factor**t * start)", "Return the vector itself. Your `after` is its length."),
            ("np.exp(-eta * a * t) * start",
             "Raise 1 - eta a to the power t. Your exponential is the limit of infinitely many, infinitely small "
             "steps."),
            ("(1 - eta * np.max(a)) ** t * start",
             "Give each axis its own factor, 1 - eta a_j. Your `after` shrinks all axes alike."),
        )),
        *((FACTOR, wrong, sentence) for wrong, sentence in (
            ("1 + eta * a", "Subtract eta times the gradient. You go uphill."),
            ("1 - 2 * eta * a", "Use a_j theta_j, the derivative of a_j theta_j^2 / 2. Your gradient is twice that."),
            ("1 - eta * a / 2", "Use a_j theta_j, the derivative of a_j theta_j^2 / 2. Your gradient is half of that."),
            ("1 - eta", "Put a into the factor, because the gradient along axis j is a_j theta_j."),
            ("1 - a", "Put eta into the factor, because a step is eta times the gradient."),
            ("1 - eta * a**2", "Use a, not a^2. The gradient along axis j is a_j theta_j."),
        )),
        *((test, wrong, sentence) for test, wrong, sentence in (
            ("factor == -1, 3, 4", "factor == -1, 2, 4",
             "Give a factor of -1 the kind 3. It keeps its distance from 0 forever."),
            ("factor == -1, 3, 4", "factor == -1, 4, 4",
             "Give a factor of -1 the kind 3. It never gets farther away."),
            ("factor >= 0, 1,", "factor > -1, 1,",
             "Look for negative factors. With one, every step ends on the other side of 0, and that is kind 2 at "
             "best."),
            ("factor >= 0, 1,", "factor > 0, 1,",
             "Give a factor of 0 the kind 1. Such a theta_j is at 0 after one step."),
            ("factor > -1, 2,", "factor > -9, 2,",
             "Give factors below -1 the kind 4, because there the distance grows."),
            ("factor >= 0, 1,", "factor < 0, 1,",
             "Swap the signs in your `kinds`. It is the negative factor that jumps across 0."),
            ("factor >= 0, 1, np.where(factor > -1, 2", "factor >= 0, 2, np.where(factor > -1, 1",
             "Swap kinds 1 and 2. A negative factor jumps across 0, and that is 2."),
            ("np.where(factor >= 0, 1, np.where(factor > -1, 2, np.where(factor == -1, 3, 4)))",
             "np.select([abs(factor**t) > 1, abs(factor**t) == 1, factor**t < 0], [4, 3, 2], 1)",
             "Judge `kinds` by the factor 1 - eta a_j, not by `after`. An even number of jumps ends on the side where "
             "it began."),
            ("factor >= 0, 1,", "start > 0, 1,",
             "Judge `kinds` by the factor 1 - eta a_j. The start doesn't matter."),
        )),
        (then(kinds=lambda kinds: np.max(kinds)),
         "Return one kind for each axis. Yours is that of the worst axis alone."),
        (then(kinds=lambda kinds: np.full(len(kinds), np.max(kinds))),
         "Judge each axis by its own factor. Your `kinds` give all of them what the steepest one does."),
        *((LIMIT, wrong, sentence) for wrong, sentence in (
            ("1 / np.max(a)",
             "Set `limit` to 2 / max(a). At 1 / max(a) the steepest axis arrives in one step, but a slightly longer "
             "step still brings it nearer."),
            ("2 / np.min(a)",
             "Look at the steepest axis, because it runs away first. Your `limit` is that of the flattest."),
            ("2 / a[0]", "Look at the steepest axis, wherever it stands. Your `limit` is that of the first."),
            ("np.max(a) / 2", "Invert your `limit`. The steeper the ravine, the shorter the steps must be."),
            ("2 / (np.max(a) + np.min(a))",
             "Look for the smallest eta at which some axis no longer converges. Your `limit` is the best step size, "
             "and somewhat larger ones still converge."),
            ("2 / np.mean(a)", "Use the largest a, not the mean. The steepest axis decides."),
            ("2 / np.sum(a)", "Use the largest a, not the sum. The steepest axis alone decides."),
            ("2 / a", "Return one number that suits all axes. Your `limit` has an entry for each."),
            ("np.max(a)",
             "Ask which number eta times the largest a must not reach, and divide it by that a. Your `limit` is that a "
             "itself."),
        )),
        *((CONDITION, wrong, sentence) for wrong, sentence in (
            ("a[0] / a[-1]",
             "Take the largest and the smallest a, wherever they are. Your `condition` takes the first and the last."),
            ("np.max(a) - np.min(a)", "Divide. Your `condition` is a difference."),
            ("np.max(a)", "Divide the largest a by the smallest. Your `condition` doesn't divide."),
        )),
        *((TURN, wrong, sentence) for wrong, sentence in (
            ("np.arccos(cosine)", "Convert to degrees with np.degrees. Your `angle` is in radians."),
            ("cosine", "Take np.arccos of it, and convert to degrees. Your `angle` is still the cosine."),
            ("np.degrees(np.arccos(-cosine))",
             "Fix one of the two signs. Downhill is minus the gradient, and the minimum lies in the direction of minus "
             "theta."),
            ("90 - np.degrees(np.arccos(cosine))",
             "Subtract your `angle` from 90 degrees. You measure from the wrong direction."),
            ("np.degrees(np.arccos(gradient @ start / (gradient @ gradient) / (start @ start)))",
             "Divide by the two lengths, not by their squares."),
            ("np.degrees(np.arccos(a @ start / np.linalg.norm(a) / np.linalg.norm(start)))",
             "Use the gradient, a times theta entry by entry. Your `angle` takes a itself."),
        )),
        (then(angle=lambda _, a, after: np.degrees(np.arccos((a * after) @ after / np.linalg.norm(a * after)
                                                             / np.linalg.norm(after)))),
         "Measure the `angle` at the start, not after t steps."),
    ],
    hints=[
        "Each axis goes its own way, as if it were alone. The gradient along it is a_j theta_j. What does a step do to "
        "theta_j?",
        "One step multiplies theta_j by 1 - eta * a_j. What do t steps do? Try the factors 0.5, -0.5, -1, and -1.5.",
        "factor**t works entry by entry. The axis with the largest a is the first to fail. For the angle, divide the "
        "dot product of gradient and theta by both lengths, then use np.arccos and np.degrees.",
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
             "Divide by n. The risk is a mean, and you add up over the examples."),
            ("return tuple(part * len(X) / X.shape[1] for part in (squared, hinge, logistic))",
             "Divide by the number of examples, len(X), not by the number of features."),
            ("return np.mean((y - f) ** 2), np.mean(np.maximum(0, 1 - y * f)), np.mean(np.log(1 + np.exp(-y * f)))",
             "Return the gradients, one vector each. You return the three risks."),
            ("return squared / len(X), hinge / len(X), logistic / len(X)", "Divide by n only once."),
            ("return -squared, -hinge, -logistic",
             "Return the gradient itself. Yours is minus the gradient, the way down."),
            ("return squared[:-1], hinge[:-1], logistic[:-1]",
             "Add the entry for the bias. The gradient is as long as theta."),
            ("return np.roll(squared, 1), np.roll(hinge, 1), np.roll(logistic, 1)",
             "Put the bias last. It is the last entry of theta, and so of the gradient."),
        )),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]",
         "Put the column of ones last, because the bias is the last entry of theta."),
        ("Z.T @ " + SQUARED, "np.mean(-2 * (y - f) * Z.T)",
         "Z.T @ " + HINGE, "np.mean(np.where(y * f <= 1, -y, 0) * Z.T)",
         "Z.T @ " + LOGISTIC, "np.mean(-y / (1 + np.exp(y * f)) * Z.T)",
         "Take the mean over the examples only (axis=0). Each entry of theta needs a number of its own."),
        *(("Z.T @ " + part, part.replace(" / len(X)", ""),
         "Multiply each example's slope by its (x, 1), then take the mean. You return the slopes "
         "themselves.") for part in (SQUARED, HINGE, LOGISTIC)),
        ("Z.T @ " + SQUARED, "np.mean(-2 * (y - f)) * Z.mean(axis=0)",
         "Z.T @ " + HINGE, "np.mean(np.where(y * f <= 1, -y, 0)) * Z.mean(axis=0)",
         "Z.T @ " + LOGISTIC, "np.mean(-y / (1 + np.exp(y * f))) * Z.mean(axis=0)",
         "Multiply first, then take the mean. You multiply the mean slope by the mean example."),
        ("Z @ theta", "X @ theta[:-1]", "Add the bias to the score: f = theta . (x, 1)."),
        ("Z @ theta", "Z @ theta; Z[:, -1] = 0",
         "Keep the last entry of the gradient. The bias is the weight of a constant 1, so its derivative isn't 0."),
        *((SLOPE, wrong, sentence) for wrong, sentence in (
            ("-(y - f)", "Multiply `squared` by 2. There is no 1/2 in front of (y - f)^2."),
            ("2 * (y - f)", "Flip the sign of `squared`, because y - f has the inner derivative -x."),
            ("-2 * (1 - y * f)", "Multiply `squared` by y. The derivative of (1 - y f)^2 in f is -2 (1 - y f) y."),
            ("np.where(y * f < 1, -2 * (y - f), 0)",
             "Drop the condition in `squared`. An example with y f > 1 has a slope, too, and pulls back."),
            ("(y - f) ** 2",
             "Multiply x by the derivative of the loss. Your `squared` multiplies it by the loss itself."),
            ("-2 * (y - np.sign(f))", "Use the score f itself in `squared`, not its sign."),
            ("-2 * y * (1 - f)",
             "Use y - f in `squared`. The derivative of (1 - y f)^2 is -2 y (1 - y f), and that is -2 (y - f), not -2 "
             "y (1 - f)."),
            ("-2 * abs(y - f)",
             "Drop the absolute value in `squared`. The sign of y - f says to which side the example pulls."),
        )),
        *((PULLS, wrong, sentence) for wrong, sentence in (
            ("y * f < 1",
             "Let an example pull at the kink, too: test y f <= 1. There the left-hand derivative counts."),
            ("y * f <= 0", "Let examples pull up to y f = 1. In the hinge loss being right is not enough."),
            ("y * f < 0", "Let examples pull up to y f = 1. In the hinge loss being right is not enough."),
            ("y * f > 1", "Turn the condition of `hinge` around. Examples with y f <= 1 pull."),
            ("y * f >= 1", "Turn the condition of `hinge` around. Examples with y f <= 1 pull."),
            ("f <= 1", "Test the agreement y f in `hinge`, not the score f."),
        )),
        *((PULL, wrong, sentence) for wrong, sentence in (
            ("y, 0", "Flip the sign of `hinge`. The gradient of 1 - y f is -y x."),
            ("-1, 0", "Multiply `hinge` by the label. The gradient of 1 - y f is -y x."),
            ("-y, y", "Let examples beyond y f = 1 alone. There the hinge loss is flat and its slope is 0."),
            ("-y * f, 0",
             "Drop the score from `hinge`. The derivative of 1 - y f with respect to f is -y."),
            ("1 - y * f, 0", "Multiply x by the derivative, -y. Your `hinge` multiplies it by the loss itself."),
        )),
        *((HINGE, wrong, sentence) for wrong, sentence in (
            ("-y / len(X)", "Add a condition to `hinge`. Beyond y f = 1 the loss is flat, and nothing pulls."),
            ("(-y * np.maximum(0, 1 - y * f)) / len(X)",
             "Let every example that pulls do so equally hard, by -y x. In your `hinge` a larger loss pulls harder."),
            (HINGE.replace("len(X)", "np.sum(y * f <= 1)"),
             "Divide `hinge` by n, not by the number of examples that pull."),
            (HINGE.replace(" / len(X)", ""), "Divide `hinge` by n, as you did with `squared`."),
            ("np.where(y * f == 1, -y / 2, np.where(y * f < 1, -y, 0)) / len(X)",
             "Use the left-hand derivative at the kink. You take the middle of both slopes, as differences to both "
             "sides do."),
        )),
        *((CURVE, wrong, sentence) for wrong, sentence in (
            ("y / (1 + np.exp(y * f))", "Flip the sign of `logistic`, because the loss falls as y f grows."),
            ("-y / (1 + np.exp(-y * f))",
             "Use exp(y f) in `logistic`, not exp(-y f). Examples that are safely right hardly pull."),
            ("-1 / (1 + np.exp(y * f))", "Multiply `logistic` by the label. The inner derivative of y f is y x."),
            ("-y * np.exp(-y * f)",
             "Divide by u, here 1 + exp(-y f), because log(u) has the derivative 1/u. Your `logistic` is the inner "
             "derivative alone."),
            ("-y / (1 + np.exp(f))", "Use the agreement y f in the exponent of `logistic`, not the score f."),
            ("np.log(1 + np.exp(-y * f))",
             "Multiply x by the derivative of the loss. Your `logistic` multiplies it by the loss itself."),
            ("-1 / (1 + np.exp(-y * f))",
             "Start again from log(1 + exp(-y f)). Your `logistic` has lost the label in front and the sign in the "
             "exponent."),
            ("1 / (1 + np.exp(-f)) - y",
             "Start from log(1 + exp(-y f)). Your `logistic` is the one for labels 0 and 1, and ours are -1 and +1."),
        )),
        (LOGISTIC, LOGISTIC.replace(" / len(X)", ""),
         "Divide `logistic` by n, as you did with the other two."),
    ],
    hints=[
        "Each of the three gradients is a mean of (a number for each example) times (x, 1).",
        "The number is the derivative of the loss with respect to f: of (y - f)^2, of max(0, 1 - y f), of log(1 + "
        "exp(-y f)). In the last one, multiply top and bottom by exp(y f).",
        "With a column of ones in Z, Z.T @ numbers adds up over the examples for all entries of theta at once. Then "
        "divide by n.",
    ],
)

# The mean squared loss without offset

SHORT = [
    ("-2 * X.T", "-X.T", "Multiply the gradient by 2. The loss is (y - f)^2, without a 1/2."),
    ("/ len(X)", "", "Divide the gradient by n. The risk is the mean of the losses, not their sum."),
    ("-2 * X.T", "-X.T", "/ len(X)", "",
     "Multiply the gradient by 2 and divide it by n. The risk is the mean of (y - f)^2."),
]
PATHS = [  # of any descent
    ("-2 * X.T", "2 * X.T", "Subtract eta times the gradient. You go uphill."),
    *SHORT,
    ("/ len(X)", "/ np.linalg.norm(2 * X.T @ (y - X @ thetas[-1]))",
     "Use the gradient as it is, so that steps are longer where it is steeper. All of yours have length eta."),
    ("/ len(X)", "/ len(X) / len(thetas)", "Keep eta the same in every step. Yours shrinks."),
    ("/ len(X)", "/ X.shape[1]", "Divide by the number of examples, len(X), not by the number of features."),
    ("eta * gradient", "gradient", "Multiply the gradient by eta."),
    ("range(steps)", "range(steps - 1)",
     "Take one more step. After `steps` steps there are steps + 1 rows, the start among them."),
    ("range(steps)", "range(steps + 1)", "Take one step fewer. After `steps` steps there are steps + 1 rows."),
    ("[start]", "[0 * start]", "Begin at the start that you are given, not at 0."),
]
ROWS = [
    (lambda thetas: thetas[1:], "Put the start first. It is row 0, so there are steps + 1 rows."),
    (lambda thetas: np.vstack([thetas[:1], np.diff(thetas, axis=0)]),
     "Return the thetas. Your rows are the steps, V."),
    (lambda thetas, X, y: [np.mean((y - X @ theta) ** 2) for theta in thetas],
     "Return the thetas themselves. You return the loss of each."),
    (lambda thetas: [thetas[0]] + [thetas[-1]] * (len(thetas) - 1),
     "Write theta = theta - ..., which makes a new array. theta -= ... changes the array that all your rows behind the "
     "start share."),
    (lambda thetas: [thetas[-1]] * len(thetas),
     "Write theta = theta - ..., which makes a new array. theta -= ... changes the one array that all your rows "
     "share."),
]


def momentum_cases(rng):
    for n, d, m, steps in ((3, 1, 0.5, 2), (3, 1, 0.0, 3), (4, 2, 0.9, 4), (5, 2, 0.8, 5), (5, 3, 0.3, 4)):
        X, y, start = rng.normal(size=(n, d)).round(2), labels(rng, n), (1 + rng.uniform(size=d)).round(2)
        bend = np.linalg.eigvalsh(2 * X.T @ X / n)[-1]
        yield X, y, start * rng.choice([-1.0, 1.0], d), round(float(rng.uniform(0.3, 0.8) / bend), 3), m, steps


VELOCITY, OLD = "m * V - eta * gradient", "Compute the new V first, then move theta by it. You move theta by the old V."

task(
    "momentum",
    returns="thetas",
    cases=momentum_cases,
    mistakes=[
        *PATHS,
        *((then(wrong), sentence) for wrong, sentence in ROWS),
        ("X @ thetas[-1]", "X @ start",
         "Compute the gradient again in every step, where theta is now. You use the one at the start."),
        *((VELOCITY, wrong, sentence) for wrong, sentence in (
            ("-eta * gradient",
             "Set V to 0 only once, before the loop. In every step it keeps m times its old value."),
            ("V - eta * gradient", "Multiply the old V by m. Yours never slows down."),
            ("m * V - (1 - m) * eta * gradient",
             "Leave the gradient whole: it enters V as eta * gradient. You weight it by 1 - m."),
            ("m * (V - eta * gradient)", "Multiply only the old V by m. You multiply the new gradient, too."),
            ("V - m * eta * gradient", "Multiply the old V by m. You multiply the new gradient instead."),
            ("(1 - m) * V - eta * gradient", "Multiply the old V by m, not by 1 - m."),
            ("-m * V - eta * gradient", "Add m V. You subtract it."),
            ("eta * (m * V - gradient)", "Multiply only the gradient by eta. You multiply the old V, too."),
            ("m ** (len(thetas) - 1) * V - eta * gradient", "Use the same m in every step. You raise it to a power."),
        )),
        ("V = " + VELOCITY, "old, V = V, " + VELOCITY, "thetas[-1] + V", "thetas[-1] + old",
         OLD),
        ("gradient = -2", "thetas.append(thetas[-1] + V)\n        gradient = -2",
         f"{VELOCITY}\n        thetas.append(thetas[-1] + V)", VELOCITY, OLD),
        ("thetas[-1] + V", "V", "Move theta by V: theta + V. You replace it by V."),
        ("X @ thetas[-1]", "X @ (thetas[-1] + m * V)",
         "Take the gradient at theta. You take it at theta + m V, where theta is going."),
        ("np.zeros(len(start))", "2 * eta * X.T @ (y - X @ start) / len(X)",
         "Begin with V = 0. Otherwise the first step counts the gradient twice."),
        ("np.zeros(len(start))", "2 * X.T @ (y - X @ start) / len(X)",
         "Begin with V = 0, because nothing moves yet. Yours begins as minus the gradient."),
        ("thetas[-1] + V", "m * thetas[-1] - eta * gradient",
         "Keep theta whole and multiply the old V by m. You multiply theta by m."),
        ("V = " + VELOCITY + "\n        thetas.append(thetas[-1] + V)",
         "thetas.append(thetas[-1] - eta * gradient + m * V)\n        V = -eta * gradient",
         "Keep the whole old V. It remembers all gradients, each m times weaker than the next, and you remember only "
         "the last."),
        ("-2 * X.T @ (y - X @ thetas[-1])", "-X.T @ (y * (y * (X @ thetas[-1]) <= 1))",
         "Use the squared loss. Your gradient is that of the hinge loss."),
        (lambda X, y, start, eta, m, steps: momentum(np.column_stack([X, np.ones(len(X))]), y, np.append(start, 0.0),
                                                     eta, m, steps),
         "Leave the bias out. In this task theta has an entry for each column of X and no other."),
        ("thetas[-1] + V", "start + V", "Begin each step where the last one ended. Yours all begin at the start."),
        ("np.zeros(len(start))", "start", "Begin with V = 0, because nothing moves yet. Yours begins as the start."),
    ],
    hints=[
        "Take the loop of descend and add one more vector, V, which is all zeros before the first step.",
        "Each pass does two things in this order: it makes a new V from the old one and the gradient, and then it "
        "moves theta by the new V.",
        "Collect theta after each step, as descend does. V lives through all the steps, so make it before the loop.",
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
             "Multiply `exact` by n. The risk is a mean, so the square of X g is divided by n."),
            ("len(X) * (g @ g) / (change @ change)",
             "Halve `exact`. The derivative of eta^2 brings down a 2."),
            ("(g @ g) / (change @ change)",
             "Multiply `exact` by n and divide it by 2, because the curvature is 2/n times |X g|^2 / |g|^2."),
            ("(2 * change @ change) / (len(X) * (g @ g))",
             "Invert `exact`. The more a parabola bends, the nearer its lowest point is."),
            ("-len(X) * (g @ g) / (2 * change @ change)",
             "Flip the sign of `exact`. The lowest point lies downhill, at a positive eta."),
            ("1 / np.linalg.eigvalsh(2 * X.T @ X / len(X))[-1]",
             "Use the curvature along g. Your `exact` is one over the largest curvature of all."),
            ("len(X) / (2 * change @ change)",
             "Put g . g in the numerator, because that is how fast the risk falls at eta = 0. Your `exact` treats g as "
             "a direction of length 1."),
            ("len(X) * (g @ g) / (2 * (X @ X.T @ (y - X @ theta)) @ (X @ X.T @ (y - X @ theta)))",
             "Use the same g above and below, -2/n X.T (y - X theta). Your `exact` has another vector above."),
            ("np.linalg.norm(g) / np.linalg.norm(change)",
             "Square both lengths, then multiply by n and divide by 2. Your `exact` divides the length of g by that of "
             "X g."),
            (ERRORS.replace("change @ change", "g @ g"), "Divide by the square of X g. Your `exact` divides by g . g."),
            ("y @ -change / (change @ change)", "Use the errors y - X theta where your `exact` has y."),
            *((f"{grid}[np.argmin([risk(theta - e * g) for e in {grid}])]",
               "Derive the formula. It needs no search, and a grid is never exact.") for grid in (
                "np.linspace(0, 1, 101)", "np.linspace(0, 1, 1001)", "np.linspace(0, 2, 201)",
                "np.linspace(0, 2, 2001)", "np.linspace(0, 1, 1000)", "np.linspace(0, 1, 100)")),
            ("next(e for e in np.arange(1, 10**4) / 1000 if e > 9 or risk(theta - (e + 0.001) * g) >= "
             "risk(theta - e * g))",
             "Derive the formula. It needs no search, and a grid is never exact."),
        )),
        *((TEST, wrong, sentence) for wrong, sentence in (
            (TEST.replace(">=", ">"), "Halve while >=. An eta that leaves the risk exactly as it was is refused, too."),
            ("False", "Halve eta until the risk becomes smaller. You always take 1."),
            *((TEST.replace(">=", test) + f" - {share} * halved * g @ g",
               "Accept any eta that makes the risk smaller. You ask for more than that.")
              for share in (0.5, 0.1, 1e-4) for test in (">", ">=")),
            ("np.mean(y * (X @ (theta - halved * g)) <= 0) > np.mean(y * (X @ theta) <= 0)",
             "Compare the risks, the means of the squares. You count errors."),
            (TEST.replace(">=", "<") + " and halved > 1e-9",
             "Turn the test around: halve while the risk has not become smaller."),
            ("np.linalg.norm(X.T @ (y - X @ (theta - halved * g))) >= np.linalg.norm(X.T @ (y - X @ theta))",
             "Accept an eta as soon as the risk is smaller. You wait for a shorter gradient."),
            *((f"halved > 1 / 2**{most} and {TEST}",
             "Halve until the risk is smaller, however small eta becomes. You give up after a number of "
             "halvings.") for most in (3, 5, 10, 14, 20)),
        )),
        *((GRADIENT, wrong, *way, sentence) for way in ((), (EXACT, ERRORS)) for wrong, sentence in (
            ("-X.T @ (y - X @ theta) / len(X)",
             "Multiply the gradient by 2. The loss is (y - f)^2, without a 1/2."),
            ("-2 * X.T @ (y - X @ theta)",
             "Divide the gradient by n. The risk is the mean of the losses, not their sum."),
            ("-X.T @ (y - X @ theta)",
             "Multiply the gradient by 2 and divide it by n. The risk is the mean of (y - f)^2."),
        )),
        *((*edits, "Use the gradient as it is. You scale it to length 1.") for edits in (
            (LOOP, "    g = g / np.linalg.norm(g)\n" + LOOP),
            ("change = X @ g", "g = g / np.linalg.norm(g)\n    change = X @ g", EXACT, ERRORS),
        )),
        (END, "return theta - exact * g, theta - halved * g",
         "Return the two step sizes. You return where the steps lead."),
        (then(halved=lambda halved: -np.log2(halved)),
         "Return the step size. Your `halved` counts the halvings."),
        ("halved = 1.0", "halved = 0.5", "Try eta = 1 first. You begin with 1/2."),
        ("halved = 1.0", "halved = 2.0", "Try eta = 1 first. You begin with 2."),
        ("halved = 1.0", "halved = exact", "Try eta = 1 first. You begin with the exact step size."),
        ("halved / 2", "halved / 10", "Divide eta by 2. You divide it by 10."),
        ("halved / 2", "halved / 4", "Divide eta by 2. You divide it by 4."),
        (END, f"while risk(theta - halved / 2 * g) < risk(theta - halved * g): halved = halved / 2\n    {END}",
         "You halve too often. Take the first eta that lowers the risk, and don't go on while it keeps falling."),
        (LOOP, "    here = theta\n" + LOOP, "risk(theta - halved * g) >= risk(theta)",
         "risk(here := here - halved * g) >= risk(theta) and halved > 1e-9",
         "Begin every try at the same theta. Yours moves theta even when it is refused."),
        (then(halved=lambda halved: halved / 2), "Keep the eta that was accepted. You halve it once more."),
        ("while", "if", "Use while, not if. Halve eta as long as the risk is not below that at theta."),
    ],
    hints=[
        "Write the errors as e = y - X theta. After the step they are e + eta X g. Square them, take the mean, and "
        "sort by powers of eta.",
        "The derivative at eta = 0 is -g . g, and the factor of eta^2 is the mean square of X g. Where is the "
        "derivative of the parabola 0?",
        "exact is g . g divided by twice that factor. For halved, write a while loop: as long as the risk at theta - "
        "eta g is not smaller than at theta, halve eta. Every try begins at theta.",
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
LENGTHS = "Divide by the dot product s . r, which also knows the directions. You divide lengths."

task(
    "barzilai_borwein",
    returns=("eta", "after"),
    cases=barzilai_borwein_cases,
    mistakes=[
        *((RATE, wrong, sentence) for wrong, sentence in (
            ("s @ r / (s @ s)", "Invert `eta`. s . r / s . s is the curvature, and eta is one over it."),
            ("s @ r / (r @ r)",
             "Use s . s / s . r. Yours is the other quotient of Barzilai and Borwein, s . r / r . r."),
            ("s @ s / s @ r",
             "Put s @ r in parentheses. Python reads s @ s / s @ r from the left, as ((s @ s) / s) @ r."),
            ("np.linalg.norm(s) / np.linalg.norm(r)", LENGTHS),
            ("np.sqrt(s @ s) / (s @ r)", "Put s . s on top, the square of the length of s. You have the length."),
            ("r @ r / (s @ r)", "Put s . s on top, the square of the change of theta. You have r . r."),
            ("s @ s / (s @ slope)", "Divide by s . r with r the change of the gradient. You use the gradient itself."),
            ("-(s @ s) / (s @ r)",
             "Take both differences in the same order, now minus before. Your `eta` has the wrong sign."),
        )),
        ("slope - slope_before", "slope_before - slope",
         "Take both differences in the same order, now minus before. One of yours is before minus now."),
        ("slope - slope_before", "slope",
         "Take the change of the gradient for r, slope - slope_before. You take slope itself."),
        ("theta - before", "theta", "Take the change of theta for s, theta - before. You take theta itself."),
        (RATE, "np.linalg.norm(s) / np.linalg.norm(r)", CURVED, "r.any()", LENGTHS),
        (CURVED, "s @ r != 0", "Set eta to 1 where s . r is negative, because a negative eta would lead uphill."),
        (CURVED, "s @ r >= 0", "Set eta to 1 where s . r is 0 (test s . r > 0). You divide by 0 there."),
        (CURVED, "True", "Set eta to 1 where s . r is 0 or negative. You divide all the same."),
        (RATE, "s @ s / abs(s @ r)", CURVED, "s @ r != 0",
         "Set eta to 1 where s . r is negative. You drop its sign and divide."),
        (CURVED, "slope @ slope_before > 0",
         "Ask whether s . r, the number below, is positive. You ask whether the two gradients agree."),
        ("1.0", "0.5", "Set eta to 1 where s . r is not positive."),
        ("1.0", "0.0", "Set eta to 1 where s . r is not positive. With your 0 the walk would never move again."),
        *((AFTER, wrong, sentence) for wrong, sentence in (
            ("theta - (s @ r > 0) * eta * slope",
             "Make a step with eta = 1 where s . r is not positive. Your `after` stays at theta there."),
            ("theta + eta * slope", "Subtract eta * slope. Your `after` lies uphill."),
            ("before - eta * slope", "Begin the step at theta, where you are now, not at before."),
            ("before - eta * slope_before",
             "Begin the step at theta, with the slope there. Your `after` begins at `before`."),
            ("theta - eta * slope_before", "Step along the gradient where you are now, not along the one before."),
            ("theta - eta * r", "Step along the gradient itself, not along its change r."),
            *((f"theta {sign} eta * s", "Step down the gradient, not along the change s.") for sign in "+-"),
            ("theta - slope", "Multiply the slope by eta. Your `after` leaves it out."),
            ("-eta * slope", "Add the step to theta. Your `after` is the step alone."),
        )),
    ],
    hints=[
        "s is how much theta changed, and r is how much the gradient changed. Both are vectors as long as theta.",
        "s @ s and s @ r are numbers. Look at s @ r first: only if it is positive can you take the quotient.",
        "Mind the parentheses: @ and / are read from the left. The step is that of any descent, from theta down the "
        "slope there.",
    ],
)

# A study of emails

RAW = "charExclamation", "charDollar", "capitalLong", "your"


def studies(rng):
    """Real emails in raw numbers. The validation loss is lowest at the start, in between, at the end, after a rise."""
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
LEAKS = "Take mean and spread from the training half, X[:n]. Yours come from the validation half as well."
ALIAS = (
 "Return the theta that was best. Yours is the last one, because theta += ... changes the very array that `found` "
 "names.")
TIMES = "Divide the weights by the spread, because x was divided by it. You multiply."
CARRY = "Convert `theta` to raw numbers, weights and bias. Yours is for standardized ones."

task(
    "early_stop",
    returns=("best", "theta"),
    cases=studies,
    tolerance=1e-6,
    mistakes=[
        (*SEEN, "Your `best` is the last step in every case. Judge by the validation half, because the loss of the "
                "training half falls with every step."),
        (then(best=lambda best, steps: steps),
         "Return the step where the validation loss was lowest. Your `best` is the number of all steps."),
        (*LEAK, LEAKS),
        (*SAME, ALIAS),
        (*STAYS, CARRY),
        (*LEAK, *SAME, LEAKS),
        (*LEAK, *STAYS, LEAKS),
        (*LEAK, *SAME, *STAYS, LEAKS),
        (*SAME, *STAYS, ALIAS),
        *((LEAK[0], wrong, sentence) for wrong, sentence in (
            ("X[:n].mean(axis=0), X.std(axis=0)", "Take the spread from the training half, too: X[:n].std(axis=0)."),
            ("X.mean(axis=0), X[:n].std(axis=0)", "Take the mean from the training half, too: X[:n].mean(axis=0)."),
            ("X[n:].mean(axis=0), X[n:].std(axis=0)",
             "Take mean and spread from the training half, X[:n]. Yours are those of the validation half."),
            ("X[:n].mean() + 0 * X[0], X[:n].std() + 0 * X[0]",
             "Give each column its own mean and spread (axis=0). You take one for all numbers."),
            ("X[:n].mean(axis=0), X[:n].std(axis=0, ddof=1)",
             "Use np.std without ddof. Your spread divides by n - 1."),
            ("X[:n].mean(axis=0), X[:n].var(axis=0)",
             "Divide by the spread, the square root of the variance. You divide by the variance."),
            ("0 * X[0], 1 + 0 * X[0]",
             "Standardize before the descent. In the ravine of the raw numbers your steps run away."),
        )),
        ("(X - mean) / spread", "np.vstack([(H - H.mean(axis=0)) / H.std(axis=0) for H in (X[:n], X[n:])])",
         "Standardize the validation half with the mean and spread of the training half. You give each half its own."),
        *((BACK, wrong, sentence) for wrong, sentence in (
            ("np.append(w, found[-1])",
             "Subtract w . mean from the bias. The mean that was subtracted from x moves it, too."),
            ("np.append(w, found[-1] + w @ mean)", "Subtract w . mean from the bias. You add it."),
            ("np.append(w, found[-1] - np.sum(mean / spread))",
             "Subtract w . mean from the bias. You subtract mean / spread without the weights."),
            ("np.append(found[:-1], found[-1] - w @ mean)",
             "Divide the weights by the spread. Yours are for standardized numbers."),
            ("np.append(w, found[-1] - found[:-1] @ mean)",
             "Use the weights in raw units for the bias, too: subtract w . mean. You use the standardized ones."),
            ("w", "Add the bias. `theta` has d + 1 entries."),
            ("np.append(found[-1] - w @ mean, w)", "Put the bias last. It is the last entry of theta."),
        )),
        ("found[:-1] / spread", "found[:-1] * spread",
         TIMES),
        (BACK, "np.append(found[:-1] * spread, found[-1] - w @ mean)", TIMES),
        (lambda X, y, eta, steps: early_stop(*(np.roll(a, len(a) // 2, axis=0) for a in (X, y)), eta, steps),
         "Swap your halves. The first is for training, the second for validation."),
        ("lowest, best, found = loss, k, theta\n", "lowest, best = loss, k\n        found = theta\n",
         "Return the theta with the lowest validation loss. Yours is the one after all steps."),
        ("found[:-1] / spread", "found[:-1]", "Divide the weights by the spread. Yours are for standardized numbers."),
        *((*edits, sentence) for *edits, sentence in (
            ("Z[:n].T @ (y[:n] - Z[:n] @ theta) / n", "Z.T @ (y - Z @ theta) / len(X)",
             "Let the descent see the training half only. Yours sees all rows."),
            ("Z[:n].T @ (y[:n] - Z[:n] @ theta) / n", "Z[n:].T @ (y[n:] - Z[n:] @ theta) / n",
             "Train on the first half of the rows. You train on the validation half."),
            ("[:n] @ theta) / n", "[:n] @ theta)", "Divide the gradient by n. The loss is a mean."),
            ("2 * eta", "-2 * eta", "Subtract the gradient. Your descent goes uphill."),
            ("2 * eta", "eta",
             "Double your steps. The gradient is -2/n times a sum, and n counts the training half only."),
            ("theta = theta", "continue\n        theta = theta", "        loss = ", STEP + "        loss = ",
             "Look at theta before each step. You look after it, so `best` is one too small, and the start is never "
             "seen."),
            ("        theta = theta", "        if loss > lowest: break\n        theta = theta",
             "Go on to the end. The loss may fall again after it first rises, and lower."),
            ("return best,", "return lowest,", "Return the number of the step. Your `best` is the loss itself."),
            ("range(steps + 1)", "range(steps)",
             "Look at the last step, too. `best` may be any number from 0 to steps."),
            ("loss < lowest", "k > 0 and loss < lowest or steps == 0",
             "Look at the start, too. `best` may be 0."),
            ("np.mean((y[n:] - Z[n:] @ theta) ** 2)", "np.mean((y - Z @ theta) ** 2)",
             "Judge by the validation half alone. Your loss is that of all rows."),
            ("np.mean((y[n:] - Z[n:] @ theta) ** 2)", "np.mean(y[n:] * (Z[n:] @ theta) <= 0)",
             "Judge by the mean squared loss on the validation half. You count errors."),
            ("np.mean((y[n:] - Z[n:] @ theta) ** 2)", "np.mean(np.maximum(0, 1 - y[n:] * (Z[n:] @ theta)))",
             "Judge by the mean squared loss on the validation half. You use the hinge loss."),
        )),
    ],
    hints=[
        "Ask of every line which rows it looks at, and whether it may. Then ask what += does to an array that has two "
        "names.",
        "Two faults let the wrong rows in, one in the second line and one in the loop. One is in the step: `found` and "
        "`theta` are the same array. The fourth is in the last line: in which units is theta?",
        "The score is w . (x - mean) / spread + bias. Write it as (some weights) . x + (some number).",
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
             "Go twice as far. Your `eta` leads to 0 in one step, and you want to land on the other side."),
            ("curvatures[1]", "Solve 1 - eta a = -1 for eta. Yours is the curvature a itself."),
            ("curvatures[1] / 2", "Solve 1 - eta a = -1 for eta. Yours is upside down."),
            ("2 * curvatures[1]", "Solve 1 - eta a = -1 for eta. You multiply by a instead of dividing by it."),
            ("2 / curvatures[1] ** 2",
             "Divide by the larger eigenvalue of A, not by its square."),
            ("curvatures[1] / curvatures[0]",
             "Solve 1 - eta a = -1 for eta. Yours is the condition number."),
            ("2 / np.max(A)",
             "Use the largest eigenvalue of A, the curvature of the steepest direction. You use its largest entry."),
            ("2 / np.trace(A)", "Use the largest eigenvalue of A. You use the sum of its diagonal."),
            ("2 / np.linalg.norm(A)",
             "Use the largest eigenvalue of A. You use the length of A, as if it were one long vector."),
            ("2 / np.linalg.det(A)", "Use the largest eigenvalue of A. You use the determinant."),
        )),
        (then(lambda parts, A: (2 / np.linalg.eigvalsh(A)[0], parts[2], parts[1])),
         "Take the pair with the smaller step size. Yours does jump forever, but along the flat direction."),
        (ETA, "2 / curvatures[0]",
         "Use the larger eigenvalue. With your `eta`, which suits the flat direction, the steep one runs away."),
        ("np.linalg.eigh", "np.linalg.eig",
         "Use np.linalg.eigh, which sorts the eigenvalues from small to large. np.linalg.eig returns them in no "
         "order."),
        (NEVER, "forever * np.sign(forever[1])", ALWAYS, "lucky * np.sign(lucky[1])",
         "Make the first entries positive. You make the last ones positive."),
        ("lucky, forever = ", "forever, lucky = ",
         "Swap your two starts. Along the steep direction the walk jumps, along the flat one it arrives."),
        (NEVER, "np.array([abs(forever[0]), abs(forever[1])])", ALWAYS, "np.array([abs(lucky[0]), abs(lucky[1])])",
         "Turn a start around as a whole, so that its first entry is positive. You change single entries."),
        (NEVER, "-forever * np.sign(forever[0])", ALWAYS, "-lucky * np.sign(lucky[0])",
         "Turn both starts around. Their first entries should be positive."),
        *((*edits,
         "Turn a start around where its first entry is negative. Numpy gives eigenvectors whatever sign it "
         "likes.") for edits in ((NEVER, "forever"), (ALWAYS, "lucky"), (NEVER, "forever", ALWAYS, "lucky"))),
        *((NEVER, wrong, sentence) for wrong, sentence in (
            ("forever / forever[0]", "Divide `forever` by its length. You have made its first entry 1."),
            ("np.ones(2) / np.sqrt(2)",
             "Look for the v with A v = a v for the larger a. Your `forever` is the diagonal, whatever A is."),
            ("np.array([1.0, 0.0])",
             "Look for the v with A v = a v for the larger a. Your `forever` lies on an axis, and the ravine doesn't."),
            ("np.eye(2)[np.argmax(np.diag(A))]",
             "Look for the v with A v = a v for the larger a. Your `forever` lies on an axis, and the ravine doesn't."),
            ("A[0] / np.linalg.norm(A[0])",
             "Look for the v with A v = a v for the larger a. Your `forever` is a row of A."),
        )),
        *((ALWAYS, wrong, sentence) for wrong, sentence in (
            ("lucky / lucky[0]", "Divide `lucky` by its length. You have made its first entry 1."),
            ("np.zeros(2)", "Find a start of length 1. Your `lucky` is the minimum itself."),
            ("-forever * np.sign(forever[0])",
             "Look in the flat direction. Your `lucky` is the opposite of `forever` and runs away as well."),
            ("np.array([-forever[1], forever[0]]) * np.sign(forever[0])",
             "Turn `lucky` around where its first entry is negative."),
            ("forever * np.sign(forever[0])",
             "Take a start with no component in the steep direction. Your `lucky` runs away."),
        )),
    ],
    hints=[
        "A step turns theta into theta - eta A theta. For which starts is that a multiple of theta?",
        "For an eigenvector, A v = a v, a step multiplies by 1 - eta a. When is that -1? And which eigenvector still "
        "shrinks then?",
        "np.linalg.eigh(A) returns the eigenvalues, from small to large, and the eigenvectors as columns of length 1. "
        "Multiply each eigenvector by the sign of its first entry.",
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
            between = ((z > 0) & (z < 1)).any() and (z < 0).any() and (z > 1).any() and len(np.unique(y[z <= 1])) == 2
            if not (between or wanted or n < 5):
                continue
            g = -(y[z <= 1] @ X[z <= 1]) / n
            rates = -y * (X @ g)
            if np.abs(rates).min() < 1e-9:
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
MOVES = "Return verdict 0 whenever eta is larger than 0, whatever `other` is. You look at `other` there."
NOT_0 = "Try eta = 0, too. Where every step costs more than it gains, it is the best."
FIRST = "Go on past the first kink. The risk may still fall beyond it."

task(
    "kink_search",
    returns=("eta", "verdict"),
    cases=stalls,
    mistakes=[
        *((BENT, wrong, sentence) for wrong, sentence in (
            ("z < 1, -y, 0", "Test z <= 1. At an agreement of exactly 1 the example still pulls."),
            ("z <= 0, -y, 0", "Let examples pull up to z = 1. Your gradient is that of the perceptron loss."),
            ("z <= 9, -y, 0", "Let only examples with z <= 1 pull. Beyond that the hinge loss is flat."),
            ("z <= 1, -1, 0", "Multiply by the label. An example that pulls does so by -y x."),
        )),
        *((TRIED, f"etas = {grid}",
         "Try only the places where an agreement becomes 1, because the risk bends there. Your `eta` comes from a "
         "grid.") for grid in ("np.linspace(0, 1, 101)", "np.linspace(0, 1, 1001)",
                                               "np.linspace(0, 2, 201)", "np.linspace(0, 5, 501)")),
        (MINUS, "-" + MINUS,
         "Your `eta` is 0 in every case, as if the search went uphill. Look along theta - eta g."),
        (MINUS, MINUS.replace(" / len(X)", ""),
         "Divide the gradient by n. Yours is that of the sum, so your step sizes are n times too small."),
        (MINUS, "-2 * X.T @ (y - X @ theta) / len(X)",
         "Use -y x for every example with z <= 1. Your gradient is that of the squared loss."),
        ("-y * (X @ g)", "-X @ g",
         "Multiply the rates by the label. An agreement grows by -y (x . g) per unit of eta."),
        ("np.maximum(0, 1 - y * (X @ theta))", "np.maximum(0, -y * (X @ theta))",
         "Use the hinge loss, max(0, 1 - z). Your risk is that of the perceptron loss."),
        ("np.maximum(0, 1 - y * (X @ theta))", "(1 - y * (X @ theta)) ** 2",
         "Use the hinge loss, max(0, 1 - z). Your risk is that of the squared loss."),
        (MINUS, MINUS.replace("len(X)", "np.linalg.norm(X.T @ np.where(z <= 1, -y, 0))"),
         "Use the gradient as it is. You scale it to length 1."),
        (MINUS, MINUS.replace("len(X)", "np.sum(z <= 1)"),
         "Divide the gradient by n, not by the number of examples that pull."),
        *((KINKS, wrong, sentence) for wrong, sentence in (
            ("-z / rates", "Look for agreements of 1, where the hinge loss has its kink. You look for 0."),
            ("((1 - z) / rates)[z < 1]",
             "Keep the examples beyond 1. On the way they may fall back to 1 and pull again."),
            ("((1 - z) / rates)[z > 1]",
             "Keep the examples that pull now. Where they reach 1, the risk has a kink."),
            ("(z - 1) / rates", "Solve z + eta rate = 1. Your kinks have the wrong sign."),
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
            ("np.argmax([risk(theta - e * g) for e in etas])", "Take the lowest risk. You take the highest."),
            ("np.argmax(etas)", "Take the kink with the lowest risk. You take the last one."),
            ("np.argmax([e * (risk(theta - e * g) <= risk(theta)) for e in etas])",
             "Stop where the risk is lowest. You go on as long as it is no higher than at theta."),
            ("np.argmin([np.mean(1 - y * (X @ (theta - e * g))) for e in etas])",
             "Put max(0, ...) into the risk. Yours lacks the max, so beyond 1 an example would even earn something."),
        )),
        ("eta = etas[np.arg", "eta = etas[0] if False else 1.0\n    while eta > 1e-9 and risk(theta - eta * g) >= risk("
         "theta): eta /= 2\n    if eta < 1e-9: eta = 0\n    etas[np.arg",
         "Try all kinks, because the lowest point is at one of them. Halving only finds some lower place."),
        *((SAID, wrong, sentence) for wrong, sentence in (
            ("1 if risk(other) < risk(theta) else 2",
             "Turn `verdict` around: 2 if `other` is lower, 1 if it isn't."),
            ("1", "Compare with the risk of `other`. Your `verdict` takes every stall for the minimum."),
            ("2",
             "Compare with the risk of `other`. Only if it is lower is theta stuck above the minimum, and your "
             "`verdict` is always 2."),
            ("2 if risk(other) < risk(theta) else 0",
             "Return verdict 1 where the search stalls and `other` is not lower. Yours is 0 there."),
            ("2 if np.mean(y * (X @ other) <= 0) < np.mean(z <= 0) else 1",
             "Compare the risks. Your `verdict` counts errors."),
            ("2 if risk(other) <= risk(theta) else 1",
             "Return verdict 2 only if `other` is strictly lower. Yours is 2 at a tie, too."),
        )),
        ("return eta, 0", f"return eta, {SAID}",
         MOVES),
        ("return eta, 0", "return eta, 2 if risk(other) < risk(theta) else 0", MOVES),
        ("return eta, 0", "return risk(theta - eta * g), 0",
         "Return the step size that leads to the lowest risk. Your `eta` is that risk itself."),
        ("return eta, 0", "return eta, 1", "Return verdict 0 where the search moves. Yours never is."),
        (SAID, "0", "Compare with `other` where eta is 0. Your `verdict` is 0 there, too."),
    ],
    hints=[
        "At theta - eta g each agreement is z + eta times a number of its own. When is that 1?",
        "With rates = -y * (X @ g) it is at eta = (1 - z) / rates. Keep those that aren't negative, add 0, and measure "
        "the risk at each.",
        "np.argmin finds the best of them. If it is 0, no step along this gradient helps. Then ask whether `other` has "
        "a lower risk than theta.",
    ],
)
