"""Pages that need a browser: fetched like any other, then rendered; unchanged if there is no browser."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.utils import timezone

from research.db.tenancy import in_thread
from research.fetching.browser.browser_document import HTML_TYPES, Documents, NoBrowser
from research.fetching.cached_web_pages import KEPT_FOR
from research.fetching.fetch_pages import Refuse
from research.fetching.fetch_process import FetchProcess, fetch_process
from research.fetching.fetched_page_content import FetchedPage, FetchError
from research.fetching.get_web_page import AcquiredPage, acquire
from research.models.schemas import RenderingWish
from research.parsing.formats.html.script_shells import has_scripts, has_shell
from research.storage.object_store import get_object, put_object

SHELL_WORDS = 100  # a page that scripts fill has no more words than its notices and menus


def needs_browser(html: bytes, words: int, fewest: int) -> bool:
    """Return True if a page with this many readable words gets its text from scripts, which have not run."""
    return has_scripts(html) and (words < fewest or (words < SHELL_WORDS and has_shell(html)))


async def acquire_rendered(
    tenant_id: UUID,
    run: str,
    url: str,
    wish: RenderingWish,
    *,
    total_s: float | None = None,
    refuse: Refuse | None = None,
    max_age: timedelta = KEPT_FOR,
) -> AcquiredPage:
    """Return the page as rendered by a browser after `wish` was done; if there is no browser, as fetched,
    with a note.

    Raises FetchError and ObjectError.
    """
    plain = await acquire(tenant_id, run, url, max_age, refuse)
    if not plain.media_type.startswith(HTML_TYPES):
        return replace(plain, note=f"It is {plain.media_type}, which a browser does not show as a page.")
    data = await in_thread(partial(get_object, plain.raw_key))
    first, process = FetchedPage(plain.url, plain.media_type, plain.name, data), fetch_process()
    try:
        documents = partial(_document, process, run, refuse)
        page = await process.do(_render_page(process, first, wish, documents, total_s))
    except NoBrowser as error:
        return replace(plain, note=f"The page needs a browser, and {error}.")
    key = await in_thread(partial(put_object, tenant_id, page.data))
    rendering = page.rendering
    if rendering is not None and page.picture:
        picture = await in_thread(partial(put_object, tenant_id, page.picture))
        rendering = rendering.model_copy(update={"picture": picture})
    return AcquiredPage(page.url, key, page.media_type, page.name, timezone.now(), rendering=rendering)


async def _render_page(
    process: FetchProcess,
    first: FetchedPage,
    wish: RenderingWish,
    documents: Documents,
    total_s: float | None,
) -> FetchedPage:
    return await process.renderer.render(first, wish, documents, total_s)


async def _document(process: FetchProcess, run: str, refuse: Refuse | None, url: str) -> FetchedPage:
    """Fetch a page that the first one navigates to, with the same politeness."""
    page = await process.fetcher.fetch(url, run, refuse=refuse)
    if page is None:
        raise FetchError("BLOCKED", "The site answered “not modified” to a request for the whole page.")
    return page
