"""How an answer is judged: pure functions on the plain data of a task and what came back for its cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from coursekit.checking import accuracy
from coursekit.checking.asked import shape, shown
from coursekit.checking.task import Expected, Floats, Mistake, Sealed, Sketch, Task, Verdict

CLOSE = 0.01  # nearly right, where that is not right: how far an entry may be off, relative to the largest


def judged(task: Task, answers: Sequence[Any], tell: bool = True) -> Verdict:
    """What is wrong with these answers, one for each case of the task.

    Answers that agree everywhere with a known mistake get its sentence. So do those that agree with it up to their
    first wrong part, unless all parts are right in another order: what follows is often another mistake, or comes of
    the first. Then come the mistakes that are possible in any task, then the first failing case.
    tell: say what is expected there, unless it was to be worked out by hand; a grader does not.
    """
    if task.accuracy is not None:
        return accuracy.judged(task, answers)
    if sentence := _left_out(task, answers):
        return Verdict(sentence)
    if sentence := _too_many(task, answers):
        return Verdict(sentence)
    several = len(task.returns) > 1
    given = [_parts(answer) if several else [answer] for answer in answers]
    rows = [g for g in given if g is not None and len(g) == len(task.returns)]
    if len(rows) < len(answers):
        alone = _alone(task, answers)
        few = {k: problem for k, (a, g) in enumerate(zip(answers, given, strict=True))
               if (problem := _too_few(task, alone, a, g))}
        k, problem = next(iter(few.items()))
        if len(few) == len(answers):
            return Verdict(f"{problem[0].upper()}{problem[1:]}.", case=task.cases[k])
        return _in_case(task, k, problem)
    problems = [[compare(row[p], task.right[k][p], task.tolerance, f"{task.name} {p}", tell)
                 for p in range(len(task.returns))] for k, row in enumerate(rows)]
    wrong_parts = [p for p in range(len(task.returns)) if any(found[p] for found in problems)]
    if not wrong_parts:
        return Verdict()
    right = [name for p, name in enumerate(task.returns) if task.parts and p not in wrong_parts]
    first = next(k for k, found in enumerate(problems) if any(found))
    verdict = _wrong(task, rows, problems, wrong_parts, first)
    return replace(verdict, right=tuple(right), case=task.cases[first] or None)


def _wrong(task: Task, rows: list[list[Any]], problems: list[list[str]], wrong_parts: list[int], k: int) -> Verdict:
    """k: the first case that is wrong."""
    if known := _known(task, rows, problems, len(task.returns) - 1):
        return known
    if sentence := _in_another_order(task, rows):
        return Verdict(sentence)
    if known := _known(task, rows, problems, wrong_parts[0]):
        return known
    for p in wrong_parts:
        if sentence := _in_any_task(task, rows, p, REPAIRS if p == wrong_parts[0] else ()):
            return Verdict(sentence)
    p = next(p for p in range(len(task.returns)) if problems[k][p])
    what = f"`{task.returns[p]}`" if len(task.returns) > 1 else "the answer"
    more = next(filter(None, (f(task, rows, p) for f in (_only, _close, _constant, _marked))), "") or _mostly(problems)
    return _in_case(task, k, f"{what} {problems[k][p]}{more}")


def _in_case(task: Task, k: int, problem: str) -> Verdict:
    case = task.cases[k]
    if not case:
        return Verdict(f"{problem[0].upper()}{problem[1:]}.")
    return Verdict(f"In {task.call(case)} {problem}.", case=case)


def _left_out(task: Task, answers: Sequence[Any]) -> str:
    for k, answer in enumerate(answers):
        nothing = len(task.returns) == 1 and any(parts[0] is None for parts in task.right)  # is an answer, too
        if answer is None and not nothing:
            if all(a is None for a in answers):
                return (f"{task.name} returns None: it must reach a return with the answer; print alone gives nothing "
                        "back, and neither does a search that finds nothing.")
            return (f"{task.call(task.cases[k])} came back as None: {task.name} returns None there, or ends without "
                    "reaching a return, as a search does that finds nothing.")
    return ""


def _alone(task: Task, answers: Sequence[Any]) -> str:
    """The name of the one part that came back in every case; "" if that is not so."""
    for p, name in enumerate(task.returns):
        if all(right[p] is not None and not compare(answer, right[p], task.tolerance, f"{task.name} {p}")
               for answer, right in zip(answers, task.right, strict=True)):
            return name
    return ""


def _too_few(task: Task, alone: str, answer: Any, parts: list[Any] | None) -> str:
    """What to say to an answer that has not as many parts as the task; "" if it has."""
    if parts is not None and len(parts) == len(task.returns):
        return ""
    wanted = f"return {len(task.returns)} things, {', '.join(task.returns)}"
    if alone:
        return f"only `{alone}` came back: {wanted}"
    if parts is None or isinstance(answer, np.ndarray):
        return f"one thing came back, {shown(answer)}: {wanted}"
    n = len(parts)
    return f"{n} {'part' if n == 1 else 'parts'} came back: {wanted}"


def _too_many(task: Task, answers: Sequence[Any]) -> str:
    """What to say where a tuple came back in place of one thing."""
    if len(task.returns) > 1 or not all(isinstance(a, tuple) for a in answers):
        return ""
    ragged = any(isinstance(_numbers(a), str) for a in answers)
    if ragged or any(all(not compare(a[p], r[0], task.tolerance, f"{task.name} 0")
                         for a, r in zip(answers, task.right, strict=True)) for p in range(min(map(len, answers)))):
        return f"{len(answers[0])} things came back: return {task.returns[0]} alone."
    return ""


def _known(task: Task, rows: list[list[Any]], problems: list[list[str]], last: int) -> Verdict | None:
    """The first mistake that agrees everywhere with the parts up to `last`."""
    for mistake in task.mistakes:
        if all(_agrees(task, mistake, k, row, problems[k], last) for k, row in enumerate(rows)):
            return Verdict(mistake.sentence, mistake.id)
    return None


def _agrees(task: Task, mistake: Mistake, k: int, row: list[Any], problems: list[str], last: int) -> bool:
    """Whether the parts up to `last` are what the mistake returns for case k."""
    differs = mistake.answers.get(k, {})
    return not any(
        compare(_counted(row[p]), differs[p], task.tolerance, f"{task.name} {p}") if p in differs else problems[p]
        for p in range(last + 1)
    )


def _counted(answer: Any) -> Any:
    """True and False as 1 and 0: a mistake stays the same in both."""
    numbers = None if answer is None else _numbers(answer)
    return answer if isinstance(numbers, str) else numbers


def _in_another_order(task: Task, rows: list[list[Any]]) -> str:
    n = len(task.returns)
    if not 1 < n <= 7:
        return ""
    fits = [[not any(compare(row[i], task.right[k][p], task.tolerance, f"{task.name} {p}")
                     for k, row in enumerate(rows)) for p in range(n)] for i in range(n)]
    for order in permutations(range(n)):
        if all(fits[i][p] for i, p in enumerate(order)):
            yours = ", ".join(task.returns[p] for p in order)
            return f"The parts are right but in another order, {yours}: return {', '.join(task.returns)}."
    return ""


ROUNDED = "is rounded: return the numbers as they are, or take a finer grid"
AT_FIRST = "return all of them, after the loop, as a return inside ends it at the first"
# What goes wrong in any task: how many axes the right w has, at least and at most; what comes instead; what to say.
FORMS: tuple[tuple[int, int, Callable[[Floats], Any], str], ...] = (
    (1, 1, lambda w: w.reshape(-1, 1),
     "is a column of shape (n, 1): it should be flat, of shape (n,); .ravel() makes it so"),
    (1, 1, lambda w: w.reshape(1, -1),
     "is a row of shape (1, n): it should be flat, of shape (n,); .ravel() makes it so"),
    (2, 2, lambda w: w.T, "lies on its side: rows and columns are exchanged"),
    (2, 2, lambda w: np.broadcast_to(w[-1], w.shape),
     "has the same numbers in every row: [[0] * k] * k holds one list k times, so make a new one for each row"),
    (2, 2, np.triu, "is filled above its diagonal alone"),
    (2, 2, np.tril, "is filled below its diagonal alone"),
    (2, 2, lambda w: w * (1 - np.eye(*w.shape)), "has zeros on its diagonal"),
    (1, 1, np.sort, "is sorted: its order should stay as it comes"),
    (1, 9, lambda w: w[0], f"is the first entry alone: {AT_FIRST}"),
    (1, 9, lambda w: w[-1], "is the last entry alone: collect all of them"),
    (1, 9, lambda w: w[:1], f"holds the first entry alone: {AT_FIRST}"),
    (1, 9, lambda w: w[:-1], "lacks the last entry: go one further"),
    (1, 9, lambda w: w[1:], "lacks the first entry: begin one earlier"),
    (1, 1, lambda w: np.roll(w, 1), "begins with what should be its last entry"),
    (1, 1, lambda w: np.roll(w, -1), "ends with what should be its first entry"),
    (1, 9, lambda w: w[::-1], "is the wrong way round: its first entry should be the last"),
    (1, 9, lambda w: w.sum(), "is one number, the sum of the right ones: return all of them"),
    (1, 9, lambda w: w.mean(), "is one number, the mean of the right ones: return all of them"),
    (2, 9, lambda w: w.sum(axis=0), "is the sum of the right rows: return all of them"),
    (2, 9, lambda w: w.mean(axis=0), "is the mean of the right rows: return all of them"),
    (0, 9, np.negative, "has the opposite sign everywhere: there is a minus too many or too few"),
    (0, 9, np.abs, "has lost its signs: what is negative should stay so"),
    (0, 9, np.sign, "has kept the signs alone: return the numbers themselves"),
    (0, 9, lambda w: np.maximum(w, 0), "is 0 where it should be negative, as if there were a max(0, ...) too many"),
    (0, 9, np.trunc, "has lost its fractions: //, int(...) and an array of integers cut them off"),
    (0, 9, np.round, ROUNDED),
    *((0, 9, partial(np.round, decimals=digits), ROUNDED) for digits in (1, 2, 3)),
    (0, 9, lambda w: w + 1, "is 1 too large everywhere, as where counting begins at 1 instead of 0"),
    (0, 9, lambda w: w - 1, "is 1 too small everywhere, as where counting begins at 0 instead of 1"),
    (0, 9, lambda w: 1 - w, "is 1 minus what it should be: do not take it from 1"),
    (0, 9, lambda w: 2 * w, "is twice what it should be, everywhere"),
    (0, 9, lambda w: w / 2, "is half of what it should be, everywhere"),
    (0, 9, lambda w: 100 * w, "is in per cent: it should be 100 times smaller"),
    (0, 9, lambda w: 1 / w, "is 1 divided by what it should be: turn it over"),
    (1, 1, lambda w: w / len(w), "is divided by n, the number of its entries: leave that out"),
    (1, 1, lambda w: w / np.linalg.norm(w), "is divided by its length: leave that out"),
    (0, 9, np.square, "is the square of what it should be: leave the square out, or take the root"),
    (0, 9, lambda w: np.sqrt(np.abs(w)), "is the square root of what it should be: leave the root out, or square it"),
)


# The other way round: what makes the right w of a wrong g that has its shape; what to say.
REPAIRS: tuple[tuple[Callable[[Floats, Floats], Any], str], ...] = (
    (lambda g, w: np.maximum(g, 0), "is negative where it should be 0, as if a max(0, ...) were missing"),
    (lambda g, w: np.abs(g), "is negative in places: take its size, without the sign"),
    (lambda g, w: np.floor(g), "has fractions: it should be rounded down"),
    (lambda g, w: np.ceil(g), "has fractions: it should be rounded up"),
    (lambda g, w: np.where(g == 0, w, g), "is 0 in places where it should not be; all the rest of it is right"),
    (lambda g, w: np.where(w == 0, w, g), "is not 0 everywhere where it should be; all the rest of it is right"),
    (lambda g, w: w if _same_rows(g, w) else g, "is right but for the order in which its entries or rows stand"),
)
REDUCTIONS: tuple[tuple[Callable[..., Any], str], ...] = (
    (np.sum, "the sum"), (np.mean, "the mean"), (np.max, "the largest"), (np.min, "the smallest"))
# What makes one number of a row of them, or a row of a table.
REDUCED: tuple[tuple[Callable[[Floats], Any], str], ...] = (
    (lambda g: g[-1], "holds all of them: return the last one alone"),
    (lambda g: np.full(g.shape[1:], len(g)), "holds several: return how many there are"),
    *((partial(f, axis=-1), f"has {{shape}}: return {word}{{of}}") for f, word in REDUCTIONS),
    *((partial(f, axis=0), f"has {{shape}}: return {word} of each column") for f, word in REDUCTIONS),
)

# What may have been done with another number that is at hand.
JOINED: tuple[tuple[Callable[[Floats, Any], Any], str], ...] = (
    (np.multiply, "multiplied by"), (np.divide, "divided by"), (np.add, "plus"), (np.subtract, "minus"))


def _same_rows(g: Floats, w: Floats) -> bool:
    if not 1 <= w.ndim <= 2 or np.array_equal(np.sort(w, axis=0), np.arange(len(w))):  # numbers in an order: no wonder
        return False
    g, w = (np.array(sorted(a.tolist())) for a in (g, w))
    return np.allclose(g, w, rtol=1e-4, atol=1e-4)


def _in_any_task(task: Task, rows: list[list[Any]], p: int, repairs: Sequence[tuple[Any, str]]) -> str:
    """A mistake that has nothing to do with what the task is about, in part p."""
    told = [k for k, row in enumerate(rows) if not (row[p] is None is task.right[k][p])]
    got = [_numbers(rows[k][p]) for k in told]
    want = _arrays([task.right[k][p] for k in told])
    if not want or any(isinstance(g, str) for g in got):
        return ""
    your = f"Your `{task.returns[p]}`" if len(task.returns) > 1 else "Your answer"
    if all(np.asarray(rows[k][p]).dtype == bool and np.array_equal(np.flatnonzero(rows[k][p]), w)
           for k, w in zip(told, want, strict=True)):
        return f"{your} is True or False for each row: np.flatnonzero makes row numbers of it."
    pairs = list(zip(got, want, strict=True))
    if all(np.asarray(rows[k][p]).dtype == bool for k in told) and all(g.shape == w.shape for g, w in pairs):
        times = "" if any(compare(g, w, task.tolerance) for g, w in pairs) else (
            "; multiply by 1, which makes 1 and 0 of True and False")
        return f"{your} is True or False: return numbers{times}."

    def varied(some: list[Any]) -> bool:  # a constant tells nothing
        return len(np.unique(np.concatenate([np.ravel(f) for f in some]))) > 1

    def all_are(forms: list[Any]) -> bool:
        if any(compare(g, f, task.tolerance) for g, f in zip(got, forms, strict=True)):
            return False
        differs = any(np.shape(f) != w.shape or compare(f, w, task.tolerance) for f, w in zip(forms, want, strict=True))
        return differs and varied(forms)

    for least, most, form, said in FORMS:
        if all(least <= w.ndim <= most for w in want):
            with np.errstate(all="ignore"):
                forms = [form(w) if w.size else w for w in want]
            if all_are(forms):
                return f"{your} {said}."
    for q, name in enumerate(task.returns):
        if q != p and (others := _arrays([task.right[k][q] for k in told])) and all_are(others):
            return f"{your} is what belongs in `{name}`."
    for i, argument in enumerate(task.arguments):
        lists = _arrays([task.cases[k][i] for k in told])
        if lists and all(v.ndim == 1 for v in lists) and len(set().union(*(np.ravel(w) for w in want))) > 2:
            if all_are([_at(v, w) for v, w in zip(lists, want, strict=True)]):
                return f"{your} is an entry of `{argument}`: return where it stands there, counted from 0."
            if not any(compare(_at(v, g), w, task.tolerance) for v, (g, w) in zip(lists, pairs, strict=True)):
                return f"{your} is a position in `{argument}`: return the entry that stands there."
    if all(g.ndim == w.ndim + 1 and len(g) for g, w in pairs):
        for reduced, said in REDUCED:
            if not any(compare(reduced(g), w, task.tolerance) for g, w in pairs):
                of = " of each row" if got[0].ndim > 1 else ""
                return f"{your} {said.format(shape=_size(got[0].shape, want[0].shape), of=of)}."
    for i, argument in enumerate(task.arguments):
        values = [np.empty(shape(task.cases[k][i])) for k in told]
        if all(v.ndim and g.shape == v.shape[:1] and w.shape == () for v, (g, w) in zip(values, pairs, strict=True)):
            line = "row" if values[0].ndim > 1 else "entry"
            return f"{your} has a number for each {line} of `{argument}`: return one number for all of them."
    if all_are([np.reshape(w, g.shape) if w.size == g.size else w for g, w in pairs]):
        k = next(k for k, (g, w) in enumerate(pairs) if w.shape != g.shape)
        return f"{your} has the right numbers in shape {got[k].shape}: give them the shape {want[k].shape}."
    if any(g.shape != w.shape for g, w in pairs) or _only(task, rows, p):
        return ""
    for repair, said in repairs if varied(got) else ():
        if not any(compare(repair(g, w), w, task.tolerance) for g, w in pairs):
            return f"{your} {said}."
    for name, values in _with_names(task, told, p):
        if all_are(values):
            return f"{your} is {name}, in every case."
        if any(np.shape(v) not in ((), w.shape) for v, w in zip(values, want, strict=True)):
            continue
        for join, said in JOINED if varied(want) else ():
            with np.errstate(all="ignore"):
                if all_are([join(w, v) for v, w in zip(values, want, strict=True)]):
                    return f"{your} is the right one {said} {name}: leave that out."
    return _factor(your, *(np.concatenate([np.ravel(a) for a in arrays]) for arrays in (got, want)))


def _with_names(task: Task, told: list[int], p: int) -> Iterator[tuple[str, list[Any]]]:
    """What has a name and a value in each of these cases: how many rows there are, arguments, other parts."""
    for i, argument in enumerate(task.arguments):
        if n := [float(shape(task.cases[k][i])[0]) for k in told if shape(task.cases[k][i])]:
            if len(n) == len(told) and min(n) > 1:
                told_n = f"n, the length of {argument}"
                yield told_n, n
                yield f"the root of {told_n}", [v**0.5 for v in n]
                yield f"n / (n - 1), with {told_n}", [v / (v - 1) for v in n]
                yield f"the root of n / (n - 1), with {told_n}", [(v / (v - 1))**0.5 for v in n]
            break
    for i, argument in enumerate(task.arguments):
        if all(len(shape(task.cases[k][i])) == 2 for k in told):
            yield f"the number of columns of {argument}", [float(shape(task.cases[k][i])[1]) for k in told]
            break
    for i, argument in enumerate(task.arguments):
        if values := _arrays([task.cases[k][i] for k in told]):
            yield f"the argument `{argument}`", values
    for q, part in enumerate(task.returns):
        if q != p and (values := _arrays([task.right[k][q] for k in told])):
            yield f"the right `{part}`", values


def _factor(your: str, g: Floats, w: Floats) -> str:
    """All are rounded down; or the one number by which all are too large, or that was added to all of them."""
    if min(len(np.unique(g)), len(np.unique(w))) < 3 or not np.isfinite(g).all() or not np.isfinite(w).all():
        return ""
    whole = np.abs(w - np.round(w)) < 1e-9  # of these // makes 1 less, if they are a little too small
    if not whole.all() and np.where(whole, (g == np.round(w)) | (g == np.round(w) - 1), g == np.floor(w)).all():
        return f"{your} is rounded down, as by //: return the numbers as they are."
    factor, step = g @ w / (w @ w), np.mean(g - w)
    if abs(factor - 1) > 1e-3 and np.allclose(g, factor * w, rtol=1e-4, atol=1e-9):  # else it is merely close
        return f"{your} is {factor:.4g} times what it should be, everywhere."
    if np.allclose(g - w, step, rtol=1e-4, atol=1e-9):
        return f"{your} is {abs(step):.4g} too {'large' if step > 0 else 'small'} everywhere."
    return ""


def _at(values: Floats, places: Floats) -> Floats:
    """What stands at these places; NaN if they are none."""
    if np.all((places == np.floor(places)) & (places >= 0) & (places < len(values))):
        return values[places.astype(int)]
    return np.full(places.shape, np.nan)


def _arrays(values: Sequence[Any]) -> list[Floats]:
    """One value of each case, where it is made of numbers in all of them; else nothing."""
    if any(isinstance(e, (bool, str, Sketch, Sealed)) or e is None or isinstance(_numbers(e), str) for e in values):
        return []
    return [np.asarray(e, dtype=np.float64) for e in values]


def _only(task: Task, rows: list[list[Any]], p: int) -> str:
    """Which entry, row or column of part p is wrong, if it is the same one wherever one is."""
    found: list[set[tuple[str, str]]] = []
    for row, parts in zip(rows, task.right, strict=True):
        w, g = parts[p], _numbers(row[p])
        if not isinstance(w, np.ndarray) or not 1 <= w.ndim <= 2 or min(w.shape) < 2:
            return ""
        if isinstance(g, str) or g.shape != w.shape:
            return ""
        off = ~_same(g, w, task.tolerance)
        if off.any():
            lines = [("entry", off)] if w.ndim == 1 else [("row", off.any(axis=1)), ("column", off.any(axis=0))]
            found.append({(place, word) for word, line in lines for place, k in (("first", 0), ("last", -1))
                          if line[k] and line.sum() == 1})
    same = set.intersection(*found) if found else set()
    return f"; only its {' '.join(min(same))} is wrong, in every case" if same else ""


def _constant(task: Task, rows: list[list[Any]], p: int) -> str:
    got = [_numbers(row[p]) for row in rows]
    if len(got) < 3 or any(isinstance(g, str) or not g.size for g in got):
        return ""
    values = np.unique(np.concatenate([np.ravel(g) for g in got]))
    return f"; it is {values[0]:.4g} in every case" if len(values) == 1 else ""


def _marked(task: Task, rows: list[list[Any]], p: int) -> str:
    """What the cases, or the entries, in which part p is wrong have in common, where that is one argument or size."""
    right = [parts[p] for parts in task.right]
    wrong = np.array([bool(compare(row[p], w, task.tolerance, f"{task.name} {p}"))
                      for row, w in zip(rows, right, strict=True)])
    got: list[Any] = ["" if row[p] is None else _numbers(row[p]) for row in rows]
    nothing = np.array([w is None for w in right])
    if said := _apart(wrong, nothing, f"{'None' if (nothing & wrong).any() else 'a number'} is expected"):
        return f"; it is wrong {said}"
    for i, name in enumerate(task.arguments):
        values = [_numbers(case[i]) for case in task.cases]
        if any(isinstance(v, str) or v.ndim != values[0].ndim or not np.isfinite(v).all() for v in values):
            continue
        if values[0].ndim == 0:
            sizes = [(np.array(values), f"`{name}` is {{}}")]
        else:
            told = ("rows", "columns") if values[0].ndim == 2 else ("entries",)
            sizes = [(np.array([v.shape[axis] for v in values]), f"`{name}` has {{}} {word}")
                     for axis, word in enumerate(told)]
        for numbers, text in sizes:
            if values[0].ndim and len(set(numbers[wrong])) > 1 and set(numbers[~wrong]) != {1}:
                continue  # large cases differ from small ones in other things as well
            if said := _apart(wrong, numbers, text):
                return f"; it is wrong {said}"
        off = [~_same(g, w, task.tolerance) for g, w, v in zip(got, right, values, strict=True)
               if isinstance(w, np.ndarray) and np.shape(g) == w.shape == v.shape and v.ndim == 1]
        if len(off) == len(rows) and (
                said := _apart(np.concatenate(off), np.concatenate(values), f"`{name}` is {{}}")):
            return f"; its entries are wrong {said}"
    return ""


def _apart(wrong: Any, values: Any, text: str) -> str:
    """Where what is wrong lies, if these values lie there and those of what is right do not, or hardly by chance."""
    if min(wrong.sum(), (~wrong).sum()) < 3:
        return ""
    low, high = values[wrong].min(), values[wrong].max()
    there = (values >= low) & (values <= high)
    if (there & ~wrong).any() and (low < high or there.mean() ** wrong.sum() > 0.01):
        return ""
    told = text.format(f"{low:g}" if low == high else f"{low:g} or more" if high == values.max()
                       else f"{high:g} or less" if low == values.min() else f"from {low:g} to {high:g}")
    return f"only where {told}" if (there & ~wrong).any() else f"wherever {told}, and nowhere else"


def _mostly(problems: list[list[str]]) -> str:
    right = sum(not any(found) for found in problems)
    return f"; {right} of {len(problems)} cases are right" if 2 * right >= len(problems) else ""


def _close(task: Task, rows: list[list[Any]], p: int) -> str:
    """What to say where part p is nearly right in every case: rounded, or found by too few steps."""
    want = _arrays([parts[p] for parts in task.right])
    if not want or any(compare(row[p], w, CLOSE * min(1, np.max(np.abs(w), initial=0)))
                       for row, w in zip(rows, want, strict=True)):
        return ""
    return "; it is close in every case: do not round, or take finer steps"


def compare(answer: Any, expected: Expected, tolerance: float, salt: str = "", tell: bool = False) -> str:
    """"" if the answer is what is expected, else what came, and what should have come (its value if `tell`).

    Numbers may come as any kind of real number (True and False only where they were worked out by hand), arrays as
    anything regular (lists, tuples, float32), but shapes must agree. Each entry is judged by its own size: two
    entries may be an error and a count.
    """
    if answer is None or expected is None:
        return "" if answer is expected else f"{_came(answer)}, where {_kind(expected)} is expected"
    got = _numbers(answer)
    if isinstance(got, str):
        return f"{_came(answer)}, which is {got}; {_kind(expected)} is expected"
    shape = expected.shape if isinstance(expected, (np.ndarray, Sketch, Sealed)) else ()
    if got.size == 0 == int(np.prod(shape)):
        return ""
    if got.shape != shape:
        return f"has {_size(got.shape, shape)}, where {_size(shape, got.shape)} is expected"
    if not isinstance(expected, (bool, Sealed)) and np.asarray(answer).dtype == bool:
        return f"{_came(answer)}, where numbers are expected: multiplied by 1, True and False become 1 and 0"
    if isinstance(expected, Sketch):
        return "" if expected.near(got, tolerance) else f"{_came(answer)}, which is not right"
    if isinstance(expected, Sealed):
        same = expected.same(got, salt)
        return "" if same.all() else f"{_came(answer)}, which is not right{_where(same)}"
    want = np.asarray(expected, dtype=np.float64)
    if (np.isnan(got) & ~np.isnan(want)).any():
        return "contains NaN (not a number), as after a division by 0"
    same = _same(got, want, tolerance)
    if same.all():
        return ""
    came, right = _came(answer), expected if isinstance(expected, (bool, float)) else want
    if want.ndim and want.size > 12:
        row = np.argwhere(~same)[0][0]
        came, right = f"has {shown(got[row])} in row {row}", want[row]
    return f"{came}, where {shown(right)} is expected" if tell else f"{came}, which is not right"


def _same(got: Floats, want: Floats, tolerance: float) -> Any:
    """Which entries are what is expected."""
    finite = np.isfinite(want) & np.isfinite(got)
    with np.errstate(invalid="ignore"):
        close = finite & (np.abs(got - want) <= tolerance * np.maximum(1, np.abs(want)))
    return (got == want) | (np.isnan(got) & np.isnan(want)) | close


def _came(answer: Any) -> str:
    return f"came back as {shown(answer)}"


def _where(same: Any) -> str:
    if same.ndim != 1 or same.size < 2:
        return ""
    wrong = np.flatnonzero(~same)
    return f": look at entry {wrong[0] + 1}" if len(wrong) == 1 else f" in {len(wrong)} of {same.size} entries"


def _numbers(answer: Any) -> Any:
    """The answer as floats, or what it is instead."""
    try:
        got = np.asarray(answer)
        if got.dtype.kind == "O":
            if any(entry is None for entry in got.flat):  # which would become NaN
                return "not made of numbers alone: there is a None in it"
            got = got.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return "not made of numbers in a regular grid"
    return got.astype(np.float64) if got.dtype.kind in "biuf" else "not made of numbers"


def _kind(expected: Expected) -> str:
    if expected is None:
        return "None"
    if isinstance(expected, bool):
        return "True or False"
    shape = expected.shape if isinstance(expected, (np.ndarray, Sketch, Sealed)) else ()
    return f"an array or list of shape {shape}" if shape else "a number"


def _size(shape: tuple[int, ...], other: tuple[int, ...]) -> str:
    if len(shape) == len(other) == 1:
        return f"length {shape[0]}"
    return f"shape {shape}" + (" (a single number)" if not shape else "")


def _parts(answer: Any) -> list[Any] | None:
    if isinstance(answer, (tuple, list)) or (isinstance(answer, np.ndarray) and answer.ndim):
        return list(answer)
    return None
