"""Splits a slide, depending on its layout, into slides within budget that together hold all its contents. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from slides.deck import ChartKind, Layout, Slide, SlideChart, SlideHalf, SlidePassage
from slides.fitting import slide_budgets
from slides.fitting.measure_slide_text import load
from slides.fitting.pack_slide_passages import keeps, pack
from slides.fitting.shorten_slide_lines import letters, split_off_head, to_letters, to_words
from slides.fitting.slide_budgets import TextBudget
from slides.slide_forest_plot_data import intervals_of

Pages = tuple[Slide, ...]


def pages_of(slide: Slide) -> Pages:
    """Return the slide, or the slides into which it is split, without their part numbers and slide numbers."""
    return _BY_LAYOUT[slide.layout](slide)


def _title(slide: Slide) -> Pages:
    if letters(slide.title) > slide_budgets.TITLE_SLIDE_LETTERS:
        head, rest = split_off_head(
            slide.title, slide_budgets.TITLE_SLIDE_LETTERS, slide_budgets.SUBTITLE_WORDS
        )
        if not slide.subtitle and rest != slide.title and load(rest) <= slide_budgets.SUBTITLE_WORDS:
            return _title(replace(slide, title=head, subtitle=rest))
        short = replace(slide, title=to_letters(slide.title, slide_budgets.TITLE_SLIDE_LETTERS))
        named = replace(slide, title=to_letters(slide.title, slide_budgets.TITLE_LETTERS))
        return (*_title(short), *_build_content_slide(named, SlidePassage(slide.title)))
    first, moved = _one_line(slide, "subtitle", slide_budgets.SUBTITLE_WORDS)
    first, more = _one_line(first, "caption", slide_budgets.CAPTION_WORDS)
    named = replace(first, title=to_letters(first.title, slide_budgets.TITLE_LETTERS))
    return (first, *_build_content_slide(named, *moved, *more))


def _content(slide: Slide) -> Pages:
    slide = _repeat_title(slide)
    budget = slide_budgets.SOURCES if slide.is_sources else slide_budgets.CONTENT
    return _paginate_passages(replace(slide, layout=Layout.CONTENT), budget)


def _bullets(slide: Slide) -> Pages:
    slide = _repeat_title(slide)
    if any(load(passage.text) > slide_budgets.BULLETS.words_each for passage in slide.passages):
        return _content(slide)
    return _paginate_passages(slide, slide_budgets.BULLETS)


def _quote(slide: Slide) -> Pages:
    before, slide = _lead_before(slide)
    slide, moved = _one_line(slide, "attribution", slide_budgets.CAPTION_WORDS)
    return (*before, *_paginate_passages(slide, slide_budgets.QUOTE), *_build_content_slide(slide, *moved))


def _image(slide: Slide) -> Pages:
    before, slide = _lead_before(slide)
    slide, moved = _one_line(slide, "caption", slide_budgets.CAPTION_WORDS)
    return (*before, slide, *_build_content_slide(slide, *moved))


def _chart(slide: Slide) -> Pages:
    before, slide = _lead_before(slide)
    slide, moved = _one_line(slide, "caption", slide_budgets.CAPTION_WORDS)
    charts = _charts(slide.chart) if slide.chart else (None,)
    return (*before, *(replace(slide, chart=chart) for chart in charts), *_build_content_slide(slide, *moved))


def _split(slide: Slide) -> Pages:
    sides = [_shorten_heading(side) for side in slide.sides]
    is_listed = all(keeps([passage], slide_budgets.SPLIT_LIST) for side in sides for passage in side.passages)
    budget = slide_budgets.SPLIT_LIST if is_listed else slide_budgets.SPLIT_SIDE
    return _paginate_sides(slide, Layout.SPLIT, budget, budget)


def _comparison(slide: Slide) -> Pages:
    most = slide_budgets.COMPARISON_SIDE
    if any(load(passage.text) > most.words_each for side in slide.sides for passage in side.passages):
        return _split(slide)
    pages = _paginate_sides(slide, Layout.COMPARISON, most, most)
    if all(
        sum(len(side.passages) for side in page.sides) <= slide_budgets.COMPARISON_ITEMS for page in pages
    ):
        return pages
    return _paginate_sides(
        slide, Layout.COMPARISON, most, replace(most, items=slide_budgets.COMPARISON_ITEMS - most.items)
    )


def _paginate_sides(slide: Slide, layout: Layout, left: TextBudget, right: TextBudget) -> Pages:
    before, slide = _lead_before(slide)
    sides = [*map(_shorten_heading, slide.sides)] or [SlideHalf()]
    sides += [SlideHalf()] * (len(sides) % 2)
    pages = []
    for first, second in zip(sides[::2], sides[1::2], strict=True):
        halves = zip_longest(pack(first.passages, left), pack(second.passages, right), fillvalue=())
        for mine, theirs in list(halves) or [((), ())]:
            pair = (replace(first, passages=mine), replace(second, passages=theirs))
            pages.append(replace(slide, layout=layout, sides=pair))
    return (*before, *_keep_notes_once(pages))


def _shorten_heading(side: SlideHalf) -> SlideHalf:
    """If a heading is too long, shorten it and repeat it in full before the text below it."""
    if letters(side.heading) <= slide_budgets.HEADING_LETTERS:
        return side
    short = to_letters(side.heading, slide_budgets.HEADING_LETTERS)
    return SlideHalf(short, (SlidePassage(side.heading), *side.passages))


def _paginate_passages(slide: Slide, budget: TextBudget) -> Pages:
    if keeps(slide.passages, budget):
        return (slide,)
    return _keep_notes_once([replace(slide, passages=page) for page in pack(slide.passages, budget)])


def _keep_notes_once(pages: Sequence[Slide]) -> Pages:
    """Keep the speaker notes and the visual suggestion on the first page only."""
    return (*pages[:1], *(replace(page, notes="", visual_suggestion="") for page in pages[1:]))


def _repeat_title(slide: Slide) -> Slide:
    """If a title is too long, shorten it and repeat it in full before the text."""
    if letters(slide.title) <= slide_budgets.TITLE_LETTERS:
        return slide
    short = to_letters(slide.title, slide_budgets.TITLE_LETTERS)
    return replace(slide, title=short, passages=(SlidePassage(slide.title), *slide.passages))


def _lead_before(slide: Slide) -> tuple[Pages, Slide]:
    if letters(slide.title) <= slide_budgets.TITLE_LETTERS:
        return (), slide
    short = replace(slide, title=to_letters(slide.title, slide_budgets.TITLE_LETTERS))
    return _build_content_slide(short, SlidePassage(slide.title)), short


def _one_line(slide: Slide, part: str, most: int) -> tuple[Slide, tuple[SlidePassage, ...]]:
    """Return the slide with the given part shortened, and the full part as a passage for another slide."""
    text: str = getattr(slide, part)
    if load(text) <= most:
        return slide, ()
    short = to_words(text, most)
    shortened = replace(
        slide,
        subtitle=short if part == "subtitle" else slide.subtitle,
        caption=short if part == "caption" else slide.caption,
        attribution=short if part == "attribution" else slide.attribution,
    )
    return shortened, (SlidePassage(text),)


def _build_content_slide(slide: Slide, *passages: SlidePassage) -> Pages:
    """Return a slide of text to accompany the given one; none if there is no text."""
    if not passages:
        return ()
    bare = Slide(slide.number, slide.title, Layout.CONTENT, passages=passages)
    return _paginate_passages(bare, slide_budgets.CONTENT)


def _charts(chart: SlideChart) -> tuple[SlideChart, ...]:
    if chart.kind in (ChartKind.PIE, ChartKind.DOUGHNUT) and not is_a_whole(chart):
        chart = replace(chart, kind=ChartKind.BAR)
    if chart.kind in (ChartKind.PIE, ChartKind.DOUGHNUT):
        return (chart,)
    series = _even(len(chart.datasets), slide_budgets.SERIES)
    parts = [replace(chart, datasets=chart.datasets[start:end]) for start, end in series] or [chart]
    points = _even(
        len(chart.labels), slide_budgets.INTERVALS if intervals_of(chart) else slide_budgets.POINTS
    )
    return tuple(_stretch(part, start, end) for part in parts for start, end in points) or tuple(parts)


def is_a_whole(chart: SlideChart) -> bool:
    """Return True if the chart shows parts of one sum, few enough to be distinguished."""
    values = [value for dataset in chart.datasets for value in dataset.values]
    is_positive = all(value is not None and value >= 0 for value in values)
    return len(chart.datasets) == 1 and len(chart.labels) <= slide_budgets.SLICES and is_positive


def _even(count: int, most: int) -> list[tuple[int, int]]:
    """Return ranges [start, end) of at most `most`, of about equal length."""
    parts = -(-count // most)
    ends = [count * part // parts for part in range(parts + 1)] if parts else []
    return list(zip(ends, ends[1:], strict=False))


def _stretch(chart: SlideChart, start: int, end: int) -> SlideChart:
    datasets = tuple(
        replace(dataset, values=dataset.values[start:end], claims=dataset.claims[start:end])
        for dataset in chart.datasets
    )
    return replace(chart, labels=chart.labels[start:end], datasets=datasets)


_BY_LAYOUT: Mapping[Layout, Callable[[Slide], Pages]] = {
    Layout.TITLE: _title,
    Layout.CONTENT: _content,
    Layout.BULLETS: _bullets,
    Layout.SPLIT: _split,
    Layout.IMAGE: _image,
    Layout.CHART: _chart,
    Layout.QUOTE: _quote,
    Layout.COMPARISON: _comparison,
}
