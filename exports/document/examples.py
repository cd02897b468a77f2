"""A code example of a technical answer."""

from dataclasses import dataclass

from exports.document.sources import SourceEntry


@dataclass(frozen=True, slots=True)
class ExampleEntry:
    """Code as it stands in a source. `description`: the source's own words that introduce it."""

    code: str
    language: str  # empty: unknown
    description: str
    check: str  # of the syntax check: passed, unchecked
    source: SourceEntry
