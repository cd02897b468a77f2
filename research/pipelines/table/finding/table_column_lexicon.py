"""Words of tables: what names the same column, and what names none by itself."""

import re
from functools import lru_cache

from citations.text.claim_words_and_stems import stem

# Words by which pages say what columns ask for; each line is one column of the many that tables have. They are
# those of company registers, encyclopedias, catalogues and package indexes, not of one set of pages.
_GROUPS = """
neighbour neighbor border
headquarters hq headquartered seat based
found founded founding foundation established establishment inception incorporated formed
founder cofounder
ceo chief-executive
employee staff workforce headcount employ personnel mitarbeiter beschäftigte
population inhabitant populace resident einwohner bevölkerung habitants
licence license licensed
website homepage site web url
author writer
first initial
developer developed maintainer maintained creator created
price cost costs priced fee charge preis kosten prix
revenue turnover sales umsatz
language languages tongue
currency money
kind type category genre
release released published publication
version
country nation state
area surface acreage fläche superficie
height tall elevation altitude höhe
weight mass
depth deep
width wide breadth breite
length long länge
speed velocity
owner owned parent
product manufacture manufactures
industry sector
phone telephone tel
mail email e-mail
capacity seats
member membership
share proportion percentage anteil
visitor guest
manufacturer maker producer hersteller
salary wage pay
profit earnings gewinn
opened opening inaugurated inauguration
student pupil enrolment enrollment
purchase purchased bought buy acquired acquisition
""".strip()

# They say what form an answer has, not what it is about: "year of foundation", "name of the CEO".
_WEAK = "year date day name number list value amount total count text current main url link info information".split()
# They add nothing to a label: "total area", "international calling code", "languages spoken", "currency in use".
_FREE = (
    "total current currently main international overall approximate approximately official exact latest full known "
    "today present use used spoken estimated given primary principal registered recorded standard entire own new "
    "country company nation firm organisation organization project package product city item page"
).split()
# They make something else of what they follow: a population's density, an area's code.
_GENERIC_HEADS = "code name number value".split()


_COUNT = re.compile(r"(?:an)?zahl$", re.IGNORECASE)


@lru_cache(maxsize=1)
def _groups() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _GROUPS.splitlines():
        stems = [stem(word) for word in line.split()]
        for each in stems:
            found.setdefault(each, stems[0])
    return found


def synonyms(word: str) -> tuple[str, ...]:
    """Return the other words that name the same column, as they are written in `_GROUPS`."""
    plain = stem(word)
    for line in _GROUPS.splitlines():
        words = line.split()
        if plain in map(stem, words):
            return tuple(other for other in words if stem(other) != plain)
    return ()


@lru_cache(maxsize=16_384)
def concept(word: str) -> str:
    """The stem of a word, or of the word that names the same column, as "Einwohner" and "Einwohnerzahl" do."""
    plain = stem(word)
    counted = stem(_COUNT.sub("", word)) if _COUNT.search(word) else ""
    return _groups().get(plain) or _groups().get(counted) or plain


@lru_cache(maxsize=1)
def weak() -> frozenset[str]:
    return frozenset(map(concept, _WEAK))


@lru_cache(maxsize=1)
def free() -> frozenset[str]:
    return frozenset(map(concept, _FREE))


@lru_cache(maxsize=1)
def generic_heads() -> frozenset[str]:
    return frozenset(map(concept, _GENERIC_HEADS))
