"""Pairs of students whose code is alike, for a person to look at. It decides on no mark.

Code is cut into its tokens; names that students choose, comments and layout are taken away. Runs of tokens are hashed
and thinned out by winnowing (Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003), so that a run of LENGTH + WINDOW - 1
tokens that two have in common leaves a piece that they have in common. What many have, or the released solution has,
says nothing. Pieces of the others are looked up, so that no pair is compared that shares none.
"""

import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import combinations, pairwise
from typing import NamedTuple

from coursekit.core.text import counted
from coursekit_grade.graded import Graded

LENGTH, WINDOW = 10, 6  # tokens of a piece, and pieces of which the smallest is kept
RARE = 12  # students at most who have a rare piece; in a small class a tenth of them, or a fifth up to four, or two
FEWEST, SHARE = 6, 0.6  # rare pieces in common, and of those that the shorter one has
LONG = 30  # tokens from which on it is worth a word that two answers are the same
LISTED = 50  # pairs of an assignment
SOLUTION = "the released solution"
# Coarser than Python's own tokenizer: several times as fast, and no fault in the code stops it: a text that has no end
# is one to the end of its line or of the code, so that nothing is looked at twice.
_TOKEN = re.compile(
    r'''(?P<comment>\#[^\n]*)
    | (?P<text>[bfru]{0,2}(?:"""(?:\\.|[^\\])*?(?:"""|\\?\Z)|\'{3}(?:\\.|[^\\])*?(?:\'{3}|\\?\Z)
      |"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))
    | (?P<attribute>(?<=\.)[^\W\d]\w*) | (?P<name>[^\W\d]\w*) | (?P<other>\d[\w.]*|\S)''', re.S | re.X | re.I,
)
Streams = Mapping[str, Mapping[str, list[str]]]  # student -> task -> tokens
_EXECUTES = re.compile(r"\b(?:exec|eval|compile)\b")  # then texts of several lines, or long ones, are code
TEXT = 40  # letters, which a long text has more of


class Alike(NamedTuple):
    """share: of the rare pieces of the shorter one, those that both have; 1 where answers are the same."""

    assignment: str
    student: str
    other: str
    share: float
    why: str
    tasks: tuple[str, ...]


def tokens(code: str) -> list[str]:
    """The tokens of some Python without what can be changed at no cost: names, texts, comments, layout.

    >>> tokens("def f(xs):  # mine\\n    return np.sum(xs)") == tokens("def g(a): return numpy.sum(a)")
    True
    """
    found = []
    executed = _EXECUTES.search(code)
    for token in _TOKEN.finditer(code):
        kind, text = token.lastgroup, token[0]
        inside = text.strip("bfruBFRU\"'").replace("\\n", "\n") if kind == "text" and executed else ""
        if executed and ("\n" in inside or len(inside) > TEXT):
            found += tokens(inside.replace(executed[0], ""))
            continue
        if kind == "name" and not keyword.iskeyword(text):
            text = "x"
        if kind != "comment":
            found.append("''" if kind == "text" else text)
    return found


def pieces(stream: Sequence[str]) -> set[int]:
    """Hashes of some runs of LENGTH tokens: of each WINDOW neighbors the smallest."""
    runs = ["\0".join(stream[k:k + LENGTH]).encode() for k in range(len(stream) - LENGTH + 1)]
    hashes = [int.from_bytes(blake2b(run, digest_size=8).digest(), "big") for run in runs]
    return {min(hashes[k:k + WINDOW]) for k in range(max(1, len(hashes) - WINDOW + 1))} if hashes else set()


def alike(graded: Iterable[Graded], solutions: Mapping[str, Mapping[str, str]]) -> list[Alike]:
    """The pairs that a person should look at, the most alike first.

    solutions: assignment -> task -> the code of the released solution.
    """
    of: defaultdict[str, dict[str, dict[str, list[str]]]] = defaultdict(dict)
    for g in graded:
        if g.submission.student and g.mark.tasks:
            of[g.submission.assignment][g.submission.student] = {t.name: tokens(t.code) for t in g.mark.tasks if t.code}
    found = []
    for assignment, streams in of.items():
        solved = {task: tokens(code) for task, code in solutions.get(assignment, {}).items()}
        same = _same(assignment, streams, solved)
        pairs = {frozenset((a.student, a.other)) for a in same}
        near = [a for a in _near(assignment, streams, solved) if frozenset((a.student, a.other)) not in pairs]
        found += [*same, *near[:LISTED]]
    return found


def _same(assignment: str, streams: Streams, solved: Mapping[str, list[str]]) -> list[Alike]:
    """Whose long answers are all the same, and whose are those of the solution. Of a group each is named once."""
    groups: defaultdict[tuple[tuple[str, ...], ...], list[str]] = defaultdict(list)
    found = []
    for student, answers in streams.items():
        long = {task: stream for task, stream in answers.items() if len(stream) >= LONG}
        copied = tuple(task for task, stream in long.items() if stream == solved.get(task))
        if copied and 2 * len(copied) > len(long):
            why = f"{counted(len(copied), 'long answer')} of {len(long)}, token by token"
            found.append(Alike(assignment, student, SOLUTION, 1.0, why, copied))
        elif long:
            groups[tuple((task, *stream) for task, stream in sorted(long.items()))].append(student)
    for key, students in groups.items():
        tasks = tuple(task for task, *_ in key)
        why = f"all {counted(len(tasks), 'long answer')}, token by token"
        found += [Alike(assignment, a, b, 1.0, why, tasks) for a, b in pairwise(students)]
    return found


def _near(assignment: str, streams: Streams, solved: Mapping[str, list[str]]) -> list[Alike]:
    known = set().union(*map(pieces, solved.values())) if solved else set()
    owners: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for student, answers in streams.items():
        for task, stream in answers.items():
            for piece in pieces(stream) - known:
                owners[task, piece].append(student)
    most = max(2, min(4, len(streams) // 5), min(RARE, len(streams) // 10))
    own: Counter[str] = Counter()
    common: Counter[tuple[str, str]] = Counter()
    tasks: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for (task, _), students in owners.items():
        if len(students) <= most:
            own.update(students)
            for pair in combinations(students, 2):
                common[pair] += 1
                tasks[pair].add(task)
    found = []
    for (a, b), n in common.items():
        least = min(own[a], own[b])
        if n >= FEWEST and n >= SHARE * least:
            found.append(Alike(assignment, a, b, n / least, f"{n} of {least} rare pieces", tuple(sorted(tasks[a, b]))))
    return sorted(found, key=lambda pair: (-pair.share, pair.student, pair.other))
