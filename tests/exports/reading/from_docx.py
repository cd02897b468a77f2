"""The Word file, in reading order: which links to sources stand below which claim of the evidence."""

import re
from io import BytesIO
from zipfile import ZipFile

from lxml import etree

from tests.exports.reading import Pair

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CLAIM, _SOURCE = re.compile(r"evidence-(\d+)"), re.compile(r"source-(\d+)")


def part(data: bytes, name: str) -> etree._Element:
    with ZipFile(BytesIO(data)) as archive:
        return etree.fromstring(archive.read(f"word/{name}.xml"))


def pairs_of(data: bytes) -> frozenset[Pair]:
    found, claim = set(), None
    for element in part(data, "document").iter(f"{W}bookmarkStart", f"{W}hyperlink"):
        if named := _CLAIM.fullmatch(element.get(f"{W}name", "")):
            claim = int(named[1])
        elif claim and (cited := _SOURCE.fullmatch(element.get(f"{W}anchor", ""))):
            found.add((claim, int(cited[1])))
    return frozenset(found)
