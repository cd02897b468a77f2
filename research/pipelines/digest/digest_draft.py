"""A digest before it is judged: its sentences with the words of the posts that they stand on."""

from dataclasses import dataclass, field
from enum import StrEnum

from citations.anchoring import Span
from research.pipelines.digest.safety import Danger

MOST_HIGHLIGHTS = MOST_CAUTIONS = 5
RULES_VERSION = "digest.rules.v2"


class CautionKind(StrEnum):
    RISK = "risk"
    CONTRADICTION = "contradiction"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PostQuote:
    """text[span] of a post. `similarity` is that of a model's quote to these words."""

    post: str
    span: Span
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class DigestSentence:
    """A sentence of the digest. `people` say so in one wording or another; the places quote up to three of them."""

    text: str
    places: tuple[PostQuote, ...]
    people: int = 1


@dataclass(frozen=True, slots=True)
class Caution:
    kind: CautionKind
    items: tuple[DigestSentence, ...]  # of a contradiction two: one side, then the other


@dataclass(frozen=True, slots=True)
class RemovedSentence:
    """A sentence that may not be repeated, by its place. Its words are kept nowhere but in its source."""

    where: str
    danger: Danger


@dataclass(frozen=True, slots=True)
class DigestDraft:
    summary: tuple[DigestSentence, ...] = ()
    highlights: tuple[DigestSentence, ...] = ()
    cautions: tuple[Caution, ...] = ()
    removed: tuple[RemovedSentence, ...] = ()
    unfounded: tuple[str, ...] = ()  # sources that were named and do not exist, or do not say so; in words
    version: str = RULES_VERSION
    notes: tuple[str, ...] = field(default=())
