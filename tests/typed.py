"""What type checkers take and what they refuse: mypy reads this file, and reports an `ignore` that nothing needs."""

import numpy as np

import coursekit as ck

data = ck.Dataset([[1.0, 2.0], [3.0, 4.0]], ["spam", "ham"], features=["a", "b"])
objective = ck.Objective([[1.0]], [1], lam=0.1)
ck.perceptron(data.X, data.y, passes=3).predict([[1, 2]])
ck.svm(data.X, data.y).decision_function(np.eye(2))
ck.one_vs_rest(data, ck.svm).predict(data.X)
ck.one_vs_rest(data, fit=ck.svm).predict(data.X)
ck.one_vs_one(np.eye(2), [0, 1], ck.least_squares).predict(data.X)
ck.one_vs_one((np.eye(2), ["a", "b"]), ck.svm).predict(data.X)
ck.multiclass_perceptron((np.eye(2), ["a", "b"])).predict(data.X)

ck.perceptron(1, 2, bogus=4)  # type: ignore[call-arg]
ck.svm(data.X, data.y, C=1)  # type: ignore[call-arg]
ck.sgd(objective, ck.steps.constant(1.0), max_iter=5)  # type: ignore[call-arg]
ck.Objective(data.X, data.y, bogus=3)  # type: ignore[call-arg]
ck.one_vs_rest(data)  # type: ignore[call-overload]
ck.one_vs_rest(data, fit=3)  # type: ignore[call-overload]
