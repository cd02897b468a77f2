"""The folders of a library, in figures."""

import pytest

from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.library.library_folders import (
    SAMPLE,
    UPLOADS,
    folder_key,
    folder_path,
    library_folders,
    manifest_details,
    sample_path,
)
from tests.documents import add_upload
from tests.library.conftest import RULES


def test_each_folder_is_counted(import_now, tenant, folder):
    (folder / "second.md").write_text(RULES)
    (folder / "empty.txt").write_bytes(b"")
    import_now()
    (folder / "notes.txt").unlink()
    import_now()
    with tenant_context(tenant):
        (found,) = library_folders()
    assert (found.key, found.name, found.documents) == (str(folder), "library", 5)
    assert (found.ready, found.duplicates, found.failed, found.missing, found.pending) == (2, 1, 1, 1, 0)


def test_uploads_are_a_folder_beside_the_others(import_now, tenant):
    import_now()
    with tenant_context(tenant):
        add_upload("rules.md", RULES.encode())
        assert [found.documents for found in library_folders()] == [3, 1]
        assert library_folders()[1].key == UPLOADS


def test_an_empty_library_has_no_folders(inside):
    assert library_folders() == []


def test_another_tenant_sees_none_of_them(import_now, inside):
    import_now()
    from research.db.tenancy import create_tenant

    with tenant_context(create_tenant("others").pk):
        assert library_folders() == []


def test_the_sample_library_has_a_name_of_its_own(tenant):
    sample_path().mkdir(parents=True)
    (sample_path() / "rules.md").write_text(RULES)
    assert import_folder(tenant, sample_path()).folder == SAMPLE


@pytest.mark.parametrize("key", [SAMPLE, "/srv/papers"])
def test_a_key_leads_back_to_its_folder(key):
    path = folder_path(key)
    assert path is not None
    assert folder_key(path) == key


def test_uploads_lie_in_no_folder():
    assert folder_path(UPLOADS) is None


def test_of_two_manifests_the_nearer_one_counts(folder):
    (folder / "manifest.csv").write_text("file,title,author\ndeep/garden.html,Far,Ada\n")
    (folder / "deep" / "manifest.csv").write_text("file,title\ngarden.html,Near\n")
    found = manifest_details(folder, "deep/garden.html")
    assert (found.title, found.author) == ("Near", "Ada")
