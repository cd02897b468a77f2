"""Types for inputs of a run that JSON sends as lists."""

from typing import Annotated

from pydantic import BeforeValidator

from exports.formats.export_formats import Format


def _in_a_row(values: object) -> object:
    """Convert a list to a tuple: in strict mode pydantic rejects a list once a validator has run before."""
    return tuple(values) if isinstance(values, list) else values


InARow = BeforeValidator(_in_a_row)
Formats = Annotated[tuple[Format, ...], InARow]  # formats in which a run's report is exported when it ends
