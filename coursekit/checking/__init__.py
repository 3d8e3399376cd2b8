"""Exercises that teach: `check` an answer, ask for a `hint`, see your `progress`.

Everything runs on this machine; nothing is sent anywhere.
"""

from coursekit.checking.call import NotYet
from coursekit.checking.student import check, hint, progress

__all__ = ["NotYet", "check", "hint", "progress"]
