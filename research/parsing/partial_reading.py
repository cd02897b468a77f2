"""Say how much of a file was read where a limit ended it: "50,000 of 62,000 rows were read."."""

import re
from collections.abc import Iterable

_PARTIAL = re.compile(r"([\d,]+) of ([\d,]+) (rows|columns|entries) were read\.")


def describe_part(read: int, total: int, what: str) -> tuple[str, ...]:
    """Return a note of the reader; none where everything was read. `what` is "rows", "columns" or "entries"."""
    return (f"{read:,} of {total:,} {what} were read.",) if read < total else ()


def parts_read(notes: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return how much was read of how much, by those notes that say so: ("50,000", "62,000", "rows")."""
    return [(found[1], found[2], found[3]) for note in notes if (found := _PARTIAL.fullmatch(note))]
