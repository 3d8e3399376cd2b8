"""Tables whose cells change from frame to frame: a perceptron's trace, what losses say, what rules count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from coursekit.core.losses import KNOWN
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.losses import boundary_looks, loss_marks
from coursekit.plots.marks import Plot, curve, marks, patch

Column = tuple[float, str, str]  # position from 0 to 1, anchor "l" or "r", heading


class MarkedTable(Plot):
    """Rows of words under headings; one row can be marked."""

    def __init__(self, ax: Axes, columns: Sequence[Column], rows: int) -> None:
        super().__init__(ax)
        self.columns, look = columns, self.look
        ax.set(xlim=(0, 1), ylim=(rows + 1, 0))
        ax.axis("off")
        for x, anchor, name in columns:
            ax.text(x, 0.5, name, ha="left" if anchor == "l" else "right", va="center", weight="bold")
        ax.axhline(1.0, color=look.soft, lw=1)
        self.mark = patch(ax, Rectangle((0, 1), 1, 1, facecolor=look.highlight, edgecolor=look.ink, lw=1))
        self.text = self.add(Lettering(ax, size=9.5 if look.zoom == 1 else 8.8))

    def write(self, rows: Iterable[Sequence[str]]) -> None:
        """rows: a text for each column."""
        self.text.set_words(
            Word(x, r + 1.5, text, f"{anchor}m")
            for r, row in enumerate(rows) for (x, anchor, _), text in zip(self.columns, row, strict=True)
        )

    def mark_row(self, row: int) -> None:
        self.mark.set_y(1 + row)


class LossTable(MarkedTable):
    """A row for each loss: its curve's look, and what it says of an example; the chosen row is marked."""

    columns = ((0.08, "l", "loss"), (0.32, "r", "loss here"), (0.46, "r", "slope in z"), (0.52, "l", "what it says"),
               (0.995, "r", "mistakes of its line"))

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax, self.columns, len(KNOWN))
        samples = [curve(ax, **look) for look in boundary_looks().values()]
        for r, (sample, mark) in enumerate(zip(samples, loss_marks(ax).values(), strict=True)):
            sample.set_data([0.0, 0.06], [r + 1.5] * 2)
            mark.set_data([0.03], [r + 1.5])

    def frame(self, chosen: str) -> None:
        """Mark the chosen loss. Part of the background."""
        self.mark_row(list(KNOWN).index(chosen))

    def show(self, rows: Sequence[Sequence[str]]) -> LossTable:
        """rows: one for each loss, with a text for each column."""
        self.write(rows)
        return self


class RuleTable(Plot):
    """What three rules for many classes count for each class at one place, and how many examples each gets wrong.

    An arrow points at the class that wins.
    """

    heads = ("one\nagainst\nrest", "one against\none: votes\n(sum)", "linear\nargmax")
    edges = (0.34, 0.68, 0.94)

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        ax.set(xlim=(0, 1), ylim=(8, -1))
        ax.axis("off")
        for x, head in zip(self.edges, self.heads, strict=True):
            ax.text(x, 0.7, head, ha="right", va="bottom", fontsize=9)
        ax.text(0.0, 0.7, "class", ha="left", va="bottom", fontsize=9)
        ax.axhline(0.9, color=self.look.soft, lw=1)
        self.winners = self.add(marks(ax, "<", 7, color=self.look.green, clip_on=False))
        self.text = self.add(Lettering(ax))

    def show(
        self, classes: Sequence[str], cells: Sequence[Sequence[str]], at: Sequence[int], wrong: Sequence[int]
    ) -> RuleTable:
        """cells: for each rule a text for each class. at: the class that wins, by rule. wrong: counts, by rule."""
        last = len(classes) + 2.0
        words = [Word(0.02, c + 1.6, name, "lm") for c, name in enumerate(classes)]
        words.append(Word(0.02, last, "wrong", "lm"))
        for x, column, count in zip(self.edges, cells, wrong, strict=True):
            words += [Word(x, c + 1.6, cell) for c, cell in enumerate(column)] + [Word(x, last, f"{count}")]
        self.text.set_words(words)
        self.winners.set_data([x + 0.04 for x in self.edges], [c + 1.6 for c in at])
        return self
