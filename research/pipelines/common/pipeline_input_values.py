"""Read values of stored JSON back with their types."""

from collections.abc import Sequence

from research.engine.pipeline_registry import Json


def require_list(value: Json) -> Sequence[Json]:
    """Return the value as a list. Raises ValueError if it is not one."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError("a list was stored here")
    return value
