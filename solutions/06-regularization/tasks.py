"""Penalties, an objective with a free offset, the elastic net's threshold, lambda, the Bolasso, a path by hand."""

import numpy as np

from coursekit.grading.draws import labels, quarters
from coursekit.grading.tasks import slips, task, then


def penalty_cases(rng):
    for d in (2, 3, 4, 6, 9):
        w = quarters(rng, d)
        w[:2] = rng.permutation([rng.integers(3, 8 if d > 2 else 5) / 4, -rng.integers(9, 15) / 8])
        if d > 2:
            w[2] = 0.0
        yield (rng.permutation(w),)


L0, L1, L2, SIGNS, LAST = "np.sum(w != 0)", "np.sum(np.abs(w))", "np.sum(w**2) / 2", "np.sign(w)", "np.sign(w), w"

task(
    "penalties",
    returns=("l0", "l1", "l2", "l1_slope", "l2_slope"),
    cases=penalty_cases,
    mistakes=[
        *((L0, wrong, sentence) for wrong, sentence in (
            ("np.sum(w == 0)", "Your `l0` counts the zeros: it counts the weights that are NOT 0."),
            ("np.sum(w > 0)", "Your `l0` misses the negative weights: it counts all that are not 0."),
            ("len(w != 0)",
             "Your `l0` counts all weights: np.sum(w != 0) counts those that are not 0, len(w != 0) does not."),
            ("1 * np.any(w)", "Your `l0` says whether any weight is not 0: it should say how many are."),
        )),
        *((L1, wrong, sentence) for wrong, sentence in (
            ("np.sum(w)",
             "Your `l1` adds up the weights as they are: take |w| of each, or a negative weight would be a gain."),
            ("np.abs(np.sum(w))", "Your `l1` adds up first: take |w| of every weight before that."),
            ("np.mean(np.abs(w))", "Your `l1` is the mean of the |w|: it is their sum, for only losses are averaged."),
            ("np.max(np.abs(w))", "Your `l1` is the largest |w|: it is their sum."),
            ("np.abs(w)", "Your `l1` holds |w| for each weight: add them up to one number."),
        )),
        *((L2, wrong, sentence) for wrong, sentence in (
            ("w @ w", "Your `l2` lacks a half: here it is 1/2 ||w||^2, so that its slope is w."),
            ("np.linalg.norm(w)", "Your `l2` is the length of w: it is 1/2 ||w||^2, without a root."),
            ("np.linalg.norm(w) / 2", "Your `l2` is half the length of w: the length is squared."),
            ("np.mean(w**2) / 2", "Your `l2` is half the mean of the squares: take half their sum."),
            ("np.mean(w**2)", "Your `l2` is the mean of the squares: take half their sum."),
            ("np.sum(w) ** 2 / 2", "Your `l2` squares the sum: square every weight first, and add up afterwards."),
            ("w**2 / 2", "Your `l2` holds one square for each weight: add them up to one number."),
        )),
        *((SIGNS, wrong, sentence) for wrong, sentence in (
            ("w / np.abs(w)", "Dividing w by |w| gives 0/0 at a weight of exactly 0: the slope there is 0."),
            ("np.where(w >= 0, 1, -1)",
             "At 0 the slope of l1 is 0 by convention, so that a weight of 0 is left in peace: yours is +1 there."),
            ("np.where(w > 0, 1, -1)",
             "At 0 the slope of l1 is 0 by convention, so that a weight of 0 is left in peace: yours is -1 there."),
            ("1 * (w != 0)", "The slope of l1 is -1 for a negative weight."),
            ("-np.sign(w)", "The slope of l1 has the wrong sign: the penalty grows away from 0."),
            ("np.abs(w)", "The slope of l1 has the same size for all weights that are not 0: their sign."),
            ("np.sign(w).sum()", "The slope of l1 has an entry for each weight: do not add them up."),
        )),
        *((LAST, f"np.sign(w), {wrong}", sentence) for wrong, sentence in (
            ("2 * w", "The slope of 1/2 ||w||^2 is w, not 2 w."),
            ("w / 2", "The slope of 1/2 ||w||^2 is w, not w / 2."),
            ("-w", "The slope of l2 has the wrong sign: the penalty grows away from 0."),
            ("np.abs(w)", "The slope of l2 is w itself: for a negative weight it is negative."),
            ("np.sum(w)", "The slope of l2 has an entry for each weight: do not add them up."),
        )),
        (L2, "w @ w", LAST, "np.sign(w), 2 * w", "You take ||w||^2: here l2 is 1/2 ||w||^2, and its slope is w."),
    ],
    hints=[
        "Three numbers and two arrays. For l0 count the entries with w != 0.",
        "For l1 add up absolute values, for l2 squares, and mind the half. A slope has an entry for every weight.",
        "Draw |v| and v**2 / 2 over v: how steep is each to the right of 0, to the left of it, and at 0 by the "
        "convention above? numpy has a function for the first of the two.",
    ],
)


def net_cases(rng):
    for n, d, lam, mix in (
        (2, 1, 0.5, 0.25), (3, 2, 0.25, 0.75), (4, 3, 2.0, 0.25), (6, 2, 1.0, 0.0), (7, 4, 0.5, 1.0)
    ):
        theta = quarters(rng, d + 1)
        theta[-1] = rng.choice([-1.75, -1.25, 0.75, 1.5])
        theta[0] = rng.choice([-1.75, -1.5] if d == 2 else [1.25, 1.75])
        if d > 1:
            theta[1] = 0.0  # the kink counts
        yield quarters(rng, n, d), labels(rng, n), theta, lam, mix


LOSS, PULL, FREE = "np.mean(r**2)", "-2 * r @ X / len(X)", "-2 * np.mean(r)"
HALF, OMEGA = "(1 - mix) / 2 * w @ w", "mix * np.abs(w).sum() + (1 - mix) / 2 * w @ w"
KINK, OMEGA_SLOPE = "mix * np.sign(w) + (1 - mix) * w", "lam * (mix * np.sign(w) + (1 - mix) * w)"
ON_OFFSET = " + lam * (mix * np.sign(theta[-1]) + (1 - mix) * theta[-1])"
WITH_OFFSET = "mix * np.abs(theta).sum() + (1 - mix) / 2 * theta @ theta"

task(
    "regularised",
    returns=("value", "slope"),
    cases=net_cases,
    mistakes=[
        ("(X @ w + theta[-1])", "X @ w", "The score misses the offset: f = X @ theta[:-1] + theta[-1]."),
        (LOSS, "np.sum(r**2)", PULL, "-2 * r @ X", FREE, "-2 * np.sum(r)",
         "You sum the losses: here they are averaged, in the value and in the slope."),
        (LOSS, "np.sum(r**2)", "The value sums the losses: take their mean."),
        (PULL, "-2 * r @ X", FREE, "-2 * np.sum(r)",
         "The slope sums over the examples: divide by n, as the value does."),
        (LOSS, "np.mean(r**2) / 2", PULL, "-r @ X / len(X)", FREE, "-np.mean(r)",
         "You take half the squares: here the loss is (y - f)^2, and its slope has a 2."),
        (LOSS, "np.mean(r**2) / 2", "The value takes half the squares: the loss is (y - f)^2."),
        (PULL, "-r @ X / len(X)", FREE, "-np.mean(r)",
         "The slope of (y - f)^2 has a factor 2: -2 (y - f) (x, 1)."),
        (PULL, "2 * r @ X / len(X)", FREE, "2 * np.mean(r)",
         "The loss part of the slope has the wrong sign: f enters y - f with a minus, so it is -2 (y - f) (x, 1)."),
        (FREE, "0", "The slope of the offset is missing: it is free of the penalty, but not of the loss."),
        (OMEGA, WITH_OFFSET, FREE, FREE + ON_OFFSET,
         "You penalise the offset, in the value and in the slope: Omega takes the weights theta[:-1] alone."),
        (OMEGA, WITH_OFFSET, "The value penalises the offset: Omega takes the weights theta[:-1] alone."),
        (FREE, FREE + ON_OFFSET, "The slope penalises the offset: its last entry has no lambda in it."),
        (OMEGA, OMEGA.replace("w", "theta[1:]"), KINK, KINK.replace("w", "np.append(0, w[1:])"), FREE, FREE + ON_OFFSET,
         "You leave out theta[0]: the offset is the LAST entry."),
        (OMEGA, OMEGA.replace("mix * np", "(1 - mix) * np").replace("(1 - mix) / 2", "mix / 2"),
         KINK, "(1 - mix) * np.sign(w) + mix * w",
         "You have exchanged mix and 1 - mix: mix belongs to the L1 part, 1 - mix to the L2 part."),
        (HALF, "(1 - mix) * w @ w", KINK, "mix * np.sign(w) + 2 * (1 - mix) * w",
         "The L2 part is 1/2 ||w||^2 with slope w: yours is twice that."),
        (HALF, "(1 - mix) * w @ w", "The value misses the half of the L2 part: (1 - mix)/2 ||w||^2."),
        (KINK, "mix * np.sign(w) + (1 - mix) / 2 * w", "The slope of 1/2 ||w||^2 is w, not w / 2."),
        (KINK, "mix * np.sign(w) + 2 * (1 - mix) * w", "The slope of 1/2 ||w||^2 is w, not 2 w."),
        *(("np.sign(w)", wrong, sentence) for wrong, sentence in (
            ("np.where(w >= 0, 1, -1)", "At a weight of exactly 0 the slope of |w| is 0 by convention: yours is +1."),
            ("np.where(w > 0, 1, -1)", "At a weight of exactly 0 the slope of |w| is 0 by convention: yours is -1."),
            ("w / np.abs(w)", "Dividing w by |w| gives 0/0 at a weight of exactly 0: the slope of |w| there is 0."),
            ("1", "The slope of |w| is the sign of w: -1 for a negative weight, 0 at 0."),
            ("np.abs(w)", "The slope of |w| is the sign of w, whatever the size of w."),
        )),
        (" + lam * penalty", "", "The value has no penalty: add lambda times Omega."),
        (f" + {OMEGA_SLOPE}", "", "The slope has no penalty: add lambda times the slope of Omega."),
        (f"+ {OMEGA_SLOPE}", f"- {OMEGA_SLOPE}", "The penalty's slope has the wrong sign: it is added."),
        (" + lam * penalty", " + penalty", OMEGA_SLOPE, OMEGA_SLOPE.replace("lam * ", ""),
         "The penalty is not multiplied by lambda: lambda Omega is added, and lambda times its slope."),
        ("lam * penalty", f"lam * {OMEGA}",
         "In the value lambda multiplies the L1 part alone: put brackets around both parts of the penalty."),
        (OMEGA_SLOPE, f"lam * {KINK}",
         "In the slope lambda multiplies the L1 part alone: put brackets around both parts of the penalty."),
        ("    w = theta[:-1]", "    w, lam = theta[:-1], lam / len(X)",
         "The penalty is not divided by n: only the losses are averaged."),
        (then(slope=lambda s: s[:-1]), "The slope has as many entries as theta: that of the offset is the last one."),
        (then(slope=np.negative),
         "Your slope points downhill: return the slope itself; the minus comes with the step."),
    ],
    hints=[
        "Take the value first: r = y - f, its mean square, plus lam times the penalty of w = theta[:-1].",
        "The loss adds -2 r (x, 1) / n to the slope for each example. The penalty adds to the weights alone: lam times "
        "its L1 part, with np.sign, and its L2 part, with w.",
        "Build the slope in two pieces and put them together with np.append: d entries for the weights, where r @ X "
        "sums over the examples, and one for the offset, whose attribute is 1 in every example.",
    ],
)


def threshold_cases(rng):
    for d, eta, lam, mix in (
        (3, 0.5, 2.0, 0.5), (4, 0.25, 2.0, 0.25), (4, 0.5, 1.0, 1.0), (4, 2.0, 0.5, 0.0), (5, 1.5, 0.5, 0.75)
    ):
        t = eta * lam * mix
        small = rng.uniform(0.2, 0.8) * t
        w = np.concatenate([[-small, 1.2 * t + 0.4, -1.5 * t - 0.6, small / 2], rng.normal(size=1)])[:d]
        yield np.append(rng.permutation(w), rng.choice([-1, 1]) * rng.uniform(1.5, 2.0)), eta, lam, mix


CUT, SHRINK = "np.sign(w) * np.maximum(np.abs(w) - eta * lam * mix, 0)", "v / (1 + eta * lam * (1 - mix))"
TAKEN, DIVISOR = "- eta * lam * mix", "1 + eta * lam * (1 - mix)"


def both(new):
    """eta lam in the threshold and in the divisor."""
    return TAKEN, f"- {new} * mix", DIVISOR, f"1 + {new} * (1 - mix)"


task(
    "soft_threshold",
    returns="theta",
    cases=threshold_cases,
    mistakes=[
        ("theta[:-1]", "theta", "np.append(v, theta[-1])", "v",
         "The offset moves: it is not penalised, so it must come back as it went in."),
        (then(lambda v: v[:-1]),
         "The offset is missing from what you return: theta has d + 1 entries, the offset last."),
        *((CUT, wrong.replace("T", "(eta * lam * mix)"), sentence) for wrong, sentence in (
            ("w - T * np.sign(w)", "Weights jump over 0: one that is nearer to 0 than the threshold must stop there."),
            ("np.where(np.abs(w) > T, w, 0)",
             "That is the hard threshold: a weight that survives must still move towards 0 by the threshold."),
            ("np.where(np.abs(w) <= T, 0, w - T)",
             "Negative weights move away from 0: towards 0 means w + threshold for them."),
            ("np.maximum(w - T, 0)",
             "Negative weights vanish: they move towards 0 from below, and large ones do not get there."),
            ("np.maximum(np.abs(w) - T, 0)",
             "The sign is lost: a negative weight stays negative on its way to 0."),
            ("np.sign(w) * (np.abs(w) + T)", "The weights move away from 0: take the threshold off |w|."),
            ("np.clip(w, -T, T)",
             "You cut off what is to stay: np.clip(w, -t, t) is what the threshold takes AWAY from w."),
            ("w", "The L1 part is missing: no weight gets to exactly 0."),
        )),
        *((SHRINK, wrong.replace("t", "(eta * lam * (1 - mix))"), sentence) for wrong, sentence in (
            ("v", "The L2 part is missing: what the threshold leaves is divided by 1 + eta lam (1 - mix)."),
            ("v * (1 - t)",
             "You take a slope step for the L2 part, v (1 - t): the exact minimum divides by 1 + t."),
            ("v / (1 + 2 * t)",
             "The L2 part is 1/2 v^2 with slope v: divide by 1 + eta lam (1 - mix), without a 2."),
            ("v / (1 + t / 2)", "The slope of 1/2 v^2 is v: divide by 1 + eta lam (1 - mix), without a half."),
            ("v * (1 + t)", "The L2 part makes your weights larger: divide, do not multiply."),
            ("v / (t or 1)", "Divide by 1 + eta lam (1 - mix): the 1 comes from 1/2 (v - w)^2."),
            ("v - t * w", "You take the L2 part off like the threshold: setting the derivative to 0 divides by 1 + t."),
        )),
        (TAKEN, "- eta * lam", "Your threshold lacks mix: it is eta lam mix."),
        (DIVISOR, "1 + eta * lam", "Your divisor lacks 1 - mix: it is 1 + eta lam (1 - mix)."),
        (TAKEN, "- eta * lam", DIVISOR, "1 + eta * lam",
         "You leave out mix: the threshold is eta lam mix, the divisor 1 + eta lam (1 - mix)."),
        (TAKEN, "- eta * lam * (1 - mix)", DIVISOR, "1 + eta * lam * mix",
         "You have exchanged mix and 1 - mix: mix belongs to the L1 part, 1 - mix to the L2 part."),
        (*both("lam"), "The step size is missing: penalty and threshold are multiplied by eta."),
        (*both("eta"), "The factor lambda is missing: penalty and threshold are multiplied by eta lam."),
        (*both("eta * lam / 2"), "Everything is halved in your penalty: the threshold is eta lam mix."),
        (*both("2 * eta * lam"), "Everything is doubled in your penalty: the threshold is eta lam mix."),
        (TAKEN, "- eta * lam * mix / 2", "Your threshold is half of what it should be: eta lam mix."),
        (TAKEN, "- 2 * eta * lam * mix", "Your threshold is twice what it should be: eta lam mix."),
        (TAKEN, "/ (1 + eta * lam * (1 - mix)) - eta * lam * mix", SHRINK, "v",
         "The order is exchanged: first take the threshold off, then divide."),
        (CUT, "w - eta * lam * (mix * np.sign(w) + (1 - mix) * w)", SHRINK, "v",
         "That is a step along the slope: it jumps over 0 and never makes a zero. Find the v that minimises."),
    ],
    hints=[
        "Each weight by itself. For v > 0 set the derivative of 1/2 (v - w)^2 + eta lam (mix v + (1 - mix)/2 v^2) to 0 "
        "and solve for v.",
        "The L1 part takes the same amount off every weight, the L2 part divides what is left. If nothing is left, "
        "v = 0. For negative w it is the mirror image.",
        "np.maximum(..., 0) stops at 0, np.abs(w) and np.sign(w) take care of both sides at once. Put theta[-1] behind "
        "it unchanged.",
    ],
)


def lambda_cases(rng):
    sizes = (5, 4, 1), (6, 6, 1), (6, 6, 2), (7, 8, 2), (7, 9, 2), (8, 8, 3), (8, 10, 2), (9, 12, 2), (9, 10, 3)
    for k, n, d in sizes:
        best = np.zeros(0)
        # Several with the lowest error, one of them apart, and scores of exactly 0 among their errors.
        while len(best) < 3 or best[-1] == best[-2] + 1:
            X, y, thetas = quarters(rng, n, d), labels(rng, n), quarters(rng, k, d + 1)
            chosen = rng.integers(n, size=k)
            thetas[:, -1] = -(thetas[:, :-1] * X[chosen]).sum(axis=1)  # each theta has a score of 0
            z = y * (thetas[:, :-1] @ X.T + thetas[:, -1:])
            errors = (z <= 0).mean(axis=1)
            best = np.flatnonzero(errors == errors.min())
            if not 0 < errors.min() < 0.5:
                best = best[:0]
        # Neither the first nor the last of them has the largest lambda, and another one has a larger one.
        lams = 2.0 ** np.arange(-k, 0)
        right = best[0]
        while right in (best[0], best[-1], lams.argmax()):
            lams = rng.permutation(lams)
            right = best[lams[best].argmax()]
        yield lams, thetas, X, y


SCORES, ERRORS = "thetas[:, :-1] @ X.T + thetas[:, -1:]", "np.mean(y * scores <= 0, axis=1)"
CHOSEN = "best[np.argmax(lams[best])]"

task(
    "choose_lambda",
    returns=("index", "error"),
    cases=lambda_cases,
    mistakes=[
        *((CHOSEN, wrong, sentence) for wrong, sentence in (
            ("best[0]",
             "Several lambdas have the lowest error: argmin takes the first of them, the largest lambda is asked for."),
            ("best[-1]", "Several lambdas have the lowest error: yours is the last of them in the list, but lams is in "
             "no order."),
            ("best[np.argmin(lams[best])]",
             "Among equal errors take the LARGEST lambda, which is the simplest answer: yours is the smallest."),
            ("np.argmax(lams)",
             "The largest lambda of all is not asked for: only among those with the lowest error."),
            ("np.argmin(lams)", "The smallest lambda of all is not asked for: the lowest error decides."),
            ("np.argmax(lams[best])",
             "Your index counts within the list of the best: it must be the row number in lams and thetas."),
            ("np.argmax(errors)", "You take the highest error: the lowest is asked for."),
        )),
        *((ERRORS, wrong, sentence) for wrong, sentence in (
            ("np.mean(y * scores < 0, axis=1)", "A score of exactly 0 is an error too: y f <= 0, not y f < 0."),
            ("np.mean(y * scores > 0, axis=1)", "You count the right ones: an error is y f <= 0."),
            ("np.sum(y * scores <= 0, axis=1)",
             "Your `error` is a count: the fraction of the examples is asked for, so divide by n."),
            ("np.mean(np.where(scores >= 0, 1, -1) != y, axis=1)",
             "You take a score of exactly 0 for +1: it is an error for both labels, y f <= 0."),
            ("np.mean(np.where(scores > 0, 1, -1) != y, axis=1)",
             "You take a score of exactly 0 for -1: it is an error for both labels, y f <= 0."),
        )),
        (SCORES, "thetas[:, :-1] @ X.T", "The score misses the offset: the last entry of each theta."),
        (SCORES, "thetas[:, 1:] @ X.T + thetas[:, :1]",
         "Your offset comes first: here it is the last entry of each theta."),
        (then(index=lambda k, lams: lams[k]), "You return lambda itself: its index is asked for."),
        (then(index=lambda k: k + 1), "Your index counts from 1: the first lambda is number 0."),
        (then(index=lambda k, lams: np.sum(lams > lams[k])),
         "Your index counts in the sorted list: it must be the row number in lams as it came."),
        (then(index=lambda k, lams: np.sum(lams < lams[k])),
         "Your index counts in the list sorted upwards: it must be the row number in lams as it came."),
        (CHOSEN, "np.argmin(np.maximum(0, 1 - y * scores).mean(axis=1))",
         "You compare hinge losses: it is the fraction of errors, y f <= 0, that decides here."),
        (then(error=lambda e: 1 - e), "Your `error` is the fraction of right answers: that of the wrong ones is asked "
         "for."),
        (then(error=lambda e: 100 * e), "Your `error` is in per cent: a fraction between 0 and 1 is asked for."),
    ],
    hints=[
        "For each theta in thetas: the fraction of the examples with y f <= 0. That gives one error for each lambda.",
        "Find the lowest error. All lambdas with exactly this error are equally good; the largest of them wins.",
        "np.flatnonzero(errors == errors.min()) lists the rows that share the lowest error. Look up their lambdas, and "
        "return the row's number in the whole list, not in the short one.",
    ],
)


def bolasso_cases(rng):
    for resamples, share in ((4, 0.5), (4, 1), (8, 0.75), (8, 1.0), (16, 0.25)):
        at_share = int(share * resamples)
        times = rng.permutation([resamples, at_share, at_share - 1, 0, resamples // 2, 1])
        weights = np.zeros((resamples, 6))
        for j, m in enumerate(times):
            weights[rng.permutation(resamples)[:m], j] = rng.choice([-1.0, 1.0], m) * rng.integers(1, 9, m) / 8
        weights[:2, np.argmax(times)] = [0.5, -0.5]  # both signs: their sum is not what counts
        yield weights, share


KEPT = "np.flatnonzero(frequencies >= share)"

task(
    "bolasso",
    returns=("frequencies", "selected"),
    cases=bolasso_cases,
    mistakes=[
        *(("frequencies >= share", wrong, sentence) for wrong, sentence in (
            ("frequencies > share", "A feature that is selected in exactly this share counts: >=, not >."),
            ("frequencies > 0", "That is the union, whatever was selected in any resample: share counts."),
            ("frequencies >= 1", "You ignore share: yours is the intersection of all, share = 1."),
            ("frequencies >= 0.5", "You ignore share: yours keeps what half of the resamples selected."),
            ("frequencies <= share", "Your selection is the wrong way round: keep frequent features."),
            ("frequencies == share", "You keep only what was selected in just this share: at least this share counts."),
        )),
        *((KEPT, wrong, sentence) for wrong, sentence in (
            ("np.where(frequencies >= share)", "np.where(condition) is a tuple around the list: np.where(condition)[0] "
             "is the list, or np.flatnonzero."),
            ("1 * (frequencies >= share)",
             "Your `selected` has an entry for every feature: list the numbers of those that are selected, as "
             "np.flatnonzero does."),
            (f"{KEPT} + 1", "Your numbers begin at 1: the first column is feature 0."),
            ("np.sum(frequencies >= share)", "You return how many are selected: return which, as column numbers."),
            ("frequencies[frequencies >= share]",
             "Your `selected` holds the frequencies of the selected features: their column numbers are asked for."),
        )),
        *(("np.mean(weights != 0, axis=0)", wrong, sentence) for wrong, sentence in (
            ("np.mean(weights > 0, axis=0)", "A negative weight is a selected feature too: w != 0, not w > 0."),
            ("np.mean(weights == 0, axis=0)", "You count the zeros: a feature is selected where its weight is not 0."),
            ("np.mean(weights, axis=0)", "You average the weights: count in how many resamples they are not 0."),
            ("np.mean(np.abs(weights), axis=0)",
             "You average the sizes of the weights: count in how many resamples they are not 0."),
            ("np.mean(np.abs(weights) > 0.2, axis=0)",
             "Small weights count as well: selected is whatever is not exactly 0."),
            ("np.mean(weights != 0, axis=1)",
             "You average along the wrong axis: a row is a resample, a column a feature (axis=0)."),
            ("np.sum(weights != 0, axis=0)", "Your `frequencies` are counts: divide by the number of resamples."),
            ("np.sum(weights != 0, axis=0) / weights.shape[1]",
             "You divide by the number of features: divide by the number of resamples."),
        )),
        (then(frequencies=lambda f, weights: f * len(weights)),
         "You return counts as `frequencies`: divide them by the number of resamples there too."),
    ],
    hints=[
        "weights != 0 is a table of True and False: a row for each resample, a column for each feature.",
        "The mean of each column of that table is the frequency of the feature: along which axis is that?",
        "np.flatnonzero lists where a condition is True. Which condition makes a feature frequent enough?",
    ],
)


task(
    "read_path",
    returns=("weights", "counts", "soft", "changes"),
    mistakes=[
        *slips(
            "weights",
            ([1, 0, 0], "Those are the weights at the knot 2: between knots each moves on a straight line."),
            ([2, -1, 0], "Those are the weights at the knot 1: between knots each moves on a straight line."),
            ([1.5, 0.5, 0], "Feature 2 goes down, from 0 to -1: mind the sign."),
        ),
        *slips(
            "counts",
            ([0, 1, 1, 2], "A feature comes in AT its knot: just below it, its weight is not 0 any more."),
            ([0, 0, 1, 2], "Each feature leaves 0 at the knot ABOVE the first weight that is not 0."),
            ([0, 1, 2, 2], "Between the knots 1 and 0 feature 3 is on its way to 2: it is not 0 there."),
            ([1, 1, 2, 3], "Above the first knot all weights are 0."),
            ([3, 2, 1, 0], "The larger lambda, the fewer features: read the table from its first row."),
        ),
        *slips(
            "soft",
            ([2, 0.5, -1], "A weight nearer to 0 than the threshold stops at 0: it does not jump over."),
            ([2, -0.5, -1], "A weight nearer to 0 than the threshold becomes 0."),
            ([3, 0, -2], "That is the hard threshold: the soft one also moves what survives."),
            ([2, 0, -3], "The threshold moves towards 0: -2 goes up."),
            ([2, 0, 1], "The sign stays: -2 comes nearer to 0 from below."),
            ([2, 0, 0], "Negative weights are not cut off: -2 is further from 0 than the threshold."),
            ([2, -1.5, -3], "The threshold moves towards 0 from both sides: subtracting 1 is not it."),
        ),
        *((then(changes=lambda c, k=k, wrong=wrong: [*c[:k], wrong, *c[k + 1:]]), sentence)
          for k, wrongs, sentence in (
            (0, (-1, 0),
             "First change: without a penalty the training loss is as low as it gets. What can a penalty do to it?"),
            (1, (1, 0), "Second change: lambda is the price of long weights. What does a higher price do?"),
            (2, (1, -1), "Third change: an offset that is free moves along with the data; what else changes?"),
            (3, (1, -1), "Fourth change: how many features are selected beyond the first knot?"),
        ) for wrong in wrongs),
    ],
    hints=[
        "Between two knots go in proportion: 1.5 lies in the middle of 2 and 1, so each weight does too.",
        "Count the weights that are not 0 in the middle of a piece, not at its ends. Soft threshold: move every weight "
        "1 towards 0, and stop there.",
        "At lambda = 3 only feature 1 is in; at 0.5 all three. For the changes: what is minimised, and what is free?",
    ],
)
