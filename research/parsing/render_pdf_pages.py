"""Renders pages of PDFs and locates words on them, in a child process with limits (`SandboxWorker`).

Rendering a page interprets far more of a file than reading its words: patterns, shadings, images in a dozen
formats. The child is smaller than the one for reading, so that the web process can have one; it starts when
the first page is requested. Run as `python -m research.parsing.render_pdf_pages`.
"""

from __future__ import annotations

import atexit
import json
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple
from typing import TypeVar

from research.parsing.parsed_document import Box, ParsedPage
from research.runtime.sandbox.sandbox_read_error import ReadError
from research.runtime.sandbox.sandbox_worker import (
    SandboxLimits,
    SandboxWorker,
    call_child,
    own_answers,
    serve,
    too_large,
    too_much,
)
from research.runtime.sandbox.seccomp import close_in

T = TypeVar("T")
# Pages are rendered within the transaction of a request, which may be idle for 30 s (config.databases).
LIMITS = SandboxLimits(cpu_seconds=10, wall_seconds=14.0, start_seconds=10.0)
MAX_WAIT_S = 3.0  # for earlier requests
NAME = "document.pdf"
_DONE, _FAILED, _MISSING = b"d", b"f", b"m"


class Busy(Exception):
    """The child process is busy with other pages; this one was not rendered."""


def page_png(pdf: bytes, page_number: int, scale: float) -> bytes:
    """Render a page as `boxes.page_png` does. Raises ReadError, also for a timeout, IndexError and Busy."""
    return _ask(pdf, {"number": page_number, "scale": scale}, bytes)


def quote_boxes(pdf: bytes, page: ParsedPage, spans: Sequence[tuple[int, int]]) -> list[list[Box]]:
    """Return the boxes of each span of a page. Raises ReadError, also for a timeout, and Busy."""
    return _ask(pdf, {"page": asdict(page), "spans": spans}, _boxes)


def _boxes(answer: bytes) -> list[list[Box]]:
    return [[Box(*map(float, box)) for box in boxes] for boxes in json.loads(answer)]


def _ask(pdf: bytes, wish: dict[str, object], understood: Callable[[bytes], T]) -> T:
    if len(pdf) > LIMITS.bytes_in:
        raise too_large(len(pdf), NAME, LIMITS)
    if not _lock.acquire(timeout=MAX_WAIT_S):
        raise Busy
    try:
        return call_child(_child_now, pdf, json.dumps(wish), lambda answer: _parse_answer(answer, understood))
    finally:
        _lock.release()


def _parse_answer(answer: bytes, understood: Callable[[bytes], T]) -> T:
    kind, rest = answer[:1], answer[1:]
    if kind == _DONE:
        return understood(rest)
    if kind == _FAILED:
        code, message = json.loads(rest)
        raise ReadError(str(code), str(message))
    if kind == _MISSING:
        raise IndexError(rest.decode())
    raise ValueError("no answer")


_lock = threading.Lock()
_child: SandboxWorker | None = None


def stop_page_child() -> None:
    """Stop this process's rendering child, if there is one."""
    global _child
    with _lock:
        if _child is not None:
            _child.stop()
        _child = None


atexit.register(stop_page_child)


def _child_now() -> SandboxWorker:
    global _child
    if _child is None or not _child.is_usable:
        if _child is not None:
            _child.stop()
        _child = SandboxWorker(LIMITS, __name__)
    return _child


def _answer(pdf: bytes, wish: str) -> bytes:
    """Carry out a request in the child process."""
    from research.parsing.formats.pdf import locate_quotes_in_pdf

    request = json.loads(wish)
    try:
        if "scale" in request:
            return _DONE + locate_quotes_in_pdf.page_png(pdf, request["number"], request["scale"])
        page = ParsedPage(**request["page"])
        box_lists = [
            locate_quotes_in_pdf.quote_boxes(pdf, page, start, end) for start, end in request["spans"]
        ]
        return _DONE + json.dumps([list(map(astuple, box_list)) for box_list in box_lists]).encode()
    except ReadError as error:
        return _encode_error(error)
    except MemoryError:
        return _encode_error(too_much(NAME))
    except IndexError as error:
        return _MISSING + str(error).encode()


def _encode_error(error: ReadError) -> bytes:
    return _FAILED + json.dumps([error.code, error.message]).encode()


def _load_all() -> None:
    """Load all modules, image encoders included, before the child enters the sandbox, where no file can be opened."""
    from PIL import Image

    from research.parsing.formats.pdf import locate_quotes_in_pdf  # noqa: F401  # loads pdfium

    Image.init()


if __name__ == "__main__":
    _answers = own_answers()
    _load_all()
    serve(sys.stdin.buffer, _answers, close_in(int(sys.argv[1])), _answer)
