"""A document that several searches of the plan find."""

import pytest

from research.db.tenancy import tenant_context
from research.models import LibraryDocument, Run, Source
from research.pipelines.report.collecting.add_report_sources import FoundDocuments, add_documents, add_found
from tests.people import join
from tests.worlds import add_content


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.fixture
def run(ada):
    subtopics = [{"name": name, "queries": [name]} for name in ("heat", "cold")]
    with tenant_context(ada.tenant.pk):
        yield Run.objects.create(
            owner=ada.user, topic="Do pumps freeze?", plan={"goal": "", "subtopics": subtopics}
        )


def find_documents(run: Run, path: str, subtopic: str) -> FoundDocuments:
    document, _new = LibraryDocument.objects.get_or_create(
        folder="f", path=path, defaults={"content": add_content(path)}
    )
    return FoundDocuments(run.pk, [document], subtopic)


ORDERS = pytest.mark.parametrize("order", [["heat", "cold", ""], ["", "cold", "heat"], ["cold", "", "heat"]])


@ORDERS
def test_it_counts_for_the_first_subtopic_whichever_search_ends_first(run, order):
    for subtopic in order:
        add_documents(run.pk, find_documents(run, "a", subtopic).documents, subtopic)
    assert Source.objects.get(run=run).subtopic == "heat"


@ORDERS
@pytest.mark.parametrize("is_known", [False, True])
def test_so_it_does_where_searches_end_together(run, order, is_known):
    if is_known:
        add_found([find_documents(run, "a", "cold")])
    add_found([find_documents(run, "a", subtopic) for subtopic in order])
    assert Source.objects.get(run=run).subtopic == "heat"


def test_a_subtopic_that_is_not_in_the_plan_any_more_keeps_its_sources(run):
    add_found([find_documents(run, "a", "")])
    Source.objects.filter(run=run).update(subtopic="rain")
    add_found([find_documents(run, "a", "heat"), find_documents(run, "b", "cold")])
    assert set(Source.objects.filter(run=run).values_list("canonical_url", "subtopic")) == {
        ("library:f/a", "rain"),
        ("library:f/b", "cold"),
    }
    assert Run.objects.get(pk=run.pk).sources_found == 2


def test_however_many_searches_end_together_they_cost_the_same_statements(run, django_assert_num_queries):
    searches = [find_documents(run, path, subtopic) for path in "abc" for subtopic in ("cold", "heat")]
    add_found([find_documents(run, "first", "heat")])  # the rules on publishers are kept from now on
    with django_assert_num_queries(7):
        add_found(searches)
