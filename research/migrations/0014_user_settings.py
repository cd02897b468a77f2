"""What people chose for themselves. Of no tenant: the row belongs to the user, as the password does."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("research", "0013_closed_questions"),
    ]

    operations = [
        migrations.CreateModel(
            name="UserSettings",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="settings",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "System"), ("light", "Light"), ("dark", "Dark")],
                        default="system",
                        max_length=6,
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=20)),
                ("single_keys", models.BooleanField(default=True)),
                ("mail_asked", models.BooleanField(default=True)),
                ("mail_failures", models.BooleanField(default=True)),
                ("mail_schedules", models.BooleanField(default=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "verbose_name_plural": "user settings",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("theme__in", ["system", "light", "dark"])),
                        name="research_usersettings_theme_known",
                    ),
                ],
            },
        ),
    ]
