"""How a class is dealt out and what a run keeps, with a stand-in for the grading of one notebook."""

import contextlib
import json
import os
import shutil
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from coursekit_grade import classroom, classwork, command, edges, exercise, run
from coursekit_grade import results as keeping
from coursekit_grade.adjust import Adjustments
from coursekit_grade.graded import Graded
from coursekit_grade.intake import Found, Submission, digest
from coursekit_grade.late import Rule
from coursekit_grade.mark import Mark, TaskMark
from coursekit_grade.results import Results
from coursekit_grade.sandbox import Box
from coursekit_grade.solutions import Course
from tests.grading.shared import folder, rows
from tests.grading.small import course

NAME = "01-topic"


def handed_in(*sources):
    return [Submission(f"s{k}", "", f"{k}.ipynb", NAME, digest=digest(source, {}), read=lambda source=source: source)
            for k, source in enumerate(sources)]


def stand_in(source, drawn, box, beside):
    """In place of grade_notebook: the mark is in the notebook, in braces where it has to pass for one."""
    source = source.strip(b"{}")
    if source == b"faulty":
        raise RuntimeError("a fault of ours")
    if source == b"busy machine":
        return Mark(drawn.assignment, (TaskMark("update", 0, 2, ungraded="no process could be started"),))
    return Mark(drawn.assignment, (TaskMark("update", int(source), 2),), notes=("a note",))


class Queue(Executor):
    """Runs the oldest call when it is told to. Of notebooks that say so the call is called off, or the run stopped."""

    def __init__(self, stopped=False):
        self.waiting, self.graded, self.at_once, self.stopped = [], [], [], stopped  # before anybody's turn

    def submit(self, call, source, *more, **options):
        self.waiting.append((future := Future(), source, lambda: call(source, *more, **options)))
        self.at_once.append(len(self.waiting))
        return future

    def run_one(self):
        if self.stopped:
            raise KeyboardInterrupt
        future, source, call = self.waiting.pop(0)
        self.graded.append(source)
        if source == b"called off":
            future.cancel()
        if not future.set_running_or_notify_cancel():
            return
        if source == b"stall":
            raise KeyboardInterrupt
        try:
            future.set_result(call())
        except RuntimeError as fault:
            future.set_exception(fault)


@pytest.fixture
def deal(tmp_path, monkeypatch):
    """deal(found): what a run gives, each with whether it was graded anew."""
    monkeypatch.setattr(classroom, "grade_notebook", stand_in)
    monkeypatch.setattr(classroom, "TICK", 0)
    course(tmp_path)

    def to_all(found, queue=None, results=None):
        by = {"executor": queue, "meanwhile": queue.run_one} if queue else {}
        return list(classroom.grade_class(
            found, Course(tmp_path), results or Results(tmp_path / "out", 1), Box(open=True), jobs=2, **by))

    return to_all


@pytest.fixture
def dealt(deal):
    """The same as student -> (points or why there are none, whether it was graded anew)."""
    return lambda *given: {g.submission.student: (g.ungraded or g.points, new) for g, new in deal(*given)}


def test_a_notebook_that_cannot_be_graded_costs_no_other_and_is_tried_again(dealt):
    def gone():
        raise FileNotFoundError(2, "No such file or directory")

    found = handed_in(b"1", b"called off", b"faulty", b"busy machine", b"4", b"5", b"6", b"2")
    found[4] = replace(found[4], assignment="99-none")
    found[5] = replace(found[5], read=gone)
    found[6] = replace(found[6], read=lambda: b"0")
    why = {
        "s1": "CancelledError", "s2": "RuntimeError: a fault of ours", "s3": "update: no process could be started",
        "s4": "the assignment must be one of 01-topic; got '99-none'",
        "s5": "FileNotFoundError: [Errno 2] No such file or directory",
        "s6": "it was changed in the meantime; grade again",
    }
    left = {student: (reason, True) for student, reason in why.items()}
    assert dealt(found, Queue()) == {"s0": (1, True), **left, "s7": (2, True)}
    assert dealt(found, Queue()) == {"s0": (1, False), **left, "s7": (2, False)}


def test_draws_and_what_they_set_for_the_whole_process_stay_in_the_main_thread(dealt, tmp_path, monkeypatch):
    """Judging runs in threads. Two draws at once would put back each other's streams, warnings and solvers."""
    drew, judged = [], []

    def noted(threads, function):
        return lambda *given, **named: (threads.append(threading.get_ident()), function(*given, **named))[1]

    for place, name, threads in ((exercise.Exercise, "draw", drew), (exercise, "called", drew),
                                 (edges, "off_edges", drew), (classroom, "grade_notebook", judged)):
        monkeypatch.setattr(place, name, noted(threads, getattr(place, name)))
    monkeypatch.setattr(Results, "seed_for", lambda results, s: int(s.student[1:]))  # a draw for each
    assert len(dealt(handed_in(*[b"%d" % k for k in range(8)]))) == len(judged) == 8
    assert {*drew} == {threading.get_ident()}
    assert not {*drew} & {*judged}


def test_a_notebook_that_stalls_a_run_comes_last_and_every_other_run_finishes(dealt, tmp_path):
    found = handed_in(b"stall", b"1", b"stall", b"2")
    for order in ([b"stall"], [b"1", b"2", b"stall"], None, [b"stall"], None):
        queue = Queue()
        if order:
            with pytest.raises(KeyboardInterrupt):
                dealt(found, queue)
            assert queue.graded == order  # who has had no turn is no suspect
        else:
            done = dealt(found, queue)
            assert queue.graded == []
            assert (done["s1"], done["s3"]) == ((1, False), (2, False))
            assert done["s0"] == done["s2"]
            assert done["s0"][0].startswith("2 runs stopped while grading it")
    # Handed in once more, changed, it has its turn at once; and so has every notebook in another folder.
    assert dealt(handed_in(b"0", b"1"), queue) == {"s0": (0, True), "s1": (1, False)}
    with pytest.raises(KeyboardInterrupt):
        dealt(found, queue, Results(tmp_path / "other", 1))


def test_few_are_in_memory_and_who_was_graded_when_the_run_ended_comes_last_and_alone(dealt, tmp_path):
    found, queue = handed_in(*[b"%d" % k for k in range(12)]), Queue()
    results = Results(tmp_path / "out", 1)
    for s in found[:5]:
        results.tried(s, 1)
    with pytest.raises(KeyboardInterrupt):
        dealt(found[:5], Queue(stopped=True))
    dealt(found, queue)
    assert queue.graded == [b"%d" % k for k in (*range(5, 12), *range(5))]
    assert queue.at_once == [1, 2, 3, 4, 4, 4, 4, 1, 1, 1, 1, 1]
    assert json.loads((tmp_path / "out" / keeping.RUNNING).read_bytes()) == {}


def test_results_grow_and_changes_to_them_are_set_aside(tmp_path, monkeypatch):
    def running(results):
        return run.Run(found, known, Adjustments(None, found, known.points), Rule(), results)

    found, out = Found(handed_in(b"1", b"2", b"3")), tmp_path / "out"
    course(tmp_path)
    known, results = Course(tmp_path), Results(out, 1)
    results.publish({"feedback/s2.html": "of an earlier run", "summary-x.svg": "x"})
    growing = running(results)
    growing.next = 0.0
    growing.add(Graded(found[0], Mark(NAME, (TaskMark("f", 1, 2),))))
    assert [row["total"] for row in rows(out / "grades.csv")] == ["1", "", ""]
    assert (out / "feedback" / "s0.html").exists()
    assert (out / "feedback" / "s2.html").read_text() == "of an earlier run"
    assert "1 notebook graded, 0 left ungraded, 2 still to come" in (out / "summary.html").read_text("utf-8")
    (out / "grades.csv").write_text("my remarks")
    growing.next = float("inf")
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
    growing = running(Results(out))
    growing.publish()
    assert growing.aside == []
    assert [row["total"] for row in rows(out / "grades.csv")] == ["", "", ""]
    assert Results(out).publish({"grades.csv": "last"}) == []
    assert {path.name for path in out.iterdir()} == {
        "coursekit-grade.json", "feedback", "marks", "grades.csv", "grades (changed 1).csv"}
    assert not list((out / "feedback").iterdir())


def test_whoever_hands_in_again_meets_other_cases(deal, tmp_path, monkeypatch):
    """A run that goes on, and who changed nothing, the same ones."""
    drawn, draw = [], Course.drawn
    monkeypatch.setattr(Course, "drawn", lambda known, name, seed: drawn.append(seed) or draw(known, name, 7))
    ann, bo = handed_in(b"1", b"1")

    def again(source, student="s0"):
        return replace(handed_in(source)[0], student=student)

    def seeds(found, finish=True):
        drawn.clear()
        results = Results(tmp_path / "out", 7)
        graded = [g for g, _ in deal(found, Queue(), results)]
        if finish:
            results.finish(graded, [])
        return [*drawn]

    assert seeds([ann, bo], finish=False) == [7, 7]
    assert seeds([again(b"2"), bo]) == [7]  # what came of the first was in no finished run
    assert seeds([again(b"2"), bo]) == []
    third = [again(b"0"), again(b"0", "Cy")]
    new, first = seeds(third, finish=False)
    assert (new != 7, first) == (True, 7)
    assert seeds([*third, again(b"3")]) == [new]  # goes on with what it drew
    [newer] = seeds([again(b"4")])
    # Whoever was left ungraded has seen inputs, too; who was away for a run, or is graded again, keeps what was seen.
    [latest] = seeds([again(b"busy machine")])
    [after] = seeds([again(b"5")])
    assert seeds([bo]) == []
    [back] = seeds([again(b"6")])
    assert len({7, new, newer, latest, after, back}) == 6
    shutil.rmtree(tmp_path / "out" / "marks")
    assert seeds([again(b"6")]) == [back]


def dying(patch, step):
    """Ends this process, as kill -9 does, at one step of all that a run does to its files."""
    steps, write, rename = iter(range(step)), Path.write_bytes, Path.replace

    def go_on(last=lambda: None):
        if next(steps, None) is None:
            last()
            os._exit(9)

    def written(path, data):
        go_on(lambda: write(path, data[: len(data) // 2]))
        write(path, data)

    def renamed(*paths):
        go_on()
        rename(*paths)
        go_on()

    patch.setattr(Path, "write_bytes", written)
    patch.setattr(Path, "replace", renamed)


def run_to(step, root, monkeypatch):
    """`coursekit grade` in a process that dies at a step: its exit status, and how many notebooks it has graded."""
    def marked(source, drawn, box, beside):
        os.write(told, b".")
        return Mark(NAME, (TaskMark("f", 2, 2),))

    seen, told = os.pipe()
    if not (child := os.fork()):
        try:
            monkeypatch.setattr(classwork, "_pictures", lambda *_: {"summary.svg": "which takes long to draw"})
            monkeypatch.setattr(run, "import_module", lambda name: None)
            monkeypatch.setattr(command, "_workers", lambda *_: contextlib.nullcontext((ThreadPoolExecutor(1), 1, "")))
            monkeypatch.setattr(run.Run, "publish_if_due", run.Run.publish)  # after every mark
            monkeypatch.setattr(classroom, "grade_notebook", marked)
            monkeypatch.setattr(run, "tqdm", lambda marks, **options: marks)
            dying(monkeypatch, step)
            with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
                os._exit(not command.grade(command.Options(root / "in", root / "out", root, assignment=NAME, seed=1)))
        finally:
            os._exit(1)
    os.close(told)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(seen, "rb") as file:
        return status, len(file.read())


@pytest.mark.slow
def test_nothing_is_lost_wherever_a_run_is_killed(tmp_path, monkeypatch):
    """Before, in and after each change of a file, so also between any two marks; then the same command finishes."""
    for k in range(2):
        cell = {"cell_type": "code", "source": f"def f(x): return {k}"}
        folder(tmp_path / "in", {f"s{k}.ipynb": json.dumps({"cells": [cell]}).encode()})
    course(tmp_path)
    out, killed, between = tmp_path / "out", 0, set()
    while run_to(killed, tmp_path, monkeypatch)[0] == 9:
        table = rows(out / "grades.csv") if (out / "grades.csv").exists() else []
        shown = {row["student"] for row in table if row["total"]}
        kept = sum(json.loads(path.read_bytes())["assignment"] == NAME for path in out.glob("marks/*.json"))
        assert len(table) in (0, 2)
        assert all(row["total"] in ("", "2") for row in table)
        assert len(shown) <= kept
        assert all("2 of 2 points" in (out / "feedback" / f"{s}.html").read_text("utf-8") for s in shown)
        between.add((len(shown), kept))
        assert run_to(10**9, tmp_path, monkeypatch) == (0, 2 - kept)
        assert [row["total"] for row in rows(out / "grades.csv")] == ["2", "2"]
        assert not [path for path in out.rglob("*") if "changed" in path.name or path.name == ".part"]
        shutil.rmtree(out)
        killed += 1
    assert {(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)} <= between


def test_marks_are_kept_for_a_notebook_an_assignment_a_seed_and_the_tasks(tmp_path, monkeypatch):
    results, (s,) = Results(tmp_path / "out", 1), handed_in(b"1")
    mark = Mark(NAME, (TaskMark("f", 1.5, 2, message="\ud800 =x", mistake="m"),), notes=("n",))
    results.keep(s, mark)
    assert Results(tmp_path / "out").mark(s) == mark
    assert results.mark(replace(s, digest="0")) is results.mark(replace(s, assignment="03-losses")) is None
    assert Results(tmp_path / "out", version="of another course").mark(s) is None
    assert Results(tmp_path / "out", 2).mark(s) is None
    assert Results(tmp_path / "out").mark(s) is None  # the seed is now 2
    results = Results(tmp_path / "out", 1)
    monkeypatch.setattr(keeping, "_version", lambda: "another")
    assert results.mark(s) is None


def test_what_is_damaged_is_as_good_as_lost(tmp_path):
    out, (s,) = tmp_path / "out", handed_in(b"1")
    Results(out, 1).keep(s, Mark(NAME, (TaskMark("f", 1, 2),)))
    (kept,) = (out / "marks").iterdir()
    for damaged in ("", "{", "[]", "null", '{"a": []}', '{"tasks": 1}', '{"marks": 1, "changes": []}',
                    '{"marks": {}, "changes": [1]}', '{"marks": {}, "changes": [], "met": {"1": {"s": [2]}}}',
                    '{"assignment": 1, "tasks": [], "notes": [], "other": 1}'):
        for file in (kept, out / keeping.RUNNING, out / keeping.FINISHED):
            file.write_text(damaged)
        results = Results(out)
        assert (results.mark(s), results.tries(s)) == (None, 0)
        assert results.last == {"marks": {}, "changes": [], "runs": 0, "met": {}}


def test_a_folder_keeps_its_seed_and_one_with_something_else_in_it_is_refused(tmp_path):
    assert Results(tmp_path / "a").seed == Results(tmp_path / "a").seed != Results(tmp_path / "b").seed
    folder(tmp_path, {"thesis/chapter.tex": b"precious", "file": b"", f"damaged/{keeping.MANIFEST}": b"{"})
    for name, why in {"thesis": "--out must be", "file": "--out must be", "damaged": "be read any more"}.items():
        with pytest.raises((ValueError, OSError), match=why):
            Results(tmp_path / name)
    assert (tmp_path / "thesis" / "chapter.tex").read_bytes() == b"precious"


def test_a_full_disk_leaves_whole_files(tmp_path, monkeypatch):
    results, write, room = Results(tmp_path / "out"), Path.write_bytes, []
    results.publish({"grades.csv": "11"})

    def until_full(path, data):
        write(path, data if room else data[:1])
        if not room:
            raise OSError(28, "No space left on device")
        room.pop()

    monkeypatch.setattr(Path, "write_bytes", until_full)
    for files, kept in enumerate(["11", "11", "22"]):
        room[:] = range(files)
        with pytest.raises(OSError, match=r"out\S+ cannot be written: No space left .*; the same command"):
            results.publish({"grades.csv": "22"})
        assert (tmp_path / "out" / "grades.csv").read_text() == kept
        assert not list((tmp_path / "out").glob(".*"))
