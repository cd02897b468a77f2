"""The publisher of a page, and the author of words that it repeats, from what the page says of itself."""

import json

import pytest

from research.library.library_manifest import Details
from research.library.pages_saved_in_library import SavedPage
from research.library.prepare_library_documents import PreparedDocument
from research.parsing.parse_document import read
from research.parsing.parsed_document import ReadDocument
from tests.parsing.documents import page

PROSE = (
    "The river rose by two metres on Sunday, and three bridges in the valley were closed for the night. " * 4
)


def read_page(head: str = "", before: str = "", after: str = "") -> ReadDocument:
    return read(page(f"<main><p>{before}{PROSE}</p><p>{after}</p></main>", head=head), "a.html")


def ld(**described: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(described)}</script>'


@pytest.mark.parametrize(
    ("head", "publisher"),
    [
        (ld(publisher={"@type": "Organization", "name": "The Valley Times"}), "The Valley Times"),
        (ld(publisher=[{"name": "The Valley Times"}, {"name": "Other"}]), "The Valley Times"),
        (ld(publisher="The Valley Times"), "The Valley Times"),
        (ld(**{"@graph": [{"publisher": {"@id": "#o"}}, {"@id": "#o", "name": "Valley Times"}]}), "Valley Times"),
        ("<meta property='og:site_name' content='The Valley  Times'>", "The Valley Times"),
        ("<meta name='citation_publisher' content='River Press'>", "River Press"),
        ("<meta name='DC.publisher' content='River Press'>", "River Press"),
        (ld(publisher={"name": "A"}) + "<meta property='og:site_name' content='B'>", "A"),
        (ld(publisher={"logo": 3}) + "<meta property='og:site_name' content='B'>", "B"),
        ("<link rel='canonical' href='https://valley.example/a'>", ""),
        ("<script type='application/ld+json'>{broken</script>", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_publisher_is_who_the_page_names(head: str, publisher: str) -> None:
    assert read_page(head).site_name == publisher


@pytest.mark.parametrize(
    ("head", "before", "after", "agency"),
    [
        ("", "LONDON, Nov 22 (Reuters) - ", "", "Reuters"),
        ("", "OSLO (AP) — ", "", "Associated Press"),
        ("", "BERLIN, 22 Nov. (dpa) – ", "", "dpa"),
        ("", "BOSTON, Nov. 22, 2025 /PRNewswire/ -- ", "", "PR Newswire"),
        ("", "", "© 2025 AFP", "Agence France-Presse"),
        ("", "", "Copyright 2025 The Associated Press. All rights reserved.", "Associated Press"),
        ("<meta name='author' content='Reuters'>", "", "", "Reuters"),
        ("<meta name='author' content='Jane Roe and Associated Press'>", "", "", "Associated Press"),
        (ld(sourceOrganization={"name": "Xinhua"}), "", "", "Xinhua"),
        (ld(creditText="AFP"), "", "", "Agence France-Presse"),
        ("<meta name='syndication-source' content='https://www.valley.example/x'>", "", "", "valley.example"),
        ("<meta name='original-source' content='https://valley.example/x'>", "", "", "valley.example"),
        ("<meta name='syndication-source' content='http://[no address'>", "", "", ""),
        ("<meta name='original-source' content='Valley Times'>", "", "", ""),
        ("", "Reuters was founded in 1851. ", "", ""),
        ("", "The (AP) exam was hard. ", "", ""),
        ("", "The station (BBC) - ", "", ""),
        ("<meta name='author' content='Jane Roe'>", "", "© 2025 Valley Times", ""),
    ],
)
def test_an_agencys_story_is_known_by_its_marks(head: str, before: str, after: str, agency: str) -> None:
    assert read_page(head, before, after).syndicated_from == agency


@pytest.mark.parametrize(
    ("url", "canonical", "copied"),
    [
        ("https://mirror.example/a", "https://valley.example/a", "valley.example"),
        ("https://www.valley.example/a", "https://valley.example/b", ""),
        ("https://valley.example/a", "", ""),
    ],
)
def test_a_canonical_address_elsewhere_names_the_original(url: str, canonical: str, copied: str) -> None:
    document = ReadDocument("word " * 30, "text/html", url=canonical)
    saved = SavedPage(url, Details(), PreparedDocument("", "", 0, document, "", b"", (), 30))
    assert saved.details.syndicated_from == copied
