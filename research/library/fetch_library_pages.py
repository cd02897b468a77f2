"""Fetches pages that were added by URL, with the HTTP client that runs use, and has them read.

A worker claims each page for some minutes. A second worker skips it; if the first is killed, the page is fetched
again after that.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from research.db.tenancy import in_tenant, in_thread, tenant_context
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage, acquire
from research.library.store_uploads import MAX_LIBRARY, count_uploaded_bytes
from research.library.waiting_library_documents import request_reading, select_waiting_pages
from research.models import DocumentStatus, LibraryDocument
from research.storage.object_store import ObjectError, get_object, sha256_in

TAKEN_FOR = timedelta(minutes=5)  # longer than three attempts take, including waits for the site's rate limit
AT_ONCE = 20
MAX_TRIES = 3
PAUSE_S = 10.0  # between attempts, if the site names no other
MAX_PAUSE_S = 30.0


def fetch_pages(tenant_id: UUID) -> int:
    """Fetch the tenant's waiting pages and return their number. A failed page's row holds the reason."""
    done = 0
    while pages := _take(tenant_id):
        asyncio.run(_fetch_all(pages))
        done += len(pages)
    return done


def _take(tenant_id: UUID) -> list[LibraryDocument]:
    free = Q(status=DocumentStatus.PENDING) | Q(updated_at__lt=Now() - TAKEN_FOR)
    with tenant_context(tenant_id):
        pages = list(select_waiting_pages().filter(free).select_for_update(skip_locked=True)[:AT_ONCE])
        taken = LibraryDocument.objects.filter(pk__in=[page.pk for page in pages])
        taken.update(status=DocumentStatus.READING, updated_at=Now())
    return pages


async def _fetch_all(pages: Sequence[LibraryDocument]) -> None:
    await asyncio.gather(*map(_fetch, pages))


async def _fetch(page: LibraryDocument) -> None:
    keep = partial(in_tenant, page.tenant_id)
    try:
        acquired = await _acquire_with_retries(page)
        size = len(await in_thread(partial(get_object, acquired.raw_key)))
    except FetchError as error:
        await keep(partial(_record_failure, page.pk, error.code, error.message))
    except ObjectError as error:
        await keep(partial(_record_failure, page.pk, "storage", str(error)))
    else:
        await keep(partial(_save_fetched_page, page.pk, acquired, size))


async def _acquire_with_retries(page: LibraryDocument) -> AcquiredPage:
    """Fetch a page; retry if the site is busy. Raises FetchError and ObjectError."""
    for attempt in range(1, MAX_TRIES):
        try:
            return await _acquire_page(page)
        except FetchError as error:
            if not error.is_retryable:
                raise
            await asyncio.sleep(min(error.retry_after_s or attempt * PAUSE_S, MAX_PAUSE_S))
    return await _acquire_page(page)


async def _acquire_page(page: LibraryDocument) -> AcquiredPage:
    return await acquire(page.tenant_id, f"library {page.tenant_id}", page.url, max_age=timedelta(0))


def _save_fetched_page(page_id: UUID, acquired: AcquiredPage, size: int) -> None:
    """Store the key of the fetched bytes and have them read, if the tenant has space for them."""
    page = _ours(page_id)
    if page is None:
        return
    if count_uploaded_bytes() - page.file_size + size > MAX_LIBRARY:
        _give_up(page, "no_room", f"The limit for uploads and added pages is {MAX_LIBRARY // 10**9} GB.")
        return
    page.url, page.raw_sha256, page.file_size = acquired.url, sha256_in(acquired.raw_key), size
    page.save(update_fields=["url", "raw_sha256", "file_size", "updated_at"])
    request_reading(page.tenant_id)


def _record_failure(page_id: UUID, code: str, message: str) -> None:
    if (page := _ours(page_id)) is not None:
        _give_up(page, code, message)


def _ours(page_id: UUID) -> LibraryDocument | None:
    """Return the row; None if it was deleted in the meantime, or another worker has fetched the page."""
    return LibraryDocument.objects.select_for_update().filter(pk=page_id, raw_sha256="").first()


def _give_up(page: LibraryDocument, code: str, message: str) -> None:
    """Store the reason for a failure. An earlier text of the page remains usable."""
    page.error_code, page.error_message = code, message
    page.status = _status_before(page)
    if page.content is not None:
        page.raw_sha256 = page.content.raw_sha256
    page.save(update_fields=["status", "error_code", "error_message", "raw_sha256", "updated_at"])


def _status_before(page: LibraryDocument) -> DocumentStatus:
    if page.content is None:
        return DocumentStatus.FAILED
    if page.chunks.exists():
        return DocumentStatus.READY
    return DocumentStatus.DUPLICATE if page.duplicate_of_id else DocumentStatus.FAILED
