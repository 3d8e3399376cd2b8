"""The explorers, a file for each chapter."""
