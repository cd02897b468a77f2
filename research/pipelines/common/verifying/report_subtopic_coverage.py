"""Coverage of each subtopic of a report's plan, by the searches that found what the report cites."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from citations.claim_strength import Origin, independent
from citations.credibility.credibility_evidence_gaps import Coverage
from citations.models import Citation, Claim
from research.models import Run
from research.models.schemas import Plan
from research.pipelines.report.passages_found_for_report import load_found_passages

Places = Mapping[UUID | None, Sequence[tuple[int, int]]]  # library document → spans of passages found


def coverages(
    run: Run,
    claims: Sequence[Claim],
    citations: Mapping[UUID, Sequence[Citation]],
    known: Mapping[UUID, Origin],
) -> list[Coverage]:
    """Return the coverage of each subtopic; none if the plan has only one, since the whole report covers that."""
    subtopics = [subtopic.name for subtopic in Plan.model_validate(run.plan).subtopics]
    places = _group_places_by_subtopic(run)
    return [
        Coverage(name, *_count_covering(places[name], claims, citations, known))
        for name in subtopics
        if len(subtopics) > 1
    ]


def _group_places_by_subtopic(run: Run) -> Mapping[str, Places]:
    """Group the places that the searches found by subtopic and document."""
    places: dict[str, dict[UUID | None, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for passage in load_found_passages(run.pk):
        places[passage.subtopic][passage.document].append((passage.start, passage.end))
    return places


def _count_covering(
    places: Places,
    claims: Sequence[Claim],
    citations: Mapping[UUID, Sequence[Citation]],
    known: Mapping[UUID, Origin],
) -> tuple[int, int]:
    """Return the number of claims that cite these places, and that of the independent sources behind them."""
    covering = [list(_inside(places, citations[claim.pk])) for claim in claims]
    sources = {citation.source_id for cited in covering for citation in cited}
    return sum(map(bool, covering)), independent(known[source] for source in sources)


def _inside(places: Places, citations: Sequence[Citation]) -> Iterator[Citation]:
    for citation in citations:
        spans = places.get(citation.source.library_document_id, ())
        if any(start < citation.end_offset and citation.start_offset < end for start, end in spans):
            yield citation
