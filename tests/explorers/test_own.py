"""One's own data in an explorer: the same answers as by hand, a sentence, and nothing that only seems to act."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

import coursekit as ck
from coursekit.explorers.presets import SHOWS
from coursekit.plots.boundary import corners
from tests.core.test_validate import Frame
from tests.faults import faults, refused

BUNCH = load_breast_cancer()
WHOLE = ck.Dataset(BUNCH.data, BUNCH.target, BUNCH.feature_names)
X, y = BUNCH.data[:60, [0, 23]], BUNCH.target[:60]  # 0 and 1, lengths and areas: units of 10 and of 1000
SCALED, SIGNS = StandardScaler().fit_transform(X), 2.0 * y - 1
PLANES = {"descent": "boundary", "hyperplane": "boundary", "loss_space": "boundary", "parallel": "boundary",
          "perceptron": "boundary", "sgd": "boundary", "svm": "street"}


def table(**columns):
    return Frame([*zip(*columns.values(), strict=True)], *columns)


@pytest.mark.slow(keep=2)
@pytest.mark.parametrize("name", sorted(PLANES, key=["svm", "hyperplane"].__contains__, reverse=True))
def test_your_examples_take_the_place_of_those_that_are_drawn_in_every_preset_until_these_come_back(name, made):
    far, label = np.vstack([X, [100.0, 9000.0]]), np.append(y, 1)  # the last is far away, and in view
    explorer, plain = getattr(ck.explorers, name)(data=(far, label)), made(name)
    data, scaled = explorer.state.data, StandardScaler().fit_transform(far)
    assert "dataset=yours" in explorer.preset
    assert_allclose(data.X[:61], scaled)
    assert_array_equal(data.y[:61], 2.0 * label - 1)
    assert "These are your 61 examples, in standard deviations from the mean; separability" in explorer.sentence
    low, high = corners(explorer.axes[PLANES[name]])
    assert ((low < scaled) & (high > scaled)).all()
    # What the sentence says has no effect has none, and all else has.
    idle = {control for control, widget in explorer.controls.items() if widget.disabled}
    said = re.search(r"; ([\w ]+) ha(s|ve) no effect on them\.$", explorer.sentence)[1]
    assert set(said.split(" and ")) == idle
    for control, value in (("separability", -1.7), ("seed", 41)):
        before = explorer.picture.frame, explorer.sentence
        explorer.set(**{control: value})
        assert ((explorer.picture.frame, explorer.sentence) == before) == (control in idle)
    for preset in SHOWS[name]["presets"].values() if name in SHOWS else ():
        line = re.sub(r"(dataset|edits|example|also|before)=(\"[^\"]*\"|'[^']*'|\S+) ?", "", preset["line"])
        explorer.preset = f"dataset=yours {line}"
        assert "These are your 61 examples" in explorer.sentence
        assert not re.search(r"\b(nan|inf)\b", explorer.sentence)
    explorer.preset = plain.preset
    assert explorer.sentence == plain.sentence
    axes, others = (one.axes[PLANES[name]] for one in (explorer, plain))
    assert (axes.get_xlabel(), axes.get_ylabel()) == (others.get_xlabel(), others.get_ylabel())


def test_your_examples_can_be_edited():
    explorer = ck.explorers.svm(data=(X, y))
    explorer.remove(3)
    assert "your 60 examples" in explorer.sentence
    assert_allclose(explorer.state.data.X, np.delete(SCALED, 3, axis=0))
    explorer.reset()
    assert (explorer.dataset, len(explorer.state.data)) == ("yours", 60)


def test_axes_have_the_names_of_the_features():
    named = table(radius=X[:, 0], town=["Rome"] * 60, area=X[:, 1], kind=BUNCH.target_names[y])
    explorer = ck.explorers.svm(data=named, target="kind", features=["radius", "area"])
    axes = explorer.axes["street"]
    assert_array_equal(explorer.state.data.y, -SIGNS)  # benign comes before malignant, which is positive then
    assert explorer.state.data.classes == ("benign", "malignant")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("radius", "area")
    assert "x1 is radius and x2 is area" in explorer.sentence
    explorer.dataset = "mails"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x1", "x2")


def test_real_data_and_regularization_split_yours():
    explorer = ck.explorers.real_data(data=WHOLE, features="two")
    train = explorer.state.train
    assert (len(train), len(explorer.state.validation)) == (341, 115)
    assert train.features == ("mean radius", "mean texture")
    assert_allclose(train.X.mean(axis=0), 0, atol=1e-12)
    explorer.features = "all"
    assert explorer.state.train.X.shape == (341, 30)
    assert explorer.sentence.endswith("These are your 569 examples; eta has no effect on them.")
    shrunk = ck.explorers.regularization(data=(X, y), examples=100, irrelevant=5)
    assert (shrunk.examples, shrunk.state.training.X.shape, len(shrunk.state.held_out)) == (30, (30, 7), 30)
    every = np.vstack([shrunk.state.training.X[:, :2], shrunk.state.held_out.X[:, :2]])
    assert_allclose(np.sort(every, axis=0), np.sort(SCALED, axis=0))
    assert "separability has no effect" in shrunk.sentence


def test_many_features_of_yours_are_selected_and_learned_by_heart():
    explorer = ck.explorers.memory(data=WHOLE, numbers=30, mails=50)
    assert (explorer.state.data.X.shape, explorer.controls["numbers"].max) == ((50, 30), 30)
    assert re.search(r"gets \d+ of its own 50 examples wrong", explorer.sentence)
    few = ck.explorers.memory(data=(X, y), mails=200)
    assert (few.numbers, few.state.data.X.shape) == (2, (30, 2))  # the other half is new
    explorer = ck.explorers.features(data=WHOLE, lam=0.2, words="and as many shuffled")
    assert (len(explorer.state.training), len(explorer.state.others)) == (284, 285)
    assert re.search(r"keeps \d+ of 60 features and gets [\d.]+% of 285 new examples", explorer.sentence)
    for made in (few, explorer):
        assert "mail" not in made.sentence
        assert not [title for axes in made.axes.values() for title in axes.figure.texts if "mail" in title.get_text()]
        made.dataset = "mails"
        assert "mails " in made.sentence


def test_a_column_whose_name_is_a_number_or_stands_twice_is_chosen_by_its_number():
    numbered = Frame(np.column_stack([X, y]), 0, 0, 2)
    assert_array_equal(ck.explorers.svm(data=numbered, target=2, features=[0, 1]).state.data.y, SIGNS)
    with pytest.raises(ValueError, match=r"names \(0, 0\); got '0', the name of several"):
        ck.explorers.svm(data=numbered, target=2, features=["0"])


FRAME = table(a=[1, 2], b=[3, 4], town=["Rome", "Oslo"], label=[0, 1])


@pytest.mark.parametrize("name", ["features", "memory", "svm", "loss_space"])
def test_examples_that_do_not_differ_have_no_line_and_a_picture(name):
    sentence = getattr(ck.explorers, name)(data=(np.ones((8, 2)), [0, 1] * 4)).sentence
    assert "your 8 examples" in sentence
    assert not re.search(r"\b(nan|inf)\b", sentence)


@faults(__file__)
def test_what_cannot_be_taken_is_named(call, said, error):
    refused(call, said, error, globals())


def test_every_explorer_is_one_that_takes_data_or_says_that_it_does_not():
    others = {"multiclass", "ravine", "features", "memory", "real_data", "regularization"}
    assert {*ck.explorers.__all__} == {*PLANES, *others}
