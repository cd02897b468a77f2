"""A simulated run in progress that many viewers poll, for benchmarks."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import AgentRole, Run, State, Step, StepStatus

EVERY_S = 2.0  # as the page asks at first
NEWS_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Poll:
    ms: float
    status: int  # 0: no answer

    @property
    def has_failed(self) -> bool:
        return self.status not in (200, 304)


@contextmanager
def open_watched_run(account: PersonalAccount) -> Iterator[Run]:
    """Create a run in the reading state that gets a new step every second; delete it afterwards."""
    run = _create_run(account)
    stop = threading.Event()
    worker = threading.Thread(target=_make_news, args=(run, stop), daemon=True)
    worker.start()
    try:
        yield run
    finally:
        stop.set()
        worker.join()
        with tenant_context(run.tenant_id):
            Run.objects.filter(pk=run.pk).delete()


def _create_run(account: PersonalAccount) -> Run:
    """Create the run without a ready step, so that no worker claims it."""
    with tenant_context(account.tenant_id):
        now = timezone.now()
        return Run.objects.create(
            owner=account.user,
            topic="How long does a poll take?",
            state=State.READING,
            started_at=now,
            state_entered_at=now,
            sources_found=10_000,
        )


def _make_news(run: Run, stop: threading.Event) -> None:
    number = 0
    while not stop.wait(NEWS_EVERY_S):
        number += 1
        with tenant_context(run.tenant_id):
            Step.objects.create(
                run=run,
                step_index=number,
                key=f"0.reading/{number}",
                handler="report.read",
                agent_role=AgentRole.EXTRACTOR,
                status=StepStatus.COMPLETED,
                started_at=timezone.now(),
            )
            news = {"sources_processed": number, "snapshot_version": F("snapshot_version") + 1}
            Run.objects.filter(pk=run.pk).update(**news)


async def polls_of(client: httpx2.AsyncClient, run: Run, viewers: int, ends: float) -> list[Poll]:
    """Return the polls of all viewers until `ends` (`time.perf_counter`).

    Their first polls are spread evenly over `EVERY_S`.
    """
    path = reverse("research:progress", args=[run.pk])
    watching = (_view(client, path, EVERY_S * n / viewers, ends) for n in range(viewers))
    return [poll for found in await asyncio.gather(*watching) for poll in found]


async def _view(client: httpx2.AsyncClient, path: str, begins_after_s: float, ends: float) -> list[Poll]:
    """Return one viewer's polls, `EVERY_S` apart like the page's."""
    polls: list[Poll] = []
    tag = ""
    await asyncio.sleep(begins_after_s)
    while (begun := time.perf_counter()) < ends:
        try:
            answer = await client.get(path, headers={"HX-Request": "true", "HX-PTag": tag})
        except httpx2.HTTPError:
            status = 0
        else:
            status, tag = answer.status_code, answer.headers.get("HX-PTag", tag)
        polls.append(Poll(1_000 * (time.perf_counter() - begun), status))
        await asyncio.sleep(max(0.0, EVERY_S - (time.perf_counter() - begun)))
    return polls
