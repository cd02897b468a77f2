"""Findings of earlier runs are offered to new ones, checked again, and cited from their source."""

import pytest

from citations.models import Citation, Recheck, RecheckedCitation
from research.db.tenancy import tenant_context
from research.library.knowledge.known_claims import check_quotes, find_known_claims
from research.library.library_scope import LibraryScope
from research.library.retrieval.hybrid_retrieval import documents
from research.models import LibraryDocument, Source
from tests.library.knowledge.finished_runs import Said, make_finished_run
from tests.worlds import add_content

pytestmark = pytest.mark.django_db
LENGTH = Said("The Gotthard Base Tunnel is 57 km long.", "2019", "SBB")
QUESTION = "How long is the Gotthard base tunnel?"


def put_into_library(person, **columns):
    """The sources of all runs become documents that are ready."""
    with tenant_context(person.tenant.pk):
        for source in Source.objects.all():
            values = {"folder": "uploads", "path": source.canonical_url, "status": "ready"} | columns
            document = LibraryDocument.objects.create(content=source.content, title=source.title, **values)
            Source.objects.filter(pk=source.pk).update(library_document=document)


def check_known_quotes(person, **scope):
    """The quotes that are left of all claims, and why others are not."""
    with tenant_context(person.tenant.pk):
        claims = [claim.id for claim in find_known_claims(QUESTION).claims]
        found = check_quotes(claims, [documents(LibraryScope(**scope))])
    return len(found.kept), {reason.value: count for reason, count in found.dropped.items()}


def test_find_known_claims_finds_what_runs_say_of_the_questions_things(ada):
    run = make_finished_run(ada, "How long is it?", [LENGTH, "Acme sells batteries for 500 euros."])
    with tenant_context(ada.tenant.pk):
        offer = find_known_claims(QUESTION)
        assert [claim.text for claim in offer.claims] == [LENGTH.text]
        assert (offer.statements, offer.runs) == (1, 1)
        assert not find_known_claims(QUESTION, without_run=run.pk)
        assert not find_known_claims("What is the capital of Peru?")


def test_find_known_claims_takes_one_query(ada, django_assert_num_queries):
    make_finished_run(ada, "How long is it?", [LENGTH])
    with tenant_context(ada.tenant.pk), django_assert_num_queries(1):
        find_known_claims(QUESTION)


def test_find_known_claims_offers_one_sentence_once(ada):
    for _time in range(3):
        make_finished_run(ada, "How long is it?", [LENGTH])
    with tenant_context(ada.tenant.pk):
        assert find_known_claims(QUESTION).statements == 1


def test_find_known_claims_sees_nothing_of_another_workspace(ada, bob):
    make_finished_run(ada, "How long is it?", [LENGTH])
    with tenant_context(bob.tenant.pk):
        assert not find_known_claims(QUESTION)


@pytest.mark.parametrize("question", ["", "?", "\0", "a" * 10_000, "der die das", "🚇 " * 50])
def test_find_known_claims_takes_any_text(ada, question):
    make_finished_run(ada, "How long is it?", [LENGTH])
    with tenant_context(ada.tenant.pk):
        assert not find_known_claims(question)


def test_check_quotes_keeps_what_still_stands(ada):
    make_finished_run(ada, "How long is it?", [LENGTH])
    put_into_library(ada)
    assert check_known_quotes(ada) == (1, {})


def test_check_quotes_drops_what_is_gone(ada):
    make_finished_run(ada, "How long is it?", [LENGTH])
    assert check_known_quotes(ada) == (0, {"gone": 1})


def test_check_quotes_drops_what_is_out_of_scope(ada):
    make_finished_run(ada, "How long is it?", [LENGTH])
    put_into_library(ada)
    assert check_known_quotes(ada, folders=("uploads/Contracts",)) == (0, {"out of scope": 1})


def test_check_quotes_drops_a_document_that_was_read_anew(ada):
    make_finished_run(ada, "How long is it?", [LENGTH])
    put_into_library(ada)
    with tenant_context(ada.tenant.pk):
        LibraryDocument.objects.update(content=add_content("It is 58 km long."))
    assert check_known_quotes(ada) == (0, {"changed": 1})


def test_check_quotes_drops_what_a_recheck_found_gone(ada):
    make_finished_run(ada, "How long is it?", [LENGTH])
    put_into_library(ada)
    with tenant_context(ada.tenant.pk):
        recheck = Recheck.objects.create(source=Source.objects.get(), state="waiting")
        RecheckedCitation.objects.create(recheck=recheck, citation=Citation.objects.get(), outcome="gone")
    assert check_known_quotes(ada) == (0, {"changed": 1})


def test_check_quotes_drops_a_source_that_was_retracted(ada):
    make_finished_run(ada, "How long is it?", [LENGTH])
    put_into_library(ada)
    with tenant_context(ada.tenant.pk):
        Source.objects.update(title="RETRACTED: The longest tunnel")
    assert check_known_quotes(ada) == (0, {"withdrawn": 1})
