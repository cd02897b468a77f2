"""Writers that go wrong, each in its way; the title says which."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from exports.document.document_tree import Document
from exports.formats.export_options import CannotWrite, ExportOptions, Progress


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    return WAYS[document.title.split()[0]](document.title)


def refuse(_title: str) -> bytes:
    raise CannotWrite("A word is missing.")


def fall(_title: str) -> bytes:
    raise ZeroDivisionError("a fault of the program")


def devour(_title: str) -> bytes:
    return b"".join(bytes(16 << 20) for _ in range(200))


def dally(_title: str) -> bytes:
    time.sleep(60)
    return b""


def compute(_title: str) -> bytes:
    while True:
        pass


def die(_title: str) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def peep(title: str) -> bytes:
    """Return what it finds in its environment, and in a file."""
    found = [name for name in os.environ if "DATABASE" in name or "KEY" in name and name != "SECRET_KEY"]
    try:
        found.append(Path(title.partition(" ")[2]).read_text(encoding="utf-8"))
    except OSError as error:
        found.append(type(error).__name__)
    return "\n".join(found).encode()


def dial(title: str) -> bytes:
    """Dial an address, from the process itself and from a program that it starts."""
    code = f"import socket; socket.create_connection(('127.0.0.1', {title.split()[1]}), 5)"
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    try:
        socket.create_connection(("127.0.0.1", int(title.split()[1])), 5)
    except OSError as error:
        return f"{type(error).__name__} {started.returncode}".encode()
    return b"connected"


WAYS = {one.__name__: one for one in (refuse, fall, devour, dally, compute, die, peep, dial)}
