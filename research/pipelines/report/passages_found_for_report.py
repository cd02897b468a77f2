"""The passages of documents and pages that a run's searches found, kept in the output of the step that found them.

Reading takes them as chunks, analyzing takes its sentences from them, verifying computes coverage by them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from uuid import UUID

from pydantic import TypeAdapter

from research.extractive.candidate_sentences import Candidate, RankedChunk, candidates
from research.library.library_frozen_text import blocks_around, blocks_of, tables_of
from research.models import Source, Step, StepStatus
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind
from research.parsing.parsed_table_rows import TableNames
from research.pipelines.report.report_step_names import ReportStepName

# Handlers whose outputs have hits; planning the search of the web finds what earlier runs saved of it.
FINDING = (
    ReportStepName.TAKE_FROM_PARENT,
    ReportStepName.TAKE_KNOWN,
    ReportStepName.SEARCH_LIBRARY,
    ReportStepName.TAKE_URL,
    ReportStepName.TAKE_DOCUMENT,
    ReportStepName.PLAN_WEB,
    ReportStepName.GATHER,
    ReportStepName.READ_PAGE,
)


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found.

    `score` is 0–1; `subtopic` is that of the query that the passage fits best, empty if it must be read anyway.
    """

    chunk: UUID
    document: UUID  # of the library
    start: int
    end: int
    score: float
    subtopic: str = ""


_PASSAGES = TypeAdapter(list[FoundPassage])


def dump_passages(found: Iterable[FoundPassage]) -> list[dict[str, str | int | float]]:
    """Return the passages for the step's output, under "hits"."""
    dumped: list[dict[str, str | int | float]] = _PASSAGES.dump_python(list(found), mode="json")
    return dumped


def load_found_passages(run_id: UUID, document: UUID | None = None) -> list[FoundPassage]:
    """Return the passages of all documents or of one, in the order in which they were searched for.

    Needs the tenant set.
    """
    done = Step.objects.filter(run_id=run_id, handler__in=FINDING, status=StepStatus.COMPLETED)
    outputs = done.order_by("step_index").values_list("output", flat=True)
    wanted = None if document is None else str(document)
    hits = (hit for output in outputs for hit in output.get("hits", ()))  # a page that was refused has none
    return _PASSAGES.validate_python([hit for hit in hits if wanted in (None, hit["document"])])


def keep_best(
    found: Mapping[UUID | None, Sequence[FoundPassage]], most: int
) -> Mapping[UUID | None, Sequence[FoundPassage]]:
    """Return at most `most` passages, by document: the best of each document, and the best of the others.

    A document may have more than one only if there are fewer documents than that.
    """
    if sum(map(len, found.values())) <= most:
        return found
    first = {document: max(passages, key=_score) for document, passages in found.items()}
    others = (
        passage for passages in found.values() for passage in passages if passage != first[passage.document]
    )
    best = sorted(others, key=_score, reverse=True)[: max(0, most - len(first))]
    kept = {*first.values(), *best}
    return {
        document: [passage for passage in passages if passage in kept] for document, passages in found.items()
    }


_score = attrgetter("score")


def sentences_in(source: Source, found: Sequence[FoundPassage], *, is_whole: bool = False) -> list[Candidate]:
    """Return the sentences of the source's passages, for ranking; with `is_whole` also others, as the weakest."""
    if source.content is None or not found:
        return []
    text = source.content.text
    passages = [RankedChunk(passage.start, passage.end, passage.score) for passage in found]
    if is_whole:
        passages.append(RankedChunk(0, len(text), min(passage.score for passage in found)))
    content = source.content
    places = [(passage.start, passage.end) for passage in passages]
    blocks = blocks_of(content) if is_whole else blocks_around(content, places)
    spans = sentences(text, blocks)
    has_rows = any(span.kind is BlockKind.TABLE for span in spans)
    tables = TableNames(text, blocks, tables_of(content)) if has_rows else None
    return candidates(str(source.library_document_id), text, spans, passages, content.media_type, tables)
