"""`warning_rates`: print how many finished reports raise each warning, and how scores are distributed."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from citations.claim_confidence import HIGH, MEDIUM
from citations.models import Claim, Warning
from research.accounts.people import NoAccount
from research.db.tenancy import tenant_context
from research.models import Escalation, Kind, Run, Source, State
from research.pipelines.pipeline_in_foreground import workplace

TOO_OFTEN = 0.3  # a warning above this share tells the reader nothing


class Command(BaseCommand):
    help = (
        "Print on which share of the finished reports each warning and gap fires, how many asked a person, and how"
        " credibility and confidence are spread. A warning above 30 %% is marked: sharpen it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--last", type=int, metavar="N", help="only the newest N reports")
        parser.add_argument("--user", help="user in whose workspace to work; the local account by default")

    def handle(self, *args: object, **options: object) -> None:
        last, user = options["last"], options["user"]
        try:
            with (
                workplace(user if isinstance(user, str) else None) as account,
                tenant_context(account.tenant_id),
            ):
                self._print(_find_answered_runs(last if isinstance(last, int) else None))
        except NoAccount as error:
            raise CommandError(str(error)) from error

    def _print(self, runs: Sequence[UUID]) -> None:
        if not runs:
            raise CommandError("There is no finished report that answers its question.")
        self.stdout.write(f"reports: {len(runs)}")
        asked = Escalation.objects.filter(run__in=runs).values("run").distinct().count()
        self.stdout.write(f"asked a person: {asked}")
        raised = set(Warning.objects.filter(run__in=runs).values_list("run", "code"))
        for code, count in sorted(Counter(code for _run, code in raised).items()):
            share = count / len(runs)
            mark = "  too often" if share > TOO_OFTEN else ""
            self.stdout.write(f"{code}: {count} ({share:.0%}){mark}")
        cited = Source.objects.filter(run__in=runs, citations__isnull=False).exclude(credibility=None)
        scores = Counter(score for _source, score in set(cited.values_list("pk", "credibility")))
        told = ", ".join(f"{score}: {count}" for score, count in sorted(scores.items()))
        self.stdout.write(f"credibility of cited sources: {told}")
        placed = Claim.objects.filter(run__in=runs, section__isnull=False)
        known = placed.values_list("confidence", flat=True)
        levels = Counter(_level(confidence) for confidence in known if confidence is not None)
        told = ", ".join(f"{level}: {levels[level]}" for level in ("low", "medium", "high"))
        self.stdout.write(f"confidence of claims: {told}")


def _find_answered_runs(last: int | None) -> Sequence[UUID]:
    """Return the reports that ended with an answer, newest first."""
    done = Run.objects.filter(kind=Kind.REPORT, state=State.COMPLETED).order_by("-completed_at")
    return [run.pk for run in done.only("result") if not run.is_insufficient][:last]


def _level(confidence: float) -> str:
    if confidence >= HIGH:
        return "high"
    return "medium" if confidence >= MEDIUM else "low"
