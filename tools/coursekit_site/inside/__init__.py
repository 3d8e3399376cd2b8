"""What runs in a page: explorers and cells without Jupyter."""
