"""Short names of rows for models, and back: what does not resolve within the run does not exist.

A handle is a prefix and the last 12 hexadecimal digits of the row's id (the random end of a UUID version 7):
"src-4f1c09b7aa3e" is a source of the run, "src-4f1c09b7aa3e.3" its chunk with index 3, "lib-…" a document that a
search of this run found, "lib-….7" its passage with index 7.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast

from research.models import AgentMessage, LibraryDocument, MessageStatus, Source
from research.tools.tool import ToolCode, ToolError

DIGITS = 12
_HANDLE = re.compile(rf"(src|lib)-([0-9a-f]{{{DIGITS}}})(?:\.(\d{{1,6}}))?")
SOURCE_PATTERN = rf"^src-[0-9a-f]{{{DIGITS}}}$"
ANY_PATTERN = rf"^(src|lib)-[0-9a-f]{{{DIGITS}}}$"


@dataclass(frozen=True, slots=True)
class Handle:
    """A handle taken apart; `index` None: the whole document."""

    kind: str
    tail: str
    index: int | None = None


def source_handle(source_id: UUID, index: int | None = None) -> str:
    return _written("src", source_id, index)


def document_handle(document_id: UUID, index: int | None = None) -> str:
    return _written("lib", document_id, index)


def _written(kind: str, row_id: UUID, index: int | None) -> str:
    whole = f"{kind}-{row_id.hex[-DIGITS:]}"
    return whole if index is None else f"{whole}.{index}"


def read_handle(text: str) -> Handle:
    """Raises ToolError for what has not the form of a handle."""
    match = _HANDLE.fullmatch(text.strip())
    if match is None:
        raise unknown(text)
    return Handle(match[1], match[2], int(match[3]) if match[3] else None)


def unknown(text: str) -> ToolError:
    shown = re.sub(r"[^\w.\-:/]", "", text)[:60]
    return ToolError(ToolCode.UNKNOWN_ID, f"This run knows no “{shown}”; use ids that its tools returned.")


def source_of(run_id: UUID, text: str) -> Source:
    """The run's source of this handle, or of a document's that became one. Raises ToolError. Needs the tenant set."""
    handle = read_handle(text)
    column = "pk" if handle.kind == "src" else "library_document_id"
    ids = Source.objects.filter(run_id=run_id, **{f"{column}__isnull": False}).values_list("pk", column)
    found = [pk for pk, own in ids if own.hex.endswith(handle.tail)]
    if len(found) != 1:
        raise unknown(text)
    return Source.objects.select_related("content").get(pk=found[0])


def document_of(run_id: UUID, text: str) -> LibraryDocument:
    """The library document of this handle, if the run's searches found it. Raises ToolError. Needs the tenant set."""
    handle = read_handle(text)
    if handle.kind != "lib" or not _was_found(run_id, f"lib-{handle.tail}"):
        raise unknown(text)
    rows = LibraryDocument.objects.select_related("content").annotate(written=Cast("id", CharField()))
    found = list(rows.filter(written__endswith=handle.tail)[:2])
    if len(found) != 1 or found[0].content is None:
        raise ToolError(ToolCode.PAGE_NOT_FOUND, "The document is not in the library any more.")
    return found[0]


def _was_found(run_id: UUID, handle: str) -> bool:
    """By a search of the run's agents, or by its recipe, which made it a source."""
    searches = AgentMessage.objects.filter(
        run_id=run_id, recipient="tool:search", status=MessageStatus.COMPLETED
    )
    listed = searches.values_list("result__output__results", flat=True)
    if any(result["id"] == handle for results in listed for result in results or ()):
        return True
    sources = Source.objects.filter(run_id=run_id, library_document__isnull=False)
    return handle in {document_handle(document.pk) for document in _documents(sources)}


def _documents(sources: QuerySet[Source]) -> QuerySet[LibraryDocument]:
    return LibraryDocument.objects.filter(pk__in=sources.values("library_document")).only("pk")


def resolved_sources(run_id: UUID, handles: Iterable[str]) -> list[Source]:
    """In the order of the handles, each once. Raises ToolError. Needs the tenant set."""
    found = {source.pk: source for source in (source_of(run_id, one) for one in handles)}
    return list(found.values())
