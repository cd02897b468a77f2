"""Hybrid retrieval over the library: full text and vectors, joined by reciprocal rank, plus the documents that a
question names.

Reciprocal rank fusion: Cormack, Clarke, Büttcher (SIGIR 2009), k = 60. Term weights are BM25's idf; PostgreSQL's
`ts_rank` of a single term saturates with its frequency as BM25 does (1 + 1/4 + 1/9 … over π²/6).
Needs the tenant set.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from math import log
from operator import add, or_
from typing import TypeVar
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.contrib.postgres.search import SearchQuery, SearchQueryCombinable, SearchRank
from django.db import connection
from django.db.models import Case, Count, F, FloatField, Q, QuerySet, Value, When, Window
from django.db.models.expressions import Combinable, OrderBy
from django.db.models.functions import Cast, RowNumber
from pgvector.django import CosineDistance, HalfVectorField

from research.agents.extractive.cards import Cards, DocumentCard
from research.agents.extractive.question import Question, QuestionTerm
from research.agents.extractive.rarity import Rarity
from research.library.folders import WEB
from research.library.scope import Scope
from research.library.telling_words import WeightedWords, first_asked, heaviest_first, holding, needed
from research.models import DocumentStatus, LibraryChunk, LibraryDocument, Source
from research.models.sources import Passage, has_dimension

RRF_K = 60
RANKED = 200  # passages of each ranking that take part in the fusion
ALTERNATIVE = 0.4  # what another word for a term is worth
NAMED_FIT = 0.35  # from this fit of its card on, a document counts as named by the question
NAMED_DOCUMENTS = 10
PER_NAMED_DOCUMENT = 12
NAMED_WORTH = 0.5  # of a passage that is found only because its document is named
# Up to about so many passages exact distances are faster than HNSW with a filter, and looking at the words of all as
# fast as the text index (docs/performance.md).
EXACT_BELOW = 35_000
ALL_WORDS_BELOW = 20_000
ASKED_FOR = 2 * RANKED  # passages that hold the words which are looked for first
COUNTED = 5_000  # passages that words are counted in where there are many
SAMPLED_DOCUMENTS = 50  # at least
FEW = 20  # of these: a word that fewer hold is counted by the index

Vector = npt.NDArray[np.float32]
Ranked = TypeVar("Ranked", bound=Hashable)
AnyPassage = TypeVar("AnyPassage", bound=Passage)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A query as a vector of unit length: comparable with those of the same model alone."""

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
class _Place:
    document: UUID
    start: int
    end: int


_Ranking = list[UUID]
_PLACE = ("pk", "document_id", "start_offset", "end_offset")


def documents(scope: Scope) -> QuerySet[LibraryDocument]:
    """Readable documents of the scope. An undated one is not dropped by a date filter."""
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


def cards(scope: Scope) -> Cards:
    """What each document of the scope says about itself."""
    rows = documents(scope).values_list("pk", "title", "author", "published_date", "publisher", "path")
    return Cards(DocumentCard(str(pk), *rest) for pk, *rest in rows.order_by("folder", "path"))


def rarity(question: Question, scope: Scope) -> Rarity:
    """How many of the scope's passages hold each of the question's words."""
    return rarity_of_all([question], scope)


def rarity_of_all(questions: Iterable[Question], scope: Scope) -> Rarity:
    """The same for the words of several questions, in as many looks at the passages as for one.

    Among many passages those of some documents are counted, and rare words, of which these say nothing, by the index.
    """
    terms = list({term.form: term for one in questions for term in reversed(one.terms)}.values())
    passages = _passages(scope)
    total = passages.count()
    sample = _sample(scope, max(total // COUNTED, 1)) if total > ALL_WORDS_BELOW else None
    if sample is None:
        return _counts(terms, passages)
    seen = _counts(terms, passages.filter(document__in=sample))
    rare = [term for term in terms if seen.count(term.form) < FEW]
    exact = _counts(rare, passages.filter(holding(_any_of(term.surface for term in rare)))) if rare else None
    times = total / max(seen.total, 1)
    about = {form: round(count * times) for form, count in seen.counts.items()}
    return Rarity(total, about | dict(exact.counts if exact else {}))


def _sample(scope: Scope, every: int) -> list[UUID] | None:
    """Each so many-th document, in an order that says nothing about them; None where they are too few for that."""
    found = sorted(documents(scope).values_list("pk", flat=True), key=lambda pk: pk.int % 2**62)
    return found[::every] if len(found) >= every * SAMPLED_DOCUMENTS else None


def _counts(terms: Sequence[QuestionTerm], passages: QuerySet[LibraryChunk]) -> Rarity:
    wanted = {f"n{index}": term for index, term in enumerate(terms)}
    found = passages.aggregate(
        total=Count("pk"),
        **{name: Count("pk", filter=Q(search=_query(term.surface))) for name, term in wanted.items()},
    )
    return Rarity(found["total"], {term.form: found[name] for name, term in wanted.items()})


def retrieve(
    question: Question, meaning: Meaning | None, scope: Scope, *, known: Cards, rare: Rarity, limit: int = 60
) -> list[Hit]:
    """The passages that fit the question best, best first; those of documents that it names come besides.

    Passages without a vector of the meaning's model, and without a meaning all, are found by their words.
    """
    passages = _passages(scope)
    places: dict[UUID, _Place] = {}
    rankings = [_best_by_words(passages, question, rare, places)]
    if meaning is not None:
        rankings.append(_by_meaning(passages, meaning, rare.total, places))
    scores = dict(reciprocal_rank_fusion(rankings, str)[:limit])
    named = _named_documents(question, known, rare)
    for document_rankings in _within(passages, named, question, meaning, rare, places):
        for chunk, score in reciprocal_rank_fusion(document_rankings, str)[:PER_NAMED_DOCUMENT]:
            scores[chunk] = max(scores.get(chunk, 0.0), NAMED_WORTH * score)
    best = max(scores.values(), default=1.0)
    hits = [_hit(chunk, places[chunk], score / best) for chunk, score in scores.items()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.document.int, hit.start))


def reciprocal_rank_fusion(
    rankings: Iterable[Iterable[Ranked]], order: Callable[[Ranked], str]
) -> list[tuple[Ranked, float]]:
    """All that is ranked with its score, best first; `order` decides between equals."""
    scores: dict[Ranked, float] = {}
    for ranking in rankings:
        for position, one in enumerate(ranking, start=1):
            scores[one] = scores.get(one, 0.0) + 1 / (RRF_K + position)
    return sorted(scores.items(), key=lambda item: (-item[1], order(item[0])))


def _hit(chunk: UUID, place: _Place, score: float) -> Hit:
    return Hit(chunk, place.document, place.start, place.end, round(score, 6))


def _passages(scope: Scope) -> QuerySet[LibraryChunk]:
    return LibraryChunk.objects.filter(document__in=documents(scope))


def _query(words: str) -> SearchQuery:
    # A phrase, because PostgreSQL takes "800-63B" and "4.0.3" apart: together again they are one term.
    return SearchQuery(words, config="english", search_type="phrase")


def _best_by_words(
    passages: QuerySet[LibraryChunk], question: Question, rare: Rarity, places: dict[UUID, _Place]
) -> _Ranking:
    """The RANKED best. Of many passages those that hold the heavy words, until no others could be among the best."""
    weighted = heaviest_first(_weighted(question, rare))
    if rare.total <= ALL_WORDS_BELOW or not weighted:
        return _ranked(_by_words(passages, weighted)[:RANKED], places)
    asked = first_asked(weighted, ASKED_FOR)
    rows = _holding_one_of(weighted[:asked], passages, weighted)
    enough = needed(weighted, rows[-1][0] if len(rows) == RANKED else 0.0)
    if enough > asked:
        rows = _holding_one_of(weighted[:enough], passages, weighted)
    return _placed((row[1:] for row in rows), places)


def _holding_one_of(
    heavy: Sequence[WeightedWords], passages: QuerySet[LibraryChunk], weighted: Sequence[WeightedWords]
) -> list[tuple[float, UUID, UUID, int, int]]:
    known = passages.filter(holding(_any_of(one.words for one in heavy)))
    return list(_by_words(known, weighted).values_list("relevance", *_PLACE)[:RANKED])


def _by_words(passages: QuerySet[LibraryChunk], weighted: Sequence[WeightedWords]) -> QuerySet[LibraryChunk]:
    if not weighted:
        return passages.annotate(relevance=Value(0.0)).none()
    parts: list[Combinable] = [
        Case(
            When(
                search=_query(one.words),
                then=Value(one.weight) * (Value(0.5) + SearchRank(F("search"), _query(one.words))),
            ),
            default=Value(0.0),
            output_field=FloatField(),
        )
        for one in weighted
    ]
    return (
        passages.filter(search=_any_of(one.words for one in weighted))
        .annotate(relevance=reduce(add, parts))
        .order_by("-relevance", "pk")
    )


def _any_of(words: Iterable[str]) -> SearchQuery | SearchQueryCombinable:
    return reduce(or_, map(_query, words))


def _weighted(question: Question, rare: Rarity) -> Iterator[WeightedWords]:
    for term in question.terms:
        held = rare.count(term.form)
        weight = term.weight * log(1 + rare.total / (held + 0.5))
        yield WeightedWords(term.surface, weight, held)
        for other in term.alternatives:
            yield WeightedWords(other, ALTERNATIVE * weight, 0)


def comparable(passages: QuerySet[AnyPassage], meaning: Meaning) -> QuerySet[AnyPassage]:
    """Those that have a vector of the same model. One name may have stood for models of two sizes."""
    return passages.filter(has_dimension(len(meaning.vector)), embedding_model=meaning.model_id)


def nearest(scope: Scope, meaning: Meaning, total: int) -> list[UUID]:
    """The passages of the scope that mean the most alike, nearest first: at most RANKED. `total`: how many it has."""
    return _by_meaning(_passages(scope), meaning, total, {})


def _by_meaning(
    passages: QuerySet[LibraryChunk], meaning: Meaning, total: int, places: dict[UUID, _Place]
) -> _Ranking:
    known, vector = comparable(passages, meaning), meaning.vector
    if total <= EXACT_BELOW:
        return _ranked(known.order_by(CosineDistance("embedding", vector), "pk")[:RANKED], places)
    distance = CosineDistance(Cast("embedding", HalfVectorField(dimensions=len(vector))), vector)
    with _nearest_first():
        found = list(
            known.annotate(distance=distance).order_by("distance").values_list("distance", *_PLACE)[:RANKED]
        )
    return _placed((row[1:] for row in sorted(found)), places)


@contextmanager
def _nearest_first() -> Iterator[None]:
    """The index gives passages nearly in their order, and is left as soon as there are enough of this tenant.

    The planner cannot know how many those are (row-level security compares with a setting), takes them to be few, and
    would sort all that the index gives before it gives up: eight times the work, and far ones for near ones. In strict
    order the index passes over near ones that it meets late (docs/performance.md).
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = 100; SET LOCAL enable_sort = off"
        )
        yield
        cursor.execute("SET LOCAL enable_sort = on")


def _ranked(found: QuerySet[LibraryChunk], places: dict[UUID, _Place]) -> _Ranking:
    return _placed(found.values_list(*_PLACE), places)


def _placed(rows: Iterable[tuple[UUID, UUID, int, int]], places: dict[UUID, _Place]) -> _Ranking:
    ranking = []
    for chunk, document, start, end in rows:
        places[chunk] = _Place(document, start, end)
        ranking.append(chunk)
    return ranking


def _named_documents(question: Question, known: Cards, rare: Rarity) -> list[UUID]:
    matches = known.match(question, rare)
    fitting = [
        (one.fit, id) for id, one in matches.items() if one.fit >= NAMED_FIT and not one.is_other_version
    ]
    return [UUID(id) for _, id in sorted(fitting, reverse=True)[:NAMED_DOCUMENTS]]


def _within(
    passages: QuerySet[LibraryChunk],
    named: Sequence[UUID],
    question: Question,
    meaning: Meaning | None,
    rare: Rarity,
    places: dict[UUID, _Place],
) -> list[list[_Ranking]]:
    """For each named document its rankings: a query each for all of them."""
    inside = passages.filter(document__in=named)
    by_words = _by_words(inside, list(_weighted(question, rare)))
    found = [_best_of_each(by_words, F("relevance").desc(), places)]
    if meaning is not None:
        near = comparable(inside, meaning).annotate(distance=CosineDistance("embedding", meaning.vector))
        found.append(_best_of_each(near, F("distance").asc(), places))
    return [[rankings.get(document, []) for rankings in found] for document in named]


def _best_of_each(
    found: QuerySet[LibraryChunk], order: OrderBy, places: dict[UUID, _Place]
) -> Mapping[UUID, _Ranking]:
    place = Window(RowNumber(), partition_by="document_id", order_by=[order, F("pk").asc()])
    rows = (
        found.annotate(place=place).filter(place__lte=2 * PER_NAMED_DOCUMENT).order_by("document_id", "place")
    )
    rankings: dict[UUID, _Ranking] = {}
    for chunk in _ranked(rows, places):
        rankings.setdefault(places[chunk].document, []).append(chunk)
    return rankings
