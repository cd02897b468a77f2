"""Values of stored JSON, read back with their types."""

from collections.abc import Sequence

from research.engine.pipeline_registry import Json


def require_list(value: Json) -> Sequence[Json]:
    """Raises ValueError for what is no list."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError("a list was stored here")
    return value
