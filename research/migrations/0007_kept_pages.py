"""Pages of the web as a tenant last fetched them."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [("research", "0006_agents")]

    operations = [
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
                    models.UniqueConstraint(fields=("tenant", "canonical_url"), name="one_kept_page_per_url")
                ],
            },
        ),
        IsolateTenants("KeptPage"),
    ]
