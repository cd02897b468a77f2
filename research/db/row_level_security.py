"""Migration operations that isolate tenants from each other, whatever the application does.

`IsolateTenants` enables row-level security for an app's tenant tables and makes their foreign keys composite
with the tenant (spec: governance.md, Tenants). Each migration that adds a tenant table ends with one;
tests/research/test_isolation.py checks every table in pg_class, so that a forgotten one fails.
"""

from collections.abc import Iterator

from django.conf import settings
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# NULLIF because a setting that was once set in a session reads as '' afterwards, not as NULL.
TENANT_MATCHES = "tenant_id = nullif(current_setting('plumbline.tenant', true), '')::uuid"


class IsolateTenants(Operation):
    """Enables row-level security and adds composite foreign keys for the named models."""

    reversible = True
    reduces_to_sql = True

    def __init__(self, *names: str) -> None:
        self.names = names

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Do nothing: Django's model state does not include policies and constraints."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: object,
        to_state: ProjectState,
    ) -> None:
        found = [to_state.apps.get_model(app_label, name) for name in self.names]
        for model in found:
            for statement in row_security(model._meta.db_table):
                schema_editor.execute(statement)
        for model in found:
            for statement in composite_keys(model):
                schema_editor.execute(statement)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: object, to_state: object
    ) -> None:
        """Do nothing: policies and constraints are dropped with their tables."""

    def describe(self) -> str:
        return f"Isolate tenants in {', '.join(self.names)}"


def row_security(table: str) -> Iterator[str]:
    yield f"ALTER TABLE {table} ADD CONSTRAINT {table}_of_tenant UNIQUE (tenant_id, id)"
    yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
    yield f"CREATE POLICY tenant_rows ON {table} USING ({TENANT_MATCHES}) WITH CHECK ({TENANT_MATCHES})"


def composite_keys(model: type[models.Model]) -> Iterator[str]:
    table = model._meta.db_table
    for field in model._meta.local_fields:
        if isinstance(field, models.ForeignKey) and getattr(field, "is_tenant_key", False):
            parent = field.remote_field.model._meta.db_table
            yield (
                f"ALTER TABLE {table} ADD CONSTRAINT {table}_{field.column}_of_tenant "
                f"FOREIGN KEY (tenant_id, {field.column}) REFERENCES {parent} (tenant_id, id) "
                "DEFERRABLE INITIALLY DEFERRED"
            )


def grant_to_application(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Grant the application's role access to all present and future tables. It owns none of them."""
    role = schema_editor.quote_name(str(settings.DATABASES["default"]["USER"]))
    for statement in (
        "GRANT USAGE ON SCHEMA public TO {role}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO {role}",
    ):
        schema_editor.execute(statement.format(role=role))
