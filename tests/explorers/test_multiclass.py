"""Chapter 9's explorer and plots, against the rules written out in plain loops."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.path import Path
from numpy.testing import assert_allclose, assert_array_equal

import coursekit as ck
from coursekit.models.multiclass import part
from coursekit.plots.regions import size
from tests.pictures import drag

REST, ONE, ARGMAX = "one-vs-rest", "one-vs-one", "linear argmax"


def line(X, y, eta, lam):
    return ck.gradient_descent(ck.Objective(X, y, lam=lam), ck.steps.constant(eta), 40).best_theta


def inside(pieces, X):
    """In how many of the pieces each place lies, by matplotlib."""
    return sum([Path(piece).contains_points(X).astype(int) for piece in pieces], np.zeros(len(X), int))


def with_one(X):
    return np.column_stack([X, np.ones(len(X))])


def asked(state, rule, X):
    """Class of places and how many hold them, more than two as two: (n, 2). How a vote goes: tests/algorithms."""
    learned = state.rules[rule == ONE]
    votes = learned.votes(X) if rule == ONE else learned.scores(X) > 0
    held = votes == votes.max(axis=1, keepdims=True) if rule == ONE else votes
    return np.column_stack([learned.predict(X), held.sum(axis=1).clip(max=2)])


@pytest.mark.parametrize(("preset", "rule"), [
    ("classes=3", REST), ("classes=4 eta=0.1 lam=0.05 seed=2", ONE), ("classes=5 each=8 seed=22 separability=-2", REST),
    ("classes=5 each=8 seed=22 separability=-2", ONE), ("classes=5 each=8 seed=1 separability=-2", REST),  # three claim
])
def test_answers_are_those_of_lines_by_plain_descent_and_are_told(explorer, preset, rule):
    explorer.set(preset, rule=rule)
    state = explorer.state
    X, y, classes = state.data.X, state.data.y, state.classes
    if rule == REST:
        parts = [(X, y == c) for c in range(classes)]
    else:
        parts = [(X[np.isin(y, pair)], y[np.isin(y, pair)] == pair[1]) for pair in combinations(range(classes), 2)]
    fitted = [line(part, np.where(positive, 1.0, -1.0), state.eta, state.lam) for part, positive in parts]
    assert_allclose(state.rules[rule == ONE].thetas, fitted, atol=1e-9)
    low, high = np.reshape(explorer.regions.extent, (2, 2)).T
    places = low + (high - low) * np.mgrid[0.5:200, 0.5:200].reshape(2, -1).T / 200
    answers, held = asked(state, rule, places).T
    owned = np.array([inside(pieces, places) for pieces in state.areas])
    nobody, several = inside(state.nobody, places), inside(state.several, places)
    assert np.mean(several == (held == 2)) > 0.998  # but for places on a border
    assert np.mean(nobody == (held == 0)) > 0.998
    won = (answers == np.arange(classes)[:, None]) & ((held < 2) if rule == ONE else True)
    assert np.mean(owned == won) > 0.998
    assert_allclose(state.shares[rule == ONE], [np.mean(held == 0), np.mean(held == 2)], atol=2e-3)
    wrong = np.sum(asked(state, rule, X)[:, 0] != y)
    assert f"with {len(fitted)} lines, gets {wrong} of {len(X)} wrong." in explorer.sentence
    shares = state.shares[rule == ONE]
    nobody, several = ("under 0.1%" if 0 < share < 0.001 else f"{100 * share:.1f}%" for share in shares)
    said = f"nobody claims {nobody} of the picture, and several classes claim {several}."
    assert (said if rule == REST else f"Votes tie on {several}") in explorer.sentence
    if "separability" in preset:  # there a class may have no region
        return
    names = explorer.regions.names  # each stands in its own region
    assert [tag.text for tag in names.tags] == [f"class {c}" for c in range(classes)]
    at = explorer.regions.ax.transData.inverted().transform(names.boxes().reshape(-1, 2, 2).mean(axis=1))
    assert_array_equal(asked(state, rule, at)[:, 0], range(classes))


@pytest.mark.parametrize("theta", [
    (1.0, 0.0, -0.5), (1.0, 1.0, -1.0), (0.0, 1.0, 2.0), (0.0, -1.0, -2.0), (1.0, 0.0, 0.0), (1.0, 1.0, -2.0),
])
def test_a_line_keeps_the_part_of_a_polygon_that_counting_finds(theta):
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    X = np.stack(np.meshgrid(*[np.linspace(-0.999, 0.999, 301)] * 2), axis=-1).reshape(-1, 2)
    found = part(square, np.array(theta))
    positive = with_one(X) @ theta >= 0
    assert_array_equal(inside([found] if len(found) else [], X)[np.abs(with_one(X) @ theta) > 1e-9],
                       positive[np.abs(with_one(X) @ theta) > 1e-9])
    assert (size(found) if len(found) else 0.0) == pytest.approx(4 * np.mean(positive), abs=0.02)


@pytest.mark.parametrize("rule", [REST, ONE, ARGMAX])
def test_the_walk_shows_the_scores_of_the_rule_and_who_wins(explorer, rule):
    explorer.set(rule=rule, classes=4, each=6, separability=-1.0, seed=3, x1=1.0, x2=-2.0)
    x = explorer.side.lines[0].get_xdata()
    places = np.column_stack([x, np.full(len(x), -2.0)])
    chosen = explorer.state.rules[(REST, ONE, ARGMAX).index(rule)]
    scores = np.array([line.get_ydata() for line in explorer.side.lines[:4]]).T
    unit = max(np.abs(chosen.scores(8.0 * np.array([(a, b)]))).max() for a in (-1, 1) for b in (-1, 1))
    assert_allclose(scores, chosen.scores(places) / unit)
    thick = np.isfinite([line.get_ydata() for line in explorer.side.won[:4]])
    assert_array_equal(thick.argmax(axis=0), chosen.predict(places))
    assert_array_equal(thick.sum(axis=0), 1)
    assert list(explorer.side.here.get_xdata()) == [1.0, 1.0]


def test_the_bars_are_the_scores_of_the_place_and_the_winners_is_solid(explorer):
    for rule, number in ((REST, 0), (ARGMAX, 2)):
        explorer.set(rule=rule, x1=-1.0, x2=-2.0)
        assert "At (−1, −2)" in explorer.sentence
        assert_array_equal(np.ravel(explorer.regions.place.get_data()), [-1.0, -2.0])
        scores = with_one(np.array([[-1.0, -2.0]])) @ explorer.state.rules[number].thetas.T
        bars = explorer.scores.bars[:3]
        assert_allclose([bar.get_height() * explorer.state.unit for bar in bars], scores[0])
        solid = [bar.get_facecolor() == bar.get_edgecolor() for bar in bars]
        assert solid == [c == scores.argmax() for c in range(3)]
        beside = {word.text: (word.x, word.y) for word in explorer.scores.words._words[:3]}
        marks = [np.ravel(mark.get_xydata()) for mark in explorer.scores.marks[:3]]
        assert list(beside) == ["class 0", "class 1", "class 2"]
        assert [(x - 0.12, y) for x, y in beside.values()] == [pytest.approx(tuple(mark)) for mark in marks]
        assert len({y for _, y in marks}) == 1  # whatever the scores are
        assert max(mark[1] for mark in marks) < min(bar.get_height() for bar in bars)


@pytest.mark.parametrize("classes", [3, 4, 5])
def test_no_slider_or_click_leads_the_plus_out_of_the_plane(explorer, classes):
    explorer.set(classes=classes, beside="votes")
    for end in (0, -1):
        explorer.set(x1=explorer.stops("x1")[end], x2=explorer.stops("x2")[end])
        for plot in (explorer.regions, explorer.votes):
            assert_array_equal(np.clip(plot.place.get_data(), plot.extent[0], plot.extent[1]), plot.place.get_data())
        drag(explorer, explorer.regions.ax, np.array(explorer.regions.extent[::2]) * (1 + 2 * end))
        assert (explorer.x1, explorer.x2) == (explorer.stops("x1")[end], explorer.stops("x2")[end])


def test_nobody_gets_the_place_where_votes_tie_and_it_is_yellow(explorer):
    explorer.set("rule='linear argmax' each=5 seed=24 separability=-2 beside=votes x1=-4 x2=5")
    assert explorer.state.votes.tolist() == [1, 1, 1]
    assert not any(bar.get_facecolor() == bar.get_edgecolor() for bar in explorer.tally.bars[:3])
    assert explorer.votes.nobody.get_path().contains_point((-4, 5))
    said = "In the vote, classes 0, 1, and 2 tie with 1 vote each, and the sum of scores picks class 1."
    assert said in explorer.sentence
    explorer.set(x1=5, x2=5)
    assert sorted(explorer.state.votes) == [0, 1, 2]
    solid = [bar.get_facecolor() == bar.get_edgecolor() for bar in explorer.tally.bars[:3]]
    assert solid == [c == explorer.state.votes.argmax() for c in range(3)]
    assert not explorer.votes.nobody.get_path().contains_point((5, 5))


def test_examples_and_lines_are_where_they_belong_and_wrong_ones_are_hollow(explorer):
    explorer.set(separability=-1.0, seed=3)
    state = explorer.state
    for c in range(3):
        for dots, right in ((explorer.regions.points[c], True), (explorer.regions.wrong[c], False)):
            own = (state.data.y == c) & ((state.predicted[0] == c) == right)
            assert_array_equal(np.array(dots.get_data()).T, state.data.X[own])
        ends = np.array(explorer.regions.boundaries[c].get_data()).T[:2]
        assert_allclose(with_one(ends) @ state.rules[0].thetas[c], 0, atol=1e-6)
        assert_allclose(np.abs(ends).max(axis=1), 7.0)  # on the frame, where its class's marker names it
        assert explorer.regions.boundaries[c].get_marker() == explorer.regions.points[c].get_marker()
    assert sum(len(dots.get_xdata()) for dots in explorer.regions.wrong) == state.misclassified[0] > 0
    explorer.rule = ONE
    segments = np.array(explorer.regions.boundaries[0].get_data()).T
    assert explorer.regions.boundaries[0].get_marker() == ""
    for ends, theta in zip(segments.reshape(3, 3, 2)[:, :2], state.rules[1].thetas, strict=True):
        assert_allclose(with_one(ends) @ theta, 0, atol=1e-6)
