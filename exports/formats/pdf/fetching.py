"""The URL fetcher of the PDF renderer, which opens the fonts and charts of this one paper and nothing else.

There is no way out to close: addresses are names in a table that we fill, whatever stands in the text.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from weasyprint.urls import URLFetcher, URLFetcherResponse


@dataclass(frozen=True, slots=True)
class PdfResource:
    """Something that may be opened."""

    data: bytes
    media_type: str


class NothingThere(ValueError):
    """An address that is not in the table; the setter goes on without what it asked for."""


class ClosedFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Opens what is in the table. It has no handler for any protocol, so that nothing else can be opened by it."""

    def __init__(self, held: Mapping[str, PdfResource]) -> None:
        super().__init__(allowed_protocols=(), allow_redirects=False)
        self.handle_open.clear()
        self._held = held

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        found = self._held.get(url)
        if found is None:
            raise NothingThere(f"not a part of this paper: {url[:80]}")
        return URLFetcherResponse(url, body=found.data, headers={"Content-Type": found.media_type})
