"""Marks and pages in the form in which Moodle, Canvas and nbgrader take them back."""

import io
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from coursekit_grade.graded import Graded
from coursekit_grade.intake import lms_name
from coursekit_grade.spreadsheets import for_excel, plain, written

# Moodle's import looks for Identifier, Grade and Last modified (grade), by these names; a column of comments would
# overwrite those that are there, and is left out.
MOODLE_COLUMNS = ("Identifier", "Full name", "Grade", "Maximum grade", "Last modified (grade)")
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS = "    Points Possible"  # of the second line, as Canvas writes it


def files(graded: Sequence[Graded], pages: Mapping[str, str], lms: str) -> dict[str, str | bytes]:
    """A table and a zip of feedback for each assignment, for "Moodle" or "Canvas"; nothing for any other `lms`.

    pages: student -> the text of a page. Who has no id, and a mark that is missing, are left out: an import then
    leaves them as they are.
    """
    if lms not in ("Moodle", "Canvas"):
        return {}
    of: defaultdict[str, list[Graded]] = defaultdict(list)
    for g in graded:
        if g.submission.id and g.submission.assignment:
            of[g.submission.assignment].append(g)
    made: dict[str, str | bytes] = {}
    for assignment, theirs in of.items():
        marked = [g for g in theirs if not g.ungraded]
        table = _moodle(marked) if lms == "Moodle" else _canvas(marked, assignment)
        name = f"{lms.lower()}-{assignment}"
        made[f"{name}.csv"] = for_excel(table)
        made[f"{name}-feedback.zip"] = zipped({
            _feedback(g, lms): pages[g.submission.student] for g in theirs if g.submission.student in pages})
    return made


def _moodle(marked: Iterable[Graded]) -> str:
    return written(MOODLE_COLUMNS, [
        [f"Participant {g.submission.id}", g.submission.student, plain(g.total), plain(g.most), ""] for g in marked])


def _canvas(marked: Sequence[Graded], assignment: str) -> str:
    most = plain(marked[0].most) if marked else ""
    rows = [[g.submission.student, g.submission.id, "", "", "", plain(g.total)] for g in marked]
    return written([*CANVAS_COLUMNS, assignment], [[_POINTS, "", "", "", "", most], *rows])


def _feedback(g: Graded, lms: str) -> str:
    """The name of a page in the zip: it begins as the submission did, by which both know whose it is."""
    if lms == "Moodle":
        name = re.sub(r"[^\w ,.()-]|_", " ", g.submission.student)
        return f"{name}_{g.submission.id}_assignsubmission_file_/feedback-{g.submission.assignment}.html"
    return f"{lms_name(g.submission)}feedback.html"


def nbgrader_feedback(graded: Iterable[Graded], pages: Mapping[str, str]) -> bytes:
    """A zip to be unpacked over nbgrader's feedback/."""
    return zipped({
        f"{g.submission.id or g.submission.student}/{g.submission.assignment}/"
        f"{g.submission.assignment.partition('-')[2]}.html": pages[g.submission.student]
        for g in graded if g.submission.student in pages and g.submission.assignment})


def zipped(texts: Mapping[str, str]) -> bytes:
    """The same bytes for the same texts."""
    data = io.BytesIO()
    with ZipFile(data, "w") as archive:
        for name, text in sorted(texts.items()):
            info = ZipInfo(name)
            info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, text.encode("utf-8", "replace"))
    return data.getvalue()
