"""A plank to turn, slacks, pulls in balance, a descent to mend, Pegasos, a bound, two stakes, an email dragged."""

import numpy as np

from coursekit_grade.draws import labels, quarters, scene
from coursekit_grade.tasks import solution, task, then


def plain(value):
    """A whole number as an int: JavaScript, too, reads it back as it was."""
    return int(value) if float(value).is_integer() else float(value)


def street(rng, z, d):
    """X, y and theta with the agreements z: exactly, as one weight is 1 or -1 and all else a multiple of 1/4."""
    (X, theta), y = scene(rng, len(z), d), labels(rng, len(z))
    one = np.abs(theta[:-1]).argmin()
    X[:, one] += (y * z - X @ theta[:-1] - theta[-1]) / theta[one]
    return X, y, theta


def planks(rng):
    for n, apart in ((4, 3), (5, 2), (6, 3), (7, 2.5), (6, 0), (8, 4)):
        while True:
            across = np.radians(rng.integers(24) * 15)
            y, degrees = labels(rng, n), rng.choice(24, 7, replace=False) * 15
            X = (rng.normal(size=(n, 2)) * [0.4, 1.5] + np.outer(y, [apart / 2, 0])) @ [
                [np.cos(across), np.sin(across)], [-np.sin(across), np.cos(across)]] + rng.choice([-3, -2, 2, 3], 2)
            X = X.round(2)
            S = X @ [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]
            gaps = S[y > 0].min(axis=0) - S[y < 0].max(axis=0)
            order = np.sort(gaps)
            far = S[y > 0].max(axis=0) - S[y < 0].min(axis=0)
            means = S[y > 0].mean(axis=0) - S[y < 0].mean(axis=0)
            best = gaps.argmax()
            if order[-1] - order[-2] > 0.05 and (gaps[best] > 0.2) == (apart > 0) and abs(gaps[best]) > 0.05 and (
                    best > 0 and (np.abs(gaps).argmax() == best) == (n > 7) and far.argmax() != best
                    and (means.argmax() != best or n < 6) and np.unique(y, return_counts=True)[1].min() > 1):
                break
        yield X, y, degrees


GAPS, LINE, BACK = "gaps = high - low", "np.append(2 * U[:, k], -(low[k] + high[k])) / gaps[k]", \
    "return degrees[k], gaps[k]"

task(
    "widest",
    returns=("angle", "gap", "theta"),
    cases=planks,
    mistakes=[
        ("shadows[y < 0].max(axis=0), shadows[y > 0].min", "shadows[y < 0].min(axis=0), shadows[y > 0].max",
         "You measure from the far side of one class to the far side of the other. Between the classes lie the "
         "largest negative and the smallest positive u.x."),
        ("shadows[y < 0].max(axis=0), shadows[y > 0].min", "shadows[y > 0].max(axis=0), shadows[y < 0].min",
         "Take the smallest u.x of the positive ones minus the largest negative one. Your classes are exchanged."),
        ("shadows[y < 0].max(axis=0), shadows[y > 0].min", "shadows[y < 0].mean(axis=0), shadows[y > 0].mean",
         "Your gap lies between the means of the classes. The closest examples limit the street."),
        (GAPS, "gaps = np.abs(high - low)",
         "You take the size of the gap; a negative one means overlap, and stays negative."),
        ("np.radians(degrees)", "np.asarray(degrees)", "np.cos and np.sin want radians: np.radians(degrees)."),
        ("[np.cos(angles), np.sin(angles)]", "[np.sin(angles), np.cos(angles)]",
         "Cosine and sine are exchanged: u = (cos, sin)."),
        ("np.argmax(gaps)", "np.argmax(np.abs(gaps))",
         "Compare with the sign, for a negative gap is no street. You look for the gap that is largest in size."),
        ("np.argmax(gaps)", "np.argmin(gaps)", "Take the largest gap. You take the narrowest street."),
        (then(angle=lambda angle, degrees: int(np.argmax(degrees == angle))),
         "Return the entry of `degrees`. Your `angle` is its place in the list."),
        ("np.argmax(gaps)", "int(np.argmax(gaps > 0))",
         "Take the direction with the largest gap. You take the first one that separates."),
        (BACK, "return angles[k], gaps[k]", "Return the entry of `degrees`. Your `angle` is in radians."),
        *((BACK, f"return degrees[k], gaps[k] / {by}", "Your `gap` is the margin. The gap is the whole width.")
          for by in ("2", "(1 + (gaps[k] > 0))")),
        *((BACK, f"return degrees[k] if gaps[k] > 0 else {none}, max(gaps[k], 0)",
           "Your search for the largest gap begins at 0. Where all are negative it finds none. Begin at -np.inf.")
          for none in (None, 0)),
        (then(gap=lambda gap: max(gap, 0)), "Leave it negative where the classes overlap. Your `gap` is cut off at 0."),
        *((LINE, wrong, sentence) for wrong, sentence in (
            *((f"np.append(U[:, k], -(low[k] + high[k]) / {by})", "Your weights have length 1. On the edges f must be "
                                                                  "+1 and -1, which lie the whole gap apart, so the "
                                                                  "length is 2/gap.") for by in ("2", "gaps[k]")),
            *((f"np.append(U[:, k], -(low[k] + high[k]) / {by}) / gaps[k]", "Your weights have the length 1/gap. From "
                                                                            "edge to edge f must grow by 2, so ||w|| "
                                                                            "= 2/gap.") for by in ("2", "1")),
            ("np.append(2 * U[:, k], low[k] + high[k]) / gaps[k]",
             "Your bias has the wrong sign. In the middle of the street w.x + b must be 0."),
            ("np.append(2 * U[:, k] / gaps[k], -(low[k] + high[k]) / 2)",
             "Your bias belongs to weights of length 1. It is -w.x in the middle of the street, with the w that you "
             "return."),
            ("np.append(2 * U[:, k], 0) / gaps[k]",
             "Let the bias put the line in the middle of the gap. Yours goes through the origin."),
            ("np.append(2 * U[:, -1], -(low[-1] + high[-1])) / gaps[k]",
             "Keep the best direction, with both ends. Your `theta` has the one that was tried last."),
            ("np.append(2 * U[:, k], -2 * high[k]) / gaps[k]",
             "Your line lies on the positive edge. It belongs in the middle, halfway between the edges."),
            ("np.append(2 * U[:, k], -2 * low[k]) / gaps[k]",
             "Your line lies on the negative edge. It belongs in the middle, halfway between the edges."),
            ("2 * U[:, k] / gaps[k]", "Return three numbers, the bias last. Your `theta` has lost it."),
            ("np.append(-(low[k] + high[k]), 2 * U[:, k]) / gaps[k]",
             "Put the bias last in theta, not first."),
            ("np.append(2 * U[:, k], -(low[k] + high[k])) * gaps[k]",
             "Your weights grow with the gap; a wide street has short weights, 2/gap."),
        )),
        *((f"if gaps[k] > 0 else {old}", new,
           "Return None for `theta` where the gap is not positive, because there is no street.")
          for old, new in (("None", ""), ("None", "if gaps[k] > 0 else np.zeros(3)"),
                           ("None", "if gaps[k] > 0 else 0"), ("None", "if gaps[k] > 0 else []"))),
    ],
    hints=[
        "One direction first: X @ u has a number for each example. Which two of these numbers are the ends of the gap?",
        "Keep the best direction with its two ends. From one end to the other f must go from -1 to +1: how long is w?",
        "w = 2 u / gap. The bias is what makes f = 0 halfway: b = -w.x for u.x = (low + high) / 2.",
    ],
)


SLACK, BEHIND = "slack = np.maximum(0, 1 - z)", "slack / length"
ON = "np.abs(z - 1) <= 1e-6"
NO_1 = "Your `kind` is never 1. An example on its edge has a kind of its own."
Z, LENGTH = "y * (X @ theta[:-1] + theta[-1])", "np.linalg.norm(theta[:-1])"


def slack_cases(rng):
    near = 1e-6 * rng.uniform(0.2, 0.8)
    for n, d in ((10, 1), (10, 2), (11, 2), (12, 3)):
        z = [0, 1, 0.5, -0.5, -3, 1 - near, 1 + near, 1 - 4e-6, 1 + 4e-6, 2.5]
        yield street(rng, rng.permutation(np.append(z, rng.choice([0.25, 0.75, 1.5, 2], n - 10))), d)


task(
    "slacks",
    returns=("margin", "slack", "behind", "kind"),
    cases=slack_cases,
    tolerance=1e-8,
    mistakes=[
        *((Z, wrong, sentence) for wrong, sentence in (
            ("(X @ theta[:-1] + theta[-1])", "The labels are missing. An agreement is y f."),
            ("abs(X @ theta[:-1] + theta[-1])", "Take y f. You take |f|, which forgets the side of the line."),
            ("y * (X @ theta[:-1])", "Add the bias to the score: f = X @ theta[:-1] + theta[-1]."),
            ("y * (X @ theta[1:] + theta[0])", "Take the last entry of theta for the bias, not the first."),
            ("-y * (X @ theta[:-1] + theta[-1])", "Your agreements have the wrong sign. On its own side y f > 0."),
            (f"{Z} / np.linalg.norm(theta[:-1])",
             "You take distances for agreements. Slack is 1 - y f, and only `behind` is divided by ||w||."),
        )),
        (LENGTH, "np.linalg.norm(theta)", "You measure all of theta; ||w|| is the length of the weights alone."),
        (LENGTH, "(theta[:-1] @ theta[:-1])", "Take the root. You divide by ||w||^2."),
        ("return 1 / length", "return 2 / length",
         "Take half the width, 1/||w||. Your `margin` is the whole width of the street."),
        ("return 1 / length", "return z.min() / length",
         "Your `margin` is the distance of the closest example. What the weights claim is 1/||w||."),
        *((SLACK, f"slack = {wrong}", sentence) for wrong, sentence in (
            ("np.abs(1 - z)", "|1 - y f| grows beyond the edge as well: slack is max(0, 1 - y f)."),
            ("np.maximum(0, -z)", "Your slack begins at the line. It begins at the edge, max(0, 1 - y f)."),
            ("np.clip(1 - z, 0, 1)", "Slack has no upper limit: a misclassified example owes more than 1."),
            ("np.maximum(0, z - 1)", "That is how far beyond its edge an example lies. Slack is what is missing to 1."),
        )),
        (f"slack, {BEHIND}", "slack, slack", "Your `behind` is the slack itself. As a distance it is slack / ||w||."),
        (f"slack, {BEHIND}", "slack, slack * length", "Divide by ||w||. Your `behind` is multiplied by it."),
        (f"slack, {BEHIND}", "slack, np.maximum(0, -z) / length",
         "Measure `behind` from the edge of the street, slack / ||w||. Yours is measured from the line."),
        (f"slack, {BEHIND}", "slack, np.abs(z) / length",
         "Your `behind` is the distance to the line. To the edge it is slack / ||w||."),
        (f"slack, {BEHIND}", "slack, np.abs(1 - z) / length",
         "Your `behind` grows beyond the edge as well. There it is 0."),
        *((ON, wrong, "You ask for kind 1 too late. What lies within 1e-6 of the edge has another kind by then.")
          for wrong in ("False", "z == 99, 1, np.where(z == 1, 2, 99)) + 0 * np.where(False", f"({ON}) & (z >= 1)",
                        f"({ON}) & (z <= 1)")),
        (ON, "False", "np.where(z < 1, 2, 0)", "np.where(z <= 1, 2, 0)", NO_1),
        (ON, "z == 1", "Rounding: |z - 1| <= 1e-6 is on the edge, too."),
        (ON, "np.isclose(z, 1)", "Your tolerance is wider than 1e-6 (that of np.isclose is 1e-5 unless you say so)."),
        ("kind = np.where(z <= 0, 3, np.where(np.abs(z - 1) <= 1e-6, 1, np.where(z < 1, 2, 0)))",
         "kind = np.where(z > 0, 2, 3)",
         "Ask for kinds 0 and 1 first. You ask for z > 0, which is true beyond the edge and on it as well."),
        (ON + ", 1", ON + ", 0", "z < 1, 2, 0", "z < 1, 2, 1", "Your kinds 0 and 1 are exchanged; 1 is on the edge."),
        (ON, "z >= 1", "Your kind 1 has all that lie beyond the edge as well. These are kind 0."),
        ("z <= 0", "z < 0", "An example on the line, z = 0, is misclassified: kind 3."),
        ("z <= 0", "z < 1 - 1e-6",
         "Inside the street but on the right side is kind 2: misclassified are those with z <= 0 alone."),
        ("z <= 0", "z <= -1", "Beyond the line is misclassified, not beyond the other edge: kind 3 where z <= 0."),
        ("np.where(z < 1, 2, 0)", "np.where(z < 1, 0, 2)", "Your kinds 0 and 2 are exchanged."),
        ("z <= 0, 3", "z <= 0, 2", "z < 1, 2", "z < 1, 3",
         "Your kinds 2 and 3 are exchanged; 2 is right but inside the street, 3 misclassified."),
        (then(kind=lambda kind: 1 * (kind > 0)), "Your `kind` says who is a support vector. There are four kinds."),
    ],
    hints=[
        "Everything comes from z = y * (X @ theta[:-1] + theta[-1]) and the length of the weights.",
        "f grows by ||w|| with every step of length 1. If z is short of 1 by the slack, how far is the way?",
        "np.where inside np.where tells kinds apart. Ask for z <= 0 first, then for |z - 1| <= 1e-6, then for z < 1.",
    ],
)


def levers(rng):
    for d, where in ((2, 0.25), (2, 0.75), (3, 0.375), (2, -0.5), (3, 1.5), (2, 0.125), (4, 0.6875)):
        while True:
            q, along = quarters(rng, d), quarters(rng, d)
            square = np.zeros(d)
            square[:2] = along[1], -along[0]
            p = q + where * along + square * rng.choice([-0.5, 0.5, 0.75])
            if np.abs(along[:2]).min() > 0.4 and abs(p @ p - q @ q) > 0.5 and q.any() and abs(1 - along @ along) > 0.1:
                break
        yield p, q, q + along, int(rng.integers(5, 60))


RATIO, SHARED, OFFSET = "(p - q) @ (r - q) / ((r - q) @ (r - q))", "pull * (1 - t), pull * t", "1 - w @ p"

task(
    "lever",
    returns=("alpha", "theta", "lam", "C"),
    cases=levers,
    mistakes=[
        ("t = np.clip(t, 0, 1)", "pass",
         "You go beyond the end of the segment. There one of your pulls is negative, and none may be. The end bears "
         "everything."),
        *(("np.clip(t, 0, 1)", wrong, "You stop at one end of the segment alone. The share stays from 0 to 1.")
          for wrong in ("min(t, 1)", "max(t, 0)")),
        (RATIO, "(p - q) @ (r - q) / (r @ r)",
         "Measure r - q, from one end to the other. Below your share stands r . r."),
        (RATIO, "1 / 2", "Take the closest point of the segment. You take the middle of q and r."),
        ("t = np.clip(t, 0, 1)", "t = 1 * (t > 1 / 2)",
         "You let the closer of q and r bear everything. That is so only where the closest point is an end."),
        (RATIO, "(p - q) @ (r - q) / np.linalg.norm(r - q)",
         "Divide by the squared length of r - q. Your share is a length."),
        (OFFSET, "-w @ (p + q) / 2",
         "Choose the bias so that the score of p is 1. Yours puts q on the edge, where it need not be."),
        (SHARED, "pull * t, pull * (1 - t)", "The shares of q and r are exchanged. The closer one bears more."),
        (SHARED, "pull / 2, pull / 2", "q and r pull alike in yours: the closer one bears more."),
        (SHARED, "-pull * (1 - t), -pull * t",
         "Your pulls of q and r are negative; alpha is a strength, and y gives the sign."),
        *(("[pull, pull", f"[{p}, pull", "Your pulls do not balance. That of p is as large as those of q and r "
                                         "together.") for p in ("1", "pull / 2")),
        (then(alpha=lambda alpha: np.array(alpha) / np.sum(alpha)),
         "Your pulls add up to 1. Their size is what makes w = sum alpha y x."),
        (then(alpha=lambda alpha: np.array(alpha) / alpha[0]), "Your `alpha` has the shares alone, not the size; w = "
                                                               "sum alpha y x must hold."),
        *(("2 / (across @ across)", wrong, sentence) for wrong, sentence in (
            ("2 / np.sqrt(across @ across)", "You divide by the distance; f grows by 2 on the way across, so w = 2 "
                                             "across / ||across||^2."),
            ("1 / (across @ across)", "Your street is twice too wide. From edge to edge f grows by 2, from -1 to +1."),
        )),
        *(("w = pull * across", f"w = {wrong}", sentence) for wrong, sentence in (
            ("-pull * across", "Your weights point to the negative side."),
            ("pull / 2 * across", "Your weights are half as long as they should be; w = 2 across / ||across||^2."),
            ("across", "Your weights are the way across itself; w = 2 across / ||across||^2."),
            ("across / np.linalg.norm(across)", "Your weights have length 1; f grows by 2 on the way across, so w = 2 "
                                                "across / ||across||^2."),
        )),
        ("across = p - (q + t * (r - q))", "across = p - (q if t < 0.5 else r)",
         "You take the closer of q and r. The closest point of the segment lies between them."),
        (OFFSET, "-w @ p", "Choose the bias so that f(p) = 1. Your line goes through p."),
        *((OFFSET, wrong, "Your bias has the wrong sign; w.p + b = 1.") for wrong in ("1 + w @ p", "w @ p - 1")),
        (OFFSET, "-w @ (p - across)", "Your f is 0 at the closest point. It is -1 there, and +1 at p."),
        (OFFSET, "0", "Choose the bias so that f(p) = 1. Yours is 0."),
        (OFFSET, "-1 - w @ p", "Make f(p) +1, because p is positive. Yours is -1."),
        ("1 / (n * pull), pull", "pull / n, pull", "Your `lam` is upside down; alpha = 1/(n lambda) at the limit."),
        *(("1 / (n * pull), pull", f"1 / (n * {weakest}), pull",
           "Your `lam` asks the weakest pull. The strongest one reaches its limit first.")
          for weakest in ("min(a for a in alpha if a > 0)", "min(alpha)")),
        ("1 / (n * pull), pull", "1 / (n * sum(alpha)), pull",
         "Your `lam` asks all pulls together. Each has a limit of its own, and the strongest reaches it first."),
        ("1 / (n * pull), pull", "1 / (n * max(alpha[1:])), pull",
         "Your `lam` forgets p. Its pull is the strongest, and reaches its limit first."),
        ("1 / (n * pull), pull", "1 / (3 * pull), pull", "Your `lam` counts three examples; n has all of them."),
    ],
    hints=[
        "Write the closest point as q + t (r - q). When does p minus that point stand at right angles to r - q?",
        "t = (p - q).(r - q) / ||r - q||^2, cut off at 0 and 1. The vector across the street goes from there to p. "
        "Along it f grows by 2.",
        "w = 2 across / ||across||^2 and w = alpha_p (p - (1 - t) q - t r): compare. The largest alpha has the stake 1 "
        "first, so it is 1/(n lambda*).",
    ],
)


def descents(rng):
    s = float(rng.choice([1.0, 2.0]))
    yield np.array([[s], [-s]]), np.array([1.0, -1.0]), 0.5, 0.5, 2
    q = rng.choice([0.5, 1.0])  # the first step leads to agreements of exactly 1
    corners = np.array([[s, q], [s, -q], [-s, q], [-s, -q]])
    yield corners, np.array([1.0, 1, -1, -1]), plain(1.5 * s**2), plain(1 / s**2), 3
    yield np.array([[s], [-s]]), np.array([1.0, -1.0]), 0.5, 10, 2  # only the start is good
    yield np.array([[s], [-s]]), np.array([1.0, -1.0]), plain(s**2 / 2), plain(2 / s**2), 3  # all objectives are 1
    for n, d, where in ((5, 1, "last"), (6, 2, "middle"), (7, 2, "last"), (8, 3, "middle")):
        while True:
            X, y = quarters(rng, n, d) + 0.5, labels(rng, n)
            X, lam = (X + y[:, None]) / 2, float(rng.choice([0.25, 0.5, 1.0]))
            eta, steps = (0.25, 4) if where == "last" else (1.5, 7)
            values = [descent(X, y, lam, eta, k)[1] for k in range(steps + 1)]
            best = int(np.argmin(values))
            Z = np.column_stack([X, np.ones(n)])
            blind = np.mean(np.maximum(0, 1 - eta * y * (Z @ Z.mean(axis=0))))  # a step without labels, downhill too
            if (best == steps if where == "last" else 0 < best < steps) and y.sum() and (n % 2 == 0 or blind < 0.9):
                break
        yield X, y, plain(lam), plain(eta), steps


descent = solution("descent")
W, VALUE, SLOPE = "np.append(theta[:-1], 0)", "lam / 2 * w @ w", "-(y * (z <= 1)) @ Z / len(X) + lam * w"
LOSS = "np.mean(np.maximum(0, 1 - z))"
UPHILL = "Take theta minus eta times the slope, in which an example that pulls has -y (x, 1). You go uphill."
GOES_ON = (
 "Keep a copy of the best one, for theta -= ... changes all names of its array. Your `best` is theta as the loop "
 "leaves it.")
FREE, PULLS, MEAN, NEW = (
    (W, "theta", "Leave the bias out of the penalty, in the objective and in the slope alike."),
    ("z <= 1", "z <= 0", "Let every example with z <= 1 pull. In yours only the misclassified ones do."),
    (" / len(X)", "", "Divide by n. Your slope sums over the examples, the objective takes their mean."),
    ("theta = theta -", "theta -=", GOES_ON),
)

task(
    "descent",
    returns=("best", "lowest"),
    cases=descents,
    mistakes=[
        FREE, PULLS, MEAN, NEW,
        (*FREE[:2], *PULLS[:2], *MEAN[:2], *NEW[:2], "That is the colleague's descent as it was. Four faults are in "
                                                     "it."),
        (*PULLS[:2], *MEAN[:2], "Two faults are left: who pulls, and by how much. Examples with z <= 1, and their "
         "mean."),
        (*FREE[:2], *MEAN[:2], "Two faults are left: the bias costs nothing, and the slope of the losses is a mean."),
        (*FREE[:2], *PULLS[:2], "Two faults are left: the bias costs nothing, and examples with z <= 1 pull."),
        *((*NEW[:2], *more[:2], GOES_ON) for more in (FREE, PULLS, MEAN)),
        (VALUE, "lam / 2 * theta @ theta",
         "Leave the bias out of the penalty in your objective, as your slope does."),
        ("+ lam * w", "+ lam * theta", "Leave lambda out of the last entry of your slope, because the bias isn't "
                                       "penalized."),
        (VALUE, "lam * w @ w", "Your objective has lambda ||w||^2. It is lambda/2 ||w||^2."),
        (VALUE, "lam / 2 * np.linalg.norm(w)", "Your objective has the length of w; lambda/2 ||w||^2 has its square."),
        (VALUE, "0", "Your `lowest` is the mean loss alone. The penalty belongs to the objective."),
        *((SLOPE, wrong, sentence) for wrong, sentence in (
            (SLOPE.replace("<= 1", "< 1"), "At z = 1 exactly an example still pulls here: z <= 1."),
            (SLOPE.replace("<= 1", "<= 9e9"), "All examples pull in yours. Beyond z = 1 the slope of the hinge is 0."),
            ("-(1.0 * (z <= 1)) @ Z / len(X) + lam * w", "Your slope lacks the labels. An example pulls by -y (x, 1)."),
            ("(y * (z <= 1)) @ Z / len(X) + lam * w",
             UPHILL),
            ("-(y * (z <= 1)) @ Z / len(X)", "Add lambda w. Your slope has no penalty."),
            ("-(y * (z <= 1)) @ Z / len(X) + 2 * lam * w",
             "The slope of lambda/2 ||w||^2 is lambda w. Yours is twice that."),
            ("-(y * (z <= 1)) @ Z / len(X) + lam / 2 * w",
             "The slope of lambda/2 ||w||^2 is lambda w. Yours is half of that."),
            ("-(y * (z <= 1)) @ Z / (2 * len(X)) + lam * w",
             "Divide by n. Your slope of the losses is half of what it should be."),
            ("-(y * (z <= 1)) @ Z / len(X) - lam * w", "The penalty's slope has the wrong sign. It is +lambda w."),
            ("-(y * (z <= 1)) @ Z / max(1, np.sum(z <= 1)) + lam * w",
             "Divide by n. You divide by the number that pull."),
            ("(-(y * (z <= 1)) @ Z + lam * w) / len(X)", "You divide the penalty by n as well. Only losses are "
                                                         "averaged."),
            ("-(y * (z <= 1)) @ Z / len(X) * np.append(np.ones(len(w) - 1), 0) + lam * w",
             "Move the bias, too. It costs nothing, but the losses pull it."),
        )),
        ("theta - eta * slope", "theta + eta * slope", UPHILL),
        ("theta - eta * slope", "theta - eta / (_ + 1) * slope", "Your steps become shorter; eta stays as it is."),
        ("theta = theta - eta * slope", "theta = np.append(theta[:-1] - eta * slope[:-1], theta[-1])\n        "
         "theta[-1] += eta * np.mean(y * (y * (Z @ theta) <= 1))",
         "Take both slopes at the same theta. You move the bias by a slope at the new weights."),
        ("            lowest, best = value, theta", "            lowest, best = value, None",
         "theta = theta - eta * slope", "theta = theta - eta * slope\n        best = theta if best is None else best",
         "Keep theta before the step. Your `best` is one step further than its objective."),
        ("range(steps + 1)", "range(steps)", "You never look at the last iterate; range(steps + 1) reaches it."),
        ("value < lowest", "value < lowest and theta.any() or steps == 0", "You leave out the start. It may be the "
                                                                           "best."),
        (LOSS, "np.sum(np.maximum(0, 1 - z))", "Take the mean of the losses. Your objective sums them."),
        (LOSS, "np.mean(z <= 0)", "You judge by the share of errors. The objective decides."),
        ("value < lowest", "value <= lowest", "Keep the first of equally low objectives. You keep the last."),
        ("value < lowest", "True", "Return the iterate with the lowest objective. You return the last one."),
        (then(best=lambda best: best[:-1]), "The bias is missing from your `best`."),
    ],
    hints=[
        "Ask of every line: is that the objective of the conventions, and its slope? Then look at what -= does to an "
        "array that has two names.",
        "The penalty is lambda/2 times the squared length of theta[:-1]. Who pulls, and is it a sum or a mean?",
        "Append 0 to theta[:-1] and use that in the penalty and in its slope. Divide the pull of z <= 1 by n. "
        "theta = theta - eta * slope makes a new array.",
    ],
)


def pegasos_cases(rng):
    for n, d, lam, steps in ((4, 1, 0.5, 6), (4, 2, 0.25, 8), (5, 2, 0.125, 10), (6, 3, 0.0625, 12), (8, 2, 0.375, 16)):
        y = labels(rng, n)
        # Clouds that reach into each other: some examples pull, others do not.
        yield 0.8 * rng.normal(size=(n, d)) + y[:, None], y, lam, rng.integers(n, size=steps)
    # Step 2 finds an agreement of exactly 1: x . x / lambda, without rounding; or one of 1.5, which shrinks to 0.75.
    x, sign = rng.choice([0.25, 0.5]), rng.choice([-1.0, 1.0])
    yield sign * np.array([[x], [-1.5]]), np.array([1.0, -1.0]), float(x * x), np.array([0, 0, 1])
    yield sign * np.array([[x], [-1.5 * x]]), np.array([1.0, -1.0]), float(x * x), np.array([0, 1, 0])
    # Step 2 finds an agreement of -2.5: far on the wrong side, not far on the right one.
    yield sign * np.array([[x], [-2.5 * x]]), np.array([1.0, 1.0]), float(x * x), np.array([0, 1, 0])


SHRINK, ADD, MEAN = "(1 - eta * lam) * w", "w + eta * y[i] * X[i]", "total / len(order)"
BALL, BACK = "length > 1 / np.sqrt(lam)", "w / (length * np.sqrt(lam))"
ALL = "total = np.zeros(X.shape[1])", "total = []", "total + w", "total + [w]", MEAN

task(
    "pegasos",
    returns=("w", "average"),
    cases=pegasos_cases,
    mistakes=[
        ("start=1", "start=2", "Your t starts at 2. The first step has t = 1 and eta = 1/lambda."),
        ("1 / (lam * t)", "1 / t", "Take the step size 1/(lambda t). Yours is 1/t."),
        ("1 / (lam * t)", "1 / t", SHRINK, "(1 - eta) * w",
         "You add y x / t. The step size is 1/(lambda t), and the example takes all of it."),
        ("1 / (lam * t)", "1 / lam", "Let the step size fall, 1/(lambda t). Yours stays 1/lambda."),
        ("lam * t", "lam * np.sqrt(t)", "Take the step size 1/(lambda t). Yours falls with the root of t."),
        ("1 / (lam * t)", "lam / t", "Your step size is lambda/t; lambda belongs below, 1/(lambda t)."),
        ("< 1", "<= 1", "At y f = 1 exactly an example does not pull in the paper: the question is y f < 1."),
        ("< 1", "<= 0",
         "An example pulls when y f < 1: inside the street too, not only when it is misclassified."),
        ("< 1", "> 1",
         "Your w stays 0. At w = 0 every agreement is 0, which is less than 1, so the first example must pull."),
        ("< 1", "< np.inf", "Every example pulls. Those with y f >= 1 only let w shrink."),
        ("eta * y[i]", "eta", "Add eta y x. The pull lost its label."),
        ("w + eta", "w - eta",
         "Add eta y x, so that the agreement of this example grows. The pull has the wrong sign."),
        ("w = (1", "(1", "Your w never shrinks. Every step multiplies it by 1 - eta lambda first."),
        (SHRINK, "(1 - pulls * eta * lam) * w",
         "Your w shrinks only when the example pulls. It must shrink in every step, outside the if."),
        (SHRINK, "(1 - (not pulls) * eta * lam) * w",
         "Your w shrinks only when the example does not pull. It must shrink in every step."),
        (SHRINK, "(1 - lam) * w", "Your w shrinks by 1 - lambda. The factor is 1 - eta lambda, which is 1 - 1/t."),
        *((SHRINK, f"(1 - {factor}eta * lam) * w",
           f"Your w shrinks {word}: the slope of lambda/2 ||w||^2 is lambda w, so the factor is 1 - eta lambda.")
          for factor, word in (("0.5 * ", "half as much as it should"), ("2 * ", "twice as much as it should"))),
        (SHRINK, "(1 + eta * lam) * w", "Your w grows. The factor is 1 - eta lambda."),
        (SHRINK, "w", "length = ", "w = (1 - eta * lam) * w\n        length = ",
         "You shrink w after the pull, and so the pull too. First (1 - eta lambda) w, then add eta y x."),
        ("pulls = y[i] * (w @ X[i])", f"pulls = y[i] * ({SHRINK} @ X[i])",
         "Take y f with w as the step finds it. You shrink w before you look at the example."),
        ("y[i] * (w @ X[i])", "abs(w @ X[i])",
         "You ask how far the example is from the line, on either side. The agreement y f has a sign, and those far "
         "on the wrong side pull."),
        (BALL, "length > 1 / lam",
         "You scale w only where it is longer than 1/lambda. The radius of the ball is 1/sqrt(lambda)."),
        (BALL, "False",
         "The last part of the step is missing. Where ||w|| is above 1/sqrt(lambda), scale w back to that length."),
        (BALL, "length > 1 / lam", BACK, "w / (length * lam)",
         "Your ball has the radius 1/lambda. It is 1/sqrt(lambda)."),
        (BALL, "length > np.sqrt(lam)", BACK, "w / length * np.sqrt(lam)",
         "Take the radius 1/sqrt(lambda) for the ball. Yours is sqrt(lambda)."),
        (BALL, "length > 1", BACK, "w / length", "Your ball has the radius 1. It is 1/sqrt(lambda)."),
        (BALL, "length > 0",
         "You scale w to the length 1/sqrt(lambda) in every step. Do so only where it is longer."),
        (BALL, "True", BACK, "np.clip(w, -1 / np.sqrt(lam), 1 / np.sqrt(lam))",
         "You cut off each weight by itself. Scale w as a whole, so that it keeps its direction."),
        ("        total = total + w\n", "", "length = ", "total = total + w\n        length = ",
         "Add w up at the end of the step. Your average takes each w before it is scaled back into the ball."),
        (MEAN, "total / (len(order) + 1)",
         "Take the mean of w after step 1, 2, ..., T. The start counts in your average."),
        ("        total = total + w\n", "", "eta = ", "total = total + w\n        eta = ",
         "Take the mean of w after step 1, 2, ..., T. Your average takes each w before its step."),
        (MEAN, "total", "Divide by the number of steps. You return the sum of all w."),
        (MEAN, "total / len(X)", "Divide by the number of steps, len(order). Your average is divided by n."),
        (*ALL, "np.mean(total[len(order) // 2 :], axis=0)",
         "Take the mean over all steps. You average over the second half alone."),
        (MEAN, "w", "Your average is the last w; a list that holds the same array again and again does that; append a "
                    "copy."),
        ("total + w\n    return", "total + w\n        return", "You return inside the loop, after its first step."),
        ("    w = np.zeros", "    X = np.column_stack([X, np.ones(len(X))])\n    w = np.zeros",
         "There is no bias here; X gets no column of ones, and w has shape (d,)."),
        ("enumerate(order,", "enumerate(order[:-1],",
         "Your last step is missing; T steps, and range(1, T) ends at T - 1."),
        ("enumerate(order,", "enumerate(np.arange(len(order)) % len(X),",
         "You take the examples one after the other. Step t uses the example order[t - 1]."),
        (ADD, "w + y[i] * X[i]", "Add eta y x. The pull has no step size."),
        (SHRINK, "(1 - eta) * w", "Multiply w by 1 - eta lambda. Yours shrinks by 1 - eta."),
        ("1 / (lam * t)", "1 / lam * t", "1 / lam * t is t/lambda in Python: put lam * t in brackets."),
        (BACK, "w / length", "You scale w to the length 1. Its longest length is 1/sqrt(lambda)."),
        (BACK, "w * np.sqrt(lam) / length", "You scale w to the length sqrt(lambda). It is 1/sqrt(lambda)."),
        ("enumerate(order,", "enumerate(range(len(X)),",
         "You take the examples one after the other. Step t uses the example order[t - 1]."),
        (BALL, "0 < length < 1 / np.sqrt(lam)",
         "You scale w where it is shorter than 1/sqrt(lambda). Do so where it is longer."),
    ],
    hints=[
        "One step for each i in order, with t = 1, 2, ...; enumerate(order, start=1) counts. There is no bias: the "
        "score of X[i] is w @ X[i].",
        "Keep the three parts in their order: first ask whether the example pulls, then shrink w in every case and add "
        "the pull if it was so, then look at the length of w.",
        "If np.linalg.norm(w) is above the radius r of the ball, w times r over that length has the length r. For the "
        "average add up w at the end of every step, and divide by the number of steps.",
    ],
)


def balanced(rng, y):
    """Stakes from 0 to 1 in quarters, with sum a y = 0 and all kinds of sizes."""
    while True:
        a = rng.choice([0, 0.25, 0.5, 0.75, 1], len(y))
        if a @ y == 0 and len(set(a)) > 2:
            return a


def wagers(rng):
    for n, d in ((6, 1), (6, 2), (7, 2), (8, 3), (9, 2)):
        while True:
            z = rng.permutation(np.append([1, 1, 2, 0.5, -1], rng.choice([0, 0.25, 1.5, 2.5], n - 5)))
            X, y, theta = street(rng, z, d)
            a, lam = balanced(rng, y), float(rng.choice([0.25, 0.5, 1.0]))
            off = (z > 1) & (a > 0), (z < 1) & (a < 1), (z == 1) & (a > 0), (z == 1) & (a < 1), (z > 0) & (z < 1)
            if all(kind.any() for kind in off) and off[0].sum() != off[1].sum() and ((a * y) @ X).any():
                break
        yield X, y, a, theta, plain(lam)


V, BOUND, UNSETTLED = "(a * y) @ X / (len(y) * lam)", "np.mean(a) - lam / 2 * v @ v", \
    "np.sum((z > 1) & (a > 0)) + np.sum((z < 1) & (a < 1))"

task(
    "stakes",
    returns=("v", "bound", "gap", "unsettled"),
    cases=wagers,
    mistakes=[
        *((V, wrong, sentence) for wrong, sentence in (
            ("a @ X / (len(y) * lam)", "Your `v` lacks the labels; v = sum a y x / (n lambda)."),
            ("y @ X / (len(y) * lam)", "Your `v` lacks the stakes; v = sum a y x / (n lambda)."),
            ("(a * y) @ X / lam", "Divide by n lambda. Your `v` lacks n."),
            ("(a * y) @ X / len(y)", "Divide by n lambda. Your `v` lacks lambda."),
            ("(a * y) @ X", "Divide the sum by n lambda. Your `v` is the sum alone."),
            ("(a * y) @ X / len(y) * lam", "Divide by (n * lam), in brackets. You multiply by lambda."),
            ("(a * y)[a > 0] @ X[a > 0] / (np.sum(a > 0) * lam)",
             "You divide by the number of support vectors; n counts all examples."),
            ("w", "Your `v` is the w of theta. The stakes have a v of their own."),
        )),
        *((BOUND, wrong, sentence) for wrong, sentence in (
            ("np.sum(a) - lam / 2 * v @ v", "Take the mean of the stakes. Your `bound` sums them."),
            ("np.mean(a) + lam / 2 * v @ v", "Your `bound` adds the penalty. It is subtracted. Minimise lambda/2 "
                                             "||w||^2 - lambda w.v to see it."),
            ("np.mean(a) - lam * v @ v", "Your `bound` subtracts lambda ||v||^2. Half of that is left, as lambda/2 "
                                         "||w||^2 comes back."),
            ("np.mean(a) - lam / 2 * np.linalg.norm(v)", "Square the length of v in your `bound`."),
            ("np.mean(a) - lam / 2 * np.mean(v**2)",
             "Your `bound` takes the mean of the squares; ||v||^2 is their sum."),
            ("np.mean(a)", "Subtract lambda/2 ||v||^2. Your `bound` is the mean stake alone."),
            ("np.mean(a) - lam / 2 * w @ w", "Your `bound` knows theta. It may use the stakes alone, so take v."),
            ("np.mean(a * (1 - z))", "Your `bound` is what the stakes say at this theta. It must hold for every "
                                     "theta, so minimise over w."),
        )),
        ("(z > 1) & (a > 0)", "(z > 1) & (a == 1)",
         "Beyond the edge a part of a stake is unsettled, too: it must be 0."),
        ("w = theta[:-1]", "w = (a * y) @ X / (len(y) * lam)",
         "Your objective is that of v. It is that of theta, with its own w."),
        ("np.maximum(0, 1 - z)", "(1 - z)", "Your loss is negative beyond the edge; max(0, 1 - y f)."),
        ("np.mean(np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.sum(np.maximum(0, 1 - z)) + lam / 2 * w @ w",
         "Take the mean of the losses. Your objective sums them."),
        ("np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.maximum(0, 1 - z)) + lam / 2 * theta @ theta",
         "Leave the bias out of the penalty in your objective."),
        ("np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.maximum(0, 1 - z))", "Your objective lacks lambda/2 ||w||^2."),
        ("np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.maximum(0, 1 - z)) + lam / 2 * v @ v",
         "Your objective has the length of v. It is that of theta, with its own w."),
        ("(X @ w + theta[-1])", f"(X @ ({V}) + theta[-1])", "Take the agreements of theta. Yours are those of v."),
        ("(X @ w + theta[-1])", "(X @ w)", "Add theta[-1]. Your score misses the bias."),
        ("y * (X @ w + theta[-1])", "(X @ w + theta[-1])", "Your agreements lack the labels; z = y f."),
        *((UNSETTLED, wrong, sentence) for wrong, sentence in (
            ("np.sum((z > 1) & (a > 0))", "Your `unsettled` forgets those with slack. Their stake must be 1."),
            ("np.sum((z < 1) & (a < 1))", "Your `unsettled` forgets those beyond their edge. Their stake must be 0."),
            ("np.sum((z >= 1) & (a > 0)) + np.sum((z < 1) & (a < 1))",
             "On the edge, z = 1, any stake will do: yours asks for 0 there."),
            ("np.sum((z > 1) & (a > 0)) + np.sum((z <= 1) & (a < 1))",
             "On the edge, z = 1, any stake will do: yours asks for 1 there."),
            ("np.sum((z > 1) & (a > 0)) + np.sum((z < 1) & (a == 0))",
             "With slack a stake of 1 alone will do: you count those that are 0 there, and let 0.5 pass."),
            ("np.sum((z > 1) & (a > 0)) + np.sum((z <= 0) & (a < 1))",
             "An example inside the street has slack, too: its stake must be 1, whether it is misclassified or not."),
            ("np.sum((a > 0) & (a < 1))", "You count stakes between 0 and 1. On the edge they are as they should be."),
            (f"len(y) - ({UNSETTLED})", "Count the stakes that do not fit. You count those that do."),
            ("np.sum((a > 0) & (a < 1) & (z != 1))",
             "You count stakes between 0 and 1. Off the edge, 0 or 1 may be wrong as well."),
            (f"{UNSETTLED} + np.sum((z == 1) & ((a == 0) | (a == 1)))",
             "On the edge, z = 1, any stake will do: 0 and 1, too."),
            ("np.sum((z > 0) & (a > 0)) + np.sum((z < 0) & (a < 1))",
             "You ask on which side of the line, z = 0, an example is. What counts is the edge, z = 1."),
            ("np.sum((z > 1) & (a < 1)) + np.sum((z < 1) & (a > 0))",
             "Yours is turned round; 0 beyond the edge, 1 with slack."),
            ("np.sum(z < 1)", "Count the examples whose stake does not fit. You count those with slack."),
        )),
    ],
    hints=[
        "With a_i (1 - z_i) in place of the losses the objective is mean(a) - lambda w.v + lambda/2 ||w||^2, as the "
        "bias falls out. Which w makes that lowest?",
        "w = v does, and leaves mean(a) - lambda/2 ||v||^2. The objective of theta itself has the true losses.",
        "a (1 - z) equals max(0, 1 - z) if a = 0 and z > 1, if a = 1 and z < 1, and always if z = 1. Count where it "
        "does not.",
    ],
)


def moves(rng):
    """Moves that end inside, at the end of stake i and at that of stake j; up and down; alike and different labels."""
    told = [(c, same, kind) for c in (False, True) for same in (False, True) for kind in ("inside", "cut")] * 2
    for curved, same, kind in told[:12]:
        while True:
            n, d = int(rng.integers(4, 7)), int(rng.integers(1, 4))
            X, y = quarters(rng, n, d), labels(rng, n)
            a, lam = balanced(rng, y), float(rng.choice([0.125, 0.5, 1.0]))
            i, j = (int(k) for k in rng.permutation(n)[:2])
            if (y[i] == y[j]) != same or np.array_equal(X[i], X[j]) or not ((a * y) @ X).any():
                continue
            free, _ = two_stakes(X, y, a, i, j, lam, curved)
            K = (1 + X @ X.T) ** 2 if curved else X @ X.T
            bend, g = K[i, i] + K[j, j] - 2 * K[i, j], K @ (a * y) / (n * lam)
            rise = (y[i] - y[j]) - (g[i] - g[j])
            if bend < 0.2 or abs(rise) < 0.1 or abs(g[i] - g[j]) < 0.1 or np.abs(free - a).max() < 0.05:
                continue
            s = n * lam * rise / bend
            after = a[i] + y[i] * s, a[j] - y[j] * s
            out = [not -0.1 < e < 1.1 for e in after]
            if any(out) == (kind == "cut") and (kind == "cut" or all(0.02 < e < 0.98 for e in after)):
                break
        yield X, y, a, i, j, plain(lam), curved


two_stakes = solution("two_stakes")
BEND, RISE, CLIP = "(K[i, i] + K[j, j] - 2 * K[i, j])", "(y[i] - y[j]) - (g[i] - g[j])", \
    "s = np.clip(s, max(ends_i[0], ends_j[0]), min(ends_i[1], ends_j[1]))"
PROVED = "np.mean(new) - lam / 2 * pulls @ K @ pulls"

task(
    "two_stakes",
    returns=("stakes", "bound"),
    cases=moves,
    mistakes=[
        *((BEND, wrong, sentence) for wrong, sentence in (
            ("(K[i, i] + K[j, j])", "Below the line you leave out -2 K_ij: it is the squared distance of the two."),
            ("(K[i, i] + K[j, j] + 2 * K[i, j])", "Below the line the sign of 2 K_ij is wrong: ||x_i - x_j||^2."),
            ("(K[i, i] + K[j, j] - K[i, j])", "Below the line K_ij counts twice: ||x_i - x_j||^2."),
            ("((X[i] - X[j]) @ (X[i] - X[j]))", "Take the kernel if `curved`. Below the line you always take dot "
                                                "products."),
            ("np.sqrt(K[i, i] + K[j, j] - 2 * K[i, j])", "Divide by the squared distance, not by the distance."),
            ("(2 * (K[i, i] + K[j, j] - 2 * K[i, j]))", "Your s is half of the best. The 1/2 of lambda/2 goes with "
                                                        "the derivative of the square."),
        )),
        *((RISE, wrong, sentence) for wrong, sentence in (
            ("(y[i] - y[j]) + (g[i] - g[j])", "Subtract g_i - g_j. The scores have the wrong sign in your s."),
            ("(y[i] - y[j])", "Subtract g_i - g_j. Your s forgets what the stakes give already."),
            ("(y[i] + y[j]) - (g[i] - g[j])", "Take the difference of the labels. Your s adds them."),
            ("2 - (g[i] - g[j])", "Your s takes 2 for the difference of labels. It is 0 if they are alike, and may be "
                                  "-2."),
            ("-(g[i] - g[j])", "Your s lacks the labels. The mean stake grows by s (y_i - y_j) / n."),
        )),
        ("s = n * lam * (", "s = lam * (", "Your s lacks n. The derivative leaves n lambda."),
        ("s = n * lam * (", "s = (", "Multiply your s by n lambda."),
        ("s = n * lam * (", "s = -n * lam * (", "Your move goes down. The bound is to rise."),
        ("K @ (a * y) / (n * lam)", "K @ (a * y)", "Divide by n lambda. Your scores lack 1/(n lambda)."),
        ("K @ (a * y) / (n * lam)", "K @ a / (n * lam)", "Take the sum of a y K. Your scores lack the labels."),
        (CLIP, "pass", "Your stakes leave the range from 0 to 1; s goes only as far as the first of the two allows."),
        (CLIP, "pass", "new[i] += y[i] * s", "new[i] = np.clip(new[i] + y[i] * s, 0, 1)",
         "new[j] -= y[j] * s", "new[j] = np.clip(new[j] - y[j] * s, 0, 1)",
         "Cut off s, not each stake by itself. Otherwise the stakes are no longer balanced."),
        (CLIP, "s = np.clip(s, ends_i[0], ends_i[1])", "You look at stake i alone; j must stay in its range, too."),
        (CLIP, "s = np.clip(s, ends_j[0], ends_j[1])", "You look at stake j alone; i must stay in its range, too."),
        (CLIP, "s = np.clip(s, max(-a[i], a[j] - 1), min(1 - a[i], a[j]))",
         "Your limits of s are those for two positive labels. The stakes become a_i + y_i s and a_j - y_j s."),
        (CLIP, "s = min(s, ends_i[1], ends_j[1])", "Your s has no lower end; a stake may not fall below 0 either."),
        (CLIP, "s = max(s, ends_i[0], ends_j[0])", "Your s has no upper end; a stake may not rise above 1 either."),
        *((CLIP, f"s = np.clip(s, {least}, 1)", f"You keep s from {least} to 1: the stakes are to stay from 0 to 1, "
           "not s.") for least in (0, -1)),
        (CLIP, "s = np.clip(s, 0, min(ends_i[1], ends_j[1]))", "Your s is never negative; a stake may have to fall."),
        ("new[i] += y[i] * s", "new[i] += s", "new[j] -= y[j] * s", "new[j] -= s",
         "Your stakes move by s and -s. With the labels, y_i s and -y_j s, they stay balanced."),
        ("new[j] -= y[j] * s", "new[j] += y[j] * s", "Both stakes move alike in yours: a_j goes by -y_j s."),
        ("new[j] -= y[j] * s", "pass", "Stake j does not move: alone, stake i upsets the balance."),
        ("(1 + K) ** 2", "K**2", "The 1 belongs inside the square of the kernel; (1 + x.x')^2."),
        ("(1 + K) ** 2", "K", "Your stakes always move as with dot products. If `curved`, square 1 + x.x'."),
        ("    if curved:\n        K = (1 + K) ** 2", "    K = (1 + K) ** 2",
         "You always take the kernel. Only if `curved`."),
        *((PROVED, wrong, sentence) for wrong, sentence in (
            ("np.mean(a) - lam / 2 * (a * y) @ K @ (a * y) / (n * lam) ** 2",
             "Take the new stakes. Your `bound` is that of the stakes before the move."),
            ("np.mean(new) - lam / 2 * (pulls * y) @ K @ (pulls * y)",
             "Your `bound` lacks the labels; v is the sum of a y x / (n lambda)."),
            ("np.sum(new) - lam / 2 * pulls @ K @ pulls", "Take the mean of the stakes. Your `bound` sums them."),
            ("np.mean(new) - lam * pulls @ K @ pulls",
             "Subtract lambda/2 ||v||^2. Your `bound` subtracts twice that."),
            ("np.mean(new) + lam / 2 * pulls @ K @ pulls", "Your `bound` adds the penalty. It is subtracted."),
            ("np.mean(new) - pulls @ K @ pulls", "Your `bound` lacks lambda/2 before ||v||^2."),
            ("np.mean(new) - lam / 2 * (new * y) @ K @ pulls",
             "In your `bound` ||v||^2 is divided by n lambda once: v is, so its square is twice."),
            ("np.mean(new) - lam / 2 * (new * y) @ K @ (new * y)", "In your `bound` ||v||^2 lacks 1/(n lambda)^2."),
            ("np.mean(new) - lam / 2 * (pulls @ X) @ (pulls @ X) + 0 * K[0, 0]",
             "Your `bound` takes v from X, whatever the kernel; ||v||^2 is the double sum over K."),
        )),
        (then(stakes=lambda stakes, i, j: stakes[[i, j]]), "Return all n. You return the two stakes alone."),
    ],
    hints=[
        "The move adds s (y_i - y_j) / n to the mean stake, and s (x_i - x_j) / (n lambda) to v. Set the derivative "
        "with respect to s to 0.",
        "Below the line is ||x_i - x_j||^2 = K_ii + K_jj - 2 K_ij. For which s is a_i + y_i s equal to 0, for which to "
        "1? The same for a_j - y_j s.",
        "The lower end for s is the larger of the two lower ends, the upper end the smaller of the upper ones; "
        "np.clip. With p = a y / (n lambda) of the new stakes, ||v||^2 is p @ K @ p.",
    ],
)


def drags(rng):
    """The old mails are stronger; the dragged one is, and has stake left; it is, and owes slack."""
    for n, because in ((3, 1), (4, 1), (5, 1), (4, 2), (6, 2), (3, 3), (5, 3)):
        while True:
            c, y = rng.integers(2, 13, n) / 4, labels(rng, n)
            D = 12.25 if n == 6 else rng.integers(2, 60) / 4  # 12.25 w is exactly 1 for no w: rounding sees to that
            lam = float(rng.choice([0.0625, 0.125, 0.5, 1.0]))
            limit, w, _, why = drag(y * c, y, D, lam)
            pays = D * (D - limit) / ((n + 1) * lam)  # below 1 the dragged one owes slack
            slack = np.append(c, -D) @ (np.append(c, -D) * w <= 1)
            if why == because and abs(D - limit) > 0.3 and abs(w) > 0.01 and not 0.9 < pays < 1.1 and (
                    np.ptp(c) > 0.5 and (why > 1 or (abs(slack) > 0.1 and c.max() < D and (c * w > 1.05).any()))):
                break
        yield y * c, y, plain(D), plain(lam)
    y = labels(rng, 4)  # close mails, for which the best w is far from 0
    yield y * rng.permutation([0.5, 0.5, 0.75, 2]), y, float(rng.choice([0.25, 0.5])), 0.0625


drag = solution("drag")
LIMIT, BECAUSE, STEEP = "np.sum(c[:-1])", "1 if w > 0 else 2 if abs(-D * w - 1) < 1e-6 else 3", \
    "lam * w - np.mean(c * (c * w <= 1))"
LIGHT = "Your penalty counts too little, or not at all. The slope is lambda w minus the mean of the pulls."
WRONG_COUNT = "np.sum(c * w <= 0), because"

task(
    "drag",
    returns=("limit", "w", "wrong", "because"),
    cases=drags,
    tolerance=2e-6,
    mistakes=[
        *((f"limit = {LIMIT}", f"limit = {wrong}", sentence) for wrong, sentence in (
            ("np.max(c[:-1])", "Add up all n old emails, which pull together. Your `limit` is the farthest one."),
            ("np.sum(x)", "Your `limit` lacks the labels. The pulls are y x."),
            ("1 / np.min(c[:-1])", "Return the D at which the pulls at w = 0 balance. Your `limit` is a w."),
        )),
        ("return limit, w,", "return np.sum(c[:-1]) / (len(c)), w,",
         "Your `limit` is divided; n + 1 is on both sides, the dragged email's pull is divided by it as well."),
        *((STEEP, wrong, sentence) for wrong, sentence in (
            ("lam * w - np.mean(c)", "Let only emails with y f <= 1 pull. In yours all of them do."),
            ("-np.mean(c * (c * w <= 1))", LIGHT),
            ("lam / 2 * w - np.mean(c * (c * w <= 1))", LIGHT),
            ("2 * lam * w - np.mean(c * (c * w <= 1))",
             "The slope of lambda/2 w^2 is lambda w. Yours is twice that."),
            ("lam * w - np.sum(c * (c * w <= 1))", LIGHT),
            ("lam * w - np.sum(c * (c * w <= 1)) / len(x)",
             "Divide by n + 1, because the dragged email counts, too."),
            ("lam * w - np.mean(c * (c * w <= 0))", "Let all emails with y f <= 1 pull. In yours only the "
                                                    "misclassified ones do."),
            ("lam * w - np.mean(np.where(c * w <= 1, np.sign(c), 0))",
             "Let every email pull by its stake times its distance, y x. In yours each pulls by 1."),
            ("lam * w - np.mean(c[:-1] * (c[:-1] * w <= 1))",
             "Add the dragged email to the data. Your `w` is that of the old emails alone."),
        )),
        ("c = np.append(x * y, -D)", "c = np.append(x * y, D)",
         "Give the dragged email the label +1 at -D. Yours does not pull against the others."),
        ("low, high = -D / lam", "low, high = 0", "Your `w` is never negative. Beyond the limit the best one is."),
        ("return limit, w,", "return limit, 1 / D if w > 0 else w,",
         "Look for the w where the slope changes sign. Your `w` puts the dragged email's distance on the edge."),
        *((WRONG_COUNT, f"{wrong}, because", sentence) for wrong, sentence in (
            ("np.sum(c * w > 0)", "Count those with y f <= 0. Your `wrong` counts the right ones."),
            ("np.sum(c[:-1] * w <= 0)", "Count all n + 1. Your `wrong` leaves out the dragged email."),
            ("np.mean(c * w <= 0)", "Return a count. Your `wrong` is a share."),
            ("np.sum(c * w < 1 - 1e-6)", "Your `wrong` counts those with slack. Misclassified is y f <= 0."),
            ("np.sum(c * w < 1 + 1e-6)", "Your `wrong` counts those with slack. Misclassified is y f <= 0."),
            ("1", "Your `wrong` is always 1. Beyond the limit it is the old emails that are wrong."),
            ("np.sum(np.sign(np.append(x, -D) * w) != 1)",
             "Compare the scores with the labels, y f <= 0. Your `wrong` counts negative scores."),
        )),
        *((BECAUSE, wrong, sentence) for wrong, sentence in (
            ("1 if w > 0 else 2", "Your `because` is never 3: does the dragged email reach its edge, D |w| = 1?"),
            ("1 if w > 0 else 3", "Your `because` is never 2. Where D |w| = 1 but for rounding it is on its edge."),
            ("1 if w > 0 else 3 if abs(-D * w - 1) < 1e-6 else 2",
             "Your reasons 2 and 3 are exchanged. On its edge it needs a part of its stake alone."),
            ("2 if w > 0 else 1 if abs(-D * w - 1) < 1e-6 else 3",
             "Your reasons 1 and 2 are exchanged. Where w > 0 the old emails won."),
        )),
    ],
    hints=[
        "With c = y x of all n + 1 emails (that of the dragged one is -D) the objective is mean(max(0, 1 - c w)) + "
        "lambda/2 w^2. What is its slope at w = 0?",
        "At w = 0 all pull: the slope is -(sum of the old c - D) / (n + 1). In general it is lambda w minus the mean "
        "of those c with c w <= 1. It rises with w, so halve an interval 80 times.",
        "Begin with the interval from -D/lambda to sum(c)/lambda. If w < 0, the dragged email has the agreement D "
        "|w|: 1 on its edge, less if it owes slack.",
    ],
)
