"""Work beside the steps of runs: people decide, schedules start runs, mail goes out, files are made."""

from datetime import timedelta
from hashlib import sha256
from typing import TypeVar

from django.contrib.auth.models import User
from django.db.models.functions import Now

from exports.files.export_file_state import LeasedJob
from exports.formats.export_formats import Format
from exports.models import Export, ExportState
from research.accounts.notification_mail import post
from research.db.tenancy import tenant_context
from research.models import Kind, Mail, Membership, ReviewDecision, Role, Run, Schedule
from research.storage.object_store import object_key
from slides.deck import Layout, Slide
from slides.decks.request_deck import request_file
from slides.decks.stored_deck import plain, renumber_slides
from slides.models import Change, Deck, DeckFile, DeckVersion, Mode, Outline
from slides.theming.deck_themes import BUILT_IN
from tests.crash.rig import Rig
from tests.crash.stage import SMALL, Stage, new_key

AnyTaken = TypeVar("AnyTaken", bound=LeasedJob)
MINUTE = timedelta(minutes=1)
KIND = "crash"  # of the mails


def decisions(stage: Stage, run: Run) -> int:
    with tenant_context(stage.tenant_id):
        return ReviewDecision.objects.filter(item__run=run).count()


def forgotten_schedule(stage: Stage) -> Schedule:
    """Ada's, due two minutes ago, and once a day."""
    with tenant_context(stage.tenant_id):
        ada = User.objects.get()
        Membership.objects.get_or_create(user=ada, defaults={"role": Role.OWNER})
        return Schedule.objects.create(
            name="Each day",
            kind=Kind.DIGEST,
            topic="What is known?",
            config={**SMALL, "sources": "library"},
            interval_seconds=86_400,
            next_at=Now() - timedelta(minutes=2),
            owner=ada,
        )


def runs_of(stage: Stage, schedule: Schedule) -> list[Run]:
    with tenant_context(stage.tenant_id):
        return list(Run.objects.filter(schedule=schedule))


def post_mail(stage: Stage) -> str:
    """One that waits to be sent; its subject."""
    ref = new_key()
    with tenant_context(stage.tenant_id):
        assert post(KIND, ref, "ada@plumb.example", ref, "Your run has ended.")
    return ref


def let_minutes_pass(stage: Stage, ref: str) -> None:
    """Make the mail due, as after the minutes for which the process that claimed it has it to itself."""
    with tenant_context(stage.tenant_id):
        Mail.objects.filter(kind=KIND, ref=ref).update(not_before=Now())


def is_sent(stage: Stage, ref: str) -> bool:
    with tenant_context(stage.tenant_id):
        return Mail.objects.filter(kind=KIND, ref=ref).exclude(sent_at=None).exists()


def copies(made: Rig, ref: str) -> list[str]:
    """The numbers of the mails that came with this subject."""
    return [str(mail["Message-ID"]) for mail in made.mails.received if mail["Subject"] == ref]


def ask_for_file(stage: Stage, run: Run, wanted: Format = Format.CSV) -> Export:
    """Its message was lost a while ago: the sweep tells a worker."""
    with tenant_context(stage.tenant_id):
        wish = {"report_version": 1, "evidence_version": "1", "format": wanted, "options_hash": new_key()}
        row = Export.objects.create(run=run, **wish)
        Export.objects.filter(pk=row.pk).update(updated_at=Now() - MINUTE)
    return row


def file_is_whole(stage: Stage, asked_for: Export) -> bool:
    """It is there, by the second who took it, and its row speaks of the bytes that no kill disturbs."""
    with tenant_context(stage.tenant_id):
        row = Export.objects.select_related("run").get(pk=asked_for.pk)
    assert row.state != ExportState.FAILED, row.error
    if row.state != ExportState.READY:
        return False
    data = f"en: {row.run.topic}".encode()
    assert (row.sha256, row.file_size, row.attempts) == (sha256(data).hexdigest(), len(data), 2)
    return row.object_key == object_key(stage.tenant_id, row.sha256)


def deck_version(stage: Stage, run: Run) -> DeckVersion:
    """The first of a deck about the run."""
    with tenant_context(stage.tenant_id):
        made = {"title": "What is known?", "theme": plain(BUILT_IN[0]), "language": "en", "progress": 1}
        deck = Deck.objects.create(
            run=run, report_version=1, state=ExportState.READY, outlined_by=Outline.RULES, **made
        )
        slides = renumber_slides([Slide(1, "What is known?", Layout.TITLE)])
        return DeckVersion.objects.create(
            deck=deck,
            number=1,
            change=Change.MADE,
            title=deck.title,
            theme=deck.theme,
            slides=slides,
            slide_count=1,
        )


def ask_for_slides(stage: Stage, version: DeckVersion, mode: Mode) -> DeckFile:
    with tenant_context(stage.tenant_id):
        row = request_file(version, mode, None, wakes_worker=False)
    forget(stage, row)
    return row


def forget(stage: Stage, row: LeasedJob) -> None:
    """Forget the message, as if it had been lost a while ago."""
    with tenant_context(stage.tenant_id):
        type(row)._default_manager.filter(pk=row.pk).update(updated_at=Now() - MINUTE)


def fresh(stage: Stage, row: AnyTaken) -> AnyTaken:
    with tenant_context(stage.tenant_id):
        return type(row)._default_manager.get(pk=row.pk)
