"""Strength of a claim: the number of independent sources that support it.

Two sources are one origin if they share the text (syndication, copies), the domain or publisher, an author, or are
revisions of one document. The relation is transitive: if A copies B and B shares its publisher with C, all three are
one origin. That may count too few.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from citations.text.quote_normalizing import normalize


class Strength(StrEnum):
    STRONG = "strong"
    MODERATE = "moderate"
    LIMITED = "limited"


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a source. An empty field is unknown and matches nothing.

    `text_group` names a group of near-duplicate texts, `domain` is the registrable domain (for hosted pages: the owner,
    see authority.origin_domain), `work` the document without its revision (see `work_key`), `repeats` the publisher or
    domain whose text this is: a news agency's story counts once on however many sites.
    """

    source: str
    text_group: str = ""
    domain: str = ""
    publisher: str = ""
    authors: tuple[str, ...] = ()
    work: str = ""
    repeats: str = ""

    def marks(self) -> frozenset[tuple[str, str]]:
        """Return the marks of this origin; origins that share any mark are the same."""
        named = (
            ("source", self.source),
            ("text", self.text_group),
            ("domain", self.domain.casefold()),
            ("publisher", normalize(self.publisher)),
            ("work", self.work),
            _build_repeated_mark(self.repeats),
            *(("author", author_key(name)) for name in self.authors),
        )
        return frozenset((kind, value) for kind, value in named if value)


def _build_repeated_mark(name: str) -> tuple[str, str]:
    """Return the mark of a domain, which has a full stop and no blank, or else of a publisher's name."""
    is_domain = "." in name.strip(".") and " " not in name
    return ("domain", name.casefold()) if is_domain else ("publisher", normalize(name))


def origins(sources: Iterable[Origin]) -> tuple[frozenset[str], ...]:
    """Return the ids of the sources, grouped by origin, in order of first appearance."""
    groups: list[dict[str, int]] = []  # source id → its position in the input
    marks: list[frozenset[tuple[str, str]]] = []
    for place, source in enumerate(sources):
        group, shared = {source.source: place}, source.marks()
        touched = [index for index, each in enumerate(marks) if each & shared]
        for index in reversed(touched):
            group = groups.pop(index) | group
            shared |= marks.pop(index)
        groups.append(group)
        marks.append(shared)
    return tuple(frozenset(group) for group in sorted(groups, key=lambda group: min(group.values())))


def independent(sources: Iterable[Origin]) -> int:
    """Return the number of independent origins among the sources."""
    return len(origins(sources))


def strength(independent_sources: int) -> Strength:
    """Return strong for 3 or more, moderate for 2, limited for 1. Raises ValueError for none."""
    if independent_sources < 1:
        raise ValueError("a claim without a source has no strength")
    if independent_sources >= 3:
        return Strength.STRONG
    return Strength.MODERATE if independent_sources == 2 else Strength.LIMITED


def author_key(name: str) -> str:
    """Return family name and first initial: "Paul A. Grassi" and "Grassi, P." are one person; "" for no name."""
    if "," in name:
        family, _, given = name.partition(",")
    else:
        given, _, family = name.strip().rpartition(" ")
    letters = re.sub(r"[^\w]", "", normalize(given))
    return f"{normalize(family)} {letters[:1]}".strip()


_REVISION = re.compile(
    r"""\([^)]*\b(?:as\ of|version|draft|edition|errata|rev)[^)]*\)
      | \b(?:version|revision|rev\.?|edition|release|v\.?)\s*\d[\w.]*
      | \b\d+(?:\.\d+)+\b | \bv\d+\b | \b(?:1[89]|20)\d\d(?:-\d\d){0,2}\b
      | \b(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th))\s+edition\b
      | \b(?:initial\ public|public|final|working)?\s*draft\b""",
    re.VERBOSE | re.IGNORECASE,
)


def work_key(title: str) -> str:
    """Return a title without version, year and revision, so that revisions of one document have one key.

    "" if nothing is left that could name a document.
    """
    words = re.findall(r"\w+", normalize(_REVISION.sub(" ", title)))
    return " ".join(words) if any(word.isalpha() for word in words) else ""
