"""Compose an answer in the form that its question asks for: a fact, timeline, comparison, positions, steps or list.

Sections contain statements, each once with all its sources. The first section is the short answer; its statements are
repeated below only in tables. Only headings are written here: every sentence is a source's own. Pure.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from research.extractive.answer_comparisons import arrange_comparison
from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.answer_instances import find_class_asked
from research.extractive.answer_lists import arrange_list, join_list
from research.extractive.answer_sections import (
    DETAIL_FLOOR,
    IN_DETAIL,
    STANDARD_LENGTH,
    AnswerLength,
    AnswerSection,
    format_heading,
    list_unused,
    name_subject,
    select_diverse_statements,
    short_answer,
)
from research.extractive.answer_stance import STANCE_HEADINGS, Stance, stance_of
from research.extractive.answer_timelines import arrange_timeline
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.expected_answer_kinds import (
    GIVEN_BY_RELEASE,
    MEASURED,
    QUANTIFIED,
    AnswerKind,
    find_counted_noun,
    find_expected_kinds,
)
from research.extractive.question.parsed_question import ParsedQuestion, TermKind
from research.extractive.select_answer_statements import (
    ON_TOPIC,
    SelectedClaim,
    join_duplicates,
    repeats,
    with_other_documents,
)
from research.extractive.sentence_cues import find_subject, find_wanted_judgement, says_what_is_asked
from research.extractive.sentence_ranking import (
    ScoredCandidate,
    answer_fit,
    gives_asked_value,
    is_asked_release_date,
    select_candidates_of_source,
)
from research.extractive.terms import term_set

STEPS = "Step by step"
ALSO = "What others add"
MORE = "More from the sources"

SHORT_LIST = 320  # characters of a list that is quoted whole where one of its items answers
SHORT_MOST = 3  # statements of the short answer to a question of one part
DETAIL_MOST = 10
SHORT_FLOOR = 0.72
HOLDS_FIGURE = 0.5  # fit from which a figure is in the sentence or right beside it
SAYS_ITS_WORDS = 0.2  # added for all words that only one part of the question has
BEST_OF_ALL = 0.15  # added for the best statement on the whole question
DEFINES_IT = 0.2  # added for the definition of what a part of the question asks to define
OF_ITS_KIND = 0.2  # added for a statement with an answer of the kind that a part of the question asks for
NEAR_THE_POINT = 0.6  # share of the nearest statement's cosine to the question, for a position on it
NEAR_THE_BEST = 0.9  # share of the best score, for a statement of the short answer that takes no side
SAYS_THE_POINT = 0.4  # share of the question's words in a sentence, from which it takes a position on it
IS_THE_POINT = 0.9  # the same by meaning: share of the nearest statement's cosine
TAKES_A_SIDE = 0.7  # cue from which a sentence advises or judges
STEPS_MOST = 10
STEP_FLOOR = 0.72  # of the best score
ON_THE_MATTER = 0.2  # share of the question's words in a step
HEADED = 0.4  # cosine of the heading above a step to the question
INSTRUCTS = 1.0  # cue from which a sentence is a step


def compose(
    question: ParsedQuestion,
    ranked: Sequence[ScoredCandidate],
    cards: Cards,
    limit: int,
    length: AnswerLength = STANDARD_LENGTH,
) -> tuple[AnswerSection, ...]:
    """Arrange the sentences, given best first, in the form of the question, with at most `limit` statements.

    The additional statements of a longer answer come last, under `MORE`.
    """
    named = select_candidates_of_source(question, ranked, cards)
    statements = _with_asked_figure(question, distinct(named, question, cards))
    if question.form is not AnswerForm.LIST:
        statements = _with_whole_lists(statements)
    if not GIVEN_BY_RELEASE.isdisjoint(question.kinds):
        statements = [_with_release(claim) for claim in statements]
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
    """Return the best statements that no section has, and that repeat none of a section."""
    said = [claim for section in sections for claim in section.all_statements]
    fresh = (
        claim
        for claim in list_unused(statements, said)
        if not any(repeats(claim.best, other.best) for other in said)
    )
    return select_diverse_statements(list(fresh), length.more, length.floor, statements[0].best.score)


def distinct(
    ranked: Sequence[ScoredCandidate], question: ParsedQuestion, cards: Cards
) -> list[SelectedClaim]:
    """Return each statement once, with all its sources.

    Of the editions of a document only the newest counts, unless the question asks for changes, for a date or a version,
    or names an older one.
    """
    claims = join_duplicates(
        [
            item
            for item in ranked
            if item.candidate.shown
            and (not item.candidate.flaw or gives_asked_value(question, item.candidate))
        ]
    )
    asks_for_time = not GIVEN_BY_RELEASE.isdisjoint(question.kinds)
    names_time = any(term.kind in _MARKS for term in question.terms)
    if question.form is AnswerForm.CHANGE or asks_for_time or names_time:
        return claims
    newest = _newest_editions(cards)
    return [
        claim for claim in (_without_old_editions(claim, newest) for claim in claims) if claim is not None
    ]


_MARKS = (TermKind.VERSION, TermKind.YEAR)


def _newest_editions(cards: Cards) -> frozenset[str]:
    """Return the documents that have no later edition.

    Two documents of one title are editions only if their dates differ and they have the same publisher.
    """
    editions: dict[tuple[str, str], list[DocumentCard]] = defaultdict(list)
    for card in cards.by_id.values():
        editions[card.work].append(card)
    latest = {key: max(card.published for card in works) for key, works in editions.items()}
    return frozenset(
        card.id for key, works in editions.items() for card in works if card.published in ("", latest[key])
    )


def _without_old_editions(claim: SelectedClaim, newest: frozenset[str]) -> SelectedClaim | None:
    current = [item for item in claim.sentences if item.candidate.document_id in newest]
    if not current:
        return None
    return SelectedClaim(current[0], tuple(item for item in claim.sentences if item is not current[0]))


# --- common to all forms ----------------------------------------------------------------------------------


def _with_asked_figure(
    question: ParsedQuestion, statements: Sequence[SelectedClaim]
) -> Sequence[SelectedClaim]:
    """Return the statements with a figure, date or maker of the requested kind; all statements if there are none."""
    if (
        question.form is not AnswerForm.FACT
        or len(question.parts) > 1
        or not (QUANTIFIED | {AnswerKind.MAKER}) & set(question.kinds)
    ):
        return statements
    giving = [claim for claim in statements if is_asked_release_date(question, claim.best.candidate)]
    least = 1.0 if giving else HOLDS_FIGURE
    having = [claim for claim in statements if claim.best.features.answer >= least]
    return [*giving, *list_unused(having, giving)] or statements


def _with_whole_lists(statements: Sequence[SelectedClaim]) -> list[SelectedClaim]:
    """Return the statements with short lists instead of their items, each where its best item was."""
    whole: dict[tuple[str, tuple[int, int] | None], Candidate | None] = {}
    found = []
    for claim in statements:
        candidate = claim.best.candidate
        place = candidate.document_id, candidate.lead
        if not candidate.siblings or candidate.items:
            found.append(claim)
        elif place not in whole:
            whole[place] = join_list(candidate, SHORT_LIST)
            listed = whole[place] or candidate
            found.append(replace(claim, best=replace(claim.best, candidate=listed)))
        elif whole[place] is None:
            found.append(claim)
    return found


def _with_release(claim: SelectedClaim) -> SelectedClaim:
    """Return the claim with the heading of its release, which has the requested date or version."""
    candidate = claim.best.candidate
    return replace(claim, best=replace(claim.best, candidate=candidate.with_release))


def _within(sections: Iterable[AnswerSection], limit: int, further: int) -> Iterable[AnswerSection]:
    """Return the first sections with up to `limit` statements, each with at most `further` additional quotes."""

    def quote_others(claims: Iterable[SelectedClaim]) -> tuple[SelectedClaim, ...]:
        return tuple(with_other_documents(claim, further) for claim in claims)

    for section in sections:
        if limit <= 0:
            return
        statements, rows = section.statements[:limit], section.rows[: max(0, limit - len(section.statements))]
        statements = quote_others(statements)
        rows = tuple(replace(row, cells=tuple(map(quote_others, row.cells))) for row in rows)
        limit -= len(statements) + sum(len(cell) for row in rows for cell in row.cells)
        yield replace(section, statements=statements, rows=rows)


# --- prose ------------------------------------------------------------------------------------------------


def _in_prose(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Return the best answer to each part, then further statements on it."""
    if len(question.parts) < 2:
        short = select_diverse_statements(statements, SHORT_MOST, SHORT_FLOOR)
        detail = select_diverse_statements(
            list_unused(statements, short), DETAIL_MOST, DETAIL_FLOOR, statements[0].best.score
        )
        return [short_answer(short), *([AnswerSection(IN_DETAIL, tuple(detail))] if detail else [])]
    asked = [
        part if any(map(part.is_on_subject, statements)) else replace(part, subject=frozenset())
        for part in _split_question(question)
    ]
    by_part: list[list[tuple[float, SelectedClaim]]] = [[] for _part in asked]
    ask_figures = all(part.told_kinds for part in asked)
    for claim in statements:
        on_subject = [number for number, part in enumerate(asked) if part.is_on_subject(claim)]
        if claim.best.score < ON_TOPIC * statements[0].best.score or not on_subject:
            continue  # it would lead a part to which nothing else belongs
        of_all = BEST_OF_ALL * (claim is statements[0])
        worth = [claim.best.score_of(number) + part.fit(claim) + of_all for number, part in enumerate(asked)]
        having = [number for number in on_subject if asked[number].has_asked_figure(claim)]
        fitting = having if having and ask_figures else on_subject
        number = max(fitting, key=lambda number: worth[number])
        by_part[number].append((worth[number], claim))
    ordered = [[claim for _worth, claim in sorted(own, key=lambda item: -item[0])] for own in by_part]
    answers = [
        select_diverse_statements(part.with_asked_figure(own), 2, SHORT_FLOOR)
        for part, own in zip(asked, ordered, strict=True)
    ]
    if not any(answers):
        answers = [select_diverse_statements(own, 2, SHORT_FLOOR) for own in ordered]
    sections = [short_answer(claim for own in answers for claim in own)]
    for part, own, used in zip(asked, ordered, answers, strict=True):
        more = select_diverse_statements(
            list_unused(own, used), DETAIL_MOST - 1, DETAIL_FLOOR, own[0].best.score if own else 0.0
        )
        if used and more:
            sections.append(AnswerSection(format_heading(part.heading), tuple(more)))
    return sections


@dataclass(frozen=True, slots=True)
class _AskedPart:
    """A part of a question. `own_words` are terms that no other part has, `subject` those of what it is about."""

    text: str
    heading: str
    question: str
    kinds: tuple[AnswerKind, ...]
    own_words: frozenset[str]
    subject: frozenset[str]

    def is_on_subject(self, claim: SelectedClaim) -> bool:
        return all(claim.best.credits.get(form, 0.0) > 0.0 for form in self.subject)

    def fit(self, claim: SelectedClaim) -> float:
        """Return what is added to the score of a statement that has what this part asks for."""
        of_kind = max(self._answer_fit(kind, claim) for kind in self.kinds)
        said = sum(claim.best.credits.get(form, 0.0) for form in self.own_words) / (len(self.own_words) or 1)
        defines = says_what_is_asked(self.text, claim.best.candidate.shown)
        return OF_ITS_KIND * of_kind + DEFINES_IT * defines + SAYS_ITS_WORDS * said

    @property
    def told_kinds(self) -> list[AnswerKind]:
        return [kind for kind in self.kinds if kind in QUANTIFIED or kind is AnswerKind.MAKER]

    def has_asked_figure(self, claim: SelectedClaim) -> bool:
        """Return True if the statement has a figure, date or maker of the requested kind."""
        return any(self._answer_fit(kind, claim) >= HOLDS_FIGURE for kind in self.told_kinds)

    def with_asked_figure(self, claims: Sequence[SelectedClaim]) -> Sequence[SelectedClaim]:
        """Return the statements with a figure, date or maker of the requested kind. Without a maker nothing tells who;
        without a figure all may help.
        """
        having = list(filter(self.has_asked_figure, claims))
        return having if having or AnswerKind.MAKER in self.kinds else claims

    def _answer_fit(self, kind: AnswerKind, claim: SelectedClaim) -> float:
        is_told_here = kind in MEASURED or find_counted_noun(self.text)
        return answer_fit(kind, claim.best.candidate, self.text if is_told_here else self.question)


def _split_question(question: ParsedQuestion) -> list[_AskedPart]:
    asked = frozenset(term.form for term in question.terms if term.weight >= 0.5)
    said = [term_set((part,)) & asked for part in question.parts]
    own = [words.difference(*(other for other in said if other is not words)) for words in said]
    if not all(own):  # "and why?"
        own = [frozenset()] * len(own)
    subject = find_subject(question)
    of_subject = term_set((subject,)) & asked
    if not of_subject <= said[0]:  # a later part alone names it
        subject, of_subject = "", frozenset()
    headings = [name_subject(part, subject) if number else part for number, part in enumerate(question.parts)]
    return [
        _AskedPart(
            part,
            heading,
            question.text,
            find_expected_kinds(part),
            words,
            of_subject if number == 0 or heading != part else frozenset(),
        )
        for number, (part, heading, words) in enumerate(zip(question.parts, headings, own, strict=True))
    ]


# --- positions --------------------------------------------------------------------------------------------


_ASKS_FACT = re.compile(
    r"^\W*(?:can|could|does|did|has|have|had|will)\b"
    r"(?!.*\b(?:need|have to|should|worth|safe|secure|good|better|best)\b)",
    re.IGNORECASE | re.DOTALL,
)


def _as_positions(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Return positions for, against and depending on conditions: the best of each as the short answer, newest first.

    The others follow under their position. "Which … should I use?" offers things to choose from, "What is wrong with
    …?" wants one side, and "Can …?" or "Does …?" asks for a fact: nobody is in favour of it.
    """
    asks_choice = bool(find_class_asked(question.text)) or bool(find_wanted_judgement(question.text))
    if len(question.parts) > 1 or asks_choice or _ASKS_FACT.match(question.text):
        return _in_prose(question, statements, cards)
    pool = select_diverse_statements(statements, 12, DETAIL_FLOOR)
    nearest = max((claim.best.features.semantic for claim in pool), default=0.0)
    pool = [
        claim
        for claim in pool
        if claim is pool[0] or claim.best.features.semantic >= NEAR_THE_POINT * nearest
    ]
    held: dict[Stance, list[SelectedClaim]] = defaultdict(list)
    for claim in (claim for claim in pool if _takes_a_side(claim, nearest)):
        held[stance_of(question, claim.best.candidate.shown)].append(claim)
    sides = [stance for stance in (Stance.FOR, Stance.AGAINST, Stance.DEPENDS) if held[stance]]
    if len(sides) < 2:
        return _in_prose(question, statements, cards)
    lead = pool[0]
    neutral = [claim for claim in pool if claim.best.features.cue < TAKES_A_SIDE and claim is not lead]
    others = [held[stance][0] for stance in sides if held[stance][0] is not lead]
    fact = [claim for claim in neutral[:1] if claim.best.score >= NEAR_THE_BEST * lead.best.score]
    other_sides = [claim for claim in others if claim.best.score >= SHORT_FLOOR * lead.best.score]
    short = [lead, *other_sides, *fact]
    sections = [short_answer(short)]
    for stance in sides:
        more = list_unused(held[stance], short)[:4]
        if more:
            newest = sorted(more, key=lambda claim: _date_of(claim, cards), reverse=True)
            sections.append(AnswerSection(STANCE_HEADINGS[stance], tuple(newest), level=2))
    if rest := list_unused(neutral, short)[:3]:
        sections.append(AnswerSection(IN_DETAIL, tuple(rest), level=2))
    return sections


def _takes_a_side(claim: SelectedClaim, nearest: float) -> bool:
    """Return True if a statement advises or judges what is asked, not something beside it.

    `nearest`: the highest cosine of a statement to the question.
    """
    features = claim.best.features
    is_on_it = features.own_coverage >= SAYS_THE_POINT or features.semantic >= IS_THE_POINT * nearest
    return features.cue >= TAKES_A_SIDE and is_on_it


def _date_of(claim: SelectedClaim, cards: Cards) -> str:
    card = cards.by_id.get(claim.best.candidate.document_id)
    return card.published if card else ""


# --- steps ------------------------------------------------------------------------------------------------


def _as_steps(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Return the steps of the source that has most of them, in its order, then additions of other sources."""
    best = statements[0].best.score
    near = [claim for claim in statements if claim.best.score >= 0.6 * best]
    instructing = [
        claim
        for claim in statements
        if claim.best.features.cue >= INSTRUCTS
        and claim.best.score >= STEP_FLOOR * best
        and not claim.best.features.release_note  # "Allow …" there describes a change
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
    added = select_diverse_statements(others, 3, 0.8, best)
    return [
        short_answer([lead]),
        AnswerSection(STEPS, tuple(claim for claim in steps if claim is not lead), kind="steps"),
        *([AnswerSection(ALSO, tuple(added))] if added else []),
    ]


def _is_on_the_matter(claim: SelectedClaim) -> bool:
    """Return True if the sentence itself, or its heading, is about what is to be done, not only its document."""
    features = claim.best.features
    return features.own_coverage >= ON_THE_MATTER or features.heading >= HEADED


def _steps_of(instructions: Sequence[SelectedClaim]) -> list[SelectedClaim]:
    """Return the instructions of the sections that say most on the question, in the order of the source."""
    by_section: dict[str, list[SelectedClaim]] = defaultdict(list)
    for claim in instructions:
        by_section[claim.best.candidate.section].append(claim)
    chosen: list[SelectedClaim] = []
    by_section = {section: own for section, own in by_section.items() if any(map(_is_on_the_matter, own))}
    worth = {section: sum(claim.best.score for claim in own[:5]) for section, own in by_section.items()}
    for section in sorted(worth, key=lambda section: -worth[section]):
        own = by_section[section]
        if len(chosen) + min(len(own), 3) > STEPS_MOST or worth[section] < 0.5 * max(worth.values()):
            break
        chosen += own[: STEPS_MOST - len(chosen)]
    return sorted(chosen, key=lambda claim: claim.best.candidate.start)


# --- one source's statements ---------------------------------------------------------------------------------


def _as_source(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Return only statements of the source: the best as the short answer, the rest in its own order."""
    short = select_diverse_statements(statements, SHORT_MOST, SHORT_FLOOR)
    more = select_diverse_statements(list_unused(statements, short), 7, 0.68, statements[0].best.score)
    ordered = sorted(more, key=lambda claim: (claim.best.candidate.document_id, claim.best.candidate.start))
    return [short_answer(short), *([AnswerSection(IN_DETAIL, tuple(ordered))] if ordered else [])]


Arrange = Callable[[ParsedQuestion, Sequence[SelectedClaim], Cards], list[AnswerSection]]
_ARRANGED: Mapping[AnswerForm, Arrange] = {
    AnswerForm.POSITIONS: _as_positions,
    AnswerForm.STEPS: _as_steps,
    AnswerForm.LIST: arrange_list,
    AnswerForm.SOURCE: _as_source,
    AnswerForm.CHANGE: arrange_timeline,
    AnswerForm.COMPARISON: arrange_comparison,
}
