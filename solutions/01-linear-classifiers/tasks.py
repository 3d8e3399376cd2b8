"""One mail by hand, scores, a product from lengths, a line through points, cells, errors, lines that are found.

All numbers in the cases are small multiples of 1/4, so that a score of 0 is 0 for everyone.
"""

import numpy as np

from coursekit_grade.draws import quarters, scene
from coursekit_grade.tasks import task, then

SIZES = (3, 2), (5, 2), (6, 3), (4, 4), (7, 1)

SCORE = "X @ theta[:-1] + theta[-1]"
WRONG_SCORES = [
    ("X @ theta[:-1]", "The offset is missing: the score is theta[:-1] . x + theta[-1]."),
    ("X @ theta[1:] + theta[0]", "Your offset comes first: here it is the last entry of theta."),
    ("X @ theta[:-1] + theta[0]",
     "Your offset is theta[0], which is a weight: the offset is the last entry, theta[-1]."),
    ("X @ theta[:-1] - theta[-1]", "The offset is added: your score takes it away."),
]


def scenes(ties):
    return lambda rng: [scene(rng, 1, 1), *(scene(rng, n, d, ties) for n, d in SIZES)]


def mails(rng):
    """One mail and one line, with weights whose length is a whole number."""
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
    cases=mails,
    mistakes=[
        (then(distance=lambda _, theta: abs(theta[2]) / np.hypot(theta[0], theta[1])),
         "Your `distance` is that of the origin: return that of x, its score divided by the length of w."),
        (then(agreement=lambda _, y, score: y + score), "Your `agreement` adds y: multiply y and the score."),
        ("+ theta[2]", "", "Your score lacks the offset: add theta[2] to the two products."),
        ("+ theta[2]", "- theta[2]", "Your score takes the offset away: it is added, with the sign that it has."),
        ("theta[0] * x[0] + theta[1] * x[1]", "theta[0] * x[1] + theta[1] * x[0]",
         "Your score swaps the coordinates: theta[0] belongs to x[0], and theta[1] to x[1]."),
        ("theta[0] * x[0] + theta[1] * x[1] + theta[2]", "theta[0] + theta[1] * x[0] + theta[2] * x[1]",
         "Your offset comes first: here it is the last entry of theta."),
        (then(score=lambda score, y: y * score),
         "Your score has the label in it: the score does not know the label, the agreement does."),
        *((ROOT, wrong, sentence) for wrong, sentence in (
            ("(abs(theta[0]) + abs(theta[1]))",
             "You take the sum of the weights for their length: it is the root of the sum of their squares."),
            ("(theta[0] ** 2 + theta[1] ** 2)", "You divide by the square of the length: take the root."),
            ("np.sqrt(theta @ theta)",
             "Your length of the weights has the offset in it: it is no part of the arrow across the line."),
            ("np.sqrt(x @ x)", "You divide by the length of x: divide by the length of the weights."),
            ("1", "Your distances are scores: divide them by the length of the weights."),
        )),
        (then(distance=lambda distance, y: y * distance),
         "Your `distance` has the label in it: its sign is that of the score alone."),
        (then(agreement=lambda _, score, y: y * abs(score)),
         "Your agreement takes the size of the score: multiply the label by the score as it is, with its sign."),
        (then(agreement=lambda _, score: score), "Your agreement lacks the label: multiply the score by y."),
        (then(agreement=lambda _, distance, y: y * distance),
         "Your agreement is a distance: multiply the label by the score."),
        (then(agreement=lambda _, score, y: y * score > 0),
         "Your agreement says only whether the mail is right: multiply the label by the score itself."),
        (then(shift=lambda _, x, theta: theta[:2] @ x / np.hypot(*theta[:2])),
         "Your shift is how far along the arrow the mail lies: return where the line lies, minus the offset over "
         "the length."),
        (then(shift=lambda shift: -shift),
         "Your shift has the wrong sign: it is minus the offset over the length, since the line is where the products "
         "make up for the offset."),
        (then(shift=lambda _, theta: -theta[2]), "Your shift is not divided by the length of the weights."),
        (then(shift=lambda _, theta: theta[2]),
         "Your shift is the offset: take it with the other sign, and divide it by the length of the weights."),
    ],
    hints=[
        "On paper: the score is 3 * 2 + 4 * 3 - 10 = 8, and the arrow of the weights, (3, 4), is 5 long. How does this "
        "5 turn 8 into 1.6, and -10 into 2?",
        "Score: multiply pairwise, add, add the offset. Length: the root of the sum of the squared weights, without "
        "the offset.",
        "Distance: score over length. Agreement: y times score. Shift: minus the offset over the length, as the shadow "
        "of each point on the line is that long.",
    ],
)


task(
    "decision",
    returns="scores",
    cases=scenes(ties=0),
    mistakes=[
        *((SCORE, wrong, sentence) for wrong, sentence in WRONG_SCORES),
        (then(np.sign), "You return the predictions: return the score itself, before its sign is taken."),
        (then(lambda f, theta: f / np.linalg.norm(theta[:-1])),
         "You return distances: the score is not divided by the length of the weights."),
        (SCORE, "(X + theta[-1]) @ theta[:-1]",
         "You add the offset to every feature: add it once, to the product of x and the weights."),
        (SCORE, "np.mean(X * theta[:-1], axis=1) + theta[-1]",
         "You take the mean of the products: the score is their sum, plus the offset."),
        (then(np.abs), "Your scores are never negative: the sign says on which side of the hyperplane x lies."),
        (SCORE, "(X * theta[:-1] + theta[-1]).sum(axis=1)",
         "The offset is added once for each attribute: add it once, after the sum."),
        (SCORE, "(X * theta[:-1]).sum(axis=0) + theta[-1]",
         "You add up columns: an example is a row, so sum along axis=1."),
        (SCORE, "X * theta[:-1] + theta[-1]",
         "Your answer holds the products x_j theta_j one by one: the score is their sum, one number for each row."),
        (SCORE, "X * theta[:-1]",
         "Your answer holds the products x_j theta_j one by one: add them up in each row, then add the offset."),
        (SCORE, "np.sum(X * theta[:-1]) + theta[-1]", "You add up all of X * theta[:-1]: sum each row, axis=1."),
        (SCORE, "(X @ theta[:-1]) * theta[-1]", "You multiply by the offset: it is added."),
        (SCORE, "np.cumsum(X @ theta[:-1]) + theta[-1]",
         "Your sum runs on from row to row: begin again with the offset at each row."),
        (SCORE, "X[:, :-1] @ theta[:-2] + theta[-1]",
         "The last attribute is left out: range(d) ends before d by itself, and theta[:-1] holds all the weights."),
        (SCORE, "np.insert(X, -1, 1.0, axis=1) @ theta",
         "np.insert(X, -1, ...) puts the ones before the last column: np.column_stack puts them behind it."),
    ],
    hints=[
        "theta holds the weights and, as its last entry, the offset: theta[:-1] and theta[-1].",
        "For one row x the score is the sum of x[j] * theta[j] over the attributes j, plus theta[-1] once.",
        "A matrix times a vector, X @ ..., computes that sum for all rows at once. What must still be added?",
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
        (PRODUCT, "total ** 2 - a ** 2 - b ** 2", "Twice too large: multiplying out gives two times the product."),
        (PRODUCT, "total ** 2 / 2 - a ** 2 - b ** 2", "You halve the first square alone: all three are halved."),
        (PRODUCT, "(a ** 2 + b ** 2 - total ** 2) / 2",
         "Your sign is the opposite: that would be right for the length of theta - x."),
        (PRODUCT, "a * b",
         "Length times length is the product only if both point the same way: the third length counts."),
        (PRODUCT, "(total - a - b) / 2", "The lengths must be squared before you subtract."),
        (PRODUCT, "(total ** 2 - a ** 2 - b ** 2)  / (2 * a * b)",
         "That is the cosine of the angle: multiply it by both lengths, or do not divide by them."),
        (PRODUCT, "(total ** 2 - a ** 2 - b ** 2) / (2 * a)",
         "That is the shadow of x: the product is this times the length of theta."),
        (PRODUCT, "(total ** 2 - (a + b) ** 2) / 2", "(a + b)^2 has a term 2 a b too many: square a and b one by one."),
        (PRODUCT,
         "(total ** 2 - (a - b) ** 2) / 2", "(a - b)^2 has a term -2 a b too many: square a and b one by one."),
        (PRODUCT, "(total ** 2 - a ** 2 + b ** 2) / 2", "Take both squares away from that of the sum, a^2 and b^2."),
        (PRODUCT, "(total - a ** 2 - b ** 2) / 2", "The third length must be squared too."),
        (PRODUCT, "total ** 2 - a ** 2 - b ** 2  / 2",
         "You halve the last square alone: put brackets round the difference."),
        (PRODUCT,
         "(total ** 2 - a ** 2 - b ** 2) * 2", "You multiply by 2: multiplying out gives two products, so halve."),
        (PRODUCT, "np.arccos((total ** 2 - a ** 2 - b ** 2) / (2 * a * b))",
         "That is the angle: return the product."),
        (PRODUCT, "np.degrees(np.arccos((total ** 2 - a ** 2 - b ** 2) / (2 * a * b)))",
         "That is the angle, in degrees: return the product."),
        *((PRODUCT, root, "No root is needed: the product is not a length.") for root in (
            "np.sqrt(abs(total ** 2 - a ** 2 - b ** 2))", "np.sqrt(abs(total ** 2 - a ** 2 - b ** 2)) / 2")),
    ],
    hints=[
        "Write out the squared length of theta + x in two dimensions: (theta1 + x1)^2 + (theta2 + x2)^2.",
        "Multiply out and sort: the squares of theta give a^2, those of x give b^2. What is left over?",
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
         "You look at where `inside` lies in the plane: its score must be positive, so ask on which side of the line."),
        (ACROSS, "(q - p)",
         "Your weights point along the line from p to q: they must point across it. Swap the two entries of q - p, and "
         "change the sign of one."),
        (ACROSS, "np.array([q[1] - p[1], q[0] - p[0]])",
         "You have swapped the entries of q - p: change the sign of one of them as well, or it is no right angle."),
        *(("        w = -w", "        pass", *turned,
           "What should be spam has a negative score in some cases: then change the sign of all three numbers.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        *(("        w = -w", "        return np.append(-w, -w @ p)", *turned,
           "You turn the weights round and leave the offset: both change their sign.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        *(("        w = -w", "        return np.append(w, w @ p)", *turned,
           "You turn the offset round and leave the weights: both change their sign.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        (ACROSS, "(inside - p)", "Your weights point from p to the spam: they must be at a right angle to q - p."),
        (ACROSS, "np.array([q[1], p[0]])", "You take p and q for points on the axes: they may lie anywhere."),
        (ACROSS, f"np.trunc({ACROSS})", "Fractions get lost: an array of integers cuts them off, so use floats."),
        *((SIDE, "w @ inside < 0", *turned,
           "You choose the side by the weights alone: the score of the spam has the offset in it.")
          for turned in ((), (ACROSS, f"-{ACROSS}"))),
        *((SIDE, wrong, "You choose the sign by the offset: it is the score of `inside` that must be positive.")
          for wrong in ("w @ p > 0", "w @ p < 0")),
        (SIDE, "w @ (inside + p) < 0", "-w @ p", "w @ p", "Your offset has the wrong sign: w . p + offset must be 0."),
        ("w / np.linalg.norm(w)", "w / (w @ w)", "You divide by the square of the length: take the root."),
        ("np.append(w, -w @ p)", "(t := np.append(w, -w @ p)) / np.linalg.norm(t)",
         "You make the whole theta 1 long: Hesse normal form asks that of the weights alone."),
        ("np.append(w, -w @ p)", f"np.append(w, -w @ p * np.linalg.norm({ACROSS}))",
         "Your offset belongs to the weights before they were divided by their length: divide it as well."),
        (SIDE, f"w @ inside < w @ p * np.linalg.norm({ACROSS})", "np.append(w, -w @ p)",
         f"np.append(w, -w @ p * np.linalg.norm({ACROSS}))",
         "Your offset belongs to the weights before they were divided by their length: divide it as well."),
        ("w / np.linalg.norm(w)", "w",
         "Your line is right, but its weights are not of length 1: divide them by their length (Hesse normal form)."),
        ("-w @ p", "w @ p", "Your offset has the wrong sign: the score of p must be 0, w . p + offset = 0."),
        ("-w @ p", "0.0", "Your line goes through the origin: the offset must make the score of p 0."),
        ("-w @ p", "-w @ inside", "Your line goes through the spam: the offset must make the score of p 0."),
        ("np.append(w, -w @ p)", "np.append(-w @ p, w)",
         "Your offset comes first: here it is the last entry of theta."),
        ("np.append(w, -w @ p)", "w", "The offset is missing: theta has three entries, and the score of p must be 0."),
        (then(lambda theta: -theta),
         "Your sides are swapped: the point that should be spam must have a positive score."),
    ],
    hints=[
        "q - p runs along the line. Which arrow is at a right angle to (a, b)? Check: the dot product must be 0.",
        "(-b, a) is. Divide it by its length. If it points away from the spam, turn it round.",
        "The offset is what makes the score of p zero: w . p + offset = 0. Then np.append(w, offset).",
    ],
)


def weights(rng):
    """Mails as lines, and a place among them. The nearest line is wrong in some cases, and seldom that of the score
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
        ("X @ theta + offset", "X @ theta", "The offset is missing in your scores: it is an argument of its own."),
        ("X @ theta + offset", "X @ theta - offset", "Your scores take the offset away: it is added."),
        ("f[nearest] / (x @ x)", "2 * f[nearest] / (x @ x)",
         "Your `there` goes twice as far, to the mirror image: it stops on the line itself."),
        ("y * f <= 0", "y * f > 0", "Your `wrong` lists the mails about which these weights are right."),
        ("y * f <= 0", "f <= 0", "Your `wrong` looks at the score alone: a mail is wrong if y f <= 0."),
        (then(wrong=lambda wrong: np.asarray(len(wrong))), "Your `wrong` is a number: list the rows."),
        (WAYS, "np.argmin(np.abs(f))",
         "You take the smallest score for the nearest line: in the plane of weights the arrow across the line of a "
         "mail is its x, so the way to it is |f| over the length of x."),
        (WAYS, "np.argmax(np.abs(f) / np.linalg.norm(X, axis=1))", "Your line is the farthest one."),
        (WAYS, "np.argmin(np.abs(f) / (X ** 2).sum(axis=1))",
         "You divide by the squared length of x: the way to the line is |f| over the length itself."),
        (WAYS, "np.argmin(np.abs(f) / np.sqrt((X ** 2).sum(axis=1) + 1))",
         "Your length of x has the constant 1 in it: the offset does not move here, so measure x alone."),
        ("(x @ x)", "(x @ x + 1)",
         "Your `there` has the constant 1 in its length: the offset does not move here, so measure x alone."),
        (WAYS, "np.argmin(np.where(y * f > 0, np.abs(f) / np.linalg.norm(X, axis=1), np.inf))",
         "You look among the mails that are right alone: the nearest line may be that of a wrong one."),
        (WAYS, "np.argmin((np.abs(f) / np.linalg.norm(X, axis=1))[y * f <= 0]) if (y * f <= 0).any() else 0",
         "Your `nearest` is a place among the wrong mails: look at all mails, and return the row in X."),
        (then(nearest=lambda _, X, theta, offset: np.min(np.abs(X @ theta + offset) / np.hypot(*X.T))),
         "Your `nearest` is the distance: return the row number of the mail."),
        (WAYS, "np.argmin(f / np.linalg.norm(X, axis=1))",
         "You take the most negative score: a line may lie on either side of you, so compare sizes."),
        (WAYS, "np.argmin(np.where(y * f <= 0, np.abs(f) / np.linalg.norm(X, axis=1), np.inf))",
         "You look among the wrong mails alone: the nearest line may be that of a mail you are right about."),
        (WAYS, "np.argmin(np.linalg.norm(X - theta, axis=1))",
         "You take the mail that lies nearest to theta as a point: in the plane of weights a mail is a line."),
        ("theta - f[nearest]", "theta + f[nearest]",
         "Your `there` walks away from the line: where f is positive, go against x."),
        ("theta - f[nearest]", "-offset",
         "Your `there` is the point of the line nearest to the origin: begin at theta."),
        ("f[nearest] / (x @ x)", "f[nearest] / np.sqrt(x @ x)",
         "Your `there` goes too far or not far enough: the way is |f| over the length of x, and x has to be divided by "
         "its length once more, to be of length 1."),
        ("f[nearest] / (x @ x)", "y[nearest] * f[nearest] / (x @ x)",
         "Your `there` goes by the agreement: on which side of the line you stand is the sign of the score alone."),
        ("f[nearest] / (x @ x)", "abs(f[nearest]) / (x @ x)",
         "Your `there` always goes against x: where the score is negative, go along x."),
        ("(x @ x) * x", "(theta @ theta) * theta",
         "Your `there` walks along theta: the shortest way to the line of a mail is along x."),
        ("theta - f[nearest]", "-f[nearest]", "Your `there` is the step alone: begin at theta."),
        (then(there=lambda _, nearest, X: X[int(nearest)]),
         "Your `there` is the mail: return the point on its line that is nearest to theta."),
        ("f[nearest] / (x @ x)", "f[nearest]",
         "Your `there` does not divide: f over the squared length of x, times x."),
        ("theta - f[nearest] / (x @ x) * x", "x - f[nearest] / (theta @ theta) * theta",
         "Your `there` moves the mail: in the plane of weights the mail is a line, and theta walks to it."),
        (AFTER, "len(wrong)",
         "Your `beyond` is the count on this side: crossing the line changes the verdict on one mail."),
        (then(beyond=lambda _, wrong, y: len(y) - len(wrong)),
         "Your `beyond` counts the mails that are right here: crossing one line changes one verdict, not all."),
        (AFTER, "np.sum(y * (X @ (2 * there - theta) + offset) <= 0)",
         "Your `beyond` counts at the mirror image, where other lines may have been crossed too: look just behind this "
         "one."),
        (AFTER, "len(wrong) + (nearest not in wrong)",
         "Your `beyond` counts on the line itself, where this mail's score is 0: look behind it."),
        (AFTER, "len(wrong) + 1",
         "Your `beyond` is always one more: if you are wrong about this mail here, you are right about it there."),
        (AFTER, "len(wrong) - 1",
         "Your `beyond` is always one less: if you are right about this mail here, you are wrong about it there."),
        (AFTER, "len(wrong) + (1 if nearest in wrong else -1)",
         "Your `beyond` is the wrong way round: a mail that is wrong here is right there."),
    ],
    hints=[
        "wrong first, with the scores X @ theta + offset. For the rest swap the roles: x is known, the weights are "
        "not. theta1 x1 + theta2 x2 + offset = 0 is a line in the plane of weights. Which arrow is at a right angle to "
        "it?",
        "The arrow is x. So the distance of theta from this line is the score over the length of x, as that of x from "
        "the line of theta was the score over the length of theta.",
        "Walk from theta against x, by f / (x . x) times x: there the score is 0. Beyond the line one mail has changed "
        "its verdict, this one.",
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
            ("np.mean(y * f < 0)", "A score of exactly 0 is wrong too: test y f <= 0, not y f < 0."),
            ("np.mean(np.where(f >= 0, 1, -1) != y)",
             "A score of exactly 0 is wrong whatever the label: yours takes it for +1, and counts it right if y is "
             "+1."),
            ("np.mean(np.where(f > 0, 1, -1) != y)",
             "A score of exactly 0 is wrong whatever the label: yours takes it for -1, and counts it right if y is "
             "-1."),
            ("np.sum(y * f <= 0)", "You count the errors: divide by n, which makes a fraction of them."),
            ("np.mean(y * f > 0)",
             "You return the fraction of right ones: the error is the fraction of wrong ones, y f <= 0."),
            ("np.mean(y * f >= 0)",
             "You return the fraction of right ones, ties included: the error is the fraction with y f <= 0."),
            ("np.sum(y * f <= 0) / X.size",
             "You divide by the number of entries of X: divide by the number of examples, its rows."),
            ("np.sum(y * f <= 0) / X.shape[1]",
             "You divide by the number of attributes: divide by the number of examples."),
            ("np.sum(y * f <= 0) / max(1, len(X) - 1)", "You divide by n - 1: the mean divides by n."),
            ("np.mean(f <= 0)", "Your test looks at f alone: whether a score is wrong depends on the label, y f <= 0."),
            ("np.mean(f != y)", "You compare y with the score itself: it need not be exactly +1 or -1 to be right."),
            ("np.mean(y * f <= 1)",
             "You also count examples that are right with a small score: wrong means y f <= 0, not y f <= 1."),
            ("np.mean(y * f < 1)",
             "You also count examples that are right with a small score: wrong means y f <= 0, not y f < 1."),
            ("np.mean(np.abs(y - np.sign(f)))", "|y - sign(f)| is 2 for a wrong prediction: count each error once."),
            ("np.mean((y - np.sign(f)) ** 2)", "(y - sign(f))^2 is 4 for a wrong prediction: count each error once."),
            ("np.mean(np.abs(y - np.sign(f))) / 2",
             "|y - sign(f)| / 2 is only half an error for a score of exactly 0: it counts in full, y f <= 0."),
            ("np.mean((y - np.sign(f)) ** 2) / 4",
             "(y - sign(f))^2 / 4 is only a quarter of an error for a score of exactly 0: it counts in full."),
            ("np.sum(y * f < 0) / max(1, np.sum(f != 0))",
             "You leave undecided examples out: a score of exactly 0 is an error, and all n count."),
            *((f"np.sum(np.where(f {above} 0, 1, -1) != y) / X.size",
               "Both faults are there: a score of 0 is wrong for both labels, and X.size counts entries, not examples.")
              for above in (">=", ">")),
            ("np.mean(np.minimum(0, y * f))", "You add up agreements: each wrong example counts 1, however wrong."),
            ("np.mean(y * f)", "You return the mean agreement: count for how many examples it is <= 0."),
            ("np.mean(np.maximum(0, -y * f))",
             "You measure by how much examples are wrong: each wrong example counts 1, however wrong."),
            ("np.mean(np.maximum(0, 1 - y * f))",
             "You return the mean hinge loss: here each wrong example counts 1, however wrong."),
            ("np.mean((y - f) ** 2)",
             "You return the mean squared error: here each wrong example counts 1, however wrong."),
        )),
        *((SCORE, wrong, sentence) for wrong, sentence in WRONG_SCORES[:4]),
        (WRONG, "np.mean((f > 0) * 1 != y)",
         "Your predictions are 0 and 1, the labels -1 and +1: every negative example counts as wrong."),
        (WRONG, "(y * f <= 0)[0] / len(y)",
         "You look at the first example alone: return must come after the loop, not inside."),
        (WRONG, "np.mean((y * f <= 0) & (y > 0))",
         "Only positive examples are counted: negative ones with f >= 0 are wrong too."),
        (WRONG, "np.mean((y * f <= 0) & (y < 0))",
         "Only negative examples are counted: positive ones with f <= 0 are wrong too."),
        *((WRONG, wrong, "len() of a comparison counts all examples, also the False ones: np.sum counts the True ones.")
          for wrong in ("len(y * f <= 0)", "len(y * f <= 0) / len(y)")),
    ],
    hints=[
        "The agreement y * f is positive exactly when an example is right.",
        "Count the examples with y * f <= 0 (a score of 0 included) and divide by how many there are.",
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
        "Every direction w of length 1 gives each example a shadow, X @ w. A line across w separates them if the "
        "shadows of the positive ones all lie beyond those of the negative ones.",
        "Go through 360 directions, np.cos(turn) and np.sin(turn) with turn = np.radians(degrees). For each compute "
        "low = the smallest shadow of a positive example and high = the largest of a negative one.",
        "Keep the direction where low - high is largest, and put the line in the middle: the offset is -(low + high) / "
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


BEST, ROW = "np.argmin(wrong[:, seen].mean(axis=1))", "wrong = (y"
CHOSEN, REST = "wrong[best, seen].mean()", "np.delete(wrong[best], seen).mean()"

task(
    "seen_and_new",
    returns=("seen", "new"),
    cases=filters,
    mistakes=[
        (BEST, "np.argmin(wrong.mean(axis=1))",
         "You choose the line by its errors on all examples: only those that are seen may choose it."),
        (BEST, "np.argmin(np.delete(wrong, seen, axis=1).mean(axis=1))",
         "You choose the line by its errors on the new examples: then they are not new any more."),
        (BEST, "0",
         "You stay with the first line: try all of them, and keep the one with the fewest errors on those seen."),
        (BEST, "np.argmax(wrong[:, seen].mean(axis=1))",
         "You choose the line with the most errors: choose the one with the fewest."),
        (REST, "wrong[best].mean()",
         "Your second number counts the examples that chose the line as well: only the others are new."),
        (REST, "np.delete(wrong, seen, axis=1).mean(axis=1).min()",
         "Your second number is that of another line: the line with the fewest new errors is not the chosen one."),
        (REST, "wrong[best, seen].mean()",
         "Your second number is the error on the examples that were seen: take the others."),
        (then(seen=lambda share: 1 - share, new=lambda share: 1 - share),
         "You return the share of right ones: the error is the share of wrong ones."),
        ("X @ lines[:, :2].T + lines[:, 2]", "X @ lines[:, :2].T",
         "The offset is missing: the score needs lines[:, 2]."),
        ("<= 0).T", "> 0).T", "You count agreements above 0: those are right."),
        ("y[:, None] * (", "(", "Your test looks at f alone: whether a score is wrong depends on the label, y f <= 0."),
        ("X @ lines[:, :2].T + lines[:, 2]", "X @ lines[:, 1:].T + lines[:, 0]",
         "Your offset comes first: here it is the last entry of each line."),
        (ROW, f"seen = np.arange(len(seen)); {ROW}", "You look at the first rows: `seen` says which ones to look at."),
        (REST, "wrong[best, len(seen):].mean()",
         "You take the last rows for the new ones: those not in `seen` are new."),
        (REST, "wrong[best, ~seen].mean()",
         "~seen turns row numbers into others, counted from the end: np.delete leaves the seen ones out."),
        (REST, "np.delete(wrong[-1], seen).mean()",
         "Your second number is that of the last line: keep the line when it is the best so far, not its error alone."),
        (CHOSEN, "wrong[:, seen].mean()", REST, "np.delete(wrong, seen, axis=1).mean()",
         "You average over all lines: only the chosen one counts."),
        (CHOSEN, "best", "Your first number is the row of the line: return its error on the examples seen."),
        (CHOSEN, "0", REST, "np.delete(wrong[0], seen).mean()",
         "Your lowest error begins at 0, and no line gets below: begin with a large number."),
        (f"{CHOSEN}, {REST}", f"{CHOSEN}, {REST}".replace("mean", "sum"),
         "You return the numbers of errors: return fractions."),
        (CHOSEN, "wrong[best, seen].sum() / len(y)", REST, "np.delete(wrong[best], seen).sum() / len(y)",
         "You divide by all n examples: each number has examples of its own."),
        (REST, "np.delete(wrong[best], seen).sum() / len(seen)",
         "You divide the new errors by how many were seen: divide by how many were not."),
    ],
    hints=[
        "First a table: for each example and each line, is it wrong? wrong = y[:, None] * scores <= 0, with the scores "
        "of all lines side by side, X @ lines[:, :2].T + lines[:, 2].",
        "The errors of each line on the examples seen are wrong[seen].mean(axis=0). np.argmin finds the best line.",
        "np.delete(wrong[:, best], seen) is its column without the examples seen. Take both means for this one line.",
    ],
)
