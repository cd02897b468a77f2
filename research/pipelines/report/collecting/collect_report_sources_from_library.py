"""Collect from the library: search it for each query of the plan; documents of the best passages become sources."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from research.db.tenancy import tenant_context
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import JsonObject, StepDraft, StepResult, StepWork
from research.library.retrieval.hybrid_retrieval import Hit, QueryVector, cards, retrieve, understand
from research.library.retrieval.library_query_embedding import embed_library_query
from research.llm.call_types import Payer
from research.llm.model_errors import ModelError
from research.models import AgentRole, LibraryDocument, Run
from research.models.schemas import Plan
from research.pipelines.report.collecting.add_report_sources import (
    HEAVY_COLUMNS,
    FoundDocuments,
    add_found,
    refusal_of,
)
from research.pipelines.report.passages_found_for_report import FoundPassage, dump_passages
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query, load_answered_queries
from research.pipelines.report.report_step_names import ReportStepName


def search_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield a search for each query of the plan that was not asked yet, if the library may be used."""
    if not ReportConfig.model_validate(run.config).uses_library:
        return
    asked = load_answered_queries(run.pk)
    for index, subtopic in enumerate(Plan.model_validate(run.plan).subtopics):
        for number, query in enumerate(subtopic.queries):
            if query.casefold() not in asked:
                wanted = Query(query, subtopic.name)
                yield library_search(f"plan.{index}/search.{number}", wanted, f"researcher-{index + 1}")


def library_search(key: str, query: Query, agent_id: str) -> StepDraft:
    return StepDraft(
        key,
        ReportStepName.SEARCH_LIBRARY,
        AgentRole.RESEARCHER,
        input={"subtopic": query.subtopic, "query": query.text},
        tool_name="search",
        agent_id=agent_id,
    )


def search_library(work: StepWork) -> StepResult:
    query = str(work.input["query"])
    with tenant_context(work.tenant_id):
        config = ReportConfig.model_validate(Run.objects.get(pk=work.run_id).config)
        scope = config.scope
        known = cards(scope)
        question, rare = understand(query, scope, known)
    meaning, skipped = _embed_query(question.wording or query, work)
    asked, _skipped = (
        _embed_query(question.matter, work) if question.subjects and question.matter else (None, {})
    )
    with tenant_context(work.tenant_id):
        hits = retrieve(question, meaning, scope, known=known, rare=rare, asked_of_named=asked)
        documents = _best_documents(hits, config)
    subtopic = str(work.input["subtopic"])
    found = [
        FoundPassage(hit.chunk, hit.document, hit.start, hit.end, hit.score, subtopic)
        for hit in hits
        if hit.document in documents
    ]
    return StepResult(
        {
            "query": query,
            "found": len(hits),
            "documents": len(documents),
            "hits": dump_passages(found),
            **skipped,
        },
        save=BatchSave(add_found, FoundDocuments(work.run_id, list(documents.values()), subtopic)),
        activity=f"Searching for “{query}”"[:300],
    )


def _embed_query(query: str, work: StepWork) -> tuple[QueryVector | None, JsonObject]:
    """Return the query's vector, or None with a note for the step's log: then only words find passages."""
    try:
        return embed_library_query(query, Payer(work, AgentRole.RESEARCHER)), {}
    except ModelError as error:
        note = {"provider": "Search by meaning", "message": error.message, "code": error.code.value}
        return None, {"skipped": [note]}


def _best_documents(hits: Sequence[Hit], config: ReportConfig) -> dict[UUID, LibraryDocument]:
    """Return the documents of the best passages that the run may read, at most as many as it wants."""
    ranked = list(dict.fromkeys(hit.document for hit in hits))
    rows = LibraryDocument.objects.select_related("content").defer(*HEAVY_COLUMNS).in_bulk(ranked)
    allowed = [pk for pk in ranked if pk in rows and not refusal_of(rows[pk], config)]
    first = sorted(allowed, key=lambda pk: not config.is_priority(rows[pk].url))  # stable: else by their rank
    return {pk: rows[pk] for pk in first[: config.target_sources]}
