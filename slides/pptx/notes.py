"""Speaker notes: what is said, then each claim of the slide with its confidence, its quotes and its references."""

from collections.abc import Iterator

from slides.deck import Deck, Passage, Slide


def passages_of(slide: Slide) -> Iterator[Passage]:
    yield from slide.passages
    for side in slide.sides:
        yield from side.passages


def claims_on(slide: Slide) -> tuple[int, ...]:
    """Numbers of the claims that stand on it, each once, in order."""
    stated = [passage.claim for passage in passages_of(slide)]
    charted = [claim for dataset in (slide.chart.datasets if slide.chart else ()) for claim in dataset.claims]
    return tuple(dict.fromkeys(number for number in (*stated, *charted) if number is not None))


def sources_on(slide: Slide) -> tuple[int, ...]:
    named = [source for passage in passages_of(slide) for source in passage.sources]
    return tuple(dict.fromkeys([*named, *(slide.chart.sources if slide.chart else ())]))


def note_lines(deck: Deck, slide: Slide) -> list[str]:
    lines = [slide.notes] if slide.notes else []
    claims = deck.claim_of
    for number in claims_on(slide):
        claim = claims[number]
        disputed = ", disputed" if claim.is_disputed else ""
        lines.append(f"Claim {number} ({claim.strength}, {claim.confidence:.0%}{disputed}): {claim.text}")
        lines += [f"[{source}] “{quote}”" for source, quote in claim.quotes]
    references = {source.number: source for source in deck.sources}
    for number in sources_on(slide):
        if number in references:
            lines.append(f"[{number}] {references[number].reference} {references[number].url}".strip())
    return lines or [slide.title]
