"""A plank to turn, slacks, forces in balance, a descent to fix, Pegasos, a bound, two stakes, an email dragged."""

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
         "Measure from the largest negative u.x to the smallest positive one. You measure between the far sides of the "
         "classes."),
        ("shadows[y < 0].max(axis=0), shadows[y > 0].min", "shadows[y > 0].max(axis=0), shadows[y < 0].min",
         "Take the smallest u.x of the positive ones minus the largest negative one. Your classes are swapped."),
        ("shadows[y < 0].max(axis=0), shadows[y > 0].min", "shadows[y < 0].mean(axis=0), shadows[y > 0].mean",
         "Measure between the closest examples, because they limit the street. Your gap lies between the means."),
        (GAPS, "gaps = np.abs(high - low)",
         "Keep the sign of the gap, because a negative one means overlap. You take its size."),
        ("np.radians(degrees)", "np.asarray(degrees)",
         "Convert the angles with np.radians(degrees), because np.cos and np.sin take radians."),
        ("[np.cos(angles), np.sin(angles)]", "[np.sin(angles), np.cos(angles)]",
         "Swap cosine and sine. The direction is u = (cos, sin)."),
        ("np.argmax(gaps)", "np.argmax(np.abs(gaps))",
         "Compare with the sign, because a negative gap is no street. You look for the gap that is largest in size."),
        ("np.argmax(gaps)", "np.argmin(gaps)", "Take the largest gap. You take the narrowest street."),
        (then(angle=lambda angle, degrees: int(np.argmax(degrees == angle))),
         "Return the entry of `degrees`. Your `angle` is its place in the list."),
        ("np.argmax(gaps)", "int(np.argmax(gaps > 0))",
         "Take the direction with the largest gap. You take the first one that separates."),
        (BACK, "return angles[k], gaps[k]", "Return the entry of `degrees`. Your `angle` is in radians."),
        *((BACK, f"return degrees[k], gaps[k] / {by}", "Return the whole width. Your `gap` is the margin, half of it.")
          for by in ("2", "(1 + (gaps[k] > 0))")),
        *((BACK, f"return degrees[k] if gaps[k] > 0 else {none}, max(gaps[k], 0)",
           "Begin at -np.inf. Your search begins at 0 and finds nothing where all gaps are negative.")
          for none in (None, 0)),
        (then(gap=lambda gap: max(gap, 0)), "Leave it negative where the classes overlap. Your `gap` is cut off at 0."),
        *((LINE, wrong, sentence) for wrong, sentence in (
            *((f"np.append(U[:, k], -(low[k] + high[k]) / {by})",
             "Make ||w|| = 2/gap, because f must go from -1 to +1 over the whole gap. Yours is "
             "1.") for by in ("2", "gaps[k]")),
            *((f"np.append(U[:, k], -(low[k] + high[k]) / {by}) / gaps[k]",
             "Make ||w|| = 2/gap, because f must grow by 2 from edge to edge. Yours is 1/gap.") for by in ("2", "1")),
            ("np.append(2 * U[:, k], low[k] + high[k]) / gaps[k]",
             "Flip the sign of the bias, because in the middle of the street w.x + b must be 0."),
            ("np.append(2 * U[:, k] / gaps[k], -(low[k] + high[k]) / 2)",
             "Let the bias be -w.x in the middle of the street, with the w that you return. Yours belongs to weights "
             "of length 1."),
            ("np.append(2 * U[:, k], 0) / gaps[k]",
             "Let the bias put the line in the middle of the gap. Yours goes through the origin."),
            ("np.append(2 * U[:, -1], -(low[-1] + high[-1])) / gaps[k]",
             "Keep the best direction, with both ends. Your `theta` has the one that was tried last."),
            ("np.append(2 * U[:, k], -2 * high[k]) / gaps[k]",
             "Put the line halfway between the edges. Yours lies on the positive edge."),
            ("np.append(2 * U[:, k], -2 * low[k]) / gaps[k]",
             "Put the line halfway between the edges. Yours lies on the negative edge."),
            ("2 * U[:, k] / gaps[k]", "Return three numbers, the bias last. Your `theta` has lost it."),
            ("np.append(-(low[k] + high[k]), 2 * U[:, k]) / gaps[k]",
             "Put the bias last in theta, not first."),
            ("np.append(2 * U[:, k], -(low[k] + high[k])) * gaps[k]",
             "Make ||w|| = 2/gap, because a wide street has a short w. Yours grows with the gap."),
        )),
        *((f"if gaps[k] > 0 else {old}", new,
           "Return None for `theta` where the gap is not positive, because there is no street.")
          for old, new in (("None", ""), ("None", "if gaps[k] > 0 else np.zeros(3)"),
                           ("None", "if gaps[k] > 0 else 0"), ("None", "if gaps[k] > 0 else []"))),
        ("k = np.argmax(gaps)", "k = np.argmax(gaps > 0) if (gaps > 0).any() else np.argmax(gaps)",
         "Look for the largest gap of all. You take the first angle with a positive one."),
    ],
    hints=[
        "One direction first: X @ u has a number for each example. Which two of these numbers are the ends of the gap?",
        "Keep the best direction with its two ends. From one end to the other f must go from -1 to +1: how long is w?",
        "w = 2 u / gap. The bias is what makes f = 0 halfway: b = -w.x for u.x = (low + high) / 2.",
    ],
)


SLACK, BEHIND = "slack = np.maximum(0, 1 - z)", "slack / length"
ON = "np.abs(z - 1) <= 1e-6"
NO_1 = "Give an example on its edge kind 1. Your `kind` is never 1."
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
    tolerance=2e-6,
    mistakes=[
        *((Z, wrong, sentence) for wrong, sentence in (
            ("(X @ theta[:-1] + theta[-1])", "Multiply by y, because an agreement is y f."),
            ("abs(X @ theta[:-1] + theta[-1])", "Take y f. You take |f|, which forgets the side of the line."),
            ("y * (X @ theta[:-1])", "Add the bias to the score: f = X @ theta[:-1] + theta[-1]."),
            ("y * (X @ theta[1:] + theta[0])", "Take the last entry of theta for the bias, not the first."),
            ("-y * (X @ theta[:-1] + theta[-1])",
             "Flip the sign of the agreements. On its own side an example has y f > 0."),
            (f"{Z} / np.linalg.norm(theta[:-1])",
             "Divide only `behind` by ||w||; slack is 1 - y f. You take distances for agreements."),
        )),
        (LENGTH, "np.linalg.norm(theta)",
         "Measure the weights alone, because ||w|| leaves the bias out. You measure all of theta."),
        (LENGTH, "(theta[:-1] @ theta[:-1])", "Take the square root. You divide by ||w||^2."),
        ("return 1 / length", "return 2 / length",
         "Take half the width, 1/||w||. Your `margin` is the whole width of the street."),
        ("return 1 / length", "return z.min() / length",
         "Take what the weights claim, 1/||w||. Your `margin` is the distance of the closest example."),
        *((SLACK, f"slack = {wrong}", sentence) for wrong, sentence in (
            ("np.abs(1 - z)", "Use max(0, 1 - y f) as the slack. |1 - y f| grows beyond the edge as well."),
            ("np.maximum(0, -z)", "Begin at the edge, max(0, 1 - y f). Your slack begins at the line."),
            ("np.clip(1 - z, 0, 1)", "Let slack grow without limit. A misclassified example has a slack of 1 or more."),
            ("np.maximum(0, z - 1)",
             "Take what is missing to 1. Your slack says how far beyond its edge an example lies."),
        )),
        (f"slack, {BEHIND}", "slack, slack",
         "Divide by ||w|| to get a distance. Your `behind` is the slack itself."),
        (f"slack, {BEHIND}", "slack, slack * length", "Divide by ||w||. Your `behind` is multiplied by it."),
        (f"slack, {BEHIND}", "slack, np.maximum(0, -z) / length",
         "Measure `behind` from the edge of the street, slack / ||w||. Yours is measured from the line."),
        (f"slack, {BEHIND}", "slack, np.abs(z) / length",
         "Measure to the edge, slack / ||w||. Your `behind` is the distance to the line."),
        (f"slack, {BEHIND}", "slack, np.abs(1 - z) / length",
         "Let `behind` be 0 beyond the edge. Yours grows there, too."),
        *((ON, wrong, "Ask for kind 1 earlier. By the time you do, what lies within 1e-6 of the edge has another kind.")
          for wrong in ("False", "z == 99, 1, np.where(z == 1, 2, 99)) + 0 * np.where(False", f"({ON}) & (z >= 1)",
                        f"({ON}) & (z <= 1)")),
        (ON, "False", "np.where(z < 1, 2, 0)", "np.where(z <= 1, 2, 0)", NO_1),
        (ON, "z == 1", "Leave room for rounding. |z - 1| <= 1e-6 is on the edge, too."),
        (ON, "np.isclose(z, 1)",
         "Use a tolerance of 1e-6. Yours is wider (that of np.isclose is 1e-5 unless you say so)."),
        ("kind = np.where(z <= 0, 3, np.where(np.abs(z - 1) <= 1e-6, 1, np.where(z < 1, 2, 0)))",
         "kind = np.where(z > 0, 2, 3)",
         "Ask for kinds 0 and 1 first. You ask for z > 0, which is true beyond the edge and on it as well."),
        (ON + ", 1", ON + ", 0", "z < 1, 2, 0", "z < 1, 2, 1", "Swap kinds 0 and 1. Kind 1 is on the edge."),
        (ON, "z >= 1", "Give what lies beyond the edge kind 0. Yours has kind 1."),
        ("z <= 0", "z < 0", "Give an example on the line, z = 0, kind 3, because it is misclassified."),
        ("z <= 0", "z < 1 - 1e-6",
         "Give kind 2 to what is inside the street but on its right side. Misclassified are those with z <= 0 alone."),
        ("z <= 0", "z <= -1",
         "Give kind 3 where z <= 0. An example beyond the line is misclassified, not only one beyond the other edge."),
        ("np.where(z < 1, 2, 0)", "np.where(z < 1, 0, 2)", "Swap kinds 0 and 2. Kind 2 is inside the street."),
        ("z <= 0, 3", "z <= 0, 2", "z < 1, 2", "z < 1, 3",
         "Swap kinds 2 and 3. Kind 2 is right but inside the street, kind 3 is misclassified."),
        (then(kind=lambda kind: 1 * (kind > 0)),
         "Tell four kinds apart. Your `kind` says only who is a support vector."),
    ],
    hints=[
        "Everything comes from z = y * (X @ theta[:-1] + theta[-1]) and the length of the weights.",
        "f grows by ||w|| with every step of length 1. If z is short of 1 by the slack, how far does the "
        "example lie behind its edge?",
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
         "Stop at the end of the segment, which then bears everything. Beyond it one of your forces is negative."),
        *(("np.clip(t, 0, 1)", wrong, "Keep the share from 0 to 1. You stop at one end of the segment alone.")
          for wrong in ("min(t, 1)", "max(t, 0)")),
        (RATIO, "(p - q) @ (r - q) / (r @ r)",
         "Measure r - q, from one end to the other. The denominator of your share is r . r."),
        (RATIO, "1 / 2", "Take the closest point of the segment. You take the middle of q and r."),
        ("t = np.clip(t, 0, 1)", "t = 1 * (t > 1 / 2)",
         "Share the load, unless the closest point is an end. You let the closer of q and r bear everything."),
        (RATIO, "(p - q) @ (r - q) / np.linalg.norm(r - q)",
         "Divide by the squared length of r - q. Your share is a length."),
        (OFFSET, "-w @ (p + q) / 2",
         "Choose the bias so that the score of p is 1. Yours puts q on the edge, where it need not be."),
        (SHARED, "pull * t, pull * (1 - t)", "Swap the shares of q and r, because the closer one bears more."),
        (SHARED, "pull / 2, pull / 2", "Give the closer of q and r the larger force. Yours are equal."),
        (SHARED, "-pull * (1 - t), -pull * t",
         "Make all forces positive, because y already gives the sign."),
        *(("[pull, pull", f"[{p}, pull",
         "Balance the forces. That of p is as large as those of q and r together.") for p in ("1", "pull / 2")),
        (then(alpha=lambda alpha: np.array(alpha) / np.sum(alpha)),
         "Choose the size that makes w = sum alpha y x. Your forces add up to 1."),
        (then(alpha=lambda alpha: np.array(alpha) / 2),
         "Choose the size that makes w = sum alpha y x. Your forces are half as large."),
        (then(alpha=lambda alpha: np.array(alpha) / alpha[0]),
         "Choose the size that makes w = sum alpha y x. Your `alpha` has the shares alone."),
        *(("2 / (across @ across)", wrong, sentence) for wrong, sentence in (
            ("2 / np.sqrt(across @ across)",
             "Take w = 2 across / ||across||^2, because f grows by 2 from edge to edge. You divide by the distance."),
            ("1 / (across @ across)",
             "Let f grow by 2 from edge to edge, from -1 to +1. Your street is twice as wide."),
        )),
        *(("w = pull * across", f"w = {wrong}", sentence) for wrong, sentence in (
            ("-pull * across", "Turn the weights around, from the negative side to p. Yours point the other way."),
            ("pull / 2 * across", "Take w = 2 across / ||across||^2. Yours is half as long."),
            ("across", "Take w = 2 across / ||across||^2. Yours is `across` itself."),
            ("across / np.linalg.norm(across)",
             "Take w = 2 across / ||across||^2, because f grows by 2 from edge to edge. Yours has length 1."),
        )),
        ("across = p - (q + t * (r - q))", "across = p - (q if t < 0.5 else r)",
         "Take the closest point of the segment, which lies between q and r. You take the closer end."),
        (OFFSET, "-w @ (2 * p - across)",
         "Put the line halfway between p and the closest point. Your bias lacks the half."),
        (OFFSET, "-w @ p", "Choose the bias so that f(p) = 1. Your line goes through p."),
        (OFFSET, "1 + w @ p", "Subtract w.p from 1, because w.p + b = 1. You add it."),
        (OFFSET, "w @ p - 1", "Flip the sign of the bias: w.p + b = 1."),
        (OFFSET, "-w @ (p - across)", "Make f -1 at the closest point, and +1 at p. Yours is 0 at the closest point."),
        (OFFSET, "0", "Choose the bias so that f(p) = 1. Yours is 0."),
        (OFFSET, "-1 - w @ p", "Make f(p) +1, because p is positive. Yours is -1."),
        ("1 / (n * pull), pull", "pull / n, pull", "Solve alpha = 1/(n lambda) for lambda. Your `lam` is upside down."),
        *(("1 / (n * pull), pull", f"1 / (n * {weakest}), pull",
           "Use the largest force, because it reaches its limit first. Your `lam` uses the smallest.")
          for weakest in ("min(a for a in alpha if a > 0)", "min(alpha)")),
        ("1 / (n * pull), pull", "1 / (n * sum(alpha)), pull",
         "Use the largest force, because each has a limit of its own. Your `lam` uses their sum."),
        ("1 / (n * pull), pull", "1 / (n * max(alpha[1:])), pull",
         "Look at p, whose force is the largest and reaches its limit first. Your `lam` forgets it."),
        ("1 / (n * pull), pull", "1 / (3 * pull), pull", "Count all n examples. Your `lam` counts three."),
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
UPHILL = (
    "Your `best` is the start in every case, so no step of yours lowers the objective. Check who pulls, z <= 1, and "
    "the sign of the step.")
GOES_ON = (
 "Keep a copy of the best theta, because theta -= ... changes the array under all its names. Your `best` is theta as "
 "the loop leaves it.")
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
        (*FREE[:2], *PULLS[:2], *MEAN[:2], *NEW[:2],
         "Look for four faults. You return the colleague's descent as it was."),
        (*PULLS[:2], *MEAN[:2], "Fix two more faults. Examples with z <= 1 pull, and their pulls are averaged."),
        (*FREE[:2], *MEAN[:2], "Fix two more faults. The bias costs nothing, and the slope of the losses is a mean."),
        (*FREE[:2], *PULLS[:2], "Fix two more faults. The bias costs nothing, and examples with z <= 1 pull."),
        *((*NEW[:2], *more[:2], GOES_ON) for more in (FREE, PULLS, MEAN)),
        (VALUE, "lam / 2 * theta @ theta",
         "Leave the bias out of the penalty in your objective, as your slope does."),
        ("+ lam * w", "+ lam * theta", "Leave lambda out of the last entry of your slope, because the bias isn't "
                                       "penalized."),
        (VALUE, "lam * w @ w", "Take lambda/2 ||w||^2. Your objective has lambda ||w||^2."),
        (VALUE, "lam / 2 * np.linalg.norm(w)",
         "Square the length of w in the penalty. Your objective has the length itself."),
        (VALUE, "0", "Add the penalty to the objective. Your `lowest` is the mean loss alone."),
        *((SLOPE, wrong, sentence) for wrong, sentence in (
            (SLOPE.replace("<= 1", "< 1"), "Let an example at z = 1 exactly pull, too, by asking z <= 1."),
            (SLOPE.replace("<= 1", "<= 9e9"),
             "Let no example pull beyond z = 1, where the slope of the hinge is 0. All of yours do."),
            ("-(1.0 * (z <= 1)) @ Z / len(X) + lam * w", "Multiply by the labels: an example's slope is -y (x, 1)."),
            ("(y * (z <= 1)) @ Z / len(X) + lam * w",
             UPHILL),
            ("-(y * (z <= 1)) @ Z / len(X)", "Add lambda w. Your slope has no penalty."),
            ("-(y * (z <= 1)) @ Z / len(X) + 2 * lam * w",
             "Take lambda w, the slope of lambda/2 ||w||^2. Yours is twice that."),
            ("-(y * (z <= 1)) @ Z / len(X) + lam / 2 * w",
             "Take lambda w, the slope of lambda/2 ||w||^2. Yours is half of that."),
            ("-(y * (z <= 1)) @ Z / (2 * len(X)) + lam * w",
             "Divide by n. Your slope of the losses is half of what it should be."),
            ("-(y * (z <= 1)) @ Z / len(X) - lam * w", "Add lambda w. Your slope subtracts it."),
            ("-(y * (z <= 1)) @ Z / max(1, np.sum(z <= 1)) + lam * w",
             "Divide by n. You divide by the number that pull."),
            ("(-(y * (z <= 1)) @ Z + lam * w) / len(X)",
             "Average only the losses. You divide the penalty by n as well."),
            ("-(y * (z <= 1)) @ Z / len(X) * np.append(np.ones(len(w) - 1), 0) + lam * w",
             "Move the bias, too. It costs nothing, but the losses pull it."),
        )),
        ("theta - eta * slope", "theta + eta * slope", UPHILL),
        ("theta - eta * slope", "theta - eta / (_ + 1) * slope", "Keep eta as it is. Your steps become shorter."),
        ("theta = theta - eta * slope", "theta = np.append(theta[:-1] - eta * slope[:-1], theta[-1])\n        "
         "theta[-1] += eta * np.mean(y * (y * (Z @ theta) <= 1))",
         "Take both slopes at the same theta. You move the bias by a slope at the new weights."),
        ("            lowest, best = value, theta", "            lowest, best = value, None",
         "theta = theta - eta * slope", "theta = theta - eta * slope\n        best = theta if best is None else best",
         "Keep theta before the step. Your `best` is one step further than its objective."),
        ("range(steps + 1)", "range(steps)", "Look at the last iterate, too. range(steps + 1) reaches it."),
        ("value < lowest", "value < lowest and theta.any() or steps == 0",
         "Look at the start, too, because it may be the best."),
        (LOSS, "np.sum(np.maximum(0, 1 - z))", "Take the mean of the losses. Your objective sums them."),
        (LOSS, "np.mean(z <= 0)", "Judge by the objective. You judge by the share of errors."),
        ("value < lowest", "value <= lowest", "Keep the first of equally low objectives. You keep the last."),
        ("value < lowest", "True", "Return the iterate with the lowest objective. You return the last one."),
        (then(best=lambda best: best[:-1]), "Keep the bias in `best`. Yours has lost it."),
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
        ("start=1", "start=2", "Start at t = 1, where eta = 1/lambda. Your t starts at 2."),
        ("1 / (lam * t)", "1 / t", "Take the step size 1/(lambda t). Yours is 1/t."),
        ("1 / (lam * t)", "1 / t", SHRINK, "(1 - eta) * w",
         "Add eta y x with eta = 1/(lambda t). You add y x / t."),
        ("1 / (lam * t)", "1 / lam", "Let the step size fall, 1/(lambda t). Yours stays 1/lambda."),
        ("lam * t", "lam * np.sqrt(t)", "Take the step size 1/(lambda t). Yours falls with the square root of t."),
        ("1 / (lam * t)", "lam / t", "Divide by lambda, because the step size is 1/(lambda t). Yours is lambda/t."),
        ("< 1", "<= 1", "Ask y f < 1, because in the paper an example at y f = 1 exactly doesn't pull."),
        ("< 1", "<= 0",
         "Ask y f < 1, because an example pulls inside the street, too, not only when it is misclassified."),
        ("< 1", "> 1",
         "Let an example pull when y f < 1. At w = 0 every agreement is 0, but your w stays 0."),
        ("< 1", "< np.inf", "Let only those with y f < 1 pull. In yours every example does."),
        ("eta * y[i]", "eta", "Add eta y x. The pull lost its label."),
        ("w + eta", "w - eta",
         "Add eta y x, so that the agreement of this example grows. The pull has the wrong sign."),
        ("w = (1", "(1", "Multiply w by 1 - eta lambda first, in every step. Yours never shrinks."),
        (SHRINK, "(1 - pulls * eta * lam) * w",
         "Shrink w in every step, outside the if. Yours shrinks only when the example pulls."),
        (SHRINK, "(1 - (not pulls) * eta * lam) * w",
         "Shrink w in every step. Yours shrinks only when the example does not pull."),
        (SHRINK, "(1 - lam) * w", "Shrink by the factor 1 - eta lambda, which is 1 - 1/t. Yours is 1 - lambda."),
        *((SHRINK, f"(1 - {factor}eta * lam) * w",
           f"Shrink by 1 - eta lambda, because the slope of lambda/2 ||w||^2 is lambda w. Your w shrinks {word}.")
          for factor, word in (("0.5 * ", "half as much as it should"), ("2 * ", "twice as much as it should"))),
        (SHRINK, "(1 + eta * lam) * w", "Shrink w by the factor 1 - eta lambda. Yours grows."),
        (SHRINK, "w", "length = ", "w = (1 - eta * lam) * w\n        length = ",
         "Shrink w first, then add eta y x. You shrink it after the pull, and the pull, too."),
        ("pulls = y[i] * (w @ X[i])", f"pulls = y[i] * ({SHRINK} @ X[i])",
         "Take y f with w as the step finds it. You shrink w before you look at the example."),
        ("y[i] * (w @ X[i])", "abs(w @ X[i])",
         "Ask for the agreement y f, whose sign says on which side an example lies. You ask only how far it is from "
         "the line."),
        (BALL, "length > 1 / lam",
         "Shorten w where it is longer than 1/sqrt(lambda). You wait for 1/lambda."),
        (BALL, "False",
         "Shorten w to the length 1/sqrt(lambda) where it is longer. That last part of the step is missing."),
        (BALL, "length > 1 / lam", BACK, "w / (length * lam)",
         "Shorten w to the length 1/sqrt(lambda). You let it be 1/lambda long."),
        (BALL, "length > np.sqrt(lam)", BACK, "w / length * np.sqrt(lam)",
         "Shorten w to the length 1/sqrt(lambda). You let it be sqrt(lambda) long."),
        (BALL, "length > 1", BACK, "w / length", "Shorten w to the length 1/sqrt(lambda). You let it be 1 long."),
        (BALL, "length > 0",
         "Shorten w only where it is longer than 1/sqrt(lambda). You rescale it in every step."),
        (BALL, "True", BACK, "np.clip(w, -1 / np.sqrt(lam), 1 / np.sqrt(lam))",
         "Shorten w as a whole, so that it keeps its direction. You cut off each weight by itself."),
        ("        total = total + w\n", "", "length = ", "total = total + w\n        length = ",
         "Add w up at the end of the step. Your average takes each w before it is shortened."),
        (MEAN, "total / (len(order) + 1)",
         "Take the mean of w after step 1, 2, ..., T. The start counts in your average."),
        ("        total = total + w\n", "", "eta = ", "total = total + w\n        eta = ",
         "Take the mean of w after step 1, 2, ..., T. Your average takes each w before its step."),
        (MEAN, "total", "Divide by the number of steps. You return the sum of all w."),
        (MEAN, "total / len(X)", "Divide by the number of steps, len(order). Your average is divided by n."),
        (*ALL, "np.mean(total[len(order) // 2 :], axis=0)",
         "Take the mean over all steps. You average over the second half alone."),
        (MEAN, "w",
         "Append a copy of w. Your list holds the same array again and again, so your average is the last w."),
        ("total + w\n    return", "total + w\n        return",
         "Return after the loop. You return inside it, after its first step."),
        ("    w = np.zeros", "    X = np.column_stack([X, np.ones(len(X))])\n    w = np.zeros",
         "Give X no column of ones. There is no bias here, and w has shape (d,)."),
        ("enumerate(order,", "enumerate(order[:-1],",
         "Take all T steps. range(1, T) ends at T - 1."),
        ("enumerate(order,", "enumerate(np.arange(len(order)) % len(X),",
         "Use the example order[t - 1] in step t. You take the examples one after the other."),
        (ADD, "w + y[i] * X[i]", "Add eta y x. The pull has no step size."),
        (SHRINK, "(1 - eta) * w", "Multiply w by 1 - eta lambda. Yours shrinks by 1 - eta."),
        ("1 / (lam * t)", "1 / lam * t", "Put lam * t in parentheses. In Python 1 / lam * t is t/lambda."),
        (BACK, "w / length", "Shorten w to the length 1/sqrt(lambda). You shorten it to 1."),
        (BACK, "w * np.sqrt(lam) / length", "Shorten w to the length 1/sqrt(lambda). You make it sqrt(lambda) long."),
        ("enumerate(order,", "enumerate(range(len(X)),",
         "Use the example order[t - 1] in step t. You take the examples one after the other."),
        (BALL, "0 < length < 1 / np.sqrt(lam)",
         "Shorten w where it is longer than 1/sqrt(lambda). You rescale it where it is shorter."),
    ],
    hints=[
        "One step for each i in order, with t = 1, 2, ...; enumerate(order, start=1) counts. There is no bias: the "
        "score of X[i] is w @ X[i].",
        "Keep the three parts in their order: first ask whether the example pulls, then shrink w in every case and add "
        "the pull if the answer was yes, then look at the length of w.",
        "If np.linalg.norm(w) is above r = 1/sqrt(lambda), w times r over that length has length r. For the "
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
            if d == 1:  # where the weight is 1 or -1, its square is 1 as well
                X, theta = X / 2, theta * [2, 1]
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
            ("a @ X / (len(y) * lam)", "Multiply by the labels: v = sum a y x / (n lambda)."),
            ("y @ X / (len(y) * lam)", "Multiply by the stakes: v = sum a y x / (n lambda)."),
            ("(a * y) @ X / lam", "Divide by n lambda. Your `v` lacks n."),
            ("(a * y) @ X / len(y)", "Divide by n lambda. Your `v` lacks lambda."),
            ("(a * y) @ X", "Divide the sum by n lambda. Your `v` is the sum alone."),
            ("(a * y) @ X / len(y) * lam", "Divide by (n * lam), in parentheses. You multiply by lambda."),
            ("(a * y)[a > 0] @ X[a > 0] / (np.sum(a > 0) * lam)",
             "Divide by n, which counts all examples. You divide by the number of support vectors."),
            ("w", "Make v from the stakes. Yours is the w of theta."),
        )),
        *((BOUND, wrong, sentence) for wrong, sentence in (
            ("np.sum(a) - lam / 2 * v @ v", "Take the mean of the stakes. Your `bound` sums them."),
            ("np.mean(a) + lam / 2 * v @ v",
             "Subtract lambda/2 ||v||^2; minimize lambda/2 ||w||^2 - lambda w.v to see it. Your `bound` adds it."),
            ("np.mean(a) - lam * v @ v",
             "Subtract lambda/2 ||v||^2, because half of lambda ||v||^2 comes back. Your `bound` subtracts all of it."),
            ("np.mean(a) - lam / 2 * np.linalg.norm(v)", "Square the length of v in your `bound`."),
            ("np.mean(a) - lam / 2 * np.mean(v**2)",
             "Sum the squares for ||v||^2. Your `bound` takes their mean."),
            ("np.mean(a)", "Subtract lambda/2 ||v||^2. Your `bound` is the mean stake alone."),
            ("np.mean(a) - lam / 2 * w @ w", "Take v, because a bound may use only the stakes. Yours knows theta."),
            ("np.mean(a * (1 - z))",
             "Minimize over w, because the bound must hold for every theta. Yours holds at this one."),
        )),
        ("(z > 1) & (a > 0)", "(z > 1) & (a == 1)",
         "Count a part of a stake beyond the edge, too, because there it must be 0."),
        ("w = theta[:-1]", "w = (a * y) @ X / (len(y) * lam)",
         "Take the objective of theta, with its own w. Yours is that of v."),
        ("np.maximum(0, 1 - z)", "(1 - z)",
         "Cut the loss off at 0, max(0, 1 - y f). Yours is negative beyond the edge."),
        ("np.mean(np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.sum(np.maximum(0, 1 - z)) + lam / 2 * w @ w",
         "Take the mean of the losses. Your objective sums them."),
        ("np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.maximum(0, 1 - z)) + lam / 2 * theta @ theta",
         "Leave the bias out of the penalty in your objective."),
        ("np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.maximum(0, 1 - z))", "Add lambda/2 ||w||^2 to the objective."),
        ("np.maximum(0, 1 - z)) + lam / 2 * w @ w", "np.maximum(0, 1 - z)) + lam / 2 * v @ v",
         "Take the length of theta's own w. Your objective has that of v."),
        ("(X @ w + theta[-1])", f"(X @ ({V}) + theta[-1])", "Take the agreements of theta. Yours are those of v."),
        ("(X @ w + theta[-1])", "(X @ w)", "Add theta[-1]. Your score leaves out the bias."),
        ("y * (X @ w + theta[-1])", "(X @ w + theta[-1])", "Multiply by the labels: z = y f."),
        *((UNSETTLED, wrong, sentence) for wrong, sentence in (
            ("np.sum((z > 1) & (a > 0))", "Count those with slack, too, because their stake must be 1."),
            ("np.sum((z < 1) & (a < 1))", "Count those beyond their edge, too, because their stake must be 0."),
            ("np.sum((z >= 1) & (a > 0)) + np.sum((z < 1) & (a < 1))",
             "Allow any stake on the edge, z = 1. Yours asks for 0 there."),
            ("np.sum((z > 1) & (a > 0)) + np.sum((z <= 1) & (a < 1))",
             "Allow any stake on the edge, z = 1. Yours asks for 1 there."),
            ("np.sum((z > 1) & (a > 0)) + np.sum((z < 1) & (a == 0))",
             "Ask for a stake of 1 where there is slack. You count those that are 0 there, and let 0.5 pass."),
            ("np.sum((z > 1) & (a > 0)) + np.sum((z <= 0) & (a < 1))",
             "Ask for a stake of 1 inside the street, too, because there is slack, misclassified or not."),
            ("np.sum((a > 0) & (a < 1))",
             "Leave out the edge, where stakes between 0 and 1 are as they should be. You count them."),
            (f"len(y) - ({UNSETTLED})", "Count the stakes that do not fit. You count those that do."),
            ("np.sum((a > 0) & (a < 1) & (z != 1))",
             "Count a wrong 0 or 1 off the edge as well. You count stakes between 0 and 1."),
            (f"{UNSETTLED} + np.sum((z == 1) & ((a == 0) | (a == 1)))",
             "Allow 0 and 1 on the edge, too, because any stake will do there."),
            ("np.sum((z > 0) & (a > 0)) + np.sum((z < 0) & (a < 1))",
             "Ask for the edge, z = 1. You ask on which side of the line, z = 0, an example is."),
            ("np.sum((z > 1) & (a < 1)) + np.sum((z < 1) & (a > 0))",
             "Turn it around. The stake is 0 beyond the edge and 1 with slack."),
            ("np.sum(z < 1)", "Count the examples whose stake does not fit. You count those with slack."),
        )),
        ("value - bound", "(value - bound) / value", "Return the gap itself. Yours is divided by the objective."),
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
    "t = np.clip(t, max(ends_i[0], ends_j[0]), min(ends_i[1], ends_j[1]))"
PROVED = "np.mean(new) - lam / 2 * pulls @ K @ pulls"

task(
    "two_stakes",
    returns=("stakes", "bound"),
    cases=moves,
    mistakes=[
        *((BEND, wrong, sentence) for wrong, sentence in (
            ("(K[i, i] + K[j, j])", "Divide by the squared distance of the two. Your denominator leaves out -2 K_ij."),
            ("(K[i, i] + K[j, j] + 2 * K[i, j])", "Flip the sign of 2 K_ij. The denominator is ||x_i - x_j||^2."),
            ("(K[i, i] + K[j, j] - K[i, j])", "Take K_ij twice, because the denominator is ||x_i - x_j||^2."),
            ("((X[i] - X[j]) @ (X[i] - X[j]))", "Take the kernel if `curved`. Your denominator always has dot "
                                                "products."),
            ("np.sqrt(K[i, i] + K[j, j] - 2 * K[i, j])", "Divide by the squared distance, not by the distance."),
            ("(2 * (K[i, i] + K[j, j] - 2 * K[i, j]))",
             "Double your t. The derivative of the square cancels the 1/2 of lambda/2."),
        )),
        *((RISE, wrong, sentence) for wrong, sentence in (
            ("(y[i] - y[j]) + (g[i] - g[j])", "Subtract g_i - g_j. The scores have the wrong sign in your t."),
            ("(y[i] - y[j])", "Subtract g_i - g_j. Your t forgets what the stakes give already."),
            ("(y[i] + y[j]) - (g[i] - g[j])", "Take the difference of the labels. Your t adds them."),
            ("2 - (g[i] - g[j])",
             "Subtract the labels. The difference is 0 if they are alike, and may be -2. Your t takes 2."),
            ("-(g[i] - g[j])",
             "Add y_i - y_j, because the mean stake grows by t (y_i - y_j) / n. Your t lacks the labels."),
        )),
        ("t = n * lam * (", "t = lam * (", "Multiply t by n, because the derivative leaves n lambda."),
        ("t = n * lam * (", "t = (", "Multiply your t by n lambda."),
        ("t = n * lam * (", "t = -n * lam * (", "Move the other way, because the bound is to rise."),
        ("K @ (a * y) / (n * lam)", "K @ (a * y)", "Divide by n lambda. Your scores lack 1/(n lambda)."),
        ("K @ (a * y) / (n * lam)", "K @ a / (n * lam)", "Take the sum of a y K. Your scores lack the labels."),
        (CLIP, "pass", "Stop t where the first of the two stakes reaches 0 or 1. Your stakes leave that range."),
        (CLIP, "pass", "new[i] += y[i] * t", "new[i] = np.clip(new[i] + y[i] * t, 0, 1)",
         "new[j] -= y[j] * t", "new[j] = np.clip(new[j] - y[j] * t, 0, 1)",
         "Cut off t, not each stake by itself. Otherwise the stakes are no longer balanced."),
        (CLIP, "t = np.clip(t, ends_i[0], ends_i[1])",
         "Look at stake j, too, which must stay in its range. You look at i alone."),
        (CLIP, "t = np.clip(t, ends_j[0], ends_j[1])",
         "Look at stake i, too, which must stay in its range. You look at j alone."),
        (CLIP, "t = np.clip(t, max(-a[i], a[j] - 1), min(1 - a[i], a[j]))",
         "Use the labels in the limits: the stakes become a_i + y_i t and a_j - y_j t. Yours are for two positive "
         "labels."),
        (CLIP, "t = min(t, ends_i[1], ends_j[1])",
         "Give t a lower end, too, because a stake may not fall below 0 either."),
        (CLIP, "t = max(t, ends_i[0], ends_j[0])",
         "Give t an upper end, too, because a stake may not rise above 1 either."),
        *((CLIP, f"t = np.clip(t, {least}, 1)",
         f"Keep the stakes from 0 to 1, not t. You keep t from {least} to 1.") for least in (0, -1)),
        (CLIP, "t = np.clip(t, 0, min(ends_i[1], ends_j[1]))",
         "Let t be negative, too, because a stake may have to fall."),
        ("new[i] += y[i] * t", "new[i] += t", "new[j] -= y[j] * t", "new[j] -= t",
         "Move the stakes by y_i t and -y_j t, so that they stay balanced. Yours move by t and -t."),
        ("new[j] -= y[j] * t", "new[j] += y[j] * t", "Move a_j by -y_j t. In yours both stakes move alike."),
        ("new[j] -= y[j] * t", "pass", "Move stake j as well, because stake i alone upsets the balance."),
        ("(1 + K) ** 2", "K**2", "Put the 1 inside the square of the kernel: (1 + x.x')^2."),
        ("(1 + K) ** 2", "K", "Square 1 + x.x' if `curved`. Your stakes always move as with dot products."),
        ("    if curved:\n        K = (1 + K) ** 2", "    K = (1 + K) ** 2",
         "Take the kernel only if `curved`. You always do."),
        *((PROVED, wrong, sentence) for wrong, sentence in (
            ("np.mean(a) - lam / 2 * (a * y) @ K @ (a * y) / (n * lam) ** 2",
             "Take the new stakes. Your `bound` is that of the stakes before the move."),
            ("np.mean(new) - lam / 2 * (pulls * y) @ K @ (pulls * y)",
             "Multiply by the labels: v is the sum of a y x / (n lambda). Your `bound` lacks them."),
            ("np.sum(new) - lam / 2 * pulls @ K @ pulls", "Take the mean of the stakes. Your `bound` sums them."),
            ("np.mean(new) - lam * pulls @ K @ pulls",
             "Subtract lambda/2 ||v||^2. Your `bound` subtracts twice that."),
            ("np.mean(new) + lam / 2 * pulls @ K @ pulls", "Subtract the penalty. Your `bound` adds it."),
            ("np.mean(new) - pulls @ K @ pulls", "Put lambda/2 before ||v||^2 in your `bound`."),
            ("np.mean(new) - lam / 2 * (new * y) @ K @ pulls",
             "Divide ||v||^2 by n lambda twice, because v is divided once. Your `bound` divides it once."),
            ("np.mean(new) - lam / 2 * (new * y) @ K @ (new * y)", "Divide ||v||^2 by (n lambda)^2 in your `bound`."),
            ("np.mean(new) - lam / 2 * (pulls @ X) @ (pulls @ X) + 0 * K[0, 0]",
             "Take the double sum over K for ||v||^2. Your `bound` takes v from X, whatever the kernel."),
        )),
        (then(stakes=lambda stakes, i, j: stakes[[i, j]]), "Return all n. You return the two stakes alone."),
        (PROVED, PROVED.replace("lam / 2", "lam / 2 * n"),
         "Divide the double sum by 2 n^2 lambda, because v is divided by n lambda. You divide by 2 n lambda."),
    ],
    hints=[
        "The move adds t (y_i - y_j) / n to the mean stake, and t (x_i - x_j) / (n lambda) to v. Set the derivative "
        "with respect to t to 0.",
        "The denominator is ||x_i - x_j||^2 = K_ii + K_jj - 2 K_ij. For which t is a_i + y_i t equal to 0, for which "
        "to 1? The same for a_j - y_j t.",
        "Each stake gives t a lower and an upper limit. Take the larger of the lower limits and the smaller of the "
        "upper ones, and cut t off there with np.clip. With p = a y / (n lambda) for the new stakes, ||v||^2 is p @ K "
        "@ p.",
    ],
)


def drags(rng):
    """The old emails are stronger; the dragged one is, and has stake left; it is, and owes slack."""
    for n, because in ((3, 1), (4, 1), (5, 1), (4, 2), (6, 2), (3, 3), (5, 3)):
        while True:
            c, y = rng.integers(2, 13, n) / 4, labels(rng, n)
            D = 12.25 if n == 6 else rng.integers(2, 60) / 4  # 12.25 w is exactly 1 for no w: rounding sees to that
            lam = float(rng.choice([0.0625, 0.125, 0.5, 1.0]))
            if np.ptp(c) <= 0.5 or (c.sum() > D) != (because == 1):
                continue  # before it is solved
            limit, w, _, why = drag(y * c, y, D, lam)
            pays = D * (D - limit) / ((n + 1) * lam)  # below 1 the dragged one owes slack
            slack = np.append(c, -D) @ (np.append(c, -D) * w <= 1)
            if why == because and abs(D - limit) > 0.3 and abs(w) > 0.01 and not 0.9 < pays < 1.1 and (
                    why > 1 or (abs(slack) > 0.1 and c.max() < D and (c * w > 1.05).any())):
                break
        yield y * c, y, plain(D), plain(lam)
    y = labels(rng, 4)  # close emails, for which the best w is far from 0
    yield y * rng.permutation([0.5, 0.5, 0.75, 2]), y, float(rng.choice([0.25, 0.5])), 0.0625


drag = solution("drag")
LIMIT, BECAUSE, STEEP = "np.sum(c[:-1])", "1 if w > 0 else 2 if abs(-D * w - 1) < 1e-6 else 3", \
    "lam * w - np.mean(c * (c * w <= 1))"
LIGHT = "Let the slope be lambda w minus the mean of the pulls. Your penalty counts too little, or not at all."
WRONG_COUNT = "np.sum(c * w <= 0), because"

task(
    "drag",
    returns=("limit", "w", "wrong", "because"),
    cases=drags,
    tolerance=2e-6,
    mistakes=[
        *((f"limit = {LIMIT}", f"limit = {wrong}", sentence) for wrong, sentence in (
            ("np.max(c[:-1])", "Add up all n old emails, which pull together. Your `limit` is the farthest one."),
            ("np.sum(x)", "Multiply by the labels: the pulls are y x. Your `limit` lacks them."),
            ("1 / np.min(c[:-1])", "Return the D at which the pulls at w = 0 balance. Your `limit` is a w."),
        )),
        ("return limit, w,", "return np.sum(c[:-1]) / (len(c)), w,",
         "Don't divide the `limit`. The dragged email's pull is divided by n + 1, too, so that cancels."),
        *((STEEP, wrong, sentence) for wrong, sentence in (
            ("lam * w - np.mean(c)", "Let only emails with y f <= 1 pull. In yours all of them do."),
            ("-np.mean(c * (c * w <= 1))", LIGHT),
            ("lam / 2 * w - np.mean(c * (c * w <= 1))", LIGHT),
            ("2 * lam * w - np.mean(c * (c * w <= 1))",
             "Halve the slope of your penalty. The slope of lambda/2 w^2 is lambda w."),
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
        ("low, high = -D / lam", "low, high = 0",
         "Look for a negative `w`, too. Beyond the limit the best one is negative."),
        ("return limit, w,", "return limit, 1 / D if w > 0 else w,",
         "Look for the w where the slope changes sign. Your `w` puts the dragged email's distance on the edge."),
        *((WRONG_COUNT, f"{wrong}, because", sentence) for wrong, sentence in (
            ("np.sum(c * w > 0)", "Count those with y f <= 0. Your `wrong` counts the right ones."),
            ("np.sum(c[:-1] * w <= 0)", "Count all n + 1. Your `wrong` leaves out the dragged email."),
            ("np.mean(c * w <= 0)", "Return a count. Your `wrong` is a share."),
            ("np.sum(c * w < 1 - 1e-6)", "Count those with y f <= 0. Your `wrong` counts those with slack."),
            ("np.sum(c * w < 1 + 1e-6)", "Count those with y f <= 0. Your `wrong` counts those with slack."),
            ("1", "Count the old emails beyond the limit, where they are wrong. Your `wrong` is always 1."),
            ("np.sum(np.sign(np.append(x, -D) * w) != 1)",
             "Compare the scores with the labels, y f <= 0. Your `wrong` counts negative scores."),
        )),
        *((BECAUSE, wrong, sentence) for wrong, sentence in (
            ("1 if w > 0 else 2",
             "Say 3 where w is negative and the dragged email still has slack, D |w| < 1. Your `because` never does."),
            ("1 if w > 0 else 3", "Say 2 or 3 by whether D |w| = 1 but for rounding. Your `because` is never 2."),
            ("1 if w > 0 else 3 if abs(-D * w - 1) < 1e-6 else 2",
             "Swap reasons 2 and 3. On its edge the dragged email needs only part of its stake."),
            ("2 if w > 0 else 1 if abs(-D * w - 1) < 1e-6 else 3",
             "Swap reasons 1 and 2. Where w > 0, the old emails have won."),
        )),
        ("slope = lam * w -", "slope = w -",
         "Multiply w by lambda in the slope, because the penalty is lambda/2 w^2. Yours has w alone."),
    ],
    hints=[
        "With c = y x of all n + 1 emails (that of the dragged one is -D) the objective is mean(max(0, 1 - c w)) + "
        "lambda/2 w^2. What is its slope at w = 0?",
        "At w = 0 all pull: the slope is -(sum of the old c - D) / (n + 1). In general it is lambda w minus the sum of "
        "those c with c w <= 1, divided by n + 1. It rises with w, so halve an interval 80 times.",
        "Begin with the interval from -D/lambda to the sum of the old c over lambda. If w < 0, the dragged email has "
        "the agreement D |w|: 1 on its edge, less if it has slack.",
    ],
)
