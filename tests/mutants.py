"""Do the tests notice a mistake? Each mutant is the code with one mistake; a room's own tests should fail.

    python -m tests.mutants                                every room with a table
    python -m tests.mutants core checking/judge --jobs 4   a room, or the files whose path begins like this

The mistakes of a room are in `tests/mutants_of/ROOM.toml`: for each file of `coursekit/` a list of pairs, old text and
new text. Old text occurs exactly once in its file, and the file with new text in its place is still Python.

    ["core/text.py"]
    mutants = [
        ["abs(value) < 1e6", "abs(value) < 1e7"],
    ]
    tests = ["tests/core/test_text.py"]  # or left out

Without `tests`, a mutant meets the test file of the room that is called like its file, and if it survives that or there
is none, the whole room. Everything happens in copies of this tree; it stays as it is.
"""

import argparse
import ast
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TABLES = Path(__file__).with_name("mutants_of")
APART = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "node_modules")


class Mutant(NamedTuple):
    room: str
    file: str
    old: str
    new: str
    tests: tuple[tuple[str, ...], ...]  # to be run in turn until one of them notices

    def source(self) -> str:
        """The mutated file. ValueError where the table no longer fits the code."""
        text = (ROOT / self.file).read_text("utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"old text must occur once in {self.file}; got {text.count(self.old)} times {self.old!r}")
        mutated = text.replace(self.old, self.new)
        if ast.dump(ast.parse(mutated)) == ast.dump(ast.parse(text)):
            raise ValueError(f"new text must change what {self.file} does; got {self.new!r}")
        return mutated

    def __str__(self) -> str:
        line = (ROOT / self.file).read_text("utf-8").partition(self.old)[0].count("\n") + 1
        return f"{self.file}:{line}: {self.old!r} -> {self.new!r}"


def mutants(room: str) -> Iterator[Mutant]:
    for file, table in tomllib.loads((TABLES / f"{room}.toml").read_text("utf-8")).items():
        own = f"tests/{room}/test_{Path(file).name}"
        runs = ((own,), (f"tests/{room}",)) if (ROOT / own).exists() else ((f"tests/{room}",),)
        for old, new in table["mutants"]:
            yield Mutant(room, f"coursekit/{file}", old, new, (tuple(table["tests"]),) if "tests" in table else runs)


def passes(copy: Path, tests: tuple[str, ...], limit: float | None = None) -> bool:
    """Whether these tests pass on the code of the copy; what takes longer than `limit` seconds does not."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    # No plugin that only notebooks need: pytest then starts in half the time, which here is most of it.
    plain = ["-o", "addopts=--import-mode=importlib", "-p", "no:nbval", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *plain, *tests]
    process = subprocess.Popen(command, cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True)
    try:
        said, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return False
    if process.returncode and (limit is None or process.returncode == 5):  # 5: there are no such tests
        raise SystemExit(f"without a mistake, too, {' '.join(tests)} failed:\n{said}")
    return not process.returncode


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("where", nargs="*", help="rooms, or beginnings of paths in coursekit/ (all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (%(default)s)")
    asked = parser.parse_args()
    every = [mutant for table in sorted(TABLES.glob("*.toml")) for mutant in mutants(table.stem)]
    chosen = [m for m in every if not asked.where or m.file.startswith(tuple(f"coursekit/{w}" for w in asked.where))]
    sources = [mutant.source() for mutant in chosen]  # before anything is run
    with TemporaryDirectory() as folder, ThreadPoolExecutor(asked.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(asked.jobs):
            copies.put(shutil.copytree(ROOT, Path(folder, str(job), ROOT.name), ignore=APART, symlinks=True))

        def seconds(tests: tuple[str, ...]) -> float:
            copy, begun = copies.get(), monotonic()
            passes(copy, tests)
            copies.put(copy)
            return monotonic() - begun

        def survives(mutant: Mutant, source: str) -> bool:
            copy = copies.get()
            before = (copy / mutant.file).read_text("utf-8")
            (copy / mutant.file).write_text(source, "utf-8")
            survived = all(passes(copy, tests, limits[tests]) for tests in mutant.tests)
            (copy / mutant.file).write_text(before, "utf-8")
            copies.put(copy)
            return survived

        runs = list(dict.fromkeys(tests for mutant in chosen for tests in mutant.tests))
        limits = {tests: 60 + 5 * taken for tests, taken in zip(runs, pool.map(seconds, runs), strict=True)}
        survived = Counter()
        for mutant, lives in zip(chosen, pool.map(survives, chosen, sources), strict=True):
            if lives:
                survived[mutant.room] += 1
                print("survived", mutant, flush=True)
    print(f"{'room':12}{'mutants':>8}{'killed':>8}{'survived':>10}{'per cent':>10}")
    made = Counter(mutant.room for mutant in chosen)
    for room, count in [*made.items(), ("all", made.total())]:
        alive = survived.total() if room == "all" else survived[room]
        print(f"{room:12}{count:8}{count - alive:8}{alive:10}{100 * alive / max(count, 1):10.1f}")


if __name__ == "__main__":
    main()
