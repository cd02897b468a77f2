"""Renews the leases of the steps that one process works on, over a connection of its own."""

import threading
import time
from collections.abc import Callable
from uuid import UUID

from django.db import Error, connection

from research.engine.claim_and_finish_steps import renew
from research.engine.claimed_step import ClaimedStep
from research.engine.lease_timing import HEARTBEAT_S, LEASE_S
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

log = logger(__name__)


class Leases:
    """The steps that this process holds. Inside its context a thread renews all of them in one statement.

    That thread calls `on_lost` with each step that another process has claimed or ended.
    """

    def __init__(self, tenant_id: UUID, on_lost: Callable[[UUID], None] | None = None) -> None:
        self._tenant_id = tenant_id
        self._on_lost = on_lost
        self._held: dict[UUID, int] = {}
        self._renewed_at: dict[UUID, float] = {}  # time.monotonic()
        self._stopped: set[UUID] = set()
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._thread = self._new_thread()

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def __enter__(self) -> "Leases":
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._end.set()
        self._thread.join()

    def hold(self, step: ClaimedStep) -> None:
        with self._lock:
            self._held[step.id] = step.fence
            self._renewed_at[step.id] = step.asked_at
            # The thread died, perhaps for lack of memory; without it no long step could be finished.
            if not self._thread.is_alive():
                self._thread = self._new_thread()
                self._thread.start()

    def drop(self, step: ClaimedStep) -> None:
        """Stop renewing this lease. A later claim of the same step, also by this process, is not affected."""
        with self._lock:
            if self._held.get(step.id, step.fence) != step.fence:
                return
            self._held.pop(step.id, None)
            self._renewed_at.pop(step.id, None)
            self._stopped.discard(step.id)

    def is_stopped(self, step_id: UUID) -> bool:
        """True if the result of the step is no longer wanted."""
        return step_id not in self._held or step_id in self._stopped

    def has_lapsed(self, step_id: UUID) -> bool:
        """True if the lease was not renewed in time because the process was suspended; others may have executed the
        step.
        """
        since = self._renewed_at.get(step_id)
        return since is None or time.monotonic() - since > LEASE_S

    def stop_all(self) -> None:
        with self._lock:
            self._stopped.update(self._held)

    def _beat(self) -> None:
        try:
            while not self._end.wait(HEARTBEAT_S):
                crash_point(FaultPoint.HEARTBEAT)
                self._renew()
        finally:
            connection.close()

    def _renew(self) -> None:
        with self._lock:
            held = dict(self._held)
        if not held:
            return
        began = time.monotonic()
        try:
            lost = renew(self._tenant_id, held)
        except Error as error:
            # Leases outlast several failed renewals; if the database stays away longer they expire by themselves.
            log.warning("heartbeat_failed", error=type(error).__name__)
            connection.close()
            return
        with self._lock:
            ours = (
                step_id
                for step_id, fence in held.items()
                if step_id not in lost and self._held.get(step_id) == fence
            )
            self._renewed_at.update((our, began) for our in ours)
        for step_id in lost:
            self._lose(step_id, held[step_id])

    def _lose(self, step_id: UUID, fence: int) -> None:
        with self._lock:
            if self._held.get(step_id) != fence:
                return  # finished in the meantime, and perhaps claimed again by this process
            del self._held[step_id]
            self._renewed_at.pop(step_id, None)
        log.warning("lease_lost", step=str(step_id))
        if self._on_lost is not None:
            self._on_lost(step_id)
