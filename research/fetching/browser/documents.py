"""The type of a browser's document source and the error for a missing browser, without loading the driver."""

from collections.abc import Awaitable, Callable

from research.fetching.page_content import FetchedPage

Documents = Callable[[str], Awaitable[FetchedPage]]  # a page of the web, fetched politely; raises FetchError
HTML_TYPES = ("text/html", "application/xhtml+xml")


class NoBrowser(Exception):
    """There is none, or it does not start; str() says why, as the end of a sentence."""
