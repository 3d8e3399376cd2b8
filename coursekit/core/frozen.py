"""Values that stay as they were made: data, objectives and results can be kept, compared and shared."""

import sys
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit.core.keywords import explained


@dataclass(frozen=True, eq=False)
class Frozen:
    """Base of a dataclass whose arrays are read-only copies of what it was given.

    Two of them are equal where all their fields are, arrays entry by entry. They can be keys of a dict,
    survive `dataclasses.replace` and pickling, and come out of both as read-only as before.

    >>> @dataclass(frozen=True, eq=False)
    ... class Line(Frozen):
    ...     w: NDArray[np.float64]
    >>> given = np.ones(2)
    >>> line = Line(given)
    >>> given *= 5
    >>> line == Line(np.ones(2)), line.w.flags.writeable
    (True, False)
    """

    def __init_subclass__(cls) -> None:
        explained(cls)

    def __post_init__(self) -> None:
        vars(self).update({name: _kept(value) for name, value in vars(self).items()})

    def __getstate__(self) -> dict[str, Any]:  # without what is only cached
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        Frozen.__post_init__(self)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and same(self.__getstate__(), other.__getstate__()))

    def __hash__(self) -> int:
        return hash((type(self), *map(_key, self.__getstate__().values())))


@dataclass(frozen=True, eq=False, repr=False)
class Named(Frozen):
    """What has a name in its module, as losses.hinge, or is called by how it was made, as steps.constant(0.1).

    made: by which function, and from what. Those made alike are equal.
    """

    name: str
    made: tuple[Any, ...] = field(default=(), kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        return {"made": self.made} if self.made else super().__getstate__()

    def __reduce_ex__(self, protocol: Any) -> Any:  # those of the course are pickled by their names
        if vars(sys.modules[type(self).__module__]).get(self.name) is self:
            return self.name
        return (self.made[0], self.made[1:]) if self.made else super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        return f"{type(self).__module__.rpartition('.')[2]}.{self.name}"


def sealed(array: NDArray[Any]) -> NDArray[Any]:
    """An array that its maker is done with, read-only from now on without a copy."""
    array.flags.writeable = False
    return array[...]  # numpy lets nobody make a view of a read-only array writeable


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal part by part, where they may hold arrays; NaN is equal to NaN.

    >>> same([1.0, {"a": np.array([np.nan])}], [1.0, {"a": np.array([np.nan])}]), same([1, [2]], [1, (2,)])
    (True, False)
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if type(a) is not type(b) or (a.dtype, a.shape) != (b.dtype, b.shape):
            return False
        return same(a.tolist(), b.tolist()) if a.dtype == object else bool(((a == b) | ((a != a) & (b != b))).all())
    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    return bool(a == b or (a != a and b != b))


def _kept(value: Any) -> Any:
    """An array as a read-only copy, or itself where neither it nor what it is a view of can be written to."""
    if not isinstance(value, np.ndarray):
        return tuple(map(_kept, value)) if type(value) is tuple else value
    owner = value if value.base is None else value.base
    if value.flags.writeable or not isinstance(owner, np.ndarray) or not owner.flags.owndata or owner.flags.writeable:
        return sealed(np.array(value))
    return value


def _key(value: Any) -> Any:
    """What equal values have in common, quickly: of an array its shape and a few of its entries."""
    if isinstance(value, np.ndarray):
        return value.shape, tuple(value.flat[:: 1 + value.size // 8].tolist())
    return tuple(map(_key, value)) if isinstance(value, tuple) else value
