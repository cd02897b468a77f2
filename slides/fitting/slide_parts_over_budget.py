"""Finds the parts of a slide that exceed their budgets. Pure."""

from collections.abc import Iterator, Sequence
from math import ceil

from slides.deck import ChartKind, Layout, Slide, SlideChart, SlideHalf, SlidePassage
from slides.fitting import slide_budgets
from slides.fitting.deck_fitting_report import Over
from slides.fitting.measure_slide_text import load
from slides.fitting.pack_slide_passages import high, keeps
from slides.fitting.shorten_slide_lines import letters
from slides.fitting.slide_budgets import TextBudget
from slides.slide_forest_plot_data import intervals_of


def find_overs(slide: Slide) -> tuple[Over, ...]:
    """Return the parts over budget, among those that the slide's layout shows; none if the slide is within budget."""
    most = slide_budgets.TITLE_SLIDE_LETTERS if slide.layout == Layout.TITLE else slide_budgets.TITLE_LETTERS
    return (*_above("title", letters(slide.title), most, "letters"), *_body(slide))


def _body(slide: Slide) -> Iterator[Over]:
    match slide.layout:
        case Layout.TITLE:
            yield from _above("subtitle", load(slide.subtitle), slide_budgets.SUBTITLE_WORDS)
            yield from _above("caption", load(slide.caption), slide_budgets.CAPTION_WORDS)
        case Layout.CONTENT:
            yield from _check_passages(
                "passages",
                slide.passages,
                slide_budgets.SOURCES if slide.is_sources else slide_budgets.CONTENT,
            )
        case Layout.BULLETS:
            yield from _check_passages("passages", slide.passages, slide_budgets.BULLETS)
        case Layout.QUOTE:
            yield from _check_passages("quote", slide.passages, slide_budgets.QUOTE)
            yield from _above("attribution", load(slide.attribution), slide_budgets.CAPTION_WORDS)
        case Layout.SPLIT | Layout.COMPARISON:
            yield from _halves(slide)
        case Layout.IMAGE | Layout.CHART:
            yield from _above("caption", load(slide.caption), slide_budgets.CAPTION_WORDS)
            if slide.layout == Layout.CHART and slide.chart:
                yield from _check_chart(slide.chart)


def _halves(slide: Slide) -> Iterator[Over]:
    is_split = slide.layout == Layout.SPLIT
    for side in slide.sides:
        yield from _above("heading", letters(side.heading), slide_budgets.HEADING_LETTERS, "letters")
        yield from _check_passages(
            "side", side.passages, _choose_split_budget(side) if is_split else slide_budgets.COMPARISON_SIDE
        )
    items = sum(len(side.passages) for side in slide.sides)
    if not is_split:
        yield from _above("passages", items, slide_budgets.COMPARISON_ITEMS, "items")


def _choose_split_budget(side: SlideHalf) -> TextBudget:
    return (
        slide_budgets.SPLIT_LIST
        if keeps(side.passages, slide_budgets.SPLIT_LIST)
        else slide_budgets.SPLIT_SIDE
    )


def _check_chart(chart: SlideChart) -> Iterator[Over]:
    if chart.kind in (ChartKind.PIE, ChartKind.DOUGHNUT):
        yield from _above("slices", len(chart.labels), slide_budgets.SLICES, "items")
    else:
        most = slide_budgets.INTERVALS if intervals_of(chart) else slide_budgets.POINTS
        yield from _above("labels", len(chart.labels), most, "items")
    yield from _above("series", len(chart.datasets), slide_budgets.SERIES, "items")


def _check_passages(part: str, passages: Sequence[SlidePassage], budget: TextBudget) -> Iterator[Over]:
    loads = [load(passage.text) for passage in passages]
    yield from _above(part, len(loads), budget.items, "items")
    if max(loads, default=0) > budget.words_each:
        yield Over(part, max(loads), budget.words_each)
    elif sum(loads) > budget.words:
        yield Over(part, sum(loads), budget.words)
    elif budget.lines and (found := high(passages, budget)) > budget.lines:
        yield Over(part, ceil(found), int(budget.lines), "lines")


def _above(part: str, found: int, most: int, unit: str = "words") -> Iterator[Over]:
    if found > most:
        yield Over(part, found, most, unit)
