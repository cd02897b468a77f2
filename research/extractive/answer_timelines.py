"""Arrange an answer to "How has it changed?": one row for each dated change or rule, oldest first. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from citations.dates.date_forms import read_forms
from citations.text.claim_polarity import Force, force
from research.extractive.answer_document_cards import Cards
from research.extractive.answer_releases import ReleaseRange, find_release, find_release_range, is_of_release
from research.extractive.answer_sections import AnswerSection, ComparisonRow
from research.extractive.question.parsed_question import ParsedQuestion, QuestionTerm, TermKind
from research.extractive.select_answer_statements import (
    SelectedClaim,
    similarity,
)
from research.extractive.sentence_cues import tells_changes

OVER_TIME = "Over time"
ROWS_MOST = 12
CONTENT = 0.5  # weight of a word from which it names a thing
OF_ONE_DATE = 3  # changes shown of one release
ROW_SAYS = 0.2  # share of the question's words in the sentence itself
ON_ASPECT = 0.5  # credit of a word of the aspect: in the sentence, or right above it
ADVICE_FLOOR = 0.75  # share of the best score, for a rule or advice of the source that the question names
RECURRING, RECURRING_MOST = 0.06, 5  # for each other document on the aspect; most of these
NAMES_ANOTHER = 0.9  # share of the question's names that are missing from sentence, heading and document
IS_CHANGE = 0.6  # cue from which a sentence states a change, or the advice of its time
ALIKE = 0.55  # cosine of two statements of the same aspect, one of each side


# Also releases that are numbered by their date: "2026.10.20".
_ISO = re.compile(r"\b((?:19|20)\d\d)([-.])(0[1-9]|1[0-2])(?:\2([0-2]\d|3[01]))?\b")
_MONTH_AND_YEAR = re.compile(r"(?<![\d/.-])(0?[1-9]|1[0-2])/((?:19|20)\d\d)\b")  # "v5.0.0 (07/2023)"
_OF_CHANGE = re.compile(
    r"chang(?:e[sd]?|ing)|new|news|newer|different|differences?|updat(?:e[sd]?|ing)|evolv(?:e[sd]?|ing)|evolution"
    r"|develop(?:s|ed|ment)?|history|happened|improve(?:d|ments?)?",
    re.IGNORECASE,
)
_OF_RELEASES = re.compile(r"versions?|releases?|editions?|updates?", re.IGNORECASE)
_NEWS = re.compile(r"^(?:what['’]s new in|changes in|new in|release notes (?:for|of))\s+", re.IGNORECASE)
_VERSION = re.compile(r"\bv?(\d+(?:\.\d+)+)\b")


def arrange_timeline(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Return a timeline with a row for each dated change, oldest first, as the whole answer."""
    if rows := _advice_over_time(question, statements, cards):
        return [_timeline("What it said", rows)]
    documents = find_dated_documents(question, cards) or _find_own_changelogs(question, statements, cards)
    of_named = [claim for claim in statements if claim.best.candidate.document_id in documents]
    aspect = _find_aspect(question, documents, cards)
    rows = _changes(of_named, question, cards, aspect) if documents else []
    tell_changes = any(cards.get_card(id).tells_changes for id in documents)
    if not rows and not question.names and not tell_changes:
        rows = _changes(statements, question, cards, aspect)
    return [_timeline("What changed", rows)] if rows else []


def _changes(
    statements: Iterable[SelectedClaim], question: ParsedQuestion, cards: Cards, aspect: frozenset[str]
) -> list[tuple[StatementDate, SelectedClaim]]:
    """Return the best changes with their dates; none if they are all of one date, unless the question asks for that.

    Without an `aspect`, the words of which are given, all changes are asked for.
    """
    found = [
        claim
        for claim in _leave_out_remarks(list(statements))
        if not claim.best.features.other_version and claim.best.features.unnamed < NAMES_ANOTHER
    ]
    is_of_one_date = _asks_for_latest(question)
    if is_of_one_date:
        found = _of_newest(found, cards)
    if not aspect:
        rows = _most_important(_dated(found, question, cards))
    else:
        on_aspect = [
            claim
            for claim in found
            if claim.best.score >= 0.68 * found[0].best.score
            and claim.best.features.own_coverage >= ROW_SAYS
            and any(claim.best.credits.get(form, 0.0) >= ON_ASPECT for form in aspect)
        ]
        rows = sorted(_few_of_each(_dated(on_aspect, question, cards)), key=lambda row: -row[1].best.score)
    named = find_release_range(question.wording)
    rows = sorted(rows, key=lambda row: not _is_of_first_release(row[1], named))[:ROWS_MOST]
    is_of_one_date = is_of_one_date or question.time.is_span or (named is not None and named.is_single)
    return rows if is_of_one_date or len({moment for moment, _claim in rows}) > 1 else []


def _leave_out_remarks(claims: Sequence[SelectedClaim]) -> list[SelectedClaim]:
    """Return the claims without those that are under no release, in documents that have headings for releases.

    Such a readme is titled by its latest release, which did not make all the changes that it speaks of.
    """
    of_release = [is_of_release(claim.best.candidate.section) for claim in claims]
    with_releases = {
        claim.best.candidate.document_id for claim, is_of in zip(claims, of_release, strict=True) if is_of
    }
    return [
        claim
        for claim, is_of in zip(claims, of_release, strict=True)
        if is_of or claim.best.candidate.document_id not in with_releases
    ]


def _is_of_first_release(claim: SelectedClaim, named: ReleaseRange | None) -> bool:
    """Return True for a change of 5.0 if the question names the major version alone: "What changed in mqtt.js 5?"."""
    if named is None or named.first is None or not named.is_single or len(named.first) > 1:
        return False
    return (find_release(claim.best.candidate.section) or ())[:2] == (*named.first, 0)


def _asks_for_latest(question: ParsedQuestion) -> bool:
    """Return True for "What is new in the latest version of X?" and "… in the latest X?"."""
    return any(
        _OF_RELEASES.fullmatch(word) or any(name.surface.startswith(word) for name in question.names)
        for word in _LATEST.findall(question.text)
    )


_LATEST = re.compile(r"\b(?:latest|newest|last|most recent|current) ([\w.+-]*\w)", re.IGNORECASE)


def _of_newest(claims: Sequence[SelectedClaim], cards: Cards) -> list[SelectedClaim]:
    """Return the claims of the newest release, by its date, else by its number."""
    placed = [(moment_of(claim, cards), claim) for claim in claims]
    have_dates = any(moment.date and moment.version for moment, _claim in placed)
    key = [(moment.date if have_dates else "", moment.version) for moment, _claim in placed]
    newest = max((place for place in key if place[1]), default=None)
    return [claim for place, (_moment, claim) in zip(key, placed, strict=True) if place == newest]


def _find_own_changelogs(
    question: ParsedQuestion, statements: Iterable[SelectedClaim], cards: Cards
) -> frozenset[str]:
    """Return the documents of what the question names that report changes in a part of them: a readme with releases."""
    own = {id for name in question.names for id in cards.find_named_documents(name.surface)}
    placed = {
        claim.best.candidate.document_id
        for claim in statements
        if claim.best.candidate.release is not None and tells_changes(claim.best.candidate.section)
    }
    return frozenset(own & placed)


def _dated(
    claims: Iterable[SelectedClaim], question: ParsedQuestion, cards: Cards
) -> list[tuple[StatementDate, SelectedClaim]]:
    """Return the claims with a date in the time that is asked about; if most have none, also those of releases. If none
    has one, those of releases without a date, which may be of that time.
    """
    placed = [(moment_of(claim, cards), claim) for claim in claims]
    dated = [
        (moment, claim) for moment, claim in placed if moment.date and _is_in_span(moment.date, question)
    ]
    released = [(moment, claim) for moment, claim in placed if moment.version]
    has_span = question.time.first is not None or question.time.last is not None
    if has_span:
        return dated or [(moment, claim) for moment, claim in released if not moment.date]
    return dated if len(dated) >= len(released) / 2 else released  # a changelog without dates


def _few_of_each(
    dated: Iterable[tuple[StatementDate, SelectedClaim]],
) -> list[tuple[StatementDate, SelectedClaim]]:
    """Return the first few changes of each date; where it has none, one statement."""
    per_moment: dict[StatementDate, list[SelectedClaim]] = defaultdict(list)
    for moment, claim in dated:
        is_change = claim.best.features.cue >= IS_CHANGE
        most = OF_ONE_DATE if is_change else 1
        if len(per_moment[moment]) < most and (is_change or not per_moment[moment]):
            per_moment[moment].append(claim)
    return [(moment, claim) for moment, claims in per_moment.items() for claim in claims]


def _most_important(
    dated: Sequence[tuple[StatementDate, SelectedClaim]],
) -> list[tuple[StatementDate, SelectedClaim]]:
    """Return a few changes of each release, the most important first, if the question names no aspect.

    New features count more than fixes, minor and major releases more than patches, and what a release lists first more
    than what it lists last.
    """
    starts: dict[StatementDate, list[int]] = defaultdict(list)
    for moment, claim in dated:
        starts[moment].append(claim.best.candidate.start)
    order = {
        moment: {start: place for place, start in enumerate(sorted(of))} for moment, of in starts.items()
    }

    def importance(row: tuple[StatementDate, SelectedClaim]) -> float:
        moment, claim = row
        is_patch = any(moment.version[2:])
        place = order[moment][claim.best.candidate.start]
        return _weigh_change(claim.best.candidate.change) + 0.3 * (not is_patch) + 0.2 / (1 + place)

    changes = [row for row in dated if row[1].best.features.cue >= IS_CHANGE]
    ranked = sorted(changes, key=lambda row: -importance(row))
    return sorted(_few_of_each(ranked), key=lambda row: -importance(row))


def _weigh_change(text: str) -> float:
    """Return 0-1: how much a kind of change matters to a reader who asks what is new."""
    if _ADDS.search(text):
        return 1.0
    return 0.3 if _MENDS.search(text) else 0.7


_ADDS = re.compile(
    r"^\W*(?:(?:we|it|this release) )?(?:now |has |have )?"
    r"(?:add(?:ed|s)?|new|introduc\w+|implement(?:s|ed)?|support(?:s|ed)?)\b"
    r"|\b(?:is|are) now (?:supported|available)\b|\bnow supports?\b|\bfirst (?:\w+ )?release\b",
    re.IGNORECASE,
)
_MENDS = re.compile(
    r"\b(?:fix(?:e[sd])?|bug\s?fix(?:es)?|typos?|regressions?|docs?|documentation|tests?|CI|refactor\w*"
    r"|clean(?:ed|s)? ?up|bump(?:s|ed)?|internal(?:ly)?)\b",
    re.IGNORECASE,
)


def asks_for_all_changes(question: ParsedQuestion, cards: Cards) -> bool:
    """Return True for "What is new in X?", whose words are all in the titles of what reports the changes of X."""
    documents = find_dated_documents(question, cards)
    return bool(documents) and not _find_aspect(question, documents, cards)


def _find_aspect(question: ParsedQuestion, documents: Iterable[str], cards: Cards) -> frozenset[str]:
    """Return the words of the question that most titles of what reports the changes do not have, by their forms."""
    titles = [cards.get_card(id).title_terms for id in documents]
    asked = (term.form for term in question.terms if _is_content(term))
    return frozenset(form for form in asked if 2 * sum(form in title for title in titles) <= len(titles))


def _is_content(term: QuestionTerm) -> bool:
    """Return True for a word that names a thing or an aspect of it: "removed", but not "changed" or "version"."""
    return (
        term.kind in (TermKind.WORD, TermKind.NAME)
        and term.weight >= CONTENT
        and not _OF_CHANGE.fullmatch(term.surface)
        and not _OF_RELEASES.fullmatch(term.surface)
    )


def _timeline(column: str, rows: Iterable[tuple[StatementDate, SelectedClaim]]) -> AnswerSection:
    """Return the rows as a section, oldest first, those of one date in reading order."""
    placed = list(rows)
    has_dates = all(moment.date for moment, _claim in placed)

    def place(row: tuple[StatementDate, SelectedClaim]) -> tuple[str, tuple[int, ...], int]:
        moment, claim = row
        return moment.date if has_dates else "", moment.version, claim.best.candidate.start

    ordered = sorted(placed, key=place)
    return AnswerSection(
        OVER_TIME,
        kind="table",
        is_short=True,
        head="Release or date",
        columns=(column,),
        rows=tuple(
            ComparisonRow(moment.label, ((_without_marks(claim),),), moment.date) for moment, claim in ordered
        ),
    )


def _without_marks(claim: SelectedClaim) -> SelectedClaim:
    """Return the claim without headings of releases, which the labels of the rows repeat."""
    best, *further = (replace(item, candidate=item.candidate.without_mark) for item in claim.sentences)
    return SelectedClaim(best, tuple(further))


def _advice_over_time(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[tuple[StatementDate, SelectedClaim]]:
    """Select a requirement or recommendation of each dated document of the named source.

    Aspects that several of these documents cover come first, since they show what has changed.
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
    """Return the score of a statement, increased for each other document with a statement on the same aspect."""
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
        return "-".join(part for part in (iso[1], iso[3], iso[4]) if part)
    if month := _MONTH_AND_YEAR.search(text):
        return f"{month[2]}-{int(month[1]):02}"
    written = (reading.start for _match, reading in read_forms(text))
    moment = next((moment for moment in written if moment.year and moment.month), None)
    if moment is None:
        return ""
    day = f"-{moment.day:02}" if moment.day else ""
    return f"{moment.year}-{moment.month:02}{day}"


def _is_in_span(date: str, question: ParsedQuestion) -> bool:
    year = int(date[:4])
    first, last = question.time.first, question.time.last
    return (first is None or year >= first) and (last is None or year <= last)


def find_dated_documents(question: ParsedQuestion, cards: Cards) -> frozenset[str]:
    """Return the documents of the source that the question asks about.

    Otherwise they are those of a thing that it names, if they report changes or have several dates.
    """
    if question.source and (of_source := cards.find_own_documents(question.source)):
        return frozenset(of_source)
    names = [name.surface for name in question.names]
    for group in (names, [term.surface for term in question.terms if _is_content(term)]):
        found = []
        for name in group:
            own = [cards.by_id[id] for id in cards.find_named_documents(name)]
            is_dated = len({card.published for card in own if card.published}) >= 2
            telling = [card for card in own if card.tells_changes]
            if telling or (own and is_dated):
                found.append(frozenset(card.id for card in telling or own))
        if found:
            return min(found, key=len)  # of "pytest" and "pytest-cov", the latter
    return frozenset()
