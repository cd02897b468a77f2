"""Input and output of finding values: texts as they were read, and values with the words that support them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from citations.anchoring import QuotableText
from citations.claim_confidence import MatchKind
from research.parsing.parsed_document import BlockKind, DocumentTable, TextBlock
from research.parsing.parsed_table_rows import TableNames
from research.pipelines.table.convert_table_cell_values import Value
from research.pipelines.table.finding.lay_out_tables_for_items import LaidOutTable, lay_out
from research.pipelines.table.finding.table_item_names import name_keys
from research.pipelines.table.finding.text_pieces_for_table_items import TextPieces
from research.pipelines.table.table_columns import TableField

_NAMING = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class ReadText:
    """A source of the run with its frozen text; `key` names it (its id).

    What is prepared from it is prepared once for all items that are looked for in it.
    """

    key: str
    text: str
    title: str = ""
    url: str = ""
    blocks: tuple[TextBlock, ...] = ()
    tables: tuple[DocumentTable, ...] = ()
    language: str | None = None

    @cached_property
    def parts(self) -> tuple[TextBlock, ...]:
        """The blocks of the text; its paragraphs, where it came without."""
        if self.blocks:
            return self.blocks
        found = re.finditer(r"\S(?:.|\n(?!\s*\n))*", self.text)
        return tuple(TextBlock(match.start(), match.end(), BlockKind.PARAGRAPH) for match in found)

    @cached_property
    def prose_places(self) -> tuple[int, ...]:
        """The indexes of those parts that are headings or prose: neither tables nor code."""
        return tuple(place for place, block in enumerate(self.parts) if block.kind in _NAMING)

    @cached_property
    def prose(self) -> str:
        blocks = (self.parts[place] for place in self.prose_places)
        return "\n".join(self.text[block.start : block.end] for block in blocks)

    @cached_property
    def prose_words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.prose))

    @cached_property
    def headings(self) -> tuple[TextBlock, ...]:
        return tuple(block for block in self.blocks if block.kind is BlockKind.HEADING)

    @cached_property
    def headings_by_name(self) -> Mapping[str, Sequence[int]]:
        """The indexes of the headings by the keys of the items that they name."""
        named: dict[str, list[int]] = {}
        for place, block in enumerate(self.headings):
            for key in name_keys(self.text[block.start : block.end]):
                named.setdefault(key, []).append(place)
        return named

    @cached_property
    def laid_out_tables(self) -> Sequence[LaidOutTable]:
        return lay_out(self.text, self.blocks, self.tables)

    @cached_property
    def table_names(self) -> TableNames:
        return TableNames(self.text, self.blocks, self.tables)

    @cached_property
    def pieces(self) -> TextPieces:
        return TextPieces(self.text, self.blocks)

    @cached_property
    def quotable(self) -> QuotableText:
        return QuotableText(self.text)


@dataclass(frozen=True, slots=True)
class ValueEvidence:
    """The words text[start:end] of a source that give a value: a sentence, a row, a line under its heading.

    The value's own words lie in them, at text[value_start:value_end]. `kind` is how the cell's claim relates to
    these words (`citations.claim_confidence`); `fit` how well their label or sentence meets the column, 0-1.
    """

    source: str
    start: int
    end: int
    value_start: int
    value_end: int
    kind: MatchKind = MatchKind.NORMALIZED
    fit: float = 1.0


@dataclass(frozen=True, slots=True)
class Other:
    """A value that was not taken, with the words that give it. `is_outdated`: those words call it so themselves."""

    value: Value
    evidence: tuple[ValueEvidence, ...]
    is_outdated: bool = False


class Missing(StrEnum):
    """The reason why a cell is empty."""

    NO_SOURCE = "no_source"  # nothing was found about the item
    NOT_ABOUT = "not_about"  # the sources only mention it
    NOT_SAID = "not_said"
    NO_VALUE = "no_value"  # what stands there is no value of the column's type
    UNUSABLE = "unusable"  # a model gave no answer, or one that is not in the sources
    OUTDATED = "outdated"  # only values that their sources call outdated


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A field's value with its evidence, or why there is none: then `reason` is a sentence for the reader.

    `value` () says that a source tells that there is none of it ("no land borders"). `others` are other values, by
    other sources or by the same; `is_disputed` when one of them is not outdated.
    """

    field: TableField
    value: Value | None = None
    evidence: tuple[ValueEvidence, ...] = ()
    others: tuple[Other, ...] = ()
    missing: Missing | None = None
    reason: str = ""

    @property
    def is_disputed(self) -> bool:
        return any(not other.is_outdated for other in self.others)
