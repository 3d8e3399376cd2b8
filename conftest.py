"""For notebooks as for tests: what nbval runs is compared with what is stored, where nobody answers a prediction."""

import os

os.environ["COURSEKIT_FOLDED"] = "1"
