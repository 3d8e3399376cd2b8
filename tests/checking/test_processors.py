"""What a student is told, and what `coursekit release` writes, hangs on no last bit: other processors round otherwise.

OpenBLAS has a kernel for each kind of processor, and numpy several loops; a processor runs those of older ones, too.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

umath = (np._core if hasattr(np, "_core") else np.core)._multiarray_umath
ROOT = Path(__file__).parents[2]
FEATURES = [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]
NEEDS = {"Nehalem": "SSE42", "Haswell": "AVX2", "SkylakeX": "AVX512_SKX"}
OWN = "its own"  # where numpy has no OpenBLAS, or the processor none of these: stored numbers are of another one there
OPENBLAS = any(part["internal_api"] == "openblas" for part in threadpool_info())
KERNELS = [kernel for kernel, need in NEEDS.items() if OPENBLAS and umath.__cpu_features__.get(need)] or [OWN]
SCRIPT = """
import json, sys
from pathlib import Path
from threadpoolctl import threadpool_info
import numpy as np
from coursekit.checking import checks, wire
from coursekit.checking.judge import judged
from coursekit.grading.course import DRAWS, assignments

def written(case):
    return json.dumps([wire.encode(a.item() if isinstance(a, np.generic) else a) for a in case])

print(*{part["architecture"] for part in threadpool_info() if part["internal_api"] == "openblas"})
for home in assignments(Path(sys.argv[1])):
    stored = checks.read(Path(sys.argv[1]) / "exercises" / home.name / checks.FILE)
    for name, exercise in home.exercises.items():
        task, accuracy = stored[name], exercise.told.accuracy
        seeds = range(1 if accuracy else DRAWS)
        drawn = [case for seed in seeds for case in exercise.draw(np.random.default_rng(seed))]
        drawn = {written(case[0] if accuracy else case) for case in drawn}
        if not drawn.issuperset(map(written, task.cases)):
            print(name, "draws other cases")
        again = exercise.task(list(zip(task.cases, task.right)) if accuracy else list(task.cases))
        if checks.dumps([again]) != checks.dumps([task]):
            print(name, "stores other numbers")
        for *edits, told in [(exercise.right, ""), *exercise.told.mistakes]:
            said = judged(task, exercise.returned(edits, task.cases)).sentence
            if said != told:
                print(name, [told, said])
"""


def environment(kernel):
    """Of a process whose OpenBLAS runs this kernel; with that of the oldest, numpy's loops do without SIMD, too."""
    if kernel == OWN:
        return {**os.environ, "PYTHONPATH": str(ROOT)}
    old = {"NPY_DISABLE_CPU_FEATURES": " ".join(FEATURES)} if kernel == "Nehalem" else {}
    return {**os.environ, **old, "OPENBLAS_CORETYPE": kernel, "PYTHONPATH": str(ROOT)}


@pytest.mark.slow(keep=1)
@pytest.mark.parametrize("kernel", KERNELS)
def test_cases_answers_and_sentences_are_those_of_any_processor(kernel):
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(ROOT)], env=environment(kernel), capture_output=True,
                          text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    ran, *faults = done.stdout.splitlines()
    assert kernel in (ran, OWN)
    assert faults == []
