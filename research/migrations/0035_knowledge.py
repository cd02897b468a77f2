"""The graph of what finished runs found: entities that claims name, links between claims of different runs."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [
        ("citations", "0006_indexes_once"),
        ("research", "0034_schedule_inputs"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClaimLink",
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
                            ("agreement", "Agreement"),
                            ("contradiction", "Contradiction"),
                            ("change", "Change"),
                        ],
                        max_length=13,
                    ),
                ),
                ("mine", models.CharField(blank=True, max_length=300)),
                ("theirs", models.CharField(blank=True, max_length=300)),
                ("my_time", models.CharField(blank=True, max_length=10)),
                ("their_time", models.CharField(blank=True, max_length=10)),
                (
                    "claim",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="citations.claim",
                    ),
                ),
                (
                    "other",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links_from_later",
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
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["agreement", "contradiction", "change"])),
                        name="research_claimlink_kind_known",
                    ),
                    models.UniqueConstraint(fields=("claim", "other"), name="one_link_per_pair_of_claims"),
                    models.CheckConstraint(
                        condition=models.Q(("claim", models.F("other")), _negated=True),
                        name="link_between_two_claims",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EntityMention",
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
                ("key", models.CharField(max_length=120)),
                ("name", models.CharField(max_length=120)),
                ("folded", models.CharField(max_length=160)),
                (
                    "kind",
                    models.CharField(
                        choices=[("name", "Name"), ("place", "Place"), ("subject", "Subject")], max_length=7
                    ),
                ),
                (
                    "claim",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
                        to="citations.claim",
                    ),
                ),
                (
                    "run",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
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
                    models.Index(fields=["tenant", "key"], name="mention_by_key"),
                    models.Index(fields=["tenant", "folded"], name="mention_by_name"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["name", "place", "subject"])),
                        name="research_entitymention_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("key", ""), _negated=True), name="mention_has_a_key"
                    ),
                    models.UniqueConstraint(fields=("claim", "key"), name="one_mention_per_claim_and_key"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunKnowledge",
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
                ("claims", models.PositiveIntegerField(default=0)),
                (
                    "run",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="knowledge",
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
                "verbose_name_plural": "run knowledge",
                "constraints": [models.UniqueConstraint(fields=("run",), name="one_knowledge_per_run")],
            },
        ),
        IsolateTenants("ClaimLink", "EntityMention", "RunKnowledge"),
    ]
