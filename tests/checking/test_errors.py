"""What Python and numpy say to a student's slip, and what a check makes of it."""

import math

import numpy as np
import pytest

from coursekit.checking.errors import explain

HERE = {"np": np, "math": math, "z": np.array([1.0, -2.0, 3.0]), "X": np.ones((3, 2)), "theta": np.ones(3),
        "L": [1, 2, 3], "k": np.array([1, 2])}
SLIPS = {
    "np.max(0, z)": "np.maximum(0, z) compares entry by entry",
    "max(0, z)": "np.maximum",
    "z ^ 2": "write ** for it",
    "2.0 ^ 2": "write ** for it",
    "X @ theta": "as many columns on its left as rows on its right, and here are 2 and 3",
    "X.dot(theta)": "shapes (3,2) and (3,) cannot be multiplied",
    "z + np.ones(2)": "shapes (3,) and (2,) do not fit together",
    "X[:, 0] @ 2": "arrays on both sides",
    "1 if z > 0 else 0": "a whole array of them",
    "z[0.5]": "whole number",
    "L[4 / 2]": "// divides without a fraction",
    "z[5]": "no entry or row 5: this array has 3 of them",
    "L[3]": "counted from 0",
    "z[0, 1]": "2 indices",
    "z.sum(axis=1)": "axis=1 is one too many",
    "math.exp(z)": "np.sqrt for math.sqrt",
    "math.log(0)": "root or logarithm",
    "np.hstack([X, np.ones(3)])": "np.column_stack takes a flat array",
    "np.hstack(X, z)": "np.hstack([a, b])",
    "np.column_stack([X, np.ones(2)])": "differ in length",
    "np.zeros(3, 2)": "np.zeros((n, d))",
    "np.array([[1, 2], [3]])": "differ in length",
    "z.reshape(2, 2)": "3 numbers cannot be laid out",
    "z.append(1)": "np.append, which returns a new array",
    "z.length": "len(x) counts its rows",
    "z.size()": "take no ( )",
    "2(z[0])": "a product needs *",
    "z(0)": "in [ ], not in ( )",
    "L - L": "np.array(...) calculates",
    "L ** 2": "np.array(...) calculates",
    "-L": "np.array(...) calculates",
    "L * 0.5": "np.array(...) calculates",
    "z + print(end='')": "a function without return gives",
    "print(end='') + 1": "+ does not work with None, which a function without return gives",
    "print(end='')[0]": "a function without return gives",
    "z[0][0]": "one number, which has no entries",
    "len(3)": "one number, which has no entries",
    "[_ for a, b in [3]]": "several things are unpacked",
    "[_ for a, b in [z]]": "names on the left",
    "k ** -1": "a negative power of whole numbers",
    "-(z > 0)": "no minus for True and False",
    "(z > 0) - (z < 0)": "no minus for True and False",
    "k.__iadd__(0.5)": "array of integers cannot take fractions",
    "range(4 / 2)": "as in range(n)",
    "np.where(z > 0, 1)": "a condition and two values",
    "np.linalg.inv(X)": "a square matrix",
    "np.linalg.inv(np.ones((2, 2)))": "no inverse",
    "np.linalg.solve(np.eye(2), z)": "3 entries and the matrix 2 rows",
    "np.argmax([])": "of nothing",
    "1 / 0": "divided by 0",
    "np.maximun(z, 0)": "look at its spelling",
    "thete": "correct its spelling",
    "ck.perceptron": "ck is not imported yet: run the first cell with code",
    "itertools.count()": "write import itertools first",
}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_explain(slip):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever Python says to it
        exec(slip, dict(HERE))
    told = explain(caught.value)
    assert SLIPS[slip] in told
    assert told.startswith(caught.type.__name__.lstrip("_"))


def test_what_is_not_known_is_said_as_it_is():
    assert explain(ValueError("one\n  two")) == "ValueError: one two"
    assert explain(type("_Own", (ValueError,), {})("one")) == "Own: one"
    assert len(explain(ValueError("long " * 100))) <= 200
