"""Chapter 6's first explorer: what least squares does with the emails that it learns from, against numpy and counts."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

import coursekit as ck
from coursekit.models.regularization import PRICES, needed
from coursekit.plots import LengthRod, LoudWeights, Piles


@pytest.mark.parametrize("lam", [0.0, 10.0])
def test_scores_are_those_of_ridge_regression(explorer, lam):
    explorer.set(numbers=12, lam=lam)
    state, data = explorer.state, explorer.state.data
    assert data.X.shape == (50, 12)
    scores = Ridge(alpha=50 * lam / 2 + 1e-12).fit(data.X, data.y).predict(data.X)
    np.testing.assert_allclose(state.scores, scores, atol=1e-7)
    assert state.square == pytest.approx(np.mean((data.y - scores) ** 2))
    assert state.misclassified == np.sum(data.y * scores <= 0)


def test_the_fifty_are_those_of_the_chapter_and_the_numbers_are_columns_of_them(explorer):
    every = ck.datasets.load("mail").split(50 / 4210, 4160 / 4210, seed=7)[0].standardized()
    spoken = ck.datasets.words().features
    for numbers in (57, 5):
        explorer.set(seed=7, numbers=numbers)
        data, columns = explorer.state.data, [spoken.index(name) for name in explorer.state.data.features]
        assert len(set(columns)) == numbers
        np.testing.assert_array_equal(data.X, every.X[:, columns if numbers == 5 else ...])


def test_the_two_errors_are_counts_on_the_emails_learned_from_and_on_all_others(explorer):
    few, rest = (part for part in ck.datasets.load("mail").split(50 / 4210, 4160 / 4210, seed=4))
    few, rest = few.standardized(), rest.standardized(by=few)
    explorer.lam = 4.0
    state, curves = explorer.state, explorer.curves
    for lam, found in ((4.0, state.now), (PRICES[0], state.errors[:, 0])):
        model = Ridge(alpha=50 * lam / 2 + 1e-12).fit(few.X, few.y)
        wrong = [np.mean(part.y * model.predict(part.X) <= 0) for part in (few, rest)]
        np.testing.assert_allclose(found, wrong, atol=1e-3)  # at lambda 0 scikit-learn needs a trace of it
    high = curves.ruler.scale["y"]
    np.testing.assert_allclose([curve.get_ydata() * high for curve in curves.curves], 100 * state.errors)
    np.testing.assert_allclose(np.multiply(high, curves.best.get_ydata()), 100 * state.errors[1].min())
    assert f"new emails: {100 * state.now[1]:.1f}%" == curves.words[1].get_text()


def test_what_new_email_says_is_hidden_when_a_question_comes_first(explorer):
    explorer.set(lam=1.0, unseen="hidden")
    curves = explorer.curves
    assert not any(len(one.get_xdata()) for one in (curves.curves[1], curves.now[1], curves.best, curves.up))
    assert not curves.name._words
    assert not explorer.weights.note.get_visible()
    assert curves.words[1].get_text() == "new emails: ?"
    assert max(curves.cut.get_ydata()) == curves.ax.get_ylim()[1]  # nor is it where the upright line ends
    assert explorer.sentence.endswith("And how many new ones? Guess first.")
    scale = curves.ruler.scale["y"]
    assert scale > 50  # half of them wrong: the scale tells nothing, and stays when all is told
    explorer.unseen = "shown"
    assert curves.ruler.scale["y"] == scale


def test_w_is_as_long_as_the_closest_pair_needs_and_never_longer_for_a_higher_price(explorer):
    data, lengths = explorer.state.data, []
    apart = [np.linalg.norm(a - b) for a in data.X[data.y > 0] for b in data.X[data.y < 0]]
    assert explorer.state.needed == pytest.approx(2 / min(apart))
    for lam in (0.0, 4.0, 100.0):
        explorer.lam = lam
        lengths.append(explorer.state.length)
        assert lengths[-1] == pytest.approx(np.linalg.norm(ck.least_squares(data.X, data.y, lam)[:-1]))
        assert f"w is {lengths[-1]:.2f} long." in explorer.sentence
        assert explorer.rod.rod.get_xdata()[1] == pytest.approx(min(lengths[-1] / (1.2 * explorer.state.longest), 1))
    assert lengths[0] > max(explorer.state.needed, lengths[1]) > lengths[2]
    assert needed(np.zeros((2, 3)), np.zeros((1, 3))) == needed(np.zeros((0, 3)), np.ones((2, 3))) == 0


@pytest.mark.parametrize(("length", "end", "marker"), [(1.0, 0.5, "|"), (2.0, 1.0, "|"), (3.0, 1.0, ">")])
def test_a_rod_that_is_too_long_ends_at_the_edge_with_an_arrow(length, end, marker):
    rod = LengthRod(ck.plots.figure(6, 3).add_axes((0.1, 0.2, 0.8, 0.7)), "needed:").show(length, 2.0, 1.5)
    assert (rod.rod.get_xdata()[1], rod.end.get_xdata()[0], rod.end.get_marker()) == (end, end, marker)


def test_bars_stand_beside_the_largest_in_the_order_given_and_the_loudest_are_named():
    plot = LoudWeights(ck.plots.figure(6, 3).add_axes((0.1, 0.2, 0.8, 0.7)))
    plot.show(np.array([0.5, -2.0, 1.0, 0.0]), np.array([2, 0, 3, 1]), list("abcd"))
    for bars, tops in zip(plot.bars, ({0.75: -1.0}, {0.0: 0.5, 0.25: 0.25}), strict=True):
        found = bars.get_path().vertices.reshape(-1, 6, 2)[:, :5]
        assert {left: high for (left, _), (_, high) in found[:, :2] if high} == tops
    assert [words.get_text() for words in plot.words] == ["for ham:  b", "for spam:  c · a"]
    np.testing.assert_allclose(plot.dots.get_xydata(), [[3.42 / 4, -1], [0.42 / 4, 0.5], [1.42 / 4, 0.25]])
    assert not plot.note.get_visible()
    plot.show(np.zeros(4), np.arange(4), list("abcd"), outline=np.ones(4))
    assert [words.get_text() for words in plot.words] == ["for ham:  nothing", "for spam:  nothing"]
    assert plot.note.get_visible()


def test_every_mail_is_a_dot_of_its_own_and_piles_are_as_high_as_they_have_mails():
    piles = Piles(ck.plots.figure(6, 3).add_axes((0.1, 0.2, 0.8, 0.7)))
    piles.show(np.array([-1.0] * 5 + [1.0] * 3 + [9.0, np.inf]), np.repeat([-1.0, 1.0], 5))
    honest, spam = (dots.get_xydata() for dots in piles.dots)
    np.testing.assert_allclose(honest[:, 0], -1, atol=piles.reach / piles.columns)
    np.testing.assert_allclose(np.sort(honest[:, 1]), 0.7 + np.arange(5))
    assert len(np.unique(spam, axis=0)) == 5
    np.testing.assert_allclose(np.sort(spam[:, 0])[-2:], piles.reach)
    piles.show(np.zeros(100), np.resize([-1.0, 1.0], 100))
    every = np.vstack([dots.get_xydata() for dots in piles.dots])
    assert len(np.unique(every, axis=0)) == 100
    assert every[:, 1].max() <= piles.high
