"""What a module imports of its own package, to tell what of it can be read where it runs."""

import ast
import threading
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

DATA_SETS = "coursekit.core.datasets"  # with all that it imports, no answer to a task
_one_at_a_time = threading.Lock()


@cache
def imported(*modules: str) -> dict[str, str]:
    """These modules, their packages, and all of these that they import, with their files.

    >>> [name for name in imported("coursekit.core.losses") if "datasets" in name]
    []
    """
    specs = {top: find_spec(top) for top in {name.partition(".")[0] for name in modules}}
    files = {top: str(spec.origin) for top, spec in specs.items() if spec}
    folders = {top: Path(file).parent for top, file in files.items()}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        top, *inner = name.split(".")
        file = folders[top].joinpath(*inner).with_suffix(".py") if top in folders else None
        if name in files or not file or not file.is_file():
            continue
        files[name] = str(file)
        with _one_at_a_time:  # in two threads at once ast.parse of Python 3.11 fails (gh-106905)
            tree = ast.parse(file.read_bytes())
        for node in _statements(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                waiting += [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                waiting += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return files


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All in it but what is for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"):
            yield node
            yield from _statements(node)
