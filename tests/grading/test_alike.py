"""Code that is alike: copies are found whatever was renamed, honest answers are not, and a large class stays small."""

import ast
import random
import re

from coursekit_grade.alike import LENGTH, RARE, SOLUTION, WINDOW, alike, pieces, tokens
from coursekit_grade.graded import Graded
from coursekit_grade.intake import Submission
from coursekit_grade.mark import Mark, TaskMark
from coursekit_grade.report import alike_pages

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
COPIES = {
    "as it is": LONG,
    "renamed and laid out by a program": ast.unparse(ast.parse(
        re.sub(r"\b(X|y|theta|total|worst|k|row|score|a|b|best|v)\b", r"q_\1", LONG))),
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
    """A function of a student's own: statements drawn at random."""
    draw = random.Random(seed)
    names, lines = ["a", "b", "c", "X", "y"], []
    for _ in range(10):
        first, *others = (draw.choice(names) + draw.choice(PARTS) for _ in range(4))
        text = first + "".join(f" {draw.choice(['+', '-', '*', '/', '**', '%', '@'])} {term}" for term in others)
        lines.append(draw.choice(FORMS).format(n=draw.choice(names), t=text, k=draw.randrange(100)))
    return "def f(X, y, theta):\n" + "\n".join(lines) + "\n    return a"


def many(n, first=0):
    return {f"s{k}": written(first + k) for k in range(n)}


def found(codes, solution=None):
    """The pairs of a class. codes: by student, those of one task, or of several."""
    graded = []
    for student, code in codes.items():
        marks = tuple(TaskMark(f"f{k}", 1, 1, code=c) for k, c in enumerate([code] if isinstance(code, str) else code))
        graded.append(Graded(Submission(student, "", "a.ipynb", "01-x"), Mark("01-x", marks)))
    return alike(graded, {"01-x": {f"f{k}": solution for k in range(3)}} if solution else {})


def test_a_copy_is_found_whatever_was_done_to_it():
    for copy in COPIES.values():
        (pair,) = found({**many(30), "Ann": LONG, "Bo": copy})
        assert {pair.student, pair.other} == {"Ann", "Bo"}
        assert pair.share >= 0.6
        assert pair.tasks == ("f0",)


def test_answers_of_ones_own_are_not_alike():
    for seed in range(15):
        assert found(many(12, 1000 * seed)) == []
    line = "\n    return np.sum(X @ theta[:-1] + theta[-1] > 0) / len(X)"  # in common, which is not enough
    short = {student: code[:150] for student, code in many(30).items()}
    assert found(short | {"Ann": "def f(X):" + line, "Bo": "def f(a, b):\n    'mine'" + line}) == []


def test_what_all_have_or_the_solution_has_says_nothing():
    assert found({student: LONG + code for student, code in many(30).items()}) == []  # as the lecture showed it
    two = {**many(30), "Ann": LONG + "\nx = 1", "Bo": LONG + "\ny = 2 + x"}
    assert len(found(two)) == 1
    assert found(two, LONG) == []


def test_what_a_tenth_of_the_class_has_is_rare_and_never_more_than_a_dozen():
    """Two who have the same rare pieces, which `more` others have as well; of those each has much of her own."""
    def pairs(size, more):
        own = {student: code + written(500 + k) for k, (student, code) in enumerate(many(size - 2).items())}
        others = {student: code + (LONG if k < more else "") for k, (student, code) in enumerate(own.items())}
        return {(a.student, a.other) for a in found(others | {"Ann": LONG + "\nx = 1", "Bo": LONG + "\n-y"})}

    assert ("Ann", "Bo") in pairs(40, 2)  # four of 40 have it
    assert ("s0", "s1") not in pairs(40, 2)  # they have more of their own
    assert ("Ann", "Bo") not in pairs(40, 3)
    assert ("Ann", "Bo") in pairs(140, RARE - 2)
    assert ("Ann", "Bo") not in pairs(140, RARE - 1)
    assert RARE == 12
    three = {"Ann": LONG, "Bo": LONG + "\nx = 1", "Cy": LONG + "\n-y"}  # each in a dress of her own
    assert len(found({**many(12), **three})) == 3
    assert len(found({**many(15), **three, "Di": LONG + "\n(z)"})) == 0
    assert len(found({**many(16), **three, "Di": LONG + "\n(z)"})) == 6


def test_most_of_the_long_answers_make_a_copy_of_the_released_solution():
    own, short = written(1), "x = y + 1"
    laid_out = LONG.replace("total", "t").replace("best", "answer").replace(" = ", "=") + "# mine"
    for codes, expected in [
        ([laid_out, LONG, own], ("2 long answers of 3, token by token", ("f0", "f1"))),
        ([LONG, short, short], ("1 long answer of 1, token by token", ("f0",))),
    ]:
        assert [(a.student, a.other, a.share, a.why, a.tasks) for a in found({"Ann": codes}, LONG)] == [
            ("Ann", SOLUTION, 1.0, *expected)]
    assert found({"Ann": [LONG, own], "Bo": [short, written(2)]}, LONG) == []
    solution = f"{LONG}# the solution"
    pages = alike_pages(found({"<Ann>": LONG}, solution), [], {"01-x": {"f0": solution}})
    assert set(pages) == {"alike.html", "alike.csv"}
    assert all(text in pages["alike.html"] for text in ("# the solution", "&lt;Ann&gt;"))
    assert alike_pages([], [], {}) == {}


def test_a_group_that_copied_from_one_another_is_named_whole():
    copied = {f"t{k}": written(99) for k in range(25)}
    pairs = found(copied | many(9))
    assert {a.student for a in pairs} | {a.other for a in pairs} == set(copied)
    assert len(pairs) == 24


def test_a_common_run_leaves_a_common_piece():
    draw = random.Random(0)
    for _ in range(200):
        run = [str(draw.randrange(9)) for _ in range(LENGTH + WINDOW - 1)]
        one, other = ([str(draw.randrange(9)) for _ in range(draw.randrange(40))] for _ in range(2))
        assert pieces(one + run + other) & pieces(other + run + one)
    assert pieces(["1"] * (LENGTH - 1)) == set()
    assert len(pieces(["1"] * LENGTH)) == 1


def test_only_names_that_students_choose_are_taken_away():
    assert tokens("np.sum(xs)") != tokens("np.max(xs)")
    assert tokens("return 2 * x") != tokens("return 3 * x")
    assert tokens("if a: b = 'x'") == tokens('if   q:\n    z = "y"')
    line = "total = sum(a * b for a in range(9) if a % 2)"
    assert tokens(f"exec({line!r})") == ["x", "(", *tokens(line), ")"]
    assert tokens("exec('x = 1')") == ["x", "(", "''", ")"]
    assert tokens("x = (1") == ["x", "=", "(", "1"]
    assert tokens("x = 'a + (\ny = 1") == ["x", "=", "''", "x", "=", "1"]
    assert tokens('"\\' * 10**5 + '"') == tokens('"""\\' * 10**5) == ["''"]  # nothing is looked at twice
    assert re.match("x", tokens("λ = 1")[0])
