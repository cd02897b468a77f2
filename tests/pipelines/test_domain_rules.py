"""An administrator's rule for a publisher goes before the built-in table."""

import pytest

from citations.models import DomainRule
from research.db.tenancy import tenant_context
from research.models import LibraryDocument, Run, Source
from research.pipelines.report.collecting.add_report_sources import add_documents
from tests.people import join
from tests.worlds import add_content


@pytest.fixture
def ada(db):
    return join("ada")


def collect_source(ada) -> Source:
    run = Run.objects.create(owner=ada.user, topic="What does the letter say?")
    document = LibraryDocument.objects.create(
        folder="f",
        path="letter.html",
        url="https://news.reuters.com/letter",
        content=add_content("A letter."),
    )
    add_documents(run.pk, [document], "")
    return Source.objects.get(run=run)


def test_without_a_rule_the_built_in_table_decides(ada):
    with tenant_context(ada.tenant.pk):
        source = collect_source(ada)
    assert (source.tier, source.source_type) == (1, "news")


def test_a_rule_of_ones_own_goes_first(ada):
    with tenant_context(ada.tenant.pk):
        DomainRule.objects.create(domain="reuters.com", tier=4, source_type="blog", publisher="The Letter")
        source = collect_source(ada)
    assert (source.tier, source.source_type, source.publisher) == (4, "blog", "The Letter")


def test_the_rules_of_another_tenant_have_no_say(ada):
    with tenant_context(join("bob").tenant.pk):
        DomainRule.objects.create(domain="reuters.com", tier=4, source_type="blog")
    with tenant_context(ada.tenant.pk):
        assert collect_source(ada).tier == 1
