"""Shared by all tests."""

from functools import cache

import pytest
from hypothesis import settings

import coursekit as ck

# Property tests judge values, never time: a busy machine must not fail them.
settings.register_profile("values", deadline=None)
settings.load_profile("values")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """A worker takes whole files: cells share a kernel, browser tests a page. The site's chapters share nothing, and
    take so long that they are handed out one by one, at the end."""
    for item in items:
        if item.path.name != "test_site_chapters.py":
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


@pytest.fixture(scope="session")
def made():
    """made(name): an explorer at its start. Each is built once, which takes longer than most tests."""
    build = cache(lambda name: getattr(ck.explorers, name)())

    def from_the_start(name):
        build(name).reset()
        return build(name)

    return from_the_start
