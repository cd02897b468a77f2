"""Rechecks cited sources: are the quotes still there? The report and its frozen texts stay as they are."""
