"""Resolve a handle or a URL to a source or web page that the run has found."""

import re
from collections.abc import Mapping
from uuid import UUID

from django.db.models import Q
from pydantic import JsonValue

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.agents.tools.evidence.tool_source_handles import (
    find_sources,
    is_handle,
    page_handle,
    search_result,
)
from research.fetching.canonical_urls import canonical_url
from research.library.sources_from_library import FoundPage
from research.models import Source
from research.models.schemas import Rendering

_ADDRESS = re.compile(r"https?://[^\s<>\"'`\[\](){}|\\^]+", re.IGNORECASE)
_ENDS = ".,;:!?*_"  # punctuation after a URL that does not belong to it


def source_named(run_id: UUID, wanted: str) -> Source | None:
    """Return the source with this handle or URL, before or after redirects; None if there is none."""
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
    """Return a page that a search found, or that the owner or a text of the run names, with the URL found there.

    A URL made up by a model is never fetched: it could leak text.
    """
    found = _find_page(run_id, wanted)
    if found is not None:
        return found
    address = canonical_url(wanted)
    named = next((url for url in allowed.must_read if address and canonical_url(url) == address), None)
    if named is None and address and _is_written(run_id, wanted):
        named = wanted
    return FoundPage(named, must_read=allowed.is_must_read(named)) if named else None


def _is_written(run_id: UUID, url: str) -> bool:
    """Return True if exactly this URL is in a text that the run has read.

    A page that an agent filled in names none: it can make URLs of what was filled in.
    """
    rows = Source.objects.filter(run_id=run_id, content__text__contains=url)
    texts = (
        text
        for text, rendering in rows.values_list("content__text", "content__rendering")
        if not is_filled_in(rendering)
    )
    return any(url == found.rstrip(_ENDS) for text in texts for found in _ADDRESS.findall(text))


def is_filled_in(rendering: Mapping[str, JsonValue] | None) -> bool:
    """Return True if an agent filled in a field of the page before it was read. `rendering`: as stored."""
    if not rendering:
        return False
    return any(action.do == "fill" for action in Rendering.model_validate(rendering).wish.actions)


def _find_page(run_id: UUID, text: str) -> FoundPage | None:
    """Return the web page with this handle or URL as a search of the run found it, with the URL found there."""
    handle = text if is_handle(text) else page_handle(text)
    result = search_result(run_id, handle) if handle.startswith("web-") else None
    if result is None:
        return None
    published = result["published"] if result["published"][:1].isdigit() else ""
    return FoundPage(result["url"], result["title"], published, full_text=result.get("full_text", ""))
