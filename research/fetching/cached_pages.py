"""The cached web pages of a tenant, with their age. Needs the tenant set: no tenant sees another's pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

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
    rows = rows_of(KeptPage, "WHERE canonical_url = %(url)s", {"url": canonical_url(url)})
    return CachedPage(**{name: getattr(rows[0], name) for name in CachedPage.__slots__}) if rows else None


def keep_copy(url: str, copy: CachedPage) -> None:
    """Store a page in place of an older one. A URL without a canonical form is not stored."""
    canonical = canonical_url(url)
    if canonical:
        columns = {name: getattr(copy, name) for name in CachedPage.__slots__}
        insert_rows([KeptPage(canonical_url=canonical, **columns)], replacing=("tenant_id", "canonical_url"))


def drop_copy(url: str) -> None:
    """Delete a cached page whose server does not allow caching."""
    KeptPage.objects.filter(canonical_url=canonical_url(url)).delete()
