"""Hybrid retrieval over the library: full text and vectors, fused by rank, plus the documents that a question names.

Reciprocal rank fusion: Cormack, Clarke, Büttcher (SIGIR 2009), k = 60. Term weights are BM25's idf; PostgreSQL's
`ts_rank` of a single term saturates with its frequency as in BM25 (1 + 1/4 + 1/9 … over π²/6). Needs the tenant set.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField

from research.db.tenancy import current_tenant_id
from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.answer_timelines import asks_for_all_changes, find_dated_documents
from research.extractive.english_spellings import other_spelling
from research.extractive.question.adapt_question_to_library import (
    in_english,
    with_names,
    with_senses,
    with_spelling,
)
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.parsed_question import ParsedQuestion, QuestionTerm, TermKind, analyse
from research.extractive.question.question_translation import detect_language, translate_word_to_german
from research.extractive.question.question_word_translation import is_english_word
from research.extractive.term_rarity import Rarity
from research.extractive.terms import forms
from research.library.library_folders import WEB
from research.library.library_scope import LibraryScope
from research.library.retrieval.library_passage_sql import (
    Place,
    SqlClause,
    Vector,
    best,
    best_of_each,
    best_with_worth,
    both,
    by_meaning,
    by_words,
    counts,
    first_of_each,
    of_documents,
    through_the_index,
)
from research.library.retrieval.library_selective_words import (
    WeightedWords,
    count_required_words,
    first_asked,
    heaviest_first,
)
from research.models import DocumentStatus, LibraryChunk, LibraryDocument, Source
from research.models.source_models import Passage, has_dimension

RRF_K = 60
RANKED = 200  # passages of each ranking that are fused
ALTERNATIVE = 0.4  # weight of an alternative word for a term
FOREIGN = 0.34  # a question is translated if the library lacks more than this share of its words
GERMAN_WORDS = (
    "der",
    "und",
    "ist",
    "mit",
    "von",
    "nicht",
)  # no stop words of English, so that they are counted
GERMAN, GERMAN_FOUND = 0.02, 3  # share of the passages, and how many of these words are in so many
MOSTLY_FOREIGN = 0.6  # the same for English words: if fewer are missing, they are probably misspelled
HEAVY = 0.5  # least weight of a content word
NAMED_FIT = 0.35  # a document counts as named by the question if its card fits at least this well
NAMED_DOCUMENTS = 10
DOCUMENTS_OF_SOURCE = 24  # if the question names a source, whose documents may differ in content
PER_NAMED_DOCUMENT = 12
PASSAGES_OF_CHANGES = 120  # of a changelog, whose first are the newest
NAMED_WORTH = 0.5  # weight of a passage found only because its document is named
# Up to about this many passages, exact distances are faster than HNSW with a filter, and scanning the words of all is
# as fast as the text index (docs/performance.md).
VOCABULARY_OF = 20_000  # passages: takes a second; more add hardly any words
EXACT_BELOW = 35_000
ALL_WORDS_BELOW = 20_000
ASKED_FOR = 2 * RANKED  # matching passages wanted from the heaviest words alone
COUNTED = 5_000  # passages in which words are counted if there are many
SAMPLED_DOCUMENTS = 50  # at least
FEW = 20  # of the sampled passages: rarer words are counted through the index

Ranked = TypeVar("Ranked", bound=Hashable)
AnyPassage = TypeVar("AnyPassage", bound=Passage)


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The embedding of a query, of unit length, comparable only with vectors of the same model."""

    model_id: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found; `score` 0–1 is its fused rank, 1 for the best."""

    chunk: UUID
    document: UUID
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class _RankedPlace:
    document: UUID
    start: int
    end: int


_Ranking = list[UUID]
_PLACE = ("pk", "document_id", "start_offset", "end_offset")


def documents(scope: LibraryScope) -> QuerySet[LibraryDocument]:
    """Return the readable documents in the scope. Undated ones pass date filters."""
    if scope.run is not None:
        of_run = (
            Source.objects.filter(run=scope.run).exclude(library_document=None).values("library_document")
        )
        return LibraryDocument.objects.filter(pk__in=of_run)
    found = LibraryDocument.objects.filter(status=DocumentStatus.READY)
    found = found.filter(folder__in=scope.folders) if scope.folders else found.exclude(folder=WEB)
    if scope.source_types:
        found = found.filter(source_type__in=scope.source_types)
    if scope.published_from:
        found = found.filter(Q(published_date="") | Q(published_date__gte=scope.published_from))
    if scope.published_to:
        # "2017" as an upper bound includes 2017-06: "~" sorts after every digit and dash.
        found = found.filter(Q(published_date="") | Q(published_date__lte=f"{scope.published_to}~"))
    return found


def cards(scope: LibraryScope) -> Cards:
    """Return a card with the metadata of each document in the scope. Without a title, its path names a document."""
    rows = documents(scope).values_list("pk", "title", "path", "author", "published_date", "publisher")
    return Cards(
        _card(str(pk), title or path, *rest, path)
        for pk, title, path, *rest in rows.order_by("folder", "path")
    )


# All searches of a run, and the ranking of its sentences, use the same cards, so their words are analysed once.
_card = lru_cache(maxsize=2_048)(DocumentCard)


def understand(text: str, scope: LibraryScope, known: Cards) -> tuple[ParsedQuestion, Rarity]:
    """Parse a question, adapt the spelling of its words to the passages in the scope, and count them there.

    `known` are the cards of the scope.
    """
    question = analyse(text)
    rare = rarity(question, scope)
    unknown = _unknown(question, rare)
    if not rare.total or not (unknown or _may_be_misspelled(question, rare)):
        return with_names(question, known.has), rare
    words = vocabulary(scope)
    if detect_language(question.text) == "de":
        understood = _in_english_if_foreign(question, unknown, words, scope)
    else:
        understood = with_spelling(question, words, [form for form in unknown if not known.has(form)])
        if understood is question:
            understood = _with_german_senses(question, unknown, words)
    if understood is not question:
        rare = rarity(understood, scope)
    return with_names(understood, known.has), rare


def _unknown(question: ParsedQuestion, rare: Rarity) -> list[str]:
    return [
        term.form
        for term in question.terms
        if term.weight >= HEAVY and not any(rare.count(form) for form in (term.form, *forms(term.surface)))
    ]


def _may_be_misspelled(question: ParsedQuestion, rare: Rarity) -> bool:
    """Return True if a word stands in one passage only: a source may have the same slip."""
    heavy = (term for term in question.terms if term.kind is TermKind.WORD and term.weight >= HEAVY)
    return any(rare.count(term.form) == 1 and not is_english_word(term.surface) for term in heavy)


def _in_english_if_foreign(
    question: ParsedQuestion, unknown: Sequence[str], words: Mapping[str, int], scope: LibraryScope
) -> ParsedQuestion:
    """Translate a German question into English, unless the library is in German as well.

    Names and words that both languages have ("Standard") do not tell that it is.
    """
    heavy = sum(term.weight >= HEAVY for term in question.terms)
    if len(unknown) <= FOREIGN * heavy and _is_partly_german(scope):
        return question
    return in_english(question, lambda word: forms(word)[0] in words)


def _is_partly_german(scope: LibraryScope) -> bool:
    """Return True if several of the words that every German text has are in more than a few passages."""
    total, held = counts(_within(scope), GERMAN_WORDS)
    return sum(count >= max(1, GERMAN * total) for count in held) >= GERMAN_FOUND


def _with_german_senses(
    question: ParsedQuestion, unknown: Sequence[str], words: Mapping[str, int]
) -> ParsedQuestion:
    """Add German words to an English question if the library lacks most of its own."""
    heavy = [term for term in question.terms if term.weight >= HEAVY]
    if len(unknown) <= MOSTLY_FOREIGN * len(heavy):
        return question
    senses = {
        term.form: translate_word_to_german(term.surface, lambda word: forms(word)[0] in words)
        for term in heavy
    }
    return with_senses(question, senses) if any(senses.values()) else question


def vocabulary(scope: LibraryScope) -> Mapping[str, int]:
    """Return the stems that more than one passage in the scope contains, with the numbers of passages."""
    total, _none = counts(_within(scope), ())
    return _vocabulary(current_tenant_id(), scope, total)


@lru_cache(maxsize=16)
def _vocabulary(_tenant: UUID, scope: LibraryScope, _passages: int) -> Mapping[str, int]:
    """Load the vocabulary, cached per tenant while the scope has the same number of passages."""
    passages = LibraryChunk.objects.filter(document__in=documents(scope)).values("search")[:VOCABULARY_OF]
    with connection.cursor() as cursor:
        # `ts_stat` takes a statement as text, so the driver must quote its values.
        words, values = passages.query.sql_with_params()
        cursor.execute("SELECT word, ndoc FROM ts_stat(%s) WHERE ndoc > 1", [cursor.mogrify(words, values)])
        return dict(cursor.fetchall())


def rarity(question: ParsedQuestion, scope: LibraryScope) -> Rarity:
    """Return, for each of the question's words, how many of the scope's passages contain it."""
    return rarity_of_all([question], scope)


def rarity_of_all(questions: Iterable[ParsedQuestion], scope: LibraryScope) -> Rarity:
    """Return the rarity for the words of several questions, with as many queries as for one.

    If there are many passages, those of sampled documents are counted, and words that are too rare for that are
    counted by the index.
    """
    terms = list({term.form: term for question in questions for term in reversed(question.terms)}.values())
    passages = _within(scope)
    total, _none = counts(passages, ())
    sample = _sample(scope, max(total // COUNTED, 1)) if total > ALL_WORDS_BELOW else None
    if sample is None:
        return _counts(terms, passages)
    seen = _counts(terms, both(passages, of_documents(sample)))
    rare = [term for term in terms if seen.count(term.form) < FEW]
    indexed = through_the_index(word for term in rare for word in _spellings(term))
    exact = _counts(rare, both(passages, indexed)) if rare else None
    times = total / max(seen.total, 1)
    about = {form: round(count * times) for form, count in seen.counts.items()}
    return Rarity(total, about | dict(exact.counts if exact else {}))


def _sample(scope: LibraryScope, every: int) -> list[UUID] | None:
    """Return every n-th document in an arbitrary but fixed order; None if there are too few for a sample."""
    found = sorted(documents(scope).values_list("pk", flat=True), key=lambda pk: pk.int % 2**62)
    return found[::every] if len(found) >= every * SAMPLED_DOCUMENTS else None


def _counts(terms: Sequence[QuestionTerm], passages: SqlClause) -> Rarity:
    spelled = [(term.form, word) for term in terms for word in _spellings(term)]
    total, held = counts(passages, [word for _form, word in spelled])
    found: dict[str, int] = defaultdict(int)
    for (form, _word), count in zip(spelled, held, strict=True):
        found[form] = min(total, found[form] + count)
    return Rarity(total, dict(found))


def _spellings(term: QuestionTerm) -> list[str]:
    """Return the word as it was typed, and as it is spelled on the other side of the Atlantic."""
    return [word for word in (term.surface, other_spelling(term.surface)) if word]


def retrieve(
    question: ParsedQuestion,
    meaning: QueryVector | None,
    scope: LibraryScope,
    *,
    known: Cards,
    rare: Rarity,
    limit: int = 60,
    asked_of_named: QueryVector | None = None,
) -> list[Hit]:
    """Return the passages that fit the question best, best first, and passages of documents that it names.

    `asked_of_named` is the question without the names of those documents, which each of their passages would match.
    Passages without a vector of the query's model, or all passages if `meaning` is None, are found by words only.
    """
    passages, weighted = _within(scope), heaviest_first(_weigh_words(question, rare))
    places: dict[UUID, _RankedPlace] = {}
    rankings = [_build_ranking(_best_by_words(passages, weighted, rare.total), places)]
    if meaning is not None:
        rankings.append(_build_ranking(_nearest(scope, meaning, rare.total), places))
    scores = dict(reciprocal_rank_fusion(rankings, str)[:limit])
    named = _find_named_documents(question, known, rare)
    matter = _without_names(question, known, named)
    inside = heaviest_first(_weigh_words(matter, rare))
    of_named = both(passages, of_documents(named))
    for document_rankings in _inside(of_named, named, inside, asked_of_named or meaning, places):
        for chunk, score in reciprocal_rank_fusion(document_rankings, str)[:PER_NAMED_DOCUMENT]:
            scores[chunk] = max(scores.get(chunk, 0.0), NAMED_WORTH * score)
    for chunk in _build_ranking(_of_changelogs(passages, question, known), places):
        scores.setdefault(chunk, NAMED_WORTH / (RRF_K + 1))
    best = max(scores.values(), default=1.0)
    hits = [_hit(chunk, places[chunk], score / best) for chunk, score in scores.items()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.document.int, hit.start))


def reciprocal_rank_fusion(
    rankings: Iterable[Iterable[Ranked]], order: Callable[[Ranked], str]
) -> list[tuple[Ranked, float]]:
    """Return all ranked items with their scores, best first; `order` decides ties."""
    scores: dict[Ranked, float] = {}
    for ranking in rankings:
        for position, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (RRF_K + position)
    return sorted(scores.items(), key=lambda item: (-item[1], order(item[0])))


def _hit(chunk: UUID, place: _RankedPlace, score: float) -> Hit:
    return Hit(chunk, place.document, place.start, place.end, round(score, 6))


@lru_cache(maxsize=256)
def _within(scope: LibraryScope) -> SqlClause:
    """Return the condition for passages in the scope."""
    words, values = documents(scope).values("pk").query.sql_with_params()
    return SqlClause(f"document_id IN ({words})", tuple(values))


def _best_by_words(passages: SqlClause, weighted: Sequence[WeightedWords], total: int) -> list[Place]:
    """Return the RANKED best passages by words; `weighted` is sorted, heaviest first.

    If there are many passages, only those with the heaviest words are ranked, until no others could be among the
    best.
    """
    if not weighted:
        return []
    if total <= ALL_WORDS_BELOW:
        return best(passages, by_words(weighted), RANKED)
    asked = first_asked(weighted, ASKED_FOR)
    rows = _rank_passages_with_any(weighted[:asked], passages, weighted)
    enough = count_required_words(weighted, rows[-1][0] if len(rows) == RANKED else 0.0)
    if enough > asked:
        rows = _rank_passages_with_any(weighted[:enough], passages, weighted)
    return [place for _worth, place in rows]


def _rank_passages_with_any(
    heavy: Sequence[WeightedWords], passages: SqlClause, weighted: Sequence[WeightedWords]
) -> list[tuple[float, Place]]:
    known = both(passages, through_the_index(words.words for words in heavy))
    return best_with_worth(known, weighted, RANKED)


def _weigh_words(question: ParsedQuestion, rare: Rarity) -> Iterator[WeightedWords]:
    for term in question.terms:
        held = rare.count(term.form)
        weight = term.weight * log(1 + rare.total / (held + 0.5))
        for word in _spellings(term):
            yield WeightedWords(word, weight, held)
        for other in term.alternatives:
            yield WeightedWords(other, ALTERNATIVE * weight, 0)


def comparable(passages: QuerySet[AnyPassage], meaning: QueryVector) -> QuerySet[AnyPassage]:
    """Return the passages with a vector of the same model and size: one name may have stood for models of two sizes."""
    return passages.filter(has_dimension(len(meaning.vector)), embedding_model=meaning.model_id)


def nearest(scope: LibraryScope, meaning: QueryVector, total: int) -> list[UUID]:
    """Return the passages in the scope with the nearest vectors, nearest first, at most RANKED.

    `total` is the number of passages in the scope.
    """
    return [chunk for chunk, *_place in _nearest(scope, meaning, total)]


def _nearest(scope: LibraryScope, meaning: QueryVector, total: int) -> list[Place]:
    if total <= EXACT_BELOW:
        return best(_within(scope), by_meaning(meaning.model_id, meaning.vector), RANKED)
    passages = LibraryChunk.objects.filter(document__in=documents(scope))
    vector = meaning.vector
    distance = CosineDistance(Cast("embedding", HalfVectorField(dimensions=len(vector))), vector)
    known = comparable(passages, meaning).annotate(distance=distance).order_by("distance")
    with _nearest_first():
        found = list(known.values_list("distance", *_PLACE)[:RANKED])
    return [place for _distance, *place in sorted(found)]


@contextmanager
def _nearest_first() -> Iterator[None]:
    """Configure the planner so that the index scan stops as soon as it has found enough passages of this tenant.

    The planner can't know their number (row-level security compares with a setting), underestimates it, and would
    sort all results of the index: eight times the work, with distant passages in place of near ones. In strict order
    the index would skip near passages that it reaches late (docs/performance.md).
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = 100; SET LOCAL enable_sort = off"
        )
        yield
        cursor.execute("SET LOCAL enable_sort = on")


def _build_ranking(rows: Iterable[Place], places: dict[UUID, _RankedPlace]) -> _Ranking:
    ranking = []
    for chunk, document, start, end in rows:
        places[chunk] = _RankedPlace(document, start, end)
        ranking.append(chunk)
    return ranking


def _find_named_documents(question: ParsedQuestion, known: Cards, rare: Rarity) -> list[UUID]:
    matches = known.match(question, rare)
    fitting = [
        (match.fit, id)
        for id, match in matches.items()
        if match.fit >= NAMED_FIT and not match.is_other_version
    ]
    most = DOCUMENTS_OF_SOURCE if question.source else NAMED_DOCUMENTS
    return [UUID(id) for _, id in sorted(fitting, reverse=True)[:most]]


def _of_changelogs(passages: SqlClause, question: ParsedQuestion, known: Cards) -> list[Place]:
    """Return the passages of the documents that tell the changes of a thing, if the question names no aspect of it.

    Neither words nor meaning tell them apart: "How has X changed?" asks for each of them.
    """
    if question.form is not AnswerForm.CHANGE or not asks_for_all_changes(question, known):
        return []
    told = [known.get_card(id) for id in find_dated_documents(question, known)]
    told = [card for card in told if card.tells_changes]
    newest = sorted(told, key=lambda card: (card.published, card.id), reverse=True)[:NAMED_DOCUMENTS]
    return first_of_each(
        both(passages, of_documents([UUID(card.id) for card in newest])), PASSAGES_OF_CHANGES
    )


def _without_names(question: ParsedQuestion, known: Cards, named: Sequence[UUID]) -> ParsedQuestion:
    """Return the question without words in the titles of the named documents, if content words remain."""
    titles = [known.by_id[str(pk)].terms for pk in named]
    rest = tuple(term for term in question.terms if not any(term.form in title for title in titles))
    return replace(question, terms=rest) if any(term.weight >= HEAVY for term in rest) else question


def _inside(
    passages: SqlClause,
    named: Sequence[UUID],
    weighted: Sequence[WeightedWords],
    meaning: QueryVector | None,
    places: dict[UUID, _RankedPlace],
) -> list[list[_Ranking]]:
    """Return the rankings for each named document, with one statement per kind of ranking."""
    if not named:
        return []
    orders = [by_words(weighted)] if weighted else []
    if meaning is not None:
        orders.append(by_meaning(meaning.model_id, meaning.vector))
    found = [_of_each(best_of_each(passages, order, 2 * PER_NAMED_DOCUMENT), places) for order in orders]
    return [[rankings.get(document, []) for rankings in found] for document in named]


def _of_each(rows: Iterable[Place], places: dict[UUID, _RankedPlace]) -> Mapping[UUID, _Ranking]:
    rankings: dict[UUID, _Ranking] = {}
    for chunk in _build_ranking(rows, places):
        rankings.setdefault(places[chunk].document, []).append(chunk)
    return rankings
