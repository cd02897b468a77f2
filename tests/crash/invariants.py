"""Invariants after every run, whatever was killed on the way (spec: durability.md, Invariants). 0 rows each.

Each query is for one tenant whose runs should all be over; `test_invariants.py` shows of each that it can fail.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.db import connection

from research.db.tenancy import tenant_context
from research.models import Run

Rows = list[tuple[object, ...]]
UNFINISHED = "('pending', 'running', 'retrying')"
ENDED = "('completed', 'failed', 'cancelled')"

QUERIES: Mapping[str, str] = {
    # 1
    "a run has not ended": f"SELECT id, state FROM research_run WHERE state NOT IN {ENDED}",
    "a run went on past its deadline": f"""
        SELECT id FROM research_run
        WHERE deadline < now() - interval '10 minutes' AND (state NOT IN {ENDED} OR completed_at > deadline)""",
    # 2
    "a step is unfinished though its run has ended": f"""
        SELECT s.key, s.status FROM research_step s JOIN research_run r ON r.id = s.run_id
        WHERE s.status IN {UNFINISHED} AND r.state IN {ENDED}""",
    "a lease ran out and nobody saw it": """
        SELECT key FROM research_step WHERE status = 'running' AND lease_until < now() - interval '60 seconds'""",
    "a message was not sent": """
        SELECT dedupe_key FROM research_outbox
        WHERE published_at IS NULL AND created_at < now() - interval '60 seconds'""",
    # 3
    "a key twice": "SELECT run_id, key FROM research_step GROUP BY run_id, key HAVING count(*) > 1",
    "an index twice, or a gap": """
        SELECT r.id, r.step_count, count(DISTINCT s.step_index), max(s.step_index)
        FROM research_run r JOIN research_step s ON s.run_id = r.id
        GROUP BY r.id HAVING count(*) <> r.step_count OR count(DISTINCT s.step_index) <> r.step_count
            OR max(s.step_index) <> r.step_count - 1""",
    "a step was done by more than one fence": """
        SELECT key FROM research_step WHERE status = 'completed' AND fence < attempt""",
    # 4
    "pending_children is not the number of unfinished children": f"""
        SELECT parent.key, parent.pending_children, count(child.id)
        FROM research_step parent
        LEFT JOIN research_step child ON child.parent_id = parent.id AND child.status IN {UNFINISHED}
        GROUP BY parent.id HAVING parent.pending_children <> count(child.id)""",
    "a step waited for its children and was passed over": """
        SELECT s.key FROM research_step s JOIN research_run r ON r.id = s.run_id
        WHERE r.state = 'completed' AND s.status = 'skipped' AND s.handler LIKE 'crash.%%'""",
    # 5
    "an answer was asked for again though it was stored": """
        SELECT later.step_key FROM research_modelcall first JOIN research_modelcall later
            ON (later.run_id, later.step_key, later.purpose, later.request_hash)
                = (first.run_id, first.step_key, first.purpose, first.request_hash) AND later.n > first.n
        WHERE first.status = 'stored'""",
    "a call is in flight for ever": """
        SELECT c.step_key FROM research_modelcall c JOIN research_run r ON r.id = c.run_id
        WHERE c.status = 'sent' AND r.state = 'completed'""",
    # 6
    "a reference twice in the ledger": """
        SELECT kind, ref FROM research_creditentry GROUP BY account_id, kind, ref HAVING count(*) > 1""",
    "a movement whose sides do not sum to zero": """
        SELECT kind, ref, sum(amount) FROM research_creditentry GROUP BY kind, ref HAVING sum(amount) <> 0""",
    "credits are still reserved": f"""
        SELECT a.name, sum(e.amount) FROM research_creditentry e JOIN research_creditaccount a ON a.id = e.account_id
        WHERE a.name = 'reserved' AND NOT EXISTS (SELECT 1 FROM research_run WHERE state NOT IN {ENDED})
        GROUP BY a.id HAVING sum(e.amount) <> 0""",
    "an account is below zero": """
        SELECT a.name, sum(e.amount) FROM research_creditentry e JOIN research_creditaccount a ON a.id = e.account_id
        WHERE a.name <> 'granted' GROUP BY a.id HAVING sum(e.amount) < 0""",
    "a charge without an answer": """
        SELECT u.ref FROM research_usageentry u
        WHERE u.ref LIKE 'call:%%' AND NOT EXISTS (
            SELECT 1 FROM research_modelcall c
            WHERE 'call:' || c.id = u.ref AND c.duration_ms IS NOT NULL AND c.status IN ('stored', 'failed'))""",
    "an answer without a charge": """
        SELECT c.step_key FROM research_modelcall c
        WHERE c.status = 'stored' AND NOT EXISTS (SELECT 1 FROM research_usageentry u WHERE u.ref = 'call:' || c.id)""",
    "what was spent is not what was used": """
        SELECT b.run_id, b.spent_usd, sum(u.cost_usd) FROM research_budget b
        LEFT JOIN research_usageentry u ON u.run_id = b.run_id WHERE b.role = ''
        GROUP BY b.id HAVING (b.spent_usd, b.spent_tokens_output)
            <> (coalesce(sum(u.cost_usd), 0), coalesce(sum(u.tokens_output), 0))""",
    "something is reserved for a run that is over": f"""
        SELECT b.run_id, b.role FROM research_budget b JOIN research_run r ON r.id = b.run_id
        WHERE r.state IN {ENDED} AND (b.reserved_usd, b.reserved_tokens_input, b.reserved_tokens_output) <> (0, 0, 0)
        UNION SELECT run_id, role FROM research_reservation""",
    # 7
    "a source twice": """
        SELECT canonical_url FROM research_source GROUP BY run_id, canonical_url HAVING count(*) > 1""",
    "a chunk twice": """
        SELECT text FROM research_chunk GROUP BY source_id, start_offset, end_offset, text HAVING count(*) > 1""",
    "a passage of the library twice": """
        SELECT text FROM research_librarychunk GROUP BY document_id, start_offset, text HAVING count(*) > 1""",
    "a citation twice": """
        SELECT claim_id FROM citations_citation GROUP BY claim_id, citation_index HAVING count(*) > 1""",
    "a source of a completed run that was not read": """
        SELECT s.canonical_url FROM research_source s JOIN research_run r ON r.id = s.run_id
        WHERE r.state = 'completed' AND s.status IN ('pending', 'fetching')""",
    # 8
    "a chunk that does not stand in its source": """
        SELECT c.text FROM research_chunk c JOIN research_source s ON s.id = c.source_id
        JOIN research_content t ON t.id = s.content_id
        WHERE substr(t.text, c.start_offset + 1, c.end_offset - c.start_offset) <> c.text""",
    "a quote that does not stand in its source": """
        SELECT q.quote FROM citations_citation q JOIN research_source s ON s.id = q.source_id
        JOIN research_content t ON t.id = s.content_id
        WHERE substr(t.text, q.start_offset + 1, q.end_offset - q.start_offset) <> q.quote""",
    # 10
    "one order gave two runs": """
        SELECT client_key FROM research_run WHERE client_key IS NOT NULL GROUP BY client_key HAVING count(*) > 1""",
    "a webhook twice": """
        SELECT message_id FROM research_webhookevent GROUP BY provider, message_id HAVING count(*) > 1""",
    "a webhook was taken and came to nothing": """
        SELECT e.message_id FROM research_webhookevent e
        WHERE e.processed_at IS NULL OR e.status IN ('completed', 'failed', 'cancelled') AND NOT EXISTS (
            SELECT 1 FROM research_watchedtask t WHERE t.external_run = e.external_run)""",
    "a task was taken in without its run": """
        SELECT external_run FROM research_watchedtask WHERE state = 'taken_in' AND run_id IS NULL""",
    "a message to a consumer twice": """
        SELECT run_id FROM research_webhookdelivery GROUP BY run_id, consumer HAVING count(*) > 1""",
    "a message is marked that was never taken": """
        SELECT message_id FROM research_webhookdelivery
        WHERE state = 'delivered' AND NOT tries @> '[{"error": ""}]'""",
    "a mail twice": "SELECT kind, ref FROM research_mail GROUP BY kind, ref HAVING count(*) > 1",
    "a question twice": """
        SELECT run_id, rule FROM research_escalation GROUP BY run_id, visit, rule HAVING count(*) > 1""",
    "a question is open though its run has ended": f"""
        SELECT e.rule FROM research_escalation e JOIN research_run r ON r.id = e.run_id
        WHERE e.status = 'open' AND r.state IN {ENDED}""",
}


def find_violations(tenant_id: UUID) -> dict[str, Rows]:
    """The queries that find something, with what they find."""
    found: dict[str, Rows] = {}
    with tenant_context(tenant_id), connection.cursor() as cursor:
        for name, query in QUERIES.items():
            cursor.execute(query, {})
            if rows := cursor.fetchall():
                found[name] = rows
    return found


# --- objects ---


def stray_objects(tenant_id: UUID, files: Path, kept: set[str] | None = None) -> dict[str, set[str]]:
    """9: rows whose bytes are gone. An object that no row names is swept after a day, and may be there before.

    `kept`: the keys in another store than the folder `files`.
    """
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(
            "SELECT raw_key FROM research_content WHERE raw_key <> ''"
            " UNION SELECT object_key FROM exports_export WHERE object_key <> ''"
            " UNION SELECT object_key FROM slides_deckfile WHERE object_key <> ''"
            " UNION SELECT object_key FROM slides_renderedslide UNION SELECT object_key FROM slides_picture"
        )
        named = {row[0] for row in cursor.fetchall()}
    if kept is None:
        kept = {str(path.relative_to(files)) for path in files.glob(f"objects/{tenant_id}/*/*.gz")}
    return {"rows without an object": named - kept, "objects without a row": kept - named}


# --- the two logs that are never killed ---


@dataclass(frozen=True)
class Execution:
    """One time that a step was begun."""

    time: float
    run_id: str
    key: str
    fence: int
    pid: int


def executions(log: Path) -> list[Execution]:
    if not log.exists():
        return []
    whole, _, _being_written = log.read_text(encoding="utf-8").rpartition("\n")
    lines = (line.split() for line in whole.splitlines())
    return [
        Execution(float(moment), run, key, int(fence), int(pid)) for moment, run, key, fence, pid in lines
    ]


def find_repeated_steps(log: Path, runs: Iterable[Run]) -> list[str]:
    """3: steps that were begun again after their result was stored."""
    completed = {}
    for run in runs:
        with tenant_context(run.tenant_id), connection.cursor() as cursor:
            cursor.execute(
                "SELECT key, extract(epoch FROM completed_at) FROM research_step"
                " WHERE run_id = %s AND status = 'completed'",
                [run.pk],
            )
            completed |= {(str(run.pk), key): float(moment) for key, moment in cursor.fetchall()}
    return [
        execution.key
        for execution in executions(log)
        if execution.time > completed.get((execution.run_id, execution.key), execution.time)
    ]


def count_wasted_executions(log: Path, run: Run) -> int:
    """Executions whose result was never stored."""
    keys = [execution.key for execution in executions(log) if execution.run_id == str(run.pk)]
    return len(keys) - len(set(keys))


def count_paid_calls(log: Path) -> Counter[str]:
    """Requests that a provider bills, by key (run/step), as the model server saw them."""
    if not log.exists():
        return Counter()
    calls = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return Counter(call["key"] for call in calls if call["usd"])


def calls_beyond_rows(log: Path, tenant_id: UUID) -> dict[str, tuple[int, int]]:
    """5: steps for which the server was asked more often than rows were claimed: key → requests, rows."""
    rows: dict[str, int] = defaultdict(int)
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute("SELECT run_id || '/' || step_key, count(*) FROM research_modelcall GROUP BY 1")
        rows.update(cursor.fetchall())
        cursor.execute("SELECT id::text FROM research_run")
        runs = {row[0] for row in cursor.fetchall()}
    paid = {key: asked for key, asked in count_paid_calls(log).items() if key.partition("/")[0] in runs}
    return {key: (asked, rows[key]) for key, asked in paid.items() if asked > rows[key]}


def unknown_calls(tenant_id: UUID) -> int:
    """Count calls that may have been paid or not: at most those that were in flight when something was killed."""
    return _count(tenant_id, "SELECT count(*) FROM research_modelcall WHERE status IN ('unknown', 'sent')")


def calls_in_flight(tenant_id: UUID) -> int:
    return _count(tenant_id, "SELECT count(*) FROM research_modelcall WHERE status = 'sent'")


def _count(tenant_id: UUID, query: str) -> int:
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])
