"""A step's default is the number that the lifecycle gives it: no column changes, the default is the program's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("research", "0011_people")]

    operations = [
        migrations.AlterField(
            model_name="step", name="max_attempts", field=models.PositiveSmallIntegerField(default=3)
        ),
    ]
