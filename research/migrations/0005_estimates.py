"""What a run was expected to take."""

from django.db import migrations

import research.models.base_models


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0004_model_gateway"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="estimate",
            field=research.models.base_models.CheckedJSONField(blank=True, null=True),
        ),
    ]
