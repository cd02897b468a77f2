"""Whether a finished report holds a claim without a quote, asked of the one claim that changed.

All claims of the run were gone through for each of them, even while the run was at work: a table of 200 rows and three
columns spent six seconds of the database on it, by a plan made while there were few claims.
"""

from importlib import import_module

from django.db import migrations

# Checked at commit, when the application's own tenant setting may be gone: the function sets that of the row.
CLAIMS_ARE_CITED = """
CREATE OR REPLACE FUNCTION citations_claims_are_cited() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    previous text := current_setting('plumbline.tenant', true);
    changed uuid;
    uncited text;
BEGIN
    PERFORM set_config('plumbline.tenant', coalesce(NEW.tenant_id, OLD.tenant_id)::text, true);
    IF TG_TABLE_NAME = 'research_run' THEN
        IF EXISTS (SELECT FROM research_run WHERE id = NEW.id AND state = 'completed') THEN
            SELECT c.text INTO uncited FROM citations_claim c
                WHERE c.run_id = NEW.id AND c.section_id IS NOT NULL
                    AND NOT EXISTS (SELECT FROM citations_citation x WHERE x.claim_id = c.id)
                LIMIT 1;
        END IF;
    ELSE
        IF TG_TABLE_NAME = 'citations_claim' THEN
            changed := NEW.id;
        ELSE
            changed := OLD.claim_id;
        END IF;
        SELECT c.text INTO uncited FROM citations_claim c
            WHERE c.id = changed AND c.section_id IS NOT NULL
                AND EXISTS (SELECT FROM research_run r WHERE r.id = c.run_id AND r.state = 'completed')
                AND NOT EXISTS (SELECT FROM citations_citation x WHERE x.claim_id = changed);
    END IF;
    PERFORM set_config('plumbline.tenant', coalesce(previous, ''), true);
    IF uncited IS NOT NULL THEN
        RAISE EXCEPTION 'a completed report may hold no claim without a citation: %', uncited
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;
"""
_as_first = import_module("citations.migrations.0002_isolation").CLAIMS_ARE_CITED
BEFORE = _as_first[: _as_first.index("CREATE CONSTRAINT TRIGGER")].replace(
    "CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"
)


class Migration(migrations.Migration):
    dependencies = [("citations", "0004_rechecks")]

    operations = [migrations.RunSQL(CLAIMS_ARE_CITED, BEFORE)]
