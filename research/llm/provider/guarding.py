"""The guard of connections to servers whose addresses the owners of workspaces enter.

It belongs to what fetches pages (research.fetching), which stands above this package: so it is registered by its
name, as recipes are, and a server that is to be guarded is never dialled without it.
"""

import httpcore2
from django.utils.module_loading import import_string

from research.llm.model_settings import Endpoint

_paths: list[str] = []


def register_guard(path: str) -> None:
    """`path` names a network backend without parameters; it is imported when first needed."""
    _paths[:] = [path]


def backend_for(endpoint: Endpoint) -> httpcore2.AsyncNetworkBackend | None:
    """The guard for an address that a workspace's owner entered; None for one of the operator's own."""
    if not endpoint.is_guarded:
        return None
    if not _paths:
        raise RuntimeError("no guard is registered for the model servers of workspaces")
    backend: httpcore2.AsyncNetworkBackend = import_string(_paths[0])()
    return backend
