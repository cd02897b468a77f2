"""Briefs: the result of a finished Parallel.ai task as a few claims, each citing an excerpt."""
