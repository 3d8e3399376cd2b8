"""What a person decides about marks: adjust.csv, lateness, and the log of what changed."""

import contextlib
import csv
import json
import time as clock
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.grading import changes, classroom, report, tables
from coursekit.grading.adjust import Adjustments
from coursekit.grading.classroom import Graded
from coursekit.grading.intake import Submission
from coursekit.grading.late import Rule, rule
from coursekit.grading.mark import Mark, TaskMark

POINTS = {"01-means": {"centre": 2, "spread": 3}, "02-perceptron": {"update": 2}}
ANN = Submission("Ann Lee", "1012", "Ann Lee_1012_assignsubmission_file_/a.ipynb", "01-means", digest="a")
BO = Submission("Bo", "1013", "b.ipynb", "01-means", digest="b")
CY = Submission("Cy", "", "c.ipynb", "01-means", "it is broken")


def graded(s, centre=0, spread=3, ungraded=""):
    if s.problem:
        return Graded(s, Mark(s.assignment, (), s.problem), 5)
    tasks = TaskMark("centre", centre, 2, message="In centre()"), TaskMark("spread", spread, 3, ungraded)
    return Graded(s, Mark(s.assignment, tasks), 5)


def adjustments(folder, text, found=(ANN, BO, CY)):
    file = folder / "adjust.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Adjustments(file, found, POINTS)


HEAD = "student,task,points,comment\n"
FORMS = {
    "as written here": HEAD + 'Ann Lee,centre,+1.5,"a good idea, told well"\n',
    "by id, other columns": 'comment,points,Mail,TASK,Student\n"a good idea, told well",+1.5,a@b.c,centre,1012\n',
    "Excel in Europe": "\ufeffstudent;task;points;comment\r\nAnn Lee;centre;+1,5;a good idea, told well\r\n\r\n;;;\r\n",
    "tabs": "student\ttask\tpoints\tcomment\nAnn Lee\tcentre\t+1,5\ta good idea, told well\n",
    "guarded": HEAD + "Ann Lee,centre,'+1.5,\"a good idea, told well\"\n",
    "Unicode text": (HEAD.replace(",", "\t") + "Ann Lee\tcentre\t+1.5\ta good idea, told well\n").encode("utf-16"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_mark_is_adjusted_in_whatever_form_a_spreadsheet_saves_it(tmp_path, form):
    told = adjustments(tmp_path, FORMS[form])
    g = told.applied(graded(ANN))
    assert [t.points for t in g.mark.tasks] == [1.5, 3]
    assert (g.automatic, g.points, g.total) == (3, Decimal("4.5"), Decimal("4.5"))
    assert g.adjusted == (classroom.Adjusted("centre", Decimal(0), Decimal("1.5"), "a good idea, told well"),)
    assert told.applied(graded(BO)) == graded(BO)
    assert told.problems == []


def test_the_old_code_page_of_excel(tmp_path):
    s = Submission("José Núñez", "", "x.ipynb", "01-means")
    told = adjustments(tmp_path, "student;task;points\nJosé Núñez;total;4\n".encode("cp1252"), [s])
    assert told.applied(graded(s)).total == 4


ROWS = {  # what is written, the points it leaves of 0 and 3
    "centre,1": (1, 4), "centre,+1": (1, 4), "centre,-1": (0, 3), "centre,2.25": (2.25, 5.25), "spread,\u22121": (0, 2),
    "total,4": (0, 4), "total,+0.5": (0, 3.5), "total,-5": (0, 0), "total,7": (0, 7), "spread,0": (0, 0),
}


@pytest.mark.parametrize("row", ROWS)
def test_points_with_a_sign_are_added_and_others_take_their_place(tmp_path, row):
    g = adjustments(tmp_path, f"{HEAD}Ann Lee,{row}\n").applied(graded(ANN))
    assert (g.mark.tasks[0].points, float(g.total)) == ROWS[row]
    assert g.automatic == 3


def test_a_task_comes_before_the_total(tmp_path):
    text = HEAD + "Ann Lee,total,+1\nAnn Lee,centre,2\n"
    assert adjustments(tmp_path, text).applied(graded(ANN)).total == 2 + 3 + 1


def test_what_the_machine_could_not_grade_a_person_can(tmp_path):
    told = adjustments(tmp_path, HEAD + "Ann Lee,spread,2,read by hand\nCy,total,4,on paper\n")
    waits = graded(ANN, spread=0, ungraded="it waited 60 seconds")
    g = told.applied(waits)
    assert (waits.ungraded, g.ungraded, g.total, g.automatic) == ("spread: it waited 60 seconds", "", 2, None)
    cy = told.applied(graded(CY))
    assert (cy.ungraded, cy.total, cy.automatic) == ("", 4, None)
    told = adjustments(tmp_path, HEAD + "Ann Lee,spread,+2\nCy,centre,2\nBo,total,+1\n")
    for g in (waits, graded(CY), graded(BO)._replace(mark=waits.mark)):
        assert told.applied(g).ungraded == g.ungraded
        told.applied(g)
    assert told.problems == [
        "adjust.csv, line 2: spread is ungraded, so nothing can be added: write points without a sign",
        "adjust.csv, line 3: nothing of it could be graded, so it has no centre: adjust its total",
        "adjust.csv, line 4: total is ungraded, so nothing can be added: write points without a sign",
    ]


UNKNOWN = {
    "Dee,centre,1": "line 2: Dee handed in nothing, or has another name or id here",
    "Bo,median,1": "line 2: there is no task median; it must be one of centre, spread, total, late",
    "Bo,update,1": "line 2: update is a task of 02-perceptron, which Bo did not hand in there",
}


@pytest.mark.parametrize("row", UNKNOWN)
def test_unknown_students_and_tasks_are_named_and_the_others_adjusted(tmp_path, row):
    told = adjustments(tmp_path, f"{HEAD}{row}\nAnn Lee,centre,2\n")
    assert told.problems == [f"adjust.csv, {UNKNOWN[row]}"]
    assert told.applied(graded(ANN)).total == 5
    assert len(told) == 1


def test_an_id_comes_before_a_name_and_several_of_one_name_before_none(tmp_path):
    named = Submission("1013", "1014", "n.ipynb", "01-means", digest="n")
    anns = [replace(ANN, student=f"Ann Lee ({k})", id=f"0{k}", digest=str(k)) for k in (7, 8)]
    found = [named, BO, *(replace(s, student=f"Ann Lee ({s.id})") for s in anns)]
    table = adjustments(tmp_path, HEAD + "1013,centre,1\n1014,centre,2\nAnn Lee,centre,2\n7,total,4\n", found)
    assert [table.applied(graded(s)).points for s in found] == [5, 4, 4, 3]
    assert table.problems == ["adjust.csv, line 4: there are several Ann Lee: write Ann Lee (07) or Ann Lee (08)"]
    (tmp_path / "times.csv").write_text("student,time\n1013,2026-11-23\n7,2026-11-22\n")
    late = rule(("2026-11-20",), "", "1 point a day", tmp_path / "times.csv", POINTS, found)
    assert [(g := late.applied(graded(s), None)).late and g.late.begun for s in found] == [None, 3, 2, None]


OTHER = Submission("Bo", "1013", "p.ipynb", "02-perceptron")


def test_of_two_submissions_the_one_that_can_be_graded_is_adjusted(tmp_path):
    told = adjustments(tmp_path, HEAD + "Bo,centre,2\n", [replace(BO, file="a", problem="no notebook"), BO])
    assert told.applied(graded(BO)).total == 5


def test_a_total_of_several_assignments_needs_to_say_which(tmp_path):
    other = OTHER
    told = adjustments(tmp_path, HEAD + "Bo,total,4\n", [BO, other])
    assert told.problems == ["adjust.csv, line 2: Bo handed in 01-means, 02-perceptron: a column assignment must say "
                             "whose total this is"]
    told = adjustments(tmp_path, "student,assignment,task,points\nBo,01-means,total,4\nBo,03-x,total,4\n", [BO, other])
    assert told.problems == ["adjust.csv, line 3: Bo handed in nothing for 03-x"]
    assert told.applied(graded(BO)).total == 4
    assert not told.applied(graded(other)).adjusted


BAD = {
    "": "adjust.csv is empty",
    "\ufeff\n\n": "adjust.csv is empty",
    "student,points\nBo,1\n": "line 1: there is no column task",
    "student,task,points,task\nBo,centre,1,x\n": "line 1: there are two columns task",
    HEAD + "Bo,centre,one\n": "line 2: points must be a number such as .*; got one",
    HEAD + "Bo,centre,1e3\n": "line 2: points must be a number",
    HEAD + "Bo,centre,nan\n": "line 2: points must be a number",
    "student;task;points\nBo;centre;1.000,5\n": "line 2: points must be a number",
    HEAD + "Bo,centre,\n": "line 2: it has no points",
    HEAD + ",centre,1\n": "line 2: it has no student",
    HEAD + "Bo,centre,1,good,indeed\n": "line 2: it has 5 cells for 4 columns",
    HEAD + "Bo,centre,1\nBo,centre,+1\n": "line 3: centre of Bo was adjusted in adjust.csv, line 2 already",
    HEAD + "Bo,late,-1\n": "line 2: for late, points are what to take off, without a sign; got -1",
    HEAD + 'Bo,centre,1,"open\n': "it is not a CSV",
    "\0\1\2": "there is no column|not a CSV",
}


@pytest.mark.parametrize("text", BAD)
def test_a_row_that_cannot_be_understood_is_refused_with_its_line(tmp_path, text):
    with pytest.raises(ValueError, match=BAD[text]):
        adjustments(tmp_path, text)
    assert (tmp_path / "adjust.csv").read_text() == text


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_one_sentence(tmp_path_factory, data):
    file = tmp_path_factory.getbasetemp() / "any.csv"
    file.write_bytes(data)
    with contextlib.suppress(ValueError):
        rows = tables.read(file, ("student",))
        assert all(row.where.startswith("any.csv, line ") and "student" in row.cells for row in rows)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1 x", "@SUM(A1)"])
def test_a_name_can_be_copied_from_our_own_table(tmp_path, name):
    s = Submission(name, "", "x.ipynb", "01-means")
    copied = next(csv.DictReader(report.grades([graded(s)], POINTS).splitlines()))["student"]
    assert adjustments(tmp_path, f"{HEAD}{copied},centre,2\n", [s]).applied(graded(s)).total == 5


TIMES = {
    "own": "student,time\nAnn Lee,2026-11-21 00:10\nBo,2026-11-23T22:59:00Z\nElsewhere,\n",
    "by id, in Germany": "student;time\n1012;21.11.2026 00:10\n1013;23.11.2026 22:59\n",
    "Moodle": (
        "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments\n"
        'Participant 1012,Ann Lee,a@b.c,Submitted for grading,,5.00,Yes,"Saturday, 21 November 2026, 12:10 AM",-,\n'
        'Participant 1013,Bo,b@b.c,Submitted for grading,,5.00,Yes,"Monday, 23 November 2026, 10:59 PM",-,\n'
        "Participant 1014,Cy,c@b.c,No submission,,5.00,Yes,-,-,\n"
    ),
}


@pytest.fixture(autouse=True)
def utc(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    clock.tzset()
    yield
    monkeypatch.undo()
    clock.tzset()


def told(folder, late="10% a day", grace="15 minutes", due=("2026-11-20 23:59",), times=TIMES["own"]):
    (folder / "times.csv").write_text(times)
    return rule(due, grace, late, folder / "times.csv", POINTS)


@pytest.mark.parametrize("times", TIMES)
def test_each_begun_day_costs_a_share_of_the_points_to_be_had(tmp_path, times):
    lateness = told(tmp_path, times=TIMES[times])
    in_time, late = (lateness.applied(graded(s), None) for s in (ANN, BO))
    assert in_time == graded(ANN)  # 11 minutes are within the grace
    # From Friday 23:59 to Monday 22:59 three days have begun: 3 x 10 % of 5.
    why = ("Due 2026-11-20 23:59 UTC, came 2026-11-23 22:59 UTC. "
           "Each day that had begun since it was due costs 10% of 5 points.")
    assert late.late == classroom.Late(3, "day", Decimal("1.5"), why=why)
    assert (late.automatic, late.points, late.total) == (3, 3, Decimal("1.5"))
    assert lateness.untimed([ANN, BO, CY]) == ["Cy"]


def test_lateness_counts_from_the_due_date_where_the_grace_is_over(tmp_path):
    due = datetime.fromisoformat("2026-11-20 23:59").astimezone()
    lateness = told(tmp_path, late="1 point an hour", times="student,time\n")
    for minutes, begun in {0: 0, 15: 0, 16: 1, 60: 1, 61: 2, 125: 3, 245: 5}.items():
        lateness.times["Bo", ""] = due + timedelta(minutes=minutes)
        g = lateness.applied(graded(BO), None)
        assert (g.late.begun if g.late else 0) == begun, minutes
        assert g.total == max(0, 3 - begun)
    columns = dict(zip(report.NBGRADER_COLUMNS, report.nbgrader_grades([g]).splitlines()[1].split(","), strict=True))
    assert [float(columns[c]) for c in ("raw_score", "late_submission_penalty", "score")] == [3, 3, 0]
    columns = report.grades([lateness.applied(graded(BO, centre=2), None)], POINTS).splitlines()[1].split(",")
    assert columns[5:9] == ["5", "5", "5 begun hours", "0"]


def test_a_time_of_one_assignment_comes_before_one_of_any(tmp_path):
    times = "student,assignment,time\n1013,,2026-11-19\nBo,01-means,2026-11-21 00:30\n1013,01-means,2026-11-23 10:00\n"
    assert told(tmp_path, times=times).applied(graded(BO), None).late.begun == 3
    assert told(tmp_path, times=times).applied(graded(BO)._replace(submission=OTHER), None).late is None


def test_points_an_hour_and_never_below_nothing(tmp_path):
    g = told(tmp_path, late="0,5 points an hour", grace="").applied(graded(ANN), None)
    assert (g.late.begun, g.total) == (1, Decimal("2.5"))
    assert told(tmp_path, late="2 points per day").applied(graded(BO), None).total == 0


def test_lateness_comes_after_adjustments_and_a_person_can_decide_it(tmp_path):
    decided = adjustments(tmp_path, HEAD + "Bo,centre,2\nBo,late,0,ill\nAnn Lee,late,1\n")
    lateness = told(tmp_path)
    g = lateness.applied(decided.applied(graded(BO)), None)
    assert (g.points, g.total) == (5, Decimal("3.5"))
    g = lateness.applied(decided.applied(graded(BO)), decided.penalty(BO))
    assert (*g.late[:5], g.total) == (3, "day", Decimal(0), "ill", True, 5)
    assert g.late.why.startswith("Due 2026-11-20 23:59 UTC, came 2026-11-23 22:59 UTC.")
    g = lateness.applied(decided.applied(graded(ANN)), decided.penalty(ANN))
    assert (g.late.begun, g.total) == (0, 2)
    assert not decided.problems


def test_an_assignment_has_its_own_date(tmp_path):
    lateness = told(tmp_path, due=("2026-11-20 23:59", "01-means=2026-11-24 12:00"))
    assert lateness.applied(graded(BO), None).late is None
    lateness = told(tmp_path, due=("02-perceptron=2026-11-20 23:59",))
    assert lateness.applied(graded(BO), None).late is None
    assert lateness.untimed([ANN, BO, CY]) == []


def test_the_clock_of_this_computer_counts_where_no_zone_is_written(tmp_path):
    lateness = told(tmp_path, due=("2026-11-21 01:09+01:00",), grace="")
    assert lateness.applied(graded(ANN), None).late.begun == 1


BERLIN = [  # due, came, grace, and the days begun by the calendar, counted by hand
    ("2026-10-24 20:00", "2026-10-25 19:30", "", 1), ("2026-10-24 20:00", "2026-10-25 20:00:01", "", 2),
    ("2026-03-28 20:00", "2026-03-29 20:00", "", 1), ("2026-03-28 20:00", "2026-03-29 20:30", "", 2),
    ("2026-10-24 20:00", "2026-10-25 20:00", "1 day", 0), ("2026-10-24 20:00", "2026-10-25 20:01", "1 day", 2),
    ("2026-03-28 20:00", "2026-03-29 20:00", "1 day", 0), ("2026-03-28 20:00", "2026-03-29 20:01", "1 day", 2),
    ("2026-03-28 20:00", "2026-04-04 20:00", "7 days", 0), ("2026-03-28 20:00", "2026-04-07 08:00", "7 days", 10),
    ("2026-11-20", "2026-11-20 23:59:59", "", 0), ("2026-11-20", "2026-11-21 00:00", "", 1),
    ("2026-10-24", "2026-10-25 23:59:59", "", 1), ("2026-03-28", "2026-03-30", "", 2),
    ("20.11.2026", "20.11.2026 23:59", "", 0), ("2026-11-20 24:00", "2026-11-21 00:00", "", 1),
    ("2026-11-20T00:00", "2026-11-20 08:00", "", 1), ("2026-11-20 23:59", "Friday, 20 November 2026, 23:59", "", 0),
    # In the autumn there are two times 02:30: what is due then is so at the second one, what came did at the first.
    ("2026-10-25 02:30", "2026-10-25T01:30Z", "", 0), ("2026-10-25 02:30", "2026-10-25T01:31Z", "", 1),
    ("2026-10-25T00:40Z", "2026-10-25 02:30", "", 0), ("2026-03-28 02:30", "2026-03-29T01:30Z", "1 day", 0),
]


@pytest.mark.parametrize(("due", "came", "grace", "begun"), BERLIN)
def test_days_are_those_of_the_calendar(tmp_path, monkeypatch, due, came, grace, begun):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    clock.tzset()
    times = f'student,time\nBo,"{came}"\n'
    g = told(tmp_path, due=(due,), grace=grace, times=times).applied(graded(BO), None)
    assert (g.late.begun if g.late else 0) == begun


def test_an_hour_is_an_hour_where_clocks_change(tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    clock.tzset()
    for came, begun in {"2026-10-25T01:30Z": 2, "2026-10-25 03:00": 2, "2026-10-25 03:01": 3}.items():
        times = f"student,time\nBo,{came}\n"
        lateness = told(tmp_path, "0.5 points an hour", "1 hour", ("2026-10-25T00:00Z",), times)
        assert lateness.applied(graded(BO), None).late.begun == begun, came


@given(st.integers(1, 10**6), st.sampled_from(["7", "0.3", "33.3"]), st.sampled_from([0.1, 2.5, 7, 12]))
def test_the_arithmetic_is_exact(tmp_path_factory, minutes, share, most):
    lateness = told(tmp_path_factory.getbasetemp(), late=f"{share}% a day", grace="", times="student,time\n")
    time = datetime.fromisoformat("2026-11-20 23:59").astimezone() + timedelta(minutes=minutes)
    lateness.times["Bo", ""] = time
    g = lateness.applied(graded(BO)._replace(most=most), None)
    expected = -(-minutes // (24 * 60)) * Fraction(share) / 100 * Fraction(str(most))
    assert Fraction(g.late.cost) == expected
    assert Fraction(g.total) == max(0, 3 - expected)
    assert Fraction(tables.plain(g.total)) == Fraction(g.total)


WRONG = [
    ({"due": ("tomorrow",)}, '--due: a time must be written like "2026-11-20 23:59"; got \'tomorrow\''),
    ({"due": ("05-x=2026-11-20",)}, "--due: the assignment must be one of 01-means, 02-perceptron; got '05-x'"),
    ({"due": ("2026-11-20", "2026-11-21")}, "--due is given twice for all assignments"),
    ({"due": ()}, "--grace needs --due"),
    ({"late": "10%"}, "--late must say what it costs"),
    ({"late": "1.2.3% a day"}, "--late must say what it costs"),
    ({"grace": "soon"}, "--grace must be a time such as"),
    ({"times": "name,when\nBo,2026\n"}, "times.csv must have the columns student and time, or Identifier"),
    ({"times": "student,time\nBo,11/12/2026 10:00\n"}, "times.csv, line 2: a time must be written"),
    ({"times": "student,time\nBo,2026-11-20\nBo,2026-11-21\n"}, "times.csv, line 3: there are two times for Bo"),
    ({"times": "student,time\n,2026-11-20\n"}, "times.csv, line 2: it names no student"),
    ({"times": ""}, "times.csv is empty"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_what_cannot_be_read_of_lateness_is_said_before_anything_is_graded(tmp_path, change, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole sentence is compared
        told(tmp_path, **change)
    assert sentence in str(error.value)


def test_due_needs_times_and_they_need_it(tmp_path):
    assert rule((), "", "", None, POINTS) == Rule()
    for option in ("grace", "late", "times"):
        with pytest.raises(ValueError, match=rf"--{option} needs --due"):
            rule((), "1 day" * (option == "grace"), "1 point a day" * (option == "late"),
                 tmp_path if option == "times" else None, POINTS)
    with pytest.raises(ValueError, match="--due needs --times"):
        rule(("2026-11-20",), "", "", None, POINTS)


def test_a_changed_task_shows_in_changes_who_is_affected():
    before = json.loads(json.dumps(changes.marks([graded(ANN), graded(BO), graded(CY)])))
    rows = changes.changed(before, [graded(ANN, centre=2), graded(BO), graded(CY)])
    assert [row[1:] for row in rows] == [
        ["Ann Lee", "1012", "01-means", "centre", "0", "2", "graded again"],
        ["Ann Lee", "1012", "01-means", "total", "3", "5", "graded again"],
    ]


def test_changes_say_why():
    late = graded(BO)._replace(late=classroom.Late(1, "day", Decimal("0.5")))
    by_hand = classroom.Adjusted("centre", Decimal(0), Decimal(1)), classroom.Adjusted("total", Decimal(4), Decimal(5))
    adjusted = graded(ANN, centre=1)._replace(adjusted=by_hand, late=late.late)
    again = graded(replace(ANN, digest="other"), centre=1)
    waits = graded(BO, ungraded="it waited")
    for before, after, expected in (
        (graded(BO), late, [("total", "3", "2.5", "lateness")]),
        (graded(ANN), adjusted, [("centre", "0", "1", "adjusted"), ("total", "3", "4.5", "adjusted, lateness")]),
        (graded(ANN), again, [("centre", "0", "1", "another notebook"), ("total", "3", "4", "another notebook")]),
        (graded(BO), waits, [("total", "3", "ungraded", "graded again")]), (waits, graded(BO), []),
    ):
        assert [tuple(row[4:]) for row in changes.changed(changes.marks([before]), [after])] == expected


def test_damaged_memory_of_the_last_run_is_no_reason_to_stop(tmp_path):
    results = classroom.Results(tmp_path / "out", 1)
    for damaged in ("", "[]", "{", '{"marks": 1, "changes": []}', '{"marks": {}, "changes": [1]}'):
        (results.folder / classroom.FINISHED).write_text(damaged)
        assert classroom.Results(results.folder).last == {"marks": {}, "changes": [], "runs": 0}
