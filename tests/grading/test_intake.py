"""Who handed in what: the notebooks of a class in folders and zips of every kind, whatever is in them."""

import io
import json
import os
import re
import stat
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.grading import intake, tables
from tests.grading.shared import COURSE, EXERCISE, NAME, folder, in_json, zipped

LOSSES = json.dumps(in_json("exercises/03-losses/losses.ipynb")).encode()
SCRATCH = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
PLAIN = json.dumps({"cells": [cell | {"metadata": {}} for cell in json.loads(EXERCISE)["cells"]]}).encode()
BYTES = {"scratch": SCRATCH, "plain": PLAIN, "losses": LOSSES, "pdf": b"%PDF-1.7", "blank": b" \n",
         "binary": b"\0\xff",
         "utf16": PLAIN.decode().encode("utf-16"), "sgd": b'{"cells": [{"source": ["def one_pass(X, y):\\n"]}]}',
         "both": b'{"cells": [{"grade_id": "update"}, {"grade_id": "slopes"}]}',
         "large": b" " * 21_000_000, "no zip": b"PK\x03\x04 no zip"}


def collect(collected, assignment=None):
    return intake.collect(collected, COURSE.points, assignment)


def inner_zip(files):
    return zipped(io.BytesIO(), files).getvalue()


def whose(found):
    return sorted((s.student, s.assignment) for s in found if not s.problem)


def problems(found):
    return {s.file: s.problem for s in found if s.problem}


# What was collected, and after an arrow whose it is, or why it is graded for nobody. A folder .zip is a zip. Notebooks
# are NAME's exercise, where their name does not say losses and nothing else stands behind "=".
TREES = {
    "folders": """
        Ann Lee/perceptron.ipynb -> Ann Lee
        Bo/deep/er/x.ipynb -> Bo
        .DS_Store
        README.txt
        Bo/.ipynb_checkpoints/perceptron-checkpoint.ipynb
        __MACOSX/Bo/._perceptron.ipynb
    """,
    "files": """
        Ann Lee.ipynb -> Ann Lee
        Bo_perceptron.ipynb -> Bo
        02-perceptron Cy.ipynb -> Cy
        Di-Perceptron (1).ipynb -> Di
        Ed Ode-perceptron-1.ipynb -> Ed Ode
    """,
    "zips": """
        Ann Lee.zip/perceptron.ipynb -> Ann Lee
        Bo/work.zip/work/perceptron.ipynb -> Bo
        cy/work.zip = no zip -> ! cannot be read as a zip
        di/nothing.zip/.DS_Store
        di/nothing.zip -> ! the zip is empty
    """,
    "Moodle": """
        Ann Lee_1012_assignsubmission_file_/perceptron.ipynb -> Ann Lee 1012
        Ann Lee_1012_assignsubmission_onlinetext_/onlinetext.html
        Bo_1013_assignsubmission_file_/work/part 2/perceptron.ipynb -> Bo 1013
        Cy_1014_assignsubmission_file_my_own_name.ipynb -> Cy 1014
        Di_1015_assignsubmission_file_/x.ipynb -> Di 1015
        Di_1015_assignsubmission_file_/losses.ipynb; Di_1015_assignsubmission_file_/old/losses.ipynb -> ! 2 notebooks
        Di_1015_assignsubmission_file_/scratch.ipynb = scratch -> ! it belongs to no assignment
        Ed_1016_assignsubmission_file_/02-perceptron/x.ipynb -> Ed 1016
        Ed_1016_assignsubmission_file_/02-perceptron/y.ipynb = losses -> ! it holds 03-losses
    """,
    "Canvas zips": """
        Ann Lee_1012_77001_work.zip/perceptron.ipynb -> Ann Lee 1012
        Bo_LATE_1013_77002_work.ZIP/work/perceptron.ipynb -> Bo 1013
    """,
    "how an assignment is known": """
        ann/mine.ipynb -> ann
        ann/losses.ipynb -> ann
        bo/HW Perceptron final.ipynb = plain -> bo
        cy/02-perceptron/x.ipynb = plain -> cy
        di/stochastic_gradient_descent.ipynb = sgd -> di @05-stochastic-gradient-descent
        ed/perceptron.ipynb = losses -> ed @03-losses
        fay/perceptron.ipynb = utf16 -> fay
        flo/02-perceptron/perceptron.ipynb = losses -> ! it holds 03-losses, but was handed in for 02-perceptron
    """,
    "what cannot be graded": """
        ann/perceptron.ipynb -> ann
        bo/perceptron.ipynb -> bo
        bo/scratch.ipynb = scratch -> ! belongs to no assignment
        cyd/support vector machines homework.ipynb = plain -> ! it holds nothing of this exercise
        dia/02-perceptron/essay.ipynb = scratch -> ! it holds nothing of this exercise
        two/a.ipynb; two/b.ipynb -> ! 2 notebooks for one assignment; keep one of them
        essay/a.pdf -> ! no notebook was handed in
        unknown/mine.ipynb = scratch -> ! it belongs to no assignment of the course
        binary/mine.ipynb = binary -> ! it is not a notebook
        pdf/perceptron.ipynb = pdf -> ! it is not a notebook
        blank/perceptron.ipynb = blank -> ! the file is empty
        large/perceptron.ipynb = large -> ! it is larger than 20 MB
        renamed.ipynb.txt -> ! no notebook was handed in
        tarred.tar.gz -> ! no notebook was handed in
        tie/mine.ipynb = both -> ! it belongs to no assignment of the course
        roster.csv
        Typed_1014_text.html -> ! has Canvas's form
    """,
    "nothing": "notes.txt = no zip",
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
        perceptron_7 8.ipynb -> perceptron_7 8
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
        A/ann/x.ipynb; A/bo/x.ipynb -> ! A by itself, if several students
        B/cy/x.ipynb -> B
    """,
    "an export in a folder": """
        all.zip/Ann_1_assignsubmission_file_/x.ipynb; all.zip/Bo_2_assignsubmission_file_/x.ipynb -> ! all.zip by itself
    """,
    "Canvas": """
        annlee_1012_text.html -> ! no notebook was handed in
        group7_1014_77001_x.ipynb -> group7 1014
        team_3_1015_77002_x.ipynb -> team_3 1015
        lee2jo_LATE_1016_77003_2_1_x.ipynb -> lee2jo 1016
        bo_1013_77005_work/perceptron.ipynb -> bo 1013
    """,
    "one with odd names among Canvas's": """
        annlee_1012_77001_x.ipynb -> annlee 1012
        bo_1013_77002_x.ipynb -> bo 1013
        eve_1014_77003_x.ipynb -> eve 1014
        eve_1014_77004_Ann_1_assignsubmission_file_a.pdf
        eve_1014_77005_Ann_2_assignsubmission_file_b.pdf
        eve_1014_77006_Ann_3_assignsubmission_file_c.pdf
        eve_1014_77007_Ann_4_assignsubmission_file_d.pdf
    """,
    "one with odd files among Moodle's": """
        Ann_1012_assignsubmission_file_x.ipynb -> Ann 1012
        Bo_1013_assignsubmission_file_x.ipynb -> Bo 1013
        Eve_1014_assignsubmission_file_x.ipynb -> Eve 1014
        Eve_1014_assignsubmission_file_bob_1013_77001_a.pdf
        Eve_1014_assignsubmission_file_bob_1013_77002_b.pdf
        Eve_1014_assignsubmission_file_bob_1013_77003_c.pdf
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
        submitted/cy/02-perceptron/perceptron.ipynb -> cy
        submitted/cy/02-perceptron/notes.ipynb = scratch -> ! it has no cell of the exercise
    """,
}


def planted(tree):
    """The files of a tree, and by what is listed of it what is expected."""
    files, expected = {}, {}
    for line in filter(None, map(str.strip, tree.splitlines())):
        names, _, said = line.partition(" -> ")
        names, _, content = names.partition(" = ")
        if said:
            expected[intake.printable(names)] = said
        for name in names.split("; "):
            *above, last = re.split(r"(?<=\.zip)/|(?<=\.ZIP)/", name)
            inside = files
            for part in above:
                inside = inside.setdefault(part, {})
            if last and not last.endswith("/") and not isinstance(inside.get(last), dict):
                default = LOSSES if "losses" in last else EXERCISE if last.endswith(".ipynb") else b""
                inside[last] = BYTES.get(content, default)
    return files, expected


def packed_up(files):
    return {name: inner_zip(packed_up(f)) if isinstance(f, dict) else f for name, f in files.items()}


# What has one folder around it, or needs none, where a zip has the folder in it that it was made of.
ALONE = "Windows", "nothing", "a topic and a date"
PACKED = [(tree, packed) for tree in TREES for packed in ("folder", "zip", "zip of the folder")
          if packed != "zip of the folder" or tree not in ALONE]


@pytest.mark.parametrize(("tree", "packed"), PACKED)
def test_nobody_gets_the_mark_of_another(tmp_path, tree, packed):
    files, expected = planted(TREES[tree])
    if packed == "folder":
        collected = folder(tmp_path / "week 2", packed_up(files))
    else:
        top = "week 2/" * (packed == "zip of the folder")
        collected = zipped(tmp_path / "week 2.zip", {top + name: data for name, data in packed_up(files).items()})
    found = collect(collected)
    assert found.layout
    if tree == "nothing":
        expected = {collected.name: "! it holds no notebook"}
    told = ("/", "\\") if tree == "Windows" else ("week 2/", "")
    seen = {s.file.replace(*told): s for s in found}
    assert len(seen) == len(found)
    assert seen.keys() == expected.keys()
    for file, said in expected.items():
        who, _, assignment = said.partition(" @")
        if said.startswith("! "):
            assert said[2:] in seen[file].problem
        else:
            assert f"{seen[file].student} {seen[file].id}".rstrip() == who
            assert seen[file].assignment == (assignment or ("03-losses" if "losses" in file else NAME))
            assert seen[file].problem == ""
            assert seen[file].read() in (EXERCISE, PLAIN, LOSSES, BYTES["sgd"], BYTES["utf16"])
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
    (only,) = collect(folder(tmp_path / "one", {"ann/hw/x.ipynb": EXERCISE, "ann/hw/y.ipynb": EXERCISE}))
    assert only.problem == "2 notebooks for one assignment; keep one of them"


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


def test_utf8_names_in_a_zip_that_does_not_say_so(tmp_path):
    name = "Zoë.ipynb"
    path = zipped(tmp_path / "a.zip", {"Zo??.ipynb": EXERCISE})
    path.write_bytes(path.read_bytes().replace(b"Zo??.ipynb", name.encode()))
    assert whose(collect(path)) == [("Zoë", NAME)]


def test_an_assignment_that_is_asked_for(tmp_path):
    found = collect(folder(tmp_path / "b", {"ann/x.ipynb": PLAIN, "bo/x.ipynb": LOSSES}), NAME)
    assert whose(found) == [("ann", NAME)]
    assert problems(found) == {"bo/x.ipynb": f"it holds 03-losses, but was handed in for {NAME}"}
    files = {f"ann/{NAME}/a.ipynb": EXERCISE, "ann/03-losses/b.ipynb": LOSSES, "bo/03-losses/b.ipynb": LOSSES}
    assert whose(collect(folder(tmp_path / "c", files), NAME)) == [("ann", NAME)]


def test_what_is_no_file_is_named_and_not_followed(tmp_path):
    root = folder(tmp_path / "a", {"ann/perceptron.ipynb": EXERCISE})
    (root / "empty").mkdir()
    (root / "link").mkdir()
    (root / "link" / "perceptron.ipynb").symlink_to(root / "ann" / "perceptron.ipynb")
    (root / "friend").symlink_to(root / "ann")
    os.mkfifo(root / "pipe.ipynb")
    found = collect(root)
    assert whose(found) == [("ann", NAME)]
    assert problems(found) == {"empty/": "no notebook was handed in", "link/perceptron.ipynb": "it is a symbolic link",
                               "friend/": "it is a symbolic link", "pipe.ipynb": "it is not a file"}


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


def test_names_without_end_take_no_time(tmp_path):
    """What grows faster than a name does not end here in the time of a test."""
    names = {f"ann/{letters * 65_000}.ipynb": EXERCISE for letters in (";", "a\u0301\u0316", "_1", "(1)", " ")}
    names = {name[:20_000] + name[-6:]: data for name, data in names.items()}
    found = collect(zipped(tmp_path / "in.zip", {"bo/x.ipynb": EXERCISE, **names}))
    assert whose(found) == [("bo", NAME)]
    too_long = "its name is longer than 255 letters, or its path than 1000"
    assert {s.problem for s in found if s.student == "ann"} == {too_long}
    assert max(len(s.file) for s in found) <= 1000
    tables.written(["a"], [[";" * 10**6], [" ;" * 10**6], ["a" + "\u0301\u0316" * 10**5]])
    assert intake.printable("a" + "\u0301\u0316" * 10**6).startswith("\xe1")


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


def test_what_is_encrypted_in_a_zip_is_named(tmp_path):
    path = zipped(tmp_path / "a.zip", {"ann/perceptron.ipynb": EXERCISE, "bo/perceptron.ipynb": EXERCISE})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag of the first file
    path.write_bytes(data)
    assert problems(collect(path)) == {"ann/perceptron.ipynb": "it is encrypted"}


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
