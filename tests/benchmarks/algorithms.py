"""How fast the algorithms are, as ratios against what one would use instead, measured in one run.

    python tests/benchmarks/algorithms.py            all rows
    python tests/benchmarks/algorithms.py sgd lasso  rows whose name holds one of these words

A ratio is the peer's time over ours (above 1: ours is faster), from medians of CPU time with ours and
the peer's runs interleaved, on one thread. Each function below that is decorated with @row prepares
its data and returns (ours, peer), or (ours, peer, share) where the peer does only that share of the work.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import sys
import time
import tracemalloc
import warnings
from statistics import median

import numpy as np

import coursekit as ck

ROWS = []


def row(name, target):
    return lambda prepare: ROWS.append((name, prepare, target))


def cpu_time(run, at_least=0.02):
    """Seconds of one run; short runs are repeated, because the clock is coarse."""
    runs, start = 0, time.process_time()
    while runs == 0 or time.process_time() - start < at_least:
        run()
        runs += 1
    return (time.process_time() - start) / runs


def compare(prepare, repeats=7):
    ours, peer, *share = prepare()
    times = [(cpu_time(ours), cpu_time(peer)) for _ in range(repeats)]
    mine, theirs = (median(t) for t in zip(*times, strict=True))
    return mine, theirs / (share[0] if share else 1)


def overlapping(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)


def separable(n, d, margin=0.05, seed=0):
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal(d)
    X = rng.standard_normal((2 * n, d))
    f = X @ normal / np.linalg.norm(normal)
    kept = np.abs(f) > margin
    return X[kept][:n], np.sign(f[kept][:n])


def sgd_pair(n, d, steps=10_000):
    X, y = overlapping(n, d)
    objective = ck.Objective(X, y)
    order = np.random.default_rng(1).integers(n, size=steps)
    return X, y, order, lambda: ck.sgd(objective, ck.steps.decaying(1.0), steps, order=order)


def sgd_against_loop(n, d, share=1.0):
    X, y, order, ours = sgd_pair(n, d)

    def loop():
        w, b, path, risks = np.zeros(d), 0.0, [], []
        for k, i in enumerate(order[: int(share * len(order))]):
            if y[i] * (X[i] @ w + b) <= 1:
                w, b = w + y[i] * X[i] / (k + 1), b + y[i] / (k + 1)
            path.append(np.append(w, b))
            risks.append(np.maximum(0, 1 - y * (X @ w + b)).mean())

    return ours, loop, share


def sgd_against_partial_fit(n, d, share):
    from sklearn.linear_model import SGDClassifier

    X, y, order, ours = sgd_pair(n, d)

    def partial_fit():
        model = SGDClassifier(loss="hinge", penalty=None, learning_rate="invscaling", eta0=1, power_t=1)
        path, risks = [], []
        for i in order[: int(share * len(order))]:
            model.partial_fit(X[i : i + 1], y[i : i + 1], classes=[-1, 1])
            path.append(np.append(model.coef_, model.intercept_))
            risks.append(np.maximum(0, 1 - y * model.decision_function(X)).mean())

    return ours, partial_fit, share


@row("sgd + risks, n=200 d=2, against a loop", 8)
def _():
    return sgd_against_loop(200, 2)


@row("sgd + risks, n=2000 d=20, against a loop", 8)
def _():
    return sgd_against_loop(2000, 20, 0.3)


@row("sgd + risks, n=20000 d=50, against a loop", None)
def _():
    return sgd_against_loop(20_000, 50, 0.03)


@row("sgd + risks, n=200 d=2, against partial_fit", 100)
def _():
    return sgd_against_partial_fit(200, 2, 0.02)


@row("sgd + risks, n=2000 d=20, against partial_fit", 100)
def _():
    return sgd_against_partial_fit(2000, 20, 0.02)


def descent_pair(n, d, steps=1000, eta=0.1):
    X, y = overlapping(n, d)
    objective = ck.Objective(X, y)

    def vectorised():
        w, b, path, risks = np.zeros(d), 0.0, [], []
        for _ in range(steps):
            agreement = y * (X @ w + b)
            risks.append(np.maximum(0, 1 - agreement).mean())
            hit = agreement <= 1
            w, b = w + eta * (y[hit, None] * X[hit]).sum(axis=0) / n, b + eta * y[hit].sum() / n
            path.append(np.append(w, b))

    return lambda: ck.gradient_descent(objective, ck.steps.constant(eta), steps), vectorised


@row("gradient descent + risks, n=200 d=2, against a vectorised loop", 4)
def _():
    return descent_pair(200, 2)


@row("gradient descent + risks, n=2000 d=20, against a vectorised loop", 4)
def _():
    return descent_pair(2000, 20)


def perceptron_against_loop(n, d):
    X, y = separable(n, d)

    def loop(passes=1000):
        w, b, thetas = np.zeros(d), 0.0, []
        for _ in range(passes):
            before = len(thetas)
            for x, label in zip(X, y, strict=True):
                if label * (x @ w + b) <= 0:
                    w, b = w + label * x, b + label
                    thetas.append(np.append(w, b))
            if len(thetas) == before:
                break

    return lambda: ck.perceptron(X, y, passes=1000), loop


def perceptron_against_sklearn(n, d):
    from sklearn.linear_model import Perceptron

    X, y = separable(n, d)
    passes = ck.perceptron(X, y, passes=1000).passes
    model = Perceptron(max_iter=passes, tol=None, shuffle=False)  # as many passes, in the same order
    return lambda: ck.perceptron(X, y, passes=1000), lambda: model.fit(X, y)


@row("perceptron trace, n=2000 d=2, against a loop", 10)
def _():
    return perceptron_against_loop(2000, 2)


@row("perceptron trace, n=2000 d=20, against a loop", 10)
def _():
    return perceptron_against_loop(2000, 20)


@row("perceptron trace, n=2000 d=2, against sklearn Perceptron", 1 / 1.2)
def _():
    return perceptron_against_sklearn(2000, 2)


@row("perceptron trace, n=2000 d=20, against sklearn Perceptron", 1 / 1.2)
def _():
    return perceptron_against_sklearn(2000, 20)


def growth():
    """Time after doubling n, d or the number of steps: about 2, or less while fixed costs rule."""
    base = {"n": 4000, "d": 20, "steps": 10_000}
    runs = {"as it is": sgd_pair(**base)[-1]}
    runs |= {f"twice the {name}": sgd_pair(**(base | {name: 2 * base[name]}))[-1] for name in base}
    times = {name: median(cpu_time(run) for _ in range(5)) for name, run in runs.items()}
    for name, seconds in times.items():
        print(f"{'sgd + risks, n=4000 d=20, ' + name:66}{seconds * 1e3:9.1f} ms{seconds / times['as it is']:9.2f}")


def memory():
    """Peak memory of a path with its risks, beyond what is there before, as multiples of the path."""
    run = sgd_pair(20_000, 50)[-1]
    tracemalloc.start()
    path = run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    limit = 2 * path.thetas.nbytes + 50e6
    print(f"{'sgd + risks, n=20000 d=50: peak memory':66}{peak / 1e6:9.1f} MB, limit {limit / 1e6:.1f} MB")


def main(words):
    print(f"{'':66}{'ours':>12}{'peer':>12}{'ratio':>9}{'target':>9}")
    for name, prepare, target in ROWS:
        if words and not any(word in name for word in words):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours, peer = compare(prepare)
        wanted = "" if target is None else f"{target:9.2f}" + ("" if peer / ours >= target else "  missed")
        print(f"{name:66}{ours * 1e3:9.1f} ms{peer * 1e3:9.1f} ms{peer / ours:9.2f}{wanted}", flush=True)
    if not words:
        growth()
        memory()


if __name__ == "__main__":
    main(sys.argv[1:])
