"""What exercises import: `from coursekit.grading import check, hint, progress`."""

from coursekit.checking import NotYet, check, hint, progress

__all__ = ["NotYet", "check", "hint", "progress"]
__dir__ = __all__.copy  # what completion offers
