"""Parse a question: what it names, what it asks, and which kind of answer it expects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise

from research.extractive.question.answer_forms import AnswerForm, detect_form
from research.extractive.question.asked_amounts import AskedAmount, find_asked_amount
from research.extractive.question.expected_answer_kinds import NUMBER_WORD, AnswerKind, find_expected_kinds
from research.extractive.question.question_frames import (
    find_end_of_order,
    frame_words,
    without_request,
)
from research.extractive.question.question_german_lexicon import WordKind, english_kinds
from research.extractive.question.question_spelling import correct_function_words
from research.extractive.question.question_time_words import TimeWords, find_time_words
from research.extractive.question.question_translation import (
    detect_language,
    is_german_stop_word,
    to_english,
)
from research.extractive.question.question_word_translation import is_english_adjective
from research.extractive.terms import (
    EVALUATIVE,
    QUESTION_WORDS,
    forms,
    is_stop_word,
    stem,
    with_full_years,
    words,
)


class TermKind(StrEnum):
    WORD = "word"
    NAME = "name"  # capitalised, acronym, or an identifier
    VERSION = "version"
    YEAR = "year"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class QuestionTerm:
    """A content word of the question. `alternatives` are other words with the same sense."""

    surface: str
    form: str
    kind: TermKind
    weight: float  # 0-1: weight of the word before its rarity in the library is known
    alternatives: tuple[str, ...] = ()

    @property
    def is_specific(self) -> bool:
        return self.kind is not TermKind.WORD


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A thing named in the question, with its version or year: "PCI DSS v4.0"."""

    surface: str
    terms: tuple[QuestionTerm, ...]
    is_coordinated: bool = False  # "A and B", "A than B": each may be the subject of a different passage


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    text: str
    terms: tuple[QuestionTerm, ...]
    names: tuple[NamedThing, ...]
    years: tuple[int, ...]
    kinds: tuple[AnswerKind, ...]
    parts: tuple[str, ...]  # the sub-questions; the question itself if there is only one
    asks_change: bool  # it compares a thing over time
    form: AnswerForm = AnswerForm.FACT
    time: TimeWords = TimeWords("")
    sides: tuple[str, ...] = ()  # the things compared, in the question's words
    source: str = ""  # the source asked about: "the handbook" in "What does the handbook say about …?"
    amount: AskedAmount | None = None  # the amount that all answers keep; None for several parts
    wording: str = ""  # the search text: without words of time and frame, in the library's spelling

    @property
    def whole_parts(self) -> tuple[str, ...]:
        """The parts, each readable alone: "for how long" with the subject of the question."""
        subject = " ".join(term.surface for term in self.terms if term.weight >= 0.5)
        return tuple(part if _is_whole(part) else f"{part} {subject}" for part in self.parts)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The phrases that may name a document: the source asked about, the things compared, the names."""
        source = (self.source,) if self.source else ()
        return (*source, *self.sides, *(name.surface for name in self.names))

    @property
    def matter(self) -> str:
        """The content words of the question without the names of its subjects."""
        return self.matter_without((*self.sides, *(name.surface for name in self.names)))

    def matter_without(self, names: Sequence[str]) -> str:
        """The content words of the question without those of some names; without a source, what it is asked about."""
        first = self.parts[0] if len(self.parts) > 1 else self.wording
        if self.source and (asked := _MATTER_OF_SOURCE.search(first)):
            return (asked[1] or asked[2]).strip(" ?.")
        named = {form for name in names for word in words(name) for form in forms(word)}
        return " ".join(term.surface for term in self.terms if term.form not in named and term.weight >= 0.5)

    @property
    def year_range(self) -> tuple[int, int] | None:
        """The first and last year of a question about change; None if it names fewer than two."""
        if not self.asks_change or len(self.years) < 2:
            return None
        return min(self.years), max(self.years)


# Synonyms of the general terms of questions, but not of a subject's own terms.
_SENSES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("throw", "ditch", "scrap", "discard", "retire"), ("remove", "drop", "delete")),
    "minimum": ("least", "min", "fewer", "shorter", "minimal"),
    "maximum": ("most", "max", "limit", "exceed", "longer", "maximal"),
    "limit": ("maximum", "max", "most", "exceed", "fewer", "more"),
    "length": ("long", "characters", "longer", "shorter", "size"),
    "long": ("length", "longer"),
    "large": ("size", "larger"),
    "percentage": ("%", "percent"),
    "share": ("%", "percent", "proportion"),
    "proportion": ("%", "percent", "share"),
    "cost": ("price", "$", "dollars"),
    "price": ("cost", "$", "dollars"),
    "allow": ("may", "permitted", "possible", "permit", "allowed"),
    "require": (
        "shall",
        "must",
        "verify",
        "ensure",
        "enforce",
        "required",
        "requirement",
    ),
    "recommend": ("should", "recommended", "recommendation", "advise", "suggest"),
    "default": ("defaults", "initial"),
    "change": (
        "increased",
        "changed",
        "raised",
        "reduced",
        "becomes",
        "now",
        "replaced",
    ),
    "raise": ("increased", "changes", "raised"),
    "drop": ("removed", "dropped", "ended"),
    "remove": ("dropped", "removed"),
    "fewer": ("less",),
    "less": ("fewer",),
    "tune": ("adjust", "set", "controls", "increase"),
    "forbid": ("prohibit", "not", "disallow"),
    "failed": ("unsuccessful", "failure", "failures", "invalid", "incorrect"),
    "attempts": ("tries", "attempt"),
    "fast": ("speed", "seconds", "throughput", "faster"),
    "added": ("introduced", "new", "support"),
    "released": ("release",),
    "won": ("winner", "best", "first", "winning"),
    "leads": ("leading", "top", "best", "first"),
    "regularly": ("periodic", "periodically", "frequent"),
    "periodic": ("regularly", "periodically", "arbitrarily"),
    "mandate": ("shall", "must", "require"),
    "settings": ("options", "parameters", "configuration"),
    "parameters": ("settings", "options"),
    "size": ("length", "large"),
    "number": ("count",),
    "pay": ("price", "cost", "fee"),
    "count": ("number",),
    "created": ("author", "wrote", "developed", "founded", "invented"),
    "wrote": ("author", "written", "created"),
    "maintains": ("maintainer", "author"),
    "inhabitants": ("population", "residents", "people"),
    "people": ("population", "inhabitants", "residents"),
    "residents": ("population", "inhabitants", "people"),
    "population": ("inhabitants", "residents", "people"),
    "live": ("population", "inhabitants", "residents"),
    "employees": ("staff", "workforce", "headcount", "employed"),
    "staff": ("employees", "workforce", "headcount", "employed"),
    "dollars": ("usd", "$"),
    "euros": ("eur", "€"),
    "francs": ("chf",),
    "pounds": ("gbp", "£"),
    "yen": ("jpy", "¥"),
    "time": ("seconds", "minutes", "hours"),
}
_SENSE_OF = {forms(word)[0]: tuple(forms(other)[0] for other in others) for word, others in _SENSES.items()}

_CURRENCY = re.compile(r"(?:dollars?|euros?|francs?|pounds?|yen|kron[ae]r?|rupees?|yuan)$", re.IGNORECASE)


def senses_of(word: str) -> frozenset[str]:
    """Return the forms of a word and of the other words for the same general notion.

    >>> sorted(senses_of("euros"))
    ['eur', 'euro', '€']
    """
    form = forms(word)[0]
    return frozenset((form, *_SENSE_OF.get(form, ())))


_TOKEN = re.compile(r"[^\W_]+(?:[.\-_/’'+][^\W_]+)*|[(),;:?!]")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[a-z]*\d*$|v\d+$", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:chang\w+|evolv\w+|differ\w*|entwickel\w+|verändert\w*|since|over (?:time|the years)|from (?:19|20)\d\d to"
    r"|between (?:19|20)\d\d and|compared? (?:to|with)|increased?|history of)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"[,;]?\s+(?:and|but|or)\s+(?=(?:what|which|who|when|where|why|how|after|since|is|are|does|do|did|was|were"
    r"|should|can"
    r"|(?:for|by|in|at|to|from|on|under|with) (?:what|which|whom|how))\b)",
    re.IGNORECASE,
)
_IN_ONE_YEAR = re.compile(r"\bin ((?:19|20)\d\d)\b(?! (?:and|to|or)\b)|\bthis year\b", re.IGNORECASE)
_BOUNDING = frozenset(
    "more less fewer least most over under above below minimum maximum million billion thousand".split()
)
_LINKS = frozenset({"rev", "rev.", "revision", "version", "release", "edition", "part", "no", "level"})


def analyse(text: str, this_year: int | None = None) -> ParsedQuestion:
    """Parse the question. Never fails: a question without content words has no terms.

    `this_year`, by default the current one: naming a year that is not yet over asks for the newest information.
    """
    language = detect_language(text)
    typed = text if language == "de" else correct_function_words(text)
    text = without_request(typed)
    this_year = this_year or datetime.now(tz=UTC).year
    time = find_time_words(text, this_year)
    parts = _parts(time.rest)
    amount = find_asked_amount(text) if len(parts) == 1 else None
    form = detect_form(to_english(text) if language == "de" else text)
    if amount is not None and form is AnswerForm.FACT:
        form = AnswerForm.LIST
    if form is AnswerForm.CHANGE and not time.is_span and (year := _IN_ONE_YEAR.search(text)):
        the_year = int(year[1]) if year[1] else this_year
        time = replace(time, first=the_year, last=the_year)
    tokens = _tokens(time.rest, time.words)
    found = _distinct(
        [*(term for token in tokens if (term := _term(token)) is not None), *_limits(time.rest)]
    )
    names = _names(tokens)
    if amount is not None:  # a sentence within the bound need not repeat it
        said = {word.strip(",.").replace(",", "") for word in amount.quantity.text.lower().split()}
        found = tuple(term for term in found if not _is_of_bound(term, said))
        names = tuple(name for name in names if not any(_is_of_bound(term, said) for term in name.terms))
    named = sorted({int(term.form) for term in found if term.kind is TermKind.YEAR})
    span = [year for year in (time.first, time.last) if year is not None]
    return ParsedQuestion(
        text=typed.strip(),
        terms=found,
        names=names,
        years=tuple(sorted({*named, *span})),
        kinds=find_expected_kinds(text.strip()),
        parts=parts,
        asks_change=bool(_CHANGE.search(text)) or _asks_development(text),
        form=form,
        time=time,
        sides=find_sides(time.rest),
        source=find_source(text),
        amount=amount,
        wording=" ".join(time.rest.split()),
    )


def _is_of_bound(term: QuestionTerm, said: set[str]) -> bool:
    return term.form in said or term.surface.lower() in _BOUNDING


# Questions about a limit that do not name it.
_LIMITS = (
    (
        "maximum",
        re.compile(
            r"\b(?:at (?:the )?most|no more than|longest|largest|biggest|upper limit|how (?:long|large|big|many"
            r"|much) (?:can|may)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "minimum",
        re.compile(
            r"\b(?:at (?:the )?least|no less than|no fewer than|shortest|smallest|lower limit|how (?:long|many"
            r"|large|big|much) (?:must|should|does .* (?:have|need) to be|do .* (?:have|need) to be))\b",
            re.IGNORECASE,
        ),
    ),
)


def _limits(text: str) -> list[QuestionTerm]:
    return [
        QuestionTerm(name, forms(name)[0], TermKind.WORD, 0.4, _SENSE_OF[forms(name)[0]])
        for name, pattern in _LIMITS
        if pattern.search(text)
    ]


# Words that distinguish editions of a document.
EDITION = re.compile(
    r"\d+(?:\.\d+)+|\b(?:19|20)\d\d\b|\bv\d+\b|\b(?:rev|revision|version|edition)\b", re.IGNORECASE
)
_END = (
    r"(?=\s*(?:$|[?.!,;:]|\b(?:on|in|for|with regard|regarding|when|at|as|under|of|about|by|to|is|are|do|does"
    r"|or not|what|which|how)\b))"
)
_SIDE = r"((?:[^\s?,.;:]|\.(?=\S)|,(?=\d)){1,40}(?:\s+(?:[^\s?,;:.]|\.(?=\S)){1,40}){0,4}?)"
_SIDES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bwhat (?:is|are) (?:an? |the )?{_SIDE},? and how (?:is|are|does|do) (?:it|they) (?:different"
        rf"|differ) from (?:an? |the )?{_SIDE}{_END}",
        rf"\b(?:differences?|distinction|comparison|trade-?offs?|choose|choice|choosing|decide|compare)"
        rf"(?: between| of)? (?:an? |the )?{_SIDE}, (?:an? |the )?{_SIDE},? (?:and|or|vs\.?|versus) (?:an? "
        rf"|the )?{_SIDE}{_END}",
        rf"\b(?:differences?|distinction|comparison|trade-?offs?|choose|choice|choosing) (?:between|of) (?:an? "
        rf"|the )?{_SIDE} (?:and|or|vs\.?|versus) (?:an? |the )?{_SIDE}{_END}",
        rf"^\W*(?:how (?:do|does|did|is|are) )?(?:an? |the )?{_SIDE} (?:and|vs\.?|versus) (?:an? "
        rf"|the )?{_SIDE} (?:differ|compare|different|differences?)\b",
        rf"^\W*compare (?:an? |the )?{_SIDE} (?:and|with|to|vs\.?|versus|against) (?:an? |the )?{_SIDE}{_END}",
        rf"^\W*how (?:do|does|did|is|are) (?:an? |the )?{_SIDE} (?:compared?|differ|different)s? (?:with|to|from"
        rf"|against|than) (?:an? |the )?{_SIDE}{_END}",
        rf"\b(?:that|whether|if) (?:an? |the )?{_SIDE} (?:is|are) (?:better|worse|faster|slower|safer|cheaper"
        rf"|stronger|easier|harder|smaller|larger|(?:more|less) \w+)(?: \w+){{0,3}} than (?:an? "
        rf"|the )?{_SIDE}{_END}",
        rf"\b(?:is|are) (?:an? |the )?{_SIDE} (?:better|worse|faster|slower|safer|cheaper|stronger|easier|harder"
        rf"|smaller|larger|(?:more|less) \w+)(?: \w+){{0,3}} than (?:an? |the )?{_SIDE}{_END}",
        rf"^\W*{_SIDE},? (?:vs\.?|versus) {_SIDE}(?:,? (?:vs\.?|versus|and|or) {_SIDE})?{_END}",
        rf"^\W*(?:an? |the )?{_SIDE},? or (?:an? |the )?{_SIDE}(?:[,:?]| [-–—]) (?:which|what)\b",
        rf"\b(?:differences?|unterschied) {_SIDE} (?:and|und|vs\.?) {_SIDE}(?=\s|$)",
        rf"\b(?:use|choose|take|prefer|pick|buy)\b[^?]*?,? {_SIDE} or {_SIDE}\s*\?",
        rf"^\W*(?:which|what)(?: one)?(?: is|['’]s| are| should\b[^?,:]*?)(?: \w+){{0,2}}[,:] (?:an? |the )?{_SIDE}"
        rf"(?:, (?:an? |the )?{_SIDE})?,? or (?:an? |the )?{_SIDE}{_END}",
    )
)


def find_sides(text: str) -> tuple[str, ...]:
    """Return the things that the question compares.

    >>> find_sides("What is the difference between a salt and a pepper?")
    ('salt', 'pepper')
    >>> find_sides("argon2 vs bcrypt vs scrypt: pros and cons")
    ('argon2', 'bcrypt', 'scrypt')
    >>> find_sides("loadscope or loadfile in xdist, what is the difference?")
    ('loadscope', 'loadfile')
    >>> find_sides("difference between hard and soft links")
    ('hard links', 'soft links')
    """
    for pattern in _SIDES:
        if found := pattern.search(text.strip()):
            *others, last = (_ADVERB_OF_SIDE.sub("", side.strip()) for side in found.groups() if side)
            if not any(_PLACE_OF_SIDES.search(side) for side in others):
                last = _PLACE_OF_SIDES.sub("", last)
            return tuple(dict.fromkeys((*(_with_shared_head(side, last) for side in others), last)))
    return ()


def _with_shared_head(side: str, last: str) -> str:
    """Return a side with the noun that only the last one has: "total" of "a total and an annular solar eclipse".

    Only an adjective needs it, or an acronym before another ("TCP and UDP sockets"): other words may be things.
    """
    modifier, _, head = last.partition(" ")
    if not head or " " in side or side.casefold() in last.casefold().split():
        return side
    are_acronyms = _ACRONYM.fullmatch(side) and _ACRONYM.fullmatch(modifier)
    return f"{side} {head}" if are_acronyms or is_english_adjective(side) else side


_ACRONYM = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[\w-]+")
_ADVERB_OF_SIDE = re.compile(
    r"\s+(?:ever|always|really|actually|still|even|often|generally|usually)$", re.IGNORECASE
)
# What follows the last of the things compared is common to all: "A or B in C".
_PLACE_OF_SIDES = re.compile(r"\s+(?:in|for|with|on|under|within)\s.*$", re.IGNORECASE)


_ADVICE = (
    r"(?:positions?|advice|recommendations?|views?|stances?|guidance|guidelines?|opinions?|rules?|requirements?"
    r"|polic(?:y|ies))"
)
_SOURCE = re.compile(
    r"^\W*(?:what|which|how) (?:\w+ ){0,2}?(?:do|does|did) (?:the )?(.{2,80}?) (?:say|recommend|write|state"
    r"|advise|suggest|require|think|report|mention|conclude|claim)s?\b"
    r"|\b(?:what|which|how) (?:[\w-]+ ){1,4}?(?:do|does|did) (?:the )?([^?,]{2,80}?) (?:say|state|recommend|advise"
    r"|mention|claim)\b"
    r"|\baccording to (?:the )?(.{2,80}?)(?=[,?]|$| (?:what|which|how|when|who|is|are|should)\b)"
    rf"|^\W*what (?:is|are|was|were) (?:the )?(.{{2,60}}?)['’]s? {_ADVICE} (?:on|about|regarding|for)\b"
    rf"|\b((?-i:[A-Z])[\w.&-]*(?: (?-i:[A-Z])[\w.&-]*){{0,4}})['’]s? (?:\w+ ){{0,2}}?{_ADVICE}\b"
    rf"|\b(?:the )?((?-i:[A-Z]){{2}}[\w-]*) (?:\w+ )?{_ADVICE} (?:on|about|regarding|for)\b",
    re.IGNORECASE,
)


def find_source(text: str) -> str:
    """Return the source whose statements the question asks for; "" if it asks for no particular one.

    >>> find_source("What does the OWASP session management cheat sheet say about timeouts?")
    'OWASP session management cheat sheet'
    >>> find_source("Up to how many rows does the Lumen handbook say it is fast?")
    'Lumen handbook'
    """
    found = _SOURCE.search(text.strip())
    named = next((group for group in found.groups() if group), "") if found else ""
    return "" if named.lower() in _ANYBODY else named.strip()


_MATTER_OF_SOURCE = re.compile(
    r"\b(?:say|recommend|write|state|advise|suggest|require|think|report|mention|conclude|claim)s? (?:about|on"
    r"|regarding|for|of|as to)?\s*(.+)$"
    r"|\baccording to [^,]+,\s*(.+)$",
    re.IGNORECASE,
)
_ANYBODY = frozenset(
    "sources documents library literature evidence texts it they experts people you research studies one".split()
) | {"the sources", "the documents", "the evidence", "these documents"}


def _asks_development(text: str) -> bool:
    return any(word.startswith("develop") for word in frame_words(text))


@dataclass(frozen=True, slots=True)
class _QuestionToken:
    text: str
    is_first: bool
    is_small: bool = False  # a function word
    is_frame: bool = False
    is_german: bool = False

    @property
    def is_mark(self) -> bool:
        return not self.text[0].isalnum()


_CONTRACTION = re.compile(r"\w+(?:n['’]t|['’](?:re|ve|ll|d|m))$", re.IGNORECASE)  # "doesn't", "we're"


def _tokens(text: str, words_of_time: frozenset[str] = frozenset()) -> list[_QuestionToken]:
    plain = with_full_years(re.sub(r"(?<=\d)[,](?=\d{3}(?!\d))", "", text))
    order = find_end_of_order(plain)
    matches = list(_TOKEN.finditer(plain))
    found = [match.group() for match in matches]
    bare = [re.sub(r"['’]s?$", "", token) for token in found]
    german, frame = detect_language(text) == "de", frame_words(text)
    return [
        _QuestionToken(
            word,
            is_first=index == 0 or found[index - 1] in ("?", "!"),
            is_small=matches[index].end() <= order
            or is_stop_word(word)
            or _CONTRACTION.match(word) is not None
            or (german and is_german_stop_word(word)),
            is_frame=word.lower() in frame or word.lower() in words_of_time or word.lower() in EVALUATIVE,
            is_german=german,
        )
        for index, word in enumerate(bare)
    ]


def _term(token: _QuestionToken) -> QuestionTerm | None:
    if token.is_mark or (token.is_small and not _is_acronym(token)):
        return None
    form = forms(token.text)[0]
    kind = _kind(token)
    return QuestionTerm(token.text, form, kind, _weight(token, kind), _alternatives(token, kind))


def _alternatives(token: _QuestionToken, kind: TermKind) -> tuple[str, ...]:
    if kind is not TermKind.WORD:
        return ()
    if _MEASURE.match(token.text):
        number, _, unit = token.text.lower().partition("-")
        return number, number + unit[0]
    senses = _SENSE_OF.get(forms(token.text)[0], ())
    return tuple(dict.fromkeys((*senses, *find_related_stems(token.text))))


_FROM_VERB = re.compile(r"([a-z]{3,}?)(?:(ir)|(er))y$")  # "expiry", "delivery"


_ADVERB = re.compile(r"([a-z]{4,})ly$")  # shorter words are often not adverbs: "apply", "imply", "daily"


# Endings of verbs and of the nouns from them, whose stems differ.
_DERIVED = (
    ("ify", "ification"), ("cile", "ciliation"), ("tain", "tenance"), ("plain", "planation"), ("scribe", "scription"),
    ("ide", "ision"), ("ade", "asion"), ("ode", "osion"), ("ude", "usion"), ("tend", "tension"), ("pand", "pansion"),
    ("vert", "version"), ("mit", "mission"), ("ceive", "ception"), ("sume", "sumption"), ("quire", "quisition"),
    ("solve", "solution"), ("cede", "cession"), ("deem", "demption"), ("ply", "plication"),
)  # fmt: skip


def find_related_stems(word: str) -> tuple[str, ...]:
    """Return the related word that stemming does not find: "expire" in "expiry", "reconciliation" in "reconcile"."""
    lowered = word.lower()
    if degrees := list_degrees(lowered):
        return tuple(stem(degree) for degree in degrees if degree != lowered)
    for pair in (*_DERIVED, *((noun, verb) for verb, noun in _DERIVED)):
        if lowered.endswith(pair[0]):
            return (stem(lowered.removesuffix(pair[0]) + pair[1]),)
    if adverb := _ADVERB.match(lowered):
        return (stem(adverb[1]),)
    found = _FROM_VERB.match(lowered)
    if not found:
        return ()
    return (stem(f"{found[1]}ire" if found[2] else f"{found[1]}er"),)


def list_degrees(word: str) -> tuple[str, ...]:
    """Return the three degrees of a short English adjective that is given in one of them; none for other words.

    >>> list_degrees("cheap"), list_degrees("biggest"), list_degrees("water")
    (('cheap', 'cheaper', 'cheapest'), ('big', 'bigger', 'biggest'), ())
    """
    degree = _DEGREE.fullmatch(word)
    bases = [word]
    if degree:
        root = degree[1]
        bases = [
            root,
            f"{root}e",
            *([root[:-1]] if root[-1] == root[-2] else []),
            f"{root.removesuffix('i')}y",
        ]
    base = next((base for base in bases if WordKind.OTHER in english_kinds(base)), "")
    if not base or len(base) >= LONG_ADJECTIVE or base.endswith("est"):
        return ()
    root = f"{base[:-1]}i" if re.search("[^aeiou]y$", base) else base.removesuffix("e")
    root += root[-1] if re.search("[^aeiou][aeiou][^aeiouwxy]$", base) and len(base) < 5 else ""
    found = (base, f"{root}er", f"{root}est")
    return found if word in found else ()


_DEGREE = re.compile("([a-z]{3,})(?:er|est)")
LONG_ADJECTIVE = 8  # letters; longer ones are compared with "more" and "most"


def _is_whole(part: str) -> bool:
    said = [word for word in words(part) if not is_stop_word(word) and word.lower() not in QUESTION_WORDS]
    return len(said) >= 2


def _is_acronym(token: _QuestionToken) -> bool:
    return len(token.text) > 1 and token.text.isupper()


def _kind(token: _QuestionToken) -> TermKind:
    text = token.text
    if _YEAR.match(text):
        return TermKind.YEAR
    if _VERSION.match(text):
        return TermKind.VERSION
    if text.isdigit():
        return TermKind.NUMBER
    return TermKind.NAME if _looks_like_a_name(token) else TermKind.WORD


_MEASURE = re.compile(r"\d[\d.]*-[a-z]+$")  # "1536-dimensional": a figure with its unit, not a name


_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december".split()
)


def _looks_like_a_name(token: _QuestionToken) -> bool:
    text = token.text
    if _MEASURE.match(text) or text.lower() in _CALENDAR:
        return False
    if any(letter.isupper() for letter in text[1:]) or any(letter.isdigit() for letter in text):
        return True
    if "." in text or "_" in text:
        return True
    return text[0].isupper() and not token.is_first and not token.is_german


def _weight(token: _QuestionToken, kind: TermKind) -> float:
    if token.is_small:
        return 0.3  # "WHERE": the index has no function words, so its rarity is unknown
    if kind is TermKind.WORD:
        is_said_otherwise = token.is_frame or bool(_COUNT.fullmatch(token.text))
        return 0.15 if is_said_otherwise or token.text.lower() in QUESTION_WORDS else 1.0
    return 0.6 if kind is TermKind.NUMBER else 1.0


_COUNT = re.compile(NUMBER_WORD, re.IGNORECASE)  # "the three levels": a list of them need not say so


def _distinct(found: Iterable[QuestionTerm]) -> tuple[QuestionTerm, ...]:
    return tuple({term.form: term for term in found}.values())


def _names(tokens: Sequence[_QuestionToken]) -> tuple[NamedThing, ...]:
    """Return the runs of name tokens; a version, number or year right after a run belongs to it."""
    runs: list[list[_QuestionToken]] = []
    links: list[list[str]] = [[]]  # the words before each run, and after the last one
    run: list[_QuestionToken] = []
    end = _QuestionToken("?", is_first=False)
    for token, following in pairwise([*tokens, end, end]):
        if _continues(token, run):
            run.append(token)
            continue
        if run:
            runs.append(run)
            links.append([])
        run = [token] if _starts(token, following) else []
        if not run:
            links[-1].append(token.text.lower())
    joined = [False, *(_is_coordination(words) for words in links[1:-1]), False]
    return tuple(
        name
        for index, found in enumerate(runs)
        for name in _name(found, is_coordinated=joined[index] or joined[index + 1])
    )


_COORDINATING = frozenset({"and", "or", "vs", "versus", "than", ","})


def _is_coordination(between: Sequence[str]) -> bool:
    return len(between) <= 3 and not _COORDINATING.isdisjoint(between)


def _starts(token: _QuestionToken, following: _QuestionToken) -> bool:
    """Return True if a name begins here: with a name token, the year of one, or a plain word followed by a version."""
    if token.is_mark or token.is_small:
        return _is_acronym(token) and not token.is_first
    if _CURRENCY.match(following.text):  # "Swiss francs" name no thing
        return False
    kind, next_kind = _kind(token), _kind(following)
    if kind is TermKind.NAME or (kind is TermKind.YEAR and next_kind is TermKind.NAME):
        return True
    return kind is TermKind.WORD and next_kind is TermKind.VERSION and token.text.lower() not in _LINKS


def _continues(token: _QuestionToken, run: list[_QuestionToken]) -> bool:
    if not run:
        return False
    if token.text in ("(", ")"):
        return True
    if token.is_mark:
        return False
    if token.text.lower() in _LINKS or _is_mark_of_name(token):
        return True
    is_complete = _is_mark_of_name(run[-1]) and not all(map(_is_mark_of_name, run))
    return _kind(token) is TermKind.NAME and not is_complete


def _is_mark_of_name(token: _QuestionToken) -> bool:
    return not token.is_mark and _kind(token) in (TermKind.VERSION, TermKind.YEAR, TermKind.NUMBER)


def _name(run: Sequence[_QuestionToken], *, is_coordinated: bool) -> list[NamedThing]:
    while run and run[-1].text in _LINKS:  # "no planet" after "Pluto" is no number of it
        run = run[:-1]
    found = _distinct(term for token in run if (term := _term(token)) is not None)
    surface = " ".join(token.text for token in run if not token.is_mark)
    return [NamedThing(surface, found, is_coordinated)] if found else []


def _parts(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip(" ,;?") for part in _PART.split(text.strip()))
    kept = tuple(part for part in parts if len(part.split()) > 1)
    return kept if len(kept) > 1 else (text.strip(),)
