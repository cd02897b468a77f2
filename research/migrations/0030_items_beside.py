"""What somebody's own table has of an item comes back beside the answers."""

from django.db import migrations

from research.models.base_models import CheckedJSONField


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0029_indexes_once"),
    ]

    operations = [
        migrations.AddField(
            model_name="item",
            name="beside",
            field=CheckedJSONField(blank=True, null=True),
        ),
    ]
