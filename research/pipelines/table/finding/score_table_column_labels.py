"""Scoring how well the words of a label, or of a sentence, name a column."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from citations.text.claim_words_and_stems import STOPWORDS, are_kin
from research.pipelines.table.finding.table_column_lexicon import concept, free, generic_heads, weak
from research.pipelines.table.table_column_amounts import PLAIN_UNITS, without_unit
from research.pipelines.table.table_columns import FieldType, TableField

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+")
_PHRASES = (  # of several words for one
    (re.compile(r"\bchief executive(?: officer)?\b", re.IGNORECASE), "ceo"),
    (re.compile(r"\bmanaging director\b", re.IGNORECASE), "ceo"),
    (re.compile(r"\bhead (?:office|quarters)\b", re.IGNORECASE), "headquarters"),
    (re.compile(r"\b(?:written|implemented|programmed|coded) in\b", re.IGNORECASE), "programming language"),
    (re.compile(r"\b(?:made|manufactured|produced) by\b", re.IGNORECASE), "maker"),
    (re.compile(r"\bhome page\b", re.IGNORECASE), "homepage"),
    (re.compile(r"\bopen[- ]source\b", re.IGNORECASE), "opensource"),
)
_WEAK_SHARE = 0.25  # what a word that only says the form of the answer counts
_KIN_SHARE = 0.9
_PREFIX_OF_TRUTH = re.compile(r"^(?:is|has|are|was|does|can)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LabelToken:
    """A word that counts: as written, what it names, and where it stands."""

    text: str
    concept: str
    start: int
    end: int


@lru_cache(maxsize=32_768)
def tokens(text: str) -> tuple[LabelToken, ...]:
    """Return the meaningful words of a text, with letters and digits split ("alpha3") and phrases as one word."""
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[LabelToken]:
    plain = text
    phrases = {}
    for pattern, word in _PHRASES:
        for match in pattern.finditer(plain):
            phrases[match.start()] = [
                LabelToken(match.group(), concept(part), *match.span()) for part in word.split()
            ]
        plain = pattern.sub(lambda match: " " * len(match.group()), plain)
    for start in sorted(phrases):
        yield from phrases[start]
    for match in _TOKEN.finditer(plain):
        word = match.group()
        if word.casefold() not in STOPWORDS and (len(word) > 1 or word.isdigit()):
            yield LabelToken(word, concept(word), *match.span())


@dataclass(frozen=True, slots=True)
class Wording:
    """A column by its words: each concept with what it counts."""

    weights: tuple[tuple[str, float], ...]
    spelled: frozenset[str]  # in small letters, for acronyms

    @property
    def concepts(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.weights)

    @property
    def total(self) -> float:
        return sum(weight for _, weight in self.weights)


@lru_cache(maxsize=1_024)
def wordings(field: TableField) -> tuple[Wording, ...]:
    """Return the wordings of a column: its title, and its name if that differs. Words of units are left out."""
    texts = dict.fromkeys((_bare(field.title, field), _bare(field.name.replace("_", " "), field)))
    found = (_parse_wording(text) for text in texts if text)
    said = list(dict.fromkeys(each for each in found if each.weights))
    if field.type is FieldType.BOOLEAN and len(said) > 1 and said[1].concepts < said[0].concepts:
        return (said[0],)  # "listed" alone is less than "publicly listed"
    return tuple(said)


def _bare(text: str, field: TableField) -> str:
    if field.type is FieldType.NUMBER:
        text = without_unit(text)
    text = re.sub(r"\s*[(\[].*?[)\]]", " ", text)
    if field.type is FieldType.BOOLEAN:
        text = _PREFIX_OF_TRUTH.sub("", text)
    if field.type is FieldType.NUMBER:
        text = _without_units(text)
    return text.strip()


def _without_units(text: str) -> str:
    words = without_unit(text).split()
    kept = [
        word for word, after in zip_longest(words, words[1:], fillvalue="") if not _is_of_unit(word, after)
    ]
    return " ".join(kept) or text


def _is_of_unit(word: str, after: str) -> bool:
    """Return True for a word of a unit: "kilometres", or the "square" before it."""
    return word.casefold() in PLAIN_UNITS or (
        word.casefold() in ("square", "cubic", "sq") and after.casefold() in PLAIN_UNITS
    )


def _parse_wording(text: str) -> Wording:
    found = tokens(text)
    weights = {each.concept: _WEAK_SHARE if each.concept in weak() | free() else 1.0 for each in found}
    if weights and all(weight < 1 for weight in weights.values()):
        weights = dict.fromkeys(weights, 1.0)
    return Wording(tuple(weights.items()), frozenset(each.text.casefold() for each in found))


@dataclass(frozen=True, slots=True)
class LabelFit:
    """The fit of words to a column: the `share` of the column's words among them, and the words that match."""

    share: float = 0.0  # 0-1
    score: float = 0.0  # 0-1; less than `share` by what the words say besides
    words: tuple[LabelToken, ...] = ()


NO_FIT = LabelFit()


@lru_cache(maxsize=65_536)
def label_fit(field: TableField, label: str, *, implied: str = "") -> LabelFit:
    """Return how well a label names the column.

    All words of the label count: "area code" is no area, and "urban population" not the population. It need not say
    what its value does (`implied`): that a percentage is a share, or an amount of money a price.
    """
    label = _without_units(label) if field.type is FieldType.NUMBER else label
    asked = (*wordings(field), *_without(field, implied))
    return max((_label_fit(each, label) for each in asked), key=lambda fit: fit.score, default=NO_FIT)


def _without(field: TableField, implied: str) -> Iterator[Wording]:
    """Yield the wordings of a column that have other words than the implied one, without it."""
    for wording in wordings(field) if implied else ():
        rest = tuple((name, weight) for name, weight in wording.weights if name != concept(implied))
        if rest and len(rest) < len(wording.weights):
            yield Wording(rest, wording.spelled)


@lru_cache(maxsize=65_536)
def sentence_fit(field: TableField, sentence: str, *, implied: str = "") -> LabelFit:
    """Return how well a sentence names the column; its other words do not count against it."""
    asked = (*wordings(field), *_without(field, implied))
    return max((_fit(each, sentence) for each in asked), key=lambda fit: fit.share, default=NO_FIT)


def _fit(wording: Wording, text: str) -> LabelFit:
    known = tokens(text)
    found, total = [], 0.0
    for name, weight in wording.weights:
        match = _match(name, known)
        if match is not None:
            total += weight * match[1]
            found.extend(match[0])
    for acronym in wording.spelled:
        long = _expand_acronym(acronym, text)
        if long and not any(each.text.casefold() == acronym for each in found):
            total += 1.0
            found.extend(long)
    share = min(1.0, total / wording.total)
    return LabelFit(share, share, tuple(sorted(found, key=lambda token: token.start)))


def _match(name: str, known: tuple[LabelToken, ...]) -> tuple[list[LabelToken], float] | None:
    same = [token for token in known if token.concept == name]
    if same:
        return same, 1.0
    kin = [token for token in known if are_kin(token.concept, name)]
    return (kin, _KIN_SHARE) if kin else None


_CAPITALS = re.compile(r"\b[A-Z][\w'’]*(?:\s+(?:of|the|and|for|de)\b)?")


def _expand_acronym(acronym: str, text: str) -> list[LabelToken]:
    """Return the words of the name in a text that an acronym stands for: United Nations for "un"."""
    if not 2 <= len(acronym) <= 6 or not acronym.isalpha():
        return []
    names = list(_CAPITALS.finditer(text))
    for first in range(len(names) - len(acronym) + 1):
        run = names[first : first + len(acronym)]
        is_run = all(not text[a.end() : b.start()].strip() for a, b in zip(run, run[1:], strict=False))
        if is_run and "".join(match.group()[0] for match in run).casefold() == acronym:
            return [LabelToken(match.group(), concept(match.group()), *match.span()) for match in run]
    return []


def _label_fit(wording: Wording, label: str) -> LabelFit:
    plain = re.sub(r"\s*[(\[][^)\]]*[)\]]", lambda match: " " * len(match.group()), label)
    fit = _fit(wording, plain)
    if not fit.share:
        return fit
    covered = {token.start for token in fit.words}
    asked = frozenset(name for name, _ in wording.weights)
    idle = (free() | weak()) - asked
    others = [token for token in tokens(plain) if token.start not in covered and token.concept not in idle]
    precision = len(fit.words) / (len(fit.words) + len(others))
    score = fit.share * (0.7 + 0.3 * precision)
    if _has_other_head(plain, fit, others):
        score *= 0.6
    return LabelFit(fit.share, round(score, 4), fit.words)


_BREAK = re.compile(r"\b(?:of|in|for|by|with|per|to|at|as|from|on)\b|,", re.IGNORECASE)


def _has_other_head(label: str, fit: LabelFit, others: list[LabelToken]) -> bool:
    """Return True if the last word of a label's first part names something else: the "code" of an area code."""
    end = next((match.start() for match in _BREAK.finditer(label) if match.start() > 0), len(label))
    first = [token for token in tokens(label) if token.end <= end]
    if not first or first[-1] not in others:
        return False
    is_generic = first[-1].concept in generic_heads() and len({token.concept for token in fit.words}) > 1
    return not is_generic and not re.search(r"(?:ed|en)$", first[-1].text)


def mask_item_name(item: str, text: str) -> str:
    """`text` with blanks for the item's own name, whose words are about no column: the staff is not in "Acme Works"."""
    name = item.strip()
    if len(name) < 3:
        return text
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda match: " " * len(match.group()), text)
