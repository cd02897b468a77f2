"""Data for a deck's page: the strip, one slide with its evidence, its fit, its versions and files."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from research.web.decks.deck_labels import (
    LAYOUTS,
    MODES,
    STRENGTHS,
    ModeWords,
    change_words,
    charts_for,
    reason_of,
)
from research.web.report.export_page_labels import STATES
from slides.deck import ChartKind, DeckClaim, DeckContent, DeckSource, Layout, Slide, SlidePassage
from slides.decks.edit_slides import claims_beside, is_edited, passages_of, why_not_as
from slides.fitting import fit_slide
from slides.fitting.deck_fitting_report import describe_slide_fit
from slides.models import Change, DeckFile, DeckVersion, Mode
from slides.theming.deck_themes import Theme

SHORT_HASH = 16


@dataclass(frozen=True, slots=True)
class StripSlide:
    """A slide of the strip. Slides that look the same have the same `mark`, so that browsers cache the picture."""

    number: int
    title: str
    layout: str
    mark: str
    is_over: bool
    is_shown: bool


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage of the slide with its evidence."""

    passage: SlidePassage
    claim: DeckClaim | None
    sources: Sequence[DeckSource]
    is_edited: bool

    @property
    def strength(self) -> str:
        return str(STRENGTHS.get(self.claim.strength, "")) if self.claim else ""

    @property
    def quotes(self) -> Sequence[tuple[int, str]]:
        return self.claim.quotes if self.claim else ()


@dataclass(frozen=True, slots=True)
class LayoutChoice:
    layout: Layout
    name: str
    is_chosen: bool
    refusal: str


@dataclass(frozen=True, slots=True)
class OverflowAdvice:
    """The reasons why a slide has too much text, and the slides that it could be split into."""

    sentences: Sequence[str]
    parts: Sequence[Slide]


@dataclass(frozen=True, slots=True)
class ShownSlide:
    """The slide that the page shows large."""

    slide: Slide
    mark: str
    stated: Sequence[PassageView]
    layouts: Sequence[LayoutChoice]
    charts: Sequence[tuple[ChartKind, str]]
    fit: OverflowAdvice | None
    others: Sequence[DeckClaim]  # claims that could be added


@dataclass(frozen=True, slots=True)
class VersionRow:
    version: DeckVersion
    words: str


@dataclass(frozen=True, slots=True)
class DeckFileRow:
    """An export mode with its file, if there is one or one is being made."""

    mode: Mode
    words: ModeWords
    file: DeckFile | None
    is_older: bool  # it shows an earlier version

    @property
    def state(self) -> str:
        if self.file is None:
            return ""
        return "expired" if self.file.state == "ready" and not self.file.is_there else self.file.state

    @property
    def state_words(self) -> str:
        return str(STATES[self.state]) if self.state else ""

    @property
    def reason(self) -> str:
        return reason_of(self.file.error_code, self.file.error) if self.file else ""


def mark_of(slide: Slide, deck: DeckContent, theme: Theme) -> str:
    """Return a hash of all that the slide's picture depends on: slide, theme, number of slides, language."""
    text = repr((slide, theme, len(deck.slides), deck.language))
    return hashlib.sha256(text.encode()).hexdigest()[:SHORT_HASH]


def strip_of(deck: DeckContent, theme: Theme, number: int) -> list[StripSlide]:
    return [
        StripSlide(
            slide.number,
            slide.title,
            str(LAYOUTS[slide.layout]),
            mark_of(slide, deck, theme),
            fit_slide(slide)[1] is not None,
            slide.number == number,
        )
        for slide in deck.slides
    ]


def build_slide_view(deck: DeckContent, theme: Theme, number: int) -> ShownSlide:
    slide = deck.slides[number - 1]
    parts, fit = fit_slide(slide)
    return ShownSlide(
        slide,
        mark_of(slide, deck, theme),
        _build_statements(deck, slide),
        [
            LayoutChoice(layout, str(LAYOUTS[layout]), layout == slide.layout, why_not_as(slide, layout))
            for layout in Layout
        ],
        charts_for(slide.chart),
        OverflowAdvice([*describe_slide_fit(fit)], parts) if fit else None,
        claims_beside(deck, slide),
    )


def _build_statements(deck: DeckContent, slide: Slide) -> list[PassageView]:
    claims, sources = deck.claim_of, {source.number: source for source in deck.sources}
    in_chart = [
        SlidePassage("", claim)
        for dataset in (slide.chart.datasets if slide.chart else ())
        for claim in dict.fromkeys(dataset.claims)
        if claim is not None
    ]
    return [
        PassageView(
            passage,
            claims.get(passage.claim or 0),
            [sources[number] for number in passage.sources if number in sources],
            bool(passage.text) and is_edited(passage, claims),
        )
        for passage in (*passages_of(slide), *in_chart)
        if passage.text or passage.claim
    ]


def version_rows(versions: QuerySet[DeckVersion]) -> list[VersionRow]:
    rows = versions.select_related("made_by").defer("slides", "theme").order_by("-number")
    return [VersionRow(row, change_words(Change(row.change), row.slide)) for row in rows]


def file_rows(version: DeckVersion) -> list[DeckFileRow]:
    """Return a row for each mode: this version's file, else the newest one of an earlier version."""
    files = DeckFile.objects.filter(version__deck_id=version.deck_id, version__number__lte=version.number)
    newest: dict[str, DeckFile] = {}
    for file in files.select_related("version").order_by("version__number", "created_at"):
        if file.version_id == version.pk or file.is_there:
            newest[file.mode] = file
    return [
        DeckFileRow(mode, words, newest.get(mode), mode in newest and newest[mode].version_id != version.pk)
        for mode, words in MODES.items()
    ]
