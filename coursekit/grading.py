"""What exercises import, `from coursekit.grading import check, hint, progress`. Nothing is sent anywhere."""

from coursekit.checking.student import NotYet, check, hint, progress

__all__ = ["NotYet", "check", "hint", "progress"]  # as they are: check looks at who calls it, and keeps check.case
__dir__ = __all__.copy
