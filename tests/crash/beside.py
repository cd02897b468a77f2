"""What happens beside the steps of runs: people decide, schedules start runs, mail goes out."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models.functions import Now

from research.mailing import post
from research.models import Kind, Mail, Membership, ReviewDecision, Role, Run, Schedule
from research.tenancy import tenant_context
from tests.crash.rig import Rig
from tests.crash.stage import SMALL, Stage, new_key

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
    """For which whoever sends a mail has it to itself."""
    with tenant_context(stage.tenant_id):
        Mail.objects.filter(kind=KIND, ref=ref).update(not_before=Now())


def is_sent(stage: Stage, ref: str) -> bool:
    with tenant_context(stage.tenant_id):
        return Mail.objects.filter(kind=KIND, ref=ref).exclude(sent_at=None).exists()


def copies(made: Rig, ref: str) -> list[str]:
    """The numbers of the mails that came with this subject."""
    return [str(mail["Message-ID"]) for mail in made.mails.received if mail["Subject"] == ref]
