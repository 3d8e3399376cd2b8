"""`coursekit lab`: copy the course into a folder, leave a student's work as it is, open JupyterLab there."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from jupyter_client.session import DELIM
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyterlab.commands import get_app_dir
from jupyterlab.labapp import LabApp

from coursekit.core import validate
from coursekit.core.files import write
from coursekit.core.text import counted
from coursekit_lecture.course import PARTS, START, STYLES, files, free, installed, is_clone, is_course

COPY = "coursekit-course"
MANIFEST = ".coursekit.json"
# While a slider is dragged, browser and kernel share the computer: numpy's small products need no second
# thread, and the browser need not be told the value that it has just sent.
FOR_KERNELS = {"OPENBLAS_NUM_THREADS": "1", "JUPYTER_WIDGETS_ECHO": "0"}


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel connection for dragged sliders: every message at once, and none that only blinks.

    Nagle's algorithm holds a small message back until the one before it is acknowledged, about 40 ms: a dragged slider
    would show half as many frames. And that the kernel is busy would change the page and back for every frame.
    """

    def connect(self) -> Any:
        self.websocket_handler.set_nodelay(True)
        return super().connect()

    def handle_outgoing_message(self, stream: str, outgoing_msg: list[Any]) -> None:
        _signature, header, parent, _, content = outgoing_msg[outgoing_msg.index(DELIM) + 1 :][:5]
        if not (b'"busy"' in content and b'"status"' in header and b'"comm_msg"' in parent):
            super().handle_outgoing_message(stream, outgoing_msg)


def lab(folder: str | None = None, port: int | None = None, browser: bool = True, originals: bool = False,
        style: str = "light") -> None:
    """Open JupyterLab at the start page and stay until it is stopped. folder, originals: of `course_folder`.

    style: of all pictures; with "dark" JupyterLab is dark, too. Raises ValueError or OSError, with a sentence that can
    be shown, where there is no such style or the folder or the port cannot be used.
    """
    validate.one_of("style", style, STYLES)
    if port is not None:
        free(port)
    root = course_folder(folder, originals)
    start = START if (root / START).is_file() else next(name for name in files(root) if name.endswith(".ipynb"))
    os.environ.update(FOR_KERNELS | os.environ | {"COURSEKIT_STYLE": style})
    print(f"Opening {root / start} in JupyterLab. Ctrl+C here stops it.", flush=True)
    with TemporaryDirectory(prefix="coursekit-lab-") as beside:
        server = LabApp.initialize_server(
            argv=[
                f"--ServerApp.root_dir={root}",
                f"--LabApp.default_url=/lab/tree/{quote(start)}",
                f"--LabApp.app_settings_dir={settings(Path(beside), style == 'dark')}",
                f"--ServerApp.kernel_websocket_connection_class={__name__}.{PromptConnection.__name__}",
                f"--ServerApp.open_browser={browser}",
                "--Application.log_level=WARN",
                "--ServerApp.answer_yes=True",
                *([f"--ServerApp.port={port}"] if port is not None else []),
                # Inside a container everybody is root, and Jupyter would refuse to start.
                *(["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            ]
        )
        _without_lite(server)
        server.start()


def settings(folder: Path, dark: bool = False) -> Path:
    """JupyterLab's settings with ours, lab-settings.json, in `folder`, for this server alone.

    Ours: no news; widgets' messages on the kernel's main thread; nothing that blinks busy and idle with each frame of a
    dragged slider, which costs the browser a tenth of its time.
    """
    own = Path(get_app_dir())
    for name in ("settings", "static/package.json"):  # the second tells JupyterLab of its extensions
        if (source := own / name).is_dir():
            shutil.copytree(source, folder / name)
        elif source.is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / name)
    (overrides := folder / "settings" / "overrides.d").mkdir(parents=True, exist_ok=True)
    ours = json.loads(Path(__file__).with_name("lab-settings.json").read_text("utf-8"))
    theme = {"@jupyterlab/apputils-extension:themes": {"theme": "JupyterLab Dark"}} if dark else {}
    (overrides / "coursekit.json").write_text(json.dumps(ours | theme), "utf-8")
    return folder / "settings"


def _without_lite(server: Any) -> None:
    """Leave JupyterLite's own extensions out of every page.

    The extra `site` brings one. JupyterLab finds it, lacks what it needs, and says so in the browser's console,
    even where the extension is disabled.
    """
    kept = server.web_app.settings
    before = kept.get("page_config_hook") or (lambda _handler, page: page)

    def without_lite(handler: Any, page: dict[str, Any]) -> dict[str, Any]:
        page = before(handler, page)
        extensions = page.get("federated_extensions", [])
        return page | {"federated_extensions": [e for e in extensions if not e["name"].startswith("@jupyterlite/")]}

    kept["page_config_hook"] = without_lite


def course_folder(folder: str | None = None, originals: bool = False) -> Path:
    """The folder to open, with the course in it, up to date.

    It is a copy of the course: `folder`; without one that around the current folder, or a new ./coursekit-course.
    Where a course is kept, in a clone or one's own, the copy lies in its coursekit-course, which git does not see: the
    originals stay as they are, and updates can always be pulled. originals: they themselves, to be edited.
    """
    if folder is None:
        here = Path.cwd()
        near = (p for p in (here, *here.parents) if (p / MANIFEST).is_file() or is_course(p))
        root = next(near, None) or (installed() if is_clone(installed()) else here / COPY)
    else:
        root = Path(os.path.expanduser(folder)).resolve()  # a ~name without a home is a folder's name
    kept = is_course(root) and not (root / MANIFEST).is_file()
    if originals:
        if not kept:
            raise OSError(f"--originals must be said where a course is kept, such as a clone; {root} is none")
        print(f"Using the originals in {root}.")
        return root
    course = root if kept else root.parent if root.name == COPY and is_course(root.parent) else installed()
    root = root / COPY if kept else root
    copy(course, root)
    return root


def copy(course: Path, folder: Path) -> None:
    """Copy the notebooks and exercises of `course` into `folder`, and print what was done.

    A file is written where there is none, or where it is still byte for byte the one that was copied
    before (the manifest remembers its hash). Anything else is a student's and stays as it is; so is what was changed in
    a clone, and what is kept there about a student.
    """
    if not any(name.endswith(".ipynb") for name in files(course)):
        raise OSError(f"there is no notebook to open in {course}; `coursekit release` makes exercises from solutions")
    if folder.exists() and not folder.is_dir():
        raise OSError(f"{folder} is a file; name a folder for the course")
    before = _manifest(folder)
    now, written = dict(before), 0
    theirs = _changed(course) if is_clone(course) else set()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.parent == course and not (folder / ".gitignore").exists():
            write(folder / ".gitignore", b"*\n")
        for name in files(course):
            content, target = (course / name).read_bytes(), folder / name
            new = hashlib.sha256(content).hexdigest()
            old = hashlib.sha256(target.read_bytes()).hexdigest() if target.exists() else None
            if old in (None, before.get(name)) and old != new:
                target.parent.mkdir(parents=True, exist_ok=True)
                write(target, content)
                written += 1
            elif old != new:
                if new != before.get(name):
                    print(f"Kept your {name}; to get the course's present version too, rename yours.")
                continue
            if name not in theirs:
                now[name] = new
        for path in (path for part in PARTS for path in (course / part).glob(".coursekit-*.json")):
            if not (target := folder / path.relative_to(course)).exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                write(target, path.read_bytes())
        if now != before:
            write(folder / MANIFEST, json.dumps(now, indent=1, sort_keys=True).encode())
    except OSError as error:
        raise OSError(f"cannot copy the course into {folder}: {error.strerror} ({error.filename})") from None
    done = f"{counted(written, 'file')} copied" if written else "up to date"
    print(f"The course in {folder}: {done}.")


def _changed(clone: Path) -> set[str]:
    """The files of a clone that are not as git has them, as where a student has worked in the originals."""
    try:
        command = ["git", "diff", "--name-only", "--relative", "-z", "HEAD"]
        said = subprocess.run(command, cwd=clone, capture_output=True, text=True).stdout
    except OSError:
        return set()
    return set(said.split("\0"))


def _manifest(folder: Path) -> dict[str, str]:
    """The hash of each file that was copied; empty where the manifest is lost or damaged, so that all is kept."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
