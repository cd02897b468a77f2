"""DuckDuckGo without a key, by parsing its results page for browsers without scripts.

It has no official API, and responds with a CAPTCHA (status 202) to frequent requests.
https://duckduckgo.com/duckduckgo-help-pages/settings/params
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from lxml import etree

from research.search.providers.search_regions import country_of, language_of
from research.search.providers.search_service_entry import DAY_S, ProviderEntry, ResultPage
from research.search.providers.search_syntax import with_sites
from research.search.search_hits import hit
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchHit, SearchType
from research.search.search_request_pace import Rate
from research.search.search_service_client import Api
from research.search.search_service_replies import ProviderReply, nonsense

_OWN = "duckduckgo.com"
_COUNTRIES = {"gb": "uk"}  # as it calls them
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CHALLENGE = re.compile(rb"anomaly-modal|anomaly\.js")
_CHALLENGED_S = 600.0


async def page(api: Api, query: str, filters: Filters, which: str) -> ResultPage:
    asked = (
        dict(parse_qsl(which, keep_blank_values=True)) if which else _build_query_parameters(query, filters)
    )
    root = (await api.post("/html/", asked)).html()
    if _first(root, "div", "serp__results") is None and root.find(".//div[@id='links']") is None:
        raise nonsense()
    results = [
        element
        for element in _all(root, "div", "result")
        if not _classes(element) & {"result--ad", "result--no-result"}
    ]
    hits = [_hit(result) for result in results]
    found = tuple(candidate for candidate in hits if candidate is not None and not _is_ad(candidate))
    return ResultPage(found, hits.count(None), _find_next_page(root))


def _build_query_parameters(query: str, filters: Filters) -> dict[str, str]:
    country, language = country_of(filters.region), language_of(filters.region)
    asked = {"q": with_sites(query, filters), "b": "", "kl": "wt-wt"}
    if country:
        asked["kl"] = f"{_COUNTRIES.get(country, country)}-{language}"
    if filters.published_from is not None:
        asked["df"] = f"{filters.published_from}..{datetime.now(tz=UTC).date()}"
    return asked


def _hit(result: etree._Element) -> SearchHit | None:
    """Return the hit of a result; None if it has no link."""
    link, snippet = _first(result, "a", "result__a"), _first(result, "a", "result__snippet")
    address = _unwrap_link(link.get("href", "")) if link is not None else ""
    if link is None or not address:
        return None
    extras = _first(result, "div", "result__extras")
    published = _DAY.search(_text(extras))
    return hit(address, _text(link), _text(snippet), published[0] if published else "")


def _unwrap_link(href: str) -> str:
    """Return the target of a link: links of results lead through a page that counts clicks."""
    try:
        parts = urlsplit(f"https:{href}" if href.startswith("//") else href)
        wrapped = parse_qs(parts.query).get("uddg", [""])[0]
    except ValueError:
        return ""
    return wrapped or href


def _is_ad(found: SearchHit) -> bool:
    """Return True for an advertisement, whose link leads to the service itself to count the click."""
    return found.domain == _OWN and "/y.js" in found.url


def _find_next_page(root: etree._Element) -> str:
    """Return the form fields of the button for the next page, or ""."""
    for form in root.iter("form"):
        fields = [
            (field.get("type", ""), field.get("name", ""), field.get("value", ""))
            for field in form.iter("input")
        ]
        if any(kind == "submit" and value == "Next" for kind, _, value in fields):
            return urlencode([(name, value) for kind, name, value in fields if kind != "submit" and name])
    return ""


def _all(root: etree._Element, tag: str, name: str) -> Iterator[etree._Element]:
    return (element for element in root.iter(tag) if name in _classes(element))


def _first(root: etree._Element, tag: str, name: str) -> etree._Element | None:
    return next(_all(root, tag, name), None)


def _classes(element: etree._Element) -> frozenset[str]:
    return frozenset(element.get("class", "").split())


def _text(element: etree._Element | None) -> str:
    return "" if element is None else "".join(map(str, element.itertext()))


def _refusal(reply: ProviderReply) -> SearchError | None:
    if reply.status == 202 or (reply.status in (200, 403) and _CHALLENGE.search(reply.body)):
        words = f"It asks for a CAPTCHA ({reply.status})."
        return SearchError(SearchCode.RATE_LIMITED, words, reply.pause_s or _CHALLENGED_S)
    return None


ENTRY = ProviderEntry(
    "ddgs",
    page,
    frozenset({SearchType.WEB}),
    "https://html.duckduckgo.com",
    rate=Rate(3.0, burst=2),
    refusal=_refusal,
    most_pages=3,
    kept_s=DAY_S,
)
