"""Runs code in a child process with limits: Python with numpy that can open no file, socket or process.

Each computation gets a new child, so that none sees what another left. If the machine does not support the
system call filter, nothing is run. The child is `python -m research.agents.tools.computing.sandboxed_python`.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from research.db.sanitize import storable
from research.runtime.sandbox.sandbox_read_error import ReadError
from research.runtime.sandbox.sandbox_worker import (
    SandboxLimits,
    SandboxWorker,
    SandboxWorkerCrash,
    own_answers,
    serve,
)
from research.runtime.sandbox.seccomp import SandboxLayer, close_in

LIMITS = SandboxLimits(
    bytes_in=20_000_000, bytes_out=1_000_000, cpu_seconds=10, wall_seconds=20.0, start_seconds=30.0
)
NEEDED = SandboxLayer.LIMITS | SandboxLayer.RIGHTS | SandboxLayer.CALLS
MAX_PRINTED_LENGTH, MAX_ERROR_LENGTH = 4_000, 1_000  # characters
# What code may import: loaded before the sandbox is applied, since no file can be opened after it.
MODULES = (
    *(
        "bisect",
        "calendar",
        "cmath",
        "collections",
        "copy",
        "csv",
        "dataclasses",
        "datetime",
        "_strptime",
        "decimal",
    ),
    *("fractions", "functools", "heapq", "itertools", "json", "math", "numbers", "operator", "random", "re"),
    *("statistics", "string", "textwrap", "typing"),
    *("numpy", "numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random"),
)


class NoSandbox(Exception):
    """This machine cannot confine code, so none is run."""


class ComputationFailed(Exception):
    """The code gave no result; str() says why, for its author."""


@dataclass(frozen=True, slots=True)
class PythonResult:
    """The value of the wanted variable as JSON, and what the code printed."""

    value: object
    printed: str


def run_python(
    code: str, inputs: Mapping[str, object], wanted: str, limits: SandboxLimits = LIMITS
) -> PythonResult:
    """Run the code with `inputs` as its variables. Raises NoSandbox, ComputationFailed, ReaderStartError."""
    request = json.dumps({"code": code, "inputs": dict(inputs), "wanted": wanted}).encode()
    if len(request) > limits.bytes_in:
        raise ComputationFailed("The inputs are too large to compute with.")
    child = SandboxWorker(limits, __name__)
    try:
        if child.layers & NEEDED != NEEDED:
            raise NoSandbox("Code is run only where the system confines it, and this one does not.")
        answer = child.ask(request, "code", _read_answer)
    except ReadError as error:
        raise ComputationFailed(_why(error, limits)) from error
    except SandboxWorkerCrash as crash:
        raise ComputationFailed(_why(crash.reason, limits)) from crash
    finally:
        child.stop()
    if "error" in answer:
        raise ComputationFailed(str(answer["error"])[:MAX_ERROR_LENGTH])
    return PythonResult(answer["value"], str(answer["printed"])[:MAX_PRINTED_LENGTH])


def _read_answer(data: bytes) -> dict[str, object]:
    """Parse an answer of the child. Raises ValueError for anything else: code can write to the pipe itself."""
    try:
        answer = storable(json.loads(data))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(answer, dict) or not ("error" in answer or {"value", "printed"} <= answer.keys()):
        raise ValueError("this is no answer")
    return answer


def _why(error: ReadError, limits: SandboxLimits) -> str:
    if error.code == "timeout":
        return f"The code took more than {limits.cpu_seconds} s."
    return f"The code ended without a result; it may need more than {limits.memory >> 20} MB, or the system."


def _answer(data: bytes, _name: str) -> bytes:
    """Run the code of a request and return its answer. Runs in the child."""
    asked = json.loads(data)
    try:
        return json.dumps(_run(asked["code"], asked["inputs"], asked["wanted"]), allow_nan=False).encode()
    except MemoryError:
        return json.dumps({"error": "The code needs more memory than it may take."}).encode()
    except BaseException as error:  # noqa: BLE001 - whatever code raises, an exit among it, is its result
        return json.dumps({"error": _describe(error)[:MAX_ERROR_LENGTH]}).encode()


def _run(code: str, inputs: dict[str, object], wanted: str) -> dict[str, object]:
    printed = io.StringIO()
    space: dict[str, object] = {**inputs, "np": sys.modules["numpy"], "__name__": "__main__"}
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "code", "exec"), space)  # noqa: S102 - what this process is for; it can open nothing
    if wanted not in space:
        raise NameError(f"the code has no variable {wanted}")
    return {"value": _plain(space[wanted]), "printed": printed.getvalue()[:MAX_PRINTED_LENGTH]}


def _plain(value: object) -> object:
    """Return the value as JSON has it: arrays as lists, decimals and fractions as floats, dates in ISO 8601."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, Decimal | Fraction):
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(one) for one in value]
    return value


def _describe(error: BaseException) -> str:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "code"]
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {error}{place}"


def _load_all() -> None:
    """Import all modules, also those that numpy loads at its first use."""
    for name in MODULES:
        importlib.import_module(name)
    os.environ.clear()
    _run("import math, statistics\nx = float(np.std([1.0, 2.0])) + np.linalg.det(np.eye(2))", {}, "x")


if __name__ == "__main__":
    _answers = own_answers()
    _load_all()
    serve(sys.stdin.buffer, _answers, close_in(int(sys.argv[1])), _answer)
