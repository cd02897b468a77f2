"""Carry out a step of a plan by an agent of its role, recorded as a message with its result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from research.agents.agent_delegation_plan import Json, PlannedStep, resolve_references
from research.agents.agent_findings import CheckedFindings, Findings, check_findings
from research.agents.agent_findings_by_rules import find_by_rules
from research.agents.agent_messages import (
    ANSWERED,
    Constraints,
    MessageOutcome,
    Opening,
    StoredMessage,
    TaskPayload,
    build_failed_outcome,
    close_message,
    open_message,
)
from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.agent_prompt_files import render
from research.agents.agent_roles import limits_of, may_ask, tools_of
from research.agents.agent_tool_loop import AgentTask, run_agent
from research.agents.agent_toolbox import FATAL, ToolCaller
from research.agents.tools.tool_interface import AnyTool
from research.db.tenancy import in_tenant
from research.llm.call_types import StepIds, Usage
from research.llm.model_errors import ModelError
from research.models import AgentRole, MessageStatus

# The prompt of each role for a task of a plan.
TASK_PROMPTS: Mapping[AgentRole, str] = {
    AgentRole.RESEARCHER: "researcher/task",
    AgentRole.EXTRACTOR: "extractor/task",
    AgentRole.ANALYZER: "analyzer/task",
    AgentRole.WRITER: "writer/task",
    AgentRole.VERIFIER: "verifier/task",
    AgentRole.EXECUTOR: "executor/task",
}


@dataclass(frozen=True, slots=True)
class Delegation:
    """The context in which a step of a plan is carried out. `trace_id` is that of the parent task."""

    step: StepIds
    goal: str
    catalogue: Mapping[str, AnyTool]
    trace_id: str
    sender: AgentRole = AgentRole.ORCHESTRATOR


@dataclass(frozen=True, slots=True)
class AgentStepOutcome:
    """The outcome of one step. If a model failed, the output is what rules found, and the error says why."""

    id: str
    output: Json
    usage: Usage
    error_code: str = ""
    error_message: str = ""


def _never(_error: ModelError) -> bool:
    return False


async def carry_out(
    delegation: Delegation,
    planned: PlannedStep,
    outputs: Mapping[str, Json],
    *,
    is_tried_again: Callable[[ModelError], bool] = _never,
) -> AgentStepOutcome:
    """Have an agent of its role carry out a step of a plan; `outputs` are those of its dependencies, by id.

    If the agent's model fails, its outcome has the failure beside what rules found. Raises ModelError if the budget is
    spent, or for a failure after which the caller will try again: the agent then goes on where it was. Raises
    ValueError for a role to which the sender may not delegate.
    """
    if not may_ask(delegation.sender, planned.role):
        raise ValueError(f"a {delegation.sender} gives no task to a {planned.role}")
    step, key = delegation.step, f"task.{planned.id}"
    opening = _opening(delegation, planned, key)
    opened: StoredMessage = await in_tenant(step.tenant_id, partial(open_message, step, opening))
    if opened.outcome.status in ANSWERED:
        return AgentStepOutcome(planned.id, opened.outcome.result, Usage())
    try:
        outcome, usage = await _run_step(delegation, planned, outputs)
    except ModelError as error:
        if error.code in FATAL or is_tried_again(error):
            raise
        outcome, usage = await _do_without_model(delegation, planned, error), Usage()
    kept: StoredMessage = await in_tenant(step.tenant_id, partial(close_message, step, key, outcome))
    closed = kept.outcome
    return AgentStepOutcome(planned.id, closed.result, usage, closed.error_code, closed.error_message)


def _opening(delegation: Delegation, planned: PlannedStep, key: str) -> Opening:
    limits = limits_of(planned.role)
    payload = TaskPayload(
        task_id=planned.id,
        task=f"{planned.title}. {planned.description}".strip(),
        context=delegation.goal,
        expected_output=planned.expected_output,
        constraints=Constraints(time_limit_s=limits.time_s, iterations=limits.iterations),
    )
    sender, recipient = delegation.sender.value, planned.role.value
    return Opening(key, delegation.trace_id, sender, recipient, payload.model_dump(mode="json"))


async def _run_step(
    delegation: Delegation, planned: PlannedStep, outputs: Mapping[str, Json]
) -> tuple[MessageOutcome, Usage]:
    step = delegation.step
    values = {
        "goal": delegation.goal,
        "title": planned.title,
        "description": planned.description,
        "expected_output": planned.expected_output,
        "fallback": planned.fallback,
        "inputs": [
            {"name": task_input.name, "text": SourceText(resolve_references(task_input.value, outputs))}
            for task_input in planned.inputs
        ],
    }
    rendered = render(TASK_PROMPTS[planned.role], values, fence_for(step, f"task.{planned.id}"))
    task = AgentTask(rendered, delegation.trace_id, planned.id, f"{planned.role}-{planned.id}")
    tools = tools_of(planned.role, delegation.catalogue)
    result = await run_agent(planned.role, task, tools, step, Findings, limits_of(planned.role))
    checked: CheckedFindings = await in_tenant(
        step.tenant_id, partial(check_findings, result.answer, step.run_id)
    )
    return MessageOutcome(_status(checked.findings), checked.findings.model_dump(mode="json")), result.usage


async def _do_without_model(
    delegation: Delegation, planned: PlannedStep, error: ModelError
) -> MessageOutcome:
    """Return the failure with what the role's tools find by rules: what needs no model is always there."""
    actor = ToolCaller(planned.role, delegation.step, delegation.trace_id, f"{planned.id}.")
    task = f"{planned.title}. {planned.description}".strip()
    found = await find_by_rules(actor, tools_of(planned.role, delegation.catalogue), task)
    return replace(build_failed_outcome(error), result=found.model_dump(mode="json"))


def _status(findings: Findings) -> MessageStatus:
    """Return partial if something requested is missing, else completed."""
    missing = bool(findings.gaps) or any(point.value is None for point in findings.data_points)
    return MessageStatus.PARTIAL if missing else MessageStatus.COMPLETED
