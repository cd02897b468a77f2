"""Builds a deck from a run's document, by rules: statements stay as the report has them, with their sources."""

from slides.outline.outlining import OutlineOptions, outline_deck

__all__ = ["OutlineOptions", "outline_deck"]
