"""Rechecks whether quotes are still in their sources. The report and its frozen texts stay unchanged."""
