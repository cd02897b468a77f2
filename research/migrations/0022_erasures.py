"""Workspaces can be erased: by a function that alone may delete what is history to everybody else."""

import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models

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


def keep_for_good(_apps: object, schema_editor: object) -> None:
    """The application notes an erasure and never forgets one."""
    role = schema_editor.quote_name(str(settings.DATABASES["default"]["USER"]))  # type: ignore[attr-defined]
    schema_editor.execute(f"REVOKE DELETE ON research_erasure FROM {role}")  # type: ignore[attr-defined]


class Migration(migrations.Migration):
    dependencies = [("research", "0021_figures")]

    operations = [
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
        migrations.RunSQL(REFUSE_CHANGE, migrations.RunSQL.noop),
        migrations.RunSQL(ERASE, "DROP FUNCTION plumbline_erase(uuid)"),
        migrations.RunPython(keep_for_good, migrations.RunPython.noop),
    ]
