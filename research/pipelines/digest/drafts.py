"""A digest before it is judged: its sentences with the words of the posts that they stand on."""

from dataclasses import dataclass, field
from enum import StrEnum

from citations.anchoring import Span
from research.pipelines.digest.safety import Danger

MOST_HIGHLIGHTS = MOST_CAUTIONS = 5
RULES_VERSION = "digest.rules.v1"


class CautionKind(StrEnum):
    RISK = "risk"
    CONTRADICTION = "contradiction"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Quoted:
    """text[span] of a post. `similarity` is that of a model's quote to these words."""

    post: str
    span: Span
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence of the digest."""

    text: str
    places: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class Caution:
    kind: CautionKind
    items: tuple[Item, ...]  # two of a contradiction: one side, then the other


@dataclass(frozen=True, slots=True)
class Removed:
    """A sentence that may not be repeated, by where it stands. Its words are kept nowhere but in its source."""

    where: str
    danger: Danger


@dataclass(frozen=True, slots=True)
class Draft:
    summary: tuple[Item, ...] = ()
    highlights: tuple[Item, ...] = ()
    cautions: tuple[Caution, ...] = ()
    removed: tuple[Removed, ...] = ()
    unfounded: tuple[str, ...] = ()  # sources that were named and do not exist, or do not say so; in words
    version: str = RULES_VERSION
    notes: tuple[str, ...] = field(default=())
