"""A figure that an agent computes from a page's figures: it is in the report, with its formula, code and quotes."""

import json
import re
from collections.abc import Iterator

import pytest

from citations.models import Claim
from exports.building.build_document import build_document, read_claim
from exports.formats import to_json
from exports.formats.export_options import ExportOptions
from research.accounts.people import PersonalAccount
from research.agents.tools.evidence.tool_source_handles import page_handle
from research.db.tenancy import tenant_context
from research.models import Kind, Run, Step
from research.pipelines.pipeline_in_foreground import ask
from tests.fakes.openai_answers import Behaviour, Request, answer, tool_calls
from tests.pipelines.model_world import model_world
from tests.pipelines.test_delegating import CONFIG, FINDINGS, REST, STEP, VAIN, Team, search_pages
from tests.pipelines.test_web_report import article
from tests.pipelines.web_world import serve_search

ASKED = "What did each heat pump installation cost in the field trial?"
COSTS = article(
    "What drilling costs",
    "Each installation in the field trial cost 14,200 euros on average, and drilling was a third of that sum.",
    "The field trial of heat pumps had 11 installations, and all of them still ran when it ended in the spring.",
)
CODE = "figures = [row[2] for row in q['rows'] if row[4] in ('EUR', None)]\nr = 14200 * 11"
EXECUTOR = {"id": "step_2", "title": "Add up the costs", "role": "executor", "inputs": []}


def figure(value: str, page: str) -> dict[str, object]:
    return {
        "field": "Cost of all installations in the field trial",
        "value": value,
        "formula": "cost * count",
        "inputs": [
            {
                "name": "cost",
                "figure": "14,200 euros",
                "source": page,
                "quote": "Each installation in the field trial cost 14,200 euros on average",
            },
            {
                "name": "count",
                "figure": "11",
                "source": page,
                "quote": "The field trial of heat pumps had 11 installations",
            },
        ],
    }


class Calculators(Team):
    """Its executor computes in Python, and gives a figure that follows and one that does not."""

    def __init__(self, site) -> None:
        super().__init__(site)
        self.steps = [STEP | REST, EXECUTOR | REST | {"depends_on": ["step_1"]}]

    def agent(self, request: Request) -> Behaviour:
        if "Your task: Add up the costs" not in request.text:
            return super().agent(request)
        page = page_handle(f"{self.site.base}/costs")
        known = re.findall(r"src-[0-9a-f]{12}", request.text)
        data = [{"name": "q", "source": known[0] if known else page}]
        turns = [
            tool_calls(("retrieve", {"query": "cost of an installation in the field trial"})),
            tool_calls(("compute", {"data": data, "code": CODE, "result": "r"})),
            answer(FINDINGS | {"computed": [figure("156,200 euros", page), figure("99 euros", page)]}),
        ]
        said = [one for one in request.body["messages"] if one["role"] == "assistant"]
        return turns[len(said)]


@pytest.fixture(scope="module")
def run(account: PersonalAccount, module_database: None, valkey_url: str) -> Iterator[Run]:
    with model_world(valkey_url) as server, serve_search(search_pages, costs=COSTS, gardens=VAIN) as site:
        server.default = Calculators(site)
        document = ask(account, Kind.REPORT, ASKED, CONFIG)
    with tenant_context(account.tenant_id):
        yield Run.objects.get(pk=document.run_id)


def test_a_computed_figure_is_a_claim_with_the_quotes_of_its_inputs(run, account):
    with tenant_context(account.tenant_id):
        [claim] = Claim.objects.filter(run=run, section__isnull=False).exclude(quantities=[])
        assert claim.text.endswith(": 156,200 euros (= 14,200 euros × 11).")
        assert claim.section.heading == "Computed figures"
        assert claim.verification_status == "verified"
        quotes = [row.quote for row in claim.citations.order_by("citation_index")]
        assert ["14,200 euros" in quotes[0], "11 installations" in quotes[1]] == [True, True]
        for row in claim.citations.select_related("source__content"):
            assert row.quote == row.source.text[row.start_offset : row.end_offset]


def test_a_figure_that_does_not_follow_is_listed(run, account):
    with tenant_context(account.tenant_id):
        left = {one["text"]: one["reason"] for one in Run.objects.get(pk=run.pk).result["left_out"]}
    assert "another result" in left["Cost of all installations in the field trial: 99 euros"]


def test_the_figure_is_traced_to_the_code_that_gave_it(run, account):
    with tenant_context(account.tenant_id):
        [claim] = Claim.objects.filter(run=run, section__isnull=False).exclude(quantities=[])
        computation = read_claim(run.pk, claim.number).computation
        assert computation.code == CODE
        assert Step.objects.get(pk=computation.step).run_id == run.pk
        written = json.loads(to_json.write(build_document(run.pk), ExportOptions(), lambda _share: None))
    stated = next(one for one in written["claims"] if one["number"] == claim.number)
    assert stated["computation"]["code"] == CODE
    assert stated["computation"]["formula"] == "14,200 euros × 11"
