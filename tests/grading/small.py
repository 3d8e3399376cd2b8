"""A course with one task f, for what does not need a real one."""

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

ANSWER = "def f(x):\n    if x:\n        ### BEGIN SOLUTION\n        return 1\n        ### END SOLUTION\n    return 2"
TASKS = """import numpy as np; from coursekit_grade.tasks import task, then

task("f", returns="number", cases=lambda rng: [(x,) for x in {rng.integers(9), 0}],
     mistakes=[(then(lambda number: -number), "Your sign is turned round.")], hints=["Think."])
"""


def answer_cell(source=ANSWER, grade_id="f"):
    nbgrader = {"grade_id": grade_id, "solution": True}
    return new_code_cell(source, id=grade_id, execution_count=3, metadata={"nbgrader": nbgrader})


def solved(lines):
    """An answer cell whose solution is these lines."""
    return answer_cell(f"import numpy as np\ndef f(x):\n    ### BEGIN SOLUTION\n    {lines}\n    ### END SOLUTION")


def course(root, *cells, tasks=TASKS, points=2):
    """Its solutions/01-topic, written below root: these cells (or the answer alone), and what checks f."""
    path = root / "solutions" / "01-topic" / "topic.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    check = new_code_cell('check("f", f)', id="f-check", metadata={
        "nbgrader": {"grade_id": "f-check", "grade": True, "points": points, "locked": True}})
    nbformat.write(new_notebook(cells=[*(cells or [answer_cell()]), check]), path)
    (path.parent / "tasks.py").write_text(tasks)
    return path
