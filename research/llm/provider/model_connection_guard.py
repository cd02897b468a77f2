"""The connection guard for servers whose addresses the owners of workspaces enter.

It belongs to research.fetching, which depends on this package; so it is registered by its name, as recipes
are. Without it no connection to a guarded server is opened.
"""

import httpcore2
from django.utils.module_loading import import_string

from research.llm.model_settings import Endpoint

_paths: list[str] = []


def register_guard(path: str) -> None:
    """Register the guard by the import path of a network backend class that takes no arguments."""
    _paths[:] = [path]


def backend_for(endpoint: Endpoint) -> httpcore2.AsyncNetworkBackend | None:
    """Return the guard for an address that a workspace's owner entered.

    None for the operator's own servers.
    """
    if not endpoint.is_guarded:
        return None
    if not _paths:
        raise RuntimeError("no guard is registered for the model servers of workspaces")
    backend: httpcore2.AsyncNetworkBackend = import_string(_paths[0])()
    return backend
