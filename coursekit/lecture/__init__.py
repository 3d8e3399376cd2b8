"""How the course is opened: where it lies, and in JupyterLab."""
