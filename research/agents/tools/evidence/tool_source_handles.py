"""Map rows to short handles for models and back; a handle that does not resolve within the run is unknown.

A handle is a prefix and the last 12 hexadecimal digits of the row's id (the random end of a UUID version 7):
"src-4f1c09b7aa3e" is a source of the run, "src-4f1c09b7aa3e.3" its chunk with index 3, "lib-…" a document that a
search of this run found, "lib-….7" its passage with index 7. "web-…" is a page that a search found and that may not
have been read yet: digits of its URL's hash.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import CharField
from django.db.models.functions import Cast

from research.agents.tools.tool_interface import ToolCode, ToolError
from research.fetching.canonical_urls import canonical_url
from research.models import AgentMessage, LibraryDocument, MessageStatus, Source

DIGITS = 12
_HANDLE = re.compile(rf"(src|lib|web)-([0-9a-f]{{{DIGITS}}})(?:\.\d{{1,6}})?")
SOURCE_PATTERN = rf"^src-[0-9a-f]{{{DIGITS}}}$"
ANY_PATTERN = rf"^(src|lib|web)-[0-9a-f]{{{DIGITS}}}$"
# Large columns that few callers need.
TEXTS = ("content__text", "content__blocks", "content__pages")


def source_handle(source_id: UUID, index: int | None = None) -> str:
    return _format_handle("src", source_id, index)


def document_handle(document_id: UUID, index: int | None = None) -> str:
    return _format_handle("lib", document_id, index)


def page_handle(url: str) -> str:
    """Return the handle of a page, the same for all spellings of its URL; "" for an invalid one."""
    return _page_handle(canonical_url(url))


def _page_handle(canonical: str) -> str:
    return f"web-{hashlib.sha256(canonical.encode()).hexdigest()[:DIGITS]}" if canonical else ""


def _format_handle(kind: str, row_id: UUID, index: int | None) -> str:
    whole = f"{kind}-{row_id.hex[-DIGITS:]}"
    return whole if index is None else f"{whole}.{index}"


def is_handle(text: str) -> bool:
    """Return True if the text has the form of a handle, known or not."""
    return text.startswith(("src-", "lib-", "web-"))


def unknown(text: str) -> ToolError:
    shown = re.sub(r"[^\w.\-:/]", "", text)[:60]
    return ToolError(ToolCode.UNKNOWN_ID, f"This run knows no “{shown}”; use ids that its tools returned.")


def source_of(run_id: UUID, text: str) -> Source:
    """Return the run's source with this handle, or with that of its document or page. Raises ToolError.

    Needs the tenant set, as all functions below.
    """
    return _require_source(find_sources(run_id, [text]), text)


def resolve_sources(run_id: UUID, handles: Iterable[str]) -> list[Source]:
    """Return the sources in the order of the handles, each once, without their texts. Raises ToolError."""
    requested = list(handles)
    sources = find_sources(run_id, requested, but=TEXTS)
    return list(
        {source.pk: source for source in (_require_source(sources, handle) for handle in requested)}.values()
    )


def find_sources(run_id: UUID, handles: Iterable[str], but: Sequence[str] = ()) -> Mapping[str, Source]:
    """Return the run's sources by handle; unknown handles are left out. `but`: columns not to load."""
    wanted = {
        text: f"{match[1]}-{match[2]}" for text in handles if (match := _HANDLE.fullmatch(text.strip()))
    }
    ids = _ids(run_id, frozenset(wanted.values())) if wanted else {}
    rows = Source.objects.select_related("content").defer(*but).in_bulk(ids.values())
    return {text: rows[ids[name]] for text, name in wanted.items() if name in ids}


def _ids(run_id: UUID, wanted: frozenset[str]) -> Mapping[str, UUID]:
    """Return source ids by the wanted handles; ambiguous handles are left out."""
    ids: dict[str, set[UUID]] = {}
    rows = Source.objects.filter(run_id=run_id)
    for pk, document, address in rows.values_list("pk", "library_document_id", "canonical_url"):
        names = {source_handle(pk), *map(document_handle, filter(None, [document])), _page_handle(address)}
        for name in wanted & names:
            ids.setdefault(name, set()).add(pk)
    return {name: next(iter(pks)) for name, pks in ids.items() if len(pks) == 1}


def _require_source(known: Mapping[str, Source], text: str) -> Source:
    if text not in known:
        raise unknown(text)
    return known[text]


def document_of(run_id: UUID, text: str) -> LibraryDocument:
    """Return the library document with this handle, if the run's searches found it. Raises ToolError."""
    match = _HANDLE.fullmatch(text.strip())
    if match is None or match[1] != "lib" or not _was_found(run_id, f"lib-{match[2]}"):
        raise unknown(text)
    rows = LibraryDocument.objects.select_related("content").annotate(written=Cast("id", CharField()))
    found = list(rows.filter(written__endswith=match[2])[:2])
    if len(found) != 1 or found[0].content is None:
        raise ToolError(ToolCode.PAGE_NOT_FOUND, "The document is not in the library any more.")
    return found[0]


def _was_found(run_id: UUID, handle: str) -> bool:
    """Return True if a search of the run's agents found it, or its pipeline made it a source."""
    return search_result(run_id, handle) is not None or bool(find_sources(run_id, [handle]))


def search_result(run_id: UUID, handle: str) -> Mapping[str, str] | None:
    """Return the search result of the run that has this handle; None if there is none."""
    searches = AgentMessage.objects.filter(
        run_id=run_id,
        recipient="tool:search",
        status=MessageStatus.COMPLETED,
        result__contains={"output": {"results": [{"id": handle}]}},
    )
    results = searches.values_list("result__output__results", flat=True).first() or ()
    return next((result for result in results if result["id"] == handle), None)
