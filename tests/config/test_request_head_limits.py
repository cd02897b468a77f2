"""Heads of requests that never end: whoever sends one is cut off, before it fills the memory of the site."""

import asyncio
from collections.abc import Iterator

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from config.request_head_limits import MAX_BYTES, BoundedHeads

START = b"POST /x HTTP/1.1\r\nHost: a\r\n"
PIECE = b"a" * 16_000


async def echo(scope, receive, send) -> None:
    size, is_more = 0, True
    while is_more:
        message = await receive()
        size, is_more = size + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"{size} bytes".encode()})


async def _answer(pieces: Iterator[bytes]) -> tuple[bytes, int]:
    """Return the answer, and how many bytes were taken until the connection was closed."""
    config = Config(echo, http=BoundedHeads, lifespan="off", log_level="critical")
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: BoundedHeads(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    taken, answered = 0, asyncio.create_task(reader.read(1_000))
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            taken += len(piece)
            await asyncio.sleep(0)
            if answered.done():
                break
        return await answered, taken
    except ConnectionError:
        return b"", taken
    finally:
        writer.close()
        server.close()


def answer_pieces(*pieces: bytes, times: int = 1) -> tuple[bytes, int]:
    first, *rest = pieces
    return asyncio.run(_answer(iter([first, *rest * times])))


ENDLESS = {
    "value": (START + b"X: ", PIECE),
    "names": (START, b"".join(b"X-%d: a\r\n" % number for number in range(2_000))),
    "address": (b"GET /", PIECE),
    "trailer": (START + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: ", PIECE),
    "trailers": (START + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", b"X: a\r\n" * 3_000),
    "size of a piece": (START + b"Transfer-Encoding: chunked\r\n\r\n1;", PIECE),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_a_head_without_end_is_cut_off(what):
    answer, taken = answer_pieces(*ENDLESS[what], times=2_000)
    assert answer.startswith(b"HTTP/1.1 431") or not answer
    assert taken < 100 * MAX_BYTES  # of 32 MB and more: the rest is what lies in the buffers between


@pytest.mark.parametrize("size", [0, 10, 300_000])
def test_a_body_is_taken_whole(size):
    head = START + b"Connection: close\r\nX: " + PIECE + b"\r\nContent-Length: %d\r\n\r\n" % size
    answer, _taken = answer_pieces(head, b"b" * size)
    assert answer.endswith(f"{size} bytes".encode()) or f"{size} bytes".encode() in answer
