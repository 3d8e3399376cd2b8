"""A table whose cells change from frame to frame: what three rules count for each class."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import Plot, marks


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
