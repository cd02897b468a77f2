"""Can the library answer the question? Judged by what the question names, not by similarity.

Similar passages are always found. What tells an unanswerable question is that the things it names are
carried by no passage or title together, that nothing of the asked kind stands near them, or that too
little of what it asks is found in any one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.agents.extractive.candidates import Candidate
from research.agents.extractive.cards import Cards, DocumentCard
from research.agents.extractive.expectations import (
    QUANTIFIED,
    READABLE,
    AnswerKind,
    answers,
    expected_kinds,
)
from research.agents.extractive.question import Name, Question, QuestionTerm, TermKind
from research.agents.extractive.ranking import Ranker, Scored
from research.agents.extractive.terms import forms, term_set, words

JUDGED = 40  # sentences: what cannot be found among the best is not going to be quoted either
COVERED = 0.52  # of a part's words by rarity, in one sentence with its context, to count as on the question
TOGETHER = 0.8  # of the named things' rarity that one place has to carry
UNKNOWN = 1.5  # how much more than a rare word one counts that the whole library lacks
NAME_WINDOW = 6  # words between a name and its version where a text carries both


@dataclass(frozen=True, slots=True)
class Answerability:
    """The verdict in words for the reader. `missing` holds the question's own words."""

    is_answerable: bool
    reasons: tuple[str, ...]  # why not; on an answerable question, what part of it stays open
    missing: tuple[str, ...]
    looked_for: tuple[str, ...]
    coverage: float  # 0-1, of the best part's words in the best single place


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    terms: tuple[QuestionTerm, ...]
    kinds: tuple[AnswerKind, ...]


def judge(ranker: Ranker, ranked: Sequence[Scored]) -> Answerability:
    """`ranked` comes best first from the same ranker."""
    question = ranker.question
    missing = [name for name in question.names if not _is_carried(name, ranker, ranked)]
    parts = _parts(question)
    coverages = [_best_coverage(part, ranker, ranked) for part in parts]
    best = max(coverages, default=0.0)
    open_parts = [part for part, coverage in zip(parts, coverages, strict=True) if coverage < COVERED]
    reasons = [
        *(_name_reason(name, ranker, ranked) for name in missing),
        *(_part_reason(p, ranker, ranked) for p in open_parts),
    ]
    apart = not missing and _together(ranker, ranked) < TOGETHER
    if apart:
        reasons.insert(0, f"No source speaks of {_listed(question.names)} together.")
    is_answerable = bool(ranked) and not missing and not apart and best >= COVERED
    return Answerability(
        is_answerable=is_answerable,
        reasons=tuple(dict.fromkeys(reasons))
        if reasons or is_answerable
        else ("The library holds no passage on this.",),
        missing=tuple(dict.fromkeys([*(name.surface for name in missing), *_absent_words(ranker, ranked)])),
        looked_for=looked_for(question),
        coverage=best,
    )


def _listed(names: Sequence[Name]) -> str:
    return " and ".join(dict.fromkeys(f"‘{name.surface}’" for name in names))


def looked_for(question: Question) -> tuple[str, ...]:
    """What was searched, in the question's own words."""
    names = [name.surface for name in question.names]
    inside = {term.form for name in question.names for term in name.terms}
    plain = [term.surface for term in question.terms if term.form not in inside and term.weight >= 0.5]
    kinds = [READABLE[kind] for kind in question.kinds if kind in READABLE]
    return (
        tuple(dict.fromkeys([*names, " ".join(plain), *kinds]))
        if plain
        else tuple(dict.fromkeys([*names, *kinds]))
    )


def _parts(question: Question) -> list[_Part]:
    """The sub-questions, each with the question's terms that stand in it and all its names."""
    found = []
    for text in question.parts:
        inside = {form for word in words(text) for form in forms(word)}
        terms = tuple(term for term in question.terms if term.form in inside)
        if terms:
            found.append(_Part(text, terms, expected_kinds(text)))
    return found


def _best_coverage(part: _Part, ranker: Ranker, ranked: Sequence[Scored]) -> float:
    """Of the part's words, where something of the asked kind stands; kinds that decide alone are required."""
    fitting = [item for item in ranked[:JUDGED] if _has_kind(part, item.candidate, ranker.question.text)]
    return max((_coverage(part.terms, item, ranker) for item in fitting), default=0.0)


def _has_kind(part: _Part, candidate: Candidate, asked: str) -> bool:
    text = f"{candidate.heading} {candidate.lead_in} {candidate.text}"
    return any(answers(kind, text, asked) for kind in part.kinds) or not QUANTIFIED & set(part.kinds)


def _coverage(terms: Sequence[QuestionTerm], item: Scored, ranker: Ranker) -> float:
    weights = [_weight(term, ranker) for term in terms]
    carried = sum(
        weight * item.credits.get(term.form, 0.0) for weight, term in zip(weights, terms, strict=True)
    )
    return carried / (sum(weights) or 1.0)


def _weight(term: QuestionTerm, ranker: Ranker) -> float:
    is_known = ranker.rarity.count(term.form) or ranker.cards.count(term.form)
    return ranker.weight(term) * (1.0 if is_known or term.weight < 0.5 else UNKNOWN)


def _together(ranker: Ranker, ranked: Sequence[Scored]) -> float:
    """How much of all that the question names one place carries, 0-1; 1 when it names nothing.

    Of things set side by side ("A and B") each may have a place of its own.
    """
    names = ranker.question.names
    shared = [name for name in names if not name.is_coordinated]
    groups = [[*shared, name] for name in names if name.is_coordinated] or [shared]
    return min((_best_share(group, ranker, ranked) for group in groups if group), default=1.0)


def _best_share(names: Sequence[Name], ranker: Ranker, ranked: Sequence[Scored]) -> float:
    weights = {term.form: ranker.weight(term) for name in names for term in name.terms}
    whole = sum(weights.values()) or 1.0
    carried = (sum(weights[form] for form in weights if item.credits.get(form)) for item in ranked[:JUDGED])
    return max(carried, default=0.0) / whole


def _is_carried(name: Name, ranker: Ranker, ranked: Sequence[Scored]) -> bool:
    """One title carries the whole name, or one passage does, its version close by or in its heading."""
    if any(card.carries(name) for card in ranker.cards.by_id.values()):
        return True
    return any(_carries(item.candidate, name, ranker.cards) for item in ranked)


def _carries(candidate: Candidate, name: Name, cards: Cards) -> bool:
    marks = _marks(name)
    plain = [term.form for term in name.terms if term.form not in marks]
    near = (candidate.lead_in, candidate.before, candidate.text, candidate.after)
    text, headings = term_set(near), term_set((candidate.section,))
    card = cards.by_id.get(candidate.document_id, DocumentCard(candidate.document_id, ""))
    if not all(form in text or form in headings or form in card.title_terms for form in plain):
        return False
    if not marks or any(_stand_together(part, plain, marks) for part in near):
        return True
    if not all(form in card.title_terms for form in plain):
        return False
    return marks <= headings | card.title_terms | (
        frozenset() if card.is_marked else text | card.unmarked_year
    )


def _marks(name: Name) -> set[str]:
    return {
        term.form for term in name.terms if term.kind in (TermKind.VERSION, TermKind.YEAR, TermKind.NUMBER)
    }


def _stand_together(text: str, plain: Sequence[str], marks: set[str]) -> bool:
    """The version right after its name, as in "PCI DSS v4.0": elsewhere in the text it may be another's."""
    places: dict[str, list[int]] = {}
    for index, word in enumerate(words(text)):
        for form in forms(word):
            places.setdefault(form, []).append(index)
    names = [index for form in plain for index in places.get(form, [])]
    return all(any(abs(i - j) <= NAME_WINDOW for i in names for j in places.get(mark, [])) for mark in marks)


def _name_reason(name: Name, ranker: Ranker, ranked: Sequence[Scored]) -> str:
    known = [term for term in name.terms if ranker.rarity.count(term.form) or ranker.cards.count(term.form)]
    marks = [term.surface for term in name.terms if term.form in _marks(name)]
    plain = [term.surface for term in name.terms if term.form not in _marks(name)]
    if marks and plain and len(known) > len(marks):
        return f"No source about ‘{' '.join(plain)}’ is of or mentions ‘{' '.join(marks)}’."
    return f"No source mentions ‘{name.surface}’."


def _part_reason(part: _Part, ranker: Ranker, ranked: Sequence[Scored]) -> str:
    subject = " ".join(term.surface for term in part.terms if term.weight >= 0.5)
    wanted = [READABLE[kind] for kind in part.kinds if kind in READABLE]
    if wanted:
        return f"No passage gives {' or '.join(wanted)} for ‘{subject}’."
    return f"No passage speaks of ‘{subject}’ together."


def _absent_words(ranker: Ranker, ranked: Sequence[Scored]) -> list[str]:
    """Content words that none of the judged sentences carries, even in its context."""
    found = {form for item in ranked[:JUDGED] for form, credit in item.credits.items() if credit > 0}
    inside = {term.form for name in ranker.question.names for term in name.terms}
    return [
        term.surface
        for term in ranker.question.terms
        if term.form not in found and term.form not in inside and term.weight >= 0.5
    ]
