"""Chapter 4's explorer and its plots, against sums written out, scipy, and what the lecture says must happen."""

import numpy as np
import pytest

import coursekit as ck
from coursekit.models.descent import STEPS
from tests.hand import objective
from tests.pictures import read_log


def value(state, w):
    return objective(state.data, w, state.lam, state.loss)


@pytest.mark.parametrize(("loss", "lam", "eta"), [("squared", 0.1, 0.1), ("hinge", 0.1, 2.0)])
def test_map_and_curve_hold_the_objective(explorer, loss, lam, eta):
    explorer.set(loss=loss, lam=lam, eta=eta, separability=-0.5, k=4)
    state = explorer.state
    for i in (0, 61, 1777, 3599):  # row by row from (-2, -2) to (4, 4)
        assert state.ground[i] == pytest.approx(value(state, -2 + 6 / 59 * np.array(divmod(i, 60)[::-1])))
    by_hand = [value(state, w) for w in state.path.thetas]
    assert loss != "hinge" or max(np.diff(by_hand)) > 0
    np.testing.assert_allclose(read_log(explorer.curves, 0), by_hand, rtol=1e-9)
    np.testing.assert_allclose(read_log(explorer.curves, 1), np.minimum.accumulate(by_hand), rtol=1e-9)


def test_another_unit_changes_the_weights_and_not_the_line(explorer):
    mails, ends = ck.datasets.mails().standardized(), []
    for stretch, w2 in ((1, 1.4), (7, 0.2)):
        explorer.set(dataset="mails", rule="exact", stretch=stretch, w1=0.5, w2=w2, k=0)
        ends.append(explorer.boundary.line.get_xydata())
        assert explorer.state.path.values[0] == pytest.approx(np.mean((mails.y - mails.X @ (0.5, 1.4)) ** 2))
    np.testing.assert_allclose(*ends)


def test_the_path_is_that_of_descent_with_momentum_and_is_drawn_as_far_as_it_has_come(explorer):
    explorer.set("loss=hinge lam=0.1 eta=0.5 momentum=0.25 w1=0 w2=2 k=7")
    risk = ck.Objective(explorer.state.data.X, explorer.state.data.y, lam=0.1, offset=False)
    way = ck.gradient_descent(risk, ck.steps.constant(0.5), STEPS, momentum=0.25, start=[0, 2]).thetas
    land = explorer.landscape
    for line, places in ((land.path, way[:8]), (land.ahead, way[7:]), (land.now, way[7:8])):
        np.testing.assert_allclose(line.get_xydata(), places, atol=1e-12)


@pytest.mark.parametrize("narrow", [False, True])
def test_the_mark_of_a_walk_that_has_left_the_map_lies_whole_inside_it_and_is_hollow(explorer, narrow):
    explorer.narrow = narrow
    mark = explorer.landscape.now
    for line, outside in (("eta=0.5 k=3", True), ("w1=-2 w2=-2 k=0", False)):
        explorer.reset()
        explorer.set(line)
        at, (low, high) = mark.get_transform().transform(mark.get_xydata()[0]), mark.axes.bbox.get_points()
        room = (mark.get_markersize() + mark.get_markeredgewidth()) / 144 * explorer.picture.figure.dpi
        assert ((low <= at - room) & (at + room <= high)).all() == outside
        assert (mark.get_markerfacecolor() == explorer.landscape.look.paper) == outside
        assert np.allclose(mark.get_xydata()[0], explorer.state.theta) != outside
    explorer.narrow = False


def test_the_dashed_line_is_what_the_slope_promises(explorer):
    explorer.eta = 0.05
    state, scale = explorer.state, explorer.cut.ruler.scale
    (x0, x1), (y0, y1) = explorer.cut.promise.get_data()
    slope = state.objective.slope([-1.0, 3.0])
    assert (y1 - y0) * scale["y"] / ((x1 - x0) * scale["x"]) == pytest.approx(-slope @ slope)
    start = value(state, np.array([-1.0, 3.0]))
    assert f"promised a fall of {0.05 * slope @ slope:.3g}" in explorer.sentence
    assert f"the objective fell by {start - value(state, state.theta):.3g}" in explorer.sentence


def test_the_map_is_lightest_where_it_is_lowest_and_its_lines_run_across_the_gradient():
    fig = ck.plots.figure(3, 3)
    landscape = ck.plots.Landscape(fig.add_axes((0, 0, 1, 1)), (0, 1, 0, 1))
    x, ground = landscape.points((0, 1, 0, 1))[:, 0], landscape.ground
    landscape.show(x, np.array([[0, 0], [5, 5], [1e200, -1e250]]), now=2, best=0)  # it may leave the earth
    assert landscape.best.get_xydata().tolist() == [[0, 0]]
    assert np.isfinite(landscape.path.get_xydata()).all(axis=1).tolist() == [True, True, False]
    landscape.show(x, np.empty((0, 2)))
    fig.canvas.draw()
    pixels = np.asarray(fig.canvas.buffer_rgba())[20:-20, 20:-20, :3].astype(int)
    assert (pixels == pixels[:1]).all()  # the function depends on x alone, so does the picture
    assert len(np.unique(pixels[0], axis=0)) > 10
    bands = np.maximum.reduceat(pixels[0].sum(axis=1), np.arange(0, 260, 26))  # lines between them are darker
    assert (np.diff(bands) <= 0).all()
    assert bands[-1] < bands[0] - 100
    half = np.interp(0.25, np.linspace(0, 1, len(ground.heights)), ground.heights[0])
    assert half == pytest.approx(ground.bands / 2, abs=0.02)  # half of them for the lowest quarter, where descent ends


def test_curves_on_a_logarithmic_scale():
    fig = ck.plots.figure(4, 3)
    values, shorter = [np.array([8.0, 2.0, 0.5, 0.0, 1.0]), np.array([4.0, 4.0])]
    two = ck.plots.ObjectiveCurves(fig.add_axes((0, 0, 1, 0.4))).show([values, shorter], now=3)
    np.testing.assert_allclose(two.curves[0].get_xdata() * 4, range(5))
    assert two.now.get_xydata().tolist() == [[0.75, 0.0]]  # the shorter curve has no step 3
    log = ck.plots.ObjectiveCurves(fig.add_axes((0, 0.5, 1, 0.4)), ["a"]).show([values])
    np.testing.assert_allclose(log.curves[0].get_ydata(), [(np.log10(max(v, 0.01)) + 2) / 3 for v in values])
    assert [word.text for word in log._labels._words] == ["10", "1", "0.1", "0"]  # not 0.01: the objective is 0
    log.show([values[:3]])  # less than two powers of ten
    np.testing.assert_allclose(read_log(log, 0), values[:3])
    assert [word.text for word in log._labels._words] == ["0.5", "1", "2", "5"]
    log.show([np.array([1.0, 1e-20, 0.0])])
    assert log._labels._words[-1].text == "0"
    assert np.diff([word.y for word in log._labels._words]).max() < -0.1  # no label on another
    for last in (1, 7, 30, 50, 150, 999):
        log.show([np.ones(last + 1)])
        assert last <= log.ruler.scale["x"] <= max(1.6 * last, 4)
        assert log.ruler.scale["x"] % 4 == 0  # at whole steps
