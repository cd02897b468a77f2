"""DOIs, however they are written."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.search.search_dois import doi_of, doi_url


@pytest.mark.parametrize(
    "text",
    [
        "10.1038/Nature12373", " 10.1038/nature12373 ", "doi:10.1038/nature12373", "DOI: 10.1038/nature12373",
        "https://doi.org/10.1038/nature12373", "http://dx.doi.org/10.1038/NATURE12373", "doi.org/10.1038/nature12373",
        "10.1038/nature12373.", "10.1038/nature12373),", "https://doi.org/10.1038%2Fnature12373",
    ],
)  # fmt: skip
def test_each_spelling_of_a_doi_is_the_same_doi(text):
    assert doi_of(text) == "10.1038/nature12373"


@pytest.mark.parametrize(
    "text",
    ["", "10.1038", "10.1038/", "nature12373", "10.12/x", "https://example.org/10.1038/x", "see 10.1038/x y", "10/x"],
)  # fmt: skip
def test_what_is_no_doi_is_none(text):
    assert doi_of(text) == ""


def test_brackets_that_belong_to_a_doi_stay():
    assert doi_of("10.1016/S0140-6736(05)66545-2") == "10.1016/s0140-6736(05)66545-2"


def test_odd_characters_of_a_doi_are_written_so_that_an_address_holds_them():
    old = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O"
    url = doi_url(doi_of(old))
    assert url == "https://doi.org/10.1002/(sici)1097-4571(199806)49:8%3C693::aid-asi4%3E3.0.co;2-o"
    assert doi_of(url) == old.lower()


def test_a_hash_or_question_mark_in_a_doi_is_part_of_the_path():
    parts = urlsplit(doi_url("10.1000/a#b?c"))
    assert (unquote(parts.path), parts.query, parts.fragment) == ("/10.1000/a#b?c", "", "")


@given(st.text())
def test_any_text_is_a_doi_or_none_and_its_address_leads_back(text):
    doi = doi_of(text)
    assert not doi or doi_of(doi_url(doi)) == doi
