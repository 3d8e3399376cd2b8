"""Chapter 10's explorer and plots against scikit-learn on the same parts, and counts taken by hand."""


import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import confusion_matrix
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import coursekit as ck
from coursekit.explorers.picture import Stroke

PAIRS = {"iris": ("versicolor", "virginica"), "breast-cancer": ("malignant", "benign"), "digits": ("3", "8")}
TWO = {
    "iris": ("petal length", "petal width"),
    "breast-cancer": ("mean radius", "mean texture"),
    "digits": ("pixel 3 2", "pixel 5 2"),
}


@pytest.fixture(autouse=True)
def unseen(explorer):
    """Nobody has looked at a test part."""
    explorer._seen = ()
    explorer.reset()


def raw_parts(dataset, features="all", seed=0):
    kept = TWO[dataset] if features == "two" else None
    return ck.datasets.load(dataset, classes=PAIRS[dataset], features=kept).split(0.6, 0.2, 0.2, seed=seed)


def theirs(method, lam, n):
    model = {
        "SVM": SVC(C=1 / (n * lam), kernel="linear", tol=1e-8),
        "logistic regression": LogisticRegression(C=1 / (n * lam), tol=1e-8, max_iter=10_000),
        "least squares": RidgeClassifier(alpha=n * lam / 2),
    }[method]
    return make_pipeline(StandardScaler(), model)  # standardises by what it is trained on


@pytest.mark.parametrize(("dataset", "features", "method"), [
    ("iris", "all", "SVM"), ("iris", "two", "least squares"), ("breast-cancer", "all", "least squares"),
    ("breast-cancer", "two", "SVM"), ("digits", "all", "least squares"), ("digits", "two", "SVM"),
])
def test_errors_and_table_are_scikit_learns(explorer, dataset, features, method):
    explorer.set(dataset=dataset, features=features, method=method, seed=5, lam=0.1)
    train, validation, _ = raw_parts(dataset, features, seed=5)
    model = theirs(method, 0.1, len(train)).fit(train.X, train.y)
    predicted = model.predict(validation.X)
    wrong = int(np.sum(predicted != validation.y))
    state = explorer.state
    np.testing.assert_array_equal(state.table, confusion_matrix(validation.y, predicted))
    assert state.validation_errors == wrong
    assert state.training_errors == np.sum(model.predict(train.X) != train.y)
    assert state.give == pytest.approx(np.sqrt(np.var(predicted != validation.y) / len(predicted)))
    assert f"{wrong} of {len(validation)} validation examples misclassified" in explorer.sentence
    assert "eta has no effect" in explorer.sentence
    shown = [(word.x, word.y, word.text) for word in explorer.confusion.counts._words]
    cells = np.ndenumerate(confusion_matrix(validation.y, predicted))
    assert shown == [(c, r, str(count)) for (r, c), count in cells]


def test_curves_hold_the_errors_of_every_lambda(explorer):
    explorer.set(dataset="breast-cancer", seed=2)
    train, validation, _ = raw_parts("breast-cancer", seed=2)
    lams = [1.0, 0.316, 0.1, 0.0316, 0.01, 0.00316, 0.001, 0.000316, 0.0001]
    fitted = [theirs("SVM", lam, len(train)).fit(train.X, train.y) for lam in lams]
    shares = {part: [1 - model.score(data.X, data.y) for model in fitted]
              for part, data in (("train", train), ("validation", validation))}
    for part, curve in explorer.state.curves.items():
        np.testing.assert_allclose(curve, shares[part], atol=1e-12)
    lowest = min(shares["validation"])
    assert explorer.state.best_lam == max(lam for lam, e in zip(lams, shares["validation"], strict=True) if e == lowest)
    heights = explorer.curves.validation.get_ydata() * explorer.curves.ruler.scale["y"]
    np.testing.assert_allclose(heights, 100 * np.array(shares["validation"]), atol=1e-9)


def test_gradient_descent_nears_the_logistic_optimum(explorer):
    explorer.set(dataset="iris", method="logistic regression", lam=0.1)
    train, _, _ = raw_parts("iris")
    model = theirs("logistic regression", 0.1, len(train)).fit(train.X, train.y)[-1]
    far = []
    for eta in (1.0, 0.1):
        explorer.eta = eta
        far.append(np.abs(explorer.state.theta[:-1] - model.coef_[0]).max())
    assert far[0] < 0.01 < far[1]


def test_other_classes_move_with_separability_and_the_sentence_confesses(explorer):
    explorer.set(method="least squares")
    measured, errors = explorer.state, {}
    assert "Altered" not in explorer.sentence
    for separability in (-2.0, 1.0):
        explorer.separability = separability
        errors[separability] = explorer.state.training_errors
        shift = explorer.state.pictures - raw_parts("digits")[1].X  # the digits are shown as the classifier sees them
        for label in (-1, 1):
            moves = shift[explorer.state.validation.y == label]
            np.testing.assert_allclose(moves, np.broadcast_to(moves[0], moves.shape), atol=1e-9)
    assert errors[-2.0] > measured.training_errors >= errors[1.0]
    np.testing.assert_array_equal(explorer.state.validation.y, measured.validation.y)


def test_the_test_part_is_locked_and_every_look_is_counted(explorer):
    explorer.set(dataset="breast-cancer", features="two", lam=0.1)
    train, _, test = raw_parts("breast-cancer", "two")
    wrong = int(np.sum(theirs("SVM", 0.1, len(train)).fit(train.X, train.y).predict(test.X) != test.y))
    assert (explorer.state.opened, explorer.state.test_errors) == (0, None)
    assert "Test part locked, never opened." in explorer.sentence
    explorer.open_test()
    assert (explorer.state.opened, explorer.state.test_errors) == (1, wrong)
    assert f"TEST (open circle): {wrong} of {len(test)} misclassified. Opened once." in explorer.sentence
    height = explorer.curves.reached.get_ydata() * explorer.curves.ruler.scale["y"]
    np.testing.assert_allclose(height, [100 * wrong / len(test)])
    explorer.open_test()  # the same choice again is no new look
    assert explorer.state.opened == 1
    explorer.lam = 0.01
    assert explorer.state.test_errors is None
    assert "Test part locked; opened once so far." in explorer.sentence
    assert len(explorer.curves.reached.get_ydata()) == 0
    explorer.open_test()
    assert "Opened 2 times: choosing the best look would flatter it." in explorer.sentence
    explorer.reset()
    explorer.set(dataset="breast-cancer", features="two", lam=0.1)
    assert (explorer.state.opened, explorer.state.test_errors) == (2, wrong)


def test_digits_in_the_row_are_the_validation_digits_with_the_lowest_agreement(explorer):
    explorer.set(features="two", seed=7)
    _, validation, _ = raw_parts("digits", seed=7)
    state, z = explorer.state, explorer.state.agreements
    assert (z[state.closest] <= np.sort(z)[7]).all()
    assert (np.diff(z[state.closest]) >= 0).all()
    strip = np.asarray(explorer.digits.image.get_array())
    for place, i in enumerate(state.closest):
        np.testing.assert_allclose(strip[:, 9 * place : 9 * place + 8].ravel(), validation.X[i])
    assert np.isnan(explorer.digits.frames.get_xdata()).sum() == min(8, state.validation_errors) > 0
    names, words = {-1: "3", 1: "8"}, [word.text for word in explorer.digits.words._words[::2]]
    wrong = [i for i in state.closest if z[i] <= 0]
    assert words[: len(wrong)] == [f"{names[validation.y[i]]} → {names[-validation.y[i]]}" for i in wrong]


@pytest.mark.parametrize(("dataset", "features", "views"), [
    ("iris", "all", ["bars"]), ("iris", "two", ["boundary"]), ("breast-cancer", "all", ["bars"]),
    ("digits", "all", ["image", "digits"]), ("digits", "two", ["boundary", "digits"]),
])
def test_the_view_fits_the_data(explorer, dataset, features, views):
    explorer.set(dataset=dataset, features=features, also="mistakes", method="least squares")
    assert {"curves", "confusion"} < set(explorer.shown)
    assert [name for name in explorer.shown if name not in ("curves", "confusion")] == views
    if views == ["bars"]:
        names = [tick.get_text() for tick in explorer.bars.ax.get_yticklabels()]
        assert tuple(names) == explorer.state.train.features
        reach = np.zeros(len(names))
        for bars in explorer.bars.bars:
            x, rows = bars.get_data()
            reach[rows[1::3].astype(int)] = x[1::3]
        weights = explorer.state.theta[:-1]
        np.testing.assert_allclose(reach, weights / np.abs(weights).max())


@pytest.mark.parametrize(("power", "lam"), [(-2, 0.01), (-3.52, 0.000316), (1, 1.0), (-9, 0.0001)])
def test_a_click_on_the_curves_goes_to_that_lambda(explorer, power, lam):
    place = explorer.curves.scale.place(10.0**-2) + (power + 2) * np.diff(explorer.curves.scale.place([0.01, 0.1]))[0]
    explorer.touch(Stroke(explorer.curves.ax, (place, 0.5), (place, 0.5), True, True))
    assert explorer.lam == lam
    explorer.touch(Stroke(explorer.boundary.ax, (0.0, 0.0), (0.0, 0.0), True, True))
    assert explorer.lam == lam


def test_weight_image_is_the_weights_row_by_row():
    ax = ck.plots.figure().add_subplot()
    weights = np.zeros(64)
    weights[[3, 17, 40]] = 2.0, -1.0, 0.1
    plot = ck.plots.WeightImage(ax).show(weights)
    np.testing.assert_allclose(plot.image.get_array().ravel(), weights / 2)
    np.testing.assert_array_equal(np.array(plot.signs[1].get_data()).T, [[3, 0]])  # (column, row) of the plus
    np.testing.assert_array_equal(np.array(plot.signs[0].get_data()).T, [[1, 2]])
    assert np.isfinite(plot.show(np.zeros(64)).image.get_array()).all()
