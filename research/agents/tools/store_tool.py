"""store: make a document a source of the run, and passages of it chunks that can be cited."""

from functools import partial

from django.db.models.functions import Now
from pydantic import Field

from research.agents.tools.evidence.read_page_with_tool import full
from research.agents.tools.evidence.register_agent_sources import (
    RegistryFull,
    register_chunks,
    register_source,
)
from research.agents.tools.evidence.tool_source_handles import (
    ANY_PATTERN,
    TEXTS,
    document_of,
    find_sources,
    source_handle,
    unknown,
)
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.library.sources_from_library import passages_of
from research.models import LibraryDocument, Run, Source, SourceStatus

MAX_AT_ONCE = 20


class StoreInput(ToolInput):
    """Keep a document as a source."""

    source: str = Field(pattern=ANY_PATTERN, description="An id from search.")
    chunks: list[int] = Field(
        default_factory=list,
        max_length=MAX_AT_ONCE,
        description="Indexes of passages to keep, as search lists them; empty: the document without any.",
    )


class StoreOutput(ToolOutput):
    source: str
    chunks: list[str] = Field(description="Ids of the chunks, by which they are cited.")
    count: int = Field(description="How many of them are new.")


async def store(given: StoreInput, use: Use) -> StoreOutput:
    return await in_tenant(use.step.tenant_id, partial(_store, given, use))


def _store(given: StoreInput, use: Use) -> StoreOutput:
    source, document = _source(given.source, use)
    passages = list(passages_of(document).filter(chunk_index__in=given.chunks))
    if len(passages) < len(set(given.chunks)):
        raise ToolError(ToolCode.UNKNOWN_ID, "The document has no passages of some of these indexes.")
    source = source or _register_document(document, use)
    if source.content_id != document.content_id:
        words = "The document was read anew since it became a source; its passages are of another text."
        raise ToolError(ToolCode.EXTRACTION_FAILED, words)
    chunks, count = register_chunks(source, passages)
    if chunks:
        _process(source)
    handles = [source_handle(source.pk, chunk.chunk_index) for chunk in chunks]
    return StoreOutput(source=source_handle(source.pk), chunks=handles, count=count)


def _source(handle: str, use: Use) -> tuple[Source | None, LibraryDocument]:
    """Return the source and document with this handle; the source is None if the document is not one yet."""
    if handle.startswith("lib-"):
        return None, document_of(use.step.run_id, handle)
    known = find_sources(use.step.run_id, [handle], but=TEXTS).get(handle)
    if known is None and handle.startswith("web-"):
        raise ToolError(ToolCode.UNKNOWN_ID, "Nobody has read this page yet; read it with browse first.")
    if known is None:
        raise unknown(handle)
    if known.library_document is None:
        raise ToolError(
            ToolCode.EXTRACTION_FAILED,
            "The source was not read, or its document is not in the library any more.",
        )
    return known, known.library_document


def _register_document(document: LibraryDocument, use: Use) -> Source:
    try:
        return register_source(use.step.run_id, document)
    except RegistryFull:
        raise full() from None


def _process(source: Source) -> None:
    """Mark the source as processed, as it now has chunks that can be cited."""
    fresh = Source.objects.filter(pk=source.pk, status=SourceStatus.EXTRACTED)
    if fresh.update(status=SourceStatus.PROCESSED, processed_at=Now(), updated_at=Now()):
        processed = Source.objects.filter(run_id=source.run_id, status=SourceStatus.PROCESSED).count()
        Run.objects.filter(pk=source.run_id).update(sources_processed=processed)


def store_tool() -> Tool[StoreInput, StoreOutput]:
    return Tool("store", "Keep what was found or read, and passages of it, as evidence.", StoreInput, store)
