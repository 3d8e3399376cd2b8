"""Chapter 7: margin, slacks, support vectors, objective and slope, Pegasos, a street read by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from coursekit.checking.tasks.draw import labels, quarters
from coursekit.checking.tasks.judge import Case, Mistake, Task
from coursekit.core.validate import Floats

Score = Callable[[Floats, Floats, Floats], Floats]


def _agreements(X: Floats, y: Floats, theta: Floats) -> Floats:
    return y * (X @ theta[:-1] + theta[-1])


def _scores(X: Floats, y: Floats, theta: Floats) -> Floats:
    return X @ theta[:-1] + theta[-1]


_SCORE_MISTAKES: tuple[tuple[Score, str], ...] = (
    (_scores, "The labels are missing: an agreement is y f, so that a negative example wants a negative score."),
    (
        lambda X, y, theta: np.abs(_scores(X, y, theta)),
        "You take |f|, which forgets on which side of the line an example lies: use the agreement y f.",
    ),
    (
        lambda X, y, theta: y * (X @ theta[:-1]),
        "The score misses the offset: f = X @ theta[:-1] + theta[-1].",
    ),
    (
        lambda X, y, theta: y * (X @ theta[1:] + theta[0]),
        "Your offset comes first: here it is the last entry of theta.",
    ),
    (
        lambda X, y, theta: -_agreements(X, y, theta),
        "The agreement has the wrong sign: y f is positive for an example on its own side.",
    ),
)


def _score_mistakes(answer: Callable[..., Any]) -> tuple[Mistake, ...]:
    """Mistakes of the score as mistakes of a task whose answer takes it as `score`."""
    return tuple(Mistake(partial(answer, score=score), sentence) for score, sentence in _SCORE_MISTAKES)


# margin


def _length(theta: Floats) -> Any:
    return np.linalg.norm(theta[:-1])


def _margin(
    X: Floats,
    y: Floats,
    theta: Floats,
    score: Score = _agreements,
    length: Callable[[Floats], Any] = _length,
    claimed: Callable[[Any], Any] = lambda length: 1 / length,
    closest: Callable[[Floats], Any] = np.min,
    scaled: Callable[[Floats, Any, Any], Any] = lambda theta, least, actual: theta / least,
    otherwise: Any = None,
    possible: Callable[[Any], bool] = lambda least: least > 0,
) -> tuple[Any, Any, Any]:
    least, norm = closest(score(X, y, theta)), length(theta)
    actual = least / norm
    return claimed(norm), actual, scaled(theta, least, actual) if possible(least) else otherwise


def _margin_cases(rng: np.random.Generator) -> Iterator[Case]:
    wanted = [(2, 1, True), (4, 2, True), (5, 3, True), (6, 2, True), (3, 1, False), (5, 2, False), (6, 3, False)]
    for n, d, right in wanted:
        while True:
            X, theta, y = quarters(rng, n, d), quarters(rng, d + 1), labels(rng, n)
            f = _scores(X, y, theta)
            if right:
                y = np.where(f > 0, 1.0, -1.0)
            # The ends of y f must differ in size, and every part of theta matter.
            if theta.all() and f.all() and len(np.unique(y)) == 2 and (y * f > 0).all() == right and not (
                np.isclose((y * f).min(), 1)
            ):
                break
        yield X, y, theta
    # An example exactly on the line; with one attribute it stays there however the distance is computed.
    x, w = rng.choice([0.5, 0.75, 1.25]), rng.choice([-1.5, 0.75, 1.75])
    X = x + np.array([[0.0], [0.5], [-1.5], [1.0]])
    yield X, np.array([1.0, 1.0, -1.0, 1.0]) * np.sign(w), np.array([w, -w * x])


MARGIN = Task(
    name="margin",
    points=3,
    arguments=("X", "y", "theta"),
    returns=("claimed", "actual", "scaled"),
    cases=_margin_cases,
    answer=_margin,
    mistakes=(
        Mistake(
            partial(_margin, claimed=lambda length: 2 / length),
            "That is the whole width of the street, 2/||w||: the margin is half of it, 1/||w||.",
        ),
        Mistake(
            partial(_margin, claimed=lambda length: length),
            "claimed is upside down: long weights claim a narrow street, 1/||w||.",
        ),
        Mistake(
            partial(_margin, claimed=lambda length: 1 / length**2),
            "claimed is divided by ||w||^2: take the root.",
        ),
        Mistake(
            partial(_margin, claimed=lambda length: 0.5 / length),
            "claimed is half of what it should be: 1/||w|| is the distance from the line to one edge already.",
        ),
        Mistake(
            partial(_margin, length=np.linalg.norm),
            "You measure all of theta: the length of the normal vector is that of the weights alone, without the "
            "offset.",
        ),
        Mistake(
            partial(_margin, length=lambda theta: np.linalg.norm(theta[1:])),
            "You measure theta[1:]: the offset is the LAST entry of theta, so the weights are theta[:-1].",
        ),
        Mistake(
            partial(_margin, length=lambda theta: np.abs(theta[:-1]).sum()),
            "You add up the weights: a length is the root of the sum of their squares.",
        ),
        Mistake(
            partial(_margin, length=lambda theta: theta[:-1] @ theta[:-1]),
            "You divide by ||w||^2: take the root of the sum of the squares.",
        ),
        *_score_mistakes(_margin),
        Mistake(
            lambda X, y, theta: (
                (m := _margin(X, y, theta))[0], m[1] * _length(theta), m[2]
            ),
            "actual is an agreement: to make it a distance, divide by ||w||.",
        ),
        Mistake(
            partial(_margin, closest=np.max),
            "The closest example has the smallest y f, not the largest.",
        ),
        Mistake(
            partial(_margin, closest=np.mean),
            "actual is the distance of the closest example, not the mean of all.",
        ),
        Mistake(
            lambda X, y, theta: (
                (m := _margin(X, y, theta))[0], np.abs(_agreements(X, y, theta)).min() / _length(theta), m[2]
            ),
            "actual must be negative when an example is on the wrong side: leave the sign as it is.",
        ),
        Mistake(
            lambda X, y, theta: ((m := _margin(X, y, theta))[0], max(m[1], 0), m[2]),
            "actual must be negative when an example is on the wrong side: do not cut it off at 0.",
        ),
        Mistake(
            partial(_margin, possible=lambda least: least >= 0),
            "A smallest agreement of exactly 0 is not positive, and nothing makes 0 a 1: scaled is None there.",
        ),
        Mistake(
            partial(_margin, scaled=lambda theta, least, actual: theta * least),
            "scaled is multiplied by the smallest agreement: divide, so that it becomes 1.",
        ),
        Mistake(
            partial(_margin, scaled=lambda theta, least, actual: np.append(theta[:-1] / least, theta[-1])),
            "scaled forgets the offset: divide all of theta, or the line moves.",
        ),
        Mistake(
            partial(_margin, scaled=lambda theta, least, actual: theta[:-1] / least),
            "scaled has lost its offset: return all of theta, divided.",
        ),
        Mistake(
            partial(_margin, scaled=lambda theta, least, actual: theta / _length(theta)),
            "Your scaled claims a margin of 1: scale so that the smallest AGREEMENT is 1.",
        ),
        Mistake(
            partial(_margin, scaled=lambda theta, least, actual: theta / actual),
            "You divide theta by the distance of the closest example: divide by its agreement y f.",
        ),
        Mistake(
            lambda X, y, theta: (
                *_margin(X, y, theta)[:2], theta / _agreements(X, y, theta).min()
            ),
            "Where an example is on the wrong side no scaling helps: return None for scaled.",
        ),
        *(
            Mistake(
                lambda X, y, theta, other=other: (
                    *(m := _margin(X, y, theta))[:2], other(theta) if m[2] is None else m[2]
                ),
                f"Where an example is on the wrong side, scaled must be None, not {word}.",
            )
            for other, word in (
                (lambda theta: theta, "theta as it came"),
                (lambda theta: 0 * theta, "zeros"),
                (lambda theta: 0, "0"),
                (lambda theta: np.zeros(0), "an empty list"),
            )
        ),
    ),
    hints=(
        "First all agreements: z = y * (X @ theta[:-1] + theta[-1]). The length of w is np.linalg.norm(theta[:-1]).",
        "claimed is 1 over that length, actual is the smallest z divided by it. For scaled: what must theta be divided "
        "by so that the smallest z becomes 1?",
        "scaled is theta / z.min() if z.min() > 0, else None. All of theta is divided, with its offset.",
    ),
)


# slacks


def _slacks(
    X: Floats,
    y: Floats,
    theta: Floats,
    score: Score = _agreements,
    slack: Callable[[Floats], Floats] = lambda z: np.maximum(0, 1 - z),
    late: Callable[[Floats], Floats] = lambda z: z < 1,
    wrong: Callable[[Floats], Floats] = lambda z: z <= 0,
) -> tuple[Floats, Floats]:
    z = score(X, y, theta)
    return slack(z), np.where(wrong(z), 2, np.where(late(z), 1, 0))


def _slack_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d in ((3, 1), (4, 2), (6, 2), (8, 3)):
        theta = quarters(rng, d + 1)
        while not theta.all() or abs(np.linalg.norm(theta[:-1]) - 1) < 0.1:
            theta = quarters(rng, d + 1)
        X, y = quarters(rng, n, d), labels(rng, n)
        yield X, y, theta
        # Agreements of exactly 0 and 1 count: the offset is chosen so that they occur.
        for row, z in ((0, 0.0), (1, 1.0), (2, 0.5), (0, -3.0)):
            yield X, y, np.append(theta[:-1], y[row] * z - X[row] @ theta[:-1])


SLACKS = Task(
    name="slacks",
    points=2,
    arguments=("X", "y", "theta"),
    returns=("slack", "kind"),
    cases=_slack_cases,
    answer=_slacks,
    mistakes=(
        *_score_mistakes(_slacks),
        Mistake(
            partial(_slacks, slack=lambda z: np.maximum(0, -z)),
            "That is the perceptron's loss: slack begins at the edge of the street, where y f = 1.",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: 1 - z),
            "Slack is never negative: an example beyond its edge owes nothing, so cut it off at 0.",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: np.abs(1 - z)),
            "|1 - y f| punishes examples far on the right side: slack is max(0, 1 - y f).",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: np.maximum(0, 1 - z) ** 2),
            "Slack is not squared: max(0, 1 - y f).",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: np.maximum(0, 1 + z)),
            "1 + y f grows where the example is right: slack is max(0, 1 - y f).",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: np.maximum(0, z - 1)),
            "That is how far an example lies beyond its edge: slack is how much it falls short, max(0, 1 - y f).",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: np.minimum(np.maximum(0, 1 - z), 1)),
            "Slack has no upper limit: an example far on the wrong side has much more than 1.",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: np.where(z <= 0, 1 - z, 0)),
            "An example on the right side but inside the street has slack too: 1 - y f wherever y f < 1.",
        ),
        Mistake(
            partial(_slacks, slack=lambda z: (z < 1) * 1.0),
            "You return whether there is slack: return how much, 1 - y f.",
        ),
        Mistake(
            lambda X, y, theta: ((s := _slacks(X, y, theta))[0] / np.linalg.norm(theta[:-1]), s[1]),
            "That is the length of the ties in the picture: slack is counted in units of the margin, so do not divide "
            "by ||w||.",
        ),
        Mistake(
            lambda X, y, theta: ((s := _slacks(X, y, theta))[0].mean(), s[1]),
            "You return the mean: each example's own slack is asked for, shape (n,).",
        ),
        Mistake(
            lambda X, y, theta: ((s := _slacks(X, y, theta))[0].sum(), s[1]),
            "You return the sum: each example's own slack is asked for, shape (n,).",
        ),
        Mistake(
            lambda X, y, theta: ((s := _slacks(X, y, theta))[0][:, None], s[1]),
            "Your slack is a column, shape (n, 1): shape (n,) is asked for.",
        ),
        Mistake(
            partial(_slacks, wrong=lambda z: z < 0),
            "An example exactly on the line, y f = 0, counts as misclassified: kind 2 where y f <= 0.",
        ),
        Mistake(
            partial(_slacks, late=lambda z: z <= 1),
            "An example exactly on its edge, y f = 1, has no slack: kind 0 where y f >= 1.",
        ),
        Mistake(
            partial(_slacks, wrong=lambda z: z < 0, late=lambda z: z <= 1),
            "Mind both borders: y f = 1 is kind 0 (no slack) and y f = 0 is kind 2 (misclassified).",
        ),
        Mistake(
            partial(_slacks, wrong=lambda z: z < 1),
            "Slack alone is no misclassification: kind 2 only where y f <= 0, kind 1 between 0 and 1.",
        ),
        Mistake(
            partial(_slacks, wrong=lambda z: z <= -1),
            "Slack above 1 is enough to be misclassified: kind 2 where y f <= 0, not y f <= -1.",
        ),
        Mistake(
            lambda X, y, theta: ((s := _slacks(X, y, theta))[0], 2 - s[1]),
            "Your kinds are upside down: 0 without slack, 1 inside the street, 2 misclassified.",
        ),
        Mistake(
            lambda X, y, theta: ((s := _slacks(X, y, theta))[0], s[1] + 1),
            "Your kinds are 1, 2, 3: they are numbered 0, 1, 2.",
        ),
        Mistake(
            lambda X, y, theta: ((s := _slacks(X, y, theta))[0], np.bincount(s[1], minlength=3)),
            "You count how many there are of each kind: return the kind of each example, shape (n,).",
        ),
    ),
    hints=(
        "z = y * (X @ theta[:-1] + theta[-1]) gives all agreements at once. Both answers depend on z alone.",
        "Slack is 1 - z where that is positive, else 0: np.maximum(0, 1 - z). The kinds change at z = 1 and at z = 0.",
        "kind = np.where(z <= 0, 2, np.where(z < 1, 1, 0)).",
    ),
)


# support_vectors

TOLERANCE = 1e-6


def _support(
    X: Floats,
    y: Floats,
    theta: Floats,
    score: Score = _agreements,
    edge: Callable[[Floats], Floats] = lambda z: np.abs(z - 1) <= TOLERANCE,
    inside: Callable[[Floats], Floats] = lambda z: z < 1 - TOLERANCE,
    listed: Callable[[Floats], Any] = np.flatnonzero,
) -> tuple[Any, Any]:
    z = score(X, y, theta)
    return listed(edge(z)), listed(inside(z))


def _support_cases(rng: np.random.Generator) -> Iterator[Case]:
    near, clear = TOLERANCE * rng.uniform(0.2, 0.8), 1e-3  # as rounding makes it, and no longer
    both = [1 - near, 1 + near, 1 - clear, 1 + clear, 0.5, -1.0, -2.5, 1e-9]
    no_edge, no_slack = [0.5, 1 - clear, -1.0, 1e-9], [1 + near, 1.5, 1 + clear, 1 - near]
    for n, d, wanted in ((9, 1, both), (9, 2, both), (10, 2, both), (12, 3, both), (5, 2, no_edge), (4, 2, no_slack)):
        w = quarters(rng, d)
        while w @ w < 0.25 or abs(w @ w - 1) < 0.1:
            w = quarters(rng, d)
        offset = float(rng.choice([-0.75, -0.5, 0.25, 0.5, 0.75]))
        y = labels(rng, n)
        z = np.concatenate([wanted, rng.choice([-1.5, 0.25, 0.75, 1.5, 2.0, 3.0], n - len(wanted))])
        z[1:] = rng.permutation(z[1:])  # example 0 is in one of the lists: a list from 1 shows
        X = quarters(rng, n, d)
        X += ((y * z - offset - X @ w) / (w @ w))[:, None] * w
        yield X, y, np.append(w, offset)


def _one_list(X: Floats, y: Floats, theta: Floats, keep: Callable[[Floats], Any]) -> Any:
    return np.flatnonzero(keep(_agreements(X, y, theta)))


SUPPORT_VECTORS = Task(
    name="support_vectors",
    points=3,
    arguments=("X", "y", "theta"),
    returns=("on_edge", "with_slack"),
    cases=_support_cases,
    answer=_support,
    mistakes=(
        *_score_mistakes(_support),
        Mistake(
            partial(_support, edge=lambda z: z == 1),
            "Rounding: an agreement of 1.0000001 is on the edge as well, so test abs(y f - 1) <= 1e-6, not equality.",
        ),
        Mistake(
            partial(_support, edge=lambda z: z == 1, inside=lambda z: z < 1),
            "Rounding: an agreement of 0.9999999 is on the edge and has no slack to speak of; use the tolerance 1e-6.",
        ),
        Mistake(
            partial(_support, inside=lambda z: z < 1),
            "An example on the edge within the tolerance is in both your lists: with slack begins below 1 - 1e-6.",
        ),
        Mistake(
            partial(_support, inside=lambda z: z <= 1 + TOLERANCE),
            "Those on the edge belong to the first list alone: with slack begins below 1 - 1e-6.",
        ),
        Mistake(
            partial(_support, inside=lambda z: (z < 1 - TOLERANCE) & (z > 0)),
            "The misclassified examples have slack too: they belong to the second list.",
        ),
        Mistake(
            partial(_support, inside=lambda z: z <= 0),
            "The second list is not that of the misclassified: whoever is inside the street has slack too.",
        ),
        Mistake(
            partial(_support, inside=lambda z: z < -1 - TOLERANCE),
            "Slack begins at y f < 1: y f < -1 is beyond the opposite edge.",
        ),
        Mistake(
            partial(_support, inside=lambda z: z > 1 + TOLERANCE),
            "The second list is that of the examples beyond their edge: those are not support vectors.",
        ),
        Mistake(
            partial(_support, edge=lambda z: np.abs(z) <= TOLERANCE),
            "The edges are where y f = 1; y f = 0 is the line itself.",
        ),
        Mistake(
            partial(_support, edge=lambda z: np.abs(np.abs(z) - 1) <= TOLERANCE),
            "An example on the edge of the OTHER class, y f = -1, is misclassified: the first list wants y f = 1.",
        ),
        Mistake(
            lambda X, y, theta: _support(
                X, y, theta, score=lambda *c: _agreements(*c) / np.linalg.norm(theta[:-1])
            ),
            "You compare distances with 1: the edges are where the agreement y f is 1, at distance 1/||w||.",
        ),
        Mistake(
            partial(_support, edge=lambda z: np.isclose(z, z.min())),
            "The edge is not where the smallest agreement is: it is where y f = 1.",
        ),
        Mistake(
            partial(_support, listed=lambda mask: mask * 1),
            "You return 1 and 0 for every example: return the row numbers (np.flatnonzero).",
        ),
        Mistake(
            partial(_support, listed=np.where),
            "np.where(condition) is a tuple around the list: np.where(condition)[0] is the list, or np.flatnonzero.",
        ),
        Mistake(
            partial(_support, edge=lambda z: np.abs(z - 1) < 0.01, inside=lambda z: z <= 0.99),
            "Your tolerance is too wide: 1e-6 is for rounding, and an agreement of 0.999 has slack.",
        ),
        Mistake(
            partial(_support, listed=lambda mask: np.flatnonzero(mask) + 1),
            "Your numbers begin at 1: the first row of X is example 0.",
        ),
        Mistake(
            partial(_support, listed=lambda mask: np.flatnonzero(mask)[::-1]),
            "Your numbers go down: list them in increasing order.",
        ),
        Mistake(
            partial(_support, listed=np.count_nonzero),
            "You return how many there are: return which, as row numbers.",
        ),
        Mistake(
            lambda X, y, theta: _support(X, y, theta)[::-1],
            "The two lists are exchanged: first those on the edge, then those with slack.",
        ),
        Mistake(
            lambda X, y, theta: (_one_list(X, y, theta, lambda z: z <= 1 + TOLERANCE), _support(X, y, theta)[1]),
            "The first list is that of all support vectors: only abs(y f - 1) <= 1e-6 belongs there.",
        ),
    ),
    hints=(
        "Both lists come from the agreements z = y * (X @ theta[:-1] + theta[-1]).",
        "On the edge: abs(z - 1) <= 1e-6. With slack: z < 1 - 1e-6, however far it lies on the wrong side.",
        "np.flatnonzero(condition) gives the row numbers where a condition holds, in increasing order.",
    ),
)


# soft_margin


def _soft_margin(
    X: Floats,
    y: Floats,
    theta: Floats,
    lam: float,
    score: Score = _agreements,
    loss: Callable[[Floats], Any] = lambda z: np.maximum(0, 1 - z).mean(),
    penalty: Callable[[Floats], Any] = lambda theta: theta[:-1] @ theta[:-1] / 2,
    hit: Callable[[Floats], Floats] = lambda z: z <= 1,
    pull: Callable[[Floats, Floats], Floats] = lambda Z, hit: -(hit @ Z) / len(Z),
    shrink: Callable[[Floats], Floats] = lambda theta: np.append(theta[:-1], 0.0),
) -> tuple[Any, Floats]:
    z, Z = score(X, y, theta), y[:, None] * np.column_stack([X, np.ones(len(X))])
    return loss(z) + lam * penalty(theta), pull(Z, hit(z)) + lam * shrink(theta)


def _soft_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d, lam in ((4, 1, 0.5), (5, 2, 0.25), (6, 2, 2.0), (7, 3, 0.75), (8, 2, 0.0)):
        while True:
            X, y, theta = quarters(rng, n, d), labels(rng, n), quarters(rng, d + 1)
            # Someone exactly on the edge, someone beyond it, someone inside, someone wrong.
            theta[-1] = y[0] - X[0] @ theta[:-1]
            z = _agreements(X, y, theta)
            pulls = _soft_margin(X, y, theta, 0.0)[1]
            if (
                theta.all() and X[0].all() and (z > 1).any() and ((z < 1) & (z > 0)).any() and pulls.all()
                and abs(theta[:-1] @ theta[:-1] - 1) > 0.1 and (z < 0).any()
            ):
                break
        yield X, y, theta, lam


def _hit_mean(Z: Floats, hit: Floats) -> Floats:
    return -(hit @ Z) / max(np.count_nonzero(hit), 1)


SOFT_MARGIN = Task(
    name="soft_margin",
    points=4,
    arguments=("X", "y", "theta", "lam"),
    returns=("value", "slope"),
    cases=_soft_cases,
    answer=_soft_margin,
    mistakes=(
        *_score_mistakes(_soft_margin),
        Mistake(
            partial(_soft_margin, loss=lambda z: np.maximum(0, 1 - z).sum(), pull=lambda Z, hit: -(hit @ Z)),
            "You sum over the examples: here the loss is their mean, in the value and in the slope.",
        ),
        Mistake(
            partial(_soft_margin, loss=lambda z: np.maximum(0, 1 - z).sum()),
            "The value sums the slacks: take their mean.",
        ),
        Mistake(
            partial(_soft_margin, pull=lambda Z, hit: -(hit @ Z)),
            "The slope sums over the examples: divide by n, as the value does.",
        ),
        Mistake(
            partial(_soft_margin, pull=_hit_mean),
            "The slope divides by the number of examples that pull: divide by n, the others count as 0.",
        ),
        Mistake(
            partial(_soft_margin, loss=lambda z: np.maximum(0, -z).mean(), hit=lambda z: z <= 0),
            "That is the perceptron's loss: the hinge loss is max(0, 1 - y f), and its examples pull up to y f = 1.",
        ),
        Mistake(
            partial(_soft_margin, loss=lambda z: (1 - z).mean(), hit=lambda z: np.ones(len(z))),
            "Examples beyond their edge have no loss and no pull: cut 1 - y f off at 0.",
        ),
        Mistake(
            partial(_soft_margin, loss=lambda z: (1 - z).mean()),
            "Examples beyond their edge have no loss: cut 1 - y f off at 0.",
        ),
        Mistake(
            partial(_soft_margin, loss=lambda z: (np.maximum(0, 1 - z) ** 2).mean()),
            "The hinge loss is not squared.",
        ),
        Mistake(
            partial(_soft_margin, hit=lambda z: z < 1),
            "An example exactly on its edge pulls too: the slope of the hinge loss is -1 where y f <= 1.",
        ),
        Mistake(
            partial(_soft_margin, hit=lambda z: z <= 0),
            "In the slope only the misclassified pull: every example with y f <= 1 must.",
        ),
        Mistake(
            partial(_soft_margin, hit=lambda z: z > 1),
            "In the slope the wrong examples pull: those with y f <= 1 must, those beyond their edge not.",
        ),
        Mistake(
            partial(_soft_margin, hit=lambda z: np.ones(len(z))),
            "In the slope all examples pull: those beyond their edge, y f > 1, have slope 0.",
        ),
        Mistake(
            partial(_soft_margin, hit=lambda z: np.maximum(0, 1 - z)),
            "The slope multiplies by the slack: an example inside pulls with force 1, however large its slack.",
        ),
        Mistake(
            partial(_soft_margin, pull=lambda Z, hit: (hit @ Z) / len(Z)),
            "The loss part of the slope has the wrong sign: an example with slack adds -y (x, 1) / n.",
        ),
        Mistake(
            partial(_soft_margin, pull=lambda Z, hit: -(hit @ (Z * Z[:, -1:])) / len(Z)),
            "The slope lost the labels: an example with slack adds -y (x, 1) / n.",
        ),
        Mistake(
            partial(_soft_margin, pull=lambda Z, hit: np.append(-(hit @ Z[:, :-1]), 0.0) / len(Z)),
            "The slope of the offset is missing: each example with slack adds -y / n to it.",
        ),
        Mistake(
            lambda X, y, theta, lam: ((s := _soft_margin(X, y, theta, lam))[0], s[1][:-1]),
            "The slope has as many entries as theta: that of the offset is the last one.",
        ),
        Mistake(
            partial(_soft_margin, penalty=lambda t: t @ t / 2, shrink=lambda theta: theta),
            "You penalise the offset: ||w||^2 has the weights alone, and the last entry of the slope no lambda.",
        ),
        Mistake(
            partial(_soft_margin, penalty=lambda t: t @ t / 2),
            "The value penalises the offset: ||w||^2 has the weights alone.",
        ),
        Mistake(
            partial(_soft_margin, shrink=lambda theta: theta),
            "The slope penalises the offset: its last entry has no lambda in it.",
        ),
        Mistake(
            partial(_soft_margin, penalty=lambda t: t[:-1] @ t[:-1], shrink=lambda t: np.append(2 * t[:-1], 0)),
            "You use lambda ||w||^2: here the penalty is lambda/2 ||w||^2, with slope lambda w.",
        ),
        Mistake(
            partial(_soft_margin, penalty=lambda t: t[:-1] @ t[:-1]),
            "The value uses lambda ||w||^2: here the penalty is lambda/2 ||w||^2.",
        ),
        Mistake(
            partial(_soft_margin, penalty=lambda t: np.linalg.norm(t[:-1]) / 2),
            "The penalty is not squared: lambda/2 ||w||^2.",
        ),
        Mistake(
            partial(_soft_margin, penalty=lambda t: np.abs(t[:-1]).sum()),
            "That is the L1 penalty: here it is lambda/2 ||w||^2.",
        ),
        Mistake(partial(_soft_margin, penalty=lambda t: 0.0), "The value has no penalty: add lambda/2 ||w||^2."),
        Mistake(
            partial(_soft_margin, shrink=lambda t: np.append(2 * t[:-1], 0)),
            "The slope of lambda/2 ||w||^2 is lambda w: yours is twice that.",
        ),
        Mistake(
            partial(_soft_margin, shrink=lambda t: np.append(t[:-1] / 2, 0)),
            "The slope of lambda/2 ||w||^2 is lambda w: yours is half of that.",
        ),
        Mistake(partial(_soft_margin, shrink=lambda t: 0 * t), "The slope has no penalty: add lambda w."),
        Mistake(
            partial(_soft_margin, shrink=lambda t: -np.append(t[:-1], 0)),
            "The penalty's slope has the wrong sign: it is +lambda w.",
        ),
        Mistake(
            lambda X, y, theta, lam: (
                (s := _soft_margin(X, y, theta, lam))[0], s[1] - lam * np.append(theta[:-1], 0) * (1 - 1 / len(X))
            ),
            "The penalty is not divided by n: only the losses are averaged.",
        ),
        Mistake(
            lambda X, y, theta, lam: ((s := _soft_margin(X, y, theta, lam))[0], -s[1]),
            "Your slope points downhill: return the slope itself; the minus comes with the step.",
        ),
    ),
    hints=(
        "Take the two halves one by one: the mean of max(0, 1 - z) with z = y f, and lam / 2 times w @ w.",
        "In the slope each example with z <= 1 adds -y (x, 1) / n, the others nothing. The penalty adds lam * w to the "
        "weights and nothing to the offset.",
        "Z = y[:, None] * np.column_stack([X, np.ones(len(X))]); slope = -((z <= 1) @ Z) / len(X); "
        "slope[:-1] += lam * theta[:-1].",
    ),
)


# pegasos


def _pegasos(
    X: Floats,
    y: Floats,
    lam: float,
    order: Any,
    rate: Callable[[float, int], float] = lambda lam, t: 1 / (lam * t),
    hit: Callable[[float], bool] = lambda z: z <= 1,
    label: Callable[[float], float] = lambda y: y,
    shrink: Callable[[float, float, bool], float] = lambda lam, eta, hit: 1 - eta * lam,
    radius: Callable[[float], float] = lambda lam: lam**-0.5,
    project: Callable[[Floats, float], Floats] = lambda w, r: w * min(1, r / max(np.linalg.norm(w), 1e-300)),
    test_after: bool = False,
    pull_first: bool = False,
) -> tuple[Floats, Floats]:
    w, ws = np.zeros(X.shape[1]), []
    for t, i in enumerate(order, start=1):
        eta = rate(lam, t)
        pulls = hit(y[i] * (w @ X[i]))
        new = shrink(lam, eta, pulls) * w
        if test_after:
            pulls = hit(y[i] * (new @ X[i]))
        pull = eta * label(y[i]) * X[i] * (shrink(lam, eta, pulls) if pull_first else 1.0)
        w = project(new + pull if pulls else new, radius(lam))
        ws.append(w)
    return w, np.mean(ws, axis=0)


def _pegasos_cases(rng: np.random.Generator) -> Iterator[Case]:
    for n, d, lam, steps in ((4, 1, 0.5, 8), (4, 2, 0.25, 9), (5, 2, 0.125, 14), (6, 3, 0.0625, 25), (8, 2, 0.375, 40)):
        while True:
            y = labels(rng, n)
            # Clouds that reach into each other: some examples pull, others do not.
            X = 0.8 * rng.normal(size=(n, d)) + y[:, None]
            case = X, y, lam, np.append(rng.permutation(n)[:3], rng.integers(n, size=steps - 3))
            ends = [answer(*case)[0] for answer in (_pegasos, *_PEGASOS_SHRINKS, _pegasos_always_scaled)]
            # Being scaled back after every step may hide how w shrinks.
            if min(np.abs(a - b).max() for a, b in combinations(ends, 2)) > 0.01:
                break
        yield case
    # Step 2 finds an agreement of exactly 1: x . x / lambda, without rounding.
    x, sign = rng.choice([0.25, 0.5]), rng.choice([-1.0, 1.0])
    yield sign * np.array([[x], [-1.5]]), np.array([1.0, -1.0]), float(x * x), np.array([0, 0, 1])


_PEGASOS_SHRINKS = [
    partial(_pegasos, shrink=shrink)
    for shrink in (
        lambda lam, eta, hit: 1.0,
        lambda lam, eta, hit: 1 - eta * lam if hit else 1.0,
        lambda lam, eta, hit: 1.0 if hit else 1 - eta * lam,
        lambda lam, eta, hit: 1 + eta * lam,
    )
]
_pegasos_always_scaled = partial(_pegasos, project=lambda w, r: w * r / max(np.linalg.norm(w), 1e-300))


def _pegasos_last_only(change: Callable[..., Any]) -> Callable[..., Any]:
    return lambda X, y, lam, order: (_pegasos(X, y, lam, order)[0], change(X, y, lam, order))


PEGASOS = Task(
    name="pegasos",
    points=4,
    arguments=("X", "y", "lam", "order"),
    returns=("w", "average"),
    cases=_pegasos_cases,
    answer=_pegasos,
    mistakes=(
        Mistake(
            partial(_pegasos, rate=lambda lam, t: 1 / (lam * (t + 1))),
            "Your t starts at 2: the first step has t = 1 and eta = 1/lambda.",
        ),
        Mistake(
            partial(_pegasos, rate=lambda lam, t: 1 / t),
            "Your step size is 1/t: it must be 1/(lambda t).",
        ),
        Mistake(
            partial(_pegasos, rate=lambda lam, t: 1 / t, shrink=lambda lam, eta, hit: 1 - eta),
            "You add y x / t: the step size is 1/(lambda t), and the example takes all of it.",
        ),
        Mistake(
            partial(_pegasos, rate=lambda lam, t: 1 / lam),
            "Your step size stays 1/lambda: it must fall, 1/(lambda t).",
        ),
        Mistake(
            partial(_pegasos, rate=lambda lam, t: 1 / (lam * np.sqrt(t))),
            "Your step size falls with the root of t: it must be 1/(lambda t).",
        ),
        Mistake(
            partial(_pegasos, rate=lambda lam, t: lam / t),
            "Your step size is lambda/t: lambda belongs below, 1/(lambda t).",
        ),
        Mistake(
            partial(_pegasos, hit=lambda z: z < 1),
            "At y f = 1 exactly an example still pulls: the question is y f <= 1.",
        ),
        Mistake(
            partial(_pegasos, hit=lambda z: z <= 0),
            "An example pulls when y f <= 1: inside the street too, not only when it is misclassified.",
        ),
        Mistake(
            partial(_pegasos, hit=lambda z: z > 1),
            "The wrong examples pull: those with y f <= 1 must.",
        ),
        Mistake(
            partial(_pegasos, hit=lambda z: True),
            "Every example pulls: those with y f > 1 only let w shrink.",
        ),
        Mistake(
            partial(_pegasos, label=lambda y: 1.0),
            "The pull lost its label: add eta y x.",
        ),
        Mistake(
            partial(_pegasos, label=lambda y: -y),
            "The pull has the wrong sign: add eta y x, so that the agreement of this example grows.",
        ),
        Mistake(
            _PEGASOS_SHRINKS[0],
            "w never shrinks: every step multiplies it by 1 - eta lambda first.",
        ),
        Mistake(
            _PEGASOS_SHRINKS[1],
            "w shrinks only when the example pulls: it must shrink in every step.",
        ),
        Mistake(
            _PEGASOS_SHRINKS[2],
            "w shrinks only when the example does not pull: it must shrink in every step.",
        ),
        Mistake(
            partial(_pegasos, shrink=lambda lam, eta, hit: 1 - lam),
            "w shrinks by 1 - lambda: the factor is 1 - eta lambda, which is 1 - 1/t.",
        ),
        Mistake(
            partial(_pegasos, shrink=lambda lam, eta, hit: 1 - eta * lam / 2),
            "w shrinks too little: the slope of lambda/2 ||w||^2 is lambda w, so the factor is 1 - eta lambda.",
        ),
        Mistake(
            partial(_pegasos, shrink=lambda lam, eta, hit: 1 - 2 * eta * lam),
            "w shrinks twice too much: the slope of lambda/2 ||w||^2 is lambda w, so the factor is 1 - eta lambda.",
        ),
        Mistake(
            _PEGASOS_SHRINKS[3],
            "w grows: the factor is 1 - eta lambda.",
        ),
        Mistake(
            partial(_pegasos, pull_first=True),
            "You shrink w after the pull, and so the pull too: first (1 - eta lambda) w, then add eta y x.",
        ),
        Mistake(
            partial(_pegasos, test_after=True),
            "You shrink w before you look at the example: take y f with w as the step finds it.",
        ),
        Mistake(
            partial(_pegasos, radius=lambda lam: np.inf),
            "The last part of the step is missing: where ||w|| is above 1/sqrt(lambda), scale w back to that length.",
        ),
        Mistake(
            partial(_pegasos, radius=lambda lam: 1 / lam),
            "Your ball has the radius 1/lambda: it is 1/sqrt(lambda).",
        ),
        Mistake(
            partial(_pegasos, radius=lambda lam: lam**0.5),
            "Your ball has the radius sqrt(lambda): it is 1/sqrt(lambda).",
        ),
        Mistake(
            partial(_pegasos, radius=lambda lam: 1.0),
            "Your ball has the radius 1: it is 1/sqrt(lambda).",
        ),
        Mistake(
            _pegasos_always_scaled,
            "You scale w to the length 1/sqrt(lambda) in every step: only where it is longer.",
        ),
        Mistake(
            partial(_pegasos, project=lambda w, r: np.clip(w, -r, r)),
            "You cut off every weight by itself: scale w as a whole, so that it keeps its direction.",
        ),
        Mistake(
            _pegasos_last_only(lambda X, y, lam, order: _pegasos(X, y, lam, order)[1] * len(order) / (len(order) + 1)),
            "The start counts in your average: take the mean of w after step 1, 2, ..., T.",
        ),
        Mistake(
            _pegasos_last_only(
                lambda X, y, lam, order: np.append([0 * X[0]], _path(X, y, lam, order)[:-1], axis=0).mean(axis=0)
            ),
            "Your average takes each w before its step: take the mean of w after step 1, 2, ..., T.",
        ),
        Mistake(
            _pegasos_last_only(lambda X, y, lam, order: _pegasos(X, y, lam, order)[1] * len(order)),
            "You return the sum of all w: divide by the number of steps.",
        ),
        Mistake(
            _pegasos_last_only(lambda X, y, lam, order: _pegasos(X, y, lam, order)[1] * len(order) / len(X)),
            "Your average is divided by n: divide by the number of steps, len(order).",
        ),
        Mistake(
            _pegasos_last_only(lambda X, y, lam, order: _path(X, y, lam, order)[len(order) // 2 :].mean(axis=0)),
            "You average over the second half alone: take the mean over all steps.",
        ),
        Mistake(
            _pegasos_last_only(lambda X, y, lam, order: _pegasos(X, y, lam, order)[0]),
            "Your average is the last w: a list that holds the same array again and again does that; append a copy.",
        ),
        Mistake(
            _pegasos_last_only(lambda X, y, lam, order: _path(X, y, lam, order)),
            "You return all w: average is their mean, shape (d,).",
        ),
        Mistake(
            lambda X, y, lam, order: _pegasos(X, y, lam, order)[::-1],
            "w and average are exchanged: first the last w, then the mean of all.",
        ),
        Mistake(
            lambda X, y, lam, order: _pegasos(X, y, lam, np.arange(len(order)) % len(X)),
            "You take the examples one after the other: step t uses the example order[t - 1].",
        ),
    ),
    hints=(
        "for t, i in enumerate(order, start=1): one step. There is no offset: f = w @ X[i].",
        "First ask whether y[i] * (w @ X[i]) <= 1. Then w = (1 - eta * lam) * w, and if it was so add eta * y[i] * "
        "X[i]. Then look at the length of w.",
        "length = np.linalg.norm(w); if length > 1 / np.sqrt(lam): w = w / (length * np.sqrt(lam)). Keep a total: "
        "total = total + w after each step, average = total / len(order).",
    ),
)


def _path(X: Floats, y: Floats, lam: float, order: Any) -> Floats:
    return np.array([_pegasos(X, y, lam, order[: t + 1])[0] for t in range(len(order))])


# read_street

STREET_X = np.array([[1.0, 1.0], [1.0, 0.5], [0.0, 1.0], [0.0, 0.0], [0.2, 1.0], [1.0, 0.75]])
STREET_Y = np.array([1.0, 1.0, -1.0, -1.0, -1.0, -1.0])
STREET_THETA = np.array([3.0, 4.0, -5.0])
CHANGES = (1, 1, 0, -1)  # what the margin does


def _street(**change: Any) -> tuple[Any, ...]:
    z = _agreements(STREET_X, STREET_Y, STREET_THETA)
    right = {
        "margin": 0.2,
        "slack": np.maximum(0, 1 - z),
        "support": float(np.sum(z <= 1 + TOLERANCE)),
        "wrong": float(np.sum(z <= 0)),
        "changes": np.array(CHANGES, float),
    }
    return tuple({**right, **change}.values())


def _changed(k: int, *values: float) -> Floats:
    changes = np.array(CHANGES, float)
    changes[k : k + len(values)] = values
    return changes


_STREET_Z = _agreements(STREET_X, STREET_Y, STREET_THETA)

READ_STREET = Task(
    name="read_street",
    points=3,
    arguments=(),
    returns=("margin", "slack", "support", "wrong", "changes"),
    cases=lambda rng: [()],
    answer=_street,
    mistakes=tuple(
        Mistake(partial(_street, **{part: value}), sentence)
        for part, value, sentence in (
            ("margin", 0.4, "0.4 is the whole street: the margin is half of it, 1/||w||."),
            ("margin", 5.0, "5 is the length of the weights: the margin is 1 over it."),
            ("margin", 1 / 7, "You added the weights up: the length of (3, 4) is the root of 9 + 16."),
            ("margin", 50**-0.5, "The offset is no part of the normal vector: measure (3, 4) alone."),
            ("margin", 0.04, "You divided by ||w||^2: take the root."),
            (
                "slack", np.maximum(0, 1 - STREET_Y * _STREET_Z),
                "You took the scores f: an agreement is y f, so turn the sign for the negative examples.",
            ),
            ("slack", 1 - _STREET_Z, "Slack is never negative: examples beyond their edge have 0."),
            (
                "slack", np.maximum(0, -_STREET_Z),
                "Slack begins at the edge, y f = 1, not at the line: max(0, 1 - y f).",
            ),
            (
                "slack", np.maximum(0, 1 - _STREET_Z) / 5,
                "Slack is counted in units of the margin: do not divide by ||w||.",
            ),
            (
                "support", 3.0,
                "Count again: the example exactly on its edge, the one on the line and those beyond it are support "
                "vectors, y f <= 1.",
            ),
            ("support", 1.0, "Those with slack are support vectors too, not only those on the edge: y f <= 1."),
            ("support", 2.0, "Support vectors are all with y f <= 1, on the right side and on the wrong one."),
            ("wrong", 1.0, "A score of exactly 0 counts as misclassified, whatever the label."),
            ("wrong", 3.0, "Slack does not make an example misclassified: count y f <= 0."),
            (
                "changes", _changed(0, -1),
                "First change: a larger lambda makes long weights dearer. What happens to ||w||, and so to 1/||w||?",
            ),
            ("changes", _changed(0, 0), "First change: lambda is the price of long weights; the margin follows it."),
            (
                "changes", _changed(1, -1),
                "Second change: all distances double. The line that fits has weights half as long; and 1/||w||?",
            ),
            (
                "changes", _changed(1, 0),
                "Second change: distances are measured in the units of the data, and so is the margin.",
            ),
            (
                "changes", _changed(2, 1),
                "Third change: does an example beyond its edge pull at all? What is its slack before and after?",
            ),
            (
                "changes", _changed(2, -1),
                "Third change: an example beyond its edge has no slack, and the move leaves it so.",
            ),
            (
                "changes", _changed(3, 1),
                "Fourth change: a hard margin has to respect the new example as well. Can the street become wider?",
            ),
            (
                "changes", _changed(3, 0),
                "Fourth change: the example is inside the street, where nobody may be. Something has to give way.",
            ),
        )
    ),
    hints=(
        "The scores first: f = 3 x1 + 4 x2 - 5 for each of the six examples, then y f. The length of (3, 4) is a whole "
        "number.",
        "margin = 1/||w||. slack = max(0, 1 - y f). Support vectors have y f <= 1, the misclassified y f <= 0; mind B "
        "and C.",
        "The agreements are 2, 0, 1, 5, 0.4 and -1 for A to F. For the changes: what pulls, and what does it cost to "
        "have long weights?",
    ),
)

TASKS = (MARGIN, SLACKS, SUPPORT_VECTORS, SOFT_MARGIN, PEGASOS, READ_STREET)
