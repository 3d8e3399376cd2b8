"""Chapter 10's explorer and plots against scikit-learn on the same parts, and counts taken by hand."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import confusion_matrix, precision_score, recall_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import coursekit as ck

PAIRS = {"iris": ("versicolor", "virginica"), "breast-cancer": ("malignant", "benign"), "digits": ("3", "8")}
TWO = {"iris": ("petal length", "petal width"), "breast-cancer": ("mean radius", "mean texture"),
       "digits": ("pixel 3 2", "pixel 5 2")}  # fmt: skip


@pytest.fixture(autouse=True)
def unseen(explorer):
    """Nobody has looked at a test part; the quick data."""
    explorer._seen = ()
    explorer.reset()
    explorer.dataset = "digits"


def raw_parts(dataset, features="all", seed=0):
    kept = TWO[dataset] if features == "two" else None
    return ck.datasets.load(dataset, classes=PAIRS[dataset], features=kept).split(0.6, 0.2, 0.2, seed=seed)


def theirs(method, lam, n):
    model = {
        "SVM": SVC(C=1 / (n * lam), kernel="linear", tol=1e-8),
        "logistic regression": LogisticRegression(C=1 / (n * lam), tol=1e-8, max_iter=10_000),
        "least squares": RidgeClassifier(alpha=n * lam / 2),
    }[method]
    return make_pipeline(StandardScaler(), model)  # standardizes by what it is trained on


@pytest.mark.parametrize(("dataset", "features", "method"), [
    ("iris", "two", "least squares"), ("breast-cancer", "all", "least squares"), ("breast-cancer", "two", "SVM"),
    ("digits", "all", "SVM"),
])
def test_errors_and_table_are_scikit_learns(explorer, dataset, features, method):
    explorer.set(dataset=dataset, features=features, method=method, seed=5, lam=0.1)
    train, validation, _ = raw_parts(dataset, features, seed=5)
    model = theirs(method, 0.1, len(train)).fit(train.X, train.y)
    predicted, state = model.predict(validation.X), explorer.state
    (kept, lost), (missed, caught) = confusion_matrix(validation.y, predicted)
    assert state.counts.tolist() == [missed, caught, kept, lost]
    assert state.wrong == missed + lost
    assert state.training_share == np.mean(model.predict(train.X) != train.y)
    assert state.give == pytest.approx(np.sqrt(np.var(predicted != validation.y) / len(predicted)))
    assert f"an error of {100 * (missed + lost) / len(validation):.1f}%, " in explorer.sentence
    assert explorer.controls["eta"].disabled
    assert [text.get_text() for text in explorer.cut.counts.values()] == [*map(str, (missed, caught, kept, lost))]
    shares = [precision_score(validation.y, predicted), recall_score(validation.y, predicted), lost / (lost + kept)]
    np.testing.assert_allclose([bar.get_width() for bar in explorer.shares.bars], shares)


@pytest.mark.parametrize(("threshold", "price"), [(0.35, 10), (-0.6, 1)])
def test_areas_and_bill_are_counted_from_scores_by_scikit_learn(explorer, threshold, price):
    explorer.set(dataset="mails", threshold=threshold, price=price, lam=0.1)
    parts = ck.datasets.words().split(0.12, 0.44, 0.44)
    model = theirs("SVM", 0.1, len(parts[0])).fit(parts[0].X, parts[0].y)
    unit = np.sqrt(np.mean(model.decision_function(parts[0].X) ** 2))
    scores, spam = explorer.state.scores, parts[1].y > 0
    np.testing.assert_allclose(scores, model.decision_function(parts[1].X) / unit, atol=1e-3)
    held = scores > threshold
    counts = {"missed": sum(spam & ~held), "caught": sum(spam & held), "kept": sum(~spam & ~held),
              "lost": sum(~spam & held)}
    assert {name: int(text.get_text()) for name, text in explorer.cut.counts.items()} == counts
    cost = 100 * (price * counts["lost"] + counts["missed"]) / len(spam)
    paid = np.where(spam, ~held, price * held)
    give = 100 * paid.std() / np.sqrt(len(paid))
    assert explorer.bill.value.get_text() == (f"{cost:.1f} ± {give:.1f}" if cost < 99.5 else f"{cost:.0f} ± {give:.0f}")
    said = f"A lost ham costs as much as {price} spam let in, and 100 emails as much as {cost:.0f} spam let in."
    assert (said in explorer.sentence) == (price != 1)  # else it's the error once more
    at, costs = explorer.bill.curve.get_data()
    own = [100 * np.mean(np.where(spam, scores <= t, price * (scores > t))) for t in at]
    np.testing.assert_allclose(costs, own)
    assert explorer.bill.best.get_xdata() == [at[np.argmin(own)]]
    assert list(explorer.cut.line.get_xdata()) == [threshold] * 2
    areas = []
    for name, area in explorer.cut.areas.items():  # each pile stands on its own side of the line and of the axis
        (x, y), sign = area.get_xy().T, -1 if name in ("kept", "lost") else 1
        assert (sign * y >= 0).all()
        assert ((x[y != 0] > threshold) == (name in ("caught", "lost")))[x[y != 0] != threshold].all()
        areas.append(sign * np.trapezoid(y, x))
    shares = np.array(list(counts.values())) / len(spam)
    np.testing.assert_allclose(np.array(areas) / sum(areas), shares, atol=0.03)  # a bin is cut in two


def test_curves_hold_the_errors_of_every_lambda(explorer):
    explorer.set(dataset="breast-cancer", seed=2, also="errors")
    train, validation, _ = raw_parts("breast-cancer", seed=2)
    lams = [1.0, 0.316, 0.1, 0.0316, 0.01, 0.00316, 0.001, 0.000316, 0.0001]
    fitted = [theirs("SVM", lam, len(train)).fit(train.X, train.y) for lam in lams]
    shares = [[1 - model.score(part.X, part.y) for model in fitted] for part in (train, validation)]
    np.testing.assert_allclose(explorer.state.curves, shares, atol=1e-12)


def test_digits_are_shown_as_the_classifier_sees_them_when_classes_are_moved(explorer):
    train, validation, _ = raw_parts("digits")
    explorer.set(method="least squares", separability=-2.0)
    np.testing.assert_allclose(explorer.state.pictures, validation.moved_apart(-2.0, by=train).X, atol=1e-9)


def test_the_test_part_is_locked_and_every_look_is_counted(explorer):
    explorer.set(dataset="breast-cancer", features="two", lam=0.1)
    train, *parts = raw_parts("breast-cancer", "two")
    model = theirs("SVM", 0.1, len(train)).fit(train.X, train.y)
    before, wrong = (int(np.sum(model.predict(part.X) != part.y)) for part in parts)

    def looks():
        return explorer.state.opened, explorer.state.tested, explorer.state.wrong

    cheapest = explorer.state.cheapest
    assert looks() == (0, False, before)
    assert "The test set is locked." in explorer.sentence
    explorer.open_test()
    assert looks() == (1, True, wrong)
    assert "This is the TEST set, opened once." in explorer.sentence
    assert f"{len(parts[1])} locked examples" in explorer.cut.ax.get_xlabel()
    assert explorer.bill.word.get_text() == "was cheapest"
    explorer.price = 10  # looks at the same counts
    assert looks() == (1, True, wrong)
    explorer.price = 1
    assert explorer.bill.best.get_xdata() == [cheapest]
    explorer.open_test()  # the same choice again is no new look
    explorer.threshold = 0.5  # is a choice, too
    assert "The test set is locked; it was opened once." in explorer.sentence
    explorer.open_test()
    assert "opened 2 times: the best look would flatter your choice." in explorer.sentence
    explorer.reset()
    explorer.set(dataset="breast-cancer", features="two", lam=0.1)
    assert looks()[::2] == (2, wrong)


def test_digits_in_the_row_are_the_validation_digits_with_the_lowest_agreement(explorer):
    explorer.set(features="two", seed=7, also="mistakes")
    _, validation, _ = raw_parts("digits", seed=7)
    state, z = explorer.state, explorer.state.agreements
    np.testing.assert_array_equal(z[state.closest], np.sort(z)[: len(state.closest)])
    strip = np.asarray(explorer.digits.image.get_array())
    for place, i in enumerate(state.closest):
        top, left = 12 * (place // 4), 9 * (place % 4)
        np.testing.assert_allclose(strip[top : top + 8, left : left + 8].ravel(), validation.X[i])
    assert np.isnan(explorer.digits.frames.get_xdata()).sum() == min(8, state.wrong) > 0
    turned = {-1: "3 → 8", 1: "8 → 3"}
    words, wrong = explorer.digits.words._words[::2], [i for i in state.closest if z[i] <= 0]
    assert [word.text for word in words[: len(wrong)]] == [turned[validation.y[i]] for i in wrong]


def test_bars_are_the_weights_and_bear_the_names_of_the_features(explorer):
    explorer.set(dataset="iris", also="errors", method="least squares")
    assert tuple(tick.get_text() for tick in explorer.bars.ax.get_yticklabels()) == explorer.state.train.features
    ends = np.vstack([bars.get_xydata()[1::3] for bars in explorer.bars.bars])
    weights = explorer.state.theta[:-1]
    np.testing.assert_allclose(ends[ends[:, 1].argsort(), 0], weights / np.abs(weights).max())


def test_weight_image_is_the_weights_row_by_row():
    ax = ck.plots.figure().add_subplot()
    weights = np.zeros(64)
    weights[[3, 17, 40]] = 2.0, -1.0, 0.1
    plot = ck.plots.WeightImage(ax).show(weights)
    np.testing.assert_allclose(plot.image.get_array().ravel(), weights / 2)
    np.testing.assert_array_equal(np.array(plot.signs[1].get_data()).T, [[3, 0]])  # (column, row) of the plus
    np.testing.assert_array_equal(np.array(plot.signs[0].get_data()).T, [[1, 2]])
    assert np.isfinite(plot.show(np.zeros(64)).image.get_array()).all()
