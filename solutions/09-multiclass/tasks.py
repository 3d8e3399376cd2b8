"""An envelope of scores, one against rest and one against one, votes, a perceptron to mend, Kesler, softmax."""

from itertools import combinations, pairwise

import numpy as np

from coursekit_grade.draws import quarters
from coursekit_grade.tasks import solution, task, then

envelope = solution("envelope")


def lines(rng):
    for k, masked in ((3, 0), (3, 1), (4, 1), (5, 2), (5, 1), (6, 3), (4, 2)):
        while True:
            w = rng.permutation(np.arange(-6, 7))[:k] / 2
            thetas = np.column_stack([w, quarters(rng, k) * 2])
            order, borders, out = envelope(thetas)
            f = np.outer(borders, w) + thetas[:, 1]
            f = np.sort(f, axis=1)
            bend = np.argsort(w)[::-1]
            far = (k, masked) != (5, 1) or np.abs(borders).max() > 12  # beyond what one would draw
            if len(out) == masked and far and (f[:, -2] - f[:, -3] > 0.05).all() and order != sorted(order) and (
                    list(bend) != order and order[0] != np.argmin(np.abs(w)) and 0 not in np.round(borders, 6)):
                break
        yield (thetas,)


FIRST, MEET, NEAREST = "int(np.argmin(w))", "(b[a] - b[steeper]) / (w[steeper] - w[a])", "steeper[np.argmin(meet)]"


def ordered(thetas, order):
    """What `envelope` returns for this order of the classes."""
    borders = [(thetas[a][1] - thetas[c][1]) / (thetas[c][0] - thetas[a][0]) for a, c in pairwise(order)]
    return order, borders, sorted(set(range(len(thetas))) - set(order))


def looked_at(thetas):
    winners = np.argmax(np.outer(np.linspace(-10, 10, 2001), thetas[:, 0]) + thetas[:, 1], axis=1)
    return ordered(thetas, list(dict.fromkeys(winners.tolist())))


def dropped_once(thetas):
    order = []
    for c in np.argsort(thetas[:, 0]).tolist():
        if len(order) > 1:
            _, (before, now), _ = ordered(thetas, [*order[-2:], c])
            order = order[:-1] if now <= before else order
        order.append(c)
    return ordered(thetas, order)


task(
    "envelope",
    returns=("order", "borders", "masked"),
    cases=lines,
    mistakes=[
        ("while order[-1] != np.argmax(w)", "order = [int(np.argmax(w))]; w = -w\n    while order[-1] != np.argmax(w)",
         "Your walk begins on the right: the far left belongs to the smallest weight."),
        (then(lambda parts: (parts[0][::-1], parts[1][::-1], parts[2])),
         "Begin at the far left. Your list runs from right to left."),
        (lambda thetas: envelope(-thetas), "Your winner is the lowest line. Take the highest one."),
        (FIRST, "0", "Your walk begins at class 0: the far left belongs to the smallest weight."),
        (NEAREST, "steeper[0]", "meet.min()", "meet[0]",
         "You go to the first steeper class in the list: the one that is met first takes over."),
        (then(borders=lambda borders: 1 / np.array(borders)),
         "Your borders are upside down: the difference of the biases is above the line, that of the weights below."),
        *((then(borders=lambda _, thetas, kind=kind: sorted(
            kind((b - d) / (c - a) for (a, b), (c, d) in combinations(thetas, 2)))),
           "Your `borders` has every place where two lines meet. Keep those where the highest line changes.")
          for kind in (set, list)),
        (then(lambda parts: (parts[0] + parts[2], *parts[1:])),
         "Your `order` has the masked classes, too. List only those that win somewhere."),
        (then(order=sorted), "Your `order` is sorted by number: it goes from left to right along the line."),
        (MEET, "(b[steeper] - b[a]) / (w[steeper] - w[a])",
         "Your borders have the wrong sign: w_a x + b_a = w_c x + b_c."),
        (MEET, "(b[a] - b[steeper]) / (w[steeper] + w[a] + 1e-9)", "You add the weights. Subtract them."),
        (NEAREST, "steeper[np.argmin(w[steeper])]", "borders.append(meet.min())",
         "borders.append(meet[np.argmin(w[steeper])])",
         "You go to the next steeper line, which may be masked: the one that is met first takes over."),
        (NEAREST, "steeper[np.argmax(meet)]", "meet.min()", "meet.max()",
         "You take the last meeting: the line that is met first takes over."),
        *(("sorted(set(range(len(w))) - set(order))", winners,
           "Your `masked` has the classes that win somewhere. Return those that win nowhere.")
          for winners in ("order", "sorted(order)")),
        ("sorted(set(range(len(w))) - set(order))", "[]",
         "Your `masked` is empty. List the classes that win nowhere."),
        (then(masked=lambda masked, thetas: sorted(masked, key=lambda c: thetas[c][0])),
         "List the classes in increasing order. Your `masked` goes by weight."),
        (looked_at, "You look who wins at some places: a class may win between them, or farther out."),
        (dropped_once, "You drop one line and go on: the one before may be masked now as well, so look back again."),
        (then(masked=len), "Return which classes win nowhere. Your `masked` is a count."),
        *((then(borders=lambda _, thetas, order, ends=ends: -thetas[order[ends], 1] / thetas[order[ends], 0]),
           "Your borders are where scores are 0: the winner changes where two scores are equal.")
          for ends in (slice(1, None), slice(-1))),
        (then(borders=lambda borders, thetas, order: thetas[order[1:], 0] * borders + thetas[order[1:], 1]),
         "Return the places, x. Your borders are the heights at which two lines meet."),
        (then(borders=lambda borders: [-np.inf, *borders, np.inf]),
         "Return only the places where the winner changes. Your `borders` has minus infinity and infinity as well."),
        (then(masked=lambda _, thetas: np.flatnonzero(thetas[:, 1] < thetas[:, 1].max())),
         "Your `masked` looks at x = 0 alone: a class may win elsewhere."),
    ],
    hints=[
        "Far to the left the line with the smallest weight is the highest. Which lines can take over further right?",
        "Only steeper ones. Compute where each of them meets the present winner: the first place is the next border.",
        "Walk on from the new winner, until it is the steepest of all. Lines w_a x + b_a and w_c x + b_c meet at "
        "(b_a - b_c) / (w_c - w_a).",
    ],
)


def clouds(rng, k, n, d):
    """A cloud for each class, and the labels; every class has two examples at least."""
    y = rng.permutation(np.append(np.repeat(np.arange(k), 2), rng.integers(k, size=n - 2 * k)))
    return (rng.normal(size=(k, d)) * 2)[y] + rng.normal(size=(n, d)).round(2), y


def rest_cases(rng):
    for k, n, d in ((3, 8, 1), (3, 9, 2), (4, 12, 2), (5, 14, 2), (4, 13, 3)):
        while True:
            X, y = clouds(rng, k, n, d)
            new = rng.normal(size=(9, d)).round(2) * 3
            thetas, predicted, claims = against_rest(X, y, k, new)
            f = np.sort(new @ thetas[:, :-1].T + thetas[:, -1], axis=1)
            if {0, 1, 2} <= set(claims) and np.diff(f).min() > 1e-3 and np.abs(f).min() > 1e-3 and (
                    len(set(predicted)) > 1 and np.any((f[:, -1] < 0) & (predicted > 0))):
                break
        yield X, y, k, new


against_rest = solution("against_rest")
OWN, SCORES, PICK, CLAIM = "np.where(y == c, 1, -1)", "new @ thetas[:, :-1].T + thetas[:, -1]", "f.argmax(axis=1)", \
    "(f > 0).sum(axis=1)"

task(
    "against_rest",
    returns=("thetas", "predicted", "claims"),
    cases=rest_cases,
    mistakes=[
        (OWN, "np.where(y == c, -1, 1)", "Your labels are turned round: +1 for the class itself, -1 for the rest."),
        (OWN, "np.where(y == c, 1, 0)", "Your rest has the label 0: it must be -1."),
        (f"fit(X, {OWN})", f"np.append(np.linalg.lstsq(X, {OWN}, rcond=None)[0], 0)",
         "Your lines go through the origin: fit(X, labels) gives each a bias."),
        (OWN, "y", "You fit the numbers of the classes: each line has labels of its own, +1 and -1."),
        ("fit(X, np.where(y == c, 1, -1)) for c in range(k)", "fit(X[(y == c) | (y == (c + 1) % k)], "
         "np.where(y == c, 1, -1)[(y == c) | (y == (c + 1) % k)]) for c in range(k)",
         "You leave out examples: one against rest trains each line on all of them."),
        ("for c in range(k)", "for c in range(1, k + 1)",
         "Your loop is over the classes 1 to k: they are counted from 0."),
        ("    f = new", "    thetas[:] = thetas[-1]\n    f = new",
         "All your rows are the line of the last class. Collect one line for each class."),
        ("    f = new", "    thetas /= np.linalg.norm(thetas[:, :-1], axis=1)[:, None]\n    f = new",
         "You divide the lines by their lengths. Leave them as fit returns them."),
        *((SCORES, wrong, sentence) for wrong, sentence in (
            ("X @ thetas[:, :-1].T + thetas[:, -1]",
             "You decide about the examples in X. Decide about those in `new`."),
            ("new @ thetas[:, :-1].T", "Your scores miss the bias: the last column of the lines."),
            ("new @ thetas[:, 1:].T + thetas[:, 0]", "Your bias comes first: here it is the last column."),
            (f"({SCORES}) / np.linalg.norm(thetas[:, :-1], axis=1)",
             "You compare distances: here the scores themselves are compared."),
            (f"np.abs({SCORES})", "You take |f|: a very negative score is a loud no."),
        )),
        *((PICK, wrong, sentence) for wrong, sentence in (
            ("f.argmax(axis=0)",
             "Find the best class for each example (a row of scores), axis=1. You look for the best example of each "
             "class."),
            ("f.argmin(axis=1)", "Your `predicted` takes the lowest score: the highest one wins."),
            ("f", "Your `predicted` has all scores. Return the class with the highest one."),
            *((first, "You take the first class that says yes: the highest score wins.") for first in (
                "(f > 0).argmax(axis=1)", f"np.where((f > 0).any(axis=1), (f > 0).argmax(axis=1), {PICK})")),
            (f"np.where(f.max(axis=1) > 0, {PICK}, 0)",
             "Where all scores are negative you say class 0, as a search does that begins at 0: the highest still "
             "wins."),
            (f"np.where(f.max(axis=1) > 0, {PICK}, -1)",
             "Where nobody claims the place the highest score still wins."),
            ("f.max(axis=1)", "Your `predicted` is the highest score. Return the class that has it."),
        )),
        *((CLAIM, wrong, sentence) for wrong, sentence in (
            ("(f < 0).sum(axis=1)", "Your `claims` counts the classes that say no. Count those with f > 0."),
            ("1 * (f > 0).any(axis=1)", "Count how many do. Your `claims` says whether a class says yes."),
            ("(f > 0).sum(axis=0)", "Your `claims` counts along the examples: it is a number for each of them."),
            ("f.sum(axis=1)", "Your `claims` adds up the scores (for least squares always 2 - k). Count those above "
                              "0."),
            ("(f > 0).mean(axis=1)", "Return how many classes. Your `claims` is a share."),
        )),
    ],
    hints=[
        "For each class make labels: +1 where y is this class, -1 elsewhere. fit(X, labels) gives its row.",
        "All scores at once: new @ thetas[:, :-1].T + thetas[:, -1], a row for each new example.",
        "np.where(y == c, 1, -1) for the labels, argmax(axis=1) for the winner, (f > 0).sum(axis=1) for the claims.",
    ],
)


def pair_cases(rng):
    for k, n, d in ((2, 5, 1), (3, 8, 1), (3, 9, 2), (4, 12, 2), (5, 16, 2)):
        X, y = clouds(rng, k, n, d)
        yield X, y, k


PAIRS, PART, SIGN = "for a in range(k) for b in range(a + 1, k)", "part = (y == a) | (y == b)", \
    "np.where(y[part] == b, 1, -1)"

task(
    "against_one",
    returns=("pairs", "thetas", "read"),
    cases=pair_cases,
    mistakes=[
        (PAIRS, "for a in range(k) for b in range(k) if a != b",
         "Every pair comes twice: a against b and b against a are one line."),
        (PAIRS, "for a in range(k) for b in range(a, k)", SIGN, "np.where(y[part] == b, 1, -1.0)",
         "Take only pairs with a < b. A class has no line against itself."),
        (PAIRS, "for b in range(k) for a in range(b)",
         "The order of the pairs: first all with class 0, then the rest of those with class 1, and so on."),
        (PAIRS, "for a in range(k) for b in range(a + 1, min(a + 2, k))",
         "Pair every class with every other. You pair neighbours alone."),
        (PAIRS, "for a in range(1) for b in range(a + 1, k)",
         "Return must come after the outer loop. Your pairs are those of class 0 alone."),
        (then(pairs=lambda pairs: [(b, a) for a, b in pairs]), "Your pairs are (b, a): the smaller class comes first."),
        (PART, "part = (y == a) & (y == b)",
         "Your lines are all 0, as if nobody took part: no example is of both classes (&), take one or the other (|)."),
        (PAIRS, "for a in range(k - 1) for b in range(a + 1, k - 1)",
         "The last class is missing: the classes are 0 to k - 1."),
        (SIGN, "np.where(y[part] == b, -1, 1)", "Your signs are exchanged: -1 for the first class, +1 for the second."),
        (SIGN, "np.where(y[part] == b, 1, 0)", "Your first class has the label 0: it must be -1."),
        (SIGN, "y[part]", "You fit the numbers of the classes: the labels are -1 for a and +1 for b."),
        *((PART, "part = y == y", SIGN, labels,
           "You train each line on all examples. Train it on those of its two classes alone.")
          for labels in ("np.where(y[part] == b, 1, -1.0)", "np.where(y[part] == a, -1, 1)")),
        ("thetas.append(fit(X[part], np.where(y[part] == b, 1, -1)))",
         "thetas.append(fit(X, np.where(y == b, 1, np.where(y == a, -1, 0))))",
         "The others take part with the label 0 in yours. Leave them out."),
        ("read += part.sum()", "read = part.sum()", "Your `read` is that of the last pair. Add them up."),
        ("read += part.sum()", "read += len(y)",
         "Your `read` counts all examples for every line. Count those of its two classes alone."),
        ("read += part.sum()", "read = len(y) * k", "Your `read` is k n, that of one against rest: each example takes "
         "part in k - 1 pairs."),
        ("read += part.sum()", "read += X[part].size", "Count the examples. Your `read` counts the numbers in X."),
        ("read += part.sum()", "read += 1", "Count the examples. Your `read` counts the lines."),
        (then(thetas=lambda thetas: np.roll(thetas, 1, axis=1)), "Your bias comes first: it is last, as fit has it."),
    ],
    hints=[
        "Two loops, one inside the other: over a, and over the b that are larger.",
        "part = (y == a) | (y == b) marks who takes part. X[part] and y[part] are their rows and classes.",
        "fit(X[part], np.where(y[part] == b, 1, -1)) is the line. part.sum() is how many examples it reads.",
    ],
)


def vote_cases(rng):
    for k, n in ((3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2), (5, 0)):
        pairs = np.array(list(combinations(range(k), 2)))
        scores = quarters(rng, 10_000, len(pairs))  # the rarest kind is one in 1600
        votes, winner = vote(pairs, scores, k)
        sums = scores @ (np.eye(k)[pairs[:, 1]] - np.eye(k)[pairs[:, 0]])
        most = votes == votes.max(axis=1)[:, None]
        led = np.where(most, sums, -99.0 - np.arange(k))
        clear, tie = np.diff(np.sort(led)).all(axis=1), most.sum(axis=1) > 1
        kinds = (
            (scores == 0).any(axis=1),
            tie & (winner != most.argmax(axis=1)),
            tie & (winner != k - 1 - most[:, ::-1].argmax(axis=1)),
            (most.sum(axis=1) == 2) & (own_line(pairs, scores, k)[1] != winner),
            ~tie & (sums.argmax(axis=1) != winner),
            (votes + sums).argmax(axis=1) != winner,
            tie & (sums.argmax(axis=1) != winner),  # from here on not with three classes
            tie & (led.max(axis=1) < 0) & (winner != most.argmax(axis=1)),  # all sums of leaders are negative
        )
        chosen = [rng.choice(found) for kind in kinds if len(found := np.flatnonzero(clear & kind))]
        far = 4096 * scores[clear & kinds[-1]][:1]  # below whatever a search for the highest may begin with
        yield pairs, np.concatenate([scores[[*chosen, *np.flatnonzero(clear)[:n]]], far]), k


def own_line(pairs, scores, k):
    votes, _ = vote(pairs, scores, k)
    most, sums = votes == votes.max(axis=1)[:, None], np.zeros(votes.shape)
    for (a, b), f in zip(pairs, scores.T, strict=True):
        sums[:, b] += f * most[:, a] * most[:, b]
        sums[:, a] -= f * most[:, a] * most[:, b]
    return votes, np.where(most, sums, -np.inf).argmax(axis=1)


vote = solution("vote")
FOR_SECOND, FOR_FIRST, SUM, LESS = "[:, b] += f > 0", "[:, a] += f <= 0", "sums[:, b] += f", "sums[:, a] -= f"
WINNER, NEGATIVE = "np.where(most, sums, -np.inf).argmax(axis=1)", "(np.where(most, sums, -np.inf).max(axis=1) <= 0)"

task(
    "vote",
    returns=("votes", "winner"),
    cases=vote_cases,
    mistakes=[
        (FOR_SECOND, "[:, b] += f >= 0", FOR_FIRST, "[:, a] += f < 0",
         "A score of exactly 0 is a vote for the FIRST class of the pair."),
        (FOR_SECOND, "[:, b] += f < 0", FOR_FIRST, "[:, a] += f >= 0",
         "The votes go to the wrong side: a score above 0 is a vote for the second class of the pair."),
        (FOR_SECOND, "[:, b] += f <= 0", FOR_FIRST, "[:, a] += f > 0",
         "The votes go to the wrong side: a score above 0 is a vote for the second class of the pair, 0 or below for "
         "the first."),
        (FOR_FIRST, "[:, a] += f < 0",
         "A score of exactly 0 counts for nobody in yours: it is a vote for the first class of the pair."),
        (FOR_SECOND, "[:, b] += f >= 0",
         "A score of exactly 0 counts for both in yours: it is a vote for the first class of the pair alone."),
        ("votes" + FOR_FIRST, "pass",
         "You count only the votes for the second class of a pair: a score of 0 or below is a vote for the first."),
        ("    most", "    votes = np.minimum(votes, 1)\n    most",
         "No class gets more than one vote in yours: votes[i, [...]] += 1 counts a class that comes twice only once; "
         "take a loop, or np.add.at."),
        (FOR_SECOND, "[:, b] += np.maximum(f, 0)", FOR_FIRST, "[:, a] += np.maximum(-f, 0)",
         "Your votes are as large as the scores: each line has one vote, which counts 1."),
        ("return votes", "return sums", "You return the summed scores: votes are counted, 1 for each line."),
        ("return votes", "return votes / len(pairs)", "You return shares of the votes. Return their number."),
        *((WINNER, wrong, sentence) for wrong, sentence in (
            ("most.argmax(axis=1)",
             "A tie is yours to decide: argmax takes the first of those with the most votes, so look for the "
             "highest summed score among them."),
            ("k - 1 - most[:, ::-1].argmax(axis=1)",
             "A tie goes to the highest summed score: yours takes the last of those with the most votes."),
            ("np.array([np.argmax(s[m]) for s, m in zip(sums, most)])",
             "Your `winner` is a place among those with the most votes: which class stands there?"),
            ("sums.argmax(axis=1)", "The votes come first: only among those with the MOST votes does the sum decide."),
            ("np.where(most.sum(axis=1) > 1, sums.argmax(axis=1), most.argmax(axis=1))",
             "Where votes tie, yours compares the sums of all classes: only those with the most votes are left."),
            ("np.where(most, sums, np.inf).argmin(axis=1)",
             "A tie goes to the HIGHEST summed score (+f for the second class, -f for the first): yours takes the "
             "lowest."),
            ("np.where(most, np.abs(sums), -np.inf).argmax(axis=1)",
             "A very negative sum is no strength. Compare the sums with their sign."),
            *((wrong, "Leaders whose sums are all negative do not win in yours: the search for the highest sum must "
               "begin at -inf.") for wrong in (
                "(most * sums).argmax(axis=1)", f"np.where({NEGATIVE}, 0, {WINNER})",
                f"np.where({NEGATIVE}, -1, {WINNER})", f"np.where({NEGATIVE}, most.argmax(axis=1), {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), 0, {WINNER})",
                f"np.where(np.where(most, sums, -np.inf).max(axis=1) <= -1, 0, {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), -1, {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), (most * sums).argmax(axis=1), {WINNER})",
            )),
            (f"np.where(most.sum(axis=1) > 1, -1, {WINNER})",
             "A tie is not left open: the highest summed score among the leaders decides."),
            ("(votes + sums).argmax(axis=1)",
             "You add votes and sums up, so that a large sum overrules a vote: the sum decides between leaders alone."),
            ("votes.max(axis=1)",
             "Your `winner` is how many votes the winner has: which class has them?"),
        )),
        (own_line, "You decide a tie by the leaders' own lines alone: their sums go over all lines they take part in."),
        ("    most", "    sums[:] = sums.sum(axis=0)\n    most",
         "All examples share one row of sums in yours: each has its own, which begins at 0."),
        (SUM, "sums[:, b] += np.abs(f)", LESS, "sums[:, a] += np.abs(f)",
         "Your sums count |f| for both classes: f counts +f for the second and -f for the first."),
        (SUM, "sums[:, b] += np.sign(f)", LESS, "sums[:, a] -= np.sign(f)",
         "The sums add up signs: that is the votes once more; add up the scores themselves."),
        (SUM, "sums[:, b] += np.maximum(f, 0)", LESS, "sums[:, a] -= np.minimum(f, 0)",
         "Your sums leave out the lines that a class loses: every line counts, +f for the second class and -f for the "
         "first."),
        (LESS, "pass",
         "The sums forget the first class of each pair: a score f counts +f for the second and -f for the first."),
        (LESS, "sums[:, a] += f", "Your sums count +f for both classes: f counts against the first, so -f for it."),
    ],
    hints=[
        "Go through the lines: column m of scores belongs to pairs[m] = (a, b). Each line gives one vote per example.",
        "Keep a second table beside the votes: where the vote is counted, add f to b's sum and take f from a's sum.",
        "To compare sums among the leaders alone, put -inf in the place of every other class's sum before you look for "
        "the highest.",
    ],
)


def corrected(rng):
    for k, n, d, passes in ((2, 3, 1, 1), (3, 4, 1, 2), (3, 5, 2, 2), (4, 6, 2, 3), (4, 7, 2, 2), (5, 8, 3, 3)):
        y = rng.permutation(np.append(np.arange(k), rng.integers(k, size=n - k)))
        first = int(np.argmax(y == 0 if n % 2 else y))  # at zero argmax says 0: seen wrongly as right, or as wrong
        y[[0, first]] = y[[first, 0]]
        yield quarters(rng, n, d) + 0.125, y, k, passes


LEAST, SEARCH = "f[r] >= own", "own, f[c] = f[c], -np.inf"
LOWER, ONCE, TIES, RESET = (
    ("thetas[r] -= z", "pass", "Take (x, 1) from the row of the rival. Only the true row moves in yours."),
    ("        for z, c in zip(Z, y):\n            f = thetas @ z", "        old = thetas.copy()\n"
     "        for z, c in zip(Z, y):\n            f = old @ z",
     "Your scores are those at the start of the pass: compute them for every example, after the corrections so far."),
    (LEAST, "f[r] > own or (f[r] == own and r < c)",
     "Equal scores: where argmax finds the true class first, a rival with the same score goes unseen. At least as high "
     "is a mistake."),
    ("for _ in range(passes):", "for _ in range(passes):\n        mistakes = 0",
     "Count all passes together. Your `mistakes` begins at 0 in every pass."),
)

task(
    "all_rows",
    returns=("thetas", "mistakes"),
    cases=corrected,
    mistakes=[
        LOWER, ONCE, TIES, RESET,
        (*LOWER[:2], *ONCE[:2], *TIES[:2], *RESET[:2], "That is the colleague's perceptron as it was: four faults are "
         "in it."),
        (*LOWER[:2], *ONCE[:2], *TIES[:2], "Three faults are left: the rival's row, the old scores, the equal scores."),
        (*ONCE[:2], *TIES[:2], "Two faults are left: the old scores, and the equal scores."),
        (*LOWER[:2], *TIES[:2], "Two faults are left: the rival's row, and the equal scores."),
        (LEAST, "f[r] > own", "Ask f[r] >= own. A rival with an equal score is a mistake, too."),
        (LEAST, "f[r] >= own - 1", "You ask for a lead of 1: a mistake is a rival that is at least as high."),
        (SEARCH, "own = f[c]",
         "The true class takes part in your search, and may be found as its own rival. Leave it out."),
        (SEARCH, "own, f[c] = f[c], 0",
         "Where no rival has more, the true class is found as its own rival. Put -np.inf in its place, not 0."),
        (SEARCH, "own, f = f[c], np.delete(f, c)",
         "np.delete moves the classes behind the true one up by one: put -np.inf in its place instead."),
        (*RESET[:1], RESET[1].replace("mistakes = 0", "thetas = np.zeros((k, Z.shape[1]))"),
         "Your rows begin at 0 in every pass: they go on from where the last one ended."),
        ("mistakes += 1", "mistakes += 1\n                break",
         "Go on to the last example. Your pass ends with its first mistake."),
        (then(mistakes=lambda _, y, passes: len(y) * passes),
         "Count where a rival is at least as high. Your `mistakes` counts all visits."),
        ("thetas[c] += z", "pass", "The true row never moves in yours. Add (x, 1) to it."),
        ("thetas[c] += z", "thetas[c] -= z", "thetas[r] -= z", "thetas[r] += z", "Your signs are exchanged."),
        ("thetas[r] -= z", "thetas[[q for q in range(k) if q != c and f[q] >= own]] -= z",
         "You lower all rivals. Lower the strongest alone."),
        ("thetas[r] -= z", "thetas[[q for q in range(k) if q != c]] -= z",
         "You lower all other rows. Lower the strongest rival alone."),
        ("np.argmax(f)", "k - 1 - np.argmax(f[::-1])",
         "Among equal rivals yours takes the last: the lowest class is the strongest."),
        ("np.argmax(f)", "int(c == 0)", "Your rival is the first other class. Take the one with the highest score."),
        ("np.argmax(f)", "np.argmin(np.where(f > -np.inf, f, np.inf))",
         "Your rival is the weakest. Take the one with the highest score."),
        ("np.zeros((k, Z.shape[1]))", "[np.zeros(Z.shape[1])] * k",
         "All rows are one and the same array in yours, as [row] * k makes them: np.zeros((k, d + 1)) has k."),
        ("np.column_stack([X, np.ones(len(X))])", "X", "Your rows have no bias: x needs a 1 behind it."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([X, np.zeros(len(X))])",
         "Your biases never move: the 1 in (x, 1) is part of the correction."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([np.ones(len(X)), X])",
         "Your constant comes first: the bias is the last entry of each row."),
        ("mistakes += 1", "mistakes += np.sum(f >= own)", "You count rivals: an example is one mistake at most."),
        ("range(passes)", "range(1)", "You make one pass alone. Make `passes` of them."),
        ("range(passes)", "range(passes - 1)", "You make one pass too few."),
        ("range(passes)", "range(passes + 1)", "You make one pass too many."),
    ],
    hints=[
        "Two faults are about time: when are the scores computed, and when is the count set to 0? One is about a row "
        "that should move.",
        "The hidden one: at zero all scores are equal, argmax says 0, and examples of class 0 look right. Look for the "
        "highest score among the other classes.",
        "own, f[c] = f[c], -np.inf takes the true class out of the search. Then r = np.argmax(f), and f[r] >= own is "
        "a mistake.",
    ],
)


def separated(rng):
    for k, n, d, sign in ((2, 2, 1, 1), (3, 3, 1, 1), (3, 4, 2, 1), (4, 4, 2, 1), (3, 4, 2, -1), (3, 4, 2, 0)):
        while True:
            thetas, X = quarters(rng, k, d + 1), quarters(rng, n, d) * 2
            f = X @ thetas[:, :-1].T + thetas[:, -1]
            y = f.argmax(axis=1)
            if sign == 0:  # two rows alike
                thetas[(y[0] + 1) % k] = thetas[y[0]]
                f = X @ thetas[:, :-1].T + thetas[:, -1]
                y = f.argmax(axis=1)
            order = np.sort(f, axis=1)
            gaps = order[:, -1] - order[:, -2]
            if sign < 0:
                y = np.roll(y, 1)
            R2 = (X**2).sum(axis=1)
            if (sign == 0 or gaps.min() > 0.2) and (sign or gaps.min() == 0) and y.max() > 0 and (
                    sign >= 0 or (f[np.arange(n), y] < order[:, -1]).any()) and R2.max() > R2.min() + 0.2 and (
                    k == 2 or np.ptp(order[:, -1] - order[:, 0]) > 0.1) and thetas[:, -1].any():
                break
        yield X, y, thetas


BLOCKS, GAMMA, BOUND = "v[c], v[r] = z, -z", "np.min(rows @ thetas.ravel()) / np.linalg.norm(thetas)", \
    "2 * R2 / gamma**2"

task(
    "stacked",
    returns=("V", "gamma", "bound"),
    cases=separated,
    mistakes=[
        (BLOCKS, "v[c], v[r] = -z, z", "Your signs are exchanged: (x, 1) is in the block of the true class."),
        (BLOCKS, "v[c] = z", "Your v lacks the rival's block. Put -(x, 1) there."),
        (then(V=lambda V, X, y, thetas: [np.ravel([np.append(x, 1) * (1 if q == c else -1) for q in range(len(thetas))])
                                         for x, c in zip(X, y, strict=True)]),
         "Your v has the blocks of all rivals at once: each rival has a v of its own."),
        ("if r != c", "if True", "Your V has a row for the class itself: its k - 1 rivals alone have one."),
        (then(V=lambda V, y, thetas: np.array(V)[np.argsort(
            [r for c in y for r in range(len(thetas)) if r != c], kind="stable")]),
         "Your V goes through the rivals first. Go through the examples in order, and for each through its rivals."),
        (then(V=lambda V, y, thetas: (blocks := np.reshape(V, (len(y), -1, thetas.size)))[
            np.arange(len(y)), (blocks @ thetas.ravel()).argmin(axis=1)]),
         "Your V has the strongest rival alone: each of the k - 1 rivals has a row."),
        (BLOCKS, "v[c], v[r] = z, z", "Your rival's block has no minus: it is -(x, 1)."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([X, np.zeros(len(X))])",
         "Your v has 0 where (x, 1) has 1: the biases are stacked, too."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([np.ones(len(X)), X])",
         "Your constant comes first: the bias is the last entry of a block."),
        ("rows.append(v.ravel())", "rows.append(v.T.ravel())",
         "Your v runs through the table column by column: block after block, so row by row."),
        *((GAMMA, wrong, sentence) for wrong, sentence in (
            ("np.min(rows @ thetas.ravel())", "Your `gamma` is not divided by the length of the long vector."),
            ("np.min(rows @ thetas.ravel()) / np.linalg.norm(thetas) ** 2", "Divide by the length. Your `gamma` is "
                "divided by the square of the length."),
            ("np.min(rows @ thetas.ravel()) / np.linalg.norm(thetas[:, :-1])",
             "Your length leaves out the biases: in the long vector they are weights like others."),
            ("np.min(rows @ thetas.ravel()) / np.linalg.norm(thetas, axis=1).max()",
             "Your length is that of the longest row. Take that of the long vector."),
            ("np.min(rows @ thetas.ravel() / np.linalg.norm(rows, axis=1)) / np.linalg.norm(thetas)",
             "Your `gamma` is divided by the length of v as well: that is in R already."),
            (f"{GAMMA} / np.sqrt(2)", "Your `gamma` has a root of 2 too many: the length of the long vector alone is "
             "below the line."),
            ("np.max(rows @ thetas.ravel()) / np.linalg.norm(thetas)",
             "Take the smallest. Your `gamma` is the largest."),
            ("np.mean(rows @ thetas.ravel()) / np.linalg.norm(thetas)",
             "Take the smallest. Your `gamma` is a mean."),
            ("np.min(np.abs(rows @ thetas.ravel())) / np.linalg.norm(thetas)",
             "Your `gamma` is never negative: a wrong example makes it so."),
        )),
        *((BOUND, wrong, sentence) for wrong, sentence in (
            ("R2 / gamma**2", "Your `bound` takes v for as long as (x, 1): v has two blocks, so ||v||^2 is 2 R^2."),
            ("4 * R2 / gamma**2", "Your `bound` has 4 R^2: ||v||^2 is the sum of the squares of two blocks, 2 R^2."),
            ("2 * R2", "Your `bound` lacks gamma. Divide by its square."),
            ("len(thetas) * R2 / gamma**2", "Your `bound` has k blocks: in v only two are not 0."),
        )),
        ("np.max(np.sum(Z**2, axis=1))", "np.max(np.sum(X**2, axis=1))",
         "Take ||(x, 1)||^2. Your R leaves out the 1."),
        ("np.max(np.sum(Z**2, axis=1))", "np.min(np.sum(Z**2, axis=1))",
         "Take the longest. Your R is that of the shortest example."),
        ("np.max(np.sum(Z**2, axis=1))", "np.mean(np.sum(Z**2, axis=1))",
         "Your R is a mean. Take that of the longest example."),
        ("np.max(np.sum(Z**2, axis=1))", "np.max(np.linalg.norm(Z, axis=1))",
         "Your `bound` has R where R^2 belongs. Square it."),
        *(("if gamma > 0 else None", wrong, "Where gamma is not positive nothing is proved. Return None.")
          for wrong in ("", "if gamma > 0 else np.inf", "if gamma > 0 else 0")),
        ("if gamma > 0 else None", "if gamma != 0 else None",
         "Where gamma is negative nothing is proved. Return None."),
        ("if gamma > 0 else None", "if gamma >= 0 else None", "Where gamma is 0 nothing is proved. Return None."),
    ],
    hints=[
        "Make v as a table of k rows first, zeros all over: which two rows are filled? v.ravel() is the long vector.",
        "The length of Theta grows by at most ||v||^2 a mistake, its projection on the answer by gamma at least. How "
        "long is v?",
        "||v||^2 = 2 ||(x, 1)||^2, so the bound is 2 R^2 / gamma^2. gamma is the smallest rows @ thetas.ravel(), "
        "divided by np.linalg.norm(thetas).",
    ],
)


def softly(rng):
    for k, n, d, large in ((2, 2, 1, 0), (3, 3, 1, 0), (3, 5, 2, 0), (4, 6, 2, 0), (3, 4, 2, 480), (5, 7, 3, 0)):
        X = quarters(rng, n, d)
        X[:2, 0] = 2, -2
        thetas = quarters(rng, k, d + 1)
        thetas[:, 0] += large  # the same for all classes, which changes no share
        yield X, rng.integers(k, size=n), thetas


SAFE, SHARE, SLOPE = "f = f - f.max(axis=1)[:, None]", "p = np.exp(f) / total", "(p - own).T @ Z / len(X)"
LOG = "np.mean(np.log(total[:, 0]) - (f * own).sum(axis=1))"

task(
    "shares",
    returns=("p", "loss", "gradient"),
    cases=softly,
    mistakes=[
        (SAFE, "pass", "Large scores: np.exp overflows. Take the highest score of each example away from all its "
         "scores first."),
        (SAFE, "f = f - f.max()", "You take away one number for all examples: each has its own highest score."),
        *(("total = np.exp(f).sum(axis=1)[:, None]", "total = np.exp(f).sum(axis=0) + 0 * f[:, :1]", *unsafe,
           "You add up along the examples: the shares of one example add up to 1 (axis=1).")
          for unsafe in ((), (SAFE, "pass"))),
        *((SAFE, f"f = np.clip(f, -{most}, {most})",
           "Take the highest of each example away. You cut off large scores, and different ones become alike.")
          for most in (500, 700)),
        (SHARE, "p = 1 / (1 + np.exp(-(Z @ thetas.T)))",
         "Your `p` asks each class by itself, 1 / (1 + e^-f): the shares of an example add up to 1."),
        (SHARE, "p = np.exp(f)", "Divide by the sum. Your shares do not add up to 1."),
        ("total = np.exp(f).sum(axis=1)[:, None]", "total = np.full((len(f), 1), np.exp(f).sum())",
         "You divide by the sum over all examples: the shares of each one add up to 1 (axis=1)."),
        *((SHARE, f"p = {scores} / ({scores}).sum(axis=1)[:, None]",
           "Take np.exp of the scores first. Your shares lack the exponential.")
          for scores in ("f", "(Z @ thetas.T)")),
        (then(p=lambda p, y: p - np.eye(p.shape[1])[y]),
         "Your `p` has lost 1 at the true class. Subtract it from a copy, p.copy()."),
        *((SLOPE, wrong, sentence) for wrong, sentence in (
            ("(own - p).T @ Z / len(X)", "Take p_c, minus 1 for the true class. Your `gradient` points downhill."),
            ("(p - own) / len(X)", "Your `gradient` is the slope along the scores: the chain rule adds (x, 1)."),
            ("(p - (own.sum(axis=0) > 0)).T @ Z / len(X)",
             "[:, y] -= 1 changes whole columns: [np.arange(n), y] is one entry of each example."),
            ("p.T @ Z / len(X)", "Your `gradient` forgets the true class. Subtract 1 from its p_c."),
            ("(p - own).T @ Z", "Your `gradient` is that of the sum. Divide by n."),
            ("(p - own).T @ Z / p.size", "Your `gradient` is divided by n k. Divide by n."),
            ("(p - own).T @ X / len(X)", "Multiply by (x, 1). Your `gradient` has no column for the biases."),
            ("((p - own) * own).T @ Z / len(X)",
             "Your `gradient` moves the true rows alone: the others have the slope p_c."),
            ("(p * (1 - p)).T @ Z / len(X)",
             "Your `gradient` has p (1 - p), the slope of a share: that of -log p_y is p_c, minus 1 for the true one."),
            ("((p - own) * p * (1 - p)).T @ Z / len(X)", "Your `gradient` has a factor p (1 - p) too many: the log "
             "cancels it."),
            ("(p - own).T @ Z * [*[1] * X.shape[1], 0] / len(X)", "Your `gradient` leaves out the biases."),
        )),
        *((LOG, wrong, sentence) for wrong, sentence in (
            ("np.mean(-(f * own).sum(axis=1))", "Your `loss` lacks log sum e^f. Add it to -f_y."),
            ("np.mean(np.log(total[:, 0]) - (Z @ thetas.T * own).sum(axis=1))",
             "Lower both, or none. Your `loss` has the log of the lowered sum and the score as it was."),
            ("np.mean(np.log(total[:, 0]) - f[:, y])",
             "f[:, y] is a whole table: f[np.arange(n), y] takes one score of each example."),
            ("np.mean(1 - (p * own).sum(axis=1))", "Your `loss` is 1 - p: take -log p."),
            ("-np.mean((p * own).sum(axis=1))", "Your `loss` lacks the logarithm: it is -log p."),
            ("-np.mean(np.log(p))", "Your `loss` is the mean over all classes: only the share of the true one counts."),
            ("np.mean(np.log(total[:, 0]) - (f * own).sum(axis=1)) / np.log(2)", "Your `loss` has the logarithm to "
             "base 2: np.log is the natural one."),
            ("np.mean(np.log(total[:, 0]) - (f * own).sum(axis=1)) / np.log(10)", "Your `loss` has the logarithm to "
             "base 10: np.log is the natural one."),
            ("-np.mean(np.sum(np.log(np.where(own > 0, p, 1 - p)), axis=1))",
             "Your `loss` has log(1 - p) of the other classes, too: it is -log p of the true class alone."),
            ("np.mean(np.log(total[:, 0]))", "Your `loss` leaves out the true class: it is -log p_y, log sum - f_y."),
            ("np.mean(p.argmax(axis=1) != y)", "Your `loss` counts errors: it is -log p of the true class."),
        )),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([X, np.zeros(len(X))])",
         "Multiply by (x, 1). Your scores miss the biases."),
    ],
    hints=[
        "d/df_c of log sum exp f is the share p_c. What does -f_y add, and for which c?",
        "The slope along f_c is p_c, minus 1 for the true class. f_c is theta_c . (x, 1), so row c gets that number "
        "times (x, 1), in the mean over the examples.",
        "f - f.max(axis=1)[:, None] keeps np.exp small. np.eye(k)[y] has a 1 for the true class of each example: "
        "(p - that).T @ Z / n.",
    ],
)


def rows(rng):
    for k, each in ((2, 1), (2, 3), (3, 1), (3, 2), (3, 3), (4, 2), (5, 1), (5, 2)):
        order = rng.permutation(k)
        while ((order[1:-1] == sorted(order[1:-1])).all() and k > 3) or order[0] < order[-1] == k - 1:
            order = rng.permutation(k)
        x = np.cumsum(rng.choice([0.5, 1, 1.5, 2.5], k * each)) + rng.integers(-8, 3)
        mixed = rng.permutation(k * each)
        yield x[mixed], np.repeat(order, each)[mixed], k


unmask = solution("unmask")
ORDER, MIDDLE, KEEP = "np.argsort([x[y == c].mean() for c in range(k)])", "sorted(order[1:-1])", \
    "weight, thetas[a, 1] - border"

task(
    "unmask",
    returns=("point", "masked", "thetas"),
    cases=rows,
    mistakes=[
        *(("[x.mean(), 2 / k - 1]", f"[x.mean(), {f}]", sentence) for f, sentence in (
            ("1 / k", "Your labels of the point are 1 and 0: the rest has -1, so their mean is 2/k - 1."),
            ("1 - 2 / k", "Your `point` has the wrong sign: one class in k has +1, the rest -1."),
            ("0", "Your `point` lies at f = 0: a line goes through the mean of its labels, and most of them are -1."),
            ("-1 / k", "Your `point` is right for three classes alone: the mean of one +1 and k - 1 times -1."),
        )),
        ("[x.mean(), 2 / k - 1]", "[2 / k - 1, x.mean()]", "Your `point` has f first: the place comes first."),
        *(("[x.mean(), 2 / k - 1]", f"[{middle}, 2 / k - 1]",
           "Your `point` is not at the mean of all x, which every least squares line goes through.")
          for middle in ("(x.min() + x.max()) / 2", "np.median(x)", "0")),
        *((MIDDLE, wrong, sentence) for wrong, sentence in (
            ("order[1:-1]", "Give the classes in increasing order. Your `masked` goes along the line."),
            ("list(range(1, k - 1))", "Your `masked` takes the numbers of the classes for their places in the row."),
            ("[]", "Your `masked` is empty: of lines through one point only the steepest up and the steepest down win "
             "anywhere."),
            ("sorted([order[0], order[-1]])",
             "Your `masked` has the two classes that win. List those between them."),
            ("sorted(order[1:])", "Your `masked` has the class on the far right, which wins there."),
            ("sorted(order[:-1])", "Your `masked` has the class on the far left, which wins there."),
            ("[order[k // 2]]", "Your `masked` has one class alone: all between the two ends win nowhere."),
            ("len(order[1:-1])", "Return which classes win nowhere. Your `masked` is a count."),
        )),
        (ORDER, "list(dict.fromkeys(y.tolist()))", "Go along x, from left to right. You build in the order in which "
            "the classes come in y."),
        (ORDER, "np.arange(k)", "Go along x, from left to right. You build along the numbers of the classes."),
        (ORDER, ORDER + "[::-1]", "You begin on the right: the class on the far left has the row (0, 0)."),
        (KEEP, "weight, -border", "Your biases forget that of the class before: at the border w x + b is the same for "
                                  "both, so b goes down by the border."),
        (KEEP, "weight, thetas[a, 1] + border", "Your biases have the wrong sign: where the weight grows by 1, b goes "
            "down by the border."),
        (KEEP, "weight, -weight * border",
         "Each of your scores is 0 at its border: there it must equal the score of the "
         "class before."),
        (KEEP, "weight + 1, thetas[a, 1] - border", "Your second weight is 2: from (0, 0) on they grow by 1 from class "
         "to class."),
        (KEEP, "1, thetas[a, 1] - border", "All your weights are 1: they grow by 1 from class to class."),
        *(("border = (x[y == a].max() + x[y == c].min()) / 2", f"border = {wrong}", sentence) for wrong, sentence in (
            ("(x[y == a].mean() + x[y == c].mean()) / 2",
             "Your borders lie between the means. Put them halfway between the two examples next to them."),
            ("x[y == a].max()",
             "Your borders lie on the last example of a class. Put them halfway to the first of the next."),
            ("x[y == c].min()",
             "Your borders lie on the first example of a class. Put them halfway to the last one before."),
            *((f"(x[y == a].{a}() + x[y == c].{c}()) / 2",
               "Your borders take the far end of a class. Put them halfway between the two examples next to them.")
              for a, c in (("min", "min"), ("max", "max"))),
            ("(x[y == a].max() + x[y == c].min())", "Your borders are a sum: halfway is half of it."),
            ("(x[y == c].min() - x[y == a].max()) / 2", "Your borders are half the gap. Return their place."),
        )),
        (then(thetas=lambda thetas: thetas[np.argsort(thetas[:, 0], kind="stable")]),
         "Your rows stand in the order along x: the row of class c is row c."),
        (then(thetas=lambda _, x, y, k: np.array([np.polyfit(x, 2.0 * (y == c) - 1, 1) for c in range(k)])),
         "Build the rows as the text says. Your `thetas` are the lines of least squares, which mask the middle."),
        (then(thetas=lambda thetas: thetas[:, ::-1]), "Your bias comes first: a row is [w, b]."),
        (then(thetas=lambda thetas: np.add(thetas, [1, 0])), "Your weights begin at 1: the first row is (0, 0)."),
    ],
    hints=[
        "One label in k is +1, the others are -1: what is their mean? It is the same for every class. Of lines through "
        "one point, which are the highest somewhere?",
        "Sort the classes by their mean x. Only the first and the last have lines that win. To build: between classes "
        "a "
        "and c, where c has a weight larger by 1, the scores are equal at x = b_a - b_c.",
        "So b_c = b_a - border, row by row from left to right, with the border halfway between x[y == a].max() and "
        "x[y == c].min().",
    ],
)
