"""Which passages of a section stand on its few slides: the best supported, in the report's order. Pure."""

from collections.abc import Mapping, Sequence

from exports.document import ClaimEntry
from slides.deck import Layout, Passage, Slide
from slides.fitting.budgets import BULLETS, CONTENT
from slides.fitting.measuring import load
from slides.fitting.packing import pack
from slides.outline.passages import as_bullet

_STRENGTHS = ("limited", "moderate", "strong")


def slides_of(
    title: str, passages: Sequence[Passage], most: int, claims: Mapping[int, ClaimEntry]
) -> list[Slide]:
    """At most so many slides of bullets or text; what has the weakest evidence finds no room."""
    kept = list(passages)
    slides = _laid_out(title, kept)
    while len(slides) > most and len(kept) > 1:
        kept.remove(min(kept, key=lambda one: _worth(one, claims)))
        slides = _laid_out(title, kept)
    return slides


def _laid_out(title: str, passages: Sequence[Passage]) -> list[Slide]:
    """Bullets where all are short enough, else paragraphs."""
    short = [as_bullet(one) for one in passages]
    is_short = all(load(one.text) <= BULLETS.words_each for one in short)
    layout, budget = (Layout.BULLETS, BULLETS) if is_short else (Layout.CONTENT, CONTENT)
    pages = pack(short if is_short else passages, budget)
    parts = [(index, len(pages)) if len(pages) > 1 else None for index in range(1, len(pages) + 1)]
    return [
        Slide(0, title, layout, passages=page, part=part) for page, part in zip(pages, parts, strict=True)
    ]


def _worth(passage: Passage, claims: Mapping[int, ClaimEntry]) -> tuple[int, float, int]:
    claim = claims.get(passage.claim or 0)
    if claim is None:
        return -1, 0.0, 0
    return _STRENGTHS.index(claim.strength), claim.confidence or 0.0, -claim.number
