"""Canonical URLs: which addresses are the same page, and which library document is a page's local copy."""

import base64
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from django.db.models import F, QuerySet
from w3lib.url import canonicalize_url

from research.models import DocumentStatus, LibraryDocument

# Parameters that say where a reader came from and do not affect the content.
_TRACKING = re.compile(
    r"utm_\w+|pk_\w+|mtm_\w+|hsa_\w+|_hs\w+|amp_\w+|_x_tr_\w+|mc_[ce]id|(?:fb|g|dc|tw|y|tt)clid|msclkid|li_fat_id|srsltid"
    r"|gclsrc|[wg]braid|igsh(?:id)?|_ga|_gl|vero_id|oly_(?:anon|enc)_id|s_cid|mkt_tok|trk\w*|ref_src|ref_source|share_id|rdt_cid|spm",
    re.IGNORECASE,
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LONGEST = 2_000  # characters: the limit of browsers, and of the index of a run's sources
_DOI_RESOLVERS = ("doi.org", "dx.doi.org")
# The label of a site's pages for phones: m.example.org, en.m.wikipedia.org. "m.org" is a site of its own.
_MOBILE = re.compile(r"(?:(?<=\.)|^)(?:m|mobile)\.(?=[^.]+\.[^.])")
_WITHOUT_SCHEME = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)")


def canonical_url(url: str) -> str:
    """Return one form for all URLs of a page, for comparison and not for fetching; "" for what is no web URL.

    Scheme http, no "www." or "m.", no default port, no fragment, no tracking parameters, sorted query, no trailing
    slash. A result longer than 2,000 bytes counts as no web URL either.
    """
    try:
        parts = urlsplit(canonicalize_url(_with_scheme(url.strip())))
        port = parts.port
    except ValueError:  # a malformed IPv6 address, or a port that is not a number
        return ""
    host = _MOBILE.sub("", (parts.hostname or "").rstrip(".").removeprefix("www."), count=1)
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return ""
    place = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    path, query = parts.path.rstrip("/"), _without_tracking(parts.query)
    if place in _DOI_RESOLVERS:  # a DOI is the same in capitals
        place, path = "doi.org", path.lower()
    spelled = urlunsplit(("http", place, path, query, ""))
    return spelled if len(spelled.encode()) <= _LONGEST else ""


def without_tracking(url: str) -> str:
    """Return the URL without tracking parameters, otherwise unchanged to the letter.

    >>> without_tracking("https://example.org/a?q=a%20b&flag&utm_source=news#top")
    'https://example.org/a?q=a%20b&flag#top'
    """
    url = url.strip()
    address, hash_mark, fragment = url.partition("#")
    place, _, query = address.partition("?")
    pairs = query.split("&")
    kept = [pair for pair in pairs if not _TRACKING.fullmatch(pair.partition("=")[0])]
    if len(kept) == len(pairs):
        return url
    return "".join([place, *(["?", "&".join(kept)] if kept else []), hash_mark, fragment])


# Redirect wrappers of search engines, mail and social networks: host, path, and the parameter with the URL.
_WRAPPERS = (
    (re.compile(r"(?:www\.)?google\.[a-z.]{2,6}"), re.compile(r"/(?:url|imgres)"), ("url", "q", "imgrefurl")),
    (re.compile(r"(?:scholar|translate)\.google\.[a-z.]{2,6}"), re.compile(r"/(?:scholar_url|translate)"),
     ("url", "u")),
    (re.compile(r"(?:www\.)?bing\.com"), re.compile(r"/ck/a"), ("u",)),
    (re.compile(r"(?:html\.|lite\.)?duckduckgo\.com"), re.compile(r"/l/?"), ("uddg",)),
    (re.compile(r"(?:l|lm)\.(?:facebook|instagram)\.com"), re.compile(r"/(?:l\.php)?"), ("u",)),
    (re.compile(r"(?:www\.)?(?:youtube\.com|reddit\.com)"), re.compile(r"/redirect"), ("q", "url")),
    (re.compile(r"out\.reddit\.com|slack-redir\.net|[a-z]+\d*\.safelinks\.protection\.outlook\.com|steamcommunity\.com"),
     re.compile(r"/.*"), ("url",)),
    (re.compile(r"(?:www\.)?linkedin\.com"), re.compile(r"/(?:redir/redirect|safety/go)"), ("url",)),
    (re.compile(r"t\.umblr\.com|(?:m\.)?vk\.com"), re.compile(r"/(?:redirect|away\.php)"), ("z", "to")),
    (re.compile(r"(?:www\.)?startpage\.com"), re.compile(r"/(?:do/proxy|cgi-bin/serveimage)"), ("url", "u")),
    (re.compile(r"yandex\.(?:ru|com)|(?:www\.)?ecosia\.org|(?:www\.)?qwant\.com"),
     re.compile(r"/(?:clck/jsredir|redir(?:ect)?.*|url|link)"), ("url", "u", "l")),
)  # fmt: skip
_YAHOO = re.compile(r"/RU=([^/]+)/")
_URL_DEFENSE = re.compile(r"/v3/__(https?:/.+)__;", re.DOTALL)
_AMP_VIEWER = re.compile(r"/amp/(s/)?([^/]+\.[^/]+/.*)", re.DOTALL)
_AMP_CACHE = re.compile(r"/[civ]/(?:a/)?(s/)?([^/]+\.[^/]+(?:/.*)?)", re.DOTALL)
_SHOWS_AMP = re.compile(r"(?:www\.)?(?:google\.[a-z.]{2,6}|bing\.com)$")
_TRANSLATED = ".translate.goog"
_MAX_WRAPPERS = 3  # nested in each other


def unwrap_redirect(url: str) -> str:
    """Return the URL that a redirect wrapper leads to; any other URL unchanged."""
    if url.startswith("//"):  # an unusual port is rarely TLS
        url = f"{'http' if re.match(r'//[^/?#]+:(?!443)', url) else 'https'}:{url}"
    for _ in range(_MAX_WRAPPERS):
        inner = _unwrap_once(url)
        if not inner:
            break
        url = inner
    return url


def _unwrap_once(url: str) -> str:
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname or ""
    except ValueError:
        return ""
    if parts.scheme not in ("", *_DEFAULT_PORTS):
        return ""
    if not host and parts.path == "/url":
        host = "google.com"  # a relative link in Google's own pages
    if address := _find_in_path(host, parts.path, f"?{parts.query}" if parts.query else ""):
        return address
    for hosts, paths, names in _WRAPPERS:
        if hosts.fullmatch(host) and paths.fullmatch(parts.path):
            given = dict(parse_qsl(parts.query))
            return next(
                (address for name in names if (address := _web_address(_decode(given.get(name, ""))))), ""
            )
    return ""


def _find_in_path(host: str, path: str, query: str) -> str:
    """Return the URL that the path of a wrapper, of an AMP viewer or of a translated page names."""
    if host.endswith(".search.yahoo.com") and (named := _YAHOO.search(path)):
        return _web_address(unquote(named[1]))
    if host == "urldefense.com" and (named := _URL_DEFENSE.match(f"{path}{query}")):
        return _web_address(re.sub(r"^(https?):/+", r"\1://", named[1]))
    is_viewer = _SHOWS_AMP.match(host) is not None
    amp = _AMP_VIEWER if is_viewer else _AMP_CACHE
    if (is_viewer or host.endswith(".cdn.ampproject.org")) and (named := amp.fullmatch(path)):
        return _web_address(without_tracking(f"{'https' if named[1] else 'http'}://{named[2]}{query}"))
    if host.endswith(_TRANSLATED):  # a quote must be in the words of the page itself
        return _web_address(without_tracking(f"https://{_decode_host(host)}{path}{query}"))
    return ""


def _decode_host(host: str) -> str:
    """Return the host of a page that is shown in translation: "a--b-example-org.translate.goog" is a-b.example.org."""
    labels = host.removesuffix(_TRANSLATED).split("--")
    return "-".join(label.replace("-", ".") for label in labels)


def _decode(given: str) -> str:
    """Return the URL in a parameter; Bing's is in Base64 after "a1"."""
    if not given.startswith("a1"):
        return given
    coded = given[2:] + "=" * (-len(given[2:]) % 4)
    try:
        return base64.urlsafe_b64decode(coded).decode()
    except ValueError:
        return ""


def _web_address(text: str) -> str:
    return text if text.startswith(("http://", "https://")) and canonical_url(text) else ""


def find_by_url(url: str, folder: str | None = None) -> LibraryDocument | None:
    """Return the newest readable document with this URL, in one folder or all.

    It is used for pasted URLs that have a local copy.
    """
    rows = LibraryDocument.objects.filter(status=DocumentStatus.READY)
    if folder is not None:
        rows = rows.filter(folder=folder)
    newest_first = rows.order_by("-published_date", F("modified_date").desc(), "path")
    return next(documents_at(url, newest_first), None)


def documents_at(url: str, rows: QuerySet[LibraryDocument]) -> Iterator[LibraryDocument]:
    """Yield the documents with this URL, in the order of `rows`."""
    if wanted := canonical_url(url):
        # The database narrows the search down by host; the comparison of canonical URLs decides.
        host = urlsplit(wanted).hostname or ""
        found = rows.filter(url__icontains=_select_ascii_label(host))
        yield from (row for row in found if canonical_url(row.url) == wanted)


def _with_scheme(url: str) -> str:
    if url.startswith("//"):
        return f"http:{url}"
    return f"http://{url}" if _WITHOUT_SCHEME.match(url) else url


def _without_tracking(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([pair for pair in pairs if not _TRACKING.fullmatch(pair[0])])


def _select_ascii_label(host: str) -> str:
    """Return the longest label that is not punycode, since punycode names may be stored in Unicode."""
    labels = [label for label in host.split(".") if not label.startswith("xn--")]
    return max(labels, key=len, default="")
