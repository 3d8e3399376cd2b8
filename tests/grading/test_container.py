"""A container in place of bubblewrap: what an engine is asked for, what is said to it, and what its failures cost.

A stand-in for docker and podman runs what it is asked to, as a process of its own that outlives it, with the variables
it was given and no others, and isolates nothing: that is the engine's part.
"""

import json
import os
import sys
from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit_grade import container, process, protocol
from coursekit_grade.mark import grade_notebook
from coursekit_grade.process import TAKEN
from coursekit_grade.sandbox import Box
from coursekit_grade.solutions import Course
from tests.grading.shared import await_end, folder
from tests.grading.small import answer_cell, course

RIGHT = "def f(x): return 1 if x else 2"
ENGINE = """#!{python}
import json, os, signal, subprocess, sys
program, given = os.path.basename(sys.argv[0]), sys.argv[1:]
with open({log!r}, "a") as log:
    log.write(json.dumps([program, *given]) + "\\n")
if given[0] == "kill":
    os.killpg(int(open({root!r} + "/" + given[1]).read()), signal.SIGKILL)
    sys.exit()
options = [option.removeprefix("--").partition("=") for option in given[1:] if option.startswith("--")]
image, *command = given[1 + len(options):]
if image != "full":  # which these tests run in
    command = [word.replace('"coursekit"', '"none"') for word in command]
if image != "unbounded":
    command = [word.replace("/sys/fs/cgroup", {root!r} + "/limits") for word in command]
if image in ("absent", program + "-less"):
    print("Error: first\\nno such image: " + image, file=sys.stderr)
    sys.exit(125)
named = {{name: value for name, _, value in options}}
variables = dict(value.split("=", 1) for name, _, value in options if name == "env")
if command[-1].endswith("child.py"):
    open("oom", "w").close()  # in the folder that it stands in, as podman does
process = subprocess.Popen([named["entrypoint"], *command], env=variables | {{"PATH": {path!r}}}, cwd={root!r},
                           start_new_session=True)
with open({root!r} + "/" + named["name"], "w") as file:
    file.write(str(process.pid))
status = process.wait()
sys.exit({ends} or (status if status >= 0 else 128 - status))
"""


@pytest.fixture
def engines(tmp_path, monkeypatch):
    """engines(*programs, ends=0): have these on PATH. Returned is what they are asked for, each a list of words."""
    log, path = tmp_path / "log", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def on_path(*programs, ends=0):
        made = ENGINE.format(python=sys.executable, log=str(log), root=str(tmp_path / "inside"), ends=ends,
                             path=path)
        for name in programs:
            (tmp_path / "bin" / name).write_text(made)
            (tmp_path / "bin" / name).chmod(0o755)

    for name in ("bin", "inside", "inside/limits", "inside/limits/memory", "inside/limits/pids"):
        (tmp_path / name).mkdir()
    (tmp_path / "inside/limits/pids/pids.max").write_text("33\n")
    (tmp_path / "inside/limits/memory/memory.limit_in_bytes").write_text(f"{2**30}\n")
    on_path.asked = lambda: [json.loads(line) for line in log.read_text().splitlines()]
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("COURSEKIT_SECRET", "do not tell")
    container.engine.cache_clear()
    yield on_path
    assert not [place for place in (process.HERE, Path()) if (place / "oom").exists()]
    await_end(lambda folder: str(tmp_path).encode() in (folder / "cmdline").read_bytes())


@pytest.fixture
def grade(engines, tmp_path):
    """grade(answer, image, beside): its mark in a course with one task."""
    course(tmp_path / "course")
    drawn = Course(tmp_path / "course").drawn("01-topic", 3)
    return lambda answer=RIGHT, image="image", beside=None: grade_notebook(
        json.dumps({"cells": [answer_cell(answer)]}).encode(), drawn, Box(image), beside)


def became(mark):
    return mark.ungraded or mark.tasks[0].ungraded or mark.tasks[0].points


def test_a_container_is_asked_for_that_can_do_nothing_and_gets_no_answer(engines, grade, tmp_path):
    engines("docker")
    assert became(grade("def f(x): return 3")) == 0
    beside = {"own/part.py": f"from .helpers import np\n{RIGHT}".encode(), "own/helpers.py": b"import numpy as np"}
    assert became(grade("from own.part import f", beside=beside)) == 2
    *_, (program, action, *words), ended = engines.asked()
    given = [word.removeprefix("--").partition("=")[::2] for word in words if word.startswith("--")]
    named = dict(option for option in given if option[0] != "env")
    assert (program, action, words[len(given)]) == ("docker", "run", "image")
    assert ended == ["docker", "kill", named.pop("name")]
    assert named == {
        "rm": "", "interactive": "", "pull": "never", "log-driver": "none", "network": "none", "ipc": "none",
        "read-only": "", "cap-drop": "ALL", "security-opt": "no-new-privileges", "user": "65534:65534",
        "memory": str(2**30), "memory-swap": str(2**30), "cpus": "1", "pids-limit": "33", "tmpfs": f"/tmp:size={2**26}",
        "workdir": "/tmp", "entrypoint": "timeout"}
    assert words[len(given) + 1 :][:6] == ["-s", "KILL", "360", "python", "-s", "-P"]
    variables = dict(value.split("=", 1) for name, value in given if name == "env")
    assert (variables["HOME"], variables["PYTHONHASHSEED"], "PATH" in variables) == ("/tmp", "0", False)
    assert "do not tell" not in str(words)
    inside = tmp_path / "inside" / ".coursekit"
    files = {path.relative_to(inside).as_posix(): path for path in inside.rglob("*") if path.is_file()}
    assert {"coursekit_grade/child.py", "coursekit/checking/call.py", "coursekit/core/data/iris.csv"} < files.keys()
    assert not [name for name in files if "mail" in name or "algorithms" in name]


@pytest.mark.parametrize(("answer", "why"), [
    ("while True: pass", "waited 1.5 seconds and was stopped"), ("import os; os._exit(137)", TAKEN),
    ("import os; os._exit(125)", TAKEN)])
def test_what_computes_without_end_or_is_ended_by_the_engine_is_ungraded_and_ended(
        answer, why, engines, grade, monkeypatch):
    monkeypatch.setattr(protocol, "WAIT_SECONDS", 1.5)
    engines("podman")
    mark = grade(f"{answer}\ndef f(x): return 3")
    assert (mark.notes[0], became(mark)) == (f"cell f {why}; only what it defines was run.", f"cell f {why}")


def test_an_engine_that_fails_leaves_everything_ungraded(engines, grade, tmp_path):
    folder(tmp_path / "in", {"ann.ipynb": b"{}"})
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--container"]
    for have, image, why in (
        ((), "image", "there is no docker and no podman on PATH"),
        (("docker",), "absent", "docker cannot run Python with numpy and IPython in absent: no such image: absent"),
        (("docker",), "full", "docker cannot run Python with numpy and IPython in full: coursekit is in it, and "
                              "answers are tested with its emails"),
        (("docker",), "unbounded", "docker cannot run Python with numpy and IPython in unbounded: the limits of memory "
                                   "and processes do not hold in it, as without root where cgroups are not delegated"),
    ):
        engines(*have)
        assert became(grade(image=image)) == why
        with pytest.raises(SystemExit) as refused:
            main([*command, image])
        assert str(refused.value).endswith(f"--container, but there is no sandbox: {why}")
        assert not (tmp_path / "out").exists()
        container.engine.cache_clear()
    engines("docker", "podman")  # the second has the image
    assert became(grade(image="docker-less")) == 2
    engines("docker", "podman", ends=125)
    assert became(grade(image="docker-less")) == 2  # all was said before
