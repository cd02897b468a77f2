"""A page of the web becomes a source of the run: fetched through the guard, read in the limited child, saved.

It is kept in the library's folder of saved pages, with its passages, so that `store` can make chunks of them.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar
from uuid import UUID

from citations.models import DomainRule
from research.acquisition.acquiring import Acquired, acquire
from research.acquisition.pages import FetchError
from research.library.embedding import Vector, completed, known_vectors
from research.library.manifests import Details
from research.library.preparing import Prepared, Unreadable, load_object, prepare_bytes
from research.library.saved_pages import SavedPage, row_of_page
from research.library.sources import FoundPage, most_chunks
from research.models import Source, SourceStatus, SourceType
from research.objects import ObjectError
from research.reading.vectors.embedding import builtin_embedder
from research.tenancy import in_tenant, in_thread
from research.tools.evidence.allowed import Allowed
from research.tools.evidence.registering import RegistryFull, register_source, register_unread
from research.tools.tool import ToolCode, ToolError, Use

T = TypeVar("T")


class NotRead(Exception):
    """No source came of the page. `status` is what it is in the run."""

    def __init__(self, code: ToolCode, message: str, status: SourceStatus = SourceStatus.FAILED) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status

    @property
    def noted(self) -> str:
        """The code that its source gets, as where a recipe reads it."""
        return "EXCLUDED" if self.status is SourceStatus.EXCLUDED else self.code.value


async def read_page(page: FoundPage, allowed: Allowed, use: Use) -> Source:
    """Raises ToolError; why a page was not read is written down with it, as a source that failed."""
    try:
        fetched = await _fetched(page.url, use)
        read = await in_thread(partial(_read, use.step.tenant_id, fetched))
        saved = SavedPage(fetched.url, Details(title=page.title, published_date=page.published), read)
        await in_tenant(use.step.tenant_id, partial(_refuse_unwanted, saved, allowed))
        return await _kept(page, saved, use)
    except NotRead as problem:
        note = partial(register_unread, use.step.run_id, page, problem.noted, problem.message, problem.status)
        await _registered(use, note)
        raise ToolError(problem.code, problem.message) from None


async def _fetched(url: str, use: Use) -> Acquired:
    try:
        return await acquire(use.step.tenant_id, str(use.step.run_id), url)
    except FetchError as error:
        # A page that is too large has a code of its own in the log of steps, and none among those of browse.
        code = ToolCode(error.code) if error.code in set(ToolCode) else ToolCode.EXTRACTION_FAILED
        raise NotRead(code, error.message) from None
    except ObjectError as error:
        raise NotRead(ToolCode.EXTRACTION_FAILED, str(error)) from None


def _read(tenant_id: UUID, fetched: Acquired) -> Prepared:
    try:
        read = prepare_bytes(tenant_id, fetched.name, load_object(fetched.raw_key))
    except ObjectError as error:
        raise NotRead(ToolCode.EXTRACTION_FAILED, str(error)) from None
    if isinstance(read, Unreadable):
        raise NotRead(ToolCode.EXTRACTION_FAILED, read.message)
    return read


def _refuse_unwanted(saved: SavedPage, allowed: Allowed) -> None:
    """Raises NotRead for what says nothing, and for what its owner does not want in the run. Needs the tenant set."""
    if saved.problem is not None:
        code, words = saved.problem
        raise NotRead(ToolCode(code), words)
    said, kind = saved.details, saved.kind(DomainRule.objects.as_rules())
    reason = allowed.refusal(said.url, said.published_date, SourceType(kind.source_type.value))
    if reason:
        raise NotRead(ToolCode.BLOCKED, reason, SourceStatus.EXCLUDED)


async def _kept(page: FoundPage, saved: SavedPage, use: Use) -> Source:
    """Saved with vectors of as many passages as a source can have; words find the others."""
    embedder, tenant_id = builtin_embedder(), use.step.tenant_id

    def known() -> tuple[UUID, dict[str, Vector]]:
        row = row_of_page(page.url, page.title)
        return row.pk, known_vectors(row.pk, saved.read.raw_sha256, embedder.model_id)

    document_id, there = await in_tenant(tenant_id, known)
    passages = saved.read.passages[: most_chunks()]
    vectors = await asyncio.to_thread(completed, embedder, passages, there)
    return await _registered(use, lambda: register_source(use.step.run_id, saved.save(document_id, vectors)))


async def _registered(use: Use, register: Callable[[], T]) -> T:
    try:
        return await in_tenant(use.step.tenant_id, register)
    except RegistryFull:
        raise full() from None


def full() -> ToolError:
    return ToolError(ToolCode.NOT_AVAILABLE, "The run has as many sources as it may.")
