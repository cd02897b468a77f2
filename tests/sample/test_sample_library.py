"""`sample_library`: what is there is imported; what cannot be had does not stop the site."""

import pytest
from django.core.management import call_command

from research.accounts.people import ensure_local_account
from research.db.tenancy import tenant_context
from research.library.library_folders import SAMPLE, sample_path
from research.library.sample.build_sample_library import build_sample
from research.management.commands import sample_library
from research.models import DocumentStatus, LibraryDocument, Run
from research.parsing.vectors.embed_texts import HashEmbedder

# The commands look whether the database is migrated, as its owner.
pytestmark = [
    pytest.mark.django_db(transaction=True, databases=["default", "owner"]),
    pytest.mark.usefixtures("at_hand"),
]


@pytest.fixture(autouse=True)
def own_place(settings, tmp_path, monkeypatch, registry):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.PLUMBLINE_DATA = tmp_path / "data"
    settings.EMBEDDED_POSTGRES = settings.EMBEDDED_VALKEY = False  # those of the test run are there
    monkeypatch.setattr(
        "research.library.import_library_documents.library_embedder", lambda **_: HashEmbedder()
    )
    monkeypatch.setattr(
        sample_library,
        "build_sample",
        lambda folder, say: build_sample(folder, manifest=registry.manifest, say=say),
    )


def test_the_sample_library_is_built_and_imported(valkey, capsys):
    call_command("sample_library")
    assert "1 of 1 documents are there" in capsys.readouterr().out
    with tenant_context(ensure_local_account().tenant_id):
        row = LibraryDocument.objects.get()
        assert (row.folder, row.path, row.title) == (SAMPLE, "md/sample.md", "A sample")
        assert row.status == DocumentStatus.READY


def test_one_sample_report_is_asked_for_once_and_takes_no_model(valkey):
    call_command("sample_library")
    call_command("sample_library")
    with tenant_context(ensure_local_account().tenant_id):
        [run] = Run.objects.all()
    assert run.config["engine"] == "extractive"


def test_without_a_registry_the_message_says_how_to_add_it_later(registry, capsys):
    (registry.folder / "plumbline_sample_pages-1.0.tar.gz").unlink()
    with pytest.raises(SystemExit) as stopped:
        call_command("sample_library")
    assert stopped.value.code == 1
    told = capsys.readouterr().err
    assert "The site works without it" in told
    assert "manage.py sample_library" in told
    assert not (sample_path() / "manifest.csv").exists()
