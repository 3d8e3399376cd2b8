"""Exercises that teach: how an answer is tried and judged, on this machine alone. `coursekit.grading` is its door."""
