"""An HTTP proxy on loopback that counts the requests to a model server, including those that the server rejects.

    with CountingProxy("http://127.0.0.1:8151/v1") as proxy:
        ...                                            # base URL for the product: proxy.base_url
    proxy.exchanges                                    # one entry per request to /chat/completions

The log of model calls has one row per call, however many forms of the request the server rejected before it answered.
"""

import json
import select
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import urlsplit

PREFIX = "/v1"  # of the API's paths at the proxy
CHAT = "/chat/completions"
PATIENCE_S = 600.0  # longer than any of our clients waits
UNREACHABLE = 502
GIVEN_UP = 499  # nginx's status for a client that has disconnected
LOOK_S = 0.2  # interval of the checks for that
MAX_REASON = 160  # characters
PASSED_ON = ("authorization", "content-type")
HANDED_BACK = ("content-type", "retry-after")


@dataclass(frozen=True, slots=True)
class ProxyResponse:
    """A complete HTTP response."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A completion request and its outcome. `reason`: the start of the error message, if any."""

    status: int
    form: str  # requested response format: json_schema, json_object, or text
    had_tools: bool
    reason: str = ""


class NoServer(Exception):
    """No server answers; str() says why."""


Refuse = Callable[[str], ProxyResponse | None]  # called with the requested response format


def refuse_nothing(form: str) -> ProxyResponse | None:
    return None


def refuse_schemas(form: str) -> ProxyResponse | None:
    """Reject JSON schemas as llama-cpp-python's server does, with status 500 for what is an error of the request."""
    if form != "json_schema":
        return None
    fault = (
        "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': "
        "\"Input should be 'text' or 'json_object'\", 'input': 'json_schema', 'ctx': {'expected': "
        "\"'text' or 'json_object'\"}}"
    )
    error = {"message": fault, "type": "internal_server_error", "param": None, "code": None}
    return ProxyResponse(500, json.dumps({"error": error}).encode())


@dataclass
class CountingProxy:
    """A proxy, used as a context manager. `refuse` may return a response in place of the server's."""

    upstream: str
    refuse: Refuse = refuse_nothing
    exchanges: list[Exchange] = field(default_factory=list)

    def __post_init__(self) -> None:
        proxy = self

        class Handler(_Handler):
            to = proxy

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="counting-proxy", daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{PREFIX}"

    def __enter__(self) -> "CountingProxy":
        self._thread.start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def models(self, key: str) -> list[str]:
        """Return the models that the server lists, if it does. Raises NoServer if it can't be reached."""
        answer = self._forward(
            "GET", f"{PREFIX}/models", {"authorization": f"Bearer {key}"} if key else {}, b""
        )
        if answer.status == UNREACHABLE:
            raise NoServer(_reason(answer))
        try:
            return [str(model["id"]) for model in json.loads(answer.body)["data"]]
        except (ValueError, KeyError, TypeError):
            return []

    def answer(
        self, method: str, path: str, headers: dict[str, str], body: bytes, client: socket.socket
    ) -> ProxyResponse:
        """Return the server's response, or the refusal in its place, and record completion requests."""
        if path != f"{PREFIX}{CHAT}":
            return self._forward(method, path, headers, body, client)
        form, had_tools = _parse_request_form(body)
        answer = self.refuse(form) or self._forward(method, path, headers, body, client)
        self.exchanges.append(Exchange(answer.status, form, had_tools, _reason(answer)))
        return answer

    def _forward(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes,
        client: socket.socket | None = None,
    ) -> ProxyResponse:
        """Forward a request to the server and return its response.

        If `client` disconnects, the connection to the server is closed too, so that it can stop generating.
        """
        url = urlsplit(self.upstream)
        kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
        connection = kind(url.hostname or "", url.port, timeout=PATIENCE_S)
        is_over, is_given_up = threading.Event(), threading.Event()
        try:
            connection.connect()
            if client is not None:
                watched = (client, connection.sock, is_over, is_given_up)
                threading.Thread(target=_watch, args=watched, daemon=True).start()
            is_api = path.startswith(PREFIX)  # llama.cpp's own paths have no prefix
            target = f"{url.path.rstrip('/')}{path.removeprefix(PREFIX)}" if is_api else path
            connection.request(method, target, body or None, headers)
            answer = connection.getresponse()
            kept = tuple((name, value) for name in HANDED_BACK if (value := answer.headers.get(name)))
            return ProxyResponse(answer.status, answer.read(), kept)
        except (OSError, HTTPException) as error:
            if is_given_up.is_set():
                return ProxyResponse(GIVEN_UP, b'{"error": "the client gave up waiting"}')
            words = {"error": {"message": f"{type(error).__name__}: {error}", "type": "proxy_error"}}
            return ProxyResponse(UNREACHABLE, json.dumps(words).encode())
        finally:
            is_over.set()
            connection.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    to: CountingProxy

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name: value for name in PASSED_ON if (value := self.headers.get(name))}
        answer = self.to.answer(self.command, self.path, headers, body, self.connection)
        try:
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)
        except OSError:  # the client has disconnected
            self.close_connection = True

    do_GET = do_POST

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing, because the figures are printed at the end."""


def _watch(
    client: socket.socket, upstream: socket.socket, is_over: threading.Event, is_given_up: threading.Event
) -> None:
    """Disconnect from the server when the client disconnects, unless the response arrives first."""
    try:
        while not is_over.wait(LOOK_S):
            if select.select([client], [], [], 0)[0] and not client.recv(1, socket.MSG_PEEK):
                is_given_up.set()
                upstream.shutdown(socket.SHUT_RDWR)
                return
    except OSError:  # closed in the meantime
        return


def _parse_request_form(body: bytes) -> tuple[str, bool]:
    """Return the response format that a request wants, and whether it offers tools."""
    try:
        asked = json.loads(body)
        return str((asked.get("response_format") or {}).get("type", "text")), bool(asked.get("tools"))
    except (ValueError, AttributeError):
        return "text", False


def _reason(answer: ProxyResponse) -> str:
    if answer.status == 200:
        return ""
    try:
        error = json.loads(answer.body)["error"]
        words = error["message"] if isinstance(error, dict) else error
    except (ValueError, KeyError, TypeError):
        words = answer.body.decode(errors="replace")
    return " ".join(str(words).split())[:MAX_REASON]
