"""Folders that a question is asked of: named as pages show them, counted, and refused where they hold nothing."""

import pytest
from django.utils.translation import override

from research.db.tenancy import create_tenant, tenant_context
from research.library.library_folders import library_folders
from research.library.library_scope import (
    FolderUnusable,
    folder_keys,
    resolve_searched_library,
    usual_folders,
)
from research.models import LibraryDocument


@pytest.fixture
def library(inside):
    rows = [
        ("sample", "a.txt", "ready"),
        ("sample", "b.txt", "ready"),
        ("uploads", "a.txt", "ready"),
        ("uploads/Contracts", "a.txt", "ready"),
        ("uploads/Contracts", "b.txt", "failed"),
        ("uploads/Broken", "a.txt", "failed"),
        ("uploads/Coming", "a.txt", "pending"),
        ("/srv/papers", "a.txt", "ready"),
        ("web", "https://example.org/", "ready"),
    ]
    for folder, path, status in rows:
        code = "empty" if status == "failed" else ""
        LibraryDocument.objects.create(folder=folder, path=path, status=status, error_code=code)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("sample", "sample"),
        ("Sample library", "sample"),
        (" sample LIBRARY ", "sample"),
        ("contracts", "uploads/Contracts"),
        ("uploads/contracts", "uploads/Contracts"),
        ("papers", "/srv/papers"),
        ("Uploads", "uploads"),
        ("Pages from the web", "web"),
    ],
)
def test_a_folder_is_named_by_key_or_as_pages_show_it(library, name, key):
    assert folder_keys([name]) == [key]


def test_names_of_either_language_are_understood(library):
    with override("de"):
        assert folder_keys(["Beispielbibliothek", "Sample library"]) == ["sample"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Contrcts", "no folder “Contrcts”. Available folders: papers, Sample library, Uploads"),
        ("", "no folder “”"),
        ("Broken", "“Broken” has no document that could be read"),
        ("Coming", "“Coming” is still being read: 1 document to go"),
    ],
)
def test_a_folder_that_cannot_be_searched_is_refused_in_words(library, name, said):
    with pytest.raises(FolderUnusable, match=said):
        folder_keys(["Sample library", name])


def test_two_folders_of_one_name_are_told_apart_by_their_keys(library):
    LibraryDocument.objects.create(folder="/home/papers", path="a.txt", status="ready")
    with pytest.raises(FolderUnusable, match="several folders: /home/papers; /srv/papers"):
        folder_keys(["papers"])
    assert folder_keys(["/srv/papers"]) == ["/srv/papers"]


def test_folders_of_another_workspace_are_not_there(library):
    with tenant_context(create_tenant("others").pk), pytest.raises(FolderUnusable, match="library is empty"):
        folder_keys(["Contracts"])


def test_documents_that_can_be_read_are_counted_folder_by_folder(library):
    found = resolve_searched_library(["sample", "uploads/Contracts"])
    assert [(folder.key, folder.documents) for folder in found.folders] == [
        ("sample", 2),
        ("uploads/Contracts", 1),
    ]
    assert not found.is_whole


def test_the_whole_library_is_all_but_pages_that_runs_saved(library):
    found = resolve_searched_library([])
    keys = [folder.key for folder in found.folders]
    assert (keys, found.is_whole) == (["/srv/papers", "sample", "uploads", "uploads/Contracts"], True)


def test_own_documents_are_asked_unless_there_is_the_sample_alone(library):
    assert usual_folders(library_folders()) == ["/srv/papers", "uploads", "uploads/Contracts"]
    LibraryDocument.objects.exclude(folder__in=("sample", "web")).delete()
    assert usual_folders(library_folders()) == ["sample"]
    LibraryDocument.objects.all().delete()
    assert usual_folders(library_folders()) == []
