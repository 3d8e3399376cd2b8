"""Chapter 5's two explorers, against the update worked out step by step and against plain averages."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

import coursekit as ck
from coursekit.models.sgd import moves, swarm
from tests.hand import objective


@pytest.fixture
def parallel(made):
    return made("parallel")


@pytest.mark.parametrize(("schedule", "eta", "batch"), [
    ("constant", lambda k: 0.5 + 0 * k, 1), ("eta0 / sqrt(k+1)", lambda k: 0.5 / np.sqrt(k + 1), 7),
    ("eta0 / (k+1)", lambda k: 0.5 / (k + 1), 1), ("eta0 / (k+1)^2", lambda k: 0.5 / (k + 1) ** 2, 7),
])
def test_the_path_is_the_update_of_the_lecture(explorer, schedule, eta, batch):
    """The update itself, and what orders are: tests/algorithms."""
    explorer.set(schedule=schedule, batch=batch, eta=0.5, lam=0.01, seed=2, k=50)
    data, path = explorer.state.data, explorer.state.path
    risk, step = ck.Objective(data.X, data.y, lam=0.01, offset=False), ck.steps.Schedule(schedule, eta)
    np.testing.assert_allclose(path.thetas, ck.sgd(risk, step, 400, batch, seed=2).thetas, atol=1e-12)
    assert f"The objective is {objective(data, path.thetas[50], 0.01):.3g}" in explorer.sentence


def test_one_class_first(explorer):
    explorer.order = "one class first"
    examples, y = explorer.state.path.examples, explorer.state.data.y
    assert (np.diff(y[examples[:60]]) >= 0).all()
    np.testing.assert_array_equal(examples[60:120], examples[:60])


def test_data_landscape_and_edge_show_the_same_moment(explorer):
    explorer.set(k=5, seed=3, lam=0.02)
    state, data, i = explorer.state, explorer.state.data, explorer.state.path.examples[4]
    np.testing.assert_array_equal(explorer.boundary.ring.get_xydata(), [data.X[i]])
    np.testing.assert_allclose(explorer.edge.edge.get_xydata() @ (data.y[i] * data.X[i]), 1.0, atol=1e-9)
    np.testing.assert_array_equal(explorer.landscape.path.get_xydata(), state.path.thetas[:6])
    corners = np.reshape(explorer.landscape.extent, (2, 2)).T
    np.testing.assert_allclose(state.landscape[[0, -1]], [objective(data, corner, 0.02) for corner in corners])
    explorer.set(batch=5, k=1)
    np.testing.assert_array_equal(explorer.boundary.ring.get_xydata(), data.X[explorer.state.path.examples[0]])
    assert len(explorer.edge.edge.get_xdata()) == 0  # a batch has none


def test_mails_are_real_ones_with_mean_0_and_standard_deviation_1(explorer):
    explorer.set(dataset="mails", seed=4)
    real, shown = ck.datasets.mails(60, seed=4), explorer.state.data
    np.testing.assert_array_equal(shown.y, real.y)
    columns = np.column_stack([np.log(1 + real.X[:, 0]), real.X[:, 1]])
    np.testing.assert_allclose(shown.X, StandardScaler().fit_transform(columns))


def test_three_hundred_walk_by_the_same_rule_and_each_step_is_one_that_some_example_asks_for(explorer):
    explorer.set(dataset="mails", walkers=300, pulls="shown", schedule="constant", eta=0.5, lam=0.1, seed=2, k=7)
    state = explorer.state
    Z, thetas = state.data.y[:, None] * state.data.X, swarm(state.objective, "constant", 0.5, 1, 2)
    for before, after in zip(thetas[6, :40], thetas[7, :40], strict=True):
        asked = before + 0.5 * ((Z @ before <= 1)[:, None] * Z - 0.1 * before)
        assert np.abs(asked - after).sum(axis=1).min() < 1e-9
    np.testing.assert_array_equal(explorer.swarm.dots.get_xydata(), thetas[7, :299])
    away = np.linalg.norm(np.vstack([state.theta, thetas[7, :299]]) - state.bottom, axis=1)
    assert f"within {np.median(away):.3g} of the lowest point" in explorer.sentence
    assert np.ptp(thetas[400], axis=0).min() > 0.1
    np.testing.assert_array_equal(explorer.landscape.path.get_xydata(), [(0, 0), state.theta])
    assert not explorer.landscape.path.get_visible()  # its ends are named
    assert [tag.text for tag in explorer.landscape.names.tags] == ["one walker", "start"]
    assert explorer.swarm.count._words[0].text == "300 walkers, 7 steps each, on random emails"


def test_the_lowest_place_is_where_gradient_descent_ends(explorer):
    explorer.set(dataset="mails", lam=0.1)
    found = ck.gradient_descent(explorer.state.objective, ck.steps.decaying(1.0), steps=20_000)
    assert objective(explorer.state.data, explorer.state.bottom, 0.1) < found.values.min() + 1e-5
    np.testing.assert_allclose(explorer.state.bottom, found.best_theta, atol=0.02)


@pytest.mark.parametrize(("k", "lam"), [(0, 0.01), (12, 0.01), (12, 0.0)])
def test_the_fan_has_the_next_step_of_every_example_and_the_arrow_is_their_mean(explorer, k, lam):
    explorer.set(dataset="mails", walkers=300, pulls="shown", schedule="eta0 / (k+1)", eta=3.16, lam=lam, k=k)
    theta, y, fan = explorer.state.theta, explorer.state.data.y, explorer.fan
    Z = y[:, None] * explorer.state.data.X
    pulls = (Z @ theta <= 1)[:, None] * Z - lam * theta
    moves, step = (pulls != 0).any(axis=1), 3.16 / (k + 1)
    assert moves.all() == (lam > 0)  # without a penalty, whoever has no loss stays
    for ray, label in zip(fan.rays, (-1, 1), strict=True):
        np.testing.assert_allclose(ray.get_xydata()[1::3], theta + step * pulls[moves & (y == label)])
    np.testing.assert_allclose(fan.mean._posA_posB[1], theta + step * pulls.mean(axis=0))
    assert f"{np.sum(pulls @ pulls.mean(axis=0) < 0)} of them uphill" in explorer.sentence
    explorer.pulls = "hidden"
    assert not any(len(ray.get_xdata()) for ray in fan.rays) | fan.mean.get_visible()


def test_batches_of_four_stray_half_as_far_as_single_examples(explorer):
    found = [moves(explorer.state.objective, np.zeros(2), batch) for batch in (1, 4, 16)]
    assert [(kinds == 0).all() for _, kinds in found] == [False, True, True]
    spreads = [np.linalg.norm(ends.std(axis=0)) for ends, _ in found]
    np.testing.assert_allclose(np.divide(spreads[:-1], spreads[1:]), 2, rtol=0.2)


@pytest.mark.parametrize("shards", [2, 5])
def test_the_average_is_the_mean_of_what_the_shards_found(parallel, shards):
    parallel.set(shards=shards, steps=30, lam=0.02, seed=1)
    state, answers = parallel.state, parallel.answers
    local = np.array([path.thetas[-1] for path in state.paths])
    np.testing.assert_allclose(state.average, local.mean(axis=0))
    np.testing.assert_allclose(np.ravel(answers.average.get_data()), state.average)
    np.testing.assert_array_equal(answers.local.get_xydata(), local)
    np.testing.assert_allclose(state.alone, [objective(state.data, theta, 0.02) for theta in local])
    assert f"the mean of their θ reaches {objective(state.data, state.average, 0.02):.3g}" in parallel.sentence
    ways = answers.walks.get_xydata().reshape(shards, 32, 2)  # 31 places, and a gap
    np.testing.assert_array_equal(ways[:, :31], [path.thetas for path in state.paths])
    ends = parallel.locals.kinds["alone"].get_xydata()
    ends = ends[np.isfinite(ends[:, 0])].reshape(shards, 2, 2)
    np.testing.assert_allclose(np.einsum("sej,sj->se", ends, local), 0, atol=1e-9)  # the line of each shard


def test_sequential_runs_have_the_steps_of_one_worker_and_of_all(parallel):
    parallel.set(shards=3, steps=40)
    state = parallel.state
    assert len(state.sequential.rates) == 120
    short, long = (objective(state.data, state.sequential.thetas[k]) for k in (40, 120))
    assert f"{short:.3g} after 40 steps and {long:.3g} after 120" in parallel.sentence
