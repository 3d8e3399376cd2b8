"""Solvers: (data or objective) -> Trace, Path or Solution. They need numpy alone and draw nothing."""
