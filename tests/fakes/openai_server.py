"""A model server on the loopback interface that speaks OpenAI's chat completions, embeddings and pictures.

    with FakeOpenAI() as server:
        server.script(rate_limited("1"), answer({"text": "Paris"}))     # in this order, then the default
        server.default = generated()                                    # the default: fills the schema asked for
        ...                                                             # base URL: server.base_url
        assert server.paid == 1                                         # answers that a provider would bill

Behaviours are in tests/fakes/openai_answers.py. `latency_s` is waited before each answer; `held(gate)` holds
one until the test opens the gate, so that no test has to sleep. Every request is in `server.requests`; with a
`log` each is also appended to that file, synced, before it is answered, so that it outlives a killed client:

    python -m tests.fakes.openai_server --port 9911 --log calls.jsonl --latency 0.05
"""

import argparse
import asyncio
import hashlib
import json
import math
import os
import random
import struct
import threading
import zlib
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from tests.fakes.openai_answers import (
    Behaviour,
    Request,
    Wire,
    answer_with_models,
    error,
    generate_answer,
    picture,
    properties,
    tokens,
)

MAX_HEADERS = 100


@dataclass
class FakeOpenAI:
    """The server; a context manager. It listens in a thread of its own."""

    default: Behaviour = field(default_factory=generate_answer)
    latency_s: float = 0.0
    log: Path | None = None
    port: int = 0
    models: Sequence[dict] = ({"id": "test-model", "object": "model"},)  # what /models lists
    props: dict | None = None  # what llama.cpp's /props says; None: as other servers, nothing
    requests: list[Request] = field(default_factory=list)
    paid: int = 0  # answers with status 200 that were sent whole
    in_flight: int = 0
    most_in_flight: int = 0

    def __post_init__(self) -> None:
        self._script: deque[Behaviour] = deque()
        self._embeddings: deque[Behaviour] = deque()
        self._pictures: deque[Behaviour] = deque()
        self._lists: deque[Behaviour] = deque()
        self._gates: list[threading.Event] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=self._serve, name="fake-openai", daemon=True)

    # --- for tests ---

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def script(self, *behaviours: Behaviour) -> None:
        """Answer the next requests so, one after the other; then as `default` says."""
        self._script.extend(behaviours)

    def script_embeddings(self, *behaviours: Behaviour) -> None:
        """The same for requests of embeddings, which else get unit vectors."""
        self._embeddings.extend(behaviours)

    def script_pictures(self, *behaviours: Behaviour) -> None:
        """The same for requests of pictures, which else get one in a colour that their words choose."""
        self._pictures.extend(behaviours)

    def script_lists(self, *behaviours: Behaviour) -> None:
        """The same for requests of the list of models, which else has those of `models`."""
        self._lists.extend(behaviours)

    def wait_for_requests(self, count: int, limit_s: float = 30) -> None:
        """Return when that many requests have arrived. Raises AssertionError where they do not."""
        with self._arrived:
            came = self._arrived.wait_for(lambda: len(self.requests) >= count, limit_s)
        assert came, f"{len(self.requests)} of {count} requests came"

    def __enter__(self) -> "FakeOpenAI":
        self._thread.start()
        assert self._ready.wait(10), "the fake server did not start"
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for gate in self._gates:
            gate.set()
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    # --- the server ---

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._loop.close()

    async def _listen(self) -> None:
        self._stop = asyncio.Event()
        self._connections: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(
            self._serve_connection, "127.0.0.1", self.port, limit=2**20, backlog=512
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection stays open."""
        read = await _read(reader)
        if read is None:
            return False
        path, headers, body = read
        request = self._arrive(path, headers, body)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            wire = await self._answer(request)
        finally:
            self.in_flight -= 1
        return await self._send(writer, wire)

    def _arrive(self, path: str, headers: dict[str, str], body: bytes) -> Request:
        request = Request(path, headers, json.loads(body or b"{}"), len(self.requests) + 1)
        if self.log is not None:
            self._write_down(request)
        if path == "/props":  # asked by the client on its own; no test's question
            return request
        with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
        return request

    def _write_down(self, request: Request) -> None:
        line = {"n": request.number, "path": request.path, "request": fingerprint(request.body)}
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    async def _answer(self, request: Request) -> Wire:
        if request.path.endswith("/embeddings"):
            return self._embeddings.popleft()(request) if self._embeddings else embeddings(request)
        if request.path == "/v1/models":
            behaviour = self._lists.popleft() if self._lists else answer_with_models(self.models)
        elif request.path == "/props" and self.props is not None:
            behaviour = properties(self.props)
        elif request.path in ("/props", "/api/show", "/api/v0/models", "/v1/v1/models", "/models"):
            behaviour = error(404, "Not found")  # what other servers have
        elif request.path.endswith("/images/generations"):
            behaviour = self._pictures.popleft() if self._pictures else picture(png_of(request))
        else:
            behaviour = self._script.popleft() if self._script else self.default
        wire = behaviour(request)
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        if wire.gate is not None:
            self._gates.append(wire.gate)
            await asyncio.to_thread(wire.gate.wait)
        return wire

    async def _send(self, writer: asyncio.StreamWriter, wire: Wire) -> bool:
        if wire.cut_at == 0:
            return False
        given = {"content-type": "application/json", **wire.headers, "content-length": str(len(wire.body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        self.paid += wire.status == 200 and wire.cut_at is None  # before the client can have the answer
        writer.write(f"HTTP/1.1 {wire.status} X\r\n{head}\r\n".encode())
        writer.write(wire.body if wire.cut_at is None else wire.body[: wire.cut_at])
        await writer.drain()
        return wire.cut_at is None


async def _read(reader: asyncio.StreamReader) -> tuple[str, dict[str, str], bytes] | None:
    """Path, headers (names in lower case) and body; None when the client has gone."""
    first = await reader.readline()
    if not first:
        return None
    headers: dict[str, str] = {}
    for _line in range(MAX_HEADERS):
        line = (await reader.readline()).decode("latin-1").strip()
        if not line:
            break
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return first.split()[1].decode(), headers, body


def fingerprint(body: dict) -> str:
    """The same for the same request: to find out whether one was paid twice."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def embeddings(request: Request) -> Wire:
    """Unit vectors of the dimension of text-embedding-3-small, the same for the same text."""
    given = request.body["input"]
    texts: Iterable[str] = [given] if isinstance(given, str) else given
    rows = [{"index": n, "embedding": _vector(text)} for n, text in enumerate(texts)]
    used = tokens("".join(texts))
    body = {"object": "list", "data": rows, "usage": {"prompt_tokens": used, "total_tokens": used}}
    return Wire(200, json.dumps(body).encode())


def png_of(request: Request, side: tuple[int, int] = (150, 100)) -> bytes:
    """One colour, the same for the same words."""
    colour = hashlib.sha256(request.body["prompt"].encode()).digest()[:3]
    rows = (b"\x00" + colour * side[0]) * side[1]
    head = struct.pack("!IIBBBBB", *side, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (
        struct.pack("!I", len(data)) + name + data + struct.pack("!I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _vector(text: str, dimension: int = 1536) -> list[float]:
    chance = random.Random(text)
    values = [chance.gauss(0, 1) for _ in range(dimension)]
    length = math.sqrt(sum(value * value for value in values))
    return [value / length for value in values]


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    options = parser.parse_args()
    with FakeOpenAI(port=options.port, log=options.log, latency_s=options.latency) as server:
        print(server.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
