"""What is written down of a drawing, against what was worked out by hand."""

import json
import zlib

import numpy as np
import pytest
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from coursekit.plots.recorder import FIELD, GLYPHS, MARKS, PATH, PIXELS, WORDS, Recorder
from coursekit.plots.style import LIGHT, STYLES, Style, blend, named, translated, use

DARK = STYLES["dark"]


@pytest.fixture
def ax():
    figure = Figure(figsize=(2, 1), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 200), ylim=(0, 100))  # a unit is a pixel
    axes.axis("off")
    return axes


def recorded(artist, draw=lambda recorder, artist: artist.draw(recorder)):
    """The operations, each with its coordinates, and the whole list."""
    recorder = Recorder(RendererAgg(200, 100, 100), LIGHT)
    draw(recorder, artist)
    told = recorder.list()
    whole, at, found = json.loads(told["list"]), np.frombuffer(told["at"], np.float32).reshape(-1, 2), []
    for op in whole["ops"]:
        found.append((op, at[: op[3]]))
        at = at[op[3] :]
    assert len(at) == 0
    return found, whole | {"images": told["images"]}


def test_a_line_is_dashed_broken_where_a_number_is_missing_and_clipped_to_its_axes(ax):
    (line,) = ax.plot([10, 20, np.nan, 30, 40], [10.2, 50.3, 0, 60.4, 90.1], "--", color="#0072B2", lw=7.2, alpha=0.5)
    [(op, at)], whole = recorded(line)
    look = whole["looks"][op[1]]
    assert (op[0], op[4], whole["clips"][op[2]]) == (PATH, "ABAB", ["M0.0 0.0H200.0V100.0H0.0Z"])
    assert_allclose(at, [(10, 89.8), (20, 49.7), (30, 39.6), (40, 9.9)], atol=1e-4)
    assert look["stroke"] == ["#0072b280", "#5db7f080"]
    assert look["width"] == pytest.approx(10)  # 7.2 points of 1/72 inch, 100 dots an inch
    assert look["dash"] == pytest.approx([37, 16])  # matplotlib's 3.7 and 1.6 line widths
    assert "fill" not in look


def test_an_upright_line_is_moved_to_the_middle_of_its_pixels(ax):
    [(_, at)], _ = recorded(ax.axvline(50.3, lw=0.72))
    assert_allclose(at[:, 0], 50.5)


def test_a_line_that_leaves_the_picture_is_cut_off(ax):
    [(_, at)], _ = recorded(ax.plot([-1e6, 1e6], [50, 50])[0])
    assert np.abs(at).max() < 210


def test_marks_are_one_shape_at_the_places_that_there_are(ax):
    [(op, at)], whole = recorded(ax.plot([10, np.nan, 30.4], [20, 50, 70], "s", ms=7.2, mew=0, color="#222222")[0])
    assert op[0] == MARKS
    assert_allclose(at, [(10, 80), (30, 30)])
    assert whole["shapes"][op[4]] == "M-5 5L5 5L5 -5L-5 -5Z"
    assert whole["looks"][op[1]]["fill"] == ["#222222ff", "#f2f2f2ff"]


@pytest.mark.parametrize("said", ["AVA To. 12.5%", "office fluffy \ufb01", "x\u0302 and \u03bb = 1e\u22125"])
def test_letters_lie_as_matplotlib_lays_the_whole_line(ax, said):
    text = ax.text(100, 50, said)
    [(_, at)], _ = recorded(text)
    outlines = RendererBase()._text2path
    info, shapes, _ = outlines.get_glyphs_with_font(outlines._get_font(text.get_fontproperties()), said)
    inked = [(x, y) for glyph, x, y, _ in info if len(shapes[glyph][0])]
    assert_allclose(at[2::2] / at[-2, 0], np.array(inked) / inked[-1][0], atol=1e-6)


def test_words_are_glyphs_that_take_the_room_agg_gives_them(ax):
    text = ax.text(100, 50, "will it", size=14.4, ha="center")
    [(op, at)], whole = recorded(text)
    assert op[0] == WORDS
    assert len(op[4]) == 6  # a space has no ink
    assert op[4][2] == op[4][3]  # both l
    assert all(glyph in GLYPHS for glyph in whole["glyphs"])
    box, (x, y), width = text.get_window_extent(RendererAgg(200, 100, 100)), at[0], 0.2 * at[-2, 0]
    assert (x, y) == pytest.approx((box.x0, 100 - 50), abs=1)
    assert x + width < box.x1 < x + width + 10  # 14.4 points are 20 pixels, 0.2 em


@pytest.mark.parametrize(("origin", "shades"), [("upper", [0, 255, 128, 0]), ("lower", [128, 0, 0, 255])])
def test_an_image_travels_as_its_pixels_and_a_matrix_as_numbers_of_colors(ax, origin, shades):
    image = ax.imshow([[0.0, 1.0], [0.5, 0.0]], cmap="gray", extent=(50, 70, 10, 30), aspect="auto", origin=origin)
    [((kind, look, _, _, name, columns, rows), at)], whole = recorded(image, Recorder.matrix)
    assert (kind, columns, rows) == (PIXELS, 2, 2)
    numbers = np.frombuffer(zlib.decompress(whole["images"][name]), np.uint8)
    here, there = whole["looks"][look]["colors"]
    assert [here[k] & 255 for k in numbers] == pytest.approx(shades, abs=1)
    assert len(here) == len(there)
    assert_allclose(at.ravel(), [50, 70, 20, 20])
    [((kind, look, *_, name, columns, rows), _)], whole = recorded(image)
    assert (kind, look) == (PIXELS, -1)
    assert len(zlib.decompress(whole["images"][name])) == 4 * columns * rows


def test_a_map_travels_as_its_heights(ax):
    from coursekit.plots.landscape import HeightMap

    heights = HeightMap(ax)
    heights.set_values(np.arange(9.0))
    [(op, at)], whole = recorded(heights)
    assert (op[0], op[4]) == (FIELD, 3)
    assert_allclose(at[:2], [(0, 0), (200, 100)])
    values = at[2:].ravel()[:9].reshape(3, 3)
    assert_allclose(values[::-1].ravel(), 14 * np.sqrt(np.arange(9) / 8), rtol=1e-6)
    assert [len(colors) for colors in whole["looks"][op[1]]["colors"]] == [30, 30]


@pytest.mark.parametrize("color", ["ink", "blue", "red", "green", "pink", "ochre", "violet", "star", "highlight"])
def test_each_color_of_a_picture_has_its_own_on_a_dark_page(color):
    light, dark = getattr(LIGHT, color), getattr(DARK, color)
    pairs = {light: dark, LIGHT.mixed(0.45, light): DARK.mixed(0.45, dark),
             blend(0.45, LIGHT.ink, light): blend(0.45, DARK.ink, dark)}
    for here, there in pairs.items():
        assert_allclose(translated(to_rgba(here), LIGHT), to_rgba(there), atol=0.02)
    assert translated(to_rgba(light, LIGHT.tints[1]), LIGHT)[3] == DARK.tints[1]


@pytest.mark.parametrize("style", ["dark", "projector"])
def test_a_style_that_was_chosen_keeps_its_colors_and_a_color_of_no_style_its_own(style):
    look: Style = named(style)
    with use(look):
        assert to_hex(translated(to_rgba(look.blue), look)) == look.blue.lower()
    assert translated(to_rgba("#00FF00"), LIGHT) == to_rgba("#00FF00")
