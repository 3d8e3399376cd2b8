"""A chapter to print: still, with what is folded away on its page, answers above all, as notes at its end."""

from __future__ import annotations

import re

FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
CELLS = re.compile(r'<script type="application/json" id="ck-cells">.*?</script>', re.DOTALL)  # run where it is live


def printed(body: str) -> str:
    """The body of a chapter's page with a number in the place of each fold, and all that was in the folds behind it."""
    notes: list[str] = []

    def note(fold: re.Match[str]) -> str:
        number = len(notes) + 1
        title = "" if fold[1].startswith("Answer") else f"<strong>{fold[1]}</strong>"
        notes.append(f'<li id="note-{number}">{title}{fold[2]}</li>')
        return f'<p>{fold[1]} <a href="#note-{number}">[{number}]</a></p>'

    text = FOLD.sub(note, CELLS.sub("", body))
    return f'{text}<h2>Notes and answers</h2><ol>{"".join(notes)}</ol>' if notes else text
