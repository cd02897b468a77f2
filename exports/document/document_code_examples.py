"""A code example of a technical answer."""

from dataclasses import dataclass

from exports.document.document_sources import SourceEntry


@dataclass(frozen=True, slots=True)
class ExampleEntry:
    """Code as it is in a source. `description` are the source's own words that introduce it."""

    code: str
    language: str  # empty if unknown
    description: str
    check: str  # result of the syntax check: passed, unchecked
    source: SourceEntry
