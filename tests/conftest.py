"""Shared by all tests."""

from functools import cache

import pytest
from hypothesis import settings

import coursekit as ck


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run what is marked slow, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes seconds and tests what a faster test touches, too; run by --all")


def pytest_collection_modifyitems(config, items):
    """Without --all, leave out what is slow; a test that is asked for by its name is run."""
    if config.getoption("--all") or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in set(slow)]


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
