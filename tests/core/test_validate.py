"""Every error names the argument, the rule and what came; what fits comes back as floats, integers or names."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import coursekit as ck
from coursekit.core import validate
from coursekit.plots.boundary import two_classes
from tests.faults import faults, refused


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


@faults(__file__)
def test_what_does_not_fit_is_named(call, said, error):
    refused(call, said, error, globals(), ck=ck, csr_array=csr_array, two_classes=two_classes)


def test_what_is_long_is_told_in_part():
    with pytest.raises(ValueError, match=r"got \[(0\.5, ){11}0\.\.\.$"):
        validate.indices("i", [0.5] * 30, 3)


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
