"""Lists of several sources as the rows of one table: each thing once, with every place that names it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from research.pipelines.table.decomposing.table_request_decomposition import MAX_ITEMS
from research.pipelines.table.finding.table_item_names import item_key
from research.pipelines.table.listing.read_lists_for_table import ListEntry, SourceList
from research.pipelines.table.listing.table_list_request import RowsRequest

MAX_PLACES = 3  # that are cited for one row, each of another source
LESS_FITTING = 0.2  # from so much on a list of the same form is of something else: "Awards" beside "Books"
RANKED = 0.8  # share of the rows that must have a figure to be ranked by it
_SAINT = re.compile(r"\b(?:sankt|saint)\b")
OVERLAP = 0.5  # share of the shorter list that two lists of the same things have in common


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A row with the places that name it, first the list that it was taken from."""

    name: str
    places: tuple[ListEntry, ...]


@dataclass(frozen=True, slots=True)
class ListedRows:
    """The rows of a table as the sources list them, and sentences on how complete they are likely to be."""

    rows: tuple[ListedRow, ...] = ()
    notes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # whose lists were used, the best first


def merge_lists(request: RowsRequest, lists: Sequence[SourceList], stated: Iterable[int] = ()) -> ListedRows:
    """Join the best list with those of the same things. `stated`: how many there are, as each page says it."""
    most = request.count or MAX_ITEMS
    ranked = sorted(lists, key=lambda each: (-round(each.fit, 1), -min(len(each.entries), most)))
    joined = _in_page_order(_join(ranked))
    by_key: dict[str, list[ListEntry]] = {}
    for each in joined:
        for entry in each.entries:
            by_key.setdefault(_key(entry.name), []).append(entry)
    named = (sorted(places, key=lambda place: place.name.isupper()) for places in by_key.values())
    rows = _rank(
        request, [ListedRow(places[0].name, tuple(_first_of_each_source(places))) for places in named]
    )
    taken = tuple(rows[:most])
    sources = tuple(dict.fromkeys(place.source for row in taken for place in row.places))
    return ListedRows(taken, tuple(_describe(request, taken, len(rows), sources, stated)), sources)


def _join(ranked: Sequence[SourceList]) -> list[SourceList]:
    """The first list, and those that have its headings or share their names with what was joined so far."""
    joined: list[SourceList] = []
    known: set[str] = set()
    waiting = list(ranked)
    while waiting:
        found = next((each for each in waiting if not joined or _is_of_same(each, joined[0], known)), None)
        if found is None:
            break
        waiting.remove(found)
        joined.append(found)
        known |= _keys(found)
    return joined


def _in_page_order(joined: Sequence[SourceList]) -> list[SourceList]:
    """Put lists of one page that fit alike and have one form in the order of the page, as the letters of an index."""
    groups: dict[tuple[object, ...], list[SourceList]] = {}
    for each in joined:
        groups.setdefault((each.source, round(each.fit, 1), each.shape), []).append(each)
    return [each for group in groups.values() for each in sorted(group, key=_place)]


def _place(each: SourceList) -> int:
    return each.entries[0].place.start


def _rank(request: RowsRequest, rows: list[ListedRow]) -> list[ListedRow]:
    """Rank the rows of lists that have the figures but not the order; a row without a figure comes last."""
    figures = {
        row.name: next((place.figure for place in row.places if place.figure is not None), None)
        for row in rows
    }
    known = [figure for figure in figures.values() if figure is not None]
    if not request.order or len(known) <= RANKED * len(rows):
        return rows
    last = float("inf")
    return sorted(
        rows, key=lambda row: last if (figure := figures[row.name]) is None else request.order * figure
    )


def _is_of_same(each: SourceList, first: SourceList, known: set[str]) -> bool:
    keys = _keys(each)
    is_shaped_so = any(each.shape) and each.shape == first.shape and each.fit > first.fit - LESS_FITTING
    return is_shaped_so or len(keys & known) >= OVERLAP * min(len(keys), len(known))


def _key(name: str) -> str:
    """Return the key of a name; "Sankt", "Saint" and "St." are one word."""
    return _SAINT.sub("st", item_key(name))


def _keys(each: SourceList) -> set[str]:
    return {_key(entry.name) for entry in each.entries}


def _first_of_each_source(places: Iterable[ListEntry]) -> list[ListEntry]:
    by_source: dict[str, ListEntry] = {}
    for place in places:
        by_source.setdefault(place.source, place)
    return list(by_source.values())[:MAX_PLACES]


def _describe(
    request: RowsRequest, rows: Sequence[ListedRow], found: int, sources: Sequence[str], stated: Iterable[int]
) -> Iterable[str]:
    """Yield sentences, which the pages can translate, on how complete the rows are likely to be."""
    if not rows:
        yield f"No list of “{request.phrase}” was found in the sources."
        return
    counts = sorted(stated, key=lambda count: abs(count - len(rows)))
    origin = "from 1 page" if len(sources) == 1 else f"from {len(sources)} pages"
    if request.count:
        yield f"{len(rows)} of {request.count} asked for; {origin}."
    elif counts:
        yield f"{len(rows)} rows found, {origin}; a page speaks of {counts[0]}."
    else:
        yield f"{len(rows)} rows found, {origin}; no page says how many there are."
    if found > len(rows):
        yield f"{found - len(rows)} more stand in the lists and are left out."
    if (agreed := sum(len(row.places) > 1 for row in rows)) and len(sources) > 1:
        yield f"{agreed} of the rows stand on two pages or more."
