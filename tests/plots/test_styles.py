"""Whatever the style, wide and narrow: words can be read, lie inside the picture, and on no other words."""

import ast
import os
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.lines import Line2D
from matplotlib.text import Text

import coursekit as ck
import coursekit_figures
from coursekit.explorers import presets
from coursekit.explorers.controls import stops
from coursekit.plots import NARROW, narrowed
from coursekit.plots.lettering import Lettering
from coursekit.plots.style import FONTS, figure, use
from coursekit.plots.tags import Tags
from coursekit.predictions import predict
from tests import shown
from tests.words import troubles, written

CHAPTERS = sorted((Path(__file__).parents[2] / "notebooks").glob("[01]*.ipynb"))
COVERED = 0.06  # of a word's box a line or a mark lies at most under so much: a touch
CROWDED = {"multiclass": 0.15}  # ten lines, and the stripes that they leave: some words have no empty place
CROSSED = {"multiclass": 0.25}  # likewise, of lines among which words have a rim


def test_pictures_are_lettered_in_the_font_that_comes_with_them():
    found = [font_manager.findfont(font_manager.FontProperties(family=ck.plots.STYLE["font.family"], weight=weight))
             for weight in ("normal", "bold")]
    assert found == FONTS
    packages = (Path(module.__file__).parent for module in (ck.plots, ck.explorers, coursekit_figures))
    texts = {node.value for package in packages for file in package.rglob("*.py")
             for node in ast.walk(ast.parse(file.read_text("utf-8")))
             if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    needed = {*map(ord, "".join(texts))} - {ord("\n"), ord("\t")}
    assert {ord("θ"), ord("‖"), ord("✓")} < needed
    for font in FONTS:
        assert not {chr(code) for code in needed - FT2Font(font).get_charmap().keys()}


KINDS = ["hyperplane", "real_data", "multiclass", "regularization", "loss_space"]  # of pictures


def seen(explorer):
    """Its figure, drawn: where names are is decided then."""
    explorer.picture.image()
    return explorer.picture.figure


@pytest.mark.slow(keep=6)
@pytest.mark.parametrize(("name", "style"), [  # dark is light in other colors
    ("svm", "dark"), *((name, style) for style in ("light", "projector") for name in KINDS),
])
def test_words_lie_in_the_picture_on_no_other_words_and_can_be_read(name, style):
    explorer = getattr(ck.explorers, name)(style=style)
    assert troubles(seen(explorer)) == []
    words, behind = list(written(explorer.picture.figure)), without_words(explorer)
    for text, box, color, _ in words:
        assert contrast(to_rgb(color), np.median(under(behind, box), axis=0)) >= 4.5, text
    for dataset in ("iris", "breast-cancer", "digits") if name == "real_data" else ():  # the longest names
        explorer.set(dataset=dataset, features="two")
        assert (dataset, troubles(seen(explorer))) == (dataset, [])
    if style != "projector":  # nobody projects a phone's page
        explorer.reset()
        explorer.narrow = True
        assert troubles(seen(explorer)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", presets.SHOWS)
def test_words_find_room_in_every_preset_and_at_the_values_of_every_control_wide_and_narrow(made, name):
    explorer, found, most = made(name), [], CROWDED.get(name, COVERED)
    for narrow in (False, True):
        explorer.narrow = narrow
        for preset, said in presets.SHOWS[name]["presets"].items():
            explorer.reset()
            explorer.set(said["line"])
            struck = {word.text for word in explorer.listing.kinds[2]._words} if name == "features" else ()
            found += [(preset, narrow, trouble) for trouble in troubles(seen(explorer))]
            found += [(preset, narrow, word, share) for word, share in covered(explorer)
                      if share > most and word not in struck]
        for control in explorer.controls:
            for value in walked(explorer, control, 4):
                found += [(control, value, narrow, trouble) for trouble in troubles(seen(explorer))]
    explorer.narrow = False
    assert found == []


def walked(explorer, control, most):
    """Values of a control, up to the last, each while the explorer shows it and is else as it was; others if narrow."""
    start, values = dict(explorer.values), stops(explorer.controls[control])
    stride = max(1, len(values) // most)
    for value in [*values[explorer.narrow * stride // 2 :: stride], *values[-1:]]:
        explorer.set(**start | {control: value})
        yield value
    explorer.set(**start)


@pytest.mark.slow
@pytest.mark.parametrize("path", CHAPTERS[1:], ids=lambda path: path.stem)
def test_words_find_room_wherever_a_chapter_lets_its_readers_go_and_no_line_crosses_them(path):
    """Each control that lies under a picture of the chapter, from the state in which the chapter shows it."""
    found = []
    for cell, explorer in shown.explorers(path):
        for explorer.narrow in (False, True):
            for control in explorer.mains:
                for value in walked(explorer, control, 6):
                    trouble = troubles(seen(explorer))
                    trouble += [word for word, share in covered(explorer) if share > CROSSED.get(explorer.name, 0.2)]
                    found += [(cell, explorer.narrow, control, value, one) for one in trouble]
    assert found == []


def luminance(colors):
    """Relative luminance as WCAG 2 defines it."""
    c = np.asarray(colors, float)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = np.sort([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def covered(explorer):
    """Each word of what was just seen, and how much of its box is far from the color of most of it: a line, a mark."""
    words, behind = list(written(explorer.picture.figure)), without_words(explorer, rims=False)
    for text, box, *_ in words:
        yield text, inked(behind, box)


def inked(behind, box):
    """How much of a box in a picture is far from the color of most of it."""
    area = under(behind, box)
    return round((np.abs(area - np.median(area, axis=0)).max(axis=1) > 0.35).mean(), 2) if len(area) else 0.0


def under(behind, box):
    """The colors, (n, 3), in a box (left, low, right, high) of a picture."""
    left, low, right, high = np.maximum(box, 0).astype(int)
    return behind[max(len(behind) - high - 1, 0) : len(behind) - low + 1, left : right + 1].reshape(-1, 3)


@contextmanager
def unwritten(figure, rims=False):
    """Meanwhile nothing is written in it. rims: names still have theirs, of paper."""
    words = [text for text in figure.findobj(lambda one: isinstance(one, (Text, Lettering))) if text.get_visible()]
    for text in words:
        if rims and isinstance(text, Tags):
            text.color = lambda tag, paper=text._look.paper: paper
        else:
            text.set_visible(False)
    yield
    for text in words:
        text.set_visible(True)
        vars(text).pop("color", None)


def without_words(explorer, rims=True):
    """The picture's colors, (height, width, 3), as if nothing were written."""
    with unwritten(explorer.picture.figure, rims):
        return np.asarray(seen(explorer).canvas.buffer_rgba())[..., :3] / 255


@pytest.mark.parametrize("style", ck.plots.STYLES.values(), ids=ck.plots.STYLES)
def test_words_can_be_read_on_every_area_that_may_lie_under_them_and_half_planes_differ_in_gray_print(style):
    """On half planes, regions and stripes, table cells, weights and the row that is spoken of."""
    areas = [style.highlight, style.mixed(0.04), style.mixed(0.08), style.mixed(0.2, style.ochre)]
    assert len(set(style.tints)) == len(style.tints), "a dark page finds each again by its share"
    for look, tint in zip(style.classes, style.tints, strict=True):
        areas += [style.mixed(share, look["color"]) for share in (tint, tint + 0.04, 0.55)]
    areas += [style.mixed(style.deep, color) for color in (style.blue, style.red)]
    pairs = [(style.ink, area) for area in areas]
    pairs += [(words, style.paper) for words in (style.ink, style.mixed(0.85), style.green)]
    for words, area in pairs:
        assert contrast(to_rgb(words), to_rgb(area)) >= 4.5
    negative, positive = (to_rgb(style.mixed(style.tints[k], style.classes[k]["color"])) for k in (0, 1))
    assert contrast(negative, positive) >= 1.15


def test_projector_has_larger_type_lines_and_markers_and_more_contrast():
    sizes, ratios, widths = [], [], []
    for style in ("light", "projector"):
        picture, look = ck.explorers.svm(style=style).picture, ck.plots.STYLES[style]
        lines = [line for line in picture.moving if isinstance(line, Line2D)]
        lettered = [artist._size for artist in picture.figure.findobj(Lettering)]
        titles = [ax.title.get_fontsize() for ax in picture.figure.axes]
        drawn = [size for line in lines for size in (line.get_linewidth(), line.get_markersize())]
        sizes.append(picture.figure.dpi * np.array([*lettered, *titles, *drawn]))
        ratios.append([contrast(to_rgb(getattr(look, name)), to_rgb(look.paper))
                       for name in ("ink", "blue", "red", "green", "pink", "ochre", "violet")])
        widths.append(picture.width)
    np.testing.assert_allclose(sizes[1] / sizes[0], 1.6, rtol=0.05)
    assert widths[1] == round(1.25 * widths[0])
    assert (np.array(ratios[1]) > ratios[0]).all()
    with pytest.raises(ValueError, match="style must be one of 'light', 'projector', 'dark'; got 'sepia'"):
        ck.explorers.svm(style="sepia")


def test_a_full_bar_leaves_room_for_its_number_and_a_legend_shows_what_is_dashed():
    for style in ck.plots.STYLES:
        explorer = ck.explorers.real_data("dataset=mails threshold=-3", style=style)
        bar, number = explorer.shares.bars[1], explorer.shares.values[1]
        assert number.get_text() == "100.0%"
        room = number.get_window_extent(seen(explorer).canvas.get_renderer()).x0 - bar.get_window_extent().x1
        assert room > 0.06 * explorer.picture.figure.dpi
        assert [side.get_alpha() for side in explorer.cut.sides] == [*ck.plots.STYLES[style].tints[:2]]
        for ax in ck.explorers.memory(style=style).axes.values():
            for line in (line for line in ax.lines if line.get_linestyle() == "--" and not line.get_clip_on()):
                dash, gap = line._unscaled_dash_pattern[1]
                long = np.ptp(line.get_window_extent().intervalx) / ax.figure.dpi * 72 / line.get_linewidth()
                assert long == pytest.approx(dash + gap + dash, rel=0.05)


def test_a_style_holds_for_its_own_figures_and_no_others():
    with use(ck.plots.STYLES["dark"]):
        dark = figure()
    assert dark.get_facecolor()[:3] == to_rgb(ck.plots.STYLES["dark"].paper)
    assert figure().get_facecolor()[:3] == (1, 1, 1)


@pytest.mark.slow
def test_the_environment_says_what_all_pictures_look_like():
    """`coursekit lab --style dark` says so to its kernels."""
    code = """
import coursekit as ck
made = ck.plots.figure(), ck.explorers.svm().picture.figure, ck.explorers.svm(style="light").picture.figure
print(ck.plots.STYLE["text.color"], *(figure.get_facecolor()[:3] for figure in made))"""
    environment = {**os.environ, "COURSEKIT_STYLE": "dark"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    ink, paper = ck.plots.STYLES["dark"].ink, to_rgb(ck.plots.STYLES["dark"].paper)
    assert done.stdout.strip() == f"{ink} {paper} {paper} {(1.0, 1.0, 1.0)}"


SMALLEST = 11.0  # pixels on a page of 350, of type of 9 points: the figure is at most so wide


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def figures(request, monkeypatch):
    """All figures that a chapter shows, in its cells and in the outcomes of its predictions."""
    found, outcomes, drawn = [], [], predict.drawn
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.setattr(predict, "drawn", lambda figure, *more: found.append(figure) or drawn(figure, *more))
    monkeypatch.chdir(request.param.parent)
    space = {"__name__": "__main__", "display": lambda *_: None}
    before = dict(plt.rcParams)
    for cell in nbformat.read(request.param, 4).cells:
        if cell.cell_type == "code":
            value = shown.run(cell.source, cell.id, space)
            found += [value] if isinstance(value, Figure) else []
            outcomes += [value] if isinstance(value, predict.Prediction) else []
            found += [plt.figure(number) for number in plt.get_fignums()]
            plt.close("all")
    for prediction in outcomes:
        prediction.outcome()
    for one in found:
        FigureCanvasAgg(one)  # that of pyplot has gone with its window
    yield list(dict.fromkeys(found))
    plt.rcParams.update(before)


@pytest.mark.slow
def test_words_of_a_chapters_figures_find_room_wide_and_narrow(figures):
    found = []
    for k, one in enumerate(figures):
        for page in (nullcontext, narrowed):
            with page(one):
                one.canvas.draw()
                found += [(k, page, trouble) for trouble in (*troubles(one, cut=False), *struck(one))]
                wide = one.get_tightbbox().width
                if page is narrowed and wide > 9 / 72 * 350 / SMALLEST:
                    found.append(f"figure {k}, narrow: it is {wide:.1f} inches wide, not {NARROW}")
    assert found == []


def struck(figure, most=0.2):
    """The words of a figure that a line or a mark crosses: more of their box than a touch."""
    words, layout = list(written(figure)), figure.get_layout_engine()
    figure.set_layout_engine("none")  # without its words it would lie otherwise
    with unwritten(figure):
        figure.canvas.draw()
        behind = np.asarray(figure.canvas.buffer_rgba())[..., :3] / 255
    figure.set_layout_engine(layout or "none")
    return [f"{text!r} is crossed" for text, box, *_ in words if inked(behind, box) > most]
