"""Compares two runs of one question."""
