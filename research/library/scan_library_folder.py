"""Scans a folder for documents without reading them."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from research.library.library_manifest import MANIFEST, Details, manifest_in
from research.parsing.sniff_format import READABLE_SUFFIXES, TEXTS_WITHOUT_SUFFIX


class FolderError(Exception):
    """The folder cannot be imported; str() tells the user why."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A document to be read; `path` is relative, with forward slashes. Only files in folders have a time."""

    path: str
    size: int
    mtime: float | None
    details: Details = Details()


@dataclass(frozen=True, slots=True)
class ScanProblem:
    """The reason why a file or folder cannot be imported."""

    path: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The contents of a folder, each list sorted by path."""

    files: tuple[FoundFile, ...] = ()
    problems: tuple[ScanProblem, ...] = ()
    skipped: tuple[str, ...] = ()  # files of unsupported types


@dataclass(slots=True)
class _Findings:
    files: list[FoundFile] = field(default_factory=list)
    problems: list[ScanProblem] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def scan_folder(folder: Path) -> Scan:
    """Scan `folder` for documents, without hidden files. Raises FolderError if it cannot be listed."""
    _require_folder(folder)
    findings, details = _Findings(), dict[str, Details]()
    for place, names in _walk(folder, findings):
        beside = manifest_in(folder / place)
        details |= {_join(place, name): entry for name, entry in beside.items()}
        for name in names:
            if not _belongs_to_the_library(name, beside):
                _look_at(folder, _join(place, name), findings, details)
    return Scan(
        tuple(sorted(findings.files, key=lambda file: file.path)),
        tuple(sorted(findings.problems, key=lambda problem: problem.path)),
        tuple(sorted(findings.skipped)),
    )


def _require_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    if folder.exists():
        raise FolderError(f"“{folder}” is a file; a library is a folder of documents.")
    raise FolderError(f"There is no folder “{folder}”.")


def _walk(folder: Path, found: _Findings) -> Iterator[tuple[str, list[str]]]:
    """Yield each visible folder with its visible files, top down; links to folders are not followed."""

    def unreadable(error: OSError) -> None:
        path = Path(error.filename or folder)
        if path == folder:
            raise FolderError(f"“{folder}” cannot be opened: {error.strerror}.") from error
        found.problems.append(_problem(printable(path.relative_to(folder).as_posix()), error))

    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        relative = Path(place).relative_to(folder).as_posix()
        yield "" if relative == "." else relative, sorted(name for name in names if not name.startswith("."))


def _look_at(folder: Path, path: str, found: _Findings, details: Mapping[str, Details]) -> None:
    if Path(path).suffix.lower() not in READABLE_SUFFIXES and Path(path).name not in TEXTS_WITHOUT_SUFFIX:
        found.skipped.append(printable(path))
        return
    problem = _name_problem(path) or _link_problem(folder, path)
    if problem:
        found.problems.append(problem)
        return
    try:
        status = (folder / path).stat()
    except OSError as error:
        found.problems.append(_problem(path, error))
        return
    if (folder / path).is_file():  # not a pipe, reading which would never end
        found.files.append(FoundFile(path, status.st_size, status.st_mtime, details.get(path, Details())))


def _name_problem(path: str) -> ScanProblem | None:
    if printable(path) == path:
        return None
    return ScanProblem(
        printable(path), "bad_name", "Its name is not valid UTF-8. Rename it and import again."
    )


def _link_problem(folder: Path, path: str) -> ScanProblem | None:
    file = folder / path
    if not file.is_symlink() or Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
        return None
    return ScanProblem(
        path, "outside", "It is a link to a file outside the folder; such links are not followed."
    )


def _belongs_to_the_library(name: str, manifest: Mapping[str, Details]) -> bool:
    """Return True for files that describe a library. A README is a document if it is listed or there is no manifest."""
    is_readme = name.lower().partition(".")[0] == "readme"
    return name == MANIFEST or (is_readme and bool(manifest) and name not in manifest)


def _problem(path: str, error: OSError) -> ScanProblem:
    return ScanProblem(path, "no_access", access_message(error))


def access_message(error: OSError) -> str:
    return f"It cannot be opened: {error.strerror or error}."


def printable(path: str) -> str:
    """Replace bytes that are not UTF-8 by U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def _join(place: str, name: str) -> str:
    return f"{place}/{name}" if place else name
