"""Judge if the library can answer a question, part by part, by the best candidates and the things that it names.

Similar passages are always found. A question is unanswerable if no passage or title has the things that it names, if
nothing of the requested kind is near them, or if no sentence is close to what it asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.candidate_sentences import Candidate, is_date
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.expected_answer_kinds import (
    QUANTIFIED,
    READABLE,
    AnswerKind,
    answers,
    asks_release_date,
    find_counted_noun,
    find_expected_kinds,
    find_measured_thing,
    is_making,
)
from research.extractive.question.parsed_question import (
    NamedThing,
    ParsedQuestion,
    QuestionTerm,
    TermKind,
    senses_of,
)
from research.extractive.sentence_cues import (
    asks_for_judgement,
    find_action_asked,
    find_capability_asked,
    find_deed_asked,
    find_definiendum,
    tells_changes,
)
from research.extractive.sentence_ranking import Ranker, ScoredCandidate, select_candidates_of_source
from research.extractive.terms import forms, is_stop_word, term_set, words

JUDGED = 40  # best sentences that are judged; others would not be quoted either
SUPPORTED = (
    0.465  # see _support; between the worst of 102 answerable and the best of 17 unanswerable questions
)
CLEAR = 0.68  # cosine from which a sentence answers in other words than the question's
NEAR = 0.48  # cosine from which several sentences together do
NEAR_SENTENCES = 3
MEANING = 1 / 3  # weight of the cosine in the support of a sentence, beside that of its words
MATTER = 0.5  # share of the words of what a source is asked about, by rarity, that its passages must contain
TOGETHER = 0.7  # share of the named things, by rarity, that one passage must contain
UNKNOWN = 1.5  # weight of a word that is not in the library, relative to a rare word
JUDGES = 0.5  # cue from which a sentence advises or judges
NAMES_MATTER = (
    0.25  # share of the question's words, by rarity, from which a sentence is on what is to be judged
)
DEFINES = 0.6  # cue from which a sentence says what a thing is, or what it does
NAME_WINDOW = 3  # words between a name and its version or year


@dataclass(frozen=True, slots=True)
class Answerability:
    """The verdict, with reasons for the reader. `missing` contains words of the question."""

    is_answerable: bool
    reasons: tuple[str, ...]  # why it is unanswerable, or which part of an answerable question is open
    missing: tuple[str, ...]
    looked_for: tuple[str, ...]
    support: float  # 0-1, of the best part of the question by the best single sentence
    open_parts: tuple[str, ...] = ()  # parts of the question, in its words, that no sentence is close to


@dataclass(frozen=True, slots=True)
class _QuestionPart:
    text: str
    terms: tuple[QuestionTerm, ...]
    kinds: tuple[AnswerKind, ...]
    index: int | None = None  # among several parts of the question

    def measure_closeness(self, item: ScoredCandidate) -> float:
        """Return the cosine to this part, since a sentence close to the whole question may answer another part."""
        if self.index is None or self.index >= len(item.parts):
            return item.features.semantic
        return item.parts[self.index]


def judge(ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> Answerability:
    """Judge if the question can be answered. `ranked` is sorted best first, by the same ranker.

    What a source says is judged by its own documents alone.
    """
    question = ranker.question
    ranked = select_candidates_of_source(question, ranked, ranker.cards)
    absent = [name for name in question.names if not _is_carried(name, ranker, ranked)]
    missing = (
        absent if len(absent) == len(question.names) else [name for name in absent if not name.is_coordinated]
    )
    parts = _parts(question)
    supports = [_best_support(part, ranker, ranked) for part in parts]
    best = max(supports, default=0.0)
    open_parts = [part for part, support in zip(parts, supports, strict=True) if support < SUPPORTED]
    refusals = _find_refusals(ranker, ranked, is_any_missing=bool(missing))
    if not (missing or refusals or best < SUPPORTED) and _lacks_judgement(ranker, ranked):
        refusals = ["The passages on it give neither advice nor a judgement."]
    reasons = [
        *refusals,
        *(_name_reason(name, ranker, ranked) for name in absent),
        *(_part_reason(part, ranker, ranked) for part in open_parts),
    ]
    is_answerable = bool(ranked) and not missing and not refusals and best >= SUPPORTED
    thing = _find_thing_to_define(question)
    if is_answerable and thing and not any(item.features.cue >= DEFINES for item in ranked[:JUDGED]):
        reasons.append(f"No source says in a sentence what ‘{thing}’ is.")
    return Answerability(
        is_answerable=is_answerable,
        reasons=tuple(dict.fromkeys(reasons))
        if reasons or is_answerable
        else ("The library holds no passage on this.",),
        missing=tuple(dict.fromkeys([*(name.surface for name in absent), *_absent_words(ranker, ranked)])),
        looked_for=list_search_terms(question),
        support=best,
        open_parts=tuple(part.text for part in open_parts),
    )


def _find_thing_to_define(question: ParsedQuestion) -> str:
    return find_definiendum(question) if question.form is AnswerForm.DEFINITION else ""


def _find_refusals(ranker: Ranker, ranked: Sequence[ScoredCandidate], *, is_any_missing: bool) -> list[str]:
    """Return why no passage can answer the question, although some contain its names; most specific first."""
    question = ranker.question
    found = []
    if (amount := question.amount) is not None:
        kept = [amount.is_kept_by(item.candidate.named) for item in ranked]
        if False in kept and not any(kept):
            found.append(f"No source speaks of ‘{amount.text}’.")
    if untold := _find_untold(ranker, ranked):
        found.append(f"No passage about it mentions ‘{untold}’.")
    action = find_action_asked(question.wording) if question.form is AnswerForm.STEPS else ""
    if action and _is_unheard_of(action, ranker, ranked):
        found.append(f"No source speaks of ‘{action}’.")
    thing = _find_thing_to_define(question)
    if thing and not any(_speaks_of(thing, item, ranker) for item in ranked):
        found.append(f"No source speaks of ‘{thing}’.")
    if not is_any_missing and _together(ranker, ranked) < TOGETHER:
        together = " together" if len({name.surface for name in question.names}) > 1 else ""
        found.append(f"No source speaks of {_format_names(question.names)}{together}.")
    return found


def _speaks_of(thing: str, item: ScoredCandidate, ranker: Ranker) -> bool:
    return _mentions(thing, item.candidate) or bool(item.candidate.row and _is_about_the_named(item, ranker))


def _lacks_judgement(ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> bool:
    """Return True if the question asks for advice or a judgement, and no sentence on its matter gives any."""
    return asks_for_judgement(ranker.question.wording) and not any(
        item.features.cue >= JUDGES
        and item.features.own_coverage >= NAMES_MATTER
        and _is_about_the_named(item, ranker)
        for item in ranked[:JUDGED]
    )


def _is_unheard_of(action: str, ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> bool:
    """Return True if no passage has the verb of what is to be done, or a synonym, and none is close in meaning."""
    asked = term_set((action,))
    terms = [term for term in ranker.question.terms if term.form in asked and term.weight >= 0.5]
    is_held = any(
        ranker.rarity.count(form) for term in terms for form in (term.form, *term.alternatives)
    ) or any(item.credits.get(term.form) for term in terms for item in ranked)
    return bool(terms) and not is_held and all(item.features.semantic < CLEAR for item in ranked[:JUDGED])


def _speak_of(capability: str, ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> bool:
    """Return True if one passage about the named thing has nearly all words of the requested capability."""
    asked = term_set((capability,))
    weights = {term.form: ranker.weight(term) for term in ranker.question.terms if term.form in asked}
    total = sum(weights.values())
    about = (item for item in ranked[:JUDGED] if _is_about_the_named(item, ranker))
    return not total or any(
        sum(weight for form, weight in weights.items() if item.credits.get(form)) >= TOGETHER * total
        for item in about
    )


def _find_untold(ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> str:
    """Return the capability that no passage mentions, or what passages of a named source do not speak of; else ""."""
    question = ranker.question
    capability = find_capability_asked(question.wording) or find_deed_asked(question)
    if capability and not _speak_of(capability, ranker, ranked):
        return capability
    if question.form is not AnswerForm.SOURCE or not question.source or not question.names:
        return ""
    matter = question.matter_without((question.source,))
    asked = term_set((matter,))
    weights = {term.form: ranker.weight(term) for term in question.terms if term.form in asked}
    about = [item for item in ranked[:JUDGED] if _is_about_the_named(item, ranker)]
    told = sum(weight for form, weight in weights.items() if any(item.credits.get(form) for item in about))
    return matter if told < MATTER * sum(weights.values()) else ""


def _mentions(thing: str, candidate: Candidate) -> bool:
    """Return True if the words of the thing are near each other, since each alone may be anywhere."""
    wanted = {forms(word)[0] for word in words(thing) if not is_stop_word(word)}
    window = 2 * len(wanted) + NAME_WINDOW
    for text in (candidate.text, candidate.heading, candidate.lead_in):
        tokens = [set(forms(word)) for word in words(text)]
        near = (set().union(*tokens[place : place + window]) for place in range(len(tokens)))
        if wanted <= set().union(*tokens) and any(wanted <= said for said in near):
            return True
    return not wanted


def _format_names(names: Sequence[NamedThing]) -> str:
    return " and ".join(dict.fromkeys(f"‘{name.surface}’" for name in names))


def list_search_terms(question: ParsedQuestion) -> tuple[str, ...]:
    """Return the terms that were searched for, in the question's own words."""
    names = [name.surface for name in question.names]
    inside = {term.form for name in question.names for term in name.terms}
    plain = [term.surface for term in question.terms if term.form not in inside and term.weight >= 0.5]
    kinds = [READABLE[kind] for kind in question.kinds if kind in READABLE]
    return (
        tuple(dict.fromkeys([*names, " ".join(plain), *kinds]))
        if plain
        else tuple(dict.fromkeys([*names, *kinds]))
    )


def _parts(question: ParsedQuestion) -> list[_QuestionPart]:
    """Return the sub-questions, each with the question's terms that stand in it and all its names.

    "… and where should it be stored?" asks about the words of the part before it. A name belongs to all parts anyway.
    """
    found: list[_QuestionPart] = []
    for index, text in enumerate(question.parts):
        inside = {form for word in words(text) for form in forms(word)}
        own = tuple(term for term in question.terms if term.form in inside)
        refers_back = found and not question.names and _REFERS_BACK.search(text)
        terms = (*found[-1].terms, *own) if refers_back else own
        if terms:
            place = index if len(question.parts) > 1 else None
            found.append(_QuestionPart(text, terms, find_expected_kinds(text), place))
    return found


_REFERS_BACK = re.compile(r"\b(?:it|its|they|them|their|this|that|these|those|ones?)\b", re.IGNORECASE)


def _best_support(part: _QuestionPart, ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> float:
    """Return the best support among the sentences about the named things that have an answer of the requested kind."""
    asked = ranker.question.text
    years = [term.form for term in part.terms if term.kind is TermKind.YEAR]
    about = (
        item
        for item in ranked[:JUDGED]
        if _is_about_the_named(item, ranker) and (not years or any(item.credits.get(year) for year in years))
    )
    cards = ranker.cards
    fitting = [
        item
        for item in about
        if _has_kind(part, item.candidate, cards.get_card(item.candidate.document_id), asked)
    ]
    best = max((_support(part, item, ranker) for item in fitting), default=0.0)
    return max(best, SUPPORTED) if _are_near(part, fitting, ranker.question.form) else best


def _are_near(part: _QuestionPart, fitting: Sequence[ScoredCandidate], form: AnswerForm) -> bool:
    """Return True if several sentences are on what is asked: a question seldom has the words of its sources.

    A figure or the members of a list are not given by what is only near.
    """
    if form is AnswerForm.LIST or not QUANTIFIED.isdisjoint(part.kinds):
        return False
    return sum(part.measure_closeness(item) >= NEAR for item in fitting) >= NEAR_SENTENCES


def _support(part: _QuestionPart, item: ScoredCandidate, ranker: Ranker) -> float:
    """Return the support of a sentence by its words and meaning together: either alone occurs without an answer."""
    closeness = part.measure_closeness(item)
    if closeness >= CLEAR:
        return max(SUPPORTED, closeness)
    terms = part.terms
    if AnswerKind.MAKER in part.kinds and answers(AnswerKind.MAKER, item.candidate.shown):
        terms = tuple(term for term in terms if not is_making(term.surface)) or terms
    return (1 - MEANING) * _coverage(terms, item, ranker) + MEANING * max(0.0, item.features.semantic)


def _has_kind(part: _QuestionPart, candidate: Candidate, card: DocumentCard, asked: str) -> bool:
    # A heading's figure is the number of a release or a chapter rather than of things.
    above = "" if AnswerKind.COUNT in part.kinds else candidate.section
    text = f"{above} {candidate.lead_in} {candidate.text}"
    if asks_release_date(part.text):
        has_date = is_date(candidate.text) or answers(AnswerKind.DATE, candidate.release_text)
        if not (has_date and candidate.release) and not _OF_RELEASE.search(candidate.text):
            return False  # the date of something else
    if _ASKS_WHEN_IT_WILL.search(part.text):
        return bool(_IS_TO_COME.search(candidate.text)) and answers(AnswerKind.DATE, candidate.text, asked)
    measured = _MEASURED.search(part.text)
    if measured and not term_set((measured[1],)) & term_set((candidate.text,)):
        return False
    if _ASKS_DEVELOPMENT.search(part.text) and not _TELLS_DEVELOPMENT.search(
        f"{candidate.section} {candidate.text}"
    ):
        return False
    if AnswerKind.MAKER in part.kinds:
        heading = candidate.heading if _OF_MAKERS.search(candidate.heading) else ""
        names = {term.form for term in part.terms if term.kind is TermKind.NAME}
        is_of_it = (
            not names
            or heading
            or names & term_set((candidate.shown,))
            or _IS_THE_WORK.search(candidate.shown)
        )
        return bool(is_of_it) and answers(AnswerKind.MAKER, f"{heading}: {candidate.shown}", asked)
    if (
        AnswerKind.DATE in part.kinds
        and card.published
        and tells_changes(f"{card.title} {candidate.section}")
    ):
        return True  # what a release changed has the date of the release
    return not QUANTIFIED & set(part.kinds) or _has_figure(part, candidate, text, asked)


def _has_figure(part: _QuestionPart, candidate: Candidate, text: str, asked: str) -> bool:
    """Return True if the text gives a figure of the requested kind for what is counted or measured."""
    said = term_set((text,))
    noun = frozenset[str]().union(*map(senses_of, words(find_counted_noun(part.text))))
    if noun and AnswerKind.DURATION not in part.kinds and noun.isdisjoint(said):
        return False
    thing = find_measured_thing(part.text)
    if thing and term_set((thing,)).isdisjoint(said):
        return False
    in_table = candidate.kind == "table" and answers(AnswerKind.COUNT, candidate.text, asked)
    return in_table or any(answers(kind, text, asked) for kind in part.kinds)


_OF_MAKERS = re.compile(
    r"\b(?:authors?|maintainers?|creators?|developers?|contributors?|credits)\b", re.IGNORECASE
)
# What a document calls the thing that it is about.
_IS_THE_WORK = re.compile(
    r"\b(?:it|this|we|I|(?:the|this) (?:\w+ )?(?:library|project|package|software|tool|program|application|app|module"
    r"|method|model|algorithm|protocol|standard|format|framework|company|organi[sz]ation|team|paper|book|guide|site|author|creator))\b",
    re.IGNORECASE,
)
# A price or a share of one time alone does not tell how it has changed.
_ASKS_DEVELOPMENT = re.compile(
    r"\bhow (?:has|have|had|did|do|does|will) (?:the |an? )?(?:\w+ ){0,3}?"
    r"(?:price|cost|fee|share|proportion|percentage|number|amount|rate|use|usage|popularity|salar(?:y|ie)|wage|revenue)s?\b"
    r".*\b(?:develop|evolv|chang|mov|fluctuat|ris|risen|grow|fall|fallen|go|gone)\w*",
    re.IGNORECASE,
)
_TELLS_DEVELOPMENT = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:ris(?:e|en|es|ing)|rose|grew|grow(?:n|s|th|ing)?|f[ae]ll(?:en|s|ing)?|dropp?(?:ed|s|ing)?"
    r"|increas\w+|decreas\w+|declin\w+|doubl\w+|halv\w+|chang\w+|from .{1,40} to)\b",
    re.IGNORECASE,
)
_OF_RELEASE = re.compile(
    r"\b(?:releas\w+|publish\w+|publication|c[ao]me out|issued|launch\w*|appeared|available (?:since|from))\b",
    re.IGNORECASE,
)
_ASKS_WHEN_IT_WILL = re.compile(r"\bwhen\b.{0,60}?\b(?:will|going to|due|planned|expected)\b", re.IGNORECASE)
_IS_TO_COME = re.compile(
    r"\b(?:will|shall|going to|planned|plans?|planning|expected|scheduled|due|upcoming|proposed|until|by"
    r"|no (?:date|later)|not (?:yet )?(?:been )?(?:set|decided|fixed))\b",
    re.IGNORECASE,
)
# "Which … has the most stars?": the answer must name what is counted.
_MEASURED = re.compile(
    r"\b(?:has|have|had|with|gets?|got|takes?|needs?|uses?|supports?|offers?)\s+the\s+"
    r"(?:most|fewest|least|(?:highest|largest|lowest|smallest|biggest)(?:\s+(?:number|amount|count|share)\s+of)?)"
    r"\s+(?:[\w-]+\s+){0,2}?([\w-]+)\s*\??$",
    re.IGNORECASE,
)


def _coverage(terms: Sequence[QuestionTerm], item: ScoredCandidate, ranker: Ranker) -> float:
    weights = [_weight(term, ranker) for term in terms]
    carried = sum(
        weight * item.credits.get(term.form, 0.0) for weight, term in zip(weights, terms, strict=True)
    )
    return carried / (sum(weights) or 1.0)


def _weight(term: QuestionTerm, ranker: Ranker) -> float:
    is_known = ranker.rarity.count(term.form) or ranker.cards.count(term.form)
    return ranker.weight(term) * (1.0 if is_known or term.weight < 0.5 else UNKNOWN)


def _together(ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> float:
    """Return the share of the names in the question that the best single passage contains, 0-1.

    Of several groups of names the lowest share counts; it is 1 if the question names nothing. All the best passages may
    be on one of the things compared.
    """
    judged = ranked if len(ranker.question.sides) > 1 else ranked[:JUDGED]
    groups = _groups(ranker.question)
    return min(
        (max((_share(group, item, ranker) for item in judged), default=0.0) for group in groups), default=1.0
    )


def _groups(question: ParsedQuestion) -> list[list[NamedThing]]:
    """Return the names that must occur together; coordinated or compared things ("A and B") are in separate groups."""
    apart = [name for name in question.names if name.is_coordinated or _is_side(name, question)]
    shared = [name for name in question.names if name not in apart]
    groups = [[*shared, name] for name in apart] or [shared]
    return [group for group in groups if group]


def _is_side(name: NamedThing, question: ParsedQuestion) -> bool:
    """Return True for one of the things compared: "How does A compare with B?" """
    own = {term.form for term in name.terms}
    return len(question.sides) > 1 and any(own <= term_set((side,)) for side in question.sides)


def _share(names: Sequence[NamedThing], item: ScoredCandidate, ranker: Ranker) -> float:
    weights = {term.form: ranker.weight(term) for name in names for term in name.terms}
    return sum(weights[form] for form in weights if item.credits.get(form)) / (sum(weights.values()) or 1.0)


def _is_about_the_named(item: ScoredCandidate, ranker: Ranker) -> bool:
    groups = _groups(ranker.question)
    return not groups or any(_share(group, item, ranker) >= TOGETHER for group in groups)


def _is_carried(name: NamedThing, ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> bool:
    """Return True if a title has the whole name, or a passage does, with its version nearby or in its heading."""
    if any(card.carries(name) for card in ranker.cards.by_id.values()):
        return True
    return any(_carries(item.candidate, name, ranker.cards) for item in ranked)


def _carries(candidate: Candidate, name: NamedThing, cards: Cards) -> bool:
    marks = _marks(name)
    plain = [term.form for term in name.terms if term.form not in marks]
    near = (candidate.lead_in, candidate.before, candidate.named, candidate.after)
    text, headings = term_set(near), term_set((candidate.section,))
    card = cards.get_card(candidate.document_id)
    if not all(form in text or form in headings or form in card.title_terms for form in plain):
        return False
    if not marks or any(_stand_together(part, plain, marks) for part in near):
        return True
    if not all(form in card.title_terms for form in plain):
        return False
    return marks <= headings | card.title_terms | (
        frozenset() if card.is_marked else text | card.unmarked_year
    )


def _marks(name: NamedThing) -> set[str]:
    return {
        term.form for term in name.terms if term.kind in (TermKind.VERSION, TermKind.YEAR, TermKind.NUMBER)
    }


def _stand_together(text: str, plain: Sequence[str], marks: set[str]) -> bool:
    """Return True if the version follows its name, as in "PCI DSS v4.0"; elsewhere it may belong to something else."""
    tokens = [set(forms(word)) for word in words(text)]
    places = [index for index, found in enumerate(tokens) if not found.isdisjoint(plain)]
    own = [_marks_of(tokens, index) for index in places]
    return bool(own) and all(any(mark in found for found in own) for mark in marks)


def _marks_of(tokens: Sequence[set[str]], index: int) -> set[str]:
    """Return the versions and years after the name at `index`; if there are none, that just before it."""
    after = [found for found in tokens[index + 1 : index + 1 + NAME_WINDOW] if any(map(_is_figure, found))]
    return set().union(*after) if after else tokens[index - 1] if index else set()


def _is_figure(form: str) -> bool:
    return form[0].isdigit()


def _name_reason(name: NamedThing, ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> str:
    known = [term for term in name.terms if ranker.rarity.count(term.form) or ranker.cards.count(term.form)]
    marks = [term.surface for term in name.terms if term.form in _marks(name)]
    plain = [term.surface for term in name.terms if term.form not in _marks(name)]
    if marks and plain and len(known) > len(marks):
        return f"No source about ‘{' '.join(plain)}’ is of or mentions ‘{' '.join(marks)}’."
    return f"No source mentions ‘{name.surface}’."


def _part_reason(part: _QuestionPart, ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> str:
    subject = " ".join(term.surface for term in part.terms if term.weight >= 0.5)
    wanted = [READABLE[kind] for kind in part.kinds if kind in READABLE]
    if wanted:
        return f"No passage gives {' or '.join(wanted)} for ‘{subject}’."
    nearest = _nearest_subject(ranker, ranked)
    if nearest:
        return f"Nothing that was read answers ‘{part.text.rstrip(' ?.')}’; the nearest passage is on ‘{nearest}’."
    return f"Nothing that was read answers ‘{part.text.rstrip(' ?.')}’."


def _nearest_subject(ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> str:
    """Return the subject of the nearest passage: its heading, else the title of its document."""
    if not ranked:
        return ""
    candidate = ranked[0].candidate
    card = ranker.cards.by_id.get(candidate.document_id)
    return " ".join((candidate.heading or (card.title if card else "")).split())[:100]


def _absent_words(ranker: Ranker, ranked: Sequence[ScoredCandidate]) -> list[str]:
    """Return the question's content words that are in none of the judged sentences or their contexts."""
    found = {form for item in ranked[:JUDGED] for form, credit in item.credits.items() if credit > 0}
    inside = {term.form for name in ranker.question.names for term in name.terms}
    return [
        term.surface
        for term in ranker.question.terms
        if term.form not in found and term.form not in inside and term.weight >= 0.5
    ]
