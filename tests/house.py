"""The rooms of `coursekit/` and who imports whom, as a Mermaid diagram: python -m tests.house"""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("core", "algorithms", "plots", "explorers", "checking", "grading", "publish", "cli")  # from the ground up


def room(module: str) -> str | None:
    name = [*module.split("."), "", ""][1]
    return name if module.startswith("coursekit.") and name in ROOMS else None


@cache
def imports(part: str = "coursekit") -> list[tuple[Path, str, str]]:
    """Each import in a folder: the file, its room in coursekit/ ('' for `import coursekit` itself), what it imports."""
    found = []
    for path in sorted((ROOT / part).rglob("*.py")):
        own = room(".".join(path.relative_to(ROOT).with_suffix("").parts)) or ""
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                found += [(path, own, module + alias.name) for alias in node.names]
    return found


def diagram() -> str:
    edges = {(own, room(name)) for _, own, name in imports() if own and room(name) not in (None, own)}
    ordered = sorted(edges, key=lambda edge: [-ROOMS.index(r) for r in edge])
    return "\n".join(["graph TD", *(f"  {above} --> {below}" for above, below in ordered)])


if __name__ == "__main__":
    print(diagram())
