"""How fast the algorithms are, beside what one would use instead: python tests/benchmarks/algorithms.py [WORD ...]

A ratio is the peer's time over ours (above 1: ours is faster), from medians of CPU time with ours and the peer's runs
interleaved, on one thread. Each row prepares its data and gives (ours, peer), or (ours, peer, share) where the peer
does only that share of the work. WORD: rows whose name holds it.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import sys
import time
import warnings
from statistics import median

import numpy as np
from sklearn.linear_model import Perceptron, lasso_path
from sklearn.svm import SVC

import coursekit as ck


def cpu_time(run):
    """Seconds of one run; short runs are repeated, because the clock is coarse."""
    runs, start = 0, time.process_time()
    while runs == 0 or time.process_time() - start < 0.02:
        run()
        runs += 1
    return (time.process_time() - start) / runs


def compare(ours, peer, share=1.0):
    times = [(cpu_time(ours), cpu_time(peer)) for _ in range(7)]
    mine, theirs = (median(t) for t in zip(*times, strict=True))
    return mine, theirs / share


def overlapping(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)


def separable(n, d):
    rng = np.random.default_rng(0)
    normal, X = rng.standard_normal(d), rng.standard_normal((2 * n, d))
    f = X @ normal / np.linalg.norm(normal)
    kept = np.abs(f) > 0.05
    return X[kept][:n], np.sign(f[kept][:n])


def sgd(n, d, share=1.0, steps=10_000):
    X, y = overlapping(n, d)
    objective, order = ck.Objective(X, y), np.random.default_rng(1).integers(n, size=steps)

    def loop():
        w, b, path, risks = np.zeros(d), 0.0, [], []
        for k, i in enumerate(order[: int(share * len(order))]):
            if y[i] * (X[i] @ w + b) <= 1:
                w, b = w + y[i] * X[i] / (k + 1), b + y[i] / (k + 1)
            path.append(np.append(w, b))
            risks.append(np.maximum(0, 1 - y * (X @ w + b)).mean())

    return lambda: ck.sgd(objective, ck.steps.decaying(1.0), steps, order=order), loop, share


def descent(n, d, steps=1000, eta=0.1):
    X, y = overlapping(n, d)
    objective = ck.Objective(X, y)

    def vectorized():
        """As in a course: pick the examples that are hit, sum them up."""
        w, b, path, risks = np.zeros(d), 0.0, [], []
        for _ in range(steps):
            agreement = y * (X @ w + b)
            risks.append(np.maximum(0, 1 - agreement).mean())
            hit = agreement <= 1
            w, b = w + eta * (y[hit, None] * X[hit]).sum(axis=0) / n, b + eta * y[hit].sum() / n
            path.append(np.append(w, b))

    return lambda: ck.gradient_descent(objective, ck.steps.constant(eta), steps), vectorized


def perceptron_and_loop(n, d):
    X, y = separable(n, d)

    def loop():
        w, b, thetas, before = np.zeros(d), 0.0, [], -1
        while len(thetas) > before:
            before = len(thetas)
            for x, label in zip(X, y, strict=True):
                if label * (x @ w + b) <= 0:
                    w, b = w + label * x, b + label
                    thetas.append(np.append(w, b))

    return lambda: ck.perceptron(X, y, passes=1000), loop


def perceptron_and_sklearn(n, d):
    X, y = separable(n, d)
    passes = ck.perceptron(X, y, passes=1000).passes
    model = Perceptron(max_iter=passes, tol=None, shuffle=False)  # as many passes, in the same order
    return lambda: ck.perceptron(X, y, passes=1000), lambda: model.fit(X, y)


def svm_and_svc(n, d):
    X, y = overlapping(n, d)
    lams = np.geomspace(1, 1e-3, 100)
    assert ck.svm(X, y, lams).gap.max() <= 1e-6
    return lambda: ck.svm(X, y, lams), lambda: [SVC(kernel="linear", C=1 / (n * lam)).fit(X, y) for lam in lams]


def cancer():
    D = ck.datasets.load("breast-cancer", standardize=True)
    return D.X, D.y


def coordinate_descent(X, y, lams):
    lasso_path(X - X.mean(axis=0), y - y.mean(), alphas=lams / 2, tol=1e-12, max_iter=100_000)


def lasso(X, y):
    lams = ck.lasso_path(X, y).lams[0] * np.geomspace(1, 1e-3, 100)
    return lambda: ck.lasso_path(X, y).at(lams), lambda: coordinate_descent(X, y, lams)


def bolasso(X, y, share):
    lams = ck.lasso_path(X, y).lams[0] * np.geomspace(1, 1e-3, 100)
    resamples = np.random.default_rng(0).integers(len(y), size=(int(128 * share), len(y)))
    return lambda: ck.bolasso(X, y), lambda: [coordinate_descent(X[i], y[i], lams) for i in resamples], share


ROWS = [  # name, the ratio that it should reach, what is run
    ("sgd + risks, n=200 d=2, against a loop", 8, lambda: sgd(200, 2)),
    ("sgd + risks, n=2000 d=20, against a loop", 8, lambda: sgd(2000, 20, 0.3)),
    ("gradient descent + risks, n=200 d=2, against a vectorized loop", 4, lambda: descent(200, 2)),
    ("gradient descent + risks, n=2000 d=20, against a vectorized loop", 4, lambda: descent(2000, 20)),
    ("perceptron trace, n=2000 d=2, against a loop", 10, lambda: perceptron_and_loop(2000, 2)),
    ("perceptron trace, n=2000 d=20, against a loop", 10, lambda: perceptron_and_loop(2000, 20)),
    ("perceptron trace, n=2000 d=2, against sklearn Perceptron", 1 / 1.2, lambda: perceptron_and_sklearn(2000, 2)),
    ("perceptron trace, n=2000 d=20, against sklearn Perceptron", 1 / 1.2, lambda: perceptron_and_sklearn(2000, 20)),
    ("svm, 100 lambdas, n=200 d=2, against SVC", 4, lambda: svm_and_svc(200, 2)),
    ("svm, 100 lambdas, n=1000 d=2, against SVC", 4, lambda: svm_and_svc(1000, 2)),
    ("svm, 100 lambdas, n=1000 d=20, against SVC", 4, lambda: svm_and_svc(1000, 20)),
    ("lasso path, n=200 d=10, against lasso_path(tol=1e-12)", 5, lambda: lasso(*overlapping(200, 10))),
    ("lasso path, n=2000 d=20, against lasso_path(tol=1e-12)", 5, lambda: lasso(*overlapping(2000, 20, seed=3))),
    ("lasso path, n=30 d=80, against lasso_path(tol=1e-12)", 5, lambda: lasso(*overlapping(30, 80))),
    ("lasso path, breast-cancer, against lasso_path(tol=1e-12)", 5, lambda: lasso(*cancer())),
    ("bolasso 128 x 100, n=200 d=10, against lasso_path(tol=1e-12)", 5, lambda: bolasso(*overlapping(200, 10), 0.25)),
    ("bolasso 128 x 100, breast-cancer, against lasso_path(tol=1e-12)", 5, lambda: bolasso(*cancer(), 1 / 16)),
]


def main(words):
    warnings.simplefilter("ignore")
    print(f"{'':66}{'ours':>12}{'peer':>12}{'ratio':>9}{'target':>9}")
    for name, target, prepare in ROWS:
        if not words or any(word in name for word in words):
            ours, peer = compare(*prepare())
            wanted = f"{target:9.2f}" + ("" if peer / ours >= target else "  missed")
            print(f"{name:66}{ours * 1e3:9.1f} ms{peer * 1e3:9.1f} ms{peer / ours:9.2f}{wanted}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
