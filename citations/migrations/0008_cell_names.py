"""Adds the names of the table row and columns that a quote is from."""

from django.db import migrations

import research.models.base_models


class Migration(migrations.Migration):
    dependencies = [("citations", "0007_page_label")]

    operations = [
        migrations.AddField(
            model_name="citation",
            name="cell_names",
            field=research.models.base_models.CheckedJSONField(blank=True, null=True),
        )
    ]
