"""The text and grid that come out of generated files are those that were put in; of PDFs see test_pdf_round_trip.

`make test` makes a few files a format, with PLUMBLINE_TEST_FULL two hundred.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from research.parsing.parse_document import read
from research.parsing.parsed_document import BlockKind, ReadDocument
from tests.often import IS_FULL
from tests.parsing.generated_documents import TABLE, WRITERS, Expected

FILES = 200 if IS_FULL else 12


def lines_of(document: ReadDocument) -> Iterator[str]:
    """The lines of a document, with TABLE in place of the rows of each table."""
    tables = iter(document.tables)
    table = next(tables, None)
    for block in document.blocks:
        if block.kind is not BlockKind.TABLE:
            yield document.text[block.start : block.end]
        elif table is not None and block.start <= table.end <= block.end:
            yield TABLE
            table = next(tables, None)


def difference(document: ReadDocument, expected: Expected) -> Iterator[str]:
    lines = list(lines_of(document))
    if lines != expected.lines:
        yield f"lines: {[line for line in lines if line not in expected.lines]} for " + str(
            [line for line in expected.lines if line not in lines]
        )
    tables = [(table.caption, table.headers, list(table.rows)) for table in document.tables]
    if tables != expected.tables:
        yield f"tables: {[table for table in tables if table not in expected.tables]} for " + str(
            [table for table in expected.tables if table not in tables]
        )


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("seed", range(FILES))
def test_what_was_put_in_comes_out(ending: str, seed: int) -> None:
    data, expected = WRITERS[ending](seed)
    assert list(difference(read(data, f"a.{ending}"), expected)) == []
