"""Planning a table that was asked for in words alone: a model proposes rows and columns, and its owner decides."""

from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.models import Item, PlanTrigger, Run
from research.models.schemas import Plan, RunOutcome
from research.pipelines.common.ask_model_in_pipeline_step import ask
from research.pipelines.table.decomposing.decompose_table_request_by_model import (
    DecompositionPromptInput,
    sound,
)
from research.pipelines.table.decomposing.decompose_table_request_by_rules import decompose
from research.pipelines.table.decomposing.table_request_decomposition import Decomposition
from research.pipelines.table.items.initial_table_rows import set_rows
from research.pipelines.table.plan_table import open_section, plan_of
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_engine import Engine
from research.runs.run_plan_versions import keep_version


async def propose_table(work: StepWork) -> StepResult:
    """Raises ModelError for a failure that a later try may mend. Where no model answers, rules propose."""
    told = await in_thread(lambda: _load_prompt_context(work))
    asked = await ask(work, told.question())
    found = by_rules(told) if asked.answer is None else sound(asked.answer, told)

    def save() -> None:
        run = Run.objects.get(pk=work.run_id)
        config = set_rows(run, found.items, found.fields, found.template)
        keep_version(run, proposal_of(run.topic, config, found), PlanTrigger.PLANNER, "")
        open_section(run)
        outcome = RunOutcome(engine=Engine.MODEL.value).model_dump(mode="json")
        Run.objects.filter(pk=run.pk).update(result=outcome, total_sections=1, report_version=1)

    output: JsonObject = {"items": len(found.items), "columns": len(found.fields), **asked.note}
    return StepResult(output, save=save, activity="Proposing rows and columns", usage=asked.usage)


def _load_prompt_context(work: StepWork) -> DecompositionPromptInput:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        items = Item.objects.filter(run=run).order_by("index").values_list("input", flat=True)
        return DecompositionPromptInput(run.topic, tuple(items))


def by_rules(told: DecompositionPromptInput) -> Decomposition:
    return decompose(told.request, "\n".join(told.items))


def proposal_of(topic: str, config: TableConfig, found: Decomposition) -> Plan:
    """Return the plan for a proposed table; what was left open is listed as its risks."""
    return plan_of(topic, config).model_copy(update={"risks": list(found.notes)})
