"""Pictures of losses: what is drawn lies where the numbers say."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import coursekit as ck


@pytest.fixture
def ax():
    fig, axes = plt.subplots()
    axes.set(xlim=(-3, 3), ylim=(-1, 5))
    yield axes
    plt.close(fig)


def test_springs_hang_between_labels_and_rod(ax):
    x, y = np.array([-2.0, -1.0, 2.0, 40.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    ck.plots.springs(ax, x, y, 0.5, 0.25)
    ends = {tuple(np.round(line.get_xydata()[[0, -1]], 6).ravel()) for line in ax.lines}
    for at, label in zip(x[:3], y[:3], strict=True):
        assert (at, label, at, 0.5 * at + 0.25) in ends
    assert not any(40 in end for end in ends)  # beyond the picture
    assert [-0.5, -0.5] in [list(line.get_xdata()) for line in ax.lines]  # where the rod crosses 0


@pytest.mark.parametrize("label", [1, -1])
def test_roofs_over_the_score_are_those_over_the_agreement(ax, label):
    ck.plots.roofs(ax, label)
    by_hand = {
        "zero-one": lambda z: z <= 0, "perceptron": lambda z: np.maximum(0, -z),
        "hinge": lambda z: np.maximum(0, 1 - z),
        "logistic": lambda z: np.log1p(np.exp(-z)), "squared": lambda z: (1 - z) ** 2,
    }  # fmt: skip
    assert {text.get_text() for text in ax.texts} == set(by_hand)
    for line, loss in zip(ax.lines, by_hand.values(), strict=True):
        f, height = line.get_data()
        np.testing.assert_allclose(height, loss(label * np.asarray(f)), atol=1e-12)


@pytest.mark.parametrize(
    ("loss", "a", "b", "dips"),
    [("hinge", -1.5, 2.0, False), ("squared", -0.7, 2.3, False), ("logistic", -2.0, 2.0, False),
     ("zero_one", -1.0, 1.5, True)],
)  # fmt: skip
def test_a_chord_below_the_curve_is_shaded_red(ax, loss, a, b, dips):
    ck.plots.chord(ax, ck.losses.KNOWN[loss], a, b)
    green, red = (sum(path.get_extents().width for path in area.get_paths()) for area in ax.collections)
    assert green > 0
    assert (red > 0.5) == dips


def test_a_staircase_is_flat_between_its_steps(ax):
    ck.plots.staircase(ax, np.arange(5.0), np.array([3.0, 3.0, 1.0, 1.0, 2.0]))
    assert ax.lines[0].get_drawstyle() == "steps-mid"
