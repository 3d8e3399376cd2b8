"""The pictures of the chapters, a file for each: every function draws into the axes that it is given."""
