"""Curves of splits, the length of w, a free offset, the exact move, a moved border, lambda, folds, five lambdas."""

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
 "Your `best` has the smallest gap: a filter that is bad on both has none either; the validation error decides.")

task(
    "over_splits",
    returns=("best", "gap", "better"),
    cases=split_cases,
    mistakes=[
        ("np.flatnonzero(means == means.min())",
         "np.flatnonzero((wins := (validation == validation.min(axis=1, keepdims=True)).sum(axis=0)) == wins.max())",
         "You count in how many splits each lambda is the best: take the one with the lowest mean over the splits."),
        *((LARGEST, wrong, sentence) for wrong, sentence in (
            ("lowest[0]",
             "Several lambdas share the lowest mean: np.argmin takes the first, so look for the largest lambda."),
            ("lowest[-1]", "Several lambdas share the lowest mean: yours is the last of them, but lams is in no "
             "order."),
            ("lowest[np.argmin(lams[lowest])]", "Among equal means take the LARGEST lambda, the simplest answer: "
             "yours is the smallest."),
            ("np.argmax(lams)", "Your `best` is the largest lambda of all: only those with the lowest mean count."),
            ("np.argmin(training.mean(axis=0))",
             "Your `best` has the lowest training error, which says nothing about new mails: take the validation "
             "error."),
            ("np.argmin(np.min(validation, axis=0))",
             "Your `best` won the luckiest single split: take the mean of all splits."),
            ("np.argmin(validation[0])", "Your `best` looks at the first split alone: take the mean of all splits."),
            ("np.argmin(np.abs(means - training.mean(axis=0)))", SMALL_GAP),
            ("np.argmin(means - training.mean(axis=0))", SMALL_GAP),
            ("np.argmax(means)", "Your `best` has the highest error: take the lowest."),
            ("np.argmax(lams[lowest])",
             "Your `best` counts within the list of the lowest: it must be the index in lams."),
        )),
        (MEANS, "means = training.mean(axis=0)",
         "Your `best` has the lowest training error, which says nothing about new mails: take the validation error."),
        (MEANS, f"{MEANS} - training.mean(axis=0)", SMALL_GAP),
        (MEANS, "means = np.median(validation, axis=0)",
         "You take the medians of the splits: take their means."),
        ("means == means.min()", "(m := np.median(validation, axis=0)) == m.min()",
         "Your `best` has the lowest median of the splits: take the lowest mean."),
        (LARGEST, "np.bincount(validation.argmin(axis=1)).argmax()",
         "Your `best` wins the most splits: take the lowest mean."),
        (GAP, "means - training.mean()",
         "Your `gap` takes off the mean of all training errors: each lambda has its own."),
        (GAP, "np.sum(validation - training, axis=0)", "Your `gap` is a sum over the splits: take the mean."),
        (GAP, "(means - training.mean(axis=0))[best]", "Your `gap` is that of the best lambda: one for each lambda."),
        (GAP, "means", "Your `gap` is the validation error alone: take the training error off."),
        (GAP, "validation.mean(axis=1) - training.mean(axis=1)",
         "Your `gap` has an entry for each split: the mean goes over the splits, axis=0, and leaves one for each "
         "lambda."),
        (BETTER, "np.sum(validation[:, best] <= validation[:, np.argmin(lams)])",
         "Your `better` counts splits with equal errors: count those where the error is lower."),
        (BETTER, "np.sum(validation[:, best] > validation[:, np.argmin(lams)])",
         "Your `better` counts the splits in which the smallest lambda is better."),
        (BETTER, "np.mean(validation[:, best] < validation[:, np.argmin(lams)])",
         "Your `better` is a fraction: return the number of splits."),
        (BETTER, "np.sum(validation[:, best] < validation[:, 0])",
         "Your `better` compares with the first column: lams is in no order, look for the smallest."),
        (BETTER, "np.sum(validation[:, best] < validation[:, np.argmax(lams)])",
         "Your `better` compares with the largest lambda: compare with the smallest."),
        (BETTER, "np.sum(training[:, best] < training[:, np.argmin(lams)])",
         "Your `better` compares training errors: the validation errors count."),
        (BETTER, "np.sum(validation[:, best] == validation.min(axis=1))",
         "Your `better` counts the splits that this lambda wins against all: only the smallest one is its rival."),
    ],
    hints=[
        "axis=0 takes the mean over the rows, the splits, and leaves one number for each lambda.",
        "np.flatnonzero(means == means.min()) lists the columns that share the lowest mean. Which of them has the "
        "largest lambda?",
        "lams[lowest] are their lambdas, and np.argmax finds a place in that short list: look it up in `lowest`. "
        "np.argmin(lams) is the column of the smallest lambda.",
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
            wanted &= because < 3 or (k == 5) == (y * (X @ theta[:-1]) >= 1).all()  # now the offset counts, now not
            if wanted and nearer and (z != 1).all() and (because != 1 or (k > 0) == (np.linalg.norm(theta) > least)):
                break
        yield X, y, theta
    two, apart = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    yield two, apart, np.array([1.0, 0.0])  # agreements of exactly 1
    yield two, apart, np.array([1.0, 0.5])  # a w of exactly this length
    yield np.array([[0.0], [5.0]]), -apart, np.array([0.5, -0.5])  # long enough, and its square is not


CLOSEST = "min(np.linalg.norm(p - q) for p in X[y > 0] for q in X[y < 0])"
PAIRS, NEEDED, LENGTH = "for p in X[y > 0] for q in X[y < 0]", "2 / closest", "np.linalg.norm(theta[:-1])"
WHY = "3 if np.all(z >= 1) else 1 if np.linalg.norm(theta[:-1]) < least else 2"

task(
    "room",
    returns=("closest", "least", "because"),
    cases=rooms,
    mistakes=[
        (PAIRS, "for i, p in enumerate(X) for q in X[:i]",
         "Your `closest` looks at all pairs: only two mails with different labels have to be told apart."),
        ("closest = min", "closest = max", PAIRS, "for p in X[y > 0] for q in X[y < 0]",
         "Your `closest` is the largest distance: the closest pair is the hardest to tell apart."),
        ("np.linalg.norm(p - q) for", "np.abs(p - q).sum() for", "Your `closest` adds up the sizes of the "
         "differences: a distance is the root of the sum of their squares."),
        (PAIRS, "for p in [X[y > 0].mean(axis=0)] for q in [X[y < 0].mean(axis=0)]",
         "Your `closest` is the distance of the two means: look at single mails."),
        *((CLOSEST, wrong, f"Your `closest` {sentence}") for wrong, sentence in (
            ("np.mean([np.linalg.norm(p - q) for p in X[y > 0] for q in X[y < 0]])",
             "is a mean distance: take the smallest."),
            ("min(np.linalg.norm(X[i] - X[i + 1]) for i in range(len(X) - 1) if y[i] != y[i + 1])",
             "looks at neighbours in the list alone: try all pairs with different labels."),
            ("min(np.linalg.norm(p - q) for p in X for q in X)",
             "compares each mail with itself: only two mails with different labels count."),
            ("np.sqrt(sum(np.sum((p - q) ** 2) for p in X[y > 0] for q in X[y < 0]))",
             "is the length of all differences together: each pair has its own, axis=2."),
            ("min(np.abs(p - q).max() for p in X[y > 0] for q in X[y < 0])",
             "is the largest difference of a feature: a distance is the root of the sum of squares."),
            ("np.min(np.abs(X @ theta[:-1] + theta[-1])) / np.linalg.norm(theta[:-1])",
             "is that of a mail from the line: take the distance of two mails."),
        )),
        (NEEDED, "2 / closest ** 2", "Your `least` divides by the squared distance: divide by the distance itself."),
        (NEEDED, "1 / closest", "Your `least` is half of what it must be: from -1 to +1 the scores differ by 2."),
        (NEEDED, "closest / 2", "Your `least` is upside down: the closer the mails, the longer w must be."),
        (NEEDED, "2 * closest", "Your `least` grows with the distance: w times the distance must be 2 at least."),
        (NEEDED, "closest", "Your `least` is the distance itself: w times the distance must be 2 at least."),
        (LENGTH, "np.linalg.norm(theta)", "Your length takes the offset in: in the difference of two scores it drops "
         "out, so w alone counts."),
        (WHY, "1 if np.linalg.norm(theta[:-1]) < least else 2", "Your `because` never says 3: look at the agreements "
         "first."),
        (WHY, "3 if np.all(z >= 1) else 2", "Your `because` never says 1: compare the length of w with `least`."),
        (WHY, "3 if np.all(z >= 1) else 1", "Your `because` never says 2: a w that is long enough may still point the "
         "wrong way."),
        (WHY, "3 if np.linalg.norm(theta[:-1]) >= least else 1",
         "You take a long w for enough: it makes room for agreements of 1, and does not yet provide them."),
        ("np.all(z >= 1)", "np.all(z > 0)",
         "Your `because` says 3 when all mails are right: ask whether all agreements are 1 at least."),
        ("np.all(z >= 1)", "np.mean(z) >= 1",
         "Your `because` says 3 when the mean agreement is 1: all of them must be."),
        ("np.all(z >= 1)", "np.all(z)", "all(z) asks whether anything is 0: compare first, all(z >= 1)."),
        ("np.all(z >= 1)", "np.all(z > 1)", "An agreement of exactly 1 is enough: z >= 1."),
        (f"{LENGTH} < least", f"{LENGTH} <= least", "A w that is exactly as long as `least` is not shorter."),
        (LENGTH, "(theta[:-1] @ theta[:-1])", "You compare the squared length of w: take the root."),
        (then(because=lambda because: (0, 2, 1, 3)[int(because)]), "Your `because` has 1 and 2 exchanged."),
        ("y * (X @ theta[:-1] + theta[-1])", "abs(X @ theta[:-1] + theta[-1])",
         "You take the size of the score: the agreement is y times the score, and negative for a wrong mail."),
        ("np.all(z >= 1)", "np.any(z >= 1)", "Your `because` says 3 when some agreement is 1: all of them must be."),
        ("y * (X @ theta[:-1] + theta[-1])", "X @ theta[:-1] + theta[-1]", "The labels are missing: the agreement is y "
         "times the score."),
        (" + theta[-1])", ")", "Your agreements lack the offset: the score is X @ theta[:-1] + theta[-1]."),
    ],
    hints=[
        "Two loops, over the mails with y = 1 and over those with y = -1. np.linalg.norm(p - q) is a distance.",
        "The two scores of the closest pair differ by 2 or more, and by ||w|| times the distance at most. So how long "
        "must w be?",
        "First z, the agreements: if all are 1 or more, it is 3. Otherwise compare the length of theta[:-1] with "
        "`least`: shorter is 1, else 2.",
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
        (PULL, "-r @ X / len(X)", FREE, "-np.mean(r)", "The slope of (y - f)^2 has a factor 2: -2 (y - f) (x, 1)."),
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
        (HALF,
         "(1 - mix) / 2 * np.linalg.norm(w)", "The L2 part of the value is the squared length: yours is the length."),
        (HALF, "(1 - mix / 2) * w @ w", "The whole of 1 - mix is halved: put brackets round it, (1 - mix) / 2."),
        ("np.abs(w).sum()", "np.abs(w).mean()", "The L1 part adds the sizes up: you take their mean."),
        *(("np.abs(w).sum()", wrong, "The L1 part adds up sizes: take |w| of each weight first, then the sum.")
          for wrong in ("w.sum()", "abs(w.sum())")),
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
        (OMEGA_SLOPE, OMEGA_SLOPE.replace("lam * ", "", 1), "The slope has the penalty without lambda: both parts are "
         "multiplied by it."),
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
        ("-2 * np.mean(r)", "-2 * np.mean(r) + lam * theta[-1]",
         "Your slope penalises the offset: the penalty is on the weights alone."),
        ("-2 * r @ X", "2 * r @ X",
         "In your slope the part of the weights has the wrong sign: for r = y - f it is -2 r x."),
        ("mix * np.sign(w) + (1 - mix) * w", "np.sign(w) + w",
         "Your slope has both penalties in full: mix times that of L1, 1 - mix times that of L2."),
        ("-2 * r @ X / len(X)", "-2 * r @ X",
         "In your slope the part of the weights is a sum: take the mean, as in the value."),
        *((loss, loss[2:].replace("* ", "-", 1), f"In your slope the part of the {whose} lacks the factor 2 of the "
           "squared loss.") for loss, whose in ((PULL, "weights"), (FREE, "offset"))),
        (LOSS, "np.mean(np.maximum(0, 1 - y * (X @ w + theta[-1])))",
         "Your value has the hinge loss: take the squared loss, (y - f)^2."),
        ("-2 * np.mean(r)", "2 * np.mean(r)", "In your slope the part of the offset has the wrong sign: it is -2 r."),
        ("+ lam * penalty", "- lam * penalty", "The penalty is subtracted in your value: it is a price, so add it."),
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
            ("np.maximum(np.abs(w) - T, 0)", "The sign is lost: a negative weight stays negative on its way to 0."),
            ("np.sign(w) * (np.abs(w) + T)", "The weights move away from 0: take the threshold off |w|."),
            ("np.clip(w, -T, T)",
             "You cut off what is to stay: np.clip(w, -t, t) is what the threshold takes AWAY from w."),
            ("w - T", "You take the threshold off every weight: move towards 0 from either side, and stop there."),
            ("np.sign(w) * np.max(np.abs(w) - T, 0)",
             "np.max(a, 0) is the one largest along axis 0: np.maximum(a, 0) compares entry by entry."),
            ("np.where(np.abs(w) <= T, w, np.sign(w) * (np.abs(w) - T))",
             "A weight within the threshold becomes 0: yours keeps its size."),
            ("w", "The L1 part is missing: no weight gets to exactly 0."),
        )),
        *((SHRINK, wrong.replace("t", "(eta * lam * (1 - mix))"), sentence) for wrong, sentence in (
            ("v", "The L2 part is missing: what the threshold leaves is divided by 1 + eta lam (1 - mix)."),
            ("v * (1 - t)", "You take a slope step for the L2 part, v (1 - t): the exact minimum divides by 1 + t."),
            ("v / (1 + 2 * t)", "The L2 part is 1/2 v^2 with slope v: divide by 1 + eta lam (1 - mix), without a 2."),
            ("v / (1 + t / 2)", "The slope of 1/2 v^2 is v: divide by 1 + eta lam (1 - mix), without a half."),
            ("v / (1 - t)", "Your divisor has a minus: it is 1 + eta lam (1 - mix)."),
            ("np.append(v[:-1] / (1 + t), w[-1])",
             "Your last weight stays as it was: range(len(theta) - 1) goes over all the weights."),
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
        ("eta * lam * mix, 0", "lam * mix, 0", "Your threshold lacks the step size: it is eta lam mix."),
        ("1 + eta * lam", "1 + lam", "Your L2 part lacks the step size: divide by 1 + eta lam (1 - mix)."),
        ("w = theta[:-1]", "w = theta",
         "You shrink all of theta and append the offset once more: begin with the weights alone, theta[:-1]."),
        ("(1 - mix)", "mix", "Your L2 part has the share mix: it has 1 - mix, and the threshold mix."),
        ("np.append(v, theta[-1])", "np.append(v, theta[-1] / (1 + eta * lam * (1 - mix)))",
         "Your offset is divided: it is not penalised, so it stays as it is."),
        ("np.append(v, theta[-1])", "np.append(v, 0)", "Your offset becomes 0: it stays as it is."),
        ("eta * lam * mix, 0", "eta * mix, 0", "Your threshold lacks lambda: it is eta lam mix."),
    ],
    hints=[
        "Each weight by itself. For v > 0 set the derivative of 1/2 (v - w)^2 + eta lam (mix v + (1 - mix)/2 v^2) to 0 "
        "and solve for v.",
        "The L1 part takes the same amount off every weight, the L2 part divides what is left. If nothing is left, v = "
        "0. For negative w it is the mirror image.",
        "np.maximum(..., 0) stops at 0, np.abs(w) and np.sign(w) take care of both sides at once. Put theta[-1] behind "
        "it unchanged.",
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
    returns=("shift", "free", "penalised"),
    cases=border_cases,
    mistakes=[
        *((ALL_PAY, wrong, APART, CAPPED, sentence) for wrong, sentence in (
            ("lam / 2 * np.eye(2)", "You add the losses up: their mean beside lam / 2 is their sum beside n lam / 2."),
            ("lam * np.eye(2)", "Your penalty is lam on the diagonal: with n examples it is n lam / 2."),
            ("len(at) * lam * np.eye(2)", "Your penalty is twice as large as it should be: the derivative of lam/2 w^2 "
             "is lam w, that of the squares has a factor 2."),
            ("len(at) * lam / 2 * np.diag([1, 2])", "Your offset pays twice: its price is lam/2 times its square."),
            ("len(at) ** 2 * lam / 2 * np.eye(2)", "You multiply lam by n once too often: with means it is lam / 2."),
            ("len(at) * lam / 2 * np.diag([0, 1])", "You penalise the offset alone: the weight has its price as well."),
        )),
        (ALL_PAY, "len(at) * lam / 2 * np.diag([1, 0])", APART, CAPPED,
         "Your second border is that of a free offset, too: put the offset into the penalty."),
        (APART, "abs(b - c) > far", "You compare the offsets: the borders, -offset / w, are to be far apart."),
        (APART, "abs(b / w - c / v) >= 0", "You stop at once: is the comparison with `far` there?"),
        ("at = x + shift", "at = x - shift", APART, CAPPED, "You move to the left: to the right x grows."),
        ("shift += 1", "shift += 2", "You move by two at a time: move by one, to the first whole number."),
        *((APART, "abs(b / w + c / v) > far", PAIR, PAIR.replace(*signs),
           "One of your borders has the wrong sign: w x + offset = 0 at x = -offset / w.")
          for signs in (("-b", "b"), ("-c", "c"))),
        (APART, "c / v - b / w > far or shift > 400", "The free border may be behind, too: compare sizes, abs()."),
        ("at = x + shift", "at = x + shift * (shift + 1) / 2", "You move what has been moved: begin with x each time."),
        ("shift = 0", "shift = 1", "You begin with the examples moved by 1: they may be far enough apart unmoved."),
        ("ridge(at[:, None], y, lam)", "ridge(at[:, None], y, 0)",
         "Your `free` border has no penalty at all: the weight has its price there, too."),
        ("w, b = ridge", "b, w = ridge", APART, CAPPED, "ridge returns the offset last: w, b = ridge(...)."),
        (PAIR, "return shift, -b / w, abs(b / w - c / v)",
         "Your `penalised` is the gap: return the second border."),
        (APART, "abs(w / b - v / c) > far or shift > 400", PAIR, "return shift, -w / b, -v / c",
         "Your borders are upside down: w x + offset = 0 at x = -offset / w."),
        (PAIR, "return shift, b / w, c / v", "Your borders have the wrong sign: w x + offset = 0 at x = -offset / w."),
        (PAIR, "return shift, -w / b, -v / c", "Your borders are upside down: w x + offset = 0 at x = -offset / w."),
        (PAIR, "return shift, b, c", "You return offsets: a border is at -offset / w."),
    ],
    hints=[
        "Derivatives with respect to w and to the offset, times n/2: with rows (x_i, 1) in Z they are Z.T @ (Z @ theta "
        "- y) and something with lam. Compare with the code of ridge.",
        "There D has a 0 for the offset. Where both are penalised it is the identity, np.eye(2).",
        "A loop over shift: at = x + shift, ridge(at[:, None], y, lam) for the free border, np.linalg.solve for the "
        "other one, and stop when the borders, not the offsets, are more than far apart.",
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
             "Several lambdas have the lowest error: argmin takes the first of them, so look for the largest "
             "lambda."),
            ("best[-1]", "Several lambdas have the lowest error: yours is the last of them in the list, but lams is in "
             "no order."),
            ("best[np.argmin(lams[best])]",
             "Among equal errors take the LARGEST lambda, which is the simplest answer: yours is the smallest."),
            ("np.argmax(lams)",
             "You take the largest lambda of all: take the largest of those with the lowest error."),
            ("np.argmin(lams)", "You take the smallest lambda of all: take the one with the lowest error."),
            ("np.argmax(lams[best])",
             "Your index counts within the list of the best: it must be the row number in lams and thetas."),
            ("np.argmax(errors)", "You take the highest error: take the lowest."),
        )),
        *((ERRORS, wrong, sentence) for wrong, sentence in (
            ("np.mean(y * scores < 0, axis=1)", "A score of exactly 0 is an error too: y f <= 0, not y f < 0."),
            ("np.mean(y * scores > 0, axis=1)", "You count the right ones: an error is y f <= 0."),
            ("np.sum(y * scores <= 0, axis=1)",
             "Your `error` is a count: divide by n, which makes a fraction of it."),
            ("np.mean(np.where(scores >= 0, 1, -1) != y, axis=1)",
             "You take a score of exactly 0 for +1: it is an error for both labels, y f <= 0."),
            ("np.mean(np.where(scores > 0, 1, -1) != y, axis=1)",
             "You take a score of exactly 0 for -1: it is an error for both labels, y f <= 0."),
        )),
        ("errors == errors.min()", "errors == errors.max()", "You take the highest error: take the lowest."),
        (ERRORS, "np.mean((y - scores) ** 2, axis=1)",
         "You take the squared loss: the errors y f <= 0 are to be counted."),
        (ERRORS, f"{ERRORS} + lams * (thetas[:, :-1] ** 2).sum(axis=1) / 2",
         "You add the penalty: on validation data the errors alone decide."),
        (ERRORS, "np.sum(y * scores <= 0, axis=1) / len(lams)", "You divide by the number of lambdas: divide by n."),
        (ERRORS, "np.zeros(len(lams))", "All your errors are 0: an array of integers cuts fractions off, use floats."),
        *((CHOSEN, f"best[np.argmin((thetas[best{part}] ** 2).sum(axis=1))]",
           "Among equal errors you take the shortest theta: take that of the largest lambda.")
          for part in ("", ", :-1")),
        (CHOSEN, "0", "errors[index]", "0",
         "Your lowest error begins at 0, and none is below: begin with a large number."),
        (then(index=lambda k, thetas: thetas[int(k)]), "You return theta itself: return its row number."),
        (SCORES, "thetas[:, :-1] @ X.T", "The score misses the offset: the last entry of each theta."),
        (SCORES, "thetas[:, 1:] @ X.T + thetas[:, :1]",
         "Your offset comes first: here it is the last entry of each theta."),
        (then(index=lambda k, lams: np.sum(lams > lams[k])),
         "Your index counts in the sorted list: it must be the row number in lams as it came."),
        (then(index=lambda k, lams: np.sum(lams < lams[k])),
         "Your index counts in the list sorted upwards: it must be the row number in lams as it came."),
        (CHOSEN, "np.argmin(np.maximum(0, 1 - y * scores).mean(axis=1))",
         "You compare hinge losses: it is the fraction of errors, y f <= 0, that decides here."),
        ("y * scores <= 0", "np.maximum(0, 1 - y * scores)",
         "You choose by the hinge loss: the errors y f <= 0 are to be counted."),
        ("y * scores", "scores", "The labels are missing: an error is y f <= 0."),
        ("return index, errors[index]", "return best, errors[best]",
         "You return all that share the lowest error: choose one, that of the largest lambda."),
    ],
    hints=[
        "For each theta in thetas: the fraction of the examples with y f <= 0. That gives one error for each lambda.",
        "Find the lowest error. All lambdas with exactly this error are equally good; the largest of them wins.",
        "np.flatnonzero(errors == errors.min()) lists the rows that share the lowest error. Look up their lambdas, and "
        "return the row's number in the whole list, not in the short one.",
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
    "centre, spread = X[learn].mean(axis=0), X[learn].std(axis=0)", "theta = ridge(A, y[learn], lam)",
    "f = B @ theta[:-1] + theta[-1]",
)
BEFORE = "centre, spread = X.mean(axis=0), X.std(axis=0)"
ROLES = "judge, learn = folds == fold, folds != fold", "learn, judge = folds == fold, folds != fold"
MEAN = (
    "np.sum((y[judge] - f) ** 2)", "np.mean((y[judge] - f) ** 2)",
    "losses / len(y)", "losses / len(np.unique(folds))",
)  # fmt: skip

task(
    "cross_validate",
    returns=("losses", "best"),
    cases=fold_cases,
    mistakes=[
        (SCALE, BEFORE, "The leak is still there: mean and spread are taken from all mails, those that judge as well."),
        *((*roles, "You learn on one fold and judge on the others: it is the other way round.") for roles in (
            ROLES, ("ridge(A, y[learn]", "ridge(B, y[judge]", "f = B", "f = A", "y[judge] - f", "y[learn] - f"))),
        (SCALE, SCALE.replace("learn", "judge"),
         "Your mean and spread are those of the mails that judge: take those of the mails that learn."),
        (*MEAN, "You average the folds, which differ in size: add up over all n mails and divide by n."),
        (SCORE, "f = B @ theta[:-1]", "Your score has no offset: the last entry of theta."),
        (SCALE, BEFORE, *MEAN, "Two faults are left: all mails have a say in mean and spread, and the folds differ in "
         "size."),
        (SCALE, BEFORE, SCORE, "f = B @ theta[:-1]", "Two faults are left: the leak through mean and spread, and the "
         "offset."),
        (SCALE, BEFORE, *ROLES, "Two faults are left: the leak through mean and spread, and who learns and who "
         "judges."),
        (SCALE, BEFORE, SCORE, "f = B @ theta[:-1]", *MEAN, "Three faults are left: only who learns and who judges is "
         "right now."),
        (SCALE, BEFORE, *ROLES, SCORE, "f = B @ theta[:-1]", *MEAN,
         "That is the colleague's study as it was: four things in it are wrong."),
        (SCALE, "centre, spread = 0, 1", "You do not divide by the spread: learn on standardised features in each "
         "round."),
        ("(X[judge] - centre) / spread", "(X[judge] - X[judge].mean(axis=0)) / (X[judge].std(axis=0) + 1e-12)",
         "You standardise the judging mails by their own mean and spread: both parts take those of the mails that "
         "learn."),
        ("(X[judge] - centre) / spread", "X[judge]",
         "Your judging mails are not standardised: the same amounts are taken off as from those that learn."),
        (SCALE, "centre, spread = X[learn].mean(axis=0), X[learn].std(axis=0, ddof=1)",
         "Your spread divides by n - 1: here it is the standard deviation with n, np.std."),
        ("(X[learn] - centre) / spread", "X[learn]",
         "The mails that learn are not standardised: take the same amounts off as from those that judge."),
        (SCALE, SCALE.replace("std", "var"), "You divide by the variance: the standard deviation is its root."),
        (SCALE, SCALE.replace("axis=0", ""),
         "You take one mean and one spread of all numbers: each feature has its own."),
        (SCORE, "f = A @ theta[:-1] + theta[-1]", "y[judge] - f", "y[learn] - f",
         "Your losses are those of the mails that were learned from: the fold that was left out judges."),
        ("np.sum((y", "np.mean((y", "You take the mean of each fold and divide by n once more: add up, then divide."),
        ("losses[k] +=", "losses[k] =", "Only the last fold is left: add the folds up, += and zeros before the loop."),
        ("np.unique(folds)", "np.unique(folds)[:1]", "Only the first fold judges: return must come after the loop."),
        ("np.unique(folds)", "np.unique(folds)[:-1]", "The last fold never judges: each of them does, once."),
        ("np.unique(folds)", "range(len(np.unique(folds)))",
         "You take the folds for 0, 1, 2, ...: np.unique(folds) says which numbers they have."),
        ("np.sum((y[judge] - f) ** 2)", "np.sum(np.abs(y[judge] - f))", "You add up sizes: the loss is squared."),
        ("np.sum((y[judge] - f) ** 2)", "np.sum((y[judge] - f) ** 2) + lam / 2 * theta[:-1] @ theta[:-1]",
         "The penalty is for learning alone: the judging mails count their loss and nothing else."),
        *((FIT, f"theta = ridge(A, y[learn], {lam})", "ridge knows how many mails it has: hand it lam as it is.")
          for lam in ("lam * len(A)", "lam / len(A)")),
        ("np.argmin(losses)", "np.min(losses)", "Your `best` is the lowest loss: return its index."),
        (FIT, "theta = ridge((X - centre) / spread, y, lam)", "Your theta has seen all mails: learn without the fold "
         "that judges."),
        ("np.sum((y[judge] - f) ** 2)", "np.sum(y[judge] * f <= 0)",
         "You count errors: this colleague judges by the squared loss."),
        ("np.argmin(losses)", "np.argmax(losses)", "Your `best` has the highest loss: take the lowest."),
        ("losses / len(y)", "losses", "Your `losses` are sums: divide by n."),
        ("losses / len(y)", "losses / len(np.unique(folds))", "You divide the sum by the number of folds: divide by "
         "n."),
        (then(losses=lambda losses: np.min(losses)),
         "Your `losses` is that of the best lambda: return one for each."),
    ],
    hints=[
        "Ask of each line which mails it sees. Who should learn, who should judge, and who may be asked for the mean?",
        "Move the standardisation into the loop over the folds: centre and spread of the mails that learn, taken off "
        "both parts.",
        "The fold judges and ~part learns; the score needs its offset; add up the squares of all rounds and divide "
        "once, by n.",
    ],
)


def books(rng):
    for n in rng.permutation([10, 40, 50, 64, 200]):
        potsdam, ubc, C, alpha, alpha1 = rng.permutation([0.25, 0.5, 1.5, 2.5, 4.0]) * rng.choice([0.5, 1, 2], 5)
        yield int(n), float(potsdam) + 0.1, float(ubc) + 0.2, float(C) + 0.3, float(alpha) + 0.7, float(alpha1) + 0.05


FORMS = {
    "from_potsdam": ("2 * potsdam / n", (
        ("potsdam / n", "lacks the 2: in this course the penalty is 1/2 ||w||^2, and Potsdam writes no half."),
        ("2 * potsdam", "is not divided by n: here the losses are averaged."),
        ("potsdam / (2 * n)", "has its 2 below: potsdam ||w||^2 is 2 potsdam times 1/2 ||w||^2."),
        ("n * potsdam / 2", "goes from ours to theirs: go in the other direction."),
        ("2 * n * potsdam", "is multiplied by n: the sum is n times the mean, so divide by n."),
        ("potsdam", "is taken over as it is: divide the objective by n, and mind the half."),
    )),
    "from_ubc": ("ubc / n", (
        ("2 * ubc / n", "has a 2 too many: the half is there already."),
        ("ubc / (2 * n)", "has the half twice: it belongs to the penalty, in their objective and in ours."),
        ("ubc", "is not divided by n: here the losses are averaged."),
        ("n * ubc", "goes from ours to theirs: go in the other direction."),
    )),
    "from_svc": ("1 / (n * C)", (
        ("1 / C", "lacks n: C stands before the sum, which is n times the mean."),
        ("C / n", "grows with C: a large C means that the losses count, and so a small lambda."),
        ("n / C", "has n above: divide the objective by n C."),
        ("1 / (2 * n * C)", "has a half too many: it belongs to the penalty, in their objective and in ours."),
        ("2 / (n * C)", "has a 2 too many: the half is there already."),
        ("C", "is taken over as it is: divide the objective by n C."),
        ("n * C", "is upside down: divide the objective by n C, and 1 / (n C) stands before 1/2 ||w||^2."),
    )),
    "from_ridge": ("2 * alpha / n", (
        ("alpha / n", "lacks the 2: alpha ||w||^2 is 2 alpha times 1/2 ||w||^2."),
        ("alpha", "is taken over as it is: divide the objective by n, and mind the half."),
        ("alpha / (2 * n)", "has its 2 below: alpha ||w||^2 is 2 alpha times 1/2 ||w||^2."),
        ("2 * alpha", "is not divided by n: here the losses are averaged."),
    )),
    "from_lasso": ("2 * alpha1", (
        ("alpha1", "is taken over as it is: 1/(2n) times the sum is half our mean loss, so multiply all by 2."),
        ("alpha1 / 2", "goes from ours to theirs: multiply the objective by 2."),
        ("2 * alpha1 / n", "is divided by n: the losses are averaged there already."),
        ("2 * n * alpha1", "is multiplied by n: the losses are averaged there already."),
        ("n * alpha1", "is multiplied by n: the losses are averaged there, and half of the mean at that."),
        ("alpha1 / (2 * n)", "is divided by 2n: multiply the objective by 2, its losses are averaged already."),
        ("alpha1 / n", "is divided by n: the losses are averaged there, and half of the mean at that."),
    )),
}

task(
    "same_lambda",
    returns=tuple(FORMS),
    cases=books,
    mistakes=[
        *((f"{part} = {right}", f"{part} = {wrong}", f"Your `{part}` {sentence}")
          for part, (right, many) in FORMS.items() for wrong, sentence in many),
        ("2 * potsdam / n", "n * potsdam / 2", "from_ubc = ubc / n", "from_ubc = n * ubc", "2 * alpha / n",
         "n * alpha / 2", "2 * alpha1", "alpha1 / 2", "You go from our lambda to theirs: theirs are given."),
        ("2 * potsdam / n", "potsdam / n", "2 * alpha / n", "alpha / n",
         "You overlook that two of them write no half before ||w||^2: in ours it is there."),
        ("2 * potsdam / n", "2 * potsdam", "from_ubc = ubc / n", "from_ubc = ubc", "1 / (n * C)", "1 / C",
         "2 * alpha / n", "2 * alpha", "You never divide by n: our loss is the mean, which is the sum divided by n."),
    ],
    hints=[
        "Multiply each objective by what turns its losses into our mean: 1/n for a sum, 1/(n C) for C times a sum.",
        "Do the same to the penalty. Now compare what stands before 1/2 ||w||^2, or before the sum of |w|: that is "
        "lambda.",
        "||w||^2 is 2 times 1/2 ||w||^2. And 1/(2n) times a sum is half a mean: that objective is to be doubled.",
    ],
)
