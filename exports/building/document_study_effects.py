"""Finds effects with intervals ("HR 0.72, 95% CI 0.58–0.79") in a table of studies, for a chart. Pure.

Nothing is pooled or computed: the chart shows the table's own figures. All ratios can share a chart, since each is
compared with 1.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from exports.document.document_tree import BlockEntry, ChartEntry, PointEntry, SectionEntry, TableEntry

HEADING = "Effects and their intervals"  # translated like all stored text: exports.stored.exported_synthesis_sentences
TITLE, COLUMN = "Ratios, with their intervals", "Study"
READING = (
    "Each line is the interval of one study, the dot its estimate; the scale is logarithmic.",
    "An interval that crosses the line at 1 is compatible with no effect.",
    "Whether less or more than 1 is better depends on the outcome. Nothing is pooled.",
)
LEAST = 2  # a single one needs no comparison
INTERVALS = "intervals"  # kind of the chart
_NAMES = {
    "hazard ratio": "HR",
    "odds ratio": "OR",
    "risk ratio": "RR",
    "relative risk": "RR",
    "rate ratio": "RR",
    "prevalence ratio": "PR",
}
_USUAL = "95"
_FIGURE = r"\d+(?:[.,·]\d+)?"
_SHARE = r"(?:(?P<share>\d\d(?:[.,]\d)?)\s?%\s?)?(?:CI|KI|confidence interval|Konfidenzintervall)[\s:=,]*"
_EFFECT = re.compile(
    rf"(?<![\w-])(?:(?P<short>a?(?:HR|OR|RR)|IRR|SHR|PR)|(?i:(?:adjusted )?(?P<long>{'|'.join(_NAMES)})s?))(?![\w-])"
    rf"\s*(?:[(\[](?:a?[A-Z]{{2,3}})[)\]])?[\s:=,]*(?:(?:of|was|is)\s+)?(?P<value>{_FIGURE})"
    rf"\s*[,;:(\[]?\s*(?:{_SHARE})?[(\[]?\s*"
    rf"(?P<low>{_FIGURE})\s*(?:[-–—−]|to|bis|[,;]\s)\s*(?P<high>{_FIGURE})(?!\s?%)"
)


@dataclass(frozen=True, slots=True)
class Effect:
    measure: str  # HR, aOR …
    value: float
    low: float
    high: float


def effect_of(text: str) -> Effect | None:
    """Return the first ratio that lies within its interval.

    If the level of the interval is given, it must be 95 %; other levels are not comparable.

    >>> effect_of("Associated with higher mortality (HR 1.86, 95% CI 1.22-2.87).")
    Effect(measure='HR', value=1.86, low=1.22, high=2.87)
    """
    for found in _EFFECT.finditer(text):
        value, low, high = (_parse_figure(found[name]) for name in ("value", "low", "high"))
        if 0 < low <= value <= high and low < high and (found["share"] or _USUAL) == _USUAL:
            return Effect(found["short"] or _NAMES[found["long"].casefold()], value, low, high)
    return None


def with_effects(sections: Sequence[SectionEntry]) -> tuple[SectionEntry, ...]:
    """Insert a chart of the studies' effects before their table."""
    tables = [block.table for section in sections for block in section.blocks if block.table]
    points = tuple(point for table in tables for point in _points(table))
    if len(points) < LEAST:
        return tuple(sections)
    chart = ChartEntry(TITLE, COLUMN, points, INTERVALS, summary=READING)
    drawn = SectionEntry(
        max(section.index for section in sections) + 1, HEADING, 1, (BlockEntry("chart", chart=chart),)
    )
    return tuple(_insert_before_table(sections, drawn))


def _insert_before_table(sections: Iterable[SectionEntry], drawn: SectionEntry) -> Iterator[SectionEntry]:
    is_placed = False
    for section in sections:
        if not is_placed and any(block.table for block in section.blocks):
            yield replace(drawn, level=section.level)
            is_placed = True
        yield section


def _points(table: TableEntry) -> Iterator[PointEntry]:
    places = {column.name: place for place, column in enumerate(table.columns)}
    if "finding" not in places:
        return
    for row in table.rows:
        effect = effect_of(row.cells[places["finding"]].text)
        if effect:
            study = row.input.partition(": ")[0]
            outcome = row.cells[places["outcome"]].text if "outcome" in places else ""
            yield PointEntry(
                study,
                effect.value,
                low=effect.low,
                high=effect.high,
                measure=effect.measure,
                outcome=outcome,
            )


def _parse_figure(figure: str) -> float:
    return float(figure.replace(",", ".").replace("·", "."))
