"""Types of what a run is asked with that JSON sends as a list."""

from typing import Annotated

from pydantic import BeforeValidator

from exports.formats.catalogue import Format


def _in_a_row(values: object) -> object:
    """Strictly, a list of JSON is no tuple once a validator before has seen it."""
    return tuple(values) if isinstance(values, list) else values


InARow = BeforeValidator(_in_a_row)
Formats = Annotated[tuple[Format, ...], InARow]  # that a run's report is written in when it is done
