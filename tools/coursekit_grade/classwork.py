"""What a class did with an assignment: numbers for the summary, and pictures of them."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from coursekit.core.text import counted
from coursekit.core.validate import Floats
from coursekit_grade.graded import Graded
from coursekit_grade.mark import Outcome, TaskMark

DRAWN = 8  # mistakes
FEWEST = 10  # notebooks from which on it can be said how a task separates
OUTCOMES = tuple(Outcome)


class Task(NamedTuple):
    """name: of a task. outcomes: how often each of OUTCOMES. separates: `separation`, None for a small class."""

    name: str
    outcomes: tuple[int, ...]
    separates: float | None

    @property
    def solved(self) -> int:
        return self.outcomes[0]


class Made(NamedTuple):
    """A named mistake, and who made it."""

    task: str
    sentence: str
    students: tuple[str, ...]


def outcome(t: TaskMark) -> str:
    """What became of a graded task, as adjusted."""
    if t.points >= t.max_points:
        return Outcome.SOLVED
    if t.points:
        return Outcome.PART
    return Outcome.MISTAKE if t.mistake else t.outcome


def separation(task: Floats, total: Floats) -> float | None:
    """The correlation of a task's points with those of all other tasks: how well it separates strong from weak.

    task, total: shape (n,). Near 0, or below, the task asks for something else than the others, or by accident.
    None for fewer than 10 notebooks, and where all have the same points.

    >>> separation(np.repeat([0.0, 1.0], 5), np.repeat([2.0, 9.0], 5))
    1.0
    """
    rest = total - task
    if len(task) < FEWEST or not (np.ptp(task) and np.ptp(rest)):
        return None
    return float(np.round(np.corrcoef(task, rest)[0, 1], 6)) + 0.0


def statistics(name: str, tasks: Iterable[str], marked: Sequence[Graded]) -> tuple[dict[str, Any], dict[str, str]]:
    """What the summary says about an assignment, and its pictures by file name: one for it, one for the lecture."""
    # Drawing takes a second to import, and reports that grow with the class have no pictures.
    from coursekit.plots.style import LIGHT, STYLES, figure, use
    from coursekit_grade.grades import MistakeBars, OutcomeBars, PointsHistogram

    points, most = np.array([float(g.total) for g in marked]), marked[0].most
    whole = [g for g in marked if g.mark.tasks]
    sums = np.array([sum(t.points for t in g.mark.tasks) for g in whole])
    of: dict[str, list[TaskMark]] = {task: [] for task in tasks}
    made: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for g in whole:
        for t in g.mark.tasks:
            if t.name in of:
                of[t.name].append(t)
            if t.mistake:
                made[t.name, t.message].append(g.submission.student)
    found = sorted((_task(name, marks, sums) for name, marks in of.items()), key=lambda task: task.solved)
    mistakes = sorted((Made(*key, tuple(who)) for key, who in made.items()), key=lambda m: -len(m.students))
    names, counts = [task.name for task in found], np.array([task.outcomes for task in found])
    pictures = {}
    with use(LIGHT):
        heights = [1.7 + 0.35 * max(5, len(found)), *([1.0 + 0.4 * len(mistakes[:DRAWN])] if mistakes else [])]
        fig = figure(9.0, sum(heights))
        fig.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
        upper, *lower = fig.subfigures(len(heights), height_ratios=heights, squeeze=False)[:, 0]
        left, right = upper.subplots(1, 2)
        PointsHistogram(left, most).show(points)
        OutcomeBars(right, names, OUTCOMES).show(counts)
        if lower:
            shown = mistakes[:DRAWN]
            times = [len(m.students) for m in shown]
            bars = MistakeBars(lower[0].subplots(), [m.task for m in shown], [m.sentence for m in shown], times[0])
            bars.show(times)
        pictures[f"summary-{name}.svg"] = _svg(fig)
    with use(STYLES["projector"]):
        fig = figure(6.4, 2.0 + 0.4 * max(5, len(found)))
        fig.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
        OutcomeBars(fig.subplots(), names, OUTCOMES).show(counts)
        pictures[f"lecture-{name}.svg"] = _svg(fig)
    text = f"Points of {counted(len(marked), 'notebook')}: mean {points.mean():.3g} of {most:g}. Solved: "
    return {
        "name": name, "notebooks": len(marked), "most": most, "mean": points.mean(), "median": np.median(points),
        "picture": f"summary-{name}.svg", "lecture": f"lecture-{name}.svg",
        "text": text + ", ".join(f"{task.name} {task.solved}" for task in found) + ".", "tasks": found,
        "distribution": sorted(Counter(points.tolist()).items(), reverse=True), "mistakes": mistakes,
    }, pictures


def _task(name: str, marks: Sequence[TaskMark], sums: Floats) -> Task:
    counts = Counter(map(outcome, marks))
    points = np.array([t.points for t in marks], dtype=np.float64)
    separates = separation(points, sums) if len(points) == len(sums) else None
    return Task(name, tuple(counts[o] for o in OUTCOMES), separates)


def _svg(fig: Any) -> str:
    svg = io.StringIO()
    fig.savefig(svg, format="svg", metadata={"Date": None})
    return svg.getvalue()
