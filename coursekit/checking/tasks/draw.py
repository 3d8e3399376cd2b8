"""What the tasks of several chapters share: random data, and mistakes that change one part of the answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from coursekit.checking.tasks.judge import Mistake
from coursekit.core.validate import Floats


def quarters(rng: np.random.Generator, *shape: int) -> Floats:
    """Multiples of 1/4 from -2 to 2: their sums and products are exact, in whatever order they are taken."""
    return rng.integers(-8, 9, shape) / 4


def labels(rng: np.random.Generator, n: int) -> Floats:
    """n >= 2 labels, both classes among them."""
    return rng.permutation(np.append(rng.choice([-1.0, 1.0], n - 2), [-1.0, 1.0]))


def variations(answer: Callable[..., Any], *changes: tuple[dict[str, Any], str]) -> tuple[Mistake, ...]:
    """A mistake for each (parts of `answer` that are got wrong, sentence)."""
    return tuple(Mistake(partial(answer, **wrong), sentence) for wrong, sentence in changes)
