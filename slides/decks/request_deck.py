"""Requests for decks and their files, which enqueue them for a worker. Each row is a job."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from exports.files.export_file_state import EXPORT_OPEN, LeasedJob
from exports.files.export_lease import begin_again, enqueue, find_abandoned_rows
from exports.files.request_export import why_not
from exports.models import Export
from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.llm.budgets.budget_limits import most
from research.llm.model_settings import can_draw
from research.models import Run
from slides.decks.stored_deck import plain
from slides.models import (
    MAX_TITLE,
    Deck,
    DeckFile,
    DeckVersion,
    DrawnPicture,
    Length,
    Mode,
    Outline,
)
from slides.theming.deck_themes import Theme

MAX_WORDS = 500  # characters of the prompt, which is also the picture's description
_TASKS: Mapping[type[LeasedJob], str] = {
    Deck: "research.tasks.make_deck",
    DeckFile: "research.tasks.make_deck_file",
    DrawnPicture: "research.tasks.draw_picture",
}


class DeckRefused(Exception):
    """Raised when a request is refused and nothing is made; str() tells the person why."""


@dataclass(frozen=True, slots=True)
class DeckRequest:
    """The options of a requested deck. `language` applies to texts that do not come from the report."""

    theme: Theme
    outline: Outline = Outline.RULES
    length: Length = Length.STANDARD
    language: str = "en"


def request_deck(run: Run, wish: DeckRequest, person: User | None, *, wakes_worker: bool = True) -> Deck:
    """Request a new deck of the current report. Needs the tenant set. Raises DeckRefused."""
    if reason := why_not(run):
        raise DeckRefused(reason)
    _refuse_too_many()
    deck = Deck.objects.create(
        run=run,
        report_version=run.report_version,
        title=run.topic[:MAX_TITLE],
        theme=plain(wish.theme),
        outline=wish.outline,
        length=wish.length,
        language=wish.language,
        asked_by=person,
    )
    _tell(deck, wakes_worker)
    return deck


def request_file(
    version: DeckVersion, mode: Mode, person: User | None, *, wakes_worker: bool = True
) -> DeckFile:
    """Request a file of this version, or return an existing one. Needs the tenant set. Raises DeckRefused."""
    from slides.decks.write_deck_file import WRITER_VERSIONS

    wish = {"version": version, "mode": mode, "writer_version": WRITER_VERSIONS[mode]}
    if not DeckFile.objects.filter(**wish).exists():
        _refuse_too_many()
    file, _is_new = DeckFile.objects.get_or_create(**wish, defaults={"asked_by": person})
    if not (file.is_there or file.is_open):
        begin_again(file)
    _tell(file, wakes_worker)
    return file


def request_picture(
    version: DeckVersion, slide: int, words: str, person: User | None, *, wakes_worker: bool = True
) -> DrawnPicture:
    """Request a picture from a model for this slide. Needs the tenant set. Raises DeckRefused."""
    if reason := _explain_not_drawn(version, words):
        raise DeckRefused(reason)
    _refuse_too_many()
    wanted = DrawnPicture.objects.create(version=version, slide=slide, words=words, asked_by=person)
    _tell(wanted, wakes_worker)
    return wanted


def _explain_not_drawn(version: DeckVersion, words: str) -> str:
    """Return the reason why the picture cannot be drawn; empty if it can.

    Only one picture is drawn at a time, because each opens and closes the run's budgets.
    """
    if not can_draw():
        return _("No model for pictures is configured.")
    if not words or len(words) > MAX_WORDS or "\x00" in words:
        return _("Describe the picture in at most %(most)d characters.") % {"most": MAX_WORDS}
    if DrawnPicture.objects.filter(version__deck__run=version.deck.run_id, state__in=EXPORT_OPEN).exists():
        return _("A picture is being drawn for slides of this report. Wait until it is ready.")
    return ""


def make_again(row: Deck | DeckFile) -> None:
    """Retry a failed deck or file, or make an existing file again; jobs in progress and existing decks stay
    unchanged.
    """
    if row.is_open or (isinstance(row, Deck) and row.outlined_by):
        return
    begin_again(row)
    _tell(row, True)


def _tell(row: LeasedJob, wakes_worker: bool) -> None:
    if wakes_worker and row.is_open:
        transaction.on_commit(partial(enqueue, _TASKS[type(row)], row.tenant_id, row.pk))


def _refuse_too_many() -> None:
    since = timezone.now() - timedelta(hours=1)
    tables: tuple[type[LeasedJob], ...] = (Export, *_TASKS)
    asked = sum(table._default_manager.filter(created_at__gt=since).count() for table in tables)
    if asked >= most("exports_an_hour"):
        raise DeckRefused(_("Your workspace has reached its hourly limit for files. Try again later."))


def ask_again() -> int:
    """Wake workers for waiting and abandoned jobs of every workspace; return their number. Called by the sweep."""
    asked = 0
    for tenant_id in tenants_with(SweepTarget.DECKS):
        with tenant_context(tenant_id):
            decks = [
                (task, pk)
                for table, task in _TASKS.items()
                for pk in find_abandoned_rows(table._default_manager.all())
            ]
        for task, pk in decks:
            enqueue(task, tenant_id, pk)
        asked += len(decks)
    return asked
