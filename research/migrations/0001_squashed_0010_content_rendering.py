"""What a run is made of, as migrations 0001 to 0010 leave it."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
import pgvector.django
import pgvector.django.halfvec
import pgvector.django.indexes
import pgvector.django.vector
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import research.models.base_models
from research.db.apply_in_one_statement import ApplyTogether
from research.db.row_level_security import IsolateTenants, grant_to_application

# The tenant's own row: visible to itself only. The owner of the tables reads all, for the two functions below.
TENANT_POLICIES = """
ALTER TABLE research_tenant ENABLE ROW LEVEL SECURITY;
ALTER TABLE research_tenant FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON research_tenant
    USING (id = nullif(current_setting('plumbline.tenant', true), '')::uuid)
    WITH CHECK (id = nullif(current_setting('plumbline.tenant', true), '')::uuid);
CREATE POLICY owner_reads ON research_tenant FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_reads ON research_membership FOR SELECT TO CURRENT_USER USING (true);
"""
# What must be known before a tenant is set: which tenants there are (the sweeper), and which a user belongs to.
DIRECTORY = """
CREATE FUNCTION plumbline_tenants() RETURNS TABLE (tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT id FROM research_tenant ORDER BY id';
CREATE FUNCTION plumbline_memberships(of_user integer) RETURNS TABLE (tenant_id uuid, role varchar)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT tenant_id, role FROM research_membership WHERE user_id = of_user ORDER BY created_at, id';
"""
DROP_DIRECTORY = "DROP FUNCTION plumbline_tenants(); DROP FUNCTION plumbline_memberships(integer);"
FROZEN = """
CREATE FUNCTION research_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is frozen: rows of % may not change', TG_ARGV[0], TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER content_is_frozen
    BEFORE UPDATE OF text, sha256, raw_sha256, extractor, blocks, pages, dropped, notes ON research_content
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('a text that was read');
CREATE TRIGGER credit_entries_are_append_only
    BEFORE UPDATE OR DELETE ON research_creditentry
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('the ledger');
"""
DROP_FROZEN = """
DROP TRIGGER content_is_frozen ON research_content;
DROP TRIGGER credit_entries_are_append_only ON research_creditentry;
DROP FUNCTION research_refuse_change();
"""
# Of a movement of credits: what leaves one account arrives in another.
BALANCED = """
CREATE FUNCTION research_credits_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM added GROUP BY tenant_id, kind, ref HAVING sum(amount) <> 0) THEN
        RAISE EXCEPTION 'the sides of a movement of credits must sum to zero'
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER credit_entries_balance AFTER INSERT ON research_creditentry
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION research_credits_balance();
"""
DROP_BALANCED = """
DROP TRIGGER credit_entries_balance ON research_creditentry;
DROP FUNCTION research_credits_balance();
"""
# As published (read on 2026-11-22): https://developers.openai.com/api/docs/models
KNOWN: list[dict[str, str | int]] = [
    {
        "name": "gpt-5-mini",
        "usd_per_million_input": "0.25",
        "usd_per_million_output": "2",
        "context_window": 400_000,
        "json_schema": "yes",
    },
    {"name": "text-embedding-3-small", "usd_per_million_input": "0.02", "usd_per_million_output": "0"},
]


def add_known_models(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    rows = apps.get_model("research", "LanguageModel").objects.using(schema_editor.connection.alias)
    for facts in KNOWN:
        rows.get_or_create(base_url="https://api.openai.com", name=facts["name"], defaults=facts)


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("research", "0001_tables"),
        ("research", "0002_isolation"),
        ("research", "0003_budgets"),
        ("research", "0004_model_gateway"),
        ("research", "0005_estimates"),
        ("research", "0006_agents"),
        ("research", "0007_kept_pages"),
        ("research", "0008_unseen_text_and_syndication"),
        ("research", "0009_sources_judged"),
        ("research", "0010_content_rendering"),
    ]

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        pgvector.django.VectorExtension(),
        ApplyTogether(
            migrations.CreateModel(
                name="Content",
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
                    ("raw_sha256", models.CharField(max_length=64)),
                    ("extractor", models.CharField(max_length=40)),
                    ("sha256", models.CharField(max_length=64)),
                    ("text", models.TextField()),
                    ("media_type", models.CharField(max_length=100)),
                    ("raw_key", models.CharField(blank=True, max_length=200)),
                    ("raw_size", models.PositiveBigIntegerField(default=0)),
                    ("language", models.CharField(blank=True, max_length=2)),
                    ("word_count", models.PositiveIntegerField(default=0)),
                    ("has_paywall", models.BooleanField(default=False)),
                    ("blocks", research.models.base_models.CheckedJSONField(default=list)),
                    ("pages", research.models.base_models.CheckedJSONField(default=list)),
                    ("tables", research.models.base_models.CheckedJSONField(default=list)),
                    ("minhash", models.BinaryField(default=bytes)),
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
                    ("dropped", research.models.base_models.CheckedJSONField(default=list)),
                    ("notes", research.models.base_models.CheckedJSONField(default=list)),
                    ("rendering", research.models.base_models.CheckedJSONField(blank=True, null=True)),
                ],
                options={
                    "indexes": [models.Index(fields=["tenant", "sha256"], name="content_by_text")],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("tenant", "raw_sha256", "extractor"), name="one_content_per_reading"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="CreditAccount",
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
                        "name",
                        models.CharField(
                            choices=[
                                ("granted", "Granted"),
                                ("available", "Available"),
                                ("reserved", "Reserved"),
                                ("spent", "Spent"),
                            ],
                            max_length=40,
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
                        models.UniqueConstraint(
                            fields=("tenant", "name"), name="one_credit_account_per_name"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("name__in", ["granted", "available", "reserved", "spent"])),
                            name="research_creditaccount_name_known",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Tenant",
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
                    ("name", models.CharField(max_length=200)),
                    ("region", models.CharField(blank=True, max_length=20)),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(), editable=False
                        ),
                    ),
                    (
                        "tier",
                        models.CharField(
                            choices=[("free", "Free"), ("pro", "Pro"), ("enterprise", "Enterprise")],
                            default="pro",
                            max_length=10,
                        ),
                    ),
                    (
                        "kept_bodies",
                        models.CharField(
                            choices=[("off", "Off"), ("hashed", "Hashed"), ("encrypted", "Encrypted")],
                            default="hashed",
                            max_length=9,
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("tier__in", ["free", "pro", "enterprise"])),
                            name="research_tenant_tier_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("kept_bodies__in", ["off", "hashed", "encrypted"])),
                            name="research_tenant_kept_bodies_known",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="LibraryDocument",
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
                    ("folder", models.TextField()),
                    ("path", models.TextField()),
                    ("url", models.TextField(blank=True)),
                    ("title", models.TextField(blank=True)),
                    ("author", models.TextField(blank=True)),
                    ("publisher", models.TextField(blank=True)),
                    ("published_date", models.CharField(blank=True, max_length=10)),
                    ("modified_date", models.CharField(blank=True, max_length=10)),
                    (
                        "source_type",
                        models.CharField(
                            choices=[
                                ("news", "News"),
                                ("academic", "Academic"),
                                ("industry", "Industry"),
                                ("government", "Government"),
                                ("company", "Company"),
                                ("blog", "Blog"),
                                ("social", "Social"),
                                ("wiki", "Wiki"),
                                ("documentation", "Documentation"),
                                ("code", "Code"),
                                ("other", "Other"),
                            ],
                            default="other",
                            max_length=13,
                        ),
                    ),
                    ("licence", models.CharField(blank=True, max_length=200)),
                    ("file_size", models.PositiveBigIntegerField(default=0)),
                    ("file_mtime", models.FloatField(blank=True, null=True)),
                    ("raw_sha256", models.CharField(blank=True, max_length=64)),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("pending", "Pending"),
                                ("reading", "Reading"),
                                ("ready", "Ready"),
                                ("failed", "Failed"),
                                ("duplicate", "Duplicate"),
                            ],
                            default="pending",
                            max_length=9,
                        ),
                    ),
                    ("error_code", models.CharField(blank=True, max_length=40)),
                    ("error_message", models.TextField(blank=True)),
                    (
                        "content",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="documents",
                            to="research.content",
                        ),
                    ),
                    (
                        "duplicate_of",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="duplicates",
                            to="research.librarydocument",
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
                    ("syndicated_from", models.CharField(blank=True, max_length=200)),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "folder", "status"], name="document_by_folder")
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "source_type__in",
                                    [
                                        "news",
                                        "academic",
                                        "industry",
                                        "government",
                                        "company",
                                        "blog",
                                        "social",
                                        "wiki",
                                        "documentation",
                                        "code",
                                        "other",
                                    ],
                                )
                            ),
                            name="research_librarydocument_source_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("status__in", ["pending", "reading", "ready", "failed", "duplicate"])
                            ),
                            name="research_librarydocument_status_known",
                        ),
                        models.UniqueConstraint(
                            fields=("tenant", "folder", "path"), name="one_document_per_path"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("status", "failed"), _negated=True),
                                models.Q(("error_code", ""), _negated=True),
                                _connector="OR",
                            ),
                            name="document_failure_has_a_code",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Run",
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
                        "kind",
                        models.CharField(
                            choices=[
                                ("report", "Report"),
                                ("table", "Table"),
                                ("brief", "Brief"),
                                ("digest", "Digest"),
                                ("synthesis", "Synthesis"),
                                ("technical", "Technical"),
                            ],
                            default="report",
                            max_length=9,
                        ),
                    ),
                    ("topic", models.TextField()),
                    ("config", models.JSONField(default=dict)),
                    ("client_key", models.CharField(blank=True, editable=False, max_length=100, null=True)),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("created", "Created"),
                                ("planning", "Planning"),
                                ("collecting", "Collecting"),
                                ("reading", "Reading"),
                                ("analyzing", "Analyzing"),
                                ("synthesizing", "Synthesizing"),
                                ("citing", "Citing"),
                                ("verifying", "Verifying"),
                                ("exporting", "Exporting"),
                                ("completed", "Completed"),
                                ("human_review_plan", "Human Review Plan"),
                                ("human_review_gaps", "Human Review Gaps"),
                                ("human_review_conflicts", "Human Review Conflicts"),
                                ("human_review_verification", "Human Review Verification"),
                                ("replanning", "Replanning"),
                                ("retrying", "Retrying"),
                                ("failed", "Failed"),
                                ("cancelled", "Cancelled"),
                            ],
                            default="created",
                            max_length=25,
                        ),
                    ),
                    ("version", models.PositiveIntegerField(default=0)),
                    ("state_entered_at", models.DateTimeField(blank=True, null=True)),
                    ("state_deadline", models.DateTimeField(blank=True, null=True)),
                    ("deadline", models.DateTimeField(blank=True, null=True)),
                    ("attempt", models.PositiveSmallIntegerField(default=0)),
                    ("revision_count", models.PositiveSmallIntegerField(default=0)),
                    ("replan_count", models.PositiveSmallIntegerField(default=0)),
                    ("cancel_at", models.DateTimeField(blank=True, null=True)),
                    ("paused_at", models.DateTimeField(blank=True, null=True)),
                    ("step_count", models.PositiveIntegerField(default=0)),
                    ("snapshot_version", models.PositiveIntegerField(default=0)),
                    ("plan", research.models.base_models.CheckedJSONField(blank=True, null=True)),
                    ("outline", models.JSONField(blank=True, default=list)),
                    ("result", research.models.base_models.CheckedJSONField(blank=True, null=True)),
                    ("report_version", models.PositiveSmallIntegerField(default=0)),
                    ("sources_found", models.PositiveIntegerField(default=0)),
                    ("sources_processed", models.PositiveIntegerField(default=0)),
                    ("sections_completed", models.PositiveIntegerField(default=0)),
                    ("total_sections", models.PositiveIntegerField(default=0)),
                    ("items_total", models.PositiveIntegerField(default=0)),
                    ("items_completed", models.PositiveIntegerField(default=0)),
                    ("items_failed", models.PositiveIntegerField(default=0)),
                    ("current_activity", models.CharField(blank=True, max_length=300)),
                    ("estimated_seconds_remaining", models.PositiveIntegerField(blank=True, null=True)),
                    ("quality_score", models.FloatField(blank=True, null=True)),
                    ("started_at", models.DateTimeField(blank=True, null=True)),
                    ("completed_at", models.DateTimeField(blank=True, null=True)),
                    ("duration_seconds", models.FloatField(blank=True, null=True)),
                    ("token_usage", models.JSONField(blank=True, default=dict)),
                    ("cost_usd", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                    ("cost_credits", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                    ("failure_code", models.CharField(blank=True, max_length=40)),
                    ("failure_message", models.TextField(blank=True)),
                    ("degradations", models.JSONField(blank=True, default=list)),
                    ("prompt_versions", models.JSONField(blank=True, default=dict)),
                    (
                        "owner",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="runs",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "parent",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="reruns",
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
                    ("estimate", research.models.base_models.CheckedJSONField(blank=True, null=True)),
                    ("sufficiency", research.models.base_models.CheckedJSONField(blank=True, null=True)),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "-created_at"], name="run_newest"),
                        models.Index(
                            condition=models.Q(
                                ("state__in", frozenset(["cancelled", "completed", "failed"])), _negated=True
                            ),
                            fields=["tenant", "state_deadline"],
                            name="run_unfinished",
                        ),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("kind__in", ["report", "table", "brief", "digest", "synthesis", "technical"])
                            ),
                            name="research_run_kind_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "state__in",
                                    [
                                        "created",
                                        "planning",
                                        "collecting",
                                        "reading",
                                        "analyzing",
                                        "synthesizing",
                                        "citing",
                                        "verifying",
                                        "exporting",
                                        "completed",
                                        "human_review_plan",
                                        "human_review_gaps",
                                        "human_review_conflicts",
                                        "human_review_verification",
                                        "replanning",
                                        "retrying",
                                        "failed",
                                        "cancelled",
                                    ],
                                )
                            ),
                            name="research_run_state_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("quality_score__range", (0, 100))),
                            name="research_run_quality_score_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                django.db.models.lookups.GreaterThanOrEqual(
                                    django.db.models.functions.text.Length("topic"), 3
                                ),
                                django.db.models.lookups.LessThanOrEqual(
                                    django.db.models.functions.text.Length("topic"), 10000
                                ),
                            ),
                            name="run_topic_length",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("state", "failed"), ("failure_code", ""), _connector="XOR"),
                            name="run_failure_iff_failed",
                        ),
                        models.UniqueConstraint(
                            fields=("tenant", "client_key"), name="one_run_per_client_key"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Source",
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
                    ("url", models.TextField(blank=True)),
                    ("final_url", models.TextField(blank=True)),
                    ("canonical_url", models.TextField()),
                    ("domain", models.CharField(blank=True, max_length=255)),
                    ("title", models.TextField(blank=True)),
                    ("author", models.TextField(blank=True)),
                    ("publisher", models.TextField(blank=True)),
                    ("published_date", models.CharField(blank=True, max_length=10)),
                    ("modified_date", models.CharField(blank=True, max_length=10)),
                    ("content_hash", models.CharField(blank=True, max_length=64)),
                    (
                        "source_type",
                        models.CharField(
                            choices=[
                                ("news", "News"),
                                ("academic", "Academic"),
                                ("industry", "Industry"),
                                ("government", "Government"),
                                ("company", "Company"),
                                ("blog", "Blog"),
                                ("social", "Social"),
                                ("wiki", "Wiki"),
                                ("documentation", "Documentation"),
                                ("code", "Code"),
                                ("other", "Other"),
                            ],
                            default="other",
                            max_length=13,
                        ),
                    ),
                    ("tier", models.PositiveSmallIntegerField(default=5)),
                    ("language", models.CharField(blank=True, max_length=2)),
                    ("region", models.CharField(blank=True, max_length=10)),
                    ("quality_score", models.FloatField(blank=True, null=True)),
                    ("authority_score", models.FloatField(blank=True, null=True)),
                    ("relevance_score", models.FloatField(blank=True, null=True)),
                    ("recency_score", models.FloatField(blank=True, null=True)),
                    ("credibility", models.PositiveSmallIntegerField(blank=True, null=True)),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("pending", "Pending"),
                                ("fetching", "Fetching"),
                                ("extracted", "Extracted"),
                                ("processed", "Processed"),
                                ("failed", "Failed"),
                                ("duplicate", "Duplicate"),
                                ("excluded", "Excluded"),
                            ],
                            default="pending",
                            max_length=9,
                        ),
                    ),
                    ("error_code", models.CharField(blank=True, max_length=40)),
                    ("error_message", models.TextField(blank=True)),
                    ("media_type", models.CharField(blank=True, max_length=100)),
                    ("word_count", models.PositiveIntegerField(default=0)),
                    ("has_paywall", models.BooleanField(default=False)),
                    ("has_tables", models.BooleanField(default=False)),
                    ("table_count", models.PositiveIntegerField(default=0)),
                    ("subtopic", models.CharField(blank=True, max_length=300)),
                    ("processed_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "content",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="sources",
                            to="research.content",
                        ),
                    ),
                    (
                        "duplicate_of",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="duplicates",
                            to="research.source",
                        ),
                    ),
                    (
                        "library_document",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="sources",
                            to="research.librarydocument",
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="sources",
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
                    ("syndicated_from", models.CharField(blank=True, max_length=200)),
                    ("assessment", research.models.base_models.CheckedJSONField(blank=True, null=True)),
                    ("must_read", models.BooleanField(default=False)),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "run", "status"], name="source_by_status"),
                        models.Index(fields=["tenant", "content_hash"], name="source_by_hash"),
                        models.Index(fields=["tenant", "run", "-quality_score"], name="source_by_quality"),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "source_type__in",
                                    [
                                        "news",
                                        "academic",
                                        "industry",
                                        "government",
                                        "company",
                                        "blog",
                                        "social",
                                        "wiki",
                                        "documentation",
                                        "code",
                                        "other",
                                    ],
                                )
                            ),
                            name="research_source_source_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "status__in",
                                    [
                                        "pending",
                                        "fetching",
                                        "extracted",
                                        "processed",
                                        "failed",
                                        "duplicate",
                                        "excluded",
                                    ],
                                )
                            ),
                            name="research_source_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("tier__range", (1, 5))), name="research_source_tier_range"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("credibility__range", (1, 10))),
                            name="research_source_credibility_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("quality_score__range", (0, 1))),
                            name="research_source_quality_score_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("authority_score__range", (0, 1))),
                            name="research_source_authority_score_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("relevance_score__range", (0, 1))),
                            name="research_source_relevance_score_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("recency_score__range", (0, 1))),
                            name="research_source_recency_score_range",
                        ),
                        models.UniqueConstraint(
                            fields=("run", "canonical_url"), name="one_source_per_run_and_url"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("status", "failed"), _negated=True),
                                models.Q(("error_code", ""), _negated=True),
                                _connector="OR",
                            ),
                            name="source_failure_has_a_code",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Step",
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
                    ("step_index", models.PositiveIntegerField()),
                    ("key", models.CharField(max_length=300)),
                    (
                        "queue",
                        models.CharField(
                            choices=[
                                ("control", "Control"),
                                ("agents", "Agents"),
                                ("reading", "Reading"),
                                ("exports", "Exports"),
                            ],
                            default="agents",
                            max_length=7,
                        ),
                    ),
                    ("handler", models.CharField(max_length=100)),
                    (
                        "agent_role",
                        models.CharField(
                            choices=[
                                ("orchestrator", "Orchestrator"),
                                ("planner", "Planner"),
                                ("researcher", "Researcher"),
                                ("extractor", "Extractor"),
                                ("analyzer", "Analyzer"),
                                ("writer", "Writer"),
                                ("verifier", "Verifier"),
                                ("executor", "Executor"),
                            ],
                            max_length=12,
                        ),
                    ),
                    ("agent_id", models.CharField(blank=True, max_length=100)),
                    ("tool_name", models.CharField(blank=True, max_length=40)),
                    ("input", models.JSONField(blank=True, default=dict)),
                    ("output", models.JSONField(blank=True, default=dict)),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("pending", "Pending"),
                                ("running", "Running"),
                                ("completed", "Completed"),
                                ("failed", "Failed"),
                                ("retrying", "Retrying"),
                                ("skipped", "Skipped"),
                            ],
                            default="pending",
                            max_length=9,
                        ),
                    ),
                    ("error_code", models.CharField(blank=True, max_length=40)),
                    ("error_message", models.TextField(blank=True)),
                    ("attempt", models.PositiveSmallIntegerField(default=0)),
                    ("max_attempts", models.PositiveSmallIntegerField(default=4)),
                    ("lease_owner", models.CharField(blank=True, max_length=100)),
                    ("lease_until", models.DateTimeField(blank=True, null=True)),
                    ("fence", models.PositiveBigIntegerField(default=0)),
                    ("not_before", models.DateTimeField(blank=True, null=True)),
                    ("pending_children", models.PositiveIntegerField(default=0)),
                    ("started_at", models.DateTimeField(blank=True, null=True)),
                    ("completed_at", models.DateTimeField(blank=True, null=True)),
                    ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                    ("tokens_input", models.PositiveIntegerField(default=0)),
                    ("tokens_output", models.PositiveIntegerField(default=0)),
                    ("cost_usd", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                    ("cost_credits", models.DecimalField(decimal_places=4, default=0, max_digits=12)),
                    ("trace_id", models.CharField(blank=True, max_length=32)),
                    (
                        "parent",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="children",
                            to="research.step",
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="steps",
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
                            condition=models.Q(
                                ("pending_children", 0), ("status__in", ["pending", "retrying", "running"])
                            ),
                            fields=["tenant", "run", "queue", "step_index"],
                            name="step_claimable",
                        ),
                        models.Index(
                            condition=models.Q(("status", "running")),
                            fields=["tenant", "lease_until"],
                            name="step_leased",
                        ),
                        models.Index(fields=["tenant", "parent"], name="step_by_parent"),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "agent_role__in",
                                    [
                                        "orchestrator",
                                        "planner",
                                        "researcher",
                                        "extractor",
                                        "analyzer",
                                        "writer",
                                        "verifier",
                                        "executor",
                                    ],
                                )
                            ),
                            name="research_step_agent_role_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "status__in",
                                    ["pending", "running", "completed", "failed", "retrying", "skipped"],
                                )
                            ),
                            name="research_step_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("queue__in", ["control", "agents", "reading", "exports"])),
                            name="research_step_queue_known",
                        ),
                        models.UniqueConstraint(fields=("run", "key"), name="one_step_per_key"),
                        models.UniqueConstraint(fields=("run", "step_index"), name="one_step_per_index"),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("status", "running"), ("lease_until__isnull", False)),
                                models.Q(
                                    models.Q(("status", "running"), _negated=True),
                                    ("lease_until__isnull", True),
                                ),
                                _connector="OR",
                            ),
                            name="step_lease_iff_running",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("status", "failed"), _negated=True),
                                models.Q(("error_code", ""), _negated=True),
                                _connector="OR",
                            ),
                            name="step_failure_has_a_code",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Schedule",
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
                    ("name", models.CharField(max_length=200)),
                    (
                        "kind",
                        models.CharField(
                            choices=[
                                ("report", "Report"),
                                ("table", "Table"),
                                ("brief", "Brief"),
                                ("digest", "Digest"),
                                ("synthesis", "Synthesis"),
                                ("technical", "Technical"),
                            ],
                            max_length=9,
                        ),
                    ),
                    ("topic", models.TextField()),
                    ("config", models.JSONField(default=dict)),
                    ("cron", models.CharField(blank=True, max_length=100)),
                    ("interval_seconds", models.PositiveIntegerField(blank=True, null=True)),
                    ("next_at", models.DateTimeField(blank=True, null=True)),
                    ("enabled", models.BooleanField(default=True)),
                    (
                        "last_run",
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
                            condition=models.Q(("enabled", True)),
                            fields=["tenant", "next_at"],
                            name="schedule_due",
                        )
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("kind__in", ["report", "table", "brief", "digest", "synthesis", "technical"])
                            ),
                            name="research_schedule_kind_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("cron", ""), ("interval_seconds__isnull", True), _connector="XOR"
                            ),
                            name="schedule_cron_or_interval",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Outbox",
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
                    ("topic", models.CharField(max_length=100)),
                    ("payload", models.JSONField(default=dict)),
                    ("dedupe_key", models.CharField(max_length=200)),
                    ("published_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="outbox",
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
                    "verbose_name_plural": "outbox",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("published_at", None)),
                            fields=["tenant", "created_at"],
                            name="outbox_unpublished",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("tenant", "dedupe_key"), name="one_message_per_dedupe_key"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="ModelCall",
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
                    ("step_key", models.CharField(max_length=300)),
                    ("n", models.PositiveSmallIntegerField(default=0)),
                    ("request_hash", models.CharField(max_length=64)),
                    ("response_hash", models.CharField(blank=True, max_length=64)),
                    (
                        "role",
                        models.CharField(
                            choices=[
                                ("orchestrator", "Orchestrator"),
                                ("planner", "Planner"),
                                ("researcher", "Researcher"),
                                ("extractor", "Extractor"),
                                ("analyzer", "Analyzer"),
                                ("writer", "Writer"),
                                ("verifier", "Verifier"),
                                ("executor", "Executor"),
                            ],
                            max_length=12,
                        ),
                    ),
                    ("operation", models.CharField(blank=True, max_length=40)),
                    ("model", models.CharField(max_length=100)),
                    ("prompt_version", models.CharField(blank=True, max_length=100)),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("sent", "Sent"),
                                ("stored", "Stored"),
                                ("failed", "Failed"),
                                ("unknown", "Unknown"),
                            ],
                            default="sent",
                            max_length=7,
                        ),
                    ),
                    ("tokens_input", models.PositiveIntegerField(default=0)),
                    ("tokens_output", models.PositiveIntegerField(default=0)),
                    ("cost_usd", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                    ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                    ("cache_hit", models.BooleanField(default=False)),
                    ("error_code", models.CharField(blank=True, max_length=40)),
                    ("error_message", models.TextField(blank=True)),
                    ("pii_types", models.JSONField(blank=True, default=list)),
                    ("request_body", models.BinaryField(blank=True, null=True)),
                    ("response_body", models.BinaryField(blank=True, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="model_calls",
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
                    ("answer", models.BinaryField(blank=True, null=True)),
                    ("fence", models.PositiveBigIntegerField(default=0)),
                    ("is_estimated", models.BooleanField(default=False)),
                    ("purpose", models.CharField(blank=True, max_length=60)),
                    ("run_hash", models.CharField(blank=True, max_length=64)),
                    ("tenant_hash", models.CharField(blank=True, max_length=64)),
                    ("user_hash", models.CharField(blank=True, max_length=64)),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "role__in",
                                    [
                                        "orchestrator",
                                        "planner",
                                        "researcher",
                                        "extractor",
                                        "analyzer",
                                        "writer",
                                        "verifier",
                                        "executor",
                                    ],
                                )
                            ),
                            name="research_modelcall_role_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("status__in", ["sent", "stored", "failed", "unknown"])),
                            name="research_modelcall_status_known",
                        ),
                        models.UniqueConstraint(
                            fields=("run", "step_key", "purpose", "request_hash", "n"),
                            name="one_model_call_per_request",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Membership",
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
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="memberships",
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
                            condition=models.Q(("role__in", ["owner", "member", "reviewer", "viewer"])),
                            name="research_membership_role_known",
                        ),
                        models.UniqueConstraint(
                            fields=("tenant", "user"), name="one_membership_per_user_and_tenant"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="LibraryChunk",
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
                    ("chunk_index", models.PositiveIntegerField()),
                    ("text", models.TextField()),
                    ("text_hash", models.CharField(max_length=64)),
                    ("start_offset", models.PositiveIntegerField()),
                    ("end_offset", models.PositiveIntegerField()),
                    ("token_count", models.PositiveIntegerField()),
                    ("page_number", models.PositiveIntegerField(blank=True, null=True)),
                    ("boxes", research.models.base_models.CheckedJSONField(blank=True, default=list)),
                    ("section_header", models.TextField(blank=True)),
                    (
                        "content_type",
                        models.CharField(
                            choices=[
                                ("paragraph", "Paragraph"),
                                ("heading", "Heading"),
                                ("list", "List"),
                                ("table", "Table"),
                                ("quote", "Quote"),
                                ("code", "Code"),
                                ("caption", "Caption"),
                            ],
                            default="paragraph",
                            max_length=9,
                        ),
                    ),
                    ("is_quote", models.BooleanField(default=False)),
                    ("quote_attribution", models.TextField(blank=True)),
                    ("entities", models.JSONField(blank=True, default=list)),
                    ("embedding_model", models.CharField(blank=True, max_length=80)),
                    ("embedding", pgvector.django.vector.VectorField(blank=True, null=True)),
                    (
                        "search",
                        models.GeneratedField(
                            db_persist=True,
                            expression=django.contrib.postgres.search.CombinedSearchVector(
                                django.contrib.postgres.search.SearchVector(
                                    "section_header", config="english", weight="B"
                                ),
                                "||",
                                django.contrib.postgres.search.SearchVector(
                                    "text", config="english", weight="A"
                                ),
                                django.contrib.postgres.search.SearchConfig("english"),
                            ),
                            output_field=django.contrib.postgres.search.SearchVectorField(),
                        ),
                    ),
                    (
                        "document",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="chunks",
                            to="research.librarydocument",
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
                    "abstract": False,
                    "indexes": [
                        models.Index(fields=["tenant", "document"], name="library_chunk_by_document"),
                        django.contrib.postgres.indexes.GinIndex(
                            fields=["search"], name="library_chunk_search"
                        ),
                        pgvector.django.indexes.HnswIndex(
                            django.contrib.postgres.indexes.OpClass(
                                django.db.models.functions.comparison.Cast(
                                    "embedding", pgvector.django.halfvec.HalfVectorField(dimensions=384)
                                ),
                                name="halfvec_cosine_ops",
                            ),
                            condition=models.Q(
                                django.db.models.lookups.Exact(
                                    models.Func(
                                        models.F("embedding"),
                                        function="vector_dims",
                                        output_field=models.IntegerField(),
                                    ),
                                    384,
                                )
                            ),
                            name="library_chunk_vectors_384",
                        ),
                        pgvector.django.indexes.HnswIndex(
                            django.contrib.postgres.indexes.OpClass(
                                django.db.models.functions.comparison.Cast(
                                    "embedding", pgvector.django.halfvec.HalfVectorField(dimensions=1536)
                                ),
                                name="halfvec_cosine_ops",
                            ),
                            condition=models.Q(
                                django.db.models.lookups.Exact(
                                    models.Func(
                                        models.F("embedding"),
                                        function="vector_dims",
                                        output_field=models.IntegerField(),
                                    ),
                                    1536,
                                )
                            ),
                            name="library_chunk_vectors_1536",
                        ),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "content_type__in",
                                    ["paragraph", "heading", "list", "table", "quote", "code", "caption"],
                                )
                            ),
                            name="research_librarychunk_content_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("token_count__range", (1, 1000))),
                            name="research_librarychunk_token_count_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("end_offset__gt", models.F("start_offset"))),
                            name="research_librarychunk_span_not_empty",
                        ),
                        models.UniqueConstraint(
                            fields=("document", "chunk_index"), name="one_library_chunk_per_index"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Item",
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
                    ("index", models.PositiveIntegerField()),
                    ("input", models.TextField()),
                    ("prompt", models.TextField(blank=True)),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("pending", "Pending"),
                                ("running", "Running"),
                                ("completed", "Completed"),
                                ("failed", "Failed"),
                            ],
                            default="pending",
                            max_length=9,
                        ),
                    ),
                    ("result", models.JSONField(blank=True, null=True)),
                    ("error", models.TextField(blank=True)),
                    ("agent_id", models.CharField(blank=True, max_length=100)),
                    ("retry_count", models.PositiveSmallIntegerField(default=0)),
                    ("started_at", models.DateTimeField(blank=True, null=True)),
                    ("completed_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="items",
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
                            condition=models.Q(("status__in", ["pending", "running", "completed", "failed"])),
                            name="research_item_status_known",
                        ),
                        models.UniqueConstraint(fields=("run", "index"), name="one_item_per_index"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Escalation",
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
                    ("rule", models.CharField(max_length=40)),
                    ("state", models.CharField(max_length=25)),
                    (
                        "priority",
                        models.CharField(
                            choices=[
                                ("critical", "Critical"),
                                ("high", "High"),
                                ("medium", "Medium"),
                                ("low", "Low"),
                            ],
                            max_length=8,
                        ),
                    ),
                    (
                        "type",
                        models.CharField(
                            choices=[("blocking", "Blocking"), ("advisory", "Advisory")], max_length=8
                        ),
                    ),
                    ("required_action", models.TextField()),
                    ("context", models.JSONField(default=dict)),
                    ("deadline", models.DateTimeField()),
                    (
                        "fallback",
                        models.CharField(
                            choices=[("continue", "Continue"), ("fail", "Fail"), ("degrade", "Degrade")],
                            max_length=8,
                        ),
                    ),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("open", "Open"),
                                ("approved", "Approved"),
                                ("rejected", "Rejected"),
                                ("revised", "Revised"),
                                ("expired", "Expired"),
                            ],
                            default="open",
                            max_length=8,
                        ),
                    ),
                    ("decision", models.JSONField(blank=True, null=True)),
                    ("decided_at", models.DateTimeField(blank=True, null=True)),
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
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="escalations",
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
                            condition=models.Q(("status", "open")),
                            fields=["tenant", "deadline"],
                            name="escalation_open",
                        )
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("priority__in", ["critical", "high", "medium", "low"])),
                            name="research_escalation_priority_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("type__in", ["blocking", "advisory"])),
                            name="research_escalation_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("fallback__in", ["continue", "fail", "degrade"])),
                            name="research_escalation_fallback_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("status__in", ["open", "approved", "rejected", "revised", "expired"])
                            ),
                            name="research_escalation_status_known",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Degradation",
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
                    ("code", models.CharField(max_length=40)),
                    ("reason", models.TextField()),
                    ("quality_impact", models.FloatField(default=0)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="degradation_log",
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
                            condition=models.Q(("quality_impact__range", (0, 1))),
                            name="research_degradation_quality_impact_range",
                        ),
                        models.UniqueConstraint(fields=("run", "code"), name="one_degradation_per_code"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="DataKey",
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
                    ("wrapped_key", models.BinaryField()),
                    ("kek_id", models.CharField(max_length=64)),
                    ("retired_at", models.DateTimeField(blank=True, null=True)),
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
                    "db_table": "research_tenantkey",
                },
            ),
            migrations.CreateModel(
                name="CreditEntry",
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
                                ("grant", "Grant"),
                                ("reserve", "Reserve"),
                                ("settle", "Settle"),
                                ("release", "Release"),
                                ("refund", "Refund"),
                            ],
                            max_length=7,
                        ),
                    ),
                    ("amount", models.DecimalField(decimal_places=4, max_digits=14)),
                    ("ref", models.CharField(max_length=200)),
                    (
                        "account",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="entries",
                            to="research.creditaccount",
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
                    "verbose_name_plural": "credit entries",
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("kind__in", ["grant", "reserve", "settle", "release", "refund"])
                            ),
                            name="research_creditentry_kind_known",
                        ),
                        models.UniqueConstraint(
                            fields=("account", "kind", "ref"), name="one_credit_entry_per_ref"
                        ),
                    ],
                    "indexes": [models.Index(fields=["tenant", "ref"], name="credit_entries_by_ref")],
                },
            ),
            migrations.CreateModel(
                name="Chunk",
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
                    ("chunk_index", models.PositiveIntegerField()),
                    ("text", models.TextField()),
                    ("text_hash", models.CharField(max_length=64)),
                    ("start_offset", models.PositiveIntegerField()),
                    ("end_offset", models.PositiveIntegerField()),
                    ("token_count", models.PositiveIntegerField()),
                    ("page_number", models.PositiveIntegerField(blank=True, null=True)),
                    ("boxes", research.models.base_models.CheckedJSONField(blank=True, default=list)),
                    ("section_header", models.TextField(blank=True)),
                    (
                        "content_type",
                        models.CharField(
                            choices=[
                                ("paragraph", "Paragraph"),
                                ("heading", "Heading"),
                                ("list", "List"),
                                ("table", "Table"),
                                ("quote", "Quote"),
                                ("code", "Code"),
                                ("caption", "Caption"),
                            ],
                            default="paragraph",
                            max_length=9,
                        ),
                    ),
                    ("is_quote", models.BooleanField(default=False)),
                    ("quote_attribution", models.TextField(blank=True)),
                    ("entities", models.JSONField(blank=True, default=list)),
                    ("embedding_model", models.CharField(blank=True, max_length=80)),
                    ("embedding", pgvector.django.vector.VectorField(blank=True, null=True)),
                    (
                        "search",
                        models.GeneratedField(
                            db_persist=True,
                            expression=django.contrib.postgres.search.CombinedSearchVector(
                                django.contrib.postgres.search.SearchVector(
                                    "section_header", config="english", weight="B"
                                ),
                                "||",
                                django.contrib.postgres.search.SearchVector(
                                    "text", config="english", weight="A"
                                ),
                                django.contrib.postgres.search.SearchConfig("english"),
                            ),
                            output_field=django.contrib.postgres.search.SearchVectorField(),
                        ),
                    ),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="chunks",
                            to="research.run",
                        ),
                    ),
                    (
                        "source",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="chunks",
                            to="research.source",
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
                    "abstract": False,
                    "indexes": [
                        models.Index(fields=["tenant", "run"], name="chunk_by_run"),
                        django.contrib.postgres.indexes.GinIndex(fields=["search"], name="chunk_search"),
                        pgvector.django.indexes.HnswIndex(
                            django.contrib.postgres.indexes.OpClass(
                                django.db.models.functions.comparison.Cast(
                                    "embedding", pgvector.django.halfvec.HalfVectorField(dimensions=384)
                                ),
                                name="halfvec_cosine_ops",
                            ),
                            condition=models.Q(
                                django.db.models.lookups.Exact(
                                    models.Func(
                                        models.F("embedding"),
                                        function="vector_dims",
                                        output_field=models.IntegerField(),
                                    ),
                                    384,
                                )
                            ),
                            name="chunk_vectors_384",
                        ),
                        pgvector.django.indexes.HnswIndex(
                            django.contrib.postgres.indexes.OpClass(
                                django.db.models.functions.comparison.Cast(
                                    "embedding", pgvector.django.halfvec.HalfVectorField(dimensions=1536)
                                ),
                                name="halfvec_cosine_ops",
                            ),
                            condition=models.Q(
                                django.db.models.lookups.Exact(
                                    models.Func(
                                        models.F("embedding"),
                                        function="vector_dims",
                                        output_field=models.IntegerField(),
                                    ),
                                    1536,
                                )
                            ),
                            name="chunk_vectors_1536",
                        ),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "content_type__in",
                                    ["paragraph", "heading", "list", "table", "quote", "code", "caption"],
                                )
                            ),
                            name="research_chunk_content_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("token_count__range", (1, 1000))),
                            name="research_chunk_token_count_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("end_offset__gt", models.F("start_offset"))),
                            name="research_chunk_span_not_empty",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("chunk_index__range", (0, 99))),
                            name="research_chunk_chunk_index_range",
                        ),
                        models.UniqueConstraint(
                            fields=("source", "start_offset", "end_offset"), name="one_chunk_per_place"
                        ),
                        models.UniqueConstraint(fields=("source", "chunk_index"), name="one_chunk_per_index"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Budget",
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
                    ("role", models.CharField(blank=True, max_length=12)),
                    ("limit_tokens_input", models.PositiveBigIntegerField()),
                    ("limit_tokens_output", models.PositiveBigIntegerField()),
                    (
                        "limit_usd",
                        models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True),
                    ),
                    ("spent_tokens_input", models.PositiveBigIntegerField(default=0)),
                    ("spent_tokens_output", models.PositiveBigIntegerField(default=0)),
                    ("reserved_usd", models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                    ("spent_usd", models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="budgets",
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
                    ("agent_id", models.CharField(blank=True, max_length=100)),
                    ("closed_at", models.DateTimeField(blank=True, null=True)),
                    ("exceeded", models.CharField(blank=True, max_length=13)),
                    ("excess_tokens_input", models.PositiveBigIntegerField(default=0)),
                    ("excess_tokens_output", models.PositiveBigIntegerField(default=0)),
                    ("excess_usd", models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                    ("funded_usd", models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                    ("limit_tokens_total", models.PositiveBigIntegerField(blank=True, null=True)),
                    ("reserved_tokens_input", models.PositiveBigIntegerField(default=0)),
                    ("reserved_tokens_output", models.PositiveBigIntegerField(default=0)),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("run", "role", "agent_id"), name="one_budget_per_role"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "limit_tokens_input__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("spent_tokens_input"),
                                            "+",
                                            models.F("reserved_tokens_input"),
                                        ),
                                        "-",
                                        models.F("excess_tokens_input"),
                                    ),
                                ),
                                ("limit_tokens_input", None),
                                _connector="OR",
                            ),
                            name="budget_tokens_input_kept",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "limit_tokens_output__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("spent_tokens_output"),
                                            "+",
                                            models.F("reserved_tokens_output"),
                                        ),
                                        "-",
                                        models.F("excess_tokens_output"),
                                    ),
                                ),
                                ("limit_tokens_output", None),
                                _connector="OR",
                            ),
                            name="budget_tokens_output_kept",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "limit_usd__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("spent_usd"), "+", models.F("reserved_usd")
                                        ),
                                        "-",
                                        models.F("excess_usd"),
                                    ),
                                ),
                                ("limit_usd", None),
                                _connector="OR",
                            ),
                            name="budget_usd_kept",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("limit_tokens_total", None),
                                (
                                    "limit_tokens_total__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                django.db.models.expressions.CombinedExpression(
                                                    django.db.models.expressions.CombinedExpression(
                                                        models.F("spent_tokens_input"),
                                                        "+",
                                                        models.F("spent_tokens_output"),
                                                    ),
                                                    "+",
                                                    models.F("reserved_tokens_input"),
                                                ),
                                                "+",
                                                models.F("reserved_tokens_output"),
                                            ),
                                            "-",
                                            models.F("excess_tokens_input"),
                                        ),
                                        "-",
                                        models.F("excess_tokens_output"),
                                    ),
                                ),
                                _connector="OR",
                            ),
                            name="budget_tokens_total_kept",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("role", ""), _negated=True),
                                (
                                    "funded_usd__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("spent_usd"), "+", models.F("reserved_usd")
                                        ),
                                        "-",
                                        models.F("excess_usd"),
                                    ),
                                ),
                                _connector="OR",
                            ),
                            name="budget_funds_kept",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("reserved_usd__gte", 0), ("spent_usd__gte", 0)),
                            name="budget_usd_not_negative",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="UsageEntry",
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
                    ("operation", models.CharField(max_length=40)),
                    ("ref", models.CharField(max_length=200)),
                    ("tokens_input", models.PositiveIntegerField(default=0)),
                    ("tokens_output", models.PositiveIntegerField(default=0)),
                    ("cost_usd", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="usage",
                            to="research.run",
                        ),
                    ),
                    (
                        "step",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="usage",
                            to="research.step",
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
                    ("role", models.CharField(blank=True, max_length=12)),
                ],
                options={
                    "verbose_name_plural": "usage entries",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("run", "operation", "ref"), name="one_usage_entry_per_ref"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="WebhookEvent",
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
                    ("provider", models.CharField(max_length=40)),
                    ("message_id", models.CharField(max_length=200)),
                    ("external_run", models.CharField(blank=True, max_length=200)),
                    ("status", models.CharField(blank=True, max_length=40)),
                    ("payload", models.JSONField(default=dict)),
                    ("processed_at", models.DateTimeField(blank=True, null=True)),
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
                        models.UniqueConstraint(
                            fields=("tenant", "provider", "message_id"), name="one_event_per_message"
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(("external_run", ""), _negated=True),
                            fields=("tenant", "provider", "external_run", "status"),
                            name="one_event_per_external_status",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Reservation",
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
                    ("fence", models.PositiveBigIntegerField(blank=True, null=True)),
                    ("holder", models.CharField(blank=True, max_length=100)),
                    ("role", models.CharField(max_length=12)),
                    ("agent_id", models.CharField(blank=True, max_length=100)),
                    (
                        "operation",
                        models.CharField(
                            choices=[
                                ("search", "Search"),
                                ("page_read", "Page Read"),
                                ("model_call", "Model Call"),
                                ("embedding", "Embedding"),
                            ],
                            max_length=40,
                        ),
                    ),
                    ("ref", models.CharField(max_length=200)),
                    ("tokens_input", models.PositiveIntegerField()),
                    ("tokens_output", models.PositiveIntegerField()),
                    ("usd", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="reservations",
                            to="research.run",
                        ),
                    ),
                    (
                        "step",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="reservations",
                            to="research.step",
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
                    "indexes": [models.Index(fields=["tenant", "run"], name="reservation_by_run")],
                },
            ),
            migrations.CreateModel(
                name="LanguageModel",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=100)),
                    ("base_url", models.CharField(blank=True, max_length=200)),
                    (
                        "usd_per_million_input",
                        models.DecimalField(
                            blank=True,
                            decimal_places=6,
                            max_digits=12,
                            null=True,
                            validators=[django.core.validators.MinValueValidator(0)],
                        ),
                    ),
                    (
                        "usd_per_million_output",
                        models.DecimalField(
                            blank=True,
                            decimal_places=6,
                            max_digits=12,
                            null=True,
                            validators=[django.core.validators.MinValueValidator(0)],
                        ),
                    ),
                    ("context_window", models.PositiveIntegerField(blank=True, null=True)),
                    (
                        "json_schema",
                        models.CharField(
                            choices=[("unknown", "Unknown"), ("yes", "Yes"), ("no", "No")],
                            default="unknown",
                            max_length=7,
                        ),
                    ),
                    (
                        "temperature",
                        models.CharField(
                            choices=[("unknown", "Unknown"), ("yes", "Yes"), ("no", "No")],
                            default="unknown",
                            max_length=7,
                        ),
                    ),
                    ("is_local", models.BooleanField(default=False)),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("name", "base_url"), name="one_row_per_model_and_server"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("json_schema__in", ["unknown", "yes", "no"])),
                            name="research_languagemodel_json_schema_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("temperature__in", ["unknown", "yes", "no"])),
                            name="research_languagemodel_temperature_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(
                                    ("usd_per_million_input", None),
                                    ("usd_per_million_input__gte", 0),
                                    _connector="OR",
                                ),
                                models.Q(
                                    ("usd_per_million_output", None),
                                    ("usd_per_million_output__gte", 0),
                                    _connector="OR",
                                ),
                            ),
                            name="prices_not_negative",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="AgentMessage",
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
                    ("key", models.CharField(max_length=60)),
                    ("trace_id", models.CharField(max_length=32)),
                    ("sender", models.CharField(max_length=60)),
                    ("recipient", models.CharField(max_length=60)),
                    (
                        "type",
                        models.CharField(
                            choices=[
                                ("task", "Task"),
                                ("result", "Result"),
                                ("error", "Error"),
                                ("status", "Status"),
                            ],
                            max_length=6,
                        ),
                    ),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("started", "Started"),
                                ("completed", "Completed"),
                                ("partial", "Partial"),
                                ("failed", "Failed"),
                            ],
                            default="started",
                            max_length=9,
                        ),
                    ),
                    ("payload", models.JSONField(blank=True, default=dict)),
                    ("result", models.JSONField(blank=True, default=dict)),
                    ("error_code", models.CharField(blank=True, max_length=40)),
                    ("error_message", models.TextField(blank=True)),
                    ("is_recoverable", models.BooleanField(default=True)),
                    ("progress", models.FloatField(blank=True, null=True)),
                    ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="messages",
                            to="research.run",
                        ),
                    ),
                    (
                        "step",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="messages",
                            to="research.step",
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
                    "indexes": [models.Index(fields=["tenant", "run"], name="message_by_run")],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("type__in", ["task", "result", "error", "status"])),
                            name="research_agentmessage_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("status__in", ["started", "completed", "partial", "failed"])),
                            name="research_agentmessage_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("progress__range", (0, 1))),
                            name="research_agentmessage_progress_range",
                        ),
                        models.UniqueConstraint(fields=("step", "key"), name="one_message_per_step_and_key"),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("status", "failed"), _negated=True),
                                models.Q(("error_code", ""), _negated=True),
                                _connector="OR",
                            ),
                            name="message_failure_has_a_code",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="WorkspaceEntry",
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
                    ("key", models.CharField(max_length=400)),
                    (
                        "kind",
                        models.CharField(
                            choices=[("plan", "Plan"), ("note", "Note"), ("finding", "Finding")], max_length=7
                        ),
                    ),
                    ("position", models.PositiveIntegerField()),
                    (
                        "role",
                        models.CharField(
                            choices=[
                                ("orchestrator", "Orchestrator"),
                                ("planner", "Planner"),
                                ("researcher", "Researcher"),
                                ("extractor", "Extractor"),
                                ("analyzer", "Analyzer"),
                                ("writer", "Writer"),
                                ("verifier", "Verifier"),
                                ("executor", "Executor"),
                            ],
                            max_length=12,
                        ),
                    ),
                    ("text", models.TextField()),
                    ("is_done", models.BooleanField(default=False)),
                    ("sources", research.models.base_models.CheckedJSONField(blank=True, default=list)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="workspace",
                            to="research.run",
                        ),
                    ),
                    (
                        "step",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="entries",
                            to="research.step",
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
                    "verbose_name_plural": "workspace entries",
                    "indexes": [models.Index(fields=["tenant", "run", "kind"], name="workspace_by_run")],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("kind__in", ["plan", "note", "finding"])),
                            name="research_workspaceentry_kind_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "role__in",
                                    [
                                        "orchestrator",
                                        "planner",
                                        "researcher",
                                        "extractor",
                                        "analyzer",
                                        "writer",
                                        "verifier",
                                        "executor",
                                    ],
                                )
                            ),
                            name="research_workspaceentry_role_known",
                        ),
                        models.UniqueConstraint(fields=("run", "key"), name="one_entry_per_run_and_key"),
                        models.CheckConstraint(
                            condition=models.Q(("kind", "plan"), ("is_done", False), _connector="OR"),
                            name="only_plan_items_are_done",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="KeptPage",
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
                    ("canonical_url", models.TextField()),
                    ("final_url", models.TextField()),
                    ("raw_key", models.CharField(max_length=200)),
                    ("media_type", models.CharField(max_length=100)),
                    ("name", models.CharField(max_length=20)),
                    ("etag", models.CharField(blank=True, max_length=500)),
                    ("last_modified", models.CharField(blank=True, max_length=100)),
                    ("must_check", models.BooleanField(default=False)),
                    ("fetched_at", models.DateTimeField()),
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
                    "indexes": [models.Index(fields=["tenant", "fetched_at"], name="kept_page_by_age")],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("tenant", "canonical_url"), name="one_kept_page_per_url"
                        )
                    ],
                },
            ),
        ),
        IsolateTenants(
            "Content",
            "CreditAccount",
            "LibraryDocument",
            "Run",
            "Source",
            "Step",
            "Schedule",
            "Outbox",
            "ModelCall",
            "Membership",
            "LibraryChunk",
            "Item",
            "Escalation",
            "Degradation",
            "DataKey",
            "CreditEntry",
            "Chunk",
            "Budget",
            "UsageEntry",
            "WebhookEvent",
            "Reservation",
            "AgentMessage",
            "WorkspaceEntry",
            "KeptPage",
        ),
        migrations.RunSQL(TENANT_POLICIES, migrations.RunSQL.noop),
        migrations.RunSQL(DIRECTORY, DROP_DIRECTORY),
        migrations.RunSQL(FROZEN, DROP_FROZEN),
        migrations.RunSQL(BALANCED, DROP_BALANCED),
        migrations.RunPython(grant_to_application, migrations.RunPython.noop),
        migrations.RunPython(add_known_models, migrations.RunPython.noop),
    ]
