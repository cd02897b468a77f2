"""Fetching through the client: robots.txt first, named failures, one page at a time."""

import pytest

from research.fetching.denied_addresses import AddressRules
from research.fetching.fetch_pages import Fetcher, domain_of
from research.fetching.fetched_page_content import FetchedPage, FetchError
from research.fetching.http_client import HttpClient
from tests.fetching.sockets import Network, page, run

HTML = b"<html><body><p>Text of a page, long enough.</p></body></html>"
PAGE = page(HTML, "Content-Type: text/html")
NO_ROBOTS = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
URL = "http://public.example.com/a"


def fetch_all(network: Network, *urls: str) -> list[FetchedPage | FetchError]:
    async def act() -> list[FetchedPage | FetchError]:
        client = HttpClient(AddressRules(), resolve=network.resolve, dial=network.dial, total_s=5)
        fetcher, results = Fetcher(client, gap_s=0, at_once=5), []
        for url in urls:
            try:
                results.append(await fetcher.fetch(url, "run"))
            except FetchError as error:
                results.append(error)
        await fetcher.aclose()
        return results

    return run(act())


def close_after(answer: bytes) -> bytes:
    """The same answer over a connection of its own, so that answers are given in order."""
    return answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)


def paths(network: Network) -> list[str]:
    return [head.split(" ")[1] for head in network.asked]


def test_a_page_is_fetched_after_robots_txt():
    network = Network([close_after(NO_ROBOTS), PAGE])
    [got] = fetch_all(network, URL)
    assert isinstance(got, FetchedPage)
    assert got.data == HTML
    assert paths(network) == ["/robots.txt", "/a"]


def test_robots_txt_is_asked_for_once_a_site():
    network = Network([close_after(NO_ROBOTS), close_after(PAGE), close_after(PAGE)])
    fetch_all(network, URL, "http://public.example.com/b")
    assert paths(network) == ["/robots.txt", "/a", "/b"]


def test_a_page_that_robots_txt_forbids_is_not_fetched_and_the_reason_is_told():
    network = Network([close_after(page(b"User-agent: *\nDisallow: /a"))])
    [got] = fetch_all(network, URL)
    assert isinstance(got, FetchError)
    assert "robots.txt" in got.message
    assert not got.is_retryable
    assert paths(network) == ["/robots.txt"]


def test_a_site_whose_robots_txt_fails_is_left_alone():
    network = Network([close_after(b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")])
    [got] = fetch_all(network, URL)
    assert isinstance(got, FetchError)
    assert paths(network) == ["/robots.txt"]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://10.0.0.1/", "BLOCKED"), ("http://localtest.example.net/", "BLOCKED"), ("ftp://x.example", "BLOCKED"),
        ("http://nowhere.example.com/", "PAGE_NOT_FOUND"),
    ],
)  # fmt: skip
def test_an_address_that_is_refused_is_a_named_failure(url, code):
    [got] = fetch_all(Network(), url)
    assert isinstance(got, FetchError)
    assert (got.code, got.is_retryable) == (code, False)


def test_a_server_that_breaks_off_may_be_asked_again():
    network = Network([close_after(NO_ROBOTS), b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])
    [got] = fetch_all(network, URL)
    assert isinstance(got, FetchError)
    assert (got.code, got.is_retryable) == ("TIMEOUT", True)


def test_a_page_that_is_too_large_says_so():
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999\r\n\r\nx"
    [got] = fetch_all(Network([close_after(NO_ROBOTS), answer]), URL)
    assert isinstance(got, FetchError)
    assert (got.code, got.message) == ("TOO_LARGE", "The page is not read: it is larger than 10 MB.")


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.example.com/a", "example.com"), ("https://docs.example.co.uk/a", "example.co.uk"),
        ("http://127.0.0.1:9900/a", "127.0.0.1:9900"), ("http://127.0.0.2:9900/a", "127.0.0.2:9900"),
        ("http://[2606:4700::1]/", "[2606:4700::1]"), ("https://github.com/owner/x", "github.com"),
    ],
)  # fmt: skip
def test_politeness_is_by_registrable_domain_or_address(url, domain):
    assert domain_of(url) == domain
