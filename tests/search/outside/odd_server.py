"""Servers that behave badly, without the protocol's package: the first argument says how."""

import json
import os
import sys
import time
from collections.abc import Callable

ABOUT = {
    "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
    "serverInfo": {"name": "odd", "version": "1"},
}  # fmt: skip


def say(value: object) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


def answer(request: dict, text: str, *, is_error: bool = False) -> None:
    result = {"content": [{"type": "text", "text": text}], "isError": is_error}
    say({"jsonrpc": "2.0", "id": request["id"], "result": result})


def noise(request: dict) -> None:
    """Lines that are no messages, and then a result all the same."""
    sys.stdout.write('npm notice: hello\n{"json": "but no message"}\n\n')
    answer(request, json.dumps([{"url": "https://after.example/", "title": "After the noise"}]))


def endless(request: dict) -> None:
    while True:
        os.write(1, b"x" * 100_000)


def garbage(request: dict) -> None:
    while True:
        os.write(1, b"%%%\n" * 20_000)


def stays(request: dict) -> None:
    """Ignores that it is told to go, and leaves a child behind."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = os.fork()
    if not child:
        time.sleep(600)
    answer(request, json.dumps([{"url": f"https://{child}.example/"}]))


BEHAVIOUR: dict[str, Callable[[dict], None]] = {
    "dies": lambda request: os._exit(3),
    "hangs": lambda request: time.sleep(600),
    "noise": noise,
    "endless": endless,
    "garbage": garbage,
    "stays": stays,
    "huge": lambda request: answer(request, "y" * 10_000_000),
    "nonsense": lambda request: say({"jsonrpc": "2.0", "id": request["id"], "result": {"content": 7}}),
    "refuses": lambda request: answer(
        request, f"401: the key {os.environ['SEARCH_KEY']} is wrong", is_error=True
    ),
    "limited": lambda request: answer(request, "Error: 429 rate limit exceeded", is_error=True),
    "no-tool": lambda request: say(
        {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32602, "message": "Unknown tool: find"}}
    ),
}


def serve(how: str) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if request["method"] == "initialize":
            say({"jsonrpc": "2.0", "id": request["id"], "result": ABOUT})
        elif request["method"] == "tools/call":
            BEHAVIOUR[how](request)
        elif "id" in request:
            say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "Not found"}})
    if how == "stays":
        time.sleep(600)


if __name__ == "__main__":
    match sys.argv[1]:
        case "gone":
            sys.exit(1)
        case "mute":
            time.sleep(600)
        case how:
            serve(how)
