"""coursekit grade: one real class from what its instructor collected to marks, and what is around its grading."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from dask.config import config as dask_config
from distributed import LocalCluster
from hypothesis import given
from hypothesis import strategies as st

from coursekit.cli import main
from coursekit_grade import report
from coursekit_grade.classwork import outcome
from coursekit_grade.graded import Graded
from coursekit_grade.intake import Submission
from coursekit_grade.mark import Mark, TaskMark
from coursekit_grade.sandbox import Box
from tests.grading import shared
from tests.grading.shared import COURSE, EXERCISE, FULL, NAME, ROOT, TASKS, folder, notebook, rows, zipped

# One real class, as Moodle gives it out: graded in the sandbox, then again, adjusted and late, as somebody handed in
# something else, somebody took it back, and the instructor wrote into a table.
LOSSES = "03-losses"
IN_PART = "def slopes(z):\n    return -2 * np.maximum(0, 1 - z), np.exp(-z), -1 / ((1 + np.exp(z)) * np.log(2))"
TABLES = tomllib.loads(Path(__file__).with_name("grade.toml").read_text("utf-8"))
STUDENTS = TABLES["class"]
UPDATE = STUDENTS["mistaken"]["answers"]["update"]
CLASS = {"untouched": EXERCISE, "corrupt": EXERCISE[:1000], "=1+1": EXERCISE}
CLASS = {s: CLASS.get(s) or notebook(**told.get("answers", {})) for s, told in STUDENTS.items()}
GRADED = {student: told for student, told in STUDENTS.items() if "outcome" in told}
POINTS = {student: FULL - sum(TASKS[task] for task in told["wrong"]) for student, told in GRADED.items()}
IDS = {student: 1001 + k for k, student in enumerate(CLASS)}
PLACES = {student: f"{student}_{IDS[student]}_assignsubmission_file_" for student in CLASS}
HANDED_IN = {f"{PLACES[student]}/perceptron.ipynb": data for student, data in CLASS.items()} | {
    f"{PLACES['=1+1']}/copy.ipynb": EXERCISE, f"{PLACES['=1+1']}/.b/old.ipynb": EXERCISE, ".b": b"", ".a/x.py": b"",
    f"{PLACES['helped']}/helpers.py": f"import numpy as np\n{UPDATE.replace('< 0', '<= 0')}".encode(),
    f"{PLACES['solved']}/losses.ipynb": json.dumps(
        shared.answered(shared.in_json(f"exercises/{LOSSES}/losses.ipynb"), {"slopes": IN_PART})).encode(),
}


def run(*arguments):
    """(exit status, stdout, stderr) of coursekit grade."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(["grade", *map(str, arguments)])
        except SystemExit as stop:
            status = stop.code
    return status, out.getvalue(), err.getvalue()


def marks(out):
    return {(row["student"], row["assignment"]): {k: v for k, v in row.items() if k != "file"}
            for row in rows(out / "grades.csv")}


def kept_tasks(out, task):
    kept = [json.loads(path.read_bytes()) for path in (out / "marks").iterdir()]
    return [TaskMark(**t) for mark in kept for t in mark["tasks"] if t["name"] == task]


# What Python, and what it starts, might read in the folder that the instructor stands in.
TRAPS = ["multiprocessing.py", "types.py", "numpy.py", "coursekit.py", "sitecustomize.py", "usercustomize.py", "bwrap"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = tmp_path_factory.mktemp("class")
    zipped(root / "in.zip", HANDED_IN)
    trap = f"#!{sys.executable}\nopen({str(root / 'sprung')!r}, 'a').write(__file__)\n"
    folder(root / "here", dict.fromkeys(TRAPS, trap.encode()))
    (root / "here" / "bwrap").chmod(0o755)
    (root / "here" / "matplotlibrc").write_text("text.usetex: True\nbackend: nonsense\n")
    folder(root, {"adjust.csv": b"student,task,points\nuntouched,total,99\n"})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root / "here")
        patch.setenv("PYTHONPATH", os.pathsep.join([".", "", str(root / "here")]))
        patch.setenv("MATPLOTLIBRC", str(root / "here"))
        patch.setenv("PATH", os.pathsep.join([".", str(root / "here"), os.environ["PATH"]]))
        patch.setattr(sys, "path", ["", str(root / "here"), *sys.path])
        done = run("../in.zip", "--out", "../out", "--seed", 3, "--jobs", 2, "--nbgrader-csv")
    assert not (root / "sprung").exists()  # nothing is read from where the instructor stands
    return root / "out", done


def page_of(out, student):
    (page,) = [p for p in (out / "feedback").iterdir() if p.stem.startswith(re.sub(r"[^\w ,.()-]", "_", student))]
    return " ".join(page.read_text("utf-8").split())


def test_grades_csv(graded):
    out, (status, _, _) = graded
    assert status == 1  # something was left ungraded
    table = marks(out)
    names = [*TASKS, *COURSE.points[LOSSES]]
    assert list(next(iter(table.values()))) == ["student", "id", "assignment", *names, "total", "max", "status"]
    assert table.keys() == {("'=1+1" if s == "=1+1" else s, NAME) for s in CLASS} | {("solved", LOSSES)}
    for student, points in POINTS.items():
        row = table[student, NAME]
        assert (float(row["total"]), float(row["max"]), row["status"]) == (points, FULL, "graded")
        assert {task: float(row[task]) for task in TASKS} == TASKS | dict.fromkeys(GRADED[student]["wrong"], 0)
        assert row["id"] == str(IDS[student])
    for student, why in {"corrupt": "cannot be read", "'=1+1": "2 notebooks for one assignment"}.items():
        row = table[student, NAME]
        assert re.match(f"ungraded: .*{why}", row["status"])
        assert row["total"] == "" == "".join(row[task] for task in TASKS)
    slopes, most = COURSE.points[LOSSES]["slopes"], sum(COURSE.points[LOSSES].values())
    row = table["solved", LOSSES]
    assert (row["slopes"], row["total"], row["max"]) == (f"{slopes - 1:g}", f"{slopes - 1:g}", f"{most:g}")
    assert {row["student_id"]: float(row["score"]) for row in rows(out / "nbgrader.csv")
            if row["assignment"] == NAME} == {str(IDS[student]): points for student, points in POINTS.items()}
    with zipfile.ZipFile(out / "nbgrader-feedback.zip") as archive:
        assert f"1001/{NAME}/perceptron.html" in archive.namelist()


def test_the_terminal_says_what_happened(graded):
    out, (_, said, err) = graded
    beside = out.parent / "adjust.csv"
    corrupt = f"  corrupt, {NAME}, {PLACES['corrupt']}/perceptron.ipynb: the notebook cannot"
    assert said.splitlines()[:7] == [
        f"Course: {ROOT}", f"Adjustments: none ({beside} is not read: if it is yours, say --adjust {beside})",
        "Students identified by: Moodle's file and folder names", "Passed over, as hidden files are:", "  .a",
        "  .b and 1 more of this name", "Graded: 8 notebooks",
    ]
    for text in ("\nLeft ungraded: 2", corrupt, str(out / "grades.csv"), "Seed 3:", "Alike: ", "For Moodle: "):
        assert text in said
    assert "10 of 10" in err
    assert ("NO SANDBOX" in err) == bool(Box().missing())


def test_feedback_pages(graded):
    out = graded[0]
    pages = {student: page_of(out, student) for student in CLASS}
    assert len(list((out / "feedback").iterdir())) == len(CLASS)
    assert not [page for page in pages.values() if re.search("<script|javascript|seed", page, re.I)]
    assert pages["solved"].count("✓ right") == len(TASKS)
    assert pages["mistaken"].count("what you wrote") == 1  # what is right needs no second look
    assert "solved by" not in pages["mistaken"]  # of few people
    for student, told in STUDENTS.items():
        assert [text for text in told.get("page", ()) if text not in pages[student]] == []


def test_a_call_on_the_page_shows_the_mistake(graded):
    (update,) = (t for t in kept_tasks(graded[0], "update") if t.mistake)
    space = {"np": np, "array": np.array}
    exec(UPDATE, space)
    call = re.sub(r"\[[^]]*\]", lambda found: f"np.array({found[0]}, float)", update.case)
    right = COURSE.assignments[NAME].space["update"]
    assert not np.array_equal(eval(call, {**space, "update": right}), eval(call, space))


def test_summary(graded):
    out, _ = graded
    assert sorted(map(outcome, kept_tasks(out, "update"))) == sorted(told["outcome"] for told in GRADED.values())
    assert [outcome(task) for task in kept_tasks(out, "slopes")] == ["in part"]
    page = " ".join((out / "summary.html").read_text("utf-8").split())
    points = list(POINTS.values())
    for text in ("8 notebooks graded, 2 left ungraded", "Students identified by: Moodle&#39;s file and folder names.",
                 "The assignments beside one another",
                 f"Mean {np.mean(points):.3g} of {FULL} points, median {np.median(points):g}."):
        assert text in page
    picture, text = re.search(r'<img src="([^"]+)" alt="([^"]+)">', page).groups()
    assert (out / picture).read_text().startswith("<?xml")
    solved = {task: sum(task not in told["wrong"] for told in GRADED.values()) for task in TASKS}
    hardest = sorted(solved.items(), key=lambda item: item[1])
    assert text.endswith(f" Solved: {', '.join(f'{task} {n}' for task, n in hardest)}.")
    assert '<td class="number">1</td><td><code>update</code><br>From theta = 0 yours never moves' in page


@pytest.fixture(scope="module")
def again(graded, tmp_path_factory):
    """The same class once more, as it was said above: the output before and after, and what the command said."""
    root = tmp_path_factory.mktemp("again")
    out = shutil.copytree(graded[0], root / "out")
    changed = {f"{PLACES['untouched']}/perceptron.ipynb": notebook(cycle="")}
    handed_in = {name: data for name, data in (HANDED_IN | changed).items() if not name.startswith("broken")}
    folder(root, {f"{name}.csv": TABLES["again"][name].encode() for name in ("adjust", "times")})
    (out / "grades.csv").write_text("my own remarks")
    kept = {path: path.stat().st_mtime_ns for path in (out / "marks").iterdir()}
    _, told, said = run(
        zipped(root / "in.zip", handed_in), "--out", out, "--due", "2026-11-20 23:59", "--grace", "15 minutes",
        "--late", "0.25 points a day", "--times", root / "times.csv", "--adjust", root / "adjust.csv", "--json")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert len(list((out / "marks").iterdir())) == len(kept) + 1
    assert (root / "adjust.csv").read_text() == TABLES["again"]["adjust"]
    return out, said, json.loads(told)


def test_nothing_is_graded_twice_and_what_changed_is(graded, again):
    out, said, _ = again
    assert "Graded: 7 notebooks, 6 of them in an earlier run" in said
    assert f"Results: {out}, of an earlier run, which goes on with its seed 3\n" in said
    assert (out / "grades (changed 1).csv").read_text() == "my own remarks"
    assert "grades (changed 1).csv" in said
    before, after = marks(graded[0]), marks(out)
    assert after["untouched", NAME]["total"] == f"{FULL - TASKS['cycle']:g}"
    assert [after["solved", NAME][task] for task in TASKS] == [before["solved", NAME][task] for task in TASKS]
    assert not [*(out / "feedback").glob("broken*"), *out.glob("nbgrader.csv")]


def test_a_class_is_adjusted_and_changes_are_kept(again):
    out, said, _ = again
    beside = out.parent
    assert f"Adjustments: {beside / 'adjust.csv'}\nTimes: {beside / 'times.csv'}\nDue: 2026-11-20 23:59:00 " in said
    assert "Adjusted: 2 marks\nNot adjusted:\n  adjust.csv, line 3: Dee handed in nothing" in said
    assert "Late: 1 notebook" in said  # eleven minutes are within the grace
    assert "Changed since the last run: marks of 3 students" in said.replace("\n", " ")
    row, before, late = marks(out), POINTS["mistaken"], POINTS["ends"] + 0.25  # three days have begun
    assert [row["mistaken", NAME][c] for c in ("automatic", "adjusted", "total")] == [
        f"{before:g}", "update 0 -> 1.5 (=cmd())", f"{before + 1.5:g}"]
    assert [row["ends", NAME][c] for c in ("before lateness", "penalty", "late", "total")] == [
        f"{late:g}", "0.75", "3 begun days", f"{late - 0.75:g}"]
    log = {(row["student"], row["task"]): [row["before"], row["after"], row["why"]]
           for row in rows(out / "changes.csv")}
    assert log["mistaken", "update"] == ["0", "1.5", "adjusted"]
    assert log["ends", "total"] == [f"{POINTS['ends']:g}", f"{late - 0.75:g}", "adjusted, lateness"]
    assert log["untouched", "total"][2] == "another notebook"
    assert "0 → 1.5 points. =cmd()" in page_of(out, "mistaken")
    for text in ("Late by 3 begun days:</strong> Due 2026-11-20 23:59 ", ", came 2026-11-23 22:59 ",
                 f"costs 0.25 points. {late:g} points before, 0.75 taken off"):
        assert text in page_of(out, "ends")
    assert "Dee handed in nothing" in (out / "summary.html").read_text()


def test_a_script_reads_what_it_has_to_act_upon(again):
    out, _, told = again
    assert {who["student"] for who in told.pop("ungraded")} == {"corrupt", "=1+1"}
    assert [told[what] for what in ("graded", "changed", "seed", "results")] == [
        7, ["ends", "mistaken", "untouched"], 3, str(out)]
    assert "line 3: Dee handed in nothing" in told["not_adjusted"][0]
    assert {f"moodle-{NAME}.csv", f"moodle-{NAME}-feedback.zip"} < {path.name for path in out.iterdir()}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_marks_everywhere(graded, tmp_path):
    collected = graded[0].parent / "in.zip"
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        assert run(collected, "--out", tmp_path / "out", "--seed", 3, "--dask", cluster.scheduler_address)[0] == 1
    assert marks(tmp_path / "out") == marks(graded[0])


@pytest.mark.slow
def test_a_stopped_run_leaves_no_process_behind(tmp_path):
    """One that is killed: test_nothing_outlives_a_grader_that_dies; what its files say then: test_classroom."""
    traces = ["0", "1", "2", "3", "import time; time.sleep(50)"]  # so that there is a middle, on a busy machine too
    folder(tmp_path / "in", {f"s{k}/perceptron.ipynb": notebook(hand_trace=trace) for k, trace in enumerate(traces)})
    # Where the tests run in the background, Ctrl+C is ignored, and so it would be in what they start.
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    out, run = tmp_path / "out", f"{hears}; from coursekit.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", run, "grade", tmp_path / "in", "--out", out, "--jobs", "2"],
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "STAMP": str(tmp_path)})
    while not (out / "grades.csv").exists() or sum(row["total"] != "" for row in rows(out / "grades.csv")) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.endswith("Stopped. Nothing is lost: the same command goes on from here.\n")
    assert "Traceback" not in err
    shared.await_end(lambda process: f"STAMP={tmp_path}".encode() in (process / "environ").read_bytes())
    assert 2 <= len(list(out.glob("marks/*"))) < 5


# Reports.


def one(student, *tasks, file="a.ipynb"):
    return Graded(Submission(student, "", file, NAME), Mark(NAME, tasks or (TaskMark("update", 1, 2),)), 14)


def test_no_cell_is_a_formula_where_commas_or_semicolons_end_cells():
    for name in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]:
        (row,) = csv.DictReader(io.StringIO(report.grades([one(name, file=name)], COURSE.points)))
        assert row["student"] == row["file"] == f"'{name}"
        (row,) = csv.DictReader(io.StringIO(report.nbgrader_grades([one(name)])))
        assert row["student_id"] == f"'{name}"
    text = report.grades([one("Ann;=1+1", file="a; b.ipynb; @x.ipynb"), one("Bo - C++ = @home")], COURSE.points)
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=";") for cell in row]
    assert not [cell for cell in cells if cell.strip().startswith(("=", "+", "-", "@"))]
    assert "a; b.ipynb;' @x.ipynb" in text
    assert "Bo - C++ = @home" in text


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80)


@given(st.lists(names, unique=True, max_size=8))
def test_every_student_has_a_file_name_of_her_own(students):
    files = report._file_names([*students, "a/b", "a\\b", "a:b", "Ann", "ann", "CON", "..", "x" * 300])
    assert len({name.casefold() for name in files.values()}) == len(files)
    for name in files.values():
        assert re.fullmatch(r"[\w ,.()-]+", name)
        assert not name.startswith(".")
        assert len(f"{name}.html".encode()) <= 255
        assert name.upper() not in ("CON", "PRN", "AUX", "NUL")


def test_what_is_left_ungraded_is_no_zero():
    ann = one("ann", TaskMark("update", 0, 2), TaskMark("bound", 0, 3, ungraded="no process could be started"))
    assert "not graded yet: no process" in report.reports([ann], COURSE.points, 0)["feedback/ann.html"]
    (row,) = csv.DictReader(io.StringIO(report.grades([ann], COURSE.points)))
    assert [row[column] for column in ("update", "bound", "total", "status")] == [
        "0", "", "", "ungraded: bound: no process could be started"]


# The command.

@pytest.mark.parametrize("arguments", TABLES["errors"])
def test_errors_are_one_sentence_and_nothing_is_written(tmp_path, monkeypatch, arguments):
    folder(tmp_path, {"in/ann/perceptron.ipynb": EXERCISE, "full/mine": b""})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(dask_config["distributed"]["comm"]["timeouts"], "connect", "1s")
    before = sorted(tmp_path.rglob("*"))
    status, _, err = run(*arguments.split())
    sentence = err.rstrip("\n").rpartition("\n")[2] if status == 2 else status  # below what argparse says of the usage
    assert TABLES["errors"][arguments] in sentence.replace(f"{tmp_path}/", "")
    assert "\n" not in sentence
    assert sorted(tmp_path.rglob("*")) == before


def test_a_course_that_somebody_left_where_the_instructor_stands_is_not_run(tmp_path, monkeypatch):
    theirs = {"ann/solutions/01-x/x.ipynb": b"1/0", "ann/solutions/01-x/tasks.py": b"1/0", "ann/hw/notes.txt": b""}
    here = folder(tmp_path, theirs) / "ann" / "hw"
    monkeypatch.chdir(here)
    sentence = f"a course is only read where you say so: if that in {here.parent} is yours, add --course {here.parent}"
    assert sentence in run(".", "--out", tmp_path / "out")[0]
    assert f"Course: {ROOT}\n" in run(tmp_path / "ann", "--out", tmp_path / "out")[1]


def test_a_terminal_that_does_not_know_a_name_or_is_not_there_stops_nothing(tmp_path):
    folder(tmp_path / "in", {"\u674e/perceptron.ipynb": b"0"})
    terminal = io.TextIOWrapper(io.BytesIO(), "ascii")
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(None), pytest.raises(SystemExit):
        main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")])
    terminal.seek(0)
    assert re.search(r"\?/perceptron.ipynb: it is not a notebook\n.*\nSeed", terminal.read())


def test_without_a_sandbox_it_warns_or_refuses(tmp_path, monkeypatch):
    monkeypatch.setattr(Box, "missing", lambda box: "bubblewrap is not installed")
    folder(tmp_path / "in", {"ann/notes.txt": b""})
    status = run(tmp_path / "in", "--out", tmp_path / "out", "--require-sandbox")[0]
    assert status == "coursekit grade: --require-sandbox, but there is no sandbox: bubblewrap is not installed"
    assert not (tmp_path / "out").exists()
    assert "WARNING: NO SANDBOX: bubblewrap is not installed" in run(tmp_path / "in", "--out", tmp_path / "out")[2]


def test_two_runs_at_once_do_not_mix(tmp_path):
    fcntl = pytest.importorskip("fcntl", reason="no such locks on Windows")
    folder(tmp_path / "in", {"ann/notes.txt": b""})
    (tmp_path / "out").mkdir()
    held = os.open(tmp_path / "out", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert "another run is at work" in run(tmp_path / "in", "--out", tmp_path / "out")[0]
    assert list((tmp_path / "out").iterdir()) == []
    os.close(held)
    assert run(tmp_path / "in", "--out", tmp_path / "out")[0] == 1
