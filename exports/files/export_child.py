"""Writes a file in a sandboxed child process, so that the parent need not load the libraries of WeasyPrint and
pandoc.

One child writes one file. Its environment has no secrets, its memory and time are limited, it has no network and no
access to the data folder (as far as the kernel grants namespaces), and its temporary folder is deleted afterwards.
Its input is the pickled tree, from a trusted process; its output is frames with a letter and a length. Run as `python
-m exports.files.export_child`.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from django.conf import settings

if TYPE_CHECKING:
    from exports.document.document_tree import Document
    from exports.formats.export_options import ExportOptions, Progress

_ROOT = Path(__file__).resolve().parents[2]
_FRAME = struct.Struct("!cI")  # the type of a frame, and its length
PROGRESS, RESULT, REFUSAL, NO_MEMORY = b"p", b"r", b"e", b"m"
_SHARE = struct.Struct("!d")
_STEP = 1 << 20
# The variables that a Python process needs to start; everything else (keys, addresses) is withheld.
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV")
TOO_LONG, TOO_LARGE, BROKEN = "EXPORT_TOO_LONG", "EXPORT_TOO_LARGE", "EXPORT_BROKEN"


@dataclass(frozen=True, slots=True)
class ExportLimits:
    memory: int = 512 << 20  # bytes of memory in use; merely reserved addresses do not count
    cpu_seconds: int = 90
    wall_seconds: float = 150.0
    bytes_out: int = 200 << 20

    @property
    def arguments(self) -> list[str]:
        return [str(self.memory), str(self.cpu_seconds)]


DEFAULT_LIMITS = ExportLimits()


class ExportChildError(Exception):
    """Raised when the child did not produce a file; `code` is one of ExportCode."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def write_in_child(
    document: Document | bytes,
    path: str,
    options: ExportOptions,
    tell: Progress,
    limits: ExportLimits = DEFAULT_LIMITS,
) -> bytes:
    """Return the file that the writer at `path` makes from a report or from bytes.

    Raises CannotWrite with the writer's own message, and ExportChildError.
    """
    order = pickle.dumps((document, path, options))
    with tempfile.TemporaryDirectory(prefix="plumbline-export-") as folder:
        child = _ExportChild(folder, limits)
        try:
            return child.ask(order, tell)
        finally:
            child.end()


class _ExportChild:
    def __init__(self, folder: str, limits: ExportLimits) -> None:
        self._limits = limits
        self._until = time.monotonic() + limits.wall_seconds
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [
                sys.executable,
                "-P",
                "-m",
                "exports.files.export_child",
                *limits.arguments,
                str(settings.PLUMBLINE_DATA),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
            env=_environment(folder),
            bufsize=0,
            start_new_session=True,
        )

    def ask(self, order: bytes, tell: Progress) -> bytes:
        orders, answers = self._process.stdin, self._process.stdout
        if orders is None or answers is None:
            raise ExportChildError(BROKEN)
        # In a thread: the child may be killed before it has read everything, and its answers must be read meanwhile.
        feeder = threading.Thread(target=_feed, args=(orders, order), daemon=True)
        feeder.start()
        try:
            return self._answer(answers, tell)
        except TimeoutError as error:
            raise ExportChildError(TOO_LONG) from error
        except EOFError as error:
            raise ExportChildError(self._cause()) from error

    def end(self) -> None:
        """Kill the child with all its descendants."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _answer(self, answers: IO[bytes], tell: Progress) -> bytes:
        from exports.formats.export_options import CannotWrite

        while True:
            kind, length = _FRAME.unpack(self._receive(answers, _FRAME.size))
            if length > self._limits.bytes_out:
                raise ExportChildError(TOO_LARGE)
            data = self._receive(answers, length)
            match kind:
                case b"p":
                    tell(_SHARE.unpack(data)[0])
                case b"r":
                    return data
                case b"e":
                    raise CannotWrite(data.decode("utf-8", "replace"))
                case b"m":
                    raise ExportChildError(TOO_LARGE)
                case _:
                    raise ExportChildError(BROKEN)

    def _receive(self, answers: IO[bytes], length: int) -> bytes:
        data = bytearray()
        while len(data) < length:
            _wait(answers, self._until)
            before = len(data)
            data += os.read(answers.fileno(), min(length - before, _STEP))
            if len(data) == before:
                raise EOFError
        return bytes(data)

    def _cause(self) -> str:
        """Wait for the process, which ended without an answer, and return an error code for the cause."""
        code = self._process.wait()
        if code == -signal.SIGXCPU:
            return TOO_LONG
        return TOO_LARGE if code in (-signal.SIGKILL, -signal.SIGSEGV, -signal.SIGABRT) else BROKEN


def _environment(folder: str) -> dict[str, str]:
    """Return an environment of its own: no database, no key, and an empty folder."""
    own = {
        "TMPDIR": folder,
        "HOME": folder,
        "PYTHONPATH": str(_ROOT),
        "OPENBLAS_NUM_THREADS": "1",
        "DJANGO_SETTINGS_MODULE": "exports.files.export_child_settings",
    }
    return {key: os.environ[key] for key in _PASSED_ON if key in os.environ} | own


def _feed(orders: IO[bytes], order: bytes) -> None:
    try:
        view = memoryview(order)
        while view:
            view = view[os.write(orders.fileno(), view[:_STEP]) :]
        orders.close()
    except OSError:
        return  # the child has ended; its answers, or their absence, show why


def _wait(pipe: IO[bytes], until: float) -> None:
    """Wait for output. Raises TimeoutError."""
    ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
    if not ready:
        raise TimeoutError


def serve(orders: BinaryIO, answers: BinaryIO) -> None:
    """Handle one order in the child: write one file."""
    from django.utils import translation

    from citations.bibliography.bibliography_by_pandoc import PandocError
    from exports.formats.export_options import CannotWrite

    document, path, options = pickle.loads(orders.read())  # noqa: S301 - from our own parent

    def tell(share: float) -> None:
        _say(answers, PROGRESS, _SHARE.pack(share))

    try:
        with translation.override(options.language):
            data = import_module(path).write(document, options, tell)
    except (CannotWrite, PandocError) as error:
        _say(answers, REFUSAL, str(error).encode())
    except MemoryError:
        _say(answers, NO_MEMORY, b"")
    else:
        _say(answers, RESULT, data)


def _say(answers: BinaryIO, kind: bytes, data: bytes) -> None:
    answers.write(_FRAME.pack(kind, len(data)) + data)
    answers.flush()


if __name__ == "__main__":
    _answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps the output of libraries apart from the answers
    from research.runtime.sandbox.sandbox_for_exports import close_in

    close_in(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    from django.apps import apps

    apps.populate(())  # the rest of django.setup() configures URLs and logging, which are not used here
    serve(sys.stdin.buffer, _answers)
