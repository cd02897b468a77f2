"""Pages that lead on within their site: by a meta refresh, or from an AMP copy to its original."""

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

from citations.credibility.source_authority import origin_domain
from citations.credibility.source_hosts import host_of
from research.fetching.http_client import FetchResponse

_LOOKED_AT = 50_000  # bytes
_MAX_DELAY_S = 10  # a page that reloads every minute is meant to be read
_TAG = re.compile(r"<(meta|link|html|noscript|/noscript|body)\b([^<>]{0,2000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w⚡-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_REFRESH = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_AMP_PATH = re.compile(r"(?:^|/)amp(?:/|$)|\.amp(?:\.html?)?$", re.IGNORECASE)


def find_move(answer: FetchResponse) -> str:
    """Return the URL on its own site that the page leads to; "" if there is none."""
    if not 200 <= answer.status < 300 or b"<" not in answer.body[:1_000]:
        return ""
    target, canonical, is_amp, is_unseen = "", "", bool(_AMP_PATH.search(urlsplit(answer.url).path)), False
    for name, attributes in _TAG.findall(answer.body[:_LOOKED_AT].decode("utf-8", "replace")):
        tag = name.lower()
        given = {key.lower(): unescape(a or b or c) for key, a, b, c in _ATTRIBUTE.findall(attributes)}
        if tag == "body":
            break
        if tag.endswith("noscript"):
            is_unseen = not tag.startswith("/")
        elif tag == "html":
            is_amp = is_amp or "amp" in given or "⚡" in given
        elif tag == "meta" and not is_unseen and given.get("http-equiv", "").lower() == "refresh":
            found = _REFRESH.match(given.get("content", ""))
            target = found[2].strip() if found and int(found[1]) <= _MAX_DELAY_S else target
        elif tag == "link" and "canonical" in given.get("rel", "").lower().split():
            canonical = given.get("href", "")
    moved = _on_same_site(answer.url, target) if target else ""
    return moved or (_on_same_site(answer.url, canonical) if is_amp and canonical else "")


def _on_same_site(url: str, target: str) -> str:
    try:
        address = urljoin(url, target.strip()).partition("#")[0]
        is_web = urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return ""
    is_same = _site(address) == _site(url) and urlsplit(address).port == urlsplit(url).port
    return address if is_web and is_same and address != url.partition("#")[0] else ""


def _site(url: str) -> str:
    return origin_domain(url).partition("/")[0] or host_of(url)
