"""A submission and its mark, with what people and lateness make of it."""

from collections import defaultdict
from decimal import Decimal
from typing import NamedTuple

from coursekit.core.text import counted
from coursekit_grade.intake import Submission
from coursekit_grade.mark import Mark


class Adjusted(NamedTuple):
    """What a person decided about a task or the "total". before: what came of the machine, None if nothing did."""

    task: str
    before: Decimal | None
    after: Decimal
    comment: str = ""


class Late(NamedTuple):
    """How late something is, in begun units of time, and how many points that costs."""

    begun: int
    unit: str
    cost: Decimal
    comment: str = ""
    decided: bool = False  # by a person
    why: str = ""  # when it was due, when it came and what that costs

    @property
    def delay(self) -> str:
        """In words, as in "2 begun days"."""
        return counted(self.begun, f"begun {self.unit}") if self.begun else ""


class Graded(NamedTuple):
    """A submission and its mark, as adjusted."""

    submission: Submission
    mark: Mark
    most: float = 0  # the points to be had
    adjusted: tuple[Adjusted, ...] = ()
    late: Late | None = None
    waiting: bool = False  # its turn has not come yet

    @property
    def ungraded(self) -> str:
        return "" if self._total else ungraded(self.mark)

    @property
    def automatic(self) -> Decimal | None:
        """The points that the machine gave, None if it could not grade everything."""
        before = {a.task: a.before for a in self.adjusted}
        points = [before.get(t.name, Decimal(str(t.points))) for t in self.mark.tasks]
        known = [p for p in points if p is not None]
        whole = len(known) == len(points) and not self.mark.ungraded and not any(t.ungraded for t in self.mark.tasks)
        return sum(known, Decimal(0)) if whole else None

    @property
    def points(self) -> Decimal:
        """What the tasks add up to, or a person gave in all: exact, before lateness."""
        return self._total.after if self._total else sum((Decimal(str(t.points)) for t in self.mark.tasks), Decimal(0))

    @property
    def total(self) -> Decimal:
        """The mark: what is left of the points after lateness."""
        return max(Decimal(0), self.points - (self.late.cost if self.late else 0))

    @property
    def _total(self) -> Adjusted | None:
        return next((a for a in self.adjusted if a.task == "total"), None)


def ungraded(mark: Mark) -> str:
    """Why a mark has no total; "" if it has one."""
    why: defaultdict[str, list[str]] = defaultdict(list)
    for t in mark.tasks:
        if t.ungraded:
            why[t.ungraded].append(t.name)
    return mark.ungraded or "; ".join(f"{', '.join(names)}: {reason}" for reason, names in why.items())
