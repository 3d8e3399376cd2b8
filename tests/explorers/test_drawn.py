"""What is true where the chapters let one draw, recomputed by scikit-learn, and as it is stored in the chapters."""

import re

import nbformat
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, lasso_path
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import coursekit as ck
from coursekit.explorers.question import find
from tests.explorers.test_predict import NOTEBOOKS


def promises(seed):
    """Percent spam among those of which a nearly unpenalized logistic regression says 0, 1/6, ..., 1."""
    mails, order = ck.datasets.words(), np.random.default_rng(seed).permutation(4210)
    scaler = StandardScaler().fit(mails.X[order[:100]])
    model = LogisticRegression(C=1 / (100 * 0.0001), max_iter=5000, tol=1e-8)
    model.fit(scaler.transform(mails.X[order[:100]]), mails.y[order[:100]])
    said = model.predict_proba(scaler.transform(mails.X[order[1000:]]))[:, 1]
    return [100 * np.mean(mails.y[order[1000:]][np.rint(6 * said) == k] > 0) for k in range(7)]


def street(seed):
    """The heights of its middle at -4.5 and 4.5, and half its height."""
    data = ck.datasets.blobs(n=40, separability=0.5, seed=seed)
    model = SVC(kernel="linear", C=1 / (40 * 0.3), tol=1e-8).fit(data.X, data.y)
    (across, up), (offset,) = model.coef_[0], model.intercept_
    return [-(offset + across * x) / up for x in (-4.5, 4.5)] + [1 / up]


def shrinking(seed):
    """The lasso's weights at seven lengths, evenly from least squares to where one of them is 0, and on to 0."""
    data = ck.datasets.load("mail").split(400 / 4210, 3810 / 4210, seed=seed)[0]
    X = StandardScaler().fit_transform(data.X[:, [data.features.index(word) for word in ("business", "your")]])
    _, weights, _ = lasso_path(X, data.y - data.y.mean(), alphas=np.geomspace(1, 1e-6, 2000))
    lengths = np.abs(weights).sum(axis=0)
    corner = lengths[(weights == 0).any(axis=0)].max()
    seven = [*np.linspace(lengths[-1], corner, 4), *np.linspace(corner, 0, 4)[1:]]
    return np.ravel([[np.interp(size, lengths, row) for row in weights] for size in seven])


@pytest.mark.parametrize(("name", "draw", "seeds", "exact"), [
    ("10-real-data/sure", promises, range(30), 1.0),  # percent; descent has not wholly arrived, and the file rounds
    ("08-support-vector-machines/lambda", street, [24], 0.02),  # the one that is shown
    ("06-regularization/touch", shrinking, range(30), 0.002),
])
def test_the_right_drawing_is_the_one_shown_or_the_mean_of_thirty_draws(name, draw, seeds, exact):
    question = find(name)
    mean = np.mean([draw(seed) for seed in seeds], axis=0)
    np.testing.assert_allclose(question.right, mean, atol=exact)
    cells = nbformat.read(NOTEBOOKS / f"{name.partition('/')[0]}.ipynb", 4).cells
    (cell,) = [cell for cell in cells if f'ck.predict("{name}"' in cell.source]
    stored = "".join(output.data["text/html"] for output in cell.outputs if "data" in output)
    (said,) = re.findall(rf"what is true{', the mean of 30 draws' if len(seeds) > 1 else ''}: ([-\d., ]+)\.", stored)
    np.testing.assert_allclose([float(number) for number in said.split(", ")], mean, atol=exact)
