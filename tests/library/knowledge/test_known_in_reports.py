"""A report that is asked for after another takes over what that one found: from the sources, checked again."""

import pytest

from citations.models import Citation
from research.db.tenancy import tenant_context
from research.library.knowledge.build_knowledge_graph import build_run
from research.models import Outbox, Run, Step
from research.web.knowledge.known_claims_view import read_known_before
from tests.pipelines.conftest import QUESTION, account, ask_in_library, library, module_database  # noqa: F401 - fixtures

pytestmark = pytest.mark.usefixtures("module_database")
AGAIN = "Which seasonal performance factor does Building Policy Guide 2.0 ask of a heat pump?"


def steps_of(run_id):
    return list(Step.objects.filter(run=run_id, handler="report.known").values_list("output", flat=True))


def test_a_later_report_cites_the_source_of_what_an_earlier_one_found(account, ask_in_library):  # noqa: F811
    first = ask_in_library(QUESTION)
    with tenant_context(account.tenant_id):
        assert Outbox.objects.filter(run=first.run_id, topic="research.tasks.build_knowledge").count() == 1
    assert build_run(account.tenant_id, first.run_id)
    second = ask_in_library(AGAIN)
    with tenant_context(account.tenant_id):
        [output] = steps_of(second.run_id)
        known = read_known_before(Run.objects.get(pk=second.run_id))
        sources = set(Citation.objects.filter(claim__run=second.run_id).values_list("source__run", flat=True))
    assert output["statements"] >= 1
    assert output["runs"] == 1
    assert sources == {second.run_id}
    assert known is not None
    assert known.claims[0].earlier[0].run == first.run_id
    unwanted = ask_in_library(AGAIN, ignore_known=True)
    with tenant_context(account.tenant_id):
        assert steps_of(unwanted.run_id) == []
        assert read_known_before(Run.objects.get(pk=unwanted.run_id)) is None
