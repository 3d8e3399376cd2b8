"""Chapter 1: scores, predictions, the constant attribute, distances, the training error.

All numbers in the cases are small multiples of 1/4, so that a score of 0 is 0 for everyone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import quarters
from coursekit.checking.tasks.judge import Case, Mistake, Task, slips
from coursekit.core.validate import Floats

Score = Callable[[Floats, Floats], Floats]


def _score(X: Floats, theta: Floats) -> Floats:
    return X @ theta[:-1] + theta[-1]


_WRONG_SCORES: tuple[tuple[str, Score], ...] = (
    ("The offset is missing: the score is theta[:-1] . x + theta[-1].", lambda X, theta: X @ theta[:-1]),
    (
        "Your offset comes first: here it is the last entry of theta.",
        lambda X, theta: X @ theta[1:] + theta[0],
    ),
    (
        "Your offset is theta[0], which is a weight: the offset is the last entry, theta[-1].",
        lambda X, theta: X @ theta[:-1] + theta[0],
    ),
    ("The offset is added: your score takes it away.", lambda X, theta: X @ theta[:-1] - theta[-1]),
    ("Your scores have the wrong sign: f = theta[:-1] . x + theta[-1].", lambda X, theta: -_score(X, theta)),
)


def _scene(rng: np.random.Generator, n: int, d: int, ties: int = 0) -> tuple[Floats, Floats]:
    """X and theta; the first `ties` examples have score 0, and no two entries of theta are alike."""
    one, theta = int(rng.integers(d)), np.zeros(d + 1)
    while abs(theta[:-1].sum()) < 0.5:
        theta = rng.choice(np.r_[-12:-4, 5:13], d + 1, replace=False) / 4
        theta[one] = rng.choice([-1.0, 1.0])  # divides exactly
    X = quarters(rng, n, d)
    X[:ties, one] -= _score(X[:ties], theta) / theta[one]
    return X, theta


def _scenes(rng: np.random.Generator, ties: int) -> Iterator[tuple[Floats, Floats]]:
    yield _scene(rng, 1, 1)
    for n, d in ((3, 2), (5, 2), (6, 3), (4, 4), (7, 1)):
        yield _scene(rng, n, d, ties)


def _columns(answer: Callable[..., Any]) -> Mistake:
    return Mistake(
        lambda *case: np.reshape(answer(*case), (-1, 1)),
        "Your answer is a column of shape (n, 1): it should be flat, of shape (n,).",
    )


# decision


DECISION = Task(
    name="decision",
    points=2,
    arguments=("X", "theta"),
    returns=("scores",),
    cases=lambda rng: _scenes(rng, ties=0),
    answer=_score,
    mistakes=(
        *(Mistake(score, sentence) for sentence, score in _WRONG_SCORES),
        _columns(_score),
        Mistake(
            lambda X, theta: np.sign(_score(X, theta)),
            "You return the predictions: the score itself is asked for, before its sign is taken.",
        ),
        Mistake(
            lambda X, theta: _score(X, theta) / np.linalg.norm(theta[:-1]),
            "You return distances: the score is not divided by the length of the weights.",
        ),
        Mistake(
            lambda X, theta: np.abs(_score(X, theta)),
            "Your scores are never negative: the sign says on which side of the hyperplane x lies.",
        ),
        Mistake(
            lambda X, theta: (X * theta[:-1] + theta[-1]).sum(axis=1),
            "The offset is added once for each attribute: add it once, after the sum.",
        ),
        Mistake(
            lambda X, theta: (X * theta[:-1]).sum(axis=0) + theta[-1],
            "You add up columns: an example is a row, so sum along axis=1.",
        ),
        Mistake(
            lambda X, theta: X * theta[:-1] + theta[-1],
            "Your answer holds the products x_j theta_j one by one: the score is their sum, one number for each row.",
        ),
        Mistake(
            lambda X, theta: X * theta[:-1],
            "Your answer holds the products x_j theta_j one by one: add them up in each row, then add the offset.",
        ),
        Mistake(
            lambda X, theta: _score(X, theta).sum(),
            "You return one number for all examples together: one score for each row is asked for.",
        ),
        Mistake(
            lambda X, theta: float(_score(X, theta)[0]),
            "You return the score of the first row alone: return must stand behind the loop, not inside.",
        ),
        Mistake(
            lambda X, theta: float(_score(X, theta)[-1]),
            "You return the score of the last row alone: collect one score for each row.",
        ),
        Mistake(
            lambda X, theta: np.trunc(_score(X, theta)),
            "Fractions get lost: an array of integers cuts them off, so use floats.",
        ),
    ),
    hints=(
        "theta holds the weights and, as its last entry, the offset: theta[:-1] and theta[-1].",
        "For one row x the score is the sum of x[j] * theta[j] over the attributes j, plus theta[-1] once.",
        "X @ theta[:-1] computes that sum for all rows at once; add the offset to it.",
    ),
)


# predict


def _predict(X: Floats, theta: Floats, score: Score = _score, rule: Callable[[Floats], Any] = np.sign) -> Any:
    return rule(score(X, theta))


_RULES: tuple[tuple[str, Callable[[Floats], Any]], ...] = (
    (
        "A score of exactly 0 is undecided and gets 0: yours predicts +1 there.",
        lambda f: np.where(f >= 0, 1, -1),
    ),
    (
        "A score of exactly 0 is undecided and gets 0: yours predicts -1 there.",
        lambda f: np.where(f > 0, 1, -1),
    ),
    (
        "The classes are called -1 and +1 here: yours answers with 0 and 1 (and 1 for a score of 0).",
        lambda f: np.where(f >= 0, 1, 0),
    ),
    ("The classes are called -1 and +1 here: yours answers with 0 and 1.", lambda f: np.where(f > 0, 1, 0)),
    ("You return the scores: only their sign is asked for, -1, 0 or +1.", lambda f: f),
    (
        "You clip the scores: every positive score becomes +1, however small it is.",
        lambda f: np.clip(f, -1, 1),
    ),
    ("You round the scores: every positive score becomes +1, however small it is.", np.rint),
    (
        "A threshold of 0.5 belongs to classes 0 and 1: here every score above 0 is +1.",
        lambda f: np.where(f > 0.5, 1, -1),
    ),
    (
        "A threshold of 0.5 belongs to classes 0 and 1: here every score above 0 is +1.",
        lambda f: np.where(f >= 0.5, 1, -1),
    ),
    (
        "Scores between -1 and 1 have a side too: only a score of exactly 0 is undecided.",
        lambda f: np.where(f >= 1, 1, np.where(f <= -1, -1, 0)),
    ),
    ("Every score becomes +1 in your answer: dividing by |f| needs f above.", lambda f: np.abs(np.sign(f))),
)


def _predict_cases(rng: np.random.Generator) -> Iterator[Case]:
    yield from _scenes(rng, ties=1)
    yield np.array([[0.25], [-0.25], [0.0], [0.5], [-1.0], [3.0]]), np.array([1.0, 0.0])
    yield np.zeros((2, 2)), np.append(quarters(rng, 2), 0.0)


PREDICT = Task(
    name="predict",
    points=1,
    arguments=("X", "theta"),
    returns=("predictions",),
    cases=_predict_cases,
    answer=_predict,
    mistakes=(
        *(Mistake(partial(_predict, rule=rule), sentence) for sentence, rule in _RULES),
        *(Mistake(partial(_predict, score=score), sentence) for sentence, score in _WRONG_SCORES),
        *(
            Mistake(
                lambda X, theta, score=score, tie=tie: np.where(score(X, theta) > 0, 1, tie),
                sentence,
            )
            for sentence, score in _WRONG_SCORES
            for tie in (0, -1)
        ),
        _columns(_predict),
        Mistake(
            lambda X, theta: float(_predict(X, theta)[0]),
            "You return one prediction alone: one for each row is asked for, so return must stand behind the loop.",
        ),
    ),
    hints=(
        "Compute the scores first; you may call your own function decision.",
        "Above 0 the prediction is +1, below 0 it is -1. Only a score of exactly 0 gives 0.",
        "numpy has a function for just this: np.sign.",
    ),
)


# append_constant


def _append(X: Floats) -> Floats:
    return np.column_stack([X, np.ones(len(X))])


APPEND_CONSTANT = Task(
    name="append_constant",
    points=1,
    arguments=("X",),
    returns=("Z",),
    cases=lambda rng: [(quarters(rng, *shape) + 1 / 8,) for shape in ((1, 1), (3, 2), (2, 3), (4, 4), (5, 1))],
    answer=_append,
    mistakes=(
        Mistake(
            lambda X: np.column_stack([np.ones(len(X)), X]),
            "Your constant comes first: here it is the last column, where theta has its offset.",
        ),
        Mistake(
            lambda X: np.vstack([X, np.ones(X.shape[1])]),
            "You added a row, which is one more example: the constant is one more attribute, a column.",
        ),
        Mistake(
            lambda X: np.vstack([np.ones(X.shape[1]), X]),
            "You added a row on top, which is one more example: the constant is one more attribute, a column.",
        ),
        Mistake(
            lambda X: np.column_stack([X, np.zeros(len(X))]),
            "Your new column holds zeros: its weight would never reach the score. The constant is 1.",
        ),
        Mistake(
            lambda X: np.column_stack([X, -np.ones(len(X))]),
            "Your new column holds -1: the constant is 1.",
        ),
        Mistake(
            lambda X: np.column_stack([X[:, :-1], np.ones(len(X))]),
            "The constant has taken the place of the last attribute: the result has one column more than X.",
        ),
        Mistake(
            lambda X: np.append(X, np.ones(len(X))),
            "np.append without axis= makes everything flat: the result has shape (n, d + 1).",
        ),
        Mistake(
            lambda X: np.append(X, 1),
            "np.append without axis= makes everything flat: a constant for each row is needed, and shape (n, d + 1).",
        ),
        Mistake(lambda X: X + 1, "You added 1 to every number: the 1 is an attribute of its own."),
        Mistake(lambda X: X, "You return X as it came: one more column is asked for."),
        Mistake(lambda X: _append(X).T, "Your result lies on its side: rows are examples, so it has shape (n, d + 1)."),
        Mistake(
            lambda X: np.column_stack([X, np.ones(len(X)), np.ones(len(X))]),
            "You added two columns: one constant attribute is enough.",
        ),
        Mistake(
            lambda X: np.column_stack([np.ones(len(X)), X, np.ones(len(X))]),
            "You added a column on both sides: one constant attribute is enough, the last.",
        ),
        Mistake(lambda X: np.append(X[0], 1), "You return the first row alone: all rows get their constant."),
        Mistake(
            lambda X: np.column_stack([X, np.arange(len(X))]),
            "Your new column counts the rows: it should hold 1 everywhere.",
        ),
        Mistake(
            lambda X: np.column_stack([X, np.full(len(X), len(X))]),
            "Your new column holds the number of rows: it should hold 1 everywhere.",
        ),
    ),
    hints=(
        "The result has as many rows as X and one column more.",
        "np.ones(len(X)) is the new column. What puts columns side by side?",
        "np.column_stack takes a list of matrices and columns, in the order in which they shall stand.",
    ),
)


# signed_distance


def _distance(X: Floats, theta: Floats, score: Score = _score, length: Any = np.linalg.norm) -> Any:
    return score(X, theta) / length(theta[:-1])


SIGNED_DISTANCE = Task(
    name="signed_distance",
    points=2,
    arguments=("X", "theta"),
    returns=("distances",),
    cases=lambda rng: _scenes(rng, ties=1),
    answer=_distance,
    mistakes=(
        Mistake(
            lambda X, theta: _score(X, theta) / np.linalg.norm(theta),
            "You divide by a length that includes the offset: a distance divides by the length of the weights alone.",
        ),
        Mistake(_score, "You return the scores: divided by the length of the weights they become distances."),
        Mistake(
            lambda X, theta: np.abs(_distance(X, theta)),
            "The distance is signed: it is negative for examples on the negative side.",
        ),
        Mistake(
            lambda X, theta: np.abs(_score(X, theta)) / np.linalg.norm(theta),
            "The distance is signed, and it divides by the length of the weights alone, without the offset.",
        ),
        Mistake(
            lambda X, theta: _score(X, theta) / (theta @ theta),
            "You divide by the squared length of the whole theta: take the root, and the weights alone.",
        ),
        Mistake(
            partial(_distance, length=lambda w: w @ w),
            "You divide by the square of the length: the length is the root of the sum of squares.",
        ),
        Mistake(
            partial(_distance, length=lambda w: np.abs(w).sum()),
            "You divide by the sum of the |theta_j|: the length is the root of the sum of squares.",
        ),
        Mistake(
            partial(_distance, length=lambda w: np.abs(w.sum())),
            "You divide by the sum of the weights: the length is the root of the sum of squares.",
        ),
        Mistake(
            partial(_distance, length=np.sum),
            "You divide by the sum of the weights: the length is the root of the sum of squares.",
        ),
        Mistake(
            lambda X, theta: _score(X, theta) / np.linalg.norm(X, axis=1),
            "You divide by the length of x: divide by the length of the weights.",
        ),
        Mistake(
            lambda X, theta: _score(X, theta) * np.linalg.norm(theta[:-1]),
            "You multiply by the length of the weights: divide by it.",
        ),
        Mistake(
            lambda X, theta: X @ theta[:-1] / np.linalg.norm(theta[:-1]) + theta[-1],
            "Only half of the score is divided: the offset belongs to it, (theta[:-1] . x + theta[-1]) / length.",
        ),
        Mistake(
            lambda X, theta: X @ theta[:-1] + theta[-1] / np.linalg.norm(theta[:-1]),
            "Only the offset is divided: put the whole score in brackets before you divide it.",
        ),
        Mistake(
            partial(_distance, score=lambda X, theta: np.sign(_score(X, theta))),
            "You divide the prediction: the score itself is divided, before its sign is taken.",
        ),
        *(Mistake(partial(_distance, score=score), sentence) for sentence, score in _WRONG_SCORES),
        Mistake(
            lambda X, theta: (X @ theta[1:] + theta[0]) / np.linalg.norm(theta[1:]),
            "Your offset comes first: here it is the last entry of theta, and the weights are theta[:-1].",
        ),
        _columns(_distance),
    ),
    hints=(
        "Going along the weights by a length of 1 changes the score by the length of the weights.",
        "So a score f lies f / length away. The length is the root of the sum of the squared weights; the offset is "
        "no part of it.",
        "np.linalg.norm(theta[:-1]) is the length; divide the scores by it and keep their sign.",
    ),
)


# training_error


def _error(
    X: Floats,
    y: Floats,
    theta: Floats,
    score: Score = _score,
    wrong: Callable[[Floats, Floats], Any] = lambda y, f: y * f <= 0,
    total: Callable[[Any], Any] = np.mean,
) -> Any:
    return total(wrong(y, score(X, theta)))


def _error_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d, tie in ((3, 2, 1.0), (4, 2, -1.0), (5, 3, 1.0), (6, 1, -1.0), (8, 2, 1.0), (9, 2, 1.0), (12, 3, -1.0)):
        X, theta = _scene(rng, n, d, ties=2)
        y = rng.choice([-1.0, 1.0], n)
        y[:2] = tie
        y[2] = 1.0 if _score(X, theta)[2] < 0 else -1.0
        yield X, y, theta
    yield np.array([[1.0], [2.0], [3.0], [-0.5]]), np.array([1.0, 1.0, 1.0, -1.0]), np.array([1.0, 0.0])
    yield np.array([[-3.0], [2.0]]), np.array([-1.0, 1.0]), np.array([1.0, 0.25])
    X, theta = _scene(rng, 3, 2)
    yield X, -np.sign(_score(X, theta) + 1 / 16), theta


TRAINING_ERROR = Task(
    name="training_error",
    points=2,
    arguments=("X", "y", "theta"),
    returns=("error",),
    cases=_error_cases,
    answer=_error,
    mistakes=(
        Mistake(
            partial(_error, wrong=lambda y, f: y * f < 0),
            "A score of exactly 0 is wrong too: test y f <= 0, not y f < 0.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: np.where(f >= 0, 1, -1) != y),
            "A score of exactly 0 is wrong whatever the label: yours takes it for +1, and counts it right if y is +1.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: np.where(f > 0, 1, -1) != y),
            "A score of exactly 0 is wrong whatever the label: yours takes it for -1, and counts it right if y is -1.",
        ),
        Mistake(partial(_error, total=np.sum), "You count the errors: the fraction is asked for, so divide by n."),
        Mistake(
            partial(_error, wrong=lambda y, f: y * f > 0),
            "You return the fraction of right ones: the error is the fraction of wrong ones, y f <= 0.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: y * f >= 0),
            "You return the fraction of right ones, ties included: the error is the fraction with y f <= 0.",
        ),
        Mistake(
            partial(_error, total=lambda wrong: wrong.sum() // len(wrong)),
            "You divide with //, which cuts the fraction off: use / instead.",
        ),
        Mistake(
            partial(_error, total=lambda wrong: np.rint(wrong.mean())),
            "You round the fraction: leave it as it is.",
        ),
        Mistake(
            partial(_error, total=lambda wrong: 100 * wrong.mean()), "You return per cent: a fraction is asked for."
        ),
        Mistake(
            lambda X, y, theta: (y * _score(X, theta) <= 0).sum() / X.size,
            "You divide by the number of entries of X: divide by the number of examples, its rows.",
        ),
        Mistake(
            lambda X, y, theta: (y * _score(X, theta) <= 0).sum() / X.shape[1],
            "You divide by the number of attributes: divide by the number of examples.",
        ),
        Mistake(
            lambda X, y, theta: (y * _score(X, theta) <= 0).sum() / max(1, len(X) - 1),
            "You divide by n - 1: the mean divides by n.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: f <= 0),
            "Your test looks at f alone: whether a score is wrong depends on the label, y f <= 0.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: f != y),
            "You compare y with the score itself: it need not be exactly +1 or -1 to be right.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: y * f <= 1),
            "You also count examples that are right with a small score: wrong means y f <= 0, not y f <= 1.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: y * f < 1),
            "You also count examples that are right with a small score: wrong means y f <= 0, not y f < 1.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: np.abs(y - np.sign(f))),
            "|y - sign(f)| is 2 for a wrong prediction: count each error once.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: (y - np.sign(f)) ** 2),
            "(y - sign(f))^2 is 4 for a wrong prediction: count each error once.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: np.abs(y - np.sign(f)) / 2),
            "|y - sign(f)| / 2 is only half an error for a score of exactly 0: it counts in full, y f <= 0.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: y * f),
            "You return the mean agreement: count for how many examples it is <= 0.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: np.maximum(0, -y * f)),
            "You measure by how much examples are wrong: each wrong example counts 1, however wrong.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: np.maximum(0, 1 - y * f)),
            "You return the mean hinge loss: here each wrong example counts 1, however wrong.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: (y - f) ** 2),
            "You return the mean squared error: here each wrong example counts 1, however wrong.",
        ),
        *(Mistake(partial(_error, score=score), sentence) for sentence, score in _WRONG_SCORES[:4]),
        Mistake(
            partial(_error, wrong=lambda y, f: np.where(f > 0, 1, 0) != y),
            "Your predictions are 0 and 1, the labels -1 and +1: every negative example counts as wrong.",
        ),
        Mistake(
            partial(_error, total=lambda wrong: wrong[0] / len(wrong)),
            "You look at the first example alone: return must stand behind the loop, not inside.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: (y * f <= 0) & (y > 0)),
            "Only positive examples are counted: negative ones with f >= 0 are wrong too.",
        ),
        Mistake(
            partial(_error, wrong=lambda y, f: (y * f <= 0) & (y < 0)),
            "Only negative examples are counted: positive ones with f <= 0 are wrong too.",
        ),
        Mistake(
            partial(_error, total=lambda wrong: wrong.astype(float)),
            "You return one number for each example: their mean is asked for.",
        ),
    ),
    hints=(
        "The agreement y * f is positive exactly when an example is right.",
        "Count the examples with y * f <= 0 (a score of 0 included) and divide by how many there are.",
        "A comparison of arrays gives True and False, which count as 1 and 0: np.mean(y * f <= 0).",
    ),
)


# one_line: w = (3, 4), offset -10, at the point (2, 3) with label -1

_LINE = (8.0, 1.6, -8.0, 2.0, 2, 3)

ONE_LINE = Task(
    name="one_line",
    points=2,
    arguments=(),
    returns=("score", "distance", "agreement", "shift", "same line", "half a turn"),
    cases=lambda rng: [()],
    answer=lambda: _LINE,
    mistakes=slips(
        _LINE,
        (0, 18, "Your score lacks the offset: add -10 to 3 times 2 plus 4 times 3."),
        (0, 28, "Your score takes the offset away: it is -10, and it is added."),
        (0, 7, "Your score swaps the coordinates: 3 belongs to x1 = 2, and 4 to x2 = 3."),
        (0, -8, "Your first number has the label in it: the score does not know the label, the agreement does."),
        (0, 1, "Your first number is the prediction: the score itself is asked for."),
        (1, 8 / 7, "Your distance divides by 3 + 4: the length of the weights is the root of 9 + 16."),
        (1, 8 / 25, "Your distance divides by 25, the square of the length: take the root."),
        (1, 8 / 125**0.5, "Your distance divides by a length with the offset in it: take the weights (3, 4) alone."),
        (1, 8, "Your distance is the score: divide it by the length of the weights."),
        (1, -1.6, "The point lies on the side of the arrow, where the score is positive: so is the signed distance."),
        (1, 8 / 13**0.5, "Your distance divides by the length of the point: divide by the length of the weights."),
        (2, 8, "Your agreement lacks the label: y is -1."),
        (2, -1, "Your agreement is the label alone, or that of a prediction: multiply the label by the score."),
        (2, 1, "Your agreement multiplies two signs, or none: multiply the label -1 by the score itself."),
        (2, -1.6, "Your agreement is a distance: multiply the label by the score."),
        (3, -2, "The shift is minus the offset over the length: this line lies on the arrow's side of the origin."),
        (3, 10, "Your shift is not divided by the length of the weights."),
        (3, -10, "Your shift is the offset: take it with the other sign, and divide it by the length of the weights."),
        (3, 0.4, "Your shift divides by 25, the square of the length: take the root."),
        (3, 10 / 7, "Your shift divides by 3 + 4: the length of the weights is the root of 9 + 16."),
        (4, 1, "Number 1 multiplies the weights and leaves the offset: another line, nearer to the origin."),
        (4, 3, "Number 3 multiplies everything by -1: the same line, but its sides are swapped."),
        (4, 4, "Number 4 adds 1 everywhere: that turns the line and moves it. Only multiplying leaves it in place."),
        (5, 1, "The line does not stay: the shift is counted along the arrow, which now points to the other side."),
        (5, 2, "Not the same line with its sides swapped: that would need the opposite shift as well."),
        (5, 4, "The line does not go through the origin: it keeps its distance of 2 from it."),
    ),
    hints=(
        "Multiply and add: f = 3 x1 + 4 x2 - 10. The length of the weights is a whole number.",
        "Distance: f over that length. Agreement: y f. Shift: minus the offset over the length. A positive factor on "
        "all three numbers moves nothing.",
        "The length is 5. For the last question draw the arrow (3, 4) and the line at 2 along it; then turn the arrow "
        "round and go 2 along it again.",
    ),
)

TASKS = (DECISION, PREDICT, APPEND_CONSTANT, SIGNED_DISTANCE, TRAINING_ERROR, ONE_LINE)
