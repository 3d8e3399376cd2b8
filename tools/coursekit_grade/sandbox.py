"""What a submission sees of the machine: the interpreter, some packages, what of coursekit has no answer; no network.

bubblewrap shows that on Linux. Without it the kernel refuses the rest, where it can be asked to: see fence. Of a
container see there.
"""

import marshal
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable
from compileall import compile_file
from functools import cache
from glob import glob
from importlib import metadata, resources
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

from coursekit_grade import container, fence, protocol
from coursekit_grade.imported import DATA_SETS, imported
from coursekit_grade.worker import COURSEKIT, HERE

DATA = COURSEKIT / "core" / "data"
# What the process runs first: writes what was sent into its folder, and is the child.
BEGIN = """import marshal, os, sys
from importlib.machinery import SourceFileLoader
for file, data in marshal.load(sys.stdin.buffer).items():
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "wb") as to:
        to.write(data)
exec(SourceFileLoader("__main__", sys.argv.pop()).get_code("__main__"))
"""
# What a submission may import, with all that these need, where it is installed. IPython reads %magics.
REFUSED = tomllib.loads(resources.files("coursekit_grade").joinpath("fence.toml").read_text("utf-8"))
LIBRARIES = ("numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "ipython", "tqdm")


def modules() -> dict[str, str]:
    """What a submission may import of coursekit, with its files; no answer is there. All else has a stand-in."""
    return imported("coursekit_grade.child", DATA_SETS)


@cache
def placed(file: str) -> str:
    """Where a file of ours lies in the folder that a process starts in."""
    path = Path(file).resolve()
    top = COURSEKIT if path.is_relative_to(COURSEKIT) else HERE
    return f".coursekit/{path.relative_to(top.parent).as_posix()}"


@cache
def sent() -> bytes:
    """What it reads of coursekit, in front of its Order. No mails: answers are tested with other ones."""
    data = [str(p) for p in DATA.iterdir() if not p.name.startswith("mail")]
    sent = {placed(file): Path(file).read_bytes() for file in [*modules().values(), *data]}
    for file in modules().values():
        compile_file(file, quiet=2)
        if os.path.exists(path := cache_from_source(file)):  # for the source as it is sent, whatever its time: PEP 552
            code = Path(path).read_bytes()
            sent[cache_from_source(placed(file))] = code[:4] + bytes([1, *bytes(11)]) + code[16:]
    return marshal.dumps(sent, 2)


class Box(NamedTuple):
    """What is around a submission's process: bubblewrap, or containers of `image`; or else the kernel alone, `open`."""

    image: str = ""
    open: bool = False

    def missing(self) -> str:
        """Why submissions cannot be shut in like this, "" if they can; and what holds in place of bubblewrap."""
        if self.open or self.image:
            return container.engine(self.image)[1] if self.image else ""
        return (why := _no_bubblewrap()) and f"{why}; {fence.instead()}"


@cache
def _no_bubblewrap() -> str:
    if sys.platform != "linux":
        return "bubblewrap exists for Linux only"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    try:
        done = subprocess.run([*bubblewrap(), *python("-c", "pass")], env=environment("/tmp"), capture_output=True,
                              timeout=protocol.START_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    return f"bubblewrap does not start: {done.stderr.decode(errors='replace').strip()[:200]}" if done.returncode else ""


def python(*arguments: str) -> list[str]:
    """This interpreter, without a site, so that no file but those it is shown can change what it runs."""
    return [os.path.realpath(sys.executable), "-s", "-S", "-P", *arguments]


def environment(home: str) -> dict[str, str]:
    """All variables there are: bubblewrap's own environment can be read from inside. Hashes are the same each time."""
    return {"HOME": home, "TMPDIR": home, "MPLCONFIGDIR": home, "MPLBACKEND": "agg", "LC_ALL": "C.UTF-8",
            "PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


@cache
def bubblewrap() -> list[str]:
    """The beginning of a command that runs in bubblewrap."""
    command = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--disable-userns",
               "--die-with-parent", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000",
               "--size", str(protocol.DISK), "--tmpfs", "/tmp"]
    seen = view()
    for path in sorted(every := [*seen.shown, *seen.hidden]):
        if path in seen.hidden:
            command += ["--tmpfs", path]
        elif max((p for p in every if path.startswith(f"{p}/")), key=len, default="") not in seen.shown:
            command += ["--ro-bind", path, path]
    for path, real in seen.links.items():
        command += ["--symlink", real, path]
    for path in seen.hidden:
        command += ["--remount-ro", path]
    return [*command, "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--"]


class FilesInView(NamedTuple):
    """What a submission sees of the machine, as real paths: of two that a file lies in the longer one decides."""

    shown: list[str]
    hidden: list[str]
    links: dict[str, str]  # names by which the loader looks for folders that are shown
    site: list[str]  # where packages are imported from


@cache
def view() -> FilesInView:
    """The interpreter, its standard library, shared libraries, LIBRARIES, and nothing else."""
    prefixes = dict.fromkeys([sys.base_prefix, sys.base_exec_prefix])
    folders = [f"{p}/{name}" for p in prefixes for name in ("lib", "lib64")]
    folders += ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/etc/ld.so.cache"]
    libraries = {path: os.path.realpath(path) for path in folders if os.path.exists(path)}
    standard = [sysconfig.get_path("stdlib"), sysconfig.get_config_var("DESTSHARED") or ""]
    standard = [os.path.realpath(path) for path in standard if os.path.isdir(path)]
    packages, site = packages_of(LIBRARIES)
    packages = [path for path in packages if not path.endswith(".dist-info")]  # a third of what would be mounted
    shown = dict.fromkeys([os.path.realpath(sys.executable), *libraries.values(), *standard, *packages])
    hidden = [path for folder in libraries.values() for path in glob(f"{folder}/python*")]
    hidden += [f"{folder}/{name}" for folder in standard for name in ("site-packages", "dist-packages")]
    hidden += [str(COURSEKIT), str(HERE), *(str(COURSEKIT.parent / name) for name in ("solutions", "exercises"))]
    inside = [h for h in dict.fromkeys(hidden) if os.path.isdir(h) and not os.path.islink(h) and h not in shown
              and any(h.startswith(f"{path}/") for path in shown)]
    links = {path: real for path, real in libraries.items() if os.path.islink(path)
             and not any(path.startswith(f"{folder}/") for folder in shown)}
    return FilesInView(list(shown), inside, links, site)


def packages_of(libraries: Iterable[str]) -> tuple[list[str], list[str]]:
    """The real paths of these and of what they need, and the folders in which they lie."""
    wanted, seen = list(libraries), set()
    paths: dict[str, None] = {}
    site: dict[str, None] = {}
    while wanted:
        name = re.sub(r"[-_.]+", "-", wanted.pop()).lower()
        if name in seen:
            continue
        seen.add(name)
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        folder = os.path.realpath(str(package.locate_file("")))
        wanted += [re.split(r"[^\w.-]", need)[0] for need in package.requires or ()
                   if not re.search(r"\bextra\s*==", need)]
        files = package.read_text("RECORD") or package.read_text("top_level.txt") or ""
        for top in {re.split("[/,]", line)[0].strip('"') for line in files.splitlines()} - {"..", "__pycache__", ""}:
            for path in (f"{folder}/{top}", f"{folder}/{top}.py"):
                if os.path.exists(path):
                    paths[os.path.realpath(path)] = None
                    site[folder] = None
    return list(paths), list(site)
