"""Data sets against scikit-learn's copies; separability against a linear program and a hard margin."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog
from sklearn import datasets as theirs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from coursekit.core.dataset import signed
from coursekit.core.datasets import Dataset, blobs, load, mails, multiclass_blobs, only, words
from tests.core.test_validate import Frame
from tests.faults import faults, refused

U = np.array([0.6, 0.8])  # the direction from the negative to the positive cloud


def separable(X, y):
    """Whether some line separates them: a linear program, independent of ours."""
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    return linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None)).success


@pytest.mark.parametrize("separability", [-1, -0.01, 0.01, 0.1, 1, 4])
@pytest.mark.parametrize("outliers", [0, 14])
def test_blobs_have_the_gap_they_promise_and_half_of_it_is_the_largest_margin(separability, outliers):
    for seed in range(5):
        d = blobs(30 + 40 * seed, separability, outliers, seed=seed)
        low, high = (d.X[d.y < 0] @ U).max(), (d.X[d.y > 0] @ U).min()
        assert (high - low, high + low) == pytest.approx((separability, 0), abs=1e-9)  # the origin is in its middle
        assert separable(d.X, d.y) == (separability > 0)
    if separability >= 0.1:
        svm = SVC(C=1e8, kernel="linear", tol=1e-8).fit(d.X, d.y)
        assert 1 / np.linalg.norm(svm.coef_) == pytest.approx(separability / 2, rel=1e-5)
        assert_allclose(svm.coef_[0] / np.linalg.norm(svm.coef_), U, atol=1e-4)


def test_each_argument_of_blobs_changes_what_it_says_alone():
    plain, far, other, outlying, noisy = (blobs(201, **{"seed": 5, **more}) for more in (
        {}, {"separability": 3.0}, {"seed": 6}, {"outliers": 7}, {"noise": 0.15}))
    assert repr(plain) == "Dataset(blobs: 201 examples, 2 features; -1 100, +1 101)"
    assert_array_equal(plain.y, far.y)
    assert_allclose(far.X - plain.X, plain.y[:, None] * U, atol=1e-12)
    assert (plain.X != other.X).all()
    moved = (plain.X != outlying.X).any(axis=1)
    assert moved.sum() == 7
    assert (plain.y[moved] > 0).all()
    assert (outlying.X[moved] @ U).min() >= 5
    assert_array_equal(plain.X, noisy.X)
    assert (plain.y != noisy.y).sum() == 30


def test_clouds_have_spread_1_and_meet_at_most_and_irrelevant_features_come_on_top():
    plain, few, many = (blobs(4000, -100, seed=1, irrelevant=k) for k in (0, 4, 9))
    negative, positive = plain.X[plain.y < 0], plain.X[plain.y > 0]
    assert_allclose(positive.mean(axis=0), negative.mean(axis=0), atol=0.12)
    for cloud in (negative, positive):
        assert_allclose(np.cov(cloud.T), np.eye(2), atol=0.12)
    assert_array_equal(few.X[:, :2], plain.X)
    assert_array_equal(many.X[:, :6], few.X)
    assert many.features == tuple(f"x{j}" for j in range(1, 12))
    assert_allclose(many.X[:, 2:].std(axis=0), 1, atol=0.05)
    assert np.abs(np.corrcoef(np.c_[many.X, many.y].T) - np.eye(12))[2:-1].max() < 0.06


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("separability", [-0.5, 0.1, 1.0])
def test_the_narrowest_gap_of_many_classes(classes, separability):
    d = multiclass_blobs(n=40 * classes, classes=classes, separability=separability, seed=1)
    assert d.classes == tuple(map(str, range(classes)))
    assert np.bincount(d.y).tolist() == [40] * classes
    angles = np.pi / 2 + 2 * np.pi * np.arange(classes) / classes
    centers, gaps = np.c_[np.cos(angles), np.sin(angles)], []
    for i, j in combinations(range(classes), 2):
        line = (centers[i] - centers[j]) / np.linalg.norm(centers[i] - centers[j])
        gaps.append((d.X[d.y == i] @ line).min() - (d.X[d.y == j] @ line).max())
    assert min(gaps) == pytest.approx(separability)


@pytest.mark.parametrize("name", ["iris", "breast-cancer", "digits"])
def test_real_data_equal_scikit_learns(name):
    ours, reference = load(name), getattr(theirs, f"load_{name.replace('-', '_')}")()
    assert_array_equal(ours.X, reference.data)
    classes = reference.target_names.astype(str)
    assert_array_equal(np.array(ours.classes)[ours.y.clip(0).astype(int)], classes[reference.target])


def test_classes_become_labels_and_features_are_chosen_by_name_or_number():
    reference = theirs.load_iris()
    d = load("iris", classes=("virginica", "setosa"))
    assert d.classes == ("virginica", "setosa")
    for label, target in ((-1, 2), (1, 0)):
        assert_array_equal(d.X[d.y == label], reference.data[reference.target == target])
    assert len(load("digits", classes=(3, 8))) == np.isin(theirs.load_digits().target, (3, 8)).sum()
    for chosen, columns in ((["petal width", "sepal length (cm)"], [3, 0]), ([3, 0], [3, 0]), ("petal width", [3])):
        d = load("iris", features=chosen)
        assert_array_equal(d.X, reference.data[:, columns])
        assert d.features == tuple(reference.feature_names[j] for j in columns)


@pytest.mark.parametrize("name", ["mail", "iris"])
def test_parts_of_a_split_share_no_example_and_all_classes(name):
    data = load(name)
    numbered = Dataset(np.arange(len(data.y))[:, None], data.y, ("row",), data.classes)
    parts, again, other = (numbered.split(0.6, 0.2, 0.2, seed=seed) for seed in (3, 3, 4))
    rows = [part.X[:, 0].astype(int) for part in parts]
    assert sorted(np.concatenate(rows)) == list(range(len(data.y)))
    for share, part, row in zip((0.6, 0.2, 0.2), parts, rows, strict=True):
        assert_array_equal(part.y, data.y[row])
        assert (np.diff(row) < 0).any()  # not in the order of the file
        for label in np.unique(data.y):
            assert abs((part.y == label).sum() - share * (data.y == label).sum()) < 1
    assert parts == again
    assert set(rows[0]) != set(other[0].X[:, 0].astype(int))


def test_standardized_is_scikit_learns_scaler():
    whole = load("digits", classes=(3, 8))
    train, test = whole.split(0.5, 0.5)
    scaler = StandardScaler().fit(train.X)
    assert (train.X.std(axis=0) == 0).any()  # corners that are never inked
    assert_allclose(test.standardized(by=train).X, scaler.transform(test.X), atol=1e-12)
    again = load("digits", classes=(3, 8), standardize=True)
    assert_allclose(again.X, StandardScaler().fit_transform(whole.X), atol=1e-12)
    # the deviation of seven times 0.1 is 1e-17, not 0: what is divided by it depends on the processor
    same = Dataset(np.full((7, 1), 0.1), np.resize([1.0, -1.0], 7), ("same",), ("no", "yes"))
    assert same.X.std() > 0
    assert_allclose(replace(same, X=same.X + 0.25).standardized(by=same).X, 0.25, atol=1e-12)


def test_mails_and_their_words_are_spambase_without_its_duplicates():
    mail = load("mail")
    # Spambase's own documentation: 4601 mails, 57 attributes, 1813 spam; maxima of columns 52, 53 and 56
    assert mail.X.shape == (4601 - 391, 57)
    assert load("mail").X is mail.X  # which nobody can write to
    assert mail.classes == ("nonspam", "spam")
    assert (mail.y == 1).sum() < 1813
    rows = {(*tuple(x), y) for x, y in zip(mail.X.tolist(), mail.y, strict=True)}
    assert len(rows) == len(mail) == len({r[:-1] for r in rows}) + 3
    some = load("mail", features=["charExclamation", "charDollar", "capitalLong"])
    assert_array_equal(some.X.max(axis=0), [32.478, 6.003, 9989])
    assert_array_equal(some.X.min(axis=0), [0, 0, 1])
    told = words()  # which words occur, and how many capitals
    assert_array_equal(told.X[:, :54], mail.X[:, :54] > 0)
    assert_allclose(10 ** told.X[:, 54:], mail.X[:, 54:])
    assert_array_equal(told.y, mail.y)
    assert len(set(told.features)) == 57
    for name, column in (("free", "free"), ("650", "num650"), ("!", "charExclamation"), ("capitals", "capitalTotal")):
        assert told.features.index(name) == mail.features.index(column)


def test_the_24_mails_are_real_and_a_line_separates_them():
    few, every = mails(), load("mail", features=["charExclamation", "capitalLong"])
    real = {(a, round(np.log10(b), 9), y) for (a, b), y in zip(every.X, every.y, strict=True)}
    assert {(a, round(b, 9), y) for (a, b), y in zip(few.X, few.y, strict=True)} <= real
    assert (few.y * (few.X @ [1, 1] - 1.7) > 0).all()
    most = mails(3358, seed=3)
    assert (most.y == 1).sum() == 1679 == (every.y == 1).sum()
    assert not separable(most.X, most.y)


@pytest.mark.parametrize("separability", [-1.5, 0.8])
def test_classes_move_along_the_difference_of_their_means(separability):
    train, test = load("breast-cancer").split(0.7, 0.3)
    scaled, moved = train.standardized(), train.moved_apart(separability).standardized(by=train)
    lda = LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True).fit(scaled.X, scaled.y)
    between = lda.means_[1] - lda.means_[0]
    sigma = np.sqrt(between @ lda.covariance_ @ between) / np.linalg.norm(between)
    apart = moved.X[moved.y > 0].mean(axis=0) - moved.X[moved.y < 0].mean(axis=0)
    assert_allclose(apart, between * (1 + separability * sigma / np.linalg.norm(between)))
    unseen, moves = test.moved_apart(separability, by=train).X - test.X, train.moved_apart(separability).X - train.X
    for label in (-1, 1):  # each class keeps its shape, and others move with it
        shift = moved.X[moved.y == label] - scaled.X[scaled.y == label]
        assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=1e-9)
        assert_allclose(unseen[test.y == label][0], moves[train.y == label][0], atol=1e-9)


@faults(__file__)
def test_bad_arguments_are_named(call, said, error):
    refused(call, said, error, globals(), only=only)


@pytest.mark.parametrize(("y", "classes", "told", "signs"), [
    (np.array([0, 1, 2, 0], dtype=np.uint8), np.array(["p", "q", "r"]), "p 2, q 1, r 1", False),
    (np.array([1, 1, 1, 1]), ["p", "q", "r"], "p 0, q 4, r 0", False),  # no label +1, where there are three classes
    ([1, -1, 1, 1], ("p", "q"), "p 1, q 3", True), ([0, 1, 1, 1], ("p", "q"), "p 1, q 3", False),
    ([1, -1, 1, 1], (), "-1 1, +1 3", True), ([1.0, -1.0, -1.0, -1.0], (), "-1 3, +1 1", True),
    ([0, 2, 2, 2], (), "0 1, 1 0, 2 3", False), (["b", "a", "b", "b"], (), "a 1, b 3", True),
    (np.array(["c", "a", "b", "a"], object), (), "a 2, b 1, c 1", False),
])  # fmt: skip
def test_integers_are_classes_unless_they_are_labels_and_arrays_suffice(y, classes, told, signs):
    data = Dataset(np.eye(4), y, classes=classes)
    assert repr(data) == f"Dataset(data: 4 examples, 4 features; {told})"
    assert (data.y.dtype, data.features) == (np.float64 if signs else np.intp, ("x1", "x2", "x3", "x4"))
    if isinstance(y[0], str):
        assert [data.classes[k] for k in np.searchsorted(np.unique(data.y), data.y)] == list(y)
    for rows in ([0, 2], [1, 3], [0, 1]):  # a part has what the whole has, whatever of it is there
        part = replace(data, X=data.X[rows], y=data.y[rows])
        assert part.y.dtype == data.y.dtype
        assert_array_equal(part.y, data.y[rows])


def test_any_two_kinds_are_signs():
    signs, classes = signed(np.array(["spam", "ham", "spam"]))
    assert (signs.tolist(), classes) == ([1, -1, 1], ("ham", "spam"))
    assert signed(np.array([1, -1]))[1] == ("-1", "+1")
    assert signed(np.array([0, 1]), ("no", "yes"))[1] == ("no", "yes")


def test_columns_give_their_names():
    frame = Frame(np.eye(2), "age", "height")
    assert Dataset(frame, [1, -1]).features == ("age", "height")
    assert Dataset(frame, [1, -1], ("a", "b")).features == ("a", "b")
