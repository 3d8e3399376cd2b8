"""One kernel for all notebooks that a process runs, emptied before each: to start one takes as long as to run some.

It draws no narrow twins, which nbval compares with nothing: they take longer than all else that a picture does.
"""

from functools import cache

from nbval import plugin
from nbval.kernel import RunningKernel

WIDE = """
from coursekit import plots
plots.narrow_png = lambda figure: b""
from coursekit.explorers import stills
stills.narrow_png = plots.narrow_png
"""


class Kernel(RunningKernel):
    def stop(self):
        """It ends with the process that started it."""

    def get_message(self, stream, timeout=None):
        """Theirs writes each of them down for a log first, which takes longer than to receive it."""
        return (self.kc.get_iopub_msg if stream == "iopub" else self.kc.get_shell_msg)(timeout=timeout)


started = cache(Kernel)


def emptied(name, cwd, startup_timeout):
    kernel = started(name)
    message = kernel.execute_cell_input(f"{WIDE}%reset -f\n__import__('os').chdir({cwd!r})")
    kernel.await_reply(message, startup_timeout)
    kernel.await_idle(message, startup_timeout)
    return kernel


def pytest_configure():
    plugin.RunningKernel = emptied
