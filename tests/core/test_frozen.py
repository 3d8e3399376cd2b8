"""Data, objectives and results: what was made stays as it was made, and can be compared and copied."""

import copy
import pickle
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

import coursekit as ck

BLOBS = ck.datasets.blobs(40, 0.5)
CLASSES = ck.datasets.multiclass_blobs(60, 3)
RISK = ck.Objective(BLOBS.X, BLOBS.y, lam=0.1)
SQUARES = ck.Objective(BLOBS.X, BLOBS.y, loss=ck.losses.squared, penalty=ck.penalties.elastic_net(0.5), lam=0.1)
CONSTANT = ck.steps.constant(0.1)
MAKE = {
    "blobs": lambda: ck.datasets.blobs(40, 0.5),
    "classes": lambda: ck.datasets.load("iris"),
    "objective": lambda: ck.Objective(BLOBS.X, BLOBS.y, penalty=ck.penalties.lq(0.5), lam=0.1),
    "descent": lambda: ck.gradient_descent(RISK, ck.steps.constant(0.1), 20, validation=BLOBS),
    "search": lambda: ck.gradient_descent(SQUARES, ck.steps.backtracking(), 20),
    "diverged": lambda: ck.gradient_descent(SQUARES, ck.steps.constant(10.0), 2000),
    "proximal": lambda: ck.proximal_descent(SQUARES, CONSTANT, 20),
    "sgd": lambda: ck.sgd(RISK, CONSTANT, 20, batch=3),
    "pegasos": lambda: ck.pegasos(RISK, 20),
    "parallel": lambda: ck.parallel_sgd(RISK, CONSTANT, 20),
    "comparison": lambda: ck.compare_parallel(RISK, CONSTANT, 20),
    "trace": lambda: ck.perceptron(BLOBS.X, BLOBS.y),
    "row": lambda: ck.perceptron(BLOBS.X, BLOBS.y).row(1),
    "bound": lambda: ck.mistake_bound(BLOBS.X, BLOBS.y),
    "svm": lambda: ck.svm(BLOBS.X, BLOBS.y, 0.1),
    "svm grid": lambda: ck.svm(BLOBS.X, BLOBS.y, [0.1, 1.0]),
    "lasso": lambda: ck.lasso_path(BLOBS.X, BLOBS.y),
    "bolasso": lambda: ck.bolasso(BLOBS.X, BLOBS.y, 8),
    "rest": lambda: ck.one_vs_rest(CLASSES, ck.least_squares),
    "pairs": lambda: ck.one_vs_one(CLASSES, ck.least_squares),
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
def test_made_twice_it_is_equal_and_nobody_can_write_into_it(make):
    one, two = make(), make()
    assert_read_only(one)
    if type(one) is tuple:  # the average and the paths
        one, two = one[1], two[1]
    assert one == two
    assert (one != two) is False
    assert one != "something else"


@pytest.mark.parametrize("name", [name for name in MAKE if name not in ("parallel", "row")])
def test_copies_are_equal_and_read_only(name):
    one = MAKE[name]()
    for other in (replace(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other == one
        assert hash(other) == hash(one)
        assert_read_only(other)
    assert all(a is b for a, b in zip(arrays(replace(one)), arrays(one), strict=True))  # nothing is copied twice


@pytest.mark.parametrize("name", [name for name in MAKE if name not in ("parallel", "row", "blobs")])
def test_one_other_entry_makes_it_another(name):
    one = MAKE[name]()
    field = next(f.name for f in fields(one) if isinstance(getattr(one, f.name), np.ndarray))
    changed = getattr(one, field).copy()
    changed.flat[0] += 1
    other = replace(one, **{field: changed})
    assert one != other
    changed.flat[0] -= 1
    assert one != other  # it has a copy of its own


def test_an_objective_does_not_follow_the_arrays_it_was_made_of():
    X, y = np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([1.0, -1.0])
    objective, data = ck.Objective(X, y), ck.datasets.Dataset(X, y, ("a", "b"), ("-", "+"))
    at = objective.value([1.0, 2.0, 3.0])
    X *= 5
    y *= -1
    np.testing.assert_array_equal(objective.X, [[0, 1], [2, 3]])
    np.testing.assert_array_equal(data.X, objective.X)
    assert objective == replace(objective) == ck.Objective(data.X, data.y)
    assert objective.value([1.0, 2.0, 3.0]) == at == replace(objective).value([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="read-only"):
        objective.Z[:] = 0


def test_a_read_only_view_of_what_can_still_change_is_copied():
    X = np.ones((2, 1))
    view = X[:]
    view.flags.writeable = False
    objective = ck.Objective(view, [1, -1])
    X *= 5
    np.testing.assert_array_equal(objective.X, [[1], [1]])


def test_data_that_are_read_only_already_are_shared():
    data = ck.datasets.load("iris")
    assert ck.datasets.load("iris").X is data.X
    assert ck.perceptron(BLOBS.X, BLOBS.y).X is ck.Objective(BLOBS.X, BLOBS.y).X is BLOBS.X


@pytest.mark.parametrize("make", [
    lambda: ck.losses.bent("late", 2.0), lambda: ck.penalties.elastic_net(0.5), lambda: ck.penalties.lq(0.5),
    lambda: ck.steps.constant(0.1), lambda: ck.steps.robbins_monro(1.0, 0.75), ck.steps.exact,
])  # fmt: skip
def test_losses_penalties_and_steps_made_alike_are_equal(make):
    assert make() == make() == pickle.loads(pickle.dumps(make()))
    assert hash(make()) == hash(make())


def test_of_two_classes_or_labels_only_equal_ones_are_equal():
    as_labels = ck.datasets.Dataset(np.eye(2), np.array([1.0, 1.0]), ("a", "b"), ("-", "+"))
    as_classes = ck.datasets.Dataset(np.eye(2), np.array([1, 1]), ("a", "b"), ("-", "+"))
    assert as_labels != as_classes
    assert ck.penalties.elastic_net(0.5) != ck.penalties.elastic_net(0.4)
    assert ck.steps.constant(0.1) != ck.steps.constant(0.1 + 1e-12)  # of the same name
    path = MAKE["search"]()
    assert path != replace(path, tried=path.tried[:-1])
    argmax = ck.algorithms.multiclass.Argmax(np.eye(3), tuple("abc"))
    assert argmax != type("Argmax", (type(argmax),), {})(argmax.thetas, argmax.classes)
    assert replace(RISK, loss=ck.losses.logistic) != RISK
