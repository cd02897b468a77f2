"""Citing: each claim's quotes are anchored in the frozen texts. No anchor, no citation; no citation, no place.

A quote that is not in the source named for it is looked for in the run's others: found there it is cited from there
and marked, found nowhere it is dropped with the reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.anchoring import Anchor, MatchType, anchor
from citations.language.normalizing import normalize
from citations.models import Citation, CitationStatus, Claim, Section, SectionStatus
from citations.models import MatchType as StoredMatch
from citations.quoting.locating import Misattributed, locate
from citations.quoting.selectors import selector
from research.lifecycle.recipe import StepResult, StepWork
from research.recipes.report.evidence import Evidence, read_evidence
from research.recipes.report.leaving_out import leave_out, note_left_out
from research.recipes.report.readings import Reading, read_other_sources, read_sources
from research.tenancy import tenant_context

NO_ANCHOR = "Its words stand in none of the run's sources."
NOT_A_STATEMENT = (
    "Its words are too short for a quote, or stand in a heading, a caption or a page's margin only."
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a claim stands on, and the source named for them."""

    claim: Claim
    index: int  # among the claim's quotes
    words: str
    named: str  # source id
    near: int  # offset in the named source


@dataclass(frozen=True, slots=True)
class Placed:
    """A quote with the place where it stands: in the source named for it, or in another."""

    quote: Quote
    reading: Reading
    anchor: Anchor
    misnamed: Reading | None = None  # the source that was named and does not have it


def cite(work: StepWork) -> StepResult:
    section_id = UUID(str(work.input["section"]))
    with tenant_context(work.tenant_id):
        section = Section.objects.get(pk=section_id)
        claims = list(section.claims.order_by("position"))
        evidence = read_evidence(work.run_id)
        readings = read_sources(place.source for claim in claims for place in evidence[claim.pk])
    quotes = [quote for claim in claims for quote in _quotes(claim, evidence[claim.pk], readings)]
    placed = list(_place(work, quotes, readings))
    drafts = list(_citations(placed))
    cited = {draft.claim_id for draft in drafts}
    dropped = [claim for claim in claims if claim.pk not in cited]
    lost = _lost(quotes, placed, readings)

    def save() -> None:
        Citation.objects.bulk_create(drafts)
        leave_out(work.run_id, [(claim, _reason(claim, lost)) for claim in dropped])
        note_left_out(work.run_id, [(one.words, why) for one, why in lost if one.claim.pk in cited])
        Section.objects.filter(pk=section_id).update(status=SectionStatus.CITED)

    output = {
        "claims": len(claims),
        "citations": len(drafts),
        "misattributed": sum(one.misnamed is not None for one in placed),
        "left_out": len(dropped),
    }
    return StepResult(output, save=save, activity=f"Finding the quotes of “{section.heading}”"[:300])


def _quotes(claim: Claim, places: Iterable[Evidence], readings: Mapping[str, Reading]) -> Iterator[Quote]:
    for index, place in enumerate(places):
        named = str(place.source)
        words = place.words(readings[named].text.text)
        yield Quote(claim, index, words, named, place.start)


def _place(work: StepWork, quotes: Sequence[Quote], readings: Mapping[str, Reading]) -> Iterator[Placed]:
    missing = []
    for quote in quotes:
        found = anchor(quote.words, readings[quote.named].text, quote.near)
        if found is None:
            missing.append(quote)
        else:
            yield Placed(quote, readings[quote.named], found)
    if missing:
        with tenant_context(work.tenant_id):
            others = read_other_sources(work.run_id, readings)
        yield from _misattributed(missing, {**readings, **others})


def _misattributed(missing: Iterable[Quote], readings: Mapping[str, Reading]) -> Iterator[Placed]:
    texts = {source: reading.text for source, reading in readings.items()}
    for quote in missing:
        found = locate(quote.words, texts, quote.named)
        if isinstance(found, Misattributed):
            yield Placed(quote, readings[found.source], found.anchor, misnamed=readings[quote.named])


def _lost(
    quotes: Iterable[Quote], placed: Iterable[Placed], readings: Mapping[str, Reading]
) -> list[tuple[Quote, str]]:
    """The quotes that have no place, each with the reason."""
    found = {(one.quote.claim.pk, one.quote.index) for one in placed}
    return [
        (one, NOT_A_STATEMENT if one.words.strip() in readings[one.named].text.text else NO_ANCHOR)
        for one in quotes
        if (one.claim.pk, one.index) not in found
    ]


def _reason(claim: Claim, lost: Iterable[tuple[Quote, str]]) -> str:
    return next((reason for quote, reason in lost if quote.claim.pk == claim.pk), NO_ANCHOR)


def _citations(placed: Iterable[Placed]) -> Iterator[Citation]:
    """One for each place that a claim stands on: two quotes of it may come to the same words."""
    seen = set()
    for one in sorted(placed, key=lambda one: (one.quote.claim.position, one.quote.index)):
        place = (one.quote.claim.pk, one.reading.source.pk, one.anchor.span)
        if place not in seen:
            seen.add(place)
            yield _citation(one)


def _citation(placed: Placed) -> Citation:
    claim, reading, span = placed.quote.claim, placed.reading, placed.anchor.span
    around = selector(reading.text.text, span)
    return Citation(
        claim=claim,
        source=reading.source,
        chunk_id=reading.chunk_at(span.start),
        section_id=claim.section_id,
        citation_index=placed.quote.index,
        anchor_text=claim.text,
        quote=around.exact,
        prefix=around.prefix,
        suffix=around.suffix,
        start_offset=span.start,
        end_offset=span.end,
        page_number=reading.page_at(span.start),
        boxes=reading.boxes(span.start, span.end),
        match_type=match_type(claim.text, around.exact, placed.anchor.match_type),
        similarity=placed.anchor.similarity,
        **_mark(placed.misnamed),
    )


def _mark(misnamed: Reading | None) -> dict[str, str]:
    if misnamed is None:
        return {}
    note = f"These words were named for “{misnamed.source}”, which does not have them."
    return {"verification_status": CitationStatus.CORRECTED, "verification_notes": note}


def match_type(claim: str, quote: str, found: MatchType = MatchType.EXACT) -> StoredMatch:
    """How the claim stands to the anchored words: the same, the same but for typography, or a restatement.

    What was found by a close match only is a restatement, and its similarity is below 1.
    """
    if found is MatchType.CLOSE:
        return StoredMatch.PARAPHRASE
    if claim == quote:
        return StoredMatch.EXACT
    return StoredMatch.NORMALIZED if normalize(claim) == normalize(quote) else StoredMatch.PARAPHRASE
