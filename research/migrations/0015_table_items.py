"""Rows of tables: what is still to be found, what was read, when it changed; and tables that are opened again."""

from django.db import migrations, models
from django.db.models import Q

from research.models.base_models import CheckedJSONField


class Migration(migrations.Migration):
    dependencies = [("research", "0014_user_settings")]

    operations = [
        migrations.AddField(
            "budget", "settled_usd", models.DecimalField(decimal_places=6, default=0, max_digits=12)
        ),
        migrations.AddField("item", "error_code", models.CharField(blank=True, max_length=40)),
        migrations.AddField("item", "is_held", models.BooleanField(default=False)),
        migrations.AddField("item", "sources", CheckedJSONField(blank=True, default=list)),
        migrations.AddField("item", "version", models.PositiveIntegerField(default=0)),
        migrations.AddField("item", "wanted", CheckedJSONField(blank=True, default=list)),
        migrations.AlterField("item", "result", CheckedJSONField(blank=True, null=True)),
        migrations.AddIndex(
            "item",
            models.Index(
                fields=["tenant", "run", "index"],
                condition=Q(("is_held", False), ("status", "pending")),
                name="item_open",
            ),
        ),
        migrations.AddIndex(
            "item", models.Index(fields=["tenant", "run", "version"], name="item_by_version")
        ),
        migrations.AddConstraint(
            "item",
            models.CheckConstraint(
                name="item_failure_has_a_code",
                condition=Q(~Q(status="failed"), ~Q(error_code=""), _connector="OR"),
            ),
        ),
    ]
