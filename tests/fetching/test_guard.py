"""The guard as the spec asks for it: no denied address is ever dialled, no good one refused."""

import asyncio
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import httpcore2
import pytest

from research.fetching.denied_addresses import AddressRules
from research.fetching.http_client import TooManyRedirects
from research.fetching.ssrf_guard import BlockedConnection, GuardedBackend, NoSuchHost, resolve
from tests.fetching.sockets import OK, Network, redirect, run
from tests.fetching.spellings import ALLOWED, DENIED, NAMES, REDIRECTS_INSIDE


@dataclass(frozen=True)
class Outcome:
    url: str
    body: bytes | None  # None: refused, or no such host
    dialled: tuple[tuple[str, int], ...]


def test_the_lists_are_as_long_as_the_spec_asks():
    assert len(DENIED) >= 150
    assert len(ALLOWED) >= 30


def outcomes(urls: Iterable[str], *, answers: Callable[[str], list[bytes]], start: str = "") -> list[Outcome]:
    """Return the outcome for each URL, or for `start` with answers that lead to it, each in a network of its own."""

    async def one(url: str) -> Outcome:
        network = Network(answers(url))
        client = network.client()
        try:
            body = (await client.get(start or url)).body
        except (BlockedConnection, NoSuchHost):
            body = None
        finally:
            await client.aclose()
        return Outcome(url, body, tuple(network.dialled))

    async def all_of_them() -> list[Outcome]:
        return [await one(url) for url in urls]

    return run(all_of_them())


def test_no_denied_spelling_is_ever_dialled():
    results = outcomes(DENIED, answers=lambda url: [])
    assert [result for result in results if result.dialled or result.body is not None] == []


def test_no_redirect_to_a_denied_spelling_is_ever_followed():
    results = outcomes(
        REDIRECTS_INSIDE, answers=lambda url: [redirect(url), OK], start="http://public.example.com/start"
    )
    only_the_start = (("93.184.215.14", 80),)
    assert [result for result in results if result.dialled != only_the_start or result.body is not None] == []


def test_no_allowed_spelling_is_refused():
    results = outcomes(ALLOWED, answers=lambda url: [])
    assert [result for result in results if len(result.dialled) != 1 or result.body != b"ok"] == []


def test_redirects_to_allowed_spellings_are_followed():
    results = outcomes(
        ALLOWED, answers=lambda url: [redirect(url.strip()), OK], start="http://example.com/start"
    )
    assert [result for result in results if len(result.dialled) != 2 or result.body != b"ok"] == []


def test_the_address_that_was_checked_is_dialled_and_the_name_is_looked_up_once():
    network = Network(names={"rebinding.example.com": ["93.184.215.14"]})
    network.get("http://rebinding.example.com/")
    assert network.looked_up == ["rebinding.example.com"]
    assert network.dialled == [("93.184.215.14", 80)]


def test_a_name_that_turns_inside_at_the_redirect_is_refused_then():
    answers = [["93.184.215.14"], ["127.0.0.1"]]

    class Rebinding(Network):
        async def resolve(self, host, port):
            return answers.pop(0)

    network = Rebinding([redirect("/again")])
    with pytest.raises(BlockedConnection):
        network.get("http://rebinding.example.com/")
    assert network.dialled == [("93.184.215.14", 80)]


def test_one_denied_answer_among_good_ones_refuses_the_name():
    network = Network()
    with pytest.raises(BlockedConnection, match=r"10\.0\.0\.5 is in 10\.0\.0\.0/8"):
        network.get("http://mixed.example.net/")


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("169.254.169.254", r"169\.254\.169\.254 is in 169\.254\.0\.0/16"),
        ("[::ffff:10.0.0.1]", r"::ffff:.+: 10\.0\.0\.1 is in 10\.0\.0\.0/8"),
        ("mixed.example.net", r"mixed\.example\.net: 10\.0\.0\.5 is in 10\.0\.0\.0/8"),
    ],
)
def test_the_address_that_is_refused_is_told_once_after_what_led_to_it(host, words):
    with pytest.raises(BlockedConnection, match=f"^{words}, which is not on the public internet$"):
        Network().get(f"http://{host}/")


def test_host_header_and_tls_name_stay_those_of_the_url():
    network = Network()
    network.get("https://münchen.example.com:8443/")
    assert network.tls_names == ["xn--mnchen-3ya.example.com"]
    assert "Host: xn--mnchen-3ya.example.com:8443" in network.asked[0]
    assert network.dialled == [("93.184.215.14", 8443)]


def test_a_mapped_address_is_dialled_as_the_address_it_wraps():
    network = Network()
    network.get("http://mapped.example.com/")
    assert network.dialled == [("93.184.215.14", 80)]


def test_the_operators_own_network_is_denied():
    with pytest.raises(BlockedConnection, match=r"45\.83\.104\.0/24"):
        Network().get("http://own.example.net/")


def test_a_name_that_does_not_exist_is_told_from_one_that_is_refused():
    with pytest.raises(NoSuchHost):
        Network().get("http://nowhere.example.com/")


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (socket.EAI_AGAIN, httpcore2.ConnectError),
        (socket.EAI_NONAME, NoSuchHost),
        (socket.EAI_FAIL, NoSuchHost),
    ],
)
def test_a_name_that_nobody_can_look_up_just_now_may_exist(monkeypatch, number, error):
    async def fails(*_asked, **_options):
        raise socket.gaierror(number, "of the resolver")

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", fails)
    with pytest.raises(error):
        asyncio.run(resolve("public.example.com", 443))


def test_five_redirects_are_followed_and_six_are_not():
    steps = [redirect(f"/{number}") for number in range(5)]
    assert len(Network(steps).get("http://public.example.com/").hops) == 5
    with pytest.raises(TooManyRedirects):
        Network([*steps, redirect("/6")]).get("http://public.example.com/")


def test_headers_of_the_caller_do_not_go_to_another_host():
    network = Network([redirect("http://example.com/other")])
    network.get("http://public.example.com/", {"Authorization": "Bearer secret", "X-Token": "secret"})
    assert "secret" in network.asked[0]
    assert "secret" not in network.asked[1]


def test_headers_of_the_caller_stay_within_the_host():
    network = Network([redirect("/other")])
    network.get("http://public.example.com/", {"Authorization": "Bearer secret"})
    assert "secret" in network.asked[1]


def test_headers_of_the_caller_are_not_sent_in_the_clear_after_https():
    network = Network([redirect("http://public.example.com/")])
    network.get("https://public.example.com/", {"Authorization": "Bearer secret"})
    assert "secret" not in network.asked[1]


def test_no_cookie_is_kept():
    network = Network([redirect("/next").replace(b"Connection", b"Set-Cookie: a=b; Path=/\r\nConnection")])
    network.get("http://public.example.com/")
    assert "cookie" not in network.asked[1].lower()


def test_loopback_needs_the_setting():
    network = Network()
    for url in (
        "http://127.0.0.1:9900/",
        "http://localhost:9900/",
        "http://[::1]:9900/",
        "http://127.4.5.6:1/",
    ):
        network.get(url, allow_loopback=True)
    assert [port for _, port in network.dialled] == [9900, 9900, 9900, 1]


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/", "http://169.254.169.254/", "http://0.0.0.0:9900/", "http://public.example.com:9900/",
        "http://[64:ff9b::7f00:1]/", "http://[::127.0.0.1]/", "http://2130706433/", "http://mixed.example.net/",
        "http://user@127.0.0.1/", "http://printer.local/", "http://intranet/",
    ],
)  # fmt: skip
def test_the_setting_for_loopback_opens_nothing_else(url):
    network = Network()
    with pytest.raises((BlockedConnection, NoSuchHost)):
        network.get(url, allow_loopback=True)
    assert network.dialled == []


def test_another_address_is_tried_when_the_first_does_not_answer():
    class HalfDown(Network):
        async def dial(self, address, port, timeout_s):
            if "." in address:
                self.dialled.append((address, port))
                raise httpcore2.ConnectError
            return await super().dial(address, port, timeout_s)

    network = HalfDown()
    assert network.get("http://both.example.com/").body == b"ok"
    assert [address for address, _ in network.dialled] == NAMES["both.example.com"]


def test_a_socket_of_this_machine_is_refused():
    with pytest.raises(BlockedConnection):
        run(GuardedBackend(AddressRules()).connect_unix_socket("/run/postgresql/.s.PGSQL.5432"))
