"""Chapter 8: one against rest, the labels of all pairs, votes and ties, an update of all rivals, votes by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import quarters, variations
from coursekit.checking.tasks.judge import Case, Mistake, Task
from coursekit.core.validate import Floats

# against_rest


def _against_rest(
    thetas: Floats,
    X: Floats,
    score: Callable[[Floats, Floats], Floats] = lambda thetas, X: X @ thetas[:, :-1].T + thetas[:, -1],
    pick: Callable[[Floats], Any] = lambda f: f.argmax(axis=1),
    claim: Callable[[Floats], Any] = lambda f: (f > 0).sum(axis=1),
) -> tuple[Any, Any]:
    f = score(thetas, X)
    return pick(f), claim(f)


def _rest_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, n, d in ((3, 4, 2), (4, 5, 1), (4, 6, 2), (5, 7, 3), (6, 9, 2)):
        while True:
            thetas, X = quarters(rng, k, d + 1), quarters(rng, n, d)
            # Scores of exactly 0, and a highest score that two classes share; nobody's place and several's.
            thetas[0, -1] = -thetas[0, :-1] @ X[0]
            best = (X[1] @ thetas[1:, :-1].T + thetas[1:, -1]).max()
            thetas[-1, -1] = best - thetas[-1, :-1] @ X[1]
            f = X @ thetas[:, :-1].T + thetas[:, -1]
            shared = (f == f.max(axis=1)[:, None]).sum(axis=1)
            claims = (f > 0).sum(axis=1)
            if shared[1] > 1 and f[1, -1] == f[1].max() and {0, 1, 2} <= set(claims) and (f.argmax(axis=1) > 0).any():
                break
        yield thetas, X


AGAINST_REST = Task(
    name="against_rest",
    points=2,
    arguments=("thetas", "X"),
    returns=("predicted", "claims"),
    cases=_rest_cases,
    answer=_against_rest,
    mistakes=variations(
        _against_rest,
        ({"score": lambda t, X: X @ t[:, :-1].T}, "The scores miss the offset: the last column of thetas."),
        (
            {"score": lambda t, X: X @ t[:, 1:].T + t[:, 0]},
            "Your offset comes first: here it is the last column of thetas.",
        ),
        (
            {"score": lambda t, X: np.abs(X @ t[:, :-1].T + t[:, -1])},
            "You take |f|: a very negative score is a loud no, not a yes.",
        ),
        (
            {"score": lambda t, X: (X @ t[:, :-1].T + t[:, -1]) / np.linalg.norm(t[:, :-1] + 1e-300, axis=1)},
            "You compare distances: here the scores themselves are compared, not divided by ||w||.",
        ),
        ({"pick": lambda f: f.argmin(axis=1)}, "The class with the HIGHEST score wins: argmax."),
        (
            {"pick": lambda f: f.argmax(axis=0)},
            "You look for the best example of each class: for each example look along its row of scores (axis=1).",
        ),
        (
            {"pick": lambda f: f.shape[1] - 1 - f[:, ::-1].argmax(axis=1)},
            "Where several share the highest score the lowest class wins: yours takes the last of them.",
        ),
        (
            {"pick": lambda f: (f > 0).argmax(axis=1)},
            "You take the first class that says yes: the highest score wins, even if several say yes or none does.",
        ),
        (
            {"pick": lambda f: np.where((f > 0).any(axis=1), f.argmax(axis=1), -1)},
            "Where nobody claims the place the highest score still wins: predicted has a class for every example.",
        ),
        (
            {"pick": lambda f: np.where((f > 0).sum(axis=1) == 1, f.argmax(axis=1), -1)},
            "Where several or none claim the place the highest score still wins: predicted always has a class.",
        ),
        ({"pick": lambda f: f.argmax(axis=1) + 1}, "Your classes begin at 1: they are counted from 0."),
        ({"pick": lambda f: f.max(axis=1)}, "You return the highest score: the class that has it is asked for."),
        ({"claim": lambda f: (f >= 0).sum(axis=1)}, "A score of exactly 0 claims nothing: a claim is f > 0."),
        ({"claim": lambda f: (f < 0).sum(axis=1)}, "A claim is a score above 0: you count the others."),
        (
            {"claim": lambda f: (f > 0).sum(axis=0)},
            "You count the examples that each class claims: count the classes that claim each example (axis=1).",
        ),
        ({"claim": lambda f: (f > 0).any(axis=1) * 1}, "claims is how many classes say yes, not whether one does."),
        ({"claim": lambda f: (f > 0).mean(axis=1)}, "claims is a number of classes, not a fraction."),
    ),
    hints=(
        "All scores at once: X @ thetas[:, :-1].T + thetas[:, -1] has a row for each example, a column for each class.",
        "predicted: the position of the largest entry in each row, axis=1. claims: how many entries of the row are "
        "above 0.",
        "f.argmax(axis=1) takes the first of equal entries, as asked; (f > 0).sum(axis=1) counts the claims.",
    ),
)


# pair_labels


def _pair_labels(
    y: Any,
    k: int,
    pairs: Callable[[int], Any] = lambda k: list(combinations(range(k), 2)),
    label: Callable[[Any, int, int], Floats] = lambda y, a, b: np.where(y == a, -1.0, np.where(y == b, 1.0, 0.0)),
) -> tuple[Any, Any]:
    chosen = pairs(k)
    return np.array(chosen, float), np.array([label(y, a, b) for a, b in chosen])


def _pair_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, n in ((2, 3), (3, 5), (4, 6), (4, 9), (5, 7)):
        yield rng.permutation(np.append(np.arange(k), rng.integers(k, size=n - k))), k
    yield rng.permutation([0, 1, 1, 0, 1]), 3  # classes without examples have their lines too
    yield rng.permutation([0, 1, 3, 3, 1]), 4


PAIR_LABELS = Task(
    name="pair_labels",
    points=2,
    arguments=("y", "k"),
    returns=("pairs", "labels"),
    cases=_pair_cases,
    answer=_pair_labels,
    mistakes=(
        *variations(
            _pair_labels,
            (
                {"pairs": lambda k: [(a, b) for a in range(k) for b in range(k) if a != b]},
                "Every pair comes twice: a against b and b against a are one line, so there are k (k - 1) / 2.",
            ),
            (
                {"pairs": lambda k: [(a, b) for a in range(k) for b in range(k)]},
                "You pair everybody with everybody: only a < b, which makes k (k - 1) / 2 pairs.",
            ),
            (
                {"pairs": lambda k: [(a, b) for a in range(k) for b in range(a, k)]},
                "A class has no line against itself: only a < b.",
            ),
            (
                {"pairs": lambda k: [(b, a) for a, b in combinations(range(k), 2)]},
                "The smaller class comes first in a pair, and its label is -1.",
            ),
            (
                {"pairs": lambda k: [(a, b) for a in range(k) for b in range(a)]},
                "The smaller class comes first in a pair: for each a, let b run from a + 1 to k - 1.",
            ),
            (
                {"pairs": lambda k: [(a, b) for b in range(k) for a in range(b)]},
                "The order of the pairs: first all with class 0, then the rest of those with class 1, and so on.",
            ),
            (
                {"pairs": lambda k: [(a + 1, b + 1) for a, b in combinations(range(k), 2)]},
                "Your classes begin at 1: they are counted from 0.",
            ),
            (
                {"pairs": lambda k: list(zip(range(k), range(1, k), strict=False))},
                "You pair neighbours alone: every class meets every other.",
            ),
            (
                {"pairs": lambda k: list(combinations(range(k - 1), 2))},
                "The last class is missing: the classes are 0 to k - 1.",
            ),
            (
                {"label": lambda y, a, b: np.where(y == a, 1.0, np.where(y == b, -1.0, 0.0))},
                "The signs are exchanged: -1 for the first class of the pair, +1 for the second.",
            ),
            (
                {"label": lambda y, a, b: np.where(y == b, 1.0, -1.0)},
                "Examples of the other classes take no part in this line: label 0; with -1 it is one "
                "against rest.",
            ),
            (
                {"label": lambda y, a, b: np.where(y == a, -1.0, 1.0)},
                "Examples of the other classes take no part in this line: label 0, not +1.",
            ),
            (
                {"label": lambda y, a, b: np.where(y == a, a, np.where(y == b, b, 0.0))},
                "The labels of a line are -1 and +1, not the numbers of the classes.",
            ),
            (
                {"label": lambda y, a, b: np.where(y == a, 0.0, np.where(y == b, 1.0, 0.0))},
                "The first class of the pair has the label -1: 0 means that an example takes no part.",
            ),
            (
                {"label": lambda y, a, b: ((y == a) | (y == b)) * 1.0},
                "You mark who takes part: the two classes of a pair need different labels, -1 and +1.",
            ),
        ),
        Mistake(
            lambda y, k: ((r := _pair_labels(y, k))[0], r[1].T),
            "labels is turned over: a row for each pair, a column for each example.",
        ),
        Mistake(
            lambda y, k: _pair_labels(y, k, pairs=lambda k: list(combinations(np.unique(y), 2))),
            "You pair the classes that occur in y: the classes are 0 to k - 1, also where one has no example.",
        ),
        Mistake(
            lambda y, k: _pair_labels(y, int(max(y)) + 1),
            "You take k from y: its largest class need not occur there, so use the k that is given.",
        ),
    ),
    hints=(
        "Two loops: for a in range(k), and inside it for b in range(a + 1, k). Each (a, b) is one line.",
        "For each pair start with zeros, one for each example. Then set -1 where y == a and +1 where y == b.",
        "np.where(y == a, -1, np.where(y == b, 1, 0)) is one row of labels.",
    ),
)


# vote


def _vote(
    pairs: Any,
    scores: Floats,
    k: int,
    second: Callable[[Floats], Floats] = lambda f: f > 0,
    signed: Callable[[Floats], Floats] = lambda f: f,
    leaders: Callable[[Floats, Floats], Floats] = lambda votes, total: votes == votes.max(axis=1)[:, None],
    decide: Callable[[Floats, Floats], Any] = lambda lead, total: np.where(lead, total, -np.inf).argmax(axis=1),
) -> tuple[Any, Any]:
    votes, total = np.zeros((len(scores), k)), np.zeros((len(scores), k))
    for (a, b), f in zip(pairs, scores.T, strict=True):
        won = second(f)
        votes[:, b] += won
        votes[:, a] += ~won
        total[:, b] += signed(f)
        total[:, a] -= signed(f)
    return votes, decide(leaders(votes, total), total)


def _vote_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, n in ((3, 5), (3, 6), (3, 7), (4, 5), (4, 7), (4, 8), (5, 8)):
        pairs = np.array(list(combinations(range(k), 2)))
        while True:
            scores = quarters(rng, n, len(pairs))
            scores[0, 0] = 0.0
            votes, winner = _vote(pairs, scores, k)
            total = _vote(pairs, scores, k, leaders=lambda votes, total: votes >= 0)[1]
            lead = votes == votes.max(axis=1)[:, None]
            first = votes.argmax(axis=1)
            shared = lead.sum(axis=1) > 1
            last = k - 1 - votes[:, ::-1].argmax(axis=1)
            sums = _sums(pairs, scores, k)
            close = np.sort(np.where(lead, sums, -np.inf), axis=1)
            # Ties that the sum decides, neither for the first nor the last; sums that would overrule the votes.
            if (
                (shared & (winner != first)).any() and (shared & (winner != last)).any() and (total != winner).any()
                and not (shared & (close[:, -1] == close[:, -2])).any()
                and (k < 4 or ((shared & (total != winner)).any() and ((votes + sums).argmax(axis=1) != winner).any()))
            ):
                break
        yield pairs, scores, k


def _sums(pairs: Any, scores: Floats, k: int) -> Floats:
    total = np.zeros((len(scores), k))
    for (a, b), f in zip(pairs, scores.T, strict=True):
        total[:, b] += f
        total[:, a] -= f
    return total


VOTE = Task(
    name="vote",
    points=3,
    arguments=("pairs", "scores", "k"),
    returns=("votes", "winner"),
    cases=_vote_cases,
    answer=_vote,
    mistakes=(
        *variations(
            _vote,
            ({"second": lambda f: f >= 0}, "A score of exactly 0 is a vote for the FIRST class of the pair."),
            (
                {"second": lambda f: f < 0},
                "The votes go to the wrong side: a score above 0 is a vote for the second class of the pair.",
            ),
            (
                {"second": lambda f: f <= 0},
                "The votes go to the wrong side: a score above 0 is a vote for the second class of the pair, 0 or "
                "below for the first.",
            ),
            (
                {"decide": lambda lead, total: lead.argmax(axis=1)},
                "A tie is yours to decide: argmax takes the first of those with the most votes, the summed score is "
                "asked for.",
            ),
            (
                {"decide": lambda lead, total: lead.shape[1] - 1 - lead[:, ::-1].argmax(axis=1)},
                "A tie goes to the highest summed score: yours takes the last of those with the most votes.",
            ),
            (
                {"leaders": lambda votes, total: votes >= 0},
                "The votes come first: only among those with the MOST votes does the sum decide.",
            ),
            (
                {"decide": lambda lead, total: np.where(lead, total, np.inf).argmin(axis=1)},
                "A tie goes to the HIGHEST summed score (+f for the second class, -f for the first): yours takes the "
                "lowest.",
            ),
            (
                {"signed": np.sign},
                "The sums add up signs: that is the votes once more; add up the scores themselves.",
            ),
            (
                {"decide": lambda lead, total: np.where(lead, np.abs(total), -np.inf).argmax(axis=1)},
                "A very negative sum is no strength: compare the sums with their sign.",
            ),
            (
                {"decide": lambda lead, total: np.where(
                    lead.sum(axis=1) > 1, -1, np.where(lead, total, -np.inf).argmax(axis=1)
                )},
                "A tie is not left open: the highest summed score among the leaders decides.",
            ),
        ),
        Mistake(
            lambda pairs, scores, k: (
                (v := _vote(pairs, scores, k))[0], np.where(v[0] == v[0].max(axis=1)[:, None], np.transpose(
                    [np.where(pairs[:, 1] == c, scores, 0).sum(axis=1) for c in range(k)]), -np.inf).argmax(axis=1)
            ),
            "The sums forget the first class of each pair: a score f counts +f for the second and -f for the first.",
        ),
        Mistake(
            lambda pairs, scores, k: (
                (v := _vote(pairs, scores, k))[0], (v[0] + _sums(pairs, scores, k)).argmax(axis=1)
            ),
            "You add votes and sums up, so that a large sum overrules a vote: the sum decides between leaders alone.",
        ),
        Mistake(
            lambda pairs, scores, k: (_vote(pairs, scores, k)[0], _vote(pairs, scores, k)[0].max(axis=1)),
            "You return how many votes the winner has: which class it is is asked for.",
        ),
        Mistake(
            lambda pairs, scores, k: (_vote(pairs, scores, k)[0].T, _vote(pairs, scores, k)[1]),
            "votes is turned over: a row for each example, a column for each class.",
        ),
        Mistake(
            lambda pairs, scores, k: (_sums(pairs, scores, k), _vote(pairs, scores, k)[1]),
            "You return the summed scores: votes are counted, 1 for each line.",
        ),
        Mistake(
            lambda pairs, scores, k: (_vote(pairs, scores, k)[0] / len(pairs), _vote(pairs, scores, k)[1]),
            "You return shares of the votes: their number is asked for.",
        ),
        Mistake(
            lambda pairs, scores, k: (
                (v := np.transpose([
                    (((pairs[:, 1] == c) & (scores > 0)) | ((pairs[:, 0] == c) & (scores < 0))).sum(axis=1)
                    for c in range(k)
                ])),
                np.where(v == v.max(axis=1)[:, None], _sums(pairs, scores, k), -np.inf).argmax(axis=1),
            ),
            "A score of exactly 0 counts for nobody in yours: it is a vote for the first class of the pair.",
        ),
        Mistake(
            lambda pairs, scores, k: (
                np.transpose([((pairs[:, 1] == c) & (scores > 0)).sum(axis=1) for c in range(k)]),
                _vote(pairs, scores, k)[1],
            ),
            "You count only the votes for the second class of a pair: a score of 0 or below is a vote for the first.",
        ),
        Mistake(
            lambda pairs, scores, k: (_vote(pairs, scores, k)[0], _vote(pairs, scores, k)[1] + 1),
            "Your winners begin at 1: classes are counted from 0.",
        ),
    ),
    hints=(
        "Go through the lines: column m of scores belongs to pairs[m] = (a, b). Each line gives one vote per example.",
        "Keep a second table beside the votes: where the vote is counted, add f to b's sum and take f from a's sum.",
        "best = votes == votes.max(axis=1)[:, None]; winner = np.where(best, sums, -np.inf).argmax(axis=1).",
    ),
)


# lower_rivals


def _lower_rivals(
    thetas: Floats,
    x: Floats,
    c: int,
    z: Callable[[Floats], Floats] = lambda x: np.append(x, 1.0),
    rivals: Callable[[Floats, int], Floats] = lambda f, c: f >= f[c],
    up: Callable[[int], float] = float,
    down: Callable[[int], float] = lambda m: 1.0,
    score: Callable[[Floats, Floats], Floats] = lambda thetas, x: thetas[:, :-1] @ x + thetas[:, -1],
) -> Floats:
    f = score(thetas, x)
    others = np.where(np.arange(len(thetas)) == c, False, rivals(f, c))
    m = int(others.sum())
    thetas = thetas - others[:, None] * down(m) * z(x) if m else thetas.copy()
    thetas[c] += (up(m) if m else 0.0) * z(x)
    return thetas


def _rival_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, d, wanted in ((3, 1, 0), (3, 2, 1), (4, 2, 2), (4, 1, 3), (5, 3, 2), (5, 2, 3), (4, 2, 0)):
        while True:
            thetas, x, c = quarters(rng, k, d + 1), quarters(rng, d), int(rng.integers(1, k))
            if wanted > 1:  # an equal score is a rival too
                r = (c + 1) % k
                thetas[r, -1] = (thetas[c, :-1] - thetas[r, :-1]) @ x + thetas[c, -1]
            f = thetas[:, :-1] @ x + thetas[:, -1]
            ahead = np.delete(f >= f[c], c)
            if (
                ahead.sum() == wanted and x.all() and (not wanted or not ahead.all() or wanted == k - 1)
                and (wanted < 3 or not np.allclose(
                    _one_by_one(thetas, x, c), _lower_rivals(thetas, x, c, rivals=_strongest)
                ))
            ):
                break
        yield thetas, x, c


def _strongest(f: Floats, c: int) -> Floats:
    g = np.where(np.arange(len(f)) == c, -np.inf, f)
    return (np.arange(len(f)) == g.argmax()) & (f >= f[c])


LOWER_RIVALS = Task(
    name="lower_rivals",
    points=3,
    arguments=("thetas", "x", "c"),
    returns=("thetas",),
    cases=_rival_cases,
    answer=_lower_rivals,
    mistakes=(
        *variations(
            _lower_rivals,
            (
                {"rivals": _strongest},
                "You lower the strongest rival alone, as in the chapter: here every class with f >= f_c is a rival.",
            ),
            ({"rivals": lambda f, c: f > f[c]}, "A class with exactly the same score is a rival too: f >= f_c."),
            (
                {"rivals": lambda f, c: np.full(len(f), bool((np.delete(f, c) >= f[c]).any()))},
                "You lower all other classes: only those whose score reaches f_c are rivals.",
            ),
            ({"rivals": lambda f, c: f >= 0}, "Rivals are not the classes with f >= 0: compare with f_c."),
            ({"rivals": lambda f, c: f <= f[c]}, "The comparison is the wrong way round: rivals have f >= f_c."),
            (
                {"up": lambda m: 1.0},
                "The true class is raised once for EACH rival: add m (x, 1), so that the rows still add up to the "
                "same.",
            ),
            ({"up": lambda m: 1.0, "down": lambda m: 1 / m}, "The rivals share one step: each of them is lowered by "
             "(x, 1) in full, and the true class raised m times."),
            ({"up": lambda m: 0.0}, "The true class is not raised: add m (x, 1) to its row."),
            ({"down": lambda m: 0.0}, "The rivals are not lowered: take (x, 1) from the row of each."),
            ({"down": lambda m: float(m)}, "Each rival is lowered once, by (x, 1): only the true class moves m times."),
            ({"up": lambda m: -float(m), "down": lambda m: -1.0}, "The signs are exchanged: raise the true class, "
             "lower "
             "its rivals."),
            ({"down": lambda m: -1.0}, "The rivals go up as well: take (x, 1) away from their rows."),
            ({"z": lambda x: np.append(x, 0.0)}, "The offsets never move: each is the weight of the constant attribute "
             "1."),
            (
                {"score": lambda t, x: t[:, :-1] @ x},
                "The scores miss the offset: the last column of thetas.",
            ),
            (
                {"score": lambda t, x: t[:, 1:] @ x + t[:, 0], "z": lambda x: np.append(1.0, x)},
                "Your offset comes first: here it is the last column of thetas.",
            ),
        ),
        Mistake(
            lambda thetas, x, c: thetas,
            "thetas never change: after a mistake return the new rows.",
        ),
        Mistake(
            lambda thetas, x, c: _rival_itself(thetas, x, c),
            "The true class counts as its own rival: leave it out, f_c >= f_c is always so.",
        ),
        Mistake(
            lambda thetas, x, c: _one_by_one(thetas, x, c),
            "You compare with scores that have changed on the way: take all scores before anything moves.",
        ),
        Mistake(
            lambda thetas, x, c: _lower_rivals(thetas, x, c) - thetas,
            "You return the correction alone: add it to thetas.",
        ),
        Mistake(
            lambda thetas, x, c: _lower_rivals(thetas, x, c)[c],
            "You return the row of the true class alone: all rows are asked for.",
        ),
    ),
    hints=(
        "First all scores: f = thetas[:, :-1] @ x + thetas[:, -1]. Then find the rivals: r != c with f[r] >= f[c].",
        "Work on a copy. For each rival: take (x, 1) from its row, and add (x, 1) to row c.",
        "z = np.append(x, 1); new = thetas.copy(); for r in range(len(f)): if r != c and f[r] >= f[c]: new[r] -= z and "
        "new[c] += z.",
    ),
)


def _rival_itself(thetas: Floats, x: Floats, c: int) -> Floats:
    f, z = thetas[:, :-1] @ x + thetas[:, -1], np.append(x, 1.0)
    new = thetas - (f >= f[c])[:, None] * z
    new[c] += np.count_nonzero(f >= f[c]) * z + z
    return new


def _one_by_one(thetas: Floats, x: Floats, c: int) -> Floats:
    new, z = thetas.copy(), np.append(x, 1.0)
    for r in range(len(new)):
        if r != c and new[r] @ z >= new[c] @ z:
            new[r] -= z
            new[c] += z
    return new


# read_votes


def _read_votes(**change: Any) -> tuple[Any, ...]:
    right = {
        "lines": np.array([6.0, 15.0]),
        "votes": np.array([2.0, 1.0, 1.0, 2.0]),
        "winner": 3.0,
        "border": np.array([2.0, -1.0, 3.0]),
        "choices": np.array([0.0, 1.0, 2.0]),
    }
    return tuple({**right, **change}.values())


READ_VOTES = Task(
    name="read_votes",
    points=3,
    arguments=(),
    returns=("lines", "votes", "winner", "border", "choices"),
    cases=lambda rng: [()],
    answer=_read_votes,
    mistakes=variations(
        _read_votes,
        ({"lines": np.array([15.0, 6.0])}, "The two numbers are exchanged: first one against rest, then one against "
         "one."),
        ({"lines": np.array([6.0, 30.0])}, "Each pair is one line, not two: k (k - 1) / 2."),
        ({"lines": np.array([6.0, 36.0])}, "A class has no line against itself, and each pair is one line: k (k - 1) "
         "/ 2."),
        ({"lines": np.array([5.0, 15.0])}, "One against rest trains a line for every class: k, not k - 1."),
        ({"lines": np.array([6.0, 21.0])}, "A class has no line against itself: k (k - 1) / 2, not k (k + 1) / 2."),
        (
            {"votes": np.array([1.0, 2.0, 2.0, 1.0])},
            "The votes go to the wrong side: a score above 0 is a vote for the SECOND class of the pair.",
        ),
        (
            {"votes": np.array([1.0, 1.0, 2.0, 2.0])},
            "A score of exactly 0 is a vote for the first class of the pair: 0 against 2.",
        ),
        (
            {"votes": np.array([1.0, 1.0, 1.0, 2.0])},
            "Six lines give six votes: the score of exactly 0 is a vote for the first of its pair.",
        ),
        ({"winner": 0.0}, "Classes 0 and 3 have the same number of votes: compare their summed scores."),
        ({"winner": 1.0}, "The votes come first: the sum decides only among those with the most votes."),
        ({"winner": 2.0}, "The winner is one of those with the most votes: which?"),
        ({"border": np.array([-2.0, 1.0, -3.0])}, "That is the same line with the sign exchanged: f_0 - f_1 is asked "
         "for, "
         "in this order."),
        ({"border": np.array([4.0, 1.0, 1.0])}, "On the border both scores are EQUAL: subtract the rows, do not add "
         "them."),
        ({"border": np.array([2.0, -1.0, 1.0])}, "Mind the offsets: 2 minus -1 is 3."),
        *(
            ({"choices": np.where(np.arange(3) == k, other, [0.0, 1.0, 2.0])}, sentence)
            for k, others, sentence in (
                (0, (1.0, 2.0), "First question: add the same number to all scores. Which one is the highest now?"),
                (1, (0.0, 2.0), "Second question: whose score has been made louder, and where is it positive?"),
                (2, (0.0, 1.0), "Third question: how many examples does each of the 45 lines see, and how many each of "
                 "the 10?"),
            )
            for other in others
        ),
    ),
    hints=(
        "Each of k classes has a line of its own; or each meets k - 1 others, and a meeting counts once.",
        "A score above 0 is a vote for the second of the pair, 0 or below for the first. For the sums add +f to the "
        "second and -f to the first. On the border f_0 - f_1 = 0.",
        "Six votes in all, and two classes have two each. Their sums: class 0 gets -(-1), -0 and -3; class 3 gets what "
        "its three lines say.",
    ),
)

TASKS = (AGAINST_REST, PAIR_LABELS, VOTE, LOWER_RIVALS, READ_VOTES)
