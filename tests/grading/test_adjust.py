"""What a person decides about marks: adjust.csv, lateness, and the log of what changed."""

import contextlib
import re
import time as clock
import tomllib
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit_grade import report, results, spreadsheets
from coursekit_grade.adjust import Adjustments
from coursekit_grade.graded import Adjusted, Graded, Late
from coursekit_grade.intake import Submission
from coursekit_grade.late import Rule, rule
from coursekit_grade.mark import Mark, TaskMark

POINTS = {"01-means": {"center": 2, "spread": 3}, "02-perceptron": {"update": 2}}
ANN = Submission("Ann Léa", "1012", "Ann Léa_1012_assignsubmission_file_/a.ipynb", "01-means", digest="a")
BO = Submission("Bo", "1013", "b.ipynb", "01-means", digest="b")
CY = Submission("Cy", "", "c.ipynb", "01-means", "it is broken")
DI, DI_TOO = (Submission("Di", "1014", "d.ipynb", a, digest="d") for a in POINTS)
FOUND = replace(BO, file="bo.zip", problem="no notebook"), ANN, BO, CY, DI, DI_TOO  # Bo is adjusted where he is graded
HEAD = "student,task,points,comment\n"
TABLES = tomllib.loads(Path(__file__).with_name("adjust.toml").read_text("utf-8"))
TABLES["forms"]["with what a student typed"] = TABLES["forms"]["as written here"].replace(
    "comment\n", "comment,typed\n").rstrip() + "," + "x" * 200_000


def graded(s, center=0, spread=3, ungraded=""):
    if s.problem:
        return Graded(s, Mark(s.assignment, (), s.problem), 5)
    tasks = TaskMark("center", center, 2, message="In center()"), TaskMark("spread", spread, 3, ungraded)
    return Graded(s, Mark(s.assignment, tasks), 5)


def adjustments(folder, text, found=FOUND, encoding="utf-8"):
    (folder / "adjust.csv").write_bytes(text.encode(encoding))
    return Adjustments(folder / "adjust.csv", found, POINTS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("form", TABLES["forms"])
def test_a_mark_is_adjusted_in_whatever_form_a_spreadsheet_saves_it(tmp_path, form, encoding):
    told = adjustments(tmp_path, TABLES["forms"][form], encoding=encoding)
    g = told.applied(graded(ANN))
    assert [t.points for t in g.mark.tasks] == [1.5, 3]
    assert (g.automatic, g.points, g.total) == (3, Decimal("4.5"), Decimal("4.5"))
    assert g.adjusted == (Adjusted("center", Decimal(0), Decimal("1.5"), "a good idea, told well"),)
    assert told.applied(graded(BO)) == graded(BO)
    assert told.problems == []


def test_points_with_a_sign_are_added_and_others_take_their_place(tmp_path):
    for row, left in TABLES["rows"].items():
        g = adjustments(tmp_path, f"{HEAD}Bo,{row}\n").applied(graded(BO))
        assert ([g.mark.tasks[0].points, g.total], g.automatic) == (left, 3), row


def test_what_the_machine_could_not_grade_a_person_can(tmp_path):
    told = adjustments(tmp_path, HEAD + "1012,spread,2,read by hand\nCy,total,4,on paper\n")
    waits = graded(ANN, spread=0, ungraded="it waited 60 seconds")
    g, cy = told.applied(waits), told.applied(graded(CY))
    assert (waits.ungraded, g.ungraded, g.total, g.automatic) == ("spread: it waited 60 seconds", "", 2, None)
    assert (cy.ungraded, cy.total, cy.automatic) == ("", 4, waits.automatic) == ("", 4, None)
    told = adjustments(tmp_path, HEAD + "1012,spread,+2\nCy,center,2\nBo,total,+1\n")
    for g in (waits, graded(CY), graded(BO)._replace(mark=waits.mark), waits):
        assert told.applied(g).ungraded == g.ungraded
    assert told.problems == [
        "adjust.csv, line 2: spread is ungraded, so nothing can be added: write points without a sign",
        "adjust.csv, line 3: nothing of it could be graded, so it has no center: adjust its total",
        "adjust.csv, line 4: total is ungraded, so nothing can be added: write points without a sign",
    ]


def test_students_tasks_and_assignments_that_are_unknown_are_named_and_the_others_adjusted(tmp_path):
    unknown = TABLES["unknown"]
    rows = ["student,assignment,task,points", *unknown, "Bo,,center,2", "Di,01-means,total,4"]
    told = adjustments(tmp_path, "\n".join(rows))
    assert told.problems == [f"adjust.csv, line {k}: {why}" for k, why in enumerate(unknown.values(), start=2)]
    assert [told.applied(graded(s)).total for s in (BO, DI, DI_TOO)] == [5, 4, 3]
    assert len(told) == 2


def test_an_id_comes_before_a_name_and_several_of_one_name_before_none(tmp_path):
    named = Submission("1013", "1014", "n.ipynb", "01-means", digest="n")
    anns = [replace(ANN, student=f"Ann Lee (0{k})", id=f"0{k}", digest=str(k)) for k in (7, 8)]
    found = [named, BO, *anns, replace(ANN, student="Ann Lee", id="")]
    asked = "1013,center,1\n1014,center,2\nAnn Lee,center,2\nParticipant 7,total,4\n"
    table = adjustments(tmp_path, HEAD + asked, found)
    assert [table.applied(graded(s)).points for s in found[:4]] == [5, 4, 4, 3]
    assert table.problems == ["adjust.csv, line 4: there are several Ann Lee: write Ann Lee (07) or Ann Lee (08) or "
                              "rename the folder of the one without an id"]
    times = "student,time\n1013,2026-11-23\n07,2026-11-22\nAnn Lee (07),2026-11-25\n8,2026-11-21 12:00\n"
    hidden = Submission("anon", "aB3xZ", "n.ipynb", "01-means", digest="h")  # Canvas's, where capitals count
    assert adjustments(tmp_path, HEAD + "aB3xZ,total,4\n", [hidden]).applied(graded(hidden)).total == 4
    (tmp_path / "times.csv").write_text(times)
    late = rule(("2026-11-20",), "", "1 point a day", tmp_path / "times.csv", POINTS, found[:4])
    assert [(g := late.applied(graded(s), None)).late and g.late.begun for s in found[:4]] == [None, 3, 2, 1]


def test_a_row_that_cannot_be_understood_is_refused_with_its_line(tmp_path):
    for text, why in TABLES["refused"].items():
        with pytest.raises(ValueError, match=re.escape(why)):
            adjustments(tmp_path, text.replace("HEAD\n", HEAD))
        assert (tmp_path / "adjust.csv").read_text() == text.replace("HEAD\n", HEAD)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_one_sentence(tmp_path_factory, data):
    file = tmp_path_factory.getbasetemp() / "any.csv"
    file.write_bytes(data)
    with contextlib.suppress(ValueError):
        rows = spreadsheets.read(file, ("student",))
        assert all(row.where.startswith("any.csv, line ") and "student" in row.cells for row in rows)


def test_a_zone_that_nobody_knows_is_not_taken_for_utc(monkeypatch, tmp_path):
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0/2,M10.5.0/3")
    told(tmp_path)
    for zone in ("Europe/Berln", "CEST", "Berlin"):
        monkeypatch.setenv("TZ", zone)
        with pytest.raises(ValueError, match=rf"TZ must be a zone that is known here, .* got '{zone}'"):
            rule(("2026-11-20",), "", "", tmp_path / "times.csv", POINTS)


@pytest.fixture(autouse=True)
def zone(monkeypatch):
    """This computer's clock is that of a zone, at first UTC."""
    def to(name):
        monkeypatch.setenv("TZ", name)
        clock.tzset()

    to("UTC")
    yield to
    monkeypatch.undo()
    clock.tzset()


def told(folder, late="10% a day", grace="15 minutes", due=("2026-11-20 23:59",), times=TABLES["times"]["own"]):
    (folder / "times.csv").write_text(times)
    return rule(due, grace, late, folder / "times.csv", POINTS)


def begun(folder, s, **how):
    late = told(folder, **how).applied(graded(s), None).late
    return late.begun if late else 0


@pytest.mark.parametrize("times", TABLES["times"])
def test_each_begun_day_costs_a_share_of_the_points_to_be_had(tmp_path, times):
    lateness = told(tmp_path, times=TABLES["times"][times])
    in_time, late = (lateness.applied(graded(s), None) for s in (ANN, BO))
    assert in_time == graded(ANN)  # 11 minutes are within the grace
    # From Friday 23:59 to Monday 22:59 three days have begun: 3 x 10 % of 5.
    why = ("Due 2026-11-20 23:59 UTC, came 2026-11-23 22:59 UTC. "
           "Each day that had begun since it was due costs 10% of 5 points.")
    assert late.late == Late(3, "day", Decimal("1.5"), why=why)
    assert (late.automatic, late.points, late.total) == (3, 3, Decimal("1.5"))
    assert lateness.untimed([ANN, BO, CY]) == ["Cy"]


def test_an_extension_that_moodle_tells_is_when_it_is_due(tmp_path):
    sheet = ('Identifier,Status,Last modified (submission)\nParticipant 1013,"Submitted for grading - Extension '
             'granted until: {}","Monday, 23 November 2026, 10:59 PM"\n')
    for until, days in {"Monday, 23 November 2026, 10:59 PM": 0, "Sunday, 22 November 2026, 11:59 PM - Locked": 1,
                        "Thursday, 19 November 2026, 12:00 AM": 3}.items():
        assert begun(tmp_path, BO, times=sheet.format(until)) == days
    late = told(tmp_path, times=sheet.format("Sunday, 22 November 2026, 12:00 AM")).applied(graded(BO), None).late
    assert late.why.startswith("Due 2026-11-22 00:00 UTC, came 2026-11-23 22:59 UTC.")


def test_lateness_counts_from_the_due_date_where_the_grace_is_over(tmp_path):
    due = datetime.fromisoformat("2026-11-20 23:59").astimezone()
    lateness = told(tmp_path, late="1 point an hour", times="student,time\n")
    for minutes, begun in {0: 0, 15: 0, 16: 1, 60: 1, 61: 2, 125: 3, 245: 5}.items():
        lateness.times["Bo", ""] = due + timedelta(minutes=minutes)
        g = lateness.applied(graded(BO), None)
        assert (g.late.begun if g.late else 0, g.total) == (begun, max(0, 3 - begun)), minutes
    columns = dict(zip(report.NBGRADER_COLUMNS, report.nbgrader_grades([g]).splitlines()[1].split(","), strict=True))
    assert [float(columns[c]) for c in ("raw_score", "late_submission_penalty", "score")] == [3, 3, 0]
    columns = report.grades([lateness.applied(graded(BO, center=2), None)], POINTS).splitlines()[1].split(",")
    assert columns[5:9] == ["5", "5", "5 begun hours", "0"]
    ann = told(tmp_path, late="0,5 points an hour", grace="").applied(graded(ANN), None)
    assert (ann.late.begun, ann.total) == (1, Decimal("2.5"))


def test_an_assignment_has_its_own_date_and_times(tmp_path):
    times = "student,assignment,time\n1014,,2026-11-19\nDi,01-means,2026-11-21 00:30\n1014,01-means,2026-11-23 10:00\n"
    assert (begun(tmp_path, DI, times=times), begun(tmp_path, DI_TOO, times=times)) == (3, 0)
    due = "2026-11-20 23:59"
    for own in ((due, "01-means=2026-11-24 12:00"), (f"02-perceptron={due}",)):
        assert begun(tmp_path, BO, due=own) == 0
    assert told(tmp_path, due=(f"02-perceptron={due}",)).untimed([ANN, BO, CY]) == []


def test_lateness_comes_after_adjustments_and_a_person_can_decide_it(tmp_path):
    decided = adjustments(tmp_path, HEAD + "Bo,center,2\nBo,late,0,ill\n1012,late,1\n")
    lateness = told(tmp_path)
    g = lateness.applied(decided.applied(graded(BO)), None)
    assert (g.points, g.total) == (5, Decimal("3.5"))
    g = lateness.applied(decided.applied(graded(BO)), decided.penalty(BO))
    assert (*g.late[:5], g.total) == (3, "day", Decimal(0), "ill", True, 5)
    assert g.late.why.startswith("Due 2026-11-20 23:59 UTC, came 2026-11-23 22:59 UTC.")
    g = lateness.applied(decided.applied(graded(ANN)), decided.penalty(ANN))
    assert (g.late.begun, g.total) == (0, 2)
    assert not decided.problems


def test_days_are_those_of_the_calendar_and_hours_last_an_hour(tmp_path, zone):
    zone("Europe/Berlin")
    cases = [("10% a day", *case) for case in TABLES["Berlin"]["days"]]
    cases += [("0.5 points an hour", "2026-10-25T00:00Z", came, "1 hour", hours)
              for came, hours in TABLES["Berlin"]["hours"]]
    for late, due, came, grace, expected in cases:
        times = f'student,time\nBo,"{came}"\n'
        assert begun(tmp_path, BO, late=late, grace=grace, due=(due,), times=times) == expected, (due, came, grace)


@given(st.integers(1, 10**6), st.sampled_from(["7", "0.3", "33.3"]), st.sampled_from([0.1, 2.5, 7, 12]))
def test_the_arithmetic_is_exact(tmp_path_factory, minutes, share, most):
    lateness = told(tmp_path_factory.getbasetemp(), late=f"{share}% a day", grace="", times="student,time\n")
    lateness.times["Bo", ""] = datetime.fromisoformat("2026-11-20 23:59").astimezone() + timedelta(minutes=minutes)
    g = lateness.applied(graded(BO)._replace(most=most), None)
    expected = -(-minutes // (24 * 60)) * Fraction(share) / 100 * Fraction(str(most))
    assert Fraction(g.late.cost) == expected
    assert Fraction(g.total) == max(0, 3 - expected)
    assert Fraction(spreadsheets.plain(g.total)) == Fraction(g.total)


def test_what_cannot_be_read_of_lateness_is_said_before_anything_is_graded(tmp_path):
    assert rule((), "", "", None, POINTS) == Rule()
    with pytest.raises(ValueError, match="--due needs --times"):
        rule(("2026-11-20",), "", "", None, POINTS)
    for change, sentence in TABLES["lateness"]["refused"]:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            told(tmp_path, **change)


LATE = graded(BO)._replace(late=Late(1, "day", Decimal("0.5")))
BY_HAND = Adjusted("center", Decimal(0), Decimal(1)), Adjusted("total", Decimal(4), Decimal(5))
CHANGED = [  # a mark, the next one, and of the rows: task, before, after, why
    (graded(ANN), graded(ANN), []),
    (graded(ANN), graded(ANN, 2.0), [("center", "0", "2", "graded again"), ("total", "3", "5", "graded again")]),
    (graded(BO), LATE, [("total", "3", "2.5", "lateness")]),
    (graded(ANN), graded(ANN, 1)._replace(adjusted=BY_HAND, late=LATE.late),
     [("center", "0", "1", "adjusted"), ("total", "3", "4.5", "adjusted, lateness")]),
    (graded(ANN), graded(replace(ANN, digest="other"), 1),
     [("center", "0", "1", "another notebook"), ("total", "3", "4", "another notebook")]),
    (graded(BO), graded(BO, ungraded="it waited"), [("total", "3", "ungraded", "graded again")]),
    (graded(BO, ungraded="it waited"), graded(BO), []),
    (graded(CY), graded(CY), []),
]


def test_changes_say_who_is_affected_and_why():
    for before, after, expected in CHANGED:
        found = results.changed(results.marks([before, graded(DI)]), [after, graded(DI)])
        s = after.submission
        assert [tuple(row[1:]) for row in found] == [(s.student, s.id, s.assignment, *row) for row in expected]
