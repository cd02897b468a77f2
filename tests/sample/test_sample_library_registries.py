"""The registries' own clients, found where they are."""

import subprocess
from dataclasses import replace

import pytest

from research.library.sample import sample_library_registries
from research.library.sample.sample_library_listing import Archive, sample_documents
from research.library.sample.sample_library_registries import ArchiveError, RegistryUnreachable


@pytest.fixture
def fresh():
    """Forget which pip was found, before and after."""
    sample_library_registries.pip_command.cache_clear()
    yield
    sample_library_registries.pip_command.cache_clear()


def test_pip_is_found_and_works():
    done = subprocess.run(
        [*sample_library_registries.pip_command(), "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("pip ")


@pytest.mark.full
def test_an_environment_without_pip_uses_pythons_own_copy(fresh, monkeypatch):
    monkeypatch.setattr(
        sample_library_registries, "find_spec", lambda name: None if name == "pip" else _spec(name)
    )
    command = sample_library_registries.pip_command()
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("pip ")


def _spec(name):
    from importlib.util import find_spec

    return find_spec(name)


def test_a_machine_without_npm_has_no_client_for_its_registry(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert not sample_library_registries.has_client("npm")
    assert sample_library_registries.has_client("pypi")


@pytest.fixture
def sample_archive(registry) -> Archive:
    (document,) = sample_documents(registry.manifest)
    return document.archive


def test_an_archive_is_fetched_and_none_of_its_code_is_run(registry, sample_archive, tmp_path):
    path = sample_library_registries.fetch(sample_archive, tmp_path)
    assert path.read_bytes() == (registry.folder / sample_archive.name).read_bytes()
    assert not registry.trap.exists()


def test_an_archive_with_another_hash_is_refused(registry, sample_archive, tmp_path):
    with pytest.raises(ArchiveError, match="not the pinned one"):
        sample_library_registries.fetch(replace(sample_archive, sha256="0" * 64), tmp_path)


@pytest.mark.full
def test_a_package_that_is_not_there_counts_as_out_of_reach(registry, tmp_path):
    archive = Archive(
        "pypi", "plumbline-no-such-package", "9.9", "plumbline_no_such_package-9.9.tar.gz", "0" * 64
    )
    with pytest.raises(RegistryUnreachable, match="plumbline-no-such-package 9.9"):
        sample_library_registries.fetch(archive, tmp_path)


@pytest.mark.full
def test_a_client_that_fails_otherwise_is_quoted(registry, tmp_path):
    archive = Archive("pypi", "plumbline-sample-pages", "not a version", "x.tar.gz", "0" * 64)
    with pytest.raises(ArchiveError, match="not a version"):
        sample_library_registries.fetch(archive, tmp_path)
