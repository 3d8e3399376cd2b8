"""One against rest, the labels of all pairs, votes and ties, an update of all rivals, votes by hand."""

from itertools import combinations

import numpy as np

from coursekit.grading.draws import quarters
from coursekit.grading.tasks import slips, solution, task


def rest_cases(rng):
    for k, n, d in ((3, 4, 2), (4, 5, 1), (4, 6, 2), (5, 7, 3), (6, 9, 2)):
        while True:
            thetas, X = quarters(rng, k, d + 1), quarters(rng, n, d)
            # Scores of exactly 0, and a highest score that two classes share; nobody's place and several's.
            thetas[0, -1] = -thetas[0, :-1] @ X[0]
            best = (X[1] @ thetas[1:, :-1].T + thetas[1:, -1]).max()
            thetas[-1, -1] = best - thetas[-1, :-1] @ X[1]
            f = X @ thetas[:, :-1].T + thetas[:, -1]
            claims, nobody = (f > 0).sum(axis=1), (f < 0).all(axis=1) & (f.argmax(axis=1) > 0)
            tie = np.sum(f[1] == f[1].max()) > 1 and f[1, -1] == f[1].max()
            lengths = np.linalg.norm(thetas[:, :-1], axis=1)
            if tie and {0, 1, 2} <= set(claims) and nobody.any() and lengths.all() and (
                (f / lengths).argmax(axis=1) != f.argmax(axis=1)
            ).any():
                break
        yield thetas, X


SCORES, PICK, CLAIM = "X @ thetas[:, :-1].T + thetas[:, -1]", "f.argmax(axis=1)", "(f > 0).sum(axis=1)"

task(
    "against_rest",
    returns=("predicted", "claims"),
    cases=rest_cases,
    mistakes=[
        *((SCORES, wrong, sentence) for wrong, sentence in (
            ("X @ thetas[:, :-1].T", "The scores miss the offset: the last column of thetas."),
            ("X @ thetas[:, 1:].T + thetas[:, 0]", "Your offset comes first: here it is the last column of thetas."),
            (f"np.abs({SCORES})", "You take |f|: a very negative score is a loud no, not a yes."),
            (f"({SCORES}) / np.linalg.norm(thetas[:, :-1], axis=1)",
             "You compare distances: here the scores themselves are compared, not divided by ||w||."),
        )),
        *((PICK, wrong, sentence) for wrong, sentence in (
            ("f.argmin(axis=1)", "The class with the HIGHEST score wins: argmax."),
            ("f.argmax(axis=0)",
             "You look for the best example of each class: for each example look along its row of scores (axis=1)."),
            ("f.shape[1] - 1 - f[:, ::-1].argmax(axis=1)",
             "Where several share the highest score the lowest class wins: yours takes the last of them."),
            ("(f > 0).argmax(axis=1)",
             "You take the first class that says yes: the highest score wins, even if several say yes or none does."),
            (f"np.where(f.max(axis=1) > 0, {PICK}, 0)",
             "Your search for the highest score begins at 0, which no negative score can pass: begin at -inf, or with "
             "the first score."),
            (f"np.where((f > 0).any(axis=1), {PICK}, -1)",
             "Where nobody claims the place the highest score still wins: `predicted` has a class for every example."),
            (f"np.where({CLAIM} == 1, {PICK}, -1)",
             "Where several or none claim the place the highest score still wins: `predicted` always has a class."),
            (PICK + " + 1", "Your classes begin at 1: they are counted from 0."),
            ("f.max(axis=1)", "You return the highest score: the class that has it is asked for."),
        )),
        *((CLAIM, wrong, sentence) for wrong, sentence in (
            ("(f >= 0).sum(axis=1)", "A score of exactly 0 claims nothing: a claim is f > 0."),
            ("(f < 0).sum(axis=1)", "A claim is a score above 0: you count the others."),
            ("(f > 0).sum(axis=0)",
             "You count the examples that each class claims: count the classes that claim each example (axis=1)."),
            ("1 * (f > 0).any(axis=1)", "Your `claims` says whether a class says yes: it is how many do."),
            ("(f > 0).mean(axis=1)", "Your `claims` is a fraction: it is a number of classes."),
        )),
    ],
    hints=[
        "A table of all scores has a row for each example and a column for each class: X @ thetas[:, :-1].T, and the "
        "offsets on top.",
        "For `predicted`, find the position of the largest entry in each row. For `claims`, count the entries of the "
        "row that are above 0.",
        "np.argmax and np.sum work along the rows with axis=1; argmax takes the first of equal entries, as asked.",
    ],
)


def pair_cases(rng):
    for k, n in ((2, 3), (3, 5), (4, 6), (4, 9), (5, 7)):
        yield rng.permutation(np.append(np.arange(k), rng.integers(k, size=n - k))), k
    yield rng.permutation([0, 1, 1, 0, 1]), 3  # classes without examples have their lines too
    yield rng.permutation([0, 1, 3, 3, 1]), 4


PAIRS, SECOND, LABEL = "for a in range(k) for b in range(a + 1, k)", "range(a + 1, k)", \
    "np.where(y == a, -1, np.where(y == b, 1, 0))"

task(
    "pair_labels",
    returns=("pairs", "labels"),
    cases=pair_cases,
    mistakes=[
        (SECOND, "range(k) if a != b",
         "Every pair comes twice: a against b and b against a are one line, so there are k (k - 1) / 2."),
        (SECOND, "range(k)", "You pair everybody with everybody: only a < b, which makes k (k - 1) / 2 pairs."),
        (SECOND, "range(a, k)", "A class has no line against itself: only a < b."),
        ("(a, b) for", "(b, a) for", "The smaller class comes first in a pair, and its label is -1."),
        (SECOND, "range(a)", "The smaller class comes first in a pair: for each a, let b run from a + 1 to k - 1."),
        (PAIRS, "for b in range(k) for a in range(b)",
         "The order of the pairs: first all with class 0, then the rest of those with class 1, and so on."),
        ("(a, b) for", "(a + 1, b + 1) for", "Your classes begin at 1: they are counted from 0."),
        (SECOND, "range(a + 1, min(a + 2, k))", "You pair neighbours alone: every class meets every other."),
        (SECOND, "range(a + 1, k - 1)", "The last class is missing: the classes are 0 to k - 1."),
        (PAIRS, "for a in np.unique(y) for b in np.unique(y) if a < b",
         "You pair the classes that occur in y: the classes are 0 to k - 1, also where one has no example."),
        ("pairs = [", "k = max(y) + 1; pairs = [",
         "You take k from y: its largest class need not occur there, so use the k that is given."),
        *((LABEL, wrong, sentence) for wrong, sentence in (
            ("np.where(y == a, 1, np.where(y == b, -1, 0))",
             "The signs are exchanged: -1 for the first class of the pair, +1 for the second."),
            ("np.where(y == b, 1, -1)",
             "Examples of the other classes take no part in this line: label 0; with -1 it is one against rest."),
            ("np.where(y == a, -1, 1)", "Examples of the other classes take no part in this line: label 0, not +1."),
            ("np.where(y == a, a, np.where(y == b, b, 0))",
             "The labels of a line are -1 and +1, not the numbers of the classes."),
            ("np.where(y == b, 1, 0)",
             "The first class of the pair has the label -1: 0 means that an example takes no part."),
            ("1 * ((y == a) | (y == b))",
             "You mark who takes part: the two classes of a pair need different labels, -1 and +1."),
        )),
        ("pairs, labels", "pairs, [np.where(y == k - 1, 1, -1)] * len(pairs)",
         "All your rows are one and the same list, which every pair writes into: make a new one for each pair; "
         "[[0] * n] * m repeats one list m times."),
    ],
    hints=[
        "Two loops, one inside the other: over the first class a, and over the second class b, which is larger.",
        "For each pair start with zeros, one for each example. Then set -1 where y == a and +1 where y == b.",
        "The zeros must be new ones for each pair. Inside the inner loop, append the pair to one list and its row of "
        "labels to another.",
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
        yield pairs, scores[[*chosen, *np.flatnonzero(clear)[:n]]], k


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
        ("return votes", "return sums", "You return the summed scores: votes are counted, 1 for each line."),
        ("return votes", "return votes / len(pairs)", "You return shares of the votes: their number is asked for."),
        *((WINNER, wrong, sentence) for wrong, sentence in (
            ("most.argmax(axis=1)",
             "A tie is yours to decide: argmax takes the first of those with the most votes, the highest summed score "
             "is asked for."),
            ("k - 1 - most[:, ::-1].argmax(axis=1)",
             "A tie goes to the highest summed score: yours takes the last of those with the most votes."),
            ("sums.argmax(axis=1)", "The votes come first: only among those with the MOST votes does the sum decide."),
            ("np.where(most.sum(axis=1) > 1, sums.argmax(axis=1), most.argmax(axis=1))",
             "Where votes tie, yours compares the sums of all classes: only those with the most votes are left."),
            ("np.where(most, sums, np.inf).argmin(axis=1)",
             "A tie goes to the HIGHEST summed score (+f for the second class, -f for the first): yours takes the "
             "lowest."),
            ("np.where(most, np.abs(sums), -np.inf).argmax(axis=1)",
             "A very negative sum is no strength: compare the sums with their sign."),
            *((wrong, "Leaders whose sums are all negative do not win in yours: the search for the highest sum must "
               "begin at -inf, not at 0.") for wrong in (
                "(most * sums).argmax(axis=1)", f"np.where({NEGATIVE}, 0, {WINNER})",
                f"np.where({NEGATIVE}, -1, {WINNER})", f"np.where({NEGATIVE}, most.argmax(axis=1), {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), 0, {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), -1, {WINNER})",
                f"np.where({NEGATIVE} & (most.sum(axis=1) > 1), (most * sums).argmax(axis=1), {WINNER})",
            )),
            (f"np.where(most.sum(axis=1) > 1, -1, {WINNER})",
             "A tie is not left open: the highest summed score among the leaders decides."),
            ("(votes + sums).argmax(axis=1)",
             "You add votes and sums up, so that a large sum overrules a vote: the sum decides between leaders alone."),
            ("votes.max(axis=1)",
             "Your `winner` is how many votes the winner has: which class it is is asked for."),
            (WINNER + " + 1", "Your winners begin at 1: classes are counted from 0."),
        )),
        (own_line, "You decide a tie by the leaders' own lines alone: their sums go over all lines they take part in."),
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


def rival_cases(rng):
    for k, d, ahead in (
        (3, 1, ()), (3, 2, (1.0,)), (4, 2, (0.0, 1.0)), (4, 1, (0.25, 99.0, 0.0)), (5, 3, (0.0, 2.0)),
        (5, 2, (0.25, 99.0, 0.0)), (4, 2, ()), (5, 1, (0.5, 99.0, 1.0)),
    ):
        thetas, c = quarters(rng, k, d + 1), rng.integers(1, k)
        x = rng.choice([-1.0, 1.0], d) * rng.integers(1, 9, d) / 4
        lead = -rng.integers(1, 9, k) / 4
        rivals = np.sort(rng.choice(np.delete(np.arange(k), c), len(ahead), replace=False))
        lead[rivals] = np.minimum(ahead, x @ x + 2)  # 99: still a rival when the first has raised class c
        lead[c] = 0.0
        thetas[:, -1] = thetas[c, :-1] @ x + quarters(rng) + lead - thetas[:, :-1] @ x
        yield thetas, x, int(c)


RIVAL, DOWN, UP, COPY = "r != c and f[r] >= f[c]", "new[r] -= z", "new[c] += z", "new = thetas.copy()"
COUNTED = "new, m = thetas.copy(), np.sum(np.delete(f, c) >= f[c])"

task(
    "lower_rivals",
    returns="thetas",
    cases=rival_cases,
    mistakes=[
        ("for r in range(len(thetas))", "for r in [max((r for r in range(len(f)) if r != c), key=lambda r: f[r])]",
         "You lower the strongest rival alone, as in the chapter: here every class with f >= f_c is a rival."),
        (UP, UP + "\n            break", "Your loop ends with the first rival: go on through all classes."),
        *((RIVAL, wrong, sentence) for wrong, sentence in (
            ("r != c and f[r] > f[c]", "A class with exactly the same score is a rival too: f >= f_c."),
            ("r != c and max(np.delete(f, c)) >= f[c]",
             "You lower all other classes: only those whose score reaches f_c are rivals."),
            ("r != c and f[r] >= 0", "You compare with 0: rivals are the classes with f >= f_c."),
            ("r != c and f[r] <= f[c]", "The comparison is the wrong way round: rivals have f >= f_c."),
            ("r != c and new[r] @ z >= new[c] @ z",
             "You compare with scores that have changed on the way: take all scores before anything moves."),
        )),
        (UP, "new[c] = thetas[c] + z",
         "The true class is raised once for EACH rival: add m (x, 1), so that the rows still add up to the same."),
        (COPY, COUNTED, DOWN, "new[r] -= z / m", UP, "new[c] += z / m",
         "The rivals share one step: each of them is lowered by (x, 1) in full, and the true class raised m times."),
        (UP, "pass", "The true class is not raised: add m (x, 1) to its row."),
        (DOWN, "pass", "The rivals are not lowered: take (x, 1) from the row of each."),
        (COPY, COUNTED, DOWN, "new[r] -= m * z",
         "Each rival is lowered once, by (x, 1): only the true class moves m times."),
        (DOWN, "new[r] += z", UP, "new[c] -= z", "The signs are exchanged: raise the true class, lower its rivals."),
        (DOWN, "new[r] += z", "The rivals go up as well: take (x, 1) away from their rows."),
        ("(x, 1)", "(x, 0)", "The offsets never move: each is the weight of the constant attribute 1."),
        (" + thetas[:, -1]", "", "The scores miss the offset: the last column of thetas."),
        ("thetas[:, :-1] @ x + thetas[:, -1]", "thetas[:, 1:] @ x + thetas[:, 0]", "(x, 1)", "(1, x)",
         "Your offset comes first: here it is the last column of thetas."),
        ("return new", "return thetas", "Your rows never change: after a mistake return the new rows."),
        (COPY, COPY + "; new[c] += z",
         "The true class counts as its own rival: leave it out, f_c >= f_c is always so."),
        ("return new", "return new - thetas", "You return the correction alone: add it to thetas."),
        ("return new", "return new[c]", "You return the row of the true class alone: all rows are asked for."),
    ],
    hints=[
        "First all scores: f = thetas[:, :-1] @ x + thetas[:, -1]. Then find the rivals: r != c with f[r] >= f[c].",
        "Work on a copy. For each rival: take (x, 1) from its row, and add (x, 1) to row c.",
        "z = np.append(x, 1) is (x, 1). Compare the scores f from before, and change the rows of the copy alone.",
    ],
)

task(
    "read_votes",
    returns=("lines", "votes", "winner", "border", "choices"),
    mistakes=[
        *slips(
            "lines",
            ([15, 6], "The two numbers are exchanged: first one against rest, then one against one."),
            ([6, 30], "Each pair is one line, not two: k (k - 1) / 2."),
            ([6, 36], "A class has no line against itself, and each pair is one line: k (k - 1) / 2."),
            ([5, 15], "One against rest trains a line for every class: k, not k - 1."),
            ([6, 21], "A class has no line against itself: k (k - 1) / 2, not k (k + 1) / 2."),
        ),
        *slips(
            "votes",
            ([1, 2, 2, 1],
             "The votes go to the wrong side: a score above 0 is a vote for the SECOND class of the pair."),
            ([1, 1, 2, 2], "A score of exactly 0 is a vote for the first class of the pair: 0 against 2."),
            ([1, 1, 1, 2], "Six lines give six votes: the score of exactly 0 is a vote for the first of its pair."),
        ),
        *slips(
            "winner",
            (0, "Classes 0 and 3 have the same number of votes: compare their summed scores."),
            (1, "The votes come first: the sum decides only among those with the most votes."),
            (2, "Your `winner` is not one of those with the most votes: which are they?"),
        ),
        *slips(
            "border",
            ([-2, 1, -3], "That is the same line with the sign exchanged: f_0 - f_1 is asked for, in this order."),
            ([4, 1, 1], "On the border both scores are EQUAL: subtract the rows, do not add them."),
            ([2, -1, 1], "Mind the offsets: 2 minus -1 is 3."),
        ),
        *slips(
            "choices",
            *(([other if j == k else j for j in range(3)], sentence) for k, others, sentence in (
                (0, (1, 2), "First question: add the same number to all scores. Which one is the highest now?"),
                (1, (0, 2), "Second question: whose score has been made louder, and where is it positive?"),
                (2, (0, 1), "Third question: how many examples does each of the 45 lines see, and how many each of the "
                 "10?"),
            ) for other in others),
        ),
    ],
    hints=[
        "Each of k classes has a line of its own; or each meets k - 1 others, and a meeting counts once.",
        "A score above 0 is a vote for the second of the pair, 0 or below for the first. For the sums add +f to the "
        "second and -f to the first. On the border f_0 - f_1 = 0.",
        "Six votes in all, and two classes have two each. Their sums: class 0 gets -(-1), -0 and -3; class 3 gets what "
        "its three lines say.",
    ],
)
