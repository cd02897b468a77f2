"""Citing: each claim's quotes are anchored in the frozen texts. No anchor, no citation; no citation, no place."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

import structlog

from citations.anchoring import Anchor, anchor
from citations.models import Citation, Claim, Section, SectionStatus
from citations.models import MatchType as StoredMatch
from citations.selectors import selector
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Chunk, Run, Source
from research.models.schemas import LeftOut, RunOutcome
from research.objects import ObjectError, get_object
from research.reading.boxes import quote_boxes
from research.reading.document import Page
from research.recipes.report.evidence import Evidence, read_evidence
from research.recipes.report.synthesizing import without
from research.tenancy import tenant_context

log = structlog.get_logger(__name__)
PDF = "application/pdf"
NO_ANCHOR = "Its words could not be found in the source."


@dataclass(frozen=True)
class Reading:
    """A source as quotes are looked up in it: prepared once, for many quotes."""

    source: Source
    chunks: Sequence[tuple[UUID, int, int]]  # id, start, end
    pages: Sequence[Page]

    @cached_property
    def pdf(self) -> bytes | None:
        """The PDF as it was read; None when its object was lost: the words still stand, without boxes."""
        key = self.source.content.raw_key if self.source.content else ""
        try:
            return get_object(key) if key else None
        except ObjectError as error:
            log.warning("object_lost", source=str(self.source.pk), error=str(error))
            return None

    def chunk_at(self, start: int) -> UUID | None:
        return next((pk for pk, first, last in self.chunks if first <= start < last), None)

    def boxes(self, start: int, end: int) -> list[dict[str, float]]:
        """Rectangles of text[start:end] on the PDF's pages; none for other formats."""
        touched = [page for page in self.pages if page.start < end and start < page.end]
        if not touched or self.pdf is None:
            return []
        return [
            {"page": page.number, "x": box.x, "y": box.y, "width": box.width, "height": box.height}
            for page in touched
            for box in quote_boxes(self.pdf, page, max(start, page.start), min(end, page.end))
        ]

    def page_at(self, start: int) -> int | None:
        return next((page.number for page in self.pages if page.start <= start < page.end), None)


def cite(work: StepWork) -> StepResult:
    section_id = UUID(str(work.input["section"]))
    with tenant_context(work.tenant_id):
        section = Section.objects.get(pk=section_id)
        claims = list(section.claims.order_by("position"))
        evidence = read_evidence(work.run_id)
        readings = _readings(place for claim in claims for place in evidence[claim.pk])
    drafts = [draft for claim in claims for draft in _citations(claim, evidence[claim.pk], readings)]
    cited = {draft.claim_id for draft in drafts}
    dropped = [claim for claim in claims if claim.pk not in cited]

    def save() -> None:
        Citation.objects.bulk_create(drafts)
        leave_out(work.run_id, dropped, NO_ANCHOR)
        Section.objects.filter(pk=section_id).update(status=SectionStatus.CITED)

    output = {"claims": len(claims), "citations": len(drafts), "left_out": len(dropped)}
    return StepResult(output, save=save, activity=f"Finding the quotes of “{section.heading}”"[:300])


def leave_out(run_id: UUID, dropped: Sequence[Claim], reason: str) -> None:
    """Take claims out of the report's text and list them with the reason. Runs inside the step's transaction."""
    if not dropped:
        return
    ids = {claim.pk for claim in dropped}
    for section in Section.objects.filter(claims__in=ids).distinct():
        section.body = without(section.body, ids)
        section.save(update_fields=["body", "updated_at"])
    Claim.objects.filter(pk__in=ids).update(section=None, number=None, verification_note=reason)
    run = Run.objects.get(pk=run_id)
    outcome = RunOutcome.model_validate(run.result)
    outcome.left_out += [LeftOut(text=claim.text, reason=reason) for claim in dropped]
    Run.objects.filter(pk=run_id).update(result=outcome.model_dump(mode="json"))


def _readings(places: Iterable[Evidence]) -> dict[UUID, Reading]:
    wanted = {place.source for place in places}
    sources = Source.objects.filter(pk__in=wanted).select_related("content")
    return {source.pk: Reading(source, _chunks(source), _pages(source)) for source in sources}


def _chunks(source: Source) -> list[tuple[UUID, int, int]]:
    rows = Chunk.objects.filter(source=source).order_by("chunk_index")
    return list(rows.values_list("pk", "start_offset", "end_offset"))


def _pages(source: Source) -> list[Page]:
    content = source.content
    if content is None or content.media_type != PDF or not content.raw_key:
        return []
    return [Page(**{**page, "runs": tuple(map(tuple, page["runs"]))}) for page in content.pages]


def _citations(
    claim: Claim, places: Iterable[Evidence], readings: Mapping[UUID, Reading]
) -> Iterator[Citation]:
    for index, place in enumerate(places):
        reading = readings[place.source]
        quote = reading.source.text[place.start : place.end]
        found = anchor(quote, reading.source.text, place.start)
        if found is not None:
            yield _citation(claim, index, reading, found)


def _citation(claim: Claim, index: int, reading: Reading, found: Anchor) -> Citation:
    text, span = reading.source.text, found.span
    around = selector(text, span)
    return Citation(
        claim=claim,
        source=reading.source,
        chunk_id=reading.chunk_at(span.start),
        section_id=claim.section_id,
        citation_index=index,
        anchor_text=claim.text,
        quote=around.exact,
        prefix=around.prefix,
        suffix=around.suffix,
        start_offset=span.start,
        end_offset=span.end,
        page_number=reading.page_at(span.start),
        boxes=reading.boxes(span.start, span.end),
        match_type=match_type(claim.text, around.exact),
        similarity=found.similarity,
    )


def match_type(claim: str, quote: str) -> StoredMatch:
    """How the claim stands to the anchored words: the same, the same but for typography, or a restatement."""
    if claim == quote:
        return StoredMatch.EXACT
    if " ".join(claim.split()) == " ".join(quote.split()):
        return StoredMatch.NORMALIZED
    return StoredMatch.PARAPHRASE
