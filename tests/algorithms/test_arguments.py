"""What a solver cannot take it names: the argument, the rule and what came."""

from functools import partial

import numpy as np
import pytest
from sklearn.svm import SVC

import coursekit as ck
from coursekit.core.steps import Schedule, constant, exact, robbins_monro

X, Y = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [-1, 1, 1]
HUGE = [[1e200, 0.0], [1.0, 0.0], [2.0, 2.0]]
ETA = constant(0.1)
RISK = ck.Objective(X, Y, loss=ck.losses.squared, penalty=ck.penalties.lq(0.7))
descend = partial(ck.gradient_descent, RISK, ETA)
BLOBS, IRIS = ck.datasets.blobs(20), ck.datasets.load("iris")


@pytest.mark.parametrize(("message", "call"), [
    ("eta must be > 0; got 0", lambda: constant(0)),
    ("power must be > 0.5 and <= 1; got 0.5", lambda: robbins_monro(1, 0.5)),
    (r"steps.mine must give an eta_k > 0 for each of 3 steps; got \[1. 0. 0.\]",
     lambda: ck.sgd(RISK, Schedule("mine", lambda k: np.maximum(1.0 - k, 0)), 3)),
    (r"for each of 3 steps; got \[1. 2.\]", lambda: ck.sgd(RISK, Schedule("mine", lambda k: [1.0, 2.0]), 3)),
    ("step must be one of ck.steps.*; got 0.1", lambda: ck.sgd(RISK, 0.1)),
    ("momentum must be >= 0 and < 1; got 1", lambda: descend(momentum=1.0)),
    (r"start must have shape \(3,\); got \(2,\)", lambda: descend(start=[1, 2])),
    ("start must be one of 'zero'; got 'ones'", lambda: descend(start="ones")),
    ("start must have a finite objective; got inf", lambda: descend(start=[1e200, 0, 0])),
    ("validation must have the features of the objective", lambda: descend(validation=([[1.0]], [1]))),
    ("validation must be an Objective, a Dataset or a pair", lambda: descend(validation=([[1.0, 2.0]],))),
    ("penalty must be l0", lambda: ck.proximal_descent(RISK, ETA)),
    ("step must be a schedule", lambda: ck.proximal_descent(RISK, exact())),
    ("objective must be a ck.Objective; got str", lambda: ck.sgd("hinge", ETA)),
    ("batch must be an integer >= 1; got 0", lambda: ck.sgd(RISK, ETA, batch=0)),
    ("order must be one of 'random', 'shuffle', 'cyclic'; got 'sorted'", lambda: ck.sgd(RISK, ETA, order="sorted")),
    ("must have hinge loss, l2 penalty and lam > 0; got Objective", lambda: ck.pegasos(ck.Objective(X, Y))),
    ("must have hinge", lambda: ck.pegasos(ck.Objective(X, Y, loss=ck.losses.logistic, lam=0.1))),
    ("must have hinge", lambda: ck.pegasos(ck.Objective(X, Y, penalty=ck.penalties.l1, lam=0.1))),
    ("shards must be at most the number of examples, 3; got 4", lambda: ck.parallel_sgd(RISK, ETA, 9, shards=4)),
    ("executor must be a .*Executor or None; got 4", lambda: ck.parallel_sgd(RISK, ETA, 9, 2, executor=4)),
    ("y must hold labels -1 and .1 only", lambda: ck.perceptron(X, [0, 1, 1])),
    ("X must have entries whose squares do not overflow", lambda: ck.perceptron(HUGE, Y)),
    ("X must have entries whose squares do not overflow", lambda: ck.mistake_bound([[1e308]], [1])),
    (r"squares, times eta = 1e\+308, do not overflow", lambda: ck.perceptron(X, Y, eta=1e308)),
    ("order must be one of 'cyclic', 'shuffle'; got 'random'", lambda: ck.perceptron(X, Y, order="random")),
    ("order must be a 1-D array of example indices", lambda: ck.perceptron(X, Y, order=[[0, 1], [2]])),
    ("visit must be from 1 to 3; got 4", lambda: ck.perceptron(X, Y, passes=1).row(4)),
    ("lam must be a number > 0 or a non-empty", lambda: ck.svm(X, Y, [0.1, 0.0])),
    ("lam must be a number > 0 or a non-empty", lambda: ck.svm(X, Y, [])),
    ("gap must be > 0", lambda: ck.svm(X, Y, 0.1, gap=0)),
    ("lam / spread.2 of X must lie in", lambda: ck.svm(HUGE, Y, 0.1)),
    ("lam / spread.2 of X must lie in", lambda: ck.svm(X, Y, 1e-300)),
    ("X and y must have one row per example", lambda: ck.lasso_path(X, [1, 2])),
    ("X and y must have entries whose products do not overflow", lambda: ck.lasso_path(HUGE, Y)),
    ("lam must be >= 0; got -1", lambda: ck.lasso_path(X, Y).at(-1)),
    ("selected must hold indices from 0 to 1", lambda: ck.debias(X, Y, [2])),
    ("dataset must have integer classes", lambda: ck.one_vs_one(BLOBS, ck.least_squares)),
    ("dataset must be a coursekit Dataset or a pair .X, y.; got ndarray", lambda: ck.one_vs_rest(IRIS.X, ck.svm)),
    ("fit must be a function of X and y, such as ck.least_squares; got None", lambda: ck.one_vs_rest(IRIS)),
    ("fit must be a function .* got array", lambda: ck.one_vs_one(IRIS.X, IRIS.y)),
    ("fit must be a function .* got SVC", lambda: ck.one_vs_rest(IRIS, SVC())),
    ("fit must return theta with 5 entries", lambda: ck.one_vs_rest(IRIS, lambda X, y: np.zeros(3))),
    ("fit's theta must be finite", lambda: ck.one_vs_rest(IRIS, lambda X, y: np.full(5, np.nan))),
    ("X must have 4 columns", lambda: ck.one_vs_one(IRIS, ck.least_squares).predict(X)),
    ("times eta = 1e.307, do not overflow", lambda: ck.multiclass_perceptron(IRIS, eta=1e307)),
    ("lam must be >= 0 and <= 0.5; got 1", lambda: ck.multiclass_perceptron(IRIS, eta=2, lam=1)),
    ("equally long; got 2 and 1 entries", lambda: ck.confusion_table([0, 1], [1], 2)),
    ("examples of each; got counts .1, 0, 1.", lambda: ck.multiclass_perceptron(
        ck.datasets.Dataset(np.eye(2), np.array([0, 2]), ("p", "q"), ("a", "b", "c")))),
])  # fmt: skip
def test_bad_arguments_are_named(message, call):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
