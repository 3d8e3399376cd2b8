"""Names that move with a picture: beside their things, in the axes, on no other names."""

from itertools import combinations

import numpy as np
import pytest

from coursekit.plots import STYLES, figure
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.style import use
from coursekit.plots.tags import Tag, Tags
from tests.words import common


def apart(tags, place):
    """How far the middle of the only name is from a place."""
    return np.hypot(*(tags.boxes().reshape(2, 2).mean(axis=0) - place))


@pytest.fixture
def tags():
    """In the largest type."""
    with use(STYLES["projector"]):
        yield Tags(figure(5, 4).add_axes((0.1, 0.1, 0.8, 0.8), xlim=(0, 1), ylim=(0, 1)))


def test_names_of_crowded_places_touch_no_other_name_and_stay_in_the_axes(tags):
    rng = np.random.default_rng(0)
    for _ in range(30):
        places = rng.uniform((0.7, 0.3), (1.0, 0.6), (7, 2))
        tags.show([Tag(f"place {k}", at, (1, 0)) for k, at in enumerate(places)])
        boxes = tags.boxes()
        assert (boxes[:, :2] >= tags.axes.bbox.min).all()
        assert (boxes[:, 2:] <= tags.axes.bbox.max).all()
        assert all((common(one, other) <= 1e-9).any() for one, other in combinations(boxes, 2))


def test_a_name_is_on_the_side_that_was_asked_for_unless_marks_are_there(tags):
    tags.show([Tag("here", (0.5, 0.5), (1, 0))])
    (x, y), (free,) = tags.axes.transData.transform((0.5, 0.5)), tags.boxes()
    assert x < free[0]
    assert free[1] < y < free[3]
    (line,) = tags.axes.plot([0.53, 0.61], [0.5, 0.5])
    assert not np.array_equal(tags.boxes()[0], free)
    line.set_visible(False)
    np.testing.assert_array_equal(tags.boxes()[0], free)


def test_a_name_keeps_clear_of_the_rim_of_a_large_mark_and_of_other_words(tags):
    tags.axes.plot([0.5], [0.5], "o", ms=20, mfc="none")
    words = Lettering(tags.axes)
    words.set_words([Word(0.6, 0.5, "a word", "lm")])
    tags.show([Tag("here", (0.5, 0.5), (1, 0))])
    (box,), (word,) = tags.boxes(), words.boxes(tags.axes.figure._get_renderer())
    middle = tags.axes.transData.transform((0.5, 0.5))
    assert np.hypot(*(np.clip(middle, box[:2], box[2:]) - middle)) > 10 / 72 * tags.axes.figure.dpi
    assert (common(box, word) < 0).any()


def test_of_several_places_the_first_is_named_unless_another_has_more_room(tags):
    tags.show([Tag("here", [(0.2, 0.5), (0.8, 0.5), (2, 0.5)], (1, 0))])
    first, second = tags.axes.transData.transform([(0.2, 0.5), (0.8, 0.5)])
    assert apart(tags, first) < apart(tags, second)
    for x in np.linspace(0, 0.4, 20):
        tags.axes.axvline(x)
    assert apart(tags, first) > apart(tags, second)


def test_the_name_of_an_area_lies_on_one_of_its_places_or_leads_there(tags):
    places = np.array([(0.3, 0.5), (0.7, 0.5)])
    tags.show([Tag("area", places, area=True)])
    first, second = tags.axes.transData.transform(places)
    assert apart(tags, first) < 1e-6
    tags.axes.plot([0.25, 0.35], [0.5, 0.5])
    assert apart(tags, second) < 1e-6
    for place in places:
        tags.axes.text(*place, "something else", ha="center", va="center")
    assert min(apart(tags, first), apart(tags, second)) > 5
    tags.show([Tag("area", places, area=True, only=True)])
    assert min(apart(tags, first), apart(tags, second)) < 1e-6


def test_a_name_beside_its_area_leads_to_its_first_place_also_if_another_is_nearer(tags, monkeypatch):
    places, led = np.array([(0.5, 0.5), (0.42, 0.5), (0.58, 0.5), (0.5, 0.42), (0.5, 0.58)]), []
    for x, y in places:
        tags.axes.text(x, y, "*", ha="center", va="center")
    tags.show([Tag("a wide name", places, area=True)])
    monkeypatch.setattr(tags, "_lead", lambda _renderer, at, box, _far: led.append((at, box)))
    tags.axes.figure.draw_without_rendering()
    (at, box), to = led[-1], tags.axes.transData.transform(places)
    away = np.hypot(*(np.clip(to, box[:2], box[2:]) - to).T)
    assert 0 < away[1:].min() < away[0]
    np.testing.assert_allclose(at, to[0])


def test_names_are_drawn_on_screen_and_in_vectors(tags, tmp_path):
    fig = tags.axes.figure
    pictures = []
    for names in ([], [Tag("theta", (0.5, 0.5), color="#D55E00")]):
        tags.show(names)
        fig.canvas.draw()
        pictures.append(np.array(fig.canvas.buffer_rgba(), int)[::-1])
    rows, columns = np.nonzero(np.abs(pictures[1] - pictures[0]).max(axis=2) > 50)
    left, low, right, high = tags.boxes()[0]
    assert left - 3 <= columns.min() < columns.max() <= right + 3
    assert low - 3 <= rows.min() < rows.max() <= high + 3
    fig.savefig(tmp_path / "names.svg")
    assert "theta" in (tmp_path / "names.svg").read_text()
