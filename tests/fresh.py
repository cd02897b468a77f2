"""Record the rows of a fresh copy of the template, and make a used one hold them again.

Copying a database of a thousand files takes half a second; putting back the rows of one test takes a hundredth.
"""

from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from config.services.embedded_postgres import connect

Server = psycopg.Connection[tuple[object, ...]]

# Whoever changes a schema, a grant or a setting writes new rows here.
CATALOGS = (
    "pg_attribute",
    "pg_class",
    "pg_constraint",
    "pg_db_role_setting",
    "pg_extension",
    "pg_index",
    "pg_policy",
    "pg_proc",
    "pg_trigger",
    "pg_type",
)
TABLES = """
    SELECT relname, pg_stat_get_tuples_inserted(oid) + pg_stat_get_tuples_updated(oid) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
SEQUENCES = "SELECT sequencename, start_value, last_value FROM pg_sequences WHERE schemaname = 'public'"


@dataclass(frozen=True)
class Fresh:
    """One database, and what was in it at first."""

    sockets: Path
    name: str
    catalogs: list[tuple[object, ...]]
    kept: dict[str, object]  # digests of the tables that migrations filled
    rows: dict[str, bytes]  # and what is in them, as COPY has it
    sequences: dict[object, tuple[object, object]]
    written: dict[str, int]  # to each table, so many rows until it was last emptied

    @staticmethod
    def of(sockets: Path, name: str) -> "Fresh":
        """Record the database `name`, which nobody has used yet."""
        with connect(sockets, name) as server:
            digests = {table: _digest(server, table) for table in _count_written_rows(server)}
            kept = {table: digest for table, digest in digests.items() if digest is not None}
            rows = {table: _copy_rows(server, table) for table in kept}
            return Fresh(
                sockets, name, _catalogs(server), kept, rows, _sequences(server), _count_written_rows(server)
            )

    def put_back(self) -> bool:
        """Put the rows back; False, with nothing done, when the tables themselves have changed.

        Nobody may be connected: what a connection wrote is counted for certain when it has ended.
        """
        with connect(self.sockets, self.name) as server:
            if _catalogs(server) != self.catalogs:
                return False
            changed = [table for table, digest in self.kept.items() if _digest(server, table) != digest]
            self._empty(server)
            self._fill(server, changed)
            self._put_sequences_back(server)
        return True

    def _empty(self, server: Server) -> None:
        now = _count_written_rows(server)
        used = [
            table for table, count in now.items() if count != self.written[table] and table not in self.kept
        ]
        with server.transaction():
            # Neither foreign keys nor rows that the schema protects stand in the way.
            server.execute("SET LOCAL session_replication_role = replica")
            for table in used:
                server.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
        self.written.update(now)

    def _fill(self, server: Server, tables: list[str]) -> None:
        with server.transaction(), server.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table in tables:
                cursor.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
                with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))) as copy:
                    copy.write(self.rows[table])

    def _put_sequences_back(self, server: Server) -> None:
        for name, (start, last) in _sequences(server).items():
            _start, fresh = self.sequences[name]
            if last != fresh:
                called = fresh is not None
                value = fresh if called else start
                server.execute("SELECT setval(quote_ident(%s)::regclass, %s, %s)", [name, value, called])


def _catalogs(server: Server) -> list[tuple[object, ...]]:
    """Return each catalog's number of rows, and the number of the transaction that wrote the last."""
    last = "SELECT count(*), max(xmin::text::bigint) FROM {}"
    return server.execute(
        sql.SQL(" UNION ALL ").join(sql.SQL(last).format(sql.Identifier(catalog)) for catalog in CATALOGS)
    ).fetchall()


def _count_written_rows(server: Server) -> dict[str, int]:
    return {str(table): int(str(count)) for table, count in server.execute(TABLES)}


def _digest(server: Server, table: str) -> object:
    rows = "SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM {} AS t"
    (digest,) = server.execute(sql.SQL(rows).format(sql.Identifier(table))).fetchone() or (None,)
    return digest  # None of an empty one


def _copy_rows(server: Server, table: str) -> bytes:
    with (
        server.cursor() as cursor,
        cursor.copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))) as copy,
    ):
        return b"".join(map(bytes, copy))


def _sequences(server: Server) -> dict[object, tuple[object, object]]:
    return {name: (start, last) for name, start, last in server.execute(SEQUENCES)}
