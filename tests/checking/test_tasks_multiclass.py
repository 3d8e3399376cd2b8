"""Exercise 8: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest

import coursekit as ck
from coursekit.algorithms.multiclass import Argmax, Votes
from tests.checking.judging import COURSE, SEEDS, pairs, sentence, tasks

CHAPTER = "08-multiclass"


def rest_loop(thetas, X):
    predicted, claims = [], []
    for x in X.tolist():
        f = [sum(a * b for a, b in zip(t, [*x, 1], strict=True)) for t in thetas.tolist()]
        predicted.append(f.index(max(f)))
        claims.append(sum(v > 0 for v in f))
    return predicted, claims


def rest_single(thetas, X):
    f = np.c_[X, np.ones(len(X))].astype(np.float32) @ thetas.T.astype(np.float32)
    return np.argmax(f, 1), np.count_nonzero(f > 0, axis=1).astype(float)


def rest_stack(thetas, X):
    f = np.array([X @ t[:-1] + t[-1] for t in thetas])
    return [np.argmax(f, axis=0), np.sum(np.sign(f) == 1, axis=0)]


def pairs_loop(y, k):
    chosen, table = [], []
    for a in range(k - 1):
        for b in range(a + 1, k):
            chosen.append([a, b])
            table.append([-1 if c == a else 1 if c == b else 0 for c in y])
    return chosen, table


def pairs_triu(y, k):
    a, b = np.triu_indices(k, 1)
    return np.c_[a, b], (y == b[:, None]) * 1.0 - (y == a[:, None])


def pairs_zeros(y, k):
    both = [(a, b) for b in range(k) for a in range(b)]
    both.sort()
    labels = np.zeros((len(both), len(y)), dtype=np.int8)
    for row, (a, b) in zip(labels, both, strict=True):
        row[y == a], row[y == b] = -1, 1
    return tuple(both), labels


def vote_loop(pairs, scores, k):
    votes, winner = [], []
    for row in scores:
        v, s = [0] * k, [0.0] * k
        for (a, b), f in zip(pairs, row, strict=True):
            v[b if f > 0 else a] += 1
            s[b] += f
            s[a] -= f
        votes.append(v)
        winner.append(max(range(k), key=lambda c, v=v, s=s: (v[c], s[c])))
    return votes, winner


def vote_matrices(pairs, scores, k):
    first, second = (np.eye(k)[pairs[:, side]] for side in (0, 1))
    votes = (scores > 0) @ second + (scores <= 0) @ first
    sums = scores @ (second - first)
    return votes, np.argmax(votes * 1e6 + sums, axis=1)


def vote_add_at(pairs, scores, k):
    v = np.zeros((len(scores), k), np.float32)
    for i, row in enumerate(scores):
        np.add.at(v[i], np.where(row > 0, pairs[:, 1], pairs[:, 0]), 1)
    s = np.array([[row[pairs[:, 1] == c].sum() - row[pairs[:, 0] == c].sum() for c in range(k)] for row in scores])
    return [v, [int(np.lexsort((a, b))[-1]) for a, b in zip(s, v, strict=True)]]


def rivals_matrix(thetas, x, c):
    z = np.append(x, 1.0)
    f = thetas @ z
    u = -(f >= f[c]).astype(float)
    u[c] = -(u.sum() - u[c])
    return thetas + np.outer(u, z)


def rivals_lists(thetas, x, c):
    z = [*x, 1]
    f = [sum(a * b for a, b in zip(t, z, strict=True)) for t in thetas]
    who = [r for r in range(len(f)) if r != c and f[r] >= f[c]]
    step = [who.count(r) * -1 for r in range(len(f))]
    step[c] = len(who)
    return [[a + s * b for a, b in zip(t, z, strict=True)] for t, s in zip(thetas.tolist(), step, strict=True)]


def rivals_delete(thetas, x, c):
    new, z = thetas.astype(np.float32), np.r_[x, 1]
    f = thetas[:, :-1] @ x + thetas[:, -1]
    who = np.setdiff1d(np.flatnonzero(f >= f[c]), [c])
    new[who] -= z
    new[c] += len(who) * z
    return new


VARIANTS = {
    "against_rest": (rest_loop, rest_single, rest_stack),
    "pair_labels": (pairs_loop, pairs_triu, pairs_zeros),
    "vote": (vote_loop, vote_matrices, vote_add_at),
    "lower_rivals": (rivals_matrix, rivals_lists, rivals_delete),
    "read_votes": (
        lambda: [[6, 15], [2, 1, 1, 2], 3, [2, -1, 3], [0, 1, 2]],
        lambda: ((6, 15.0), np.array([2, 1, 1, 2]), 3.0, (2, -1, 3), np.arange(3)),
        lambda: [np.array([6, 6 * 5 // 2]), (2, 1, 1, 2), np.int64(3), [2.0, -1.0, 3.0], (0, 1, 2)],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs(CHAPTER, VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


REST = """def f(thetas, X):
    s = X @ thetas[:, :-1].T + thetas[:, -1]
    return s.argmax(axis=1), (s > 0).sum(axis=1)
"""
PAIRS = """def f(y, k):
    p = [(a, b) for a in range(k) for b in range(k) if a < b]
    return p, [[-1 if c == a else 1 if c == b else 0 for c in y] for a, b in p]
"""
VOTE = """def f(pairs, scores, k):
    v = np.zeros((len(scores), k)); s = np.zeros((len(scores), k))
    for m, (a, b) in enumerate(pairs):
        for i in range(len(scores)):
            if scores[i, m] > 0: v[i, b] += 1
            else: v[i, a] += 1
            s[i, b] += scores[i, m]; s[i, a] -= scores[i, m]
    return v, [max(range(k), key=lambda c: (v[i, c], s[i, c])) for i in range(len(scores))]
"""
LOWER = """def f(thetas, x, c):
    t = thetas.copy(); z = np.append(x, 1); s = thetas @ z
    for r in range(len(t)):
        if r != c and s[r] >= s[c]:
            t[r] -= z
            t[c] += z
    return t
"""

WRONG = [
    ("against_rest", REST.replace("argmax(axis=1)", "argmax(axis=0)"), "axis=1"),
    ("against_rest", REST.replace("s > 0", "s >= 0"), "exactly 0"),
    ("against_rest", REST.replace(" + thetas[:, -1]", ""), "miss the offset"),
    ("against_rest", REST.replace("s.argmax(axis=1)", "[int(np.argsort(r, kind='stable')[-1]) for r in s]"),
     "lowest class wins"),
    ("against_rest", "def f(thetas, X):\n    p = []; s = X @ thetas[:, :-1].T + thetas[:, -1]\n    for row in s:\n"
     "        best, who = 0, 0\n        for c in range(len(row)):\n"
     "            if row[c] > best: best, who = row[c], c\n        p.append(who)\n    return p, (s > 0).sum(axis=1)",
     "begins at 0"),
    ("against_rest", REST.replace("(s > 0).sum(axis=1)", "[any(r > 0) * 1 for r in s]"), "how many do"),
    ("against_rest", "def f(thetas, X):\n    return np.argmax(X @ thetas.T, axis=1), 0",
     "is the offset still in theta"),
    ("pair_labels", PAIRS.replace("a < b", "a != b"), "comes twice"),
    ("pair_labels", PAIRS.replace("1 if c == b else 0", "1"), "take no part"),
    ("pair_labels", PAIRS.replace("-1 if c == a else 1 if", "1 if c == a else -1 if"), "signs are exchanged"),
    ("pair_labels", PAIRS.replace("range(k)", "np.unique(y)"), "occur in y"),
    ("pair_labels", PAIRS.replace("range(k)", "range(max(y) + 1)"), "k that is given"),
    ("pair_labels", "def f(y, k):\n    p = [(a, b) for a in range(k) for b in range(a + 1, k)]\n"
     "    L = [[0] * len(y)] * len(p)\n    for m, (a, b) in enumerate(p):\n        for i in range(len(y)):\n"
     "            if y[i] == a: L[m][i] = -1\n            if y[i] == b: L[m][i] = 1\n    return p, L",
     "one and the same list"),
    ("pair_labels", "def f(y, k):\n    p = []; L = []; row = np.zeros(len(y))\n    for a in range(k):\n"
     "        for b in range(a + 1, k):\n            row[y == a] = -1; row[y == b] = 1\n"
     "            p.append((a, b)); L.append(row)\n    return p, L", "one and the same list"),
    ("pair_labels", PAIRS.replace("return p, [", "return p, np.transpose([").replace(" in p]", " in p])"),
     "lies on its side"),
    ("vote", VOTE.replace("scores[i, m] > 0", "scores[i, m] >= 0"), "FIRST class"),
    ("vote", VOTE.replace("scores[i, m] > 0", "scores[i, m] <= 0"), "wrong side"),
    ("vote", VOTE.replace("else: v", "elif scores[i, m] < 0: v"), "counts for nobody"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "v[i, c]"), "argmax takes the first"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "s[i, c]"), "votes come first"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "v[i, c] + s[i, c]"), "overrules a vote"),
    ("vote", VOTE.replace("; s[i, a] -= scores[i, m]", ""), "forget the first class"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "(v[i, c], s[i, c] * (v[i, c] == max(v[i])))").replace(
        "[max(range(k)", "[np.argmax(s[i] * (v[i] == max(v[i]))) if min(s[i]) < 0 else max(range(k)"), "all negative"),
    ("vote", VOTE[: VOTE.index("    return")] + "    w = []\n    for i in range(len(scores)):\n"
     "        best, who = 0, 0\n        for c in range(k):\n"
     "            if v[i, c] == max(v[i]) and s[i, c] > best: best, who = s[i, c], c\n        w.append(who)\n"
     "    return v, w", "all negative"),
    ("vote", VOTE[: VOTE.index("    return")] + "    w = []\n    for i in range(len(scores)):\n"
     "        lead = [c for c in range(k) if v[i, c] == max(v[i])]\n"
     "        w.append(lead[0] if len(lead) == 1 else np.argmax(s[i]))\n    return v, w", "sums of all classes"),
    ("vote", VOTE.replace("; s[i, a] -= scores[i, m]", "").replace("s[i, b] += scores[i, m]", "g = scores[i, m]\n"
     "            if g > 0: s[i, b] += g\n            else: s[i, a] -= g"), "that a class loses"),
    ("vote", "def f(pairs, scores, k):\n    n = len(scores); v = np.zeros((n, k)); s = np.zeros((n, k))\n"
     "    for i in range(n):\n        v[i, np.where(scores[i] > 0, pairs[:, 1], pairs[:, 0])] += 1\n"
     "    return v, v.argmax(axis=1)", "more than one vote"),
    ("vote", VOTE[: VOTE.index("    return")] + "    w = []\n    for i in range(len(scores)):\n"
     "        lead = [c for c in range(k) if v[i, c] == max(v[i])]\n        t = [0.0] * k\n"
     "        for m, (a, b) in enumerate(pairs):\n            if a in lead and b in lead:\n"
     "                t[a] -= scores[i, m]; t[b] += scores[i, m]\n"
     "        w.append(max(lead, key=lambda c: t[c]))\n    return v, w", "own lines alone"),
    ("lower_rivals", LOWER.replace(">=", ">"), "exactly the same score"),
    ("lower_rivals", LOWER.replace("thetas.copy()", "thetas"), "changed its argument thetas"),
    ("lower_rivals", LOWER.replace("t[c] += z", "t[c] -= z").replace("t[r] -= z", "t[r] += z"), "signs are exchanged"),
    ("lower_rivals", LOWER.replace("            t[c] += z\n", ""), "not raised"),
    ("lower_rivals", LOWER.replace("            t[c] += z\n", "            t[c] += z\n            break\n"),
     "ends with the first rival"),
    ("lower_rivals", LOWER.replace("s[r] >= s[c]", "t[r] @ z >= t[c] @ z"), "changed on the way"),
    ("lower_rivals", LOWER.replace("t[c] += z", "t[c] = thetas[c] + z"), "once for EACH rival"),
    ("lower_rivals", "def f(thetas, x, c):\n    t = thetas.copy(); z = np.append(x, 1); s = thetas @ z\n"
     "    s2 = s.copy(); s2[c] = -np.inf; r = s2.argmax()\n    if s[c] <= s[r]: t[c] += z; t[r] -= z\n    return t",
     "strongest rival alone"),
    ("read_votes", "def f():\n    return [6, 30], [2, 1, 1, 2], 3, [2, -1, 3], [0, 1, 2]", "not two"),
    ("read_votes", "def f():\n    return [6, 15], [2, 1, 1, 2], 0, [2, -1, 3], [0, 1, 2]", "summed scores"),
    ("read_votes", "def f():\n    return [6, 15], [2, 1, 1, 2], 3, [2, -1, 3], [0, 0, 2]", "Second question"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    said = sentence(name, source)
    assert mention in said
    assert "\n" not in said


@pytest.mark.parametrize("seed", SEEDS)
def test_solutions_agree_with_coursekit(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for thetas, X in drawn["against_rest"].cases:
        rule = Argmax(thetas, tuple(map(str, range(len(thetas)))))
        predicted, claims = solved["against_rest"](thetas, X)
        assert np.array_equal(predicted, rule.predict(X))
        assert np.array_equal(claims, (rule.scores(X) > 0).sum(axis=1))
    for y, k in drawn["pair_labels"].cases:
        if len(np.unique(y)) < k:
            continue  # coursekit wants examples of every class
        seen = []
        data = ck.datasets.Dataset(np.arange(len(y), dtype=float)[:, None], y, ("row",), tuple(map(str, range(k))))

        def fit(X, labels, y=y, seen=seen):
            row = np.zeros(len(y))
            row[X[:, 0].astype(int)] = labels
            seen.append(row)
            return np.zeros(2)

        rule = ck.one_vs_one(data, fit)
        chosen, labels = solved["pair_labels"](y, k)
        assert np.array_equal(chosen, rule.pairs)
        assert np.array_equal(labels, seen)
    for chosen, scores, k in drawn["vote"].cases:
        m = len(chosen)
        rule = Votes(np.column_stack([np.eye(m), np.zeros(m)]), chosen, tuple(map(str, range(k))))  # scores as they are
        votes, winner = solved["vote"](chosen, scores, k)
        assert np.array_equal(votes, rule.votes(scores))
        assert np.array_equal(winner, rule.predict(scores))
    for thetas, x, c in drawn["lower_rivals"].cases:
        new, z = solved["lower_rivals"](thetas, x, c), np.append(x, 1)
        assert np.allclose(new.sum(axis=0), thetas.sum(axis=0))
        f = thetas @ z
        assert np.array_equal(np.any(new != thetas, axis=1)[np.arange(len(f)) != c], np.delete(f >= f[c], c))


@pytest.mark.parametrize("seed", SEEDS)
def test_leaders_of_a_vote_never_have_equal_sums(seed):
    for chosen, scores, k in tasks(CHAPTER, seed)["vote"].cases:
        for row in scores:
            votes, sums = np.zeros(k), np.zeros(k)
            for (a, b), f in zip(chosen, row, strict=True):
                votes[b if f > 0 else a] += 1
                sums[b] += f
                sums[a] -= f
            leading = sums[votes == votes.max()]
            assert len(np.unique(leading)) == len(leading)


def test_read_votes_follows_the_rules_of_the_other_tasks():
    solved = COURSE[CHAPTER].space
    lines, votes, winner, border, choices = solved["read_votes"]()
    assert lines == [6, len(solved["pair_labels"](np.arange(6), 6)[0])]
    told = solved["vote"](solved["pair_labels"](np.arange(4), 4)[0], np.array([[-1, 0, 3, -5, 0.5, -1]]), 4)
    assert told[0].tolist() == [votes]
    assert told[1].tolist() == [winner]
    assert border == (np.array([3, 0, 2]) - [1, 1, -1]).tolist()
    assert choices == [0, 1, 2]
