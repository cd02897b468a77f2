"""Papers, pages and sites as people type them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.agents.tools.evidence.agent_named_sources import parse_doi, parse_site, site_name, to_page_url
from research.fetching.strict_urls import UrlRefused

DOI = "10.1000/xyz.123(45)"


@pytest.mark.parametrize(
    "text",
    [
        DOI, f" {DOI} ", f"doi:{DOI}", f"DOI: {DOI}", f"https://doi.org/{DOI}", f"http://dx.doi.org/{DOI}",
        f"doi.org/{DOI}", f"https://www.doi.org/{DOI}",
    ],
)  # fmt: skip
def test_a_doi_is_one_however_it_is_written(text):
    assert parse_doi(text) == DOI
    assert to_page_url(text) == f"https://doi.org/{DOI}"


@pytest.mark.parametrize(
    "text",
    [
        "", "doi:", "10.1/x", "10.1000", "10.1000/", "10.1000/a b", "x10.1000/a", f"https://example.org/{DOI}",
        f"see {DOI}",     ],
)  # fmt: skip
def test_what_is_no_doi_is_none(text):
    with pytest.raises(ValueError, match="is not a valid DOI"):
        parse_doi(text)


def test_other_addresses_get_the_scheme_that_most_leave_out():
    assert to_page_url("example.org/a") == "https://example.org/a"
    assert to_page_url("http://example.org/10.1000/a") == "http://example.org/10.1000/a"


@pytest.mark.parametrize(
    "text", ["example.org", "www.example.org", "*.example.org", "https://example.org/a?b=c"]
)
def test_a_site_is_its_host(text):
    assert parse_site(text) == "example.org"


@pytest.mark.parametrize("text", ["gov", "a b", "", "https://", "example.org:x"])
def test_what_is_no_site_is_refused_with_the_reason(text):
    with pytest.raises(ValueError, match="is not a valid site"):
        parse_site(text)


@given(st.text(max_size=80))
def test_whatever_is_typed_is_a_site_or_refused(text):
    with suppress(UrlRefused):
        assert site_name(text)


@given(st.from_regex(r"10\.[0-9]{4,9}/[a-z0-9/_-]{0,60}[a-z0-9]", fullmatch=True))
def test_every_doi_survives_its_own_address(doi):
    assert parse_doi(to_page_url(doi)) == doi
