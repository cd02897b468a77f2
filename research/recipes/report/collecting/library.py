"""Collecting: each query of the plan searches the library; the documents of the best passages become sources."""

import hashlib
from collections.abc import Iterator, Sequence
from uuid import UUID

from research.agents.extractive.question import analyse
from research.library.addresses import canonical_url, find_by_url
from research.library.sources import FoundPage
from research.lifecycle.failures import StepError
from research.lifecycle.recipe import JsonObject, StepDraft, StepResult, StepWork
from research.llm.calls import Payer
from research.llm.errors import ModelError
from research.meaning import query_meaning
from research.models import AgentRole, LibraryDocument, Run
from research.models.schemas import Plan
from research.recipes.report.collecting.sources import add_documents, add_pages
from research.recipes.report.config import ReportConfig
from research.recipes.report.found import FoundPassage, stored_passages
from research.recipes.report.work import Work
from research.retrieval import Hit, Meaning, cards, rarity, retrieve
from research.tenancy import tenant_context

WHOLE_DOCUMENT = 1.0  # score of the passages of a page that the owner asked to be read


def search_drafts(run: Run) -> Iterator[StepDraft]:
    """A search for each query of the plan, where the library may be drawn on."""
    if not ReportConfig.model_validate(run.config).uses_library:
        return
    for index, subtopic in enumerate(Plan.model_validate(run.plan).subtopics):
        for number, query in enumerate(subtopic.queries):
            yield StepDraft(
                f"plan.{index}/search.{number}",
                Work.SEARCH_LIBRARY,
                AgentRole.RESEARCHER,
                input={"subtopic": subtopic.name, "query": query},
                tool_name="search",
                agent_id=f"researcher-{index + 1}",
            )


def url_drafts(run: Run) -> Iterator[StepDraft]:
    """A step for each page that must be read."""
    for url in ReportConfig.model_validate(run.config).urls:
        key = hashlib.sha256(url.encode()).hexdigest()[:12]
        yield StepDraft(
            f"url.{key}", Work.TAKE_URL, AgentRole.RESEARCHER, input={"url": url}, tool_name="browse"
        )


def search_library(work: StepWork) -> StepResult:
    query = str(work.input["query"])
    question = analyse(query)
    meaning, skipped = _meaning(query, work)
    with tenant_context(work.tenant_id):
        config = ReportConfig.model_validate(Run.objects.get(pk=work.run_id).config)
        scope = config.scope
        rare = rarity(question, scope)
        hits = retrieve(question, meaning, scope, known=cards(scope), rare=rare)
        documents = _best_documents(hits, config.target_sources)
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
            "hits": stored_passages(found),
            **skipped,
        },
        save=lambda: add_documents(work.run_id, documents.values(), subtopic),
        activity=f"Searching for “{query}”"[:300],
    )


def _meaning(query: str, work: StepWork) -> tuple[Meaning | None, JsonObject]:
    """Without a vector words alone find passages: the note is for the step's log."""
    try:
        return query_meaning(query, Payer(work, AgentRole.RESEARCHER)), {}
    except ModelError as error:
        note = {"provider": "Search by meaning", "message": error.message, "code": error.code.value}
        return None, {"skipped": [note]}


def take_url(work: StepWork) -> StepResult:
    """A page that must be read: its copy in the library, whole; else, where the web may be used, it is fetched."""
    url = str(work.input["url"])
    with tenant_context(work.tenant_id):
        config = ReportConfig.model_validate(Run.objects.get(pk=work.run_id).config)
        document = find_by_url(url) if config.uses_library else None
        if document is None and config.uses_web:
            return _to_fetch(work, url)
        if document is None:
            raise StepError("PAGE_NOT_FOUND", f"The library holds no copy of {url}.")
        places = document.chunks.values_list("pk", "start_offset", "end_offset").order_by("chunk_index")
        found = [FoundPassage(pk, document.pk, start, end, WHOLE_DOCUMENT) for pk, start, end in places]
    return StepResult(
        {"url": url, "found": len(found), "hits": stored_passages(found)},
        save=lambda: add_documents(work.run_id, [document], ""),
        activity=f"Reading {url}"[:300],
    )


def _to_fetch(work: StepWork, url: str) -> StepResult:
    """Raises StepError for what is no web address."""
    if not canonical_url(url):
        raise StepError("PAGE_NOT_FOUND", f"{url} is no web address.")

    def save() -> None:
        add_pages(work.run_id, [FoundPage(url)])

    return StepResult({"url": url, "found": 0, "hits": []}, save=save, activity=f"Noting {url}"[:300])


def _best_documents(hits: Sequence[Hit], most: int) -> dict[UUID, LibraryDocument]:
    """The documents of the best passages, at most `most` of them."""
    ranked = list(dict.fromkeys(hit.document for hit in hits))[:most]
    return (
        LibraryDocument.objects.select_related("content")
        .defer("content__text", "content__blocks")
        .in_bulk(ranked)
    )
