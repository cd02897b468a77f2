"""Retention periods, and the deletion of a finished run with all that depends on it."""
