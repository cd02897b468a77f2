"""A registry in a folder: pip's own client, its own packages, no network."""

import csv
import hashlib
import io
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from research.library.sample import sample_library_registries
from research.library.sample.sample_library_listing import Archive
from research.library.sample.sample_library_registries import RegistryUnreachable

PROJECT = '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
DOCUMENT = b"# Sample\n\nA sample document holds at least one sentence that can be cited.\n"
COLUMNS = ("registry", "package", "version", "archive", "archive_sha256", "path_in_archive", "file", "title")
COLUMNS = (*COLUMNS, "bytes", "sha256")


@dataclass(frozen=True)
class Registry:
    """`trap` comes into being when code of a package is run."""

    folder: Path
    manifest: Path
    trap: Path

    def write(self, **changes: str) -> None:
        """A manifest with one document."""
        archive = self.folder / "plumbline_sample_pages-1.0.tar.gz"
        row = {
            "registry": "pypi", "package": "plumbline-sample-pages", "version": "1.0", "archive": archive.name,
            "archive_sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
            "path_in_archive": "plumbline_sample_pages-1.0/docs/sample.md", "file": "md/sample.md",
            "title": "A sample", "bytes": str(len(DOCUMENT)), "sha256": hashlib.sha256(DOCUMENT).hexdigest(),
        } | changes  # fmt: skip
        with self.manifest.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS)
            writer.writeheader()
            writer.writerow(row)


@pytest.fixture
def registry(tmp_path, monkeypatch) -> Registry:
    """Serve pip one package, whose set-up code must never run."""
    made = Registry(tmp_path / "registry", tmp_path / "manifest.csv", tmp_path / "trap")
    made.folder.mkdir()
    setup = f"open({str(made.trap)!r}, 'w').close()\n"
    files = {"pyproject.toml": PROJECT.encode(), "setup.py": setup.encode(), "docs/sample.md": DOCUMENT}
    _pack(made.folder / "plumbline_sample_pages-1.0.tar.gz", files)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(made.folder))
    made.write()
    return made


@pytest.fixture
def at_hand(registry, monkeypatch) -> None:
    """Archives are copied instead of asked of pip, which takes seconds each time."""

    def copy_archive(archive: Archive, folder: Path) -> Path:
        try:
            return Path(shutil.copy(registry.folder / archive.name, folder))
        except FileNotFoundError as error:
            raise RegistryUnreachable("the package registry cannot be reached") from error

    monkeypatch.setattr(sample_library_registries, "fetch", copy_archive)


def _pack(path: Path, files: dict[str, bytes]) -> None:
    metadata = b"Metadata-Version: 2.1\nName: plumbline-sample-pages\nVersion: 1.0\n"
    with tarfile.open(path, "w:gz") as box:
        for name, data in {**files, "PKG-INFO": metadata}.items():
            entry = tarfile.TarInfo(f"plumbline_sample_pages-1.0/{name}")
            entry.size = len(data)
            box.addfile(entry, io.BytesIO(data))
