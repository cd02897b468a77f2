"""The threat to operators: names and addresses that forge lines of the log or steer a terminal. None does."""

from __future__ import annotations

import logging
import logging.config
import sys

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied

from config.log_line_formats import RequestLogFilter
from research.runtime.logs import logger

FORGED = "ERROR research: all is lost"
ENDS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\x00\n")
STEERING = (
    "\x1b[2J", "\x1b]0;title\x07", "\x1b[31m", "\x9b2J", "\x08" * 40, "\x7f", "\u202e", "\u2066", "\u2067", "\u200f",
    "\u061c", "\ufeff", "\x1bc", "\x1b[1A\x1b[2K", "\U000e0041", "\ud800",
)  # fmt: skip
TEXTS = (*(f"a{end}{FORGED}" for end in ENDS), *(f"a{one}{FORGED}" for one in STEERING))


def formatter() -> logging.Formatter:
    """Return the formatter of the settings."""
    made: logging.Formatter = logging.config.DictConfigurator(dict(settings.LOGGING)).configure_formatter(
        dict(settings.LOGGING["formatters"]["line"])
    )
    return made


def record(message: str, *given: object, **extra: object) -> logging.LogRecord:
    return logging.LogRecord(
        "django.request", logging.WARNING, "a.py", 1, message, given, extra.get("exc_info")
    )  # type: ignore[arg-type]


@pytest.mark.parametrize("text", TEXTS, ids=map(ascii, TEXTS))
def test_nobodys_text_forges_a_line_of_the_log(text: str, caplog: pytest.LogCaptureFixture) -> None:
    lines = [formatter().format(record("Not Found: %s", text)), formatter().format(record(text))]
    logger("research.trial").warning("page_lost", url=text)
    lines.append(formatter().format(caplog.records[-1]))
    assert [line for line in lines if not line.isprintable() or line.startswith("ERROR")] == []


@pytest.mark.parametrize("text", TEXTS, ids=map(ascii, TEXTS))
def test_what_an_exception_says_passes_for_no_event(text: str) -> None:
    try:
        raise ValueError(text)
    except ValueError:
        told = formatter().format(record("attempt_failed", exc_info=sys.exc_info()))
    first, *others = told.split("\n")
    assert first == "WARNING django.request: attempt_failed"
    assert all(line.startswith("    | ") and line.isprintable() for line in others)
    assert "ValueError" in told


ADDRESSES = (
    "/invitations/{}/",
    "/shared/{}/claims/3/",
    "/password/reset/{}/",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_that_opens_something_stands_in_a_line_of_the_log(address: str) -> None:
    secret = "0f3bc1d2e4.aVeryLong-Secret_that0pens"
    told = record("Method Not Allowed (%s): %s", "PUT", address.format(secret))
    assert RequestLogFilter().filter(told)
    assert formatter().format(told).endswith(address.format("…"))


@pytest.mark.parametrize(("status", "is_a_fault"), [(400, False), (403, False), (500, True), (503, True)])
def test_what_is_refused_leaves_a_line_and_no_traceback(status: int, is_a_fault: bool) -> None:
    try:
        raise PermissionDenied("no")
    except PermissionDenied:
        told = record("Forbidden: %s", "/runs/", exc_info=sys.exc_info())
    told.status_code = status
    assert RequestLogFilter().filter(told)
    assert ("Traceback" in formatter().format(told)) == is_a_fault


def test_every_line_of_the_console_passes_there() -> None:
    handlers = dict(settings.LOGGING["handlers"])
    assert [handler["filters"] for handler in handlers.values()] == [["requests"]]
