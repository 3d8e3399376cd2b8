"""coursekit as people have it from a wheel, in an interpreter that has no clone."""

import os
import shutil
import subprocess
import sys
import zipfile

from coursekit.grading import sandbox
from tests.grading.shared import ROOT

NEEDED = (*sandbox.LIBRARIES, "nbformat", "jinja2", "tqdm")


def wheel(folder):
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True,
                   capture_output=True)
    return next(folder.glob("*.whl"))


class Installed:
    """coursekit and the packages it needs. kind: "virtual environment" or "user"."""

    def __init__(self, kind, folder):
        self.environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self.environment["PYTHONUSERBASE"] = str(folder / "home")
        self.python = os.path.realpath(sys.executable)
        if kind == "virtual environment":
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "home"], check=True)
            self.python = str(folder / "home" / "bin" / "python")
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        self.site = folder / "home" / "lib" / version / "site-packages"
        self.site.mkdir(parents=True, exist_ok=True)
        for path in sandbox._packages(NEEDED)[0]:
            if os.path.isdir(path):
                ignored = shutil.ignore_patterns("__pycache__", "tests")
                shutil.copytree(path, self.site / os.path.basename(path), ignore=ignored)
            else:
                shutil.copy(path, self.site)
        self.wheel = wheel(folder)
        with zipfile.ZipFile(self.wheel) as packed:
            packed.extractall(self.site)
