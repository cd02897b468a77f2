"""A question whose run was over before anyone answered is closed."""

from django.db import migrations, models

STATUSES = ["open", "approved", "rejected", "revised", "expired", "closed"]


class Migration(migrations.Migration):
    dependencies = [("research", "0012_step_max_attempts")]

    operations = [
        migrations.RemoveConstraint("escalation", "research_escalation_status_known"),
        migrations.AlterField(
            "escalation",
            "status",
            models.CharField(
                choices=[(status, status.capitalize()) for status in STATUSES], default="open", max_length=8
            ),
        ),
        migrations.AddConstraint(
            "escalation",
            models.CheckConstraint(
                condition=models.Q(("status__in", STATUSES)), name="research_escalation_status_known"
            ),
        ),
    ]
