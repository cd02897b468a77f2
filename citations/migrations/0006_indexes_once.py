"""Remove the index of a column with which another index begins: every write would update both."""

from django.db import migrations

from research.db.drop_fk_index import WithoutOwnIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("citations", "0005_each_claim_by_its_key")]
    operations = [
        WithoutOwnIndex("citation", "tenant", "claim", "source"),
        WithoutOwnIndex("claim", "tenant", "run"),
        WithoutOwnIndex("contradiction", "tenant", "claim_a"),
        WithoutOwnIndex("domainrule", "tenant"),
        WithoutOwnIndex("recheck", "tenant", "source"),
        WithoutOwnIndex("recheckedcitation", "tenant", "recheck"),
        WithoutOwnIndex("section", "tenant", "run"),
        WithoutOwnIndex("verificationissue", "tenant"),
        WithoutOwnIndex("verificationreport", "tenant", "run"),
        WithoutOwnIndex("warning", "tenant", "run"),
    ]
