"""Collecting: each query of the plan searches the library; the documents of the best passages become sources."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from pydantic import TypeAdapter

from citations.models import DomainRule
from research.agents.extractive.question import analyse
from research.library.addresses import canonical_url, find_by_url
from research.library.scope import Scope
from research.library.sources import FoundPage, source_row
from research.lifecycle.failures import StepError
from research.lifecycle.recipe import JsonObject, StepResult, StepWork
from research.llm.calls import Payer
from research.llm.errors import ModelError
from research.meaning import query_meaning
from research.models import AgentRole, LibraryDocument, Run, Source, SourceStatus, Step, StepStatus
from research.recipes.report.collecting.page_hits import read_pages
from research.recipes.report.collecting.pages import add_pages
from research.recipes.report.config import ReportConfig
from research.retrieval import Hit, Meaning, cards, rarity, retrieve
from research.tenancy import tenant_context

_HITS = TypeAdapter(list[Hit])
WHOLE_DOCUMENT = 1.0  # score of the passages of a page that the owner asked to be read


def search(work: StepWork) -> StepResult:
    query = str(work.input["query"])
    question = analyse(query)
    meaning, skipped = _meaning(query, work)
    with tenant_context(work.tenant_id):
        config = ReportConfig.model_validate(Run.objects.get(pk=work.run_id).config)
        scope = config.scope
        rare = rarity(question, scope)
        hits = retrieve(question, meaning, scope, known=cards(scope), rare=rare)
        documents = _best_documents(hits, config.target_sources)
    kept = [hit for hit in hits if hit.document in documents]
    subtopic = str(work.input["subtopic"])
    return StepResult(
        {
            "query": query,
            "found": len(hits),
            "documents": len(documents),
            "hits": _HITS.dump_python(kept, mode="json"),
            **skipped,
        },
        save=lambda: add_sources(work.run_id, documents.values(), subtopic),
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
        hits = [Hit(pk, document.pk, start, end, WHOLE_DOCUMENT) for pk, start, end in places]
    return StepResult(
        {"url": url, "found": len(hits), "hits": _HITS.dump_python(hits, mode="json")},
        save=lambda: add_sources(work.run_id, [document], ""),
        activity=f"Reading {url}"[:300],
    )


def _to_fetch(work: StepWork, url: str) -> StepResult:
    """Raises StepError for what is no web address."""
    if not canonical_url(url):
        raise StepError("PAGE_NOT_FOUND", f"{url} is no web address.")

    def save() -> None:
        add_pages(work.run_id, [FoundPage(url)])

    return StepResult({"url": url, "found": 0, "hits": []}, save=save, activity=f"Noting {url}"[:300])


def scope_of(config: ReportConfig, run_id: UUID) -> Scope:
    """What the report may be written from: the library as asked for, or with the web the run's own sources."""
    return Scope(run=run_id) if config.uses_web else config.scope


def planning_scope(config: ReportConfig, run_id: UUID) -> Scope:
    """What is known before anything was searched. On the web alone that is nothing."""
    return config.scope if config.uses_library else Scope(run=run_id)


def hits_of(run_id: UUID, document: UUID | None = None) -> list[Hit]:
    """What the run's searches found, in all documents or in one. Needs the tenant set."""
    outputs = Step.objects.filter(
        run_id=run_id, handler__in=("report.search", "report.url"), status=StepStatus.COMPLETED
    ).values_list("output", flat=True)
    wanted = None if document is None else str(document)
    found = (stored for output in outputs for stored in output["hits"])
    hits = _HITS.validate_python([stored for stored in found if wanted in (None, stored["document"])])
    pages = (one.hit for page in read_pages(run_id) for one in page)
    return [*hits, *(hit for hit in pages if document in (None, hit.document))]


def add_sources(run_id: UUID, documents: Iterable[LibraryDocument], subtopic: str) -> None:
    """A source for each document that the run does not have yet. Runs inside the step's transaction.

    Of several searches that find one document, it counts for the first of the plan, whichever ends first.
    """
    rules = DomainRule.objects.as_rules()
    found = [
        source_row(run_id, document, rules, status=SourceStatus.PENDING, subtopic=subtopic)
        for document in documents
    ]
    Source.objects.bulk_create(found, ignore_conflicts=True)
    run = Run.objects.filter(pk=run_id)
    if subtopic:
        names = [one["name"] for one in run.only("plan").get().plan["subtopics"]]
        later = ["", *names[names.index(subtopic) + 1 :]]
        known = Source.objects.filter(run_id=run_id, canonical_url__in=[one.canonical_url for one in found])
        known.filter(subtopic__in=later).update(subtopic=subtopic)
    run.update(sources_found=Source.objects.filter(run_id=run_id).count())


def _best_documents(hits: Sequence[Hit], most: int) -> dict[UUID, LibraryDocument]:
    """The documents of the best passages, at most `most` of them."""
    ranked = list(dict.fromkeys(hit.document for hit in hits))[:most]
    return (
        LibraryDocument.objects.select_related("content")
        .defer("content__text", "content__blocks")
        .in_bulk(ranked)
    )
