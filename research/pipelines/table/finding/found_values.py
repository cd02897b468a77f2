"""Input and output of finding values: texts as they were read, and values with the words that support them."""

from dataclasses import dataclass
from enum import StrEnum

from citations.confidence import MatchKind
from research.parsing.parsed_document import DocumentTable, TextBlock
from research.pipelines.table.convert_cell_values import Value
from research.pipelines.table.table_columns import TableField


@dataclass(frozen=True, slots=True)
class ReadText:
    """A source of the run with its frozen text; `key` names it (its id)."""

    key: str
    text: str
    title: str = ""
    url: str = ""
    blocks: tuple[TextBlock, ...] = ()
    tables: tuple[DocumentTable, ...] = ()
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ValueEvidence:
    """The words text[start:end] of a source that give a value: a sentence, a row, a line under its heading.

    The value's own words lie in them, at text[value_start:value_end]. `kind` is how the cell's claim relates to
    these words (`citations.confidence`); `fit` how well their label or sentence meets the column, 0-1.
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
