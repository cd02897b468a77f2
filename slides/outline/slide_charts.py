"""Charts of a deck: those of the report, and those built from claims that state the same thing of several subjects.
Pure.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from exports.building.document_study_effects import INTERVALS
from exports.document.document_tree import ChartEntry, ClaimEntry
from exports.stored.translate_exported_sentences import translate_stored_text
from slides.deck import ChartKind, Dataset, SlideChart
from slides.outline.slide_passages import sources_of
from slides.speaker_notes import figure

LEAST = 3  # minimum number of figures for a chart
_STRENGTHS = ("strong", "moderate", "limited")
_FIGURE = re.compile(
    r"(?<![\w.,])(?P<before>[€$£])?(?P<value>[−-]?\d+(?:,\d{3})*(?:\.\d+)?)(?![\d,.]*\d)"
    r"\s?(?P<unit>%|percent\b|per cent\b|Prozent\b|°C\b|[kMGT]Wh?\b|million\b|billion\b|euros?\b|dollars?\b|hours?\b|"
    r"days?\b|km\b|kg\b|tonnes?\b|dB\b|°|m\b)?"
)
_MIN_SHARED = 2  # words between subject and figure that claims must share: "by" alone is not enough
_DIRECTION = re.compile(
    r"rose|rises?|risen|fell|falls?|fallen|grew|grows?|grown|shrank|shrunk|dropped|drops?|declined|declines?|"
    r"(?:in|de)creas(?:ed?|es)|gained|gains?|lost|loses?|cut|saved|sank|stieg|fiel|wuchs|nahm",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\w.,−-])(?:19|20)\d\d(?![\w%]|[.,]\d)")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A claim with one figure: the words before it, its value and unit, the words after it, and its only year."""

    claim: ClaimEntry
    before: tuple[str, ...]
    value: float
    unit: str
    after: tuple[str, ...]
    year: str


def charts_of_claims(claims: Sequence[ClaimEntry]) -> Iterator[tuple[SlideChart, str]]:
    """Yield charts of at least three claims that differ only in their figure and in the year or the subject.

    Each chart has a caption: the words that the claims share, with ellipses for those that differ.
    """
    statements = [statement for claim in claims if (statement := _statement(claim))]
    used: set[int] = set()
    for shared, group in (*_group_by_year(statements), *_group_by_subject(statements)):
        free = [(label, statement) for label, statement in group if statement.claim.number not in used]
        if len(free) >= LEAST and len({label for label, _ in free}) == len(free):
            used |= {statement.claim.number for _label, statement in free}
            yield _chart(free, shared), shared


def _statement(claim: ClaimEntry) -> _Statement | None:
    years = _YEAR.findall(claim.text)
    text = _YEAR.sub("@", claim.text)
    figures = list(_FIGURE.finditer(text))
    if len(figures) != 1 or len(years) > 1 or not (figures[0]["unit"] or figures[0]["before"]):
        return None
    figure = figures[0]
    return _Statement(
        claim=claim,
        before=tuple(text[: figure.start()].split()),
        value=float(figure["value"].replace(",", "").replace("−", "-")),
        unit=figure["unit"] or figure["before"],
        after=tuple(text[figure.end() :].split()),
        year=years[0] if years else "",
    )


Group = list[tuple[str, _Statement]]


def _group_by_year(statements: Iterable[_Statement]) -> Iterator[tuple[str, Group]]:
    groups: Mapping[tuple[object, ...], Group] = defaultdict(list)
    for statement in statements:
        if statement.year:
            groups[statement.before, statement.unit, statement.after].append((statement.year, statement))
    for group in groups.values():
        yield _frame(group[0][1], 0), sorted(group, key=lambda pair: pair[0])


def _group_by_subject(statements: Iterable[_Statement]) -> Iterator[tuple[str, Group]]:
    """Yield groups of claims whose words after the subject are equal, trying subjects of few words first."""
    groups: Mapping[tuple[object, ...], Group] = defaultdict(list)
    words_of: dict[tuple[object, ...], int] = {}
    for statement in statements:
        for words in range(1, min(6, len(statement.before) - _MIN_SHARED + 1)):
            if _DIRECTION.fullmatch(statement.before[words - 1]):
                break  # increases and decreases do not form one series
            key: tuple[object, ...] = (
                statement.before[words:],
                statement.unit,
                statement.after,
                statement.year,
            )
            groups[key].append((" ".join(statement.before[:words]), statement))
            words_of.setdefault(key, words)
    for key, group in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        yield _frame(group[0][1], words_of[key]), group


def _frame(statement: _Statement, subject_words: int) -> str:
    """Return the words that the claims share, with ellipses for the rest: "… fell by … percent"."""
    before = [*(["…"] if subject_words else []), *statement.before[subject_words:]]
    return " ".join(
        word.replace("@", "…") for word in (*before, "…", statement.unit, *statement.after)
    ).strip(" .")


def _chart(group: Group, shared: str) -> SlideChart:
    labels = tuple(label for label, _ in group)
    statements = [statement for _label, statement in group]
    numbers = tuple(statement.claim.number for statement in statements)
    dataset = Dataset(shared, tuple(statement.value for statement in statements), numbers)
    sources = tuple(
        dict.fromkeys(number for statement in statements for number in sources_of(statement.claim))
    )
    is_over_time = all(statement.year == label for label, statement in group)
    kind = ChartKind.LINE if is_over_time else ChartKind.BAR
    unit = statements[0].unit
    return SlideChart(kind, labels, (dataset,), unit, summary_of(labels, (dataset,), unit), sources)


def chart_of_entry(entry: ChartEntry) -> SlideChart | None:
    """Return a chart of the report's text; None if it has no figures."""
    if not entry.points:
        return None
    if entry.kind == INTERVALS:
        return _build_interval_chart(entry)
    labels = tuple(point.label for point in entry.points)
    dataset = Dataset(entry.title, tuple(point.value for point in entry.points), (None,) * len(labels))
    said = " ".join(entry.summary) or summary_of(labels, (dataset,), entry.unit)
    return SlideChart(ChartKind.BAR, labels, (dataset,), entry.unit, said)


def _build_interval_chart(entry: ChartEntry) -> SlideChart:
    labels = tuple(
        f"{point.label} · {point.measure}" if point.measure else point.label for point in entry.points
    )
    columns = (
        (_("Estimate"), tuple(point.value for point in entry.points)),
        (_("Lower end"), tuple(point.low or point.value for point in entry.points)),
        (_("Upper end"), tuple(point.high or point.value for point in entry.points)),
    )
    datasets = tuple(Dataset(name, values, (None,) * len(labels)) for name, values in columns)
    return SlideChart(
        ChartKind.INTERVALS, labels, datasets, entry.unit, " ".join(map(translate_stored_text, entry.summary))
    )


def caption_of(chart: SlideChart) -> str:
    """Return a note that explains the chart to readers; empty unless it shows intervals."""
    if chart.kind is not ChartKind.INTERVALS:
        return ""
    return _("Estimates with their intervals on a logarithmic scale; at 1 there is no effect.")


def strengths_chart(claims: Sequence[ClaimEntry]) -> SlideChart | None:
    """Return a chart of the numbers of claims with strong, moderate and limited evidence; None if all have the same."""
    names = {"strong": _("Strong"), "moderate": _("Moderate"), "limited": _("Limited")}
    counts = {strength: sum(claim.strength == strength for claim in claims) for strength in _STRENGTHS}
    found = {name: count for name, count in counts.items() if count}
    if len(found) < 2:
        return None
    labels = tuple(names[name] for name in found)
    dataset = Dataset(_("Claims"), tuple(map(float, found.values())), (None,) * len(labels))
    return SlideChart(ChartKind.DOUGHNUT, labels, (dataset,), "", summary_of(labels, (dataset,), ""))


def summary_of(labels: Sequence[str], datasets: Sequence[Dataset], unit: str) -> str:
    """Return the text alternative of a chart."""
    return " ".join(f"{dataset.label}: {_figures(labels, dataset, unit)}." for dataset in datasets)


def _figures(labels: Sequence[str], dataset: Dataset, unit: str) -> str:
    pairs = zip(labels, dataset.values, strict=True)
    return "; ".join(
        f"{label} {_format_quantity(value, unit)}" for label, value in pairs if value is not None
    )


def _format_quantity(value: float, unit: str) -> str:
    return f"{figure(value)} {unit}".strip()
