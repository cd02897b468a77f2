"""Read the input of a run from the command line: words, or a file in the format of its kind."""

import sys
from pathlib import Path

from pydantic import BaseModel

from research.pipelines.common.pipeline_input_errors import read_object
from research.pipelines.pipeline_kinds import AnyKind
from research.pipelines.report.report_config import ConfigError

LARGEST = 50_000_000  # bytes


def input_of(kind: AnyKind, question: str, file: str | None) -> BaseModel:
    """Return the input from the file, or from the question if there is none. Raises ConfigError."""
    if file is None:
        if not kind.question_field:
            raise ConfigError(f"A {kind.kind} is asked with a file: --input FILE.")
        return kind.read_input({kind.question_field: question})
    name, data = _read(file)
    if kind.read_file:
        return kind.read_file(name, data)
    return kind.read_input(read_object(data, LARGEST) | _words(kind, question))


def _words(kind: AnyKind, question: str) -> dict[str, object]:
    return {kind.question_field: question} if question and kind.question_field else {}


def _read(file: str) -> tuple[str, bytes]:
    """Return the name and content of a file; `-` is the standard input. Raises ConfigError."""
    if file == "-":
        return "", sys.stdin.buffer.read()
    path = Path(file).expanduser()
    try:
        return path.name, path.read_bytes()
    except OSError as error:
        raise ConfigError(f"--input: “{file}” can't be read ({error.strerror}).") from error
