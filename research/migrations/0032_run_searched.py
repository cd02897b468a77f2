"""A run keeps what of the library it searches, by folder, as it was at its start."""

from django.db import migrations

from research.models.base_models import CheckedJSONField


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0031_turns_by_the_index"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="searched",
            field=CheckedJSONField(blank=True, editable=False, null=True),
        ),
    ]
