"""Adds web pages to the library by their URL; workers fetch and read them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from research.fetching.canonical_urls import canonical_url
from research.library.change_library_documents import read_again
from research.library.library_folders import UPLOADS, in_uploads
from research.library.store_uploads import lock_uploads
from research.library.waiting_library_documents import request_fetching
from research.models import DocumentStatus, LibraryDocument

MAX_ADDRESSES = 20  # pages in a request


class PageRefused(Exception):
    """The page was not added; str() tells the user why."""


@dataclass(frozen=True, slots=True)
class AddedDocument:
    """An added document. `is_new`: it was not in the library before, or could not be fetched then."""

    document: LibraryDocument
    is_new: bool


def add_page(url: str, folder: str = UPLOADS) -> AddedDocument:
    """Add a page to be fetched and read. A page that is in the library already stays as it is, in whatever folder.

    Raises PageRefused for an invalid URL. The SSRF guard checks it when it is fetched.
    """
    address = canonical_url(url)
    if not address:
        raise PageRefused(_("“%(url)s” is not a web address.") % {"url": url})
    lock_uploads()
    known = LibraryDocument.objects.filter(in_uploads(), path=address).first()
    if known is not None:
        has_failed = known.status == DocumentStatus.FAILED
        if has_failed:
            read_again(known)
        return AddedDocument(known, is_new=has_failed)
    row = LibraryDocument.objects.create(folder=folder, path=address, url=url)
    request_fetching(row.tenant_id)
    return AddedDocument(row, is_new=True)
