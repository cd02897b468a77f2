"""The PDF, as it lies on the page: which links to sources stand below which claim of the evidence."""

import re
from collections.abc import Iterator
from io import BytesIO

import pikepdf

from tests.exports.reading import Pair

_CLAIM, _SOURCE = re.compile(r"evidence-(\d+)"), re.compile(r"source-(\d+)")
Place = tuple[int, float]  # page, and how far down it


def pairs_of(data: bytes) -> frozenset[Pair]:
    found, claim = set(), None
    with pikepdf.open(BytesIO(data)) as pdf:
        pages = {page.objgen: number for number, page in enumerate(pdf.pages)}
        for _place, name in sorted([*_claims(pdf, pages), *_links(pdf)]):
            if named := _CLAIM.fullmatch(name):
                claim = int(named[1])
            elif claim and (cited := _SOURCE.fullmatch(name)):
                found.add((claim, int(cited[1])))
    return frozenset(found)


def targets(pdf: pikepdf.Pdf) -> dict[str, pikepdf.Array]:
    """Return the target of each name."""
    if "/Names" not in pdf.Root or "/Dests" not in pdf.Root.Names:
        return {}
    return {str(name): where for name, where in pikepdf.NameTree(pdf.Root.Names.Dests).items()}


def links(pdf: pikepdf.Pdf) -> Iterator[tuple[int, pikepdf.Dictionary]]:
    for number, page in enumerate(pdf.pages):
        for annotation in page.get("/Annots", []):
            if annotation.Subtype == "/Link":
                yield number, annotation


def _claims(pdf: pikepdf.Pdf, pages: dict[tuple[int, int], int]) -> Iterator[tuple[Place, str]]:
    for name, where in targets(pdf).items():
        if _CLAIM.fullmatch(name):
            yield (pages[where[0].objgen], -float(where[3])), name


def _links(pdf: pikepdf.Pdf) -> Iterator[tuple[Place, str]]:
    for number, annotation in links(pdf):
        if "/Dest" in annotation:
            yield (number, -float(annotation.Rect[3])), str(annotation.Dest)
