"""An item's cells by a model: one call fills the row from the passages, a second one looks at it afresh.

A step that is killed between them begins again, and finds the first answer among those kept: its prompt comes out the
same, since the marks in it follow from the step's key and the call's purpose. Each item is an agent of its own, with a
context and limits of its own; it holds no tool, and sees nothing but the passages of its own sources. What it says
counts only where its words stand in them (`admit_table_cells`); where nothing that it says counts, rules fill the cell,
as they would without a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.agent_prompt_files import render
from research.db.tenancy import in_thread
from research.engine.pipeline_registry import JsonObject, StepWork
from research.engine.states.state_run_authorship import UNUSABLE, cause_and_advice
from research.engine.worker_computing_threads import in_computing_thread
from research.llm.call_types import Call, Turns
from research.models import AgentRole
from research.pipelines.common.ask_model_in_pipeline_step import FallbackReason, ModelResult, request_answer
from research.pipelines.table.filling.admit_table_cells import (
    QuoteLookup,
    admit_cells,
    reader_of,
    reconcile_cells,
)
from research.pipelines.table.filling.fill_table_cells_by_rules import (
    FilledItem,
    fill_by_rules,
    find_by_rules,
)
from research.pipelines.table.filling.load_table_item_texts import ReadSources
from research.pipelines.table.filling.select_table_item_passages import ItemPassage, passages_of
from research.pipelines.table.filling.table_row_answers import CellAnswer, CellsAnswer
from research.pipelines.table.finding.found_table_values import FoundCell, Missing
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.table_columns import TableField

TOKENS, TOKENS_A_FIELD, MAX_TOKENS = 200, 150, 4_000  # of an answer
_FILL, _CHECK, _LAST_CHECK = 1, 0, 2  # ranks: the lowest goes first


@dataclass(frozen=True, slots=True)
class FillingPromptInput:
    """The input of the prompts that fill an item's cells."""

    item: AskedItem
    read: ReadSources
    passages: tuple[ItemPassage, ...]
    shown: Sequence[Mapping[str, object]]  # the passages, as both prompts have them

    @property
    def reader(self) -> QuoteLookup:
        return reader_of(self.read.texts, self.passages)

    def values(self, proposed: Mapping[str, str] | None = None) -> dict[str, object]:
        """Return the values of the prompt; with the value proposed for each column, where these are to be checked."""
        return {
            "prompt": self.item.prompt,
            "item": self.item.input,
            "fields": [_column(field, proposed) for field in self.item.fields],
            "passages": self.shown,
        }


def _column(field: TableField, proposed: Mapping[str, str] | None) -> dict[str, object]:
    told: dict[str, object] = {
        "name": field.name,
        "type": field.type.value,
        "many": field.many,
        "format": field.format,
        "title": field.title,
        "description": field.description,
    }
    if proposed is not None:
        told["proposed"] = SourceText(proposed[field.name]) if field.name in proposed else ""
    return told


async def fill_by_model(work: StepWork, item: AskedItem, read: ReadSources) -> FilledItem:
    """Ask for the cells, then for their check. A check that the model gives up leaves the row as it was filled; where
    it gives up the cells, or there is nothing to read, rules fill them.

    Raises ModelError for a failure that a later try may mend.
    """
    told = await in_thread(partial(_build_prompt_input, item, read))
    if not told.passages:  # rules say why the row is empty
        return await in_computing_thread(partial(fill_by_rules, work, item, told.read))
    draft = await _ask(work, told, "researcher/cells", told.values(), "fill")
    if draft.answer is None:
        instead = await in_computing_thread(partial(fill_by_rules, work, item, told.read, is_instead=True))
        return replace(instead, note=draft.note, usage=draft.usage)
    drafts = draft.answer.cells
    proposed = {cell.field: ", ".join(cell.values) for cell in drafts if cell.values}
    check = await _ask(work, told, "verifier/cells", told.values(proposed), "check")
    usage = draft.usage + check.usage
    return await in_thread(partial(_admit, work, told, drafts, replace(check, usage=usage)))


def _admit(
    work: StepWork, told: FillingPromptInput, drafts: Sequence[CellAnswer], check: ModelResult[CellsAnswer]
) -> FilledItem:
    fields, reader = told.item.fields, told.reader
    cells = admit_cells(fields, drafts, reader)
    if check.answer is not None:
        cells = reconcile_cells(cells, admit_cells(fields, check.answer.cells, reader))
    by_rules = _find_instead(work, told, cells)
    cells = [by_rules.get(cell.field.name, cell) for cell in cells]
    note: JsonObject = {"passages": len(told.passages), "answered": len(drafts), **check.note}
    if by_rules and all(cell.value is None or cell.field.name in by_rules for cell in cells):
        note = {**note, "fallback": FallbackReason(UNUSABLE, cause_and_advice(UNUSABLE)[0]).to_json()}
    lessened = frozenset(field.name for field in fields) if check.answer is None else frozenset(by_rules)
    return FilledItem(tuple(cells), told.read, note, check.usage, lessened)


def _find_instead(
    work: StepWork, told: FillingPromptInput, cells: Sequence[FoundCell]
) -> dict[str, FoundCell]:
    """Return what rules find, by column, where the model's answer is unusable. What it says is missing stays empty."""
    unusable = {cell.field.name for cell in cells if cell.missing is Missing.UNUSABLE}
    if not unusable:
        return {}
    found = find_by_rules(work, told.item, told.read)
    return {cell.field.name: cell for cell in found if cell.field.name in unusable and cell.value is not None}


def _build_prompt_input(item: AskedItem, read: ReadSources) -> FillingPromptInput:
    wanted = " ".join([item.input, *(f"{field.title} {field.description}" for field in item.fields)])
    passages, order = tuple(passages_of(wanted, read.texts)), list(read.sources)
    shown = [
        {
            "number": passage.number,
            "source": order.index(passage.source) + 1,
            "text": SourceText(passage.words),
        }
        for passage in passages
    ]
    return FillingPromptInput(item, read, passages, shown)


def rank_check(item: AskedItem) -> int:
    """Return the rank of the call that checks a row: rows that are begun are finished first. But the last rows are all
    filled first: else slots would be free while they are checked one after the other.
    """
    return _LAST_CHECK if item.index >= item.of_items - 2 * item.config.concurrency else _CHECK


async def _ask(
    work: StepWork, told: FillingPromptInput, prompt: str, values: Mapping[str, object], purpose: str
) -> ModelResult[CellsAnswer]:
    """Raises ModelError for a failure that a later try may mend, and for one that ends the run."""
    rendered = render(prompt, values, fence_for(work, purpose)).prompt
    most = min(MAX_TOKENS, TOKENS + TOKENS_A_FIELD * len(told.item.fields))
    agent = f"item.{told.item.index}"
    turns = Turns(told.item.config.concurrency, _FILL if purpose == "fill" else rank_check(told.item))
    call = Call(work, AgentRole.RESEARCHER, rendered, CellsAnswer, purpose, most, agent_id=agent, turns=turns)
    return await request_answer(call, work.attempt)
