"""A part of the question that the first round leaves open is looked for once more, in other words."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from citations.models import Warning
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.library.import_library_folder import import_folder
from research.models import Kind, Run, Step
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.looking_again.open_report_parts import select_wanted
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName
from tests.fakes.stub_world import StubWorld
from tests.often import one_in
from tests.pipelines.open_part_cases import IN_LIBRARY, IN_WORLD, LIBRARY, WORLD, OpenPartCase

TRIED = "was looked for again with"


@pytest.fixture(scope="module")
def waterworks(account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("waterworks")
    for name, text in LIBRARY.items():
        (folder / name).write_text(text, encoding="utf-8")
    return import_folder(account.tenant_id, folder).folder


@pytest.fixture(scope="module")
def world(account: PersonalAccount) -> Iterator[StubWorld]:
    with (
        StubWorld(own=WORLD, others=1) as served,
        override_settings(
            PLUMBLINE_ALLOW_LOOPBACK=True,
            PLUMBLINE_POLITENESS_MS=0,
            PLUMBLINE_SEARXNG_URL=served.address,
            PLUMBLINE_PROVIDERS=("searxng",),
        ),
    ):
        close_fetch_process()
        yield served
        close_fetch_process()


def exits_of(report: Document, account: PersonalAccount) -> list[tuple[str, str]]:
    with tenant_context(account.tenant_id):
        visits = Step.objects.filter(run=report.run_id, handler__startswith="state.").order_by("step_index")
        return [
            (handler.removeprefix("state."), found)
            for handler, found in visits.values_list("handler", "output__exit")
        ]


def assert_looked_again(case: OpenPartCase, report: Document, account: PersonalAccount) -> None:
    """The part is answered, or what was tried is told."""
    exits = exits_of(report, account)
    assert exits.count(("analyzing", "parts_are_open")) == 1, exits
    told = [*report.reasons, *(gap.text for gap in report.gaps)]
    if case.answer:
        assert any(case.answer in claim.text for claim in report.claims), [one.text for one in report.claims]
    else:
        assert any(TRIED in text for text in told), told


@pytest.mark.parametrize("case", one_in(4, IN_LIBRARY), ids=lambda case: case.question[:40])
def test_an_open_part_is_looked_for_in_the_library(case, account, waterworks):
    report = ask(account, Kind.REPORT, case.question, {"folders": [waterworks]})
    assert_looked_again(case, report, account)


@pytest.mark.parametrize(
    "case",
    one_in(5, IN_WORLD),
    ids=lambda case: case.question[:40],
)
def test_an_open_part_is_looked_for_on_the_web(case, account, world):
    report = ask(account, Kind.REPORT, case.question, {"sources": "web", "target_sources": 2})
    assert_looked_again(case, report, account)


def test_an_answered_question_is_not_looked_for_again(account, waterworks):
    report = ask(account, Kind.REPORT, "Who built the Ortega ferry?", {"folders": [waterworks]})
    assert ("analyzing", "parts_are_open") not in exits_of(report, account)


def test_where_nothing_else_is_found_the_analysis_is_not_made_anew(account, waterworks):
    report = ask(account, Kind.REPORT, IN_LIBRARY[-1].question, {"folders": [waterworks]})
    assert report.status == "insufficient_evidence"
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=report.run_id, handler=ReportStepName.ANALYZE_BY_RULES)
        assert list(steps.order_by("step_index").values_list("output__is_repeated", flat=True)) == [
            None,
            True,
        ]
        assert Run.objects.get(pk=report.run_id).result["reasons"] == list(report.reasons)


def test_what_was_tried_is_among_what_is_missing(account, waterworks):
    report = ask(account, Kind.REPORT, IN_LIBRARY[3].question, {"folders": [waterworks]})
    with tenant_context(account.tenant_id):
        [gap] = Warning.objects.filter(run=report.run_id, text__contains=TRIED)
    assert (gap.code, gap.kind) == ("G007", "gap")
    assert "“Ortega ferry insurance cost”" in gap.text
    assert "(library)" in gap.text


@pytest.mark.parametrize(
    ("depth", "wanted"),
    [("quick", ["Costs"]), ("standard", ["Costs"]), ("comprehensive", ["Use", "Costs"])],
)
def test_a_plans_own_ideas_are_looked_for_again_only_where_depth_is_wanted(depth, wanted):
    config = ReportConfig.model_validate({"depth": depth, "subtopics": ["costs"]})
    assert select_wanted(["Use", "Costs"], config, []) == wanted


def test_a_subtopic_that_the_run_was_told_to_cover_is_looked_for_again():
    assert select_wanted(["Use", "Costs"], ReportConfig(), ["Use"]) == ["Use"]
