"""`bench_polling`: measure progress polls while many viewers watch one run of a running site."""

import asyncio
import os
import statistics
import time
from argparse import ArgumentParser
from collections.abc import Sequence

import httpx2
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from research.management.bench_viewer import address_here, percentile, session_of
from research.management.bench_watched_run import Poll, open_watched_run, polls_of
from research.management.command_options import above_zero, whole
from research.models import Run
from research.pipelines.pipeline_in_foreground import workplace

GOAL_MS = 100


class Command(BaseCommand):
    """Figures hold for this machine, which also runs the viewers, under its load at the time; state both
    when quoting them.
    """

    help = "Measure polls of many viewers of one run that changes every second."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--viewers", type=whole(0), default=200)
        parser.add_argument("--seconds", type=above_zero, default=30)

    def handle(self, *args: object, **options: object) -> None:
        viewers, seconds = int(str(options["viewers"])), float(str(options["seconds"]))
        with workplace() as account, open_watched_run(account) as run:
            polls = asyncio.run(_watch(address_here(), session_of(account), run, viewers, seconds))
        self.stdout.write(_describe_polls(polls, viewers))


async def _watch(address: str, session: str, run: Run, viewers: int, seconds: float) -> list[Poll]:
    limits = httpx2.Limits(max_connections=viewers, max_keepalive_connections=viewers)
    cookies = {settings.SESSION_COOKIE_NAME: session}
    async with httpx2.AsyncClient(base_url=address, cookies=cookies, limits=limits, timeout=30) as client:
        return await polls_of(client, run, viewers, time.perf_counter() + seconds)


def _describe_polls(polls: Sequence[Poll], viewers: int) -> str:
    if len(polls) < 2:
        raise CommandError("Too few polls to say anything.")
    ms = sorted(poll.ms for poll in polls)
    unchanged = sum(poll.status == 304 for poll in polls)
    return (
        f"{viewers} viewers of one run: n {len(ms)}  median {statistics.median(ms):.0f} ms  "
        f"p95 {percentile(ms, 0.95):.0f} ms  most {ms[-1]:.0f} ms  (goal p95 {GOAL_MS} ms); "
        f"{unchanged} not modified, {sum(poll.has_failed for poll in polls)} errors; "
        f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"
    )
