"""How a class is dealt out and what a run keeps, with a stand-in for the grading of one notebook."""

import contextlib
import os
import re
import shutil
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from coursekit.grading import classroom, command
from coursekit.grading.classroom import Graded, Results
from coursekit.grading.course import Course
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark, TaskMark
from tests.grading.shared import COURSE, FULL, NAME, ROOT, TASKS, folder, notebook, rows
from tests.grading.stand_in import stand_in


def grade_class(found, results, **options):
    return classroom.grade_class(found, COURSE, results, **options)


def handed_in(*sources):
    return [
        Submission(f"s{k}", "", f"{k}.ipynb", NAME, digest=classroom._digest(source), read=lambda source=source: source)
        for k, source in enumerate(sources)
    ]


@pytest.fixture
def dealt(tmp_path, monkeypatch):
    monkeypatch.setattr(classroom, "grade_notebook", stand_in)

    def deal(found, **options):
        done = list(grade_class(found, Results(tmp_path / "out"), **{"sandbox": False, "jobs": 2, **options}))
        return {g.submission.student: (g.ungraded or g.points, new) for g, new in done}

    return deal


@pytest.mark.slow
def test_a_dead_process_costs_one_submission(dealt):
    found = handed_in(b"1", b"deadly", b"2", b"faulty", b"1", b"deadly", b"0", b"2")
    done = dealt(found)
    died = "the process that graded it died, twice"
    assert done == {
        "s0": (1, True), "s1": (died, True), "s2": (2, True), "s3": ("RuntimeError: a fault of ours", True),
        "s4": (1, True), "s5": (died, True), "s6": (0, True), "s7": (2, True),
    }
    # What was left ungraded is tried again, the rest is known.
    assert dealt([replace(s, read=None) for s in found if s.student in "s0 s2 s4 s6 s7"]) == {
        s: (points, False) for s, (points, _) in done.items() if not isinstance(points, str)
    }


class Counting(Executor):
    """Two threads, and how many calls were in flight at most."""

    def __init__(self):
        self.pool, self.now, self.most, self.lock = ThreadPoolExecutor(2), 0, 0, threading.Lock()

    def submit(self, *call, **options):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        future = self.pool.submit(*call, **options)
        future.add_done_callback(self.ended)
        return future

    def ended(self, _):
        with self.lock:
            self.now -= 1


def test_few_notebooks_are_in_memory_at_a_time(dealt):
    executor, reads = Counting(), []
    found = handed_in(*[b"%d" % k for k in range(50)])
    done = dealt([replace(s, read=lambda s=s: reads.append(s) or s.read()) for s in found], executor=executor)
    assert done == {f"s{k}": (k, True) for k in range(50)}
    assert len(reads) == 50
    assert executor.most <= 4


class CallingOff(Executor):
    """Calls off one piece of work, as a cluster may that is shut down."""

    def submit(self, call, source, *more, **options):
        future = Future()
        if source == b"0":
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(call(source, *more, **options))
        return future


def test_work_that_is_called_off_is_left_ungraded(dealt):
    done = dealt(handed_in(b"1", b"0", b"2"), executor=CallingOff())
    assert done == {"s0": (1, True), "s1": ("CancelledError", True), "s2": (2, True)}


class Stalling(Executor):
    """The run is stopped while it grades a notebook that says so."""

    def __init__(self):
        self.graded = []

    def submit(self, call, source, *more, **options):
        self.graded.append(source)
        if source == b"stall":
            raise KeyboardInterrupt
        future = Future()
        future.set_result(call(source, *more, **options))
        return future


def test_a_notebook_that_stalls_a_run_comes_last_and_every_other_run_finishes(dealt, tmp_path):
    found = handed_in(b"stall", b"1", b"stall", b"2")
    for order in ([b"stall"], [b"1", b"2", b"stall"], None, [b"stall"], None):
        executor = Stalling()
        if order:
            with pytest.raises(KeyboardInterrupt):
                dealt(found, executor=executor)
            assert executor.graded == order
        else:
            done = dealt(found, executor=executor)
            assert executor.graded == []
            assert (done["s1"], done["s3"]) == ((1, False), (2, False))
            assert done["s0"] == done["s2"]
            assert done["s0"][0].startswith("2 runs stopped while grading it")
    # Handed in once more, changed, it has its turn at once; and so has every notebook in another folder.
    assert dealt(handed_in(b"0", b"1"), executor=executor) == {"s0": (0, True), "s1": (1, False)}
    with pytest.raises(KeyboardInterrupt):
        list(grade_class(found, Results(tmp_path / "other"), sandbox=False, executor=executor))


def test_who_was_graded_when_the_run_ended_comes_last_and_alone(dealt, tmp_path):
    found = handed_in(*[b"%d" % k for k in range(9)])
    results = Results(tmp_path / "out")
    for s in found[:5]:
        results.begin(s)
    (tmp_path / "out" / classroom.RUNNING).read_bytes()
    executor = Counting()
    done = list(grade_class(found, Results(tmp_path / "out"), sandbox=False, jobs=2, executor=executor))
    assert {g.submission.student for g, _ in done[:4]} == {"s5", "s6", "s7", "s8"}
    assert [g.submission.student for g, _ in done[4:]] == ["s0", "s1", "s2", "s3", "s4"]
    assert not (tmp_path / "out" / classroom.RUNNING).exists()


class Waiting(Executor):
    """Has no worker free: one call is under way, the others wait."""

    def __init__(self):
        self.calls = 0

    def submit(self, *_, **__):
        future = Future()
        if self.calls == 0:
            future.set_running_or_notify_cancel()
        self.calls += 1
        return future


def test_who_had_not_had_a_turn_when_the_run_ended_is_no_suspect(tmp_path, monkeypatch):
    def stop():
        raise KeyboardInterrupt

    monkeypatch.setattr(classroom, "TICK", 0.01)
    found = handed_in(b"0", b"1", b"2", b"3")
    with pytest.raises(KeyboardInterrupt):
        list(grade_class(found, Results(tmp_path / "out"), sandbox=False, jobs=2, executor=Waiting(), meanwhile=stop))
    results = Results(tmp_path / "out")
    assert [results.ended(s) for s in found] == [1, 0, 0, 0]


def test_a_damaged_list_of_what_was_running_is_none(tmp_path):
    (s,) = handed_in(b"1")
    Results(tmp_path / "out").begin(s)
    for damaged in ("", "[]", "{", '{"a": []}', "null"):
        (tmp_path / "out" / classroom.RUNNING).write_text(damaged)
        assert Results(tmp_path / "out").ended(s) == 0


def test_results_grow_and_changes_to_them_are_set_aside(tmp_path, monkeypatch):
    found = command.Found(handed_in(b"1", b"2", b"3"))
    found.layout = "a file for each student"
    results = Results(tmp_path / "out", 1)
    out = results.folder
    results.publish({"feedback/s2.html": "of an earlier run", "summary-x.svg": "x"})
    growing = command._Growing(found, COURSE, results, False)
    growing.next = 0.0
    growing.add(Graded(found[0], Mark(NAME, (TaskMark("update", 1, 2),))))
    assert [row["total"] for row in rows(out / "grades.csv")] == ["1", "", ""]
    assert sorted(path.name for path in (out / "feedback").iterdir()) == ["s0.html", "s2.html"]
    assert (out / "feedback" / "s2.html").read_text() == "of an earlier run"
    assert "1 notebook graded, 0 left ungraded, 2 still to come" in (out / "summary.html").read_text("utf-8")
    (out / "grades.csv").write_text("my remarks")
    growing.add(Graded(found[1], Mark(NAME, (), "it is broken")))  # within the same second
    assert (out / "grades.csv").read_text() == "my remarks"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "open in a spreadsheet")))
        growing.publish()
    growing.next = 0.0
    growing.publish_if_due()
    assert (out / "grades (changed 1).csv").read_text() == "my remarks"
    assert growing.aside == ["grades (changed 1).csv"]
    assert [row["status"] for row in rows(out / "grades.csv")][:2] == ["graded", "ungraded: it is broken"]
    # A run that is killed here knows its own files again.
    growing = command._Growing(found, COURSE, Results(out), False)
    growing.publish()
    assert growing.aside == []
    assert [row["total"] for row in rows(out / "grades.csv")] == ["", "", ""]
    assert Results(out).publish({"grades.csv": "last"}) == []
    assert {path.name for path in out.iterdir()} == {
        "coursekit-grade.json", "feedback", "marks", "grades.csv", "grades (changed 1).csv",
    }
    assert not list((out / "feedback").iterdir())


class Dying:
    """Ends this process, as kill -9 does, at one step of all that a run does to its files."""

    def __init__(self, monkeypatch, step):
        self.left, write, rename, unlink = step, Path.write_bytes, Path.replace, Path.unlink

        def half(path, data):
            self.step(lambda: write(path, data[: len(data) // 2]))
            write(path, data)

        monkeypatch.setattr(Path, "write_bytes", half)
        monkeypatch.setattr(Path, "replace", lambda *paths: (self.step(), rename(*paths), self.step())[1])
        monkeypatch.setattr(Path, "unlink", lambda *path, **options: (self.step(), unlink(*path, **options))[1])

    def step(self, last=lambda: None):
        self.left -= 1
        if self.left < 0:
            last()
            os._exit(9)


def run_to(step, tmp_path, monkeypatch):
    """`coursekit grade` in a process that dies at a step: its exit status, and how many notebooks it has graded."""
    seen, told = os.pipe()
    if not (child := os.fork()):
        status = 1
        with contextlib.suppress(SystemExit), open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
            def marked(source, drawn, **options):
                os.write(told, b".")
                return Mark(NAME, tuple(TaskMark(t, m, m) for t, m in TASKS.items()))

            with ThreadPoolExecutor(1) as pool, monkeypatch.context() as patch:
                # What takes long, and is no part of this: to read the course, to draw cases and pictures.
                reports, students = command.reports, [path.stem for path in (tmp_path / "in").iterdir()]
                patch.setattr(command, "reports", lambda *of, **more: reports(*[*of, students][:6], **more))
                patch.setattr(command, "Course", lambda root: COURSE)
                patch.setattr(Course, "drawn", lambda *of: None)
                patch.setattr(command, "_workers", lambda *_: contextlib.nullcontext((pool, 1, "")))
                patch.setattr(command._Growing, "publish_if_due", command._Growing.publish)  # after every mark
                patch.setattr(classroom, "grade_notebook", marked)
                patch.setattr(command, "tqdm", lambda run, **options: run)
                Dying(patch, step)
                status = not command.grade(tmp_path / "in", tmp_path / "out", ROOT, seed=1)
        os._exit(status)
    os.close(told)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(seen, "rb") as file:
        return status, len(file.read())


@pytest.mark.slow
def test_nothing_is_lost_wherever_a_run_is_killed(tmp_path, monkeypatch):
    """Before, in and after each change of a file, so also between any two marks; then the same command finishes."""
    folder(tmp_path / "in", {f"s{k}.ipynb": notebook(hand_trace=str(k)) for k in range(3)})
    out, killed, between = tmp_path / "out", 0, set()
    while run_to(killed, tmp_path, monkeypatch)[0] == 9:
        table = rows(out / "grades.csv") if (out / "grades.csv").exists() else []
        shown = {row["student"] for row in table if row["total"]}
        kept = sum(classroom.json.loads(path.read_bytes())["assignment"] == NAME for path in out.glob("marks/*.json"))
        assert len(table) in (0, 3)
        assert all(row["total"] in ("", str(FULL)) for row in table)
        assert len(shown) <= kept
        assert all(f"{FULL} of {FULL} points" in (out / "feedback" / f"{s}.html").read_text("utf-8") for s in shown)
        between.add((len(shown), kept))
        status, graded = run_to(10**9, tmp_path, monkeypatch)
        assert (status, graded) == (0, 3 - kept)
        assert [row["total"] for row in rows(out / "grades.csv")] == [str(FULL)] * 3
        assert not [path for path in out.rglob("*") if "changed" in path.name or path.name == ".part"]
        shutil.rmtree(out)
        killed += 1
    assert {(n, n) for n in range(4)} | {(n, n + 1) for n in range(3)} <= between


def test_an_unknown_assignment_is_named_and_costs_nobody_else(dealt):
    why = rf"the assignment must be one of 01-linear-classifiers, {NAME}, .*; got '99-none'"
    with pytest.raises(ValueError, match=why):
        COURSE.drawn("99-none", 1)
    one, other = handed_in(b"1", b"2")
    done = dealt([replace(one, assignment="99-none"), other])
    assert re.fullmatch(why, done["s0"][0])
    assert done["s1"] == (2, True)


@pytest.mark.slow
def test_what_could_not_be_graded_for_a_while_is_tried_again(dealt):
    found = handed_in(b"busy machine", b"1")
    why = "update: no process could be started"
    assert dealt(found) == {"s0": (why, True), "s1": (1, True)}
    assert dealt(found) == {"s0": (why, True), "s1": (1, False)}


@pytest.mark.slow
def test_a_notebook_that_changes_or_goes_meanwhile(dealt):
    def gone():
        raise FileNotFoundError(2, "No such file or directory")

    found = handed_in(b"1", b"1", b"2")
    done = dealt([replace(found[0], read=gone), replace(found[1], read=lambda: b"0"), found[2]])
    assert "No such file" in done["s0"][0]
    assert "changed" in done["s1"][0]
    assert done["s2"] == (2, True)


def test_marks_are_kept_for_a_notebook_an_assignment_a_seed_and_the_tasks(tmp_path, monkeypatch):
    results, (s,) = Results(tmp_path / "out", 1), handed_in(b"1")
    mark = Mark(NAME, (TaskMark("update", 1.5, 2, message="\ud800 =x", mistake="m"),), notes=("n",))
    results.keep(s, mark)
    assert Results(tmp_path / "out").mark(s) == mark
    assert results.mark(replace(s, digest="0")) is results.mark(replace(s, assignment="03-losses")) is None
    assert Results(tmp_path / "out", 2).mark(s) is None
    assert Results(tmp_path / "out").mark(s) is None  # the seed is now 2
    results = Results(tmp_path / "out", 1)
    for damaged in ("", "{", "[]", '{"tasks": 1}', '{"assignment": 1, "tasks": [], "notes": [], "other": 1}'):
        next((tmp_path / "out" / "marks").iterdir()).write_text(damaged)
        assert results.mark(s) is None
    results.keep(s, mark)
    monkeypatch.setattr(classroom, "_version", lambda: "another")
    assert results.mark(s) is None


def test_two_seeds_differ_without_being_asked_for(tmp_path):
    assert Results(tmp_path / "a").seed != Results(tmp_path / "b").seed
    assert Results(tmp_path / "a").seed == Results(tmp_path / "a").seed


def test_a_folder_with_something_else_in_it_is_refused(tmp_path):
    folder(tmp_path / "thesis", {"chapter.tex": b"precious"})
    folder(tmp_path, {"file": b""})
    folder(tmp_path / "damaged", {classroom.MANIFEST: b"{"})
    for name, why in {"thesis": "--out must be", "file": "--out must be", "damaged": "be read any more"}.items():
        with pytest.raises((ValueError, OSError), match=why):
            Results(tmp_path / name)
    assert (tmp_path / "thesis" / "chapter.tex").read_bytes() == b"precious"


def test_a_full_disk_leaves_whole_files(tmp_path, monkeypatch):
    results = Results(tmp_path / "out")
    results.publish({"grades.csv": "1"})

    def full(self, data):
        with open(self, "wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match=r"out\S+ cannot be written: No space left .*; the same command"):
        results.publish({"grades.csv": "2"})
    assert (tmp_path / "out" / "grades.csv").read_text() == "1"
    assert not list((tmp_path / "out").glob(".*"))
