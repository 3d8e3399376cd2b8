"""What the grader and a submission's process say to each other, and how far the process may go: both import this.

The grader writes one line of JSON, an Order, and after it the notebook as it was handed in. The process writes one line
of JSON a message, a list of its Kind and what belongs to it, in this order:

    unreadable reason            nothing else: it is no notebook
    for each cell
        cell step name           it is run now
        note text                what went wrong in it
    for each task
        task name                its function is called now
        answers [value, ...] reason   what it returned for each case, as coursekit.checking.wire writes it, and what
                                 the grader lacks that it may be wrong for; or else
        refused sentence outcome   why it returned nothing, which is the student's fault; or else
        lacks reason             why it returned nothing, which is not
        over status seconds      the process that made the calls has ended, and had computed for so long

What runs there can send whatever it likes, so nothing but the form of a message is believed.
"""

from enum import StrEnum
from typing import Any, TypedDict


class Kind(StrEnum):
    UNREADABLE = "unreadable"
    CELL = "cell"
    NOTE = "note"
    TASK = "task"
    ANSWERS = "answers"
    REFUSED = "refused"
    LACKS = "lacks"
    OVER = "over"


class Order(TypedDict):
    """What a process is told."""

    cells: list[dict[str, str | None]]  # the code cells of the exercise, as in Drawn
    stopped: list[int]  # steps that ended the process before, once for each
    tasks: dict[str, dict[str, Any]]  # the "arguments" and "cases" of each that has no mark yet
    seconds: int  # of computing, for the calls of one task
    limits: dict[str, int]  # of the resource module
    boxed: bool  # whether bubblewrap or a container is around it
    modules: dict[str, str]  # the files of what may be imported of coursekit
    data: str  # the folder of the data sets
    site: list[str]  # folders of packages
    shown: list[str]  # as in sandbox.FilesInView
    hidden: list[str]
    refused: list[list[int]]  # numbers of calls of the kernel
    beside: dict[str, str]  # other files of the student, each byte a character


NOTEBOOK = 20 << 20  # bytes that are read of one
START_SECONDS = 60.0  # until a process is up: this is the machine's time, not the student's
CELL_SECONDS = 30.0  # of computing
TASK_SECONDS = 10.0  # of computing, for all calls of one task
WAIT_SECONDS = 60.0  # of waiting, for a cell or all calls of one task
SUBMISSION_SECONDS = 300.0  # by the clock, for all of it
MEMORY = 1 << 30  # for a process, and for all of a submission together
PROCESSES = 32  # and threads
FILES = 4096
FILE = 16 << 20
DISK = 64 << 20
LINE = 1 << 20  # bytes of what it may say
TOTAL = 16 << 20
LINES = 10_000
