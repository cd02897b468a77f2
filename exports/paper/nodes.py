"""The nodes of a paper of any kind: the parts that PDF and Word have in common.

A `Paper` is made from a document tree (`exports.paper.build`) and written by a format. All that is decided, the order,
the words, what leads where, is decided there; a format only knows how a node is said in its language.

Anchors: claim-N (claim N in the text), evidence-N (its evidence), cited-N-M (its quotes from source M), source-M.
"""

from dataclasses import dataclass
from datetime import datetime

from exports.document.charts import BarChart


@dataclass(frozen=True, slots=True)
class StyledText:
    """`tone`: quoted (the words that a claim stands on), strong, quiet, attribution (who says it), or empty."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """`target` is an http(s) address, or "#" and an anchor."""

    text: str
    target: str


@dataclass(frozen=True, slots=True)
class NoteReference:
    """The raised number of a claim that has its note elsewhere; leads to `target`.

    `anchor`: of its own place, where the claim is first stated there.
    """

    number: int
    target: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: the claim's number, raised, and what stands at the foot of the page. `anchor` is of the call."""

    number: int
    content: tuple["Inline", ...]
    anchor: str = ""


Inline = StyledText | Link | NoteReference | Footnote
Line = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int  # 1 for the parts of the paper
    text: str
    anchor: str
    starts_page: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`style`: lead, claim (of the evidence), cite (below a quote), intro (of code), source, notice, small, empty."""

    content: Line
    style: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Line, ...]
    are_numbered: bool = False


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """Words of a source. `language`: ISO code, empty where it is not known."""

    content: Line
    language: str = ""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines as they stand, in letters of one width. `language`: as highlighters call it; "" if unknown."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Terms with what is said of each."""

    rows: tuple[tuple[str, Line], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a row of heads. The first cell of each row is its head.

    `weights` are the columns' shares of the width; `figures` are the numbers of the columns that hold figures.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    weights: tuple[float, ...]
    figures: frozenset[int] = frozenset()

    @property
    def is_wide(self) -> bool:
        """It needs paper that lies."""
        return len(self.head) > MOST_UPRIGHT


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart; `summary` says the same in words."""

    chart: BarChart

    @property
    def summary(self) -> str:
        counted = (
            f"{', '.join(f'{count.name or count.label}: {count.figure}' for count in self.chart.counts)}."
        )
        is_told = self.chart.summary and not any(count.said for count in self.chart.counts)
        return " ".join((f"{self.chart.title}.", *(() if is_told else (counted,)), *self.chart.summary))


Node = Heading | Paragraph | Bullets | BlockQuote | CodeBlock | Facts | Grid | Figure

MOST_UPRIGHT = 5  # columns of a table on paper that stands


@dataclass(frozen=True, slots=True)
class Cover:
    """`kind`: what it is, above the title; `figures`: what it counts; `facts`: how it came about."""

    kind: str
    figures: tuple[tuple[str, str], ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """`language`: of the words that the paper adds; `words_in`: of what the run wrote, empty where not known."""

    title: str
    language: str
    words_in: str
    subject: str
    made_at: datetime
    cover: Cover
    nodes: tuple[Node, ...]

    @property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Heading))


def words(text: str, tone: str = "") -> Line:
    """A line of nothing but words."""
    return (StyledText(text, tone),)


def plain(line: Line) -> str:
    """Return the text of the line without its formatting and notes."""
    return "".join(inline.text for inline in line if isinstance(inline, StyledText | Link))
