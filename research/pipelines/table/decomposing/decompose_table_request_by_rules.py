"""A request for a table taken apart by rules: lists, pasted tables, and the words that ask for columns."""

import re
from collections.abc import Iterator, Sequence

from research.pipelines.table.decomposing.guess_table_column_types import field_of
from research.pipelines.table.decomposing.read_pasted_table_rows import PastedTable, read_grid, read_list
from research.pipelines.table.decomposing.requested_table_columns import parse_requested_fields, template_of
from research.pipelines.table.decomposing.table_request_decomposition import (
    MAX_ITEM_LENGTH,
    MAX_ITEMS,
    Decomposition,
)
from research.pipelines.table.table_columns import MAX_FIELDS, TableField

NO_ITEMS = "No list was found: write the items one a line, or give a table."
NO_FIELDS = "No columns were found: name what is wanted of each item, or add columns."
ITEM_HEADERS = re.compile(
    r"^(?:items?|inputs?|names?|titles?|compan(?:y|ies)|countr(?:y|ies)|products?|organi[sz]ations?|packages?|cit(?:y|ies)|"
    r"people|person|universit(?:y|ies)|schools?|books?|films?|drugs?|species|firma|land|name)$",
    re.IGNORECASE,
)
_LIST_IN_PROMPT = re.compile(r":\s*(?P<list>[^\n:]*[,;\n].*)$", re.DOTALL)
_NAME = r"[A-Z0-9][^\s,;]*(?:\s(?!and\b)[A-Z0-9][^\s,;]*){0,4}"
_NAMES_IN_PROMPT = re.compile(
    rf"\b(?:of|for)\s+(?P<list>{_NAME}(?:,\s+{_NAME})*,?\s+and\s+{_NAME}?)\s*[.?]?$"
)


def decompose(prompt: str, text: str, files: Sequence[str] = (), *, column: str = "") -> Decomposition:
    """`text` was pasted (a list or a table), `files` are uploads as CSV (`files.as_csv`).

    `column` names the column of a table that holds the items; by default the first that looks like names. What the
    prompt asks for comes first among the fields, then columns of the table that have gaps.
    """
    prompt, inside = (
        (prompt, "") if text.strip() or any(map(str.strip, files)) else _split_request_from_list(prompt)
    )
    grids = [grid for grid in map(read_grid, (text, *files)) if grid is not None]
    grid = grids[0] if grids else None
    chosen = None if grid is None else choose_column(grid, column)
    raw = list(_items(text or inside, files, grid, chosen))
    heading = raw[:1] if files and grid is None and len(raw) > 1 and ITEM_HEADERS.match(raw[0]) else []
    items, notes = select_items(raw[len(heading) :])
    fields, more = _fields(parse_requested_fields(prompt, is_of_each=bool(items)), grid, chosen)
    above = [f"Lines left out above the headings of the table: {grid.above}."] if grid and grid.above else []
    above += [f"“{name}” is in the first row of the file and is used as the heading." for name in heading]
    notes = [*above, *notes, *more, *([] if items else [NO_ITEMS]), *([] if fields else [NO_FIELDS])]
    headers = grid.headers if grid else ()
    return Decomposition(tuple(items), template_of(prompt), tuple(fields), tuple(notes), headers, chosen)


def _split_request_from_list(prompt: str) -> tuple[str, str]:
    """The request and the list that it ends with: "the CEO of each of these: Acme, Globex", "of Acme and Globex"."""
    match = _LIST_IN_PROMPT.search(prompt)
    if match is None:
        named = _NAMES_IN_PROMPT.search(prompt.strip())
        return (
            (prompt, "") if named is None else (f"{prompt.strip()[: named.start()]}of each.", named["list"])
        )
    if re.search(r"(?:columns?|fields?|spalten|felder)\s*$", prompt[: match.start()], re.IGNORECASE):
        return prompt, ""
    return f"{prompt[: match.start()]}.", match["list"]


def choose_column(grid: PastedTable, named: str) -> int:
    """The column with the items: as named (or numbered, from 1), else by its header, else the first with words."""
    wanted = named.strip().casefold()
    headers = [header.casefold() for header in grid.headers]
    if wanted in headers:
        return headers.index(wanted)
    numbers = [str(number) for number in range(1, len(headers) + 1)]
    if wanted in numbers:
        return numbers.index(wanted)
    by_name = (index for index, header in enumerate(headers) if ITEM_HEADERS.match(header))
    by_words = (index for index in range(len(headers)) if _are_words(grid.column(index)))
    return next(by_name, next(by_words, 0))


def _are_words(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    lettered = [cell for cell in filled if re.search(r"[^\W\d_]{2}", cell)]
    return len(lettered) * 2 > len(cells) and len(set(filled)) * 2 > len(filled)


def _items(text: str, files: Sequence[str], grid: PastedTable | None, chosen: int | None) -> Iterator[str]:
    if grid is not None and chosen is not None:
        yield from grid.column(chosen)
    else:
        for each in (text, *files):
            yield from read_list(each)


def select_items(raw: Sequence[str]) -> tuple[list[str], list[str]]:
    """The items of a list, each once and at most as many as a table has; and what was left out, in words."""
    given = [" ".join(item.split()) for item in raw]
    filled = [item for item in given if item]
    short = [item for item in filled if len(item) <= MAX_ITEM_LENGTH]
    first: dict[str, str] = {}
    for item in short:
        first.setdefault(item.casefold(), item)
    once = list(first.values())
    notes = []
    if len(filled) > len(short):
        notes.append(
            f"{len(filled) - len(short)} of the items were longer than {MAX_ITEM_LENGTH} characters and are left out."
        )
    if len(short) > len(once):
        notes.append(f"{len(short) - len(once)} items are listed more than once and are used once.")
    if len(once) > MAX_ITEMS:
        notes.append(f"Only the first {MAX_ITEMS} of {len(once)} items are used, the maximum for a table.")
    return once[:MAX_ITEMS], notes


def _fields(
    asked: Sequence[TableField], grid: PastedTable | None, chosen: int | None
) -> tuple[list[TableField], list[str]]:
    found = {field.name: field for field in asked}
    full = []
    for field, is_full in _of_columns(grid, chosen):
        if not is_full:
            found.setdefault(field.name, field)
        elif field.name not in found:
            full.append(field.title)
    notes = [_of_full(full)] if full else []
    fields = list(found.values())
    if len(fields) > MAX_FIELDS:
        notes.append(f"Only the first {MAX_FIELDS} of {len(fields)} columns are used.")
    return fields[:MAX_FIELDS], notes


def _of_full(titles: Sequence[str]) -> str:
    if len(titles) == 1:
        return f"The column “{titles[0]}” has a value in every row and is not looked up."
    return f"These columns have a value in every row and are not looked up: {', '.join(titles)}."


def _of_columns(grid: PastedTable | None, chosen: int | None) -> Iterator[tuple[TableField, bool]]:
    """The other columns of the table as fields, and whether nothing is missing in them."""
    for index, header in enumerate(grid.headers if grid else ()):
        if grid is not None and index != chosen:
            cells = grid.column(index)
            field = field_of(header, examples=cells)
            if field is not None:
                yield field, all(cells)
