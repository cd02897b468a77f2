"""`bench_load`: measure response times at a steady rate over very many runs while many viewers poll one of
them.
"""

import asyncio
import itertools
import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import httpx2
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from citations.models import Claim
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.management.bench_copied_runs import copy_runs
from research.management.bench_viewer import address_here, percentile, session_of
from research.management.bench_watched_run import open_watched_run, polls_of
from research.management.command_options import above_zero, whole
from research.models import Kind, Run, Source, State
from research.pipelines.pipeline_in_foreground import workplace

AT_ONCE = 20  # copies of a run per statement
AMONG = 40  # runs whose pages are requested repeatedly
Pages = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class TimedResponse:
    """One response. `ms` counts from when the request was due, so a site that falls behind can't hide it;
    `status` 0: none.
    """

    page: str
    ms: float
    status: int


class Command(BaseCommand):
    """With --runs, copies of the finished runs are made first and stay, so use a data folder made for this."""

    help = "Measure pages of a running site at a steady rate, while many viewers poll for progress."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--runs", type=whole(0), default=0, help="number of runs that should exist; copies are made"
        )
        parser.add_argument("--rate", type=above_zero, default=50, help="pages a second")
        parser.add_argument("--viewers", type=whole(0), default=500, help="viewers of a run in progress")
        parser.add_argument("--seconds", type=above_zero, default=30)
        parser.add_argument(
            "--among",
            type=whole(),
            default=AMONG,
            help="runs whose pages are requested; 1000: each page once",
        )

    def handle(self, *args: object, **options: object) -> None:
        rate, viewers, seconds = (float(str(options[name])) for name in ("rate", "viewers", "seconds"))
        with workplace() as account:
            made = _fill(account, int(str(options["runs"])))
            pages = pages_of(account, int(str(options["among"])))
            statements = {page: _statements(account, paths[0]) for page, paths in pages.items()}
            client = {settings.SESSION_COOKIE_NAME: session_of(account)}
            with open_watched_run(account) as run:
                answers = asyncio.run(
                    _load(address_here(), client, pages, rate, seconds, (run, int(viewers)))
                )
        self.stdout.write(json.dumps(made | summarize_answers(answers, statements)))


def _fill(account: PersonalAccount, wanted: int) -> dict[str, object]:
    """Copy finished runs until there are `wanted` runs. Raises CommandError if none is finished."""
    began, rows = time.perf_counter(), 0
    with tenant_context(account.tenant_id):
        done = Run.objects.filter(state=State.COMPLETED, client_key=None)
        originals = list(done.values_list("pk", flat=True))
        there = Run.objects.count()
    if not originals:
        raise CommandError("No run is finished here: ask for a report first.")
    for first in itertools.count(there, AT_ONCE):
        if there >= wanted:
            break
        times = min(AT_ONCE, -(-(wanted - there) // len(originals)))
        with tenant_context(account.tenant_id):
            rows += copy_runs(originals, first, times)
        there += times * len(originals)
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return {"runs": there, "rows_made": rows, "made_in_s": round(time.perf_counter() - began, 1)}


def pages_of(account: PersonalAccount, among: int = AMONG) -> Pages:
    """Return paths by kind of page, for `among` reports spread evenly from the newest to the oldest."""
    with tenant_context(account.tenant_id):
        reports = Run.objects.filter(kind=Kind.REPORT, state=State.COMPLETED)
        done = reports.order_by("-created_at").values_list("pk", flat=True)
        every = max(1, done.count() // among)
        runs = list(done)[::every][:among]
        claims = Claim.objects.filter(run__in=runs).values_list("run", "number")[: 5 * among]
        sources = Source.objects.filter(run__in=runs).exclude(content=None).values_list("pk", flat=True)
        pages = {
            "home": [reverse("research:home")],
            "runs": [
                reverse("research:runs"),
                f"{reverse('research:runs')}?page=9",
                f"{reverse('research:runs')}?q=a",
            ],
            "run": _of(runs, "run"),
            "report": _of(runs, "report"),
            "popover": [reverse("research:claim", args=claim) for claim in claims],
            "sources": _of(runs, "sources"),
            "source": [reverse("research:source", args=[source]) for source in sources[:among]],
            "progress": _of(runs, "progress"),
        }
    return {page: paths for page, paths in pages.items() if paths}


def _of(runs: Sequence[UUID], name: str) -> list[str]:
    return [reverse(f"research:{name}", args=[run]) for run in runs]


def _statements(account: PersonalAccount, path: str) -> int:
    """Return the number of SQL statements of one request, including those for its session and tenant."""
    client = Client()
    client.force_login(account.user, backend=settings.ACCOUNT_BACKEND)
    with CaptureQueriesContext(connection) as captured:
        client.get(path, HTTP_HOST="localhost")
    return len(captured)


async def _load(
    address: str,
    cookies: Mapping[str, str],
    pages: Pages,
    rate: float,
    seconds: float,
    watched: tuple[Run, int],  # the run and its number of viewers
) -> list[TimedResponse]:
    run, viewers = watched
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=viewers + 100)
    async with httpx2.AsyncClient(
        base_url=address, cookies=dict(cookies), limits=limits, timeout=60
    ) as client:
        began = time.perf_counter()
        due = [
            _ask(client, page, path, began + n / rate)
            for n, (page, path) in enumerate(_interleave_pages(pages, rate * seconds))
        ]
        views = polls_of(client, run, viewers, began + seconds)
        asked, polls = await asyncio.gather(asyncio.gather(*due), views)
    return [*asked, *(TimedResponse("poll", poll.ms, poll.status) for poll in polls)]


def _interleave_pages(pages: Pages, count: float) -> Iterator[tuple[str, str]]:
    """Yield `count` pairs of kind and path, taking the kinds in turn and the paths of each kind in order."""
    turns = {page: itertools.cycle(paths) for page, paths in pages.items()}
    kinds = itertools.cycle(turns)
    for kind in itertools.islice(kinds, int(count)):
        yield kind, next(turns[kind])


async def _ask(client: httpx2.AsyncClient, page: str, path: str, due: float) -> TimedResponse:
    await asyncio.sleep(max(0.0, due - time.perf_counter()))
    try:
        answer = await client.get(
            path, headers={"HX-Request": "true"} if page in ("progress", "popover") else {}
        )
    except httpx2.HTTPError:
        status = 0
    else:
        status = answer.status_code
    return TimedResponse(page, 1_000 * (time.perf_counter() - due), status)


def summarize_answers(answers: Sequence[TimedResponse], statements: Mapping[str, int]) -> dict[str, object]:
    """Return counts, percentiles in milliseconds and errors by kind of page; the totals leave out polls."""
    kinds = {answer.page for answer in answers}
    summary: dict[str, object] = {}
    for kind in sorted(kinds):
        of_kind = [answer for answer in answers if answer.page == kind]
        summary[kind] = _figures(of_kind) | ({"sql": statements[kind]} if kind in statements else {})
    return {
        "pages": _figures([answer for answer in answers if answer.page != "poll"]),
        "load": round(os.getloadavg()[0], 1),
        "by_kind": summary,
    }


def _figures(answers: Sequence[TimedResponse]) -> dict[str, object]:
    ms = sorted(answer.ms for answer in answers)
    if not ms:
        return {"n": 0}
    shares = {f"p{round(100 * share)}_ms": round(percentile(ms, share)) for share in (0.5, 0.95, 0.99)}
    return {"n": len(ms), **shares, "errors": sum(answer.status not in (200, 304) for answer in answers)}
