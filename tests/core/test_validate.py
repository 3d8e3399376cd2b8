"""Every error names the argument, the rule and what came; what fits comes back as floats, integers or names."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import coursekit as ck
from coursekit.core import validate
from coursekit.plots.check import two_classes


class Frame:
    """Numbers and texts by column, as pandas keeps them; `columns` is what iterating goes over too."""

    def __init__(self, rows, *columns):
        self.rows, self.columns = rows, columns

    def __array__(self, dtype=None, copy=None):
        return np.array(self.rows, object)

    def __iter__(self):
        return iter(self.columns)

    def __repr__(self):
        return "a\n   frame"


class ArrowTable(Frame):
    """Its `columns` are the values; the names stand elsewhere."""

    def __init__(self, rows, *columns):
        self.rows, self.column_names, self.columns = rows, list(columns), [*zip(*rows, strict=True)]


class Series(list):
    """One column, which lists its entries by their index as a dict does."""

    def items(self):
        return enumerate(self)


class Closed(dict):
    """A mapping that is no array, as xarray's data sets are."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("cannot convert")


FRAME = [7, "Rome"], [8, "Oslo"]


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: validate.array("X", [[1], [2, 3]]), TypeError, "X must hold numbers in a regular grid; got [["),
    (lambda: validate.array("X", [1j]), TypeError, "X must hold numbers in a regular grid; got [1j]"),
    (lambda: validate.array("X", ["1"]), TypeError, "X must hold numbers in a regular grid; got ['1']"),
    (lambda: validate.array("X", [10**400]), TypeError, "X must hold numbers in a regular grid; got [1000"),
    (lambda: validate.array("X", [1, 2], 2), ValueError,
     "X must have 2 dimension(s); got shape (2,); one feature is np.reshape(X, (-1, 1)), one example np.reshape"),
    (lambda: validate.array("y", [[1], [2]], 1), ValueError, "got shape (2, 1); np.ravel(y) has 1"),
    (lambda: validate.array("X", [1, np.inf]), ValueError, "X must be finite; got 1 NaN or infinite entries; leave"),
    (lambda: validate.array("X", Frame([[1, np.nan], [2, None]], "age", "area")), ValueError,
     "X must be finite; got 2 NaN or infinite entries, the first in its column 'area'; leave such examples out"),
    (lambda: validate.array("X", np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])), ValueError,
     "X must have no masked entries; got 1; leave such examples out, or fill them in"),
    (lambda: ck.Dataset([[1], [2]], np.ma.array(["a", "b"], mask=[1, 1])), ValueError, "y must have no masked"),
    (lambda: two_classes(([[1, 2], [2, 1]], np.ma.array([0, 1], mask=[1, 0]))), ValueError, "y must have no masked"),
    (lambda: ck.confusion_table(np.ma.array([0, 1], mask=[1, 0]), [0, 1], 2), ValueError, "true must be a 1-D array"),
    (lambda: validate.array("X", np.array([["1", "2"]], object)), TypeError, "X must hold numbers in a regular grid"),
    (lambda: validate.array("X", csr_array([[1, 0]])), TypeError, "; X.toarray() has them"),
    (lambda: validate.array("X", ck.Dataset([[1]], [1])), TypeError, "; a Dataset has them in its X and y"),
    (lambda: validate.examples([[1, 2, 3], [4, 5, 6]], [1, 1, -1]), ValueError, "3 labels in y; is X.T meant?"),
    (lambda: validate.examples([[1], [2], [3]], [0, 1, 2]), ValueError,
     "got [0.0, 2.0]; for more classes there is ck.one_vs_rest, with y = np.unique(y, return_inverse=True)[1]"),
    (lambda: ck.svm(ck.Dataset([[1], [2]], [1, -1])), TypeError, "takes X and y, two arguments: those of a Dataset"),
    (lambda: validate.features(np.zeros((0, 2))), ValueError, "one example and one feature; got shape (0, 2)"),
    (lambda: validate.features(np.zeros((3, 0))), ValueError, "one example and one feature; got shape (3, 0)"),
    (lambda: validate.examples([[1], [2]], [1]), ValueError, "got 2 rows in X and 1 labels in y"),
    (lambda: validate.examples([[1], [2]], [1, 0.5]), ValueError, "y must hold labels -1 and +1 only; got [0.5]"),
    (lambda: validate.examples([[1], [2]], [1, 0]), ValueError,
     "y must hold labels -1 and +1 only; got [0.0]; to convert them: y = np.where(np.array(y) == 1.0, 1, -1)"),
    (lambda: validate.examples([[1], [2]], ["spam", "ham"]), TypeError,
     "got ['spam', 'ham']; to convert them: y = np.where(np.array(y) == 'spam', 1, -1)"),
    *[(lambda kind=kind: validate.array("X", kind(FRAME, "age", "city")), TypeError,
       "X must hold numbers; its column 'city' has others, such as 'Rome'") for kind in (Frame, ArrowTable)],
    (lambda: validate.array("X", Frame([[1, "a"]], "twice", "twice")), TypeError, "'twice' has others, such as 'a'"),
    (lambda: validate.examples([[1], [2]], Frame([["a"], ["b"]], "y")), TypeError,
     "y must hold numbers; its column 'y' has others, such as 'a'"),
    (lambda: validate.examples([[1], [2]], Series(["s", "h"])), TypeError,
     "y must hold numbers in a regular grid; got ['s', 'h']; to convert them: y = np.where(np.array(y) == 's', 1, -1)"),
    (lambda: validate.array("X", {"a": 1, "b": None}), TypeError, "in a regular grid; got {'a': 1, 'b': None}"),
    (lambda: validate.examples([[1], [2]], Closed(a=1)), TypeError, "y must hold numbers in a regular grid; got {'a'"),
    (lambda: validate.array("X", [{"a": 1}, {"a": 2}]), TypeError, "in a regular grid; got [{'a': 1}, {'a': 2}]"),
    (lambda: validate.array("X", Frame([[1], [{}]])), TypeError, "X must hold numbers in a regular grid; got a frame"),
    (lambda: validate.number("a", 3, 0, 2), ValueError, "a must be >= 0 and <= 2; got 3"),
    (lambda: validate.number("a", 0, 0, above=True), ValueError, "a must be > 0; got 0"),
    (lambda: validate.number("a", np.nan), ValueError, "a must be finite; got nan"),
    (lambda: validate.number("a", True), TypeError, "a must be a finite number; got True"),
    (lambda: validate.number("a", b"2", 1), TypeError, "a must be a number >= 1; got b'2'"),
    (lambda: validate.count("n", True), TypeError, "n must be an integer >= 1; got True"),
    (lambda: validate.count("n", 2.0), TypeError, "n must be an integer >= 1; got 2.0"),
    (lambda: validate.count("n", 0), ValueError, "n must be an integer >= 1; got 0"),
    (lambda: validate.one_of("k", 1, [True, "a"]), ValueError, "k must be one of True, 'a'; got 1"),
    (lambda: validate.names("k", "abc"), TypeError, "k must be a sequence of names; got 'abc'"),
    (lambda: validate.indices("i", [0, 3], 3), ValueError, "i must hold indices from 0 to 2; got 0 to 3"),
    (lambda: validate.indices("i", [-1, 2], 3), ValueError, "i must hold indices from 0 to 2; got -1 to 2"),
    (lambda: validate.indices("i", [], 3), ValueError, "i must be a 1-D array of example indices; got []"),
    (lambda: validate.indices("i", [0.5] * 30, 3), ValueError, f"got {str([0.5] * 30)[:57]}..."),
    (lambda: validate.generator(-1), ValueError, "seed must be an integer >= 0; got -1"),
])  # fmt: skip
def test_what_does_not_fit_is_named(call, error, message):
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)


@pytest.mark.parametrize("y", [{"spam": 1, "ham": None}, ["spam", None, "ham"], "ab", [["spam"], ["ham", "ham"]]])
def test_no_line_is_offered_that_would_label_wrongly(y):
    with pytest.raises(TypeError) as raised:
        validate.examples([[1], [2]], y)
    assert str(raised.value) == f"y must hold numbers in a regular grid; got {y!r}"


def test_names_of_columns():
    assert validate.column_names(Frame([[1, 2]], "age", 3)) == ("age", "3")
    assert validate.column_names(ArrowTable([[1, 2]], "age", "x")) == ("age", "x")
    assert validate.column_names({"age": [1]}) == validate.column_names(np.eye(2)) == validate.column_names("ab") == ()


def test_what_fits_comes_back():
    assert [validate.number("a", value, 0, 2) for value in (0, 2, np.float32(0.5))] == [0.0, 2.0, 0.5]
    assert [validate.count("n", value, 2) for value in (2, np.uint8(7))] == [2, 7]
    assert validate.one_of("k", np.str_("a"), [True, "a"]) == "a"
    assert validate.indices("i", np.array([0, 2], np.uint8), 3).tolist() == [0, 2]
    assert validate.names("k", (1, "b")) == ("1", "b")
    X, y = validate.examples([[True], [2]], [-1, 1])
    assert X.dtype == y.dtype == np.float64
    assert validate.generator(3).random() == np.random.default_rng(3).random()
