"""What `import coursekit` adds to `import numpy`: python -m tests.benchmarks.import_time"""

import statistics
import subprocess
import sys

RUNS = 15
CODE = """
import time
begin = time.perf_counter(); import numpy
middle = time.perf_counter(); import coursekit
print(1000 * (middle - begin), 1000 * (time.perf_counter() - middle))
"""


def main() -> None:
    runs = [subprocess.check_output([sys.executable, "-c", CODE], text=True).split() for _ in range(RUNS)]
    numpy, coursekit = (statistics.median(map(float, column)) for column in zip(*runs, strict=True))
    print(f"import numpy {numpy:.0f} ms, then import coursekit {coursekit:.1f} ms (medians of {RUNS})")


if __name__ == "__main__":
    main()
