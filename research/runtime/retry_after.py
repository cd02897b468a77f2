"""Parses a Retry-After header (RFC 9110, 10.2.3). Pure."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def parse_retry_after(header: str, now: datetime) -> float | None:
    """Return the seconds of a number or until a date; 0 for a past date, None for an invalid value."""
    word = header.strip()
    if _SECONDS.fullmatch(word):
        return float(word)
    try:
        until = parsedate_to_datetime(word)
    except (ValueError, OverflowError):  # OverflowError: a number too large for a date
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())
