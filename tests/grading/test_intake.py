"""Who handed in what: the notebooks of a class in folders and zips of every kind, whatever is in them."""

import io
import json
import os
import re
import stat
import tomllib
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit_grade import collected, intake, spreadsheets
from coursekit_grade.layout import LAYOUTS
from tests.grading.shared import COURSE, EXERCISE, NAME, folder, in_json, zipped

TREES = tomllib.loads(Path(__file__).with_name("trees.toml").read_text("utf-8"))
LOSSES = json.dumps(in_json("exercises/03-losses/losses.ipynb")).encode()
SCRATCH = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
PLAIN = json.dumps({"cells": [cell | {"metadata": {}} for cell in json.loads(EXERCISE)["cells"]]}).encode()
BYTES = {"scratch": SCRATCH, "plain": PLAIN, "losses": LOSSES, "pdf": b"%PDF-1.7", "blank": b" \n",
         "binary": b"\0\xff", "utf16": PLAIN.decode().encode("utf-16"),
         "sgd": b'{"cells": [{"source": ["def one_pass(X, y):\\n"]}]}',
         "both": b'{"cells": [{"grade_id": "update"}, {"grade_id": "slopes"}]}',
         "large": b" " * 21_000_000, "no zip": b"PK\x03\x04 no zip"}


def collect(path, assignment=None, layout=""):
    return intake.collect(path, COURSE.points, assignment, layout)


def inner_zip(files):
    return zipped(io.BytesIO(), files).getvalue()


def whose(found):
    return sorted((s.student, s.assignment) for s in found if not s.problem)


def problems(found):
    return {s.file: s.problem for s in found if s.problem}


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


HIDDEN = {"folders": {".DS_Store", "Bo/.ipynb_checkpoints", "Cy/.ipynb_checkpoints", "__MACOSX"},
          "zips": {"di/nothing.zip/.DS_Store"}}
# What has one folder around it, or needs none, where a zip has the folder in it that it was made of.
ALONE = "Windows", "nothing", "a topic and a date"
PACKED = [(tree, packed) for tree in TREES for packed in ("folder", "zip", "zip of the folder")
          if packed != "zip of the folder" or tree not in ALONE]


@pytest.mark.parametrize(("tree", "packed"), PACKED)
def test_nobody_gets_the_mark_of_another(tmp_path, tree, packed):
    files, expected = planted(TREES[tree])
    if packed == "folder":
        handed_in = folder(tmp_path / "week 2", packed_up(files))
    else:
        top = "week 2/" * (packed == "zip of the folder")
        handed_in = zipped(tmp_path / "week 2.zip", {top + name: data for name, data in packed_up(files).items()})
    found = collect(handed_in)
    assert found.layout
    assert {path.removeprefix("week 2/") for path in found.hidden} == HIDDEN.get(tree, set())
    if tree == "nothing":
        expected = {handed_in.name: "! it holds no notebook"}
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


def test_the_instructor_has_the_last_word_about_the_layout(tmp_path):
    """Each layout knows the names that fit it, and says of the rest why they do not. Two of four votes are not most."""
    names = ["Ann_1012_assignsubmission_file_x.ipynb", "bo_1013_77001_x.ipynb", "cy_1014_77002_x.ipynb", "Di/x.ipynb"]
    root = folder(tmp_path / "in", dict.fromkeys(names, EXERCISE))
    found = {said: collect(root, layout=said) for said in ("", *LAYOUTS)}
    assert {said: [who for who, _ in whose(f)] for said, f in found.items()} == {
        "": ["Di"], "moodle": ["Ann"], "canvas": ["bo", "cy"], "folders": ["Di"],
        "files": ["Ann_1012_assignsubmission_file_x", "bo_1013_77001_x", "cy_1014_77002_x"]}
    assert [found[said].layout for said in LAYOUTS] == [
        f"{text}, as --layout says" for text in ("Moodle's file and folder names", "Canvas's file and folder names",
                                                 "a folder for each student", "a file for each student")]
    assert {problem for said in ("moodle", "folders", "files") for problem in problems(found[said]).values()} == {
        f"{why}: graded for nobody" for why in (
            "its name does not have Moodle's form, as --layout says",
            "it is a file, and --layout says that each student has a folder",
            "it is a folder, and --layout says that each student has a file")}


def test_a_folder_of_several_students_is_suspected(tmp_path):
    exports = {f"CS 101/{name}_assignsubmission_file_/x.ipynb": EXERCISE for name in ("Ann_1012", "Bo_1013")}
    (only,) = collect(zipped(tmp_path / "week 2.zip", exports))
    assert "(or grade CS 101 by itself" in only.problem
    (only,) = collect(folder(tmp_path / "in", {f"Ann/final/{name}.ipynb": EXERCISE for name in "ab"}))
    assert only.problem == "2 notebooks for one assignment; keep one of them"


@pytest.mark.parametrize("files", [
    {"ann/a/perceptron.ipynb": EXERCISE, "ann/a/helpers.py": b"a = 1", "ann/other.py": b"", "helpers.py": b"0"},
    {"ann.zip": inner_zip({"perceptron.ipynb": EXERCISE, "helpers (1).py": b"a = 1", "my-own.py": b"",
                           "x-1/y.py": b"", "a/b/c/d/e.py": b""})},
    {"ann_101_7701_x.ipynb": EXERCISE, "ann_101_7702_helpers-2.py": b"a = 1", "bo_103_7703_other.py": b"0"},
    {"ann/helpers.py": b"a = 1", "ann/helpers-1.py": b"", "ann/x.ipynb": EXERCISE},
    {"Ann_1_assignsubmission_file_x.ipynb": EXERCISE, "Ann_1_assignsubmission_file_helpers.py": b"a = 1",
     "Bo_2_assignsubmission_file_other.py": b"0"},
], ids=["folder", "zip", "Canvas", "copy", "Moodle"])
def test_modules_that_lie_beside_the_notebook_come_with_it(tmp_path, files):
    (ann,) = (s for s in collect(folder(tmp_path / "in", files)) if not s.problem)
    assert ann.beside() == {"helpers.py": b"a = 1"}
    assert ann.digest == intake.digest(EXERCISE, {"helpers.py": b"a = 1"})
    digests = {intake.digest(EXERCISE, beside) for beside in ({}, {"a.py": b""}, {"a.py": b"1"}, {"b.py": b"1"})}
    assert len({ann.digest, *digests}) == 5


def test_packages_come_with_the_notebook_as_long_as_there_is_room(tmp_path):
    files = {"ann/x.ipynb": EXERCISE, "ann/own/a.py": b"1", "ann/own/b/c-1.py": b"2", "ann/d.py": b"3"}
    large = {f"bo/own/m{k}.py": b"" for k in range(30)} | {"bo/d.py": b"3", "bo/x.ipynb": EXERCISE}
    whole = {"cy/own/a.py": b"#" * (1 << 20), "cy/d.py": b"3", "cy/x.ipynb": EXERCISE}
    ann, bo, cy = collect(folder(tmp_path / "in", files | large | whole))
    assert ann.beside() == {"own/a.py": b"1", "own/b/c.py": b"2", "d.py": b"3"}
    assert (len(bo.beside()), cy.beside()) == (20, {"d.py": b"3"})


def test_an_assignment_that_is_asked_for(tmp_path):
    found = collect(folder(tmp_path / "b", {"ann/x.ipynb": PLAIN, "bo/x.ipynb": LOSSES}), NAME)
    assert whose(found) == [("ann", NAME)]
    assert problems(found) == {"bo/x.ipynb": f"it holds 03-losses, but was handed in for {NAME}"}
    files = {f"ann/{NAME}/a.ipynb": EXERCISE, "ann/03-losses/b.ipynb": LOSSES, "bo/03-losses/b.ipynb": LOSSES}
    assert whose(collect(folder(tmp_path / "c", files), NAME)) == [("ann", NAME)]


def test_what_cannot_be_read_in_a_folder_is_named_and_stops_nobody(tmp_path, monkeypatch):
    """Rights of files mean nothing to root, as whom tests may run."""
    files = ("ann/perceptron.ipynb", "bob/perceptron.ipynb", "cyd/helpers.py", "cyd/perceptron.ipynb", "dan/x.ipynb")
    root = folder(tmp_path / "in", dict.fromkeys(files, EXERCISE))
    for name in ("empty", "link"):
        (root / name).mkdir()
    (root / "link" / "perceptron.ipynb").symlink_to(root / "ann" / "perceptron.ipynb")
    (root / "friend").symlink_to(root / "ann")
    os.mkfifo(root / "pipe.ipynb")
    locked = {str(root / name) for name in ("bob/perceptron.ipynb", "cyd/helpers.py", "dan")}

    def fails(path):
        raise PermissionError(13, "Permission denied", str(path))

    def refuse(function):
        return lambda path, *more: fails(path) if str(path) in locked else function(path, *more)

    monkeypatch.setattr(collected, "open", refuse(open), raising=False)
    monkeypatch.setattr(os, "scandir", refuse(os.scandir))
    found = collect(root)
    assert whose(found) == [("ann", NAME)]
    assert problems(found) == {
        "bob/perceptron.ipynb": "Permission denied", "cyd/perceptron.ipynb": "helpers.py beside it: Permission denied",
        "dan/": "Permission denied", "empty/": "no notebook was handed in", "friend/": "it is a symbolic link",
        "link/perceptron.ipynb": "it is a symbolic link", "pipe.ipynb": "it is not a file",
    }


def test_what_cannot_be_read_in_a_zip_is_named_and_stops_nobody(tmp_path):
    """Bombs, links, ways out, and what is damaged, encrypted or larger than the list of files says."""
    zeros = b"0" * (30 << 20)
    outside = "../bo.ipynb", "ann/../../bo.ipynb", "/tmp/bo.ipynb", "C:\\x.ipynb", "..\\y.ipynb", "../bo.txt"
    link = zipfile.ZipInfo("link/perceptron.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    files = dict.fromkeys(("Zo??.ipynb", "damaged/x.ipynb", "encrypted/x.ipynb", *outside), EXERCISE)
    files |= {"large/x.ipynb": zeros, "zip/work.zip": inner_zip({"x.ipynb": zeros}), link: b"/etc/passwd",
              "zips/work.zip": inner_zip({f"{k}.zip": b"" for k in range(2)}), "understated/x.ipynb": zeros}
    path = zipped(tmp_path / "a.zip", files)
    data = bytearray(path.read_bytes().replace(b"Zo??.ipynb", "Zoë.ipynb".encode()))  # UTF-8, which it does not say
    data[data.index(b"damaged/x.ipynb") + 60] ^= 0xFF  # in its compressed bytes
    data[data.rindex(b"encrypted/x.ipynb") - 38] |= 1  # its flag in the list of files
    size = data.rindex(b"understated/x.ipynb") - 22
    data[size : size + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(data)
    found = collect(path)
    assert whose(found) == [("Zoë", NAME)]
    said = problems(found)
    assert [said.pop(name.replace("\\", "/")) for name in outside] == ["its path leads out of the zip"] * len(outside)
    assert {file: problem.partition(":")[0] for file, problem in said.items()} == {
        "damaged/x.ipynb": "it cannot be read from the zip", "understated/x.ipynb": "it cannot be read from the zip",
        "encrypted/x.ipynb": "it is encrypted", "link/perceptron.ipynb": "it is a symbolic link",
        "large/x.ipynb": "it is larger than 20 MB",
        "zip/work.zip": "more than 20 MB of notebooks and zips, too much for one student",
        "zips/work.zip/0.zip": "it cannot be read as a zip", "zips/work.zip/1.zip": "it cannot be read as a zip",
    }
    assert os.listdir(tmp_path) == ["a.zip"]


def test_names_without_end_take_no_time(tmp_path):
    """What grows faster than a name does not end here in the time of a test."""
    names = {f"ann/{letters * 65_000}.ipynb": EXERCISE for letters in (";", "a\u0301\u0316", "_1", "(1)", " ")}
    names = {name[:20_000] + name[-6:]: data for name, data in names.items()}
    found = collect(zipped(tmp_path / "in.zip", {"bo/x.ipynb": EXERCISE, **names}))
    assert whose(found) == [("bo", NAME)]
    too_long = "its name is longer than 255 letters, or its path than 1000"
    assert {s.problem for s in found if s.student == "ann"} == {too_long}
    assert max(len(s.file) for s in found) <= 1000
    spreadsheets.written(["a"], [[";" * 10**6], [" ;" * 10**6], ["a" + "\u0301\u0316" * 10**5]])
    (large,) = collect(zipped(tmp_path / "large.zip", {"x/perceptron.ipynb": b'{"' + b"def import " * 180_000 + b'"}'}))
    assert large.problem == intake.NOTHING
    assert intake.printable("a" + "\u0301\u0316" * 500_000).startswith("\xe1")


def test_modules_are_not_looked_at_again_for_each_notebook(tmp_path, monkeypatch):
    looked, parts_of = [], intake.parts_of
    monkeypatch.setattr(intake, "parts_of", lambda path: looked.append(path) or parts_of(path))
    files = {f"{k}.ipynb": EXERCISE for k in range(50)} | {"d/" * 200 + f"m{k}.py": b"" for k in range(200)}
    (zoe,) = collect(zipped(tmp_path / "deep.zip", {f"zoe/{name}": data for name, data in files.items()}))
    assert zoe.problem.startswith("50 notebooks for one assignment")
    assert len(looked) < 8 * len(files)


LARGE = {f"{k}.zip": one for one in [{"x.ipynb": b" " * 9_000_000}] for k in range(12)}


@pytest.mark.parametrize(("files", "why"), [
    (LARGE, "more than 20 MB of"), (LARGE, "more than 100 MB"),
    ({f"{k}.zip": dict.fromkeys(map(str, range(1200)), b"") for k in range(9)}, "more than 10000 files"),
    (dict.fromkeys(map(str, range(10_001)), b""), "more than 10000 files"),
    ({f"{k}.ipynb": SCRATCH for k in range(101)}, "more than 100 notebooks"),
    ({"a.zip": {f"{k}.zip": b"" for k in range(101)}}, "more than 100 notebooks or broken files"),
    ({"a.zip": {"b.zip": {"x.ipynb": EXERCISE}}}, "a zip in a zip in a zip is not opened"),
    ({"x.ipynb": EXERCISE, "x.py": b"#" * (1 << 20) + b"#"}, "x.py beside it: it is larger than 1 MB"),
    ({"x.ipynb": EXERCISE, "x.py": b"#" * (1 << 19), "y.py": b"#" * (1 << 20)}, "larger than 1 MB"),
    ({"x.ipynb": EXERCISE, **{f"m{k}.py": b"" for k in range(21)}}, "more than 20 modules lie beside it"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_the_zip_of_a_student_cannot_use_up_the_class(tmp_path, files, why, monkeypatch):
    monkeypatch.setattr(collected, "PACKED", 10**6 if "100 MB" in why else collected.PACKED)
    whole = packed_up({"bo.zip": files, "cy.zip": {"perceptron.ipynb": EXERCISE}})
    found = collect(zipped(tmp_path / "in.zip", whole))
    assert whose(found) == [("cy", NAME)]
    (bo,) = (s for s in found if s.problem)
    assert bo.student == "bo"
    assert why in bo.problem


@given(st.binary(max_size=300))
def test_bytes_that_are_no_zip(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.zip"
    path.write_bytes(b"PK\x05\x06" + data)
    (only,) = collect(path)
    assert only.problem
