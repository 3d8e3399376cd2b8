"""Which cells a reading page runs, where its explorers go, and when it stays still."""

import nbformat
import pytest
from bs4 import BeautifulSoup

from coursekit_site.bytecode import Bundle, NotCompiled, bundle
from coursekit_site.cells import alive, needed
from coursekit_site.pages import questions
from coursekit_site.tree import tree


def notebook(*sources):
    cells = [nbformat.v4.new_code_cell(source, id=f"c{k}") for k, source in enumerate(sources)]
    return nbformat.v4.new_notebook(cells=cells)


def page(*sources, alt="A line.", more=()):
    """That of cells, each with a picture and more outputs."""
    book = notebook(*sources)
    picture = nbformat.v4.new_output("display_data", {"image/png": "AAAA"}, metadata={"image/png": {"alt": alt}})
    for cell in book.cells:
        cell.outputs = [picture, *more]
    return BeautifulSoup(alive(tree(book, str), book, Bundle("0" * 16, "")), "html.parser")


def test_needed_are_the_cells_that_show_something_and_those_that_make_names_for_them():
    sources = (
        "import coursekit as ck",
        "fig, ax = ck.plots.subplots()\nax.set(title='old')",
        "start = 3",
        "def outcome():\n    return [start + k for k in range(3)]",
        "print(start)",
        "ax = start\nck.predict('a/b', outcome, ax)",
        "start = 4",
        "explorer = ck.explorers.svm(lam=start)\nexplorer",
        "explorer.lam = 1",
    )
    assert [cell["id"] for cell in needed(notebook(*sources))] == ["c0", "c2", "c3", "c5", "c6", "c7"]


def test_a_chapter_of_ones_own_may_hold_what_only_a_notebook_understands():
    sources = "%matplotlib inline\nimport coursekit as ck", "!ls", "%%bash\nck=1", "ck?", "0 = 1", "ck.explorers.svm()"
    assert [cell["source"] for cell in needed(notebook(*sources))] == ["\nimport coursekit as ck", sources[-1]]


def test_predictions_of_a_course_of_ones_own_lie_beside_its_pages_too(tmp_path):
    (own := tmp_path / "files/notebooks/predictions").mkdir(parents=True)
    (tmp_path / "read").mkdir()
    (own / "mine.toml").write_text("[a]"), (own / "03-losses.toml").write_text("[b]")
    found = questions(tmp_path)
    read = {name: (tmp_path / "read" / address.partition("?")[0]).read_text() for name, address in found.items()}
    assert (read["predictions/mine.toml"], read["predictions/03-losses.toml"]) == ("[a]", "[b]")
    assert len(read) == 11


def test_still_keeps_the_room_of_its_controls_and_its_sentence():
    (still,) = page('ck.explorers.svm("lam=1", show="lam k")', "figure", alt="A <2> wide street.").select(".ck-still")
    assert still.find_parent(id="cell-id=c0")
    assert len(still.select(".ck-strip[aria-hidden=true] i")) == 2
    assert still.select_one(".ck-sentence[aria-hidden=true]").text == still.img["alt"] == "A <2> wide street."


def test_a_picture_that_a_cell_draws_before_it_asks_stays():
    asked = nbformat.v4.new_output("execute_result", {"text/html": "<p>Predict first.</p>"})
    stills = page("plt.show()\nck.predict('03-losses/bound')", more=[asked]).select(".ck-still")
    assert [still.text.strip() for still in stills] == ["Predict first."]


@pytest.mark.parametrize(("source", "moves"), [
    ('ck.explorers.hyperplane("dataset=mails angle=90 shift=1.9", show="angle shift")', True),
    ("explorer = ck.explorers.hyperplane(\n    'dataset=mails',\n    show=\"angle shift\",\n)\nexplorer", True),
    ('ck.explorers.hyperplane("dataset=mails")', True),  # these two are under its picture by themselves
    ('ck.explorers.hyperplane("dataset=mails", show="angle length")', False),
    ('ck.explorers.hyperplane("dataset=mails example=3", show="angle shift")', False),
    ('ck.explorers.hyperplane("dataset=blobs", show="angle shift")', False),
    ('ck.explorers.svm("lam=1", show="lam k")', False),
])
def test_a_line_among_emails_is_moved_before_python_however_its_cell_is_written(source, moves):
    assert len(page(source).select(".ck-still > .ck-moving")) == moves


@pytest.mark.parametrize(("node", "why"), [
    (None, "needs node, which is not on PATH"),
    ("#!/bin/sh\necho first >&2\necho 'node is too old' >&2\nexit 1\n", "compile the course: node is too old"),
    ("#!/bin/sh\nexit 1\n", r"could not compile the course: \?"),
])
def test_a_node_that_cannot_compile_changes_nothing(tmp_path, monkeypatch, node, why):
    (tmp_path / "static" / "pyodide").mkdir(parents=True)
    (places := tmp_path / "bin").mkdir()
    if node:
        (places / "node").write_text(node)
        (places / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(places))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(NotCompiled, match=why):
        bundle(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before
