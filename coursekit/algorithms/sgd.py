"""Stochastic (sub)gradient descent: one example, or a few, at a time; Pegasos; and many workers, each on its own shard.

Sources: 01.112 notes (2019), Linear Classification, Hinge Loss (the algorithm, its step sizes, the best so far);
Prasse, Landwehr and Scheffer, Linear Classification Models (reshuffling, shards); H. Robbins and S. Monro, A
stochastic approximation method (1951); S. Shalev-Shwartz, Y. Singer, N. Srebro and A. Cotter, Pegasos: primal estimated
sub-gradient solver for SVM (2011); M. Zinkevich, M. Weimer, A. Smola and L. Li, Parallelized stochastic gradient
descent (2010).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from coursekit.algorithms.path import Path, checked, ended, rates_of
from coursekit.core import losses, penalties, validate
from coursekit.core.frozen import sealed
from coursekit.core.objective import Objective
from coursekit.core.steps import Schedule, decaying
from coursekit.core.validate import ArrayLike, Floats, NDArray

if TYPE_CHECKING:
    from concurrent.futures import Executor


def sgd(objective: Objective, step: Schedule, steps: int = 1000, batch: int = 1, order: str | ArrayLike = "random",
        start: ArrayLike | None = None, seed: int = 0) -> Path:
    """Follow minus the slope at one example, or at the mean of a mini-batch.

        theta <- theta - eta_k slope_i(theta)
        slope_i = loss'(z_i) y_i (x_i, 1) + lam Omega'(w)          z_i = y_i theta . (x_i, 1)

    For the hinge loss without a penalty this reads: if z_i <= 1, add eta_k y_i (x_i, 1).

    step: a schedule: ck.steps.constant, decaying or robbins_monro. steps: how many to make.
    batch: examples per step. start: theta^(0), shape (d+1,); zero where it is None or "zero".
    order: "random" draws examples with replacement, "shuffle" goes through all of them in a new
        order each pass, "cyclic" in the order of the data. An array of example indices is used as it
        is, and repeated where it is too short. These are different algorithms with different paths.

    `path.values` holds the whole objective at every iterate. It does not fall steadily, so
    `path.best_theta` is the one to report.

    ValueError where a number is outside its range, theta^(0) has the wrong shape, the order names an
    example that does not exist or step is a search; TypeError where an argument is of the wrong kind.

    >>> import coursekit as ck
    >>> three = ck.datasets.three_points()
    >>> path = ck.sgd(ck.Objective(three.X, three.y), ck.steps.decaying(1.0), steps=6, order="cyclic")
    >>> path.examples, path.theta
    (array([0, 1, 2, 0, 1, 2]), array([ 0.5 ,  0.7 , -0.05]))
    """
    steps, theta = checked(objective, step, steps, start)
    examples = _examples(order, steps, validate.count("batch", batch), len(objective.y), seed)
    return _descend(objective, rates_of(step, steps), examples, theta)


def pegasos(objective: Objective, steps: int = 1000, order: str | ArrayLike = "random", project: bool = False,
            seed: int = 0) -> Path:
    """Stochastic descent on the soft margin objective, with the step size its curvature asks for.

        eta_t = 1 / (lam t),  t = 1, 2, ...
        w      <- (1 - 1/t) w + eta_t y x   where y f(x) <= 1, else (1 - 1/t) w
        offset <- offset + eta_t y          where y f(x) <= 1

    It is `sgd` with ck.steps.decaying(1 / lam). The first step wipes the start. The offset is not penalized, so nothing
    wipes it: its first move is 1 / lam long, and when lam is small it takes very many steps to come back. With
    offset=False it is the paper's.

    objective: hinge loss, l2 penalty, lam > 0. project: after each step pull w back into ||w|| <= 1 / sqrt(lam),
    which holds the optimum. `path.average` is the averaged iterate. ValueError for another loss or penalty, or
    lam = 0; otherwise as for `sgd`.

    >>> import coursekit as ck
    >>> blobs = ck.datasets.blobs(n=100, separability=1.0)
    >>> path = ck.pegasos(ck.Objective(blobs.X, blobs.y, lam=0.1, offset=False), steps=500)
    >>> path.rates[:3]
    array([10.        ,  5.        ,  3.33333333])
    """
    steps, theta = checked(objective, decaying(1.0), steps, None)
    if objective.loss != losses.hinge or objective.penalty != penalties.l2 or objective.lam == 0:
        raise ValueError(f"objective must have hinge loss, l2 penalty and lam > 0; got {objective}")
    examples = _examples(order, steps, 1, len(objective.y), seed)
    radius = objective.lam**-0.5 if project else np.inf
    return _descend(objective, decaying(1 / objective.lam).rates(steps), examples, theta, radius)


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


def _examples(order: str | ArrayLike, steps: int, batch: int, n: int, seed: Any) -> NDArray[np.intp]:
    """Which example each step uses: (steps,), or (steps, batch) for batch > 1."""
    total = steps * batch
    rng = validate.generator(seed)
    if not isinstance(order, str):
        drawn = np.resize(validate.indices("order", order, n), total)
    elif validate.one_of("order", order, ("random", "shuffle", "cyclic")) == "random":
        drawn = rng.integers(n, size=total)
    elif order == "shuffle":
        drawn = np.concatenate([rng.permutation(n) for _ in range(-(-total // n))])[:total]
    else:
        drawn = np.arange(total) % n
    return drawn if batch == 1 else drawn.reshape(steps, batch)


def _descend(objective: Objective, rates: Floats, examples: NDArray[np.intp], theta: Floats,
             radius: float = np.inf) -> Path:
    """A step for each row of `examples`, after which w is pulled back to within `radius`."""
    Z, d, loss = objective.Z, objective.X.shape[1], objective.loss.derivative
    lam, penalty = objective.lam, objective.penalty.derivative
    thetas = np.empty((len(rates) + 1, len(theta)))
    thetas[0] = theta
    with np.errstate(over="ignore", invalid="ignore"):
        for k, (i, eta) in enumerate(zip(examples, rates.tolist(), strict=True), start=1):
            z = Z[i]
            slope = loss(z.dot(theta)) * z if z.ndim == 1 else loss(z.dot(theta)).dot(z) / len(z)
            if lam:
                slope[:d] += lam * penalty(theta[:d])
            theta = theta - eta * slope
            if radius < np.inf and (length := np.sqrt(theta[:d].dot(theta[:d]))) > radius:
                theta[:d] *= radius / length
            thetas[k] = theta
        values = objective._values(thetas)
    return ended(objective, sealed(thetas), sealed(values), rates, "", examples=examples)
