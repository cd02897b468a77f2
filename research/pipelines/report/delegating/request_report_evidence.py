"""Ask writers and a verifier, before a deep report is written, what evidence they lack.

A writer sees the claims of its section, the verifier those that only one source supports. What they find in the run's
sources becomes claims; what they name as missing is looked for once more, by researchers. Then the analysis is
repeated, and the sections are written from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from citations.models import Claim
from research.agents.agent_delegation_plan import PlannedStep, StepInput
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.llm.budgets.budget_estimates import MAX_WRITERS
from research.llm.budgets.budget_status import status_of
from research.models import AgentRole, Run
from research.models.schemas import Division, Plan
from research.pipelines.report.analyzing.analyze_report_by_model import analyze_claims
from research.pipelines.report.delegating.report_agent_task_waves import Wave
from research.pipelines.report.looking_again.open_report_parts import can_look_again
from research.pipelines.report.report_analysis_evidence import read_evidence
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_outline import OutlinedSection, read_outline
from research.pipelines.report.report_step_names import ReportStepName

MAX_CHECKED = 8  # claims
MAX_LIST = 4_000  # characters of claims that an agent is given
WRITERS_RESULT = "Passages that the section needs beside its claims, and what no passage holds."
VERIFIERS_RESULT = "Passages of other sources on these claims, and the claims that none bears out."


def analyze_and_request(work: StepWork) -> StepResult:
    """Analyze; in a deep run, let writers and a verifier say afterwards what they lack."""
    result = analyze_claims(work)
    with tenant_context(work.tenant_id):
        is_wanted = bool(result.output.get("answerable")) and _may_request(Run.objects.get(pk=work.run_id))
    if not is_wanted:
        return result
    return replace(result, then=StepDraft("request", ReportStepName.REQUEST_EVIDENCE, AgentRole.ORCHESTRATOR))


def request_evidence(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        wave = Wave(goal=run.topic, steps=list(_draft_tasks(run)), is_request=True)
    return StepResult(
        {"tasks": len(wave.steps)},
        children=wave.drafts(),
        then=wave.after(),
        activity="Asking what the sections lack",
    )


def _may_request(run: Run) -> bool:
    """Return True if researchers divide the work on the run, and can look again in time and budget."""
    if Plan.model_validate(run.plan).division is not Division.DIVIDED:
        return False
    is_scarce = status_of(run.pk).tokens_for(AgentRole.WRITER).is_scarce
    return not is_scarce and can_look_again(run, ReportConfig.model_validate(run.config))


def _draft_tasks(run: Run) -> Iterator[PlannedStep]:
    """Yield a writer's task for each of the first sections in prose, and one for a verifier. Needs the tenant set."""
    outline = read_outline(run.outline)
    claims = Claim.objects.in_bulk([pk for section in outline for pk in section.claims])
    prose = [section for section in outline if section.is_prose and section.claims]
    for number, section in enumerate(prose[:MAX_WRITERS], start=1):
        yield _writers_task(number, section, [claims[pk].text for pk in section.claims])
    places = read_evidence(run.pk)
    alone = [claim.text for pk, claim in claims.items() if len({place.source for place in places[pk]}) == 1]
    if alone:
        yield PlannedStep(
            id="check_1",
            title="Find further sources of claims that have one",
            description="The claims are the input.",
            role=AgentRole.VERIFIER,
            inputs=list_as_input(alone[:MAX_CHECKED]),
            expected_output=VERIFIERS_RESULT,
        )


def _writers_task(number: int, section: OutlinedSection, texts: Sequence[str]) -> PlannedStep:
    return PlannedStep(
        id=f"section_{number}",
        title=f"Prepare the section “{section.heading}”"[:200],
        description="Its claims are the input.",
        role=AgentRole.WRITER,
        inputs=list_as_input(texts),
        expected_output=WRITERS_RESULT,
    )


def list_as_input(texts: Sequence[str]) -> list[StepInput]:
    """Return the claims as one input. Sources' words cannot refer to another step's output."""
    listed = "\n".join(f"- {' '.join(text.split())}" for text in texts).replace("{{", "{ {")
    return [StepInput(name="claims", value=listed[:MAX_LIST])]
