"""The folder of a site: it is built beside it, and takes its place whole, or not at all."""

import hashlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory

MARKER = ".coursekit-site.json"


def check_ours(out: Path) -> None:
    nearest = _nearest(out)
    if not nearest.is_dir():
        raise ValueError(f"out must be a folder; {nearest} is a file")
    if not out.exists() or not any(out.iterdir()):
        return
    try:
        ours = json.loads((out / MARKER).read_bytes())
    except (OSError, ValueError):
        raise ValueError(
            f"out must be a new or empty folder, or hold a site that coursekit built; {out} holds something else"
        ) from None
    for name, digest in digests(out).items():
        if ours.get(name) != digest:
            what = "was changed since" if name in ours else "is not part of"
            raise ValueError(f"{out / name} {what} the site that coursekit built there: move it away, then build again")


def beside(out: Path) -> TemporaryDirectory[str]:
    """A folder on the same disk, so that what is built in it can be renamed to `out`."""
    nearest = _nearest(out.parent)
    try:
        return TemporaryDirectory(prefix=".coursekit-site-", dir=nearest)
    except OSError as error:
        raise OSError(f"out must lie where you can write; not in {nearest} ({error.strerror})") from None


def replace(out: Path, site: Path, before: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.exists():
        out.rename(before)
    try:
        site.rename(out)
    except OSError:
        if before.exists():
            before.rename(out)
        raise


def digests(folder: Path) -> dict[str, str]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p != folder / MARKER)
    return {p.relative_to(folder).as_posix(): digest(p) for p in files}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _nearest(path: Path) -> Path:
    """The path, or what is nearest above it, that exists."""
    return next(p for p in (path, *path.parents) if p.exists())
