"""Export options that users choose, and the progress callback and the error of writers."""

from collections.abc import Callable
from dataclasses import dataclass

from citations.citation_styles import CitationStyle

Progress = Callable[[float], None]  # 0–1, never decreasing


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The options of an export. `language` applies to the headings, labels and notes that the file adds."""

    citation_style: CitationStyle = CitationStyle.APA
    include_appendix: bool = True  # context of each quote
    include_sources: bool = True  # the list of references
    include_raw_data: bool = False  # the run's configuration, its steps, the texts of its cited sources
    language: str = "en"


class CannotWrite(Exception):
    """Raised when the file cannot be written; str() is one sentence for the reader."""
