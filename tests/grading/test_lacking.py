"""What ticks in Jupyter is marked; what the grader lacks or cannot read is left ungraded, and told as what it is."""

import ast
import sys

import pytest

from coursekit.checking import newer
from coursekit.grading import sandbox
from tests.grading.test_hostile import FIRST, FULL, SOURCES, grade, notebook
from tests.grading.test_no_answers import carried


def graded(answers, before=(), python=""):
    """The tasks by name, and what is noted, where these cells stand in front of the answers."""
    handed_in = notebook(answers, before)
    handed_in["metadata"]["language_info"] = {"name": "python", "version": python}
    mark = grade(handed_in, False)
    return {task.name: task for task in mark.tasks}, mark.notes


def test_cells_are_those_of_ipython():
    before = [
        "%%writefile helper.py\nimport numpy as np\n" + SOURCES["cell"], "%%writefile -a 'helper.py'\nONE = 1",
        "files = !ls\n!pip install nothing\nassert files == ['helper.py']", "two = %time 1 + 1\nassert two == 2",
        "from IPython.core.magic import register_line_magic\n@register_line_magic\ndef twice(line): "
        "return 2 * int(line)",
        "four = %twice 2\nassert four == 4", "%%html\n<b>no Python</b>", "%%bash\nrm -rf *",
    ]
    tasks, notes = graded({
        "decision": f"%%time\n%matplotlib inline\n{SOURCES['decision']}",
        "cell": "%load_ext autoreload\n%autoreload 2\nfrom helper import ONE, cell",
        "training_error": f"%%capture out --no-stderr\n%%time\n{SOURCES['training_error']}\nprint(out.stdout)",
        "one_line": f"%%prun -s cumulative\n{SOURCES['one_line']}",
        "product": f"\n%%memit_of_an_extension\n{SOURCES['product']}\nproduct?",
        "line_through": f"%pylab inline\n{SOURCES['line_through'].replace('np.', '')}",
        "seen_and_new": "%run helper.py\nassert ONE == four / 4\n" + SOURCES["seen_and_new"],
    }, before)
    assert {name: (task.points, task.message) for name, task in tasks.items()} == {n: (m, "") for n, m in FULL.items()}
    assert notes == ()


def test_what_is_not_there_is_left_ungraded_and_a_students_own_fault_is_not():
    lacks = "which is neither among the grader's packages nor handed in beside the notebook"
    tasks, _ = graded({
        "decision": "def decision(X, theta):\n    import torch\n    return torch.tensor(X)",
        "cell": "import seaborn.objects as so\ndef cell(X, y, theta, offset):\n    return so.Plot(X)",
        "training_error": "from helpers import training_error",
        "one_line": "@nothing\ndef one_line(x, y, theta): pass",
        "product": "def product(a, b, total):\n    return )",
        "find_line": "def find_line(X, y):\n    import coursekit as ck\n    return ck.datasets.mails()",
        "line_through": "from itertools import batched\ndef line_through(p, q, inside):\n    return batched(p, 2)",
        "seen_and_new": "def seen_and_new(X, y, lines, seen):\n    return OF_IT, np.dotty(X)",
    }, ["from sqlite_extras import connect\nOF_IT = connect()"], f"{sys.version_info[0]}.{sys.version_info[1] + 1}.0")
    assert {task.points for task in tasks.values()} == {0}
    told = {name: task.ungraded or f"{task.outcome}: {task.message}" for name, task in tasks.items()}
    assert told == {
        "decision": f"it imports torch, {lacks}",
        "cell": f"it imports seaborn, {lacks}",
        "training_error": f"it imports helpers, {lacks}",
        "one_line": "error: There is no one_line in the notebook, as its cell failed: NameError: name 'nothing' is not "
                    "defined, in line 1.",
        "product": "error: The cell with product cannot be read: SyntaxError: unmatched ')', in line 2: `return )`.",
        "find_line": "it reads the course's mails, which are not there while it is graded: answers are tested with "
                     "them",
        "line_through": told["line_through"],
        "seen_and_new": f"it imports sqlite_extras, {lacks}",
    }
    if sys.version_info < (3, 12):
        old = "it is from Python 3.12, and itertools of the grader's 3.11 may be too old for it"
        assert told["line_through"] == old


NEWER = {  # what Python 3.11 cannot read, and the line
    'print(f"{names["a"]}")': ('" within an f-string that begins with "', 1),
    "a = 1\nprint(f'{'-'.join([\"b\"])!r:>{a}}', 'c')": ("' within an f-string that begins with '", 2),
    'print(f"{chr(10)}{\'\\n\'.join(a)}")': ("a \\ within { } of an f-string", 1),
    'f"{f"{f"{1}"}"}"': ('" within an f-string that begins with "', 1),
    'x = f"""{\n1 # one\n}"""': ("a comment within an f-string", 1),
    "x = f'{\n1\n}'": ("an f-string over several lines", 1),
    "# type X = 1\ntype Pair[T] = tuple[T, T]": ("a type statement", 2),
    '"""\ntype X = 1"""\ntype X = int': ("a type statement", 3),
    "def first[T: (int, str)](x: list[T]) -> T:\n    return x[0]": ("type parameters in [ ]", 1),
    "class A[T](list): pass": ("type parameters in [ ]", 1),
    "try: pass\nexcept TypeError, ValueError: pass": ("except with several types and no ( )", 2),
    "x = t'{1}'": ("a t-string", 1),
}
OLD = [
    "x = f\"{a['b']!r:>{w}}\" f'{y:%H:%M}'", "x = f'''{a['b']}'''", "'it\\'s' \"f'{\" # f\"{",
    "type = type(x)\nf[x](y)",
    "match x:\n    case {'type': y}: pass", "try: pass\nexcept (A, B): pass", "rb'\\'' + br'' + f'{{}}' + f'{x}\\''",
    "f'{(lambda x: {1: x}[1])(2)}'", "def f(x=[1]): return x[0]", "x[type](y)", "f'{x:{y}}{z!s}'",
]


@pytest.mark.parametrize("source", NEWER)
def test_what_an_older_python_cannot_read_is_found(source):
    rest, (new, *_) = newer.older(source)
    assert (new.what, new.line) == NEWER[source]
    ast.parse(rest)
    assert rest.count("\n") == source.count("\n")
    try:
        ast.parse(source)
    except SyntaxError:
        assert sys.version_info[:2] < new.python
    else:
        assert sys.version_info[:2] >= new.python


def test_what_every_python_reads_is_left_alone_and_what_none_reads_is_not_taken_for_news():
    for source in OLD:
        ast.parse(source)
        assert newer.older(source) == (source, [])
    for source in ["def f(x:\n", "x = f'{", "return )", "f'{x", "'" * 7, "f'{'" * 2000, "x = 'a"]:
        with pytest.raises(SyntaxError):
            ast.parse(newer.older(source)[0])


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it")
def test_a_newer_python_is_no_reason_for_a_0():
    helper = {"cell": f"{SOURCES['cell']}\nprint(f\"{{\"a\"}}\")", "seen_and_new": "def seen_and_new(*given): pass"}
    tasks, notes = graded(helper, python="3.14.0")
    why = 'cell cell needs Python 3.12, and the grader has 3.11: it has " within an f-string that begins with ", in '
    assert {name: task.points for name, task in tasks.items()} == FULL | {"cell": 0, "seen_and_new": 0}
    assert {name for name, task in tasks.items() if task.ungraded.startswith(why)} == {"cell", "seen_and_new"}
    assert len(notes) == 1
    assert "SyntaxError" in notes[0]
    tasks, _ = graded({"cell": "let cell = 1"}, python="3.99.0")  # of which nothing is known
    assert tasks["cell"].ungraded == "cell cell cannot be read by Python 3.11, and the notebook is from Python 3.99"


def test_what_a_submission_may_read_is_what_it_imports_and_no_answer():
    uses = ("import sys, coursekit as ck\ndata = ck.datasets.load('iris').standardized()\n"
            "raise ValueError(len(data.y), [n for n, m in sys.modules.items() if n.startswith('coursekit.')\n"
            "                               and n.count('.') == 2 and not hasattr(m, '__file__')])")
    _, notes = graded({}, [uses])
    # Each that is missing would have a stand-in.
    assert notes == (f"cell {FIRST + 1}: ValueError: (150, []), in line 3",)
    texts = [(part, (sandbox.PACKAGE / part).read_text("utf-8")) for part in sandbox.parts() if part.endswith(".py")]
    assert carried(texts) == []
    assert not [part for part, _ in texts if part.startswith(("algorithms/", "explorers/", "plots/"))]
