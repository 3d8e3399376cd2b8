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
     "A score of exactly 0 is a mistake too: test y f <= 0, not y f < 0, or nothing ever starts from theta = 0."),
    (TEST, "(1 if f >= 0 else -1) != y",
     "A score of exactly 0 is a mistake whatever the label: test y f <= 0 instead of comparing y with a sign that "
     "takes 0 for +1."),
    (TEST, "True", "You correct at every visit: theta may change only after a mistake, y f <= 0."),
    (TEST, "y * f >= 0",
     "The test is the wrong way round: correct the examples that are wrong (y f <= 0), not those with y f >= 0."),
    (TEST, "f <= 0", "Your test looks at f alone: whether a score is a mistake depends on the label, y f <= 0."),
    (CHANGE, "np.append(x, 1)",
     "The correction lost its label: add y (x, 1), so that negative examples push theta the other way."),
    (CHANGE, "-y * np.append(x, 1)",
     "The correction has the wrong sign: y (x, 1) is added, so that the agreement y f of this example grows."),
    (CHANGE, "f * np.append(x, 1)", "The correction is y (x, 1): it takes the label y, not the score f."),
    (CHANGE, "(y - f) * np.append(x, 1)",
     "The correction is y (x, 1), whatever the size of the score; y - f belongs to least squares."),
    (CHANGE, "(y - np.sign(f)) * np.append(x, 1)",
     "Your correction is twice too long where the sign was wrong: y - sign(f) is 2y there; add y (x, 1)."),
    (CHANGE, "2 * y * np.append(x, 1)",
     "Your correction is twice too long: y minus the predicted label is 2y; add y (x, 1)."),
    (CHANGE, "0.1 * y * np.append(x, 1)",
     "Your correction is scaled down: the step size here is 1, so add y (x, 1) as it is."),
    (CHANGE, "0.5 * y * np.append(x, 1)",
     "Your correction is halved: the step size here is 1, so add y (x, 1) as it is."),
    (SCORE, "theta[:-1] @ x", "The score misses the offset: f = theta[:-1] . x + theta[-1]."),
    (CHANGE, "y * np.append(x, 0)",
     "The offset never changes: it is the weight of the constant attribute 1, so a mistake adds y to it."),
    (CHANGE, "np.append(y * x, 1)",
     "The offset grows by 1 at every mistake: it must grow by y, which is -1 for a negative example."),
    (CHANGE, "np.append(y * x, -y)",
     "The offset moves the wrong way: a mistake adds y to it, as it adds y x to the weights."),
    (CHANGE, "y * np.append(0 * x, 1)", "Only the offset changes: a mistake also adds y x to the weights."),
]
TURNED = (SCORE, "theta[1:] @ x + theta[0]", CHANGE, "y * np.append(1, x)",
          "Your offset comes first: here it is the last entry of theta, and the constant 1 is appended after x.")
NEAR = [  # these make no difference in the trace by hand
    (TEST, "(1 if f > 0 else -1) != y",
     "A score of exactly 0 is a mistake whatever the label: test y f <= 0 instead of comparing y with a sign that "
     "takes 0 for -1."),
    *((TEST, f"y * f {below} 1",
       "You also correct examples that are on the right side with a small score: the perceptron leaves them alone (y "
       f"f <= 0, not y f {below} 1).") for below in ("<=", "<")),
]
ONCE = [  # these are like others when theta starts at 0
    (TEST, "y * f > 0",
     "The test is the wrong way round: correct the examples that are wrong (y f <= 0), not those that are right."),
    (CHANGE, "-f * np.append(x, 1)", "The correction is y (x, 1): it takes the label y, not minus the score f."),
    (SCORE, "theta[:-1] @ x", CHANGE, "y * np.append(x, 0)",
     "The offset is left out altogether: it is part of the score, and a mistake adds y to it."),
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


WHOLE = "Fractions get lost: an array of integers cuts them off, so use floats."

task(
    "update",
    returns="theta",
    cases=update_cases,
    mistakes=[
        *VISITS,
        TURNED,
        *NEAR,
        *ONCE,
        (lambda theta, x, y: theta, "Your theta never changes: after a mistake (y f <= 0) return theta + y (x, 1)."),
        ("return theta + ", "return ", "return theta\n", "return 0 * theta\n",
         "You return the correction alone: add it to theta."),
        ("return theta + ", "return ", "After a mistake you return the correction alone: add it to theta."),
        ("return theta\n", "return 0 * theta\n",
         "A visit that is no mistake leaves theta as it came: yours becomes 0."),
        (CHANGE, "y * np.append(1, x)", "Your 1 comes first: the offset is last, np.append(x, 1)."),
        (until_right, "You stay with the example until it is right: correct once (if, not while)."),
        *((cut, WHOLE) for cut in (
            lambda theta, x, y: update(np.trunc(theta), x, y),
            lambda theta, x, y: np.trunc(update(np.trunc(theta), x, y)),
            lambda theta, x, y: np.trunc(theta) + update(theta, x, y) - theta,
            lambda theta, x, y: np.trunc(np.trunc(theta) + update(theta, x, y) - theta),
        )),
        (then(lambda theta: theta[:-1]),
         "The offset is missing from what you return: theta has d + 1 entries, the offset last."),
    ],
    hints=[
        "First the score: f = theta[:-1] @ x + theta[-1]. Then ask whether it is a mistake.",
        "A mistake is y * f <= 0. If it is none, return theta as it came.",
        "After a mistake theta moves by the example with the constant 1 behind it, np.append(x, 1), towards its label: "
        "with a plus or a minus, as y says.",
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
         "Your run ends after the first pass: return only when a whole pass made no mistake, or passes are used up."),
        (STOP, "False",
         NOTE, NOTE + "            if len(mistakes) == before:\n                return thetas, mistakes, p\n",
         "Your run ends at the first example that is right: whether a pass was clean is known after its last example."),
        (STOP, "y[i] * f > 0",
         "Your run ends when the last example of a pass is right: it may end only when the whole pass was."),
        ("mistakes, p\n", "mistakes, p - 1\n",
         "The last pass is not counted: the pass without a mistake was made too."),
        (STOP, "False",
         "Your `passes_made` is always `passes`: stop after the first pass without a mistake, and count those made."),
        (then(passes_made=lambda p: p - 1),
         "Your `passes_made` is one too small: range(passes) counts from 0, the number of passes from 1."),
        (lambda X, y, passes: perceptron(X, y, passes - 1),
         "You make one pass too few: passes is the number of passes that may be made."),
        (lambda X, y, passes: perceptron(X, y, passes + 1),
         "You make one pass too many: passes is the most that may be made."),
        ("thetas, mistakes = [], []", "thetas, mistakes = [theta], []",
         "Your `thetas` begins with the start: it has one row for each mistake, theta after it, and no row for theta = "
         "0."),
        ("theta = theta +", "old = theta; theta = theta +", "append(theta)", "append(old)",
         "You note theta before the correction: thetas holds it as it is after each mistake."),
        ("theta = theta +", "theta +=",
         "All rows of your thetas are the last theta: the list holds the same array again and again; append a copy, or "
         "make a new array with theta = theta + ..."),
        ("append(theta)", "append(theta[:-1])",
         "Your `thetas` lacks the offset: its rows have d + 1 entries, the offset last."),
        ("np.append(X[i], 1)", "np.append(X[i], 0)", "append(theta)", "append(theta[:-1])",
         "There is no offset: theta has d + 1 entries, and a mistake adds y to the last."),
        ("np.append(X[i], 1)", "np.append(X[i], 1) / len(X)",
         "Your correction is divided by n: the perceptron corrects by one example at a time, add y (x, 1) as it is."),
        (then(passes_made=lambda p, mistakes: len(mistakes)),
         "Your `passes_made` is the number of mistakes: count whole passes over the examples."),
        (then(passes_made=lambda p, X: p * len(X)),
         "Your `passes_made` is the number of visits: count whole passes over the examples."),
        ("append(i)", "append((p - 1) * len(X) + i)",
         "Your mistakes are numbers of visits: they hold rows of X, which start from 0 again in each pass."),
        (then(mistakes=lambda mistakes: sorted(set(mistakes))),
         "Your `mistakes` names each example once: it has an entry for each mistake, in the order they were made."),
        (then(thetas=np.ravel),
         "Your `thetas` is one flat row: np.append flattens, a list's .append keeps rows apart."),
        ("np.zeros(X.shape[1] + 1)", "np.ones(X.shape[1] + 1)",
         "Your theta starts at ones: the algorithm starts at 0."),
        ("range(len(X))", "range(len(X) - 1)", "The last example is never visited: range(n) ends before n by itself."),
        ("                thetas.append(theta)\n", "",
         f"        if {STOP}", f"        thetas.append(theta)\n        if {STOP}",
         "Your `thetas` has a row for each pass: it has one for each mistake."),
        (then(mistakes=len),
         "Your `mistakes` is only their number: collect which example each mistake was made on, in order."),
        (*CLEAN, NOTE, "            thetas.append(theta)\n            mistakes.append(i)\n",
         "You note every visit: thetas and mistakes have an entry for each mistake only."),
        (*CLEAN, NOTE, "                mistakes.append(i)\n            thetas.append(theta)\n",
         "Your `thetas` has a row for every visit: it has one for each mistake only."),
        (*CLEAN, NOTE, "                thetas.append(theta)\n            mistakes.append(i)\n",
         "Your `mistakes` has an entry for every visit: it has one for each mistake only."),
        (*CLEAN, "before = theta", "before, thetas, mistakes = theta, [], []",
         "Your lists begin again in every pass: set them to [] once, before the first, or only the last pass is left."),
        ("if y[i] * f", "while y[i] * (theta[:-1] @ X[i] + theta[-1])",
         "You stay with an example until it is right: correct it once (if, not while) and go on to the next."),
        ("append(i)", "append(i); break",
         "You begin again at the first example after each mistake: go on to the next, a pass visits them all."),
        (START, "before, old = len(mistakes), theta", "theta[:-1] @ X[i] + theta[-1]", "old[:-1] @ X[i] + old[-1]",
         "The mistakes of a pass are found with an old theta: correct at once, before the next example is scored."),
        (START, "before, theta = len(mistakes), 0 * theta",
         "Your theta begins at 0 in every pass: set it to 0 once, before the first."),
        ("range(len(X))", "reversed(range(len(X)))",
         "You visit the examples from the last to the first: the order here is 0, 1, ..., n-1."),
    ],
    hints=[
        "Two loops, one inside the other: passes outside, the examples 0, 1, ..., n-1 inside. theta starts at 0 once, "
        "before both.",
        "At each mistake append the example's number to one list and the new theta to another. A pass was clean if "
        "neither list grew during it: then stop.",
        "Note len(mistakes) at the beginning of a pass and compare at its end. Make a new array at each mistake (theta "
        "= theta + ...), or all rows become the same. range(1, passes + 1) counts passes from 1.",
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
        (FOUND_AT, "return v, theta", "Your visit is counted from 0: the first visit has the number 1."),
        (FOUND_AT, "return v % len(X), theta",
         "You return the example's row: return the number of the visit, counted through all passes."),
        (FOUND_AT, "return v % len(X) + 1, theta",
         "Your count begins again with each pass: the visits are counted through, 1, 2, ..., v."),
        (FOUND_AT, "return v // len(X) + 1, theta", "You return the pass: return the number of the visit."),
        ("X[v % len(X)], y[v % len(X)]", "X[min(v, len(X) - 1)], y[min(v, len(X) - 1)]",
         "After the last example the order begins again with 0: visit v belongs to example v % n."),
        (FOUND_AT, "return v + 1, thetas[v]", "Your theta is the wrong row itself: return what should stand there."),
        (then(theta=lambda theta, visit, thetas: theta if visit == 0 else thetas[int(visit) - 2] if visit > 1
              else 0 * theta),
         "Your theta is the one before that visit: return what the visit should have led to."),
        ("<= 0", "< 0", "A score of exactly 0 is a mistake too, y f <= 0, and a row is theta after its visit."),
        ("label * np.append(x, 1)", "np.append(x, 1)",
         "Your own correction has lost its label: a mistake adds y (x, 1)."),
        ("label * np.append(x, 1)", "np.append(label * x, 1)",
         "Your own correction adds 1 to the offset at every mistake: it must add y."),
        ("label * np.append(x, 1)", "label * np.append(x, 0)",
         "Your own correction leaves the offset as it is: a mistake adds y to it."),
        ("theta[:-1] @ x + theta[-1]", "theta[:-1] @ x",
         "Your own score misses the offset: f = theta[:-1] . x + theta[-1]."),
        ("label * (theta[:-1] @ x + theta[-1]) <= 0", "True",
         "You correct at every visit: theta may change only after a mistake, y f <= 0."),
        (ALL_RIGHT, "return None, theta", "If all rows are right, visit is 0, not None."),
        (ALL_RIGHT, "return -1, theta", "If all rows are right, visit is 0, not -1."),
        (ALL_RIGHT, "return len(thetas), theta", "If all rows are right, visit is 0, not the number of visits."),
        (ALL_RIGHT, "return 0, None", "If all rows are right, theta is the last row, not None."),
        (f"{FOUND_AT}\n    {ALL_RIGHT}", "found = v + 1, theta\n    return found if 'found' in dir() else (0, theta)",
         "You return the last row that differs: return the first."),
        (ALL_RIGHT, "return 0, 0 * theta", "If all rows are right, theta is the last row."),
        ("range(len(thetas))", "range(len(X))",
         "You stop after one pass: the trace goes on, visit v belongs to example v % n."),
        ("theta = np.zeros(X.shape[1] + 1)", "theta = thetas[0]",
         "You begin with the first row, which may be wrong: begin at theta = 0."),
        ("label * (theta[:-1] @ x + theta[-1]) <= 0", "theta[:-1] @ x + theta[-1] <= 0",
         "Your own test looks at f alone: whether a score is a mistake depends on the label, y f <= 0."),
        ("range(len(thetas)):\n", "range(len(thetas)):\n        theta = theta * (v % len(X) > 0)\n",
         "Your own theta begins at 0 again in each pass: go on with theta as the last pass left it."),
        (RIGHT_ROW, "not (theta == thetas[v]).any()", "One equal entry is not enough: a row is right when all are."),
        (RIGHT_ROW, "theta.sum() != thetas[v].sum()", "You compare sums: a row is right when all its entries are."),
        (RIGHT_ROW, "theta[-1] != thetas[v][-1]",
         "You compare the offset alone: a row is right when all its entries are (np.array_equal)."),
        (RIGHT_ROW, "not np.array_equal(theta[:-1], thetas[v][:-1])",
         "You compare the weights alone: the offset belongs to the row too."),
    ],
    hints=[
        "Run the perceptron yourself beside the classmate's rows: visit v (from 0) meets example v % len(X).",
        "After each of your visits compare your theta with thetas[v]: np.array_equal(theta, thetas[v]).",
        "Return at the first row that differs, with v + 1 and your own theta. After the loop return 0 and your theta.",
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
         "The constant attribute is missing: the correction adds y_i to the offset, and that changes all scores."),
        (f"y[:, None] * {WITH_ONE}", WITH_ONE,
         "Your table holds the products of the examples without labels: both y_i and y_j belong to each entry."),
        (TABLE, f"Z @ {WITH_ONE}.T",
         "Your table holds changes of the scores: for the agreement of example j multiply column j by y_j."),
        (TABLE, f"{WITH_ONE} @ Z.T",
         "The label of the corrected example is missing: the correction is y_i (x_i, 1), so multiply row i by y_i."),
        (TABLE, "np.outer(y, y)", "Your table holds the labels alone: how alike the two examples are matters as well."),
        (TABLE, "Z @ Z.T / np.linalg.norm(Z, axis=1)",
         "You divide by a length: the change of the agreement is the plain product."),
        (TABLE, "Z @ Z.T / np.linalg.norm(Z, axis=1)[:, None]",
         "You divide by a length: the change of the agreement is the plain product."),
        (f"y[:, None] * {WITH_ONE}", "y[:, None] * X", TABLE, "Z @ Z.T + 1",
         "Your 1 of the constant attribute has no labels: it is y_i y_j (x_i . x_j + 1)."),
        (TABLE, "Z.T @ Z", "Your table compares columns: Z @ Z.T takes the products of the rows, the examples."),
        (TABLE, "Z * Z", "* multiplies entry by entry: the products of all rows with all rows are Z @ Z.T."),
        (TABLE, "np.cumsum(Z, axis=0) @ Z.T",
         "Your theta goes on changing from row to row: each row is one correction."),
        (TABLE, "np.outer(y, y) * np.linalg.norm(X[:, None] - X, axis=2)",
         "You take distances: the change of the agreement is a product, y_i y_j (x_i . x_j + 1)."),
        (TABLE, "np.diag((Z**2).sum(axis=1))",
         "You have only the example itself: the others change too, by y_i y_j (x_i . x_j + 1)."),
        (TABLE, "(Z**2).sum(axis=1)",
         "You have the examples' own changes alone: a table has a row and a column for each example."),
        (TABLE, "Z @ Z.T / np.outer(*2 * [np.linalg.norm(Z, axis=1)])",  # 0 stays 0
         "You give all examples the same length: a correction adds y (x, 1) as it is."),
        (VERDICT, "bool((table.sum(axis=1) >= 0).all())",
         "Your verdict adds changes up: one agreement that is lowered is enough for False."),
        (VERDICT, "bool((table[0] >= 0).all())", "Your verdict looks at the first row alone: every correction counts."),
        (VERDICT, "(table >= 0).sum()", "Your `harmless` is a count: return True or False, np.all."),
        (VERDICT, "bool((table > 0).all())", "A change of 0 lowers nobody: harmless asks for all entries >= 0."),
        (VERDICT, "bool((table >= 0).any())",
         "Your verdict is always True: one entry below 0 is enough for False, so ask whether all are >= 0."),
        (VERDICT, "bool((table < 0).any())", "Your verdict is turned round: True means that nobody is harmed."),
    ],
    hints=[
        "The agreement of j before: y_j theta . (x_j, 1). After: y_j (theta + y_i (x_i, 1)) . (x_j, 1). Subtract.",
        "What is left is y_i y_j (x_i, 1) . (x_j, 1), and (x_i, 1) . (x_j, 1) = x_i . x_j + 1.",
        "With Z holding the rows y_i (x_i, 1), all products of its rows at once are Z @ Z.T. Then: are all >= 0?",
    ],
)


def worst_order_cases(rng):
    for k, (n, d) in enumerate(((2, 1), (3, 1), (3, 2), (4, 2), (3, 1))):
        orders, told = list(itertools.permutations(range(n))), False
        while not told:
            X, y = separable(rng, n, d)
            found = [made(X, y, order) for order in orders]
            least, most = min(found), max(found)
            worst = np.array(orders[found.index(most)])
            told = n < most <= 16 and (n == 2 or (found[0] < most and found.count(most) > 1))
            if k == 4:  # the last order alone
                told = found.index(most) == len(orders) - 1 and most <= 16
            if n == 4:
                told &= least < found[0] and (np.argsort(worst) != worst).any()
        yield X, y


def made(X, y, order):
    """Mistakes in this order, at most 17."""
    Z = [(y[i] * np.append(X[i], 1)).tolist() for i in order]
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
         "Of several orders with the most mistakes you take the last: return the first one (>, not >=)."),
        ("most = None, -1", "most = None, 99", MORE, "mistakes < most",
         "You look for the order with the fewest mistakes: look for the most, as you are the opponent."),
        ("list(order), mistakes\n", "list(np.argsort(order)), mistakes\n",
         "Your order is turned inside out: its first entry is the row that comes first, as permutations gives it."),
        *((ORDERS, few, "You try some of the orders only: itertools.permutations(range(n)) gives all.") for few in (
            f"list({ORDERS})[:-1]", f"list({ORDERS})[1:]", "[tuple(range(len(X))), tuple(range(len(X)))[::-1]]",
            "[(*range(k, len(X)), *range(k)) for k in range(len(X))]")),
        (ORDERS, "itertools.product(range(len(X)), repeat=len(X))",
         "Your orders leave examples out and repeat others: itertools.permutations has each row once."),
        *((PASSES, f"for _ in range({few}):", "You stop after a few passes: go on until a pass is without a mistake.")
          for few in (2, 3)),
        ("changed = False", "changed, mistakes = False, mistakes + 1", "mistakes, changed = mistakes + 1, True",
         "changed = True", "You count passes: count mistakes."),
        (ORDERS, "[range(len(X))]",
         "Your `order` is the given one: try all of itertools.permutations(range(n)), begin each run at theta = 0, and "
         "return the worst as it is."),
        (PASSES, "for _ in range(1):", "You make a single pass: go on until a pass is without a mistake."),
        ("<= 0", "< 0", "A score of exactly 0 is a mistake too: with y f < 0 nothing ever starts from theta = 0."),
        ("return worst, most", "return worst, theta",
         "Your second part is a theta: return the number of mistakes."),
        (then(order=lambda order, y: y[order]), "Your `order` holds the labels: return the row numbers."),
        (then(mistakes=lambda m, X: m + len(X)), "You count visits of the last, clean pass too: only mistakes count."),
    ],
    hints=[
        "You have written the perceptron already. What must it return for one order, and which orders are there?",
        "For each order of itertools.permutations(range(n)) begin at theta = 0 and make passes until one is clean. "
        "Remember the best count so far and its order; replace them only when the new count is larger, so that the "
        "first of equals stays.",
        "list(order) makes a list of the permutation. Inside: a while loop with a flag `changed`, and in it for i in "
        "order.",
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
NO_MARGIN = "where gamma <= 0 the bound is inf: this theta separates nothing, so it promises nothing."

task(
    "bound",
    returns=("R", "gamma", "limit"),
    cases=bound_cases,
    mistakes=[
        *((RADIUS, wrong, sentence) for wrong, sentence in (
            ("np.linalg.norm(X, axis=1).max()",
             "Your `R` misses the constant attribute: it is the length of the longest (x, 1), not of the longest x."),
            ("(X**2).sum(axis=1).max()",
             "Your `R` is squared already, and misses the constant attribute: take the root of 1 + ||x||^2."),
            ("np.linalg.norm(Z, axis=1).min()",
             "Your `R` is the length of the shortest example: take that of the longest."),
            ("np.linalg.norm(Z, axis=1).mean()",
             "Your `R` is the mean length of the examples: take that of the longest."),
            ("np.linalg.norm(Z)",
             "Your `R` is the norm of the whole matrix: measure each row (axis=1) and take the longest."),
            ("np.linalg.norm(Z, 2)",
             "Your `R` is the norm of the whole matrix: measure each row (axis=1) and take the longest."),
            ("np.linalg.norm(X)",
             "Your `R` is the norm of the whole matrix X: measure each row of (x, 1) (axis=1) and take the longest."),
            ("np.linalg.norm(Z, axis=0).max()",
             "Your `R` measures columns: an example is a row, so take norms along axis=1."),
            ("np.abs(Z).max()", "Your `R` is the largest entry: take the length of the longest example."),
            ("Z.max()", "Your `R` is the largest entry of X: take the length of the longest example."),
            ("np.linalg.norm(X, axis=1).max() + 1",
             "The constant attribute is added to the length of x: it belongs under the root, ||(x, 1)||."),
            ("np.abs(Z).sum(axis=1).max()", "Your `R` adds up entries: a length is the root of the sum of squares."),
        )),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]", "Your constant 1 comes first: the offset is last in theta."),
        (" / np.linalg.norm(theta)", "",
         "Your `gamma` is not divided by ||theta||: doubling theta must not double the margin."),
        ("norm(theta)", "norm(theta[:-1])",
         "Your `gamma` is divided by the length of the weights alone: here theta is measured whole, with its offset."),
        ("np.linalg.norm(theta)", "(theta @ theta)",
         "Your `gamma` is divided by ||theta||^2: divide by the length, not by its square."),
        *((LEAST, wrong, sentence) for wrong, sentence in (
            ("(y * (X @ theta[:-1])).min()",
             "Your `gamma` misses the offset: the score is theta[:-1] . x + theta[-1]."),
            ("(y * (Z @ theta) / np.linalg.norm(Z, axis=1)).min()",
             "Your `gamma` divides by the length of each example: divide by that of theta alone."),
            ("(Z @ theta).min()",
             "Your `gamma` lost the labels: it is the smallest y f / ||theta||, not the smallest f."),
            ("np.abs(Z @ theta).min()",
             "Your `gamma` takes |f|: with y f an example on the wrong side counts as negative."),
            ("(m := y * (Z @ theta))[m > 0].min()",
             "Your `gamma` looks at the right examples alone: a wrong one has a negative margin, and is the worst."),
            ("(y * (Z @ theta)).max()",
             "Your `gamma` is the largest margin: it is that of the worst example, the smallest."),
            ("(y * (Z @ theta)).mean()",
             "Your `gamma` is the mean margin: it is that of the worst example, the smallest."),
            ("(y * (Z @ theta)).sum()",
             "Your `gamma` is the sum of the margins: it is that of the worst example, the smallest."),
        )),
        *((LIMIT.split(" if")[0], wrong, sentence) for wrong, sentence in (
            ("R ** 2 / gamma", "The bound is (R/gamma)^2: yours squares R alone."),
            ("(gamma / R) ** 2", "The bound is upside down: (R/gamma)^2."),
        )),
        (" if gamma > 0 else np.inf", "", f"Mind the case without a margin: {NO_MARGIN}"),
        *(("np.inf", wrong, f"Without a margin the bound is not {wrong}: {NO_MARGIN}")
          for wrong in ("0", "-1", "None", "np.nan", "-np.inf")),
    ],
    hints=[
        "Append the constant 1 to every x first (np.column_stack): R, theta and the bound live in that space.",
        "R = the largest np.linalg.norm(row). gamma = the smallest y f, divided by np.linalg.norm(theta), offset "
        "included.",
        "np.linalg.norm(Z, axis=1) measures all rows of Z at once; .max() and .min() pick the longest and the worst. "
        "Look at the sign of gamma before you divide by it.",
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
        ("*theta)", "*before)", "Your theta is the one before each visit: write down theta as the visit leaves it."),
        ("(f, ", f"({SCORE}, ",
         "Your f is the score after the correction: take it with theta as it is before the visit."),
        ("(f, ", "(y * f, ", "Your first column is y f: write down the score f itself, whatever the label."),
        ("wrong, *", "not wrong, *", "Your second column is upside down: 1 for a mistake, 0 for none."),
        ("*theta)", "theta[2], *theta[:2])", "Your offset comes first: write theta as w1, w2, offset."),
        ("(f, ", "(np.sign(f), ", "Your first column is the predicted label: write down the score f itself."),
        ("    rows.append((f, wrong, *theta))",
         "    rows.append((f, wrong, *theta))\nrows = [(f, m, *theta) for f, m, *_ in rows]",
         "All your rows end with the last theta: the list holds the same array again and again; append a copy."),
        ("f = ", "theta = theta * (len(rows) != 3)\n    f = ",
         "Your second pass begins at theta = 0 again: it goes on with theta as visit 3 leaves it."),
        ("f = ", "theta = 0 * theta\n    f = ",
         "Each of your visits begins at theta = 0: it goes on with theta as the visit before leaves it."),
        )),
        *slips(
            "visit 3", ((0, 0, 1, 0, 0), "The score of visit 3 is exactly 0: that is a mistake for both labels."),
            ((0, 1, 1, 2, 0), "Visit 3 adds 1 to the offset, too."),
            ((0, 1, 1, -2, -1), "The label of visit 3 is +1: (x, 1) is added."),
        ),
        *slips("visit 4", ((4, 1, 2, 3, 2), "Visit 4 is no mistake, its score and label are positive: theta stays.")),
        *slips(
            "visit 5",
            ((3, 0, 1, 2, 1), "The label of visit 5 is -1: a positive score is a mistake there."),
            ((3, 1, 1, 3, 2), "The label of visit 5 is -1: (x, 1) is taken away from theta, not added."),
        ),
        *slips("visit 6", ((2, 1, 1, 3, 1), "Visit 6 is no mistake, its score and label are positive: theta stays.")),
    ],
    hints=[
        "Before the first visit theta is (0, 0, 0). For each visit write f = w1 x1 + w2 x2 + offset, with theta as the "
        "visit before left it.",
        "A visit with y f <= 0 is a mistake: add y (x1, x2, 1) to theta. Without a mistake theta is the same as in the "
        "row above. Mind a score of exactly 0.",
        "There are four mistakes in the six visits, and the offset ends at 0.",
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
        again = next((k for k in range(1, 31) if cycle(X, y, k)), 0)
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
         "You never find a repeat: correct by y (x, 1) when y f <= 0 (0 included, and the offset in f), and compare "
         "theta after each pass with all earlier ones."),
        ("None\n        if tuple", "1\n        if tuple",
         "A pass without a mistake leaves theta as it was, but that is success, not a cycle: return None there."),
        *(("[tuple(theta)]", "[]", *more, "The start counts: theta = 0 belongs to the values that may come back.")
          for more in ((), (LENGTH, f"1 + {LENGTH}"))),
        (FOUND, "True", LENGTH, "0", "You find theta itself: compare it with the list before you append it."),
        (FOUND, "not theta.any()", "You compare with the start alone: theta may come back to any earlier value."),
        (FOUND, "tuple(theta) == seen[-1]",
         "You compare with the pass before alone: a cycle may take several passes, so keep all earlier thetas."),
        (END, "pass\n    return None", FOUND, "False", "clean = False\n", "clean = False\n"
         f"                if {FOUND}:\n                    return {LENGTH}\n"
         "                seen.append(tuple(theta))\n",
         "You compare after each mistake: within a pass theta may come back and go on, so compare at the end of each."),
        (FOUND, "False", END, "pass\n    return None", "clean = False\n", "clean = False\n"
         f"            if {FOUND}:\n                return {LENGTH}\n            seen.append(tuple(theta))\n",
         "You compare after each visit, though a right one leaves theta as it was: compare at the end of each pass."),
        (LENGTH, "len(seen)",
         "You return the pass at which theta came back: the length is that pass minus the one where it was first."),
        (LENGTH, "len(seen) - 1",
         "You return the pass, counted from 0, at which theta came back: the length is how many passes lie between."),
        (LENGTH, "seen.index(tuple(theta))",
         "You return the pass where the repeated theta was first: the length is how many passes later it came back."),
        (LENGTH, "True", "You return whether theta comes back: return the length of the cycle in passes."),
        (then(lambda length: length is not None),
         "You return whether theta comes back: return the length of the cycle in passes, or None."),
        (then(lambda length: length or 0), "Where no theta comes back return None, not 0 or False."),
        ("None\n        if tuple", "0\n        if tuple",
         "After a pass without a mistake return None, not 0 or False."),
        *((END, END.replace("None", wrong),
           "When the passes are used up without a repeat return None, not "
           f"{wrong}.") for wrong in ("0", "-1", "passes")),
        (then(lambda length: length or -1), "Where no theta comes back return None, not -1."),
        (then(lambda length, X: length and length * len(X)),
         "You count visits: return the length in whole passes."),
        ("range(passes)", "range(passes - 1)",
         "You make one pass too few: passes is the number of passes that may be made."),
        ("range(passes)", "range(passes + 1)", "You make one pass too many: passes is the most that may be made."),
        ("range(passes)", "range(100)", "The limit is ignored: after `passes` passes without a repeat return None."),
        *((FOUND, f"any({same} for s in seen)", LENGTH, f"next(len(seen) - k for k, s in enumerate(seen) if {same})",
           f"{few}: theta has come back when all its entries are equal (np.array_equal).") for same, few in (
            ("(theta == s).any()",
             "One equal entry is not enough"), ("(theta == s)[:-1].all()", "You compare the weights alone"),
            ("theta.sum() == sum(s)", "You compare sums"), ("theta @ theta == np.dot(s, s)", "You compare lengths"))),
        (FOUND, "True", LENGTH, "1",
         "Every run seems to have a cycle of length 1: a list that holds the same array again and again does that; "
         "append a copy."),
        ("clean = True", "clean, theta = True, 0 * theta",
         "Your theta begins at 0 in every pass: set it to 0 once, before the first."),
        *in_loops([VISITS[1], VISITS[14]]),  # the others never find a repeat, or find the right ones
    ],
    hints=[
        "Keep a list of theta at the end of every pass, and put the start (all zeros) in first.",
        "After each pass: if it made no mistake, return None. Else look for an equal theta in the list; only then "
        "append the new one.",
        "tuple(theta) can be compared with == as a whole, and .index finds its place in a list of tuples. How many "
        "places is it from there to the end of the list?",
    ],
)
