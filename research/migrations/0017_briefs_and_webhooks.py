import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0016_api_tokens"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="BriefRecord",
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
                ("input_hash", models.CharField(max_length=64)),
                ("draft", models.JSONField(default=dict)),
                ("brief", models.JSONField(blank=True, null=True)),
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
                    models.UniqueConstraint(fields=("tenant", "input_hash"), name="one_brief_per_input")
                ],
            },
        ),
        migrations.CreateModel(
            name="TenantSecret",
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
                    "purpose",
                    models.CharField(
                        choices=[
                            ("parallel_webhook", "Parallel Webhook"),
                            ("parallel_key", "Parallel Key"),
                            ("image_prompt", "Image Prompt"),
                            ("rewrite", "Rewrite"),
                        ],
                        max_length=16,
                    ),
                ),
                ("sealed", models.BinaryField()),
                ("hint", models.CharField(max_length=8)),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
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
                    models.Index(fields=["tenant", "purpose", "-created_at"], name="secret_by_purpose")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("purpose__in", ["parallel_webhook", "parallel_key", "image_prompt", "rewrite"])
                        ),
                        name="research_tenantsecret_purpose_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WatchedTask",
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
                ("external_run", models.CharField(max_length=200)),
                ("context", models.JSONField(blank=True, default=dict)),
                ("arrived", models.CharField(default="run_id", max_length=8)),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("taken_in", "Taken In"), ("failed", "Failed")],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("not_before", models.DateTimeField(blank=True, null=True)),
                ("problem", models.TextField(blank=True)),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "run",
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
                        condition=models.Q(("state", "waiting")),
                        fields=["tenant", "not_before"],
                        name="task_waiting",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "taken_in", "failed"])),
                        name="research_watchedtask_state_known",
                    ),
                    models.UniqueConstraint(fields=("tenant", "external_run"), name="one_watch_per_task"),
                ],
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
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
                    "consumer",
                    models.CharField(
                        choices=[("image_prompt", "Image Prompt"), ("rewrite", "Rewrite")], max_length=12
                    ),
                ),
                ("message_id", models.CharField(max_length=64)),
                ("body", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("delivered", "Delivered"),
                            ("given_up", "Given Up"),
                        ],
                        default="waiting",
                        max_length=9,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("not_before", models.DateTimeField(blank=True, null=True)),
                ("tries", models.JSONField(blank=True, default=list)),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "run",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
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
                "verbose_name_plural": "webhook deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["tenant", "not_before"],
                        name="delivery_waiting",
                    ),
                    models.Index(fields=["tenant", "-created_at"], name="delivery_newest"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("consumer__in", ["image_prompt", "rewrite"])),
                        name="research_webhookdelivery_consumer_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "delivered", "given_up"])),
                        name="research_webhookdelivery_state_known",
                    ),
                    models.UniqueConstraint(fields=("tenant", "message_id"), name="one_delivery_per_message"),
                    models.UniqueConstraint(
                        fields=("run", "consumer"), name="one_delivery_per_run_and_consumer"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "delivered"), ("delivered_at", None), _connector="XOR"),
                        name="delivery_delivered_iff_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WebhookEndpoint",
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
                    "consumer",
                    models.CharField(
                        choices=[("image_prompt", "Image Prompt"), ("rewrite", "Rewrite")], max_length=12
                    ),
                ),
                ("url", models.TextField()),
                ("enabled", models.BooleanField(default=True)),
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
                        condition=models.Q(("consumer__in", ["image_prompt", "rewrite"])),
                        name="research_webhookendpoint_consumer_known",
                    ),
                    models.UniqueConstraint(fields=("tenant", "consumer"), name="one_endpoint_per_consumer"),
                ],
            },
        ),
        IsolateTenants("BriefRecord", "TenantSecret", "WatchedTask", "WebhookDelivery", "WebhookEndpoint"),
    ]
