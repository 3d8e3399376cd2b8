"""What keys do while the picture has the focus: each action is told how often its key was pressed in a row."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import groupby

Action = Callable[[int], object]
STRIDE = 0.1  # how far an arrow key moves an example
ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowDown": (0, -1), "ArrowUp": (0, 1)}


def arrows(push: Callable[[float, float], object]) -> dict[str, Action]:
    """What the arrow keys do: `push(to the right, up)`, a `STRIDE` for each press and five with Shift."""
    strides = {"": STRIDE, "Shift+": 5 * STRIDE}
    return {key + name: partial(lambda x, y, times: push(times * x, times * y), x * far, y * far)
            for key, far in strides.items() for name, (x, y) in ARROWS.items()}


def repeated(action: Callable[[], object]) -> Action:
    """What a key does that was pressed several times."""
    return lambda times: [action() for _ in range(times)]


def press(names: Iterable[str], keys: Mapping[str, Action]) -> None:
    """Keys held down come several at a time: one action, and so one picture, for each run of the same key."""
    for name, presses in groupby(names):
        keys[name](len(list(presses)))
