"""Arguments and answers as JSON: plain data, so that nothing a submission returns is ever run by who reads it.

Numbers, texts, None, lists, tuples and dicts with texts or numbers for keys come back as they were, numpy arrays and
scalars with their dtype. Everything else comes back as `Other`, which knows its text alone: it is equal to nothing and
is not a number.
"""

import base64
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

DTYPES = {np.dtype(kind).str for kind in ("?", *"bhilqBHILQ", *"efd", *"FD")}
DEPTH = 12
SIZE = 100_000  # numbers in one answer, and in all answers of a task together
KEYS = (str, int, float)  # of dicts
LARGEST = 10**300  # of integers: as a float each is finite


class _Room:
    """How many more numbers, lists and other parts there may be."""

    def __init__(self) -> None:
        self.left = SIZE

    def take(self, parts: int) -> None:
        self.left -= parts
        if self.left < 0:
            raise ValueError(f"more than {SIZE} numbers")


class Other:
    """Something that is not plain data, as its text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def encode(value: Any, depth: int = DEPTH, room: _Room | None = None) -> Any:
    """`value` in terms of JSON. ValueError where it is too large or nested too deep.

    >>> decode(encode((1.5, [True, None], np.arange(3), {1})))
    (1.5, [True, None], array([0, 1, 2]), {1})
    """
    room = room or _Room()
    if not depth:
        raise ValueError(f"nested more than {DEPTH} deep")
    if isinstance(value, (np.ndarray, np.generic)):
        return _array(np.asarray(value), depth, room)
    if isinstance(value, (list, tuple)):
        room.take(1 + len(value))
        return {"tuple" if isinstance(value, tuple) else "list": [encode(v, depth - 1, room) for v in value]}
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) < LARGEST else {"other": "an integer of more than 300 digits"}
    if isinstance(value, str):
        room.take(1 + len(value))
        return {"text": str(value)}
    if isinstance(value, dict) and all(isinstance(key, KEYS) for key in value):
        room.take(1 + len(value))
        return {"dict": [[encode(part, depth - 1, room) for part in pair] for pair in value.items()]}
    if not isinstance(value, (bytes, dict, set)):
        try:  # a fraction, a series, a range: what numpy takes for numbers
            array = np.asarray(value)
            return _array(array if array.dtype.kind == "c" else array.astype(np.float64), depth, room)
        except Exception:  # of a class of the student's, it may be any
            pass
    try:
        return {"other": repr(value)[:200]}
    except Exception:
        return {"other": f"a {type(value).__name__}"}


def decode(value: Any, depth: int = DEPTH, room: _Room | None = None) -> Any:
    """What `encode` was given. ValueError for anything that `encode` does not make."""
    room = room or _Room()
    if not depth:
        raise ValueError(f"nested more than {DEPTH} deep")
    if value is None or isinstance(value, (bool, float)) or (isinstance(value, int) and abs(value) < LARGEST):
        return value
    kind, body = next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else (None, None)
    if kind in ("list", "tuple") and isinstance(body, list):
        room.take(1 + len(body))
        parts = [decode(v, depth - 1, room) for v in body]
        return parts if kind == "list" else tuple(parts)
    if kind == "text" and isinstance(body, str):
        room.take(1 + len(body))
        return body
    if kind == "dict" and isinstance(body, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in body):
        room.take(1 + len(body))
        pairs = [[decode(part, depth - 1, room) for part in pair] for pair in body]
        if all(isinstance(key, KEYS) for key, _ in pairs):
            return dict(pairs)
    if kind == "other" and isinstance(body, str) and len(body) <= 200:
        return Other(body)
    if kind == "array" and isinstance(body, list) and list(map(type, body)) == [str, list, str]:
        dtype, shape, data = body
        if dtype not in DTYPES or len(shape) > DEPTH or not all(type(n) is int and 0 <= n <= SIZE for n in shape):
            raise ValueError(f"not an array: {dtype[:20]}, {str(shape)[:100]}")
        room.take(_lists(shape))
        try:
            raw = base64.b64decode(data, validate=True)
        except ValueError as error:
            raise ValueError(f"not an array: {error}") from None
        if len(raw) != math.prod(shape) * np.dtype(dtype).itemsize:
            raise ValueError(f"{len(raw)} bytes for an array of shape {shape}")
        return np.frombuffer(raw, dtype).reshape(shape).copy()[()]
    raise ValueError(f"not plain data: {str(value)[:100]}")


def decode_all(values: list[Any]) -> list[Any]:
    """The answers of one task, which together have no more room than one."""
    room = _Room()
    return [decode(value, DEPTH, room) for value in values]


def _array(array: np.ndarray[Any, Any], depth: int, room: _Room) -> Any:
    if array.dtype == object:
        return encode(array.tolist(), depth - 1, room)
    room.take(_lists(array.shape))
    if array.dtype.kind in "biufc":
        wide = {"f": np.float64, "c": np.complex128}.get(array.dtype.kind)
        array = array.astype(wide if array.dtype.str[1:] in ("f16", "c32") else array.dtype.newbyteorder("="))
    if array.dtype.str in DTYPES:
        return {"array": [array.dtype.str, list(array.shape), base64.b64encode(array.tobytes()).decode()]}
    return {"other": repr(array)[:200]}


def _lists(shape: Sequence[int]) -> int:
    """How many numbers, or lists without one: shape (10**6, 10**6, 0) would fill the memory as lists."""
    return math.prod(max(n, 1) for n in shape)
