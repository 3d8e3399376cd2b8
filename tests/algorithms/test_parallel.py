"""Parallel descent: the same bits from every executor, and the average of honest shards."""

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import coursekit as ck


def blobs(**more):
    data = ck.datasets.blobs(n=203, separability=-1.0, noise=0.05)
    return ck.Objective(data.X, data.y, **more)


RUN = {"step": ck.steps.decaying(1.0), "steps": 120, "shards": 3, "seed": 5}


def same(a, b):
    np.testing.assert_array_equal(a[0], b[0])
    for p, q in zip(a[1], b[1], strict=True):
        np.testing.assert_array_equal(p.thetas, q.thetas)
        np.testing.assert_array_equal(p.examples, q.examples)
        np.testing.assert_array_equal(p.values, q.values)


def test_the_average_of_sgd_on_each_shard():
    o = blobs(lam=0.1)
    theta, paths = ck.parallel_sgd(o, **RUN)
    np.testing.assert_allclose(theta, np.mean([path.theta for path in paths], axis=0), rtol=1e-15)
    seen = [set(path.examples) for path in paths]
    assert sum(map(len, seen)) == len(set().union(*seen))  # no example in two shards
    for path in paths:
        again = ck.sgd(o, RUN["step"], steps=120, order=path.examples)  # the examples are those of the whole data
        np.testing.assert_allclose(path.thetas, again.thetas, atol=1e-12)


def test_shards_are_a_fair_deal_by_the_seed():
    o = blobs()
    paths, again, others = (
        ck.parallel_sgd(o, ck.steps.constant(0.1), steps=3000, shards=4, seed=s)[1] for s in (1, 1, 2)
    )
    assert sorted(len(set(path.examples)) for path in paths) == [50, 51, 51, 51]  # 203 examples, all of them
    assert paths == again
    assert all(set(a.examples) != set(b.examples) for a, b in zip(paths, others, strict=True))
    draws = [[list(path.examples).index(i) for i in path.examples] for path in paths if len(set(path.examples)) == 51]
    assert draws[0] != draws[1] != draws[2] != draws[0]  # each worker draws by itself
    assert max(paths[0].examples) - min(paths[0].examples) > 100  # not a stretch of the data


def test_threads_and_processes_give_the_same_bits():
    o = blobs(lam=0.05, loss=ck.losses.logistic, penalty=ck.penalties.elastic_net(0.5))
    alone = ck.parallel_sgd(o, **RUN)
    with ThreadPoolExecutor(2) as threads:
        same(alone, ck.parallel_sgd(o, executor=threads, **RUN))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        same(alone, ck.parallel_sgd(o, executor=processes, **RUN))


@pytest.mark.slow
def test_dask_gives_the_same_bits():
    distributed = pytest.importorskip("distributed", reason="needs the extra: pip install coursekit[dask]")
    o = blobs()
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = set(client.run(os.getpid).values())
        assert len(pids) == 2
        same(ck.parallel_sgd(o, **RUN), ck.parallel_sgd(o, executor=client.get_executor(), **RUN))


def test_comparison_on_the_same_budget():
    o = blobs()
    result = ck.compare_parallel(o, ck.steps.decaying(1.0), steps=60, shards=4, seed=1)
    theta, paths = ck.parallel_sgd(o, ck.steps.decaying(1.0), steps=60, shards=4, seed=1)
    assert result.average == o.value(theta)
    np.testing.assert_allclose(result.shards, [o.value(path.theta) for path in paths])
    long = ck.sgd(o, ck.steps.decaying(1.0), steps=240, seed=1)
    assert (result.same_time, result.same_work) == pytest.approx((long.values[60], long.values[240]))
    assert result.average <= result.shards.mean()  # convexity


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"shards": 0}, ValueError, "shards must be an integer >= 1; got 0"),
        ({"shards": 204}, ValueError, "shards must be at most the number of examples, 203; got 204"),
        ({"steps": 0}, ValueError, "steps must be an integer >= 1; got 0"),
        ({"seed": -1}, ValueError, "seed must be an integer >= 0"),
        ({"step": ck.steps.backtracking()}, ValueError, "step must be a schedule"),
        ({"executor": 4}, TypeError, "executor must be a concurrent.futures.Executor or None; got 4"),
    ],
)
def test_bad_arguments_are_named(change, error, message):
    with pytest.raises(error, match=message):
        ck.parallel_sgd(blobs(), **(RUN | change))
