"""Claims that state a row of a table with the names of its columns: "Tarn – Otters 2024: 55; Otters 2025: 61"."""

import re
from collections.abc import Sequence

from citations.text.quote_normalizing import normalize

_TOKEN = re.compile(r"\w+|[-−+±](?=[\d.])|[%‰€$£¥<>≤≥≈~^]")
_NOTHING = frozenset({"-", "–", "—"})


def is_labelled_row(claim: str, quote: str, row: str, columns: Sequence[str]) -> bool:
    """Return True if the claim is the row's name and some of the quoted cells, each behind the name of its column.

    `quote` is a row as it stands in the text, with "|" between its cells; `columns` names its filled cells, except
    those that name the row.
    """
    values = [cell for cell in map(str.strip, quote.split("|")) if cell]
    for value in values[:]:  # a name may hold commas itself
        if len(values) > len(columns) and f", {value}, " in f", {row}, ":
            values.remove(value)
    said, named = _tokens(claim), _tokens(row)
    if not row or len(values) != len(columns) or said[: len(named)] != named:
        return False
    rest = said[len(named) :]
    for column, value in zip(columns, values, strict=True):
        pair = _tokens(f"{column} {value}")
        if value not in _NOTHING and rest[: len(pair)] == pair:
            rest = rest[len(pair) :]
    return not rest and said != named


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(normalize(text))
