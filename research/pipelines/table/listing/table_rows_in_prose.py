"""Rows that sources name in prose, read by a model: a name counts only if it stands in the words quoted for it."""

import re
from collections.abc import Sequence

from pydantic import Field

from citations.text.quote_span import Span
from research.agents.agent_prompt_data_blocks import SourceText
from research.models import AgentRole
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion
from research.pipelines.common.report_model_answers import ModelAnswer
from research.pipelines.table.filling.admit_table_cells import reader_of
from research.pipelines.table.filling.select_table_item_passages import ItemPassage, passages_of
from research.pipelines.table.filling.table_row_answers import CellAnswer
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.finding.table_item_names import item_key
from research.pipelines.table.listing.read_lists_for_table import ListEntry, SourceList, read_entry
from research.pipelines.table.listing.table_list_request import RowsRequest

SHOWN_CHARACTERS = 16_000  # of all sources
MAX_MEMBERS = 200
MAX_TOKENS = 6_000


class MemberAnswer(ModelAnswer):
    name: str
    quote: str = ""
    passage: int = 0


class MembersAnswer(ModelAnswer):
    members: list[MemberAnswer] = Field(default_factory=list)


def choose_passages(request: RowsRequest, texts: Sequence[ReadText]) -> list[ItemPassage]:
    return passages_of(request.phrase, texts, SHOWN_CHARACTERS)


def ask_for_members(request: RowsRequest, passages: Sequence[ItemPassage]) -> ModelQuestion[MembersAnswer]:
    values = {
        "wanted": request.phrase,
        "most": min(request.count or MAX_MEMBERS, MAX_MEMBERS),
        "passages": [{"number": passage.number, "text": SourceText(passage.words)} for passage in passages],
    }
    role = AgentRole.RESEARCHER
    return ModelQuestion(role, "researcher/members", values, MembersAnswer, MAX_TOKENS, purpose="members")


def admit_members(
    answer: MembersAnswer, texts: Sequence[ReadText], passages: Sequence[ItemPassage]
) -> tuple[list[SourceList], int]:
    """Return the names found in the sources as one list, ranked last, and the number of refused names."""
    by_key, reader = {text.key: text for text in texts}, reader_of(texts, passages)
    entries: dict[tuple[str, str], ListEntry] = {}
    refused: set[str] = set()
    for member in answer.members[:MAX_MEMBERS]:
        place = reader.place(CellAnswer(field="", quote=member.quote, passage=member.passage))
        entry = None
        if place is not None and place[2] == 1.0:
            entry = _entry(by_key[place[0]], place[1], member.name)
        if entry is None:
            refused.add(item_key(member.name))
        else:
            entries.setdefault((entry.source, item_key(entry.name)), entry)
    found = tuple(entries.values())
    named = {item_key(entry.name) for entry in found}
    return [SourceList(found[0].source, found, 0.0, ())] if found else [], len(refused - named)


def _entry(source: ReadText, quote: Span, name: str) -> ListEntry | None:
    """Return the name if the quote has it as whole words; None if not, or if it is no name."""
    words = r"\s+".join(map(re.escape, name.split()))
    place = re.search(rf"(?<!\w){words}(?!\w)", quote.cut(source.text), re.IGNORECASE) if words else None
    if place is None:
        return None
    return read_entry(source, quote, Span(quote.start + place.start(), quote.start + place.end()))
