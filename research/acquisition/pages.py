"""What an answer is: a page to read, or one of the ways in which sites do not give one."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass

import puremagic

from research.acquisition.door import Answer
from research.models.schemas import Rendering
from research.reading.media_types import CSV, DOCX, HTML, MARKDOWN, PDF, RST, is_pdf

# Marks of pages that ask for a proof of being human; on a page with real text they are only a widget's.
_CHALLENGE = re.compile(
    rb"cf-chl-|challenge-platform|cf_chl_opt|captcha-delivery\.com|px-captcha|_Incapsula_Resource"
    rb"|geo\.captcha|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|unusual traffic from your"
    rb"|hcaptcha\.com/1/api|google\.com/recaptcha|challenges\.cloudflare\.com|awswaf",
    re.IGNORECASE,
)
_SCRIPTS = re.compile(rb"<(script|style|noscript|svg)\b.*?</\1>", re.IGNORECASE | re.DOTALL)
_TAGS = re.compile(rb"<[^>]*>")
SHORT = 1_500  # bytes of text: a page below it may be nothing but a challenge
_LOOKED_AT = 200_000  # bytes
_SUFFIXES = {
    HTML: ".html",
    "application/xhtml+xml": ".html",
    PDF: ".pdf",
    MARKDOWN: ".md",
    CSV: ".csv",
    RST: ".rst",
    DOCX: ".docx",
}
_UNREADABLE = ("image/", "audio/", "video/", "font/")


class FetchError(Exception):
    """No page came of it. `code` is one of the failure codes of browse; str() is for the reader."""

    def __init__(
        self, code: str, message: str, *, is_retryable: bool = False, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.is_retryable = is_retryable
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came. `name` is what the reader is told it is called: its suffix follows what the bytes are."""

    url: str  # where it was in the end
    media_type: str
    name: str
    data: bytes
    rendering: Rendering | None = None  # where a browser made it


def page_of(answer: Answer) -> Fetched:
    """Raises FetchError for what is no page."""
    _refuse_status(answer)
    if not answer.body.strip():
        raise FetchError("EXTRACTION_FAILED", "The page is empty.")
    _refuse_challenge(answer)
    declared = media_type(answer.headers)
    kind = sniffed(answer.body, declared)
    if kind.startswith(_UNREADABLE):
        raise FetchError("EXTRACTION_FAILED", f"It is no text but {kind}.")
    data = answer.body if kind == PDF else _as_utf8(answer.body, charset(answer.headers))
    return Fetched(answer.url, kind, f"page{_SUFFIXES.get(kind, '.txt')}", data)


def _refuse_status(answer: Answer) -> None:
    status = answer.status
    if status in (403, 429, 503) and is_challenge(answer):
        raise FetchError("CAPTCHA", "The site asks for a proof of being human.")
    if status in (404, 410):
        raise FetchError("PAGE_NOT_FOUND", f"The site has no such page ({status}).")
    if status == 402:
        raise FetchError("PAYWALL", "The site gives the page to paying readers only (402).")
    if status in (429, 503):
        wait_s = retry_after_s(answer.headers)
        raise FetchError(
            "BLOCKED", f"The site asks for a pause ({status}).", is_retryable=True, retry_after_s=wait_s
        )
    if status >= 500:
        raise FetchError("BLOCKED", f"The site failed to answer ({status}).", is_retryable=True)
    if not 200 <= status < 300 or status == 204:
        raise FetchError("BLOCKED", f"The site did not give the page ({status}).")


def _refuse_challenge(answer: Answer) -> None:
    if is_challenge(answer) and len(_visible(answer.body)) < SHORT:
        raise FetchError("CAPTCHA", "The site asks for a proof of being human.")


def is_challenge(answer: Answer) -> bool:
    headers = answer.headers
    if headers.get("cf-mitigated") == "challenge" or headers.get("x-amzn-waf-action"):
        return True
    return _CHALLENGE.search(answer.body[:_LOOKED_AT]) is not None


def _visible(body: bytes) -> bytes:
    return b" ".join(_TAGS.sub(b" ", _SCRIPTS.sub(b" ", body[:_LOOKED_AT])).split())


def media_type(headers: Mapping[str, str]) -> str:
    """The declared one in lower case, without parameters; "" where none is declared."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def charset(headers: Mapping[str, str]) -> str:
    """The declared one, as Python knows it; "" for none or an unknown one."""
    match = re.search(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", headers.get("content-type", ""), re.IGNORECASE)
    try:
        return codecs.lookup(match[1]).name if match else ""
    except LookupError:
        return ""


def sniffed(body: bytes, declared: str) -> str:
    """What the bytes are; what the server says counts where they do not tell."""
    if is_pdf(body):
        return PDF
    if declared.startswith(("text/", "application/xhtml")) or declared in _SUFFIXES:
        return declared
    try:
        found = str(puremagic.from_string(body[:65_536], mime=True))
    except (puremagic.PureError, ValueError):
        found = ""
    return found or declared or HTML


def _as_utf8(body: bytes, declared: str) -> bytes:
    """Text whose charset only the server names; the reader finds out all others from the bytes."""
    if not declared or declared == "utf-8" or body.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return body
    try:
        body.decode("utf-8")
        return body
    except UnicodeDecodeError:
        pass
    try:
        return body.decode(declared).encode("utf-8")
    except (UnicodeError, LookupError):
        return body


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks for, at most ten minutes; None for none, or a date."""
    word = headers.get("retry-after", "").strip()
    return min(float(word), 600.0) if re.fullmatch(r"[0-9]{1,9}", word) else None
