"""The explorers of the chapters, one file each, and what one of them alone computes."""
