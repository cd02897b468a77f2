"""The nodes of a paper, which PDF and Word share.

`exports.paper.build_exported_paper` makes a `Paper` from a document tree, and decides order, text and link targets;
a format only renders the nodes.

Anchors: claim-N (claim N in the text), evidence-N (its evidence), cited-N-M (its quotes from source M), source-M.
"""

from dataclasses import dataclass
from datetime import datetime

from exports.document.document_charts import BarChart


@dataclass(frozen=True, slots=True)
class StyledText:
    """A text with a `tone`: quoted (the words that support a claim), strong, quiet, attribution, or empty for none."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link. `target` is an http(s) URL, or "#" and an anchor."""

    text: str
    target: str


@dataclass(frozen=True, slots=True)
class NoteReference:
    """The raised number of a claim whose note is elsewhere; it links to `target`.

    `anchor` is that of the claim, if the claim is first stated here.
    """

    number: int
    target: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: the claim's raised number, and the text at the bottom of the page. `anchor` is that of the number."""

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
    """A paragraph. `style`: lead, claim (in the evidence), cite (below a quote), intro (before code), source, notice,
    small, empty.
    """

    content: Line
    style: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Line, ...]
    are_numbered: bool = False


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """A quote from a source. `language` is an ISO code, empty if unknown."""

    content: Line
    language: str = ""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines of code in a monospaced font. `language` is its name in highlighters, empty if unknown."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Terms and their descriptions."""

    rows: tuple[tuple[str, Line], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a header row. The first cell of each row is its header.

    `weights` are the columns' shares of the width; `figures` are the indexes of the columns of numbers.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    weights: tuple[float, ...]
    figures: frozenset[int] = frozenset()

    @property
    def is_wide(self) -> bool:
        """Return True if the table needs landscape paper."""
        return len(self.head) > MAX_UPRIGHT


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart; `summary` is its text alternative."""

    chart: BarChart

    @property
    def summary(self) -> str:
        counted = (
            f"{', '.join(f'{count.name or count.label}: {count.figure}' for count in self.chart.counts)}."
        )
        is_told = self.chart.summary and not any(count.said for count in self.chart.counts)
        return " ".join((f"{self.chart.title}.", *(() if is_told else (counted,)), *self.chart.summary))


Node = Heading | Paragraph | Bullets | BlockQuote | CodeBlock | Facts | Grid | Figure

MAX_UPRIGHT = 5  # maximum columns of a table on portrait paper


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover. `kind` is a label above the title, `figures` are counts, `facts` say how the report was made."""

    kind: str
    figures: tuple[tuple[str, str], ...]
    facts: tuple[tuple[str, str], ...]


LISTED_LEVELS = 2  # levels of headings in the table of contents
ROWS_ON_COVER = (
    14  # headings of a table of contents below a title of one line; a further line takes the room of two
)
TITLE_LINE = 38  # characters


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper. `language` is that of its own texts, `words_in` that of the run's texts; empty if unknown."""

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

    @property
    def listed_headings(self) -> tuple[Heading, ...]:
        """Return the headings in the table of contents."""
        return tuple(heading for heading in self.headings if heading.level <= LISTED_LEVELS)

    @property
    def has_contents_on_cover(self) -> bool:
        """Return True if the table of contents fits below the cover, so that the answer is on the second page."""
        return len(self.listed_headings) + 2 * (len(self.title) // TITLE_LINE) <= ROWS_ON_COVER


def words(text: str, tone: str = "") -> Line:
    """Return a line of plain text."""
    return (StyledText(text, tone),)


def plain(line: Line) -> str:
    """Return the text of the line without its formatting and notes."""
    return "".join(inline.text for inline in line if isinstance(inline, StyledText | Link))
