"""Make a web page a source of the run: fetch it through the SSRF guard, parse it in the limited child, save it.

It is kept in the library's folder of saved pages with its passages, so that `store` can make chunks of them.
"""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from uuid import UUID

from citations.models import DomainRule
from research.agents.tools.evidence.register_agent_sources import (
    RegistryFull,
    register_source,
    register_unread,
)
from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.agents.tools.tool_interface import ToolCode, ToolError, Use
from research.db.tenancy import in_tenant, in_thread
from research.fetching.fetch_pages import Refuse
from research.fetching.fetch_rendered_pages import acquire_rendered, needs_browser
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import MIN_WORDS, SavedPage, find_page_row
from research.library.prepare_library_documents import (
    PreparedDocument,
    UnreadableDocument,
    load_object,
    prepare_bytes,
)
from research.library.retrieval.passage_embedding import Vector, complete_vectors, load_known_vectors
from research.library.sources_from_library import FoundPage, most_chunks
from research.models import Source, SourceStatus, SourceType
from research.models.schemas import RenderingWish
from research.parsing.vectors.embed_texts import builtin_embedder
from research.search.open_access_search import acquire_open
from research.storage.object_store import ObjectError

T = TypeVar("T")


class NotRead(Exception):
    """The page did not become a readable source. `status` is its status in the run."""

    def __init__(self, code: ToolCode, message: str, status: SourceStatus = SourceStatus.FAILED) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status

    @property
    def reason_code(self) -> str:
        """Return the code stored with its source, as in pipelines."""
        return "EXCLUDED" if self.status is SourceStatus.EXCLUDED else self.code.value


@dataclass(frozen=True, slots=True)
class PageReadingOptions:
    """Options for reading a page. Without a `wish`, a browser is used only if the page has no text otherwise."""

    wish: RenderingWish | None = None
    total_s: float = 30.0

    @property
    def variant(self) -> str:
        """Return a name for the page as rendered by the wish; "" without one."""
        if self.wish is None:
            return ""
        return f"shown-{hashlib.sha256(self.wish.model_dump_json().encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that is now a source; `note` states why no browser rendered it, if one was wanted."""

    source: Source
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Got:
    """A page's bytes with the result of parsing them."""

    page: AcquiredPage
    data: bytes
    read: PreparedDocument | UnreadableDocument

    @property
    def is_empty_shell(self) -> bool:
        words = 0 if isinstance(self.read, UnreadableDocument) else self.read.word_count
        is_plain = self.page.rendering is None and not self.page.note
        return is_plain and needs_browser(self.data, words, MIN_WORDS)


PLAINLY = PageReadingOptions()


async def read_page(
    page: FoundPage, allowed: SourceSettings, use: Use, wanted: PageReadingOptions = PLAINLY
) -> ReadPage:
    """Read a page and register it as a source. Raises ToolError; the reason is stored with a failed source."""
    try:
        refuse = None if page.must_read else allowed.site_refusal
        got = await _acquire_page(page, use, wanted.wish, wanted.total_s, refuse)
        if got.is_empty_shell:
            got = await _acquire_page(FoundPage(got.page.url), use, RenderingWish(), wanted.total_s, refuse)
        saved = SavedPage(got.page.url, Details(title=page.title, published_date=page.published), _text(got))
        await in_tenant(use.step.tenant_id, partial(_refuse_unwanted, page, saved, allowed, got.page.note))
        variant = wanted.variant if got.page.rendering else ""
        return ReadPage(await _save_page(page, saved, use, variant), got.page.note)
    except NotRead as problem:
        note = partial(
            register_unread, use.step.run_id, page, problem.reason_code, problem.message, problem.status
        )
        await _register_in_tenant(use, note)
        raise ToolError(problem.code, problem.message) from None


async def _acquire_page(
    found: FoundPage, use: Use, wish: RenderingWish | None, total_s: float, refuse: Refuse | None
) -> _Got:
    tenant_id, run = use.step.tenant_id, str(use.step.run_id)
    try:
        if wish is None:
            page = await acquire_open(tenant_id, run, found.url, found.full_text, refuse)
        else:
            page = await acquire_rendered(tenant_id, run, found.url, wish, total_s=total_s, refuse=refuse)
        return await in_thread(partial(_read, tenant_id, page))
    except FetchError as error:
        if error.code == "EXCLUDED":
            raise NotRead(ToolCode.BLOCKED, error.message, SourceStatus.EXCLUDED) from None
        raise NotRead(_CODES.get(error.code, ToolCode.EXTRACTION_FAILED), error.message) from None
    except ObjectError as error:
        raise NotRead(ToolCode.EXTRACTION_FAILED, str(error)) from None


# A page that is too large has a code of its own in the log of steps, and none among those of browse.
_CODES = {code.value: code for code in ToolCode} | {"BROWSER_TIMEOUT": ToolCode.TIMEOUT}


def _read(tenant_id: UUID, page: AcquiredPage) -> _Got:
    """Load and parse a page's bytes. Raises ObjectError."""
    raw = load_object(page.raw_key)
    return _Got(page, raw.data, prepare_bytes(tenant_id, page.name, raw))


def _text(got: _Got) -> PreparedDocument:
    if isinstance(got.read, UnreadableDocument):
        raise NotRead(ToolCode.EXTRACTION_FAILED, f"{got.read.message} {got.page.note}".strip())
    return replace(got.read, rendering=got.page.rendering)


def _refuse_unwanted(page: FoundPage, saved: SavedPage, allowed: SourceSettings, note: str) -> None:
    """Raise NotRead if the page has no usable text or its owner excludes it from the run. Needs the tenant set."""
    if saved.problem is not None:
        code, words = saved.problem
        raise NotRead(ToolCode(code), f"{words} {note}".strip())
    if page.must_read:
        return
    said, kind = saved.details, saved.kind(DomainRule.objects.as_rules())
    language = saved.read.document.language or ""
    reason = allowed.refusal(said.url, said.published_date, SourceType(kind.source_type.value), language)
    if reason:
        raise NotRead(ToolCode.BLOCKED, reason, SourceStatus.EXCLUDED)


async def _save_page(page: FoundPage, saved: SavedPage, use: Use, variant: str) -> Source:
    """Save the page with vectors for as many passages as a source may have; the rest are found only by words."""
    embedder, tenant_id = builtin_embedder(), use.step.tenant_id

    def load_vectors() -> dict[str, Vector]:
        row = find_page_row(page.url, variant)
        return load_known_vectors(row.pk if row else None, saved.read.raw_sha256, embedder.model_id)

    there = await in_tenant(tenant_id, load_vectors)
    passages = saved.read.passages[: most_chunks()]
    vectors = await asyncio.to_thread(complete_vectors, embedder, passages, there)
    return await _register_in_tenant(
        use,
        lambda: register_source(use.step.run_id, saved.save(page.url, page.title, vectors, variant)),
    )


async def _register_in_tenant(use: Use, register: Callable[[], T]) -> T:
    try:
        return await in_tenant(use.step.tenant_id, register)
    except RegistryFull:
        raise full() from None


def full() -> ToolError:
    return ToolError(ToolCode.NOT_AVAILABLE, "The run has as many sources as it may.")
