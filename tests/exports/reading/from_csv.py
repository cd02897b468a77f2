"""The CSV file, by its headings: a row a citation, or a row an item with the evidence of each field."""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO

from tests.exports.reading import Pair


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(data.decode("utf-8-sig"), newline="")))


def pairs_of(data: bytes) -> frozenset[Pair]:
    rows = rows_of(data)
    return frozenset(pair for row in rows for pair in (_of_item(row) if "item" in row else _of_claim(row)))


def _of_claim(row: Mapping[str, str]) -> Iterator[Pair]:
    if row["source"]:
        yield int(row["claim"]), int(row["source"])


def _of_item(row: Mapping[str, str]) -> Iterator[Pair]:
    for name, claim in row.items():
        if name.endswith(".claim") and claim:
            sources = row[name.removesuffix("claim") + "sources"]
            yield from ((int(claim), int(number)) for number in sources.split("; "))
