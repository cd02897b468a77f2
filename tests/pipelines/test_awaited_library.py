"""`manage.py research` where nothing is read yet: it waits for the sample library, or says what to do."""

import json
import threading
from contextlib import AbstractContextManager, nullcontext
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection

from config.services.embedded import hold_lock
from config.services.service_paths import private_folder
from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.library.sample.sample_library_progress import hold_preparation_lock
from research.models import LibraryDocument, Run
from tests.people import Person, join
from tests.pipelines.conftest import DOCUMENTS, QUESTION
from tests.pipelines.test_commands import run_command

LIMIT_S = 60.0


@pytest.fixture(autouse=True)
def _at_work(module_database, monkeypatch):
    """The test's own database is up already."""
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)


class Heard(StringIO):
    """Standard error that tells when it is first written to."""

    def __init__(self) -> None:
        super().__init__()
        self.was_written = threading.Event()

    def write(self, text: str) -> int:
        self.was_written.set()
        return super().write(text)


def ask_by_command(person: Person, *arguments: str, errors: StringIO | None = None) -> tuple[int, str]:
    return run_command("research", QUESTION, "--user", person.user.username, *arguments, errors=errors)


def runs_of(person: Person) -> int:
    with tenant_context(person.tenant.pk):
        return Run.objects.count()


def test_an_empty_library_is_told_with_what_to_do_and_starts_nothing():
    ada = join("ada")
    with pytest.raises(CommandError, match=r"library is empty.*--library DIR.*--sources both") as raised:
        ask_by_command(ada)
    assert (raised.value.returncode, runs_of(ada)) == (1, 0)


def test_a_library_that_workers_still_read_is_told_with_how_much_is_to_go():
    bob = join("bob")
    with tenant_context(bob.tenant.pk):
        LibraryDocument.objects.create(folder="uploads", path="a.txt")
    with pytest.raises(CommandError, match=r"still being read.*\(1 to go\)"):
        ask_by_command(bob)
    assert runs_of(bob) == 0


class Prepared(threading.Thread):
    """Reads a person's library as soon as the command has said that it waits."""

    def __init__(
        self,
        person: Person,
        folder: Path,
        first: AbstractContextManager[None],
        then: AbstractContextManager[None],
    ) -> None:
        super().__init__()
        self.person, self.folder, self.first, self.then = person, folder, first, then
        self.errors, self.has_begun = Heard(), threading.Event()

    def run(self) -> None:
        with self.first:
            self.has_begun.set()
            assert self.errors.was_written.wait(LIMIT_S)
            with self.then:
                import_folder(self.person.tenant.pk, self.folder)
        connection.close()

    def read_errors(self) -> str:
        """Return what the command said beside its answer."""
        self.start()
        assert self.has_begun.wait(LIMIT_S)
        code, printed = ask_by_command(self.person, "--json", errors=self.errors)
        self.join()
        assert (code, json.loads(printed)["status"]) == (0, "done")
        return self.errors.getvalue()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "guide.txt").write_text(DOCUMENTS["policy-guide-2.0.txt"])
    return tmp_path


def test_a_question_waits_for_the_sample_library_that_is_being_read(folder):
    said = Prepared(join("cy"), folder, hold_preparation_lock(), nullcontext()).read_errors()
    assert said.startswith("The sample library is still being read: the question waits for it.")


def test_a_question_waits_where_a_site_was_started_that_has_not_begun_with_it(
    folder, settings, tmp_path_factory
):
    settings.PLUMBLINE_DATA = tmp_path_factory.mktemp("data")  # without a sample library
    private_folder(settings.PATHS.run)
    said = Prepared(
        join("dee"), folder, hold_lock(settings.PATHS.up_lock), hold_preparation_lock()
    ).read_errors()
    assert said.startswith("The sample library is still being read")


def test_a_folder_of_ones_own_is_asked_at_once(folder):
    errors = StringIO()
    with hold_preparation_lock():
        code, _printed = ask_by_command(join("eve"), "--library", str(folder), errors=errors)
    assert (code, errors.getvalue()) == (0, f"Searching: {folder.name}; 1 document\n")
