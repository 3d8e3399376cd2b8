"""The command, and the copy of the course that `coursekit lab` opens."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import coursekit as ck
from coursekit.checking import student
from coursekit.cli import main, parser
from coursekit.predictions import question as predictions
from coursekit_lecture import lab, running

CHAPTER = "notebooks/02-perceptron.ipynb"


@pytest.fixture
def course(tmp_path):
    """A course of two files, as the wheel carries it."""
    return write(tmp_path / "course", {lab.START: "start 1", CHAPTER: "chapter 1"})


@pytest.fixture
def folder(course, tmp_path):
    """A copy of it."""
    lab.copy(course, tmp_path / "mine")
    return tmp_path / "mine"


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def files(root):
    found = [path for path in root.rglob("*") if path.is_file() and path.name != lab.MANIFEST]
    return {path.relative_to(root).as_posix(): path.read_text() for path in found}


def test_everything_that_belongs_to_the_course_is_laid_once(course, folder, capsys):
    write(course, {"exercises/02/task.ipynb": "task", "notebooks/.ipynb_checkpoints/a.ipynb": "old", "README.md": "-"})
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 1", CHAPTER: "chapter 1", "exercises/02/task.ipynb": "task"}
    assert set(json.loads((folder / lab.MANIFEST).read_text())) == set(files(folder))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    capsys.readouterr()
    lab.copy(course, folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert capsys.readouterr().out == f"The course in {folder}: up to date.\n"


def test_new_versions_update_untouched_files_and_keep_changed_ones(course, folder, capsys):
    mine = {CHAPTER: "my answer", "notebooks/notes.txt": "mine"}
    write(folder, mine)
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 1", **mine}
    assert "Kept" not in capsys.readouterr().out  # there is no new version of it
    for number in (2, 3, 1):
        write(course, {lab.START: f"start {number}", CHAPTER: f"chapter {number}"})
        lab.copy(course, folder)
        assert files(folder) == {lab.START: f"start {number}", **mine}
        assert (f"Kept your {CHAPTER}" in capsys.readouterr().out) == (number != 1)
    (folder / CHAPTER).rename(folder / "notebooks" / "my-perceptron.ipynb")
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 1", CHAPTER: "chapter 1", "notebooks/notes.txt": "mine",
                             "notebooks/my-perceptron.ipynb": "my answer"}


def test_without_a_readable_manifest_nothing_that_differs_is_touched(course, folder):
    write(folder, {CHAPTER: "my answer"})
    write(course, {lab.START: "start 2", CHAPTER: "chapter 2"})
    (folder / lab.MANIFEST).unlink()
    for manifest in ({}, *({lab.MANIFEST: text} for text in ("", "{", "[]", '"text"', f'{{"{CHAPTER}": 7}}', "\0"))):
        write(folder, manifest)
        lab.copy(course, folder)
        assert files(folder) == {lab.START: "start 1", CHAPTER: "my answer"}


def test_a_folder_where_the_course_cannot_be_and_a_full_disk_leave_whole_files(course, folder, tmp_path, monkeypatch):
    write(tmp_path, {"taken": "precious"})
    with pytest.raises(SystemExit, match=rf"^coursekit lab: {tmp_path}/taken is a file; name a folder for the course$"):
        main(["lab", str(tmp_path / "taken")])
    (tmp_path / "folder" / CHAPTER).mkdir(parents=True)
    for place in (tmp_path / "taken" / "below", tmp_path / "folder"):
        with pytest.raises(OSError, match="cannot copy the course into"):
            lab.copy(course, place)
    assert (tmp_path / "taken").read_text() == "precious"

    def full(self, data):
        self.write_text("half")
        raise OSError(28, "No space left on device", str(self))

    write(course, {lab.START: "start 2", CHAPTER: "chapter 2"})
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match=r"cannot copy the course into .*: No space left"):
            lab.copy(course, folder)
    assert files(folder)[lab.START] == "start 1"
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 2", CHAPTER: "chapter 2"}


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_clone_can_be_pulled_whatever_was_done_in_the_lab(tmp_path, monkeypatch, capsys):
    """Before there was a copy of the course, students worked in the originals: that is kept, too."""
    kept = {f"exercises/{student.PROGRESS}": '{"passed": ["cell"]}', f"notebooks/{predictions.KEPT}": "{}"}
    course = {"coursekit/__init__.py": "", lab.START: "start 1", CHAPTER: "chapter 1", "notebooks/ü.ipynb": "ü 1"}
    upstream = write(tmp_path / "upstream", {**course, ".gitignore": ".coursekit*", ".gitattributes": "* -text"})
    git(upstream, "init")
    git(upstream, "add", ".")
    git(upstream, "commit", "-m", "first")
    git(tmp_path, "clone", upstream, "clone")
    clone = write(tmp_path / "clone", {"notebooks/ü.ipynb": "mine before", **kept})
    monkeypatch.chdir(clone / "notebooks")
    copy = clone / "coursekit-course"
    for folder in (None, None, str(clone)):
        assert lab.course_folder(folder) == copy
    mine = {"notebooks/ü.ipynb": "mine before", ".gitignore": "*\n", **kept}
    assert files(copy) == {lab.START: "start 1", CHAPTER: "chapter 1", **mine}
    write(copy, {CHAPTER: "mine", f"exercises/{student.PROGRESS}": '{"passed": ["cell", "decision"]}'})
    assert git(clone, "status", "--porcelain", "-z") == " M notebooks/ü.ipynb\0"
    git(clone, "checkout", ".")
    write(upstream, {name: text.replace("1", "2") for name, text in course.items()})
    git(upstream, "commit", "-am", "second")
    git(clone, "pull", "--ff-only")
    monkeypatch.chdir(copy / "notebooks")
    assert lab.course_folder() == copy
    assert files(copy) | kept == {lab.START: "start 2", CHAPTER: "mine", **mine}
    assert "decision" in files(copy)[f"exercises/{student.PROGRESS}"]
    capsys.readouterr()
    assert lab.course_folder(str(clone), originals=True) == clone
    assert capsys.readouterr().out == f"Using the originals in {clone}.\n"
    with pytest.raises(OSError, match=r"--originals must be said where a course is kept.*coursekit-course is none"):
        lab.course_folder(originals=True)


def test_a_course_of_ones_own_is_opened_where_it_is(tmp_path, monkeypatch):
    own = write(tmp_path / "statistics", {"solutions/01-averages/tasks.py": "raise SystemExit"})
    monkeypatch.chdir(own / "solutions")
    with pytest.raises(OSError, match=r"no notebook to open in .*statistics; `coursekit release` makes exercises"):
        lab.course_folder()
    assert not (own / "coursekit-course").exists()
    for text in ("exercise 1", "exercise 2"):
        write(own, {"exercises/01-averages/averages.ipynb": text})
        assert lab.course_folder() == own / "coursekit-course"
        assert files(own / "coursekit-course") == {"exercises/01-averages/averages.ipynb": text, ".gitignore": "*\n"}
    assert lab.course_folder(originals=True) == own


def test_port_that_is_none_or_taken(tmp_path, capsys):
    for port in ("0", "-1", "65536", "80.5", "eight", ""):
        with pytest.raises(SystemExit, match="2"):
            main(["lab", "--port", port])
        assert f"must be a whole number from 1 to 65535; got '{port}'" in capsys.readouterr().err
    with socket.create_server(("localhost", 0)) as taken, pytest.raises(SystemExit, match=r"cannot be used.*--port"):
        main(["lab", str(tmp_path / "mine"), "--port", str(taken.getsockname()[1])])
    assert not (tmp_path / "mine").exists()


def test_release_says_what_it_wrote(tmp_path, capsys):
    main(["new-task", "01-means", "mean", "--course", str(tmp_path)])
    capsys.readouterr()
    made = tmp_path / "exercises" / "01-means" / "means.ipynb"
    for said in (f"Released {made}\nReleased {made.with_name('checks.json')}\n", ""):
        main(["release", str(tmp_path)])
        assert capsys.readouterr().out == said
    with pytest.raises(SystemExit, match="coursekit release: root must be a folder with solutions"):
        main(["release", str(tmp_path / "exercises")])


def test_without_a_command_it_says_in_ten_lines_what_one_can_do(capsys):
    main([])
    said = capsys.readouterr().out
    assert len(said.splitlines()) <= 11
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = re.search(r"^positional arguments:\n(.*?)\n\n", capsys.readouterr().out, re.DOTALL | re.MULTILINE)[1]
    for command in re.findall(r"^    ([a-z-]+) ", commands, re.MULTILINE):
        assert f"coursekit {command}" in said
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    declared = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]["version"]
    assert capsys.readouterr().out == f"coursekit {declared}\n"


@pytest.mark.parametrize(("typed", "meant"), [
    ("labb", "lab"), ("grad", "grade"), ("lab --prot 8899", "--port"), ("grade a --out b --sead=7", "--seed"),
    ("demo percepton", "perceptron"), ("demo svm one-outlyer", "one-outlier"), ("demo svm lamb=0.1", "lam"),
    ("demo predict 02-perceptron/mistake", "02-perceptron/mistakes"), ("demo svm --style drak", "dark"),
    ("quux", ""), ("lab --quux", ""), ("demo quux", ""),
])  # fmt: skip
def test_what_is_mistyped_is_told_with_what_was_meant(typed, meant, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(shlex.split(typed))
    said = f"{stopped.value}{capsys.readouterr().err}"
    assert re.findall(r': do you mean "(.*?)"\?$', said, re.MULTILINE) == [meant][: bool(meant)]


@pytest.mark.parametrize("typed", [[], ["demo", "--json"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_whoever_reads_no_further_is_no_fault(typed, unbuffered):
    """As in `coursekit demo | head -1`."""
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run([sys.executable, "-m", "coursekit", *typed], stdout=writes, stderr=subprocess.PIPE,
                          env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    os.close(writes)
    assert (done.returncode, done.stderr) == (141, b"")


def test_completion_offers_the_styles_that_there_are():
    (commands,) = parser()._subparsers._group_actions
    for command in ("lab", "demo", "lecture"):
        (style,) = [one for one in commands.choices[command]._actions if one.dest == "style"]
        assert {*style.choices} == {*ck.plots.STYLES}
    with pytest.raises(ValueError, match=r"style must be one of 'light', .*'dark'; got 'drak': do you mean \"dark\"\?"):
        lab.lab(style="drak")


@pytest.mark.parametrize("start", [["-m", "coursekit"], ["-c", "from coursekit.cli import main; main()"]])
def test_nothing_is_imported_from_where_a_person_stands(start, tmp_path):
    """Where students' files may lie: a PYTHONPATH with an empty entry leads there, and so does python -m."""
    for name in ("argparse", "numpy", "nbformat", "jinja2", "coursekit_grade"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('read')")
    done = subprocess.run([sys.executable, *start, "grade", "nothing", "--out", "out"], cwd=tmp_path, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(["", "."])}, capture_output=True)
    assert "there is no folder or zip" in done.stderr


def test_a_script_reads_what_can_be_shown(capsys):
    main(["demo", "--json"])
    listed = json.loads(capsys.readouterr().out)
    for explorer, shown in listed.items():
        for one in shown:
            assert running.explorer(f"{explorer} {one['name']}") == (explorer, one.get("line", one["name"]))
    assert {*listed} == {*ck.explorers.__all__, "predict"}


def test_an_extension_of_the_site_does_not_trouble_jupyterlab():
    extensions = [{"name": name} for name in ("@jupyterlite/pyodide-kernel-extension", "anywidget")]
    for theirs in ({}, {"buildCheck": False}):
        hook = {"page_config_hook": lambda _handler, page, theirs=theirs: page | theirs} if theirs else {}
        server = SimpleNamespace(web_app=SimpleNamespace(settings=hook))
        lab._without_lite(server)
        shown = server.web_app.settings["page_config_hook"](None, {"federated_extensions": extensions})
        assert shown == {"federated_extensions": extensions[1:]} | theirs


def test_a_dark_lab_has_dark_pictures_and_no_other_lab_is_dark(tmp_path):
    themes = []
    for dark in (True, False):
        file = lab.settings(tmp_path / str(dark), dark) / "overrides.d" / "coursekit.json"
        ours = json.loads(file.read_text("utf-8"))
        themes.append(ours.pop("@jupyterlab/apputils-extension:themes", None))
        assert ours == json.loads(Path(lab.__file__).with_name("lab-settings.json").read_text("utf-8"))
    assert themes == [{"theme": "JupyterLab Dark"}, None]


def test_kernel_messages_leave_at_once(monkeypatch):
    called = []
    monkeypatch.setattr(lab.ZMQChannelsWebsocketConnection, "connect", lambda self: called.append("connect"))
    handler = SimpleNamespace(set_nodelay=lambda on: called.append(("TCP_NODELAY", on)))
    monkeypatch.setattr(lab.PromptConnection, "websocket_handler", handler)
    lab.PromptConnection.__new__(lab.PromptConnection).connect()
    assert called == [("TCP_NODELAY", True), "connect"]
