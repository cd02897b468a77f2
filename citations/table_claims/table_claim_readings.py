"""A reading: one interpretation of a claim as a question to a table, with the answer and the deciding cells."""

from dataclasses import dataclass
from enum import StrEnum

from citations.text.quote_span import Span


class TableOperation(StrEnum):
    """The operation that a reading performs on the table."""

    LOOKUP = "lookup"  # one row holds all that is named
    NEGATION = "negation"  # no row holds all that is named
    AFFIRMATION = "affirmation"  # a yes-and-no column says so
    COUNT = "count"  # so many rows meet the conditions
    SUPERLATIVE = "superlative"  # a row is the n-th from the top or bottom of a column
    COMPARISON = "comparison"  # one row against another, or one group against another
    DIFFERENCE = "difference"  # by how much
    TOTAL = "total"  # sum or mean over a column
    FREQUENCY = "frequency"  # the most or least common value of a column
    ONLY = "only"  # nothing else meets the conditions
    ALL = "all"  # every row in scope meets them
    NONE = "none"  # no row in scope does
    MOST = "most"  # more than half, or most of all
    SAME = "same"  # several rows agree in a column


@dataclass(frozen=True, slots=True)
class TableReading:
    """A reading. `covered` are the positions of the claim's tokens that it accounts for; `traits` name what speaks
    for or against it and are the features for which weights are learned.
    """

    operation: TableOperation
    holds: bool
    covered: frozenset[int]
    reason: str
    spans: tuple[Span, ...]
    traits: tuple[str, ...] = ()
