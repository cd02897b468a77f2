"""The one place of the code base that catches whatever is raised, for those who have to go on with others' work."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def result_or_error(act: Callable[[], T]) -> T | Exception:
    """Call `act` and return its result, or the exception that it raised."""
    try:
        return act()
    except Exception as error:  # noqa: BLE001 - the caller decides
        return error
