"""`bench_polling`: how long a poll takes while many people watch one run, at a site that is running."""

import asyncio
import os
import statistics
import threading
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass

import httpx2
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import F
from django.utils import timezone

from research.accounts import Account
from research.foreground import workplace
from research.management.viewing import address_here, percentile, session_of
from research.models import AgentRole, Run, State, Step, StepStatus
from research.tenancy import tenant_context

EVERY_S = 2.0  # as the page asks at first
NEWS_EVERY_S = 1.0
GOAL_MS = 100


@dataclass(frozen=True, slots=True)
class Poll:
    ms: float
    status: int  # 0: no answer


class Command(BaseCommand):
    """The figures are this machine's, viewers included, under whatever else it does: say so when quoting them."""

    help = "Measure polls of many viewers of one run, of which something new comes every second."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--viewers", type=int, default=200)
        parser.add_argument("--seconds", type=float, default=30)

    def handle(self, *args: object, **options: object) -> None:
        viewers, seconds = int(str(options["viewers"])), float(str(options["seconds"]))
        with workplace() as account:
            run = _watched(account)
            stop = threading.Event()
            worker = threading.Thread(target=_make_news, args=(run, stop), daemon=True)
            worker.start()
            try:
                polls = asyncio.run(_watch(address_here(), session_of(account), run, viewers, seconds))
            finally:
                stop.set()
                worker.join()
                _put_away(run)
        self.stdout.write(_told(polls, viewers))


def _watched(account: Account) -> Run:
    """A run that reads, which no worker takes: it has no step that is ready."""
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


def _put_away(run: Run) -> None:
    with tenant_context(run.tenant_id):
        Run.objects.filter(pk=run.pk).delete()


async def _watch(address: str, session: str, run: Run, viewers: int, seconds: float) -> list[Poll]:
    limits = httpx2.Limits(max_connections=viewers, max_keepalive_connections=viewers)
    cookies = {settings.SESSION_COOKIE_NAME: session}
    async with httpx2.AsyncClient(base_url=address, cookies=cookies, limits=limits, timeout=30) as client:
        ends = time.monotonic() + seconds
        path = f"/runs/{run.pk}/progress/"
        watching = (_view(client, path, EVERY_S * n / viewers, ends) for n in range(viewers))
        return [poll for found in await asyncio.gather(*watching) for poll in found]


async def _view(client: httpx2.AsyncClient, path: str, begins_after_s: float, ends: float) -> list[Poll]:
    """One viewer's polls, each as long after the one before as the page waits."""
    found: list[Poll] = []
    tag = ""
    await asyncio.sleep(begins_after_s)
    while time.monotonic() < ends:
        begun = time.perf_counter()
        try:
            answer = await client.get(path, headers={"HX-Request": "true", "HX-PTag": tag})
        except httpx2.HTTPError:
            found.append(Poll(1_000 * (time.perf_counter() - begun), 0))
        else:
            found.append(Poll(1_000 * (time.perf_counter() - begun), answer.status_code))
            tag = answer.headers.get("HX-PTag", tag)
        await asyncio.sleep(max(0.0, EVERY_S - (time.perf_counter() - begun)))
    return found


def _told(polls: Sequence[Poll], viewers: int) -> str:
    if len(polls) < 2:
        raise CommandError("Too few polls to say anything.")
    ms = sorted(poll.ms for poll in polls)
    errors = sum(poll.status not in (200, 304) for poll in polls)
    unchanged = sum(poll.status == 304 for poll in polls)
    return (
        f"{viewers} viewers of one run: n {len(ms)}  median {statistics.median(ms):.0f} ms  "
        f"p95 {percentile(ms, 0.95):.0f} ms  most {ms[-1]:.0f} ms  (goal p95 {GOAL_MS} ms); "
        f"{unchanged} not modified, {errors} errors; load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"
    )
