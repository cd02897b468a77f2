"""Fetch a scholarly work, from an open-access copy if its own page can't be read."""

from collections.abc import Awaitable, Callable
from functools import partial
from types import MappingProxyType
from uuid import UUID

from research.fetching.fetch_pages import Refuse
from research.fetching.fetch_process import fetch_process
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage, CachedPages, acquire
from research.search.providers.search_open_copies import find_openalex_work
from research.search.search_dois import doi_of
from research.search.search_process import search_process

_SHUT = frozenset({"PAYWALL", "BLOCKED", "CAPTCHA", "PAGE_NOT_FOUND"})


async def acquire_open(
    tenant_id: UUID,
    run: str,
    url: str,
    named: str = "",
    refuse: Refuse | None = None,
    cached: CachedPages = MappingProxyType({}),
) -> AcquiredPage:
    """Fetch the copy `named` by a search, else the page, else the copy listed for its DOI if the page is
    not readable.

    `cached` is passed on to `acquire`. Raises the FetchError of the page itself, whatever happened to its copies, and
    ObjectError.
    """
    get = partial(acquire, tenant_id, run, refuse=refuse, cached=cached)
    page = await _copy(get, named)
    if page is not None:
        return page
    try:
        return await get(url)
    except FetchError as error:
        doi = doi_of(url) if error.code in _SHUT and not error.is_retryable else ""
        page = await _copy(get, await _find_full_text(doi) if doi and not named else "")
        if page is None:
            raise
        return page


async def _copy(get: Callable[[str], Awaitable[AcquiredPage]], url: str) -> AcquiredPage | None:
    try:
        return await get(url) if url else None
    except FetchError:
        return None


async def _find_full_text(doi: str) -> str:
    found = await fetch_process().do(find_openalex_work(search_process().services, doi))
    return found.full_text if found is not None else ""
