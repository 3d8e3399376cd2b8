"""In place of bubblewrap, for those who have docker or podman: a container for each process of a submission.

The image has Python and packages, as docs/grading.md says. Nothing of this machine is mounted, and the engine may be on
another one.
"""

import shutil
import subprocess
import uuid
from collections.abc import Mapping
from functools import cache

from coursekit_grade import protocol
from coursekit_grade.printable import one_line

ENGINES = ("docker", "podman")
# The limits as the engine has set them: control groups of version 2, or of 1.
NEEDED = f"""import numpy, IPython, sys, importlib.util
from glob import glob
if importlib.util.find_spec("coursekit"):
    sys.exit("coursekit is in it, and answers are tested with its emails")
places = ["pids.max", "memory.max", "pids/pids.max", "memory/memory.limit_in_bytes"]
held = {{open(file).read().strip() for place in places for file in glob("/sys/fs/cgroup/" + place)}}
if not {{"{protocol.PROCESSES + 1}", "{protocol.MEMORY}"}} <= held:
    sys.exit("the limits of memory and processes do not hold in it, as without root where cgroups are not delegated")
"""
FAILED = 125  # the status of an engine that could not do what it was asked to


def commands(image: str, environment: Mapping[str, str], *arguments: str) -> tuple[list[str], list[str]]:
    """What runs Python in a container, and what ends it: whoever ends the first command does not."""
    program, name = engine(image)[0], f"coursekit-{uuid.uuid4().hex}"
    return [*_command(program, image, name, environment), *arguments], [program, "kill", name]


@cache
def engine(image: str) -> tuple[str, str]:
    """The program that makes containers of an image; why there is none, "" if there is one."""
    whys = []
    for program in filter(shutil.which, ENGINES):
        try:
            done = subprocess.run([*_command(program, image, f"coursekit-{uuid.uuid4().hex}", {}), "-c", NEEDED],
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=protocol.START_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            whys.append(f"{program} does not start: {error}")
        else:
            if not done.returncode:
                return program, ""
            said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {done.returncode}"]
            whys.append(f"{program} cannot run Python with numpy and IPython in {image}: {one_line(said[-1])}")
    return "", "; ".join(whys) or f"there is no {' and no '.join(ENGINES)} on PATH"


def _command(program: str, image: str, name: str, environment: Mapping[str, str]) -> list[str]:
    """Python in a container of its own, that can reach nothing, write into /tmp alone, and is nobody there.

    Its first process ends it after a while: whoever asked for it may be gone.
    """
    seconds = protocol.START_SECONDS + protocol.SUBMISSION_SECONDS
    return [
        program, "run", "--rm", "--interactive", f"--name={name}", "--pull=never", "--log-driver=none",
        "--network=none", "--ipc=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges",
        "--user=65534:65534", f"--memory={protocol.MEMORY}", f"--memory-swap={protocol.MEMORY}", "--cpus=1",
        f"--pids-limit={protocol.PROCESSES + 1}", f"--tmpfs=/tmp:size={protocol.DISK}", "--workdir=/tmp",
        *(f"--env={key}={value}" for key, value in environment.items() if key != "PATH"),
        "--entrypoint=timeout", image, "-s", "KILL", f"{seconds:g}", "python", "-s", "-P"]
