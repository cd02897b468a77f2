"""Choose the sentences that become claims of a technical answer: on the question's subjects, best first. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from citations.credibility.source_hosts import bare_name, is_named_in_host
from research.extractive.candidate_sentences import Candidate
from research.extractive.select_answer_statements import SelectedClaim, join_duplicates, select
from research.extractive.sentence_ranking import Ranker, ScoredCandidate
from research.extractive.terms import term_set
from research.pipelines.technical.answer.technical_answer_style import sounds_like
from research.pipelines.technical.code.find_technical_code_fragments import is_code
from research.pipelines.technical.technical_advice_kinds import Advice, advice_of, is_caution
from research.pipelines.technical.technical_config import QuestionType
from research.pipelines.technical.technical_informative_sentences import is_statement

ENOUGH = 4  # sentences on all things asked about; if there are fewer, those on most of the things count too
BESIDES_STATEMENTS = 20
RARE_TITLE, RARE_WORD = 0.4, 0.2  # rarities (0–1) from which a word of a title is the name of a thing
# Words of titles for types of documents, which are not names.
_SORTS = term_set(
    ("version release revision edition documentation manual readme guide paper reference tutorial",)
)
# What says why an error occurs, and what to do about it.
_OF_AN_ERROR = (
    re.compile(
        r"^(?!\W*(?:to (?:check|find|see)|if you)\b).*\b(?:weil\b|liegt (?:daran|an)\b|verursacht|causes?\b"
        r"|caused by|because|due to"
        r"|reasons? (?:is|are|for|why)"
        r"|exceed(?:s|ed)|means that|, so (?!that\b)|(?:happens?|occurs?|appears?|raised|thrown) (?:when|if))",
        re.IGNORECASE,
    ),
    re.compile(
        r"^\W*(?:to (?:fix|solve|resolve|avoid|prevent)|raise|increase|set|add|remove|use|make sure|ensure|install"
        r"|(?:up|down)grade|change|replace|enable|disable|reduce|lower|configure|restart|delete|update|pass|try|wrap|move)\b"
        r"|^\W*(?:if|when) [^,]+, (?:create|use|set|add|run|install|pass|enable|disable|change|remove|restart)\b"
        r"|\b(?:beheben|behebt|lösung|hilft|abhilfe)\b|^\W*(?:setzen|legen|fügen|verwenden|installieren|starten) sie\b"
        r"|\b(?:instead of|fix(?:es)? (?:is|this|it)|solution|resolves?|solves?|workaround)\b",
        re.IGNORECASE,
    ),
)
_ASKS_ADVICE = re.compile(r"\b(?:should (?:i|we|one)|recommend\w*|better to|best)\b", re.IGNORECASE)
_ADVISES = re.compile(
    r"\b(?:should|recommend(?:s|ed)?|advise[sd]?|prefer(?:red)?|suitable for|best (?:choice|option))\b",
    re.IGNORECASE,
)
# What says how something is done; not under which condition something else is.
_INSTRUCTS = re.compile(
    r"\b(?:must|(?<!not )needs? to|(?<!not )ha(?:s|ve) to|enables?|set|use|call|pass|add|run|install|configure"
    r"|you can (?!find|also)\w+)\b"
    r"|\w\([^)]*\)\s(?:\w+ly\s)?\w+s\b",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"^\W*(?:for (?:(?:very )?(?:large|big|small|old)\w*|other)|if|when|unless|before|after"
    r"|in (?:older |[A-Z][\w.]* v?)\d|in older|on (?:windows|linux|macos)|note|by default|some|[\w.]+ also)\b",
    re.IGNORECASE,
)
_HOW_TO = frozenset({QuestionType.DOCUMENTATION, QuestionType.CODE_EXAMPLES, QuestionType.BEST_PRACTICES})
_ASKS_HOW = re.compile(
    r"^\W*(?:how (?:do|can|to|should)|wie (?:kann|mache?|lässt|geht|\w+ (?:ich|man|wir)))\b", re.IGNORECASE
)
MAX_INSTRUCTING = 2  # documents from which an instruction leads the answer
MIN_ADVISING = 2  # statements with advice that answer a question about good practice
FURTHER = 0.6  # least share of the best score for a further statement
CAUTIONED = 0.35  # least share of the best score for a caution
BESIDES = 0.7  # least share of the best score for advice that does not answer


def worth_ranking(sentences: Sequence[Candidate], ranker: Ranker) -> list[Candidate]:
    """Return the statements and the best other sentences, which show whether code alone answers the question."""
    stated = [sentence for sentence in sentences if is_statement(sentence)]
    rest = sorted(
        (ranker.score(sentence) for sentence in sentences if not is_statement(sentence)),
        key=lambda scored: -scored.score,
    )
    return [*stated, *(scored.candidate for scored in rest[:BESIDES_STATEMENTS])]


def on_the_things(
    ranked: Sequence[ScoredCandidate],
    ranker: Ranker,
    technologies: Collection[str],
    *,
    spared: int = 0,
    hosts: Mapping[str, str] = MappingProxyType({}),
) -> list[ScoredCandidate]:
    """Return the sentences whose text, headings or document name all things in the question, except `spared` of them.

    If these are few, return those that name most of the things. The order is kept. `hosts`: hosts by document id, as
    the pages of a project's own site are about that project.
    """
    keys = key_forms(ranker, technologies)
    owned = {
        document: frozenset().union(
            *(term_set((name,)) for name in technologies if is_named_in_host(name, host))
        )
        for document, host in hosts.items()
    }
    if not keys:
        return list(ranked)
    carried = {
        candidate.candidate.key: _count_matched_terms(
            candidate.candidate, keys, ranker, owned.get(candidate.candidate.document_id, frozenset())
        )
        for candidate in ranked
    }
    for least in range(max(1, len(keys) - spared), 0, -1):
        found = [candidate for candidate in ranked if carried[candidate.candidate.key] >= least]
        if len(found) >= ENOUGH:
            return found
    return list(ranked)


def on_the_technologies(
    ranked: Sequence[ScoredCandidate], ranker: Ranker, technologies: Collection[str], question: str
) -> list[ScoredCandidate]:
    """Return the sentences that name a technology of the question, or whose page does; all if none does."""
    named = [
        forms
        for name in technologies
        if name.casefold() in question.casefold() and (forms := term_set((name,)))
    ]
    kept = [
        scored
        for scored in ranked
        if any(forms <= _terms_around(scored.candidate, ranker) for forms in named)
    ]
    return kept or list(ranked)


def on_the_rest(
    sentences: Sequence[Candidate], ranker: Ranker, things: Collection[str]
) -> Sequence[Candidate]:
    """Return the sentences with half of the question's names besides the things compared; all if these are few."""
    named = term_set(things)
    wanted = [form for form in key_forms(ranker, ()) if not form & named]
    found = [
        sentence
        for sentence in sentences
        if 2 * _count_matched_terms(sentence, wanted, ranker) >= len(wanted)
    ]
    return found if len(found) >= ENOUGH else sentences


def on_the_terms(sentences: Sequence[Candidate], ranker: Ranker) -> Sequence[Candidate]:
    """Leave out descriptions of other settings and functions if the question names one that a source describes.

    “The default value is three connections” is of another setting than the one that was asked for.
    """
    asked = {term.surface.casefold() for term in ranker.question.terms}
    if not any(sentence.lead_in.casefold() in asked for sentence in sentences):
        return sentences
    return [
        sentence
        for sentence in sentences
        if not _IDENTIFIER.fullmatch(sentence.lead_in) or sentence.lead_in.casefold() in asked
    ]


_IDENTIFIER = re.compile(r"[A-Za-z]\w*(?:[_.-]\w+)+")


def select_requirements(ranked: Sequence[ScoredCandidate], ranker: Ranker) -> list[ScoredCandidate]:
    """Return the sentences that state what one thing named in the question requires or supports, on a page about the
    others.
    """
    names = list_distinct_names(ranker)
    requirements = []
    for scored in ranked if len(names) > 1 else ():
        own = spell_out(scored.candidate.text)
        around = own | _terms_around(scored.candidate, ranker)
        is_named = any(name <= own for name in names) and all(name <= around for name in names)
        if (
            is_named
            and sounds_like(scored.candidate, QuestionType.DEPENDENCY)
            and is_statement(scored.candidate)
        ):
            requirements.append(scored)
    return requirements


def names_missing_page(
    missing: Collection[str], requirements: Sequence[ScoredCandidate], ranker: Ranker
) -> bool:
    """Return True if what the sources lack is what the requirements are of: another version of the project itself.

    A missing version of what it requires (“Node 16”) is an answer: the list of versions does not have it.
    """
    names = {name.surface for name in ranker.question.names}
    titles = frozenset[str]().union(
        *(ranker.cards.get_card(scored.candidate.document_id).title_terms for scored in requirements)
    )
    return any(spell_out(bare_name(name)) <= titles for name in missing if name in names)


def list_distinct_names(ranker: Ranker) -> list[frozenset[str]]:
    """Return the forms of the names in the question without versions, each thing once: “Node” is “Node.js”."""
    found = {spell_out(bare_name(name.surface)) for name in ranker.question.names} - {frozenset()}
    return [name for name in found if not any(name < other for other in found)]


def spell_out(text: str) -> frozenset[str]:
    """Return the terms of a text, and the parts of names with a dot: “Node.js” is also “Node”."""
    return frozenset(term_set((text, " ".join(_DOTTED.findall(text)))))


_DOTTED = re.compile(r"\b([A-Za-z]{2,})\.(?:js|py|io|rs|net)\b", re.IGNORECASE)


def select_advice(
    ranked: Sequence[ScoredCandidate],
    ranker: Ranker,
    technologies: Collection[str],
    official: Collection[str],
) -> list[ScoredCandidate]:
    """Return the advice and warnings on the technologies, and statements of official pages; none if there is little.

    They answer a question about good practice, whose own words they seldom contain. `official`: documents.
    """
    named = [forms for name in technologies if (forms := term_set((name,)))]
    about = [
        scored
        for scored in ranked
        if is_statement(scored.candidate)
        and any(forms <= _terms_around(scored.candidate, ranker) for forms in named)
    ]
    advising = [scored for scored in about if advice_of(_words(scored)) is not Advice.FINDING]
    known = {scored.candidate.key for scored in advising}
    others = [
        scored
        for scored in about
        if scored.candidate.key not in known and scored.candidate.document_id in official
    ]
    return [*advising, *others] if len(advising) >= MIN_ADVISING else []


def _terms_around(sentence: Candidate, ranker: Ranker) -> frozenset[str]:
    card = ranker.cards.by_id.get(sentence.document_id)
    title = (card.title_terms | spell_out(f"{card.title} {card.site}")) if card else frozenset()
    return spell_out(f"{sentence.text} {sentence.lead_in} {sentence.section}") | title


def key_forms(ranker: Ranker, technologies: Collection[str]) -> list[frozenset[str]]:
    """Return the forms of the question's names that occur in titles of documents, and of the given technologies."""
    cards, rare = ranker.cards, ranker.rarity
    named = [
        frozenset({term.form})
        for term in ranker.question.terms
        if cards.count(term.form)
        and term.form not in _SORTS
        and (term.is_specific or (cards.rarity(term.form) > RARE_TITLE and rare.of(term.form) > RARE_WORD))
    ]
    given = [frozenset(term_set((technology,))) for technology in technologies]
    return list(dict.fromkeys([*named, *given]))


def _count_matched_terms(
    sentence: Candidate,
    searched_terms: Sequence[frozenset[str]],
    ranker: Ranker,
    owned: frozenset[str] = frozenset(),
) -> int:
    card = ranker.cards.by_id.get(sentence.document_id)
    title = card.title_terms if card else frozenset()
    there = term_set((sentence.text, sentence.lead_in, sentence.section)) | title | owned
    return sum(terms <= there for terms in searched_terms)


def select_answer_sentences(
    ranked: Sequence[ScoredCandidate],
    ranker: Ranker,
    *,
    findings: int,
    of_each: int,
    kind: QuestionType = QuestionType.DOCUMENTATION,
    taken: Collection[str] = (),
) -> list[SelectedClaim]:
    """Select the sentences that answer, best first; then other practices, recommendations and warnings on the question.

    What the question cannot do without comes first: cause and remedy of an error, a recommendation if one is asked for.
    `ranked` is sorted best first. `taken` are texts already used elsewhere in the answer.
    """
    free = [candidate for candidate in ranked if _words(candidate) not in taken]
    prose = [scored for scored in free if is_statement(scored.candidate)] or _without_code(free)
    selected = list(select(prose, ranker.question, ranker.cards, limit=2 * findings))
    needed = list(_needed_sentences(prose, ranker.question.text, kind))
    is_instruction = is_how_to(ranker.question.text, kind)
    leading = _put_first(needed, selected, leads=is_instruction)[:findings]
    if is_instruction:  # a caveat does not lead
        leading = sorted(leading, key=lambda claim: _is_caveat(_words(claim.best)))
    if kind is not QuestionType.COMPARISON:
        leading += _further(prose, leading, findings - len(leading))
    chosen_keys = {claim.best.candidate.key for claim in leading}
    return [*leading, *_besides(prose, chosen_keys, _room(leading, of_each))]


def _needed_sentences(
    prose: Sequence[ScoredCandidate], question: str, kind: QuestionType
) -> Iterator[ScoredCandidate]:
    """Yield the best sentence of each sort that an answer to the question needs."""
    if is_how_to(question, kind):
        yield from _instructions(prose)
    sorts = _OF_AN_ERROR if kind is QuestionType.ERROR_RESOLUTION else ()
    if _ASKS_ADVICE.search(question):
        sorts = (*sorts, _ADVISES)
    for cue in sorts:
        found = (
            scored
            for scored in prose
            if scored.candidate.kind != "table" and cue.search(" ".join(scored.candidate.text.split()))
        )
        yield from islice(found, 1)


def select_cautions(
    ranked: Sequence[ScoredCandidate],
    ranker: Ranker,
    technologies: Collection[str],
    *,
    most: int,
    known: Collection[object] = (),
) -> list[SelectedClaim]:
    """Return the cautions of the sources on the question: what is insecure, goes wrong or must not be done.

    They need less in common with the question than answers do, since they name the other way. `known`: keys of the
    sentences that are selected already.
    """
    keys = key_forms(ranker, technologies)
    floor = CAUTIONED * ranked[0].score if ranked else 0.0
    found = [
        scored
        for scored in ranked
        if scored.score >= floor
        and scored.candidate.key not in known
        and scored.candidate.kind != "table"
        and is_caution(_words(scored))
        and is_statement(scored.candidate)
        and (not keys or _count_matched_terms(scored.candidate, keys, ranker))
    ]
    return list(islice(join_duplicates(found), most))


def is_how_to(question: str, kind: QuestionType) -> bool:
    return kind is QuestionType.CODE_EXAMPLES or (kind in _HOW_TO and bool(_ASKS_HOW.match(question)))


def _instructions(prose: Sequence[ScoredCandidate]) -> Iterator[ScoredCandidate]:
    """Yield the best instruction of each document, since each part of a task may have a page of its own."""
    seen: set[str] = set()
    for scored in prose:
        text = " ".join(scored.candidate.text.split())
        document = scored.candidate.document_id
        is_apt = scored.candidate.kind != "table" and _INSTRUCTS.search(text) and not _CONDITIONAL.match(text)
        if is_apt and document not in seen and len(seen) < MAX_INSTRUCTING:
            seen.add(document)
            yield scored


def explains_and_mends(prose: Sequence[ScoredCandidate]) -> bool:
    """Return True if sentences say why an error occurs and what to do about it."""
    return len(list(_needed_sentences(prose, "", QuestionType.ERROR_RESOLUTION))) == len(_OF_AN_ERROR)


def _is_caveat(text: str) -> bool:
    return bool(_CONDITIONAL.match(text)) or advice_of(text) is Advice.WARNING


def _further(
    prose: Sequence[ScoredCandidate], leading: Sequence[SelectedClaim], most: int
) -> list[SelectedClaim]:
    """Return at most `most` further statements that are on the question, though less than those that lead."""
    known = {claim.best.candidate.key for claim in leading}
    floor = FURTHER * max((scored.score for scored in prose), default=0.0)
    distinct = join_duplicates([scored for scored in prose if scored.score >= floor])
    further = (claim for claim in distinct if claim.best.candidate.key not in known)
    return list(islice((claim for claim in further if not is_caution(_words(claim.best))), max(0, most)))


def _put_first(
    needed: Sequence[ScoredCandidate], selected: Sequence[SelectedClaim], *, leads: bool
) -> list[SelectedClaim]:
    """Return the needed sentences before the other selected ones; if it needs only advice, after the best of them.

    An instruction always leads.
    """
    by_key = {claim.best.candidate.key: claim for claim in selected}
    first = [by_key.get(scored.candidate.key, SelectedClaim(scored)) for scored in needed]
    keys = {scored.candidate.key for scored in needed}
    rest = [claim for claim in selected if claim.best.candidate.key not in keys]
    return [*rest[:1], *first, *rest[1:]] if len(first) == 1 and not leads else [*first, *rest]


def _without_code(free: Sequence[ScoredCandidate]) -> Sequence[ScoredCandidate]:
    """Return the candidates that are not code, or all of them if all are code.

    Used if no candidate is a statement.
    """
    return [
        candidate
        for candidate in free
        if candidate.candidate.kind == "table" or not is_code(_words(candidate))
    ] or free


def _room(leading: Sequence[SelectedClaim], of_each: int) -> dict[Advice, int]:
    room = dict.fromkeys(Advice, of_each) | {Advice.FINDING: 0}
    for claim in leading:
        room[advice_of(claim.best.candidate.text)] -= 1
    return room


def _besides(
    prose: Sequence[ScoredCandidate], known: Collection[object], room: dict[Advice, int]
) -> list[SelectedClaim]:
    floor = BESIDES * prose[0].score if prose else 0.0
    others = []
    for duplicate in join_duplicates([item for item in prose if item.score >= floor]):
        advice = advice_of(duplicate.best.candidate.text)
        if (
            duplicate.best.candidate.key not in known
            and duplicate.best.candidate.kind != "table"
            and room[advice] > 0
        ):
            room[advice] -= 1
            others.append(duplicate)
    return others


def _words(scored: ScoredCandidate) -> str:
    return " ".join(scored.candidate.text.split())
