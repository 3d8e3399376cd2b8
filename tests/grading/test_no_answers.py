"""Neither the wheel, the sdist nor the browser site carries an answer, other than the course's own algorithms."""

import ast
import html
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import pytest

from coursekit_grade.solutions import assignments
from coursekit_site.build import build
from tests.grading.installed import wheel

ROOT = Path(__file__).parents[2]
COURSE = assignments(ROOT)
OWN = ("coursekit/core/", "coursekit/algorithms/")  # what the course is about
# Calls every function of the wheel with the cases of every task whose number of arguments it takes. What works on its
# own process, on files or on the network is left out: it is no place for an answer, and the test of the text reads it.
SCRIPT = """
import contextlib, copy, gc, importlib, inspect, io, pkgutil, signal, sys, warnings
import coursekit
from coursekit.checking import checks
from coursekit.checking.judge import judge

left_out = ("coursekit.cli", "coursekit_site", "coursekit_grade.child", "coursekit_grade.fence",
            "coursekit_grade.sandbox", "coursekit_grade.process", "coursekit_grade.worker", "coursekit_grade.command",
            "coursekit_grade.edges")
for name in ("coursekit", "coursekit_figures", "coursekit_grade"):
    for found in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
        with contextlib.suppress(ModuleNotFoundError):
            if not found.name.startswith(left_out):
                importlib.import_module(found.name)
functions = {
    f"{function.__module__}.{function.__qualname__}, line {function.__code__.co_firstlineno}": function
    for function in gc.get_objects()
    if inspect.isfunction(function) and str(function.__module__).startswith("coursekit")
    and not function.__module__.startswith(left_out)
}

def late(*_):
    raise TimeoutError

def right(task, function):
    answers = []
    signal.alarm(1)
    try:
        inspect.signature(function).bind(*task.arguments)
        for case in task.cases:
            answers.append(function(*copy.deepcopy(case)))
        return not judge(task, answers).sentence
    except BaseException:
        return False
    finally:
        signal.alarm(0)

signal.signal(signal.SIGALRM, late)
warnings.simplefilter("ignore")
tasks = [task for tasks in checks.known().values() for task in tasks.values()]
screen, hits = io.StringIO(), []
with contextlib.redirect_stdout(screen):
    for name, function in functions.items():
        hits += [f"{name}: {task.name}" for task in tasks if right(task, function)]
print(coursekit.__file__, len(tasks), len(functions), *hits, sep="\\n")
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return wheel(tmp_path_factory.mktemp("wheel"))


def texts(file, name):
    """(name, text) of a file and, if it is an archive, of all that is in it."""
    if zipfile.is_zipfile(io.BytesIO(file)):
        archive = zipfile.ZipFile(io.BytesIO(file))
        for inner in archive.namelist():
            yield from texts(archive.read(inner), f"{name}/{inner}")
    elif name.endswith(".tar.gz"):
        with tarfile.open(fileobj=io.BytesIO(file)) as archive:
            for inner in filter(tarfile.TarInfo.isfile, archive):
                yield from texts(archive.extractfile(inner).read(), f"{name}/{inner.name}")
    else:
        yield name, file.decode("utf-8", errors="ignore")


def flat(name, text):
    """What can be read in a file, without spaces."""
    if name.endswith((".ipynb", ".json")):
        text = "".join(strings(json.loads(text)))
    return "".join(html.unescape(re.sub("<[^>]*>", "", text) if name.endswith(".html") else text).split())


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


@cache
def secrets():
    """The answers, and the functions of every tasks.py, by name: their text, and what they do."""
    found = {}
    for assignment in COURSE:
        for name, answer in assignment.answers.items():
            body = next(f.body for f in ast.parse(answer.source).body if getattr(f, "name", "") == name)
            found[name] = re.search("### BEGIN SOLUTION(.*?)### END SOLUTION", answer.source, re.S)[1], body
        source = assignment.file.read_text("utf-8")
        for f in ast.parse(source).body:
            if isinstance(f, ast.FunctionDef):
                text = "\n".join(source.split("\n")[f.lineno - 1 : f.end_lineno])
                found[f"{assignment.name} {f.name}"] = text, f.body[ast.get_docstring(f) is not None :]
    assert all(len(text) > 20 for text, _ in found.values())
    return found


def carried(files):
    """(file, what) for each of the secrets that is in one of the files.

    It is there if its text is, or code that differs from it in names, comments and layout alone.
    """
    texts = {name: "".join(text.split()) for name, (text, _) in secrets().items()}
    bodies = {name: body for name, (_, body) in secrets().items() if sum(1 for n in body for _ in ast.walk(n)) > 19}
    unnamed = {nameless(body): name for name, body in bodies.items()}
    kinds = {tuple(map(type, body)) for body in bodies.values()}
    found = []
    for file, text in files:
        readable = flat(file, text)
        found += [(file, name) for name, secret in texts.items() if secret in readable]
        for block in blocks(file, text):
            types = tuple(map(type, block))
            alike = (nameless(block[k:end]) for k in range(len(block)) for end in range(k + 1, len(block) + 1)
                     if types[k:end] in kinds)
            found += [(file, unnamed[code]) for code in alike if code in unnamed]
    return found


def nameless(body):
    """The syntax of some statements, with numbers for all names of variables."""
    names = {}
    return re.sub(r"\b(id|arg|name)='(\w+)'", lambda found: f"{found[1]}={names.setdefault(found[2], len(names))}",
                  " ".join(map(ast.dump, body)))


def blocks(file, text):
    """Every list of statements in the code of a file."""
    codes = [text] if file.endswith(".py") else []
    if file.endswith(".ipynb"):
        codes = ["".join(c["source"]) for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
    for node in (node for code in codes for node in ast.walk(ast.parse(code))):
        if isinstance(node, ast.Lambda):
            yield [ast.Return(node.body)]
        elif isinstance(body := getattr(node, "body", None), list):
            yield from filter(None, (body, getattr(node, "orelse", [])))


def leaks(files):
    """What is carried by another file than those of the course's own algorithms."""
    return [f"{file} has {name}" for file, name in carried(files) if not any(own in file for own in OWN)]


def test_no_answer_is_in_the_wheel_or_the_sdist(packed, tmp_path):
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path], cwd=ROOT, check=True,
                   capture_output=True)
    sdist = next(tmp_path.glob("*.tar.gz"))
    different = {text: name for file in (packed, sdist) for name, text in texts(file.read_bytes(), file.name)}
    assert any(name.startswith(sdist.name) for name in different.values())
    assert leaks((name, text) for text, name in different.items()) == []


def test_answers_that_slipped_in_would_be_found():
    slipped = next(ROOT.glob("solutions/02-*/*.ipynb"))
    found = carried(texts(slipped.read_bytes(), slipped.name))
    assert {name for _, name in found} >= COURSE[1].answers.keys()
    renamed = re.sub(r"\b(theta|thetas|passes|mistakes|X|y)\b", r"a_\1", COURSE[1].answers["perceptron"].source)
    assert carried([("coursekit/plots/some.py", f"class A:\n{re.sub('(?m)^', '    ', renamed)}")]) == [
        ("coursekit/plots/some.py", "perceptron")]


@pytest.mark.slow
def test_no_function_in_the_wheel_computes_an_answer(packed, tmp_path):
    zipfile.ZipFile(packed).extractall(tmp_path / "site")
    ran = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500,
    )
    assert ran.returncode == 0, ran.stderr
    home, tasks, functions, *hits = ran.stdout.splitlines()
    assert home.startswith(str(tmp_path))
    assert int(tasks) == sum(len(a.answers) for a in COURSE)
    assert int(functions) > 500
    own = [hit for hit in hits if hit.startswith(tuple(own.replace("/", ".") for own in OWN))]
    fitted = {hit.split(": ")[1] for hit in own if hit.startswith("coursekit.algorithms.least_squares.least_squares,")}
    assert fitted == {"mail_filter", "one_pass"}  # what is looked for would be found
    assert hits == own


@pytest.mark.slow
def test_no_text_of_an_answer_is_in_the_site(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    build(tmp_path / "site", None, False)
    files = [path for path in (tmp_path / "site").rglob("*") if path.is_file() and path.suffix != ".map"]
    assert any(path.suffix == ".whl" for path in files)
    assert leaks(pair for path in files for pair in texts(path.read_bytes(), path.as_posix())) == []
