"""Cells of a live page, run without a browser: what is told, in which order, and what an error says."""

import base64
import contextlib
import io
import json
import random

import comm
import IPython.display
import ipywidgets
import matplotlib.pyplot as plt
import nbformat
import pytest
from nbclient import NotebookClient
from PIL import Image

from coursekit_site.inside.live import Page
from coursekit_site.inside.notebook import LONGEST, OF_A_KERNEL, VIEW, Notebook


@pytest.fixture
def run(monkeypatch):
    """Runs a cell of a page whose cells stand in the order of their names; returns what it told."""
    for module, names in (
        (plt, "show"),
        (comm, "create_comm get_comm_manager"),
        (IPython.display, "display clear_output HTML Markdown Latex Math SVG"),
        (ipywidgets, " ".join(OF_A_KERNEL)),
    ):
        for name in names.split():
            monkeypatch.setattr(module, name, getattr(module, name))  # put back afterward
    plt.close("all")  # a page's process has none that other tests left open
    told = []
    page = Page(lambda text, _buffers: told.extend(json.loads(text)), narrow=False)
    notebook = Notebook(page)

    cells = {}

    def run(source, cell="a", shown=True, asks=False):
        told.clear()
        above = [(name, text, False) for name, text in sorted(cells.items()) if name < cell]
        notebook.run([*above, (cell, source, shown)], asks)
        if not asks:
            cells[cell] = source
        run.ran = [subject for kind, subject, _ in told if kind == "begins"]
        run.ok = told[-1] == ["ran", cell, {"ok": True, "last": True}]
        return [data for kind, subject, data in told if kind == "output" and subject == cell]

    run.cells = cells
    return run


def test_outputs_come_as_in_a_real_kernel(run):
    source = (
        "from IPython.display import HTML, display\nprint('one', 1)\nprint('two')\n"
        "display(HTML('<b>x</b>'), 5)\nprint('four', end='')\n{'a': [1, 2.5]}"
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    NotebookClient(book, kernel_name="python3", coalesce_streams=False).execute()
    assert joined(run(source)) == joined(book.cells[0].outputs)
    told = run("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')")
    assert joined(told) == [("stdout", "a\n"), ("stderr", "b\n"), ("stdout", "c\n")]


def joined(outputs):
    """Text for text, however many messages it came in."""
    parts = []
    for output in outputs:
        name, data = output.get("name"), output.get("data", {})
        told = (name, output["text"]) if name else (None, data.get("text/html") or data["text/plain"])
        if name and parts and parts[-1][0] == name:
            told = (name, parts.pop()[1] + told[1])
        parts.append(told)
    return parts


def test_a_figure_comes_once_where_it_was_shown_and_is_closed(run):
    told = run("import matplotlib.pyplot as plt\nfig, ax = plt.subplots(figsize=(3, 2))\nplt.show()\nprint('after')")
    assert "".join(one.get("text", "picture ") for one in told) == "picture after\n"
    image = Image.open(io.BytesIO(base64.b64decode(told[0]["data"]["image/png"])))
    assert image.width == pytest.approx(2 * 3 * plt.rcParams["figure.dpi"], rel=0.2)
    for source in ("fig, ax = plt.subplots()\nfig", "plt.plot([1, 2]);"):
        assert [list(one["data"]) for one in run(source, "b")] == [["image/png"]]
    assert plt.get_fignums() == []


def test_an_explorer_is_a_view_and_markdown_becomes_html_with_its_formulas(run):
    (told,) = run("import coursekit as ck\nck.explorers.svm()")
    assert list(told["data"]) == [VIEW]
    (told,) = run(r"from IPython.display import Markdown" "\n" r"Markdown(r'**so** it is: $a_1 \| b_2$')")
    assert "<strong>so</strong>" in told["data"]["text/html"]
    assert r"\(a_1 \| b_2\)" in told["data"]["text/html"]


def test_a_cell_that_runs_for_its_names_alone_tells_nothing_but_errors(run):
    assert run("import coursekit as ck\nx = 3\nprint(x)\nck.explorers.nothing_like_it()", shown=False) == []
    assert run.ok
    assert run("x", "b")[0]["data"]["text/plain"] == "3"
    (told,) = run("print(1)\n1 / 0", shown=False)
    assert told["output_type"] == "error"
    assert not run.ok


def test_an_error_names_the_readers_own_lines_and_no_others(run):
    run("def inverse(n):\n    return 1 / n", "first")
    (told,) = run("import json\njson.dumps([0], default=inverse), sorted([0], key=inverse)", "second")
    assert told["text"].splitlines() == [
        "In this cell, line 2:", "    json.dumps([0], default=inverse), sorted([0], key=inverse)",
        "In another cell, line 2, in inverse:", "    return 1 / n",
        "ZeroDivisionError: division by zero",
    ]
    (told,) = run("x = (1,\ny = 2", "third")
    assert told["text"].startswith("In this cell, line 1")
    assert "SyntaxError: '(' was never closed" in told["text"]
    (told,) = run("%timeit 1")
    assert told["text"].endswith("Lines that begin with % or ! work in the lab alone.")
    (told,) = run("def f(n): return f(n + 1)\nf(0)")
    assert 5 < len(told["text"].splitlines()) < 25
    assert "RecursionError" in told["text"]
    (told,) = run("raise SystemExit(3)")
    assert told["text"].endswith("SystemExit: 3")
    (told,) = run("from coursekit.grading import NotYet\nraise NotYet('One sentence.')")
    assert told["text"] == "One sentence."


@pytest.mark.parametrize("source", ["interact(print, x=3)", "@interact(x=3)\ndef f(x):\n    print(x)", "Output()"])
def test_what_needs_a_kernel_says_that_it_works_in_the_lab(run, source):
    (told,) = run(f"from ipywidgets import Output, interact\n{source}")
    assert told["text"].endswith(" works in the lab alone: open this notebook there.")


def test_what_is_printed_without_end_is_cut(run):
    told = run("for k in range(100_000):\n    print(k)")
    text = "".join(one["text"] for one in told)
    assert LONGEST < len(text) < LONGEST + 100
    assert text.endswith("(what is printed after this is left out)\n")
    assert len(told) < 100


def by_value(told):
    return "NameError" if "NameError: " in told[-1].get("text", "") else told[-1]["data"]["text/plain"]


@pytest.mark.parametrize("text", ["pass", "# def double(x): return x", "def double(x:", "def twice(x): 2", "1 / 0"])
@pytest.mark.parametrize("name", ["double", "count", "sqrt", "other", "later", "from_all"])
def test_what_its_cell_no_longer_makes_is_gone(run, text, name):
    run("def double(x): return 2 * x\ncount = 1\nfrom math import sqrt\nfrom string import *\nfrom_all = digits\n"
        "def make():\n    global later\n    later = 3\nmake()")
    run("other = double", "b")
    assert by_value(run(name, "c")) != "NameError"
    run(text)
    (told,) = run(name, "c")
    assert told["text"].endswith(f"NameError: name '{name}' is not defined")


@pytest.mark.parametrize("seed", range(40))
def test_a_cell_has_what_the_cells_above_make_whatever_has_run_and_changed(run, seed):
    """As if they were all run from the top, each time."""
    rng, page = random.Random(seed), dict.fromkeys("abcde", "")
    texts = ["x = 1", "x = 2", "x += 1", "y = x", "del x", "x = y", "for x in (3, 4): y = 5", "1 / 0", "x =", "pass",
             "def x(): y", "def z(): return x", "y = z()", "x = 7\nraise SystemExit", "import math as x"]
    for _ in range(30):
        if rng.random() < 0.6:
            page[rng.choice("abcde")] = rng.choice(texts)
        asked = rng.choice("abcde")
        for name in page:
            run.cells[name] = page[name]
        space = {}
        for name in page:
            with contextlib.suppress(BaseException):
                exec(page[name], space)
            if name == asked:
                break
        run(page[asked], asked)
        for name in "xyz":
            value = repr(space[name]) if name in space else "NameError"
            assert by_value(run(name, f"{asked}-", asks=True)).partition(" at ")[0] == value.partition(" at ")[0]


def test_what_is_below_a_cell_that_ran_is_run_again_and_nothing_else(run):
    for cell, text in (("a", "x = []"), ("b", "x.append(1)"), ("c", "z = 3"), ("c-", "x, z"), ("a", "x = []")):
        run(text, cell, asks=cell == "c-")
        assert run.ran == [cell]
    assert by_value(run("x", "b-", asks=True)) == "[1]"
    assert run.ran == ["b", "b-"]
    assert by_value(run("z", "c-", asks=True)) == "3"
    assert run.ran == ["c", "c-"]
    (told,) = run("z", "b-", asks=True)
    assert told["text"].endswith("Make it in a cell above this one: what cells further down make is not there yet.")
    run("z", "c-", asks=True)
    assert run.ran == ["c-"]  # nothing follows from what only asks
