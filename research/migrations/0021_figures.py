"""What an operator is told of all workspaces together: counts, by a function of the tables' owner."""

from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations

# Unfinished steps have an index of their own, unsent messages and mail too; calls come in the order of their time.
FIGURES = """
CREATE FUNCTION plumbline_figures() RETURNS TABLE (name text, label text, value double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
WITH alive AS (
    SELECT id, state, paused_at FROM research_run WHERE state NOT IN ('completed', 'failed', 'cancelled')
), ready AS (
    SELECT step.queue, extract(epoch FROM now() - greatest(step.not_before, step.updated_at)) AS waited_s
    FROM research_step AS step JOIN alive ON alive.id = step.run_id AND alive.paused_at IS NULL
    WHERE step.status IN ('pending', 'retrying') AND step.pending_children = 0
        AND coalesce(step.not_before, '-infinity') <= now()
), calls AS (
    SELECT status, error_code, cost_usd FROM research_modelcall WHERE created_at > now() - interval '1 hour'
)
SELECT 'workspaces', '', count(*) FROM research_tenant
UNION ALL SELECT 'runs', state, count(*) FROM alive GROUP BY state
UNION ALL SELECT 'runs_paused', '', count(paused_at) FROM alive
UNION ALL SELECT 'runs_ended_hour', state, count(*) FROM research_run
    WHERE completed_at > now() - interval '1 hour' GROUP BY state
UNION ALL SELECT 'run_failures_day', failure_code, count(*) FROM research_run
    WHERE completed_at > now() - interval '1 day' AND failure_code <> '' GROUP BY failure_code
UNION ALL SELECT 'steps_ready', queue, count(*) FROM ready GROUP BY queue
UNION ALL SELECT 'steps_ready_oldest_seconds', queue, max(waited_s) FROM ready GROUP BY queue
UNION ALL SELECT 'steps_running', queue, count(*) FROM research_step WHERE status = 'running' GROUP BY queue
UNION ALL SELECT 'leases_expired', '', count(*) FROM research_step WHERE status = 'running' AND lease_until < now()
UNION ALL SELECT 'messages_unsent', '', count(*) FROM research_outbox WHERE published_at IS NULL
UNION ALL SELECT 'messages_unsent_oldest_seconds', '', coalesce(extract(epoch FROM now() - min(created_at)), 0)
    FROM research_outbox WHERE published_at IS NULL
UNION ALL SELECT 'questions_open', priority, count(*) FROM research_escalation WHERE status = 'open' GROUP BY priority
UNION ALL SELECT 'mail_unsent', '', count(*) FROM research_mail WHERE sent_at IS NULL
UNION ALL SELECT 'model_calls_hour', status, count(*) FROM calls GROUP BY status
UNION ALL SELECT 'model_failures_hour', error_code, count(*) FROM calls WHERE error_code <> '' GROUP BY error_code
UNION ALL SELECT 'model_usd_hour', '', coalesce(sum(cost_usd), 0) FROM calls
UNION ALL SELECT 'database_bytes', '', pg_database_size(current_database())
UNION ALL SELECT 'database_connections', '', count(*) FROM pg_stat_activity WHERE datname = current_database()
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("research", "0020_audit_trail")]

    operations = [
        migrations.AddIndex("modelcall", BrinIndex(fields=["created_at"], name="modelcall_by_time")),
        migrations.RunSQL(FIGURES, "DROP FUNCTION plumbline_figures();"),
    ]
