"""Shared by all tests."""

from functools import cache

import pytest
from hypothesis import settings

import coursekit as ck

# Property tests judge values, never time: a busy machine must not fail them.
settings.register_profile("values", deadline=None)
settings.load_profile("values")


@pytest.fixture(scope="session")
def made():
    """made(name): an explorer at its start. Each is built once, which takes longer than most tests."""
    build = cache(lambda name: getattr(ck.explorers, name)())

    def from_the_start(name):
        build(name).reset()
        return build(name)

    return from_the_start
