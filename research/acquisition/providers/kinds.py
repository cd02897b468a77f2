"""Which kinds of search find the kinds of source that a run wants."""

from collections.abc import Collection

from research.acquisition.providers.protocol import SearchType
from research.models import SourceType

_ANY = (SearchType.WEB, SearchType.ACADEMIC)
_FINDS = {
    SourceType.NEWS: SearchType.NEWS,
    SourceType.ACADEMIC: SearchType.ACADEMIC,
    SourceType.CODE: SearchType.CODE,
    SourceType.DOCUMENTATION: SearchType.CODE,
}


def search_types(wanted: Collection[SourceType]) -> tuple[SearchType, ...]:
    """The best first. The web is always among them: every kind of source stands there, and everyone searches it."""
    if not wanted:
        return _ANY
    return tuple(dict.fromkeys([*(_FINDS[one] for one in wanted if one in _FINDS), SearchType.WEB]))
