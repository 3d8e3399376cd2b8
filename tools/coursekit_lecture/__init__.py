"""The course is opened: by students in JupyterLab, in a hall as explorers and votes in the whole window."""
