"""`bench_slides RUN…`: measure how long decks of finished runs take to write, and check them for overflows."""

import os
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle, islice
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from exports.building.build_document import build_document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.management.bench_process_costs import cpu_by_part
from research.management.command_options import whole
from research.models import Run
from research.pipelines.pipeline_in_foreground import workplace
from slides.deck import DeckContent, Slide
from slides.deck_to_html import slide_html, write_html
from slides.decks.stored_deck import renumber_slides
from slides.imaging.slide_browser import ScreenshotBrowser
from slides.imaging.slide_overflows import overflows
from slides.outline import outline_deck
from slides.pptx.write_pptx import write_pptx
from slides.theming.deck_themes import BUILT_IN, Theme

THEMES = {theme.id: theme for theme in BUILT_IN}


@dataclass(frozen=True, slots=True)
class Took:
    wall_s: float
    cpu_s: float  # of this process and its descendants
    size: int  # bytes

    def __str__(self) -> str:
        return f"{self.wall_s:.2f} s, CPU {self.cpu_s:.2f} s, {self.size / 1e6:.1f} MB"


class Command(BaseCommand):
    """Figures hold for this machine under its load at the time, so the load average is printed with them."""

    help = "Measure HTML, PPTX and PNG of slides of finished runs, and look for overflowing text."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", type=UUID, nargs="+", metavar="RUN")
        parser.add_argument("--slides", type=whole(), default=40, help="repeated if the runs have fewer")
        parser.add_argument("--themes", nargs="+", choices=list(THEMES), default=["zurich"])
        parser.add_argument(
            "--overflows", action="store_true", help="only look for overflowing text, and write no files"
        )

    def handle(self, *args: object, **options: object) -> None:
        themes = [THEMES[name] for name in options["themes"]]  # type: ignore[attr-defined]  # a list of names
        with workplace() as account:
            decks = list(_decks(account, options["runs"]))  # type: ignore[arg-type]  # a list of keys
        self.stdout.write(_describe_decks(decks))
        for theme in themes:
            if options["overflows"]:
                self._look(decks, theme)
            else:
                self._time(resize_decks(decks, int(str(options["slides"]))), theme)

    def _look(self, decks: Iterable[DeckContent], theme: Theme) -> None:
        with ScreenshotBrowser() as studio:
            found = [
                over for deck in decks for over in overflows(studio, write_html(deck, theme, {}).decode())
            ]
        self.stdout.write(f"{theme.id}: {len(found)} overflows")
        for over in found:
            self.stdout.write(f"  {over}")

    def _time(self, decks: list[DeckContent], theme: Theme) -> None:
        count = sum(len(deck.slides) for deck in decks)
        for name, write in (("HTML", _html), ("PPTX", _pptx), ("PNG", _png)):
            self.stdout.write(
                f"{theme.id} {name}, {count} slides: {time_writing(write, decks, theme)}, load {_load()}"
            )


Write = Callable[[list[DeckContent], Theme], int]


def time_writing(write: Write, decks: list[DeckContent], theme: Theme) -> Took:
    began, before = time.monotonic(), _cpu_s()
    size = write(decks, theme)
    return Took(time.monotonic() - began, _cpu_s() - before, size)


def _html(decks: list[DeckContent], theme: Theme) -> int:
    return sum(len(write_html(deck, theme, {})) for deck in decks)


def _pptx(decks: list[DeckContent], theme: Theme) -> int:
    return sum(len(write_pptx(deck, theme, {})) for deck in decks)


def _png(decks: list[DeckContent], theme: Theme) -> int:
    """Render all slides as PNG files, including the start of the browser."""
    with ScreenshotBrowser() as studio:
        pages = (slide_html(deck, slide, theme, {}) for deck in decks for slide in deck.slides)
        return sum(len(image) for image in studio.pngs(pages))


def _decks(account: PersonalAccount, runs: Iterable[UUID]) -> Iterator[DeckContent]:
    with tenant_context(account.tenant_id):
        for pk in runs:
            if not Run.objects.filter(pk=pk).exists():
                raise CommandError(f"There is no run {pk}.")
            yield outline_deck(build_document(pk))


def resize_decks(decks: Iterable[DeckContent], count: int) -> list[DeckContent]:
    """Return decks with `count` slides in total: the last is cut, and all are repeated if there are too
    few.
    """
    wanted = islice(cycle([(deck, slide) for deck in decks for slide in deck.slides]), count)
    groups: list[tuple[DeckContent, list[Slide]]] = []
    for deck, slide in wanted:
        if groups and groups[-1][0] is deck:
            groups[-1][1].append(slide)
        else:
            groups.append((deck, [slide]))
    return [replace(deck, slides=renumber_slides(slides)) for deck, slides in groups]


def _describe_decks(decks: list[DeckContent]) -> str:
    layouts = Counter(slide.layout.value for deck in decks for slide in deck.slides)
    told = ", ".join(f"{name} {count}" for name, count in layouts.most_common())
    return f"{len(decks)} reports, {layouts.total()} slides: {told}"


def _cpu_s() -> float:
    return sum(cpu_by_part(os.getpid()).values())


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"
