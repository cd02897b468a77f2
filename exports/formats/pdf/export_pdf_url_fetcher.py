"""The URL fetcher of the PDF renderer, which can only open the fonts and charts of the current paper.

URLs are keys of a table that this program fills, whatever the text contains.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from weasyprint.urls import URLFetcher, URLFetcherResponse


@dataclass(frozen=True, slots=True)
class PdfResource:
    """A resource that the renderer may open."""

    data: bytes
    media_type: str


class NothingThere(ValueError):
    """Raised for a URL that is not in the table; the renderer continues without the resource."""


class ClosedFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Opens resources in the table. It has no handler for any protocol, so that nothing else can be opened."""

    def __init__(self, held: Mapping[str, PdfResource]) -> None:
        super().__init__(allowed_protocols=(), allow_redirects=False)
        self.handle_open.clear()
        self._held = held

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        found = self._held.get(url)
        if found is None:
            raise NothingThere(f"not a part of this paper: {url[:80]}")
        return URLFetcherResponse(url, body=found.data, headers={"Content-Type": found.media_type})
