"""The parts of a claim, and what a passage has for each: the vocabulary of alignment."""

from dataclasses import dataclass
from enum import StrEnum

from citations.text.quote_span import Span


class PartKind(StrEnum):
    WORD = "word"
    NAME = "name"
    QUANTITY = "quantity"
    TIME = "time"
    POLARITY = "polarity"


class PartState(StrEnum):
    MATCHED = "matched"
    MISSING = "missing"
    CONFLICTING = "conflicting"


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A part of a claim (`span` in the claim's text) with the passage's words for it ("" for none).

    `source_span` is their place in the passage, if they have one place.
    """

    span: Span
    text: str
    kind: PartKind
    state: PartState
    source: str = ""
    source_span: Span | None = None


@dataclass(frozen=True, slots=True)
class MatchedWords:
    """Words of the passage, with their place if they have one."""

    text: str
    span: Span | None = None


def shift_span(span: Span, by: int) -> Span:
    """Return the span in a text that begins `by` characters earlier."""
    return Span(span.start + by, span.end + by)


def build_matched_part(span: Span, text: str, kind: PartKind, found: MatchedWords) -> ClaimPart:
    return ClaimPart(span, text, kind, PartState.MATCHED, found.text, found.span)


def build_conflicting_part(span: Span, text: str, kind: PartKind, found: MatchedWords) -> ClaimPart:
    return ClaimPart(span, text, kind, PartState.CONFLICTING, found.text, found.span)


def build_missing_part(span: Span, text: str, kind: PartKind) -> ClaimPart:
    return ClaimPart(span, text, kind, PartState.MISSING)


def classify_part(
    span: Span, text: str, kind: PartKind, same: MatchedWords | None, other: MatchedWords | None
) -> ClaimPart:
    """Return a part that is matched if the passage has the same, in conflict if it has another, else missing."""
    if same is not None:
        return build_matched_part(span, text, kind, same)
    return (
        build_missing_part(span, text, kind)
        if other is None
        else build_conflicting_part(span, text, kind, other)
    )
