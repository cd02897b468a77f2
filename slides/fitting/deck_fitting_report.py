"""The report of what fitting found and changed, slide by slide, as values and in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from slides.deck import Layout


@dataclass(frozen=True, slots=True)
class Over:
    """A part of a slide that exceeds its budget. `unit`: letters, words, lines or items."""

    part: str
    found: int
    most: int
    unit: str = "words"


@dataclass(frozen=True, slots=True)
class SlideFit:
    """A slide that was over budget: its number after fitting, and the number of slides into which it was split."""

    before: int  # its number before
    number: int  # number of the first of its slides after fitting
    pages: int
    over: tuple[Over, ...]
    layout: Layout | None = None  # its new layout; None: unchanged


@dataclass(frozen=True, slots=True)
class FitReport:
    slides: tuple[SlideFit, ...] = ()


PARTS: dict[str, Promise] = {
    "title": gettext_lazy("title"),
    "subtitle": gettext_lazy("subtitle"),
    "passages": gettext_lazy("text"),
    "side": gettext_lazy("one half"),
    "heading": gettext_lazy("heading of a half"),
    "quote": gettext_lazy("quote"),
    "attribution": gettext_lazy("name under the quote"),
    "caption": gettext_lazy("caption"),
    "labels": gettext_lazy("labels of the chart"),
    "series": gettext_lazy("series of the chart"),
    "slices": gettext_lazy("slices of the chart"),
}
LAYOUTS: dict[Layout, Promise] = {
    Layout.TITLE: gettext_lazy("title slide"),
    Layout.CONTENT: gettext_lazy("text"),
    Layout.BULLETS: gettext_lazy("bullets"),
    Layout.SPLIT: gettext_lazy("two halves"),
    Layout.IMAGE: gettext_lazy("picture"),
    Layout.CHART: gettext_lazy("chart"),
    Layout.QUOTE: gettext_lazy("quote"),
    Layout.COMPARISON: gettext_lazy("comparison"),
}


def describe_slide_fit(fit: SlideFit) -> Iterator[str]:
    """Yield sentences on what was over budget and what was done about it."""
    for over in fit.over:
        yield _OVER[over.unit] % {"part": PARTS[over.part], "found": over.found, "most": over.most}
    if fit.layout:
        yield _("It is laid out as %(layout)s.") % {"layout": LAYOUTS[fit.layout]}
    if fit.pages > 1:
        words = ngettext("It goes on one slide.", "It goes on over %(count)d slides.", fit.pages)
        yield words % {"count": fit.pages}


_OVER = {
    "letters": gettext_lazy("Over budget: %(part)s, %(found)s letters of %(most)s."),
    "words": gettext_lazy("Over budget: %(part)s, %(found)s words of %(most)s."),
    "lines": gettext_lazy("Over budget: %(part)s, %(found)s lines of %(most)s."),
    "items": gettext_lazy("Over budget: %(part)s, %(found)s of %(most)s."),
}
