"""`bench_fetching`: measure polite fetching of many pages from many slow sites served by this machine."""

import asyncio
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from redis import Redis

from config.services.embedded import run_services
from research.db.tenancy import create_tenant, tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.fetching.get_web_page import acquire
from research.management.bench_slow_sites import RequestTiming, host
from research.management.command_options import above_zero, whole
from research.models import KeptPage

GAP_MS = 500
# A run may fetch 60 pages a minute and 20 at once; raised so that only the per-site limits are measured.
LIMITS = "fetches=100, fetches_a_minute=1000000"
LIMIT_S = 120
MAX_PROCESSES = 4


@dataclass(frozen=True, slots=True)
class FetchLoad:
    sites: int
    pages: int  # per site
    delay_s: float

    @property
    def bound_s(self) -> float:
        """Return the shortest time that polite fetching can take, in seconds.

        The robots.txt and pages of one site are fetched one after the other; the sites are fetched in
        parallel.
        """
        return self.pages * max(GAP_MS / 1000, self.delay_s) + self.delay_s

    def urls(self, port: int) -> list[str]:
        """Return the URLs of all pages, interleaved by site as in a run."""
        return [self.url(port, site, page) for page in range(self.pages) for site in range(self.sites)]

    def url(self, port: int, site: int, page: int) -> str:
        return f"http://{host(site)}:{port}/page-{page}"


class Command(BaseCommand):
    """Pages are fetched, encrypted, stored and recorded as in a run; request times come from the sites' own
    records.
    """

    help = "Measure fetching: 200 pages at 0.3 s each from 40 sites of this machine, one request at a time to each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sites", type=whole(), default=40)
        parser.add_argument("--pages", type=whole(), default=5, help="pages per site")
        parser.add_argument("--delay", type=above_zero, default=0.3, help="seconds until a server answers")
        parser.add_argument(
            "--processes", type=int, nargs="+", default=[1, 2], choices=range(1, MAX_PROCESSES + 1)
        )
        parser.add_argument("--worker", help="(internal: the tenant of a process)")

    def handle(self, *args: object, **options: object) -> None:
        if options["worker"]:
            work(UUID(str(options["worker"])))
            return
        load = FetchLoad(int(str(options["sites"])), int(str(options["pages"])), float(str(options["delay"])))
        counts = options["processes"]
        with run_services():
            call_command("migrate", verbosity=0)
            for processes in counts if isinstance(counts, list) else [1]:
                self.stdout.write(measure_fetching(load, processes))


def measure_fetching(load: FetchLoad, processes: int) -> str:
    redis = Redis.from_url(settings.REDIS_LOCATION)
    redis.delete(*[b"plumbline:none", *redis.scan_iter("plumbline:robots:*")])
    tenant = create_tenant("bench")
    with sites(load) as (port, ended), workers(tenant.pk, processes, load, port) as started:
        before = _scripts(redis)
        begun = time.monotonic()
        for worker in started:
            _tell(worker, "go")
        cpu_s = [float(_read_line(worker)) for worker in started]
        wall_s = time.monotonic() - begun
        messages = _scripts(redis) - before
        notes = [note for note in ended() if note.host in set(map(host, range(load.sites)))]
    with tenant_context(tenant.pk):
        kept = KeptPage.objects.count()
        KeptPage.objects.all().delete()
    return _format_figures(load, processes, notes, wall_s) + (
        f"  kept {kept}  messages to Redis about turns {messages / max(1, kept):.2f} a page"
        f"  CPU {sum(cpu_s) / max(1, kept) * 1000:.1f} ms a page"
    )


def _format_figures(load: FetchLoad, processes: int, notes: Sequence[RequestTiming], wall_s: float) -> str:
    by_site: dict[str, list[RequestTiming]] = {}
    for note in sorted(notes, key=lambda note: note.began):
        by_site.setdefault(note.host, []).append(note)
    gaps = [later.began - earlier.began for visits in by_site.values() for earlier, later in pairwise(visits)]
    overlaps = sum(
        later.began < earlier.ended - 0.001
        for visits in by_site.values()
        for earlier, later in pairwise(visits)
    )
    pages = sum(note.path.startswith("/page") for note in notes)
    return (
        f"{processes} process{'es' if processes > 1 else ''}: {pages} pages of {len(by_site)} sites in {wall_s:.2f} s"
        f"  bound {load.bound_s:.2f} s  ratio {wall_s / load.bound_s:.2f}\n"
        f"  robots.txt asked {len(notes) - pages} times  least time between two requests to a site {min(gaps):.3f} s"
        f"  two at once {overlaps} times\n"
    )


@contextmanager
def sites(load: FetchLoad) -> Iterator[tuple[int, "TimingCollector"]]:
    """Serve the slow sites and yield their port and a function that stops them and returns their request
    times.
    """
    command = [sys.executable, "-m", "research.management.bench_slow_sites"]
    arguments = [str(load.sites + MAX_PROCESSES), str(load.delay_s), str(load.pages)]
    process = _start_process([*command, *arguments])
    try:
        yield int(_read_line(process)), TimingCollector(process)
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True, slots=True)
class TimingCollector:
    process: subprocess.Popen[str]

    def __call__(self) -> list[RequestTiming]:
        given, _ = self.process.communicate("", timeout=LIMIT_S)
        return [RequestTiming(**load) for load in json.loads(given)]


@contextmanager
def workers(tenant: UUID, count: int, load: FetchLoad, port: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Start workers, each with a share of every site's pages and one warm-up page, and yield them when
    ready.
    """
    urls = load.urls(port)
    command = [sys.executable, "manage.py", "bench_fetching", "--worker", str(tenant)]
    started = [_start_process(command, _environment()) for _ in range(count)]
    try:
        for number, process in enumerate(started):
            own = [url for place, url in enumerate(urls) if (place // load.sites + place) % count == number]
            _tell(process, json.dumps([*own, load.url(port, load.sites + number, 0)]))
        for process in started:
            _read_line(process)
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait()


def work(tenant: UUID) -> None:
    """Run one worker: read the URLs from standard input, print “ready”, wait for “go”, print the CPU
    seconds.
    """
    urls: list[str] = json.loads(sys.stdin.readline())
    asyncio.run(_fetch_all(tenant, urls[-1:]))  # warm up
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.process_time()
    asyncio.run(_fetch_all(tenant, urls[:-1]))
    print(time.process_time() - begun, flush=True)
    close_fetch_process()


async def _fetch_all(tenant: UUID, urls: Sequence[str]) -> None:
    await asyncio.gather(*(acquire(tenant, "bench", url) for url in urls))


def _environment() -> Mapping[str, str]:
    return {
        **os.environ,
        "PLUMBLINE_ALLOW_LOOPBACK": "yes",
        "PLUMBLINE_POLITENESS_MS": str(GAP_MS),
        "PLUMBLINE_LIMITS": LIMITS,
    }


def _start_process(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - fixed commands
        command,
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _tell(process: subprocess.Popen[str], line: str) -> None:
    if process.stdin is None:
        raise CommandError("A process has no input.")
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _read_line(process: subprocess.Popen[str]) -> str:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise CommandError("A process of the measurement ended early.")
    return line.strip()


def _scripts(redis: Redis) -> int:
    return int(redis.info("commandstats").get("cmdstat_evalsha", {}).get("calls", 0))
