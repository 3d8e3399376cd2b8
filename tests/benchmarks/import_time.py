"""What `import coursekit` adds to `import numpy`: python -m tests.benchmarks.import_time"""

import subprocess
import sys

import numpy as np

RUNS = 15
CODE = """
import time
begin = time.perf_counter(); import numpy
middle = time.perf_counter(); import coursekit
print(1000 * (middle - begin), 1000 * (time.perf_counter() - middle))
"""

if __name__ == "__main__":
    runs = [subprocess.check_output([sys.executable, "-c", CODE], text=True).split() for _ in range(RUNS)]
    numpy, coursekit = np.median(np.array(runs, float), axis=0)
    print(f"import numpy {numpy:.0f} ms, then import coursekit {coursekit:.1f} ms (medians of {RUNS})")
