"""The pause that a server asks for by a Retry-After header (RFC 9110, 10.2.3). Pure."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def parse_retry_after(header: str, now: datetime) -> float | None:
    """Seconds, told as a number or until a date; 0 for one that is past. None for what makes no sense."""
    word = header.strip()
    if _SECONDS.fullmatch(word):
        return float(word)
    try:
        until = parsedate_to_datetime(word)
    except (ValueError, OverflowError):  # the second of numbers that fit into no date
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())
