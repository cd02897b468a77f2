"""While a release is rolled out the one before still serves: what a migration must not do (docs/operating.md)."""

from collections.abc import Iterator

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

# The last of each that was made before the rules: nobody had been served by them yet.
BEFORE_THE_RULES = {"research": 24, "citations": 4, "exports": 1, "slides": 2}
GROWING = {"step", "source", "chunk", "librarychunk", "content", "claim", "citation", "modelcall", "outbox"}
GOES = (migrations.RemoveField, migrations.RenameField, migrations.DeleteModel, migrations.RenameModel)


def faults(operations: list[Operation]) -> Iterator[str]:
    made = {
        operation.name.lower() for operation in operations if isinstance(operation, migrations.CreateModel)
    }
    for operation in operations:
        model = getattr(operation, "model_name", "").lower()
        if isinstance(operation, GOES):
            yield f"{operation.describe()}: the release before still reads it"
        elif isinstance(operation, migrations.AddField) and model not in made and _is_missed(operation.field):
            yield f"{operation.describe()}: the release before inserts rows without it"
        elif type(operation) is migrations.AddIndex and model in GROWING - made:
            yield f"{operation.describe()}: nobody writes there meanwhile; make it CONCURRENTLY"


def _is_missed(field: models.Field) -> bool:
    is_relation_of_many = isinstance(field, models.ManyToManyField)
    return not (field.null or field.has_db_default() or is_relation_of_many)


def new_migrations() -> Iterator[tuple[str, list[Operation]]]:
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        # What replaces others is for new databases alone, which no release before serves.
        is_squashed = bool(migration.replaces)
        if app in BEFORE_THE_RULES and not is_squashed and int(name[:4]) > BEFORE_THE_RULES[app]:
            yield f"{app}.{name}", migration.operations


def test_no_new_migration_breaks_the_release_before_it():
    found = {name: told for name, operations in new_migrations() if (told := list(faults(operations)))}
    assert found == {}


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("run", "topic"),
        migrations.RenameField("run", "topic", "question"),
        migrations.DeleteModel("Run"),
        migrations.AddField("run", "mood", models.CharField(max_length=9, default="calm")),
        migrations.AddIndex("step", models.Index(fields=["key"], name="by_key")),
    ],
)
def test_what_breaks_it_is_told(operation):
    assert len(list(faults([operation]))) == 1


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("run", "mood", models.CharField(max_length=9, db_default="calm")),
        migrations.AddField("run", "at", models.DateTimeField(null=True)),
        AddIndexConcurrently("step", models.Index(fields=["key"], name="by_key")),
        migrations.AddIndex("tenant", models.Index(fields=["name"], name="by_name")),
    ],
)
def test_what_it_bears_is_allowed(operation):
    assert list(faults([operation])) == []
