"""Parallel stochastic descent: every worker learns on its own shard, and the thetas are averaged.

Sources: Prasse, Landwehr and Scheffer, Linear Classification Models; M. Zinkevich, M. Weimer, A. Smola
and L. Li, Parallelized stochastic gradient descent (2010).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from coursekit.algorithms.path import Path, checked
from coursekit.algorithms.sgd import sgd
from coursekit.core import validate
from coursekit.core.frozen import sealed
from coursekit.core.objective import Objective
from coursekit.core.steps import Schedule
from coursekit.core.validate import Floats

if TYPE_CHECKING:
    from concurrent.futures import Executor


def parallel_sgd(objective: Objective, step: Schedule, steps: int, shards: int = 4, executor: Executor | None = None,
                 seed: int = 0) -> tuple[Floats, tuple[Path, ...]]:
    """Deal the examples out to `shards` workers, run `sgd` on each shard, average the last thetas.

        theta = 1/S sum_s theta_s          theta_s = sgd on shard s alone, `steps` steps

    The shards are random and of equal size (to within one example). A path's values belong to the objective of its
    shard, another landscape than that of all the data; its examples are numbered as in the whole data. The average
    minimizes nothing exactly: it smooths the noise of short runs, but S workers on n/S examples are no substitute
    for one worker that sees all n.

    executor: any concurrent.futures.Executor: threads, processes, or Dask's `client.get_executor()`.
        Without one the shards run one after another. The result is the same, bit for bit.
    Returns the average, (d+1,), and one Path per shard. ValueError for more shards than examples and
    where `sgd` raises it; TypeError where an argument is of the wrong kind.

    >>> import coursekit as ck
    >>> blobs = ck.datasets.blobs(n=100)
    >>> theta, paths = ck.parallel_sgd(ck.Objective(blobs.X, blobs.y), ck.steps.decaying(1.0), steps=50)
    >>> theta.shape, len(paths), [len(path.rates) for path in paths]
    ((3,), 4, [50, 50, 50, 50])
    """
    steps, _ = checked(objective, step, steps, None)
    shards = validate.count("shards", shards)
    n = len(objective.y)
    if shards > n:
        raise ValueError(f"shards must be at most the number of examples, {n}; got {shards}")
    if executor is not None and not hasattr(executor, "map"):
        raise TypeError(f"executor must be a concurrent.futures.Executor or None; got {executor!r}")
    rng = validate.generator(seed)
    parts = np.array_split(rng.permutation(n), shards)
    pieces = [replace(objective, X=objective.X[part], y=objective.y[part]) for part in parts]
    run = map if executor is None else executor.map
    runs = run(partial(_on_shard, step=step, steps=steps), pieces, rng.integers(2**32, size=shards).tolist())
    paths = tuple(replace(path, examples=part[path.examples]) for path, part in zip(runs, parts, strict=True))
    return sealed(np.mean([path.theta for path in paths], axis=0)), paths


def _on_shard(objective: Objective, seed: int, step: Schedule, steps: int) -> Path:
    return sgd(objective, step, steps, seed=seed)
