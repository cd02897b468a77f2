"""`bench_grounding`: measure verification, claim grouping and quote search on generated text. Needs no
services.
"""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from research.evaluation.evaluation_grounding_speed import (
    time_anchoring,
    time_grouping,
    verifications_per_second,
)
from research.management.command_options import whole


class Command(BaseCommand):
    """Figures hold for this machine under its load at the time; state both when quoting them."""

    help = "Measure verification, grouping and anchoring on generated text."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--verifications", type=whole(), default=600)
        parser.add_argument("--claims", type=whole(), default=10_000)
        parser.add_argument("--characters", type=whole(), default=1_000_000)

    def handle(self, *args: object, **options: int) -> None:
        rate = verifications_per_second(options["verifications"])
        self.stdout.write(f"verification: {rate:.0f} claims/s against passages of 1,000 characters")
        claims = options["claims"]
        self.stdout.write(f"grouping: {claims:,} claims in {time_grouping(claims):.1f} s")
        self.stdout.write(f"a quote of 200 characters in {options['characters']:,}, prepared / new:")
        for time in time_anchoring(options["characters"]):
            self.stdout.write(f"  {time.quote:<10} {time.warm_ms:6.1f} ms / {time.cold_ms:6.1f} ms")
