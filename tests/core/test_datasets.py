"""Data sets against scikit-learn's copies; separability against a linear program and a hard margin."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn import datasets as theirs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import coursekit as ck

U = np.array([0.6, 0.8])  # the direction from the negative to the positive cloud


def separable(X, y):
    """Whether some line separates them: a linear program, independent of ours."""
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    return linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None)).success


def gap(d, u=U):
    return (d.X[d.y > 0] @ u).min() - (d.X[d.y < 0] @ u).max()


@given(
    n=st.integers(30, 300), separability=st.floats(-1, 4).filter(lambda s: abs(s) > 1e-3), seed=st.integers(0, 10**6)
)
@settings(max_examples=60)
def test_blobs_have_the_gap_they_promise(n, separability, seed):
    d = ck.datasets.blobs(n=n, separability=separability, seed=seed)
    assert gap(d) == pytest.approx(separability, abs=1e-9)
    assert separable(d.X, d.y) == (separability > 0)


def test_irrelevant_features_come_on_top_and_know_nothing_of_y():
    plain, few, many = (ck.datasets.blobs(4000, -2.0, seed=3, irrelevant=k) for k in (0, 4, 9))
    np.testing.assert_array_equal(few.X[:, :2], plain.X)
    np.testing.assert_array_equal(many.X[:, :6], few.X)
    assert many.features == tuple(f"x{j}" for j in range(1, 12))
    noise = many.X[:, 2:]
    np.testing.assert_allclose(noise.std(axis=0), 1, atol=0.05)
    assert np.abs(noise.T @ many.y / 4000).max() < 4 / np.sqrt(4000)
    assert np.abs(np.corrcoef(many.X.T) - np.eye(11))[2:].max() < 0.06


@pytest.mark.parametrize("separability", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("outliers", [0, 5])
def test_half_the_separability_is_the_largest_margin(separability, outliers):
    d = ck.datasets.blobs(n=60, separability=separability, outliers=outliers, seed=4)
    svm = SVC(C=1e8, kernel="linear", tol=1e-8).fit(d.X, d.y)
    assert 1 / np.linalg.norm(svm.coef_) == pytest.approx(separability / 2, rel=1e-5)
    np.testing.assert_allclose(svm.coef_[0] / np.linalg.norm(svm.coef_), U, atol=1e-4)


def test_clouds_have_spread_1_and_meet_at_most():
    d = ck.datasets.blobs(n=4000, separability=-100, seed=1)
    clouds = [d.X[d.y == label] for label in (-1, 1)]
    assert np.linalg.norm(clouds[1].mean(axis=0) - clouds[0].mean(axis=0)) < 0.15
    for cloud in clouds:
        np.testing.assert_allclose(np.cov(cloud.T), np.eye(2), atol=0.12)


def test_separability_only_moves_the_clouds():
    near, far = ck.datasets.blobs(separability=0.2, seed=9), ck.datasets.blobs(separability=2.2, seed=9)
    np.testing.assert_array_equal(near.y, far.y)
    moved = far.X - near.X
    np.testing.assert_allclose(moved, near.y[:, None] * U, atol=1e-12)


def test_outliers_are_far_on_their_own_side_and_noise_flips_this_fraction_of_labels():
    plain, d, noisy = (ck.datasets.blobs(n=200, seed=5, **more) for more in ({}, {"outliers": 7}, {"noise": 0.15}))
    changed = (plain.X != d.X).any(axis=1)
    assert changed.sum() == 7
    assert (d.y[changed] > 0).all()
    assert (d.X[changed] @ U).min() >= 5
    assert gap(d) == pytest.approx(1.0)
    np.testing.assert_array_equal(plain.X, noisy.X)
    assert (plain.y != noisy.y).sum() == 30


def test_blobs_are_balanced_and_repeat():
    d = ck.datasets.blobs(n=31, seed=2)
    assert repr(d) == "Dataset(blobs: 31 examples, 2 features; -1 15, +1 16)"
    np.testing.assert_array_equal(d.X, ck.datasets.blobs(n=31, seed=2).X)
    assert (d.X != ck.datasets.blobs(n=31, seed=3).X).all()


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("separability", [-0.5, 0.1, 1.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_narrowest_gap_of_many_classes(classes, separability, seed):
    d = ck.datasets.multiclass_blobs(n=40 * classes, classes=classes, separability=separability, seed=seed)
    assert d.classes == tuple(map(str, range(classes)))
    assert np.bincount(d.y).tolist() == [40] * classes
    angles = np.pi / 2 + 2 * np.pi * np.arange(classes) / classes
    centres = np.c_[np.cos(angles), np.sin(angles)]
    gaps = []
    for i in range(classes):
        for j in range(i):
            pair = (d.y == i) | (d.y == j)
            assert separability < 0 or separable(d.X[pair], np.where(d.y[pair] == i, 1.0, -1.0))
            line = (centres[i] - centres[j]) / np.linalg.norm(centres[i] - centres[j])
            gaps.append((d.X[d.y == i] @ line).min() - (d.X[d.y == j] @ line).max())
    assert min(gaps) == pytest.approx(separability)


@pytest.mark.parametrize(
    ("name", "load"),
    [("iris", theirs.load_iris), ("breast-cancer", theirs.load_breast_cancer), ("digits", theirs.load_digits)],
)
def test_real_data_equal_scikit_learns(name, load):
    ours, reference = ck.datasets.load(name), load()
    np.testing.assert_array_equal(ours.X, reference.data)
    names = np.array([str(t) for t in reference.target_names])[reference.target]
    values = range(len(ours.classes)) if name != "breast-cancer" else (-1, 1)
    for value, label in zip(values, ours.classes, strict=True):
        np.testing.assert_array_equal(ours.y == value, names == label)
    assert ours.X.dtype == np.float64


def test_classes_become_labels_and_features_are_chosen_by_name_or_number():
    reference = theirs.load_iris()
    d = ck.datasets.load("iris", classes=("virginica", "setosa"))
    assert d.classes == ("virginica", "setosa")
    np.testing.assert_array_equal(d.X[d.y == -1], reference.data[reference.target == 2])
    np.testing.assert_array_equal(d.X[d.y == 1], reference.data[reference.target == 0])
    assert len(ck.datasets.load("digits", classes=(3, 8))) == np.isin(theirs.load_digits().target, (3, 8)).sum()
    for chosen in (["petal width", "sepal length (cm)"], [3, 0]):
        d = ck.datasets.load("iris", features=chosen)
        np.testing.assert_array_equal(d.X, reference.data[:, [3, 0]])
        assert d.features == ("petal width (cm)", "sepal length (cm)")
    np.testing.assert_array_equal(ck.datasets.load("iris", features="petal width").X, reference.data[:, [3]])


@pytest.mark.parametrize("name", ["mail", "iris", "breast-cancer", "digits"])
def test_parts_of_a_split_share_no_example_and_all_classes(name):
    data = ck.datasets.load(name)
    numbered = ck.datasets.Dataset(np.arange(len(data.y))[:, None], data.y, ("row",), data.classes)
    parts = numbered.split(0.6, 0.2, 0.2, seed=3)
    rows = [part.X[:, 0].astype(int) for part in parts]
    assert sorted(np.concatenate(rows)) == list(range(len(data.y)))
    for share, part, row in zip((0.6, 0.2, 0.2), parts, rows, strict=True):
        np.testing.assert_array_equal(part.y, data.y[row])
        assert (np.diff(row) < 0).any()  # not in the order of the file
        for label in np.unique(data.y):
            assert abs((part.y == label).sum() - share * (data.y == label).sum()) < 1
    again, other = (numbered.split(0.6, 0.2, 0.2, seed=s)[0].X for s in (3, 4))
    np.testing.assert_array_equal(again, parts[0].X)
    assert (other != parts[0].X).any()


def test_a_feature_whose_values_are_all_the_same_is_shifted_only():
    """The deviation of seven times 0.1 is 1e-17, not 0: what is divided by it depends on the processor."""
    X = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    train = ck.datasets.Dataset(X, np.resize([1.0, -1.0], 7), ("same", "other"), ("no", "yes"), "seven")
    assert train.X[:, 0].std() > 0
    test = replace(train, X=np.add(train.X, [0.25, 0]))
    np.testing.assert_allclose(test.standardized(by=train).X[:, 0], 0.25, atol=1e-12)


def test_standardized_is_scikit_learns_scaler():
    whole = ck.datasets.load("digits", classes=(3, 8))
    train, test = whole.split(0.5, 0.5)
    scaler = StandardScaler().fit(train.X)
    assert (train.X.std(axis=0) == 0).any()  # corners that are never inked
    np.testing.assert_allclose(test.standardized(by=train).X, scaler.transform(test.X), atol=1e-12)
    np.testing.assert_allclose(train.standardized().X, scaler.transform(train.X), atol=1e-12)
    again = ck.datasets.load("digits", classes=(3, 8), standardize=True)
    np.testing.assert_allclose(again.X, StandardScaler().fit_transform(whole.X), atol=1e-12)


def test_mails_are_spambase_without_its_duplicates():
    mail = ck.datasets.load("mail")
    # Spambase's own documentation: 57 attributes, 1813 spam and 2788 others; maxima of columns 52, 53 and 56
    assert mail.X.shape == (4601 - 391, 57)
    assert mail.classes == ("nonspam", "spam")
    assert (mail.y == 1).sum() < 1813
    assert (mail.y == -1).sum() < 2788
    rows = {(*tuple(x), y) for x, y in zip(mail.X.tolist(), mail.y, strict=True)}
    assert len(rows) == len(mail) == len({r[:-1] for r in rows}) + 3
    two = ck.datasets.load("mail", features=["charExclamation", "charDollar", "capitalLong"])
    np.testing.assert_array_equal(two.X.max(axis=0), [32.478, 6.003, 9989])
    assert (two.X.min(axis=0) == [0, 0, 1]).all()


def test_words_say_which_words_occur_and_how_many_capitals():
    words, every = ck.datasets.words(), ck.datasets.load("mail")
    np.testing.assert_array_equal(words.X[:, :54], every.X[:, :54] > 0)
    np.testing.assert_allclose(10 ** words.X[:, 54:], every.X[:, 54:])
    np.testing.assert_array_equal(words.y, every.y)
    assert len(set(words.features)) == 57
    for name, column in (("free", "free"), ("650", "num650"), ("!", "charExclamation"), ("capitals", "capitalTotal")):
        assert words.features.index(name) == every.features.index(column)


def test_the_24_mails_are_real_and_a_line_separates_them():
    few, every = ck.datasets.mails(), ck.datasets.load("mail", features=["charExclamation", "capitalLong"])
    real = {(a, round(np.log10(b), 9), y) for (a, b), y in zip(every.X, every.y, strict=True)}
    assert {(a, round(b, 9), y) for (a, b), y in zip(few.X, few.y, strict=True)} <= real
    assert (few.y * (few.X @ [1, 1] - 1.7) > 0).all()
    most = ck.datasets.mails(3358, seed=3)
    assert (most.y == 1).sum() == 1679 == (every.y == 1).sum()
    assert not separable(most.X, most.y)


@pytest.mark.parametrize("separability", [-1.5, 0.8])
def test_classes_move_along_the_difference_of_their_means(separability):
    train, test = ck.datasets.load("breast-cancer").split(0.7, 0.3)
    scaled, moved = train.standardized(), train.moved_apart(separability).standardized(by=train)
    lda = LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True).fit(scaled.X, scaled.y)
    between = lda.means_[1] - lda.means_[0]
    sigma = np.sqrt(between @ lda.covariance_ @ between) / np.linalg.norm(between)
    means = [moved.X[moved.y == label].mean(axis=0) for label in (-1, 1)]
    np.testing.assert_allclose(means[1] - means[0], between * (1 + separability * sigma / np.linalg.norm(between)))
    for label in (-1, 1):  # each class keeps its shape, and others move with it
        shift = moved.X[moved.y == label] - scaled.X[scaled.y == label]
        np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=1e-9)
        unseen = test.moved_apart(separability, by=train).X - test.X
        moves = train.moved_apart(separability).X - train.X
        np.testing.assert_allclose(unseen[test.y == label][0], moves[train.y == label][0], atol=1e-9)


load, blobs, classes, mails = ck.datasets.load, ck.datasets.blobs, ck.datasets.multiclass_blobs, ck.datasets.mails
Dataset = ck.datasets.Dataset


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: load("mnist"), ValueError, "name must be one of .mail., .iris., .*; got .mnist."),
        (lambda: load("iris", classes=("setosa", "rose")), ValueError, "classes must be one of .*; got 'rose'"),
        (lambda: load("iris", classes=("setosa",)), ValueError, "classes must be two different names"),
        (lambda: load("iris", classes="setosa"), ValueError, "classes must be two different names"),
        (lambda: load("iris", features=["color"]), ValueError, "features must be column numbers 0 to 3"),
        (lambda: load("iris", features=[-1]), ValueError, "features must be column numbers 0 to 3"),
        (lambda: load("iris", features=[4]), ValueError, "features must be column numbers 0 to 3"),
        (lambda: load("iris", features=[]), ValueError, "features must name at least one"),
        (lambda: load("iris", features=[True, False]), ValueError, "features must be column numbers .* got True"),
        (lambda: load("iris", classes=2), TypeError, "classes must be a sequence of names; got 2"),
        (lambda: mails(25), ValueError, "n must be even and at most 3358, half of it spam; got 25"),
        (lambda: mails(3360), ValueError, "n must be even and at most 3358, half of it spam; got 3360"),
        (lambda: blobs(n=1), ValueError, "n must be an integer >= 2; got 1"),
        (lambda: blobs(separability=np.nan), ValueError, "separability must be finite; got nan"),
        (lambda: blobs(noise=1.5), ValueError, "noise must be >= 0 and <= 1; got 1.5"),
        (lambda: blobs(n=10, outliers=5), ValueError, "outliers must be fewer than the 5 positive"),
        (lambda: blobs(seed=-1), ValueError, "seed must be an integer >= 0; got -1"),
        (lambda: blobs(centre=(1, 2, 3)), ValueError, r"centre must hold x1 and x2; got \(1, 2, 3\)"),
        (lambda: classes(classes=1), ValueError, "classes must be an integer >= 2; got 1"),
        (lambda: classes(n=2, classes=3), ValueError, "n must be an integer >= 3; got 2"),
        (lambda: load("iris").split(0.5, 0.4), ValueError, r"shares must add up to 1; got \(0.5, 0.4\)"),
        (lambda: load("iris").split(), ValueError, r"shares must add up to 1; got \(\)"),
        (lambda: load("iris").split(1.5, -0.5), ValueError, "shares must be > 0; got -0.5"),
        (lambda: load("iris").split(0.995, 0.005), ValueError, "shares must give every part .* for a class of 50"),
        (lambda: load("iris").standardized(by=load("digits")), ValueError, "by must be a Dataset with the features"),
        (lambda: load("iris").moved_apart(1.0), ValueError, "y must hold labels -1 and .1 only"),
        (lambda: load("breast-cancer").moved_apart(np.inf), ValueError, "separability must be finite; got inf"),
        (lambda: Dataset([[1]], np.array([1, -1]), ("a",), ("-", "+")), ValueError, "X and y must have one row"),
        (lambda: Dataset([[1]], np.array([1.0]), ("a", "b"), ("-", "+")), ValueError, "features must name the 1 col"),
        (lambda: Dataset([[1]], np.array([2]), ("a",), ("0", "1")), ValueError, "y must hold classes 0 to 1; got 2"),
        (lambda: Dataset([[1]], 1, ("a",), ("-", "+")), ValueError, r"y must have 1 dimension\(s\); got shape \(\)"),
        (lambda: Dataset([[1]], [1], "a", ("-", "+")), TypeError, "features must be a sequence of names; got 'a'"),
        (lambda: Dataset([[1]], [1], ("a",), None), TypeError, "classes must be a sequence of names; got None"),
    ],
)
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("y", "classes", "told"),
    [
        (np.array([0, 1, 2, 0], dtype=np.uint8), np.array(["p", "q", "r"]), "p 2, q 1, r 1"),
        (np.array([1, 1, 1, 1]), ["p", "q", "r"], "p 0, q 4, r 0"),  # no label +1, where there are three classes
        ([1, -1, 1, 1], ("p", "q"), "p 1, q 3"),
        ([0, 1, 1, 1], ("p", "q"), "p 1, q 3"),
    ],
)
def test_integers_are_classes_unless_they_are_labels(y, classes, told):
    data = ck.datasets.Dataset(np.eye(4), y, list("abcd"), classes)
    assert repr(data) == f"Dataset(data: 4 examples, 4 features; {told})"
    assert data.y.dtype == (np.float64 if -1 in np.asarray(y) else np.intp)
    same = ck.datasets.Dataset(np.eye(4), y, tuple("abcd"), tuple(classes))
    np.testing.assert_array_equal(data.standardized(by=same).X, same.standardized().X)


@pytest.mark.parametrize("rows", [[0, 2], [1, 3], [0, 1]])
def test_a_part_of_a_set_with_classes_0_and_1_has_classes(rows):
    whole = ck.datasets.Dataset(np.eye(4), np.array([0, 1, 0, 1]), tuple("abcd"), ("p", "q"))
    part = replace(whole, X=whole.X[rows], y=whole.y[rows])
    assert part.y.dtype == whole.y.dtype == np.intp
    np.testing.assert_array_equal(part.y, whole.y[rows])
