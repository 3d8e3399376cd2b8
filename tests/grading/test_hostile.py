"""Submissions that a grader meets: broken, odd and hostile ones, each with its fair mark and without a trace."""

import contextlib
import csv
import json
import os
import pickle
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from coursekit.checking import wire
from coursekit.checking.asked import shown
from coursekit.grading import fence, intake, sandbox, worker
from coursekit.grading import mark as marking
from coursekit.grading.classroom import ungraded
from coursekit.grading.course import Course
from coursekit.grading.mark import Mark, grade_notebook, sandbox_missing
from tests.grading.installed import Installed

ROOT = Path(__file__).parents[2]
ASSIGNMENT = "01-linear-classifiers"
COURSE = Course(ROOT)
FULL = COURSE.points[ASSIGNMENT]
SIDE_BY_SIDE = 4
SOLVED = json.loads((ROOT / "solutions" / ASSIGNMENT / "linear-classifiers.ipynb").read_text("utf-8"))

no_bubblewrap = pytest.mark.skipif(bool(sandbox_missing()), reason=sandbox_missing())
MODES = [
    pytest.param((True, "clone"), id="sandbox", marks=no_bubblewrap),
    pytest.param((False, "clone"), id="fence"),
    pytest.param((True, "wheel"), id="wheel-sandbox", marks=[no_bubblewrap, pytest.mark.slow]),
    pytest.param((False, "wheel"), id="wheel-fence", marks=pytest.mark.slow),
]
everywhere = pytest.mark.parametrize("boxed", MODES, indirect=True)
# The same, for those that are graded with a class. What a wheel could change is which files there are and how
# processes start; what an answer is worth, or a notebook in another form, is one code, which is equal in both.
class_everywhere = pytest.mark.parametrize("graded", MODES, indirect=True)
class_in_clone = pytest.mark.parametrize("graded", MODES[:2], indirect=True)
# The same, for tests that start a grader of their own.
KINDS = ("clone", "wheel in a virtual environment", "wheel of a user")
of_both = pytest.mark.parametrize("sandbox_used", [pytest.param(True, marks=no_bubblewrap, id="sandbox"), False])
of_each_kind = pytest.mark.parametrize(
    "kind", [KINDS[0], *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[1:])])


@pytest.fixture(scope="session")
def installed():
    """installed(kind): each is made once, where everybody may read it."""
    made, folders = {}, Path(sandbox.tempfile.mkdtemp())
    folders.chmod(0o755)

    def place(kind):
        if kind not in made:
            (folder := folders / str(len(made))).mkdir()
            made[kind] = Installed(kind, folder)
        return made[kind]

    yield place
    for one in made.values():
        one.close()
    shutil.rmtree(folders)


@pytest.fixture
def boxed(request, installed, monkeypatch):
    """Whether bubblewrap is used. From a wheel, the interpreter of its virtual environment grades."""
    sandboxed, source = request.param
    if source == "clone":
        yield sandboxed
        return
    place = installed("wheel in a virtual environment")
    monkeypatch.setitem(globals(), "grade_notebook", place.grade_notebook)
    yield sandboxed
    assert not [p for p in (place.site, place.package, place.site / "numpy") if (p / "touched").exists()]


def code(source, grade_id=None):
    marks = {"nbgrader": {"grade_id": grade_id, "solution": True, "locked": False, "grade": False}} if grade_id else {}
    return {"cell_type": "code", "id": uuid.uuid4().hex[:8], "metadata": marks, "source": source, "outputs": [],
            "execution_count": None}


def notebook(answers=None, before=(), after=()):
    """The solution with other answers, and with cells before the first and after the last answer."""
    nb = deepcopy(SOLVED)
    for cell in nb["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in (answers or {}):
            cell["source"] = answers[name]
    first = next(k for k, c in enumerate(nb["cells"]) if c["metadata"].get("nbgrader", {}).get("solution"))
    nb["cells"] = nb["cells"][:first] + list(map(code, before)) + nb["cells"][first:] + list(map(code, after))
    return nb


def function(body):
    return "def decision(X, theta):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


class Around(NamedTuple):
    """What lies around a submission, in its own folder."""

    folder: Path
    port: int
    pid: int


_own = threading.local()  # the stamp of the submission that a thread grades


@contextlib.contextmanager
def left_alone(folder):
    """What a submission must leave alone: a secret file, a port that nobody may knock at, no process behind it."""
    (folder / "secret.txt").write_text("the marks")
    (folder / "numpy.py").write_text("raise SystemExit")
    _own.stamp = uuid.uuid4().hex
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.setblocking(False)
        temporary = set(os.listdir(sandbox.tempfile.gettempdir()))
        yield Around(folder, door.getsockname()[1], os.getpid())
        with pytest.raises(BlockingIOError):
            door.accept()
    assert (folder / "secret.txt").read_text() == "the marks"
    assert sorted(os.listdir(folder)) == ["numpy.py", "secret.txt"]
    assert not [f for f in set(os.listdir(sandbox.tempfile.gettempdir())) - temporary if f.startswith("touched")]
    assert not [p for p in (ROOT, ROOT / "coursekit", Path("/"), Path("/etc"), Path(np.__file__).parent)
                if (p / "touched").exists()]
    limit = time.monotonic() + 5  # the kernel takes a moment to clear a process namespace away
    while left := stamped(_own.stamp):
        assert time.monotonic() < limit, f"left behind: {left}"
        time.sleep(0.02)


def prepare(monkeypatch, folder):
    """To grade in this folder, with little time for each cell and task, and a stamp on each process."""
    environment = sandbox._environment
    monkeypatch.chdir(folder)
    monkeypatch.setattr(marking, "CELL_SECONDS", 2.0)
    monkeypatch.setattr(marking, "TASK_SECONDS", 2.0)
    monkeypatch.setenv("COURSEKIT_SECRET", "do not tell")
    monkeypatch.setattr(sandbox, "_environment", lambda home: {**environment(home), "STAMP": _own.stamp})


@pytest.fixture
def around(tmp_path, monkeypatch):
    prepare(monkeypatch, tmp_path)
    with left_alone(tmp_path) as place:
        yield place


class Submission(NamedTuple):
    """One of a class. make(name, around): its notebook, or the bytes of it. limits: other ones than in `prepare`."""

    make: Callable
    name: str
    assignment: str = ASSIGNMENT
    seed: int = 3
    limits: tuple = ()


def submissions(make, names, limits=(), **more):
    return pytest.mark.parametrize(
        "submission", [pytest.param(Submission(make, name, limits=limits, **more), id=name) for name in names])


@pytest.fixture(scope="module")
def graded(request, installed, tmp_path_factory):
    """graded(submission): its mark, when it has left alone what is not its own.

    All that this run asks for in one way of grading are graded at once, some side by side, as those of a class are:
    much of what they do is to wait until they are stopped.
    """
    boxed, source = request.param
    wanted = [item.callspec.params["submission"] for item in request.session.items if hasattr(item, "callspec")
              and item.path == request.path and item.callspec.params.get("graded") == request.param]
    folder, done = tmp_path_factory.mktemp("class"), {}

    def one(submission):
        (own := folder / str(wanted.index(submission))).mkdir()
        try:
            with left_alone(own) as place:
                return grade(submission.make(submission.name, place), boxed, submission.seed, submission.assignment)
        except BaseException as error:
            return error

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        prepare(patch, folder)
        if source == "wheel":
            patch.setitem(globals(), "grade_notebook", (wheel := installed(KINDS[1])).grade_notebook)
        for limits in sorted({submission.limits for submission in wanted}):
            with pytest.MonkeyPatch.context() as limited:
                for name, seconds in limits:
                    limited.setattr(marking, name, seconds)
                these = [submission for submission in wanted if submission.limits == limits]
                done |= zip(these, pool.map(one, these), strict=True)
        if source == "wheel":
            assert not [p for p in (wheel.site, wheel.package, wheel.site / "numpy") if (p / "touched").exists()]

    def mark(submission):
        if isinstance(done[submission], BaseException):
            raise done[submission]
        return done[submission]

    return mark


def stamped(stamp):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if stamp.encode() in (process / "environ").read_bytes():
                found.append((process.name, (process / "cmdline").read_bytes()[:80]))
        except OSError:
            pass
    return found


def grade(nb, boxed, seed=3, assignment=ASSIGNMENT):
    source = nb if isinstance(nb, bytes) else json.dumps(nb).encode()
    mark = grade_notebook(source, COURSE.drawn(assignment, seed), sandbox=boxed)
    texts = [*mark.notes, mark.ungraded, *(t.message for t in mark.tasks)]
    assert all(text.isprintable() and len(text) <= 300 for text in texts)
    assert "do not tell" not in str(mark)
    assert "the marks" not in str(mark)
    return mark


def points(mark):
    assert not mark.ungraded
    assert not [t.ungraded for t in mark.tasks if t.ungraded]
    assert {t.name: t.max_points for t in mark.tasks} == FULL
    assert all(bool(t.message) == (t.points == 0) for t in mark.tasks)
    return {t.name: t.points for t in mark.tasks}


def told(mark, task="decision"):
    return next(t.message for t in mark.tasks if t.name == task)


RIGHT = "X @ theta[:-1] + theta[-1]"

# One wrong answer, which costs its own task and no other: how it is written, and what the student is told.
WRONG = {
    "endless loop": ("while True: pass", "decision was still running"),
    "endless loop that cannot be interrupted": (
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass", "still running"),
    "input": ("return float(input())", "raised EOFError"),
    "stdin": ("import sys\nreturn float(sys.stdin.readline())", "raised ValueError"),
    "stopped by itself": ("import signal, os\nos.kill(os.getpid(), signal.SIGSTOP)\nreturn 0", ""),
    "sys.exit": ("import sys\nsys.exit(0)", "raised SystemExit"),
    "os._exit": ("import os\nos._exit(0)", "ended the whole program"),
    "abort": ("import os\nos.abort()", "ended the whole program"),
    "segfault": ("import ctypes\nctypes.string_at(0)", "ended the whole program"),
    "recursion": ("return decision(X, theta)", "raised RecursionError"),
    "recursion without a limit": (
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return [f(n + 1)] + max([n], key=f)\nreturn f(0)", ""),
    "interrupt": ("raise KeyboardInterrupt", ""),
    "generator exit": ("raise GeneratorExit", "raised GeneratorExit"),
    "error whose text fails": (
        "class E(Exception):\n    def __str__(self): raise self\nraise E", ""),
    "memory at once": ("return np.ones(10**10)", "raised"),
    "memory bit by bit": ("a = []\nwhile True: a.append(bytearray(10**7))", ""),
    "80 GB by broadcasting": ("return np.broadcast_to(1.0, (10**10,))", "more than 100000 numbers"),
    "a long list": ("return [0.0] * 10**6", "more than 100000 numbers"),
    "many long lists": ("a = [0.0] * 10**5\nreturn [a] * 200", ""),
    "nested 100 000 deep": ("a = []\nfor _ in range(10**5): a = [a]\nreturn a", "nested"),
    "a list in itself": ("a = []\na.append(a)\nreturn a", "nested"),
    "an object array in itself": ("a = np.empty(1, object)\na[0] = a\nreturn a", "nested"),
    "NaN": ("return np.full(len(X), np.nan)", "NaN"),
    "None": ("pass", "decision must reach a return"),
    "not written": ("raise NotImplementedError", "not written yet"),
    "text": ("return 'nine'", "not made of numbers"),
    "numbers as text": (f"return list(map(str, {RIGHT}))", ""),
    "generator": (f"return (f for f in {RIGHT})", ""),
    "dict": (f"return dict(enumerate({RIGHT}))", ""),
    "set": (f"return set({RIGHT})", ""),
    "complex": (f"return ({RIGHT}) + 0j", "not made of numbers"),
    "dates": ("return np.arange(len(X)).astype('M8[s]')", ""),
    "records": ("return np.zeros(len(X), [('a', float)])", ""),
    "ragged": ("return [[1.0], [1.0, 2.0]]", "regular grid"),
    "a huge integer": ("return [10**5000] * len(X)", ""),
    "class": ("return object", ""),
    "the function itself": ("return decision", ""),
    "changed argument": ("X *= 0\nreturn X.sum(axis=1)", "changed its argument X"),
    "50 MB of output": ("print('x' * 50_000_000)\nreturn 0", ""),
    "a million lines": ("for _ in range(10**6): print()\nreturn 0", ""),
    "named mistake": ("return X @ theta[:-1]", "The offset is missing"),
    "by heart": ("return [[1.0], [2.0, 3.0, 4.0]][len(X) > 1]", ""),
    "right only once": (
        "decision.calls = getattr(decision, 'calls', 0) + 1\n"
        f"return {RIGHT} if decision.calls == 1 else 0 * X[:, 0]", ""),
    "coursekit's own": ("import coursekit as ck\nreturn ck.Objective(X, X[:, 0]).value(theta)", "must be your own"),
    "coursekit's own, by name": (
        "from coursekit.algorithms.perceptron import perceptron\n"
        "return perceptron(X, theta).theta", "must be your own"),
    # What looks like any answer.
    "equal to everything": (
        "class All:\n"
        "    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda *a: True\n"
        "    __len__ = lambda s: len(X)\n    __getitem__ = lambda s, i: s\n    __sub__ = __rsub__ = lambda *a: 0\n"
        "    __hash__ = None\nreturn All()", ""),
    "an array equal to everything": (
        "class All(np.ndarray):\n    __eq__ = __le__ = lambda *a: np.True_\n    dtype = np.dtype(bool)\n"
        "return np.zeros(len(X)).view(All)", ""),
    "an array that lies about its bytes": (
        "class Liar(np.ndarray):\n    size = 1\n    shape = (2,)\n    tobytes = lambda s: b'x' * 10**6\n"
        "return np.zeros(len(X)).view(Liar)", ""),
    "a float that is another each time": (
        "class F(float):\n    __repr__ = lambda s: '[1'\n    __float__ = lambda s: 1 / 0\nreturn [F(1)] * len(X)", ""),
    "a million empty lists": ("return np.empty((1000, 1000, 0), complex)", "more than 100000 numbers"),
    "a list that grows": (
        "class L(list):\n    def __iter__(self):\n        while True: yield 1.0\nreturn L([1])", ""),
    "a malicious pickle": (
        "class P:\n    def __reduce__(self): return (open, ('touched', 'w'))\nreturn [P()] * len(X)", ""),
    "a type in disguise": (
        "class A:\n    __class__ = np.ndarray\n    shape = (5,)\nreturn A()", ""),
    "numbers at an address that is none": (
        "class A: __array_interface__ = dict(shape=(5,), typestr='<f8', data=(8, False), version=3)\nreturn A()", ""),
    "more numbers than there is memory": (
        "class A: __array_interface__ = dict(shape=(10**15,), typestr='<f8', data=(X.ctypes.data, False), version=3)\n"
        "return A()", ""),
    "an error whose type has no name": (
        "class M(type): __name__ = property(lambda s: 1 / 0)\nclass E(Exception, metaclass=M): pass\nraise E", ""),
    "an error whose type is a page": (
        "raise type('<script>alert(1)</script>\\x1b[31m\\u202e' * 1000, (Exception,), {})", "raised <script>"),
    "errors in errors": (
        "e = ValueError()\nfor _ in range(3000): e = ExceptionGroup('x', [e])\nraise e", "raised ExceptionGroup"),
}


def wrong(name, around):
    return notebook({"decision": function(WRONG[name][0])})


@pytest.mark.slow(keep=2)
@class_in_clone
@submissions(wrong, WRONG)
def test_a_wrong_answer_costs_its_own_task(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL | {"decision": 0}
    assert WRONG[submission.name][1] in told(mark)


@everywhere
def test_what_an_exception_says_in_a_graded_call_is_not_shown(boxed, around):
    mark = grade(notebook({"decision": function("text = 'to' + 'ld'\nraise ValueError(text)")}), boxed)
    assert "raised ValueError, in line 3: `raise ValueError(text)`" in told(mark)
    assert "told" not in told(mark)


# Whatever these cells do, the answers beside them are right and keep their marks.
HARMLESS = {
    "endless loop": "while True: pass",
    "endless loop that cannot be interrupted": (
        "import signal, itertools\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
        "for _ in itertools.count():\n    try:\n        while True: pass\n    except BaseException: pass"),
    "memory": "a = []\nwhile True: a.append(bytearray(10**7))",
    "memory in many processes": (
        "import os, time\nfor _ in range(12):\n    if not os.fork():\n        a = bytearray(10**8)\n"
        "        time.sleep(30)\n"
        "time.sleep(30)"),
    "a hundred processes": (
        "import os, time\nfor _ in range(100):\n    if not os.fork(): time.sleep(30); os._exit(0)\ntime.sleep(30)"),
    "a process left behind": (
        "import os, time\nif not os.fork():\n    os.setsid()\n    if os.fork(): os._exit(0)\n"
        "    for fd in range(3, 256):\n        try: os.close(fd)\n        except OSError: pass\n"
        "    time.sleep(30)\n    os._exit(0)"),
    "processes that hold the pipe": (
        "import os, time\nfor _ in range(3):\n    if not os.fork():\n        os.setsid()\n        time.sleep(30)\n"
        "        os._exit(0)"),
    "another program left behind": "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'input()'])",
    "a thread that never ends": (
        "import threading, time\nthreading.Thread(target=lambda: [time.sleep(0.01) for _ in iter(int, 1)]).start()"),
    "a thread that prints": (
        "import threading\nthreading.Thread(target=lambda: [print() for _ in iter(int, 1)]).start()"),
    "exit handlers": "import atexit, time\natexit.register(time.sleep, 30)",
    "sys.exit": "import sys\nsys.exit(3)",
    "os._exit": "import os\nos._exit(0)",
    "exit": "exit()",
    "segfault": "import ctypes\nctypes.string_at(0)",
    "killed": "import os\nos.kill(os.getpid(), 9)",
    "fork without exit": "import os\nos.fork()",
    "input": "input('name? ')",
    "syntax error": "def half(",
    "no Python at all": "library(ggplot2)\nx <- 3",
    "deep brackets": "(" * 5000 + ")" * 5000,
    "deep minus": "x = " + "-" * 100_000 + "1",
    "null bytes": "x = 1\0",
    "lone surrogates": "x = '\ud800'\nprint(x)\nraise ValueError(x)",
    "a raised page": "raise ValueError('<script>alert(1)</script>\\r\\n=1+1\\u202e' * 10000)",
    "output": "print('x' * 50_000_000)\nimport sys\nprint('x' * 50_000_000, file=sys.stderr)",
    "output past Python": "import os\nfor _ in range(800): os.write(1, b'x' * 65536); os.write(2, b'[\"end\"]\\n' * 9)",
    "no streams": "import sys, os\nsys.stdout = sys.stderr = None\nos.close(0); os.close(1); os.close(2)",
    "all files closed": "import os\nos.closerange(0, 256)",
    "signals that are ignored": (
        "import signal\nfor s in (signal.SIGCHLD, signal.SIGTERM, signal.SIGALRM, signal.SIGPIPE):\n"
        "    signal.signal(s, signal.SIG_IGN)"),
    "an alarm": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\nimport time\ntime.sleep(0.2)",
    "warnings": "import sys, warnings\nwarnings.warn('careful')\nprint('oh', file=sys.stderr)",
    "warnings as errors": "import warnings\nwarnings.simplefilter('error')\nnp.seterr(all='raise')",
    "another folder": "import os, shutil, tempfile\nd = tempfile.mkdtemp()\nos.chdir(d)\nshutil.rmtree(d)",
    "no rights to its folder": "import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nos.chmod('a/b', 0)",
    "a full disk": "with open('big', 'wb') as f:\n    for _ in range(400): f.write(b'x' * 10**6)",
    "files that stay open": "kept = []\ntry:\n    while True: kept.append(open('f', 'w'))\nexcept OSError: pass",
    "files without end": "for k in range(10**6): open(f'f{k}', 'wb').write(b'x' * 10**6)",
    "folders in folders": "import os\nfor _ in range(2000):\n    os.mkdir('d')\n    os.chdir('d')",
    "modules of its own": "for m in ('json', 'copy', 'numpy'): open(m + '.py', 'w').write('raise SystemExit')",
    "magics": "%matplotlib inline\n!pip install nothing\n%time a = 1\nnp.sign?\nassert a == 1",
    "a cell magic": "%%time\nb = 2",
    "a picture": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
    "checks and hints": "check('decision', decision)\nhint('decision')\nprogress()\nraise NameError",
    "traces": "import sys\nsys.settrace(lambda *a: 1 / 0)\nsys.setprofile(lambda *a: 1 / 0)",
    "no imports any more": "import sys\nsys.meta_path.clear(); sys.path.clear(); sys.path_importer_cache.clear()",
    "hardly any stack": "import sys\nsys.setrecursionlimit(60)",
    "lines that end as on old machines": "a = 1\rb = 2\rassert a + b == 3",
    "a look at data": (
        "import coursekit as ck\ndata = ck.datasets.load('iris', classes=('setosa', 'virginica'))\n"
        "ck.plots.boundary(data)\nck.explorers.perceptron()\nassert data.X.shape == (100, 4)\ndisplay(data)"),
}


def with_broken_cell(name, around):
    return notebook(before=[HARMLESS[name]])


@pytest.mark.slow(keep=2)
@class_everywhere
@submissions(with_broken_cell, HARMLESS)
def test_a_broken_cell_costs_nothing_else(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL, mark
    assert sum(map(len, mark.notes)) < 1000


@everywhere
def test_correct_answers_in_other_dress_keep_their_marks(boxed, around):
    noisy = f"import sys, warnings\nwarnings.warn('old')\nprint('x' * 10**6, file=sys.stderr)\nreturn {RIGHT}"
    answers = {
        "decision": function(noisy),
        "cell": "from fractions import Fraction\ndef cell(X, y, theta, offset):\n"
        "    f = decision(X, np.append(theta, offset))\n"
        "    i = int(np.argmin(f**2 / (X**2).sum(axis=1)))\n"
        "    there = [Fraction(float(t - f[i] * x / (X[i] @ X[i]))) for t, x in zip(theta, X[i])]\n"
        "    wrong = [np.int8(k) for k in range(len(y)) if y[k] * f[k] <= 0]\n"
        "    return tuple(wrong), np.float32(i), there, Fraction(len(wrong)) + (1 - 2 * (i in wrong))",
        "training_error": "def training_error(X, y, theta, *more):\n"
        "    return np.longdouble(np.mean(y * decision(X, theta) <= 0))",
        "one_line": (
            "class OneLine:\n"
            "    def __call__(self, x, y, theta):\n"
            "        score = float(np.dot(theta, [*x, 1]))\n"
            "        return score, score / LENGTH(theta), np.float16(y) * score, np.array(-theta[2] / LENGTH(theta))\n"
            "one_line = OneLine()"),
        "product": "%%time\ndef product(a, b, total): return [np.longdouble((total**2 - a**2 - b**2) / 2)][0]",
        "line_through": "def line_through(p, q, inside):\n"
        "    theta = np.cross([*p, 1], [*q, 1]) / np.hypot(*(p - q))\n"
        "    return (theta * np.sign(theta @ [*inside, 1])).astype('>f8')",
        "find_line": "def find_line(X, y):\n"
        "    for k in range(3600):\n"
        "        w = np.array([np.cos(k / 570), np.sin(k / 570)])\n"
        "        low, high = (X[y > 0] @ w).min(), (X[y < 0] @ w).max()\n"
        "        if low > high: return [*w, -(low + high) / 2]",
        "seen_and_new": "def seen_and_new(X, y, lines, seen):\n"
        "    wrong = [y * decision(X, w) <= 0 for w in lines]\n"
        "    best = min(wrong, key=lambda row: row[seen].sum())\n"
        "    return best[seen].mean(), np.delete(best, seen).mean()",
    }
    mark = grade(notebook(answers, before=["LENGTH = lambda theta: float(np.linalg.norm(theta[:-1]))"]), boxed)
    assert points(mark) == FULL, mark


def as_stored(path, around):
    return next((ROOT / path).glob("*.ipynb")).read_bytes()


def stored(folder):
    return pytest.mark.parametrize("submission", [
        pytest.param(Submission(as_stored, f"{folder}/{name}", name, 11), id=name) for name in COURSE.points])


@pytest.mark.slow(keep=2)
@class_everywhere
@stored("solutions")
def test_solutions_get_all_marks(submission, graded):
    mark = graded(submission)
    assert [(t.name, t.points) for t in mark.tasks] == list(COURSE.points[submission.assignment].items())
    assert mark.notes == ()


@pytest.mark.slow(keep=2)
@class_everywhere
@stored("exercises")
def test_untouched_exercises_get_none(submission, graded):
    mark = graded(submission)
    assert mark.notes == ()
    assert [t.name for t in mark.tasks] == list(COURSE.points[submission.assignment])
    assert not any(t.points for t in mark.tasks)
    assert all("not written yet" in t.message for t in mark.tasks)


@everywhere
def test_a_named_mistake_is_counted_by_its_name(boxed, around):
    mark = grade(notebook({"decision": function("return X @ theta[:-1]")}), boxed)
    (wrong,), others = ([t for t in mark.tasks if (t.name == "decision") == own] for own in (True, False))
    assert wrong.message == "The offset is missing: the score is theta[:-1] . x + theta[-1]."
    assert wrong.mistake == "the-offset-is-missing"
    words = (
        "import coursekit.checking.call as call\ndef decision(X, theta): return 0\n"
        "class Named:\n    __call__ = decision\n    @property\n"
        f"    def __signature__(self): raise call.NotYet({wrong.message!r})\ndecision = Named()")
    (claimed,) = (t for t in grade(notebook({"decision": words}), boxed).tasks if t.name == "decision")
    assert (claimed.points, claimed.mistake) == (0, "")
    assert not any(t.mistake for t in others)


@everywhere
def test_equal_seeds_give_equal_marks(boxed, around):
    lucky = notebook({"decision": function("return X @ theta[:-1] + np.random.randn() + hash('a') % 97")},
                     before=["seen = np.random.rand(3)"])
    first, again, other = (grade(lucky, boxed, seed) for seed in (7, 7, 8))
    assert first == again
    assert first != other


@pytest.mark.parametrize("encoded", [
    "text", [1], {"list": 3}, {"list": [1], "more": 1}, {"array": ["|O", [1], "AAAAAAAAAAA="]},
    {"array": ["<f8", [10**9, 10**9], ""]}, {"array": ["<f8", [-1], ""]}, {"array": ["<f8", [1], "AA=="]},
    {"array": ["<f8", [1000, 1000, 0], ""]},
    {"array": ["<f8", [True], "AAAAAAAAAAA="]}, {"array": ["<f8", [1], "é"]}, {"array": ["f8,f8", [1], ""]},
    {"list": [{"list": [{"pickle": "x"}]}]}, {}, {"other": 3}, 10**301,
])
def test_only_plain_data_is_read(encoded):
    """Of the trusted side alone, which reads what any submission may have sent."""
    with pytest.raises(ValueError, match=r"."):
        wire.decode(encoded)


def test_without_bubblewrap_nothing_runs_that_should_be_boxed(monkeypatch, around):
    """Of the trusted side alone: no submission's process is started."""
    monkeypatch.setattr(marking, "sandbox_missing", lambda: "bubblewrap is not installed")
    mark = grade(SOLVED, True)
    assert (mark.ungraded, mark.tasks) == ("bubblewrap is not installed", ())


@pytest.mark.parametrize("program", [["no-such-program"], ["sh", "-c", "echo no room >&2; exit 1"]])
def test_a_process_that_does_not_start_is_no_fault_of_the_student(program, monkeypatch, around):
    """Of the trusted side alone: no submission's process comes up."""
    monkeypatch.setattr(marking, "sandbox_missing", lambda: "")
    monkeypatch.setattr(sandbox, "_bubblewrap", lambda: program)
    mark = grade(SOLVED, True)
    assert mark.tasks == ()
    assert "no-such-program" in mark.ungraded or "no room" in mark.ungraded


FILLS = {
    "many files": "for k in range(300): open(f'f{k}', 'wb').write(b'x' * 10**6)",
    "files without a name": (
        "import os\nkept = []\nfor k in range(20):\n    kept.append(open('f', 'wb', 0))\n    os.unlink('f')\n"
        "    kept[-1].write(b'x' * 10**7)"),
    "files at the end of a long path": (
        "import os\nfor _ in range(30): os.mkdir('d' * 250); os.chdir('d' * 250)\n"
        "for k in range(100): open(f'f{k}', 'wb').write(b'x' * 10**6)"),
    "empty files": "for k in range(10**5): open(f'f{k}', 'wb').close()",
    "empty folders": "import os\nfor k in range(10**5): os.mkdir(f'd{k}')",
}


def filling(name, around):
    return notebook(before=[f"{FILLS[name]}\nimport time\ntime.sleep(3)"])


@pytest.mark.slow(keep=1)
@class_everywhere
@submissions(filling, FILLS, (("CELL_SECONDS", 10.0),))  # on a busy machine many files take longer than two
def test_the_disk_is_not_filled(submission, graded, request):
    mark = graded(submission)
    boxed = request.node.callspec.params["graded"][0]
    assert points(mark) == FULL
    # Inside bubblewrap the file system itself is full, and says so.
    assert "wrote too much into files" in mark.notes[0] or (boxed and "No space left on device" in mark.notes[0])


def test_the_limits_are_those_that_instructors_read():
    """Of the documentation alone."""
    text = " ".join((ROOT / "docs" / "grading.md").read_text("utf-8").split())
    for limit in (
        f"A cell may compute for {marking.CELL_SECONDS:g} seconds and all calls of a task for {marking.TASK_SECONDS:g}",
        f"is stopped after {marking.WAIT_SECONDS:g} seconds",
        f"after {marking.SUBMISSION_SECONDS / 60:g} minutes in all",
        f"{sandbox.MEMORY >> 30} GB of memory, {sandbox.PROCESSES} processes and threads, {sandbox.DISK >> 20} MB in "
        f"files and {sandbox.FILES} files",
        f"notebooks and zips of up to {intake.ZIP_BYTES >> 20} MB each and {intake.TOTAL_BYTES >> 20} MB in all",
        f"{intake.MODULE_BYTES >> 20} MB of modules",
    ):
        assert limit in text
    assert intake.LARGEST == intake.ZIP_BYTES


def test_a_folder_that_cannot_be_listed_is_removed(around):
    """By a user who is not root, to whom nothing is closed."""
    folder = sandbox.tempfile.mkdtemp(prefix="coursekit-")
    if not (user := os.fork()):
        with contextlib.suppress(PermissionError):
            os.chown(folder, 65534, 65534)
            os.setuid(65534)
        os.makedirs(f"{folder}/a/b")
        os.chmod(f"{folder}/a", 0o300)
        sandbox._remove(folder)
        os._exit(os.path.exists(f"{folder}/a"))
    assert os.waitpid(user, 0)[1] == 0
    shutil.rmtree(folder, ignore_errors=True)


CROWDS = {
    "threads": "import threading, time\nfor _ in range(60): threading.Thread(target=time.sleep, args=(30,)).start()",
    "processes": "import os\nfor _ in range(60):\n    if not os.fork(): time.sleep(30)",
    "threads in processes": (
        "import os, threading\nfor _ in range(8):\n    if not os.fork():\n"
        "        for _ in range(8): threading.Thread(target=time.sleep, args=(30,)).start()\n        time.sleep(30)"),
    "a fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "orphans": "import os\nfor _ in range(60):\n    if not os.fork():\n        if not os.fork(): time.sleep(30)\n"
               "        os._exit(0)\n    os.wait()",
}


def crowded(name, around):
    return notebook(before=[f"import time\n{CROWDS[name]}\ntime.sleep(3)"])


@pytest.mark.slow(keep=1)
@class_everywhere
@submissions(crowded, CROWDS)
def test_processes_and_threads_are_bounded(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL
    # A thread's stack counts as memory, so that a process cannot have many of them.
    assert any(reason in mark.notes[0] for reason in ("too many processes or threads", "can't start new thread"))


@of_both
@pytest.mark.parametrize(("kind", "reason"), [("a hundred processes", "started too many processes"),
                                              ("memory in many processes", "took too much memory")])
def test_a_grader_that_is_held_up_still_knows_whose_fault_it_is(kind, reason, sandbox_used, around, monkeypatch):
    """On a busy machine it may first look when all is too late, and has read nothing yet. Of the trusted side alone."""
    line, held_up = sandbox.Process.line, []

    def late(process, deadline):
        end = time.monotonic() + 60
        while not held_up and len(sandbox._family(process._process.pid)) < 12 and time.monotonic() < end:
            time.sleep(0.05)
        if not held_up:
            time.sleep(1)
        held_up.append(True)
        return line(process, deadline)

    monkeypatch.setattr(sandbox.Process, "line", late)
    mark = grade(notebook(before=[HARMLESS[kind]]), sandbox_used)
    assert points(mark) == FULL
    assert mark.notes[0].startswith(f"cell 5 {reason}")


def test_a_process_that_ends_while_memory_is_counted_counts_no_more(monkeypatch):
    """Its pages are its parent's again, and would count twice. Of the trusted side alone."""
    monkeypatch.setattr(sandbox, "MEMORY", 0)
    large, own, child = np.ones(10_000_000), sandbox._memory([os.getpid()]), os.fork()
    if not child:
        time.sleep(60)
    look, gone = sandbox._kilobytes, []

    def late(file, names):
        if "smaps" in file and not gone:
            os.kill(child, 9)
            gone.append(os.waitpid(child, 0))
        return look(file, names)

    monkeypatch.setattr(sandbox, "_kilobytes", late)
    assert sandbox._memory([os.getpid(), child]) < own + large.nbytes / 2
    assert gone


@everywhere
def test_a_fork_bomb_in_a_call_costs_its_own_task(boxed, around):
    bomb = function("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass")
    mark = grade(notebook({"decision": bomb}), boxed)
    assert points(mark) == FULL | {"decision": 0}
    assert mark.notes == ()


@everywhere
def test_many_processes_and_threads_one_after_another_are_no_crowd(boxed, around):
    cell = (
        "import os, threading\nfor k in range(300):\n    if not os.fork(): os._exit(0)\n    os.wait()\n"
        "    if k % 10 == 0:\n        few = [threading.Thread(target=sum, args=([],)) for _ in range(8)]\n"
        "        for t in few: t.start()\n        for t in few: t.join()")
    mark = grade(notebook(before=[cell]), boxed)
    assert (points(mark), mark.notes) == (FULL, ())


@pytest.mark.slow(keep=1)
@everywhere
def test_memory_that_processes_share_counts_once(boxed, around):
    cell = ("import os, time\nlarge = np.ones(30_000_000)\nfor _ in range(8):\n    if not os.fork(): time.sleep(30)\n"
            "time.sleep(1)")
    mark = grade(notebook(before=[cell]), boxed)
    assert (points(mark), mark.notes) == (FULL, ())


@pytest.mark.slow(keep=1)
@of_both
@of_each_kind
def test_nothing_outlives_a_grader_that_dies(kind, sandbox_used, installed, around):
    """Least of all what multiplies: nobody would be there to bound it."""
    cell = "import os, time\nfor _ in range(6):\n    if not os.fork(): time.sleep(600)\ntime.sleep(600)"
    run = ("import pickle, sys; from coursekit.grading import mark, sandbox; own = sandbox._environment\n"
           "stamp, arguments, options = pickle.load(sys.stdin.buffer)\n"
           "sandbox._environment = lambda home: {**own(home), 'STAMP': stamp}\n"
           "mark.grade_notebook(*arguments, **options)")
    place, stamp = installed(kind), sandbox._environment("")["STAMP"]
    arguments = json.dumps(notebook(before=[cell])).encode(), COURSE.drawn(ASSIGNMENT, 3)
    grader = subprocess.Popen([place.python, "-P", "-c", run], env=place.environment, stdin=subprocess.PIPE)
    pickle.dump((stamp, arguments, {"sandbox": sandbox_used}), grader.stdin)
    grader.stdin.close()
    end = time.monotonic() + 60
    while len(stamped(stamp)) < 8:
        assert time.monotonic() < end
        assert grader.poll() is None
        time.sleep(0.05)
    grader.kill()
    grader.wait(60)


def ending(end, around):
    return notebook({"decision": f"from math import pi\n{function(f'pi; return {RIGHT}')}\n{end}"})


@pytest.mark.slow(keep=1)
@class_everywhere
@submissions(ending, ["while True: pass", "import os\nos._exit(0)"])
def test_a_cell_that_ends_badly_keeps_what_it_defines(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL
    assert "only what it defines was run" in mark.notes[0]


LACKING = [
    "import no_such_package", "data = open('on_my_machine.csv').read()", "help(int)", "n = int(input('How many? '))",
    "import coursekit as ck\nfor value in ck.losses.hinge(np.ones(3)): print(f'{value:.2f}')",
    "import coursekit as ck\nassert ck.losses.hinge(0.5) == 0.5; assert 1 + ck.losses.hinge(0) == 2",
    "@nothing\ndef of_no_importance(): pass", "for k in range(3):\n    1 / 0\n    pass",
]


def lacking(line, around):
    return notebook({"decision": f"{line}\nONE = 1.0\n{line}\n{function(f'return ONE * ({RIGHT})')}"})


@class_everywhere
@submissions(lacking, LACKING)
def test_what_the_machine_lacks_does_not_cost_the_answer(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL
    assert len(mark.notes) == (submission.name != "help(int)")


@everywhere
def test_a_definition_that_ends_the_process_is_left_out(boxed, around):
    fatal = f"@lambda f: __import__('os')._exit(0)\n{function(f'return {RIGHT}')}"
    assert points(grade(notebook({"decision": fatal}), boxed)) == FULL | {"decision": 0}


def test_a_comparison_that_fails_is_no_fault_of_the_student(monkeypatch, around):
    """Of the trusted side alone, which compares."""
    def fails(task, answers, tell):
        raise OverflowError("too large") if task.name == "decision" else AssertionError

    monkeypatch.setattr(marking, "judged", fails)
    monkeypatch.setattr(marking.worker, "ask", lambda function, *arguments: function(*arguments))
    mark = grade(SOLVED, False)
    assert mark.tasks[1].ungraded == "the comparison failed (OverflowError: too large)"
    assert not any(t.message for t in mark.tasks)


def sleeping(name, around):
    """Longer than it may compute."""
    return notebook(before=["import time\ntime.sleep(2.5)", "SLEPT = 1.0"], answers={"decision": function(
        f"import time\ntime.sleep(0.5)\nreturn SLEPT * ({RIGHT})")})


def sleeping_for_ever(name, around):
    return notebook(before=["import time\ntime.sleep(1e6)"])


@pytest.mark.slow
@class_everywhere
@submissions(sleeping, ["asleep"])
def test_a_cell_that_waits_costs_time_and_nothing_else(submission, graded):
    mark = graded(submission)
    assert (points(mark), mark.notes) == (FULL, ())


@pytest.mark.slow
@class_everywhere
@submissions(sleeping_for_ever, ["asleep"], (("SUBMISSION_SECONDS", 3.0),))
def test_a_notebook_that_does_not_end_is_stopped(submission, graded):
    assert ungraded(graded(submission)) == f"{', '.join(FULL)}: the notebook had not ended after 3 seconds in all"


WAITS = {
    "a long sleep": "import time\ntime.sleep(1e9)",
    "a lock that nobody releases": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "a pipe that nobody writes to": "import os\nos.read(os.pipe()[0], 1)",
    "a thread without an end": "import threading\nthreading.Event().wait()",
}


FOUR = (("WAIT_SECONDS", 4.0),)


def waiting_in_a_call(name, around):
    return notebook({"decision": function(f"{WAITS[name]}\nreturn {RIGHT}")})


def waiting_in_a_cell(name, around):
    return notebook({"decision": f"{WAITS[name]}\nONE = 1.0\n{function(f'return ONE * ({RIGHT})')}"})


@pytest.mark.slow(keep=2)
@class_everywhere
@submissions(waiting_in_a_call, WAITS, FOUR)
def test_a_call_that_waits_leaves_its_own_task_ungraded(submission, graded):
    mark = graded(submission)
    assert ungraded(mark) == "decision: waited 4 seconds and was stopped"
    assert {t.name: t.points for t in mark.tasks} == FULL | {"decision": 0}
    assert not any(t.message for t in mark.tasks)


@everywhere
def test_what_computes_does_not_wait_however_busy_the_machine(boxed, around, monkeypatch):
    monkeypatch.setattr(marking, "WAIT_SECONDS", 0.5)
    mark = grade(notebook({"decision": function("while True: pass")}), boxed)
    assert points(mark) == FULL | {"decision": 0}
    assert told(mark).startswith("decision was still running after 2 seconds")


@class_everywhere
@submissions(waiting_in_a_cell, ["a long sleep"], FOUR)
def test_what_is_wrong_after_a_cell_that_waited_is_ungraded(submission, graded):
    mark = graded(submission)
    assert ungraded(mark) == "decision: cell decision waited 4 seconds and was stopped"
    assert {t.name: t.points for t in mark.tasks} == FULL | {"decision": 0}
    assert mark.notes == ("cell decision waited 4 seconds and was stopped; only what it defines was run.",)


@pytest.mark.parametrize(("said", "points"), [
    ([["task", "decision"], ["answers"]], FULL["decision"]), ([["task", "decision"], ["refused", "no"]], 0),
    ([["cell", 0, "cell 1"], ["note", "no"], ["task", "decision"], ["answers"], ["over", 0]], FULL["decision"]),
])
def test_what_a_call_leaves_behind_takes_no_mark_away(said, points, monkeypatch):
    """Its processes may be noticed only when its answer is here. Of the trusted side: a script stands for them."""
    task = COURSE.assignments[ASSIGNMENT].exercises["decision"]
    cases = COURSE.drawn(ASSIGNMENT, 3).cases["decision"]
    answers = [wire.encode(task.right(*map(wire.decode, case))) for case in cases]
    said = [[*m, answers] if m == ["answers"] else m for m in said]
    scripts = [said, [m for t in FULL if t != "decision" for m in (["task", t], ["refused", "no"])]]

    class Script:
        def __init__(self, *order):
            self.lines = iter(scripts.pop(0))

        def line(self, deadline):
            try:
                return json.dumps(next(self.lines)).encode()
            except StopIteration:
                raise sandbox.Stopped("started too many processes or threads") from None

        def turn(self, seconds, waiting):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

    monkeypatch.setattr(marking, "Process", Script)
    mark = grade(SOLVED, False)
    assert not ungraded(mark)
    assert {t.name: t.points for t in mark.tasks} == dict.fromkeys(FULL, 0) | {"decision": points}
    scripts.append([])
    assert grade(SOLVED, False).ungraded == "the process for it started too many processes or threads"


def burning(name, around):
    burns = "import os\nfor _ in range(3):\n    if not os.fork():\n        while True: pass\nos.wait()"
    return notebook(before=[burns])


@pytest.mark.slow(keep=1)
@class_everywhere
@submissions(burning, ["three processes"])
def test_the_time_of_a_cell_is_that_of_all_its_processes(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL
    assert "was still running after 2 seconds" in mark.notes[0]


LATER = ["def decision(X, theta): return 0", "sum = len = np = None", "def HALF(x): return 0", "del one_line"]


@everywhere
def test_a_function_is_taken_as_it_was_at_its_check(boxed, around):
    answer = function(f"return [HALF(x) for x in 2 * ({RIGHT})][:len(X)]")
    nb = notebook({"decision": f"def HALF(x): return x / 2\n{answer}"}, after=LATER)
    assert points(grade(nb, boxed)) == FULL
    at = next(k for k, (_, marks) in enumerate(each(nb)) if marks.get("grade_id") == "product-check")
    between = [*nb["cells"][:at], *map(code, LATER), *nb["cells"][at + 1 :]]
    assert points(grade({"cells": between}, boxed))["decision"] == FULL["decision"]
    wrong = notebook({"decision": function("return 0")}, after=[answer])
    assert points(grade(wrong, boxed))["decision"] == 0


@everywhere
def test_await_is_run_as_in_a_notebook(boxed, around):
    cells = ["import asyncio\nasync def one():\n    await asyncio.sleep(0.01)\n    return 1.0", "ONE = await one()",
             "no_such_name\nONE *= (await asyncio.gather(one(), one()))[1]"]
    nb = notebook({"decision": function(f"return ONE * ({RIGHT})")}, before=cells)
    assert points(grade(nb, boxed)) == FULL


@everywhere
def test_modules_beside_the_notebook_are_imported_and_shadow_nothing(boxed, around):
    beside = {"helpers.py": b"import more\nHALF = more.ONE / 2", "more.py": b"\xef\xbb\xbfONE = 1.0",
              **dict.fromkeys(("numpy.py", "json.py", "fractions.py", "coursekit.py", "../out.py"), b"exit(1)")}
    cell = f"import helpers, json, fractions, coursekit\n{function(f'return 2 * helpers.HALF * ({RIGHT})')}"
    source = json.dumps(notebook({"decision": cell})).encode()
    mark = grade_notebook(source, COURSE.drawn(ASSIGNMENT, 3), sandbox=boxed, beside=beside)
    assert (points(mark), mark.notes) == (FULL, ())


@everywhere
def test_types_of_numpy_are_there_for_whoever_asks(boxed, around):
    """The process does without them until then."""
    answer = (f"import numpy.typing as npt\nassert list not in (npt.NBitBase, npt.NDArray[np.int64].__origin__)\n"
              f"def decision(X: npt.NDArray[np.float64], theta: 'npt.ArrayLike') -> np.ndarray: return {RIGHT}")
    mark = grade(notebook({"decision": answer}), boxed)
    assert (points(mark), mark.notes) == (FULL, ())


def slow_verdict(*_):
    time.sleep(60)


def large_verdict(*_):
    return len(bytearray(10**10))


def dead_verdict(*_):
    os._exit(1)


@pytest.mark.slow(keep=1)
@pytest.mark.parametrize(("verdict", "reason"), [
    (slow_verdict, "took more than 1 seconds"), (large_verdict, "took too much memory"),
    (dead_verdict, "ended its process"),
])
def test_a_comparison_without_end_leaves_one_submission_ungraded(verdict, reason, around, monkeypatch):
    """Of the trusted side alone, which compares."""
    monkeypatch.setattr(worker, "_own", threading.local())
    monkeypatch.setattr(worker, "SECONDS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(marking, "_verdict", verdict)
        mark = grade(SOLVED, False)
    assert mark.ungraded == f"the comparison of what {next(iter(FULL))} returned {reason}"
    assert mark.tasks == ()
    monkeypatch.setattr(worker, "SECONDS", 60)
    assert points(grade(SOLVED, False)) == FULL


# What takes long to compare, show or read, sent past our own encoder.
HEAVY = {
    "lists without numbers": {"list": [{"array": ["<f8", [100000 - k, 0], ""]} for k in range(40)]},
    "many small ones": {"list": [{"array": ["<f8", [2500 - k, 0], ""]} for k in range(39)]},
    "a tree": 1.0,
    "a long text": {"other": "x " * 400_000},
    "a flat list": {"list": [None] * 99_000},
}
for _ in range(4):
    HEAVY["a tree"] = {"list": [HEAVY["a tree"]] * 17}
HEAVY["a tree"] = {"list": [HEAVY["a tree"], HEAVY["lists without numbers"]["list"][0]]}


def heavy(name, around):
    count = len(COURSE.drawn(ASSIGNMENT, 3).cases["decision"])
    forged = json.dumps(["answers", [HEAVY[name], *[0] * (count - 1)]])
    cell = (f"import os\ndef decision(X, theta):\n    for fd in range(3, 64):\n        try:\n"
            f"            line = {forged!r}.encode() + b'\\n'\n"
            f"            while line: line = line[os.write(fd, line):]\n"
            f"        except OSError: pass\n    os._exit(0)")
    return notebook({"decision": cell})


@pytest.mark.slow(keep=2)
@class_in_clone
@submissions(heavy, HEAVY)
def test_what_is_heavy_to_compare_is_a_wrong_answer_like_others(submission, graded):
    assert points(graded(submission)) == FULL | {"decision": 0}


def test_what_is_shown_of_a_large_value_is_short_and_soon_there():
    """Of the trusted side alone, which shows it."""
    deep = [np.zeros((100_000, 0))] * 1000
    for _ in range(10):
        deep = [deep] * 1000
    assert len(shown(deep)) <= 100
    assert shown([1, [2.5, (3,)], np.arange(3)]) == "[1, [2.5, (3)], [0, 1, 2]]"


def tamper(change):
    nb = deepcopy(SOLVED)
    change(nb)
    return nb


def each(nb):
    return [(c, c["metadata"].get("nbgrader", {})) for c in nb["cells"]]


def without(nb, *names):
    nb["cells"] = [c for c, marks in each(nb) if marks.get("grade_id") not in names]


def more_points(nb):
    for _, marks in each(nb):
        if "points" in marks:
            marks["points"] = 1000
    nb["metadata"]["total"] = 100


def wrong_checks(nb):
    for cell, marks in each(nb):
        if marks.get("locked"):
            cell["source"] = "import os; os._exit(0)"


def retyped(nb):
    for cell, marks in each(nb):
        if marks:
            cell["cell_type"] = "markdown"
            marks |= {"locked": False, "solution": True, "grade": True}


def wrong_answer_first(nb):
    """Copied in the browser with its metadata: what is defined last counts, as in the student's own notebook.

    So does the last check, if that is copied as well.
    """
    at = next(k for k, (_, marks) in enumerate(each(nb)) if marks.get("grade_id") == "decision")
    nb["cells"].insert(at, code("def decision(X, theta): return 0", "decision"))


def wrong_answer_last(nb):
    nb["cells"].append(code("def decision(X, theta): return 0", "decision"))


def wrong_answer_and_check_last(nb):
    check = next(cell for cell, marks in each(nb) if marks.get("grade_id") == "decision-check")
    wrong_answer_last(nb)
    nb["cells"].append(deepcopy(check))


def answers_below_their_checks(nb):
    for k in range(len(nb["cells"]) - 1):
        if each(nb)[k + 1][1].get("grade_id", "").endswith("-check"):
            nb["cells"][k : k + 2] = nb["cells"][k + 1], nb["cells"][k]


def no_metadata(nb):
    nb["metadata"] = {}
    for cell in nb["cells"]:
        cell["metadata"] = {}


def odd_metadata(nb):
    nb["metadata"] = {"kernelspec": {"name": "ir", "language": "R"}, "language_info": 7}
    nb["cells"] += [7, None, [], {"cell_type": "code"}, {"cell_type": "code", "metadata": 3, "source": {"a": 1}},
                    {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": ["decision"]}}, "source": [1, None]}]
    nb["cells"] += [code("1 +"), {"cell_type": "raw", "metadata": {}, "source": "raise SystemExit"}]
    for cell in nb["cells"][:4]:
        cell["source"] = list("".join(cell["source"]))


TAMPERED = {
    "more points": (more_points, ()),
    "checks deleted": (lambda nb: without(nb, "setup", *(f"{t}-check" for t in FULL)), ()),
    "checks that exit": (wrong_checks, ()),
    "checks twice": (lambda nb: nb["cells"].extend(deepcopy(nb["cells"][-6:])), ()),
    "all cells twice": (lambda nb: nb["cells"].extend(deepcopy(nb["cells"])), ()),
    "all cells retyped": (retyped, ()),
    "an answer deleted": (lambda nb: without(nb, "cell"), ("cell",)),
    "an answer copied, the wrong one first": (wrong_answer_first, ()),
    "an answer copied, the wrong one last": (wrong_answer_last, ()),
    "an answer and its check copied, the wrong ones last": (wrong_answer_and_check_last, ("decision",)),
    "answers below their checks": (answers_below_their_checks, ()),
    "in reverse": (lambda nb: nb["cells"].reverse(), ()),
    "no metadata": (no_metadata, ()),
    "another kernel, odd cells": (odd_metadata, ()),
    "no cells": (lambda nb: nb["cells"].clear(), FULL),
    "two thousand cells": (lambda nb: nb["cells"].extend(code("1/0") for _ in range(2000)), ()),
}


def tampered(name, around):
    return tamper(TAMPERED[name][0])


@pytest.mark.slow(keep=8)
@class_in_clone
@submissions(tampered, TAMPERED)
def test_only_the_answers_of_a_notebook_count(submission, graded):
    assert points(graded(submission)) == FULL | dict.fromkeys(TAMPERED[submission.name][1], 0)


def nested(depth):
    return b'{"cells": ' + b"[" * depth + b"]" * depth + b"}"


UNREADABLE = {
    "nothing": b"",
    "binary": bytes(range(256)) * 100,
    "half a file": json.dumps(SOLVED).encode()[:-200],
    "not a notebook": b"[1, 2]",
    "a number": b"7",
    "no cells": b'{"nbformat": 4}',
    "cells that are none": b'{"cells": {"a": 1}}',
    "deep": nested(100_000),
    "deep objects": b'{"a":' * 100_000,
    "a long number": b'{"cells": [' + b"9" * 10_000 + b"]}",
    "as a picture": b"\x89PNG\r\n\x1a\n" + bytes(1000),
    "too large": b" " * (21 << 20),
}


def unreadable(name, around):
    return UNREADABLE[name]


@pytest.mark.slow(keep=4)
@class_in_clone
@submissions(unreadable, UNREADABLE)
def test_what_is_no_notebook_is_ungraded_not_zero(submission, graded):
    mark = graded(submission)
    assert "notebook" in mark.ungraded
    assert mark.tasks == ()
    assert Mark(**json.loads(json.dumps(vars(mark)))) == Mark(ASSIGNMENT, [], mark.ungraded, [])


@pytest.mark.slow
def test_a_wide_file_is_read_where_memory_is_bounded(around):
    """Of the trusted side alone: measured is the memory of the process that grades, this one."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grade(b'{"cells": [' + b"{}," * (6 << 20) + b"{}]}", False)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10


# Hostile: `decision` is wrong and must stay so, and nothing may be touched. {} is what lies around.
HOSTILE = {
    "reads the tasks": (
        "from coursekit.grading.course import find\n"
        "def decision(X, theta): return find().assignments['01-linear-classifiers'].space['decision'](X, theta)"),
    "reads the tasks behind our back": (
        "import sys, importlib\nsys.meta_path[:] = [m for m in sys.meta_path if 'oursekit' not in type(m).__name__]\n"
        "for m in [m for m in sys.modules if m.startswith('coursekit')]: del sys.modules[m]\n"
        "sys.path.insert(0, {root!r})\n"
        "from pathlib import Path\nfrom coursekit.grading.course import Course\n"
        "decision = Course(Path({root!r})).assignments['01-linear-classifiers'].space['decision']"),
    "reads the file of the tasks": (
        "space = {{}}\nexec(open({root!r} + '/solutions/01-linear-classifiers/tasks.py').read(), space)\n"
        "def decision(X, theta): return eval(space['SCORE'])"),
    "reads the solution": (
        "import json\nfor c in json.load(open({root!r} + '/solutions/01-linear-classifiers/linear-classifiers.ipynb'))"
        "['cells']:\n    if 'def decision' in ''.join(c['source']): exec(''.join(c['source']))"),
    "reads the solution in another process": (
        "import subprocess, json\nout = subprocess.run(['cat', {root!r} + '/solutions/01-linear-classifiers/"
        "linear-classifiers.ipynb'], capture_output=True).stdout\n"
        "for c in json.loads(out)['cells']:\n"
        "    if 'def decision' in ''.join(c['source']): exec(''.join(c['source']))"),
    "reads the caller's frame": (
        "def decision(X, theta):\n    import sys, gc\n    frame = sys._getframe()\n    while frame:\n"
        "        for name, value in frame.f_locals.items():\n"
        "            if name in ('expected', 'answer', 'reference'): return value\n"
        "            if hasattr(value, 'answer'): return value.answer(X, theta)\n        frame = frame.f_back\n"
        "    for o in gc.get_objects():\n"
        "        if type(o).__name__ == 'Task' and callable(getattr(o, 'answer', None)): return o.answer(X, theta)"),
    "tells what it can see": (
        "import os, glob\ndef decision(X, theta):\n    seen = [os.environ.get('COURSEKIT_SECRET')]\n"
        "    for f in glob.glob('/proc/*/environ') + ['{folder}/secret.txt']:\n"
        "        try: seen += [p for p in open(f).read().split('\\0') if 'tell' in p or 'marks' in p]\n"
        "        except OSError: pass\n    raise ValueError(seen)"),
    "patches the checks": (
        "import numpy.testing, builtins\nnp.array_equal = np.allclose = lambda *a, **k: True\n"
        "numpy.testing.assert_allclose = numpy.testing.assert_array_equal = lambda *a, **k: None\n"
        "import coursekit.checking.call, coursekit.checking.judge, coursekit.grading as g\n"
        "coursekit.checking.judge.compare = coursekit.checking.judge.diagnose = lambda *a: ''\n"
        "g.check = lambda *a: None\ndef decision(X, theta): return 0"),
    "patches builtins": (
        "import builtins, operator\nbuiltins.all = builtins.any = lambda *a: True\n"
        "builtins.isinstance = lambda *a: True\n"
        "def decision(X, theta): return 0"),
    "transforms code": (
        "import ast\nclass T(ast.NodeTransformer):\n    def visit_Assert(self, node): return None\n"
        "get_ipython().ast_transformers.append(T())\nget_ipython().input_transformers_post.append(lambda l: [])"),
    "forges answers": (
        "import os, json\nfor fd in range(3, 64):\n    try:\n"
        "        for t in {tasks}:\n"
        "            for m in (['task', t], ['answers', [1] * 6], ['over', 0]):\n"
        "                os.write(fd, json.dumps(m).encode() + b'\\n')\n"
        "    except OSError: pass\nos._exit(0)"),
    "forges answers, as refusals without a word": (
        "import os, json\nfor fd in range(3, 64):\n    try:\n        for t in {tasks}:\n"
        "            for m in (['task', t], ['refused', ''], ['over', 0]):\n"
        "                os.write(fd, json.dumps(m).encode() + b'\\n')\n"
        "    except OSError: pass\nos._exit(0)"),
    "refuses without a word": (
        "import coursekit.checking.call as call\ndef decision(X, theta): return 0\n"
        "class Silent:\n    __call__ = decision\n    @property\n    def __signature__(self): raise call.NotYet('')\n"
        "decision = Silent()"),
    "forges the end": (
        "import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'[\"end\"]\\n[\"unreadable\", \"x\"]\\n')\n"
        "    except OSError: pass\nos._exit(0)"),
    "forges the end again and again": (
        "import os, time\nfor _ in range(300):\n    for fd in range(3, 64):\n"
        "        try: os.write(fd, b'[\"over\", 0]\\n')\n        except OSError: pass\n    time.sleep(0.1)"),
    "forges nonsense": (
        "import os\nfor fd in range(3, 64):\n"
        "    try: os.write(fd, bytes(range(256)) + b'\\n' + b'[' * 100000 + b'\\n')\n"
        "    except OSError: pass\nos._exit(0)"),
    "floods with one line": (
        "import os\nwhile True:\n    for fd in range(3, 64):\n        try: os.write(fd, b'x' * 65536)\n"
        "        except OSError: pass"),
    "floods with lines": (
        "import os\nwhile True:\n    for fd in range(3, 64):\n"
        "        try: os.write(fd, b'[\"note\", \"x\"]\\n' * 4000)\n"
        "        except OSError: pass"),
    "takes its parents with it": (
        "import os, signal\nfor pid in (os.getppid(), 1):\n    try: os.kill(pid, signal.SIGKILL)\n"
        "    except OSError: pass\ndef decision(X, theta): os.kill(os.getppid(), 9)"),
    "writes elsewhere": (
        "import os, shutil, pathlib\n"
        "for place in ('{folder}/touched', '/touched', '/etc/touched', {root!r} + '/touched', '/tmp/touched',"
        "              os.path.dirname(np.__file__) + '/touched', {root!r} + '/coursekit/touched'):\n"
        "    try: pathlib.Path(place).write_text('here')\n    except OSError: pass\n"
        "for act in (lambda: os.remove('{folder}/secret.txt'), lambda: shutil.rmtree('{folder}'),\n"
        "            lambda: os.rename('{folder}/secret.txt', '{folder}/touched'),\n"
        "            lambda: os.symlink('{folder}', '{folder}/touched'), lambda: os.mkdir('{folder}/touched'),\n"
        "            lambda: os.truncate('{folder}/secret.txt', 0), lambda: os.chmod('{folder}/secret.txt', 0),\n"
        "            lambda: os.system('touch {folder}/touched'), lambda: os.mkfifo('{folder}/touched'),\n"
        "            lambda: os.link('{folder}/secret.txt', '{folder}/touched')):\n"
        "    try: act()\n    except OSError: pass\n"
        "def decision(X, theta): return 0"),
    "goes through a link": (
        "import os\ntry:\n    os.symlink('{folder}', 'way')\n    open('way/touched', 'w').close()\n"
        "except OSError: pass\n"
        "def decision(X, theta): return float(open('way/secret.txt').read())"),
    "opens connections": (
        "import socket, urllib.request\ndef decision(X, theta):\n"
        "    for act in (lambda: socket.create_connection(('127.0.0.1', {port}), 1),\n"
        "                lambda: socket.socket().connect_ex(('127.0.0.1', {port})),\n"
        "                lambda: urllib.request.urlopen('http://127.0.0.1:{port}', timeout=1)):\n"
        "        try: act()\n        except OSError: pass"),
    "leaves a process in the call": (
        "import os, time\ndef decision(X, theta):\n    if not os.fork():\n        os.setsid()\n        time.sleep(30)\n"
        "    return 0"),
    "returns twice": (  # once: a fork in each call makes thousands of processes, which is another attack
        "import os\nforked = []\ndef decision(X, theta):\n    forked.append(1)\n"
        "    if len(forked) == 1:\n        os.fork()\n    return 0"),
    "lies as an array": (
        "class A:\n    __array_priority__ = 1e9\n    def __array__(self, *a, **k): return np.zeros(1)\n"
        "    def __len__(self): return 10**9\n    def __eq__(self, other): return True\n"
        "def decision(X, theta): return A()"),
    "takes the modules away": "import sys\ndef decision(X, theta): sys.modules.clear(); return 0",
    "turns what it says elsewhere": (
        "import os\ndef decision(X, theta):\n    for fd in range(3, 64):\n"
        "        try: os.dup2(os.open(os.devnull, os.O_WRONLY), fd)\n        except OSError: pass\n    return 0"),
    "answers in a thread": (
        "import os, threading\ndef decision(X, theta):\n    def flood():\n        while True:\n"
        "            for fd in range(3, 20):\n                try: os.write(fd, b'[\"answers\", []]\\n')\n"
        "                except OSError: pass\n    threading.Thread(target=flood, daemon=True).start()\n    return 0"),
    "forges when it is thrown away": (
        "import os\nclass E:\n    def __del__(self):\n        for fd in range(3, 64):\n"
        "            try: os.write(fd, b'[\"answers\", [1]]\\n')\n            except OSError: pass\n"
        "def decision(X, theta):\n    e = E()\n    return 0"),
    "leaves a child to its parent": (
        "import ctypes, time\ndef decision(X, theta):\n    for clone in (56, 220):\n"
        "        if not ctypes.CDLL(None).syscall(clone, 0x8000 | 17, 0, 0, 0, 0): time.sleep(30)\n    return 0"),
    "is asked with the cases of another": (
        "import sys\nframe = sys._getframe()\nwhile frame:\n    order = frame.f_globals.get('ORDER')\n"
        "    if order: order['tasks']['decision'] = order['tasks']['product']\n    frame = frame.f_back\n"
        "def decision(*arguments): return 0"),
    "does not fork": (
        "import sys\nframe = sys._getframe()\nwhile frame:\n    if 'ORDER' in frame.f_globals:\n"
        "        frame.f_globals |= dict(fork=None, _exit=lambda *a: None)\n    frame = frame.f_back\n"
        "def decision(X, theta): return 0"),
    "is called without end": (
        "class Endless:\n    def __call__(self, *arguments): return 0\n    @property\n    def __signature__(self):\n"
        "        while True: pass\ndecision = Endless()"),
    "does not leave": (
        "import os\nos._exit = lambda *a: None\nimport json\njson.dumps = lambda *a, **k: '[\"end\"]'\n"
        "def decision(X, theta): return 0"),
}


def hostile(name, around, root=ROOT):
    cell = HOSTILE[name].format(folder=around.folder, root=str(root), port=around.port, tasks=list(FULL))
    return notebook({"decision": cell if "def decision" in cell else f"{cell}\ndef decision(X, theta): return 0"})


@pytest.mark.slow(keep=12)
@class_everywhere
@submissions(hostile, HOSTILE)
def test_hostile_submissions_earn_and_touch_nothing(submission, graded):
    earned = points(graded(submission))
    if submission.name == "patches builtins":  # the process may not survive this; decision, at least, is wrong
        assert earned["decision"] == 0
    else:
        assert earned == FULL | {"decision": 0}


@everywhere
def test_the_seed_of_the_cases_stays_outside(boxed, around):
    """With it a submission could draw what is held out of `project`."""
    seed = 987654321
    spy = (f"import random, sys\nseen, frame = random.getstate() == random.Random({seed}).getstate(), sys._getframe()\n"
           f"same = np.random.get_state()[1].tolist() == np.random.RandomState({seed}).get_state()[1].tolist()\n"
           "given = ''\nwhile frame:\n    given += str(frame.f_globals.get('ORDER', ''))\n    frame = frame.f_back\n"
           f"seen = seen or same or '{seed}' in given or 'decision' not in given\n"
           f"def decision(X, theta): return 0 if seen else {RIGHT}")
    assert points(grade(notebook({"decision": spy}), boxed, seed)) == FULL


@everywhere
def test_the_kernel_refuses_what_no_exercise_needs(boxed, around):
    """Also to machine code, which no patch of Python would stop. Shared memory would outlive its process."""
    tries = """
import ctypes, os, resource, struct
c = ctypes.CDLL(None, use_errno=True)
end, limits = os.pipe()[1], bytes(16)
tried = {
    "socket": lambda: c.socket(2, 1, 0), "datagrams": lambda: c.socket(2, 2, 0), "shared memory": lambda: c.shmget(
        0, 4096, 0o1600), "memory file": lambda: c.memfd_create(b"m", 0), "signal": lambda: c.kill(os.getppid(), 0),
    "trace": lambda: c.ptrace(16, os.getppid(), 0, 0), "rights": lambda: c.chmod(b".", 0o700),
    "a file elsewhere": lambda: c.open(b"{folder}/secret.txt", 0), "a new one": lambda: c.creat(b"{folder}/touched", 0),
    "a priority": lambda: c.setpriority(0, 0, 5), "another's limits": lambda: c.prlimit({pid}, 0, None, limits),
    "another's processors": lambda: c.sched_setaffinity({pid}, 128, b"\\xff" * 128), "another's turn":
        lambda: c.sched_setscheduler({pid}, 0, bytes(4)), "a pipe that signals": lambda: c.fcntl(end, 8, {pid}),
    "in another way": lambda: c.fcntl(end, 15, struct.pack("ii", 1, {pid})), "a large pipe": lambda: c.fcntl(
        end, 1031, 1 << 20), "another's view in a new process":
        lambda: c.syscall({clone}, 0x10000000 | 17, 0, 0, 0, 0), "not to be looked at": lambda: c.prctl(4, 0, 0, 0, 0),
}
done = [name for name, call in tried.items() if call() >= 0]
for name, number in {numbers}.items():
    if c.syscall(number, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != (38 if name == "clone3" else 1):
        done.append(name)
own = c.creat(b"mine", 0o600) >= 0 and resource.getrlimit(resource.RLIMIT_AS)[0] > 0 == c.fcntl(end, 4, 0)
raise ValueError(done, own)
"""
    k = fence.ARCHITECTURES[os.uname().machine][0]
    numbers = {name: both[k] for name, both in fence.REFUSED.items() if both[k] is not None}
    numbers["clone3"] = fence.CLONE3[k]
    for name, value in {**around._asdict(), "clone": fence.CLONE[k], "numbers": numbers}.items():
        tries = tries.replace(f"{{{name}}}", str(value))
    mark = grade(notebook({"decision": tries}), boxed)
    assert "ValueError: ([], True)" in mark.notes[0]


# All ways to a file of ours: one cell, which raises the names of those that it could read.
SPY = """
import os, sys
read, places = [], {places!r}
for folder in {folders!r} + ["/"]:
    for place, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if place != "/" or f not in ("proc", "sys", "dev")]
        places += [os.path.join(place, name) for name in files]
for place in places:
    if not any(word in place for word in ("coursekit", "solution", "exercise", "task", "check", "grad", ".pth")):
        continue
    try:
        text = open(place, "rb").read()
    except OSError:
        continue
    if b"coursekit" in text and not place.endswith({parts!r}) and not place.startswith(os.getcwd()):
        read.append(place)
raise ValueError(len(places), read)
"""
# One cell that answers with our answer, if it can be found.
THIEF = """
import importlib, os, sys
sys.meta_path[:] = [m for m in sys.meta_path if "oursekit" not in type(m).__name__]
def decision(X, theta):
    for folder in {folders!r}:
        for m in [m for m in sys.modules if m.startswith("coursekit")]: del sys.modules[m]
        sys.path.insert(0, folder)
        try:
            from pathlib import Path
            course = importlib.import_module("coursekit.grading.course").Course(Path(folder))
            return course.assignments["01-linear-classifiers"].space["decision"](X, theta)
        except Exception: pass
    return 0
"""


@pytest.mark.slow(keep=1)
@of_both
@of_each_kind
def test_no_answer_can_be_read_however_coursekit_is_installed(kind, sandbox_used, installed):
    place = installed(kind)
    roots = list(dict.fromkeys([place.site, ROOT]))
    roots += [Path(str(root).replace("/lib/", "/lib64/")) for root in roots]
    folders = list(dict.fromkeys(map(str, roots)))
    places = [str(path) for root in roots for part in ("coursekit", "solutions", "exercises", "tests")
              for path in (root / part).rglob("*") if path.suffix in (".py", ".ipynb", ".json", ".pyc")]
    parts = [f"coursekit/{part}" for part in sandbox.PARTS if part.endswith(".py")]
    parts = tuple(parts + list(map(cache_from_source, parts)))
    spy = SPY.format(places=places, folders=folders, parts=parts)
    odd = "%matplotlib inline\nimport scipy.optimize, pandas, sklearn.svm\n!ls\nimport matplotlib.pyplot as plt"
    seen, stolen, solved, drawn = (
        place.grade_notebook(json.dumps(nb).encode(), COURSE.drawn(ASSIGNMENT, 3), sandbox=sandbox_used) for nb in (
            notebook(before=[spy]), notebook({"decision": THIEF.format(folders=folders)}), SOLVED,
            notebook(before=[odd, "%matplotlib inline\nplt.plot([1, 2]); plt.savefig('a.png')"])))
    assert "cell 5: ValueError: (" in seen.notes[0]
    assert seen.notes[0].rstrip("0123456789").endswith(", []), in line ")
    assert not seen.notes[0].startswith("cell 5: ValueError: (0")
    assert points(stolen) == FULL | {"decision": 0}
    assert points(solved) == FULL == points(drawn)
    assert not [note for note in drawn.notes if "pandas" not in note]


@pytest.mark.slow
def test_a_wheel_has_the_code_of_the_clone(installed):
    """So that all that a grader decides by itself need be tried in a clone alone."""
    package = installed(KINDS[1]).package
    code = {path: path.read_bytes() for path in (ROOT / "coursekit").rglob("*.py")}
    assert len(code) > 100
    assert {path: (package / path.relative_to(ROOT / "coursekit")).read_bytes() for path in code} == code


@pytest.mark.slow
@of_both
def test_what_is_installed_from_a_wheel_grades_a_class(sandbox_used, installed, tmp_path):
    place = installed(KINDS[1])
    environment = place.environment
    if not sandbox_used:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "rm").symlink_to(shutil.which("rm"))
        environment = {**environment, "PATH": str(tmp_path / "bin")}
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann.ipynb").write_text(json.dumps(SOLVED))
    (tmp_path / "in" / "bob.ipynb").write_text(json.dumps(notebook({"decision": function("return 0")})))
    command = [place.python, "-c", "from coursekit.cli import main; main()", "grade", "in", "--out", "out"]
    done = subprocess.run([*command, "--course", ROOT], cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (b"WARNING: NO SANDBOX" in done.stderr) != sandbox_used
    with open(tmp_path / "out" / "grades.csv", newline="") as file:
        totals = {row["student"]: float(row["total"]) for row in csv.DictReader(file)}
    assert totals == {"ann": sum(FULL.values()), "bob": sum(FULL.values()) - FULL["decision"]}
    # Without --course there are no answers far and wide; and no process could be started out of a zip.
    zipped = {**place.environment, "PYTHONPATH": str(place.wheel)}
    for environment, sentence in ((place.environment, "say with --course where they are"), (zipped, "out of a zip")):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1


USER = 54321  # whom no machine has
# What a submission may try against a grader who lacks root's rights; what is in HOSTILE is a wrong answer, too.
ATTEMPTS = {
    **{name: HARMLESS[name] for name in ("memory in many processes", "a hundred processes", "a process left behind",
                                         "no rights to its folder", "folders in folders")},
    "a fork bomb": CROWDS["a fork bomb"],
    "files without a name": f"{FILLS['files without a name']}\nimport time\ntime.sleep(3)",
    "memory that is hidden": f"import ctypes\nctypes.CDLL(None).prctl(4, 0)\n{HARMLESS['memory in many processes']}",
    **{name: HOSTILE[name] for name in ("reads the solution", "tells what it can see", "writes elsewhere",
                                        "takes its parents with it", "forges answers")},
}


@pytest.fixture(scope="module")
def as_user(installed):
    """A folder with all that it takes to grade, the interpreter there, and how to begin a command as USER.

    A clone and its interpreter may lie where nobody but root can go: the one is copied, to the other a way is opened.
    """
    place = installed(KINDS[1])
    folder = place.folder
    shutil.copytree(ROOT / "solutions" / ASSIGNMENT, folder / "solutions" / ASSIGNMENT)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    prefix, way = Path(sys.base_prefix), []
    if closed := [path for path in prefix.parents if not path.stat().st_mode & 0o001]:
        way = [shutil.which("bwrap"), "--dev-bind", "/", "/", "--tmpfs", closed[-1], "--cap-add", "ALL"]
        for path in reversed([path for path in prefix.parents if path.is_relative_to(closed[-1])]):
            way += ["--dir", path]
        way += ["--ro-bind", prefix, prefix]
    return folder, place.python, [*way, shutil.which("setpriv"), f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


def owned(user):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.stat().st_uid == user:
                found.append((process.name, (process / "cmdline").read_bytes()[:80]))
    return found


@pytest.mark.slow
@no_bubblewrap
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="every test runs as such a user")
@pytest.mark.parametrize("sandbox_used", [True, False])
def test_a_grader_who_is_not_root_is_as_safe(sandbox_used, as_user):
    folder, python, begin = as_user
    home = Path(sandbox.tempfile.mkdtemp())
    (home / "secret.txt").write_text("tell nobody")
    for name in ("in", "tmp", "bin", "own"):
        (home / name).mkdir()
    for name in ("bwrap", "rm", "chmod") if sandbox_used else ("rm", "chmod"):
        (home / "bin" / name).symlink_to(shutil.which(name))
    for name, attempt in ATTEMPTS.items():
        nb = notebook(before=[attempt])
        if name in HOSTILE:
            nb = hostile(name, Around(home, 0, 0), folder)
        (home / "in" / f"{name}.ipynb").write_text(json.dumps(nb))
    subprocess.run(["chown", "-R", f"{USER}:{USER}", home], check=True)
    command = [python, "-c", "from coursekit.cli import main; main()", "grade", "in", "--out", "out"]
    environment = {"HOME": str(home / "own"), "TMPDIR": str(home / "tmp"), "PATH": str(home / "bin")}
    done = subprocess.run([*begin, *command, "--course", folder], cwd=home, env=environment, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    assert ("WARNING: NO SANDBOX" in done.stderr) != sandbox_used
    with open(home / "out" / "grades.csv", newline="") as file:
        totals = {row["student"]: float(row["total"]) for row in csv.DictReader(file)}
    assert totals == {name: sum(FULL.values()) - FULL["decision"] * (name in HOSTILE) for name in ATTEMPTS}
    assert (home / "out").stat().st_uid == USER
    assert not [page for page in (home / "out").rglob("*.html") if "tell nobody" in page.read_text("utf-8")]
    assert (home / "secret.txt").read_text() == "tell nobody"
    assert sorted(os.listdir(home)) == ["bin", "in", "out", "own", "secret.txt", "tmp"]
    assert os.listdir(home / "tmp") == []
    limit = time.monotonic() + 30  # the grader's own processes end a moment after it
    while left := owned(USER):
        assert time.monotonic() < limit, f"left behind: {left}"
        time.sleep(0.05)
    shutil.rmtree(home)
