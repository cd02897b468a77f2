"""Which tenants have work of a kind, so that sweeps look at these alone, however many there are."""

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Each answers with every tenant that a sweep could find something at, and perhaps with more. A body of PL/pgSQL is
# looked at when it runs, so the tables of other applications need not be there yet.
TENANTS_WITH = """
CREATE FUNCTION plumbline_tenants_with(what text, model text) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    CASE what
    WHEN 'runs' THEN RETURN QUERY
        SELECT tenant_id FROM research_run WHERE state NOT IN ('completed', 'failed', 'cancelled')
        UNION SELECT tenant_id FROM research_run WHERE completed_at > clock_timestamp() - interval '20 minutes'
        UNION SELECT tenant_id FROM research_step WHERE status = 'running'
        UNION SELECT tenant_id FROM research_reservation ORDER BY 1;
    WHEN 'messages' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_outbox WHERE published_at IS NULL ORDER BY 1;
    WHEN 'mail' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_mail WHERE sent_at IS NULL ORDER BY 1;
    WHEN 'deliveries' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_webhookdelivery WHERE state = 'waiting' ORDER BY 1;
    WHEN 'tasks' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_watchedtask WHERE state = 'waiting' ORDER BY 1;
    WHEN 'schedules' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_schedule ORDER BY 1;
    WHEN 'decisions' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM research_escalation WHERE work_in_at IS NOT NULL ORDER BY 1;
    WHEN 'documents' THEN RETURN QUERY
        SELECT tenant_id FROM research_librarydocument WHERE status IN ('pending', 'reading')
        UNION SELECT document.tenant_id FROM research_librarydocument document
            WHERE document.status = 'ready' AND document.folder <> 'web' AND EXISTS (
                SELECT FROM research_librarychunk first
                WHERE first.document_id = document.id AND first.chunk_index = 0
                    AND (first.embedding IS NULL OR first.embedding_model <> model))
        ORDER BY 1;
    WHEN 'rechecks' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM citations_recheck WHERE state IN ('waiting', 'fetched') ORDER BY 1;
    WHEN 'files' THEN RETURN QUERY
        SELECT DISTINCT tenant_id FROM exports_export WHERE state IN ('waiting', 'making') ORDER BY 1;
    WHEN 'decks' THEN RETURN QUERY
        SELECT tenant_id FROM slides_deck WHERE state IN ('waiting', 'making')
        UNION SELECT tenant_id FROM slides_deckfile WHERE state IN ('waiting', 'making')
        UNION SELECT tenant_id FROM slides_drawnpicture WHERE state IN ('waiting', 'making') ORDER BY 1;
    END CASE;
END $$;
"""
SIGNATURE = "plumbline_tenants_with(text, text)"


def for_the_application_alone(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    role = schema_editor.quote_name(str(settings.DATABASES["default"]["USER"]))
    schema_editor.execute(f"REVOKE ALL ON FUNCTION {SIGNATURE} FROM PUBLIC")
    schema_editor.execute(f"GRANT EXECUTE ON FUNCTION {SIGNATURE} TO {role}")


class Migration(migrations.Migration):
    dependencies = [("research", "0027_retention")]

    operations = [
        migrations.RunSQL(TENANTS_WITH, f"DROP FUNCTION {SIGNATURE};"),
        migrations.RunPython(for_the_application_alone, migrations.RunPython.noop),
    ]
