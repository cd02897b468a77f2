"""Slots of a process that serves many runs at once.

The last ones are reserved for users who have none, so that nobody waits for another user's runs.
"""

import threading
from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

RESERVED_SHARE = 4  # one in this many slots is reserved for users who have none


@dataclass(frozen=True, slots=True)
class SlotRequest:
    """A run that wants a slot, and its owner."""

    tenant_id: UUID
    run_id: UUID
    owner_id: int


@dataclass(slots=True)
class WorkerSlots:
    """The slots of one process. A run that gets none waits, and is returned when a slot becomes free."""

    count: int
    _held: Counter[int] = field(default_factory=Counter)
    _waiting: dict[UUID, SlotRequest] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def claim(self, request: SlotRequest) -> bool:
        """Claim a slot for this run and return True; if there is none, let the run wait and return False."""
        with self._lock:
            if not self._has_slot_for(request):
                self._waiting[request.run_id] = request
                return False
            self._waiting.pop(request.run_id, None)
            self._held[request.owner_id] += 1
            return True

    def release(self, request: SlotRequest) -> SlotRequest | None:
        """Free a slot; return the waiting run that should try again: the one whose owner has the fewest slots."""
        with self._lock:
            self._held[request.owner_id] -= 1
            eligible = [waiting for waiting in self._waiting.values() if self._has_slot_for(waiting)]
            if not eligible:
                return None
            chosen = min(eligible, key=lambda waiting: self._held[waiting.owner_id])
            return self._waiting.pop(chosen.run_id)

    def _has_slot_for(self, request: SlotRequest) -> bool:
        free = self.count - self._held.total()
        return free > (self.count // RESERVED_SHARE if self._held[request.owner_id] else 0)
