"""The explorer that CONTRIBUTING.md shows, run as it is printed, and the twin of a benchmark that it names."""

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from sklearn.neighbors import NearestCentroid

from tests.benchmarks.latency import pair

PRINTED = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text("utf-8")
CODE = PRINTED.partition("## An explorer in 40 lines")[2].partition("```python\n")[2].partition("```")[0]


@pytest.fixture
def explorer(monkeypatch):
    module = ModuleType("printed")
    monkeypatch.setitem(sys.modules, "printed", module)
    assert len([line for line in CODE.splitlines() if line]) <= 40
    exec(CODE, vars(module))
    return module.MeansExplorer()


@pytest.mark.parametrize("line", ["", "separability=-0.5 seed=3", 'edits="+(3,-2) 0() 5(-1,2)"'])
def test_it_classifies_by_the_nearer_mean(explorer, line):
    explorer.set(line)
    state = explorer.state
    nearer = NearestCentroid().fit(state.data.X, state.data.y).predict(state.data.X)
    wrong = int(np.sum(nearer != state.data.y))
    assert explorer.sentence == f"The line halfway between the means misclassifies {wrong} of {len(state.data)}."


def test_the_twin_of_the_latency_benchmark_shows_what_the_explorer_shows(capsys):
    code = pair("perceptron")[1].partition("ipywidgets.interact")[0].replace("%matplotlib inline", "import time")
    exec(f"import coursekit as ck\nspent = []{code}draw(**first.values)", names := {})
    assert names["first"].sentence in capsys.readouterr().out.replace("**", "")
