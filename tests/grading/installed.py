"""coursekit as people have it: from a clone or from a wheel, where it grades in an interpreter of its own."""

import os
import pickle
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

from coursekit.grading import mark, sandbox

ROOT = Path(__file__).parents[2]
NEEDED = (*sandbox.LIBRARIES, "nbformat", "jinja2", "tqdm")
LIMITS = ("CELL_SECONDS", "TASK_SECONDS", "WAIT_SECONDS", "SUBMISSION_SECONDS")
SERVER = """
import os, pickle, sys
from coursekit.grading import mark, sandbox
out, own = os.fdopen(os.dup(1), "wb"), sandbox._environment
os.dup2(2, 1)
answer = str(sandbox.PACKAGE)
while True:
    pickle.dump(answer, out)
    out.flush()
    try:
        folder, environment, limits, arguments, options = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    os.chdir(folder)
    sandbox._environment = lambda home: {**own(home), **environment}
    vars(mark).update(limits)
    answer = mark.grade_notebook(*arguments, **options)
"""


def wheel(folder):
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True,
                   capture_output=True)
    return next(folder.glob("*.whl"))


class Installed:
    """coursekit and the packages it needs. kind: "clone", "wheel in a virtual environment" or "wheel of a user"."""

    def __init__(self, kind, folder):
        self.python, self.environment = sys.executable, {**os.environ, "PYTHONPATH": str(ROOT)}
        self.site, self.folder = ROOT, folder
        if kind != "clone":
            self.environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
            self.environment["PYTHONUSERBASE"] = str(folder / "home")
            self.python = os.path.realpath(sys.executable)
            if "virtual" in kind:
                subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "home"], check=True)
                assert os.readlink(folder / "home" / "lib64") == "lib" or sys.maxsize < 2**32
                self.python = str(folder / "home" / "bin" / "python")
            version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
            self.site = folder / "home" / "lib" / version / "site-packages"
            self.site.mkdir(parents=True, exist_ok=True)
            for path in map(Path, sandbox._packages(NEEDED)[0]):
                if path.is_dir():
                    shutil.copytree(path, self.site / path.name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
                else:
                    shutil.copy(path, self.site)
            self.wheel = wheel(folder)
            with zipfile.ZipFile(self.wheel) as packed:
                packed.extractall(self.site)
        self.package = self.site / "coursekit"
        self._own, self._servers = threading.local(), []

    def _server(self):
        """One for each thread that grades."""
        if not hasattr(self._own, "server"):
            server = subprocess.Popen([self.python, "-P", "-c", SERVER], env=self.environment, cwd=self.folder,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._own.server = server
            self._servers.append(server)
            assert Path(pickle.load(server.stdout)) == self.package
        return self._own.server

    def grade_notebook(self, *arguments, **options):
        """With the limits and the environment of this process."""
        stamp = {name: value for name, value in sandbox._environment("").items() if name == "STAMP"}
        limits = {name: getattr(mark, name) for name in LIMITS}
        server = self._server()
        pickle.dump((os.getcwd(), stamp, limits, arguments, options), server.stdin)
        server.stdin.flush()
        return pickle.load(server.stdout)

    def close(self):
        for server in self._servers:
            server.communicate()
