"""Run notebooks and store their outputs in them: python tests/store_outputs.py notebooks/*.ipynb

Explorers are stored as still picture and sentence, without the live view: a view without its kernel would
show an error where the picture should be. A prediction is stored as its question and a closed fold.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def store(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=120, coalesce_streams=True, resources=folder).execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    os.environ["COURSEKIT_FOLDED"] = "1"
    for name in sys.argv[1:]:
        store(Path(name))
        print("stored", name)
