"""Follow the instructions to a run under way: a step of the run for each.

An instruction is queued (`research.pipelines.report.send_report_instruction`) and read at the next step boundary: at
once while the run collects and reads; else when the next of those states, or the analysis, begins. A model reads it if
one is configured, else rules do. All its effects are stored at the end of its step, or none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from research.db.tenancy import in_tenant, tenant_context
from research.engine.pipeline_registry import Json, StepDraft, StepResult, StepWork
from research.models import AgentRole, Instruction, InstructionStatus, PlanTrigger, Run, State
from research.models.schemas import Plan, Subtopic
from research.pipelines.common.ask_model_in_pipeline_step import ask
from research.pipelines.common.choose_rules_or_model import Engine, choose
from research.pipelines.report.collecting.collect_report_sources_from_library import library_search
from research.pipelines.report.collecting.collect_report_sources_from_web import (
    pick_pages,
    searches_web,
    web_search,
)
from research.pipelines.report.instructions import read_report_instruction_by_model
from research.pipelines.report.instructions.apply_report_instruction import InstructionEffect, change_for
from research.pipelines.report.instructions.exclude_report_sources import set_aside
from research.pipelines.report.instructions.read_report_instruction_by_rules import Wishes, read_wishes
from research.pipelines.report.instructions.report_instruction_steps import (
    HEEDED,
    SEARCHED,
    begin_draft,
    instruction_draft,
)
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query
from research.pipelines.report.report_step_names import ReportStepName
from research.runs.run_plan_versions import keep_version


def draft_heed_step(run: Run, state: State) -> StepDraft | None:
    """Return the step that a state begins with if instructions wait; None if there are none."""
    told = state in HEEDED and Instruction.objects.filter(run=run, status=InstructionStatus.QUEUED).exists()
    return StepDraft("heed", ReportStepName.HEED_INSTRUCTIONS, AgentRole.PLANNER) if told else None


def heed_instructions(work: StepWork) -> StepResult:
    """Return a step for each waiting instruction, and then the steps of the state."""
    with tenant_context(work.tenant_id):
        waiting = Instruction.objects.filter(run_id=work.run_id, status=InstructionStatus.QUEUED)
        ids = list(waiting.order_by("created_at", "id").values_list("pk", flat=True))
    return StepResult(
        {"instructions": len(ids)},
        children=[instruction_draft(instruction_id, is_opening=True) for instruction_id in ids],
        then=begin_draft("begin"),
    )


def state_of(work: StepWork) -> State:
    """Return the state by the visit that the step belongs to."""
    return State(work.key.partition("/")[0].partition(".")[2])


@dataclass(frozen=True, slots=True)
class PendingInstruction:
    """A waiting instruction, with the question, settings and plan that it is about."""

    instruction: Instruction
    question: str
    attempt: int
    config: Mapping[str, Json]
    plan: Plan
    is_by_model: bool

    @property
    def settings(self) -> ReportConfig:
        return ReportConfig.model_validate(self.config)


async def follow_instruction(work: StepWork) -> StepResult:
    pending = await in_tenant(work.tenant_id, partial(_load_instruction, work))
    if pending is None:
        return StepResult({"followed": False})
    wishes, read = await _wishes(work, pending)
    change = change_for(wishes, pending.config, pending.plan, pending.question)
    searches = list(_searches(work, pending, change))
    return StepResult(
        {
            "instruction": pending.instruction.text,
            "effects": [*change.sentences, *change.refusals],
            **read.output,
        },
        save=partial(_save, work, pending.instruction, wishes),
        children=searches,
        then=_after(work, change, searches),
        activity=_("Following your instruction"),
        usage=read.usage,
    )


def _load_instruction(work: StepWork) -> PendingInstruction | None:
    """Return the instruction; None if it was read before, or there is no plan yet that it could change."""
    waiting = Instruction.objects.filter(status=InstructionStatus.QUEUED).select_related("author")
    instruction = waiting.filter(pk=UUID(str(work.input["instruction"])), run_id=work.run_id).first()
    run = Run.objects.get(pk=work.run_id)
    if instruction is None or run.plan is None:
        return None
    is_by_model = choose(ReportConfig.model_validate(run.config), run.tenant_id) is Engine.MODEL
    return PendingInstruction(
        instruction, run.topic, run.attempt, run.config, Plan.model_validate(run.plan), is_by_model
    )


async def _wishes(work: StepWork, pending: PendingInstruction) -> tuple[Wishes, StepResult]:
    """Return the wishes, with the note and usage of the model that read them, if one did."""
    settings = pending.settings
    by_rules = read_wishes(pending.instruction.text, settings.target_sources)
    if not pending.is_by_model:
        return by_rules, StepResult()
    names = tuple(subtopic.name for subtopic in pending.plan.subtopics)
    days = (settings.published_from, settings.published_to)
    result = await ask(
        work,
        read_report_instruction_by_model.question_for(
            pending.instruction.text,
            read_report_instruction_by_model.InstructionPromptInput(
                pending.question, names, settings.target_sources, *days
            ),
        ),
    )
    if result.answer is None:
        return by_rules, StepResult(result.note)
    return read_report_instruction_by_model.wishes_of(result.answer, settings.target_sources), StepResult(
        usage=result.usage
    )


# --- searches ----------------------------------------------------------------------------------


def _searches(work: StepWork, pending: PendingInstruction, change: InstructionEffect) -> Iterator[StepDraft]:
    """Yield searches for what is new in the plan, unless the state's own steps search for the whole plan after this."""
    state, is_opening = state_of(work), bool(work.input.get("is_opening"))
    if state not in SEARCHED or (is_opening and state is State.COLLECTING and not pending.attempt):
        return
    settings = ReportConfig.model_validate({**pending.config, **change.config})
    queries = [Query(text, subtopic.name) for subtopic in change.searched for text in subtopic.queries]
    prefix = f"instruct.{pending.instruction.pk}"
    for number, query in enumerate(queries):
        if settings.uses_library:
            yield library_search(f"{prefix}/search.{number}", query, "planner")
        if searches_web(settings):
            yield web_search(f"{prefix}/web.{number}", query, len(queries), _few(settings, change.searched))


def _few(settings: ReportConfig, searched: Sequence[Subtopic]) -> ReportConfig:
    return settings.model_copy(update={"target_sources": _pages_for(searched)})


def _pages_for(searched: Sequence[Subtopic]) -> int:
    return max(1, sum(subtopic.target_sources for subtopic in searched))


def _after(work: StepWork, change: InstructionEffect, searches: Sequence[StepDraft]) -> StepDraft | None:
    """Return the step that picks the pages found, or reads what was found where the run is reading; None if neither."""
    prefix = f"instruct.{work.input['instruction']}"
    if any(search.handler == ReportStepName.SEARCH_WEB for search in searches):
        most = {"most": _pages_for(change.searched)}
        return StepDraft(
            f"{prefix}/pick", ReportStepName.PICK_FOR_INSTRUCTION, AgentRole.RESEARCHER, input=most
        )
    return begin_draft(f"{prefix}/begin") if searches and state_of(work) is State.READING else None


def pick_for_instruction(work: StepWork) -> StepResult:
    picked = pick_pages(work)
    is_reading = state_of(work) is State.READING
    return replace(picked, then=begin_draft(f"{work.key.partition('/')[2]}/begin")) if is_reading else picked


# --- storing -----------------------------------------------------------------------------------


def _save(work: StepWork, instruction: Instruction, wishes: Wishes) -> None:
    """Change the current rows, since another instruction may have changed them in the meantime."""
    run = Run.objects.get(pk=work.run_id)
    change = change_for(wishes, run.config, Plan.model_validate(run.plan), run.topic)
    before = ReportConfig.model_validate(run.config)
    if change.plan is not None:
        keep_version(run, change.plan, PlanTrigger.INSTRUCTION, instruction.text, instruction.author)
    Run.objects.filter(pk=run.pk).update(
        config={**run.config, **change.config}, snapshot_version=F("snapshot_version") + 1
    )
    after = ReportConfig.model_validate({**run.config, **change.config})
    count = set_aside(run.pk, before, after) if change.config else 0
    sentences = [*change.sentences, *_where(work, change), *_aside(count), *change.refusals]
    is_refused = not change.sentences
    Instruction.objects.filter(pk=instruction.pk, status=InstructionStatus.QUEUED).update(
        status=InstructionStatus.REFUSED if is_refused else InstructionStatus.TAKEN,
        effects=sentences or [_("The plan already does what it asks for.")],
        taken_at=Now(),
        updated_at=Now(),
    )


def _where(work: StepWork, change: InstructionEffect) -> Iterator[str]:
    if change.searched and state_of(work) not in SEARCHED:
        yield _("The search was over by then: it is looked for in what had been read.")


def _aside(count: int) -> Iterator[str]:
    if count:
        words = ngettext("%(count)d source was set aside.", "%(count)d sources were set aside.", count)
        yield words % {"count": count}
