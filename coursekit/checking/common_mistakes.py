"""Mistakes that have nothing to do with what a task is about: a sign, a factor, an entry too few."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from coursekit.checking.compare import arrays, close, constant_difference, equals, numbers, only_line, size
from coursekit.checking.signature import shape
from coursekit.checking.task import Floats, Task

AT_FIRST = "return all of them; a return in a loop, a loop that ends early, or a missing append leaves the first alone"
# What goes wrong in any task: how many axes the right w has, at least and at most; what comes instead; what to say.
FORMS: tuple[tuple[int, int, Callable[[Floats], Any], str], ...] = (
    *((1, 1, partial(np.expand_dims, axis=axis), f"is a {what}: it should be flat, of shape (n,); .ravel() makes it so")
      for axis, what in ((1, "column of shape (n, 1)"), (0, "row of shape (1, n)"))),
    (2, 2, lambda w: w.T, "lies on its side: rows and columns are exchanged"),
    (2, 2, lambda w: np.broadcast_to(w[-1], w.shape),
     "has the same numbers in every row: [[0] * k] * k holds one list k times, so make a new one for each row"),
    (2, 2, np.triu, "is filled above its diagonal alone"),
    (2, 2, np.tril, "is filled below its diagonal alone"),
    (2, 2, lambda w: w * (1 - np.eye(w.shape[0], w.shape[1])), "has zeros on its diagonal"),
    (1, 1, np.sort, "is sorted: its order should stay as it comes"),
    (1, 9, lambda w: w[0], f"is the first entry alone: {AT_FIRST}"),
    (1, 9, lambda w: w[-1], "is the last entry alone: collect all of them"),
    (1, 9, lambda w: w[:1], f"holds the first entry alone: {AT_FIRST}"),
    (1, 9, lambda w: w[:-1], "lacks the last entry: go one further"),
    (1, 9, lambda w: w[1:], "lacks the first entry: begin one earlier"),
    (2, 9, lambda w: w[..., :-1], "lacks the last entry of each row: go one further"),
    (1, 1, lambda w: np.roll(w, 1), "begins with what should be its last entry"),
    (1, 1, lambda w: np.roll(w, -1), "ends with what should be its first entry"),
    (1, 9, lambda w: w[::-1], "is the wrong way round: its first entry should be the last"),
    *((axes, 9, partial(f, axis=axis), f"is {one}the {name} of the right {ones}: return all of them")
      for axes, axis, one, ones in ((1, None, "one number, ", "ones"), (2, 0, "", "rows"))
      for f, name in ((np.sum, "sum"), (np.mean, "mean"))),
    (0, 9, np.negative, "has the opposite sign everywhere: there is a minus too many or too few"),
    (0, 9, np.abs, "has lost its signs: what is negative should stay so"),
    (0, 9, np.sign, "has kept the signs alone: return the numbers themselves"),
    (0, 9, lambda w: np.maximum(w, 0), "is 0 where it should be negative, as if there were a max(0, ...) too many"),
    (0, 9, np.trunc, "has lost its fractions: //, int(...) and an array of integers cut them off"),
    *((0, 9, partial(np.round, decimals=digits), "is rounded: return the numbers as they are, or take a finer grid")
      for digits in (0, 1, 2, 3)),
    (0, 9, lambda w: w + 1, "is 1 too large everywhere, as where counting begins at 1 instead of 0"),
    (0, 9, lambda w: w - 1, "is 1 too small everywhere, as where counting begins at 0 instead of 1"),
    (0, 9, lambda w: 1 - w, "is 1 minus what it should be: take it from 1 or leave that out, or count the opposite"),
    (0, 9, lambda w: 2 * w, "is twice what it should be, everywhere"),
    (0, 9, lambda w: w / 2, "is half of what it should be, everywhere"),
    (0, 9, lambda w: 100 * w, "is in per cent: it should be 100 times smaller"),
    (0, 9, lambda w: 1 / w, "is 1 divided by what it should be: turn it over"),
    (1, 1, lambda w: w / len(w), "is divided by n, the number of its entries: leave that out"),
    (1, 1, lambda w: w / np.linalg.norm(w), "is divided by its length: leave that out"),
    (0, 9, np.square, "is the square of what it should be: leave the square out, or take its square root"),
    (0, 9, lambda w: np.sqrt(np.abs(w)), "is the square root of what it should be: leave the root out, or square it"),
)


def _same_rows(g: Floats, w: Floats) -> bool:
    if not 1 <= w.ndim <= 2 or np.array_equal(np.sort(w, axis=0), np.arange(len(w))):  # numbers in an order: no wonder
        return False
    alike = partial(np.allclose, rtol=1e-4, atol=1e-4)
    return alike(*(np.array(sorted(a.tolist())) for a in (g, w))) and not alike(g, w)


# The other way round: what makes the right w of a wrong g that has its shape; what to say.
REPAIRS: tuple[tuple[Callable[[Floats, Floats], Any], str], ...] = (
    (lambda g, w: np.maximum(g, 0), "is negative where it should be 0, as if a max(0, ...) were missing"),
    (lambda g, w: np.abs(g), "is negative in places: take its size, without the sign"),
    (lambda g, w: g / (np.linalg.norm(g) or 1), "should have length 1: divide it by its length"),
    (lambda g, w: np.floor(g), "has fractions: it should be rounded down"),
    (lambda g, w: np.ceil(g), "has fractions: it should be rounded up"),
    (lambda g, w: np.where(g == 0, w, g), "is 0 in places where it should not be; all the rest of it is right"),
    (lambda g, w: np.where(w == 0, w, g), "has numbers in places where it should be 0; all the rest of it is right"),
    (lambda g, w: w if _same_rows(g, w) else g, "is right but for the order in which its entries or rows stand"),
)
REDUCTIONS: tuple[tuple[Callable[..., Any], str], ...] = (
    (np.sum, "the sum"), (np.mean, "the mean"), (np.max, "the largest"), (np.min, "the smallest"),
    (np.linalg.norm, "the length"))
# What makes one number of a row of them, or a row of a table.
REDUCED: tuple[tuple[Callable[[Floats], Any], str], ...] = (
    (lambda g: g[0] if len(g) == 1 else np.nan, "is a list with one entry: return that entry itself"),
    (lambda g: g[-1], "holds all of them: return the last one alone"),
    (lambda g: np.full(g.shape[1:], len(g)), "holds several: return how many there are"),
    *((partial(f, axis=-1), f"has {{shape}}: return {word}{{of}}") for f, word in REDUCTIONS),
    *((partial(f, axis=0), f"has {{shape}}: return {word} of each column") for f, word in REDUCTIONS),
)
# What makes one of the right size of one that is too large.
LARGER: tuple[tuple[Callable[[Floats], Any], str], ...] = (
    (lambda g: g[1:], "first"), (lambda g: g[:-1], "last"), (lambda g: g[..., :-1], "last of each row"))
# What may have been done with another number that is at hand, and what undoes it.
JOINED: tuple[tuple[Callable[[Floats, Any], Any], str, str], ...] = (
    (np.multiply, "multiplied by", "divide by it"), (np.divide, "divided by", "multiply by it"),
    (np.add, "plus", "subtract it"), (np.subtract, "minus", "add it"))


def common_mistake(task: Task, p: int, answers: Sequence[Any], first: bool) -> str:
    """What to say to one in part p, "" if there is none. first: no part before it is wrong, of which it might come."""
    counted = [k for k, answer in enumerate(answers) if not (answer is None is task.right[k][p])]
    got = [numbers(answers[k]) for k in counted]
    want = arrays([task.right[k][p] for k in counted])
    if not want or any(isinstance(g, str) for g in got):
        return ""
    part = _Part(task, p, counted, got, want, all(np.asarray(answers[k]).dtype == bool for k in counted))
    problem = next(_problems(part), "")
    if first and not (problem or part.becomes_right(got) or only_line(task, p, answers)) and part.same_shapes(want):
        problem = next(_miscalculated(part), "")
    your = f"Your `{task.returns[p]}`" if len(task.returns) > 1 else "Your answer"
    return f"{your} {problem}." if problem else ""


@dataclass(frozen=True)
class _Part:
    """Part p of the answers in the cases in which a number came: what came, and what is right."""

    task: Task
    p: int
    cases: list[int]
    got: list[Floats]
    want: list[Floats]
    truths: bool  # whether all that came is True or False

    def equals(self, values: Sequence[Any]) -> bool:
        return all(equals(g, value, self.task.tolerance) for g, value in zip(self.got, values, strict=True))

    def is_wrongly(self, values: Sequence[Any]) -> bool:
        """Whether it is these, and they are neither right nor a constant, which tells nothing."""
        return self.equals(values) and _varied(values) and any(
            np.shape(value) != w.shape or not equals(value, w, self.task.tolerance)
            for value, w in zip(values, self.want, strict=True))

    def becomes_right(self, repaired: Sequence[Any]) -> bool:
        return all(equals(value, w, self.task.tolerance) for value, w in zip(repaired, self.want, strict=True))

    def same_shapes(self, values: Sequence[Any]) -> bool:
        return all(g.shape == np.shape(value) for g, value in zip(self.got, values, strict=True))

    def argument(self, i: int) -> list[Any]:
        return [self.task.cases[k][i] for k in self.cases]

    def other_parts(self) -> Iterator[tuple[str, list[Floats]]]:
        """The right values of the other parts that are made of numbers, by their names."""
        for q, name in enumerate(self.task.returns):
            if q != self.p and (values := arrays([self.task.right[k][q] for k in self.cases])):
                yield name, values


def _varied(values: Sequence[Any]) -> bool:
    return len(np.unique(np.concatenate([np.ravel(v) for v in values]))) > 1


def _problems(part: _Part) -> Iterator[str]:
    got, want = part.got, part.want
    if not any(g.size for g in got) and all(w.size for w in want):
        yield "is empty in every case: nothing was put into it"
    if part.truths and all(np.array_equal(np.flatnonzero(g), w) for g, w in zip(got, want, strict=True)):
        yield "is True or False for each row: np.flatnonzero makes row numbers of it"
    if part.truths and part.same_shapes(want):
        times = "; multiply by 1, which makes 1 and 0 of True and False" if part.equals(want) else ""
        yield f"is True or False: return numbers{times}"
    for least, most, form, problem in FORMS:
        if all(least <= w.ndim <= most for w in want):
            with np.errstate(all="ignore"):
                forms = [form(w) if w.size else w for w in want]
            if part.is_wrongly(forms):
                yield problem
    for name, others in part.other_parts():
        if part.is_wrongly(others):
            yield f"is what belongs in `{name}`"
    yield from _positions(part)
    if all(g.ndim == w.ndim + 1 and (g.size or not w.ndim) for g, w in zip(got, want, strict=True)):
        for reduced, problem in REDUCED:
            if part.becomes_right([reduced(g) if g.size else 0 * w for g, w in zip(got, want, strict=True)]):
                of = " of each row" if got[0].ndim > 1 else ""
                yield problem.format(shape=size(got[0].shape, want[0].shape), of=of)
    if all(g.ndim == w.ndim > 0 for g, w in zip(got, want, strict=True)) and not part.same_shapes(want):
        yield from (f"has one too many: leave out the {which}" for smaller, which in LARGER
                    if part.becomes_right([smaller(g) for g in got]))
    if _varied(got) and all(g.ndim == 0 < w.ndim == 1 and close(g, w, part.task.tolerance).any()
                             for g, w in zip(got, want, strict=True)):
        yield "is one of the right numbers alone: return all of them"
    for i, argument in enumerate(part.task.arguments):
        shapes = [shape(value) for value in part.argument(i)]
        for axis, yours, right in ((0, "row", "column"), (1, "column", "row")) if not part.same_shapes(want) else ():
            if all(len(s) == 2 and (*g.shape, *w.shape) == (s[axis], s[1 - axis])
                   for s, g, w in zip(shapes, got, want, strict=True)):
                yield f"has a number for each {yours} of `{argument}`, not for each {right}: take axis={axis} there"
        if all(s and g.shape == s[:1] and w.shape == () for s, g, w in zip(shapes, got, want, strict=True)):
            line = "row" if len(shapes[0]) > 1 else "entry"
            yield f"has a number for each {line} of `{argument}`: return one number for all of them"
    if part.is_wrongly([np.reshape(w, g.shape) if w.size == g.size else w for g, w in zip(got, want, strict=True)]):
        g, w = next((g, w) for g, w in zip(got, want, strict=True) if w.shape != g.shape)
        yield f"has the right numbers in shape {g.shape}: give them the shape {w.shape}"


def _positions(part: _Part) -> Iterator[str]:
    for i, argument in enumerate(part.task.arguments):
        lists = arrays(part.argument(i))
        if lists and all(v.ndim == 1 for v in lists) and len(set().union(*(np.ravel(w) for w in part.want))) > 2:
            if part.is_wrongly([_at(v, w) for v, w in zip(lists, part.want, strict=True)]):
                yield f"is an entry of `{argument}`: return where it stands there, counted from 0"
            if part.becomes_right([_at(v, g) for v, g in zip(lists, part.got, strict=True)]):
                yield f"is a position in `{argument}`: return the entry that stands there"


def _at(values: Floats, places: Floats) -> Floats:
    if np.all((places == np.floor(places)) & (places >= 0) & (places < len(values))):
        return values[places.astype(int)]
    return np.full(places.shape, np.nan)


def _miscalculated(part: _Part) -> Iterator[str]:
    """What was done to the right numbers, or not done to these, where each stands in its place."""
    got, want = part.got, part.want
    for repair, problem in REPAIRS if _varied(got) else ():
        if part.becomes_right([repair(g, w) for g, w in zip(got, want, strict=True)]):
            yield problem
    for name, values in _quantities(part):
        if part.is_wrongly(values):
            yield f"is {name}, in every case"
        if any(np.shape(v) not in ((), w.shape) for v, w in zip(values, want, strict=True)):
            continue
        for join, joined, undo in JOINED if _varied(want) else ():
            with np.errstate(all="ignore"):
                if part.is_wrongly([join(w, v) for v, w in zip(values, want, strict=True)]):
                    yield f"is the right one {joined} {name}: leave that out, or {undo}"
    if difference := constant_difference(*(np.concatenate([np.ravel(a) for a in values]) for values in (got, want))):
        yield difference


def _quantities(part: _Part) -> Iterator[tuple[str, list[Any]]]:
    """What is at hand in each of these cases, with its name: how many rows there are, arguments, other parts."""
    arguments = part.task.arguments
    shapes = [[shape(value) for value in part.argument(i)] for i in range(len(arguments))]
    for argument, of_cases in zip(arguments, shapes, strict=True):
        if any(of_cases):
            if all(of_cases) and min(n for n, *_ in of_cases) > 1:
                n = np.array([float(s[0]) for s in of_cases])
                length = f"n, the length of {argument}"
                yield length, list(n)
                yield f"the square root of {length}", list(n**0.5)
                yield f"n / (n - 1), with {length}", list(n / (n - 1))
                yield f"the square root of n / (n - 1), with {length}", list((n / (n - 1)) ** 0.5)
            break
    for argument, of_cases in zip(arguments, shapes, strict=True):
        if all(len(s) == 2 for s in of_cases):
            yield f"the number of columns of {argument}", [float(columns) for _, columns in of_cases]
            break
    for i, argument in enumerate(arguments):
        if values := arrays(part.argument(i)):
            yield f"the argument `{argument}`", values
    yield from ((f"the right `{name}`", values) for name, values in part.other_parts())
