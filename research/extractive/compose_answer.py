"""An answer takes the shape that its question asks for: a fact, a timeline, a comparison, positions, steps or a list.

Sections hold statements, each said once with all places that say it. The first section is the answer in short; its
statements are repeated below only where they belong into a table. Nothing is written here but headings: every sentence
is a source's own. Pure.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from citations.strength import work_key
from citations.text.polarity import Force, force
from research.extractive.answer_forms import AnswerForm
from research.extractive.document_cards import Cards, DocumentCard
from research.extractive.expected_answer_kinds import find_expected_kinds
from research.extractive.named_instances import find_class_asked
from research.extractive.parsed_question import EDITION, ParsedQuestion, TermKind
from research.extractive.select_claims import (
    FURTHER_LEADING,
    SelectedClaim,
    count_figures,
    join_duplicates,
    repeats,
    similarity,
    with_other_documents,
)
from research.extractive.sentence_cues import says_what_it_is, tells_changes
from research.extractive.sentence_ranking import ScoredCandidate, answer_fit
from research.extractive.stance import STANCE_HEADINGS, Stance, stance_of
from research.extractive.terms import STOP_WORDS, forms, term_set, words
from research.parsing.parsed_document import BlockKind

IN_SHORT = "In short"
IN_DETAIL = "In detail"
COMPARED = "Side by side"
OVER_TIME = "Over time"
STEPS = "Step by step"
ALSO = "What others add"


SHORT_MOST = 3  # statements of the short answer to a question of one part
DETAIL_MOST = 7
DETAIL_FLOOR = 0.82  # of the best score: what lies below is noise beside it
SHORT_FLOOR = 0.72
OF_ITS_KIND = 0.2  # for a statement that holds what one part of the question asks for
ROWS_MOST = 12
ROW_SAYS = 0.2  # of the question's words, in the sentence itself
ADVICE_FLOOR = 0.75  # of the best score, for a rule or a recommendation of the source that the question names
RECURRING, RECURRING_MOST = 0.06, 5  # for each document that speaks of the same aspect
IS_CHANGE = 0.6  # from this cue on a sentence tells a change, or the advice of its time
TAKES_A_SIDE = 0.7  # from this cue on a sentence advises or judges
STEPS_MOST = 10
STEP_FLOOR = 0.72  # of the best score
INSTRUCTS = 1.0  # from this cue on a sentence is a step
ITEMS_MOST = 15
LONGEST_LIST = 1_200  # characters of a list that is one statement
WORDS_OF_NAME = 10  # of an item that says nothing by itself
WHOLE = 0.1  # for a list that says it is whole
INTRODUCED = 0.5  # of the words for what is asked for, in the line before a list or its heading
ASPECTS_MOST = 6
CELL_FLOOR = 0.8  # of the best statement of its side
OF_SIDE_MOST = 4
ALIKE = 0.55  # cosine of two statements of the same aspect, one of each side
CONTRASTING = 0.6  # from this cue on a sentence sets things apart
IS_DEFINITION = 0.7  # says what a thing is, if only by the way


MORE = "More from the sources"


@dataclass(frozen=True, slots=True)
class AnswerLength:
    """How much an answer says. `more` statements follow where its form has said what it has to say."""

    statements: int = 10_000  # at most, in all
    more: int = 0
    floor: float = DETAIL_FLOOR  # of the best score, for what follows
    sources: int = FURTHER_LEADING + 1  # of a statement that are quoted


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A line of a timeline or a comparison. `date` is ISO 8601, possibly partial; empty for none."""

    label: str
    cells: tuple[tuple[SelectedClaim, ...], ...]
    date: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """Statements under a heading. `kind`: list, steps or table; a table has `columns` and `rows`."""

    heading: str
    statements: tuple[SelectedClaim, ...] = ()
    kind: str = "list"
    level: int = 1
    is_short: bool = False
    head: str = ""  # of the column of the rows' labels
    columns: tuple[str, ...] = ()
    rows: tuple[ComparisonRow, ...] = ()

    @property
    def all_statements(self) -> tuple[SelectedClaim, ...]:
        """In reading order."""
        return self.statements + tuple(one for row in self.rows for cell in row.cells for one in cell)


def compose(
    question: ParsedQuestion,
    ranked: Sequence[ScoredCandidate],
    cards: Cards,
    limit: int,
    length: AnswerLength = AnswerLength(),
) -> tuple[AnswerSection, ...]:
    """Arrange what was found, best first, as the question asks for it; with at most `limit` statements.

    What a longer answer says besides comes last, under `MORE`.
    """
    named = _of_named_documents(question, ranked, cards)
    statements = distinct(named, question, cards)
    if not statements:
        return ()
    arrange = _ARRANGED.get(question.form, _in_prose)
    sections = arrange(question, statements, cards) or _in_prose(question, statements, cards)
    more = _select_more(statements, sections, length)
    sections = [*sections, AnswerSection(MORE, tuple(more))] if more else sections
    return tuple(_within(sections, min(limit, length.statements), length.sources - 1))


def _select_more(
    statements: Sequence[SelectedClaim], sections: Sequence[AnswerSection], length: AnswerLength
) -> list[SelectedClaim]:
    """The best of what no section says, none of which repeats what one does."""
    said = [claim for section in sections for claim in section.all_statements]
    fresh = (
        claim
        for claim in _rest(statements, said)
        if not any(repeats(claim.best, other.best) for other in said)
    )
    return _select_diverse_statements(list(fresh), length.more, length.floor, statements[0].best.score)


def distinct(
    ranked: Sequence[ScoredCandidate], question: ParsedQuestion, cards: Cards
) -> list[SelectedClaim]:
    """Each statement once, with all sources that make it; of editions of one document the newest, unless the question
    asks how it changed or names an older one.
    """
    claims = join_duplicates([item for item in ranked if not item.candidate.flaw])
    if question.form is AnswerForm.CHANGE or any(term.kind in _MARKS for term in question.terms):
        return claims
    newest = _newest_editions(cards)
    return [
        claim for claim in (_without_old_editions(claim, newest) for claim in claims) if claim is not None
    ]


_MARKS = (TermKind.VERSION, TermKind.YEAR)


def _newest_editions(cards: Cards) -> frozenset[str]:
    """Documents that no later edition of the same work stands beside. Two of one title are editions only where their
    dates tell them apart and nobody else published one of them.
    """
    editions: dict[tuple[str, str], list[DocumentCard]] = defaultdict(list)
    for card in cards.by_id.values():
        editions[work_key(card.title) or card.id, (card.site or card.author).casefold()].append(card)
    latest = {key: max(card.published for card in works) for key, works in editions.items()}
    return frozenset(
        card.id for key, works in editions.items() for card in works if card.published in ("", latest[key])
    )


def _without_old_editions(claim: SelectedClaim, newest: frozenset[str]) -> SelectedClaim | None:
    current = [item for item in claim.sentences if item.candidate.document_id in newest]
    if not current:
        return None
    return SelectedClaim(current[0], tuple(item for item in claim.sentences if item is not current[0]))


# --- what all forms share ---------------------------------------------------------------------------------


def _of_named_documents(
    question: ParsedQuestion, ranked: Sequence[ScoredCandidate], cards: Cards
) -> Sequence[ScoredCandidate]:
    """Return the candidates of the source whose words the question asks for; all candidates where there are none."""
    named = frozenset(cards.find_own_documents(question.source)) if question.source else frozenset()
    own = [item for item in ranked if item.candidate.document_id in named]
    return own or ranked


def _select_diverse_statements(
    statements: Sequence[SelectedClaim], most: int, floor: float, best: float | None = None
) -> list[SelectedClaim]:
    """The best, each different from those before it, none with less than `floor` of the best score."""
    chosen: list[SelectedClaim] = []
    least = floor * (best if best is not None else statements[0].best.score if statements else 0.0)
    for claim in statements:
        if len(chosen) >= most or claim.best.score < least:
            break
        if not any(repeats(claim.best, other.best) for other in chosen):
            chosen.append(claim)
    return chosen


def _rest(statements: Sequence[SelectedClaim], used: Iterable[SelectedClaim]) -> list[SelectedClaim]:
    taken = {claim.best.candidate.key for claim in used}
    return [claim for claim in statements if claim.best.candidate.key not in taken]


def _short(statements: Iterable[SelectedClaim]) -> AnswerSection:
    return AnswerSection(IN_SHORT, tuple(statements), is_short=True)


def _within(sections: Iterable[AnswerSection], limit: int, further: int) -> Iterable[AnswerSection]:
    """The first sections with as many statements as there is room for, each with at most `further` quotes more."""

    def quoted(claims: Iterable[SelectedClaim]) -> tuple[SelectedClaim, ...]:
        return tuple(with_other_documents(claim, further) for claim in claims)

    for section in sections:
        if limit <= 0:
            return
        statements, rows = section.statements[:limit], section.rows[: max(0, limit - len(section.statements))]
        statements = quoted(statements)
        rows = tuple(replace(row, cells=tuple(map(quoted, row.cells))) for row in rows)
        limit -= len(statements) + sum(len(cell) for row in rows for cell in row.cells)
        yield replace(section, statements=statements, rows=rows)


# --- prose ------------------------------------------------------------------------------------------------


def _in_prose(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """The best answer to each part; then what else is said on it."""
    parts = question.parts
    if len(parts) < 2:
        short = _select_diverse_statements(statements, SHORT_MOST, SHORT_FLOOR)
        detail = _select_diverse_statements(
            _rest(statements, short), DETAIL_MOST, DETAIL_FLOOR, statements[0].best.score
        )
        return [_short(short), *([AnswerSection(IN_DETAIL, tuple(detail))] if detail else [])]
    fits = [_scorer_of_part(question, part) for part in parts]
    by_part: list[list[tuple[float, SelectedClaim]]] = [[] for _part in parts]
    for claim in statements:
        worth = [claim.best.score_of(number) + fit(claim) for number, fit in enumerate(fits)]
        number = max(range(len(parts)), key=lambda number: worth[number])
        by_part[number].append((worth[number], claim))
    ordered = [[claim for _worth, claim in sorted(own, key=lambda item: -item[0])] for own in by_part]
    answers = [_select_diverse_statements(own, 2, SHORT_FLOOR) for own in ordered]
    sections = [_short(claim for own in answers for claim in own)]
    for part, own, used in zip(parts, ordered, answers, strict=True):
        more = _select_diverse_statements(
            _rest(own, used), DETAIL_MOST - 1, DETAIL_FLOOR, own[0].best.score if own else 0.0
        )
        if more:
            sections.append(AnswerSection(heading_of(part), tuple(more)))
    return sections


def _scorer_of_part(question: ParsedQuestion, part: str) -> Callable[[SelectedClaim], float]:
    """Return a function that scores a statement for a part: it gains by holding the number, date or name asked for."""
    kinds = find_expected_kinds(part)

    def fit(claim: SelectedClaim) -> float:
        return OF_ITS_KIND * max(answer_fit(kind, claim.best.candidate, question.text) for kind in kinds)

    return fit


def heading_of(part: str) -> str:
    """A part of the question as a heading."""
    return (part[:1].upper() + part[1:]).rstrip(" ?.,;:")


# --- positions --------------------------------------------------------------------------------------------


def _as_positions(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """For, against, it depends: the best of each in short, newest first; the others below under their position.

    "Which … should I use?" has things to choose from, not sides.
    """
    if len(question.parts) > 1 or find_class_asked(question.text):
        return _in_prose(question, statements, cards)
    pool = _select_diverse_statements(statements, 12, DETAIL_FLOOR)
    held: dict[Stance, list[SelectedClaim]] = defaultdict(list)
    for claim in (claim for claim in pool if claim.best.features.cue >= TAKES_A_SIDE):
        held[stance_of(question, claim.best.candidate.shown)].append(claim)
    sides = [stance for stance in (Stance.FOR, Stance.AGAINST, Stance.DEPENDS) if held[stance]]
    if len(sides) < 2:
        return _in_prose(question, statements, cards)
    lead = pool[0]
    neutral = [claim for claim in pool if claim.best.features.cue < TAKES_A_SIDE and claim is not lead]
    others = [held[stance][0] for stance in sides if held[stance][0] is not lead]
    short = [lead, *(claim for claim in others if claim.best.score >= SHORT_FLOOR * lead.best.score)]
    sections = [_short(short)]
    for stance in sides:
        more = _rest(held[stance], short)[:4]
        if more:
            newest = sorted(more, key=lambda claim: _date_of(claim, cards), reverse=True)
            sections.append(AnswerSection(STANCE_HEADINGS[stance], tuple(newest), level=2))
    if neutral:
        sections.append(AnswerSection(IN_DETAIL, tuple(neutral[:3]), level=2))
    return sections


def _date_of(claim: SelectedClaim, cards: Cards) -> str:
    card = cards.by_id.get(claim.best.candidate.document_id)
    return card.published if card else ""


# --- steps ------------------------------------------------------------------------------------------------


def _as_steps(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """The steps of the source that has the most of them, in its order; then what others add."""
    best = statements[0].best.score
    near = [claim for claim in statements if claim.best.score >= 0.6 * best]
    instructing = [
        claim
        for claim in statements
        if claim.best.features.cue >= INSTRUCTS and claim.best.score >= STEP_FLOOR * best
    ]
    by_document: dict[str, list[SelectedClaim]] = defaultdict(list)
    for claim in instructing:
        by_document[claim.best.candidate.document_id].append(claim)
    worth = {id: sum(claim.best.score for claim in own[:STEPS_MOST]) for id, own in by_document.items()}
    source = max(worth, key=lambda id: worth[id], default="")
    steps = _steps_of(by_document.get(source, []))
    if len(steps) < 3:
        return _in_prose(question, statements, cards)
    lead = next((claim for claim in near if claim not in steps and claim.best.score >= 0.9 * best), steps[0])
    others = [claim for claim in near if claim.best.candidate.document_id != source and claim is not lead]
    added = _select_diverse_statements(others, 3, 0.8, best)
    return [
        _short([lead]),
        AnswerSection(STEPS, tuple(claim for claim in steps if claim is not lead), kind="steps"),
        *([AnswerSection(ALSO, tuple(added))] if added else []),
    ]


def _steps_of(instructions: Sequence[SelectedClaim]) -> list[SelectedClaim]:
    """Instructions of the sections that have the most to say on the question, in the order of the source."""
    by_section: dict[str, list[SelectedClaim]] = defaultdict(list)
    for claim in instructions:
        by_section[claim.best.candidate.section].append(claim)
    chosen: list[SelectedClaim] = []
    worth = {section: sum(claim.best.score for claim in own[:5]) for section, own in by_section.items()}
    for section in sorted(worth, key=lambda section: -worth[section]):
        own = by_section[section]
        if len(chosen) + min(len(own), 3) > STEPS_MOST or worth[section] < 0.5 * max(worth.values()):
            break
        chosen += own[: STEPS_MOST - len(chosen)]
    return sorted(chosen, key=lambda claim: claim.best.candidate.start)


# --- lists ------------------------------------------------------------------------------------------------


def _as_list(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """The items of the list that is introduced as what is asked for, in its order, each with all that name it."""
    groups: dict[tuple[str, str, str], list[SelectedClaim]] = defaultdict(list)
    for claim in statements:
        for item in claim.sentences:
            candidate = item.candidate
            own = groups[candidate.document_id, candidate.section, candidate.lead_in]
            if candidate.kind in _LISTING and not any(claim.best in known.sentences for known in own):
                own.append(
                    SelectedClaim(item, tuple(other for other in claim.sentences if other is not item))
                )
    asked = [
        forms(word)[0] for word in words(find_class_asked(question.text)) if word.lower() not in STOP_WORDS
    ]
    best = statements[0].best.score
    worth = {
        place: _score_introduction(place, asked) + sum(claim.best.score for claim in own[:4]) / 4 / best
        for place, own in groups.items()
        if own
        and max(len(own), len(own[0].best.candidate.siblings)) >= 3
        and _score_introduction(place, asked) >= INTRODUCED
        and own[0].best.score >= 0.6 * best
    }
    if not worth:
        return _in_prose(question, statements, cards)
    top = groups[max(worth, key=lambda place: worth[place])]
    items = sorted(top[:ITEMS_MOST], key=lambda claim: claim.best.candidate.start)
    joined = _join_short_items(items)
    if len(joined) == 1:
        return [_short(joined)]
    more = _select_diverse_statements(_rest(statements, items), 3, 0.85, best)
    return [_short(items), *([AnswerSection(IN_DETAIL, tuple(more))] if more else [])]


def _join_short_items(items: Sequence[SelectedClaim]) -> list[SelectedClaim]:
    """Return the whole list as one statement where its items are names behind one line: "The hashers are: A; B; C."."""
    first = items[0].best.candidate
    if not first.siblings or any(claim.best.candidate.lead != first.lead for claim in items):
        return list(items)
    listed = tuple(replace(first, start=start, end=end, text=text) for start, end, text in first.siblings)
    whole = replace(
        first,
        start=listed[0].start,
        end=listed[-1].end,
        text="\n".join([first.lead_text, *(item.text for item in listed)]),
        items=listed,
    )
    if len(whole.shown) > LONGEST_LIST or any(len(words(item.name)) > WORDS_OF_NAME for item in listed):
        return list(items)
    return [SelectedClaim(replace(items[0].best, candidate=whole))]


_LISTING = (BlockKind.LIST.value, BlockKind.TABLE.value, BlockKind.CODE.value)


def _score_introduction(place: tuple[str, str, str], asked: Sequence[str]) -> float:
    """Return the share, 0-1, of the words asked for that stand in the line before a list or in its headings, and a
    little more where it says that the list is whole; 0 without the noun itself, the last word.
    """
    _document, section, lead_in = place
    said = term_set((lead_in, section))
    if asked and asked[-1] not in said:
        return 0.0
    share = len(said.intersection(asked)) / len(asked) if asked else 1.0
    return share + WHOLE * bool(_IS_WHOLE.search(lead_in))


_IS_WHOLE = re.compile(r"\b(?:all|full|complete|entire|every|following)\b", re.IGNORECASE)


# --- what one source says ---------------------------------------------------------------------------------


def _as_source(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """The source alone: its best in short, the rest in its own order."""
    short = _select_diverse_statements(statements, SHORT_MOST, SHORT_FLOOR)
    more = _select_diverse_statements(_rest(statements, short), 7, 0.68, statements[0].best.score)
    ordered = sorted(more, key=lambda claim: (claim.best.candidate.document_id, claim.best.candidate.start))
    return [_short(short), *([AnswerSection(IN_DETAIL, tuple(ordered))] if ordered else [])]


# --- timelines --------------------------------------------------------------------------------------------

_ISO = re.compile(r"\b((?:19|20)\d\d-\d\d(?:-\d\d)?)\b")
_MONTHS = "january february march april may june july august september october november december".split()
_WRITTEN = re.compile(
    r"\b("
    + "|".join(month[:3] + "[a-z]*" for month in _MONTHS)
    + r")\.?\s+(?:\d{1,2},?\s+)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_NEWS = re.compile(r"^(?:what['’]s new in|changes in|new in|release notes (?:for|of))\s+", re.IGNORECASE)
_VERSION = re.compile(r"\bv?(\d+(?:\.\d+)+)\b")


def _as_timeline(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """One row a dated change, oldest first: the whole answer."""
    if rows := _advice_over_time(question, statements, cards):
        return [_timeline("What it said", rows)]
    documents = _find_dated_documents(question, cards)
    found = [claim for claim in statements if not documents or claim.best.candidate.document_id in documents]
    if not found:
        return []
    best = found[0].best.score
    dated = [
        (moment, claim)
        for claim in found
        if claim.best.score >= 0.68 * best
        and claim.best.features.own_coverage >= ROW_SAYS
        and (moment := moment_of(claim, cards)).date
    ]
    per_moment: dict[StatementDate, list[SelectedClaim]] = defaultdict(list)
    for moment, claim in dated:
        if not _is_in_span(moment.date, question):
            continue
        is_change = claim.best.features.cue >= IS_CHANGE
        most = 3 if is_change else 1
        if len(per_moment[moment]) < most and (is_change or not per_moment[moment]):
            per_moment[moment].append(claim)
    rows = [(moment, claim) for moment, claims in per_moment.items() for claim in claims]
    rows = sorted(rows, key=lambda row: -row[1].best.score)[:ROWS_MOST]
    if len({moment for moment, _claim in rows}) < 2:
        return []
    return [_timeline("What changed", rows)]


def _timeline(column: str, rows: Iterable[tuple[StatementDate, SelectedClaim]]) -> AnswerSection:
    """Oldest first; of one date in reading order."""
    ordered = sorted(rows, key=lambda row: (row[0].date, row[0].version, row[1].best.candidate.start))
    return AnswerSection(
        OVER_TIME,
        kind="table",
        is_short=True,
        head="Release or date",
        columns=(column,),
        rows=tuple(ComparisonRow(moment.label, ((claim,),), moment.date) for moment, claim in ordered),
    )


def _advice_over_time(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[tuple[StatementDate, SelectedClaim]]:
    """For each dated document of the source that the question names, what it requires or recommends on the matter.

    What other documents of the source speak of, too, goes first: it shows what has changed.
    """
    own = frozenset(cards.find_own_documents(question.source)) if question.source else frozenset()
    advice = [
        claim
        for claim in statements
        if claim.best.candidate.document_id in own
        and claim.best.score >= ADVICE_FLOOR * statements[0].best.score
        and claim.best.features.own_coverage >= ROW_SAYS
        and force(claim.best.candidate.shown) >= Force.SHOULD
    ]
    by_document: dict[str, list[SelectedClaim]] = defaultdict(list)
    for claim in advice:
        by_document[claim.best.candidate.document_id].append(claim)
    worth = {claim.best.candidate.key: _worth_in_timeline(claim, by_document) for claim in advice}
    rows = []
    for document, claims in by_document.items():
        best = max(claims, key=lambda claim: worth[claim.best.candidate.key])
        card = cards.get_card(document)
        if card.published and _is_in_span(card.published, question):
            rows.append((StatementDate(card.published, (), card.title), best))
    rows = sorted(rows, key=lambda row: -worth[row[1].best.candidate.key])[:ROWS_MOST]
    return rows if len({moment.date for moment, _claim in rows}) > 1 else []


def _worth_in_timeline(claim: SelectedClaim, by_document: Mapping[str, Sequence[SelectedClaim]]) -> float:
    """Return the score of a statement, and more for each other document that has one on the same aspect."""
    others = sum(
        any(similarity(claim.best, other.best) >= ALIKE for other in claims)
        for document, claims in by_document.items()
        if document != claim.best.candidate.document_id
    )
    return claim.best.score + RECURRING * min(others, RECURRING_MOST)


@dataclass(frozen=True, slots=True)
class StatementDate:
    """The date of a statement: the release or date in its heading, else its document's."""

    date: str
    version: tuple[int, ...]
    label: str


def moment_of(claim: SelectedClaim, cards: Cards) -> StatementDate:
    candidate = claim.best.candidate
    card = cards.by_id.get(candidate.document_id)
    for heading in reversed(candidate.section.split(" > ")):
        version = _VERSION.search(heading)
        date = _date_in(heading)
        if version or date:
            numbers = tuple(int(part) for part in version[1].split(".")) if version else ()
            is_whole = card is not None and (version is None or version[1] in card.title)
            label = _NEWS.sub("", heading.strip())
            return StatementDate(date or (card.published if card and is_whole else ""), numbers, label)
    version = _VERSION.search(card.title) if card else None
    numbers = tuple(int(part) for part in version[1].split(".")) if version else ()
    return StatementDate(card.published if card else "", numbers, card.title if card else "")


def _date_in(text: str) -> str:
    if iso := _ISO.search(text):
        return iso[1]
    if written := _WRITTEN.search(text):
        month = next(n for n, name in enumerate(_MONTHS, start=1) if name.startswith(written[1][:3].lower()))
        return f"{written[2]}-{month:02}"
    return ""


def _is_in_span(date: str, question: ParsedQuestion) -> bool:
    year = int(date[:4])
    first, last = question.time.first, question.time.last
    return (first is None or year >= first) and (last is None or year <= last)


def _find_dated_documents(question: ParsedQuestion, cards: Cards) -> frozenset[str]:
    """Documents of whose words the question asks for, or of what it names, where they tell changes or are of several
    dates.
    """
    if question.source and (of_source := cards.find_own_documents(question.source)):
        return frozenset(of_source)
    for name in (*(name.surface for name in question.names), *(term.surface for term in question.terms)):
        own = [cards.by_id[id] for id in cards.find_named_documents(name)]
        is_dated = len({card.published for card in own if card.published}) >= 2
        telling = [card for card in own if tells_changes(card.title)]
        if telling or (own and is_dated):
            return frozenset(card.id for card in telling or own)
    return frozenset()


# --- comparisons ------------------------------------------------------------------------------------------


def _as_comparison(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Put the contrast and the definitions in short; then a table, aspects down and things across."""
    if len(question.sides) < 2:
        return []
    sides = question.sides[:4]
    of_side = [_about_side(side, question, statements, cards) for side in sides]
    both = [claim for claim in statements if sum(claim in own for own in of_side) >= 2]
    alone = [[claim for claim in own if claim not in both] for own in of_side]
    if all(_is_edition(side, cards) for side in sides):
        rows = _aspects(sides, alone, question)
        if len(rows) > 1:
            return [_short(one for cell in rows[0].cells for one in cell), _comparison_table(sides, rows)]
    short = _choose_contrasts(sides, statements[0].best.score, both, alone)
    if not short:
        return []
    left = [
        [claim for claim in own if claim not in short and claim.best.score >= CELL_FLOOR * own[0].best.score]
        for own in alone
    ]
    rows = _aspects(sides, left, question)
    of_each = [_comparison_table(sides, rows)] if len(rows) > 1 else list(_list_each_side(sides, left))
    more = _select_diverse_statements(_rest(both, short), 3, 0.8)
    return [_short(short), *of_each, *([AnswerSection(IN_DETAIL, tuple(more))] if more else [])]


def _list_each_side(sides: Sequence[str], left: Sequence[Sequence[SelectedClaim]]) -> Iterator[AnswerSection]:
    """Yield a section for each thing, for want of statements on one aspect."""
    for side, own in zip(sides, left, strict=True):
        if own:
            yield AnswerSection(
                heading_of(side), tuple(_select_diverse_statements(own, OF_SIDE_MOST, CELL_FLOOR))
            )


def _is_edition(side: str, cards: Cards) -> bool:
    return bool(EDITION.search(side) and cards.find_named_documents(side))


def _comparison_table(sides: tuple[str, ...], rows: Sequence[ComparisonRow]) -> AnswerSection:
    return AnswerSection(COMPARED, kind="table", head="Aspect", columns=sides, rows=tuple(rows))


def _choose_contrasts(
    sides: Sequence[str], best: float, both: Sequence[SelectedClaim], alone: Sequence[Sequence[SelectedClaim]]
) -> list[SelectedClaim]:
    """Choose sentences that contrast the things, and for each thing its definition, else its best statement."""
    contrasts = [
        claim for claim in both if claim.best.features.cue >= CONTRASTING and claim.best.score >= 0.7 * best
    ]
    short = _select_diverse_statements(contrasts, 2, 0.7)
    for side, own in zip(sides, alone, strict=True):
        definitions = [
            claim for claim in own if says_what_it_is(claim.best.candidate.shown, side) >= IS_DEFINITION
        ]
        if definitions:
            short.append(definitions[0])
        elif own and not short:
            short.append(own[0])
    if len(short) < 2:
        short += [own[0] for own in alone if own and own[0] not in short]
    return short or _select_diverse_statements(both, 2, 0.7)


def _about_side(
    side: str, question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[SelectedClaim]:
    """Statements that name the side, stand under a heading that does, or in a document that is it."""
    others = term_set(other for other in question.sides if other != side)
    own = frozenset(forms(word)[0] for word in words(side)) - STOP_WORDS - others
    documents = frozenset(cards.find_named_documents(side))
    if _is_edition(side, cards):
        return [claim for claim in statements if claim.best.candidate.document_id in documents]
    found = []
    for claim in statements:
        candidate = claim.best.candidate
        said, head = term_set((candidate.shown,)), term_set((candidate.heading,))
        is_alone = not others & (said | head)
        is_of_side = _has_all(own, head) or candidate.document_id in documents
        if own and (_has_all(own, said) or (is_alone and is_of_side)):
            found.append(claim)
    return found


def _has_all(wanted: frozenset[str], said: frozenset[str]) -> bool:
    """Each of the words, or one that begins with it: "argon2" in "argon2id"."""
    return all(
        word in said or (len(word) > 4 and any(other.startswith(word) for other in said)) for word in wanted
    )


def _aspects(
    sides: Sequence[str], alone: Sequence[Sequence[SelectedClaim]], question: ParsedQuestion
) -> list[ComparisonRow]:
    """Pairs of statements on the same aspect, the nearest first; each named by the rarest words that both have."""
    first, *others = [list(own[:30]) for own in alone]
    rows: list[tuple[float, ComparisonRow]] = []
    used: set[tuple[str, int, int]] = set()
    pairs = sorted(
        (
            (similarity(a.best, b.best), n, a, b)
            for n, own in enumerate(others, start=1)
            for a in first
            for b in own
        ),
        key=lambda pair: -(pair[0] + 0.15 * (pair[2].best.score + pair[3].best.score)),
    )
    for alike, number, a, b in pairs:
        keys = {a.best.candidate.key, b.best.candidate.key}
        if alike < ALIKE or used & keys or len(rows) >= ASPECTS_MOST:
            continue
        label = aspect_of(a.best.candidate.shown, b.best.candidate.shown, question)
        if not label or any(label == row.label for _worth, row in rows):
            continue
        used |= keys
        cells = tuple((a,) if n == 0 else (b,) if n == number else () for n in range(len(sides)))
        differs = count_figures(a.best.candidate.shown) != count_figures(b.best.candidate.shown)
        rows.append((alike + a.best.score + b.best.score + 0.2 * differs, ComparisonRow(label, cells)))
    return [row for _worth, row in sorted(rows, key=lambda item: -item[0])]


def aspect_of(mine: str, theirs: str, question: ParsedQuestion) -> str:
    """Name what two statements have in common: their longest shared run of words, else words the question has not."""
    asked = {term.form for term in question.terms} | term_set(question.sides)
    run = _common_run(mine.split(), theirs.split(), asked)
    if run:
        return run
    shared = (term_set((mine,)) & term_set((theirs,))) - asked - STOP_WORDS - _NO_ASPECT
    found: dict[str, str] = {}
    for word in words(mine):
        if forms(word)[0] in shared and len(word) > 2 and not word.isdigit():
            found.setdefault(forms(word)[0], word if word.isupper() else word.lower())
    return ", ".join(list(found.values())[:3])


def _common_run(mine: Sequence[str], theirs: Sequence[str], asked: frozenset[str] | set[str]) -> str:
    """Return the longest shared run, up to seven words, that says more than the question; "" where there is none."""
    place = SequenceMatcher(
        None, _strip_marks(mine), _strip_marks(theirs), autojunk=False
    ).find_longest_match()
    run = [word.strip(_EDGES) for word in mine[place.a : place.a + place.size][:7]]
    while run and forms(run[0])[0] in STOP_WORDS | _NO_ASPECT:
        run = run[1:]
    while run and forms(run[-1])[0] in STOP_WORDS:
        run = run[:-1]
    said = term_set((" ".join(run),)) - STOP_WORDS - _NO_ASPECT
    return " ".join(run) if len(said) > 1 and said - asked else ""


def _strip_marks(tokens: Sequence[str]) -> list[str]:
    return [token.strip(_EDGES).casefold() for token in tokens]


_EDGES = ".,;:!?()[]\"'“”‘’"
_NO_ASPECT = frozenset(
    form
    for word in (
        "verify ensure use require provide support shall should must may least one also available include follow"
    ).split()
    for form in forms(word)
)


Arrange = Callable[[ParsedQuestion, Sequence[SelectedClaim], Cards], list[AnswerSection]]
_ARRANGED: Mapping[AnswerForm, Arrange] = {
    AnswerForm.POSITIONS: _as_positions,
    AnswerForm.STEPS: _as_steps,
    AnswerForm.LIST: _as_list,
    AnswerForm.SOURCE: _as_source,
    AnswerForm.CHANGE: _as_timeline,
    AnswerForm.COMPARISON: _as_comparison,
}
