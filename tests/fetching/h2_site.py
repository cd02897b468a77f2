"""A server that speaks HTTP/2 over TLS, well or badly, as the path of a request asks."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

TEXT = b"<html><body><p>" + b"Heat pumps were measured over two winters. " * 60 + b"</p></body></html>"
FOUND = [(":status", "200"), ("content-type", "text/html; charset=utf-8")]


@dataclass
class H2Site:
    """`asked`: (number of the connection, path) of each request."""

    port: int = 0
    asked: list[tuple[int, str]] = field(default_factory=list)
    connections: int = 0


class _Connection:
    def __init__(self, site: H2Site, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        site.connections += 1
        self._site, self._number = site, site.connections
        self._reader, self._writer = reader, writer
        config = h2.config.H2Configuration(client_side=False, validate_outbound_headers=False)
        self._h2 = h2.connection.H2Connection(config)
        self._requests = 0

    async def serve(self) -> None:
        self._h2.initiate_connection()
        with suppress(ConnectionError, ssl.SSLError, h2.exceptions.ProtocolError):
            self._flush()
            while data := await self._reader.read(65_536):
                for event in self._h2.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        path = dict(event.headers)[b":path"].decode()
                        self._site.asked.append((self._number, path))
                        self._requests += 1
                        self._answer(path, event.stream_id)
                self._flush()
        self._writer.close()

    def _answer(self, path: str, stream: int) -> None:
        if self._breaks_off(path, stream):
            return
        match path:
            case "/slow":
                self._say(stream, FOUND, b"<html>", is_end=False)
            case "/many-headers":
                self._say(stream, [*FOUND, *((f"x-{n}", "x" * 1_000) for n in range(200))], TEXT)
            case "/odd-status":
                self._say(stream, [(":status", "soon"), *FOUND[1:]], TEXT)
            case "/large":
                self._say(stream, [*FOUND, ("content-length", "99999999")], TEXT, is_end=False)
            case "/closing":
                self._say(stream, FOUND, TEXT)
                self._flush()
                self._writer.close()
            case _:
                self._say(stream, FOUND, TEXT)

    def _breaks_off(self, path: str, stream: int) -> bool:
        match path:
            case "/reset":
                self._h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
            case "/half":
                self._say(stream, FOUND, TEXT, is_end=False)
                self._h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
            case "/goaway":
                self._h2.close_connection(last_stream_id=0)
            case "/goaway-when-used" if self._requests > 1:
                self._h2.close_connection(last_stream_id=stream - 2)
            case "/garbage":
                self._flush()
                self._writer.write(b"\0\0\1\0\0\0\0\0\0x")  # a body of no request
            case _:
                return False
        return True

    def _say(self, stream: int, headers: list[tuple[str, str]], body: bytes, *, is_end: bool = True) -> None:
        self._h2.send_headers(stream, headers)
        self._h2.send_data(stream, body, end_stream=is_end)

    def _flush(self) -> None:
        self._writer.write(self._h2.data_to_send())


@contextmanager
def serve_h2(tls: ssl.SSLContext) -> Iterator[H2Site]:
    site, loop, is_up = H2Site(), asyncio.new_event_loop(), threading.Event()
    stopping = asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _Connection(site, reader, writer).serve()

    async def serve() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
        site.port = server.sockets[0].getsockname()[1]
        is_up.set()
        await stopping.wait()
        server.close()

    def run() -> None:
        loop.run_until_complete(serve())
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    is_up.wait(10)
    yield site
    loop.call_soon_threadsafe(stopping.set)
    thread.join(10)
