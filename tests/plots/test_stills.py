"""The chapters' pictures and their kit: what they show was worked out by hand, by scipy or by counting."""

import tomllib
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text
from numpy.testing import assert_allclose
from scipy.special import softmax
from sklearn.metrics import roc_auc_score

import coursekit as ck
from coursekit.plots.style import figure
from coursekit_figures import (
    chapter01,
    chapter03,
    chapter04,
    chapter05,
    chapter06,
    chapter08,
    chapter09,
    chapter10,
    kit,
)

TRIANGLE = np.array([[0.1, 1, -1], [-1.6, -1, -1.4], [1.4, -0.5, -0.7]])
PAIRS = [(0, 1), (0, 2), (1, 2)]
X, Y, THETA = [[8, 4], [5, 5], [4, 2], [3, 3]], [1, 1, 1, -1], [0.3, 0.4, -2.5]  # f = 1.5, 1, -0.5, -0.4
EXTENT = (-2, 10, -1, 8)
WRITTEN = tomllib.loads(Path(__file__).with_name("stills.toml").read_text("utf-8"))


def written(ax):
    return {text.get_text(): np.array(text.get_position()) for text in ax.texts}


@pytest.mark.parametrize(("draw", "words"), WRITTEN.items())
def test_what_is_written_was_counted_by_hand(ax, draw, words):
    eval(draw, globals() | {"ax": ax})
    assert {*words} <= set(written(ax))


def test_verdicts_tell_right_and_wrong_apart(ax):
    mails = ck.datasets.mails()
    X, y = np.vstack([mails.X, [0.8, 0.0]]), np.append(mails.y, 1.0)  # the last lies on the line
    ax.set(xlim=(-0.1, 1), ylim=(0, 3))
    chapter01.verdicts(ax, X, y, [1, 0.3, -0.8])
    above = X @ [1, 0.3] > 0.8
    by_hand = [X[~above & (y < 0)], X[above & (y < 0)], X[above & (y > 0)], X[~above & (y > 0)]]
    assert [len(found) for found in by_hand] == [10, 2, 10, 3]  # ham right and wrong, spam right and wrong
    for found, line in zip(by_hand, ax.lines, strict=False):
        np.testing.assert_allclose(line.get_xydata(), found, atol=0.04)  # near their places
    assert (ax.get_title(), ax.texts[0].get_text()) == ("5 of 25 wrong", "1 more outside")


def test_constraints_write_the_errors_into_the_cells(ax):
    X, y = np.array([[0.7, 0.7], [0.0, 1.3], [0.7, 1.1], [0.1, 2.1]]), np.array([-1.0, -1.0, 1.0, 1.0])
    ax.set(xlim=(-0.5, 3.5), ylim=(-0.2, 2.6))
    chapter01.constraints(ax, X, y, -1.7, "ABCD")
    assert {*"ABCD", "0"} < {*written(ax)}
    numbers, cells = [text for text in ax.texts if text.get_text().isdigit()], set()
    for text in numbers:
        scores = X @ text.get_position() - 1.7
        assert int(text.get_text()) == np.sum(y * scores <= 0)
        cells.add(tuple(scores > 0))
    assert len(cells) == len(numbers)  # one for each cell


def test_each_line_is_named_with_what_it_gets_wrong_and_the_first_makes_hollow(ax):
    X, y = np.array([[1.0, 2], [2, 1], [0.5, 0.5], [2, 2], [9, 1]]), np.array([1.0, 1, -1, -1, 1])
    lines = {"squared": np.array([0, 1, -1.5]), "hinge": np.array([1, 1, -2.5])}  # by hand: rows 1 and 3; row 3
    chapter03.plane(ax, X, y, lines, "far")
    assert {"least squares: 2 wrong", "hinge: 1 wrong", "far"} == set(written(ax)) - {""}
    paper = ck.plots.STYLES["light"].paper
    hollow = np.vstack([line.get_xydata() for line in ax.lines if line.get_markerfacecolor() == paper])
    assert sorted(hollow.tolist()) == [[2, 1], [2, 2]]
    for line, (w1, w2, b) in zip(ax.lines[4:], lines.values(), strict=True):
        np.testing.assert_allclose(line.get_xydata() @ [w1, w2] + b, 0, atol=1e-12)


def mark(kind):
    """The places of marks of this kind that stand alone."""
    return lambda ax: [line.get_xydata()[0] for line in ax.lines
                       if line.get_marker() == kind and len(line.get_xdata()) == 1]


TWO, LABELS = np.array([[3.0], [-3.0]]), np.array([1.0, -1.0])  # curvatures 18 and 2, so kappa = 9
RUNS = np.array([[4.0, 2, 1, 3], [5, 3, 2, 6], [6, 4, 3, 9]]) / 10
LAMBDAS, ERRORS = np.array([1, 0.1, 0.01]), np.array([[9.0, 5, 4], [11, 7, 8]])
SAID, W = np.array([0.05, 0.05, 0.95, 0.95, 0.95, 1.0]), np.linspace(-3, 3, 601)


@pytest.mark.parametrize(("draw", "drawn", "by_hand"), [
    # The best step leaves (kappa - 1) / (kappa + 1) = 4/5 of the distance; 0.64**15 > 0.001 > 0.64**16, the last
    (lambda ax: chapter04.still_to_go(ax, {"one": TWO}, LABELS), lambda ax: ax.lines[0].get_ydata(),
     0.64 ** np.arange(1, 17)),
    # one stops where the median of the others is lowest
    (lambda ax: chapter04.validation(ax, np.array([1, 3, 10, 30]), RUNS[:, ::-1], RUNS), mark("o"), [(10, 0.2)]),
    (lambda ax: chapter06.thresholds(ax, 0.5), lambda ax: [line.get_ydata() for line in ax.lines[1:]],
     [ck.penalties.l2.prox(W, 0.5), ck.penalties.l1.prox(W, 0.5)]),  # of which no point of a grid is better: core
    (lambda ax: chapter08.widths(ax, [0.001, 0.01, 0.1, 1], [0.5, 0.5, 2, 6], 0.0125), mark("*"), [(0.0125, 0.5)]),
    # of equal means the larger lambda comes first; one standard error, of 5 and 7, is 1
    (lambda ax: chapter10.choice(ax, LAMBDAS, ERRORS, 0), mark("*"), [(0.1, 6)]),
    (lambda ax: chapter10.choice(ax, LAMBDAS, ERRORS, 0), mark("o"), [(1, 10)]),
    (lambda ax: chapter10.choice(ax, LAMBDAS, ERRORS, 0),
     lambda ax: [line.get_ydata() for line in ax.lines if set(np.ravel(line.get_xdata())) == {0, 1}], [(7, 7)]),
    # shares of spam by what was said
    (lambda ax: chapter10.promises(ax, [("one", SAID, np.array([1, -1, 1, 1, 1, -1]))]),
     lambda ax: ax.lines[-1].get_xydata()[np.isfinite(ax.lines[-1].get_ydata())], [(5, 50), (95, 75)]),
    # held back, let through and both at the thresholds 0.25 and 1.5: one letter of four at 10, then one spam of four
    (lambda ax: chapter10.prices(ax, np.array([-1.0, 0.5, 1.0, 2.0]), np.array([-1.0, -1.0, 1.0, 1.0]), 10, 0.75),
     lambda ax: [np.interp([0.25, 1.5], *line.get_data()) for line in ax.lines[:3]], [(250, 0), (0, 25), (250, 25)]),
    # of eleven runs the median, and the band without the lowest and the highest
    (lambda ax: kit.band(ax, [0.0, 1.0], np.arange(11)[:, None] * [1.0, 2.0], "blue"),
     lambda ax: [ax.lines[0].get_ydata(), ax.dataLim.intervaly], [(5, 10), (1, 18)]),
])
def test_what_is_drawn_was_worked_out_by_hand(ax, draw, drawn, by_hand):
    draw(ax)
    assert_allclose(drawn(ax), by_hand)


def test_a_ring_is_as_far_out_as_its_dots_in_every_direction(ax):
    points = np.random.default_rng(0).normal(size=(500, 2)) @ [[2.0, 0.5], [0.0, 0.7]] + [3, -1]
    chapter05.noise(ax, {1: points, 4: points / 2}, mean=(3, -1))
    turns = np.linspace(0, np.pi, 7)
    sides = np.array([np.cos(turns), np.sin(turns)])
    reached = ((ax.lines[1].get_xydata() - points.mean(axis=0)) @ sides).max(axis=0)
    assert_allclose(reached, np.sqrt(2) * np.std(points @ sides, axis=0, ddof=1), rtol=1e-3)


@pytest.mark.parametrize(("q", "minimum"), [(1, (0.7, 1.8)), (1, (1.2, 1.3)), (2, (-1.5, 0.4)), (2, (1.2, 1.3))])
def test_the_ellipse_meets_the_ball_at_the_least_risk_inside(ax, q, minimum):
    H = np.array([[0.8, 0.3], [0.3, 1.0]])

    def risk(w):
        return np.einsum("ij,jk,ik->i", w - minimum, H, w - minimum)

    found = chapter06.meeting(ax, q, minimum, H)
    (lowest,) = risk(found[None])
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 401)] * 2), axis=-1).reshape(-1, 2)
    assert np.sum(np.abs(found) ** q) == pytest.approx(1)  # on the edge, and no place inside is better
    assert lowest < risk(grid[np.sum(np.abs(grid) ** q, axis=1) <= 1 + 1e-9]).min() + 1e-6
    assert ("w₁ = 0" in written(ax)) == (abs(found[0]) < 1e-3)
    rings = [risk(line.get_xydata()) for line in ax.lines if len(line.get_xydata()) > 100]
    assert_allclose([np.ptp(ring) for ring in rings], 0, atol=1e-9)
    assert_allclose(max(ring[0] for ring in rings), lowest)


def test_from_above_each_class_has_the_places_where_its_score_is_the_highest(ax):
    thetas = np.array([[-1, 0.5, 0], [1, 0.5, 0], [0, -0.3, 0.4]])

    def scores(places):
        return places @ thetas[:, :2].T + thetas[:, 2]

    chapter09.heights(ax, thetas, ("a", "b", "c"), 2.0)
    assert {*"abc"} <= {*written(ax)}
    for c, area in enumerate(ax.patches):
        assert_allclose(scores(area.get_xy())[:, c], scores(area.get_xy()).max(axis=1), atol=1e-12)
    (lines,) = ax.collections
    for height, path in zip(lines.levels, lines.get_paths(), strict=True):
        assert_allclose(scores(path.vertices[::25]).max(axis=1), height, atol=0.02)


def test_pieces_asks_for_each_piece_and_writes_into_it(ax):
    asked = []
    chapter09.pieces(ax, TRIANGLE, 4, lambda signs: (str(asked.append(signs) or len(asked)), None))
    assert len(set(asked)) == 7
    assert (False, False, False) in asked
    for word, place in written(ax).items():
        assert tuple((TRIANGLE @ np.append(place, 1) > 0).tolist()) == asked[int(word) - 1]


def test_voters_and_duels_name_the_side_that_votes(ax):
    def votes(text, theta, c, sign):
        return text.get_text() == f"vote\nfor {c}" and sign * (theta @ np.append(text.get_position(), 1)) > 0

    chapter09.voters(ax, TRIANGLE, PAIRS, 4)
    for theta, (a, b), first, second, name in zip(TRIANGLE, PAIRS, *(ax.texts[k::3] for k in range(3)), strict=True):
        assert votes(first, theta, a, -1)
        assert votes(second, theta, b, 1)
        assert name.get_text() == f"{a} or {b}"
        assert abs(theta @ np.append(name.get_position(), 1)) < 1e-9  # on the line
    theta, other = np.array([1.0, 0.2, -0.3]), plt.figure().add_subplot()
    chapter09.duel(other, ck.datasets.multiclass_blobs(30, 3, 2.0), theta, (1, 2), 6)
    assert votes(other.texts[0], theta, 1, -1)
    assert votes(other.texts[1], theta, 2, 1)
    colors = [style["color"] for style in ck.plots.STYLES["light"].classes]
    drawn = {to_hex(line.get_color()).upper(): len(line.get_xdata()) for line in other.lines}
    assert [drawn.get(color) for color in colors[:3]] == [None, 10, 10]


def test_class_probabilities_are_those_of_scipy(ax):
    thetas, x = np.array([[-2.0, 0.5], [2, 0], [0, 1]]), np.linspace(-3, 3, 401)
    chapter09.probabilities(ax, thetas, ("a", "b", "c"), (-3, 3))
    tops = np.cumsum(softmax(np.outer(x, thetas[:, 0]) + thetas[:, 1], axis=1), axis=1)
    for top, area in zip(tops.T, ax.collections, strict=True):
        corners = {tuple(corner) for corner in area.get_paths()[0].vertices.round(9)}
        assert {*zip(x.round(9), top.round(9), strict=True)} <= corners


def test_the_roc_curve_is_that_of_scikit_learn(ax):
    rng = np.random.default_rng(0)
    y = rng.choice([-1.0, 1.0], 200)
    f = (y + 2 * rng.standard_normal(200)).round(1)  # some are equal
    chapter10.roc(ax, f, y, (0.0, 1.0))
    _, curve, dots = (line.get_xydata() for line in ax.lines)
    assert np.trapezoid(curve[:, 1], curve[:, 0]) == pytest.approx(1e4 * roc_auc_score(y, f))
    assert_allclose(dots, [[100 * np.mean(f[y == sign] > t) for sign in (-1, 1)] for t in (0, 1)])


@pytest.fixture
def axes():
    return figure(4, 4).add_axes((0.1, 0.1, 0.8, 0.8), xlim=(-2, 2), ylim=(-2, 2))


def test_a_label_makes_room_for_what_is_drawn_after_it_and_follows_its_thing(axes):
    name = kit.label(axes, "name", (0, 0), toward=(1, 0))

    def box():
        axes.figure.canvas.draw()
        return Text.get_window_extent(name)

    (_, y), there = axes.transData.transform([(0, 0), (-1, 1)])
    assert box().y0 < y < box().y1
    axes.plot([0.1, 1.5], [0, 0], lw=3)
    assert not box().y0 < y < box().y1
    name.xy = (-1, 1)
    assert np.hypot(*(box().get_points().mean(axis=0) - there)) < 60


@pytest.mark.parametrize(("q", "point"), [(1, (0.5, 0.5)), (2, (0.6, 0.8)), (0.5, (0.25, 0.25))])
def test_a_ball_has_its_norm_all_around(axes, q, point):
    edge = kit.ball(axes, q).get_xy()
    assert_allclose((np.abs(edge) ** q).sum(axis=1), 1, atol=1e-9)
    assert np.hypot(*(edge - point).T).min() < 0.02
