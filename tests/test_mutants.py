"""The tables of mistakes still fit the code (what the tests make of them: `python -m tests.mutants`, by hand)."""

import pytest

from tests.mutants import TABLES, mutants


@pytest.mark.parametrize("room", sorted(table.stem for table in TABLES.glob("*.toml")))
def test_each_mistake_is_found_once_and_is_python(room):
    made = [mutant.source() for mutant in mutants(room)]
    assert len(set(made)) == len(made) >= 50
