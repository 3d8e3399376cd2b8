"""What is said to a theta that must classify well, and to one that must be a least squares fit as well."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from coursekit.checking.accuracy import SENTENCES
from coursekit.checking.judge import judge
from coursekit.checking.task import Task

TABLES = tomllib.loads(Path(__file__).with_name("accuracy.toml").read_text("utf-8"))
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


def as_python(arguments, text):
    return eval(f"lambda {arguments}: {text}", globals())


@pytest.mark.parametrize(("some", "change", "said"), [
    (some, change, said) for some, rows in TABLES["thetas"].items() for change, said in rows.items()])
def test_what_repairs_a_theta_is_told(some, change, said):
    some = eval(some)
    verdict = judge(some, list(found(some, as_python("t, m, s", change))))
    assert SENTENCES.get(said, said) in verdict.sentence
    assert bool(said) == bool(verdict.sentence)


@pytest.mark.parametrize("border", TABLES["borders"])
def test_a_border_in_a_known_place_is_named(border):
    def theta(X, y):
        w = W / SPREAD
        return np.append(w, -as_python("a, b", border)(X[y > 0] @ w, X[y < 0] @ w))

    far = [(X + np.outer(np.arange(len(X)) < 1, 500 * y[0] * W * SPREAD), y) for X, y in HARD.cases]  # one of them
    told = judge(replace(HARD, cases=tuple(far)), [theta(*case) for case in far]).sentence
    assert TABLES["borders"][border] in told


def test_a_theta_that_only_just_does_is_told_so():
    notes = [judge(some, list(found(some, lambda t, m, s: t))).note for some in map(task, (0.04, 0.08, 0.095))]
    assert notes[:2] == ["", "; 8.0% of the new examples are wrong, 10% may be: with other data it could be more"]
    assert notes[2].startswith("; 9.5%")
    assert judge(HARD, list(found(HARD, lambda t, m, s: t))).note == ""


def fitted(X, y, *used):
    theta = np.zeros(X.shape[1] + 1)
    theta[[*used, -1]] = np.linalg.lstsq(np.c_[X[:, used], np.ones(len(X))], y, rcond=None)[0]
    return theta


@pytest.mark.parametrize(("right", "weights", "change", "said"), TABLES["fits"])
def test_a_fit_with_few_weights_is_told_what_it_lacks(right, weights, change, said):
    some = task(right=right, weights=weights)
    sentence = judge(some, [as_python("X, y", change)(*case) for case in some.cases]).sentence
    assert SENTENCES.get(said, said) in sentence
    assert bool(said) == bool(sentence)
