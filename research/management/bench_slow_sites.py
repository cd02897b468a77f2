"""Serve slow web sites on this machine for `bench_fetching`. `python -m … SITES DELAY_S PAGES`.

Each site has an address of its own, from 127.0.0.2 on; all share one port, which is printed first. They record
when each
request arrived and when its answer was written, and print the records as JSON when standard input ends.
"""

import asyncio
import json
import sys
import threading
import time
from dataclasses import asdict, dataclass

WORDS = "The seasonal performance factor of the heat pumps stayed above two at nine of the eleven sites. "
FIRST = 2  # last octet of the first address


@dataclass(frozen=True, slots=True)
class RequestTiming:
    """One request. Times are seconds of the monotonic clock, which all processes of the machine share."""

    host: str
    path: str
    began: float
    ended: float


def host(number: int) -> str:
    return f"127.0.0.{FIRST + number}"


class Sites:
    def __init__(self, delay_s: float, pages: int) -> None:
        self._delay_s = delay_s
        self._pages = pages
        self.notes: list[RequestTiming] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, which may carry several requests."""
        own = str(writer.get_extra_info("sockname")[0])
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(own, head.split(b" ")[1].decode(), writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()  # the client disconnected, or the server is stopping

    async def _answer(self, own: str, path: str, writer: asyncio.StreamWriter) -> None:
        began = time.monotonic()
        await asyncio.sleep(self._delay_s)
        body = self._page(own, path)
        status = "200 OK" if body else "404 Not Found"
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        self.notes.append(RequestTiming(own, path, began, time.monotonic()))

    def _page(self, own: str, path: str) -> bytes:
        """Return 20 kB of HTML, different for each page; nothing for an unknown path."""
        number = path.removeprefix("/page-")
        if not number.isdecimal() or int(number) >= self._pages:
            return b""
        words = "".join(f"<p>{WORDS}{own}, page {number}, paragraph {part}.</p>" for part in range(160))
        return f"<html><head><title>Page {number} of {own}</title></head><body>{words}</body></html>".encode()


async def run(sites: int, delay_s: float, pages: int) -> None:
    served, port, done = Sites(delay_s, pages), 0, asyncio.Event()
    for number in range(sites):
        server = await asyncio.start_server(served.serve, host(number), port)
        port = server.sockets[0].getsockname()[1]
    print(port, flush=True)
    loop = asyncio.get_running_loop()
    threading.Thread(target=_wait_for_end, args=(loop, done), daemon=True).start()
    await done.wait()
    print(json.dumps([asdict(note) for note in served.notes]))


def _wait_for_end(loop: asyncio.AbstractEventLoop, done: asyncio.Event) -> None:
    sys.stdin.read()
    loop.call_soon_threadsafe(done.set)


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
