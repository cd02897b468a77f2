"""`bench_review`: measure how long a reviewer waits for the next item in a review of fifty claims."""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.services.embedded import run_services
from research.accounts.people import PersonalAccount, ensure_local_account
from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.management.bench_viewer import percentile
from research.management.command_options import whole
from research.models import Kind, ReviewAct, ReviewItem
from research.models.schemas import StoredDecision
from research.pipelines.pipeline_in_foreground import ask
from research.review.decide_review_items import decide
from research.review.review_evidence import evidence_of
from research.review.review_queue import take_next

ITEMS = 51  # fifty with a successor, and the last
TOWNS = 72  # one claim each; identical sentences would be merged
GOAL_MS = 150
QUESTION = "What does a heat pump cost in the towns of the north, and how many were sold there?"


@dataclass(frozen=True, slots=True)
class KeyTiming:
    """The time of one keystroke: storing the decision and loading the next item with its evidence."""

    decide_ms: float
    next_ms: float
    cpu_ms: float  # of this process alone, so it does not depend on the machine's load

    @property
    def ms(self) -> float:
        return self.decide_ms + self.next_ms


class Command(BaseCommand):
    """Figures hold for this machine under its load at the time; state both when quoting them."""

    help = "Measure deciding and the next item over a review of fifty claims, with the real database."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--items", type=whole(), default=ITEMS)

    def handle(self, *args: object, **options: int) -> None:
        with run_services():
            call_command("migrate", verbosity=0)
            account = ensure_local_account()
            run_id = self._report(account)
            turns = list(_review(account, run_id, options["items"]))
        self._tell(turns)

    def _report(self, account: PersonalAccount) -> UUID:
        with tempfile.TemporaryDirectory(prefix="plumbline-review-") as folder:
            Path(folder, "towns.md").write_text(_document(), encoding="utf-8")
            key = import_folder(account.tenant_id, Path(folder)).folder
            config = {"folders": [key], "reviews": "ask", "max_quotes": 200}
            document = ask(account, Kind.REPORT, QUESTION, config)
        with tenant_context(account.tenant_id):
            items = ReviewItem.objects.filter(run=document.run_id).count()
        self.stdout.write(f"report of {len(document.claims)} claims, {items} to be looked at")
        return document.run_id

    def _tell(self, turns: list[KeyTiming]) -> None:
        if len(turns) < 2:
            raise CommandError("There was nothing to decide.")
        *most, last = turns
        found = sorted(turn.ms for turn in most)
        self.stdout.write(
            f"decide and next: n {len(found)}  median {statistics.median(found):.0f} ms  "
            f"p95 {percentile(found, 0.95):.0f} ms  most {found[-1]:.0f} ms  "
            f"(goal {GOAL_MS} ms: {sum(ms < GOAL_MS for ms in found)} of {len(found)}); "
            f"CPU of this process {statistics.median(turn.cpu_ms for turn in most):.0f} ms, "
            f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores\n"
            f"the last, with the whole report checked anew: {last.decide_ms:.0f} ms"
        )


def _document() -> str:
    """Return a document of sentences that differ enough to become separate claims."""
    lines = ["# Heat pumps in the towns of the north", ""]
    for number in range(TOWNS):
        name = f"{'ABDEFGHKLMNRSTUV'[number % 16]}{'aeiou'[number % 5]}{'lmnrst'[number % 6]}{'bdgk'[number % 4]}y"
        lines += [f"A heat pump in the town of {name}{number} costs {9_000 + 137 * number:,} euros.", ""]
    return "\n".join(lines)


def _review(account: PersonalAccount, run_id: UUID, most: int) -> Iterator[KeyTiming]:
    """Accept the items one by one, with the decision and the next item in separate transactions as on the
    page.
    """
    with tenant_context(account.tenant_id):
        rows = ReviewItem.objects.filter(run=run_id).order_by("position")
        left = list(rows.values_list("pk", flat=True))
        for pk in left[most:]:  # items beyond `most` are decided without being timed
            decide(pk, account.user, ReviewAct.ACCEPT, StoredDecision())
        item = take_next(account.user, run_id)
    while item is not None:
        start, cpu = time.perf_counter(), time.process_time()
        with tenant_context(account.tenant_id):
            decide(item.pk, account.user, ReviewAct.ACCEPT, StoredDecision(note="Looked at."))
        decided = time.perf_counter()
        with tenant_context(account.tenant_id):
            item = take_next(account.user, run_id, after=item.pk)
            if item is not None:
                evidence_of(item)
        end, used = time.perf_counter(), time.process_time() - cpu
        yield KeyTiming(1_000 * (decided - start), 1_000 * (end - decided), 1_000 * used)
