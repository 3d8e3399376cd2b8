"""A Pyodide distribution, of which the site takes what the course needs."""

import json
import shutil
from pathlib import Path
from typing import Any

from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION, PYODIDE_VERSION

from coursekit_site.folder import digest

# What loads in the browser before a notebook's first cell; each brings what it needs.
LOADED = ("micropip", "matplotlib")
UNUSED = {"pytz"}  # half a megabyte that matplotlib declares and never imports
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


def needed(pyodide: Path) -> dict[str, Any]:
    """The entries of the Pyodide's lock file for LOADED and what they need; each file is checked."""
    wanted = f"pyodide must be the folder of Pyodide {PYODIDE_VERSION} or another for Python {PYODIDE_PYTHON_VERSION}"
    for name in CORE:
        if not (pyodide / name).is_file():
            raise ValueError(f"{wanted}; {pyodide} has no {name}")
    file = pyodide / "pyodide-lock.json"
    try:
        lock = json.loads(file.read_bytes())
        python, packages = lock["info"]["python"], lock["packages"]
        todo, entries = list(LOADED), {}
        while todo:
            name = todo.pop()
            needs = [n for n in packages[name]["depends"] if n not in UNUSED]
            entries[name] = packages[name] | {"depends": needs}
            todo += [n for n in needs if n not in entries]
        hashes = {entry["file_name"]: entry["sha256"] for entry in entries.values()}
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{wanted}; {file} is not its lock file") from None
    if not python.startswith(f"{PYODIDE_PYTHON_VERSION}."):
        raise ValueError(f"{wanted}; {file} is for Python {python}")
    for name, expected in hashes.items():
        if not (pyodide / name).is_file():
            raise ValueError(f"{wanted}; {pyodide} has no {name}")
        if digest(pyodide / name) != expected:
            raise ValueError(f"{wanted}; {pyodide / name} is damaged: its sha256 is not that of pyodide-lock.json")
    return lock | {"packages": entries}


def copy_distribution(pyodide: Path, lock: dict[str, Any], target: Path) -> None:
    """The files of a distribution that the site needs."""
    target.mkdir()
    for name in (*CORE, *(entry["file_name"] for entry in lock["packages"].values())):
        shutil.copyfile(pyodide / name, target / name)
    (target / "pyodide-lock.json").write_text(json.dumps(lock))
