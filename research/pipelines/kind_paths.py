"""Where each kind of run is started: names alone, so that a process which starts none imports nothing for them."""

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
