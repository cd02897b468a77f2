"""Code that a technical answer shows."""

from dataclasses import dataclass

from exports.document.sources import SourceEntry


@dataclass(frozen=True, slots=True)
class ExampleEntry:
    """Code as it stands in a source. `description`: what introduces it there, in the source's words."""

    code: str
    language: str  # empty where it could not be told
    description: str
    check: str  # of its syntax: passed, unchecked
    source: SourceEntry
