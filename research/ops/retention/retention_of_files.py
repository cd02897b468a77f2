"""Removes old cached pages, and files that no row names.

A file is written before its row, so that a kill leaves a file without a row and never a row without its bytes. Such
files are removed a day later; a store other than this machine's folder has its own rules for that.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from uuid import UUID

from django.db.models.functions import Now

from citations.models import Recheck
from citations.models.recheck_models import RECHECK_OPEN
from exports.files.export_expiry import expire
from exports.models import Export
from research.db.tenancy import tenant_context, tenant_ids
from research.models import FINISHED, Content, KeptPage, LibraryDocument, Step
from research.runtime.logs import logger
from research.storage.object_store import drop_elsewhere, drop_object, old_objects, sha256_in
from research.storage.stored_tenant_objects import move_home
from slides.decks.deck_retention import expire_files, find_referenced_keys, forget_old

PAGES_FOR = timedelta(days=30)  # how long a cached page is kept for conditional requests
ORPHANS_AFTER = timedelta(hours=24)
BATCH = 500

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class UnusedFileCleanup:
    """Numbers of pages and files removed."""

    pages: int = 0
    files: int = 0


def tidy() -> UnusedFileCleanup:
    """Remove old cached pages and unused files of every tenant. Safe to repeat at any time."""
    done = [tidy_tenant(tenant_id) for tenant_id in tenant_ids()]
    total = UnusedFileCleanup(sum(cleanup.pages for cleanup in done), sum(cleanup.files for cleanup in done))
    if total != UnusedFileCleanup():
        log.info("tidied", pages=total.pages, files=total.files)
    return total


def tidy_tenant(tenant_id: UUID) -> UnusedFileCleanup:
    with tenant_context(tenant_id):
        pages, _ = KeptPage.objects.filter(fetched_at__lt=Now() - PAGES_FOR).delete()
        ended = [*expire(), *expire_files()]
        forget_old()
    drop_unnamed(tenant_id, ended)
    _move_home(tenant_id)
    return UnusedFileCleanup(pages, sum(drop_object(key, ORPHANS_AFTER) for key in _orphans(tenant_id)))


def _move_home(tenant_id: UUID) -> None:
    try:
        if moved := move_home(tenant_id):
            log.info("files_moved_home", tenant=str(tenant_id), files=moved)
    except OSError as error:  # the store is away: the next cleanup goes on
        log.warning("files_stay_abroad", tenant=str(tenant_id), error=type(error).__name__)


def drop_unnamed(tenant_id: UUID, keys: Sequence[str]) -> None:
    """Delete the bytes of keys that no row names any more.

    On this machine's folder they wait for the next cleanup, so that a process that needs them at this moment still
    finds them.
    """
    with tenant_context(tenant_id):
        unnamed = set(keys) - _find_referenced_keys(keys)
    for key in unnamed:
        drop_elsewhere(key)


def _orphans(tenant_id: UUID) -> Iterator[str]:
    old = old_objects(tenant_id, ORPHANS_AFTER)
    while keys := list(islice(old, BATCH)):
        with tenant_context(tenant_id):
            named = _find_referenced_keys(keys)
        yield from (key for key in keys if key not in named)


def _find_referenced_keys(keys: Iterable[str]) -> frozenset[str]:
    """Return the keys that a row names: of a text or its picture, cached page, recheck, upload, exported file, deck,
    picture, or a step of an unfinished run.
    """
    by_hash = {sha256_in(key): key for key in keys}
    wanted = list(by_hash.values())
    uploads = LibraryDocument.objects.filter(raw_sha256__in=by_hash).values_list("raw_sha256", flat=True)
    fetched = Step.objects.filter(input__object__in=wanted).exclude(run__state__in=FINISHED)
    return frozenset().union(
        Content.objects.filter(raw_key__in=wanted).values_list("raw_key", flat=True),
        Content.objects.filter(rendering__picture__in=wanted).values_list("rendering__picture", flat=True),
        KeptPage.objects.filter(raw_key__in=wanted).values_list("raw_key", flat=True),
        Recheck.objects.filter(object_key__in=wanted, state__in=RECHECK_OPEN).values_list(
            "object_key", flat=True
        ),
        Export.objects.filter(object_key__in=wanted).values_list("object_key", flat=True),
        find_referenced_keys(wanted),
        (by_hash[sha256] for sha256 in uploads),
        fetched.values_list("input__object", flat=True),
    )
