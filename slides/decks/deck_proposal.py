"""A model's proposal for a deck, and the deck built from it. Pure.

The model says which claims go on which slide, under which title; the slides then show the claims' own text. A
proposal that names a claim number that is not in the report is rejected as a whole; a title or note with a figure
that its claims lack is left out.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from slides.deck import DeckClaim, DeckContent, Layout, Slide, SlidePassage
from slides.fitting import fit
from slides.outline.deck_outline import with_sources

MAX_SLIDES, MAX_CLAIMS = 40, 8
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


class ProposedSlide(BaseModel):
    """One slide. `claims`: numbers of the report's claims."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=200)]
    claims: Annotated[list[int], Field(min_length=1, max_length=MAX_CLAIMS)]
    notes: Annotated[str, Field(max_length=1500)]
    visual: Annotated[str, Field(max_length=300)]


class Proposal(BaseModel):
    """The slides between the title and those that rules add."""

    model_config = ConfigDict(extra="forbid")

    slides: Annotated[list[ProposedSlide], Field(min_length=1, max_length=MAX_SLIDES)]


class UnknownClaims(ValueError):
    """Raised when a proposal names claims that are not in the report."""

    def __init__(self, numbers: Collection[int]) -> None:
        super().__init__(", ".join(map(str, sorted(numbers))))


def apply_proposal(by_rules: DeckContent, proposal: Proposal) -> DeckContent:
    """Replace the slides of claims in the rule-based deck by the proposed ones. Raises UnknownClaims."""
    claims = by_rules.claim_of
    unknown = {number for slide in proposal.slides for number in slide.claims} - set(claims)
    if unknown:
        raise UnknownClaims(unknown)
    titles = _titles(by_rules)
    sources = {passage.claim or 0: passage.sources for slide in by_rules.slides for passage in slide.passages}
    proposed = [
        _slide(wanted, claims, sources, titles) for wanted in _remove_repeated_claims(proposal.slides)
    ]
    first, kept = by_rules.slides[:1], by_rules.slides[1:]
    rest = [slide for slide in kept if not _is_told_by_claims(slide) and not slide.is_sources]
    return fit(with_sources(replace(by_rules, slides=(*first, *proposed, *rest))))[0]


def _remove_repeated_claims(slides: Sequence[ProposedSlide]) -> list[ProposedSlide]:
    """Keep each claim only on the first slide that names it, and drop slides that have no claims left."""
    seen: set[int] = set()
    kept = []
    for slide in slides:
        new = [number for number in dict.fromkeys(slide.claims) if number not in seen]
        seen.update(new)
        if new:
            kept.append(slide.model_copy(update={"claims": new}))
    return kept


def _slide(
    proposed: ProposedSlide,
    claims: Mapping[int, DeckClaim],
    sources: Mapping[int, tuple[int, ...]],
    titles: Mapping[int, str],
) -> Slide:
    stated = [claims[number] for number in proposed.claims]
    known = {figure for claim in stated for figure in _FIGURE.findall(claim.text)}
    title = " ".join(proposed.title.split())
    return Slide(
        number=0,
        title=title if _says_only(title, known) else titles.get(proposed.claims[0], "…"),
        layout=Layout.BULLETS,
        passages=tuple(SlidePassage(claim.text, claim.number, _sources(claim, sources)) for claim in stated),
        notes=proposed.notes.strip() if _says_only(proposed.notes, known) else "",
        visual_suggestion=" ".join(proposed.visual.split()),
    )


def _sources(claim: DeckClaim, sources: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    return sources.get(claim.number) or tuple(dict.fromkeys(number for number, _words in claim.quotes))


def _says_only(text: str, known: Collection[str]) -> bool:
    """Return True if every figure in the text is one of the known ones."""
    return set(_FIGURE.findall(text)) <= set(known)


def _titles(deck: DeckContent) -> dict[int, str]:
    """Return for each claim the title of the rule-based slide that states it."""
    return {
        passage.claim: slide.title
        for slide in reversed(deck.slides)
        for passage in slide.passages
        if passage.claim
    }


def _is_told_by_claims(slide: Slide) -> bool:
    """Return True for a slide that the proposal replaces: a slide of text with passages that are claims."""
    is_text = slide.layout in (Layout.CONTENT, Layout.BULLETS, Layout.QUOTE)
    return is_text and any(passage.claim for passage in slide.passages)
