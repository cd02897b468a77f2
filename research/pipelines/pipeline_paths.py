"""Import paths of the kinds of run: only names, so that a process that starts no run imports nothing for them."""

_paths: dict[str, str] = {}


def register_kind(kind: str, path: str) -> None:
    """Register the path of a `research.pipelines.pipeline_kinds.RunKind`, which is imported when first needed."""
    _paths[kind] = path


def path_of(kind: str) -> str | None:
    """Return the import path of a kind; None if it is not registered."""
    return _paths.get(kind)


def list_registered_kinds() -> list[str]:
    """Return the kinds in the order in which they were registered."""
    return list(_paths)
