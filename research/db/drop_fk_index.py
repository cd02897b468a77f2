"""A migration operation that drops the indexes of foreign keys.

Django's AlterField would also drop and recreate the foreign key, with the table locked. This operation locks
nobody out; a migration with it is not atomic, and resumes where it was interrupted.
"""

from collections.abc import Iterator

from django.contrib.postgres.operations import NotInTransactionMixin
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation, OperationCategory
from django.db.migrations.state import ProjectState


class WithoutOwnIndex(NotInTransactionMixin, Operation):
    """Drops the index that Django created for a foreign key, for each of the fields.

    The foreign key itself stays.
    """

    reversible = True
    reduces_to_sql = True
    category = OperationCategory.ALTERATION

    def __init__(self, model_name: str, *fields: str) -> None:
        self.model_name = model_name
        self.fields = fields

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # `alter_field` would render all related models again, although the index does not concern them.
        fields = state.models[app_label, self.model_name].fields
        for name in self.fields:
            fields[name] = fields[name].clone()
            fields[name].db_index = False

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        _to_state: ProjectState,
    ) -> None:
        self._ensure_not_in_transaction(schema_editor)
        model = from_state.apps.get_model(app_label, self.model_name)
        for name in self.fields:
            for index in _own_indexes(schema_editor, model, str(model._meta.get_field(name).column)):
                schema_editor.execute(f"DROP INDEX CONCURRENTLY {schema_editor.quote_name(index)}")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: object, to_state: object
    ) -> None:
        """Do nothing: the dropped index is not needed, since another begins with the same columns."""

    def describe(self) -> str:
        return f"No index of their own for {', '.join(self.fields)} of {self.model_name}"


def _own_indexes(
    schema_editor: BaseDatabaseSchemaEditor, model: type[models.Model], column: str
) -> Iterator[str]:
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    for name, constraint in found.items():
        is_plain = constraint["index"] and not constraint["unique"] and constraint["type"] != "brin"
        if is_plain and constraint["columns"] == [column]:
            yield name
