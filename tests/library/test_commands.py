"""The library from the command line."""

import os
import signal
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from research.accounts.people import ensure_local_account
from research.db.tenancy import tenant_context
from research.library.import_library_folder import DuplicateDocument, ImportReport, import_folder
from research.library.scan_library_folder import ScanProblem
from research.management.commands.import_library import summary
from research.models import DocumentStatus, LibraryChunk, LibraryDocument

IMPORT = [sys.executable, str(settings.BASE_DIR / "manage.py"), "import_library"]

# The commands look whether the database is migrated, as its owner.
migrated = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@pytest.fixture(autouse=True)
def services_of_the_test_run(settings) -> None:
    """A command in this process starts no services of its own."""
    settings.EMBEDDED_POSTGRES = settings.EMBEDDED_VALKEY = False


@migrated
def test_a_folder_is_imported(valkey, folder, capsys):
    call_command("import_library", str(folder))
    assert "3 documents read" in capsys.readouterr().out
    with tenant_context(ensure_local_account().tenant_id):
        assert LibraryDocument.objects.filter(status=DocumentStatus.READY).count() == 3


@migrated
def test_a_missing_folder_is_told(valkey, tmp_path):
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("import_library", str(tmp_path / "nowhere"))


@migrated
def test_a_folder_of_which_nothing_could_be_read_is_told(valkey, tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"no PDF")
    with pytest.raises(CommandError, match="Nothing in the folder .* could be read"):
        call_command("import_library", str(tmp_path))


@migrated
def test_an_unknown_user_is_told(valkey, folder):
    with pytest.raises(CommandError, match="no user"):
        call_command("import_library", str(folder), "--user", "nobody")


def test_the_summary_names_every_file_that_needs_a_look():
    report = ImportReport(
        folder="/srv/papers",
        imported=("a.md",),
        failed=(ScanProblem("b.pdf", "encrypted", "“b.pdf” is protected by a password."),),
        duplicates=(DuplicateDocument("c.md", "a.md", 1.0),),
        near_duplicates=(DuplicateDocument("d.md", "a.md", 0.93),),
        missing=("e.md",),
        skipped=("f.png",),
    )
    assert summary(report) == [
        "1 document read, 1 failed, 1 missing, 1 of other kinds left out",
        "failed: b.pdf: “b.pdf” is protected by a password.",
        "missing: e.md: the file is no longer in the folder",
        "copy: c.md has the same text as a.md",
        "near copy: d.md (93% like a.md)",
        "left out: f.png",
    ]


@pytest.mark.crash
def test_an_import_that_is_killed_goes_on_where_it_stopped(child_environment, folder):
    tenant = ensure_local_account().tenant_id
    environment = {**child_environment, "PLUMBLINE_DATA": os.environ["PLUMBLINE_DATA"]}
    with subprocess.Popen(
        [*IMPORT, str(folder)], env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert "[1/3]" in next(line for line in process.stderr if line.startswith("["))
        process.send_signal(signal.SIGKILL)
    with tenant_context(tenant):
        done = LibraryDocument.objects.filter(status=DocumentStatus.READY).count()
        assert done >= 1
    import_folder(tenant, folder)
    with tenant_context(tenant):
        assert LibraryDocument.objects.filter(status=DocumentStatus.READY).count() == 3
        chunks = LibraryChunk.objects.values_list("document", "chunk_index")
        assert len(chunks) == len(set(chunks)) >= 3
