"""What the Linux kernel can refuse a submission's process, asked for by the process itself before it runs a cell.

bubblewrap gives a submission its own view of the machine. These hold inside it, too, or take its place.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
import sys
from collections.abc import Sequence
from typing import Any

KERNEL: Any = ctypes.CDLL(None) if sys.platform == "linux" else None


def stay_behind() -> None:
    """Leave a parent of everything that the submission starts, so that whoever ends it finds every process."""
    child_subreaper, parent_death_signal = 36, 1
    KERNEL.prctl(child_subreaper, 1)
    KERNEL.prctl(parent_death_signal, signal.SIGKILL)
    if os.fork():
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        try:
            while True:
                os.wait()
        except ChildProcessError:
            os._exit(0)
    KERNEL.prctl(parent_death_signal, signal.SIGKILL)


# What no exercise needs: sockets, signals to others, other processes' memory, rights and times of files, memory
# that belongs to no process, keys, priorities. By number, because the kernel knows no names.
FORBIDDEN = {
    "x86_64": (0xC000003E, (
        29, 41, 62, 64, 68, 90, 91, 92, 93, 94, 101, 129, 132, 141, 188, 189, 190, 200, 234, 235, 240, 248, 249, 250,
        251, 260, 261, 268, 280, 297, 298, 310, 311, 319, 321, 323, 424, 425, 452)),
    "aarch64": (0xC00000B7, (
        5, 6, 7, 30, 52, 53, 54, 55, 88, 117, 129, 130, 131, 138, 140, 180, 186, 190, 194, 198, 217, 218, 219, 240,
        241, 270, 271, 279, 280, 282, 424, 425, 452)),
}
# Limits and processors: its own, which is process 0, not another's.
OWN = {"x86_64": (142, 144, 203, 302, 314), "aarch64": (118, 119, 122, 261, 274)}
# A file that sends signals to another process: F_SETOWN and F_SETOWN_EX of fcntl, FIOSETOWN and SIOCSPGRP of ioctl.
COMMANDS = {"x86_64": {72: (8, 15), 16: (0x8901, 0x8902)}, "aarch64": {25: (8, 15), 29: (0x8901, 0x8902)}}


def forbid() -> None:
    """Have the kernel refuse these calls, with seccomp, to all that runs from now on."""
    machine, numbers = FORBIDDEN.get(os.uname().machine, (0, ()))
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    allow, refuse = (answer, 0, 0, 0x7FFF0000), (answer, 0, 0, 0x00050000 | errno.EPERM)
    steps = [(load, 0, 0, 4), (equal, 1, 0, machine), refuse, (load, 0, 0, 0), (at_least, 0, 1, 1 << 30), refuse]
    for number in numbers:
        steps += [(equal, 0, 1, number), refuse]
    first, second = (load, 0, 0, 16), (load, 0, 0, 24)  # arguments
    for number in OWN.get(os.uname().machine, ()):
        steps += [(equal, 0, 4, number), first, (equal, 0, 1, 0), allow, refuse]
    for number, commands in COMMANDS.get(os.uname().machine, {}).items():
        refused = [step for command in commands for step in ((equal, 0, 1, command), refuse)]
        steps += [(equal, 0, len(refused) + 2, number), second, *refused, allow]
    code = b"".join(struct.pack("HBBI", *step) for step in (*steps, allow))
    place = ctypes.create_string_buffer(code)
    no_new_privileges, seccomp, by_filter = 38, 22, 2
    KERNEL.prctl(no_new_privileges, 1, 0, 0, 0)
    if numbers:
        KERNEL.prctl(seccomp, by_filter, struct.pack("HP", len(steps) + 1, ctypes.addressof(place)))


def confine(readable: Sequence[str], package: str, parts: Sequence[str]) -> None:
    """Where bubblewrap is missing, have the kernel refuse all files but `readable` ones: Landlock, Linux 5.13.

    readable: folders and files; the last is the submission's own folder, where it may write. Of `package`, which
    may lie in one of them, only `parts` can be read.
    """
    *readable, own = readable
    capabilities, no_new_privileges, create, add, restrict = 0x20080522, 38, 444, 445, 446
    KERNEL.capset(struct.pack("Ii", capabilities, 0), bytes(24))
    KERNEL.prctl(no_new_privileges, 1, 0, 0, 0)
    call = KERNEL.syscall
    version = call(create, None, 0, 1)
    if version < 1:
        return
    read_file, read_folder, of_files = 1 << 2, 1 << 3, 0b111 | 1 << 14
    everything = (1 << {1: 13, 2: 14}.get(version, 15)) - 1
    rules = call(create, struct.pack("Q", everything), 8, 0)

    def allow(path: str, access: int) -> None:
        try:
            place = os.open(path, os.O_PATH)
        except OSError:
            return
        access &= everything if os.path.isdir(path) else of_files
        call(add, rules, 1, struct.pack("=Qi", access, place), 0)
        os.close(place)

    def allow_around_package(path: str) -> None:
        if not package.startswith(path + os.sep):
            allow(path, read_file | read_folder)
        else:  # everything in it but the package, of which only the names can be seen
            allow(path, read_folder)
            for name in os.listdir(path):
                if os.path.join(path, name) != package:
                    allow_around_package(os.path.join(path, name))

    for path in readable:
        allow_around_package(os.path.realpath(path))
    for part in parts:
        allow(os.path.join(package, part), read_file | read_folder)
    for device in ("/dev/null", "/dev/urandom", "/dev/zero"):
        allow(device, of_files)
    allow(own, everything)
    call(restrict, rules, 0)
    os.close(rules)
