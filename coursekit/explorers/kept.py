"""The answers to predictions, in a file beside the notebook."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from coursekit.core.files import write
from coursekit.explorers.question import Answer

KEPT = ".coursekit-predictions.json"


def keep(answers: dict[str, Answer | None]) -> None:
    """Put answers into the file beside the notebook; None takes one out.

    A folder that cannot be written to is no error. A file that cannot be read is put aside, never overwritten.
    """
    file = Path(KEPT).absolute()
    with suppress(OSError):
        if file.exists() and kept() == {} and file.read_bytes().strip() not in (b"", b"{}"):
            file.rename(next(p for n in range(1, 1000) if not (p := file.with_name(f"{file.name}.{n}")).exists()))
        now = {name: answer for name, answer in (kept() | answers).items() if answer is not None}
        write(file, json.dumps(now, indent=1, ensure_ascii=False).encode())


def kept() -> dict[str, Any]:
    """The answers in the file; none where there is no file that can be read."""
    try:
        found = json.loads(Path(KEPT).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
