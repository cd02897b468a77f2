"""Data for the page of a table: headings, rows, and short cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from exports.document.document_original_links import original_url
from exports.document.document_tree import CellEntry, ColumnEntry, RowEntry
from exports.labels.document_labels import word
from exports.labels.format_document_cells import value_words
from exports.stored.translate_exported_sentences import translate_stored_text
from research.web.templatetags.evidence_tags import fill_dots

MAX_SHOWN = 300  # characters of a value in its cell; its evidence page shows all of it

# Text of cells without a value.
STANDING: Mapping[str, Promise] = {
    "waiting": pgettext_lazy("cell", "waiting"),
    "running": pgettext_lazy("cell", "being looked up"),
    "not_found": pgettext_lazy("cell", "not found"),
    "failed": pgettext_lazy("cell", "failed"),
}
ROW_NOTES: Mapping[str, Promise] = {
    "waiting": pgettext_lazy("row", "waiting"),
    "running": pgettext_lazy("row", "being looked up"),
    "failed": pgettext_lazy("row", "failed"),
}
TYPES: Mapping[str, Promise] = {
    "string": gettext_lazy("Text"),
    "number": gettext_lazy("Number"),
    "boolean": gettext_lazy("Yes or no"),
    "date": gettext_lazy("Date"),
    "url": gettext_lazy("Web address"),
    "file": gettext_lazy("File"),
}


@dataclass(frozen=True, slots=True)
class ColumnHeading:
    """The heading of a column. `order`: how the rows are sorted by it: ascending, descending or not at all."""

    name: str
    title: str
    kind: str  # the type of its values, which is also the class of its cells
    description: str
    sort: str  # the query of a click
    order: str


@dataclass(frozen=True, slots=True)
class ShownCell:
    id: str
    kind: str
    state: str
    text: str
    link: str  # the value, if it is the address of a page; else empty
    strength: str  # strength of its evidence; empty if there is none
    dots: SafeString
    address: str  # URL of its evidence; empty while it waits
    label: str  # accessible name of the link to it
    is_disputed: bool


@dataclass(frozen=True, slots=True)
class ShownRow:
    number: int
    input: str
    status: str
    note: str  # shown below the item; empty for a finished row
    cells: tuple[ShownCell, ...]


def base_of(run_id: UUID) -> str:
    """Return the URL of a table's page, the prefix of its cells' URLs."""
    return reverse("research:table", args=[run_id])


def headings(columns: Sequence[ColumnEntry], sort: str) -> list[ColumnHeading]:
    """Return the headings, the item's first. `sort` is the current order."""
    item = ColumnEntry("input", _("Item"), "string")
    return [_build_heading(column, sort) for column in (item, *columns)]


def _build_heading(column: ColumnEntry, sort: str) -> ColumnHeading:
    order = {column.name: "ascending", f"-{column.name}": "descending"}.get(sort, "")
    turned = f"-{column.name}" if order == "ascending" else column.name
    return ColumnHeading(
        column.name, column.title or column.name, column.type, column.description, turned, order
    )


def build_row_views(rows: Sequence[RowEntry], columns: Sequence[ColumnEntry], base: str) -> list[ShownRow]:
    """Build the rows. `base` is the URL of the table's page."""
    return [build_row_view(row, columns, base) for row in rows]


def build_row_view(row: RowEntry, columns: Sequence[ColumnEntry], base: str) -> ShownRow:
    cells = zip(row.cells, columns, strict=True)
    note = translate_stored_text(row.error) or str(ROW_NOTES.get(row.status, ""))
    return ShownRow(
        row.number,
        row.input,
        row.status,
        note,
        tuple(build_cell_view(row, cell, column, base) for cell, column in cells),
    )


def build_cell_view(row: RowEntry, cell: CellEntry, column: ColumnEntry, base: str) -> ShownCell:
    text = value_words(cell, column.type) if cell.state == "found" else str(STANDING[cell.state])
    strength = cell.claim.strength if cell.claim else ""
    is_there = cell.state not in ("waiting", "running")
    return ShownCell(
        id=f"cell-{row.number}-{column.name}",
        kind=column.type,
        state=cell.state,
        text=text[:MAX_SHOWN],
        link=original_url(str(cell.value)) if column.type == "url" and cell.state == "found" else "",
        strength=strength,
        dots=DOTS.get(strength, SafeString("")),
        address=f"{base}{row.number}/{column.name}/" if is_there else "",
        label=_label(row, cell, column, text) if is_there else "",
        is_disputed=cell.is_disputed,
    )


def _label(row: RowEntry, cell: CellEntry, column: ColumnEntry, text: str) -> str:
    """Return the label of a cell: "Norway, Capital: strong evidence"; without a value, the reason."""
    said = (
        _("%(strength)s evidence") % {"strength": word(cell.claim.strength, "strength")}
        if cell.claim
        else text
    )
    values = {"item": row.input, "field": column.title or column.name, "said": said}
    return _("%(item)s, %(field)s: %(said)s") % values


def _dots(strength: str) -> SafeString:
    marks = [SafeString(' class="on"') if filled else "" for filled in fill_dots(strength)]
    return format_html('<span class="dots" aria-hidden="true"><i{}></i><i{}></i><i{}></i></span>', *marks)


# Rendered once, because a page has hundreds of cells.
DOTS: Mapping[str, SafeString] = {strength: _dots(strength) for strength in ("strong", "moderate", "limited")}
