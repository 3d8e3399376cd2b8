"""Files are written as a whole: a full disk must not leave half a notebook, and two kernels not a mixture."""

import os
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Put `content` into the file `path`. Until all of it is written, what was there stays. OSError otherwise."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
