"""Scores, predictions, the constant attribute, distances, the training error, one line by hand.

All numbers in the cases are small multiples of 1/4, so that a score of 0 is 0 for everyone.
"""

import numpy as np

from coursekit.grading.draws import quarters, scene
from coursekit.grading.tasks import slips, task, then

SIZES = (3, 2), (5, 2), (6, 3), (4, 4), (7, 1)

SCORE = "X @ theta[:-1] + theta[-1]"
WRONG_SCORES = [
    ("X @ theta[:-1]", "The offset is missing: the score is theta[:-1] . x + theta[-1]."),
    ("X @ theta[1:] + theta[0]", "Your offset comes first: here it is the last entry of theta."),
    ("X @ theta[:-1] + theta[0]",
     "Your offset is theta[0], which is a weight: the offset is the last entry, theta[-1]."),
    ("X @ theta[:-1] - theta[-1]", "The offset is added: your score takes it away."),
    ("-(X @ theta[:-1] + theta[-1])", "Your scores have the wrong sign: f = theta[:-1] . x + theta[-1]."),
]


def scenes(ties):
    return lambda rng: [scene(rng, 1, 1), *(scene(rng, n, d, ties) for n, d in SIZES)]


task(
    "decision",
    returns="scores",
    cases=scenes(ties=0),
    mistakes=[
        *((SCORE, wrong, sentence) for wrong, sentence in WRONG_SCORES),
        (then(np.sign), "You return the predictions: the score itself is asked for, before its sign is taken."),
        (then(lambda f, theta: f / np.linalg.norm(theta[:-1])),
         "You return distances: the score is not divided by the length of the weights."),
        (then(np.abs), "Your scores are never negative: the sign says on which side of the hyperplane x lies."),
        (SCORE, "(X * theta[:-1] + theta[-1]).sum(axis=1)",
         "The offset is added once for each attribute: add it once, after the sum."),
        (SCORE, "(X * theta[:-1]).sum(axis=0) + theta[-1]",
         "You add up columns: an example is a row, so sum along axis=1."),
        (SCORE, "X * theta[:-1] + theta[-1]",
         "Your answer holds the products x_j theta_j one by one: the score is their sum, one number for each row."),
        (SCORE, "X * theta[:-1]",
         "Your answer holds the products x_j theta_j one by one: add them up in each row, then add the offset."),
        (then(np.sum), "You return one number for all examples together: one score for each row is asked for."),
    ],
    hints=[
        "theta holds the weights and, as its last entry, the offset: theta[:-1] and theta[-1].",
        "For one row x the score is the sum of x[j] * theta[j] over the attributes j, plus theta[-1] once.",
        "A matrix times a vector, X @ ..., computes that sum for all rows at once. What must still be added?",
    ],
)


def predict_cases(rng):
    yield from scenes(ties=1)(rng)
    yield np.array([[0.25], [-0.25], [0.0], [0.5], [-1.0], [3.0]]), np.array([1.0, 0.0])
    yield np.zeros((2, 2)), np.append(quarters(rng, 2), 0.0)


task(
    "predict",
    returns="predictions",
    cases=predict_cases,
    mistakes=[
        *((f"np.sign({SCORE})", rule.replace("f", f"({SCORE})"), sentence) for rule, sentence in (
            ("np.where(f >= 0, 1, -1)", "A score of exactly 0 is undecided and gets 0: yours predicts +1 there."),
            ("np.where(f > 0, 1, -1)", "A score of exactly 0 is undecided and gets 0: yours predicts -1 there."),
            ("np.where(f >= 0, 1, 0)",
             "The classes are called -1 and +1 here: yours answers with 0 and 1 (and 1 for a score of 0)."),
            ("np.where(f > 0, 1, 0)", "The classes are called -1 and +1 here: yours answers with 0 and 1."),
            ("f", "You return the scores: only their sign is asked for, -1, 0 or +1."),
            ("f.clip(-1, 1)", "You clip the scores: every positive score becomes +1, however small it is."),
            ("np.rint(f)", "You round the scores: every positive score becomes +1, however small it is."),
            ("np.where(f > 0.5, 1, -1)",
             "A threshold of 0.5 belongs to classes 0 and 1: here every score above 0 is +1."),
            ("np.where(f >= 0.5, 1, -1)",
             "A threshold of 0.5 belongs to classes 0 and 1: here every score above 0 is +1."),
            ("np.trunc(f).clip(-1, 1)",
             "Scores between -1 and 1 have a side too: only a score of exactly 0 is undecided."),
        )),
        (then(np.abs), "Every score becomes +1 in your answer: dividing by |f| needs f above."),
        *((f"np.sign({SCORE})", f"np.{rule}({wrong}{rest})", sentence) for wrong, sentence in WRONG_SCORES
          for rule, rest in (("sign", ""), ("where", " > 0, 1, 0"), ("where", " > 0, 1, -1"))),
    ],
    hints=[
        "Compute the scores first; you may call your own function decision.",
        "Above 0 the prediction is +1, below 0 it is -1. Only a score of exactly 0 gives 0.",
        "numpy has a function for just this, named after the sign.",
    ],
)

CONSTANT = "np.column_stack([X, np.ones(len(X))])"

task(
    "append_constant",
    returns="Z",
    cases=lambda rng: [(quarters(rng, *shape) + 1 / 8,) for shape in ((1, 1), (3, 2), (2, 3), (4, 4), (5, 1))],
    mistakes=[(CONSTANT, wrong, sentence) for wrong, sentence in (
        ("np.column_stack([np.ones(len(X)), X])",
         "Your constant comes first: here it is the last column, where theta has its offset."),
        ("np.vstack([X, np.ones(X.shape[1])])",
         "You added a row, which is one more example: the constant is one more attribute, a column."),
        ("np.vstack([np.ones(X.shape[1]), X])",
         "You added a row on top, which is one more example: the constant is one more attribute, a column."),
        ("np.column_stack([X, np.zeros(len(X))])",
         "Your new column holds zeros: its weight would never reach the score. The constant is 1."),
        ("np.column_stack([X, -np.ones(len(X))])", "Your new column holds -1: the constant is 1."),
        ("np.column_stack([X[:, :-1], np.ones(len(X))])",
         "The constant has taken the place of the last attribute: the result has one column more than X."),
        ("np.append(X, np.ones(len(X)))",
         "np.append without axis= makes everything flat: the result has shape (n, d + 1)."),
        ("np.append(X, 1)",
         "np.append without axis= makes everything flat: a constant for each row is needed, and shape (n, d + 1)."),
        ("np.append(1, X)",
         "np.append(1, X) makes everything flat and puts the 1 first: add a column of ones behind X."),
        ("np.insert(X, -1, 1, axis=1)",
         "np.insert(X, -1, ...) puts the constant in front of the last attribute: it belongs behind it."),
        ("X + 1", "You added 1 to every number: the 1 is an attribute of its own."),
        ("X", "You return X as it came: one more column is asked for."),
        ("np.column_stack([X, np.ones(len(X)), np.ones(len(X))])",
         "You added two columns: one constant attribute is enough."),
        ("np.column_stack([np.ones(len(X)), X, np.ones(len(X))])",
         "You added a column on both sides: one constant attribute is enough, the last."),
        ("np.append(X[0], 1)", "You return the first row alone: all rows get their constant."),
        ("np.column_stack([X, np.arange(len(X))])", "Your new column counts the rows: it should hold 1 everywhere."),
        ("np.column_stack([X, np.full(len(X), len(X))])",
         "Your new column holds the number of rows: it should hold 1 everywhere."),
    )],
    hints=[
        "The result has as many rows as X and one column more.",
        "np.ones(len(X)) is the new column. What puts columns side by side?",
        "np.column_stack takes a list of matrices and columns, in the order in which they are wanted.",
    ],
)

LENGTH = "np.linalg.norm(theta[:-1])"

task(
    "signed_distance",
    returns="distances",
    cases=scenes(ties=1),
    mistakes=[
        ("norm(theta[:-1])", "norm(theta)",
         "You divide by a length that includes the offset: a distance divides by the length of the weights alone."),
        ("f / " + LENGTH, "f", "You return the scores: divided by the length of the weights they become distances."),
        (then(np.abs), "The distance is signed: it is negative for examples on the negative side."),
        ("f / " + LENGTH, "np.abs(f) / np.linalg.norm(theta)",
         "The distance is signed, and it divides by the length of the weights alone, without the offset."),
        (LENGTH, "(theta @ theta)",
         "You divide by the squared length of the whole theta: take the root, and the weights alone."),
        (LENGTH, "(theta[:-1] @ theta[:-1])",
         "You divide by the square of the length: the length is the root of the sum of squares."),
        (LENGTH, "np.abs(theta[:-1]).sum()",
         "You divide by the sum of the |theta_j|: the length is the root of the sum of squares."),
        *((LENGTH, wrong, "You divide by the sum of the weights: the length is the root of the sum of squares.")
          for wrong in ("abs(theta[:-1].sum())", "theta[:-1].sum()")),
        (LENGTH, "np.linalg.norm(X, axis=1)", "You divide by the length of x: divide by the length of the weights."),
        ("f / ", "f * ", "You multiply by the length of the weights: divide by it."),
        ("f / " + LENGTH, f"X @ theta[:-1] / {LENGTH} + theta[-1]",
         "Only half of the score is divided: the offset belongs to it, (theta[:-1] . x + theta[-1]) / length."),
        ("f / " + LENGTH, f"X @ theta[:-1] + theta[-1] / {LENGTH}",
         "Only the offset is divided: put the whole score in brackets before you divide it."),
        ("f / ", "np.sign(f) / ", "You divide the prediction: the score itself is divided, before its sign is taken."),
        *((SCORE, wrong, sentence) for wrong, sentence in WRONG_SCORES),
        (SCORE, "X @ theta[1:] + theta[0]", "norm(theta[:-1])", "norm(theta[1:])",
         "Your offset comes first: here it is the last entry of theta, and the weights are theta[:-1]."),
    ],
    hints=[
        "Going along the weights by a length of 1 changes the score by the length of the weights.",
        "So a score f lies f / length away. The length is the root of the sum of the squared weights; the offset is "
        "no part of it.",
        "np.linalg.norm measures a vector. Give it the weights alone, and keep the sign of the score.",
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
            ("np.sum(y * f <= 0)", "You count the errors: the fraction is asked for, so divide by n."),
            ("np.mean(y * f > 0)",
             "You return the fraction of right ones: the error is the fraction of wrong ones, y f <= 0."),
            ("np.mean(y * f >= 0)",
             "You return the fraction of right ones, ties included: the error is the fraction with y f <= 0."),
            ("np.sum(y * f <= 0) // len(y)", "You divide with //, which cuts the fraction off: use / instead."),
            ("np.rint(np.mean(y * f <= 0))", "You round the fraction: leave it as it is."),
            ("100 * np.mean(y * f <= 0)", "You return per cent: a fraction is asked for."),
            ("np.sum(y * f <= 0) / X.size",
             "You divide by the number of entries of X: divide by the number of examples, its rows."),
            ("np.sum(y * f <= 0) / X.shape[1]",
             "You divide by the number of attributes: divide by the number of examples."),
            ("np.sum(y * f <= 0) / max(1, len(X) - 1)", "You divide by n - 1: the mean divides by n."),
            ("np.mean(f <= 0)", "Your test looks at f alone: whether a score is wrong depends on the label, y f <= 0."),
            ("np.mean(f != y)",
             "You compare y with the score itself: it need not be exactly +1 or -1 to be right."),
            ("np.mean(y * f <= 1)",
             "You also count examples that are right with a small score: wrong means y f <= 0, not y f <= 1."),
            ("np.mean(y * f < 1)",
             "You also count examples that are right with a small score: wrong means y f <= 0, not y f < 1."),
            ("np.mean(np.abs(y - np.sign(f)))", "|y - sign(f)| is 2 for a wrong prediction: count each error once."),
            ("np.mean((y - np.sign(f)) ** 2)", "(y - sign(f))^2 is 4 for a wrong prediction: count each error once."),
            ("np.mean(np.abs(y - np.sign(f))) / 2",
             "|y - sign(f)| / 2 is only half an error for a score of exactly 0: it counts in full, y f <= 0."),
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
        (WRONG, "1.0 * (y * f <= 0)", "You return one number for each example: their mean is asked for."),
        *((WRONG, wrong, "len() of a comparison counts all examples, also the False ones: np.sum counts the True ones.")
          for wrong in ("len(y * f <= 0)", "len(y * f <= 0) / len(y)")),
    ],
    hints=[
        "The agreement y * f is positive exactly when an example is right.",
        "Count the examples with y * f <= 0 (a score of 0 included) and divide by how many there are.",
        "A comparison of arrays gives True and False, which count as 1 and 0 in a sum and in a mean.",
    ],
)

task(  # w = (3, 4), offset -10, at the point (2, 3) with label -1
    "one_line",
    returns=("score", "distance", "agreement", "shift", "same line", "half a turn"),
    mistakes=[
        *slips(
            "score",
            (18, "Your score lacks the offset: add -10 to 3 times 2 plus 4 times 3."),
            (28, "Your score takes the offset away: it is -10, and it is added."),
            (7, "Your score swaps the coordinates: 3 belongs to x1 = 2, and 4 to x2 = 3."),
            (-8, "Your first number has the label in it: the score does not know the label, the agreement does."),
            (1, "Your first number is the prediction: the score itself is asked for."),
        ),
        *slips(
            "distance",
            (8 / 7, "Your distance divides by 3 + 4: the length of the weights is the root of 9 + 16."),
            (8 / 25, "Your distance divides by 25, the square of the length: take the root."),
            (8 / 125**0.5, "Your distance divides by a length with the offset in it: take the weights (3, 4) alone."),
            (8, "Your distance is the score: divide it by the length of the weights."),
            (-1.6, "The point lies on the side of the arrow, where the score is positive: so is the signed distance."),
            (8 / 13**0.5, "Your distance divides by the length of the point: divide by the length of the weights."),
        ),
        *slips(
            "agreement",
            (8, "Your agreement lacks the label: y is -1."),
            (-1, "Your agreement is the label alone, or that of a prediction: multiply the label by the score."),
            (1, "Your agreement multiplies two signs, or none: multiply the label -1 by the score itself."),
            (-1.6, "Your agreement is a distance: multiply the label by the score."),
        ),
        *slips(
            "shift",
            (-2, "The shift is minus the offset over the length: this line lies on the arrow's side of the origin."),
            (10, "Your shift is not divided by the length of the weights."),
            (-10, "Your shift is the offset: take it with the other sign, and divide it by the length of the weights."),
            (0.4, "Your shift divides by 25, the square of the length: take the root."),
            (10 / 7, "Your shift divides by 3 + 4: the length of the weights is the root of 9 + 16."),
        ),
        *slips(
            "same line",
            (1, "Number 1 multiplies the weights and leaves the offset: another line, nearer to the origin."),
            (3, "Number 3 multiplies everything by -1: the same line, but its sides are swapped."),
            (4, "Number 4 adds 1 everywhere: that turns the line and moves it. Only multiplying leaves it in place."),
        ),
        *slips(
            "half a turn",
            (1, "The line does not stay: the shift is counted along the arrow, which now points to the other side."),
            (2, "Not the same line with its sides swapped: that would need the opposite shift as well."),
            (4, "The line does not go through the origin: it keeps its distance of 2 from it."),
        ),
    ],
    hints=[
        "Multiply and add: f = 3 x1 + 4 x2 - 10. The length of the weights is a whole number.",
        "Distance: f over that length. Agreement: y f. Shift: minus the offset over the length. A positive factor on "
        "all three numbers moves nothing.",
        "For the last question draw the arrow (3, 4) and the line at 2 along it; then turn the arrow round and go 2 "
        "along it again.",
    ],
)
