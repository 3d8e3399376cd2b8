"""Two gradients, descent, momentum, halving, Barzilai-Borwein, when to stop, a parabola by hand."""

import numpy as np

from coursekit.grading.draws import labels, quarters
from coursekit.grading.tasks import slips, solution, task, then

# Gradients of the mean loss with a penalty


def gradients_cases(rng):
    for n, d, lam in ((2, 1, 0.0), (3, 2, 0.5), (4, 2, 0.25), (5, 3, 1.5), (6, 1, 0.75), (8, 2, 0.5)):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), quarters(rng, d + 1)
            theta[0] = rng.choice([-1.0, 1.0])
            X[0, 0] -= theta[0] * (X[0] @ theta[:-1] + theta[-1] - y[0])  # agreement 1: on the kink
            z = y * (X @ theta[:-1] + theta[-1])
            kinds = np.any((z > 0) & (z < 1)), n < 4 or np.any(z > 1), n < 4 or np.any(z < 0)
            if X[0].any() and theta.all() and all(kinds):
                break
        yield X, y, theta, lam


PENALTY, RETURN = "np.append(lam * theta[:-1], 0)", "return squared, hinge"
SQUARED, HINGE = "(-2 * (y - f)) / len(X)", "np.where(y * f <= 1, -y, 0) / len(X)"
SLOPE, PULL, PULLS = "-2 * (y - f)", "-y, 0", "y * f <= 1"

task(
    "gradients",
    returns=("squared", "hinge"),
    cases=gradients_cases,
    mistakes=[
        *((PENALTY, wrong, sentence) for wrong, sentence in (
            ("lam * theta", "The offset is penalised: the penalty adds lam * w to the weights, nothing to the offset."),
            ("0 * theta", "The penalty is missing: it adds lam * w to the weights."),
            ("2 * " + PENALTY, "The penalty is lam/2 ||w||^2, so its gradient is lam * w: yours is twice that."),
            (PENALTY + " / 2", "The penalty is lam/2 ||w||^2, so its gradient is lam * w: yours is half of that."),
            (PENALTY + " / len(X)", "The penalty is divided by n: only the losses are a mean."),
            (PENALTY + " * len(X)", "The penalty is multiplied by n: with the mean loss it is lam * w."),
            ("-" + PENALTY, "The gradient of the penalty is added, not subtracted: + lam * w."),
            ("np.append(lam * np.sign(theta[:-1]), 0)",
             "Your penalty pulls all weights equally hard, as |w| does: the gradient of lam/2 ||w||^2 is lam * w."),
            ("lam / 2 * theta[:-1] @ theta[:-1]",
             "You add the value of the penalty: its gradient, lam * w, belongs in a gradient."),
            ("np.append(lam + 0 * theta[:-1], 0)",
             "You add lam to every weight: the gradient of the penalty is lam times w."),
        )),
        (SQUARED, f"({SLOPE})", HINGE, "np.where(y * f <= 1, -y, 0)",
         "You add up over the examples: the risk is a mean, so divide by n."),
        *((RETURN, wrong, sentence) for wrong, sentence in (
            ("return len(X) * squared, len(X) * hinge", "Everything is n times too large: the risk is a mean."),
            ("return squared / len(X), hinge / len(X)",
             "You divide by n twice, or the penalty as well: only the mean of the losses has a 1/n."),
            ("return -squared, -hinge",
             "You return minus the gradient, the way down: the gradient itself is asked for."),
            ("return 2 * penalty - squared, 2 * penalty - hinge",
             "The gradients of the losses have the wrong sign: derive (y - f)^2 and 1 - y f with respect to theta."),
            ("return squared[:-1], hinge[:-1]",
             "The last entry is missing: theta has an offset, and so has the gradient."),
            ("return np.roll(squared, 1), np.roll(hinge, 1)",
             "Your offset comes first: it is the last entry of theta, and of the gradient."),
        )),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]", PENALTY, "np.append(0, lam * theta[1:])",
         "Your constant comes first: the offset is the last entry of theta, so the column of ones comes last."),
        ("Z.T @ " + SQUARED, "np.mean(-2 * (y - f) * Z.T)",
         "Z.T @ " + HINGE, "np.mean(np.where(y * f <= 1, -y, 0) * Z.T)",
         "You take the mean over everything: it is over the examples alone, one entry for each entry of theta."),
        ("Z @ theta", "X @ theta[:-1]", "The score misses the offset: f = theta . (x, 1)."),
        ("Z @ theta", "Z @ theta; Z[:, -1] = 0",
         "The gradient with respect to the offset is not 0: the offset is the weight of the constant attribute 1."),
        *((HINGE + " + penalty", HINGE + wrong, sentence) for wrong, sentence in (
            (" + lam * theta", "Your `hinge` penalises the offset, which your `squared` does not."),
            ("", "Your `hinge` lacks the penalty, which your `squared` has."),
            (" * len(X) + penalty", "Your `hinge` is a sum, your `squared` a mean: divide by n in both."),
        )),
        *((SLOPE, wrong, sentence) for wrong, sentence in (
            ("-(y - f)", "Your `squared` lacks the factor 2: there is no 1/2 in front of (y - f)^2."),
            ("2 * (y - f)", "Your `squared` has the wrong sign: the inner derivative of y - f is -x."),
            ("-2 * (1 - y * f)", "Your `squared` lacks a y: the derivative of (1 - y f)^2 in f is -2 (1 - y f) y."),
            ("np.where(y * f < 1, -2 * (y - f), 0)",
             "Your `squared` leaves out examples with y f > 1: the squared loss has no condition, they pull back."),
            ("(y - f) ** 2",
             "Your `squared` multiplies x by the loss itself: multiply it by the derivative of the loss in f."),
            ("-2 * (y - np.sign(f))", "Your `squared` takes the sign of the score: it needs the score f itself."),
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
        (PULL, "y, 0", "Your `hinge` has the wrong sign: the gradient of 1 - y f is -y x."),
        (PULL, "-1, 0", "Your `hinge` lacks the label: the gradient of 1 - y f is -y x."),
        *((HINGE, wrong, sentence) for wrong, sentence in (
            ("-y / len(X)", "Your `hinge` has no condition: beyond y f = 1 the loss is flat, and nothing pulls."),
            ("(-y * np.maximum(0, 1 - y * f)) / len(X)",
             "In the hinge loss every example that pulls does so equally hard, by -y x, whatever its loss."),
            (HINGE.replace("len(X)", "np.sum(y * f <= 1)"),
             "The mean of your `hinge` is over the examples that pull: it is over all n."),
        )),
    ],
    hints=[
        "Both gradients are means of (a number for each example) times (x, 1); the penalty comes on top.",
        "The number is the derivative of the loss with respect to f: once of (y - f)^2, once of max(0, 1 - y f).",
        "With a column of ones in Z, Z.T @ numbers adds up over the examples, for all entries of theta at once. The "
        "penalty then concerns all entries but the last.",
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
    ("eta * gradient", "gradient", "Your step size is missing: a step is eta times the gradient."),
    ("range(steps)", "range(steps - 1)",
     "The last theta is missing: after `steps` steps there are steps + 1 rows, with the start."),
    ("range(steps)", "range(steps + 1)", "You make one step too many: after `steps` steps there are steps + 1 rows."),
    ("[start]", "[0 * start]", "You begin at 0: begin at the start that is given."),
]
ROWS = [
    (lambda thetas: thetas[1:], "The start is missing: row 0 of thetas is the start, so there are steps + 1 rows."),
    (lambda thetas: [thetas[0]] + [thetas[-1]] * (len(thetas) - 1),
     "All rows behind the start are the last theta: the list holds the same array again and again; theta = theta - ... "
     "makes a new one, theta -= ... does not."),
    (lambda thetas: [thetas[-1]] * len(thetas),
     "All rows are the last theta: the list holds the same array again and again; theta = theta - ... makes a new one, "
     "theta -= ... does not."),
]


def descend_cases(rng):
    def risk(X, y, theta):
        return np.mean((y - X @ theta) ** 2)

    for wanted, n, d, steps in (
        ("last", 3, 1, 3), ("last", 4, 2, 4), ("last", 6, 3, 5), ("start", 3, 1, 3), ("start", 5, 2, 4),
        ("middle", 4, 2, 5),
    ):
        while True:
            X, y, start = rng.normal(size=(n, d)).round(2), labels(rng, n), (2 * rng.normal(size=d)).round(2)
            bend = np.linalg.eigvalsh(2 * X.T @ X / n)[-1]
            eta = round(float(rng.uniform(0.2, 0.9) if wanted == "last" else rng.uniform(2.05, 2.6)) / bend, 3)
            thetas, best = descend(X, y, start, eta, steps)
            values = [risk(X, y, theta) for theta in thetas]
            flattest = np.argmin([np.linalg.norm(X.T @ (y - X @ theta)) for theta in thetas])
            kind = "start" if best == 0 else "last" if best == steps else "middle"
            if kind == wanted and np.diff(np.sort(values))[0] > 1e-3 and np.abs(thetas).max() <= 20 and (
                wanted != "middle" or flattest != best
            ):
                break
        yield X, y, start, eta, steps


descend = solution("descend")
BEST, STEP = "np.argmin([risk(theta) for theta in thetas])", "gradient(thetas[-1])"

task(
    "descend",
    returns=("thetas", "best"),
    cases=descend_cases,
    mistakes=[
        *PATHS,
        *((then(thetas=wrong), sentence) for wrong, sentence in ROWS),
        (STEP, "gradient(start)", "Every step uses the gradient at the start: compute it again where theta is now."),
        ("_ in range(steps)", "i in np.arange(steps) % len(X)", STEP, "(-2 * X[i] * (y[i] - X[i] @ thetas[-1]))",
         "Every step looks at one example alone: the gradient is the mean over all of them."),
        *((BEST, wrong, sentence) for wrong, sentence in (
            ("1 + np.argmin([risk(theta) for theta in thetas[1:]])",
             "The start counts too: where the run diverges, `best` is 0."),
            ("np.argmin([risk(theta) for theta in thetas[1:]])",
             "Your `best` counts the rows behind the start: the start is row 0, and it counts too."),
            ("steps", "Your `best` is always the last: where steps are too long, an earlier theta has the lower risk."),
            ("np.argmin([np.linalg.norm(gradient(theta)) for theta in thetas])",
             "Your `best` is where the gradient is shortest: the row with the lowest risk is asked for."),
            (BEST.replace("min", "max"), "Your `best` has the highest risk: the row with the lowest is asked for."),
            ("1 + " + BEST, "Your `best` counts from 1: rows count from 0, and the start is row 0."),
            ("min([risk(theta) for theta in thetas])",
             "Your `best` is the lowest risk itself: the row of thetas where it is reached is asked for."),
            (f"thetas[{BEST}]", "Your `best` is the best theta itself: its row in thetas is asked for."),
            ("np.argmin([risk(theta) for theta in thetas[:-1]])",
             "Your `best` never looks at the last theta: measure the risk of all steps + 1 rows."),
        )),
    ],
    hints=[
        "Write a function for the gradient of the mean squared loss; a step is theta - eta * gradient(theta).",
        "By the chain rule each example adds -2 (y - f) x to the gradient, and the sum is divided by n. Put the start "
        "into a list before the loop, and append in it.",
        "For `best`, measure the risk at every theta in the list, with the start, and let np.argmin find the row.",
    ],
)


def momentum_cases(rng):
    for n, d, m, steps in ((3, 1, 0.5, 2), (3, 1, 0.0, 3), (4, 2, 0.9, 4), (5, 2, 0.8, 5), (5, 3, 0.3, 4)):
        X, y, start = rng.normal(size=(n, d)).round(2), labels(rng, n), (1 + rng.uniform(size=d)).round(2)
        bend = np.linalg.eigvalsh(2 * X.T @ X / n)[-1]
        yield X, y, start * rng.choice([-1.0, 1.0], d), round(float(rng.uniform(0.3, 0.8) / bend), 3), m, steps


VELOCITY = "m * V - eta * gradient"

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
        )),
        ("V = " + VELOCITY, "old, V = V, " + VELOCITY, "thetas[-1] + V", "thetas[-1] + old",
         "You move theta by the old V: compute the new V first, then theta + V."),
        ("thetas[-1] + V", "V", "You replace theta by V: it moves by V, theta + V."),
        ("X @ thetas[-1]", "X @ (thetas[-1] + m * V)",
         "The gradient is taken at theta + m V, where theta will be: here it is taken at theta."),
        ("np.zeros(len(start))", "2 * eta * X.T @ (y - X @ start) / len(X)",
         "V begins with a first step: it begins with 0, or the first step counts the gradient twice."),
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
    for n, d, large, longer in (
        (2, 1, 0.25, False), (4, 2, 0.25, False), (2, 2, 1, True), (4, 1, 1, False), (4, 2, 1, True), (4, 3, 2, True),
    ):
        while True:
            X, y, theta = large * quarters(rng, n, d), labels(rng, n), quarters(rng, d)
            slope = 2 * X.T @ (y - X @ theta) / n
            if np.linalg.norm(slope) > 0.2:
                _, after = halving(X, y, theta)
                # Longer: a gradient that grows though the risk falls.
                if not longer or np.linalg.norm(2 * X.T @ (y - X @ after) / n) > np.linalg.norm(slope) + 0.1:
                    break
        yield X, y, theta


def every_try_moves(X, y, theta):
    eta, after = 1.0, theta
    slope = -2 * X.T @ (y - X @ theta) / len(X)
    while True:
        after = after - eta * slope
        if np.mean((y - X @ after) ** 2) < np.mean((y - X @ theta) ** 2) or eta < 1e-9:
            return eta, after
        eta = eta / 2


halving = solution("halving")
TEST, BOTH = "risk(theta - eta * slope) >= risk(theta)", "return eta, theta - eta * slope"

task(
    "halving",
    returns=("eta", "after"),
    cases=halving_cases,
    tolerance=1e-5,
    mistakes=[
        *((TEST, wrong, sentence) for wrong, sentence in (
            (TEST.replace(">=", ">"), "An eta that leaves the risk exactly as it was is refused too: it must become "
             "smaller (halve while >=)."),
            ("False", "You always take eta = 1: halve it until the risk becomes smaller."),
            *((TEST.replace(">=", ">") + f" - {share} * eta * slope @ slope",
               "You ask for more than a decrease: any eta that makes the risk smaller is taken.")
              for share in (0.5, 0.1, 1e-4)),
            (TEST.replace(">=", "<"), "The test is the wrong way round: halve while the risk has not become smaller."),
            ("np.linalg.norm(X.T @ (y - X @ (theta - eta * slope))) >= np.linalg.norm(X.T @ (y - X @ theta))",
             "You wait for a shorter gradient: an eta is accepted as soon as the risk is smaller."),
            *((f"eta > 0.5 ** {most} and {TEST}", "You give up after a number of halvings: halve until the risk is "
               "smaller, however small eta becomes.") for most in (3, 5, 10, 14, 20)),
        )),
        *SHORT,
        ("/ len(X)", "/ np.linalg.norm(2 * X.T @ (y - X @ theta))",
         "Your gradient is scaled to length 1: the step is eta times the gradient as it is."),
        ("eta = 1.0", "eta = 0.5", "Your first try is eta = 1/2: begin with 1."),
        ("eta = 1.0", "eta = 2.0", "Your first try is eta = 2: begin with 1."),
        ("eta / 2", "eta / 10", "You divide eta by 10: halve it."),
        (BOTH, f"while risk(theta - eta / 2 * slope) < risk(theta - eta * slope): eta = eta / 2\n    {BOTH}",
         "You go on halving while the risk falls further: the first eta that lowers it is taken."),
        (every_try_moves, "A refused try still moves theta: every try begins at the same theta."),
        *((BOTH, "return " + wrong, sentence) for wrong, sentence in (
            ("eta / 2, theta - eta / 2 * slope", "You halve once too often: keep the eta that was accepted."),
            ("eta if eta == 1 else eta / 2, theta - eta * slope",
             "Your `eta` is halved once more after the try that was accepted: return the eta that makes this step."),
            ("min(1, 2 * eta), theta - min(1, 2 * eta) * slope",
             "You return the last eta that was refused: the one after it is accepted."),
            ("eta, -eta * slope", "Your `after` is the step alone: add it to theta."),
            ("eta, theta", "Your `after` is theta as it came: make the step with eta."),
            ("eta, theta + eta * slope", "Your `after` lies uphill: theta - eta * gradient leads down."),
            ("eta, theta - slope", "Your `after` is the step with eta = 1: make it with the eta that was accepted."),
        )),
    ],
    hints=[
        "You need the risk as a function, and the gradient at theta. The gradient is computed once; only eta changes.",
        "A loop halves eta as long as the place it leads to has no smaller risk than theta has.",
        "Every try begins at theta. After the loop, eta is the first that was not refused: return it, and its place.",
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
            ("np.linalg.norm(s) / np.linalg.norm(r)",
             "You divide lengths: below is the dot product s . r, which also knows the directions."),
            ("np.sqrt(s @ s) / (s @ r)", "Above is s . s, the square of the length of s, not the length."),
            ("-(s @ s) / (s @ r)",
             "Your `eta` has the wrong sign: take both differences in the same order, now minus before."),
        )),
        ("slope - slope_before", "slope_before - slope",
         "One of your differences is before minus now: take both in the same order, now minus before."),
        ("slope - slope_before", "slope", "r is the change of the gradient, slope - slope_before, not slope itself."),
        ("theta - before", "theta", "s is the change of theta, theta - before, not theta itself."),
        (CURVED, "s @ r != 0", "Where s . r is negative, eta is 1: a negative eta would lead uphill."),
        (CURVED, "s @ r >= 0", "Where s . r is 0, eta is 1: you divide by 0 there (test s . r > 0)."),
        (CURVED, "True", "Where s . r is 0 or negative, eta is 1: you divide all the same."),
        (RATE, "s @ s / abs(s @ r)", CURVED, "s @ r != 0",
         "You take s . r without its sign: where it is negative, eta is 1."),
        ("1.0", "0.0", "Where s . r is not positive, eta is 1: with 0 the descent would not move."),
        *((AFTER, wrong, sentence) for wrong, sentence in (
            ("theta + eta * slope", "Your `after` lies uphill: theta - eta * slope leads down."),
            ("before - eta * slope", "The step begins at theta, where you are now, not at before."),
            ("theta - eta * slope_before", "The step goes along the gradient where you are now, not the one before."),
            ("theta - eta * r", "The step goes along the gradient itself, not along its change r."),
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

# When to stop


def stop_cases(rng):
    def falling(n):
        return 4 - np.cumsum(rng.integers(1, 4, n)) / 16

    def steep(n):  # 5 long or longer
        return rng.choice([-1.0, 1.0], (n, 2)) * np.array([3.0, 4.0]) * (1 + rng.integers(0, 3, (n, 1)))

    yield steep(4), falling(4), 2.0  # never
    yield steep(1), falling(1), 2.0
    yield steep(3) / 32, falling(3), 2.0  # flat everywhere, and all slopes together
    for n, k in ((4, 2), (6, 0), (7, 4)):  # flat at k: a slope of length 1.25
        slopes = steep(n)
        slopes[k] = rng.permutation([0.75, -1.0])
        for tolerance in (0.875, 1.125, 1.25, 1.5, 1.625, 2.0):
            yield slopes, falling(n), tolerance
    for n, k, equal in ((4, 2, True), (5, 1, False), (6, 3, False), (7, 3, True), (8, 2, False)):  # rises at k
        validation = falling(n)
        validation[k:] = validation[k - 1] + (0.0 if equal else 1 / 32) - np.arange(n - k) / 2
        yield steep(n), validation, 2.0
    slopes, validation = steep(6), falling(6)  # rises at 2, flat at 4
    validation[2] = validation[1] + 1
    slopes[4] = 0.0
    yield slopes, validation, 0.5
    slopes, validation = steep(6), falling(6)  # both at 3
    slopes[3], validation[3] = 0.25, validation[2]
    yield slopes, validation, 0.5


LENGTH, RISES, LOWEST = "np.linalg.norm(slopes[k])", "k > 0 and validation[k] >= validation[k - 1]", \
    "np.argmin(validation[: k + 1])"

task(
    "stop",
    returns=("stopped", "best"),
    cases=stop_cases,
    mistakes=[
        ("<= tolerance", "< tolerance", "A slope exactly as long as the tolerance stops the run too: <=."),
        (">= validation", "> validation",
         "A validation loss that stays exactly as it was has stopped falling: test >=."),
        ("k > 0 and ", "",
         "At k = 0 there is no iterate before: validation[k - 1] is the last entry there. Compare from k = 1 on."),
        ("validation[k - 1]", "validation[0]",
         "You compare the validation loss with that of the start: compare it with the iterate before."),
        *((LENGTH, wrong, sentence) for wrong, sentence in (
            ("slopes[k] @ slopes[k]", "You compare the square of the length with the tolerance: take the root."),
            ("np.abs(slopes[k]).max()",
             "You compare the largest entry of the slope: its length is the root of the sum of squares."),
            ("np.abs(slopes[k]).sum()",
             "You compare the sum of the entries: the length is the root of the sum of squares."),
            ("slopes[k].sum()",
             "You compare the plain sum of the entries, in which plus and minus cancel: take the length."),
            ("slopes[k].max()",
             "You compare the largest entry, and a large negative one looks small: take the length of the slope."),
            ("np.abs(slopes[k]).min()", "One small entry is not enough: the length of the whole slope counts."),
            ("np.linalg.norm(slopes)", "You measure all slopes together: the length of slopes[k] alone counts."),
        )),
        ("flat or", "flat and", "You wait until both happen: one of the two is enough."),
        (f"flat or ({RISES})", "flat",
         "You never look at the validation loss: the run also stops where it no longer falls."),
        ("flat or ", "", "You never look at the slope: the run also stops where it is short enough."),
        ("flat or", "k > 0 and flat or", "You never test the start: if its slope is short enough, the run stops at 0."),
        ("return k", f"return k - (not flat and {RISES})",
         "Where the validation loss stops falling, `stopped` is the iterate that did not fall, not the one before it."),
        *((*edit, "Your `stopped` is one too small: it is the iterate at which the condition holds.")
          for edit in (("break", "k = max(0, k - 1)\n            break"), ("return k", "return k - 1"))),
        *((*edit, "Your `stopped` is one too large: it is the iterate where the condition holds, and the start is 0.")
          for edit in (("return k", "k = min(k + 1, len(slopes) - 1)\n    return k"), ("return k", "return k + 1"))),
        ("break", "break\n    else:\n        return k + 1, np.argmin(validation)",
         "Where nothing stops the run, `stopped` is the last iterate: with K + 1 rows that is K."),
        ("break", "break\n    else:\n        return k - 1, np.argmin(validation)",
         "Where nothing stops the run, `stopped` is the last iterate: yours is the one before it."),
        *((LOWEST, wrong, sentence) for wrong, sentence in (
            ("k",
             "Your `best` is where the run stops: if the validation loss has risen there, the one before is better."),
            ("np.argmin(validation)",
             "Your `best` looks beyond the end of the run: only the iterates up to `stopped` have been made."),
            ("max(0, k - 1)", "Your `best` is never the iterate where the run stops: it can be the best, if the run "
             "stops because its slope is short."),
            ("k - np.argmin(validation[k::-1])", "Of two iterates with the same validation loss the earlier is best."),
            ("1 + np.argmin(validation[1 : k + 1]) if k else 0", "Your `best` leaves out the start: it counts too."),
            ("np.argmax(validation[: k + 1])",
             "Your `best` is where the validation loss is highest: the lowest is asked for."),
            ("validation[: k + 1].min()", "Your `best` is the lowest loss itself: its iterate is asked for."),
        )),
    ],
    hints=[
        "Go through the iterates k = 0, 1, 2, ... and stop at the first one where one of the two conditions holds.",
        "np.linalg.norm(slopes[k]) is the length of a slope. The other condition needs k - 1, so it starts at k = 1.",
        "break leaves the loop and keeps k; without it k is the last. np.argmin takes the first of equals: give it the "
        "iterates that were made, k included.",
    ],
)

task(  # L = 2 theta^2, from theta = 1
    "parabola",
    returns=("slope", "after", "one step", "limit", "eta 0.4", "halving", "momentum"),
    mistakes=[
        *slips(
            "slope",
            (2, "Your slope is the value: the derivative of 2 theta^2 is 4 theta."),
            (-4, "Your slope points down: that of 2 theta^2 at 1 is positive, the way up."),
            (1, "Your slope lacks the factor: the derivative of 2 theta^2 is 4 theta."),
        ),
        *slips(
            "after",
            (1.4, "Your step goes uphill: theta - eta times slope."),
            (0.9, "Your step has the length eta: it is eta times the slope, 0.1 times 4."),
            (0.4, "You give the step: theta after it is asked for, 1 minus that."),
            (0.8, "Your step uses the value 2 in place of the slope 4."),
        ),
        *slips(
            "one step",
            (0.5, "With eta = 0.5 the step leads from 1 to -1: one step to the minimum needs 1 - 4 eta = 0."),
            (4, "4 is the bend: the eta that reaches the minimum at once is one over it."),
            (1, "With eta = 1 the step leads from 1 to -3: one step to the minimum needs 1 - 4 eta = 0."),
        ),
        *slips(
            "limit",
            (0.25, "At 0.25 the step ends in the minimum; longer steps overshoot and still come nearer."),
            (2, "2 has to be divided by the bend, 4."),
            (1, "At eta = 1 the factor is 1 - 4 = -3: far beyond the limit, where it is -1."),
            (4, "4 is the bend: the limit is 2 over it."),
        ),
        *slips(
            "eta 0.4",
            (1, "The factor 1 - 4 times 0.4 is negative: every step ends on the other side."),
            (3, "The factor is -0.6: back and forth for ever would need -1."),
            (4, "The factor is -0.6, shorter than 1: the distance shrinks."),
        ),
        *slips(
            "halving",
            (0.5, "With eta = 0.5 the step leads from 1 to -1, where L is the same: not smaller, so it is refused."),
            (1, "With eta = 1 the step leads to -3, where L is 18: refused."),
            *((eta, "Halving stops at the first eta that lowers L: try 1, 1/2, 1/4.") for eta in (0.125, 0)),
        ),
        *slips(
            "momentum",
            (0.8, "Steps grow: each keeps 0.8 of the last and adds a new one, 1 + 0.8 + 0.64 + ..."),
            (1.8, "That is the second step: the growth goes on, 1 + 0.8 + 0.64 + ..."),
            (1.25, "One over 0.8 is not the sum of 1 + 0.8 + 0.64 + ..."),
            (4, "Your sum begins with 0.8: it begins with the new step itself, 1 + 0.8 + 0.64 + ..."),
            (10, "10 belongs to m = 0.9: for 0.8 it is one over 0.2."),
            (0.2, "Your last number is upside down: the steps grow, to one over 1 - m."),
            (8, "1 + 0.8 + 0.64 + ... adds up to one over 1 - m."),
        ),
    ],
    hints=[
        "A step multiplies theta by 1 - 4 eta. Most questions are about this factor.",
        "Factor 0: at the minimum at once. Between 0 and -1: across, and nearer. -1: back and forth. For halving "
        "compute L at 1 - 4 eta for eta = 1, 1/2, 1/4, ...",
        "Momentum on an even slope: the steps grow until what V loses each time, (1 - m) V, is what it gains, one "
        "plain step.",
    ],
)
