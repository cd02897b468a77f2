"""Saves web pages that were read: their details, their row, and the check for enough text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citations.credibility.source_authority import SourceClass, classify_source, origin_domain
from citations.credibility.source_authority_rules import AuthorityRule
from research.db.bulk_sql import rows_of
from research.fetching.canonical_urls import canonical_url
from research.fetching.get_web_page import AcquiredPage
from research.library.library_folders import WEB
from research.library.library_manifest import Details
from research.library.prepare_library_documents import PreparedDocument, RawDocument, load_object
from research.library.retrieval.passage_embedding import PassageVectors
from research.library.scan_library_folder import FoundFile
from research.library.store_library_documents import NewReading, RowTaken, store_readings
from research.models import LibraryDocument
from research.storage.object_store import sha256_in

PLACES = "WHERE folder = %(folder)s AND path = ANY(%(paths)s) ORDER BY path"
MIN_WORDS = 20  # of a usable page
TEASER_WORDS = 200  # a page behind a paywall has less


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page that was read and is not stored yet. `url` is its URL after redirects."""

    url: str
    said: Details  # from the search that found it
    read: PreparedDocument

    @property
    def details(self) -> Details:
        """The page's own details, with missing ones taken from the search.

        A page whose canonical URL is on another site declares that it repeats that site's text.
        """
        elsewhere = origin_domain(self.read.document.url) if self.read.document.url else ""
        is_copy = bool(elsewhere) and elsewhere != origin_domain(self.url)
        found = Details(url=self.url).over(self.read.details).over(self.said)
        return (
            found if found.syndicated_from or not is_copy else replace(found, syndicated_from=elsewhere[:200])
        )

    @property
    def problem(self) -> tuple[str, str] | None:
        """The reason, as a code and a message, why the page is not usable as a source; None if it is."""
        return problem_of(self.read)

    def kind(self, rules: Sequence[AuthorityRule]) -> SourceClass:
        said = self.details
        return classify_source(
            url=said.url, publisher=said.publisher, author=said.author, title=said.title, rules=rules
        )

    def save(self, url: str, title: str, vectors: PassageVectors, variant: str = "") -> LibraryDocument:
        """Store the page in its row, as `save_pages` does."""
        return save_pages([PageToSave(self, url, title, vectors, variant)])[0]


@dataclass(frozen=True, slots=True)
class PageToSave:
    """A page to be stored, with the URL and the title under which a search found it; `variant`: see `find_page_row`.

    `is_new`: it had no row a moment ago.
    """

    page: SavedPage
    url: str
    title: str
    vectors: PassageVectors
    variant: str = ""
    is_new: bool = False

    @property
    def address(self) -> str:
        return variant_address(self.url, self.variant)


def save_pages(pages: Sequence[PageToSave]) -> list[LibraryDocument]:
    """Store pages in their rows, which are locked until the transaction ends, and return the rows. Needs the tenant
    set.
    """
    try:
        return _save(pages, [page for page in pages if not page.is_new])
    except RowTaken:  # another run has just saved one of the pages
        return _save(pages, pages)


def _save(pages: Sequence[PageToSave], saved: Sequence[PageToSave]) -> list[LibraryDocument]:
    """Store the pages, of which those in `saved` may have rows."""
    rows = find_page_rows([page.url for page in saved], [page.variant for page in saved], locked=True)
    by_address = {page.address: row for page, row in zip(saved, rows, strict=True)}
    readings = []
    for page in pages:
        row = by_address.get(page.address)
        if row is None:
            row = LibraryDocument(folder=WEB, path=page.address, url=page.url, title=page.title)
            by_address[page.address] = row
        file = FoundFile(row.path, page.page.read.raw_size, None, page.page.details)
        readings.append(NewReading(row, file, page.page.read, page.vectors))
    store_readings(readings)
    return [reading.row for reading in readings]


def problem_of(read: PreparedDocument) -> tuple[str, str] | None:
    """Return the reason, as a code and a message, why a page has too little text; None if it has enough."""
    words = read.word_count
    if read.document.has_paywall and words < TEASER_WORDS:
        return "PAYWALL", "Only the beginning of the page can be read without paying."
    if words < MIN_WORDS:
        return "EXTRACTION_FAILED", f"The page has only {words} {'word' if words == 1 else 'words'} of text."
    return None


def load_raw(page: AcquiredPage) -> RawDocument:
    """Return a page's bytes, which it still holds if it was just fetched. Raises ObjectError."""
    if page.data is None:
        return load_object(page.raw_key)
    return RawDocument(page.data, sha256_in(page.raw_key), page.raw_key)


def variant_address(url: str, variant: str) -> str:
    """Return the canonical URL with the variant as its fragment, which no page's own canonical URL has."""
    return f"{canonical_url(url)}#{variant}" if variant else canonical_url(url)


def find_page_row(url: str, variant: str = "") -> LibraryDocument | None:
    """Return the row in which the page is saved, whichever run read it; None if none did. Needs the tenant set.

    `variant`: the page after actions on it, which is saved beside the original.
    """
    return find_page_rows([url], [variant])[0]


def find_page_rows(
    urls: Sequence[str], variants: Sequence[str] | None = None, *, locked: bool = False
) -> list[LibraryDocument | None]:
    """Return `find_page_row` of each page, locked if wanted. Needs the tenant set."""
    if not urls:
        return []
    variants = variants or [""] * len(urls)
    paths = [variant_address(url, variant) for url, variant in zip(urls, variants, strict=True)]
    rest = f"{PLACES} FOR UPDATE" if locked else PLACES
    rows = {row.path: row for row in rows_of(LibraryDocument, rest, {"folder": WEB, "paths": paths})}
    return [rows.get(path) for path in paths]
