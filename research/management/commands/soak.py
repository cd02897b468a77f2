"""`soak`: run a fresh site for hours and check that it neither grows nor leaves work behind after the warm-up."""

import json
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.services.installation import supervisor_of
from research.library.library_folders import sample_path
from research.library.sample.build_sample_library import build_sample
from research.management.bench_fresh_site import address_of, environment, manage, site
from research.management.command_options import above_zero, folder, whole
from research.management.soaking.soak_measures import ResourceSample, by_role, growths, look
from research.management.soaking.soak_workload import SoakResults, SoakWorkload
from research.ops.metrics import figures
from research.pipelines.pipeline_in_foreground import workplace

WARM_UP = 0.2  # of the whole time: caches fill, models and code are loaded
MIN_WARM_UP_S, MAX_WARM_UP_S = 5.0, 1800.0
LOOKS = 120  # of a soak
SETTLED_S = 180.0  # what is left when nobody asks any more must be done by then
MUST_BE_NONE = ("leases_expired", "messages_unsent", "steps_running", "steps_ready", "runs")
# Files and questions an hour are limited for people's sake, not for the machine's.
LIMITS = "exports_an_hour=1000000, runs=50"


class Command(BaseCommand):
    help = (
        "Work at a fresh site for hours: runs of every kind by rules, their files, people who look on."
        " Exit status 1: memory or open files grew by a tenth or more after the warm-up, or something got stuck."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--minutes", type=above_zero, default=480)
        parser.add_argument(
            "--askers",
            type=whole(),
            default=2,
            help="number of users, each of whom starts one run after another",
        )
        parser.add_argument("--viewers", type=whole(0), default=10)
        parser.add_argument(
            "--library", type=folder, metavar="DIR", help="documents to ask; the sample library by default"
        )
        parser.add_argument(
            "--site", type=whole(), metavar="PID", help="PID of a running site to use instead"
        )

    def handle(self, *args: object, **options: str | None) -> None:
        if options["site"] is None:
            self._in_a_fresh_site(options)
        else:
            self._here(own_site(int(options["site"])), float(str(options["minutes"])) * 60, options)

    def _in_a_fresh_site(self, options: dict[str, str | None]) -> None:
        library = Path(options["library"] or sample_path())
        if not options["library"]:
            build_sample(library, say=self.stderr.write)
        os.environ["PLUMBLINE_LIMITS"] = LIMITS
        with tempfile.TemporaryDirectory(prefix="plumbline-soak-") as folder:
            data = Path(folder)
            with site(data, "--no-samples") as pid:
                manage(data, "import_library", str(library.resolve()))
                given = (f"--{name}={options[name]}" for name in ("minutes", "askers", "viewers"))
                done = subprocess.run(  # noqa: S603 - our own command
                    [sys.executable, "manage.py", "soak", f"--site={pid}", *given],
                    cwd=settings.BASE_DIR,
                    env=environment(data),
                    check=False,
                )
        if done.returncode:
            raise CommandError("The soak found something: see above.")

    def _here(self, pid: int, lasts_s: float, options: dict[str, str | None]) -> None:
        warm_up_s = min(max(WARM_UP * lasts_s, MIN_WARM_UP_S), MAX_WARM_UP_S)
        with workplace() as account:
            work = SoakWorkload(
                account,
                address_of(settings.PATHS.data),
                askers=int(str(options["askers"])),
                viewers=int(str(options["viewers"])),
            )
            with work:
                looks = list(self._looks(pid, lasts_s, work))
                lost = ["a thread of the soak died: its traceback stands above"] if work.has_lost_one else []
            left = find_leftovers()
        wrong = [*work.soaked.faults, *left, *lost]
        self._tell(looks, warm_up_s, work.soaked)
        wrong += self._check_growth(looks, warm_up_s)
        if wrong:
            raise CommandError("; ".join(wrong))

    def _looks(self, pid: int, lasts_s: float, work: SoakWorkload) -> Iterator[ResourceSample]:
        begun = time.monotonic()
        while (at_s := time.monotonic() - begun) < lasts_s and not work.has_lost_one:
            sample = look(pid, at_s, database_mb())
            yield sample
            self.stderr.write(
                f"{at_s / 60:6.1f} min  {sample.ours_mb:6.0f} MB  {sample.our_files:5d} files"
                f"  database {sample.database_mb:6.0f} MB  {sum(work.soaked.ended.values())} runs"
            )
            time.sleep(min(max(lasts_s / LOOKS, 0.5), lasts_s - at_s))

    def _check_growth(self, looks: Sequence[ResourceSample], warm_up_s: float) -> list[str]:
        try:
            measured = growths(looks, warm_up_s)
        except ValueError as error:
            return [str(error)]
        for growth in measured:
            self.stdout.write(
                f"{growth.name}: {growth.before:.0f} → {growth.after:.0f} ({growth.share:+.1%})"
            )
        return [f"{growth.name} grew by {growth.share:.1%}" for growth in measured if growth.is_too_much]

    def _tell(self, looks: Sequence[ResourceSample], warm_up_s: float, soaked: SoakResults) -> None:
        self.stdout.write(f"{'':12}{'after warm-up':>14}{'at the end':>12}{'most':>8}  MB")
        for role, first, last, most in by_role(looks, warm_up_s):
            self.stdout.write(f"{role:12}{first:14.0f}{last:12.0f}{most:8.0f}")
        told = {"runs": soaked.ended, "files": soaked.files, "answers": soaked.answers}
        self.stdout.write(json.dumps(told))
        self.stdout.write(
            f"database: {looks[0].database_mb:.0f} → {looks[-1].database_mb:.0f} MB; "
            f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )


def own_site(pid: int) -> int:
    """Return `pid` if it is this data folder's site, because no other may be measured. Raises CommandError."""
    supervisor = supervisor_of(settings.PATHS)
    if supervisor is None:
        raise CommandError(
            f"No site runs in {settings.PATHS.data}: start one with “up”, or leave out --site."
        )
    if supervisor != pid:
        raise CommandError(f"The site of {settings.PATHS.data} is process {supervisor}, not {pid}.")
    return pid


def find_leftovers() -> list[str]:
    """Wait up to `SETTLED_S` for all work to end and describe what is left."""
    until = time.monotonic() + SETTLED_S
    while True:
        figures.forget()
        left = [
            f"{figure.name} {figure.label} {figure.value:.0f}".replace("  ", " ")
            for figure in figures.latest()
            if figure.name in MUST_BE_NONE and figure.value
        ]
        if not left or time.monotonic() > until:
            return left
        time.sleep(1.0)


def database_mb() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return float(cursor.fetchone()[0]) / 2**20
