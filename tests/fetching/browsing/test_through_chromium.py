"""The guard as a browser meets it: whatever a page tries, no denied address is ever dialled, and no good one refused.

The proxy's resolver and dialler are recording ones, so nothing leaves the test; the routes that refuse most of this
before are left out, so that only the last barrier is tried.

Each spelling by itself is refused in tests of the addresses; here `make test` tries a part of them, and all with
PLUMBLINE_TEST_FULL.
"""

import contextlib
import ipaddress
import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

import httpcore2
import pytest
from playwright.async_api import Error, Page

from research.fetching.browser.browser_egress_proxy import Egress
from research.fetching.browser.chromium import Chromium, start
from research.fetching.denied_addresses import AddressRules
from tests.fetching.browsing.world import CHROMIUM, Loop, run_loop
from tests.fetching.sockets import OWN, Network, page, redirect
from tests.fetching.spellings import ALLOWED, DENIED, REDIRECTS_INSIDE
from tests.often import IS_FULL

pytestmark = pytest.mark.browser


def as_address(host: str) -> str:
    """Return the address as it is dialled; "" for a name."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return ""
    return str(found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else str(found)


# What may be dialled: where public names lead, and the addresses that are allowed by themselves.
PUBLIC = {
    "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2606:4700:4700::1111", "64:ff9b::5db8:d70e",
    *filter(None, (as_address(urlsplit(url.strip()).hostname or "") for url in ALLOWED)),
}  # fmt: skip
PORTS = {80, 443, 8080, 8443}
EACH = 1 if IS_FULL else 4  # of so many spellings one is tried
HTTP = [url for url in DENIED if url.lower().startswith("http")][1::EACH]
LEADS = [url for url in REDIRECTS_INSIDE if url.isprintable()][EACH // 2 :: EACH]
OK_CLOSED = page(b"<body>ok</body>", "Content-Type: text/html", "Connection: close")
# Each way in which a page can make a browser connect; the addresses are put in where ADDRESSES stands.
TRIES = """
async addresses => {
  const add = (name, props) => document.body.append(Object.assign(document.createElement(name), props));
  const ws = url => url.replace(/^http/i, 'ws');
  const always = [
    url => fetch(url, {mode: 'no-cors'}), url => add('iframe', {src: url}), url => add('script', {src: url}),
    url => new WebSocket(ws(url)),
  ];
  const others = [
    url => fetch(url, {method: 'POST', mode: 'no-cors', body: 'x'}), url => navigator.sendBeacon(url, 'x'),
    url => new EventSource(url), url => { const x = new XMLHttpRequest(); x.open('GET', url); x.send() },
    url => add('img', {src: url}), url => add('link', {rel: 'stylesheet', href: url}), url => import(url),
    url => add('link', {rel: 'prefetch', href: url}), url => add('link', {rel: 'preconnect', href: url}),
    url => add('link', {rel: 'dns-prefetch', href: url}), url => add('link', {rel: 'manifest', href: url}),
    url => add('link', {rel: 'icon', href: url}), url => add('object', {data: url}), url => add('embed', {src: url}),
    url => add('video', {src: url, autoplay: true}), url => add('audio', {src: url, autoplay: true}),
    url => add('style', {textContent: `@import "${url}"; body {background: url("${url}")}`}),
    url => new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(url)})`]))),
    url => new Worker(URL.createObjectURL(new Blob([`new WebSocket(${JSON.stringify(ws(url))})`]))),
  ];
  const ways = addresses.length < 5 ? () => [...always, ...others]
    : n => [...always, others[n % others.length]];
  const tried = addresses.flatMap((url, n) => ways(n).map(way => Promise.resolve(url).then(way)));
  await Promise.race([Promise.allSettled(tried), new Promise(done => setTimeout(done, 12000))]);
  return document.querySelectorAll('iframe').length;
}
"""
FETCHES = "addresses => Promise.allSettled(addresses.map(url => fetch(url, {mode: 'no-cors'}))).then(all => all.length)"
CALLS = """
async hosts => {
  const servers = hosts.flatMap(host => [{urls: `stun:${host}:3478`}, {urls: `turn:${host}:3478?transport=tcp`,
    username: 'a', credential: 'b'}]);
  const call = new RTCPeerConnection({iceServers: servers.slice(0, 20)});
  call.createDataChannel('x');
  const found = [];
  call.onicecandidate = e => e.candidate && found.push(e.candidate.candidate);
  await call.setLocalDescription(await call.createOffer());
  await new Promise(done => { call.onicegatheringstatechange = () => call.iceGatheringState === 'complete' && done();
    setTimeout(done, 3000) });
  return found;
}
"""


class Redirecting(Network):
    """A site whose page /17 leads to the address with that number; all others say ok. Nothing is kept alive."""

    def __init__(self, leads_to: Sequence[str] = ()) -> None:
        super().__init__()
        self.leads_to = leads_to

    async def dial(self, address: str, port: int, timeout_s: float | None):
        self.dialled.append((address, port))
        return _Server(self)


class _Server(httpcore2.AsyncMockStream):
    def __init__(self, network: Redirecting) -> None:
        super().__init__([])
        self._network = network
        self._said = b""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if not buffer:
            return
        head = buffer.decode("latin-1")
        self._network.asked.append(head)
        number = re.match(r"GET /(\d+) ", head)
        is_known = number is not None and int(number[1]) < len(self._network.leads_to)
        self._said = redirect(self._network.leads_to[int(number[1])]) if is_known else OK_CLOSED

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        said, self._said = self._said, b""
        return said


class Behind:
    """A page behind the proxy. `network` is where its connections would go."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.network: Network = Redirecting()
        self.egress = Egress(AddressRules(False, OWN), resolve=self._resolve, dial=self._dial)
        self.chromium: Chromium = loop.do(start(CHROMIUM, self.egress))

    async def _resolve(self, host: str, port: int) -> list[str]:
        return await self.network.resolve(host, port)

    async def _dial(self, address: str, port: int, timeout_s: float | None):
        return await self.network.dial(address, port, timeout_s)

    def close(self) -> None:
        self.loop.do(self.chromium.stop())
        self.loop.do(self.egress.aclose())

    def open(self, urls: Sequence[str], leads_to: Sequence[str] = ()) -> dict[str, list[tuple[str, int]]]:
        """Return the addresses that were dialled when each was opened as a page."""

        async def all_of_them() -> dict[str, list[tuple[str, int]]]:
            shown, found = await self._new_page(), {}
            for url in urls:
                self.network = Redirecting(leads_to)
                await self._go(shown, url)
                found[url] = self.network.dialled
            await shown.context.close()
            return found

        return self.loop.do(all_of_them())

    def run(self, script: str, given: Sequence[str], network: Network) -> object:
        """Return what a script says in a page of a public site."""

        async def act() -> object:
            shown, self.network = await self._new_page(), network
            await self._go(shown, "http://public.example.com/")
            said = await shown.evaluate(script, list(given))
            await shown.context.close()
            return said

        return self.loop.do(act())

    async def _new_page(self) -> Page:
        context = await self.chromium.new_context(self.egress.open(50_000_000))
        shown = await context.new_page()
        context.on("page", lambda other: other.close() if other is not shown else None)
        return shown

    @staticmethod
    async def _go(shown: Page, url: str) -> None:
        """It may be refused, be no address at all, or want TLS of those who don't speak it."""
        with contextlib.suppress(Error):
            await shown.goto(url, timeout=10_000)


@pytest.fixture(scope="module")
def behind() -> Iterator[Behind]:
    with run_loop() as loop:
        behind = Behind(loop)
        yield behind
        behind.close()


def inside(dialled: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """Those that must never be dialled."""
    return {one for one in dialled if one[0] not in PUBLIC or one[1] not in PORTS}


def in_parts(urls: Sequence[str], size: int = 60) -> Iterator[Sequence[str]]:
    return (urls[first : first + size] for first in range(0, len(urls), size))


def test_nothing_that_a_page_starts_reaches_a_denied_spelling(behind):
    network, frames = Redirecting(), 0
    for urls in in_parts(HTTP):
        frames += behind.run(TRIES, urls, network)
    assert frames == len(HTTP) >= 250 // EACH
    assert len(set(network.looked_up)) >= max(3, 10 // EACH)  # it did try
    assert inside(network.dialled) == set()


def test_nothing_that_a_page_is_led_to_reaches_a_denied_spelling(behind):
    network = Redirecting(LEADS)
    for urls in in_parts([f"http://public.example.com/{number}" for number in range(len(LEADS))]):
        behind.run(TRIES, urls, network)
    asked = {head.split(" ")[1] for head in network.asked if head.startswith("GET ")}
    assert len(asked) >= len(LEADS) >= 250 // EACH
    assert inside(network.dialled) == set()


def test_no_page_of_a_denied_spelling_is_opened(behind):
    found = behind.open(DENIED[:: 2 * EACH])
    assert len(found) >= 30
    assert {url: inside(dialled) for url, dialled in found.items() if inside(dialled)} == {}


def test_no_page_that_leads_to_a_denied_spelling_is_followed(behind):
    targets = LEADS[::3]
    found = behind.open([f"http://public.example.com/{number}" for number in range(len(targets))], targets)
    assert len(found) >= 20
    assert {url: dialled for url, dialled in found.items() if inside(dialled)} == {}


def test_a_name_that_turns_inside_is_refused_whoever_asks_then(behind):
    class Rebinding(Redirecting):
        async def resolve(self, host, port):
            self.looked_up.append(host)
            return ["93.184.215.14"] if len(self.looked_up) == 1 else ["127.0.0.1"]

    network = Rebinding()
    behind.run(TRIES, ["http://public.example.com/again", "https://public.example.com/again"], network)
    assert network.looked_up.count("public.example.com") > 5
    assert network.dialled == [("93.184.215.14", 80)]


def test_a_call_to_another_machine_finds_no_way_out(behind):
    network = Redirecting()
    hosts = ["10.0.0.1", "169.254.169.254", "[::1]", "metadata.example.net", "public.example.com"]
    candidates = behind.run(CALLS, hosts, network)
    assert inside(network.dialled) == set()
    assert [candidate for candidate in candidates if " typ host" not in candidate] == []


def test_no_request_that_is_more_than_reading_leaves_in_the_clear(behind):
    network = Redirecting()
    behind.run(TRIES, ["http://public.example.com/a", "http://example.com/b"], network)
    asked = [head for head in network.asked if " HTTP/1.1" in head]
    assert {head.split(" ")[0] for head in asked} == {"GET"}
    assert "websocket" not in "".join(asked).lower()


def test_no_allowed_spelling_is_refused(behind):
    found = behind.open([url.strip() for url in ALLOWED[:: (EACH + 1) // 2]])
    assert len(found) >= 30
    assert {url: dialled for url, dialled in found.items() if not dialled or inside(dialled)} == {}


def test_what_leads_to_allowed_spellings_is_followed(behind):
    targets = [url.strip() for url in ALLOWED if url.strip().lower().startswith("http:")]
    network = Redirecting(targets)
    behind.run(FETCHES, [f"http://public.example.com/{number}" for number in range(len(targets))], network)
    dialled = {address for address, _ in network.dialled}
    literal = {as_address(urlsplit(url).hostname or "") for url in targets} - {""}
    assert dialled >= literal
    assert len(literal) >= 20
    assert inside(network.dialled) == set()
