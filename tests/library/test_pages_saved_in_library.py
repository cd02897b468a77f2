"""A fetched page becomes a source if it says enough."""

import pytest

from research.library.library_manifest import Details
from research.library.pages_saved_in_library import SavedPage
from research.library.prepare_library_documents import PreparedDocument
from research.parsing.parsed_document import ReadDocument

SHORT = "The page has only {} of text."


def make_saved_page(words: int, *, has_paywall: bool = False) -> SavedPage:
    document = ReadDocument("word " * words, "text/html", has_paywall=has_paywall)
    return SavedPage(
        "https://a.example/",
        Details(),
        PreparedDocument("", "", 0, document, "", b"", (), document.word_count),
    )


@pytest.mark.parametrize(("words", "told"), [(0, "0 words"), (1, "1 word"), (2, "2 words"), (19, "19 words")])
def test_a_page_of_few_words_says_how_few(words, told):
    assert make_saved_page(words).problem == ("EXTRACTION_FAILED", SHORT.format(told))


def test_twenty_words_are_enough():
    assert make_saved_page(20).problem is None


@pytest.mark.parametrize(("words", "code"), [(20, "PAYWALL"), (199, "PAYWALL"), (200, None)])
def test_behind_a_paywall_a_page_needs_more(words, code):
    problem = make_saved_page(words, has_paywall=True).problem
    assert (problem and problem[0]) == code
