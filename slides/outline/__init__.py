"""Builds a deck from a run's document by rules: statements are worded as in the report and keep their sources."""

from slides.outline.deck_outline import OutlineOptions, outline_deck

__all__ = ["OutlineOptions", "outline_deck"]
