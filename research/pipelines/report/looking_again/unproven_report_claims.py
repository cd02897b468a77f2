"""The claims for which the check of a deep report wants more evidence, and whether it is looked for.

It is looked for once in a run: after the first check that finds such claims. Needs the tenant set.
"""

from django.db.models import Q

from citations.models import Claim, ClaimStatus
from research.engine.states.state_exit_conditions import claims_lack_evidence
from research.llm.budgets.budget_status import status_of
from research.models import AgentRole, Kind, Run, State, Step
from research.models.schemas import Division, Plan
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.report.analyzing.assess_report_draft import set_aside
from research.pipelines.report.looking_again.open_report_parts import can_search_in_time
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_outline import read_outline
from research.pipelines.report.report_step_names import ReportStepName

MAX_SOUGHT = 4  # claims: one researcher each
UNPROVEN = (ClaimStatus.PARTIALLY_SUPPORTED, ClaimStatus.UNSUPPORTED)
SPENDING = (AgentRole.RESEARCHER, AgentRole.WRITER)


def may_seek_support(run: Run, config: ReportConfig) -> bool:
    """Return True if claims lack evidence after the check, and researchers can look for it in time and budget."""
    if run.state != State.VERIFYING or run.kind != Kind.REPORT or engine_of(run) is not Engine.MODEL:
        return False
    is_divided = Plan.model_validate(run.plan).division is Division.DIVIDED
    if not is_divided or was_sought(run) or not can_search_in_time(run, config):
        return False
    budget = status_of(run.pk)
    return not any(budget.tokens_for(role).is_scarce for role in SPENDING) and bool(list_unproven_claims(run))


def list_unproven_claims(run: Run) -> list[Claim]:
    """Return claims of the outline that their sources do not carry, or that have too few of them, in its order."""
    places = [pk for section in read_outline(run.outline) if section.is_prose for pk in section.claims]
    wanted = ReportConfig.model_validate(run.config).sources_per_claim
    is_thin = Q(section__isnull=False, origins__lt=wanted)
    found = Claim.objects.filter(Q(verification_status__in=UNPROVEN) | is_thin, pk__in=places).in_bulk()
    decided = set_aside(run.pk)
    return [found[pk] for pk in dict.fromkeys(places) if pk in found and pk not in decided][:MAX_SOUGHT]


def seeks_support(run: Run) -> bool:
    """Return True if the check sent the run back for evidence, and nobody has looked for it yet."""
    left = Step.objects.filter(run=run, handler=f"state.{State.VERIFYING}").order_by("-step_index")
    is_sent = left.values_list("output__exit", flat=True).first() == claims_lack_evidence.__name__
    return is_sent and not was_sought(run)


def was_sought(run: Run) -> bool:
    return Step.objects.filter(run=run, handler=ReportStepName.SEEK_SUPPORT).exists()
