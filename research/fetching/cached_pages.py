"""The cached web pages of a tenant, with their age. Needs the tenant set, so that no tenant sees another's pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from research.db.bulk_sql import insert_rows, rows_of
from research.fetching.canonical_urls import canonical_url
from research.models import KeptPage

KEPT_FOR = timedelta(hours=24)  # that a page is not asked for again (spec: agents-and-tools.md, Caches)


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page as it was kept, and what its server said of it."""

    final_url: str
    raw_key: str
    media_type: str
    name: str
    fetched_at: datetime
    etag: str = ""
    last_modified: str = ""
    must_check: bool = False

    def is_fresh(self, now: datetime, max_age: timedelta = KEPT_FOR) -> bool:
        """It need not be asked for."""
        return not self.must_check and now - self.fetched_at < max_age

    @property
    def conditions(self) -> Mapping[str, str]:
        """Headers of a request that is answered 304 where nothing changed; none where the server gave no mark."""
        given = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in given.items() if value}


def find_copy(url: str) -> CachedPage | None:
    rows = rows_of(KeptPage, "WHERE canonical_url = %(url)s", {"url": canonical_url(url)})
    return CachedPage(**{name: getattr(rows[0], name) for name in CachedPage.__slots__}) if rows else None


def keep_copy(url: str, copy: CachedPage) -> None:
    """Store a copy in place of an older one. An address without a canonical spelling is not stored."""
    canonical = canonical_url(url)
    if canonical:
        columns = {name: getattr(copy, name) for name in CachedPage.__slots__}
        insert_rows([KeptPage(canonical_url=canonical, **columns)], replacing=("tenant_id", "canonical_url"))


def drop_copy(url: str) -> None:
    """Its server does not want it to be kept."""
    KeptPage.objects.filter(canonical_url=canonical_url(url)).delete()
