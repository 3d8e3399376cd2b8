"""Exercises are made from the solutions; what a student wrote is never lost."""

import copy
import platform
import subprocess
import sys
import threading
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from coursekit.checking import NotYet, check, checks
from coursekit.grading import course as courses
from coursekit.grading import edges
from coursekit.grading.course import Course
from coursekit.grading.mark import check_source
from coursekit.grading.release import exercise, release

ROOT = Path(__file__).parents[2]
POINTS = Course(ROOT).points
SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
ANSWER = "def f(x):\n    if x:\n        ### BEGIN SOLUTION\n        return 1\n        ### END SOLUTION\n    return 2"


TASKS = """import numpy as np; from coursekit.grading.tasks import task, then

task("f", returns="number", cases=lambda rng: [(x,) for x in {rng.integers(9), 0}],
     mistakes=[(then(lambda number: -number), "Your sign is turned round.")], hints=["Think."])
"""


def course(tmp_path, *cells, tasks=TASKS):
    path = tmp_path / "solutions" / "01-topic" / "topic.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=[*cells, check_cell()]), path)
    (path.parent / "tasks.py").write_text(tasks)
    return path


def check_cell():
    cell = new_code_cell('check("f", f)', id="f-check")
    cell.metadata["nbgrader"] = {"grade_id": "f-check", "grade": True, "points": 2, "locked": True}
    return cell


def answer_cell(source=ANSWER, grade_id="f"):
    cell = new_code_cell(source, id=grade_id, execution_count=3)
    cell.metadata["nbgrader"] = {"grade_id": grade_id, "solution": True}
    return cell


@pytest.mark.parametrize("source", SOLUTIONS, ids=lambda p: p.stem)
def test_committed_exercise_is_what_release_makes(source):
    committed = ROOT / "exercises" / source.parent.name / source.name
    assert committed.read_text("utf-8") == nbformat.writes(exercise(source)) + "\n"


def test_every_assignment_has_its_solution_and_every_exercise_a_source():
    assert [s.parent.name for s in SOLUTIONS] == sorted(POINTS)
    assert [e.parent.name for e in sorted((ROOT / "exercises").glob("*/*.ipynb"))] == sorted(POINTS)


@pytest.mark.parametrize("source", SOLUTIONS, ids=lambda p: p.stem)
def test_cells_are_valid_for_nbgrader_and_agree_with_the_tasks(source):
    tasks = POINTS[source.parent.name]
    cells = {
        c.metadata.nbgrader.grade_id: c
        for c in nbformat.read(source, as_version=4).cells
        if "nbgrader" in c.metadata
    }
    for cell in cells.values():
        flags = cell.metadata.nbgrader
        assert flags.schema_version == 3
        assert {flags.grade, flags.locked, flags.solution, flags.task} <= {True, False}
        assert ("points" in flags) == flags.grade
        assert not (flags.solution and flags.locked)
    for task in tasks:
        assert cells[task].metadata.nbgrader.solution
        assert f"def {task}(" in cells[task].source
        test = cells[f"{task}-check"]
        assert test.source == check_source(task)
        assert test.metadata.nbgrader.locked
        assert test.metadata.nbgrader.points == tasks[task] > 0
    assert sum(c.metadata.nbgrader.get("points", 0) for c in cells.values()) == sum(tasks.values())


def released(source):
    return ROOT / "exercises" / source.parent.name / source.name


def test_in_a_kernel_an_untouched_exercise_says_one_sentence_a_task(tmp_path):
    source = SOLUTIONS[0]
    notebook = nbformat.read(released(source), as_version=4)
    first = next(k for k, c in enumerate(notebook.cells) if c.metadata.get("nbgrader", {}).get("grade"))
    notebook.cells.insert(0, copy.deepcopy(notebook.cells[first]))  # before all others
    notebook.cells[0].id = "early"
    NotebookClient(notebook, kernel_name="python3", allow_errors=True, timeout=120,
                   resources={"metadata": {"path": str(tmp_path)}}).execute()
    checks = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")]
    errors = [[o for o in c.outputs if o.output_type == "error"] for c in checks]
    assert [len(error.traceback) for (error,) in errors] == [1] * (1 + len(POINTS[source.parent.name]))
    assert errors[0][0].evalue.startswith("There is no one_line yet: run the cell above, which defines it")


@pytest.mark.parametrize("source", SOLUTIONS, ids=lambda p: p.stem)
def test_an_untouched_exercise_passes_no_check(source, tmp_path, monkeypatch):
    """That each solution passes all of its own, as a student runs it, is tested with the notebooks."""
    monkeypatch.chdir(tmp_path)
    space, refused = {}, []
    for cell in nbformat.read(released(source), as_version=4).cells:
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade"):
            with pytest.raises(NotYet, match="is not written yet"):
                exec(cell.source, space)
            refused.append(cell.metadata.nbgrader.grade_id)
        elif cell.cell_type == "code":
            exec(cell.source, space)
    assert refused == [f"{task}-check" for task in POINTS[source.parent.name]]


def test_answers_outputs_and_widget_states_are_gone(tmp_path):
    cell = answer_cell()
    cell.outputs = [nbformat.v4.new_output("stream", text="1")]
    path = course(tmp_path, cell)
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    nbformat.write(notebook, path)
    written, stored = release(tmp_path)
    assert stored == written.with_name("checks.json")
    assert written == tmp_path / "exercises" / "01-topic" / "topic.ipynb"
    made = nbformat.read(written, as_version=4)
    assert made.cells[0].source == (
        'def f(x):\n    if x:\n        raise NotImplementedError("write your answer here")\n    return 2'
    )
    assert made.cells[0].outputs == []
    assert made.cells[0].execution_count is None
    assert made.cells[0].metadata == cell.metadata
    assert "widgets" not in made.metadata


def test_released_again_only_where_the_source_changed(tmp_path):
    path = course(tmp_path, answer_cell())
    written, stored = release(tmp_path)
    assert release(tmp_path) == []
    course(tmp_path, answer_cell(ANSWER.replace("return 1", "return 3")))
    assert release(tmp_path) == [stored]
    course(tmp_path, answer_cell(ANSWER.replace("return 1", "return 3").replace("f(x)", "f(x, y=0)")))
    assert release(tmp_path) == [written]
    assert path.read_text().count("SOLUTION") == 2


def test_work_of_a_student_is_never_overwritten_and_what_was_only_run_is(tmp_path):
    course(tmp_path, answer_cell())
    written, _ = release(tmp_path)
    fresh, notebook = written.read_bytes(), nbformat.read(written, as_version=4)
    notebook.cells[0].execution_count = 1
    nbformat.write(notebook, written)
    assert release(tmp_path) == [written]
    assert written.read_bytes() == fresh
    notebook.cells[0].source = notebook.cells[0].source.replace("raise", "return 7 #")
    nbformat.write(notebook, written)
    kept = written.read_bytes()
    with pytest.raises(ValueError, match="move it away"):
        release(tmp_path)
    assert written.read_bytes() == kept


@pytest.mark.parametrize("name", ["topic.ipynb", checks.FILE])
@pytest.mark.parametrize("kept", [b"", b"{", b"[1, 2]", b'{"cells": 3}', b"answers by hand", b"\xff\x00"])
def test_a_file_that_is_not_its_own_is_never_overwritten(tmp_path, name, kept):
    course(tmp_path, answer_cell())
    target = tmp_path / "exercises" / "01-topic" / name
    target.parent.mkdir(parents=True)
    target.write_bytes(kept)
    with pytest.raises(ValueError, match=rf"{name} was changed .* move it away"):
        release(tmp_path)
    assert [path.name for path in target.parent.iterdir()] == [name]
    assert target.read_bytes() == kept


def test_checks_that_were_edited_are_never_overwritten_others_are_renewed(tmp_path):
    course(tmp_path, answer_cell())
    _, stored = release(tmp_path)
    course(tmp_path, answer_cell(), tasks=TASKS.replace("Think.", "Think again."))
    assert release(tmp_path) == [stored]
    edited = stored.read_text().replace("Think again.", "Think, think.")
    stored.write_text(edited)
    with pytest.raises(ValueError, match="move it away"):
        release(tmp_path)
    assert stored.read_text() == edited


SIGN = '(then(lambda number: -number), "Your sign is turned round.")'
FAULTS = {
    "task(": (1, "invalid syntax|was never closed"),
    TASKS.replace("[(then", "[(them"): (4, "name 'them' is not defined"),
    TASKS.replace("import task", "import tusk"): (1, "cannot import name 'tusk'"),
    TASKS.replace('"f"', '"g"'): (3, "the task 'g' has no check cell in topic.ipynb"),
    TASKS + TASKS: (7, "the task 'f' is told twice"),
    "": (None, r"has no task\('f', ...\)"),
    TASKS.replace("for x in", "for y in"): (3, "task f: its cases cannot be drawn: NameError"),
    TASKS.replace("[(x,)", "[(x, x)"): (3, r"task f: a case must have \(x\); got 2 of them"),
    TASKS.replace("cases=lambda rng: [(x,) for x in {rng.integers(9), 0}],", ""): (3, r"it takes \(x\), so it needs"),
    TASKS.replace('"number"', '("one", "two")'): (3, "the solution fails .* it returns 2, not one, two"),
    TASKS.replace(SIGN, '"Your sign"'): (3, "a mistake of f must be .*; got 'Your sign'"),
    TASKS.replace(SIGN, '("if y", "if 1", "No.")'): (3, "mistake if y -> if 1: .* exactly once .* applies 0 times"),
    TASKS.replace(SIGN, '("return", "turn", "No.")'): (3, "mistake return -> turn: .* applies 2 times"),
    TASKS.replace(SIGN, '("if x", "if x x", "No.")'): (3, "mistake if x -> if x x: SyntaxError"),
    TASKS.replace(SIGN, '("if x", "if z", "No.")'): (3, "mistake if x -> if z: NameError"),
    TASKS.replace(SIGN, '("if x", "if x > 0", "No.")'): (3, "mistake if x -> if x > 0: it changes nothing on any case"),
    TASKS.replace(SIGN, '("return 1", "while 1: 0", "No.")'): (3, "return 1 -> while 1: 0: .* after 0.2 seconds"),
    TASKS.replace(SIGN, f'{SIGN}, (then(lambda n: 0 - n), "No.")'): (3, "'No.': it cannot be told from 'Your sign is"),
    TASKS.replace("Your sign", "number"): (3, "a sentence cannot begin with number: write Your `number`"),
    TASKS.replace("{rng.integers(9), 0}", "iter(int, 1) if x"): (
        3, "cases cannot be drawn: it was still running after"),
}


@pytest.mark.parametrize("tasks", FAULTS, ids=[message for _, message in FAULTS.values()])
def test_a_fault_in_tasks_is_one_sentence_with_file_and_line(tmp_path, monkeypatch, tasks):
    monkeypatch.setattr(courses, "SECONDS", 0.2)
    line, message = FAULTS[tasks]
    path = course(tmp_path, answer_cell(), tasks=tasks)
    with pytest.raises(ValueError, match=message) as caught:
        release(tmp_path)
    told = str(caught.value)
    assert told.startswith(f"{path.with_name('tasks.py')}{f', line {line}' if line else ''}")
    assert "\n" not in told
    assert not (tmp_path / "exercises").exists()


SWALLOWED = """
import gc, sys, time
from coursekit.grading import course

def busy(*_):
    for _ in range(300):
        pass

swallowed, course.SECONDS = [], 0.02
sys.unraisablehook = lambda told: swallowed.append(told.exc_type)
gc.callbacks.append(busy)
for _ in range(30):
    end = time.monotonic() + 20
    try:
        with course._in_time():
            while time.monotonic() < end:
                garbage = [[] for _ in range(1000)]
        sys.exit("not stopped")
    except ValueError:
        pass
print(len(swallowed))
"""


def test_a_loop_is_stopped_though_the_garbage_collector_swallows_interruptions():
    """In a process of its own: pytest's plugins have such callbacks as well."""
    ran = subprocess.run([sys.executable, "-c", SWALLOWED], capture_output=True, text=True, timeout=300)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert int(ran.stdout) > 0


@pytest.mark.parametrize(
    ("source", "mention"),
    [
        ("### BEGIN SOLUTION\nx = 1", "without ### END"),
        ("x = 1\n### END SOLUTION", "where none can be"),
        ("### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION", "where none can be"),
        ("x = 1", "needs ### BEGIN SOLUTION"),
    ],
)
def test_markers_that_do_not_match(tmp_path, source, mention):
    course(tmp_path, answer_cell(), answer_cell(source, "g"))
    with pytest.raises(ValueError, match=mention) as caught:
        release(tmp_path)
    assert "topic.ipynb, cell 'g'" in str(caught.value)
    assert not (tmp_path / "exercises").exists()


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


def compared(tmp_path, test, cases, wrong="0"):
    """A course whose answer is 1 or 0 by a test of x, on these cases alone; the mistake returns `wrong`."""
    answer = f"def f(x):\n    ### BEGIN SOLUTION\n    return 1 if {test} else 0\n    ### END SOLUTION"
    tasks = TASKS.replace("{rng.integers(9), 0}", repr(cases))
    course(tmp_path, answer_cell(answer), tasks=tasks.replace("lambda number: -number", f"lambda number, x: {wrong}"))
    return courses.assignments(tmp_path)[0].exercises["f"]


def asked(tmp_path, answer, argument):
    """A course whose task has one case."""
    source = f"import numpy as np\ndef f(x):\n    ### BEGIN SOLUTION\n    {answer}\n    ### END SOLUTION"
    course(tmp_path, answer_cell(source), tasks=TASKS.replace("{rng.integers(9), 0}", f"[{argument}]"))
    return release(tmp_path)


@pytest.mark.parametrize("argument", [
    "float('nan')", "[[1.5], [2.0, float('nan')]]", "{'a': [1, (2.5,)], 2: 'b'}", "'text'", "np.array([np.nan, 1])",
    "np.array([], int)", "None"])
def test_arguments_of_any_form_reach_a_student_as_they_are(tmp_path, monkeypatch, argument):
    assert len(asked(tmp_path, f"return 1 if str(x) == str({argument}) else 0", argument)) == 2
    monkeypatch.chdir(tmp_path / "exercises" / "01-topic")
    with pytest.raises(NotYet, match="Your sign is"):
        check("f", lambda x: -1)
    check("f", lambda x: 1)


@pytest.mark.parametrize(("answer", "argument", "mention"), [
    ("return 1", "{1, 2}", "an argument must be a number, a text, an array, a list, a tuple or a dict; got set"),
    ("return 1", "2j", "an argument must be a number, a text, .*; got complex"),
    ("return 1", "np.array(['a'])", "the argument x is not the same once it was written and read: it must be a number"),
    ("return 1", "np.zeros(200_000)", "more than 100000 numbers"),
    ("x.append(1); return 1", "[1]", "is refused where a student's is checked: f changed its argument x"),
    ("import coursekit as c; c.perceptron(np.ones((1, 1)), np.ones(1)); return 1", "0", "calls coursekit's own answer"),
])
def test_what_would_fail_at_a_student_is_refused_with_its_place(tmp_path, answer, argument, mention):
    with pytest.raises(ValueError, match=rf"tasks.py, line 3, task f: .*{mention}"):
        asked(tmp_path, answer, argument)
    assert not (tmp_path / "exercises").exists()


def test_the_rounding_of_a_process_stays_as_it_is(tmp_path):
    """While a function is called in another one, and when it fails there."""
    here, seen, one, three = threading.get_ident(), [], 1.0, 3.0

    def third(x):
        seen.append((threading.get_ident() == here, one / three))
        return 1 // (len(seen) != 2)

    assert compared(tmp_path, "0", [1.0]).on_edge((0.1,), {"": third})
    assert [aside for aside, _ in seen] == [True, False]
    assert (seen[0][1] != seen[1][1]) == (platform.machine() in edges._MODES and platform.system() != "Windows")
    assert one / three == 1 / 3


@pytest.mark.parametrize(("test", "cases"), [
    ("sum(x) > 0.6", [(1.0, 1.0), (0.1, 0.2, 0.3)]),  # 0.6000000000000001, and 0.6 the other way round
    ("x[0] / 49 * 49 < x[0]", [(98.0,), (1.0,)]),
])
def test_an_answer_that_hangs_on_a_last_bit_is_refused_and_a_grader_draws_another(tmp_path, test, cases):
    exercise = compared(tmp_path, test, cases, "2 + number")
    with pytest.raises(ValueError, match=r"line 3, task f: case 2 of draw 1 hangs on a last bit, .* two values tie"):
        release(tmp_path)
    assert set(exercise.fresh(0).cases) == {(cases[0],)}


def test_ties_of_whole_numbers_and_quarters_are_exact(tmp_path):
    exercise = compared(tmp_path, "sum(x) >= 0", [(0.25, 0.5, -0.75), (3.0, -3.0)], "2 + number")
    assert len(release(tmp_path)) == 2
    assert set(exercise.fresh(0).cases) == {((0.25, 0.5, -0.75),), ((3.0, -3.0),)}


def test_cases_in_which_a_mistake_hangs_on_a_last_bit_are_passed_over(tmp_path):
    exercise = compared(tmp_path, "sum(x) > 0", [(0.1, 0.2, 0.3), (1.0, 1.0)], "number + (sum(x) > 0.6)")
    assert set(exercise.public().cases) == {((1.0, 1.0),)}


def test_what_is_stored_is_without_noise(tmp_path):
    """Nor is a short number stored that another processor rounds to the other side."""
    exercise = compared(tmp_path, "0", [1.0])
    values = [8.9e-31, -0.0, 1.0078125, 1.0078125 - 2**-52, 1 / 3]
    stored = exercise.expected(np.array(values))[0]
    assert list(map(str, stored)) == ["0.0", "0.0", "1.007813", "1.007813", "0.3333333"]
