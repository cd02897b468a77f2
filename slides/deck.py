"""A deck as a frozen value: slides whose text keeps its claims and sources.

Everything that lays out, edits or writes slides takes this value.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class Layout(StrEnum):
    TITLE = "title"
    CONTENT = "content"
    BULLETS = "bullets"
    SPLIT = "split"
    IMAGE = "image"
    CHART = "chart"
    QUOTE = "quote"
    COMPARISON = "comparison"


class ChartKind(StrEnum):
    BAR = "bar"
    LINE = "line"
    PIE = "pie"
    DOUGHNUT = "doughnut"
    INTERVALS = "intervals"  # estimates with their lower and upper ends: `slides.slide_forest_plot_data`


@dataclass(frozen=True, slots=True)
class SlidePassage:
    """A bullet, a paragraph or a quote. `sources` are shown as superscripts; they are empty if it is not a claim."""

    text: str
    claim: int | None = None  # the claim's number in the report
    sources: tuple[int, ...] = ()  # numbers of the deck's sources


@dataclass(frozen=True, slots=True)
class SlideHalf:
    """One of the two halves of a split or a comparison."""

    heading: str = ""
    passages: tuple[SlidePassage, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A series of a chart: a value for each label, None if there is none.

    `claims` holds for each value the number of its claim, or None.
    """

    label: str
    values: tuple[float | None, ...]
    claims: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SlideChart:
    kind: ChartKind
    labels: tuple[str, ...]
    datasets: tuple[Dataset, ...]
    unit: str = ""
    summary: str = ""  # the text alternative
    sources: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SlideImage:
    """A picture, identified by the key of its stored file. The slide states whether it is generated."""

    key: str
    alt: str
    media_type: str = "image/png"
    is_generated: bool = False


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide. Its layout decides which of the fields are shown (`slides.slide_layouts`)."""

    number: int  # from 1
    title: str
    layout: Layout
    subtitle: str = ""  # of a title slide
    passages: tuple[SlidePassage, ...] = ()  # paragraphs, bullets, or the one quote
    sides: tuple[SlideHalf, ...] = ()  # two of a split or comparison
    attribution: str = ""  # author of a quote
    caption: str = ""  # below a picture or chart
    chart: SlideChart | None = None
    image: SlideImage | None = None
    notes: str = ""  # the speaker's text; writers add the references to it
    visual_suggestion: str = ""
    part: tuple[int, int] | None = None  # (2, 3): the second of three slides that one was split into
    is_sources: bool = False  # each passage is a reference and has the number of its only source


@dataclass(frozen=True, slots=True)
class DeckSource:
    """A source that slides name, with its number in the report's references."""

    number: int
    reference: str  # formatted in the report's citation style
    url: str = ""
    short: str = ""  # author and date: "A. Lind, 2024"
    listed: str = ""  # a shorter reference for a slide of sources; empty if the full one fits


@dataclass(frozen=True, slots=True)
class DeckClaim:
    """The claim behind a passage: its text in the report, its quotes, its strength and its confidence."""

    number: int
    text: str
    strength: str  # strong, moderate, limited
    confidence: float | None  # 0–1; None before the check
    quotes: tuple[tuple[int, str], ...] = ()  # (source number, the source's words)
    is_disputed: bool = False
    attribution: str = ""  # author and date


@dataclass(frozen=True, slots=True)
class DeckContent:
    title: str
    slides: tuple[Slide, ...]
    sources: tuple[DeckSource, ...] = ()
    claims: tuple[DeckClaim, ...] = ()
    language: str = "en"
    report_url: str = ""  # of the report's page

    @property
    def letters(self) -> frozenset[str]:
        """Return the distinct letters on its slides and those of the field names, which all fonts contain."""
        bare = (replace(slide, notes="", visual_suggestion="") for slide in self.slides)
        return frozenset("".join(map(repr, bare)))

    @property
    def claim_of(self) -> dict[int, DeckClaim]:
        return {claim.number: claim for claim in self.claims}
