"""Each site's robots.txt, delays and pauses hold at each redirect on the way to a page."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from research.fetching.denied_addresses import AddressRules
from research.fetching.fetch_pages import Fetcher
from research.fetching.fetched_page_content import FetchedPage, FetchError
from research.fetching.http_client import HttpClient
from tests.fetching.site import Said, Site, serve_site
from tests.fetching.sockets import run

TEXT = Said("<html><body><p>" + "Heat pumps were measured over two winters. " * 40 + "</p></body></html>")
Outcome = FetchedPage | FetchError


def robots(*lines: str) -> Said:
    return Said("\n".join(["User-agent: *", *lines]), kind="text/plain")


def to(address: str) -> Said:
    return Said("", 302, headers={"Location": address})


@pytest.fixture
def first() -> Iterator[Site]:
    with serve_site({"/a": TEXT, "/b": TEXT}) as site:
        yield site


@pytest.fixture
def second() -> Iterator[Site]:
    with serve_site(
        {"/page": TEXT, "/secret": TEXT, "/robots.txt": robots("Disallow: /secret")}, "127.0.0.2"
    ) as site:
        yield site


async def fetch_in_turn(
    *urls: str, gap_s: float = 0.0, look: Callable[[Fetcher], object] = id
) -> list[Outcome]:
    """One after the other; `look` is shown the fetcher in the end."""
    fetcher, found = Fetcher(HttpClient(AddressRules(True)), gap_s=gap_s, at_once=2, allow_loopback=True), []
    for url in urls:
        try:
            page = await fetcher.fetch(url, "run")
            assert page is not None
            found.append(page)
        except FetchError as error:
            found.append(error)
    look(fetcher)
    await fetcher.aclose()
    return found


def test_another_sites_robots_txt_is_asked_before_a_redirect_to_it_is_followed(first, second):
    first.pages["/a"] = to(f"{second.base}/page")
    [page] = run(fetch_in_turn(f"{first.base}/a"))
    assert page.url == f"{second.base}/page"
    assert (first.asked, second.asked) == (["/robots.txt", "/a"], ["/robots.txt", "/page"])


def test_a_page_that_the_other_sites_robots_txt_forbids_is_not_read(first, second):
    first.pages["/a"] = to(f"{second.base}/secret")
    [failure] = run(fetch_in_turn(f"{first.base}/a"))
    assert (failure.code, failure.message) == (
        "BLOCKED", "The robots.txt of 127.0.0.2 does not allow this page to be fetched."
    )  # fmt: skip
    assert second.asked == ["/robots.txt"]


def test_nothing_is_sent_to_a_site_on_the_way_that_the_run_does_not_want(first, second):
    first.pages["/a"] = to(f"{second.base}/page")

    async def fetch_and_catch() -> FetchError:
        fetcher = Fetcher(HttpClient(AddressRules(True)), gap_s=0.0, at_once=2, allow_loopback=True)
        try:
            with pytest.raises(FetchError) as caught:
                await fetcher.fetch(f"{first.base}/a", "run", refuse=lambda url: "No." * (second.host in url))
        finally:
            await fetcher.aclose()
        return caught.value

    failure = run(fetch_and_catch())
    assert (failure.code, failure.message) == ("EXCLUDED", "No.")
    assert (first.asked, second.asked) == (["/robots.txt", "/a"], [])


def test_a_redirect_within_the_site_is_held_to_its_robots_txt_too(first):
    first.pages |= {"/a": to("/b"), "/robots.txt": robots("Disallow: /b")}
    [failure] = run(fetch_in_turn(f"{first.base}/a"))
    assert "robots.txt" in failure.message
    assert first.asked == ["/robots.txt", "/a"]


def test_a_robots_txt_that_moved_is_found(first):
    first.pages |= {"/robots.txt": to("/rules"), "/rules": robots("Disallow: /a")}
    [failure] = run(fetch_in_turn(f"{first.base}/a"))
    assert "robots.txt" in failure.message
    assert first.asked == ["/robots.txt", "/rules"]


def test_a_robots_txt_on_another_site_counts_for_the_one_that_names_it(first, second):
    first.pages["/robots.txt"] = to(f"{second.base}/robots.txt")
    allowed, forbidden = run(fetch_in_turn(f"{first.base}/a", f"{first.base}/secret"))
    assert isinstance(allowed, FetchedPage)
    assert "127.0.0.1" in forbidden.message


def test_a_robots_txt_that_redirects_without_end_forbids_nothing(first):
    """RFC 9309, 2.3.1.2."""
    first.pages["/robots.txt"] = to("/robots.txt")
    assert isinstance(run(fetch_in_turn(f"{first.base}/a"))[0], FetchedPage)


def test_only_the_beginning_of_an_endless_robots_txt_is_read(first):
    lines = ["Disallow: /a", *("# " + "x" * 1_000 for _ in range(20_000)), "Disallow: /b"]
    first.pages["/robots.txt"] = robots(*lines)
    forbidden, allowed = run(fetch_in_turn(f"{first.base}/a", f"{first.base}/b"))
    assert isinstance(forbidden, FetchError)
    assert isinstance(allowed, FetchedPage)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_site_whose_robots_txt_is_not_given_may_be_asked_later(first, status):
    first.pages["/robots.txt"] = Said("", status)
    [failure] = run(fetch_in_turn(f"{first.base}/a"))
    assert (failure.code, failure.is_retryable) == ("BLOCKED", True)
    assert f"({status})" in failure.message
    assert first.asked == ["/robots.txt"]


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_site_without_a_robots_txt_allows_everything(first, status):
    first.pages["/robots.txt"] = Said("", status)
    assert isinstance(run(fetch_in_turn(f"{first.base}/a"))[0], FetchedPage)


def test_a_robots_txt_that_cannot_be_had_is_the_pages_failure(first):
    first.pages["/robots.txt"] = Said("x", headers={"Content-Length": "5", "Connection": "close"})
    first.pages["/robots.txt"].headers["Content-Encoding"] = "br"
    assert isinstance(run(fetch_in_turn(f"{first.base}/a"))[0], FetchedPage)  # unreadable is as good as none
    with serve_site({}) as away:
        pass
    assert run(fetch_in_turn(f"{away.base}/a"))[0].code == "TIMEOUT"


def test_the_delay_that_a_site_asks_for_is_kept(first):
    first.pages["/robots.txt"] = robots("Crawl-delay: 9")
    rests: list[float] = []

    def look(fetcher: Fetcher) -> None:
        [place] = fetcher.politeness._places.values()
        rests.append(place.next_at - asyncio.get_running_loop().time())

    run(fetch_in_turn(f"{first.base}/a", gap_s=0.001, look=look))
    assert 7 < rests[0] <= 9


def test_a_site_that_asks_for_a_long_pause_is_left_alone(first):
    first.pages["/a"] = Said("", 429, headers={"Retry-After": "300"})
    refused, later = run(fetch_in_turn(f"{first.base}/a", f"{first.base}/b", gap_s=0.001))
    assert (refused.is_retryable, refused.retry_after_s) == (True, 300)
    assert later.is_retryable
    assert 290 < later.retry_after_s <= 300
    assert "/b" not in first.asked


def test_a_forbidden_page_of_a_known_site_costs_no_turn(first):
    first.pages["/robots.txt"] = robots("Disallow: /b", "Crawl-delay: 9")
    _, forbidden = run(asyncio.wait_for(fetch_in_turn(f"{first.base}/a", f"{first.base}/b", gap_s=0.001), 8))
    assert "robots.txt" in forbidden.message


def test_a_run_that_is_stopped_while_it_waits_stands_in_nobodys_way(first):
    async def act() -> FetchedPage | None:
        fetcher = Fetcher(HttpClient(AddressRules(True)), gap_s=0.001, at_once=1, allow_loopback=True)
        held = await fetcher.politeness.enter(f"127.0.0.1:{first.port}")
        waiting = asyncio.create_task(fetcher.fetch(f"{first.base}/a", "run"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        held.leave()
        page = await fetcher.fetch(f"{first.base}/b", "run")
        await fetcher.aclose()
        return page

    assert run(act()) is not None


def make_refresh_page(target: str, delay: str = "0") -> Said:
    return Said(
        f'<html><head><meta http-equiv="refresh" content="{delay}; url={target}"></head><body>Moved.</body></html>'
    )


def of_amp(canonical: str) -> Said:
    return Said(
        f'<html amp><head><link rel="canonical" href="{canonical}"></head><body>{TEXT.body}</body></html>'
    )


@pytest.mark.parametrize("moved", [make_refresh_page("/b"), make_refresh_page("b", "3"), of_amp("/b")])
def test_a_page_that_leads_on_within_its_site_is_followed(first, moved):
    first.pages["/a"] = moved
    [page] = run(fetch_in_turn(f"{first.base}/a"))
    assert page.url == f"{first.base}/b"


@pytest.mark.parametrize("target", ["/a", "http://127.0.0.2/page", "javascript:alert(1)", "/gone"])
def test_a_page_that_leads_elsewhere_in_circles_or_nowhere_is_read_itself(first, target):
    first.pages["/a"] = of_amp(target)
    [page] = run(fetch_in_turn(f"{first.base}/a"))
    assert page.url == f"{first.base}/a"
