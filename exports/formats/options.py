"""Export options that the user chooses, and the progress callback and error of a writer."""

from collections.abc import Callable
from dataclasses import dataclass

from citations.styles import CitationStyle

Progress = Callable[[float], None]  # 0–1, never less than before


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """`language`: of the words that the file adds to the report's own: its headings, labels and notes."""

    citation_style: CitationStyle = CitationStyle.APA
    include_appendix: bool = True  # each quote with the words around it
    include_sources: bool = True  # the list of references
    include_raw_data: bool = False  # the run's configuration, its steps, the texts of its cited sources
    language: str = "en"


class CannotWrite(Exception):
    """A file cannot be made; str() is one sentence for the reader."""
