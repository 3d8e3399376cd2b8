"""An L1 path, forward search and how to lead it astray, three penalties, twins, the Bolasso, a study, four features."""

from itertools import combinations

import numpy as np

from coursekit.core import datasets
from coursekit_grade.draws import labels, quarters
from coursekit_grade.tasks import solution, task, then

fit, survivors, few_words, forward_search = map(solution, ("fit", "survivors", "few_words", "forward_search"))


def paths(rng):
    """Knots in eighths; no weight changes its sign, so a weight of 0 is one at a knot or between two of them."""
    for d, knots, part in (
        (3, 4, 0.75), (3, 5, 0), (4, 5, 0.25), (4, 5, None), (4, 6, 0.75), (5, 6, 0), (5, 7, 0.25), (5, 7, 0.75)
    ):  # fmt: skip
        lams = np.append(np.cumsum(rng.choice([0.5, 1.0, 2.0], knots - 1))[::-1], 0)
        weights, order = np.zeros((knots, d)), rng.permutation(d)
        for row, j in enumerate(order[: d - (d > 3)], 1):  # with four features or more, one never comes in
            weights[row:, j] = rng.choice([-1.0, 1.0]) * rng.permutation(np.arange(2, 2 + knots - row)) / 4
        if d > 3:  # the first one leaves, and in a longer path comes back
            weights[3:5, order[0]] = 0
        k = rng.integers(2, knots - 1) if d == 3 else 2 if knots == 6 else 3  # after 2 the first one is leaving
        lam = lams[0] + 0.5 if part is None else part * lams[k] + (1 - part) * lams[k + 1]
        yield lams, weights, float(lam)


READ, COME_IN = "np.interp(lam, lams[::-1], column[::-1])", "(j for j in range(len(rows)) if rows[j])"
KEY, ENDS = "rows[j][0]", "List all that come in down to lambda = 0. Your `order` stops at `lam`."

task(
    "read_path",
    returns=("w", "selected", "order"),
    cases=paths,
    mistakes=[
        (then(order=lambda order, weights: sorted(order, key=lambda j: -abs(weights[-1, j]))),
         "List the features as they come in, lambda falling. Your `order` goes by the size of the weights."),
        (then(order=lambda order, w: sorted(order, key=lambda j: -abs(w[j]))),
         "List the features as they come in, lambda falling. Your `order` goes by the size of the weights."),
        *((READ, wrong, sentence) for wrong, sentence in (
            *((f"column[max(np.sum(lams {at} lam) - 1, 0)]",
               "Go on a straight line between knots. Your `w` is the row of the knot above.")
              for at in (">=", ">")),
            ("column[min(np.sum(lams > lam), len(lams) - 1)]",
             "Go on a straight line between knots. Your `w` is the row of the knot below."),
            ("column[np.argmin(np.abs(lams - lam))]",
             "Go on a straight line between knots. Your `w` is the row of the nearest one."),
            ("np.mean(column[[max(np.sum(lams > lam) - 1, 0), min(np.sum(lams > lam), len(lams) - 1)]])",
             "Go in proportion to lambda. Your `w` lies halfway between two knots."),
            *((f"np.interp(lams[{above}] + lams[{below}] - lam, lams[::-1], column[::-1]) if lam < lams[0] else 0.0",
               "Swap the two shares in `w`, because the nearer knot counts more.") for above, below in (
                ("max(np.sum(lams > lam) - 1, 0)", "min(np.sum(lams > lam), len(lams) - 1)"),
                ("max(np.sum(lams >= lam) - 1, 0)", "min(np.sum(lams >= lam), len(lams) - 1)"),
                ("min(np.sum(lams >= lam), len(lams) - 1) - 1", "min(np.sum(lams >= lam), len(lams) - 1)"))),
            ("np.interp(lam, lams, column)",
             "Turn lams and each column around with [::-1]. np.interp needs places that increase, and the knots fall."),
            ("np.interp(lam, lams, column) if lam < lams[0] else 0.0",
             "Turn lams and each column around with [::-1]. np.interp needs places that increase, and the knots fall."),
            (f"(lams[0] - lam) / (lams[0] - lams[1]) * column[1] if lam > lams[0] else {READ}",
             "Keep all weights at 0 above the largest knot. You go on along the first line."),
            ("np.mean(column[[max(np.sum(lams >= lam) - 1, 0), np.argmax(lams <= lam)]])",
             "Go in proportion to lambda. Your `w` lies halfway between two knots."),
            ("np.interp(lam, lams[::-1], column)",
             "Turn both lams and weights around. You turned only lams."),
            ("np.interp(lam, lams, column[::-1])",
             "Turn both lams and weights around. You turned only the weights."),
            ("np.interp(lams[0] - lam, lams[::-1], column[::-1])",
             "Read the path from its largest lambda, where all weights are 0. You begin at the other end."),
        )),
        ("w, np.flatnonzero(w)", "w, 1 * (w != 0)",
         "List the numbers of those whose weight is not 0. Your `selected` has an entry for each feature."),
        ("w, np.flatnonzero(w)", "w, np.sum(w != 0)",
         "List which, as column numbers. Your `selected` says how many."),
        ("w, np.flatnonzero(w)", "w, np.flatnonzero(w > 0)",
         "Select whatever is not 0. Your `selected` misses negative weights."),
        ("w, np.flatnonzero(w)", "w, np.flatnonzero(weights[-1])",
         "Look at the weights at `lam`. Your `selected` is that of lambda = 0."),
        *(("w, np.flatnonzero(w)", f"w, np.flatnonzero(weights[{row}])",
           f"Look at `w` itself. Between two knots a weight that comes or goes is not 0. You look at the knot "
           f"{where}.")
          for row, where in (("max(np.sum(lams >= lam) - 1, 0)", "above"), ("np.argmax(lams <= lam)", "below"))),
        ("w, np.flatnonzero(w)", "w, order[: np.count_nonzero(w)]",
         "Look at `w`, because a feature may have left again. Your `selected` takes the first of `order`."),
        (then(selected=lambda s, w: s[np.argsort(-abs(w[s]), kind="stable")]),
         "List the columns in increasing order. Your `selected` goes by the size of the weights."),
        ("w, np.flatnonzero(w)", "w, np.flatnonzero(weights[lams >= lam].any(axis=0))",
         "Look at `w`, because a feature may have left again. Your `selected` has all that came in down to `lam`."),
        (then(order=lambda order, weights: [j for j in order if (weights[:, j] > 0).any()]),
         "List a feature as soon as its weight is not 0. Your `order` misses negative weights."),
        (then(order=lambda _, weights: np.nonzero((weights[1:] != 0) & (weights[:-1] == 0))[1]),
         "List each feature once. Your `order` lists it again when it comes back."),
        (then(order=lambda _, weights: np.nonzero(weights)[1]),
         "List each feature once. Your `order` lists it at every knot where its weight is not 0."),
        (then(order=lambda _, weights: list(dict.fromkeys(np.nonzero(weights[::-1])[1].tolist()))),
         "Begin with the first row of the table, because lambda falls. You read it from lambda = 0 upward."),
        (then(order=lambda order, weights: [np.argmax(weights[:, j] != 0) for j in sorted(order)]),
         "List the features, the first to come in first. Your `order` says at which knot each feature comes in."),
        (then(order=lambda order, weights: sorted(order, key=lambda j: np.flatnonzero(weights[::-1, j])[0])),
         "Begin with the first row of the table, because lambda falls. You read it from lambda = 0 upward."),
        (then(order=lambda _, weights: np.argsort(-abs(weights[-1]), kind="stable")),
         "Sort the features by the knot at which they come in, because late ones may be large. Your `order` sorts by "
         "the weights at the end."),
        (COME_IN, "range(len(rows))", KEY, "rows[j][0] if rows[j] else np.inf",
         "Leave out a feature that never comes in. Your `order` has all of them."),
        (COME_IN, "range(len(rows))", KEY, "rows[j][0] if rows[j] else 0",
         "Leave out features that never come in: np.argmax of a column without any True is 0."),
        (KEY, "j", "Sort by when a feature first leaves 0. Your `order` goes by column number."),
        (KEY, "-abs(weights[-1, j])",
         "Sort the features by the knot at which they come in, because late ones may be large. Your `order` sorts by "
         "the weights at the end."),
        (KEY, "-rows[j][0]", "Read from the first row, because lambda falls. Your `order` begins with the last to "
                             "come in."),
        (KEY, "-len(rows[j])",
         "Sort the features by the knot at which they first come in. Your `order` sorts by how long they stay in."),
        (then(order=lambda order, w: [j for j in order if w[j]]),
         ENDS),
        (then(order=lambda order, lams, weights, lam: [j for j in order if weights[lams >= lam, j].any()]), ENDS),
        (then(order=lambda order, weights: [j for j in order if weights[-1, j]]),
         "List all that ever come in. Your `order` leaves out a feature that is gone again at lambda = 0."),
    ],
    hints=[
        "Between two knots go in proportion: a quarter of the way in lambda is a quarter of the way in each weight.",
        "np.interp does this for one column, if the places increase: turn the knots and the column around. Above the "
        "largest place it stays at the last value, which is right here.",
        "For `order` look for the first row in which a column is not 0; np.flatnonzero(column) lists such rows, and is "
        "empty for a feature that never comes in.",
    ],
)


def loss_of(X, y):
    theta = fit(X, y)
    return np.mean((y - X @ theta[:-1] - theta[-1]) ** 2)


def rounds(X, y, k):
    """For each round of forward search the losses of all features, infinite for those that are in."""
    order = []
    for _ in range(k):
        found = [np.inf if j in order else loss_of(X[:, [*order, j]], y) for j in range(X.shape[1])]
        order.append(int(np.argmin(found)))
        yield np.array(found)


def by_what_is_left(X, y, k, again=True):
    """A search that takes whatever goes best with what is left; again: fits all chosen ones anew."""
    order, losses, rest = [], [], y - y.mean()
    for _ in range(k):
        A = X - X.mean(axis=0)
        goes = np.abs(A.T @ rest) / np.sqrt((A**2).sum(axis=0))
        goes[order] = -1
        order.append(int(np.argmax(goes)))
        B = X[:, order if again else order[-1:]]
        target = y if again else rest
        theta = fit(B, target)
        rest = target - B @ theta[:-1] - theta[-1]
        losses.append(np.mean(rest**2))
    return order, losses


def backwards(X, y, k):
    left = list(range(X.shape[1]))
    while len(left) > k:
        left.remove(min(left, key=lambda j: loss_of(X[:, [i for i in left if i != j]], y)))
    return left, [loss_of(X[:, left[: m + 1]], y) for m in range(k)]


def clear(found, gap=0.05):
    """Whether the lowest loss is alone."""
    low = np.sort(found)
    return low[1] > (1 + gap) * low[0] + 1e-6


def designs(rng):
    """Related features, so that the best ones alone are not those that a search takes."""
    for n, d, k in ((5, 2, 1), (6, 3, 2), (7, 4, 2), (8, 4, 3), (8, 5, 3), (9, 5, 3)):
        while True:
            X = (rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + 0.4 * rng.normal(size=(n, d))).round(2)
            y = (X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=n) + 1).round(2)
            found = list(rounds(X, y, k))
            order = [int(np.argmin(f)) for f in found]
            filtered = list(np.argsort(found[0])[:k])
            if all(map(clear, found)) and clear(-1 / found[0]) and found[-1].min() > 0.01 and (
                k < 2 or order not in (filtered, sorted(order), by_what_is_left(X, y, k)[0])
            ):
                break
        yield X, y, k


copies = solution("copies")
TOGETHER, LOSS, LESS = "X[:, [*order, j]]", "np.mean((y - A @ theta[:-1] - theta[-1]) ** 2)", "loss < least"

task(
    "forward_search",
    returns=("order", "losses"),
    cases=designs,
    mistakes=[
        (TOGETHER, "X[:, [j]]", "Try each feature together with those that are chosen already, not alone."),
        (TOGETHER, "X[:, [*order[-1:], j]]",
         "Let all chosen features take part. You try each feature with the last chosen one alone."),
        (by_what_is_left,
         "Try each feature, fit all again, and keep the lowest loss. You choose what goes best with the rest of y."),
        (lambda X, y, k: by_what_is_left(X, y, k, again=False),
         "Fit y again with all chosen features at once. You fit the new feature to what the others left."),
        ("fit(A, y)", "np.append(np.linalg.lstsq(A, y, rcond=None)[0], 0)",
         "Use fit(X, y), which adds the bias as the last entry of theta. Your fit has none."),
        (" - theta[-1]", "", "Add the bias to the score: X @ theta[:-1] + theta[-1]."),
        ("least, best = np.inf, None", "least, best = -np.inf, None", LESS, "loss > least",
         "Keep the feature with the lowest loss, not the one with the highest."),
        (LOSS, "np.sum((y - A @ theta[:-1] - theta[-1]) ** 2)", "Take the mean. Your `losses` are sums of squares."),
        (LOSS, "np.mean(np.abs(y - A @ theta[:-1] - theta[-1]))", "Take squares. Your `losses` are means of |y - f|."),
        (LOSS, "np.mean(y * (A @ theta[:-1] + theta[-1]) <= 0)",
         "Take the mean of the squares, because y may be any number. Your `losses` count errors."),
        (LOSS, "np.mean((y - A @ theta[1:] - theta[0]) ** 2)",
         "Take the last entry of theta for the bias, not the first."),
        ("losses.append(least)", "losses.append(loss)",
         "Append the lowest loss of the round. Your `losses` have that of the feature tried last."),
        ("least, best = loss, j", "least, best = loss, j\n                break",
         "Your `order` is 0, 1, ... in every case. Try all features in each round, and keep the lowest loss."),
        (then(order=lambda order, X: [int(np.sum(~np.isin(np.arange(j), order[:m]))) for m, j in enumerate(order)]),
         "Return column numbers in X. Your `order` has places among the features that are left."),
        (lambda X, y, k: forward_search(X, y, k + 1), "Stop at k features. You make one round too many."),
        (lambda X, y, k: (best := list(min(combinations(range(X.shape[1]), k), key=lambda c: loss_of(X[:, c], y))),
                          [loss_of(X[:, best[: m + 1]], y) for m in range(k)]),
         "Take one feature at a time, and never give one back. You try all sets of k features."),
        (backwards, "Begin with no feature and take one at a time. You drop one at a time."),
        (lambda X, y, k: (best := list(np.argsort(-np.abs(fit(X, y)[:-1]))[:k]),
                          [loss_of(X[:, best[: m + 1]], y) for m in range(k)]),
         "Try each feature, and keep the lowest loss. You take the largest weights of a fit to all features."),
        (LOSS, "np.mean((y - A @ theta[:-1] - theta[-1]) ** 2) / 2",
         "Take the mean of the squares. Your `losses` are half of it."),
        ("least, best = loss, j", "least, best = loss, [i for i in range(X.shape[1]) if i not in order].index(j)",
         "Give each feature its column number in X. Your `order` counts among those that are left."),
        (then(losses=lambda losses, y: [np.var(y), *losses[:-1]]),
         "Begin with the first round's. Your `losses` begin with that of no feature."),
        (then(losses=lambda losses, y: -np.diff([np.var(y), *losses])),
         "List the loss itself. Your `losses` say by how much each round lowered the loss."),
        (then(losses=lambda losses, y: 1 - np.array(losses) / np.var(y)),
         "List the mean squared loss itself. Your `losses` are shares that are explained."),
        (then(losses=lambda losses, order, X, y: [forward_search(X[:, [j]], y, 1)[1][0] for j in order]),
         "Return the loss of all chosen features together. Yours is that of each one alone."),
    ],
    hints=[
        "Write two loops, rounds outside and features inside. Begin with an empty list `order`.",
        "order + [j] is a new list with one feature more, and X[:, order + [j]] has these columns. Fit, compute the "
        "mean squared loss, and remember the lowest one of the round with its feature.",
        "Leave out features that are in `order` already, and set the lowest loss back to np.inf at the beginning of "
        "each round. Append after the inner loop, not inside it.",
    ],
)


def traps(rng):
    for n, least in ((4, 2), (5, 2), (6, 2), (7, 2), (8, 2), (7, 7)):
        while True:
            a, b = quarters(rng, 2, n)
            noise = quarters(rng, n) / rng.choice([2, 4])
            y = a + b
            alone = [1 - share(v, y) for v in (a, b)]
            mixed = 1 - np.array([share(y + s * noise, y) for s in range(1, 60)])
            first = mixed < min(alone)
            s = int(first.argmin())
            if not (least <= s <= 7 and first[:s].all() and not first[s:].any() and min(alone) < 0.9) or (
                    mixed[20:].min() < max(alone)):  # whoever compares it with one of them alone finds an end, too
                continue
            near = np.abs(mixed / min(alone) - 1)
            c = y + s * noise
            pairs = [loss_of(np.column_stack([v, c]), y) for v in (a, b)]
            if near[s - 1 : s + 1].min() > 0.02 and min(pairs) > 0.02 and abs(alone[0] - alone[1]) > 0.02 and \
                    max(pairs) > 1.1 * min(pairs) and np.var(y) > 0.3:
                break
        yield a, b, noise


def share(v, y):
    """The squared correlation: how much of y is explained by v alone."""
    v, y = v - v.mean(), y - y.mean()
    return (v @ y) ** 2 / ((v @ v) * (y @ y)) if v.any() and y.any() else 0


STOP, COLUMN, GOES_ON = "order[0] != 2", "y + (s + 1) * noise", "s, loss = s + 1, losses[1]"

task(
    "decoy",
    returns=("s", "loss"),
    cases=traps,
    mistakes=[
        ("return s, loss", "return s + 1, losses[1]",
         "Make `s` smaller by 1. With yours the decoy no longer comes first."),
        (STOP, f"{STOP} or s == 6", "Let `s` grow as far as it goes. Your search stops before 7."),
        (then(s=lambda s: s + 1), "Make `s` smaller by 1. With yours `c` no longer comes first."),
        *((STOP, f"{some}(forward_search(np.column_stack([v, {COLUMN}]), y, 1)[0] == [0] for v in ({rivals}))",
           "Make sure that the decoy beats both `a` and `b`. Yours may beat only one.")
          for some, rivals in (("any", "a,"), ("any", "b,"), ("all", "a, b"))),
        (GOES_ON, "s, loss = s + 1, losses[0]",
         "Let forward search take a second feature. Your `loss` is that of the decoy alone."),
        (then(loss=lambda loss: 0.0),
         "Your `loss` is 0 in every case. Take that of the decoy with one of a and b, as forward search does."),
        (COLUMN, "(s + 1) * noise", STOP, "order[0] != 2 or s > 50",
         "Your `s` is 0 in every case. Build the decoy as a + b + s noise, and go on while it is taken first."),
        *((COLUMN, column, STOP, "order[0] != 2 or s > 50", sentence) for column, sentence in (
            ("a + (s + 1) * noise", "Build the decoy as a + b with noise added. Yours leaves out b."),
            ("y + (s + 1) ** 2 * noise",
             "Build the decoy as a + b + s noise, without a square or a half. Your noise grows too fast."),
            ("y - (s + 1) * noise", "Add the noise: the decoy is a + b + s noise. You subtract it."),
        )),
        (GOES_ON, "return s + 1, losses[1]",
         "Look for the largest s with which the decoy is taken first. Yours is always 1."),
        (then(loss=lambda _, a, b, noise, s: min(loss_of(np.column_stack([v, a + b + (s + 1) * noise]), a + b)
                                                 for v in (a, b))),
         "Return the loss that belongs to your s. Yours belongs to the next s, with which the decoy no longer comes "
         "first."),
        (then(loss=lambda _, a, b, noise, s: np.mean([loss_of(np.column_stack([v, a + b + s * noise]), a + b)
                                                      for v in (a, b)])),
         "Take the second feature that leaves the lower loss. Your `loss` is the mean of the two."),
        (then(loss=lambda _, a, b, noise, s: loss_of(np.column_stack([
            min(a, b, key=lambda v: loss_of(v[:, None], a + b)), a + b + s * noise]), a + b)),
         "Try both together with the decoy. Your second feature is the one that is better alone."),
        (STOP, "losses[0] > np.var(y) / 2 or s > 50",
         "Go on as long as the decoy beats both a and b. You stop when it explains less than half."),
        (then(loss=lambda loss, a, b, noise, s: max(loss_of(np.column_stack([v, a + b + s * noise]), a + b)
                                                    for v in (a, b))),
         "Keep the lower loss. Your second feature is the worse of the two."),
        *((then(loss=lambda loss, a, b, noise, s, i=i: loss_of(np.column_stack([(a, b)[i], a + b + s * noise]), a + b)),
           f"Take whichever second feature leaves the lower loss. Yours is always `{'ab'[i]}`.")
          for i in (0, 1)),
        (then(loss=lambda loss, a, b: min(forward_search(np.column_stack([v]), a + b, 1)[1][0] for v in (a, b))),
         "Return the loss of both features that forward search takes. Yours is that of a or b alone."),
    ],
    hints=[
        "Try s = 1, 2, 3, ... in a loop: build the three columns with np.column_stack and let your forward_search "
        "run for two rounds.",
        "order[0] says which column came first, losses[1] is the loss of the pair. Remember the loss of the last s "
        "for which the decoy came first.",
        "When order[0] is no longer 2, you've gone one too far. Return the s before that, with its loss.",
    ],
)


def weights_to_shrink(rng):
    """One weight in each zone: below, between and above the places where something changes; and a 0."""
    for t in rng.permutation([0.1, 0.25, 0.5, 1.0, 1.5]):
        places = np.sort([t, 3 * (t / 4) ** (2 / 3), 1.5 * t ** (2 / 3), np.sqrt(2 * t)])
        between = places[:-1] + rng.uniform(0.35, 0.65, 3) * np.diff(places)
        w = np.concatenate([between, places[0] * rng.uniform(0.4, 0.8, 1), places[-1] * rng.uniform(1.2, 2.5, 2)])
        signs = rng.permutation([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
        yield np.append(rng.permutation(signs * w.round(4)), 0.0), float(t)


KEEP, SOFT, STAYS, ONE_MORE = "np.where(size**2 / 2 > t, w, 0)", "np.sign(w) * np.maximum(size - t, 0)", (
    "(v - size) ** 2 / 2 + t * np.sqrt(v) < size**2 / 2"), "size - t / (2 * np.sqrt(np.maximum(v, 1e-9)))"

task(
    "survivors",
    returns=("l0", "root", "l1"),
    cases=weights_to_shrink,
    tolerance=1e-3,
    mistakes=[
        *((KEEP, wrong, sentence) for wrong, sentence in (
            ("np.where(size > t, w, 0)",
             "Compare two prices: v = 0 costs w^2 / 2, and v = w costs t. Your `l0` cuts at t."),
            ("np.where(size > 2 * t, w, 0)",
             "Keep a weight if w^2 / 2 is more than t, so beyond the square root of 2 t. Your `l0` cuts at 2 t."),
            ("np.where(size**2 > t, w, 0)", "Halve the square: v = 0 costs w^2 / 2, and v = w costs t."),
            ("np.where(size**2 / 2 < t, w, 0)", "Keep w if w^2 / 2 is more than t. Your `l0` keeps the small ones."),
            ("np.where(size**2 / 2 > t, np.sign(w) * (size - t), 0)",
             "Leave survivors as they are, because all v other than 0 cost the same t. Your `l0` shrinks them."),
            ("w", "Drop weights that are not worth the price t. Your `l0` keeps all."),
        )),
        *((STAYS, wrong, sentence) for wrong, sentence in (
            ("v > 1e-3", "Compare with the price of v = 0 as well. Your `root` stays wherever the slope is 0."),
            ("size**2 / 2 > t",
             "Keep v only if its price, with the square root as penalty, is below the price of 0. Your `root` cuts "
             "where L0 does."),
        )),
        *((ONE_MORE, wrong, sentence) for wrong, sentence in (
            ("size - t / np.sqrt(np.maximum(v, 1e-9))", "Add a half to your `root`, because the slope of sqrt(v) is 1 "
                                                        "/ (2 sqrt(v))."),
            ("size - t * np.sqrt(np.maximum(v, 0))",
             "Subtract the slope of the penalty, t / (2 sqrt(v)). Your `root` subtracts t sqrt(v)."),
        )),
        (then(l0=lambda _, w, t: np.minimum(w**2 / 2, t)),
         "Return the v that has this price. Your `l0` is the lowest price."),
        ("range(60)", "range(1)", "Put v in again until it stays. Your `root` stops after one round."),
        ("np.where(stays, np.sign(w) * v, 0)", "np.where(stays, w, 0)",
         "Move survivors a little toward 0. Your `root` leaves them as they are."),
        ("np.where(stays, np.sign(w) * v, 0)", "np.where(stays & (w > 0), v, 0)",
         "Treat a negative weight as the mirror image of a positive one. Your `root` is 0 there."),
        (lambda w, t: [np.maximum(v, 0) for v in survivors(w, t)],
         "Give negative weights their sign back, as the mirror image of the positive ones. Your survivors have lost "
         "it."),
        *((SOFT, wrong, sentence) for wrong, sentence in (
            ("np.where(size > t, w, 0)", "Move what survives by t toward 0. Your `l1` is the hard threshold."),
            ("w - t * np.sign(w)",
             "Set a weight to 0 if its size is at most t. Your `l1` jumps to the other side of 0."),
            ("w - t", "Move a negative weight up, and stop at 0. Your `l1` is w - t everywhere."),
            ("np.maximum(w - t, 0)", "Move negative weights up toward 0. Your `l1` makes all of them 0."),
            ("np.sign(w) * np.maximum(size - 2 * t, 0)",
             "Move by t, because the slope of v^2 / 2 is v. Your `l1` moves by 2 t."),
            ("np.sign(w) * np.maximum(size - t / 2, 0)",
             "Move by t, because the derivative is v - w + t. Your `l1` moves by t / 2."),
            ("w / (1 + t)", "Take the same t off every weight. Your `l1` divides, which is what L2 does."),
        )),
        (KEEP, "np.where(size**2 / 2 > t, w - t, 0)",
         "Leave survivors as they are, because all v other than 0 cost the same t. Your `l0` shrinks them."),
    ],
    hints=[
        "Draw 1/2 (v - 1)^2 over v, and on top of it t times each penalty. Where is each lowest, for a small t and for "
        "a large one?",
        "L0: v = 0 costs w^2 / 2; among all others v = w is best and costs t. L1: v = w - t, if that is positive.",
        "The root: repeat v = w - t / (2 sqrt(v)) from v = w, and put 0 where it falls below. Then take v only if "
        "1/2 (v - w)^2 + t sqrt(v) is less than w^2 / 2. Do it all with |w|, and give the sign back at the end.",
    ],
)


def twins(rng):
    sign = rng.choice([-1, 1])
    for k, (n, m, lam, mix) in enumerate((
        (3, 2, 0.5, 0.5), (4, 3, 0.25, 0.25), (4, 2, 0.75, 1.0), (5, 3, 4.0, 0.75), (6, 4, 1.0, 0.0), (6, 5, 2.0, 0.25),
        (8, 2, 3.0, 1.0), (5, 2, 0.25, 0.75), (4, 3, 4.0, 0.125),
    )):
        while True:
            y = labels(rng, n)
            x = rng.normal(size=n) + rng.normal() * y
            x = (x - x.mean()) / x.std()
            c = np.mean(x * y)
            if 0.4 < abs(c) < 0.9 and np.sign(c) == sign * (-1) ** k and abs(y.mean()) < 0.7:
                break
        yield x, y, m, lam, mix


TOP, BOTTOM = "max(2 * abs(c) - lam * mix, 0)", "(2 * m + lam * (1 - mix))"

task(
    "copies",
    returns=("each", "total", "because"),
    cases=twins,
    mistakes=[
        (TOP, "max(abs(c) - lam * mix, 0)", BOTTOM, "(m + lam * (1 - mix))",
         "Keep the factor 2 in the derivative, because the loss is (y - f)^2. You take half of it."),
        *((TOP, f"max(2 * abs(c) - lam * mix {by}, 0)",
         f"Compare lam mix with 2 |c|. Your threshold is {times} as large as it should "
         f"be.") for by, times in (("/ 2", "half"), ("* 2", "twice"))),
        (TOP, "(2 * abs(c) - lam * mix)", "Make v 0 where 2 |c| is below lam mix. Your weights change sign there."),
        ("np.sign(c) * max(2 * abs(c)", "max(2 * c",
         "Treat a negative c as the mirror image of a positive one. Your weights are 0 there."),
        ("np.sign(c) * max(2 * abs(c) - lam * mix, 0)", "(2 * c - lam * mix)",
         "Let v be 0 where the threshold wins, and treat a negative c as the mirror image. You solve for v > 0 alone."),
        (TOP, "max(2 * abs(c) - lam, 0)", "Compare lam mix with 2 |c|. Your threshold lacks mix."),
        (TOP, "max(abs(c) - lam * mix, 0)", "Take 2 c, because the derivative of -2 c m v has it. You have c."),
        (TOP, "max(2 * abs(c) - lam * mix / m, 0)",
         "Leave m out of the threshold, because each of the m parts is charged but also moves f. Yours falls with m."),
        (TOP, "(2 * abs(c) - lam * mix) * (abs(c) > lam * mix)",
         "Make v 0 only where 2 |c| is at most lam mix. Your weights become 0 too soon."),
        (TOP, "2 * abs(c) * (2 * abs(c) > lam * mix)",
         "Subtract lam mix from 2 |c| in the numerator as well. You only compare the two."),
        (TOP, "2 * abs(c)", "Subtract lam mix from 2 |c|, down to 0, for the L1 part. You have no threshold."),
        (TOP, "max(2 * abs(c) - m * lam * mix, 0)",
         "Leave m out of the threshold, because each of the m parts is charged but also moves f. Yours grows with m."),
        (BOTTOM, "(2 + lam * (1 - mix))",
         "Let f move by m v, because there are m copies. Your `each` is the weight of one column alone."),
        (BOTTOM, "(m + lam * (1 - mix))",
         "Put 2 m into the divisor, because (m v)^2 has the derivative 2 m v once divided by m. Yours has m."),
        (BOTTOM, "(2 * m + m * lam * (1 - mix))",
         "Divide the derivative of the L2 part, m v^2, by m like the rest. Your `total` would not depend on m."),
        (BOTTOM, "(2 * m**2 + lam * (1 - mix))",
         "Divide the loss part by m once, which leaves 2 m v. You divide twice."),
        (BOTTOM, "(2 * m + lam * (1 - mix) / 2)",
         "Drop the half in the divisor, because the derivative of 1/2 v^2 is v."),
        (BOTTOM, "(2 * m + 2 * lam * (1 - mix))",
         "Drop the factor 2 in the divisor, because the derivative of 1/2 v^2 is v."),
        (BOTTOM, "(2 * m)", "Add lam (1 - mix) to the divisor. Your L2 part is missing."),
        (BOTTOM, "(2 * m + lam)", "Add lam (1 - mix) to the divisor. Your L2 part lacks 1 - mix."),
        (BOTTOM, "(2 * m + lam * mix)", TOP, "max(2 * abs(c) - lam * (1 - mix), 0)",
         "Swap mix and 1 - mix, because mix belongs to the L1 part."),
        ("np.mean(x * y)", "np.sum(x * y)", "Take the mean of x y for c. Yours is a sum."),
        ("np.mean(x * y)", "np.sum(x * y) / (len(x) - 1)", "Divide c by n, not by n - 1, because it is the mean of x "
                                                           "y."),
        ("np.mean(x * y)", "np.corrcoef(x, y)[0, 1]",
         "Take the mean of x y for c. Yours is the correlation, which also divides by the spread of y."),
        ("return each, m * each", "return [each] * m, m * each",
         "Return one number, because all copies have the same weight. Your `each` lists them."),
        ("return each, m * each", "return each, each",
         "Add up all m. Your `total` is the weight of one copy."),
        (then(because=lambda because, each: 1 if each == 0 else 2),
         "Say 3 where mix < 1, because the L2 part charges m equal parts less than the whole."),
        (then(because=lambda because, each: 1 if each == 0 else 3),
         "Say 2 for mix = 1, where there is no L2 part and m parts cost as much as the whole."),
        (then(because=lambda because, each, mix: 1 if each == 0 else 2 if mix > 0 else 3),
         "Say 3 where mix < 1, because the L2 part makes the total larger. Yours says 2 wherever there is an L1 part."),
        (then(because=lambda because, mix: 2 if mix == 1 else 3),
         "Say 1 where `each` is 0, because the threshold let nothing through."),
        (then(because=lambda because: (0, 1, 3, 2)[because]),
         "Swap 2 and 3 in `because`. With an L2 part, mix < 1, the total is larger, which is 3."),
        (then(because=lambda because, mix: 1 if because == 1 else 2 if mix == 0 else 3),
         "Say 2 for mix = 1, which is L1 alone. Yours says it for mix = 0, which is L2 alone."),
        (then(because=lambda because, mix: 1 if because == 1 else 2 if mix > 0.5 else 3),
         "Say 3 for any L2 part, mix < 1, because it makes the total larger. Yours says 2 where L1 is the larger "
         "part."),
        (then(because=lambda because, each, mix: 2 if mix == 1 else 1 if each == 0 else 3),
         "Say 1 where all weights are 0, because nothing came through the threshold. With mix = 1 yours says 2."),
        (then(total=lambda total, x, y, lam, mix: copies(x, y, 1, lam, mix)[1]),
         "Multiply `each` by m. Your `total` is the weight of a single column."),
    ],
    hints=[
        "With w_j = v for all copies the score is m v x + bias. Multiply the square out: what is the mean of x^2, and "
        "what that of x y?",
        "The objective is (m v)^2 - 2 c m v + lam (mix m |v| + (1 - mix)/2 m v^2) and something without v. Take the "
        "derivative for v > 0 and divide by m.",
        "2 m v - 2 c + lam mix + lam (1 - mix) v = 0. If its solution is not positive, v = 0 is best. For a negative c "
        "everything is the mirror image.",
    ],
)


def bolasso_cases(rng):
    for resamples, part, false in ((4, 0.5, 1), (4, 1, 2), (8, 0.75, 0), (8, 1.0, 1), (16, 0.25, 2)):
        at_share = int(part * resamples)
        times = rng.permutation([resamples if part > 0.25 else 12, at_share, at_share - 1, 0, resamples // 2, 1])
        weights = np.zeros((resamples, 6))
        for j, m in enumerate(times):
            weights[rng.permutation(resamples)[:m], j] = rng.choice([-1.0, 1.0], m) * rng.integers(1, 9, m) / 8
        weights[:2, np.argmax(times)] = [0.5, -0.5]  # both signs: their sum is not what counts
        enough, short = np.flatnonzero(times >= at_share), np.flatnonzero(times < at_share)
        hit, lost = rng.permutation(enough)[false:], rng.permutation(short)[: 1 + (part > 0.5)]
        yield weights, np.sort(np.append(hit, lost)), part


KEPT, FREQUENCIES = "np.flatnonzero(frequencies >= share)", "np.mean(weights != 0, axis=0)"

task(
    "bolasso",
    returns=("frequencies", "selected", "false", "missed"),
    cases=bolasso_cases,
    mistakes=[
        *(("frequencies >= share", wrong, sentence) for wrong, sentence in (
            ("frequencies > share", "Count a feature that is selected in exactly this share: >=, not >."),
            ("frequencies > 0", "Keep what reaches share. You keep whatever was selected in any resample."),
            ("frequencies >= 1", "Use share. Yours is the intersection of all, share = 1."),
            ("frequencies >= 0.5", "Use share. Yours keeps what half of the resamples selected."),
            ("frequencies <= share", "Keep the features whose frequency is high enough. You keep the others."),
            ("frequencies == share",
             "Keep whatever reaches this share. You keep only what was selected in just this share."),
        )),
        (then(selected=lambda s, frequencies, share: 1 * (frequencies >= share)),
         "List the numbers of those that are selected, as np.flatnonzero does. Your `selected` has an entry for every "
         "feature."),
        (then(selected=lambda s: [s]),
         "Use np.flatnonzero(condition), or np.where(condition)[0]. np.where alone returns a tuple with the list "
         "inside."),
        (then(selected=len), "Return which features are selected, as column numbers. You return how many."),
        (then(selected=lambda s, frequencies: s[np.argsort(-frequencies[s], kind="stable")]),
         "List the columns in increasing order. Your `selected` goes by frequency."),
        (then(selected=lambda s, frequencies: frequencies[s]),
         "Return their column numbers. Your `selected` holds the frequencies of the selected features."),
        *((FREQUENCIES, wrong, sentence) for wrong, sentence in (
            ("np.mean(weights > 0, axis=0)", "Count negative weights as selected, too: w != 0, not w > 0."),
            ("np.mean(weights == 0, axis=0)", "Count where the weight is not 0. You count the zeros."),
            ("np.mean(weights, axis=0)", "Count in how many resamples a weight is not 0. You average the weights."),
            ("np.mean(np.abs(weights), axis=0)",
             "Count in how many resamples a weight is not 0. You average the sizes of the weights."),
            ("np.mean(np.abs(weights) > 0.2, axis=0)",
             "Count small weights as well: selected is whatever is not exactly 0."),
            ("np.mean(weights != 0, axis=1)",
             "Average along axis=0: a row is a resample, a column a feature."),
            ("np.sum(weights != 0, axis=0)", "Divide by the number of resamples. Your `frequencies` are counts."),
            ("np.sum(weights != 0, axis=0) / weights.shape[1]",
             "Divide by the number of resamples. You divide by the number of features."),
        )),
        (then(frequencies=lambda f, weights: f * len(weights)),
         "Divide by the number of resamples. You return counts as `frequencies`."),
        (then(false=lambda false, selected: len(selected) - false),
         "Count the selected features that are not relevant. Your `false` counts the hits."),
        (then(false=lambda false, weights, relevant: weights.shape[1] - len(relevant)),
         "Count only the selected ones of the features that do not matter. Your `false` counts them all."),
        (then(false=lambda false, selected: false / max(len(selected), 1)),
         "Return a count. Your `false` is a share of the selected ones."),
        (then(false=lambda false, weights, relevant: false / (weights.shape[1] - len(relevant))),
         "Return a count. Your `false` is a share of those that do not matter."),
        (then(false=lambda false, missed: false + missed),
         "Count the selected features that are not relevant. Your `false` counts the missed ones as well."),
        *((then(false=lambda _, selected, relevant, least=least: max(len(selected) - len(relevant), least)),
           "Count the selected features that are not relevant. Your `false` compares two lengths.")
          for least in (-99, 0)),
        (then(false=lambda _, frequencies, relevant: sum(np.delete(frequencies, relevant) > 0)),
         "Count those that reach the share. Your `false` counts what any resample selected."),
        (then(missed=lambda _, frequencies, relevant: sum(frequencies[relevant] == 0)),
         "Count the relevant ones that stay below the share. Your `missed` counts what no resample selected."),
        *((then(missed=lambda _, selected, relevant, least=least: max(len(relevant) - len(selected), least)),
           "Count the relevant features that are not selected. Your `missed` compares two lengths.")
          for least in (-99, 0)),
        (then(missed=lambda missed, relevant: len(relevant) - missed),
         "Count the relevant features that are not selected. Your `missed` counts the hits."),
        (then(missed=lambda missed, selected, weights: weights.shape[1] - len(selected)),
         "Count only the relevant ones of those that are not selected. Your `missed` counts them all."),
        (then(missed=lambda missed, relevant: missed / len(relevant)),
         "Return a count. Your `missed` is a share of the relevant ones."),
        ("frequencies >= share", "frequencies >= share * frequencies.max()",
         "Compare with the share itself. You take it of the largest frequency."),
    ],
    hints=[
        "weights != 0 is a table of True and False: a row for each resample, a column for each feature.",
        "The mean of each column of that table is the frequency of the feature. Along which axis is that? "
        "np.flatnonzero lists where a condition is True.",
        "How many of the selected features are relevant? Take that number from the number of selected ones, and from "
        "the number of relevant ones.",
    ],
)


def studies(rng):
    """Mostly chance, so that a choice that has seen all emails looks better than it is; no score is near 0.

    In every other case the means of all emails lead to another error, in the others their spreads do.
    """
    for number, (n, d, folds, choose) in enumerate((
        (9, 3, 3, 1), (10, 4, 4, 1), (10, 5, 3, 2), (11, 5, 4, 1), (12, 6, 3, 2), (13, 7, 4, 2), (14, 7, 3, 1),
        (14, 8, 4, 2),
    )):  # fmt: skip
        while True:
            y = rng.permutation(np.resize([-1.0, 1.0], n))
            fold = rng.permutation(np.append(np.arange(n - 2) % folds, [0, 0]))  # fold 0 is the largest
            X = rng.normal(size=(n, d)) + rng.normal(size=d)
            X[:, 0] -= 0.4 * y
            X = X[:, rng.permutation(d)].round(2)
            if clear_study(X, y, fold, choose) and study(X, y, fold, choose) != study(
                X, y, fold, choose, **{("mean", "spread")[number % 2]: X}
            ):
                break
        yield X, y, fold, choose


def study(X, y, folds, k, mean=None, spread=None):
    """How many emails are wrong, where mean or spread of the features are those of other rows."""
    wrong = 0
    for fold in np.unique(folds):
        A, labels = X[folds != fold], y[folds != fold]
        taken, divided = (A if rows is None else rows for rows in (mean, spread))
        chosen = np.argsort(np.abs((A - taken.mean(axis=0)).T @ labels) / divided.std(axis=0))[-k:]
        theta = fit(A[:, chosen], labels)
        wrong += np.sum(y[folds == fold] * (X[folds == fold][:, chosen] @ theta[:-1] + theta[-1]) <= 0)
    return wrong


def clear_study(X, y, folds, k):
    for fold in np.unique(folds):
        A, labels = X[folds != fold], y[folds != fold]
        if abs(labels.sum()) > len(labels) - 4:  # two of each kind, or more
            return False
        goes = np.sort(np.abs((A - A.mean(axis=0)).T @ labels) / A.std(axis=0))[::-1]
        chosen = np.argsort(np.abs((A - A.mean(axis=0)).T @ labels) / A.std(axis=0))[-k:]
        theta = fit(A[:, chosen], labels)
        f = X[folds == fold][:, chosen] @ theta[:-1] + theta[-1]
        if goes[k - 1] - goes[k] < 0.02 or np.abs(f).min() < 0.02:
            return False
    return True


LEARN, CLOSE, BEST, FIT = (
    "A, labels = X[~new], y[~new]", "np.abs((A - A.mean(axis=0)).T @ labels) / A.std(axis=0)",
    "np.argsort(closeness)[-k:]", "theta = fit(A[:, chosen], labels)",
)
ON_ALL = "np.abs((X - X.mean(axis=0)).T @ y) / X.std(axis=0)"
MEAN = "wrong += np.sum(y[new] * f <= 0)", "wrong += np.mean(y[new] * f <= 0)", "return wrong / len(y)", (
    "return wrong / len(np.unique(folds))")


def several():
    """Two of the four faults at once. That choice and fit are both made on all emails is said elsewhere."""
    told = {
        "choice": "the choice has seen all emails", "theta": "theta has seen all emails",
        "sign": "what goes strongly against y counts as well", "folds": "the folds differ in size",
    }
    for names in combinations(told, 2):
        close = ON_ALL if "choice" in names else CLOSE
        close = close.replace("np.abs(", "(", 1) if "sign" in names else close
        *most, last = (told[name] for name in names)
        if names != ("choice", "theta"):
            yield (
                *((CLOSE, close) if close != CLOSE else ()),
                *((FIT, "theta = fit(X[:, chosen], y)") if "theta" in names else ()),
                *(MEAN if "folds" in names else ()),
                f"Fix two more faults, because {', '.join(most)}, and {last}.",
            )


task(
    "honest_error",
    returns="error",
    cases=studies,
    mistakes=[
        (CLOSE, ON_ALL, "Choose the columns again for each fold, from the other emails. You still choose on all of "
                        "them, so those of the fold have a say in it."),
        (FIT, "theta = fit(X[:, chosen], y)", "Learn theta without the emails of the fold. Yours is learned from all."),
        (CLOSE, ON_ALL, FIT, "theta = fit(X[:, chosen], y)",
         "Choose and learn from the others alone. Your emails of the fold take part in everything."),
        (CLOSE, "(np.abs(A - A.mean(axis=0)).T @ labels) / A.std(axis=0)",
         "Add up first, then take the size of the sum. Your closeness takes the sizes before it adds up."),
        (CLOSE, "(A - A.mean(axis=0)).T @ labels / A.std(axis=0)",
         "Take the size of the correlation. You choose what goes with y and leave out what goes against it."),
        (*MEAN, "Count the wrong emails of all folds and divide by n. You average the folds, but they differ in size."),
        *((CLOSE, CLOSE.replace(f"A.{name}", f"X.{name}"),
           f"Take the {word} from the emails that you learn from. Your closeness uses that of all emails.")
          for name, word in (("mean", "mean"), ("std", "spread"))),
        (CLOSE, CLOSE.replace("A.mean", "X.mean").replace("A.std", "X.std"),
         "Take mean and spread from the emails that you learn from. Your closeness uses those of all emails."),
        *several(),
        (CLOSE, ON_ALL.replace("np.abs(", "(", 1), FIT, "theta = fit(X[:, chosen], y)", *MEAN,
         "Look for four faults. This is still your colleague's study as it was."),
        (CLOSE, "np.abs((X[new] - X[new].mean(axis=0)).T @ y[new]) / (X[new].std(axis=0) + 1e-12)",
         "Choose from the other emails. You choose on the fold itself."),
        (LEARN, "A, labels = X[new], y[new]", CLOSE,
         "np.abs((A - A.mean(axis=0)).T @ labels) / (A.std(axis=0) + 1e-12)",
         "Learn from the other emails. You learn from the fold and judge it, too."),
        ("f = X[new]", "f = X", "y[new] * f <= 0", "y * f <= 0", "/ len(y)", "/ (len(y) * len(np.unique(folds)))",
         "Judge the emails of the fold, which theta has not seen. You judge all emails in every fold."),
        ("f = X[new]", "f = A", "y[new] * f <= 0", "labels * f <= 0",
         "Judge the emails of the fold. You judge those that theta has learned from."),
        *(("    return wrong / len(y)", f"        return {error}",
         "Return after the loop. You return inside it, after the first fold.")
          for error in ("wrong / len(y)", "np.mean(y[new] * f <= 0)")),
        (LEARN, "A, labels = X[new], y[new]", "f = X[new]", "f = X[~new]", "y[new] * f <= 0", "y[~new] * f <= 0",
         "Learn from the others and judge the fold. You do it the other way around."),
        ("np.unique(folds)", "range(folds.max())", "Use each fold once as the test fold. You leave out the last."),
        ("wrong / len(y)", "np.mean(y[new] * f <= 0)",
         "Count in all folds. Your error is that of the last fold alone."),
        ("y[new] * f <= 0", "(y[new] - f) ** 2", "Count the emails that are wrong. Your error is the squared loss."),
        (BEST, "np.argsort(closeness)[-k + 1 :]",
         "Slice with [-k:]. With [-k + 1:] you take one column too few, and for k = 1 all of them."),
        (BEST, "np.argsort(np.abs(fit(A, labels)[:-1]))[-k:]",
         "Choose by the size of the correlation. You choose by the weights of a fit to all columns."),
        (BEST, "np.argsort(closeness)[:k]",
         "Take the last k, because np.argsort puts the smallest first. You choose the columns that say least about y."),
        (BEST, "np.argsort(closeness)", "Take the k best. You take all columns."),
        (CLOSE, "np.abs(A.T @ labels) / A.std(axis=0)", "Take the column's mean off first, on the emails that you "
                                                        "learn from. Your closeness lacks the mean."),
        *((CLOSE, "np.round(np.abs((A - A.mean(axis=0)).T @ labels), 9)", BEST,
           f"np.argsort({first}, kind='stable'){k}",
           "Divide by the spread, or a column in small units would never be chosen.")
          for first, k in (("closeness", "[-k:]"), ("-closeness", "[:k]"))),
        (" + theta[-1]", "", "Add the bias to the score. It's the last entry of theta."),
        (then(lambda error, folds: error * len(folds) / len(np.unique(folds))),
         "Divide the wrong emails by the number of emails. You divide by the number of folds."),
    ],
    hints=[
        "For each fold ask of each line: has it seen an email of this fold? No line that comes before the judging "
        "should have.",
        "Move the choice into the loop, and let it and the fit see X[~new] and y[~new] alone. What does a correlation "
        "of -0.9 tell you about a feature?",
        "Put np.abs around the closeness, learn everything from the other emails, and divide once, at the end: wrong "
        "emails by all emails.",
    ],
)


NUMBERS = (
    "capitalLong", "your", "charExclamation", "capitalAve", "charDollar", "remove", "capitalTotal", "free", "num000",
    "hp", "money", "you", "our", "hpl", "george", "edu", "business", "receive", "internet", "over", "order", "mail",
    "address", "meeting",
)  # fmt: skip
SHUFFLED = 8  # the last ones
MAILS = datasets.load("mail", features=NUMBERS)


def inboxes(rng):
    """Four inboxes in which good choices pass, as forward search does easily, and the first four columns do not."""
    while True:
        drawn = [inbox(rng, sign) for sign in rng.permutation([-1.0, -1.0, 1.0, 1.0])]
        searched, coarse, close, first = (np.mean([right_for(choice(*known), *new) for known, new in drawn])
                                          for choice in (few_words, few_by_l1, four_closest, first_four))
        if searched >= 0.82 and min(coarse, close) >= 0.8 and first <= 0.77:
            return drawn


def few_by_l1(X, y):
    """What L1 leaves where lambda falls in large steps: often two or three columns, and not four."""
    A, w = (X - X.mean(axis=0)) / X.std(axis=0), np.zeros(X.shape[1])
    G, c = A.T @ A / len(y), A.T @ (y - y.mean()) / len(y)
    step = 1 / np.linalg.eigvalsh(G)[-1]
    for lam in np.geomspace(0.5, 0.005, 60):
        before = w
        for _ in range(50):
            w = w - step * (G @ w - c)
            w = np.sign(w) * np.maximum(np.abs(w) - step * lam, 0)
        if np.count_nonzero(w) > 4:
            break
    return fit_of(np.flatnonzero(before), X, y)


def four_closest(X, y):
    """The four columns that y is most closely correlated with."""
    return fit_of(np.argsort(-np.abs((X - X.mean(axis=0)).T @ y) / X.std(axis=0))[:4], X, y)


def first_four(X, y):
    return fit_of(np.arange(4), X, y)


def fit_of(chosen, X, y):
    theta = np.zeros(X.shape[1] + 1)
    theta[np.append(chosen, -1)] = fit(X[:, chosen], y)
    return theta


def inbox(rng, sign):
    """Real emails, half of them spam: a part to learn from, and new ones that nothing handed over tells.

    The numbers are in another order in each, and one label or the other is spam: no theta fits all inboxes.
    """
    order = rng.permutation(len(NUMBERS))
    kinds = [rng.permutation(np.flatnonzero(MAILS.y == label))[:190] for label in (-1, 1)]
    mails = np.concatenate([kind[part] for part in (slice(80), slice(80, 190)) for kind in kinds])
    own, y = np.log1p(MAILS.X[mails]).round(2), sign * MAILS.y[mails]
    for j in range(len(NUMBERS) - SHUFFLED, len(NUMBERS)):
        own[:, j] = rng.permutation(own[:, j])
    known, new = rng.permutation(160), 160 + rng.permutation(220)
    return (own[known][:, order], y[known]), (own[new][:, order], y[new])


def right_for(theta, X, y):
    return np.mean(y * (X @ theta[:-1] + theta[-1]) > 0)


task(
    "few_words",
    returns="theta",
    cases=inboxes,
    accuracy=0.78,
    weights=4,
    mistakes=[
        (lambda X, y: fit(X, y),
         "Choose at most 4 features, and set all other weights to exactly 0. Your theta has 24 that aren't 0."),
        (lambda X, y: fit(X, y)[:-1],
         "Add the bias as the last entry of theta. It has d + 1 entries, and yours lacks one."),
    ],
    hints=[
        "You have written one way to choose already: forward_search. L1 is another: the loop of 7.12 on standardized "
        "features, with the smallest lambda that leaves at most four. Twenty lambdas with twenty passes each are "
        "enough; many more may take longer than the three seconds of a check.",
        "The weights that L1 leaves are too small, and those of a fit to all features are meant for company that is "
        "gone. What does the chapter do with the features once they are chosen?",
        "theta = np.zeros(X.shape[1] + 1), then theta[chosen] and theta[-1] from a fit to X[:, chosen] alone. Set "
        "some emails aside and compare two ways of choosing on them, each choice made without them.",
    ],
)
