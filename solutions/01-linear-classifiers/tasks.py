"""One email by hand, scores, a product from lengths, a line through points, cells, errors, lines that are found.

All numbers in the cases are small multiples of 1/4, so that a score of 0 is 0 for everyone.
"""

import numpy as np

from coursekit_grade.draws import quarters, scene
from coursekit_grade.tasks import task, then

SIZES = (3, 2), (5, 2), (6, 3), (4, 4), (7, 1)

SCORE = "X @ theta[:-1] + theta[-1]"
WRONG_SCORES = [
    ("X @ theta[:-1]", "Add the bias: the score is theta[:-1] . x + theta[-1]."),
    ("X @ theta[1:] + theta[0]", "Take the bias from the end. It is theta[-1], the last entry."),
    ("X @ theta[:-1] + theta[0]",
     "Add theta[-1], the bias. Your theta[0] is a weight."),
    ("X @ theta[:-1] - theta[-1]", "Add the bias. Your score subtracts it."),
]


def scenes(ties):
    return lambda rng: [scene(rng, 1, 1), *(scene(rng, n, d, ties) for n, d in SIZES)]


def emails(rng):
    """One email and one line, with weights whose length is a whole number."""
    for _ in range(4):
        a, b = PYTHAGORAS[rng.integers(len(PYTHAGORAS))]
        w = rng.permutation([a, b]) * rng.choice([-1.0, 1.0], 2)
        x, offset = rng.integers(-6, 7, 2) / 2.0, float(rng.choice([-1, 1]) * rng.integers(2, 12))
        if w @ x + offset in (0.0, w @ x) or abs(w @ x + offset) == 1:
            offset += 0.5
        yield x, float(rng.choice([-1.0, 1.0])), np.append(w, offset)
    yield np.array([2.0, 3.0]), -1.0, np.array([3.0, 4.0, -10.0])
    yield np.array([-2.0, 1.0]), 1.0, np.array([4.0, -3.0, 5.0])


PYTHAGORAS = (3.0, 4.0), (5.0, 12.0), (6.0, 8.0), (8.0, 15.0)  # weights whose length is a whole number
ROOT = "np.sqrt(theta[0] ** 2 + theta[1] ** 2)"

task(
    "one_line",
    returns=("score", "distance", "agreement", "shift"),
    cases=emails,
    mistakes=[
        (then(distance=lambda _, theta: abs(theta[2]) / np.hypot(theta[0], theta[1])),
         "Return the distance of x, its score divided by the length of the weights. Your `distance` is that of the "
         "origin."),
        (then(agreement=lambda _, y, score: y + score), "Multiply the score by y. Your `agreement` adds them."),
        ("+ theta[2]", "", "Add the bias, theta[2], to the two products of your score."),
        ("+ theta[2]", "- theta[2]", "Add the bias with the sign it has. Your score subtracts it."),
        ("theta[0] * x[0] + theta[1] * x[1]", "theta[0] * x[1] + theta[1] * x[0]",
         "Multiply theta[0] by x[0] and theta[1] by x[1]. Your score swaps the coordinates."),
        ("theta[0] * x[0] + theta[1] * x[1] + theta[2]", "theta[0] + theta[1] * x[0] + theta[2] * x[1]",
         "Take the bias from the end. It is the last entry of theta, theta[2]."),
        (then(score=lambda score, y: y * score),
         "Leave the label out of the score. Only the agreement uses it."),
        *((ROOT, wrong, sentence) for wrong, sentence in (
            ("(abs(theta[0]) + abs(theta[1]))",
             "Take the square root of the sum of the squared weights. Their plain sum is not their length."),
            ("(theta[0] ** 2 + theta[1] ** 2)", "Take the square root. You divide by the square of the length."),
            ("np.sqrt(theta @ theta)",
             "Leave the bias out of the length, because it isn't part of the arrow across the line."),
            ("np.sqrt(x @ x)", "Divide by the length of the weights. You divide by the length of x."),
            ("1", "Divide by the length of the weights. Your distances are still scores."),
        )),
        (then(distance=lambda distance, y: y * distance),
         "Leave the label out of `distance`. Its sign is that of the score alone."),
        (then(agreement=lambda _, score, y: y * abs(score)),
         "Multiply the label by the score with its sign. Your agreement uses the size of the score alone."),
        (then(agreement=lambda _, score: score), "Multiply the score by y. Your agreement lacks the label."),
        (then(agreement=lambda _, distance, y: y * distance),
         "Multiply the label by the score. Your agreement uses the distance."),
        (then(agreement=lambda _, score, y: y * score > 0),
         "Return the label times the score itself. Your agreement says only whether the email is right."),
        (then(shift=lambda _, x, theta: theta[:2] @ x / np.hypot(*theta[:2])),
         "Return where the line lies, minus the bias over the length. Your shift says how far along the arrow the "
         "email lies."),
        (then(shift=lambda shift: -shift),
         "Put a minus before the bias in your shift, because on the line the two products must cancel it."),
        (then(shift=lambda _, theta: -theta[2]), "Divide your shift by the length of the weights."),
        (then(shift=lambda _, theta: theta[2]),
         "Flip the sign of the bias and divide it by the length of the weights. Your shift is the bias itself."),
    ],
    hints=[
        "On paper, the score is 3 * 2 + 4 * 3 - 10 = 8, and the arrow of the weights, (3, 4), is 5 long. How does this "
        "5 turn 8 into 1.6, and -10 into 2?",
        "For the score, multiply pairwise, add up, and add the bias. For the length, take the square root of the sum "
        "of the squared weights, without the bias.",
        "The distance is score over length, the agreement is y times score, and the shift is minus the bias over the "
        "length, because every point of the line has that projection.",
    ],
)


task(
    "decision",
    returns="scores",
    cases=scenes(ties=0),
    mistakes=[
        *((SCORE, wrong, sentence) for wrong, sentence in WRONG_SCORES),
        (then(np.sign), "Return the score itself. You return its sign, which is the prediction."),
        (then(lambda f, theta: f / np.linalg.norm(theta[:-1])),
         "Don't divide by the length of the weights. You return distances, not scores."),
        (SCORE, "(X + theta[-1]) @ theta[:-1]",
         "Add the bias once, to the dot product. You add it to every feature of x."),
        (SCORE, "np.mean(X * theta[:-1], axis=1) + theta[-1]",
         "Add the products up and add the bias. You take their mean."),
        (then(np.abs), "Keep the sign, because it says on which side of the hyperplane x lies. Your scores are never "
                       "negative."),
        (SCORE, "(X * theta[:-1] + theta[-1]).sum(axis=1)",
         "Add the bias once, after the sum. You add it once for each feature."),
        (SCORE, "(X * theta[:-1]).sum(axis=0) + theta[-1]",
         "Sum along axis=1, because an example is a row. You add up columns."),
        (SCORE, "X * theta[:-1] + theta[-1]",
         "Add up the products in each row, then add the bias once. Your answer holds them one by one."),
        (SCORE, "X * theta[:-1]",
         "Add up the products x_j theta_j in each row, then add the bias. Your answer holds them one by one."),
        (SCORE, "np.sum(X * theta[:-1]) + theta[-1]", "Sum each row by itself, with axis=1. You add up all of X * "
                                                      "theta[:-1]."),
        (SCORE, "(X @ theta[:-1]) * theta[-1]", "Add the bias. You multiply by it."),
        (SCORE, "np.cumsum(X @ theta[:-1]) + theta[-1]",
         "Start again from the bias in each row. Your sum runs on from row to row."),
        (SCORE, "X[:, :-1] @ theta[:-2] + theta[-1]",
         "Include the last feature. range(d) stops before d by itself, and theta[:-1] already holds all the weights."),
        (SCORE, "np.insert(X, -1, 1.0, axis=1) @ theta",
         "Use np.column_stack to put the ones behind the last column. np.insert(X, -1, ...) puts them before it."),
    ],
    hints=[
        "The weights are theta[:-1], and the bias is the last entry, theta[-1].",
        "For one row x, the score is the sum of x[j] * theta[j] over all features j, plus theta[-1] once.",
        "A matrix times a vector, X @ ..., computes that sum for all rows at once. What do you still have to add?",
    ],
)


def lengths(rng):
    for d in (1, 2, 2, 3, 6):
        theta, x = rng.integers(-6, 7, (2, d)) / 2.0
        theta[0] += (theta[0] == 0) * 1.5
        x[0] += (x[0] == 0) * 2.5
        yield tuple(float(np.linalg.norm(v)) for v in (theta, x, theta + x))
    yield 3.0, 4.0, 5.0
    yield 2.0, 5.0, 3.0


PRODUCT = "(total ** 2 - a ** 2 - b ** 2) / 2"

task(
    "product",
    returns="product",
    cases=lengths,
    mistakes=[
        (PRODUCT, "total ** 2 - a ** 2 - b ** 2", "Divide by 2, because multiplying out gives the product twice."),
        (PRODUCT, "total ** 2 / 2 - a ** 2 - b ** 2", "Halve all three squares. You halve only the first."),
        (PRODUCT, "(a ** 2 + b ** 2 - total ** 2) / 2",
         "Flip the sign. Yours would be right if the third length were that of theta - x."),
        (PRODUCT, "a * b",
         "Use the third length, too. Length times length is the product only when both arrows point the same way."),
        (PRODUCT, "(total - a - b) / 2", "Square the lengths before you subtract."),
        (PRODUCT, "(total ** 2 - a ** 2 - b ** 2)  / (2 * a * b)",
         "Don't divide by the two lengths. That gives the cosine of the angle."),
        (PRODUCT, "(total ** 2 - a ** 2 - b ** 2) / (2 * a)",
         "Multiply by the length of theta. What you return is the projection of x."),
        (PRODUCT, "(total ** 2 - (a + b) ** 2) / 2",
         "Square a and b separately, because (a + b)^2 has an extra 2 a b."),
        (PRODUCT,
         "(total ** 2 - (a - b) ** 2) / 2", "Square a and b separately, because (a - b)^2 has an extra -2 a b."),
        (PRODUCT, "(total ** 2 - a ** 2 + b ** 2) / 2", "Subtract both squares, a^2 and b^2. You add one of them."),
        (PRODUCT, "(total - a ** 2 - b ** 2) / 2", "Square the third length, too."),
        (PRODUCT, "total ** 2 - a ** 2 - b ** 2  / 2",
         "Put parentheses around the difference. You halve only the last square."),
        (PRODUCT,
         "(total ** 2 - a ** 2 - b ** 2) * 2", "Divide by 2, because multiplying out gives the product twice. You "
                                               "multiply."),
        (PRODUCT, "np.arccos((total ** 2 - a ** 2 - b ** 2) / (2 * a * b))",
         "Return the product. What you return is the angle."),
        (PRODUCT, "np.degrees(np.arccos((total ** 2 - a ** 2 - b ** 2) / (2 * a * b)))",
         "Return the product. What you return is the angle in degrees."),
        *((PRODUCT, root, "Leave out the square root. The product is not a length.") for root in (
            "np.sqrt(abs(total ** 2 - a ** 2 - b ** 2))", "np.sqrt(abs(total ** 2 - a ** 2 - b ** 2)) / 2")),
    ],
    hints=[
        "Write out the squared length of theta + x in two dimensions: (theta1 + x1)^2 + (theta2 + x2)^2.",
        "Multiply out and sort the terms. The squares of theta give a^2, and those of x give b^2. What is left over?",
        "What is left over is 2 (theta1 x1 + theta2 x2). Solve for the product.",
    ],
)


def borders(rng):
    """Two points of a border, and one that is to be spam. Coordinates are small, and the third keeps clear."""
    made = 0
    while made < 6:
        p, q, inside = rng.integers(-8, 9, (3, 2)) / 2.0
        turned = np.array([p[1] - q[1], q[0] - p[0]])
        away = turned @ (inside - p)
        if abs(away) > 1 and abs(turned @ p) > 0.5 and turned.all() and abs((q - p) @ (inside - p)) > 0.5:
            made += 1
            yield p, q, inside
    yield np.array([20.0, 0.0]), np.array([5.0, 5.0]), np.array([2.0, 10.0])
    yield np.array([1.0, 0.0]), np.array([1.0, 3.0]), np.array([0.0, 1.0])
    yield np.array([1.0, 2.0]), np.array([4.0, 2.0]), np.array([0.0, 5.0])
    yield np.array([1.0, 2.0]), np.array([-2.0, -4.0]), np.array([3.0, -1.0])  # through the origin


ACROSS, SIDE = "np.array([p[1] - q[1], q[0] - p[0]])", "w @ (inside - p) < 0"

task(
    "line_through",
    returns="theta",
    cases=borders,
    mistakes=[
        ("w @ (inside - p)", "inside[0]",
         "Ask on which side of the line `inside` lies, because its score must be positive. Where it lies in the plane "
         "doesn't matter."),
        (ACROSS, "(q - p)",
         "Swap the two entries of q - p and flip one sign. Your weights run along the line, but they should point "
         "across it."),
        (ACROSS, "np.array([q[1] - p[1], q[0] - p[0]])",
         "Flip the sign of one entry as well. Swapping alone doesn't make a right angle."),
        *(("        w = -w", "        pass", *turned,
           "Flip the sign of all three numbers whenever the score of `inside` is negative.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        *(("        w = -w", "        return np.append(-w, -w @ p)", *turned,
           "Flip the sign of the bias, too. You turn only the weights around.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        *(("        w = -w", "        return np.append(w, w @ p)", *turned,
           "Flip the signs of the weights, too. You turn only the bias around.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        (ACROSS, "(inside - p)", "Make the weights perpendicular to q - p. Yours point from p to the spam."),
        (ACROSS, "np.array([q[1], p[0]])", "Let p and q lie anywhere. You treat them as points on the axes."),
        (ACROSS, f"np.trunc({ACROSS})", "Use an array of floats. An integer array cuts off the fractions."),
        *((SIDE, "w @ inside < 0", *turned,
           "Choose the side by the score of `inside`, with the bias in it. You use the weights alone.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        *((SIDE, wrong, "Choose the sign so that the score of `inside` is positive. You look at the bias.")
          for wrong in ("w @ p > 0", "w @ p < 0")),
        (SIDE, "w @ (inside + p) < 0", "-w @ p", "w @ p", "Flip the sign of the bias. The score of p, w . p + bias, "
                                                          "must be 0."),
        ("w / np.linalg.norm(w)", "w / (w @ w)", "Take the square root. You divide by the square of the length."),
        ("np.append(w, -w @ p)", "(t := np.append(w, -w @ p)) / np.linalg.norm(t)",
         "Divide by the length of the weights alone. Hesse normal form doesn't ask all of theta to have length 1."),
        ("np.append(w, -w @ p)", f"np.append(w, -w @ p * np.linalg.norm({ACROSS}))",
         "Divide the bias by the length, too. Yours belongs to the weights before the division."),
        (SIDE, f"w @ inside < w @ p * np.linalg.norm({ACROSS})", "np.append(w, -w @ p)",
         f"np.append(w, -w @ p * np.linalg.norm({ACROSS}))",
         "Divide the bias by the length, too. Yours belongs to the weights before the division."),
        ("w / np.linalg.norm(w)", "w",
         "Divide theta by the length of its weights, as Hesse normal form asks. The line itself is right."),
        ("-w @ p", "w @ p", "Flip the sign of the bias. The score of p must be 0, so w . p + bias = 0."),
        ("-w @ p", "0.0", "Choose the bias that makes the score of p 0. Your line passes through the origin."),
        ("-w @ p", "-w @ inside", "Choose the bias that makes the score of p 0. Your line passes through `inside`."),
        ("np.append(w, -w @ p)", "np.append(-w @ p, w)",
         "Put the bias last, behind the two weights."),
        ("np.append(w, -w @ p)", "w", "Append the bias. theta has three entries, and the score of p must be 0."),
        (then(lambda theta: -theta),
         "Flip the sign of theta. The score of `inside` must be positive."),
    ],
    hints=[
        "q - p runs along the line. Which arrow is perpendicular to (a, b)? The dot product of the two must be 0.",
        "The arrow (-b, a) is. Divide it by its length, and turn it around if it points away from the spam.",
        "The bias is the number that makes the score of p zero, w . p + bias = 0. Then return np.append(w, bias).",
    ],
)


def weights(rng):
    """Emails as lines, and a place among them. The nearest line is wrong in some cases, and seldom that of the score
    nearest to 0.
    """
    made = 0
    while made < 6:
        n = (4, 4, 5, 6, 7, 9)[made]
        X, y, theta = quarters(rng, n, 2), rng.choice([-1.0, 1.0], n), quarters(rng, 2)
        offset = float(rng.choice([-1, 1]) * rng.integers(2, 12)) / 4
        f, lengths = X @ theta + offset, np.hypot(*X.T)
        if not (f.all() and lengths.all() and theta.all()):
            continue
        ways = np.abs(f) / lengths
        first, second = np.sort(ways)[:2]
        near, wrong = ways.argmin(), y * f <= 0
        clear = second - first > 0.05 and abs(lengths[near] - 1) > 0.2 and first > 0.1
        clear = clear and (near != np.abs(f).argmin() or made < 2)
        clear = clear and (near != (ways / lengths).argmin() or made != 4)
        if clear and wrong[near] == (made % 2 == 0) and 1 < wrong.sum() < n:
            made += 1
            yield X, y, theta, offset
    yield np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 2.0]]), np.array([1.0, 1.0, -1.0]), np.array([2.0, 1.0]), -3.0
    four = np.array([[0.75, 0.75], [0.0, 1.25], [0.75, 1.25], [0.0, 2.0]])
    yield four, np.array([-1.0, -1.0, 1.0, 1.0]), np.ones(2), -1.75


WAYS = "np.argmin(np.abs(f) / np.linalg.norm(X, axis=1))"
AFTER = "len(wrong) + (-1 if nearest in wrong else 1)"

task(
    "cell",
    returns=("wrong", "nearest", "there", "beyond"),
    cases=weights,
    mistakes=[
        ("X @ theta + bias", "X @ theta", "Add the bias to your scores. It comes as an argument of its own."),
        ("X @ theta + bias", "X @ theta - bias", "Add the bias to your scores. You subtract it."),
        ("f[nearest] / (x @ x)", "2 * f[nearest] / (x @ x)",
         "Stop on the line itself. Your `there` goes twice as far, to the mirror image."),
        ("y * f <= 0", "y * f > 0", "List the emails with y f <= 0. Your `wrong` lists those that are right."),
        ("y * f <= 0", "f <= 0", "Test y f <= 0 for `wrong`. You look at the score alone."),
        (then(wrong=lambda wrong: np.asarray(len(wrong))), "List the row numbers in `wrong`. You return how many there "
                                                           "are."),
        (WAYS, "np.argmin(np.abs(f))",
         "Divide |f| by the length of x to find the nearest line, because the arrow across an email's line is its x. "
         "The smallest score need not belong to it."),
        (WAYS, "np.argmax(np.abs(f) / np.linalg.norm(X, axis=1))", "Take the nearest line. Yours is the farthest."),
        (WAYS, "np.argmin(np.abs(f) / (X ** 2).sum(axis=1))",
         "Divide |f| by the length of x to compare distances. You divide by its square."),
        (WAYS, "np.argmin(np.abs(f) / np.sqrt((X ** 2).sum(axis=1) + 1))",
         "Measure x alone, without the constant 1, because the bias does not move here."),
        ("(x @ x)", "(x @ x + 1)",
         "Leave the constant 1 out of the length in `there`, because the bias does not move here."),
        (WAYS, "np.argmin(np.where(y * f > 0, np.abs(f) / np.linalg.norm(X, axis=1), np.inf))",
         "Look at all emails. You look only at those that are right, but the nearest line may belong to a wrong one."),
        (WAYS, "np.argmin((np.abs(f) / np.linalg.norm(X, axis=1))[y * f <= 0]) if (y * f <= 0).any() else 0",
         "Look at all emails, and return the row in X. Your `nearest` counts among the wrong ones."),
        (then(nearest=lambda _, X, theta, bias: np.min(np.abs(X @ theta + bias) / np.hypot(*X.T))),
         "Return the row number of the email. Your `nearest` is its distance."),
        (WAYS, "np.argmin(f / np.linalg.norm(X, axis=1))",
         "Compare |f|, because a line may lie on either side of you. You take the most negative score."),
        (WAYS, "np.argmin(np.where(y * f <= 0, np.abs(f) / np.linalg.norm(X, axis=1), np.inf))",
         "Look at all emails. You look only at those that are wrong, but the nearest line may belong to a right one."),
        (WAYS, "np.argmin(np.linalg.norm(X - theta, axis=1))",
         "Measure the distance to lines, because in the plane of weights an email is a line. You treat it as a point."),
        ("theta - f[nearest]", "theta + f[nearest]",
         "Walk against x where f is positive. Your `there` walks away from the line."),
        ("theta - f[nearest]", "-bias",
         "Start `there` from theta. Yours is the point of the line nearest to the origin."),
        ("f[nearest] / (x @ x)", "f[nearest] / np.sqrt(x @ x)",
         "Divide by x . x, the squared length. One length turns the score into a distance, and the other turns x into "
         "a direction of length 1."),
        ("f[nearest] / (x @ x)", "y[nearest] * f[nearest] / (x @ x)",
         "Leave y out of `there`. The sign of the score alone says on which side of the line you stand."),
        ("f[nearest] / (x @ x)", "abs(f[nearest]) / (x @ x)",
         "Keep the sign of f in `there`. Where the score is negative, walk along x, not against it."),
        ("(x @ x) * x", "(theta @ theta) * theta",
         "Walk along x, the shortest way to an email's line. Your `there` walks along theta."),
        ("theta - f[nearest]", "-f[nearest]", "Add the step to theta. Your `there` is the step alone."),
        (then(there=lambda _, nearest, X: X[int(nearest)]),
         "Return the point of the line that is nearest to theta. Your `there` is the email itself."),
        ("f[nearest] / (x @ x)", "f[nearest]",
         "Divide by the squared length of x. The step is f / (x . x) times x."),
        ("theta - f[nearest] / (x @ x) * x", "x - f[nearest] / (theta @ theta) * theta",
         "Move theta, not the email. In the plane of weights the email is a line, and theta walks to it."),
        (AFTER, "len(wrong)",
         "Count behind the line, where the verdict on one email has changed. Your `beyond` is the count on this side."),
        (then(beyond=lambda _, wrong, y: len(y) - len(wrong)),
         "Change the count by one, because crossing one line changes one verdict. Your `beyond` changes them all."),
        (AFTER, "np.sum(y * (X @ (2 * there - theta) + bias) <= 0)",
         "Count just behind this line. At the mirror image, where you count, you may have crossed other lines, too."),
        (AFTER, "len(wrong) + (nearest not in wrong)",
         "Count behind the line. On the line itself, where you count, the score of this email is 0."),
        (AFTER, "len(wrong) + 1",
         "Subtract one if the email is wrong on your side, because on the far side of its line it is right. Your "
         "`beyond` always adds one."),
        (AFTER, "len(wrong) - 1",
         "Add one if the email is right on your side, because on the far side of its line it is wrong. Your "
         "`beyond` always subtracts one."),
        (AFTER, "len(wrong) + (1 if nearest in wrong else -1)",
         "Swap the two cases of `beyond`. An email that is wrong on your side of its line is right on the "
         "other side."),
    ],
    hints=[
        "Find `wrong` first, with the scores X @ theta + bias. For the rest, swap the roles: x is known, and the "
        "weights are not. theta1 x1 + theta2 x2 + bias = 0 is a line in the plane of weights. Which arrow is "
        "perpendicular to it?",
        "The arrow is x. So the distance of theta from this line is the score over the length of x, just as the "
        "distance of x from the line of theta was the score over the length of theta.",
        "Walk from theta against x, by f / (x . x) times x, to where the score is 0. Behind the line, the verdict on "
        "exactly one email has changed.",
    ],
)


def error_cases(rng):
    for n, d, tie in ((3, 2, 1.0), (4, 2, -1.0), (5, 3, 1.0), (6, 1, -1.0), (8, 2, 1.0), (9, 2, 1.0), (12, 3, -1.0)):
        X, theta = scene(rng, n, d, ties=2)
        y = rng.choice([-1.0, 1.0], n)
        y[:2] = tie
        y[2] = 1.0 if X[2] @ theta[:-1] + theta[-1] < 0 else -1.0
        yield X, y, theta
    yield np.array([[1.0], [2.0], [3.0], [-0.5]]), np.array([1.0, 1.0, 1.0, -1.0]), np.array([1.0, 0.0])
    yield np.array([[-3.0], [2.0]]), np.array([-1.0, 1.0]), np.array([1.0, 0.25])
    X, theta = scene(rng, 3, 2)
    yield X, -np.sign(X @ theta[:-1] + theta[-1] + 1 / 16), theta


WRONG = "np.mean(y * f <= 0)"

task(
    "training_error",
    returns="error",
    cases=error_cases,
    mistakes=[
        *((WRONG, wrong, sentence) for wrong, sentence in (
            ("np.mean(y * f < 0)", "Test y f <= 0, not y f < 0, because a score of exactly 0 is wrong, too."),
            ("np.mean(np.where(f >= 0, 1, -1) != y)",
             "Count a score of 0 as an error, whatever the label. Yours takes it for +1, which is right whenever y is "
             "+1."),
            ("np.mean(np.where(f > 0, 1, -1) != y)",
             "Count a score of 0 as an error, whatever the label. Yours takes it for -1, which is right whenever y is "
             "-1."),
            ("np.sum(y * f <= 0)", "Divide by n. You return the number of errors, not their fraction."),
            ("np.mean(y * f > 0)",
             "Return the fraction of wrong ones, y f <= 0. You return the fraction of right ones."),
            ("np.mean(y * f >= 0)",
             "Return the fraction with y f <= 0. You return that of the right ones, ties included."),
            ("np.sum(y * f <= 0) / X.size",
             "Divide by the number of examples, the rows of X. You divide by the number of its entries."),
            ("np.sum(y * f <= 0) / X.shape[1]",
             "Divide by the number of examples. You divide by the number of features."),
            ("np.sum(y * f <= 0) / max(1, len(X) - 1)", "Divide by n, not by n - 1."),
            ("np.mean(f <= 0)", "Test y f <= 0. Whether a score is wrong depends on the label; you look at f alone."),
            ("np.mean(f != y)", "Compare signs, or test y f <= 0. A score need not be exactly +1 or -1 to be right."),
            ("np.mean(y * f <= 1)",
             "Test y f <= 0, not y f <= 1. You also count examples that are right with a small score."),
            ("np.mean(y * f < 1)",
             "Test y f <= 0, not y f < 1. You also count examples that are right with a small score."),
            ("np.mean(np.abs(y - np.sign(f)))", "Count each error once. |y - sign(f)| is 2 for a wrong prediction."),
            ("np.mean((y - np.sign(f)) ** 2)", "Count each error once. (y - sign(f))^2 is 4 for a wrong prediction."),
            ("np.mean(np.abs(y - np.sign(f))) / 2",
             "Count a score of 0 in full, with y f <= 0. |y - sign(f)| / 2 makes it half an error."),
            ("np.mean((y - np.sign(f)) ** 2) / 4",
             "Count a score of 0 in full, with y f <= 0. (y - sign(f))^2 / 4 makes it a quarter of an error."),
            ("np.sum(y * f < 0) / max(1, np.sum(f != 0))",
             "Count undecided examples as errors, and divide by all n. You leave them out."),
            *((f"np.sum(np.where(f {above} 0, 1, -1) != y) / X.size",
               "Fix both faults. A score of 0 is wrong for either label, and X.size counts entries, not examples.")
              for above in (">=", ">")),
            ("np.mean(np.minimum(0, y * f))", "Count 1 for each wrong example, however wrong it is. You add up "
                                              "agreements."),
            ("np.mean(y * f)", "Count the examples whose agreement is <= 0. You return the mean agreement."),
            ("np.mean(np.maximum(0, -y * f))",
             "Count 1 for each wrong example. You measure by how much it is wrong."),
            ("np.mean(np.maximum(0, 1 - y * f))",
             "Count 1 for each wrong example, however wrong it is. You return the mean hinge loss."),
            ("np.mean((y - f) ** 2)",
             "Count 1 for each wrong example, however wrong it is. You return the mean squared error."),
        )),
        *((SCORE, wrong, sentence) for wrong, sentence in WRONG_SCORES[:4]),
        (WRONG, "np.mean((f > 0) * 1 != y)",
         "Predict -1 and +1, like the labels. You predict 0 and 1, so every negative example counts as wrong."),
        (WRONG, "(y * f <= 0)[0] / len(y)",
         "Put return after the loop, not inside it. You look at the first example alone."),
        (WRONG, "np.mean((y * f <= 0) & (y > 0))",
         "Count negative examples with f >= 0, too. You count only positive ones."),
        (WRONG, "np.mean((y * f <= 0) & (y < 0))",
         "Count positive examples with f <= 0, too. You count only negative ones."),
        *((WRONG, wrong, "Your error is 1 in every case. Count y f <= 0 alone, with np.sum. len() counts all examples.")
          for wrong in ("len(y * f <= 0)", "len(y * f <= 0) / len(y)")),
    ],
    hints=[
        "The agreement y * f is positive exactly when an example is right.",
        "Count the examples with y * f <= 0, a score of 0 included, and divide by how many examples there are.",
        "A comparison of arrays gives True and False, which count as 1 and 0 in a sum and in a mean.",
    ],
)


def clouds(rng):
    """Two clouds in the plane with a gap that lines of whole degrees find."""
    for n, gap in ((6, 1.0), (10, 0.8), (24, 0.6), (12, 2.0), (30, 0.5)):
        turn = rng.uniform(0, 2 * np.pi)
        unit, along = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        y = np.resize([1.0, -1.0], n)
        away = y * (gap / 2 + rng.exponential(0.8, n))
        away[:2] = y[:2] * gap / 2
        X = rng.uniform(-3, 3, 2) + np.outer(away, unit) + np.outer(rng.uniform(-1.5, 1.5, n), along)
        X = np.round(X, 3)
        yield (X, y), (X, y)
        if n == 24:  # some lie far beyond the line: means and least squares are drawn after them
            X = X + np.where(np.arange(n) % 6 == 0, 9.0, 0.0)[:, None] * unit
            yield (X, y), (X, y)


task(
    "find_line",
    returns="theta",
    cases=clouds,
    accuracy=1.0,
    mistakes=[],  # judged by what theta does: checking/accuracy.py has the sentences
    hints=[
        "Draw two classes that a line separates, and an arrow w of length 1 across the line. Project every example on "
        "the arrow, X @ w. How do the projections of the two classes lie?",
        "The line separates if the projections of the positive examples all lie beyond those of the negative ones. Go "
        "through 360 directions, np.cos(turn) and np.sin(turn) with turn = np.radians(degrees). For each, compute "
        "low, the smallest projection of a positive example, and high, the largest of a negative one.",
        "Keep the direction where low - high is largest, and put the line in the middle, with the bias -(low + high) / "
        "2.",
    ],
)


def filters(rng):
    """A world of examples, some lines, and the rows that are seen: no ties for the best line, none of score 0."""
    made = 0
    while made < 5:
        n, m, k = int(rng.integers(12, 30)), int(rng.integers(4, 9)), int(rng.integers(5, 8))
        X, y = quarters(rng, n, 2) + 1 / 8, rng.choice([-1.0, 1.0], n)
        lines = np.column_stack([rng.choice(np.r_[-8:0, 1:9], (m, 2)) / 4, rng.integers(-8, 9, m) / 4 + 1 / 64])
        seen = rng.permutation(n)[:k]
        wrong = y[:, None] * (np.column_stack([X, np.ones(n)]) @ lines.T) <= 0
        errors, rest = wrong[seen].sum(axis=0), np.delete(wrong, seen, axis=0).sum(axis=0)
        best = [errors.argmin(), rest.argmin(), (errors + rest).argmin()]
        if len(set(best)) == 3 - (made > 1) and best[0] not in best[1:] and (errors == errors.min()).sum() == 1:
            made += 1
            yield X, y, lines, seen


BEST, ROW = "np.argmin(wrong[seen].mean(axis=0))", "wrong = y"
CHOSEN, REST = "wrong[seen, best].mean()", "np.delete(wrong[:, best], seen).mean()"

task(
    "seen_and_new",
    returns=("seen", "new"),
    cases=filters,
    mistakes=[
        (BEST, "np.argmin(wrong.mean(axis=0))",
         "Choose the line by its errors on the examples seen. You use all of them."),
        (BEST, "np.argmin(np.delete(wrong, seen, axis=0).mean(axis=0))",
         "Choose the line by its errors on the examples seen. If the others choose it, they are no longer new."),
        *((BEST, f"np.argmin({errors})", CHOSEN, f"{errors}.min()",
           "Choose the line by its errors on the examples seen, and count these first. You count others.")
          for errors in ("wrong.mean(axis=0)", "np.delete(wrong, seen, axis=0).mean(axis=0)")),
        (BEST, "0",
         "Try all lines, and keep the one with the fewest errors on the examples seen. You stay with the first."),
        (BEST, "np.argmax(wrong[seen].mean(axis=0))",
         "Choose the line with the fewest errors. You choose the one with the most."),
        (REST, "wrong[:, best].mean()",
         "Leave the examples seen out of the second number. They chose the line, so they are not new."),
        (REST, "np.delete(wrong, seen, axis=0).mean(axis=0).min()",
         "Report both numbers for the chosen line. Your second belongs to the line with the fewest new errors."),
        (REST, "wrong[seen, best].mean()",
         "Use the other examples for the second number. Yours is the error on those seen."),
        (then(seen=lambda share: 1 - share, new=lambda share: 1 - share),
         "Return the fraction of wrong examples. You return that of right ones."),
        ("X @ lines[:, :2].T + lines[:, 2]", "X @ lines[:, :2].T",
         "Add the bias. The score needs lines[:, 2]."),
        ("<= 0", "> 0", "Count agreements <= 0. Those above 0 are right."),
        ("y[:, None] * (", "(", "Test y f <= 0. Whether a score is wrong depends on the label; you look at f alone."),
        ("X @ lines[:, :2].T + lines[:, 2]", "X @ lines[:, 1:].T + lines[:, 0]",
         "Take the bias from the end. It is the last entry of each line."),
        (ROW, f"seen = np.arange(len(seen)); {ROW}", "Use the rows listed in `seen`. You look at the first rows."),
        (REST, "wrong[len(seen):, best].mean()",
         "Take the rows that are not in `seen` as the new ones. You take the last rows."),
        (REST, "wrong[~seen, best].mean()",
         "Use np.delete to leave out the rows seen. ~seen turns them into other rows, counted from the end."),
        (REST, "np.delete(wrong[:, -1], seen).mean()",
         "Keep the best line itself, not only its error. Your second number belongs to the last line."),
        (CHOSEN, "wrong[seen].mean()", REST, "np.delete(wrong, seen, axis=0).mean()",
         "Report the chosen line alone. You average over all lines."),
        (CHOSEN, "best", "Return the error on the examples seen. Your first number is the row of the line."),
        (CHOSEN, "0", REST, "np.delete(wrong[:, 0], seen).mean()",
         "Your `seen` is 0 in every case. Start the search with a large error, because no line gets below 0."),
        (f"{CHOSEN}, {REST}", f"{CHOSEN}, {REST}".replace("mean", "sum"),
         "Return fractions. Your `seen` is a number of errors."),
        (REST, REST.replace("mean", "sum"), "Return fractions. Your `new` is a number of errors."),
        (CHOSEN, "wrong[seen, best].sum() / len(y)", REST, "np.delete(wrong[:, best], seen).sum() / len(y)",
         "Divide each number by how many examples it counts. You divide both by all n."),
        (REST, "np.delete(wrong[:, best], seen).sum() / len(seen)",
         "Divide the new errors by how many examples were not seen. You divide by how many were."),
    ],
    hints=[
        "Make a table first: for each example and each line, is it wrong? wrong = y[:, None] * scores <= 0, with the "
        "scores of all lines side by side, X @ lines[:, :2].T + lines[:, 2].",
        "The errors of each line on the examples seen are wrong[seen].mean(axis=0), and np.argmin finds the best line.",
        "np.delete(wrong[:, best], seen) is its column without the examples seen. Take both means for this one line.",
    ],
)
