"""A report that a model plans, reads for, writes and checks: real database and retrieval, a model server of ours."""

from collections.abc import Iterator

import pytest

from citations.models import Citation, Claim, ClaimStatus, Section
from exports.document.document_tree import Document
from research.agents.agent_prompt_files import load
from research.db.tenancy import tenant_context
from research.llm.budgets.budget_degradations import DegradationCode, sections_kept
from research.models import ModelCall, Run, Step
from research.pipelines.common.verifying import verify_report_by_model as checking_by_model
from research.pipelines.report.analyzing import add_model_notes_to_report
from research.pipelines.report.synthesizing import compose_report_section, draft_report_sections
from tests.fakes.openai_answers import refusal
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import count, get_form_name, scribe
from tests.pipelines.scribe import section as scribe_section

ANSWER = "A heat pump shall reach a seasonal performance factor of at least 3.0 to receive the subsidy."


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture(autouse=True)
def well_behaved(model: FakeOpenAI) -> Iterator[None]:
    yield
    model.default = scribe()


@pytest.fixture(scope="module")
def model_report(model: FakeOpenAI, ask_in_library) -> Document:
    """One report, looked at by many tests."""
    model.requests.clear()
    return ask_in_library(QUESTION)


def test_the_report_is_finished_and_says_who_wrote_it(model_report):
    assert (model_report.status, model_report.engine) == ("done", "model")


def test_the_first_claim_answers(model_report):
    assert model_report.claims[0].text == ANSWER


def test_every_claim_anchors_and_is_checked(model_report, account):
    with tenant_context(account.tenant_id):
        rows = list(Citation.objects.filter(claim__run=model_report.run_id).select_related("source__content"))
        statuses = set(
            Claim.objects.filter(run=model_report.run_id, section__isnull=False).values_list(
                "verification_status", flat=True
            )
        )
    assert rows
    assert all(row.quote == row.source.text[row.start_offset : row.end_offset] for row in rows)
    assert statuses <= {ClaimStatus.VERIFIED, ClaimStatus.PARAPHRASED_ACCURATE}
    assert all(claim.citations for claim in model_report.claims)


def test_one_call_plans_one_reads_each_source_and_one_writes_each_section(model_report, model, account):
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=model_report.run_id)
    assert count(model.requests, "PlanAnswer") == 1
    assert count(model.requests, "ClaimsAnswer") == run.sources_processed
    assert count(model.requests, "SectionAnswer") == run.total_sections


def test_what_was_used_is_kept_with_the_steps(model_report, account):
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=model_report.run_id, handler__in=["report.draft_plan", "report.read"])
        assert all(step.tokens_input > 0 and step.tokens_output > 0 for step in steps)


def test_the_plan_says_what_it_will_take(model_report, account):
    with tenant_context(account.tenant_id):
        plan = Run.objects.get(pk=model_report.run_id).plan
    assert plan["estimated_tokens"] > 2_000 * sum(one["target_sources"] for one in plan["subtopics"])
    assert plan["estimated_cost_usd"] == 0  # the model is on this machine


def test_the_run_keeps_which_prompts_it_used_and_no_answers(model_report, account):
    with tenant_context(account.tenant_id):
        versions = Run.objects.get(pk=model_report.run_id).prompt_versions
        calls = ModelCall.objects.filter(run=model_report.run_id)
        assert calls.exists()
        assert not calls.exclude(answer=None).exists()
    used = [load(name) for name in ("extractor/claims", "planner/report", "writer/section")]
    assert versions == {one.name: [f"{one.version}+{one.sha[:8]}"] for one in used}


WEAK = (
    "Subsidy goes only to pumps whose factor, measured by a laboratory over a full season, is at least 3.0."
)


def weaken(request) -> dict:
    """Says a little more than the source, until it is told not to."""
    drafted = scribe_section(request)
    if "An earlier version" not in request.text:
        for one in drafted["paragraphs"][0]["sentences"]:
            if one["text"] == ANSWER:
                one["text"] = WEAK
    return drafted


@pytest.fixture
def lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer's own check lets everything through, so that the report's check has something to find."""
    monkeypatch.setattr(compose_report_section, "restates", lambda claim, windows, text: True)


def statuses(document: Document) -> set[str]:
    return {claim.verification_status for claim in document.claims}


def test_a_claim_that_the_rules_leave_open_is_shown_to_a_model_with_its_passage_only(
    ask_in_library, model, lenient, account
):
    model.requests.clear()
    model.default = scribe(section=weaken)
    document = ask_in_library(QUESTION, max_quotes=6)
    opinions = [request for request in model.requests if get_form_name(request) == "Opinion"]
    assert document.status == "done"
    assert [WEAK in opinion.text and QUESTION not in opinion.text for opinion in opinions] == [True]
    assert document.claims[0].verification_status == "paraphrased_accurate"


def test_short_of_tokens_the_rules_alone_decide(ask_in_library, model, lenient, monkeypatch):
    monkeypatch.setattr(
        checking_by_model, "give_up", lambda run, code: code is DegradationCode.NO_MODEL_VERIFICATION
    )
    model.requests.clear()
    model.default = scribe(section=weaken)
    document = ask_in_library(QUESTION, max_quotes=3)
    assert (document.status, count(model.requests, "Opinion")) == ("done", 0)
    assert statuses(document) == {"verified"}  # after a revision


def test_without_an_opinion_the_rules_verdict_stands(ask_in_library, model, lenient, account):
    refused, well = refusal(), scribe(section=weaken)
    model.default = lambda request: (refused if get_form_name(request) == "Opinion" else well)(request)
    document = ask_in_library(QUESTION, max_quotes=3)
    assert statuses(document) == {"verified"}  # after a revision
    with tenant_context(account.tenant_id):
        [step] = Step.objects.filter(run=document.run_id, handler="report.opinion")
    assert "fallback" in step.output


def test_a_faulty_section_is_written_again_in_its_sources_words(ask_in_library, model, lenient, account):
    model.requests.clear()
    partly = {"verdict": "partly", "quote": "", "reason": "Regions are not named."}
    model.default = scribe(section=weaken, opinion=lambda request: partly)
    document = ask_in_library(QUESTION, max_quotes=3)
    assert document.status == "done"
    assert statuses(document) == {"verified"}
    with tenant_context(account.tenant_id):
        assert Run.objects.get(pk=document.run_id).revision_count == 1


MADE_UP = "More is told at https://made.up/address"


def invent(request) -> dict:
    """Sends the reader to an address that is no source's."""
    drafted = scribe_section(request)
    drafted["paragraphs"][0]["sentences"].insert(0, {"claim": 0, "text": MADE_UP})
    return drafted


def test_what_no_source_says_is_written_again_by_rules_in_the_sources_own_words(
    ask_in_library, model, monkeypatch, account
):
    monkeypatch.setattr(compose_report_section, "is_connection", lambda text, cited, heading: True)
    model.requests.clear()
    model.default = scribe(section=invent)
    document = ask_in_library(QUESTION, max_quotes=3)
    sections = len(document.sections)
    assert (document.status, count(model.requests, "SectionAnswer")) == ("done", sections)
    with tenant_context(account.tenant_id):
        bodies = list(Section.objects.filter(run=document.run_id).values_list("body", flat=True))
        steps = Step.objects.filter(run=document.run_id, handler="report.write")
        assert [step.input for step in steps] == [{"section": n, "strict": True} for n in range(sections)]
    assert MADE_UP not in str(bodies)
    [strict] = [degradation for degradation in document.degradations if degradation.code == "strict_sections"]
    assert (strict.quality_impact, "“" in strict.reason) == (0.25, True)
    assert all(claim.citations for claim in document.claims)


WRONG = ANSWER.replace("3.0", "4.5")


def misstate(request) -> dict:
    """Says something else than the source, always."""
    drafted = scribe_section(request)
    for one in drafted["paragraphs"][0]["sentences"]:
        if one["text"] == ANSWER:
            one["text"] = WRONG
    return drafted


def test_a_claim_that_does_not_hold_leaves_the_report_and_the_report_says_so(
    ask_in_library, model, lenient, account
):
    model.default = scribe(section=misstate)
    document = ask_in_library(QUESTION)
    assert WRONG in {one.text for one in document.left_out}
    [removed] = [
        degradation for degradation in document.degradations if degradation.code == "unverified_removed"
    ]
    assert removed.reason.startswith(f"1 of {len(document.claims) + 1} claims did not hold")
    assert removed.quality_impact == pytest.approx(1 / (len(document.claims) + 1), abs=1e-4)


# --- what does not answer, stands elsewhere, or costs too much ---


def test_where_no_source_says_anything_on_it_the_report_says_so(ask_in_library, model):
    model.default = scribe(claims=lambda request: {"claims": []})
    document = ask_in_library("Who won the chess championship of 1972 in Reykjavik?")
    assert (document.status, document.engine, document.claims) == ("insufficient_evidence", "extractive", ())


MAKERS = "The laboratory tested fourteen units from five makers."


def misname(request) -> dict:
    """Notes a sentence for every source but the one that has it."""
    note = {"text": MAKERS, "quote": MAKERS, "passage": 1, "subtopic": 1, "answers": True}
    return {"claims": [] if MAKERS in request.text else [note]}


def test_a_quote_named_for_a_source_that_lacks_it_is_cited_from_the_one_that_has_it(
    ask_in_library, model, account, monkeypatch
):
    monkeypatch.setattr(add_model_notes_to_report, "DETAIL_FLOOR", 0)
    monkeypatch.setattr(add_model_notes_to_report, "FLOOR", 0)
    model.default = scribe(claims=misname)
    document = ask_in_library(QUESTION)
    corrected = [
        citation
        for claim in document.claims
        for citation in claim.citations
        if citation.status == "corrected"
    ]
    assert [one.source.file for one in corrected] == ["lab-limits-2022.md"]
    assert corrected[0].quote == MAKERS


def test_without_tokens_for_reading_the_rules_read(ask_in_library, model, settings, account):
    roles = settings.PLUMBLINE_BUDGET_ROLES
    settings.PLUMBLINE_BUDGET_ROLES = {
        **roles,
        "extractor": tuple(role / 1000 for role in roles["extractor"]),
    }
    model.requests.clear()
    document = ask_in_library(QUESTION)
    assert (document.status, count(model.requests, "ClaimsAnswer")) == ("done", 0)
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=document.run_id, handler="report.read")
        codes = {step.output["fallback"]["code"] for step in steps}
    # A step that begins after the first refusal does not ask at all.
    assert {"BUDGET_EXCEEDED_TOKENS"} <= codes <= {"BUDGET_EXCEEDED_TOKENS", "LLM_GIVEN_UP"}


def test_few_tokens_left_are_kept_for_fewer_sections_by_a_model(
    ask_in_library, model, settings, monkeypatch, account
):
    monkeypatch.setattr(
        draft_report_sections, "give_up", lambda run, code: code is DegradationCode.FEWER_SECTIONS
    )
    model.requests.clear()
    document = ask_in_library(QUESTION)
    sections = len(document.sections)
    assert (document.status, count(model.requests, "SectionAnswer")) == ("done", sections_kept(sections))
    assert all(claim.citations for claim in document.claims)
