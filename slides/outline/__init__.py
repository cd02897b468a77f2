"""From a run's document to a deck, by rules: what is said stays as the report says it, with its sources."""

from slides.outline.outlining import OutlineOptions, outline_deck

__all__ = ["OutlineOptions", "outline_deck"]
