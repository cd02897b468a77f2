"""After the check of a deep report, researchers look once for evidence that a claim lacks."""

from collections.abc import Iterator

import pytest

from citations.models import Citation, Claim
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.llm.budgets.budget_status import BudgetStatus, RemainingBudget
from research.models import Kind, Run, Step
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.looking_again import unproven_report_claims
from tests.pipelines.seeking_team import DEEP, PARTLY, REFUSED, Seeking, exits, seeking_team, texts
from tests.pipelines.test_floor import TWO_PARTS
from tests.pipelines.test_model_report import WEAK
from tests.pipelines.test_web_report import ANSWER


@pytest.fixture(scope="module")
def team(module_database: None, valkey_url: str) -> Iterator[Seeking]:
    with seeking_team(valkey_url) as made:
        yield made


def asked(account: PersonalAccount, **config: object) -> Run:
    document = ask(account, Kind.REPORT, TWO_PARTS, DEEP | config)
    with tenant_context(account.tenant_id):
        return Run.objects.get(pk=document.run_id)


def count_steps(run: Run, handler: str) -> int:
    with tenant_context(run.tenant_id):
        return Step.objects.filter(run=run, handler=handler).count()


@pytest.fixture(scope="module")
def run(account: PersonalAccount, team: Seeking) -> Run:
    return asked(account)


def test_a_claim_that_failed_the_check_is_cited_from_what_is_found_for_it(run: Run) -> None:
    with tenant_context(run.tenant_id):
        claim = Claim.objects.get(section__run=run, text=WEAK)
        [citation] = Citation.objects.filter(claim=claim).select_related("source")
        assert claim.verification_status == "verified"
    assert (citation.source.title, citation.quote) == ("How the factor is measured", WEAK)
    assert WEAK not in [left["text"] for left in run.result["left_out"]]


def test_evidence_is_looked_for_once_and_only_the_sections_of_its_claims_are_written_again(run: Run) -> None:
    assert exits(run) == ["claims_lack_evidence", "report_is_verified"]
    with tenant_context(run.tenant_id):
        written = Step.objects.filter(run=run, handler="report.compose").order_by("step_index")
        again = [
            step.input["section"]
            for step in written
            if step.key.partition(".")[0] != written[0].key.partition(".")[0]
        ]
    assert (count_steps(run, "report.support"), count_steps(run, "report.rewrite"), len(again)) == (1, 1, 1)
    assert run.state == "completed"


def test_a_claim_that_left_the_report_takes_its_place_again(account: PersonalAccount, team: Seeking) -> None:
    team.opinion = REFUSED
    try:
        run = asked(account)
    finally:
        team.opinion = PARTLY
    assert exits(run) == ["claims_lack_evidence", "report_is_verified"]
    with tenant_context(run.tenant_id):
        first = Step.objects.filter(run=run, handler="report.settle").order_by("step_index").first()
    assert first.output["counts"]["unsupported"] == 1
    assert texts(run).count(WEAK) == 1
    assert WEAK not in [left["text"] for left in run.result["left_out"]]
    assert "unverified_removed" not in [lost["code"] for lost in run.degradations]


def test_where_nothing_is_found_the_claim_takes_its_own_sources_words(
    account: PersonalAccount, team: Seeking
) -> None:
    team.finds = False
    try:
        run = asked(account)
    finally:
        team.finds = True
    assert exits(run) == ["claims_lack_evidence", "report_is_verified"]
    assert ANSWER in texts(run)
    assert WEAK not in texts(run)


def test_nobody_looks_when_tokens_are_scarce(
    account: PersonalAccount, team: Seeking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        unproven_report_claims, "status_of", lambda run: BudgetStatus(tokens=RemainingBudget(0.05))
    )
    run = asked(account)
    assert exits(run) == ["report_can_be_revised", "report_is_verified"]
    assert count_steps(run, "report.support") == 0


def test_nobody_looks_in_a_report_whose_work_is_not_divided(account: PersonalAccount, team: Seeking) -> None:
    run = asked(account, depth="standard")
    assert exits(run) == ["report_can_be_revised", "report_is_verified"]
    assert count_steps(run, "report.support") == 0
