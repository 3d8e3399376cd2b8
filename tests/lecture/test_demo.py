"""What the lecturer opens: every preset shows what its name says, every error is one sentence.

And the running orders: one truth for the page and for TEACHING.md, and what is voted on stands alone.
"""

import re
import signal
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import coursekit as ck
from coursekit.cli import main
from coursekit.explorers import presets
from coursekit.predictions import question
from coursekit_lecture import lab, running
from coursekit_lecture.serve import Hall

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
OWN = tomllib.loads(Path(__file__).with_name("own.toml").read_text("utf-8"))
NUMBERS = sorted(int(path.name[:2]) for path in NOTEBOOKS.glob("[01][0-9]-*.ipynb"))[1:]
GUIDE = (NOTEBOOKS / "TEACHING.md").read_text("utf-8")
PRESETS = {(explorer, preset) for explorer, show in presets.SHOWS.items() for preset in show["presets"]}


def test_every_explorer_and_every_chapter_has_presets_and_each_is_tested():
    assert set(SHOWN) == PRESETS
    assert set(presets.SHOWS) == set(ck.explorers.__all__)
    assert {show["chapter"] for show in presets.SHOWS.values()} == set(NUMBERS)
    for show in presets.SHOWS.values():
        assert len(show["presets"]) >= 4
        assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name) for name in show["presets"])


def errors(state):
    return state.misclassified


def separable(data):
    return np.isfinite(ck.mistake_bound(data.X, data.y).mistakes)


def changed(explorer, **change):
    """The state after a change of some controls."""
    explorer.set(**change)
    return explorer.state


def costs(before, after):
    """Whether there are more errors on the validation part, and on the training part."""
    return before.share > after.share, before.training_share >= after.training_share


def more_errors_are_cheaper(now, before):
    return now.threshold == now.cheapest and now.share > before.share and now.cost < 0.7 * before.cost


def same_line_of_other_length(before, after):
    return all([
        np.allclose(before.agreements, 4 * after.agreements), np.allclose(before.distances, after.distances),
        before.misclassified == after.misclassified,
    ])


def same_decisions(before, after):
    return np.array_equal(before.when, after.when) and np.allclose(10 * before.theta, after.theta)


SHOWN = {
    ("hyperplane", "mails"): lambda e: errors(e.state) == 7 and separable(e.state.data),
    ("hyperplane", "shadow"): lambda e: abs(e.state.scores[0] - 10) < 0.01,
    ("hyperplane", "cells"): lambda e: errors(e.state) == 0 and "weights" in e.shown,
    ("hyperplane", "barely-separable"): lambda e: errors(e.state) == 0 < changed(e, angle=38).misclassified
    and changed(e, angle=68).misclassified > 0,
    ("hyperplane", "length-moves-no-line"): lambda e: same_line_of_other_length(e.state, changed(e, length=1)),
    ("hyperplane", "separable"): lambda e: errors(e.state) == 0 and separable(e.state.data)
    and not any(changed(e, angle=angle).misclassified for angle in (20, 100)),
    ("hyperplane", "overlap"): lambda e: not separable(e.state.data),
    ("hyperplane", "wrong-way-round"): lambda e: errors(e.state) == len(e.state.data),
    ("hyperplane", "step-too-large"): lambda e: e.state.objective_after > e.state.objective,
    ("perceptron", "mails"): lambda e: separable(e.state.data) and e.state.row.mistake,
    ("perceptron", "by-hand"): lambda e: e.state.trace.mistakes == 9,
    ("perceptron", "separable"): lambda e: e.state.trace.converged and e.state.visit == len(e.state.trace.visits),
    ("perceptron", "barely-separable"): lambda e: separable(e.state.data) and e.state.mistakes > 100,
    ("perceptron", "overlap"): lambda e: not separable(e.state.data) and not e.state.trace.converged,
    ("perceptron", "lambda-too-large"): lambda e: separable(e.state.data) and e.state.trace.cycle,
    ("perceptron", "order-matters"): lambda e: e.state.trace.mistakes > 1.8 * changed(e, order="cyclic").trace.mistakes,
    ("perceptron", "eta-changes-nothing"): lambda e: same_decisions(e.state.trace, changed(e, eta=1).trace),
    ("loss_space", "outlier"): lambda e: (e.state.wrong["squared"], e.state.errors["squared"]) == (4, 6)
    and e.state.arrives["squared"] > 1,
    ("loss_space", "hinge-ignores-it"): lambda e: e.state.prices["hinge"] == 0 == e.state.pulls["hinge"]
    and np.allclose(e.state.before["hinge"], e.state.theta),
    ("loss_space", "ridge-rescues"): lambda e: e.state.errors["squared"] == 4
    and 2 * np.median(e.state.agreements) < np.median(changed(e, lam=0).agreements),
    ("loss_space", "wrong-label"): lambda e: min(e.state.errors.values()) == 6 > max(e.state.wrong.values()),
    ("loss_space", "overlap"): lambda e: e.state.errors["squared"] == max(e.state.errors.values())
    and min(e.state.errors.values()) > 0,
    ("loss_space", "flat-zero-one"): lambda e: e.state.pulls["zero_one"] == 0 < e.state.prices["zero_one"]
    and e.state.theta.tolist() == [1, 1, -1.7],
    ("loss_space", "loss-zero-is-not-enough"): lambda e: np.linalg.norm(e.state.theta[:2]) < 0.01,
    ("loss_space", "step-too-large"): lambda e: "too large to settle" in e.sentence,
    ("descent", "step-too-small"): lambda e: "The walk creeps" in e.sentence,
    ("descent", "step-just-right"): lambda e: "The objective falls at every step" in e.sentence,
    ("descent", "zigzag"): lambda e: "The walk zigzags" in e.sentence,
    ("descent", "step-too-large"): lambda e: "The walk diverges" in e.sentence,
    ("descent", "ravine"): lambda e: "The walk zigzags" in e.sentence,
    ("descent", "other-units"): lambda e: np.allclose(e.state.theta, 1),
    ("descent", "halving"): lambda e: "refused" in e.sentence,
    ("descent", "momentum"): lambda e: "The walk overshoots" in e.sentence,
    ("descent", "lambda-moves-the-minimum"): lambda e: np.linalg.norm(e.state.theta)
    < 0.9 * np.linalg.norm(changed(e, lam=0, k=40).theta),
    ("ravine", "best-step"): lambda e: e.state.arrives == 113
    and max(e.state.leaves) < min(max(changed(e, eta=eta).leaves) for eta in (0.039, 0.0405)),
    ("ravine", "best-pair"): lambda e: e.state.arrives == 23 and np.abs(e.state.errors[:, 1]).max() > 0.75,
    ("ravine", "too-little-momentum"): lambda e: max(e.state.leaves) > 1,
    ("ravine", "too-much-momentum"): lambda e: e.state.arrives > 113 and max(e.state.leaves) < 1,
    ("ravine", "round-bowl"): lambda e: e.state.arrives == 1,
    ("ravine", "nearly-the-same"): lambda e: e.state.curvatures[1] > 4 * e.state.curvatures[0],
    ("sgd", "mails"): lambda e: e.state.path.values[:40].min() < 1.05 * e.state.path.values.min()
    and e.state.path.values[-100:].max() > 1.2 * e.state.path.values.min(),
    ("sgd", "separable"): lambda e: separable(e.state.data) and e.state.path.values[-1] == 0,
    ("sgd", "constant-step"): lambda e: np.ptp(e.state.path.thetas[-100:], axis=0).max() > 1,
    ("sgd", "step-too-large"): lambda e: "outside the picture" in e.sentence,
    ("sgd", "steps-die-out"): lambda e: e.state.path.values[-1] > 1.1 * ck.gradient_descent(
        e.state.objective, ck.steps.constant(0.1), 2000).values.min(),
    ("sgd", "lambda-too-large"): lambda e: e.state.path.values[-1] > 2,
    ("sgd", "all-in-one-batch"): lambda e: np.allclose(e.state.path.thetas, ck.gradient_descent(
        e.state.objective, ck.steps.constant(0.1), 400).thetas, atol=1e-12),
    ("parallel", "averaging-helps"): lambda e: e.state.averaged < min(e.state.as_long, e.state.as_much),
    ("parallel", "averaging-costs-steps"): lambda e: e.state.averaged > max(e.state.as_long, e.state.as_much),
    ("parallel", "nothing-to-average"): lambda e: len(e.state.local) == 1,
    ("parallel", "separable"): lambda e: separable(e.state.data) and e.state.as_long == 0,
    ("parallel", "step-too-large"): lambda e: e.state.averaged > 2 * 0.106,
    ("memory", "two-numbers"): lambda e: e.state.misclassified > 10,
    ("memory", "by-heart"): lambda e: np.allclose(e.state.scores, e.state.data.y),
    ("memory", "more-mails"): lambda e: len(e.state.data) == 200 and e.state.misclassified > 5,
    ("memory", "lambda"): lambda e: e.state.square > 0.3 and e.state.misclassified > 0,
    ("memory", "step-too-large"): lambda e: "diverges" in e.sentence and e.state.square < 1e-9,
    ("regularization", "overfitting"): lambda e: e.state.errors[0] == 0 and e.state.errors[1] > 0.2,
    ("regularization", "lambda-just-right"): lambda e: e.state.errors[1] <= e.state.validation_errors.min() + 1e-3
    and round(30 * e.state.errors[0]) == 1,
    ("regularization", "lambda-too-large"): lambda e: not e.state.theta[:-1].any(),
    ("regularization", "l2-keeps-all"): lambda e: e.state.theta.all(),
    ("regularization", "penalized-bias"): lambda e: abs(e.state.theta[-1]) < 0.5 and e.state.errors[1] > 0.3,
    ("regularization", "twins"): lambda e: e.state.theta[0] == 0 < e.state.theta[2],
    ("regularization", "step-too-large"): lambda e: "descent diverges" in e.sentence,
    ("features", "a-dozen-words"): lambda e: np.count_nonzero(e.state.theta[:-1]) == 13,
    ("features", "refitted"): lambda e: np.count_nonzero(e.state.theta[:-1]) == 13 and e.state.errors[1] < 0.1,
    ("features", "without-george"): lambda e: not {"george", "hp"} & set(e.state.training.features),
    ("features", "shuffled"): lambda e: e.state.shuffled > 24,
    ("features", "twins-together"): lambda e: e.state.theta[[e.state.training.features.index(n)
                                                            for n in ("hp", "hpl")]].all(),
    ("features", "lambda-too-large"): lambda e: not e.state.theta[:-1].any(),
    ("features", "step-too-small"): lambda e: "is still" in e.sentence,
    ("features", "all-words"): lambda e: np.count_nonzero(e.state.theta[:-1]) > 0.9 * len(e.state.training.features),
    ("svm", "hard-margin"): lambda e: "hard margin" in e.sentence and len(e.state.exact.support) == 2,
    ("svm", "barely-separable"): lambda e: "hard margin" in e.sentence and e.state.exact.margin < 0.05,
    ("svm", "mails"): lambda e: len(e.state.exact.support) == 3 and e.state.late == 0 and len(e.state.data) == 24,
    ("svm", "overlap"): lambda e: e.state.late > len(e.state.data) / 2,
    ("svm", "one-outlier"): lambda e: errors(e.state) == 0 and 40 in e.state.exact.support
    and e.state.exact.margin < 0.25 * ck.svm(e.state.data.X[:40], e.state.data.y[:40], 1e-6).margin,
    ("svm", "outlier-forgiven"): lambda e: e.state.agreements[40] < 0 and e.state.exact.margin > 1,
    ("svm", "far-away"): lambda e: errors(e.state) == 16 and 0 < e.state.exact.multipliers[40] < 0.99,
    ("svm", "imbalance"): lambda e: (e.state.data.y < 0).sum() == 4 == errors(e.state)
    and (e.state.agreements[e.state.data.y < 0] < 0).all(),
    ("svm", "lambda-too-large"): lambda e: e.state.late == len(e.state.data),
    ("svm", "step-too-large"): lambda e: e.state.lowest[-1] > 5 * e.state.exact.objective,
    ("multiclass", "nobody-claims-it"): lambda e: (e.state.rest_scores < 0).all() and len(set(e.state.at)) == 3,
    ("multiclass", "several-claim-it"): lambda e: (e.state.rest_scores > 0).sum() == 2,
    ("multiclass", "tied-votes"): lambda e: sorted(e.state.votes) == [0, 2, 2, 2] and e.state.shares[1][1] > 0.1,
    ("multiclass", "no-mans-land"): lambda e: (e.state.votes == 1).all() and e.state.misclassified[1:] == [0, 0],
    ("multiclass", "overlap"): lambda e: min(e.state.misclassified) > 0 and len(set(e.state.misclassified)) == 3,
    ("multiclass", "step-too-small"): lambda e: e.state.shares[0][1] > 0.9,
    ("multiclass", "no-doubt"): lambda e: not e.regions.nobody.get_visible() and not e.regions.doubts[0].get_visible(),
    ("real_data", "mails"): lambda e: e.state.share < 0.1 and e.state.opened == 0 and len(e.state.shown) == 1852,
    ("real_data", "ten-to-one"): lambda e: more_errors_are_cheaper(e.state, changed(e, threshold=0.0)),
    ("real_data", "digits"): lambda e: e.state.dataset == "digits" and e.state.wrong == 1,
    ("real_data", "two-pixels-are-few"): lambda e: e.state.wrong == 8,
    ("real_data", "small-validation-part"): lambda e: len(e.state.validation) == 20 and round(100 * e.state.give) == 5,
    ("real_data", "lambda-too-small"): lambda e: costs(e.state, changed(e, lam=0.00316)) == (True, False),
    ("real_data", "lambda-too-large"): lambda e: costs(e.state, changed(e, lam=0.00316)) == (True, True),
    ("real_data", "step-too-small"): lambda e: np.linalg.norm(ck.Objective(
        e.state.train.X, e.state.train.y, ck.losses.logistic, lam=0.01).slope(e.state.theta)) > 0.5,
}


@pytest.mark.parametrize(("explorer", "name"), list(SHOWN), ids=map(" ".join, SHOWN))
def test_a_preset_shows_what_its_name_says(made, explorer, name):
    shown = made(explorer)
    shown.set(presets.line(explorer, name))
    assert SHOWN[explorer, name](shown)


def test_the_list_names_every_preset_and_its_point(capsys):
    main(["demo"])
    out = capsys.readouterr().out
    for explorer, show in presets.SHOWS.items():
        assert f"{explorer} (chapter {show['chapter']}): {show['about']}" in out
        assert all(name in out and preset["point"] in out for name, preset in show["presets"].items())


def test_every_command_of_the_guide_is_a_known_preset():
    named = re.findall(r"`coursekit demo\s+(\w+)\s+([\w/-]+)`", GUIDE)
    assert len(named) == len(re.findall(r"`coursekit demo\s", GUIDE))
    assert {*named} <= PRESETS | {("predict", name) for name in question.names()}


def test_a_demo_has_all_presets_of_its_explorer_and_the_other_explorers_at_hand():
    for explorer, preset, begin in (("svm", "one-outlier", 4), ("svm", "lam=0.5 seed=3", 0), ("loss_space", "", 0)):
        order = running.read(f"{explorer} {preset}".strip())
        assert order.steps[order.begin].show == f"{explorer} {preset}"
        assert order.begin == begin
        shown = [tuple(step.show.split(" ", 1)) for step in order.shown]
        assert {(explorer, name) for name in presets.SHOWS[explorer]["presets"]} <= {*shown}
        assert {name for name, _ in shown} == {*presets.SHOWS}


def test_without_voila_it_says_how_to_get_it(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("coursekit_lecture.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "voila.app", None)
    with pytest.raises(SystemExit, match=r'^coursekit demo: voila.* is not .* pip install "linear-classi'):
        main(["demo", "svm"])


def test_listing_and_errors_start_neither_plots_nor_widgets():
    """They must come at once. In a Python of its own, where nothing is loaded yet."""
    script = (
        "import sys\nfrom coursekit.cli import main\nmain(['demo'])\ntry:\n    main(['demo', 'svn'])\n"
        "except SystemExit as error:\n    print(error)\n"
        "print({'matplotlib', 'ipywidgets', 'voila'} & set(sys.modules))")
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout
    assert "one-outlier" in said
    assert "explorer must be" in said
    assert said.endswith("set()\n")


def test_voila_listens_here_alone_sends_at_once_and_takes_no_wishes(monkeypatch, tmp_path):
    """As the server is started, whatever a settings file in this folder says."""
    from voila.app import Voila

    (tmp_path / "voila.json").write_text('{"Voila": {"ip": "0.0.0.0", "token": ""}}')
    monkeypatch.chdir(tmp_path)
    started = []
    monkeypatch.setattr(Voila, "start", lambda self: started.append((self, self.init_settings())))
    before = signal.getsignal(signal.SIGTERM)
    try:
        main(["demo", "svm", "hard-margin", "--no-browser"])
    finally:
        signal.signal(signal.SIGTERM, before)
        Hall.clear_instance()
    (voila, settings), = started
    assert settings["kernel_websocket_connection_class"] is lab.PromptConnection
    assert (voila.ip, len(voila.token) >= 32) == ("localhost", True)
    chosen = voila.voila_configuration
    assert (chosen.allow_template_override, chosen.allow_theme_override) == ("NO", "NO")
    assert not Path(voila.notebook_path).exists()  # nothing stays behind


CHAPTERS = sorted(path.stem for path in running.COURSE.glob("*.toml"))
VOTES = [step for name in CHAPTERS for step in running.read(name).steps if step.vote]


def test_the_guide_is_made_from_the_running_orders():
    assert running.teaching() == GUIDE
    assert sorted(path.stem for path in NOTEBOOKS.glob("[01][0-9]-*.ipynb") if path.stem[:2] != "00") == CHAPTERS


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_lecture_begins_at_0_fits_its_minutes_and_shows_what_there_is(name):
    order = running.read(name)
    minutes = [step.minute for step in order.steps]
    assert minutes[0] == 0
    assert minutes == sorted(set(minutes))
    assert minutes[-1] < order.minutes == 45
    assert len(order.points) == 3
    assert presets.SHOWS[re.search(r"`coursekit demo (\w+)", order.open)[1]]["chapter"] == int(name[:2])
    assert "?" in order.ask
    assert re.search(r"\*[^*]+\*", order.misconception)
    for step in order.shown:
        assert bool(step.show) + bool(step.vote) + bool(step.screen) == 1
        assert step.minute is None or step.say
        for line in filter(None, (step.show, step.picture)):
            explorer, controls = running.explorer(line)
            assert explorer in presets.SHOWS
            assert "=" in controls
    line = next(step.show for step in order.steps if step.show)
    named = replace(order, misconception=f"Open `coursekit demo {line}`.")  # which is a step already
    assert line not in [step.show for step in named.shown[len(order.steps):]]
    titles = [step.title for step in order.shown]
    assert len({*titles}) == len(titles)
    assert max(map(len, titles)) <= 24  # a strip of a dozen is read at a glance


@pytest.mark.parametrize("step", VOTES, ids=lambda step: step.vote)
def test_a_vote_stands_alone(step):
    """In the hall nobody sees the chapter: what is asked about is said, or shown beside it."""
    assert step.asks.name.partition("/")[0] in CHAPTERS
    assert len(step.asked.split()) <= 60
    assert not re.search(r"\b(again|these|once more|the same|our)\b|\bThe line (?!x)", step.asked)
    assert bool(step.picture) + bool(step.code) + bool(step.table) + bool(step.asks.picture) == 1
    assert len({len(row) for row in step.table}) <= 1


def test_a_lecture_of_ones_own_is_read_and_each_fault_named(tmp_path):
    file = tmp_path / "mine.toml"
    (tmp_path / "flowers.csv").write_text("length,width,kind\n1,2,rose\n2,1,lily\n3,3,rose\n")
    file.write_text(OWN["lecture"])
    order = running.read(str(file))
    assert order.steps[1].asks.choices == ["wider", "narrower"]
    data = running.table(order.folder / "flowers.csv", "kind", ["width"])
    assert (data.X.tolist(), data.y.tolist(), data.classes) == ([[2], [1], [3]], [1, -1, 1], ("lily", "rose"))
    (tmp_path / "german.csv").write_bytes("Länge;Blatt breit;Art\r\n5,1;3,5;Rose\r\n4;2.5;Lilie\r\n".encode("cp1252"))
    data = running.table(tmp_path / "german.csv", "Art", [])
    assert (data.X.tolist(), data.features, data.classes) == ([[5.1, 3.5], [4, 2.5]], ("Länge", "Blatt breit"),
                                                              ("Lilie", "Rose"))  # fmt: skip
    (tmp_path / "gaps.csv").write_text("length,width,kind\n1,2,rose\n3,,lily\n")
    for there, instead, said in OWN["faults"]:
        assert there in OWN["lecture"]
        file.write_text(OWN["lecture"].replace(there, instead))
        with pytest.raises(ValueError, match=f"mine.toml: {said}"):
            running.read(str(file))
    with pytest.raises(ValueError, match=r"lecture must be a chapter, one of 01-linear.*, or a file .*; got '12'"):
        running.read("12")
    assert running.read("2") == running.read("02") == running.read("02-perceptron")
