"""What the processes of a submission use, seen from outside: where the system tells, which is Linux."""

import os
from collections.abc import Sequence
from contextlib import suppress
from glob import glob
from pathlib import Path

from coursekit_grade import protocol


def family(process: int) -> list[int]:
    """A process and all that descend from it.

    Looking ends where they are too many: some multiply faster than they can be counted.
    """
    members = [process]
    for member in members:
        if len(members) > protocol.PROCESSES:
            break
        for children in glob(f"/proc/{member}/task/*/children"):
            with suppress(OSError):
                members += map(int, Path(children).read_text().split())
    return members


def too_much(members: Sequence[int], home: str) -> str:
    """What these processes have more of than they may, as in "took too much memory", "" if nothing.

    home: the folder that a submission writes into, "" for the /tmp of a sandbox, which is not larger than it may be.
    """
    if sum(max(1, len(glob(f"/proc/{member}/task/*"))) for member in members) > protocol.PROCESSES:
        return "started too many processes or threads"
    if memory(members) > protocol.MEMORY and memory(family(members[0])) > protocol.MEMORY:
        return "took too much memory"
    if _stored(home, members) > protocol.DISK if home else _files(members) > protocol.FILES:
        return "wrote too much into files"
    return ""


def computed(members: Sequence[int]) -> tuple[float, bool]:
    """Seconds of computing by these processes and their children that have ended; whether one computes or would."""
    ticks, running = 0, False
    for member in members:
        with suppress(OSError):
            after_name = Path(f"/proc/{member}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, after_name[11:15]))
            running |= after_name[0] == b"R"
    return ticks / os.sysconf("SC_CLK_TCK"), running


def memory(members: Sequence[int]) -> int:
    """Bytes that these processes have, as each says for itself or, where that is too much, without counting twice.

    What was forked shares pages with its parent. To tell which, the kernel makes it wait, while others multiply.
    """
    def own(member: int) -> int:
        return _kilobytes(f"/proc/{member}/status", ("RssAnon", "RssShmem"))

    total = sum(map(own, members)) << 10
    if total > protocol.MEMORY:
        total = sum(_kilobytes(f"/proc/{member}/smaps_rollup", ("Pss_Anon", "Pss_Shmem")) or own(member)
                    for member in members) << 10
    return total


def _kilobytes(file: str, names: tuple[str, ...]) -> int:
    with suppress(OSError):
        return sum(int(line.split()[1]) for line in Path(file).read_text().splitlines() if line.startswith(names))
    return 0


def _stored(folder: str, members: Sequence[int]) -> int:
    """Bytes of all files in a folder, also of those that lie in none any more but are open in one of these processes.

    Each counts one block more than it has. Counting ends where there are too many, or where a folder hides them.
    """
    stored, folders = 0, [folder]
    while folders and stored <= protocol.DISK:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):
                        stored += 4096 + entry.stat(follow_symlinks=False).st_size
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except FileNotFoundError:
            continue
        except OSError:
            return protocol.DISK + 1
    for file in (file for member in members for file in glob(f"/proc/{member}/fd/*")):
        with suppress(OSError):
            status = os.stat(file)
            stored += 0 if status.st_nlink else status.st_size
    return stored


def _files(members: Sequence[int]) -> int:
    """How many files there are in the /tmp of a sandbox."""
    for member in reversed(members):
        with suppress(OSError):
            system = os.statvfs(f"/proc/{member}/root/tmp")
            if system.f_blocks * system.f_frsize == protocol.DISK:
                return system.f_files - system.f_ffree
    return 0
