"""Shared by the tests of explorers."""

import pytest


@pytest.fixture
def explorer(made, request):
    """The explorer that the file is about: in test_svm.py that is svm."""
    return made(request.path.stem.removeprefix("test_"))
