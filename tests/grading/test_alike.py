"""Code that is alike: copies are found whatever was renamed, honest answers are not, and a large class stays small."""

import ast
import random
import re

import pytest

from coursekit.grading import alike as alike_module
from coursekit.grading.alike import LENGTH, RARE, SOLUTION, WINDOW, alike, pieces, tokens
from coursekit.grading.classroom import Graded
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark, TaskMark
from coursekit.grading.report import alike_pages
from tests.grading.shared import COURSE, NAME

LONG = '''
def f(X, y, theta):
    total, worst = 0.0, None
    for k, row in enumerate(X):
        score = sum(a * b for a, b in zip(row, theta)) + theta[-1]
        if worst is None or y[k] * score < worst:
            worst = y[k] * score
        total += max(0, 1 - y[k] * score) ** 2
    best = [v / len(X) for v in (total, worst)]
    while best[0] > 10:
        best[0] /= 2
    return best[0] - 0.5 * best[1], np.linalg.norm(theta[:-1])
'''


class Renamed(ast.NodeTransformer):
    def visit_Name(self, node):
        return ast.Name("q_" + node.id[::-1], node.ctx) if node.id not in ("sum", "max", "len", "np") else node

    def visit_arg(self, node):
        return ast.arg("q_" + node.arg[::-1])


COPIES = {
    "as it is": LONG,
    "renamed and laid out by a program": ast.unparse(ast.fix_missing_locations(Renamed().visit(ast.parse(LONG)))),
    "comments and empty lines": LONG.replace("):\n", "):  # my own\n\n", 1).replace("    best", "\n    best"),
    "half a file that does not parse": LONG + "\n    if (:",
    "a line of its own in the middle": LONG.replace("    best =", "    print('so far', total)\n    best ="),
    "in a text that is executed": f"exec('''\n{LONG}\n''')",
    "in a text that is executed, on one line": f"code = {LONG!r}\nrun = eval(compile(code, '', 'exec'))",
    "two lines changed places": LONG.replace("total, worst = 0.0, None", "worst, total = None, 0.0"),
}


PARTS = "", "[0]", "[:-1]", ".T", ".sum()", ".max(axis=0)"
FORMS = (
    "    {n} = {t}", "    if {t} > {k}:\n        {n} = {k}", "    for {n} in range({k}): a += {t}",
    "    {n} = np.where({t} < {k}, {t}, {k})",
)


def written(seed):
    """A function of a student's own: other statements in another order, drawn at random."""
    draw = random.Random(seed)
    operators, names = ["+", "-", "*", "/", "**", "%", "@"], ["a", "b", "c", "X", "y"]
    lines = []
    for _ in range(10):
        terms = [draw.choice(names) + draw.choice(PARTS) for _ in range(4)]
        text = terms[0] + "".join(f" {draw.choice(operators)} {t}" for t in terms[1:])
        form = draw.choice(FORMS)
        lines.append(form.format(n=draw.choice(names), t=text, k=draw.randrange(100)))
    return "def f(X, y, theta):\n" + "\n".join(lines) + "\n    return a"


def class_of(codes, assignment="01-x"):
    return [
        Graded(Submission(s, "", f"{s}.ipynb", assignment), Mark(assignment, (TaskMark("f", 1, 1, code=code),)))
        for s, code in codes.items()
    ]


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_is_found_whatever_was_done_to_it(copy):
    others = {f"s{k}": written(k) for k in range(30)}
    (pair,) = alike(class_of({**others, "Ann": LONG, "Bo": COPIES[copy]}), {})
    assert {pair.student, pair.other} == {"Ann", "Bo"}
    assert pair.share >= 0.6
    assert pair.tasks == ("f",)


def test_answers_of_ones_own_are_not_alike():
    for seed in range(30):
        assert alike(class_of({f"s{k}": written(1000 * seed + k) for k in range(12)}), {}) == []


def test_what_all_have_or_the_solution_has_says_nothing():
    given = {f"s{k}": LONG + written(k) for k in range(30)}  # all began with what the lecture showed
    assert alike(class_of(given), {}) == []
    two = {**{f"s{k}": written(k) for k in range(30)}, "Ann": LONG + "\nx = 1", "Bo": LONG + "\ny = 2 + x"}
    assert len(alike(class_of(two), {})) == 1
    assert alike(class_of(two), {"01-x": {"f": LONG}}) == []


def test_what_a_tenth_of_the_class_has_is_rare_and_never_more_than_a_dozen():
    """Two who have the same rare pieces, which `more` others have as well; of those each has much of her own."""
    def pairs(size, more):
        others = {f"s{k}": written(k) + written(500 + k) + (LONG if k < more else "") for k in range(size - 2)}
        members = class_of(others | {"Ann": LONG + "\nx = 1", "Bo": LONG + "\n-y"})
        return {(a.student, a.other) for a in alike(members, {})}

    assert ("Ann", "Bo") in pairs(40, 2)  # four of 40 have it
    assert ("s0", "s1") not in pairs(40, 2)  # they have more of their own
    assert ("Ann", "Bo") not in pairs(40, 3)
    assert ("Ann", "Bo") in pairs(200, RARE - 2)
    assert ("Ann", "Bo") not in pairs(200, RARE - 1)
    assert RARE == 12


def test_most_of_the_long_answers_make_a_copy_of_the_solution():
    def found(*codes):
        marks = tuple(TaskMark(f"f{k}", 1, 1, code=code) for k, code in enumerate(codes))
        solutions = {f"f{k}": LONG for k in range(len(codes))}
        return alike([Graded(Submission("Ann", "", "a.ipynb", "01-x"), Mark("01-x", marks))], {"01-x": solutions})

    own, short = written(1), "x = y + 1"
    assert [a.tasks for a in found(LONG, LONG, own)] == [("f0", "f1")]
    assert [a.why for a in found(LONG, short, short)] == ["1 long answer of 1, token by token"]
    assert found(LONG, own) == []
    assert found(short, own) == []


def test_the_released_solution_is_named():
    copy = LONG.replace("total", "t").replace("best", "answer").replace(" = ", "=") + "# mine"
    found = alike(class_of({"Ann": copy, "Bo": written(1)}), {"01-x": {"f": LONG}})
    assert [(a.student, a.other, a.share) for a in found] == [("Ann", SOLUTION, 1.0)]
    solutions = {NAME: {t: a.source for t, a in COURSE.assignments[NAME].answers.items()}}
    marks = tuple(TaskMark(task, 1, 1, code=code) for task, code in solutions[NAME].items())
    graded = [Graded(Submission("Ann", "", "a.ipynb", NAME), Mark(NAME, marks))]
    (found,) = alike(graded, solutions)
    assert found.other == SOLUTION
    page = alike_pages([found], graded, solutions)
    assert set(page) == {"alike.html", "alike.csv"}
    assert "### BEGIN SOLUTION" in page["alike.html"]
    assert alike_pages([], graded, solutions) == {}


def test_a_group_that_copied_from_one_another_is_named_whole():
    copied = {f"s{k:02d}": written(7) for k in range(25)}
    found = alike(class_of(copied | {f"t{k}": written(k + 50) for k in range(9)}), {})
    assert {a.student for a in found} | {a.other for a in found} == {f"s{k:02d}" for k in range(25)}
    assert len(found) == 24


def test_a_common_run_leaves_a_common_piece():
    draw = random.Random(0)
    for _ in range(200):
        run = [str(draw.randrange(9)) for _ in range(LENGTH + WINDOW - 1)]
        one, other = ([str(draw.randrange(9)) for _ in range(draw.randrange(40))] for _ in range(2))
        assert pieces(one + run + other) & pieces(other + run + one)
    assert pieces(["1"] * (LENGTH - 1)) == set()
    assert len(pieces(["1"] * LENGTH)) == 1


def test_a_line_in_common_is_not_enough():
    line = "\n    return np.sum(X @ theta[:-1] + theta[-1] > 0) / len(X)"
    short = {f"s{k}": written(k)[:150] for k in range(30)}
    assert alike(class_of(short | {"Ann": "def f(X):" + line, "Bo": "def f(a, b):\n    'mine'" + line}), {}) == []


def test_a_thousand_notebooks_are_not_compared_in_pairs(monkeypatch):
    looked = 0

    def counted(students, size):
        nonlocal looked
        looked += len(students) * (len(students) - 1) // 2
        return ()

    monkeypatch.setattr(alike_module, "combinations", counted)
    one = [f"x = {'+'.join('ab'[int(b)] + str(k) for b in f'{k:010b}')}" for k in range(40)]
    alike(class_of({f"s{k}": LONG + one[k % 40] for k in range(1000)}), {})
    assert looked < 1000 * 100


def test_only_names_that_students_choose_are_taken_away():
    assert tokens("np.sum(xs)") != tokens("np.max(xs)")
    assert tokens("return 2 * x") != tokens("return 3 * x")
    assert tokens("if a: b = 'x'") == tokens('if   q:\n    z = "y"')
    assert tokens("x = (1") == ["x", "=", "(", "1"]
    assert re.match("x", tokens("λ = 1")[0])
