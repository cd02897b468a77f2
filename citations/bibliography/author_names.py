"""Parses the line that names a source's authors. Pure.

Databases ("Smith J, Doe A"), catalogues ("Lind, Anna; Lee, Bo"), BibTeX ("{World Bank} and Lee, Bo") and pages ("Dr.
Anna Berg, PhD") write it in different ways.
"""

import re
from collections.abc import Iterator

from citations.bibliography.csl_references import Name

_ASIDE = re.compile(
    r"\([^)]*\)|\bet al\.?|\b(?:and )?(?:contributors|others|developers|team)\b", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s*;\s*|\s*&\s*|\s+and\s+")


def author_names(text: str) -> tuple[str, ...]:
    """Return the persons in an author line such as "P. Grassi; J. Fenton (NIST)" or "Smith, Anna and Lee, Bo"."""
    plain = _ASIDE.sub(" ", text)
    parts = _BETWEEN.split(plain)
    if len(parts) == 1 and plain.count(",") > 1:
        parts = plain.split(",")
    return tuple(part.strip(" ,.") for part in parts if part.strip(" ,."))


# Words that identify organizations, whole or (with eight letters and more) at the end of a compound.
_ORGANIZATIONS = frozenset(
    """academy administration agency alliance archives association authority bank board branch bureau center centre
    clinic co coalition college commission committee company consortium corp corporation council department division
    editors federation forum foundation fund government group hospital inc initiative inspectorate institute
    institution laboratory laboratories limited llc llp ltd magazine ministry museum nations network news observatory
    office organisation organization panel parliament plc press programme project research school secretariat service
    services society sons staff statistics team times trust union university works
    ag akademie agentur amt anstalt behörde bund bundesamt ev gesellschaft gmbh hochschule institut kammer kg kommission
    landesamt ministerium rat stiftung universität verband verein zentrum
    agence association banque conseil direction école fédération fondation laboratoire ministère observatoire société
    université ville
    agencia agenzia agência asociación associação associazione ayuntamiento banca banco centro comisión comissão
    commissione comune consejo conselho consiglio dirección escuela federación fondazione fundación fundação gobierno
    governo instituto istituto ministerio ministero ministério oficina secretaría sociedad sociedade società universidad
    universidade università
    gemeinschaft regierung verwaltung
    badan direktorat kementerian lembaga universitas
    gemeente instituut kommune ministerie myndighet raad stichting styrelsen universiteit universitet verket vereniging
    bakanlığı egyetem hivatal instytut kurumu laitos minisztérium ministerstvo ministerstwo univerzita uniwersytet urząd
    virasto yliopisto ústav úřad üniversitesi
    агентство академия департамент институт комитет министерство служба университет управление центр"""
    .split()
)  # fmt: skip
_ENDINGS = tuple(word for word in _ORGANIZATIONS if len(word) > 7)
_PARTICLES = frozenset("af al da de del della den der di dos du el la le ten ter van von zu zum".split())
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)+")
_BARE_INITIALS = re.compile(r"[A-ZÀ-ÖØ-ÞА-ЯЁ](?:-?[A-ZÀ-ÖØ-ÞА-ЯЁ]){0,2}")  # as in "Smith JA"
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # kana, ideographs, Hangul
_TITLE = re.compile(
    r"(?:(?:(?:d?dr|prof|mag|dott|lic|mr|mrs|ms|mx|rev|hon|dipl|ing|med|vet|dent|phil|rer|nat|jur|habil|h\.\s?c|univ)\.[\s-]*"
    r"|(?:dr|prof|professor|mr|mrs|ms|sir|dame)\s+))+(?=[^\W\d_])",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"([^\W\d_]{5})\.$")  # "Group." ends a line, "Ltd." is short for a word
_SUFFIX = re.compile(r"(?:jr|sr)\.?|I{2,3}|IV|2nd|3rd|[45]th", re.IGNORECASE)
_DEGREE = re.compile(
    r"(?:ph|m|b|d|ed|sc|dr|ll|pharm|psy)\.?\s?(?:d|sc|phil|a|s|eng|res|ed|b|m|ph|h|p\.?h)\.?|mba|mph|msw|rn|fr[cs]s?|[a-z]*(?:rcp|rcs|acp|acs)|[omck]be|dvm|dds|jd|esq\.?|cpa|cfa"
    r"|dipl\.?-?\w*|d\.?\s?phil\.?",
    re.IGNORECASE,
)


def names(authors: str, publisher: str = "") -> tuple[Name, ...]:
    """Return the authors of a line such as "P. Grassi; J. Fenton" or "Ministry of Building"; doubtful ones unparsed."""
    line = authors.strip()
    if not line:
        return ()
    if line == publisher.strip():
        return (Name(literal=line),)
    return tuple(name for piece in _pieces(line) for name in _read_piece(piece))


def _pieces(line: str) -> list[str]:
    """Split the line at semicolons or, without any, at "and" outside of braces."""
    pieces = [piece for piece in re.split(r"\s*[;；、]\s*", line) if piece]
    if "{" not in line:
        return pieces
    return [part for piece in pieces for part in re.split(r"\s+and\s+(?![^{}]*\})", piece) if part]


def _read_piece(piece: str) -> Iterator[Name]:
    if re.fullmatch(r"\{.+\}", piece) and not re.search(r"\}.*\{", piece):
        yield Name(literal=piece.strip("{} "))
        return
    piece = re.sub(r"[{}]", "", piece)
    if not _ASIDE.sub(" ", piece).strip(" ,."):
        return
    if _is_organization(piece):
        yield Name(literal=_ABBREVIATED.sub(r"\g<1>", piece))
        return
    for part in _BETWEEN.split(_ASIDE.sub(" ", piece)):
        if part := part.strip(" ,").removesuffix(
            "." if not re.search(r"\b(?:[^\W\d_]|[JS]r)\.$", part) else "\0"
        ):
            yield from _read_persons([token for each in part.split(",") if (token := each.strip())])


def _read_persons(tokens: list[str]) -> Iterator[Name]:
    """Yield the persons of a line in which commas separate persons, or a family name from the given one."""
    suffix = next((token for token in tokens[1:] if _SUFFIX.fullmatch(token)), "")
    kept = tokens[:1] + [
        token for token in tokens[1:] if not (_SUFFIX.fullmatch(token) or _DEGREE.fullmatch(token))
    ]
    kept = [_TITLE.sub("", token, count=1) if _TITLE.match(token) else token for token in kept]
    if (
        len(kept) > 1
        and all(map(_is_of_database, kept[:-1]))
        and not any(each.endswith(".") for each in kept[:-1])
    ):
        kept[-1] = kept[-1].rstrip(".")
    if all(map(_is_of_database, kept)) or all(map(_CJK.search, kept)):
        yield from map(_name, kept)
    elif len(kept) == 2 and _is_family_first(*kept):
        yield Name(kept[0], kept[1], suffix=suffix)
    elif len(kept) > 2 and not len(kept) % 2 and all(map(_are_initials, kept[1::2])):
        yield from (Name(*pair) for pair in zip(kept[::2], kept[1::2], strict=True))
    elif len(kept) == 1:
        yield _name(kept[0], suffix)
    else:
        yield from map(_name, kept)


def _is_family_first(first: str, second: str) -> bool:
    """Return False for "Anna Lind, Bo Lee", who are two people, and True for "Lind, Anna", who is one."""
    is_of_words = len(first.split()) > 1 and len(second.split()) > 1
    return not is_of_words or _are_initials(second) or first.split()[0] in _PARTICLES


def _are_initials(text: str) -> bool:
    return all(_INITIALS.fullmatch(word) or _BARE_INITIALS.fullmatch(word) for word in text.split())


def _is_of_database(text: str) -> bool:
    """True for a family name with initials behind it: "Smith J", "Smith J. A.", "van der Berg KL", "Doe A 2nd"."""
    words = text.split()
    while len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        words.pop()
    if len(words) > 2 and _DEGREE.fullmatch(words[-1]) and words[0] not in _PARTICLES:
        return False
    family = words[: _initials_start(words)]
    return 0 < len(family) < len(words) and all(
        re.search(r"[^\W\d_]{2}", word) and not word.isupper() for word in family
    )


def _initials_start(words: list[str]) -> int:
    """Return the place of the first of the initials that a name ends with: bare in one word, or each with a point."""
    if words and _BARE_INITIALS.fullmatch(words[-1]):
        return len(words) - 1
    start = len(words)
    while start > 0 and _INITIALS.fullmatch(words[start - 1]):
        start -= 1
    return start


def _name(text: str, suffix: str = "") -> Name:
    words = text.split()
    while len(words) > 2 and (
        _SUFFIX.fullmatch(words[-1]) or _DEGREE.fullmatch(words[-1]) and not _is_of_database(text)
    ):
        suffix = words[-1] if _SUFFIX.fullmatch(words[-1]) else suffix
        words.pop()
    if _is_of_database(" ".join(words)):
        start = _initials_start(words)
        return Name(" ".join(words[:start]), " ".join(words[start:]), suffix=suffix)
    if len(words) == 2 and _CJK.search(text):
        return Name(words[0], words[1])
    if not 2 <= len(words) <= 5 or _is_organization(" ".join(words)):
        return Name(literal=text)
    start = next((place for place, word in enumerate(words) if word in _PARTICLES and place), len(words) - 1)
    return Name(" ".join(words[start:]), " ".join(words[:start]), suffix=suffix)


def _is_organization(text: str) -> bool:
    words = re.findall(r"[^\s,;()]+", text)
    if any(_is_of_organization(word.casefold()) for word in words):
        return True
    if any(map(_is_of_database, text.split(","))) or any(_INITIALS.fullmatch(word) for word in words):
        return False
    names_only = [word for word in words if not _SUFFIX.fullmatch(word) and not _DEGREE.fullmatch(word)]
    plain = any(word.islower() and word not in (*_PARTICLES, "and", "et", "al.") for word in names_only)
    acronym = any(len(word) > 1 and word.isupper() and word.isalpha() for word in names_only)
    return plain and not _TITLE.match(text) or acronym


def _is_of_organization(word: str) -> bool:
    plain = word.replace(".", "")
    parts = (plain, *plain.split("-"))
    return any(part in _ORGANIZATIONS for part in parts) or plain.endswith(_ENDINGS)
