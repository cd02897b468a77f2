"""Briefs that a model writes, over the real lifecycle."""
