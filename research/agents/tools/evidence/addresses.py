"""Resolving a handle or an address to a source or web page, among those that the run has come upon."""

import re
from uuid import UUID

from django.db.models import Q

from research.agents.tools.evidence.allowed_sources import SourceSettings
from research.agents.tools.evidence.handles import find_page, find_sources, is_handle
from research.fetching.canonical_urls import canonical_url
from research.library.run_sources import FoundPage
from research.models import Source

_ADDRESS = re.compile(r"https?://[^\s<>\"'`\[\](){}|\\^]+", re.IGNORECASE)
_ENDS = ".,;:!?*_"  # of sentences and marks around an address, not of the address


def source_named(run_id: UUID, wanted: str) -> Source | None:
    """By a handle, or by its address before or after redirects."""
    if is_handle(wanted):
        return find_sources(run_id, [wanted]).get(wanted)
    address = canonical_url(wanted)
    if not address:
        return None
    rows = Source.objects.filter(run_id=run_id)
    ends = {pk: canonical_url(url) for pk, url in rows.exclude(url="").values_list("pk", "url")}
    same = [pk for pk, end in ends.items() if end == address]
    found = rows.filter(Q(canonical_url=address) | Q(pk__in=same)).select_related("content")
    return found.order_by("created_at", "pk").first()


def page_named(run_id: UUID, wanted: str, allowed: SourceSettings) -> FoundPage | None:
    """A page that a search found, the owner named, or a text of the run names; in the spelling that it has there.

    An address that a model put together is never fetched: it could carry words away.
    """
    found = find_page(run_id, wanted)
    if found is not None:
        return found
    address = canonical_url(wanted)
    named = next((url for url in allowed.must_read if address and canonical_url(url) == address), None)
    if named is None and address and _is_written(run_id, wanted):
        named = wanted
    return FoundPage(named, must_read=allowed.is_must_read(named)) if named else None


def _is_written(run_id: UUID, url: str) -> bool:
    """The whole address stands in a text that the run has read, letter for letter."""
    rows = Source.objects.filter(run_id=run_id, content__text__contains=url)
    texts = rows.values_list("content__text", flat=True)
    return any(url == found.rstrip(_ENDS) for text in texts for found in _ADDRESS.findall(text))
