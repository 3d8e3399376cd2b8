import json
import re
import socket
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler, websocket_connect

from coursekit.checking import student
from coursekit.cli import main
from coursekit.explorers import predict
from coursekit.publish import lab

CHAPTER = "notebooks/02-perceptron.ipynb"


@pytest.fixture
def course(tmp_path):
    """A course of two files, as the wheel carries it."""
    return write(tmp_path / "course", {lab.START: "start 1", CHAPTER: "chapter 1"})


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "mine"


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def files(root):
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in root.rglob("*")
        if path.is_file() and path.name != lab.MANIFEST
    }


def test_first_time_lays_everything_that_belongs_to_the_course(course, folder):
    write(course, {"exercises/02/task.ipynb": "task", "notebooks/.ipynb_checkpoints/a.ipynb": "old", "README.md": "-"})
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 1", CHAPTER: "chapter 1", "exercises/02/task.ipynb": "task"}
    assert set(json.loads((folder / lab.MANIFEST).read_text())) == set(files(folder))


def test_second_time_writes_nothing(course, folder, capsys):
    lab.copy(course, folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    capsys.readouterr()
    lab.copy(course, folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert capsys.readouterr().out == f"The course in {folder}: up to date.\n"


def test_new_versions_update_untouched_files_and_keep_changed_ones(course, folder, capsys):
    lab.copy(course, folder)
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


def test_renamed_or_deleted_file_comes_back_afresh(course, folder):
    lab.copy(course, folder)
    write(folder, {CHAPTER: "my answer"})
    (folder / CHAPTER).rename(folder / "notebooks" / "my-perceptron.ipynb")
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 1", CHAPTER: "chapter 1", "notebooks/my-perceptron.ipynb": "my answer"}


@pytest.mark.parametrize("manifest", [None, "", "{", "[]", '"text"', '{"notebooks/02-perceptron.ipynb": 7}', "\0"])
def test_without_a_readable_manifest_nothing_that_differs_is_touched(course, folder, manifest):
    lab.copy(course, folder)
    write(folder, {CHAPTER: "my answer"})
    (folder / lab.MANIFEST).unlink()
    if manifest is not None:
        write(folder, {lab.MANIFEST: manifest})
    write(course, {lab.START: "start 2", CHAPTER: "chapter 2"})
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 1", CHAPTER: "my answer"}


def test_disk_full_in_the_middle_leaves_whole_files(course, folder, monkeypatch):
    lab.copy(course, folder)
    write(course, {lab.START: "start 2", CHAPTER: "chapter 2"})

    def full(self, data):
        self.write_text("half")
        raise OSError(28, "No space left on device", str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match=r"cannot copy the course into .*: No space left"):
            lab.copy(course, folder)
    assert files(folder)[lab.START] == "start 1"
    lab.copy(course, folder)
    assert files(folder) == {lab.START: "start 2", CHAPTER: "chapter 2"}


def test_folder_where_the_course_cannot_be(course, folder, tmp_path, monkeypatch):
    write(tmp_path, {"taken": "precious"})
    with pytest.raises(OSError, match="taken is a file; name a folder"):
        lab.copy(course, tmp_path / "taken")
    (folder / CHAPTER).mkdir(parents=True)
    for place in (tmp_path / "taken" / "below", folder):
        with pytest.raises(OSError, match="cannot copy the course into"):
            lab.copy(course, place)
    assert (tmp_path / "taken").read_text() == "precious"

    def refuse(self, **_):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(OSError, match=r"cannot copy the course into .*: Permission denied"):
        lab.copy(course, tmp_path / "locked")


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_clone_can_be_pulled_whatever_was_done_in_the_lab(tmp_path, monkeypatch, capsys):
    """Before there was a copy of the course, students worked in the originals: that is kept, too."""
    kept = {f"exercises/{student.PROGRESS}": '{"passed": ["cell"]}', f"notebooks/{predict.KEPT}": "{}"}
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
    assert files(copy) == {lab.START: "start 1", CHAPTER: "chapter 1", "notebooks/ü.ipynb": "mine before",
                           ".gitignore": "*\n", **kept}
    write(copy, {CHAPTER: "mine", f"exercises/{student.PROGRESS}": '{"passed": ["cell", "decision"]}'})
    assert git(clone, "status", "--porcelain", "-z") == " M notebooks/ü.ipynb\0"
    git(clone, "checkout", ".")
    write(upstream, {name: text.replace("1", "2") for name, text in course.items()})
    git(upstream, "commit", "-am", "second")
    git(clone, "pull", "--ff-only")
    monkeypatch.chdir(copy / "notebooks")
    assert lab.course_folder() == copy
    assert files(copy) | kept == {lab.START: "start 2", CHAPTER: "mine", "notebooks/ü.ipynb": "mine before",
                                  ".gitignore": "*\n", **kept}
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


def test_the_installed_course_goes_into_a_folder_and_is_found_again(tmp_path, monkeypatch):
    write(tmp_path / "site-packages" / "coursekit" / "course", {lab.START: "start", CHAPTER: "chapter"})
    monkeypatch.setattr("coursekit.publish.course.PACKAGE", tmp_path / "site-packages" / "coursekit")
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    laid = tmp_path / "home" / "coursekit-course"
    assert lab.course_folder() == laid
    assert set(files(laid)) == {lab.START, CHAPTER}
    monkeypatch.chdir(laid / "notebooks")
    assert lab.course_folder() == laid
    assert lab.course_folder(str(tmp_path / "other")) == tmp_path / "other"


@pytest.mark.parametrize("port", ["0", "-1", "65536", "80.5", "eight", ""])
def test_port_that_is_none(port, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["lab", "--port", port])
    assert stop.value.code == 2
    assert f"must be a whole number from 1 to 65535; got '{port}'" in capsys.readouterr().err


def test_port_that_is_taken(folder):
    with socket.create_server(("localhost", 0)) as taken, pytest.raises(SystemExit) as stop:
        main(["lab", str(folder), "--port", str(taken.getsockname()[1])])
    assert "cannot be used" in stop.value.code
    assert "--port" in stop.value.code
    assert not folder.exists()


def test_errors_are_one_sentence_and_a_status(tmp_path):
    write(tmp_path, {"taken": ""})
    script = "from coursekit.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", script, "lab", str(tmp_path / "taken")], capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 1
    assert ran.stderr == f"coursekit lab: {tmp_path / 'taken'} is a file; name a folder for the course\n"


def test_release_says_what_it_wrote(tmp_path, capsys):
    main(["new-task", "01-means", "mean", "--course", str(tmp_path)])
    capsys.readouterr()
    made = tmp_path / "exercises" / "01-means" / "means.ipynb"
    main(["release", str(tmp_path)])
    assert capsys.readouterr().out == f"Released {made}\nReleased {made.with_name('checks.json')}\n"
    assert "BEGIN SOLUTION" not in made.read_text()
    main(["release", str(tmp_path)])
    assert capsys.readouterr().out == ""
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


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    declared = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]["version"]
    assert capsys.readouterr().out == f"coursekit {declared}\n"


def test_an_extension_of_the_site_does_not_trouble_jupyterlab():
    extensions = [{"name": name} for name in ("@jupyterlite/pyodide-kernel-extension", "anywidget")]
    page = {"federated_extensions": extensions, "appName": "JupyterLab"}
    for before in ({}, {"page_config_hook": lambda _handler, page: page | {"buildCheck": False}}):
        server = SimpleNamespace(web_app=SimpleNamespace(settings=dict(before)))
        lab._load_jupyter_server_extension(server)
        shown = server.web_app.settings["page_config_hook"](None, page)
        theirs = {"buildCheck": False} if before else {}
        assert shown == {"federated_extensions": extensions[1:], "appName": "JupyterLab"} | theirs


def test_kernel_messages_leave_at_once(monkeypatch):
    """TCP_NODELAY on the server's end of a real websocket, before and after the connection is made."""
    monkeypatch.setattr(lab.ZMQChannelsWebsocketConnection, "connect", lambda self: None)
    seen = []

    class Handler(WebSocketHandler):
        def open(self):
            end = self.ws_connection.stream.socket
            seen.append(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            connection = lab.PromptConnection.__new__(lab.PromptConnection)
            monkeypatch.setattr(lab.PromptConnection, "websocket_handler", self)
            connection.connect()
            seen.append(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            self.close()

    async def talk():
        server, (listener, port) = HTTPServer(Application([("/", Handler)])), bind_unused_port()
        server.add_socket(listener)
        client = await websocket_connect(f"ws://127.0.0.1:{port}/")
        await client.read_message()
        server.stop()

    # In a thread of its own: while a browser is open, its event loop runs in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: IOLoop(make_current=False).run_sync(talk)).result()
    assert seen == [0, 1]
