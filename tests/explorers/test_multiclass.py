"""Chapter 9's explorer and plots, against the rules written out in plain loops and against scikit-learn."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from coursekit.explorers.picture import Stroke
from coursekit.plots import Regions, figure

REST, ONE, ARGMAX = "one against rest", "one against one", "linear argmax"


def line(X, y, eta, lam, steps=40):
    """Gradient descent on mean hinge loss + lam/2 ||w||^2, the best iterate."""
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    theta = np.zeros(3)
    thetas, values = [], []
    for _ in range(steps + 1):
        z = Z @ theta
        thetas.append(theta)
        values.append(np.maximum(0, 1 - z).mean() + lam / 2 * theta[:2] @ theta[:2])
        theta = theta - eta * (lam * theta * [1, 1, 0] - (Z * (z <= 1)[:, None]).mean(axis=0))
    return thetas[int(np.argmin(values))]


def grid(classes):
    view = {3: 7.0, 4: 8.0, 5: 9.0}[classes]
    centres = -view + 2 * view * (np.arange(96) + 0.5) / 96
    return np.array([(x, y) for y in centres for x in centres])


def with_one(X):
    return np.column_stack([X, np.ones(len(X))])


def asked(state, rule, X):
    """Class of places and how many hold them, in plain numpy: (n, 2)."""
    rest, one, argmax = (with_one(X) @ r.thetas.T for r in state.rules)
    if rule != ONE:
        scores = rest if rule == REST else argmax
        held = np.minimum((rest > 0).sum(axis=1), 2) if rule == REST else np.ones(len(X))
        return np.column_stack([scores.argmax(axis=1), held])
    votes, sums = np.zeros((len(X), state.classes)), np.zeros((len(X), state.classes))
    for f, (a, b) in zip(one.T, combinations(range(state.classes), 2), strict=True):
        votes[:, b] += f > 0
        votes[:, a] += f <= 0
        sums[:, b] += f
        sums[:, a] -= f
    lead = votes == votes.max(axis=1, keepdims=True)
    return np.column_stack([np.where(lead, sums, -np.inf).argmax(axis=1), lead.sum(axis=1).clip(max=2)])


@pytest.mark.parametrize(("preset", "rule"), [
    ("classes=3", REST), ("classes=4 eta=0.1 lam=0.05 seed=2", ONE), ("classes=5 each=8 seed=22 separability=-2", REST),
    ("classes=5 each=8 seed=22 separability=-2", ONE),
])
def test_answers_are_those_of_lines_by_plain_descent_and_are_told(explorer, preset, rule):
    explorer.set(preset, rule=rule)
    state = explorer.state
    X, y, classes = state.data.X, state.data.y, state.classes
    if rule == REST:
        fitted = [line(X, np.where(y == c, 1.0, -1.0), state.eta, state.lam) for c in range(classes)]
    else:
        fitted = [line(X[np.isin(y, pair)], np.where(y[np.isin(y, pair)] == pair[1], 1.0, -1.0), state.eta, state.lam)
                  for pair in combinations(range(classes), 2)]
    assert_allclose(state.rules[rule == ONE].thetas, fitted, atol=1e-9)
    answers, held = asked(state, rule, grid(classes)).T
    assert_array_equal(state.answers, answers)
    assert_array_equal(state.held, held)
    wrong = np.sum(asked(state, rule, X)[:, 0] != y)
    assert f"{len(fitted)} lines: {wrong} of {len(X)} misclassified" in explorer.sentence
    share = np.mean(held == 2)
    several = "under 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"
    nobody = f"nobody claims {100 * np.mean(held == 0):.1f} % of the plane, several claim {several}"
    assert (nobody if rule == REST else f"Votes tie on {several}") in explorer.sentence
    if "separability" in preset:  # there a class may have no region
        return
    names = explorer.regions.names  # each stands in its own region
    assert [tag.text for tag in names.tags] == [str(c) for c in range(classes)]
    at = explorer.regions.ax.transData.inverted().transform(names.boxes().reshape(-1, 2, 2).mean(axis=1))
    nearest = np.square(grid(classes) - at[:, None]).sum(axis=2).argmin(axis=1)
    assert_array_equal(state.answers[nearest], range(classes))


def test_who_claims_a_place_and_who_decides_is_said(explorer):
    seen = set()
    for x1, x2 in ((0.0, 4.0), (0.0, 0.6), (5.0, 3.0), (-5.0, 3.0), (0.0, -6.0)):
        explorer.set(x1=x1, x2=x2)
        claims = [str(c) for c in range(3) if explorer.state.rest_scores[c] > 0]
        said = {0: "nobody does", 1: f"only {claims[0]} claims it" if claims else "", 2: " and ".join(claims)}
        assert said[len(claims)] in explorer.sentence
        seen.add(len(claims))
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("rule", [REST, ONE, ARGMAX])
def test_the_walk_shows_the_scores_of_the_rule_and_who_wins(explorer, rule):
    explorer.set(rule=rule, classes=4, each=6, separability=-1.0, seed=3, x1=1.0, x2=-2.0)
    x = explorer.side.lines[0].get_xdata()
    places = np.column_stack([x, np.full(len(x), -2.0)])
    chosen = explorer.state.rules[(REST, ONE, ARGMAX).index(rule)]
    scores = np.array([line.get_ydata() for line in explorer.side.lines[:4]]).T
    assert_allclose(scores, chosen.scores(places) / np.abs(chosen.scores(places)).max())
    thick = np.isfinite([line.get_ydata() for line in explorer.side.won[:4]])
    assert_array_equal(thick.argmax(axis=0), chosen.predict(places))
    assert_array_equal(thick.sum(axis=0), 1)
    assert list(explorer.side.here.get_xdata()) == [1.0, 1.0]


def test_the_small_map_is_striped_where_the_rules_disagree(explorer):
    explorer.set(classes=4, seed=4, also="disagreement")
    answers = []
    for rule in (REST, ONE, ARGMAX):
        explorer.rule = rule
        answers.append(explorer.state.answers)
    same = (answers[0] == answers[1]) & (answers[1] == answers[2])
    assert_array_equal(explorer.state.same, same)
    assert 0.05 < 1 - same.mean() < 0.5
    held, drawn = np.divmod(explorer.disagreement.ground._codes.ravel(), 5)
    assert_array_equal(held, np.where(same, 1, 3))
    assert_array_equal(drawn[same], answers[0][same])
    written = [tag.text for tag in explorer.disagreement.tags.tags]
    assert written == [f"they disagree: {100 * (1 - same.mean()):.1f} %"]


@pytest.mark.parametrize(("theta", "ends"), [
    ((1.0, 0.0, -2.0), [(2, -3), (2, 3)]),  # x1 = 2, upright
    ((0.0, 1.0, 1.0), [(-4, -1), (4, -1)]),  # x2 = -1, level
    ((1.0, 1.0, -6.0), [(3, 3), (4, 2)]),  # across a corner
    ((1.0, 1.0, -8.0), []),  # past a corner
    ((0.0, 0.0, 1.0), []),
])
def test_a_class_has_its_line_from_frame_to_frame(theta, ends):
    view = Regions(figure(4, 3).add_axes((0, 0, 1, 1)))
    view.frame((-4, 4, -3, 3), ("a", "b"))
    places = np.zeros(len(Regions.grid(view.extent)), int)
    view.show(places, places, thetas=np.array([theta]), own=True)
    drawn = np.array(view.boundaries[0].get_data()).T
    assert_allclose(sorted(map(tuple, drawn[~np.isnan(drawn).any(axis=1)])), sorted(ends), atol=1e-9)


def test_examples_crosses_and_lines_are_where_they_belong(explorer):
    explorer.set(separability=-1.0, seed=3)
    state = explorer.state
    for c in range(3):
        assert_array_equal(np.array(explorer.regions.points[c].get_data()).T, state.data.X[state.data.y == c])
        ends = np.array(explorer.regions.boundaries[c].get_data()).T[:2]
        assert_allclose(with_one(ends) @ state.rules[0].thetas[c], 0, atol=1e-6)
        assert_allclose(np.abs(ends).max(axis=1), 7.0)  # on the frame, where its class's marker names it
        assert explorer.regions.boundaries[c].get_marker() == explorer.regions.points[c].get_marker()
    wrong = state.data.X[state.predicted[0] != state.data.y]
    assert len(wrong) == state.misclassified[0] > 0
    assert_array_equal(np.array(explorer.regions.wrong.get_data()).T, wrong)
    explorer.rule = ONE
    segments = np.array(explorer.regions.boundaries[0].get_data()).T
    assert explorer.regions.boundaries[0].get_marker() == ""
    for ends, theta in zip(segments.reshape(3, 3, 2)[:, :2], state.rules[1].thetas, strict=True):
        assert_allclose(with_one(ends) @ theta, 0, atol=1e-6)


def test_a_click_asks_about_a_place(explorer):
    explorer.also = "disagreement"
    explorer.touch(Stroke(explorer.disagreement.ax, (0.0, 0.0), (-2.04, 3.33), first=True, done=True))
    assert "At (-2, 3.3)" in explorer.sentence
    for plane in (explorer.regions, explorer.disagreement):
        assert_array_equal(np.ravel(plane.place.get_data()), [-2.0, 3.3])
    x = np.array([-2.0, 3.3, 1.0])
    assert_allclose(explorer.state.rest_scores, explorer.state.rules[0].thetas @ x)
    assert_allclose(explorer.state.argmax_scores, explorer.state.rules[2].thetas @ x)
    explorer.touch(Stroke(explorer.regions.ax, (0.0, 0.0), (50.0, -50.0), first=False, done=True))
    assert (explorer.x1, explorer.x2) == (7.0, -7.0)


def test_a_sure_place_has_one_tint_and_a_doubtful_one_stripes_of_its_own():
    view = Regions(figure(2.0, 2.0).add_axes((0, 0, 1, 1)))
    view.frame((0.0, 1.0, 0.0, 1.0), ("left", "right"))
    X = Regions.grid(view.extent)
    striped = []
    for held in (0, 1, 2, 3):  # nobody, one, several; the rules disagree
        view.show((X[:, 0] > 0.5).astype(int), np.full(len(X), held))
        pixels = view.ground.palettes[0][view.ground.paint(200, 200, 1.0)].view(np.uint8).reshape(200, 200, 4)
        tile = pixels[20:80, 20:80, :3].astype(int)
        colours = np.unique(tile.reshape(-1, 3), axis=0)
        assert len(colours) == (1 if held == 1 else 2)
        striped.append((tile == colours[0]).all(axis=2))
    falling, _, rising, crossing = striped
    assert_array_equal(crossing, falling | rising)
    assert_array_equal(falling[1:, :-1], falling[:-1, 1:])
    assert_array_equal(rising[1:, 1:], rising[:-1, :-1])
    assert not (falling == rising).all()


def crosses(walk, segments):
    """Which steps of a walk, (n, 2), cross a segment, (m, 2, 2)."""
    def turns(a, b, c):
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) > (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    p, q, (a, b) = walk[:-1, None], walk[1:, None], segments.transpose(1, 0, 2)
    return ((turns(p, q, a) != turns(p, q, b)) & (turns(a, b, p) != turns(a, b, q))).any(axis=1)


@pytest.mark.parametrize(("preset", "rule"), [
    ("", ARGMAX), ("classes=4 each=5 seed=49 separability=-2", REST), ("classes=5 eta=0.01", ONE),
])
def test_a_walk_crosses_a_border_exactly_where_the_answer_changes(explorer, preset, rule):
    explorer.set(preset, rule=rule)
    segments = np.column_stack(explorer.regions.borders.get_data()).reshape(-1, 3, 2)[:, :2]
    reach, rng, changes = explorer.regions.extent[1], np.random.default_rng(0), 0
    for start, end in rng.uniform(-reach, reach, (30, 2, 2)):
        walk = start + np.linspace(0, 1, 500)[:, None] * (end - start)
        told = asked(explorer.state, rule, walk)
        changed = (told[1:] != told[:-1]).any(axis=1)
        assert_array_equal(crosses(walk, segments), changed)
        changes += changed.sum()
    assert changes > 15


def test_pixels_beside_a_border_have_their_own_answer():
    fig = figure(2.0, 2.0)
    view = Regions(fig.add_axes((0, 0, 1, 1)))
    view.frame((0.0, 1.0, 0.0, 1.0), ("below", "above"))
    def told(X):
        return (X[:, 1] > 0.3 + 0.4 * X[:, 0]).astype(int), np.ones(len(X), int)
    view.show(*told(Regions.grid(view.extent)), told=told)
    centres = (np.arange(250) + 0.5) / 250
    expected = told(np.stack(np.meshgrid(centres, centres), axis=-1).reshape(-1, 2))[0]
    codes = view.ground._enlarged(250, 250).ravel()
    assert_array_equal(codes - codes.min(), expected)
