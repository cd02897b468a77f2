"""The region of a site, as far as its domain tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.source_regions import Region, is_elsewhere, region_of


@pytest.mark.parametrize(
    ("url", "region"),
    [
        ("https://www.bfe.admin.ch/a", Region.CH), ("https://umweltbundesamt.de", Region.EU),
        ("https://ec.europa.eu/x", Region.EU), ("https://www.nist.gov", Region.US), ("https://mit.edu", Region.US),
        ("https://abc.net.au", Region.APAC), ("https://www.gob.mx", Region.LATAM),
        ("https://g1.globo.com.br", Region.LATAM),
        ("https://eltiempo.com.co", Region.LATAM), ("https://example.co", None), ("https://example.com", None),
        ("https://example.co.uk", None), ("https://127.0.0.1/a", None), ("localhost", None),
        ("", None), ("http://[::1", None),
    ],
)  # fmt: skip
def test_a_domain_tells_its_region_or_nothing(url, region):
    assert region_of(url) is region


@pytest.mark.parametrize(
    ("url", "regions", "is_away"),
    [
        ("https://a.de", {Region.CH}, True), ("https://a.ch", {Region.CH}, False),
        ("https://a.com", {Region.CH}, False),
        ("https://a.de", {Region.CH, Region.EU}, False), ("https://a.de", {Region.GLOBAL, Region.CH}, False),
        ("https://a.de", set(), False),
    ],
)  # fmt: skip
def test_only_a_site_that_is_known_to_be_elsewhere_is(url, regions, is_away):
    assert is_elsewhere(url, frozenset(regions)) is is_away


@given(st.text(max_size=60), st.frozensets(st.sampled_from(Region)))
def test_whatever_an_address_is_it_has_an_answer(url, regions):
    assert isinstance(is_elsewhere(url, regions), bool)
