"""Messages between agents, and their workspace."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0005_estimates"),
    ]

    operations = [
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="research.run",
                    ),
                ),
                (
                    "step",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="research.step",
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
        IsolateTenants("AgentMessage", "WorkspaceEntry"),
    ]
