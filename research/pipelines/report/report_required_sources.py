"""Must-read pages and documents: which are available, and why the others are not."""

from ipaddress import ip_address

from django.db.models import Q
from django.utils.translation import gettext as _

from research.fetching.canonical_urls import find_by_url
from research.fetching.denied_addresses import address_rules
from research.fetching.strict_urls import UrlRefused, parse_url
from research.library.library_folders import WEB
from research.models import DocumentStatus, LibraryDocument

READABLE = (DocumentStatus.READY, DocumentStatus.DUPLICATE)
MAX_NAMED = 4  # documents of one name


def why_not_read(url: str, sources: str) -> str | None:
    """Return why a page can't be read, for the person who pasted it; None if it can.

    `sources` is where the run may look. A copy in the library needs no web. Inside `tenant_context`.
    """
    if sources != "web" and find_by_url(url):
        return None
    if sources == "library":
        return _("The library has no copy of “%(url)s”, and this run may use nothing else.") % {
            "url": shorten_text(url)
        }
    try:
        refusal = refusal_of(url)
    except UrlRefused as error:
        refusal = str(error)
    return refusal and _("“%(url)s” can’t be read: %(reason)s.") % {
        "url": shorten_text(url),
        "reason": refusal,
    }


def refusal_of(url: str) -> str | None:
    """Return the reason why the guard will not fetch the URL, or None if it may. Raise UrlRefused if it is not a URL.

    A host name is looked up only when the page is fetched; an IP address is checked at once.
    """
    rules = address_rules()
    host = parse_url(url, allow_loopback=rules.allow_loopback).host
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return rules.refusal(address)


class NoSuchDocument(ValueError):
    """The library holds no document of this name, or several; str() is for the person who named it."""


def document_named(name: str) -> LibraryDocument:
    """Find a document by its path, file name or title, in any case. Raises NoSuchDocument. Inside `tenant_context`."""
    named = Q(path__iexact=name) | Q(path__iendswith=f"/{name}") | Q(title__iexact=name)
    rows = LibraryDocument.objects.filter(named, status__in=READABLE).exclude(folder=WEB)
    documents = list(rows.only("path", "title", "folder").order_by("folder", "path")[:MAX_NAMED])
    exact = [document for document in documents if document.path == name]
    if len(exact or documents) == 1:
        return (exact or documents)[0]
    values = {"name": shorten_text(name), "paths": "; ".join(document.path for document in documents)}
    if not documents:
        raise NoSuchDocument(_("“%(name)s” is not a readable document in the library.") % values)
    raise NoSuchDocument(_("“%(name)s” matches several documents: %(paths)s.") % values)


def shorten_text(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
