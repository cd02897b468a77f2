"""`bench_time_left`: replay finished runs and measure how often the estimated time left was right."""

import statistics
from argparse import ArgumentParser
from collections.abc import Sequence

from django.core.management.base import BaseCommand, CommandError

from research.db.tenancy import tenant_context
from research.evaluation.evaluation_of_time_left import ReplayedEstimate, replay
from research.management.command_options import whole
from research.models import Run, State
from research.pipelines.pipeline_in_foreground import workplace

GOAL = 0.8


class Command(BaseCommand):
    """Uses the runs of this installation's account, so some must have finished."""

    help = "Replay finished runs: how often was the true end within the estimated range of the time left?"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", help="whose runs; the local account's by default")
        parser.add_argument(
            "--newest", type=whole(), default=200, help="maximum number of runs; 200 by default"
        )

    def handle(self, *args: object, **options: object) -> None:
        user = options["user"]
        with workplace(str(user) if user else None) as account, tenant_context(account.tenant_id):
            done = Run.objects.filter(state=State.COMPLETED).order_by("-created_at")
            runs = list(done[: int(str(options["newest"]))])
            self._tell(len(runs), [moment for run in runs for moment in replay(run)])

    def _tell(self, runs: int, moments: Sequence[ReplayedEstimate]) -> None:
        estimated = [moment for moment in moments if moment.told is not None]
        if not estimated:
            raise CommandError("Nothing was told in any run: at least four finished ones alike are needed.")
        self.stdout.write(f"{runs} runs, {len(moments)} moments; a time was told at {len(estimated)}")
        self.stdout.write(f"held the true end: {_share(estimated)} (goal {GOAL:.0%})")
        long = [estimate for estimate in estimated if estimate.true_s > 60]
        if long:
            self.stdout.write(f"with more than a minute left: {_share(long)}; {_widths(long)}")


def _share(told: Sequence[ReplayedEstimate]) -> str:
    held = sum(estimate.is_right for estimate in told)
    return f"{held} of {len(told)}, {held / len(told):.0%}"


def _widths(told: Sequence[ReplayedEstimate]) -> str:
    """Describe how wide the estimated ranges are: a range from zero to an hour would always be right."""
    ranges = [estimate.told.minutes for estimate in told if estimate.told is not None]
    width = statistics.median(high - low for low, high in ranges)
    rest = statistics.median(estimate.true_s for estimate in told)
    return f"median width {width:.0f} min, median true rest {rest:.0f} s"
