"""Packs a PPTX without the current time, so that the same deck always gives the same bytes."""

import re
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_AT_NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time of the ZIP format
_MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def repack_archive(data: bytes, *, is_workbook: bool = False) -> bytes:
    """Repack a file of python-pptx, and the workbooks behind its charts, with fixed dates.

    The dates in the workbooks' own metadata are set too, since the workbooks do not know the deck's date.
    """
    made = BytesIO()
    with ZipFile(BytesIO(data)) as source, ZipFile(made, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = source.read(name)
            if name.endswith(".xlsx"):
                part = repack_archive(part, is_workbook=True)
            elif is_workbook and name == "docProps/core.xml":
                part = _MOMENT.sub(b"1980-01-01T00:00:00Z", part)
            target.writestr(ZipInfo(name, _AT_NO_TIME), part, ZIP_DEFLATED)
    return made.getvalue()
