"""What a student is told, and what `coursekit release` writes, hangs on no last bit: other processors round otherwise.

OpenBLAS has a kernel for each kind of processor, and numpy several loops; a processor runs those of older ones, too.
"""

import os
import re
import subprocess
import sys
from glob import glob
from unittest import mock

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from coursekit_grade.exercise import Answered
from tests.checking.judging import EXERCISES, ROOT

umath = (np._core if hasattr(np, "_core") else np.core)._multiarray_umath
FEATURES = [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]
NEEDS = {"Nehalem": "SSE42", "Haswell": "AVX2", "SkylakeX": "AVX512_SKX"}
OWN = "its own"  # where numpy has no OpenBLAS, or the processor none of these: stored numbers are of another one there
HERE = {part.get("architecture") for part in threadpool_info() if part["internal_api"] == "openblas"}
KERNELS = [kernel for kernel, need in NEEDS.items() if HERE and umath.__cpu_features__.get(need)] or [OWN]
# What is solved, or goes many steps: these have differed, or would first.
DELICATE = [
    "defeat", "mail_filter", "walk", "gradients", "early_stop", "kink_search", "starts", "move_border", "read_path",
    "cross_validate", "forward_search", "decoy", "few_words", "copies", "honest_error", "descent", "stakes", "lever",
    "two_stakes", "one_vs_rest", "one_vs_one", "stacked", "softmax", "standardize", "study",
]
SCRIPT = """
import sys
from pathlib import Path
from threadpoolctl import threadpool_info
from coursekit.checking import checks
from coursekit.checking.judge import judge
from coursekit_grade.release import public
from coursekit_grade.solutions import assignments
from coursekit_grade.written import dumps

root, drawn, names = Path(sys.argv[1]), sys.argv[2] == "drawn", sys.argv[3:]
print(*{part["architecture"] for part in threadpool_info() if part["internal_api"] == "openblas"})
for home in assignments(root):
    stored = checks.read(root / "exercises" / home.name / checks.FILE)
    for name, exercise in home.exercises.items():
        if names and name not in names:
            continue
        task, known = stored[name], []
        if exercise.spec.accuracy:
            made = exercise.judged_by_accuracy(list(zip(task.cases, task.right)))  # fails where a sentence is another
        else:
            known = exercise.answered(task.cases)
            made = exercise.task_of(known)
        for one in (made, public(exercise)) if drawn else (made,):
            if dumps([one]) != dumps([task]):
                print(name, "stores other cases or numbers")
        sentences = ["", *(said for *_, said in exercise.spec.mistakes)]
        for told, answers in zip(sentences, zip(*((one.right, *one.wrong) for one in known))):
            said = judge(task, list(answers)).sentence
            if said != told:
                print(name, [told, said])
"""


def environment(kernel):
    """Of a process whose OpenBLAS and numpy run what such a processor runs."""
    if kernel == OWN:
        return {**os.environ, "PYTHONPATH": str(ROOT)}
    newer = [feature for feature in FEATURES if kernel == "Nehalem" or re.search("AVX512|V4", feature)]
    without = {"NPY_DISABLE_CPU_FEATURES": " ".join(newer)} if newer and kernel != "SkylakeX" else {}
    return {**os.environ, **without, "OPENBLAS_CORETYPE": kernel, "PYTHONPATH": str(ROOT)}


def lines(kernel, *arguments):
    done = subprocess.run([sys.executable, *arguments], env=environment(kernel), capture_output=True, text=True,
                          cwd=ROOT, timeout=800)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow(keep=1)
@pytest.mark.parametrize("kernel", KERNELS)
def test_cases_answers_and_sentences_are_those_of_any_processor(kernel, request):
    """With --all those of all tasks, and the oldest draws the cases, too, as `coursekit release` does."""
    every = request.config.getoption("--all")
    again = "drawn" if every and kernel == KERNELS[0] else "answered"
    ran, *faults = lines(kernel, "-c", SCRIPT, ROOT, again, *([] if every else DELICATE))
    assert kernel in (ran, OWN)
    assert faults == []


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [kernel for kernel in KERNELS if kernel not in HERE])
def test_stored_outputs_hold_on_any_processor(kernel):
    """Two hundred steps that had not arrived ended elsewhere on each kind. Here they are run with all other tests."""
    notebooks = glob("notebooks/*.ipynb", root_dir=ROOT) + glob("solutions/*/*.ipynb", root_dir=ROOT)
    lines(kernel, "-m", "pytest", "-o", "addopts=--import-mode=importlib -n 2 --dist loadfile", "--nbval",
          "--nbval-sanitize-with", "tests/nbval.cfg", "-p", "no:cacheprovider", "-p", "tests.one_kernel", *notebooks)


def test_what_is_solved_from_whole_numbers_hangs_on_a_last_bit():
    """Moved examples made a slope of exactly 0 on one kind of processor alone: checks.json had other cases there."""
    exercise, matrix = EXERCISES["product"], np.array([[2.0, 1], [1, 1]])
    solved, multiplied = (lambda *_: np.linalg.solve(matrix, [1.0, 1])[0]), (lambda *_: (matrix @ [1.0, -1])[1])
    for right, stays in ((solved, False), (multiplied, True)):
        with mock.patch.object(exercise, "right", lambda *case, right=right: np.sign(right(*case))):
            assert exercise.off_edges([Answered((3.0, 4.0, 5.0), 0.0, (), ())]) == [stays]
