"""Fill an empty database with a generated library by COPY, as its superuser; for benchmarks only."""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql

from research.evaluation.synthetic_evaluation_library import MadeLibrary, MadePassage
from research.models import LibraryChunk, LibraryDocument
from research.models.base_models import new_id
from research.parsing.vectors.embed_texts import MiniLmEmbedder

# The vectors are random, but naming the built-in model keeps a site started on this library from re-embedding
# them.
MODEL = MiniLmEmbedder.model_id
FOLDER = "uploads"
Connection = psycopg.Connection[tuple[object, ...]]

_TENANT = ("id", "name", "region", "tier", "kept_bodies")
_DOCUMENT: Mapping[str, object] = {
    "folder": FOLDER, "url": "", "author": "", "publisher": "", "syndicated_from": "", "published_date": "",
    "modified_date": "", "source_type": "other", "licence": "", "file_size": 0, "raw_sha256": "",
    "status": "ready", "error_code": "", "error_message": "",
}  # fmt: skip
_CHUNK: Mapping[str, object] = {
    "token_count": 150, "boxes": "[]", "section_header": "", "content_type": "paragraph", "is_quote": False,
    "quote_attribution": "", "entities": "[]", "embedding_model": MODEL,
}  # fmt: skip
_DOCUMENT_OWN = ("id", "tenant_id", "updated_at", "path", "title")
_CHUNK_OWN = ("id", "tenant_id", "document_id", "chunk_index", "text", "text_hash", "start_offset",
              "end_offset", "embedding")  # fmt: skip
_CHUNK_TYPES = ("uuid", "uuid", "uuid", "int4", "text", "varchar", "int4", "int4", "vector",
                "int4", "jsonb", "text", "varchar", "bool", "text", "jsonb", "varchar")  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexBuild:
    """The rebuild of an index: duration in seconds and size in bytes."""

    name: str
    seconds: float
    size: int


@dataclass(frozen=True, slots=True)
class FillResult:
    """Tenants in the order of the given sizes, and the seconds of the COPY without indexes."""

    tenants: Sequence[UUID]
    seconds: float


def fill(server: Connection, made: MadeLibrary, sizes: Sequence[int]) -> FillResult:
    """Create a tenant of each size, in passages. Foreign keys are not checked, so `server` must be a
    superuser's.
    """
    began = time.perf_counter()
    register_vector(server)
    tenants = [new_id() for _ in sizes]
    server.execute("SET session_replication_role = replica")
    try:
        _copy(server, "research_tenant", _TENANT, ((id, "made up", "", "pro", "hashed") for id in tenants))
        for number, (tenant, size) in enumerate(zip(tenants, sizes, strict=True)):
            documents = [new_id() for _ in range(-(-size // 40))]
            _copy(
                server,
                LibraryDocument._meta.db_table,
                (*_DOCUMENT_OWN, *_DOCUMENT),
                _documents(tenant, documents),
            )
            passages = made.passages(number, size)
            _copy(
                server,
                LibraryChunk._meta.db_table,
                (*_CHUNK_OWN, *_CHUNK),
                _chunks(tenant, documents, passages),
                _CHUNK_TYPES,
            )
    finally:
        server.execute("SET session_replication_role = DEFAULT")
    return FillResult(tenants, time.perf_counter() - began)


def _copy(
    server: Connection,
    table: str,
    columns: Sequence[str],
    rows: Iterator[tuple[object, ...]],
    types: Sequence[str] = (),
) -> None:
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    form = sql.SQL("(FORMAT BINARY)" if types else "")
    statement = sql.SQL("COPY {} ({}) FROM STDIN {}").format(sql.Identifier(table), names, form)
    with server.cursor() as cursor, cursor.copy(statement) as copy:
        if types:
            copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def _documents(tenant: UUID, ids: Sequence[UUID]) -> Iterator[tuple[object, ...]]:
    for number, id in enumerate(ids):
        yield (id, tenant, "2026-01-01", f"{number}.txt", f"Document {number}", *_DOCUMENT.values())


def _chunks(
    tenant: UUID, documents: Sequence[UUID], passages: Iterator[MadePassage]
) -> Iterator[tuple[object, ...]]:
    for passage in passages:
        digest = hashlib.sha256(passage.text.encode()).hexdigest()
        start = passage.index * 1_000
        yield (
            new_id(),
            tenant,
            documents[passage.document],
            passage.index,
            passage.text,
            digest,
            start,
            start + len(passage.text),
            passage.vector,
            *_CHUNK.values(),
        )


@contextmanager
def without_search_indexes(
    server: Connection, built: list[IndexBuild], memory: str, workers: int
) -> Iterator[None]:
    """Drop the search indexes of passages and rebuild them afterwards: loading row by row takes many times
    as long.
    """
    table = LibraryChunk._meta.db_table
    indexes = server.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexdef ~ 'USING (gin|hnsw)'",
        [table],
    ).fetchall()
    for name, _ in indexes:
        server.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(str(name))))
    yield
    server.execute("SELECT set_config('maintenance_work_mem', %s, false)", [memory])
    server.execute("SELECT set_config('max_parallel_maintenance_workers', %s, false)", [str(workers)])
    for name, definition in indexes:
        began = time.perf_counter()
        server.execute(str(definition).encode())
        seconds = time.perf_counter() - began
        [size] = server.execute("SELECT pg_relation_size(%s::regclass)", [name]).fetchone() or (0,)
        built.append(IndexBuild(str(name), seconds, int(str(size))))
    server.execute(sql.SQL("VACUUM ANALYZE {}").format(sql.Identifier(table)))
