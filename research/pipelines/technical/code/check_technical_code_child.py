"""Check code in a child process with limits, so that a text that crashes a parser ends only the child.

Tree-sitter grammars contain scanners in C, which read text chosen by the author of a page; some texts crash them. Run
as `python -m research.pipelines.technical.code.check_technical_code_child`.
"""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import astuple
from types import TracebackType
from typing import Self

from research.pipelines.technical.code.check_technical_code import (
    CodeCheck,
    CodeCheckStatus,
    check,
    load_parsers,
)
from research.runtime.sandbox.sandbox_read_error import ReadError
from research.runtime.sandbox.sandbox_worker import (
    ReaderStartError,
    SandboxLimits,
    SandboxWorker,
    call_child,
    own_answers,
    serve,
)
from research.runtime.sandbox.seccomp import close_in

LIMITS = SandboxLimits(
    bytes_in=1_000_000, bytes_out=100_000, cpu_seconds=5, wall_seconds=10.0, start_seconds=30.0
)
BROKEN = "The parser for this language fails on it."
TOO_SLOW = "The parser for this language takes too long on it."
NO_PROCESS = "The process that checks code could not be started."

logger = logging.getLogger(__name__)


class CodeChecker:
    """Checks blocks of code in a child, which starts with the first block and ends with the `with` statement."""

    def __init__(self, limits: SandboxLimits = LIMITS) -> None:
        self._limits = limits
        self._child: SandboxWorker | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._child is not None:
            self._child.stop()
        self._child = None

    def check(self, code: str, language: str) -> CodeCheck:
        """Return the result of `check_code.check`; unchecked, with a reason, if the child ends or takes too long."""
        request = json.dumps([code, language]).encode()
        try:
            return call_child(self._start_child, request, "code", _parse_answer)
        except ReaderStartError:
            logger.warning("code is left unchecked: its process did not start", exc_info=True)
            return CodeCheck(CodeCheckStatus.UNCHECKED, NO_PROCESS)
        except ReadError as error:
            logger.warning("code is left unchecked: %s grammar, %s", language or "no", error.code)
            return CodeCheck(CodeCheckStatus.UNCHECKED, TOO_SLOW if error.code == "timeout" else BROKEN)

    def _start_child(self) -> SandboxWorker:
        if self._child is None or not self._child.is_usable:
            if self._child is not None:
                self._child.stop()
            self._child = SandboxWorker(self._limits, __name__)
        return self._child


def _parse_answer(answer: bytes) -> CodeCheck:
    status, reason = json.loads(answer)
    return CodeCheck(CodeCheckStatus(status), str(reason))


def _answer(data: bytes, _name: str) -> bytes:
    """Answer a request; runs in the child process."""
    code, language = json.loads(data)
    return json.dumps(astuple(check(code, language))).encode()


if __name__ == "__main__":
    _answers = own_answers()
    load_parsers()  # before the sandbox closes, after which no file can be opened
    serve(sys.stdin.buffer, _answers, close_in(int(sys.argv[1])), _answer)
