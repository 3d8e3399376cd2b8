"""What Python and numpy say to a wrong line, in words that help who wrote it."""

from __future__ import annotations

import re

# (what the error says, what it means). The groups of the first stand in the second as {0}, {1}.
MEANINGS: tuple[tuple[str, str], ...] = (
    (r"matmul: Input operand 1 has a mismatch.*size (\d+) is different from (\d+)",
     "@ needs as many columns on its left as rows on its right, and here are {1} and {0}"),
    (r"shapes (\(.*?\)) and (\(.*?\)) not aligned.*",
     "shapes {0} and {1} cannot be multiplied, as the columns of the first must be as many as the rows of the second"),
    (r"matmul: Input operand \d does not have enough dimensions.*",
     "@ needs arrays on both sides, and one of them is a single number"),
    (r"operands could not be broadcast together with shapes (\([\d,]*\)) (\([\d,]*\)).*",
     "arrays of shapes {0} and {1} do not fit together entry by entry"),
    (r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
     "an array of shape {0} does not fit into a place of shape {1}"),
    (r"setting an array element with a sequence.*",
     "a list whose parts differ in length, or an array, was put where one number belongs"),
    (r"The truth value of an (?:empty )?array.*",
     "`if`, `and`, `or`, `in`, max and min need one True or False, and this is a whole array of them; "
     "np.where, &, |, np.maximum or a loop takes them one by one"),
    (r"only integer scalar arrays can be converted to a scalar index.*",
     "one whole number is needed here, and an array was given: np.max(0, z) takes z for an axis, "
     "np.maximum(0, z) compares entry by entry; an array as an index needs an array to pick from, not a list"),
    (r"only integers, slices.*|"
     r"arrays used as indices must be of integer.*|.*(?:list indices|indices) must be integers.*",
     "an index must be a whole number (or an array of them); an array or a float was given: "
     "int(...) makes one, // divides without a fraction"),
    (r"only (?:length-1|0-dimensional|size-1) arrays can be converted to Python scalars.*",
     "a function for one number was given a whole array: use numpy's (np.sqrt for math.sqrt), or a loop"),
    (r"index (-?\d+) is out of bounds for axis 0 with size (\d+)",
     "there is no entry or row {0}: this array has {1} of them, counted from 0"),
    (r"index (-?\d+) is out of bounds for axis 1 with size (\d+)",
     "there is no column {0}: this array has {1} of them, counted from 0"),
    (r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
     "there is no entry {0} on axis {1}, which has {2}: they are counted from 0"),
    (r"(list|tuple) index out of range", "the {0} has no entry with that number: they are counted from 0"),
    (r"too many indices for array: array is (\d)-dimensional, but (\d) were indexed",
     "this array has {0} of its axes to index, and {1} indices were given"),
    (r"axis (\d+) is out of bounds for array of dimension (\d+)",
     "axis={0} is one too many: this array has {1} of them, counted from 0"),
    (r"all the input arrays must have same number of dimensions.*",
     "arrays with different numbers of axes cannot be put together: np.column_stack takes a flat array for a column, "
     "or use .reshape(-1, 1)"),
    (r"all the input array dimensions except for the concatenation axis must match exactly.*|"
     r"all input arrays must have the same shape",
     "the arrays that are put together differ in length where they meet"),
    (r"can only convert an array of size 1.*", "one number is needed here, and this is an array of several"),
    (r"Cannot interpret '.*' as a data type",
     "the shape is one thing, in brackets of its own: np.zeros((n, d)), np.ones((n, 1))"),
    (r"(hstack|vstack|column_stack|stack)\(\) takes .* positional arguments? but .*",
     "np.{0} takes the arrays as one list: np.{0}([a, b])"),
    (r"'float' object cannot be interpreted as an integer",
     "a whole number is needed here, as in range(n): int(...) makes one, // divides without a fraction"),
    (r"'numpy.float64' object cannot be interpreted as an integer",
     "a whole number is needed here: int(...) makes one; np.max(a, b) takes b for an axis, max(a, b) compares the two"),
    (r"either both or neither of x and y should be given",
     "np.where takes a condition and two values, or a condition alone"),
    (r"math domain error|expected a (?:positive|nonnegative) input.*",
     "a root or logarithm was taken of a number that has none"),
    (r"Last 2 dimensions of the array must be square.*", "a square matrix is needed here, such as Z.T @ Z"),
    (r"solve1?: Input operand 1 has a mismatch.*size (\d+) is different from (\d+).*",
     "the right-hand side has {0} entries and the matrix {1} rows: there must be as many"),
    (r"Incompatible dimensions.*",
     "what is fitted has not as many rows as there are labels: pick the same examples from both"),
    (r"cannot reshape array of size (\d+) into shape (\(.*?\))",
     "{0} numbers cannot be laid out in shape {1}"),
    (r"Cannot cast ufunc .*|.*_UFuncOutputCastingError.*",
     "an array of integers cannot take fractions in place: make it one of floats, np.zeros(...) or .astype(float)"),
    (r"Integers to negative integer powers are not allowed.*",
     "numpy cannot take a negative power of whole numbers: divide by the positive one, or make them floats"),
    (r"The numpy boolean negative, the `-` operator.*|numpy boolean subtract.*",
     "numpy has no minus for True and False: multiply by -1, or take np.where"),
    (r"ufunc 'bitwise_xor' not supported.*|unsupported operand type\(s\) for \^.*",
     "^ is not a power in Python: write ** for it"),
    (r"unsupported operand type\(s\) for (.+?)(?: or pow\(\))?: (?:'NoneType' and|'[\w.]+' and 'NoneType').*",
     "{0} does not work with None, which a function without return gives"),
    (r"unsupported operand type\(s\) for .+?: (?:'(?:list|tuple)' and|'[\w.]+' and '(?:list|tuple)').*|"
     r"bad operand type for .*: '(?:list|tuple)'|can't multiply sequence by non-int of type.*|"
     r"can only concatenate (?:list|tuple).*",
     "a list is not an array: + puts lists together and * repeats them; np.array(...) calculates"),
    (r"invalid index to scalar variable.*", "this is one number, which has no entries"),
    (r"'NoneType' object is not (?:subscriptable|iterable|callable)",
     "this is None: a function without return gives None"),
    (r"'(?:numpy\.)?(float64|float|int|int64|bool)' object is not (?:subscriptable|iterable)|"
     r"'(?:numpy\.)?(\w+)' object is not subscriptable|object of type '(?:numpy\.)?(\w+)' has no len\(\).*",
     "this is one number, which has no entries"),
    (r"'(?:tuple|(?:numpy\.)?(?:int|float|int64|float64))' object is not callable",
     "a number or a shape is called like a function: .shape and .size take no ( ), and a product needs *"),
    (r"'numpy\.ndarray' object is not callable",
     "an array is called like a function: its entries are in [ ], not in ( )"),
    (r"cannot unpack non-iterable (\S+) object", "several things are unpacked here, but only one ({0}) is there"),
    (r"not enough values to unpack \(expected (\d+), got (\d+)\)|too many values to unpack.*",
     "the number of names on the left is not the number of things on the right"),
    (r"name '(itertools|math|random|scipy|pandas)' is not defined.*", "{0} is not imported: write import {0} first"),
    (r"name '(np|ck)' is not defined.*", "{0} is not imported yet: run the first cell with code in this notebook"),
    (r"name '(\w+)' is not defined.*", "{0} is not known here: run the cell that defines it, or correct its spelling"),
    (r"(?:cannot access local variable|local variable) '(\w+)'.*",
     "{0} is used before it has a value: give it one before the loop or the if"),
    (r"module 'numpy' has no attribute '(\w+)'.*", "numpy has no np.{0}: look at its spelling"),
    (r"'numpy\.ndarray' object has no attribute '(append|push|add|extend)'",
     "an array cannot grow with .{0}: collect in a list, or use np.append, which returns a new array"),
    (r"'numpy\.ndarray' object has no attribute '(length|len|count|columns|rows)'",
     "an array has no .{0}: len(x) counts its rows, x.shape has the sizes of all its axes"),
    (r"(?:division|float division|integer division or modulo|float floor division) by zero.*|float division by zero",
     "something was divided by 0"),
    (r"(?:zero-size array to reduction operation|attempt to get argm\w+ of an empty sequence|"
     r"(?:min|max)\(\) (?:arg|iterable argument) is (?:an )?empty).*",
     "the smallest, largest or best was taken of nothing: this array or list is empty"),
    (r"maximum recursion depth exceeded.*", "the function calls itself without an end"),
    (r".*Singular matrix.*", "the matrix has no inverse: columns in it depend on each other"),
    (r"assignment destination is read-only", "this array cannot be changed: work on a copy"),
)


def explained(error: BaseException) -> str:
    """An error in one piece of a sentence: its type, what it means, or else what it says.

    >>> explained(IndexError("index 3 is out of bounds for axis 0 with size 3"))
    'IndexError: there is no entry or row 3: this array has 3 of them, counted from 0'
    """
    said = " ".join(str(error).split())
    name = type(error).__name__.lstrip("_")
    for pattern, meaning in MEANINGS:
        if found := re.match(pattern, said):
            return f"{name}: {meaning.format(*found.groups())}"
    return f"{name}: {said}"[:200].rstrip(":. ")
