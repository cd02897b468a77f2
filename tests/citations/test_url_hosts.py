"""The host that an address names, and who owns a page on a host of many."""

import pytest

from citations.credibility.source_hosts import host_and_owner, host_of


@pytest.mark.parametrize(
    ("url", "host", "owner"),
    [
        ("https://www.Example.org/Anna/page?q=1", "example.org", "anna"),
        ("http://example.org", "example.org", ""),
        ("example.org/anna/", "example.org", "anna"),
        ("//example.org//anna", "example.org", "anna"),
        ("https://user@example.org:8080/Ä", "example.org", "ä"),
        ("https://wwwexample.org/", "wwwexample.org", ""),
        ("https://docs.www.example.org/", "docs.www.example.org", ""),
        ("https:///anna", "", "anna"),
        ("https://[::1/anna", "", ""),
        ("", "", ""),
    ],
)
def test_an_address_names_a_host_and_an_owner(url, host, owner):
    assert host_and_owner(url) == (host, owner)
    assert host_of(f" {url}\n") == host
