"""Terms by which the extractive engine compares words: stems, identifiers, versions, numbers.

A text yields more terms than it has words: a compound ("SP 800-63B", "pbkdf2_sha256", "ScryptPasswordHasher") yields
itself and its parts, a version its prefixes ("5.0.0" is also a "5.0"), so that a question may name a thing loosely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock

import snowballstemmer

_WORD = re.compile(r"[^\W_]+(?:[.\-_/,’'+][^\W_]+)*|%|[$€£]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SHORT_YEAR = re.compile(r"(?<=[^\W\d_])['’](\d\d)\b")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[a-z]+\d*)?$", re.IGNORECASE)
_REVISION = re.compile(r"([\w-]*\d)r(\d+)$")  # "800-171r1" is 800-171 Rev. 1
_NUMBER = re.compile(r"\d+$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")

_STEMMER = snowballstemmer.stemmer("english")
_STEMMING = Lock()  # the stemmer has internal state

# Past forms that stemming does not reduce to their verb.
IRREGULAR = dict(
    pair.split(":")
    for pair in """
    ran:run won:win wrote:write written:write took:take taken:take became:become held:hold kept:keep
    sent:send built:build found:find chose:choose chosen:choose broke:break broken:break grew:grow
    grown:grow fell:fall fallen:fall rose:rise risen:rise led:lead lost:lose paid:pay sold:sell
    spent:spend bought:buy began:begin begun:begin drew:draw drawn:draw drove:drive driven:drive
    met:meet stood:stand taught:teach brought:bring came:come went:go gone:go gave:give given:give knew:know
    known:know saw:see seen:see told:tell thought:think meant:mean made:make flew:fly flown:fly spoke:speak
    spoken:speak stole:steal stolen:steal wore:wear worn:wear threw:throw thrown:throw ate:eat eaten:eat
    drank:drink slept:sleep heard:hear hid:hide hidden:hide caught:catch fought:fight forgot:forget
    forgotten:forget froze:freeze frozen:freeze shaken:shake shrank:shrink shrunk:shrink sought:seek spun:spin
    struck:strike swept:sweep torn:tear fed:feed dealt:deal dug:dig hung:hang lent:lend
    """.split()
)

# Two spellings of one thing, both of which occur in documentation.
_SPELLINGS = dict(
    pair.split(":")
    for pair in """
    postgresql:postgres js:javascript db:database dbs:databases docs:documentation config:configuration
    repo:repository params:parameters
    """.split()
)
_SAME = {**IRREGULAR, **_SPELLINGS}

STOP_WORDS = frozenset(
    """a about above after again against all also am among an and any are as at be because been before being between
    both but by can could did do does doing done down during each either else ever few for from further get
    gets give gives given had has have having he her here hers him his how however i if in into is it
    its itself just let like made make makes many may me might more most much must my no nor not now of
    off on once one only onto or other our ours out over own per s same shall she should since so some
    such t than that the their theirs them then there these they this those through to too under until
    up upon us use used uses using very via was we were what when where whether which while who whom
    whose why will with within without would yes yet you your yours""".split()
)

# Words that ask for a judgement, which answers need not contain.
EVALUATIVE = frozenset(
    """best better good bad worse worst right wrong ideal optimal suitable appropriate sensible advisable
    recommended okay ok fine worth worthwhile safe safer safest true false correct myth really actually
    truly reliable reliably possible impossible necessary needed pros cons pro con advantages advantage
    disadvantages disadvantage benefits drawbacks opinion idea enough common commonly popular main major
    important difference differences different differ compare compared comparison versus vs instead list all
    every examples example kinds kind types type sorts ways everybody everyone anybody anyone ones people
    somebody someone exactly please offer avoid choose pick prefer people today advice guidance
    recommendation recommendations guidelines""".split()
)

# Words of the question itself, not of its subject.
QUESTION_WORDS = frozenset(
    """according afterwards answer ask asked believe call called claim claims concern consider describe described
    describes explain find happen happened happens know mean means meant mention mentioned name quote quoted
    report reported reports say says said see set show shown shows speak state stated states suggest
    tell tells think thing things value values way ways""".split()
)

# Words that tell what form of answer is asked for: a slip in one of them changes more than one in another word.
FORM_WORDS = frozenset(
    """advantage advantages benefit benefits best better change changed changes compare compared comparison configure
    default definition difference differences different disadvantage disadvantages drawback drawbacks example examples
    faster history install latest limit limits list maximum meaning minimum newest purpose recommend recommendation
    recommended recommends release replace require required requirement requirements safe safer secure slower steps
    support supported supports tutorial type types update updated upgrade version versions worse""".split()
)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word; identifiers and short words are unchanged."""
    if not word.isalpha() or (len(word) < 4 and word not in _SAME):
        return word
    with _STEMMING:
        return str(_STEMMER.stemWord(_SAME.get(word, word)))


def with_full_years(text: str) -> str:
    """Replace shortened years by full ones.

    >>> with_full_years("the Conf'21 paper")
    'the Conf 2021 paper'
    """
    return _SHORT_YEAR.sub(r" 20\1", text)


def words(text: str) -> list[str]:
    """Return the words of a text as written, with thousands separators removed and '21 replaced by 2021."""
    plain = _THOUSANDS.sub("", text) if "," in text else text
    if "'" not in plain and "’" not in plain:
        return _WORD.findall(plain)
    return [_POSSESSIVE.sub("", word) for word in _WORD.findall(with_full_years(plain))]


_NUMBERED_NAME = re.compile(r"([^\W\d_]{2,})-(\d{1,4})")
_CAMEL_PLURAL = re.compile(r"[A-Z][a-z]+[b-hj-rt-z]s$")  # “WebSockets”, but not “macOS” or “TypeScriptBasis”


@lru_cache(maxsize=200_000)
def forms(word: str) -> tuple[str, ...]:
    """Return every term of one written word, most specific first."""
    lowered = word.lower()
    if lowered in _SPELLINGS:
        return (stem(lowered),)
    if _VERSION.match(word):
        return _version_forms(lowered.removeprefix("v"))
    if lowered.startswith("v") and _NUMBER.match(lowered[1:]):
        return (lowered[1:], lowered)
    if numbered := _NUMBERED_NAME.fullmatch(lowered):  # "SHA-256" and "SHA256" are one name
        return (numbered[1] + numbered[2], lowered, stem(numbered[1]), numbered[2])
    pieces = [piece for piece in re.split(r"[.\-_/,’'+]", word) if piece]
    revised = _REVISION.match(lowered)
    if revised:
        return tuple(dict.fromkeys([lowered, *forms(revised[1]), "rev", revised[2]]))
    parts = [part for piece in pieces for part in _camel_parts(piece)]
    if len(parts) == 1:
        return (stem(lowered),)
    whole = re.sub(r"[_/]", "-", lowered)
    if len(pieces) == 1 and _CAMEL_PLURAL.search(word):
        whole = whole.removesuffix("s")
    found = [
        whole,
        *_split_dotted_name(whole),
        *(stem(piece.lower()) for piece in pieces),
        *(stem(part) for part in parts),
    ]
    return tuple(dict.fromkeys([*found, *_pair_numbered_pieces(pieces)]))


def _split_dotted_name(whole: str) -> list[str]:
    """Return the hyphenated parts of a dotted name: "hnsw.ef-search" is also called "ef_search"."""
    return [part for part in whole.split(".") if "-" in part] if "." in whole else []


def terms(text: str) -> list[str]:
    """Return all terms of a text in reading order, with repetitions."""
    return [form for word in words(text) for form in forms(word)]


def term_set(texts: Iterable[str]) -> frozenset[str]:
    """Return the terms of several texts together."""
    return frozenset[str]().union(*map(_terms_of, texts))


# Each sentence is read three times: alone, and as the neighbour of two others.
@lru_cache(maxsize=4_096)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(text))


_COMPOUND = re.compile(r"\b[^\W_]\w*(?:-\w+)+")
_OF_A_KIND = re.compile(
    r"(?:based|like|style|only|specific|free|side|aware|wide|level|type|grade|related|driven|ready|first|\w+ed|\w+ing"
    r"|\w+[ai]ble|\d\w*)$",
    re.IGNORECASE,
)


def leave_out_compound_names(text: str) -> str:
    """Return the text without hyphenated names, which denote other things than their parts; kinds of a thing are kept.

    >>> leave_out_compound_names("Requests-Toolbelt suits requests-based clients")
    ' suits requests-based clients'
    """
    return _COMPOUND.sub(lambda found: found.group() if _OF_A_KIND.search(found.group()) else "", text)


def is_stop_word(word: str) -> bool:
    return word.lower() in STOP_WORDS


def _version_forms(version: str) -> tuple[str, ...]:
    parts = version.split(".")
    return tuple(".".join(parts[:length]) for length in range(len(parts), 0, -1))


def _camel_parts(piece: str) -> list[str]:
    parts = [part.lower() for part in _CAMEL.split(piece) if part]
    return parts if len(parts) > 1 and max(map(len, parts)) > 2 else [piece.lower()]


def _pair_numbered_pieces(pieces: list[str]) -> list[str]:
    """Join neighbouring pieces with digits: "sp-800-63b" also names "800-63b"."""
    lowered = [piece.lower() for piece in pieces]
    pairs = zip(lowered, lowered[1:], strict=False)
    return [f"{a}-{b}" for a, b in pairs if a[0].isdigit() and b[0].isdigit()]
