"""Chapter 9's explorer and plots, against the rules written out in plain loops."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.path import Path
from numpy.testing import assert_allclose, assert_array_equal

import coursekit as ck
from tests.pictures import drag

REST, ONE, ARGMAX = "one-vs-rest", "one-vs-one", "linear argmax"


def inside(pieces, X):
    """In how many of the pieces each place lies, by matplotlib."""
    return sum([Path(piece).contains_points(X).astype(int) for piece in pieces], np.zeros(len(X), int))


def with_one(X):
    return np.column_stack([X, np.ones(len(X))])


def solid(bar):
    return bar.get_facecolor() == bar.get_edgecolor()


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
    pairs = [([*range(classes)], c) for c in range(classes)] if rule == REST else [
        (pair, pair[1]) for pair in combinations(range(classes), 2)]
    risks = [ck.Objective(X[np.isin(y, among)], np.where(y[np.isin(y, among)] == c, 1.0, -1.0), lam=state.lam)
             for among, c in pairs]
    fitted = [ck.gradient_descent(risk, ck.steps.constant(state.eta), 40).best_theta for risk in risks]
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
    said = f"nobody claims {nobody} of the picture, and several classes claim" if rule == REST else "Votes tie on"
    assert f"{said} {several}" in explorer.sentence
    if "separability" in preset:  # there a class may have no region
        return
    names = explorer.regions.names  # each stands in its own region
    assert [tag.text for tag in names.tags] == [f"class {c}" for c in range(classes)]
    at = explorer.regions.ax.transData.inverted().transform(names.boxes().reshape(-1, 2, 2).mean(axis=1))
    assert_array_equal(asked(state, rule, at)[:, 0], range(classes))


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


@pytest.mark.parametrize(("rule", "number"), [(REST, 0), (ARGMAX, 2)])
def test_the_bars_are_the_scores_of_the_place_and_the_winners_is_solid(explorer, rule, number):
    explorer.set(rule=rule, x1=-1.0, x2=-2.0)
    assert_array_equal(np.ravel(explorer.regions.place.get_data()), [-1.0, -2.0])
    scores, bars = explorer.state.rules[number].thetas @ [-1.0, -2.0, 1.0], explorer.scores.bars[:3]
    assert_allclose([bar.get_height() * explorer.state.unit for bar in bars], scores)
    assert [solid(bar) for bar in bars] == [c == scores.argmax() for c in range(3)]
    beside = {word.text: (word.x - 0.12, word.y) for word in explorer.scores.words._words[:3]}
    assert list(beside) == ["class 0", "class 1", "class 2"]
    marks = np.array([np.ravel(mark.get_xydata()) for mark in explorer.scores.marks[:3]])
    assert_allclose([*beside.values()], marks)
    assert np.ptp(marks[:, 1]) == 0  # whatever the scores are
    assert marks[0, 1] < min(bar.get_height() for bar in bars)


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
    explorer.set("rule='linear argmax' each=5 seed=24 separability=-2 beside=votes")
    for place, votes, winner in (((-4, 5), [1, 1, 1], None), ((5, 5), [0, 1, 2], 2)):
        explorer.set(x1=place[0], x2=place[1])
        assert sorted(explorer.state.votes) == votes
        assert [count for bar, count in zip(explorer.tally.bars, explorer.state.votes, strict=False)
                if solid(bar)] == [winner] * bool(winner)
        assert explorer.votes.nobody.get_path().contains_point(place) == (winner is None)
        assert ("In the vote, classes 0, 1, and 2 tie with 1 vote each" in explorer.sentence) == (winner is None)


def test_examples_and_lines_are_where_they_belong_and_wrong_ones_are_hollow(explorer):
    explorer.set(separability=-1.0, seed=3)
    state, regions = explorer.state, explorer.regions
    for c in range(3):
        for dots, right in ((regions.points[c], True), (regions.wrong[c], False)):
            own = (state.data.y == c) & ((state.predicted[0] == c) == right)
            assert_array_equal(dots.get_xydata(), state.data.X[own])
        ends = regions.boundaries[c].get_xydata()[:2]
        assert_allclose(with_one(ends) @ state.rules[0].thetas[c], 0, atol=1e-6)
        assert_allclose(np.abs(ends).max(axis=1), 7.0)  # on the frame, where its class's marker names it
        assert regions.boundaries[c].get_marker() == regions.points[c].get_marker()
    assert sum(len(dots.get_xdata()) for dots in regions.wrong) == state.misclassified[0] > 0
    explorer.rule = ONE
    assert regions.boundaries[0].get_marker() == ""
    for ends, theta in zip(regions.boundaries[0].get_xydata().reshape(3, 3, 2), state.rules[1].thetas, strict=True):
        assert_allclose(with_one(ends[:2]) @ theta, 0, atol=1e-6)
