"""Web sites of this machine, one for each loopback address, and a SearXNG server that knows their pages."""

import json
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


@dataclass
class Said:
    """One answer."""

    body: bytes | str = ""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = Said | Callable[[str], Said]  # the latter is given the path with its query


@dataclass
class Site:
    """`asked` holds the path of each request, `heard` its headers, `begun` when it came (seconds of a steady clock).

    A path that it does not know is not found.
    """

    host: str
    port: int
    pages: dict[str, Answer]
    asked: list[str] = field(default_factory=list)
    heard: list[dict[str, str]] = field(default_factory=list)
    begun: list[float] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"http://{self.host}:{self.port}"


@contextmanager
def serve_site(
    pages: Mapping[str, Answer], host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
) -> Iterator[Site]:
    site = Site(host, 0, dict(pages))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.heard.append({name.lower(): value for name, value in self.headers.items()})
            site.begun.append(time.monotonic())
            answer = site.pages.get(urlsplit(self.path).path, Said("", 404))
            said = answer if isinstance(answer, Said) else answer(self.path)
            body = said.body.encode() if isinstance(said.body, str) else said.body
            self.send_response(said.status)
            for name, value in {
                "Content-Type": said.kind,
                "Content-Length": str(len(body)),
                **said.headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            site.asked.append(f"{self.command} {self.path}")
            self.send_error(405)

        do_PUT = do_DELETE = do_PATCH = do_POST

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request, client_address) -> None:
            if not isinstance(sys.exception(), ConnectionError):  # who has heard enough goes away
                super().handle_error(request, client_address)

    with Server((host, 0), Handler) as server:
        site.port = server.server_port
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield site
        server.shutdown()
        thread.join()


def searxng(results: Callable[[str, int], list[dict[str, object]]]) -> Answer:
    """A search server in SearXNG's shape. `results` gets the query and the page, from 1."""

    def answer(path: str) -> Said:
        asked = parse_qs(urlsplit(path).query)
        if asked.get("format") != ["json"]:
            return Said("", 403)
        query, page = asked["q"][0], int(asked.get("pageno", ["1"])[0])
        body = {
            "query": query, "number_of_results": 0, "results": results(query, page), "answers": [],
            "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": [],
        }  # fmt: skip
        return Said(json.dumps(body), kind="application/json")

    return answer


def result(url: str, title: str = "", content: str = "", published: str | None = None) -> dict[str, object]:
    """One result as SearXNG gives it."""
    return {
        "url": url, "title": title, "content": content, "publishedDate": published, "engine": "duckduckgo",
        "parsed_url": list(urlsplit(url)) + [""], "template": "default.html", "engines": ["duckduckgo", "brave"],
        "positions": [1, 3], "score": 2.5, "category": "general", "thumbnail": "", "img_src": "", "priority": "",
    }  # fmt: skip
