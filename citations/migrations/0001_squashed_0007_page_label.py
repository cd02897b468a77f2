"""Claims and what they are checked by, as migrations 0001 to 0007 leave it."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgvector.django.vector
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.apply_in_one_statement import ApplyTogether
from research.db.row_level_security import IsolateTenants

# Offsets count Unicode code points from 0, half-open; substr counts characters from 1 (spec: data-model.md).
QUOTE_IS_SOURCE_TEXT = """
CREATE FUNCTION citations_quote_is_source_text() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    source_run uuid;
    words text;
BEGIN
    SELECT s.run_id, substr(c.text, NEW.start_offset + 1, NEW.end_offset - NEW.start_offset)
        INTO source_run, words
        FROM research_source s JOIN research_content c ON c.id = s.content_id
        WHERE s.id = NEW.source_id;
    IF words IS DISTINCT FROM NEW.quote THEN
        RAISE EXCEPTION 'the quote is not what its source says at [%, %)', NEW.start_offset, NEW.end_offset
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM citations_claim WHERE id = NEW.claim_id AND run_id = source_run) THEN
        RAISE EXCEPTION 'the cited source is not among the sources of the run that claims it'
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER citation_quote_is_source_text
    BEFORE INSERT OR UPDATE OF quote, start_offset, end_offset, source_id, claim_id ON citations_citation
    FOR EACH ROW EXECUTE FUNCTION citations_quote_is_source_text();
"""
# Checked at commit, when the application's own tenant setting may be gone: the function sets that of the row.
CLAIMS_ARE_CITED = """
CREATE FUNCTION citations_claims_are_cited() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    previous text := current_setting('plumbline.tenant', true);
    changed uuid;
    uncited text;
BEGIN
    PERFORM set_config('plumbline.tenant', coalesce(NEW.tenant_id, OLD.tenant_id)::text, true);
    IF TG_TABLE_NAME = 'research_run' THEN
        IF EXISTS (SELECT FROM research_run WHERE id = NEW.id AND state = 'completed') THEN
            SELECT c.text INTO uncited FROM citations_claim c
                WHERE c.run_id = NEW.id AND c.section_id IS NOT NULL
                    AND NOT EXISTS (SELECT FROM citations_citation x WHERE x.claim_id = c.id)
                LIMIT 1;
        END IF;
    ELSE
        IF TG_TABLE_NAME = 'citations_claim' THEN
            changed := NEW.id;
        ELSE
            changed := OLD.claim_id;
        END IF;
        SELECT c.text INTO uncited FROM citations_claim c
            WHERE c.id = changed AND c.section_id IS NOT NULL
                AND EXISTS (SELECT FROM research_run r WHERE r.id = c.run_id AND r.state = 'completed')
                AND NOT EXISTS (SELECT FROM citations_citation x WHERE x.claim_id = changed);
    END IF;
    PERFORM set_config('plumbline.tenant', coalesce(previous, ''), true);
    IF uncited IS NOT NULL THEN
        RAISE EXCEPTION 'a completed report may hold no claim without a citation: %', uncited
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER run_completes_with_cited_claims
    AFTER INSERT OR UPDATE OF state ON research_run DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.state = 'completed') EXECUTE FUNCTION citations_claims_are_cited();
CREATE CONSTRAINT TRIGGER placed_claim_is_cited
    AFTER INSERT OR UPDATE OF section_id, run_id ON citations_claim DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.section_id IS NOT NULL) EXECUTE FUNCTION citations_claims_are_cited();
CREATE CONSTRAINT TRIGGER cited_claim_stays_cited
    AFTER DELETE OR UPDATE OF claim_id ON citations_citation DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION citations_claims_are_cited();
"""
DROP = """
DROP TRIGGER citation_quote_is_source_text ON citations_citation;
DROP TRIGGER run_completes_with_cited_claims ON research_run;
DROP TRIGGER placed_claim_is_cited ON citations_claim;
DROP TRIGGER cited_claim_stays_cited ON citations_citation;
DROP FUNCTION citations_quote_is_source_text();
DROP FUNCTION citations_claims_are_cited();
"""


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("citations", "0001_tables"),
        ("citations", "0002_isolation"),
        ("citations", "0003_alignment_and_domain_rules"),
        ("citations", "0004_rechecks"),
        ("citations", "0005_each_claim_by_its_key"),
        ("citations", "0006_indexes_once"),
        ("citations", "0007_page_label"),
    ]

    dependencies = [
        ("research", "0001_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("research", "0002_isolation"),
        ("research", "0008_unseen_text_and_syndication"),
    ]

    operations = [
        ApplyTogether(
            migrations.CreateModel(
                name="Section",
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
                    ("report_version", models.PositiveSmallIntegerField(default=1)),
                    ("index", models.PositiveSmallIntegerField()),
                    ("heading", models.TextField()),
                    ("level", models.PositiveSmallIntegerField(default=2)),
                    ("target_words", models.PositiveIntegerField(default=0)),
                    (
                        "status",
                        models.CharField(
                            choices=[("planned", "Planned"), ("written", "Written"), ("cited", "Cited")],
                            default="planned",
                            max_length=7,
                        ),
                    ),
                    ("body", models.JSONField(blank=True, default=dict)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="sections",
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
                            condition=models.Q(("status__in", ["planned", "written", "cited"])),
                            name="citations_section_status_known",
                        ),
                        models.UniqueConstraint(
                            fields=("run", "report_version", "index"), name="one_section_per_index"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Claim",
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
                    ("position", models.PositiveIntegerField(default=0)),
                    ("number", models.PositiveIntegerField(blank=True, null=True)),
                    ("text", models.TextField()),
                    (
                        "claim_type",
                        models.CharField(
                            choices=[
                                ("fact", "Fact"),
                                ("statistic", "Statistic"),
                                ("quote", "Quote"),
                                ("date", "Date"),
                                ("name", "Name"),
                                ("opinion", "Opinion"),
                                ("prediction", "Prediction"),
                            ],
                            default="fact",
                            max_length=10,
                        ),
                    ),
                    (
                        "category",
                        models.CharField(
                            blank=True,
                            choices=[
                                ("visual", "Visual"),
                                ("tonal", "Tonal"),
                                ("factual", "Factual"),
                                ("strategic", "Strategic"),
                            ],
                            max_length=9,
                        ),
                    ),
                    ("actionable", models.BooleanField(default=False)),
                    ("entities", models.JSONField(blank=True, default=list)),
                    ("quantities", models.JSONField(blank=True, default=list)),
                    (
                        "strength",
                        models.CharField(
                            choices=[("strong", "Strong"), ("moderate", "Moderate"), ("limited", "Limited")],
                            default="limited",
                            max_length=8,
                        ),
                    ),
                    ("origins", models.PositiveSmallIntegerField(default=0)),
                    ("confidence", models.FloatField(blank=True, null=True)),
                    (
                        "confidence_factors",
                        research.models.base_models.CheckedJSONField(blank=True, null=True),
                    ),
                    (
                        "verification_status",
                        models.CharField(
                            choices=[
                                ("verified", "Verified"),
                                ("paraphrased_accurate", "Paraphrased Accurate"),
                                ("partially_supported", "Partially Supported"),
                                ("unsupported", "Unsupported"),
                                ("contradicted", "Contradicted"),
                                ("unverifiable", "Unverifiable"),
                                ("unverified", "Unverified"),
                            ],
                            default="unverified",
                            max_length=20,
                        ),
                    ),
                    ("verification_note", models.TextField(blank=True)),
                    (
                        "contradiction_status",
                        models.CharField(
                            choices=[
                                ("none", "None"),
                                ("resolved", "Resolved"),
                                ("presented_both", "Presented Both"),
                                ("human", "Human"),
                            ],
                            default="none",
                            max_length=14,
                        ),
                    ),
                    ("relevance", models.FloatField(blank=True, null=True)),
                    ("embedding", pgvector.django.vector.VectorField(blank=True, null=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="claims",
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
                    (
                        "section",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="claims",
                            to="citations.section",
                        ),
                    ),
                    ("alignment", research.models.base_models.CheckedJSONField(blank=True, default=list)),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "run", "section", "position"], name="claim_in_order")
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "claim_type__in",
                                    ["fact", "statistic", "quote", "date", "name", "opinion", "prediction"],
                                )
                            ),
                            name="citations_claim_claim_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("category__in", ["visual", "tonal", "factual", "strategic", ""])
                            ),
                            name="citations_claim_category_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("strength__in", ["strong", "moderate", "limited"])),
                            name="citations_claim_strength_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "verification_status__in",
                                    [
                                        "verified",
                                        "paraphrased_accurate",
                                        "partially_supported",
                                        "unsupported",
                                        "contradicted",
                                        "unverifiable",
                                        "unverified",
                                    ],
                                )
                            ),
                            name="citations_claim_verification_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("contradiction_status__in", ["none", "resolved", "presented_both", "human"])
                            ),
                            name="citations_claim_contradiction_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("confidence__range", (0, 1))),
                            name="citations_claim_confidence_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("relevance__range", (0, 1))),
                            name="citations_claim_relevance_range",
                        ),
                        models.UniqueConstraint(fields=("run", "number"), name="one_claim_per_number"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Citation",
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
                    ("citation_key", models.CharField(blank=True, max_length=200)),
                    ("citation_index", models.PositiveSmallIntegerField(default=0)),
                    ("report_paragraph_index", models.PositiveIntegerField(blank=True, null=True)),
                    ("report_sentence_index", models.PositiveIntegerField(blank=True, null=True)),
                    ("anchor_start", models.PositiveIntegerField(blank=True, null=True)),
                    ("anchor_end", models.PositiveIntegerField(blank=True, null=True)),
                    ("anchor_text", models.TextField(blank=True)),
                    ("quote", models.TextField()),
                    ("prefix", models.CharField(blank=True, max_length=32)),
                    ("suffix", models.CharField(blank=True, max_length=32)),
                    ("start_offset", models.PositiveIntegerField()),
                    ("end_offset", models.PositiveIntegerField()),
                    ("page_number", models.PositiveIntegerField(blank=True, null=True)),
                    ("paragraph_index", models.PositiveIntegerField(blank=True, null=True)),
                    ("boxes", research.models.base_models.CheckedJSONField(blank=True, default=list)),
                    (
                        "match_type",
                        models.CharField(
                            choices=[
                                ("exact", "Exact"),
                                ("normalized", "Normalized"),
                                ("paraphrase", "Paraphrase"),
                                ("summary", "Summary"),
                                ("inference", "Inference"),
                            ],
                            max_length=10,
                        ),
                    ),
                    ("similarity", models.FloatField(default=1.0)),
                    ("confidence", models.FloatField(blank=True, null=True)),
                    (
                        "confidence_factors",
                        research.models.base_models.CheckedJSONField(blank=True, null=True),
                    ),
                    (
                        "verification_status",
                        models.CharField(
                            choices=[
                                ("unverified", "Unverified"),
                                ("verified", "Verified"),
                                ("disputed", "Disputed"),
                                ("corrected", "Corrected"),
                            ],
                            default="unverified",
                            max_length=10,
                        ),
                    ),
                    (
                        "verified_by",
                        models.CharField(
                            blank=True, choices=[("auto", "Auto"), ("human", "Human")], max_length=5
                        ),
                    ),
                    ("verified_at", models.DateTimeField(blank=True, null=True)),
                    ("verification_notes", models.TextField(blank=True)),
                    ("formatted", models.JSONField(blank=True, default=dict)),
                    (
                        "chunk",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="citations",
                            to="research.chunk",
                        ),
                    ),
                    (
                        "source",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="citations",
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
                    (
                        "claim",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="citations",
                            to="citations.claim",
                        ),
                    ),
                    (
                        "section",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="citations",
                            to="citations.section",
                        ),
                    ),
                    ("page_label", models.CharField(blank=True, db_default="", max_length=40)),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["tenant", "source", "start_offset"], name="citation_in_source")
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "match_type__in",
                                    ["exact", "normalized", "paraphrase", "summary", "inference"],
                                )
                            ),
                            name="citations_citation_match_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "verification_status__in",
                                    ["unverified", "verified", "disputed", "corrected"],
                                )
                            ),
                            name="citations_citation_verification_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("verified_by__in", ["auto", "human", ""])),
                            name="citations_citation_verified_by_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("similarity__range", (0, 1))),
                            name="citations_citation_similarity_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("confidence__range", (0, 1))),
                            name="citations_citation_confidence_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("end_offset__gt", models.F("start_offset"))),
                            name="citation_span_not_empty",
                        ),
                        models.UniqueConstraint(
                            fields=("claim", "source", "start_offset", "end_offset"),
                            name="one_citation_per_claim_and_span",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="VerificationReport",
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
                    ("report_version", models.PositiveSmallIntegerField()),
                    (
                        "overall_status",
                        models.CharField(
                            choices=[
                                ("passed", "Passed"),
                                ("needs_revision", "Needs Revision"),
                                ("failed", "Failed"),
                            ],
                            max_length=14,
                        ),
                    ),
                    ("accuracy", models.FloatField(blank=True, null=True)),
                    ("counts", models.JSONField(default=dict)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="verification_reports",
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
                    (
                        "level",
                        models.CharField(
                            choices=[("basic", "Basic"), ("standard", "Standard"), ("strict", "Strict")],
                            default="standard",
                            max_length=8,
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("overall_status__in", ["passed", "needs_revision", "failed"])
                            ),
                            name="citations_verificationreport_overall_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("accuracy__range", (0, 1))),
                            name="citations_verificationreport_accuracy_range",
                        ),
                        models.UniqueConstraint(
                            fields=("run", "report_version"), name="one_verification_per_report_version"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("level__in", ["basic", "standard", "strict"])),
                            name="citations_verificationreport_level_known",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="VerificationIssue",
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
                    ("location", models.CharField(blank=True, max_length=200)),
                    (
                        "issue_type",
                        models.CharField(
                            choices=[
                                ("unsupported", "Unsupported"),
                                ("contradicted", "Contradicted"),
                                ("inaccurate", "Inaccurate"),
                                ("outdated", "Outdated"),
                            ],
                            max_length=12,
                        ),
                    ),
                    (
                        "severity",
                        models.CharField(
                            choices=[("critical", "Critical"), ("major", "Major"), ("minor", "Minor")],
                            max_length=8,
                        ),
                    ),
                    ("explanation", models.TextField()),
                    ("suggested_fix", models.TextField(blank=True)),
                    ("source_says", models.TextField(blank=True)),
                    ("resolution", models.TextField(blank=True)),
                    (
                        "claim",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="issues",
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
                    (
                        "report",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="issues",
                            to="citations.verificationreport",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("issue_type__in", ["unsupported", "contradicted", "inaccurate", "outdated"])
                            ),
                            name="citations_verificationissue_issue_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("severity__in", ["critical", "major", "minor"])),
                            name="citations_verificationissue_severity_known",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Warning",
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
                    ("code", models.CharField(max_length=10)),
                    (
                        "kind",
                        models.CharField(
                            choices=[
                                ("gap", "Gap"),
                                ("quality", "Quality"),
                                ("bias", "Bias"),
                                ("recency", "Recency"),
                                ("diversity", "Diversity"),
                            ],
                            max_length=9,
                        ),
                    ),
                    (
                        "severity",
                        models.CharField(
                            choices=[("high", "High"), ("medium", "Medium"), ("low", "Low")], max_length=6
                        ),
                    ),
                    ("text", models.TextField()),
                    ("advice", models.TextField(blank=True)),
                    ("computed", models.BooleanField(default=True)),
                    (
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="warnings",
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
                                ("kind__in", ["gap", "quality", "bias", "recency", "diversity"])
                            ),
                            name="citations_warning_kind_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("severity__in", ["high", "medium", "low"])),
                            name="citations_warning_severity_known",
                        ),
                        models.UniqueConstraint(
                            fields=("run", "code", "text"), name="one_warning_per_code_and_text"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Contradiction",
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
                                ("numeric", "Numeric"),
                                ("temporal", "Temporal"),
                                ("polarity", "Polarity"),
                                ("categorical", "Categorical"),
                            ],
                            max_length=11,
                        ),
                    ),
                    ("gates", models.JSONField(blank=True, default=dict)),
                    ("scores_a", models.JSONField(blank=True, default=dict)),
                    ("scores_b", models.JSONField(blank=True, default=dict)),
                    ("margin", models.FloatField(default=0)),
                    (
                        "resolution",
                        models.CharField(
                            choices=[
                                ("resolved", "Resolved"),
                                ("presented_both", "Presented Both"),
                                ("human", "Human"),
                                ("open", "Open"),
                            ],
                            default="open",
                            max_length=14,
                        ),
                    ),
                    ("note", models.TextField(blank=True)),
                    (
                        "claim_a",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="contradictions_as_a",
                            to="citations.claim",
                        ),
                    ),
                    (
                        "claim_b",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="contradictions_as_b",
                            to="citations.claim",
                        ),
                    ),
                    (
                        "resolved_by",
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
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="contradictions",
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
                    (
                        "winner",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="citations.claim",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("kind__in", ["numeric", "temporal", "polarity", "categorical"])
                            ),
                            name="citations_contradiction_kind_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("resolution__in", ["resolved", "presented_both", "human", "open"])
                            ),
                            name="citations_contradiction_resolution_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("margin__range", (0, 1))),
                            name="citations_contradiction_margin_range",
                        ),
                        models.UniqueConstraint(
                            fields=("claim_a", "claim_b"), name="one_contradiction_per_pair"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("claim_a", models.F("claim_b")), _negated=True),
                            name="contradiction_between_two",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="DomainRule",
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
                    ("domain", models.CharField(max_length=255)),
                    ("tier", models.PositiveSmallIntegerField()),
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
                    ("publisher", models.CharField(blank=True, max_length=200)),
                    ("reason", models.TextField(blank=True)),
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
                            condition=models.Q(("tier__range", (1, 5))),
                            name="citations_domainrule_tier_range",
                        ),
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
                            name="citations_domainrule_source_type_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("domain", ""), _negated=True),
                            name="domain_rule_names_a_domain",
                        ),
                        models.UniqueConstraint(fields=("tenant", "domain"), name="one_rule_per_domain"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Recheck",
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
                        "state",
                        models.CharField(
                            choices=[
                                ("waiting", "Waiting"),
                                ("fetched", "Fetched"),
                                ("done", "Done"),
                                ("unreadable", "Unreadable"),
                            ],
                            default="waiting",
                            max_length=10,
                        ),
                    ),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("not_before", models.DateTimeField(blank=True, null=True)),
                    ("object_key", models.CharField(blank=True, max_length=200)),
                    ("file_name", models.CharField(blank=True, max_length=200)),
                    ("final_url", models.TextField(blank=True)),
                    ("is_same_text", models.BooleanField(blank=True, null=True)),
                    ("reason", models.TextField(blank=True)),
                    ("finished_at", models.DateTimeField(blank=True, null=True)),
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
                        "source",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="rechecks",
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
                    "indexes": [
                        models.Index(fields=["tenant", "source", "-created_at"], name="recheck_of_source"),
                        models.Index(
                            condition=models.Q(("finished_at__isnull", True)),
                            fields=["tenant", "updated_at"],
                            name="recheck_open",
                        ),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("state__in", ["waiting", "fetched", "done", "unreadable"])),
                            name="citations_recheck_state_known",
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(("state__in", ("waiting", "fetched"))),
                            fields=("source",),
                            name="one_recheck_at_a_time",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(
                                    ("finished_at__isnull", False), ("state__in", ("done", "unreadable"))
                                ),
                                models.Q(
                                    ("finished_at__isnull", True), ("state__in", ("waiting", "fetched"))
                                ),
                                _connector="OR",
                            ),
                            name="recheck_finished_iff_over",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("state", "unreadable"), _negated=True),
                                models.Q(("reason", ""), _negated=True),
                                _connector="OR",
                            ),
                            name="recheck_failure_has_a_reason",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="RecheckedCitation",
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
                        "outcome",
                        models.CharField(
                            choices=[
                                ("still there", "Still There"),
                                ("changed", "Changed"),
                                ("gone", "Gone"),
                                ("unreadable", "Unreadable"),
                            ],
                            max_length=11,
                        ),
                    ),
                    ("similarity", models.FloatField(blank=True, null=True)),
                    ("now", models.TextField(blank=True)),
                    (
                        "citation",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="rechecks",
                            to="citations.citation",
                        ),
                    ),
                    (
                        "recheck",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="citations",
                            to="citations.recheck",
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
                                ("outcome__in", ["still there", "changed", "gone", "unreadable"])
                            ),
                            name="citations_recheckedcitation_outcome_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("similarity__range", (0, 1))),
                            name="citations_recheckedcitation_similarity_range",
                        ),
                        models.UniqueConstraint(
                            fields=("recheck", "citation"), name="one_outcome_per_citation_and_recheck"
                        ),
                    ],
                },
            ),
        ),
        IsolateTenants(
            "Section",
            "Claim",
            "Citation",
            "VerificationReport",
            "VerificationIssue",
            "Warning",
            "Contradiction",
            "DomainRule",
            "Recheck",
            "RecheckedCitation",
        ),
        migrations.RunSQL(QUOTE_IS_SOURCE_TEXT + CLAIMS_ARE_CITED, DROP),
    ]
