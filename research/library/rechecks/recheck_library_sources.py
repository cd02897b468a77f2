"""Rechecks a source: reads its current bytes as before and looks up each quote in them.

There are two tasks, so that a slow site blocks no reader: `fetch`, with the HTTP client for all pages, and `read`, in
the sandbox. Each claims the row for some minutes; a second worker, or a retry after a crash, finds nothing to do or
repeats the work. The outcome is stored in one transaction.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePosixPath
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now

from citations.anchoring import QuotableText
from citations.models import (
    Citation,
    Recheck,
    RecheckedCitation,
    RecheckOutcome,
    RecheckState,
)
from citations.quotes.quote_selectors import (
    ChangedQuote,
    MissingQuote,
    StillThere,
    TextQuoteSelector,
    reanchor,
)
from research.db.tenancy import tenant_context
from research.fetching.fetch_rendered_pages import acquire_rendered
from research.fetching.fetched_page_content import FetchError
from research.fetching.get_web_page import AcquiredPage, acquire
from research.fetching.ssrf_guard import NoSuchHost
from research.library.prepare_library_documents import load_object
from research.library.read_library_documents import load_document
from research.library.rechecks.request_library_rechecks import find_source_citations, is_of_the_web
from research.library.scan_library_folder import access_message
from research.library.store_library_documents import is_own
from research.models import Content, Source
from research.models.schemas import Rendering, RenderingWish
from research.parsing.parsing_child import read_in_child
from research.runtime.sandbox.sandbox_read_error import ReadError
from research.storage.object_store import ObjectError

# Longer than a page and its robots.txt take, including the wait for the site's rate limit.
TAKEN_FOR = timedelta(minutes=5)
MAX_ATTEMPTS = 3
PAUSE_S = 60.0  # multiplied by the number of attempts, if the site names no other
_MAX_NOW_LENGTH = 2_000  # characters of the current text that are stored
SILENT = "The worker stopped responding."
REMOVED = "The document was removed from the library."


@dataclass(frozen=True, slots=True)
class CitationRecheck:
    """The outcome of rechecking one citation."""

    citation: Citation
    outcome: RecheckOutcome
    similarity: float | None = None
    now: str = ""


def fetch(tenant_id: UUID, recheck_id: UUID) -> bool:
    """Fetch the page's bytes; return True if they can be read now. Idempotent."""
    recheck = _take(tenant_id, recheck_id, RecheckState.WAITING)
    if recheck is None:
        return False
    try:
        page = asyncio.run(_acquire_source_page(recheck.source, _wish_for(recheck)))
    except FetchError as error:
        _record_fetch_failure(recheck, error)
    except ObjectError as error:
        _finish(recheck, (), str(error))
    else:
        with tenant_context(tenant_id):
            there = Recheck.objects.filter(pk=recheck.pk, state=RecheckState.WAITING).update(
                state=RecheckState.FETCHED, object_key=page.raw_key, file_name=page.name, final_url=page.url,
                attempts=0, not_before=None, reason="", updated_at=Now(),
            )  # fmt: skip
        return bool(there)
    return False


def read(tenant_id: UUID, recheck_id: UUID) -> None:
    """Read the bytes and look up the quotes. Idempotent."""
    recheck = _take(tenant_id, recheck_id, RecheckState.FETCHED)
    if recheck is None:
        return
    with tenant_context(tenant_id):
        cited = list(find_source_citations(recheck.source).select_related("claim"))
    try:
        text = _text_now(recheck)
    except OSError as error:
        _finish(recheck, (), access_message(error))
    except (ObjectError, ReadError) as error:
        _finish(recheck, (), str(error))
    else:
        _finish(recheck, look_up(cited, text), text=text)


def look_at_once(tenant_id: UUID, recheck_id: UUID) -> Recheck:
    """Recheck in this process, without workers, for a command. Return the updated row."""
    fetch(tenant_id, recheck_id)
    read(tenant_id, recheck_id)
    with tenant_context(tenant_id):
        return Recheck.objects.get(pk=recheck_id)


def look_up(cited: Iterable[Citation], text: str) -> list[CitationRecheck]:
    """Return for each quote whether `text` contains it, has another text in its place, or lacks it. Pure function."""
    prepared = QuotableText(text)
    return [_check_citation(citation, prepared) for citation in cited]


def _check_citation(citation: Citation, text: QuotableText) -> CitationRecheck:
    match reanchor(TextQuoteSelector(citation.quote, citation.prefix, citation.suffix), text):
        case StillThere():
            return CitationRecheck(citation, RecheckOutcome.STILL_THERE, 1.0)
        case ChangedQuote(span, similarity):
            words = span.cut(text.text)[:_MAX_NOW_LENGTH]
            return CitationRecheck(citation, RecheckOutcome.CHANGED, round(similarity, 3), words)
        case MissingQuote():
            return CitationRecheck(citation, RecheckOutcome.GONE)


def _wish_for(recheck: Recheck) -> RenderingWish | None:
    """Return how a browser rendered the page before it was read; None if it was read as served."""
    with tenant_context(recheck.tenant_id):
        content = Content.objects.filter(sources=recheck.source_id).only("rendering").first()
    rendering = content.rendering if content is not None else None
    return Rendering.model_validate(rendering).wish if rendering else None


async def _acquire_source_page(source: Source, wish: RenderingWish | None) -> AcquiredPage:
    """Fetch the page from its server; if it is unchanged, return the cached bytes."""
    asked_by, at_once = f"recheck {source.run_id}", timedelta(0)
    if wish is None:
        return await acquire(source.tenant_id, asked_by, source.final_url or source.url, max_age=at_once)
    page = await acquire_rendered(source.tenant_id, asked_by, source.url, wish, max_age=at_once)
    if page.rendering is None:  # compared with a rendered page, all its quotes would seem gone
        raise FetchError("EXTRACTION_FAILED", page.note)
    return page


def _record_fetch_failure(recheck: Recheck, error: FetchError) -> None:
    """Store that the quotes are gone if the page no longer exists. Other failures say nothing about them."""
    if error.code == "PAGE_NOT_FOUND" and not isinstance(error.__cause__, NoSuchHost):
        with tenant_context(recheck.tenant_id):
            cited = list(find_source_citations(recheck.source))
        _finish(
            recheck,
            [CitationRecheck(citation, RecheckOutcome.GONE) for citation in cited],
            error.message,
            is_answer=True,
        )
    elif error.is_retryable and recheck.attempts < MAX_ATTEMPTS:
        pause = timedelta(seconds=error.retry_after_s or PAUSE_S * recheck.attempts)
        with tenant_context(recheck.tenant_id):
            Recheck.objects.filter(pk=recheck.pk).update(
                not_before=Now() + pause, reason=error.message, updated_at=Now()
            )
    else:
        _finish(recheck, (), error.message)


def _text_now(recheck: Recheck) -> str:
    """Return the current text. Raises OSError, ObjectError and ReadError."""
    source = recheck.source
    if is_of_the_web(source):
        return read_in_child(load_object(recheck.object_key).data, recheck.file_name).document.text
    document = source.library_document
    if document is None:
        raise ObjectError(REMOVED)
    return read_in_child(load_document(document).data, PurePosixPath(document.path).name).document.text


def _take(tenant_id: UUID, recheck_id: UUID, state: RecheckState) -> Recheck | None:
    """Claim the row for TAKEN_FOR; None if it is finished, in another state, or claimed by another worker."""
    with tenant_context(tenant_id):
        free = Q(not_before__isnull=True) | Q(not_before__lte=Now())
        taken = Recheck.objects.filter(free, pk=recheck_id, state=state).update(
            not_before=Now() + TAKEN_FOR, attempts=F("attempts") + 1, updated_at=Now()
        )
        if not taken:
            return None
        rows = Recheck.objects.select_related("source__library_document", "source__content")
        heavy = ("text", "blocks", "pages", "tables", "minhash")
        recheck = rows.defer(*(f"source__content__{name}" for name in heavy)).get(pk=recheck_id)
    if recheck.attempts > MAX_ATTEMPTS:
        _finish(recheck, (), recheck.reason or SILENT)
        return None
    return recheck


def _finish(
    recheck: Recheck,
    found: Sequence[CitationRecheck],
    reason: str = "",
    *,
    text: str = "",
    is_answer: bool = False,
) -> None:
    """Store the outcome of the recheck, or the reason for having none."""
    is_over = bool(text) or is_answer
    content = recheck.source.content
    rows = [
        RecheckedCitation(
            recheck=recheck,
            citation=checked.citation,
            outcome=checked.outcome,
            similarity=checked.similarity,
            now=checked.now,
        )
        for checked in found
    ]
    with tenant_context(recheck.tenant_id):
        ours = Recheck.objects.filter(pk=recheck.pk, finished_at__isnull=True)
        done = ours.update(
            state=RecheckState.DONE if is_over else RecheckState.UNREADABLE,
            reason=reason,
            is_same_text=_is_same(text, content) if text else None,
            finished_at=Now(),
            not_before=None,
            updated_at=Now(),
        )
        if done:
            RecheckedCitation.objects.bulk_create(rows)


def _is_same(text: str, content: Content | None) -> bool | None:
    """Compare the text's hash with the frozen text's; None if another version of the reader made that."""
    if content is None or not is_own(content.extractor):
        return None
    return hashlib.sha256(text.encode()).hexdigest() == content.sha256
