"""The links from a page to other pages of its site, in reading order.

The page's tags are scanned once, from start to end: no tree is built of untrusted markup, so nesting and
unclosed comments cost no more than their length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import parse_qsl, urljoin, urlsplit

from citations.credibility.source_hosts import host_of
from research.fetching.canonical_urls import canonical_url
from research.fetching.strict_urls import UrlRefused, parse_url

LOOKED_AT = 2_000_000  # characters of a page
MAX_NUMBER = 6  # digits of a page number
_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<mute>script|style|template|noscript|svg|textarea|title|xmp|iframe)\b.*?(?:</(?P=mute)\b|\Z)"
    r"|<(?P<close>/?)(?P<name>nav|header|footer|aside|menu|main|article|base|link|a)\b(?P<attributes>[^<>]{0,4000})>",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([a-z][\w:.-]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?", re.IGNORECASE)
_AROUND = frozenset(
    {"nav", "header", "footer", "aside", "menu"}
)  # what stands around a text leads everywhere
# Files that are not text, and pages that change something or are private.
_NO_TEXT = re.compile(
    r"\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|js|mjs|json|xml|rss|atom|woff2?|ttf|mp[34]|m4[av]|ogg|wav|webm|avi|mov"
    r"|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|apk|deb|rpm|iso|bin|ics)$",
    re.IGNORECASE,
)
_PRIVATE = re.compile(
    r"/(?:log-?(?:in|out)|sign-?(?:in|out|up)|register|account|cart|basket|checkout|subscribe|unsubscribe|delete"
    r"|edit|add-to-[\w-]+|wp-admin|wp-login\.php|share|print)(?:/|$)",
    re.IGNORECASE,
)


# The words of a link to the next page of a list, alone: arrows may stand around them.
_NEXT = re.compile(
    r"(?:go to )?(?:the )?(?:next(?: (?:page|\d+))?|weiter|n(?:ä|ae)chste(?: seite)?|(?:page )?suivante?"
    r"|(?:p[áa]gina )?siguiente|(?:pagina )?(?:successiva|volgende)|next page of results)?[\s›»→⟩>❯▶]*",
    re.IGNORECASE,
)
_PAGE_NUMBER = re.compile(r"(?:page|pg?|paged|page_?(?:no|num|number)|seite|pagina)", re.IGNORECASE)
_PAGE_PATH = re.compile(r"/(?:page|seite|pagina|p)[/-]?(\d{1,4})/?$", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class _Link:
    address: str  # as written
    is_around: bool


def internal_links(html: str, url: str, most: int) -> list[str]:
    """Return up to `most` URLs of other pages on the same host, each once; those within the text come first.

    `url` is the page's URL after redirects. Links marked as not to be followed, to files that are no page, or
    that would sign in, buy or delete are left out; fragments are removed. URLs that a source can't have are
    never returned.
    """
    base, links = _read(html[:LOOKED_AT], url)
    ranked = sorted(links, key=lambda link: link.is_around)  # stable: otherwise in page order
    seen = {canonical_url(url)}
    found: list[str] = []
    for link in ranked:
        if len(found) >= most:
            break
        address = _followable(base, link.address, url)
        if address and canonical_url(address) not in seen:
            seen.add(canonical_url(address))
            found.append(address)
    return found


def next_page(html: str, url: str) -> str:
    """Return the URL of the page on the same host on which a list continues; "" if the page names none.

    A page names it by the relation "next", by the words of a link, or by a link to its own URL with the next number.
    """
    found = list(_next_pages(html[:LOOKED_AT], url))
    return min(found, key=lambda ranked: ranked[0])[1] if found else ""


def _next_pages(html: str, url: str) -> Iterator[tuple[int, str]]:
    """Yield URLs of possible next pages, each with its rank: 0 for the clearest evidence."""
    base, own = url, canonical_url(url)
    for match in _TOKEN.finditer(html):
        name, attributes = (match["name"] or "").lower(), attributes_of(match["attributes"] or "")
        if name == "base" and base == url:
            base = resolve_link(url, attributes.get("href", "")) or url
        if name not in ("a", "link") or match["close"] or not _is_followed(attributes):
            continue
        address = _followable(base, attributes["href"], url)
        if not address or canonical_url(address) == own:
            continue
        if "next" in attributes.get("rel", "").lower().split():
            yield 0, address
        elif name == "a" and _is_named_next(html, match.end(), attributes):
            yield 1, address
        elif name == "a" and page_number(address, url) == page_number(url, url) + 1:
            yield 2, address


def _is_named_next(html: str, start: int, attributes: dict[str, str]) -> bool:
    end = html.find("</a", start, start + 1_000)
    shown = " ".join(unescape(_TAG.sub(" ", html[start:end] if end >= 0 else "")).split())
    words = (shown, attributes.get("aria-label", "").strip(), attributes.get("title", "").strip())
    return any(text and _NEXT.fullmatch(text) for text in words)


def page_number(address: str, of: str) -> int:
    """Return the page number of the address in the list to which the page `of` belongs; 0 if in no such list."""
    parts, whole = urlsplit(address), urlsplit(of)
    path, own_path = _PAGE_PATH.sub("", parts.path).rstrip("/"), _PAGE_PATH.sub("", whole.path).rstrip("/")
    numbers = [value for name, value in parse_qsl(parts.query) if _PAGE_NUMBER.fullmatch(name)]
    numbers += [found[1] for found in [_PAGE_PATH.search(parts.path)] if found]
    if path != own_path or _rest_of_query(parts.query) != _rest_of_query(whole.query) or len(numbers) > 1:
        return 0
    return int(numbers[0]) if numbers and numbers[0].isdecimal() and len(numbers[0]) <= MAX_NUMBER else 1


def _rest_of_query(query: str) -> set[tuple[str, str]]:
    return {(name, value) for name, value in parse_qsl(query) if not _PAGE_NUMBER.fullmatch(name)}


def _read(html: str, url: str) -> tuple[str, list[_Link]]:
    """Return the base URL of the page, and its links."""
    base, around, links = url, 0, []
    for name, is_end, attributes in _marks(html):
        if name in _AROUND:
            around = max(0, around + (-1 if is_end else 1))
        elif name in ("main", "article"):
            around = 0
        elif name == "base" and base == url:
            base = resolve_link(url, attributes.get("href", "")) or url
        elif name == "a" and not is_end and _is_followed(attributes):
            links.append(_Link(attributes["href"], around > 0))
    return base, links


def _marks(html: str) -> Iterator[tuple[str, bool, dict[str, str]]]:
    for match in _TOKEN.finditer(html):
        if match["name"]:
            yield match["name"].lower(), bool(match["close"]), attributes_of(match["attributes"])


def attributes_of(text: str) -> dict[str, str]:
    """Return the attributes of a tag.

    As in browsers, the first of each name counts; "" if it has no value.
    """
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape(double or single or bare))
    return found


def _is_followed(attributes: dict[str, str]) -> bool:
    rel = attributes.get("rel", "").lower().split()
    return bool(attributes.get("href")) and "nofollow" not in rel and "download" not in attributes


def _followable(base: str, written: str, url: str) -> str:
    """Return the link's URL, or "" if it is not followed."""
    address = resolve_link(base, written).partition("#")[0]
    try:
        target = parse_url(address, allow_loopback=True)  # the guard decides again when it is fetched
    except UrlRefused:
        return ""
    same_place = host_of(target.url) == host_of(url) and urlsplit(target.url).port == urlsplit(url).port
    path = target.path.partition("?")[0]
    is_page = not _NO_TEXT.search(path) and not _PRIVATE.search(path)
    return target.url if same_place and is_page else ""


def resolve_link(base: str, written: str) -> str:
    """Return the absolute URL, without the line breaks and tabs that browsers ignore; "" if it is invalid."""
    try:
        return urljoin(base, re.sub(r"[\t\r\n]", "", written).strip())
    except ValueError:
        return ""
