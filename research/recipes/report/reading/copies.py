"""A work of scholars as it may be read: in a copy that is open to all, before its page, which may be shut."""

from functools import partial
from uuid import UUID

from research.acquisition.acquiring import Acquired, acquire
from research.acquisition.dois import doi_of
from research.acquisition.pages import FetchError
from research.acquisition.process import fetch_process
from research.acquisition.providers.open_copies import known_work
from research.lifecycle.recipe import StepWork
from research.models import Source
from research.tenancy import in_tenant

_SHUT = frozenset({"PAYWALL", "BLOCKED", "CAPTCHA", "PAGE_NOT_FOUND"})


async def acquired(work: StepWork) -> Acquired:
    """The copy that a search named; else the page; else, where that is shut, the copy that an index knows of its DOI.

    Raises FetchError of the page itself, whatever became of its copies, and ObjectError.
    """
    url = str(work.input["url"])
    named = await in_tenant(work.tenant_id, partial(_named, UUID(str(work.input["source"]))))
    page = await _copy(work, named) if named else None
    if page is not None:
        return page
    try:
        return await acquire(work.tenant_id, str(work.run_id), url)
    except FetchError as error:
        doi = doi_of(url) if error.code in _SHUT and not error.is_retryable else ""
        known = await _known(doi) if doi and not named else ""
        page = await _copy(work, known) if known else None
        if page is None:
            raise
        return page


async def _copy(work: StepWork, url: str) -> Acquired | None:
    try:
        return await acquire(work.tenant_id, str(work.run_id), url)
    except FetchError:
        return None


async def _known(doi: str) -> str:
    process = fetch_process()
    found = await process.do(known_work(process.services, doi))
    return found.full_text if found is not None else ""


def _named(source_id: UUID) -> str:
    """Until a source is read, its last address is that of the copy to read. "" for none."""
    return Source.objects.values_list("final_url", flat=True).get(pk=source_id)
