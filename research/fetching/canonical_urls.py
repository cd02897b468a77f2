"""Web addresses of documents: which two are the same page, and which document is a page's local copy."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.db.models import F, QuerySet
from w3lib.url import canonicalize_url

from research.models import DocumentStatus, LibraryDocument

# Parameters that say where a reader came from, never what is shown.
_TRACKING = re.compile(
    r"utm_\w+|pk_\w+|mtm_\w+|hsa_\w+|_hs\w+|mc_[ce]id|(?:fb|g|dc|ms|tw|yc|li_fat_|igsh|wbraid|gbraid)clid"
    r"|gclsrc|[wg]braid|igshid|_ga|_gl|vero_id|oly_(?:anon|enc)_id|s_cid|mkt_tok|trk\w*|ref_src|ref_source|share_id|rdt_cid|spm",
    re.IGNORECASE,
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LONGEST = 2_000  # characters: what browsers open, and what the index of a run's sources holds
_WITHOUT_SCHEME = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)")


def canonical_url(url: str) -> str:
    """One spelling for all addresses of a page: for comparing, not for fetching. "" for what is no web address.

    Scheme http, no "www.", no default port, no fragment, no tracking parameters, sorted query, no closing slash.
    One that is longer than 2 000 characters in this spelling is none either.
    """
    try:
        parts = urlsplit(canonicalize_url(_with_scheme(url.strip())))
        port = parts.port
    except ValueError:  # a malformed address of IPv6, or a port that is no number
        return ""
    host = (parts.hostname or "").removeprefix("www.")
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return ""
    place = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    path, query = parts.path.rstrip("/"), _without_tracking(parts.query)
    spelled = urlunsplit(("http", _resolver(place), path, query, ""))
    return spelled if len(spelled.encode()) <= _LONGEST else ""


def without_tracking(url: str) -> str:
    """The address as it was given, but for parameters that say where a reader came from."""
    try:
        parts = urlsplit(url.strip())
        return (
            urlunsplit(parts._replace(query=_without_tracking(parts.query))) if parts.query else url.strip()
        )
    except ValueError:  # no address at all: it stays what it is
        return url.strip()


def find_by_url(url: str, folder: str | None = None) -> LibraryDocument | None:
    """The newest readable document of this address, in one folder or all; for pasted URLs that have a local copy."""
    rows = LibraryDocument.objects.filter(status=DocumentStatus.READY)
    if folder is not None:
        rows = rows.filter(folder=folder)
    newest_first = rows.order_by("-published_date", F("modified_date").desc(), "path")
    return next(documents_at(url, newest_first), None)


def documents_at(url: str, rows: QuerySet[LibraryDocument]) -> Iterator[LibraryDocument]:
    """Those of this address, in their order."""
    if wanted := canonical_url(url):
        # The host narrows it down in the database; only the whole comparison decides.
        host = urlsplit(wanted).hostname or ""
        found = rows.filter(url__icontains=_select_ascii_label(host))
        yield from (row for row in found if canonical_url(row.url) == wanted)


def _with_scheme(url: str) -> str:
    return f"http://{url}" if _WITHOUT_SCHEME.match(url) else url


def _without_tracking(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([pair for pair in pairs if not _TRACKING.fullmatch(pair[0])])


def _resolver(host: str) -> str:
    return "doi.org" if host == "dx.doi.org" else host


def _select_ascii_label(host: str) -> str:
    """The part of a host that every spelling of it has: a name in punycode may be stored in Unicode."""
    labels = [label for label in host.split(".") if not label.startswith("xn--")]
    return max(labels, key=len, default="")
