"""Questions to people and what they decide; versions of plans; instructions; mail; re-runs and their schedules."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
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


class Migration(migrations.Migration):
    dependencies = [
        ("citations", "0004_rechecks"),
        ("research", "0010_content_rendering"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["queued", "taken", "refused"])),
                        name="research_instruction_status_known",
                    ),
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
            ],
            options={
                "verbose_name_plural": "mail",
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
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("act__in", ["accept", "reject", "edit", "skip", "undo", "replan"])
                        ),
                        name="research_reviewdecision_act_known",
                    ),
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
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["open", "accepted", "rejected", "edited", "skipped"])
                        ),
                        name="research_reviewitem_status_known",
                    ),
                ],
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
        migrations.AddField(
            model_name="instruction",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="instruction",
            name="run",
            field=research.models.base_models.TenantKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="instructions",
                to="research.run",
            ),
        ),
        migrations.AddField(
            model_name="instruction",
            name="tenant",
            field=research.models.base_models.OwningTenant(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="research.tenant",
            ),
        ),
        migrations.AddField(
            model_name="mail",
            name="tenant",
            field=research.models.base_models.OwningTenant(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="research.tenant",
            ),
        ),
        migrations.AddField(
            model_name="planversion",
            name="made_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="planversion",
            name="run",
            field=research.models.base_models.TenantKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="plan_versions",
                to="research.run",
            ),
        ),
        migrations.AddField(
            model_name="planversion",
            name="tenant",
            field=research.models.base_models.OwningTenant(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="research.tenant",
            ),
        ),
        migrations.AddField(
            model_name="reviewdecision",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="reviewdecision",
            name="escalation",
            field=research.models.base_models.TenantKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="decisions",
                to="research.escalation",
            ),
        ),
        migrations.AddField(
            model_name="reviewdecision",
            name="tenant",
            field=research.models.base_models.OwningTenant(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="research.tenant",
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="claim",
            field=research.models.base_models.TenantKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="citations.claim",
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="contradiction",
            field=research.models.base_models.TenantKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="citations.contradiction",
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="decided_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="escalation",
            field=research.models.base_models.TenantKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="items",
                to="research.escalation",
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="run",
            field=research.models.base_models.TenantKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="review_items",
                to="research.run",
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="taken_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="tenant",
            field=research.models.base_models.OwningTenant(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="research.tenant",
            ),
        ),
        migrations.AddField(
            model_name="reviewdecision",
            name="item",
            field=research.models.base_models.TenantKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="decisions",
                to="research.reviewitem",
            ),
        ),
        migrations.AddIndex(
            model_name="instruction",
            index=models.Index(
                condition=models.Q(("status", "queued")), fields=["tenant", "run"], name="instruction_queued"
            ),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(
                condition=models.Q(("sent_at", None)), fields=["tenant", "created_at"], name="mail_unsent"
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.UniqueConstraint(
                fields=("tenant", "kind", "ref"), name="one_mail_per_occasion"
            ),
        ),
        migrations.AddConstraint(
            model_name="planversion",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="one_plan_per_number"),
        ),
        migrations.AddIndex(
            model_name="reviewitem",
            index=models.Index(
                condition=models.Q(("status__in", ["open", "skipped"])),
                fields=["tenant", "escalation", "position"],
                name="review_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["plan", "claim", "contradiction", "gap"])),
                name="research_reviewitem_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewitem",
            constraint=models.UniqueConstraint(
                fields=("escalation", "position"), name="one_item_per_position"
            ),
        ),
        migrations.AddIndex(
            model_name="reviewdecision",
            index=models.Index(fields=["tenant", "escalation", "created_at"], name="decision_in_order"),
        ),
        migrations.RunSQL(SCHEDULE_OF_TENANT, migrations.RunSQL.noop),
        IsolateTenants("Instruction", "Mail", "PlanVersion", "ReviewItem", "ReviewDecision"),
        migrations.RunSQL(HISTORY, NO_HISTORY),
    ]
