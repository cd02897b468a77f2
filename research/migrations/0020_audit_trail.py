"""Who did what, in rows that nobody changes."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import research.models.base_models
from research.db.row_level_security import IsolateTenants

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
# Of no workspace: everybody's request may add one, and an operator's transaction alone sees any.
OF_THE_SITE = """
ALTER TABLE research_siteauditentry ENABLE ROW LEVEL SECURITY;
ALTER TABLE research_siteauditentry FORCE ROW LEVEL SECURITY;
CREATE POLICY anybody_adds ON research_siteauditentry FOR INSERT WITH CHECK (true);
CREATE POLICY operators_read ON research_siteauditentry FOR SELECT
    USING (current_setting('plumbline.operator', true) = 'on');
CREATE POLICY owner_erases ON research_siteauditentry TO CURRENT_USER USING (true);
"""


def take_away_changes(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Tables come with the right to change rows: not these."""
    role = schema_editor.quote_name(str(settings.DATABASES["default"]["USER"]))
    for table in ("research_auditentry", "research_siteauditentry"):
        schema_editor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role}")


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0019_decisions_put_off"),
    ]

    operations = [
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
        IsolateTenants("AuditEntry"),
        migrations.RunSQL(OF_THE_SITE, migrations.RunSQL.noop),
        migrations.RunSQL(STAYS, DROP_STAYS),
        migrations.RunPython(take_away_changes, migrations.RunPython.noop),
    ]
