"""`bench_retrieval`: measure vector search and whole retrievals in a large generated library of many tenants.

Needs an empty data folder.
"""

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from uuid import UUID

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.services.embedded import use_services
from config.services.embedded_postgres import Postgres, connect
from config.services.embedded_valkey import Valkey
from research.db.tenancy import tenant_context
from research.evaluation.synthetic_evaluation_library import MadeLibrary, Vectors
from research.extractive.question.parsed_question import analyse
from research.library.library_scope import LibraryScope
from research.library.retrieval.hybrid_retrieval import (
    EXACT_BELOW,
    QueryVector,
    cards,
    nearest,
    rarity,
    retrieve,
)
from research.management.bench_filled_database import (
    MODEL,
    Connection,
    IndexBuild,
    fill,
    without_search_indexes,
)
from research.management.bench_viewer import percentile
from research.management.command_options import whole
from research.models import LibraryChunk

MEASURED = (1_000, 10_000, 30_000, 100_000)  # passages of the measured tenants
OTHERS = 2_000  # passages of each other tenant
TOP = 10
# Settings of a server for this much data; the embedded server's defaults are for a few users.
ROOMY = {"shared_buffers": "1GB", "max_wal_size": "16GB", "checkpoint_timeout": "30min"}


class Command(BaseCommand):
    """Figures hold for this machine under its load at the time; state both when quoting them."""

    help = "Measure search by meaning: times, recall@10 against exact, rows of other tenants, by size of the tenant."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--chunks", type=whole(), default=100_000, help="chunks of all tenants; a million needs 6 GB"
        )
        parser.add_argument("--questions", type=whole(), default=30)
        parser.add_argument("--memory", default="4GB", help="memory for building the index")
        parser.add_argument("--again", action="store_true", help="use the data of an earlier call")

    def handle(self, *args: object, **options: object) -> None:
        chunks, questions = int(str(options["chunks"])), int(str(options["questions"]))
        with use_services(settings.PATHS, [Postgres(settings.PATHS, settings=ROOMY), Valkey(settings.PATHS)]):
            call_command("migrate", verbosity=0)
            with connect(settings.PATHS.postgres_sockets, "plumbline") as server:
                sizes = sizes_of(chunks)
                repeated = again(server, questions) if options["again"] else None
                for line in repeated or measure_tenants(server, sizes, questions, str(options["memory"])):
                    self.stdout.write(json.dumps(line))


def sizes_of(chunks: int) -> list[int]:
    """Return the number of passages of each tenant: the measured sizes as far as they fit, then others."""
    found = [size for size in MEASURED if 2 * size <= chunks]
    return [*found, *[OTHERS] * ((chunks - sum(found)) // OTHERS)]


def measure_tenants(
    server: Connection, sizes: Sequence[int], questions: int, memory: str
) -> Iterator[dict[str, object]]:
    """Fill the database, yield a line about that, then one per measured tenant. Raises CommandError if it
    is not empty.
    """
    if server.execute("SELECT 1 FROM research_librarychunk LIMIT 1").fetchone():
        raise CommandError("This database is in use: name an empty folder with PLUMBLINE_DATA.")
    made, built = MadeLibrary(), list[IndexBuild]()
    with without_search_indexes(server, built, memory, os.cpu_count() or 1):
        filled = fill(server, made, sizes)
    yield {
        "passages": sum(sizes),
        "filled_s": round(filled.seconds, 1),
        "indexes": {index.name: {"s": round(index.seconds, 1), "mb": index.size // 10**6} for index in built},
    }
    for tenant, size in zip(filled.tenants, sizes, strict=True):
        if size in MEASURED:
            yield measure_searches(tenant, size, list(made.questions(2 * questions)))


def again(server: Connection, questions: int) -> Iterator[dict[str, object]]:
    """Measure again without filling and yield a line per measured tenant."""
    counted = "SELECT tenant_id, count(*) FROM research_librarychunk GROUP BY 1 ORDER BY 2"
    for tenant, size in server.execute(counted).fetchall():
        if size in MEASURED:
            yield measure_searches(
                UUID(str(tenant)), int(str(size)), list(MadeLibrary().questions(2 * questions))
            )


def measure_searches(tenant: UUID, size: int, asked: Sequence[tuple[str, Vectors]]) -> dict[str, object]:
    """Measure searches of one tenant; the first half of the questions only warms up.

    Each search runs as in a run, with the application's database role. The exact searches come last,
    because they read all
    vectors and would evict the index from the cache.
    """
    half = len(asked) // 2
    times, answers = zip(*(_nearest_ms(tenant, size, vector) for _, vector in asked), strict=True)
    whole = sorted([_retrieval_ms(tenant, text, QueryVector(MODEL, vector)) for text, vector in asked][half:])
    warm, second_half = sorted(times[half:]), answers[half:]
    exact = [_nearest_ms(tenant, min(size, EXACT_BELOW), vector)[1] for _, vector in asked[half:]]
    right = sum(len({*some[:TOP]} & {*best[:TOP]}) for some, best in zip(second_half, exact, strict=True))
    return {
        "tenant": size,
        "questions": len(warm),
        "p50_ms": round(percentile(warm, 0.5)),
        "p95_ms": round(percentile(warm, 0.95)),
        "retrieval_p50_ms": round(percentile(whole, 0.5)),
        "retrieval_p95_ms": round(percentile(whole, 0.95)),
        "recall_at_10": round(right / (TOP * len(warm)), 3),
        "foreign_rows": sum(_foreign(tenant, some) for some in second_half),
        "load": round(os.getloadavg()[0], 1),
    }


def _nearest_ms(tenant: UUID, size: int, vector: Vectors) -> tuple[float, list[UUID]]:
    with tenant_context(tenant):
        began = time.perf_counter()
        found = nearest(LibraryScope(), QueryVector(MODEL, vector), size)
        return 1_000 * (time.perf_counter() - began), found


def _foreign(tenant: UUID, found: Sequence[UUID]) -> int:
    with tenant_context(tenant):
        return len(found) - LibraryChunk.objects.filter(pk__in=found, tenant=tenant).count()


def _retrieval_ms(tenant: UUID, text: str, meaning: QueryVector) -> float:
    """Return the milliseconds of a whole retrieval: counting words, reading titles and finding passages."""
    began = time.perf_counter()
    with tenant_context(tenant):
        question, scope = analyse(text), LibraryScope()
        retrieve(question, meaning, scope, known=cards(scope), rare=rarity(question, scope))
    return 1_000 * (time.perf_counter() - began)
