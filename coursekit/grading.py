"""What exercises import: `from coursekit.grading import check, hint, progress`."""

from coursekit.checking import NotYet, check, hint, progress

__all__ = ["NotYet", "check", "hint", "progress"]


def __dir__() -> list[str]:
    return __all__
