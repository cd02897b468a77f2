"""Sentences that people marked in real documents stand in what is read of them. Skipped without the data.

`make test` reads every sixth document, with PLUMBLINE_TEST_FULL all of them.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.parsing.formats.pdf.locate_quotes_in_pdf import quote_boxes
from research.parsing.parse_document import read
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import ReadDocument
from tests.often import IS_FULL

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
LIBRARIES = ("library-passwords", "library-vector-search")
EACH = 1 if IS_FULL else 6


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def gold(library: str) -> Iterator[tuple[str, str]]:
    """(document, sentence) of every piece of evidence."""
    marked = json.loads((DATA / library / "gold.json").read_text())
    for question in marked["answerable"]:
        yield from ((evidence["doc"], evidence["sentence"]) for evidence in question["evidence"])
    for disagreement in marked["disagreements"]:
        yield from ((side["doc"], side["sentence"]) for side in disagreement["sides"])


@functools.cache
def document(library: str, name: str) -> ReadDocument:
    path = DATA / library / name
    if not path.exists():
        pytest.skip(f"the documents of {library} are not here")
    return read(path.read_bytes(), path.name)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"library", "name"} <= set(metafunc.fixturenames):
        found = [library for library in LIBRARIES if (DATA / library / "gold.json").exists()]
        ending = ".pdf" if "pdf" in metafunc.function.__name__ else ""
        cases = sorted(
            {(library, name) for library in found for name, _ in gold(library) if name.endswith(ending)}
        )
        metafunc.parametrize(("library", "name"), cases[::EACH] or [("library-passwords", "absent.txt")])


def test_every_gold_sentence_stands_in_one_or_two_sentences_of_the_text(library: str, name: str) -> None:
    read_document = document(library, name)
    spans = sentences(read_document.text, read_document.blocks)
    pieces = [letters(read_document.text[span.start : span.end]) for span in spans]
    pairs = [first + second for first, second in zip(pieces, pieces[1:] + [""], strict=True)]
    marked = [sentence for doc, sentence in gold(library) if doc == name]
    missing = [sentence for sentence in marked if not any(letters(sentence) in pair for pair in pairs)]
    assert missing == []


def test_gold_sentences_of_a_pdf_have_rectangles_on_its_pages(library: str, name: str) -> None:
    read_document, raw = document(library, name), (DATA / library / name).read_bytes()
    marked = [letters(sentence) for doc, sentence in gold(library) if doc == name]
    for span in sentences(read_document.text, read_document.blocks):
        if any(sentence in letters(read_document.text[span.start : span.end]) for sentence in marked):
            pages = [page for page in read_document.pages if page.start < span.end and span.start < page.end]
            boxes = [box for page in pages for box in quote_boxes(raw, page, span.start, span.end)]
            assert boxes
            assert all(
                0 <= box.x <= page.width and 0 <= box.y <= page.height for page in pages for box in boxes
            )
