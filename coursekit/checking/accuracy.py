"""A good theta is asked for, not a certain one: judged by how it classifies new examples, in words of accuracy.toml."""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from coursekit.checking.compare import numbers
from coursekit.checking.signature import shape, short
from coursekit.checking.task import Floats, Task, Verdict
from coursekit.core.dataset import spreads
from coursekit.core.risks import with_constant

SENTENCES: dict[str, str] = tomllib.loads(files(__package__).joinpath("accuracy.toml").read_text("utf-8"))
CLOSE = 0.05  # below what may be wrong: worth saying, as other draws may have more
CHANCES, MOSTLY = 0.42, 0.6
BORDERS = (  # where one lies instead, up to its sign, from the scores of the positive and the negative
    ("border-through-an-example", lambda a, b: min(a)),
    ("border-through-an-example", lambda a, b: max(b)),
    ("offset-twice-too-large", lambda a, b: min(a) + max(b)),
    ("offset-by-the-gap", lambda a, b: (min(a) - max(b)) / 2),
    ("offset-by-the-gap", lambda a, b: min(a) - max(b)),
    ("border-between-the-far-ends", lambda a, b: (max(a) + min(b)) / 2),
    ("border-between-the-means", lambda a, b: (np.mean(a) + np.mean(b)) / 2),
)


def judge(task: Task, answers: Sequence[Any]) -> Verdict:
    """Whether theta is right for task.accuracy of the new examples, in the mean of all cases; else what repairs it.

    With task.weights it must also be the least squares fit with the features that it uses.
    """
    found = [_theta(task, answers, k) for k in range(len(task.cases))]
    wrong = next((theta for theta in found if isinstance(theta, Verdict)), None)
    return wrong or _Tried(task, [theta for theta in found if not isinstance(theta, Verdict)]).verdict()


def _theta(task: Task, answers: Sequence[Any], k: int) -> Floats | Verdict:
    """The answer for case k as an array, or what is wrong with its form."""
    case, answer = task.cases[k], answers[k]
    d = np.shape(case[0])[1]
    if answer is None:
        return _known("none", case, name=task.name)
    if isinstance(answer, tuple) and any(shape(part) for part in answer):
        return Verdict(f"Return theta alone. {len(answer)} things came back.", case=case)
    theta = numbers(answer)
    if isinstance(theta, str):
        return Verdict(f"{task.name} returned {short(answer)}, which is {theta}.", case=case)
    if theta.shape == (d,):
        return _known("offset-missing", case)
    if theta.shape != (d + 1,):
        key = "labels" if theta.shape[:1] == np.shape(case[0])[:1] else "/shape"
        return _known(key, case, entries=d + 1, features=d, shape=theta.shape)
    if not np.isfinite(theta).all():
        return _known("not-finite", case, name=task.name)
    if task.weights and (many := np.count_nonzero(theta[:-1])) > task.weights:
        turned, misplaced = np.roll(theta, -1), many == task.weights + 1 and theta[-1] == 0
        first = _alike(turned, _refitted(case[0], case[1], turned))
        key = "offset-first" if first else "offset-misplaced" if misplaced else "too-many-weights"
        return _known(key, case, many=many, most=task.weights)
    return theta


def _known(key: str, case: Any, **numbers: Any) -> Verdict:
    return Verdict(SENTENCES[key].format(**numbers), key.partition("/")[0], case)


class _Tried:
    """One theta for each case (w, b), with the mean m and the spread s of the features that it was learned from."""

    def __init__(self, task: Task, thetas: list[Floats]) -> None:
        self.task, self.thetas, self.allowed = task, thetas, 1 - (task.accuracy or 0)
        self.examples = [(X, y) for X, y, *_ in task.cases]
        self.parts = [(t[:-1], t[-1], X.mean(axis=0), spreads(X))
                      for t, (X, _) in zip(thetas, self.examples, strict=True)]
        self.fitted = [_refitted(X, y, t) for (X, y), t in zip(self.examples, thetas, strict=True) if task.weights]
        self.shares = self.wrong(thetas)
        self.share = self.shares.mean()

    def verdict(self) -> Verdict:
        task, allowed = self.task, self.allowed
        if self.share <= allowed:
            for case, theta, fitted in zip(task.cases, self.thetas, self.fitted, strict=bool(self.fitted)):
                if not _alike(theta, fitted):
                    return _known("not-refitted/good", case)
            note = (f"; {self.share:.1%} of the new examples are wrong, and {allowed:.0%} may be, so with other data "
                    "it could fail")
            return Verdict(note=note if 0 < allowed - CLOSE < self.share else "")
        key = next(self.repairs(), "") or next(self.faults())
        still = self.wrong(self.fitted).mean() if key == "features-chosen" else self.share
        used = max(np.count_nonzero(w) for w, *_ in self.parts)
        more = f", and use all {task.weights} that you may" if used < (task.weights or 0) else ""
        return _known(key, task.cases[self.shares.argmax()], wrong=still, allowed=allowed, more=more,
                      most=self.shares.max())

    def repairs(self) -> Iterator[str]:
        """What would make the thetas right."""
        if not any(theta.any() for theta in self.thetas):
            yield "all-zero"
        carried = [np.append(w / s, b - (w / s) @ m) for w, b, m, s in self.parts]
        if self.fitted and all(map(_alike, carried, self.fitted)):
            yield "not-carried-back"
        moved = [np.append(w, b - w @ m) for w, b, m, s in self.parts]
        if not self.fitted and all(_units(w, s) == 0 for w, _, _, s in self.parts) and self.does(carried):
            yield "not-carried-back"
        if self.does(map(_with_best_offset, self.examples, self.thetas)) and all(
                b == 0 and w.any() for w, b, *_ in self.parts):
            yield "offset-0/standardized" if self.does(moved) else "offset-0"
        repaired = {"classes-turned": [-theta for theta in self.thetas],
                    "offset-not-moved": moved,
                    "offset-first": [np.roll(theta, -1) for theta in self.thetas]}
        for key, thetas in {
            "offset-turned": [np.append(w, -b) for w, b, *_ in self.parts],
            "offset-moved-the-other-way": [np.append(w, b - 2 * w @ m) for w, b, m, s in self.parts],
            "labels-0-and-1": [np.append(w, b - 0.5 * bool(self.allowed)) for w, b, *_ in self.parts],
            "offset-moved-by-other-weights": [np.append(w, b + (w * s - w) @ m) for w, b, m, s in self.parts],
            "weights-not-divided": [np.append(w / s, b + (w - w / s) @ m) for w, b, m, s in self.parts],
            "weights-times-spread": [np.append(w / s**2, b + w @ (m - m / s**2)) for w, b, m, s in self.parts],
        }.items():
            beyond = self.wrong(thetas) - self.wrong(map(_with_best_offset, self.examples, thetas))
            if beyond.mean() <= 0.025 and beyond.max() <= 0.05:  # the right offset, not one that happens to do
                repaired[key] = thetas
        shares = {key: self.wrong(thetas).mean() for key, thetas in repaired.items()}
        if min(shares.values()) <= self.allowed:
            yield min(shares, key=shares.__getitem__)

    def faults(self) -> Iterator[str]:
        """What is wrong with thetas that nothing of this repairs, to the last."""
        if self.fitted:
            yield "not-refitted" if self.does(self.fitted) else "features-chosen"
        another_offset_does = self.does(map(_with_best_offset, self.examples, self.thetas))
        if self.task.accuracy == 1:
            if not another_offset_does:
                yield "classes-overlap"
            scores = [(X[y > 0] @ t[:-1], X[y < 0] @ t[:-1])
                      for (X, y), t in zip(self.examples, self.thetas, strict=True)]
            for key, border in BORDERS:
                if np.allclose([abs(b) for _, b, *_ in self.parts], np.abs([border(*both) for both in scores])):
                    yield key
            yield "offset-on-one-side/separable"
        if all(_units(w, s) < 0 for w, _, _, s in self.parts):
            yield "learned-on-raw-features"
        sides = (with_constant(np.asarray(X)) @ t > 0 for (X, _), t in zip(self.task.right, self.thetas, strict=True))
        if all(len(np.unique(side)) == 1 for side in sides):
            yield "all-on-one-side"
        if another_offset_does:
            yield "offset-on-one-side"
        if _wrong(self.examples, self.thetas).mean() <= 0.02:
            yield "by-heart"
        if all(np.max(np.abs(w * s)) > 0.9 * np.linalg.norm(w * s) > 0 for w, _, _, s in self.parts):
            yield "one-feature"
        yield "mostly-wrong" if self.share > MOSTLY else "by-chance" if self.share > CHANCES else "/too-many"

    def wrong(self, thetas: Iterable[Floats]) -> Floats:
        return _wrong(self.task.right, thetas)

    def does(self, thetas: Iterable[Floats]) -> bool:
        return bool(self.wrong(thetas).mean() <= self.allowed)


def _wrong(examples: Iterable[tuple[Any, ...]], thetas: Iterable[Floats]) -> Floats:
    return np.array([np.mean(np.asarray(y) * (with_constant(np.asarray(X)) @ theta) <= 0)
                     for (X, y), theta in zip(examples, thetas, strict=True)])


def _alike(theta: Floats, other: Floats) -> bool:
    return np.allclose(theta, other, rtol=0.02, atol=0.001)


def _refitted(X: Floats, y: Floats, theta: Floats) -> Floats:
    used = np.append(theta[:-1] != 0, True)
    refitted = np.zeros(len(theta))
    refitted[used] = np.linalg.lstsq(with_constant(X)[:, used], y, rcond=None)[0]
    return refitted


def _with_best_offset(examples: tuple[Floats, Floats], theta: Floats) -> Floats:
    """The weights of theta with the offset that is right about the most examples."""
    X, y = examples
    scores = X @ theta[:-1]
    borders = np.sort(scores)
    borders = np.concatenate([borders[:1] - 1, (borders[1:] + borders[:-1]) / 2, borders[-1:] + 1])
    return np.append(theta[:-1], -borders[np.argmax([np.mean(y * (scores - border) > 0) for border in borders])])


def _units(weights: Floats, spread: Floats) -> int:
    """What the weights are for, by what makes them most alike in size: 0 features that were standardized, 1 raw ones.

    -1: for nothing; a descent on raw features changes most the weights of those whose numbers are large.
    """
    used = weights != 0
    size, scale = np.log(np.abs(weights[used])), np.log(spread[used])
    return min((0, 1, -1), key=lambda power: float(np.std(size + power * scale)) if used.any() else 0.0)
