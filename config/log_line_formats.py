"""Formats log records: each event is one line, whatever its content."""

import json
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType

from research.runtime.log_context import hash_tenant_id, place

_Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

_CONTINUED = "    | "  # before each line of a traceback
_OPENING = re.compile(
    r"(/(?:invitations|shared|password/reset)/)[^/\s?]{8,}"
)  # addresses that end in a secret
_OURS = 500  # status codes from which on an answer is our fault


class RequestLogFilter(logging.Filter):
    """Removes tracebacks of rejected requests and secrets in URLs from log records.

    Anybody could fill the log with tracebacks of client errors, and a reader of the log could use the secret URLs of
    invitations, shared reports and password resets.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        status = getattr(record, "status_code", None)
        if isinstance(status, int) and status < _OURS:
            record.exc_info = record.exc_text = None
        message = record.getMessage()
        plain = _OPENING.sub(r"\1…", message)
        if plain != message:
            record.msg, record.args = plain, ()
        return True


class LineFormatter(logging.Formatter):
    """Escapes unprintable characters in a message: line ends, terminal controls, bidirectional marks.

    A traceback keeps its lines, each marked as one; the text of an exception cannot pass for an event.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        return one_line(super().formatMessage(record))

    def formatException(self, ei: _Raised) -> str:
        return "\n".join(f"{_CONTINUED}{one_line(line)}" for line in super().formatException(ei).splitlines())

    def formatStack(self, stack_info: str) -> str:
        return "\n".join(f"{_CONTINUED}{one_line(line)}" for line in stack_info.splitlines())


class JsonFormatter(logging.Formatter):
    """Formats records as one ASCII JSON object a line: time, level, logger, event, facts, and the work they belong to.

    `trace` is the request's or the run's; workspaces are hashed.
    """

    def format(self, record: logging.LogRecord) -> str:
        facts: Mapping[str, object] = getattr(record, "facts", {})
        here = place()
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": getattr(record, "event", None) or record.getMessage(),
            "process": record.process,
            "run": here.run,
            "step": here.step,
            "tenant": here.tenant,
        } | {name: _to_json_value(value) for name, value in facts.items()}
        if "tenant" in facts:
            entry["tenant"] = hash_tenant_id(str(facts["tenant"]))
        entry["trace"] = here.trace or str(entry["run"]).replace("-", "")
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps({name: value for name, value in entry.items() if value not in ("", None)})


def _to_json_value(value: object) -> object:
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def one_line(text: str) -> str:
    """Escape unprintable characters as Python does: "\n" for a line end."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
