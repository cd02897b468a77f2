"""Files of reports, and links by which a report is read without an account."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants

# Holders of a link have no account, so no tenant is set: the function returns whose report the link opens.
SHARED = """
CREATE POLICY owner_reads ON exports_sharelink FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION plumbline_shared(of_token varchar) RETURNS TABLE (link_id uuid, tenant_id uuid, run_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT id, tenant_id, run_id FROM exports_sharelink
        WHERE token_hash = of_token AND revoked_at IS NULL AND expires_at > now()';
"""
DROP_SHARED = "DROP FUNCTION plumbline_shared(varchar);"


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("research", "0014_user_settings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
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
                ("report_version", models.PositiveSmallIntegerField()),
                ("evidence_version", models.CharField(max_length=20)),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("pdf", "PDF"),
                            ("docx", "DOCX"),
                            ("html", "HTML"),
                            ("markdown", "Markdown"),
                            ("json", "JSON"),
                            ("xlsx", "XLSX"),
                            ("csv", "CSV"),
                            ("ris", "RIS"),
                            ("bibtex", "BibTeX"),
                            ("csl_json", "CSL-JSON"),
                        ],
                        max_length=10,
                    ),
                ),
                ("options", research.models.base_models.CheckedJSONField(default=dict)),
                ("options_hash", models.CharField(editable=False, max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("making", "Making"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                            ("expired", "Expired"),
                        ],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("progress", models.FloatField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("fence", models.PositiveIntegerField(default=0)),
                ("taken_by", models.CharField(blank=True, max_length=100)),
                ("taken_until", models.DateTimeField(blank=True, null=True)),
                (
                    "error_code",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("EXPORT_NOT_AVAILABLE", "Not Available"),
                            ("EXPORT_CANNOT_WRITE", "Cannot Write"),
                            ("EXPORT_TOO_LONG", "Too Long"),
                            ("EXPORT_TOO_LARGE", "Too Large"),
                            ("EXPORT_INTERRUPTED", "Interrupted"),
                            ("EXPORT_NOT_STORED", "Not Stored"),
                            ("EXPORT_BROKEN", "Broken"),
                        ],
                        max_length=40,
                    ),
                ),
                ("error", models.TextField(blank=True)),
                ("object_key", models.CharField(blank=True, max_length=200)),
                ("filename", models.CharField(blank=True, max_length=200)),
                ("file_size", models.PositiveBigIntegerField(blank=True, null=True)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("download_count", models.PositiveIntegerField(default=0)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "run",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="exports",
                        to="research.run",
                    ),
                ),
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
                "indexes": [
                    models.Index(fields=["tenant", "run", "-created_at"], name="export_of_run"),
                    models.Index(
                        condition=models.Q(("state__in", ("waiting", "making"))),
                        fields=["tenant", "updated_at"],
                        name="export_open",
                    ),
                    models.Index(
                        condition=models.Q(("state", "ready")),
                        fields=["tenant", "expires_at"],
                        name="export_expiring",
                    ),
                    models.Index(
                        condition=models.Q(("object_key", ""), _negated=True),
                        fields=["object_key"],
                        name="export_object",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "format__in",
                                [
                                    "pdf",
                                    "docx",
                                    "html",
                                    "markdown",
                                    "json",
                                    "xlsx",
                                    "csv",
                                    "ris",
                                    "bibtex",
                                    "csl_json",
                                ],
                            )
                        ),
                        name="exports_export_format_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waiting", "making", "ready", "failed", "expired"])
                        ),
                        name="exports_export_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("progress__range", (0, 1))), name="exports_export_progress_range"
                    ),
                    models.UniqueConstraint(
                        fields=("run", "report_version", "evidence_version", "format", "options_hash"),
                        name="one_file_per_wish",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "ready"), ("object_key", ""), _connector="XOR"),
                        name="export_ready_iff_file",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "failed"), ("error_code", ""), _connector="XOR"),
                        name="export_failed_iff_code",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state", "making"), ("taken_until__isnull", True), _connector="XOR"
                        ),
                        name="export_taken_iff_making",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "ready"), _negated=True),
                            models.Q(
                                ("expires_at__isnull", False),
                                ("file_size__isnull", False),
                                models.Q(("sha256", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="export_ready_has_size_and_end",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShareLink",
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
                ("token_hash", models.CharField(editable=False, max_length=64, unique=True)),
                ("note", models.CharField(blank=True, max_length=100)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("view_count", models.PositiveIntegerField(default=0)),
                ("viewed_at", models.DateTimeField(blank=True, null=True)),
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
                    "run",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="share_links",
                        to="research.run",
                    ),
                ),
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
                "indexes": [models.Index(fields=["tenant", "run", "-created_at"], name="share_link_of_run")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("created_at"))),
                        name="share_link_ends_after_it_began",
                    )
                ],
            },
        ),
        IsolateTenants("Export", "ShareLink"),
        migrations.RunSQL(SHARED, DROP_SHARED),
    ]
