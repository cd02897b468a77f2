"""The type of a source, and its authority, which follows from type and origin.

The rules (source_authority_rules.py) judge the publisher, never the content.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from urllib.parse import urlsplit

import tldextract
from babel import Locale

from citations.credibility.source_authority_rules import (
    BLOG_HOST,
    BLOG_PATH,
    DOCUMENTATION_HOST,
    DOCUMENTATION_PATH,
    DOMAIN_RULES,
    HOSTS,
    OWN_DOCUMENTATION_PATH,
    PERSONAL_SUFFIXES,
    PUBLIC_BODY_LABEL,
    PUBLIC_BODY_SUFFIXES,
    PUBLISHER_RULES,
    REPOSITORIES,
    STARTS_AT,
    TITLE_RULES,
    AuthorityRule,
    SourceType,
)
from citations.credibility.source_hosts import host_and_owner, is_named_in_host
from citations.dates.find_dates import Period
from citations.entities.entity_gazetteer import fold, gazetteer

_TYPE_BONUS = {
    SourceType.ACADEMIC: 0.15,
    SourceType.GOVERNMENT: 0.15,
    SourceType.INDUSTRY: 0.10,
    SourceType.DOCUMENTATION: 0.10,
    SourceType.NEWS: 0.05,
    SourceType.COMPANY: 0.05,
    SourceType.SOCIAL: -0.10,
}


@dataclass(frozen=True, slots=True)
class SourceClass:
    """Tier and type of a source, its publisher if known, and the reason for the reader."""

    tier: int
    source_type: SourceType
    publisher: str
    reason: str


_UNKNOWN = SourceClass(5, SourceType.OTHER, "", "nothing known about its publisher")
_extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
_GOVERNMENT_LABELS = frozenset(
    {"gov", "gob", "gub", "gouv", "govt", "govern", "go", "gv", "lg", "mil", "int"}
)
LARGE_CITY = 100_000  # inhabitants: the domain of a smaller place is often a company of that name
COUNTRY_SUFFIX = 2  # letters
_PUBLIC_BODY_LABEL = re.compile(PUBLIC_BODY_LABEL)
_TITLE_PARTS = re.compile(r"\s[|–—·-]\s|:\s")
_UNIVERSITY_LABELS = frozenset({"edu", "ac"})


@lru_cache(maxsize=4096)
def _host_parts(url: str) -> tuple[str, str, str, str]:
    """Return host, registrable domain, public suffix and first path part, in lower case; "" for none."""
    host, owner = host_and_owner(url)
    return host, *_domain_and_suffix(host), owner


@lru_cache(maxsize=4096)
def _domain_and_suffix(host: str) -> tuple[str, str]:
    extracted = _extract(host)
    return extracted.top_domain_under_public_suffix or host, extracted.suffix


def origin_domain(url: str) -> str:
    """Return the registrable domain of a URL; on a shared host the owner's part ("github.com/owasp").

    "" if the URL names no host (a local document).
    """
    host, domain, _, owner = _host_parts(url)
    if domain in HOSTS and owner:
        return f"{domain}/{owner}"
    return domain or host


def classify_source(
    *,
    url: str = "",
    publisher: str = "",
    author: str = "",
    title: str = "",
    rules: Sequence[AuthorityRule] = (),
) -> SourceClass:
    """Classify a source by its domain, its named publisher or author, and its title.

    `rules` are domain rules that precede the built-in ones. The strongest evidence decides: a domain of its own, then a
    named organization, then the public suffix, then the type of document.
    """
    host, domain, suffix, _ = _host_parts(url)
    named = _classify_name(" ".join((publisher, author)), title, origin_domain(url))
    hosted = named if domain in HOSTS else None  # a shared host says less than a named organization
    classification = (
        _classify_domain(host, domain, rules)
        or hosted
        or _classify_known_domain(host, domain)
        or _classify_product_documentation(named, url, title)
        or named
        or _classify_suffix(suffix, domain)
        or _classify_public_body(domain, suffix)
        or _classify_own_documentation(url, title)
        or _classify_blog(url, publisher)
        or _classify_title(title, publisher)
        or _classify_documentation(url, publisher)
        or _classify_hosting(domain, suffix)
        or _UNKNOWN
    )
    if named is not None and not classification.publisher:
        return SourceClass(
            classification.tier, classification.source_type, named.publisher, classification.reason
        )
    return classification


def _classify_product_documentation(named: SourceClass | None, url: str, title: str) -> SourceClass | None:
    """Return the class of a company's documentation of its own product, which ranks above other texts of companies
    about themselves; None otherwise.
    """
    if named is None or named.source_type is not SourceType.COMPANY:
        return None
    found = _classify_title(title, named.publisher) or _classify_documentation(url, named.publisher)
    is_documentation = found is not None and found.source_type is SourceType.DOCUMENTATION
    return replace(named, tier=2, source_type=SourceType.DOCUMENTATION) if is_documentation else None


def _classify_public_body(domain: str, suffix: str) -> SourceClass | None:
    """Classify domains that are named like a public body or, under a country's own suffix, like a city of it."""
    label = domain.removesuffix(f".{suffix}")
    if suffix in PUBLIC_BODY_SUFFIXES and _PUBLIC_BODY_LABEL.fullmatch(label):
        return SourceClass(1, SourceType.GOVERNMENT, "", f"a public body ({domain})")
    if len(suffix) == COUNTRY_SUFFIX and _is_city(label, suffix):
        return SourceClass(2, SourceType.GOVERNMENT, "", f"the domain of a city ({domain})")
    return None


@lru_cache(maxsize=4096)
def _is_city(label: str, suffix: str) -> bool:
    country = fold(str(Locale("en").territories.get(suffix.upper(), "")))
    cities = gazetteer().cities.get(label.replace("-", " "), ())
    return any(country in city.containers and city.population >= LARGE_CITY for city in cities)


def _classify_own_documentation(url: str, title: str) -> SourceClass | None:
    """Classify the documentation on a project's own site: one part of the title names what the host is named after."""
    host, _ = host_and_owner(url)
    name = (
        next((part for part in _TITLE_PARTS.split(title) if is_named_in_host(part, host)), "") if host else ""
    )
    path = urlsplit(url).path if name else ""
    if not name or not re.search(rf"{DOCUMENTATION_PATH}|{OWN_DOCUMENTATION_PATH}", path):
        return None
    return SourceClass(
        2, SourceType.DOCUMENTATION, name.strip(), f"the documentation on the site of {name.strip()}"
    )


def _classify_blog(url: str, publisher: str) -> SourceClass | None:
    host, _ = host_and_owner(url)
    path = urlsplit(url).path if host else ""
    if re.search(BLOG_HOST, host) or re.search(BLOG_PATH, path):
        return SourceClass(4, SourceType.BLOG, publisher, "its address names it as a blog")
    return None


def _classify_documentation(url: str, publisher: str) -> SourceClass | None:
    """Classify pages that a site keeps as documentation, by host or path."""
    host, _ = host_and_owner(url)
    path = urlsplit(url).path if host else ""
    if re.search(DOCUMENTATION_HOST, host) or re.search(DOCUMENTATION_PATH, path):
        return SourceClass(3, SourceType.DOCUMENTATION, publisher, "its address names it as documentation")
    return None


def _classify_hosting(domain: str, suffix: str) -> SourceClass | None:
    """Classify files of a project's repository, and pages that anybody can publish."""
    if domain in REPOSITORIES:
        return SourceClass(3, SourceType.CODE, "", "a file of a project's repository")
    if suffix in PERSONAL_SUFFIXES:
        return SourceClass(4, SourceType.OTHER, "", f"a page of a project or a person ({domain})")
    return None


_PREPRINT_SERVERS = frozenset(
    "arxiv.org biorxiv.org medrxiv.org ssrn.com preprints.org chemrxiv.org psyarxiv.com researchsquare.com "
    "osf.io techrxiv.org eartharxiv.org".split()
)


def is_preprint(url: str, title: str = "") -> bool:
    """True for a paper on a preprint server, or one that calls itself a preprint: it was not peer-reviewed."""
    _, domain, _, _ = _host_parts(url)
    return domain in _PREPRINT_SERVERS or re.search(r"\bpreprint\b", title, re.IGNORECASE) is not None


def _classify_domain(host: str, domain: str, rules: Sequence[AuthorityRule]) -> SourceClass | None:
    for rule in rules:
        if host and (rule.pattern in (host, domain) or host.endswith(f".{rule.pattern}")):
            return SourceClass(rule.tier, rule.source_type, rule.publisher, f"its domain {rule.pattern}")
    return None


@lru_cache(maxsize=4096)
def _classify_known_domain(host: str, domain: str) -> SourceClass | None:
    return _classify_domain(host, domain, DOMAIN_RULES)


def _classify_suffix(suffix: str, domain: str) -> SourceClass | None:
    labels = set(suffix.split("."))
    if labels & _GOVERNMENT_LABELS:
        return SourceClass(1, SourceType.GOVERNMENT, "", f"a government domain ({domain})")
    if labels & _UNIVERSITY_LABELS:
        return SourceClass(2, SourceType.ACADEMIC, "", f"a university domain ({domain})")
    return None


# Compiled once: `re` looks each pattern up anew, which takes as long as most of these searches.
_NAMES = [(re.compile(rule.pattern, re.IGNORECASE), rule) for rule in PUBLISHER_RULES]
_NAMES_IN_TITLES = [(re.compile(rule.pattern), rule) for rule in PUBLISHER_RULES]
_TITLES = [(re.compile(rule.pattern, re.IGNORECASE), rule) for rule in TITLE_RULES]


@lru_cache(maxsize=4096)
def _classify_name(names: str, title: str, owner: str) -> SourceClass | None:
    """Classify by an organization that is the publisher, author or repository owner, or whose name begins the title.

    A page is classified as a hit, as a document and as a source, each time with the same names.
    """
    opening = " ".join(title.split()[:6])
    for text, patterns in ((names, _NAMES), (owner.partition("/")[2], _NAMES), (opening, _NAMES_IN_TITLES)):
        if not text.strip():  # no pattern is found in nothing
            continue
        for pattern, rule in patterns:
            if match := pattern.search(text):
                name = rule.publisher or match.group()
                return SourceClass(rule.tier, rule.source_type, name, f"published by {name}")
    return None


def _classify_title(title: str, publisher: str) -> SourceClass | None:
    for pattern, rule in _TITLES:
        if pattern.search(title):
            kind = rule.source_type.value
            return SourceClass(rule.tier, rule.source_type, publisher, f"its title names it as {kind}")
    return None


@dataclass(frozen=True, slots=True)
class Authority:
    """The summands of a source's authority."""

    tier: float
    source_type: float
    author: float
    recency: float

    @property
    def score(self) -> float:
        """0–1."""
        value = STARTS_AT + self.tier + self.source_type + self.author + self.recency
        return round(min(1.0, max(0.0, value)), 4)


def authority_of(
    tier: int,
    source_type: SourceType,
    *,
    has_author: bool = False,
    published: Period | None = None,
    today: date,
) -> Authority:
    """Compute 0.5 + 0.1 × (5 − tier) + type bonus + 0.05 if an author is named + up to 0.10 for recency.

    The recency bonus needs a date that is recent whichever day it means. Raises ValueError for a tier outside 1–5.
    """
    if not 1 <= tier <= 5:
        raise ValueError(f"no such tier: {tier}")
    return Authority(
        tier=round(0.1 * (5 - tier), 4),
        source_type=_TYPE_BONUS.get(source_type, 0.0),
        author=0.05 * has_author,
        recency=_recency_bonus(published, today),
    )


def source_authority(
    tier: int,
    source_type: SourceType,
    *,
    has_author: bool = False,
    published: Period | None = None,
    today: date,
) -> float:
    """Return only the sum, 0–1. Raises ValueError for a tier outside 1–5."""
    return authority_of(tier, source_type, has_author=has_author, published=published, today=today).score


def _recency_bonus(published: Period | None, today: date) -> float:
    if published is None:
        return 0.0
    age = published.months_before(today)
    if age < 6:
        return 0.10
    return 0.05 if age < 12 else 0.0
