"""Fits a whole deck, or one slide of it, into its budget. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from slides.deck import DeckContent, Layout, Slide
from slides.fitting.deck_fitting_report import FitReport, SlideFit
from slides.fitting.slide_parts_over_budget import find_overs
from slides.fitting.split_slides import pages_of

Fitted = tuple[tuple[Slide, ...], SlideFit | None]


def fit(deck: DeckContent) -> tuple[DeckContent, FitReport]:
    """Return the deck with every slide within budget, numbered from 1. Idempotent."""
    slides: list[Slide] = []
    fits: list[SlideFit] = []
    for family in _families(deck.slides):
        fitted = [_fit_to_budget(slide) for slide in family]
        for pages, found in fitted:
            if found:
                fits.append(replace(found, number=len(slides) + 1 + _count_earlier(fitted, pages)))
        slides += _parts([page for pages, _ in fitted for page in pages])
    numbered = tuple(replace(slide, number=number) for number, slide in enumerate(slides, start=1))
    return replace(deck, slides=numbered), FitReport(tuple(fits))


def fit_slide(slide: Slide) -> Fitted:
    """Return the slides proposed in place of one, with the reasons; the slide and None if it is within budget."""
    pages, found = _fit_to_budget(slide)
    return tuple(_parts(pages)) if found else (slide,), found


def _fit_to_budget(slide: Slide) -> Fitted:
    found = find_overs(slide)
    if not found:
        return (slide,), None
    pages = pages_of(slide)
    layout = pages[-1].layout if pages[0].layout == pages[-1].layout != slide.layout else None
    return pages, SlideFit(slide.number, slide.number, len(pages), found, layout)


def _count_earlier(fitted: Sequence[Fitted], pages: tuple[Slide, ...]) -> int:
    """Return the number of earlier slides that belong to the same family as these."""
    count = 0
    for others, _ in fitted:
        if others is pages:
            break
        count += len(others)
    return count


def _families(slides: Iterable[Slide]) -> list[list[Slide]]:
    """Group the slides that one slide was split into."""
    families: list[list[Slide]] = []
    for slide in slides:
        if families and _goes_on(slide, families[-1]):
            families[-1].append(slide)
        else:
            families.append([slide])
    return families


def _goes_on(slide: Slide, family: Sequence[Slide]) -> bool:
    """Return True if the slide continues the family.

    The parts of a split slide share one title; those of a title slide a shortened one.
    """
    first, last = family[0], family[-1]
    if not (slide.part and last.part and slide.part[0] > 1):
        return False
    return last.title == slide.title or (first.layout == Layout.TITLE and slide.part[1] == last.part[1])


def _parts(pages: Sequence[Slide]) -> list[Slide]:
    if len(pages) == 1:
        return [replace(pages[0], part=None)]
    return [replace(page, part=(index, len(pages))) for index, page in enumerate(pages, start=1)]
