"""The explorers of the chapters, one file each."""
