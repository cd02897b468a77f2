"""Edits of a deck's slides by a person, as pure functions from slides to slides.

Citations are kept: a passage keeps its claim and sources even if its text changes; `is_edited` tells whether the text
is no longer the claim's own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.translation import gettext as _

from slides.deck import ChartKind, DeckClaim, DeckContent, Layout, Slide, SlideHalf, SlideImage, SlidePassage
from slides.decks.stored_deck import renumber_slides
from slides.fitting import fit_slide, is_a_whole
from slides.outline.slide_passages import as_bullet

Slides = tuple[Slide, ...]
MAX_SLIDES = 200
TWO_SIDED = (Layout.SPLIT, Layout.COMPARISON)


class SlideEditRefused(Exception):
    """Raised when an edit is refused and nothing was changed; str() tells the person why."""


@dataclass(frozen=True, slots=True)
class SlideWords:
    """The text of a slide from a form. `passages` and those of `sides` keep claim and sources by their position."""

    title: str
    subtitle: str = ""
    passages: tuple[SlidePassage, ...] = ()
    sides: tuple[SlideHalf, ...] = ()
    attribution: str = ""
    caption: str = ""
    notes: str = ""
    alt: str = ""


def is_edited(passage: SlidePassage, claims: Mapping[int, DeckClaim]) -> bool:
    """Return True if the text is neither the claim's own nor a part into which fitting splits it."""
    claim = claims.get(passage.claim or 0)
    said = " ".join(passage.text.split())
    return claim is not None and bool(said) and said not in _own_words(claim.text)


@lru_cache(maxsize=4096)
def _own_words(text: str) -> frozenset[str]:
    """Return the text, the bullet that the outline derives from it, and the parts into which a long text is split."""
    passage = SlidePassage(text)
    slides = (
        Slide(1, "…", Layout.CONTENT, passages=(passage,)),
        Slide(1, "…", Layout.QUOTE, passages=(passage,)),
        Slide(1, "…", Layout.SPLIT, sides=(SlideHalf(passages=(passage,)), SlideHalf())),
    )
    parts = {shown.text for slide in slides for part in fit_slide(slide)[0] for shown in passages_of(part)}
    return frozenset(" ".join(words.split()) for words in (text, as_bullet(passage).text, *parts))


def slide_at(slides: Sequence[Slide], number: int) -> Slide:
    """Return the slide. Raises SlideEditRefused if there is none."""
    if not 1 <= number <= len(slides):
        raise SlideEditRefused(_("There is no slide %(number)d in this deck.") % {"number": number})
    return slides[number - 1]


def passages_of(slide: Slide) -> tuple[SlidePassage, ...]:
    """Return all passages of a slide, in reading order."""
    return (*slide.passages, *(passage for side in slide.sides for passage in side.passages))


def move_slide(slides: Slides, number: int, by: int) -> Slides:
    """Move a slide towards the front (by −1) or the back; at either end it stays where it is."""
    slide = slide_at(slides, number)
    rest = [kept for kept in slides if kept is not slide]
    rest.insert(min(max(number - 1 + by, 0), len(rest)), slide)
    return renumber_slides(rest)


def without(slides: Slides, number: int) -> Slides:
    slide_at(slides, number)
    if len(slides) == 1:
        raise SlideEditRefused(_("A deck has at least one slide. Add another before you delete this one."))
    return renumber_slides([*slides[: number - 1], *slides[number:]])


def add_slide(slides: Slides, after: int, layout: Layout, title: str) -> Slides:
    """Add an empty slide after the slide numbered `after`; 0 adds it at the front."""
    if len(slides) >= MAX_SLIDES:
        raise SlideEditRefused(_("A deck has at most %(most)d slides.") % {"most": MAX_SLIDES})
    if after:
        slide_at(slides, after)
    sides = (SlideHalf(), SlideHalf()) if layout in TWO_SIDED else ()
    new = Slide(0, title, layout, sides=sides)
    return renumber_slides([*slides[:after], new, *slides[after:]])


def reword_slide(slides: Slides, number: int, words: SlideWords) -> Slides:
    """Change the text of a slide. Raises SlideEditRefused if its title is empty."""
    slide = slide_at(slides, number)
    if not words.title.strip():
        raise SlideEditRefused(_("Give the slide a title: it is what is read out and listed first."))
    image = replace(slide.image, alt=words.alt) if slide.image and words.alt else slide.image
    return _replace_slide(
        slides,
        number,
        replace(
            slide,
            title=words.title,
            subtitle=words.subtitle,
            passages=_drop_empty_passages(words.passages),
            sides=tuple(replace(side, passages=_drop_empty_passages(side.passages)) for side in words.sides),
            attribution=words.attribution,
            caption=words.caption,
            notes=words.notes,
            image=image,
        ),
    )


def add_claim_passage(slides: Slides, number: int, claim: DeckClaim) -> Slides:
    """Add a passage with the claim's own text and sources to the slide."""
    slide = slide_at(slides, number)
    passage = SlidePassage(
        claim.text, claim.number, tuple(dict.fromkeys(source for source, _words in claim.quotes))
    )
    if any(stated.claim == claim.number for stated in passages_of(slide)):
        raise SlideEditRefused(_("The slide already states this claim."))
    if slide.layout in TWO_SIDED and slide.sides:
        shortest = min(range(len(slide.sides)), key=lambda place: len(slide.sides[place].passages))
        sides = [
            replace(side, passages=(*side.passages, passage)) if place == shortest else side
            for place, side in enumerate(slide.sides)
        ]
        return _replace_slide(slides, number, replace(slide, sides=tuple(sides)))
    return _replace_slide(slides, number, replace(slide, passages=(*slide.passages, passage)))


def change_layout(slides: Slides, number: int, layout: Layout) -> Slides:
    """Change the layout of a slide, keeping its contents.

    Raises SlideEditRefused if the new layout has no room for them.
    """
    slide = slide_at(slides, number)
    if reason := why_not_as(slide, layout):
        raise SlideEditRefused(reason)
    if layout in TWO_SIDED:
        new = slide if slide.layout in TWO_SIDED else _split_into_sides(slide)
    else:
        new = replace(slide, passages=passages_of(slide), sides=())
    return _replace_slide(slides, number, replace(new, layout=layout))


def why_not_as(slide: Slide, layout: Layout) -> str:
    """Return the reason why the slide cannot have the layout; empty if it can, without losing a word."""
    passages = len(passages_of(slide))
    match layout:
        case Layout.CHART if slide.chart is None:
            return _("The slide has no figures that a chart could show.")
        case Layout.QUOTE if passages != 1:
            return _("A quote shows one sentence. Leave one on the slide first.")
        case Layout.TITLE if passages or slide.chart or slide.image:
            return _("A title slide shows a title and a line below it. Delete the rest first.")
        case Layout.IMAGE if passages or slide.chart:
            return _("An image slide shows a picture and a caption. Delete the rest first, or add a slide.")
    if slide.chart and layout != Layout.CHART:
        return _("The slide’s chart would be lost. Add a slide for the words instead.")
    return ""


def change_chart_kind(slides: Slides, number: int, kind: ChartKind) -> Slides:
    """Change the type of the slide's chart; the figures are kept."""
    slide = slide_at(slides, number)
    if slide.chart is None:
        raise SlideEditRefused(_("The slide has no figures that a chart could show."))
    if ChartKind.INTERVALS in (kind, slide.chart.kind):
        raise SlideEditRefused(_("Estimates with intervals have only one kind of chart."))
    if kind in (ChartKind.PIE, ChartKind.DOUGHNUT) and not is_a_whole(slide.chart):
        raise SlideEditRefused(
            _("Slices show parts of one whole: one series of at most five figures, none below zero.")
        )
    return _replace_slide(slides, number, replace(slide, chart=replace(slide.chart, kind=kind)))


def set_slide_image(slides: Slides, number: int, image: SlideImage | None) -> Slides:
    """Set the slide's picture; None removes it."""
    slide = slide_at(slides, number)
    if image is not None and slide.layout != Layout.IMAGE:
        raise SlideEditRefused(_("Only slides in the layout “Picture” show one. Choose the layout first."))
    return _replace_slide(slides, number, replace(slide, image=image))


def split_slide(slides: Slides, number: int) -> Slides:
    """Split a slide over budget into slides with the same contents."""
    parts, _found = fit_slide(slide_at(slides, number))
    return renumber_slides([*slides[: number - 1], *parts, *slides[number:]])


def _split_into_sides(slide: Slide) -> Slide:
    middle = (len(slide.passages) + 1) // 2
    halves = (slide.passages[:middle], slide.passages[middle:])
    return replace(slide, passages=(), sides=tuple(SlideHalf(passages=half) for half in halves))


def _drop_empty_passages(passages: Sequence[SlidePassage]) -> tuple[SlidePassage, ...]:
    """Delete passages whose text is empty."""
    return tuple(passage for passage in passages if passage.text.strip())


def _replace_slide(slides: Slides, number: int, slide: Slide) -> Slides:
    return tuple(slide if old.number == number else old for old in slides)


Act = Callable[[Slides], Slides]


def claims_beside(deck: DeckContent, slide: Slide) -> tuple[DeckClaim, ...]:
    """Return the claims of the report that the slide does not state."""
    on_it = {passage.claim for passage in passages_of(slide)}
    return tuple(claim for claim in deck.claims if claim.number not in on_it)
