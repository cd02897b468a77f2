"""Rows of the list of sources: what they say, and that nothing of a source is markup."""

from uuid import UUID

import lxml.html
from django.utils import translation

from exports.document.document_tree import SourceEntry
from research.models import Run, State
from research.web.report.source_list_page import ListedSource
from research.web.templatetags.source_row_tags import source_rows

GIVEN = {
    "id": UUID(int=7),
    "number": None,
    "title": "On <b>rails</b>",
    "author": "A. Lind & Co",
    "publisher": "",
    "published": "2017-06",
    "url": "https://example.org/",
    "file": "",
    "domain": "example.org",
    "source_type": "news",
    "tier": 2,
    "status": "processed",
    "reason": "",
    "media_type": "text/html",
    "language": "en",
    "sha256": "00",
    "retrieved": None,
}
DONE = Run(state=State.COMPLETED)


def row(hidden: int = 0, **given: object) -> str:
    return str(source_rows([ListedSource(SourceEntry(**GIVEN | given), hidden)], DONE))


def cells(drawn: str) -> list[str]:
    cells = lxml.html.fragment_fromstring(f"<table>{drawn}</table>").iter("td")
    return [" ".join(cell.text_content().split()) for cell in cells]


def test_a_source_that_was_read_and_not_used_says_so():
    told = ["", "On <b>rails</b> A. Lind & Co · example.org", "News", "June 2017", "–", "2", "–"]
    assert cells(row())[:-1] == told
    assert cells(row())[-1].endswith("Nothing in it was chosen for the report.")


def test_words_of_a_source_are_no_markup():
    assert "On &lt;b&gt;rails&lt;/b&gt;</a>" in row()
    assert 'lang="&quot;&gt;"' in row(language='">')


def test_what_is_cited_has_its_number_and_what_failed_its_reason():
    assert cells(row(number=3))[0] == "[3]"
    assert cells(row(number=3))[-1] == "Cited"
    assert cells(row(reason="The page is gone."))[-1].endswith("The page is gone.")


def test_words_that_nobody_sees_are_counted_and_lead_to_where_they_are_shown():
    assert f'href="/sources/{UUID(int=7)}/#left-out">2 hidden passages were left out</a>' in row(hidden=2)


def test_a_row_speaks_the_language_that_is_active_whoever_looked_before():
    assert cells(row())[3] == "June 2017"
    with translation.override("de"):
        assert cells(row())[3] == "Juni 2017"
    assert cells(row())[3] == "June 2017"
