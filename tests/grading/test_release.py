"""Exercises are made from the solutions, their cases drawn, their parts counted; what a student wrote is never lost."""

import json
import os
import platform
import re
import subprocess
import sys
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from coursekit.grading import NotYet, check
from coursekit_grade import command, edges, protocol
from coursekit_grade.draws import labels, quarters, scene
from coursekit_grade.exercise import Answered
from coursekit_grade.mark import check_source, grade_notebook
from coursekit_grade.newtask import new_task
from coursekit_grade.release import exercise, public, release
from coursekit_grade.sandbox import Box
from coursekit_grade.solutions import Course, assignments
from tests.grading.shared import COURSE, ROOT, folder
from tests.grading.small import ANSWER, TASKS, answer_cell, course, solved

SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
TABLES = tomllib.loads(Path(__file__).with_name("release.toml").read_text("utf-8"))
CASES = "{rng.integers(9), 0}"
MISTAKE = '(then(lambda number: -number), "Your sign is turned round.")'


@pytest.mark.parametrize("source", SOLUTIONS, ids=lambda p: p.stem)
def test_a_solution_is_valid_for_nbgrader_and_makes_the_exercise(source):
    assert {e.relative_to(ROOT / "exercises") for e in ROOT.glob("exercises/*/*.ipynb")} == {
        s.relative_to(ROOT / "solutions") for s in SOLUTIONS}
    committed = ROOT / "exercises" / source.parent.name / source.name
    assert committed.read_text("utf-8") == nbformat.writes(exercise(source)) + "\n"
    cells = {c.id: c for c in nbformat.read(source, as_version=4).cells if "nbgrader" in c.metadata}
    for cell in cells.values():
        flags = cell.metadata.nbgrader
        assert (flags.schema_version, flags.grade_id) == (3, cell.id)
        assert {flags.grade, flags.locked, flags.solution, flags.task} <= {True, False}
        assert ("points" in flags) == flags.grade
        assert not (flags.solution and flags.locked)
    for task, points in COURSE.points[source.parent.name].items():
        assert cells[task].metadata.nbgrader.solution
        assert f"def {task}(" in cells[task].source
        check = cells[f"{task}-check"]
        assert (check.source, check.metadata.nbgrader.locked) == (check_source(task), True)
        assert check.metadata.nbgrader.points == points > 0


def cells_run(path, capsys):
    """(cell, whether it ran without an error, what it said, the error) of a notebook, as a student runs it."""
    shell = InteractiveShell()
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            ran = shell.run_cell(cell.source)
            yield cell, ran.success, capsys.readouterr().out, ran.error_in_exec


@pytest.mark.parametrize("source", SOLUTIONS, ids=lambda p: p.stem)
def test_an_untouched_exercise_says_one_sentence_a_task_and_a_solution_what_is_stored(
    source, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    first, *_ = tasks = COURSE.points[source.parent.name]
    assert not InteractiveShell().run_cell(check_source(first)).success
    assert capsys.readouterr().out.startswith(f"There is no {first} yet: run the cell above, which defines it, then")
    refused = []
    for cell, success, said, error in cells_run(ROOT / "exercises" / source.parent.name / source.name, capsys):
        if cell.metadata.get("nbgrader", {}).get("grade"):
            assert " ".join(said.split()) == str(error)  # no stack
            assert "is not written yet" in said
            refused.append(cell.metadata.nbgrader.grade_id)
        else:
            assert success
    assert refused == [f"{task}-check" for task in tasks]
    for cell, success, said, _ in cells_run(source, capsys):
        assert success
        assert said == "".join(output.text for output in cell.outputs) or cell.source == "progress()"


def test_answers_outputs_and_widget_states_are_gone(tmp_path):
    cell = answer_cell()
    cell.outputs = [nbformat.v4.new_output("stream", text="1")]
    path = course(tmp_path, cell)
    notebook = nbformat.read(path, as_version=4)
    why = "<!-- BEGIN SOLUTION -->\nBecause 1 is what is asked for.\n<!-- END SOLUTION -->"
    notebook.cells[1:1] = [nbformat.v4.new_markdown_cell(text) for text in (why, f"\n{why}", "For students.")]
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    nbformat.write(notebook, path)
    written, stored = release(tmp_path)
    assert stored == written.with_name("checks.json")
    assert written == tmp_path / "exercises" / "01-topic" / "topic.ipynb"
    made = nbformat.read(written, as_version=4)
    stub = 'def f(x):\n    if x:\n        raise NotImplementedError("write your answer here")\n    return 2'
    assert made.cells[0].source == stub
    assert (made.cells[0].outputs, made.cells[0].execution_count) == ([], None)
    assert made.cells[0].metadata == cell.metadata
    assert [c.source for c in made.cells if c.cell_type == "markdown"] == ["For students."]
    assert "widgets" not in made.metadata


def test_released_again_only_where_the_source_changed(tmp_path):
    path = course(tmp_path)
    written, stored = release(tmp_path)
    assert release(tmp_path) == []
    other = ANSWER.replace("return 1", "return 3")
    course(tmp_path, answer_cell(other))
    assert release(tmp_path) == [stored]
    course(tmp_path, answer_cell(other.replace("f(x)", "f(x, y=0)")))
    assert release(tmp_path) == [written]
    assert path.read_text().count("SOLUTION") == 2


def test_what_somebody_worked_in_is_never_overwritten_and_what_was_only_run_is(tmp_path):
    course(tmp_path)
    written, stored = release(tmp_path)
    fresh, notebook = written.read_bytes(), nbformat.read(written, as_version=4)
    notebook.cells[0].execution_count = 1
    nbformat.write(notebook, written)
    assert release(tmp_path) == [written]
    assert written.read_bytes() == fresh
    written.unlink()
    course(tmp_path, tasks=TASKS.replace("Think.", "Think again."))
    assert release(tmp_path) == [written, stored]
    for path, old, new in ((written, b"raise", b"return 7 #"), (stored, b"Think again.", b"Think, think.")):
        released = path.read_bytes()
        assert old in released
        for content in (released.replace(old, new), b"", b"{", b"[1, 2]", b'{"cells": 3}', b"by hand", b"\xff\x00"):
            path.write_bytes(content)
            with pytest.raises(ValueError, match=rf"{path.name} was changed .* move it away"):
                release(tmp_path)
            assert path.read_bytes() == content
        path.write_bytes(released)


def test_a_fault_in_tasks_or_answers_is_one_sentence_with_its_place(tmp_path, monkeypatch):
    """Also what would fail at a student."""
    monkeypatch.setattr(edges, "SECONDS", 0.2)
    in_tasks = [((), old.replace("MISTAKE", MISTAKE), new, f"tasks.py, line {line}" if line else "tasks.py ", why)
                for old, new, line, why in TABLES["faults"]]
    in_answers = [([answer_cell(), answer_cell(source, "g")], CASES, CASES, "topic.ipynb, cell 'g'", why)
                  for source, why in TABLES["markers"]]
    at_a_student = [([solved(answer)], CASES, f"[{argument}]", "tasks.py, line 3, task f: ", why)
                    for answer, argument, why in TABLES["refused"]]
    for cells, old, new, place, why in in_tasks + in_answers + at_a_student:
        assert old in TASKS
        path = course(tmp_path, *cells, tasks=TASKS.replace(old, new))
        with pytest.raises(ValueError, match=why) as caught:
            release(tmp_path)
        assert str(caught.value).startswith(str(path.with_name(place)))
        assert "\n" not in str(caught.value)
    assert not (tmp_path / "exercises").exists()


def test_a_loop_is_stopped_though_an_interruption_is_swallowed(monkeypatch):
    """As in the garbage collector's callbacks, and in __del__."""
    end = time.monotonic() + 20

    class Busy:
        def __del__(self):
            while time.monotonic() < end:
                pass

    def loop():
        Busy()  # gone at once
        while time.monotonic() < end:
            pass

    swallowed = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: swallowed.append(told.object))
    monkeypatch.setattr(edges, "SECONDS", 0.02)
    with pytest.raises(ValueError, match=r"it was still running after 0\.02 seconds"), edges.in_time():
        loop()
    assert swallowed


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="no clock for a thread")
def test_what_others_compute_meanwhile_does_not_count(monkeypatch):
    monkeypatch.setattr(edges, "SECONDS", 0.05)
    with ThreadPoolExecutor(1) as other, edges.in_time():
        assert other.submit(sum, range(10**7)).result()


def test_other_bad_sources(tmp_path):
    with pytest.raises(ValueError, match="root must be a folder"):
        release(tmp_path)
    twin = answer_cell()
    twin.id = "other"
    path = course(tmp_path, answer_cell(), twin)
    with pytest.raises(ValueError, match="grade_id 'f' is used twice"):
        release(tmp_path)
    text = path.read_text()
    for broken in ("{", text.replace('"other"', '"f"'), text.replace('"nbformat_minor": 5', '"nbformat_minor": 4')):
        path.write_text(broken)
        with pytest.raises(ValueError, match=r"topic.ipynb is not a valid notebook"):
            release(tmp_path)
    assert not (tmp_path / "exercises").exists()


def drawn(root, answer, cases, wrong=MISTAKE):
    """The task of a course whose cases are these alone."""
    course(root, solved(answer), tasks=TASKS.replace(CASES, f"{cases}").replace(MISTAKE, wrong))
    return assignments(root)[0].exercises["f"]


def test_arguments_of_any_form_reach_a_student_as_they_are(tmp_path, monkeypatch):
    cases = ("[float('nan'), [[1.5], [2.0, float('nan')]], {'a': [1, (2.5,)], 2: 'b'}, 'text', "
             "np.array([np.nan, 1]), np.array([], int), None]")
    drawn(tmp_path, f"return 1 if str(x) in map(str, {cases}) else 0", cases)
    assert len(release(tmp_path)) == 2
    monkeypatch.chdir(tmp_path / "exercises" / "01-topic")
    with pytest.raises(NotYet, match="Your sign is"):
        check("f", lambda x: -1)
    check("f", lambda x: 1)


def test_the_rounding_of_a_process_and_its_solvers_stay_as_they_are(tmp_path):
    """While a function is called in another thread, and when it fails there."""
    main, seen, one, three = threading.get_ident(), [], 1.0, 3.0

    def third(x):
        with ThreadPoolExecutor(1) as other:
            seen.append((threading.get_ident() == main, one / three, np.linalg.inv([[4.0]])[0, 0],
                         other.submit(np.linalg.inv, [[4.0]]).result()[0, 0]))
        return 1 // (len(seen) != 3)

    exercise = drawn(tmp_path, "return 0", "[1.0]")
    exercise.right = third
    assert exercise.off_edges([Answered((0.1,), third(0.1), (), ())]) == [False]
    (here, ours, right, _), (there, up, near, elsewhere), (_, down, *_) = seen
    assert (here, there, right, elsewhere) == (True, False, 0.25, 0.25)
    assert 0 < abs(near - 0.25) < 1e-8
    assert up >= ours >= down
    assert (up > down) == (platform.machine() in edges._MODES and platform.system() != "Windows")
    assert one / three == 1 / 3
    assert np.linalg.inv([[4.0]])[0, 0] == 0.25


def test_a_mistake_that_changes_its_argument_changes_no_case(tmp_path):
    exercise = drawn(tmp_path, "return 1", "[[1.5]]", '(lambda x: x.append(2) or len(x), "Your list grows.")')
    assert all(case == ([1.5],) for case in public(exercise).cases)


TWO_MORE = '(then(lambda number: 2 + number), "No.")'


@pytest.mark.parametrize(("test", "cases"), [
    ("sum(x) > 0.6", [(1.0, 1.0), (0.1, 0.2, 0.3)]),  # 0.6000000000000001, and 0.6 the other way round
    ("x[0] / 49 * 49 < x[0]", [(98.0,), (1.0,)]),
])
def test_an_answer_that_hangs_on_a_last_bit_is_refused_and_a_grader_draws_another(tmp_path, test, cases):
    exercise = drawn(tmp_path, f"return 1 if {test} else 0", cases, TWO_MORE)
    with pytest.raises(ValueError, match=r"line 3, task f: case 2 of draw 1 hangs on a last bit, .* two values tie"):
        release(tmp_path)
    assert set(exercise.fresh(0)[0].cases) == {(cases[0],)}
    with pytest.raises(ValueError, match="line 3, task f: each of its cases hangs on a last bit"):
        drawn(tmp_path, f"return 1 if {test} else 0", cases[1:], TWO_MORE).fresh(0)  # else any answer were right


def test_ties_are_exact_and_where_a_mistake_hangs_on_a_last_bit_is_passed_over(tmp_path):
    ties = (0.25, 0.5, -0.75), (3.0, -3.0)
    exercise = drawn(tmp_path, "return 1 if sum(x) >= 0 else 0", ties, TWO_MORE)
    assert set(public(exercise).cases) == set(exercise.fresh(0)[0].cases) == {(x,) for x in ties}
    mistake = '(then(lambda number, x: number + (sum(x) > 0.6)), "No.")'
    exercise = drawn(tmp_path, "return 1 if sum(x) > 0 else 0", [(0.1, 0.2, 0.3), (1.0, 1.0)], mistake)
    assert set(public(exercise).cases) == {((1.0, 1.0),)}


def test_a_draw_that_the_solution_hardly_passes_is_passed_over_and_told(tmp_path, capsys):
    """There luck would decide about others that are as good."""
    answer = solved("return np.array([1.0, 0.0])").source.replace("(x)", "(X, y)")
    course(tmp_path, answer_cell(answer), tasks="""import numpy as np
from coursekit_grade.tasks import task

def cases(rng):
    wrong = rng.choice([44, 46, 49])
    y = np.r_[np.ones(50), -np.ones(50)]
    X = np.where(np.arange(100) % 50 < wrong / 2, -y, y)[:, None]
    X[0] = y[0] * (wrong % 2 * 2 - 1)
    return [((X, y), (X, y))]

task("f", returns="theta", accuracy=0.5, mistakes=[], hints=["Think."], cases=cases)
""")
    exercise = assignments(tmp_path)[0].exercises["f"]
    for seed in range(9):
        first = int(np.random.default_rng([seed, *b"f"]).choice([44, 46, 49]))
        task, failures = exercise.fresh(seed)
        (X, y), = task.right
        assert (X[:, 0] != y).sum() == 44
        assert bool(failures) == (first > 44)
    public(exercise)  # a student's own is passed by what hardly passes
    cell = answer_cell("def f(X, y): return [1, 0]")
    folder(tmp_path / "in", {"ann.ipynb": json.dumps({"cells": [cell]}).encode()})
    failing = next(seed for seed in range(9) if exercise.fresh(seed)[1])
    assert command.grade(command.Options(tmp_path / "in", tmp_path / "out", tmp_path, seed=failing))
    assert "Draws that failed, in whose place the next ones were taken:\n  " in capsys.readouterr().out


def test_what_is_stored_is_without_noise(tmp_path):
    """Nor is a short number stored that another processor rounds to the other side."""
    values = [8.9e-31, -0.0, 1.0078125, 1.0078125 - 2**-52, 1 / 3]
    stored = drawn(tmp_path, "return 0", "[1.0]").expected(np.array(values))[0]
    assert list(map(str, stored)) == ["0.0", "0.0", "1.007813", "1.007813", "0.3333333"]


@pytest.mark.parametrize(("n", "d", "ties"), [(5, 2, 0), (6, 2, 2), (4, 1, 1), (7, 4, 3)])
def test_draws(n, d, ties):
    seen = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        drawn, y = quarters(rng, n, d), labels(rng, n)
        assert (drawn.shape, len(y), set(y)) == ((n, d), n, {-1.0, 1.0})
        assert np.array_equal(drawn * 4, np.round(drawn * 4))
        X, theta = scene(rng, n, d, ties)
        assert ((X @ theta[:-1] + theta[-1] == 0) == (np.arange(n) < ties)).all()
        unit = theta / np.linalg.norm(theta[:-1])
        assert (X[:ties] @ unit[:-1] + unit[-1] == 0).all()
        assert len(set(theta)) == d + 1
        assert d == 1 or {*np.sign(theta[:-1])} >= {-1.0, 1.0}
        assert abs(theta[:-1].sum()) >= 0.5
        seen.append((drawn.min(), drawn.max(), y[0], y[-1]))
    assert np.ptp(seen, axis=0).all()
    assert (min(low for low, *_ in seen), max(high for _, high, *_ in seen)) == (-2, 2)


def test_check_says_what_is_right_already(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotYet, match=r"Right already: squared_hinge, logistic_2 \(2 of 3 points\)\.$"):
        check("slopes", lambda z: (-2 * np.maximum(0, 1 - z), np.exp(-z), -1 / ((1 + np.exp(z)) * np.log(2))))


def parted(root, parts='{"a": 0.1, "b": 0.2}'):
    tasks = TASKS.replace('"number"', f'("a", "b"), parts={parts}').replace("lambda number:", "b=lambda number:")
    course(root, solved("return x, 1 + x"), tasks=tasks, points=0.3)
    return Course(root)


def test_parts_must_be_all_that_is_returned_and_add_up(tmp_path):
    for parts in ('{"a": 0.3}', '{"b": 0.1, "a": 0.2}', '{"a": 0.3, "b": 0}', '{"a": 0.1, "b": 0.1}'):
        with pytest.raises(ValueError, match="line 3, task f: parts must give a, b, in this order, points above 0"):
            public(parted(tmp_path, parts).assignments["01-topic"].exercises["f"])
    (task,) = parted(tmp_path).assignments["01-topic"].exercises.values()
    assert public(task).parts == (0.1, 0.2)  # which make more than 0.3 in binary


def test_a_part_after_a_cell_that_waited_is_left_ungraded_like_the_rest(tmp_path, monkeypatch):
    drawn = parted(tmp_path).drawn("01-topic", 7)

    def marked(*sources):
        cells = [{"cell_type": "code", "source": source} for source in sources]
        (task,) = grade_notebook(json.dumps({"cells": cells}).encode(), drawn, Box(open=True)).tasks
        return task.points, task.right, bool(task.ungraded)

    assert marked("def f(x): return x, 0 * x") == (0.1, "a", False)
    monkeypatch.setattr(protocol, "WAIT_SECONDS", 1.0)
    assert marked("import time; time.sleep(99)", "def f(x): return x, 0 * x") == (0, "", True)


# A task that is added: as CONTRIBUTING.md tells it, and by the command.

RUN = """
import sys, nbformat
from coursekit.grading import NotYet
space = {}
try:
    for cell in nbformat.read(sys.argv[1], 4).cells:
        if cell.cell_type == "code":
            exec(cell.source, space)
except NotYet as error:
    print(error)
"""


def ran(arguments, folder):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(arguments, env={**os.environ, "PATH": path}, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_page_is_followed_step_by_step(tmp_path):
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Add a task")[1].split("\n## ")[0]
    here, path, out, compared = tmp_path, None, "", 0
    for before, kind, block in re.findall(r"(.*?)```(\w+)\n(.*?)```", page, re.S):
        named = re.findall(r"`(\w+/[^`]+\.(?:py|ipynb))`", before)
        path = here / named[-1] if named else path  # a block of Python goes into the file that was named last
        if kind == "sh":
            out = ran(["bash", "-e", "-c", f"{block}\npwd > {tmp_path}/where"], here)
            here = Path((tmp_path / "where").read_text().strip())
        elif kind == "python" and path.suffix == ".py":
            assert path.exists()
            path.write_text(block)
        elif kind == "python":
            notebook, head = nbformat.read(path, 4), block.split("(")[0]
            (cell,) = [c for c in notebook.cells if c.cell_type == "code" and c.source.startswith(head + "(")]
            cell.source = block
            nbformat.write(notebook, path)
            if "exercises" in path.parts:
                out = ran([sys.executable, "-P", "-c", RUN, str(path)], path.parent)
        else:
            assert kind == "text"
            assert out == block
            compared += 1
    assert compared == 3


def test_what_it_writes_is_a_task_that_releases_and_grows(tmp_path):
    new_task(tmp_path, "01-means", "center")
    release(tmp_path)
    before = [path.read_text() for path in new_task(tmp_path, "01-means", "spread", 2)]
    new_task(tmp_path, "02-more-means", "middle")
    source, tasks = new_task(tmp_path, "01-means", "third")
    assert tasks.read_text().startswith(before[1])
    cells = [c.id for c in nbformat.read(source, 4).cells]
    assert cells[-3:] == ["third-text", "third", "third-check"]
    assert [c.id for c in nbformat.reads(before[0], 4).cells] == cells[:-3]
    assert len(release(tmp_path)) == 4
    points = Course(tmp_path).points
    assert points == {"01-means": {"center": 1, "spread": 2, "third": 1}, "02-more-means": {"middle": 1}}


def test_a_notebook_without_tasks_and_tasks_without_a_notebook_are_kept(tmp_path):
    lecture = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Mine.", id="mine")])
    folder(tmp_path / "solutions" / "01-means", {"lecture.ipynb": nbformat.writes(lecture).encode(),
                                                 "tasks.py": b"from coursekit_grade.tasks import task  # mine"})
    source, tasks = new_task(tmp_path, "01-means", "center")
    assert source.name == "lecture.ipynb"
    assert nbformat.read(source, 4).cells[0].source == "Mine."
    assert tasks.read_text().startswith("from coursekit_grade.tasks import task  # mine\n")
    new_task(tmp_path, "01-means", "spread")
    cells = nbformat.read(release(tmp_path)[0], 4).cells
    assert [c.id for c in cells if "import hint" in c.source] == ["import-check"]
    assert [c.id for c in cells][1:3] == ["import-check", "center-text"]


BAD = {"03-two": dict.fromkeys(("a.ipynb", "b.ipynb"), nbformat.writes(nbformat.v4.new_notebook()).encode()),
       "04-broken": {"broken.ipynb": b"{"}}
REFUSED = [
    *[(assignment, "spread", "two digits and a topic") for assignment in ("means", "01-Means", "../01-means")],
    *[("01-means", name, f"got '{name}'") for name in ("two words", "sum", "lambda", "check")],
    ("02-more", "center", r"means.ipynb has a cell for center already"),
    ("03-two", "spread", "must hold one notebook; it holds 2"),
    ("04-broken", "spread", "broken.ipynb is not a valid notebook"),
]


def test_what_it_refuses_changes_nothing(tmp_path):
    with pytest.raises(ValueError, match="the course must be a folder"):
        new_task(tmp_path / "nowhere", "01-means", "center")
    new_task(tmp_path, "01-means", "center")
    for assignment, name, told in REFUSED:
        folder(tmp_path / "solutions" / assignment, BAD.get(assignment, {}))
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        with pytest.raises(ValueError, match=told):
            new_task(tmp_path, assignment, name)
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
