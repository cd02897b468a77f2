"""Later looks at cited sources, and what became of each quote."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [
        ("citations", "0003_alignment_and_domain_rules"),
        ("research", "0008_unseen_text_and_syndication"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rechecks",
                        to="research.source",
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
                            models.Q(("finished_at__isnull", False), ("state__in", ("done", "unreadable"))),
                            models.Q(("finished_at__isnull", True), ("state__in", ("waiting", "fetched"))),
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="citations",
                        to="citations.recheck",
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
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["still there", "changed", "gone", "unreadable"])),
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
        IsolateTenants("Recheck", "RecheckedCitation"),
    ]
