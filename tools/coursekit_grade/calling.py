"""Call a student's function for the cases of a task: within a submission's process, in a fork of its own."""

from __future__ import annotations

import io
import re
import sys
from typing import Any

from coursekit.checking import call, wire
from coursekit.checking.signature import Signature
from coursekit.core.text import said
from coursekit_grade.kernel import Kernel
from coursekit_grade.protocol import Kind, Outcome


class Nowhere(io.TextIOBase):
    """Takes what is printed. It is no file: a cell may have opened as many as there can be."""

    def write(self, text: str) -> int:
        return len(text)


def answers(name: str, task: dict[str, Any], kernel: Kernel) -> tuple[Any, ...]:
    """The message with what the student's function returns, or with the reason why it returns nothing."""
    sys.stdout = sys.stderr = Nowhere()  # a thread of a cell may have held the old one's lock
    if name not in kernel.space:
        return _missing(name, kernel)
    signature = Signature(name, tuple(task["arguments"]))
    try:
        cases = [tuple(map(wire.decode, case)) for case in task["cases"]]
        returned = call.run(signature, kernel.space[name], cases, graded=True)
        return Kind.ANSWERS, [wire.encode(answer) for answer in returned]
    except call.NotYet as problem:
        if why := kernel.lack(problem.error):
            return Kind.LACKS, why
        return Kind.REFUSED, str(problem), problem.outcome
    except BaseException as error:
        return Kind.REFUSED, f"What {name} returns cannot be read: {said(error)}.", Outcome.OTHER


def _missing(name: str, kernel: Kernel) -> tuple[Any, ...]:
    """Why there is no such function."""
    if name in kernel.lacking:
        return Kind.LACKS, kernel.lacking[name]
    defines = re.compile(rf"\b(def|class)\s+{name}\b|^{name}\s*[:=]", re.M)
    for source, wrong, unread in kernel.failed:
        if defines.search(source):
            why = (f"The cell with {name} cannot be read: {wrong}." if unread else
                   f"There is no {name} in the notebook, as its cell failed: {wrong}.")
            return Kind.REFUSED, why, Outcome.ERROR
    return (Kind.REFUSED, f"There is no {name} in the notebook when its check is reached from the top.",
            Outcome.UNWRITTEN)
