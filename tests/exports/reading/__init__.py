"""Reads files back: which claim cites which source, by the numbers that the file itself gives them.

One module a format, `from_<format>.py`, with `pairs_of(data) -> frozenset[Pair]`.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from exports.formats.export_formats import Format

Pair = tuple[int, int]  # a claim's number in the report, the number of a source that it cites
Reader = Callable[[bytes], frozenset[Pair]]


def reader_of(form: Format) -> Reader | None:
    """None where nobody has written it yet."""
    name = f"{__name__}.from_{form.value}"
    return cast(Reader, import_module(name).pairs_of) if find_spec(name) else None
