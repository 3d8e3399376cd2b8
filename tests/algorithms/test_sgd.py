"""Stochastic descent and Pegasos against runs by hand, scikit-learn and the update written out."""

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier

import coursekit as ck
from tests.algorithms.problems import overlapping

THREE = ck.datasets.three_points()


def test_by_hand_on_three_points():
    """z = (0,0,-1), (0,1,1), (1,0,1) in turn; eta = 1, 1/2, ...; every agreement is <= 1."""
    path = ck.sgd(ck.Objective(THREE.X, THREE.y), ck.steps.decaying(1.0), steps=4, order="cyclic")
    expected = [[0, 0, 0], [0, 0, -1], [0, 1 / 2, -1 / 2], [1 / 3, 1 / 2, -1 / 6], [1 / 3, 1 / 2, -5 / 12]]
    np.testing.assert_allclose(path.thetas, expected, atol=1e-16)
    np.testing.assert_array_equal(path.examples, [0, 1, 2, 0])
    np.testing.assert_allclose(path.rates, [1, 1 / 2, 1 / 3, 1 / 4])
    np.testing.assert_allclose(path.values[:2], [1, (0 + 2 + 2) / 3])
    np.testing.assert_allclose(path.average, path.thetas[1:].mean(axis=0))


@pytest.mark.parametrize("d", [
    ck.datasets.load("iris", classes=("versicolor", "virginica")),
    ck.datasets.load("breast-cancer", standardize=True),
    ck.datasets.blobs(n=300, separability=-1.0, noise=0.1),
], ids=repr)  # fmt: skip
@pytest.mark.parametrize("loss", ["hinge", "perceptron"])
@pytest.mark.filterwarnings("ignore")  # three passes do not converge, and are not meant to
def test_weights_equal_those_of_scikit_learn(d, loss):
    passes = 3
    theirs = SGDClassifier(
        loss=loss, learning_rate="invscaling", eta0=1, power_t=1, shuffle=False, penalty=None, tol=None,
        max_iter=passes,
    )  # fmt: skip
    theirs.fit(d.X, d.y)
    o = ck.Objective(d.X, d.y, loss=ck.losses.KNOWN[loss])
    path = ck.sgd(o, ck.steps.decaying(1.0), steps=passes * len(d), order="cyclic")
    np.testing.assert_allclose(path.theta, [*theirs.coef_[0], *theirs.intercept_], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize("lam", [0.0, 0.1])
@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("offset", [True, False])
def test_every_step_follows_the_slope_at_its_examples(loss, lam, batch, offset):
    o = overlapping(loss, lam=lam, offset=offset)
    start = [0.5, -0.2, 0.1][: 2 + offset]
    path = ck.sgd(o, ck.steps.robbins_monro(0.5, 0.8), steps=150, batch=batch, start=start, seed=4)
    assert path.examples.shape == ((150,) if batch == 1 else (150, batch))
    theta = np.array(start)
    for k, (i, eta) in enumerate(zip(path.examples, path.rates, strict=True)):
        theta = theta - eta * o.slope_at(theta, i)
        np.testing.assert_allclose(path.thetas[k + 1], theta, rtol=1e-10, atol=1e-12)
        theta = path.thetas[k + 1]
    np.testing.assert_allclose(path.values, [o.value(theta) for theta in path.thetas], rtol=1e-12)
    assert path.best == np.argmin(path.values)


@pytest.mark.parametrize("loss", [ck.losses.hinge, ck.losses.perceptron, ck.losses.bent("late", 2.5)], ids=repr)
@pytest.mark.parametrize(("d", "offset"), [(1, False), (1, True), (2, False), (2, True), (3, False), (3, True)])
def test_in_the_plane_and_in_space_it_is_the_rule_written_out(loss, d, offset):
    o = overlapping(loss, d=d, offset=offset)
    path = ck.sgd(o, ck.steps.decaying(1.0), steps=300, start=np.full(d + offset, 0.25))
    theta = path.thetas[0]
    for i, eta, after in zip(path.examples, path.rates, path.thetas[1:], strict=True):
        if o.Z[i] @ theta <= loss.kink:
            theta = theta + eta * o.Z[i]
        np.testing.assert_array_equal(after, theta)


def test_orders():
    o = overlapping(n=7)
    step = ck.steps.constant(0.1)
    drawn = ck.sgd(o, step, steps=700).examples
    assert set(drawn) == set(range(7))
    assert any(len(set(drawn[k : k + 7])) < 7 for k in range(0, 700, 7))  # with replacement
    shuffled = ck.sgd(o, step, steps=23, order="shuffle").examples
    passes = [shuffled[k : k + 7].tolist() for k in range(0, 21, 7)]
    assert all(sorted(p) == list(range(7)) for p in passes)
    assert passes[0] != passes[1] != passes[2]
    assert ck.sgd(o, step, steps=9, order="cyclic").examples.tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1]
    assert ck.sgd(o, step, steps=9, order=np.str_("cyclic")) == ck.sgd(o, step, steps=9, order="cyclic")
    for order in ("random", "shuffle"):
        one, again, other = (ck.sgd(o, step, steps=200, order=order, seed=s) for s in (1, 1, 2))
        assert one == again
        assert (one.examples != other.examples).any()
    assert ck.sgd(o, step, steps=5, order=[3, 1]).examples.tolist() == [3, 1, 3, 1, 3]
    assert ck.sgd(o, step, steps=2, batch=2, order=np.array([3, 1, 0, 6])).examples.tolist() == [[3, 1], [0, 6]]


@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize(("eta", "d"), [(1e5, 2), (1e300, 5), (1e308, 2)])
def test_results_are_finite_whatever_the_step(loss, eta, d):
    path = ck.sgd(overlapping(loss, d=d), ck.steps.constant(eta), steps=200)
    assert np.isfinite(path.thetas).all()
    assert np.isfinite(path.values).all()
    assert len(path.examples) == len(path.rates) == len(path.thetas) - 1
    if loss is ck.losses.squared:
        assert path.status.startswith(f"diverged at step {len(path.rates) + 1}:")


def test_huge_examples_do_not_spoil_the_risks_before_them():
    o = ck.Objective([[1e160], [1.0], [2.0]], [1, -1, 1], loss=ck.losses.squared)
    path = ck.sgd(o, ck.steps.constant(0.1), steps=6, order=[1, 2, 1, 2, 0, 1])
    assert np.isfinite(path.values).all()


def pegasos_by_definition(o, examples, project):
    d, lam = o.X.shape[1], o.lam
    w, b, path = np.zeros(d), 0.0, []
    for t, i in enumerate(examples, start=1):
        hit = o.y[i] * (w @ o.X[i] + b) <= 1
        w, b = (1 - 1 / t) * w + hit * o.y[i] * o.X[i] / (lam * t), b + o.offset * hit * o.y[i] / (lam * t)
        if project:
            w = w * min(1, 1 / np.sqrt(lam) / np.linalg.norm(w)) if w.any() else w
        path.append([*w, b] if o.offset else w)
    return np.array(path)


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("offset", [True, False])
def test_pegasos_is_its_definition(project, offset):
    o = overlapping(lam=0.05, offset=offset)
    path = ck.pegasos(o, steps=300, project=project, seed=2)
    np.testing.assert_allclose(path.thetas[1:], pegasos_by_definition(o, path.examples, project), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(path.rates, 1 / (0.05 * np.arange(1, 301)))
    if project:
        assert (np.linalg.norm(path.thetas[:, :2], axis=1) <= 0.05**-0.5 * (1 + 1e-12)).all()


@pytest.mark.parametrize("change", [
    {"lam": 0.0}, {"loss": ck.losses.logistic, "lam": 0.1}, {"penalty": ck.penalties.l1, "lam": 0.1},
], ids=repr)  # fmt: skip
def test_pegasos_needs_the_soft_margin_objective(change):
    with pytest.raises(ValueError, match="objective must have hinge loss, l2 penalty and lam > 0; got Objective"):
        ck.pegasos(overlapping(**change))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"step": 0.1}, TypeError, "step must be one of ck.steps"),
        ({"step": ck.steps.exact()}, ValueError, r"step must be a schedule .*; got steps.exact\(\)"),
        ({"steps": -3}, ValueError, "steps must be an integer >= 1; got -3"),
        ({"batch": 0}, ValueError, "batch must be an integer >= 1; got 0"),
        ({"order": "sorted"}, ValueError, "order must be one of 'random', 'shuffle', 'cyclic'; got 'sorted'"),
        ({"order": [0, 60]}, ValueError, "order must hold indices from 0 to 59; got 0 to 60"),
        ({"order": []}, ValueError, "order must be a 1-D array of example indices"),
        ({"start": [0.0]}, ValueError, "start must have shape"),
        ({"seed": -1}, ValueError, "seed must be an integer >= 0; got -1"),
        ({"seed": None}, TypeError, "seed must be an integer"),
        ({"objective": "hinge"}, TypeError, "objective must be a ck.Objective; got str"),
    ],
)
def test_bad_arguments_are_named(change, error, message):
    with pytest.raises(error, match=message):
        ck.sgd(**({"objective": overlapping(), "step": ck.steps.constant(0.1)} | change))
