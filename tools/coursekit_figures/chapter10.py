"""Pictures of chapter 10: the steps of a study, the choice of lambda, what errors cost, pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots.marks import DASHED, blank
from coursekit.plots.style import current
from coursekit_figures import kit


def flow(ax: Axes, training: int, test: int, later: int, what: str) -> None:
    """A study of `what`: the split, what is learned from the training part, and the one look at the test; aside, those
    that come later."""
    look = current()
    _steps(ax, (
        (0.1, 8.5, 9.8, f"all {training + test} {what}, shuffled", look.soft),
        (0.1, 6.1, 6.4, f"{training}\nto learn from", look.blue),
        (7.1, 6.1, 2.8, f"{test}\nlocked", look.red),
        (0.1, 3.7, 6.4, "means, spreads,\nλ by folds, θ", look.green),
        (4.3, 0.3, 5.6, "one number,\nthe test error", look.ochre),
        (0.1, 0.3, 3.4, f"the future:\n{later} more", look.soft),
    ), (((3.4, 8.5), (3.4, 7.5), "split"), ((8.5, 8.5), (8.5, 7.5), ""), ((3.4, 6.1), (3.4, 5.1), "learn"),
        ((5.5, 3.7), (5.5, 1.7), "test, once"), ((8.5, 6.1), (8.5, 1.7), "")))


def leaky(ax: Axes) -> None:
    """The study of the hospital, and the arrow that must not be there: locked labels help to choose the features."""
    look = current()
    _steps(ax, (
        (0.1, 8.4, 5.4, "30 patients\nto learn from", look.blue),
        (6.7, 8.4, 3.2, "30 patients\nlocked", look.red),
        *((0.1, low, 5.4, word, look.green)
          for low, word in ((6.0, "1  standardize"), (3.6, "2  keep ten"), (1.2, "3  train"))),
        (6.7, 0.1, 3.2, "4  test", look.ochre),
    ), (((2.8, 8.4), (2.8, 7.4), ""), ((2.8, 6.0), (2.8, 5.0), ""), ((2.8, 3.6), (2.8, 2.6), ""),
        ((5.5, 1.6), (6.7, 1.1), ""), ((9.2, 8.4), (9.2, 1.5), "")))
    ax.add_patch(FancyArrowPatch((7.6, 8.4), (5.5, 4.3), arrowstyle="-|>", mutation_scale=24, color=look.red, lw=4))
    ax.text(6.8, 5.9, "their\nlabels", va="center", size=kit.WORDS, weight="bold", color=look.red)


def _steps(ax: Axes, boxes: Sequence[tuple[float, float, float, str, str]],
           ways: Sequence[tuple[tuple[float, float], tuple[float, float], str]]) -> None:
    """Boxes (left, low, width, words, color), 1.4 high, and arrows (start, end, word) between them."""
    look = current()
    blank(ax, xlim=(0, 10), ylim=(0, 10))
    for left, low, wide, word, color in boxes:
        ax.add_patch(Rectangle((left, low), wide, 1.4, facecolor=look.mixed(0.25, color), edgecolor=color, lw=1.6))
        ax.text(left + wide / 2, low + 0.7, word, ha="center", va="center", size=kit.WORDS - 1)
    for start, end, word in ways:
        ax.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=16, color=look.ink, lw=1.8))
        ax.text(start[0] - 0.2, (start[1] + end[1]) / 2, word, ha="right", va="center", size=kit.WORDS - 1)


def choice(ax: Axes, lams: ArrayLike, errors: ArrayLike, chosen: int) -> None:
    """Errors of k folds, (k, K), at K lambdas: mean and its standard error; a star at the lowest, a dot at the chosen.

    The dashed line is the lowest mean plus its standard error.
    """
    places, runs, look = np.asarray(lams), np.asarray(errors), current()
    mean, give = runs.mean(axis=0), runs.std(axis=0, ddof=1) / np.sqrt(len(runs))
    best = int(mean.argmin())
    kit.named(ax, xscale="log", xlim=(places.min() / 1.5, places.max() * 1.5), ylim=(0, 1.25 * (mean + give).max()),
              xlabel="λ", ylabel="error on the folds (%)")
    limit = mean[best] + give[best]
    ax.axhline(limit, color=look.soft, lw=1.4, ls=DASHED)
    ax.errorbar(places, mean, give, color=look.blue, lw=2.2, marker="o", ms=5, capsize=3)
    ax.plot(places[best], mean[best], marker="*", ms=17, mfc=look.star, mec=look.ink, zorder=5)
    ax.plot(places[chosen], mean[chosen], marker="o", ms=11, color=look.green, zorder=5)
    for k, (name, color) in {best: ("lowest", look.ink), chosen: ("chosen", look.green)}.items():
        kit.label(ax, name, (places[k], mean[k] - give[k]), color, (0, -1), kit.WORDS)
    kit.label(ax, "lowest plus\none standard error", (places.min(), limit), look.soft, (0, -1), kit.WORDS)


def prices(ax: Axes, scores: ArrayLike, y: ArrayLike, price: float, chosen: float) -> None:
    """What a threshold costs, per 100 emails: ham held back, `price` each, spam let through, 1 each, and both.

    scores, y: (n,). chosen: the threshold to mark.
    """
    f, labels, look = np.asarray(scores), np.asarray(y), current()
    at = np.linspace(-1, 3, 401)
    held = 100 * price * np.array([np.mean((f > t) & (labels < 0)) for t in at])
    through = 100 * np.array([np.mean((f <= t) & (labels > 0)) for t in at])
    top = 1.3 * float((held + through)[at >= 0].max())
    kit.named(ax, xlim=(-0.6, 3), ylim=(0, top), xlabel="threshold", ylabel="cost of 100 emails, in spam let in")
    for name, cost, color, dash, place, side in (
        ("ham held back", held, look.blue, DASHED, 1.9, (0, 1)),
        ("spam let in", through, look.red, "-.", 2.1, (0.7, -1)),
        ("both", held + through, look.ink, "-", 2.5, (-1, 1)),
    ):
        ax.plot(at, cost, color=color, lw=2.4, ls=dash)
        k = int(np.abs(at - place).argmin())
        kit.label(ax, name, (at[k], cost[k]), color, side, kit.WORDS)
    ax.axvline(0, color=look.soft, lw=1)
    k = int(np.abs(at - chosen).argmin())
    ax.plot(at[k], (held + through)[k], marker="o", ms=11, color=look.green, zorder=5)
    kit.label(ax, f"cheapest: {chosen:.2f}", (at[k], (held + through)[k]), look.green, (0, 1), kit.WORDS)


def roc(ax: Axes, scores: ArrayLike, y: ArrayLike, thresholds: Sequence[float]) -> None:
    """The ROC curve of scores, (n,), with labels y, (n,), and a dot for each of these thresholds; in percent."""
    f, labels, look = np.asarray(scores), np.asarray(y), current()
    at = np.array([np.inf, *np.unique(f)[::-1], -np.inf, *thresholds])
    held, caught = (np.array([100 * np.mean(f[labels == c] > t) for t in at]) for c in (-1, 1))
    n = len(at) - len(thresholds)
    kit.named(ax, xlim=(-1, 101), ylim=(-1, 103), aspect="equal", xlabel="ham held back, % (false positive rate)",
              ylabel="spam held back, % (recall)")
    ax.plot([0, 100], [0, 100], color=look.soft, lw=1.4, ls=DASHED)
    ax.text(98, 30, "scores that\nknow nothing", ha="right", va="center", color=look.soft, size=kit.WORDS)
    ax.plot(held[:n], caught[:n], color=look.blue, lw=2.6)
    ax.plot(held[n:], caught[n:], ls="", marker="o", ms=10, color=look.green, zorder=5)
    for t, x, height in zip(thresholds, held[n:], caught[n:], strict=True):
        ax.text(x + 5, height - 2, f"t = {t:.2g}", va="center", color=look.green, size=kit.WORDS)


def promises(ax: Axes, groups: Sequence[tuple[str, Floats, Floats]]) -> None:
    """How many of 100 emails are spam, by what was said: a curve for each (name, probabilities (n,), labels (n,)).

    On the dashed diagonal what is said is true.
    """
    look, bins = current(), 10
    edges = np.linspace(0, 100, bins + 1)
    kit.named(ax, xlim=(0, 100), ylim=(0, 102), aspect="equal", xlabel="the filter says: spam (%)",
              ylabel="of these, really spam (%)")
    ax.plot([0, 100], [0, 100], color=look.soft, lw=1.4, ls=DASHED)
    colors = (look.green, look.violet, look.blue)
    for k, (name, said, labels) in enumerate(groups):
        part = np.clip((said * bins).astype(int), 0, bins - 1)
        share = np.array([100 * np.mean(labels[part == b] > 0) if (part == b).any() else np.nan for b in range(bins)])
        middles = (edges[1:] + edges[:-1]) / 2
        ax.plot(middles, share, color=colors[k], lw=2.4, marker="os^"[k], ms=7)
        spot, side = ((1, (0.2, 1)), (6, (-1, 1)))[k % 2]
        kit.label(ax, name, (middles[spot], share[spot]), colors[k], side, kit.WORDS)


def paired(ax: Axes, differences: ArrayLike, xlabel: str) -> None:
    """Differences of two methods on the same splits, (R,), as dots, their mean as a bar, and how many are above 0."""
    look, found = current(), np.sort(differences)
    kit.named(ax, ylim=(-1, 1.6), yticks=[], xlabel=xlabel)
    ax.spines["left"].set_visible(False)
    ax.axvline(0, color=look.ink, lw=1.4, ls=DASHED)
    ax.plot(found, 0.3 * (np.arange(len(found)) % 3 - 1), ls="", marker="o", ms=6, color=look.blue, mew=0)
    ax.plot([found.mean()] * 2, [-0.6, 0.6], color=look.red, lw=3, zorder=1.5)
    kit.label(ax, f"mean {found.mean():+.1f}", (found.mean(), 0.6), look.red, (0, 1), kit.WORDS)
    ax.text(0.99, 0.98, f"above 0: {np.sum(found > 0)} of {len(found)}", transform=ax.transAxes, ha="right", va="top",
            size=kit.WORDS)
