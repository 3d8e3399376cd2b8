"""How the course reaches people: in JupyterLab, in a lecture, as a web site."""
