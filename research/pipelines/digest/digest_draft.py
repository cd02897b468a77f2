"""A digest before it is judged: its sentences with the quotes from posts on which they are based."""

from dataclasses import dataclass, field
from enum import StrEnum

from citations.anchoring import Span
from research.pipelines.digest.safety import Danger

MAX_HIGHLIGHTS = MAX_CAUTIONS = 5
RULES_VERSION = "digest.rules.v2"


class CautionKind(StrEnum):
    RISK = "risk"
    CONTRADICTION = "contradiction"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PostQuote:
    """A quote: text[span] of a post. `similarity` is that of a model's quote to these words."""

    post: str
    span: Span
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class DigestSentence:
    """A sentence of the digest. `people` counts those who say so, in any wording; up to three of them are quoted."""

    text: str
    places: tuple[PostQuote, ...]
    people: int = 1


@dataclass(frozen=True, slots=True)
class Caution:
    kind: CautionKind
    items: tuple[DigestSentence, ...]  # two for a contradiction: one side, then the other
    is_answer: bool = False  # the sides are the answers to the question, so that the summary begins with them
    is_experience: bool = False  # the sides report how it went for them, which contradicts nothing
    is_outdated: bool = False  # the second side says that the first was true once


@dataclass(frozen=True, slots=True)
class RemovedSentence:
    """The location of a sentence that may not be repeated. Its words are stored only in its source."""

    where: str
    danger: Danger


@dataclass(frozen=True, slots=True)
class DigestDraft:
    summary: tuple[DigestSentence, ...] = ()
    highlights: tuple[DigestSentence, ...] = ()
    cautions: tuple[Caution, ...] = ()
    removed: tuple[RemovedSentence, ...] = ()
    unfounded: tuple[str, ...] = ()  # messages about sources that do not exist or do not say so
    version: str = RULES_VERSION
    notes: tuple[str, ...] = field(default=())
