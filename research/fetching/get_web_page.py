"""Gets a web page for a run: from the tenant's cache if that is new enough, else by fetching and caching it.

An older copy is revalidated with a conditional request, so that an unchanged page costs one short answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from operator import itemgetter
from types import MappingProxyType
from uuid import UUID

from django.utils import timezone

from research.db.sql_batcher import Batcher, read_batch
from research.db.tenancy import tenant_context
from research.fetching.cached_web_pages import (
    KEPT_FOR,
    CachedPage,
    drop_copy,
    find_copies,
    keep_copies,
)
from research.fetching.fetch_pages import Refuse
from research.fetching.fetch_process import fetch_process
from research.fetching.fetched_page_content import FetchedPage, FetchError
from research.models.schemas import Rendering
from research.storage.object_store import has_object, put_object

CachedPages = Mapping[str, CachedPage | None]  # by URL


@dataclass(frozen=True, slots=True)
class AcquiredPage:
    """A page whose bytes are stored.

    `was_kept`: they came from the cache; `checked`: the server was asked now.
    """

    url: str  # after redirects
    raw_key: str
    media_type: str
    name: str
    fetched_at: datetime  # or when it was found unchanged
    was_kept: bool = False
    checked: bool = True
    rendering: Rendering | None = None  # if a browser rendered it
    note: str = ""  # why no browser rendered it, if one was wanted
    data: bytes | None = field(default=None, repr=False)  # if it was just fetched, to save loading it again

    @property
    def was_browser_tried(self) -> bool:
        return bool(self.rendering or self.note)

    @property
    def how(self) -> str:
        """Return how the page was obtained, for the run's log: rendered, fetched, unchanged or kept."""
        if self.rendering is not None:
            return "rendered"
        if not self.was_kept:
            return "fetched"
        return "unchanged" if self.checked else "kept"


async def acquire(
    tenant_id: UUID,
    run: str,
    url: str,
    max_age: timedelta = KEPT_FOR,
    refuse: Refuse | None = None,
    cached: CachedPages = MappingProxyType({}),
) -> AcquiredPage:
    """Return a page from the cache, or fetch it.

    `max_age` 0 always asks the server; `refuse` is called for each URL on the way to the page; `cached` has what
    `find_copies` found for some URLs already.

    Raises FetchError and ObjectError.
    """
    process = fetch_process()
    copy = await find_usable_copy(tenant_id, url, cached)
    if copy is not None and copy.is_fresh(timezone.now(), max_age):
        return _build_acquired_page(copy, checked=False)
    marks = {copy.final_url: copy.conditions} if copy is not None and copy.conditions else None
    try:
        page = await process.do(process.fetcher.fetch(url, run, marks, refuse))
    except FetchError as error:
        if copy is not None and error.code == "PAGE_NOT_FOUND":
            await process.rows.do(partial(_drop_cached_copy, tenant_id, url))
        raise
    if page is None and copy is not None:
        copy = replace(copy, fetched_at=timezone.now())
        await _keeping.do((tenant_id, url, copy))
        return _build_acquired_page(copy, checked=True)
    if page is None:
        raise FetchError("BLOCKED", "The site answered “not modified” to a request for the whole page.")
    return await _cache_page(tenant_id, url, page)


async def find_usable_copy(
    tenant_id: UUID, url: str, cached: CachedPages = MappingProxyType({})
) -> CachedPage | None:
    """Return the cached page if its bytes still exist, looked for with others if it is not among the `cached`."""
    copy = cached[url] if url in cached else await read_batch(tenant_id, find_copies, url)
    if copy is None or not await fetch_process().rows.do(partial(has_object, copy.raw_key)):
        return None
    return copy


def _keep_together(wanted: Sequence[tuple[UUID, str, CachedPage]]) -> list[None]:
    keep_copies((url, copy) for _, url, copy in wanted)
    return [None] * len(wanted)


# If the server crashes and pages are lost, they are fetched once more.
_keeping: Batcher[tuple[UUID, str, CachedPage], None] = Batcher(
    itemgetter(0), _keep_together, is_durable=False
)


def _drop_cached_copy(tenant_id: UUID, url: str) -> None:
    with tenant_context(tenant_id, is_durable=False):
        drop_copy(url)


async def _cache_page(tenant_id: UUID, url: str, page: FetchedPage) -> AcquiredPage:
    """Store the bytes first, then the row that references them."""
    rows = fetch_process().rows
    key = await rows.do(partial(put_object, tenant_id, page.data))
    copy = CachedPage(
        final_url=page.url,
        raw_key=key,
        media_type=page.media_type,
        name=page.name,
        fetched_at=timezone.now(),
        etag=page.etag,
        last_modified=page.last_modified,
        must_check=page.must_check,
    )
    if page.may_keep:
        await _keeping.do((tenant_id, url, copy))
    else:
        await rows.do(partial(_drop_cached_copy, tenant_id, url))
    return replace(_build_acquired_page(copy, checked=True), was_kept=False, data=page.data)


def _build_acquired_page(copy: CachedPage, *, checked: bool) -> AcquiredPage:
    return AcquiredPage(
        url=copy.final_url,
        raw_key=copy.raw_key,
        media_type=copy.media_type,
        name=copy.name,
        fetched_at=copy.fetched_at,
        was_kept=True,
        checked=checked,
    )
