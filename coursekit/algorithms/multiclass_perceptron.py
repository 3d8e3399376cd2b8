"""One perceptron for all classes: their scores are learned together.

Sources: Morrison and Pardo (EECS 349, 2019), Gradient Descent; R. Duda and P. Hart, Pattern Classification and
Scene Analysis (1973), Kesler's construction.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from coursekit.algorithms.multiclass import Argmax, Pair, class_data
from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.exact import above_zero, cancel, enlarge
from coursekit.core.risks import longest, with_constant


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassPerceptron(Argmax):
    """Scores learned by the multi-class perceptron. status: in words, how it ended."""

    mistakes: int
    passes: int
    converged: bool
    status: str

    def __repr__(self) -> str:
        k = len(self.classes)
        return f"MulticlassPerceptron({k} classes, {self.mistakes} mistakes in {self.passes} passes; {self.status})"


def multiclass_perceptron(dataset: Dataset | Pair, passes: int = 100, order: str = "cyclic", *, eta: float = 1.0,
                          lam: float = 0.0, seed: int = 0) -> MulticlassPerceptron:
    """Learn all k scores together: at a mistake, raise the true class and lower its strongest rival.

        r = argmax over c != y of f_c(x)
        if f_y(x) <= f_r(x):   theta_c <- (1 - eta lam) theta_c   for every class c
                               theta_y <- theta_y + eta (x, 1),   theta_r <- theta_r - eta (x, 1)

    from thetas = 0 until a whole pass makes no mistake. An equal score is a mistake, as for two
    classes, where this makes the perceptron's mistakes and no others. eta and lam are what they are
    for `perceptron`: eta alone changes only the unit of the scores, lam lets old mistakes fade.

    dataset: a Dataset with classes, or a pair (X, y), each class present. passes: the most passes to make. order:
    "cyclic", or "shuffle" for a new order in every pass, from `seed`. ValueError for labels -1 and +1, a class without
    examples, a number outside its range, an unknown order or entries whose squares overflow; TypeError for no data.

    >>> from coursekit import datasets
    >>> multiclass_perceptron(datasets.multiclass_blobs(60, classes=3, separability=2.0))
    MulticlassPerceptron(3 classes, 4 mistakes in 2 passes; converged: pass 2 made no mistake)
    """
    data = class_data(dataset)
    X, y, k = data.X, data.y, len(data.classes)
    passes, rng = validate.count("passes", passes), validate.generator(seed)
    validate.one_of("order", order, ("cyclic", "shuffle"))
    eta = validate.number("eta", eta, 0, above=True)
    keep = 1 - eta * validate.number("lam", lam, 0, 1 / eta)
    rows = with_constant(X)
    longest(rows, eta)
    big, power = enlarge(rows)  # powers of two change no comparison, and then nothing underflows
    step, up = np.frexp(eta)
    thetas = np.zeros((k, rows.shape[1]))
    made: list[tuple[int, int, int]] = []  # of each mistake the example, its class and the rival
    seen = {thetas.tobytes(): 0}
    status = f"stopped at the limit of {passes} passes, not converged"
    for p in range(1, passes + 1):
        before = len(made)
        for i in rng.permutation(len(X)) if order == "shuffle" else range(len(X)):
            f = thetas @ big[i]
            true, f[y[i]] = f[y[i]], -np.inf
            rival = f.argmax()
            if true <= f[rival]:
                thetas *= keep
                thetas[y[i]] += step * big[i]
                thetas[rival] -= step * big[i]
                made.append((i, y[i], rival))
        if len(made) == before:
            status = f"converged: pass {p} made no mistake"
            break
        key = thetas.tobytes()
        if order == "cyclic" and key in seen:  # thetas that shrink can come back on separable data too
            i, true, lower = np.array(made[seen[key] :]).T  # if these change no theta, none is right for all of them
            proof = all(cancel(((true == c) * 1.0 - (lower == c))[:, None] * rows[i]) for c in range(k))
            why = "" if keep != 1 else "not separable: " if proof else "not separable, or rounding hides it: "
            status = f"{why}the thetas returned to an earlier value and repeat"
            break
        seen[key] = len(made)
    thetas = np.ldexp(thetas, up - power)
    converged, twice = len(made) == before, np.hstack([rows, -rows])
    if converged and not all(above_zero(twice[y == a], np.concatenate([thetas[a], thetas[b]])).all()
                             for a, b in permutations(range(k), 2)):
        converged, status = False, f"pass {p} made no mistake, but rounding decided the order of two scores"
    return MulticlassPerceptron(thetas, data.classes, len(made), p, converged, status)
