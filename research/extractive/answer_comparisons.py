"""Arrange an answer that compares things: first their differences, then a table of aspects. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from research.extractive.answer_document_cards import Cards
from research.extractive.answer_sections import (
    IN_DETAIL,
    AnswerSection,
    ComparisonRow,
    format_heading,
    list_unused,
    select_diverse_statements,
    short_answer,
)
from research.extractive.question.parsed_question import EDITION, ParsedQuestion
from research.extractive.question.question_word_translation import is_english_word
from research.extractive.select_answer_statements import (
    SelectedClaim,
    count_figures,
    similarity,
)
from research.extractive.sentence_cues import find_definiendum, says_what_it_is
from research.extractive.terms import STOP_WORDS, forms, leave_out_compound_names, term_set, words

COMPARED = "Side by side"
ASPECTS_MOST = 6
CELL_FLOOR = 0.8  # share of the best score of its side
OF_SIDE_MOST = 4
ALIKE = 0.55  # cosine of two statements of the same aspect, one of each side
CONTRASTING = 0.6  # cue from which a sentence names both things, or contrasts one with another
SETS_APART = 1.0  # cue from which it names both and contrasts them
IS_DEFINITION = 0.7  # cue from which a sentence says what a thing is, if only in passing


def arrange_comparison(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Return contrasts and definitions as the short answer, then a table with a row for each aspect."""
    if len(question.sides) < 2:
        return []
    sides = question.sides[:4]
    of_side = [_about_side(side, question, statements, cards) for side in sides]
    both = [claim for claim in statements if sum(claim in own for own in of_side) >= 2]
    alone = [[claim for claim in own if claim not in both] for own in of_side]
    if all(_is_edition(side, cards) for side in sides):
        rows = _aspects(sides, alone, question)
        if len(rows) > 1:
            return [short_answer(one for cell in rows[0].cells for one in cell), _build_table(sides, rows)]
    short = _choose_contrasts(sides, statements[0].best.score, both, alone)
    if find_definiendum(question) in sides:  # "What is A and how does it differ from B?" asks for A first
        short = sorted(short, key=lambda claim: not any(_defines(claim, side) for side in sides))
    if not short:
        return []
    left = [
        [claim for claim in own if claim not in short and claim.best.score >= CELL_FLOOR * own[0].best.score]
        for own in alone
    ]
    rows = _aspects(sides, left, question)
    of_each = [_build_table(sides, rows)] if len(rows) > 1 else list(_list_each_side(sides, left))
    more = select_diverse_statements(list_unused(both, short), 3, 0.8)
    return [short_answer(short), *of_each, *([AnswerSection(IN_DETAIL, tuple(more))] if more else [])]


def _list_each_side(sides: Sequence[str], left: Sequence[Sequence[SelectedClaim]]) -> Iterator[AnswerSection]:
    """Yield a section for each thing, used if there are no statements on a common aspect."""
    for side, own in zip(sides, left, strict=True):
        if own:
            yield AnswerSection(
                format_heading(side), tuple(select_diverse_statements(own, OF_SIDE_MOST, CELL_FLOOR))
            )


def _is_edition(side: str, cards: Cards) -> bool:
    return bool(EDITION.search(side) and cards.find_named_documents(side))


def _build_table(sides: tuple[str, ...], rows: Sequence[ComparisonRow]) -> AnswerSection:
    return AnswerSection(COMPARED, kind="table", head="Aspect", columns=sides, rows=tuple(rows))


def _choose_contrasts(
    sides: Sequence[str], best: float, both: Sequence[SelectedClaim], alone: Sequence[Sequence[SelectedClaim]]
) -> list[SelectedClaim]:
    """Choose sentences that contrast the things, and for each thing its definition, else its best statement."""
    defined = [
        [claim for claim in own if _defines(claim, side)] for side, own in zip(sides, alone, strict=True)
    ]
    # Where each thing is defined, a sentence that only names both of them adds nothing.
    least = SETS_APART if all(defined) else CONTRASTING
    contrasts = [
        claim
        for claim in both
        if (claim.best.features.cue >= least or _AGAINST.search(claim.best.candidate.shown))
        and claim.best.score >= 0.7 * best
    ]
    short = select_diverse_statements(contrasts, 2, 0.7)
    for definitions, own in zip(defined, alone, strict=True):
        if definitions:
            short.append(definitions[0])
        elif own and not short:
            short.append(own[0])
    if len(short) < 2:
        short += [own[0] for own in alone if own and own[0] not in short]
    return short or select_diverse_statements(both, 2, 0.7)


def _defines(claim: SelectedClaim, side: str) -> bool:
    return says_what_it_is(claim.best.candidate.shown, side) >= IS_DEFINITION


def _about_side(
    side: str, question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[SelectedClaim]:
    """Return the statements that name the side, or that are under a heading or in a document named after it."""
    others = term_set(other for other in question.sides if other != side)
    named = {forms(word)[0]: word for word in words(side)}
    own = frozenset(named) - STOP_WORDS - others
    # "Cash budget" and "expense budget": "cash" alone may be of anything, "HNSW" of "HNSW index" is not.
    are_ordinary = all(is_english_word(named[form]) for form in own)
    head_noun = (frozenset(named) & others) - STOP_WORDS if are_ordinary else frozenset[str]()
    documents = frozenset(cards.find_named_documents(side))
    if _is_edition(side, cards):
        return [claim for claim in statements if claim.best.candidate.document_id in documents]
    is_simple = "-" not in side
    found = []
    for claim in statements:
        candidate = claim.best.candidate
        said, head = (
            term_set((leave_out_compound_names(text) if is_simple else text,))
            for text in (candidate.shown, candidate.heading)
        )
        is_alone = not others & (said | head)
        is_of_side = _has_all(own, head) or candidate.document_id in documents
        is_against = bool(
            _AGAINST.search(candidate.shown)
        )  # below a heading on one: "… faster than with the other"
        is_on_head = all(claim.best.credits.get(form, 1.0) > 0.0 for form in head_noun)
        if own and is_on_head and (_has_all(own, said) or ((is_alone or is_against) and is_of_side)):
            found.append(claim)
    return found


_AGAINST = re.compile(
    r"\b(?:than|unlike|whereas|in contrast to|by contrast|compared (?:to|with)|instead of|as opposed to"
    r"|distinguish\w*|differs?|differences?)\b",
    re.IGNORECASE,
)


def _has_all(wanted: frozenset[str], said: frozenset[str]) -> bool:
    """Return True if each word, or one that begins with it, is in `said`: "argon2" in "argon2id"."""
    return all(
        word in said or (len(word) > 4 and any(other.startswith(word) for other in said)) for word in wanted
    )


def _aspects(
    sides: Sequence[str], alone: Sequence[Sequence[SelectedClaim]], question: ParsedQuestion
) -> list[ComparisonRow]:
    """Return pairs of statements on the same aspect, nearest first; each named by words that both have."""
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
    """Name the common aspect of two statements: their longest shared run of words, else words not in the question."""
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
    """Return the longest shared run, up to seven words, that adds to the question; "" if there is none."""
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
