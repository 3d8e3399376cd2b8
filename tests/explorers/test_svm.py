"""Chapter 8's explorer and plots, against libsvm, geometry worked out point by point, and plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import SVC

import coursekit as ck
from tests.hand import objective
from tests.pictures import drag, read_log


def test_the_street_has_its_width_its_edges_rings_and_ties_to_all_who_are_late(explorer):
    explorer.set(lam=0.1, separability=-0.5, example=5)
    data, exact, street = explorer.state.data, explorer.state.exact, explorer.street
    (*w, b), X, y = exact.theta, data.X, data.y
    z, half = y * (X @ w + b), 1 / np.hypot(*w)
    ends = street.edges.get_xydata()
    assert_allclose(ends[np.isfinite(ends[:, 0])] @ w + b, [-1, -1, 1, 1])
    assert_allclose(street.street.get_xy()[:4] @ w + b, [-1, -1, 1, 1])
    assert_allclose(exact.margin, half)
    assert f"2/‖w‖ = {2 * half:.3g} wide, {half:.3g} on each side" in explorer.sentence
    late = z < 1 - 1e-6
    start, edge, _ = np.moveaxis(street.ties.get_xydata().reshape(-1, 3, 2), 1, 0)
    long = np.hypot(*(start - edge).T) > 1e-6
    assert_array_equal(start[long], X[late])
    assert_allclose(y[late] * (edge[long] @ w + b), 1)
    assert_allclose(np.hypot(*(start - edge)[long].T), (1 - z[late]) * half, atol=1e-6)
    assert f"{late.sum()} with slack that adds up to {(1 - z[late]).sum():.3g}, and" in explorer.sentence
    support = np.flatnonzero(z <= 1 + 1e-6)
    assert_array_equal(street.support.get_xydata(), X[support])
    assert_allclose(explorer.slacks.support.get_xydata(), np.c_[z, np.maximum(0, 1 - z)][support], atol=1e-6)
    assert_allclose(explorer.slacks.ring.get_xdata(), min(z[5], 4))
    assert f"{len(support)} support vectors" in explorer.sentence
    assert f"Example 5, with an agreement of {z[5]:.3g}, " in explorer.sentence


def test_a_street_wider_than_the_picture_says_so_above_it(explorer):
    assert explorer.street.above._words == []
    explorer.set("lam=10")
    told, = explorer.street.above._words
    assert told.text == f"2/‖w‖ = {2 * explorer.state.exact.margin:.3g}, wider than the picture"
    assert told.y > 1


@pytest.mark.parametrize(("descent", "learn"), [
    ("gradient descent", lambda risk: ck.gradient_descent(risk, ck.steps.constant(0.5), 300)),
    ("stochastic descent", lambda risk: ck.sgd(risk, ck.steps.decaying(0.5), 300)),
    ("Pegasos (which needs no η)", lambda risk: ck.pegasos(risk, 300)),
])  # fmt: skip
def test_descents_are_those_of_the_module_and_their_curves_stand_above_the_exact_line(explorer, descent, learn):
    explorer.set(descent=descent.partition(" (")[0], eta=0.5, lam=0.05, k=25, also="descent")
    data, path = explorer.state.data, explorer.state.path
    assert_allclose(path.thetas, learn(ck.Objective(data.X, data.y, lam=0.05)).thetas, atol=1e-9)
    assert_array_equal(explorer.state.theta, path.thetas[25])
    least = objective(data, explorer.state.exact.theta, 0.05)
    above = [objective(data, theta, 0.05) - least for theta in path.thetas]
    assert_allclose(read_log(explorer.curves, 0), above, rtol=1e-5)
    assert_allclose(read_log(explorer.curves, 1), np.minimum.accumulate(above), rtol=1e-5)
    assert f"The lowest objective is {least:.4g} " in explorer.sentence
    assert f"best of 25 steps of {descent} is {min(above[:26]):.3g} above" in explorer.sentence


def everyone(what, label=None):
    y = ck.datasets.blobs(40, 0.5).y
    return " ".join(what.format(i) for i in np.flatnonzero((y == label) | (label is None))[::-1])


@pytest.mark.parametrize(("edits", "says"), [
    (everyone("{}()", -1), "Only class +1 is left: w = 0 and the bias +1"),
    (everyone("{}()", 1), "Only class −1 is left: w = 0 and the bias −1"),
    (everyone("{}(1,1)"), "w = 0: all examples lie at one place"),
    ("+(1,1) -(1,1)", "Two classes meet at one place: slack of at least 2 there"),
    ("+(1,1) +(-1,-1) -(1,-1) -(-1,1)" + 40 * " 0()", "w = 0: no direction is worth its price"),
])
@pytest.mark.parametrize("lam", [1e-6, 10.0])
def test_odd_data_get_a_sentence_and_a_picture(explorer, edits, says, lam):
    explorer.set(edits=edits, lam=lam, descent="Pegasos")
    assert says in explorer.sentence
    assert explorer.state.exact.gap <= 1e-9
    flat = explorer.sentence.startswith(("Only", "w = 0"))
    assert explorer.street.street.get_visible() is not flat
    explorer.png()


def gap(data, angle):
    """By looking at every pair of a spam and a ham."""
    u = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    shadows = [(x @ u, label) for x, label in zip(data.X, data.y, strict=True)]
    return min(p - q for p, a in shadows for q, b in shadows if a > b)


def test_the_curve_of_gaps_is_that_of_every_pair_and_its_best_is_the_hard_margin(explorer):
    explorer.set("dataset=mails by=hand turn=20")
    raw, data, found = ck.datasets.mails(), explorer.state.data, explorer.state.turned
    assert_allclose(data.X, (raw.X - raw.X.mean(axis=0)) / raw.X.std(axis=0))
    for k in (0, 100, 245):
        assert_allclose(explorer.gaps.curve.get_xydata()[k], [k / 2, gap(data, k / 2)])
    libsvm = SVC(kernel="linear", C=1e6, tol=1e-9).fit(data.X, data.y)
    assert_allclose(found.widest, 2 / np.linalg.norm(libsvm.coef_), rtol=1e-5)
    assert_allclose(gap(data, found.best), found.widest, rtol=1e-6)
    assert_allclose(np.tan(np.radians(found.best)), libsvm.coef_[0, 1] / libsvm.coef_[0, 0], rtol=1e-4)


@pytest.mark.parametrize(("turn", "hollow"), [(20, 4), (70, 0), (100, 4)])
def test_the_street_of_a_direction_lies_between_the_last_and_the_first_shadow(explorer, turn, hollow):
    explorer.set("dataset=mails", turn=turn)
    assert explorer.by == "hand"
    data, wide = explorer.state.data, gap(explorer.state.data, turn)
    u = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    last, first = np.max(data.X[data.y < 0] @ u), np.min(data.X[data.y > 0] @ u)
    assert_allclose(np.unique((explorer.street.street.get_xy()[:4] @ u).round(9)), sorted([last, first]))
    assert_allclose(explorer.rugs.gap.get_width(), abs(wide))
    for bar in (explorer.street.street, explorer.rugs.gap):
        assert bar.get_hatch() == ("////" if wide < 0 else None)
    assert explorer.street.boundary.line.get_visible() == (wide > 0)
    wrong = np.flatnonzero(data.y * (data.X @ u - (last + first) / 2) <= 0)
    assert_array_equal(np.flatnonzero(explorer.state.turned.wrong), wrong)
    assert len(wrong) == hollow
    assert (f"overlap by {-wide:.2f}" if wide < 0 else f"street {wide:.2f} wide") in explorer.sentence


def test_the_forces_balance_and_only_the_widest_street_has_them(explorer):
    explorer.set("dataset=mails by='hand and forces' turn=54")
    state, (w1, w2, _) = explorer.state, explorer.state.turned.theta
    forces = state.turned.forces * state.data.y
    assert_allclose([forces.sum(), forces @ state.data.X[:, 0] - w1, forces @ state.data.X[:, 1] - w2], 0, atol=1e-3)
    assert_array_equal(np.flatnonzero(np.abs(forces) > 1e-3), state.turned.held)
    assert "Ham presses with 24.53, spam with 16.97 + 7.56." in explorer.sentence
    assert [tag.text for tag in explorer.dial.tags.tags] == ["24.53", "16.97", "7.56"]
    for line in ("by=hand", "by='hand and forces' turn=60"):
        explorer.set(line)
        assert "24.53" not in explorer.sentence
        assert [tag.text for tag in explorer.dial.tags.tags] == ["where a street fits"]
        assert [tag.text for tag in explorer.street.tags.tags] == ["at the edge", "ham", "spam"]
    explorer.set("by=hand turn=20")
    assert explorer.street.tags.tags[0].text == "overlap ends"


def test_the_dial_and_the_street_are_turned_by_the_pointer(explorer):
    explorer.set("dataset=mails by=hand turn=20")
    dial, middle = explorer.dial, np.mean([explorer.plane.get_xlim(), explorer.plane.get_ylim()], axis=1)
    for start, end, turn in (
        (dial.middle + dial.radius * explorer.state.turned.u, dial.middle + np.array([0, dial.radius]), 90),
        (middle + 1.3, middle + np.array([2, 0]), 45), (middle + 1.3, middle - np.array([0, 2]), 0),
    ):
        drag(explorer, explorer.plane, start, end)
        assert (explorer.turn, explorer.edits) == (turn, "")
    drag(explorer, explorer.plane, explorer.state.data.X[0], explorer.state.data.X[0] - 0.5)
    assert (explorer.turn, explorer.edits[:2]) == (0, "0(")
