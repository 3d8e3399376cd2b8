"""How long a chapter takes who reads it with care: `python -m tests.minutes notebooks/0*.ipynb`.

160 words a minute outside folds, 40 formulas, 20 lines of code; 0.4 minutes for a formula on a line of its own, 1.5 for
a picture or a quick question, 2.5 for a prediction. Three readers with a clock took as long. The spine is what stands
before "In five lines"; what comes after it may be left out.
"""

import re
import sys

import nbformat

WORDS, FORMULAS, CODE = 160, 40, 20  # a minute
DISPLAYED, PICTURE, QUICK, PREDICTION = 0.4, 1.5, 1.5, 2.5  # minutes


def parts(path):
    """The cells of a chapter's spine, and those from its summary on."""
    cells = nbformat.read(path, 4).cells
    (summary,) = [k for k, cell in enumerate(cells) if cell.source.startswith("## In five lines")]
    return cells[:summary], cells[summary:]


def visible(text):
    """What is seen of a Markdown cell while its folds are closed."""
    return re.sub(r"<details>.*?</details>", " ", text, flags=re.DOTALL)


def minutes(cells):
    total = 0
    for cell in cells:
        if cell.cell_type == "code":
            asked = len(re.findall(r"\bck\.predict\(", cell.source))
            drawn = "explorers." in cell.source or any("image/png" in o.get("data", {}) for o in cell.outputs)
            total += sum(map(bool, map(str.strip, cell.source.splitlines()))) / CODE
            total += PREDICTION * asked + PICTURE * (drawn and not asked)
            continue
        total += QUICK * cell.source.count("**Quick question")
        text, displayed = re.subn(r"\$\$.*?\$\$", " ", visible(cell.source), flags=re.DOTALL)
        text, inline = re.subn(r"(?<!\\)\$[^$]+\$", " x ", text)
        words = re.sub(r"[#*_>`|\[\]()]", " ", text).split()
        total += len(words) / WORDS + inline / FORMULAS + DISPLAYED * displayed
    return total


if __name__ == "__main__":
    for name in sys.argv[1:]:
        spine, more = map(minutes, parts(name))
        print(f"{name}: {spine:.0f} minutes, {more:.0f} more")
