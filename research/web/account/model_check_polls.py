"""Tests of model servers, run in the background: a page polls the findings every second.

A test takes up to some minutes, longer than a page's transaction may stay open. It runs in a thread of the web process,
which holds the key as long as the test takes; its findings go to the cache, where every web process finds them.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.core.cache import cache
from django.utils import timezone

from research.llm.model_check_results import WHOLE_LIMIT_S, ProbeResult, findings_in
from research.llm.model_settings import Models
from research.llm.save_model_connection import mark_of
from research.runtime.process_local import ProcessLocal

log = logging.getLogger(__name__)
AT_ONCE = 4  # for each process
KEPT_S = 3600
# Without an update for this long, the process that ran the test is taken to have been stopped.
SILENT_FOR = timedelta(seconds=150)
_threads = ProcessLocal(lambda: ThreadPoolExecutor(AT_ONCE, thread_name_prefix="model-check"))


class CheckUnderWay(Exception):
    """Raised when the workspace's last test has not ended."""


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """A running or finished test. `mark` identifies what was tested (research.llm.save_model_connection)."""

    id: UUID
    address: str
    model: str
    mark: str
    findings: Sequence[ProbeResult]
    is_over: bool
    is_lost: bool
    at: datetime  # time of the last update


def begin_check(tenant_id: UUID, models: Models, known_context: int | None) -> UUID:
    """Start a test of a connection that may not be saved yet. Raises CheckUnderWay."""
    if not cache.add(_busy(tenant_id), "1", WHOLE_LIMIT_S + SILENT_FOR.total_seconds()):
        raise CheckUnderWay
    check_id = uuid4()
    _tell(tenant_id, check_id, models, [])
    running = _threads.get().submit(_run, tenant_id, check_id, models, known_context)
    running.add_done_callback(_log_failure)
    return check_id


def _run(tenant_id: UUID, check_id: UUID, models: Models, known_context: int | None) -> None:
    from research.llm.model_check import check

    findings: list[ProbeResult] = []

    async def probe() -> None:
        async for finding in check(models, known_context):
            findings.append(finding)
            _tell(tenant_id, check_id, models, findings)

    try:
        asyncio.run(probe())
    finally:
        _tell(tenant_id, check_id, models, findings, is_over=True)
        cache.delete(_busy(tenant_id))


def _log_failure(ended: Future[None]) -> None:
    if error := ended.exception():
        log.error("model_check_failed", exc_info=error)


def _tell(
    tenant_id: UUID, check_id: UUID, models: Models, findings: Sequence[ProbeResult], *, is_over: bool = False
) -> None:
    state = {
        "address": models.endpoint.base_url,
        "model": models.model,
        "mark": mark_of(models),
        "findings": [finding.to_json() for finding in findings],
        "is_over": is_over,
        "at": timezone.now(),
    }
    cache.set(_name(tenant_id, check_id), state, KEPT_S)


def check_called(tenant_id: UUID, check_id: UUID) -> ModelCheck | None:
    """Return a test of this workspace; None if it is not known, or no longer."""
    state = cache.get(_name(tenant_id, check_id))
    if not isinstance(state, dict):
        return None
    is_over = bool(state["is_over"])
    return ModelCheck(
        check_id,
        str(state["address"]),
        str(state["model"]),
        str(state["mark"]),
        findings_in(state["findings"]),
        is_over,
        not is_over and timezone.now() - state["at"] > SILENT_FOR,
        state["at"],
    )


def _name(tenant_id: UUID, check_id: UUID) -> str:
    return f"model-check:{tenant_id}:{check_id}"


def _busy(tenant_id: UUID) -> str:
    return f"model-check-busy:{tenant_id}"
