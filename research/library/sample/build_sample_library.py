"""Builds the sample library: downloads and checks each archive, and extracts only the listed files.

Existing documents are left alone: an interrupted build continues where it stopped, and a complete one downloads
nothing.
"""

import hashlib
import os
import shutil
import tarfile
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from research.library.sample import sample_library_registries
from research.library.sample.sample_library_listing import (
    MANIFEST,
    Archive,
    SampleDocument,
    sample_documents,
    sha256_of,
)
from research.library.sample.sample_library_registries import ArchiveError, RegistryUnreachable

DOWNLOADS_AT_ONCE = 4
# After this many failures in a row the network counts as unavailable, and the rest is not tried.
GIVE_UP_AFTER = 3

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The outcome of a build. `skipped` documents are in packages without an installed client; `problems` are
    sentences.
    """

    ready: int
    total: int
    skipped: int
    problems: tuple[str, ...]


@dataclass(slots=True)
class _Build:
    folder: Path
    drafts: Path
    say: Say
    problems: list[str] = field(default_factory=list)
    unreachable: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, archive: Archive, documents: Sequence[SampleDocument]) -> None:
        """Fetch an archive and store its documents; record what fails."""
        if self.unreachable >= GIVE_UP_AFTER:
            return
        try:
            with tempfile.TemporaryDirectory(dir=self.drafts) as draft:
                path = _verify_checksum(archive, sample_library_registries.fetch(archive, Path(draft)))
                for document in documents:
                    _store_document(document, self.folder, _member(path, document.member))
        except (ArchiveError, OSError) as error:
            with self.lock:
                self.problems.append(_sentence(archive, error))
                self.unreachable += isinstance(error, RegistryUnreachable)
        else:
            with self.lock:
                self.say(f"{archive.package} {archive.version}")


def build_sample(folder: Path, *, manifest: Path = MANIFEST, say: Say = lambda _line: None) -> BuildReport:
    """Complete the sample library in `folder`. Raises OSError if the folder cannot be written."""
    documents = sample_documents(manifest)
    todo = [document for document in documents if not document.is_ready(folder)]
    skipped = [
        document for document in todo if not sample_library_registries.has_client(document.archive.registry)
    ]
    problems = _fetch_all(folder, _group_by_archive(each for each in todo if each not in skipped), say)
    ready = sum(document.is_ready(folder) for document in documents)
    if ready:
        _store_manifest(manifest, folder)
    return BuildReport(ready, len(documents), len(skipped), tuple(problems))


def _group_by_archive(documents: Iterable[SampleDocument]) -> Mapping[Archive, list[SampleDocument]]:
    groups: dict[Archive, list[SampleDocument]] = {}
    for document in documents:
        groups.setdefault(document.archive, []).append(document)
    return groups


def _fetch_all(folder: Path, groups: Mapping[Archive, list[SampleDocument]], say: Say) -> Sequence[str]:
    if not groups:
        return ()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".building-") as drafts:
        build = _Build(folder, Path(drafts), say)
        with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool:
            list(pool.map(build.take, groups.keys(), groups.values()))
    return build.problems


def _verify_checksum(archive: Archive, path: Path) -> Path:
    if sha256_of(path) != archive.sha256:
        raise ArchiveError(f"{archive.name}: SHA-256 differs from the pinned one; nothing was taken from it")
    return path


def _member(archive: Path, name: str) -> bytes:
    """Read a file of an archive by its name, without unpacking the archive to disk."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as box:
                return box.read(name)
        with tarfile.open(archive) as box:
            member = box.extractfile(name)
            if member is None:
                raise KeyError(name)
            return member.read()
    except KeyError as error:
        raise ArchiveError(f"{archive.name} has no file {name}") from error
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise ArchiveError(f"{archive.name} cannot be opened: {error}") from error


def _store_document(document: SampleDocument, folder: Path, data: bytes) -> None:
    if hashlib.sha256(data).hexdigest() != document.sha256:
        raise ArchiveError(f"{document.file}: SHA-256 differs from the manifest")
    path = folder / document.file
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    draft.write_bytes(data)
    os.replace(draft, path)


def _store_manifest(manifest: Path, folder: Path) -> None:
    """Write the manifest, so that authors and licences stay beside the documents."""
    beside = folder / MANIFEST.name
    if not beside.is_file() or sha256_of(beside) != sha256_of(manifest):
        shutil.copyfile(manifest, beside)


def _sentence(archive: Archive, error: ArchiveError | OSError) -> str:
    if isinstance(error, OSError):
        return f"{archive.package} {archive.version}: {error.strerror or error}"
    return str(error)
