"""Delete at most the given number of expired rows of an audit trail, whatever plan the database chooses.

A subquery with LIMIT and FOR UPDATE may be executed again for each row that it is compared with.
"""

from django.db import migrations

FORGET = """
CREATE OR REPLACE FUNCTION plumbline_forget_acts(older_than_days integer, most integer) RETURNS bigint
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
    WITH expired AS MATERIALIZED (
        SELECT id FROM research_auditentry
        WHERE tenant_id = of_tenant::uuid AND created_at < now() - make_interval(days => older_than_days)
        ORDER BY created_at LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM research_auditentry WHERE id IN (SELECT id FROM expired);
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('plumbline.erasing', '', true);
    RETURN deleted;
END $$;
CREATE OR REPLACE FUNCTION plumbline_forget_site_acts(older_than_days integer, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    deleted bigint;
BEGIN
    IF older_than_days < 90 THEN
        RAISE EXCEPTION 'the trail is kept for 90 days at least' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM set_config('plumbline.erasing', 'site', true);
    WITH expired AS MATERIALIZED (
        SELECT id FROM research_siteauditentry
        WHERE created_at < now() - make_interval(days => older_than_days)
        ORDER BY created_at LIMIT most FOR UPDATE SKIP LOCKED
    )
    DELETE FROM research_siteauditentry WHERE id IN (SELECT id FROM expired);
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('plumbline.erasing', '', true);
    RETURN deleted;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0035_knowledge"),
    ]

    operations = [
        migrations.RunSQL(FORGET, migrations.RunSQL.noop),
    ]
