"""Exercises that teach: `check` an answer, ask for a `hint`, see your `progress`.

Everything runs on this machine; nothing is sent anywhere.
"""

from coursekit.grading.notebook import check, hint, progress
from coursekit.grading.run import NotYet

__all__ = ["NotYet", "check", "hint", "progress"]
