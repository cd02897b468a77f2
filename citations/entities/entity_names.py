"""Normalizes names, and decides if two names mean the same: titles, initials, acronyms, legal forms."""

import re
from functools import lru_cache

from citations.entities.find_place_entities import place_key
from citations.text.quote_normalizing import normalize, without_accents

_ARTICLE = re.compile(
    r"^(?:the|an?|in|on|at|by|for|this|these|its|his|her|their|if|when|while|as|der|die|das|le|la|les)\s+",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")
_TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir dame lord lady president senator sen rep congressman congresswoman judge "
    "justice captain capt general gen colonel col sergeant sgt rev reverend hon ceo herr frau monsieur madame".split()
)
_LEGAL_FORMS = frozenset(
    "inc ltd llc llp plc corp corporation co company gmbh ag kg se sa nv bv oy ab as spa srl pty limited incorporated "
    "holdings group jr sr".split()
)


@lru_cache(maxsize=16_384)
def entity_key(name: str) -> str:
    """Return the key of a name: "the W3C's" and "W3C", "Dr. Müller" and "Muller", "Acme Inc." and "Acme" share it."""
    plain = _POSSESSIVE.sub("", _ARTICLE.sub("", name.strip()))
    place = place_key(plain)
    return _join_words(_bare(_words(plain))) if place is None else place


@lru_cache(maxsize=16_384)
def name_key(name: str) -> str:
    """Return the key of a name by its own words: "Acme Inc." and "Acme" share it, "Congo" and "DR Congo" do not."""
    words = _words(_POSSESSIVE.sub("", _ARTICLE.sub("", name.strip())))
    return _join_words(_strip_legal_forms(words, 0))


def _words(plain: str) -> list[str]:
    key = re.sub(r"[^\w.]+", " ", without_accents(normalize(plain))).strip()
    key = re.sub(r"(?<![\w.])((?:\w\.){2,})(?!\w)", lambda match: match[1].replace(".", ""), key)  # "u.n."
    return [word.rstrip(".") if not word[0].isdecimal() else word for word in key.split()]


def _join_words(words: list[str]) -> str:
    return re.sub(r"^nist sp\b", "sp", " ".join(words))


def _bare(words: list[str]) -> list[str]:
    """Strip titles before and legal forms behind, as long as a name is left."""
    start = 0
    while len(words) - start > 1 and words[start] in _TITLES:
        start += 1
    return _strip_legal_forms(words, start)


def _strip_legal_forms(words: list[str], start: int) -> list[str]:
    end = len(words)
    while end - start > 1 and words[end - 1] in _LEGAL_FORMS:
        end -= 1
    return words[start:end]


def same_name(a: str, b: str) -> bool:
    """True if two keys may name one thing: equal, initials, a surname alone, or an acronym; symmetric.

    Places are the same only with the same key.
    """
    if a == b:
        return True
    if place_key(a) is not None or place_key(b) is not None:
        return False
    return _is_short_for(a, b) or _is_short_for(b, a)


def _is_short_for(short: str, long: str) -> bool:
    mine, theirs = short.split(), long.split()
    if not mine or len(mine) > len(theirs):
        return False
    return _is_acronym(mine, theirs) or _is_surname(mine, theirs) or _has_initials(mine, theirs)


_LINKS = frozenset("of the and for on in de des du la der die und von".split())


def _is_acronym(short: list[str], long: list[str]) -> bool:
    """Return True for "who" and "world health organization", with or without its small words."""
    letters = short[0].replace(".", "")
    if len(short) != 1 or not 2 <= len(letters) <= 8 or len(long) < 2:
        return False
    initials = "".join(word[0] for word in long), "".join(word[0] for word in long if word not in _LINKS)
    return letters in initials


def _is_surname(short: list[str], long: list[str]) -> bool:
    return len(short) == 1 and len(short[0]) > 3 and len(long) in (2, 3) and short[0] == long[-1]


def _has_initials(short: list[str], long: list[str]) -> bool:
    """Return True for "j smith" or "john smith" and "john adam smith": one last name, and compatible first names."""
    if len(short) < 2 or short[-1] != long[-1] or any(map(str.isdecimal, (*short, *long))):
        return False
    first, other = short[:-1], long[:-1]
    return all(_may_be(a, b) for a, b in zip(first, other, strict=False))


def _may_be(a: str, b: str) -> bool:
    return a == b or len(a) == 1 and b.startswith(a) or len(b) == 1 and a.startswith(b)
