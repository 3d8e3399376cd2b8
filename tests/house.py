"""The rooms of the house, who imports whom, and how large each is, as a Mermaid diagram: python -m tests.house"""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("coursekit", "tools/coursekit_figures", "tools/coursekit_grade", "tools/coursekit_lecture",
            "tools/coursekit_site")
# From the ground up: each imports from those below it. The chapters' figures and the tools are packages of their own.
ROOMS = ("core", "algorithms", "plots", "models", "explorers", "predictions", "checking", "grading", "cli",
         "coursekit_figures", "coursekit_grade", "coursekit_lecture", "coursekit_site")

# The most lines of Python that a room may have: what a feature adds, something else gives back.
LIMITS = {
    "core": 1612,
    "algorithms": 1722,
    "plots": 3588,
    "models": 1440,
    "explorers": 2872,
    "predictions": 649,
    "checking": 1951,
    "grading": 6,
    "cli": 207,
    "coursekit_figures": 1889,
    "coursekit_grade": 5907,
    "coursekit_lecture": 1653,
    "coursekit_site": 2020,
}


def room(module: str) -> str | None:
    """The room of a module; None for `coursekit` itself and for what is not ours."""
    top, *inner = module.split(".")
    name = inner[0].replace("__main__", "cli") if top == "coursekit" and inner else top
    return name if name in ROOMS else None


def files(package: str) -> list[tuple[Path, str | None]]:
    """Each Python file of a package, with its room."""
    base = (ROOT / package).parent
    return [(path, room(".".join(path.relative_to(base).with_suffix("").parts)))
            for path in sorted((ROOT / package).rglob("*.py"))]


@cache
def imports(package: str) -> list[tuple[Path, str | None, str]]:
    """Each import in a package: the file, its room, what it imports."""
    found = []
    for path, own in files(package):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                found += [(path, own, module + alias.name) for alias in node.names]
    return found


def lines() -> dict[str, int]:
    """Lines of Python in each room; those of coursekit/__init__.py count for its command line."""
    sizes = dict.fromkeys(ROOMS, 0)
    for package in PACKAGES:
        for path, own in files(package):
            sizes[own or "cli"] += len(path.read_text("utf-8").splitlines())
    return sizes


def diagram() -> str:
    edges = {(own, room(name)) for package in PACKAGES for _, own, name in imports(package)
             if own and room(name) not in (None, own)}
    ordered = sorted(edges, key=lambda edge: [-ROOMS.index(r) for r in edge])
    return "\n".join(["graph TD", *(f"  {above} --> {below}" for above, below in ordered)])


if __name__ == "__main__":
    print(diagram())
    for name, count in lines().items():
        print(f"%% {name}: {count} lines of at most {LIMITS[name]}")
