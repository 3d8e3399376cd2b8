"""Where Python may look for modules: in no folder that may be full of students' files."""

import os  # this and sys alone: both are there before anything can lie in their place
import sys

HERE = os.path.realpath(f"{__file__}/../../..")
HOUSE = HERE, os.path.join(HERE, "tools")  # where coursekit lies, and in a clone its tools


def trusted(paths: list[str], theirs: str = "") -> list[str]:
    """Those that are not the current folder, nor in `theirs`; always those of Python and of coursekit itself."""
    kept, here = [], os.path.realpath("")
    for path in filter(None, paths):
        real = os.path.realpath(path)
        ours = real in HOUSE or within(real, sys.prefix) or within(real, sys.base_prefix)
        if ours or not (real == here or (theirs and within(real, theirs))):
            kept.append(os.path.abspath(path))
    return kept


def within(path: str, folder: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(os.path.realpath(folder), ""))
