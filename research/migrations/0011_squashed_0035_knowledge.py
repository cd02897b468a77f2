"""What people do with runs, as migrations 0011 to 0035 leave it.

Apart from 0001 to 0010, since some of it belongs to the claims, which belong to runs.
"""

import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import research.models.base_models
from research.db.apply_in_one_statement import ApplyTogether
from research.db.row_level_security import IsolateTenants

# Composite with the tenant, as `IsolateTenants` makes those of new tables.
SCHEDULE_OF_TENANT = """
ALTER TABLE research_run ADD CONSTRAINT research_run_schedule_id_of_tenant
FOREIGN KEY (tenant_id, schedule_id) REFERENCES research_schedule (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
"""
HISTORY = """
CREATE TRIGGER review_decisions_are_history BEFORE UPDATE ON research_reviewdecision
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('a decision');
CREATE TRIGGER plan_versions_are_history BEFORE UPDATE ON research_planversion
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('an earlier plan');
"""
NO_HISTORY = """
DROP TRIGGER review_decisions_are_history ON research_reviewdecision;
DROP TRIGGER plan_versions_are_history ON research_planversion;
"""
# A program has no session, so no tenant is set yet: the function says for whom, where and how far a token acts. One
# whose user has left the workspace, or may not sign in any more, opens nothing.
LET_IN = """
CREATE POLICY owner_reads ON research_apitoken FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION plumbline_token(of_token varchar)
    RETURNS TABLE (token_id uuid, tenant_id uuid, user_id integer, role varchar, scopes varchar, last_used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT t.id, t.tenant_id, t.user_id, m.role, t.scopes, t.last_used_at
        FROM research_apitoken t
        JOIN research_membership m ON m.tenant_id = t.tenant_id AND m.user_id = t.user_id
        JOIN auth_user u ON u.id = t.user_id AND u.is_active
        WHERE t.token_hash = of_token AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())';
"""
DROP_LET_IN = "DROP FUNCTION plumbline_token(varchar);"
# Of no workspace: everybody's request may add one, and an operator's transaction alone sees any.
OF_THE_SITE = """
ALTER TABLE research_siteauditentry ENABLE ROW LEVEL SECURITY;
ALTER TABLE research_siteauditentry FORCE ROW LEVEL SECURITY;
CREATE POLICY anybody_adds ON research_siteauditentry FOR INSERT WITH CHECK (true);
CREATE POLICY operators_read ON research_siteauditentry FOR SELECT
    USING (current_setting('plumbline.operator', true) = 'on');
CREATE POLICY owner_erases ON research_siteauditentry TO CURRENT_USER USING (true);
"""
# Rows stay, whoever asks. Only who owns the tables deletes any, and only of the workspace that is being erased.
STAYS = """
CREATE FUNCTION research_audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('plumbline.erasing', true)
        = coalesce(to_jsonb(OLD) ->> 'tenant_id', 'site') THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit trail is append-only: rows of % stay as they are', TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER audit_entries_are_append_only BEFORE UPDATE OR DELETE ON research_auditentry
    FOR EACH ROW EXECUTE FUNCTION research_audit_stays();
CREATE TRIGGER site_audit_entries_are_append_only BEFORE UPDATE OR DELETE ON research_siteauditentry
    FOR EACH ROW EXECUTE FUNCTION research_audit_stays();
"""
DROP_STAYS = """
DROP TRIGGER audit_entries_are_append_only ON research_auditentry;
DROP TRIGGER site_audit_entries_are_append_only ON research_siteauditentry;
DROP FUNCTION research_audit_stays();
"""
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
# Who erases is the owner of the tables, within `plumbline_erase`, for a workspace whose erasure has begun.
REFUSE_CHANGE = """
CREATE OR REPLACE FUNCTION research_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('plumbline.erasing', true) = OLD.tenant_id::text
        AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is frozen: rows of % may not change', TG_ARGV[0], TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
"""
# Every table of tenants, found where PostgreSQL lists them, so that a new one cannot be missed.
ERASE = """
CREATE FUNCTION plumbline_erase(of_tenant uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    name text;
    deleted bigint;
    total bigint := 0;
BEGIN
    IF NOT EXISTS (SELECT FROM research_erasure WHERE workspace = of_tenant AND done_at IS NULL) THEN
        RAISE EXCEPTION 'no erasure of workspace % has begun', of_tenant;
    END IF;
    PERFORM set_config('plumbline.tenant', of_tenant::text, true);
    PERFORM set_config('plumbline.erasing', of_tenant::text, true);
    FOR name IN
        SELECT c.relname FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
        WHERE c.relkind IN ('r', 'p') AND c.relrowsecurity ORDER BY c.relname
    LOOP
        EXECUTE format('DELETE FROM %I WHERE tenant_id = $1', name) USING of_tenant;
        GET DIAGNOSTICS deleted = ROW_COUNT;
        total := total + deleted;
    END LOOP;
    DELETE FROM research_tenant WHERE id = of_tenant;
    PERFORM set_config('plumbline.erasing', '', true);
    RETURN total;
END $$;
"""
# Before a tenant is set: which a user belongs to, as what, and what it is called. The version that `memberships`
# counts up tells every process that remembers people that it must look them up again.
DIRECTORY = """
CREATE FUNCTION plumbline_workspaces(of_user integer)
    RETURNS TABLE (tenant_id uuid, role varchar, name varchar, version integer)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT t.id, m.role, t.name, t.access_version
        FROM research_membership m JOIN research_tenant t ON t.id = m.tenant_id
        WHERE m.user_id = of_user ORDER BY m.created_at, m.id';
CREATE FUNCTION research_members_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE research_tenant SET access_version = access_version + 1 WHERE id = OLD.tenant_id;
    RETURN NULL;
END $$;
CREATE TRIGGER members_changed AFTER UPDATE OF role, user_id OR DELETE ON research_membership
    FOR EACH ROW EXECUTE FUNCTION research_members_changed();
"""
DROP_DIRECTORY = """
DROP TRIGGER members_changed ON research_membership;
DROP FUNCTION research_members_changed();
DROP FUNCTION plumbline_workspaces(integer);
"""
# Before a tenant is set: which run of all tenants is served next. The states are written out, so that the index of
# unfinished runs serves. Nothing waits for a lock: a run that is being finished at this moment is passed over.
TURN = """
CREATE FUNCTION plumbline_turn(of_queue varchar, in_region varchar) RETURNS TABLE (tenant_id uuid, run_id uuid)
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
# Passages lie whole in their rows, two rows a page: a search looks at vector and words of thousands.
PASSAGES_INLINE = """
ALTER TABLE research_librarychunk SET (toast_tuple_target = 4080);
ALTER TABLE research_chunk SET (toast_tuple_target = 4080);
"""
PASSAGES_ASIDE = """
ALTER TABLE research_librarychunk RESET (toast_tuple_target);
ALTER TABLE research_chunk RESET (toast_tuple_target);
"""
# The text index, under row-level security: PostgreSQL uses none for `@@` where a policy guards the table, since the
# operator is not leakproof. The function takes words alone; whose passages are looked at is the transaction's setting.
# Planned anew each time (EXECUTE): rare words and common ones, small tenants and large ones are found in other ways.
PASSAGES_WITH = """
CREATE FUNCTION plumbline_passages_with(words tsquery) RETURNS uuid[]
    LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    own uuid := nullif(current_setting('plumbline.tenant', true), '')::uuid;
    found uuid[];
BEGIN
    EXECUTE 'SELECT array_agg(id) FROM public.research_librarychunk WHERE tenant_id = $1 AND search @@ $2'
        INTO found USING own, words;
    RETURN coalesce(found, '{}');
END $$;
"""
# Nobody but the owner of the tables deletes of the trail, and nobody what is younger than 90 days.
FORGET = """
CREATE FUNCTION plumbline_forget_acts(older_than_days integer, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    of_tenant text := nullif(current_setting('plumbline.tenant', true), '');
    deleted bigint;
BEGIN
    IF of_tenant IS NULL OR older_than_days < 90 THEN
        RAISE EXCEPTION 'the trail is kept for 90 days at least, and is one workspace''s'
            USING ERRCODE = 'check_violation';
    END IF;
    PERFORM set_config('plumbline.erasing', of_tenant, true);
    DELETE FROM research_auditentry WHERE id IN (
        SELECT id FROM research_auditentry
        WHERE tenant_id = of_tenant::uuid AND created_at < now() - make_interval(days => older_than_days)
        ORDER BY created_at LIMIT most FOR UPDATE SKIP LOCKED
    );
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('plumbline.erasing', '', true);
    RETURN deleted;
END $$;
CREATE FUNCTION plumbline_forget_site_acts(older_than_days integer, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    deleted bigint;
BEGIN
    IF older_than_days < 90 THEN
        RAISE EXCEPTION 'the trail is kept for 90 days at least' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM set_config('plumbline.erasing', 'site', true);
    DELETE FROM research_siteauditentry WHERE id IN (
        SELECT id FROM research_siteauditentry
        WHERE created_at < now() - make_interval(days => older_than_days)
        ORDER BY created_at LIMIT most FOR UPDATE SKIP LOCKED
    );
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('plumbline.erasing', '', true);
    RETURN deleted;
END $$;
"""
DROP_FORGET = """
DROP FUNCTION plumbline_forget_acts(integer, integer);
DROP FUNCTION plumbline_forget_site_acts(integer, integer);
"""
# Each answers with every tenant that a sweep could find something at, and perhaps with more. A body of PL/pgSQL is
# looked at when it runs, so the tables of other applications need not be there yet.
TENANTS_WITH = """
CREATE FUNCTION plumbline_tenants_with(what text, model text) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    CASE what
    WHEN 'runs' THEN RETURN QUERY
        SELECT tenant_id FROM research_run WHERE state NOT IN ('completed', 'failed', 'cancelled')
        UNION SELECT tenant_id FROM research_run WHERE completed_at > clock_timestamp() - interval '20 minutes'
        UNION SELECT tenant_id FROM research_step WHERE status = 'running'
        UNION SELECT tenant_id FROM research_reservation ORDER BY 1;
    WHEN 'messages' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_outbox WHERE published_at IS NULL ORDER BY 1;
    WHEN 'mail' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_mail WHERE sent_at IS NULL ORDER BY 1;
    WHEN 'deliveries' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_webhookdelivery WHERE state = 'waiting' ORDER BY 1;
    WHEN 'tasks' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_watchedtask WHERE state = 'waiting' ORDER BY 1;
    WHEN 'schedules' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_schedule ORDER BY 1;
    WHEN 'decisions' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_escalation WHERE work_in_at IS NOT NULL ORDER BY 1;
    WHEN 'documents' THEN RETURN QUERY
        SELECT tenant_id FROM research_librarydocument WHERE status IN ('pending', 'reading')
        UNION SELECT document.tenant_id FROM research_librarydocument document
            WHERE document.status = 'ready' AND document.folder <> 'web' AND EXISTS (
                SELECT FROM research_librarychunk first
                WHERE first.document_id = document.id AND first.chunk_index = 0
                    AND (first.embedding IS NULL OR first.embedding_model <> model))
        ORDER BY 1;
    WHEN 'rechecks' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM citations_recheck WHERE state IN ('waiting', 'fetched') ORDER BY 1;
    WHEN 'files' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM exports_export WHERE state IN ('waiting', 'making') ORDER BY 1;
    WHEN 'decks' THEN RETURN QUERY
        SELECT tenant_id FROM slides_deck WHERE state IN ('waiting', 'making')
        UNION SELECT tenant_id FROM slides_deckfile WHERE state IN ('waiting', 'making')
        UNION SELECT tenant_id FROM slides_drawnpicture WHERE state IN ('waiting', 'making') ORDER BY 1;
    END CASE;
END $$;
"""


def set_rights(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Tables come with the right to change rows, and functions with everybody's right to call them: not these."""
    role = schema_editor.quote_name(str(settings.DATABASES["default"]["USER"]))
    for table in ("research_auditentry", "research_siteauditentry"):
        schema_editor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role}")
    schema_editor.execute(f"REVOKE DELETE ON research_erasure FROM {role}")
    for function in ("plumbline_passages_with(tsquery)", "plumbline_tenants_with(text, text)"):
        schema_editor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        schema_editor.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {role}")


class Migration(migrations.Migration):
    replaces = [
        ("research", "0011_people"),
        ("research", "0012_step_max_attempts"),
        ("research", "0013_closed_questions"),
        ("research", "0014_user_settings"),
        ("research", "0015_table_items"),
        ("research", "0016_api_tokens"),
        ("research", "0017_briefs_and_webhooks"),
        ("research", "0018_pictures_are_paid"),
        ("research", "0019_decisions_put_off"),
        ("research", "0020_audit_trail"),
        ("research", "0021_figures"),
        ("research", "0022_erasures"),
        ("research", "0023_workspaces"),
        ("research", "0024_turns"),
        ("research", "0025_passages_inline"),
        ("research", "0026_passages_with_words"),
        ("research", "0027_retention"),
        ("research", "0028_tenants_with_work"),
        ("research", "0029_indexes_once"),
        ("research", "0030_items_beside"),
        ("research", "0031_turns_by_the_index"),
        ("research", "0032_run_searched"),
        ("research", "0033_model_connections"),
        ("research", "0034_schedule_inputs"),
        ("research", "0035_knowledge"),
    ]

    dependencies = [
        ("citations", "0004_rechecks"),
        ("research", "0010_content_rendering"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("citations", "0006_indexes_once"),
    ]

    operations = [
        ApplyTogether(
            migrations.CreateModel(
                name="Instruction",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("text", models.TextField()),
                    (
                        "status",
                        models.CharField(
                            choices=[("queued", "Queued"), ("taken", "Taken"), ("refused", "Refused")],
                            default="queued",
                            max_length=7,
                        ),
                    ),
                    ("effects", models.JSONField(blank=True, default=list)),
                    ("taken_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "author",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="instructions",
                            to="research.run",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("status__in", ["queued", "taken", "refused"])),
                            name="research_instruction_status_known",
                        )
                    ],
                    "indexes": [
                        models.Index(
                            condition=models.Q(("status", "queued")),
                            fields=["tenant", "run"],
                            name="instruction_queued",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Mail",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("kind", models.CharField(max_length=40)),
                    ("ref", models.CharField(max_length=200)),
                    ("to", models.TextField()),
                    ("subject", models.CharField(max_length=300)),
                    ("body", models.TextField()),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("not_before", models.DateTimeField(blank=True, null=True)),
                    ("sent_at", models.DateTimeField(blank=True, null=True)),
                    ("error", models.TextField(blank=True)),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "verbose_name_plural": "mail",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("sent_at", None)),
                            fields=["tenant", "created_at"],
                            name="mail_unsent",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("tenant", "kind", "ref"), name="one_mail_per_occasion"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="PlanVersion",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("number", models.PositiveSmallIntegerField()),
                    ("plan", research.models.base_models.CheckedJSONField()),
                    (
                        "trigger",
                        models.CharField(
                            choices=[
                                ("planner", "Planner"),
                                ("edit", "Edit"),
                                ("instruction", "Instruction"),
                                ("insufficient_coverage", "Insufficient Coverage"),
                                ("dimension_failure", "Dimension Failure"),
                                ("scope_expansion_needed", "Scope Expansion Needed"),
                                ("insufficient_sources", "Insufficient Sources"),
                                ("user_feedback", "User Feedback"),
                            ],
                            max_length=22,
                        ),
                    ),
                    ("reason", models.TextField(blank=True)),
                    (
                        "made_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="plan_versions",
                            to="research.run",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "trigger__in",
                                    [
                                        "planner",
                                        "edit",
                                        "instruction",
                                        "insufficient_coverage",
                                        "dimension_failure",
                                        "scope_expansion_needed",
                                        "insufficient_sources",
                                        "user_feedback",
                                    ],
                                )
                            ),
                            name="research_planversion_trigger_known",
                        ),
                        models.UniqueConstraint(fields=("run", "number"), name="one_plan_per_number"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="ReviewDecision",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    (
                        "act",
                        models.CharField(
                            choices=[
                                ("accept", "Accept"),
                                ("reject", "Reject"),
                                ("edit", "Edit"),
                                ("skip", "Skip"),
                                ("undo", "Undo"),
                                ("replan", "Replan"),
                            ],
                            max_length=6,
                        ),
                    ),
                    ("detail", research.models.base_models.CheckedJSONField()),
                    (
                        "by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "escalation",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="decisions",
                            to="research.escalation",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                    (
                        "item",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="decisions",
                            to="research.reviewitem",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("act__in", ["accept", "reject", "edit", "skip", "undo", "replan"])
                            ),
                            name="research_reviewdecision_act_known",
                        )
                    ],
                    "indexes": [
                        models.Index(fields=["tenant", "escalation", "created_at"], name="decision_in_order")
                    ],
                },
            ),
            migrations.CreateModel(
                name="ReviewItem",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("position", models.PositiveIntegerField()),
                    (
                        "kind",
                        models.CharField(
                            choices=[
                                ("plan", "Plan"),
                                ("claim", "Claim"),
                                ("contradiction", "Contradiction"),
                                ("gap", "Gap"),
                            ],
                            max_length=13,
                        ),
                    ),
                    ("reason", models.TextField()),
                    ("shown", models.JSONField(blank=True, default=dict)),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("open", "Open"),
                                ("accepted", "Accepted"),
                                ("rejected", "Rejected"),
                                ("edited", "Edited"),
                                ("skipped", "Skipped"),
                            ],
                            default="open",
                            max_length=8,
                        ),
                    ),
                    ("decision", research.models.base_models.CheckedJSONField(blank=True, null=True)),
                    ("decided_at", models.DateTimeField(blank=True, null=True)),
                    ("taken_until", models.DateTimeField(blank=True, null=True)),
                    (
                        "claim",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="citations.claim",
                        ),
                    ),
                    (
                        "contradiction",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="citations.contradiction",
                        ),
                    ),
                    (
                        "decided_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "escalation",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="items",
                            to="research.escalation",
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="review_items",
                            to="research.run",
                        ),
                    ),
                    (
                        "taken_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("status__in", ["open", "accepted", "rejected", "edited", "skipped"])
                            ),
                            name="research_reviewitem_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("kind__in", ["plan", "claim", "contradiction", "gap"])),
                            name="research_reviewitem_kind_known",
                        ),
                        models.UniqueConstraint(
                            fields=("escalation", "position"), name="one_item_per_position"
                        ),
                    ],
                    "indexes": [
                        models.Index(
                            condition=models.Q(("status__in", ["open", "skipped"])),
                            fields=["tenant", "escalation", "position"],
                            name="review_waiting",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="UserSettings",
                fields=[
                    (
                        "user",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="settings",
                            serialize=False,
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "theme",
                        models.CharField(
                            choices=[("system", "System"), ("light", "Light"), ("dark", "Dark")],
                            default="system",
                            max_length=6,
                        ),
                    ),
                    ("language", models.CharField(blank=True, max_length=20)),
                    ("single_keys", models.BooleanField(default=True)),
                    ("mail_asked", models.BooleanField(default=True)),
                    ("mail_failures", models.BooleanField(default=True)),
                    ("mail_schedules", models.BooleanField(default=True)),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                ],
                options={
                    "verbose_name_plural": "user settings",
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("theme__in", ["system", "light", "dark"])),
                            name="research_usersettings_theme_known",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="ApiToken",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("name", models.CharField(max_length=100)),
                    ("hint", models.CharField(editable=False, max_length=20)),
                    ("token_hash", models.CharField(editable=False, max_length=64, unique=True)),
                    ("scopes", models.CharField(max_length=60)),
                    ("expires_at", models.DateTimeField(blank=True, null=True)),
                    ("last_used_at", models.DateTimeField(blank=True, null=True)),
                    ("revoked_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="api_tokens",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "user", "-created_at"], name="api_token_of_user")
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "scopes__regex",
                                    "^(read|write|library|exports)( (read|write|library|exports))*$",
                                )
                            ),
                            name="api_token_scopes_known",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="KeptAnswer",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("key", models.CharField(max_length=128)),
                    ("request_hash", models.CharField(max_length=64)),
                    ("status", models.PositiveSmallIntegerField(default=0)),
                    ("location", models.TextField(blank=True)),
                    ("body", models.TextField(blank=True)),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                    (
                        "token",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="answers",
                            to="research.apitoken",
                        ),
                    ),
                ],
                options={
                    "indexes": [models.Index(fields=["tenant", "created_at"], name="kept_answer_by_age")],
                    "constraints": [
                        models.UniqueConstraint(fields=("token", "key"), name="one_answer_per_key")
                    ],
                },
            ),
            migrations.CreateModel(
                name="BriefRecord",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("input_hash", models.CharField(max_length=64)),
                    ("draft", models.JSONField(default=dict)),
                    ("brief", models.JSONField(blank=True, null=True)),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=("tenant", "input_hash"), name="one_brief_per_input")
                    ],
                },
            ),
            migrations.CreateModel(
                name="TenantSecret",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    (
                        "purpose",
                        models.CharField(
                            choices=[
                                ("parallel_webhook", "Parallel Webhook"),
                                ("parallel_key", "Parallel Key"),
                                ("image_prompt", "Image Prompt"),
                                ("rewrite", "Rewrite"),
                            ],
                            max_length=16,
                        ),
                    ),
                    ("sealed", models.BinaryField()),
                    ("hint", models.CharField(max_length=8)),
                    ("retired_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "made_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "purpose", "-created_at"], name="secret_by_purpose")
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "purpose__in",
                                    ["parallel_webhook", "parallel_key", "image_prompt", "rewrite"],
                                )
                            ),
                            name="research_tenantsecret_purpose_known",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="WatchedTask",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("external_run", models.CharField(max_length=200)),
                    ("context", models.JSONField(blank=True, default=dict)),
                    ("arrived", models.CharField(default="run_id", max_length=8)),
                    (
                        "state",
                        models.CharField(
                            choices=[("waiting", "Waiting"), ("taken_in", "Taken In"), ("failed", "Failed")],
                            default="waiting",
                            max_length=8,
                        ),
                    ),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("not_before", models.DateTimeField(blank=True, null=True)),
                    ("problem", models.TextField(blank=True)),
                    (
                        "owner",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="research.run",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(
                            condition=models.Q(("state", "waiting")),
                            fields=["tenant", "not_before"],
                            name="task_waiting",
                        )
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("state__in", ["waiting", "taken_in", "failed"])),
                            name="research_watchedtask_state_known",
                        ),
                        models.UniqueConstraint(fields=("tenant", "external_run"), name="one_watch_per_task"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="WebhookDelivery",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    (
                        "consumer",
                        models.CharField(
                            choices=[("image_prompt", "Image Prompt"), ("rewrite", "Rewrite")], max_length=12
                        ),
                    ),
                    ("message_id", models.CharField(max_length=64)),
                    ("body", models.TextField()),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("waiting", "Waiting"),
                                ("delivered", "Delivered"),
                                ("given_up", "Given Up"),
                            ],
                            default="waiting",
                            max_length=9,
                        ),
                    ),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("not_before", models.DateTimeField(blank=True, null=True)),
                    ("tries", models.JSONField(blank=True, default=list)),
                    ("delivered_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="deliveries",
                            to="research.run",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "verbose_name_plural": "webhook deliveries",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("state", "waiting")),
                            fields=["tenant", "not_before"],
                            name="delivery_waiting",
                        ),
                        models.Index(fields=["tenant", "-created_at"], name="delivery_newest"),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("consumer__in", ["image_prompt", "rewrite"])),
                            name="research_webhookdelivery_consumer_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("state__in", ["waiting", "delivered", "given_up"])),
                            name="research_webhookdelivery_state_known",
                        ),
                        models.UniqueConstraint(
                            fields=("tenant", "message_id"), name="one_delivery_per_message"
                        ),
                        models.UniqueConstraint(
                            fields=("run", "consumer"), name="one_delivery_per_run_and_consumer"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("state", "delivered"), ("delivered_at", None), _connector="XOR"
                            ),
                            name="delivery_delivered_iff_time",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="WebhookEndpoint",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    (
                        "consumer",
                        models.CharField(
                            choices=[("image_prompt", "Image Prompt"), ("rewrite", "Rewrite")], max_length=12
                        ),
                    ),
                    ("url", models.TextField()),
                    ("enabled", models.BooleanField(default=True)),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("consumer__in", ["image_prompt", "rewrite"])),
                            name="research_webhookendpoint_consumer_known",
                        ),
                        models.UniqueConstraint(
                            fields=("tenant", "consumer"), name="one_endpoint_per_consumer"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="SiteAuditEntry",
                fields=[
                    ("user_id", models.IntegerField(blank=True, editable=False, null=True)),
                    ("who", models.CharField(blank=True, max_length=150)),
                    ("role", models.CharField(blank=True, max_length=20)),
                    (
                        "via",
                        models.CharField(
                            choices=[
                                ("pages", "Pages"),
                                ("admin", "Admin"),
                                ("api", "Api"),
                                ("mcp", "Mcp"),
                                ("command", "Command"),
                            ],
                            max_length=7,
                        ),
                    ),
                    ("act", models.CharField(max_length=40)),
                    (
                        "outcome",
                        models.CharField(
                            choices=[("done", "Done"), ("refused", "Refused"), ("failed", "Failed")],
                            default="done",
                            max_length=7,
                        ),
                    ),
                    ("object_type", models.CharField(blank=True, max_length=40)),
                    ("object_id", models.CharField(blank=True, max_length=64)),
                    ("object_name", models.CharField(blank=True, max_length=200)),
                    ("address", models.GenericIPAddressField(blank=True, null=True, unpack_ipv4=True)),
                    ("before", models.JSONField(blank=True, default=dict)),
                    ("after", models.JSONField(blank=True, default=dict)),
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    "verbose_name_plural": "site audit entries",
                    "indexes": [models.Index(fields=["-created_at"], name="site_audit_newest")],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("act__regex", "^[a-z]+\\.[a-z_]+$")),
                            name="research_siteauditentry_act_form",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("outcome__in", ["done", "refused", "failed"])),
                            name="research_siteauditentry_outcome_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("via__in", ["pages", "admin", "api", "mcp", "command"])),
                            name="research_siteauditentry_via_known",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="AuditEntry",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("user_id", models.IntegerField(blank=True, editable=False, null=True)),
                    ("who", models.CharField(blank=True, max_length=150)),
                    ("role", models.CharField(blank=True, max_length=20)),
                    (
                        "via",
                        models.CharField(
                            choices=[
                                ("pages", "Pages"),
                                ("admin", "Admin"),
                                ("api", "Api"),
                                ("mcp", "Mcp"),
                                ("command", "Command"),
                            ],
                            max_length=7,
                        ),
                    ),
                    ("act", models.CharField(max_length=40)),
                    (
                        "outcome",
                        models.CharField(
                            choices=[("done", "Done"), ("refused", "Refused"), ("failed", "Failed")],
                            default="done",
                            max_length=7,
                        ),
                    ),
                    ("object_type", models.CharField(blank=True, max_length=40)),
                    ("object_id", models.CharField(blank=True, max_length=64)),
                    ("object_name", models.CharField(blank=True, max_length=200)),
                    ("address", models.GenericIPAddressField(blank=True, null=True, unpack_ipv4=True)),
                    ("before", models.JSONField(blank=True, default=dict)),
                    ("after", models.JSONField(blank=True, default=dict)),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "verbose_name_plural": "audit entries",
                    "indexes": [
                        models.Index(fields=["tenant", "-created_at", "-id"], name="audit_newest"),
                        models.Index(fields=["tenant", "who", "-created_at"], name="audit_of_person"),
                        models.Index(fields=["tenant", "act", "-created_at"], name="audit_of_act"),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("act__regex", "^[a-z]+\\.[a-z_]+$")),
                            name="research_auditentry_act_form",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("outcome__in", ["done", "refused", "failed"])),
                            name="research_auditentry_outcome_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("via__in", ["pages", "admin", "api", "mcp", "command"])),
                            name="research_auditentry_via_known",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Erasure",
                fields=[
                    ("workspace", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                    (
                        "begun_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("done_at", models.DateTimeField(editable=False, null=True)),
                    ("people", research.models.base_models.CheckedJSONField(default=list, editable=False)),
                    ("rows", models.PositiveBigIntegerField(default=0, editable=False)),
                    ("files", models.PositiveBigIntegerField(default=0, editable=False)),
                ],
            ),
            migrations.CreateModel(
                name="Invitation",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("email", models.EmailField(max_length=254)),
                    (
                        "role",
                        models.CharField(
                            choices=[
                                ("owner", "Owner"),
                                ("member", "Member"),
                                ("reviewer", "Reviewer"),
                                ("viewer", "Viewer"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("token_hash", models.CharField(editable=False, max_length=64, unique=True)),
                    ("sent_count", models.PositiveSmallIntegerField(default=0)),
                    ("expires_at", models.DateTimeField()),
                    ("accepted_at", models.DateTimeField(blank=True, null=True)),
                    ("revoked_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "accepted_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "invited_by",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "indexes": [models.Index(fields=["tenant", "-created_at"], name="invitation_newest")],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("role__in", ["owner", "member", "reviewer", "viewer"])),
                            name="research_invitation_role_known",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="ModelConnection",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("base_url", models.CharField(max_length=500)),
                    ("sealed_key", models.BinaryField(blank=True, null=True)),
                    ("key_hint", models.CharField(blank=True, max_length=8)),
                    ("model", models.CharField(max_length=100)),
                    ("role_models", research.models.base_models.CheckedJSONField(blank=True, default=dict)),
                    ("fallback_model", models.CharField(blank=True, max_length=100)),
                    ("fallback_url", models.CharField(blank=True, max_length=500)),
                    ("sealed_fallback_key", models.BinaryField(blank=True, null=True)),
                    ("fallback_key_hint", models.CharField(blank=True, max_length=8)),
                    ("regions", research.models.base_models.CheckedJSONField(blank=True, default=list)),
                    ("context_length", models.PositiveIntegerField(blank=True, null=True)),
                    ("findings", models.JSONField(blank=True, default=list)),
                    ("checked_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "changed_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=("tenant",), name="one_model_connection_per_tenant"),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("fallback_url", ""),
                                models.Q(("fallback_model", ""), _negated=True),
                                _connector="OR",
                            ),
                            name="fallback_server_has_model",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="ClaimLink",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    (
                        "kind",
                        models.CharField(
                            choices=[
                                ("agreement", "Agreement"),
                                ("contradiction", "Contradiction"),
                                ("change", "Change"),
                            ],
                            max_length=13,
                        ),
                    ),
                    ("mine", models.CharField(blank=True, max_length=300)),
                    ("theirs", models.CharField(blank=True, max_length=300)),
                    ("my_time", models.CharField(blank=True, max_length=10)),
                    ("their_time", models.CharField(blank=True, max_length=10)),
                    (
                        "claim",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="links",
                            to="citations.claim",
                        ),
                    ),
                    (
                        "other",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="links_from_later",
                            to="citations.claim",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("kind__in", ["agreement", "contradiction", "change"])),
                            name="research_claimlink_kind_known",
                        ),
                        models.UniqueConstraint(
                            fields=("claim", "other"), name="one_link_per_pair_of_claims"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("claim", models.F("other")), _negated=True),
                            name="link_between_two_claims",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="EntityMention",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("key", models.CharField(max_length=120)),
                    ("name", models.CharField(max_length=120)),
                    ("folded", models.CharField(max_length=160)),
                    (
                        "kind",
                        models.CharField(
                            choices=[("name", "Name"), ("place", "Place"), ("subject", "Subject")],
                            max_length=7,
                        ),
                    ),
                    (
                        "claim",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="mentions",
                            to="citations.claim",
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="mentions",
                            to="research.run",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "key"], name="mention_by_key"),
                        models.Index(fields=["tenant", "folded"], name="mention_by_name"),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("kind__in", ["name", "place", "subject"])),
                            name="research_entitymention_kind_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("key", ""), _negated=True), name="mention_has_a_key"
                        ),
                        models.UniqueConstraint(
                            fields=("claim", "key"), name="one_mention_per_claim_and_key"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="RunKnowledge",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            default=research.models.base_models.new_id,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("claims", models.PositiveIntegerField(default=0)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="knowledge",
                            to="research.run",
                        ),
                    ),
                    (
                        "tenant",
                        research.models.base_models.OwningTenant(
                            db_index=False,
                            editable=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="research.tenant",
                        ),
                    ),
                ],
                options={
                    "verbose_name_plural": "run knowledge",
                    "constraints": [models.UniqueConstraint(fields=("run",), name="one_knowledge_per_run")],
                },
            ),
            migrations.AddField(
                model_name="escalation",
                name="visit",
                field=models.CharField(default="", max_length=60),
            ),
            migrations.AddField(
                model_name="run",
                name="relation",
                field=models.CharField(
                    blank=True,
                    choices=[("rerun", "Rerun"), ("follow_up", "Follow Up"), ("extension", "Extension")],
                    max_length=9,
                ),
            ),
            migrations.AddField(
                model_name="run",
                name="schedule",
                field=research.models.base_models.TenantKey(
                    blank=True,
                    db_constraint=False,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="runs",
                    to="research.schedule",
                ),
            ),
            migrations.AddField(
                model_name="schedule",
                name="owner",
                field=models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            migrations.AddField(
                model_name="schedule",
                name="problem",
                field=models.TextField(blank=True),
            ),
            migrations.AddField(
                model_name="schedule",
                name="sends_mail",
                field=models.BooleanField(default=False),
            ),
            migrations.AddField(
                model_name="schedule",
                name="time_zone",
                field=models.CharField(default="UTC", max_length=60),
            ),
            migrations.AlterField(
                model_name="run",
                name="parent",
                field=research.models.base_models.TenantKey(
                    blank=True,
                    db_constraint=False,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="children",
                    to="research.run",
                ),
            ),
            migrations.AddConstraint(
                model_name="escalation",
                constraint=models.UniqueConstraint(
                    fields=("run", "visit", "rule"), name="one_escalation_per_visit_and_rule"
                ),
            ),
            migrations.AddConstraint(
                model_name="run",
                constraint=models.CheckConstraint(
                    condition=models.Q(("relation__in", ["rerun", "follow_up", "extension", ""])),
                    name="research_run_relation_known",
                ),
            ),
            migrations.AlterField(
                model_name="step",
                name="max_attempts",
                field=models.PositiveSmallIntegerField(default=3),
            ),
            migrations.RemoveConstraint(
                model_name="escalation",
                name="research_escalation_status_known",
            ),
            migrations.AlterField(
                model_name="escalation",
                name="status",
                field=models.CharField(
                    choices=[
                        ("open", "Open"),
                        ("approved", "Approved"),
                        ("rejected", "Rejected"),
                        ("revised", "Revised"),
                        ("expired", "Expired"),
                        ("closed", "Closed"),
                    ],
                    default="open",
                    max_length=8,
                ),
            ),
            migrations.AddConstraint(
                model_name="escalation",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("status__in", ["open", "approved", "rejected", "revised", "expired", "closed"])
                    ),
                    name="research_escalation_status_known",
                ),
            ),
            migrations.AddField(
                model_name="budget",
                name="settled_usd",
                field=models.DecimalField(decimal_places=6, default=0, max_digits=12),
            ),
            migrations.AddField(
                model_name="item",
                name="error_code",
                field=models.CharField(blank=True, max_length=40),
            ),
            migrations.AddField(
                model_name="item",
                name="is_held",
                field=models.BooleanField(default=False),
            ),
            migrations.AddField(
                model_name="item",
                name="sources",
                field=research.models.base_models.CheckedJSONField(blank=True, default=list),
            ),
            migrations.AddField(
                model_name="item",
                name="version",
                field=models.PositiveIntegerField(default=0),
            ),
            migrations.AddField(
                model_name="item",
                name="wanted",
                field=research.models.base_models.CheckedJSONField(blank=True, default=list),
            ),
            migrations.AlterField(
                model_name="item",
                name="result",
                field=research.models.base_models.CheckedJSONField(blank=True, null=True),
            ),
            migrations.AddIndex(
                model_name="item",
                index=models.Index(
                    condition=models.Q(("is_held", False), ("status", "pending")),
                    fields=["tenant", "run", "index"],
                    name="item_open",
                ),
            ),
            migrations.AddIndex(
                model_name="item",
                index=models.Index(fields=["tenant", "run", "version"], name="item_by_version"),
            ),
            migrations.AddConstraint(
                model_name="item",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("status", "failed"), _negated=True),
                        models.Q(("error_code", ""), _negated=True),
                        _connector="OR",
                    ),
                    name="item_failure_has_a_code",
                ),
            ),
            migrations.AlterField(
                model_name="reservation",
                name="operation",
                field=models.CharField(
                    choices=[
                        ("search", "Search"),
                        ("page_read", "Page Read"),
                        ("model_call", "Model Call"),
                        ("embedding", "Embedding"),
                        ("picture", "Picture"),
                    ],
                    max_length=40,
                ),
            ),
            migrations.AddField(
                model_name="escalation",
                name="work_in_at",
                field=models.DateTimeField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name="escalation",
                name="work_in_tries",
                field=models.PositiveSmallIntegerField(default=0),
            ),
            migrations.AddIndex(
                model_name="escalation",
                index=models.Index(
                    condition=models.Q(("work_in_at__isnull", False)),
                    fields=["tenant", "work_in_at"],
                    name="escalation_to_work_in",
                ),
            ),
            migrations.AddIndex(
                model_name="modelcall",
                index=django.contrib.postgres.indexes.BrinIndex(
                    fields=["created_at"], name="modelcall_by_time"
                ),
            ),
            migrations.AddField(
                model_name="tenant",
                name="access_version",
                field=models.PositiveIntegerField(db_default=0, editable=False),
            ),
            migrations.AddField(
                model_name="run",
                name="turn_at",
                field=models.DateTimeField(blank=True, editable=False, null=True),
            ),
            migrations.AddField(
                model_name="tenant",
                name="keep_calls_days",
                field=models.PositiveSmallIntegerField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name="tenant",
                name="keep_files_days",
                field=models.PositiveSmallIntegerField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name="tenant",
                name="keep_messages_days",
                field=models.PositiveSmallIntegerField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name="tenant",
                name="keep_runs_days",
                field=models.PositiveSmallIntegerField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name="tenant",
                name="keep_trail_days",
                field=models.PositiveSmallIntegerField(blank=True, null=True),
            ),
            migrations.AddConstraint(
                model_name="tenant",
                constraint=models.CheckConstraint(
                    condition=models.Q(("keep_runs_days__range", (0, 3650))),
                    name="research_tenant_keep_runs_days_range",
                ),
            ),
            migrations.AddConstraint(
                model_name="tenant",
                constraint=models.CheckConstraint(
                    condition=models.Q(("keep_calls_days__range", (0, 3650))),
                    name="research_tenant_keep_calls_days_range",
                ),
            ),
            migrations.AddConstraint(
                model_name="tenant",
                constraint=models.CheckConstraint(
                    condition=models.Q(("keep_files_days__range", (1, 3650))),
                    name="research_tenant_keep_files_days_range",
                ),
            ),
            migrations.AddConstraint(
                model_name="tenant",
                constraint=models.CheckConstraint(
                    condition=models.Q(("keep_messages_days__range", (1, 3650))),
                    name="research_tenant_keep_messages_days_range",
                ),
            ),
            migrations.AddConstraint(
                model_name="tenant",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("keep_trail_days", 0), ("keep_trail_days__range", (90, 3650)), _connector="OR"
                    ),
                    name="research_tenant_keep_trail_days_range",
                ),
            ),
            migrations.AddField(
                model_name="item",
                name="beside",
                field=research.models.base_models.CheckedJSONField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name="run",
                name="searched",
                field=research.models.base_models.CheckedJSONField(blank=True, editable=False, null=True),
            ),
            migrations.AddField(
                model_name="modelcall",
                name="server",
                field=models.CharField(blank=True, db_default="", max_length=255),
            ),
            migrations.RemoveConstraint(
                model_name="schedule",
                name="schedule_cron_or_interval",
            ),
            migrations.AddField(
                model_name="schedule",
                name="input",
                field=models.JSONField(blank=True, db_default={}, default=dict),
            ),
            migrations.AddField(
                model_name="schedule",
                name="once_at",
                field=models.DateTimeField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name="schedule",
                name="playbook",
                field=models.TextField(blank=True, db_default=""),
            ),
            migrations.AddConstraint(
                model_name="schedule",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(
                            models.Q(("cron", ""), _negated=True),
                            ("interval_seconds", None),
                            ("once_at", None),
                        ),
                        models.Q(
                            ("cron", ""),
                            ("once_at", None),
                            models.Q(("interval_seconds", None), _negated=True),
                        ),
                        models.Q(
                            ("cron", ""),
                            ("interval_seconds", None),
                            models.Q(("once_at", None), _negated=True),
                        ),
                        _connector="OR",
                    ),
                    name="schedule_times_one_way",
                ),
            ),
        ),
        IsolateTenants(
            "Instruction",
            "Mail",
            "PlanVersion",
            "ReviewItem",
            "ReviewDecision",
            "ApiToken",
            "KeptAnswer",
            "BriefRecord",
            "TenantSecret",
            "WatchedTask",
            "WebhookDelivery",
            "WebhookEndpoint",
            "AuditEntry",
            "Invitation",
            "ModelConnection",
            "ClaimLink",
            "EntityMention",
            "RunKnowledge",
        ),
        migrations.RunSQL(SCHEDULE_OF_TENANT, migrations.RunSQL.noop),
        migrations.RunSQL(HISTORY, NO_HISTORY),
        migrations.RunSQL(LET_IN, DROP_LET_IN),
        migrations.RunSQL(OF_THE_SITE, migrations.RunSQL.noop),
        migrations.RunSQL(STAYS, DROP_STAYS),
        migrations.RunSQL(FIGURES, "DROP FUNCTION plumbline_figures();"),
        migrations.RunSQL(REFUSE_CHANGE, migrations.RunSQL.noop),
        migrations.RunSQL(ERASE, "DROP FUNCTION plumbline_erase(uuid);"),
        migrations.RunSQL(DIRECTORY, DROP_DIRECTORY),
        migrations.RunSQL(TURN, "DROP FUNCTION plumbline_turn(varchar, varchar);"),
        migrations.RunSQL(PASSAGES_INLINE, PASSAGES_ASIDE),
        migrations.RunSQL(PASSAGES_WITH, "DROP FUNCTION plumbline_passages_with(tsquery);"),
        migrations.RunSQL(FORGET, DROP_FORGET),
        migrations.RunSQL(TENANTS_WITH, "DROP FUNCTION plumbline_tenants_with(text, text);"),
        migrations.RunPython(set_rights, migrations.RunPython.noop),
    ]
