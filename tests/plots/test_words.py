"""No words lie on others in the figures of the chapters, wide and narrow; and the narrow ones are narrow enough."""

import ast
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from coursekit.explorers import predict
from coursekit.plots import NARROW, narrowed
from tests.words import troubles

pytestmark = pytest.mark.slow

CHAPTERS = sorted((Path(__file__).parents[2] / "notebooks").glob("[01]*.ipynb"))
SMALLEST = 11.0  # pixels on a page of 350, of type of 9 points: the figure is at most so wide


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def figures(request, monkeypatch):
    """All figures that a chapter shows, in its cells and in the outcomes of its predictions."""
    shown, outcomes, drawn = [], [], predict.drawn
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.setattr(predict, "drawn", lambda figure, *more: shown.append(figure) or drawn(figure, *more))
    monkeypatch.chdir(request.param.parent)
    space = {"__name__": "__main__", "display": lambda *_: None}
    before = dict(plt.rcParams)
    for cell in nbformat.read(request.param, 4).cells:
        if cell.cell_type == "code":
            tree = ast.parse(cell.source)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, cell.id, "exec"), space)
            value = eval(compile(ast.Expression(last.value), cell.id, "eval"), space) if last else None
            shown += [value] if isinstance(value, Figure) else []
            outcomes += [value] if isinstance(value, predict.Prediction) else []
            shown += [plt.figure(number) for number in plt.get_fignums()]
            for figure in shown:
                plt.close(figure)
    for prediction in outcomes:
        prediction.outcome()
    for figure in shown:
        FigureCanvasAgg(figure)  # that of pyplot has gone with its window
    yield list(dict.fromkeys(shown))
    plt.rcParams.update(before)


def test_words_of_a_chapters_figures_find_room_wide_and_narrow(figures):
    found = []
    for k, figure in enumerate(figures):
        figure.canvas.draw()
        found += [f"figure {k}: {trouble}" for trouble in troubles(figure, cut=False)]
        with narrowed(figure):
            figure.canvas.draw()
            found += [f"figure {k}, narrow: {trouble}" for trouble in troubles(figure, cut=False)]
            wide = figure.get_tightbbox().width
            if wide > 9 / 72 * 350 / SMALLEST:
                found.append(f"figure {k}, narrow: it is {wide:.1f} inches wide, not {NARROW}")
    assert found == []
