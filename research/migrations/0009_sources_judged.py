"""Why a source is worth what it is, what must be read, and whether a run had enough sources."""

from django.db import migrations, models

import research.models.base_models


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0008_unseen_text_and_syndication"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="sufficiency",
            field=research.models.base_models.CheckedJSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="source",
            name="assessment",
            field=research.models.base_models.CheckedJSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="source",
            name="must_read",
            field=models.BooleanField(default=False),
        ),
    ]
