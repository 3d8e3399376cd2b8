"""The formulas of live pages, drawn while the site is built: they come with the text, and Python starts sooner."""

import json
import subprocess
from importlib.resources import files
from pathlib import Path

MATHJAX = Path(str(files("mathjax") / "static" / "mathjax" / "es5"))


def drawn(bodies: list[str]) -> tuple[str, list[str]]:
    """What belongs in the head of each page, and the pages' bodies with their formulas drawn."""
    command = ["node", str(Path(__file__).with_name("formulas.mjs")), str(MATHJAX)]
    done = subprocess.run(command, input=json.dumps(bodies), capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise OSError(f"node could not draw the formulas: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    parts = json.loads(done.stdout)
    return parts["head"], parts["bodies"]
