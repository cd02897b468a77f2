"""Each invariant can fail: what it forbids is done on purpose, in a database whose own rules are out of the way."""

import json

import pytest
from django.db import connections, transaction

from research.db.tenancy import tenant_context
from research.models import Run
from tests.crash import invariants
from tests.crash.invariants import QUERIES
from tests.engine.conftest import owner, start_toy, tenant  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])
RULES = """
SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname) FROM pg_constraint
WHERE contype IN ('u', 'c', 'f', 'n') AND connamespace = 'public'::regnamespace AND conparentid = 0
    AND NOT (contype = 'n' AND conrelid IN (SELECT conrelid FROM pg_constraint p WHERE p.contype = 'p'
        AND p.conkey @> pg_constraint.conkey))
"""
ENDED = "UPDATE research_run SET state = 'completed'; UPDATE research_step SET status = 'completed';"
CALL = "INSERT INTO research_modelcall (id, tenant_id, run_id, step_key, purpose, request_hash, n, status, duration_ms)"
ONE_CALL = f"{CALL} VALUES (gen_random_uuid(), {{tenant}}, {{run}}, 'a', 'ask', 'h', 0, 'stored', 5);"
ENTRY = "INSERT INTO research_creditentry (id, tenant_id, account_id, kind, amount, ref)"
ACCOUNT = (
    "INSERT INTO research_creditaccount (id, tenant_id, name)"
    " VALUES ('00000000-0000-7000-8000-000000000001', {tenant}, 'reserved');"
)
ENTRY_OF = (
    f"{ENTRY} VALUES (gen_random_uuid(), {{tenant}}, '00000000-0000-7000-8000-000000000001', 'reserve', "
)
SOURCE = (
    "INSERT INTO research_content (id, tenant_id, text)"
    " VALUES ('00000000-0000-7000-8000-00000000000c', {tenant}, 'abc');"
    "INSERT INTO research_source (id, tenant_id, run_id, canonical_url, content_id, status)"
    " VALUES ('00000000-0000-7000-8000-00000000000a', {tenant}, {run}, 'u', '00000000-0000-7000-8000-00000000000c',"
    " 'pending');"
)
CHUNK = (
    "INSERT INTO research_chunk (id, tenant_id, run_id, source_id, start_offset, end_offset, text) VALUES"
    " (gen_random_uuid(), {tenant}, {run}, '00000000-0000-7000-8000-00000000000a', 0, 2, 'ab');"
)
QUOTE = (
    "INSERT INTO citations_citation (id, tenant_id, claim_id, citation_index, source_id, start_offset, end_offset,"
    " quote) VALUES (gen_random_uuid(), {tenant}, {tenant}, 1, '00000000-0000-7000-8000-00000000000a', 0, 2, 'ab');"
)
PASSAGE = (
    "INSERT INTO research_librarychunk (id, tenant_id, document_id, start_offset, text)"
    " VALUES (gen_random_uuid(), {tenant}, {run}, 0, 'ab');"
)
QUESTION = (
    "INSERT INTO research_escalation (id, tenant_id, run_id, visit, rule, status)"
    " VALUES (gen_random_uuid(), {tenant}, {run}, 'v', 'r', 'open');"
)
BUDGET = (
    "INSERT INTO research_budget (id, tenant_id, run_id, role, spent_usd, spent_tokens_output, reserved_usd,"
    " reserved_tokens_input, reserved_tokens_output) VALUES (gen_random_uuid(), {tenant}, {run}, '', "
)
MAIL = "INSERT INTO research_mail (id, tenant_id, kind, ref) VALUES (gen_random_uuid(), {tenant}, 'k', 'r');"
EVENT = (
    "INSERT INTO research_webhookevent (id, tenant_id, provider, message_id, external_run, status, processed_at)"
    " VALUES (gen_random_uuid(), {tenant}, 'parallel', 'm', 'e', 'completed', now());"
)
TASK = (
    "INSERT INTO research_watchedtask (id, tenant_id, external_run, state, run_id)"
    " VALUES (gen_random_uuid(), {tenant}, 'e', 'taken_in', {run});"
)
DELIVERY = (
    "INSERT INTO research_webhookdelivery (id, tenant_id, run_id, consumer, message_id, state, tries)"
    " VALUES (gen_random_uuid(), {tenant}, {run}, 'rewrite', 'm', 'waiting', '[]');"
)
RUN_AGAIN = (
    "INSERT INTO research_run (id, tenant_id, state, client_key)"
    " SELECT gen_random_uuid(), tenant_id, state, client_key FROM research_run;"
)
STEP_AGAIN = (
    "INSERT INTO research_step (id, tenant_id, run_id, key, step_index, status)"
    " SELECT gen_random_uuid(), tenant_id, run_id, key, step_index, status FROM research_step;"
)
# What is forbidden → how it is done to a run that has just been started.
BREAKS = {
    "a run has not ended": "SELECT 1",
    "a run went on past its deadline": "UPDATE research_run SET deadline = now() - interval '11 minutes'",
    "a step is unfinished though its run has ended": "UPDATE research_run SET state = 'completed'",
    "a lease ran out and nobody saw it": (
        "UPDATE research_step SET status = 'running', lease_until = now() - interval '61 seconds'"
    ),
    "a message was not sent": (
        "UPDATE research_outbox SET published_at = NULL, created_at = now() - interval '61 seconds'"
    ),
    "a key twice": STEP_AGAIN,
    "an index twice, or a gap": "UPDATE research_run SET step_count = step_count + 1",
    "a step was done by more than one fence": "UPDATE research_step SET status = 'completed', attempt = 2, fence = 1",
    "pending_children is not the number of unfinished children": "UPDATE research_step SET pending_children = 1",
    "a step waited for its children and was passed over": (
        f"{ENDED} UPDATE research_step SET status = 'skipped', handler = 'crash.sum'"
    ),
    "an answer was asked for again though it was stored": ONE_CALL + ONE_CALL.replace("'h', 0", "'h', 1"),
    "a call is in flight for ever": f"{ENDED} {ONE_CALL.replace('stored', 'sent')}",
    "a reference twice in the ledger": f"{ACCOUNT} {ENTRY_OF} 5, 'r'); {ENTRY_OF} 5, 'r');",
    "a movement whose sides do not sum to zero": f"{ACCOUNT} {ENTRY_OF} 5, 'r');",
    "credits are still reserved": f"{ENDED} {ACCOUNT} {ENTRY_OF} 5, 'r');",
    "an account is below zero": f"{ACCOUNT} {ENTRY_OF} -5, 'r');",
    "a charge without an answer": (
        "INSERT INTO research_usageentry (id, tenant_id, run_id, ref)"
        " VALUES (gen_random_uuid(), {tenant}, {run}, 'call:x')"
    ),
    "an answer without a charge": ONE_CALL,
    "what was spent is not what was used": f"{BUDGET} 1, 0, 0, 0, 0)",
    "something is reserved for a run that is over": f"{ENDED} {BUDGET} 0, 0, 1, 0, 0)",
    "a source twice": SOURCE + SOURCE.replace("00a'", "00b'").replace("00c'", "00d'"),
    "a chunk twice": SOURCE + CHUNK + CHUNK,
    "a passage of the library twice": PASSAGE + PASSAGE,
    "a citation twice": SOURCE + QUOTE + QUOTE,
    "a source of a completed run that was not read": ENDED + SOURCE,
    "a chunk that does not stand in its source": SOURCE + CHUNK.replace("'ab'", "'bc'"),
    "a quote that does not stand in its source": SOURCE + QUOTE.replace("'ab'", "'bc'"),
    "one order gave two runs": "UPDATE research_run SET client_key = 'k'; " + RUN_AGAIN,
    "a webhook twice": TASK + EVENT + EVENT.replace("'completed'", "'running'"),
    "a webhook was taken and came to nothing": EVENT,
    "a task was taken in without its run": TASK.replace("{run}", "NULL"),
    "a message to a consumer twice": DELIVERY + DELIVERY,
    "a message is marked that was never taken": DELIVERY.replace("'waiting'", "'delivered'"),
    "a mail twice": MAIL + MAIL,
    "a question twice": QUESTION + QUESTION,
    "a question is open though its run has ended": ENDED + QUESTION,
}


@pytest.fixture
def lawless(start_toy):  # noqa: F811 - the fixture
    """A run, and a cursor of the owner without any rule in the way; all is undone at the end."""
    run: Run = start_toy()
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        cursor.execute(RULES)
        for (statement,) in cursor.fetchall():
            cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield run, cursor
        transaction.set_rollback(True, using="owner")


def rows_of(cursor, name):
    cursor.execute(QUERIES[name], {})
    return cursor.fetchall()


def test_each_breach_is_seen_and_nothing_else_is_taken_for_one(lawless):
    run, cursor = lawless
    names = {"tenant": f"'{run.tenant_id}'", "run": f"'{run.pk}'"}
    seen = set()
    for name, how in BREAKS.items():
        assert name == "a run has not ended" or rows_of(cursor, name) == []
        cursor.execute("SAVEPOINT before")
        cursor.execute(how.format(**names))
        seen |= {name} if rows_of(cursor, name) else set()
        cursor.execute("ROLLBACK TO SAVEPOINT before")
    assert seen == QUERIES.keys()


def test_a_row_whose_bytes_are_gone_is_seen(start_toy, tmp_path):  # noqa: F811
    run = start_toy()
    key = f"objects/{run.tenant_id}/ab/abc.gz"
    (tmp_path / key).parent.mkdir(parents=True)
    (tmp_path / key).touch()
    assert invariants.stray_objects(run.tenant_id, tmp_path)["objects without a row"] == {key}


def test_a_step_begun_after_its_end_is_seen(start_toy, tmp_path):  # noqa: F811
    run, log = start_toy(), tmp_path / "executions.log"
    with tenant_context(run.tenant_id):
        run.steps.update(status="completed", completed_at="2026-01-01T00:00:00Z")
    end = 1767225600
    log.write_text(f"{end - 1} {run.pk} 0.created 1 7\n")
    assert invariants.find_repeated_steps(log, [run]) == []
    log.write_text(f"{end - 1} {run.pk} 0.created 1 7\n{end + 1} {run.pk} 0.created 2 8\n")
    assert invariants.find_repeated_steps(log, [run]) == ["0.created"]
    assert invariants.count_wasted_executions(log, run) == 1


def test_a_call_that_no_row_announced_is_seen(start_toy, tmp_path):  # noqa: F811
    run, log = start_toy(), tmp_path / "calls.log"
    log.write_text(json.dumps({"key": f"{run.pk}/a", "time": 0, "usd": 0.1}) + "\n")
    assert invariants.calls_beyond_rows(log, run.tenant_id) == {f"{run.pk}/a": (1, 0)}
