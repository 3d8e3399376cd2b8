"""A task that asks for a good theta, not for a certain one: judged by how it classifies new examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coursekit.checking.asked import shown
from coursekit.checking.task import Floats, Task, Verdict
from coursekit.core.augmented import with_constant
from coursekit.core.dataset import spreads

CLOSE = 0.05  # below what may be wrong: worth saying, as other draws may have more

TURNED = (
    "With the opposite sign, -theta, the new examples would be right: are the classes swapped, is a sign wrong, or "
    "did the steps become too long?"
)
SCALED = (
    "On standardised features your theta would do, on the raw ones in X it does not: learn on standardised features, "
    "then carry theta back to raw units."
)
UNMOVED = (
    "With its offset reduced by w @ mean your theta would do: if you learned on standardised features, carry the "
    "offset back to raw units as well."
)
MINUS = "With the opposite sign your offset would do: the border is where w @ x + offset = 0."
ADDED = "With its offset moved the other way your theta would do: w @ mean is taken off it, not added."
TIMES = (
    "Your weights grow with the units of their features: learn on standardised features, and at the end divide the "
    "weights by the spread, do not multiply."
)
BY_OTHERS = (
    "With w @ mean of the weights that you return your theta would do: divide the weights by the spread first, then "
    "take w @ mean off the offset."
)
OFFSET = (
    "With another offset your theta would do; with its own, too many examples fall on one side. Learn the offset along "
    "with the weights, and let the last steps of a descent see both classes."
)
RAW = (
    "Your weights are largest for the features with the largest numbers, as after learning on raw features, where the "
    "offset and the other weights hardly move: standardise before you learn, then carry theta back."
)
BETWEEN = (
    "With another offset your theta would do: the border must lie behind the last example of one class and before the "
    "first of the other."
)
PLACES = (  # where a border lies instead, up to its sign, from the shadows of the positive and the negative
    ("border-through-an-example", lambda a, b: min(a),
     "Your line runs through an example, whose score is then 0: put it in the middle between the two classes."),
    ("border-through-an-example", lambda a, b: max(b),
     "Your line runs through an example, whose score is then 0: put it in the middle between the two classes."),
    ("offset-twice-too-large", lambda a, b: min(a) + max(b), "Halve your offset: the middle is half of low + high."),
    ("offset-by-the-gap", lambda a, b: (min(a) - max(b)) / 2,
     "Your offset comes from low - high, the width of the gap: take the middle, half of low + high."),
    ("offset-by-the-gap", lambda a, b: min(a) - max(b),
     "Your offset comes from low - high, the width of the gap: take the middle, half of low + high."),
    ("border-between-the-far-ends", lambda a, b: (max(a) + min(b)) / 2,
     "Your border lies between the far ends of the classes: take the smallest of the positive ones and the largest of "
     "the negative ones."),
    ("border-between-the-means", lambda a, b: (np.mean(a) + np.mean(b)) / 2,
     "Your border lies in the middle of the means, and an example reaches beyond it: put it in the middle between the "
     "smallest of the positive ones and the largest of the negative ones."),
)
CHANCE = "does it learn from y, and do the rows of X and y stay together?"
CHANCES, MOSTLY = 0.42, 0.6
MOSTLY_WRONG = "with the opposite sign it would do better, so look for a minus too many or too few."
AT_0 = "Your offset is 0, and with another one your theta would do: find it along with the weights."
MEAN_0 = (
    "Your offset is 0, and with -w @ mean your theta would do: take that if your weights come from standardised "
    "features, else find an offset along with them."
)
FIRST = "Your offset comes first: it is the last entry of theta."
SAME = (
    "Your theta says the same class for every new example, because its offset outweighs all the rest: learn it along "
    "with the weights, and carry both back to raw units."
)
SHORT = "The offset is missing: theta has d + 1 entries, the offset last."
SHRUNK = (
    "The features that you chose would do, their weights do not: fit again with these features alone, by least squares "
    "and without a penalty."
)
UNFITTED = (
    "Your theta does well enough, but not with the weights that a least squares fit gives to its features alone: fit "
    "again with these, without a penalty."
)
CHOSEN = (
    "The features that your theta uses do not tell enough, even with the weights of a least squares fit to them alone"
)
ALONE = (
    "Your theta looks at one feature nearly alone; if that is so because its numbers are the largest, standardise "
    "before you learn."
)
OVERLAP = (
    "No offset would do with your weights: the scores of the two classes overlap in some cases. Look for other weights."
)
HEART = (
    "You have learned the training part by heart: it is right, but too many of the new examples are wrong; use a "
    "penalty."
)


def judged(task: Task, answers: Sequence[Any]) -> Verdict:
    """Whether theta is right for task.accuracy of the new examples, in the mean of all cases; else what repairs it.

    With task.weights it must also be the least squares fit with the features that it uses.
    """
    thetas: list[Floats] = []
    for case, answer in zip(task.cases, answers, strict=True):
        d = np.shape(case[0])[1]
        try:
            theta = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            if isinstance(answer, tuple):
                return Verdict(f"{len(answer)} things came back: return theta alone.", case=case)
            return Verdict(f"{task.name} returned {shown(answer)}, which is not made of numbers.", case=case)
        if answer is None:
            if all(a is None for a in answers):
                return Verdict(f"{task.name} returned None: it must reach a return with the answer.", case=case)
            return Verdict(f"{task.call(case)} returned None: there it ends without reaching a return.", case=case)
        if theta.shape == (d,):
            return Verdict(SHORT, "offset-missing", case)
        if theta.shape != (d + 1,):
            sentence = f"{task.name} must return theta of shape ({d + 1},) for {d} features; yours has {theta.shape}."
            return Verdict(sentence, case=case)
        if not np.isfinite(theta).all():
            return Verdict(
                f"The theta of {task.name} contains NaN or infinity: did the steps become too long, or was something "
                "divided by 0?", "not-finite", case,
            )
        if task.weights and (many := np.count_nonzero(theta[:-1])) > task.weights:
            last = np.roll(theta, -1)
            if np.allclose(last, _refitted(case[0], case[1], last), rtol=0.02, atol=0.001):
                return Verdict(FIRST, "offset-first", case)
            return Verdict(
                f"{many} weights of your theta are not 0, and at most {task.weights} may be: choose, and set the "
                "others to exactly 0.", "too-many-weights", case,
            )
        thetas.append(theta)
    allowed = 1 - (task.accuracy or 0)
    wrong = _wrong(task, thetas)
    again = [_refitted(X, y, t) for (X, y, *_), t in zip(task.cases, thetas, strict=True)] if task.weights else []
    if wrong <= allowed:
        for case, theta, fitted in zip(task.cases, thetas, again, strict=bool(again)):
            if not np.allclose(theta, fitted, rtol=0.02, atol=0.001):
                return Verdict(UNFITTED, "not-refitted", case)
        told = f"; {wrong:.1%} of the new examples are wrong, {allowed:.0%} may be: with other data it could be more"
        return Verdict(note=told if 0 < allowed - CLOSE < wrong else "")
    worst = max(range(len(thetas)), key=lambda k: _wrong_in(task, k, thetas[k]))
    case = task.cases[worst]
    units = _with_units(task, thetas)
    moved = [_with_best_offset(X, y, t) for (X, y, *_), t in zip(task.cases, thetas, strict=True)]
    with_best = _wrong(task, moved)
    carried = [np.append(t[:-1] / s, t[-1] - (t[:-1] / s) @ m) for t, m, s in units]
    if again and all(np.allclose(t, fitted, rtol=0.02, atol=0.001) for t, fitted in zip(carried, again, strict=True)):
        return Verdict(SCALED, "not-carried-back", case)
    repaired = {
        ("classes-turned", TURNED): [-t for t in thetas],
        ("offset-not-moved", UNMOVED): [np.append(t[:-1], t[-1] - t[:-1] @ m) for t, m, _ in units],
        ("offset-first", FIRST): [np.roll(t, -1) for t in thetas],
    }
    standardised = all(_units(t, s) == 0 for t, _, s in units)
    if not again and standardised and _wrong(task, carried) <= allowed:
        return Verdict(SCALED, "not-carried-back", case)
    if with_best <= allowed and all(t[-1] == 0 and t.any() for t in thetas):
        moves = _wrong(task, repaired["offset-not-moved", UNMOVED]) <= allowed
        return Verdict(MEAN_0 if moves else AT_0, "offset-0", case)
    for name, sentence, way in (
        ("offset-turned", MINUS, [np.append(t[:-1], -t[-1]) for t in thetas]),
        ("offset-moved-the-other-way", ADDED, [np.append(t[:-1], t[-1] - 2 * t[:-1] @ m) for t, m, _ in units]),
        ("offset-moved-by-other-weights", BY_OTHERS,
         [np.append(t[:-1], t[-1] + (t[:-1] * s - t[:-1]) @ m) for t, m, s in units]),
        ("weights-times-spread", TIMES,
         [np.append(t[:-1] / s**2, t[-1] + t[:-1] @ (m - m / s**2)) for t, m, s in units]),
    ):
        best = [_with_best_offset(X, y, t) for (X, y, *_), t in zip(task.cases, way, strict=True)]
        beyond = [_wrong_in(task, k, t) - _wrong_in(task, k, best[k]) for k, t in enumerate(way)]
        if np.mean(beyond) <= 0.025 and max(beyond) <= 0.05:  # the right offset, not one that happens to do
            repaired[name, sentence] = way
    (name, sentence), least = min(((k, _wrong(task, t)) for k, t in repaired.items()), key=lambda kept: kept[1])
    if least <= allowed:
        return Verdict(sentence, name, case)
    if not any(theta.any() for theta in thetas):
        return Verdict("Your theta is 0: all scores are 0, and undecided counts as wrong.", "all-zero", case)
    if again and (still := _wrong(task, again)) <= allowed:
        return Verdict(SHRUNK, "not-refitted", case)
    if again:
        used = max(np.count_nonzero(theta[:-1]) for theta in thetas)
        more = f", and all {task.weights} that you may" if used < (task.weights or 0) else ""
        told = f"{CHOSEN}: {still:.1%} of the new examples would be wrong, {allowed:.0%} may be. Choose others{more}."
        return Verdict(told, "features-chosen", case)
    sides = (with_constant(np.asarray(parts[0])) @ t > 0 for parts, t in zip(task.right, thetas, strict=True))
    if task.accuracy == 1:
        if with_best > allowed:
            return Verdict(OVERLAP, "classes-overlap", case)
        scores = [(X[y > 0] @ t[:-1], X[y < 0] @ t[:-1]) for (X, y, *_), t in zip(task.cases, thetas, strict=True)]
        for name, border, sentence in PLACES:
            if all(np.isclose(abs(t[-1]), abs(border(*both))) for t, both in zip(thetas, scores, strict=True)):
                return Verdict(sentence, name, case)
        return Verdict(BETWEEN, "offset-on-one-side", case)
    if not again and all(_units(t, s) < 0 for t, _, s in units):
        return Verdict(RAW, "learned-on-raw-features", case)
    if all(len(np.unique(side)) == 1 for side in sides):
        return Verdict(SAME, "all-on-one-side", case)
    if with_best <= allowed:
        return Verdict(OFFSET, "offset-on-one-side", case)
    learned = [y * (with_constant(X) @ t) <= 0 for (X, y, *_), t in zip(task.cases, thetas, strict=True)]
    if np.mean([np.mean(wrong) for wrong in learned]) <= 0.02:
        return Verdict(HEART, "by-heart", case)
    if not task.weights and all(np.max(np.abs(t[:-1] * s)) > 0.9 * np.linalg.norm(t[:-1] * s) > 0 for t, _, s in units):
        return Verdict(ALONE, "one-feature", case)
    if wrong > MOSTLY:
        told = f"Your theta misclassifies {wrong:.1%} of the new examples: {MOSTLY_WRONG}"
        return Verdict(told, "mostly-wrong", case)
    if wrong > CHANCES:
        told = f"Your theta misclassifies {wrong:.1%} of the new examples, about as many as by chance, and at most "
        return Verdict(f"{told}{allowed:.0%} may be wrong: {CHANCE}", "by-chance", case)
    most = _wrong_in(task, worst, thetas[worst])
    told = f"Your theta misclassifies {wrong:.1%} of the new examples ({most:.1%} where it is worst): at most "
    told += f"{allowed:.0%} may be wrong."
    return Verdict(told, case=case)


def _wrong_in(task: Task, k: int, theta: Floats) -> float:
    X, y = task.right[k]
    return float(np.mean(np.asarray(y) * (with_constant(np.asarray(X)) @ theta) <= 0))


def _wrong(task: Task, thetas: Sequence[Floats]) -> float:
    return float(np.mean([_wrong_in(task, k, theta) for k, theta in enumerate(thetas)]))


def _refitted(X: Floats, y: Floats, theta: Floats) -> Floats:
    """Least squares on the features of theta that have a weight."""
    used = np.append(theta[:-1] != 0, True)
    again = np.zeros(len(theta))
    again[used] = np.linalg.lstsq(with_constant(X)[:, used], y, rcond=None)[0]
    return again


def _with_best_offset(X: Floats, y: Floats, theta: Floats) -> Floats:
    """The weights of theta with the offset that is right about the most examples."""
    places = X @ theta[:-1]
    borders = np.sort(places)
    borders = np.concatenate([borders[:1] - 1, (borders[1:] + borders[:-1]) / 2, borders[-1:] + 1])
    right = [np.mean(y * (places - border) > 0) for border in borders]
    return np.append(theta[:-1], -borders[np.argmax(right)])


def _units(theta: Floats, spread: Floats) -> int:
    """What the weights are for, by what makes them most alike in size: 0 features that were standardised, 1 raw ones.

    -1: for nothing; a descent on raw features changes most the weights of those whose numbers are large.
    """
    used = theta[:-1] != 0
    size, scale = np.log(np.abs(theta[:-1][used])), np.log(spread[used])
    return min((0, 1, -1), key=lambda power: float(np.std(size + power * scale)) if used.any() else 0.0)


def _with_units(task: Task, thetas: Sequence[Floats]) -> list[tuple[Floats, Floats, Floats]]:
    """With each theta the mean and the spread of the features that it was found on."""
    found = []
    for case, theta in zip(task.cases, thetas, strict=True):
        found.append((theta, case[0].mean(axis=0), spreads(case[0])))
    return found
