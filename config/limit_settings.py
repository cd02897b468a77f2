"""Parses settings that are small tables of numbers: "free=0.2, pro=1". A name that is left out keeps its default."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from django.core.exceptions import ImproperlyConfigured

Numbers = tuple[Decimal, ...]
Table = Mapping[str, Numbers]


def table(setting: str, given: str, default: str) -> Table:
    """Return the default updated by the setting.

    Raises ImproperlyConfigured for an unknown name, another number of values than the default has ("input/output"), and
    values that are not numbers from 0 on.
    """
    numbers = _entries(setting, default)
    for name, value in _entries(setting, given).items():
        if len(value) != len(numbers.get(name, ())):
            raise ImproperlyConfigured(f"{setting} must be entries like {default!r}; {name!r} is none.")
        numbers[name] = value
    return numbers


def _entries(setting: str, text: str) -> dict[str, Numbers]:
    pairs = (entry.partition("=") for entry in text.split(",") if entry.strip())
    return {name.strip(): _numbers(setting, value) for name, _, value in pairs}


def _numbers(setting: str, text: str) -> Numbers:
    try:
        numbers = tuple(Decimal(part.strip()) for part in text.split("/"))
    except InvalidOperation as error:
        raise ImproperlyConfigured(f"{setting}: {text.strip()!r} is not a number.") from error
    if not all(number.is_finite() and number >= 0 for number in numbers):
        raise ImproperlyConfigured(f"{setting}: {text.strip()!r} must be 0 or more.")
    return numbers
