"""Labels of slide decks in the interface."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from slides.deck import ChartKind, Layout, SlideChart
from slides.models import Change, Length, Mode, Outline

LAYOUTS: Mapping[Layout, Promise] = {
    Layout.TITLE: _("Title"),
    Layout.CONTENT: _("Text"),
    Layout.BULLETS: _("Bullets"),
    Layout.SPLIT: _("Two halves"),
    Layout.IMAGE: _("Picture"),
    Layout.CHART: _("Chart"),
    Layout.QUOTE: _("Quote"),
    Layout.COMPARISON: _("Comparison"),
}
CHARTS: Mapping[ChartKind, Promise] = {
    ChartKind.BAR: _("Bars"),
    ChartKind.LINE: _("Lines"),
    ChartKind.PIE: _("Slices"),
    ChartKind.DOUGHNUT: _("Ring"),
}
OUTLINES: Mapping[Outline, Promise] = {
    Outline.RULES: _("By rules: the report’s sections in their order"),
    Outline.MODEL: _("By the model: it proposes titles, order and notes; the claims stay word for word"),
}
LENGTHS: Mapping[Length, Promise] = {
    Length.SHORT: _("Short: one slide per section"),
    Length.STANDARD: _("Standard: one to three slides per section"),
    Length.FULL: _("Full: up to three slides per section"),
}
STRENGTHS: Mapping[str, Promise] = {
    "strong": _("Strong evidence"),
    "moderate": _("Moderate evidence"),
    "limited": _("Limited evidence"),
}
CHANGES: Mapping[Change, Promise] = {
    Change.MADE: _("made from the report"),
    Change.REWORDED: _("words of slide %(slide)d"),
    Change.MOVED: _("slide %(slide)d moved"),
    Change.ADDED: _("slide added after slide %(slide)d"),
    Change.DELETED: _("slide %(slide)d deleted"),
    Change.LAID_OUT: _("layout of slide %(slide)d"),
    Change.PICTURED: _("picture of slide %(slide)d"),
    Change.FITTED: _("slide %(slide)d split"),
    Change.THEMED: _("another theme"),
    Change.RESTORED: _("version %(slide)d restored"),
}
CODES: Mapping[str, Promise] = {
    "DECK_NOT_AVAILABLE": _("This installation cannot write it:"),  # the missing thing follows
    "DECK_NOTHING_TO_SHOW": _("The report says nothing that a slide could show."),
    "DECK_CANNOT_WRITE": _("It could not be written:"),
    "DECK_INTERRUPTED": _("Making the file was interrupted several times. Try again."),
    "DECK_NOT_STORED": _("It was created but could not be stored:"),
    "DECK_NOT_DRAWN": _("The image model returned no picture:"),
    "DECK_BROKEN": _("An error occurred with this report. The operator’s log has the details."),
}
TOLD_IN_FULL = frozenset({"DECK_NOT_AVAILABLE", "DECK_CANNOT_WRITE", "DECK_NOT_STORED", "DECK_NOT_DRAWN"})


def charts_for(chart: SlideChart | None) -> list[tuple[ChartKind, str]]:
    """Return the possible types of the chart; none for intervals, which have only one."""
    is_free = chart is not None and chart.kind in CHARTS
    return [(kind, str(name)) for kind, name in CHARTS.items()] if is_free else []


@dataclass(frozen=True, slots=True)
class ModeWords:
    name: Promise | str
    holds: Promise


MODES: Mapping[Mode, ModeWords] = {
    Mode.PPTX: ModeWords(
        "PowerPoint (PPTX)", _("To edit and present: native charts, notes with the sources, your theme.")
    ),
    Mode.HTML: ModeWords(
        _("Web page (HTML)"),
        _("One file to present in any browser, offline, with notes, an overview and a print view."),
    ),
    Mode.PNG: ModeWords(_("Pictures (PNG)"), _("A ZIP file with one picture per slide, 3840 × 2160 pixels.")),
}


def reason_of(code: str, error: str) -> str:
    words = str(CODES.get(code, ""))
    return f"{words} {error}" if code in TOLD_IN_FULL else words


def change_words(change: Change, slide: int | None) -> str:
    return str(CHANGES[change]) % {"slide": slide or 0}
