"""Words for categories that exclude each other: a Canadian is not an American, and a film is not an album.

Used only if claim and source have their word in the same place of similar sentences: the lists alone refute nothing.
"""

import re
from functools import lru_cache

from citations.entities.find_place_entities import place_key
from citations.text.claim_words_and_stems import are_salts, may_be_salt, stem

_LINES = """
film series album song novel play opera magazine newspaper musical
brother sister son daughter mother father husband wife uncle aunt
man woman boy girl
male female
king queen prince princess
monday tuesday wednesday thursday friday saturday sunday
north south east west
red orange yellow green blue purple black white brown
gold silver bronze
solid liquid gas
mammal bird fish reptile insect amphibian
christian muslim jewish hindu buddhist
republican democrat
guitarist drummer bassist pianist violinist
hour day week month year decade century
hourly daily weekly monthly annual
spring summer autumn winter
morning afternoon evening night
left right
upper lower
front rear
inside outside
upstream downstream
clockwise counterclockwise anticlockwise
horizontal vertical
forward backward
ascending descending
long short
true false
even odd
single double triple
singular plural
uppercase lowercase
prefix suffix
numerator denominator
primary secondary tertiary
senior junior
domestic foreign
dominant recessive
benign malignant
acute chronic
systolic diastolic
bacterial viral fungal
convex concave
anode cathode
proton neutron electron
vein artery
predator prey
overvalued undervalued
synchronous asynchronous
static dynamic
input output
upload download
encrypt decrypt
sender recipient
client server
host guest
plaintiff defendant
landlord tenant
lender borrower
employer employee
buyer seller
teacher student
debit credit
asset liability
""".strip()

_IRREGULAR_DEMONYMS = {
    "american": "united states", "british": "united kingdom", "english": "england", "french": "france",
    "dutch": "netherlands", "greek": "greece", "swiss": "switzerland", "welsh": "wales", "scottish": "scotland",
    "spanish": "spain", "irish": "ireland", "danish": "denmark", "swedish": "sweden", "finnish": "finland",
    "polish": "poland", "turkish": "turkey", "norwegian": "norway", "portuguese": "portugal", "german": "germany",
    "belgian": "belgium", "czech": "czechia", "thai": "thailand", "chinese": "china", "filipino": "philippines",
    "peruvian": "peru", "ukrainian": "ukraine", "argentine": "argentina", "argentinian": "argentina",
    "canadian": "canada", "egyptian": "egypt", "hungarian": "hungary", "italian": "italy", "lebanese": "lebanon",
    "mexican": "mexico", "brazilian": "brazil", "israeli": "israel", "iraqi": "iraq", "pakistani": "pakistan",
}  # fmt: skip
_ENDINGS = re.compile(r"(?:ian|ean|an|ese|ish|i|n)$")


@lru_cache(maxsize=8_192)
def demonym_of(word: str) -> str | None:
    """Return the country of a capitalized demonym ("Canadian" → "canada"), else None."""
    lower = word.casefold()
    if not word[:1].isupper():
        return None
    if lower in _IRREGULAR_DEMONYMS:
        return _IRREGULAR_DEMONYMS[lower]
    root = _ENDINGS.sub("", lower)
    if root == lower or len(root) < 3:
        return None
    return next(
        (key for tail in ("", "a", "ia", "e", "y", "o") if (key := place_key((root + tail).title()))), None
    )


@lru_cache(maxsize=1)
def _classes() -> dict[str, frozenset[str]]:
    groups = [frozenset(stem(word) for word in line.split()) for line in _LINES.splitlines()]
    return {each: group - {each} for group in groups for each in group}


def are_exclusive(a: str, b: str) -> bool:
    """True if a thing cannot be both; symmetric. Words as written."""
    first, second = demonym_of(a), demonym_of(b)
    if first is not None and second is not None:
        return first != second
    return stem(b) in _classes().get(stem(a), ()) or are_salts(stem(a), stem(b))


def has_category(word: str) -> bool:
    """True for a word that excludes others at all."""
    return demonym_of(word) is not None or stem(word) in _classes() or may_be_salt(stem(word))
