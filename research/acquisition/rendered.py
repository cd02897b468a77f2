"""Pages that a browser must show: fetched as any other, then rendered; without a browser they stay as they came."""

import re
from dataclasses import dataclass
from functools import partial

from research.acquisition.browsing.documents import HTML_TYPES, Documents, NoBrowser
from research.acquisition.pages import Fetched
from research.acquisition.process import FetchProcess, fetch_process
from research.models.schemas import RenderingWish

LOOKED_AT = 200_000  # bytes
SHELL_WORDS = 100  # a page that is filled by scripts has no more words than its notices and menus
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_SHELL = re.compile(
    rb"<(?:div|main|section)\s+(?:id|class)=[\"']?(?:root|app|__next|___gatsby|__nuxt|svelte|main-app|app-root)[\"']?\s*>\s*</"
    rb"|<app-root[^>]*>\s*</|(?:enable|activate|requires?|turn on|without)\s+java\s?script",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A page, rendered or not; `note` says why it is not."""

    page: Fetched
    note: str = ""


def needs_browser(html: bytes, words: int, fewest: int) -> bool:
    """Whether a page of which so many words could be read has its text from scripts that did not run."""
    head = html[:LOOKED_AT]
    if not _SCRIPT.search(head):
        return False
    return words < fewest or (words < SHELL_WORDS and _SHELL.search(head) is not None)


async def render_page(url: str, run: str, wish: RenderingWish, total_s: float | None = None) -> Shown:
    """The page as a browser shows it when `wish` was done, for a run. Raises FetchError."""
    process = fetch_process()
    return await process.do(_shown(process, url, run, wish, total_s))


async def _shown(
    process: FetchProcess, url: str, run: str, wish: RenderingWish, total_s: float | None
) -> Shown:
    documents: Documents = partial(_document, process, run)
    page = await documents(url)
    if not page.media_type.startswith(HTML_TYPES):
        return Shown(page, f"It is no page for a browser but {page.media_type}.")
    try:
        return Shown(await process.renderer.render(page, wish, documents, total_s))
    except NoBrowser as error:
        return Shown(page, f"The page needs a browser, and {error}.")


async def _document(process: FetchProcess, run: str, url: str) -> Fetched:
    return await process.fetcher.fetch(url, run)
