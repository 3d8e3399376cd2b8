"""One kernel for all notebooks that a process runs, emptied before each: to start one takes as long as to run some.

Pictures are drawn once, with few pixels and hardly packed, and have no narrow twins: nbval does not look at them.
"""

from functools import cache

from nbval import plugin
from nbval.kernel import RunningKernel

PLAIN = """
from functools import partialmethod
from matplotlib.backend_bases import FigureCanvasBase
from PIL.Image import Image
from coursekit import plots
plots.narrow_png = lambda figure: b""
from coursekit.explorers import stills
stills.narrow_png = plots.narrow_png
if FigureCanvasBase.print_figure.__name__ != "once":
    Image.save = partialmethod(Image.save, compress_level=1)
    def once(self, file, dpi=None, print_figure=FigureCanvasBase.print_figure, **settings):
        print_figure(self, file, **settings | {"bbox_inches": None})
    FigureCanvasBase.print_figure = once
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
    message = kernel.execute_cell_input(f"{PLAIN}%reset -f\n__import__('os').chdir({cwd!r})")
    kernel.await_reply(message, startup_timeout)
    kernel.await_idle(message, startup_timeout)
    return kernel


def pytest_configure():
    plugin.RunningKernel = emptied
