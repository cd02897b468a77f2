"""The authors of a source, out of the line that names them. Pure."""

import re

from citations.bibliography.references import Name

_NOT_A_NAME = re.compile(
    r"\([^)]*\)|\bet al\.?|\b(?:and )?(?:contributors|others|developers|team)\b", re.IGNORECASE
)


def author_names(text: str) -> tuple[str, ...]:
    """The persons in an author line such as "P. Grassi; J. Fenton (NIST)" or "Smith, Anna and Lee, Bo"."""
    plain = _NOT_A_NAME.sub(" ", text)
    parts = re.split(r"\s*;\s*|\s*&\s*|\s+and\s+", plain)
    if len(parts) == 1 and plain.count(",") > 1:
        parts = plain.split(",")
    return tuple(part.strip(" ,.") for part in parts if part.strip(" ,."))


_ORGANIZATIONS = frozenset(
    """agency association authority bank board bureau center centre college commission committee company
    corporation council department editors foundation government group gmbh inc institute institution laboratory
    laboratories limited llc ltd magazine ministry network news office organisation organization press programme
    project research school secretariat service services society staff team times union university works"""
    .split()
)  # fmt: skip
_PARTICLES = frozenset("af al da de del della den der di dos du el la le ten ter van von zu zum".split())
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)+")


def names(authors: str, publisher: str = "") -> tuple[Name, ...]:
    """The authors of a line such as "P. Grassi; J. Fenton" or "Ministry of Building"; unsure ones as they stand."""
    if not authors.strip():
        return ()
    if authors.strip() == publisher.strip() or (";" not in authors and _is_organization(authors)):
        return (Name(literal=authors.strip()),)
    return tuple(_name(part) for each in author_names(authors) for part in _apart(each))


def _apart(names_text: str) -> list[str]:
    """ "Anna Lind, Bo Lee" are two people, "Lind, Anna" is one."""
    parts = [part.strip() for part in names_text.split(",")]
    return parts if len(parts) > 1 and all(len(part.split()) > 1 for part in parts) else [names_text]


def _name(text: str) -> Name:
    family, comma, given = (part.strip() for part in text.partition(","))
    if comma and family and given:
        return Name(family, given)
    words = text.split()
    if not 2 <= len(words) <= 5 or _is_organization(text):
        return Name(literal=text)
    start = next((place for place, word in enumerate(words) if word in _PARTICLES and place), len(words) - 1)
    return Name(" ".join(words[start:]), " ".join(words[:start]))


def _is_organization(text: str) -> bool:
    words = re.findall(r"[^\s,;]+", text)
    has_initials = any(_INITIALS.fullmatch(word) for word in words)
    known = any(word.casefold().strip(".") in _ORGANIZATIONS for word in words)
    plain = any(word.islower() and word not in _PARTICLES and word != "and" for word in words)
    acronym = any(len(word) > 1 and word.isupper() and word.isalpha() for word in words)
    return known or (not has_initials and (plain or acronym))
