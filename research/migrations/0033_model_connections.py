"""Workspaces connect a model server of their own; a call says which server it was sent to."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0032_run_searched"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="modelcall",
            name="server",
            field=models.CharField(blank=True, db_default="", max_length=255),
        ),
        migrations.CreateModel(
            name="ModelConnection",
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
                ("base_url", models.CharField(max_length=500)),
                ("sealed_key", models.BinaryField(blank=True, null=True)),
                ("key_hint", models.CharField(blank=True, max_length=8)),
                ("model", models.CharField(max_length=100)),
                ("role_models", research.models.base_models.CheckedJSONField(blank=True, default=dict)),
                ("fallback_model", models.CharField(blank=True, max_length=100)),
                ("fallback_url", models.CharField(blank=True, max_length=500)),
                ("sealed_fallback_key", models.BinaryField(blank=True, null=True)),
                ("fallback_key_hint", models.CharField(blank=True, max_length=8)),
                ("regions", research.models.base_models.CheckedJSONField(blank=True, default=list)),
                ("context_length", models.PositiveIntegerField(blank=True, null=True)),
                ("findings", models.JSONField(blank=True, default=list)),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "changed_by",
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
                    models.UniqueConstraint(fields=("tenant",), name="one_model_connection_per_tenant"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("fallback_url", ""),
                            models.Q(("fallback_model", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="fallback_server_has_model",
                    ),
                ],
            },
        ),
        IsolateTenants("ModelConnection"),
    ]
