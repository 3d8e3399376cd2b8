"""Stochastic descent, also in parallel, and Pegasos against the update written out; SGDClassifier: test_keywords."""

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import coursekit as ck
from coursekit.core.losses import KNOWN, squared
from coursekit.core.steps import constant, robbins_monro

DATA = ck.datasets.blobs(n=203, separability=-1.0, noise=0.05)
RISK = ck.Objective(DATA.X, DATA.y, lam=0.1)
RUN = {"step": ck.steps.decaying(1.0), "steps": 120, "shards": 3, "seed": 5}


def overlapping(loss=ck.losses.hinge, n=60, d=2, seed=0, **more):
    """Two classes that no line separates."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.where(X[:, 0] + rng.standard_normal(n) > 0, 1.0, -1.0)
    return ck.Objective(X, y, loss=loss, **more)


@pytest.mark.parametrize("loss", KNOWN.values(), ids=repr)
@pytest.mark.parametrize("lam", [0.0, 0.1])
@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("offset", [True, False])
def test_every_step_follows_the_slope_at_its_examples(loss, lam, batch, offset):
    o = overlapping(loss, lam=lam, offset=offset)
    start = [0.5, -0.2, 0.1][: 2 + offset]
    path = ck.sgd(o, robbins_monro(0.5, 0.8), steps=150, batch=batch, start=start, seed=4)
    assert path.examples.shape == ((150,) if batch == 1 else (150, batch))
    slopes = [o.slope_at(theta, i) for theta, i in zip(path.thetas[:-1], path.examples, strict=True)]
    after = path.thetas[:-1] - path.rates[:, None] * slopes
    assert_allclose(path.thetas, [start, *after], rtol=1e-10, atol=1e-12)
    assert_allclose(path.values, [o.value(theta) for theta in path.thetas], rtol=1e-12)
    assert path.best == np.argmin(path.values)
    assert_allclose(path.average, sum(path.thetas[1:]) / 150)


def test_orders():
    o, step = overlapping(n=7), constant(0.1)
    drawn = ck.sgd(o, step, steps=700).examples
    assert set(drawn) == set(range(7))
    assert any(len(set(drawn[k : k + 7])) < 7 for k in range(0, 700, 7))  # with replacement
    shuffled = ck.sgd(o, step, steps=23, order="shuffle").examples
    passes = [shuffled[k : k + 7].tolist() for k in range(0, 21, 7)]
    assert all(sorted(p) == list(range(7)) for p in passes)
    assert passes[0] != passes[1] != passes[2]
    assert ck.sgd(o, step, steps=9, order=np.str_("cyclic")).examples.tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1]
    for order in ("random", "shuffle"):
        one, again, other = (ck.sgd(o, step, steps=200, order=order, seed=s) for s in (1, 1, 2))
        assert one == again
        assert (one.examples != other.examples).any()
    assert ck.sgd(o, step, steps=5, order=[3, 1]).examples.tolist() == [3, 1, 3, 1, 3]
    assert ck.sgd(o, step, steps=2, batch=2, order=np.array([3, 1, 0, 6])).examples.tolist() == [[3, 1], [0, 6]]


@pytest.mark.parametrize("loss", KNOWN.values(), ids=repr)
@pytest.mark.parametrize(("eta", "d"), [(1e5, 2), (1e300, 5), (1e308, 2)])
def test_results_are_finite_whatever_the_step(loss, eta, d):
    path = ck.sgd(overlapping(loss, d=d), constant(eta), steps=200)
    assert np.isfinite([*path.thetas.flat, *path.values]).all()
    assert len(path.examples) == len(path.rates) == len(path.thetas) - 1
    if loss is squared:
        assert path.status.startswith(f"diverged at step {len(path.rates) + 1}:")
    # a huge example does not spoil the risks before it
    o = ck.Objective([[1e160], [1.0], [2.0]], [1, -1, 1], loss=squared)
    assert np.isfinite(ck.sgd(o, constant(0.1), steps=6, order=[1, 2, 1, 2, 0, 1]).values).all()


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("offset", [True, False])
def test_pegasos_is_its_definition(project, offset):
    o = overlapping(lam=0.05, offset=offset)
    path = ck.pegasos(o, steps=300, project=project, seed=2)
    assert_allclose(path.rates, 1 / (0.05 * np.arange(1, 301)))
    w, b = np.zeros(2), 0.0
    for t, i in enumerate(path.examples, start=1):
        hit = o.y[i] * (w @ o.X[i] + b) <= 1
        w, b = (1 - 1 / t) * w + hit * o.y[i] * o.X[i] / (0.05 * t), b + offset * hit * o.y[i] / (0.05 * t)
        if project and w.any():
            w = w * min(1, 1 / np.sqrt(0.05) / np.linalg.norm(w))
        assert_allclose(path.thetas[t], [*w, b][: 2 + offset], rtol=1e-8, atol=1e-10)


def test_the_average_of_sgd_on_each_shard():
    theta, paths = ck.parallel_sgd(RISK, **RUN)
    assert_allclose(theta, np.mean([path.theta for path in paths], axis=0), rtol=1e-15)
    seen = [set(path.examples) for path in paths]
    assert sum(map(len, seen)) == len(set().union(*seen))  # no example in two shards
    for path in paths:
        again = ck.sgd(RISK, RUN["step"], steps=120, order=path.examples)  # the examples are those of the whole data
        assert_allclose(path.thetas, again.thetas, atol=1e-12)
    assert not theta.flags.writeable


def test_shards_are_a_fair_deal_by_the_seed():
    paths, again, others = (ck.parallel_sgd(RISK, ck.steps.constant(0.1), 1000, seed=s)[1] for s in (1, 1, 2))
    assert sorted(len(set(path.examples)) for path in paths) == [50, 51, 51, 51]  # 203 examples, all of them
    assert paths == again
    assert all(set(a.examples) != set(b.examples) for a, b in zip(paths, others, strict=True))
    draws = [[list(path.examples).index(i) for i in path.examples] for path in paths if len(set(path.examples)) == 51]
    assert draws[0] != draws[1] != draws[2] != draws[0]  # each worker draws by itself
    assert max(paths[0].examples) - min(paths[0].examples) > 100  # not a stretch of the data


def assert_same_bits(executor):
    (theta, paths), (alone, others) = ck.parallel_sgd(RISK, **RUN, executor=executor), ck.parallel_sgd(RISK, **RUN)
    assert_array_equal(theta, alone)
    assert paths == others


def test_threads_and_processes_give_the_same_bits():
    for executor in (ThreadPoolExecutor(2), ProcessPoolExecutor(2, mp_context=get_context("spawn"))):
        with executor:
            assert_same_bits(executor)


@pytest.mark.slow
def test_dask_gives_the_same_bits():
    distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert len(set(client.run(os.getpid).values())) == 2
        assert_same_bits(client.get_executor())
