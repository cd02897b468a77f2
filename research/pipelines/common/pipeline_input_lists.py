"""Types for inputs of a run that JSON sends as lists."""

from typing import Annotated

from pydantic import BeforeValidator

from exports.formats.export_formats import Format


def _in_a_row(values: object) -> object:
    """Convert a list to a tuple: in strict mode pydantic rejects a list once a validator has run before."""
    return tuple(values) if isinstance(values, list) else values


def _split_at_commas(values: object) -> object:
    """Split text, which is how the command line gives a list."""
    return [word for word in map(str.strip, values.split(",")) if word] if isinstance(values, str) else values


InARow = BeforeValidator(_in_a_row)
# Formats in which a run's report is exported when it ends.
Formats = Annotated[tuple[Format, ...], InARow, BeforeValidator(_split_at_commas)]
