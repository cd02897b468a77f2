"""Import paths of the kinds of run: names alone, so that a process that starts no run imports nothing for them."""

_paths: dict[str, str] = {}


def register_kind(kind: str, path: str) -> None:
    """`path` names a `research.pipelines.kinds.RunKind`; it is imported when first needed."""
    _paths[kind] = path


def path_of(kind: str) -> str | None:
    """None for a kind that nothing is registered for."""
    return _paths.get(kind)


def list_registered_kinds() -> list[str]:
    """In the order in which they were registered."""
    return list(_paths)
