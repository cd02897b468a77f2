"""The sweeper's second home: a thread in every worker, for when beat is dead."""

import random
import threading
from collections.abc import Callable

from django.db import Error, connection

from research.lifecycle.logs import logger
from research.lifecycle.outbox import relay
from research.lifecycle.sweeper import sweep
from research.lifecycle.timing import SWEEP_S

log = logger(__name__)


class SweepTimer:
    """Sweeps and relays once in a while, and does whatever `also` there is, until it is stopped."""

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
        # Workers that started together need not sweep together.
        pause = SWEEP_S * random.SystemRandom().random()
        while not self._end.wait(pause):
            self._sweep_once()
            pause = SWEEP_S

    def _sweep_once(self) -> None:
        try:
            sweep()
            relay()
            for act in self._also:
                act()
        except Error as error:
            log.warning("sweep_failed", error=type(error).__name__)
        finally:
            connection.close()
