"""Remove the index of a column with which another index begins: every write would update both."""

from django.db import migrations

from research.db.drop_fk_index import WithoutOwnIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("research", "0029_indexes_once"), ("slides", "0002_drawn_pictures")]
    operations = [
        WithoutOwnIndex("deck", "tenant", "run"),
        WithoutOwnIndex("deckfile", "tenant", "version"),
        WithoutOwnIndex("decktheme", "tenant"),
        WithoutOwnIndex("deckversion", "tenant", "deck"),
        WithoutOwnIndex("drawnpicture", "tenant"),
        WithoutOwnIndex("picture", "tenant"),
        WithoutOwnIndex("renderedslide", "tenant", "deck"),
    ]
