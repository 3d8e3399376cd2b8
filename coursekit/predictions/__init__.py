"""`ck.predict`: the questions of the chapters, a text file each, and how they are asked."""
