"""A class graded: from what an instructor collected to marks and feedback.

`check`, `hint` and `progress` live in `coursekit.checking`; notebooks of the first edition import them from here.
"""

from coursekit.checking import NotYet, check, hint, progress

__all__ = ["NotYet", "check", "hint", "progress"]
