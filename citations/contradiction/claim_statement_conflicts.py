"""Detects conflicts between two sentences: of numbers, times, polarity or categories.

A conflict needs the same quantity, event or predicate of the same thing under the same condition. In documents most
similar sentences say different things: precision goes before recall. Code, settings and announcements of lists are not
statements.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import product

from citations.contradiction.align_claim_statements import StatementOverlap, lay_statements, meets
from citations.contradiction.claim_comparison_measures import (
    ComparedClaim,
    entity_overlap,
    places_overlap,
    same_event,
    times_overlap,
)
from citations.contradiction.claim_stances import (
    StanceQuestion,
    StatementStance,
    are_exclusive_answers,
    stances,
)
from citations.contradiction.claim_statement_changes import REPLACING, ChangeKind, TermChange
from citations.contradiction.claim_statement_terms import Term, terms
from citations.contradiction.compare_claim_statements import Comparison, compare_terms
from citations.contradiction.dated_claim_figures import DatedQuantity, find_dated_figures
from citations.contradiction.parse_claim_statements import FigureRole, blank_asides, is_light, read_statement
from citations.dates.find_dates import find_times
from citations.entities.entities import Entity, find_entities
from citations.entities.find_place_entities import place_key
from citations.find_quantities import find_quantities
from citations.quantities.compare_amounts import Match, agree, states
from citations.quantities.quantity_types import LOWER, UPPER, BoundKind, Quantity
from citations.quantities.quantity_types import QuantityKind as Measure
from citations.text.claim_polarity import Force, breadth, find_denied_words, force, is_hedged, negations
from citations.text.claim_words_and_stems import STOPWORDS, content_stems, is_adverb, stem, words


class ConflictKind(StrEnum):
    NUMERIC = "numeric"
    TEMPORAL = "temporal"
    POLARITY = "polarity"
    CATEGORICAL = "categorical"


@dataclass(frozen=True, slots=True)
class SentenceConflict:
    """A conflict between two sentences: the words of either side that cannot both hold."""

    kind: ConflictKind
    mine: str
    theirs: str

    @property
    def text(self) -> str:
        return f"“{self.mine}” against “{self.theirs}”"


@dataclass(frozen=True, slots=True)
class _StanceConflict:
    """Two answers to one question that exclude each other."""

    question: StanceQuestion
    mine: StatementStance
    theirs: StatementStance


_RECENT = 256  # pairs; each is needed again within one comparison
_SAME_THING = 0.6  # share of the words of one side that the other has, too
_SAME_WORDING = 0.4  # the same for the side that says more
_LIKELY = 0.6  # cosine that makes up for few shared words of two rules, down to:
_LIKELY_TOPIC = 0.25
_COPY = 0.7  # share of the terms that match in order
_TURNED_COPY = 0.6  # the same, if a negation or an opposite shows that the rest is alike
_TURNED_CHANGES = 2  # the negation or opposite, and one more
_SAME_EVENT = 0.7  # share of the content of either side
_OPENING = 3  # terms in which a change means another subject and so another statement
_MIN_SHARED = 0.3  # share of the shorter sentence's words, including figures
_TURNED_THING, _TURNED_WORDING = 0.7, 0.5  # like the first two, for sentences of which one denies
_ACT = 4  # words by which two acts are recognized as one
_SLIGHT = 0.02  # of the larger figure: two measurements of one thing may differ by so much
_CODE_SHARE = 0.025  # share of the characters
_CODE_MARKS = 2
_CODE = re.compile(r"[{}=<>$\\*;_|#~^]|\w\(|::")
_CODED = re.compile(r"(?=.*[a-z])(?=.*\d)")  # a name with digits: sha256, django 5.2
_PERMISSION = frozenset(stem(each) for each in ("permit", "allow", "accept", "support", "accommodate"))
_BEFORE_OR_AFTER = re.compile(r"\b(before|after)\b", re.IGNORECASE)
_UNIQUE = re.compile(
    r"\b(?:w[io]ns?|winner|wr[io]t(?:e|ten)|designed|led|headquarter\w*|"
    r"buried|held|named after|based|situated|located|capital)\b",
    re.IGNORECASE,
)  # done by one person or place only, besides the events


@lru_cache(maxsize=_RECENT)
def difference(a: str, b: str, cosine: float | None = None) -> SentenceConflict | None:
    """Return the conflict between two sentences; None if they agree or are about different things."""
    if not _may_be_of_one_thing(a, b) or is_code(a) or is_code(b):
        return None
    if _announces(a) and _announces(b):
        return None
    pairs = _find_opposed_stances(a, b)
    laid = lay_statements(a, b, _collect_stance_words(pairs))
    copied = None if laid.limited or laid.shared < 2 else _find_conflict_in_copy(a, b, laid)
    return copied or _find_event_conflict(a, b) or _compare_statements(a, b, laid, pairs, cosine)


def _may_be_of_one_thing(a: str, b: str) -> bool:
    """A first check by words only."""
    mine, theirs = content_stems(a), content_stems(b)
    return len(mine & theirs) >= _MIN_SHARED * min(len(mine), len(theirs))


def _compare_statements(
    a: str, b: str, laid: StatementOverlap, pairs: Sequence[_StanceConflict], cosine: float | None
) -> SentenceConflict | None:
    is_rule = any(each.question is StanceQuestion.DUTY for each in pairs)
    likely = is_rule and cosine is not None and cosine >= _LIKELY and laid.least_covered >= _LIKELY_TOPIC
    on_topic = laid.most_covered >= _SAME_THING and laid.least_covered >= _SAME_WORDING and laid.shared > 1
    if not (on_topic or likely) or goes_on(a) or goes_on(b) or not _same_things(a, b):
        return None
    if laid.contrasts and not (likely and laid.are_of_agents_only):
        return None
    if (temporal := _temporal(a, b, laid)) is not None:
        return temporal
    if not times_overlap(ComparedClaim(a), ComparedClaim(b)) or not places_overlap(a, b):
        return None
    return (_numeric(a, b, laid) if on_topic else None) or _polarity(a, b, laid, pairs)


_GOING_ON = re.compile(
    r"\W*(?:this|these|those|that|it|they|he|she|such|there (?:is|are) no(?! need))\b", re.IGNORECASE
)


def goes_on(text: str) -> bool:
    """True for a sentence that refers to another for its subject: "These can be used", "It fell"."""
    return _GOING_ON.match(text) is not None


def is_code(text: str) -> bool:
    """True for a line of a program, a setting or a formula rather than a sentence."""
    marks = len(_CODE.findall(text))
    return marks >= _CODE_MARKS and marks > _CODE_SHARE * len(text)


def _announces(text: str) -> bool:
    """True if the sentence announces what follows: "There are three parameters of the index:"."""
    return text.rstrip().endswith(":")


def _same_things(a: str, b: str) -> bool:
    """True if names overlap by half, and neither side has versions or coded names of its own only."""
    mine, theirs = names_of(a), names_of(b)
    coded = {name for name in mine if _CODED.search(name)}, {name for name in theirs if _CODED.search(name)}
    if coded[0] - theirs and coded[1] - mine or _are_numbered_apart(a, b):
        return False
    return entity_overlap(mine, theirs) >= 0.5


_NUMBERED = re.compile(r"\b(?P<name>[A-Z][^\W\d_]+)\s(?P<number>\d+)(?![\d,.]*\d)")


def _are_numbered_apart(a: str, b: str) -> bool:
    """True for "Line 4" and "Line 3"."""
    mine, theirs = (
        {
            (match["name"], match["number"])
            for match in _NUMBERED.finditer(text)
            if _is_numbered(match["name"])
        }
        for text in (a, b)
    )
    return any(
        name == other and number != other_number
        for name, number in mine - theirs
        for other, other_number in theirs - mine
    )


def _is_numbered(name: str) -> bool:
    return name.lower() not in STOPWORDS and not is_adverb(name)


def names_of(text: str) -> frozenset[str]:
    """Return names without units: the "MB" of "50 MB" looks like a name."""
    figures = [quantity.span for quantity in find_quantities(text)]
    return frozenset(
        entity.key for entity in find_entities(text) if not any(entity.span.within(span) for span in figures)
    )


def _numeric(a: str, b: str, laid: StatementOverlap) -> SentenceConflict | None:
    """Return a conflict of figures for the same thing in the same case."""
    if laid.is_conditional or _sets_another_limit(a, b):
        return None
    mine, theirs = limits_of(a, b)
    met = [(x, y) for x, y in product(mine, theirs) if _may_meet(x, y)]
    agreed = [(x, y) for x, y in met if not are_apart(x.quantity, y.quantity)]
    apart = [
        (x, y)
        for x, y in met
        if not any(x is same for same, _ in agreed) and not any(y is same for _, same in agreed)
    ]
    at_one_time = [pair for pair in apart if pair[0].is_of_same_time(pair[1])]
    if not at_one_time and (laid.turned or laid.does_other):
        return None
    apart = at_one_time or [(x, y) for x, y in apart if not x.quantity.is_former and not y.quantity.is_former]
    if not apart or min(len({id(each) for each in side}) for side in zip(*apart, strict=True)) > 1:
        return None
    first, second = (each.quantity for each in apart[0])
    if not _have_one_role(a, b, first, second):
        return None
    return SentenceConflict(ConflictKind.NUMERIC, _phrase(first), _phrase(second))


def limits_of(a: str, b: str) -> tuple[list[DatedQuantity], list[DatedQuantity]]:
    """Return the figures of both; without those that set different limits, as "up to 200" and "the maximum is 50"."""
    mine, theirs = find_dated_figures(blank_asides(a)), find_dated_figures(blank_asides(b))
    for role, bound in ((FigureRole.MOST, BoundKind.AT_MOST), (FigureRole.LEAST, BoundKind.AT_LEAST)):
        if role in read_statement(a).roles & read_statement(b).roles:
            mine, theirs = ([_apply_bound(each, bound) for each in side] for side in (mine, theirs))
    return mine, theirs


def _apply_bound(figure: DatedQuantity, bound: BoundKind) -> DatedQuantity:
    quantity = figure.quantity
    if quantity.bound is not BoundKind.EXACT:
        return figure
    return replace(figure, quantity=replace(quantity, bound=bound))


def _may_meet(x: DatedQuantity, y: DatedQuantity) -> bool:
    if Measure.ORDINAL in (x.quantity.kind, y.quantity.kind):
        return False
    return x.may_meet(y) and agree(x.quantity, y.quantity) is not Match.UNRELATED


def are_apart(x: Quantity, y: Quantity) -> bool:
    """True for two figures of which only one can be right: no rounding of each other, and more than slightly apart."""
    if agree(x, y) is Match.DIFFERENT:
        return True
    sides = [(each.bound in LOWER) - (each.bound in UPPER) for each in (x, y)]
    if sides[0] != sides[1] or x.low != x.high or y.low != y.high:
        return False
    is_rounded = Match.SAME in (states(x, y), states(y, x))
    return not is_rounded and abs(x.low - y.low) > _SLIGHT * max(abs(x.low), abs(y.low))


def _have_one_role(a: str, b: str, mine: Quantity, theirs: Quantity) -> bool:
    """False for a default and a maximum, a median and a mean, an aim and a result."""
    first, second = read_statement(a).roles, read_statement(b).roles
    other = first ^ second
    if other & {FigureRole.AVERAGE, FigureRole.MEDIAN, FigureRole.AIM}:
        return False
    if not other & {FigureRole.MOST, FigureRole.LEAST}:
        return True
    return FigureRole.DEFAULT not in other and any(each.bound in LOWER | UPPER for each in (mine, theirs))


def _phrase(quantity: Quantity) -> str:
    bound = "" if quantity.bound.value == "exact" else f"{quantity.bound.value} "
    return bound + quantity.text


def _sets_another_limit(a: str, b: str) -> bool:
    """True for "permit at least 64" beside "require at least 8", and for "should" beside "shall"."""
    forces = {force(a), force(b)} - {Force.NONE}
    return bool(content_stems(a) & _PERMISSION) != bool(content_stems(b) & _PERMISSION) or forces == {
        Force.SHOULD,
        Force.MUST,
    }


def _temporal(a: str, b: str, laid: StatementOverlap) -> SentenceConflict | None:
    """Return a conflict of times for the same event; for anything else another time is another statement."""
    mine, theirs = find_times(blank_asides(a)), find_times(blank_asides(b))
    if (
        len(mine) != 1
        or len(theirs) != 1
        or not mine[0].conflicts(theirs[0])
        or laid.turned
        or laid.does_other
    ):
        return None
    if same_event(a, b):
        return SentenceConflict(ConflictKind.TEMPORAL, mine[0].text, theirs[0].text)
    return None


@lru_cache(maxsize=_RECENT)
def _find_opposed_stances(a: str, b: str) -> tuple[_StanceConflict, ...]:
    return tuple(
        _StanceConflict(mine.question, mine, theirs)
        for mine, theirs in product(stances(blank_asides(a)), stances(blank_asides(b)))
        if are_exclusive_answers(mine, theirs)
        and (mine.question not in _OF_AN_ACT or _are_of_one_act(a, mine, b, theirs))
    )


_OF_AN_ACT = frozenset({StanceQuestion.DUTY, StanceQuestion.EFFECT})


_DENYING = frozenset({"banned", "free", "none"})


def _are_of_one_act(a: str, mine: StatementStance, b: str, theirs: StatementStance) -> bool:
    """True if the act that one side denies first is also what the other is about."""
    denied = _act(a, mine) if mine.answer in _DENYING else _act(b, theirs)
    said_too = content_stems(blank_asides(b) if mine.answer in _DENYING else blank_asides(a))
    met = [any(meets(word, each) for each in said_too) for word in denied[:_ACT]]
    return bool(met) and met[0] and 2 * sum(met) >= len(met)


def _act(text: str, stance: StatementStance) -> list[str]:
    """Return the stems of the act that a stance is about: the content words after it or, without any, before it."""
    content = [word for word in words(text) if word.is_content and not is_light(word.stem)]
    following = [word.stem for word in content if word.start >= stance.span.end]
    return following or [word.stem for word in content if word.start < stance.span.start]


def _collect_stance_words(pairs: Sequence[_StanceConflict]) -> frozenset[str]:
    """Words that are compared as stances."""
    return frozenset().union(*(content_stems(f"{each.mine.text} {each.theirs.text}") for each in pairs))


def _polarity(
    a: str, b: str, laid: StatementOverlap, pairs: Sequence[_StanceConflict]
) -> SentenceConflict | None:
    """Return a single reversal between otherwise equal sentences; two reversals cancel each other."""
    is_rule = any(each.question is StanceQuestion.DUTY for each in pairs)
    if laid.limited or laid.does_other or not is_rule and _is_of_some(a, b):
        return None
    is_near = laid.most_covered >= _TURNED_THING and laid.least_covered >= _TURNED_WORDING
    if not is_near and not is_rule:
        return None
    found = _turns(a, b, laid, pairs)
    return found[0] if len(found) == 1 else None


def answer_otherwise(a: str, b: str) -> bool:
    """True if the two give answers to one question (citations.contradiction.claim_stances) that exclude each other."""
    return bool(_find_opposed_stances(a, b))


def turns(a: str, b: str) -> list[SentenceConflict]:
    """Return every yes of one side with a no of the other, whether or not both are about the same."""
    pairs = _find_opposed_stances(a, b)
    return _turns(a, b, lay_statements(a, b, _collect_stance_words(pairs)), pairs)


def _turns(
    a: str, b: str, laid: StatementOverlap, pairs: Sequence[_StanceConflict]
) -> list[SentenceConflict]:
    return [
        *_stance_turns(pairs),
        *_opposites(a, b, laid),
        *_find_one_sided_denials(a, b, laid, pairs),
        *_find_reversed_order(a, b),
    ]


def _is_of_some(a: str, b: str) -> bool:
    """True if only one side says so of some, or as a possibility."""
    if (breadth(a) == 1) != (breadth(b) == 1):
        return True
    return force(a) is not force(b) and is_hedged(a) != is_hedged(b) and Force.MAY not in (force(a), force(b))


def _stance_turns(pairs: Sequence[_StanceConflict]) -> Iterator[SentenceConflict]:
    for each in pairs:
        yield SentenceConflict(ConflictKind.POLARITY, each.mine.text, each.theirs.text)


def _opposites(a: str, b: str, laid: StatementOverlap) -> Iterator[SentenceConflict]:
    denied = [{each[0] for each in find_denied_words(text)} for text in (a, b)]
    for mine, theirs in laid.turned:
        if (mine in denied[0]) != (theirs in denied[1]):
            continue  # "not possible" and "impossible"
        yield SentenceConflict(ConflictKind.POLARITY, _find_term_text(a, mine), _find_term_text(b, theirs))


def _find_term_text(text: str, key: str) -> str:
    return next((term.text for term in terms(text) if term.key == key), key)


def _find_one_sided_denials(
    a: str, b: str, laid: StatementOverlap, pairs: Sequence[_StanceConflict]
) -> Iterator[SentenceConflict]:
    """Yield a conflict if only one side denies something that both say."""
    mine = _denials(a, [each.mine for each in pairs])
    theirs = _denials(b, [each.theirs for each in pairs])
    opposites = frozenset(word for pair in laid.turned for word in pair)
    for own, other, text, turned in ((mine, theirs, b, False), (theirs, mine, a, True)):
        denied = [
            (head, word)
            for head, word in own
            if head not in opposites
            and any(meets(head, each) for each in read_statement(text).words)
            and not any(meets(head, each) for each, _ in other)
        ]
        if denied and not negations(
            _blank_stances(blank_asides(text), [p.theirs if not turned else p.mine for p in pairs])
        ):
            sides = (denied[0][1], "(without)")
            yield SentenceConflict(ConflictKind.POLARITY, *(reversed(sides) if turned else sides))
            return


def _denials(text: str, taken: Sequence[StatementStance]) -> list[tuple[str, str]]:
    """Return the denied stems, each with its negation, outside of the stances `taken` and of "need not"."""
    free = [each for each in stances(blank_asides(text)) if each.answer == "free"]
    open_text = _blank_stances(blank_asides(text), [*taken, *free])
    return [
        (denied[0], span.cut(text))
        for span, denied in zip(negations(open_text), find_denied_words(open_text), strict=False)
        if denied and not is_light(denied[0])
    ]


def _blank_stances(text: str, taken: Sequence[StatementStance]) -> str:
    for each in taken:
        text = text[: each.span.start] + " " * len(each.span) + text[each.span.end :]
    return text


def _find_reversed_order(a: str, b: str) -> Iterator[SentenceConflict]:
    """Yield a conflict if the sentences put two things in opposite orders."""
    mine, theirs = list(_BEFORE_OR_AFTER.finditer(a)), list(_BEFORE_OR_AFTER.finditer(b))
    if len(mine) == len(theirs) == 1 and mine[0][1].lower() != theirs[0][1].lower():
        first, second = (_next_word(text, match[0].end()) for text, match in ((a, mine), (b, theirs)))
        if first and second and meets(first, second):
            yield SentenceConflict(ConflictKind.POLARITY, mine[0][1], theirs[0][1])


def _next_word(text: str, start: int) -> str:
    return next((word.stem for word in words(text) if word.start >= start and word.is_content), "")


def _find_conflict_in_copy(a: str, b: str, laid: StatementOverlap) -> SentenceConflict | None:
    """Return a figure, name, negation or opposite in which alone two sentences differ."""
    comparison = compare_terms(a, b)
    if comparison.in_order < _TURNED_COPY:
        return None
    if not times_overlap(ComparedClaim(a), ComparedClaim(b)) or not places_overlap(a, b):
        return None
    if (swapped := _categorical(a, b, comparison)) is not None:
        return swapped
    if laid.contrasts or not _same_things(a, b):
        return None
    return _find_replaced_figure(comparison) or _find_polarity_flip(comparison)


def _find_replaced_figure(found: Comparison) -> SentenceConflict | None:
    replaced = [change for change in found.changes if change.kind in REPLACING]
    if found.in_order < _COPY or len(replaced) != 1 or replaced[0].kind is not ChangeKind.FIGURE:
        return None
    if len(replaced[0].mine) != 1 or len(replaced[0].theirs) != 1:
        return None
    mine, theirs = replaced[0].mine[0].quantity, replaced[0].theirs[0].quantity
    if mine is None or theirs is None or Measure.ORDINAL in (mine.kind, theirs.kind) or mine.is_former:
        return None
    if agree(mine, theirs) is Match.UNRELATED or not are_apart(mine, theirs):
        return None
    return SentenceConflict(ConflictKind.NUMERIC, _phrase(mine), _phrase(theirs))


def _find_polarity_flip(found: Comparison) -> SentenceConflict | None:
    """Return a single negation or opposite between otherwise equal sentences; two cancel each other."""
    if found.carried_share < _SAME_EVENT:
        return None
    turns = [change for change in found.changes if change.kind in (ChangeKind.NEGATION, ChangeKind.OPPOSITE)]
    if len(turns) != 1 or found.count(set(ChangeKind) - {ChangeKind.FORM}) > _TURNED_CHANGES:
        return None
    mine, theirs = turns[0].sides
    return SentenceConflict(ConflictKind.POLARITY, mine or "(without)", theirs or "(without)")


def _find_event_conflict(a: str, b: str) -> SentenceConflict | None:
    if not (same_event(a, b) or _has_shared_unique_word(a, b)):
        return None
    mine, theirs = ({each.key: each for each in find_entities(blank_asides(text))} for text in (a, b))
    own, other = (
        [found[key] for key in found if key not in rest] for found, rest in ((mine, theirs), (theirs, mine))
    )
    if len(own) != 1 or len(other) != 1 or own[0].is_place != other[0].is_place:
        return None
    if _find_preposition(a, own[0]) != _find_preposition(b, other[0]) or not _find_preposition(a, own[0]):
        return None
    laid = lay_statements(
        a,
        b,
        frozenset(content_stems(f"{own[0].text} {other[0].text}")) | _keys(a, own[0]) | _keys(b, other[0]),
    )
    is_one = laid.most_covered >= _SAME_THING and laid.least_covered >= _SAME_WORDING and laid.shared > 1
    if (
        not is_one
        or laid.contrasts
        or laid.turned
        or laid.does_other
        or bool(negations(a)) != bool(negations(b))
    ):
        return None
    if (
        not times_overlap(ComparedClaim(a), ComparedClaim(b))
        or places_overlap(own[0].text, other[0].text)
        and own[0].is_place
    ):
        return None
    return SentenceConflict(ConflictKind.CATEGORICAL, own[0].text, other[0].text)


_WORD_BEFORE = re.compile(r"(\w+)\s+(?:the\s+)?$")
_DONE_TO = re.compile(r"\W*(?:\S+\s+){0,3}?(?:is|are|was|were|been|being)\b", re.IGNORECASE)


def _find_preposition(text: str, name: Entity) -> str:
    """Return the preposition before a name; "by" for the agent, "" for the object."""
    before = _WORD_BEFORE.search(text[: name.span.start])
    if before is not None and before[1].lower() in ("in", "at", "near", "by", "from", "to"):
        return before[1].lower()
    is_first = not content_stems(text[: name.span.start])
    return "by" if is_first and not _DONE_TO.match(text[name.span.end :]) else ""


def _keys(text: str, name: Entity) -> frozenset[str]:
    return frozenset(term.key for term in terms(text) if term.span.within(name.span))


def _has_shared_unique_word(a: str, b: str) -> bool:
    mine, theirs = (frozenset(stem(each) for each in _UNIQUE.findall(text)) for text in (a, b))
    return bool(mine & theirs)


def _categorical(a: str, b: str, found: Comparison) -> SentenceConflict | None:
    """Return a replaced name in two otherwise equal sentences.

    A change at the start of a sentence is another subject, and so another statement.
    """
    replaced = [change for change in found.changes if change.kind in REPLACING]
    if (
        not replaced
        or found.in_order < _COPY
        or any(change.kind is not ChangeKind.NAME for change in replaced)
    ):
        return None
    for change in replaced:
        if not _is_answer(a, change.mine) or not _is_answer(b, change.theirs):
            return None
        if _opens(a, change.mine) or _opens(b, change.theirs) or not _is_other_name(change):
            return None
    return SentenceConflict(ConflictKind.CATEGORICAL, *replaced[0].sides)


_CHOICE = re.compile(
    r"\b(?:choose|pick|select|use|uses|prefer|prefers|recommend|"
    r"recommends|is|are|was|were|be|by|called|named)\s+(?:the\s)?$",
    re.IGNORECASE,
)


def _is_answer(text: str, some: Sequence[Term]) -> bool:
    """True for a place, and for a name that is the point of the sentence: what is chosen, what something is."""
    if all(place_key(term.text) is not None for term in some) or same_event(text, text):
        return True
    is_whole = text[some[-1].span.end : some[-1].span.end + 1] != "-"  # not "MitM-resistant"
    return is_whole and _CHOICE.search(text[: some[0].span.start]) is not None


def _opens(text: str, some: Sequence[Term]) -> bool:
    opening = terms(text)[:_OPENING]
    return any(term in opening for term in some)


def _is_other_name(change: TermChange) -> bool:
    """False for paths in code, and for "Sec." and "Section"."""
    short, long = sorted((side.casefold() for side in change.sides), key=len)
    if short.isalpha() and long.startswith(short):
        return False
    return not any("." in term.text or term.text[0].isdecimal() for term in change.mine + change.theirs)
