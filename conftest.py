"""For notebooks as for tests, before numpy is imported and in all processes that are started."""

import os

# What nbval runs is compared with what is stored, where nobody answers a prediction.
os.environ["COURSEKIT_FOLDED"] = "1"
# Two workers on two cores: more threads wait for each other, and took twice as long with small matrices.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
