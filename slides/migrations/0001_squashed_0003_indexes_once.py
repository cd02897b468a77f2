"""Presentations, as migrations 0001 to 0003 leave them."""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.apply_in_one_statement import ApplyTogether
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    initial = True

    replaces = [("slides", "0001_decks"), ("slides", "0002_drawn_pictures"), ("slides", "0003_indexes_once")]

    dependencies = [
        ("research", "0015_table_items"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("research", "0018_pictures_are_paid"),
        ("research", "0029_indexes_once"),
    ]

    operations = [
        ApplyTogether(
            migrations.CreateModel(
                name="Deck",
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
                    ("report_version", models.PositiveSmallIntegerField()),
                    ("title", models.CharField(max_length=300)),
                    (
                        "outline",
                        models.CharField(
                            choices=[("rules", "Rules"), ("model", "Model")], default="rules", max_length=5
                        ),
                    ),
                    (
                        "length",
                        models.CharField(
                            choices=[("short", "Short"), ("standard", "Standard"), ("full", "Full")],
                            default="standard",
                            max_length=8,
                        ),
                    ),
                    ("language", models.CharField(default="en", max_length=10)),
                    ("theme", research.models.base_models.CheckedJSONField()),
                    ("evidence", research.models.base_models.CheckedJSONField(default=dict)),
                    (
                        "outlined_by",
                        models.CharField(
                            blank=True, choices=[("rules", "Rules"), ("model", "Model")], max_length=5
                        ),
                    ),
                    ("note", models.TextField(blank=True)),
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
                        "run",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="decks",
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
                        models.Index(fields=["tenant", "run", "-created_at"], name="deck_of_run"),
                        models.Index(
                            condition=models.Q(("state__in", ("waiting", "making"))),
                            fields=["tenant", "updated_at"],
                            name="deck_open",
                        ),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("state__in", ["waiting", "making", "ready", "failed", "expired"])
                            ),
                            name="slides_deck_state_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("progress__range", (0, 1))), name="slides_deck_progress_range"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("state", "failed"), ("error_code", ""), _connector="XOR"),
                            name="deck_failed_iff_code",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("state", "making"), ("taken_until__isnull", True), _connector="XOR"
                            ),
                            name="deck_taken_iff_making",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("outline__in", ["rules", "model"])),
                            name="slides_deck_outline_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("length__in", ["short", "standard", "full"])),
                            name="slides_deck_length_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("outlined_by__in", ["rules", "model", ""])),
                            name="slides_deck_outlined_by_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("state", "ready"), ("outlined_by", ""), _connector="XOR"),
                            name="deck_ready_iff_outlined",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="DeckVersion",
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
                    ("number", models.PositiveIntegerField()),
                    (
                        "change",
                        models.CharField(
                            choices=[
                                ("made", "Made"),
                                ("reworded", "Reworded"),
                                ("moved", "Moved"),
                                ("added", "Added"),
                                ("deleted", "Deleted"),
                                ("laid_out", "Laid Out"),
                                ("pictured", "Pictured"),
                                ("fitted", "Fitted"),
                                ("themed", "Themed"),
                                ("restored", "Restored"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("slide", models.PositiveSmallIntegerField(blank=True, null=True)),
                    ("title", models.CharField(max_length=300)),
                    ("theme", research.models.base_models.CheckedJSONField()),
                    ("slides", research.models.base_models.CheckedJSONField()),
                    ("slide_count", models.PositiveSmallIntegerField()),
                    (
                        "deck",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="versions",
                            to="slides.deck",
                        ),
                    ),
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
                                (
                                    "change__in",
                                    [
                                        "made",
                                        "reworded",
                                        "moved",
                                        "added",
                                        "deleted",
                                        "laid_out",
                                        "pictured",
                                        "fitted",
                                        "themed",
                                        "restored",
                                    ],
                                )
                            ),
                            name="slides_deckversion_change_known",
                        ),
                        models.UniqueConstraint(fields=("deck", "number"), name="one_version_per_number"),
                        models.CheckConstraint(
                            condition=models.Q(("number__gte", 1), ("slide_count__gte", 1)),
                            name="version_has_slides",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="DeckFile",
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
                    ("object_key", models.CharField(blank=True, max_length=200)),
                    ("filename", models.CharField(blank=True, max_length=200)),
                    ("file_size", models.PositiveBigIntegerField(blank=True, null=True)),
                    ("sha256", models.CharField(blank=True, max_length=64)),
                    ("download_count", models.PositiveIntegerField(default=0)),
                    ("expires_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "mode",
                        models.CharField(
                            choices=[("html", "HTML"), ("png", "PNG"), ("pptx", "PPTX")], max_length=4
                        ),
                    ),
                    ("writer_version", models.PositiveSmallIntegerField(default=1)),
                    ("notes", models.JSONField(blank=True, default=list)),
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
                        "version",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="files",
                            to="slides.deckversion",
                        ),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(
                            condition=models.Q(("state__in", ("waiting", "making"))),
                            fields=["tenant", "updated_at"],
                            name="deckfile_open",
                        ),
                        models.Index(
                            condition=models.Q(("object_key", ""), _negated=True),
                            fields=["object_key"],
                            name="deckfile_object",
                        ),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("state__in", ["waiting", "making", "ready", "failed", "expired"])
                            ),
                            name="slides_deckfile_state_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("progress__range", (0, 1))),
                            name="slides_deckfile_progress_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("state", "failed"), ("error_code", ""), _connector="XOR"),
                            name="deckfile_failed_iff_code",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("state", "making"), ("taken_until__isnull", True), _connector="XOR"
                            ),
                            name="deckfile_taken_iff_making",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("state", "ready"), ("object_key", ""), _connector="XOR"),
                            name="deckfile_ready_iff_file",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("state", "ready"), _negated=True),
                                models.Q(
                                    ("expires_at__isnull", False),
                                    ("file_size__isnull", False),
                                    models.Q(("sha256", ""), _negated=True),
                                ),
                                _connector="OR",
                            ),
                            name="deckfile_ready_has_size_and_end",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("mode__in", ["html", "png", "pptx"])),
                            name="slides_deckfile_mode_known",
                        ),
                        models.UniqueConstraint(
                            fields=("version", "mode", "writer_version"), name="one_deck_file_per_wish"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Picture",
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
                    ("object_key", models.CharField(max_length=200)),
                    ("media_type", models.CharField(max_length=20)),
                    ("width", models.PositiveIntegerField()),
                    ("height", models.PositiveIntegerField()),
                    ("file_size", models.PositiveIntegerField()),
                    ("is_generated", models.BooleanField(default=False)),
                    ("prompt", models.TextField(blank=True)),
                    (
                        "added_by",
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
                        models.UniqueConstraint(
                            fields=("tenant", "object_key", "is_generated"), name="one_picture_per_bytes"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="DeckTheme",
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
                    ("name", models.CharField(max_length=60)),
                    (
                        "primary",
                        models.CharField(
                            max_length=7,
                            validators=[
                                django.core.validators.RegexValidator(
                                    "\\A#[0-9A-Fa-f]{6}\\Z", "A colour is # and six digits from 0 to F."
                                )
                            ],
                        ),
                    ),
                    (
                        "secondary",
                        models.CharField(
                            max_length=7,
                            validators=[
                                django.core.validators.RegexValidator(
                                    "\\A#[0-9A-Fa-f]{6}\\Z", "A colour is # and six digits from 0 to F."
                                )
                            ],
                        ),
                    ),
                    (
                        "accent",
                        models.CharField(
                            max_length=7,
                            validators=[
                                django.core.validators.RegexValidator(
                                    "\\A#[0-9A-Fa-f]{6}\\Z", "A colour is # and six digits from 0 to F."
                                )
                            ],
                        ),
                    ),
                    (
                        "background",
                        models.CharField(
                            max_length=7,
                            validators=[
                                django.core.validators.RegexValidator(
                                    "\\A#[0-9A-Fa-f]{6}\\Z", "A colour is # and six digits from 0 to F."
                                )
                            ],
                        ),
                    ),
                    (
                        "text",
                        models.CharField(
                            max_length=7,
                            validators=[
                                django.core.validators.RegexValidator(
                                    "\\A#[0-9A-Fa-f]{6}\\Z", "A colour is # and six digits from 0 to F."
                                )
                            ],
                        ),
                    ),
                    (
                        "text_light",
                        models.CharField(
                            max_length=7,
                            validators=[
                                django.core.validators.RegexValidator(
                                    "\\A#[0-9A-Fa-f]{6}\\Z", "A colour is # and six digits from 0 to F."
                                )
                            ],
                        ),
                    ),
                    ("heading_font", models.CharField(max_length=40)),
                    ("body_font", models.CharField(max_length=40)),
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
                        "logo",
                        research.models.base_models.TenantKey(
                            blank=True,
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="slides.picture",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=("tenant", "name"), name="one_theme_per_name"),
                        models.CheckConstraint(
                            condition=models.Q(("primary__regex", "^#[0-9A-Fa-f]{6}$")),
                            name="theme_primary_is_a_colour",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("secondary__regex", "^#[0-9A-Fa-f]{6}$")),
                            name="theme_secondary_is_a_colour",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("accent__regex", "^#[0-9A-Fa-f]{6}$")),
                            name="theme_accent_is_a_colour",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("background__regex", "^#[0-9A-Fa-f]{6}$")),
                            name="theme_background_is_a_colour",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("text__regex", "^#[0-9A-Fa-f]{6}$")),
                            name="theme_text_is_a_colour",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("text_light__regex", "^#[0-9A-Fa-f]{6}$")),
                            name="theme_text_light_is_a_colour",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="RenderedSlide",
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
                    ("content_hash", models.CharField(max_length=64)),
                    ("object_key", models.CharField(max_length=200)),
                    ("sha256", models.CharField(max_length=64)),
                    ("file_size", models.PositiveIntegerField()),
                    (
                        "deck",
                        research.models.base_models.TenantKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="rendered",
                            to="slides.deck",
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
                    "indexes": [models.Index(fields=["object_key"], name="rendered_object")],
                    "constraints": [
                        models.UniqueConstraint(fields=("deck", "content_hash"), name="one_image_per_slide")
                    ],
                },
            ),
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
                            db_index=False,
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
                        )
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
                            condition=models.Q(
                                ("state", "ready"), ("picture__isnull", True), _connector="XOR"
                            ),
                            name="drawn_ready_iff_picture",
                        ),
                    ],
                },
            ),
        ),
        IsolateTenants(
            "Picture", "DeckTheme", "Deck", "DeckVersion", "DeckFile", "RenderedSlide", "DrawnPicture"
        ),
    ]
