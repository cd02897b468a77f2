"""Collect what earlier runs of the workspace found: the documents that they quote, if these still contain the quotes.

The earlier report is no source: each quote is looked up in its document again, and the passage around it competes with
all others for a place in the answer.
"""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.library.knowledge.known_claims import KnownQuote, check_quotes, find_known_claims
from research.library.library_folders import WEB
from research.library.retrieval.hybrid_retrieval import documents
from research.models import AgentRole, LibraryChunk, LibraryDocument, Run
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.pipeline_input_values import require_list
from research.pipelines.report.collecting.add_report_sources import (
    HEAVY_COLUMNS,
    FoundDocuments,
    add_found,
    refusal_of,
)
from research.pipelines.report.collecting.collect_saved_report_pages import FITS
from research.pipelines.report.passages_found_for_report import FoundPassage, dump_passages
from research.pipelines.report.reading.score_report_passages import MAX_HITS, score
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import queries_of
from research.pipelines.report.report_step_names import ReportStepName
from research.search.search_or_reuse_pages import is_fresh


def draft_known_claims(run: Run) -> Iterator[StepDraft]:
    """Yield a step if earlier runs say something about what the question names, unless the run does not want it."""
    if ReportConfig.model_validate(run.config).ignore_known:
        return
    offer = find_known_claims(run.topic, without_run=run.pk)
    if offer:
        yield StepDraft(
            "known",
            ReportStepName.TAKE_KNOWN,
            AgentRole.RESEARCHER,
            input={"claims": [str(claim.id) for claim in offer.claims]},
            tool_name="retrieve",
        )


def take_known(work: StepWork) -> StepResult:
    """Check the quotes of the earlier claims, and take the passages around those that are still there and fit."""
    claims = [UUID(str(claim)) for claim in require_list(work.input["claims"])]
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = ReportConfig.model_validate(run.config)
        checked = check_quotes(claims, _list_allowed_documents(config))
        passages = _passages(checked.kept)
        rows = LibraryDocument.objects.select_related("content").defer(*HEAVY_COLUMNS)
        there = rows.in_bulk(list({passage.document_id for passage in passages}))
    queries, model = queries_of(run), builtin_embedder().model_id
    texts = [passage.text for passage in passages]
    vectors = [passage.embedding if passage.embedding_model == model else None for passage in passages]
    scored = zip(score(texts, vectors, queries) if queries else (), passages, strict=bool(queries))
    hits = [
        FoundPassage(
            passage.pk, passage.document_id, passage.start_offset, passage.end_offset, value, subtopic
        )
        for (value, subtopic), passage in sorted(scored, key=lambda pair: -pair[0][0])
        if value >= FITS and _is_allowed(there[passage.document_id], config)
    ][:MAX_HITS]
    taken = {hit.document: hit.subtopic for hit in reversed(hits)}
    used = [quote for quote in checked.kept if quote.document in taken]

    def save() -> None:
        if taken:
            add_found(
                [
                    FoundDocuments(work.run_id, [there[document]], subtopic)
                    for document, subtopic in taken.items()
                ]
            )

    return StepResult(
        {
            "known": list(dict.fromkeys(str(quote.claim) for quote in used)),
            "statements": len({quote.claim for quote in used}),
            "runs": len({quote.run for quote in used}),
            "dropped": {reason.value: count for reason, count in checked.dropped.items()},
            "documents": len(taken),
            "hits": dump_passages(hits),
        },
        save=save,
        activity="Checking what earlier runs found",
    )


def _list_allowed_documents(config: ReportConfig) -> Iterator[QuerySet[LibraryDocument]]:
    if config.uses_library:
        yield documents(config.scope)
    if config.uses_web and not config.fresh_pages:
        yield documents(replace(config.scope, folders=(WEB,)))


def _is_allowed(document: LibraryDocument, config: ReportConfig) -> bool:
    """Return True if the document may be used. A web page must be as recent as one that replaces a search."""
    age = timezone.now() - document.updated_at
    is_old = document.is_page and config.uses_web and not is_fresh(age, config.recency_bias)
    return not is_old and not refusal_of(document, config)


def _passages(quotes: tuple[KnownQuote, ...]) -> list[LibraryChunk]:
    """Return the passages that contain the quotes, without repetitions."""
    of_documents = LibraryChunk.objects.filter(document__in={quote.document for quote in quotes})
    return [
        passage
        for passage in of_documents.order_by("document", "chunk_index")
        if any(
            quote.document == passage.document_id
            and quote.start < passage.end_offset
            and passage.start_offset < quote.end
            for quote in quotes
        )
    ]
