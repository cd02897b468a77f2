"""Imports a folder into the tenant's library; unchanged files are not read again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import UUID

from research.db.tenancy import tenant_context
from research.library.duplicate_library_documents import find_orphaned_copies
from research.library.import_library_documents import JobOutcome, read_all
from research.library.library_folders import MISSING, folder_key
from research.library.library_manifest import Details
from research.library.prepare_library_documents import Job, load_file
from research.library.scan_library_folder import FoundFile, Scan, ScanProblem, scan_folder
from research.library.store_library_documents import describe, details_of, is_own
from research.models import DocumentStatus, LibraryDocument

# Failures with a cause outside the file, so that the next import tries again.
PASSING = frozenset({"no_access", "storage", "timeout", "memory", "removed", MISSING})
_READ = (DocumentStatus.READY, DocumentStatus.DUPLICATE)


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """Progress after each document: the number done of the total, and the last one's path."""

    done: int
    total: int
    path: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DuplicateDocument:
    """`path` has the same text as `of` (similarity 1.0, not read twice) or nearly the same."""

    path: str
    of: str
    similarity: float


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The outcome for each file. A failed file stays in the library with its reason and affects nothing else."""

    folder: str
    imported: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    failed: tuple[ScanProblem, ...] = ()
    duplicates: tuple[DuplicateDocument, ...] = ()
    near_duplicates: tuple[DuplicateDocument, ...] = ()
    missing: tuple[str, ...] = ()  # in the library, but no longer in the folder
    skipped: tuple[str, ...] = ()  # files of unsupported types
    chunks: int = 0  # new passages


OnProgress = Callable[[ImportProgress], None]


def import_folder(
    tenant_id: UUID, folder: Path, *, again: bool = False, on_progress: OnProgress | None = None
) -> ImportReport:
    """Bring the tenant's library up to date with a folder; `again` reads unchanged files too.

    Call it outside a transaction: each document is committed separately, and another call continues where a killed one
    stopped. Raises FolderError if there is no such folder.
    """
    path = folder.expanduser().resolve()
    work = _Import(tenant_id, path, folder_key(path), scan_folder(path), on_progress)
    with tenant_context(tenant_id):
        rows = _rows_of(work)
        _mark_missing(work, rows)
        jobs = [job for file in work.scan.files if (job := _job(work, file, rows[file.path], again))]
    work.read(jobs)
    files = {file.path: file for file in work.scan.files}
    with tenant_context(tenant_id):
        orphans = [row for row in find_orphaned_copies(work.key) if row.path in files]
        LibraryDocument.objects.filter(pk__in=[row.pk for row in orphans]).update(
            status=DocumentStatus.PENDING
        )
    work.read([_new_job(work, files[row.path], row) for row in orphans])
    return work.report()


@dataclass(slots=True)
class _Import:
    """An import in progress."""

    tenant_id: UUID
    path: Path
    key: str
    scan: Scan
    on_progress: OnProgress | None
    outcomes: dict[str, JobOutcome] = field(default_factory=dict)  # the last one for each path
    unchanged: list[str] = field(default_factory=list)
    failed_before: list[ScanProblem] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def read(self, jobs: Sequence[Job]) -> None:
        if not jobs:
            return
        for number, outcome in enumerate(read_all(self.tenant_id, jobs), start=1):
            path = outcome.job.file.path
            self.outcomes[path] = outcome
            if self.on_progress is not None:
                problem = outcome.problem.message if outcome.problem else ""
                self.on_progress(ImportProgress(number, len(jobs), path, problem))

    def report(self) -> ImportReport:
        done = sorted(self.outcomes.items())
        same = [path for path, outcome in done if outcome.is_same]
        failed = [
            ScanProblem(path, outcome.problem.code, outcome.problem.message)
            for path, outcome in done
            if outcome.problem
        ]
        return ImportReport(
            folder=self.key,
            imported=tuple(path for path, outcome in done if not outcome.problem and not outcome.is_same),
            unchanged=tuple(sorted([*self.unchanged, *same])),
            failed=tuple(
                sorted([*self.scan.problems, *self.failed_before, *failed], key=lambda each: each.path)
            ),
            duplicates=tuple(_copies(done, is_exact=True)),
            near_duplicates=tuple(_copies(done, is_exact=False)),
            missing=tuple(self.missing),
            skipped=self.scan.skipped,
            chunks=sum(outcome.chunks for _, outcome in done),
        )


def _copies(outcomes: Iterable[tuple[str, JobOutcome]], *, is_exact: bool) -> Iterable[DuplicateDocument]:
    for path, outcome in outcomes:
        if outcome.original is not None and outcome.original.is_exact == is_exact:
            yield DuplicateDocument(path, outcome.original.path, outcome.original.similarity)


def _rows_of(work: _Import) -> Mapping[str, LibraryDocument]:
    """Return the folder's rows by path, one for each file, without their texts."""
    in_folder = LibraryDocument.objects.filter(folder=work.key)
    known = set(in_folder.values_list("path", flat=True))
    new = [
        LibraryDocument(folder=work.key, path=file.path, file_size=file.size, file_mtime=file.mtime)
        for file in work.scan.files
        if file.path not in known
    ]
    LibraryDocument.objects.bulk_create(new, ignore_conflicts=True, batch_size=500)
    rows = in_folder.select_related("content").only(*_ROW_FIELDS)
    return {row.path: row for row in rows}


_ROW_FIELDS = (
    *(field.attname for field in LibraryDocument._meta.concrete_fields),
    "content__extractor",
    "content__id",
)


def _mark_missing(work: _Import, rows: Mapping[str, LibraryDocument]) -> None:
    """Mark rows whose files are gone, which removes them from retrieval, except in folders that could not be opened."""
    there = {file.path for file in work.scan.files}
    hidden = tuple(f"{problem.path}/" for problem in work.scan.problems)
    gone = [row for path, row in rows.items() if path not in there and not path.startswith(hidden)]
    for row in gone:
        if row.error_code != MISSING:
            row.status, row.error_code = DocumentStatus.FAILED, MISSING
            row.error_message = "The file is no longer in the folder."
            row.save(update_fields=["status", "error_code", "error_message", "updated_at"])
    work.missing.extend(sorted(row.path for row in gone))


def _job(work: _Import, file: FoundFile, row: LibraryDocument, again: bool) -> Job | None:
    """Return the job for a file; None if it is unchanged, including files that failed permanently."""
    is_same_file = (row.file_size, row.file_mtime) == (file.size, file.mtime) and not again
    if is_same_file and _is_current(row):
        _describe_unchanged(row, file.details)
        work.unchanged.append(file.path)
        return None
    if is_same_file and row.status == DocumentStatus.FAILED and row.error_code not in PASSING:
        work.failed_before.append(ScanProblem(file.path, row.error_code, row.error_message))
        return None
    known = row.raw_sha256 if _is_current(row) and not again else ""
    return _new_job(work, file, row, known)


def _new_job(work: _Import, file: FoundFile, row: LibraryDocument, known_sha256: str = "") -> Job:
    return Job(row.pk, file, partial(load_file, work.path / file.path), known_sha256)


def _is_current(row: LibraryDocument) -> bool:
    """True if the row has a text that this version of the reader made."""
    return row.status in _READ and row.content is not None and is_own(row.content.extractor)


def _describe_unchanged(row: LibraryDocument, details: Details) -> None:
    """Update the row from the manifest, writing it only if something has changed."""
    known = details_of(row)
    updated = details.over(known)
    if updated != known:
        describe(row, updated)
        row.save()
