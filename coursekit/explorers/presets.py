"""What to show in a lecture: the explorers, and settings of each that make a point, named after it, in presets.toml."""

import tomllib
from pathlib import Path

from coursekit.core.text import meant

# By explorer: its "chapter", what it is "about", and its "presets" by name, each with its "point" and its "line".
SHOWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def line(explorer: str, preset: str = "") -> str:
    """The controls that a preset's name stands for; a line like "lam=0.01 seed=3" stands for itself.

    Raises ValueError, with the known ones, for an unknown explorer or name.

    >>> line("svm", "hard-margin")
    'separability=1 lam=1e-6 k=0'
    """
    if explorer not in SHOWS:
        near = meant(explorer, SHOWS)
        raise ValueError(f"explorer must be one of {', '.join(SHOWS)} or predict; got {explorer!r}{near}")
    if not preset or "=" in preset:
        return preset
    known = SHOWS[explorer]["presets"]
    if preset not in known:
        raise ValueError(f'preset must be one of {", ".join(known)}, or a line like "lam=0.01 seed=3"; got {preset!r}'
                         + meant(preset, known))
    return str(known[preset]["line"])
