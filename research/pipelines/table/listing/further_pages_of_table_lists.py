"""Lists that continue on further pages of their site: each page links to the next one, which is read too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from research.engine.pipeline_registry import Json, JsonObject
from research.fetching.canonical_urls import canonical_url
from research.fetching.fetched_page_links import next_page, page_number
from research.library.sources_from_library import FoundPage
from research.models import Run, Source
from research.pipelines.common.pipeline_input_values import require_list
from research.pipelines.table.decomposing.table_request_decomposition import MAX_ITEMS
from research.pipelines.table.filling.load_table_item_texts import ReadSources
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.listing.read_lists_for_table import SourceList, find_continued_lists, find_lists
from research.pipelines.table.listing.table_list_request import RowsRequest
from research.pipelines.table.table_config import TableConfig
from research.storage.object_store import ObjectError, get_object

MAX_FURTHER = 60  # pages that are followed to, of all lists together
TIME_SHARE = 0.6  # of the state's time limit after which no further page is begun


@dataclass(frozen=True, slots=True)
class PagedList:
    """A list and its pages in order, by the ids of their sources. `rows`: the number of rows on them."""

    pages: tuple[str, ...]
    rows: int = 0
    is_ended: bool = False

    def as_json(self) -> JsonObject:
        return {"pages": list(self.pages), "rows": self.rows, "ended": self.is_ended}


def read_paged(stored: Json) -> list[PagedList]:
    """Return the lists of a step's input."""
    return [
        PagedList(tuple(map(str, each["pages"])), int(each["rows"]), bool(each["ended"]))
        for each in require_list(stored)
        if isinstance(each, dict)
    ]


def join_pages(
    request: RowsRequest, paged: Iterable[PagedList], texts: Mapping[str, ReadText]
) -> Iterator[SourceList]:
    """Yield the lists of all texts; the entries of further pages follow those of the pages before them."""
    paged = list(paged)
    further = {page for each in paged for page in each.pages[1:]}
    for key, text in texts.items():
        if key in further:
            continue
        pages = next((each.pages for each in paged if each.pages[0] == key), (key,))
        lists = find_lists(request, text)
        for page in pages[1:]:
            if page in texts:
                lists = _continue(lists, find_continued_lists(request, texts[page], lists))
        yield from lists


def _continue(lists: Sequence[SourceList], further: Sequence[SourceList]) -> list[SourceList]:
    """Append the entries of the next page to the first list of the same shape."""
    joined = list(lists)
    for each in further:
        place = next(index for index, before in enumerate(joined) if before.shape == each.shape)
        joined[place] = replace(joined[place], entries=(*joined[place].entries, *each.entries))
    return joined


def count_rows(request: RowsRequest, paged: PagedList, texts: Mapping[str, ReadText]) -> PagedList:
    """Return the list with the rows of its last page added; it has ended if that page has none."""
    first, last = texts.get(paged.pages[0]), texts.get(paged.pages[-1])
    if paged.is_ended or first is None or last is None:
        return replace(paged, is_ended=True)
    lists = find_lists(request, first)
    found = lists if len(paged.pages) == 1 else find_continued_lists(request, last, lists)
    rows = max((len(each.entries) for each in found), default=0)
    return replace(paged, rows=paged.rows + rows, is_ended=not rows)


def join_known_pages(paged: Sequence[PagedList], read: ReadSources) -> list[PagedList]:
    """Join two lists if one continues on the first page of the other, which a search found as well."""
    joined = list(paged)
    while (found := _find_continued(joined, read)) is not None:
        before, after = found
        whole = PagedList(before.pages + after.pages, before.rows + after.rows, after.is_ended)
        joined[joined.index(before)] = whole
        joined.remove(after)
    return joined


def _find_continued(paged: Sequence[PagedList], read: ReadSources) -> tuple[PagedList, PagedList] | None:
    for before in paged:
        source = read.sources.get(before.pages[-1])
        address = canonical_url(_next_of(source)) if source is not None else ""
        for after in paged:
            if address and after is not before and _begins_at(after, address, read):
                return before, after
    return None


def _begins_at(paged: PagedList, address: str, read: ReadSources) -> bool:
    source = read.sources.get(paged.pages[0])
    return source is not None and canonical_url(source.url) == address


def join_numbered_pages(paged: Sequence[PagedList], read: ReadSources) -> list[PagedList]:
    """Join lists that begin on pages of one address with different numbers, in the order of these."""
    joined: list[list[PagedList]] = []
    for each in paged:
        of_one = next((together for together in joined if _number_of(each, together[0], read)), None)
        if of_one is None:
            joined.append([each])
        else:
            of_one.append(each)
    return [_join_in_order(together, read) for together in joined]


def _join_in_order(paged: Sequence[PagedList], read: ReadSources) -> PagedList:
    ordered = sorted(paged, key=lambda each: _number_of(each, paged[0], read))
    pages = tuple(page for each in ordered for page in each.pages)
    return PagedList(pages, sum(each.rows for each in ordered), ordered[-1].is_ended)


def _number_of(paged: PagedList, other: PagedList, read: ReadSources) -> int:
    """Return the number of the list's first page in the series to which the other one belongs; 0 if it does not."""
    source, of = (read.sources.get(each.pages[0]) for each in (paged, other))
    return page_number(source.url, of.url) if source and of and source.domain == of.domain else 0


def goes_on(request: RowsRequest, paged: Sequence[PagedList], read: ReadSources) -> bool:
    """Return True if no list has enough rows and one has a next page that was not read."""
    wanted = min(request.count or MAX_ITEMS, MAX_ITEMS)
    if any(each.rows >= wanted for each in paged):
        return False
    sources = [read.sources.get(each.pages[-1]) for each in paged if not each.is_ended]
    return any(source is not None and _next_of(source) for source in sources)


def find_next_pages(
    run: Run, config: TableConfig, request: RowsRequest, paged: Sequence[PagedList], read: ReadSources
) -> dict[int, FoundPage]:
    """Return the next page of each list, by the list's index. Needs the tenant set.

    Empty if one list has enough rows or a limit is reached.
    """
    wanted = min(request.count or MAX_ITEMS, MAX_ITEMS)
    room = MAX_FURTHER - sum(len(each.pages) - 1 for each in paged)
    if not config.uses_web or any(each.rows >= wanted for each in paged) or _is_late(run):
        return {}
    known = set(
        map(canonical_url, Source.objects.filter(run=run).exclude(url="").values_list("url", flat=True))
    )
    found: dict[int, FoundPage] = {}
    for place, each in enumerate(paged):
        source = read.sources.get(each.pages[-1])
        address = _next_of(source) if source is not None and not each.is_ended else ""
        is_new = bool(address) and canonical_url(address) not in known and not config.refusal(address)
        if is_new and len(found) < room:
            known.add(canonical_url(address))
            found[place] = FoundPage(address)
    return found


def _next_of(source: Source) -> str:
    content, url = source.content, source.final_url or source.url
    if content is None or "html" not in content.media_type or not content.raw_key or not url:
        return ""
    try:
        return next_page(get_object(content.raw_key).decode("utf-8", "replace"), url)
    except ObjectError:
        return ""


def _is_late(run: Run) -> bool:
    if run.state_deadline is None or run.state_entered_at is None:
        return False
    limit = run.state_deadline - run.state_entered_at
    return timezone.now() > run.state_entered_at + TIME_SHARE * limit
