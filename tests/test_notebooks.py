"""What the notebook files say before anything is run. That they still run as stored is nbval's part of `pytest`."""

import json
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

import coursekit as ck
from coursekit.predictions.question import find
from coursekit_figures import chapter10
from coursekit_site.chapters import chapters
from tests.minutes import minutes, parts, visible
from tests.shown import explorers

ROOT = Path(__file__).parents[1]
START = ROOT / "notebooks" / "00-start.ipynb"
NOTEBOOKS = sorted(path for part in ("notebooks", "exercises", "solutions") for path in (ROOT / part).rglob("*.ipynb"))
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name == "notebooks" and path != START]


@cache
def read(path):
    return nbformat.read(path, 4)


def links(path):
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"\w+:|#", link)]


def name(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_links_lead_to_files_of_the_course(path):
    for link in links(path):
        target = (path.parent / link.partition("#")[0]).resolve()
        assert target.is_file(), f"{name(path)} links to {link}"
        assert "solutions" in path.parts or target.relative_to(ROOT).parts[0] in ("notebooks", "exercises")
    if "solutions" in path.parts:  # stores nobody's progress
        (told,) = [cell for cell in read(path).cells if cell.source == "progress()"]
        assert told.outputs == []


WORD = re.compile(r"\]\(#(step|play|reset|[^)\s]+=[^)\s]*)\)")


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_each_explorer_is_as_it_was_stored_and_each_word_touches_the_picture_above_it(path):
    """As a reader of its page comes to them, from the first to the last."""
    cells, shown = read(path).cells, dict(explorers(path))
    places = [k for k, cell in enumerate(cells) if cell.id in shown]
    told = [(shown[cells[k].id].sentence, output.data["text/plain"]) for k in places for output in cells[k].outputs]
    assert len(told) == len(places) > 0
    assert all(sentence == stored for sentence, stored in told)
    assert sum(len(WORD.findall(cell.source)) for cell in cells if cell.cell_type == "markdown") >= 10
    for k, cell in enumerate(cells):
        for word in WORD.findall(cell.source) if cell.cell_type == "markdown" else ():
            explorer = shown[cells[max((place for place in places if place < k), default=places[0])].id]
            if word.startswith("light="):
                lists = [json.loads(one["list"])["groups"] for one in (explorer.picture.ground, explorer.picture.frame)]
                lit = {name for groups in lists for name in groups}
                assert word.removeprefix("light=") in lit, f"{word} in {path.stem}: the picture above has {sorted(lit)}"
            else:
                explorer.tools.do(word)
                assert "cannot be" not in explorer.sentence, f"{word} in {path.stem}: {explorer.sentence}"
                explorer.tools.player.playing = False


def test_the_last_chapter_lists_the_words_of_all():
    tables = {path: [cell.source.split("\n", 1)[1] for cell in read(path).cells if "## Words: here" in cell.source
                     or "## Words of the course" in cell.source] for path in CHAPTERS}
    *_, (_, course) = tables.values()
    for path, (table, *_) in tables.items():
        for elsewhere in re.findall(r"^\|[^|\n]+\| ([^|\n]+) \|$", table, re.M)[1:]:
            for term in re.findall(r"(?:\([^)]*\)|\$[^$]*\$|[^,;$(])+", elsewhere):
                assert term.strip().removeprefix("(functional) ") in course, f"{term} of {path.stem}"


def test_start_page_names_every_chapter_and_exercise_and_asks_the_questions_of_the_readme():
    linked = {(START.parent / link).resolve() for link in links(START)}
    assert linked == {path for path in NOTEBOOKS if path != START and "solutions" not in path.parts}
    told = [re.findall(rf"\]\({part}(\d\d-[\w-]+\.ipynb)\) \| ([^|]+) \|", text) for part, text in (
        ("", read(START).cells[1].source), ("notebooks/", (ROOT / "README.md").read_text("utf-8")))]
    assert told[0] == told[1]
    assert len(told[0]) == len(CHAPTERS)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_chapter_is_stored_as_it_ran(path):
    """Every cell run once, in order, without error or warning; pictures are stills, never dead widgets, and told in
    words: an explorer brings its sentence along; for other pictures it stands in the cell, as `alt`."""
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell, output in ((shown, output) for shown in cells for output in shown.outputs):
        assert output.output_type != "error"
        assert output.get("name") != "stderr"
        assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})
        if "image/png" in output.get("data", {}):
            told = output.metadata.get("image/png", {}).get("alt") or cell.metadata.get("alt", "")
            assert len(told) > 60, cell.id


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_asks_and_takes_as_long_as_it_says_an_hour_at_most_and_2450_words(path):
    """As the site reads it."""
    spine, more = parts(path)
    (chapter,) = chapters({name(path): read(path)})
    assert "?" in chapter.question
    assert abs(minutes(spine) - chapter.minutes) <= 2
    assert minutes(spine) <= 60.5
    text, _, _ = "\n".join(cell.source for cell in spine + more if cell.cell_type == "markdown").partition("## Further")
    assert len(re.sub(r"\]\([^)]*\)|</?[a-z][^>]*>", " ", visible(text)).split()) <= 2450


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_nothing_that_is_near_answers_a_question(path):
    cells = read(path).cells
    asked = {found[1]: k for k, cell in enumerate(cells)
             if (found := re.search(r'ck\.predict\(\s*"([^"]+)"', cell.source))}
    for question in map(find, asked):
        near = [cell for cell in cells[: asked[question.name] + 2] if cell.cell_type == "markdown"][-3:]
        seen = " ".join(visible(cell.source) for cell in near)
        if question.slider:
            low, high, _ = question.slider
            assert abs(question.right - (low + high) / 2) >= 0.05 * (high - low), f"{question.name}: it starts there"
            told = re.search(rf"(?<![\d.]){question.right:g}(?![\d.]*\d)", seen) and question.right not in range(10)
            assert not told, f"{question.name}: told nearby"
        elif question.choices:
            assert len(question.right) < 12 or question.right not in seen, f"{question.name}: told nearby"


def test_every_item_of_the_lectures_leads_to_a_section_that_is_there():
    table = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    rows = [line for line in table.splitlines() if line.startswith("| ") and "](" in line]
    assert len(rows) > 100
    for row in rows:
        for words, link in re.findall(r"\[([^\]]+)\]\(([^)\s]+)\)", row):
            cells = read(ROOT / "notebooks" / link).cells
            headings = [cell.source.splitlines()[0].lstrip("# ") for cell in cells if cell.source.startswith("## ")]
            titles = dict(heading.replace("$", "").split(" ", 1) for heading in headings if heading[0].isdigit())
            named = re.findall(r"\b(\d+\.\d+)\b(.*?)(?=, \d+\.\d|; | \(|$)", words)
            assert named or words in headings, row
            assert all(n in titles and titles[n].startswith(title.strip(" )")) for n, title in named), row


@pytest.fixture(scope="module")
def study():
    """The names that chapter 10 has given when it comes to scikit-learn, up to its choice of lambda."""
    cells = read(ROOT / "notebooks" / "10-real-data.ipynb").cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    space = {"ck": ck, "np": np, "draw": chapter10, "plt": SimpleNamespace(
        subplots=lambda **more: (None, Figure().add_subplot()), show=lambda: None)}
    for source in code[2:5]:
        exec(source, space)
    return space | {"text": "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")}


def test_the_pipeline_of_chapter_10_prints_what_the_chapter_says(study, capsys):
    program, printed = (re.search(rf"```{kind}\n(.*?)```", study["text"], re.DOTALL)[1] for kind in ("python", "text"))
    exec(program, dict(study))
    assert capsys.readouterr().out == printed
    assert f"C = {1 / (720 * study['lams'][study['lowest']]):.4f}" in printed  # the lowest of our folds, too


def test_scikit_learn_ends_where_ck_ends(study):
    rows = [line for line in study["text"].splitlines() if line.startswith(("| `ck.svm`", "| `SVC`"))]
    (training,), y = study["standardize"](study["X"][study["learn"]]), study["y"][study["learn"]]
    models = SVC(kernel="linear", C=0.0125, tol=1e-8), LogisticRegression(C=0.0125, tol=1e-8, max_iter=10_000)
    risks = [ck.Objective(training, y, loss, lam=0.1) for loss in (ck.losses.hinge, ck.losses.logistic)]
    street = ck.svm(training, y, 0.1).theta
    walked = ck.gradient_descent(risks[1], ck.steps.barzilai_borwein(), steps=200).best_theta
    theirs = [np.append(model.fit(training, y).coef_, model.intercept_) for model in models]
    for row, thetas in zip(rows, ((street, walked), theirs), strict=True):
        hinge, logistic = (risk.value(theta) for risk, theta in zip(risks, thetas, strict=True))
        assert row.endswith(f"| {hinge:.4f} | {logistic:.4f} |")
