"""The course in a lecture hall: explorers and votes in the whole window."""
