"""The folder of a run: what it holds is whole wherever the run is killed, and the same command goes on from there."""

import json
import os
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from coursekit_grade.adjust import TOTAL
from coursekit_grade.graded import Graded, ungraded
from coursekit_grade.intake import Submission, digest
from coursekit_grade.mark import Mark, TaskMark
from coursekit_grade.spreadsheets import plain
from coursekit_grade.worker import COURSEKIT, HERE

MANIFEST = "coursekit-grade.json"
RUNNING = "running.json"
PART = ".part"  # of a file that is being written
FINISHED = "finished.json"
TRIES = 2  # runs that may end while they grade a notebook; then one leaves it ungraded
CHANGES = ("noted", "student", "id", "assignment", "task", "before", "after", "why")  # columns of changes.csv


class Results:
    """The folder of a run: its seed, the marks so far, which files were written into it, and what is being graded.

    last: what the last run that finished wrote: its marks, every change since the first run, how many finished, and
    with this seed the notebook and the seed of cases that each student met last, graded or not.
    earlier: whether there was a run before. seed: None for the seed of that run, or a fresh one. version: of the
    course; with another one, as with another seed, everything is graded again. Raises ValueError for a folder that has
    something else in it.
    """

    def __init__(self, folder: Path, seed: int | None = None, version: str = "") -> None:
        self.folder, self.version = folder, version
        self.seed = secrets.randbelow(2**32) if seed is None else seed
        self._written: dict[str, list[str]] = {}
        self.earlier = False
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            self._written = {str(name): list(map(str, of)) for name, of in manifest["written"].items()}
            if seed is None:
                self.seed = int(manifest["seed"])
            self.earlier = True
        except (FileNotFoundError, NotADirectoryError):
            if folder.exists() and (not folder.is_dir() or {path.name for path in folder.iterdir()} - {PART}):
                raise ValueError(f"--out must be an empty folder or that of an earlier run; got {folder}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{folder / MANIFEST} cannot be read any more; choose another folder") from None
        with _named(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._remember()  # first: from here on a run that is killed knows the folder again
        for part in ("marks", "feedback"):
            with _named(folder / part):
                (folder / part).mkdir(exist_ok=True)
        self._tries = Counter[str]()
        with suppress(OSError, ValueError, TypeError, AttributeError):
            self._tries.update({place: int(n) for place, n in json.loads((folder / RUNNING).read_bytes()).items()})
        self.last: dict[str, Any] = {"marks": {}, "changes": [], "runs": 0, "met": {}}
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            kept = json.loads((folder / FINISHED).read_bytes())
            changes = [list(map(str, row)) for row in kept["changes"]]
            met = {place: (str(of), int(own))
                   for place, (of, own) in kept.get("met", {}).get(str(self.seed), {}).items()}
            self.last = {"marks": dict(kept["marks"]), "changes": changes, "runs": int(kept.get("runs", 1)), "met": met}

    def seed_for(self, s: Submission) -> int:
        """The seed of its cases: another one for whom a finished run has shown what became of another notebook.

        A run that goes on after an interruption draws what it drew before.
        """
        met, seed = self.last["met"].get(place_of(s), (s.digest, self.seed))
        return seed if met == s.digest else int(digest(f"{self.seed} {self.last['runs']}".encode())[:8], 16)

    def tries(self, s: Submission) -> int:
        """How many runs have begun to grade this notebook and have not ended that."""
        return self._tries[self._place(s)]

    def tried(self, s: Submission, runs: int) -> None:
        """From here on there are so many."""
        self._tries[self._place(s)] = runs
        self._write(RUNNING, json.dumps(+self._tries).encode())

    def mark(self, submission: Submission) -> Mark | None:
        """The mark that this very notebook got with this seed and these tasks."""
        try:
            kept = json.loads((self.folder / self._place(submission)).read_bytes())
            return Mark(**{**kept, "tasks": tuple(TaskMark(**t) for t in kept["tasks"]), "notes": tuple(kept["notes"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def keep(self, submission: Submission, mark: Mark) -> None:
        """Remember a mark. What could not be graded is tried again in the next run."""
        if not ungraded(mark):
            self._write(self._place(submission), json.dumps(asdict(mark), indent=1).encode())
        self.tried(submission, 0)

    def publish(self, pages: Mapping[str, str | bytes], unfinished: bool = False) -> list[str]:
        """Write these files, in their order, in place of those of the last run, and say which ones were set aside.

        A file that somebody has changed is renamed, never overwritten. unfinished: leave what is not among `pages`.
        """
        before, aside = self._written, []
        data = {name: page if isinstance(page, bytes) else page.encode("utf-8", "replace")
                for name, page in pages.items()}
        # Before the first and after the last file: a run killed in between must know its own files again.
        self._written = before | {name: [*before.get(name, []), digest(d)] for name, d in data.items()}
        self._remember()
        for name in data if unfinished else data | before:
            path = self.folder / name
            if path.exists() and not (path.is_file() and digest(path.read_bytes()) in before.get(name, [])):
                if name not in data:
                    continue
                kept = next(p for n in range(1, 10**6)
                            if not (p := path.with_name(f"{path.stem} (changed {n}){path.suffix}")).exists())
                path.rename(kept)
                aside.append(kept.relative_to(self.folder).as_posix())
            if name in data:
                self._write(name, data[name])
            else:
                path.unlink(missing_ok=True)
        self._written = (before if unfinished else {}) | {name: [digest(d)] for name, d in data.items()}
        if not unfinished:  # else the next one does
            self._remember()
        return aside

    def finish(self, graded: Sequence[Graded], changes: list[list[str]]) -> None:
        handed_in = [g.submission for g in graded if not g.submission.problem]
        met = self.last["met"] | {place_of(s): (s.digest, self.seed_for(s)) for s in handed_in}
        finished = {"marks": marks(graded), "changes": changes, "runs": self.last["runs"] + 1, "met": {self.seed: met}}
        self._write(FINISHED, json.dumps(finished).encode())

    def _place(self, s: Submission) -> str:
        return f"marks/{digest(f'{s.digest} {s.assignment} {self.seed} {self.version} {_version()}'.encode())}.json"

    def _remember(self) -> None:
        self._write(MANIFEST, json.dumps({"seed": self.seed, "written": self._written}).encode(), lasting=True)

    def _write(self, name: str, data: bytes, lasting: bool = False) -> None:
        """lasting: also if the power fails. Without the manifest no run could go on, of other files there are more."""
        part = self.folder / PART
        with _named(self.folder / name):
            try:
                part.write_bytes(data)
                if lasting:
                    with open(part, "rb+") as file:
                        os.fsync(file.fileno())
                part.replace(self.folder / name)
            finally:
                part.unlink(missing_ok=True)


def place_of(s: Submission) -> str:
    """Where `last` has the marks of this student for this assignment."""
    return f"{s.student}\n{s.assignment}"


def marks(graded: Iterable[Graded]) -> dict[str, dict[str, Any]]:
    """What a finished run gave, as JSON: by student and assignment, without what was left ungraded."""
    return {place_of(g.submission): {
        "digest": g.submission.digest, "id": g.submission.id, "late": plain(g.late.cost) if g.late else "0",
        "adjusted": {a.task: plain(a.after) for a in g.adjusted},
        "points": {t.name: plain(t.points) for t in g.mark.tasks} | {TOTAL: plain(g.total)},
    } for g in graded if g.submission.student and not g.ungraded}


def changed(before: Mapping[str, Any], graded: Sequence[Graded]) -> list[list[str]]:
    """A row for each mark that is another one than `before`, as `marks` gave it. Who is new has none."""
    after, rows = marks(graded), []
    noted = datetime.now().astimezone().isoformat(" ", "minutes")
    for g in graded:
        student, assignment = g.submission.student, g.submission.assignment
        if (old := before.get(key := place_of(g.submission))) is None or not student:
            continue
        nothing = {"digest": g.submission.digest, "late": old["late"], "adjusted": {}, "points": {TOTAL: "ungraded"}}
        new = after.get(key, nothing)
        whys: list[str] = []
        for task, points in new["points"].items():
            if points == (was := old["points"].get(task, "no such task")):
                continue
            if new["digest"] != old["digest"]:
                why = "another notebook"
            elif new["adjusted"].get(task) != old["adjusted"].get(task):
                why = "adjusted"
            else:
                why = "graded again"
            if task == TOTAL:
                late = new["late"] != old["late"]
                own = [why] if why == "adjusted" or not (whys or late) else []
                why = ", ".join(dict.fromkeys([*whys, *own, *["lateness"] * late]))
            whys.append(why)
            rows.append([noted, student, g.submission.id, assignment, task, was, points, why])
    return rows


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error of the disk says which file it was, and that it is no reason to begin again."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}; the same command goes on from here") from None


@cache
def _version() -> str:
    """Changes with anything in coursekit that may decide on a mark."""
    return digest(b"".join(p.read_bytes() for folder in (HERE, COURSEKIT) for p in sorted(folder.rglob("*.py"))))
