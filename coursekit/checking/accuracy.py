"""A task that asks for a good theta, not for a certain one: judged by how it classifies new examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coursekit.checking.judge import Floats, Task, Verdict, shown

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
    "With its offset reduced by w @ mean your theta would do: learn on standardised features, then carry the offset "
    "back to raw units as well."
)
FIRST = "Your offset comes first: it is the last entry of theta."
SAME = (
    "Your theta says the same class for every new example; if you descend on raw features, their units are the "
    "trouble: standardise."
)
SHORT = "The offset is missing: theta has d + 1 entries, the offset last."
HEART = (
    "You have learned the training part by heart: it is right, but too many of the new examples are wrong; use a "
    "penalty."
)


def judged(task: Task, answers: Sequence[Any]) -> Verdict:
    """Whether theta is right for task.accuracy of the new examples, in the mean of all cases; else what repairs it."""
    thetas: list[Floats] = []
    for case, answer in zip(task.cases, answers, strict=True):
        d = np.shape(case[0])[1]
        try:
            theta = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            return Verdict(f"{task.name} returned {shown(answer)}, which is not made of numbers.", case=case)
        if answer is None:
            return Verdict(f"{task.name} returned None: end it with return and the answer.", case=case)
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
        thetas.append(theta)
    allowed = 1 - (task.accuracy or 0)
    wrong = _wrong(task, thetas)
    if wrong <= allowed:
        told = f"; {wrong:.1%} of the new examples are wrong, {allowed:.0%} may be: with other data it could be more"
        return Verdict(note=told if wrong > allowed - CLOSE else "")
    worst = max(range(len(thetas)), key=lambda k: _wrong_in(task, k, thetas[k]))
    case = task.cases[worst]
    repaired = {
        ("classes-turned", TURNED): [-t for t in thetas],
        ("offset-not-moved", UNMOVED): [np.append(t[:-1], t[-1] - t[:-1] @ m) for t, m, _ in _with_units(task, thetas)],
        ("offset-first", FIRST): [np.roll(t, -1) for t in thetas],
        ("not-carried-back", SCALED): [
            np.append(t[:-1] / s, t[-1] - (t[:-1] / s) @ m) for t, m, s in _with_units(task, thetas)
        ],
    }
    (name, sentence), least = min(((k, _wrong(task, t)) for k, t in repaired.items()), key=lambda kept: kept[1])
    if least <= allowed:
        return Verdict(sentence, name, case)
    if all(len(np.unique(_scores(task.right[k][0], t) > 0)) == 1 for k, t in enumerate(thetas)):
        return Verdict(SAME, "all-on-one-side", case)
    if np.mean([np.mean(c[1] * _scores(c[0], t) <= 0) for c, t in zip(task.cases, thetas, strict=True)]) <= 0.02:
        return Verdict(HEART, "by-heart", case)
    most = _wrong_in(task, worst, thetas[worst])
    told = f"Your theta misclassifies {wrong:.1%} of the new examples ({most:.1%} where it is worst): at most "
    told += f"{allowed:.0%} may be wrong."
    return Verdict(told, case=case)


def _scores(X: Any, theta: Floats) -> Floats:
    return X @ theta[:-1] + theta[-1]


def _wrong_in(task: Task, k: int, theta: Floats) -> float:
    X, y = task.right[k]
    return float(np.mean(y * _scores(X, theta) <= 0))  # type: ignore[operator]


def _wrong(task: Task, thetas: Sequence[Floats]) -> float:
    return float(np.mean([_wrong_in(task, k, theta) for k, theta in enumerate(thetas)]))


def _with_units(task: Task, thetas: Sequence[Floats]) -> list[tuple[Floats, Floats, Floats]]:
    """With each theta the mean and the spread of the features that it was found on."""
    found = []
    for case, theta in zip(task.cases, thetas, strict=True):
        spread = case[0].std(axis=0)
        found.append((theta, case[0].mean(axis=0), np.where(spread > 0, spread, 1.0)))
    return found
