"""Catches any exception, for code that must go on with other work. Nothing else outside the sandbox does so."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def result_or_error(act: Callable[[], T]) -> T | Exception:
    """Call `act` and return its result, or the exception that it raised."""
    try:
        return act()
    except Exception as error:  # noqa: BLE001 - the caller decides
        return error
