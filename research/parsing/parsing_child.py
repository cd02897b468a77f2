"""Reads documents in a child process with limits: a file that breaks a parser affects only the child.

One child (research.runtime.sandbox.sandbox_worker) serves many documents, since its start takes about a second; it is
replaced after a failure and after `Limits.documents`, and ends when it has had nothing to read for a while, since it
takes 140 MB. Run as `python -m research.parsing.parsing_child`.
"""

from __future__ import annotations

import atexit
import encodings
import importlib
import pkgutil
import sys
import threading
import time
from contextlib import suppress
from functools import partial

from research.parsing.chunking import CutDocument
from research.parsing.parsed_document_json import from_json, to_json
from research.runtime.sandbox.sandbox_read_error import ReadError
from research.runtime.sandbox.sandbox_worker import (
    ReaderStartError,
    SandboxLimits,
    SandboxWorker,
    call_child,
    own_answers,
    serve,
    too_large,
    too_long,
    too_much,
)
from research.runtime.sandbox.seccomp import SandboxLayer, close_in

_NO_CHARSETS = frozenset({"mbcs", "oem", "cp65001"})  # exist on Windows only
DEFAULT_LIMITS = SandboxLimits()
FOR_A_PAGE = SandboxLimits(cpu_seconds=10, wall_seconds=20.0)
PATIENCE_S = 2.0  # the longest wait while the child reads other documents
IDLE_S = 30.0  # after which the child ends


def read_in_child(
    data: bytes, name: str, limits: SandboxLimits = DEFAULT_LIMITS, *, wait_s: float = -1
) -> CutDocument:
    """Read and chunk a document in this process's reading child.

    Raises ReadError, also when the child dies.

    `wait_s` is the longest wait while the child reads other documents; -1: no limit.
    """
    if len(data) > limits.bytes_in:
        raise too_large(len(data), name, limits)
    if not _lock.acquire(timeout=wait_s):
        raise too_long(name)
    try:
        return call_child(partial(_child_for, limits), data, name, from_json)
    finally:
        _note_use()
        _lock.release()


def read_for_a_page(data: bytes, name: str) -> CutDocument:
    """Read a document while a person waits for the page, blocking one of the site's few threads."""
    return read_in_child(data, name, FOR_A_PAGE, wait_s=PATIENCE_S)


def start_child() -> None:
    """Start this process's reading child in the background, if there is none: there will soon be documents to read."""
    threading.Thread(target=_start, name="parsing-start", daemon=True).start()


def _start() -> None:
    with suppress(ReaderStartError), _lock:  # the first document reports it
        _child_for(DEFAULT_LIMITS)
        _note_use()


def build_sandbox(limits: SandboxLimits = DEFAULT_LIMITS) -> SandboxLayer:
    """Return the sandbox layers of this process's reading child, starting it if needed.

    Raises ReaderStartError.
    """
    with _lock:
        return _child_for(limits).layers


def stop_child() -> None:
    """Stop this process's reading child, if there is one."""
    global _child
    with _lock:
        if _child is not None:
            _child.stop()
        _child = None


_lock = threading.Lock()
_child: SandboxWorker | None = None
_used_at = 0.0  # time.monotonic()
_watch: threading.Thread | None = None
atexit.register(stop_child)


def _child_for(limits: SandboxLimits) -> SandboxWorker:
    global _child
    if _child is None or not _child.is_usable or _child.limits != limits:
        if _child is not None:
            _child.stop()
        _child = SandboxWorker(limits, __name__)
    return _child


def _note_use() -> None:
    """Note that the child was used, and have it ended once it is idle. Needs the lock."""
    global _used_at, _watch
    _used_at = time.monotonic()
    if _watch is None or not _watch.is_alive():
        _watch = threading.Thread(target=_end_when_idle, name="parsing-idle", daemon=True)
        _watch.start()


def _end_when_idle() -> None:
    global _child, _watch
    while True:
        with _lock:
            left_s = _used_at + IDLE_S - time.monotonic()
            if _child is None or left_s <= 0:
                if _child is not None:
                    _child.stop()
                _child = _watch = None
                return
        time.sleep(left_s)


def _answer(data: bytes, name: str) -> bytes:
    """Read a document in the child process, so that the parent does not load the parsers."""
    from research.parsing.chunking import cut
    from research.parsing.parse_document import read

    try:
        return to_json(cut(read(data, name)))
    except ReadError as error:
        return to_json(error)
    except MemoryError:
        return to_json(too_much(name))


def _load_all() -> None:
    """Load all modules before the child enters the sandbox, where nothing can be opened. Codecs are modules, too.

    Parsers, the language model and the tokenizer load much with the first document only: each kind is read once.
    """
    from research.parsing.chunking import cut
    from research.parsing.formats.first_parsed_documents import first_documents
    from research.parsing.parse_document import read

    for _, name, _ in pkgutil.iter_modules(encodings.__path__):
        if name not in _NO_CHARSETS:
            importlib.import_module(f"encodings.{name}")
    for name, data in first_documents().items():
        with suppress(ReadError):
            cut(read(data, name))


if __name__ == "__main__":
    _answers = own_answers()
    _load_all()
    serve(sys.stdin.buffer, _answers, close_in(int(sys.argv[1])), _answer)
