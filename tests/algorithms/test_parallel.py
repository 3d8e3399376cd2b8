"""Parallel descent: the same bits from every executor, and the average of honest shards."""

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import coursekit as ck

DATA = ck.datasets.blobs(n=203, separability=-1.0, noise=0.05)
RISK = ck.Objective(DATA.X, DATA.y, lam=0.1)
RUN = {"step": ck.steps.decaying(1.0), "steps": 120, "shards": 3, "seed": 5}


def test_the_average_of_sgd_on_each_shard():
    theta, paths = ck.parallel_sgd(RISK, **RUN)
    np.testing.assert_allclose(theta, np.mean([path.theta for path in paths], axis=0), rtol=1e-15)
    seen = [set(path.examples) for path in paths]
    assert sum(map(len, seen)) == len(set().union(*seen))  # no example in two shards
    for path in paths:
        again = ck.sgd(RISK, RUN["step"], steps=120, order=path.examples)  # the examples are those of the whole data
        np.testing.assert_allclose(path.thetas, again.thetas, atol=1e-12)
    with pytest.raises(ValueError, match="WRITEABLE"):
        theta.flags.writeable = True


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
    np.testing.assert_array_equal(theta, alone)
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
