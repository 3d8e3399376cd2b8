"""What each explorer of a chapter shows, computed and put into words; no widgets."""
