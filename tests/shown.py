"""What the cells of a chapter show that its reading page runs, without a browser."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from matplotlib import rc_context

from coursekit_site.cells import SHOWN, needed


def run(source: str, name: str, space: dict[str, Any]) -> Any:
    """The value of the expression that ends this source, if one does."""
    tree = ast.parse(source)
    ending = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), space)
    return ending and eval(compile(ast.Expression(ending.value), name, "eval"), space)


def explorers(path: Path) -> Iterator[tuple[str, Any]]:
    """The explorers, each with the id of its cell; what only predictions need is not run."""
    space: dict[str, Any] = {"__name__": "__main__"}
    notebook = nbformat.read(path, 4)
    notebook.cells = [cell for cell in notebook.cells if "ck.predict(" not in cell.source]
    for cell in needed(notebook):
        with rc_context():  # the style that a chapter chooses is not that of other tests
            value = run(cell["source"], path.name, space)
        if (shown := SHOWN.search(cell["source"])) and shown["name"]:
            yield cell["id"], value
