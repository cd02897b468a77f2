"""Technical answers over the API."""

import pytest

from research.db.tenancy import tenant_context
from research.integrations.mcp import mcp_tools
from tests.web.technical_world import make_technical

pytestmark = pytest.mark.django_db


@pytest.fixture
def technical(ada):
    return make_technical(ada)


def test_results_code_and_diagrams_are_told_beside_the_report(program, technical):
    answer = program.get(f"/runs/{technical.run.pk}/technical").json()
    assert answer["results"]
    assert answer["code_examples"][0]["code"]
    assert answer["diagrams"]
    assert [one["number"] for one in answer["citations"]] == sorted(
        one["number"] for one in answer["citations"]
    )


def test_a_run_of_another_kind_has_none(program, world):
    response = program.get(f"/runs/{world.run.pk}/technical")
    assert (response.status_code, response.json()["detail"]) == (404, "This run is not a technical answer.")


def test_agents_read_it_with_the_report(technical, world):
    with tenant_context(technical.person.tenant.pk):
        assert mcp_tools.report(technical.run.pk).technical.code_examples
        assert mcp_tools.report(world.run.pk).technical is None
