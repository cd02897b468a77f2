"""Work on a deck in processes of their own, which die at a named point."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from uuid import UUID

from tests.forking import start_fork_server

Killed = Callable[..., int]


@contextmanager
def start_kill_server(environment: Mapping[str, str], *modules: str) -> Iterator[Killed]:
    """Yield a function that lets a process do its order (a module, its function, tenant, row) until a point.

    It returns the exit status: -9 for a process that was killed there.
    """
    with start_fork_server(environment, __name__, *modules) as fork:
        yield lambda point, *order: fork(f"{__name__}:do", *order, CRASH_AT=f"{point}:1")


def do(module: str, name: str, tenant: str, row: str) -> None:
    getattr(import_module(module), name)(UUID(tenant), UUID(row))
