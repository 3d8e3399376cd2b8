"""Chapter 6's first explorer: what least squares does to the mails that it learns from, against numpy and counts."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

import coursekit as ck
from coursekit.plots import Piles


@pytest.mark.parametrize("lam", [0.0, 1.0, 10.0])
def test_scores_are_those_of_ridge_regression(explorer, lam):
    explorer.set(numbers=12, lam=lam)
    data = explorer.state.data
    assert data.X.shape == (50, 12)
    model = Ridge(alpha=50 * lam / 2 + 1e-12).fit(data.X, data.y)
    np.testing.assert_allclose(explorer.state.scores, model.predict(data.X), atol=1e-7)
    assert explorer.state.square == pytest.approx(np.mean((data.y - model.predict(data.X)) ** 2))
    assert explorer.state.misclassified == sum(f * y <= 0 for f, y in zip(explorer.state.scores, data.y, strict=True))


def test_the_fifty_are_those_of_the_chapter_and_the_numbers_are_columns_of_them(explorer):
    every = ck.datasets.load("mail").split(50 / 4210, 4160 / 4210, seed=7)[0].standardized()
    explorer.set(seed=7, numbers=57)
    np.testing.assert_array_equal(explorer.state.data.X, every.X)
    explorer.numbers = 5
    names = explorer.state.data.features
    assert len(set(names)) == 5
    np.testing.assert_array_equal(explorer.state.data.X, every.X[:, [every.features.index(name) for name in names]])


def test_more_numbers_never_fit_worse_and_all_of_them_fit_exactly(explorer):
    squares = []
    for numbers in (1, 5, 20, 40, 57):
        explorer.numbers = numbers
        squares.append(explorer.state.square)
    assert (np.diff(squares) <= 1e-12).all()
    assert squares[-1] < 1e-12


def test_every_mail_is_a_dot_of_its_own_and_piles_are_as_high_as_they_have_mails():
    piles = Piles(ck.plots.figure(6, 3).add_axes((0.1, 0.2, 0.8, 0.7)))
    piles.show(np.array([-1.0] * 5 + [1.0] * 3 + [9.0, np.inf]), np.repeat([-1.0, 1.0], 5))
    honest, spam = (np.column_stack(dots.get_data()) for dots in piles.dots)
    np.testing.assert_allclose(honest[:, 0], -1, atol=piles.reach / piles.columns)
    np.testing.assert_allclose(np.sort(honest[:, 1]), 0.7 + np.arange(5))
    assert len(np.unique(spam, axis=0)) == 5
    np.testing.assert_allclose(np.sort(spam[:, 0])[-2:], piles.reach)
    piles.show(np.zeros(100), np.resize([-1.0, 1.0], 100))
    every = np.vstack([np.column_stack(dots.get_data()) for dots in piles.dots])
    assert len(np.unique(every, axis=0)) == 100
    assert every[:, 1].max() <= piles.high
