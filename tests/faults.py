"""What cannot be is named. Calls, and what is said to each, are in the faults.toml of a room, a table for a test file.

`...` stands for any words. A table in it, as [validate.TypeError], says which error it is.
"""

import builtins
import re
import tomllib
from pathlib import Path

import pytest


def faults(test):
    """Marks a test of (call, said, error) with the rows of its file."""
    path = Path(test)
    table = tomllib.loads(path.with_name("faults.toml").read_text("utf-8"))[path.stem.removeprefix("test_")]
    rows = [(call, said, (TypeError, ValueError)) for call, said in table.items() if isinstance(said, str)]
    rows += [(call, said, getattr(builtins, name)) for name, inner in table.items() if isinstance(inner, dict)
             for call, said in inner.items()]
    return pytest.mark.parametrize(("call", "said", "error"), rows, ids=[call for call, *_ in rows])


def refused(call, said, error, names, **more):
    """The error that a call, of these names, is answered with, which says so."""
    with pytest.raises(error, match=".*".join(map(re.escape, said.split("...")))) as raised:
        eval(call, names | more)
    return raised.value
