"""Curves of splits, the length of w, a free bias, the exact move, a moved border, lambda, folds, five lambdas."""

import numpy as np

from coursekit_grade.draws import labels, quarters
from coursekit_grade.tasks import solution, task, then

ridge = solution("ridge")


def split_cases(rng):
    """Sixteenths. Several lambdas share the lowest mean, and the largest of these is neither the first nor the last."""
    for splits, ranks in ((2, [0]), (3, [0, 1]), (4, [1, 0]), (5, [1, 2, 0]), (8, [0, 2, 1]), (6, [0, 2, 1])):
        k = len(ranks) + 2 + (splits > 5)
        while True:
            training = rng.integers(0, 7, (splits, k)) / 16
            validation = rng.integers(3, 10, (splits, k)) / 16
            shared = np.sort(rng.permutation(k)[: len(ranks)])
            for j in shared:
                validation[:, j] = rng.permutation(validation[:, shared[0]]) - (j == shared[-1]) / 16
            validation[:, shared[:-1]] -= 1 / 16
            means = validation.mean(axis=0)
            lowest = np.flatnonzero(means == means.min())
            if len(lowest) != len(ranks):
                continue
            inner = np.sort(rng.choice([0.1, 0.5, 1.0, 4.0], len(ranks), replace=False))
            lams = np.zeros(k)
            lams[lowest] = inner[ranks]
            lams[np.setdiff1d(np.arange(k), lowest)] = rng.permutation([0.01, 10.0, 2.0][: k - len(ranks)])
            best, small, large = lowest[np.argmax(inner[ranks])], lams.argmin(), lams.argmax()
            if splits == 8:  # nearly as good is not as good
                validation[:, large] = rng.permutation(validation[:, best])
                validation[rng.integers(8), large] += 1 / 16
                means = validation.mean(axis=0)
            if splits == 6:  # the best has the lowest mean alone: its worst split, its squares, its middle are higher
                validation[np.argsort(validation[:, best], kind="stable")[[0, 3, 5]], best] += np.array([-2, 1, 1]) / 16
                training[:, 0] += 6 / 16
            gap = np.abs(means - training.mean(axis=0))
            luck = validation.min(axis=0)
            plain = {small, large, gap.argmin(), validation[0].argmin()}
            plain |= {luck.argmin(), np.argmin(luck - lams / 1e6)} if splits != 6 else set()
            better = [np.sum(part[:, best] < part[:, j]) for part, j in
                      ((validation, small), (validation, large), (validation, 0), (training, small))]
            if best in plain or small == 0 or not 0 < better[0] < splits:
                continue
            if splits == 6 and (best in _by_other_rules(lams, training, validation)
                                or better[0] in _counted_otherwise(best, small, training, validation)):
                continue
            if splits != 8 or (
                len(set(better)) == 4 and len(plain) > 3 and means.argmax() != large
                and (validation[:, best] == validation[:, small]).any() and lowest[0] != validation[0].argmin()
                and better[0] != np.sum(validation[:, lowest[0]] < validation[:, small])
            ):
                break
        yield lams, training, validation


def _by_other_rules(lams, training, validation):
    """Whom other rules than the lowest mean choose."""
    means, ordered = validation.mean(axis=0), np.sort(validation, axis=0)
    wins = np.sum(validation == validation.min(axis=1, keepdims=True), axis=0)
    error = validation[:, means.argmin()].std(ddof=1) / np.sqrt(len(validation))
    yield from (np.argmin(rule - lams / 1e6) for rule in (  # of equal ones the largest lambda
        ordered[-1], ordered[1:-1].mean(axis=0), np.median(validation, axis=0), np.mean(validation**2, axis=0),
        means + training.mean(axis=0), -wins,
        validation.argsort(axis=1, kind="stable").argsort(axis=1).mean(axis=0),
        means > means.min() + error))


def _counted_otherwise(best, small, training, validation):
    """Numbers of splits that are not the asked one."""
    means, gaps = validation.mean(axis=0), validation - training
    for own, rival in ((validation[:, best], validation[:, -1]), (validation[:, best], means[small]),
                       (means[best], validation[:, small]), (gaps[:, best], gaps[:, small])):
        yield np.sum(own < rival)


MEANS, LARGEST = "means = validation.mean(axis=0)", "lowest[np.argmax(lams[lowest])]"
BETTER, GAP = "np.sum(validation[:, best] < validation[:, np.argmin(lams)])", "means - training.mean(axis=0)"
SMALL_GAP = (
 "Choose `best` by validation error, not by the gap. A filter that is bad on both sides has no gap either.")

task(
    "over_splits",
    returns=("best", "gap", "better"),
    cases=split_cases,
    mistakes=[
        ("np.flatnonzero(means == means.min())",
         "np.flatnonzero((wins := (validation == validation.min(axis=1, keepdims=True)).sum(axis=0)) == wins.max())",
         "Take the one with the lowest mean over the splits. You count in how many splits each lambda is the best."),
        *((LARGEST, wrong, sentence) for wrong, sentence in (
            ("lowest[0]",
             "Look for the largest lambda among those that share the lowest mean. np.argmin just takes the first."),
            ("lowest[-1]", "Look for the largest lambda among those that share the lowest mean. Yours is the last "
                           "of them, but lams is in no order."),
            ("lowest[np.argmin(lams[lowest])]", "Among equal means take the LARGEST lambda, which is the simplest "
                                                "answer. Yours is the smallest."),
            ("np.argmax(lams)", "Look only among those with the lowest mean. Your `best` is the largest lambda of "
                                "all."),
            ("np.argmin(training.mean(axis=0))",
             "Choose `best` by validation error. A low training error can just mean that the filter memorized its "
             "emails."),
            ("np.argmin(np.min(validation, axis=0))",
             "Take the mean of all splits. Your `best` won the luckiest single split."),
            ("np.argmin(validation[0])", "Take the mean of all splits. Your `best` looks at the first split alone."),
            ("np.argmin(np.abs(means - training.mean(axis=0)))", SMALL_GAP),
            ("np.argmin(means - training.mean(axis=0))", SMALL_GAP),
            ("np.argmax(means)", "Take the lowest. Your `best` has the highest error."),
            ("np.argmax(lams[lowest])",
             "Return the index in lams. Your `best` counts within the short list of the lowest."),
        )),
        (MEANS, "means = training.mean(axis=0)",
         "Choose `best` by validation error. A low training error can just mean that the filter memorized its "
         "emails."),
        (MEANS, f"{MEANS} - training.mean(axis=0)", SMALL_GAP),
        (MEANS, "means = np.median(validation, axis=0)",
         "Take the mean of the splits, not their median."),
        ("means == means.min()", "(m := np.median(validation, axis=0)) == m.min()",
         "Take the lowest mean. Your `best` has the lowest median of the splits."),
        (LARGEST, "np.bincount(validation.argmin(axis=1)).argmax()",
         "Take the lowest mean. Your `best` wins the most splits."),
        (GAP, "means - training.mean()",
         "Subtract from each lambda its own mean training error. Your `gap` subtracts the mean of them all."),
        (GAP, "np.sum(validation - training, axis=0)", "Take the mean. Your `gap` is a sum over the splits."),
        (GAP, "(means - training.mean(axis=0))[best]", "Return a `gap` for each lambda. Yours is that of the best "
                                                       "one alone."),
        (GAP, "means", "Subtract the training error. Your `gap` is the validation error by itself."),
        (GAP, "validation.mean(axis=1) - training.mean(axis=1)",
         "Take the mean over the splits, axis=0. Your `gap` has an entry for each split instead of each lambda."),
        (BETTER, "np.sum(validation[:, best] <= validation[:, np.argmin(lams)])",
         "Count those where the error is lower. Your `better` counts splits with equal errors."),
        (BETTER, "np.sum(validation[:, best] > validation[:, np.argmin(lams)])",
         "Count the splits in which the best lambda has the lower error. Your `better` counts those in which the "
         "smallest lambda has it."),
        (BETTER, "np.mean(validation[:, best] < validation[:, np.argmin(lams)])",
         "Return the number of splits. Your `better` is a fraction."),
        (BETTER, "np.sum(validation[:, best] < validation[:, 0])",
         "Look for the smallest lambda, because lams is in no order. Your `better` compares with the first column."),
        (BETTER, "np.sum(validation[:, best] < validation[:, np.argmax(lams)])",
         "Compare with the smallest. Your `better` compares with the largest lambda."),
        (BETTER, "np.sum(training[:, best] < training[:, np.argmin(lams)])",
         "Compare validation errors. Your `better` compares training errors."),
        (BETTER, "np.sum(validation[:, best] == validation.min(axis=1))",
         "Compare with the smallest lambda alone. Your `better` counts the splits in which yours beats all the "
         "others."),
        (MEANS, "means = validation.min(axis=0)", GAP, "validation.mean(axis=0) - training.mean(axis=0)",
         "Average over the splits first. Your `best` has the lowest error of any single split."),
        (BETTER, "np.sum(validation[:, best] < training[:, best])",
         "Compare with the smallest lambda. Your `better` compares validation with training."),
    ],
    hints=[
        "axis=0 takes the mean over the rows, which are the splits, and leaves one number for each lambda.",
        "np.flatnonzero(means == means.min()) lists the columns that share the lowest mean. Which of them has the "
        "largest lambda?",
        "lams[lowest] are their lambdas, and np.argmax finds a place in that short list. Look that place up in "
        "`lowest`. np.argmin(lams) is the column of the smallest lambda.",
    ],
)


def rooms(rng):
    """Now a short w, now a long one that fails, now one that does; the closest pair of all has equal labels."""
    for k, (n, d) in enumerate(((3, 1), (4, 2), (4, 2), (5, 2), (6, 3), (6, 2), (7, 3))):
        while True:
            X, theta = 2 * quarters(rng, n, d), quarters(rng, d + 1) * (0.25, 1, 2)[k % 3]
            if k == 4:  # all scores above 1: the labels have to be looked at
                theta[-1] = 1.25 - (X @ theta[:-1]).min()
            f = X @ theta[:-1] + theta[-1]
            y = np.where(f > 0, 1.0, -1.0) if k in (1, 2, 5) else labels(rng, n)  # 1: right, but not by 1
            if abs(y.sum()) == n or (f == 0).any():
                continue
            far = np.linalg.norm(X[:, None] - X, axis=2)
            apart, alike = far[y > 0][:, y < 0], far[y[:, None] == y]
            least, length, z = 2 / max(apart.min(), 1e-9), np.linalg.norm(theta[:-1]), y * f
            because = 3 if (z >= 1).all() else 1 if length < least else 2
            wanted = because == (1, 2, 3)[k % 3] and apart.min() > 0.3 and abs(length - least) > 0.05
            nearer = n < 4 or 0 < alike[alike > 0].min(initial=np.inf) < apart.min() - 0.05
            wanted &= k != 3 or (z >= 1).any()
            wanted &= k not in (1, 4) or (z.mean() >= 1) == (k == 4)  # what is so in the mean need not be so for all
            wanted &= because < 3 or (k == 5) == (y * (X @ theta[:-1]) >= 1).all()  # now the bias counts, now not
            if wanted and nearer and (z != 1).all() and (because != 1 or (k > 0) == (np.linalg.norm(theta) > least)):
                break
        yield X, y, theta
    two, apart = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    yield two, apart, np.array([1.0, 0.0])  # agreements of exactly 1
    yield two, apart, np.array([1.0, 0.5])  # a w of exactly this length
    yield np.array([[0.0], [5.0]]), -apart, np.array([0.5, -0.5])  # long enough, and its square is not
    yield np.array([[0.0], [5.0]]), -apart, np.array([0.375, -0.5])  # a little too short
    yield 2 * two, apart, np.array([0.75, 0.0])  # all are far enough, but not with another bias


CLOSEST = "min(np.linalg.norm(p - q) for p in X[y > 0] for q in X[y < 0])"
PAIRS, NEEDED, LENGTH = "for p in X[y > 0] for q in X[y < 0]", "2 / closest", "np.linalg.norm(theta[:-1])"
WHY = "3 if np.all(z >= 1) else 1 if np.linalg.norm(theta[:-1]) < least else 2"

task(
    "room",
    returns=("closest", "least", "because"),
    cases=rooms,
    mistakes=[
        (PAIRS, "for i, p in enumerate(X) for q in X[:i]",
         "Compare only emails with different labels. Your `closest` looks at all pairs."),
        ("closest = min", "closest = max", PAIRS, "for p in X[y > 0] for q in X[y < 0]",
         "Take the smallest distance, because the closest pair is the hardest to tell apart. Yours is the largest."),
        ("np.linalg.norm(p - q) for", "np.abs(p - q).sum() for", "Square the differences, add them up, and take the "
                                                                 "square root. Your `closest` adds up their sizes."),
        (PAIRS, "for p in [X[y > 0].mean(axis=0)] for q in [X[y < 0].mean(axis=0)]",
         "Look at single emails. Your `closest` is the distance of the two means."),
        *((CLOSEST, wrong, sentence) for wrong, sentence in (
            ("np.mean([np.linalg.norm(p - q) for p in X[y > 0] for q in X[y < 0]])",
             "Take the smallest distance. Your `closest` is the mean."),
            ("min(np.linalg.norm(X[i] - X[i + 1]) for i in range(len(X) - 1) if y[i] != y[i + 1])",
             "Try all pairs with different labels. Your `closest` looks only at neighbors in the list."),
            ("min(np.linalg.norm(p - q) for p in X for q in X)",
             "Your `closest` is 0 in every case. Compare only emails with different labels, or each one meets itself."),
            ("np.sqrt(sum(np.sum((p - q) ** 2) for p in X[y > 0] for q in X[y < 0]))",
             "Measure each pair by itself, with axis=2. Your `closest` is the length of all differences together."),
            ("min(np.abs(p - q).max() for p in X[y > 0] for q in X[y < 0])",
             "Take the square root of the sum of squares. Your `closest` is the largest difference in one feature."),
            ("np.min(np.abs(X @ theta[:-1] + theta[-1])) / np.linalg.norm(theta[:-1])",
             "Measure from one email to another. Your `closest` is the distance of an email from the line."),
        )),
        (NEEDED, "2 / closest ** 2", "Divide by the distance itself. Your `least` divides by the squared distance."),
        (NEEDED, "1 / closest", "Use 2 / closest, because from -1 to +1 the scores differ by 2. Your `least` is "
                                "half of that."),
        (NEEDED, "closest / 2", "Turn your `least` upside down. The closer the emails, the longer w must be."),
        (NEEDED, "2 * closest", "Divide 2 by the distance. Your `least` grows with the distance, but close emails "
                                "ask for more."),
        (NEEDED, "closest", "Divide 2 by the distance. Your `least` is the distance itself."),
        (LENGTH, "np.linalg.norm(theta)", "Use the length of theta[:-1] alone. In the difference of two scores the "
                                          "bias drops out."),
        (WHY, "1 if np.linalg.norm(theta[:-1]) < least else 2",
         "Say 3 where all agreements are at least 1. Your `because` never says 3."),
        (WHY, "3 if np.all(z >= 1) else 2", "Compare the length of w with `least`. Your `because` never says 1."),
        (WHY, "3 if np.all(z >= 1) else 1", "Say 2 where w is long enough and some agreement is still below 1. It "
                                            "may point the wrong way."),
        (WHY, "3 if np.linalg.norm(theta[:-1]) >= least else 1",
         "Look at the agreements before you say 3. A long w makes agreements of 1 possible, but doesn't provide "
         "them."),
        ("np.all(z >= 1)", "np.all(z > 0)",
         "Ask whether all agreements are at least 1. Your `because` says 3 as soon as all emails are right."),
        ("np.all(z >= 1)", "np.mean(z) >= 1",
         "Say 3 only if all agreements are 1 or more. Their mean isn't enough."),
        ("np.all(z >= 1)", "np.all(z)",
         "Your `because` is 3 in every case. Write all(z >= 1), because all(z) only asks whether anything is 0."),
        ("np.all(z >= 1)", "np.all(z > 1)", "Count an agreement of exactly 1 as enough: z >= 1."),
        (f"{LENGTH} < least", f"{LENGTH} <= least", "Count a w that is exactly `least` long as long enough: use < "
                                                    "and not <=."),
        (LENGTH, "(theta[:-1] @ theta[:-1])", "Take the square root. You compare the squared length of w."),
        (then(because=lambda because: (0, 2, 1, 3)[int(because)]),
         "Swap 1 and 2 in `because`. Where w is shorter than `least`, the answer is 1."),
        ("y * (X @ theta[:-1] + theta[-1])", "abs(X @ theta[:-1] + theta[-1])",
         "Multiply the score by y, so that it is negative for an email that is wrong. You take its size."),
        ("np.all(z >= 1)", "np.any(z >= 1)", "Say 3 only if all agreements are 1 or more. One of them isn't enough."),
        ("y * (X @ theta[:-1] + theta[-1])", "X @ theta[:-1] + theta[-1]", "Multiply the score by y. Your "
                                                                           "agreements ignore the labels."),
        (" + theta[-1])", ")", "Add the bias to the score: X @ theta[:-1] + theta[-1]."),
    ],
    hints=[
        "Write two loops, one over the emails with y = 1 and one over those with y = -1. np.linalg.norm(p - q) is a "
        "distance.",
        "The scores of the closest pair must differ by at least 2, but they can't differ by more than the length of "
        "w times the distance. So how long must w be?",
        "Compute z, the agreements, first. If all are 1 or more, the answer is 3. If not, compare the length of "
        "theta[:-1] with `least`: 1 if it's shorter, else 2.",
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
    "regularized",
    returns=("value", "slope"),
    cases=net_cases,
    mistakes=[
        ("(X @ w + theta[-1])", "X @ w", "Add the bias to the score: f = X @ theta[:-1] + theta[-1]."),
        (LOSS, "np.sum(r**2)", PULL, "-2 * r @ X", FREE, "-2 * np.sum(r)",
         "Take the mean of the losses, in the value and in the slope. You take their sum."),
        (LOSS, "np.sum(r**2)", "Take the mean of the losses in the value. You take their sum."),
        (PULL, "-2 * r @ X", FREE, "-2 * np.sum(r)",
         "Divide by n, as the value does. The slope sums over the examples."),
        (LOSS, "np.mean(r**2) / 2", PULL, "-r @ X / len(X)", FREE, "-np.mean(r)",
         "Don't halve the squares. The loss is (y - f)^2, and its slope has a factor 2."),
        (LOSS, "np.mean(r**2) / 2", "Don't halve the squares in the value. The loss is (y - f)^2."),
        (PULL, "-r @ X / len(X)", FREE, "-np.mean(r)", "Put a factor 2 into the slope. For (y - f)^2 it is -2 (y - "
                                                       "f) (x, 1)."),
        (PULL, "2 * r @ X / len(X)", FREE, "2 * np.mean(r)",
         "Flip the sign of the loss part of the slope. Because f enters y - f with a minus, it is -2 (y - f) (x, "
         "1)."),
        (FREE, "0", "Add the slope of the bias. It has no penalty, but it does have a loss."),
        (OMEGA, WITH_OFFSET, FREE, FREE + ON_OFFSET,
         "Leave the bias out of the penalty, in the value and in the slope. Omega takes the weights theta[:-1] "
         "alone."),
        (OMEGA, WITH_OFFSET, "Leave the bias out of the penalty in the value. Omega takes the weights theta[:-1] "
                             "alone."),
        (FREE, FREE + ON_OFFSET, "Leave the bias out of the penalty in the slope. There is no lambda in the last "
                                 "entry."),
        (OMEGA, OMEGA.replace("w", "theta[1:]"), KINK, KINK.replace("w", "np.append(0, w[1:])"), FREE, FREE + ON_OFFSET,
         "Leave out the LAST entry, which is the bias. You leave out theta[0]."),
        (OMEGA, OMEGA.replace("mix * np", "(1 - mix) * np").replace("(1 - mix) / 2", "mix / 2"),
         KINK, "(1 - mix) * np.sign(w) + mix * w",
         "Swap mix and 1 - mix. mix belongs to the L1 part, and 1 - mix to the L2 part."),
        (HALF, "(1 - mix) * w @ w", KINK, "mix * np.sign(w) + 2 * (1 - mix) * w",
         "Halve the L2 part. It is 1/2 ||w||^2, with slope w."),
        (HALF, "(1 - mix) * w @ w", "Halve the L2 part of the value: (1 - mix)/2 ||w||^2."),
        (HALF,
         "(1 - mix) / 2 * np.linalg.norm(w)", "Square the length in the L2 part of the value. You take the length "
                                              "itself."),
        (HALF, "(1 - mix / 2) * w @ w", "Give the L2 part the factor (1 - mix) / 2. Yours is 1 - mix / 2."),
        ("np.abs(w).sum()", "np.abs(w).mean()", "Add the sizes up in the L1 part. You take their mean."),
        *(("np.abs(w).sum()", wrong, "Take |w| of each weight first, then the sum. The L1 part adds up sizes.")
          for wrong in ("w.sum()", "abs(w.sum())")),
        (KINK, "mix * np.sign(w) + (1 - mix) / 2 * w", "Don't halve w in the slope. The slope of 1/2 ||w||^2 is w."),
        (KINK, "mix * np.sign(w) + 2 * (1 - mix) * w", "Don't double w in the slope. The slope of 1/2 ||w||^2 is w."),
        *(("np.sign(w)", wrong, sentence) for wrong, sentence in (
            ("np.where(w >= 0, 1, -1)", "Take 0 as the slope of |w| at a weight of exactly 0. Yours is +1."),
            ("np.where(w > 0, 1, -1)", "Take 0 as the slope of |w| at a weight of exactly 0. Yours is -1."),
            ("w / np.abs(w)", "Use np.sign(w). Dividing w by |w| gives 0/0 at a weight of exactly 0, where the "
                              "slope is 0."),
            ("1", "Use the sign of w as the slope of |w|. It is -1 for a negative weight and 0 at 0."),
            ("np.abs(w)", "Use the sign of w as the slope of |w|. It doesn't depend on the size of w."),
        )),
        (" + lam * penalty", "", "Add lambda times Omega. The value has no penalty."),
        (OMEGA_SLOPE, OMEGA_SLOPE.replace("lam * ", "", 1), "Multiply both parts of the penalty's slope by lambda."),
        (f" + {OMEGA_SLOPE}", "", "Add lambda times the slope of Omega. The slope has no penalty."),
        (f"+ {OMEGA_SLOPE}", f"- {OMEGA_SLOPE}", "Add the penalty's slope. You subtract it."),
        (" + lam * penalty", " + penalty", OMEGA_SLOPE, OMEGA_SLOPE.replace("lam * ", ""),
         "Multiply the penalty by lambda, in the value and in the slope."),
        ("lam * penalty", f"lam * {OMEGA}",
         "Put parentheses around both parts of the penalty. In your value lambda multiplies the L1 part alone."),
        (OMEGA_SLOPE, f"lam * {KINK}",
         "Put parentheses around both parts of the penalty. In your slope lambda multiplies the L1 part alone."),
        ("    w = theta[:-1]", "    w, lam = theta[:-1], lam / len(X)",
         "Don't divide the penalty by n. Only the losses are averaged."),
        (then(slope=lambda s: s[:-1]), "Return as many entries as theta has. The last one belongs to the bias."),
        (then(slope=np.negative),
         "Return the slope itself; the minus comes with the step. Your slope points downhill."),
        ("-2 * np.mean(r)", "-2 * np.mean(r) + lam * theta[-1]",
         "Leave the bias out of the penalty in your slope. It is on the weights alone."),
        ("-2 * r @ X", "2 * r @ X",
         "Flip the sign of the weights' part of your slope. For r = y - f it is -2 r x."),
        ("mix * np.sign(w) + (1 - mix) * w", "np.sign(w) + w",
         "Multiply the slope of L1 by mix and that of L2 by 1 - mix. Yours has both in full."),
        ("-2 * r @ X / len(X)", "-2 * r @ X",
         "Take the mean, as in the value. In your slope the part of the weights is a sum."),
        *((loss, loss[2:].replace("* ", "-", 1), f"Double the part of the {whose} in your slope. The "
           "squared loss has a factor 2.") for loss, whose in ((PULL, "weights"), (FREE, "bias"))),
        (LOSS, "np.mean(np.maximum(0, 1 - y * (X @ w + theta[-1])))",
         "Take the squared loss, (y - f)^2. Your value has the hinge loss."),
        ("-2 * np.mean(r)", "2 * np.mean(r)", "Flip the sign of the bias's part of your slope. It is -2 r."),
        ("+ lam * penalty", "- lam * penalty", "Add the penalty to the value. It is a price, and you subtract it."),
    ],
    hints=[
        "Take the value first: r = y - f, its mean square, and lam times the penalty of w = theta[:-1].",
        "Each example adds -2 r (x, 1) / n to the slope. What does the penalty add, and to which entries? Its L1 "
        "part needs np.sign, and its L2 part is w itself.",
        "Build the slope in two pieces and join them with np.append: d entries for the weights, where r @ X sums "
        "over the examples, and one for the bias, whose feature is 1 in every example.",
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
         "Leave the bias as it came in. It isn't penalized."),
        (then(lambda v: v[:-1]),
         "Return d + 1 entries, the bias last. Yours is missing."),
        *((CUT, wrong.replace("T", "(eta * lam * mix)"), sentence) for wrong, sentence in (
            ("w - T * np.sign(w)", "Stop at 0. A weight smaller than the threshold should become exactly 0, but "
                                   "yours comes out on the other side."),
            ("np.where(np.abs(w) > T, w, 0)",
             "Move the weights that survive toward 0 by the threshold. Yours stay where they were, which is the "
             "hard threshold."),
            ("np.where(np.abs(w) <= T, 0, w - T)",
             "Add the threshold to negative weights. Toward 0 means up for them, and yours move down."),
            ("np.maximum(w - T, 0)",
             "Treat negative weights like positive ones. They move toward 0 from below, and large ones don't get "
             "there."),
            ("np.maximum(np.abs(w) - T, 0)", "Put the sign back. A negative weight stays negative on its way to 0."),
            ("np.sign(w) * (np.abs(w) + T)", "Subtract the threshold from |w|. Your weights move away from 0."),
            ("np.clip(w, -T, T)",
             "Subtract np.clip(w, -t, t) from w. That is what the threshold takes AWAY, and you return it."),
            ("w - T", "Move toward 0 from either side, and stop there. You subtract the threshold from every "
                      "weight."),
            ("np.sign(w) * np.max(np.abs(w) - T, 0)",
             "Use np.maximum(a, 0), which compares entry by entry. np.max(a, 0) is the one largest entry along axis "
             "0."),
            ("np.where(np.abs(w) <= T, w, np.sign(w) * (np.abs(w) - T))",
             "Set a weight within the threshold to 0. Yours keeps its size."),
            ("w", "Apply the soft threshold first. Without the L1 part no weight gets to exactly 0."),
        )),
        *((SHRINK, wrong.replace("t", "(eta * lam * (1 - mix))"), sentence) for wrong, sentence in (
            ("v", "Divide what the threshold leaves by 1 + eta lam (1 - mix). Your L2 part is missing."),
            ("v * (1 - t)", "Divide by 1 + t in the L2 part. You multiply by 1 - t, which is a step along the slope "
                            "and not the exact minimum."),
            ("v / (1 + 2 * t)", "Divide by 1 + eta lam (1 - mix), without a 2. The L2 part is 1/2 v^2 with slope v."),
            ("v / (1 + t / 2)", "Divide by 1 + eta lam (1 - mix), without a half. The slope of 1/2 v^2 is v."),
            ("v / (1 - t)", "Put a plus into the divisor: 1 + eta lam (1 - mix)."),
            ("np.append(v[:-1] / (1 + t), w[-1])",
             "Move the last weight as well. range(len(theta) - 1) goes over all of them."),
            ("v * (1 + t)", "Divide by 1 + t. You multiply, which makes the weights larger."),
            ("v / (t or 1)", "Divide by 1 + eta lam (1 - mix). The 1 comes from 1/2 (v - w)^2."),
            ("v - t * w", "Divide by 1 + t in the L2 part, because that is where the derivative is 0. You subtract "
                          "it like the threshold."),
        )),
        (TAKEN, "- eta * lam", "Multiply the threshold by mix: eta lam mix."),
        (DIVISOR, "1 + eta * lam", "Multiply by 1 - mix in the divisor: 1 + eta lam (1 - mix)."),
        (TAKEN, "- eta * lam", DIVISOR, "1 + eta * lam",
         "Use mix. The threshold is eta lam mix, and the divisor is 1 + eta lam (1 - mix)."),
        (TAKEN, "- eta * lam * (1 - mix)", DIVISOR, "1 + eta * lam * mix",
         "Swap mix and 1 - mix. mix belongs to the L1 part, and 1 - mix to the L2 part."),
        (*both("lam"), "Multiply the penalty by the step size eta. You use lambda alone."),
        (*both("eta"), "Multiply the penalty by lambda. You use eta alone."),
        (*both("eta * lam / 2"), "Don't halve the penalty. The threshold is eta lam mix."),
        (*both("2 * eta * lam"), "Don't double the penalty. The threshold is eta lam mix."),
        (TAKEN, "- eta * lam * mix / 2", "Don't halve the threshold. It is eta lam mix."),
        (TAKEN, "- 2 * eta * lam * mix", "Don't double the threshold. It is eta lam mix."),
        (TAKEN, "/ (1 + eta * lam * (1 - mix)) - eta * lam * mix", SHRINK, "v",
         "Take the threshold off first, then divide. You do it the other way around."),
        (CUT, "w - eta * lam * (mix * np.sign(w) + (1 - mix) * w)", SHRINK, "v",
         "Find the v that minimizes the price. A step along the slope jumps over 0 and never makes a zero."),
        ("eta * lam * mix, 0", "lam * mix, 0", "Multiply the threshold by the step size: eta lam mix."),
        ("1 + eta * lam", "1 + lam", "Divide by 1 + eta lam (1 - mix). Your L2 part lacks the step size."),
        ("w = theta[:-1]", "w = theta",
         "Begin with the weights alone, theta[:-1]. You shrink all of theta and append the bias once more."),
        ("(1 - mix)", "mix", "Use 1 - mix in the L2 part. The share mix belongs to the threshold."),
        ("np.append(v, theta[-1])", "np.append(v, theta[-1] / (1 + eta * lam * (1 - mix)))",
         "Leave the bias as it is. You divide it, but it isn't penalized."),
        ("np.append(v, theta[-1])", "np.append(v, 0)", "Leave the bias as it is. Yours becomes 0."),
        ("eta * lam * mix, 0", "eta * mix, 0", "Multiply the threshold by lambda: eta lam mix."),
    ],
    hints=[
        "Take each weight by itself. For v > 0, set the derivative of 1/2 (v - w)^2 + eta lam (mix v + (1 - mix)/2 "
        "v^2) to 0 and solve for v.",
        "The L1 part takes the same amount off every weight, and the L2 part divides what is left. What if nothing "
        "is left? And what is different for a negative w?",
        "np.maximum(..., 0) stops at 0, and np.abs(w) with np.sign(w) takes care of both sides at once. Append "
        "theta[-1] unchanged.",
    ],
)


def border_cases(rng):
    for k, (n, lam, far) in enumerate((
        (3, 0.5, 0.5), (4, 1.0, 1.5), (4, 0.25, 2.0), (5, 2.0, 2.0), (6, 0.5, 2.5), (6, 1.0, 3.0)
    )):  # fmt: skip
        while True:
            x = rng.permutation(np.arange(0, 8))[:n] / 1.0
            y = np.where(x + rng.normal(size=n) > x.mean(), 1.0, -1.0)
            if abs(y.sum()) == n:
                continue
            lag = [0.0]  # for each shift; in front of them 0
            while lag[-1] <= far and len(lag) < 25:
                at = x + len(lag) - 1
                w, b = ridge(at[:, None], y, lam)
                Z = np.column_stack([at, np.ones(n)])
                v, c = np.linalg.solve(Z.T @ Z + n * lam / 2 * np.eye(2), Z.T @ y)
                if min(w, v) < 0.01:
                    break
                lag.append(abs(b / w - c / v))
            first = len(lag) - 2  # odd and even ones
            clear = np.abs(np.array(lag) - far).min() > 0.01
            if lag[-1] > far and clear and 2 <= first <= 16 and first % 2 == k % 2:
                break
        yield x, y, lam, far
    yield np.arange(3.0, 7.0) + rng.integers(3), np.array([-1.0, -1.0, 1.0, 1.0]), 0.5, 0.45  # unmoved


ALL_PAY, APART, PAIR = "len(at) * lam / 2 * np.eye(2)", "abs(b / w - c / v) > far", "return shift, -b / w, -c / v"
CAPPED = f"{APART} or shift > 400"

task(
    "move_border",
    returns=("shift", "free", "penalized"),
    cases=border_cases,
    mistakes=[
        *((ALL_PAY, wrong, APART, CAPPED, sentence) for wrong, sentence in (
            ("lam / 2 * np.eye(2)", "Multiply lam / 2 by n. You add the losses up, and a mean beside lam / 2 is a "
                                    "sum beside n lam / 2."),
            ("lam * np.eye(2)", "Put n lam / 2 on the diagonal. You put lam there."),
            ("len(at) * lam * np.eye(2)", "Halve your penalty. The derivative of lam/2 w^2 is lam w, and that of "
                                          "the squares has a factor 2."),
            ("len(at) * lam / 2 * np.diag([1, 2])", "Charge the bias once. Its price is lam/2 times its square, and "
                                                    "yours pays twice."),
            ("len(at) ** 2 * lam / 2 * np.eye(2)", "Multiply lam by n once, not twice. With means it is lam / 2, "
                                                   "with sums n lam / 2."),
            ("len(at) * lam / 2 * np.diag([0, 1])", "Penalize the weight as well. You penalize the bias alone."),
        )),
        (ALL_PAY, "len(at) * lam / 2 * np.diag([1, 0])", APART, CAPPED,
         "Put the bias into the penalty. Your second border is that of a free bias, too."),
        (APART, "abs(b - c) > far", "Compare the borders, -b / w. You compare the biases."),
        (APART, "abs(b / w - c / v) >= 0", "Compare the distance of the borders with `far`. You stop at once."),
        ("at = x + shift", "at = x - shift", APART, CAPPED, "Move the examples to the right, so that x grows. You "
                                                            "move them to the left."),
        ("shift += 1", "shift += 2", "Move by one, to the first whole number. You move by two at a time."),
        *((APART, "abs(b / w + c / v) > far", PAIR, PAIR.replace(*signs),
           "Flip the sign of one of your borders. w x + b = 0 at x = -b / w.")
          for signs in (("-b", "b"), ("-c", "c"))),
        (APART, "c / v - b / w > far or shift > 400", "Compare sizes with abs(). The free border may be behind as "
                                                      "well."),
        ("at = x + shift", "at = x + shift * (shift + 1) / 2", "Begin with x each time. You move what has been "
                                                               "moved."),
        ("shift = 0", "shift = 1", "Begin with a shift of 0. Unmoved, the borders may be far enough apart already."),
        ("ridge(at[:, None], y, lam)", "ridge(at[:, None], y, 0)",
         "Penalize the weight for the `free` border, too. Only its bias is free."),
        ("w, b = ridge", "b, w = ridge", APART, CAPPED, "Unpack w, b = ridge(...). The bias comes last."),
        (PAIR, "return shift, -b / w, abs(b / w - c / v)",
         "Return the second border. Your `penalized` is the gap."),
        (APART, "abs(w / b - v / c) > far or shift > 400", PAIR, "return shift, -w / b, -v / c",
         "Turn your borders upside down. w x + b = 0 at x = -b / w."),
        *((PAIR, f"return shift, {free}, {penalized}", f"{cure}. w x + b = 0 at x = -b / w.")
          for free, penalized, cure in (
            ("b / w", "c / v", "Flip the sign of your borders"), ("b / w", "-c / v", "Flip the sign of `free`"),
            ("-b / w", "c / v", "Flip the sign of `penalized`"),
            ("-w / b", "-v / c", "Turn your borders upside down"), ("-w / b", "-c / v", "Turn `free` upside down"),
            ("-b / w", "-v / c", "Turn `penalized` upside down"))),
        (PAIR, "return shift, b, c", "Return borders, -b / w. You return biases."),
    ],
    hints=[
        "Take the derivatives by w and by b, times n/2. With the rows (x_i, 1) in Z they are Z.T @ (Z @ theta - y) "
        "and something with lam. Compare with the code of ridge.",
        "In ridge, D has a 0 for the bias. What does it become if both are penalized?",
        "Loop over shift with at = x + shift. Use ridge(at[:, None], y, lam) for the free border and "
        "np.linalg.solve for the other one, and stop when the borders, not the biases, are more than far apart.",
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
             "Look for the largest lambda among those with the lowest error. argmin just takes the first of them."),
            ("best[-1]", "Look for the largest lambda among those with the lowest error. Yours is the last of them "
                         "in the list, but lams is in no order."),
            ("best[np.argmin(lams[best])]",
             "Among equal errors take the LARGEST lambda, which is the simplest answer. Yours is the smallest."),
            ("np.argmax(lams)",
             "Take the largest of those with the lowest error. You take the largest lambda of all."),
            ("np.argmin(lams)", "Take the one with the lowest error. You take the smallest lambda of all."),
            ("np.argmax(lams[best])",
             "Return the row number in lams and thetas. Your index counts within the short list of the best."),
            ("np.argmax(errors)", "Take the lowest. You take the highest error."),
        )),
        *((ERRORS, wrong, sentence) for wrong, sentence in (
            ("np.mean(y * scores < 0, axis=1)", "Count a score of exactly 0 as an error: y f <= 0, not y f < 0."),
            ("np.mean(y * scores > 0, axis=1)", "Count the errors, y f <= 0. You count the ones that are right."),
            ("np.sum(y * scores <= 0, axis=1)",
             "Divide your `error` by n. Yours is a count, and it should be a fraction."),
            ("np.mean(np.where(scores >= 0, 1, -1) != y, axis=1)",
             "Count a score of exactly 0 as an error for both labels, y f <= 0. You take it for +1."),
            ("np.mean(np.where(scores > 0, 1, -1) != y, axis=1)",
             "Count a score of exactly 0 as an error for both labels, y f <= 0. You take it for -1."),
        )),
        ("errors == errors.min()", "errors == errors.max()", "Take the lowest. You take the highest error."),
        (ERRORS, "np.mean((y - scores) ** 2, axis=1)",
         "Count the errors, y f <= 0. You take the squared loss."),
        (ERRORS, f"{ERRORS} + lams * (thetas[:, :-1] ** 2).sum(axis=1) / 2",
         "Leave the penalty out. On validation data only the errors decide."),
        (ERRORS, "np.sum(y * scores <= 0, axis=1) / len(lams)", "Divide by n. You divide by the number of lambdas."),
        (ERRORS, "np.zeros(len(lams))", "Your `error` is 0 in every case. Use an array of floats, because an array of "
                                        "integers cuts fractions off."),
        *((CHOSEN, f"best[np.argmin((thetas[best{part}] ** 2).sum(axis=1))]",
           "Among equal errors take the largest lambda. You take the shortest theta.")
          for part in ("", ", :-1")),
        (CHOSEN, "0", "errors[index]", "0",
         "Your `index` and `error` are 0 in every case. Start the search with a large number, because no error is "
         "below 0."),
        (then(index=lambda k, thetas: thetas[int(k)]), "Return the row number. You return theta itself."),
        (SCORES, "thetas[:, :-1] @ X.T", "Add the bias, the last entry of each theta, to the score."),
        (SCORES, "thetas[:, 1:] @ X.T + thetas[:, :1]",
         "Take the last entry of each theta as the bias. You take the first."),
        (then(index=lambda k, lams: np.sum(lams > lams[k])),
         "Return the row number in lams as it came. Your index counts in the sorted list."),
        (then(index=lambda k, lams: np.sum(lams < lams[k])),
         "Return the row number in lams as it came. Your index counts in the list sorted upward."),
        (CHOSEN, "np.argmin(np.maximum(0, 1 - y * scores).mean(axis=1))",
         "Compare fractions of errors, y f <= 0. You compare hinge losses."),
        ("y * scores <= 0", "np.maximum(0, 1 - y * scores)",
         "Count the errors, y f <= 0. You choose by the hinge loss."),
        ("y * scores", "scores", "Multiply the score by y. An error is y f <= 0, and yours ignores the labels."),
        ("return index, errors[index]", "return best, errors[best]",
         "Return the row of the largest lambda alone. You return all that share the lowest error."),
    ],
    hints=[
        "For each theta in thetas, compute the fraction of the examples with y f <= 0. That gives one error for "
        "each lambda.",
        "Find the lowest error. All lambdas with exactly this error are equally good, and the largest of them wins.",
        "np.flatnonzero(errors == errors.min()) lists the rows that share the lowest error. Look up their lambdas, "
        "and return the row's number in the whole list, not in the short one.",
    ],
)


def fold_cases(rng):
    """Features of many sizes, folds that differ in size, lambdas in no order; the best one is clear."""
    for n, d, folds, k in ((6, 1, 2, 2), (7, 2, 2, 3), (9, 2, 3, 3), (10, 2, 3, 4), (11, 3, 4, 3)):
        while True:
            y, fold = labels(rng, n), rng.permutation(np.append(np.arange(n - 1) % folds, 0))
            X = (rng.normal(size=(n, d)) + 0.6 * y[:, None]) * rng.choice([0.5, 3.0], d) + rng.normal(size=d) * 3
            X, lams = X.round(2), rng.permutation([0.05, 0.3, 1.0, 4.0][:k])
            spread = [X[fold != j].std(axis=0).min() for j in range(folds)]
            both = [len(set(y[fold != j])) == 2 for j in range(folds)]
            if len(set(np.bincount(fold))) == 1 or min(spread) < 0.2 or not all(both):
                continue
            losses, low = rounds(X, y, lams, fold)
            gap = np.sort(losses)
            plain = (k - 1, lams.argmin(), lams.argmax())[: 2 + (k > 2)]
            if gap[1] - gap[0] > 0.01 and gap[-1] < 3 and low not in plain:
                break
        yield X, y, lams, fold * 2 + (n > 9)  # a fold may have any number


def rounds(X, y, lams, folds):
    losses = np.zeros(len(lams))
    for fold in np.unique(folds):
        learn = folds != fold
        Z = (X - X[learn].mean(axis=0)) / X[learn].std(axis=0)
        for k, lam in enumerate(lams):
            theta = ridge(Z[learn], y[learn], lam)
            losses[k] += np.sum((y - Z @ theta[:-1] - theta[-1])[~learn] ** 2) / len(y)
    return losses, int(losses.argmin())


SCALE, FIT, SCORE = (
    "center, spread = X[learn].mean(axis=0), X[learn].std(axis=0)", "theta = ridge(A, y[learn], lam)",
    "f = B @ theta[:-1] + theta[-1]",
)
BEFORE = "center, spread = X.mean(axis=0), X.std(axis=0)"
ROLES = "held, learn = folds == fold, folds != fold", "learn, held = folds == fold, folds != fold"
MEAN = (
    "np.sum((y[held] - f) ** 2)", "np.mean((y[held] - f) ** 2)",
    "losses / len(y)", "losses / len(np.unique(folds))",
)  # fmt: skip

task(
    "cross_validate",
    returns=("losses", "best"),
    cases=fold_cases,
    mistakes=[
        (SCALE, BEFORE, "Compute mean and spread from the training emails. Yours still come from all of them, so "
                        "the held-out fold has leaked into them."),
        *((*roles, "Train on the other folds and validate on this one. You do it the other way around.") for roles in (
            ROLES, ("ridge(A, y[learn]", "ridge(B, y[held]", "f = B", "f = A", "y[held] - f", "y[learn] - f"))),
        (SCALE, SCALE.replace("learn", "held"),
         "Take mean and spread of the training emails. Yours are those of the held-out fold."),
        (*MEAN, "Add up over all n emails and divide by n. You average the folds, which differ in size."),
        (SCORE, "f = B @ theta[:-1]", "Add the bias, the last entry of theta, to your score."),
        (SCALE, BEFORE, *MEAN, "Fix two more faults. Mean and spread leak, and the folds differ in size."),
        (SCALE, BEFORE, SCORE, "f = B @ theta[:-1]", "Fix two more faults. Mean and spread leak, and the bias is "
                                                     "missing."),
        (SCALE, BEFORE, *ROLES, "Fix two more faults. Mean and spread leak, and the roles are swapped."),
        (SCALE, BEFORE, SCORE, "f = B @ theta[:-1]", *MEAN, "Fix three more faults. So far only the roles are right, "
                                                            "which folds train and which is held out."),
        (SCALE, BEFORE, *ROLES, SCORE, "f = B @ theta[:-1]", *MEAN,
         "Fix all four faults. This is the colleague's study as it was."),
        (SCALE, "center, spread = 0, 1", "Standardize the features in each round. You don't divide by the spread."),
        ("(X[held] - center) / spread", "(X[held] - X[held].mean(axis=0)) / (X[held].std(axis=0) + 1e-12)",
         "Shift and scale the held-out fold by the mean and spread of the training emails. You take its own."),
        ("(X[held] - center) / spread", "X[held]",
         "Shift and scale the held-out fold by the same amounts as the training emails. Yours is left as it was."),
        (SCALE, "center, spread = X[learn].mean(axis=0), X[learn].std(axis=0, ddof=1)",
         "Divide the spread by n, as np.std does. Yours divides by n - 1."),
        ("(X[learn] - center) / spread", "X[learn]",
         "Shift and scale the training emails by the same amounts as the held-out fold. Yours are left as they were."),
        (SCALE, SCALE.replace("std", "var"), "Divide by the standard deviation, the square root of the "
                                             "variance. You divide by the variance."),
        (SCALE, SCALE.replace("axis=0", ""),
         "Take a mean and a spread for each feature, axis=0. You take one of all numbers."),
        (SCORE, "f = A @ theta[:-1] + theta[-1]", "y[held] - f", "y[learn] - f",
         "Validate on the fold that was held out. Your losses are those of the training emails."),
        ("np.sum((y", "np.mean((y", "Add up, then divide. You take the mean of each fold and divide by n once more."),
        ("losses[k] +=", "losses[k] =", "Add the folds up, with zeros before the loop and += in it. Only your last "
                                        "fold is left."),
        ("np.unique(folds)", "np.unique(folds)[:1]", "Put return after the loop. Only your first fold is held out."),
        ("np.unique(folds)", "np.unique(folds)[:-1]", "Hold out every fold once. Your last one always trains."),
        ("np.unique(folds)", "range(len(np.unique(folds)))",
         "Loop over np.unique(folds). You take the folds for 0, 1, 2, ..., but they may have any numbers."),
        ("np.sum((y[held] - f) ** 2)", "np.sum(np.abs(y[held] - f))", "Square the differences. You add up their "
                                                                        "sizes."),
        ("np.sum((y[held] - f) ** 2)", "np.sum((y[held] - f) ** 2) + lam / 2 * theta[:-1] @ theta[:-1]",
         "Leave the penalty out of the validation loss. It belongs to training alone."),
        *((FIT, f"theta = ridge(A, y[learn], {lam})", "Hand lam to ridge as it is. It knows how many emails it has.")
          for lam in ("lam * len(A)", "lam / len(A)")),
        ("np.argmin(losses)", "np.min(losses)", "Return the index of the lowest loss. Your `best` is the loss "
                                                "itself."),
        (FIT, "theta = ridge((X - center) / spread, y, lam)", "Train without the held-out fold. Your theta has "
                                                              "seen all emails."),
        ("np.sum((y[held] - f) ** 2)", "np.sum(y[held] * f <= 0)",
         "Add up squared losses, as this colleague does. You count errors."),
        ("np.argmin(losses)", "np.argmax(losses)", "Take the lowest. Your `best` has the highest loss."),
        ("losses / len(y)", "losses", "Divide by n. Your `losses` are sums."),
        ("losses / len(y)", "losses / len(np.unique(folds))", "Divide by n. You divide the sum by the number of "
                                                              "folds."),
        (then(losses=lambda losses: np.min(losses)),
         "Return a loss for each lambda. Your `losses` is that of the best one."),
    ],
    hints=[
        "Ask of each line which emails it sees. Which should train, which should be held out, and which may decide "
        "the mean?",
        "Move the standardization into the loop over the folds. Center and spread come from the training emails, "
        "and both parts use them.",
        "X[part] is held out, and X[~part] trains. The score needs its bias. Add up the squares of all rounds and "
        "divide once, by n.",
    ],
)


def books(rng):
    for n in rng.permutation([10, 40, 50, 64, 200]):
        potsdam, ubc, C, alpha, alpha1 = rng.permutation([0.25, 0.5, 1.5, 2.5, 4.0]) * rng.choice([0.5, 1, 2], 5)
        yield int(n), float(potsdam) + 0.1, float(ubc) + 0.2, float(C) + 0.3, float(alpha) + 0.7, float(alpha1) + 0.05


FORMS = {
    "from_potsdam": ("2 * potsdam / n", (
        ("potsdam / n", "Multiply `from_potsdam` by 2. Our penalty is 1/2 ||w||^2, and Potsdam writes no half."),
        ("2 * potsdam", "Divide `from_potsdam` by n. Our losses are averaged, and Potsdam's are summed."),
        ("potsdam / (2 * n)",
         "Put the 2 of `from_potsdam` in the numerator, because potsdam ||w||^2 is 2 potsdam times 1/2 ||w||^2."),
        ("n * potsdam / 2", "Go from their lambda to ours in `from_potsdam`. You go the other way."),
        ("2 * n * potsdam", "Divide `from_potsdam` by n instead of multiplying. The sum is n times the mean."),
        ("potsdam",
         "Divide Potsdam's objective by n, and remember the half in our penalty. You return their lambda unchanged."),
    )),
    "from_ubc": ("ubc / n", (
        ("2 * ubc / n", "Drop the 2 from `from_ubc`. UBC's penalty has the half already."),
        ("ubc / (2 * n)", "Drop the half from `from_ubc`. It belongs to the penalty, in their objective and in ours."),
        ("ubc", "Divide `from_ubc` by n. Our losses are averaged, and UBC's are summed."),
        ("n * ubc", "Go from their lambda to ours in `from_ubc`. You go the other way."),
    )),
    "from_svc": ("1 / (n * C)", (
        ("1 / C", "Divide `from_svc` by n as well. C multiplies the sum, which is n times the mean."),
        ("C / n",
         "Put C in the denominator of `from_svc`. A large C makes the losses count, so it means a small lambda."),
        ("n / C", "Put n in the denominator of `from_svc`, because you divide the objective by n C."),
        ("1 / (2 * n * C)",
         "Drop the half from `from_svc`. It belongs to the penalty, in their objective and in ours."),
        ("2 / (n * C)", "Drop the 2 from `from_svc`. The penalty of `SVC` has the half already."),
        ("C", "Divide the objective by n C. You return C unchanged as `from_svc`."),
        ("n * C",
         "Turn `from_svc` upside down. Once the objective is divided by n C, 1 / (n C) stands before 1/2 ||w||^2."),
    )),
    "from_ridge": ("2 * alpha / n", (
        ("alpha / n", "Multiply `from_ridge` by 2, because alpha ||w||^2 is 2 alpha times 1/2 ||w||^2."),
        ("alpha",
         "Divide the objective of `Ridge` by n, and remember the half in our penalty. You return alpha unchanged."),
        ("alpha / (2 * n)",
         "Put the 2 of `from_ridge` in the numerator, because alpha ||w||^2 is 2 alpha times 1/2 ||w||^2."),
        ("2 * alpha", "Divide `from_ridge` by n. Our losses are averaged, and those of `Ridge` are summed."),
    )),
    "from_lasso": ("2 * alpha1", (
        ("alpha1",
         "Multiply the objective of `Lasso` by 2, because 1/(2n) times the sum is half our mean. You return alpha1 "
         "unchanged."),
        ("alpha1 / 2", "Multiply by 2 in `from_lasso`. You go from our lambda to theirs."),
        ("2 * alpha1 / n", "Don't divide `from_lasso` by n. `Lasso` averages its losses already."),
        ("2 * n * alpha1", "Don't multiply `from_lasso` by n. `Lasso` averages its losses already."),
        ("n * alpha1", "Multiply `from_lasso` by 2, not by n. `Lasso` averages its losses already, and halves them."),
        ("alpha1 / (2 * n)",
         "Multiply `from_lasso` by 2 instead of dividing by 2n. `Lasso` averages its losses already, and halves them."),
        ("alpha1 / n",
         "Multiply `from_lasso` by 2 instead of dividing by n. `Lasso` averages its losses already, and halves them."),
    )),
}

task(
    "same_lambda",
    returns=tuple(FORMS),
    cases=books,
    mistakes=[
        *((f"{part} = {right}", f"{part} = {wrong}", sentence)
          for part, (right, many) in FORMS.items() for wrong, sentence in many),
        ("2 * potsdam / n", "n * potsdam / 2", "from_ubc = ubc / n", "from_ubc = n * ubc", "2 * alpha / n",
         "n * alpha / 2", "2 * alpha1", "alpha1 / 2", "Go from their lambda to ours. You go the other way."),
        ("2 * potsdam / n", "potsdam / n", "2 * alpha / n", "alpha / n",
         "Write 1/2 ||w||^2 in all of them. Two have no half before ||w||^2, and ours has."),
        ("2 * potsdam / n", "2 * potsdam", "from_ubc = ubc / n", "from_ubc = ubc", "1 / (n * C)", "1 / C",
         "2 * alpha / n", "2 * alpha", "Divide by n. Our loss is the mean, which is the sum divided by n."),
    ],
    hints=[
        "Multiply each objective by whatever turns its losses into our mean: 1/n for a sum, 1/(n C) for C times a "
        "sum.",
        "Do the same to the penalty. Now compare what multiplies 1/2 ||w||^2, or the sum of |w|. That is "
        "lambda.",
        "||w||^2 is 2 times 1/2 ||w||^2. And 1/(2n) times a sum is half a mean, so what do you multiply that "
        "objective by?",
    ],
)
