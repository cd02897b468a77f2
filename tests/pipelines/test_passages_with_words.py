"""Passages by their words, through the owner's function: this tenant's alone, by the index, the same as without it."""

import pytest
from django.db import connection

from config.services.embedded_postgres import connect
from research.db.tenancy import create_tenant, tenant_context
from research.extractive.question.parsed_question import analyse
from research.library.library_scope import LibraryScope
from research.library.retrieval import hybrid_retrieval
from research.library.retrieval.hybrid_retrieval import cards, rarity, retrieve
from research.library.retrieval.library_selective_words import MOST
from research.models import LibraryChunk
from tests.conftest import DATABASE

WORDS = "tomato | subsidi"
QUESTION = "What seasonal performance factor must a heat pump reach in the trial?"


@pytest.fixture
def inside(account, library):
    with tenant_context(account.tenant_id):
        yield LibraryScope(folders=(library,))


def query_chunks(tsquery: str) -> list[object]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT unnest(plumbline_passages_with(%s::tsquery))", [tsquery])
        return [row[0] for row in cursor.fetchall()]


@pytest.mark.django_db
def test_no_rank_is_higher_than_is_counted_on():
    """The worst case: a word once in a heading, then often in the text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT max(ts_rank(setweight(to_tsvector(repeat('pump ', heads)), 'B')"
            " || setweight(to_tsvector(repeat('pump ', times)), 'A'), 'pump'))"
            " FROM generate_series(0, 5) AS heads, generate_series(1, 255, 10) AS times"
        )
        assert 1.08 < cursor.fetchone()[0] < MOST


def test_the_function_finds_what_the_tenants_own_search_finds(inside):
    wanted = LibraryChunk.objects.extra(where=["search @@ 'tomato | subsidi'::tsquery"])
    assert sorted(query_chunks("tomato | subsidi")) == sorted(wanted.values_list("pk", flat=True))
    assert wanted.exists()


def test_another_tenant_and_no_tenant_find_nothing(account, library):
    other = create_tenant("another")
    with tenant_context(other.pk):
        assert query_chunks("tomato | subsidi") == []
    with tenant_context(account.tenant_id):
        assert query_chunks("tomato | subsidi")
    assert query_chunks("tomato | subsidi") == []


def test_only_the_application_may_call_it_and_it_looks_where_it_was_made():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT prosecdef, proconfig, has_function_privilege(current_user, oid, 'execute'),"
            " EXISTS (SELECT 1 FROM aclexplode(proacl) WHERE grantee = 0)"
            " FROM pg_proc WHERE proname = 'plumbline_passages_with'"
        )
        assert cursor.fetchall() == [(True, ["search_path=pg_catalog, public, pg_temp"], True, False)]


def test_the_text_index_is_used_though_a_policy_guards_the_table(database_cluster, account):
    """By its owner; the application is denied it. With hardly a row there, the tenant's would be found without."""
    asked = "EXPLAIN SELECT array_agg(id) FROM public.research_librarychunk WHERE "
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'plumbline_passages_with'")
        [[source]] = cursor.fetchall()
        assert "WHERE tenant_id = $1 AND search @@ $2" in source
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"{asked} search @@ 'tomato'")
        assert "library_chunk_search" not in str(cursor.fetchall())
    with connect(database_cluster, DATABASE) as owner:
        owner.execute("SET enable_seqscan = off")
        plan = owner.execute(f"{asked} search @@ 'tomato'").fetchall()
        assert "Bitmap Index Scan on library_chunk_search" in str(plan)


@pytest.mark.parametrize("asked_for", [1, 4, 400])
def test_the_best_by_words_are_the_same_as_of_all(inside, monkeypatch, asked_for):
    """However few passages are looked at first: in a library of a dozen these are some, most, all."""
    question = analyse(QUESTION)
    rare = rarity(question, inside)

    def retrieve_scores():
        hits = retrieve(question, None, inside, known=cards(inside), rare=rare)
        return [(hit.chunk, hit.score) for hit in hits]

    of_all = retrieve_scores()
    monkeypatch.setattr(hybrid_retrieval, "ALL_WORDS_BELOW", 0)
    monkeypatch.setattr(hybrid_retrieval, "ASKED_FOR", asked_for)
    assert retrieve_scores() == of_all
    assert len(of_all) > 4


def test_words_of_a_large_library_are_counted_in_some_documents_and_rare_ones_in_all(inside, monkeypatch):
    question = analyse(QUESTION)
    exact = rarity(question, inside)
    monkeypatch.setattr(hybrid_retrieval, "ALL_WORDS_BELOW", 0)
    monkeypatch.setattr(hybrid_retrieval, "SAMPLED_DOCUMENTS", 1)
    monkeypatch.setattr(hybrid_retrieval, "COUNTED", 2)
    assert rarity(question, inside) == exact, "all of them are rare here"
    monkeypatch.setattr(hybrid_retrieval, "FEW", 0)
    counted = rarity(question, inside)
    assert counted.total == exact.total
    assert counted.counts != exact.counts
    assert all(0 <= count <= exact.total * 5 for count in counted.counts.values())


def test_too_few_documents_are_counted_whole(inside, monkeypatch):
    exact = rarity(analyse(QUESTION), inside)
    monkeypatch.setattr(hybrid_retrieval, "ALL_WORDS_BELOW", 0)
    monkeypatch.setattr(hybrid_retrieval, "COUNTED", 1)
    assert rarity(analyse(QUESTION), inside) == exact
