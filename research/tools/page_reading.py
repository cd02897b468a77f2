"""A page of the web becomes a source of the run: fetched through the guard, read in the limited child, saved.

It is kept in the library's folder of saved pages, with its passages, so that `store` can make chunks of them.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar
from uuid import UUID

from citations.authority import classify_source
from citations.models import DomainRule
from research.acquisition.pages import Fetched, FetchError
from research.acquisition.process import fetch_process
from research.governance.limits import most
from research.library.addresses import canonical_url
from research.library.embedding import Requested, Vector, known_vectors, library_embedder
from research.library.folders import WEB
from research.library.manifests import Details
from research.library.preparing import Job, Prepared, Same, Unreadable, prepare
from research.library.storing import store_reading
from research.models import LibraryDocument, Source, SourceStatus, SourceType
from research.tools.allowed import Allowed
from research.tools.registering import FoundPage, RegistryFull, register_source, register_unread
from research.tools.rows import in_tenant
from research.tools.tool import ToolCode, ToolError, Use

T = TypeVar("T")
FEWEST_WORDS = 20  # of a page that says anything
TEASER_WORDS = 200  # a page behind a paywall has less


class NotRead(Exception):
    """No source came of the page. `status` is what it is in the run."""

    def __init__(self, code: ToolCode, message: str, status: SourceStatus = SourceStatus.FAILED) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


async def read_page(page: FoundPage, allowed: Allowed, use: Use) -> Source:
    """Raises ToolError; why a page was not read is written down with it, as a source that failed."""
    try:
        fetched = await _fetched(page.url, use.step.run_id)
        read = await asyncio.to_thread(_read, use.step.tenant_id, fetched)
        _refuse_thin(read)
        reading = _Reading(page, fetched, read)
        await in_tenant(use.step.tenant_id, partial(reading.refuse_unwanted, allowed))
        return await _kept(reading, use)
    except NotRead as problem:
        note = partial(
            register_unread, use.step.run_id, page, problem.code.value, problem.message, problem.status
        )
        await _registered(use, note)
        raise ToolError(problem.code, problem.message) from None


async def _fetched(url: str, run_id: UUID) -> Fetched:
    process = fetch_process()
    try:
        return await process.do(process.fetcher.fetch(url, str(run_id)))
    except FetchError as error:
        # A page that is too large has a code of its own in the log of steps, and none among those of browse.
        code = ToolCode(error.code) if error.code in set(ToolCode) else ToolCode.EXTRACTION_FAILED
        raise NotRead(code, error.message) from None


def _read(tenant_id: UUID, fetched: Fetched) -> Prepared:
    job = Job(UUID(int=0), fetched.name, lambda: fetched.data)
    match prepare(tenant_id, job):
        case Prepared() as read:
            return read
        case Unreadable() as problem:
            raise NotRead(ToolCode.EXTRACTION_FAILED, problem.message)
        case Same():
            raise NotRead(ToolCode.EXTRACTION_FAILED, "The page holds nothing to read.")


def _refuse_thin(read: Prepared) -> None:
    words = read.document.word_count
    if read.document.has_paywall and words < TEASER_WORDS:
        raise NotRead(ToolCode.PAYWALL, "Only the beginning of the page can be read without paying.")
    if words < FEWEST_WORDS:
        raise NotRead(ToolCode.EXTRACTION_FAILED, f"The page has only {words} words of text.")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A page as it was read, on its way into the tables."""

    page: FoundPage
    fetched: Fetched
    read: Prepared

    @property
    def details(self) -> Details:
        """What the page says of itself; where it says nothing, what the search said of it."""
        said = Details(title=self.page.title, published_date=self.page.published)
        return Details(url=self.fetched.url).over(self.read.details).over(said)

    def refuse_unwanted(self, allowed: Allowed) -> None:
        """Raises NotRead for what its owner does not want in the run. Needs the tenant set."""
        said = self.details
        kind = classify_source(
            url=said.url,
            publisher=said.publisher,
            author=said.author,
            title=said.title,
            rules=DomainRule.objects.as_rules(),
        )
        reason = allowed.refusal(said.url, said.published_date, SourceType(kind.source_type.value))
        if reason:
            raise NotRead(ToolCode.BLOCKED, reason, SourceStatus.EXCLUDED)

    def row(self) -> LibraryDocument:
        """Where the page is saved, whichever run read it. Needs the tenant set."""
        address = canonical_url(self.page.url)
        said = {"url": self.page.url, "title": self.page.title}
        return LibraryDocument.objects.get_or_create(folder=WEB, path=address, defaults=said)[0]

    def known_vectors(self, model_id: str) -> dict[str, Vector]:
        return dict(known_vectors(self.row().pk, self.read.raw_sha256, model_id))

    def save(self, vectors: Requested, run_id: UUID) -> Source:
        """Raises RegistryFull. Needs the tenant set."""
        row = LibraryDocument.objects.select_for_update().get(pk=self.row().pk)
        store_reading(row, Job(row.pk, row.path, bytes, self.details, self.read.raw_size), self.read, vectors)
        return register_source(run_id, row)


async def _kept(reading: _Reading, use: Use) -> Source:
    """Saved with vectors of as many passages as a source can have; words find the others."""
    embedder, tenant_id = library_embedder(), use.step.tenant_id
    known = await in_tenant(tenant_id, partial(reading.known_vectors, embedder.model_id))
    texts = {one.text_hash: one.text for one in reading.read.passages[: most("chunks")]}
    missing = {name: text for name, text in texts.items() if name not in known}
    if missing:
        made = await asyncio.to_thread(embedder.embed, list(missing.values()))
        known |= dict(zip(missing, made, strict=True))
    vectors = Requested(embedder.model_id, known, {})
    return await _registered(use, partial(reading.save, vectors, use.step.run_id))


async def _registered(use: Use, register: Callable[[], T]) -> T:
    try:
        return await in_tenant(use.step.tenant_id, register)
    except RegistryFull:
        raise full() from None


def full() -> ToolError:
    return ToolError(ToolCode.NOT_AVAILABLE, "The run has as many sources as it may.")
