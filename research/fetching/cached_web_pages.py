"""The cached web pages of a tenant, with their age. Needs the tenant set: no tenant sees another's pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import itemgetter

from research.db.bulk_sql import insert_rows, rows_of
from research.fetching.canonical_urls import canonical_url
from research.models import KeptPage

KEPT_FOR = timedelta(hours=24)  # how long a page is served from the cache (spec: agents-and-tools.md, Caches)


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A cached page, with its server's caching headers."""

    final_url: str
    raw_key: str
    media_type: str
    name: str
    fetched_at: datetime
    etag: str = ""
    last_modified: str = ""
    must_check: bool = False

    def is_fresh(self, now: datetime, max_age: timedelta = KEPT_FOR) -> bool:
        """Return True if the cached page can be used without asking the server."""
        return not self.must_check and now - self.fetched_at < max_age

    @property
    def conditions(self) -> Mapping[str, str]:
        """Return headers for a conditional request, answered 304 if nothing changed.

        Empty if there are no validators.
        """
        given = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in given.items() if value}


def find_copy(url: str) -> CachedPage | None:
    return find_copies([url])[0]


def find_copies(urls: Sequence[str]) -> list[CachedPage | None]:
    """Return the cached page of each URL; None for those that are not cached."""
    addresses = list(map(canonical_url, urls))
    rows = rows_of(KeptPage, "WHERE canonical_url = ANY(%(urls)s)", {"urls": addresses})
    found = {
        row.canonical_url: CachedPage(**{name: getattr(row, name) for name in CachedPage.__slots__})
        for row in rows
    }
    return [found.get(address) for address in addresses]


def keep_copies(pages: Iterable[tuple[str, CachedPage]]) -> None:
    """Store pages in place of older ones; the last one of a URL. A URL without a canonical form is not stored."""
    by_address = {canonical_url(url): copy for url, copy in pages}
    rows = [
        KeptPage(canonical_url=address, **{name: getattr(copy, name) for name in CachedPage.__slots__})
        for address, copy in sorted(
            by_address.items(), key=itemgetter(0)
        )  # everywhere in one order, which avoids deadlocks
        if address
    ]
    insert_rows(rows, replacing=("tenant_id", "canonical_url"))


def drop_copy(url: str) -> None:
    """Delete a cached page whose server does not allow caching."""
    KeptPage.objects.filter(canonical_url=canonical_url(url)).delete()
