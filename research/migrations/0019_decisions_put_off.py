"""What was decided may count later: a worker works it in."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("research", "0018_pictures_are_paid")]

    operations = [
        migrations.AddField("escalation", "work_in_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("escalation", "work_in_tries", models.PositiveSmallIntegerField(default=0)),
        migrations.AddIndex(
            "escalation",
            models.Index(
                condition=models.Q(("work_in_at__isnull", False)),
                fields=["tenant", "work_in_at"],
                name="escalation_to_work_in",
            ),
        ),
    ]
