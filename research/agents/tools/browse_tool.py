"""browse: read a search result or a source of the run; web pages are fetched.

A fetched page becomes a source of the run.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Protocol

from pydantic import Field

from research.agents.tools.evidence.agent_follow_links import FollowedLink, follow_links
from research.agents.tools.evidence.agent_source_address import page_named, source_named
from research.agents.tools.evidence.read_page_with_tool import PageReadingOptions, full, read_page
from research.agents.tools.evidence.register_agent_sources import is_full
from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings, load_allowed
from research.agents.tools.evidence.tool_rate_limits import check_fetches
from research.agents.tools.evidence.tool_source_handles import (
    document_handle,
    document_of,
    is_handle,
    source_handle,
    unknown,
)
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.fetching.canonical_urls import find_by_url
from research.fetching.fetched_page_images import images_of
from research.library.pages_saved_in_library import variant_address
from research.library.sources_from_library import FoundPage, passages_of
from research.llm.budgets.budget_limits import most
from research.models import AgentRole, Content, LibraryDocument, Source
from research.models.schemas import PageAction, PageControl, RenderingWish
from research.storage.object_store import ObjectError, get_object

_WORD = re.compile(r"\S+")
SUMMARY_WORDS = 500
MAX_CHARACTERS = 16_000  # of content per answer
MAX_TABLES, MAX_ROWS = 5, 30
MAX_IMAGES, MAX_ACTIONS = 20, 10
MAX_ACTIONS_OF_A_PAGE = 30  # in all calls together
WORDS_A_MINUTE = 230  # reading speed


class BrowseMode(StrEnum):
    SUMMARY = "summary"
    FULL = "full"
    DEEP = "deep"


class BrowseInput(ToolInput):
    """Read a document."""

    url: str = Field(
        max_length=2_000, description="An id from search (lib-…, web-…) or of a source (src-…), or its URL."
    )
    mode: BrowseMode = Field(
        BrowseMode.SUMMARY,
        description="summary: the first 500 words; full: from `start` on; deep: also reads pages it links to.",
    )
    start: int = Field(0, ge=0, description="Character to begin at, in full mode.")
    tables: bool = False
    images: bool = Field(False, description="Name the pictures of the page, with their captions.")
    wait_for: str = Field(
        "", max_length=300, description="Show the page in a browser until this CSS selector is there."
    )
    scroll_to_bottom: bool = Field(False, description="In a browser, for what is loaded on the way down.")
    actions: list[PageAction] = Field(
        default_factory=list,
        max_length=MAX_ACTIONS,
        description="Done in a browser, for text that hides behind them.",
    )
    controls: bool = Field(
        False, description="Show the page in a browser and number what can be clicked or filled on it."
    )
    go_on: bool = Field(
        False,
        description="Act on the page as an earlier browse with actions or controls left it: `url` is the id that it"
        " gave. Its actions are done again first, so give only the new ones.",
    )
    timeout_s: float = Field(30.0, ge=5, le=60, description="Seconds that the page may take in the browser.")

    @property
    def wish(self) -> RenderingWish | None:
        """The rendering that the browser must do; None if no browser is needed."""
        if not (self.wait_for or self.scroll_to_bottom or self.actions or self.controls or self.go_on):
            return None
        return RenderingWish(wait_for=self.wait_for, scroll=self.scroll_to_bottom, actions=self.actions)


class BrowsedImage(ToolOutput):
    url: str
    alt: str = ""
    caption: str = ""


class BrowsedPage(ToolOutput):
    """A page of the same site that deep mode followed."""

    id: str = Field("", description="Of the source that it is now; empty where it was not read.")
    url: str
    title: str = ""
    words: int = 0
    problem: str = ""


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
    quality: float | None = Field(None, description="0 to 1, where it has been judged.")
    images: list[BrowsedImage] = Field(default_factory=list)
    rendered: bool = Field(False, description="The text is what a browser showed.")
    rendering: list[str] = Field(
        default_factory=list, description="What was done in the browser, and refused."
    )
    picture: bool = Field(False, description="A picture of the page as it was left is kept for people.")
    controls: list[PageControl] = Field(
        default_factory=list, description="To aim actions by number; those of the page as it was left."
    )
    followed: list[BrowsedPage] = Field(default_factory=list)
    fetched: bool = Field(False, description="From the web just now, and a source of the run since.")


class BrowsableDocument(Protocol):
    """The attributes that library documents and sources share."""

    title: str
    url: str
    author: str
    published_date: str
    modified_date: str
    source_type: str


@dataclass(frozen=True, slots=True)
class ToFetch:
    """A page that the run may read but has not read yet."""

    page: FoundPage
    allowed: SourceSettings
    wish: RenderingWish | None = None


async def browse(given: BrowseInput, use: Use) -> BrowseOutput:
    until = asyncio.get_running_loop().time() + most("browse_s")
    known = await in_tenant(use.step.tenant_id, partial(_resolve_request, given, use))
    if isinstance(known, ToFetch):
        wanted = PageReadingOptions(known.wish, given.timeout_s)
        read = await read_page(known.page, known.allowed, use, wanted)
        shown = await in_tenant(use.step.tenant_id, partial(_of_source, read.source, given, fetched=True))
        if read.note:
            shown = shown.model_copy(update={"rendering": [read.note]})
    else:
        shown = known
    return await _with_followed(shown, use, until) if given.mode is BrowseMode.DEEP else shown


async def _with_followed(shown: BrowseOutput, use: Use, until: float) -> BrowseOutput:
    source, allowed = await in_tenant(use.step.tenant_id, partial(_deep, shown.id, use))
    followed = await follow_links(source, allowed, use, until) if source is not None else ()
    return shown.model_copy(update={"followed": [_to_browsed_page(page) for page in followed]})


def _deep(handle: str, use: Use) -> tuple[Source | None, SourceSettings]:
    """Return the page whose links to follow, or None if it may not be fetched, and the source settings."""
    allowed = load_allowed(use.step.run_id)
    may_fetch = allowed.uses_web and use.role != AgentRole.VERIFIER
    return (source_named(use.step.run_id, handle) if may_fetch else None), allowed


def _to_browsed_page(link: FollowedLink) -> BrowsedPage:
    if link.source is None:
        return BrowsedPage(url=link.url, problem=link.problem)
    return BrowsedPage(
        id=source_handle(link.source.pk), url=link.url, title=link.source.title, words=link.source.word_count
    )


def _resolve_request(given: BrowseInput, use: Use) -> BrowseOutput | ToFetch:
    run_id, requested_url = use.step.run_id, given.url.strip()
    source = source_named(run_id, requested_url)
    if given.wish is not None and use.role != AgentRole.VERIFIER:
        return _to_show(source, given, use)
    if source is not None and source.content is not None:
        return _of_source(source, given)
    if use.role == AgentRole.VERIFIER:  # verifiers see only the evidence
        raise unknown(requested_url) if is_handle(requested_url) else _build_blocked_error()
    if requested_url.startswith("lib-"):
        return _of_document(document_of(run_id, requested_url), given)
    allowed = load_allowed(run_id)
    page = page_named(run_id, requested_url, allowed)
    if page is not None:
        _check(page, allowed, use)
        return ToFetch(page, allowed)
    if is_handle(requested_url):
        raise unknown(requested_url)
    document = find_by_url(requested_url)
    if document is None:
        raise _build_blocked_error()
    return _of_document(document_of(run_id, document_handle(document.pk)), given)


def _to_show(source: Source | None, given: BrowseInput, use: Use) -> BrowseOutput | ToFetch:
    """Render a page in the browser, as a source of its own beside the fetched page, once per rendering wish."""
    run_id, allowed = use.step.run_id, load_allowed(use.step.run_id)
    page = (
        FoundPage(source.url, source.title, must_read=source.must_read)
        if source is not None and source.url
        else None
    )
    page = page or page_named(run_id, given.url.strip(), allowed)
    if page is None:
        raise _build_blocked_error()
    wish = _wish_of(source, given)
    address = variant_address(page.url, PageReadingOptions(wish).variant)
    shown = Source.objects.filter(run_id=run_id, canonical_url=address).select_related("content").first()
    if shown is not None and shown.content is not None:
        return _of_source(shown, given)
    _check(page, allowed, use)
    return ToFetch(page, allowed, wish)


def _wish_of(source: Source | None, given: BrowseInput) -> RenderingWish | None:
    """Return the browser's actions, appended to those of the page that is continued. Raises ToolError."""
    wish = given.wish
    if not given.go_on or wish is None:
        return wish
    rendering = source.content.rendering if source is not None and source.content is not None else None
    if not rendering:
        raise ToolError(ToolCode.UNKNOWN_ID, "Go on with the id of a page that browse showed in a browser.")
    before = RenderingWish.model_validate(rendering["wish"])
    actions = [*before.actions, *wish.actions]
    if len(actions) > MAX_ACTIONS_OF_A_PAGE:
        words = f"A page is acted on at most {MAX_ACTIONS_OF_A_PAGE} times; browse it anew."
        raise ToolError(ToolCode.TOO_MANY_CALLS, words)
    return RenderingWish(
        wait_for=wish.wait_for or before.wait_for, scroll=wish.scroll or before.scroll, actions=actions
    )


def _check(page: FoundPage, allowed: SourceSettings, use: Use) -> None:
    """Raise ToolError if the page must not be fetched, or not now."""
    if not allowed.uses_web:
        raise ToolError(ToolCode.BLOCKED, "This run reads nothing from the web.")
    reason = allowed.refusal(page.url)
    if reason:
        raise ToolError(ToolCode.BLOCKED, reason)
    if is_full(use.step.run_id):
        raise full()
    check_fetches(use)


def _build_blocked_error() -> ToolError:
    words = "Only what the run's searches found, and what its sources name, can be read; search first."
    return ToolError(ToolCode.BLOCKED, words)


def _of_document(document: LibraryDocument, given: BrowseInput) -> BrowseOutput:
    return _output(document_handle(document.pk), document, document.content, document, given)


def _of_source(source: Source, given: BrowseInput, *, fetched: bool = False) -> BrowseOutput:
    document = source.library_document
    if document is not None and document.content_id != source.content_id:
        document = None  # the document was read again, so its passages belong to another text
    shown = _output(source_handle(source.pk), source, source.content, document, given)
    facts = {"domain": source.domain, "fetched": fetched, "quality": source.quality_score}
    return shown.model_copy(update=facts)


def _output(
    handle: str,
    page: BrowsableDocument,
    content: Content | None,
    document: LibraryDocument | None,
    given: BrowseInput,
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
        images=_pictures(page, content) if given.images else [],
        rendered=content.rendering is not None,
        picture=bool(content.rendering and content.rendering.get("picture")),
        rendering=list(content.rendering["log"]) if content.rendering else [],
        controls=[PageControl.model_validate(control) for control in content.rendering.get("controls", [])]
        if content.rendering
        else [],
    )


def _pictures(page: BrowsableDocument, content: Content) -> list[BrowsedImage]:
    """Return the images of the stored page."""
    if "html" not in content.media_type or not content.raw_key:
        return []
    try:
        html = get_object(content.raw_key).decode("utf-8", "replace")
    except ObjectError:
        return []
    return [
        BrowsedImage(url=image.url, alt=image.alt, caption=image.caption)
        for image in images_of(html, page.url, MAX_IMAGES)
    ]


def _stretch(text: str, given: BrowseInput) -> tuple[int, int]:
    """Return the range of the frozen text to show unchanged, so that quotes of it can be anchored."""
    if given.mode is BrowseMode.SUMMARY:
        return 0, _end_of_words(text, SUMMARY_WORDS)
    start = min(given.start, len(text))
    end = min(len(text), start + MAX_CHARACTERS)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + 1)
    return start, end


def _passages(document: LibraryDocument, start: int, end: int) -> list[int]:
    shown = passages_of(document).filter(start_offset__lt=end, end_offset__gt=start)
    return list(shown.values_list("chunk_index", flat=True))


def _end_of_words(text: str, words: int) -> int:
    last = next(islice(_WORD.finditer(text), words - 1, None), None)
    return min(last.end() if last else len(text), MAX_CHARACTERS)


def _tables(stored: Sequence[dict[str, object]]) -> Iterator[BrowsedTable]:
    for table in stored[:MAX_TABLES]:
        shown = BrowsedTable.model_validate(table)
        yield shown.model_copy(update={"rows": shown.rows[:MAX_ROWS]})


def browse_tool() -> Tool[BrowseInput, BrowseOutput]:
    return Tool(
        "browse",
        "Read what search found or what is a source of this run, by its id or URL; a web page becomes a source.",
        BrowseInput,
        browse,
        most("browse_s"),
    )
