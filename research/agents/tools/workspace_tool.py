"""workspace: read the run's plan, notes and findings, append to them, or tick off an item of the plan."""

from functools import partial
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from research.agents.tools.agent_notebook import (
    MAX_TEXT,
    NotebookAuthor,
    WorkspaceFull,
    append,
    read_workspace,
    tick,
)
from research.agents.tools.evidence.tool_source_handles import resolve_sources
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.models import EntryKind, WorkspaceEntry

SHOWN = 50  # newest entries of each kind
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT)]


class WorkspaceInput(ToolInput):
    """The run's notebook. It is not a source: nothing in it can be cited."""

    action: Literal["read", "note", "finding", "tick"] = "read"
    text: Text | None = Field(None, description="Of a note or finding.")
    sources: list[str] = Field(
        default_factory=list, max_length=20, description="Sources (src-…) of a finding."
    )
    item: int | None = Field(None, ge=1, description="Number of the plan's item that is done.")


class ChecklistItem(ToolOutput):
    number: int
    text: str
    done: bool


class WorkspaceOutput(ToolOutput):
    """Texts of agents, which may repeat a source's, so they are shown as data."""

    plan: list[ChecklistItem]
    notes: list[str]
    findings: list[str]


async def use_workspace(given: WorkspaceInput, use: Use) -> WorkspaceOutput:
    return await in_tenant(use.step.tenant_id, partial(_act, given, use))


def _act(given: WorkspaceInput, use: Use) -> WorkspaceOutput:
    if given.action == "tick":
        _tick(given, use)
    elif given.action != "read":
        _append(given, use)
    workspace = read_workspace(use.step.run_id)
    return WorkspaceOutput(
        plan=[
            ChecklistItem(number=item.position, text=item.text, done=item.is_done)
            for item in workspace.plan[:SHOWN]
        ],
        notes=list(map(_line, workspace.notes[-SHOWN:])),
        findings=list(map(_line, workspace.findings[-SHOWN:])),
    )


def _tick(given: WorkspaceInput, use: Use) -> None:
    if given.item is None or not tick(use.step.run_id, given.item):
        raise ToolError(ToolCode.UNKNOWN_ID, "The plan has no item of that number.")


def _append(given: WorkspaceInput, use: Use) -> None:
    if given.text is None:
        raise ToolError(ToolCode.INVALID_ARGUMENTS, "text: is missing")
    sources = [source.pk for source in resolve_sources(use.step.run_id, given.sources)]
    author = NotebookAuthor(use.step.run_id, use.step.step_id, use.role, f"{use.step.key}/{use.key}")
    try:
        append(author, EntryKind(given.action), [given.text], sources)
    except WorkspaceFull:
        raise ToolError(ToolCode.NOT_AVAILABLE, "The notebook is full.") from None


def _line(entry: WorkspaceEntry) -> str:
    return f"{entry.role}: {entry.text}"


def workspace_tool() -> Tool[WorkspaceInput, WorkspaceOutput]:
    return Tool(
        "workspace",
        "Read the run's plan and notes, add a note or finding, or tick an item of the plan.",
        WorkspaceInput,
        use_workspace,
    )
