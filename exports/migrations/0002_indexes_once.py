"""Remove the index of a column with which another index begins: every write would update both."""

from django.db import migrations

from research.db.drop_fk_index import WithoutOwnIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("exports", "0001_files_and_links"), ("research", "0029_indexes_once")]
    operations = [
        WithoutOwnIndex("export", "tenant", "run"),
        WithoutOwnIndex("sharelink", "tenant", "run"),
    ]
