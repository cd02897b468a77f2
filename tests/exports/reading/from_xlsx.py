"""The workbook, as openpyxl reads it: the sheet of evidence."""

from io import BytesIO

from openpyxl import load_workbook

from tests.exports.reading import Pair


def pairs_of(data: bytes) -> frozenset[Pair]:
    rows = load_workbook(BytesIO(data), read_only=True)["Evidence"].iter_rows(min_row=2, values_only=True)
    return frozenset((int(row[0]), int(row[1])) for row in rows if row[0] is not None)
