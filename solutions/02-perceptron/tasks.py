"""One update, a trace by hand, the whole algorithm, a trace with a fault, whom an update harms, the bound, the worst
order, data that it never finishes.

All numbers in the cases are small multiples of 1/4, so that a score of 0 is 0 for everyone.
"""

import itertools
import re

import numpy as np

from coursekit_grade.draws import labels, quarters
from coursekit_grade.tasks import slips, solution, task, then

update, perceptron, cycle, ripple = (solution(name) for name in ("update", "perceptron", "cycle", "ripple"))

# What can go wrong in one visit: edits of the cell of `update`, and of all cells that make such visits.
SCORE, TEST, CHANGE = "theta[:-1] @ x + theta[-1]", "y * f <= 0", "y * np.append(x, 1)"
VISITS = [
    (TEST, "y * f < 0",
     "From theta = 0 yours never moves. Test y f <= 0 for each example: a score of exactly 0 is a mistake, too."),
    (TEST, "(1 if f >= 0 else -1) != y",
     "A score of exactly 0 is a mistake for either label. Test y f <= 0. Yours takes 0 for +1."),
    (TEST, "True", "Update only after a mistake, y f <= 0. Your theta changes on every visit."),
    (TEST, "y * f >= 0",
     "Turn your test around. Correct the examples that are wrong, y f <= 0, and leave those with y f > 0 alone."),
    (TEST, "f <= 0", "Test y f <= 0, not f alone. Whether a score is a mistake depends on the label."),
    (CHANGE, "np.append(x, 1)",
     "Multiply the correction by y. Without it, negative examples push theta the wrong way."),
    (CHANGE, "-y * np.append(x, 1)",
     "Add y (x, 1) instead of subtracting it. The agreement y f of this example should grow."),
    (CHANGE, "f * np.append(x, 1)",
     "Add y (x, 1) to theta after a mistake. Yours never leaves 0, as with the score f in place of the label y."),
    (CHANGE, "(y - f) * np.append(x, 1)",
     "Add y (x, 1), whatever the size of the score. The factor y - f belongs to least squares."),
    (CHANGE, "(y - np.sign(f)) * np.append(x, 1)",
     "Add y (x, 1). Your factor y - sign(f) is 2y where the sign was wrong, which makes the correction twice as "
     "long as it should be."),
    (CHANGE, "2 * y * np.append(x, 1)",
     "Add y (x, 1). Your factor, y minus the predicted label, is 2y and makes the correction twice as "
     "long as it should be."),
    (CHANGE, "0.1 * y * np.append(x, 1)",
     "Add y (x, 1) at its full length, because the step size here is 1. Your correction is scaled down."),
    (CHANGE, "0.5 * y * np.append(x, 1)",
     "Add y (x, 1) at its full length, because the step size here is 1. Your correction is halved."),
    (SCORE, "theta[:-1] @ x", "Add the bias to the score: f = theta[:-1] . x + theta[-1]."),
    (CHANGE, "y * np.append(x, 0)",
     "Add y to the bias after a mistake. It is the weight of the constant feature 1."),
    (CHANGE, "np.append(y * x, 1)",
     "Add y to the bias, not 1. For a negative example it must fall."),
    (CHANGE, "np.append(y * x, -y)",
     "Add y to the bias after a mistake, as you add y x to the weights. Yours moves the wrong way."),
    (CHANGE, "y * np.append(0 * x, 1)", "Add y x to the weights after a mistake. Only your bias changes."),
]
TURNED = (SCORE, "theta[1:] @ x + theta[0]", CHANGE, "y * np.append(1, x)",
          "Put the bias last. It is the last entry of theta, and the constant 1 is appended after x.")
NEAR = [  # these make no difference in the trace by hand
    (TEST, "(1 if f > 0 else -1) != y",
     "A score of exactly 0 is a mistake for either label. Test y f <= 0. Yours takes 0 for -1."),
    *((TEST, f"y * f {below} 1",
       "Test y f <= 0. You also correct examples that are right with a small score, which the perceptron leaves "
       "alone.") for below in ("<=", "<")),
]
ONCE = [  # these are like others when theta starts at 0
    (TEST, "y * f > 0",
     "Turn your test around. Correct the examples that are wrong, y f <= 0, not those that are right."),
    (CHANGE, "-f * np.append(x, 1)", "Multiply (x, 1) by the label y, not by minus the score f."),
    (SCORE, "theta[:-1] @ x", CHANGE, "y * np.append(x, 0)",
     "Include the bias. It is part of the score, and a mistake adds y to it."),
]


def in_loops(mistakes):
    """The same edits where x is X[i] and y is y[i]."""
    for *edits, sentence in mistakes:
        yield *(re.sub(r"\by\b", "y[i]", re.sub(r"\bx\b", "X[i]", edit)) for edit in edits), sentence


def separable(rng, n, d):
    while True:
        X, theta = quarters(rng, n, d), quarters(rng, d + 1)
        f = X @ theta[:-1] + theta[-1]
        if (np.abs(f) >= 0.5).all() and len(np.unique(f > 0)) == 2:
            return X, np.where(f > 0, 1.0, -1.0)


def update_cases(rng):
    for y in (1.0, -1.0):
        for d in (1, 2, 3):
            yield np.zeros(d + 1), quarters(rng, d), y
            for agreement in (0, 0.25, 1, 3.5, -0.25, -3.5):
                w, x = quarters(rng, d), quarters(rng, d)
                yield np.append(w, y * agreement - w @ x), x, y


def until_right(theta, x, y):
    while y * (theta[:-1] @ x + theta[-1]) <= 0:
        theta = theta + y * np.append(x, 1)
    return theta


WHOLE = "Use an array of floats. An array of integers cuts fractions off."

task(
    "update",
    returns="theta",
    cases=update_cases,
    mistakes=[
        *VISITS,
        TURNED,
        *NEAR,
        *ONCE,
        (lambda theta, x, y: theta, "Return theta + y (x, 1) after a mistake, y f <= 0. Your theta never changes."),
        ("return theta + ", "return ", "return theta\n", "return 0 * theta\n",
         "Add the correction to theta. You return the correction alone."),
        ("return theta + ", "return ", "Add the correction to theta. After a mistake you return the correction alone."),
        ("return theta\n", "return 0 * theta\n",
         "Return theta unchanged when the visit isn't a mistake. Yours becomes 0."),
        (CHANGE, "y * np.append(1, x)", "Put the 1 last, np.append(x, 1), because the bias is last."),
        (until_right, "Correct once per visit, with if, not while. You stay with the example until it is right."),
        *((cut, WHOLE) for cut in (
            lambda theta, x, y: update(np.trunc(theta), x, y),
            lambda theta, x, y: np.trunc(update(np.trunc(theta), x, y)),
            lambda theta, x, y: np.trunc(theta) + update(theta, x, y) - theta,
            lambda theta, x, y: np.trunc(np.trunc(theta) + update(theta, x, y) - theta),
        )),
        (then(lambda theta: theta[:-1]),
         "Return all d + 1 entries of theta, the bias last. Yours is missing."),
    ],
    hints=[
        "Compute the score first, f = theta[:-1] @ x + theta[-1]. What must be true of y * f before you change "
        "anything?",
        "It's a mistake if y * f <= 0. If it isn't one, return theta unchanged.",
        "After a mistake, move theta along the example with the constant 1 behind it, np.append(x, 1). Which way? The "
        "label y says.",
    ],
)


def perceptron_cases(rng):
    yield np.array([[0.0], [1.0], [2.0]]), np.array([1.0, -1.0, 1.0]), 5
    for n, d in ((3, 1), (4, 2), (5, 2), (6, 3)):
        made = 0
        while not 4 <= made < 20:
            X, y = separable(rng, n, d)
            made = perceptron(X, y, 20)[2]
        yield X, y, 20
        yield X, -y, made
        yield X, y, made - 2


START, STOP, NOTE = (
    "before = len(mistakes)", "len(mistakes) == before",
    "                thetas.append(theta)\n                mistakes.append(i)\n",
)
CLEAN = START, "before = theta", STOP, "theta is before"  # the same, but without a look at what was noted

task(
    "perceptron",
    returns=("thetas", "mistakes", "passes_made"),
    cases=perceptron_cases,
    mistakes=[
        *in_loops([*VISITS, TURNED, *NEAR]),
        (STOP, "True",
         "Keep going until a whole pass has no mistakes or the passes are used up. Your run ends after the first "
         "pass."),
        (STOP, "False",
         NOTE, NOTE + "            if len(mistakes) == before:\n                return thetas, mistakes, p\n",
         "Wait for the end of the pass before you call it clean. Your run ends at the first example that is right."),
        (STOP, "y[i] * f > 0",
         "End the run only when the whole pass was right. Yours ends when its last example is."),
        ("mistakes, p\n", "mistakes, p - 1\n",
         "Count the last pass too. The pass without a mistake was also made."),
        (STOP, "False",
         "Stop after the first pass without a mistake, and return how many passes were made. Your `passes_made` is "
         "always `passes`."),
        (then(passes_made=lambda p: p - 1),
         "Add 1 to your `passes_made`. range(passes) counts from 0, but the number of passes counts from 1."),
        (lambda X, y, passes: perceptron(X, y, passes - 1),
         "Make one more pass. `passes` is the number of passes you may make."),
        (lambda X, y, passes: perceptron(X, y, passes + 1),
         "Make one pass fewer. `passes` is the most you may make."),
        ("thetas, mistakes = [], []", "thetas, mistakes = [theta], []",
         "Leave the start out of `thetas`. It holds theta after each mistake, and theta = 0 comes before the first."),
        ("theta = theta +", "old = theta; theta = theta +", "append(theta)", "append(old)",
         "Store theta after the correction. Your `thetas` holds it as it was before each mistake."),
        ("theta = theta +", "theta +=",
         "Your rows are all the same array. Write theta = theta + ..., because += changes the rows you stored "
         "earlier."),
        ("append(theta)", "append(theta[:-1])",
         "Store all d + 1 entries of theta, the bias last. Your `thetas` lacks the bias."),
        ("np.append(X[i], 1)", "np.append(X[i], 0)", "append(theta)", "append(theta[:-1])",
         "Give theta d + 1 entries, and add y to the last after a mistake. Yours has no bias."),
        ("np.append(X[i], 1)", "np.append(X[i], 1) / len(X)",
         "Add y (x, 1) as it is. You divide by n, but the perceptron corrects one example at a time."),
        (then(passes_made=lambda p, mistakes: len(mistakes)),
         "Count whole passes over the examples. Your `passes_made` is the number of mistakes."),
        (then(passes_made=lambda p, X: p * len(X)),
         "Count whole passes over the examples. Your `passes_made` is the number of visits."),
        ("append(i)", "append((p - 1) * len(X) + i)",
         "Store the row of X, which starts from 0 again in each pass. Your `mistakes` holds numbers of visits."),
        (then(mistakes=lambda mistakes: sorted(set(mistakes))),
         "Keep an entry for each mistake, in the order they were made. Your `mistakes` names each example once."),
        (then(thetas=np.ravel),
         "Collect the rows in a list with .append. Your `thetas` is one flat row, because np.append flattens."),
        ("np.zeros(X.shape[1] + 1)", "np.ones(X.shape[1] + 1)",
         "Start at theta = 0. Yours starts at ones."),
        ("range(len(X))", "range(len(X) - 1)", "Visit the last example too. range(n) already ends before n."),
        ("                thetas.append(theta)\n", "",
         f"        if {STOP}", f"        thetas.append(theta)\n        if {STOP}",
         "Add a row to `thetas` after each mistake. Yours has a row for each pass."),
        (then(mistakes=len),
         "Collect which example each mistake was made on, in order. Your `mistakes` is only their number."),
        (*CLEAN, NOTE, "            thetas.append(theta)\n            mistakes.append(i)\n",
         "Store an entry for each mistake only. Your `thetas` and `mistakes` have one for every visit."),
        (*CLEAN, NOTE, "                mistakes.append(i)\n            thetas.append(theta)\n",
         "Add a row to `thetas` after each mistake only. Yours has one for every visit."),
        (*CLEAN, NOTE, "                thetas.append(theta)\n            mistakes.append(i)\n",
         "Add an entry to `mistakes` after each mistake only. Yours has one for every visit."),
        (*CLEAN, "before = theta", "before, thetas, mistakes = theta, [], []",
         "Set your lists to [] once, before the first pass. Yours begin again in every pass, so only the last is "
         "left."),
        ("if y[i] * f", "while y[i] * (theta[:-1] @ X[i] + theta[-1])",
         "Correct each example once per visit, with if, not while, and go on to the next. You stay with it until it "
         "is right."),
        ("append(i)", "append(i); break",
         "Go on to the next example after a mistake. You begin the pass again, but a pass visits every example once."),
        (START, "before, old = len(mistakes), theta", "theta[:-1] @ X[i] + theta[-1]", "old[:-1] @ X[i] + old[-1]",
         "Correct at once, before you score the next example. You find the mistakes of a pass with an old theta."),
        (START, "before, theta = len(mistakes), 0 * theta",
         "Set theta to 0 once, before the first pass. Yours begins at 0 in every pass."),
        ("range(len(X))", "reversed(range(len(X)))",
         "Visit the examples in the order 0, 1, ..., n-1. Yours go from the last to the first."),
    ],
    hints=[
        "Use two loops, one inside the other: passes outside, the examples 0, 1, ..., n-1 inside. Where does theta = "
        "0 belong, so that it happens only once?",
        "At each mistake, append the example's number to one list and the new theta to another. How can you tell from "
        "these lists that a pass was clean?",
        "Note len(mistakes) at the beginning of a pass and compare it at the end. Make a new array at each mistake, "
        "theta = theta + ..., or all rows become the same. range(1, passes + 1) counts passes from 1.",
    ],
)


def with_slip(X, y, visits, slip, start=0):
    """The rows of a trace in which one slip is made, at the first visit from `start` on where it makes a difference."""
    theta, rows, made = np.zeros(X.shape[1] + 1), [], slip is None
    for v in range(visits):
        x, label = X[v % len(X)], y[v % len(X)]
        right = update(theta, x, label)
        wrong = right if made or v < start else slip(theta, right, x, label)
        made |= not np.array_equal(wrong, right)
        theta = wrong
        rows.append(theta)
    return np.array(rows), made


def offset_forgotten(theta, right, x, label):
    return np.append(right[:-1], theta[-1])


def weights_forgotten(theta, right, x, label):
    return np.append(theta[:-1], right[-1])


def label_overlooked(theta, right, x, label):
    return right if label > 0 or right is theta else theta + np.append(x, 1)


def tie_taken_for_right(theta, right, x, label):
    return theta if theta.any() and theta[:-1] @ x + theta[-1] == 0 else right


def right_one_corrected(theta, right, x, label):
    return theta + label * np.append(x, 1)


def offset_left_out_of_the_score(theta, right, x, label):
    return theta + label * np.append(x, 1) if label * (theta[:-1] @ x) <= 0 else theta


SLIPS = offset_forgotten, weights_forgotten, label_overlooked, tie_taken_for_right, right_one_corrected
RULES = *SLIPS, offset_left_out_of_the_score


def first_fault_cases(rng):
    def drawn(d):
        n = int(rng.integers(2, 4))
        return rng.integers(-2, 3, (n, d)).astype(float), labels(rng, n)

    for d in (1, 2):
        for slip in SLIPS:
            made = False
            while not made:
                X, y = drawn(d)
                rows, made = with_slip(X, y, 4 * len(X), slip, int(rng.integers(len(X), 2 * len(X))))
            yield X, y, rows
        made = False
        while not made or not rows[0].any() or y[0] * rows[0, :-1] @ X[0] <= 0:  # the first visit is wrong
            X, y = drawn(d)
            rows, made = with_slip(X, y, 4 * len(X), offset_forgotten)
        yield X, y, rows
        rows = np.zeros((1, 1))
        while not rows[-1].all() or not all(with_slip(X, y, 4 * len(X), rule)[1] for rule in RULES):
            X, y = drawn(d)
            rows, _ = with_slip(X, y, 4 * len(X), None)
        yield X, y, rows  # without a fault, and whoever checks by another rule finds one


RIGHT_ROW, FOUND_AT, ALL_RIGHT = "not np.array_equal(theta, thetas[v])", "return v + 1, theta", "return 0, theta"

task(
    "first_fault",
    returns=("visit", "theta"),
    cases=first_fault_cases,
    mistakes=[
        (FOUND_AT, "return v, theta", "Count visits from 1. Yours count from 0."),
        (FOUND_AT, "return v % len(X), theta",
         "Return the number of the visit, counted through all passes. You return the example's row."),
        (FOUND_AT, "return v % len(X) + 1, theta",
         "Count visits straight through, 1, 2, ..., v. Your count begins again with each pass."),
        (FOUND_AT, "return v // len(X) + 1, theta", "Return the number of the visit. You return the pass."),
        ("X[v % len(X)], y[v % len(X)]", "X[min(v, len(X) - 1)], y[min(v, len(X) - 1)]",
         "Start again with example 0 after the last. Visit v, counted from 0, belongs to example v % n."),
        (FOUND_AT, "return v + 1, thetas[v]",
         "Return what that row should contain. Your theta is the wrong row itself."),
        (then(theta=lambda theta, visit, thetas: theta if visit == 0 else thetas[int(visit) - 2] if visit > 1
              else 0 * theta),
         "Return theta as that visit should have left it. Yours is the one before the visit."),
        ("<= 0", "< 0",
         "You always return visit 1 with theta = 0. A score of exactly 0 is a mistake, so correct first when "
         "y f <= 0, then compare."),
        ("label * np.append(x, 1)", "np.append(x, 1)",
         "Multiply your own correction by y. A mistake adds y (x, 1)."),
        ("label * np.append(x, 1)", "np.append(label * x, 1)",
         "Add y to the bias in your own correction. Yours adds 1 at every mistake."),
        ("label * np.append(x, 1)", "label * np.append(x, 0)",
         "Add y to the bias in your own correction. Yours leaves it as it is."),
        ("theta[:-1] @ x + theta[-1]", "theta[:-1] @ x",
         "Add the bias to your own score: f = theta[:-1] . x + theta[-1]."),
        ("label * (theta[:-1] @ x + theta[-1]) <= 0", "True",
         "Update only after a mistake, y f <= 0. Your own theta changes on every visit."),
        (ALL_RIGHT, "return None, theta", "Return 0, not None, as `visit` when all rows are right."),
        (ALL_RIGHT, "return -1, theta", "Return 0, not -1, as `visit` when all rows are right."),
        (ALL_RIGHT, "return len(thetas), theta",
         "Return 0, not the number of visits, as `visit` when all rows are right."),
        (ALL_RIGHT, "return 0, None", "Return the last row, not None, as `theta` when all rows are right."),
        (f"{FOUND_AT}\n    {ALL_RIGHT}", "found = v + 1, theta\n    return found if 'found' in dir() else (0, theta)",
         "Return the first row that differs. You return the last."),
        (ALL_RIGHT, "return 0, 0 * theta", "Return the last row as `theta` when all rows are right."),
        ("range(len(thetas))", "range(len(X))",
         "Go on after the first pass. Visit v, counted from 0, belongs to example v % n."),
        ("theta = np.zeros(X.shape[1] + 1)", "theta = thetas[0]",
         "Begin at theta = 0. You begin with the first row, which may be wrong."),
        ("label * (theta[:-1] @ x + theta[-1]) <= 0", "theta[:-1] @ x + theta[-1] <= 0",
         "Test y f <= 0, not f alone. Whether a score is a mistake depends on the label."),
        ("range(len(thetas)):\n", "range(len(thetas)):\n        theta = theta * (v % len(X) > 0)\n",
         "Go on with theta as the last pass left it. Your own theta begins at 0 again in each pass."),
        (RIGHT_ROW, "not (theta == thetas[v]).any()",
         "Compare all entries. A row is right only when every one of them is."),
        (RIGHT_ROW, "theta.sum() != thetas[v].sum()", "Compare all entries, not their sums."),
        (RIGHT_ROW, "theta[-1] != thetas[v][-1]",
         "Compare the weights as well as the bias, with np.array_equal. You compare the bias alone."),
        (RIGHT_ROW, "not np.array_equal(theta[:-1], thetas[v][:-1])",
         "Compare the bias too. You compare the weights alone."),
    ],
    hints=[
        "Run the perceptron yourself beside the classmate's rows. If you count visits from 0, visit v meets example v "
        "% len(X).",
        "After each of your visits, compare your theta with the classmate's, np.array_equal(theta, thetas[v]).",
        "Return at the first row that differs, with v + 1 and your own theta. After the loop, return 0 and your theta.",
    ],
)


def ripple_cases(rng):
    for n, d in ((3, 1), (3, 2), (4, 2), (3, 3), (5, 2)):
        while True:
            X, y = quarters(rng, n, d), labels(rng, n)
            table, harmless = ripple(X, y)
            apart = (table[{4: 0, 5: -1}[n]] >= 0).all() if n > 3 else True  # the harm is in other rows
            if not harmless and apart and (X @ X.T).min() < -1 and np.abs(table).min() > 0.1:
                break
        yield X, y
    while True:  # nobody is harmed, and somebody is left exactly as he was
        X, y = rng.integers(-2, 3, (3, 2)).astype(float), labels(rng, 3)
        table, harmless = ripple(X, y)
        if harmless and not table.all():
            break
    yield X, y


WITH_ONE, TABLE, VERDICT = "np.column_stack([X, np.ones(len(X))])", "Z @ Z.T", "bool((table >= 0).all())"

task(
    "ripple",
    returns=("table", "harmless"),
    cases=ripple_cases,
    mistakes=[
        (WITH_ONE, "X",
         "Include the constant feature. The correction adds y_i to the bias, and that changes every score."),
        (f"y[:, None] * {WITH_ONE}", WITH_ONE,
         "Multiply by both labels, y_i and y_j. Your table holds the products of the examples without them."),
        (TABLE, f"Z @ {WITH_ONE}.T",
         "Multiply column j by y_j. Your table holds changes of the scores, not of the agreements."),
        (TABLE, f"{WITH_ONE} @ Z.T",
         "Multiply row i by y_i, because the correction is y_i (x_i, 1). The label of the corrected example is "
         "missing."),
        (TABLE, "np.outer(y, y)",
         "Multiply the labels by (x_i, 1) . (x_j, 1). Your table holds the labels alone, but it also matters how "
         "alike the examples are."),
        (TABLE, "Z @ Z.T / np.linalg.norm(Z, axis=1)",
         "Don't divide by a length. The change of the agreement is the plain product."),
        (TABLE, "Z @ Z.T / np.linalg.norm(Z, axis=1)[:, None]",
         "Don't divide by a length. The change of the agreement is the plain product."),
        (f"y[:, None] * {WITH_ONE}", "y[:, None] * X", TABLE, "Z @ Z.T + 1",
         "Multiply the 1 of the constant feature by the labels too: y_i y_j (x_i . x_j + 1)."),
        (TABLE, "Z.T @ Z",
         "Take the products of the rows, Z @ Z.T, because the examples are rows. Your table compares columns."),
        (TABLE, "Z * Z", "Use Z @ Z.T for the products of all rows with all rows. * multiplies entry by entry."),
        (TABLE, "np.cumsum(Z, axis=0) @ Z.T",
         "Let each row stand for one correction. Your theta goes on changing from row to row."),
        (TABLE, "np.outer(y, y) * np.linalg.norm(X[:, None] - X, axis=2)",
         "Take products, y_i y_j (x_i . x_j + 1). Your table holds distances."),
        (TABLE, "np.diag((Z**2).sum(axis=1))",
         "Fill in the other examples too. Their agreements change by y_i y_j (x_i . x_j + 1)."),
        (TABLE, "(Z**2).sum(axis=1)",
         "Return a table with a row and a column for each example. You have only what each does to itself."),
        (TABLE, "Z @ Z.T / np.outer(*2 * [np.linalg.norm(Z, axis=1)])",  # 0 stays 0
         "Add y (x, 1) as it is. You give all examples the same length."),
        (VERDICT, "bool((table.sum(axis=1) >= 0).all())",
         "Return False as soon as one agreement falls. You add the changes up."),
        (VERDICT, "bool((table[0] >= 0).all())",
         "Look at every row, because any correction may hurt. Your verdict looks at the first row alone."),
        (VERDICT, "(table >= 0).sum()", "Return True or False, as from np.all. Your `harmless` is a count."),
        (VERDICT, "bool((table > 0).all())",
         "Your verdict is False in every case. Ask whether all entries are >= 0, because a change of 0 lowers no "
         "agreement."),
        (VERDICT, "bool((table >= 0).any())",
         "Ask whether all entries are >= 0. Your verdict is always True, but one entry below 0 is enough for False."),
        (VERDICT, "bool((table < 0).any())", "Turn your verdict around. True means that no agreement falls."),
    ],
    hints=[
        "Before, the agreement of j is y_j theta . (x_j, 1). Afterward it is y_j (theta + y_i (x_i, 1)) . (x_j, 1). "
        "What is left when you subtract?",
        "What is left is y_i y_j (x_i, 1) . (x_j, 1). How can you write (x_i, 1) . (x_j, 1) with x_i . x_j?",
        "If the rows of Z are the y_i (x_i, 1), then Z @ Z.T holds all products of its rows at once. Are all of them "
        ">= 0?",
    ],
)


def worst_order_cases(rng):
    for k, (n, d) in enumerate(((2, 1), (3, 1), (3, 2), (4, 2), (3, 1))):
        orders, told = list(itertools.permutations(range(n))), False
        while not told:
            X, y = separable(rng, n, d)
            Z = [(label * np.append(x, 1)).tolist() for x, label in zip(X, y, strict=True)]
            found = [made([Z[i] for i in order]) for order in orders]
            least, most = min(found), max(found)
            worst = np.array(orders[found.index(most)])
            told = n < most <= 16 and (n == 2 or (found[0] < most and found.count(most) > 1))
            if k == 4:  # the last order alone
                told = found.index(most) == len(orders) - 1 and most <= 16
            if n == 4:
                told &= least < found[0] and (np.argsort(worst) != worst).any()
        yield X, y


def made(Z):
    """Mistakes, at most 17, where the rows of Z are y (x, 1) in their order."""
    theta, mistakes, changed = [0.0] * len(Z[0]), 0, True
    while changed and mistakes < 17:
        changed = False
        for z in Z:
            if sum(t * v for t, v in zip(theta, z, strict=True)) <= 0:
                theta, mistakes, changed = [t + v for t, v in zip(theta, z, strict=True)], mistakes + 1, True
    return mistakes


MORE, ORDERS = "mistakes > most", "itertools.permutations(range(len(X)))"
PASSES = "while changed:\n            changed = False"

task(
    "worst_order",
    returns=("order", "mistakes"),
    cases=worst_order_cases,
    mistakes=[
        (MORE, "mistakes >= most",
         "Return the first of several orders with the most mistakes, with > instead of >=. You return the last."),
        ("most = None, -1", "most = None, 99", MORE, "mistakes < most",
         "Look for the most mistakes, because you are the opponent. You look for the fewest."),
        ("list(order), mistakes\n", "list(np.argsort(order)), mistakes\n",
         "Return the order as permutations gives it, so that its first entry is the row that comes first. Yours says "
         "for each row at which place it comes."),
        *((ORDERS, few,
        "Try all orders that itertools.permutations(range(n)) gives. You try only some of them.") for few in (
            f"list({ORDERS})[:-1]", f"list({ORDERS})[1:]", "[tuple(range(len(X))), tuple(range(len(X)))[::-1]]",
            "[(*range(k, len(X)), *range(k)) for k in range(len(X))]")),
        (ORDERS, "itertools.product(range(len(X)), repeat=len(X))",
         "Use itertools.permutations, which has each row once. Your orders leave examples out and repeat others."),
        *((PASSES, f"for _ in range({few}):", "Keep going until a pass has no mistakes. You stop after a few passes.")
          for few in (2, 3)),
        ("changed = False", "changed, mistakes = False, mistakes + 1", "mistakes, changed = mistakes + 1, True",
         "changed = True", "Count mistakes. You count passes."),
        (ORDERS, "[range(len(X))]",
         "Try all of itertools.permutations(range(n)), and begin each run at theta = 0. You return the order in which "
         "the examples came."),
        (PASSES, "for _ in range(1):", "Keep going until a pass has no mistakes. You make a single pass."),
        ("<= 0", "< 0",
         "You count no mistakes at all. A score of exactly 0 is one, so test y f <= 0, and add up the mistakes of all "
         "passes."),
        ("return worst, most", "return worst, theta",
         "Return the number of mistakes as the second part. Yours is a theta."),
        (then(order=lambda order, y: y[order]), "Return the row numbers. Your `order` holds the labels."),
        (then(mistakes=lambda m, X: m + len(X)),
         "Count mistakes only. You also count the visits of the last, clean pass."),
    ],
    hints=[
        "You have written the perceptron already. What must it return for one order, and which orders are there?",
        "For each order of itertools.permutations(range(n)), begin at theta = 0 and make passes until one is clean. "
        "When should the best count so far be replaced, so that the first of equals stays?",
        "list(order) makes a list of the permutation. Inside, use a while loop with a flag `changed`, and in it for i "
        "in order.",
    ],
)


def bound_cases(rng):
    for n, d in ((2, 1), (3, 2), (4, 1), (5, 2), (5, 3), (6, 2), (8, 3)):
        while True:
            X, theta = quarters(rng, n, d), quarters(rng, d + 1)
            f = X @ theta[:-1] + theta[-1]
            sizes, length = np.sort(np.abs(f)), np.linalg.norm(theta)
            # far enough from every tie that only another formula gives another answer
            if (
                sizes[0] >= 0.25
                and sizes[1] >= sizes[0] + 0.25
                and len(np.unique(f > 0)) == 2
                and abs(length - 1) > 0.2
                and np.linalg.norm(X, axis=1).argmax() != np.abs(f).argmin()
                and theta[:-1].any()
                and theta[-1]
            ):
                break
        y = np.sign(f)
        yield X, y, theta
        if n > 4:  # the example on the wrong side is the one with the largest score, or with the smallest
            for one in (np.abs(f).argmax(), np.abs(f).argmin()):
                yield X, np.where(np.arange(n) == one, -y, y), theta
    a, b = rng.choice([0.75, 1.25, 1.5, 1.75], 2, replace=False)
    for y in (1.0, -1.0):  # gamma is 0, also for those who divide theta by its length first
        yield np.array([[1.0, 0.0], [2.0, 1.0], [-1.0, -2.0]]), np.array([y, 1.0, -1.0]), np.array([a, b, -a])


RADIUS, LEAST, LIMIT = (
    "np.linalg.norm(Z, axis=1).max()", "(y * (Z @ theta)).min()", "(R / gamma) ** 2 if gamma > 0 else np.inf"
)
NO_MARGIN = "Return np.inf where gamma <= 0, because this theta separates nothing and so promises nothing."

task(
    "bound",
    returns=("R", "gamma", "limit"),
    cases=bound_cases,
    mistakes=[
        *((RADIUS, wrong, sentence) for wrong, sentence in (
            ("np.linalg.norm(X, axis=1).max()",
             "Include the constant feature in `R`. It is the length of the longest (x, 1), not of the longest x."),
            ("(X**2).sum(axis=1).max()",
             "Take the square root of 1 + ||x||^2. Your `R` is squared already, and misses the constant feature."),
            ("np.linalg.norm(Z, axis=1).min()",
             "Take the length of the longest example. Your `R` is that of the shortest."),
            ("np.linalg.norm(Z, axis=1).mean()",
             "Take the length of the longest example. Your `R` is the mean length."),
            ("np.linalg.norm(Z)",
             "Measure each row (axis=1) and take the longest. Your `R` is the norm of the whole matrix."),
            ("np.linalg.norm(Z, 2)",
             "Measure each row (axis=1) and take the longest. Your `R` is the norm of the whole matrix."),
            ("np.linalg.norm(X)",
             "Measure each row of (x, 1) (axis=1) and take the longest. Your `R` is the norm of the whole matrix X."),
            ("np.linalg.norm(Z, axis=0).max()",
             "Take norms along axis=1, because an example is a row. Your `R` measures columns."),
            ("np.abs(Z).max()", "Take the length of the longest example. Your `R` is the largest entry."),
            ("Z.max()", "Take the length of the longest example. Your `R` is the largest entry of X."),
            ("np.linalg.norm(X, axis=1).max() + 1",
             "Put the 1 of the constant feature under the square root, ||(x, 1)||. You add it to the length of x."),
            ("np.abs(Z).sum(axis=1).max()", "Take the square root of the sum of squares. Your `R` adds up entries."),
        )),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]",
         "Append the constant 1 after x, because the bias is last in theta. Yours comes first."),
        (" / np.linalg.norm(theta)", "",
         "Divide `gamma` by ||theta||. Doubling theta must not double the margin."),
        ("norm(theta)", "norm(theta[:-1])",
         "Divide `gamma` by the length of the whole theta, bias included. You divide by that of the weights alone."),
        ("np.linalg.norm(theta)", "(theta @ theta)",
         "Divide `gamma` by the length of theta, not by its square."),
        *((LEAST, wrong, sentence) for wrong, sentence in (
            ("(y * (X @ theta[:-1])).min()",
             "Add the bias to the score in `gamma`: theta[:-1] . x + theta[-1]."),
            ("(y * (Z @ theta) / np.linalg.norm(Z, axis=1)).min()",
             "Divide by the length of theta alone. Your `gamma` also divides by the length of each example."),
            ("(Z @ theta).min()",
             "Take the smallest y f / ||theta||, not the smallest f. Your `gamma` lost the labels."),
            ("np.abs(Z @ theta).min()",
             "Use y f instead of |f| in `gamma`. An example on the wrong side counts as negative."),
            ("(m := y * (Z @ theta))[m > 0].min()",
             "Look at the wrong examples too. They have a negative margin, and `gamma` is the smallest of all."),
            ("(y * (Z @ theta)).max()",
             "Take the smallest margin, that of the worst example. Your `gamma` is the largest."),
            ("(y * (Z @ theta)).mean()",
             "Take the smallest margin, that of the worst example. Your `gamma` is the mean."),
            ("(y * (Z @ theta)).sum()",
             "Take the smallest margin, that of the worst example. Your `gamma` is the sum of all."),
        )),
        *((LIMIT.split(" if")[0], wrong, sentence) for wrong, sentence in (
            ("R ** 2 / gamma", "Square the whole ratio, (R/gamma)^2. You square R alone."),
            ("(gamma / R) ** 2", "Turn the bound upside down. It is (R/gamma)^2."),
        )),
        (" if gamma > 0 else np.inf", "", NO_MARGIN),
        *(("np.inf", wrong, f"{NO_MARGIN} Yours is {wrong} there.")
          for wrong in ("0", "-1", "None", "np.nan", "-np.inf")),
    ],
    hints=[
        "Append the constant 1 to every x first, with np.column_stack. R, theta and the bound live in that space.",
        "R is the largest np.linalg.norm(row). gamma is the smallest y f, divided by np.linalg.norm(theta). Does your "
        "theta include the bias?",
        "np.linalg.norm(Z, axis=1) measures all rows of Z at once, and .max() and .min() pick the longest and the "
        "worst. What does the sign of gamma tell you before you divide by it?",
    ],
)

# The trace by hand as a program, so that slips can be made in it.
TRACE = f"""
theta, rows = np.zeros(3), []
for x, y in zip(np.array([[1, 1], [0, 1], [0, 2]] * 2), [1, -1, 1] * 2):
    f = {SCORE}
    before, wrong = theta, {TEST}
    if wrong:
        theta = theta + {CHANGE}
    rows.append((f, wrong, *theta))
"""


def by_hand(*edits):
    code, space = TRACE, {"np": np}
    for old, new in zip(edits[::2], edits[1::2], strict=True):
        code = code.replace(old, new)
    exec(code, space)
    return lambda: space["rows"]


task(
    "hand_trace",
    returns=tuple(f"visit {v}" for v in range(1, 7)),
    mistakes=[*((by_hand(*edits), sentence) for *edits, sentence in (
        *VISITS,
        ("*theta)", "*before)", "Write down theta as the visit leaves it. Yours is the one before each visit."),
        ("(f, ", f"({SCORE}, ",
         "Take the score with theta as it is before the visit. Yours is the score after the correction."),
        ("(f, ", "(y * f, ", "Write down the score f itself, whatever the label. Your first column is y f."),
        ("wrong, *", "not wrong, *",
         "Write 1 for a mistake and 0 for none. Your second column is the other way around."),
        ("*theta)", "theta[2], *theta[:2])", "Write theta as w1, w2, bias. Your bias comes first."),
        ("(f, ", "(np.sign(f), ", "Write down the score f itself. Your first column is the predicted label."),
        ("    rows.append((f, wrong, *theta))",
         "    rows.append((f, wrong, *theta))\nrows = [(f, m, *theta) for f, m, *_ in rows]",
         "Append a copy. All your rows show the last theta, because the list holds the same array again and again."),
        ("f = ", "theta = theta * (len(rows) != 3)\n    f = ",
         "Go on with theta as visit 3 leaves it. Your second pass begins at theta = 0 again."),
        ("f = ", "theta = 0 * theta\n    f = ",
         "Go on with theta as the previous visit left it. Each of your visits begins at theta = 0."),
        )),
        *slips(
            "visit 3", ((0, 0, 1, 0, 0),
            "Call visit 3 a mistake. Its score is exactly 0, which is wrong for either label."),
            ((0, 1, 1, 2, 0), "Add 1 to the bias in visit 3, too."),
            ((0, 1, 1, -2, -1), "Add (x, 1) in visit 3, because its label is +1."),
        ),
        *slips("visit 4", ((4, 1, 2, 3, 2),
        "Leave theta alone in visit 4. Its score and label are positive, so it is no mistake.")),
        *slips(
            "visit 5",
            ((3, 0, 1, 2, 1), "Call visit 5 a mistake. Its label is -1, and its score is positive."),
            ((3, 1, 1, 3, 2), "Subtract (x, 1) from theta in visit 5, because its label is -1."),
        ),
        *slips("visit 6", ((2, 1, 1, 3, 1),
        "Leave theta alone in visit 6. Its score and label are positive, so it is no mistake.")),
    ],
    hints=[
        "Theta is (0, 0, 0) before the first visit. For each visit write f = w1 x1 + w2 x2 + bias, with theta as the "
        "visit before left it.",
        "If y f <= 0, it's a mistake: add y (x1, x2, 1) to theta. If not, theta is the same as in the row above. What "
        "about a score of exactly 0?",
        "Count the mistakes in your six rows. There should be four, and the bias should end at 0.",
    ],
)


def ends(X, y, passes):
    """theta at the start and after each pass that made a mistake; whether the last pass was clean."""
    theta = np.zeros(X.shape[1] + 1)
    found = [theta]
    for _ in range(passes):
        for i in range(len(X)):
            theta = update(theta, X[i], y[i])
        if theta is found[-1]:
            return found, True
        found.append(theta)
    return found, False


def cycle_cases(rng):
    X, y = separable(rng, 4, 2)
    while not ends(X, y, 1)[0][-1].all():
        X, y = separable(rng, 4, 2)
    yield X, y, 1
    wanted = {"one": 1, "longer": 2, "late": 2, "separable": 2}
    while any(wanted.values()):
        n, d = int(rng.integers(2, 6)), int(rng.integers(1, 3))
        X, y = rng.integers(-2, 3, (n, d)).astype(float), rng.choice([-1.0, 1.0], n)
        found, clean = ends(X, y, 30)
        length = cycle(X, y, 30)
        if length is None and not (clean and len(found) > 3):
            continue
        again = next((k for k in range(1, 31) if not clean and length > 1 and cycle(X, y, k)), 0)
        kind = "separable" if clean else "one" if length == 1 else "late" if again > length else "longer"
        if not wanted[kind]:
            continue
        wanted[kind] -= 1
        yield X, y, 30
        if kind in ("late", "longer"):
            yield X, y, again  # just long enough to see it
            yield X, y, again - 1
        if kind == "late":
            yield X, y, again - 2


FOUND, LENGTH = "tuple(theta) in seen", "len(seen) - seen.index(tuple(theta))"
END = "seen.append(tuple(theta))\n    return None"

task(
    "cycle",
    returns="length",
    cases=cycle_cases,
    mistakes=[
        (lambda X, y, passes: None,
         "You return None in every case. Test y f <= 0, with the bias in f. Only a pass without a mistake is clean; "
         "after any other, compare theta with all earlier ones."),
        ("None\n        if tuple", "1\n        if tuple",
         "Return None after a pass without a mistake. Theta stays as it was there, but that is success, not a cycle."),
        *(("[tuple(theta)]", "[]", *more,
        "Keep the start in your list. theta = 0 is one of the values that may come back.")
          for more in ((), (LENGTH, f"1 + {LENGTH}"))),
        (FOUND, "True", LENGTH, "0",
         "You return 0 in every case. Compare theta with the list before you append it, or it finds itself."),
        (FOUND, "not theta.any()", "Compare with all earlier values. Yours looks at the start alone."),
        (FOUND, "tuple(theta) == seen[-1]",
         "Keep all earlier thetas, because a cycle may take several passes. You look only at the previous pass."),
        (END, "pass\n    return None", FOUND, "False", "clean = False\n", "clean = False\n"
         f"                if {FOUND}:\n                    return {LENGTH}\n"
         "                seen.append(tuple(theta))\n",
         "Compare at the end of each pass. You compare after each mistake, but within a pass theta may come back and "
         "go on."),
        (FOUND, "False", END, "pass\n    return None", "clean = False\n", "clean = False\n"
         f"            if {FOUND}:\n                return {LENGTH}\n            seen.append(tuple(theta))\n",
         "Compare at the end of each pass. You compare after each visit, but a right one leaves theta as it was."),
        (LENGTH, "len(seen)",
         "Subtract the pass where theta was first. You return the pass at which it came back."),
        (LENGTH, "len(seen) - 1",
         "Return the number of passes between the two appearances of theta. You return the pass, counted from 0, at "
         "which it came back."),
        (LENGTH, "seen.index(tuple(theta))",
         "Return how many passes later theta came back. You return the pass where it was first."),
        (LENGTH, "True", "Return the length of the cycle in passes. You return whether theta comes back."),
        (then(lambda length: length is not None),
         "Return the length of the cycle in passes, or None. You return whether theta comes back."),
        (then(lambda length: length or 0), "Return None, not 0 or False, where no theta comes back."),
        ("None\n        if tuple", "0\n        if tuple",
         "Return None, not 0 or False, after a pass without a mistake."),
        *((END, END.replace("None", wrong),
           f"Return None, not {wrong}, when the passes are used up without a repeat.")
          for wrong in ("0", "-1", "passes")),
        (then(lambda length: length or -1), "Return None, not -1, where no theta comes back."),
        (then(lambda length, X: length and length * len(X)),
         "Return the length in whole passes. You count visits."),
        ("range(passes)", "range(passes - 1)",
         "Make one more pass. `passes` is the number of passes you may make."),
        ("range(passes)", "range(passes + 1)", "Make one pass fewer. `passes` is the most you may make."),
        ("range(passes)", "range(100)", "Return None after `passes` passes without a repeat. You ignore the limit."),
        *((FOUND, f"any({same} for s in seen)", LENGTH, f"next(len(seen) - k for k, s in enumerate(seen) if {same})",
           f"Compare all entries of theta, with np.array_equal. {few}.") for same, few in (
            ("(theta == s).any()",
             "One equal entry is not enough"), ("(theta == s)[:-1].all()", "You compare the weights alone"),
            ("theta.sum() == sum(s)", "You compare sums"), ("theta @ theta == np.dot(s, s)", "You compare lengths"))),
        (FOUND, "True", LENGTH, "1",
         "Every run of yours has a cycle of length 1. Append a copy of theta, or your list holds the same array again "
         "and again."),
        ("clean = True", "clean, theta = True, 0 * theta",
         "Set theta to 0 once, before the first pass, and write theta = theta + ..., because += changes the thetas "
         "that you stored. Yours seems to come back after every pass."),
        *in_loops([VISITS[1], VISITS[14]]),  # the others never find a repeat, or find the right ones
    ],
    hints=[
        "Keep a list of theta at the end of every pass. What should be in it before the first?",
        "If a pass made no mistake, return None. If it made some, look for an equal theta in the list, and only then "
        "append the new one. Why in this order?",
        "tuple(theta) can be compared with == as a whole, and .index finds its place in a list of tuples. How many "
        "places is it from there to the end of the list?",
    ],
)
