"""HTTP/2 over TLS, negotiated with a real server; whatever that does, a page comes of it or a named failure."""

from collections.abc import Callable, Iterator

import pytest

from research.fetching.denied_addresses import AddressRules
from research.fetching.http_client import DoorError, FetchResponse, FetchTimeout, HostUnreachable, HttpClient
from research.fetching.response_body import ResponseTooLarge
from tests.fetching.authority import Authority
from tests.fetching.h2_site import TEXT, H2Site, serve_h2
from tests.fetching.site import Said, serve_site
from tests.fetching.sockets import run

HOST = "site.example.com"
Outcome = FetchResponse | Exception


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def site(authority: Authority) -> Iterator[H2Site]:
    with serve_h2(authority.server(HOST, "h2", "http/1.1")) as site:
        yield site


@pytest.fixture
def get(authority: Authority, site: H2Site) -> Callable[..., list[Outcome]]:
    """The pages of these paths, one after the other through one client; a failure stands for what failed."""

    async def act(paths: tuple[str, ...], total_s: float) -> list[Outcome]:
        client, found = make_client(authority, total_s), []
        for path in paths:
            try:
                found.append(await client.get(f"https://{HOST}:{site.port}{path}"))
            except DoorError as error:
                found.append(error)
        await client.aclose()
        return found

    return lambda *paths, total_s=10.0: run(act(paths, total_s))


async def resolve(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def make_client(authority: Authority, total_s: float = 10.0) -> HttpClient:
    return HttpClient(
        AddressRules(True), resolve=resolve, total_s=total_s, tls=authority.build_client_context()
    )


def test_a_page_comes_over_http_2(site, get):
    [answer] = get("/page")
    assert (answer.status, answer.body) == (200, TEXT)
    assert site.asked == [(1, "/page")]


def test_pages_of_a_site_come_over_one_connection(site, get):
    get(*[f"/{number}" for number in range(20)])
    assert site.connections == 1
    assert [path for _, path in site.asked] == [f"/{number}" for number in range(20)]


@pytest.mark.parametrize("path", ["/reset", "/half", "/goaway", "/many-headers", "/odd-status", "/garbage"])
def test_what_breaks_off_is_a_named_failure_and_the_next_page_comes(site, get, path):
    broken, fine = get(path, "/page")
    assert isinstance(broken, HostUnreachable)
    assert fine.body == TEXT


def test_a_connection_that_the_server_gave_up_meanwhile_is_replaced(site, get):
    first, second = get("/closing", "/page")
    assert (first.body, second.body) == (TEXT, TEXT)
    assert site.connections == 2


def test_a_server_that_goes_away_before_it_answers_is_asked_once_more(site, get):
    """GOAWAY says which requests were not looked at."""
    first, second = get("/page", "/goaway-when-used")
    assert (first.body, second.body) == (TEXT, TEXT)
    assert site.asked == [(1, "/page"), (1, "/goaway-when-used"), (2, "/goaway-when-used")]


def test_a_body_that_does_not_end_is_given_up_in_time(site, get):
    slow, fine = get("/slow", "/page", total_s=1.0)
    assert isinstance(slow, FetchTimeout)
    assert fine.body == TEXT


def test_what_is_left_of_a_page_that_is_too_large_stands_in_nobodys_way(site, get):
    large, fine = get("/large", "/page")
    assert isinstance(large, ResponseTooLarge)
    assert fine.body == TEXT
    assert site.connections == 2


def test_a_server_of_an_authority_that_nobody_trusts_is_not_read(site, tmp_path):
    async def act() -> None:
        client = make_client(Authority(tmp_path))
        with pytest.raises(HostUnreachable):
            await client.get(f"https://{HOST}:{site.port}/page")
        await client.aclose()

    run(act())
    assert site.asked == []


def test_a_server_of_another_name_is_not_read(authority, site):
    async def act() -> None:
        client = make_client(authority)
        with pytest.raises(HostUnreachable):
            await client.get(f"https://other.example.com:{site.port}/page")
        await client.aclose()

    run(act())
    assert site.asked == []


def test_a_server_that_knows_no_http_2_is_read_all_the_same(authority):
    async def act(port: int) -> FetchResponse:
        client = make_client(authority)
        try:
            return await client.get(f"https://{HOST}:{port}/page")
        finally:
            await client.aclose()

    with serve_site({"/page": Said(TEXT)}, tls=authority.server(HOST, "http/1.1")) as plain:
        assert run(act(plain.port)).body == TEXT
