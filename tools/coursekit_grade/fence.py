"""What the Linux kernel can refuse a submission's process, asked for by the process itself before it runs a cell.

bubblewrap gives a submission its own view of the machine. These hold inside it, too, or take its place.
"""

import ctypes
import errno
import os
import signal
import struct
import sys
from collections.abc import Iterable, Sequence
from typing import Any

KERNEL: Any = ctypes.CDLL(None) if sys.platform == "linux" else None


def stay_behind() -> None:
    """Leave a parent of everything that the submission starts, so that whoever ends it finds every process.

    If the grader dies, this parent ends them all, itself included: nobody can leave its group.
    """
    child_subreaper, parent_death_signal = 36, 1
    KERNEL.prctl(child_subreaper, 1)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    KERNEL.prctl(parent_death_signal, signal.SIGTERM)
    if child := os.fork():
        null, code = os.open(os.devnull, os.O_RDWR), 0
        for stream in range(3):
            os.dup2(null, stream)
        try:
            while True:
                ended, status = os.wait()
                code = status & 127 and 128 + (status & 127) if ended == child else code
        except ChildProcessError:
            os._exit(code)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    KERNEL.prctl(parent_death_signal, signal.SIGKILL)


# Limits and processors: its own, which is process 0, not another's.
OWN = {"sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122),
       "prlimit64": (302, 261), "sched_setattr": (314, 274)}
# A file that sends signals to another process: F_SETOWN and F_SETOWN_EX of fcntl, FIOSETOWN and SIOCSPGRP of ioctl;
# and F_SETPIPE_SZ, for a pipe that holds more than others do.
COMMANDS = {"fcntl": ((72, 25), (8, 15, 1031)), "ioctl": ((16, 29), (0x8901, 0x8902))}
CLONE, CLONE3 = (56, 220), (435, 435)
NAMESPACES = 0x7E020000  # flags of clone that ask for another view of the machine
PRCTL, SET_DUMPABLE = (157, 167), 4  # nobody but root could see any more what such a process holds
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def instead() -> str:
    """What holds where bubblewrap is missing, in words. An old kernel has no Landlock, a container may refuse it."""
    files, calls = KERNEL and KERNEL.syscall(444, None, 0, 1) > 0, KERNEL and os.uname().machine in ARCHITECTURES
    risks = ["read your files, the answers among them"] * (not files) + ["use the network"] * (not calls)
    return (f"the system cannot take its place, so what students wrote can {', and '.join(risks)}" if risks
            else "the kernel's Landlock and seccomp take its place")


def forbid(calls: Iterable[Sequence[int]]) -> None:
    """Have the kernel refuse these calls, with seccomp, to all that runs from now on; or end, with a sentence.

    calls: of each its number on x86_64, and on aarch64 if it is there.
    """
    if os.uname().machine not in ARCHITECTURES:
        return
    k, machine = ARCHITECTURES[os.uname().machine]
    load, equal, at_least, any_bit, answer = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, refuse = (answer, 0, 0, 0x7FFF0000), (answer, 0, 0, 0x00050000 | errno.EPERM)
    unknown = answer, 0, 0, 0x00050000 | errno.ENOSYS
    steps = [(load, 0, 0, 4), (equal, 1, 0, machine), refuse, (load, 0, 0, 0), (at_least, 0, 1, 1 << 30), refuse]
    for number in [number for numbers in calls for number in numbers[k : k + 1]]:
        steps += [(equal, 0, 1, number), refuse]
    first, second = (load, 0, 0, 16), (load, 0, 0, 24)  # arguments
    for own in OWN.values():
        steps += [(equal, 0, 4, own[k]), first, (equal, 0, 1, 0), allow, refuse]
    for numbers, commands in COMMANDS.values():
        refused = [step for command in commands for step in ((equal, 0, 1, command), refuse)]
        steps += [(equal, 0, len(refused) + 2, numbers[k]), second, *refused, allow]
    steps += [(equal, 0, 4, CLONE[k]), first, (any_bit, 0, 1, NAMESPACES), refuse, allow]
    steps += [(equal, 0, 4, PRCTL[k]), first, (equal, 0, 1, SET_DUMPABLE), refuse, allow]
    steps += [(equal, 0, 1, CLONE3[k]), unknown]  # its flags are in memory; whoever asks for it then takes clone
    code = b"".join(struct.pack("HBBI", *step) for step in (*steps, allow))
    place = ctypes.create_string_buffer(code)
    no_new_privileges, set_seccomp, by_filter = 38, 22, 2
    KERNEL.prctl(no_new_privileges, 1, 0, 0, 0)
    if KERNEL.prctl(set_seccomp, by_filter, struct.pack("HP", len(steps) + 1, ctypes.addressof(place))):
        sys.exit("the kernel refused the seccomp filter")


def confine(shown: Sequence[str], hidden: Sequence[str], own: str) -> None:
    """Where bubblewrap is missing, have the kernel refuse all other files: Landlock, Linux 5.13.

    shown, hidden: real paths; of two that a file lies in, the longer one decides. own: the submission's own folder,
    where it may write. Ends, with a sentence, where the kernel knows Landlock and does not.
    """
    capabilities, no_new_privileges, create, add, restrict = 0x20080522, 38, 444, 445, 446
    KERNEL.capset(struct.pack("Ii", capabilities, 0), bytes(24))
    KERNEL.prctl(no_new_privileges, 1, 0, 0, 0)
    call = KERNEL.syscall
    if (version := call(create, None, 0, 1)) < 1:
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

    def show(path: str) -> None:
        if not any(h.startswith(path + os.sep) for h in hidden):
            allow(path, read_file | read_folder)
            return
        allow(path, read_folder)  # of what is hidden in it only the names can be seen
        for name in os.listdir(path):
            inside = os.path.join(path, name)
            if inside not in hidden and not os.path.islink(inside):
                show(inside)

    for path in shown:
        show(path)
    for device in ("/dev/null", "/dev/urandom", "/dev/zero"):
        allow(device, of_files)
    allow(own, everything)
    if call(restrict, rules, 0):
        sys.exit("the kernel refused the Landlock rules")
    os.close(rules)
