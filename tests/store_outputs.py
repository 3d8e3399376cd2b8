"""Run notebooks and store their outputs in them: python tests/store_outputs.py notebooks/*.ipynb

Explorers are stored as still picture and sentence, without the live view: a view without its kernel would
show an error where the picture should be. A prediction is stored as its question and a closed fold. Each picture has
its narrow twin beside it, for the reading copy on a phone.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

# matplotlib's own view of a figure, and beside it the narrow one.
FIGURES = """
def _both(fig, include=None, exclude=None):
    from base64 import b64encode
    from IPython.core.pylabtools import print_figure
    from coursekit.plots import narrow_png
    still = {"image/png": b64encode(print_figure(fig)).decode(), "text/plain": repr(fig)}
    return still, {"image/png": {"narrow": b64encode(narrow_png(fig)).decode()}}
get_ipython().display_formatter.mimebundle_formatter.for_type_by_name("matplotlib.figure", "Figure", _both)
del _both
"""


def store(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, coalesce_streams=True, resources={"metadata": {"path": str(path.parent)}},
                   extra_arguments=[f"--IPKernelApp.exec_lines={[FIGURES]!r}"]).execute()
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
            if "alt" in cell.metadata and (told := output.get("metadata", {}).get("image/png")):
                told.setdefault("alt", cell.metadata["alt"])  # for whoever converts the notebook otherwise
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "progress":
            cell.outputs = []  # of the whole course, as it happened to be here
    nbformat.write(notebook, path)


if __name__ == "__main__":
    os.environ["COURSEKIT_FOLDED"] = "1"
    for name in sys.argv[1:]:
        store(Path(name))
        print("stored", name)
