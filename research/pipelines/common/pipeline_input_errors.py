"""Errors for unusable input, each with a stable code."""

import json
from collections.abc import Iterable

from pydantic import ValidationError

from research.db.sanitize import DEEPEST, is_deeper
from research.pipelines.report.report_config import ConfigError, SettingProblem

NESTED = "The input is nested too deeply."


class InputRefused(ConfigError):
    """A file or message that can't start a run. `code` is stable; `message` explains it to the reader."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}", [SettingProblem(code, message)])
        self.code = code
        self.message = message


def read_object(data: bytes, most_bytes: int) -> dict[str, object]:
    """Parse a JSON object. Raises InputRefused: too_large, empty, not_text, not_json, not_an_object."""
    if len(data) > most_bytes:
        raise InputRefused(
            "too_large", f"The input has {len(data) / 1e6:.1f} MB; the limit is {most_bytes / 1e6:.0f} MB."
        )
    if not data.strip():
        raise InputRefused("empty", "The input is empty.")
    try:
        given = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise InputRefused("not_text", "The input is not text in UTF-8.") from error
    except RecursionError as error:
        raise InputRefused("not_json", NESTED) from error
    except ValueError as error:
        raise InputRefused("not_json", f"The input is not JSON: {error}.") from error
    if not isinstance(given, dict):
        raise InputRefused("not_an_object", "The input is JSON, but not an object.")
    if is_deeper(given, DEEPEST):
        raise InputRefused("not_json", NESTED)
    return given


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def refusal_of(error: ValidationError, code: str) -> InputRefused:
    """Return an InputRefused that names each invalid field."""
    return InputRefused(code, "; ".join(_complaints(error)))


def _complaints(error: ValidationError) -> Iterable[str]:
    for detail in error.errors(include_url=False)[:10]:
        place = ".".join(str(part) for part in detail["loc"]) or "input"
        yield f"{place}: {detail['msg']}"
