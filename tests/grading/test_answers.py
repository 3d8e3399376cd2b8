"""What a student wrote, as it comes out of any notebook and stands on the page."""

import json
import re

import nbformat
from hypothesis import given
from hypothesis import strategies as st

from coursekit.grading import worker
from coursekit.grading.answers import LONGEST, answers
from coursekit.grading.classroom import Graded
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark, TaskMark
from coursekit.grading.report import reports
from tests.grading.shared import COURSE, NAME


def cell(source, name=None, kind="code"):
    return {"cell_type": kind, "source": source, "metadata": {"nbgrader": {"grade_id": name}} if name else {}}


def of(*cells):
    return json.dumps({"cells": cells}).encode()


def test_the_cell_of_a_task_is_known_by_its_id_else_by_what_it_defines():
    assert answers(of(cell("def f(): 0", "f"), cell("def f(): 1")), ["f"]) == {"f": "def f(): 0"}
    beside = {"h.py": b"def f():\n    3", "g.py": b"def g(): 2"}
    assert answers(of(cell("from h import f", "f"), cell("def f(): 1")), ["f"], beside) == {
        "f": "from h import f\ndef f(): 1\n# h.py\ndef f():\n    3"}
    assert answers(of(cell("def f(): 1"), cell(["def f():\n", "\t2"]), cell("def f(): 3", kind="raw")), ["f"]) == {
        "f": "def f():\n    2"
    }
    assert answers(of(cell("def far(): 1")), ["f"]) == {}
    assert len(answers(of(cell("é" * 10**6, "f")), ["f"])["f"]) == LONGEST
    assert answers(of(cell("a\x1b[2Jb\n\u202ec", "f")), ["f"]) == {"f": "a\ufffd[2Jb\n\ufffdc"}


json_values = st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda s: st.lists(s) | st.dictionaries(
    st.sampled_from(["cells", "cell_type", "source", "metadata", "nbgrader", "grade_id", "code"]), s), max_leaves=12)


@given(json_values)
def test_whatever_is_handed_in_has_answers_or_none(value):
    first = {"cell_type": "code", **(value if isinstance(value, dict) else {})}
    found = answers(json.dumps({"cells": [first, value]}).encode(), ["f"])
    assert all(isinstance(text, str) for text in found.values())


def test_a_notebook_that_cannot_be_read_costs_the_grader_nothing():
    for data in (b"", b"[]", b"\xff", b'{"cells": ' + b"[" * 10**6, b'{"cells": 1}'):
        assert worker.ask(answers, data, ["f"]) == {}


def test_what_to_read_again_is_a_section_of_the_tasks_chapter():
    for name, tasks in COURSE.sections.items():
        cells = nbformat.read(COURSE.assignments[name].notebook.parents[2] / "notebooks" / f"{name}.ipynb", 4).cells
        headings = {number for cell in cells for number in re.findall(r"^## (\d+\.\d+) ", cell.source, re.M)}
        assert [*tasks] == [*COURSE.points[name]]
        assert all(sections and set(sections.split(" and ")) <= headings for sections in tasks.values())


def test_a_class_that_is_large_enough_sees_what_it_found_hard():
    mark = Mark(NAME, (TaskMark("update", 2, 2), TaskMark("bound", 1, 3, message="No."), TaskMark("cycle", 3, 3)))
    ten = [Graded(Submission(f"Ann {k}", "", "a.ipynb", NAME), mark, 22) for k in range(10)]
    pages = [reports(theirs, COURSE.points, 3, changed=None)["feedback/Ann 1.html"] for theirs in (ten, ten[:9])]
    assert [(page.count(">100%</td>"), page.count(">0%</td>")) for page in pages] == [(2, 1), (0, 0)]
