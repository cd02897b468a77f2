"""browse: read what a search of the run found, or what is a source of it already; a page of the web is fetched.

A fetched page is a source of the run from then on.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Protocol

from pydantic import Field

from research.governance.limits import most
from research.library.addresses import find_by_url
from research.library.sources import FoundPage, passages_of
from research.models import AgentRole, Content, LibraryDocument, Source
from research.tenancy import in_tenant
from research.tools.evidence.addresses import page_named, source_named
from research.tools.evidence.allowed import Allowed, allowed_in
from research.tools.evidence.handles import (
    document_handle,
    document_of,
    is_handle,
    source_handle,
    unknown,
)
from research.tools.evidence.pacing import check_fetches
from research.tools.evidence.page_reading import full, read_page
from research.tools.evidence.registering import is_full
from research.tools.tool import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use

_WORD = re.compile(r"\S+")
SUMMARY_WORDS = 500
MOST_CHARACTERS = 16_000  # of content in one answer
MOST_TABLES, MOST_ROWS = 5, 30
WORDS_A_MINUTE = 230  # a reader's pace


class Mode(StrEnum):
    SUMMARY = "summary"
    FULL = "full"


class BrowseInput(ToolInput):
    """Read a document."""

    url: str = Field(
        max_length=2_000, description="An id from search (lib-…, web-…) or of a source (src-…), or its URL."
    )
    mode: Mode = Field(Mode.SUMMARY, description="summary: the first 500 words; full: from `start` on.")
    start: int = Field(0, ge=0, description="Character to begin at, in full mode.")
    tables: bool = False


class BrowsedTable(ToolOutput):
    headers: list[str]
    rows: list[list[str]]
    caption: str = ""


class BrowseOutput(ToolOutput):
    id: str
    final_url: str = ""
    title: str
    author: str = ""
    published: str = "date unknown"
    modified: str = ""
    content: str
    next_start: int | None = Field(None, description="Where to go on; absent at the end.")
    tables: list[BrowsedTable] = Field(default_factory=list)
    domain: str = ""
    language: str = ""
    passages: list[int] = Field(default_factory=list, description="What is shown, as indexes for store.")
    words: int
    reading_minutes: int
    has_paywall: bool = False
    source_type: str = ""
    fetched: bool = Field(False, description="From the web just now, and a source of the run since.")


class Page(Protocol):
    """What a library document and a source have in common."""

    title: str
    url: str
    author: str
    published_date: str
    modified_date: str
    source_type: str


@dataclass(frozen=True, slots=True)
class ToFetch:
    """A page that the run may read and has not read yet."""

    page: FoundPage
    allowed: Allowed


async def browse(given: BrowseInput, use: Use) -> BrowseOutput:
    known = await in_tenant(use.step.tenant_id, partial(_known, given, use))
    if isinstance(known, BrowseOutput):
        return known
    source = await read_page(known.page, known.allowed, use)
    return await in_tenant(use.step.tenant_id, partial(_of_source, source, given, fetched=True))


def _known(given: BrowseInput, use: Use) -> BrowseOutput | ToFetch:
    run_id, wanted = use.step.run_id, given.url.strip()
    source = source_named(run_id, wanted)
    if source is not None and source.content is not None:
        return _of_source(source, given)
    if use.role == AgentRole.VERIFIER:  # who checks looks at the evidence and at nothing else
        raise unknown(wanted) if is_handle(wanted) else _blocked()
    if wanted.startswith("lib-"):
        return _of_document(document_of(run_id, wanted), given)
    allowed = allowed_in(run_id)
    page = page_named(run_id, wanted, allowed)
    if page is not None:
        _check(page, allowed, use)
        return ToFetch(page, allowed)
    if is_handle(wanted):
        raise unknown(wanted)
    document = find_by_url(wanted)
    if document is None:
        raise _blocked()
    return _of_document(document_of(run_id, document_handle(document.pk)), given)


def _check(page: FoundPage, allowed: Allowed, use: Use) -> None:
    """Raises ToolError for what is not to be fetched, or not now."""
    if not allowed.uses_web:
        raise ToolError(ToolCode.BLOCKED, "This run reads nothing from the web.")
    reason = allowed.refusal(page.url)
    if reason:
        raise ToolError(ToolCode.BLOCKED, reason)
    if is_full(use.step.run_id):
        raise full()
    check_fetches(use)


def _blocked() -> ToolError:
    words = "Only what the run's searches found, and what its sources name, can be read; search first."
    return ToolError(ToolCode.BLOCKED, words)


def _of_document(document: LibraryDocument, given: BrowseInput) -> BrowseOutput:
    return _output(document_handle(document.pk), document, document.content, document, given)


def _of_source(source: Source, given: BrowseInput, *, fetched: bool = False) -> BrowseOutput:
    document = source.library_document
    if document is not None and document.content_id != source.content_id:
        document = None  # it was read anew: its passages are of another text
    shown = _output(source_handle(source.pk), source, source.content, document, given)
    return shown.model_copy(update={"domain": source.domain, "fetched": fetched})


def _output(
    handle: str, page: Page, content: Content | None, document: LibraryDocument | None, given: BrowseInput
) -> BrowseOutput:
    if content is None:
        raise ToolError(ToolCode.EXTRACTION_FAILED, "This source has not been read.")
    start, end = _stretch(content.text, given)
    return BrowseOutput(
        id=handle,
        final_url=page.url,
        title=page.title,
        author=page.author,
        published=page.published_date or "date unknown",
        modified=page.modified_date,
        content=content.text[start:end],
        next_start=end if end < len(content.text) else None,
        passages=_passages(document, start, end) if document else [],
        tables=list(_tables(content.tables)) if given.tables else [],
        language=content.language,
        words=content.word_count,
        reading_minutes=max(1, round(content.word_count / WORDS_A_MINUTE)),
        has_paywall=content.has_paywall,
        source_type=page.source_type,
    )


def _stretch(text: str, given: BrowseInput) -> tuple[int, int]:
    """What of the frozen text is shown as it stands, so that quotes of it can be anchored."""
    if given.mode is Mode.SUMMARY:
        return 0, _end_of_words(text, SUMMARY_WORDS)
    start = min(given.start, len(text))
    end = min(len(text), start + MOST_CHARACTERS)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + 1)
    return start, end


def _passages(document: LibraryDocument, start: int, end: int) -> list[int]:
    shown = passages_of(document).filter(start_offset__lt=end, end_offset__gt=start)
    return list(shown.values_list("chunk_index", flat=True))


def _end_of_words(text: str, words: int) -> int:
    last = next(islice(_WORD.finditer(text), words - 1, None), None)
    return min(last.end() if last else len(text), MOST_CHARACTERS)


def _tables(stored: Sequence[dict[str, object]]) -> Iterator[BrowsedTable]:
    for table in stored[:MOST_TABLES]:
        shown = BrowsedTable.model_validate(table)
        yield shown.model_copy(update={"rows": shown.rows[:MOST_ROWS]})


def browse_tool() -> Tool[BrowseInput, BrowseOutput]:
    return Tool(
        "browse",
        "Read what search found or what is a source of this run, by its id or URL; a web page becomes a source.",
        BrowseInput,
        browse,
        most("browse_s"),
    )
