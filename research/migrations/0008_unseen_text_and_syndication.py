"""What reading left out and noted is kept with the frozen text; whose words a page repeats, with the page."""

from django.db import migrations, models

import research.models.base_models

# As in 0002, with what reading said of the text beside it.
FREEZE = """
DROP TRIGGER content_is_frozen ON research_content;
CREATE TRIGGER content_is_frozen
    BEFORE UPDATE OF text, sha256, raw_sha256, extractor, blocks, pages, dropped, notes ON research_content
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('a text that was read');
"""
FREEZE_LESS = """
DROP TRIGGER content_is_frozen ON research_content;
CREATE TRIGGER content_is_frozen
    BEFORE UPDATE OF text, sha256, raw_sha256, extractor, blocks, pages ON research_content
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('a text that was read');
"""


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0007_kept_pages"),
    ]

    operations = [
        migrations.AddField(
            model_name="content",
            name="dropped",
            field=research.models.base_models.CheckedJSONField(default=list),
        ),
        migrations.AddField(
            model_name="content",
            name="notes",
            field=research.models.base_models.CheckedJSONField(default=list),
        ),
        migrations.AddField(
            model_name="librarydocument",
            name="syndicated_from",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="source",
            name="syndicated_from",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.RunSQL(FREEZE, FREEZE_LESS),
    ]
