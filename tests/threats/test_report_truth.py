"""The threat to what a report says: instructions in what it reads. Words that nobody sees reach no model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import cache

import pytest

from research.parsing.parse_document import read
from research.parsing.parsed_document import ReadDocument
from tests.threats import unseen_html, unseen_office
from tests.threats.payloads import MARK, payload

Case = tuple[str, str, bytes]
SHOWN = "zephyrine stands here for all to see"


@cache
def hidden() -> tuple[Case, ...]:
    return tuple(_hidden())


def _hidden() -> Iterator[Case]:
    """Yield the trick that hides the words, the name of the file, the file. The payloads take turns."""
    for number, (trick, data) in enumerate(unseen_html.hidden(payload(0))):
        yield (
            trick,
            "a.html",
            data.replace(unseen_html.plain(payload(0)).encode(), unseen_html.plain(payload(number)).encode()),
        )
    for trick, data in unseen_office.hidden_pdfs(payload(3)):
        yield trick, "a.pdf", data
    for trick, data in unseen_office.hidden_word_documents(payload(4)):
        yield trick, "a.docx", data
    yield from unseen_office.hidden_elsewhere(payload(5))


def list_benign_cases() -> Iterator[Case]:
    for trick, data in unseen_html.list_benign_pages(SHOWN):
        yield trick, "a.html", data
    for trick, data in unseen_office.list_benign_pdfs(SHOWN):
        yield trick, "a.pdf", data
    for trick, data in unseen_office.list_benign_word_documents(SHOWN):
        yield trick, "a.docx", data


def dump_document(document: ReadDocument) -> str:
    """All that is kept of a document but the log of what was left out, which no model is given."""
    return str({name: value for name, value in asdict(document).items() if name != "dropped"}).lower()


def test_the_list_is_as_long_as_the_threat_model_asks() -> None:
    names = [(name, trick) for trick, name, _ in hidden()]
    assert len(names) == len(set(names)) >= 250
    assert {name for name, _ in names} >= {"a.html", "a.pdf", "a.docx"}


@pytest.mark.parametrize("name", sorted({name for _, name, _ in hidden()}))
def test_no_hidden_words_are_read(name: str) -> None:
    cases = [(trick, data) for trick, of, data in hidden() if of == name]
    assert [trick for trick, data in cases if MARK in dump_document(read(data, name))] == []


@pytest.mark.parametrize("name", sorted({name for _, name, _ in list_benign_cases()}))
def test_words_that_readers_see_are_read(name: str) -> None:
    cases = [(trick, data) for trick, of, data in list_benign_cases() if of == name]
    assert [trick for trick, data in cases if MARK not in read(data, name).text.lower()] == []


def test_what_stands_around_hidden_words_is_read() -> None:
    pages = [
        (trick, data) for trick, data in unseen_html.hidden(payload(1)) if unseen_html.END.encode() in data
    ]
    assert len(pages) >= 200
    assert [trick for trick, data in pages if unseen_html.END not in read(data, "a.html").text] == []
