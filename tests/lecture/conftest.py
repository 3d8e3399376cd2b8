"""Whoever runs coroutines here does so also where a browser has been: its event loop stays the running one."""

import asyncio

import pytest


@pytest.fixture
def loopless():
    """No event loop is running, whatever another test of this process has left."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)
