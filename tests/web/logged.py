"""A run in which everything happened that a log can tell, with words that are too long for any column."""

from datetime import timedelta

from django.utils import timezone

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_degradations import Loss, Shortfall, record_loss
from research.models import (
    AgentRole,
    Escalation,
    Instruction,
    PlanVersion,
    ReviewDecision,
    ReviewItem,
    Step,
    StepStatus,
)
from tests.worlds import ReportWorld

WORD = "Wärmepumpenjahresarbeitszahl" * 6
MOVE = {"exit": "sources_suffice", "to": "reading", "facts": {"sources.found": 12, "sources.coverage": 0.92}}
SLOW = {"attempt": 1, "code": "TIMEOUT", "message": "It took too long.", "traceback": "", "retry_in_s": 4.0}


def let_everything_happen(world: ReportWorld) -> None:
    with tenant_context(world.person.tenant.pk):
        _steps(world)
        _people(world)
        record_loss(world.run.pk, Loss(Shortfall.SOURCES_SKIPPED, 0.1, "1 of 10 sources could not be read."))


def _steps(world: ReportWorld) -> None:
    began = timezone.now() - timedelta(minutes=9)
    common = {
        "run": world.run,
        "agent_role": AgentRole.RESEARCHER,
        "started_at": began,
        "completed_at": began,
    }
    done = {**common, "status": StepStatus.COMPLETED, "duration_ms": 1_200}
    Step.objects.create(
        step_index=1, key="2.collecting/web/search.0", handler="report.web_search", tool_name="search",
        input={"query": WORD}, output={"hits": "x" * 4_000, "failures": [SLOW]}, attempt=2, **done,
    )  # fmt: skip
    Step.objects.create(step_index=2, key="2.collecting", handler="state.collecting", output=MOVE, **done)
    Step.objects.create(
        step_index=3, key="3.reading/fetch.1", handler="report.fetch", input={"url": f"https://example.org/{WORD}"},
        output={"failures": [SLOW | {"retry_in_s": None}]}, status=StepStatus.FAILED, error_code="TIMEOUT",
        error_message="It took too long.", **common,
    )  # fmt: skip


def _people(world: ReportWorld) -> None:
    run, user = world.run, world.person.user
    asked = Escalation.objects.create(
        run=run, rule="unresolved_contradictions", state="analyzing", priority="medium", type="blocking",
        required_action="Say which side holds.", deadline=timezone.now(), fallback="degrade", visit="4.analyzing",
    )  # fmt: skip
    item = ReviewItem.objects.create(
        run=run, escalation=asked, position=1, kind="gap", reason="21 against 12."
    )
    note = {"note": f"The register counts every unit. {WORD}", "text": "Sales rose by 12 percent."}
    ReviewDecision.objects.create(escalation=asked, item=item, act="edit", by=user, detail=note)
    Instruction.objects.create(
        run=run, text="Also look at costs.", author=user, effects=["A query was added."]
    )
    PlanVersion.objects.create(run=run, number=2, plan=run.plan, trigger="edit", reason=WORD, made_by=user)
