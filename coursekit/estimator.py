"""The course's solvers as scikit-learn classifiers, for its pipelines, cross-validation and pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from coursekit.algorithms.multiclass import one_vs_rest
from coursekit.algorithms.rule import scores
from coursekit.core.validate import ArrayLike, Floats, NDArray

__all__ = ["Estimator"]
__dir__ = __all__.copy  # what completion offers


class Estimator(ClassifierMixin, BaseEstimator):
    """Any solver for two classes as a scikit-learn classifier; more classes are learned one-vs-rest.

    solver(X, y): X (n, d), y (n,) in {-1, +1}; returns theta (d + 1,), the offset last, or something with `.theta`.
    Learned: classes_ (k,), coef_ (1, d) or (k, d), intercept_ (1,) or (k,), as in scikit-learn's linear models.

    >>> import coursekit as ck
    >>> from sklearn.model_selection import cross_val_score
    >>> data = ck.datasets.load("iris", classes=("versicolor", "virginica"))
    >>> street = Estimator(lambda X, y: ck.svm(X, y, lam=0.01))
    >>> bool(cross_val_score(street, data.X, data.y).mean() > 0.9)
    True
    """

    def __init__(self, solver: Callable[[Floats, Floats], Any]) -> None:
        self.solver = solver

    def fit(self, X: ArrayLike, y: ArrayLike) -> Estimator:
        """Learn from X (n, d) and y (n,), labels of any kind. ValueError where they are fewer than two."""
        rows, labels = validate_data(self, X, y)
        check_classification_targets(labels)
        self.classes_, index = np.unique(labels, return_inverse=True)
        k = len(self.classes_)
        if k < 2:
            raise ValueError(f"y must hold two classes or more; got one class, {self.classes_[0]!r}")
        if k == 2:
            found = self.solver(rows, np.where(index == 1, 1.0, -1.0))
            thetas = np.atleast_2d(getattr(found, "theta", found))
        else:
            thetas = one_vs_rest(rows, index, self.solver).thetas
        self.coef_, self.intercept_ = thetas[:, :-1], thetas[:, -1]
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Scores, (n,) for two classes, (n, k) for more."""
        check_is_fitted(self)
        found = scores(np.column_stack([self.coef_, self.intercept_]), validate_data(self, X, reset=False))
        return found[:, 0] if len(self.classes_) == 2 else found

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class of the highest score; of two, the second where the score is above 0."""
        found = self.decision_function(X)
        return self.classes_[(found > 0).astype(int) if found.ndim == 1 else found.argmax(axis=1)]
