"""Neither the wheel nor the sdist carries an answer, other than the course's own algorithms.

Nor does the site, which is made of the wheel and the notebooks in it, and of no solutions: tests/site/test_site.py.
"""

import ast
import json
import re
import shutil
from functools import cache

from hatchling.builders.sdist import SdistBuilder

from tests.grading.shared import COURSE, NAME, ROOT, SOLUTION

OWN = ("coursekit/core/", "coursekit/algorithms/")  # what the course is about


def flat(name, text):
    """What can be read in a file, without spaces."""
    if name.endswith((".ipynb", ".json")):
        text = "".join(map(json.loads, re.findall(r'"(?:[^"\\]|\\.)*"', text)))
    return "".join(text.split())


@cache
def secrets():
    """The answers, and the functions of every tasks.py, by name: their text, and what they do."""
    found = {}
    for assignment in COURSE.assignments.values():
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


def test_no_answer_is_in_the_wheel_or_the_sdist(wheel, tmp_path):
    sdist = next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    for archive, kind in ((wheel, "zip"), (sdist, "gztar")):
        shutil.unpack_archive(archive, tmp_path / kind, kind)
    files = {path.read_text("utf-8", errors="ignore"): path.relative_to(tmp_path).as_posix()
             for kind in ("zip", "gztar") for path in (tmp_path / kind).rglob("*") if path.is_file()}
    assert not [name for name in files.values() if name.endswith((".zip", ".whl"))]
    assert leaks((name, text) for text, name in files.items()) == []


def test_answers_that_slipped_in_would_be_found():
    answers = COURSE.assignments[NAME].answers
    assert {name for _, name in carried([("perceptron.ipynb", json.dumps(SOLUTION))])} >= answers.keys()
    renamed = re.sub(r"\b(theta|thetas|passes|mistakes|X|y)\b", r"a_\1", answers["perceptron"].source)
    assert carried([("coursekit/plots/some.py", f"class A:\n{re.sub('(?m)^', '    ', renamed)}")]) == [
        ("coursekit/plots/some.py", "perceptron")]
