"""How the course is opened: in JupyterLab by one who learns, in the whole window by one who lectures."""
