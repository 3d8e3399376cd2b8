"""An instructor who keeps nbgrader uses solutions/ and exercises/ as they are."""

import os
import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="needs the extra: pip install coursekit[grading]")
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config

pytestmark = pytest.mark.filterwarnings("ignore:Object of type:Warning")  # nbgrader's own, about its database

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = sorted(path.name for path in (ROOT / "solutions").iterdir() if path.is_dir() and path.name[0] != ".")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with two students: one hands in the solutions, one the untouched exercises."""
    root = tmp_path_factory.mktemp("nbgrader")
    notebooks = shutil.ignore_patterns(".*")
    shutil.copytree(ROOT / "solutions", root / "solutions", ignore=notebooks)
    shutil.copytree(ROOT / "solutions", root / "submitted" / "solved", ignore=notebooks)
    shutil.copytree(ROOT / "exercises", root / "submitted" / "untouched", ignore=notebooks)
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.source_directory = "solutions"
    config.Execute.iopub_timeout = 60  # seconds; the default of 4 fails on a busy machine
    with pytest.MonkeyPatch.context() as patch:
        # nbgrader runs `alembic` from PATH, which an activated environment has.
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        yield root, NbGraderAPI(config=config)


@pytest.mark.slow
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_nbgrader_gives_all_marks_to_the_solution_and_none_to_the_untouched_exercise(course, name):
    root, api = course
    for step in (
        api.generate_assignment(name),
        api.autograde(name, "solved"),
        api.autograde(name, "untouched"),
        api.generate_feedback(name, "solved"),
    ):
        assert step["success"], step.get("error") or step.get("log")
    with api.gradebook as gradebook:
        marks = {s: gradebook.find_submission(name, s) for s in ("solved", "untouched")}
        assert marks["solved"].score == marks["solved"].max_score >= 5
        assert marks["untouched"].score == 0
    assert list((root / "feedback" / "solved" / name).glob("*.html"))
