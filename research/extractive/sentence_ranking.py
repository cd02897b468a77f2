"""Score sentences by how well they answer the question; every score keeps its named features.

There are two passes. The first is lexical and cheap, over every sentence of the retrieved chunks; the second embeds the
best few hundred and adds their semantic similarity. A sentence is read with its context: its heading, introducing line,
neighbours and document count as well, with lower weights.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import attrgetter, itemgetter, mul

import numpy as np
from numpy.typing import NDArray

from research.extractive.answer_document_cards import CardMatch, Cards
from research.extractive.answer_instances import find_class_asked, find_instances, names_one_of
from research.extractive.answer_releases import (
    Release,
    ReleaseRange,
    find_release,
    find_release_range,
    is_of_release,
)
from research.extractive.candidate_sentences import Candidate, is_date
from research.extractive.english_spellings import other_spelling
from research.extractive.lettered_names import lacks_lettered_names
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.expected_answer_kinds import (
    GIVEN_BY_RELEASE,
    MEASURED,
    QUANTIFIED,
    AnswerKind,
    answers,
    asks_release_date,
    counts_directly,
    find_counted_noun,
    find_measured_thing,
    states_amount,
)
from research.extractive.question.parsed_question import (
    EDITION,
    ParsedQuestion,
    QuestionTerm,
    TermKind,
    senses_of,
)
from research.extractive.sentence_cues import (
    CHANGES,
    asks_for_settings,
    cue_of,
    describes_setting,
    find_action_asked,
    find_definiendum,
    is_release_note,
    is_unasked_signature,
    tells_changes,
)
from research.extractive.short_forms import find_short_forms, name_as_asked, other_names
from research.extractive.standalone_sentences import is_imperative
from research.extractive.term_rarity import Rarity
from research.extractive.terms import forms, is_stop_word, term_set, words

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

EMBEDDED_AT_MOST = 240  # sentences; about 2 s on two busy cores
WORTH_OF_PASSAGE = 0.25  # weight of the passage's rank in the choice of sentences to embed
TELLING = 0.25  # rarity from which a word of a name distinguishes things
SAYS_THE_SAME = 0.8  # cosine from which a sentence of another work is taken to agree
DATED_BY_RELEASE = 0.8  # fit of a release note to "when" or "in which version": its document has the answer
AGREEING = 4  # number of agreeing works beyond which more of them add nothing
DETAILED = 25  # words of a definition beyond which more of them add nothing
OWN_QUESTION = 0.8  # closeness of a heading from which "yes" below it answers the question
NOTES_DEFINE = 0.4  # share of the cue of a definition that counts in release notes
CENTRE = 20  # number of nearest sentences, whose mean represents what the sources say on the question


@dataclass(frozen=True, slots=True)
class RankingFeatures:
    """The features of a score, each 0-1 unless stated otherwise; the score is their weighted sum."""

    coverage: float = 0.0  # share of the question's words, by rarity, anywhere in the context
    own_coverage: float = 0.0  # the same within the sentence alone
    semantic: float = 0.0  # cosine to the question (to its closest part), -1 to 1
    heading: float = 0.0  # cosine of its heading to the question, -1 to 1
    central: float = 0.0  # cosine to the mean of the nearest sentences, -1 to 1
    agreement: float = 0.0  # number of other works that say nearly the same, as a share of `AGREEING`
    answer: float = 0.0  # it has an answer of the requested kind
    cue: float = 0.0  # its wording is typical of answers to this form
    detail: float = 0.0  # its number of words as a share of `DETAILED`
    document: float = 0.0  # fit of the document's card
    chunk: float = 0.0  # fused retrieval rank of its chunk
    unnamed: float = 0.0  # share of the question's names missing from its context and document
    recency: float = 0.0  # rank of its document's date in the library
    other_version: float = 0.0  # 1: the document has another version or year than the question names
    verdict: float = 0.0  # -1 to 1: it opens with yes or no, below the question or another one
    release_note: float = 0.0  # 1: it says what a release changed, and the question does not ask for changes
    setting: float = 0.0  # 1: it describes a setting of a program, and the question asks for none
    form: float = 0.0  # how unlike a statement it is: fragment, question, boilerplate


_NAMES = [field.name for field in fields(RankingFeatures)]
_values = attrgetter(*_NAMES)
_ANSWER, _CUE, _DETAIL, _VERDICT = map(_NAMES.index, ("answer", "cue", "detail", "verdict"))
WEIGHTS = RankingFeatures(
    coverage=0.30,
    own_coverage=0.14,
    semantic=0.34,
    heading=0.12,
    central=0.12,
    agreement=0.06,
    answer=0.06,
    cue=0.08,
    document=0.10,
    chunk=0.14,
    unnamed=-0.30,
    recency=0.08,
    other_version=-0.18,
    verdict=0.20,
    release_note=-0.12,
    setting=-0.20,
    form=-0.30,
)


# What a form specifically asks for weighs more: a change, a figure, a definition.
_FORM_WEIGHTS: Mapping[AnswerForm, RankingFeatures] = {
    AnswerForm.CHANGE: replace(WEIGHTS, cue=0.28),
    # "HNSW is an algorithm." says less than what it does and for what.
    AnswerForm.DEFINITION: replace(WEIGHTS, cue=0.20, detail=0.06),
    AnswerForm.STEPS: replace(WEIGHTS, cue=0.14, release_note=-0.24),
    AnswerForm.MECHANISM: replace(WEIGHTS, cue=0.12, release_note=-0.24),
    AnswerForm.POSITIONS: replace(WEIGHTS, cue=0.12, release_note=-0.20),
}
_QUANTITY_WEIGHT = 0.22  # weight of `answer` if the question asks for a figure or a date


def weights_of(question: ParsedQuestion) -> RankingFeatures:
    """Return the weights of the features for a question of this form."""
    weights = _FORM_WEIGHTS.get(question.form, WEIGHTS)
    if question.form is AnswerForm.FACT and (QUANTIFIED | {AnswerKind.MAKER}) & set(question.kinds):
        return replace(weights, answer=_QUANTITY_WEIGHT, cue=0.16)
    return weights


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    candidate: Candidate
    features: RankingFeatures
    score: float
    credits: Mapping[str, float]  # term -> 0-1: how closely sentence and context contain it
    vector: NDArray[np.float32] | None = None
    parts: tuple[float, ...] = ()  # cosine to each part of the question, -1 to 1

    @property
    def subject_score(self) -> float:
        """The score as if it contained the question's names: how close it is to what is asked about them."""
        return self.score - WEIGHTS.unnamed * self.features.unnamed

    def score_of(self, part: int) -> float:
        """Return its score as an answer to one part of the question."""
        if part >= len(self.parts):
            return self.score
        return self.score + self.parts[part] - sum(self.parts) / len(self.parts)


@dataclass(frozen=True)
class Ranker:
    """Ranks sentences; holds everything that is constant for a question."""

    question: ParsedQuestion
    cards: Cards
    rarity: Rarity
    matches: dict[str, CardMatch]
    named: frozenset[str] = frozenset()  # things of the requested kind that the passages name
    # Short or long forms of the names in the question, each with the name as it stands there.
    other_names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, question: ParsedQuestion, cards: Cards, rarity: Rarity) -> Ranker:
        return cls(question, cards, rarity, cards.match(question, rarity))

    @cached_property
    def weights(self) -> RankingFeatures:
        return weights_of(self.question)

    def rank(
        self,
        candidates: Iterable[Candidate],
        embed: Embed,
        limit: int = EMBEDDED_AT_MOST,
    ) -> list[ScoredCandidate]:
        """Return at most `limit` sentences, those worth embedding, best first."""
        found = self._within_asked_amount(list(candidates))
        wanted = find_class_asked(self.question.text) if self.question.form is AnswerForm.POSITIONS else ""
        thing = find_definiendum(self.question)
        forms_of_names = find_short_forms(text for item in found for text in (item.text, item.section))
        ranker = replace(self, other_names=other_names(self.question.text, forms_of_names, thing))
        if wanted:
            ranker = replace(ranker, named=find_instances(wanted, (item.shown for item in found)))
        return sorted(ranker._with_semantics(ranker._best_by_words(found, limit), embed), key=_order)

    def _within_asked_amount(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return the candidates within the amount that the question sets; all of them if none is."""
        asked = self.question.amount
        if asked is None:
            return candidates
        return [candidate for candidate in candidates if asked.is_kept_by(candidate.named)] or candidates

    def _best_by_words(self, candidates: Sequence[Candidate], limit: int) -> list[ScoredCandidate]:
        """Return the `limit` readable sentences that are most worth embedding, best first.

        The features of the wording cost more than the others, and most sentences rank too low for them to matter.
        Sentences are scored in the order of their upper bounds, until none of the rest can be among the best (the
        threshold algorithm; Fagin, Lotem and Naor 2003).
        """
        spoken = [(candidate, *self._what_it_speaks_of(candidate)) for candidate in candidates]
        reach = [self._most_worth(candidate, features) for candidate, features, _ in spoken]
        best: list[tuple[tuple[float, str, int], ScoredCandidate]] = []
        for index in sorted(range(len(spoken)), key=reach.__getitem__, reverse=True):
            if len(best) >= limit and -best[limit - 1][0][0] > reach[index]:
                break
            candidate, features, credits = spoken[index]
            if self._is_readable(candidate):
                scored = self._with_wording(candidate, features, credits)
                insort(best, (_worth_embedding(scored), scored), key=itemgetter(0))
        return [scored for _, scored in best[:limit]]

    def _most_worth(self, candidate: Candidate, features: RankingFeatures) -> float:
        """Return an upper bound of the sentence's score for any wording."""
        at_best = list(_values(features))
        at_best[_ANSWER], at_best[_CUE] = 1.0, self._cue_of_document(candidate)
        at_best[_DETAIL] = at_best[_VERDICT] = 1.0
        return float(sum(map(mul, _values(self.weights), at_best))) + WORTH_OF_PASSAGE * features.chunk

    def score(self, candidate: Candidate) -> ScoredCandidate:
        """Score a sentence by words and structure alone."""
        return self._with_wording(candidate, *self._what_it_speaks_of(candidate))

    def _with_wording(
        self, candidate: Candidate, features: RankingFeatures, credits: Mapping[str, float]
    ) -> ScoredCandidate:
        worded = replace(
            features,
            answer=self._answer(candidate),
            cue=self._cue(candidate) * self._cue_of_document(candidate) * self._cue_of_action(credits),
            detail=min(1.0, len(candidate.shown.split()) / DETAILED) if self.weights.detail else 0.0,
            form=self._form(candidate),
            verdict=float(
                AnswerKind.POLARITY in self.question.kinds and bool(_YES_OR_NO.match(candidate.shown))
            ),
            setting=float(
                (not self._asks_for_settings and describes_setting(candidate))
                or is_unasked_signature(self.question, candidate)
            ),
        )
        return ScoredCandidate(candidate, worded, total(worded, self.weights), credits)

    @cached_property
    def _action(self) -> frozenset[str]:
        """The form of what a question asks how to do; none for a verb that answers replace: "build a page"."""
        asked = term_set((find_action_asked(self.question.wording),)) - _ANY_ACTION
        return frozenset(
            term.form for term in self.question.terms if term.form in asked and term.weight >= 0.5
        )

    def _cue_of_action(self, credits: Mapping[str, float]) -> float:
        """Return less than 1 for an instruction that has nothing to do with what is to be done."""
        is_step = self.question.form is AnswerForm.STEPS and self._action
        return ANOTHER_ACTION if is_step and not any(credits.get(form) for form in self._action) else 1.0

    def _cue(self, candidate: Candidate) -> float:
        if is_asked_release_date(self.question, candidate):
            return 1.0
        renamed = name_as_asked(candidate.shown, self.other_names)
        return cue_of(self.question, candidate, self.named, renamed)

    def _what_it_speaks_of(self, candidate: Candidate) -> tuple[RankingFeatures, Mapping[str, float]]:
        """Return the features that do not depend on the wording, and how closely each term is contained."""
        own = term_set((candidate.named,))
        if self.named and names_one_of(self.named, candidate.shown):
            own |= term_set((find_class_asked(self.question.text),))  # "bcrypt" counts as an algorithm
        if (renamed := name_as_asked(candidate.named, self.other_names)) != candidate.named:
            own |= term_set((renamed,))
        near = term_set((candidate.lead_in, candidate.heading, candidate.before))
        path = term_set((candidate.section, candidate.after))
        release = find_release(candidate.section) if self._releases else None
        if self._releases and release and release in self._releases:
            marks = (TermKind.VERSION, TermKind.NUMBER)
            own |= {term.form for term in self.question.terms if term.kind in marks}
        match = self.matches.get(candidate.document_id, CardMatch())
        subject = self._subjects.get(candidate.document_id, frozenset())
        places = (
            (own, 1.0),
            (near, 0.7),
            (path, 0.5),
            (match.carried, 0.6),
            (subject, 1.0),
        )
        terms = self._terms_to_find
        credits = {term.form: term.credit(places) for term in terms}
        matter = {term.form: term.credit(places[:1]) for term in terms if term.form not in subject}
        features = RankingFeatures(
            coverage=self._compute_coverage(credits),
            own_coverage=self._compute_coverage(matter),
            document=match.fit,
            chunk=candidate.chunk_score,
            unnamed=1.0 if self._is_of_another_letter(candidate) else self._measure_missing_names(credits),
            recency=self.cards.recency(candidate.document_id),
            other_version=float(self._is_of_another_version(match, release, (own, near, path))),
            release_note=float(
                self.question.form is not AnswerForm.CHANGE
                and GIVEN_BY_RELEASE.isdisjoint(self.question.kinds)
                and self._is_release_note(candidate)
            ),
        )
        return features, credits

    def _is_of_another_letter(self, candidate: Candidate) -> bool:
        """Return True if it is about another one of a series: "Bulletin B" instead of "Bulletin A"."""
        title = self.cards.get_card(candidate.document_id).title
        said = (candidate.shown, candidate.lead_in, candidate.before, candidate.section, title)
        return lacks_lettered_names(self.question.text, "\n".join(said))

    def _measure_missing_names(self, credits: dict[str, float]) -> float:
        """Return the share of the question's names that are missing, 0–1: a statement about another thing is no answer.

        One of several things compared is enough; words that most passages have are ignored.
        """
        together: list[float] = [1.0]
        apart: list[float] = []
        for rare, is_apart in self._rare_names:
            carried = min((credits[form] for form in rare), default=1.0)
            (apart if is_apart else together).append(carried)
        return 1.0 - min(*together, max(apart, default=1.0))

    @cached_property
    def _rare_names(self) -> list[tuple[list[str], bool]]:
        """Return the specific words of each of the question's names, and True for one of several things compared."""
        sides = term_set(self.question.sides)
        names = []
        for name in self.question.names:
            telling = (term for term in name.terms if not is_stop_word(term.surface))  # not "WHERE"
            rare = [term.form for term in telling if self.rarity.of(term.form) > TELLING]
            names.append((rare, name.is_coordinated or bool(sides.intersection(rare))))
        return names

    @cached_property
    def _subjects(self) -> Mapping[str, frozenset[str]]:
        """Return the question's terms that are the subject of a document, by document."""
        return {document: self._subject(match) for document, match in self.matches.items()}

    def _subject(self, match: CardMatch) -> frozenset[str]:
        """Return the question's terms that are the subject of the document: its sentences need not repeat them."""
        return frozenset(
            term.form
            for term in self.question.terms
            if term.form in match.carried and (term.is_specific or self._is_rare(term))
        )

    def _is_rare(self, term: QuestionTerm) -> bool:
        """Return True for a name in lower case: few titles and few passages have it."""
        return self.cards.rarity(term.form) > 0.5 and self.rarity.of(term.form) > 0.4

    def weight(self, term: QuestionTerm) -> float:
        """Return the weight of a term: that of its kind times its rarity in this library."""
        known_from_cards = not self.rarity.count(term.form) and self.cards.count(term.form)
        rarity = self.cards.rarity(term.form) if known_from_cards else self.rarity.of(term.form)
        return term.weight * rarity

    @cached_property
    def _asked_weights(self) -> Mapping[str, float]:
        return {
            term.form: self.weight(term) for term in self.question.terms if term.form in self._asked_forms
        }

    def _compute_coverage(self, credits: dict[str, float]) -> float:
        weights = self._asked_weights
        return sum(weights[form] * credit for form, credit in credits.items() if form in weights) / (
            sum(weights.values()) or 1.0
        )

    def _answer(self, candidate: Candidate) -> float:
        """Return 1 for an answer in the sentence itself, less for one in the line before it or its heading."""
        if self.named and is_imperative(candidate.shown) and names_one_of(self.named, candidate.shown):
            return 1.0
        fit = max(answer_fit(kind, candidate, self.question.text) for kind in self.question.kinds)
        is_dated = not GIVEN_BY_RELEASE.isdisjoint(self.question.kinds) and self._is_release_note(candidate)
        return max(fit, DATED_BY_RELEASE) if is_dated else fit

    def _cue_of_document(self, candidate: Candidate) -> float:
        """Return the share of a cue that counts in this document: in release notes, words of change mean changes, and
        "name: …" defines nothing; elsewhere, words of change mostly describe settings.
        """
        if self.question.form is AnswerForm.DEFINITION:
            return NOTES_DEFINE if self._is_release_note(candidate) else 1.0
        if self.question.form is AnswerForm.CHANGE:
            return 1.0 if self._tells_changes(candidate) else 0.6
        return 1.0

    def _tells_changes(self, candidate: Candidate) -> bool:
        title = self.cards.get_card(candidate.document_id).title
        return tells_changes(f"{title} {candidate.section}") or is_of_release(candidate.section)

    def _is_release_note(self, candidate: Candidate) -> bool:
        """Return True below a heading of changes, or in a document of them; a readme with a changelog has more."""
        title = self.cards.get_card(candidate.document_id).title
        title = "" if _IS_README.search(title) else title
        place = f"{title} {candidate.section} {candidate.lead_in if candidate.kind == 'table' else ''}"
        return is_release_note(place) or is_of_release(candidate.section)

    @cached_property
    def _releases(self) -> ReleaseRange | None:
        """Return the releases whose changes the question asks for; a bare decimal number is not a release."""
        if self.question.form is not AnswerForm.CHANGE:
            return None
        asked = find_release_range(self.question.wording)
        of_names = (term.kind for name in self.question.names for term in name.terms)
        is_decimal = asked is not None and asked.is_single and len(asked.first or ()) > 1
        is_decimal = is_decimal and not _CALLED_RELEASE.search(self.question.wording)
        return None if is_decimal and TermKind.VERSION not in of_names else asked

    @cached_property
    def _terms_to_find(self) -> tuple[_TermToFind, ...]:
        return tuple(map(_TermToFind.of, self.question.terms))

    def _is_of_another_version(
        self, match: CardMatch, release: Release | None, near: Sequence[frozenset[str]]
    ) -> bool:
        """Return True if neither the passage nor its document is of the requested version."""
        if self._releases is not None and release is not None:
            return release not in self._releases
        is_unmarked = self._releases is not None and self._releases.is_single
        return (match.is_other_version or is_unmarked) and self._versions.isdisjoint(
            match.carried.union(*near)
        )

    @cached_property
    def _asks_for_settings(self) -> bool:
        return asks_for_settings(self.question)

    def _form(self, candidate: Candidate) -> float:
        if candidate.kind == "code" and self._is_asked_code(candidate):
            return 0.0
        if gives_asked_value(self.question, candidate):
            return 0.0
        if candidate.flaw:
            return 1.0
        is_retired = self._asks_for_what_holds and _IS_DEPRECATED.search(candidate.shown)
        return max(_form(candidate), DEPRECATED if is_retired else 0.0)

    @cached_property
    def _asks_for_what_holds(self) -> bool:
        """Return True if what is deprecated answers nothing: the question asks for no change, nor if it still holds."""
        question = self.question
        return question.form is not AnswerForm.CHANGE and not _ASKS_OF_OLD.search(question.wording)

    def _is_readable(self, candidate: Candidate) -> bool:
        """Return True if it can be quoted; a value of a list in code is informative only in a list."""
        if candidate.kind == "code" and self.question.form is not AnswerForm.LIST:
            return self._is_asked_code(candidate)
        return not candidate.flaw or self._is_asked_code(candidate)

    def _is_asked_code(self, candidate: Candidate) -> bool:
        """Return True for a line of code with the requested figure or a named identifier."""
        asked = self.question.text
        if any(kind in QUANTIFIED and answers(kind, candidate.text, asked) for kind in self.question.kinds):
            return True
        named = (term.surface for term in self.question.terms if _IDENTIFIER.search(term.surface))
        return any(name in candidate.text for name in named)

    @cached_property
    def _versions(self) -> frozenset[str]:
        """The requested versions and years, which a passage itself may name, like a changelog's section."""
        return frozenset(
            term.form
            for name in self.question.names
            for term in name.terms
            if term.kind in ("version", "year")
        )

    def _with_semantics(self, scored: list[ScoredCandidate], embed: Embed) -> list[ScoredCandidate]:
        if not scored:
            return []
        parts = list(dict.fromkeys((self.asked_text, *self.question.whole_parts)))
        headings = list(dict.fromkeys(_get_heading(item.candidate) for item in scored))
        texts = [self._add_gloss(in_context(item.candidate)) for item in scored]
        vectors = embed([*parts, *headings, *texts])
        asked, found = vectors[: len(parts)], vectors[len(parts) + len(headings) :]
        asks = np.array([1.5 if "?" in heading else 1.0 for heading in headings])  # its text answers it
        headed = asks * (vectors[len(parts) : len(parts) + len(headings)] @ asked[0])
        named = dict(zip(headings, headed.tolist(), strict=True))
        cosines = found @ asked.T
        closest = 0.6 * cosines[:, 0] + 0.4 * cosines.max(axis=1)
        of_parts = cosines[:, 1:] if len(parts) > 1 else cosines
        central = found @ found[np.argsort(-closest)[:CENTRE]].mean(axis=0)
        agreement = self._measure_agreement(scored, found)
        return [
            self._closer(
                item,
                vector,
                tuple(of),
                semantic=close,
                heading=named[_get_heading(item.candidate)],
                verdict=item.features.verdict * _is_verdict_on(named[_get_heading(item.candidate)]),
                central=centre,
                agreement=agrees,
            )
            for item, close, centre, agrees, vector, of in zip(
                scored, closest.tolist(), central.tolist(), agreement, found, of_parts.tolist(), strict=True
            )
        ]

    def _measure_agreement(
        self, scored: Sequence[ScoredCandidate], vectors: NDArray[np.float32]
    ) -> list[float]:
        """Return 0-1 for each sentence: how many other works say nearly the same; editions of one count once."""
        numbers: dict[tuple[str, str], int] = {}
        works = np.array(
            [
                numbers.setdefault(self.cards.get_card(item.candidate.document_id).work, len(numbers))
                for item in scored
            ]
        )
        alike = vectors @ vectors.T >= SAYS_THE_SAME
        others = (
            len(set(works[near].tolist()) - {own}) for near, own in zip(alike, works.tolist(), strict=True)
        )
        return [min(count, AGREEING) / AGREEING for count in others]

    def _add_gloss(self, text: str) -> str:
        """Prepend the requested kind to a text that names a thing of it: "password hashing algorithm: bcrypt …"."""
        if not self.named or not names_one_of(self.named, text):
            return text
        return f"{find_class_asked(self.question.text)}: {text}"

    @cached_property
    def asked_text(self) -> str:
        """The text with which sentences are compared.

        If the question names its documents, it is the question without their names, which would favour sentences about
        the documents themselves.
        """
        return self.matter or self.question.wording or self.question.text

    @cached_property
    def matter(self) -> str:
        """The question without the names of its documents; empty if it names none, or asks nothing more."""
        question = self.question
        if (
            question.form is AnswerForm.SOURCE
            and question.source
            and self.cards.find_named_documents(question.source)
        ):
            return question.matter_without((question.source,))
        if question.form is AnswerForm.COMPARISON and question.sides:
            are_editions = all(
                self.cards.find_named_documents(side) and EDITION.search(side) for side in question.sides
            )
            return question.matter_without(question.sides) if are_editions else ""
        if question.form is AnswerForm.CHANGE:
            subjects = (*question.subjects, *(term.surface for term in question.terms if term.weight >= 0.5))
            named = next(
                (
                    name
                    for name in subjects
                    if not CHANGES.search(name) and self.cards.find_named_documents(name)
                ),
                "",
            )
            matter = question.matter_without((named,)) if named else ""
            return matter if any(map(str.isalpha, matter)) else ""
        return ""

    @cached_property
    def _asked_forms(self) -> frozenset[str]:
        """Return the forms of the terms that sentences should contain, without names of documents."""
        every = frozenset(term.form for term in self.question.terms)
        if not self.matter:
            return every
        matter = term_set((self.matter,))
        return frozenset(form for form in every if form in matter) or every

    def _closer(
        self,
        item: ScoredCandidate,
        vector: NDArray[np.float32],
        parts: tuple[float, ...],
        **meaning: float,
    ) -> ScoredCandidate:
        features = replace(item.features, **meaning)
        return replace(
            item, features=features, score=total(features, self.weights), vector=vector, parts=parts
        )


def is_asked_release_date(question: ParsedQuestion, candidate: Candidate) -> bool:
    """Return True for the date below the title of the release that the question asks for."""
    if not (candidate.release and asks_release_date(question.wording) and is_date(candidate.text)):
        return False
    named = {term.form for name in question.names for term in name.terms}
    return bool(named) and named <= term_set((candidate.release_text,))


def gives_asked_value(question: ParsedQuestion, candidate: Candidate) -> bool:
    """Return True for code with the value of an identifier that the question asks for: "int efSearch = 16"; and for
    the date of a release.
    """
    if is_asked_release_date(question, candidate):
        return True
    asks = question.form is AnswerForm.FACT and (
        not QUANTIFIED.isdisjoint(question.kinds) or _ASKS_VALUE.search(question.text) is not None
    )
    if not asks or candidate.flaw != "code":
        return False
    named = (term.surface for term in question.terms if _IDENTIFIER.search(term.surface))
    return any(re.search(rf"{re.escape(name)}\w*\W+\d", candidate.text) for name in named)


_ASKS_VALUE = re.compile(r"\b(?:default|value|set to)\b", re.IGNORECASE)


def select_candidates_of_source(
    question: ParsedQuestion, ranked: Sequence[ScoredCandidate], cards: Cards
) -> Sequence[ScoredCandidate]:
    """Return the candidates of the source that the question asks about; all candidates if there are none."""
    named = frozenset(cards.find_own_documents(question.source)) if question.source else frozenset()
    own = [item for item in ranked if item.candidate.document_id in named]
    return own or ranked


def _is_verdict_on(heading: float) -> float:
    """Return from -1 for a yes or no to another question to 1 for one to the question, by the heading's closeness."""
    return max(-1.0, min(1.0, 5 * (heading - OWN_QUESTION)))


def _get_heading(candidate: Candidate) -> str:
    """Return the heading path. A question right before the sentence is its heading: a list of questions without markup
    has no others.
    """
    if candidate.before.rstrip().endswith("?"):
        return candidate.before[-200:]
    return candidate.section.replace(" > ", ". ")[-200:] or " "


def in_context(candidate: Candidate) -> str:
    """Return the text embedded for a sentence, with heading and lead-in, without which short ones mean little."""
    words = len(candidate.shown.split())
    is_led = candidate.lead is not None  # it is already shown after its lead-in
    parts = [
        candidate.heading if words < 40 else "",
        candidate.lead_in if words < 25 and not is_led and not candidate.row else "",
        candidate.shown,
    ]
    return ". ".join(part.strip(" .:") for part in parts if part)


def total(features: RankingFeatures, weights: RankingFeatures = WEIGHTS) -> float:
    """Return the weighted sum of the features."""
    return float(sum(map(mul, _values(weights), _values(features))))


def _worth_embedding(item: ScoredCandidate) -> tuple[float, str, int]:
    """Return the sort key for embedding. The passage's rank counts more here, since it reflects the meaning."""
    return (
        -(item.score + WORTH_OF_PASSAGE * item.features.chunk),
        item.candidate.document_id,
        item.candidate.start,
    )


def _order(item: ScoredCandidate) -> tuple[float, str, int]:
    return -item.score, item.candidate.document_id, item.candidate.start


@dataclass(frozen=True, slots=True)
class _TermToFind:
    """A term of the question in the forms in which passages are searched for it."""

    form: str
    spellings: frozenset[str]  # British and American
    parts: frozenset[str]  # "double-entry" is also written "double entry"
    alternatives: frozenset[str]

    @classmethod
    def of(cls, term: QuestionTerm) -> _TermToFind:
        parts = forms(term.surface)[1:] if "-" in term.form else ()
        if not parts and "-" in term.surface:
            parts = forms(term.surface)[2:]  # "SHA-256" is also written "SHA 256"
        other = other_spelling(term.surface)
        spellings = (term.form, *(forms(other)[:1] if other else ()))
        return cls(term.form, frozenset(spellings), frozenset(parts), frozenset(term.alternatives))

    def credit(self, places: Iterable[tuple[frozenset[str], float]]) -> float:
        """Return the weight of the best of the places with the term; related words count less. 0 if none has any."""
        best = 0.0
        for found, worth in places:
            if worth <= best:
                continue
            if not self.spellings.isdisjoint(found) or (self.parts and self.parts <= found):
                best = worth
            elif not found.isdisjoint(self.alternatives):
                best = max(best, worth * 0.7)
        return best


def answer_fit(kind: AnswerKind, candidate: Candidate, asked: str) -> float:
    """Return 1 if the sentence itself has an answer of the kind, less if its table or context has.

    A measure counts only if the measured thing is named in the sentence or above it.
    """
    fit = _fit_of_kind(kind, candidate, asked)
    thing = find_measured_thing(asked) if kind in MEASURED else ""
    thing = find_counted_noun(asked) if kind is AnswerKind.COUNT else thing
    if kind in (AnswerKind.COUNT, AnswerKind.LENGTH) and states_amount(candidate.shown, thing):
        return 1.0
    if not thing:
        return fit
    head, said = senses_of(words(thing)[-1]), term_set((candidate.named,))
    if head & said:
        is_beside = kind is not AnswerKind.COUNT or counts_directly(candidate.named, thing)
        return fit if is_beside else 0.6 * fit  # "27 leap seconds", but not "seconds since 1970"
    above = term_set((candidate.section, candidate.lead_in))
    every = frozenset[str]().union(*map(senses_of, words(thing)))
    if (head & above and candidate.row is None) or every & said:  # a row names its own thing
        return 0.8 * fit
    # "The maximum input length is 72 bytes" answers by what is measured of the thing.
    measures = {stem for found in _MEASURE.findall(asked) for stem in forms(found)}
    return (0.6 if measures & said else 0.4) * fit


def _fit_of_kind(kind: AnswerKind, candidate: Candidate, asked: str) -> float:
    # In a list of makers only its introduction says so: "The authors are: Ada Lee wrote …".
    named = candidate.shown if kind is AnswerKind.MAKER else candidate.named
    if answers(kind, named, asked):
        return 1.0
    if candidate.kind == "table" and kind in QUANTIFIED and answers(AnswerKind.COUNT, candidate.text, asked):
        return 0.8  # the unit is in the table's header
    # The date of a change is that of its release, which may be the heading above "Added".
    heading = candidate.section if kind in GIVEN_BY_RELEASE else candidate.heading
    context = (
        f"{heading} {candidate.lead_in}",
        candidate.before,
        candidate.after,
    )
    worth = 0.5 if kind in QUANTIFIED else 0.3
    return worth if any(answers(kind, text, asked) for text in context if text.strip()) else 0.0


_YES_OR_NO = re.compile(r"(?:yes|no)[,.:;!]", re.IGNORECASE)
_MEASURE = re.compile(
    r"\b(?:length|size|width|height|depth|weight|limit|duration|lifetime|period|interval|timeout)\b",
    re.IGNORECASE,
)
_CALLED_RELEASE = re.compile(r"\b(?:versions?|releases?|v)\.?\s*\d", re.IGNORECASE)
_IS_README = re.compile(r"\b(?:readme|manual|guide|handbook)\b", re.IGNORECASE)
_IDENTIFIER = re.compile(r"_|[a-z][A-Z]|\w\.\w")

_BOILERPLATE = re.compile(
    r"copyright|all rights reserved|licen[cs]ed? under|received a copy of|implied warranty"
    r"|permission is hereby granted|contribution intentionally submitted"
    r"|table of contents|cookies?\b.*\baccept|skip to"
    r"|click here|contributions?\b.{0,40}\bwelcome\b|give (?:us|it) a star|(?:mailing list|newsletter) to subscribe"
    r"|\.{5,}|edit this page|back to top",
    re.IGNORECASE,
)

_SITE = re.compile(r"\b[\w-]+\.(?:com|org|net|io|dev|info)\b")
ANOTHER_ACTION = 0.5  # of the cue of an instruction
_ANY_ACTION = term_set(
    (
        "build make create implement set setup use do get write develop add handle go run start begin deal manage"
        " work"
    ).split()
)
DEPRECATED = 0.5
_IS_DEPRECATED = re.compile(
    r"\bDEPRECATED\b|(?:^|: )deprecated\b|\b(?:is|are|has been|have been|now) deprecated\b"
)
_ASKS_OF_OLD = re.compile(
    r"\b(?:deprecat|obsolet|remov|replac|still|no longer|any ?more|instead|old|former|legacy|migrat|upgrad|versions?\b)"
    r"|\d\.\d",
    re.IGNORECASE,
)

# What is assumed for an explanation, an example, and what happened to somebody once, answer less than a statement.
_SCENARIO = re.compile(
    r"(?:assume|suppose|imagine|let['’]s (?:say|assume)|let us (?:say|assume))\b|(?:for )?example ?[:–—]",
    re.IGNORECASE,
)
_ANECDOTE = re.compile(
    r"\b(?:(?-i:I)['’](?:m|ve|d|ll)|(?-i:I) (?!or\b|and\b|modes?\b)(?-i:[a-z]+)|my)\b"
    r"|^(?:a|one|some|many) users? reports?\b",
    re.IGNORECASE,
)


def _form(candidate: Candidate) -> float:
    """Return 0 for a statement, up to 1 for others: fragments, questions, contents, boilerplate."""
    text = candidate.text.strip()
    count = len(text.split())
    if _BOILERPLATE.search(text):
        return 1.0
    if text.endswith("?"):
        return 0.7
    if _SCENARIO.match(text):
        return 0.5
    if candidate.row is not None and _SITE.search(text):
        return 0.5  # a row of links
    if _ANECDOTE.search(text):
        return 0.2
    if count < 4 and candidate.kind not in ("list", "table", "code"):
        return 0.8
    return min(0.6, (count - 60) / 100) if count > 60 else 0.0
