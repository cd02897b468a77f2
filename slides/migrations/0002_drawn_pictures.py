"""Pictures that a model is asked for."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0018_pictures_are_paid"),
        ("slides", "0001_decks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DrawnPicture",
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
                            ("making", "Making"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                            ("expired", "Expired"),
                        ],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("progress", models.FloatField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("fence", models.PositiveIntegerField(default=0)),
                ("taken_by", models.CharField(blank=True, max_length=100)),
                ("taken_until", models.DateTimeField(blank=True, null=True)),
                ("error_code", models.CharField(blank=True, max_length=40)),
                ("error", models.TextField(blank=True)),
                ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("slide", models.PositiveSmallIntegerField()),
                ("words", models.TextField()),
                ("is_placed", models.BooleanField(default=False)),
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
                    "picture",
                    research.models.base_models.TenantKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="slides.picture",
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
                (
                    "version",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawn",
                        to="slides.deckversion",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ("waiting", "making"))),
                        fields=["tenant", "updated_at"],
                        name="drawn_open",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waiting", "making", "ready", "failed", "expired"])
                        ),
                        name="slides_drawnpicture_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("progress__range", (0, 1))),
                        name="slides_drawnpicture_progress_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "failed"), ("error_code", ""), _connector="XOR"),
                        name="drawnpicture_failed_iff_code",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state", "making"), ("taken_until__isnull", True), _connector="XOR"
                        ),
                        name="drawnpicture_taken_iff_making",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "ready"), ("picture__isnull", True), _connector="XOR"),
                        name="drawn_ready_iff_picture",
                    ),
                ],
            },
        ),
        IsolateTenants("DrawnPicture"),
    ]
