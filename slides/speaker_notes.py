"""Speaker notes: the speaker's text, then for each claim of the slide its quotes, confidence and references.

Each number on a slide is explained in them, with its source.
"""

import re
from collections.abc import Iterator

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from slides.deck import (
    DeckClaim,
    DeckContent,
    DeckSource,
    Layout,
    Slide,
    SlideChart,
    SlideImage,
    SlidePassage,
)
from slides.slide_labels import strength_of

_LINE_LETTERS = 110  # of a slide's footer
MIN_GROUPED = 10_000
_DIGITS = re.compile(r"\d")


def notes_of(deck: DeckContent, slide: Slide) -> tuple[str, ...]:
    """Return the lines, in the deck's language; at least one."""
    with override(deck.language):
        lines = tuple(line for line in _lines(deck, slide) if line)
    return lines or (slide.title,)


def passages_of(slide: Slide) -> tuple[SlidePassage, ...]:
    """Return the passages in reading order."""
    match slide.layout:
        case Layout.SPLIT | Layout.COMPARISON:
            return tuple(passage for side in slide.sides for passage in side.passages)
        case Layout.CONTENT | Layout.BULLETS | Layout.QUOTE:
            return slide.passages
    return ()


def chart_of(slide: Slide) -> SlideChart | None:
    """Return the chart, if the slide's layout shows one."""
    return slide.chart if slide.layout == Layout.CHART else None


def claims_on(slide: Slide) -> tuple[int, ...]:
    """Return the numbers of the claims on the slide, each once, in order."""
    stated = [passage.claim for passage in passages_of(slide)]
    chart = chart_of(slide)
    charted = [claim for dataset in (chart.datasets if chart else ()) for claim in dataset.claims]
    return tuple(dict.fromkeys(number for number in (*stated, *charted) if number is not None))


def sources_on(slide: Slide) -> tuple[int, ...]:
    """Return the numbers of the sources that the slide names, each once, in order."""
    named = [source for passage in passages_of(slide) for source in passage.sources]
    chart = chart_of(slide)
    return tuple(dict.fromkeys((*named, *(chart.sources if chart else ()))))


def source_line(deck: DeckContent, slide: Slide) -> str:
    """Return the short names of the slide's sources that fit its footer; empty on slides of sources."""
    if slide.is_sources:
        return ""
    names = {source.number: source.short for source in deck.sources}
    line, rest = "", list(sources_on(slide))
    while rest:
        named = f"{line}{'  ·  ' if line else ''}[{rest[0]}] {names.get(rest[0], '')}".rstrip()
        if line and len(named) > _LINE_LETTERS:
            return f"{line}  ·  +{len(rest)}"
        line, rest = named, rest[1:]
    return line


def _lines(deck: DeckContent, slide: Slide) -> Iterator[str]:
    yield from slide.notes.splitlines()
    claims, references = deck.claim_of, {source.number: source for source in deck.sources}
    for number in claims_on(slide):
        if number in claims:
            yield from _claim_notes(claims[number])
    for passage in passages_of(slide):
        if passage.claim not in claims and not slide.is_sources:
            yield from _bare_passage_notes(passage)
    if slide.image and slide.layout == Layout.IMAGE and slide.image.is_generated:
        yield _("%(picture)s. No source shows it.") % {"picture": alt_of(slide.image).rstrip(".")}
    yield from _own_words(slide)
    yield from _chart_notes(slide)
    for number in sources_on(slide):
        if number in references:
            yield _source_notes(references[number])


def _claim_notes(claim: DeckClaim) -> Iterator[str]:
    said = _("Claim %(number)d (%(weight)s): %(text)s")
    named = f" ({claim.attribution})" if claim.attribution else ""
    yield said % {"number": claim.number, "weight": weight_of(claim), "text": f"{claim.text}{named}"}
    yield from (f"[{source}] “{quote}”" for source, quote in claim.quotes)


def weight_of(claim: DeckClaim) -> str:
    """Format strength and confidence: "Strong evidence, confidence 82%, disputed"."""
    parts = [_("%(strength)s evidence") % {"strength": strength_of(claim.strength)}]
    if claim.confidence is not None:
        parts.append(_("confidence %(share)s%%") % {"share": number_format(round(claim.confidence * 100))})
    if claim.is_disputed:
        parts.append(_("disputed"))
    return ", ".join(parts)


def _bare_passage_notes(passage: SlidePassage) -> Iterator[str]:
    """Yield the sources of a passage that is not a claim of the report, or a note that it has none."""
    if passage.sources:
        cited = ", ".join(f"[{number}]" for number in passage.sources)
        yield _("From %(sources)s: %(text)s") % {"sources": cited, "text": passage.text}
    elif passage.text.strip():
        yield _("In the report's own words, without a source: %(text)s") % {"text": passage.text}


def _own_words(slide: Slide) -> Iterator[str]:
    """Yield lines for figures outside passages, which come from the report rather than from a source."""
    lines = [
        slide.title,
        slide.subtitle,
        slide.caption,
        slide.attribution,
        *(side.heading for side in slide.sides),
    ]
    if slide.image and slide.layout == Layout.IMAGE and not slide.image.is_generated:
        lines.append(slide.image.alt)
    for line in lines:
        if _DIGITS.search(line):
            yield _("In the report's own words: %(text)s") % {"text": line}


def alt_of(image: SlideImage) -> str:
    """Return the picture's alternative text; for a picture made by a model, it begins by saying so."""
    return _("Picture made by a model: %(shown)s") % {"shown": image.alt} if image.is_generated else image.alt


def _chart_notes(slide: Slide) -> Iterator[str]:
    chart = chart_of(slide)
    if not chart:
        return
    yield chart.summary
    for dataset in chart.datasets:
        claims = dataset.claims or (None,) * len(dataset.values)
        pairs = zip(chart.labels, dataset.values, claims, strict=False)
        told = [_figure(label, value, claim) for label, value, claim in pairs if value is not None]
        unit = f" ({chart.unit})" if chart.unit else ""
        yield f"{dataset.label}{unit}: {'; '.join(told)}"


def _figure(label: str, value: float, claim: int | None) -> str:
    said = f"{label} {figure(value)}"
    return said if claim is None else _("%(figure)s (claim %(number)d)") % {"figure": said, "number": claim}


def figure(value: float) -> str:
    """Format a number: whole, or with at most four decimals; grouped from five digits on."""
    plain = int(value) if float(value).is_integer() else round(value, 4)
    return number_format(plain, force_grouping=abs(value) >= MIN_GROUPED)


def _source_notes(source: DeckSource) -> str:
    address = "" if source.url in source.reference else source.url
    return f"[{source.number}] {source.reference} {address}".strip()
