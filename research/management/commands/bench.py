"""`bench`: run all benchmarks on fresh sites and write their figures as JSON and as a table.

Without a model: grounding, reading, start-up, fetching, import, reports by rules, reviews, polls, memory. With
stub
services: reports and tables of growing size, compared with the shortest time that the stubs' latencies allow.
"""

import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from config.services.installation_memory import proportional_mb
from research.evaluation.evaluation_overhead_growth import GrowthMeasurement, Latencies
from research.library.library_folders import sample_path
from research.library.sample.build_sample_library import build_sample
from research.management.bench_fresh_site import StatementCounter, manage, site
from research.management.bench_results import (
    BenchmarkPart,
    BenchmarkReport,
    commit,
    machine,
    part_of,
    today,
    write_between,
)
from research.management.bench_stub_site import calls_of, site_in, stub_world
from research.management.command_options import above_zero, folder, whole

SAMPLE_EVERY_S = 0.5
RESTED_S = 10.0
PARTS = ("alone", "site", "growth")
SOURCES, ITEMS = (20, 50, 100, 200, 500), (50, 500, 2_000)
WEB = ("--by-workers", "--costs", "--limit", "900", "--set", "sources=web")
# Worded so that the generated pages answer it: a report that abstains writes and checks nothing.
QUESTION = "How did the cost of {} rise?"
THINGS = ("night trains", "paper mills", "tide gauges", "salt pans", "milk rounds", "boat lifts", "dye works")
# Arguments for --smoke, which checks that everything works, not how fast it is.
SMOKE = {
    "bench_grounding": ("--verifications", "20", "--claims", "100", "--characters", "20000"),
    "bench_reading": ("--documents", "10"),
    "bench_fetching": ("--sites", "4", "--pages", "2", "--processes", "1"),
    "bench_review": ("--items", "3"),
    "bench_polling": ("--viewers", "5", "--seconds", "5"),
}


class Command(BaseCommand):
    """Figures hold for this machine under its load at the time, so the load average is printed beside each."""

    help = "Measure grounding, reading, fresh sites, and how reports and tables grow in a stub world."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--library", type=folder, help="folder to import; the sample library by default")
        parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
        parser.add_argument(
            "--smoke", action="store_true", help="small sizes, to check that everything works"
        )
        parser.add_argument(
            "--sources", type=whole(), nargs="*", help="sizes of reports; 20 to 500 by default"
        )
        parser.add_argument(
            "--items", type=whole(), nargs="*", help="sizes of tables; 50 to 2 000 by default"
        )
        parser.add_argument(
            "--model-seconds",
            type=above_zero,
            default=1.0,
            help="seconds that a call takes in the stub world",
        )
        parser.add_argument("--json", type=Path, help="file for the figures; build/bench.json by default")
        parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")

    def handle(
        self,
        *args: object,
        library: Path | None,
        parts: Sequence[str],
        smoke: bool,
        sources: Sequence[int] | None,
        items: Sequence[int] | None,
        model_seconds: float,
        json: Path | None,
        write: bool,
        **options: object,
    ) -> None:
        measured, grown = list[BenchmarkPart](), list[GrowthMeasurement]()
        with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
            if "alone" in parts:
                measured += _each(Path(folder) / "alone", ("bench_grounding", "bench_reading"), smoke)
            if "site" in parts:
                measured += self._site(Path(folder) / "site", library, smoke)
            if "growth" in parts:
                sizes = _sizes(sources, SOURCES, smoke), _sizes(items, ITEMS, smoke)
                for part, measurement in _measure_growth(
                    Path(folder) / "growth", Latencies(model_s=model_seconds), *sizes
                ):
                    measured.append(part)
                    grown += [measurement] if measurement else []
        self._keep(BenchmarkReport(today(), commit(), machine(), measured, grown), json, write)

    def _keep(self, found: BenchmarkReport, json: Path | None, write: bool) -> None:
        kept = json or settings.BASE_DIR / "build" / "bench.json"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(found.as_json(), encoding="utf-8")
        self.stdout.write(found.as_table())
        if write:
            write_between(settings.BASE_DIR / "docs" / "performance.md", found.as_table())

    def _site(self, data: Path, library: Path | None, is_smoke: bool) -> Iterator[BenchmarkPart]:
        sample = sample_path()
        build_sample(sample, say=self.stderr.write)
        imported, reports = (library or sample).resolve(), ("bench_reports", str(sample), "--by-workers")
        began = time.perf_counter()
        with site(data, "--no-samples") as pid:
            yield part_of("ready after", "", time.perf_counter() - began)
            yield from _each(data, ("bench_fetching",), is_smoke)
            with peak_memory(pid) as peak:
                yield time_command(f"import of {imported.name}", data, "bench_import", str(imported))
                manage(data, *reports)
                yield time_command("reports by rules", data, *reports)
                yield from _each(data, ("bench_review", "bench_polling"), is_smoke)
            yield _memory(peak)


def _sizes(given: Sequence[int] | None, full: Sequence[int], is_smoke: bool) -> Sequence[int]:
    if given is not None:
        return given
    return full[:1] if is_smoke else full


def _each(data: Path, commands: Sequence[str], is_smoke: bool) -> Iterator[BenchmarkPart]:
    for command in commands:
        yield time_command(
            command.removeprefix("bench_"), data, command, *(SMOKE[command] if is_smoke else ())
        )


def time_command(name: str, data: Path, *arguments: str) -> BenchmarkPart:
    began = time.perf_counter()
    output = manage(data, *arguments)
    return part_of(name, output, time.perf_counter() - began)


def _measure_growth(
    data: Path, world: Latencies, sources: Sequence[int], items: Sequence[int]
) -> Iterator[tuple[BenchmarkPart, GrowthMeasurement | None]]:
    """Measure the site at rest, then reports and tables of each size after a warm-up, then the memory of the site."""
    counter = StatementCounter()
    with (
        stub_world(world) as address,
        site_in(address, data, counter) as pid,
        peak_memory(pid) as peak,
    ):
        counter.begin(data)
        _report(data, address, world, counter, 5, "rain barrels")
        _table(data, address, world, counter, 5)
        yield _rest(counter), None
        for size, thing in zip(sources, cycle(THINGS), strict=False):
            yield _report(data, address, world, counter, size, thing)
        for size in items:
            yield _table(data, address, world, counter, size)
        yield _memory(peak), None


def _rest(counter: StatementCounter) -> BenchmarkPart:
    """Return what the site costs while nobody uses it."""
    before = counter.count
    time.sleep(RESTED_S)
    return BenchmarkPart(
        "site at rest", RESTED_S, 0.0, {"statements_a_second": (counter.count - before) / RESTED_S}
    )


def _report(
    data: Path, address: str, world: Latencies, counter: StatementCounter, size: int, thing: str
) -> tuple[BenchmarkPart, GrowthMeasurement]:
    """Measure a report on a question that no other run asks, so that none of its pages is cached."""
    before, counted = calls_of(address), counter.count
    asked = ("--ask", QUESTION.format(thing), "--set", f"target_sources={size}")
    part = time_command(f"report, {size} sources", data, "bench_reports", *WEB, *asked)
    calls = calls_of(address) - before
    return part, GrowthMeasurement(
        "report",
        size,
        _number(part, "median_s"),
        calls,
        world.report_limit_s(calls),
        *_costs(part),
        counter.count - counted,
    )


def _table(
    data: Path, address: str, world: Latencies, counter: StatementCounter, size: int
) -> tuple[BenchmarkPart, GrowthMeasurement]:
    before, counted = calls_of(address), counter.count
    options = ("--items", str(size), "--set", "pages_per_item=1", "--set", f"concurrency={world.at_once}")
    part = time_command(
        f"table, {size} items",
        data,
        "bench_tables",
        *(option for option in WEB if option != "--costs"),
        *options,
    )
    calls = calls_of(address) - before
    return part, GrowthMeasurement(
        "table",
        size,
        _number(part, "seconds"),
        calls,
        world.table_limit_s(calls),
        *_costs(part),
        counter.count - counted,
    )


def _costs(part: BenchmarkPart) -> tuple[float, int]:
    """Return the CPU seconds of all processes and the commits."""
    cpu_s, commits = part.figures["cpu_s"], part.figures["commits"]
    return sum(cpu_s.values()) if isinstance(cpu_s, dict) else 0.0, int(str(commits))


def _number(part: BenchmarkPart, name: str) -> float:
    return float(str(part.figures[name]))


def _memory(peak: Sequence[float]) -> BenchmarkPart:
    figures = {"peak_mb": round(max(peak)), "at_the_end_mb": round(peak[-1])}
    return BenchmarkPart("memory of the site's processes", 0.0, 0.0, figures)


@contextmanager
def peak_memory(pid: int) -> Iterator[list[float]]:
    """Sample the memory of the process tree, in MB, until the context ends."""
    seen = [proportional_mb(pid)]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(SAMPLE_EVERY_S):
            seen.append(proportional_mb(pid))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()
