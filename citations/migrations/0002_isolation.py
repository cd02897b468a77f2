"""Tenants see only their own rows; a quote is its source's own words; a finished report has no claim without one."""

from django.db import migrations

from research.db.row_level_security import IsolateTenants

# Offsets count Unicode code points from 0, half-open; substr counts characters from 1 (spec: data-model.md).
QUOTE_IS_SOURCE_TEXT = """
CREATE FUNCTION citations_quote_is_source_text() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    source_run uuid;
    words text;
BEGIN
    SELECT s.run_id, substr(c.text, NEW.start_offset + 1, NEW.end_offset - NEW.start_offset)
        INTO source_run, words
        FROM research_source s JOIN research_content c ON c.id = s.content_id
        WHERE s.id = NEW.source_id;
    IF words IS DISTINCT FROM NEW.quote THEN
        RAISE EXCEPTION 'the quote is not what its source says at [%, %)', NEW.start_offset, NEW.end_offset
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM citations_claim WHERE id = NEW.claim_id AND run_id = source_run) THEN
        RAISE EXCEPTION 'the cited source is not among the sources of the run that claims it'
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER citation_quote_is_source_text
    BEFORE INSERT OR UPDATE OF quote, start_offset, end_offset, source_id, claim_id ON citations_citation
    FOR EACH ROW EXECUTE FUNCTION citations_quote_is_source_text();
"""

# Checked at commit, when the application's own tenant setting may be gone: the function sets that of the row.
CLAIMS_ARE_CITED = """
CREATE FUNCTION citations_claims_are_cited() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    previous text := current_setting('plumbline.tenant', true);
    this_run uuid;
    uncited text;
BEGIN
    PERFORM set_config('plumbline.tenant', coalesce(NEW.tenant_id, OLD.tenant_id)::text, true);
    IF TG_TABLE_NAME = 'research_run' THEN
        this_run := NEW.id;
    ELSIF TG_TABLE_NAME = 'citations_claim' THEN
        this_run := NEW.run_id;
    ELSE
        SELECT run_id INTO this_run FROM citations_claim WHERE id = OLD.claim_id;
    END IF;
    SELECT c.text INTO uncited
        FROM research_run r JOIN citations_claim c ON c.run_id = r.id
        WHERE r.id = this_run AND r.state = 'completed' AND c.section_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM citations_citation x WHERE x.claim_id = c.id)
        LIMIT 1;
    PERFORM set_config('plumbline.tenant', coalesce(previous, ''), true);
    IF uncited IS NOT NULL THEN
        RAISE EXCEPTION 'a completed report may hold no claim without a citation: %', uncited
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER run_completes_with_cited_claims
    AFTER INSERT OR UPDATE OF state ON research_run DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.state = 'completed') EXECUTE FUNCTION citations_claims_are_cited();
CREATE CONSTRAINT TRIGGER placed_claim_is_cited
    AFTER INSERT OR UPDATE OF section_id, run_id ON citations_claim DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.section_id IS NOT NULL) EXECUTE FUNCTION citations_claims_are_cited();
CREATE CONSTRAINT TRIGGER cited_claim_stays_cited
    AFTER DELETE OR UPDATE OF claim_id ON citations_citation DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION citations_claims_are_cited();
"""
DROP = """
DROP TRIGGER citation_quote_is_source_text ON citations_citation;
DROP TRIGGER run_completes_with_cited_claims ON research_run;
DROP TRIGGER placed_claim_is_cited ON citations_claim;
DROP TRIGGER cited_claim_stays_cited ON citations_citation;
DROP FUNCTION citations_quote_is_source_text();
DROP FUNCTION citations_claims_are_cited();
"""


class Migration(migrations.Migration):
    dependencies = [("citations", "0001_tables"), ("research", "0002_isolation")]

    operations = [
        IsolateTenants(
            "Section",
            "Claim",
            "Citation",
            "VerificationReport",
            "VerificationIssue",
            "Warning",
            "Contradiction",
        ),
        migrations.RunSQL(QUOTE_IS_SOURCE_TEXT + CLAIMS_ARE_CITED, DROP),
    ]
