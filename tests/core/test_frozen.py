"""Data, objectives and results: what was made stays as it was made, and can be compared and copied."""

import copy
import pickle
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

import coursekit as ck
from coursekit.core.frozen import same

BLOBS, CLASSES = ck.datasets.blobs(40, 0.5), ck.datasets.multiclass_blobs(60, 3)
RISK = ck.Objective(BLOBS.X, BLOBS.y, lam=0.1)
SQUARES = ck.Objective(BLOBS.X, BLOBS.y, loss=ck.losses.squared, penalty=ck.penalties.elastic_net(0.5), lam=0.1)
CONSTANT = ck.steps.constant(0.1)
MAKE = {
    "classes": lambda: ck.datasets.load("iris"),
    "objective": lambda: ck.Objective(BLOBS.X, BLOBS.y, penalty=ck.penalties.lq(0.5), lam=0.1),
    "descent": lambda: ck.gradient_descent(RISK, CONSTANT, 20, validation=BLOBS),
    "search": lambda: ck.gradient_descent(SQUARES, ck.steps.backtracking(), 20),
    "diverged": lambda: ck.gradient_descent(SQUARES, ck.steps.constant(10.0), 2000),
    "trace": lambda: ck.perceptron(BLOBS.X, BLOBS.y),
    "bound": lambda: ck.mistake_bound(BLOBS.X, BLOBS.y),
    "svm grid": lambda: ck.svm(BLOBS.X, BLOBS.y, [0.1, 1.0]),
    "bolasso": lambda: ck.bolasso(BLOBS.X, BLOBS.y, 8),
    "multiclass": lambda: ck.multiclass_perceptron(CLASSES),
}


def arrays(value):
    if isinstance(value, np.ndarray):
        return [value]
    parts = [getattr(value, f.name) for f in fields(value)] if is_dataclass(value) else value
    return [a for part in parts for a in arrays(part)] if is_dataclass(value) or isinstance(value, tuple) else []


def assert_read_only(value):
    found = arrays(value)
    assert found
    for array in found:
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
def test_made_again_or_copied_it_is_equal_and_nobody_can_write_into_it(make):
    one = make()
    for other in (make(), replace(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other == one
        assert (other != one) is False
        assert hash(other) == hash(one)
        assert_read_only(other)
    assert one != "something else"
    assert all(a is b for a, b in zip(arrays(replace(one)), arrays(one), strict=True))  # nothing is copied twice
    field = next(f.name for f in fields(one) if isinstance(getattr(one, f.name), np.ndarray))
    changed = getattr(one, field).copy()
    changed.flat[0] += 1
    assert replace(one, **{field: changed}) != one


def test_an_objective_does_not_follow_the_arrays_it_was_made_of():
    X, y = np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([1.0, -1.0])
    view = X[:]
    view.flags.writeable = False  # read-only, but what it shows can still change
    for given in (X, view):
        objective, data = ck.Objective(given, y), ck.datasets.Dataset(given, y, ("a", "b"), ("-", "+"))
        at, before = objective.value([1.0, 2.0, 3.0]), X.copy()
        X *= 5
        np.testing.assert_array_equal(objective.X, before)
        assert objective == replace(objective) == ck.Objective(data.X, data.y)
        assert objective.value([1.0, 2.0, 3.0]) == at == replace(objective).value([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="read-only"):
        objective.Z[:] = 0
    # what is read-only already is shared
    assert ck.datasets.load("iris").X is ck.datasets.load("iris").X
    assert ck.perceptron(BLOBS.X, BLOBS.y).X is ck.Objective(BLOBS.X, BLOBS.y).X is BLOBS.X


def test_equal_are_only_those_made_alike():
    def parts():
        return ck.losses.bent("late", 2.0), ck.penalties.lq(0.5), ck.steps.constant(0.1), ck.steps.exact()

    assert parts() == parts() == pickle.loads(pickle.dumps(parts()))
    assert hash(parts()) == hash(parts())
    row, other = (MAKE["trace"]().row(k) for k in (1, 2))
    assert row == MAKE["trace"]().row(1) != other
    assert_read_only(row)
    assert same((np.array([np.nan, 1]), [np.nan]), (np.array([np.nan, 1]), [np.nan]))
    as_labels = ck.datasets.Dataset(np.eye(2), np.array([1.0, 1.0]), ("a", "b"), ("-", "+"))
    as_classes = ck.datasets.Dataset(np.eye(2), np.array([1, 1]), ("a", "b"), ("-", "+"))
    assert as_labels != as_classes
    assert ck.steps.constant(0.1) != ck.steps.constant(0.1 + 1e-12)  # of the same name
    path = MAKE["search"]()
    assert path != replace(path, tried=path.tried[:-1])
    argmax = ck.algorithms.multiclass.Argmax(np.eye(3), tuple("abc"))
    assert argmax != type("Argmax", (type(argmax),), {})(argmax.thetas, argmax.classes)
    assert replace(RISK, loss=ck.losses.logistic) != RISK
