"""browse: read a document that a search of the run found, or that is a source of it already."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Protocol
from uuid import UUID

from pydantic import Field

from research.library.addresses import canonical_url, find_by_url
from research.models import AgentRole, Content, LibraryDocument, Source
from research.tools.handles import document_handle, document_of, source_handle, source_of
from research.tools.rows import in_tenant
from research.tools.tool import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use

_WORD = re.compile(r"\S+")
LIMIT_S = 60.0
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
        max_length=2_000, description="An id from search (lib-…) or of a source (src-…), or its URL."
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
    words: int
    reading_minutes: int
    has_paywall: bool = False
    source_type: str = ""


class Page(Protocol):
    """What a library document and a source have in common."""

    title: str
    url: str
    author: str
    published_date: str
    modified_date: str
    source_type: str


async def browse(given: BrowseInput, use: Use) -> BrowseOutput:
    return await in_tenant(use.step.tenant_id, partial(_browse, given, use))


def _browse(given: BrowseInput, use: Use) -> BrowseOutput:
    run_id = use.step.run_id
    if use.role == AgentRole.VERIFIER:  # who checks looks at the evidence and at nothing else
        return _of_source(_source_by(run_id, given.url), given)
    if given.url.startswith("lib-"):
        return _of_document(document_of(run_id, given.url), given)
    if given.url.startswith("src-"):
        return _of_source(source_of(run_id, given.url), given)
    return _by_url(run_id, given)


def _by_url(run_id: UUID, given: BrowseInput) -> BrowseOutput:
    """Only what is known already: a URL that a model put together is never fetched."""
    source = _source_at(run_id, given.url)
    if source is not None:
        return _of_source(source, given)
    document = find_by_url(given.url)
    if document is None:
        raise _blocked()
    return _of_document(document_of(run_id, document_handle(document.pk)), given)


def _source_by(run_id: UUID, text: str) -> Source:
    if text.startswith(("lib-", "src-")):
        return source_of(run_id, text)
    source = _source_at(run_id, text)
    if source is None:
        raise _blocked()
    return source


def _source_at(run_id: UUID, url: str) -> Source | None:
    wanted = canonical_url(url)
    rows = Source.objects.filter(run_id=run_id).exclude(url="").select_related("content")
    return next((row for row in rows if wanted and canonical_url(row.url) == wanted), None)


def _blocked() -> ToolError:
    words = "Only documents of the library and sources of this run can be read; search for them first."
    return ToolError(ToolCode.BLOCKED, words)


def _of_document(document: LibraryDocument, given: BrowseInput) -> BrowseOutput:
    return _output(document_handle(document.pk), document, document.content, "", given)


def _of_source(source: Source, given: BrowseInput) -> BrowseOutput:
    return _output(source_handle(source.pk), source, source.content, source.domain, given)


def _output(
    handle: str, page: Page, content: Content | None, domain: str, given: BrowseInput
) -> BrowseOutput:
    if content is None:
        raise ToolError(ToolCode.EXTRACTION_FAILED, "This source has not been read.")
    shown, following = _content(content.text, given)
    return BrowseOutput(
        id=handle,
        final_url=page.url,
        title=page.title,
        author=page.author,
        published=page.published_date or "date unknown",
        modified=page.modified_date,
        content=shown,
        next_start=following,
        tables=list(_tables(content.tables)) if given.tables else [],
        domain=domain,
        language=content.language,
        words=content.word_count,
        reading_minutes=max(1, round(content.word_count / WORDS_A_MINUTE)),
        has_paywall=content.has_paywall,
        source_type=page.source_type,
    )


def _content(text: str, given: BrowseInput) -> tuple[str, int | None]:
    """A stretch of the frozen text as it stands, so that quotes of it can be anchored; and where the next begins."""
    if given.mode is Mode.SUMMARY:
        end = _end_of_words(text, SUMMARY_WORDS)
        return text[:end], end if end < len(text) else None
    end = min(len(text), given.start + MOST_CHARACTERS)
    if end < len(text):
        end = max(text.rfind(" ", given.start, end), given.start + 1)
    return text[given.start : end], end if end < len(text) else None


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
        "Read a document that search found or that is a source of this run, by its id or URL.",
        BrowseInput,
        browse,
        LIMIT_S,
    )
