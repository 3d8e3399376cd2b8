"""coursekit grade: from what an instructor collected to marks, whatever was handed in."""

import contextlib
import copy
import csv
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
import zipfile
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from dask.config import config as dask_config
from distributed import LocalCluster
from hypothesis import given
from hypothesis import strategies as st

from coursekit.cli import main
from coursekit.grading import classroom, command, intake, report
from coursekit.grading.classroom import Graded, Results
from coursekit.grading.course import Course
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark, TaskMark
from coursekit.grading.report import waiting
from coursekit.plots.grades import MistakeBars, OutcomeBars, PointsHistogram
from tests.grading.stand_in import stand_in

ROOT = Path(__file__).parents[2]
NAME = "02-perceptron"
COURSE = Course(ROOT)
TASKS = COURSE.points[NAME]
FULL = sum(TASKS.values())
SOLUTION = json.loads((ROOT / "solutions" / NAME / "perceptron.ipynb").read_text())
EXERCISE = (ROOT / "exercises" / NAME / "perceptron.ipynb").read_bytes()
LOSSES = (ROOT / "exercises" / "03-losses" / "losses.ipynb").read_bytes()
SCRATCH = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
WRONG_UPDATE = """
def update(theta, x, y):
    theta = np.array(theta, float)
    return theta + y * np.append(x, 1) if y * (theta[:-1] @ x + theta[-1]) < 0 else theta
"""


def collect(collected, assignment=None):
    return intake.collect(collected, COURSE.points, assignment)


def grade_class(found, results, **options):
    return classroom.grade_class(found, COURSE, results, **options)


def notebook(**answers):
    """The solution, with other sources for some answers, as bytes."""
    changed = copy.deepcopy(SOLUTION)
    for cell in changed["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answers[name]
    return json.dumps(changed).encode()


def folder(root, files):
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def inner_zip(files):
    return zipped(io.BytesIO(), files).getvalue()


def whose(found):
    return sorted((s.student, s.assignment) for s in found if not s.problem)


def problems(found):
    return {s.file: s.problem for s in found if s.problem}


LAYOUTS = {
    "folders by student": {"Ann Lee/perceptron.ipynb": EXERCISE, "Bo/deep/er/x.ipynb": EXERCISE},
    "flat": {"Ann Lee.ipynb": EXERCISE, "Bo_perceptron.ipynb": EXERCISE},
    "flat, other habits": {"02-perceptron Ann Lee.ipynb": EXERCISE, "Bo-Perceptron (1).ipynb": EXERCISE},
    "nbgrader": {f"Ann Lee/{NAME}/perceptron.ipynb": EXERCISE, f"Bo/{NAME}/perceptron.ipynb": EXERCISE},
    "nbgrader, from above": {f"submitted/{s}/{NAME}/perceptron.ipynb": EXERCISE for s in ("Ann Lee", "Bo")},
    "folders by assignment": {f"{NAME}/Ann Lee/x.ipynb": EXERCISE, f"{NAME}/Bo.ipynb": EXERCISE},
    "Moodle": {
        "Ann Lee_1012_assignsubmission_file_/perceptron.ipynb": EXERCISE,
        "Ann Lee_1012_assignsubmission_onlinetext_/onlinetext.html": b"see file",
        "Bo_1013_assignsubmission_file_/work/week 2/perceptron.ipynb": EXERCISE,
    },
    "Moodle, without folders": {
        "Ann Lee_1012_assignsubmission_file_perceptron.ipynb": EXERCISE,
        "Bo_1013_assignsubmission_file_my_own_name.ipynb": EXERCISE,
    },
    "Canvas": {"Ann Lee_1012_77001_perceptron.ipynb": EXERCISE, "Bo_LATE_1013_77002_perceptron-2.ipynb": EXERCISE},
    "Canvas, zips": {
        "Ann Lee_1012_77001_work.zip": inner_zip({"perceptron.ipynb": EXERCISE}),
        "Bo_LATE_1013_77002_work.ZIP": inner_zip({"work/perceptron.ipynb": EXERCISE}),
    },
    "flat, handed in again": {"Ann Lee-perceptron-1.ipynb": EXERCISE, "perceptron Bo.ipynb": EXERCISE},
    "a zip for each student": {
        "Ann Lee.zip": inner_zip({"perceptron.ipynb": EXERCISE}),
        "Bo/work.zip": inner_zip({"work/perceptron.ipynb": EXERCISE}),
    },
    "what systems add": {
        "Ann Lee/perceptron.ipynb": EXERCISE, "Bo/perceptron.ipynb": EXERCISE, "README.txt": b"", ".DS_Store": b"",
        "Bo/.ipynb_checkpoints/perceptron-checkpoint.ipynb": EXERCISE, "__MACOSX/Bo/._perceptron.ipynb": b"",
    },
}


@pytest.mark.parametrize("packed", ["folder", "zip", "zip of the folder"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_who_handed_in_what(tmp_path, layout, packed):
    files = LAYOUTS[layout]
    if packed == "folder":
        collected = folder(tmp_path / "week 2", files)
    else:
        top = "week 2/" if packed == "zip of the folder" else ""
        collected = zipped(tmp_path / "week 2.zip", {top + name: data for name, data in files.items()})
    found = collect(collected)
    assert problems(found) == {}
    assert whose(found) == [("Ann Lee", NAME), ("Bo", NAME)]
    assert all(s.read() == EXERCISE for s in found)
    assert {s.id for s in found} == ({"1012", "1013"} if layout.startswith(("Moodle", "Canvas")) else {""})


# What was collected, and after an arrow whose it is, or why it is graded for nobody. A folder .zip is a zip.
TREES = {
    "a name of another's inside": """
        mallory/Bob_999_assignsubmission_file_x.ipynb -> mallory
        eve/bob_999_77001_x.ipynb -> eve
        bob/perceptron.ipynb -> bob
    """,
    "nothing else was collected": "mallory/Bob_999_assignsubmission_file_x.ipynb -> mallory",
    "a zip with another's folder": """
        mallory.zip/Bob_999_assignsubmission_file_/x.ipynb -> mallory
        eve.zip/bob/x.ipynb -> eve
        bob.zip/perceptron.ipynb -> bob
    """,
    "another's folder in a student's": """
        alice/bob/02-perceptron/x.ipynb -> alice
        bob/02-perceptron/x.ipynb -> bob
    """,
    "another's name in Moodle's": """
        Mallory_66_assignsubmission_file_/Bob_999_assignsubmission_file_/x.ipynb -> Mallory 66
        Eve_67_assignsubmission_file_Bob_999_assignsubmission_file_x.ipynb -> Eve 67
        Bob_999_assignsubmission_file_/perceptron.ipynb -> Bob 999
    """,
    "numbers that are no ids": """
        alice/02-perceptron/hw_2_1_final.ipynb -> alice
        bob/02-perceptron/bob_1012_77001_x.ipynb -> bob
    """,
    "dates": """
        alice_2024_01_05.ipynb -> alice
        bob_perceptron_2026-03-01.ipynb -> bob
        20240106-cy.ipynb -> cy
        di_20240105_1030_x.ipynb -> di_20240105_1030_x
        hw_2_1_final.ipynb -> hw_2_1_final
    """,
    "a topic and a date": "perceptron_2026-03-01.ipynb -> perceptron_2026-03-01",
    "one number for all is no id": """
        alice_101_2_final.ipynb -> alice_101_2_final
        bob_101_2_final.ipynb -> bob_101_2_final
    """,
    "two names, one id": """
        Ann_1012_assignsubmission_file_/x.ipynb -> ! Ann and Bob have one id, 1012
        Bob_1012_assignsubmission_file_/y.ipynb -> ! Ann and Bob have one id, 1012
        Cy_1013_assignsubmission_file_/y.ipynb -> Cy 1013
    """,
    "two names, one id in Canvas, in a table too": """
        ann_1012_77001_x.ipynb -> ! ann and bob have one id
        bob_01012_77002_x.ipynb -> ! ann and bob have one id
        cy_1013_77003_x.ipynb -> cy 1013
    """,
    "people of one name": """
        Ann Lee_7_assignsubmission_file_/x.ipynb -> Ann Lee (7) (7) 7
        Ann Lee_8_assignsubmission_file_/x.ipynb -> Ann Lee (8) 8
        Ann Lee (7)_9_assignsubmission_file_/x.ipynb -> Ann Lee (7) (9) 9
    """,
    "Moodle's files among others": """
        Ann_1012_assignsubmission_file_/x.ipynb -> Ann 1012
        Cy_1013_assignsubmission_file_y.ipynb -> Cy 1013
        dave/perceptron.ipynb
        dave/notes.ipynb
        dave/ -> ! its name does not have Moodle's form
        grading.csv
        rubric.pdf -> ! its name does not have Moodle's form
    """,
    "one of Moodle's among folders": """
        ann/x.ipynb -> ann
        Bob_999_assignsubmission_file_/x.ipynb
        Bob_999_assignsubmission_file_/ -> ! its name has Moodle's form, unlike the others
    """,
    "Moodle's and Canvas's": """
        Ann_1_assignsubmission_file_x.ipynb -> ! its name has Moodle's form
        bo_1013_77001_x.ipynb -> ! its name has Canvas's form
    """,
    "a student named like an assignment": """
        ann/x.ipynb -> ann
        bob/y.ipynb -> bob
        02-perceptron/x.ipynb
        02-perceptron/ -> ! it is named after an assignment
    """,
    "among folders of assignments": """
        02-perceptron/ann/x.ipynb -> ann
        03-losses/ann/losses.ipynb -> ann
        02-perceptron/Bob_999_assignsubmission_file_/x.ipynb
        02-perceptron/Bob_999_assignsubmission_file_/ -> ! its name has Moodle's form
        bob/x.ipynb
        bob/ -> ! it lies beside the assignment folders
    """,
    "Moodle's exports in folders of assignments": """
        02-perceptron/Ann_1012_assignsubmission_file_/x.ipynb -> Ann 1012
        03-losses/Ann_1012_assignsubmission_file_/losses.ipynb -> Ann 1012
        02-perceptron/Bo_1013_assignsubmission_file_/x.ipynb -> Bo 1013
    """,
    "files among folders": """
        alice/x.ipynb -> alice
        bob.ipynb -> bob
        perceptron.ipynb -> ! its name does not say whose it is
    """,
    "a student's folder and a student's file": """
        alice_perceptron.ipynb; alice/x.ipynb -> ! 2 notebooks for one assignment
        cy/x.ipynb -> cy
    """,
    "several sections": """
        A/ann/x.ipynb; A/bo/x.ipynb -> ! (or grade A by itself
        B/cy/x.ipynb -> B
    """,
    "an export in a folder": """
        all.zip/Ann_1_assignsubmission_file_/x.ipynb; all.zip/Bo_2_assignsubmission_file_/x.ipynb -> ! (or grade all.zip
    """,
    "Canvas": """
        annlee_1012_text.html -> ! no notebook was handed in
        group7_1014_77001_x.ipynb -> group7 1014
        team_3_1015_77002_x.ipynb -> team_3 1015
        lee2jo_LATE_1016_77003_2_1_x.ipynb -> lee2jo 1016
        bo_1013_77005_work/perceptron.ipynb -> bo 1013
    """,
    "Canvas, anonymous": """
        anon_AbC12_77001_x.ipynb -> anon (AbC12) AbC12
        LATE_anon_Qw9zz_77002_y.ipynb -> anon (Qw9zz) Qw9zz
    """,
    "Moodle, groups and blind": """
        Group A-Ann Lee_1012_assignsubmission_file_/x.ipynb -> Group A-Ann Lee 1012
        Participant_1013_assignsubmission_file_/x.ipynb -> Participant (1013) 1013
        Participant_1014_assignsubmission_file_/x.ipynb -> Participant (1014) 1014
        Bo_1015_assignsubmission_onlinetext_/onlinetext.html -> ! no notebook was handed in
    """,
    "Brightspace": """
        index.html
        12345-678910 - Ann Lee - Mar 1, 2026 1159 PM/x.ipynb -> 12345-678910 - Ann Lee - Mar 1, 2026 1159 PM
        12346-678910 - Bo - Mar 1, 2026 1159 PM/x.ipynb -> 12346-678910 - Bo - Mar 1, 2026 1159 PM
    """,
    "Windows": """
        week 2\\Ann Lee\\perceptron.ipynb -> Ann Lee
        week 2\\Bo\\perceptron.ipynb -> Bo
    """,
    "names of many kinds": """
        Zoë 👩‍🎓_7_assignsubmission_file_/x.ipynb -> Zoë 👩‍🎓 7
        שלום עולם_8_assignsubmission_file_/x.ipynb -> שלום עולם 8
        Jean_Luc_9_assignsubmission_file_/x.ipynb -> Jean_Luc 9
        Ann_١٠_assignsubmission_file_/x.ipynb
        Ann_١٠_assignsubmission_file_/ -> ! its name does not have Moodle's form
    """,
    "names that differ in nothing that shows": """
        a‮b/x.ipynb; a‭b/x.ipynb -> ! 2 notebooks for one assignment
        cy/x.ipynb -> cy
    """,
    "nbgrader": """
        submitted/ann/02-perceptron/perceptron.ipynb -> ann
        submitted/ann/02-perceptron/timestamp.txt
        submitted/ann/notes.txt
        submitted/bo/02-perceptron/perceptron.ipynb -> bo
        submitted/bo/03-losses/timestamp.txt -> ! no notebook was handed in
        submitted/submitted/02-perceptron/perceptron.ipynb -> submitted
    """,
}


@pytest.mark.parametrize("packed", ["folder", "zip"])
@pytest.mark.parametrize("tree", TREES)
def test_nobody_gets_the_mark_of_another(tmp_path, tree, packed):
    files, expected = {}, {}
    for line in filter(None, map(str.strip, TREES[tree].splitlines())):
        names, _, said = line.partition(" -> ")
        if said:
            expected[intake.printable(names)] = said
        for name in names.split("; "):
            *above, last = name.split(".zip/")
            inside = files
            for part in above:
                inside = inside.setdefault(f"{part}.zip", {})
            if last and not last.endswith("/"):
                inside[last] = LOSSES if "losses" in last else EXERCISE if last.endswith(".ipynb") else b""

    def packed_up(files):
        return {name: inner_zip(packed_up(f)) if isinstance(f, dict) else f for name, f in files.items()}

    files = packed_up(files)
    collected = folder(tmp_path / "week 2", files) if packed == "folder" else zipped(tmp_path / "week 2.zip", files)
    found = collect(collected)
    assert found.layout
    seen = {s.file.replace("/", "\\") if tree == "Windows" else s.file: s for s in found}
    assert len(seen) == len(found)
    assert seen.keys() == expected.keys()
    for file, said in expected.items():
        if said.startswith("! "):
            assert said[2:] in seen[file].problem
        else:
            assert f"{seen[file].student} {seen[file].id}".rstrip() == said
            assert seen[file].problem == ""
    ids = [(s.id, s.assignment) for s in found if s.id]
    assert len(ids) == len(set(ids))


INSIDE = ["bob", "Bob_999_assignsubmission_file_", "bob_999_77001_x", NAME, "submitted", "..", "2024_01_05", "a b"]


@given(
    st.sampled_from([("mallory", "bob"), ("Mallory_66_assignsubmission_file_", "Bob_999_assignsubmission_file_"),
                     ("mallory_1066_77002_work.zip", "bob_999_77003_work.zip"), (f"{NAME}/mallory", f"{NAME}/bob")]),
    st.lists(st.lists(st.sampled_from(INSIDE), min_size=1, max_size=5), min_size=1, max_size=4),
    st.booleans(),
)
def test_nothing_inside_tells_who_handed_in(tmp_path_factory, tops, inside, in_a_zip):
    """Whatever mallory calls files and folders, bob has his one notebook, and none of hers."""
    mine = {"/".join(names) + ".ipynb": EXERCISE for names in inside}
    mine = {"work.zip": inner_zip(mine)} if in_a_zip else mine
    files = {}
    for top, theirs in zip(tops, (mine, {"x.ipynb": EXERCISE}), strict=True):
        files |= {top: inner_zip(theirs)} if top.endswith(".zip") else {f"{top}/{k}": v for k, v in theirs.items()}
    found = collect(zipped(tmp_path_factory.getbasetemp() / "any.zip", files))
    assert {s.student.casefold() for s in found if not s.file.startswith(tops[1])} <= {"mallory", ""}
    (bobs,) = (s for s in found if s.student.casefold() == "bob")
    assert bobs.file == f"{tops[1]}/x.ipynb"
    assert not bobs.problem
    assert all(s.problem for s in found if not s.student)


def test_names_of_an_lms_below_a_folder_are_believed_in_a_zip_alone(tmp_path):
    """A zip that was packed again wraps the export in a folder; in a folder, that one may be a student's."""
    files = {f"CS 101/{name}_assignsubmission_file_/x.ipynb": EXERCISE for name in ("Ann_1012", "Bo_1013")}
    found = collect(zipped(tmp_path / "week 2.zip", files))
    assert {(s.student, s.id) for s in found} == {("Ann", "1012"), ("Bo", "1013")}
    assert found.layout == "Moodle's file and folder names, all in CS 101"
    (only,) = collect(folder(tmp_path / "in", files))
    assert "(or grade CS 101 by itself" in only.problem


def test_what_else_a_student_handed_in_has_no_second_row_with_the_id(tmp_path):
    top = "Ann_1012_assignsubmission_file_"
    files = {f"{top}/x.ipynb": EXERCISE, f"{top}/scratch.ipynb": SCRATCH, f"{top}/essay.zip": b"",
             f"{top}/old/losses.ipynb": LOSSES, f"{top}/losses.ipynb": LOSSES}
    found = collect(folder(tmp_path / "in", files))
    assert {(s.student, s.id, s.assignment, bool(s.problem)) for s in found} == {
        ("Ann", "1012", NAME, False), ("Ann", "1012", "03-losses", True), ("Ann", "", "", True),
    }
    assert len(found) == 4


@pytest.mark.parametrize(
    "files",
    [
        {"ann/a/perceptron.ipynb": EXERCISE, "ann/a/helpers.py": b"a = 1", "ann/other.py": b"", "helpers.py": b"0"},
        {"ann.zip": inner_zip({"perceptron.ipynb": EXERCISE, "helpers.py": b"a = 1", "my-own.py": b"", "x/y.py": b""})},
        {"ann_101_7701_x.ipynb": EXERCISE, "ann_101_7702_helpers.py": b"a = 1", "bo_103_7703_other.py": b"0"},
        {"Ann_1_assignsubmission_file_x.ipynb": EXERCISE, "Ann_1_assignsubmission_file_helpers.py": b"a = 1",
         "Bo_2_assignsubmission_file_other.py": b"0"},
    ],
    ids=["folder", "zip", "Canvas", "Moodle"],
)
def test_modules_that_lie_beside_the_notebook_come_with_it(tmp_path, files):
    (ann,) = (s for s in collect(folder(tmp_path / "in", files)) if not s.problem)
    assert ann.beside() == {"helpers.py": b"a = 1"}
    assert ann.digest == intake.digest(EXERCISE, {"helpers.py": b"a = 1"})
    digests = {intake.digest(EXERCISE, beside) for beside in ({}, {"a.py": b""}, {"a.py": b"1"}, {"b.py": b"1"})}
    assert len({ann.digest, *digests}) == 5


def test_names_in_any_alphabet_and_people_who_share_one(tmp_path):
    names = ["Zoë Ångström", "Zoe\u0308 Meier", "王小明", "O'Neill, Søren"]
    files = {f"{name}_{k}_assignsubmission_file_/a.ipynb": EXERCISE for k, name in enumerate(names)}
    files |= {f"Ann Lee_{k}_assignsubmission_file_/a.ipynb": EXERCISE for k in (7, 8)}
    found = collect(zipped(tmp_path / "a.zip", files))
    composed = [*names[:1], "Zoë Meier", *names[2:]]
    assert {s.student for s in found} == {*composed, "Ann Lee (7)", "Ann Lee (8)"}
    assert problems(found) == {}


def test_utf8_names_in_a_zip_that_does_not_say_so(tmp_path):
    name = "Zoë.ipynb"
    path = zipped(tmp_path / "a.zip", {"Zo??.ipynb": EXERCISE})
    path.write_bytes(path.read_bytes().replace(b"Zo??.ipynb", name.encode()))
    assert whose(collect(path)) == [("Zoë", NAME)]


def test_how_an_assignment_is_known(tmp_path):
    plain = json.loads(EXERCISE)
    for cell in plain["cells"]:
        cell["metadata"] = {}
    plain = json.dumps(plain).encode()
    found = collect(folder(tmp_path / "a", {
        "ann/mine.ipynb": EXERCISE, "ann/losses.ipynb": LOSSES, "bo/HW Perceptron final.ipynb": plain,
        f"cy/{NAME}/x.ipynb": plain, "di/stochastic_gradient_descent.ipynb": plain, "ed/perceptron.ipynb": LOSSES,
    }))
    assert whose(found) == [
        ("ann", NAME), ("ann", "03-losses"), ("bo", NAME), ("cy", NAME), ("di", "05-stochastic-gradient-descent"),
        ("ed", "03-losses"),
    ]
    found = collect(folder(tmp_path / "b", {"ann/x.ipynb": plain, "bo/x.ipynb": LOSSES}), NAME)
    assert whose(found) == [("ann", NAME)]
    assert problems(found) == {"bo/x.ipynb": f"it holds 03-losses, but was handed in for {NAME}"}
    files = {f"ann/{NAME}/a.ipynb": EXERCISE, "ann/03-losses/b.ipynb": LOSSES, "bo/03-losses/b.ipynb": LOSSES}
    assert whose(collect(folder(tmp_path / "c", files), NAME)) == [("ann", NAME)]


def test_what_cannot_be_graded_is_named_and_stops_nobody(tmp_path):
    root = folder(tmp_path / "a", {
        "ann/perceptron.ipynb": EXERCISE, "two/a.ipynb": EXERCISE, "two/b.ipynb": notebook(), "essay/a.pdf": b"%PDF",
        "unknown/mine.ipynb": SCRATCH, "binary/mine.ipynb": b"\x00\xff", "pdf/perceptron.ipynb": b"%PDF-1.7",
        "nothing/perceptron.ipynb": b" \n", "nozip/work.zip": inner_zip({}),
        "hidden/a.zip": inner_zip({".DS_Store": b""}), "large/perceptron.ipynb": b" " * 21_000_000,
        "badzip/work.zip": b"PK\x03\x04 no zip", "both/perceptron.ipynb": EXERCISE, "both/scratch.ipynb": SCRATCH,
        f"wrong/{NAME}/perceptron.ipynb": LOSSES, "renamed.ipynb.txt": EXERCISE, "roster.csv": b"",
        "rarely.7z": b"7z", "tarred.tar.gz": b"\x1f\x8b", "Typed_1014_text.html": b"see my mail",
    })
    (root / "empty").mkdir()
    (root / "link").mkdir()
    (root / "link" / "perceptron.ipynb").symlink_to(root / "ann" / "perceptron.ipynb")
    (root / "friend").symlink_to(root / "ann")
    os.mkfifo(root / "pipe.ipynb")
    found = collect(root)
    assert whose(found) == [("ann", NAME), ("both", NAME)]
    expected = {
        "two/a.ipynb; two/b.ipynb": "2 notebooks for one assignment", "essay/a.pdf": "no notebook",
        "unknown/mine.ipynb": "belongs to no assignment", "binary/mine.ipynb": "not a notebook",
        "pdf/perceptron.ipynb": "not a notebook", "nothing/perceptron.ipynb": "the file is empty",
        "nozip/work.zip": "the zip is empty", "hidden/a.zip": "the zip is empty",
        "large/perceptron.ipynb": "larger than 20 MB", "badzip/work.zip": "cannot be read as a zip",
        "both/scratch.ipynb": "belongs to no assignment", f"wrong/{NAME}/perceptron.ipynb": "holds 03-losses",
        "empty/": "no notebook", "link/perceptron.ipynb": "symbolic link", "friend/": "symbolic link",
        "pipe.ipynb": "not a file", "renamed.ipynb.txt": "no notebook", "rarely.7z": "no notebook",
        "tarred.tar.gz": "no notebook", "Typed_1014_text.html": "has Canvas's form",
    }
    said = problems(found)
    assert said.keys() == expected.keys()
    assert all(part in said[file] for file, part in expected.items()), said
    assert {s.student for s in found} >= {"renamed", "rarely", "tarred"}


def test_what_may_not_be_read_is_named_and_stops_nobody(tmp_path, monkeypatch):
    """Rights of files mean nothing to root, as whom tests may run."""
    files = ("ann/perceptron.ipynb", "bob/perceptron.ipynb", "cyd/helpers.py", "cyd/perceptron.ipynb", "dan/x.ipynb")
    root = folder(tmp_path / "in", dict.fromkeys(files, EXERCISE))
    locked = {str(root / name) for name in ("bob/perceptron.ipynb", "cyd/helpers.py", "dan")}

    def refuse(function):
        def asked(path, *more):
            if str(path) in locked:
                raise PermissionError(13, "Permission denied", str(path))
            return function(path, *more)

        return asked

    monkeypatch.setattr(intake, "open", refuse(open), raising=False)
    monkeypatch.setattr(os, "scandir", refuse(os.scandir))
    found = collect(root)
    assert whose(found) == [("ann", NAME)]
    assert problems(found) == {
        "bob/perceptron.ipynb": "Permission denied", "cyd/perceptron.ipynb": "helpers.py beside it: Permission denied",
        "dan/": "Permission denied",
    }
    assert {s.student for s in found} == {"ann", "bob", "cyd", "dan"}


def test_the_folder_above_the_students_is_no_student(tmp_path):
    files = {"week 2/ann/perceptron.ipynb": EXERCISE, "week 2/bo/perceptron.ipynb": EXERCISE}
    (only,) = collect(folder(tmp_path / "above", files))
    assert only.problem.endswith("(or grade week 2 by itself, if several students have their folders in it)")
    (only,) = collect(folder(tmp_path / "twice", {"ann/perceptron.ipynb": EXERCISE, "ann/copy/a.ipynb": EXERCISE}))
    assert only.problem == "2 notebooks for one assignment; keep one of them"


def test_a_second_notebook_without_the_exercise_takes_no_mark_away(tmp_path):
    files = {f"ann/{NAME}/perceptron.ipynb": EXERCISE, f"ann/{NAME}/notes.ipynb": SCRATCH}
    found = collect(folder(tmp_path / "a", files))
    assert whose(found) == [("ann", NAME)]
    assert list(problems(found)) == [f"ann/{NAME}/notes.ipynb"]


@pytest.mark.parametrize("content", [{}, {"notes.txt": b"nothing"}])
def test_nothing_was_handed_in(tmp_path, content):
    (tmp_path / "a").mkdir()
    for collected in (folder(tmp_path / "a", content), zipped(tmp_path / "a.zip", content)):
        (only,) = collect(collected)
        assert (only.student, only.file, only.problem) == ("", collected.name, "it holds no notebook")


def test_a_zip_that_leads_outside_is_not_followed(tmp_path):
    link = zipfile.ZipInfo("cy/perceptron.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ann/perceptron.ipynb", EXERCISE)
        for name in ("../bo.ipynb", "ann/../../bo.ipynb", "/tmp/bo.ipynb", "C:\\bo.ipynb", "..\\cy.ipynb", "../bo.txt"):
            archive.writestr(name, EXERCISE)
        archive.writestr(link, "/etc/passwd")
    before = set(tmp_path.rglob("*"))
    found = collect(path)
    assert whose(found) == [("ann", NAME)]
    said = problems(found)
    assert said.pop("cy/perceptron.ipynb") == "it is a symbolic link"
    assert len(said) == 6
    assert set(said.values()) == {"its path leads out of the zip"}
    assert set(tmp_path.rglob("*")) == before


def test_bombs_and_damage_in_a_zip(tmp_path):
    zeros = b"0" * (30 << 20)
    path = zipped(tmp_path / "a.zip", {
        "ann/perceptron.ipynb": EXERCISE, "bo/perceptron.ipynb": zeros, "cy/work.zip": inner_zip({"x.ipynb": zeros}),
        "di/perceptron.ipynb": EXERCISE + b" ", "ed/work.zip": inner_zip({f"{k}.zip": b"" for k in range(3)}),
    })
    data = bytearray(path.read_bytes())
    data[data.index(b"di/perceptron.ipynb") + 60] ^= 0xFF  # in its compressed bytes
    path.write_bytes(data)
    said = problems(collect(path))
    empty = [f"ed/work.zip/{k}.zip" for k in range(3)]
    assert list(said) == ["bo/perceptron.ipynb", "cy/work.zip/x.ipynb", "di/perceptron.ipynb", *empty]
    assert said["bo/perceptron.ipynb"] == said["cy/work.zip/x.ipynb"] == "it is larger than 20 MB"
    assert "cannot be read from the zip" in said["di/perceptron.ipynb"]


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({f"{k}.zip": inner_zip({f"{k}.ipynb": b" " * 9_000_000}) for k in range(12)}, "more than 100 MB"),
        ({"a.txt": b"", **{f"{k}.txt": b"" for k in range(10_000)}}, "more than 10000 files"),
        ({f"{k}.zip": inner_zip(dict.fromkeys(map(str, range(1200)), b"")) for k in range(9)}, "more than 10000 files"),
        ({f"{k}.ipynb": SCRATCH for k in range(101)}, "more than 100 notebooks"),
        ({"a.zip": inner_zip({f"{k}.zip": b"" for k in range(101)})}, "more than 100 notebooks or broken files"),
        ({"a.zip": inner_zip({"b.zip": inner_zip({"x.ipynb": EXERCISE})})}, "a zip in a zip in a zip is not opened"),
        ({"x.ipynb": EXERCISE, "x.py": b"#" * (1 << 20) + b"#"}, "x.py beside it: it is larger than 1 MB"),
        ({"x.ipynb": EXERCISE, "x.py": b"#" * (1 << 19), "y.py": b"#" * (1 << 20)}, "larger than 1 MB"),
        ({"x.ipynb": EXERCISE, **{f"m{k}.py": b"" for k in range(21)}}, "more than 20 modules lie beside it"),
    ],
    ids=["bytes", "entries", "entries of zips", "notebooks", "broken", "nesting", "module", "modules", "many modules"],
)
@pytest.mark.parametrize("packed", ["folder", "zip"])
def test_the_zip_of_a_student_cannot_use_up_the_class(tmp_path, packed, files, why):
    whole = {"bo.zip": inner_zip(files), "cy.zip": inner_zip({"perceptron.ipynb": EXERCISE})}
    found = collect((folder if packed == "folder" else zipped)(tmp_path / "in.zip", whole))
    assert whose(found) == [("cy", NAME)]
    (bo,) = (s for s in found if s.problem)
    assert bo.student == "bo"
    assert why in bo.problem


def test_a_size_that_the_header_understates(tmp_path):
    path = zipped(tmp_path / "a.zip", {"ann/perceptron.ipynb": b"0" * (30 << 20)})
    true, stated = (30 << 20).to_bytes(4, "little"), (1000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(true, stated))
    (only,) = collect(path)
    assert "cannot be read from the zip" in only.problem


@given(st.binary(max_size=300))
def test_bytes_that_are_no_zip(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.zip"
    path.write_bytes(b"PK\x05\x06" + data)
    (only,) = collect(path)
    assert only.problem


# A whole run with real grading.

CLASS = {
    "solved": notebook(),
    "untouched": EXERCISE,
    "mistaken": notebook(update=WRONG_UPDATE),
    "<b>=Bo & Co": notebook(update="def update(theta, x, y):\n    return '<script>alert(1)</script>'"),
    "broken": notebook(bound="def bound(X, y, theta):\n    return )", update="raise ValueError('=<i>')"),
    "corrupt": EXERCISE[:1000],
}
WRONG_IN = {"solved": (), "untouched": TASKS, "mistaken": ("update",), "<b>=Bo & Co": ("update",),
            "broken": ("update", "bound")}
POINTS = {student: FULL - sum(TASKS[task] for task in wrong) for student, wrong in WRONG_IN.items()}


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    root = folder(tmp_path_factory.mktemp("class") / "in", {f"{s}/perceptron.ipynb": n for s, n in CLASS.items()})
    return folder(root, {"=1+1/perceptron.ipynb": EXERCISE, "=1+1/copy.ipynb": EXERCISE})


def run(*arguments):
    """(exit status, stdout, stderr) of coursekit grade."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(["grade", *map(str, arguments)])
        except SystemExit as stop:
            status = stop.code
    return status, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def graded(collected):
    out = collected.parent / "out"
    return out, run(collected, "--out", out, "--seed", 3, "--jobs", 2, "--nbgrader-csv")


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def marks(out):
    return [{key: value for key, value in row.items() if key != "file"} for row in rows(out / "grades.csv")]


def test_grades_csv(graded):
    out, (status, _, _) = graded
    assert status == 1  # something was left ungraded
    table = {row["student"]: row for row in rows(out / "grades.csv")}
    tasks = TASKS
    assert list(table["solved"]) == ["student", "id", "assignment", *tasks, "total", "max", "status", "file"]
    assert table.keys() == {*POINTS, "corrupt", "'=1+1"}
    for student, points in POINTS.items():
        row = table[student]
        assert (float(row["total"]), float(row["max"]), row["status"]) == (points, FULL, "graded")
        assert {task: float(row[task]) for task in tasks} == tasks | dict.fromkeys(WRONG_IN[student], 0)
        assert row["assignment"] == NAME
    for student, why in {"corrupt": "cannot be read", "'=1+1": "2 notebooks for one assignment"}.items():
        assert table[student]["status"].startswith("ungraded: ")
        assert why in table[student]["status"]
        assert table[student]["total"] == ""
        assert all(table[student][task] == "" for task in tasks)


def test_the_terminal_says_what_happened(graded):
    out, (_, said, err) = graded
    lines = said.splitlines()
    assert lines[0] == "Students identified by: a folder for each student"
    assert lines[1] == "Graded: 5 notebooks"
    assert lines[2].startswith("Left ungraded: 2")
    assert any(line.startswith(f"  corrupt, {NAME}, corrupt/perceptron.ipynb: the notebook cannot") for line in lines)
    assert str(out / "grades.csv") in said
    assert "Seed 3:" in said
    assert "7 of 7" in err
    assert "left" in err


def test_nbgraders_own_columns(graded):
    table = rows(graded[0] / "nbgrader.csv")
    assert ",".join(table[0]) == (
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,"
        "max_score"
    )
    assert {row["student_id"]: float(row["score"]) for row in table} == POINTS


def test_feedback_pages(graded):
    pages = {path.name: path.read_text("utf-8") for path in (graded[0] / "feedback").iterdir()}
    assert len(pages) == 7
    assert all("<script" not in page and "javascript" not in page for page in pages.values())
    assert f"{FULL} of {FULL} points" in pages["solved.html"]
    assert pages["solved.html"].count("✓ right") == len(TASKS)
    assert "test y f &lt;= 0" in pages["mistaken.html"]
    (evil,) = (page for name, page in pages.items() if "Bo" in name)
    assert "<h1>&lt;b&gt;=Bo &amp; Co</h1>" in evil
    assert "&lt;script&gt;" in evil
    assert "This is not a 0" in pages["corrupt.html"]
    assert "SyntaxError" in pages["broken.html"]
    assert "&lt;i&gt;" in pages["broken.html"]


def test_summary(graded):
    out, _ = graded
    page = (out / "summary.html").read_text("utf-8")
    assert "5 notebooks graded, 2 left ungraded" in page
    assert "Students identified by: a folder for each student." in page
    assert f"Mean {sum(POINTS.values()) / 5:.3g} of {FULL} points, median {POINTS['mistaken']}." in page
    picture, text = re.search(r'<img src="([^"]+)" alt="([^"]+)">', page).groups()
    assert (out / picture).read_text().startswith("<?xml")
    solved = {task: sum(task not in wrong for wrong in WRONG_IN.values()) for task in TASKS}
    assert (solved["update"], solved["bound"], solved["cycle"]) == (1, 3, 4)
    hardest = sorted(solved.items(), key=lambda item: item[1])
    assert text.endswith(f" Solved: {', '.join(f'{task} {n}' for task, n in hardest)}.")
    sentence = r"<td class=\"number\">1</td><td><code>update</code><br>A score of exactly 0 is a mistake too"
    assert re.search(sentence, page)


def test_nothing_is_graded_twice_and_what_changed_is(collected, graded, tmp_path):
    before, out = graded[0], tmp_path / "out"
    shutil.copytree(before, out)
    again = shutil.copytree(collected, tmp_path / "in")
    kept = {path: path.stat().st_mtime_ns for path in (out / "marks").iterdir()}
    assert len(kept) == len(POINTS)
    status, said, _ = run(again, "--out", out)
    assert status == 1
    assert "Graded: 5 notebooks, 5 of them in an earlier run" in said
    assert "Seed 3:" in said
    assert {path: path.stat().st_mtime_ns for path in (out / "marks").iterdir()} == kept
    assert marks(out) == marks(before)

    folder(again, {"untouched/perceptron.ipynb": notebook(cycle="")})
    shutil.rmtree(again / "mistaken")
    (out / "grades.csv").write_text("my own remarks")
    _, said, _ = run(again, "--out", out)
    assert "Graded: 4 notebooks, 3 of them in an earlier run" in said
    assert (out / "grades (changed 1).csv").read_text() == "my own remarks"
    assert "grades (changed 1).csv" in said
    assert {row["student"]: row["total"] for row in marks(out)}["untouched"] == str(FULL - TASKS["cycle"])
    assert not (out / "feedback" / "mistaken.html").exists()
    assert not (out / "nbgrader.csv").exists()


@pytest.fixture(scope="module")
def dask():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
@pytest.mark.parametrize("where", ["one process", "threads", "Dask"])
def test_the_same_seed_gives_the_same_marks_everywhere(collected, graded, tmp_path, where, request):
    if where == "threads":
        found, results = collect(collected), Results(tmp_path / "out", 3)
        with ThreadPoolExecutor(3) as executor:
            done = [g for g, _ in grade_class(found, results, sandbox=False, jobs=3, executor=executor)]
        done.sort(key=lambda g: found.index(g.submission))
        (tmp_path / "out" / "grades.csv").write_text(report.grades(done, COURSE.points))
    else:
        how = ["--jobs", 1] if where == "one process" else ["--dask", request.getfixturevalue("dask")]
        assert run(collected, "--out", tmp_path / "out", "--seed", 3, *how)[0] == 1
    assert marks(tmp_path / "out") == marks(graded[0])


def test_a_notebook_imports_what_its_student_handed_in_beside_it(tmp_path):
    handed_in = notebook(update="from helpers import update")
    helpers = f"import numpy as np\n{WRONG_UPDATE.replace('< 0', '<= 0')}".encode()
    files = {"ann/perceptron.ipynb": handed_in, "ann/helpers.py": helpers, "bo/perceptron.ipynb": handed_in}
    found, results = collect(folder(tmp_path / "in", files)), Results(tmp_path / "out")
    with ThreadPoolExecutor(2) as executor:
        done = grade_class(found, results, sandbox=False, jobs=2, executor=executor)
        points = {g.submission.student: g.points for g, _ in done}
    assert points == {"ann": FULL, "bo": FULL - TASKS["update"]}
    folder(tmp_path / "in", {"bo/helpers.py": helpers})
    ann, bo = map(results.mark, collect(tmp_path / "in"))  # now they are the same to the last byte
    assert ann
    assert ann == bo


def _environment(process):
    try:
        return (process / "environ").read_bytes()
    except OSError:
        return b""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_goes_on_where_it_was(tmp_path, how):
    for k in range(7):
        slow = "; import time; time.sleep(15)" if k == 6 else ""  # so that there is a middle, on a busy machine too
        folder(tmp_path / "in", {f"s{k}/perceptron.ipynb": notebook(hand_trace=f"{k}{slow}")})
    total, out = FULL - TASKS["hand_trace"], tmp_path / "out"
    # Where the tests run in the background, Ctrl+C is ignored, and so it would be in what they start.
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    run = f"{hears}; from coursekit.cli import main; main()"
    command = [sys.executable, "-c", run, "grade", tmp_path / "in", "--out", out]
    mark = f"A_KILLED_RUN={tmp_path}"
    environment = {**os.environ, **dict([mark.split("=", 1)])}
    process = subprocess.Popen([*command, "--jobs", "2"], stderr=subprocess.PIPE, text=True, env=environment)
    deadline = time.monotonic() + 300
    while sum(row["total"] != "" for row in rows(out / "grades.csv")) < 2 if (out / "grades.csv").exists() else True:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(how)
    _, err = process.communicate(timeout=120)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert err.endswith("Stopped. Nothing is lost: the same command goes on from here.\n")
        assert "Traceback" not in err
    kept = {path: path.stat().st_mtime_ns for path in out.glob("marks/*")}
    assert 2 <= len(kept) < 7
    left = rows(out / "grades.csv")
    assert len(left) == 7
    totals = {row["student"] for row in left if row["total"] == str(total)}
    # What was marked in the last second before kill -9 is kept, but not yet in the table; so is, after Ctrl+C, the one
    # mark that was being kept.
    assert len(kept) - (1 if how == signal.SIGINT else 7) <= len(totals) <= len(kept)
    assert len(totals) >= 2
    assert {row["status"] for row in left if not row["total"]} == {f"ungraded: {waiting(handed_in(b'')[0]).ungraded}"}
    pages = {path.stem: path.read_text("utf-8") for path in (out / "feedback").iterdir()}
    # The table comes last: kill -9 between two files leaves pages ahead of it, and never a mark without its page.
    shown = {student for student, page in pages.items() if f"{total} of {FULL} points" in page}
    summary = (out / "summary.html").read_text("utf-8")
    assert "This run is unfinished" in summary
    told = [n for n in range(8) if f"{n} notebooks graded, 0 left ungraded, {7 - n} still to come" in summary]
    assert totals <= shown
    assert len(totals) <= told[0] <= len(shown)
    if how == signal.SIGINT:
        assert totals == shown
    deadline = time.monotonic() + 60
    while any(mark.encode() in _environment(p) for p in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < deadline, "its processes live on"
        time.sleep(0.05)
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert f"Graded: 7 notebooks, {len(kept)} of them in an earlier run" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert {row["total"] for row in rows(out / "grades.csv")} == {str(total)}
    names = {path.name for path in out.iterdir()}
    assert names >= {"coursekit-grade.json", "feedback", "grades.csv", "marks", f"summary-{NAME}.svg", "summary.html"}
    assert not names & {".part", classroom.RUNNING}
    assert "unfinished" not in (out / "summary.html").read_text("utf-8")


# How a class is dealt out, with a stand-in for the grading of one notebook.


def handed_in(*sources):
    return [
        Submission(f"s{k}", "", f"{k}.ipynb", NAME, digest=classroom._digest(source), read=lambda source=source: source)
        for k, source in enumerate(sources)
    ]


@pytest.fixture
def dealt(tmp_path, monkeypatch):
    monkeypatch.setattr(classroom, "grade_notebook", stand_in)

    def deal(found, **options):
        done = list(grade_class(found, Results(tmp_path / "out"), **{"sandbox": False, "jobs": 2, **options}))
        return {g.submission.student: (g.ungraded or g.points, new) for g, new in done}

    return deal


@pytest.mark.slow
def test_a_dead_process_costs_one_submission(dealt):
    found = handed_in(b"1", b"deadly", b"2", b"faulty", b"1", b"deadly", b"0", b"2")
    done = dealt(found)
    died = "the process that graded it died, twice"
    assert done == {
        "s0": (1, True), "s1": (died, True), "s2": (2, True), "s3": ("RuntimeError: a fault of ours", True),
        "s4": (1, True), "s5": (died, True), "s6": (0, True), "s7": (2, True),
    }
    # What was left ungraded is tried again, the rest is known.
    assert dealt([replace(s, read=None) for s in found if s.student in "s0 s2 s4 s6 s7"]) == {
        s: (points, False) for s, (points, _) in done.items() if not isinstance(points, str)
    }


class Counting(Executor):
    """Two threads, and how many calls were in flight at most."""

    def __init__(self):
        self.pool, self.now, self.most, self.lock = ThreadPoolExecutor(2), 0, 0, threading.Lock()

    def submit(self, *call, **options):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        future = self.pool.submit(*call, **options)
        future.add_done_callback(self.ended)
        return future

    def ended(self, _):
        with self.lock:
            self.now -= 1


def test_few_notebooks_are_in_memory_at_a_time(dealt):
    executor, reads = Counting(), []
    found = handed_in(*[b"%d" % k for k in range(50)])
    done = dealt([replace(s, read=lambda s=s: reads.append(s) or s.read()) for s in found], executor=executor)
    assert done == {f"s{k}": (k, True) for k in range(50)}
    assert len(reads) == 50
    assert executor.most <= 4


class CallingOff(Executor):
    """Calls off one piece of work, as a cluster may that is shut down."""

    def submit(self, call, source, *more, **options):
        future = Future()
        if source == b"0":
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(call(source, *more, **options))
        return future


def test_work_that_is_called_off_is_left_ungraded(dealt):
    done = dealt(handed_in(b"1", b"0", b"2"), executor=CallingOff())
    assert done == {"s0": (1, True), "s1": ("CancelledError", True), "s2": (2, True)}


class Stalling(Executor):
    """The run is stopped while it grades a notebook that says so."""

    def __init__(self):
        self.graded = []

    def submit(self, call, source, *more, **options):
        self.graded.append(source)
        if source == b"stall":
            raise KeyboardInterrupt
        future = Future()
        future.set_result(call(source, *more, **options))
        return future


def test_a_notebook_that_stalls_a_run_comes_last_and_every_other_run_finishes(dealt, tmp_path):
    found = handed_in(b"stall", b"1", b"stall", b"2")
    for order in ([b"stall"], [b"1", b"2", b"stall"], None, [b"stall"], None):
        executor = Stalling()
        if order:
            with pytest.raises(KeyboardInterrupt):
                dealt(found, executor=executor)
            assert executor.graded == order
        else:
            done = dealt(found, executor=executor)
            assert executor.graded == []
            assert (done["s1"], done["s3"]) == ((1, False), (2, False))
            assert done["s0"] == done["s2"]
            assert done["s0"][0].startswith("2 runs stopped while grading it")
    # Handed in once more, changed, it has its turn at once; and so has every notebook in another folder.
    assert dealt(handed_in(b"0", b"1"), executor=executor) == {"s0": (0, True), "s1": (1, False)}
    with pytest.raises(KeyboardInterrupt):
        list(grade_class(found, Results(tmp_path / "other"), sandbox=False, executor=executor))


def test_who_was_graded_when_the_run_ended_comes_last_and_alone(dealt, tmp_path):
    found = handed_in(*[b"%d" % k for k in range(9)])
    results = Results(tmp_path / "out")
    for s in found[:5]:
        results.begin(s)
    (tmp_path / "out" / classroom.RUNNING).read_bytes()
    executor = Counting()
    done = list(grade_class(found, Results(tmp_path / "out"), sandbox=False, jobs=2, executor=executor))
    assert {g.submission.student for g, _ in done[:4]} == {"s5", "s6", "s7", "s8"}
    assert [g.submission.student for g, _ in done[4:]] == ["s0", "s1", "s2", "s3", "s4"]
    assert not (tmp_path / "out" / classroom.RUNNING).exists()


class Waiting(Executor):
    """Has no worker free: one call is under way, the others wait."""

    def __init__(self):
        self.calls = 0

    def submit(self, *_, **__):
        future = Future()
        if self.calls == 0:
            future.set_running_or_notify_cancel()
        self.calls += 1
        return future


def test_who_had_not_had_a_turn_when_the_run_ended_is_no_suspect(tmp_path, monkeypatch):
    def stop():
        raise KeyboardInterrupt

    monkeypatch.setattr(classroom, "TICK", 0.01)
    found = handed_in(b"0", b"1", b"2", b"3")
    with pytest.raises(KeyboardInterrupt):
        list(grade_class(found, Results(tmp_path / "out"), sandbox=False, jobs=2, executor=Waiting(), meanwhile=stop))
    results = Results(tmp_path / "out")
    assert [results.ended(s) for s in found] == [1, 0, 0, 0]


def test_a_damaged_list_of_what_was_running_is_none(tmp_path):
    (s,) = handed_in(b"1")
    Results(tmp_path / "out").begin(s)
    for damaged in ("", "[]", "{", '{"a": []}', "null"):
        (tmp_path / "out" / classroom.RUNNING).write_text(damaged)
        assert Results(tmp_path / "out").ended(s) == 0


def test_results_grow_and_changes_to_them_are_set_aside(tmp_path, monkeypatch):
    found = command.Found(handed_in(b"1", b"2", b"3"))
    found.layout = "a file for each student"
    results = Results(tmp_path / "out", 1)
    out = results.folder
    results.publish({"feedback/s2.html": "of an earlier run", "summary-x.svg": "x"})
    growing = command._Growing(found, COURSE, results, False)
    growing.next = 0.0
    growing.add(Graded(found[0], Mark(NAME, (TaskMark("update", 1, 2),))))
    assert [row["total"] for row in rows(out / "grades.csv")] == ["1", "", ""]
    assert sorted(path.name for path in (out / "feedback").iterdir()) == ["s0.html", "s2.html"]
    assert (out / "feedback" / "s2.html").read_text() == "of an earlier run"
    assert "1 notebook graded, 0 left ungraded, 2 still to come" in (out / "summary.html").read_text("utf-8")
    (out / "grades.csv").write_text("my remarks")
    growing.add(Graded(found[1], Mark(NAME, (), "it is broken")))  # within the same second
    assert (out / "grades.csv").read_text() == "my remarks"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "open in a spreadsheet")))
        growing.publish()
    growing.next = 0.0
    growing.publish_if_due()
    assert (out / "grades (changed 1).csv").read_text() == "my remarks"
    assert growing.aside == ["grades (changed 1).csv"]
    assert [row["status"] for row in rows(out / "grades.csv")][:2] == ["graded", "ungraded: it is broken"]
    # A run that is killed here knows its own files again.
    growing = command._Growing(found, COURSE, Results(out), False)
    growing.publish()
    assert growing.aside == []
    assert [row["total"] for row in rows(out / "grades.csv")] == ["", "", ""]
    assert Results(out).publish({"grades.csv": "last"}) == []
    assert {path.name for path in out.iterdir()} == {
        "coursekit-grade.json", "feedback", "marks", "grades.csv", "grades (changed 1).csv",
    }
    assert not list((out / "feedback").iterdir())


def test_a_mark_in_the_table_has_its_page_wherever_a_run_is_stopped(tmp_path, monkeypatch):
    found, write, marked = command.Found(handed_in(b"1", b"2", b"3")), Results._write, []
    for stop in range(8):  # after so many files
        out = tmp_path / str(stop)
        growing = command._Growing(found, COURSE, Results(out, 1), True)
        growing.next = np.inf
        for s in found:
            growing.add(Graded(s, Mark(NAME, (TaskMark("update", 2, 2),)), 2))
        left = iter(range(stop))

        def killed(*what, left=left, **options):
            if next(left, None) is None:
                raise KeyboardInterrupt
            write(*what, **options)

        with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
            patch.setattr(Results, "_write", killed)
            growing.publish()
        table = rows(out / "grades.csv") if (out / "grades.csv").exists() else []
        marked.append({row["student"] for row in table if row["total"] == "2"})
        pages = {p.stem for p in (out / "feedback").iterdir() if "2 of 2 points" in p.read_text("utf-8")}
        assert marked[-1] <= pages
    assert marked[0] == set()
    assert marked[-1] == {"s0", "s1", "s2"}


class Dying:
    """Ends this process, as kill -9 does, at one step of all that a run does to its files."""

    def __init__(self, monkeypatch, step):
        self.left, write, rename, unlink = step, Path.write_bytes, Path.replace, Path.unlink

        def half(path, data):
            self.step(lambda: write(path, data[: len(data) // 2]))
            write(path, data)

        monkeypatch.setattr(Path, "write_bytes", half)
        monkeypatch.setattr(Path, "replace", lambda *paths: (self.step(), rename(*paths), self.step())[1])
        monkeypatch.setattr(Path, "unlink", lambda *path, **options: (self.step(), unlink(*path, **options))[1])

    def step(self, last=lambda: None):
        self.left -= 1
        if self.left < 0:
            last()
            os._exit(9)


def run_to(step, tmp_path, monkeypatch):
    """`coursekit grade` in a process that dies at a step: its exit status, and how many notebooks it has graded."""
    seen, told = os.pipe()
    if not (child := os.fork()):
        status = 1
        with contextlib.suppress(SystemExit), open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
            def marked(source, drawn, **options):
                os.write(told, b".")
                return Mark(NAME, tuple(TaskMark(t, m, m) for t, m in TASKS.items()))

            with ThreadPoolExecutor(1) as pool, monkeypatch.context() as patch:
                # What takes long, and is no part of this: to read the course, to draw cases and pictures.
                reports, students = command.reports, [path.stem for path in (tmp_path / "in").iterdir()]
                patch.setattr(command, "reports", lambda *of, **more: reports(*[*of, students][:6], **more))
                patch.setattr(command, "Course", lambda root: COURSE)
                patch.setattr(Course, "drawn", lambda *of: None)
                patch.setattr(command, "_workers", lambda *_: contextlib.nullcontext((pool, 1, "")))
                patch.setattr(command._Growing, "publish_if_due", command._Growing.publish)  # after every mark
                patch.setattr(classroom, "grade_notebook", marked)
                patch.setattr(command, "tqdm", lambda run, **options: run)
                Dying(patch, step)
                status = not command.grade(tmp_path / "in", tmp_path / "out", ROOT, seed=1)
        os._exit(status)
    os.close(told)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(seen, "rb") as file:
        return status, len(file.read())


@pytest.mark.slow
def test_nothing_is_lost_wherever_a_run_is_killed(tmp_path, monkeypatch):
    """Before, in and after each change of a file, so also between any two marks; then the same command finishes."""
    folder(tmp_path / "in", {f"s{k}.ipynb": notebook(hand_trace=str(k)) for k in range(3)})
    out, killed, between = tmp_path / "out", 0, set()
    while run_to(killed, tmp_path, monkeypatch)[0] == 9:
        table = rows(out / "grades.csv") if (out / "grades.csv").exists() else []
        shown = {row["student"] for row in table if row["total"]}
        kept = sum(classroom.json.loads(path.read_bytes())["assignment"] == NAME for path in out.glob("marks/*.json"))
        assert len(table) in (0, 3)
        assert all(row["total"] in ("", str(FULL)) for row in table)
        assert len(shown) <= kept
        assert all(f"{FULL} of {FULL} points" in (out / "feedback" / f"{s}.html").read_text("utf-8") for s in shown)
        between.add((len(shown), kept))
        status, graded = run_to(10**9, tmp_path, monkeypatch)
        assert (status, graded) == (0, 3 - kept)
        assert [row["total"] for row in rows(out / "grades.csv")] == [str(FULL)] * 3
        assert not [path for path in out.rglob("*") if "changed" in path.name or path.name == ".part"]
        shutil.rmtree(out)
        killed += 1
    assert {(n, n) for n in range(4)} | {(n, n + 1) for n in range(3)} <= between


def test_an_unknown_assignment_is_named_and_costs_nobody_else(dealt):
    why = rf"the assignment must be one of 01-linear-classifiers, {NAME}, .*; got '99-none'"
    with pytest.raises(ValueError, match=why):
        COURSE.drawn("99-none", 1)
    one, other = handed_in(b"1", b"2")
    done = dealt([replace(one, assignment="99-none"), other])
    assert re.fullmatch(why, done["s0"][0])
    assert done["s1"] == (2, True)


@pytest.mark.slow
def test_what_could_not_be_graded_for_a_while_is_tried_again(dealt):
    found = handed_in(b"busy machine", b"1")
    why = "update: no process could be started"
    assert dealt(found) == {"s0": (why, True), "s1": (1, True)}
    assert dealt(found) == {"s0": (why, True), "s1": (1, False)}


@pytest.mark.slow
def test_a_notebook_that_changes_or_goes_meanwhile(dealt):
    def gone():
        raise FileNotFoundError(2, "No such file or directory")

    found = handed_in(b"1", b"1", b"2")
    done = dealt([replace(found[0], read=gone), replace(found[1], read=lambda: b"0"), found[2]])
    assert "No such file" in done["s0"][0]
    assert "changed" in done["s1"][0]
    assert done["s2"] == (2, True)


def test_marks_are_kept_for_a_notebook_an_assignment_a_seed_and_the_tasks(tmp_path, monkeypatch):
    results, (s,) = Results(tmp_path / "out", 1), handed_in(b"1")
    mark = Mark(NAME, (TaskMark("update", 1.5, 2, message="\ud800 =x", mistake="m"),), notes=("n",))
    results.keep(s, mark)
    assert Results(tmp_path / "out").mark(s) == mark
    assert results.mark(replace(s, digest="0")) is results.mark(replace(s, assignment="03-losses")) is None
    assert Results(tmp_path / "out", 2).mark(s) is None
    assert Results(tmp_path / "out").mark(s) is None  # the seed is now 2
    results = Results(tmp_path / "out", 1)
    for damaged in ("", "{", "[]", '{"tasks": 1}', '{"assignment": 1, "tasks": [], "notes": [], "other": 1}'):
        next((tmp_path / "out" / "marks").iterdir()).write_text(damaged)
        assert results.mark(s) is None
    results.keep(s, mark)
    monkeypatch.setattr(classroom, "_version", lambda: "another")
    assert results.mark(s) is None


def test_two_seeds_differ_without_being_asked_for(tmp_path):
    assert Results(tmp_path / "a").seed != Results(tmp_path / "b").seed
    assert Results(tmp_path / "a").seed == Results(tmp_path / "a").seed


def test_a_folder_with_something_else_in_it_is_refused(tmp_path):
    folder(tmp_path / "thesis", {"chapter.tex": b"precious"})
    folder(tmp_path, {"file": b""})
    folder(tmp_path / "damaged", {classroom.MANIFEST: b"{"})
    for name, why in {"thesis": "--out must be", "file": "--out must be", "damaged": "be read any more"}.items():
        with pytest.raises((ValueError, OSError), match=why):
            Results(tmp_path / name)
    assert (tmp_path / "thesis" / "chapter.tex").read_bytes() == b"precious"


def test_a_run_killed_while_it_writes_knows_its_own_files(tmp_path, monkeypatch):
    results = Results(tmp_path / "out")
    results.publish({"grades.csv": "1", "summary.html": "1"})
    write = Results._write

    def killed(self, name, *data, **options):
        if name == "summary.html":
            raise KeyboardInterrupt
        write(self, name, *data, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Results, "_write", killed)
        with pytest.raises(KeyboardInterrupt):
            results.publish({"grades.csv": "2", "summary.html": "2"})
    assert Results(tmp_path / "out").publish({"grades.csv": "3", "summary.html": "3"}) == []
    assert (tmp_path / "out" / "grades.csv").read_text() == (tmp_path / "out" / "summary.html").read_text() == "3"


def test_a_full_disk_leaves_whole_files(tmp_path, monkeypatch):
    results = Results(tmp_path / "out")
    results.publish({"grades.csv": "1"})

    def full(self, data):
        with open(self, "wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match=r"out\S+ cannot be written: No space left .*; the same command"):
        results.publish({"grades.csv": "2"})
    assert (tmp_path / "out" / "grades.csv").read_text() == "1"
    assert not list((tmp_path / "out").glob(".*"))


# Reports.


def one(student, points=1.0, message="", file="a.ipynb", **more):
    return Graded(
        Submission(student, "", file, NAME, **more), Mark(NAME, (TaskMark("update", points, 2, message=message),)), 14
    )


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(name):
    (row,) = csv.DictReader(io.StringIO(report.grades([one(name, file=name)], COURSE.points)))
    assert row["student"] == row["file"] == f"'{name}"
    (row,) = csv.DictReader(io.StringIO(report.nbgrader_grades([one(name)])))
    assert row["student_id"] == f"'{name}"


def test_no_cell_is_a_formula_where_semicolons_end_cells(tmp_path):
    text = report.grades([one("Ann;=1+1", file="a; b.ipynb; @x.ipynb"), one("Bo - C++ = @home")], COURSE.points)
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=";") for cell in row]
    assert not [cell for cell in cells if cell.strip().startswith(("=", "+", "-", "@"))]
    assert "a; b.ipynb;' @x.ipynb" in text
    assert "Bo - C++ = @home" in text


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80)


@given(st.lists(names, unique=True, max_size=8))
def test_every_student_has_a_file_name_of_her_own(students):
    files = report._file_names([*students, "a/b", "a\\b", "a:b", "Ann", "ann", "CON", "..", "x" * 300])
    assert len({name.casefold() for name in files.values()}) == len(files)
    for name in files.values():
        assert re.fullmatch(r"[\w ,.()-]+", name)
        assert not name.startswith(".")
        assert len(f"{name}.html".encode()) <= 255
        assert name.upper() not in ("CON", "PRN", "AUX", "NUL")


def test_text_of_students_is_text(tmp_path):
    nasty = "</td><img src=x onerror=alert(1)>{{ 7*7 }}\ud800"
    pages = report.reports([one("ann", 0.0, nasty, file="<b>.ipynb")], COURSE.points, 0)
    assert "&lt;/td&gt;&lt;img src=x onerror=alert(1)&gt;{{ 7*7 }}" in pages["feedback/ann.html"]
    assert "&lt;b&gt;.ipynb" in pages["feedback/ann.html"]
    Results(tmp_path / "out").publish(pages)


def test_a_task_left_ungraded_is_not_a_zero():
    mark = Mark(NAME, (TaskMark("update", 2, 2), TaskMark("bound", 0, 3, ungraded="no process could be started")))
    graded = [Graded(Submission("ann", "", "a.ipynb", NAME), mark, 14)]
    (row,) = csv.DictReader(io.StringIO(report.grades(graded, COURSE.points)))
    assert (row["update"], row["bound"], row["total"]) == ("2", "", "")
    assert row["status"] == "ungraded: bound: no process could be started"
    assert "not graded yet: no process" in report.reports(graded, COURSE.points, 0)["feedback/ann.html"]


def test_pictures_of_the_class():
    left, right, below = plt.Figure().subplots(1, 3)
    bars = PointsHistogram(left, 14).show(np.array([0, 3, 3, 14.0])).bars
    assert [bar.get_height() for bar in bars] == [1, 0, 0, 2, *[0] * 9, 1]
    tasks = OutcomeBars(right, ["update", "bound"], ["solved", "raised", "too slow"])
    tasks.show(np.array([[3, 1, 0], [1, 3, 0]]))
    places = [[(bar.get_x(), bar.get_width()) for bar in bars] for bars in tasks.bars]
    assert places == [[(0, 3), (0, 1)], [(3, 1), (1, 3)], [(4, 0), (4, 0)]]
    assert [text.get_text() for text in right.get_legend().get_texts()] == ["solved", "raised"]
    mistakes = MistakeBars(below, ["update", "bound"], ["y is left out.", "R is the longest."], most=5).show([5, 2])
    assert [bar.get_width() for bar in mistakes.bars] == [5, 2]
    assert [text.get_text() for text in below.texts] == ["y is left out.", "R is the longest."]


# The command.


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["missing", "--out", "out"], "coursekit grade: there is no folder or zip missing"),
        (["in", "--out", "out", "--assignment", "perceptron"], "the assignment must be one of 01-linear-classifiers, "),
        (["in", "--out", "in/out"], "--out must not lie in SUBMISSIONS"),
        (["in", "--out", "in"], "--out must not lie in SUBMISSIONS"),
        (["in", "--out", "full"], "--out must be an empty folder or that of an earlier run"),
        (["in", "--out", "full/mine"], "--out must be an empty folder or that of an earlier run"),
        (["in", "--out", "full/mine/out"], "--out must be a folder that can be made and read; got full/mine/out: "),
        (["full/mine", "--out", "out"], "SUBMISSIONS must be a folder, a zip or a notebook; got full/mine"),
        (["in", "--out", "out", "--dask", "tcp://127.0.0.1:9"], "Timed out trying to connect to tcp://127.0.0.1:9"),
    ],
)
def test_errors_are_one_sentence_and_nothing_is_written(tmp_path, monkeypatch, arguments, why):
    folder(tmp_path / "in", {"ann/perceptron.ipynb": EXERCISE})
    folder(tmp_path / "full", {"mine": b""})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(dask_config["distributed"]["comm"]["timeouts"], "connect", "1s")
    before = sorted(tmp_path.rglob("*"))
    status, _, _ = run(*arguments)
    assert why in status
    assert "\n" not in status
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("option", [["--seed", "-1"], ["--seed", "x"], ["--jobs", "0"], ["--jobs", "two"]])
def test_numbers_that_are_none(option):
    status, _, err = run("in", "--out", "out", *option)
    assert status == 2
    assert f"got '{option[1]}'" in err


def test_without_a_sandbox_it_warns_or_refuses(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "sandbox_missing", lambda: "bubblewrap is not installed")
    folder(tmp_path / "in", {"ann/notes.txt": b""})
    status, _, err = run(tmp_path / "in", "--out", tmp_path / "out", "--require-sandbox")
    assert status == "coursekit grade: --require-sandbox, but there is no sandbox: bubblewrap is not installed"
    assert not (tmp_path / "out").exists()
    status, _, err = run(tmp_path / "in", "--out", tmp_path / "out")
    assert "WARNING: NO SANDBOX: bubblewrap is not installed" in err


def test_two_runs_at_once_do_not_mix(tmp_path):
    fcntl = pytest.importorskip("fcntl", reason="no such locks on Windows")
    folder(tmp_path / "in", {"ann/notes.txt": b""})
    Results(tmp_path / "out")
    held = os.open(tmp_path / "out", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    before = (tmp_path / "out" / classroom.MANIFEST).read_bytes()
    assert "another run is at work" in run(tmp_path / "in", "--out", tmp_path / "out", "--seed", 1)[0]
    assert (tmp_path / "out" / classroom.MANIFEST).read_bytes() == before
    os.close(held)
    assert run(tmp_path / "in", "--out", tmp_path / "out")[0] == 1


@pytest.mark.parametrize("kind", ["empty folder", "bad zip"])
def test_a_run_without_a_notebook_is_in_the_csv_too(tmp_path, kind):
    collected = tmp_path / "in.zip"
    collected.mkdir() if kind == "empty folder" else collected.write_bytes(b"no zip")
    status, said, _ = run(collected, "--out", tmp_path / "out")
    assert status == 1
    (row,) = rows(tmp_path / "out" / "grades.csv")
    assert row["file"] == "in.zip"
    assert row["status"].startswith("ungraded: it ")
    assert "in.zip: it " in said
