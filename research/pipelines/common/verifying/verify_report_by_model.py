"""Verify with a model: the rules judge every claim; a model is asked only about those that they leave open."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from uuid import UUID

from django.utils import timezone

from research.agents.agent_prompt_data_blocks import SourceText
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import ChildStep, JsonObject, StepDraft, StepResult, StepWork
from research.llm.budgets.budget_degradations import DegradationCode
from research.models import AgentRole, Queue, Run, Step
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.common.report_claim_alignment import window
from research.pipelines.common.report_model_answers import Opinion
from research.pipelines.common.verifying.check_report_claims import JudgedClaim
from research.pipelines.common.verifying.model_opinion_on_report import adjust_verdict, is_open
from research.pipelines.common.verifying.read_report_to_verify import read_draft
from research.pipelines.common.verifying.report_verification_findings import VerificationFindings, find
from research.pipelines.common.verifying.store_report_verification import build_verification_result
from research.pipelines.report.degrading.save_report_tokens import give_up
from research.pipelines.report.report_step_names import ReportStepName

MAX_ASKED = 60  # claims of a report: one fan-out
MAX_TOKENS = 350


def check_by_rules(work: StepWork) -> StepResult:
    """Verify the draft by rules; store the result at once, unless a model must first be asked about open claims."""
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    findings = find(draft, timezone.now().date())
    asked = list(_open_claims(findings))
    if not asked or _is_given_up(work):
        return build_verification_result(findings)
    after = StepDraft("verify", ReportStepName.SETTLE, AgentRole.VERIFIER, queue=Queue.READING)
    return StepResult(
        {"open": len(asked)}, children=asked, then=after, activity=f"Comparing {len(asked)} claims once more"
    )


def _is_given_up(work: StepWork) -> bool:
    """Return True if tokens run short, so that the rules alone decide."""
    with tenant_context(work.tenant_id):
        return give_up(Run.objects.get(pk=work.run_id), DegradationCode.NO_MODEL_VERIFICATION)


def _open_claims(findings: VerificationFindings) -> Iterator[StepDraft]:
    still_open = [
        judged for judged in findings.judged_claims if judged.deciding_citation and is_open(judged.verdict)
    ]
    for judged in still_open[:MAX_ASKED]:
        yield StepDraft(
            f"opinion.{judged.claim.pk}",
            ReportStepName.GIVE_OPINION,
            AgentRole.VERIFIER,
            input={"claim": str(judged.claim.pk), "text": judged.claim.text, "passage": _passage(judged)},
        )


def _passage(judged: JudgedClaim) -> str:
    deciding = judged.deciding_citation
    return window(deciding).text if deciding else ""


async def give_opinion(work: StepWork) -> StepResult:
    """Ask a model about one claim. It sees the claim and the passage, nothing else."""
    values = {
        name: SourceText(str(work.input[key])) for name, key in (("claim", "text"), ("passage", "passage"))
    }
    asked = await ask(work, ModelQuestion(AgentRole.VERIFIER, "verifier/claim", values, Opinion, MAX_TOKENS))
    if asked.answer is None:
        return StepResult(asked.note)
    opinion: JsonObject = asked.answer.model_dump(mode="json")
    return StepResult({"opinion": opinion}, usage=asked.usage)


def settle(work: StepWork) -> StepResult:
    """Combine the rules' verdicts with the opinions received."""
    opinions = dict(_opinions(work.children()))
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    return build_verification_result(
        find(draft, timezone.now().date(), lambda judged: apply_opinion(judged, opinions))
    )


def _opinions(children: Iterable[ChildStep]) -> Iterator[tuple[UUID, Opinion]]:
    for child in children:
        if given := child.output.get("opinion"):
            yield UUID(str(child.input["claim"])), Opinion.model_validate(given)


def build_opinion_replay(run_id: UUID) -> Callable[[JudgedClaim], JudgedClaim]:
    """Return a function that applies the opinions that models gave on the same sentences when the report was checked.

    Needs the tenant set.
    """
    given = Step.objects.filter(run_id=run_id, handler=ReportStepName.GIVE_OPINION, output__has_key="opinion")
    opinions = {
        (UUID(asked["claim"]), asked["text"]): Opinion.model_validate(output["opinion"])
        for asked, output in given.order_by("step_index").values_list("input", "output")
    }

    def hear(judged: JudgedClaim) -> JudgedClaim:
        opinion = opinions.get((judged.claim.pk, judged.claim.text))
        return judged if opinion is None else apply_opinion(judged, {judged.claim.pk: opinion})

    return hear


def apply_opinion(judged: JudgedClaim, opinions: Mapping[UUID, Opinion]) -> JudgedClaim:
    """Return the judged claim after its opinion, if there is one."""
    opinion = opinions.get(judged.claim.pk)
    if opinion is None or judged.verdict.passage is None:
        return judged
    verdict = adjust_verdict(judged.verdict, opinion, _passage(judged), may_lower=not judged.is_in_own_words)
    each = list(judged.by_citation)
    each[judged.verdict.passage] = verdict
    return replace(judged, verdict=verdict, by_citation=tuple(each))
