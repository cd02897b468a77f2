"""Search services of this machine, one for each provider, in the shape of the real ones.

A provider adds a module here that makes a `World`, and enters it in `worlds.py`; then every test of
`test_every_provider.py` holds for it. What only this service does is tested in a module of its own, with `serve_world`.

A world turns a `Made` (what a result says) into the service's own shape (`raw`), and answers a `Call` with some of
the results (`answer`): it pages as the service pages, and refuses what the service would refuse (a missing key, an
unknown parameter that matters), so that a wrong question is seen as such.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

from django.test import override_settings

from research.models import SourceType
from research.search.providers.search_catalogue import ENTRIES
from research.search.search_protocol import Filters, Hits, SearchError, SearchHit, SearchProvider, SearchType
from research.search.search_services import Services
from tests.fetching.site import Said

KEY = "secret-key-of-the-test"
PAUSE = Said("slow down", 429, headers={"Retry-After": "120"})


@dataclass(frozen=True)
class Call:
    """One request. `headers` have lower-case names."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    def word(self, name: str, default: str = "") -> str:
        """A parameter, of the address or of the form."""
        form = parse_qs(self.body.decode()) if self.method == "POST" else {}
        return {**self.query, **form}.get(name, [default])[0]

    def number(self, name: str, default: int = 0) -> int:
        return int(self.word(name) or default)


@dataclass(frozen=True)
class Made:
    """A result of the service; `hit` is what must come of it."""

    url: str
    title: str
    text: str
    published: str = ""
    kind: SourceType = SourceType.OTHER
    domain: str = ""

    @property
    def hit(self) -> SearchHit:
        return SearchHit(self.url, self.title, self.text, self.domain, self.published, self.kind)


def make_page(number: int) -> Made:
    """A page of anywhere; each has a day of its own, no day has two."""
    host = f"site-{number}.example"
    day = f"2024-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
    return Made(f"https://{host}/page", f"Page {number}", f"What page {number} says.", day, domain=host)


@dataclass(frozen=True)
class World:
    """One service. `page_size`: results that it gives at once, at most. `odd`: results of no known shape.

    `limited`: how it says that it is asked too often. `nonsense`: answers of status 200 that are none.
    """

    name: str
    answer: Callable[[Call, Sequence[object]], Said]
    raw: Callable[[Made], object]
    page_size: int
    make: Callable[[int], Made] = make_page
    kind: SearchType = SearchType.WEB
    odd: Sequence[object] = (7, None, [])
    limited: Said = field(default_factory=lambda: PAUSE)
    nonsense: Sequence[str] = ("<html>oops", "", "[7", "null", '"text"')
    key: str = ""


@dataclass
class Running:
    """A server that is up. What it says may be changed; `calls` are all that it was asked."""

    base: str
    says: Callable[[Call], Said]
    calls: list[Call] = field(default_factory=list)


@contextmanager
def run_server(says: Callable[[Call], Said]) -> Iterator[Running]:
    server_of: list[Running] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            call = Call(self.command, parts.path, parse_qs(parts.query), headers, body)
            server_of[0].calls.append(call)
            self._say(server_of[0].says(call))

        do_POST = do_GET

        def _say(self, said: Said) -> None:
            body = said.body.encode() if isinstance(said.body, str) else said.body
            self.send_response(said.status)
            own = {"Content-Type": said.kind, "Content-Length": str(len(body))}
            for name, value in {**own, **said.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request, client_address) -> None:
            if not isinstance(sys.exception(), ConnectionError):  # who has heard enough goes away
                super().handle_error(request, client_address)

    with Server(("127.0.0.1", 0), Handler) as server:
        server_of.append(Running(f"http://127.0.0.1:{server.server_port}", says))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server_of[0]
        server.shutdown()
        thread.join()


@dataclass
class Asking:
    """A world's server, with the provider that asks it."""

    world: World
    server: Running
    limit_s: float | None = None
    tenant: UUID = field(default_factory=uuid4)

    @property
    def calls(self) -> list[Call]:
        return self.server.calls

    def has(self, *results: object) -> None:
        """The service has these results, in its own shape."""
        self.server.says = lambda call: self.world.answer(call, results)

    def search(self, query: str = "heat pumps", **filters: object) -> Hits:
        """Raises SearchError."""
        [answer] = self.answers([query], **filters)
        if isinstance(answer, SearchError):
            raise answer
        return answer

    def failures(self, *queries: str) -> list[SearchError]:
        """Asked one after the other by one process: all of them must fail."""
        answers = self.answers(queries)
        assert all(isinstance(answer, SearchError) for answer in answers), answers
        return answers

    def answers(self, queries: Sequence[str], **filters: object) -> list[Hits | SearchError]:
        return asyncio.run(self._answers(queries, Filters(**{"type": self.world.kind, **filters})))

    async def _answers(self, queries: Sequence[str], filters: Filters) -> list[Hits | SearchError]:
        entry = ENTRIES[self.world.name]
        services = Services([replace(entry, limit_s=self.limit_s or entry.limit_s)])
        [provider] = services.of(self.tenant)
        try:
            return [await _answer(provider, query, filters) for query in queries]
        finally:
            await services.aclose()


async def _answer(provider: SearchProvider, query: str, filters: Filters) -> Hits | SearchError:
    try:
        return await provider.search(query, filters)
    except SearchError as error:
        return error


@contextmanager
def serve_world(world: World, path: str = "") -> Iterator[Asking]:
    """The world's service is up, empty, and set up as this machine's only one, at that path."""
    with (
        run_server(lambda call: world.answer(call, ())) as server,
        override_settings(
            REDIS_LOCATION="unix:///nowhere.sock",  # turns are those of one process, whatever ran before
            PLUMBLINE_ALLOW_LOOPBACK=True,
            PLUMBLINE_PROVIDERS=(world.name,),
            PLUMBLINE_SEARXNG_URL=server.base,
            PLUMBLINE_PROVIDER_URLS={world.name: server.base + path},
            PLUMBLINE_PROVIDER_KEYS={world.name: world.key},
        ),
    ):
        yield Asking(world, server)
