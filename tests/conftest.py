"""Shared by all tests."""

import os
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

import coursekit as ck
from tests import one_kernel

collect_ignore = ["typed.py"]  # for type checkers; some of what is in it is wrong


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run what is marked slow, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow(keep=0): run by --all alone, but for the first `keep` of its settings")
    if not config.getoption("--all"):
        one_kernel.pytest_configure()


def pytest_collection_modifyitems(config, items):
    """Without --all, leave out what is slow; a test that is asked for by its name is run."""
    if config.getoption("--all") or any("::" in argument for argument in config.args):
        return
    kept, slow, seen = [], [], Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        keep = min((mark.kwargs.get("keep", 0) for mark in item.iter_markers("slow")), default=None)
        seen[test] += bool(keep)
        (kept if keep is None or seen[test] <= keep != 0 else slow).append(item)
    config.hook.pytest_deselected(items=slow)
    # One worker builds the site, which takes a while; the other has something else to do meanwhile. Chapters come last,
    # the short ones at the end.
    with_site = list(dict.fromkeys(item.path for item in kept if "built" in getattr(item, "fixturenames", ())))
    late = {path: 2 * bool(k) for k, path in enumerate(with_site)}
    chapters = {item.path for item in kept if item.path.suffix == ".ipynb"}
    late |= {path: 3 + k for k, path in enumerate(sorted(chapters, reverse=True))}
    items[:] = sorted(kept, key=lambda item: late.get(item.path, 1))


def refused_on_ci(report):
    """What a test needs may be missing at a reader's, who is told so; on CI it is there, or nothing was tested."""
    on_ci = os.environ.get("CI") == "true" and sys.platform == "linux"
    if on_ci and report.skipped and not hasattr(report, "wasxfail"):
        *_, reason = report.longrepr
        report.outcome, report.longrepr = "failed", f"{reason}. With CI=true, what is skipped has failed."
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return refused_on_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return refused_on_ci((yield))


# Property tests judge values, never time: a busy machine must not fail them.
settings.register_profile("values", deadline=None)
settings.load_profile("values")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """What people install."""
    from hatchling.builders.wheel import WheelBuilder

    folder, root = tmp_path_factory.mktemp("wheel"), str(Path(__file__).parents[1])
    return Path(next(WheelBuilder(root).build(directory=str(folder), versions=["standard"])))


@pytest.fixture(scope="session")
def made():
    """made(name): an explorer at its start. Each is built once, which takes longer than most tests."""
    build = cache(lambda name: getattr(ck.explorers, name)())

    def from_the_start(name):
        build(name).reset()
        return build(name)

    return from_the_start
