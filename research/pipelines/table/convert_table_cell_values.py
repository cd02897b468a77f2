"""Values of cells: raw answers converted to the type of their column, or refused in words."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from urllib.parse import urlsplit

from pydantic import ValidationError

from citations.dates.find_dates import read_date
from citations.entities.entity_names import name_key
from citations.entities.find_place_entities import place_key
from citations.text.quote_normalizing import normalize
from research.pipelines.table.table_column_amounts import is_range, read_number, unit_of
from research.pipelines.table.table_columns import FieldType, TableField, matcher

MAX_VALUE = 1_000  # characters of one text
MAX_VALUES = 200  # of a list
LARGEST = 10**300  # a whole number in JSON may be larger than any that can be computed with

Scalar = str | int | float | bool
Value = Scalar | tuple[Scalar, ...]  # dates as ISO 8601, as precise as known: "2017", "2017-06", "2017-06-22"


@dataclass(frozen=True, slots=True)
class ValueRefusal:
    """The reason why something is not a valid value of its column; `reason` is a sentence for the reader."""

    reason: str


def parse_value(field: TableField, raw: object) -> Value | ValueRefusal:
    """`raw` as a value of `field`: text as it was found, or what a model answered (text, number, truth, list)."""
    if field.many:
        return _parse_list(field, raw)
    if isinstance(raw, list | tuple):
        return parse_value(field, raw[0]) if len(raw) == 1 else ValueRefusal("Enter one value, not a list.")
    return _parse_scalar(field, raw)


def _parse_list(field: TableField, raw: object) -> Value | ValueRefusal:
    pieces: Sequence[object] = split_list(raw) if isinstance(raw, str) else _to_sequence(raw)
    found: list[Scalar] = []
    for piece in pieces:
        value = _parse_scalar(field, piece)
        if isinstance(value, ValueRefusal):
            return value
        if not any(_is_twice(value, each) for each in found):
            found.append(value)
    if len(found) > MAX_VALUES:
        return ValueRefusal(f"A cell holds at most {MAX_VALUES} values.")
    return tuple(found)


def _is_twice(a: Scalar, b: Scalar) -> bool:
    return a.casefold() == b.casefold() if isinstance(a, str) and isinstance(b, str) else a is b or a == b


def _to_sequence(raw: object) -> Sequence[object]:
    return raw if isinstance(raw, list | tuple) else (raw,)


def _parse_scalar(field: TableField, raw: object) -> Scalar | ValueRefusal:
    if isinstance(raw, str):
        raw = " ".join(raw.split())
    if raw is None or raw == "":
        return ValueRefusal("There is no value.")
    value = _CHECKS[field.type](field, raw)
    if isinstance(value, ValueRefusal) or _matches(field, value):
        return value
    return ValueRefusal(f"“{_short(format_value(value))}” does not have the format that the column requires.")


def _matches(field: TableField, value: Scalar) -> bool:
    adapter = matcher(field.pattern) if field.pattern else None
    if adapter is None:
        return True
    try:
        adapter.validate_python(format_value(value))
    except ValidationError:
        return False
    return True


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


_BLANKS = re.compile(r"[^\S\n]+")
_LIST_MARK = re.compile(r"\s*(?:[;\n•·]|\s\|\s)\s*")
_COMMA = re.compile(r"\s*,\s*(?!\d{3}\b)")
_LAST = re.compile(r"\s*,?\s+(?:and|und|et|or|oder|&)\s+")


def split_list(text: str) -> list[str]:
    """The values that a text lists, by the strongest mark that it has: ";" and lines, else commas and "and".

    >>> split_list("Dutch, French and German")
    ['Dutch', 'French', 'German']
    >>> split_list("Washington, D.C.; New York")
    ['Washington, D.C.', 'New York']
    """
    text = _BLANKS.sub(
        " ", text
    )  # else the marks, with blanks around them, take time that grows with the square
    pieces = _LIST_MARK.split(text)
    if len(pieces) == 1:
        pieces = _COMMA.split(text)
        pieces = [*pieces[:-1], *_last_two(pieces)]
    return [piece for piece in (_bare(each) for each in pieces) if piece]


def _bare(piece: str) -> str:
    """A piece without the marks around it; the point of "D.C." stays."""
    plain = piece.strip(" ,;")
    return plain if re.search(r"\.\w+\.$", plain) else plain.rstrip(". ")


def _last_two(pieces: Sequence[str]) -> list[str]:
    """Split the end of a list at "and"; "Antigua and Barbuda" is one place."""
    last = pieces[-1]
    opened = re.sub(r"^(?:and|und|et|or|oder|&)\s+", "", last)
    if opened != last:
        return [opened]
    parts = _LAST.split(last)
    is_name = place_key(last) is not None or len(pieces) > 1 and len(parts) > 2
    return [last] if is_name else parts


# --- one value by its type ---------------------------------------------------------------------------


def _text(field: TableField, raw: object) -> Scalar | ValueRefusal:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return ValueRefusal("Enter text.")
    text = raw if isinstance(raw, str) else format_value(raw)
    if len(text) > MAX_VALUE:
        return ValueRefusal(f"Enter at most {MAX_VALUE} characters.")
    if field.format == "email" and not re.fullmatch(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+", text):
        return ValueRefusal(f"“{_short(text)}” is not an e-mail address.")
    return text


def _number(field: TableField, raw: object) -> Scalar | ValueRefusal:
    if isinstance(raw, bool):
        return ValueRefusal("Enter a number.")
    number = raw if isinstance(raw, int | float) else read_number(str(raw), unit_of(field))
    if number is None and is_range(str(raw)):
        return ValueRefusal(f"“{_short(str(raw))}” is a range, not one number.")
    if number is None or abs(number) > LARGEST or not isfinite(number):
        return ValueRefusal(f"“{_short(str(raw))}” is not a number.")
    if field.format == "integer" and number != int(number):
        return ValueRefusal(f"“{_short(str(raw))}” is not a whole number.")
    return tidy(number)


def tidy(number: float) -> int | float:
    """Whole numbers as such; of others at most twelve digits, without the noise of conversions."""
    if _is_whole(number):
        return int(number)
    rounded = float(f"{number:.12g}")
    return int(rounded) if _is_whole(rounded) else rounded


def _is_whole(number: float) -> bool:
    """And known to its last digit: a larger one that was computed is not."""
    return isinstance(number, int) or number.is_integer() and abs(number) < 1e15


_YES = frozenset("yes true y 1 ✓ ✔ ☑ ja wahr oui vrai sí si".split())
_NO = frozenset("no false n 0 ✗ ✘ ✕ ☒ nein falsch non faux none".split())


def _truth(field: TableField, raw: object) -> Scalar | ValueRefusal:
    if isinstance(raw, bool):
        return raw
    said = str(raw).casefold().strip(" .!")
    if said in _YES or said in _NO:
        return said in _YES
    return ValueRefusal(f"“{_short(str(raw))}” says neither yes nor no.")


_DATE_PARTS = {"year": 1, "month": 2, "day": 3}


def _date(field: TableField, raw: object) -> Scalar | ValueRefusal:
    if isinstance(raw, int) and not isinstance(raw, bool):
        raw = str(raw)
    iso = read_date(raw) if isinstance(raw, str) else None
    if iso is None:
        return ValueRefusal(f"“{_short(str(raw))}” is not a valid date.")
    wanted = _DATE_PARTS.get(field.format, 3)
    parts = iso.split("-")
    if field.format in _DATE_PARTS and len(parts) < wanted:
        return ValueRefusal(f"“{_short(str(raw))}” does not name the {field.format}.")
    return "-".join(parts[:wanted])


_HOST = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_][\w-]{1,62}")


def _url(field: TableField, raw: object) -> Scalar | ValueRefusal:
    text = str(raw).strip("<> ")
    address = text if re.match(r"https?://", text, re.IGNORECASE) else f"https://{text}"
    is_address = not re.search(r"[\s\"'<>\\]", text) and _has_host(address) and len(text) <= MAX_VALUE
    return address if is_address else ValueRefusal(f"“{_short(text)}” is not a web address.")


def _has_host(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.username is None and bool(_HOST.fullmatch(parts.hostname or ""))


_FILE = re.compile(r"[^\\/:*?\"<>|\n]{1,200}\.[A-Za-z0-9]{1,8}")


def _file(field: TableField, raw: object) -> Scalar | ValueRefusal:
    text = str(raw)
    if re.match(r"https?://", text, re.IGNORECASE):
        return _url(field, text)
    return (
        text
        if _FILE.fullmatch(text)
        else ValueRefusal(f"“{_short(text)}” is neither a file's name nor its address.")
    )


_CHECKS: Mapping[FieldType, Callable[[TableField, object], Scalar | ValueRefusal]] = {
    FieldType.STRING: _text,
    FieldType.NUMBER: _number,
    FieldType.BOOLEAN: _truth,
    FieldType.DATE: _date,
    FieldType.URL: _url,
    FieldType.FILE: _file,
}


def format_value(value: Value) -> str:
    """A value in words that a reader of English finds in a source, too; lists with commas, where none holds one.

    >>> format_value((93.5, "Dari")), format_value(True), format_value(1.5e6)
    ('93.5, Dari', 'yes', '1500000')
    """
    if isinstance(value, tuple):
        pieces = [format_value(each) for each in value]
        return ("; " if any("," in piece for piece in pieces) else ", ").join(pieces) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{Decimal(f'{value:.15g}'):f}"
    return str(value)


# --- when two values say the same --------------------------------------------------------------------


def same(a: Value, b: Value) -> bool:
    """True when two values say the same, one perhaps less exactly; lists in any order. Symmetric."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and _all_in(a, b) and _all_in(b, a)
    if isinstance(a, tuple) or isinstance(b, tuple):
        return False
    return same_scalar(a, b)


def _all_in(some: Iterable[Scalar], others: Sequence[Scalar]) -> bool:
    return all(any(same_scalar(scalar, other) for other in others) for scalar in some)


def same_scalar(a: Scalar, b: Scalar) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, str) and isinstance(b, str):
        return _same_text(a, b)
    if isinstance(a, str) or isinstance(b, str):
        return False
    return abs(a - b) <= max(_step(a), _step(b)) / 2


_ISO = re.compile(r"\d{4}(?:-\d\d){0,2}")
_ADDRESS_START = re.compile(r"^https?://(?:www\.)?", re.IGNORECASE)


def _same_text(a: str, b: str) -> bool:
    if _ISO.fullmatch(a) and _ISO.fullmatch(b):
        return a.startswith(b) or b.startswith(a)
    if _ADDRESS_START.match(a) and _ADDRESS_START.match(b):
        return _ADDRESS_START.sub("", a).rstrip("/") == _ADDRESS_START.sub("", b).rstrip("/")
    return _key(a) == _key(b)


@lru_cache(maxsize=16_384)
def _key(text: str) -> str:
    return name_key(text) or normalize(text).strip()


def _step(number: float) -> float:
    """The value of one in the last digit that says something: 1 of 652 231, 10 000 of 1 230 000."""
    if not number:
        return 0.0
    digits = Decimal(number if isinstance(number, int) else f"{number:.12g}")
    return 10.0 ** int(digits.normalize().as_tuple().exponent)
