"""Passages lie whole in their rows: a search looks at vector and words of thousands, each kept aside until now."""

from django.db import migrations

# Two rows a page. New rows alone: those that are there follow with VACUUM FULL (docs/performance.md).
TABLES = ("research_librarychunk", "research_chunk")


class Migration(migrations.Migration):
    dependencies = [("research", "0024_turns")]

    operations = [
        migrations.RunSQL(
            f"ALTER TABLE {table} SET (toast_tuple_target = 4080)",
            f"ALTER TABLE {table} RESET (toast_tuple_target)",
        )
        for table in TABLES
    ]
