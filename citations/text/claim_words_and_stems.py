"""Words, stems and sentences of English text for the rules of this package."""

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import simplemma
import snowballstemmer

from citations.text.quote_normalizing import measure_common_prefix, without_accents
from citations.text.quote_span import Span

_stemmer = snowballstemmer.stemmer("english")
_stemming = threading.Lock()  # the stemmer holds the current word as state
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?(?:[-‐‑.][^\W_]+)*")
_MARKS = "\u0300-\u036f"  # separate accents, which some files have: "e" and "´" for "é"
_MARK = re.compile(f"[{_MARKS}]")
_PIECE = rf"[^\W_](?:[^\W_]|[{_MARKS}])*"
_MARKED_WORD = re.compile(rf"{_PIECE}(?:['’]{_PIECE})?(?:[-‐‑.]{_PIECE})*")

_FUNCTION_WORDS = """
a about above after again all also although am an and any are as at be because been before being below between
both but by can could did do does doing down during each either even ever few for from further had has have
having he her here hers herself him himself his how however i if in indeed into is it its itself just like may
me might more most much must my myself neither nor not now of off on once one only onto or other our ours out
over own per quite rather s same shall she should since so some such t than that the their theirs them
themselves then there these they this those though through thus to too toward under until up upon us very was
we were what when where whereas whether which while who whom whose why will with within without would yet yes
you your yours via e.g i.e etc well including include includes included known called many several various
often usually typically generally
"""
STOPWORDS = frozenset(_FUNCTION_WORDS.split())

# Synonyms for the purposes of matching; each line maps onto its first word.
_SYNONYM_LINES = """
require need must mandate mandatory
large big huge
begin start commence
movie film picture
show series
birth born
usa u.s us america
singer vocalist
kid child
buy purchase acquire
help assist aid
use utilize usage
secret password passphrase
author writer
doctor physician
car automobile
company firm corporation
work job employment
illness disease sickness
town city
photo photograph
teach instruct
build construct
several multiple many
allow permit
quick fast rapid
sufficient enough
approximately about roughly
nearly almost
affect effect
demonstrate prove
annual yearly
lawyer attorney
famous renowned well-known
kill murder
finish complete
""".strip()


_DEGREES = re.compile(r"(?:er|est)$|^(?:more|most|less|least|better|best|worse|worst|further|farther)$")


def _dictionary_stem(word: str) -> str:
    """Return the stem of a word's dictionary form, so that irregular forms match ("wrote", "written").

    Comparatives and superlatives stay as they are: "largest" is not "large".
    """
    lower = without_accents(word.casefold().replace("’", "'").removesuffix("'s"))
    is_form = lower.isalpha() and not _DEGREES.search(lower)
    form = simplemma.lemmatize(lower, "en").casefold() if is_form else lower
    with _stemming:
        return str(_stemmer.stemWord(form))


def _synonyms() -> dict[str, str]:
    groups = (tuple(map(_dictionary_stem, line.split())) for line in _SYNONYM_LINES.splitlines())
    return {each: group[0] for group in groups for each in group}


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word as written; `stem` is the same for forms and near synonyms of one word."""

    text: str
    stem: str
    is_content: bool  # carries meaning of its own


@dataclass(frozen=True, slots=True)
class Word(Lexeme):
    """A word and its place in its text."""

    start: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.text))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of an English word's dictionary form, or that of its synonym."""
    plain = _dictionary_stem(word)
    return _canonical().get(plain, plain)


_PLURALS = frozenset(
    "people men women children teeth feet mice geese data media criteria species staff".split()
)


def is_plural(word: str) -> bool:
    """True for a plural by its letters: "users", "people"; not for "class", "virus" and "basis"."""
    plain = word.lower()
    return plain in _PLURALS or plain.endswith("s") and not plain.endswith(("ss", "us", "is", "'s", "’s"))


_NO_ADVERBS = frozenset(
    "ally anomaly apply assembly belly bully comply family fly imply italy jelly july monopoly multiply rally rely "
    "reply supply".split()
)


def is_adverb(word: str) -> bool:
    """True for an adverb by its letters: "quickly", but not "apply" and "family"."""
    plain = word.lower()
    return plain.endswith("ly") and plain not in _NO_ADVERBS


_SAME_IN_PAST = frozenset("beat hit cut set put won".split())


@lru_cache(maxsize=16_384)
def is_inflected(word: str) -> bool:
    """True for a lower-case word that is not in dictionary form: "bees", "sold"."""
    return bool(simplemma.lemmatize(word, "en").casefold() != word)


@lru_cache(maxsize=16_384)
def is_past(word: str) -> bool:
    """True for a verb in the past by its letters: "approved", "sold", "beaten". Nouns in "-ed" look the same."""
    if not (word.isalpha() and word.islower()) or word in _PLURALS or _DEGREES.search(word):
        return False
    if word in _SAME_IN_PAST or len(word) > 4 and word.endswith("ed"):
        return True
    form = simplemma.lemmatize(word, "en").casefold()
    return (
        form != word and form[:1] == word[:1] and form.isalpha() and not word.endswith(("s", "a", "i", "ing"))
    )


@lru_cache(maxsize=1)
def _canonical() -> dict[str, str]:
    return _synonyms()  # at first use: the dictionary behind it takes 0.3 s to load


_SALTS = frozenset({"at", "it", "id"})  # stems of -ate, -ite, -ide
_HAS_DIGIT = re.compile(r"\d")
SHARED_START = 4  # letters that forms of one word share at least ...
_SHARED_SHARE = 0.6  # ... and that make up most of the longer one
_ENDING = 2  # letters in which the shorter one's end may differ


def are_salts(a: str, b: str) -> bool:
    """True for stems of two compounds of one element: "nitrat" and "nitrit", "chlorat" and "chlorid"."""
    return a != b and a[:-2] == b[:-2] and may_be_salt(a) and may_be_salt(b)


def may_be_salt(stemmed: str) -> bool:
    return len(stemmed) > len("oxid") and stemmed[-2:] in _SALTS


@lru_cache(maxsize=65_536)
def are_kin(a: str, b: str) -> bool:
    """True for two stems of one family: "director" and "direct", "Korea" and "Korean". Symmetric.

    A word with a figure has no family: "Python3" is not "Python2", nor is "ES2019" "ES2015". Salts of one element are
    different: "nitrate" and "nitrite".
    """
    if _HAS_DIGIT.search(a) or _HAS_DIGIT.search(b):
        return a == b
    if are_salts(a, b):
        return False
    short, long = sorted((a, b), key=len)
    shared = measure_common_prefix(short, long)
    return shared >= max(SHARED_START, len(short) - _ENDING, _SHARED_SHARE * len(long))


_HYPHENS = str.maketrans("‐‑", "--")


@lru_cache(maxsize=65_536)
def _lexeme(written: str) -> Lexeme:
    written = written.translate(_HYPHENS)
    return Lexeme(written, stem(written), written.casefold() not in STOPWORDS)


def lexemes(text: str) -> Iterator[Lexeme]:
    """Yield the words of a text without their places, in a tenth of the time of `words`."""
    return map(_lexeme, _pattern(text).findall(text))


def _pattern(text: str) -> re.Pattern[str]:
    return _WORD if text.isascii() or _MARK.search(text) is None else _MARKED_WORD


@lru_cache(maxsize=8_192)
def words(text: str) -> tuple[Word, ...]:
    found = ((_lexeme(match.group()), match.start()) for match in _pattern(text).finditer(text))
    return tuple(Word(each.text, each.stem, each.is_content, start) for each, start in found)


def content_stems(text: str) -> frozenset[str]:
    """Return stems of the words that carry meaning, without function words and single letters."""
    return frozenset(word.stem for word in lexemes(text) if word.is_content and len(word.text) > 1)


_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|al|no|fig|sec|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|jr|approx|ca|u\.s)"
    r"|(?<!['’°])\b(?-i:[A-Z]|(?<!\d\s)[a-z]))\.$",  # an initial, but no unit: "900 g.", "4 °C."
    re.IGNORECASE,
)
MAX_SENTENCE_LENGTH = 2_000  # characters
_SENTENCE_END = re.compile(
    r"""(?<![.!?])[.!?]++[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\W_])  # a full stop, then a new word
      | \n\s*\n | \n(?=\s*[-*•|]|[^\n]*\ \|\ )  # a blank line, a list item or a table row
      | (?<=[a-z][.!?])(?=[A-Z][a-z])  # a space lost between sentences""",
    re.VERBOSE,
)


@lru_cache(maxsize=8_192)
def sentence_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of the sentences of a passage; blank lines and list items also separate sentences."""
    cuts = [0]
    for match in _SENTENCE_END.finditer(text):
        head = text[cuts[-1] : match.end()].rstrip()
        if "\n" in match.group() or not _ABBREVIATION.search(head[-12:]):
            cuts.append(match.end())
    cuts.append(len(text))
    whole = (_trim_span(text, start, end) for start, end in zip(cuts, cuts[1:], strict=False))
    return tuple(piece for span in whole for piece in _split_long_sentence(text, span) if len(piece))


def _split_long_sentence(text: str, span: Span) -> Iterator[Span]:
    """Yield a sentence, or pieces of one without an end: lists of numbers, text without punctuation."""
    start = span.start
    while span.end - start > MAX_SENTENCE_LENGTH:
        space = text.rfind(" ", start + MAX_SENTENCE_LENGTH // 2, start + MAX_SENTENCE_LENGTH)
        end = space if space > 0 else start + MAX_SENTENCE_LENGTH
        yield _trim_span(text, start, end)
        start = end
    yield _trim_span(text, start, span.end)


def _trim_span(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return Span(start + left, max(start + left, start + len(piece.rstrip())))
