"""What a class did with an assignment: numbers for the summary, and pictures of them."""

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from coursekit.checking.signature import Outcome
from coursekit.core.text import counted
from coursekit.core.validate import Floats
from coursekit_grade.graded import Graded
from coursekit_grade.mark import TaskMark

DRAWN = 8  # mistakes
FEWEST = 10  # notebooks from which on it can be said how a task separates


class TaskSummary(NamedTuple):
    """outcomes: how often each of Outcome. separates: `separation`, None for a small class."""

    name: str
    solved: int
    outcomes: tuple[int, ...]
    separates: float | None


class MistakeSummary(NamedTuple):
    """A named mistake, and who made it."""

    task: str
    sentence: str
    students: tuple[str, ...]


def outcome(t: TaskMark) -> Outcome:
    """What became of a graded task, as adjusted."""
    if t.points >= t.max_points:
        return Outcome.SOLVED
    if t.points:
        return Outcome.PART
    return Outcome.MISTAKE if t.mistake else Outcome(t.outcome)


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
    summaries = sorted((_summary(task, marks, sums) for task, marks in of.items()), key=lambda task: task.solved)
    mistakes = sorted((MistakeSummary(*key, tuple(who)) for key, who in made.items()), key=lambda m: -len(m.students))
    text = f"Points of {counted(len(marked), 'notebook')}: mean {points.mean():.3g} of {most:g}. Solved: "
    return {
        "name": name, "notebooks": len(marked), "most": most, "mean": points.mean(), "median": np.median(points),
        "picture": f"summary-{name}.svg", "lecture": f"lecture-{name}.svg",
        "text": text + ", ".join(f"{task.name} {task.solved}" for task in summaries) + ".", "tasks": summaries,
        "distribution": sorted(Counter(points.tolist()).items(), reverse=True), "mistakes": mistakes,
    }, _pictures(name, points, most, summaries, mistakes[:DRAWN])


def _pictures(
    name: str, points: Floats, most: float, tasks: Sequence[TaskSummary], mistakes: Sequence[MistakeSummary]
) -> dict[str, str]:
    # Drawing takes a second to import, and reports that grow with the class have no pictures.
    from coursekit.plots.style import LIGHT, STYLES, figure, use
    from coursekit_grade.bars import mistake_bars, outcome_bars, points_histogram

    outcomes = [task.name for task in tasks], list(Outcome), np.array([task.outcomes for task in tasks])
    with use(LIGHT):
        heights = [1.7 + 0.35 * max(5, len(tasks)), *[1.0 + 0.4 * len(mistakes)] * bool(mistakes)]
        summary = figure(9.0, sum(heights))
        summary.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
        upper, *lower = summary.subfigures(len(heights), height_ratios=heights, squeeze=False)[:, 0]
        left, right = upper.subplots(1, 2)
        points_histogram(left, points, most)
        outcome_bars(right, *outcomes)
        if lower:
            mistake_bars(lower[0].subplots(), [m.task for m in mistakes], [m.sentence for m in mistakes],
                         [len(m.students) for m in mistakes])
        pictures = {f"summary-{name}.svg": _svg(summary)}
    with use(STYLES["projector"]):
        lecture = figure(6.4, 2.0 + 0.4 * max(5, len(tasks)))
        lecture.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
        outcome_bars(lecture.subplots(), *outcomes)
        return pictures | {f"lecture-{name}.svg": _svg(lecture)}


def _summary(name: str, marks: Sequence[TaskMark], sums: Floats) -> TaskSummary:
    counts = Counter(map(outcome, marks))
    points = np.array([t.points for t in marks], dtype=np.float64)
    separates = separation(points, sums) if len(points) == len(sums) else None
    return TaskSummary(name, counts[Outcome.SOLVED], tuple(counts[o] for o in Outcome), separates)


def _svg(fig: Any) -> str:
    svg = io.StringIO()
    fig.savefig(svg, format="svg", metadata={"Date": None})
    return svg.getvalue()
