"""Chooses the passages of a section for its few slides: the best supported ones, in the report's order. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from exports.document.document_tree import BlockEntry, ClaimEntry
from slides.deck import Layout, Slide, SlidePassage
from slides.fitting.measure_slide_text import load
from slides.fitting.pack_slide_passages import pack
from slides.fitting.slide_budgets import BULLETS, CONTENT
from slides.outline.slide_passages import as_bullet, passage_of

_STRENGTHS = ("limited", "moderate", "strong")


def slides_of(
    title: str,
    passages: Sequence[SlidePassage],
    most: int,
    claims: Mapping[int, ClaimEntry],
    *,
    keeps_words: bool = False,
) -> list[Slide]:
    """Return at most `most` slides of bullets or text; the most weakly supported passages are left out.

    `keeps_words`: passages without a claim, which say how it stands with the others, are left out last.
    """
    kept = list(passages)
    slides = _build_text_slides(title, kept)
    while len(slides) > most and len(kept) > 1:
        weakest = min(
            (passage for passage in kept if passage.claim or not keeps_words),
            key=lambda passage: _worth(passage, claims),
            default=kept[-1],
        )
        kept.remove(weakest)
        slides = _build_text_slides(title, kept)
    return slides


def steps_of(title: str, block: BlockEntry) -> list[Slide]:
    """Return all steps in order, numbered, on as many slides as they need."""
    said = [
        passage_of(sentence.claim) if sentence.claim else SlidePassage(sentence.text)
        for sentence in block.sentences
    ]
    counted = [replace(step, text=f"{number}. {step.text}") for number, step in enumerate(said, start=1)]
    return _build_slides(title, Layout.CONTENT, pack(counted, CONTENT))


def _build_slides(title: str, layout: Layout, pages: Sequence[Sequence[SlidePassage]]) -> list[Slide]:
    parts = [(index, len(pages)) if len(pages) > 1 else None for index in range(1, len(pages) + 1)]
    return [
        Slide(0, title, layout, passages=tuple(page), part=part)
        for page, part in zip(pages, parts, strict=True)
    ]


def _build_text_slides(title: str, passages: Sequence[SlidePassage]) -> list[Slide]:
    """Return bullets if all passages are short enough, else paragraphs."""
    short = [as_bullet(passage) for passage in passages]
    is_short = all(load(bullet.text) <= BULLETS.words_each for bullet in short)
    layout, budget = (Layout.BULLETS, BULLETS) if is_short else (Layout.CONTENT, CONTENT)
    return _build_slides(title, layout, pack(short if is_short else passages, budget))


def _worth(passage: SlidePassage, claims: Mapping[int, ClaimEntry]) -> tuple[int, float, int]:
    claim = claims.get(passage.claim or 0)
    if claim is None:
        return -1, 0.0, 0
    return _STRENGTHS.index(claim.strength), claim.confidence or 0.0, -claim.number
