"""Neither the wheel nor the browser site carries an answer, other than the course's own algorithms."""

import ast
import html
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from coursekit.grading.course import assignments
from coursekit.publish.site import build
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
from coursekit.checking.judge import judged

left_out = ("coursekit.cli", "coursekit.publish", "coursekit.grading.child", "coursekit.grading.fence",
            "coursekit.grading.sandbox", "coursekit.grading.worker", "coursekit.grading.command")
for found in pkgutil.walk_packages(coursekit.__path__, "coursekit."):
    with contextlib.suppress(ModuleNotFoundError):
        if not found.name.startswith(left_out):
            importlib.import_module(found.name)
functions = {
    f"{function.__module__}.{function.__qualname__}, line {function.__code__.co_firstlineno}": function
    for function in gc.get_objects()
    if inspect.isfunction(function) and str(function.__module__).startswith("coursekit.")
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
        return not judged(task, answers).sentence
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
    """(name, text without spaces) of a file and, if it is an archive, of all that is in it."""
    if zipfile.is_zipfile(io.BytesIO(file)):
        archive = zipfile.ZipFile(io.BytesIO(file))
        for inner in archive.namelist():
            yield from texts(archive.read(inner), f"{name}/{inner}")
        return
    text = file.decode("utf-8", errors="ignore")
    if name.endswith((".ipynb", ".json")):
        text = "".join(strings(json.loads(text)))
    yield name, "".join(html.unescape(re.sub("<[^>]*>", "", text) if name.endswith(".html") else text).split())


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def carried(files):
    """(file, what) for each answer, and each function of a tasks.py, whose text is in one of the files."""
    secrets = {}
    for assignment in COURSE:
        for name, answer in assignment.answers.items():
            secrets[name] = re.search("### BEGIN SOLUTION(.*?)### END SOLUTION", answer.source, re.S)[1]
        source = assignment.file.read_text("utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                secrets[f"{assignment.name} {node.name}"] = ast.get_source_segment(source, node)
    flat = {name: "".join(text.split()) for name, text in secrets.items()}
    assert all(len(text) > 20 for text in flat.values())
    return [(file, name) for file, text in files for name, secret in flat.items() if secret in text]


def test_no_text_of_an_answer_is_in_the_wheel(packed):
    found = carried(texts(packed.read_bytes(), ""))
    assert [f"{file} has {name}" for file, name in found if not any(own in file for own in OWN)] == []
    slipped = next(ROOT.glob("solutions/02-*/*.ipynb"))
    leaks = carried(texts(slipped.read_bytes(), slipped.name))
    assert {name for _, name in leaks} >= COURSE[1].answers.keys()  # what is looked for would be found


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
    found = carried(pair for path in files for pair in texts(path.read_bytes(), path.as_posix()))
    assert [f"{file} has {name}" for file, name in found if not any(own in file for own in OWN)] == []
