"""How long a workspace keeps what; rows of the trail go by a function alone, the oldest first."""

from django.db import migrations, models

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


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0026_passages_with_words"),
    ]

    operations = [
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
        migrations.RunSQL(FORGET, DROP_FORGET),
    ]
