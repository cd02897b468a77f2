"""The passages of documents and pages that a run's searches found, kept in the output of the step that found them.

Reading takes them as chunks, analyzing takes its sentences from them, verifying computes coverage by them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias
from uuid import UUID

from pydantic import TypeAdapter

from research.extractive.candidate_sentences import Candidate, RankedChunk, Statements
from research.library.library_frozen_text import blocks_around, blocks_of, tables_of
from research.models import Content, Source, Step, StepStatus
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, TextBlock
from research.parsing.parsed_table_rows import TableNames
from research.pipelines.common.pipeline_kept_values import KeptValues
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


def load_passages_of_pages(run_id: UUID, documents: Collection[str]) -> Mapping[str, list[FoundPassage]]:
    """Return the passages that were found in pages when they were read, by document. Needs the tenant set."""
    read = Step.objects.filter(
        run_id=run_id,
        handler=ReportStepName.READ_PAGE,
        status=StepStatus.COMPLETED,
        output__hits__0__document__in=list(documents),
    )
    found: dict[str, list[FoundPassage]] = defaultdict(list)
    for hits in read.values_list("output__hits", flat=True):
        for passage in _PASSAGES.validate_python(hits):
            found[str(passage.document)].append(passage)
    return found


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
    document, content = str(source.library_document_id), source.content
    passages = [RankedChunk(passage.start, passage.end, passage.score) for passage in found]
    if is_whole:
        passages.append(RankedChunk(0, len(content.text), min(passage.score for passage in found)))
        return _statements_of(document, content, blocks_of(content)).within(passages)
    key = document, content.pk
    prepared = _prepared.get([key], lambda _missing: {}).get(key)
    places = {(passage.start, passage.end) for passage in passages}
    if prepared is not None and places <= prepared.places:
        return prepared.statements.within(passages)
    return _statements_of(document, content, blocks_around(content, sorted(places))).within(passages)


def _statements_of(document: str, content: Content, blocks: Sequence[TextBlock]) -> Statements:
    spans = sentences(content.text, blocks)
    has_rows = any(span.kind is BlockKind.TABLE for span in spans)
    tables = TableNames(content.text, blocks, tables_of(content)) if has_rows else None
    return Statements(document, content.text, spans, content.media_type, tables)


@dataclass(frozen=True, slots=True)
class PreparedSentences:
    """The sentences of a source's passages, computed before they are ranked."""

    places: frozenset[tuple[int, int]]  # of the passages
    statements: Statements
    characters: int


MAX_PREPARED = 1_000_000  # characters of the texts: those of some 200 pages, of which sentences take 20 MB
PreparedKey: TypeAlias = tuple[str, UUID]  # the library document and its content
_prepared: KeptValues[PreparedKey, PreparedSentences] = KeptValues(MAX_PREPARED, attrgetter("characters"))


def find_unprepared(keys: Iterable[PreparedKey]) -> list[PreparedKey]:
    """Return those of these documents whose sentences this process has not computed yet."""
    wanted = list(keys)
    prepared = _prepared.get(wanted, lambda _missing: {})
    return [key for key in wanted if key not in prepared]


def prepare_sentences(document: str, content: Content, found: Sequence[FoundPassage]) -> None:
    """Compute the sentences of a document's passages, and keep them in this process for `sentences_in`."""
    key = document, content.pk
    _prepared.get([key], lambda _missing: {key: _prepare(document, content, found)})


def forget_sentences(sources: Iterable[Source]) -> None:
    """Forget what was prepared for these sources, because they have been ranked."""
    _prepared.forget((str(row.library_document_id), row.content_id) for row in sources if row.content_id)


def _prepare(document: str, content: Content, found: Sequence[FoundPassage]) -> PreparedSentences:
    places = frozenset((passage.start, passage.end) for passage in found)
    statements = _statements_of(document, content, blocks_around(content, sorted(places)))
    for candidate in statements.within(
        RankedChunk(passage.start, passage.end, passage.score) for passage in found
    ):
        _ = candidate.flaw  # which it remembers, with the words that it is shown in
    return PreparedSentences(places, statements, len(content.text))
