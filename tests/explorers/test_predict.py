"""Nothing of the outcome before the answer, everything after it, answers that outlive the kernel, and what is drawn.

What is true where the chapters let one draw is recomputed by scikit-learn, and is as it is stored in the chapters.
"""

import json
import re
import tomllib
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from sklearn.linear_model import LogisticRegression, lars_path
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import coursekit as ck
from coursekit.predictions import predict as module
from coursekit.predictions.place import Freehand
from coursekit.predictions.question import KEPT, Question, find, names
from tests.faults import faults, refused

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
FILE = Path(__file__).with_name("sky.toml").read_text("utf-8")
ANSWERS = {"color": "red", "count": 7.0, "place": (1.0, 90.0), "shape": (-100.0, -60.0, 20.0, 80.0)}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with a chapter's file of questions, in which somebody works."""
    monkeypatch.delenv("COURSEKIT_FOLDED", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "asked", {})
    (tmp_path / "predictions").mkdir()
    (tmp_path / "predictions" / "sky.toml").write_text(FILE)
    return tmp_path


def figure():
    made, axes = plt.subplots()
    axes.set(xlim=(0, 4), ylim=(-200, 200))
    return made


def ask(key, outcome=None):
    return ck.predict(f"sky/{key}", outcome, picture=figure() if key in ("place", "shape") else None)


def words(prediction):
    return " ".join(child.value for child in prediction.below.children)


@pytest.mark.parametrize("key", ANSWERS)
def test_the_outcome_comes_with_the_answer_and_both_come_back_until_a_reset(key):
    called = []
    prediction = ask(key, lambda: called.append(1) or "the outcome")
    page = json.dumps([prediction._repr_mimebundle_()["text/plain"], prediction.form.get_state()], default=str)
    for secret in (prediction.question.after, *prediction.question.answers.values()):
        assert not secret or secret not in page
    assert (called, prediction.below.children, prediction.form.result) == ([], (), {})
    prediction.commit(ANSWERS[key])
    again = ask(key, lambda: "the outcome")
    again._repr_mimebundle_()
    for one in (prediction, again):
        assert one.answer == ANSWERS[key]
        assert "the outcome" in words(one)
        assert one.question.answers[one.question.right] in words(one)
    assert called == [1]
    again.reset()
    new = ask(key)
    new._repr_mimebundle_()
    assert (new.answer, new.below.children) == (None, ())


@pytest.mark.parametrize(("key", "answer", "idea", "said"), [
    ("color", "red", "Most people think of the evening.", "**You said** red. **It is** blue."),
    ("color", "blue", "Short waves are scattered most.", "**You said** blue, and so it is."),
    ("count", 13, "Half of it.", "**You said** 13 mistakes. **It is** 18 mistakes."),
    ("count", 14, "Twice nine.", "**You said** 14 mistakes. **It is** 18 mistakes."),
    # (2, 40) is 60 and 41 units away from the two ideas, but one axis has 4 units and the other 400.
    ("place", (1, 40), "Only the example.", "**You marked** (1, 40). **It is** (2, -1)."),
    ("place", (1e-16, 60), "Only the example.", "**You marked** (0, 60). **It is** (2, -1)."),
    ("place", (2, 60), "Entry by entry.", "**You marked** (2, 60). Close enough: **it is** (2, -1)."),
])
def test_the_idea_that_is_nearest_is_told_then_why_the_right_one_is_right(key, answer, idea, said):
    prediction = ask(key)
    prediction.commit(answer)
    question = prediction.question
    told = dict.fromkeys([idea, question.answers[question.right], question.after])  # the right one only once
    assert words(prediction).replace("<p>", "").replace("</p>", " ").split() == " ".join(told).split()
    assert prediction.form.result["said"] == said
    assert not prediction.place or prediction.place.picture.layout.display == "none"


def wrong(at):
    """Which of the four emails these weights get wrong."""
    scores = np.array([[0.7, 0.7], [0.0, 1.3], [0.7, 1.1], [0.1, 2.1]]) @ at - 1.7
    names = [name for name, score, y in zip("ABCD", scores, (-1, -1, 1, 1), strict=True) if y * score <= 0]
    return {0: "None of the four is wrong here", 1: "Only {} is wrong here", 2: "{} and {} are wrong here",
            3: "{}, {}, and {} are wrong here"}[len(names)].format(*names)  # fmt: skip


def way(at):
    """Where the ground ((1 - x)² + (1 - 7y)²) / 2 leads from (-2, -0.26) toward this place."""
    (x, y), slope = at - (-2, -0.26), np.array([-3, -7 * (1 + 7 * 0.26)])
    rises = slope @ (x, y) / np.hypot(x, y) / np.hypot(*slope)
    if abs(rises) < np.sin(np.radians(5)):
        return "Turn the arrow straight across the valley. This way nearly follows the contour line"
    if rises > 0:
        return "Turn the arrow toward the floor of the valley"
    if x > 0 and y < x * np.tan(np.radians(20)):  # the lowest point is at 7.6 degrees
        return "Turn the arrow straight across the valley, because that way the ground falls fastest"
    across = 66 < np.degrees(np.arctan2(y, x)) < 96
    return "Across the valley" if across else "Turn the arrow until it points straight across the valley. This way"


def winner(at):
    """Who has two votes of the lines between three centers, which are not quite in the middle."""
    centers = 3 * np.array([[0, 1], [-np.sqrt(0.75), -0.5], [np.sqrt(0.75), -0.5]])
    lines = ((0, 1, -4), (0, 2, 4), (1, 2, -4))
    votes = [b if (centers[b] - centers[a]) @ at + c > 0 else a for a, b, c in lines]
    first = max(votes, key=votes.count)
    return rf"ere {first} has two|class {first} both|side of {first}\b" if votes.count(first) == 2 else "nobody wins"


@pytest.mark.parametrize(("name", "x", "y", "true"), [
    ("01-linear-classifiers/cell", (-0.5, 3.5), (-0.6, 2.4), lambda at, told: told.startswith(wrong(at))),
    ("02-perceptron/arrow", (-2.6, 4.6), (-1.5, 3.5),
     lambda at, told: "= (2, 2)" not in told or np.hypot(*(at - 2)) < 1.05),
    ("04-gradient-descent/downhill", (-3.5, 2), (-0.7, 1), lambda at, told: told.startswith(way(at))),
    ("09-multiclass/undecided", (-4, 4), (-4, 4), lambda at, told: re.search(winner(at), told)),
])  # fmt: skip
def test_what_is_told_of_a_place_is_true_wherever_it_is(name, x, y, true):
    axes = plt.subplots()[1]
    axes.set(xlim=x, ylim=y, aspect="equal")
    prediction = ck.predict(name, picture=axes.figure)
    axes.transData = axes.transData.frozen()  # three times as fast
    told = prediction.question.answers
    places = np.stack(np.meshgrid(np.linspace(*x, 91), np.linspace(*y, 91)), axis=-1).reshape(-1, 2)
    assert [at for at in places if not true(at, told[prediction._idea(tuple(at))])] == []


def test_the_place_is_put_by_click_and_by_arrow_keys_and_stays_inside():
    prediction = ask("place")
    assert not prediction.form.ready
    place = prediction.place
    x, y = place.axes.transData.transform((3, 100)) / place.picture.figure.bbox.size
    place.picture.stroke = {"id": 1, "start": (x, 1 - y), "at": (x, 1 - y), "done": True}
    np.testing.assert_allclose(place.at, (3, 100))
    assert prediction.form.ready
    place.picture.pressed = [[n, "ArrowRight"] for n in range(1, 64)]
    prediction._received(prediction.form, {"commit": ""}, [])
    np.testing.assert_allclose(prediction.answer, (4, 100))


@pytest.mark.parametrize("key", ["count", "place"])
def test_the_own_answer_is_drawn_into_the_outcome_and_taken_out_again(key, monkeypatch):
    made, drawn = figure(), []
    save = type(made).savefig
    monkeypatch.setattr(type(made), "savefig", lambda *a, **k: drawn.extend(made.axes[0].lines) or save(*a, **k))
    prediction = ask(key, lambda: made)
    prediction.commit(ANSWERS[key])
    where = drawn[0].get_xdata() if key == "count" else drawn[0].get_xydata()
    np.testing.assert_array_equal(np.unique(where), np.unique(ANSWERS[key]))
    assert not made.axes[0].lines
    assert f'alt="{prediction.question.alt}"' in words(prediction)


def test_all_of_a_chapter_is_asked_again_and_no_other(folder):
    (folder / "predictions" / "sea.toml").write_text(FILE)
    other, first, second = ck.predict("sea/color"), ask("color"), ask("count")
    for prediction, answer in ((other, "red"), (first, "red"), (second, 3)):
        prediction.commit(answer)
    first._received(first.form, {"again": "chapter"}, [])
    assert (first.answer, second.answer) == (None, None)
    assert json.loads((folder / KEPT).read_text()) == {"sea/color": other.answer}


@pytest.mark.parametrize("content", ["{", "[1]", "\xff\xfe"])
def test_a_broken_file_is_put_aside_and_never_overwritten(folder, content):
    file = folder / KEPT
    for number in (1, 2):
        file.write_bytes(content.encode("latin-1"))
        ask("color").commit("red")
        assert json.loads(file.read_text()) == {"sky/color": "red"}
        assert (folder / f"{KEPT}.{number}").read_bytes() == content.encode("latin-1")


@pytest.mark.parametrize(("key", "kept"), [("color", "green"), ("count", "many")])
def test_an_answer_that_the_question_no_longer_has_is_asked_for_again(folder, key, kept):
    (folder / KEPT).write_text(json.dumps({f"sky/{key}": kept}))
    prediction = ask(key)
    prediction._repr_mimebundle_()
    assert prediction.answer is None


def test_names_in_the_outcome_mean_what_they_meant_when_it_was_asked():
    cells = {"ask": ask}
    exec("def told(*, word='run'):\n  return f'{which()} {word}'\nwhich = lambda: name", cells)
    exec("name = 'the first'\nasked = ask('color', lambda: told())\nname = 'another'", cells)
    cells["asked"].commit("red")
    assert "the first run" in words(cells["asked"])
    assert cells["told"]() == "another run"


def test_an_outcome_that_fails_says_what_to_do():
    prediction = ask("color", lambda: 1 / 0)
    prediction.commit("red")
    assert re.search("ZeroDivisionError: division by zero.*Run the cells above", words(prediction), re.DOTALL)


@pytest.mark.parametrize("key", ANSWERS)
def test_where_nothing_runs_the_outcome_is_in_a_closed_fold(key, folder, monkeypatch):
    (folder / KEPT).write_text(json.dumps({"sky/color": "red"}))
    monkeypatch.setenv("COURSEKIT_FOLDED", "1")
    prediction = ask(key, lambda: [*([figure()] if key != "color" else []), "the outcome"])
    page = BeautifulSoup(prediction._repr_mimebundle_()["text/html"], "html.parser")
    assert all(image["alt"] for image in page.select("img"))
    fold = page.select_one("details").extract()
    assert not fold.has_attr("open")
    for secret in ("the outcome", *prediction.question.answers.values()):
        assert secret in fold.get_text()
        assert secret not in str(page)
    assert all(choice in page.get_text() for choice in prediction.question.choices)


def test_an_explorer_in_the_outcome_is_live_and_a_still_in_the_fold():
    made = ck.explorers.hyperplane()
    prediction = ask("color", lambda: made)
    prediction.commit("red")
    assert made.widget in prediction.below.children
    (image,) = BeautifulSoup(prediction.folded(), "html.parser").select("img")
    assert image["alt"] == made.sentence


@faults(__file__)
def test_what_cannot_be_asked_is_named(folder, monkeypatch, call, said, error):
    def file(old, new):
        """With the one in the place of the other."""
        (folder / "predictions" / "sky.toml").write_text(FILE.replace(old, new))
        return [find(f"sky/{key}") for key in ANSWERS]

    monkeypatch.setenv("COURSEKIT_FOLDED", "1")
    refused(call, said, error, globals(), file=file)


def test_every_question_is_asked_once_in_its_chapter_and_each_answer_has_a_sentence():
    used = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        code = "\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")
        found = re.findall(r'ck\.predict\(\s*"([^"]+)"', code)
        assert all(name.startswith(f"{path.stem}/") for name in found)
        used += found
    assert sorted(used) == sorted(names())
    for question in map(find, used):
        ideas = set(question.answers.values())
        assert all(len(sentence) > 40 and sentence.endswith((".", "?")) for sentence in ideas)
        assert len(ideas) >= 2
        assert len(ideas) == len(question.answers) or question.picture


def test_the_form_of_the_options_tells_no_more_than_chance():
    """The longest option, the first, the last, and the upper half of a scale are right about as often as others."""
    every = [find(name) for name in names()]
    worded = [one for one in every if one.choices and re.search("[a-z]", "".join(one.choices))]
    assert not [one.name for one in worded for option in one.choices if re.search(r"\b(because|since)\b", option)]
    hits = {"longest": [], "upper half": [(one.right > sum(one.slider[:2]) / 2, 1 / 2) for one in every if one.slider]}
    for place in (0, -1):
        hits[place] = [(one.right == one.choices[place], 1 / len(one.choices)) for one in worded]
    for one in worded:
        *_, second, most = sorted(one.choices, key=len)
        hits["longest"] += [(one.right == most, 1 / len(one.choices))] * (len(second) < len(most))
    for form, found in hits.items():
        right, chances = np.array(found, float).T
        assert abs(right.sum() - chances.sum()) <= 2 * np.sqrt(np.sum(chances * (1 - chances))), (form, right.sum())


def sketch(kind, right, draws=None, unit="", **axes):
    figure, made = plt.subplots()
    made.set(**{"xlim": (0, 10), "ylim": (0, 100), "xlabel": "x", "ylabel": "y"} | axes)
    question = Question("", "?", tuple(map(float, right)), {}, draw=kind, picture="Empty axes.", unit=unit)
    drawn = Freehand(figure, question)
    if draws is not None:
        assert drawn.takes(np.array(draws))
    return drawn


DRAWN = {
    "valley": ("curve", [[70, 50, 10, 40, 50], [50, 30, 30, 20, 70]], "%"),  # the mean is lowest in the middle, at 5
    "street": ("street", [(30, 60, 8), (50, 60, 12)], "cm"), "corner": ("path", [(0, 0, 0, 10, 10, 10)], ""),
}
OFF = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))["off"]


@pytest.mark.parametrize(("drawn", "own", "said"), [
    (drawn, own, said) for drawn, table in OFF.items() for own, said in table.items()
])
def test_how_far_a_drawing_is_off_is_told(drawn, own, said):
    kind, draws, unit = DRAWN[drawn]
    assert sketch(kind, draws[0], draws, unit).told(tuple(map(float, own.split(",")))).startswith(said)


def test_the_page_counts_in_shares_and_names_the_places_of_an_axis_of_powers():
    drawn = sketch("curve", (10, 20, 30, 40), xscale="log", xlim=(0.001, 1))
    form = drawn.form()
    assert form["places"] == ["0.001", "0.01", "0.1", "1"]
    assert drawn.answer([0, 0.5, 1, 0.25]) == [0, 50, 100, 25]
    left, top, width, height = form["box"]
    np.testing.assert_allclose([left, 1 - top - height, left + width, 1 - top], drawn.axes.get_position().extents)
    for one, own, shares in (
        (drawn, (0, 50, 100, 25), [0, 0.5, 1, 0.25]),
        (sketch("street", (40, 60, 10), ylim=(-100, 100)), (0, 50, 20), [0.5, 0.75, 0.1]),
        (sketch("path", (0, 0, 5, 50, 10, 100)), (5, 100, 10, 0, 0, 50), [0.5, 1, 1, 0, 0, 0.5]),
    ):
        np.testing.assert_allclose(one.shares(own), shares)


@pytest.mark.parametrize(("kind", "right", "start"), [
    ("curve", (10, 20, 30), [0.5] * 3), ("street", (40, 60, 10), [0.5, 0.5, 0.12]),
    ("path", (1, 90, 2, 10, 9, 20, 5, 50), np.linspace((0.1, 0.9), (0.5, 0.5), 4).ravel()),
])
def test_only_the_ends_of_a_path_are_known_before_the_answer(kind, right, start):
    np.testing.assert_allclose(sketch(kind, right).form()["start"], start)


def test_the_draws_come_with_the_answer_and_are_drawn_into_the_fold(monkeypatch):
    draws = np.array([[-120, -20, 80, 0], [-80, 20, 120, 0]])
    asked = ask("shape", lambda: [draws, "the outcome", plt.subplots()[0]])
    axes = asked.sketch.axes
    known = json.dumps([asked.form.sketch, asked.form.result, asked.form.choices])
    assert not any(secret in known for secret in ("right", "0.75", "-100", "rises"))
    asked._received(asked.form, {"commit": [0.25, 0.5, 0.75, 0.6]}, [])
    assert asked.answer == (-100, 0, 100, 40)
    result = asked.form.result
    assert (result["own"], result["right"]) == ([0.25, 0.5, 0.75, 0.6], [0.25, 0.5, 0.75, 0.5])
    np.testing.assert_allclose(result["draws"], (draws + 200) / 400)
    assert result["said"].startswith("**Close enough.** On average you are 10 km off")
    assert "the outcome" in asked.below.children[1].value
    assert 'alt="A line."' in asked.below.children[2].value  # nothing that was drawn belongs into it
    lines, png = [], asked.sketch.picture.png
    monkeypatch.setattr(asked.sketch.picture, "png", lambda: lines.extend(axes.lines) or png())
    fold = asked.folded()
    assert fold.count("<img") == 3
    assert 'alt="Empty axes. In it what is true, the mean of 2 draws: -100, 0, 100, 0."' in fold
    lines = [line for line in lines if line.get_ydata().size == 4]
    heights = [line.get_ydata() for line in lines]
    np.testing.assert_allclose(heights, np.vstack([draws, draws.mean(axis=0)]) / 400 + 0.5)
    assert not {*lines} & {*axes.lines}


def promises(seed):
    """Percent spam among those of which a nearly unpenalized logistic regression says 0, 1/6, ..., 1."""
    mails, order = ck.datasets.words(), np.random.default_rng(seed).permutation(4210)
    few, rest = order[:100], order[1000:]
    model = make_pipeline(StandardScaler(), LogisticRegression(C=1 / 0.01, solver="newton-cholesky", tol=1e-8))
    said = model.fit(mails.X[few], mails.y[few]).predict_proba(mails.X[rest])[:, 1]
    return [100 * np.mean(mails.y[rest][np.rint(6 * said) == k] > 0) for k in range(7)]


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
    _, _, weights = lars_path(X, data.y - data.y.mean(), method="lasso")
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
    of = ", the mean of 30 draws" if len(seeds) > 1 else ""
    (said,) = re.findall(rf"what is true{of}: ([-\d., ]+)\.", str(cell.outputs))
    np.testing.assert_allclose([float(number) for number in said.split(", ")], mean, atol=exact)
