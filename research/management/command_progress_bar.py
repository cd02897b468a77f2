"""A progress bar on the terminal, drawn from the run's rows."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.core.management.base import OutputWrapper
from django.db import connection

from research.db.tenancy import tenant_context
from research.models import Run, State

INTERVAL_S = 0.5
WIDTH = 24
STAGES = (
    State.PLANNING, State.COLLECTING, State.READING, State.ANALYZING, State.SYNTHESIZING, State.CITING,
    State.VERIFYING, State.EXPORTING, State.COMPLETED,
)  # fmt: skip


@contextmanager
def progress_bar(tenant_id: UUID, stream: OutputWrapper) -> Iterator[None]:
    """Show the progress of the tenant's newest run until the context ends; draw nothing if `stream` is no
    terminal.
    """
    if not stream.isatty():
        yield
        return
    done = threading.Event()
    painter = threading.Thread(target=_paint, args=(tenant_id, stream, done), daemon=True)
    painter.start()
    try:
        yield
    finally:
        done.set()
        painter.join()


def _paint(tenant_id: UUID, stream: OutputWrapper, done: threading.Event) -> None:
    try:
        while not done.wait(INTERVAL_S):
            with tenant_context(tenant_id):
                run = Run.objects.order_by("-created_at").first()
            if run is not None:
                stream.write(f"\r{bar(run)}\033[K", ending="")
        stream.write("\r\033[K", ending="")
    finally:
        connection.close()


def bar(run: Run) -> str:
    """Return one line: the bar, the stage and the current activity."""
    stage = STAGES.index(State(run.state)) if run.state in STAGES else 0
    filled = WIDTH * stage // (len(STAGES) - 1)
    return f"[{'=' * filled:<{WIDTH}}] {run.get_state_display()}: {run.current_activity}"[:100]
