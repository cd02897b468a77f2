"""The authorship of a run's report, derived from the model calls that succeeded, never from the configuration.

It is stored with the run's outcome before files are exported and when the run ends. A run whose model did not answer
gets a degradation and a warning. Needs the tenant set.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Sum

from citations.models import Section, Warning
from citations.models import WarningKind as Kind
from citations.models import WarningSeverity as Severity
from research.llm.budgets.budget_degradations import Loss, Shortfall, forget_loss, record_loss
from research.llm.model_errors import Trouble
from research.models import AgentRole, ModelCall, ModelCallStatus, Operation, Run, Step, StepStatus
from research.models.schemas import RunOutcome, StoredAuthorship, StoredStage

PLANNED, READ, WROTE, CHECKED = "planned", "read", "wrote", "checked"
STAGES: Mapping[str, str] = {
    AgentRole.ORCHESTRATOR: PLANNED,
    AgentRole.PLANNER: PLANNED,
    AgentRole.RESEARCHER: READ,
    AgentRole.EXTRACTOR: READ,
    AgentRole.EXECUTOR: READ,
    AgentRole.ANALYZER: WROTE,
    AgentRole.WRITER: WROTE,
    AgentRole.VERIFIER: CHECKED,
}
MODEL = "model"
UNANSWERED, PARTLY = OF_AUTHORSHIP = ("W021", "W022")  # codes of warnings
# Of the confidence of rules that replaced a model (research.pipelines.report.record_report_fallbacks).
IMPACT_OF_ALL, IMPACT_OF_SOME = 0.2, 0.1
UNUSABLE = "MODEL_UNUSABLE"  # the model answered, but nothing of its answer could be used
NOTHING_STANDS = (
    "Nothing that the model noted stands in the sources.",
    "Use a more capable model, then ask again.",
)
CAUSES: Mapping[str, tuple[str, str]] = {
    Trouble.NOT_FOUND: (
        "The model's server knows no such model, or its address is not that of a model's server.",
        "Check the model's name and the address of its server, then ask again.",
    ),
    Trouble.ACCESS_DENIED: (
        "The model's server did not accept the key.",
        "Check the key of the model's server, then ask again.",
    ),
    Trouble.QUOTA: (
        "The account at the model's provider has no credit left.",
        "Add credit at the provider, then ask again.",
    ),
    Trouble.RATE_LIMIT: (
        "The model's server kept reporting too many requests.",
        "Wait, or allow fewer calls a minute, then ask again.",
    ),
    Trouble.BUSY: (
        "The model's server was busy with other calls.",
        "Use a faster server or a smaller model, or fewer sources, then ask again.",
    ),
    Trouble.TOO_SLOW: (
        "The model's server is too slow.",
        "Use a smaller model or a faster machine, then ask again.",
    ),
    Trouble.TIMEOUT: (
        "The model's server did not answer in time.",
        "Check whether the server is overloaded, or use a smaller model, then ask again.",
    ),
    Trouble.UNAVAILABLE: (
        "The model's server could not be reached, or did not send a model's answer.",
        "Check that the server is running and its address is right, then ask again.",
    ),
    Trouble.INVALID_OUTPUT: (
        "The model's answers did not have the requested format.",
        "Use a model that supports structured output, then ask again.",
    ),
    Trouble.TRUNCATED: (
        "The model stopped in the middle of its answers.",
        "Use a model that can write longer answers, then ask again.",
    ),
    Trouble.TOO_LONG: (
        "The model's answers exceeded the size limit.",
        "Use another model, then ask again.",
    ),
    Trouble.EMPTY: ("The model's answers were empty.", "Use another model, then ask again."),
    Trouble.ONLY_THOUGHT: (
        "The model only thought and gave no answers.",
        "Turn its thinking off, or use another model, then ask again.",
    ),
    Trouble.REFUSED: ("The model refused to answer.", "Use another model, then ask again."),
    Trouble.CONTEXT_TOO_LONG: (
        "The input was longer than the model's context.",
        "Use a model with a longer context, then ask again.",
    ),
    Trouble.BAD_REQUEST: (
        "The model's server did not accept the requests.",
        "Check the server's log, then ask again.",
    ),
    Trouble.NOT_CONFIGURED: ("No model is set up any more.", "Set one up, then ask again."),
    Trouble.WRONG_REGION: (
        "The workspace's data may not be sent to the region of the model's server.",
        "Use a server in the workspace's region, then ask again.",
    ),
    Trouble.BUDGET_TOKENS: (
        "Its token limit was reached.",
        "Allow the run more tokens, then ask again.",
    ),
    Trouble.BUDGET_HARD: ("The run's spending limit was reached.", "Raise the limit, then ask again."),
    Trouble.GIVEN_UP: NOTHING_STANDS,
    "HALLUCINATION_DETECTED": NOTHING_STANDS,
    UNUSABLE: (
        "The sources support nothing that the model wrote.",
        "Use a more capable model, then ask again.",
    ),
}
OTHERWISE = ("Its calls failed.", "See the run's log for the reason, then ask again.")
NOT_ANSWERED = "No model wrote this report. {} Rules put it together from the sources' own sentences."
PARTLY_ANSWERED = "The model completed only some of its work. {} Rules did the rest."


def cause_and_advice(code: str) -> tuple[str, str]:
    """Return the cause for which a model did not answer, and what to do about it, each in a sentence."""
    return CAUSES.get(code, OTHERWISE)


def keep_authorship(run: Run) -> None:
    """Store who has written the report so far. Does nothing for a run that was to use no model."""
    stored = Run.objects.values_list("result", flat=True).get(pk=run.pk)
    if not stored or stored.get("engine") != MODEL:
        return
    outcome = RunOutcome.model_validate(stored)
    outcome.authorship = read_authorship(run)
    run.result = outcome.model_dump(mode="json")
    Run.objects.filter(pk=run.pk).update(result=run.result)
    _tell(run, outcome.authorship)


def read_authorship(run: Run) -> StoredAuthorship:
    """Compute the authorship from the log of model calls and from the steps that had to do without a model."""
    ledger = _Ledger.read(run.pk)
    stages = [stage for name in (PLANNED, READ, WROTE, CHECKED) if (stage := ledger.stage(name)) is not None]
    bodies = Section.objects.filter(run=run, report_version=run.report_version).values_list("body", flat=True)
    marks = [body["by"] == MODEL for body in bodies if "by" in body]
    wrote = next((stage for stage in stages if stage.name == WROTE), None)
    if wrote is not None and marks and not all(marks):
        wrote.by = "both" if any(marks) else "rules"
    cause = ledger.cause
    if not cause and wrote is not None and wrote.by == "rules" and wrote.answered:
        cause = UNUSABLE
    return StoredAuthorship(stages=stages, cause=cause)


@dataclass
class _Ledger:
    """Counts the steps that called a model, by stage and by success."""

    answered: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    unanswered: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    tokens: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, run_id: UUID) -> "_Ledger":
        ledger = cls()
        steps = Step.objects.filter(run=run_id)
        calls = ModelCall.objects.filter(
            run=run_id, operation=Operation.MODEL_CALL, step_key__in=steps.values("key")
        )
        ledger._add_calls(
            calls.values_list("role", "step_key", "status", "error_code").annotate(
                Sum("tokens_input"), Sum("tokens_output")
            )
        )
        # A call that the budget refused has no row, and the step that reads notes repeats its reader's failure.
        without = steps.filter(status=StepStatus.COMPLETED, output__has_key="fallback")
        rows = without.exclude(tool_name="cite")
        for role, key, code in rows.values_list("agent_role", "key", "output__fallback__code"):
            ledger.unanswered[STAGES[role]].add(key)
            ledger.answered[STAGES[role]].discard(key)
            ledger.failures[code] += 1
        return ledger

    def _add_calls(self, rows: Iterable[tuple[str, str, str, str, int, int]]) -> None:
        for role, key, status, code, read, written in rows:
            stage = STAGES[role]
            self.tokens[stage] += read + written
            if status == ModelCallStatus.STORED:
                self.answered[stage].add(key)
            elif status == ModelCallStatus.FAILED:
                self.unanswered[stage].add(key)
                self.failures[code] += 1
        for stage, keys in self.unanswered.items():  # a later attempt may have succeeded
            keys -= self.answered[stage]

    def stage(self, name: str) -> StoredStage | None:
        """Return the outcome of a stage; None if no model was called in it."""
        answered, unanswered = len(self.answered[name]), len(self.unanswered[name])
        if not answered and not unanswered:
            return None
        by = "rules" if not answered else "both" if unanswered else "model"
        return StoredStage.model_validate(
            {
                "name": name,
                "by": by,
                "answered": answered,
                "unanswered": unanswered,
                "tokens": self.tokens[name],
            }
        )

    @property
    def cause(self) -> str:
        """Return the commonest failure that no later attempt made good."""
        if not any(self.unanswered.values()):
            return ""
        return self.failures.most_common(1)[0][0] if self.failures else ""


def _is_cut_short(authorship: StoredAuthorship) -> bool:
    """True if only reading lacked a model, because tokens ran out: that is reported when reading ends."""
    without = [stage.name for stage in authorship.stages if stage.by != MODEL]
    return authorship.cause == Trouble.BUDGET_TOKENS and without == [READ]


def _tell(run: Run, authorship: StoredAuthorship) -> None:
    """Replace the degradation and the warning about missing models by the current ones."""
    Warning.objects.filter(run=run, code__in=OF_AUTHORSHIP).delete()
    cause, advice = cause_and_advice(authorship.cause)
    if authorship.is_without_model:
        code, severity, loss = UNANSWERED, Severity.HIGH, Shortfall.MODEL_UNANSWERED
        text, impact = NOT_ANSWERED.format(cause), IMPACT_OF_ALL
        forget_loss(run.pk, Shortfall.MODEL_PARTLY)
    elif authorship.cause and not _is_cut_short(authorship):
        code, severity, loss = PARTLY, Severity.MEDIUM, Shortfall.MODEL_PARTLY
        text, impact = PARTLY_ANSWERED.format(cause), IMPACT_OF_SOME
        forget_loss(run.pk, Shortfall.MODEL_UNANSWERED)
    else:
        forget_loss(run.pk, Shortfall.MODEL_UNANSWERED, Shortfall.MODEL_PARTLY)
        return
    record_loss(run.pk, Loss(loss, impact, text))
    Warning.objects.create(run=run, code=code, kind=Kind.QUALITY, severity=severity, text=text, advice=advice)
