"""A class graded: from what an instructor collected to marks and feedback."""
