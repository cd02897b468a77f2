"""Small charts as SVG, made on the server: counts, the geometry of the bars, and a text alternative.

Every chart has its figures as text beside the bars, a summary, and a table. Lengths are units of a drawing that is
WIDTH wide. The page shows it at about that width, so that its text has the same size on every screen.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.document.document_attribution import date_of
from exports.document.document_tree import ChartEntry, SourceEntry, select_cited_sources
from exports.labels.document_labels import STRENGTHS, word
from exports.labels.format_document_values import describe_even_evidence

WIDTH = 320
ROW, ROW_TEXT, ROW_BAR, BAR = (
    38,
    13,
    19,
    10,
)  # a row, the baseline of its text, the top of its bar, the bar's height
COLUMN_HEAD, COLUMN_MOST, COLUMN_FOOT = 18, 84, 20  # above a column, its maximum height, below it
MAX_YEARS = 6  # columns for single years; earlier years are combined


@dataclass(frozen=True, slots=True)
class Count:
    """A count. `tone` is the colour of a strength; `name` is a longer label, used if there is room.

    `said` is the figure as text, if it is more than a number.
    """

    label: str
    count: float
    tone: str = ""
    name: str = ""
    said: str = ""

    @property
    def figure(self) -> str:
        return self.said or figure(self.count)


@dataclass(frozen=True, slots=True)
class Text:
    """A text in the drawing; `anchor` is start, middle or end."""

    x: float
    y: float
    anchor: str
    words: str


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    tone: str
    label: Text
    value: Text


@dataclass(frozen=True, slots=True)
class BarChart:
    """A chart. `counts` are the figures of its table, of which there may be more than bars."""

    id: str
    title: str
    heading: str  # of the table's first column
    summary: tuple[str, ...]  # sentences
    counts: tuple[Count, ...]
    bars: tuple[Bar, ...]
    height: float
    unit: str = ""

    @property
    def total(self) -> float:
        return sum(count.count for count in self.counts)

    @property
    def width(self) -> int:
        return WIDTH


def select_nonempty_charts(*charts: BarChart) -> list[BarChart]:
    """Return the charts that are not empty."""
    return [chart for chart in charts if chart.total]


def chart_of(entry: ChartEntry) -> BarChart:
    """Draw a chart from a report's text. A value below zero gets no bar, only its figure."""
    counts = tuple(Count(point.label, point.value, point.tone) for point in entry.points)
    if entry.kind == "columns":
        bars = _columns(counts)
        height: float = COLUMN_HEAD + COLUMN_MOST + COLUMN_FOOT
    else:
        most = max((count.count for count in counts), default=0)
        bars = tuple(_row(count, index * ROW, most) for index, count in enumerate(counts))
        height = len(counts) * ROW
    return BarChart("", entry.title, entry.heading, entry.summary, counts, bars, height, entry.unit)


def figure(value: float) -> str:
    """Format a count: without decimals if it is whole, otherwise with at most two."""
    return number_format(int(value) if float(value).is_integer() else round(value, 2))


def drop_single_bar(chart: BarChart) -> BarChart:
    """Return the chart, without bars if only one has a count: it shows no more than the summary says."""
    is_comparing = sum(count.count > 0 for count in chart.counts) > 1
    return chart if is_comparing else replace(chart, bars=())


def chart_of_strengths(counts: Mapping[str, int]) -> BarChart:
    """Build the chart of a report's claims by strength of evidence; `counts` has the number for each strength."""
    found = [
        Count(word(strength, "strength"), counts.get(strength, 0), tone=strength) for strength in STRENGTHS
    ]
    total = sum(count.count for count in found)
    values = {**{strength: counts.get(strength, 0) for strength in STRENGTHS}, "total": total}
    summary = ngettext(
        "%(total)s claim: strong evidence for %(strong)s, moderate for %(moderate)s, limited for %(limited)s.",
        "%(total)s claims: strong evidence for %(strong)s, moderate for %(moderate)s, limited for %(limited)s.",
        total,
    )
    said = describe_even_evidence(counts) or summary % values
    return _rows("strengths", _("Confidence mix"), _("Evidence"), (said,), found)


def chart_of_kinds(sources: Iterable[SourceEntry]) -> BarChart:
    """Build the chart of the cited sources by kind, most frequent first."""
    found = Counter(source.source_type for source in select_cited_sources(sources))
    counts = [Count(word(kind, "source_type"), count) for kind, count in found.most_common()]
    summary = (_most_frequent(counts),) if counts else ()
    return _rows("kinds", _("Cited sources by kind"), _("Kind"), summary, counts)


def chart_of_years(sources: Iterable[SourceEntry]) -> BarChart:
    """Build the chart of the cited sources by year.

    Sources without a date appear only in the table and in the summary.
    """
    cited = select_cited_sources(sources)
    years = [int(date_of(source)[:4]) for source in cited if date_of(source)]
    counts = _count_by_year(Counter(years))
    undated = len(cited) - len(years)
    bars = _columns(counts)
    return BarChart(
        id="years",
        title=_("Cited sources by year"),
        heading=_("Year"),
        summary=(*_span(years), *_describe_undated_sources(undated)),
        counts=(*counts, *([Count(_("date unknown"), undated)] if undated else [])),
        bars=bars,
        height=COLUMN_HEAD + COLUMN_MOST + COLUMN_FOOT if bars else 0,
    )


def _most_frequent(counts: Sequence[Count]) -> str:
    total = sum(count.count for count in counts)
    words = ngettext(
        "The most frequent kind is “%(kind)s”: %(count)s of %(total)s cited source.",
        "The most frequent kind is “%(kind)s”: %(count)s of %(total)s cited sources.",
        total,
    )
    return words % {"kind": counts[0].label, "count": counts[0].count, "total": total}


def _count_by_year(found: Mapping[int, int]) -> list[Count]:
    """Return a count for each year from the first to the last.

    For a long span, return the latest years, preceded by one count for all earlier ones.
    """
    if not found:
        return []
    last = max(found)
    first = max(min(found), last - MAX_YEARS + 1)
    counts = [Count(str(year), found.get(year, 0)) for year in range(first, last + 1)]
    older = sum(count for year, count in found.items() if year < first)
    if not older:
        return counts
    return [Count(f"<{first}", older, name=_("before %(year)s") % {"year": first}), *counts]


def _span(years: Sequence[int]) -> list[str]:
    if not years:
        return []
    first, last = min(years), max(years)
    if first == last:
        return [_("All dated sources are from %(year)s.") % {"year": first}]
    return [_("Published from %(first)s to %(last)s.") % {"first": first, "last": last}]


def _describe_undated_sources(count: int) -> list[str]:
    if not count:
        return []
    words = ngettext("%(count)s source has no date.", "%(count)s sources have no date.", count)
    return [words % {"count": count}]


def _rows(id: str, title: str, heading: str, summary: tuple[str, ...], counts: Sequence[Count]) -> BarChart:
    """Draw horizontal bars, one below the other, each below its label."""
    most = max((count.count for count in counts), default=0)
    bars = tuple(_row(count, index * ROW, most) for index, count in enumerate(counts))
    return BarChart(id, title, heading, summary, tuple(counts), bars, len(counts) * ROW)


def _row(count: Count, top: float, most: float) -> Bar:
    return Bar(
        x=0,
        y=top + ROW_BAR,
        width=max(0.0, WIDTH * count.count / most) if most > 0 else 0,
        height=BAR,
        tone=count.tone,
        label=Text(0, top + ROW_TEXT, "start", count.label),
        value=Text(WIDTH, top + ROW_TEXT, "end", figure(count.count)),
    )


def _columns(counts: Sequence[Count]) -> tuple[Bar, ...]:
    """Draw columns side by side, with the figure above and the label below."""
    most = max((count.count for count in counts), default=0)
    step = WIDTH / max(len(counts), 5)  # so that few columns are not too wide
    return tuple(_column(count, index * step, step, most) for index, count in enumerate(counts))


def _column(count: Count, left: float, step: float, most: float) -> Bar:
    height = max(0.0, COLUMN_MOST * count.count / most) if most > 0 else 0
    middle, head = left + step / 2, COLUMN_HEAD + COLUMN_MOST - height
    return Bar(
        x=left + step * 0.1,
        y=head,
        width=step * 0.8,
        height=height,
        tone=count.tone,
        label=Text(middle, COLUMN_HEAD + COLUMN_MOST + COLUMN_FOOT - 5, "middle", count.label),
        value=Text(middle, head - 5, "middle", figure(count.count) if count.count else ""),
    )
