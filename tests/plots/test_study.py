"""What the pictures of chapter 10 show, against counts by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from coursekit.plots import study


@pytest.fixture
def ax():
    fig, ax = plt.subplots()
    yield ax
    plt.close(fig)


def words(ax):
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("leak", [False, True])
def test_a_leak_is_one_arrow_more_and_says_so(ax, leak):
    study.flow(ax, 800, 200, "mails", leak)
    assert ("leak" in words(ax)) == leak
    assert "all 1000 mails, shuffled" in words(ax)
    plain = plt.figure().add_subplot()
    study.flow(plain, 800, 200, "mails")
    assert len(ax.patches) - len(plain.patches) == leak


def test_the_lowest_mean_has_the_star_and_the_line_is_one_standard_error_above_it(ax):
    lams, errors = np.array([1, 0.1, 0.01]), np.array([[9.0, 5, 4], [11, 7, 8]])
    study.choice(ax, lams, errors, 1)
    star, dot = (next(line for line in ax.lines if line.get_marker() == mark and len(line.get_xdata()) == 1)
                 for mark in "*o")
    assert (*star.get_xdata(), *star.get_ydata()) == (0.1, 6)  # of equal means the larger lambda comes first
    assert (*dot.get_xdata(), *dot.get_ydata()) == (0.1, 6)
    level = next(line for line in ax.lines if set(np.ravel(line.get_xdata())) == {0, 1})
    np.testing.assert_allclose(level.get_ydata(), 6 + np.sqrt(2) / np.sqrt(2))  # spread of 5 and 7, of two folds


def test_prices_count_letters_and_spam_at_each_threshold(ax):
    scores, y = np.array([-1.0, 0.5, 1.0, 2.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    study.prices(ax, scores, y, 10, 0.75)
    held, through, both = ax.lines[:3]
    at = np.argmin(np.abs(held.get_xdata() - 0.25))
    assert (held.get_ydata()[at], through.get_ydata()[at], both.get_ydata()[at]) == (250, 0, 250)  # one letter of four
    at = np.argmin(np.abs(held.get_xdata() - 1.5))
    assert (held.get_ydata()[at], through.get_ydata()[at], both.get_ydata()[at]) == (0, 25, 25)


def test_promises_are_shares_of_spam_by_what_was_said(ax):
    said = np.array([0.05, 0.05, 0.95, 0.95, 0.95, 1.0])
    study.promises(ax, [("one", said, np.array([1, -1, 1, 1, 1, -1]))])
    curve = ax.lines[-1]
    kept = np.isfinite(curve.get_ydata())
    np.testing.assert_allclose(curve.get_xdata()[kept], [0.05, 0.95])
    np.testing.assert_allclose(curve.get_ydata()[kept], [0.5, 0.75])


def test_pairs_have_their_mean_and_how_many_are_above_0(ax):
    study.paired(ax, [-1.0, 0.0, 2.0, 3.0], "difference")
    assert "mean +1.0" in words(ax)
    assert "above 0: 2 of 4" in words(ax)
