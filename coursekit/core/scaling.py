"""How lam here relates to the sums, the lambda ||w||^2, the C and the alpha of others.

The course minimizes  1/n sum_i loss_i + lam Omega(w)  with Omega = 1/2 ||w||^2 or ||w||_1. Others minimize a multiple
of the same function and name the weight differently, so for each lam their parameter has one value for the same theta:

    parameter = factor n^power lam        or        factor n^power / lam

This is about the weight alone. An offset that is penalized too, as in LinearSVC, changes the theta.

Sources: Prasse, Landwehr and Scheffer, Linear Classification Models; CPSC 340 Fall 2020 (UBC), Linear
Classifiers; the user guide of scikit-learn.
"""

from typing import Any, NamedTuple

from coursekit.core import validate
from coursekit.core.keywords import explain_all
from coursekit.core.text import aligned

__all__ = ["SCALINGS", "convert", "table"]


class Scaling(NamedTuple):
    minimizes: str
    symbol: str
    rule: str  # what the three numbers say
    factor: float
    power: int
    inverse: bool


class Table(list[Any]):
    """Rows that show themselves as aligned text."""

    def __init__(self, rows: list[tuple[str, ...]], lam: float, n: int) -> None:
        super().__init__(rows)
        self.heads = ("who", "minimizes", "its parameter", f"for lam = {lam:g}, n = {n}")

    def __repr__(self) -> str:
        return aligned([self.heads, *self], str.ljust)


SCALINGS = {
    "coursekit": Scaling("mean loss + lam Omega", "lam", "lam", 1, 0, False),
    "sum": Scaling("sum of losses + lambda ||w||^2", "lambda", "n lam / 2", 0.5, 1, False),
    "half sum": Scaling("1/2 sum of (y - f)^2 + lambda ||w||_1", "lambda", "n lam / 2", 0.5, 1, False),
    "SVC": Scaling("C sum of hinge losses + 1/2 ||w||^2", "C", "1 / (n lam)", 1, -1, True),
    "LogisticRegression": Scaling("C sum of logistic losses + Omega", "C", "1 / (n lam)", 1, -1, True),
    "SGDClassifier": Scaling("mean loss + alpha Omega", "alpha", "lam", 1, 0, False),
    "Ridge": Scaling("sum of (y - f)^2 + alpha ||w||^2", "alpha", "n lam / 2", 0.5, 1, False),
    "Lasso": Scaling("1/(2n) sum of (y - f)^2 + alpha ||w||_1", "alpha", "lam / 2", 0.5, 0, False),
}


def convert(value: float, n: int, source: str = "coursekit", target: str = "coursekit") -> float:
    """The parameter of `target` that gives the same theta as `value` does in `source`, for n examples.

    source, target: a row of `table`. value: > 0. n: >= 1.
    ValueError for a number out of range or an unknown name, listing the known ones; TypeError for what is not a number.

    >>> convert(0.01, n=200, target="SVC"), convert(0.5, n=200, source="SVC", target="sum")
    (0.5, 1.0)
    """
    value, n = validate.number("value", value, 0, above=True), validate.count("n", n)
    a = SCALINGS[validate.one_of("source", source, SCALINGS)]
    b = SCALINGS[validate.one_of("target", target, SCALINGS)]
    lam = a.factor * n**a.power / value if a.inverse else value / (a.factor * n**a.power)
    return float(b.factor * n**b.power / lam if b.inverse else b.factor * n**b.power * lam)


def table(lam: float = 0.01, n: int = 100) -> Table:
    """All scalings side by side, with the value each needs to equal this lam for n examples.

    >>> table(lam=0.01, n=200)[3]
    ('SVC', 'C sum of hinge losses + 1/2 ||w||^2', 'C = 1 / (n lam)', '0.5')
    """
    return Table([(name, s.minimizes, f"{s.symbol} = {s.rule}", f"{convert(lam, n, target=name):.4g}")
                  for name, s in SCALINGS.items()], lam, n)


explain_all(globals())
