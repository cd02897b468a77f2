"""How the report covers each subtopic of its plan: by the searches that found what it cites."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from citations.models import Citation, Claim
from citations.strength import Origin, independent
from citations.weighing.gaps import Coverage
from research.models import Run, Step, StepStatus
from research.recipes.report.collecting.page_hits import read_pages

Places = Mapping[str, Sequence[tuple[int, int]]]  # library document → where its found passages stand


def coverages(
    run: Run,
    claims: Sequence[Claim],
    citations: Mapping[UUID, Sequence[Citation]],
    known: Mapping[UUID, Origin],
) -> list[Coverage]:
    """None for a plan of a single subtopic: what covers that is the whole report."""
    found = _found(run)
    return [
        Coverage(name, *_covering(places, claims, citations, known))
        for name, places in found.items()
        if len(found) > 1
    ]


def _found(run: Run) -> dict[str, Places]:
    """Where the searches of each subtopic found something, in the plan's order."""
    places: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    done = Step.objects.filter(run=run, handler="report.search", status=StepStatus.COMPLETED).order_by(
        "step_index"
    )
    for given, output in done.values_list("input", "output"):
        found = places[given["subtopic"]]
        for hit in output["hits"]:
            found[hit["document"]].append((hit["start"], hit["end"]))
    for page in read_pages(run.pk):
        for hit in page:
            places[hit.subtopic][str(hit.document)].append((hit.start, hit.end))
    return dict(places)


def _covering(
    places: Places,
    claims: Sequence[Claim],
    citations: Mapping[UUID, Sequence[Citation]],
    known: Mapping[UUID, Origin],
) -> tuple[int, int]:
    """Claims that cite what was found, and the independent sources behind them."""
    covering = [list(_inside(places, citations[claim.pk])) for claim in claims]
    sources = {one.source_id for cited in covering for one in cited}
    return sum(map(bool, covering)), independent(known[source] for source in sources)


def _inside(places: Places, citations: Sequence[Citation]) -> Iterator[Citation]:
    for one in citations:
        spans = places.get(str(one.source.library_document_id), ())
        if any(start < one.end_offset and one.start_offset < end for start, end in spans):
            yield one
