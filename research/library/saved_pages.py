"""Saves web pages that were read: their details, their row, and the check for enough text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citations.credibility.authority import SourceClass, classify_source, origin_domain
from citations.credibility.authority_rules import AuthorityRule
from research.db.bulk_sql import rows_of
from research.fetching.canonical_urls import canonical_url
from research.fetching.get_page import AcquiredPage
from research.library.library_folders import WEB
from research.library.library_manifest import Details
from research.library.prepare_documents import PreparedDocument, RawDocument, load_object
from research.library.retrieval.passage_embedding import PassageVectors
from research.library.scan_folder import FoundFile
from research.library.store_documents import RowTaken, store_reading
from research.models import LibraryDocument
from research.storage.object_store import sha256_in

PLACE = "WHERE folder = %(folder)s AND path = %(path)s"
FEWEST_WORDS = 20  # of a usable page
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
        """Store the page in its row, which is locked until the transaction ends. Needs the tenant set.

        `url` and `title` are those under which a search found it; `variant`: see `find_page_row`.
        """
        row = find_page_row(url, variant, locked=True)
        if row is None:
            row = LibraryDocument(folder=WEB, path=variant_address(url, variant), url=url, title=title)
        try:
            self._store(row, vectors)
        except RowTaken:  # another run has just saved the page
            row = find_page_row(url, variant, locked=True)
            if row is None:
                raise
            self._store(row, vectors)
        return row

    def _store(self, row: LibraryDocument, vectors: PassageVectors) -> None:
        store_reading(row, FoundFile(row.path, self.read.raw_size, None, self.details), self.read, vectors)


def problem_of(read: PreparedDocument) -> tuple[str, str] | None:
    """Return the reason, as a code and a message, why a page has too little text; None if it has enough."""
    words = read.word_count
    if read.document.has_paywall and words < TEASER_WORDS:
        return "PAYWALL", "Only the beginning of the page can be read without paying."
    if words < FEWEST_WORDS:
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


def find_page_row(url: str, variant: str = "", *, locked: bool = False) -> LibraryDocument | None:
    """Return the row in which the page is saved, whichever run read it; None if none did. Needs the tenant set.

    `variant`: the page after actions on it, which is saved beside the original.
    """
    rest = f"{PLACE} FOR UPDATE" if locked else PLACE
    rows = rows_of(LibraryDocument, rest, {"folder": WEB, "path": variant_address(url, variant)})
    return rows[0] if rows else None
