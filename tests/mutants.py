"""Do the tests notice a mistake? Each mutant is the code with one mistake; a room's own tests should fail.

    python -m tests.mutants                                every room with a table
    python -m tests.mutants core checking/judge --jobs 4   a room, or the files whose path begins like this

The mistakes of a room are in `tests/mutants_of/ROOM.toml`: for each file, pairs of old text, which occurs exactly once
in it, and new text; and the `tests` that they meet. Without these, a mutant meets the test file of the room that is
called like its file, and if it survives that or there is none, the whole room. All happens in copies of this tree.
"""

import argparse
import os
import shutil
import signal
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

if __name__ == "__main__":  # tests read the tables: these settings are not theirs
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

# What tests import and what is not ours, once: most mutants die sooner than it takes to import it.
import hypothesis
import pytest
import scipy.optimize
import sklearn.linear_model
import sklearn.svm

ROOT = Path(__file__).parents[1]
TABLES = Path(__file__).with_name("mutants_of")
APART = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "node_modules")
PLAIN = ["-x", "-q", "-o", "addopts=--import-mode=importlib", "-p", "no:nbval", "-p", "no:cacheprovider"]
LOADED = hypothesis, scipy.optimize, sklearn.linear_model, sklearn.svm


class Mutant(NamedTuple):
    room: str
    file: str
    old: str
    new: str
    tests: tuple[tuple[str, ...], ...]  # to be run in turn until one of them notices

    def source(self, tree: Path = ROOT) -> str:
        """The mutated file. ValueError or SyntaxError where the table no longer fits the code."""
        text = (tree / self.file).read_text("utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"old text must occur once in {self.file}; got {text.count(self.old)} times {self.old!r}")
        mutated = text.replace(self.old, self.new)
        if self.file.endswith(".py"):
            compile(mutated, self.file, "exec")
        return mutated

    def __str__(self) -> str:
        line = (ROOT / self.file).read_text("utf-8").partition(self.old)[0].count("\n") + 1
        return f"{self.file}:{line}: {self.old!r} -> {self.new!r}"


def placed(file: str) -> str:
    return f"tools/{file}" if file.startswith("coursekit_") else f"coursekit/{file}"


def mutants(room: str) -> Iterator[Mutant]:
    for file, table in tomllib.loads((TABLES / f"{room}.toml").read_text("utf-8")).items():
        own = f"tests/{room}/test_{Path(file).name}"
        runs = ((own,), (f"tests/{room}",)) if (ROOT / own).exists() else ((f"tests/{room}",),)
        for old, new in table["mutants"]:
            yield Mutant(room, placed(file), old, new, (tuple(table["tests"]),) if "tests" in table else runs)


def passes(copy: Path, tests: tuple[str, ...], limit: float | None = None) -> bool:
    """Whether these tests pass on the code of the copy; what takes longer than `limit` seconds does not."""
    child = os.fork()
    if not child:
        os.setsid()
        os.chdir(copy)
        with open("log", "wb") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        packages = [str(copy), str(copy / "tools")]
        os.environ |= {"PYTHONPATH": os.pathsep.join(packages), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.dont_write_bytecode = True
        sys.path[:] = [*packages, *(path for path in sys.path
                                 if path and Path(path).resolve() not in (ROOT, ROOT / "tools"))]
        for name in [name for name in sys.modules if name.startswith(("coursekit", "tests"))]:
            del sys.modules[name]
        os._exit(pytest.main([*PLAIN, *tests]))
    if not select([os.pidfd_open(child)], [], [], limit)[0]:
        os.killpg(child, signal.SIGKILL)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended and (limit is None or ended == pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"without a mistake, too, {' '.join(tests)} failed:\n{(copy / 'log').read_text()}")
    return not ended


def own_copy(folder: str) -> Path:
    """The copy of the tree that belongs to this process."""
    copy = Path(folder, str(os.getpid()), ROOT.name)
    return copy if copy.exists() else shutil.copytree(ROOT, copy, ignore=APART, symlinks=True)


def seconds(folder: str, tests: tuple[str, ...]) -> float:
    begun = monotonic()
    passes(own_copy(folder), tests)
    return monotonic() - begun


def survives(folder: str, limits: dict[tuple[str, ...], float], mutant: Mutant) -> bool:
    copy = own_copy(folder)
    mutated, before = copy / mutant.file, (copy / mutant.file).read_text("utf-8")
    mutated.write_text(mutant.source(copy), "utf-8")
    survived = all(passes(copy, tests, limits[tests]) for tests in mutant.tests)
    mutated.write_text(before, "utf-8")
    return survived


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("where", nargs="*", help="rooms, or beginnings of paths in coursekit/ or tools/ (all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (%(default)s)")
    asked = parser.parse_args()
    every = [mutant for table in sorted(TABLES.glob("*.toml")) for mutant in mutants(table.stem)]
    chosen = [m for m in every if not asked.where or m.file.startswith(tuple(map(placed, asked.where)))]
    for mutant in chosen:
        mutant.source()  # says so before anything is run
    made, survived = Counter(mutant.room for mutant in chosen), Counter[str]()
    runs = list(dict.fromkeys(tests for mutant in chosen for tests in mutant.tests))
    with TemporaryDirectory() as folder, ProcessPoolExecutor(asked.jobs, get_context("fork")) as pool:
        taken = pool.map(partial(seconds, folder), runs)
        limits = {tests: 60 + 5 * time for tests, time in zip(runs, taken, strict=True)}
        results = pool.map(partial(survives, folder, limits), chosen)
        for k, (mutant, lives) in enumerate(zip(chosen, results, strict=True), start=1):
            survived[mutant.room] += lives
            print(f"\r{k} of {len(chosen)}", end="", file=sys.stderr, flush=True)
            if lives:
                print("\rsurvived", mutant, flush=True)
    print(f"\n{'room':12}{'mutants':>8}{'killed':>8}{'survived':>10}{'per cent':>10}")
    made["all"], survived["all"] = made.total(), survived.total()
    for room, count in made.items():
        print(f"{room:12}{count:8}{count - survived[room]:8}{survived[room]:10}{100 * survived[room] / count:10.1f}")


if __name__ == "__main__":
    main()
