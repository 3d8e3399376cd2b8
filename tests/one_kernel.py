"""One kernel for all notebooks that a process runs, emptied before each: to start one takes as long as to run some."""

from functools import cache

from nbval import plugin
from nbval.kernel import RunningKernel


class Kernel(RunningKernel):
    def stop(self):
        """It ends with the process that started it."""


@cache
def started(name):
    return Kernel(name)


def emptied(name, cwd, startup_timeout):
    kernel = started(name)
    message = kernel.execute_cell_input(f"%reset -f\n__import__('os').chdir({cwd!r})")
    kernel.await_reply(message, startup_timeout)
    kernel.await_idle(message, startup_timeout)
    return kernel


def pytest_configure():
    plugin.RunningKernel = emptied
