"""Parts of a report from the web, each alone: turns of domains, what is wanted, how passages are scored."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID, uuid4

import numpy as np

from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.report.collecting.collect_report_sources_from_web import filters_of
from research.pipelines.report.passages_found_for_report import FoundPassage, dump_passages
from research.pipelines.report.reading import score_report_passages
from research.pipelines.report.reading.fetch_report_pages import in_turns
from research.pipelines.report.reading.score_report_passages import MAX_VECTORS, score, worth_vectors
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query

HEAT = Query("Do heat pumps work in the cold?", "heat pumps")
BEES = Query("How many bees live in a hive?", "bees")
TEXTS = [
    "Heat pumps work in the cold down to minus twenty degrees.",
    "Some forty thousand bees live in a hive in summer.",
    "The town hall opens at nine.",
]


def pages(*urls: str) -> list[tuple[UUID, str]]:
    return [(uuid4(), url) for url in urls]


def test_each_domain_gets_a_turn_before_any_gets_its_second():
    found = pages(
        "https://a.example/1", "https://a.example/2", "https://www.a.example/3", "https://b.example/1"
    )
    assert [url for _, url in in_turns(found)] == [
        "https://a.example/1", "https://b.example/1", "https://a.example/2", "https://www.a.example/3",
    ]  # fmt: skip


def test_no_pages_are_no_turns():
    assert in_turns([]) == []


def test_a_passage_belongs_to_the_query_that_it_fits_best():
    vectors = builtin_embedder().embed(TEXTS)
    scored = score(TEXTS, list(vectors), [HEAT, BEES])
    assert [subtopic for _, subtopic in scored[:2]] == ["heat pumps", "bees"]
    assert min(scored[0][0], scored[1][0]) > scored[2][0]


def test_a_passage_without_a_vector_is_scored_by_its_words():
    scored = score(TEXTS, [None, None, None], [HEAT, BEES])
    assert [subtopic for _, subtopic in scored[:2]] == ["heat pumps", "bees"]
    assert scored[2][0] < scored[0][0] < 1


def test_scores_lie_between_none_and_one():
    same = np.asarray(builtin_embedder().embed([HEAT.text])[0])
    [(whole, _)] = score([HEAT.text], [same], [HEAT])
    assert 0.9 < whole <= 1


def test_no_passages_have_no_scores():
    assert score([], [], [HEAT]) == []
    assert worth_vectors([], [HEAT], 1) == []


def test_the_more_pages_a_run_has_the_fewer_vectors_a_page_gets():
    assert worth_vectors(TEXTS, [HEAT], pages=1) == [0, 1, 2]
    assert worth_vectors(TEXTS, [BEES], pages=MAX_VECTORS) == [1]
    assert len(worth_vectors(TEXTS, [HEAT], pages=100 * MAX_VECTORS)) == 1


def test_what_was_found_is_stored_as_plain_values():
    hit = FoundPassage(uuid4(), uuid4(), 3, 9, 0.5, "bees")
    [stored] = dump_passages([hit])
    assert stored == {
        "chunk": str(hit.chunk), "document": str(hit.document), "start": 3, "end": 9, "score": 0.5, "subtopic": "bees",
    }  # fmt: skip


def test_each_query_is_asked_for_its_share_twice_over():
    config = ReportConfig(target_sources=200, excluded_domains=["www.Bad.example"], published_from="2024-06")
    filters = filters_of(config, queries=4)
    assert (filters.most, str(filters.published_from)) == (100, "2024-06-01")
    assert filters.excluded_domains == {"bad.example"}


def test_of_sources_that_are_read_side_by_side_one_embeds_the_queries(monkeypatch):
    together, embedded = Barrier(4), []

    class Embedder:
        def embed(self, texts):
            embedded.append(list(texts))
            return np.ones((len(texts), 2), np.float32)

    monkeypatch.setattr(score_report_passages, "builtin_embedder", Embedder)
    queries = [Query("how deep are wells side by side", "wells")]

    def read(_number: int) -> list[tuple[float, str]]:
        together.wait()
        return score_report_passages.score(["Wells are deep."], [np.ones(2, np.float32)], queries)

    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(read, range(4)))
    assert embedded == [["how deep are wells side by side"]]
    assert results == results[:1] * 4
