"""A document that several searches of the plan find."""

import pytest

from research.db.tenancy import tenant_context
from research.models import LibraryDocument, Run, Source
from research.pipelines.report.collecting.sources import add_documents
from tests.people import join
from tests.worlds import add_content


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.mark.parametrize("order", [["heat", "cold", ""], ["", "cold", "heat"], ["cold", "", "heat"]])
def test_it_counts_for_the_first_subtopic_whichever_search_ends_first(ada, order):
    subtopics = [{"name": name, "queries": [name]} for name in ("heat", "cold")]
    with tenant_context(ada.tenant.pk):
        run = Run.objects.create(
            owner=ada.user, topic="Do pumps freeze?", plan={"goal": "", "subtopics": subtopics}
        )
        document = LibraryDocument.objects.create(folder="f", path="a", content=add_content("A letter."))
        for subtopic in order:
            add_documents(run.pk, [document], subtopic)
        source = Source.objects.get(run=run)
    assert source.subtopic == "heat"
