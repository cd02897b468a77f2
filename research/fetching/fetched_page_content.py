"""The interpretation of a response: a page to read, or a reason why there is none."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import puremagic

from research.fetching.http_client import FetchResponse
from research.fetching.interstitials import detect_interstitial, is_challenge
from research.fetching.response_charsets import as_utf8, charset
from research.models.schemas import Rendering
from research.parsing.parsed_media_types import CSV, DOCX, HTML, MARKDOWN, PDF, PLAIN, RST, XLSX, is_pdf
from research.runtime.retry_after import parse_retry_after

JSON, FEED_JSON = "application/json", "application/feed+json"
RSS, ATOM, XML, XHTML = (
    "application/rss+xml",
    "application/atom+xml",
    "application/xml",
    "application/xhtml+xml",
)
_HEAD = 1_024  # bytes in which a document's type shows
_SUFFIXES = {
    HTML: ".html",
    XHTML: ".html",
    PDF: ".pdf",
    MARKDOWN: ".md",
    CSV: ".csv",
    RST: ".rst",
    DOCX: ".docx",
    XLSX: ".xlsx",
    JSON: ".json",
    FEED_JSON: ".json",
    RSS: ".xml",
    ATOM: ".xml",
    XML: ".xml",
}
# The type that a URL's suffix implies, used if the server declares only "text" or "bytes".
_BY_ENDING = {".md": MARKDOWN, ".markdown": MARKDOWN, ".csv": CSV, ".tsv": CSV, ".rst": RST, ".json": JSON}
_VAGUE = {"", PLAIN, "application/octet-stream", "binary/octet-stream", "application/x-download"}
# Each alternative matches in one way only; otherwise repeated ones would be divided up in all possible ways.
_ROOT = re.compile(
    rb"(?:<\?xml[^>]*>|<!--(?:(?!-->).)*-->|<!doctype[^>]*>|\s)*<([a-z][a-z0-9:_-]*)\b",
    re.IGNORECASE | re.DOTALL,
)
MAX_PAUSE_S = 600.0
_UNREADABLE = ("image/", "audio/", "video/", "font/")


class FetchError(Exception):
    """The page could not be fetched. `code` is a failure code of browse; str() is for the reader."""

    def __init__(
        self, code: str, message: str, *, is_retryable: bool = False, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.is_retryable = is_retryable
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as received. `name` is the file name shown to the reader; its suffix follows the actual type.

    The last four fields are the server's caching headers.
    """

    url: str  # after redirects
    media_type: str
    name: str
    data: bytes
    rendering: Rendering | None = None  # if a browser rendered it
    picture: bytes = b""  # JPEG of what the browser showed
    etag: str = ""
    last_modified: str = ""
    may_keep: bool = True
    must_check: bool = False


def page_of(answer: FetchResponse) -> FetchedPage:
    """Return the page in a response. Raises FetchError if it is none."""
    _refuse_status(answer)
    if not answer.body.strip():
        raise FetchError("EXTRACTION_FAILED", "The page is empty.")
    declared = media_type(answer.headers)
    kind = sniff_media_type(answer.body, declared, answer.url)
    if kind.startswith(_UNREADABLE):
        raise FetchError("EXTRACTION_FAILED", f"It is {kind}, not text.")
    if kind in (HTML, XHTML):
        _refuse_interstitial(answer)
    data = (
        answer.body
        if kind == PDF or is_binary(answer.body)
        else as_utf8(answer.body, charset(answer.headers))
    )
    rules = directives(answer.headers)
    return FetchedPage(
        url=answer.url,
        media_type=kind,
        name=page_name(kind),
        data=data,
        etag=_mark(answer.headers.get("etag", ""), 500),
        last_modified=_mark(answer.headers.get("last-modified", ""), 100),
        may_keep="no-store" not in rules and answer.headers.get("vary", "").strip() != "*",
        must_check="no-cache" in rules,
    )


def page_name(kind: str) -> str:
    """Return the file name under which a page of this media type is shown to the reader."""
    return f"page{_SUFFIXES.get(kind, '.txt')}"


def _refuse_status(answer: FetchResponse) -> None:
    status = answer.status
    if status in (403, 429, 503) and is_challenge(answer.headers, answer.body):
        raise FetchError("CAPTCHA", "The site asks for a CAPTCHA.")
    if status in (404, 410):
        raise FetchError("PAGE_NOT_FOUND", f"The site has no such page ({status}).")
    if status == 402:
        raise FetchError("PAYWALL", "The site shows the page only to subscribers (402).")
    if status in (429, 503):
        wait_s = retry_after_s(answer.headers)
        raise FetchError(
            "BLOCKED",
            f"The site received too many requests ({status}).",
            is_retryable=True,
            retry_after_s=wait_s,
        )
    if status >= 500:
        raise FetchError("BLOCKED", f"The site returned an error ({status}).", is_retryable=True)
    if not 200 <= status < 300 or status == 204:
        raise FetchError("BLOCKED", f"The site did not deliver the page ({status}).")


def _refuse_interstitial(answer: FetchResponse) -> None:
    found = detect_interstitial((*answer.hops, answer.url)[0], answer.url, answer.headers, answer.body)
    if found is not None:
        raise FetchError(*found)


def directives(headers: Mapping[str, str]) -> frozenset[str]:
    """Return the names of Cache-Control directives.

    Those with a value are left out: `no-cache="Set-Cookie"` is about that field only.
    """
    parts = (part.strip().lower() for part in headers.get("cache-control", "").split(","))
    return frozenset(part for part in parts if "=" not in part)


def _mark(text: str, longest: int) -> str:
    """Return a validator if it can be sent back unchanged, else ""."""
    return text if len(text) <= longest and text.isascii() and text.isprintable() else ""


def media_type(headers: Mapping[str, str]) -> str:
    """Return the declared media type in lower case, without parameters; "" if there is none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def sniff_media_type(body: bytes, declared: str, url: str = "") -> str:
    """Return the media type of the bytes: by their content, else as the server declares, else by the URL's suffix."""
    if is_pdf(body):
        return PDF
    if is_binary(body):
        return _magic(body) or declared or "application/octet-stream"
    told = _by_beginning(body, declared)
    if told:
        return told
    if declared in _VAGUE:
        return _BY_ENDING.get(PurePosixPath(urlsplit(url).path.lower()).suffix, "") or _text(declared)
    return declared


def is_binary(body: bytes) -> bool:
    """Return True unless the body is text. Text has no NUL, except in UTF-16."""
    return b"\0" in body[:_HEAD] and not body.startswith((b"\xff\xfe", b"\xfe\xff")) and not _is_wide(body)


def _is_wide(body: bytes) -> bool:
    """Return True for UTF-16 without a byte order mark: in most pairs of bytes the same one is NUL."""
    head = body[:_HEAD]
    first, second = sorted((head[::2].count(0), head[1::2].count(0)))
    return second > 0.7 * len(head) / 2 > 7 * first


def _by_beginning(body: bytes, declared: str) -> str:
    """Return the media type of a text by its beginning, since JSON and feeds are often misdeclared."""
    head = body[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] in b"{[" and head and declared not in (CSV, MARKDOWN):
        return _json(body)
    root = _ROOT.match(head)
    name = root[1].lower() if root else b""
    if name in (b"rss", b"rdf:rdf"):
        return RSS
    if name == b"feed":
        return ATOM
    if name == b"html" and declared not in (HTML, XHTML):
        return HTML
    return ""


def _json(body: bytes) -> str:
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    is_feed = isinstance(read, dict) and "jsonfeed.org/version" in str(read.get("version", ""))
    return FEED_JSON if is_feed else JSON


def _text(declared: str) -> str:
    return declared if declared.startswith("text/") else HTML


def _magic(body: bytes) -> str:
    try:
        return str(puremagic.from_string(body[:65_536], mime=True))
    except (puremagic.PureError, ValueError):
        return ""


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that the server asks to wait, at most ten minutes; None if it does not."""
    pause_s = parse_retry_after(headers.get("retry-after", ""), now or datetime.now(tz=UTC))
    return min(pause_s, MAX_PAUSE_S) if pause_s else None
