"""Tables of a text, laid out once for all items that are looked for in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from citations.text.claim_numerals import comma_is_decimal
from research.parsing.parsed_document import DocumentTable, TextBlock
from research.parsing.parsed_table_rows import ParsedTableRow, has_head, rows_of_table
from research.pipelines.table.finding.table_item_names import item_key, name_keys
from research.pipelines.table.table_column_amounts import Unit, unit_of_caption

_WORD = re.compile(r"[^\W\d_]{2}")
_GROUP_HEADING = re.compile(
    r"^(?:no\.?|nr\.?|#|index|id|code|rank|pos\.?|regions?|districts?|groups?|categor(?:y|ies)|types?|class|classes|kinds?|"
    r"areas?|sectors?|departments?|divisions?|continents?|years?|dates?|periods?|gruppe|bereich|art|jahr|datum|land)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class LaidOutTable:
    """A table of `text` with its rows, and how it writes its amounts. It has one row or more."""

    text: str
    table: DocumentTable
    rows: tuple[ParsedTableRow, ...]

    @property
    def headers(self) -> ParsedTableRow | None:
        return self.rows[0] if has_head(self.table) else None

    @cached_property
    def body(self) -> tuple[ParsedTableRow, ...]:
        return self.rows[1:] if has_head(self.table) else self.rows

    @cached_property
    def width(self) -> int:
        return max(len(row.words) for row in self.rows)

    @cached_property
    def unit(self) -> Unit | None:
        return unit_of_caption(self.table.caption) if self.table.caption else None

    @cached_property
    def comma_is_decimal(self) -> bool:
        return comma_is_decimal(self.text[self.table.start : self.table.end])

    def rows_by_first_column(self, item: str) -> Sequence[ParsedTableRow]:
        return self._by_first_column.get(item_key(item), ())

    def rows_by_other_column(self, item: str) -> Sequence[ParsedTableRow]:
        """Return the rows that another column than the first names, if its heading says that names stand in it."""
        return self._by_other_column.get(item_key(item), ())

    @cached_property
    def _by_first_column(self) -> Mapping[str, Sequence[ParsedTableRow]]:
        return self._rows_by_name(0)

    @cached_property
    def _by_other_column(self) -> Mapping[str, Sequence[ParsedTableRow]]:
        column = self._find_other_naming_column()
        return self._rows_by_name(column) if column is not None else {}

    def _rows_by_name(self, column: int) -> Mapping[str, Sequence[ParsedTableRow]]:
        named: dict[str, list[ParsedTableRow]] = {}
        for row in self.body:
            if column < len(row.words) and row.words[column].strip():
                for key in name_keys(row.words[column]):
                    named.setdefault(key, []).append(row)
        return named

    def _find_other_naming_column(self) -> int | None:
        """Return the first column of names that are all different, unless that is the very first column.

        Those to its left number or group the rows.
        """
        headers = self.headers
        for column, heading in enumerate(headers.words if headers is not None else ()):
            words = [row.words[column].strip() for row in self.body if column < len(row.words)]
            filled = [word for word in words if word]
            is_key = bool(filled) and len({word.casefold() for word in filled}) == len(filled)
            is_of_names = sum(bool(_WORD.search(word)) for word in filled) * 10 > len(filled) * 9
            if not is_key or not is_of_names or _GROUP_HEADING.search(heading):
                continue
            if column == 0:
                return None
            if heading.strip():
                return column
        return None


def lay_out(text: str, blocks: Sequence[TextBlock], tables: Sequence[DocumentTable]) -> list[LaidOutTable]:
    """Lay out the tables that have rows in the text."""
    laid_out = (LaidOutTable(text, table, tuple(rows_of_table(text, blocks, table))) for table in tables)
    return [table for table in laid_out if table.rows]
