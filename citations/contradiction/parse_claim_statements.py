"""A sentence as a statement: its subject, its condition, and its asides.

Found without a grammar: clauses by their linking words, phrases by function words, verbs by position and ending.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile

from citations.contradiction.claim_statement_terms import MAX_CHARACTERS, Term, TermSort, terms
from citations.contradiction.dated_claim_figures import is_aimed_at
from citations.text.claim_polarity import find_negated_heads
from citations.text.claim_words_and_stems import is_past, is_plural, stem
from citations.text.quote_span import Span


class ClauseKind(StrEnum):
    MAIN = "main"
    CONDITION = "condition"
    ASIDE = "aside"  # a reason, a comment, an attribution: not part of the statement


class FigureRole(StrEnum):
    """The role of a figure among those of its kind."""

    DEFAULT = "default"
    MOST = "most"
    LEAST = "least"
    AVERAGE = "average"
    MEDIAN = "median"
    AIM = "aim"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Content words that stand together, the last of them the head.

    `preposition` is the one before it, "" for none; `governor` the word that the phrase follows. `opens` is true for
    the first phrase without a preposition, usually the subject, `is_early` for phrases before any verb.
    """

    words: tuple[str, ...]
    preposition: str
    governor: str
    clause: ClauseKind
    opens: bool
    is_early: bool
    participles: frozenset[str]

    @property
    def head(self) -> str:
        return self.words[-1]


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """The content of a sentence, by stems. `asides` are the spans of its asides."""

    phrases: tuple[Phrase, ...]
    verbs: frozenset[str]
    denied: frozenset[str]
    roles: frozenset[FigureRole]
    asides: tuple[Span, ...]
    has_early_figure: bool
    limits: frozenset[str]  # between a subject and its verb: "chosen at random", "with diabetes"

    @property
    def words(self) -> frozenset[str]:
        """All words of the statement, without asides."""
        return frozenset(word for phrase in self.phrases for word in phrase.words) | self.verbs

    @property
    def condition(self) -> frozenset[str]:
        return frozenset(
            word for phrase in self.phrases if phrase.clause is ClauseKind.CONDITION for word in phrase.words
        )


_LIGHT = frozenset(
    map(
        stem,
        "use carry give run take reach keep stay last make get go have contain hold provide offer cost"
        " cover amount total number value become remain need require set say find show report state accord"
        " do be come lie count record measure register observe note see know mean like too also still now"
        " then there time way thing case next otherwise unless let".split(),
    )
)
_PREPOSITIONS = frozenset(
    "in on at of for with without from to by under over within through throughout during against"
    " between among per after before since until into about as".split()
)
_DETERMINERS = frozenset(
    "a an the this that these those its their his her our your my any all each every some no both several many".split()
)
_CONDITION = r"if|when|whenever|unless|provided(?: that)?|as long as|in case|once|only if|where|assuming"
_ASIDE = (
    r"because|although|though|whereas|while|since|so that|so|which|"
    r"who|whose|as|even though|making|according to|thanks to|"
    r"provided(?: that)?"
)
# Another statement: "and the field is left empty".
_FURTHER = (
    r"and (?=(?:the|an?|its?|they|their)\s(?:\w+\s){0,3}?(?:is|"
    r"are|was|were|has|have|had|will|can|may|must|should)\b)"
)
_OPENING = re.compile(rf"\W*(?:(?P<condition>{_CONDITION})|(?P<aside>{_ASIDE}))\b", re.IGNORECASE)
_CUT = re.compile(
    rf"(?P<stop>[;(\[]|\s[–—]\s)|(?P<end>[)\]])"
    rf"|,\s+(?P<comma>(?:(?:{_ASIDE})\b|(?:and\s+)?(?:{_CONDITION})\b)?)"
    r"|\s(?P<aside>because|although|though|whereas|so that|"
    rf"as (?:the|a|an)\b|{_FURTHER})|\s(?P<condition>{_CONDITION})\s",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)"
)  # ", two years after ..."
_FRAME = re.compile(
    r"^.{0,80}?\b(?:found|finds?|show(?:s|ed|n)?|report(?:s|ed)?|"
    r"sa(?:ys?|id)|suggest(?:s|ed)?|confirm(?:s|ed)?|stat(?:es?|ed)|"
    r"wr[io]tes?|not(?:es?|ed)|estimat(?:es?|ed)|conclud(?:es?|ed)|means?|know|remember|sure|verify|ensure)\s+that\b",
    re.IGNORECASE,
)
_DEFAULT = re.compile(
    r"\b(?:defaults?|out of the box|"
    r"unless (?:\w+\s){0,4}?(?:configured|specified|set|changed?|told|stated|given|otherwise|chosen))\b",
    re.IGNORECASE,
)
_ROLES = (
    (
        FigureRole.MOST,
        r"max(?:imum|imal)?|at most|limit(?:s|ed)?|up to|(?:no|"
        r"not) more than|cap(?:ped)?|ceiling|highest|largest|longest|exceed",
    ),
    (FigureRole.LEAST, r"min(?:imum|imal)?|at least|(?:no|not) (?:less|fewer) than|lowest|smallest|shortest"),
    (FigureRole.AVERAGE, r"averages?|mean of|the mean|typical(?:ly)?"),
    (FigureRole.MEDIAN, r"median"),
)
_ROLE_PATTERNS = tuple((role, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for role, words in _ROLES)
_ROLE_WORDS = frozenset(
    map(
        stem,
        "default maximum minimum maximal minimal limit average mean median typical configure otherwise".split(),
    )
)


@lru_cache(maxsize=32_768)  # every claim of a large run, since pairs need each many times
def read_statement(text: str) -> SentenceReading:
    text = text[:MAX_CHARACTERS]
    clauses = _read_clauses(text)
    tokens = [term for term in terms(text) if _clause_of(term.span, clauses) is not ClauseKind.ASIDE]
    phrases, verbs, has_early_figure = _Phrasing(text, tokens, clauses).read()
    return SentenceReading(
        phrases=phrases,
        verbs=verbs,
        denied=find_negated_heads(_blank_aside_clauses(text, clauses)),
        roles=_roles(text, clauses),
        asides=tuple(span for span, clause in clauses if clause is ClauseKind.ASIDE),
        has_early_figure=has_early_figure,
        limits=_limits(tokens, phrases),
    )


def _limits(tokens: Sequence[Term], phrases: Sequence[Phrase]) -> frozenset[str]:
    subject = next((phrase for phrase in phrases if phrase.opens), None)
    start = next((n for n, term in enumerate(tokens) if subject and _key(term) == subject.head), None)
    if start is None:
        return frozenset()
    before_verb = list(takewhile(lambda term: not _is_finite_auxiliary(term), tokens[start + 1 :]))
    if len(before_verb) == len(tokens) - start - 1:
        return frozenset()
    return frozenset(_key(term) for term in before_verb if term.sort in (TermSort.WORD, TermSort.NAME))


def blank_asides(text: str) -> str:
    """Blank out the asides, keeping offsets."""
    return _blank_aside_clauses(text, _read_clauses(text[:MAX_CHARACTERS]))


def is_light(word: str) -> bool:
    """True for a stem that says nothing about the subject of a statement."""
    return word in _LIGHT or word in _ROLE_WORDS


def _roles(text: str, clauses: Sequence[tuple[Span, ClauseKind]]) -> frozenset[FigureRole]:
    plain = _blank_aside_clauses(text, clauses)
    found = {role for role, pattern in _ROLE_PATTERNS if pattern.search(plain)}
    if _DEFAULT.search(text):
        found.add(FigureRole.DEFAULT)
    return frozenset(found | ({FigureRole.AIM} if is_aimed_at(plain) else set()))


def _blank_aside_clauses(text: str, clauses: Sequence[tuple[Span, ClauseKind]]) -> str:
    for span, clause in clauses:
        if clause is ClauseKind.ASIDE:
            text = text[: span.start] + " " * len(span) + text[span.end :]
    return text


@lru_cache(maxsize=32_768)
def _read_clauses(text: str) -> tuple[tuple[Span, ClauseKind], ...]:
    """Return the clauses; "unless configured otherwise" is not a condition, but shows that a figure is the default."""
    return tuple(
        (
            span,
            ClauseKind.ASIDE
            if clause is ClauseKind.CONDITION and _DEFAULT.search(span.cut(text))
            else clause,
        )
        for span, clause in _clauses(text)
    )


def _clauses(text: str) -> Iterator[tuple[Span, ClauseKind]]:
    """Yield the parts of a sentence in their order."""
    start, frame = 0, _FRAME.match(text)
    if frame is not None:
        yield Span(0, frame.end()), ClauseKind.ASIDE
        start = frame.end()
    kind = _classify_opening(text[start:])
    for cut in _CUT.finditer(text, start):
        if cut.start() > start:
            yield Span(start, cut.start()), kind
            start = cut.start()
        kind = _kind_after(cut, kind)
    if start < len(text):
        yield Span(start, len(text)), kind


def _classify_opening(text: str) -> ClauseKind:
    match = _OPENING.match(text)
    if match is None or "," not in text:
        return ClauseKind.MAIN if match is None or not match["condition"] else ClauseKind.CONDITION
    return ClauseKind.CONDITION if match["condition"] else ClauseKind.ASIDE


def _kind_after(cut: re.Match[str], before: ClauseKind) -> ClauseKind:
    if cut["stop"] or cut["aside"]:
        return ClauseKind.ASIDE
    if cut["condition"]:
        return before if before is ClauseKind.ASIDE else ClauseKind.CONDITION
    if cut["comma"]:
        return (
            ClauseKind.ASIDE
            if cut["comma"].lower().startswith("provided")
            else _classify_opening(cut["comma"] + ",")
        )
    opens = cut.string[cut.end() : cut.end() + 12].lower()
    if cut["comma"] is not None and before is ClauseKind.MAIN and _COUNTED.match(opens):
        return ClauseKind.ASIDE
    return ClauseKind.MAIN


def _clause_of(span: Span, clauses: Sequence[tuple[Span, ClauseKind]]) -> ClauseKind:
    return next((clause for where, clause in clauses if span.start < where.end), ClauseKind.MAIN)


class _Phrasing:
    """Groups tokens into phrases, in one pass."""

    def __init__(self, text: str, tokens: Sequence[Term], clauses: Sequence[tuple[Span, ClauseKind]]) -> None:
        self._text, self._tokens, self._clauses = text, tokens, clauses
        self._phrases: list[Phrase] = []
        self._verbs: set[str] = set()
        self._open: list[Term] = []
        self._preposition = self._governor = ""
        self._has_subject = self._has_verb = self._has_early_figure = False

    def read(self) -> tuple[tuple[Phrase, ...], frozenset[str], bool]:
        for place, token in enumerate(self._tokens):
            before = self._tokens[place - 1] if place else None
            if before is not None and self._is_apart(before, token):
                self._close()
                self._preposition = ""
            self._take(place, token)
        self._close()
        return tuple(self._phrases), frozenset(self._verbs), self._has_early_figure

    def _is_apart(self, before: Term, token: Term) -> bool:
        return not self._text[before.span.end : token.span.start].replace("-", " ").isspace() and (
            before.span.end != token.span.start
        )

    def _take(self, place: int, token: Term) -> None:
        plain = token.text.lower()
        if (
            token.sort in (TermSort.WORD, TermSort.NAME)
            or token.sort is TermSort.ORDER
            and token.key not in _COMPARING
        ):
            if self._is_verb(place, token):
                self._close()
                self._verbs.add(_key(token))
                self._governor, self._preposition, self._has_verb = _key(token), "", True
            else:
                self._open.append(token)
            return
        self._close()
        if token.sort in (TermSort.FIGURE, TermSort.TIME):
            is_figure = token.quantity is not None and token.sort is TermSort.FIGURE
            self._has_early_figure |= is_figure and not self._has_verb and self._has_subject
        elif plain in _PREPOSITIONS:
            self._preposition = plain
        elif plain not in _DETERMINERS and token.sort is not TermSort.SCOPE:
            self._preposition = ""
            self._has_verb |= _is_auxiliary(token)

    def _is_verb(self, place: int, token: Term) -> bool:
        """Return True for a verb by its position: after a plural noun, before an article, or in the past."""
        plain = token.text
        if token.sort is not TermSort.WORD or not plain.isalpha():
            return False
        after = self._tokens[place + 1] if place + 1 < len(self._tokens) else None
        next_word = after.text.lower() if after is not None else ""
        starts_noun = after is not None and (
            next_word in _DETERMINERS or after.sort in (TermSort.FIGURE, TermSort.NAME)
        )
        if not self._open:
            return self._begins_verb(place, token, after)
        if _is_past(plain):
            return not (after is not None and after.sort is TermSort.WORD and self._has_verb_after(place))
        if not is_plural(plain):
            before = self._open[-1]
            return before.sort is TermSort.WORD and before.text.endswith("s") and is_plural(before.text)
        if after is not None and _is_past(after.text):  # "night trains fell"
            return False
        return starts_noun or after is not None and (after.sort is TermSort.WORD or self._is_only_verb(place))

    def _begins_verb(self, place: int, token: Term, after: Term | None) -> bool:
        """Return True if a word that follows no noun is a verb."""
        previous = self._tokens[place - 1] if place else None
        if previous is None:
            return after is not None and after.text.lower() in _DETERMINERS
        if _takes_verb(previous):
            return previous.text.lower() != "to" or not is_plural(token.text)
        if previous.text.lower() in _DETERMINERS | _PREPOSITIONS:
            return False
        describes = self._has_verb and after is not None and after.sort is TermSort.WORD
        return _is_past(token.text) and not describes  # "require memorized secrets"

    def _has_verb_after(self, place: int) -> bool:
        """True if the clause has its verb later: "user set passwords are"."""
        near = self._tokens[place + 1 : place + 5]
        return any(map(_is_auxiliary, takewhile(lambda each: each.sort is not TermSort.LOGIC, near)))

    def _is_only_verb(self, place: int) -> bool:
        """True for "applies" in "the Act applies to companies": a sentence needs a verb."""
        rest = self._tokens[place + 1 :]
        return not (self._has_verb or self._has_subject or self._preposition) and not any(
            map(_is_auxiliary, rest)
        )

    def _close(self) -> None:
        if not self._open:
            return
        words = tuple(_key(term) for term in self._open)
        clause = _clause_of(self._open[0].span, self._clauses)
        opens = (
            not self._preposition
            and not self._has_subject
            and not self._has_verb
            and clause is ClauseKind.MAIN
        )
        is_early = not self._has_verb and clause is ClauseKind.MAIN
        participles = frozenset(_key(term) for term in self._open if _is_past(term.text))
        self._phrases.append(
            Phrase(words, self._preposition, self._governor, clause, opens, is_early, participles)
        )
        self._has_subject |= opens
        self._governor, self._preposition = words[-1], ""
        self._open = []


_COMPARING = frozenset("more less most least same different before after up down".split())  # keys of terms
_AUXILIARIES = frozenset(
    "is are was were be been has have had will would can could may might must shall should do does did ought".split()
)


_TAKES_VERB = frozenset("to can could will would do does did not".split())


_PAST = frozenset("rose fell left saw found".split())  # homographs of other words in a dictionary


def _is_past(word: str) -> bool:
    return word in _PAST or is_past(word)


def _takes_verb(term: Term) -> bool:
    return term.sort is TermSort.MODAL or term.text.lower() in _TAKES_VERB


def _is_auxiliary(term: Term) -> bool:
    return term.sort is TermSort.MODAL or term.text.lower() in _AUXILIARIES


def _is_finite_auxiliary(term: Term) -> bool:
    return _is_auxiliary(term) and term.text.lower() not in ("be", "been")


def _key(term: Term) -> str:
    return term.key
