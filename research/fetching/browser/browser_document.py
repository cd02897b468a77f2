"""The type of a browser's document source and the error for a missing browser, without loading the driver."""

from collections.abc import Awaitable, Callable

from research.fetching.fetched_page_content import FetchedPage

Documents = Callable[[str], Awaitable[FetchedPage]]  # fetches a page politely; raises FetchError
HTML_TYPES = ("text/html", "application/xhtml+xml")


class NoBrowser(Exception):
    """There is no browser, or it does not start; str() is the reason, as the end of a sentence."""
