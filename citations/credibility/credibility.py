"""Credibility of a source on a scale of 1 to 10: five parts, from stored facts only.

The publisher weighs most. The four other parts have a point each, or half a point if unknown: a local file without a
date, an author or a bibliography is not less credible for it.
"""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

from citations.credibility.source_authority_rules import SourceType
from citations.dates.find_dates import Period

DOMAIN_POINTS = {1: 6.0, 2: 4.5, 3: 3.25, 4: 2.0, 5: 1.0}  # by tier
UNKNOWN = 0.5  # points for an unknown part
_LINE = 300  # characters of an author line that are examined
STANDS_ALONE = 6  # a source below this supports a claim only together with another


@dataclass(frozen=True, slots=True)
class Credibility:
    """Up to six points for the publisher, up to one for each other part; their sum as 1 to 10."""

    domain: float
    recency: float
    author: float
    citation_density: float
    corroboration: float

    @property
    def score(self) -> int:
        total = self.domain + self.recency + self.author + self.citation_density + self.corroboration
        return max(1, min(10, int(total + 0.5)))

    @property
    def may_stand_alone(self) -> bool:
        """False for a source below 6, which supports a claim only together with another."""
        return self.score >= STANDS_ALONE


class AuthorKind(StrEnum):
    """The level of knowledge about the author of a source."""

    UNKNOWN = "unknown"
    ORGANIZATION = "organization"
    NAMED = "named"
    QUALIFIED = "qualified"  # named, with an affiliation or a degree


_AUTHOR_POINTS = {
    AuthorKind.UNKNOWN: UNKNOWN,
    AuthorKind.ORGANIZATION: 0.75,
    AuthorKind.NAMED: 0.75,
    AuthorKind.QUALIFIED: 1.0,
}


_DEGREE = re.compile(
    r"\b(?:ph\.?\s?d|dr|prof(?:essor)?|m\.?d|m\.?sc|d\.?phil|habil|dipl)\b\.?(?!\w)", re.IGNORECASE
)
_BODY = re.compile(
    r"\b(?:institut\w*|agency|office|ministry|department|bureau|universit\w*|foundation|association|committee|"
    r"council|commission|group|team|project|contributors|authors|staff|editors?|community|consortium|society|"
    r"board|company|inc|ltd|gmbh|ag|llc|corp|centre|center|organi[sz]ation|news|service|press|alliance)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][^\W\d_.'’-]*\.?(?:[ -][^\W\d_][\w.'’-]*){1,4}")


def author_kind(author: str, publisher: str = "") -> AuthorKind:
    """Classify an author line: nobody, an organization, persons, or persons with a degree or an affiliation.

    A source that names only a publisher is that of an organization.
    """
    line = " ".join(author.split())[:_LINE]
    if not line:
        return AuthorKind.ORGANIZATION if publisher.strip() else AuthorKind.UNKNOWN
    outside = re.sub(r"\([^()]*\)", " ", line)
    if _BODY.search(outside) or not _NAME.search(" ".join(outside.replace(",", " ").split())):
        return AuthorKind.ORGANIZATION
    is_qualified = bool(_DEGREE.search(line)) or bool(re.search(r"\([^()]*\w[^()]*\)", line))
    return AuthorKind.QUALIFIED if is_qualified else AuthorKind.NAMED


_REFERENCE = re.compile(
    r"https?://[^\s)>\]]{4,200}"  # a URL
    r"|\b10\.\d{4,9}/[^\s)>\]]{1,80}"  # a DOI
    r"|\[\d{1,3}(?:[,–-] ?\d{1,3}){0,5}\]"  # [3], [3, 4]
    r"|\([A-Z][^\W\d_]{1,30}(?: et al\.| (?:and|&) [A-Z][^\W\d_]{1,30})?,? (?:1[89]|20)\d\d[a-z]?\)"  # (Smith, 2020)
)


@lru_cache(maxsize=16)  # few, since texts may be long: each claim of a source asks for the same one's
def count_references(text: str) -> int:
    """Count the references in a text: URLs, DOIs, bracketed numbers, author and year."""
    return sum(1 for _ in _REFERENCE.finditer(text))


def credibility(
    *,
    tier: int,
    source_type: SourceType = SourceType.OTHER,
    published: Period | None,
    today: date,
    author: AuthorKind,
    references: int,
    words: int,
    corroborating: int,
) -> Credibility:
    """Compute credibility; `references` are the source's own references and outgoing citations."""
    density = 1000 * references / words if words > 0 else 0.0
    return Credibility(
        domain=0.0 if source_type is SourceType.SOCIAL else DOMAIN_POINTS[tier],
        recency=_recency_points(published, today),
        author=_AUTHOR_POINTS[author],
        citation_density=1.0 if density >= 5 else 0.75 if density >= 1 else UNKNOWN,
        corroboration=UNKNOWN + 0.25 * min(2, max(0, corroborating)),
    )


def _recency_points(published: Period | None, today: date) -> float:
    if published is None:
        return UNKNOWN
    age = published.months_before(today)
    limits = ((12, 1.0), (36, 0.75), (60, 0.5), (120, 0.25))
    return next((points for months, points in limits if age < months), 0.0)
