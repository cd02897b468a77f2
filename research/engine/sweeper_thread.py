"""A thread in every worker that sweeps as well, so that sweeping goes on when Celery beat is down."""

import random
import threading
from collections.abc import Callable

from django.db import connection

from research.engine.error_boundary import attempt_each
from research.engine.lease_timing import SWEEP_S
from research.engine.outbox import relay
from research.engine.sweeper import sweep


class SweepTimer:
    """Sweeps, relays messages and calls `also` at intervals until it is stopped."""

    def __init__(self, *also: Callable[[], object]) -> None:
        self._also = also
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._thread.join(timeout=SWEEP_S)

    def _run(self) -> None:
        # Workers that start together do not sweep together.
        pause = SWEEP_S * random.SystemRandom().random()
        while not self._end.wait(pause):
            self._sweep_once()
            pause = SWEEP_S

    def _sweep_once(self) -> None:
        for _done in attempt_each((sweep, relay, *self._also)):
            pass
        connection.close()
