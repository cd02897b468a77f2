"""Tenants see only their own rows; frozen rows stay frozen."""

from django.db import migrations

from research.db.row_level_security import IsolateTenants, grant_to_application

# The tenant's own row: visible to itself only. The owner of the tables reads all, for the two functions below.
TENANT_POLICIES = """
ALTER TABLE research_tenant ENABLE ROW LEVEL SECURITY;
ALTER TABLE research_tenant FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON research_tenant
    USING (id = nullif(current_setting('plumbline.tenant', true), '')::uuid)
    WITH CHECK (id = nullif(current_setting('plumbline.tenant', true), '')::uuid);
CREATE POLICY owner_reads ON research_tenant FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_reads ON research_membership FOR SELECT TO CURRENT_USER USING (true);
"""

# What must be known before a tenant is set: which tenants there are (the sweeper), and which a user belongs to.
DIRECTORY = """
CREATE FUNCTION plumbline_tenants() RETURNS TABLE (tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT id FROM research_tenant ORDER BY id';
CREATE FUNCTION plumbline_memberships(of_user integer) RETURNS TABLE (tenant_id uuid, role varchar)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT tenant_id, role FROM research_membership WHERE user_id = of_user ORDER BY created_at, id';
"""
DROP_DIRECTORY = "DROP FUNCTION plumbline_tenants(); DROP FUNCTION plumbline_memberships(integer);"

FROZEN = """
CREATE FUNCTION research_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is frozen: rows of % may not change', TG_ARGV[0], TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER content_is_frozen
    BEFORE UPDATE OF text, sha256, raw_sha256, extractor, blocks, pages ON research_content
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('a text that was read');
CREATE TRIGGER credit_entries_are_append_only
    BEFORE UPDATE OR DELETE ON research_creditentry
    FOR EACH ROW EXECUTE FUNCTION research_refuse_change('the ledger');
"""
DROP_FROZEN = """
DROP TRIGGER content_is_frozen ON research_content;
DROP TRIGGER credit_entries_are_append_only ON research_creditentry;
DROP FUNCTION research_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("research", "0001_tables")]

    operations = [
        IsolateTenants(
            "Content",
            "CreditAccount",
            "LibraryDocument",
            "Run",
            "Source",
            "Step",
            "Schedule",
            "Outbox",
            "ModelCall",
            "Membership",
            "LibraryChunk",
            "Item",
            "Escalation",
            "Degradation",
            "DataKey",
            "CreditEntry",
            "Chunk",
            "Budget",
            "UsageEntry",
            "WebhookEvent",
        ),
        migrations.RunSQL(TENANT_POLICIES, migrations.RunSQL.noop),
        migrations.RunSQL(DIRECTORY, DROP_DIRECTORY),
        migrations.RunSQL(FROZEN, DROP_FROZEN),
        migrations.RunPython(grant_to_application, migrations.RunPython.noop),
    ]
