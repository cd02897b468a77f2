"""Named failures, derived from what a server sends instead of a completion."""

import re
from collections.abc import Mapping
from datetime import datetime

from pydantic import BaseModel, ConfigDict, ValidationError

from research.llm.model_errors import MAX_RETRY_AFTER_S, ModelError, Trouble
from research.llm.provider.model_server_features import is_about_context
from research.parsing.lenient_json import read_json
from research.runtime.retry_after import parse_retry_after

# The form of servers' error codes. Anything with digits or capitals might be part of a prompt or a key.
IDENTIFIER = re.compile(r"\A[a-z][a-z_.]{1,39}\Z")
FILTERED = ("content_filter", "content_policy", "content_policy_violation")
NO_QUOTA = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")


class _ServerError(BaseModel):
    model_config = ConfigDict(extra="ignore")
    code: object = None
    type: object = None
    param: object = None
    message: object = None

    @property
    def identifiers(self) -> list[str]:
        given = (self.code, self.type, self.param)
        return [word for word in given if isinstance(word, str) and IDENTIFIER.match(word)]


def failure(status: int, body: bytes, retry_after: str | None, now: datetime) -> ModelError:
    """Return the named failure for an HTTP status other than 200. The body is read, never quoted."""
    error = _error_in(body)
    code = _code(status, error, body[:20_000].decode(errors="replace"))
    words = REDIRECTED if 300 <= status < 400 else WORDS[code]
    message = f"{words} HTTP {status}{_format_identifiers(error)}."
    pause = retry_after_s(retry_after, now)
    if pause is None and code is Trouble.RATE_LIMIT:
        pause = pause_in(str(error.message or ""))
    return ModelError(code, message, retry_after_s=pause)


def failure_within(error: object) -> ModelError:
    """Return the named failure for an error sent with status 200, as gateways to several providers do."""
    try:
        told = _ServerError.model_validate(error)
    except ValidationError:
        told = _ServerError(message=error)
    status = int(str(told.code)) if str(told.code).isdigit() else 500
    code = _code(status, told, str(told.message or "")[:20_000])
    return ModelError(
        code, f"{WORDS[code]} Error {status} in an answer of status 200{_format_identifiers(told)}."
    )


def _format_identifiers(error: "_ServerError") -> str:
    return f" ({', '.join(error.identifiers)})" if error.identifiers else ""


REDIRECTED = "The model's server points to another address, to which no key is sent."


WORDS = {
    Trouble.RATE_LIMIT: "The model's server asks for a pause.",
    Trouble.BUSY: "The model's server is still loading the model.",
    Trouble.QUOTA: "The account at the model's provider has no credit left.",
    Trouble.TIMEOUT: "The model's server gave up waiting for the model.",
    Trouble.UNAVAILABLE: "The model's server failed.",
    Trouble.REFUSED: "The provider's content filter refused the request.",
    Trouble.CONTEXT_TOO_LONG: "The input is longer than the model reads.",
    Trouble.BAD_REQUEST: "The model's server did not accept the request.",
    Trouble.ACCESS_DENIED: "The model's server did not accept the key.",
    Trouble.NOT_FOUND: "The model's server knows no such model or address.",
}

BY_STATUS = {
    401: Trouble.ACCESS_DENIED,
    403: Trouble.ACCESS_DENIED,
    402: Trouble.QUOTA,
    404: Trouble.NOT_FOUND,
    408: Trouble.TIMEOUT,
    409: Trouble.UNAVAILABLE,
    413: Trouble.CONTEXT_TOO_LONG,
    425: Trouble.UNAVAILABLE,
    429: Trouble.RATE_LIMIT,
    504: Trouble.TIMEOUT,
}


def _code(status: int, error: _ServerError, said: str) -> Trouble:
    names = error.identifiers
    if any(name in NO_QUOTA for name in names):
        return Trouble.QUOTA
    if any(name in FILTERED for name in names):
        return Trouble.REFUSED
    if status in (400, 422, 500) and is_about_context(said):
        return Trouble.CONTEXT_TOO_LONG
    if 300 <= status < 400:
        return Trouble.NOT_FOUND
    if status == 503 and "loading" in said.lower():  # llama.cpp, and what starts models on demand
        return Trouble.BUSY
    by_class = Trouble.UNAVAILABLE if status >= 500 else Trouble.BAD_REQUEST
    return BY_STATUS.get(status, by_class)


def complaint_of(body: bytes) -> str:
    """Return a server's complaint about a request, for adapting to it; never shown or logged."""
    error = _error_in(body)
    return " ".join(str(part) for part in (error.param, error.code, error.message) if part)


def _error_in(body: bytes) -> _ServerError:
    """Return the error in a body, in any of the known forms.

    These are OpenAI's, the same fields at the top level (vLLM), FastAPI's `detail`, a list, and plain text.
    """
    try:
        told = read_json(body)
    except ValueError:
        return _ServerError(message=body[:2000].decode(errors="replace"))
    if not isinstance(told, dict):
        return _ServerError(message=told)
    found = next((told[key] for key in ("error", "errors", "detail") if told.get(key)), told)
    if isinstance(found, list):
        first = found[0]
        place = first.get("loc") if isinstance(first, dict) else None
        where = ".".join(map(str, place)) if isinstance(place, list) else ""
        said = (first.get("message") or first.get("msg") or "") if isinstance(first, dict) else first
        return _ServerError(message=f"{where} {said}".strip())
    return _ServerError.model_validate(found) if isinstance(found, dict) else _ServerError(message=found)


_PAUSE = re.compile(
    r"(?:try again|retry)(?: \w+)? in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?) ?(ms|s)(?:ec(?:ond)?s?)?\b)?",
    re.IGNORECASE,
)


def pause_in(words: str) -> float | None:
    """Return the seconds that a message asks to wait, at most an hour ("Please try again in 1.5s.").

    None if it does not.
    """
    found = _PAUSE.search(words)
    if found is None or not any(found.groups()):
        return None
    hours, minutes, number, unit = found.groups()
    seconds = float(number or 0) / (1000 if unit == "ms" else 1)
    return min(3600.0 * int(hours or 0) + 60.0 * int(minutes or 0) + seconds, MAX_RETRY_AFTER_S)


def pause_of(headers: Mapping[str, str]) -> str | None:
    """Return the pause in an answer's headers, in the form of Retry-After."""
    in_ms = headers.get("retry-after-ms", "")
    return str(int(in_ms) / 1000) if in_ms.isdigit() else headers.get("retry-after")


def retry_after_s(header: str | None, now: datetime) -> float | None:
    """Return the seconds to wait, at most an hour; None without a valid header."""
    pause_s = parse_retry_after(header or "", now)
    return None if pause_s is None else min(pause_s, MAX_RETRY_AFTER_S)
