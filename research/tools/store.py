"""store: make a found document a source of the run, and passages of it chunks that can be cited."""

from functools import partial

from pydantic import Field

from research.models import LibraryChunk, LibraryDocument, Source, SourceStatus
from research.tools.handles import ANY_PATTERN, document_of, source_handle, source_of
from research.tools.registering import RegistryFull, register_chunks, register_source
from research.tools.rows import in_tenant
from research.tools.tool import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use

MOST_AT_ONCE = 20


class StoreInput(ToolInput):
    """Keep a document as a source."""

    source: str = Field(pattern=ANY_PATTERN, description="An id from search.")
    chunks: list[int] = Field(
        default_factory=list,
        max_length=MOST_AT_ONCE,
        description="Indexes of passages to keep, as search lists them; empty: the document without any.",
    )


class StoreOutput(ToolOutput):
    source: str
    chunks: list[str] = Field(description="Ids of the chunks, by which they are cited.")
    count: int = Field(description="How many of them are new.")


async def store(given: StoreInput, use: Use) -> StoreOutput:
    return await in_tenant(use.step.tenant_id, partial(_store, given, use))


def _store(given: StoreInput, use: Use) -> StoreOutput:
    document = _document(given.source, use)
    passages = list(
        LibraryChunk.objects.filter(document=document, chunk_index__in=given.chunks).order_by("chunk_index")
    )
    if len(passages) < len(set(given.chunks)):
        raise ToolError(ToolCode.UNKNOWN_ID, "The document has no passages of some of these indexes.")
    try:
        source = register_source(use.step.run_id, document)
    except RegistryFull:
        raise ToolError(ToolCode.NOT_AVAILABLE, "The run has as many sources as it may.") from None
    chunks, count = register_chunks(source, passages)
    if chunks:
        Source.objects.filter(pk=source.pk, status=SourceStatus.EXTRACTED).update(
            status=SourceStatus.PROCESSED
        )
    handles = [source_handle(source.pk, chunk.chunk_index) for chunk in chunks]
    return StoreOutput(source=source_handle(source.pk), chunks=handles, count=count)


def _document(handle: str, use: Use) -> LibraryDocument:
    if handle.startswith("lib-"):
        return document_of(use.step.run_id, handle)
    document = source_of(use.step.run_id, handle).library_document
    if document is None:
        raise ToolError(ToolCode.EXTRACTION_FAILED, "The source's document is not in the library any more.")
    return document


def store_tool() -> Tool[StoreInput, StoreOutput]:
    return Tool("store", "Keep a found document, and passages of it, as evidence.", StoreInput, store)
