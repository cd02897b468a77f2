"""`bench`: grounding, reading, and a whole site in an empty folder: start, fetching, import, reports, polls, memory."""

import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand

from config.services.memory import proportional_mb
from research.library.folders import sample_path
from research.management.fresh_site import manage, site
from research.sample.build import build_sample

SAMPLE_EVERY_S = 0.5


class Command(BaseCommand):
    """The figures are this machine's, under whatever else it does at the time: say so when quoting them."""

    help = "Measure grounding, reading, and start-up, fetching, import, reports and memory of a fresh site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--library", type=Path, help="folder to import; the sample library by default")

    def handle(self, *args: object, **options: Path | None) -> None:
        call_command("bench_grounding", stdout=self.stdout)
        call_command("bench_reading", stdout=self.stdout)
        sample = sample_path()
        build_sample(sample, say=self.stderr.write)
        library = options["library"] or sample
        with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as data:
            self._measure(Path(data), library.resolve(), sample)

    def _measure(self, data: Path, library: Path, sample: Path) -> None:
        start = time.perf_counter()
        with site(data, "--no-samples") as pid:
            self.stdout.write(f"ready after {time.perf_counter() - start:.1f} s")
            self.stdout.write(f"fetching: {manage(data, 'bench_fetching')}")
            with peak_memory(pid) as peak:
                self.stdout.write(f"import of {library.name}: {manage(data, 'bench_import', str(library))}")
                manage(data, "bench_reports", str(sample), "--by-workers")  # the first one loads the model
                self.stdout.write(f"reports: {manage(data, 'bench_reports', str(sample), '--by-workers')}")
                self.stdout.write(f"reviewing: {manage(data, 'bench_review')}")
                self.stdout.write(f"watching: {manage(data, 'bench_polling')}")
            self.stdout.write(
                f"memory of the site's processes: peak {max(peak):.0f} MB, now {peak[-1]:.0f} MB"
            )


@contextmanager
def peak_memory(pid: int) -> Iterator[list[float]]:
    """Collects the memory of the process tree, in MB, until left."""
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
