"""Storage format of a deck: its slides with each version, their evidence only once.

The dataclasses of `slides.deck` are the schema: pydantic validates each row that is written, and builds the frozen
value from each row that is read.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache

from pydantic import TypeAdapter

from slides.deck import DeckClaim, DeckContent, DeckSource, Slide
from slides.theming.deck_themes import Theme


@dataclass(frozen=True, slots=True)
class DeckEvidence:
    """The sources and claims that the slides of all versions of a deck refer to."""

    sources: tuple[DeckSource, ...] = ()
    claims: tuple[DeckClaim, ...] = ()
    language: str = "en"
    report_url: str = ""


StoredSlides = tuple[Slide, ...]


@cache
def _slides() -> TypeAdapter[tuple[Slide, ...]]:
    return TypeAdapter(StoredSlides)


@cache
def _evidence() -> TypeAdapter[DeckEvidence]:
    return TypeAdapter(DeckEvidence)


@cache
def _theme() -> TypeAdapter[Theme]:
    return TypeAdapter(Theme)


def theme_of(stored: object) -> Theme:
    """Return the theme of a row. Raises pydantic's ValidationError if it is malformed."""
    return _theme().validate_python(stored)


def slides_of(stored: object) -> tuple[Slide, ...]:
    """Return the slides of a row. Raises pydantic's ValidationError if it is malformed."""
    return _slides().validate_python(stored)


def deck_of(title: str, slides: object, evidence: object) -> DeckContent:
    """Return the deck that is stored in these values. Raises pydantic's ValidationError if they are malformed."""
    behind = _evidence().validate_python(evidence)
    return DeckContent(
        title, slides_of(slides), behind.sources, behind.claims, behind.language, behind.report_url
    )


def evidence_of(deck: DeckContent) -> DeckEvidence:
    return DeckEvidence(deck.sources, deck.claims, deck.language, deck.report_url)


def plain(value: Theme | DeckEvidence) -> dict[str, object]:
    """Return the value as JSON for a row."""
    return asdict(value)


def renumber_slides(slides: Sequence[Slide]) -> tuple[Slide, ...]:
    """Number the slides from 1, in this order."""
    return tuple(replace(slide, number=number) for number, slide in enumerate(slides, start=1))
