"""Computing in a child process with limits: Python with numpy that can open no file, socket or process.

Each computation gets a fresh child, so that none sees what another left. Where the machine lacks the filter of system
calls nothing is computed. Run as `python -m research.sandbox.python_child`.
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

from research.sandbox.read_error import ReadError
from research.sandbox.seccomp import SandboxLayer, close_in
from research.sandbox.worker import SandboxLimits, SandboxWorker, SandboxWorkerCrash, own_answers, serve

LIMITS = SandboxLimits(
    bytes_in=20_000_000, bytes_out=1_000_000, cpu_seconds=10, wall_seconds=20.0, start_seconds=30.0
)
NEEDED = SandboxLayer.LIMITS | SandboxLayer.RIGHTS | SandboxLayer.CALLS
LONGEST_PRINTED = 4_000  # characters
# What code may import: it is loaded before the sandbox closes, for nothing can be opened behind it.
MODULES = (
    *(
        "collections",
        "datetime",
        "decimal",
        "fractions",
        "functools",
        "itertools",
        "json",
        "math",
        "operator",
    ),
    *("random", "re", "statistics", "string", "numpy", "numpy.linalg", "numpy.random", "numpy.polynomial"),
)


class NoSandbox(Exception):
    """This machine cannot confine code, so none is run."""


class ComputationFailed(Exception):
    """The code gave no result; str() says why, for whoever wrote it."""


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
        if child.walls & NEEDED != NEEDED:
            raise NoSandbox("Code is run only where the system confines it, and this one does not.")
        answer = child.ask(request, "code", json.loads)
    except ReadError as error:
        raise ComputationFailed(_why(error, limits)) from error
    except SandboxWorkerCrash as crash:
        raise ComputationFailed(_why(crash.reason, limits)) from crash
    finally:
        child.stop()
    if "error" in answer:
        raise ComputationFailed(str(answer["error"]))
    return PythonResult(answer["value"], str(answer["printed"]))


def _why(error: ReadError, limits: SandboxLimits) -> str:
    if error.code == "timeout":
        return f"The code took more than {limits.cpu_seconds} s."
    return f"The code ended without a result; it may need more than {limits.memory >> 20} MB, or the system."


def _answer(data: bytes, _name: str) -> bytes:
    """In the child."""
    asked = json.loads(data)
    try:
        return json.dumps(_run(asked["code"], asked["inputs"], asked["wanted"]), allow_nan=False).encode()
    except MemoryError:
        return json.dumps({"error": "The code needs more memory than it may take."}).encode()
    except BaseException as error:  # noqa: BLE001 - whatever code raises, an exit among it, is its result
        return json.dumps({"error": _describe(error)[:1_000]}).encode()


def _run(code: str, inputs: dict[str, object], wanted: str) -> dict[str, object]:
    printed = io.StringIO()
    space: dict[str, object] = {**inputs, "np": sys.modules["numpy"], "__name__": "computation"}
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "code", "exec"), space)  # noqa: S102 - what this process is for; it can open nothing
    if wanted not in space:
        raise NameError(f"the code has no variable {wanted}")
    return {"value": _plain(space[wanted]), "printed": printed.getvalue()[:LONGEST_PRINTED]}


def _plain(value: object) -> object:
    """As JSON has it; numpy's arrays as lists. Raises TypeError for what it has not."""
    if hasattr(value, "tolist"):
        return value.tolist()
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
    """What numpy loads with its first use is loaded too."""
    for name in MODULES:
        importlib.import_module(name)
    os.environ.clear()
    _run("import math, statistics\nx = float(np.std([1.0, 2.0])) + np.linalg.det(np.eye(2))", {}, "x")


if __name__ == "__main__":
    _answers = own_answers()
    _load_all()
    serve(sys.stdin.buffer, _answers, close_in(int(sys.argv[1])), _answer)
