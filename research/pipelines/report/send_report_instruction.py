"""Give a run under way an instruction: "also look at costs", "not example.org", "add a section on safety".

The instruction is stored before it has any effect; a step of the run follows it
(`research.pipelines.report.follow_report_instructions`). Inside the caller's `tenant_context`.
"""

from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from research.engine.insert_steps import insert_steps, place_draft
from research.engine.outbox import enqueue
from research.engine.states.state_context import visit_key
from research.engine.states.transitions import lock_run
from research.models import WAITING, Instruction, InstructionStatus, Kind, Run, State, Step, StepStatus
from research.models.base_models import new_id
from research.pipelines.report.instructions.report_instruction_steps import SEARCHED, instruction_draft
from research.runs.run_plan_versions import request_replan
from research.runs.start_and_cancel import is_binary

SHORTEST, LONGEST = 3, 2_000  # characters
MAX_QUEUED = 20
# The next state that opens reads it.
EARLY = frozenset({State.CREATED, State.PLANNING, State.REPLANNING, State.HUMAN_REVIEW_PLAN})
# The search is over: only another plan can follow it.
LATE = frozenset({State.ANALYZING, State.SYNTHESIZING, State.CITING, State.VERIFYING})


class InstructionRefused(ValueError):
    """An instruction that can't be followed; str(error) tells its author why.

    `is_too_late`: a follow-up question can be asked instead.
    """

    def __init__(self, message: str, *, is_too_late: bool = False) -> None:
        super().__init__(message)
        self.is_too_late = is_too_late


def tell(run_id: UUID, author: User, text: str, key: str = "") -> Instruction:
    """Queue an instruction, and have it read at the next step boundary. Raises InstructionRefused.

    The same `key` again, or the words of one that still waits, returns the first instruction. If the search is over,
    the run makes another plan, if it may: what it has read is kept.
    """
    text = validate_instruction(text)
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None:
            raise InstructionRefused(_("There is no such run."))
        pk = uuid5(run.pk, key) if key else new_id()
        known = _find_instruction(run, pk, text)
        if known is not None:
            return known
        _check(run)
        instruction = Instruction.objects.create(pk=pk, run=run, text=text, author=author)
        Run.objects.filter(pk=run.pk).update(snapshot_version=F("snapshot_version") + 1)
        if _is_late(run):
            _replan(run, author, text)
        else:
            _begin(run, instruction)
    return instruction


def validate_instruction(text: str) -> str:
    """Return the instruction as it is stored, without surrounding space. Raises InstructionRefused."""
    text = text.strip()
    if len(text) < SHORTEST:
        raise InstructionRefused(_("Say it in at least %d characters.") % SHORTEST)
    if len(text) > LONGEST:
        message = _("That has %(length)d characters; at most %(limit)d are possible.")
        raise InstructionRefused(message % {"length": len(text), "limit": LONGEST})
    if any(map(is_binary, text)):
        raise InstructionRefused(_("That holds characters that are not text. Was a file pasted?"))
    return text


def _find_instruction(run: Run, pk: UUID, text: str) -> Instruction | None:
    of_run = Instruction.objects.filter(run=run)
    return of_run.filter(pk=pk).first() or of_run.filter(text=text, status=InstructionStatus.QUEUED).first()


def _check(run: Run) -> None:
    """Check that the run can take an instruction. Raises InstructionRefused."""
    if reason := why_not(run):
        raise InstructionRefused(reason, is_too_late=run.state not in WAITING)
    if Instruction.objects.filter(run=run, status=InstructionStatus.QUEUED).count() >= MAX_QUEUED:
        message = _("%(count)d instructions are already waiting, the maximum. The run will follow them soon.")
        raise InstructionRefused(message % {"count": MAX_QUEUED})


def why_not(run: Run) -> str:
    """Return why the run can't take an instruction now, for its owner; "" if it can."""
    if run.kind != Kind.REPORT:
        return _("A run of this kind can’t be told anything while it is under way.")
    if run.is_finished:
        return _("The run has ended. Ask a follow-up question instead.")
    if run.cancel_at is not None:
        return _("The run is being cancelled. Ask a follow-up question when it has ended.")
    if run.state in WAITING and run.state not in EARLY:
        return _("The run waits for a decision. Make it there: “Plan again” takes your words along.")
    if run.state == State.EXPORTING or (
        run.state == State.RETRYING and _find_retried_state(run) not in (*EARLY, *SEARCHED)
    ):
        return too_late()
    return ""


def too_late() -> str:
    return _(
        "It is too late for that: the report is being finished. Ask a follow-up question when it is there."
    )


def _find_retried_state(run: Run) -> str:
    """Return the state to which a run that recovers from a failure returns."""
    visits = Step.objects.filter(run=run, key=visit_key(run))
    return str(visits.values_list("input__state", flat=True).first() or "")


def _is_late(run: Run) -> bool:
    return run.state in LATE


def _replan(run: Run, author: User, text: str) -> None:
    """Have the run make another plan. Raises InstructionRefused; then nothing is stored."""
    if not request_replan(run.pk, author, text):
        raise InstructionRefused(too_late(), is_too_late=True)


def _begin(run: Run, instruction: Instruction) -> None:
    """Have the present state wait for it. If its exits are being checked just now, the next state reads it."""
    if run.state not in SEARCHED:
        return
    # Locked, so that no worker claims it in between: a state that is being left does not wait for new steps.
    visits = Step.objects.select_for_update(no_key=True).filter(run=run, key=visit_key(run))
    visit = visits.filter(status=StepStatus.PENDING).first()
    if visit is None:
        return
    steps = insert_steps(run, [place_draft(instruction_draft(instruction.pk), visit.key, visit.pk)])
    Step.objects.filter(pk=visit.pk).update(pending_children=F("pending_children") + len(steps))
    Run.objects.filter(pk=run.pk).update(step_count=run.step_count)
    enqueue(run.pk, [step.queue for step in steps], f"instruct.{instruction.pk}")
