"""Chapter 5: workers that learn on shards of the data, and the average of what they found."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.algorithms.parallel import parallel_sgd
from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import sgd
from coursekit.core import datasets
from coursekit.core.objective import Objective
from coursekit.core.steps import constant
from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.chapters.sgd import CORNERS, EXTENT, clouds, ground, hinge
from coursekit.explorers.editing import Editing, edited
from coursekit.explorers.state import State
from coursekit.plots import (
    AnswerValues,
    Boundaries,
    DecisionBoundary,
    Ghost,
    Landscape,
    LocalAnswers,
    figure,
    legend_above,
    panel,
)
from coursekit.plots.workers import local_boundaries

EXAMPLES = 96


class ParallelExplorer(Editing):
    """Parallel stochastic descent by averaging, beside one worker on all the data.

    Controls: separability, eta (constant), lam, seed, shards, steps (of each worker). The sequential
    runs make as many steps as one worker ("as long") and as all workers together ("as much work").
    The shards run one after another here, so this works in the browser too; the answers are those
    that as many processes would give. There is no offset, so that theta fits into a picture.
    The examples can be changed, see `Editing`.
    """

    def controls(self) -> dict[str, widgets.Widget]:
        return {
            "separability": parts.separability(-1.0),
            "eta": parts.eta(1.0),
            "lam": parts.lam(0.0),  # at most 0.1, so that eta lam never passes 2, where theta would explode
            "seed": parts.seed(),
            "shards": parts.whole("shards", 4, 1, 8, "how many workers share the data"),
            "steps": parts.whole("steps each", 100, 1, 400, "steps of each worker"),
            **self.editing(EXAMPLES),
        }

    def original(self, values: Mapping[str, Any]) -> datasets.Dataset:
        return clouds(EXAMPLES, values["separability"], values["seed"])

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 3.8)
        data = panel(fig, (0, 0, 0.345, 0.96), (0.57, 0.475, 0.09, 0.7), "Data; dashed: each alone", 0.45)
        data.set(xlabel="x1", ylabel="x2")
        self.boundary = DecisionBoundary(data)
        self.boundary.frame(self.boundary.limits(CORNERS, 0.0))
        self.locals = Boundaries(data, local_boundaries())
        plane = panel(fig, (0.345, 0, 0.685, 0.96), (0.48, 0.475, 0.1, 0.7), "Objective over θ", 0.405, anchor="N")
        plane.set(xlabel="θ₁", ylabel="θ₂")
        self.landscape, self.answers = Landscape(plane, EXTENT), LocalAnswers(plane)
        values = panel(fig, (0.685, 0, 1, 0.96), (0.405, 0.475, 0.225, 0.7), "Objective on all the data", 0.36)
        self.values = AnswerValues(values)
        legend_above(
            plane, [self.answers.local, self.answers.average], ["alone", "average"], at=(-0.05, 0.99),
            handlelength=1.8,
        )
        views = (self.boundary, self.locals, self.answers, self.values)
        self.plane = self.boundary.ax
        return fig, [self.landscape.ground, *(artist for view in views for artist in view.artists)]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, shards: int, steps: int, example: int, label: str,
        edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = edited(clouds(EXAMPLES, separability, seed), edits)
        shards = min(shards, len(data))
        objective = hinge(data, lam)
        average, paths = _parallel(objective, eta, steps, shards, seed)
        one = _sequential(objective, eta, shards * steps, seed)
        local = np.array([path.theta for path in paths])
        return {
            "data": data,
            "done_edits": done_edits,
            "problem": problem,
            "example": min(example, len(data) - 1),
            "shards": shards,
            "objective": objective,
            "landscape": ground(data, lam),
            "paths": paths,
            "local": local,
            "average": average,
            "sequential": one,
            "alone": objective.value(local),
            "averaged": objective.value(average),
            "as_long": float(one.values[steps]),
            "as_much": float(one.values[-1]),
        }

    def show(self, state: State) -> str:
        one = state.sequential
        self.boundary.show(state.data, np.append(state.average, 0))
        self.locals.show({"alone": np.column_stack([state.local, np.zeros(len(state.local))])})
        self.landscape.ground.set_values(state.landscape)
        paths = [path.thetas for path in state.paths]
        self.answers.show(paths, state.average, one.thetas[state["steps"]], one.theta)
        self.values.show(state.alone, state.averaged, state.as_long, state.as_much)
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return self.boundary.ghosts()


def sentence(state: State) -> str:
    """How good the workers are alone, averaged, and against one worker on all the data."""
    n, shards, steps, averaged = len(state.data), state.shards, state["steps"], state.averaged
    if shards == 1:
        return (f"One worker, all {n} examples, {steps} steps of eta = {number(state.eta)}: objective "
                f"{number(averaged)}. There is nothing to average yet.")
    alone = state.alone
    said = (f"{shards} workers, {n // shards} examples each, {steps} steps of eta = {number(state.eta)}. Alone "
            f"{number(alone.min())} to {number(alone.max())}, mean {number(alone.mean())}; their average has objective "
            f"{number(averaged)}. One worker on all {n}: {number(state.as_long)} after {steps} steps, "
            f"{number(state.as_much)} after {shards * steps}.")
    if averaged < min(state.as_long, state.as_much):
        return f"{said} Averaging beats both."
    if averaged < state.as_long:
        return f"{said} The average beats one worker in the same time, not for the same work."
    if averaged < state.as_much:
        return f"{said} The average beats one worker for the same work, not in the same time."
    return f"{said} Averaging beats neither."


@lru_cache(maxsize=8)
def _parallel(objective: Objective, eta: float, steps: int, shards: int, seed: int) -> tuple[Floats, list[Path]]:
    return parallel_sgd(objective, constant(eta), steps, shards, seed=seed)


@lru_cache(maxsize=8)
def _sequential(objective: Objective, eta: float, steps: int, seed: int) -> Path:
    return sgd(objective, constant(eta), steps, seed=seed)
