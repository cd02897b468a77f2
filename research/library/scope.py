"""Which part of the library is meant."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents may be searched. Empty fields do not restrict; dates are ISO 8601, as precise as wished."""

    folders: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    published_from: str = ""
    published_to: str = ""
    run: UUID | None = None  # the documents of this run's sources alone, web pages among them
