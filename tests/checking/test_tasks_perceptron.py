"""Exercise 2: right answers in other spellings, wrong ones in the words of a student."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

# Right answers, as different people would write them.


def update_loop(theta, x, y):
    f = theta[len(x)]
    for j in range(len(x)):
        f += theta[j] * x[j]
    if f * y > 0:
        return list(theta)
    return [theta[j] + y * x[j] for j in range(len(x))] + [theta[-1] + y]


def update_where(theta, x, y):
    z = np.r_[x, 1]
    return np.where(y * theta.dot(z) <= 0, theta + y * z, theta).astype(np.float32)


def update_sign(theta, x, y):
    z = np.concatenate([x, [1.0]])
    return tuple(theta + (np.sign(theta @ z) != y) * y * z)


def update_fractions(theta, x, y):
    theta, x = [Fraction(t) for t in theta], [Fraction(v) for v in x]
    f = sum(t * v for t, v in zip(theta, [*x, 1], strict=True))
    return [t + int(y) * v for t, v in zip(theta, [*x, 1], strict=True)] if y * f <= 0 else theta


def perceptron_arrays(X, y, passes):
    Z = np.c_[X, np.ones(len(X))].astype(np.float32) * y[:, None].astype(np.float32)
    theta = np.zeros(Z.shape[1], dtype=np.float32)
    history, examples, p, clean = np.zeros((0, Z.shape[1])), np.zeros(0, dtype=int), 0, False
    while p < passes and not clean:
        clean, p = True, p + 1
        for i, z in enumerate(Z):
            if not theta @ z > 0:
                theta += z
                history, examples, clean = np.vstack([history, theta]), np.append(examples, i), False
    return history, examples, np.int64(p)


def perceptron_lists(X, y, passes):
    theta, out, who = [0.0] * (len(X[0]) + 1), [], []
    for p in range(1, passes + 1):
        errors = 0
        for i, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
            if label * sum(t * v for t, v in zip(theta, [*x, 1], strict=True)) <= 0:
                theta = [t + label * v for t, v in zip(theta, [*x, 1], strict=True)]
                out.append(theta[:])
                who.append(i)
                errors += 1
        if not errors:
            return [out, who, p]
    return [out, who, passes]


def perceptron_split(X, y, passes):
    w, b = np.zeros(X.shape[1]), 0.0
    thetas, mistakes, made, done = [], [], 0, False
    while not done and made < passes:
        done = True
        made += 1
        for i in range(len(y)):
            if np.sign(w @ X[i] + b) != y[i]:
                w += y[i] * X[i]
                b += y[i]
                thetas.append(np.append(w, b))
                mistakes.append(i)
                done = False
    return np.array(thetas), mistakes, float(made)


def bound_loop(X, y, theta):
    R = max((sum(v * v for v in x) + 1) ** 0.5 for x in X.tolist())
    gamma = np.inf
    for x, label in zip(X, y, strict=True):
        gamma = min(gamma, label * (sum(a * b for a, b in zip(theta[:-1], x, strict=True)) + theta[-1]))
    gamma /= sum(t * t for t in theta) ** 0.5
    return [R, gamma, (R / gamma) ** 2 if gamma > 0 else float("inf")]


def bound_unit(X, y, theta):
    Z = np.hstack([X, np.ones((len(X), 1))]).astype(np.float32)
    unit = theta / np.sqrt(theta @ theta)
    gamma = np.min((Z @ unit.astype(np.float32)) * y)
    R = np.sqrt(np.max(np.sum(Z**2, axis=1)))
    return np.array([R, gamma, R**2 / gamma**2 if gamma > 0 else np.inf])


def bound_scalars(X, y, theta):
    R = np.float32(np.sqrt((np.linalg.norm(X, axis=1) ** 2 + 1).max()))
    margins = [yi * (xi @ theta[:-1] + theta[-1]) / np.linalg.norm(theta) for xi, yi in zip(X, y, strict=True)]
    gamma = sorted(margins)[0]
    return R, np.array(gamma), np.inf if gamma <= 0 else np.square(R / gamma)


TABLE = [(0, 1, 1, 1, 1), (2, 1, 1, 0, 0), (0, 1, 1, 2, 1), (4, 0, 1, 2, 1), (3, 1, 1, 1, 0), (2, 0, 1, 1, 0)]


def cycle_dict(X, y, passes):
    theta, when = np.zeros(X.shape[1] + 1), {}
    for p in range(passes + 1):
        key = theta.tobytes()
        if key in when:
            return np.int64(p - when[key])
        when[key] = p
        if p < passes:
            before = theta
            for x, label in zip(X, y, strict=True):
                if label * (theta @ np.append(x, 1)) <= 0:
                    theta = theta + label * np.append(x, 1)
            if before is theta:
                return None


def cycle_own_perceptron(X, y, passes):
    ends = [[0.0] * (X.shape[1] + 1)]
    for p in range(1, passes + 1):
        thetas, _, made = perceptron_lists(X, y, p)
        if made < p or (p > 1 and len(thetas) == len(perceptron_lists(X, y, p - 1)[0])):
            return None
        if thetas[-1] in ends:
            return len(ends) - ends.index(thetas[-1])
        ends.append(thetas[-1])
    return None


def cycle_arrays(X, y, passes):
    Z = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    theta, seen = np.zeros(Z.shape[1]), np.zeros((1, Z.shape[1]))
    for _ in range(passes):
        mistakes = 0
        for z in Z:
            if z @ theta <= 0:
                theta = theta + z
                mistakes += 1
        if mistakes == 0:
            return None
        same = np.flatnonzero((seen == theta).all(axis=1))
        if len(same):
            return float(len(seen) - same[-1])
        seen = np.vstack([seen, theta])
    return None


def fault_beside(X, y, thetas):
    """Compares every row with what follows from the row above it."""
    before = [0.0] * (X.shape[1] + 1)
    for v, row in enumerate(thetas.tolist()):
        x, label = X[v % len(y)].tolist(), y[v % len(y)]
        f = sum(t * a for t, a in zip(before, [*x, 1], strict=True))
        should = [t + label * a for t, a in zip(before, [*x, 1], strict=True)] if label * f <= 0 else before
        if row != should:
            return np.int64(v + 1), tuple(should)
        before = row
    return 0, before


def fault_from_the_whole_run(X, y, thetas):
    right, theta = [], np.zeros(X.shape[1] + 1)
    for v in range(len(thetas)):
        theta = np.array(update_loop(theta, X[v % len(X)], y[v % len(X)]))
        right.append(theta)
    wrong = np.flatnonzero((np.array(right) != thetas).any(axis=1))
    return [float(wrong[0] + 1), right[wrong[0]]] if len(wrong) else [0.0, right[-1]]


def fault_with_where(X, y, thetas):
    rows = np.vstack([np.zeros(X.shape[1] + 1), thetas]).astype(np.float32)
    for v in range(1, len(rows)):
        i = (v - 1) % len(X)
        should = update_where(rows[v - 1], X[i], y[i])
        if np.abs(should - rows[v]).sum() > 0:
            return v, should
    return 0, rows[-1]


def ripple_loop(X, y):
    n = len(y)
    table = [[float(y[i] * y[j] * (sum(X[i] * X[j]) + 1)) for j in range(n)] for i in range(n)]
    return table, all(value >= 0 for row in table for value in row)


def ripple_products(X, y):
    table = np.outer(y, y) * (X @ X.T + 1)
    return table, table.min() >= 0


def ripple_by_trying(X, y):
    """Before and after, at a theta of my own."""
    Z, theta = np.c_[X, np.ones(len(X))], np.arange(X.shape[1] + 1) - 0.75
    table = np.array([y * (Z @ (theta + y[i] * Z[i])) - y * (Z @ theta) for i in range(len(X))])
    return [table, not (table < -1e-9).any()]


def worst_loop(X, y):
    counts = {order: len(perceptron_lists(X[list(order)], y[list(order)], 99)[0])
              for order in itertools.permutations(range(len(y)))}
    most = max(counts.values())
    return next(order for order, count in counts.items() if count == most), most


def worst_sorted(X, y):
    orders = sorted(itertools.permutations(range(len(y))))
    counts = [len(perceptron_split(X[list(order)], y[list(order)], 99)[1]) for order in orders]
    return np.array(orders[int(np.argmax(counts))], dtype=float), np.int64(max(counts))


def worst_recursive(X, y):
    def all_orders(rest):
        return [[i, *more] for i in rest for more in all_orders([j for j in rest if j != i])] if rest else [[]]

    orders = all_orders(list(range(len(y))))
    return max(((order, len(perceptron_lists(X[order], y[order], 99)[0])) for order in orders), key=lambda one: one[1])


VARIANTS = {
    "update": (update_loop, update_where, update_sign, update_fractions),
    "perceptron": (perceptron_arrays, perceptron_lists, perceptron_split),
    "bound": (bound_loop, bound_unit, bound_scalars),
    "hand_trace": (
        lambda: TABLE,
        lambda: np.array(TABLE, dtype=np.float32),
        lambda: [(f, bool(m), *theta) for f, m, *theta in TABLE],
    ),
    "first_fault": (fault_beside, fault_from_the_whole_run, fault_with_where),
    "ripple": (ripple_loop, ripple_products, ripple_by_trying),
    "worst_order": (worst_loop, worst_sorted, worst_recursive),
    "cycle": (cycle_dict, cycle_own_perceptron, cycle_arrays),
}


def test_references_agree_with_coursekit():
    drawn = tasks("02-perceptron", 5)
    solved = COURSE["02-perceptron"].space
    for X, y, passes in drawn["perceptron"].cases:
        trace = ck.perceptron(X, y, passes)
        thetas, mistakes, made = solved["perceptron"](X, y, passes)
        k = trace.mistakes
        assert np.array_equal(thetas[:k], trace.thetas)
        assert np.array_equal(mistakes[:k], trace.visits[trace.when])
        assert trace.cycle or (len(thetas) == k and made == trace.passes)
    for X, y, passes in drawn["cycle"].cases:
        assert solved["cycle"](X, y, passes) == ck.perceptron(X, y, passes).cycle
    for X, y, theta in drawn["bound"].cases:
        best = ck.mistake_bound(X, y)
        R, gamma, limit = solved["bound"](X, y, theta)
        assert pytest.approx(best.R) == R
        if gamma > 0:
            assert gamma <= best.gamma * (1 + 1e-12)
            assert limit == pytest.approx(R**2 / gamma**2)
        else:
            assert limit == np.inf


# Wrong answers in the words of a student: source, and what the sentence must mention.


def run(inside, before="", after="", head="T = []; M = []", end="if clean: break", back="T, M, p + 1"):
    """A run of the perceptron in the words of a student, with `inside` what happens at a mistake."""
    return f"""
def f(X, y, passes):
    th = np.zeros(X.shape[1] + 1); {head}
    for p in range(passes):
        clean = True{before}
        for i in range(len(X)):
            if y[i] * (th[:-1] @ X[i] + th[-1]) <= 0:
                {inside}{after}
        {end}
    return {back}
"""


STEP = "th = th + y[i] * np.append(X[i], 1); T.append(th); M.append(i); clean = False"
BOUND = """
def f(X, y, theta):
    Z = np.c_[X, np.ones(len(X))]; m = y * (Z @ theta)
    R = np.linalg.norm(Z, axis=1).max(); g = m.min() / np.linalg.norm(theta)
    return R, g, (R / g) ** 2 if g > 0 else np.inf
"""
CYCLE = """
def f(X, y, passes):
    th = np.zeros(X.shape[1] + 1); seen = [th.tolist()]
    for p in range(passes):
        old = th
        for i in range(len(X)):
            if y[i] * (th[:-1] @ X[i] + th[-1]) <= 0: th = th + y[i] * np.append(X[i], 1)
        if th is old: return None
        if th.tolist() in seen: return len(seen) - seen.index(th.tolist())
        seen.append(th.tolist())
"""
ROWS = "[(0, 1, 1, 1, 1), (2, 1, 1, 0, 0), (0, 1, 1, 2, 1), (4, 0, 1, 2, 1), (3, 1, 1, 1, 0), (2, 0, 1, 1, 0)]"


FAULT = """
def f(X, y, thetas):
    t = np.zeros(X.shape[1] + 1)
    for v, row in enumerate(thetas):
        i = v % len(X)
        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 0: t = t + y[i] * np.append(X[i], 1)
        if (row != t).any(): return v + 1, t
    return 0, t
"""
RIPPLE = """
def f(X, y):
    T = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)): T[i, j] = y[i] * y[j] * (X[i] @ X[j] + 1)
    return T, (T >= 0).all()
"""
WORST = """
def f(X, y):
    from itertools import permutations
    best = (-1, None)
    for o in permutations(range(len(X))):
        t = np.zeros(X.shape[1] + 1); m = 0; clean = False
        while not clean:
            clean = True
            for i in o:
                if y[i] * (t[:-1] @ X[i] + t[-1]) <= 0: t = t + y[i] * np.append(X[i], 1); m += 1; clean = False
        if m > best[0]: best = (m, o)
    return best[1], best[0]
"""
WRONG = [
    ("ripple", "def f(X, y):\n    t = [[0] * len(X)] * len(X)\n    for i in range(len(X)):\n"
     "        for j in range(len(X)): t[i][j] = y[i] * y[j] * (X[i] @ X[j] + 1)\n"
     "    return t, all(v >= 0 for row in t for v in row)", "holds one list k times"),
    ("ripple", "def f(X, y):\n    t = np.outer(y, y) * (X @ X.T + 1)\n    return t, t.sum(axis=1).min() >= 0",
     "adds changes up"),
    ("first_fault", "def f(X, y, thetas):\n    t = thetas[0]\n    for v, row in enumerate(thetas):\n"
     "        i = v % len(X)\n        z = np.append(X[i], 1)\n        if y[i] * (z @ t) <= 0: t = t + y[i] * z\n"
     "        if not np.array_equal(t, row): return v + 1, t\n    return 0, t", "begin with the first row"),
    ("hand_trace", "def f():\n    return [(0, 1, 1, 1, 1), (1, 1, 1, 0, 0), (0, 1, 1, 2, 1), (1, 0, 1, 2, 1), "
     "(1, 1, 1, 1, 0), (1, 0, 1, 1, 0)]", "predicted label"),
    ("first_fault", FAULT.replace("return v + 1", "return v"), "counted from 0"),
    ("first_fault", FAULT.replace("<= 0", "< 0"), "exactly 0 is a mistake too"),
    ("first_fault", FAULT.replace("return v + 1, t", "return v + 1, row"), "the wrong row itself"),
    ("first_fault", FAULT.replace("return 0, t", "pass"), "none"),
    ("first_fault", FAULT.replace("v % len(X)", "min(v, len(X) - 1)"), "the order begins again with 0"),
    ("first_fault", FAULT.replace("v + 1, t", "i + 1, t"), "counted through"),
    ("first_fault", FAULT.replace("y[i] * np.append(X[i], 1)", "np.append(y[i] * X[i], 1)"), "it must add y"),
    ("ripple", RIPPLE.replace(" + 1)", ")"), "constant attribute is missing"),
    ("ripple", RIPPLE.replace("y[i] * y[j] *", "y[i] *"), "multiply column j"),
    ("ripple", RIPPLE.replace("y[i] * y[j] *", ""), "without labels"),
    ("ripple", RIPPLE.replace(">= 0", "> 0"), "lowers nobody"),
    ("ripple", RIPPLE.replace("T, (T", "T, not (T"), "turned round"),
    ("ripple", RIPPLE.replace("return T, (T >= 0).all()", "return T"), "only `table` came back"),
    ("worst_order", WORST.replace("m > best", "m >= best"), "the last"),
    ("worst_order", WORST.replace("(-1, None)", "(99, None)").replace("m > best", "m < best"), "fewest"),
    ("worst_order", WORST.replace("permutations(range(len(X)))", "[tuple(range(len(X)))]"), "is the given one"),
    ("worst_order", WORST.replace("while not clean:", "for _ in range(1):"), "a single pass"),
    ("worst_order", WORST.replace("return best[1], best[0]", "return best"), "another order"),
    ("update", "def f(theta, x, y):\n    s = sum(theta[:-1] * x) + theta[-1]\n"
     "    if s == 0 or s * y > 0: return theta\n"
     "    return theta + y * np.append(x, 1)", "exactly 0"),
    ("update", "def f(theta, x, y):\n    p = np.where(theta @ np.append(x, 1) >= 0, 1, -1)\n"
     "    return theta + (y - p) / 2 * np.append(x, 1)", "takes 0 for +1"),
    ("update", "def f(theta, x, y):\n    return theta + y * np.append(x, 1)", "only after a mistake"),
    ("update", "def f(theta, x, y):\n    t = theta.copy()\n    if y * (t[:-1] @ x + t[-1]) <= 0: t[:-1] += y * x\n"
     "    return t", "offset never changes"),
    ("update", "def f(theta, x, y):\n    if y * (theta[:-1] @ x) <= 0: return theta + y * np.append(x, 1)\n"
     "    return theta", "misses the offset"),
    ("update", "def f(theta, x, y):\n    s = theta[:-1] @ x + theta[-1]\n"
     "    return theta + s * np.append(x, 1) if y * s <= 0 else theta", "not the score"),
    ("update", "def f(theta, x, y):\n    if y * (theta[:-1] @ x + theta[-1]) <= 0:\n"
     "        theta += y * np.append(x, 1)\n"
     "    return theta", "changed its argument theta"),
    ("update", "def f(theta, x, y):\n    t = theta.astype(int)\n    if y * (t[:-1] @ x + t[-1]) <= 0:\n"
     "        t = t + y * np.append(x, 1)\n    return t", "cut"),
    ("update", "def f(theta, x, y):\n    return theta + y * np.append(1, x) if y * (theta[1:] @ x + theta[0]) <= 0"
     " else theta", "offset comes first"),
    ("update", "def f(theta, x, y):\n    f = theta[:-1] @ x + theta[-1]\n"
     "    return y * np.append(x, 1) if y * f <= 0 else theta", "the correction alone"),
    ("update", "def f(theta, x, y):\n    if y * (theta @ x) <= 0: return theta + y * x\n    return theta",
     "is the offset still in theta"),
    ("update", "def f(theta, x, y):\n    if y * (theta[:-1] @ x + theta[-1]) <= 0: return theta + y * np.append(x, 1)",
     "came back as none"),
    ("update", "def f(theta, x, y):\n    t = theta.astype(int)\n    if y * (t[:-1] @ x + t[-1]) <= 0:\n"
     "        t[:-1] += y * x\n    return t", "make it one of floats"),
    ("perceptron", run(STEP.replace("th = th +", "th +=")), "same array"),
    ("perceptron", run(STEP, end="return T, M, p + 1"), "after the first pass"),
    ("perceptron", run(STEP, end="if clean: break", back="T, M, p"), "range(passes) counts from 0"),
    ("perceptron", run(STEP, end="pass"), "always `passes`"),
    ("perceptron", run(STEP, before="; T = []; M = []"), "lists begin again"),
    ("perceptron", run(STEP, before="; th = np.zeros(X.shape[1] + 1)"), "begins at 0 in every pass"),
    ("perceptron", run(STEP, after="; break"), "begin again at the first example"),
    ("perceptron", run(STEP).replace("if y[i]", "while y[i]"), "if, not while"),
    ("perceptron", run(STEP).replace("<= 0", "< 0"), "nothing ever starts"),
    ("perceptron", run(STEP, back="M, T, p + 1"), "another order, mistakes, thetas"),
    ("perceptron", run(STEP, back="th, M, p + 1"), "last entry alone"),
    ("perceptron", run(STEP, back="T"), "only `thetas` came back"),
    ("perceptron", run(STEP, back="T, len(M), p + 1"), "only their number"),
    ("perceptron", run(STEP.replace("M.append(i)", "M.append(i + 1)")), "begins at 1"),
    ("perceptron", run(STEP.split(";")[0] + "; clean = False", after="\n            T.append(th); M.append(i)"),
     "note every visit"),
    ("perceptron", run(STEP, after="\n            else: clean = True"), "last example of a pass"),
    ("bound", BOUND.replace("norm(Z", "norm(X"), "constant attribute"),
    ("bound", BOUND.replace(" / np.linalg.norm(theta)", ""), "not divided"),
    ("bound", BOUND.replace(") ** 2", ")"), "is the square root of"),
    ("bound", BOUND.replace("m.min()", "m[m > 0].min()"), "right examples alone"),
    ("bound", BOUND.replace("m.min()", "min(abs(m))"), "takes |f|"),
    ("bound", BOUND.replace("norm(theta)", "norm(theta[:-1])"), "weights alone"),
    ("bound", BOUND.replace("g > 0", "g >= 0").replace("return R, g", "R, g = float(R), float(g)\n    return R, g"),
     "divided by 0"),
    ("bound", BOUND.replace("np.inf", "None"), "not none"),
    ("bound", BOUND.replace("np.inf", "0"), "not 0"),
    ("bound", BOUND.replace("(R / g)", "np.ceil(R / g)"), "in bound("),
    ("bound", BOUND.replace("return R, g, ", "return "), "only `limit` came back"),
    ("bound", BOUND.replace("R, g, (R", "g, R, (R"), "another order, gamma, r"),
    ("bound", "def f(X, y, theta):\n    R = max(np.sqrt((X ** 2).sum(1)))\n    return R, 5, -1", "constant attribute"),
    ("hand_trace", "def f():\n    return [(0, 0, 0, 0, 0)] + [(0, 0, 0, 0, 0)] * 5", "exactly 0"),
    ("hand_trace", f"def f():\n    return {ROWS[:-3]}1)]", "`visit 6` came back"),
    ("hand_trace", f"def f():\n    return {ROWS.replace('(2, 1, 1, 0, 0)', '(2, 1, 1, 2, 2)')}", "lost its label"),
    ("hand_trace", f"def f():\n    return {ROWS.replace('(3, 1, 1, 1, 0)', '(3, 0, 1, 2, 1)')}", "label of visit 5"),
    ("hand_trace", f"def f():\n    return {ROWS.replace('(0, 1, 1, 2, 1)', '(0, 0, 1, 0, 0)')}", "of visit 3"),
    ("hand_trace", f"def f():\n    return {ROWS}[1:]", "5 part(s) came back"),
    ("cycle", CYCLE.replace("if th is old: return None", "pass"), "not a cycle"),
    ("cycle", CYCLE.replace("[th.tolist()]", "[]"), "the start counts"),
    ("cycle", CYCLE.replace(" - seen.index(th.tolist())", ""), "the pass at which"),
    ("cycle", CYCLE.replace("in seen:", "== seen[-1]:"), "with the pass before alone"),
    ("cycle", CYCLE.replace("<= 0: th = th", "<= 0:\n                th = th")
     .replace("        if th is old: return None\n        if", "                if")
     .replace("        seen.append", "                seen.append") + "        if th is old: return None",
     "compare after each mistake"),
    ("cycle", CYCLE.replace("return None", "return 0"), "after a pass without a mistake"),
    ("cycle", CYCLE.replace("<= 0", "< 0"), "never find a repeat"),
    ("cycle", CYCLE + "    return -1", "not -1"),
    ("cycle", CYCLE.replace(".tolist()", "").replace("th = th +", "th +=").replace("th is old", "False"),
     "same array again and again"),
    ("cycle", CYCLE.replace("old = th", "old = th = np.zeros(X.shape[1] + 1)"), "begins at 0 in every pass"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("02-perceptron", seed)
    agreements = [y * (theta[:-1] @ x + theta[-1]) for theta, x, y in drawn["update"].cases]
    assert min(agreements) < 0 < max(agreements)
    assert {y for (_, _, y), z in zip(drawn["update"].cases, agreements, strict=True) if z == 0} == {-1.0, 1.0}
    margins = [y * (X @ theta[:-1] + theta[-1]) for X, y, theta in drawn["bound"].cases]
    assert {np.sign(m.min()) for m in margins} == {-1.0, 0.0, 1.0}
    lengths = {length for [length] in drawn["cycle"].right}
    assert lengths > {None, 1}
    for _, y, _ in drawn["first_fault"].cases:
        assert set(y) == {-1.0, 1.0}
    faults = [visit for visit, _ in drawn["first_fault"].right]
    assert 0 in faults
    assert max(faults) > 3
    assert {bool(harmless) for _, harmless in drawn["ripple"].right} == {True, False}
    for (X, y), (order, mistakes) in zip(drawn["worst_order"].cases, drawn["worst_order"].right, strict=True):
        assert ck.perceptron(X, y, 99, order=[int(i) for i in order]).mistakes == mistakes
        assert mistakes <= ck.mistake_bound(X, y).mistakes * (1 + 1e-9)
