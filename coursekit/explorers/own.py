"""One's own examples in an explorer: what is taken, how it is shown, and the sentence that says so."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from coursekit.core import validate
from coursekit.core.dataset import Dataset, signed
from coursekit.core.datasets import only
from coursekit.core.text import counted
from coursekit.models.shared import YOURS
from coursekit.plots import DecisionBoundary, MarginStreet
from coursekit.plots.boundary import corners

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer


def taken(explorer: "Explorer[Any]", data: Any, target: str, features: Any) -> Dataset:
    """The examples, which the control `dataset` can choose from now on. ValueError where an explorer takes none."""
    if not explorer.takes_data or "dataset" not in explorer.controls:
        raise ValueError(f"data must be left out: the {explorer.name} explorer has its own; "
                         "those of the course that show two classes take some")
    menu = explorer.controls["dataset"]
    menu.options = (*menu.options, YOURS)
    return given(data, target, features, explorer.takes_data == "plane")


def given(data: Any, target: str, features: Any, plane: bool) -> Dataset:
    """The examples with labels -1 and +1, the larger label or the later text positive.

    data: a Dataset, a pair (X, y), or a DataFrame in which `target` names the column of labels. features: which columns
    to keep, by name or number. plane: there must be two, and each is standardized. ValueError for another number of
    columns or classes, an unknown name and whatever a Dataset refuses; TypeError for what is no data.

    >>> given(([[1.0, 2.0, 9.0], [3.0, 4.0, 9.0]], ["spam", "ham"]), "", ["x1", "x2"], True).X
    array([[-1., -1.],
           [ 1.,  1.]])
    """
    if isinstance(data, Dataset):
        X, y, names, classes = data.X, data.y, data.features, data.classes
    elif isinstance(data, tuple) and len(data) == 2:
        X, y, classes = validate.features(data[0]), np.asarray(validate.unmasked("y", data[1])), ()
        names = validate.column_names(data[0]) or tuple(f"x{j + 1}" for j in range(X.shape[1]))
    elif columns := validate.column_names(data):
        at = columns.index(validate.one_of("target", str(target), columns))
        X, names, classes = np.asarray(data, dtype=object), columns[:at] + columns[at + 1 :], ()
        X, y = np.delete(X, at, axis=1), X[:, at]
    else:
        raise TypeError("data must be a pair (X, y), a Dataset, or a DataFrame with target=, the name of its column of "
                        f"labels; got {type(data).__name__}")
    X, names = only(range(len(names)) if features is None else features, X, names)
    if plane and len(names) != 2:
        raise ValueError(f"data must have two features, for a plane: choose them with features=[...]; got {len(names)} "
                         f"({', '.join(names[:5])})")
    if X.dtype == object:
        X = np.column_stack([validate.array(f"column {name!r} of data", column, 1)
                             for name, column in zip(names, X.T, strict=True)])
    signs, classes = signed(y, classes)
    whole = Dataset(X, signs, names, classes, YOURS)
    return whole.standardized() if plane else whole


def make_room(explorer: "Explorer[Any]", figure: Figure, data: Dataset) -> None:
    """All of them are in view, whatever the frame was made for, and no title calls them emails."""
    sheets = {figure, *(axes.figure for axes in explorer.axes.values())}
    for title in (text for sheet in sheets for text in sheet.texts):
        title.set_text(title.get_text().replace("emails", "examples").replace("words", "features"))
    for plot in _planes(explorer).values():
        if plot.framed and explorer.takes_data == "plane":
            plot.frame(plot.limits(np.vstack([*corners(plot.ax), 1.05 * data.X]), 0.0))


def sentence(explorer: "Explorer[Any]", state: Any, data: Dataset) -> str:
    """What is shown and which controls have no effect on it; the axes get the names of the features, or theirs back."""
    own = state["dataset"] == YOURS
    for name, plot in _planes(explorer).items():
        names = [explorer.views[name].label(axis) for axis in "xy"]
        names = list(data.features) if own and all(names) else names
        if all(names) and [plot.ax.get_xlabel(), plot.ax.get_ylabel()] != names:
            plot.ax.set(xlabel=names[0], ylabel=names[1])
            explorer.picture.redraw()
    if not own:
        return ""
    idle = [name for name, control in explorer.declared.items() if control.idle and control.idle(state)]
    pairs = zip(("x1", "x2"), data.features, strict=False)
    named = " and ".join(f"{x} is {name}" for x, name in pairs if x != name)
    scaled = f", {named}{', ' * bool(named)}in standard deviations from the mean" * (explorer.takes_data == "plane")
    effect = f"; {' and '.join(idle)} {'has' if len(idle) == 1 else 'have'} no effect on them" if idle else ""
    return f" These are your {counted(len(data), 'example')}{scaled}{effect}."


def _planes(explorer: "Explorer[Any]") -> dict[str, DecisionBoundary]:
    planes = {name: plot.boundary if isinstance(plot, MarginStreet) else plot for name, plot in explorer.plots.items()}
    return {name: plot for name, plot in planes.items() if isinstance(plot, DecisionBoundary)}
