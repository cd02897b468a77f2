"""`bench_reading`: measure web pages and PDFs read, and passages embedded, per second. Needs no services."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from research.evaluation.evaluation_reading_speed import (
    Throughput,
    measure_embedding,
    measure_reading,
    paper,
    web_page,
)
from research.management.command_options import whole
from research.parsing.parsing_child import stop_child
from research.parsing.vectors.embed_texts import builtin_embedder

PAGES = 10  # per PDF


class Command(BaseCommand):
    """Figures hold for this machine under its load at the time; state both when quoting them."""

    help = "Measure reading in the limited child and embedding, on generated web pages and PDFs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--documents", type=whole(), default=200, help="web pages; a tenth as many PDFs")

    def handle(self, *args: object, **options: int) -> None:
        count = max(10, options["documents"])
        try:
            pages, read = measure_reading([web_page(seed) for seed in range(count)], "page.html")
            papers, _ = measure_reading([paper(seed, PAGES) for seed in range(count // 10)], "paper.pdf")
        finally:
            stop_child()
        self._tell("reading", pages, "web pages of 1,000 words")
        self._tell("reading", papers, f"PDFs of {PAGES} pages")
        self._tell("embedding", measure_embedding(builtin_embedder(), read), "passages")

    def _tell(self, what: str, rate: Throughput, things: str) -> None:
        self.stdout.write(
            f"{what}: {rate.count} {things} in {rate.seconds:.1f} s, {rate.a_second:.1f} a second"
        )
