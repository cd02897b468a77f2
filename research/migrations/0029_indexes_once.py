"""A column with which another index begins has no index of its own: every write would keep both."""

from django.db import migrations

from research.db.drop_fk_index import WithoutOwnIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("research", "0028_tenants_with_work")]
    operations = [
        WithoutOwnIndex("agentmessage", "tenant", "run", "step"),
        WithoutOwnIndex("apitoken", "tenant"),
        WithoutOwnIndex("auditentry", "tenant"),
        WithoutOwnIndex("briefrecord", "tenant"),
        WithoutOwnIndex("budget", "tenant", "run"),
        WithoutOwnIndex("chunk", "tenant", "run", "source"),
        WithoutOwnIndex("content", "tenant"),
        WithoutOwnIndex("creditaccount", "tenant"),
        WithoutOwnIndex("creditentry", "tenant", "account"),
        WithoutOwnIndex("datakey", "tenant"),
        WithoutOwnIndex("degradation", "tenant", "run"),
        WithoutOwnIndex("escalation", "tenant", "run"),
        WithoutOwnIndex("instruction", "tenant"),
        WithoutOwnIndex("invitation", "tenant"),
        WithoutOwnIndex("item", "tenant", "run"),
        WithoutOwnIndex("keptanswer", "tenant", "token"),
        WithoutOwnIndex("keptpage", "tenant"),
        WithoutOwnIndex("librarychunk", "tenant", "document"),
        WithoutOwnIndex("librarydocument", "tenant"),
        WithoutOwnIndex("mail", "tenant"),
        WithoutOwnIndex("membership", "tenant"),
        WithoutOwnIndex("modelcall", "tenant", "run"),
        WithoutOwnIndex("outbox", "tenant"),
        WithoutOwnIndex("planversion", "tenant", "run"),
        WithoutOwnIndex("reservation", "tenant", "run"),
        WithoutOwnIndex("reviewdecision", "tenant", "escalation"),
        WithoutOwnIndex("reviewitem", "tenant", "escalation"),
        WithoutOwnIndex("run", "tenant"),
        WithoutOwnIndex("schedule", "tenant"),
        WithoutOwnIndex("source", "tenant", "run"),
        WithoutOwnIndex("step", "tenant", "parent", "run"),
        WithoutOwnIndex("tenantsecret", "tenant"),
        WithoutOwnIndex("usageentry", "tenant", "run"),
        WithoutOwnIndex("watchedtask", "tenant"),
        WithoutOwnIndex("webhookdelivery", "tenant", "run"),
        WithoutOwnIndex("webhookendpoint", "tenant"),
        WithoutOwnIndex("webhookevent", "tenant"),
        WithoutOwnIndex("workspaceentry", "tenant", "run"),
    ]
