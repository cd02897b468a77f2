"""The page of a quote as it is printed: a chapter of a book begins with page 245."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("citations", "0006_indexes_once")]

    operations = [
        migrations.AddField(
            model_name="citation",
            name="page_label",
            field=models.CharField(blank=True, db_default="", max_length=40),
        )
    ]
