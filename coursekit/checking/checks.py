"""checks.json, which `coursekit release` writes beside an exercise: its tasks as plain data, without any code."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.checking.task import Expected, Mistake, Sealed, Sketch, Task

FILE = "checks.json"
VERSION = 2
PACKAGE = Path(__file__).parents[1]


def exercises() -> Path | None:
    """The folder of the exercises around the current folder: None where there is none."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / FILE).exists():
            return folder.parent
        if next((folder / "exercises").glob(f"*/{FILE}"), None):
            return folder / "exercises"
    return None


def find(name: str) -> Task | None:
    """The task of this name: beside the notebook, else in the course around it, else in the installed one."""
    around, beside = exercises(), Path.cwd() / FILE
    for file in (*[beside] * beside.exists(), *(sorted(around.glob(f"*/{FILE}")) if around else ()), *_installed()):
        if json.dumps(name) in _text(file) and (task := read(file).get(name)):
            return task
    return None


def known() -> dict[str, dict[str, Task]]:
    """All tasks by assignment: of the course around the current folder, else of the installed one."""
    around = exercises()
    files = sorted(around.glob(f"*/{FILE}")) if around else _installed()
    return {file.parent.name: read(file) for file in files}


def _installed() -> list[Path]:
    roots = (PACKAGE / "course", PACKAGE.parent)
    return next((files for root in roots if (files := sorted((root / "exercises").glob(f"*/{FILE}")))), [])


def read(file: Path) -> dict[str, Task]:
    """The tasks in a checks.json. ValueError, which names the file, if it is not one of this version."""
    return _read(file, _text(file))


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None


@lru_cache(maxsize=32)
def _read(file: Path, text: str) -> dict[str, Task]:
    again = "get the exercise's folder again, or run coursekit release where its solutions are"
    try:
        stored = json.loads(text)
        version = stored["version"]
        tasks = {task["name"]: _complete(task, text) for task in stored["tasks"]} if version == VERSION else {}
    except json.JSONDecodeError as error:
        raise ValueError(f"{file}, line {error.lineno}: {error.msg}; {again}") from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else error
        raise ValueError(f"{file} is not what coursekit release writes: {what}; {again}") from None
    if version != VERSION:
        raise ValueError(f"{file}, line 1: this is version {version}, this coursekit reads version {VERSION}: {again}, "
                         "or install the coursekit that it was made with")
    return tasks


def _complete(stored: dict[str, Any], text: str) -> Task:
    try:
        return task_of(stored)
    except KeyError as error:
        at = re.search(rf'"name":\s*"{re.escape(stored["name"])}"', text)
        line = text.count("\n", 0, at.start() if at else 0) + 1
        raise ValueError(f"the task {stored['name']}, line {line}, has no {error}") from None


def task_of(stored: dict[str, Any]) -> Task:
    """One task from what is stored of it."""
    name = stored["name"]
    right = tuple(tuple(_expected(e, f"{name} {p}") for p, e in enumerate(parts)) for parts in stored["right"])

    def answers(cases: Any) -> dict[int, dict[int, Expected]]:
        return {int(k): {int(p): _expected(e, f"{name} {p}", right[int(k)][int(p)]) for p, e in parts.items()}
                for k, parts in cases.items()}

    mistakes = tuple(Mistake(m["id"], m["sentence"], answers(m["answers"])) for m in stored["mistakes"])
    return Task(name, tuple(stored["arguments"]), stored["points"], tuple(stored["returns"]),
                tuple(tuple(map(_argument, case)) for case in stored["cases"]), right, mistakes, tuple(stored["hints"]),
                stored["tolerance"], stored["accuracy"], stored.get("weights"), tuple(stored.get("parts", ())))


def _argument(value: Any) -> Any:
    match value:
        case list():
            return np.array(value, np.float64)
        case {"array": [dtype, shape, flat]}:
            return np.array(flat, dtype).reshape(shape)
        case {"float": text}:
            return float(text)
        case {"list": parts}:
            return [_argument(v) for v in parts]
        case {"tuple": parts}:
            return tuple(_argument(v) for v in parts)
        case {"dict": pairs}:
            return {_argument(key): _argument(v) for key, v in pairs}
    return value


def _expected(value: Any, salt: str, right: Expected = None) -> Expected:
    match value:
        case list():
            return np.array(value, dtype=np.float64)
        case {"sum": total}:
            return Sketch(tuple(value.get("shape", right.shape if isinstance(right, np.ndarray) else ())), float(total))
        case {"shape": shape, "hashes": hashes}:
            return Sealed(tuple(shape), tuple(hashes), salt)
        case {"shape": shape}:
            return np.empty(tuple(shape))
    return float(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else value
