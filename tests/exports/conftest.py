"""Ada with a finished report, and a writer that needs no library."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from exports.formats.export_formats import WRITERS, Format
from research.db.tenancy import tenant_context
from tests.people import Person, join
from tests.worlds import ReportWorld, make_report


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def world(ada: Person) -> ReportWorld:
    return make_report(ada)


@pytest.fixture
def within(world: ReportWorld) -> Iterator[ReportWorld]:
    """Enter Ada's tenant."""
    with tenant_context(world.person.tenant.pk):
        yield world


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """CSV is written as plain words."""
    writer = replace(WRITERS[Format.CSV], path="tests.exports.writers.plain")
    monkeypatch.setitem(WRITERS, Format.CSV, writer)


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """CSV goes wrong as the title says."""
    writer = replace(WRITERS[Format.CSV], path="tests.exports.writers.faulty")
    monkeypatch.setitem(WRITERS, Format.CSV, writer)


@pytest.fixture
def export_ids(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the files that workers were told of."""
    told: list[str] = []
    monkeypatch.setattr(
        "exports.files.export_lease.current_app.send_task",
        lambda *_, args, **__: told.append(args[1]),
        raising=True,
    )
    return told
