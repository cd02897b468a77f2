"""The text index, under row-level security: a function of the owner's asks it for the passages of the tenant that is set.

PostgreSQL uses no index for `@@` where a policy guards the table: the operator is not leakproof, so the policy comes
first, row by row. The function takes words alone; whose passages are looked at is the transaction's own setting.
"""

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Planned anew each time (EXECUTE): rare words and common ones, small tenants and large ones are found in other ways.
PASSAGES_WITH = """
CREATE FUNCTION plumbline_passages_with(words tsquery) RETURNS uuid[]
    LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    own uuid := nullif(current_setting('plumbline.tenant', true), '')::uuid;
    found uuid[];
BEGIN
    EXECUTE 'SELECT array_agg(id) FROM public.research_librarychunk WHERE tenant_id = $1 AND search @@ $2'
        INTO found USING own, words;
    RETURN coalesce(found, '{}');
END $$;
"""


def for_the_application_alone(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    role = schema_editor.quote_name(str(settings.DATABASES["default"]["USER"]))
    schema_editor.execute("REVOKE ALL ON FUNCTION plumbline_passages_with(tsquery) FROM PUBLIC")
    schema_editor.execute(f"GRANT EXECUTE ON FUNCTION plumbline_passages_with(tsquery) TO {role}")


class Migration(migrations.Migration):
    dependencies = [("research", "0025_passages_inline")]

    operations = [
        migrations.RunSQL(PASSAGES_WITH, "DROP FUNCTION plumbline_passages_with(tsquery);"),
        migrations.RunPython(for_the_application_alone, migrations.RunPython.noop),
    ]
