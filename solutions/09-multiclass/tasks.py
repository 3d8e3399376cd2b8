"""An envelope of scores, one-vs-rest and one-vs-one, votes, a perceptron to fix, Kesler, softmax."""

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
         "Begin on the far left, where the smallest weight wins. Your walk begins on the right."),
        (then(lambda parts: (parts[0][::-1], parts[1][::-1], parts[2])),
         "Begin at the far left. Your list runs from right to left."),
        (lambda thetas: envelope(-thetas), "Take the highest line. Your winner is the lowest."),
        (FIRST, "0", "Begin with the smallest weight, which wins on the far left. Your walk begins at class 0."),
        (NEAREST, "steeper[0]", "meet.min()", "meet[0]",
         "Go on to the line that is met first. You go to the first steeper class in the list."),
        (then(borders=lambda borders: 1 / np.array(borders)),
         "Divide the difference of the biases by that of the weights. Your borders are upside down."),
        *((then(borders=lambda _, thetas, kind=kind: sorted(
            kind((b - d) / (c - a) for (a, b), (c, d) in combinations(thetas, 2)))),
           "Keep only the places where the highest line changes. Your `borders` has every place where two lines meet.")
          for kind in (set, list)),
        (then(lambda parts: (parts[0] + parts[2], *parts[1:])),
         "List only those that win somewhere. Your `order` has the masked classes, too."),
        (then(order=sorted), "List the classes from left to right along the line. Your `order` is sorted by number."),
        (MEET, "(b[steeper] - b[a]) / (w[steeper] - w[a])",
         "Solve w_a x + b_a = w_c x + b_c for x. Your borders have the wrong sign."),
        (MEET, "(b[a] - b[steeper]) / (w[steeper] + w[a] + 1e-9)", "Divide by the difference of the weights. You "
                                                                   "divide by their sum."),
        (NEAREST, "steeper[np.argmin(w[steeper])]", "borders.append(meet.min())",
         "borders.append(meet[np.argmin(w[steeper])])",
         "Go on to the line that is met first. You go to the next steeper one, which may be masked."),
        (NEAREST, "steeper[np.argmax(meet)]", "meet.min()", "meet.max()",
         "Go on to the line that is met first. You take the last meeting."),
        *(("sorted(set(range(len(w))) - set(order))", winners,
           "Return the classes that win nowhere. Your `masked` has those that win somewhere.")
          for winners in ("order", "sorted(order)")),
        ("sorted(set(range(len(w))) - set(order))", "[]",
         "List the classes that win nowhere. Your `masked` is empty."),
        (then(masked=lambda masked, thetas: sorted(masked, key=lambda c: thetas[c][0])),
         "List the classes in increasing order. Your `masked` goes by weight."),
        (looked_at, "Compute where lines meet. You check who wins at a few points, but a class may win between them, "
                    "or farther out."),
        (dropped_once, "Look back again after you drop a line, because the one before may now be masked as well."),
        (then(masked=len), "Return which classes win nowhere. Your `masked` is a count."),
        *((then(borders=lambda _, thetas, order, ends=ends: -thetas[order[ends], 1] / thetas[order[ends], 0]),
           "Find where two scores are equal. Your borders are where scores are 0.")
          for ends in (slice(1, None), slice(-1))),
        (then(borders=lambda borders, thetas, order: thetas[order[1:], 0] * borders + thetas[order[1:], 1]),
         "Return the places, x. Your borders are the heights at which two lines meet."),
        (then(borders=lambda borders: [-np.inf, *borders, np.inf]),
         "Return only the places where the winner changes. Your `borders` has minus infinity and infinity as well."),
        (then(masked=lambda _, thetas: np.flatnonzero(thetas[:, 1] < thetas[:, 1].max())),
         "Look along the whole line. Your `masked` looks only at x = 0, but a class may win elsewhere."),
    ],
    hints=[
        "Far to the left the line with the smallest weight is the highest. Which lines can take over farther right?",
        "Only steeper ones. Compute where each of them meets the present winner. The first of these places is the next "
        "border.",
        "Go on from the new winner, until it is the steepest of all. Lines w_a x + b_a and w_c x + b_c meet at "
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
            thetas, predicted, claims = one_vs_rest(X, y, k, new)
            f = np.sort(new @ thetas[:, :-1].T + thetas[:, -1], axis=1)
            if {0, 1, 2} <= set(claims) and np.diff(f).min() > 1e-3 and np.abs(f).min() > 1e-3 and (
                    len(set(predicted)) > 1 and np.any((f[:, -1] < 0) & (predicted > 0))):
                break
        yield X, y, k, new


one_vs_rest = solution("one_vs_rest")
OWN, SCORES, PICK, CLAIM = "np.where(y == c, 1, -1)", "new @ thetas[:, :-1].T + thetas[:, -1]", "f.argmax(axis=1)", \
    "(f > 0).sum(axis=1)"

task(
    "one_vs_rest",
    returns=("thetas", "predicted", "claims"),
    cases=rest_cases,
    mistakes=[
        (OWN, "np.where(y == c, -1, 1)", "Give the class itself the label +1 and the rest -1. Your labels are the "
                                         "other way around."),
        (OWN, "np.where(y == c, 1, 0)", "Give the rest the label -1. You give it 0."),
        (f"fit(X, {OWN})", f"np.append(np.linalg.lstsq(X, {OWN}, rcond=None)[0], 0)",
         "Use fit(X, labels), which gives each line a bias. Your lines all go through the origin."),
        (OWN, "y", "Make new labels for each line, +1 and -1. You fit the numbers of the classes."),
        ("fit(X, np.where(y == c, 1, -1)) for c in range(k)", "fit(X[(y == c) | (y == (c + 1) % k)], "
         "np.where(y == c, 1, -1)[(y == c) | (y == (c + 1) % k)]) for c in range(k)",
         "Train each line on all examples. You leave some out."),
        ("for c in range(k)", "for c in range(1, k + 1)",
         "Count the classes from 0. Your loop is over 1 to k."),
        ("    f = new", "    thetas[:] = thetas[-1]\n    f = new",
         "Collect one line for each class. All your rows are the line of the last class."),
        ("    f = new", "    thetas /= np.linalg.norm(thetas[:, :-1], axis=1)[:, None]\n    f = new",
         "Leave the lines as fit returns them. You divide them by their lengths."),
        *((SCORES, wrong, sentence) for wrong, sentence in (
            ("X @ thetas[:, :-1].T + thetas[:, -1]",
             "Predict for the examples in `new`. You predict for those in X."),
            ("new @ thetas[:, :-1].T", "Add the bias, the last number of each line. Your scores leave it out."),
            ("new @ thetas[:, 1:].T + thetas[:, 0]", "Take the last column as the bias. You take the first."),
            (f"({SCORES}) / np.linalg.norm(thetas[:, :-1], axis=1)",
             "Compare the scores themselves. You compare distances."),
            (f"np.abs({SCORES})", "Keep the sign of f, because a very negative score is a loud no. You take |f|."),
        )),
        *((PICK, wrong, sentence) for wrong, sentence in (
            ("f.argmax(axis=0)",
             "Find the best class for each example (a row of scores), axis=1. You look for the best example of each "
             "class."),
            ("f.argmin(axis=1)", "Take the highest score. Your `predicted` takes the lowest."),
            ("f", "Return the class with the highest score. Your `predicted` has all the scores."),
            *((first, "Take the highest score. You take the first class that says yes.") for first in (
                "(f > 0).argmax(axis=1)", f"np.where((f > 0).any(axis=1), (f > 0).argmax(axis=1), {PICK})")),
            (f"np.where(f.max(axis=1) > 0, {PICK}, 0)",
             "Let the highest score win even where all are negative. There you say class 0, perhaps because your "
             "search "
             "begins at 0."),
            (f"np.where(f.max(axis=1) > 0, {PICK}, -1)",
             "Let the highest score win where nobody claims the place, too."),
            ("f.max(axis=1)", "Return the class with the highest score. Your `predicted` is the score itself."),
        )),
        *((CLAIM, wrong, sentence) for wrong, sentence in (
            ("(f < 0).sum(axis=1)", "Count the classes with f > 0. Your `claims` counts the classes that say no."),
            ("1 * (f > 0).any(axis=1)",
             "Count the classes with a score above 0. Your `claims` only says whether there is one."),
            ("(f > 0).sum(axis=0)", "Return a number for each example. Your `claims` counts along the examples."),
            ("f.sum(axis=1)", "Count the scores above 0. Your `claims` adds them up, which for least squares "
                              "always makes 2 - k."),
            ("(f > 0).mean(axis=1)", "Return how many classes claim it. Your `claims` is a fraction."),
        )),
        (then(claims=lambda claims, thetas, new: np.maximum(
            np.asarray(new) @ np.array(thetas)[:, :-1].T + np.array(thetas)[:, -1], 0).sum(axis=1)),
         "Count the classes with a score above 0. You add up those scores."),
        ("(f > 0).sum", "(f > 0.5).sum", "Count every score above 0 as a claim. You ask for more than 0.5."),
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
    "one_vs_one",
    returns=("pairs", "thetas", "read"),
    cases=pair_cases,
    mistakes=[
        (PAIRS, "for a in range(k) for b in range(k) if a != b",
         "List each pair once. The pairs (a, b) and (b, a) have the same line."),
        (PAIRS, "for a in range(k) for b in range(a, k)", SIGN, "np.where(y[part] == b, 1, -1.0)",
         "Take only pairs with a < b. A class has no line against itself."),
        (PAIRS, "for b in range(k) for a in range(b)",
         "Order the pairs: first all with class 0, then the rest of those with class 1, and so on."),
        (PAIRS, "for a in range(k) for b in range(a + 1, min(a + 2, k))",
         "Pair every class with every other. You pair only neighbors."),
        (PAIRS, "for a in range(1) for b in range(a + 1, k)",
         "Return after the outer loop. Your pairs are only those of class 0."),
        (then(pairs=lambda pairs: [(b, a) for a, b in pairs]), "Put the smaller class first. Your pairs are (b, a)."),
        (PART, "part = (y == a) & (y == b)",
         "Your lines are 0, made of no examples. Take those of one class or the other, with |, because with & none "
         "belongs to both."),
        (PAIRS, "for a in range(k - 1) for b in range(a + 1, k - 1)",
         "Count the classes from 0 to k - 1. Your last class is missing."),
        (SIGN, "np.where(y[part] == b, -1, 1)", "Give the first class the label -1 and the second +1. Yours are "
                                                "swapped."),
        (SIGN, "np.where(y[part] == b, 1, 0)", "Give the first class the label -1. You give it 0."),
        (SIGN, "y[part]", "Use the labels -1 for a and +1 for b. You fit the numbers of the classes."),
        *((PART, "part = y == y", SIGN, labels,
           "Train each line only on the examples of its two classes. You train it on all.")
          for labels in ("np.where(y[part] == b, 1, -1.0)", "np.where(y[part] == a, -1, 1)")),
        ("thetas.append(fit(X[part], np.where(y[part] == b, 1, -1)))",
         "thetas.append(fit(X, np.where(y == b, 1, np.where(y == a, -1, 0))))",
         "Leave the other classes out. You let them take part with the label 0."),
        ("read += part.sum()", "read = part.sum()", "Add up what the lines of all pairs read. Your `read` has only the "
                                                    "last pair."),
        ("read += part.sum()", "read += len(y)",
         "Count only the examples of the two classes. Your `read` counts all examples for every line."),
        ("read += part.sum()", "read = len(y) * k", "Count each example k - 1 times, once for each of its pairs. "
                                                    "Your `read` is k n, which is what one-vs-rest reads."),
        ("read += part.sum()", "read += X[part].size", "Count the examples. Your `read` counts the numbers in X."),
        ("read += part.sum()", "read += 1", "Count the examples. Your `read` counts the lines."),
        (then(thetas=lambda thetas: np.roll(thetas, 1, axis=1)), "Put the bias last, as fit does. Yours comes first."),
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
         "Count a score of exactly 0 as a vote for the first class of the pair."),
        (FOR_SECOND, "[:, b] += f < 0", FOR_FIRST, "[:, a] += f >= 0",
         "Count a score above 0 as a vote for the second class of the pair. Your votes go to the wrong side."),
        (FOR_SECOND, "[:, b] += f <= 0", FOR_FIRST, "[:, a] += f > 0",
         "Count a score above 0 as a vote for the second class of the pair, and 0 or below for the first. Your votes "
         "go to the wrong side."),
        (FOR_FIRST, "[:, a] += f < 0",
         "Count a score of exactly 0 as a vote for the first class of the pair. You count it for nobody."),
        (FOR_SECOND, "[:, b] += f >= 0",
         "Count a score of exactly 0 only for the first class of the pair. You count it for both."),
        ("votes" + FOR_FIRST, "pass",
         "Count a score of 0 or below as a vote for the first class. You count only the votes for the second."),
        ("    most", "    votes = np.minimum(votes, 1)\n    most",
         "Use a loop, or np.add.at. votes[i, [...]] += 1 counts a class that comes twice only once, so no class gets "
         "more than one vote in yours."),
        (FOR_SECOND, "[:, b] += np.maximum(f, 0)", FOR_FIRST, "[:, a] += np.maximum(-f, 0)",
         "Count each vote as 1. Your votes are as large as the scores."),
        ("return votes", "return sums", "Count votes, 1 for each line. You return the summed scores."),
        ("return votes", "return votes / len(pairs)",
         "Return the number of votes for each class. You return fractions."),
        *((WINNER, wrong, sentence) for wrong, sentence in (
            ("most.argmax(axis=1)",
             "Decide a tie by the highest summed score. argmax takes the first of those with the most votes."),
            ("k - 1 - most[:, ::-1].argmax(axis=1)",
             "Decide a tie by the highest summed score. You take the last of those with the most votes."),
            ("np.array([np.argmax(s[m]) for s, m in zip(sums, most)])",
             "Return the number of the class. Your `winner` is a position in the list of leaders."),
            ("sums.argmax(axis=1)", "Let the votes come first. Only among those with the most votes does the sum "
                                    "decide."),
            ("np.where(most.sum(axis=1) > 1, sums.argmax(axis=1), most.argmax(axis=1))",
             "Compare only the sums of those with the most votes. Where votes tie, you compare all classes."),
            ("np.where(most, sums, np.inf).argmin(axis=1)",
             "Take the highest summed score (+f for the second class, -f for the first). You take the lowest."),
            ("np.where(most, np.abs(sums), -np.inf).argmax(axis=1)",
             "Compare the sums with their sign. A very negative sum is no strength."),
            *((wrong, "Begin the search for the highest sum at -inf. Otherwise no leader wins "
                      "where all their sums are negative.") for wrong in (
                "(most * sums).argmax(axis=1)", f"np.where({NEGATIVE}, 0, {WINNER})",
                f"np.where({NEGATIVE}, -1, {WINNER})", f"np.where({NEGATIVE}, most.argmax(axis=1), {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), 0, {WINNER})",
                f"np.where(np.where(most, sums, -np.inf).max(axis=1) <= -1, 0, {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), -1, {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), (most * sums).argmax(axis=1), {WINNER})",
            )),
            (f"np.where(most.sum(axis=1) > 1, -1, {WINNER})",
             "Decide a tie by the highest summed score among the leaders. You leave it open."),
            ("(votes + sums).argmax(axis=1)",
             "Let the sum decide only between leaders. You add votes and sums, so that a large sum overrules a vote."),
            ("votes.max(axis=1)",
             "Return the class that has the most votes. Your `winner` is its number of votes."),
        )),
        (own_line, "Sum over all the lines that a class takes part in. You decide a tie only by the leaders' own "
                   "lines."),
        ("    most", "    sums[:] = sums.sum(axis=0)\n    most",
         "Give each example its own row of sums, which begins at 0. Your examples all share one row."),
        (SUM, "sums[:, b] += np.abs(f)", LESS, "sums[:, a] += np.abs(f)",
         "Add f for the second class and -f for the first. Your sums count |f| for both."),
        (SUM, "sums[:, b] += np.sign(f)", LESS, "sums[:, a] -= np.sign(f)",
         "Add up the scores themselves. You add up their signs, which gives the votes once more."),
        (SUM, "sums[:, b] += np.maximum(f, 0)", LESS, "sums[:, a] -= np.minimum(f, 0)",
         "Count every line, +f for the second class and -f for the first. Your sums leave out the lines that a class "
         "loses."),
        (LESS, "pass",
         "Add -f for the first class of each pair. Your sums count only the second."),
        (LESS, "sums[:, a] += f", "Count f against the first class, as -f. Your sums count +f for both."),
    ],
    hints=[
        "Go through the lines: column m of scores belongs to pairs[m] = (a, b). Each line gives one vote per example.",
        "Keep a second table beside the votes: where the vote is counted, add f to b's sum and subtract it from a's.",
        "To compare only the sums of the leaders, put -inf in the place of every other class's sum before you look for "
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
    ("thetas[r] -= z", "pass", "Subtract (x, 1) from the row of the rival. You move only the true row."),
    ("        for z, c in zip(Z, y):\n            f = thetas @ z", "        old = thetas.copy()\n"
     "        for z, c in zip(Z, y):\n            f = old @ z",
     "Compute the scores anew for every example, after the corrections so far. You keep those from the start of the "
     "pass."),
    (LEAST, "f[r] > own or (f[r] == own and r < c)",
     "Count a rival with an equal score as a mistake, too. You miss it where argmax finds the true class "
     "first."),
    ("for _ in range(passes):", "for _ in range(passes):\n        mistakes = 0",
     "Count all passes together. Your `mistakes` begins at 0 in every pass."),
)

task(
    "all_rows",
    returns=("thetas", "mistakes"),
    cases=corrected,
    mistakes=[
        LOWER, ONCE, TIES, RESET,
        (*LOWER[:2], *ONCE[:2], *TIES[:2], *RESET[:2], "Fix the colleague's perceptron. You return it as it was, "
                                                       "with its four faults."),
        (*LOWER[:2], *ONCE[:2], *TIES[:2],
         "Fix three more faults. The rival's row doesn't move, the scores are old, and equal scores are missed."),
        (*ONCE[:2], *TIES[:2], "Fix two more faults. The scores are old, and equal scores are missed."),
        (*LOWER[:2], *TIES[:2], "Fix two more faults. The rival's row doesn't move, and equal scores are missed."),
        (LEAST, "f[r] > own",
         "Your rows stay 0 in every case, without a correction. At 0 all scores are equal, so ask f[r] >= own."),
        (LEAST, "f[r] >= own - 1", "Count a mistake if a rival is at least as high. You ask for a lead of 1."),
        (SEARCH, "own = f[c]",
         "Leave the true class out of your search. Otherwise it may be found as its own rival."),
        (SEARCH, "own, f[c] = f[c], 0",
         "Put -np.inf in the place of the true class, not 0. Where no rival has more, it is found as its own rival."),
        (SEARCH, "own, f = f[c], np.delete(f, c)",
         "Put -np.inf in the place of the true class. np.delete moves the classes behind it down by one."),
        (*RESET[:1], RESET[1].replace("mistakes = 0", "thetas = np.zeros((k, Z.shape[1]))"),
         "Let the rows go on from where the last pass ended. Yours begin at 0 in every pass."),
        ("mistakes += 1", "mistakes += 1\n                break",
         "Go on to the last example. Your pass ends with its first mistake."),
        (then(mistakes=lambda _, y, passes: len(y) * passes),
         "Count where a rival is at least as high. Your `mistakes` counts all visits."),
        ("thetas[c] += z", "pass", "Add (x, 1) to the true row. Your true row never moves."),
        ("thetas[c] += z", "thetas[c] -= z", "thetas[r] -= z", "thetas[r] += z", "Add to the true row and subtract "
                                                                                 "from the rival's. You do it the "
                                                                                 "other way around."),
        ("thetas[r] -= z", "thetas[[q for q in range(k) if q != c and f[q] >= own]] -= z",
         "Lower only the strongest rival. You lower all of them."),
        ("thetas[r] -= z", "thetas[[q for q in range(k) if q != c]] -= z",
         "Lower only the strongest rival. You lower all other rows."),
        ("np.argmax(f)", "k - 1 - np.argmax(f[::-1])",
         "Among equal rivals take the lowest class. You take the last."),
        ("np.argmax(f)", "int(c == 0)",
         "Take the other class with the highest score as the rival. You take the first one."),
        ("np.argmax(f)", "np.argmin(np.where(f > -np.inf, f, np.inf))",
         "Take the other class with the highest score as the rival. You take the weakest."),
        ("np.zeros((k, Z.shape[1]))", "[np.zeros(Z.shape[1])] * k",
         "Your rows stay 0, though you count mistakes. Add (x, 1) to the true row, subtract it from another one. "
         "[row] * k holds one row k times."),
        ("np.column_stack([X, np.ones(len(X))])", "X", "Append a 1 to x. Your rows have no bias."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([X, np.zeros(len(X))])",
         "Let the biases move. The 1 in (x, 1) is part of the correction."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([np.ones(len(X)), X])",
         "Put the bias last in each row. Your constant comes first."),
        ("mistakes += 1", "mistakes += np.sum(f >= own)", "Count an example as one mistake at most. You count rivals."),
        ("range(passes)", "range(1)", "Make `passes` passes. You make only one."),
        ("range(passes)", "range(passes - 1)", "Make one pass more."),
        ("range(passes)", "range(passes + 1)", "Make one pass fewer."),
        ("thetas[r] -= z", "thetas[r, :-1] -= z[:-1]",
         "Subtract all of (x, 1) from the row of the rival, the 1 as well. You never lower its bias."),
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
        (BLOCKS, "v[c], v[r] = -z, z", "Put (x, 1) into the block of the true class and -(x, 1) into the rival's. "
                                       "Yours are swapped."),
        (BLOCKS, "v[c] = z", "Put -(x, 1) into the rival's block. You leave that block at 0."),
        (then(V=lambda V, X, y, thetas: [np.ravel([np.append(x, 1) * (1 if q == c else -1) for q in range(len(thetas))])
                                         for x, c in zip(X, y, strict=True)]),
         "Make a vector for each rival. Your v has the blocks of all rivals at once."),
        ("if r != c", "if True", "Make rows only for the k - 1 rivals. Your V has one for the true class as well."),
        (then(V=lambda V, y, thetas: np.array(V)[np.argsort(
            [r for c in y for r in range(len(thetas)) if r != c], kind="stable")]),
         "Go through the examples in order, and for each through its rivals. Your V goes through the rivals first."),
        (then(V=lambda V, y, thetas: (blocks := np.reshape(V, (len(y), -1, thetas.size)))[
            np.arange(len(y)), (blocks @ thetas.ravel()).argmin(axis=1)]),
         "Make a row for each of the k - 1 rivals. Your V has only the strongest."),
        (BLOCKS, "v[c], v[r] = z, z", "Put -(x, 1) into the rival's block. Your block lacks the minus."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([X, np.zeros(len(X))])",
         "Stack the biases, too. Your v has 0 where (x, 1) has 1."),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([np.ones(len(X)), X])",
         "Put the bias last in each block. Your constant comes first."),
        ("rows.append(v.ravel())", "rows.append(v.T.ravel())",
         "Stack block after block, so row by row. Your v runs through the table column by column."),
        *((GAMMA, wrong, sentence) for wrong, sentence in (
            ("np.min(rows @ thetas.ravel())", "Divide `gamma` by the length of the long vector."),
            ("np.min(rows @ thetas.ravel()) / np.linalg.norm(thetas) ** 2", "Divide by the length. Your `gamma` is "
                "divided by the square of the length."),
            ("np.min(rows @ thetas.ravel()) / np.linalg.norm(thetas[:, :-1])",
             "Include the biases in the length. In the long vector they are weights like others."),
            ("np.min(rows @ thetas.ravel()) / np.linalg.norm(thetas, axis=1).max()",
             "Take the length of the long vector. Yours is that of the longest row."),
            ("np.min(rows @ thetas.ravel() / np.linalg.norm(rows, axis=1)) / np.linalg.norm(thetas)",
             "Don't divide `gamma` by the length of v. R already accounts for that length."),
            (f"{GAMMA} / np.sqrt(2)", "Divide only by the length of the long vector. You divide by the square root of "
                                      "2 as well."),
            ("np.max(rows @ thetas.ravel()) / np.linalg.norm(thetas)",
             "Take the smallest lead. Your `gamma` is the largest."),
            ("np.mean(rows @ thetas.ravel()) / np.linalg.norm(thetas)",
             "Take the smallest lead. Your `gamma` is a mean."),
            ("np.min(np.abs(rows @ thetas.ravel())) / np.linalg.norm(thetas)",
             "Keep the sign. An example that is wrong makes `gamma` negative, but yours never is."),
        )),
        *((BOUND, wrong, sentence) for wrong, sentence in (
            ("R2 / gamma**2", "Use ||v||^2 = 2 R^2, because v holds (x, 1) twice. Your `bound` treats v as if it "
                              "held it once."),
            ("4 * R2 / gamma**2", "Use ||v||^2 = 2 R^2, the sum of the squares of two blocks. Your `bound` has 4 R^2."),
            ("2 * R2", "Divide by the square of gamma. Your `bound` lacks it."),
            ("len(thetas) * R2 / gamma**2", "Count two blocks, because in v only two are not 0. Your `bound` has k."),
        )),
        ("np.max(np.sum(Z**2, axis=1))", "np.max(np.sum(X**2, axis=1))",
         "Measure the length of (x, 1). Your R leaves out the 1."),
        ("np.max(np.sum(Z**2, axis=1))", "np.min(np.sum(Z**2, axis=1))",
         "Take R from the longest example. You take it from the shortest."),
        ("np.max(np.sum(Z**2, axis=1))", "np.mean(np.sum(Z**2, axis=1))",
         "Take R from the longest example. Your R is a mean."),
        ("np.max(np.sum(Z**2, axis=1))", "np.max(np.linalg.norm(Z, axis=1))",
         "Square R. Your `bound` has R where R^2 belongs."),
        *(("if gamma > 0 else None", wrong, "Return None as the bound, because nothing is proved where gamma is not "
                                            "positive.")
          for wrong in ("", "if gamma > 0 else np.inf", "if gamma > 0 else 0")),
        ("if gamma > 0 else None", "if gamma != 0 else None",
         "Return None as the bound, because nothing is proved where gamma is negative."),
        ("if gamma > 0 else None", "if gamma >= 0 else None", "Return None as the bound, because nothing is proved "
                                                              "where gamma is 0."),
    ],
    hints=[
        "Make v as a table of k rows of zeros first. Which two rows do you fill? v.ravel() is the long vector.",
        "Each mistake adds at most ||v||^2 to the squared length of Theta, and at least gamma to its projection on "
        "the answer. How long is v?",
        "||v||^2 = 2 ||(x, 1)||^2, so the bound is 2 R^2 / gamma^2. gamma is the smallest entry of "
        "V @ thetas.ravel(), divided by np.linalg.norm(thetas).",
    ],
)


def softly(rng):
    for k, n, d, large in (
        (2, 2, 1, 0), (3, 3, 1, 0), (3, 5, 2, 0), (4, 6, 2, 0), (3, 4, 2, 480), (3, 3, 2, 480), (5, 7, 3, 0),
    ):
        X = quarters(rng, n, d)
        X[:2, 0] = 2, -2
        thetas = quarters(rng, k, d + 1)
        thetas[:, 0] += large  # the same for all classes, which changes no probability
        yield X, rng.integers(k, size=n), thetas


SAFE, QUOTIENT, SLOPE = "f = f - f.max(axis=1)[:, None]", "p = np.exp(f) / total", "(p - own).T @ Z / len(X)"
LOG = "np.mean(np.log(total[:, 0]) - (f * own).sum(axis=1))"

task(
    "softmax",
    returns=("p", "loss", "gradient"),
    cases=softly,
    mistakes=[
        (SAFE, "pass", "Subtract the highest score of each example from all its scores first. Otherwise np.exp "
                       "overflows."),
        (SAFE, "f = f - f.max()", "Subtract from each example its own highest score. You subtract one number from "
                                  "all examples."),
        *(("total = np.exp(f).sum(axis=1)[:, None]", "total = np.exp(f).sum(axis=0) + 0 * f[:, :1]", *unsafe,
           "Add up over the classes, axis=1, because the probabilities of one example add up to 1. You add up "
           "over the examples.")
          for unsafe in ((), (SAFE, "pass"))),
        *((SAFE, f"f = np.clip(f, -{most}, {most})",
           "Subtract each example's highest score. You cut off large scores, so different ones become equal.")
          for most in (500, 700)),
        (QUOTIENT, "p = 1 / (1 + np.exp(-(Z @ thetas.T)))",
         "Divide by the sum over all classes. Your `p` asks each class by itself, 1 / (1 + e^-f)."),
        (QUOTIENT, "p = np.exp(f)", "Divide by the sum over the classes. Your `p` doesn't add up to 1."),
        ("total = np.exp(f).sum(axis=1)[:, None]", "total = np.full((len(f), 1), np.exp(f).sum())",
         "Divide by the sum over the classes of each example (axis=1). You divide by the sum over all examples."),
        *((QUOTIENT, f"p = {scores} / ({scores}).sum(axis=1)[:, None]",
           "Take np.exp of the scores first. Your `p` lacks the exponential.")
          for scores in ("f", "(Z @ thetas.T)")),
        (then(p=lambda p, y: p - np.eye(p.shape[1])[y]),
         "Subtract the 1 from a copy, p.copy(). Your `p` has lost 1 at the true class."),
        *((SLOPE, wrong, sentence) for wrong, sentence in (
            ("(own - p).T @ Z / len(X)", "Take p_c, minus 1 for the true class. Your `gradient` points downhill."),
            ("(p - own) / len(X)", "Multiply by (x, 1), as the chain rule says. Your `gradient` is the slope along "
                                   "the scores."),
            ("(p - (own.sum(axis=0) > 0)).T @ Z / len(X)",
             "Use [np.arange(n), y], one entry of each example. [:, y] -= 1 changes whole columns."),
            ("p.T @ Z / len(X)", "Subtract 1 from p of the true class. Your `gradient` doesn't."),
            ("(p - own).T @ Z", "Divide by n. Your `gradient` belongs to the sum of the losses."),
            ("(p - own).T @ Z / p.size", "Divide by n. Your `gradient` is divided by n k."),
            ("(p - own).T @ X / len(X)", "Multiply by (x, 1). Your `gradient` has no column for the biases."),
            ("((p - own) * own).T @ Z / len(X)",
             "Move the other rows too, with slope p_c. Your `gradient` moves only the true ones."),
            ("(p * (1 - p)).T @ Z / len(X)",
             "Take p_c, minus 1 for the true class, the slope of -log p_y. Your `gradient` has p (1 - p), the slope "
             "of a probability."),
            ("((p - own) * p * (1 - p)).T @ Z / len(X)", "Drop the factor p (1 - p). The log cancels it."),
            ("(p - own).T @ Z * [*[1] * X.shape[1], 0] / len(X)", "Multiply by all of (x, 1), because the biases "
                                                                  "need a gradient, too."),
        )),
        *((LOG, wrong, sentence) for wrong, sentence in (
            ("np.mean(-(f * own).sum(axis=1))", "Add log sum e^f to -f_y. Your `loss` lacks it."),
            ("np.mean(np.log(total[:, 0]) - (Z @ thetas.T * own).sum(axis=1))",
             "Lower both the sum and the score, or neither. Your `loss` has the log of the lowered sum and the score "
             "as it was."),
            ("np.mean(np.log(total[:, 0]) - f[:, y])",
             "Use f[np.arange(n), y] to take one score of each example. f[:, y] is a whole table."),
            ("np.mean(1 - (p * own).sum(axis=1))", "Take -log p. Your `loss` is 1 - p."),
            ("-np.mean((p * own).sum(axis=1))", "Take the logarithm, -log p. Your `loss` lacks it."),
            ("-np.mean(np.log(p))", "Take only p of the true class. Your `loss` is the mean over all classes."),
            ("np.mean(np.log(total[:, 0]) - (f * own).sum(axis=1)) / np.log(2)", "Use np.log, the natural logarithm. "
                                                                                 "Your `loss` has that to base 2."),
            ("np.mean(np.log(total[:, 0]) - (f * own).sum(axis=1)) / np.log(10)", "Use np.log, the natural "
                                                                                  "logarithm. Your `loss` has that "
                                                                                  "to base 10."),
            ("-np.mean(np.sum(np.log(np.where(own > 0, p, 1 - p)), axis=1))",
             "Take -log p of the true class only. Your `loss` has log(1 - p) of the other classes, too."),
            ("np.mean(np.log(total[:, 0]))", "Subtract the score of the true class: log sum - f_y. Your `loss` "
                                             "leaves it out."),
            ("np.mean(p.argmax(axis=1) != y)", "Take -log p of the true class. Your `loss` counts errors."),
        )),
        ("np.column_stack([X, np.ones(len(X))])", "np.column_stack([X, np.zeros(len(X))])",
         "Multiply by (x, 1). Your scores leave out the biases."),
        (then(p=lambda p: 1.0 * (p == np.max(p, axis=1)[:, None])),
         "Return the probabilities themselves. Your `p` has 1 for the class with the highest probability, and 0 for "
         "the rest."),
        (then(loss=lambda loss, thetas: loss / len(thetas)), "Divide by n alone. Your `loss` is divided by k as well."),
    ],
    hints=[
        "Write the loss as log S - f_y, where S is the sum of all e^f. Which term of S contains f_c? Use the chain "
        "rule on log S, and then ask for which c the term -f_y counts.",
        "The slope along f_c is p_c, minus 1 for the true class. f_c is theta_c . (x, 1), so row c gets that number "
        "times (x, 1), in the mean over the examples.",
        "f - f.max(axis=1)[:, None] keeps np.exp small. np.eye(k)[y] has a 1 for the true class of each example. With "
        "Z for X and its column of ones, the gradient is (p - np.eye(k)[y]).T @ Z / n.",
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
            ("1 / k", "Give the rest -1, so that the mean label is 2/k - 1. Your labels are 1 and 0."),
            ("1 - 2 / k", "Average one +1 and k - 1 times -1. Your `point` has the wrong sign."),
            ("0", "Take the mean of the labels, most of which are -1. Your `point` lies at f = 0."),
            ("-1 / k", "Average one +1 and k - 1 times -1. Your `point` is right only for three classes."),
        )),
        ("[x.mean(), 2 / k - 1]", "[2 / k - 1, x.mean()]", "Put the place first. Your `point` has f first."),
        *(("[x.mean(), 2 / k - 1]", f"[{middle}, 2 / k - 1]",
           "Take the mean of all x, which every least squares line goes through at its mean label. Your `point` is "
           "elsewhere.")
          for middle in ("(x.min() + x.max()) / 2", "np.median(x)", "0")),
        *((MIDDLE, wrong, sentence) for wrong, sentence in (
            ("order[1:-1]", "Give the classes in increasing order. Your `masked` goes along the line."),
            ("list(range(1, k - 1))", "Sort the classes by their places in the row. Your `masked` takes their "
                                      "numbers for their places."),
            ("[]", "List all but two classes. Of lines through one point only the steepest up and the steepest down "
                   "win anywhere."),
            ("sorted([order[0], order[-1]])",
             "List those between them. Your `masked` has the two classes that win."),
            ("sorted(order[1:])", "Leave out the class on the far right, which wins there."),
            ("sorted(order[:-1])", "Leave out the class on the far left, which wins there."),
            ("[order[k // 2]]", "List all classes between the two ends. Your `masked` has only one."),
            ("len(order[1:-1])", "Return which classes win nowhere. Your `masked` is a count."),
        )),
        (ORDER, "list(dict.fromkeys(y.tolist()))", "Go along x, from left to right. You build in the order in which "
            "the classes come in y."),
        (ORDER, "np.arange(k)", "Go along x, from left to right. You build along the numbers of the classes."),
        (ORDER, ORDER + "[::-1]", "Begin on the far left, where the class has the row (0, 0). You begin on the right."),
        (KEEP, "weight, -border", "Subtract the border from the bias of the class before. At the border w x + b is "
                                  "the same for both."),
        (KEEP, "weight, thetas[a, 1] + border", "Where the weight grows by 1, lower b by the border. Your biases "
                                                "have the wrong sign."),
        (KEEP, "weight, -weight * border",
         "Make each score equal to that of the class before at their border. Each of yours is 0 there."),
        (KEEP, "weight + 1, thetas[a, 1] - border", "Let the weights grow by 1 from class to class, from (0, 0) on. "
                                                    "Your second weight is 2."),
        (KEEP, "1, thetas[a, 1] - border", "Let the weights grow by 1 from class to class. All yours are 1."),
        *(("border = (x[y == a].max() + x[y == c].min()) / 2", f"border = {wrong}", sentence) for wrong, sentence in (
            ("(x[y == a].mean() + x[y == c].mean()) / 2",
             "Put each border halfway between the two examples next to it. Yours lie halfway between the class means."),
            ("x[y == a].max()",
             "Put each border halfway to the first example of the next class. Yours lie on the last example of a "
             "class."),
            ("x[y == c].min()",
             "Put each border halfway to the last example of the class before. Yours lie on the first example of a "
             "class."),
            *((f"(x[y == a].{a}() + x[y == c].{c}()) / 2",
               "Put each border halfway between the two examples next to it. Yours take the far end of a class.")
              for a, c in (("min", "min"), ("max", "max"))),
            ("(x[y == a].max() + x[y == c].min())", "Take half of the sum, which is halfway. Your borders are the "
                                                    "whole sum."),
            ("(x[y == c].min() - x[y == a].max()) / 2", "Return the places of the borders. Yours are half the gaps."),
        )),
        (then(thetas=lambda thetas: thetas[np.argsort(thetas[:, 0], kind="stable")]),
         "Put the row of class c into row c. Your rows are in the order along x."),
        (then(thetas=lambda _, x, y, k: np.array([np.polyfit(x, 2.0 * (y == c) - 1, 1) for c in range(k)])),
         "Build the rows as the text says. Your `thetas` are the lines of least squares, which mask the middle."),
        (then(thetas=lambda thetas: thetas[:, ::-1]), "Return rows [w, b]. Your bias comes first."),
        (then(thetas=lambda thetas: np.add(thetas, [1, 0])), "Begin with the row (0, 0). Your weights begin at 1."),
        (ORDER, "np.arange(k)", MIDDLE, f"sorted({ORDER}[1:-1])",
         "Go along x, from left to right. You build along the numbers of the classes."),
    ],
    hints=[
        "One label in k is +1, the others are -1: what is their mean? It is the same for every class. Of lines through "
        "one point, which are the highest somewhere?",
        "Sort the classes by their mean x. Only the first and the last have lines that win. To build: between "
        "classes a and c, where c has a weight larger by 1, the scores are equal at x = b_a - b_c.",
        "So b_c = b_a - border, row by row from left to right, with the border halfway between x[y == a].max() and "
        "x[y == c].min().",
    ],
)
