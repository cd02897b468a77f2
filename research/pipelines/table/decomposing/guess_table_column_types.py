"""The shape of a column by its name, and by examples of its values."""

import re
from collections.abc import Sequence

from research.pipelines.table.convert_table_cell_values import MAX_VALUE, ValueRefusal, parse_value
from research.pipelines.table.table_column_amounts import unit_in
from research.pipelines.table.table_columns import (
    MAX_DESCRIPTION_LENGTH,
    MAX_TITLE,
    FieldType,
    TableField,
    name_of,
)

_YES_NO = re.compile(
    r"^(?:is|has|have|are|does|do|can|was|whether|ist|hat)\b|\?$|\(yes/no\)|\b(?:yes or no|ja/nein)\b",
    re.IGNORECASE,
)
_URL = re.compile(
    r"\b(?:urls?|website|web site|homepage|home page|link|webseite|internetseite)\b", re.IGNORECASE
)
_FILE = re.compile(r"\b(?:file|pdf|attachment|datei|logo|image file)\b", re.IGNORECASE)
_YEAR = re.compile(r"\byear\b|jahr\b|\b(?:founded|established|incorporated|gegründet)\b", re.IGNORECASE)
_DATE = re.compile(
    r"\b(?:date|day|when|born|died|birthday|released|launched|published|deadline|expiry|expires|since|datum|termin)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\b(?:number|how many|how much|count|population|inhabitants|area|revenue|turnover|sales|profit|income|employees|"
    r"staff|headcount|price|cost|costs|height|weight|length|width|depth|distance|size|percent|percentage|share|rate|ratio|score|"
    r"rating|gdp|age|elevation|altitude|capacity|speed|power|stars|downloads|temperature|budget|salary|total|amount|"
    r"duration|anzahl|einwohner|fläche|umsatz|mitarbeiter|preis|höhe|gewicht|länge)\b|[%€$£]",
    re.IGNORECASE,
)
_MAIL = re.compile(r"\be-?mail\b", re.IGNORECASE)
_NO_PLURAL = frozenset(
    "headquarters series sales status address business news politics species campus class process progress basis "
    "thesis analysis physics mathematics economics goods means access chaos corpus bus gas".split()
)
_OF = re.compile(r"\s+(?:of|for|in|by|per|at|to|with)\s+", re.IGNORECASE)


def field_of(title: str, description: str = "", examples: Sequence[str] = ()) -> TableField | None:
    """A column for a title in words ("Founding year"); None where nothing is left that could be its name.

    >>> field_of("Founding year").type.value, field_of("official languages").many
    ('date', True)
    """
    plain = " ".join(title.split()).strip(" .,:;-–—*_`\"'“”").strip()
    name = name_of(
        re.sub(r"^(?:is|has|are|does|whether)\s+(?:it|they)\s+", "is ", plain, flags=re.IGNORECASE)
    )
    if not name:
        return None
    found = _infer_field(plain, [each for each in examples if each.strip()])
    return TableField(
        name=name,
        title=(plain[:1].upper() + plain[1:])[:MAX_TITLE],
        description=" ".join(description.split())[:MAX_DESCRIPTION_LENGTH],
        type=found.type,
        format=found.format,
        many=found.many,
    )


def _infer_field(title: str, examples: Sequence[str]) -> TableField:
    by_name = _by_name(title)
    return _by_examples(by_name, examples) if examples else by_name


def _shape(kind: FieldType, form: str = "", *, many: bool = False) -> TableField:
    return TableField(name="x", type=kind, format=form, many=many)


def _by_name(title: str) -> TableField:
    if _YES_NO.search(title):
        return _shape(FieldType.BOOLEAN)
    if _URL.search(title):
        return _shape(FieldType.URL)
    if _FILE.search(title):
        return _shape(FieldType.FILE)
    if _YEAR.search(title):
        return _shape(FieldType.DATE, "year")
    if _DATE.search(title):
        return _shape(FieldType.DATE)
    if _NUMBER.search(title) or unit_in(title):
        return _shape(FieldType.NUMBER)
    return _shape(FieldType.STRING, "email" if _MAIL.search(title) else "", many=is_plural(title))


def is_plural(title: str) -> bool:
    """True for a title whose head is a plural: "official languages", "countries of operation"; not "headquarters"."""
    words = _OF.split(title)[0].casefold().split()
    last = words[-1].strip("()") if words else ""
    return (
        len(last) > 3
        and last.endswith("s")
        and not last.endswith(("ss", "us", "is", "ics"))
        and last not in _NO_PLURAL
    )


def _by_examples(by_name: TableField, examples: Sequence[str]) -> TableField:
    """Return the shape that all examples have: that of the column's name, if they fit it, else the first that they fit.

    Text if they fit none.
    """
    candidates = [
        _shape(FieldType.BOOLEAN), _shape(FieldType.DATE, "year"), _shape(FieldType.NUMBER), _shape(FieldType.DATE),
        _shape(FieldType.URL),
    ]  # fmt: skip
    first = [by_name] if by_name.type is not FieldType.STRING else []
    for shape in (*first, *candidates):
        if _fits(shape, examples):
            return shape
    has_lists = sum(";" in each or each.count(",") > 1 for each in examples) * 2 >= len(examples)
    return _shape(
        FieldType.STRING,
        by_name.format if by_name.type is FieldType.STRING else "",
        many=by_name.many or has_lists,
    )


_BY_FORM = {
    FieldType.BOOLEAN: re.compile(r"(?:yes|no|true|false|y|n|ja|nein|✓|✗)", re.IGNORECASE),
    FieldType.NUMBER: re.compile(r"(?=[\s.,'%€$£+-]*+\d)[\s\d.,'%€$£+-]+(?:\s?[^\W\d_]{1,12}[²³]?)?"),
    FieldType.URL: re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE),
}


def _fits(shape: TableField, examples: Sequence[str]) -> bool:
    if max(map(len, examples)) > MAX_VALUE:
        return False
    if (
        shape.type is FieldType.DATE
        and shape.format == "year"
        and not all(re.fullmatch(r"(?:1[5-9]|20)\d\d", each) for each in examples)
    ):
        return False
    form = _BY_FORM.get(shape.type)
    return all(
        (form is None or form.fullmatch(each.strip()))
        and not isinstance(parse_value(shape, each), ValueRefusal)
        for each in examples
    )
