"""coursekit as people have it from a wheel, in interpreters that have no clone."""

import os
import shutil
import subprocess
import sys
import zipfile

from coursekit_grade import sandbox
from tests.grading.shared import ROOT

NEEDED = (*sandbox.LIBRARIES, "nbformat", "jinja2", "tqdm")


def wheel(folder):
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True,
                   capture_output=True)
    return next(folder.glob("*.whl"))


class Installed:
    """coursekit and the packages it needs: in a virtual environment, which is a user's own packages, too."""

    def __init__(self, folder):
        self.environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self.environment["PYTHONUSERBASE"] = str(folder / "home")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "home"], check=True)
        self.pythons = {"virtual environment": folder / "home" / "bin" / "python",
                        "user": os.path.realpath(sys.executable)}
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        self.site = folder / "home" / "lib" / version / "site-packages"
        for path in sandbox.packages_of(NEEDED)[0]:
            if os.path.isdir(path):
                ignored = shutil.ignore_patterns("__pycache__", "tests")
                shutil.copytree(path, self.site / os.path.basename(path), ignore=ignored)
            else:
                shutil.copy(path, self.site)
        self.wheel = wheel(folder)
        with zipfile.ZipFile(self.wheel) as packed:
            packed.extractall(self.site)
