"""Chapter 4's dial against the recursion written out, roots of polynomials, the chapter's formulas."""

import numpy as np
import pytest

import coursekit as ck
from coursekit.plots import StepLand


def by_hand(a, eta, momentum, count):
    """The error in one direction, step by step, from 1."""
    errors, velocity = [1.0], 0.0
    for _ in range(count):
        velocity = momentum * velocity - eta * a * errors[-1]
        errors.append(errors[-1] + velocity)
    return np.array(errors)


def rate(a, eta, momentum):
    return np.abs(np.roots([1, -(1 + momentum - eta * a), momentum])).max()


@pytest.mark.parametrize("line", [
    "eta=0.04 momentum=0", "eta=0.03 momentum=0.3", "stretch=3 eta=0.15 momentum=0.75 lam=0.1",
    "dataset=clouds seed=3 stretch=2 eta=0.02", "dataset=mails stretch=1 eta=0.4 momentum=0.1",
])
def test_errors_curvatures_and_rates_are_those_written_out(explorer, line):
    explorer.set(line)
    now = explorer.state
    X = now.data.X * [1, explorer.stretch]
    hessian = 2 * sum(np.outer(x, x) for x in X) / len(X) + explorer.lam * np.eye(2)
    assert now.curvatures.prod() == pytest.approx(np.linalg.det(hessian))
    assert now.curvatures.sum() == pytest.approx(np.trace(hessian))
    expected = np.column_stack([by_hand(a, explorer.eta, explorer.momentum, now.made) for a in now.curvatures])
    found = now.errors[: now.made + 1] / [-4, 0.3]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    away = np.hypot(*now.errors.T)
    assert now.arrives == 1 + max(t for t, far in enumerate(away) if far > 0.01 * away[0])
    assert [tag.text for tag in explorer.walk.names.tags] == [f"{now.arrives} steps", "start"]
    assert f" {now.arrives} " in explorer.sentence.replace("*", "")
    np.testing.assert_allclose(now.leaves, [rate(a, explorer.eta, explorer.momentum) for a in now.curvatures])
    for j, bars in enumerate((explorer.along, explorer.across)):
        heights = [bar.get_height() for bar in bars.bars][: now.made + 1]
        np.testing.assert_allclose(heights, np.minimum(np.abs(expected[:13, j]), 1.4), atol=1e-9)
    np.testing.assert_allclose(explorer.walk.path.get_xydata(), now.errors[: now.made + 1], atol=1e-12)


@pytest.mark.parametrize("ratio", [1.0, 49.0])
def test_the_land_is_where_the_roots_are_small_and_its_star_is_lowest(ratio):
    ax = ck.plots.figure(3, 3).add_axes((0, 0, 1, 1))
    land = StepLand(ax).show(np.array([2.0, 2 * ratio]), 0.1, 0.5)
    for x, m in np.random.default_rng(0).uniform([0.01, 0.01], [4.2, 0.99], (300, 2)):
        worst = max(rate(2.0, x / (2 * ratio), m), rate(2 * ratio, x / (2 * ratio), m))
        for area, level in zip(land.areas, land.levels, strict=True):
            inside = area.get_visible() and area.get_path().contains_point((x, m))
            assert inside == (worst <= level) or abs(worst - level) < 1e-3
    root = np.sqrt(ratio)
    best = 2 * ratio * 4 / (np.sqrt(2) + np.sqrt(2 * ratio)) ** 2, ((root - 1) / (root + 1)) ** 2  # section 4.6
    np.testing.assert_allclose(np.ravel(land.star.get_xydata()), best)


@pytest.mark.parametrize("k", [1, 39, 40])
def test_a_line_that_flies_off_is_the_one_of_its_weights_and_told_with_the_one_before(explorer, k):
    explorer.set(f"dataset=mails beside='the line' eta=0.05 k={k}")
    mails = ck.datasets.mails().standardized()
    X, counts = mails.X * [1, 7], []
    A, b = 2 * X.T @ X / 24, 2 * X.T @ mails.y / 24
    w = np.linalg.solve(A, b) + np.linalg.eigh(A)[1] @ [-4, 0.3]
    for _ in range(k):
        counts.append(int(sum(mails.y * (X @ w) <= 0)))
        w = w - 0.05 * (A @ w - b)
    now = int(sum(mails.y * (X @ w) <= 0))
    theta, line = explorer.state.theta[:2], w * [1, 7]
    np.testing.assert_allclose(theta / np.hypot(*theta), line / np.hypot(*line), atol=1e-6)
    assert explorer.told._words[0].text == f"{now} wrong, was {counts[-1]}"
    assert f"gets {now} of 24 wrong, and got {counts[-1]} wrong a step before: it swings" in explorer.sentence
    assert k == 1 or abs(now - counts[-1]) == 20


def test_what_leaves_the_picture_is_hollow_at_its_edge_and_bars_that_are_cut_have_an_arrow(explorer):
    explorer.set("dataset=mails beside='the line' eta=0.045 k=12")
    (along, across), walk, bars = explorer.state.errors[:13].T, explorer.walk, explorer.across
    ((x, y),), (low, high) = walk.now.get_xydata(), walk.ax.get_ylim()
    assert x == along[12]
    assert 0 < abs(y - (high if across[12] > 0 else low)) < 0.2 * (high - low)  # whole, just inside
    assert not low <= across[12] <= high
    assert walk.now.get_markerfacecolor() == walk.look.paper
    cut = np.flatnonzero(np.abs(across) > bars.top * np.abs(across[0]))
    assert list(bars.beyond.get_xdata()) == list(cut) != []
    explorer.set(eta=0.015)
    assert walk.now.get_xydata().tolist() == [explorer.state.errors[12].tolist()]
    assert walk.now.get_markerfacecolor() == walk.look.violet
    assert not len(bars.beyond.get_xdata())
