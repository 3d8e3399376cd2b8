"""What is said to a theta that must classify well, and to one that must be a least squares fit as well."""

from dataclasses import replace

import numpy as np
import pytest

from coursekit.checking.accuracy import SENTENCES
from coursekit.checking.judge import judge
from coursekit.checking.task import Task

W, B = np.array([1.0, -1.2, 0.8]), 0.4  # on standardised features
SPREAD, MEAN = np.array([0.5, 40.0, 3.0]), np.array([6.0, 200.0, -2.0])


def parts(flipped=0.0, n=200):
    """Three draws, of which so large a share of the labels is wrong, also of the new examples."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        S = rng.normal(size=(2 * n, 3))
        labels = np.sign(S @ W + B)
        S += 0.3 / (W @ W) * labels[:, None] * W  # nobody is near the border
        labels[np.arange(2 * n) % n < flipped * n] *= -1
        X = S * SPREAD * (1 + seed) + MEAN
        yield (X[:n], labels[:n]), (X[n:], labels[n:])


def task(flipped=0.0, right=0.9, weights=None):
    cases, new = zip(*parts(flipped), strict=True)
    return Task("learn", ("X", "y"), 1, ("theta",), cases, new, accuracy=right, weights=weights)


LAST = np.array([0, 0, 0, 1])
PLAIN, HARD = task(), task(right=1)


def found(some, change):
    """What `change` makes of theta on raw features (t), with mean m and spread s of the features."""
    for k, (X, _) in enumerate(some.cases):
        w = W / SPREAD / (1 + k)
        yield change(np.append(w, B - w @ MEAN), X.mean(axis=0), X.std(axis=0))


@pytest.mark.parametrize(("some", "change", "said"), [
    (PLAIN, lambda t, m, s: t, ""),
    (PLAIN, lambda t, m, s: list(np.float32(t)), ""),
    (PLAIN, lambda t, m, s: -t, SENTENCES["classes-turned"]),
    (PLAIN, lambda t, m, s: np.append(W, B), SENTENCES["not-carried-back"]),
    (PLAIN, lambda t, m, s: np.append(W / s, B), SENTENCES["offset-not-moved"]),
    (PLAIN, lambda t, m, s: np.roll(t, 1), SENTENCES["offset-first"]),
    (PLAIN, lambda t, m, s: np.append(t[:-1], 0), SENTENCES["offset-0/standardised"]),
    (PLAIN, lambda t, m, s: np.append(t[:-1], -t[-1]), SENTENCES["offset-turned"]),
    (PLAIN, lambda t, m, s: np.append(W / s, B + (W / s) @ m), SENTENCES["offset-moved-the-other-way"]),
    (PLAIN, lambda t, m, s: np.append(W * s, B - (W * s) @ m), SENTENCES["weights-times-spread"]),
    (PLAIN, lambda t, m, s: np.append(W / s, B - W @ m), SENTENCES["offset-moved-by-other-weights"]),
    (PLAIN, lambda t, m, s: np.append(W, 0), SENTENCES["not-carried-back"]),
    (PLAIN, lambda t, m, s: np.append(W * s, 0.1), SENTENCES["learned-on-raw-features"]),
    (PLAIN, lambda t, m, s: t + 1.5 * LAST, SENTENCES["offset-on-one-side"]),
    (PLAIN, lambda t, m, s: t + 99 * LAST, SENTENCES["all-on-one-side"]),
    (PLAIN, lambda t, m, s: 0 * t, "Your theta is 0"),
    (PLAIN, lambda t, m, s: np.append([0, -1 / s[1], 0], m[1] / s[1]), SENTENCES["one-feature"]),
    (PLAIN, lambda t, m, s: t[:-1], SENTENCES["offset-missing"]),
    (PLAIN, lambda t, m, s: t[:2], "learn must return theta of shape (4,) for 3 features; yours has (2,)."),
    (PLAIN, lambda t, m, s: t * np.nan, "The theta of learn contains NaN or infinity"),
    (PLAIN, lambda t, m, s: "a line", "learn returned 'a line', which is not made of numbers."),
    (PLAIN, lambda t, m, s: (t, 0.1), "2 things came back: return theta alone."),
    (PLAIN, lambda t, m, s: None, "learn returned None: it must reach a return with the answer."),
    (PLAIN, lambda t, m, s: t if s[0] > 0.7 else None, "returned None: there it ends without"),
    (HARD, lambda t, m, s: t, ""),
    (HARD, lambda t, m, s: t + 0.5 * LAST, SENTENCES["offset-on-one-side/separable"]),
    (HARD, lambda t, m, s: t * [1, 1, 1, 0], SENTENCES["offset-0"]),
    (HARD, lambda t, m, s: t * [1, 1, 0, 1], SENTENCES["classes-overlap"]),
    (task(0.3), lambda t, m, s: t,
     "misclassifies 30.0% of the new examples (30.0% where it is worst): at most 10% may"),
    (task(0.41), lambda t, m, s: t, "misclassifies 41.0% of the new examples (41.0%"),
    (task(0.44), lambda t, m, s: t,
     "misclassifies 44.0% of the new examples, about as many as by chance, and at most 10%"),
    (task(0.59), lambda t, m, s: t, "misclassifies 59.0% of the new examples, about as many as by chance"),
    (task(0.62), lambda t, m, s: t,
     "misclassifies 62.0% of the new examples: with the opposite sign it would do better"),
    (replace(PLAIN, right=task(0.3).right), lambda t, m, s: t, SENTENCES["by-heart"]),
    (task(right=0.7), lambda t, m, s: np.append(t[:-1], -t[-1] + 1), SENTENCES["offset-on-one-side"]),
    (task(right=0.7), lambda t, m, s: t + (2 * t[:-1] @ m + 0.42) * LAST,  # moved, and 3% too far
     SENTENCES["offset-on-one-side"]),
])
def test_what_repairs_a_theta_is_told(some, change, said):
    verdict = judge(some, list(found(some, change)))
    assert said in verdict.sentence
    assert bool(said) == bool(verdict.sentence)


@pytest.mark.parametrize(("border", "said"), [
    (lambda a, b: min(a), "runs through an example"),
    (lambda a, b: max(b), "runs through an example"),
    (lambda a, b: min(a) + max(b), "Halve your bias"),
    (lambda a, b: max(b) - min(a), "the width of the gap"),
    (lambda a, b: (min(a) - max(b)) / 2, "the width of the gap"),
    (lambda a, b: (max(a) + min(b)) / 2, "far ends"),
    (lambda a, b: (np.mean(a) + np.mean(b)) / 2, "in the middle of the means"),
])
def test_a_border_in_a_known_place_is_named(border, said):
    def theta(X, y):
        w = W / SPREAD
        return np.append(w, -border(X[y > 0] @ w, X[y < 0] @ w))

    far = [(X + np.outer(np.arange(len(X)) < 1, 500 * y[0] * W * SPREAD), y) for X, y in HARD.cases]  # one of them
    assert said in judge(replace(HARD, cases=tuple(far)), [theta(*case) for case in far]).sentence


def test_a_theta_that_only_just_does_is_told_so():
    notes = [judge(some, list(found(some, lambda t, m, s: t))).note for some in map(task, (0.04, 0.08, 0.095))]
    assert notes[:2] == ["", "; 8.0% of the new examples are wrong, 10% may be: with other data it could be more"]
    assert notes[2].startswith("; 9.5%")
    assert judge(HARD, list(found(HARD, lambda t, m, s: t))).note == ""


def fitted(X, y, *used):
    theta = np.zeros(X.shape[1] + 1)
    theta[[*used, -1]] = np.linalg.lstsq(np.c_[X[:, used], np.ones(len(X))], y, rcond=None)[0]
    return theta


@pytest.mark.parametrize(("right", "weights", "change", "said"), [
    (0.7, 2, lambda X, y: fitted(X, y, 0, 1), ""),
    (0.7, 2, lambda X, y: fitted(X, y, 0, 1, 2), "3 weights of your theta are not 0, and at most 2 may be"),
    (0.7, 2, lambda X, y: np.roll(fitted(X, y, 0, 1), 1), SENTENCES["offset-first"]),
    (0.7, 2, lambda X, y: 0.9 * fitted(X, y, 0, 1), SENTENCES["not-refitted/good"]),
    (0.7, 2, lambda X, y: fitted(X, y, 0, 1) + 5 * LAST, SENTENCES["not-refitted"]),
    (0.7, 2, lambda X, y: fitted((X - X.mean(axis=0)) / X.std(axis=0), y, 0, 1), SENTENCES["not-carried-back"]),
    (0.7, 2, lambda X, y: -fitted(X, y, 0, 1), SENTENCES["classes-turned"]),
    (0.95, 2, lambda X, y: fitted(X, y, 0),
     "% of the new examples would be wrong, 5% may be. Choose others, and all 2"),
    (0.95, 1, lambda X, y: fitted(X, y, 0), "% of the new examples would be wrong, 5% may be. Choose others."),
])
def test_a_fit_with_few_weights_is_told_what_it_lacks(right, weights, change, said):
    some = task(right=right, weights=weights)
    sentence = judge(some, [change(*case) for case in some.cases]).sentence
    assert said in sentence
    assert bool(said) == bool(sentence)
