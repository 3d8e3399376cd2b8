"""checks.json, which `coursekit release` writes beside an exercise: its tasks as plain data, without any code."""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.checking.task import Expected, Mistake, Sealed, Sketch, Task

FILE = "checks.json"
VERSION = 2
PLAIN = "a number, a text, an array, a list, a tuple or a dict"  # what an argument may be
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
    for file in _files():
        if json.dumps(name) in _text(file) and (task := read(file).get(name)):
            return task
    return None


def known() -> dict[str, dict[str, Task]]:
    """All tasks by assignment: of the course around the current folder, else of the installed one."""
    around = exercises()
    files = sorted(around.glob(f"*/{FILE}")) if around else _installed()
    return {file.parent.name: read(file) for file in files}


def _files() -> list[Path]:
    around = exercises()
    beside = Path.cwd() / FILE
    return [*[beside] * beside.exists(), *(sorted(around.glob(f"*/{FILE}")) if around else ()), *_installed()]


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
        raise ValueError(
            f"{file}, line 1: this is version {version}, this coursekit reads version {VERSION}: {again}, "
            "or install the coursekit that it was made with"
        )
    return tasks


def _complete(stored: dict[str, Any], text: str) -> Task:
    try:
        return _task(stored)
    except KeyError as error:
        at = re.search(rf'"name":\s*"{re.escape(stored["name"])}"', text)
        line = text.count("\n", 0, at.start() if at else 0) + 1
        raise ValueError(f"the task {stored['name']}, line {line}, has no {error}") from None


def _task(stored: dict[str, Any]) -> Task:
    name = stored["name"]
    right = tuple(tuple(_expected(e, f"{name} {p}") for p, e in enumerate(parts)) for parts in stored["right"])
    mistakes = tuple(
        Mistake(m["id"], m["sentence"], {
            int(k): {int(p): _expected(e, f"{name} {p}", right[int(k)][int(p)]) for p, e in parts.items()}
            for k, parts in m["answers"].items()
        })
        for m in stored["mistakes"]
    )
    return Task(
        name, tuple(stored["arguments"]), stored["points"], tuple(stored["returns"]),
        tuple(tuple(map(_argument, case)) for case in stored["cases"]), right, mistakes, tuple(stored["hints"]),
        stored["tolerance"], stored["accuracy"], stored.get("weights"), tuple(stored.get("parts", ())),
    )


def dumps(tasks: Sequence[Task]) -> str:
    """The text of checks.json for the tasks of one exercise: a line a task, the same for the same tasks."""
    lines = [json.dumps(_plain(task), ensure_ascii=False, allow_nan=False, separators=(",", ":")) for task in tasks]
    body = ",\n".join(lines) + "\n]}\n"
    return _head(body) + body


def again(task: Task) -> Task:
    """A task as it is read from what is written of it."""
    return _task(json.loads(json.dumps(_plain(task))))


def _head(body: str) -> str:
    return f'{{"version":{VERSION},"released":"{_digest(body)}","tasks":[\n'


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def unchanged(text: str) -> bool:
    """Whether this is what `dumps` once made, and nobody has edited it."""
    head, _, body = text.partition("\n")
    first = re.fullmatch(r'\{"version":\d+,"released":"(\w+)","tasks":\[', head)
    return first is not None and first[1] == _digest(body)


def _plain(task: Task) -> dict[str, Any]:
    return {
        "name": task.name, "points": task.points, "arguments": task.arguments, "returns": task.returns,
        "tolerance": task.tolerance, "accuracy": task.accuracy,
        **({"weights": task.weights} if task.weights else {}), **({"parts": task.parts} if task.parts else {}),
        "hints": task.hints,
        "cases": [[_written(a) for a in case] for case in task.cases],
        "right": [[_stored(e) for e in parts] for parts in task.right],
        "mistakes": [
            {"id": m.id, "sentence": m.sentence, "answers": {
                k: {p: _stored(e, task.right[k][p]) for p, e in parts.items()} for k, parts in m.answers.items()}}
            for m in task.mistakes
        ],
    }


def _written(value: Any) -> Any:
    """An argument: an array of floats as a list, others with their type, a list or tuple by its name.

    A whole float is a text: whoever reads JSON in JavaScript and writes it again makes 2 of 2.0.
    """
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        if value.size and value.dtype == np.float64:
            return _strict(value.tolist())
        return {"array": [value.dtype.str, value.shape, _strict(value.ravel().tolist())]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [_written(v) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[_written(key), _written(v)] for key, v in value.items()]}
    if isinstance(value, float) and (not math.isfinite(value) or value == int(value)):
        return {"float": str(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError(f"an argument must be {PLAIN}; got {type(value).__name__}")


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


def _shape(right: Expected) -> tuple[int, ...]:
    return right.shape if isinstance(right, np.ndarray) else ()


def _stored(value: Expected, right: Expected = None) -> Any:
    """right: what stands beside it, whose shape is not said again."""
    if isinstance(value, Sketch):
        shape = {} if value.shape == _shape(right) else {"shape": value.shape}
        return {**shape, "sum": _short(value.sum)}
    if isinstance(value, Sealed):
        return {"shape": value.shape, "hashes": value.hashes}
    if isinstance(value, np.ndarray):
        return _strict(value.tolist()) if value.size else {"shape": value.shape}
    return _short(value) if isinstance(value, float) else value


def _short(value: float) -> float | int | str:
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == value // 1 and abs(value) < 1e15 else value


def _strict(value: Any) -> Any:
    """JSON has no infinity and no NaN, and a browser refuses a file with them: there they are texts. 2.0 becomes 2."""
    if isinstance(value, list):
        return [_strict(v) for v in value]
    return _short(value) if isinstance(value, float) and str(value) != "-0.0" else value


def _expected(value: Any, salt: str, right: Expected = None) -> Expected:
    match value:
        case list():
            return np.array(value, dtype=np.float64)
        case {"sum": total}:
            return Sketch(tuple(value.get("shape", _shape(right))), float(total))
        case {"shape": shape, "hashes": hashes}:
            return Sealed(tuple(shape), tuple(hashes), salt)
        case {"shape": shape}:
            return np.empty(tuple(shape))
    return float(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else value
