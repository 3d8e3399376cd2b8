"""Submissions that a grader meets: broken, odd and hostile ones, each with its fair mark and without a trace.

A notebook has several of them, which attack the same thing: one in the answer of each task but the last, or one in
each cell before the answers. Each is told what it did; the last task, and answers below a cell, keep their marks.
"""

import contextlib
import csv
import json
import os
import re
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
from coursekit.grading.mark import Mark, grade_notebook, sandbox_missing
from tests.grading.installed import Installed
from tests.grading.shared import COURSE, ROOT, answered, grade_id, in_json

ASSIGNMENT = "01-linear-classifiers"
FULL = COURSE.points[ASSIGNMENT]
*ATTACKED, LAST = FULL
SIDE_BY_SIDE = 4
SOLVED = in_json(f"solutions/{ASSIGNMENT}/linear-classifiers.ipynb")
SOURCES = {grade_id(cell): "".join(cell["source"]) for cell in SOLVED["cells"] if grade_id(cell) in FULL}
FIRST = next(k for k, cell in enumerate(SOLVED["cells"]) if grade_id(cell) in FULL)

no_bubblewrap = pytest.mark.skipif(bool(sandbox_missing()), reason=sandbox_missing())
MODES = [pytest.param(True, id="sandbox", marks=no_bubblewrap), pytest.param(False, id="fence")]
everywhere = pytest.mark.parametrize("boxed", MODES)


def code(source, name=None):
    marks = {"nbgrader": {"grade_id": name, "solution": True, "locked": False, "grade": False}} if name else {}
    return {"cell_type": "code", "id": uuid.uuid4().hex[:8], "metadata": marks, "source": source, "outputs": [],
            "execution_count": None}


def notebook(answers=None, before=(), after=()):
    """The solution with other answers, and with cells before the first and after the last answer."""
    nb = answered(SOLVED, answers or {})
    nb["cells"] = nb["cells"][:FIRST] + list(map(code, before)) + nb["cells"][FIRST:] + list(map(code, after))
    return nb


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
        yield Around(folder, door.getsockname()[1], os.getpid())
        with pytest.raises(BlockingIOError):
            door.accept()
    assert (folder / "secret.txt").read_text() == "the marks"
    assert sorted(os.listdir(folder)) == ["numpy.py", "secret.txt"]
    places = ROOT, ROOT / "coursekit", Path("/"), Path("/etc"), Path(np.__file__).parent, Path("/tmp")
    assert not [p for p in places if (p / "touched").exists()]
    limit = time.monotonic() + 5  # the kernel takes a moment to clear a process namespace away
    while left := stamped(_own.stamp):
        assert time.monotonic() < limit, f"left behind: {left}"
        time.sleep(0.02)


def prepare(monkeypatch, folder):
    """To grade in this folder, with a stamp on each process.

    With the product's own limits: what attacks one resource may meet no other limit first, however slow the machine.
    """
    environment = sandbox._environment
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COURSEKIT_SECRET", "do not tell")
    monkeypatch.setattr(sandbox, "_environment", lambda home: {**environment(home), "STAMP": _own.stamp})


@pytest.fixture
def around(tmp_path, monkeypatch):
    prepare(monkeypatch, tmp_path)
    with left_alone(tmp_path) as place:
        yield place


class Submission(NamedTuple):
    """One of a class. make(name, around): its notebook, or the bytes of it. limits: other ones than the product's."""

    make: Callable
    name: str
    assignment: str = ASSIGNMENT
    seed: int = 3
    limits: tuple = ()
    beside: tuple = ()


def submissions(make, names, modes=MODES, limits=None, only="", beside=()):
    """For a test of `submission` and `graded`. limits: other ones than the product's, for all or `only` one name."""
    def both(test):
        test = pytest.mark.parametrize("graded", modes, indirect=True)(test)
        more = {name: tuple((limits or {}).items()) if only in ("", name) else () for name in names}
        return pytest.mark.parametrize("submission", [
            pytest.param(Submission(make, name, limits=more[name], beside=beside), id=name) for name in names])(test)

    return both


@pytest.fixture(scope="module")
def graded(request, tmp_path_factory):
    """graded(submission): its mark, when it has left alone what is not its own.

    All that this run asks for in one way of grading are graded at once, some side by side, as those of a class are:
    much of what they do is to wait until they are stopped.
    """
    wanted = list(dict.fromkeys(
        item.callspec.params["submission"] for item in request.session.items if hasattr(item, "callspec")
        and item.path == request.path and item.callspec.params.get("graded") == request.param))
    folder, done = tmp_path_factory.mktemp("class"), {}

    def one(submission):
        (own := folder / str(wanted.index(submission))).mkdir()
        try:
            with left_alone(own) as place:
                return grade(submission.make(submission.name, place), request.param, submission.seed,
                             submission.assignment, dict(submission.beside))
        except BaseException as error:
            return error

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        prepare(patch, folder)
        for limits in sorted({submission.limits for submission in wanted}):
            with pytest.MonkeyPatch.context() as limited:
                for name, seconds in limits:
                    limited.setattr(marking, name, seconds)
                these = [submission for submission in wanted if submission.limits == limits]
                done |= zip(these, pool.map(one, these), strict=True)

    def mark(submission):
        if isinstance(done[submission], BaseException):
            raise done[submission]
        return done[submission]

    return mark


def stamped(stamp):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if stamp.encode() in (process / "environ").read_bytes():
                found.append((process.name, (process / "cmdline").read_bytes()[:80]))
    return found


def grade(nb, boxed, seed=3, assignment=ASSIGNMENT, beside=None):
    source = nb if isinstance(nb, bytes) else json.dumps(nb).encode()
    mark = grade_notebook(source, COURSE.drawn(assignment, seed), sandbox=boxed, beside=beside)
    texts = [*mark.notes, mark.ungraded, *(t.message for t in mark.tasks)]
    assert all(text.isprintable() and len(text) <= 300 for text in texts)
    assert "do not tell" not in str([texts, [t.ungraded for t in mark.tasks]])
    assert "the marks" not in str(texts)
    return mark


def points(mark):
    assert not mark.ungraded
    assert not [t.ungraded for t in mark.tasks if t.ungraded]
    assert {t.name: t.max_points for t in mark.tasks} == FULL
    assert all(bool(t.message) == (t.points == 0) for t in mark.tasks)
    return {t.name: t.points for t in mark.tasks}


# Wrong and hostile answers, by what they attack: each with what its student is told. One that does not define [task] is
# the body of that function, whose arguments are `given`. [folder], [root] and [port] are what lies around.
ANSWERS = {
    "time": {
        "loop": ("while True: pass", "was still running after 2 seconds and was stopped"),
        "loop that cannot be interrupted": (
            "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass", "still running"),
        "called without end": (
            "class Endless:\n    def __call__(self, *given): return 0\n    @property\n    def __signature__(self):\n"
            "        while True: pass\n[task] = Endless()", "still running"),
    },
    "ends": {
        "input": ("return float(input())", "raised EOFError"),
        "stopped by itself": ("import signal, os\nos.kill(os.getpid(), signal.SIGSTOP)", "raised PermissionError"),
        "sys.exit": ("import sys\nsys.exit(0)", "raised SystemExit"),
        "abort": ("import os\nos.abort()", "ended the whole program"),
        "segfault": ("import ctypes\nctypes.string_at(0)", "ended the whole program"),
        "interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        "a definition that ends it all": ("@lambda f: __import__('os')._exit(0)\ndef [task](): pass",
                                        "There is no [task]"),
    },
    "errors": {
        "recursion": ("return [task](*given)", "raised RecursionError"),
        "recursion without a limit": (
            "import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return [f(n + 1)] + max([n], key=f)\nreturn f(0)", ""),
        "a text that fails": ("class E(Exception):\n    def __str__(self): raise self\nraise E", "raised E"),
        "a text that tells": ("text = 'to' + 'ld'\nraise ValueError(text)",
                              "raised ValueError, in line 3: `raise ValueError(text)`."),
        "a type without a name": (
            "class M(type): __name__ = property(lambda s: 1 / 0)\nclass E(Exception, metaclass=M): pass\nraise E", ""),
        "a type with a page": (
            "raise type('<script>alert(1)</script>\\x1b[31m\\u202e' * 1000, (Exception,), {})", "raised <script>"),
        "errors in errors": (
            "e = ValueError()\nfor _ in range(3000): e = ExceptionGroup('x', [e])\nraise e", "raised ExceptionGroup"),
    },
    "memory": {
        "at once": ("return np.ones(10**10)", "raised"),
        "bit by bit": ("a = []\nwhile True: a.append(bytearray(10**7))", "raised MemoryError"),
        "80 GB by broadcasting": ("return np.broadcast_to(1.0, (10**10,))", "more than 100000 numbers"),
        "many long lists": ("a = [0.0] * 10**5\nreturn [a] * 200", "more than 100000 numbers"),
        "nested 100 000 deep": ("a = []\nfor _ in range(10**5): a = [a]\nreturn a", "nested"),
        "an object array in itself": ("a = np.empty(1, object)\na[0] = a\nreturn a", "nested"),
        "a million empty lists": ("return np.empty((1000, 1000, 0), complex)", "more than 100000 numbers"),
    },
    "values": {
        "NaN": ("return np.full(3, np.nan)", ""),
        "None": ("pass", "must reach a return"),
        "ragged": ("return [[1.0], [1.0, 2.0]]", ""),
        "dates": ("return np.arange(3).astype('M8[s]')", ""),
        "changed argument": ("given[0][...] *= 2\nreturn 0", ""),
        "50 MB of output": ("print('x' * 50_000_000)\nreturn 0", ""),
        "coursekit's own": ("import coursekit as ck\nreturn ck.Objective(given).value(0)", "must be your own"),
    },
    "what looks like any answer": {
        "equal to everything": (
            "class All:\n    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda *a: True\n    __len__ = lambda s: 3\n"
            "    __getitem__ = lambda s, i: s\n    __sub__ = __rsub__ = lambda *a: 0\n    __hash__ = None\n"
            "return All()", ""),
        "an array equal to everything": (
            "class All(np.ndarray):\n    __eq__ = __le__ = lambda *a: np.True_\n    dtype = np.dtype(bool)\n"
            "return np.zeros(3).view(All)", ""),
        "an array that lies about its bytes": (
            "class Liar(np.ndarray):\n    size = 1\n    shape = (2,)\n    tobytes = lambda s: b'x' * 10**6\n"
            "return np.zeros(3).view(Liar)", ""),
        "a float that is another each time": (
            "class F(float):\n    __repr__ = lambda s: '[1'\n    __float__ = lambda s: 1 / 0\nreturn [F(1)] * 3", ""),
        "a malicious pickle": (
            "class P:\n    def __reduce__(self): return (open, ('touched', 'w'))\nreturn [P()] * 3", ""),
        "more numbers than there is memory": (
            "class A: __array_interface__ = dict(\n    shape=(10**15,), typestr='<f8', version=3,\n"
            "    data=(np.ones(1).ctypes.data, False))\nreturn A()", ""),
        "numbers at an address that is none": (
            "class A: __array_interface__ = dict(shape=(5,), typestr='<f8', data=(8, False), version=3)\nreturn A()",
            "ended the whole program"),
    },
    "files": {
        "reads the tasks": (
            "from coursekit.grading.course import find\n"
            "def [task](*given): return find().assignments['01-linear-classifiers'].space['[task]'](*given)",
            "must be your own"),
        "reads the solution": (
            "import json\nfor c in json.load(open('[root]/solutions/01-linear-classifiers/linear-classifiers.ipynb'))"
            "['cells']:\n    if 'def [task]' in ''.join(c['source']): exec(''.join(c['source']))",
            "There is no [task]"),
        "reads it in another process": (
            "import subprocess, json\nout = subprocess.run(['cat', '[root]/solutions/01-linear-classifiers/"
            "linear-classifiers.ipynb'], capture_output=True).stdout\nfor c in json.loads(out)['cells']:\n"
            "    if 'def [task]' in ''.join(c['source']): exec(''.join(c['source']))", "There is no [task]"),
        "tells what it can see": (
            "import os, glob\nseen = [os.environ.get('COURSEKIT_SECRET')]\n"
            "for f in glob.glob('/proc/*/environ') + ['[folder]/secret.txt']:\n"
            "    try: seen += [p for p in open(f).read().split('\\0') if 'tell' in p or 'marks' in p]\n"
            "    except OSError: pass\nraise ValueError(seen) if seen == [None] else KeyError", "raised ValueError"),
        "writes elsewhere": (
            "import os, shutil, pathlib\ndone = []\n"
            "acts = [lambda p=p: pathlib.Path(p).write_text('here') for p in (\n"
            "    '[folder]/touched', '/touched', '/etc/touched', '[root]/touched', '[root]/coursekit/touched',\n"
            "    os.path.dirname(np.__file__) + '/touched')]\n"
            "secret = '[folder]/secret.txt'\n"
            "acts += [lambda: os.remove(secret), lambda: os.rename(secret, '[folder]/touched'),\n"
            "         lambda: os.symlink('[folder]', '[folder]/touched'), lambda: os.mkdir('[folder]/touched'),\n"
            "         lambda: os.truncate(secret, 0), lambda: os.chmod(secret, 0),\n"
            "         lambda: os.mkfifo('[folder]/touched'), lambda: os.link(secret, '[folder]/touched'),\n"
            "         lambda: os.system('touch [folder]/touched') and open('/')]\n"
            "for k, act in enumerate(acts):\n    try: done.append((act(), k))\n    except OSError: pass\n"
            "assert not done\nshutil.rmtree('[folder]')", "Error"),
        "goes through a link": (
            "import os\ntry:\n    os.symlink('[folder]', 'way')\n    open('way/touched', 'w').close()\n"
            "except OSError: pass\nreturn float(open('way/secret.txt').read())", "Error, in line"),
        "opens connections": (
            "import socket, urllib.request\n"
            "for act in (lambda: socket.create_connection(('127.0.0.1', [port]), 1),\n"
            "            lambda: socket.socket().connect_ex(('127.0.0.1', [port])),\n"
            "            lambda: urllib.request.urlopen('http://127.0.0.1:[port]', timeout=1)):\n"
            "    try: act()\n    except OSError: pass\n    else: return 0\nraise ConnectionError",
            "raised ConnectionError"),
    },
    "processes": {
        "a fork bomb": ("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", ""),
        "takes its parents with it": (
            "import os, signal\nfor pid in (os.getppid(), 1):\n    try: os.kill(pid, signal.SIGKILL)\n"
            "    except OSError: pass\ndef [task](*given): os.kill(os.getppid(), 9)", "raised PermissionError"),
        "leaves a process in the call": (
            "import os, time\nif not os.fork():\n    time.sleep(30)\nreturn 0", ""),
        "returns twice": (  # once: a fork in each call makes thousands of processes, which is another attack
            "import os\nforked = []\ndef [task](*given):\n    forked.append(1)\n"
            "    if len(forked) == 1:\n        os.fork()\n    return 0", ""),
        "leaves a child to its parent": (
            "import ctypes, time\nfor clone in (56, 220):\n"
            "    if not ctypes.CDLL(None).syscall(clone, 0x8000 | 17, 0, 0, 0, 0): time.sleep(30)\nreturn 0", ""),
        "does not leave": (
            "import os\nos._exit = lambda *a: None\nimport json\njson.dumps = lambda *a, **k: '[\"end\"]'\n"
            "def [task](*given): return 0", ""),
        "does not fork": (
            "import sys\nframe = sys._getframe()\nwhile frame:\n    if 'ORDER' in frame.f_globals:\n"
            "        frame.f_globals |= dict(fork=None, _exit=lambda *a: None)\n    frame = frame.f_back\n"
            "def [task](*given): return 0", ""),
    },
    "protocol": {
        "forges answers": (
            "[write]\nfor m in (['task', '[task]'], ['answers', [1] * 6], ['over', 0]): say(json.dumps(m).encode())\n"
            "os._exit(0)\ndef [task](*given): return 0", ""),
        "forges refusals without a word": (
            "[write]\nfor m in (['task', '[task]'], ['refused', '', ''], ['over', 0]): say(json.dumps(m).encode())\n"
            "os._exit(0)\ndef [task](*given): return 0", ""),
        "refuses without a word": (
            "import coursekit.checking.call as call\nclass Silent:\n    def __call__(self, *given): return 0\n"
            "    @property\n    def __signature__(self): raise call.NotYet('')\n[task] = Silent()",
            "[task] gave no answer"),
        "forges the end again and again": (
            "[write]\nimport time\nfor _ in range(300):\n    say(b'[\"over\", 0]')\n    time.sleep(0.1)\n"
            "def [task](*given): return 0", ""),
        "forges nonsense": (
            "[write]\nsay(bytes(range(256)) + b'\\n' + b'[' * 100000)\nos._exit(0)\ndef [task](*given): return 0", ""),
        "floods with one line": ("[write]\nwhile True: say(b'x' * 65536, b'')\ndef [task](*given): return 0", ""),
        "floods with lines": (
            "[write]\nwhile True: say(b'[\"note\", \"x\"]\\n' * 4000)\ndef [task](*given): return 0", ""),
        "answers in a thread": (
            "[write]\ndef [task](*given):\n    import threading\n    def flood():\n"
            "        while True: say(b'[\"answers\", []]')\n"
            "    threading.Thread(target=flood, daemon=True).start()\n    return 0", ""),
        "answers when it is thrown away": (
            "[write]\nclass E:\n    def __del__(self): say(b'[\"answers\", [1]]')\n"
            "def [task](*given):\n    e = E()\n    return 0", ""),
        "turns what it says elsewhere": (
            "import os\nfor fd in range(3, 64):\n    try: os.dup2(os.open(os.devnull, os.O_WRONLY), fd)\n"
            "    except OSError: pass\nreturn 0", ""),
        "claims a named mistake": (
            "import coursekit.checking.call as call\nclass Named:\n    def __call__(self, *given): return 0\n"
            "    @property\n    def __signature__(self):\n        raise call.NotYet('The offset is missing: the "
            "score is theta[:-1] . x + theta[-1].')\n[task] = Named()", "The offset is missing"),
    },
    "judge": {
        "reads the caller's frame": (
            "import sys, gc\nframe = sys._getframe()\nwhile frame:\n    for name, value in frame.f_locals.items():\n"
            "        if name in ('expected', 'answer', 'reference'): return value\n"
            "        if hasattr(value, 'answer'): return value.answer(*given)\n    frame = frame.f_back\n"
            "for o in gc.get_objects():\n"
            "    if type(o).__name__ == 'Task' and callable(getattr(o, 'answer', None)): return o.answer(*given)", ""),
        "patches the checks": (
            "import numpy.testing, builtins\nnp.array_equal = np.allclose = lambda *a, **k: True\n"
            "numpy.testing.assert_allclose = numpy.testing.assert_array_equal = lambda *a, **k: None\n"
            "import coursekit.checking.call, coursekit.checking.judge, coursekit.grading as g\n"
            "coursekit.checking.judge.compare = coursekit.checking.judge.diagnose = lambda *a: ''\n"
            "g.check = lambda *a: None\ndef [task](*given): return 0", ""),
        "transforms code": (
            "import ast\nclass T(ast.NodeTransformer):\n    def visit_Assert(self, node): return None\n"
            "get_ipython().ast_transformers.append(T())\nget_ipython().input_transformers_post.append(lambda l: [])\n"
            "def [task](*given): return 0", ""),
        "takes the modules away": ("import sys\nsys.modules.clear()\nreturn 0", ""),
        "lies as an array": (
            "class A:\n    __array_priority__ = 1e9\n    def __array__(self, *a, **k): return np.zeros(1)\n"
            "    def __len__(self): return 10**9\n    def __eq__(self, other): return True\nreturn A()", ""),
        "is asked with the cases of another": (
            "import sys\nframe = sys._getframe()\nwhile frame:\n    order = frame.f_globals.get('ORDER')\n"
            "    if order: order['tasks']['[task]'] = order['tasks'][[last]]\n    frame = frame.f_back\n"
            "def [task](*given): return 0", ""),
        "finds the tasks behind our back": (
            "import sys\nsys.meta_path[:] = [m for m in sys.meta_path if 'oursekit' not in type(m).__name__]\n"
            "for m in [m for m in sys.modules if m.startswith('coursekit')]: del sys.modules[m]\n"
            "sys.path.insert(0, '[root]')\n"
            "from pathlib import Path\nfrom coursekit.grading.course import Course\n"
            "[task] = Course(Path('[root]')).assignments['01-linear-classifiers'].space['[task]']",
            "There is no [task]"),
    },
}
# What takes long to compare, show or read, sent past our own encoder.
HEAVY = {
    "lists without numbers": {"list": [{"array": ["<f8", [100000 - k, 0], ""]} for k in range(40)]},
    "many small ones": {"list": [{"array": ["<f8", [2500 - k, 0], ""]} for k in range(39)]},
    "a tree": {"list": [{"list": [{"list": [{"list": [1.0] * 17}] * 17}] * 17}] * 17},
    "a long text": {"other": "x " * 400_000},
    "a flat list": {"list": [None] * 99_000},
}
ANSWERS["what is heavy to compare"] = {
    name: (f"[write]\nvalue = {json.dumps(value)!r}\ndef [task](*given):\n"
           "    say(f'[\"answers\", [{value}{\", 0\" * ([count] - 1)}]]'.encode())\n    os._exit(0)", "")
    for name, value in HEAVY.items()
}
WRITE = """import json, os
def say(line, end=b"\\n"):
    for fd in range(3, 64):
        left = line + end
        try:
            while left: left = left[os.write(fd, left):]
        except OSError: pass
"""


# The answers of a resource in as many notebooks as they take: task -> its answer, and what is told.
PACKED = {
    f"{resource} {1 + k // len(ATTACKED)}": dict(zip(ATTACKED, list(answers.values())[k:], strict=False))
    for resource in dict.fromkeys(["files", "processes", "protocol", *ANSWERS])  # these first: bare pytest has them
    for answers in [ANSWERS[resource]] for k in range(0, len(answers), len(ATTACKED))
}


def attacking(name, around, root=ROOT):
    drawn, answers = COURSE.drawn(ASSIGNMENT, 3), {}
    for task, (source, _) in PACKED[name].items():
        if "def [task]" not in source and "[task] = " not in source:
            source = "def [task](*given):\n" + "".join(f"    {line}\n" for line in source.split("\n"))
        for place, value in {"write": WRITE, "task": task, "folder": around.folder, "root": root, "port": around.port,
                             "last": repr(LAST), "count": len(drawn.cases[task])}.items():
            source = source.replace(f"[{place}]", str(value))
        answers[task] = source
    return notebook(answers)


@pytest.mark.slow(keep=4)
@submissions(attacking, PACKED, limits={"TASK_SECONDS": 2.0}, only="time 1")
def test_a_wrong_answer_earns_nothing_touches_nothing_and_costs_its_own_task(submission, graded):
    mark = graded(submission)
    attacks = PACKED[submission.name]
    assert points(mark) == FULL | dict.fromkeys(attacks, 0)
    said = {t.name: t.message for t in mark.tasks}
    expected = {task: sentence.replace("[task]", task) for task, (_, sentence) in attacks.items()}
    assert {task: said[task] for task in attacks if expected[task] not in said[task]} == {}
    assert "told" not in str(said)
    assert not any(t.mistake for t in mark.tasks)


# Whatever these cells do, the answers below them are right and keep their marks. What is noted about each; "": nothing.
SLEEP = "import time\ntime.sleep(30)"
WAIT = "else: __import__('time').sleep(30)"  # below a loop: a disk that is full has ended that already
ENDED = "ended the whole program; only what it defines was run."
SLOW, CROWD = "was still running after 2 seconds", "too many processes"
FULL_DISK = "wrote too much into files|No space left"
CELLS = {
    "time": {
        "loop": ("while True: pass", SLOW),
        "loop that cannot be interrupted": (
            "import signal, itertools\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
            "for _ in itertools.count():\n    try:\n        while True: pass\n    except BaseException: pass", SLOW),
        "three processes": (
            "import os\nfor _ in range(3):\n    if not os.fork():\n        while True: pass\nos.wait()", SLOW),
    },
    "memory": {
        "in one process": ("def more(a):\n    while True: a.append(bytearray(10**7))\nmore([])", "MemoryError"),
        "in many processes": (
            "import os\nfor _ in range(12):\n    if not os.fork():\n        a = bytearray(10**8)\n"
            f"        {SLEEP[12:]}\n{SLEEP}", "took too much memory"),
        "shared": ("import os, time\nlarge = np.ones(30_000_000)\nfor _ in range(8):\n"
                   "    if not os.fork(): time.sleep(30)\ntime.sleep(1)", ""),
    },
    "processes": {
        "a hundred": (f"import os\nfor _ in range(100):\n    if not os.fork():\n        {SLEEP[12:]}\n{SLEEP}", CROWD),
        "threads": ("import threading, time\nfor _ in range(60): threading.Thread(target=time.sleep, args=(2,)).start()"
                    "\ntime.sleep(3)", "too many processes or threads|can't start new thread"),
        "threads in processes": (
            "import os, threading, time\nfor _ in range(8):\n    if not os.fork():\n"
            "        for _ in range(8): threading.Thread(target=time.sleep, args=(30,)).start()\n"
            f"        time.sleep(30)\n{SLEEP}", CROWD),
        "a fork bomb": ("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", CROWD),
        "orphans": ("import os, time\nfor _ in range(60):\n    if not os.fork():\n        if not os.fork(): "
                    f"time.sleep(30)\n        os._exit(0)\n    os.wait()\n{SLEEP}", CROWD),
        "one after another": (
            "import os, threading\nfor k in range(300):\n    if not os.fork(): os._exit(0)\n    os.wait()\n"
            "    if k % 10 == 0:\n        few = [threading.Thread(target=sum, args=([],)) for _ in range(8)]\n"
            "        for t in few: t.start()\n        for t in few: t.join()", ""),
        "another program": ("import subprocess, sys\ntry: subprocess.Popen([sys.executable, '-c', 'input()'])\n"
                            "except OSError: pass", ""),
        "left behind": (
            "import os, time\nif not os.fork():\n    if os.fork(): os._exit(0)\n    for fd in range(3, 256):\n"
            "        try: os.close(fd)\n        except OSError: pass\n    time.sleep(30)\n    os._exit(0)", ""),
    },
    "files": {
        "many": (f"for k in range(300): open(f'f{{k}}', 'wb').write(b'x' * 10**6)\n{WAIT}", FULL_DISK),
        "without a name": (
            "import os\nkept = []\nfor k in range(20):\n    kept.append(open('f', 'wb', 0))\n    os.unlink('f')\n"
            f"    kept[-1].write(b'x' * 10**7)\n{WAIT}", FULL_DISK),
        "at the end of a long path": (
            "import os\nfor _ in range(30): os.mkdir('d' * 250); os.chdir('d' * 250)\n"
            f"for k in range(100): open(f'f{{k}}', 'wb').write(b'x' * 10**6)\n{WAIT}", FULL_DISK),
        "empty ones": (f"import os\nfor k in range(17_000): os.close(os.open(f'f{{k}}', 65))\n{WAIT}", FULL_DISK),
        "empty folders": (f"import os\nfor k in range(17_000): os.mkdir(f'd{{k}}')\n{WAIT}", FULL_DISK),
    },
    "files that are in order": {
        "a large one": ("with open('big', 'wb') as f:\n    for _ in range(400): f.write(b'x' * 10**6)",
                        "File too large"),
        "folders in folders": ("import os\nfor _ in range(2000):\n    os.mkdir('d')\n    os.chdir('d')", ""),
        "no rights": ("import os\nos.makedirs('a/b')\nos.chmod('a/b', 0)", "PermissionError"),
        "modules": ("for m in ('json', 'copy', 'numpy'): open(m + '.py', 'w').write('raise SystemExit')", ""),
        "another folder": ("import os, shutil, tempfile\nd = tempfile.mkdtemp()\nos.chdir(d)\nshutil.rmtree(d)", ""),
        "that stay open": ("kept = []\ntry:\n    while True: kept.append(open('/dev/null'))\nexcept OSError: pass", ""),
    },
    "ends": {
        "input": ("input('name? ')", "EOFError"),
        "os._exit": ("import os\nos._exit(0)", ENDED),
        "segfault": ("import ctypes\nctypes.string_at(0)", ENDED),
        "killed": ("import os\nos.kill(os.getpid(), 9)", "PermissionError"),
        "sys.exit": ("import sys\nsys.exit(3)", "SystemExit"),
        "exit": ("exit()", "SystemExit"),
        "exit handlers": ("import atexit, time\natexit.register(time.sleep, 30)", ""),
    },
    "text": {
        "syntax error": ("def half(", "SyntaxError"),
        "no Python at all": ("library(ggplot2)\nx <- 3", "NameError"),
        "deep brackets": ("(" * 5000 + ")" * 5000, "too many nested parentheses"),
        "deep minus": ("x = " + "-" * 100_000 + "1", "Error"),
        "null bytes": ("x = 1\0", "null bytes"),
        "lone surrogates": ("x = '\ud800'\nprint(x)\nraise ValueError(x)", "Error"),
        "a raised page": ("raise ValueError('<script>alert(1)</script>\\r\\n=1+1\\u202e' * 10000)",
                          "ValueError: <script>"),
        "lines that end as on old machines": ("a = 1\rb = 2\rassert a + b == 3", ""),
        "magics": ("%matplotlib inline\n!pip install nothing\n%time a = 1\nnp.sign?\nassert a == 1", ""),
        "a cell magic": ("%%time\nb = 2", ""),
        "what the cell magic ran": ("assert b == 2", ""),
    },
    "streams": {
        "output": ("print('x' * 50_000_000)\nimport sys\nprint('x' * 50_000_000, file=sys.stderr)", ""),
        "past Python": ("import os\nfor _ in range(800): os.write(1, b'x' * 65536); os.write(2, b'[\"end\"]\\n')", ""),
        "none": ("import sys, os\nsys.stdout = sys.stderr = None\nos.close(0); os.close(1); os.close(2)", ""),
        "all files closed": ("import os\nos.closerange(0, 256)", ENDED),
        "a thread": ("import threading\nthreading.Thread(target=lambda: [print() for _ in iter(int, 1)]).start()", ""),
    },
    "settings": {
        "signals that are ignored": (
            "import signal\nfor s in (signal.SIGCHLD, signal.SIGTERM, signal.SIGALRM, signal.SIGPIPE):\n"
            "    signal.signal(s, signal.SIG_IGN)", ""),
        "an alarm": ("import signal\nsignal.signal(signal.SIGALRM, signal.SIG_DFL)\n"
                     "signal.setitimer(signal.ITIMER_REAL, 0.05)\nimport time\ntime.sleep(0.2)", ENDED),
        "a thread": ("import threading, time\ndef turn():\n    while True: time.sleep(0.01)\n"
                     "threading.Thread(target=turn).start()", ""),
        "warnings": ("import sys, warnings\nwarnings.warn('careful')\nprint('oh', file=sys.stderr)", ""),
        "warnings as errors": ("import warnings\nwarnings.simplefilter('error')\nnp.seterr(all='raise')", ""),
        "traces": ("import sys\nsys.setprofile(lambda *a: 1 / 0)\nsys.settrace(lambda *a: 1 / 0)", "ZeroDivisionError"),
        "no imports": ("import sys\nsys.meta_path.clear(); sys.path.clear(); sys.path_importer_cache.clear()", ""),
        "hardly any stack": ("import sys\nsys.setrecursionlimit(60)", ""),
    },
    "coursekit": {
        "a look at data": (
            "import coursekit as ck\ndata = ck.datasets.load('iris', classes=('setosa', 'virginica'))\n"
            "assert data.X.shape == (100, 4)\nck.plots.boundary(data)\nck.explorers.perceptron()\ndisplay(data)", ""),
        "a picture": ("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()", ""),
        "checks and hints": ("check('decision', decision)\nhint('decision')\nprogress()\nraise NameError", "NameError"),
        "what has a stand-in": (
            "import coursekit as ck\nfor value in ck.losses.hinge(np.ones(3)): print(f'{value:.2f}')", "TypeError"),
    },
}


def broken(name, around):
    return notebook(before=[cell for cell, _ in CELLS[name].values()])


def noted(mark):
    """By the number of the cell."""
    return {int(told[1]): note for note in mark.notes if (told := re.match(r"cell (\d+):? ", note))}


@pytest.mark.slow(keep=4)
@submissions(broken, CELLS, limits={"CELL_SECONDS": 2.0}, only="time")
def test_a_broken_cell_costs_nothing_else(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL
    notes = noted(mark)
    assert len(notes) == len(mark.notes)
    expected = {FIRST + k: note for k, (_, note) in enumerate(CELLS[submission.name].values(), 1) if note}
    assert notes.keys() == expected.keys(), notes
    assert {k: note for k, note in notes.items() if not re.search(expected[k], note)} == {}
    assert sum(map(len, mark.notes)) < 300 * len(expected) + 1


def after_what_fails(line, source):
    return f"{line}\nONE = 1.0\n{line}\n" + source.replace("return ", "assert ONE\n    return ", 1)


# Lines that fail here above an answer, which is right all the same; and whether a note says so.
LACKING = [
    "import no_such_package", "data = open('on_my_machine.csv').read()", "help(int)", "n = int(input('How many? '))",
    "import coursekit as ck\nassert ck.losses.hinge(0.5) == 0.5; assert 1 + ck.losses.hinge(0) == 2",
    "@nothing\ndef of_no_importance(): pass", "for k in range(3):\n    1 / 0\n    pass", "%no_such_magic",
]
BADLY = ("while True: pass", "import os\nos._exit(0)")


def lacking(name, around):
    if name == "ends":
        return notebook({task: f"from math import pi\n{SOURCES[task]}\n{end}"
                         for task, end in zip(FULL, BADLY, strict=False)})
    return notebook({task: after_what_fails(line, SOURCES[task]) for task, line in zip(FULL, LACKING, strict=True)})


@pytest.mark.slow(keep=2)
@submissions(lacking, ["lines", "ends"], limits={"CELL_SECONDS": 2.0}, only="ends")
def test_what_fails_or_ends_badly_beside_an_answer_does_not_cost_it(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL
    if submission.name == "ends":
        assert len(mark.notes) == len(BADLY)
        assert all("only what it defines was run" in note for note in mark.notes)
    else:
        silent = {"help(int)", "%no_such_magic"}
        assert [note.split(":")[0] for note in mark.notes] == [
            f"cell {task}" for task, line in zip(FULL, LACKING, strict=True) if line not in silent]


ODD = {
    "decision": "import numpy.typing as npt, sys, warnings\nimport coursekit as ck\n"
    "assert list not in (npt.NBitBase, npt.NDArray[np.int64].__origin__)\n"
    "def decision(X: npt.NDArray[np.float64], theta: 'npt.ArrayLike') -> np.ndarray:\n"
    "    warnings.warn('old')\n    print('x' * 10**6, file=sys.stderr)\n"
    "    one = ck.datasets.load('iris', classes=('setosa', 'virginica')).y[-1]\n"
    "    return one * ONE * (X @ theta[:-1] + theta[-1])",
    "cell": "from fractions import Fraction\ndef cell(X, y, theta, offset):\n"
    "    f = decision(X, np.append(theta, offset))\n"
    "    i = int(np.argmin(f**2 / (X**2).sum(axis=1)))\n"
    "    there = [Fraction(float(t - f[i] * x / (X[i] @ X[i]))) for t, x in zip(theta, X[i])]\n"
    "    wrong = [np.int8(k) for k in range(len(y)) if y[k] * f[k] <= 0]\n"
    "    return tuple(wrong), np.float32(i), there, Fraction(len(wrong)) + (1 - 2 * (i in wrong))",
    "training_error": "import helpers, json, fractions, coursekit\ndef training_error(X, y, theta, *more):\n"
    "    return np.longdouble(2 * helpers.HALF * np.mean(y * decision(X, theta) <= 0))",
    "one_line": "class OneLine:\n    def __call__(self, x, y, theta):\n        score = float(np.dot(theta, [*x, 1]))\n"
    "        return score, score / LENGTH(theta), np.float16(y) * score, np.array(-theta[2] / LENGTH(theta))\n"
    "one_line = OneLine()",
    "product": "%%time\ndef product(a, b, total): return [np.longdouble((total**2 - a**2 - b**2) / 2)][0]",
    "line_through": "def line_through(p, q, inside):\n"
    "    theta = np.cross([*p, 1], [*q, 1]) / np.hypot(*(p - q))\n"
    "    return (theta * np.sign(theta @ [*inside, 1])).astype('>f8')",
    "seen_and_new": "def seen_and_new(X, y, lines, seen):\n"
    "    wrong = [y * decision(X, w) <= 0 for w in lines]\n"
    "    best = min(wrong, key=lambda row: row[seen].sum())\n"
    "    return best[seen].mean(), np.delete(best, seen).mean()",
}
BESIDE = {"helpers.py": b"import more\nHALF = more.ONE / 2", "more.py": b"\xef\xbb\xbfONE = 1.0",
          **dict.fromkeys(("numpy.py", "json.py", "fractions.py", "coursekit.py", "../out.py"), b"exit(1)")}


def odd(name, around):
    """In other dress, with await, types of numpy, data, and modules beside the notebook, which shadow nothing."""
    return notebook(ODD, before=[
        "LENGTH = lambda theta: float(np.linalg.norm(theta[:-1]))",
        "import asyncio\nasync def one():\n    await asyncio.sleep(0.01)\n    return 1.0", "ONE = await one()",
        "no_such_name\nONE *= (await asyncio.gather(one(), one()))[1]"])


@submissions(odd, ["odd"], beside=tuple(BESIDE.items()))
def test_correct_answers_in_other_dress_keep_their_marks(submission, graded):
    mark = graded(submission)
    assert points(mark) == FULL, mark
    assert len(mark.notes) == 1
    assert "no_such_name" in mark.notes[0]


def as_stored(path, around):
    return next((ROOT / path).glob("*.ipynb")).read_bytes()


def stored(part, modes=MODES):
    wanted = [pytest.param(Submission(as_stored, f"{part}/{name}", name, 11), id=name) for name in COURSE.points]
    def both(test):
        test = pytest.mark.parametrize("graded", modes, indirect=True)(test)
        return pytest.mark.parametrize("submission", wanted)(test)

    return both


@pytest.mark.slow(keep=2)
@stored("solutions")
def test_solutions_get_all_marks(submission, graded):
    mark = graded(submission)
    assert [(t.name, t.points) for t in mark.tasks] == list(COURSE.points[submission.assignment].items())
    assert mark.notes == ()


@pytest.mark.slow(keep=1)
@stored("exercises", MODES[1:])
def test_untouched_exercises_get_none(submission, graded):
    mark = graded(submission)
    assert mark.notes == ()
    assert [t.name for t in mark.tasks] == list(COURSE.points[submission.assignment])
    assert not any(t.points for t in mark.tasks)
    assert all("not written yet" in t.message for t in mark.tasks)


LUCKY = "def decision(X, theta):\n    return X @ theta[:-1] + theta[-1] + np.random.randn() + hash('a') % 97"


def test_equal_seeds_give_equal_marks_and_a_mistake_has_its_name(around):
    lucky = notebook({"decision": LUCKY, "product": SOURCES["product"].replace("/ 2", "/ 1")},
                     before=["seen = np.random.rand(3)"])
    first, again, other = (grade(lucky, False, seed) for seed in (7, 7, 8))
    assert first == again
    assert first != other
    mistakes = {t.name: t.mistake for t in grade(notebook({"decision": "def decision(X, theta):\n"
                                                                       "    return X @ theta[:-1]"}), False).tasks}
    assert mistakes == dict.fromkeys(FULL, "") | {"decision": "the-offset-is-missing"}


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


@pytest.mark.parametrize(("missing", "program"), [
    ("bubblewrap is not installed", []), ("", ["no-such-program"]), ("", ["sh", "-c", "echo no room >&2; exit 1"])])
def test_a_process_that_does_not_start_is_no_fault_of_the_student(missing, program, monkeypatch, around):
    """Of the trusted side alone: no submission's process comes up."""
    monkeypatch.setattr(marking, "sandbox_missing", lambda: missing)
    monkeypatch.setattr(sandbox, "_bubblewrap", lambda: program)
    mark = grade(SOLVED, True)
    assert mark.tasks == ()
    assert any(why in mark.ungraded for why in ("bubblewrap is not installed", "no-such-program", "no room"))


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


@pytest.mark.parametrize(("resource", "kind", "reason", "boxed"), [
    pytest.param("processes", "a hundred", "started too many processes", True, marks=no_bubblewrap),
    ("memory", "in many processes", "took too much memory", False)])
def test_a_grader_that_is_held_up_still_knows_whose_fault_it_is(resource, kind, reason, boxed, around, monkeypatch):
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
    mark = grade(notebook(before=[CELLS[resource][kind][0]]), boxed)
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


@pytest.mark.slow(keep=1)
@everywhere
def test_nothing_outlives_a_grader_that_dies(boxed, around):
    """Least of all what multiplies: nobody would be there to bound it."""
    cell = "import os, time\nfor _ in range(6):\n    if not os.fork(): time.sleep(600)\ntime.sleep(600)"
    if not (grader := os.fork()):
        grade(notebook(before=[cell]), boxed)
        os._exit(0)
    end = time.monotonic() + 60
    while len(stamped(_own.stamp)) < 8:
        assert time.monotonic() < end
        assert os.waitpid(grader, os.WNOHANG) == (0, 0)
        time.sleep(0.05)
    os.kill(grader, 9)
    os.waitpid(grader, 0)


def test_a_comparison_that_fails_is_no_fault_of_the_student(monkeypatch, around):
    """Of the trusted side alone, which compares."""
    def fails(task, answers, tell):
        raise OverflowError("too large") if task.name == "decision" else AssertionError

    monkeypatch.setattr(marking, "judged", fails)
    monkeypatch.setattr(marking.worker, "ask", lambda function, *arguments: function(*arguments))
    mark = grade(SOLVED, False)
    assert mark.tasks[1].ungraded == "the comparison failed (OverflowError: too large)"
    assert mark.tasks[1].points == 0
    assert not any(t.message for t in mark.tasks)


def test_fewer_answers_than_cases_are_no_answer():
    """Of the trusted side alone: a submission may send back those that it has."""
    task, drawn = COURSE.assignments[ASSIGNMENT].exercises["decision"], COURSE.drawn(ASSIGNMENT, 3)
    right = [wire.encode(task.right(*map(wire.decode, case))) for case in drawn.cases["decision"]]
    for given in (right[:1], right[:-1], [*right, right[0]], []):
        verdict = marking._verdict(drawn.answers["decision"], json.dumps(["answers", given]).encode())
        assert f"was called {len(right)} times and answered {len(given)} times" in verdict["sentence"]
    assert marking._verdict(drawn.answers["decision"], json.dumps(["answers", right]).encode())["sentence"] == ""


WAITS = {
    "a long sleep": "import time\ntime.sleep(1e9)",
    "a lock that nobody releases": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "a pipe that nobody writes to": "import os\nos.read(os.pipe()[0], 1)",
    "a thread without an end": "import threading\nthreading.Event().wait()",
}


def waiting(name, around):
    if name == "in calls":
        return notebook({task: SOURCES[task].replace("return ", f"{wait}\n    return ".replace("\n", "; ", 3), 1)
                         for task, wait in zip(FULL, WAITS.values(), strict=False)})
    if name == "in a cell":
        return notebook({"decision": after_what_fails(WAITS["a long sleep"], SOURCES["decision"])})
    if name == "for ever":
        return notebook(before=["import time\ntime.sleep(1e6)"])
    return notebook(before=["import time\ntime.sleep(1)", "SLEPT = 1.0"], answers={
        "decision": SOURCES["decision"].replace("return ", "import time; time.sleep(0.1)\n    return SLEPT * ")})


@pytest.mark.slow(keep=1)
@submissions(waiting, ["in calls", "in a cell", "a moment"], limits={"WAIT_SECONDS": 2.0})
def test_what_waits_too_long_is_left_ungraded_and_nothing_else(submission, graded):
    mark, waited = graded(submission), "waited 2 seconds and was stopped"
    lost = {"in calls": list(FULL)[: len(WAITS)], "in a cell": ["decision"], "a moment": []}[submission.name]
    assert {t.name: t.points for t in mark.tasks} == FULL | dict.fromkeys(lost, 0)
    assert not any(t.message for t in mark.tasks)
    in_a_cell = submission.name == "in a cell"
    assert ungraded(mark) == (f"{', '.join(lost)}: {'cell decision ' * in_a_cell}{waited}" if lost else "")
    assert mark.notes == (f"cell decision {waited}; only what it defines was run.",) * in_a_cell


@pytest.mark.slow
@submissions(waiting, ["for ever"], MODES[1:], limits={"SUBMISSION_SECONDS": 3.0})
def test_a_notebook_that_does_not_end_is_stopped(submission, graded):
    assert ungraded(graded(submission)) == f"{', '.join(FULL)}: the notebook had not ended after 3 seconds in all"


@pytest.mark.slow(keep=1)
@everywhere
def test_what_computes_does_not_wait_however_busy_the_machine(boxed, around, monkeypatch):
    monkeypatch.setattr(marking, "WAIT_SECONDS", 0.5)
    monkeypatch.setattr(marking, "TASK_SECONDS", 2.0)
    mark = grade(notebook({"decision": "def decision(X, theta):\n    while True: pass"}), boxed)
    assert points(mark) == FULL | {"decision": 0}
    assert mark.tasks[1].message.startswith("decision was still running after 2 seconds")


@pytest.mark.parametrize(("said", "points"), [
    ([["task", "decision"], ["answers"]], FULL["decision"]), ([["task", "decision"], ["refused", "no", "error"]], 0),
    ([["cell", 0, "cell 1"], ["note", "no"], ["task", "decision"], ["answers"], ["over", 0]], FULL["decision"]),
])
def test_what_a_call_leaves_behind_takes_no_mark_away(said, points, monkeypatch):
    """Its processes may be noticed only when its answer is here. Of the trusted side: a script stands for them."""
    task = COURSE.assignments[ASSIGNMENT].exercises["decision"]
    cases = COURSE.drawn(ASSIGNMENT, 3).cases["decision"]
    answers = [wire.encode(task.right(*map(wire.decode, case))) for case in cases]
    said = [[*m, answers] if m == ["answers"] else m for m in said]
    scripts = [said, [m for t in FULL if t != "decision" for m in (["task", t], ["refused", "no", "error"])]]

    class Script(contextlib.nullcontext):
        def __init__(self, *order):
            super().__init__(self)
            self.lines = iter(scripts.pop(0))

        def line(self, deadline):
            try:
                return json.dumps(next(self.lines)).encode()
            except StopIteration:
                raise sandbox.Stopped("started too many processes or threads") from None

        def turn(self, seconds, waiting):
            pass

    monkeypatch.setattr(marking, "Process", Script)
    mark = grade(SOLVED, False)
    assert not ungraded(mark)
    assert {t.name: t.points for t in mark.tasks} == dict.fromkeys(FULL, 0) | {"decision": points}
    scripts.append([])
    assert grade(SOLVED, False).ungraded == "the process for it started too many processes or threads"


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


def test_what_is_shown_of_a_large_value_is_short_and_soon_there():
    """Of the trusted side alone, which shows it."""
    deep = [np.zeros((100_000, 0))] * 1000
    for _ in range(10):
        deep = [deep] * 1000
    assert len(shown(deep)) <= 100
    assert shown([1, [2.5, (3,)], np.arange(3)]) == "[1, [2.5, (3)], [0, 1, 2]]"


# What a student may do to the cells of a notebook.


def without(nb, *names):
    nb["cells"] = [c for c in nb["cells"] if grade_id(c) not in names]


def marks_of(nb):
    return [c["metadata"]["nbgrader"] for c in nb["cells"] if "nbgrader" in c["metadata"]]


def other_checks(nb):
    for cell in nb["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("locked"):
            cell["source"] = "import os; os._exit(0)"


def retyped(nb):
    for cell in nb["cells"]:
        if grade_id(cell):
            cell["cell_type"] = "markdown"
    for marks in marks_of(nb):
        marks |= {"locked": False, "solution": True, "grade": True, "points": 1000}


def copied(nb, first=False, check=False):
    """Copied in the browser with its metadata: what is defined last counts, as in the student's own notebook.

    So does the last check, if that is copied as well.
    """
    nb["cells"].insert(0 if first else len(nb["cells"]), code("def decision(X, theta): return 0", "decision"))
    if check:
        nb["cells"].append(deepcopy(next(cell for cell in nb["cells"] if grade_id(cell) == "decision-check")))


def answers_below_their_checks(nb):
    for k in range(len(nb["cells"]) - 1):
        if (grade_id(nb["cells"][k + 1]) or "").endswith("-check"):
            nb["cells"][k : k + 2] = nb["cells"][k + 1], nb["cells"][k]


def no_metadata(nb):
    nb["metadata"] = {}
    for cell in nb["cells"]:
        cell["metadata"] = {}


def odd_cells(nb):
    nb["metadata"] = {"kernelspec": {"name": "ir", "language": "R"}, "language_info": 7}
    nb["cells"] += [7, None, [], {"cell_type": "code"}, {"cell_type": "code", "metadata": 3, "source": {"a": 1}},
                    {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": ["decision"]}}, "source": [1, None]}]
    nb["cells"] += [code("1 +"), {"cell_type": "raw", "metadata": {}, "source": "raise SystemExit"}]
    for cell in nb["cells"][:4]:
        cell["source"] = list("".join(cell["source"]))


LATER = ["def decision(X, theta): return 0", "sum = len = np = None", "del one_line"]


def changed_later(nb):
    at = next(k for k, c in enumerate(nb["cells"]) if grade_id(c) == "product-check")
    nb["cells"][at:at] = [code(source) for source in LATER]


def right_later(nb):
    answer = next(cell for cell in nb["cells"] if grade_id(cell) == "decision")
    answer["source"] = "def decision(X, theta): return 0"
    nb["cells"].append(code(SOURCES["decision"]))


TAMPERED = {  # and the tasks that are lost
    "checks deleted": (lambda nb: without(nb, "setup", *(f"{t}-check" for t in FULL)), ()),
    "checks that exit": (other_checks, ()),
    "all cells twice": (lambda nb: nb["cells"].extend(deepcopy(nb["cells"])), ()),
    "all cells retyped, with more points": (retyped, ()),
    "an answer deleted": (lambda nb: without(nb, "cell"), ("cell",)),
    "an answer copied, the wrong one first": (lambda nb: copied(nb, first=True), ()),
    "an answer copied, the wrong one last": (copied, ()),
    "an answer and its check copied, the wrong ones last": (lambda nb: copied(nb, check=True), ("decision",)),
    "answers below their checks": (answers_below_their_checks, ()),
    "changed behind their checks": (changed_later, list(FULL)[list(FULL).index("product") + 1 :]),
    "a right one behind its check": (right_later, ("decision",)),
    "in reverse": (lambda nb: nb["cells"].reverse(), ()),
    "no metadata": (no_metadata, ()),
    "another kernel, odd cells": (odd_cells, ()),
    "no cells": (lambda nb: nb["cells"].clear(), FULL),
    "two thousand cells": (lambda nb: nb["cells"].extend(code("1/0") for _ in range(2000)), ()),
}


def tampered(name, around):
    nb = deepcopy(SOLVED)
    TAMPERED[name][0](nb)
    return nb


@pytest.mark.slow(keep=5)
@submissions(tampered, TAMPERED, MODES[1:])
def test_only_the_answers_of_a_notebook_count(submission, graded):
    assert points(graded(submission)) == FULL | dict.fromkeys(TAMPERED[submission.name][1], 0)


UNREADABLE = {
    "half a file": json.dumps(SOLVED).encode()[:-200],
    "deep": b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "too large": b" " * (21 << 20),
    "nothing": b"",
    "binary": bytes(range(256)) * 100,
    "not a notebook": b"[1, 2]",
    "cells that are none": b'{"cells": {"a": 1}}',
    "deep objects": b'{"a":' * 100_000,
    "a long number": b'{"cells": [' + b"9" * 10_000 + b"]}",
}


def unreadable(name, around):
    return UNREADABLE[name]


@pytest.mark.slow(keep=3)
@submissions(unreadable, UNREADABLE, MODES[1:])
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


@everywhere
def test_the_seed_of_the_cases_stays_outside(boxed, around):
    """With it a submission could draw what is held out of `project`."""
    seed = 987654321
    spy = (f"import random, sys\nseen, frame = random.getstate() == random.Random({seed}).getstate(), sys._getframe()\n"
           f"same = np.random.get_state()[1].tolist() == np.random.RandomState({seed}).get_state()[1].tolist()\n"
           "given = ''\nwhile frame:\n    given += str(frame.f_globals.get('ORDER', ''))\n    frame = frame.f_back\n"
           f"seen = seen or same or '{seed}' in given or 'decision' not in given\n"
           "def decision(X, theta): return 0 if seen else X @ theta[:-1] + theta[-1]")
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
    mark = grade(notebook(before=[tries]), boxed)
    assert "ValueError: ([], True)" in mark.notes[0]


# All ways to a file of ours: one cell, which raises the names of those that it could read. Packages of others are not
# searched, nor what the machine says about itself.
SPY = """
import os, sys
read, places = [], {places!r}
for folder in {folders!r} + ["/"]:
    for place, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if not os.path.exists(os.path.join(place, f, "__init__.py")) or
                      f == "coursekit" if place != "/" or f not in ("proc", "sys", "dev")]
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
PLOTS = "%matplotlib inline\nimport scipy.optimize, sklearn.svm\n!ls\nimport matplotlib.pyplot as plt\n" \
        "plt.plot([1, 2]); plt.savefig('a.png')"


def spies(site):
    """A notebook that looks for answers, and one that takes them, where coursekit lies in the folder `site`."""
    roots = list(dict.fromkeys([site, ROOT]))
    roots += [Path(str(root).replace("/lib/", "/lib64/")) for root in roots]
    folders = list(dict.fromkeys(map(str, roots)))
    places = [str(path) for root in roots for part in ("coursekit", "solutions", "exercises", "tests")
              for path in (root / part).rglob("*") if path.suffix in (".py", ".ipynb", ".json", ".pyc")]
    parts = [f"coursekit/{part}" for part in sandbox.parts() if part.endswith(".py")]
    spy = SPY.format(places=places, folders=folders, parts=tuple(parts + list(map(cache_from_source, parts))))
    return notebook(before=[spy]), notebook({"decision": THIEF.format(folders=folders)})


SAW_NONE = re.compile(r"ValueError: \([1-9]\d*, \[\]\), in line ")


@everywhere
def test_no_answer_can_be_read(boxed, around):
    spy, thief = spies(ROOT)
    assert SAW_NONE.search(grade(spy, boxed).notes[0])
    assert points(grade(thief, boxed)) == FULL | {"decision": 0}
    mark = grade(notebook(before=[PLOTS]), boxed)
    assert (points(mark), mark.notes) == (FULL, ())


USER = 54321  # whom no machine has
# What is tried against a grader who has coursekit from a wheel, and lacks root's rights.
ATTEMPTS = ["files 1", "judge 1", "protocol 1", "memory"]


def way(folder):
    """How to begin a command as USER, to whom a way to this interpreter is opened where only root can go."""
    prefix, begin = Path(sys.base_prefix), []
    if closed := [path for path in prefix.parents if not path.stat().st_mode & 0o001]:
        begin = [shutil.which("bwrap"), "--dev-bind", "/", "/", "--tmpfs", closed[-1], "--cap-add", "ALL"]
        for path in reversed([path for path in prefix.parents if path.is_relative_to(closed[-1])]):
            begin += ["--dir", path]
        begin += ["--ro-bind", prefix, prefix]
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return [*begin, shutil.which("setpriv"), f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


def owned(user):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.stat().st_uid == user:
                found.append((process.name, (process / "cmdline").read_bytes()[:80]))
    return found


@pytest.fixture(params=[(True, "virtual environment"), (False, "user")], ids=["sandbox", "fence"])
def from_a_wheel(request):
    """Whether there is bubblewrap, coursekit as it is installed, and a folder that everybody may go to."""
    boxed, kind = request.param
    folder = Path(sandbox.tempfile.mkdtemp())
    folder.chmod(0o755)
    yield boxed, Installed(kind, folder), folder
    shutil.rmtree(folder)


@pytest.mark.slow
@no_bubblewrap
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as another user")
def test_what_is_installed_from_a_wheel_grades_a_class_for_whoever_asks(from_a_wheel):
    boxed, place, folder = from_a_wheel
    code = {path.relative_to(ROOT): path.read_bytes() for path in (ROOT / "coursekit").rglob("*.py")}
    assert {path: (place.site / path).read_bytes() for path in code} == code
    home = folder / "of the grader"
    for name in ("in", "tmp", "bin", "own"):
        (home / name).mkdir(parents=True)
    (home / "secret.txt").write_text("tell nobody")
    for name in ("bwrap", "rm", "chmod") if boxed else ("rm", "chmod"):
        (home / "bin" / name).symlink_to(shutil.which(name))
    shutil.copytree(ROOT / "solutions" / ASSIGNMENT, folder / "course" / "solutions" / ASSIGNMENT)
    spy, thief = spies(place.site)
    class_of = {"solved": SOLVED, "plots": notebook(before=[PLOTS]), "spy": spy, "thief": thief}
    expected = dict.fromkeys(class_of, sum(FULL.values())) | {"thief": sum(FULL.values()) - FULL["decision"]}
    for name in ATTEMPTS:
        around = Around(home, 0, 0)
        class_of[name] = attacking(name, around, folder / "course") if name in PACKED else broken(name, around)
        expected[name] = sum(most for task, most in FULL.items() if task not in PACKED.get(name, ()))
    for name, nb in class_of.items():
        (home / "in" / f"{name}.ipynb").write_text(json.dumps(nb))
    command = [place.python, "-c", "from coursekit.cli import main; main()", "grade", "in", "--out", "out"]
    # Without --course there are no answers far and wide; and no process could be started out of a zip.
    zipped = {**place.environment, "PYTHONPATH": str(place.wheel)}
    for environment, sentence in ((place.environment, "say with --course where they are"), (zipped, "out of a zip")):
        done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True)
        assert done.returncode
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1
    begin = way(folder)
    subprocess.run(["chown", "-R", f"{USER}:{USER}", home], check=True)
    environment = {"HOME": str(home / "own"), "TMPDIR": str(home / "tmp"), "PATH": str(home / "bin"),
                   "PYTHONUSERBASE": place.environment["PYTHONUSERBASE"]}
    done = subprocess.run([*begin, *command, "--course", folder / "course"], cwd=home, env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("WARNING: NO SANDBOX" in done.stderr) != boxed
    with open(home / "out" / "grades.csv", newline="") as file:
        assert {row["student"]: float(row["total"]) for row in csv.DictReader(file)} == expected
    assert (home / "out").stat().st_uid == USER
    pages = {page.stem: page.read_text("utf-8") for page in (home / "out" / "feedback").glob("*.html")}
    assert SAW_NONE.search(pages["spy"])
    assert not [name for name, page in pages.items() if "tell nobody" in page]
    assert (home / "secret.txt").read_text() == "tell nobody"
    assert sorted(os.listdir(home)) == ["bin", "in", "out", "own", "secret.txt", "tmp"]
    assert os.listdir(home / "tmp") == []
    assert not [p for p in (place.site, place.site / "coursekit", place.site / "numpy") if (p / "touched").exists()]
    limit = time.monotonic() + 30  # the grader's own processes end a moment after it
    while left := owned(USER):
        assert time.monotonic() < limit, f"left behind: {left}"
        time.sleep(0.05)
