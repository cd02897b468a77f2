"""Map the kinds of source that a run wants to the types of search that find them."""

from collections.abc import Collection
from dataclasses import replace

from research.models import SourceType
from research.search.search_protocol import Filters, SearchType

_ANY = (SearchType.WEB, SearchType.ACADEMIC)
_OF_TEXTS = (SearchType.WEB, SearchType.NEWS, SearchType.ACADEMIC, SearchType.CODE)
_FINDS = {
    SourceType.NEWS: SearchType.NEWS,
    SourceType.ACADEMIC: SearchType.ACADEMIC,
    SourceType.CODE: SearchType.CODE,
    SourceType.DOCUMENTATION: SearchType.CODE,
}


def search_types(wanted: Collection[SourceType]) -> tuple[SearchType, ...]:
    """Return the types of search, best first. The web is always included: it has every kind of source."""
    if not wanted:
        return _ANY
    return tuple(dict.fromkeys([*(_FINDS[kind] for kind in wanted if kind in _FINDS), SearchType.WEB]))


def for_named(filters: Filters) -> Filters:
    """Return filters for providers chosen by name: each searches the types it serves; kinds are filtered afterwards."""
    types = dict.fromkeys([filters.type, *filters.also, *_OF_TEXTS])
    return replace(filters, also=tuple(types)[1:])
