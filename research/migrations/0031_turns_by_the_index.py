"""Whose turn it is, asked so that PostgreSQL sees that the index of claimable steps fits."""

from importlib import import_module

from django.db import migrations

# As migration 0024 says it, but for the three statuses: without them all running steps of a tenant were looked at.
TURN = """
CREATE OR REPLACE FUNCTION plumbline_turn(of_queue varchar, in_region varchar) RETURNS TABLE (tenant_id uuid, run_id uuid)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
WITH under_way AS MATERIALIZED (
    SELECT r.id, r.turn_at,
        max(r.turn_at) OVER (PARTITION BY r.owner_id) AS owner_at,
        max(r.turn_at) OVER (PARTITION BY r.tenant_id) AS tenant_at
    FROM research_run r WHERE r.state NOT IN ('completed', 'failed', 'cancelled')
), next AS MATERIALIZED (
    SELECT r.id FROM under_way JOIN research_run r ON r.id = under_way.id
    WHERE r.cancel_at IS NULL AND r.paused_at IS NULL
        AND EXISTS (
            SELECT FROM research_step s
            WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id AND s.queue = of_queue
                AND s.pending_children = 0 AND s.status IN ('pending', 'retrying', 'running')
                AND (s.status <> 'running' AND coalesce(s.not_before <= clock_timestamp(), true)
                    OR s.status = 'running' AND s.lease_until < clock_timestamp()))
        AND (in_region = '' OR EXISTS (
            SELECT FROM research_tenant t WHERE t.id = r.tenant_id AND t.region IN ('', in_region)))
    ORDER BY greatest(owner_at, tenant_at) NULLS FIRST, owner_at NULLS FIRST,
        under_way.turn_at NULLS FIRST, r.id
    LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED
)
UPDATE research_run run SET turn_at = clock_timestamp() FROM next WHERE run.id = next.id
RETURNING run.tenant_id, run.id
$$;
"""
BEFORE = import_module("research.migrations.0024_turns").TURN.replace(
    "CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"
)


class Migration(migrations.Migration):
    dependencies = [("research", "0030_items_beside")]

    operations = [migrations.RunSQL(TURN, BEFORE)]
