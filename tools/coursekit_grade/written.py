"""checks.json as `coursekit release` writes it: the tasks of one exercise as plain data, read by `checking.checks`."""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from coursekit.checking.checks import VERSION, task_of
from coursekit.checking.task import Expected, Sealed, Sketch, Task

PLAIN = "a number, a text, an array, a list, a tuple or a dict"  # what an argument may be


def dumps(tasks: Sequence[Task]) -> str:
    """The text of checks.json for the tasks of one exercise: a line a task, the same for the same tasks."""
    lines = [json.dumps(_plain(task), ensure_ascii=False, allow_nan=False, separators=(",", ":")) for task in tasks]
    body = ",\n".join(lines) + "\n]}\n"
    return f'{{"version":{VERSION},"released":"{digest(body)}","tasks":[\n{body}'


def again(task: Task) -> Task:
    """A task as it is read from what is written of it."""
    return task_of(json.loads(json.dumps(_plain(task))))


def unchanged(text: str) -> bool:
    """Whether this is what `dumps` once made, and nobody has edited it."""
    head, _, body = text.partition("\n")
    first = re.fullmatch(r'\{"version":\d+,"released":"(\w+)","tasks":\[', head)
    return first is not None and first[1] == digest(body)


def digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def _plain(task: Task) -> dict[str, Any]:
    return {
        "name": task.name, "points": task.points, "arguments": task.arguments, "returns": task.returns,
        "tolerance": task.tolerance, "accuracy": task.accuracy,
        **({"weights": task.weights} if task.weights else {}), **({"parts": task.parts} if task.parts else {}),
        "hints": task.hints,
        "cases": [[_written(a) for a in case] for case in task.cases],
        "right": [[_stored(e) for e in parts] for parts in task.right],
        "mistakes": [{"id": m.id, "sentence": m.sentence, "answers": {
            k: {p: _stored(e, task.right[k][p]) for p, e in parts.items()} for k, parts in m.answers.items()}}
            for m in task.mistakes]}


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


def _stored(value: Expected, right: Expected = None) -> Any:
    """right: what stands beside it, whose shape is not said again."""
    if isinstance(value, Sketch):
        beside = right.shape if isinstance(right, np.ndarray) else ()
        shape = {} if value.shape == beside else {"shape": value.shape}
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
