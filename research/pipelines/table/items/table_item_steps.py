"""The way of one item: it is looked for in the library and on the web, its pages are read, then its cells are filled.

library ─┐
search ──┤→ fetch, each page →┐
         └───────────────────→┴→ find, by rules
                               → fill, by a model

A page is fetched and read in one step, and a model fills the cells and checks them in one. Cells that are empty or
disputed then are looked for once more, in other words, and filled from what that finds besides:

search again → fetch, each new page → find, or fill
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from research.engine.pipeline_registry import StepDraft
from research.models import AgentRole, Queue
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_step_names import TableStepName


def begins_in_library(config: TableConfig) -> bool:
    """Return True if the library is searched before the web: what it has need not be fetched."""
    return bool(config.uses_library or config.must_read or config.documents)


def first_step(index: int, name: str, *, in_library: bool, opens: int = 0) -> StepDraft:
    """`opens`: how many further lanes this search opens, one after the other (`table_item_lanes`)."""
    draft = _library_step(name, index) if in_library else web_step(name, index)
    return replace(draft, input={**draft.input, "opens": opens}) if opens else draft


def _library_step(name: str, index: int) -> StepDraft:
    return _step(
        name, "library", TableStepName.SEARCH_LIBRARY, AgentRole.RESEARCHER, index, Queue.READING, "search"
    )


def web_step(name: str, index: int) -> StepDraft:
    return _step(
        name, "search", TableStepName.SEARCH_WEB, AgentRole.RESEARCHER, index, Queue.AGENTS, "search"
    )


def fetch_step(name: str, index: int, source: UUID, url: str) -> StepDraft:
    """It reads the page, too."""
    return StepDraft(
        f"{name}/fetch.{source}",
        TableStepName.FETCH_PAGE,
        AgentRole.RESEARCHER,
        input={"item": index, "name": name, "source": str(source), "url": url},
        tool_name="browse",
        agent_id=name,
    )


def build_filling_step(index: int, name: str, *, by_model: bool, again: Sequence[str] = ()) -> StepDraft:
    """Once everything is read: by a model, or by rules. `again`: the columns that are filled a second time."""
    if by_model:
        draft = _step(name, "fill", TableStepName.FILL_CELLS, AgentRole.RESEARCHER, index, Queue.AGENTS, "")
        return _for_columns(draft, again)
    return build_finding_step(name, index, again=again)


def build_finding_step(
    name: str, index: int, *, instead: bool = False, again: Sequence[str] = ()
) -> StepDraft:
    """`instead` of a model that failed: what is found is trusted less."""
    draft = _step(
        name, "find", TableStepName.FIND_CELLS, AgentRole.EXTRACTOR, index, Queue.READING, "extract"
    )
    draft = replace(draft, input={**draft.input, "instead": True}) if instead else draft
    return _for_columns(draft, again)


def build_search_again_step(name: str, index: int, again: Sequence[str]) -> StepDraft:
    draft = _step(
        name, "again", TableStepName.SEARCH_AGAIN, AgentRole.RESEARCHER, index, Queue.AGENTS, "search"
    )
    return replace(draft, input={**draft.input, "again": list(again)})


def _for_columns(draft: StepDraft, again: Sequence[str]) -> StepDraft:
    """A step of the second try has a key of its own."""
    if not again:
        return draft
    return replace(draft, key=f"{draft.key}.again", input={**draft.input, "again": list(again)})


def _step(
    name: str, what: str, handler: TableStepName, role: AgentRole, index: int, queue: Queue, tool: str
) -> StepDraft:
    return StepDraft(
        f"{name}/{what}",
        handler,
        role,
        queue=queue,
        input={"item": index, "name": name},
        tool_name=tool,
        agent_id=name,
    )
