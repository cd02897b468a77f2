"""The log of model calls by purpose, with answers kept; models and their prices."""

import django.core.validators
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

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
    dependencies = [
        ("research", "0003_budgets"),
    ]

    operations = [
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
                    models.UniqueConstraint(fields=("name", "base_url"), name="one_row_per_model_and_server"),
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
        migrations.RemoveConstraint(
            model_name="modelcall",
            name="one_model_call_per_request",
        ),
        migrations.AddField(
            model_name="modelcall",
            name="answer",
            field=models.BinaryField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="modelcall",
            name="fence",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="modelcall",
            name="is_estimated",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="modelcall",
            name="purpose",
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.AddField(
            model_name="modelcall",
            name="run_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="modelcall",
            name="tenant_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="modelcall",
            name="user_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="tenant",
            name="kept_bodies",
            field=models.CharField(
                choices=[("off", "Off"), ("hashed", "Hashed"), ("encrypted", "Encrypted")],
                default="hashed",
                max_length=9,
            ),
        ),
        migrations.AddConstraint(
            model_name="modelcall",
            constraint=models.UniqueConstraint(
                fields=("run", "step_key", "purpose", "request_hash", "n"), name="one_model_call_per_request"
            ),
        ),
        migrations.AddConstraint(
            model_name="tenant",
            constraint=models.CheckConstraint(
                condition=models.Q(("kept_bodies__in", ["off", "hashed", "encrypted"])),
                name="research_tenant_kept_bodies_known",
            ),
        ),
        migrations.RunPython(add_known_models, migrations.RunPython.noop),
    ]
