"""Formats dates as precise as they are known, in the active language. Pure."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import pgettext_lazy

_SHAPES = {1: "Y", 2: "F Y", 3: pgettext_lazy("form of a date", "j F Y")}
MONTH = 2  # number of parts of a date without its day


def as_known(iso: str) -> str:
    """Format an ISO 8601 date as precisely as it is known: "2017", "June 2017", "22 June 2017".

    Anything else is returned unchanged.
    """
    return _format_date_parts(iso.split("-")) or iso


def to_the_month(iso: str) -> str:
    """Format a date without its day: "2017", "June 2017"; empty for anything that is not a date."""
    return _format_date_parts(iso.split("-")[:MONTH])


def is_date(iso: str) -> bool:
    return bool(_format_date_parts(iso.split("-")))


def _format_date_parts(parts: list[str]) -> str:
    """Format the parts; empty if they are not a date."""
    try:
        numbers = [int(part) for part in parts]
        day = date(*(numbers + [1, 1])[:3])
        return date_format(day, str(_SHAPES[len(parts)]))
    except (ValueError, KeyError):
        return ""
