"""Do one task with an agent of its role and the tools of that role."""

from functools import partial

from research.agents.agent_delegation import Delegation, carry_out
from research.agents.tools.tool_catalogue import catalogue
from research.db.tenancy import in_tenant
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.llm.model_errors import ModelError, Trouble
from research.models import Step
from research.pipelines.common.ask_model_in_pipeline_step import (
    FallbackReason,
    is_worth_another_try,
    step_usage,
)
from research.pipelines.report.delegating.report_agent_task_waves import DelegatedTask


async def do_task(work: StepWork) -> StepResult:
    """Do the task.

    Raises ModelError if the budget is spent, or if a server that is busy or away may answer later; after another
    failure of the agent's model, rules do the task.
    """

    def is_tried_again(error: ModelError) -> bool:
        # Without an answer in the time of a whole task, the same time again would not help.
        return error.code is not Trouble.TIMEOUT and is_worth_another_try(error, work.attempt)

    task = DelegatedTask.model_validate(work.input)
    trace_id = await in_tenant(work.tenant_id, partial(_trace_of, work))
    delegation = Delegation(work, task.goal, catalogue(), trace_id)
    done = await carry_out(delegation, task.step, task.outputs, is_tried_again=is_tried_again)
    output: JsonObject = {"task": done.id, "findings": done.output}
    if done.error_code:
        output = {**output, "fallback": FallbackReason(done.error_code, done.error_message).to_json()}
    return StepResult(output, usage=step_usage(done.usage))


def _trace_of(work: StepWork) -> str:
    return Step.objects.values_list("trace_id", flat=True).get(pk=work.step_id)
